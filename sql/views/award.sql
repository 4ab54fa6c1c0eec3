-- A barrier, because conditions of whoever asks must not be tried on rows that are not shown.
create or replace view tender.award with (security_barrier) as
select e.task_id, (e.body ->> 'round')::integer as round, e.body ->> 'contractor' as contractor,
    (case when pg_has_role(current_user, 'tender_auditor', 'member')
            or e.body ->> 'principal' = current_user
        then coalesce(e.body ->> 'cost_micro', case e.kind when 4 then '0' end)::bigint / 1000000.0
    end)::numeric(20, 6) as cost,
    (coalesce(e.body ->> 'price_micro', '0')::bigint / 1000000.0)::numeric(20, 6) as price,
    e.at as awarded_at, e.body ->> 'principal' as principal,
    (e.body ->> 'generation')::integer as generation,
    case
        when e.kind = 14 then 'rate'
        when e.body ? 'part' then 'clarke'
        when e.body ->> 'price_set_by' is null then 'ceiling'
        when e.is_told then e.body ->> 'price_set_by'
    end as price_set_by,
    coalesce((e.body ->> 'part')::integer, 0) as part
from (
    select f.task_id, f.at, f.kind, f.body::jsonb as body,
        (select tender_ledger.reads_all(current_user)) or y.principal = current_user as is_told
    from tender_ledger.entry f
    left join tender_ledger.task y on y.shard = f.shard and y.task_id = f.task_id
    where f.kind in (4, 14)
) e
where e.is_told or e.body ->> 'principal' = current_user;
comment on view tender.award is 'Every award; there is none before its round has closed.';
comment on column tender.award.task_id is 'The task.';
comment on column tender.award.round is 'Round whose bids were ranked.';
comment on column tender.award.contractor is 'Who won.';
comment on column tender.award.cost is
    'What the winner asked for, in credits, for all units of the award; null where nobody bid. Shown to '
    'auditors and to the winner''s own principal.';
comment on column tender.award.price is 'What it is promised, in credits.';
comment on column tender.award.awarded_at is 'When it was awarded.';
comment on column tender.award.principal is 'Principal of the winner.';
comment on column tender.award.generation is 'Number of the award within the task.';
comment on column tender.award.price_set_by is
    'Contractor whose cost is the price, named to readers, auditors and who pays; `ceiling` where no other '
    'principal''s bid counted, `rate` where it was posted, `clarke` where it is a part of a split round.';
comment on column tender.award.part is 'Part of a split task; 0: all of the round.';
grant select on tender.award to tender_auditor, tender_reader, tender_principal;
