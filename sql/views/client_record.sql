create or replace view tender.client_record with (security_barrier) as
select t.client, t.principal, count(*) as announced,
    count(*) filter (where c.awards > 0) as awarded,
    coalesce(sum(d.delivered), 0)::bigint as delivered,
    coalesce(sum(d.accepted), 0)::bigint as accepted,
    coalesce(sum(d.rejected), 0)::bigint as rejected,
    coalesce(sum(d.by_silence), 0)::bigint as by_silence,
    round(sum(d.rejected)::numeric
        / nullif(sum(d.accepted + d.rejected + d.by_silence), 0), 6) as rejected_share
from tender_ledger.task t
cross join lateral (
    select (
        select count(*)
        from tender_ledger.commitment c
        where c.shard = t.shard and c.task_id = t.task_id) + (
        select count(*)
        from tender_ledger.promise p
        where p.shard = t.shard and p.task_id = t.task_id) as awards
) c
left join lateral (
    select count(*) as delivered,
        count(*) filter (where c.state = 3 and c.reason <> 73) as accepted,
        count(*) filter (where c.reason = 74) as rejected,
        count(*) filter (where c.reason = 73) as by_silence
    from tender_ledger.delivery d
    left join tender_ledger.commitment c on c.shard = d.shard and c.task_id = d.task_id
        and c.part = d.part and c.generation = d.generation
    where d.shard = t.shard and d.task_id = t.task_id
) d on true
where (select tender_ledger.reads_all(current_user)) or t.principal = current_user
group by t.client, t.principal;
comment on view tender.client_record is
    'What each client announced, and how it decided on what was delivered to it.';
comment on column tender.client_record.client is 'Agent that announces.';
comment on column tender.client_record.principal is 'Whose account pays.';
comment on column tender.client_record.announced is 'Tasks announced.';
comment on column tender.client_record.awarded is 'Tasks of these that were awarded.';
comment on column tender.client_record.delivered is 'Deliveries that it was asked to accept.';
comment on column tender.client_record.accepted is 'Those it took.';
comment on column tender.client_record.rejected is 'Those it did not take, or not all of it.';
comment on column tender.client_record.by_silence is 'Those that its silence accepted.';
comment on column tender.client_record.rejected_share is 'Rejected, of those decided; null before any.';
grant select on tender.client_record to tender_auditor, tender_reader, tender_principal;
