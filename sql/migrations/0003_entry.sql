-- Every fact is an entry; all other tables are kept from entries and could be made again from them.
--
-- The table grows by a few rows a task, so a row is what there is to save: an entry that follows
-- another of its chain in the same batch, as the opening of a round follows its announcement and the
-- award its bids, shares its row. People and functions read the view `entry`, which shows one row each.
-- Columns are ordered by alignment. The body is text rather than json: the program writes it, its hash
-- covers the bytes, and checking the syntax of each body again would cost more than storing it.
create table tender_ledger.entry_row (
    at timestamptz not null,
    next_at timestamptz,
    number integer not null,
    shard smallint not null,
    kind smallint not null,
    next_kind smallint,
    task_id uuid not null,
    hash bytea not null,
    next_hash bytea,
    body text collate "C" not null,
    next_body text collate "C",
    content bytea,
    next_content bytea,
    constraint entry_has_one_place_in_its_chain primary key (shard, task_id, number),
    constraint entry_number_counts_from_one check (number >= 1),
    constraint entry_hash_is_sha256 check (octet_length(hash) = 32 and octet_length(next_hash) = 32),
    constraint entry_is_at_an_instant check (
        at > '-infinity' and at < 'infinity' and next_at >= at and next_at < 'infinity'),
    constraint entry_is_whole check (
        num_nonnulls(next_at, next_hash, next_body) = case when next_kind is null then 0 else 3 end)
);
-- Content is compressed or not by who made it; trying again here is work for nothing.
alter table tender_ledger.entry_row alter column content set storage external;
alter table tender_ledger.entry_row alter column next_content set storage external;

comment on table tender_ledger.entry_row is
    'The facts as they are stored, one or two in a row: append-only. The view entry shows them.';
comment on column tender_ledger.entry_row.at is 'Stamp of the event that caused it.';
comment on column tender_ledger.entry_row.next_at is 'The same of the entry after it, where that is in this row.';
comment on column tender_ledger.entry_row.number is 'Place in the chain of its task, from 1.';
comment on column tender_ledger.entry_row.shard is 'Shard of the paying account.';
comment on column tender_ledger.entry_row.kind is 'What happened: word entry_kind.';
comment on column tender_ledger.entry_row.next_kind is 'The same of the entry after it.';
comment on column tender_ledger.entry_row.task_id is 'The task, or all zero for the house.';
comment on column tender_ledger.entry_row.hash is
    'SHA-256 over the hash before it and all that the entry is but its content, which the body digests.';
comment on column tender_ledger.entry_row.next_hash is 'The same of the entry after it.';
comment on column tender_ledger.entry_row.body is 'The fact, a JSON object; its bytes are what was hashed.';
comment on column tender_ledger.entry_row.next_body is 'The same of the entry after it.';
comment on column tender_ledger.entry_row.content is 'Payload or result, whose digest the body carries.';
comment on column tender_ledger.entry_row.next_content is 'The same of the entry after it.';

create view tender_ledger.entry as
select e.at, e.number, r.shard, e.kind, r.task_id, e.hash, e.body, e.content
from tender_ledger.entry_row r
cross join lateral (
    values (r.at, r.number, r.kind, r.hash, r.body, r.content),
        (r.next_at, r.number + 1, r.next_kind, r.next_hash, r.next_body, r.next_content)
) e (at, number, kind, hash, body, content)
where e.kind is not null;
comment on view tender_ledger.entry is
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
    before update or delete or truncate on tender_ledger.entry_row
    for each statement execute function tender_ledger.refuse_change();
comment on trigger entry_is_append_only on tender_ledger.entry_row is
    'Also its owner adds to the ledger and never changes it.';
