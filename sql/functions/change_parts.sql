-- What happens to parts that go on: another round, a hold, an acknowledgement, progress, and the end of
-- their commitment where the task does not end with it. Whatever was paid leaves the payer's reservation.
create or replace function tender_ledger.change_parts(
    p_shard smallint, p_task uuid[], p_part integer[], p_state smallint[], p_reason smallint[],
    p_round integer[], p_acknowledged_at timestamptz[], p_reported integer[], p_units integer[],
    p_paid_micro bigint[], p_generation integer[],
    p_ended_at timestamptz[], p_ended_state smallint[], p_ended_reason smallint[],
    p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[],
    p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean)
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_count bigint;
    v_payer text[];
    v_paid_micro bigint[];
    v_released_micro bigint[];
begin
    with given as (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_state) as state,
            unnest(p_reason) as reason, unnest(p_round) as round,
            unnest(p_acknowledged_at) as acknowledged_at, unnest(p_reported) as reported,
            unnest(p_units) as units, unnest(p_paid_micro) as paid_micro, unnest(p_generation) as generation,
            unnest(p_ended_at) as ended_at, unnest(p_ended_state) as ended_state,
            unnest(p_ended_reason) as ended_reason, unnest(p_ended_units) as ended_units,
            unnest(p_ended_paid_micro) as ended_paid_micro,
            unnest(p_ended_fee_micro) as ended_fee_micro, unnest(p_number) as number,
            unnest(p_hash) as hash, unnest(p_body) as body, unnest(p_content) as content
    ), found as materialized (
        select f.ctid as place, f.awarded_at, f.due_at, f.acknowledged_at, f.price_micro,
            f.promised_units, f.awarded_round, f.owner, f.principal, g as given
        from given g
        cross join lateral (
            select f.ctid, f.*
            from tender_ledger.open_part f
            where f.shard = p_shard and f.task_id = g.task_id and f.part = g.part
                and (g.generation = 0 or f.generation = g.generation)
            offset 0
        ) f
    ), changed as (
        update tender_ledger.open_part p
        set state = case when (f.given).state = 0 then p.state else (f.given).state end,
            reason = case when (f.given).state = 0 then p.reason else (f.given).reason end,
            round = greatest(p.round, (f.given).round),
            units_done = p.units_done + (f.given).units,
            paid_micro = p.paid_micro + (f.given).paid_micro,
            promised_units_done = case when (f.given).generation = 0
                then coalesce((f.given).reported, p.promised_units_done) end,
            acknowledged_at = case when (f.given).generation = 0
                then coalesce(p.acknowledged_at, (f.given).acknowledged_at) end,
            generation = case when (f.given).generation = 0 then p.generation end,
            awarded_round = case when (f.given).generation = 0 then p.awarded_round end,
            owner = case when (f.given).generation = 0 then p.owner end,
            principal = case when (f.given).generation = 0 then p.principal end,
            promised_units = case when (f.given).generation = 0 then p.promised_units end,
            price_micro = case when (f.given).generation = 0 then p.price_micro end,
            awarded_at = case when (f.given).generation = 0 then p.awarded_at end,
            due_at = case when (f.given).generation = 0 then p.due_at end,
            promise_state = case when (f.given).generation = 0 then p.promise_state end
        from found f
        where p.ctid = f.place
        returning p.payer, (f.given).paid_micro
    ), ended as (
        insert into tender_ledger.ending (awarded_at, due_at, acknowledged_at, ended_at,
            price_micro, paid_micro, fee_micro, units, units_done, generation, round, part, shard,
            state, reason, task_id, owner, principal, number, hash, body, content)
        select f.awarded_at, f.due_at, coalesce(f.acknowledged_at, (f.given).acknowledged_at),
            (f.given).ended_at, f.price_micro, (f.given).ended_paid_micro,
            (f.given).ended_fee_micro, f.promised_units, (f.given).ended_units,
            (f.given).generation, f.awarded_round, (f.given).part, p_shard, (f.given).ended_state,
            (f.given).ended_reason, (f.given).task_id, f.owner, f.principal, (f.given).number,
            (f.given).hash, (f.given).body, (f.given).content
        from found f
        where (f.given).generation <> 0
    ), owed as (
        select c.payer, sum(c.paid_micro)::bigint as paid_micro, count(*) as count
        from changed c
        group by c.payer
    )
    select sum(o.count), array_agg(o.payer), array_agg(o.paid_micro), array_agg(0::bigint)
    into v_count, v_payer, v_paid_micro, v_released_micro
    from owed o;
    if p_moves_money then
        perform tender_ledger.spend(p_shard, v_payer, v_paid_micro, v_released_micro);
    end if;
    if v_count is distinct from cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s parts to be changed do not go on as the broker has them',
                cardinality(p_task) - coalesce(v_count, 0), cardinality(p_task));
    end if;
end
$$;
comment on function tender_ledger.change_parts(smallint, uuid[], integer[], smallint[], smallint[],
    integer[], timestamptz[], integer[], integer[], bigint[], integer[], timestamptz[], smallint[],
    smallint[], integer[], bigint[], bigint[], integer[], bytea[], text[], bytea[], boolean) is
    'Changes parts that go on; state 0 and null keep what is, generation 0 ends no commitment.';
grant execute on function tender_ledger.change_parts(smallint, uuid[], integer[], smallint[],
    smallint[], integer[], timestamptz[], integer[], integer[], bigint[], integer[], timestamptz[],
    smallint[], smallint[], integer[], bigint[], bigint[], integer[], bytea[], text[],
    bytea[], boolean) to tender_broker;
