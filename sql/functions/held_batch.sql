-- A reign that the ledger does not know is one that it has lost: the broker that asks must recall.
create or replace function tender_ledger.held_batch(p_shard smallint, p_reign bigint, p_mark integer)
returns bigint
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_batch bigint;
begin
    select coalesce(
            (select n.batch from tender_ledger.reign_begin n
                where n.shard = b.shard and n.reign > b.reign order by n.reign limit 1),
            r.batch)
    into v_batch
    from tender_ledger.reign_begin b
    join tender_ledger.reign r on r.shard = b.shard
    where b.shard = p_shard and b.reign = p_reign and b.mark = p_mark;
    if not found then
        raise exception using
            errcode = 'TN006', message = format('the ledger has lost reign %s', p_reign);
    end if;
    return v_batch;
end
$$;
comment on function tender_ledger.held_batch(smallint, bigint, integer) is
    'The last batch that is held of a reign; TN006 where the ledger has lost the reign itself.';
grant execute on function tender_ledger.held_batch(smallint, bigint, integer) to tender_broker;

create or replace function tender_ledger.recall_reigns(p_shard smallint, p_limit integer)
returns table (reign bigint, mark integer, batch bigint)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select b.reign, b.mark, b.batch
    from tender_ledger.reign_begin b
    where b.shard = p_shard
    order by b.reign desc
    limit p_limit
$$;
comment on function tender_ledger.recall_reigns(smallint, integer) is
    'The newest reigns, the present one first, with the batch that each began behind.';
grant execute on function tender_ledger.recall_reigns(smallint, integer) to tender_broker;
