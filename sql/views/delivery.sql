create or replace view tender.delivery with (security_barrier) as
select d.task_id || '/' || case when d.part > 0 then d.part || '.' else '' end || d.generation
        as commitment_id,
    d.task_id, d.owner, d.units, d.delivered_at, m.accept_by,
    case
        when c.state is null then 'pending'
        when c.reason = 73 then 'silence'
        when c.state = 3 then 'accepted'
        else 'rejected'
    end as status,
    c.units_done as accepted, d.size, encode(d.digest, 'hex') as sha256, (
        select jsonb_object_agg(substr(l.line, 1, strpos(l.line, '=') - 1),
            substr(l.line, strpos(l.line, '=') + 1))
        from string_to_table(d.evidence, E'\n') l (line)
        where strpos(l.line, '=') > 1
    ) as evidence, r.name as reason, c.ended_at as decided_at
from tender_ledger.delivery d
cross join lateral (
    with recursive moved (number, at) as (
        select 0, d.accept_by_at
        union all
        select r.number, r.until_at
        from moved m
        cross join lateral (
            select r.number, r.until_at
            from tender_ledger.recess r
            where r.shard = d.shard and r.number > m.number and m.at >= r.from_at
                and m.at < r.until_at
            order by r.number
            limit 1
        ) r
    )
    select m.at as accept_by
    from moved m
    order by m.number desc
    limit 1
) m
left join tender_ledger.commitment c on c.shard = d.shard and c.task_id = d.task_id
    and c.part = d.part and c.generation = d.generation
left join tender_ledger.entry e on c.reason = 74 and e.shard = d.shard and e.task_id = d.task_id
    and e.kind = 8 and coalesce((e.body::jsonb ->> 'part')::integer, 0) = d.part
    and (e.body::jsonb ->> 'generation')::integer = d.generation
left join tender_ledger.word r on r.vocabulary = 'reason'
    and (c.reason <> 74 and r.code = c.reason
        or c.reason = 74 and r.name = coalesce(e.body::jsonb ->> 'said', 'rejected'))
left join tender_ledger.task y on y.shard = d.shard and y.task_id = d.task_id
left join tender_ledger.promise p on p.shard = d.shard and p.task_id = d.task_id and p.part = d.part
    and p.generation = d.generation
where (select tender_ledger.reads_all(current_user)) or c.principal = current_user
    or p.principal = current_user
    or y.principal = current_user;
comment on view tender.delivery is
    'Every completion that a client was asked to accept, and what it decided.';
comment on column tender.delivery.commitment_id is 'TASK/GENERATION, or TASK/PART.GENERATION.';
comment on column tender.delivery.task_id is 'The task.';
comment on column tender.delivery.owner is 'Contractor that delivered it.';
comment on column tender.delivery.units is 'Units delivered.';
comment on column tender.delivery.delivered_at is 'When it was reported.';
comment on column tender.delivery.accept_by is 'When silence accepts it.';
comment on column tender.delivery.status is 'pending, accepted, rejected or silence: accepted by it.';
comment on column tender.delivery.accepted is 'Units accepted; null while pending.';
comment on column tender.delivery.size is 'Bytes of the result.';
comment on column tender.delivery.sha256 is 'SHA-256 of the result, in hex.';
comment on column tender.delivery.evidence is 'What its contractor brought, by name.';
comment on column tender.delivery.reason is 'Why it ended so: for a rejection the client''s reason.';
comment on column tender.delivery.decided_at is 'When it was decided; null while pending.';
grant select on tender.delivery to tender_auditor, tender_reader, tender_principal;
