-- A task is told by rows that are written once: `task` when it is announced, `task_end` when it ends,
-- and, while it goes on, by the hot row of `open_part`, which its commitment lives in (0007).
--
-- History is append-only and apart from what changes: no page of it is rewritten, no dead row waits in
-- it to be swept, and an end cannot be taken back. A broker that restarts reads the hot rows alone.
create table tender_ledger.task (
    announced_at timestamptz not null,
    ceiling_micro bigint not null,
    units integer not null,
    shard smallint not null,
    partial smallint not null,
    task_id uuid not null,
    again uuid,
    client text collate "C" not null,
    principal text collate "C" not null,
    skill text collate "C" not null,
    key text collate "C" not null,
    body_digest bytea not null,
    constraint task_has_one_row primary key (shard, task_id),
    constraint task_key_is_used_once_unless_again unique nulls not distinct (key, principal, shard, again),
    constraint task_time_is_finite check (isfinite(announced_at)),
    constraint task_has_units check (units >= 1),
    constraint task_ceiling_is_not_negative check (ceiling_micro >= 0)
);
comment on table tender_ledger.task is 'One row per task: what was announced.';
comment on column tender_ledger.task.announced_at is 'When it was announced.';
comment on column tender_ledger.task.ceiling_micro is 'The most it may ever cost; reserved when announced.';
comment on column tender_ledger.task.units is 'Units to be done.';
comment on column tender_ledger.task.shard is 'Shard of the paying account.';
comment on column tender_ledger.task.partial is 'How short work is settled: word partial.';
comment on column tender_ledger.task.task_id is 'Identifier, ordered by time.';
comment on column tender_ledger.task.again is 'The ended task that it replaces under its key; each is replaced once.';
comment on column tender_ledger.task.client is 'Agent that announced it.';
comment on column tender_ledger.task.principal is 'Whose account pays.';
comment on column tender_ledger.task.skill is 'Skill it needs.';
comment on column tender_ledger.task.key is 'The client''s key.';
comment on column tender_ledger.task.body_digest is 'SHA-256 of what the client announced.';
create trigger task_is_append_only
    before update or delete or truncate on tender_ledger.task
    for each statement execute function tender_ledger.refuse_change();
comment on trigger task_is_append_only on tender_ledger.task is 'Terms are not changed after the fact.';

create table tender_ledger.task_end (
    ended_at timestamptz not null,
    ceiling_micro bigint not null,
    paid_micro bigint not null,
    released_micro bigint not null,
    units integer not null,
    units_done integer not null,
    round integer not null,
    shard smallint not null,
    state smallint not null,
    reason smallint not null,
    task_id uuid not null,
    constraint task_ends_once primary key (shard, task_id),
    constraint task_end_is_at_an_instant check (isfinite(ended_at)),
    constraint task_ends_in_an_ended_state check (state >= 6 and state <= 8),
    constraint task_does_no_more_than_its_units check (units_done >= 0 and units_done <= units),
    constraint task_is_done_when_all_units_are check (state <> 6 or units_done = units),
    constraint task_end_accounts_for_its_ceiling check (
        paid_micro >= 0 and released_micro >= 0 and paid_micro + released_micro = ceiling_micro)
);
comment on table tender_ledger.task_end is 'One row per task that has ended.';
comment on column tender_ledger.task_end.ended_at is 'When it ended.';
comment on column tender_ledger.task_end.ceiling_micro is 'Its ceiling again: paid and released add up to it.';
comment on column tender_ledger.task_end.paid_micro is 'Paid over all its commitments.';
comment on column tender_ledger.task_end.released_micro is 'Given back to the account.';
comment on column tender_ledger.task_end.units is 'Its units again.';
comment on column tender_ledger.task_end.units_done is 'Units accepted over all its commitments.';
comment on column tender_ledger.task_end.round is 'Number of its last round.';
comment on column tender_ledger.task_end.shard is 'Shard of the paying account.';
comment on column tender_ledger.task_end.state is 'Word task_state: done, unallocated or cancelled.';
comment on column tender_ledger.task_end.reason is 'Why it ended: word reason.';
comment on column tender_ledger.task_end.task_id is 'The task.';
create trigger task_end_is_append_only
    before update or delete or truncate on tender_ledger.task_end
    for each statement execute function tender_ledger.refuse_change();
comment on trigger task_end_is_append_only on tender_ledger.task_end is 'A terminal state absorbs.';
