-- The result of a commitment for who paid for it: it is in the ledger from the moment it was reported,
-- and told to nobody before it is taken.
create or replace function tender.result(p_task uuid, p_generation integer, p_part integer default 0)
returns bytea
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_task tender_ledger.task;
    v_shard smallint;
    v_late integer;
    v_is_fulfilled boolean;
begin
    select * into v_task from tender_ledger.task where task_id = p_task;
    if not found then
        raise exception using errcode = 'TN012', message = format('there is no task %s', p_task);
    end if;
    if not tender_ledger.may_speak_for(v_task.principal)
        and not pg_has_role(tender_ledger.caller(), 'tender_auditor', 'member') then
        raise exception using
            errcode = 'TN011',
            message = format('task %s belongs to another principal', p_task);
    end if;
    v_shard := v_task.shard;
    select c.state = 3 into v_is_fulfilled
    from tender_ledger.commitment c
    where c.shard = v_shard and c.task_id = p_task and c.part = p_part
        and c.generation = p_generation;
    select max(a.late) into v_late
    from tender_ledger.adoption a
    where a.shard = v_shard and a.task_id = p_task and a.part = p_part
        and a.generation = p_generation;
    return (
        select e.content
        from tender_ledger.entry e
        where e.shard = v_shard and e.task_id = p_task and e.content is not null
            and (e.number = v_late or v_is_fulfilled and e.kind in (8, 15)
                and coalesce((e.body::jsonb ->> 'part')::integer, 0) = p_part
                and (e.body::jsonb ->> 'generation')::integer = p_generation)
        order by e.number desc
        limit 1);
end
$$;
comment on function tender.result(uuid, integer, integer) is
    'What a commitment delivered, once it was taken and paid; null while it was not, or where there is nothing.';
grant execute on function tender.result(uuid, integer, integer) to tender_principal, tender_auditor;
