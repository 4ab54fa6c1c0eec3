-- Announces a task in the transaction of whoever asks: with it the task comes to be, or does not.
create or replace function tender.announce(
    p_principal text, p_skill text, p_units bigint, p_ceiling numeric,
    p_window interval, p_due interval, p_key text default null, p_client text default null,
    p_deadline timestamptz default null, p_rounds integer default null,
    p_backoff interval default null, p_ack interval default null,
    p_heartbeat interval default null, p_priority integer default null,
    p_partial text default null, p_kill_fee numeric default null,
    p_close_alone boolean default null, p_fallback text default null, p_again uuid default null,
    p_content bytea default null, p_needs text[] default null, p_tier text default null,
    p_goal text default null, p_after uuid[] default null, p_evidence text[] default null,
    p_accept interval default null, p_split_max integer default null,
    p_cover_all boolean default null, p_improve integer default null,
    p_lead_only boolean default null, p_invite_max integer default null,
    p_newcomers numeric default null)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_client text := coalesce(p_client, tender_ledger.caller());
    v_key text := coalesce(p_key, gen_random_uuid()::text);
    v_parts text[] := regexp_match(p_fallback, '^(unallocated|hold|contractor)(?::(.+))?$');
begin
    if not tender_ledger.may_speak_for(p_principal) then
        raise exception using
            errcode = 'TN011',
            message = format('%s may not announce for %s', tender_ledger.caller(), p_principal);
    end if;
    perform tender_ledger.check_name('principal', coalesce(p_principal, ''));
    perform tender_ledger.check_name('client', v_client);
    perform tender_ledger.check_skill('skill', coalesce(p_skill, ''));
    perform tender_ledger.check_skill('tier', p_tier);
    perform tender_ledger.check_name('goal', p_goal);
    perform tender_ledger.check_range('key, in bytes', octet_length(v_key), 1, 128);
    perform tender_ledger.check_range('content, in bytes', octet_length(p_content), 0, 65536);
    perform tender_ledger.check_form('partial', p_partial, '^(pro_rata|cover|none)$',
        'pro_rata, cover or none');
    if p_fallback is not null and (v_parts is null
        or (v_parts[1] = 'contractor') <> (v_parts[2] is not null)) then
        raise exception using
            errcode = 'TN010',
            message = 'fallback must be unallocated, hold or contractor:NAME';
    end if;
    if p_kill_fee not between 0 and 1 or p_kill_fee <> round(p_kill_fee, 6) then
        raise exception using
            errcode = 'TN010',
            message = format('kill_fee is %s: it must be a share from 0 to 1 with at most six '
                'decimals', p_kill_fee);
    end if;
    if p_newcomers not between 0 and 1 or p_newcomers <> round(p_newcomers, 6) then
        raise exception using
            errcode = 'TN010',
            message = format('newcomers is %s: it must be a share from 0 to 1 with at most six '
                'decimals', p_newcomers);
    end if;
    perform tender_ledger.check_list('needs', p_needs, 8);
    perform tender_ledger.check_skill('needs', n) from unnest(p_needs) n;
    perform tender_ledger.check_list('after', p_after, 16);
    perform tender_ledger.check_list('evidence', p_evidence, 256);
    perform tender_ledger.check_skill('evidence', n)
    from unnest(p_evidence) n;
    if p_deadline >= timestamptz '2100-01-01 00:00:00+00' or p_deadline < timestamptz 'epoch' then
        raise exception using errcode = 'TN010', message = 'deadline must be an instant before 2100';
    end if;
    return tender_ledger.ask('announce', v_client, p_principal, v_key, jsonb_strip_nulls(
        jsonb_build_object(
            'key', v_key,
            'skill', p_skill,
            'units', tender_ledger.check_range('units', coalesce(p_units, 0), 1, 1000000000),
            'ceiling_micro', tender_ledger.to_micro('ceiling', p_ceiling, 0),
            'window_us', tender_ledger.to_us('window', coalesce(p_window, '0'), 1),
            'due_us', tender_ledger.to_us('due', coalesce(p_due, '0'), 1),
            'deadline_at_us', (extract(epoch from p_deadline) * 1000000)::bigint,
            'rounds', tender_ledger.check_range('rounds', p_rounds, 1, 100),
            'backoff_us', tender_ledger.to_us('backoff', p_backoff, 0),
            'ack_us', tender_ledger.to_us('ack', p_ack, 1),
            'heartbeat_us', tender_ledger.to_us('heartbeat', p_heartbeat, 100000),
            'priority', tender_ledger.check_range('priority', p_priority, 0, 9),
            'partial', p_partial,
            'kill_fee_ppm', (p_kill_fee * 1000000)::bigint,
            'close_alone', p_close_alone::integer,
            'fallback', v_parts[1],
            'contractor', tender_ledger.check_name('contractor', v_parts[2]),
            'again', p_again,
            'content', encode(p_content, 'base64'),
            'skills', to_jsonb(p_needs),
            'tier', p_tier,
            'goal', p_goal,
            'after', (select encode(string_agg(uuid_send(a.id), ''::bytea order by a.at), 'base64')
                from unnest(p_after) with ordinality a (id, at)),
            'evidence', array_to_string(p_evidence, ','),
            'accept_us', tender_ledger.to_us('accept', p_accept, 1),
            'split_max', tender_ledger.check_range('split_max', p_split_max, 0, 16),
            'cover_all', p_cover_all::integer,
            'improve', tender_ledger.check_range('improve', p_improve, 0, 10),
            'lead_only', p_lead_only::integer,
            'invite_max', tender_ledger.check_range('invite_max', p_invite_max, 0, 1024),
            'share_ppm', (p_newcomers * 1000000)::bigint)));
end
$$;
comment on function tender.announce(text, text, bigint, numeric, interval, interval, text, text,
    timestamptz, integer, interval, interval, interval, integer, text, numeric, boolean, text, uuid,
    bytea, text[], text, text, uuid[], text[], interval, integer, boolean, integer, boolean, integer,
    numeric) is
    'Announces a task and returns the number of the request: tender.request shows the answer after the commit. The same principal, key and terms are the same request.';
grant execute on function tender.announce(text, text, bigint, numeric, interval, interval, text, text,
    timestamptz, integer, interval, interval, interval, integer, text, numeric, boolean, text, uuid,
    bytea, text[], text, text, uuid[], text[], interval, integer, boolean, integer, boolean, integer,
    numeric) to tender_principal;
