-- A commitment: a promise with an owner, a due time and a status. This is what Tender is for.
--
-- While it is active it lives in the row of the part of the task that it is for, and that row has room
-- for one: a second active award of a part cannot be written, nor one to a task that does not go on.
-- When it ends it becomes a row of `commitment`, which never changes again. Most of each page of the
-- hot table stays free, so that the award, which makes a row longer, finds room beside it.
create table tender_ledger.open_part (
    awarded_at timestamptz,
    due_at timestamptz,
    acknowledged_at timestamptz,
    price_micro bigint,
    ceiling_micro bigint not null,
    paid_micro bigint not null default 0,
    units integer not null,
    units_done integer not null default 0,
    promised_units integer,
    promised_units_done integer,
    generation integer,
    awarded_round integer,
    round integer not null,
    part integer not null,
    shard smallint not null,
    state smallint not null default 2,
    reason smallint not null default 0,
    promise_state smallint,
    task_id uuid not null,
    payer text collate "C" not null,
    owner text collate "C",
    principal text collate "C",
    constraint open_part_has_one_row primary key (shard, task_id, part),
    constraint open_part_is_not_ended check (state < 6 and state <> 3),
    constraint open_part_does_no_more_than_its_units check (units_done >= 0 and units_done <= units),
    constraint open_part_pays_no_more_than_its_ceiling check (
        paid_micro >= 0 and paid_micro <= ceiling_micro),
    constraint commitment_is_whole check (
        num_nonnulls(owner, principal, price_micro, due_at, awarded_at, promised_units,
            promised_units_done, awarded_round, promise_state)
        = case when generation is null then 0 else 9 end
        and (generation is not null or acknowledged_at is null)),
    constraint commitment_is_active_or_delivered check (promise_state >= 1 and promise_state <= 2),
    constraint commitment_counts_from_one check (generation >= 1 and awarded_round >= 1),
    constraint commitment_is_due_at_an_instant check (
        due_at >= awarded_at and due_at <= timestamptz '2100-01-01 00:00:00+00'
        and awarded_at > '-infinity'),
    constraint commitment_does_no_more_than_its_units check (
        promised_units_done >= 0 and promised_units_done <= promised_units and promised_units >= 1),
    constraint commitment_price_is_within_the_ceiling check (
        price_micro >= 0 and price_micro <= ceiling_micro - paid_micro)
) with (fillfactor = 30, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
    autovacuum_vacuum_cost_delay = 0);
comment on table tender_ledger.open_part is
    'One row per part of a task that goes on, with the commitment that is active for it.';
comment on column tender_ledger.open_part.awarded_at is 'Of the commitment: when it was awarded.';
comment on column tender_ledger.open_part.due_at is 'Of the commitment: when it must be kept; a recess moves it.';
comment on column tender_ledger.open_part.acknowledged_at is
    'Of the commitment: when the owner''s program took it.';
comment on column tender_ledger.open_part.price_micro is 'Of the commitment: promised for all its units.';
comment on column tender_ledger.open_part.ceiling_micro is 'Ceiling of the task.';
comment on column tender_ledger.open_part.paid_micro is 'Paid so far, over ended commitments.';
comment on column tender_ledger.open_part.units is 'Units of the task.';
comment on column tender_ledger.open_part.units_done is 'Units accepted so far, over ended commitments.';
comment on column tender_ledger.open_part.promised_units is 'Of the commitment: its units.';
comment on column tender_ledger.open_part.promised_units_done is 'Of the commitment: units reported so far.';
comment on column tender_ledger.open_part.generation is
    'Of the commitment: number of the award within its part; null while none is active.';
comment on column tender_ledger.open_part.awarded_round is 'Of the commitment: round it was awarded in.';
comment on column tender_ledger.open_part.round is 'Number of the last round.';
comment on column tender_ledger.open_part.part is 'Part of the task; 0 while work is not split.';
comment on column tender_ledger.open_part.shard is 'Shard of the paying account.';
comment on column tender_ledger.open_part.state is
    'Word task_state; open also while awarded, which the commitment says.';
