-- What is over leaves the ledger by whole partitions, so the tables that history grows in are divided by
-- time: what was announced, the entries, and the ends. Identifiers of tasks are ordered by time, so the
-- range of a partition is one of identifiers, and all that a task has is in partitions of one range. The
-- chains of the house have a partition of their own. Partitions are made well ahead (keep_partitions).
--
-- The key of a task is unique over all time, which no key over partitions by time could promise: keys have
-- a table of their own, and stay there when their tasks have left. Nothing refers to a table that is
-- divided, since each partition that leaves would have to ask who refers to it: the functions that add
-- rows keep those promises.
create table tender_ledger.retention (
    period interval not null default '7 days',
    constraint retention_period_is_neither_short_nor_long check (
        period >= interval '1 hour' and period <= interval '366 days'
        and extract(year from period) = 0 and extract(month from period) = 0)
);
create unique index retention_has_one_row on tender_ledger.retention ((true));
comment on table tender_ledger.retention is 'One row: how history is divided.';
comment on column tender_ledger.retention.period is
    'How much time a partition has that is made from now on; operators change it.';
comment on index tender_ledger.retention_has_one_row is 'One way of dividing for the whole ledger.';
insert into tender_ledger.retention default values;

create table tender_ledger.partition (
    since_at timestamptz not null,
    until_at timestamptz not null,
    retired_at timestamptz,
    entries bigint,
    tasks bigint,
    from_id uuid not null,
    to_id uuid not null,
    suffix text collate "C" not null,
    state text collate "C" not null default 'live',
    root bytea,
    manifest_digest bytea,
    directory text,
    retired_by text,
    constraint partition_has_one_row primary key (from_id),
    constraint partition_has_a_name unique (suffix),
    constraint partition_ends_after_it_begins check (from_id < to_id and since_at < until_at),
    constraint partition_state_exists check (state in ('live', 'exported', 'detached', 'archived')),
    constraint partition_is_proven_once_exported check (
        num_nonnulls(retired_at, entries, tasks, root, manifest_digest, directory, retired_by)
            = case when state = 'live' then 0 else 7 end),
    constraint partition_proof_is_sha256 check (
        octet_length(root) = 32 and octet_length(manifest_digest) = 32)
);
comment on table tender_ledger.partition is
    'One row per range of tasks whose history is stored together, and what became of it.';
comment on column tender_ledger.partition.since_at is 'Tasks announced from then on; -infinity: all before.';
comment on column tender_ledger.partition.until_at is 'Tasks announced before then.';
comment on column tender_ledger.partition.retired_at is 'When its archive was complete.';
comment on column tender_ledger.partition.entries is 'Entries in its archive.';
comment on column tender_ledger.partition.tasks is 'Tasks in its archive.';
comment on column tender_ledger.partition.from_id is 'The first identifier that it may have.';
comment on column tender_ledger.partition.to_id is 'The first identifier that it may not have any more.';
comment on column tender_ledger.partition.suffix is 'What the names of its tables end with.';
comment on column tender_ledger.partition.state is
    'live: in use; exported: in files as well, which were read back; detached: no longer in use; '
    'archived: in files only.';
comment on column tender_ledger.partition.root is
    'Merkle root over the chains of its tasks (ops/archive.md).';
comment on column tender_ledger.partition.manifest_digest is 'SHA-256 of the manifest of its archive.';
comment on column tender_ledger.partition.directory is 'Where the archive was written.';
comment on column tender_ledger.partition.retired_by is 'Who did it.';

-- The first identifier of a time.
create function tender_ledger.first_id(p_at timestamptz)
returns uuid
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
    select (lpad(to_hex(greatest(0, (extract(epoch from p_at) * 1000)::bigint)), 12, '0')
        || repeat('0', 20))::uuid
$$;
comment on function tender_ledger.first_id(timestamptz) is
    'The least identifier that a task announced then may have.';


alter table tender_ledger.task drop constraint task_key_is_used_once_unless_again;
create table tender_ledger.task_key (
    shard smallint not null,
    task_id uuid not null,
    again uuid,
    principal text collate "C" not null,
    key text collate "C" not null,
    body_digest bytea not null,
    constraint task_key_is_used_once_unless_again unique nulls not distinct (key, principal, shard, again)
);
comment on table tender_ledger.task_key is
    'One row per task that was ever announced: what repeats of its announcement are known by.';
