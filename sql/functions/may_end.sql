-- A broker that reconnects ends the backend it wrote through before, which may still hold the reign's
-- row. One that was superseded meanwhile would end its successor's: it may not.
create or replace function tender_ledger.may_end(p_shard smallint, p_reign bigint)
returns boolean
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select p_reign = 0 or exists (
        select from tender_ledger.reign r where r.shard = p_shard and r.reign = p_reign)
$$;
comment on function tender_ledger.may_end(smallint, bigint) is
    'Whether a broker may end other backends of the shard: it begins a reign (0), or it reigns.';
grant execute on function tender_ledger.may_end(smallint, bigint) to tender_broker;
