-- Read from the entries: what came too late, or was worth nothing by the task's terms, is looked at one
-- task at a time.
create or replace view tender.late_result with (security_barrier) as
select e.task_id || '/' || case when e.part > 0 then e.part || '.' else '' end || e.generation
        as commitment_id,
    e.task_id, e.owner, e.at, e.units, coalesce(e.size, d.size) as size,
    coalesce(e.sha256, encode(d.digest, 'hex')) as sha256, e.reason, a.units as adopted_units,
    (a.paid_micro / 1000000.0)::numeric(20, 6) as adopted_paid
from (
    select e.shard, e.task_id, e.number, e.at,
        coalesce((b.body ->> 'part')::integer, 0) as part,
        (b.body ->> 'generation')::integer as generation, b.body ->> 'contractor' as owner,
        coalesce(b.body ->> case e.kind when 8 then 'reported' else 'units_done' end, '0')::bigint
            as units,
        coalesce(b.body ->> 'size', b.body ->> 'content_size')::bigint as size,
        coalesce(b.body ->> 'digest', b.body ->> 'content_digest') as sha256,
        b.body ->> 'reason' as reason, e.kind, b.body
    from tender_ledger.entry e
    cross join lateral (select e.body::jsonb as body) b
    where e.kind in (8, 10)
) e
left join lateral (
    select sum(f.units)::bigint as units, sum(f.paid_micro)::bigint as paid_micro
    from tender_ledger.adoption f
    where f.shard = e.shard and f.task_id = e.task_id and f.late = e.number
    having count(*) > 0
) a on true
left join tender_ledger.delivery d on e.kind = 8 and d.shard = e.shard and d.task_id = e.task_id
    and d.part = e.part and d.generation = e.generation
left join tender_ledger.task y on y.shard = e.shard and y.task_id = e.task_id
left join tender_ledger.commitment c on c.shard = e.shard and c.task_id = e.task_id and c.part = e.part
    and c.generation = e.generation
where (e.kind = 10 or e.body ? 'reported')
    and ((select tender_ledger.reads_all(current_user)) or c.principal = current_user or y.principal = current_user);
comment on view tender.late_result is
    'Results that were kept and not paid when they came; a client may adopt one while its task goes on.';
comment on column tender.late_result.commitment_id is 'TASK/GENERATION, or TASK/PART.GENERATION.';
comment on column tender.late_result.task_id is 'The task.';
comment on column tender.late_result.owner is 'Contractor that did the work.';
comment on column tender.late_result.at is 'When it came.';
comment on column tender.late_result.units is 'Units that it says are done.';
comment on column tender.late_result.size is 'Bytes of the result; null where there is none.';
comment on column tender.late_result.sha256 is 'SHA-256 of the result, in hex.';
comment on column tender.late_result.reason is 'Why it was not taken.';
comment on column tender.late_result.adopted_units is 'Units that the client adopted from it, if it did.';
comment on column tender.late_result.adopted_paid is 'Paid for them, in credits.';
grant select on tender.late_result to tender_auditor, tender_reader, tender_principal;