comment on column tender_ledger.task_key.shard is 'Shard of the paying account.';
comment on column tender_ledger.task_key.task_id is 'The task.';
comment on column tender_ledger.task_key.again is
    'The ended task that it replaces under its key; each is replaced once.';
comment on column tender_ledger.task_key.principal is 'Whose account pays.';
comment on column tender_ledger.task_key.key is 'The client''s key.';
comment on column tender_ledger.task_key.body_digest is 'SHA-256 of what the client announced.';

insert into tender_ledger.task_key (shard, task_id, again, principal, key, body_digest)
select t.shard, t.task_id, t.again, t.principal, t.key, t.body_digest
from tender_ledger.task t;
alter table tender_ledger.task drop column body_digest;

-- What was referred to.
alter table tender_ledger.delivery drop constraint delivery_is_of_a_task;
alter table tender_ledger.task_after drop constraint task_waits_for_recorded_tasks_only;
alter table tender_ledger.adoption drop constraint adoption_is_of_an_ended_commitment;

-- Constraints and indexes keep their names.
alter table tender_ledger.entry_row rename to entry_row_old;
alter table tender_ledger.entry_row_old rename constraint entry_has_one_place_in_its_chain to old_entry;
create table tender_ledger.entry_row (
    like tender_ledger.entry_row_old including defaults including constraints including storage
        including comments,
    constraint entry_has_one_place_in_its_chain primary key (shard, task_id, number)
) partition by range (task_id);
comment on table tender_ledger.entry_row is
    'The facts as they are stored, one or two in a row: append-only. The view entry shows them.';

alter table tender_ledger.task rename to task_old;
alter table tender_ledger.task_old rename constraint task_has_one_row to old_task;
create table tender_ledger.task (
    like tender_ledger.task_old including defaults including constraints including storage
        including comments,
    constraint task_has_one_row primary key (shard, task_id)
) partition by range (task_id);
comment on table tender_ledger.task is
    'One row per task: what was announced, with the first entry of its chain and, where that came with it, the second.';

alter table tender_ledger.ending rename to ending_old;
alter table tender_ledger.ending_old rename constraint commitment_ends_once to old_ending;
alter index tender_ledger.task_ends_once rename to old_task_end;
create table tender_ledger.ending (
    like tender_ledger.ending_old including defaults including constraints including storage
        including comments,
    constraint commitment_ends_once primary key (shard, task_id, part, generation)
) partition by range (task_id);
create unique index task_ends_once on tender_ledger.ending (shard, task_id) where task_state is not null;
comment on index tender_ledger.task_ends_once is 'A terminal state absorbs.';
comment on table tender_ledger.ending is
    'One row per end: of a commitment, with the entry that settled it, of a task, or of both at once.';

do $$
declare
    v_until_at timestamptz := date_trunc('week', now(), 'UTC');
    v_table text;
    v_trigger text;
begin
    insert into tender_ledger.partition (since_at, until_at, from_id, to_id, suffix)
    values ('-infinity', v_until_at, '00000000-0000-0000-0000-000000000001',
        tender_ledger.first_id(v_until_at), 'before');
    create table tender_ledger.entry_row_house partition of tender_ledger.entry_row
        for values from ('00000000-0000-0000-0000-000000000000')
        to ('00000000-0000-0000-0000-000000000001');
    foreach v_table in array array['entry_row', 'task', 'ending'] loop
        execute format('create table tender_ledger.%I partition of tender_ledger.%I '
            'for values from (%L) to (%L)', v_table || '_before', v_table,
            '00000000-0000-0000-0000-000000000001', tender_ledger.first_id(v_until_at));
        execute format('create table tender_ledger.%I partition of tender_ledger.%I '
            'for values from (%L) to (%L)', v_table || '_p' || to_char(v_until_at at time zone 'UTC',
            'YYYYMMDDHH24'), v_table, tender_ledger.first_id(v_until_at),
            tender_ledger.first_id(v_until_at + interval '7 days'));
    end loop;
    insert into tender_ledger.partition (since_at, until_at, from_id, to_id, suffix)
    values (v_until_at, v_until_at + interval '7 days', tender_ledger.first_id(v_until_at),
        tender_ledger.first_id(v_until_at + interval '7 days'),
        'p' || to_char(v_until_at at time zone 'UTC', 'YYYYMMDDHH24'));
    foreach v_table in array array['entry_row', 'task', 'ending', 'entry_row_house',
        'entry_row_before', 'task_before', 'ending_before',
        'entry_row_p' || to_char(v_until_at at time zone 'UTC', 'YYYYMMDDHH24'),
        'task_p' || to_char(v_until_at at time zone 'UTC', 'YYYYMMDDHH24'),
        'ending_p' || to_char(v_until_at at time zone 'UTC', 'YYYYMMDDHH24')]
    loop
        v_trigger := split_part(v_table, '_', 1) || '_is_append_only';
        execute format('create trigger %I before update or delete or truncate on tender_ledger.%I '
            'for each statement execute function tender_ledger.refuse_change()', v_trigger, v_table);
    end loop;
