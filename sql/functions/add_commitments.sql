-- Commitments that were awarded and ended within one batch: they never were in the hot table.
create or replace function tender_ledger.add_commitments(
    p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[],
    p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[],
    p_awarded_at timestamptz[], p_due_at timestamptz[], p_acknowledged_at timestamptz[],
    p_ended_at timestamptz[], p_state smallint[], p_reason smallint[], p_units_done integer[],
    p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[],
    p_content bytea[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_count bigint;
begin
    insert into tender_ledger.ending (awarded_at, due_at, acknowledged_at, ended_at, price_micro,
        paid_micro, fee_micro, units, units_done, generation, round, part, shard, state, reason,
        task_id, owner, principal, number, hash, body, content)
    select g.awarded_at, g.due_at, g.acknowledged_at, g.ended_at, g.price_micro, g.paid_micro,
        g.fee_micro, g.units, g.units_done, g.generation, g.round, g.part, p_shard, g.state, g.reason,
        t.task_id, g.owner, g.principal, g.number, g.hash, g.body, g.content
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_round) as round, unnest(p_owner) as owner, unnest(p_principal) as principal,
            unnest(p_units) as units, unnest(p_price_micro) as price_micro,
            unnest(p_awarded_at) as awarded_at, unnest(p_due_at) as due_at,
            unnest(p_acknowledged_at) as acknowledged_at, unnest(p_ended_at) as ended_at,
            unnest(p_state) as state, unnest(p_reason) as reason,
            unnest(p_units_done) as units_done, unnest(p_paid_micro) as paid_micro,
            unnest(p_fee_micro) as fee_micro, unnest(p_number) as number, unnest(p_hash) as hash,
            unnest(p_body) as body, unnest(p_content) as content
    ) g
    cross join lateral (
        select f.task_id
        from tender_ledger.task f
        where f.shard = p_shard and f.task_id = g.task_id
        offset 0
    ) t;
    get diagnostics v_count = row_count;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s commitments are of tasks that are not in the ledger',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
end
$$;
comment on function tender_ledger.add_commitments(smallint, uuid[], integer[], integer[], integer[],
    text[], text[], integer[], bigint[], timestamptz[], timestamptz[], timestamptz[], timestamptz[],
    smallint[], smallint[], integer[], bigint[], bigint[], integer[], bytea[], text[], bytea[]) is
    'Adds commitments that ended in the batch that awarded them.';
grant execute on function tender_ledger.add_commitments(smallint, uuid[], integer[], integer[],
    integer[], text[], text[], integer[], bigint[], timestamptz[], timestamptz[], timestamptz[],
    timestamptz[], smallint[], smallint[], integer[], bigint[], bigint[], integer[], bytea[], text[],
    bytea[]) to tender_broker;
