create or replace view tender.loss as
select l.shard, l.reign, b.broker, l.told_batch - l.held_batch as batches, l.held_batch, l.told_batch,
    l.seen_at, l.peer, l.closed_at, l.closed_by
from tender_ledger.loss l
left join tender_ledger.reign_begin b
    on b.shard = l.shard and b.reign = l.reign and b.mark = l.mark;
comment on view tender.loss is
    'Commits that peers were told of and that the database lost when it failed over or was restored.';
comment on column tender.loss.shard is 'The shard.';
comment on column tender.loss.reign is 'Reign whose batches are missing.';
comment on column tender.loss.broker is 'Broker that reigned; null where the reign itself is lost.';
comment on column tender.loss.batches is 'How many batches are missing at least.';
comment on column tender.loss.held_batch is 'The last batch of that reign that is held.';
comment on column tender.loss.told_batch is 'The highest batch that somebody was told is held.';
comment on column tender.loss.seen_at is 'When it was first seen.';
comment on column tender.loss.peer is 'Who was told of the highest.';
comment on column tender.loss.closed_at is 'When an operator closed it (tender.close_losses).';
comment on column tender.loss.closed_by is 'Operator that closed it.';
grant select on tender.loss to tender_auditor, tender_reader;
