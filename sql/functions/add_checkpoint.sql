-- In the transaction of the batch that it covers last. One that is there stays.
create or replace function tender_ledger.add_checkpoint(
    p_shard smallint, p_size bigint, p_at timestamptz, p_root bytea, p_key bytea, p_signature bytea)
returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $$
    insert into tender_ledger.checkpoint (at, size, shard, root, key, signature)
    values (p_at, p_size, p_shard, p_root, p_key, p_signature)
    on conflict on constraint checkpoint_is_one_per_size do nothing
$$;
comment on function tender_ledger.add_checkpoint(smallint, bigint, timestamptz, bytea, bytea, bytea) is
    'Keeps what a broker has signed over the tree of a shard.';
grant execute on function tender_ledger.add_checkpoint(smallint, bigint, timestamptz, bytea, bytea, bytea)
    to tender_broker;
