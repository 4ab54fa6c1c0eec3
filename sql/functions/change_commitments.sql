create or replace function tender_ledger.change_commitments(
    p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[],
    p_acknowledged_at timestamptz[], p_ended_at timestamptz[], p_paid_at timestamptz[],
    p_state smallint[], p_reason smallint[], p_units_done integer[], p_paid_micro bigint[],
    p_fee_micro bigint[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_count bigint;
begin
    update tender_ledger.commitment c
    set acknowledged_at = coalesce(c.acknowledged_at, g.acknowledged_at),
        ended_at = coalesce(g.ended_at, c.ended_at),
        paid_at = coalesce(g.paid_at, c.paid_at),
        state = case when g.state = 0 then c.state else g.state end,
        reason = case when g.state = 0 then c.reason else g.reason end,
        units_done = coalesce(g.units_done, c.units_done),
        paid_micro = c.paid_micro + g.paid_micro,
        fee_micro = c.fee_micro + g.fee_micro
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_acknowledged_at) as acknowledged_at, unnest(p_ended_at) as ended_at,
            unnest(p_paid_at) as paid_at, unnest(p_state) as state, unnest(p_reason) as reason,
            unnest(p_units_done) as units_done, unnest(p_paid_micro) as paid_micro,
            unnest(p_fee_micro) as fee_micro
    ) g
    cross join lateral (
        select f.ctid as place
        from tender_ledger.commitment f
        where f.shard = p_shard and f.task_id = g.task_id and f.part = g.part
            and f.generation = g.generation
        offset 0
    ) f
    where c.ctid = f.place;
    get diagnostics v_count = row_count;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s commitments to be changed are not in the ledger',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
end
$$;
comment on function tender_ledger.change_commitments(smallint, uuid[], integer[], integer[],
    timestamptz[], timestamptz[], timestamptz[], smallint[], smallint[], integer[], bigint[], bigint[])
    is 'Changes commitments that an earlier batch added; state 0 and null keep what is.';
grant execute on function tender_ledger.change_commitments(smallint, uuid[], integer[], integer[],
    timestamptz[], timestamptz[], timestamptz[], smallint[], smallint[], integer[], bigint[], bigint[])
    to tender_broker;
