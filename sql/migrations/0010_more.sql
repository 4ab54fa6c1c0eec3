-- Room for the rest of the mechanism: more kinds of requests, functions that take or return more than
-- they did (made again behind the migrations), and the facts of the house by their subjects.
alter table tender_ledger.inbox drop constraint inbox_kind_exists;
alter table tender_ledger.inbox add constraint inbox_kind_exists check (kind in ('announce', 'cancel',
    'close', 'release', 'fund', 'accept', 'reject', 'believe', 'adopt', 'hold', 'rate', 'resource'));

drop function if exists tender.announce(text, text, bigint, numeric, interval, interval, text, text,
    timestamptz, integer, interval, interval, interval, integer, text, numeric, boolean, text, uuid,
    bytea);
drop function if exists tender.explain(uuid);

-- Rates, counts, holds and beliefs about goals are entries of the house, and the newest about a subject
-- is what holds. A broker that restarts finds those by this table, however long the chain is.
create table tender_ledger.house_fact (
    number integer not null,
    kind smallint not null,
    shard smallint not null,
    subject text collate "C" not null,
    constraint house_fact_is_one_per_subject primary key (shard, kind, subject),
    constraint house_fact_counts_from_one check (number >= 1)
);
comment on table tender_ledger.house_fact is
    'The newest entry of the house about each subject, while it holds.';
comment on column tender_ledger.house_fact.number is 'Number of the entry in the house chain.';
comment on column tender_ledger.house_fact.kind is 'Of the entry: word entry_kind.';
comment on column tender_ledger.house_fact.shard is 'The shard.';
comment on column tender_ledger.house_fact.subject is
    'What it is about: the names that the kind is told apart by, separated by blanks.';

-- A few bytes a page, and rows come in the order of their ends: what lately ended is found at once.
create index commitment_by_time on tender_ledger.commitment using brin (ended_at);
comment on index tender_ledger.commitment_by_time is 'Finds what lately ended.';
