-- A broker that stands by lives as long as its connection does: whoever shares the ledger with one that
-- ended need not wait until its word has run out. Brokers of before leave no backend, and their word counts.
alter table tender_ledger.broker add column backend_pid integer;
comment on column tender_ledger.broker.backend_pid is 'Backend through which it said so.';