comment on column tender_ledger.open_part.reason is 'Why it is in this state: word reason.';
comment on column tender_ledger.open_part.promise_state is 'Of the commitment: word commitment_state.';
comment on column tender_ledger.open_part.task_id is 'The task.';
comment on column tender_ledger.open_part.payer is 'Principal whose account pays.';
comment on column tender_ledger.open_part.owner is 'Of the commitment: contractor that promised.';
comment on column tender_ledger.open_part.principal is 'Of the commitment: principal of the owner.';

create table tender_ledger.commitment (
    awarded_at timestamptz not null,
    due_at timestamptz not null,
    acknowledged_at timestamptz,
    ended_at timestamptz not null,
    price_micro bigint not null,
    paid_micro bigint not null,
    fee_micro bigint not null,
    units integer not null,
    units_done integer not null,
    generation integer not null,
    round integer not null,
    part integer not null,
    shard smallint not null,
    state smallint not null,
    reason smallint not null,
    task_id uuid not null,
    owner text collate "C" not null,
    principal text collate "C" not null,
    constraint commitment_ends_once primary key (shard, task_id, part, generation),
    constraint commitment_counts_from_one check (generation >= 1 and part >= 0 and round >= 1),
    constraint commitment_was_due_at_an_instant check (
        due_at >= awarded_at and due_at <= timestamptz '2100-01-01 00:00:00+00'
        and awarded_at > '-infinity'),
    constraint commitment_ends_after_it_begins check (
        ended_at >= awarded_at and ended_at < 'infinity'),
    constraint commitment_ends_in_an_ended_state check (state >= 3 and state <= 7),
    constraint commitment_does_no_more_than_its_units check (
        units_done >= 0 and units_done <= units and units >= 1),
    constraint commitment_pays_no_more_than_its_price check (
        fee_micro >= 0 and fee_micro <= paid_micro and paid_micro <= price_micro)
);
comment on table tender_ledger.commitment is 'One row per commitment that has ended.';
comment on column tender_ledger.commitment.awarded_at is 'When it was awarded.';
comment on column tender_ledger.commitment.due_at is 'When it had to be kept.';
comment on column tender_ledger.commitment.acknowledged_at is 'When the owner''s program took it.';
comment on column tender_ledger.commitment.ended_at is 'When it ended, and was paid.';
comment on column tender_ledger.commitment.price_micro is 'Promised for all its units.';
comment on column tender_ledger.commitment.paid_micro is
    'Paid to its principal when it ended, fee included; what came later is a transfer.';
comment on column tender_ledger.commitment.fee_micro is 'The part of what was paid that is the kill fee.';
comment on column tender_ledger.commitment.units is 'Units promised.';
comment on column tender_ledger.commitment.units_done is 'Units accepted.';
comment on column tender_ledger.commitment.generation is 'Number of the award within its part.';
comment on column tender_ledger.commitment.round is 'Round it was awarded in.';
comment on column tender_ledger.commitment.part is 'Part of the task; 0 while work is not split.';
comment on column tender_ledger.commitment.shard is 'Shard of the paying account.';
comment on column tender_ledger.commitment.state is 'Word commitment_state, from fulfilled on.';
comment on column tender_ledger.commitment.reason is 'Why it ended: word reason.';
comment on column tender_ledger.commitment.task_id is 'The task.';
comment on column tender_ledger.commitment.owner is 'Contractor that promised.';
comment on column tender_ledger.commitment.principal is 'Principal of the owner, who was paid.';
create trigger commitment_is_append_only
    before update or delete or truncate on tender_ledger.commitment
    for each statement execute function tender_ledger.refuse_change();
comment on trigger commitment_is_append_only on tender_ledger.commitment is 'A terminal state absorbs.';
