create or replace view tender.hold as
select f.body ->> 'contractor' as contractor, f.body ->> 'principal' as principal,
    f.body ->> 'skill' as skill, null::uuid as task_id, coalesce(f.body ->> 'reason', 'none') as reason,
    f.body ->> 'text' as text, f.body ->> 'by' as author, f.at as since,
    timestamptz 'epoch' + (f.body ->> 'until_us')::bigint * interval '1 microsecond' as until,
    coalesce((f.body ->> 'until_us')::bigint, 0)
        <= extract(epoch from clock_timestamp()) * 1000000 as is_over
from tender_ledger.fact f
where f.kind = 27
union all
select null, null, null, p.task_id, coalesce(h.body ->> 'reason', 'none'), h.body ->> 'text',
    coalesce(h.body ->> 'by', 'tenderd'), h.at,
    least(timestamptz 'epoch' + (h.body ->> 'until_us')::bigint * interval '1 microsecond',
        timestamptz 'epoch' + (a.body ->> 'deadline_at_us')::bigint * interval '1 microsecond'),
    false
from tender_ledger.open_part p
cross join lateral (
    select e.at, e.kind, e.body::jsonb as body
    from tender_ledger.entry e
    where e.shard = p.shard and e.task_id = p.task_id and e.kind in (11, 12)
    order by e.number desc
    limit 1
) h
cross join lateral (
    select e.body::jsonb as body
    from tender_ledger.entry e
    where e.shard = p.shard and e.task_id = p.task_id and e.kind = 1
    limit 1
) a
where p.part = 0 and h.kind = 11;
comment on view tender.hold is 'Who and what is on hold: nothing new for it until the end or a release.';
comment on column tender.hold.contractor is 'Contractor that gets nothing new; null: any.';
comment on column tender.hold.principal is 'Principal whose contractors get nothing new; null: any.';
comment on column tender.hold.skill is 'Skill that is held for them; null: all skills.';
comment on column tender.hold.task_id is
    'Task that is not announced further; one under a commitment waits behind it.';
comment on column tender.hold.reason is 'Why: a word.';
comment on column tender.hold.text is 'Why: a sentence.';
comment on column tender.hold.author is 'Who said so; tenderd for a quarantine or a fallback.';
comment on column tender.hold.since is 'Since when.';
comment on column tender.hold.until is
    'When it ends by itself; a task ends at its deadline, held or not. Null for one that was released.';
comment on column tender.hold.is_over is 'Whether that has passed.';
grant select on tender.hold to tender_auditor, tender_reader;
