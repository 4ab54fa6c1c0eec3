-- No broker gives itself more than six leases. One that ends later than that was given before the
-- database's clock was put back, and nobody knows when it ends: the number of the reign then decides.
-- The view tender.broker asks the same, for readers, who call no function of the broker's.
create or replace function tender_ledger.lease_runs(p_ends_at timestamptz, p_lease interval)
returns boolean
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
    select p_ends_at > clock_timestamp() and p_ends_at <= clock_timestamp() + 6 * p_lease
$$;
comment on function tender_ledger.lease_runs(timestamptz, interval) is
    'Whether a shard is still a broker''s, by the end of its lease and how long it makes one.';
grant execute on function tender_ledger.lease_runs(timestamptz, interval) to tender_broker;

-- A broker that takes a shard has a lease for as long as its recall may take, until its second batch ends
-- that. Until then it is as good as its connection: with the backend a recall is over, and one that died in
-- it is not waited for. Later a broker comes back through another backend, and its lease decides.
create or replace function tender_ledger.reign_runs(
    p_ends_at timestamptz, p_lease interval, p_is_begin boolean, p_backend integer)
returns boolean
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
    select tender_ledger.lease_runs(p_ends_at, p_lease) and not (
        p_is_begin and p_backend is not null and not exists (
            select from pg_stat_get_activity(p_backend)))
$$;
comment on function tender_ledger.reign_runs(timestamptz, interval, boolean, integer) is
    'Whether a shard is still a broker''s: its lease runs, and while it recalls its backend is there.';
