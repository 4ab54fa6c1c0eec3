create or replace view tender.principal with (security_barrier) as
select p.principal, p.parent, 'ed25519:' || p.key as key, p.is_revoked, p.said_by,
    timestamptz 'epoch' + p.said_at_us * interval '1 microsecond' as said_at
from tender_ledger.principal p
where p.shard = 0 -- all shards have the same
    and ((select tender_ledger.reads_all(current_user)) or p.principal = current_user);
comment on view tender.principal is 'Who is enrolled to announce and to work, and by which key it is known.';
comment on column tender.principal.principal is 'Its name.';
comment on column tender.principal.parent is 'Principal in whose budget it spends; null: its own.';
comment on column tender.principal.key is
    'Public key that speaks as any agent of it; null: only keys of its agents speak.';
comment on column tender.principal.is_revoked is 'Whether it and its agents may say nothing any more.';
comment on column tender.principal.said_by is 'Who enrolled it, gave it this key or revoked it.';
comment on column tender.principal.said_at is 'When.';
grant select on tender.principal to tender_auditor, tender_reader, tender_principal;
