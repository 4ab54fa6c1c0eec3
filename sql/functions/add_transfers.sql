-- Movements that no row of a task or commitment tells. Who pays for a task, its row says.
create or replace function tender_ledger.add_transfers(
    p_shard smallint, p_task uuid[], p_number integer[], p_generation integer[], p_at timestamptz[],
    p_amount_micro bigint[], p_from_principal text[], p_from_bucket text[], p_to_principal text[],
    p_to_bucket text[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into tender_ledger.transfer (at, amount_micro, number, generation, shard, task_id,
        from_principal, from_bucket, to_principal, to_bucket)
    select g.at, g.amount_micro, g.number, g.generation, p_shard, g.task_id,
        coalesce(g.from_principal, (
            select t.principal
            from tender_ledger.task t
            where t.shard = p_shard and t.task_id = g.task_id)),
        g.from_bucket, g.to_principal, g.to_bucket
    from (
        select unnest(p_at) as at, unnest(p_amount_micro) as amount_micro, unnest(p_number) as number,
            unnest(p_generation) as generation, unnest(p_task) as task_id,
            unnest(p_from_principal) as from_principal, unnest(p_from_bucket) as from_bucket,
            unnest(p_to_principal) as to_principal, unnest(p_to_bucket) as to_bucket
    ) g;
end
$$;
comment on function tender_ledger.add_transfers(smallint, uuid[], integer[], integer[], timestamptz[],
    bigint[], text[], text[], text[], text[]) is
    'Adds movements of money that no task or commitment tells.';
grant execute on function tender_ledger.add_transfers(smallint, uuid[], integer[], integer[],
    timestamptz[], bigint[], text[], text[], text[], text[]) to tender_broker;
