-- Writes commitments into the rows of their parts. Only a part that goes on and has no active
-- commitment is there to be found, so a second award, or one of an unknown task, is refused.
--
-- Here and where tasks end, all rows of a batch are found in one walk over the key of the hot table, which
-- begins with the task for that, and are joined to what is given by its hash. No other plan may be made:
-- one for a small table that scans it would be kept when it is large.
create or replace function tender_ledger.award_parts(
    p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[],
    p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[],
    p_awarded_at timestamptz[], p_due_at timestamptz[], p_acknowledged_at timestamptz[],
    p_units_done integer[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set enable_hashjoin = on
set enable_nestloop = off
as $$
declare
    v_count bigint;
begin
    update tender_ledger.open_part p
    set generation = g.generation, awarded_round = g.round, owner = g.owner, principal = g.principal,
        promised_units = g.units, promised_units_done = g.units_done, price_micro = g.price_micro,
        awarded_at = g.awarded_at, due_at = g.due_at, acknowledged_at = g.acknowledged_at,
        promise_state = 1
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_round) as round, unnest(p_owner) as owner, unnest(p_principal) as principal,
            unnest(p_units) as units, unnest(p_price_micro) as price_micro,
            unnest(p_awarded_at) as awarded_at, unnest(p_due_at) as due_at,
            unnest(p_acknowledged_at) as acknowledged_at, unnest(p_units_done) as units_done
    ) g
    where p.shard = p_shard and p.task_id = any (p_task) and p.generation is null
        and p.task_id = g.task_id and p.part = g.part;
    get diagnostics v_count = row_count;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s awards are for parts that are awarded or do not go on',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
end
$$;
comment on function tender_ledger.award_parts(smallint, uuid[], integer[], integer[], integer[], text[],
    text[], integer[], bigint[], timestamptz[], timestamptz[], timestamptz[], integer[]) is
    'Awards parts of tasks; TN004 where one is awarded already or does not go on.';
grant execute on function tender_ledger.award_parts(smallint, uuid[], integer[], integer[], integer[],
    text[], text[], integer[], bigint[], timestamptz[], timestamptz[], timestamptz[], integer[])
    to tender_broker;
