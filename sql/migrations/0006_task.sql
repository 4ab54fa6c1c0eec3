-- A task: what people ask about and what the broker looks up after it has forgotten it.
--
-- `awarded` is never stored: a task is awarded while a commitment of it is active, and the view says
-- so; that saves an update of this row in every life. Half of each page stays free, so that the update
-- at the end finds room beside the row.
create table tender_ledger.task (
    announced_at timestamptz not null,
    ended_at timestamptz,
    ceiling_micro bigint not null,
    paid_micro bigint not null default 0,
    released_micro bigint not null default 0,
    units integer not null,
    units_done integer not null default 0,
    round integer not null default 0,
    shard smallint not null,
    state smallint not null,
    reason smallint not null default 0,
    partial smallint not null,
    task_id uuid not null,
    again uuid,
    client text collate "C" not null,
    principal text collate "C" not null,
    skill text collate "C" not null,
    key text collate "C" not null,
    body_digest bytea not null,
    constraint task_has_one_row primary key (shard, task_id),
    constraint task_is_announced_once unique (shard, principal, key, body_digest),
    constraint task_times_are_finite check (isfinite(announced_at) and isfinite(ended_at)),
    constraint task_ends_after_it_begins check (ended_at >= announced_at),
    constraint task_ends_in_an_ended_state check ((ended_at is not null) = (state in (6, 7, 8))),
    constraint task_is_awarded_by_its_commitment check (state in (1, 2, 4, 5, 6, 7, 8)),
    constraint task_has_units check (units >= 1),
    constraint task_does_no_more_than_its_units check (units_done between 0 and units),
    constraint task_pays_no_more_than_its_ceiling check (
        paid_micro >= 0 and released_micro >= 0 and paid_micro + released_micro <= ceiling_micro),
    constraint task_end_accounts_for_its_ceiling check (
        ended_at is null or paid_micro + released_micro = ceiling_micro)
) with (fillfactor = 55);
-- What a broker recalls after a restart; small however long the history is.
create index task_not_ended on tender_ledger.task (shard, task_id) where ended_at is null;
comment on index tender_ledger.task_not_ended is 'What a broker recalls.';

comment on table tender_ledger.task is 'One row per task, kept from its entries.';
comment on column tender_ledger.task.announced_at is 'When it was announced.';
comment on column tender_ledger.task.ended_at is 'When it ended.';
comment on column tender_ledger.task.ceiling_micro is 'The most it may ever cost; reserved when announced.';
comment on column tender_ledger.task.paid_micro is 'Paid so far, over all commitments.';
comment on column tender_ledger.task.released_micro is 'Given back to the account at the end.';
comment on column tender_ledger.task.units is 'Units to be done.';
comment on column tender_ledger.task.units_done is 'Units accepted so far.';
comment on column tender_ledger.task.round is 'Number of the last round.';
comment on column tender_ledger.task.shard is 'Shard of the paying account.';
comment on column tender_ledger.task.state is 'Word task_state; open also while awarded.';
comment on column tender_ledger.task.reason is 'Why it is in this state: word reason.';
comment on column tender_ledger.task.partial is 'How short work is settled: word partial.';
comment on column tender_ledger.task.task_id is 'Identifier, ordered by time.';
comment on column tender_ledger.task.again is 'The ended task that it replaces under its key.';
comment on column tender_ledger.task.client is 'Agent that announced it.';
comment on column tender_ledger.task.principal is 'Whose account pays.';
comment on column tender_ledger.task.skill is 'Skill it needs.';
comment on column tender_ledger.task.key is 'The client''s key.';
comment on column tender_ledger.task.body_digest is 'SHA-256 of what the client announced.';

create function tender_ledger.refuse_revival() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    raise exception using
        errcode = 'TN005',
        message = format('a %s that has ended does not change', tg_table_name);
end
$$;
comment on function tender_ledger.refuse_revival() is
    'Trigger: refuses a change of what has ended; its condition says when it is one.';

-- After, not before: a before trigger would lock each row a second time.
create trigger task_end_is_final after update on tender_ledger.task
    for each row when (old.ended_at is not null)
    execute function tender_ledger.refuse_revival();
comment on trigger task_end_is_final on tender_ledger.task is 'A terminal state absorbs.';
