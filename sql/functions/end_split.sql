-- Ends commitments of split tasks: each leaves the hot table and becomes history. What was accepted and
-- paid is counted in the row of the task, by change_parts or finish_tasks.
create or replace function tender_ledger.end_split(
    p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[],
    p_acknowledged_at timestamptz[], p_ended_at timestamptz[], p_state smallint[],
    p_reason smallint[], p_units integer[], p_paid_micro bigint[], p_fee_micro bigint[],
    p_number integer[], p_hash bytea[], p_body text[], p_content bytea[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_count bigint;
begin
    with gone as (
        delete from tender_ledger.split_part p
        using (
            select unnest(p_task) as task_id, unnest(p_part) as part,
                unnest(p_generation) as generation, unnest(p_acknowledged_at) as acknowledged_at,
                unnest(p_ended_at) as ended_at, unnest(p_state) as state,
                unnest(p_reason) as reason, unnest(p_units) as units,
                unnest(p_paid_micro) as paid_micro, unnest(p_fee_micro) as fee_micro,
                unnest(p_number) as number, unnest(p_hash) as hash, unnest(p_body) as body,
                unnest(p_content) as content
        ) g
        cross join lateral (
            select f.ctid as place
            from tender_ledger.split_part f
            where f.shard = p_shard and f.task_id = g.task_id and f.part = g.part
                and f.generation = g.generation
            offset 0
        ) f
        where p.ctid = f.place
        returning p.*, g.acknowledged_at as acknowledged_now_at, g.ended_at, g.state, g.reason,
            g.units, g.paid_micro, g.fee_micro, g.number, g.hash, g.body, g.content
    )
    insert into tender_ledger.ending (awarded_at, due_at, acknowledged_at, ended_at, price_micro,
        paid_micro, fee_micro, units, units_done, generation, round, part, shard, state, reason,
        task_id, owner, principal, number, hash, body, content)
    select g.awarded_at, g.due_at, coalesce(g.acknowledged_at, g.acknowledged_now_at), g.ended_at,
        g.price_micro, g.paid_micro, g.fee_micro, g.promised_units, g.units, g.generation,
        g.awarded_round, g.part, p_shard, g.state, g.reason, g.task_id, g.owner, g.principal, g.number,
        g.hash, g.body, g.content
    from gone g;
    get diagnostics v_count = row_count;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s parts to be ended are not promised',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
end
$$;
comment on function tender_ledger.end_split(smallint, uuid[], integer[], integer[], timestamptz[],
    timestamptz[], smallint[], smallint[], integer[], bigint[], bigint[], integer[], bytea[], text[],
    bytea[]) is
    'Ends commitments of split tasks.';
grant execute on function tender_ledger.end_split(smallint, uuid[], integer[], integer[], timestamptz[],
    timestamptz[], smallint[], smallint[], integer[], bigint[], bigint[], integer[], bytea[], text[],
    bytea[]) to tender_broker;
