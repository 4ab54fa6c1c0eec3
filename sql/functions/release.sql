create or replace function tender.release(
    p_task uuid default null, p_contractor text default null, p_principal text default null,
    p_skill text default null)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if p_task is null then
        return tender_ledger.ask_all('release',
            jsonb_strip_nulls(tender_ledger.hold_subject(p_contractor, p_principal, p_skill)));
    end if;
    return tender_ledger.ask_about('release', p_task, '{}');
end
$$;
comment on function tender.release(uuid, text, text, text) is
    'Asks to let a held task go on, or ends the hold on a contractor, principal or skill, named as it was when held; returns the number of the request.';
grant execute on function tender.release(uuid, text, text, text) to tender_principal;
