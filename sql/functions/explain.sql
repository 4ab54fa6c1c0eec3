-- Reads the views with the rights of whoever asks, so it shows what they show.
create or replace function tender.explain(p_task uuid)
returns table (round integer, rank integer, contractor text, principal text, status text, reason text,
    cost numeric(20, 6), eta interval, price numeric(20, 6), rule text, part integer)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select coalesce(b.round, a.round), b.rank, coalesce(b.contractor, a.contractor),
        coalesce(b.principal, a.principal), coalesce(b.status, 'assigned'), coalesce(b.reason, 'none'),
        b.cost, b.eta, a.price,
        case
            when a.price is null then null
            when a.price_set_by = 'rate' and b.contractor is null then 'the posted rate'
            when a.part > 0 then 'its share of what the others save by it (Clarke)'
            when a.price_set_by = 'ceiling' then 'no other principal''s bid was eligible: the ceiling'
            else 'the lowest cost of another principal: ' || a.price_set_by
        end, a.part
    from (select * from tender.bid where task_id = p_task) b
    full join (select * from tender.award where task_id = p_task) a
        on a.round = b.round and a.contractor = b.contractor
    order by 1, nullif(b.rank, 0) nulls last, 3
$$;
comment on function tender.explain(uuid) is
    'Every answer to every round of a task: how it ranked and ended, why, and the rule that made the price.';
grant execute on function tender.explain(uuid) to tender_auditor, tender_reader, tender_principal;
