-- A round may split its units: several commitments of one task at a time, each a part with a number of
-- its own. The task keeps its row, with the units and the money of all its commitments; the parts that
-- are promised to somebody lie beside it. Tasks that are not split never touch this table.
create table tender_ledger.split_part (
    awarded_at timestamptz not null,
    due_at timestamptz not null,
    acknowledged_at timestamptz,
    price_micro bigint not null,
    promised_units integer not null,
    promised_units_done integer not null default 0,
    generation integer not null,
    awarded_round integer not null,
    part integer not null,
    shard smallint not null,
    promise_state smallint not null default 1,
    task_id uuid not null,
    owner text collate "C" not null,
    principal text collate "C" not null,
    constraint split_part_has_one_row primary key (shard, task_id, part),
    constraint split_part_counts_from_one check (part >= 1 and generation >= 1 and awarded_round >= 1),
    constraint split_part_is_active_or_delivered check (promise_state >= 1 and promise_state <= 2),
    constraint split_part_is_due_at_an_instant check (
        due_at >= awarded_at and due_at <= timestamptz '2100-01-01 00:00:00+00'
        and awarded_at > '-infinity'),
    constraint split_part_does_no_more_than_its_units check (
        promised_units_done >= 0 and promised_units_done <= promised_units and promised_units >= 1),
    constraint split_part_price_is_not_negative check (price_micro >= 0)
) with (fillfactor = 50);
comment on table tender_ledger.split_part is
    'One row per active commitment of a task whose units are split.';
comment on column tender_ledger.split_part.awarded_at is 'When it was awarded.';
comment on column tender_ledger.split_part.due_at is 'When it must be kept; a recess moves it.';
comment on column tender_ledger.split_part.acknowledged_at is 'When the owner''s program took it.';
comment on column tender_ledger.split_part.price_micro is 'Promised for all its units.';
comment on column tender_ledger.split_part.promised_units is 'Its units.';
comment on column tender_ledger.split_part.promised_units_done is 'Units reported so far.';
comment on column tender_ledger.split_part.generation is 'Number of the award within its part.';
comment on column tender_ledger.split_part.awarded_round is 'Round it was awarded in.';
comment on column tender_ledger.split_part.part is 'Number of the part within the task, from 1; never used again.';
comment on column tender_ledger.split_part.shard is 'Shard of the paying account.';
comment on column tender_ledger.split_part.promise_state is 'Word commitment_state: active or delivered.';
comment on column tender_ledger.split_part.task_id is 'The task.';
comment on column tender_ledger.split_part.owner is 'Contractor that promised.';
comment on column tender_ledger.split_part.principal is 'Principal of the owner.';

-- Where it does not matter whether a task is split.
create view tender_ledger.promise as
select p.shard, p.task_id, p.part, p.generation, p.awarded_round as round, p.owner, p.principal,
    p.promised_units as units, p.promised_units_done as units_done, p.price_micro, p.awarded_at,
    p.due_at, p.acknowledged_at, p.promise_state as state
from tender_ledger.open_part p
where p.generation is not null
union all
select s.shard, s.task_id, s.part, s.generation, s.awarded_round, s.owner, s.principal,
    s.promised_units, s.promised_units_done, s.price_micro, s.awarded_at, s.due_at,
    s.acknowledged_at, s.promise_state
from tender_ledger.split_part s;
comment on view tender_ledger.promise is 'Every commitment that has not ended, of split tasks too.';
comment on column tender_ledger.promise.shard is 'Shard of the paying account.';
comment on column tender_ledger.promise.task_id is 'The task.';
comment on column tender_ledger.promise.part is 'Part of the task; 0 while work is not split.';
comment on column tender_ledger.promise.generation is 'Number of the award within its part.';
comment on column tender_ledger.promise.round is 'Round it was awarded in.';
comment on column tender_ledger.promise.owner is 'Contractor that promised.';
comment on column tender_ledger.promise.principal is 'Principal of the owner.';
comment on column tender_ledger.promise.units is 'Its units.';
comment on column tender_ledger.promise.units_done is 'Units reported so far.';
comment on column tender_ledger.promise.price_micro is 'Promised for all its units.';
comment on column tender_ledger.promise.awarded_at is 'When it was awarded.';
comment on column tender_ledger.promise.due_at is 'When it must be kept; a recess moves it.';
comment on column tender_ledger.promise.acknowledged_at is 'When the owner''s program took it.';
comment on column tender_ledger.promise.state is 'Word commitment_state: active or delivered.';
