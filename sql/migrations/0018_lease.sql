-- A broker reigns as long as its lease runs, which every batch renews. Another takes over when it has
-- run out, or was given back; and since the holder says nothing that it only remembers once its own
-- clock has passed the end, nobody hears two brokers. The number of the reign still is what fences.
alter table tender_ledger.reign
    add column lease_ends_at timestamptz not null default 'epoch',
    add column lease interval not null default '2 s',
    add column urls text collate "C" not null default '',
    add constraint reign_lease_is_finite check (isfinite(lease_ends_at)),
    add constraint reign_lease_lasts check (lease > interval '0');
comment on column tender_ledger.reign.lease_ends_at is
    'Until when the shard is the broker''s, by the database''s clock.';
comment on column tender_ledger.reign.lease is 'By how much a batch renews the lease.';
comment on column tender_ledger.reign.urls is 'Where peers find the broker, with spaces between.';

-- Brokers that live, those that only stand by included: each counts them to know its share.
create table tender_ledger.broker (
    gone_at timestamptz not null,
    broker text collate "C" not null,
    urls text collate "C" not null,
    constraint broker_has_one_row primary key (broker),
    constraint broker_has_a_name check (octet_length(broker) between 1 and 64),
    constraint broker_gone_is_finite check (isfinite(gone_at))
) with (fillfactor = 50);
comment on table tender_ledger.broker is 'Brokers that share the ledger or stand by.';
comment on column tender_ledger.broker.gone_at is 'Counts as gone from then on.';
comment on column tender_ledger.broker.broker is 'Name of the broker.';
comment on column tender_ledger.broker.urls is 'Where peers find it, with spaces between.';

drop function if exists tender_ledger.begin_reign(smallint, text);
