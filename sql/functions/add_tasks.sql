create or replace function tender_ledger.add_tasks(
    p_shard smallint, p_task uuid[], p_announced_at timestamptz[], p_partial smallint[],
    p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[],
    p_skill text[], p_key text[], p_body_digest bytea[], p_batch bigint, p_fresh uuid[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into tender_ledger.task (announced_at, ceiling_micro, units, shard, partial, task_id, again,
        client, principal, skill, key, body_digest)
    select unnest(p_announced_at), unnest(p_ceiling_micro), unnest(p_units), p_shard,
        unnest(p_partial), unnest(p_task), unnest(p_again), unnest(p_client), unnest(p_principal),
        unnest(p_skill), unnest(p_key), unnest(p_body_digest);
    if cardinality(p_fresh) > 0 then
        insert into tender_ledger.fresh (shard, batch, task_ids) values (p_shard, p_batch, p_fresh);
    end if;
end
$$;
comment on function tender_ledger.add_tasks(smallint, uuid[], timestamptz[], smallint[], integer[],
    bigint[], uuid[], text[], text[], text[], text[], bytea[], bigint, uuid[]) is
    'Adds announced tasks; those of the last list have no open part yet.';
grant execute on function tender_ledger.add_tasks(smallint, uuid[], timestamptz[], smallint[],
    integer[], bigint[], uuid[], text[], text[], text[], text[], bytea[], bigint, uuid[])
    to tender_broker;
