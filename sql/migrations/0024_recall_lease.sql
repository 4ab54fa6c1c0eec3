-- Who takes over has a longer lease at once, so that the recall and the batch behind it fit in. The first
-- batch of the reign keeps it, and the second ends it: which batch that is, the row has to say.
alter table tender_ledger.reign add column first_batch bigint not null default 0;
comment on column tender_ledger.reign.first_batch is
    'Number of the first batch of this reign: the lease of its recall lasts until the one behind it.';
