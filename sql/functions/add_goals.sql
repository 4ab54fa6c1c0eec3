-- Goals and prerequisites of tasks that were announced in this batch, behind the tasks themselves.
create or replace function tender_ledger.add_goals(
    p_shard smallint, p_task uuid[], p_principal text[], p_goal text[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into tender_ledger.task_goal (shard, task_id, principal, goal)
    select p_shard, unnest(p_task), unnest(p_principal), unnest(p_goal);
end
$$;
comment on function tender_ledger.add_goals(smallint, uuid[], text[], text[]) is
    'Says which goals announced tasks serve.';
grant execute on function tender_ledger.add_goals(smallint, uuid[], text[], text[]) to tender_broker;

create or replace function tender_ledger.add_afters(p_shard smallint, p_task uuid[], p_after uuid[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if exists (
        select
        from unnest(p_after) g (task_id)
        where not exists (
                select from tender_ledger.task t where t.shard = p_shard and t.task_id = g.task_id)
            and not exists (
                select
                from tender_ledger.archived_task a
                where a.shard = p_shard and a.task_id = g.task_id)) then
        raise exception using
            errcode = 'TN004',
            message = 'task_waits_for_recorded_tasks_only: a task is to wait for one that is not in the ledger';
    end if;
    insert into tender_ledger.task_after (shard, task_id, after_id)
    select p_shard, unnest(p_task), unnest(p_after);
end
$$;
comment on function tender_ledger.add_afters(smallint, uuid[], uuid[]) is
    'Says which tasks must be done before announced ones.';
grant execute on function tender_ledger.add_afters(smallint, uuid[], uuid[]) to tender_broker;
