-- Who may stop what: a hold on a contractor, a principal or a skill keeps it from new work, one on a task
-- keeps the task from new rounds. Each has a reason, an author and an end.
create or replace function tender_ledger.hold_subject(
    p_contractor text, p_principal text, p_skill text)
returns jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
    if not tender_ledger.is_operator() then
        raise exception using errcode = 'TN011', message = 'only operators hold and release';
    end if;
    if num_nonnulls(p_contractor, p_principal, p_skill) = 0 then
        raise exception using
            errcode = 'TN010',
            message = 'a hold is on a contractor, a principal, a skill or a task';
    end if;
    return jsonb_build_object(
        'contractor', tender_ledger.check_name('contractor', p_contractor),
        'principal', tender_ledger.check_name('principal', p_principal),
        'skill', tender_ledger.check_skill('skill', p_skill));
end
$$;
comment on function tender_ledger.hold_subject(text, text, text) is
    'Of whom a hold is: checks that the caller is an operator and that the names have their forms.';

create or replace function tender.hold(
    p_reason text, p_contractor text default null, p_principal text default null,
    p_skill text default null, p_task uuid default null, p_text text default null,
    p_until timestamptz default null)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_body jsonb;
begin
    perform from tender_ledger.word w
    where w.vocabulary = 'reason' and w.name = p_reason and w.code <> 0;
    if not found then
        raise exception using
            errcode = 'TN010',
            message = format('reason is %s: it must be the word of a reason', coalesce(p_reason, 'null')),
            hint = 'quality-check, resource-lost or other; the text says more.';
    end if;
    perform tender_ledger.check_range('text, in bytes', octet_length(p_text), 0, 4096);
    if p_until >= timestamptz '2100-01-01 00:00:00+00' or p_until < timestamptz 'epoch' then
        raise exception using errcode = 'TN010', message = 'until must be an instant before 2100';
    end if;
    v_body := jsonb_strip_nulls(jsonb_build_object(
        'reason', p_reason,
        'text', p_text,
        'deadline_at_us', (extract(epoch from p_until) * 1000000)::bigint));
    if p_task is null then
        v_body := v_body
            || jsonb_strip_nulls(tender_ledger.hold_subject(p_contractor, p_principal, p_skill));
        return tender_ledger.ask_all('hold', v_body);
    end if;
    if not tender_ledger.is_operator() then
        raise exception using errcode = 'TN011', message = 'only operators hold and release';
    end if;
    if num_nonnulls(p_contractor, p_principal, p_skill) > 0 then
        raise exception using
            errcode = 'TN010',
            message = 'a hold on a task names no contractor, principal or skill';
    end if;
    return tender_ledger.ask_about('hold', p_task, v_body);
end
$$;
comment on function tender.hold(text, text, text, text, uuid, text, timestamptz) is
    'Asks to keep a contractor, a principal, a skill (or any two or three of them together) or a task from anything new, until p_until or for a day; returns the number of the request. The same subject again moves the end.';
grant execute on function tender.hold(text, text, text, text, uuid, text, timestamptz) to tender_owner;
