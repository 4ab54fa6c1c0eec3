create or replace view tender.limit_met as
select l.broker, l.name, l.times, l.last_at, l.consequence
from tender_ledger.limit_met l;
comment on view tender.limit_met is 'Limits that brokers have met (ops/limits.md), since the ledger was made.';
comment on column tender.limit_met.broker is 'Name of the broker.';
comment on column tender.limit_met.name is 'The limit: an option of tenderd, or a name in ops/limits.md.';
comment on column tender.limit_met.times is 'How often it was met, at least.';
comment on column tender.limit_met.last_at is 'When it was noted last.';
comment on column tender.limit_met.consequence is 'What happens to whoever meets it.';
grant select on tender.limit_met to tender_auditor, tender_reader;
