create or replace view tender.hold with (security_barrier) as
select h.contractor, h.principal, h.skill, h.task_id, h.reason,
    case when (select tender_ledger.reads_all(current_user)) then h.text end as text, h.author, h.since, h.until,
    h.is_over
from (
    select null::smallint as shard, f.body ->> 'contractor' as contractor, f.body ->> 'principal' as principal,
        f.body ->> 'skill' as skill, null::uuid as task_id, coalesce(f.body ->> 'reason', 'none') as reason,
        f.body ->> 'text' as text, f.body ->> 'by' as author, f.at as since,
        timestamptz 'epoch' + (f.body ->> 'until_us')::bigint * interval '1 microsecond' as until,
        coalesce((f.body ->> 'until_us')::bigint, 0)
            <= extract(epoch from clock_timestamp()) * 1000000 as is_over
    from (
        select distinct on (e.subject) e.at, e.body -- all shards have those of operators
        from tender_ledger.fact e
        where e.kind = 27
        order by e.subject, coalesce((e.body ->> 'until_us')::bigint, 0) desc, e.at desc
    ) f
    union all
    select p.shard, null, null, null, p.task_id, coalesce(h.body ->> 'reason', 'none'), h.body ->> 'text',
        coalesce(h.body ->> 'by', 'tenderd'), h.at,
        timestamptz 'epoch' + a.until_us * interval '1 microsecond',
        a.until_us <= extract(epoch from clock_timestamp()) * 1000000
    from tender_ledger.open_part p
    cross join lateral (
        select coalesce(max(e.number) filter (where e.kind = 12), 0) as released,
            max(e.number) filter (where e.kind = 11) as held
        from tender_ledger.entry e
        where e.shard = p.shard and e.task_id = p.task_id and e.kind in (11, 12)
    ) l
    cross join lateral (
        -- What a commitment left behind is held by the same hold, whose entry has the author.
        select e.at, e.body::jsonb as body
        from tender_ledger.entry e
        where e.shard = p.shard and e.task_id = p.task_id and e.kind = 11 and e.number > l.released
        order by (e.body::jsonb ->> 'by') is null, e.number desc
        limit 1
    ) h
    cross join lateral (
        select least((h.body ->> 'until_us')::bigint, (e.body::jsonb ->> 'deadline_at_us')::bigint) as until_us
        from tender_ledger.entry e
        where e.shard = p.shard and e.task_id = p.task_id and e.kind = 1
        limit 1
    ) a
    where p.part = 0 and l.held > l.released and (p.state in (1, 5) or p.generation is not null or exists (
        select from tender_ledger.split_part s where s.shard = p.shard and s.task_id = p.task_id))
) h
left join tender_ledger.task y on y.shard = h.shard and y.task_id = h.task_id
where (select tender_ledger.reads_all(current_user)) or h.principal = current_user
    or exists (
        select from tender_ledger.contractor k
        where k.contractor = h.contractor and k.principal = current_user) or y.principal = current_user;
comment on view tender.hold is 'Who and what is on hold: nothing new for it until the end or a release.';
comment on column tender.hold.contractor is 'Contractor that gets nothing new; null: any.';
comment on column tender.hold.principal is 'Principal whose contractors get nothing new; null: any.';
comment on column tender.hold.skill is 'Skill that is held for them; null: all skills.';
comment on column tender.hold.task_id is
    'Task that is not announced further; one under a commitment waits behind it.';
comment on column tender.hold.reason is 'Why: a word.';
comment on column tender.hold.text is 'Why: a sentence, for readers and auditors.';
comment on column tender.hold.author is 'Who said so; tenderd for a quarantine or a fallback.';
comment on column tender.hold.since is 'Since when.';
comment on column tender.hold.until is
    'When it ends by itself; a task ends at its deadline, held or not. Null for one that was released.';
comment on column tender.hold.is_over is 'Whether that has passed.';
grant select on tender.hold to tender_auditor, tender_reader, tender_principal;