end
$$;
comment on trigger entry_is_append_only on tender_ledger.entry_row is
    'Also its owner adds to the ledger and never changes it.';
comment on trigger task_is_append_only on tender_ledger.task is 'Terms are not changed after the fact.';
comment on trigger ending_is_append_only on tender_ledger.ending is 'A terminal state absorbs.';

insert into tender_ledger.task (announced_at, ceiling_micro, units, shard, partial, task_id, again,
    client, principal, skill, key, next_at, next_kind, hash, next_hash, body, next_body, content)
select t.announced_at, t.ceiling_micro, t.units, t.shard, t.partial, t.task_id, t.again, t.client,
    t.principal, t.skill, t.key, t.next_at, t.next_kind, t.hash, t.next_hash, t.body, t.next_body,
    t.content
from tender_ledger.task_old t;
insert into tender_ledger.entry_row select * from tender_ledger.entry_row_old;
insert into tender_ledger.ending select * from tender_ledger.ending_old;

-- The same views, of the new tables; those of the schema tender are made again behind the migrations.
create or replace view tender_ledger.commitment as
select e.awarded_at, e.due_at, e.acknowledged_at, e.ended_at, e.price_micro, e.paid_micro, e.fee_micro,
    e.units, e.units_done, e.generation, e.round, e.part, e.shard, e.state, e.reason, e.task_id, e.owner,
    e.principal
from tender_ledger.ending e
where e.generation > 0;

create or replace view tender_ledger.task_end as
select e.task_ended_at as ended_at, e.task_ceiling_micro as ceiling_micro, e.task_paid_micro as paid_micro,
    e.task_released_micro as released_micro, e.task_units as units, e.task_units_done as units_done,
    e.task_round as round, e.shard, e.task_state as state, e.task_reason as reason, e.task_id
from tender_ledger.ending e
where e.task_state is not null;

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

create or replace view tender_ledger.fact as
select f.shard, f.kind, f.subject, f.number, e.at, e.body::jsonb as body
from tender_ledger.house_fact f
cross join lateral (
    select r.*
    from tender_ledger.entry_row r
    where r.shard = f.shard and r.task_id = '00000000-0000-0000-0000-000000000000'
        and r.number between f.number - 1 and f.number
    offset 0
) r
cross join lateral (
    values (r.number, r.at, r.kind, r.body), (r.number + 1, r.next_at, r.next_kind, r.next_body)
) e (number, at, kind, body)
where e.number = f.number and e.kind is not null;

drop table tender_ledger.task_old, tender_ledger.entry_row_old, tender_ledger.ending_old cascade;

create trigger task_key_is_append_only
    before update or delete or truncate on tender_ledger.task_key
    for each statement execute function tender_ledger.refuse_change();
comment on trigger task_key_is_append_only on tender_ledger.task_key is
    'A key means one task for good.';

create table tender_ledger.archived_task (
    ended_at timestamptz not null,
    paid_micro bigint not null,
    units integer not null,
    units_done integer not null,
    round integer not null,
    shard smallint not null,
    state smallint not null,
    reason smallint not null,
    task_id uuid not null,
    again uuid,
    client text collate "C" not null,
    principal text collate "C" not null,
    key text collate "C" not null,
    constraint archived_task_has_one_row primary key (shard, task_id)
);
comment on table tender_ledger.archived_task is
    'One row per task whose record is in an archive: how it ended, for who asks afterwards.';
