-- Why each contractor that could have had a round did not: the first reason that holds, in the order in
-- which the rules look. Invitations are no entries, so what happened before an answer is told from what
-- the ledger holds around the round: enrolments, commitments, holds and draws. Rounds that are open are
-- not shown. A barrier, because conditions of whoever asks must not be tried on rows that are not shown.
create or replace view tender.why_not with (security_barrier) as
with hold as materialized (
    select e.shard, e.number, e.at, e.body ->> 'contractor' as contractor,
        e.body ->> 'principal' as principal, e.body ->> 'skill' as skill,
        coalesce(e.body ->> 'reason', 'none') as reason,
        timestamptz 'epoch' + coalesce(e.body ->> 'until_us', '0')::bigint * interval '1 microsecond'
            as until_at,
        lead(e.at) over (
            partition by e.shard, e.body ->> 'contractor', e.body ->> 'principal', e.body ->> 'skill'
            order by e.number) as next_at
    from (
        select f.shard, f.number, f.at, f.body::jsonb as body
        from tender_ledger.entry f
        where f.task_id = '00000000-0000-0000-0000-000000000000' and f.kind = 27
    ) e
)
select w.task_id, w.round, w.contractor, w.principal, w.reason,
    case
        when w.reason = 'excluded' then w.out_reason
        when w.reason = 'not-covered' then coalesce(w.answer_detail, w.lacks)
        when w.reason in ('on-hold', 'no-slot') and not w.is_told then null
        when w.reason = 'on-hold' then w.hold_reason
        when w.reason = 'no-slot' then w.held || ' of ' || w.slots || ' slots were taken'
        else w.answer_detail
    end as detail,
    case when w.reason = 'late' then w.answered_at - w.closes_at end as late_by
from (
    select r.task_id, r.round, k.contractor, k.principal, r.closes_at, b.at as answered_at, k.slots,
        (select tender_ledger.reads_all(current_user)) or k.principal = current_user as is_told,
        s.held, h.reason as hold_reason, x.reason as out_reason,
        coalesce(b.text, b.status) as answer_detail,
        (select string_agg(n.name, ' ') from unnest(r.names) n (name) where n.name <> all (k.skills))
            as lacks,
        case
            when b.contractor is not null then b.reason
            when r.silent ? k.contractor then
                case
                    when k.departed_at between r.opened_at and r.closed_at then 'undelivered'
                    else 'unanswered'
                end
            when k.principal = r.principal then 'own-task'
            when not k.skills @> r.names then 'not-covered'
            when x.reason is not null then 'excluded'
            when h.reason is not null then 'on-hold'
            when r.drawn is not null and not r.drawn ? k.contractor then 'not-drawn'
            when k.enrolled_at > r.closed_at or k.departed_at < r.opened_at then 'not-connected'
            when s.held >= k.slots then 'no-slot'
            when r.kind = 14 then 'another-assigned'
            else 'not-invited'
        end as reason
    from (
        select o.shard, o.task_id, o.number, o.kind, (o.body ->> 'round')::integer as round,
            t.principal, array[t.skill] || coalesce(n.needs, '{}') as names, o.body -> 'drawn' as drawn,
            coalesce(c.body -> 'silent', '[]') as silent, o.at as opened_at,
            coalesce(c.at, o.at) as closed_at, o.body ->> 'contractor' as named,
            case
                when o.kind = 14 then o.at
                else timestamptz 'epoch'
                    + coalesce(o.body ->> 'closes_at_us', '0')::bigint * interval '1 microsecond'
            end as closes_at
        from (
            select e.shard, e.task_id, e.number, e.at, e.kind, e.body::jsonb as body
            from tender_ledger.entry e
            where e.kind in (2, 14)
        ) o
        join tender_ledger.task t on t.shard = o.shard and t.task_id = o.task_id
        left join tender_ledger.task_need n on n.shard = o.shard and n.task_id = o.task_id
        left join lateral (
            select e.at, e.number, e.body::jsonb as body
            from tender_ledger.entry e
            where o.kind = 2 and e.shard = o.shard and e.task_id = o.task_id and e.number > o.number
                and e.kind in (4, 5) and (e.body::jsonb ->> 'round') = (o.body ->> 'round')
            order by e.number
            limit 1
        ) c on true
        where o.kind = 14 or c.body ->> 'reason' is distinct from 'improving' and c.at is not null
            or c.body ->> 'reason' = 'improving' and exists (
                select from tender_ledger.entry f
                where f.shard = o.shard and f.task_id = o.task_id and f.number > c.number
                    and (f.kind in (4, 11, 13)
                        or f.kind = 5 and f.body::jsonb ->> 'reason' is distinct from 'improving'))
    ) r
    cross join tender_ledger.enrolment k
    left join tender.bid b on b.task_id = r.task_id and b.round = r.round
        and b.contractor = k.contractor
    left join lateral (
        select coalesce(e.body::jsonb ->> 'reason', 'none') as reason
        from tender_ledger.entry e
        where e.shard = r.shard and e.task_id = r.task_id and e.number < r.number and e.kind = 8
            and e.body::jsonb ? 'excluded' and e.body::jsonb ->> 'principal' = k.principal
        limit 1
    ) x on true
    left join lateral (
        select h.reason
        from hold h
        where h.shard = r.shard and h.at <= r.closed_at and h.until_at > r.opened_at
            and (h.next_at is null or h.next_at > r.opened_at)
            and coalesce(h.contractor, k.contractor) = k.contractor
            and coalesce(h.principal, k.principal) = k.principal
            and coalesce(h.skill, r.names[1]) = r.names[1]
        limit 1
    ) h on true
    left join lateral (
        select count(*) as held
        from (
            select p.awarded_at, null::timestamptz as ended_at
            from tender_ledger.promise p
            where p.owner = k.contractor
            union all
            select c.awarded_at, c.ended_at
            from tender_ledger.commitment c
            where c.owner = k.contractor
        ) c
        where b.contractor is null and k.skills @> r.names and c.awarded_at <= r.closes_at
            and (c.ended_at is null or c.ended_at > r.closes_at)
    ) s on true
    where (k.skills && r.names or b.contractor is not null) and b.status is distinct from 'won'
        and (r.kind = 2 or k.contractor <> r.named)
        and ((select tender_ledger.reads_all(current_user)) or r.principal = current_user
            or k.principal = current_user and (b.contractor is not null or r.silent ? k.contractor))
) w;
comment on view tender.why_not is
    'Why each contractor that offers one of a task''s names did not get a round of it, once that is over.';
comment on column tender.why_not.task_id is 'The task.';
comment on column tender.why_not.round is 'The round.';
comment on column tender.why_not.contractor is 'Name of the agent.';
comment on column tender.why_not.principal is 'Whose agent it is.';
comment on column tender.why_not.reason is
    'A word of the table of reasons; or unanswered: invited and silent; undelivered: the same, and gone '
    'before the close; another-assigned: it had more commitments than who was assigned, or as many and lost '
    'the draw; not-invited: it could have been, and nothing recorded says why it was not.';
comment on column tender.why_not.detail is
    'More of it, where there is more; of holds and slots to readers, auditors and its own principal.';
comment on column tender.why_not.late_by is 'How long after the close it answered, where that is the reason.';
grant select on tender.why_not to tender_auditor, tender_reader, tender_principal;
