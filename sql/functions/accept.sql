-- Decisions about what was delivered, and about results that came late.
create or replace function tender_ledger.ask_decision(
    p_kind text, p_task uuid, p_generation integer, p_part integer, p_body jsonb)
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_generation integer := p_generation;
begin
    perform tender_ledger.own_task(p_task);
    if v_generation is null then
        select max(d.generation) into v_generation
        from tender_ledger.delivery d
        where d.task_id = p_task and d.part = p_part;
    end if;
    if v_generation is null then
        raise exception using
            errcode = 'TN012',
            message = format('nothing of task %s was delivered', p_task);
    end if;
    return tender_ledger.ask_about(p_kind, p_task, jsonb_strip_nulls(p_body || jsonb_build_object(
        'part', tender_ledger.check_range('part', p_part, 0, 1000000000),
        'generation', tender_ledger.check_range('generation', v_generation, 1, 1000000000))));
end
$$;
comment on function tender_ledger.ask_decision(text, uuid, integer, integer, jsonb) is
    'Records a decision about a commitment; without a generation, about what was delivered last.';

create or replace function tender.accept(
    p_task uuid, p_generation integer default null, p_part integer default 0,
    p_units bigint default null)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    return tender_ledger.ask_decision('accept', p_task, p_generation, p_part, jsonb_build_object(
        'units_done', tender_ledger.check_range('units', p_units, 0, 1000000000)));
end
$$;
comment on function tender.accept(uuid, integer, integer, bigint) is
    'Asks to take and pay what was delivered, or some of its units; returns the number of the request.';
grant execute on function tender.accept(uuid, integer, integer, bigint) to tender_principal;

create or replace function tender.reject(
    p_task uuid, p_reason text, p_text text default null, p_units bigint default 0,
    p_generation integer default null, p_part integer default 0)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform tender_ledger.check_range('text, in bytes', octet_length(p_text), 0, 4096);
    if not exists (
        select from tender_ledger.word w where w.vocabulary = 'reason' and w.name = p_reason
    ) then
        raise exception using
            errcode = 'TN010',
            message = format('reason is %s: it must be a word like quality-check or other',
                coalesce(p_reason, 'null'));
    end if;
    return tender_ledger.ask_decision('reject', p_task, p_generation, p_part, jsonb_build_object(
        'units_done', tender_ledger.check_range('units', p_units, 0, 1000000000),
        'reason', p_reason, 'text', p_text));
end
$$;
comment on function tender.reject(uuid, text, text, bigint, integer, integer) is
    'Asks not to take what was delivered, but for some units of it: only they are paid, and the rest is announced again. Returns the number of the request.';
grant execute on function tender.reject(uuid, text, text, bigint, integer, integer)
    to tender_principal;

create or replace function tender.adopt(p_task uuid, p_generation integer, p_part integer default 0)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform tender_ledger.check_range('generation', coalesce(p_generation, 0), 1, 1000000000);
    return tender_ledger.ask_decision('adopt', p_task, p_generation, p_part, '{}');
end
$$;
comment on function tender.adopt(uuid, integer, integer) is
    'Asks to take and pay a late result of a commitment; returns the number of the request.';
grant execute on function tender.adopt(uuid, integer, integer) to tender_principal;
