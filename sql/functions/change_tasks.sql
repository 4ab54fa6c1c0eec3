-- One row per task and batch: what happened to tasks that an earlier batch announced. What is paid and
-- released leaves the reservation of the task's own account, whose principal only this row knows.
--
-- Here and in the functions like it, rows are found one by one through their key (a lateral behind
-- `offset 0`) and then changed where they are: a plan made while the tables were small may not scan
-- them once they are large, and there is no such plan to be made.
create or replace function tender_ledger.change_tasks(
    p_shard smallint, p_task uuid[], p_ended_at timestamptz[], p_state smallint[], p_reason smallint[],
    p_round integer[], p_units integer[], p_units_if_partial integer[], p_paid_micro bigint[],
    p_released_micro bigint[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_count bigint;
begin
    with given as (
        select unnest(p_task) as task_id, unnest(p_ended_at) as ended_at, unnest(p_state) as state,
            unnest(p_reason) as reason, unnest(p_round) as round, unnest(p_units) as units,
            unnest(p_units_if_partial) as units_if_partial, unnest(p_paid_micro) as paid_micro,
            unnest(p_released_micro) as released_micro
    ), changed as (
        update tender_ledger.task t
        set state = case when g.state = 0 then t.state else g.state end,
            reason = case when g.state = 0 then t.reason else g.reason end,
            round = greatest(t.round, g.round),
            units_done = t.units_done + g.units
                + case when t.partial = 3 then 0 else g.units_if_partial end,
            paid_micro = t.paid_micro + g.paid_micro,
            released_micro = t.released_micro + g.released_micro,
            ended_at = coalesce(g.ended_at, t.ended_at)
        from given g
        cross join lateral (
            select f.ctid as place
            from tender_ledger.task f
            where f.shard = p_shard and f.task_id = g.task_id
            offset 0
        ) f
        where t.ctid = f.place
        returning t.principal, g.paid_micro, g.released_micro
    ), owed as (
        select principal, sum(paid_micro)::bigint as paid_micro,
            sum(released_micro)::bigint as released_micro, count(*) as count
        from changed
        group by principal
    ), moved as (
        update tender_ledger.account a
        set available_micro = a.available_micro + o.released_micro,
            reserved_micro = a.reserved_micro - o.paid_micro - o.released_micro,
            spent_micro = a.spent_micro + o.paid_micro
        from owed o
        cross join lateral (
            select f.ctid as place
            from tender_ledger.account f
            where f.shard = p_shard and f.principal = o.principal
            offset 0
        ) f
        where a.ctid = f.place and (o.paid_micro <> 0 or o.released_micro <> 0)
    )
    select sum(count) into v_count from owed;
    if v_count is distinct from cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s tasks to be changed are not in the ledger',
                cardinality(p_task) - coalesce(v_count, 0), cardinality(p_task));
    end if;
end
$$;
comment on function tender_ledger.change_tasks(smallint, uuid[], timestamptz[], smallint[], smallint[],
    integer[], integer[], integer[], bigint[], bigint[]) is
    'Changes tasks and the accounts that pay for them; state 0 and null keep what is.';
grant execute on function tender_ledger.change_tasks(smallint, uuid[], timestamptz[], smallint[],
    smallint[], integer[], integer[], integer[], bigint[], bigint[]) to tender_broker;
