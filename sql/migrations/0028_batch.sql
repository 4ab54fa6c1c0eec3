-- Each batch that has entries is a leaf of a hash tree as RFC 6962 has it, one tree for each shard: who
-- has seen the root over its first leaves knows of every entry in them, and whether any of it was changed,
-- taken out or put in since (ledger/CHAIN.md). The row also says which entries the batch has, in the order
-- in which they were recorded, by runs of one chain; so they are found by their keys, and what is missing
-- or too much has a name.
alter table tender_ledger.ledger add column id uuid not null default gen_random_uuid();
comment on column tender_ledger.ledger.id is 'Names this ledger in what is signed over it.';

create table tender_ledger.batch (
    at timestamptz not null,
    leaf bigint not null,
    batch bigint not null,
    entries integer not null,
    shard smallint not null,
    root bytea not null,
    peak bytea not null,
    task_ids uuid[] not null,
    numbers integer[] not null,
    counts smallint[] not null,
    marks bigint[] not null,
    constraint batch_is_one_leaf primary key (shard, leaf),
    constraint batch_leaf_counts_from_zero check (leaf >= 0),
    constraint batch_has_entries check (entries >= 1),
    constraint batch_hash_is_sha256 check (octet_length(root) = 32 and octet_length(peak) = 32),
    constraint batch_runs_are_whole check (
        cardinality(task_ids) >= 1 and cardinality(numbers) = cardinality(task_ids)
        and cardinality(counts) = cardinality(task_ids) and cardinality(marks) = cardinality(task_ids))
);
-- What is hashed does not compress, and says nothing to who plans.
alter table tender_ledger.batch
    alter column task_ids set storage external, alter column task_ids set statistics 0,
    alter column numbers set storage external, alter column numbers set statistics 0,
    alter column counts set storage external, alter column counts set statistics 0,
    alter column marks set storage external, alter column marks set statistics 0,
    alter column root set statistics 0, alter column peak set statistics 0;
comment on table tender_ledger.batch is
    'One row per batch that has entries: a leaf of the tree of its shard, and which entries those are.';
comment on column tender_ledger.batch.at is 'Stamp of the newest of its entries.';
comment on column tender_ledger.batch.leaf is 'Place in the tree, from 0.';
comment on column tender_ledger.batch.batch is 'Its number.';
comment on column tender_ledger.batch.entries is 'How many entries it has.';
comment on column tender_ledger.batch.shard is 'The shard.';
comment on column tender_ledger.batch.root is 'Root of the tree over the hashes of its entries.';
comment on column tender_ledger.batch.peak is
    'Root of the largest whole subtree that ends with this leaf: the tree goes on from these alone.';
comment on column tender_ledger.batch.task_ids is
    'Its entries, in their order, as runs of one chain: the task of each run, all zero for the house.';
comment on column tender_ledger.batch.numbers is 'The number of the first entry of each run.';
comment on column tender_ledger.batch.counts is 'How many entries each run has.';
comment on column tender_ledger.batch.marks is
    'The first eight bytes of the hash of the last entry of each run, which name it when it was changed.';

create trigger batch_is_append_only
    before update or delete or truncate on tender_ledger.batch
    for each statement execute function tender_ledger.refuse_change();
comment on trigger batch_is_append_only on tender_ledger.batch is
    'Also its owner adds to the tree and never changes it.';

create table tender_ledger.tree (
    since_at timestamptz not null,
    shard smallint not null,
    constraint tree_is_one_per_shard primary key (shard)
);
comment on table tender_ledger.tree is 'One row per shard whose batches are leaves of a tree.';
comment on column tender_ledger.tree.since_at is
    'Entries up to then may be in no batch: they are from before there was a tree.';
comment on column tender_ledger.tree.shard is 'The shard.';
