-- What a client is asked to decide on, and the late results that it takes.
--
-- A delivery ends with its commitment, whose row says how: accepted, rejected or accepted by silence. A
-- late result lies in its entry; taking it is paid by a transfer, and this row says for what.
create table tender_ledger.delivery (
    delivered_at timestamptz not null,
    accept_by_at timestamptz not null,
    size bigint,
    measured_micro bigint not null,
    units integer not null,
    generation integer not null,
    part integer not null,
    shard smallint not null,
    task_id uuid not null,
    digest bytea,
    owner text collate "C" not null,
    evidence text collate "C" not null,
    tier text collate "C" not null,
    constraint delivery_is_made_once primary key (shard, task_id, part, generation),
    constraint delivery_is_of_a_task foreign key (shard, task_id) references tender_ledger.task,
    constraint delivery_has_units check (units >= 1),
    constraint delivery_counts_from_one check (generation >= 1 and part >= 0),
    constraint delivery_waits_for_a_time check (
        delivered_at > '-infinity' and accept_by_at >= delivered_at
        and accept_by_at <= timestamptz '2100-01-01 00:00:00+00'),
    constraint delivery_result_has_size_and_digest check (
        (size is null) = (digest is null) and size >= 0 and octet_length(digest) = 32),
    constraint delivery_measured_is_not_negative check (measured_micro >= 0)
);
comment on table tender_ledger.delivery is 'One row per completion that a client was asked to accept.';
comment on column tender_ledger.delivery.delivered_at is 'When it was reported.';
comment on column tender_ledger.delivery.accept_by_at is
    'When silence accepts it, as it was told then; a recess moves it.';
comment on column tender_ledger.delivery.size is 'Bytes of the result; null where there is none.';
comment on column tender_ledger.delivery.measured_micro is
    'What the work cost, as its contractor says; 0 where it does not.';
comment on column tender_ledger.delivery.units is 'Units delivered.';
comment on column tender_ledger.delivery.generation is 'Number of the award within its part.';
comment on column tender_ledger.delivery.part is 'Part of the task; 0 while work is not split.';
comment on column tender_ledger.delivery.shard is 'Shard of the paying account.';
comment on column tender_ledger.delivery.task_id is 'The task.';
comment on column tender_ledger.delivery.digest is 'SHA-256 of the result; null where there is none.';
comment on column tender_ledger.delivery.owner is 'Contractor that delivered it.';
comment on column tender_ledger.delivery.evidence is 'Lines NAME=VALUE, as its contractor wrote them.';
comment on column tender_ledger.delivery.tier is 'Tier that did the work, as its contractor says.';
create trigger delivery_is_append_only
    before update or delete or truncate on tender_ledger.delivery
    for each statement execute function tender_ledger.refuse_change();
comment on trigger delivery_is_append_only on tender_ledger.delivery is
    'What the client decided on stays what it was.';

create table tender_ledger.adoption (
    adopted_at timestamptz not null,
    paid_micro bigint not null,
    units integer not null,
    number integer not null,
    late integer not null,
    generation integer not null,
    part integer not null,
    shard smallint not null,
    task_id uuid not null,
    principal text collate "C" not null,
    constraint adoption_is_made_by_one_entry primary key (shard, task_id, number),
    constraint adoption_is_of_an_ended_commitment foreign key (shard, task_id, part, generation)
        references tender_ledger.commitment,
    constraint adoption_takes_something check (units >= 1),
    constraint adoption_pays_no_less_than_nothing check (paid_micro >= 0),
    constraint adoption_follows_its_result check (late >= 1 and number > late),
    constraint adoption_time_is_finite check (isfinite(adopted_at))
);
comment on table tender_ledger.adoption is 'One row per late result that a client took.';
comment on column tender_ledger.adoption.adopted_at is 'When it was taken.';
comment on column tender_ledger.adoption.paid_micro is
    'Paid for it, to the principal that the commitment was of; a transfer as well.';
comment on column tender_ledger.adoption.units is 'Units newly accepted.';
comment on column tender_ledger.adoption.number is 'Number of its entry.';
comment on column tender_ledger.adoption.late is 'Number of the entry that has the result.';
comment on column tender_ledger.adoption.generation is 'Of the commitment: number of the award.';
comment on column tender_ledger.adoption.part is 'Of the commitment: part of the task.';
comment on column tender_ledger.adoption.shard is 'Shard of the paying account.';
comment on column tender_ledger.adoption.task_id is 'The task.';
comment on column tender_ledger.adoption.principal is 'Who was paid.';
create trigger adoption_is_append_only
    before update or delete or truncate on tender_ledger.adoption
    for each statement execute function tender_ledger.refuse_change();
comment on trigger adoption_is_append_only on tender_ledger.adoption is
    'What was paid once is not paid back by a change.';
