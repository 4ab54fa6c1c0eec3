create or replace function tender.cancel(p_task uuid, p_reason text default null)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform tender_ledger.check_range('reason, in bytes', octet_length(p_reason), 0, 4096);
    return tender_ledger.ask_about('cancel', p_task,
        jsonb_strip_nulls(jsonb_build_object('text', p_reason)));
end
$$;
comment on function tender.cancel(uuid, text) is
    'Asks to withdraw a task, whatever its stage; returns the number of the request.';
grant execute on function tender.cancel(uuid, text) to tender_principal;
