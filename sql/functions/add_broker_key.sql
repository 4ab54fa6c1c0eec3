-- When a reign begins, and once for each key: before anything is signed by it.
create or replace function tender_ledger.add_broker_key(p_shard smallint, p_reign bigint, p_key bytea)
returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $$
    insert into tender_ledger.broker_key (since_at, shard, broker, key)
    select clock_timestamp(), r.shard, r.broker, p_key
    from tender_ledger.reign r
    where r.shard = p_shard and r.reign = p_reign and p_key is distinct from (
        select k.key
        from tender_ledger.broker_key k
        where k.shard = r.shard and k.broker = r.broker
        order by k.since_at desc
        limit 1)
$$;
comment on function tender_ledger.add_broker_key(smallint, bigint, bytea) is
    'Notes by which key the reigning broker of a shard signs from now on.';
grant execute on function tender_ledger.add_broker_key(smallint, bigint, bytea) to tender_broker;
