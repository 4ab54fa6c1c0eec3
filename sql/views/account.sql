create or replace view tender.account with (security_barrier) as
select a.principal, (sum(a.available_micro) / 1000000.0)::numeric(20, 6) as available,
    (sum(a.reserved_micro) / 1000000.0)::numeric(20, 6) as reserved,
    (sum(a.spent_micro) / 1000000.0)::numeric(20, 6) as spent,
    (sum(a.earned_micro) / 1000000.0)::numeric(20, 6) as earned,
    (sum(a.issued_micro) / 1000000.0)::numeric(20, 6) as issued
from tender_ledger.account a
where (select tender_ledger.reads_all(current_user)) or a.principal = current_user
group by a.principal;
comment on view tender.account is
    'Balances of principals, in credits: issued is available, reserved and spent together.';
comment on column tender.account.principal is 'Whose account it is.';
comment on column tender.account.available is 'Free to be reserved.';
comment on column tender.account.reserved is 'Reserved for tasks that have not ended.';
comment on column tender.account.spent is 'Paid to others.';
comment on column tender.account.earned is 'Paid by others for kept commitments.';
comment on column tender.account.issued is 'Put in, less what was taken out.';
grant select on tender.account to tender_auditor, tender_reader, tender_principal;
