-- Double entry: every movement shows its two legs, which one row of a table tells together.
create or replace view tender.posting with (security_barrier) as
select m.movement as posting_id, m.at, m.task_id,
    m.task_id || '/' || m.generation as commitment_id,
    case l.leg when 1 then m.from_principal else m.to_principal end as principal,
    case l.leg when 1 then m.from_bucket else m.to_bucket end as bucket,
    (case l.leg when 1 then -m.amount_micro else m.amount_micro end / 1000000.0)::numeric(20, 6)
        as amount
from (
    select t.task_id || '/reserve' as movement, t.announced_at as at, t.task_id,
        null::integer as generation, t.principal as from_principal, 'available' as from_bucket,
        t.principal as to_principal, 'reserved' as to_bucket, t.ceiling_micro as amount_micro
    from tender_ledger.task t
    union all
    select c.task_id || '/pay/' || c.part || '/' || c.generation, c.ended_at, c.task_id, c.generation,
        t.principal, 'reserved', c.principal, 'earned', c.paid_micro
    from tender_ledger.commitment c
    join tender_ledger.task t on t.shard = c.shard and t.task_id = c.task_id
    where c.paid_micro > 0
    union all
    select e.task_id || '/release', e.ended_at, e.task_id, null, t.principal, 'reserved', t.principal,
        'available', e.released_micro
    from tender_ledger.task_end e
    join tender_ledger.task t on t.shard = e.shard and t.task_id = e.task_id
    where e.released_micro > 0
    union all
    select m.task_id || '/entry/' || m.number, m.at,
        nullif(m.task_id, '00000000-0000-0000-0000-000000000000'),
        coalesce(m.generation, a.generation), m.from_principal, m.from_bucket, m.to_principal,
        m.to_bucket, m.amount_micro
    from tender_ledger.transfer m
    left join tender_ledger.adoption a on a.shard = m.shard and a.task_id = m.task_id
        and a.number = m.number
    union all
    -- What archives tell one by one is told here by its sums, from the moment when its rows are gone.
    select 'archive/' || p.suffix || '/' || m.from_principal || '/' || m.from_bucket || '/'
            || m.to_principal || '/' || m.to_bucket || '/' || m.told_by || '/' || m.shard,
        p.retired_at, null, null, m.from_principal, m.from_bucket, m.to_principal, m.to_bucket,
        m.amount_micro
    from tender_ledger.archived_money m
    join tender_ledger.partition p on p.from_id = m.from_id
    where m.told_by = 'transfer' or not exists (
        select
        from pg_catalog.pg_inherits i
        where i.inhparent = 'tender_ledger.task'::pg_catalog.regclass and not i.inhdetachpending
            and i.inhrelid = pg_catalog.to_regclass('tender_ledger.task_' || p.suffix))
) m
cross join (values (1), (2)) l (leg)
where m.amount_micro > 0
    and ((select tender_ledger.reads_all(current_user))
        or case l.leg when 1 then m.from_principal else m.to_principal end = current_user);
comment on view tender.posting is
    'Every movement of money as two legs that sum to zero, in credits; those of archived tasks as sums.'
    ' A principal is shown its own legs.';
comment on column tender.posting.posting_id is 'The movement; both legs share it.';
comment on column tender.posting.at is 'When it moved.';
comment on column tender.posting.task_id is 'The task, where it moved for one.';
comment on column tender.posting.commitment_id is 'The commitment, where it paid for one.';
comment on column tender.posting.principal is 'Whose account this leg is of.';
comment on column tender.posting.bucket is 'issued, available, reserved or earned.';
comment on column tender.posting.amount is 'Signed: what the bucket has more.';
grant select on tender.posting to tender_auditor, tender_reader, tender_principal;
