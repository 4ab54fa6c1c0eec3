-- The result of a commitment for who paid for it: it is in the ledger from the moment it was reported,
-- and told to nobody before it is taken. Of one that failed, or was accepted in part, it is what its
-- progress brought for the units that were paid; of one that was adopted, the newest that was adopted.
create or replace function tender.result(p_task uuid, p_generation integer, p_part integer default 0)
returns bytea
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_task tender_ledger.task;
    v_commitment tender_ledger.commitment;
    v_late integer;
begin
    select * into v_task from tender_ledger.task where task_id = p_task;
    if not found or not pg_has_role(tender_ledger.caller(), 'tender_auditor', 'member') then
        v_task := tender_ledger.own_task(p_task);
    end if;
    select * into v_commitment
    from tender_ledger.commitment c
    where c.shard = v_task.shard and c.task_id = p_task and c.part = p_part
        and c.generation = p_generation;
    select max(a.late) into v_late
    from tender_ledger.adoption a
    where a.shard = v_task.shard and a.task_id = p_task and a.part = p_part
        and a.generation = p_generation;
    return (
        select e.content
        from (
            select f.number, f.kind, f.content, f.body::jsonb as body
            from tender_ledger.entry f
            where f.shard = v_task.shard and f.task_id = p_task and f.content is not null
                and f.kind in (7, 8, 10, 15)
        ) e
        where coalesce((e.body ->> 'part')::integer, 0) = p_part
            and (e.body ->> 'generation')::integer = p_generation
            and (e.number <= v_late
                or v_commitment.state = 3 and e.kind <> 10
                or v_commitment.state = 4 and e.kind = 7
                    and coalesce((e.body ->> 'units_done')::bigint, 0) <= v_commitment.units_done)
        order by e.number desc
        limit 1);
end
$$;
comment on function tender.result(uuid, integer, integer) is
    'What a commitment delivered, once it was taken and paid; null while it was not, or where there is nothing.';
grant execute on function tender.result(uuid, integer, integer) to tender_principal, tender_auditor;
