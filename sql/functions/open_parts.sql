-- Rows of the hot table that tasks lack so far: to be written when they wait for long, or something else
-- than their award happens to them.
create or replace function tender_ledger.open_parts(
    p_shard smallint, p_task uuid[], p_units integer[], p_ceiling_micro bigint[], p_payer text[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into tender_ledger.open_part (ceiling_micro, units, round, part, shard, task_id, payer)
    select g.ceiling_micro, g.units, 1, 0, p_shard, g.task_id, g.payer
    from (
        select unnest(p_task) as task_id, unnest(p_units) as units, unnest(p_ceiling_micro) as ceiling_micro,
            unnest(p_payer) as payer
    ) g;
end
$$;
comment on function tender_ledger.open_parts(smallint, uuid[], integer[], bigint[], text[]) is
    'Gives tasks of earlier batches their open part, in its first round.';
grant execute on function tender_ledger.open_parts(smallint, uuid[], integer[], bigint[], text[])
    to tender_broker;

-- The same with the first award of each. A part that is awarded or changed has a row, so its key refuses a
-- second one; a task that has ended has none any more, so that is looked at.
create or replace function tender_ledger.award_first(
    p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[],
    p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[],
    p_awarded_at timestamptz[], p_due_at timestamptz[], p_acknowledged_at timestamptz[],
    p_units_done integer[], p_task_units integer[], p_ceiling_micro bigint[], p_payer text[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_task uuid;
begin
    select g.task_id into v_task
    from (select unnest(p_task) as task_id) g
    cross join lateral (
        select
        from tender_ledger.ending f
        where f.shard = p_shard and f.task_id = g.task_id and f.task_state is not null
        offset 0
    ) f
    limit 1;
    if v_task is not null then
        raise exception using
            errcode = 'TN004',
            message = format('an award is for %s, which has ended', v_task);
    end if;
    insert into tender_ledger.open_part (awarded_at, due_at, acknowledged_at, price_micro, ceiling_micro, units,
        promised_units, promised_units_done, generation, awarded_round, round, part, shard, promise_state,
        task_id, payer, owner, principal)
    select unnest(p_awarded_at), unnest(p_due_at), unnest(p_acknowledged_at), unnest(p_price_micro),
        unnest(p_ceiling_micro), unnest(p_task_units), unnest(p_units), unnest(p_units_done),
        unnest(p_generation), unnest(p_round), unnest(p_round), unnest(p_part), p_shard, 1, unnest(p_task),
        unnest(p_payer), unnest(p_owner), unnest(p_principal);
end
$$;
comment on function tender_ledger.award_first(smallint, uuid[], integer[], integer[], integer[], text[], text[],
    integer[], bigint[], timestamptz[], timestamptz[], timestamptz[], integer[], integer[], bigint[], text[]) is
    'Awards parts that have no row yet; TN004 where a task has ended.';
grant execute on function tender_ledger.award_first(smallint, uuid[], integer[], integer[], integer[], text[],
    text[], integer[], bigint[], timestamptz[], timestamptz[], timestamptz[], integer[], integer[], bigint[],
    text[]) to tender_broker;
