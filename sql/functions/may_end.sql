-- A broker that reconnects ends the backend it wrote through before, which may still hold the reign's
-- row. One that was superseded meanwhile would end its successor's: it may not.
--
-- Volatile, so that it sees who reigns after the locks were looked at, whose holders reigned before they
-- had them: a statement's own snapshot may be older than the lock that it finds.
create or replace function tender_ledger.may_end(p_shard smallint, p_reign bigint)
returns boolean
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
    select exists (
        select from tender_ledger.reign r where r.shard = p_shard and r.reign = p_reign)
$$;
comment on function tender_ledger.may_end(smallint, bigint) is
    'Whether a broker may end other backends of the shard: it reigns.';
grant execute on function tender_ledger.may_end(smallint, bigint) to tender_broker;

-- The same for one that is about to take the shard.
create or replace function tender_ledger.may_take(p_shard smallint, p_broker text)
returns boolean
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
    select not exists (
        select
        from tender_ledger.reign r
        where r.shard = p_shard and r.broker <> p_broker
            and tender_ledger.reign_runs(r.lease_ends_at, r.lease, r.batch <= r.first_batch, r.backend_pid))
$$;
comment on function tender_ledger.may_take(smallint, text) is
    'Whether a broker may take a shard: it is its own by name, or no lease runs.';
grant execute on function tender_ledger.may_take(smallint, text) to tender_broker;
