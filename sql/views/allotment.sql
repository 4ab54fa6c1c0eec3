create or replace view tender.allotment with (security_barrier) as
select a.request, a.from_principal, a.to_principal, a.amount_micro / 1000000.0 as credits, a.state as status,
    f.asked_at, l.answered_at, a.request_in
from tender_ledger.allotment a
join tender_ledger.inbox f on f.request = a.request
join tender_ledger.inbox l on l.request = a.step
where (select tender_ledger.reads_all(current_user)) or current_user in (a.from_principal, a.to_principal);
comment on view tender.allotment is 'Credits that were moved from one account into another: budgets within budgets.';
comment on column tender.allotment.request is 'Number that tender.allot returned.';
comment on column tender.allotment.from_principal is 'Out of whose account.';
comment on column tender.allotment.to_principal is 'Into whose.';
comment on column tender.allotment.credits is 'How many.';
comment on column tender.allotment.status is
    'asked; refused (less was available); taken, on their way; given; returning and returned (no room for them).';
comment on column tender.allotment.asked_at is 'When it was asked for.';
comment on column tender.allotment.answered_at is 'When its last step so far was answered.';
comment on column tender.allotment.request_in is 'Number of the request that puts them in; null: not yet.';
grant select on tender.allotment to tender_auditor, tender_reader, tender_principal;
