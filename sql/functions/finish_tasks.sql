-- Ends tasks: their part is taken out of the hot table, and with it the commitment that ended now, if
-- one did, into the same row; what of a commitment is null where none did. What was paid and released
-- leaves the payer's reservation.
create or replace function tender_ledger.finish_tasks(
    p_shard smallint, p_task uuid[], p_ended_at timestamptz[], p_state smallint[], p_reason smallint[],
    p_round integer[], p_units integer[], p_paid_micro bigint[],
    p_released_micro bigint[], p_acknowledged_at timestamptz[], p_generation integer[],
    p_commitment_ended_at timestamptz[], p_ended_state smallint[], p_ended_reason smallint[],
    p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[],
    p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean)
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set enable_hashjoin = on
set enable_nestloop = off
as $$
declare
    v_count bigint;
    v_payer text[];
    v_paid_micro bigint[];
    v_released_micro bigint[];
begin
    with gone as (
        delete from tender_ledger.open_part p
        using (
            select unnest(p_task) as task_id, unnest(p_ended_at) as ended_at,
                unnest(p_state) as state, unnest(p_reason) as reason, unnest(p_round) as round,
                unnest(p_units) as units,
                unnest(p_paid_micro) as paid_micro, unnest(p_released_micro) as released_micro,
                unnest(p_acknowledged_at) as acknowledged_at, unnest(p_generation) as generation,
                unnest(p_commitment_ended_at) as commitment_ended_at,
                unnest(p_ended_state) as ended_state, unnest(p_ended_reason) as ended_reason,
                unnest(p_ended_units) as ended_units,
                unnest(p_ended_paid_micro) as ended_paid_micro,
                unnest(p_ended_fee_micro) as ended_fee_micro, unnest(p_number) as number,
                unnest(p_hash) as hash, unnest(p_body) as body, unnest(p_content) as content
        ) g
        where p.shard = p_shard and p.task_id = any (p_task) and p.part = 0 and p.task_id = g.task_id
            and coalesce(p.generation, 0) = g.generation
        returning p.task_id, p.payer, p.ceiling_micro, p.units, g.ended_at, g.state, g.reason,
            greatest(p.round, g.round) as round,
            p.units_done + g.units as units_done,
            p.paid_micro + g.paid_micro as total_micro, g.paid_micro, g.released_micro,
            p.awarded_at, p.due_at, coalesce(p.acknowledged_at, g.acknowledged_at) as acknowledged_at,
            p.price_micro, p.promised_units, p.awarded_round, p.owner, p.principal, g.generation,
            g.commitment_ended_at, g.ended_state, g.ended_reason, g.ended_units, g.ended_paid_micro,
            g.ended_fee_micro, g.number, g.hash, g.body, g.content
    ), ended as (
        insert into tender_ledger.ending (awarded_at, due_at, acknowledged_at, ended_at, task_ended_at,
            price_micro, paid_micro, fee_micro, task_ceiling_micro, task_paid_micro,
            task_released_micro, units, units_done, task_units, task_units_done, round, task_round,
            number, generation, part, shard, state, reason, task_state, task_reason, task_id, owner,
            principal, hash, body, content)
        select g.awarded_at, g.due_at, g.acknowledged_at, g.commitment_ended_at, g.ended_at,
            g.price_micro, g.ended_paid_micro, g.ended_fee_micro, g.ceiling_micro, g.total_micro,
            g.released_micro, g.promised_units, g.ended_units, g.units, g.units_done, g.awarded_round,
            g.round, g.number, g.generation, 0, p_shard, g.ended_state, g.ended_reason, g.state,
            g.reason, g.task_id, g.owner, g.principal, g.hash, g.body, g.content
        from gone g
    ), owed as (
        select g.payer, sum(g.paid_micro)::bigint as paid_micro,
            sum(g.released_micro)::bigint as released_micro, count(*) as count
        from gone g
        group by g.payer
    )
    select sum(o.count), array_agg(o.payer), array_agg(o.paid_micro), array_agg(o.released_micro)
    into v_count, v_payer, v_paid_micro, v_released_micro
    from owed o;
    if p_moves_money then
        perform tender_ledger.spend(p_shard, v_payer, v_paid_micro, v_released_micro);
    end if;
    if v_count is distinct from cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s tasks to be ended do not go on as the broker has them',
                cardinality(p_task) - coalesce(v_count, 0), cardinality(p_task));
    end if;
end
$$;
comment on function tender_ledger.finish_tasks(smallint, uuid[], timestamptz[], smallint[], smallint[],
    integer[], integer[], bigint[], bigint[], timestamptz[], integer[], timestamptz[], smallint[],
    smallint[], integer[], bigint[], bigint[], integer[], bytea[], text[], bytea[], boolean) is
    'Ends tasks, and the commitment that each ends with; generation 0: none was active.';
grant execute on function tender_ledger.finish_tasks(smallint, uuid[], timestamptz[], smallint[],
    smallint[], integer[], integer[], bigint[], bigint[], timestamptz[], integer[], timestamptz[],
    smallint[], smallint[], integer[], bigint[], bigint[], integer[], bytea[], text[], bytea[], boolean)
    to tender_broker;
