-- One broker writes a shard at a time. Each batch takes this row first, so a broker that was
-- superseded is refused with its whole batch, and a batch that was sent twice is recognised.
create table tender_ledger.reign (
    stamp_at timestamptz,
    reign bigint not null,
    batch bigint not null,
    backend_pid integer,
    shard smallint not null,
    broker text not null,
    constraint reign_is_one_per_shard primary key (shard),
    constraint reign_counts_from_one check (reign >= 1),
    constraint reign_batch_is_not_negative check (batch >= 0),
    constraint reign_stamp_is_finite check (isfinite(stamp_at))
) with (fillfactor = 50);
comment on table tender_ledger.reign is 'Which broker may write, per shard, and how far it came.';
comment on column tender_ledger.reign.stamp_at is
    'Stamp of the last batch, idle ones included: a recess begins here after a crash.';
comment on column tender_ledger.reign.reign is 'Number of the reign; fences every write.';
comment on column tender_ledger.reign.batch is 'Number of the last batch held.';
comment on column tender_ledger.reign.backend_pid is 'Backend that the broker writes through.';
comment on column tender_ledger.reign.shard is 'The shard.';
comment on column tender_ledger.reign.broker is 'Name of the broker, for people.';
