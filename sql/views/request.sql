create or replace view tender.request with (security_barrier) as
select i.request, i.kind, i.peer, i.principal, i.body, i.asked_at, i.answer, i.answered_at
from tender_ledger.inbox i
where i.principal = current_user or (
    select pg_has_role(current_user, 'tender_auditor', 'member')
        or pg_has_role(current_user, 'tender_owner', 'member'));
comment on view tender.request is
    'Requests made in SQL and the broker''s answers: one''s own, and all of them for operators and auditors.';
comment on column tender.request.request is 'Number that the function returned.';
comment on column tender.request.kind is 'What was asked.';
comment on column tender.request.peer is 'Agent it speaks for.';
comment on column tender.request.principal is 'Principal it speaks for.';
comment on column tender.request.body is 'What was asked, by the names of the protocol''s fields.';
comment on column tender.request.asked_at is 'When it was asked.';
comment on column tender.request.answer is
    'What the broker said, by the same names; null until it has.';
comment on column tender.request.answered_at is 'When it said so.';
grant select on tender.request to tender_auditor, tender_principal;
