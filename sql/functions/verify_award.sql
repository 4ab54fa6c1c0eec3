-- The argument of an award, made anew from the entries of the task's chain by nothing but the rules: what was
-- bid, what of it counts, who is first, and what that one is paid. Shares nothing with the broker. Claims of
-- rounds that are split are those which need no search; tests/oracle has the rest of the rules once more.
create or replace function tender.verify_award(p_task uuid)
returns table (round integer, claim text, holds boolean, detail text)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    with entry as materialized (
        select e.number, e.kind, e.at, e.body::jsonb as body, (e.body::jsonb ->> 'round')::integer as round
        from tender_ledger.entry e
        where e.shard = tender_ledger.shard_of_task(p_task) and e.task_id = p_task and e.kind in (1, 2, 3, 4, 5)
    ), opened as (
        select o.round, o.at, o.body ->> 'head' as head, coalesce((o.body ->> 'ceiling_micro')::bigint, 0) as ceiling,
            o.body ->> 'contractor' as fallback,
            coalesce((a.body ->> 'split_max')::bigint, 0) > 0 as is_split
        from entry o
        cross join (select x.body from entry x where x.kind = 1) a
        where o.kind = 2
    ), closed as (
        select distinct on (c.round) c.round, c.number, c.body
        from entry c
        where c.kind in (4, 5)
        order by c.round, c.number
    ), answer as (
        select distinct on (e.round, i.answer ->> 'contractor') e.round, e.number, i.answer,
            i.answer ->> 'contractor' as contractor
        from entry e
        cross join lateral jsonb_array_elements(e.body -> 'answers') with ordinality i (answer, place)
        where e.kind = 3 and i.answer ->> 'state' is distinct from 'ineligible'
        order by e.round, i.answer ->> 'contractor', e.number desc, i.place desc
    ), booked as (
        select distinct on (e.round, i.answer ->> 'contractor') e.round, e.number, i.place,
            (i.answer ->> 'nonce')::uuid as nonce,
            tender_ledger.bid_leaf(p_task, e.round, i.answer ->> 'contractor', i.answer ->> 'principal',
                (i.answer ->> 'cost_micro')::bigint, (i.answer ->> 'eta_us')::bigint,
                (i.answer ->> 'capacity')::bigint, (i.answer ->> 'nonce')::uuid) as leaf
        from entry e
        join closed c on c.round = e.round and e.number < c.number
        cross join lateral jsonb_array_elements(e.body -> 'answers') with ordinality i (answer, place)
        where e.kind = 3 and coalesce(i.answer ->> 'state', 'standing') in ('standing', 'ineligible')
        order by e.round, i.answer ->> 'contractor', e.number, i.place
    ), sealed as (
        select b.round, count(*) as bids, bool_or(b.nonce is not null) as has_nonce,
            tender_ledger.tree_root(array_agg(b.leaf order by b.number, b.place)) as root
        from booked b
        group by b.round
    ), bid as (
        select a.round, a.number, a.contractor, a.answer ->> 'principal' as principal,
            coalesce(a.answer ->> 'root', a.answer ->> 'principal') as root,
            coalesce((a.answer ->> 'cost_micro')::bigint, 0) as cost,
            coalesce((a.answer ->> 'eta_us')::bigint, 0) as eta,
            sha256(convert_to('tender/rank/v1', 'UTF8') || uuid_send(p_task) || int4send(a.round)
                || decode(o.head, 'hex') || convert_to(a.contractor, 'UTF8')) as draw
        from answer a
        join opened o on o.round = a.round
        where coalesce(a.answer ->> 'state', 'standing') = 'standing'
    ), ranked as (
        select c.round, r.rank ->> 'contractor' as contractor, r.rank ->> 'reason' as reason,
            coalesce((r.rank ->> 'rank')::integer, 0) as rank
        from closed c
        cross join lateral jsonb_array_elements(c.body -> 'ranks') r (rank)
    ), judged as (
        select c.round, coalesce(b.contractor, k.contractor) as contractor, b.principal, b.root, b.cost, b.eta, b.draw,
            k.reason, k.rank, b.contractor is not null as is_bid, k.contractor is not null as is_ranked,
            b.number > c.number as is_late
        from closed c
        cross join lateral (
            select x.contractor from bid x where x.round = c.round
            union
            select y.contractor from ranked y where y.round = c.round
        ) n
        left join bid b on b.round = c.round and b.contractor = n.contractor
        left join ranked k on k.round = c.round and k.contractor = n.contractor
    ), placed as (
        select j.*, o.ceiling, o.is_split,
            row_number() over (partition by j.round order by j.cost, j.eta, j.draw) as place
        from judged j
        join opened o on o.round = j.round
        where j.rank > 0 and j.is_bid
    ), award as (
        select e.round, e.number, e.body ->> 'contractor' as contractor, o.ceiling, o.fallback, o.is_split,
            coalesce((e.body ->> 'cost_micro')::bigint, 0) as cost,
            coalesce((e.body ->> 'price_micro')::bigint, 0) as price, k.rank,
            lag(k.rank, 1, 0) over (partition by e.round order by e.number) as rank_before,
            coalesce((
                select min(p.cost)
                from placed p
                where p.round = e.round and p.rank > k.rank), o.ceiling) as second
        from entry e
        join opened o on o.round = e.round
        left join ranked k on k.round = e.round and k.contractor = e.body ->> 'contractor'
        where e.kind = 4
    ), claims as (
        select c.round, 1 as place, 'every bid is ranked, and nothing that was not bid' as claim,
            (select string_agg(j.contractor, ', ' order by j.contractor)
            from judged j where j.round = c.round and not (j.is_bid and j.is_ranked)) as fault
        from closed c
        join opened o on o.round = c.round
        where o.fallback is null and exists (select from judged j where j.round = c.round)
        union all
        select c.round, 2, 'every bid was heard before the round closed',
            (select string_agg(j.contractor, ', ' order by j.contractor)
            from judged j where j.round = c.round and j.is_late)
        from closed c
        where exists (select from judged j where j.round = c.round)
        union all
        select c.round, 2, 'the book that bidders have the root of is of every bid, in their order',
            case when s.bids is null or not s.has_nonce then 'no bid had a nonce'
                when (c.body ->> 'bids')::bigint is distinct from s.bids
                    then format('%s bids, not %s', coalesce(c.body ->> 'bids', 'no'), s.bids)
                when decode(c.body ->> 'book', 'hex') is distinct from s.root
                    then format('the root is %s', encode(s.root, 'hex')) end
        from closed c
        left join sealed s on s.round = c.round
        where s.has_nonce or c.body ? 'book'
        union all
        select p.round, 3, 'the order is that of cost, then eta, then the draw',
            string_agg(format('%s has place %s, not %s', p.contractor, p.place, p.rank), ', ' order by p.place)
                filter (where p.place <> p.rank)
        from placed p
        where not p.is_split
        group by p.round
        union all
        select j.round, 4, 'each bid is its root principal''s', string_agg(
            format('%s is recorded below %s', j.contractor, j.root), ', ' order by j.contractor)
            filter (where not tender_ledger.had_root(p_task, j.principal, j.root, o.at))
        from judged j
        join opened o on o.round = j.round
        where j.is_bid
        group by j.round
        union all
        select p.round, 4, 'of each root principal one bid counts',
            string_agg(p.contractor, ', ' order by p.place) filter (where exists (
                select from placed q
                where q.round = p.round and q.root = p.root and q.place < p.place))
        from placed p
        where not p.is_split
        group by p.round
        union all
        select j.round, 5, 'who does not count has a reason that is so',
            string_agg(format('%s: %s', j.contractor, j.reason), ', ' order by j.contractor) filter (where
                case j.reason
                    when 'above-ceiling' then j.cost <= o.ceiling
                    when 'same-principal' then not exists (
                        select from placed p
                        where p.round = j.round and p.root = j.root
                            and (p.cost, p.eta, p.draw) < (j.cost, j.eta, j.draw))
                    else j.reason is null
                end)
        from judged j
        join opened o on o.round = j.round
        where j.is_bid and j.rank = 0 and not o.is_split
        group by j.round
        union all
        select p.round, 6, 'nobody counts who asks for more than the ceiling',
            string_agg(p.contractor, ', ' order by p.place) filter (where p.cost > p.ceiling)
        from placed p
        where not p.is_split
        group by p.round
        union all
        select a.round, 7, format('%s won: the first of the order, or the next when those before it broke off',
                a.contractor),
            case when a.rank is null or a.rank <= a.rank_before or a.rank_before = 0 and a.rank <> 1
                then format('its rank is %s, behind %s', coalesce(a.rank::text, 'none'), a.rank_before) end
        from award a
        where a.fallback is null and not a.is_split
        union all
        select a.round, 8, format('%s is paid the lowest cost behind it, or else the ceiling', a.contractor),
            case when a.price <> a.second
                then format('%s micro-credits, not %s', a.price, a.second) end
        from award a
        where a.fallback is null and not a.is_split
        union all
        select a.round, 9, format('%s is paid no less than its cost and no more than the ceiling', a.contractor),
            case when not a.price between a.cost and a.ceiling
                then format('cost %s, price %s, ceiling %s micro-credits', a.cost, a.price, a.ceiling) end
        from award a
        where not a.is_split
        union all
        select a.round, 9, 'the parts of the round cost no more than its ceiling',
            case when sum(a.price) > min(a.ceiling)
                then format('%s micro-credits of %s', sum(a.price), min(a.ceiling)) end
        from award a
        where a.is_split
        group by a.round
        union all
        select null, 10, 'every entry of the task''s chain follows from the one before it',
            (select format('entry %s does not', v.first_fault)
            from tender.verify_task(p_task) v where v.faults > 0)
    )
    select v.round, v.claim, v.holds, v.detail
    from (
        select c.round, c.place, c.claim, c.fault is null as holds, c.fault as detail
        from claims c
        union all
        select null, 11, 'a signed checkpoint covers its last award', case when k.size is not null then true end,
            case when k.size is null then 'none does yet'
                else format('%s batches of shard %s, signed by ed25519:%s', k.size, k.shard,
                    encode(k.key, 'hex'))
            end
        from (select max(a.number) as number from award a having count(*) > 0) l
        join entry e on e.number = l.number
        left join lateral tender_ledger.batch_of_entry(
            tender_ledger.shard_of_task(p_task)::smallint, p_task, e.number, e.at) b on true
        left join lateral (
            select c.size, c.shard, c.key
            from tender_ledger.checkpoint c
            where c.shard = tender_ledger.shard_of_task(p_task) and c.size > b.leaf
            order by c.size
            limit 1
        ) k on true
    ) v
    order by v.round, v.place, v.claim
$$;
comment on function tender.verify_award(uuid) is
    'Makes the argument of each award of a task anew from the entries of its chain: one row a claim, whether it holds, and where it does not.';
grant execute on function tender.verify_award(uuid) to tender_auditor;
