-- Holds are entries of the house, which house_fact finds by their subject; nothing else is stored.
-- `release` takes more than a task now, so the one that takes only that is dropped first.
drop function if exists tender.release(uuid);

create view tender_ledger.fact as
select f.shard, f.kind, f.subject, f.number, e.at, e.body::jsonb as body
from tender_ledger.house_fact f
cross join lateral (
    select r.*
    from tender_ledger.entry_row r
    where r.shard = f.shard and r.task_id = '00000000-0000-0000-0000-000000000000'
        and r.number between f.number - 1 and f.number
    offset 0
) r
cross join lateral (
    values (r.number, r.at, r.kind, r.body), (r.number + 1, r.next_at, r.next_kind, r.next_body)
) e (number, at, kind, body)
where e.number = f.number and e.kind is not null;
comment on view tender_ledger.fact is
    'What the house says by subject: the newest entry about each, found by its place in the chain.';
comment on column tender_ledger.fact.shard is 'The shard.';
comment on column tender_ledger.fact.kind is 'Of the entry: word entry_kind.';
comment on column tender_ledger.fact.subject is 'What it is about.';
comment on column tender_ledger.fact.number is 'Number of the entry in the house chain.';
comment on column tender_ledger.fact.at is 'Its stamp.';
comment on column tender_ledger.fact.body is 'What it says.';
