-- Every fact is an entry; all other tables are kept from entries and could be made again from them.
--
-- Columns are ordered by alignment, since this is the table that grows: about five rows a task.
-- The body is text rather than json: the program writes it, its hash covers the bytes, and checking
-- the syntax of each body again would cost more than storing it.
create table tender_ledger.entry (
    at timestamptz not null,
    number integer not null,
    shard smallint not null,
    kind smallint not null,
    task_id uuid not null,
    hash bytea not null,
    body text collate "C" not null,
    content bytea,
    constraint entry_has_one_place_in_its_chain primary key (shard, task_id, number),
    constraint entry_number_counts_from_one check (number >= 1),
    constraint entry_hash_is_sha256 check (octet_length(hash) = 32),
    constraint entry_is_at_an_instant check (at > '-infinity' and at < 'infinity')
);
-- Content is compressed or not by who made it; trying again here is work for nothing.
alter table tender_ledger.entry alter column content set storage external;

comment on table tender_ledger.entry is
    'The facts: append-only, hash-chained per task. The nil task is the house: enrolments, money, recess.';
comment on column tender_ledger.entry.at is 'Stamp of the event that caused it.';
comment on column tender_ledger.entry.number is 'Place in the chain of its task, from 1.';
comment on column tender_ledger.entry.shard is 'Shard of the paying account.';
comment on column tender_ledger.entry.kind is 'What happened: word entry_kind.';
comment on column tender_ledger.entry.task_id is 'The task, or all zero for the house.';
comment on column tender_ledger.entry.hash is
    'SHA-256 over the hash before it and all that is in this row but the content, which the body digests.';
comment on column tender_ledger.entry.body is 'The fact, a JSON object; its bytes are what was hashed.';
comment on column tender_ledger.entry.content is 'Payload or result, whose digest the body carries.';

create function tender_ledger.refuse_change() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    raise exception using
        errcode = 'TN005',
        message = format('%s is append-only', tg_table_name),
        hint = 'Facts are corrected by further facts.';
end
$$;
comment on function tender_ledger.refuse_change() is 'Trigger: refuses whatever it is fired for.';

create trigger entry_is_append_only
    before update or delete or truncate on tender_ledger.entry
    for each statement execute function tender_ledger.refuse_change();
comment on trigger entry_is_append_only on tender_ledger.entry is
    'Also its owner adds to the ledger and never changes it.';
