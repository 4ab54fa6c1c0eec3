create or replace function tender.release(p_task uuid)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    return tender_ledger.ask_about('release', p_task, '{}');
end
$$;
comment on function tender.release(uuid) is
    'Asks to let a held task go on; returns the number of the request.';
grant execute on function tender.release(uuid) to tender_principal;
