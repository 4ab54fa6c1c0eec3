create or replace view tender.commitment with (security_barrier) as
select c.task_id || case when c.part = 0 then '/' else '/' || c.part || '.' end || c.generation
        as commitment_id,
    c.task_id, c.round, c.owner, t.client as creditor, c.units, c.units_done,
    (c.price_micro / 1000000.0)::numeric(20, 6) as price,
    (c.paid_micro / 1000000.0)::numeric(20, 6) as paid, c.due_at, s.name as status, r.name as reason,
    c.ended_at, c.state = 1 and c.due_at < clock_timestamp() as overdue, c.principal,
    c.awarded_at, c.acknowledged_at, (c.fee_micro / 1000000.0)::numeric(20, 6) as fee
from (
    select p.shard, p.task_id, p.part, p.generation, p.round, p.owner, p.principal, p.units,
        p.units_done, p.price_micro, 0::bigint as paid_micro, 0::bigint as fee_micro, p.awarded_at,
        p.due_at, p.acknowledged_at, null::timestamptz as ended_at, p.state, 0::smallint as reason
    from tender_ledger.promise p
    union all
    select c.shard, c.task_id, c.part, c.generation, c.round, c.owner, c.principal, c.units,
        c.units_done, c.price_micro, c.paid_micro + coalesce((
            select sum(m.amount_micro)
            from tender_ledger.transfer m
            where m.shard = c.shard and m.task_id = c.task_id and m.generation = c.generation
                and m.to_bucket = 'earned'), 0)::bigint + coalesce((
            select sum(a.paid_micro)
            from tender_ledger.adoption a
            where a.shard = c.shard and a.task_id = c.task_id and a.part = c.part
                and a.generation = c.generation), 0)::bigint,
        c.fee_micro, c.awarded_at, c.due_at, c.acknowledged_at, c.ended_at, c.state, c.reason
    from tender_ledger.commitment c
) c
join tender_ledger.task t on t.shard = c.shard and t.task_id = c.task_id
join tender_ledger.word s on s.vocabulary = 'commitment_state' and s.code = c.state
join tender_ledger.word r on r.vocabulary = 'reason' and r.code = c.reason
where (select tender_ledger.reads_all(current_user)) or t.principal = current_user or c.principal = current_user;
comment on view tender.commitment is 'Every promise: its owner, its due time and its status.';
comment on column tender.commitment.commitment_id is
    'TASK/GENERATION, of a split task TASK/PART.GENERATION; never used again.';
comment on column tender.commitment.task_id is 'The task.';
comment on column tender.commitment.round is 'Round it was awarded in.';
comment on column tender.commitment.owner is 'Contractor that promised.';
comment on column tender.commitment.creditor is 'Client that it is promised to.';
comment on column tender.commitment.units is 'Units promised.';
comment on column tender.commitment.units_done is 'Units reported, and accepted once it ended.';
comment on column tender.commitment.price is 'Promised for all its units, in credits.';
comment on column tender.commitment.paid is 'Paid to its principal, in credits: also what came after its end.';
comment on column tender.commitment.due_at is 'When it must be kept.';
comment on column tender.commitment.status is
    'active, delivered, fulfilled, failed, lapsed, declined or cancelled.';
comment on column tender.commitment.reason is 'Why it ended.';
comment on column tender.commitment.ended_at is 'When it ended; null while it is active.';
comment on column tender.commitment.overdue is
    'Active and past its due time, by the database''s clock: also while no broker runs.';
comment on column tender.commitment.principal is 'Principal of the owner, who is paid.';
comment on column tender.commitment.awarded_at is 'When it was awarded.';
comment on column tender.commitment.acknowledged_at is 'When the owner''s program took it.';
comment on column tender.commitment.fee is 'The part of what was paid that is the kill fee, in credits.';
grant select on tender.commitment to tender_auditor, tender_reader, tender_principal;
