-- Fewer rows a task: what is written together lies together.
--
-- A row costs the database more than what is in it, so the entries that come with a row of their own lie
-- in it: the announcement, and the round that opens with it, in the row of the task, and a settlement in
-- the row of the commitment that it ends. All others stay in entry_row; the view entry shows each once.
-- And a task nearly always ends with a commitment, so one row tells both ends, each under its own unique
-- index; `commitment` and `task_end` are views of it. Entries from before this migration lie where they lay.
alter table tender_ledger.task
    add column next_at timestamptz,
    add column next_kind smallint,
    add column hash bytea,
    add column next_hash bytea,
    add column body text collate "C",
    add column next_body text collate "C",
    add column content bytea,
    add constraint task_entry_hash_is_sha256 check (
        octet_length(hash) = 32 and octet_length(next_hash) = 32),
    add constraint task_entry_is_at_an_instant check (next_at >= announced_at and next_at < 'infinity'),
    add constraint task_entry_is_whole check (
        (hash is null) = (body is null)
        and num_nonnulls(next_at, next_hash, next_body) = case when next_kind is null then 0 else 3 end);
alter table tender_ledger.task alter column content set storage external;
comment on table tender_ledger.task is
    'One row per task: what was announced, with the first entry of its chain and, where that came with it, the second.';
comment on column tender_ledger.task.next_at is 'Stamp of the second entry, where that is in this row.';
comment on column tender_ledger.task.next_kind is 'Its kind: word entry_kind.';
comment on column tender_ledger.task.hash is 'Hash of the announcement, the first entry.';
comment on column tender_ledger.task.next_hash is 'The same of the second entry.';
comment on column tender_ledger.task.body is
    'The announcement, a JSON object; null where it lies in entry_row.';
comment on column tender_ledger.task.next_body is 'The same of the second entry.';
comment on column tender_ledger.task.content is 'Payload, whose digest the body carries.';

create table tender_ledger.ending (
    awarded_at timestamptz,
    due_at timestamptz,
    acknowledged_at timestamptz,
    ended_at timestamptz,
    task_ended_at timestamptz,
    price_micro bigint,
    paid_micro bigint,
    fee_micro bigint,
    task_ceiling_micro bigint,
    task_paid_micro bigint,
    task_released_micro bigint,
    units integer,
    units_done integer,
    task_units integer,
    task_units_done integer,
    round integer,
    task_round integer,
    number integer,
    generation integer not null,
    part integer not null,
    shard smallint not null,
    state smallint,
    reason smallint,
    task_state smallint,
    task_reason smallint,
    task_id uuid not null,
    owner text collate "C",
    principal text collate "C",
    hash bytea,
    body text collate "C",
    content bytea
);
alter table tender_ledger.ending alter column content set storage external;
comment on table tender_ledger.ending is
    'One row per end: of a commitment, with the entry that settled it, of a task, or of both at once.';
comment on column tender_ledger.ending.awarded_at is 'Of the commitment: when it was awarded.';
comment on column tender_ledger.ending.due_at is 'Of the commitment: when it had to be kept.';
comment on column tender_ledger.ending.acknowledged_at is
    'Of the commitment: when the owner''s program took it.';
comment on column tender_ledger.ending.ended_at is 'Of the commitment: when it ended, and was paid.';
comment on column tender_ledger.ending.task_ended_at is 'Of the task: when it ended.';
comment on column tender_ledger.ending.price_micro is 'Of the commitment: promised for all its units.';
comment on column tender_ledger.ending.paid_micro is
    'Of the commitment: paid when it ended, fee included; what came later is a transfer.';
comment on column tender_ledger.ending.fee_micro is 'The part of what was paid that is the kill fee.';
comment on column tender_ledger.ending.task_ceiling_micro is
    'Of the task: its ceiling again; paid and released add up to it.';
comment on column tender_ledger.ending.task_paid_micro is 'Of the task: paid over all its commitments.';
comment on column tender_ledger.ending.task_released_micro is 'Of the task: given back to the account.';
comment on column tender_ledger.ending.units is 'Of the commitment: units promised.';
comment on column tender_ledger.ending.units_done is 'Of the commitment: units accepted.';
comment on column tender_ledger.ending.task_units is 'Of the task: its units again.';
comment on column tender_ledger.ending.task_units_done is
    'Of the task: units accepted over all its commitments.';