comment on column tender_ledger.archived_task.ended_at is 'When it ended.';
comment on column tender_ledger.archived_task.paid_micro is 'Paid over all its commitments.';
comment on column tender_ledger.archived_task.units is 'Its units.';
comment on column tender_ledger.archived_task.units_done is 'Units accepted over all its commitments.';
comment on column tender_ledger.archived_task.round is 'Number of its last round.';
comment on column tender_ledger.archived_task.shard is 'Shard of the paying account.';
comment on column tender_ledger.archived_task.state is 'Word task_state: done, unallocated or cancelled.';
comment on column tender_ledger.archived_task.reason is 'Why it ended: word reason.';
comment on column tender_ledger.archived_task.task_id is 'The task.';
comment on column tender_ledger.archived_task.client is 'Agent that announced it.';
comment on column tender_ledger.archived_task.again is
    'The ended task that it replaced under its key; each is replaced once.';
comment on column tender_ledger.archived_task.principal is 'Whose account paid.';
comment on column tender_ledger.archived_task.key is 'The client''s key.';

-- What movements the archives have, so that postings add up to the balances without them.
create table tender_ledger.archived_money (
    from_id uuid not null,
    amount_micro bigint not null,
    movements bigint not null,
    shard smallint not null,
    told_by text collate "C" not null,
    from_principal text collate "C" not null,
    from_bucket text collate "C" not null,
    to_principal text collate "C" not null,
    to_bucket text collate "C" not null,
    constraint archived_money_is_one_per_way primary key (shard, from_id, told_by,
        from_principal, from_bucket, to_principal, to_bucket),
    constraint archived_money_is_of_a_partition foreign key (from_id)
        references tender_ledger.partition,
    constraint archived_money_was_told_by_a_table check (told_by in ('task', 'transfer')),
    constraint archived_money_moved_something check (amount_micro > 0 and movements > 0)
);
comment on table tender_ledger.archived_money is
    'Sums of the movements of money that only archives tell one by one.';
comment on column tender_ledger.archived_money.from_id is 'The partition.';
comment on column tender_ledger.archived_money.amount_micro is 'Micro-credits moved in all.';
comment on column tender_ledger.archived_money.movements is 'In how many movements.';
comment on column tender_ledger.archived_money.shard is 'Shard of the payer.';
comment on column tender_ledger.archived_money.told_by is
    'task: the rows of tasks and their ends, while those are still there; transfer: rows that are gone.';
comment on column tender_ledger.archived_money.from_principal is 'Who has less.';
comment on column tender_ledger.archived_money.from_bucket is 'available, reserved or earned.';
comment on column tender_ledger.archived_money.to_principal is 'Who has more.';
comment on column tender_ledger.archived_money.to_bucket is 'available, reserved or earned.';

-- Rows that lie beside a task go when its archive stands, and not before.
create function tender_ledger.refuse_loss() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    if exists (
        select
        from gone g
        where not exists (
            select
            from tender_ledger.partition p
            where p.state in ('detached', 'archived') and g.task_id >= p.from_id
                and g.task_id < p.to_id)) then
        raise exception using
            errcode = 'TN005',
            message = format('%s is append-only', tg_table_name),
            hint = 'What is over leaves by tender ledger archive.';
    end if;
    return null;
end
$$;
comment on function tender_ledger.refuse_loss() is
    'Trigger: refuses to delete rows of tasks that are in no archive.';

do $$
declare
    v_table text;
    v_trigger text;
    v_comment text;
begin
    for v_table in
        select unnest(array['task_key', 'transfer', 'posted', 'task_need', 'task_goal',
            'task_after', 'delivery', 'adoption', 'measured'])
    loop
        v_trigger := v_table || '_is_append_only';
        v_comment := obj_description((
            select t.oid
            from pg_trigger t
            where t.tgname = v_trigger and t.tgrelid = ('tender_ledger.' || v_table)::regclass),
            'pg_trigger');
        execute format('drop trigger %I on tender_ledger.%I', v_trigger, v_table);
        execute format('create trigger %I before update or truncate on tender_ledger.%I '
            'for each statement execute function tender_ledger.refuse_change()', v_trigger, v_table);
        execute format('comment on trigger %I on tender_ledger.%I is %L', v_trigger, v_table,
            v_comment);
        execute format('create trigger %I after delete on tender_ledger.%I '
            'referencing old table as gone for each statement '
            'execute function tender_ledger.refuse_loss()', v_table || '_goes_when_archived', v_table);
        execute format('comment on trigger %I on tender_ledger.%I is %L',
            v_table || '_goes_when_archived', v_table,
            'A row goes when the archive of its task stands.');
    end loop;
end
$$;
