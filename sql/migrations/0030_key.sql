-- Principals and agents with their keys are entries of the house, which house_fact finds by their name, in
-- every shard; nothing else is stored.
alter table tender_ledger.inbox drop constraint inbox_kind_exists;
alter table tender_ledger.inbox add constraint inbox_kind_exists check (kind in ('announce', 'cancel',
    'close', 'release', 'fund', 'accept', 'reject', 'believe', 'adopt', 'hold', 'rate', 'resource', 'enrol'))
    not valid;

create view tender_ledger.principal as
select f.shard, f.subject as principal, f.body ->> 'parent' as parent, f.body ->> 'key' as key,
    coalesce((f.body ->> 'revoked')::integer, 0) = 1 as is_revoked,
    (f.body ->> 'said_at_us')::bigint as said_at_us, f.body ->> 'by' as said_by, f.at as recorded_at
from tender_ledger.fact f
where f.kind = 29;
comment on view tender_ledger.principal is 'Principals that were enrolled, once for each shard.';
comment on column tender_ledger.principal.shard is 'The shard.';
comment on column tender_ledger.principal.principal is 'Its name.';
comment on column tender_ledger.principal.parent is 'Principal in whose budget it spends; null: its own.';
comment on column tender_ledger.principal.key is 'Its public key, in hexadecimal digits; null: none.';
comment on column tender_ledger.principal.is_revoked is 'Whether it may say nothing any more.';
comment on column tender_ledger.principal.said_at_us is 'When it was said, in microseconds; the latest counts.';
comment on column tender_ledger.principal.said_by is 'Who said so.';
comment on column tender_ledger.principal.recorded_at is 'Since when the shard has it.';

create view tender_ledger.agent as
select f.shard, f.subject as agent, f.body ->> 'principal' as principal, f.body ->> 'key' as key,
    array(select jsonb_array_elements_text(coalesce(f.body -> 'skills', '[]'))) as skills,
    coalesce((f.body ->> 'revoked')::integer, 0) = 1 as is_revoked,
    (f.body ->> 'said_at_us')::bigint as said_at_us, f.body ->> 'by' as said_by, f.at as recorded_at
from tender_ledger.fact f
where f.kind = 34;
comment on view tender_ledger.agent is 'Agents that were enrolled, once for each shard.';
comment on column tender_ledger.agent.shard is 'The shard.';
comment on column tender_ledger.agent.agent is 'Its name.';
comment on column tender_ledger.agent.principal is 'Whose agent it is.';
comment on column tender_ledger.agent.key is
    'Its own public key, in hexadecimal digits; null: that of its principal alone.';
comment on column tender_ledger.agent.skills is 'Skills that it may offer; empty: any.';
comment on column tender_ledger.agent.is_revoked is 'Whether it may say nothing any more.';
comment on column tender_ledger.agent.said_at_us is 'When it was said, in microseconds; the latest counts.';
comment on column tender_ledger.agent.said_by is 'Who said so.';
comment on column tender_ledger.agent.recorded_at is 'Since when the shard has it.';
