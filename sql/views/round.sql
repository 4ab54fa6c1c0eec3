-- Read from the entries themselves: rounds are looked at one task at a time.
create or replace view tender.round with (security_barrier) as
select o.task_id, (o.body ->> 'round')::integer as round, o.body ->> 'head' as head,
    (o.body ->> 'units')::bigint as units,
    (coalesce(o.body ->> 'ceiling_micro', '0')::bigint / 1000000.0)::numeric(20, 6) as ceiling,
    coalesce((c.body ->> 'invited')::integer,
        case when c.at is not null or o.kind = 14 then 0 end) as invited,
    case
        when o.kind = 14 then o.at
        else timestamptz 'epoch'
            + coalesce(o.body ->> 'closes_at_us', '0')::bigint * interval '1 microsecond'
    end as closes_at,
    case when o.kind = 14 then o.at else coalesce(c.at, n.at) end as closed_at,
    case
        when o.kind = 14 then 'assigned'
        when c.kind = 4 then 'awarded'
        when c.kind = 5 then coalesce(c.body ->> 'reason', 'none')
        when n.at is not null then 'round-cancelled'
    end as outcome, o.at as opened_at,
    case
        when o.kind = 14 then timestamptz 'epoch'
            + (o.body ->> 'due_at_us')::bigint * interval '1 microsecond' - o.at
        else (o.body ->> 'due_us')::bigint * interval '1 microsecond'
    end as due,
    jsonb_array_length(o.body -> 'drawn') as drawn,
    coalesce(c.kind = 5 and c.body ->> 'reason' = 'improving', false) as improving,
    ((o.body ->> 'rate_micro')::bigint / 1000000.0)::numeric(20, 6) as posted
from (
    select e.shard, e.task_id, e.number, e.at, e.kind, e.body::jsonb as body
    from tender_ledger.entry e
    where e.kind in (2, 14)
) o
left join lateral (
    select e.at, e.kind, e.body::jsonb as body
    from tender_ledger.entry e
    where e.shard = o.shard and e.task_id = o.task_id and e.number > o.number and e.kind in (4, 5)
        and (e.body::jsonb ->> 'round') = (o.body ->> 'round')
    order by e.number
    limit 1
) c on true
left join lateral (
    select e.at
    from tender_ledger.entry e
    where e.shard = o.shard and e.task_id = o.task_id and e.number > o.number and e.kind in (2, 11, 13)
    order by e.number
    limit 1
) n on c.at is null
left join tender_ledger.task y on y.shard = o.shard and y.task_id = o.task_id
where (select tender_ledger.reads_all(current_user)) or y.principal = current_user;
comment on view tender.round is
    'Every round of every task: one call for proposals each, or an assignment at a posted rate without one.';
comment on column tender.round.task_id is 'The task.';
comment on column tender.round.round is 'Number within the task, from 1.';
comment on column tender.round.head is
    'Hash of the task''s chain just before the round: the seed of its draws, in hex.';
comment on column tender.round.units is 'Units asked for.';
comment on column tender.round.ceiling is 'The most that may be bid, in credits.';
comment on column tender.round.invited is 'Contractors invited; known once it has closed.';
comment on column tender.round.closes_at is 'When its window ends.';
comment on column tender.round.closed_at is 'When it closed.';
comment on column tender.round.outcome is
    'awarded or assigned, or why nobody was; null while it is open.';
comment on column tender.round.opened_at is 'When it opened.';
comment on column tender.round.due is 'The most time that a bid may ask for.';
comment on column tender.round.drawn is
    'Contractors that were drawn to be invited; null: all that could were.';
comment on column tender.round.improving is 'Whether another round of improving bids followed it.';
comment on column tender.round.posted is
    'The posted rate of a unit that it was assigned at or is a sample against, in credits.';
grant select on tender.round to tender_auditor, tender_reader, tender_principal;
