create or replace view tender.agent with (security_barrier) as
select a.agent, a.principal, 'ed25519:' || a.key as key, a.skills, a.is_revoked, a.said_by,
    timestamptz 'epoch' + a.said_at_us * interval '1 microsecond' as said_at
from tender_ledger.agent a
where a.shard = 0 -- all shards have the same
    and ((select tender_ledger.reads_all(current_user)) or a.principal = current_user);
comment on view tender.agent is 'Agents that are enrolled by their name; a principal''s key speaks for others too.';
comment on column tender.agent.agent is 'Its name.';
comment on column tender.agent.principal is 'Whose agent it is.';
comment on column tender.agent.key is 'Public key that speaks as this agent; null: that of its principal alone.';
comment on column tender.agent.skills is 'Skills that it may offer; empty: any.';
comment on column tender.agent.is_revoked is 'Whether it may say nothing any more.';
comment on column tender.agent.said_by is 'Who enrolled it, gave it this key or revoked it.';
comment on column tender.agent.said_at is 'When.';
grant select on tender.agent to tender_auditor, tender_reader, tender_principal;
