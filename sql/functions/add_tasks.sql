create or replace function tender_ledger.add_tasks(
    p_shard smallint, p_task uuid[], p_announced_at timestamptz[], p_ended_at timestamptz[],
    p_state smallint[], p_reason smallint[], p_partial smallint[], p_round integer[],
    p_units integer[], p_units_done integer[], p_ceiling_micro bigint[], p_paid_micro bigint[],
    p_released_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[],
    p_key text[], p_body_digest bytea[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into tender_ledger.task (announced_at, ended_at, ceiling_micro, paid_micro, released_micro,
        units, units_done, round, shard, state, reason, partial, task_id, again, client, principal,
        skill, key, body_digest)
    select unnest(p_announced_at), unnest(p_ended_at), unnest(p_ceiling_micro), unnest(p_paid_micro),
        unnest(p_released_micro), unnest(p_units), unnest(p_units_done), unnest(p_round), p_shard,
        unnest(p_state), unnest(p_reason), unnest(p_partial), unnest(p_task), unnest(p_again),
        unnest(p_client), unnest(p_principal), unnest(p_skill), unnest(p_key), unnest(p_body_digest);
end
$$;
comment on function tender_ledger.add_tasks(smallint, uuid[], timestamptz[], timestamptz[], smallint[],
    smallint[], smallint[], integer[], integer[], integer[], bigint[], bigint[], bigint[], uuid[],
    text[], text[], text[], text[], bytea[]) is 'Adds announced tasks, as they are when the batch ends.';
grant execute on function tender_ledger.add_tasks(smallint, uuid[], timestamptz[], timestamptz[],
    smallint[], smallint[], smallint[], integer[], integer[], integer[], bigint[], bigint[], bigint[],
    uuid[], text[], text[], text[], text[], bytea[]) to tender_broker;
