create or replace function tender_ledger.add_transfers(
    p_shard smallint, p_task uuid[], p_number integer[], p_at timestamptz[], p_amount_micro bigint[],
    p_from_principal text[], p_from_bucket text[], p_to_principal text[], p_to_bucket text[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into tender_ledger.transfer (at, amount_micro, number, shard, task_id, from_principal,
        from_bucket, to_principal, to_bucket)
    select unnest(p_at), unnest(p_amount_micro), unnest(p_number), p_shard, unnest(p_task),
        unnest(p_from_principal), unnest(p_from_bucket), unnest(p_to_principal), unnest(p_to_bucket);
end
$$;
comment on function tender_ledger.add_transfers(smallint, uuid[], integer[], timestamptz[], bigint[],
    text[], text[], text[], text[]) is 'Adds movements of money that no task or commitment tells.';
grant execute on function tender_ledger.add_transfers(smallint, uuid[], integer[], timestamptz[],
    bigint[], text[], text[], text[], text[]) to tender_broker;
