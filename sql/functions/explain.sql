-- Reads the views with the rights of whoever asks, so it shows what they show.
create or replace function tender.explain(p_task uuid)
returns table (round integer, rank integer, contractor text, principal text, status text, reason text,
    cost numeric(20, 6), eta interval, price numeric(20, 6), rule text)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select b.round, b.rank, b.contractor, b.principal, b.status, b.reason, b.cost, b.eta, a.price,
        case
            when a.price is null then null
            when a.price_set_by = 'ceiling' then 'no other principal''s bid was eligible: the ceiling'
            else 'the lowest cost of another principal: ' || a.price_set_by
        end
    from tender.bid b
    left join tender.award a on a.task_id = b.task_id and a.round = b.round
        and a.contractor = b.contractor
    where b.task_id = p_task
    order by b.round, nullif(b.rank, 0) nulls last, b.contractor
$$;
comment on function tender.explain(uuid) is
    'Every answer to every round of a task: how it ranked and ended, why, and the rule that made the price.';
grant execute on function tender.explain(uuid) to tender_auditor, tender_reader;
