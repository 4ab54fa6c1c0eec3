-- Looks through the rows of tasks that go on, so it costs the same however long the history is.
create or replace view tender.overdue with (security_barrier) as
select p.task_id || case when p.part = 0 then '/' else '/' || p.part || '.' end || p.generation
        as commitment_id,
    p.task_id, p.owner, p.principal, t.client as creditor, p.due_at,
    clock_timestamp() - p.due_at as overdue_by, p.units, p.units_done,
    (p.price_micro / 1000000.0)::numeric(20, 6) as price
from tender_ledger.promise p
join tender_ledger.task t on t.shard = p.shard and t.task_id = p.task_id
where p.state = 1 and p.due_at < clock_timestamp()
    and ((select tender_ledger.reads_all(current_user)) or p.principal = current_user or t.principal = current_user);
comment on view tender.overdue is
    'Active commitments past their due time: empty within a second while a broker runs.';
comment on column tender.overdue.commitment_id is
    'TASK/GENERATION, of a split task TASK/PART.GENERATION.';
comment on column tender.overdue.task_id is 'The task.';
comment on column tender.overdue.owner is 'Contractor that promised.';
comment on column tender.overdue.principal is 'Principal of the owner.';
comment on column tender.overdue.creditor is 'Client that it is promised to.';
comment on column tender.overdue.due_at is 'When it had to be kept.';
comment on column tender.overdue.overdue_by is 'For how long it has been overdue.';
comment on column tender.overdue.units is 'Units promised.';
comment on column tender.overdue.units_done is 'Units reported so far.';
comment on column tender.overdue.price is 'Promised for all its units, in credits.';
grant select on tender.overdue to tender_auditor, tender_reader, tender_principal;
