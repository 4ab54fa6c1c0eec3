-- What work cost its contractor, as it says itself, beside what it had bid: so that people see whose bids
-- can be believed. No decision reads it.
create table tender_ledger.measured (
    at timestamptz not null,
    bid_micro bigint not null,
    estimate_micro bigint,
    measured_micro bigint not null,
    tokens_in bigint,
    tokens_out bigint,
    units integer not null,
    part integer not null,
    generation integer not null,
    shard smallint not null,
    task_id uuid not null,
    contractor text collate "C" not null,
    principal text collate "C" not null,
    skill text collate "C" not null,
    tier text collate "C" not null,
    constraint measured_once_for_a_commitment primary key (shard, task_id, part, generation),
    constraint measured_is_at_an_instant check (isfinite(at)),
    constraint measured_costs_are_not_negative check (
        bid_micro >= 0 and estimate_micro >= 0 and measured_micro > 0),
    constraint measured_counts_are_not_negative check (tokens_in >= 0 and tokens_out >= 0),
    constraint measured_commitment_counts_from_one check (
        generation >= 1 and part >= 0 and units >= 0)
);
comment on table tender_ledger.measured is
    'One row per ended commitment whose owner reported what the work cost it.';
comment on column tender_ledger.measured.at is 'When the commitment ended.';
comment on column tender_ledger.measured.bid_micro is 'What its owner had asked for.';
comment on column tender_ledger.measured.estimate_micro is 'What it had expected the work to cost.';
comment on column tender_ledger.measured.measured_micro is 'What the work cost, as it reported.';
comment on column tender_ledger.measured.tokens_in is 'Tokens read, as it reported.';
comment on column tender_ledger.measured.tokens_out is 'Tokens written, as it reported.';
comment on column tender_ledger.measured.units is 'Units accepted.';
comment on column tender_ledger.measured.part is 'Part of the task; 0 where work is not split.';
comment on column tender_ledger.measured.generation is 'Number of the award within its part.';
comment on column tender_ledger.measured.shard is 'Shard of the paying account.';
comment on column tender_ledger.measured.task_id is 'The task.';
comment on column tender_ledger.measured.contractor is 'Who did the work.';
comment on column tender_ledger.measured.principal is 'Principal of the contractor.';
comment on column tender_ledger.measured.skill is 'Skill of the task.';
comment on column tender_ledger.measured.tier is 'Tier it worked at, as it reported; may be empty.';
create trigger measured_is_append_only
    before update or delete or truncate on tender_ledger.measured
    for each statement execute function tender_ledger.refuse_change();
comment on trigger measured_is_append_only on tender_ledger.measured is
    'What was reported is not corrected afterwards.';
