-- Bids are read from entries of rounds that have closed: with an award, without one, or because the
-- task went on or ended. Those of improving rounds are shown when the auction is over, since between
-- its rounds a bidder learns its own place and no other. A barrier, because conditions of whoever asks
-- must not be tried on rows that are not shown.
create or replace view tender.bid with (security_barrier) as
select a.task_id, a.round, a.answer ->> 'contractor' as contractor,
    a.answer ->> 'principal' as principal,
    (case when pg_has_role(current_user, 'tender_auditor', 'member')
            or a.answer ->> 'principal' = current_user
        then coalesce(a.answer ->> 'cost_micro', case a.state when 'standing' then '0' end)::bigint
            / 1000000.0
    end)::numeric(20, 6) as cost,
    -- least() passes over nulls, and a refusal has no eta.
    case when a.answer ? 'eta_us'
        then least((a.answer ->> 'eta_us')::bigint, 9223372036854774784) * interval '1 microsecond'
    end as eta,
    case
        when a.state <> 'standing' then a.state
        when w.contractor is not null then 'won'
        else coalesce(k.rank ->> 'state', 'lost')
    end as status,
    case
        when a.state <> 'standing' then coalesce(a.answer ->> 'reason', 'none')
        when w.contractor is not null and k.rank ->> 'state' is distinct from 'won' then 'lowest-cost'
        else coalesce(k.rank ->> 'reason', 'round-cancelled')
    end as reason,
    (k.rank ->> 'rank')::integer as rank, a.at, a.answer ->> 'text' as text
from (
    select e.shard, e.task_id, e.number, e.at, e.payer, (e.body ->> 'round')::integer as round,
        i.answer, coalesce(i.answer ->> 'state', 'standing') as state,
        row_number() over (
            partition by e.shard, e.task_id, e.body ->> 'round', i.answer ->> 'contractor'
            order by (i.answer ->> 'state' = 'ineligible'), e.number desc, i.place desc) as newest,
        i.answer ->> 'state' = 'ineligible' as is_extra
    from (
        select f.shard, f.task_id, f.number, f.at, f.body::jsonb as body, y.principal as payer
        from tender_ledger.entry f
        left join tender_ledger.task y on y.shard = f.shard and y.task_id = f.task_id
        where f.kind = 3
    ) e
    cross join lateral jsonb_array_elements(e.body -> 'answers') with ordinality i (answer, place)
) a
left join lateral (
    select f.number, f.body::jsonb ->> 'reason' = 'improving' as is_improving
    from tender_ledger.entry f
    where f.shard = a.shard and f.task_id = a.task_id and f.kind in (4, 5)
        and (f.body::jsonb ->> 'round')::integer = a.round
    order by f.number
    limit 1
) c on true
left join lateral (
    select r.rank
    from tender_ledger.entry f
    cross join lateral jsonb_array_elements(f.body::jsonb -> 'ranks') r (rank)
    where f.shard = a.shard and f.task_id = a.task_id and f.kind in (4, 5)
        and (f.body::jsonb ->> 'round')::integer = a.round
        and r.rank ->> 'contractor' = a.answer ->> 'contractor'
    order by f.number desc
    limit 1
) k on a.state = 'standing'
left join lateral (
    select f.body::jsonb ->> 'contractor' as contractor
    from tender_ledger.entry f
    where f.shard = a.shard and f.task_id = a.task_id and f.kind = 4
        and (f.body::jsonb ->> 'round')::integer = a.round
        and f.body::jsonb ->> 'contractor' = a.answer ->> 'contractor'
    limit 1
) w on a.state = 'standing'
where (a.newest = 1 or a.is_extra)
    and ((select tender_ledger.reads_all(current_user)) or a.answer ->> 'principal' = current_user
        or a.payer = current_user)
    and case
        when c.is_improving then exists (
            select from tender_ledger.entry f
            where f.shard = a.shard and f.task_id = a.task_id and f.number > c.number
                and (f.kind in (4, 11, 13)
                    or f.kind = 5 and f.body::jsonb ->> 'reason' is distinct from 'improving'))
        else c.number is not null
            or exists (
                select from tender_ledger.entry f
                where f.shard = a.shard and f.task_id = a.task_id and f.number > a.number
                    and f.kind in (2, 11, 13))
    end;
comment on view tender.bid is
    'Every answer to a call for proposals, once its round has closed: bids, refusals and withdrawals.';
comment on column tender.bid.task_id is 'The task.';
comment on column tender.bid.round is 'Round that it answered.';
comment on column tender.bid.contractor is 'Who answered.';
comment on column tender.bid.principal is 'Principal of the contractor.';
comment on column tender.bid.cost is
    'What it asked for, in credits, in a split round for a unit; shown to auditors and to the bidder''s own '
    'principal.';
comment on column tender.bid.eta is 'How long it would take.';
comment on column tender.bid.status is 'won, lost, ineligible, withdrawn or refused.';
comment on column tender.bid.reason is 'Why it ended so.';
comment on column tender.bid.rank is 'Place among the eligible bids, from 1; 0 or null: not ranked.';
comment on column tender.bid.at is 'When it was heard.';
comment on column tender.bid.text is 'What the bidder wrote beside it; no decision reads it.';
grant select on tender.bid to tender_auditor, tender_reader, tender_principal;