comment on column tender_ledger.ending.round is 'Of the commitment: round it was awarded in.';
comment on column tender_ledger.ending.task_round is 'Of the task: number of its last round.';
comment on column tender_ledger.ending.number is
    'Place of the settlement in the chain; null where that lies in entry_row, or there is none.';
comment on column tender_ledger.ending.generation is
    'Of the commitment: number of the award within its part; 0 where the task ended without one.';
comment on column tender_ledger.ending.part is
    'Of the commitment: part of the task; 0 while work is not split.';
comment on column tender_ledger.ending.shard is 'Shard of the paying account.';
comment on column tender_ledger.ending.state is
    'Of the commitment: word commitment_state, from fulfilled on.';
comment on column tender_ledger.ending.reason is 'Of the commitment: why it ended: word reason.';
comment on column tender_ledger.ending.task_state is
    'Of the task: word task_state, done, unallocated or cancelled; null where it went on.';
comment on column tender_ledger.ending.task_reason is 'Of the task: why it ended: word reason.';
comment on column tender_ledger.ending.task_id is 'The task.';
comment on column tender_ledger.ending.owner is 'Of the commitment: contractor that promised.';
comment on column tender_ledger.ending.principal is
    'Of the commitment: principal of the owner, who was paid.';
comment on column tender_ledger.ending.hash is 'Hash of the settlement.';
comment on column tender_ledger.ending.body is 'The settlement, a JSON object.';
comment on column tender_ledger.ending.content is 'Result, whose digest the body carries.';

insert into tender_ledger.ending (awarded_at, due_at, acknowledged_at, ended_at, price_micro, paid_micro,
    fee_micro, units, units_done, round, generation, part, shard, state, reason, task_id, owner, principal)
select awarded_at, due_at, acknowledged_at, ended_at, price_micro, paid_micro, fee_micro, units,
    units_done, round, generation, part, shard, state, reason, task_id, owner, principal
from tender_ledger.commitment;
insert into tender_ledger.ending (task_ended_at, task_ceiling_micro, task_paid_micro, task_released_micro,
    task_units, task_units_done, task_round, generation, part, shard, task_state, task_reason, task_id)
select ended_at, ceiling_micro, paid_micro, released_micro, units, units_done, round, 0, 0, shard, state,
    reason, task_id
from tender_ledger.task_end;

-- What reads the two tables, or takes other parameters now, is made again behind the migrations.
drop view if exists tender.why_not, tender.shortcut_cost, tender.posting, tender.goal, tender.delivery,
    tender.dependency, tender.contractor_record, tender.commitment, tender.client_record, tender.task;
drop function if exists tender_ledger.recall_strikes(smallint), tender_ledger.recall_records(smallint),
    tender_ledger.last_commitments(smallint, timestamptz);
drop function if exists tender_ledger.add_tasks(smallint, uuid[], timestamptz[], smallint[], integer[], integer[],
    bigint[], uuid[], text[], text[], text[], text[], bytea[]);
drop function if exists tender_ledger.add_commitments(smallint, uuid[], integer[], integer[], integer[], text[],
    text[], integer[], bigint[], timestamptz[], timestamptz[], timestamptz[], timestamptz[], smallint[],
    smallint[], integer[], bigint[], bigint[]);
drop function if exists tender_ledger.change_parts(smallint, uuid[], integer[], smallint[], smallint[], integer[],
    timestamptz[], integer[], integer[], bigint[], integer[], timestamptz[], smallint[], smallint[],
    integer[], bigint[], bigint[], boolean);
drop function if exists tender_ledger.finish_tasks(smallint, uuid[], timestamptz[], smallint[], smallint[],
    integer[], integer[], bigint[], bigint[], timestamptz[], integer[], timestamptz[], smallint[],
    smallint[], integer[], bigint[], bigint[], boolean);
drop function if exists tender_ledger.end_split(smallint, uuid[], integer[], integer[], timestamptz[],
    timestamptz[], smallint[], smallint[], integer[], bigint[], bigint[]);
alter table tender_ledger.adoption drop constraint adoption_is_of_an_ended_commitment;
drop table tender_ledger.commitment, tender_ledger.task_end;

