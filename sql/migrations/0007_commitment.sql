-- A commitment: a promise with an owner, a due time and a status. This is the table that Tender is for.
--
-- That its task exists is checked by the only function that adds one (commit_awards), in the statement
-- that adds them; a foreign key would do it row by row and lock the task's row each time.
create table tender_ledger.commitment (
    awarded_at timestamptz not null,
    due_at timestamptz not null,
    acknowledged_at timestamptz,
    ended_at timestamptz,
    paid_at timestamptz,
    price_micro bigint not null,
    paid_micro bigint not null default 0,
    fee_micro bigint not null default 0,
    units integer not null,
    units_done integer not null default 0,
    part integer not null,
    generation integer not null,
    round integer not null,
    shard smallint not null,
    state smallint not null,
    reason smallint not null default 0,
    task_id uuid not null,
    owner text collate "C" not null,
    principal text collate "C" not null,
    constraint commitment_has_one_row primary key (shard, task_id, part, generation),
    constraint commitment_counts_from_one check (generation >= 1 and part >= 0 and round >= 1),
    constraint commitment_is_due_at_an_instant check (
        isfinite(due_at) and due_at <= timestamptz '2100-01-01 00:00:00+00'),
    constraint commitment_is_due_no_earlier_than_its_award check (due_at >= awarded_at),
    constraint commitment_times_are_finite check (
        isfinite(awarded_at) and isfinite(acknowledged_at) and isfinite(ended_at) and isfinite(paid_at)),
    constraint commitment_ends_after_it_begins check (ended_at >= awarded_at),
    constraint commitment_ends_in_an_ended_state check (
        state between 1 and 7 and (ended_at is not null) = (state >= 3)),
    constraint commitment_has_units check (units >= 1),
    constraint commitment_does_no_more_than_its_units check (units_done between 0 and units),
    constraint commitment_pays_no_more_than_its_price check (
        fee_micro >= 0 and fee_micro <= paid_micro and paid_micro <= price_micro),
    constraint commitment_pays_at_an_instant check ((paid_micro > 0) = (paid_at is not null))
) with (fillfactor = 60);
create unique index commitment_is_the_only_one_active on tender_ledger.commitment (shard, task_id, part)
    where ended_at is null;
comment on index tender_ledger.commitment_is_the_only_one_active is
    'At most one active commitment for each part of a task; also what is looked through for overdue ones.';

comment on table tender_ledger.commitment is 'One row per award, kept from the entries of its task.';
comment on column tender_ledger.commitment.awarded_at is 'When it was awarded.';
comment on column tender_ledger.commitment.due_at is 'When it must be kept; a recess moves it.';
comment on column tender_ledger.commitment.acknowledged_at is 'When the owner''s program took it.';
comment on column tender_ledger.commitment.ended_at is 'When it ended.';
comment on column tender_ledger.commitment.paid_at is 'When it was paid, where anything was.';
comment on column tender_ledger.commitment.price_micro is 'Promised for all its units.';
comment on column tender_ledger.commitment.paid_micro is 'Paid to its principal, fee included.';
comment on column tender_ledger.commitment.fee_micro is 'The part of what was paid that is the kill fee.';
comment on column tender_ledger.commitment.units is 'Units promised.';
comment on column tender_ledger.commitment.units_done is 'Units reported, and accepted once it ended.';
comment on column tender_ledger.commitment.part is 'Part of the task; 0 while work is not split.';
comment on column tender_ledger.commitment.generation is 'Number of the award within its part.';
comment on column tender_ledger.commitment.round is 'Round it was awarded in.';
comment on column tender_ledger.commitment.shard is 'Shard of the paying account.';
comment on column tender_ledger.commitment.state is 'Word commitment_state.';
comment on column tender_ledger.commitment.reason is 'Why it ended: word reason.';
comment on column tender_ledger.commitment.task_id is 'The task.';
comment on column tender_ledger.commitment.owner is 'Contractor that promised.';
comment on column tender_ledger.commitment.principal is 'Principal of the owner, who is paid.';

-- Once ended, only a payment that waited for the rest of the task to end may still be added.
create trigger commitment_end_is_final after update on tender_ledger.commitment
    for each row when (old.ended_at is not null
        and (new.state, new.reason, new.ended_at, new.due_at, new.units_done, new.price_micro, new.owner)
            is distinct from
            (old.state, old.reason, old.ended_at, old.due_at, old.units_done, old.price_micro, old.owner)
        or old.paid_micro > new.paid_micro)
    execute function tender_ledger.refuse_revival();
comment on trigger commitment_end_is_final on tender_ledger.commitment is
    'A terminal state absorbs; what was paid is not taken back.';
