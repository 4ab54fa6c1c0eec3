-- Gives tasks their hot row: before something is done to one that is fresh, or with its first award.
-- A task that is not in the ledger, or has ended, is not found and so refused.
create or replace function tender_ledger.open_parts(p_shard smallint, p_task uuid[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_count bigint;
begin
    insert into tender_ledger.open_part (ceiling_micro, units, round, part, shard, task_id, payer)
    select t.ceiling_micro, t.units, 1, 0, p_shard, t.task_id, t.principal
    from (select unnest(p_task) as task_id) g
    cross join lateral (
        select f.*
        from tender_ledger.task f
        where f.shard = p_shard and f.task_id = g.task_id
        offset 0
    ) t
    left join lateral (
        select f.state
        from tender_ledger.task_end f
        where f.shard = p_shard and f.task_id = g.task_id
        offset 0
    ) e on true
    where e.state is null;
    get diagnostics v_count = row_count;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s tasks to be changed are not in the ledger or have ended',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
end
$$;
comment on function tender_ledger.open_parts(smallint, uuid[]) is
    'Gives tasks their open part; TN004 for one that is not in the ledger or has ended.';
grant execute on function tender_ledger.open_parts(smallint, uuid[]) to tender_broker;

create or replace function tender_ledger.open_awarded_parts(
    p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[],
    p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[],
    p_awarded_at timestamptz[], p_due_at timestamptz[], p_acknowledged_at timestamptz[],
    p_units_done integer[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_count bigint;
begin
    insert into tender_ledger.open_part (awarded_at, due_at, acknowledged_at, price_micro,
        ceiling_micro, units, promised_units, promised_units_done, generation, awarded_round, round,
        part, shard, promise_state, task_id, payer, owner, principal)
    select g.awarded_at, g.due_at, g.acknowledged_at, g.price_micro, t.ceiling_micro, t.units, g.units,
        g.units_done, g.generation, g.round, g.round, g.part, p_shard, 1, t.task_id, t.principal,
        g.owner, g.principal
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_round) as round, unnest(p_owner) as owner, unnest(p_principal) as principal,
            unnest(p_units) as units, unnest(p_price_micro) as price_micro,
            unnest(p_awarded_at) as awarded_at, unnest(p_due_at) as due_at,
            unnest(p_acknowledged_at) as acknowledged_at, unnest(p_units_done) as units_done
    ) g
    cross join lateral (
        select f.task_id, f.ceiling_micro, f.units, f.principal
        from tender_ledger.task f
        where f.shard = p_shard and f.task_id = g.task_id
        offset 0
    ) t
    left join lateral (
        select f.state
        from tender_ledger.task_end f
        where f.shard = p_shard and f.task_id = g.task_id
        offset 0
    ) e on true
    where e.state is null;
    get diagnostics v_count = row_count;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s awards are for tasks that are not in the ledger or have ended',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
end
$$;
comment on function tender_ledger.open_awarded_parts(smallint, uuid[], integer[], integer[], integer[],
    text[], text[], integer[], bigint[], timestamptz[], timestamptz[], timestamptz[], integer[]) is
    'Gives tasks their open part with its first commitment; TN004 for one that is not in the ledger or has ended.';
grant execute on function tender_ledger.open_awarded_parts(smallint, uuid[], integer[], integer[],
    integer[], text[], text[], integer[], bigint[], timestamptz[], timestamptz[], timestamptz[],
    integer[]) to tender_broker;
