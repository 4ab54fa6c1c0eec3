create or replace function tender.fund(p_principal text, p_credits numeric)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if not tender_ledger.is_operator() then
        raise exception using errcode = 'TN011', message = 'only operators put money into accounts';
    end if;
    perform tender_ledger.check_name('principal', coalesce(p_principal, ''));
    return tender_ledger.ask('fund', tender_ledger.caller(), p_principal, null, jsonb_build_object(
        'amount_micro', tender_ledger.to_micro('credits', p_credits, -1000000000000)));
end
$$;
comment on function tender.fund(text, numeric) is
    'Asks to put credits into an account, or, below zero, to take them out; returns the number of the request.';
grant execute on function tender.fund(text, numeric) to tender_owner;
