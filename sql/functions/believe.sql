-- A belief about a task, or about a goal: the caller's own, or that of a task the caller works in. An
-- owner speaks as the contractor that holds the commitment.
create or replace function tender.believe(
    p_task uuid default null, p_goal text default null, p_belief text default null,
    p_reason text default null)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_caller constant text := tender_ledger.caller();
    v_task tender_ledger.task;
    v_owner text;
    v_peer text := v_caller;
begin
    perform tender_ledger.check_form('belief', coalesce(p_belief, ''),
        '^(achieved|impossible|irrelevant|none)$', 'achieved, impossible, irrelevant or none');
    perform tender_ledger.check_name('goal', p_goal);
    perform tender_ledger.check_range('reason, in bytes', octet_length(p_reason), 0, 4096);
    if p_task is null and p_goal is null then
        raise exception using errcode = 'TN010', message = 'a belief is about a task or a goal';
    end if;
    if p_task is not null then
        select * into v_task from tender_ledger.task where task_id = p_task;
        select p.owner into v_owner
        from tender_ledger.promise p
        where p.shard = v_task.shard and p.task_id = p_task and p.principal = v_caller
        order by p.part
        limit 1;
        if v_owner is null and not exists (
            select from tender_ledger.commitment c
            where c.shard = v_task.shard and c.task_id = p_task and c.principal = v_caller
        ) then
            perform tender_ledger.own_task(p_task);
        end if;
        v_peer := case when v_task.principal = v_caller then v_task.client
            else coalesce(v_owner, v_caller) end;
    end if;
    return tender_ledger.ask('believe', v_peer, v_caller, null, jsonb_strip_nulls(
        jsonb_build_object('task', p_task, 'goal', p_goal, 'reason', p_belief, 'text', p_reason)));
end
$$;
comment on function tender.believe(uuid, text, text, text) is
    'Says that a task or a goal is achieved, impossible or irrelevant; none lifts the suspension of a goal. Returns the number of the request.';
grant execute on function tender.believe(uuid, text, text, text) to tender_principal;
