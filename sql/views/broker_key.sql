create or replace view tender.broker_key as
select k.broker, k.shard::integer as shard, 'ed25519:' || encode(k.key, 'hex') as key, k.since_at,
    lead(k.since_at) over (partition by k.shard, k.broker order by k.since_at) as until_at
from tender_ledger.broker_key k;
comment on view tender.broker_key is
    'By which key each broker has signed in each shard, and since when. A copy of the key from elsewhere is what shows that it is right.';
comment on column tender.broker_key.broker is 'Name of the broker.';
comment on column tender.broker_key.shard is 'The shard.';
comment on column tender.broker_key.key is 'Its public key, as TENDER_BROKER_KEY takes it.';
comment on column tender.broker_key.since_at is 'Since when.';
comment on column tender.broker_key.until_at is 'When it began to sign by another one; null: it did not.';
grant select on tender.broker_key to tender_auditor, tender_reader;
