-- A task's row has the first entry of its chain, and the second where that came with it. None of those
-- has content but the announcement. A fresh task has no open part yet: its own row says where it stands.
create or replace function tender_ledger.add_fresh_tasks(
    p_shard smallint, p_task uuid[], p_announced_at timestamptz[], p_partial smallint[], p_units integer[],
    p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[],
    p_key text[], p_body_digest bytea[], p_hash bytea[], p_body text[], p_content bytea[],
    p_next_at timestamptz[], p_next_kind smallint[], p_next_hash bytea[], p_next_body text[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into tender_ledger.task (announced_at, ceiling_micro, units, shard, partial, task_id, again,
        client, principal, skill, key, next_at, next_kind, hash, next_hash, body, next_body,
        content)
    select unnest(p_announced_at), unnest(p_ceiling_micro), unnest(p_units), p_shard,
        unnest(p_partial), unnest(p_task), unnest(p_again), unnest(p_client), unnest(p_principal),
        unnest(p_skill), unnest(p_key), unnest(p_next_at),
        unnest(p_next_kind), unnest(p_hash), unnest(p_next_hash), unnest(p_body), unnest(p_next_body),
        unnest(p_content);
    insert into tender_ledger.task_key (shard, task_id, again, principal, key, body_digest)
    select p_shard, unnest(p_task), unnest(p_again), unnest(p_principal), unnest(p_key),
        unnest(p_body_digest);
end
$$;
comment on function tender_ledger.add_fresh_tasks(smallint, uuid[], timestamptz[], smallint[], integer[], bigint[],
    uuid[], text[], text[], text[], text[], bytea[], bytea[], text[], bytea[], timestamptz[], smallint[], bytea[],
    text[]) is
    'Adds announced tasks, each with its first entries, that are open in their first round.';
grant execute on function tender_ledger.add_fresh_tasks(smallint, uuid[], timestamptz[], smallint[], integer[],
    bigint[], uuid[], text[], text[], text[], text[], bytea[], bytea[], text[], bytea[], timestamptz[], smallint[],
    bytea[], text[]) to tender_broker;

create or replace function tender_ledger.add_tasks(
    p_shard smallint, p_task uuid[], p_announced_at timestamptz[], p_partial smallint[],
    p_round integer[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[],
    p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[], p_hash bytea[],
    p_body text[], p_content bytea[], p_next_at timestamptz[], p_next_kind smallint[], p_next_hash bytea[],
    p_next_body text[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform tender_ledger.add_fresh_tasks(p_shard, p_task, p_announced_at, p_partial, p_units, p_ceiling_micro,
        p_again, p_client, p_principal, p_skill, p_key, p_body_digest, p_hash, p_body, p_content, p_next_at,
        p_next_kind, p_next_hash, p_next_body);
    insert into tender_ledger.open_part (ceiling_micro, units, round, part, shard, task_id, payer)
    select unnest(p_ceiling_micro), unnest(p_units), unnest(p_round), 0, p_shard, unnest(p_task),
        unnest(p_principal);
end
$$;
comment on function tender_ledger.add_tasks(smallint, uuid[], timestamptz[], smallint[], integer[],
    integer[], bigint[], uuid[], text[], text[], text[], text[], bytea[], bytea[], text[], bytea[],
    timestamptz[], smallint[], bytea[], text[]) is
    'Adds announced tasks, each with its first entries and one open part.';
grant execute on function tender_ledger.add_tasks(smallint, uuid[], timestamptz[], smallint[],
    integer[], integer[], bigint[], uuid[], text[], text[], text[], text[], bytea[], bytea[], text[],
    bytea[], timestamptz[], smallint[], bytea[], text[]) to tender_broker;
