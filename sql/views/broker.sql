create or replace view tender.broker as
select coalesce(r.broker, b.broker) as broker, r.shard::integer as shard, r.reign,
    coalesce(r.urls, b.urls) as urls, r.stamp_at, r.lease_ends_at,
    case when r.lease_ends_at > clock_timestamp()
            and r.lease_ends_at <= clock_timestamp() + 6 * r.lease then 'reigns'
        when r.broker is not null then 'gone'
        when tender_ledger.broker_lives(b.gone_at, b.backend_pid) then 'stands by'
        else 'gone' end as state,
    (
        select 'ed25519:' || encode(k.key, 'hex')
        from tender_ledger.broker_key k
        where k.broker = coalesce(r.broker, b.broker)
        order by k.since_at desc
        limit 1
    ) as key
from tender_ledger.reign r
full join tender_ledger.broker b on b.broker = r.broker;
comment on view tender.broker is
    'Which broker holds which shard, and which stand by; one that is gone stays listed with what it held last.';
comment on column tender.broker.broker is 'Name of the broker.';
comment on column tender.broker.shard is 'Shard that it holds or held last; null where it holds none.';
comment on column tender.broker.reign is 'Number of that reign.';
comment on column tender.broker.urls is 'Where peers find it, with spaces between.';
comment on column tender.broker.stamp_at is 'Stamp of the last batch.';
comment on column tender.broker.lease_ends_at is 'Until when the shard is its own, unless it renews that.';
comment on column tender.broker.state is 'reigns, stands by, or gone.';
comment on column tender.broker.key is 'Public key by which it signs (tender.broker_key); null: it never held a shard.';
grant select on tender.broker to tender_auditor, tender_reader;