alter table tender_ledger.ending
    add constraint commitment_ends_once primary key (shard, task_id, part, generation),
    add constraint ending_is_of_something check (generation > 0 or task_state is not null),
    add constraint ended_commitment_is_whole check (
        num_nonnulls(awarded_at, due_at, ended_at, price_micro, paid_micro, fee_micro, units, units_done,
            round, state, reason, owner, principal) = case when generation = 0 then 0 else 13 end),
    add constraint ended_commitment_counts_from_one check (generation >= 0 and part >= 0 and round >= 1),
    add constraint commitment_was_due_at_an_instant check (
        due_at >= awarded_at and due_at <= timestamptz '2100-01-01 00:00:00+00'
        and awarded_at > '-infinity'),
    add constraint commitment_ends_after_it_begins check (
        ended_at >= awarded_at and ended_at < 'infinity'),
    add constraint commitment_ends_in_an_ended_state check (state >= 3 and state <= 7),
    add constraint commitment_does_no_more_than_its_units check (
        units_done >= 0 and units_done <= units and units >= 1),
    add constraint commitment_pays_no_more_than_its_price check (
        fee_micro >= 0 and fee_micro <= paid_micro and paid_micro <= price_micro),
    add constraint ended_task_is_whole check (
        num_nonnulls(task_ended_at, task_ceiling_micro, task_paid_micro, task_released_micro, task_units,
            task_units_done, task_round, task_reason) = case when task_state is null then 0 else 8 end),
    add constraint task_end_is_at_an_instant check (
        task_ended_at > '-infinity' and task_ended_at < 'infinity'),
    add constraint task_ends_in_an_ended_state check (task_state >= 6 and task_state <= 8),
    add constraint task_does_no_more_than_its_units check (
        task_units_done >= 0 and task_units_done <= task_units),
    add constraint task_is_done_when_all_units_are check (
        task_state <> 6 or task_units_done = task_units),
    add constraint task_end_accounts_for_its_ceiling check (
        task_paid_micro >= 0 and task_released_micro >= 0
        and task_paid_micro + task_released_micro = task_ceiling_micro),
    add constraint settlement_is_whole check (
        (number is null) = (hash is null) and (number is null) = (body is null)
        and (number is null or generation > 0)),
    add constraint settlement_has_a_place_and_a_hash check (number > 1 and octet_length(hash) = 32);
create unique index task_ends_once on tender_ledger.ending (shard, task_id) where task_state is not null;
comment on index tender_ledger.task_ends_once is 'A terminal state absorbs.';
create trigger ending_is_append_only
    before update or delete or truncate on tender_ledger.ending
    for each statement execute function tender_ledger.refuse_change();
comment on trigger ending_is_append_only on tender_ledger.ending is 'A terminal state absorbs.';
alter table tender_ledger.adoption
    add constraint adoption_is_of_an_ended_commitment foreign key (shard, task_id, part, generation)
        references tender_ledger.ending;

create view tender_ledger.commitment as
select e.awarded_at, e.due_at, e.acknowledged_at, e.ended_at, e.price_micro, e.paid_micro, e.fee_micro,
    e.units, e.units_done, e.generation, e.round, e.part, e.shard, e.state, e.reason, e.task_id, e.owner,
    e.principal
from tender_ledger.ending e
where e.generation > 0;
comment on view tender_ledger.commitment is 'Every commitment that has ended.';
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

create view tender_ledger.task_end as
select e.task_ended_at as ended_at, e.task_ceiling_micro as ceiling_micro, e.task_paid_micro as paid_micro,
    e.task_released_micro as released_micro, e.task_units as units, e.task_units_done as units_done,
    e.task_round as round, e.shard, e.task_state as state, e.task_reason as reason, e.task_id
from tender_ledger.ending e
where e.task_state is not null;
comment on view tender_ledger.task_end is 'Every task that has ended.';
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

create or replace view tender_ledger.entry as
select e.at, e.number, r.shard, e.kind, r.task_id, e.hash, e.body, e.content
from tender_ledger.entry_row r
cross join lateral (
    values (r.at, r.number, r.kind, r.hash, r.body, r.content),
        (r.next_at, r.number + 1, r.next_kind, r.next_hash, r.next_body, r.next_content)
) e (at, number, kind, hash, body, content)
where e.kind is not null
union all
select e.at, e.number, t.shard, e.kind, t.task_id, e.hash, e.body, e.content
from tender_ledger.task t
cross join lateral (
    values (t.announced_at, 1, 1::smallint, t.hash, t.body, t.content),
        (t.next_at, 2, t.next_kind, t.next_hash, t.next_body, null)
) e (at, number, kind, hash, body, content)
where e.hash is not null
union all
select d.ended_at, d.number, d.shard, 8::smallint, d.task_id, d.hash, d.body, d.content
from tender_ledger.ending d
where d.number is not null;
