-- A budget is an account, and a budget within a budget an account that is filled from another one. Credits
-- are in one account at a time: what was allotted the giver cannot spend or allot again, so no race of
-- writers, brokers or shards overspends either.
create or replace function tender.allot(p_from text, p_to text, p_credits numeric)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_micro bigint;
    v_request bigint;
begin
    if not tender_ledger.is_operator() then
        raise exception using errcode = 'TN011', message = 'only operators divide budgets';
    end if;
    perform tender_ledger.check_name('principal', coalesce(n.name, ''))
    from unnest(array[p_from, p_to]) n (name);
    if p_from = p_to then
        raise exception using
            errcode = 'TN010', message = format('%s gets nothing from itself: name two principals', p_from);
    end if;
    v_micro := tender_ledger.to_micro('credits', p_credits, 0.000001);
    v_request := tender_ledger.ask('fund', tender_ledger.caller(), p_from, null,
        jsonb_build_object('amount_micro', -v_micro));
    insert into tender_ledger.allotment (request, step, amount_micro, from_principal, to_principal)
    values (v_request, v_request, v_micro, p_from, p_to);
    return v_request;
end
$$;
comment on function tender.allot(text, text, numeric) is
    'Asks to move credits from one account to another, as a division does for a team; returns the request''s number.';
grant execute on function tender.allot(text, text, numeric) to tender_owner;

-- Called in the transaction that answers the requests, which is that of the entries: so credits that were
-- taken out are asked for elsewhere by the same commit. Whoever answers may be a broker; the request speaks
-- for the operator who allotted.
create or replace function tender_ledger.follow_allotments(p_request bigint[])
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_row record;
    v_step bigint;
    v_state text;
begin
    for v_row in
        select a.request, a.amount_micro, a.from_principal, a.to_principal, a.state, a.step,
            i.answer ->> 'performative' = 'agree' as is_agreed, i.peer
        from tender_ledger.allotment a
        join tender_ledger.inbox i on i.request = a.step and i.answered_at is not null
        where a.step = any(p_request)
        order by a.request
    loop
        v_state := case v_row.state
            when 'asked' then case when v_row.is_agreed then 'taken' else 'refused' end
            when 'taken' then case when v_row.is_agreed then 'given' else 'returning' end
            when 'returning' then case when v_row.is_agreed then 'returned' else 'returning' end
            else v_row.state end;
        v_step := v_row.step;
        if v_state in ('taken', 'returning') and v_state <> v_row.state then
            insert into tender_ledger.inbox (is_operator, shard, kind, peer, principal, body)
            select true, tender_ledger.shard_of_principal(p.name), 'fund', v_row.peer, p.name,
                jsonb_build_object('amount_micro', v_row.amount_micro)
            from (
                select case v_state when 'taken' then v_row.to_principal else v_row.from_principal end as name
            ) p
            returning request into v_step;
            perform pg_notify('tender_inbox', '');
        end if;
        update tender_ledger.allotment set state = v_state, step = v_step,
            request_in = case when v_state = 'taken' then v_step else request_in end
        where request = v_row.request;
    end loop;
end
$$;
comment on function tender_ledger.follow_allotments(bigint[]) is
    'Asks for the next step of allotments whose last one is answered by these requests.';
