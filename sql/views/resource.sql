create or replace view tender.resource as
select r.resource, nullif(r.contractor, '') as contractor, sum(r.count)::integer as count,
    sum(r.held)::integer as held, (sum(r.count) - sum(r.held))::integer as free,
    coalesce((
        select array_agg(h.task_id || case when h.part = 0 then '/' else '/' || h.part || '.' end
            || h.generation order by h.held_at, h.task_id, h.part)
        from tender_ledger.resource_hold h
        where h.resource = r.resource and h.contractor = r.contractor
    ), array[]::text[]) as holders
from tender_ledger.resource r
group by r.resource, r.contractor;
comment on view tender.resource is 'Counted names: how many there are, and which commitments hold them.';
comment on column tender.resource.resource is 'The name.';
comment on column tender.resource.contractor is 'Whose it is: one contractor''s; null where all share it.';
comment on column tender.resource.count is 'How many there are.';
comment on column tender.resource.held is 'How many active commitments hold.';
comment on column tender.resource.free is 'How many are left.';
comment on column tender.resource.holders is
    'Commitments that hold one each, oldest first: TASK/GENERATION, or TASK/PART.GENERATION.';
grant select on tender.resource to tender_auditor, tender_reader;
