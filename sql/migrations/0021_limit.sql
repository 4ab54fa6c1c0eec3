-- Which limits brokers have met, how often, and when last: for `tender check`, which cannot see their
-- logs. Counts are noted seconds after the fact and may miss what a broker met just before it was killed.
create table tender_ledger.limit_met (
    last_at timestamptz not null,
    times bigint not null,
    broker text not null,
    name text not null,
    consequence text not null,
    constraint limit_has_one_row primary key (broker, name),
    constraint limit_was_met check (times > 0)
);
comment on table tender_ledger.limit_met is 'Limits that brokers have met.';
comment on column tender_ledger.limit_met.last_at is 'When it was noted last.';
comment on column tender_ledger.limit_met.times is 'How often it was met.';
comment on column tender_ledger.limit_met.broker is 'Name of the broker.';
comment on column tender_ledger.limit_met.name is 'The limit: an option of tenderd, or a name in ops/limits.md.';
comment on column tender_ledger.limit_met.consequence is 'What happens to whoever meets it.';
