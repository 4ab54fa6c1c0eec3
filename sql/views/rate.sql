create or replace view tender.rate as
select e.body ->> 'skill' as skill, e.body ->> 'tier' as tier,
    ((e.body ->> 'rate_micro')::bigint / 1000000.0)::numeric(20, 6) as rate,
    (coalesce(e.body ->> 'threshold_micro', '0')::bigint / 1000000.0)::numeric(20, 6) as threshold,
    (coalesce(e.body ->> 'share_ppm', '0')::bigint / 1000000.0)::numeric(7, 6) as share,
    e.body ->> 'by' as set_by, e.at as set_at
from tender_ledger.fact e
where e.kind = 25 and e.shard = 0; -- all shards have the same
comment on view tender.rate is 'The rate card: prices at which cheap work is assigned without an auction.';
comment on column tender.rate.skill is 'The skill.';
comment on column tender.rate.tier is 'The tier that tasks name; null: tasks that name none.';
comment on column tender.rate.rate is 'Price of a unit, in credits.';
comment on column tender.rate.threshold is
    'Tasks whose units cost more at the rate are auctioned, in credits.';
comment on column tender.rate.share is 'Share of the tasks that is auctioned all the same.';
comment on column tender.rate.set_by is 'Who set it.';
comment on column tender.rate.set_at is 'When.';
grant select on tender.rate to tender_auditor, tender_reader, tender_principal;
