create or replace function tender.close(p_task uuid)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    return tender_ledger.ask_about('close', p_task, '{}');
end
$$;
comment on function tender.close(uuid) is
    'Asks to close the open round of a task, once all invited have answered; returns the number of the request.';
grant execute on function tender.close(uuid) to tender_principal;
