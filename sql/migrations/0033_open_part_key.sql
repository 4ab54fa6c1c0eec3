-- Alone: the key of the hot table begins with the task, so that a batch finds all its rows in one walk
-- over it: behind the shard, which is the same for all, the planner would rather read the whole shard.
-- The table has tasks that go on and no others, so its key is made in a moment.
alter table tender_ledger.open_part
    drop constraint open_part_has_one_row,
    add constraint open_part_has_one_row primary key (task_id, shard, part);
