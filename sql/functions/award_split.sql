-- Writes the parts of split awards. Their task must go on, and all that is promised and done of it must
-- stay within its units, all that is promised and paid within its ceiling.
create or replace function tender_ledger.award_split(
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
    v_task uuid;
begin
    insert into tender_ledger.split_part (awarded_at, due_at, acknowledged_at, price_micro,
        promised_units, promised_units_done, generation, awarded_round, part, shard, task_id, owner,
        principal)
    select g.awarded_at, g.due_at, g.acknowledged_at, g.price_micro, g.units, g.units_done,
        g.generation, g.round, g.part, p_shard, f.task_id, g.owner, g.principal
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_round) as round, unnest(p_owner) as owner, unnest(p_principal) as principal,
            unnest(p_units) as units, unnest(p_price_micro) as price_micro,
            unnest(p_awarded_at) as awarded_at, unnest(p_due_at) as due_at,
            unnest(p_acknowledged_at) as acknowledged_at, unnest(p_units_done) as units_done
    ) g
    cross join lateral (
        select f.task_id
        from tender_ledger.open_part f
        where f.shard = p_shard and f.task_id = g.task_id and f.part = 0 and f.generation is null
        offset 0
    ) f;
    get diagnostics v_count = row_count;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s parts are of tasks that are awarded as a whole or do not go on',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
    select w.task_id into v_task
    from (select distinct unnest(p_task) as task_id) g
    cross join lateral (
        select f.* from tender_ledger.open_part f
        where f.shard = p_shard and f.task_id = g.task_id and f.part = 0
        offset 0
    ) w
    cross join lateral (
        select sum(f.promised_units) as units, sum(f.price_micro) as price_micro
        from tender_ledger.split_part f
        where f.shard = p_shard and f.task_id = g.task_id
        offset 0
    ) s
    where s.units + w.units_done > w.units or s.price_micro + w.paid_micro > w.ceiling_micro
    limit 1;
    if v_task is not null then
        raise exception using
            errcode = 'TN004',
            message = format('the parts of %s promise more than the task has', v_task);
    end if;
end
$$;
comment on function tender_ledger.award_split(smallint, uuid[], integer[], integer[], integer[], text[],
    text[], integer[], bigint[], timestamptz[], timestamptz[], timestamptz[], integer[]) is
    'Awards parts of split tasks; TN004 where the task does not go on, or has not so much to promise.';
grant execute on function tender_ledger.award_split(smallint, uuid[], integer[], integer[], integer[],
    text[], text[], integer[], bigint[], timestamptz[], timestamptz[], timestamptz[], integer[])
    to tender_broker;
