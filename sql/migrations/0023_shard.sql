-- A ledger has as many shards as it was made with, each a whole ledger in little that one broker writes
-- at a time; so several brokers can share it. An account's shard follows from its principal's name, a
-- task's from its identifier, which the broker makes so.
create table tender_ledger.ledger (
    shards smallint not null,
    is_only boolean not null default true,
    constraint ledger_is_one primary key (is_only),
    constraint ledger_is_the_only_one check (is_only),
    constraint ledger_has_shards check (shards between 1 and 64)
);
comment on table tender_ledger.ledger is 'One row: what the ledger was made with.';
comment on column tender_ledger.ledger.shards is 'How many shards there are; fixed once a broker has reigned.';
comment on column tender_ledger.ledger.is_only is 'Always true: there is one row.';
insert into tender_ledger.ledger (shards) values (1);

-- Contractors enrol with each broker, in the first of its shards.
create view tender_ledger.enrolment as
select distinct on (c.contractor) c.*
from tender_ledger.contractor c
order by c.contractor, c.departed_at desc nulls first, c.enrolled_at desc;
comment on view tender_ledger.enrolment is 'Where a contractor is enrolled, or was last.';
comment on column tender_ledger.enrolment.contractor is 'Name of the agent.';
comment on column tender_ledger.enrolment.principal is 'Whose agent it is.';
comment on column tender_ledger.enrolment.skills is 'Skills it last offered.';
comment on column tender_ledger.enrolment.slots is 'Commitments it may hold at once.';
comment on column tender_ledger.enrolment.shard is 'Whose house has it.';
comment on column tender_ledger.enrolment.number is 'The entry that says so.';
comment on column tender_ledger.enrolment.enrolled_at is 'When it last offered.';
comment on column tender_ledger.enrolment.departed_at is 'When it was last found gone, if since.';
comment on column tender_ledger.enrolment.departed_reason is 'Why it is gone.';
