-- Goals and prerequisites are terms of a task, written once when it is announced; most tasks have none,
-- so they stand beside it. What members believe about them is in the entries.
create table tender_ledger.task_goal (
    shard smallint not null,
    task_id uuid not null,
    principal text collate "C" not null,
    goal text collate "C" not null,
    constraint task_goal_has_one_row primary key (shard, task_id),
    constraint task_goal_has_a_name check (octet_length(goal) between 1 and 64)
);
create index task_goal_by_name on tender_ledger.task_goal (goal, principal);
comment on index tender_ledger.task_goal_by_name is 'Finds the tasks of a goal.';
comment on table tender_ledger.task_goal is 'One row per task that serves a goal.';
comment on column tender_ledger.task_goal.shard is 'Shard of the paying account.';
comment on column tender_ledger.task_goal.task_id is 'The task.';
comment on column tender_ledger.task_goal.principal is 'Whose goal it is: who pays.';
comment on column tender_ledger.task_goal.goal is 'Name of the goal, among those of its principal.';
create trigger task_goal_is_append_only
    before update or delete or truncate on tender_ledger.task_goal
    for each statement execute function tender_ledger.refuse_change();
comment on trigger task_goal_is_append_only on tender_ledger.task_goal is
    'Terms are not changed after the fact.';

-- A task waits for tasks that were recorded before it, and never for others afterwards: no cycles.
create table tender_ledger.task_after (
    shard smallint not null,
    task_id uuid not null,
    after_id uuid not null,
    constraint task_waits_once_for_each primary key (shard, task_id, after_id),
    constraint task_does_not_wait_for_itself check (task_id <> after_id),
    constraint task_waits_for_recorded_tasks_only foreign key (shard, after_id)
        references tender_ledger.task
);
comment on table tender_ledger.task_after is 'One row per task and task that had to be done before it.';
comment on column tender_ledger.task_after.shard is 'Shard of the paying account.';
comment on column tender_ledger.task_after.task_id is 'The task that waits.';
comment on column tender_ledger.task_after.after_id is 'The task that must be done first.';
create trigger task_after_is_append_only
    before update or delete or truncate on tender_ledger.task_after
    for each statement execute function tender_ledger.refuse_change();
comment on trigger task_after_is_append_only on tender_ledger.task_after is
    'Terms are not changed after the fact.';
