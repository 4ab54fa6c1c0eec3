-- Which broker signs by which key. A checkpoint names the key that it is signed by; whose that is was known to
-- operators alone. Keys that have signed already are noted as those of the broker that held the shard last.
create table tender_ledger.broker_key (
    since_at timestamptz not null,
    shard smallint not null,
    broker text not null,
    key bytea not null,
    constraint broker_key_is_noted_once primary key (shard, broker, since_at),
    constraint broker_key_is_ed25519 check (octet_length(key) = 32)
);
comment on table tender_ledger.broker_key is 'By which key brokers have signed, in each shard.';
comment on column tender_ledger.broker_key.since_at is 'Since when: a broker signs by the newest.';
comment on column tender_ledger.broker_key.shard is 'The shard.';
comment on column tender_ledger.broker_key.broker is 'Name of the broker.';
comment on column tender_ledger.broker_key.key is 'Its Ed25519 public key.';
create trigger broker_key_is_append_only
    before update or delete or truncate on tender_ledger.broker_key
    for each statement execute function tender_ledger.refuse_change();
comment on trigger broker_key_is_append_only on tender_ledger.broker_key is
    'Who has signed by a key has signed by it.';

insert into tender_ledger.broker_key (since_at, shard, broker, key)
select min(c.at), c.shard, r.broker, c.key
from tender_ledger.checkpoint c
join tender_ledger.reign r on r.shard = c.shard
group by c.shard, r.broker, c.key;
