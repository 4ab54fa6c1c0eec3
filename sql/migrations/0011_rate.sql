-- Cheap work that was assigned at a posted rate, and the sampled rounds that tell what an auction would
-- have paid for it. The rates themselves are facts of the house.
create table tender_ledger.posted (
    at timestamptz not null,
    rate_micro bigint not null,
    price_micro bigint not null,
    units integer not null,
    round integer not null,
    shard smallint not null,
    is_sample boolean not null,
    task_id uuid not null,
    skill text collate "C" not null,
    constraint posted_has_one_row_a_round primary key (shard, task_id, round),
    constraint posted_is_at_an_instant check (isfinite(at)),
    constraint posted_rate_is_positive check (rate_micro > 0),
    constraint posted_price_is_rate_times_units check (price_micro::numeric = rate_micro::numeric * units),
    constraint posted_counts_from_one check (units >= 1 and round >= 1)
);
comment on table tender_ledger.posted is
    'One row per task that was assigned at a posted rate, or auctioned as a sample against it.';
comment on column tender_ledger.posted.at is 'When it was assigned, or its round opened.';
comment on column tender_ledger.posted.rate_micro is 'The posted rate of a unit.';
comment on column tender_ledger.posted.price_micro is 'Rate times units.';
comment on column tender_ledger.posted.units is 'Units of the task.';
comment on column tender_ledger.posted.round is 'Round of the task that it is.';
comment on column tender_ledger.posted.shard is 'Shard of the paying account.';
comment on column tender_ledger.posted.is_sample is 'Whether it was auctioned all the same.';
comment on column tender_ledger.posted.task_id is 'The task.';
comment on column tender_ledger.posted.skill is 'Skill of the task.';
create trigger posted_is_append_only
    before update or delete or truncate on tender_ledger.posted
    for each statement execute function tender_ledger.refuse_change();
comment on trigger posted_is_append_only on tender_ledger.posted is
    'What was assigned or sampled is not corrected afterwards.';
