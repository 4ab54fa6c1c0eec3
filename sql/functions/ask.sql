-- Puts a request into the inbox, in the transaction of whoever asks. A request with a key is made once.
-- The notification is a hint that saves the broker's poll; with a queue that fills it is left out,
-- since a full one fails commits.
create or replace function tender_ledger.ask_shard(
    p_shard smallint, p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb)
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_request bigint;
begin
    insert into tender_ledger.inbox as i (is_operator, shard, kind, peer, principal, key, body)
    values (tender_ledger.is_operator(), p_shard, p_kind, p_peer, p_principal, p_key, p_body)
    on conflict (principal, key, md5(body::text)) do update set key = excluded.key
    returning i.request into v_request;
    if pg_notification_queue_usage() < 0.5 then
        perform pg_notify('tender_inbox', '');
    end if;
    return v_request;
end
$$;
comment on function tender_ledger.ask_shard(smallint, text, text, text, text, jsonb) is
    'Records a request for the broker that holds a shard; the same key and body are the same request.';

create or replace function tender_ledger.ask(
    p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb)
returns bigint
language sql
set search_path = pg_catalog, pg_temp
as $$
    select tender_ledger.ask_shard(
        case when p_body ? 'task' then tender_ledger.shard_of_task((p_body ->> 'task')::uuid)
            else tender_ledger.shard_of_principal(p_principal) end,
        p_kind, p_peer, p_principal, p_key, p_body)
$$;
comment on function tender_ledger.ask(text, text, text, text, jsonb) is
    'Records a request about a task, or about an account.';

-- What operators say holds in every shard, and each is told. The first request stands for all.
create or replace function tender_ledger.ask_all(p_kind text, p_body jsonb)
returns bigint
language sql
set search_path = pg_catalog, pg_temp
as $$
    select min(tender_ledger.ask_shard(s.shard::smallint, p_kind, tender_ledger.caller(),
        tender_ledger.caller(), null, p_body))
    from generate_series(0, tender_ledger.shard_count() - 1) s (shard)
$$;
comment on function tender_ledger.ask_all(text, jsonb) is 'Records a request for every shard.';

create or replace function tender_ledger.ask_about(p_kind text, p_task uuid, p_body jsonb)
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_task constant tender_ledger.task := tender_ledger.own_task(p_task);
begin
    -- An operator speaks for itself, so that the ledger says who it was.
    return tender_ledger.ask(p_kind,
        case when v_task.principal = tender_ledger.caller() then v_task.client
            else tender_ledger.caller() end,
        tender_ledger.caller(), null, p_body || jsonb_build_object('task', p_task));
end
$$;
comment on function tender_ledger.ask_about(text, uuid, jsonb) is
    'Records a request about a task for its client, or for an operator.';
