--
-- PostgreSQL database dump
--



SELECT pg_catalog.set_config('search_path', '', false);

--
-- Name: tender; Type: SCHEMA; Schema: -; Owner: tender_owner
--

CREATE SCHEMA tender;


ALTER SCHEMA tender OWNER TO tender_owner;

--
-- Name: SCHEMA tender; Type: COMMENT; Schema: -; Owner: tender_owner
--

COMMENT ON SCHEMA tender IS 'What people use: views are nouns, functions are verbs. Columns and parameters are only ever added.';


--
-- Name: tender_ledger; Type: SCHEMA; Schema: -; Owner: tender_owner
--

CREATE SCHEMA tender_ledger;


ALTER SCHEMA tender_ledger OWNER TO tender_owner;

--
-- Name: SCHEMA tender_ledger; Type: COMMENT; Schema: -; Owner: tender_owner
--

COMMENT ON SCHEMA tender_ledger IS 'Tables, and the functions of the broker. No stability is promised.';


--
-- Name: accept(uuid, integer, integer, bigint); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.accept(p_task uuid, p_generation integer DEFAULT NULL::integer, p_part integer DEFAULT 0, p_units bigint DEFAULT NULL::bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    return tender_ledger.ask_decision('accept', p_task, p_generation, p_part, jsonb_build_object(
        'units_done', tender_ledger.check_range('units', p_units, 0, 1000000000)));
end
$$;


ALTER FUNCTION tender.accept(p_task uuid, p_generation integer, p_part integer, p_units bigint) OWNER TO tender_owner;

--
-- Name: FUNCTION accept(p_task uuid, p_generation integer, p_part integer, p_units bigint); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.accept(p_task uuid, p_generation integer, p_part integer, p_units bigint) IS 'Asks to take and pay what was delivered, or some of its units; returns the number of the request.';


--
-- Name: add_principal(text, text, text); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.add_principal(p_principal text, p_key text DEFAULT NULL::text, p_parent text DEFAULT NULL::text) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select tender_ledger.ask_enrolment(29::smallint, p_principal, jsonb_build_object(
        'principal', tender_ledger.check_name('principal', nullif(coalesce(p_principal, ''), '*')),
        'digest', tender_ledger.check_key(p_key),
        'name', tender_ledger.check_name('parent', p_parent)))
$$;


ALTER FUNCTION tender.add_principal(p_principal text, p_key text, p_parent text) OWNER TO tender_owner;

--
-- Name: FUNCTION add_principal(p_principal text, p_key text, p_parent text); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.add_principal(p_principal text, p_key text, p_parent text) IS 'Asks to enrol a principal, with the public key that speaks as any agent of it, or to give it another key; what is left out stays as it is. * stands for all that are not enrolled by name. Returns the number of the request.';


--
-- Name: adopt(uuid, integer, integer); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.adopt(p_task uuid, p_generation integer, p_part integer DEFAULT 0) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform tender_ledger.check_range('generation', coalesce(p_generation, 0), 1, 1000000000);
    return tender_ledger.ask_decision('adopt', p_task, p_generation, p_part, '{}');
end
$$;


ALTER FUNCTION tender.adopt(p_task uuid, p_generation integer, p_part integer) OWNER TO tender_owner;

--
-- Name: FUNCTION adopt(p_task uuid, p_generation integer, p_part integer); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.adopt(p_task uuid, p_generation integer, p_part integer) IS 'Asks to take and pay a late result of a commitment; returns the number of the request.';


--
-- Name: allot(text, text, numeric); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.allot(p_from text, p_to text, p_credits numeric) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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


ALTER FUNCTION tender.allot(p_from text, p_to text, p_credits numeric) OWNER TO tender_owner;

--
-- Name: FUNCTION allot(p_from text, p_to text, p_credits numeric); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.allot(p_from text, p_to text, p_credits numeric) IS 'Asks to move credits from one account to another, as a division does for a team; returns the request''s number.';


--
-- Name: announce(text, text, bigint, numeric, interval, interval, text, text, timestamp with time zone, integer, interval, interval, interval, integer, text, numeric, boolean, text, uuid, bytea, text[], text, text, uuid[], text[], interval, integer, boolean, integer, boolean, integer, numeric); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.announce(p_principal text, p_skill text, p_units bigint, p_ceiling numeric, p_window interval, p_due interval, p_key text DEFAULT NULL::text, p_client text DEFAULT NULL::text, p_deadline timestamp with time zone DEFAULT NULL::timestamp with time zone, p_rounds integer DEFAULT NULL::integer, p_backoff interval DEFAULT NULL::interval, p_ack interval DEFAULT NULL::interval, p_heartbeat interval DEFAULT NULL::interval, p_priority integer DEFAULT NULL::integer, p_partial text DEFAULT NULL::text, p_kill_fee numeric DEFAULT NULL::numeric, p_close_alone boolean DEFAULT NULL::boolean, p_fallback text DEFAULT NULL::text, p_again uuid DEFAULT NULL::uuid, p_content bytea DEFAULT NULL::bytea, p_needs text[] DEFAULT NULL::text[], p_tier text DEFAULT NULL::text, p_goal text DEFAULT NULL::text, p_after uuid[] DEFAULT NULL::uuid[], p_evidence text[] DEFAULT NULL::text[], p_accept interval DEFAULT NULL::interval, p_split_max integer DEFAULT NULL::integer, p_cover_all boolean DEFAULT NULL::boolean, p_improve integer DEFAULT NULL::integer, p_lead_only boolean DEFAULT NULL::boolean, p_invite_max integer DEFAULT NULL::integer, p_newcomers numeric DEFAULT NULL::numeric) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
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
$_$;


ALTER FUNCTION tender.announce(p_principal text, p_skill text, p_units bigint, p_ceiling numeric, p_window interval, p_due interval, p_key text, p_client text, p_deadline timestamp with time zone, p_rounds integer, p_backoff interval, p_ack interval, p_heartbeat interval, p_priority integer, p_partial text, p_kill_fee numeric, p_close_alone boolean, p_fallback text, p_again uuid, p_content bytea, p_needs text[], p_tier text, p_goal text, p_after uuid[], p_evidence text[], p_accept interval, p_split_max integer, p_cover_all boolean, p_improve integer, p_lead_only boolean, p_invite_max integer, p_newcomers numeric) OWNER TO tender_owner;

--
-- Name: FUNCTION announce(p_principal text, p_skill text, p_units bigint, p_ceiling numeric, p_window interval, p_due interval, p_key text, p_client text, p_deadline timestamp with time zone, p_rounds integer, p_backoff interval, p_ack interval, p_heartbeat interval, p_priority integer, p_partial text, p_kill_fee numeric, p_close_alone boolean, p_fallback text, p_again uuid, p_content bytea, p_needs text[], p_tier text, p_goal text, p_after uuid[], p_evidence text[], p_accept interval, p_split_max integer, p_cover_all boolean, p_improve integer, p_lead_only boolean, p_invite_max integer, p_newcomers numeric); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.announce(p_principal text, p_skill text, p_units bigint, p_ceiling numeric, p_window interval, p_due interval, p_key text, p_client text, p_deadline timestamp with time zone, p_rounds integer, p_backoff interval, p_ack interval, p_heartbeat interval, p_priority integer, p_partial text, p_kill_fee numeric, p_close_alone boolean, p_fallback text, p_again uuid, p_content bytea, p_needs text[], p_tier text, p_goal text, p_after uuid[], p_evidence text[], p_accept interval, p_split_max integer, p_cover_all boolean, p_improve integer, p_lead_only boolean, p_invite_max integer, p_newcomers numeric) IS 'Announces a task and returns the number of the request: tender.request shows the answer after the commit. The same principal, key and terms are the same request.';


--
-- Name: believe(uuid, text, text, text); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.believe(p_task uuid DEFAULT NULL::uuid, p_goal text DEFAULT NULL::text, p_belief text DEFAULT NULL::text, p_reason text DEFAULT NULL::text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
    v_caller constant text := tender_ledger.caller();
    v_task tender_ledger.task;
    v_owner text;
    v_peer text := v_caller;
begin
    perform tender_ledger.check_form('belief', coalesce(p_belief, ''),
        '^(achieved|impossible|irrelevant|none)$', 'achieved, impossible, irrelevant or none');
    perform tender_ledger.check_name('goal', p_goal);
    perform tender_ledger.check_range('reason, in bytes', octet_length(p_reason), 0, 4096);
    if p_task is null and p_goal is null then
        raise exception using errcode = 'TN010', message = 'a belief is about a task or a goal';
    end if;
    if p_task is not null then
        select * into v_task from tender_ledger.task where task_id = p_task;
        select p.owner into v_owner
        from tender_ledger.promise p
        where p.shard = v_task.shard and p.task_id = p_task and p.principal = v_caller
        order by p.part
        limit 1;
        if v_owner is null and not exists (
            select from tender_ledger.commitment c
            where c.shard = v_task.shard and c.task_id = p_task and c.principal = v_caller
        ) then
            perform tender_ledger.own_task(p_task);
        end if;
        v_peer := case when v_task.principal = v_caller then v_task.client
            else coalesce(v_owner, v_caller) end;
    end if;
    return tender_ledger.ask('believe', v_peer, v_caller, null, jsonb_strip_nulls(
        jsonb_build_object('task', p_task, 'goal', p_goal, 'reason', p_belief, 'text', p_reason)));
end
$_$;


ALTER FUNCTION tender.believe(p_task uuid, p_goal text, p_belief text, p_reason text) OWNER TO tender_owner;

--
-- Name: FUNCTION believe(p_task uuid, p_goal text, p_belief text, p_reason text); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.believe(p_task uuid, p_goal text, p_belief text, p_reason text) IS 'Says that a task or a goal is achieved, impossible or irrelevant; none lifts the suspension of a goal. Returns the number of the request.';


--
-- Name: cancel(uuid, text); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.cancel(p_task uuid, p_reason text DEFAULT NULL::text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform tender_ledger.check_range('reason, in bytes', octet_length(p_reason), 0, 4096);
    return tender_ledger.ask_about('cancel', p_task,
        jsonb_strip_nulls(jsonb_build_object('text', p_reason)));
end
$$;


ALTER FUNCTION tender.cancel(p_task uuid, p_reason text) OWNER TO tender_owner;

--
-- Name: FUNCTION cancel(p_task uuid, p_reason text); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.cancel(p_task uuid, p_reason text) IS 'Asks to withdraw a task, whatever its stage; returns the number of the request.';


--
-- Name: close(uuid); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.close(p_task uuid) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    return tender_ledger.ask_about('close', p_task, '{}');
end
$$;


ALTER FUNCTION tender.close(p_task uuid) OWNER TO tender_owner;

--
-- Name: FUNCTION close(p_task uuid); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.close(p_task uuid) IS 'Asks to close the open round of a task, once all invited have answered; returns the number of the request.';


--
-- Name: close_losses(); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.close_losses() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_count bigint;
begin
    if not tender_ledger.is_operator() then
        raise exception using errcode = 'TN011', message = 'only operators close losses';
    end if;
    update tender_ledger.loss
    set closed_at = clock_timestamp(), closed_by = tender_ledger.caller()
    where closed_at is null;
    get diagnostics v_count = row_count;
    return v_count;
end
$$;


ALTER FUNCTION tender.close_losses() OWNER TO tender_owner;

--
-- Name: FUNCTION close_losses(); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.close_losses() IS 'Says that the losses of tender.loss were seen and dealt with; returns how many there were.';


--
-- Name: enrol_agent(text, text, text, text[]); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.enrol_agent(p_agent text, p_principal text DEFAULT NULL::text, p_key text DEFAULT NULL::text, p_skills text[] DEFAULT NULL::text[]) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform tender_ledger.check_range('skills', cardinality(p_skills), 0, 64);
    perform tender_ledger.check_skill('skill', coalesce(s, '')) from unnest(p_skills) s;
    return tender_ledger.ask_enrolment(34::smallint, p_agent, jsonb_build_object(
        'contractor', tender_ledger.check_name('agent', coalesce(p_agent, '')),
        'principal', tender_ledger.check_name('principal', p_principal),
        'digest', tender_ledger.check_key(p_key),
        'skills', to_jsonb(p_skills)));
end
$$;


ALTER FUNCTION tender.enrol_agent(p_agent text, p_principal text, p_key text, p_skills text[]) OWNER TO tender_owner;

--
-- Name: FUNCTION enrol_agent(p_agent text, p_principal text, p_key text, p_skills text[]); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.enrol_agent(p_agent text, p_principal text, p_key text, p_skills text[]) IS 'Asks to enrol an agent of a principal, with a public key of its own and the skills that it may offer, or to change them; what is left out stays as it is, and no skills are all skills. Returns the number of the request.';


--
-- Name: explain(uuid); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.explain(p_task uuid) RETURNS TABLE(round integer, rank integer, contractor text, principal text, status text, reason text, cost numeric, eta interval, price numeric, rule text, part integer)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select coalesce(b.round, a.round), b.rank, coalesce(b.contractor, a.contractor),
        coalesce(b.principal, a.principal), coalesce(b.status, 'assigned'), coalesce(b.reason, 'none'),
        b.cost, b.eta, a.price,
        case
            when a.price is null then null
            when a.price_set_by = 'rate' and b.contractor is null then 'the posted rate'
            when a.part > 0 then 'its share of what the others save by it (Clarke)'
            when a.price_set_by = 'ceiling' then 'no other principal''s bid was eligible: the ceiling'
            else 'the lowest cost of another principal: ' || a.price_set_by
        end, a.part
    from (select * from tender.bid where task_id = p_task) b
    full join (select * from tender.award where task_id = p_task) a
        on a.round = b.round and a.contractor = b.contractor
    order by 1, nullif(b.rank, 0) nulls last, 3
$$;


ALTER FUNCTION tender.explain(p_task uuid) OWNER TO tender_owner;

--
-- Name: FUNCTION explain(p_task uuid); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.explain(p_task uuid) IS 'Every answer to every round of a task: how it ranked and ended, why, and the rule that made the price.';


--
-- Name: fund(text, numeric); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.fund(p_principal text, p_credits numeric) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if not tender_ledger.is_operator() then
        raise exception using errcode = 'TN011', message = 'only operators put money into accounts';
    end if;
    perform tender_ledger.check_name('principal', coalesce(p_principal, ''));
    return tender_ledger.ask('fund', tender_ledger.caller(), p_principal, null, jsonb_build_object(
        'amount_micro', tender_ledger.to_micro('credits', p_credits, -1000000000000)));
end
$$;


ALTER FUNCTION tender.fund(p_principal text, p_credits numeric) OWNER TO tender_owner;

--
-- Name: FUNCTION fund(p_principal text, p_credits numeric); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.fund(p_principal text, p_credits numeric) IS 'Asks to put credits into an account, or, below zero, to take them out; returns the number of the request.';


--
-- Name: hold(text, text, text, text, uuid, text, timestamp with time zone); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.hold(p_reason text, p_contractor text DEFAULT NULL::text, p_principal text DEFAULT NULL::text, p_skill text DEFAULT NULL::text, p_task uuid DEFAULT NULL::uuid, p_text text DEFAULT NULL::text, p_until timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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


ALTER FUNCTION tender.hold(p_reason text, p_contractor text, p_principal text, p_skill text, p_task uuid, p_text text, p_until timestamp with time zone) OWNER TO tender_owner;

--
-- Name: FUNCTION hold(p_reason text, p_contractor text, p_principal text, p_skill text, p_task uuid, p_text text, p_until timestamp with time zone); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.hold(p_reason text, p_contractor text, p_principal text, p_skill text, p_task uuid, p_text text, p_until timestamp with time zone) IS 'Asks to keep a contractor, a principal, a skill (or any two or three of them together) or a task from anything new, until p_until or for a day; returns the number of the request. The same subject again moves the end.';


--
-- Name: reject(uuid, text, text, bigint, integer, integer); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.reject(p_task uuid, p_reason text, p_text text DEFAULT NULL::text, p_units bigint DEFAULT 0, p_generation integer DEFAULT NULL::integer, p_part integer DEFAULT 0) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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


ALTER FUNCTION tender.reject(p_task uuid, p_reason text, p_text text, p_units bigint, p_generation integer, p_part integer) OWNER TO tender_owner;

--
-- Name: FUNCTION reject(p_task uuid, p_reason text, p_text text, p_units bigint, p_generation integer, p_part integer); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.reject(p_task uuid, p_reason text, p_text text, p_units bigint, p_generation integer, p_part integer) IS 'Asks not to take what was delivered, but for some units of it: only they are paid, and the rest is announced again. Returns the number of the request.';


--
-- Name: release(uuid, text, text, text); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.release(p_task uuid DEFAULT NULL::uuid, p_contractor text DEFAULT NULL::text, p_principal text DEFAULT NULL::text, p_skill text DEFAULT NULL::text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if p_task is null then
        return tender_ledger.ask_all('release',
            jsonb_strip_nulls(tender_ledger.hold_subject(p_contractor, p_principal, p_skill)));
    end if;
    return tender_ledger.ask_about('release', p_task, '{}');
end
$$;


ALTER FUNCTION tender.release(p_task uuid, p_contractor text, p_principal text, p_skill text) OWNER TO tender_owner;

--
-- Name: FUNCTION release(p_task uuid, p_contractor text, p_principal text, p_skill text); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.release(p_task uuid, p_contractor text, p_principal text, p_skill text) IS 'Asks to let a held task go on, or ends the hold on a contractor, principal or skill, named as it was when held; returns the number of the request.';


--
-- Name: result(uuid, integer, integer); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.result(p_task uuid, p_generation integer, p_part integer DEFAULT 0) RETURNS bytea
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_task tender_ledger.task;
    v_commitment tender_ledger.commitment;
    v_late integer;
begin
    select * into v_task from tender_ledger.task where task_id = p_task;
    if not found or not pg_has_role(tender_ledger.caller(), 'tender_auditor', 'member') then
        v_task := tender_ledger.own_task(p_task);
    end if;
    select * into v_commitment
    from tender_ledger.commitment c
    where c.shard = v_task.shard and c.task_id = p_task and c.part = p_part
        and c.generation = p_generation;
    select max(a.late) into v_late
    from tender_ledger.adoption a
    where a.shard = v_task.shard and a.task_id = p_task and a.part = p_part
        and a.generation = p_generation;
    return (
        select e.content
        from (
            select f.number, f.kind, f.content, f.body::jsonb as body
            from tender_ledger.entry f
            where f.shard = v_task.shard and f.task_id = p_task and f.content is not null
                and f.kind in (7, 8, 10, 15)
        ) e
        where coalesce((e.body ->> 'part')::integer, 0) = p_part
            and (e.body ->> 'generation')::integer = p_generation
            and (e.number <= v_late
                or v_commitment.state = 3 and e.kind <> 10
                or v_commitment.state = 4 and e.kind = 7
                    and coalesce((e.body ->> 'units_done')::bigint, 0) <= v_commitment.units_done)
        order by e.number desc
        limit 1);
end
$$;


ALTER FUNCTION tender.result(p_task uuid, p_generation integer, p_part integer) OWNER TO tender_owner;

--
-- Name: FUNCTION result(p_task uuid, p_generation integer, p_part integer); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.result(p_task uuid, p_generation integer, p_part integer) IS 'What a commitment delivered, once it was taken and paid; null while it was not, or where there is nothing.';


--
-- Name: revoke_agent(text); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.revoke_agent(p_agent text) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select tender_ledger.ask_enrolment(34::smallint, p_agent, jsonb_build_object(
        'contractor', tender_ledger.check_name('agent', coalesce(p_agent, '')),
        'reason', 'revoked'))
$$;


ALTER FUNCTION tender.revoke_agent(p_agent text) OWNER TO tender_owner;

--
-- Name: FUNCTION revoke_agent(p_agent text); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.revoke_agent(p_agent text) IS 'Asks that an agent may say nothing any more; what it promised stands. Returns the number of the request.';


--
-- Name: revoke_principal(text); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.revoke_principal(p_principal text) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select tender_ledger.ask_enrolment(29::smallint, p_principal, jsonb_build_object(
        'principal', tender_ledger.check_name('principal', nullif(coalesce(p_principal, ''), '*')),
        'reason', 'revoked'))
$$;


ALTER FUNCTION tender.revoke_principal(p_principal text) OWNER TO tender_owner;

--
-- Name: FUNCTION revoke_principal(p_principal text); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.revoke_principal(p_principal text) IS 'Asks that a principal and its agents may say nothing any more; what they promised stands. Returns the number of the request.';


--
-- Name: rotate_agent(text, text); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.rotate_agent(p_agent text, p_key text) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select tender.enrol_agent(p_agent, null, coalesce(p_key, ''))
$$;


ALTER FUNCTION tender.rotate_agent(p_agent text, p_key text) OWNER TO tender_owner;

--
-- Name: FUNCTION rotate_agent(p_agent text, p_key text); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.rotate_agent(p_agent text, p_key text) IS 'Asks to give an agent another public key in place of the one before. Returns the number of the request.';


--
-- Name: rotate_principal(text, text); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.rotate_principal(p_principal text, p_key text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if tender_ledger.is_operator() and not exists (
            select from tender_ledger.principal p where p.shard = 0 and p.principal = p_principal) then
        raise exception using
            errcode = 'TN012', message = format('no principal %s is enrolled', coalesce(p_principal, 'null'));
    end if;
    return tender.add_principal(p_principal, coalesce(p_key, ''));
end
$$;


ALTER FUNCTION tender.rotate_principal(p_principal text, p_key text) OWNER TO tender_owner;

--
-- Name: FUNCTION rotate_principal(p_principal text, p_key text); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.rotate_principal(p_principal text, p_key text) IS 'Asks to give a principal another public key in place of the one before. Returns the number of the request.';


--
-- Name: set_rate(text, numeric, numeric, text, numeric); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.set_rate(p_skill text, p_rate numeric, p_threshold numeric, p_tier text DEFAULT NULL::text, p_share numeric DEFAULT 0.02) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if not tender_ledger.is_operator() then
        raise exception using errcode = 'TN011', message = 'only operators set rates';
    end if;
    perform tender_ledger.check_skill('skill', coalesce(p_skill, ''));
    perform tender_ledger.check_skill('tier', p_tier);
    if p_share is null or p_share not between 0 and 1 or p_share <> round(p_share, 6) then
        raise exception using
            errcode = 'TN010',
            message = format('share is %s: it must be a share from 0 to 1 with at most six decimals',
                coalesce(p_share::text, 'null'));
    end if;
    return tender_ledger.ask_all('rate',
        jsonb_strip_nulls(jsonb_build_object(
            'skill', p_skill,
            'price_micro', tender_ledger.to_micro('rate', p_rate, 0),
            'ceiling_micro', tender_ledger.to_micro('threshold', p_threshold, 0),
            'tier', p_tier,
            'share_ppm', (p_share * 1000000)::bigint)));
end
$$;


ALTER FUNCTION tender.set_rate(p_skill text, p_rate numeric, p_threshold numeric, p_tier text, p_share numeric) OWNER TO tender_owner;

--
-- Name: FUNCTION set_rate(p_skill text, p_rate numeric, p_threshold numeric, p_tier text, p_share numeric); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.set_rate(p_skill text, p_rate numeric, p_threshold numeric, p_tier text, p_share numeric) IS 'Posts the price of a unit of a skill and tier, up to a threshold for the whole task, and the share that is auctioned all the same; rate 0 takes it back. Returns the number of the request.';


--
-- Name: set_resource(text, integer, text); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.set_resource(p_resource text, p_count integer, p_contractor text DEFAULT NULL::text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_shards constant integer := tender_ledger.shard_count();
begin
    if not tender_ledger.is_operator() then
        raise exception using errcode = 'TN011', message = 'only operators count resources';
    end if;
    perform tender_ledger.check_skill('resource', coalesce(p_resource, ''));
    perform tender_ledger.check_name('contractor', p_contractor);
    perform tender_ledger.check_range('count', coalesce(p_count, -1), 0, 1000000000);
    if p_count between 1 and v_shards - 1 then
        raise exception using
            errcode = 'TN010',
            message = format('count is %s: it is divided among %s shards, and none may be left out',
                p_count, v_shards);
    end if;
    return (
        select min(tender_ledger.ask_shard(s.shard::smallint, 'resource', tender_ledger.caller(),
            tender_ledger.caller(), null, jsonb_strip_nulls(jsonb_build_object(
                'skill', p_resource,
                'units_done', p_count::bigint * (s.shard + 1) / v_shards
                    - p_count::bigint * s.shard / v_shards,
                'contractor', p_contractor))))
        from generate_series(0, v_shards - 1) s (shard));
end
$$;


ALTER FUNCTION tender.set_resource(p_resource text, p_count integer, p_contractor text) OWNER TO tender_owner;

--
-- Name: FUNCTION set_resource(p_resource text, p_count integer, p_contractor text); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.set_resource(p_resource text, p_count integer, p_contractor text) IS 'Asks to count a resource, one contractor''s or what all share; 0: no more. Returns the number of the request.';


--
-- Name: verify_award(uuid); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.verify_award(p_task uuid) RETURNS TABLE(round integer, claim text, holds boolean, detail text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    with entry as materialized (
        select e.number, e.kind, e.at, e.body::jsonb as body, (e.body::jsonb ->> 'round')::integer as round
        from tender_ledger.entry e
        where e.shard = tender_ledger.shard_of_task(p_task) and e.task_id = p_task and e.kind in (1, 2, 3, 4, 5)
    ), opened as (
        select o.round, o.at, o.body ->> 'head' as head, coalesce((o.body ->> 'ceiling_micro')::bigint, 0) as ceiling,
            o.body ->> 'contractor' as fallback,
            coalesce((a.body ->> 'split_max')::bigint, 0) > 0 as is_split
        from entry o
        cross join (select x.body from entry x where x.kind = 1) a
        where o.kind = 2
    ), closed as (
        select distinct on (c.round) c.round, c.number, c.body
        from entry c
        where c.kind in (4, 5)
        order by c.round, c.number
    ), answer as (
        select distinct on (e.round, i.answer ->> 'contractor') e.round, e.number, i.answer,
            i.answer ->> 'contractor' as contractor
        from entry e
        cross join lateral jsonb_array_elements(e.body -> 'answers') with ordinality i (answer, place)
        where e.kind = 3 and i.answer ->> 'state' is distinct from 'ineligible'
        order by e.round, i.answer ->> 'contractor', e.number desc, i.place desc
    ), booked as (
        select distinct on (e.round, i.answer ->> 'contractor') e.round, e.number, i.place,
            (i.answer ->> 'nonce')::uuid as nonce,
            tender_ledger.bid_leaf(p_task, e.round, i.answer ->> 'contractor', i.answer ->> 'principal',
                (i.answer ->> 'cost_micro')::bigint, (i.answer ->> 'eta_us')::bigint,
                (i.answer ->> 'capacity')::bigint, (i.answer ->> 'nonce')::uuid) as leaf
        from entry e
        join closed c on c.round = e.round and e.number < c.number
        cross join lateral jsonb_array_elements(e.body -> 'answers') with ordinality i (answer, place)
        where e.kind = 3 and coalesce(i.answer ->> 'state', 'standing') in ('standing', 'ineligible')
        order by e.round, i.answer ->> 'contractor', e.number, i.place
    ), sealed as (
        select b.round, count(*) as bids, bool_or(b.nonce is not null) as has_nonce,
            tender_ledger.tree_root(array_agg(b.leaf order by b.number, b.place)) as root
        from booked b
        group by b.round
    ), bid as (
        select a.round, a.number, a.contractor, a.answer ->> 'principal' as principal,
            coalesce(a.answer ->> 'root', a.answer ->> 'principal') as root,
            coalesce((a.answer ->> 'cost_micro')::bigint, 0) as cost,
            coalesce((a.answer ->> 'eta_us')::bigint, 0) as eta,
            sha256(convert_to('tender/rank/v1', 'UTF8') || uuid_send(p_task) || int4send(a.round)
                || decode(o.head, 'hex') || convert_to(a.contractor, 'UTF8')) as draw
        from answer a
        join opened o on o.round = a.round
        where coalesce(a.answer ->> 'state', 'standing') = 'standing'
    ), ranked as (
        select c.round, r.rank ->> 'contractor' as contractor, r.rank ->> 'reason' as reason,
            coalesce((r.rank ->> 'rank')::integer, 0) as rank
        from closed c
        cross join lateral jsonb_array_elements(c.body -> 'ranks') r (rank)
    ), judged as (
        select c.round, coalesce(b.contractor, k.contractor) as contractor, b.principal, b.root, b.cost, b.eta, b.draw,
            k.reason, k.rank, b.contractor is not null as is_bid, k.contractor is not null as is_ranked,
            b.number > c.number as is_late
        from closed c
        cross join lateral (
            select x.contractor from bid x where x.round = c.round
            union
            select y.contractor from ranked y where y.round = c.round
        ) n
        left join bid b on b.round = c.round and b.contractor = n.contractor
        left join ranked k on k.round = c.round and k.contractor = n.contractor
    ), placed as (
        select j.*, o.ceiling, o.is_split,
            row_number() over (partition by j.round order by j.cost, j.eta, j.draw) as place
        from judged j
        join opened o on o.round = j.round
        where j.rank > 0 and j.is_bid
    ), award as (
        select e.round, e.number, e.body ->> 'contractor' as contractor, o.ceiling, o.fallback, o.is_split,
            coalesce((e.body ->> 'cost_micro')::bigint, 0) as cost,
            coalesce((e.body ->> 'price_micro')::bigint, 0) as price, k.rank,
            lag(k.rank, 1, 0) over (partition by e.round order by e.number) as rank_before,
            coalesce((
                select min(p.cost)
                from placed p
                where p.round = e.round and p.rank > k.rank), o.ceiling) as second
        from entry e
        join opened o on o.round = e.round
        left join ranked k on k.round = e.round and k.contractor = e.body ->> 'contractor'
        where e.kind = 4
    ), claims as (
        select c.round, 1 as place, 'every bid is ranked, and nothing that was not bid' as claim,
            (select string_agg(j.contractor, ', ' order by j.contractor)
            from judged j where j.round = c.round and not (j.is_bid and j.is_ranked)) as fault
        from closed c
        join opened o on o.round = c.round
        where o.fallback is null and exists (select from judged j where j.round = c.round)
        union all
        select c.round, 2, 'every bid was heard before the round closed',
            (select string_agg(j.contractor, ', ' order by j.contractor)
            from judged j where j.round = c.round and j.is_late)
        from closed c
        where exists (select from judged j where j.round = c.round)
        union all
        select c.round, 2, 'the book that bidders have the root of is of every bid, in their order',
            case when s.bids is null or not s.has_nonce then 'no bid had a nonce'
                when (c.body ->> 'bids')::bigint is distinct from s.bids
                    then format('%s bids, not %s', coalesce(c.body ->> 'bids', 'no'), s.bids)
                when decode(c.body ->> 'book', 'hex') is distinct from s.root
                    then format('the root is %s', encode(s.root, 'hex')) end
        from closed c
        left join sealed s on s.round = c.round
        where s.has_nonce or c.body ? 'book'
        union all
        select p.round, 3, 'the order is that of cost, then eta, then the draw',
            string_agg(format('%s has place %s, not %s', p.contractor, p.place, p.rank), ', ' order by p.place)
                filter (where p.place <> p.rank)
        from placed p
        where not p.is_split
        group by p.round
        union all
        select j.round, 4, 'each bid is its root principal''s', string_agg(
            format('%s is recorded below %s', j.contractor, j.root), ', ' order by j.contractor)
            filter (where not tender_ledger.had_root(p_task, j.principal, j.root, o.at))
        from judged j
        join opened o on o.round = j.round
        where j.is_bid
        group by j.round
        union all
        select p.round, 4, 'of each root principal one bid counts',
            string_agg(p.contractor, ', ' order by p.place) filter (where exists (
                select from placed q
                where q.round = p.round and q.root = p.root and q.place < p.place))
        from placed p
        where not p.is_split
        group by p.round
        union all
        select j.round, 5, 'who does not count has a reason that is so',
            string_agg(format('%s: %s', j.contractor, j.reason), ', ' order by j.contractor) filter (where
                case j.reason
                    when 'above-ceiling' then j.cost <= o.ceiling
                    when 'same-principal' then not exists (
                        select from placed p
                        where p.round = j.round and p.root = j.root
                            and (p.cost, p.eta, p.draw) < (j.cost, j.eta, j.draw))
                    else j.reason is null
                end)
        from judged j
        join opened o on o.round = j.round
        where j.is_bid and j.rank = 0 and not o.is_split
        group by j.round
        union all
        select p.round, 6, 'nobody counts who asks for more than the ceiling',
            string_agg(p.contractor, ', ' order by p.place) filter (where p.cost > p.ceiling)
        from placed p
        where not p.is_split
        group by p.round
        union all
        select a.round, 7, format('%s won: the first of the order, or the next when those before it broke off',
                a.contractor),
            case when a.rank is null or a.rank <= a.rank_before or a.rank_before = 0 and a.rank <> 1
                then format('its rank is %s, behind %s', coalesce(a.rank::text, 'none'), a.rank_before) end
        from award a
        where a.fallback is null and not a.is_split
        union all
        select a.round, 8, format('%s is paid the lowest cost behind it, or else the ceiling', a.contractor),
            case when a.price <> a.second
                then format('%s micro-credits, not %s', a.price, a.second) end
        from award a
        where a.fallback is null and not a.is_split
        union all
        select a.round, 9, format('%s is paid no less than its cost and no more than the ceiling', a.contractor),
            case when not a.price between a.cost and a.ceiling
                then format('cost %s, price %s, ceiling %s micro-credits', a.cost, a.price, a.ceiling) end
        from award a
        where not a.is_split
        union all
        select a.round, 9, 'the parts of the round cost no more than its ceiling',
            case when sum(a.price) > min(a.ceiling)
                then format('%s micro-credits of %s', sum(a.price), min(a.ceiling)) end
        from award a
        where a.is_split
        group by a.round
        union all
        select null, 10, 'every entry of the task''s chain follows from the one before it',
            (select format('entry %s does not', v.first_fault)
            from tender.verify_task(p_task) v where v.faults > 0)
    )
    select v.round, v.claim, v.holds, v.detail
    from (
        select c.round, c.place, c.claim, c.fault is null as holds, c.fault as detail
        from claims c
        union all
        select null, 11, 'a signed checkpoint covers its last award', case when k.size is not null then true end,
            case when k.size is null then 'none does yet'
                else format('%s batches of shard %s, signed by ed25519:%s', k.size, k.shard,
                    encode(k.key, 'hex'))
            end
        from (select max(a.number) as number from award a having count(*) > 0) l
        join entry e on e.number = l.number
        left join lateral tender_ledger.batch_of_entry(
            tender_ledger.shard_of_task(p_task)::smallint, p_task, e.number, e.at) b on true
        left join lateral (
            select c.size, c.shard, c.key
            from tender_ledger.checkpoint c
            where c.shard = tender_ledger.shard_of_task(p_task) and c.size > b.leaf
            order by c.size
            limit 1
        ) k on true
    ) v
    order by v.round, v.place, v.claim
$$;


ALTER FUNCTION tender.verify_award(p_task uuid) OWNER TO tender_owner;

--
-- Name: FUNCTION verify_award(p_task uuid); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.verify_award(p_task uuid) IS 'Makes the argument of each award of a task anew from the entries of its chain: one row a claim, whether it holds, and where it does not.';


--
-- Name: verify_task(uuid); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.verify_task(p_task uuid) RETURNS TABLE(entries bigint, faults bigint, first_fault integer, head text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    with chain as (
        select e.shard, e.number, e.hash, e.content, e.body,
            row_number() over (partition by e.shard order by e.number) as place,
            sha256(convert_to('tender/entry/v1', 'UTF8') || '\x00'::bytea
                || lag(e.hash, 1, decode(repeat('00', 32), 'hex'))
                    over (partition by e.shard order by e.number)
                || uuid_send(e.task_id) || int8send(e.number::bigint)
                || int8send((extract(epoch from e.at) * 1000000)::bigint)
                || convert_to(w.name, 'UTF8') || '\x00'::bytea
                || convert_to(e.body, 'UTF8')) as computed
        from tender_ledger.entry e
        join tender_ledger.word w on w.vocabulary = 'entry_kind' and w.code = e.kind
        where e.task_id = p_task and e.shard = any (array(
            select s.shard::smallint
            from generate_series(0, tender_ledger.shard_count() - 1) s (shard)
            where s.shard = tender_ledger.shard_of_task(p_task)
                or p_task = '00000000-0000-0000-0000-000000000000'))
    ), verdict as (
        select c.shard, c.number, c.hash,
            c.place = count(*) over (partition by c.shard) as is_head,
            c.hash = c.computed and c.number = c.place
                and (c.content is null
                    or encode(sha256(c.content), 'hex') = c.body::jsonb ->> 'content_digest')
                as is_right
        from chain c
    )
    select count(*), count(*) filter (where v.is_right is not true),
        min(v.number) filter (where v.is_right is not true),
        string_agg(encode(v.hash, 'hex'), ' ' order by v.shard) filter (where v.is_head)
    from verdict v
$$;


ALTER FUNCTION tender.verify_task(p_task uuid) OWNER TO tender_owner;

--
-- Name: FUNCTION verify_task(p_task uuid); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.verify_task(p_task uuid) IS 'Checks the hash chain of a task, or of the house in each shard for the nil identifier: entries, faults, the first faulty entry and the head of each chain.';


--
-- Name: verify_tree(integer); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.verify_tree(p_shard integer) RETURNS TABLE(leaf bigint, task_id uuid, number integer, fault text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    with entry as materialized (
        select e.task_id, e.number, e.at, e.hash,
            e.number = row_number() over w as follows,
            e.hash = sha256(convert_to('tender/entry/v1', 'UTF8') || '\x00'::bytea
                || lag(e.hash, 1, decode(repeat('00', 32), 'hex')) over w
                || uuid_send(e.task_id) || int8send(e.number::bigint)
                || int8send((extract(epoch from e.at) * 1000000)::bigint)
                || convert_to(k.name, 'UTF8') || '\x00'::bytea
                || convert_to(e.body, 'UTF8')) as is_right,
            e.content is null
                or encode(sha256(e.content), 'hex') = e.body::jsonb ->> 'content_digest' as has_content
        from tender_ledger.entry e
        left join tender_ledger.word k on k.vocabulary = 'entry_kind' and k.code = e.kind
        where e.shard = p_shard
        window w as (partition by e.task_id order by e.number)
    ), recorded as materialized (
        select b.leaf, r.place, r.task_id, r.number + n.step as number,
            case when n.step = r.count - 1 then r.mark end as mark
        from tender_ledger.batch b
        cross join lateral unnest(b.task_ids, b.numbers, b.counts, b.marks)
            with ordinality r (task_id, number, count, mark, place)
        cross join lateral generate_series(0, r.count - 1) n (step)
        where b.shard = p_shard
    ), held as materialized (
        select r.leaf, r.place, coalesce(r.task_id, e.task_id) as task_id,
            coalesce(r.number, e.number) as number, e.at, e.hash, r.mark, exists (
                select
                from tender_ledger.partition p
                where p.state in ('detached', 'archived') and r.task_id >= p.from_id
                    and r.task_id < p.to_id) as has_left
        from recorded r
        full join entry e on e.task_id = r.task_id and e.number = r.number
    ), batch as materialized (
        select b.leaf, b.batch, b.entries, b.root, b.peak, tender_ledger.batch_leaf(b.*) as hash,
            b.leaf = row_number() over w - 1 as follows,
            coalesce(b.batch > lag(b.batch) over w, true) as rises,
            (b.leaf + 1) & -(b.leaf + 1) as whole
        from tender_ledger.batch b
        where b.shard = p_shard
        window w as (order by b.leaf)
    )
    select null::bigint, e.task_id, e.number, f.fault
    from entry e
    cross join lateral (
        values (not e.follows, 'does not follow: an entry is missing before it'),
            (e.is_right is not true,
                'has another hash than its bytes and the entry before it give'),
            (e.has_content is not true, 'has another content than its body says')
    ) f (is_wrong, fault)
    where f.is_wrong
    union all
    select h.leaf, h.task_id, h.number, f.fault
    from held h
    cross join lateral (
        values (h.hash is null and not h.has_left, 'is missing'),
            (h.leaf is null and h.at > coalesce((
                select t.since_at
                from tender_ledger.tree t
                where t.shard = p_shard), 'infinity'), 'is in no batch'),
            (h.mark <> ('x' || encode(substr(h.hash, 1, 8), 'hex'))::bit(64)::bigint,
                'is not what the batch recorded')
    ) f (is_wrong, fault)
    where f.is_wrong
    union all
    select min(h.leaf), h.task_id, h.number, 'is in two batches'
    from held h
    where h.leaf is not null
    group by h.task_id, h.number
    having count(*) > 1
    union all
    select b.leaf, null, null, f.fault
    from batch b
    left join (
        select h.leaf, count(h.hash) as entries, bool_or(h.hash is null and h.has_left) as has_left,
            tender_ledger.tree_root(array_agg(tender_ledger.tree_leaf(h.hash)
                order by h.place, h.number) filter (where h.hash is not null)) as root
        from held h
        where h.leaf is not null
        group by h.leaf
    ) m using (leaf)
    cross join lateral (
        values (not b.follows, 'does not follow: a batch is missing before it'),
            (not b.rises, 'is out of order'),
            (m.has_left is not true and (m.entries = b.entries and m.root = b.root) is not true,
                'is not made of its entries'),
            (b.peak is distinct from case
                when b.whole = 1 then b.hash
                else sha256('\x01'::bytea
                    || tender_ledger.batch_root(p_shard::smallint, b.leaf + 1 - b.whole, b.whole / 2)
                    || tender_ledger.batch_root(p_shard::smallint, b.leaf + 1 - b.whole / 2,
                        b.whole / 2))
                end, 'has another peak than the tree')
    ) f (is_wrong, fault)
    where f.is_wrong
    union all
    select c.size - 1, null, null, f.fault
    from tender_ledger.checkpoint c
    cross join lateral (
        values (not exists (
                select
                from tender_ledger.batch b
                where b.shard = p_shard and b.leaf = c.size - 1), 'a checkpoint covers what is not there'),
            (c.root <> tender_ledger.batch_root(p_shard::smallint, 0, c.size),
                'a checkpoint has another root than its batches')
    ) f (is_wrong, fault)
    where c.shard = p_shard and f.is_wrong
$$;


ALTER FUNCTION tender.verify_tree(p_shard integer) OWNER TO tender_owner;

--
-- Name: FUNCTION verify_tree(p_shard integer); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.verify_tree(p_shard integer) IS 'What is wrong with the entries, batches and checkpoints of a shard; no rows where all of it is whole.';


--
-- Name: add_adoptions(smallint, uuid[], integer[], integer[], integer[], integer[], timestamp with time zone[], integer[], bigint[], text[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.add_adoptions(p_shard smallint, p_task uuid[], p_number integer[], p_part integer[], p_generation integer[], p_late integer[], p_adopted_at timestamp with time zone[], p_units integer[], p_paid_micro bigint[], p_principal text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if exists (
        select
        from (
            select unnest(p_task) as task_id, unnest(p_part) as part,
                unnest(p_generation) as generation
        ) g
        where not exists (
            select
            from tender_ledger.commitment c
            where c.shard = p_shard and c.task_id = g.task_id and c.part = g.part
                and c.generation = g.generation)) then
        raise exception using
            errcode = 'TN004',
            message = 'a late result is of a commitment that is not in the ledger';
    end if;
    insert into tender_ledger.adoption (adopted_at, paid_micro, units, number, late, generation, part,
        shard, task_id, principal)
    select unnest(p_adopted_at), unnest(p_paid_micro), unnest(p_units), unnest(p_number),
        unnest(p_late), unnest(p_generation), unnest(p_part), p_shard, unnest(p_task),
        unnest(p_principal);
end
$$;


ALTER FUNCTION tender_ledger.add_adoptions(p_shard smallint, p_task uuid[], p_number integer[], p_part integer[], p_generation integer[], p_late integer[], p_adopted_at timestamp with time zone[], p_units integer[], p_paid_micro bigint[], p_principal text[]) OWNER TO tender_owner;

--
-- Name: FUNCTION add_adoptions(p_shard smallint, p_task uuid[], p_number integer[], p_part integer[], p_generation integer[], p_late integer[], p_adopted_at timestamp with time zone[], p_units integer[], p_paid_micro bigint[], p_principal text[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.add_adoptions(p_shard smallint, p_task uuid[], p_number integer[], p_part integer[], p_generation integer[], p_late integer[], p_adopted_at timestamp with time zone[], p_units integer[], p_paid_micro bigint[], p_principal text[]) IS 'Adds late results that were taken.';


--
-- Name: add_afters(smallint, uuid[], uuid[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.add_afters(p_shard smallint, p_task uuid[], p_after uuid[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if exists (
        select
        from unnest(p_after) g (task_id)
        where not exists (
                select from tender_ledger.task t where t.shard = p_shard and t.task_id = g.task_id)
            and not exists (
                select
                from tender_ledger.archived_task a
                where a.shard = p_shard and a.task_id = g.task_id)) then
        raise exception using
            errcode = 'TN004',
            message = 'task_waits_for_recorded_tasks_only: a task is to wait for one that is not in the ledger';
    end if;
    insert into tender_ledger.task_after (shard, task_id, after_id)
    select p_shard, unnest(p_task), unnest(p_after);
end
$$;


ALTER FUNCTION tender_ledger.add_afters(p_shard smallint, p_task uuid[], p_after uuid[]) OWNER TO tender_owner;

--
-- Name: FUNCTION add_afters(p_shard smallint, p_task uuid[], p_after uuid[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.add_afters(p_shard smallint, p_task uuid[], p_after uuid[]) IS 'Says which tasks must be done before announced ones.';


--
-- Name: add_batch(smallint, bigint, bigint, timestamp with time zone, integer, bytea, bytea, uuid[], integer[], smallint[], bigint[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.add_batch(p_shard smallint, p_batch bigint, p_leaf bigint, p_at timestamp with time zone, p_entries integer, p_root bytea, p_peak bytea, p_task_ids uuid[], p_numbers integer[], p_counts smallint[], p_marks bigint[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    insert into tender_ledger.batch (at, leaf, batch, entries, shard, root, peak, task_ids, numbers,
        counts, marks)
    values (p_at, p_leaf, p_batch, p_entries, p_shard, p_root, p_peak, p_task_ids, p_numbers, p_counts,
        p_marks);
end
$$;


ALTER FUNCTION tender_ledger.add_batch(p_shard smallint, p_batch bigint, p_leaf bigint, p_at timestamp with time zone, p_entries integer, p_root bytea, p_peak bytea, p_task_ids uuid[], p_numbers integer[], p_counts smallint[], p_marks bigint[]) OWNER TO tender_owner;

--
-- Name: FUNCTION add_batch(p_shard smallint, p_batch bigint, p_leaf bigint, p_at timestamp with time zone, p_entries integer, p_root bytea, p_peak bytea, p_task_ids uuid[], p_numbers integer[], p_counts smallint[], p_marks bigint[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.add_batch(p_shard smallint, p_batch bigint, p_leaf bigint, p_at timestamp with time zone, p_entries integer, p_root bytea, p_peak bytea, p_task_ids uuid[], p_numbers integer[], p_counts smallint[], p_marks bigint[]) IS 'Adds a batch to the tree of its shard.';


--
-- Name: add_broker_key(smallint, bigint, bytea); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.add_broker_key(p_shard smallint, p_reign bigint, p_key bytea) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    insert into tender_ledger.broker_key (since_at, shard, broker, key)
    select clock_timestamp(), r.shard, r.broker, p_key
    from tender_ledger.reign r
    where r.shard = p_shard and r.reign = p_reign and p_key is distinct from (
        select k.key
        from tender_ledger.broker_key k
        where k.shard = r.shard and k.broker = r.broker
        order by k.since_at desc
        limit 1)
$$;


ALTER FUNCTION tender_ledger.add_broker_key(p_shard smallint, p_reign bigint, p_key bytea) OWNER TO tender_owner;

--
-- Name: FUNCTION add_broker_key(p_shard smallint, p_reign bigint, p_key bytea); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.add_broker_key(p_shard smallint, p_reign bigint, p_key bytea) IS 'Notes by which key the reigning broker of a shard signs from now on.';


--
-- Name: add_checkpoint(smallint, bigint, timestamp with time zone, bytea, bytea, bytea); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.add_checkpoint(p_shard smallint, p_size bigint, p_at timestamp with time zone, p_root bytea, p_key bytea, p_signature bytea) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    insert into tender_ledger.checkpoint (at, size, shard, root, key, signature)
    values (p_at, p_size, p_shard, p_root, p_key, p_signature)
    on conflict on constraint checkpoint_is_one_per_size do nothing
$$;


ALTER FUNCTION tender_ledger.add_checkpoint(p_shard smallint, p_size bigint, p_at timestamp with time zone, p_root bytea, p_key bytea, p_signature bytea) OWNER TO tender_owner;

--
-- Name: FUNCTION add_checkpoint(p_shard smallint, p_size bigint, p_at timestamp with time zone, p_root bytea, p_key bytea, p_signature bytea); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.add_checkpoint(p_shard smallint, p_size bigint, p_at timestamp with time zone, p_root bytea, p_key bytea, p_signature bytea) IS 'Keeps what a broker has signed over the tree of a shard.';


--
-- Name: add_commitments(smallint, uuid[], integer[], integer[], integer[], text[], text[], integer[], bigint[], timestamp with time zone[], timestamp with time zone[], timestamp with time zone[], timestamp with time zone[], smallint[], smallint[], integer[], bigint[], bigint[], integer[], bytea[], text[], bytea[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.add_commitments(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units_done integer[], p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_count bigint;
begin
    insert into tender_ledger.ending (awarded_at, due_at, acknowledged_at, ended_at, price_micro,
        paid_micro, fee_micro, units, units_done, generation, round, part, shard, state, reason,
        task_id, owner, principal, number, hash, body, content)
    select g.awarded_at, g.due_at, g.acknowledged_at, g.ended_at, g.price_micro, g.paid_micro,
        g.fee_micro, g.units, g.units_done, g.generation, g.round, g.part, p_shard, g.state, g.reason,
        t.task_id, g.owner, g.principal, g.number, g.hash, g.body, g.content
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_round) as round, unnest(p_owner) as owner, unnest(p_principal) as principal,
            unnest(p_units) as units, unnest(p_price_micro) as price_micro,
            unnest(p_awarded_at) as awarded_at, unnest(p_due_at) as due_at,
            unnest(p_acknowledged_at) as acknowledged_at, unnest(p_ended_at) as ended_at,
            unnest(p_state) as state, unnest(p_reason) as reason,
            unnest(p_units_done) as units_done, unnest(p_paid_micro) as paid_micro,
            unnest(p_fee_micro) as fee_micro, unnest(p_number) as number, unnest(p_hash) as hash,
            unnest(p_body) as body, unnest(p_content) as content
    ) g
    cross join lateral (
        select f.task_id
        from tender_ledger.task f
        where f.shard = p_shard and f.task_id = g.task_id
        offset 0
    ) t;
    get diagnostics v_count = row_count;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s commitments are of tasks that are not in the ledger',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
end
$$;


ALTER FUNCTION tender_ledger.add_commitments(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units_done integer[], p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[]) OWNER TO tender_owner;

--
-- Name: FUNCTION add_commitments(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units_done integer[], p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.add_commitments(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units_done integer[], p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[]) IS 'Adds commitments that ended in the batch that awarded them.';


--
-- Name: add_fresh_tasks(smallint, uuid[], timestamp with time zone[], smallint[], integer[], bigint[], uuid[], text[], text[], text[], text[], bytea[], bytea[], text[], bytea[], timestamp with time zone[], smallint[], bytea[], text[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.add_fresh_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[], p_hash bytea[], p_body text[], p_content bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_hash bytea[], p_next_body text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    insert into tender_ledger.task (announced_at, ceiling_micro, units, shard, partial, task_id, again,
        client, principal, skill, key, next_at, next_kind, hash, next_hash, body, next_body,
        content)
    select unnest(p_announced_at), unnest(p_ceiling_micro), unnest(p_units), p_shard,
        unnest(p_partial), unnest(p_task), unnest(p_again), unnest(p_client), unnest(p_principal),
        unnest(p_skill), unnest(p_key), unnest(p_next_at),
        unnest(p_next_kind), unnest(p_hash), unnest(p_next_hash), unnest(p_body), unnest(p_next_body),
        unnest(p_content);
    insert into tender_ledger.task_key (shard, task_id, again, principal, key, body_digest)
    select p_shard, unnest(p_task), unnest(p_again), unnest(p_principal), unnest(p_key),
        unnest(p_body_digest);
end
$$;


ALTER FUNCTION tender_ledger.add_fresh_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[], p_hash bytea[], p_body text[], p_content bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_hash bytea[], p_next_body text[]) OWNER TO tender_owner;

--
-- Name: FUNCTION add_fresh_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[], p_hash bytea[], p_body text[], p_content bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_hash bytea[], p_next_body text[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.add_fresh_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[], p_hash bytea[], p_body text[], p_content bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_hash bytea[], p_next_body text[]) IS 'Adds announced tasks, each with its first entries, that are open in their first round.';


--
-- Name: add_goals(smallint, uuid[], text[], text[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.add_goals(p_shard smallint, p_task uuid[], p_principal text[], p_goal text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    insert into tender_ledger.task_goal (shard, task_id, principal, goal)
    select p_shard, unnest(p_task), unnest(p_principal), unnest(p_goal);
end
$$;


ALTER FUNCTION tender_ledger.add_goals(p_shard smallint, p_task uuid[], p_principal text[], p_goal text[]) OWNER TO tender_owner;

--
-- Name: FUNCTION add_goals(p_shard smallint, p_task uuid[], p_principal text[], p_goal text[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.add_goals(p_shard smallint, p_task uuid[], p_principal text[], p_goal text[]) IS 'Says which goals announced tasks serve.';


--
-- Name: add_measured(smallint, uuid[], integer[], integer[], timestamp with time zone[], text[], text[], text[], integer[], bigint[], bigint[], bigint[], text[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.add_measured(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_at timestamp with time zone[], p_contractor text[], p_principal text[], p_tier text[], p_units integer[], p_bid_micro bigint[], p_estimate_micro bigint[], p_measured_micro bigint[], p_evidence text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
    insert into tender_ledger.measured (at, bid_micro, estimate_micro, measured_micro, tokens_in,
        tokens_out, units, part, generation, shard, task_id, contractor, principal, skill, tier)
    select g.at, g.bid_micro, g.estimate_micro, g.measured_micro,
        substring(g.evidence from '(?n)^tokens_in=([0-9]{1,15})$')::bigint,
        substring(g.evidence from '(?n)^tokens_out=([0-9]{1,15})$')::bigint,
        g.units, g.part, g.generation, p_shard, g.task_id, g.contractor, g.principal, t.skill, g.tier
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_at) as at, unnest(p_contractor) as contractor, unnest(p_principal) as principal,
            unnest(p_tier) as tier, unnest(p_units) as units, unnest(p_bid_micro) as bid_micro,
            unnest(p_estimate_micro) as estimate_micro, unnest(p_measured_micro) as measured_micro,
            unnest(p_evidence) as evidence
    ) g
    cross join lateral (
        select f.skill from tender_ledger.task f where f.shard = p_shard and f.task_id = g.task_id offset 0
    ) t;
end
$_$;


ALTER FUNCTION tender_ledger.add_measured(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_at timestamp with time zone[], p_contractor text[], p_principal text[], p_tier text[], p_units integer[], p_bid_micro bigint[], p_estimate_micro bigint[], p_measured_micro bigint[], p_evidence text[]) OWNER TO tender_owner;

--
-- Name: FUNCTION add_measured(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_at timestamp with time zone[], p_contractor text[], p_principal text[], p_tier text[], p_units integer[], p_bid_micro bigint[], p_estimate_micro bigint[], p_measured_micro bigint[], p_evidence text[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.add_measured(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_at timestamp with time zone[], p_contractor text[], p_principal text[], p_tier text[], p_units integer[], p_bid_micro bigint[], p_estimate_micro bigint[], p_measured_micro bigint[], p_evidence text[]) IS 'Adds what work cost, as its contractor reported it, beside its bid.';


--
-- Name: add_needs(smallint, uuid[], text[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.add_needs(p_shard smallint, p_task uuid[], p_need text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    insert into tender_ledger.task_need (shard, task_id, needs)
    select p_shard, g.task_id, array_agg(g.need order by g.place)
    from unnest(p_task, p_need) with ordinality g (task_id, need, place)
    group by g.task_id;
end
$$;


ALTER FUNCTION tender_ledger.add_needs(p_shard smallint, p_task uuid[], p_need text[]) OWNER TO tender_owner;

--
-- Name: FUNCTION add_needs(p_shard smallint, p_task uuid[], p_need text[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.add_needs(p_shard smallint, p_task uuid[], p_need text[]) IS 'Says what announced tasks need besides their skill; one element a task and name.';


--
-- Name: add_partition(timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.add_partition(p_since_at timestamp with time zone, p_until_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_from_id uuid := tender_ledger.first_id(p_since_at);
    v_to_id uuid := tender_ledger.first_id(p_until_at);
    v_suffix text := 'p' || to_char(p_since_at at time zone 'UTC', 'YYYYMMDDHH24');
    v_table text;
    v_trigger text;
begin
    insert into tender_ledger.partition (since_at, until_at, from_id, to_id, suffix)
    values (p_since_at, p_until_at, v_from_id, v_to_id, v_suffix);
    foreach v_table in array array['entry_row', 'task', 'ending'] loop
        v_trigger := split_part(v_table, '_', 1) || '_is_append_only';
        execute format('create table tender_ledger.%I (like tender_ledger.%I including defaults '
            'including constraints including storage including comments)',
            v_table || '_' || v_suffix, v_table);
        execute format('create trigger %I before update or delete or truncate on tender_ledger.%I '
            'for each statement execute function tender_ledger.refuse_change()',
            v_trigger, v_table || '_' || v_suffix);
        execute format('alter table tender_ledger.%I attach partition tender_ledger.%I '
            'for values from (%L) to (%L)', v_table, v_table || '_' || v_suffix, v_from_id, v_to_id);
        execute (
            select format('alter table tender_ledger.%I %s', v_table || '_' || v_suffix, string_agg(
                format('alter column %I set statistics %s', a.attname, a.attstattarget), ', '))
            from pg_attribute a
            where a.attrelid = ('tender_ledger.' || v_table)::regclass and a.attnum > 0
                and not a.attisdropped and a.attstattarget >= 0);
    end loop;
end
$$;


ALTER FUNCTION tender_ledger.add_partition(p_since_at timestamp with time zone, p_until_at timestamp with time zone) OWNER TO tender_owner;

--
-- Name: FUNCTION add_partition(p_since_at timestamp with time zone, p_until_at timestamp with time zone); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.add_partition(p_since_at timestamp with time zone, p_until_at timestamp with time zone) IS 'Makes room for the tasks that are announced in a time.';


--
-- Name: add_posted(smallint, uuid[], integer[], timestamp with time zone[], bigint[], integer[], boolean[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.add_posted(p_shard smallint, p_task uuid[], p_round integer[], p_at timestamp with time zone[], p_rate_micro bigint[], p_units integer[], p_is_sample boolean[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    insert into tender_ledger.posted (at, rate_micro, price_micro, units, round, shard, is_sample, task_id,
        skill)
    select g.at, g.rate_micro, g.rate_micro * g.units, g.units, g.round, p_shard, g.is_sample, g.task_id,
        t.skill
    from (
        select unnest(p_task) as task_id, unnest(p_round) as round, unnest(p_at) as at,
            unnest(p_rate_micro) as rate_micro, unnest(p_units) as units,
            unnest(p_is_sample) as is_sample
    ) g
    cross join lateral (
        select f.skill from tender_ledger.task f where f.shard = p_shard and f.task_id = g.task_id offset 0
    ) t;
end
$$;


ALTER FUNCTION tender_ledger.add_posted(p_shard smallint, p_task uuid[], p_round integer[], p_at timestamp with time zone[], p_rate_micro bigint[], p_units integer[], p_is_sample boolean[]) OWNER TO tender_owner;

--
-- Name: FUNCTION add_posted(p_shard smallint, p_task uuid[], p_round integer[], p_at timestamp with time zone[], p_rate_micro bigint[], p_units integer[], p_is_sample boolean[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.add_posted(p_shard smallint, p_task uuid[], p_round integer[], p_at timestamp with time zone[], p_rate_micro bigint[], p_units integer[], p_is_sample boolean[]) IS 'Adds tasks that were assigned at a posted rate, and rounds that are samples against one.';


--
-- Name: add_tasks(smallint, uuid[], timestamp with time zone[], smallint[], integer[], integer[], bigint[], uuid[], text[], text[], text[], text[], bytea[], bytea[], text[], bytea[], timestamp with time zone[], smallint[], bytea[], text[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.add_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_round integer[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[], p_hash bytea[], p_body text[], p_content bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_hash bytea[], p_next_body text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform tender_ledger.add_fresh_tasks(p_shard, p_task, p_announced_at, p_partial, p_units, p_ceiling_micro,
        p_again, p_client, p_principal, p_skill, p_key, p_body_digest, p_hash, p_body, p_content, p_next_at,
        p_next_kind, p_next_hash, p_next_body);
    insert into tender_ledger.open_part (ceiling_micro, units, round, part, shard, task_id, payer)
    select unnest(p_ceiling_micro), unnest(p_units), unnest(p_round), 0, p_shard, unnest(p_task),
        unnest(p_principal);
end
$$;


ALTER FUNCTION tender_ledger.add_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_round integer[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[], p_hash bytea[], p_body text[], p_content bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_hash bytea[], p_next_body text[]) OWNER TO tender_owner;

--
-- Name: FUNCTION add_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_round integer[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[], p_hash bytea[], p_body text[], p_content bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_hash bytea[], p_next_body text[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.add_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_round integer[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[], p_hash bytea[], p_body text[], p_content bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_hash bytea[], p_next_body text[]) IS 'Adds announced tasks, each with its first entries and one open part.';


--
-- Name: add_transfers(smallint, uuid[], integer[], integer[], timestamp with time zone[], bigint[], text[], text[], text[], text[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.add_transfers(p_shard smallint, p_task uuid[], p_number integer[], p_generation integer[], p_at timestamp with time zone[], p_amount_micro bigint[], p_from_principal text[], p_from_bucket text[], p_to_principal text[], p_to_bucket text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    insert into tender_ledger.transfer (at, amount_micro, number, generation, shard, task_id,
        from_principal, from_bucket, to_principal, to_bucket)
    select g.at, g.amount_micro, g.number, g.generation, p_shard, g.task_id,
        coalesce(g.from_principal, (
            select t.principal
            from tender_ledger.task t
            where t.shard = p_shard and t.task_id = g.task_id)),
        g.from_bucket, g.to_principal, g.to_bucket
    from (
        select unnest(p_at) as at, unnest(p_amount_micro) as amount_micro, unnest(p_number) as number,
            unnest(p_generation) as generation, unnest(p_task) as task_id,
            unnest(p_from_principal) as from_principal, unnest(p_from_bucket) as from_bucket,
            unnest(p_to_principal) as to_principal, unnest(p_to_bucket) as to_bucket
    ) g;
end
$$;


ALTER FUNCTION tender_ledger.add_transfers(p_shard smallint, p_task uuid[], p_number integer[], p_generation integer[], p_at timestamp with time zone[], p_amount_micro bigint[], p_from_principal text[], p_from_bucket text[], p_to_principal text[], p_to_bucket text[]) OWNER TO tender_owner;

--
-- Name: FUNCTION add_transfers(p_shard smallint, p_task uuid[], p_number integer[], p_generation integer[], p_at timestamp with time zone[], p_amount_micro bigint[], p_from_principal text[], p_from_bucket text[], p_to_principal text[], p_to_bucket text[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.add_transfers(p_shard smallint, p_task uuid[], p_number integer[], p_generation integer[], p_at timestamp with time zone[], p_amount_micro bigint[], p_from_principal text[], p_from_bucket text[], p_to_principal text[], p_to_bucket text[]) IS 'Adds movements of money that no task or commitment tells.';


--
-- Name: answer_requests(smallint, bigint[], text[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.answer_requests(p_shard smallint, p_request bigint[], p_answer text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    update tender_ledger.inbox i
    set answer = g.answer::jsonb, answered_at = clock_timestamp()
    from (select unnest(p_request) as request, unnest(p_answer) as answer) g
    cross join lateral (
        select f.ctid as place from tender_ledger.inbox f where f.request = g.request offset 0
    ) f
    where i.ctid = f.place and i.shard = p_shard and i.answered_at is null;
    perform tender_ledger.follow_allotments(p_request);
end
$$;


ALTER FUNCTION tender_ledger.answer_requests(p_shard smallint, p_request bigint[], p_answer text[]) OWNER TO tender_owner;

--
-- Name: FUNCTION answer_requests(p_shard smallint, p_request bigint[], p_answer text[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.answer_requests(p_shard smallint, p_request bigint[], p_answer text[]) IS 'Answers requests; the first answer stays. An allotment whose step it is goes on.';


--
-- Name: append_entries(smallint, uuid[], integer[], timestamp with time zone[], smallint[], text[], bytea[], bytea[], timestamp with time zone[], smallint[], text[], bytea[], bytea[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.append_entries(p_shard smallint, p_task uuid[], p_number integer[], p_at timestamp with time zone[], p_kind smallint[], p_body text[], p_content bytea[], p_hash bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_body text[], p_next_content bytea[], p_next_hash bytea[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    insert into tender_ledger.entry_row (at, next_at, number, shard, kind, next_kind, task_id, hash,
        next_hash, body, next_body, content, next_content)
    select unnest(p_at), unnest(p_next_at), unnest(p_number), p_shard, unnest(p_kind),
        unnest(p_next_kind), unnest(p_task), unnest(p_hash), unnest(p_next_hash), unnest(p_body),
        unnest(p_next_body), unnest(p_content), unnest(p_next_content);
end
$$;


ALTER FUNCTION tender_ledger.append_entries(p_shard smallint, p_task uuid[], p_number integer[], p_at timestamp with time zone[], p_kind smallint[], p_body text[], p_content bytea[], p_hash bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_body text[], p_next_content bytea[], p_next_hash bytea[]) OWNER TO tender_owner;

--
-- Name: FUNCTION append_entries(p_shard smallint, p_task uuid[], p_number integer[], p_at timestamp with time zone[], p_kind smallint[], p_body text[], p_content bytea[], p_hash bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_body text[], p_next_content bytea[], p_next_hash bytea[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.append_entries(p_shard smallint, p_task uuid[], p_number integer[], p_at timestamp with time zone[], p_kind smallint[], p_body text[], p_content bytea[], p_hash bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_body text[], p_next_content bytea[], p_next_hash bytea[]) IS 'Adds facts to their chains.';


--
-- Name: apply_recess(smallint, integer, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.apply_recess(p_shard smallint, p_number integer, p_from timestamp with time zone, p_until timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    insert into tender_ledger.recess (shard, number, from_at, until_at)
    values (p_shard, p_number, p_from, p_until);
    update tender_ledger.open_part
    set due_at = p_until
    where shard = p_shard and due_at >= p_from and due_at < p_until;
    update tender_ledger.split_part
    set due_at = p_until
    where shard = p_shard and due_at >= p_from and due_at < p_until;
end
$$;


ALTER FUNCTION tender_ledger.apply_recess(p_shard smallint, p_number integer, p_from timestamp with time zone, p_until timestamp with time zone) OWNER TO tender_owner;

--
-- Name: FUNCTION apply_recess(p_shard smallint, p_number integer, p_from timestamp with time zone, p_until timestamp with time zone); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.apply_recess(p_shard smallint, p_number integer, p_from timestamp with time zone, p_until timestamp with time zone) IS 'Records a recess and moves the due times of active commitments that fell into it.';


--
-- Name: ask(text, text, text, text, jsonb); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.ask(p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb) RETURNS bigint
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select tender_ledger.ask_shard(
        case when p_body ? 'task' then tender_ledger.shard_of_task((p_body ->> 'task')::uuid)
            else tender_ledger.shard_of_principal(p_principal) end,
        p_kind, p_peer, p_principal, p_key, p_body)
$$;


ALTER FUNCTION tender_ledger.ask(p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb) OWNER TO tender_owner;

--
-- Name: FUNCTION ask(p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.ask(p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb) IS 'Records a request about a task, or about an account.';


--
-- Name: ask_about(text, uuid, jsonb); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.ask_about(p_kind text, p_task uuid, p_body jsonb) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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


ALTER FUNCTION tender_ledger.ask_about(p_kind text, p_task uuid, p_body jsonb) OWNER TO tender_owner;

--
-- Name: FUNCTION ask_about(p_kind text, p_task uuid, p_body jsonb); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.ask_about(p_kind text, p_task uuid, p_body jsonb) IS 'Records a request about a task for its client, or for an operator.';


--
-- Name: ask_all(text, jsonb); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.ask_all(p_kind text, p_body jsonb) RETURNS bigint
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select min(tender_ledger.ask_shard(s.shard::smallint, p_kind, tender_ledger.caller(),
        tender_ledger.caller(), null, p_body))
    from generate_series(0, tender_ledger.shard_count() - 1) s (shard)
$$;


ALTER FUNCTION tender_ledger.ask_all(p_kind text, p_body jsonb) OWNER TO tender_owner;

--
-- Name: FUNCTION ask_all(p_kind text, p_body jsonb); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.ask_all(p_kind text, p_body jsonb) IS 'Records a request for every shard.';


--
-- Name: ask_decision(text, uuid, integer, integer, jsonb); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.ask_decision(p_kind text, p_task uuid, p_generation integer, p_part integer, p_body jsonb) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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


ALTER FUNCTION tender_ledger.ask_decision(p_kind text, p_task uuid, p_generation integer, p_part integer, p_body jsonb) OWNER TO tender_owner;

--
-- Name: FUNCTION ask_decision(p_kind text, p_task uuid, p_generation integer, p_part integer, p_body jsonb); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.ask_decision(p_kind text, p_task uuid, p_generation integer, p_part integer, p_body jsonb) IS 'Records a decision about a commitment; without a generation, about what was delivered last.';


--
-- Name: ask_enrolment(smallint, text, jsonb); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.ask_enrolment(p_kind smallint, p_name text, p_body jsonb) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_at_us bigint;
begin
    if not tender_ledger.is_operator() then
        raise exception using errcode = 'TN011', message = 'only operators enrol and revoke';
    end if;
    perform pg_advisory_xact_lock(hashtext('tender.enrol'));
    select greatest((extract(epoch from clock_timestamp()) * 1000000)::bigint,
        max((f.body ->> 'said_at_us')::bigint) + 1)
    into v_at_us
    from generate_series(0, tender_ledger.shard_count() - 1) s (shard)
    join tender_ledger.fact f on f.shard = s.shard and f.kind = p_kind and f.subject = p_name;
    return tender_ledger.ask_all('enrol',
        jsonb_strip_nulls(p_body) || jsonb_build_object('at_us', v_at_us));
end
$$;


ALTER FUNCTION tender_ledger.ask_enrolment(p_kind smallint, p_name text, p_body jsonb) OWNER TO tender_owner;

--
-- Name: FUNCTION ask_enrolment(p_kind smallint, p_name text, p_body jsonb); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.ask_enrolment(p_kind smallint, p_name text, p_body jsonb) IS 'Asks every shard to record what an operator says of a principal or an agent.';


--
-- Name: ask_shard(smallint, text, text, text, text, jsonb); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.ask_shard(p_shard smallint, p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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


ALTER FUNCTION tender_ledger.ask_shard(p_shard smallint, p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb) OWNER TO tender_owner;

--
-- Name: FUNCTION ask_shard(p_shard smallint, p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.ask_shard(p_shard smallint, p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb) IS 'Records a request for the broker that holds a shard; the same key and body are the same request.';


--
-- Name: award_first(smallint, uuid[], integer[], integer[], integer[], text[], text[], integer[], bigint[], timestamp with time zone[], timestamp with time zone[], timestamp with time zone[], integer[], integer[], bigint[], text[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.award_first(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[], p_task_units integer[], p_ceiling_micro bigint[], p_payer text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_task uuid;
begin
    select g.task_id into v_task
    from (select unnest(p_task) as task_id) g
    cross join lateral (
        select
        from tender_ledger.ending f
        where f.shard = p_shard and f.task_id = g.task_id and f.task_state is not null
        offset 0
    ) f
    limit 1;
    if v_task is not null then
        raise exception using
            errcode = 'TN004',
            message = format('an award is for %s, which has ended', v_task);
    end if;
    insert into tender_ledger.open_part (awarded_at, due_at, acknowledged_at, price_micro, ceiling_micro, units,
        promised_units, promised_units_done, generation, awarded_round, round, part, shard, promise_state,
        task_id, payer, owner, principal)
    select unnest(p_awarded_at), unnest(p_due_at), unnest(p_acknowledged_at), unnest(p_price_micro),
        unnest(p_ceiling_micro), unnest(p_task_units), unnest(p_units), unnest(p_units_done),
        unnest(p_generation), unnest(p_round), unnest(p_round), unnest(p_part), p_shard, 1, unnest(p_task),
        unnest(p_payer), unnest(p_owner), unnest(p_principal);
end
$$;


ALTER FUNCTION tender_ledger.award_first(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[], p_task_units integer[], p_ceiling_micro bigint[], p_payer text[]) OWNER TO tender_owner;

--
-- Name: FUNCTION award_first(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[], p_task_units integer[], p_ceiling_micro bigint[], p_payer text[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.award_first(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[], p_task_units integer[], p_ceiling_micro bigint[], p_payer text[]) IS 'Awards parts that have no row yet; TN004 where a task has ended.';


--
-- Name: award_parts(smallint, uuid[], integer[], integer[], integer[], text[], text[], integer[], bigint[], timestamp with time zone[], timestamp with time zone[], timestamp with time zone[], integer[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.award_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_hashjoin TO 'on'
    SET enable_nestloop TO 'off'
    AS $$
declare
    v_count bigint;
begin
    update tender_ledger.open_part p
    set generation = g.generation, awarded_round = g.round, owner = g.owner, principal = g.principal,
        promised_units = g.units, promised_units_done = g.units_done, price_micro = g.price_micro,
        awarded_at = g.awarded_at, due_at = g.due_at, acknowledged_at = g.acknowledged_at,
        promise_state = 1
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_round) as round, unnest(p_owner) as owner, unnest(p_principal) as principal,
            unnest(p_units) as units, unnest(p_price_micro) as price_micro,
            unnest(p_awarded_at) as awarded_at, unnest(p_due_at) as due_at,
            unnest(p_acknowledged_at) as acknowledged_at, unnest(p_units_done) as units_done
    ) g
    where p.shard = p_shard and p.task_id = any (p_task) and p.generation is null
        and p.task_id = g.task_id and p.part = g.part;
    get diagnostics v_count = row_count;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s awards are for parts that are awarded or do not go on',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
end
$$;


ALTER FUNCTION tender_ledger.award_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]) OWNER TO tender_owner;

--
-- Name: FUNCTION award_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.award_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]) IS 'Awards parts of tasks; TN004 where one is awarded already or does not go on.';


--
-- Name: award_split(smallint, uuid[], integer[], integer[], integer[], text[], text[], integer[], bigint[], timestamp with time zone[], timestamp with time zone[], timestamp with time zone[], integer[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.award_split(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_count bigint;
    v_task uuid;
begin
    insert into tender_ledger.split_part (awarded_at, due_at, acknowledged_at, price_micro,
        promised_units, promised_units_done, generation, awarded_round, part, shard, task_id, owner,
        principal)
    select g.awarded_at, g.due_at, g.acknowledged_at, g.price_micro, g.units, g.units_done,
        g.generation, g.round, g.part, p_shard, f.task_id, g.owner, g.principal
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_round) as round, unnest(p_owner) as owner, unnest(p_principal) as principal,
            unnest(p_units) as units, unnest(p_price_micro) as price_micro,
            unnest(p_awarded_at) as awarded_at, unnest(p_due_at) as due_at,
            unnest(p_acknowledged_at) as acknowledged_at, unnest(p_units_done) as units_done
    ) g
    cross join lateral (
        select f.task_id
        from tender_ledger.open_part f
        where f.shard = p_shard and f.task_id = g.task_id and f.part = 0 and f.generation is null
        offset 0
    ) f;
    get diagnostics v_count = row_count;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s parts are of tasks that are awarded as a whole or do not go on',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
    select w.task_id into v_task
    from (select distinct unnest(p_task) as task_id) g
    cross join lateral (
        select f.* from tender_ledger.open_part f
        where f.shard = p_shard and f.task_id = g.task_id and f.part = 0
        offset 0
    ) w
    cross join lateral (
        select sum(f.promised_units) as units, sum(f.price_micro) as price_micro
        from tender_ledger.split_part f
        where f.shard = p_shard and f.task_id = g.task_id
        offset 0
    ) s
    where s.units + w.units_done > w.units or s.price_micro + w.paid_micro > w.ceiling_micro
    limit 1;
    if v_task is not null then
        raise exception using
            errcode = 'TN004',
            message = format('the parts of %s promise more than the task has', v_task);
    end if;
end
$$;


ALTER FUNCTION tender_ledger.award_split(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]) OWNER TO tender_owner;

--
-- Name: FUNCTION award_split(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.award_split(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]) IS 'Awards parts of split tasks; TN004 where the task does not go on, or has not so much to promise.';


--
-- Name: batch_consistency(smallint, bigint, bigint, bigint, boolean); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.batch_consistency(p_shard smallint, p_older bigint, p_from bigint, p_count bigint, p_is_whole boolean) RETURNS bytea[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_split bigint := tender_ledger.tree_split(p_count);
begin
    if p_older = p_count then
        return case when p_is_whole then '{}'
            else array[tender_ledger.batch_root(p_shard, p_from, p_count)] end;
    elsif p_older <= v_split then
        return tender_ledger.batch_consistency(p_shard, p_older, p_from, v_split, p_is_whole)
            || tender_ledger.batch_root(p_shard, p_from + v_split, p_count - v_split);
    end if;
    return tender_ledger.batch_consistency(p_shard, p_older - v_split, p_from + v_split,
            p_count - v_split, false)
        || tender_ledger.batch_root(p_shard, p_from, v_split);
end
$$;


ALTER FUNCTION tender_ledger.batch_consistency(p_shard smallint, p_older bigint, p_from bigint, p_count bigint, p_is_whole boolean) OWNER TO tender_owner;

--
-- Name: FUNCTION batch_consistency(p_shard smallint, p_older bigint, p_from bigint, p_count bigint, p_is_whole boolean); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.batch_consistency(p_shard smallint, p_older bigint, p_from bigint, p_count bigint, p_is_whole boolean) IS 'What shows that the tree over the first leaves of a shard is a beginning of a later one.';




--
-- Name: batch; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.batch (
    at timestamp with time zone NOT NULL,
    leaf bigint NOT NULL,
    batch bigint NOT NULL,
    entries integer NOT NULL,
    shard smallint NOT NULL,
    root bytea NOT NULL,
    peak bytea NOT NULL,
    task_ids uuid[] NOT NULL,
    numbers integer[] NOT NULL,
    counts smallint[] NOT NULL,
    marks bigint[] NOT NULL,
    CONSTRAINT batch_has_entries CHECK ((entries >= 1)),
    CONSTRAINT batch_hash_is_sha256 CHECK (((octet_length(root) = 32) AND (octet_length(peak) = 32))),
    CONSTRAINT batch_leaf_counts_from_zero CHECK ((leaf >= 0)),
    CONSTRAINT batch_runs_are_whole CHECK (((cardinality(task_ids) >= 1) AND (cardinality(numbers) = cardinality(task_ids)) AND (cardinality(counts) = cardinality(task_ids)) AND (cardinality(marks) = cardinality(task_ids))))
);
ALTER TABLE ONLY tender_ledger.batch ALTER COLUMN root SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.batch ALTER COLUMN peak SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.batch ALTER COLUMN task_ids SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.batch ALTER COLUMN task_ids SET STORAGE EXTERNAL;
ALTER TABLE ONLY tender_ledger.batch ALTER COLUMN numbers SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.batch ALTER COLUMN numbers SET STORAGE EXTERNAL;
ALTER TABLE ONLY tender_ledger.batch ALTER COLUMN counts SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.batch ALTER COLUMN counts SET STORAGE EXTERNAL;
ALTER TABLE ONLY tender_ledger.batch ALTER COLUMN marks SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.batch ALTER COLUMN marks SET STORAGE EXTERNAL;


ALTER TABLE tender_ledger.batch OWNER TO tender_owner;

--
-- Name: TABLE batch; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.batch IS 'One row per batch that has entries: a leaf of the tree of its shard, and which entries those are.';


--
-- Name: COLUMN batch.at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.batch.at IS 'Stamp of the newest of its entries.';


--
-- Name: COLUMN batch.leaf; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.batch.leaf IS 'Place in the tree, from 0.';


--
-- Name: COLUMN batch.batch; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.batch.batch IS 'Its number.';


--
-- Name: COLUMN batch.entries; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.batch.entries IS 'How many entries it has.';


--
-- Name: COLUMN batch.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.batch.shard IS 'The shard.';


--
-- Name: COLUMN batch.root; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.batch.root IS 'Root of the tree over the hashes of its entries.';


--
-- Name: COLUMN batch.peak; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.batch.peak IS 'Root of the largest whole subtree that ends with this leaf: the tree goes on from these alone.';


--
-- Name: COLUMN batch.task_ids; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.batch.task_ids IS 'Its entries, in their order, as runs of one chain: the task of each run, all zero for the house.';


--
-- Name: COLUMN batch.numbers; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.batch.numbers IS 'The number of the first entry of each run.';


--
-- Name: COLUMN batch.counts; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.batch.counts IS 'How many entries each run has.';


--
-- Name: COLUMN batch.marks; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.batch.marks IS 'The first eight bytes of the hash of the last entry of each run, which name it when it was changed.';


--
-- Name: batch_leaf(tender_ledger.batch); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.batch_leaf(p_batch tender_ledger.batch) RETURNS bytea
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select tender_ledger.tree_leaf(convert_to('tender/batch/v1', 'UTF8') || '\x00'::bytea
        || uuid_send(tender_ledger.ledger_id()) || int2send(p_batch.shard) || int8send(p_batch.batch)
        || int8send((extract(epoch from p_batch.at) * 1000000)::bigint)
        || int8send(p_batch.entries::bigint) || p_batch.root)
$$;


ALTER FUNCTION tender_ledger.batch_leaf(p_batch tender_ledger.batch) OWNER TO tender_owner;

--
-- Name: FUNCTION batch_leaf(p_batch tender_ledger.batch); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.batch_leaf(p_batch tender_ledger.batch) IS 'The hash of a batch as a leaf.';


--
-- Name: batch_of_entry(smallint, uuid, integer, timestamp with time zone); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.batch_of_entry(p_shard smallint, p_task uuid, p_number integer, p_at timestamp with time zone) RETURNS SETOF tender_ledger.batch
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select b.*
    from tender_ledger.batch b
    where b.shard = p_shard and b.at >= p_at and exists (
        select
        from unnest(b.task_ids, b.numbers, b.counts) r (task_id, number, count)
        where r.task_id = p_task and p_number >= r.number and p_number < r.number + r.count)
    order by b.leaf
    limit 1
$$;


ALTER FUNCTION tender_ledger.batch_of_entry(p_shard smallint, p_task uuid, p_number integer, p_at timestamp with time zone) OWNER TO tender_owner;

--
-- Name: FUNCTION batch_of_entry(p_shard smallint, p_task uuid, p_number integer, p_at timestamp with time zone); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.batch_of_entry(p_shard smallint, p_task uuid, p_number integer, p_at timestamp with time zone) IS 'The batch that recorded an entry, or none.';


--
-- Name: batch_path(smallint, bigint, bigint, bigint); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.batch_path(p_shard smallint, p_leaf bigint, p_from bigint, p_count bigint) RETURNS bytea[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_split bigint := tender_ledger.tree_split(p_count);
begin
    if p_count = 1 then
        return '{}';
    elsif p_leaf - p_from < v_split then
        return tender_ledger.batch_path(p_shard, p_leaf, p_from, v_split)
            || tender_ledger.batch_root(p_shard, p_from + v_split, p_count - v_split);
    end if;
    return tender_ledger.batch_path(p_shard, p_leaf, p_from + v_split, p_count - v_split)
        || tender_ledger.batch_root(p_shard, p_from, v_split);
end
$$;


ALTER FUNCTION tender_ledger.batch_path(p_shard smallint, p_leaf bigint, p_from bigint, p_count bigint) OWNER TO tender_owner;

--
-- Name: FUNCTION batch_path(p_shard smallint, p_leaf bigint, p_from bigint, p_count bigint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.batch_path(p_shard smallint, p_leaf bigint, p_from bigint, p_count bigint) IS 'What stands beside a leaf on its way to the root over some leaves, from below.';


--
-- Name: batch_root(smallint, bigint, bigint); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.batch_root(p_shard smallint, p_from bigint, p_count bigint) RETURNS bytea
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_split bigint := tender_ledger.tree_split(p_count);
    v_hash bytea;
begin
    if p_count = 1 or (v_split * 2 = p_count and p_from / p_count % 2 = 0) then
        select case when p_count > 1 or p_from % 2 = 0 then b.peak else tender_ledger.batch_leaf(b) end
        into v_hash
        from tender_ledger.batch b
        where b.shard = p_shard and b.leaf = p_from + p_count - 1;
        return v_hash;
    elsif p_count = 0 then
        return sha256('');
    end if;
    return sha256('\x01'::bytea || tender_ledger.batch_root(p_shard, p_from, v_split)
        || tender_ledger.batch_root(p_shard, p_from + v_split, p_count - v_split));
end
$$;


ALTER FUNCTION tender_ledger.batch_root(p_shard smallint, p_from bigint, p_count bigint) OWNER TO tender_owner;

--
-- Name: FUNCTION batch_root(p_shard smallint, p_from bigint, p_count bigint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.batch_root(p_shard smallint, p_from bigint, p_count bigint) IS 'The root over some leaves of a shard, from one on that as many divide.';


--
-- Name: begin_batch(smallint, bigint, bigint, timestamp with time zone); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.begin_batch(p_shard smallint, p_reign bigint, p_batch bigint, p_stamp timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_row tender_ledger.reign;
begin
    update tender_ledger.reign
    set batch = p_batch, stamp_at = greatest(stamp_at, p_stamp),
        lease_ends_at = case
            when p_batch = first_batch then greatest(lease_ends_at, clock_timestamp() + lease)
            else clock_timestamp() + lease end
    where shard = p_shard and reign = p_reign and batch = p_batch - 1;
    if found then
        return;
    end if;
    select * into v_row from tender_ledger.reign where shard = p_shard;
    if v_row.reign is distinct from p_reign then
        raise exception using
            errcode = 'TN001',
            message = format('reign %s is over: %s reigns', p_reign, coalesce(v_row.broker, 'nobody'));
    elsif v_row.batch >= p_batch then
        raise exception using
            errcode = 'TN002',
            message = format('batch %s is held', p_batch);
    else
        raise exception using
            errcode = 'TN003',
            message = format('batch %s does not follow batch %s', p_batch, v_row.batch);
    end if;
end
$$;


ALTER FUNCTION tender_ledger.begin_batch(p_shard smallint, p_reign bigint, p_batch bigint, p_stamp timestamp with time zone) OWNER TO tender_owner;

--
-- Name: FUNCTION begin_batch(p_shard smallint, p_reign bigint, p_batch bigint, p_stamp timestamp with time zone); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.begin_batch(p_shard smallint, p_reign bigint, p_batch bigint, p_stamp timestamp with time zone) IS 'Opens a batch. TN001: another broker reigns; TN002: the batch is held; TN003: one is missing.';


--
-- Name: bid_leaf(uuid, integer, text, text, bigint, bigint, bigint, uuid); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.bid_leaf(p_task uuid, p_round integer, p_contractor text, p_principal text, p_cost_micro bigint, p_eta_us bigint, p_capacity bigint, p_nonce uuid) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select tender_ledger.tree_leaf(convert_to('tender/bid/v1', 'UTF8') || '\x00'::bytea
        || sha256(convert_to('tender/who/v1', 'UTF8') || '\x00'::bytea
            || sha256(convert_to('who', 'UTF8') || n.nonce) || r.round
            || set_byte('\x00'::bytea, 0, octet_length(p_contractor)) || convert_to(p_contractor, 'UTF8')
            || set_byte('\x00'::bytea, 0, octet_length(p_principal)) || convert_to(p_principal, 'UTF8'))
        || sha256(convert_to('tender/what/v1', 'UTF8') || '\x00'::bytea
            || sha256(convert_to('what', 'UTF8') || n.nonce) || r.round || int8send(coalesce(p_cost_micro, 0))
            || int8send(coalesce(p_eta_us, 0)) || int8send(coalesce(p_capacity, 0))))
    from (select coalesce(uuid_send(p_nonce), decode(repeat('00', 16), 'hex')) as nonce) n
    cross join (select uuid_send(p_task) || int4send(p_round) as round) r
$$;


ALTER FUNCTION tender_ledger.bid_leaf(p_task uuid, p_round integer, p_contractor text, p_principal text, p_cost_micro bigint, p_eta_us bigint, p_capacity bigint, p_nonce uuid) OWNER TO tender_owner;

--
-- Name: FUNCTION bid_leaf(p_task uuid, p_round integer, p_contractor text, p_principal text, p_cost_micro bigint, p_eta_us bigint, p_capacity bigint, p_nonce uuid); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.bid_leaf(p_task uuid, p_round integer, p_contractor text, p_principal text, p_cost_micro bigint, p_eta_us bigint, p_capacity bigint, p_nonce uuid) IS 'The hash of a bid as a leaf of the book of its round.';


--
-- Name: broker_lives(timestamp with time zone, integer); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.broker_lives(p_gone_at timestamp with time zone, p_backend integer) RETURNS boolean
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select p_gone_at > clock_timestamp() and (
        p_backend is null or exists (select from pg_stat_get_activity(p_backend)))
$$;


ALTER FUNCTION tender_ledger.broker_lives(p_gone_at timestamp with time zone, p_backend integer) OWNER TO tender_owner;

--
-- Name: FUNCTION broker_lives(p_gone_at timestamp with time zone, p_backend integer); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.broker_lives(p_gone_at timestamp with time zone, p_backend integer) IS 'Whether a broker is still there by its own word, and its backend too.';


--
-- Name: caller(); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.caller() RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select coalesce(nullif(current_setting('role', true), 'none'), session_user)
$$;


ALTER FUNCTION tender_ledger.caller() OWNER TO tender_owner;

--
-- Name: FUNCTION caller(); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.caller() IS 'The role that asks, also inside a security definer function.';


--
-- Name: change_parts(smallint, uuid[], integer[], smallint[], smallint[], integer[], timestamp with time zone[], integer[], integer[], bigint[], integer[], timestamp with time zone[], smallint[], smallint[], integer[], bigint[], bigint[], integer[], bytea[], text[], bytea[], boolean); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.change_parts(p_shard smallint, p_task uuid[], p_part integer[], p_state smallint[], p_reason smallint[], p_round integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[], p_units integer[], p_paid_micro bigint[], p_generation integer[], p_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_count bigint;
    v_payer text[];
    v_paid_micro bigint[];
    v_released_micro bigint[];
begin
    with given as (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_state) as state,
            unnest(p_reason) as reason, unnest(p_round) as round,
            unnest(p_acknowledged_at) as acknowledged_at, unnest(p_reported) as reported,
            unnest(p_units) as units, unnest(p_paid_micro) as paid_micro, unnest(p_generation) as generation,
            unnest(p_ended_at) as ended_at, unnest(p_ended_state) as ended_state,
            unnest(p_ended_reason) as ended_reason, unnest(p_ended_units) as ended_units,
            unnest(p_ended_paid_micro) as ended_paid_micro,
            unnest(p_ended_fee_micro) as ended_fee_micro, unnest(p_number) as number,
            unnest(p_hash) as hash, unnest(p_body) as body, unnest(p_content) as content
    ), found as materialized (
        select f.ctid as place, f.awarded_at, f.due_at, f.acknowledged_at, f.price_micro,
            f.promised_units, f.awarded_round, f.owner, f.principal, g as given
        from given g
        cross join lateral (
            select f.ctid, f.*
            from tender_ledger.open_part f
            where f.shard = p_shard and f.task_id = g.task_id and f.part = g.part
                and (g.generation = 0 or f.generation = g.generation)
            offset 0
        ) f
    ), changed as (
        update tender_ledger.open_part p
        set state = case when (f.given).state = 0 then p.state else (f.given).state end,
            reason = case when (f.given).state = 0 then p.reason else (f.given).reason end,
            round = greatest(p.round, (f.given).round),
            units_done = p.units_done + (f.given).units,
            paid_micro = p.paid_micro + (f.given).paid_micro,
            promised_units_done = case when (f.given).generation = 0
                then coalesce((f.given).reported, p.promised_units_done) end,
            acknowledged_at = case when (f.given).generation = 0
                then coalesce(p.acknowledged_at, (f.given).acknowledged_at) end,
            generation = case when (f.given).generation = 0 then p.generation end,
            awarded_round = case when (f.given).generation = 0 then p.awarded_round end,
            owner = case when (f.given).generation = 0 then p.owner end,
            principal = case when (f.given).generation = 0 then p.principal end,
            promised_units = case when (f.given).generation = 0 then p.promised_units end,
            price_micro = case when (f.given).generation = 0 then p.price_micro end,
            awarded_at = case when (f.given).generation = 0 then p.awarded_at end,
            due_at = case when (f.given).generation = 0 then p.due_at end,
            promise_state = case when (f.given).generation = 0 then p.promise_state end
        from found f
        where p.ctid = f.place
        returning p.payer, (f.given).paid_micro
    ), ended as (
        insert into tender_ledger.ending (awarded_at, due_at, acknowledged_at, ended_at,
            price_micro, paid_micro, fee_micro, units, units_done, generation, round, part, shard,
            state, reason, task_id, owner, principal, number, hash, body, content)
        select f.awarded_at, f.due_at, coalesce(f.acknowledged_at, (f.given).acknowledged_at),
            (f.given).ended_at, f.price_micro, (f.given).ended_paid_micro,
            (f.given).ended_fee_micro, f.promised_units, (f.given).ended_units,
            (f.given).generation, f.awarded_round, (f.given).part, p_shard, (f.given).ended_state,
            (f.given).ended_reason, (f.given).task_id, f.owner, f.principal, (f.given).number,
            (f.given).hash, (f.given).body, (f.given).content
        from found f
        where (f.given).generation <> 0
    ), owed as (
        select c.payer, sum(c.paid_micro)::bigint as paid_micro, count(*) as count
        from changed c
        group by c.payer
    )
    select sum(o.count), array_agg(o.payer), array_agg(o.paid_micro), array_agg(0::bigint)
    into v_count, v_payer, v_paid_micro, v_released_micro
    from owed o;
    if p_moves_money then
        perform tender_ledger.spend(p_shard, v_payer, v_paid_micro, v_released_micro);
    end if;
    if v_count is distinct from cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s parts to be changed do not go on as the broker has them',
                cardinality(p_task) - coalesce(v_count, 0), cardinality(p_task));
    end if;
end
$$;


ALTER FUNCTION tender_ledger.change_parts(p_shard smallint, p_task uuid[], p_part integer[], p_state smallint[], p_reason smallint[], p_round integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[], p_units integer[], p_paid_micro bigint[], p_generation integer[], p_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean) OWNER TO tender_owner;

--
-- Name: FUNCTION change_parts(p_shard smallint, p_task uuid[], p_part integer[], p_state smallint[], p_reason smallint[], p_round integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[], p_units integer[], p_paid_micro bigint[], p_generation integer[], p_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.change_parts(p_shard smallint, p_task uuid[], p_part integer[], p_state smallint[], p_reason smallint[], p_round integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[], p_units integer[], p_paid_micro bigint[], p_generation integer[], p_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean) IS 'Changes parts that go on; state 0 and null keep what is, generation 0 ends no commitment.';


--
-- Name: change_split(smallint, uuid[], integer[], timestamp with time zone[], integer[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.change_split(p_shard smallint, p_task uuid[], p_part integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_count bigint;
begin
    update tender_ledger.split_part p
    set acknowledged_at = coalesce(p.acknowledged_at, g.acknowledged_at),
        promised_units_done = coalesce(g.reported, p.promised_units_done)
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part,
            unnest(p_acknowledged_at) as acknowledged_at, unnest(p_reported) as reported
    ) g
    cross join lateral (
        select f.ctid as place
        from tender_ledger.split_part f
        where f.shard = p_shard and f.task_id = g.task_id and f.part = g.part
        offset 0
    ) f
    where p.ctid = f.place;
    get diagnostics v_count = row_count;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s parts to be changed are not promised',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
end
$$;


ALTER FUNCTION tender_ledger.change_split(p_shard smallint, p_task uuid[], p_part integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[]) OWNER TO tender_owner;

--
-- Name: FUNCTION change_split(p_shard smallint, p_task uuid[], p_part integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.change_split(p_shard smallint, p_task uuid[], p_part integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[]) IS 'Changes parts of split tasks that stay promised; null keeps what is.';


--
-- Name: check_form(text, text, text, text); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.check_form(p_field text, p_value text, p_form text, p_help text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if p_value !~ p_form then
        raise exception using
            errcode = 'TN010',
            message = format('%s is not of the right form: it must be %s', p_field, p_help);
    end if;
    return p_value;
end
$$;


ALTER FUNCTION tender_ledger.check_form(p_field text, p_value text, p_form text, p_help text) OWNER TO tender_owner;

--
-- Name: FUNCTION check_form(p_field text, p_value text, p_form text, p_help text); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.check_form(p_field text, p_value text, p_form text, p_help text) IS 'The text, where it has the form; null stays null.';


--
-- Name: check_key(text); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.check_key(p_key text) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    select substr(tender_ledger.check_form('key', p_key, '^ed25519:[0-9a-f]{64}$',
        'ed25519: and 64 lower-case hexadecimal digits'), 9)
$_$;


ALTER FUNCTION tender_ledger.check_key(p_key text) OWNER TO tender_owner;

--
-- Name: FUNCTION check_key(p_key text); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.check_key(p_key text) IS 'The digits of a public key, whose form is checked.';


--
-- Name: check_list(text, anyarray, integer); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.check_list(p_field text, p_items anyarray, p_maximum integer) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform tender_ledger.check_range(p_field || ', how many', cardinality(p_items), 1, p_maximum);
    if array_ndims(p_items) > 1 or array_position(p_items, null) is not null then
        raise exception using
            errcode = 'TN010',
            message = format('%s is not of the right form: it must be a list without nulls', p_field);
    end if;
end
$$;


ALTER FUNCTION tender_ledger.check_list(p_field text, p_items anyarray, p_maximum integer) OWNER TO tender_owner;

--
-- Name: FUNCTION check_list(p_field text, p_items anyarray, p_maximum integer); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.check_list(p_field text, p_items anyarray, p_maximum integer) IS 'Refuses an array that is empty, too long, of several dimensions, or that has a null; null itself is none.';


--
-- Name: check_name(text, text); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.check_name(p_field text, p_name text) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    select tender_ledger.check_form(p_field, p_name, '^[A-Za-z0-9][A-Za-z0-9._@/-]{0,63}$',
        '1 to 64 of A-Z a-z 0-9 . _ @ / -, the first a letter or digit')
$_$;


ALTER FUNCTION tender_ledger.check_name(p_field text, p_name text) OWNER TO tender_owner;

--
-- Name: FUNCTION check_name(p_field text, p_name text); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.check_name(p_field text, p_name text) IS 'A name, of an agent, a principal or a goal, where it has its form; null stays null.';


--
-- Name: check_range(text, bigint, bigint, bigint); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.check_range(p_field text, p_value bigint, p_minimum bigint, p_maximum bigint) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if p_value < p_minimum or p_value > p_maximum then
        raise exception using
            errcode = 'TN010',
            message = format('%s is %s: it must be from %s to %s', p_field, p_value, p_minimum,
                p_maximum);
    end if;
    return p_value;
end
$$;


ALTER FUNCTION tender_ledger.check_range(p_field text, p_value bigint, p_minimum bigint, p_maximum bigint) OWNER TO tender_owner;

--
-- Name: FUNCTION check_range(p_field text, p_value bigint, p_minimum bigint, p_maximum bigint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.check_range(p_field text, p_value bigint, p_minimum bigint, p_maximum bigint) IS 'The value, where it is in its range; null stays null.';


--
-- Name: check_skill(text, text); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.check_skill(p_field text, p_skill text) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    select tender_ledger.check_form(p_field, p_skill, '^[a-z0-9]([a-z0-9._/-]{0,62}[a-z0-9])?$',
        '1 to 64 of a-z 0-9 . _ / -, beginning and ending with a letter or digit')
$_$;


ALTER FUNCTION tender_ledger.check_skill(p_field text, p_skill text) OWNER TO tender_owner;

--
-- Name: FUNCTION check_skill(p_field text, p_skill text); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.check_skill(p_field text, p_skill text) IS 'A skill, or what is written like one, where it has its form; null stays null.';


--
-- Name: deliver_parts(smallint, uuid[], integer[], integer[], timestamp with time zone[], timestamp with time zone[], integer[], bigint[], bytea[], text[], text[], bigint[], text[], boolean[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.deliver_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_delivered_at timestamp with time zone[], p_accept_by_at timestamp with time zone[], p_units integer[], p_size bigint[], p_digest bytea[], p_owner text[], p_evidence text[], p_measured_micro bigint[], p_tier text[], p_is_active boolean[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_count bigint;
    v_part_count bigint;
begin
    insert into tender_ledger.delivery (delivered_at, accept_by_at, size, measured_micro, units,
        generation, part, shard, task_id, digest, owner, evidence, tier)
    select unnest(p_delivered_at), unnest(p_accept_by_at), unnest(p_size), unnest(p_measured_micro),
        unnest(p_units), unnest(p_generation), unnest(p_part), p_shard, unnest(p_task),
        unnest(p_digest), unnest(p_owner), unnest(p_evidence), unnest(p_tier);
    update tender_ledger.open_part p
    set promise_state = 2
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_is_active) as is_active
    ) g
    cross join lateral (
        select f.ctid as place
        from tender_ledger.open_part f
        where f.shard = p_shard and f.task_id = g.task_id and f.part = g.part
            and f.generation = g.generation and f.promise_state = 1
        offset 0
    ) f
    where p.ctid = f.place and g.is_active and g.part = 0;
    get diagnostics v_count = row_count;
    update tender_ledger.split_part p
    set promise_state = 2
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_is_active) as is_active
    ) g
    cross join lateral (
        select f.ctid as place
        from tender_ledger.split_part f
        where f.shard = p_shard and f.task_id = g.task_id and f.part = g.part
            and f.generation = g.generation and f.promise_state = 1
        offset 0
    ) f
    where p.ctid = f.place and g.is_active and g.part > 0;
    get diagnostics v_part_count = row_count;
    if v_count + v_part_count <> (
        select count(*) from (select unnest(p_is_active) as is_active) g where g.is_active
    ) then
        raise exception using
            errcode = 'TN004',
            message = 'a delivery is of a commitment that is not active';
    end if;
end
$$;


ALTER FUNCTION tender_ledger.deliver_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_delivered_at timestamp with time zone[], p_accept_by_at timestamp with time zone[], p_units integer[], p_size bigint[], p_digest bytea[], p_owner text[], p_evidence text[], p_measured_micro bigint[], p_tier text[], p_is_active boolean[]) OWNER TO tender_owner;

--
-- Name: FUNCTION deliver_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_delivered_at timestamp with time zone[], p_accept_by_at timestamp with time zone[], p_units integer[], p_size bigint[], p_digest bytea[], p_owner text[], p_evidence text[], p_measured_micro bigint[], p_tier text[], p_is_active boolean[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.deliver_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_delivered_at timestamp with time zone[], p_accept_by_at timestamp with time zone[], p_units integer[], p_size bigint[], p_digest bytea[], p_owner text[], p_evidence text[], p_measured_micro bigint[], p_tier text[], p_is_active boolean[]) IS 'Adds deliveries and lets their commitments wait; TN004 where one is not active.';


--
-- Name: drop_partition(uuid); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.drop_partition(p_from_id uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_suffix text := (select p.suffix from tender_ledger.partition p where p.from_id = p_from_id);
begin
    update tender_ledger.partition
    set state = 'archived'
    where from_id = p_from_id and state = 'detached';
    if not found then
        raise exception using errcode = 'TN004', message = 'the partition is not detached';
    end if;
    execute format('drop table tender_ledger.%I, tender_ledger.%I, tender_ledger.%I',
        'task_' || v_suffix, 'ending_' || v_suffix, 'entry_row_' || v_suffix);
end
$$;


ALTER FUNCTION tender_ledger.drop_partition(p_from_id uuid) OWNER TO tender_owner;

--
-- Name: FUNCTION drop_partition(p_from_id uuid); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.drop_partition(p_from_id uuid) IS 'The tables of a partition are gone; its archive is what tells of it.';


--
-- Name: due_partitions(timestamp with time zone); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.due_partitions(p_before timestamp with time zone) RETURNS TABLE(suffix text, since_at timestamp with time zone, until_at timestamp with time zone, from_id uuid, to_id uuid, state text, waits_for uuid, waits_because text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select p.suffix, p.since_at, p.until_at, p.from_id, p.to_id, p.state, coalesce(o.task_id, e.task_id),
        case
            when o.task_id is not null then 'it has not ended'
            when e.task_id is not null then 'it ended later'
        end
    from tender_ledger.partition p
    left join lateral (
        select f.task_id
        from (
            select q.task_id from tender_ledger.open_part q
            union all
            select q.task_id from tender_ledger.fresh_part q
        ) f
        where p.state = 'live' and f.task_id >= p.from_id and f.task_id < p.to_id
        order by f.task_id
        limit 1
    ) o on true
    left join lateral (
        select f.task_id
        from tender_ledger.ending f
        where p.state = 'live' and o.task_id is null and f.task_id >= p.from_id
            and f.task_id < p.to_id and f.task_ended_at > p_before
        limit 1
    ) e on true
    where p.until_at <= p_before and p.state <> 'archived'
        and (p.suffix <> 'before' or p.state <> 'live' or exists (
            select from tender_ledger.task t where t.task_id >= p.from_id and t.task_id < p.to_id))
    order by p.from_id
$$;


ALTER FUNCTION tender_ledger.due_partitions(p_before timestamp with time zone) OWNER TO tender_owner;

--
-- Name: FUNCTION due_partitions(p_before timestamp with time zone); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.due_partitions(p_before timestamp with time zone) IS 'Partitions that are older than that and not archived, and the task that each waits for, if one.';


--
-- Name: end_split(smallint, uuid[], integer[], integer[], timestamp with time zone[], timestamp with time zone[], smallint[], smallint[], integer[], bigint[], bigint[], integer[], bytea[], text[], bytea[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.end_split(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units integer[], p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_count bigint;
begin
    with gone as (
        delete from tender_ledger.split_part p
        using (
            select unnest(p_task) as task_id, unnest(p_part) as part,
                unnest(p_generation) as generation, unnest(p_acknowledged_at) as acknowledged_at,
                unnest(p_ended_at) as ended_at, unnest(p_state) as state,
                unnest(p_reason) as reason, unnest(p_units) as units,
                unnest(p_paid_micro) as paid_micro, unnest(p_fee_micro) as fee_micro,
                unnest(p_number) as number, unnest(p_hash) as hash, unnest(p_body) as body,
                unnest(p_content) as content
        ) g
        cross join lateral (
            select f.ctid as place
            from tender_ledger.split_part f
            where f.shard = p_shard and f.task_id = g.task_id and f.part = g.part
                and f.generation = g.generation
            offset 0
        ) f
        where p.ctid = f.place
        returning p.*, g.acknowledged_at as acknowledged_now_at, g.ended_at, g.state, g.reason,
            g.units, g.paid_micro, g.fee_micro, g.number, g.hash, g.body, g.content
    )
    insert into tender_ledger.ending (awarded_at, due_at, acknowledged_at, ended_at, price_micro,
        paid_micro, fee_micro, units, units_done, generation, round, part, shard, state, reason,
        task_id, owner, principal, number, hash, body, content)
    select g.awarded_at, g.due_at, coalesce(g.acknowledged_at, g.acknowledged_now_at), g.ended_at,
        g.price_micro, g.paid_micro, g.fee_micro, g.promised_units, g.units, g.generation,
        g.awarded_round, g.part, p_shard, g.state, g.reason, g.task_id, g.owner, g.principal, g.number,
        g.hash, g.body, g.content
    from gone g;
    get diagnostics v_count = row_count;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s parts to be ended are not promised',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
end
$$;


ALTER FUNCTION tender_ledger.end_split(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units integer[], p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[]) OWNER TO tender_owner;

--
-- Name: FUNCTION end_split(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units integer[], p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.end_split(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units integer[], p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[]) IS 'Ends commitments of split tasks.';


--
-- Name: enrol(smallint, text[], text[], integer[], text[], integer[], timestamp with time zone[], timestamp with time zone[], smallint[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.enrol(p_shard smallint, p_contractor text[], p_principal text[], p_slots integer[], p_skills text[], p_number integer[], p_enrolled_at timestamp with time zone[], p_departed_at timestamp with time zone[], p_departed_reason smallint[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    insert into tender_ledger.contractor (enrolled_at, departed_at, number, slots, shard,
        departed_reason, contractor, principal, skills)
    select g.enrolled_at, g.departed_at, g.number, g.slots, p_shard, g.departed_reason, g.contractor,
        g.principal, string_to_array(g.skills, ',')
    from (
        select unnest(p_enrolled_at) as enrolled_at, unnest(p_departed_at) as departed_at,
            unnest(p_number) as number, unnest(p_slots) as slots,
            unnest(p_departed_reason) as departed_reason, unnest(p_contractor) as contractor,
            unnest(p_principal) as principal, unnest(p_skills) as skills
    ) g
    where g.enrolled_at is not null
    on conflict on constraint contractor_has_one_row do update
    set enrolled_at = excluded.enrolled_at, departed_at = excluded.departed_at,
        number = excluded.number, slots = excluded.slots, principal = excluded.principal,
        skills = excluded.skills, departed_reason = excluded.departed_reason;

    update tender_ledger.contractor c
    set departed_at = g.departed_at, departed_reason = g.departed_reason
    from (
        select unnest(p_enrolled_at) as enrolled_at, unnest(p_departed_at) as departed_at,
            unnest(p_departed_reason) as departed_reason, unnest(p_contractor) as contractor
    ) g
    cross join lateral (
        select f.ctid as place
        from tender_ledger.contractor f
        where f.shard = p_shard and f.contractor = g.contractor
        offset 0
    ) f
    where g.enrolled_at is null and c.ctid = f.place;
end
$$;


ALTER FUNCTION tender_ledger.enrol(p_shard smallint, p_contractor text[], p_principal text[], p_slots integer[], p_skills text[], p_number integer[], p_enrolled_at timestamp with time zone[], p_departed_at timestamp with time zone[], p_departed_reason smallint[]) OWNER TO tender_owner;

--
-- Name: FUNCTION enrol(p_shard smallint, p_contractor text[], p_principal text[], p_slots integer[], p_skills text[], p_number integer[], p_enrolled_at timestamp with time zone[], p_departed_at timestamp with time zone[], p_departed_reason smallint[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.enrol(p_shard smallint, p_contractor text[], p_principal text[], p_slots integer[], p_skills text[], p_number integer[], p_enrolled_at timestamp with time zone[], p_departed_at timestamp with time zone[], p_departed_reason smallint[]) IS 'Keeps contractors as they last enrolled or departed; without an enrolment it only departs.';


--
-- Name: finish_tasks(smallint, uuid[], timestamp with time zone[], smallint[], smallint[], integer[], integer[], bigint[], bigint[], timestamp with time zone[], integer[], timestamp with time zone[], smallint[], smallint[], integer[], bigint[], bigint[], integer[], bytea[], text[], bytea[], boolean); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.finish_tasks(p_shard smallint, p_task uuid[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_round integer[], p_units integer[], p_paid_micro bigint[], p_released_micro bigint[], p_acknowledged_at timestamp with time zone[], p_generation integer[], p_commitment_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_hashjoin TO 'on'
    SET enable_nestloop TO 'off'
    AS $$
declare
    v_count bigint;
    v_payer text[];
    v_paid_micro bigint[];
    v_released_micro bigint[];
begin
    with gone as (
        delete from tender_ledger.open_part p
        using (
            select unnest(p_task) as task_id, unnest(p_ended_at) as ended_at,
                unnest(p_state) as state, unnest(p_reason) as reason, unnest(p_round) as round,
                unnest(p_units) as units,
                unnest(p_paid_micro) as paid_micro, unnest(p_released_micro) as released_micro,
                unnest(p_acknowledged_at) as acknowledged_at, unnest(p_generation) as generation,
                unnest(p_commitment_ended_at) as commitment_ended_at,
                unnest(p_ended_state) as ended_state, unnest(p_ended_reason) as ended_reason,
                unnest(p_ended_units) as ended_units,
                unnest(p_ended_paid_micro) as ended_paid_micro,
                unnest(p_ended_fee_micro) as ended_fee_micro, unnest(p_number) as number,
                unnest(p_hash) as hash, unnest(p_body) as body, unnest(p_content) as content
        ) g
        where p.shard = p_shard and p.task_id = any (p_task) and p.part = 0 and p.task_id = g.task_id
            and coalesce(p.generation, 0) = g.generation
        returning p.task_id, p.payer, p.ceiling_micro, p.units, g.ended_at, g.state, g.reason,
            greatest(p.round, g.round) as round,
            p.units_done + g.units as units_done,
            p.paid_micro + g.paid_micro as total_micro, g.paid_micro, g.released_micro,
            p.awarded_at, p.due_at, coalesce(p.acknowledged_at, g.acknowledged_at) as acknowledged_at,
            p.price_micro, p.promised_units, p.awarded_round, p.owner, p.principal, g.generation,
            g.commitment_ended_at, g.ended_state, g.ended_reason, g.ended_units, g.ended_paid_micro,
            g.ended_fee_micro, g.number, g.hash, g.body, g.content
    ), ended as (
        insert into tender_ledger.ending (awarded_at, due_at, acknowledged_at, ended_at, task_ended_at,
            price_micro, paid_micro, fee_micro, task_ceiling_micro, task_paid_micro,
            task_released_micro, units, units_done, task_units, task_units_done, round, task_round,
            number, generation, part, shard, state, reason, task_state, task_reason, task_id, owner,
            principal, hash, body, content)
        select g.awarded_at, g.due_at, g.acknowledged_at, g.commitment_ended_at, g.ended_at,
            g.price_micro, g.ended_paid_micro, g.ended_fee_micro, g.ceiling_micro, g.total_micro,
            g.released_micro, g.promised_units, g.ended_units, g.units, g.units_done, g.awarded_round,
            g.round, g.number, g.generation, 0, p_shard, g.ended_state, g.ended_reason, g.state,
            g.reason, g.task_id, g.owner, g.principal, g.hash, g.body, g.content
        from gone g
    ), owed as (
        select g.payer, sum(g.paid_micro)::bigint as paid_micro,
            sum(g.released_micro)::bigint as released_micro, count(*) as count
        from gone g
        group by g.payer
    )
    select sum(o.count), array_agg(o.payer), array_agg(o.paid_micro), array_agg(o.released_micro)
    into v_count, v_payer, v_paid_micro, v_released_micro
    from owed o;
    if p_moves_money then
        perform tender_ledger.spend(p_shard, v_payer, v_paid_micro, v_released_micro);
    end if;
    if v_count is distinct from cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s tasks to be ended do not go on as the broker has them',
                cardinality(p_task) - coalesce(v_count, 0), cardinality(p_task));
    end if;
end
$$;


ALTER FUNCTION tender_ledger.finish_tasks(p_shard smallint, p_task uuid[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_round integer[], p_units integer[], p_paid_micro bigint[], p_released_micro bigint[], p_acknowledged_at timestamp with time zone[], p_generation integer[], p_commitment_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean) OWNER TO tender_owner;

--
-- Name: FUNCTION finish_tasks(p_shard smallint, p_task uuid[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_round integer[], p_units integer[], p_paid_micro bigint[], p_released_micro bigint[], p_acknowledged_at timestamp with time zone[], p_generation integer[], p_commitment_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.finish_tasks(p_shard smallint, p_task uuid[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_round integer[], p_units integer[], p_paid_micro bigint[], p_released_micro bigint[], p_acknowledged_at timestamp with time zone[], p_generation integer[], p_commitment_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean) IS 'Ends tasks, and the commitment that each ends with; generation 0: none was active.';


--
-- Name: first_id(timestamp with time zone); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.first_id(p_at timestamp with time zone) RETURNS uuid
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select (lpad(to_hex(greatest(0, (extract(epoch from p_at) * 1000)::bigint)), 12, '0')
        || repeat('0', 20))::uuid
$$;


ALTER FUNCTION tender_ledger.first_id(p_at timestamp with time zone) OWNER TO tender_owner;

--
-- Name: FUNCTION first_id(p_at timestamp with time zone); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.first_id(p_at timestamp with time zone) IS 'The least identifier that a task announced then may have.';


--
-- Name: follow_allotments(bigint[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.follow_allotments(p_request bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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


ALTER FUNCTION tender_ledger.follow_allotments(p_request bigint[]) OWNER TO tender_owner;

--
-- Name: FUNCTION follow_allotments(p_request bigint[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.follow_allotments(p_request bigint[]) IS 'Asks for the next step of allotments whose last one is answered by these requests.';


--
-- Name: forget_tasks(timestamp with time zone, integer); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.forget_tasks(p_before timestamp with time zone, p_limit integer) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_count bigint;
begin
    with gone as (
        delete from tender_ledger.archived_task a
        where a.ctid = any (array(
            select f.ctid
            from tender_ledger.partition p
            join tender_ledger.archived_task f on f.task_id >= p.from_id and f.task_id < p.to_id
            where p.state = 'archived' and p.until_at <= p_before
            limit p_limit))
        returning a.shard, a.task_id, a.principal, a.key
    )
    delete from tender_ledger.task_key k
    using gone g
    where k.key = g.key and k.principal = g.principal and k.shard = g.shard and k.task_id = g.task_id;
    get diagnostics v_count = row_count;
    return v_count;
end
$$;


ALTER FUNCTION tender_ledger.forget_tasks(p_before timestamp with time zone, p_limit integer) OWNER TO tender_owner;

--
-- Name: FUNCTION forget_tasks(p_before timestamp with time zone, p_limit integer); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.forget_tasks(p_before timestamp with time zone, p_limit integer) IS 'Forgets some of the archived tasks that are older than that, and their keys; 0 when none are left.';


--
-- Name: free_resources(smallint, uuid[], integer[], integer[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.free_resources(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_count bigint;
begin
    with given as (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation
    ), found as materialized (
        select f.ctid as place
        from given g
        cross join lateral (
            select f.ctid
            from tender_ledger.resource_hold f
            where f.shard = p_shard and f.task_id = g.task_id and f.part = g.part
                and f.generation = g.generation
            offset 0
        ) f
    ), freed as (
        delete from tender_ledger.resource_hold h
        using found f
        where h.ctid = f.place
        returning h.task_id, h.part, h.generation, h.resource, h.contractor
    ), changed as (
        update tender_ledger.resource r
        set held = r.held - f.count
        from (
            select f.resource, f.contractor, count(*)::integer as count
            from freed f
            group by f.resource, f.contractor
        ) f
        where r.shard = p_shard and r.resource = f.resource and r.contractor = f.contractor
    )
    select count(distinct (f.task_id, f.part, f.generation)) into v_count
    from freed f;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s commitments to be freed hold no resource',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
end
$$;


ALTER FUNCTION tender_ledger.free_resources(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[]) OWNER TO tender_owner;

--
-- Name: FUNCTION free_resources(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.free_resources(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[]) IS 'Commitments that ended hold nothing any more.';


--
-- Name: had_root(uuid, text, text, timestamp with time zone); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.had_root(p_task uuid, p_principal text, p_root text, p_opened_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select p_root = tender_ledger.root_of(s.shard, p_principal) or p_root = p_principal and not exists (
        select
        from tender_ledger.entry e
        where e.shard = s.shard and e.task_id = '00000000-0000-0000-0000-000000000000' and e.kind = 29
            and e.at < p_opened_at and e.body::jsonb ->> 'principal' = p_principal
            and e.body::jsonb ->> 'parent' <> '')
    from (select tender_ledger.shard_of_task(p_task)::smallint as shard) s
$$;


ALTER FUNCTION tender_ledger.had_root(p_task uuid, p_principal text, p_root text, p_opened_at timestamp with time zone) OWNER TO tender_owner;

--
-- Name: FUNCTION had_root(p_task uuid, p_principal text, p_root text, p_opened_at timestamp with time zone); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.had_root(p_task uuid, p_principal text, p_root text, p_opened_at timestamp with time zone) IS 'Whether a bid of the principal on the task counts for that root.';


--
-- Name: hashes_in_hex(bytea[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.hashes_in_hex(p_hashes bytea[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select array(
        select encode(u.hash, 'hex')
        from unnest(p_hashes) with ordinality u (hash, step)
        order by u.step)
$$;


ALTER FUNCTION tender_ledger.hashes_in_hex(p_hashes bytea[]) OWNER TO tender_owner;

--
-- Name: FUNCTION hashes_in_hex(p_hashes bytea[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.hashes_in_hex(p_hashes bytea[]) IS 'Hashes as a proof writes them, in the same order.';


--
-- Name: held_batch(smallint, bigint, integer); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.held_batch(p_shard smallint, p_reign bigint, p_mark integer) RETURNS bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_batch bigint;
begin
    select coalesce(
            (select n.batch from tender_ledger.reign_begin n
                where n.shard = b.shard and n.reign > b.reign order by n.reign limit 1),
            r.batch)
    into v_batch
    from tender_ledger.reign_begin b
    join tender_ledger.reign r on r.shard = b.shard
    where b.shard = p_shard and b.reign = p_reign and b.mark = p_mark;
    if not found then
        raise exception using
            errcode = 'TN006', message = format('the ledger has lost reign %s', p_reign);
    end if;
    return v_batch;
end
$$;


ALTER FUNCTION tender_ledger.held_batch(p_shard smallint, p_reign bigint, p_mark integer) OWNER TO tender_owner;

--
-- Name: FUNCTION held_batch(p_shard smallint, p_reign bigint, p_mark integer); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.held_batch(p_shard smallint, p_reign bigint, p_mark integer) IS 'The last batch that is held of a reign; TN006 where the ledger has lost the reign itself.';


--
-- Name: hold_resources(smallint, uuid[], integer[], integer[], text[], timestamp with time zone[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.hold_resources(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_owner text[], p_held_at timestamp with time zone[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_count bigint;
begin
    with given as (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_owner) as owner, unnest(p_held_at) as held_at
    ), held as (
        insert into tender_ledger.resource_hold (held_at, generation, part, shard, task_id, resource,
            contractor)
        select g.held_at, g.generation, g.part, p_shard, g.task_id, r.resource, r.contractor
        from given g
        cross join lateral (
            select array[t.skill] || n.needs as names
            from tender_ledger.task t
            left join tender_ledger.task_need n on n.shard = t.shard and n.task_id = t.task_id
            where t.shard = p_shard and t.task_id = g.task_id
            offset 0
        ) t
        cross join lateral (
            select r.resource, r.contractor
            from tender_ledger.resource r
            where r.shard = p_shard and r.resource = any (t.names) and r.contractor in ('', g.owner)
            offset 0
        ) r
        returning task_id, part, generation, resource, contractor
    ), changed as (
        update tender_ledger.resource r
        set held = r.held + h.count
        from (
            select h.resource, h.contractor, count(*)::integer as count
            from held h
            group by h.resource, h.contractor
        ) h
        where r.shard = p_shard and r.resource = h.resource and r.contractor = h.contractor
    )
    select count(distinct (h.task_id, h.part, h.generation)) into v_count
    from held h;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s commitments to hold resources need none that is counted',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
end
$$;


ALTER FUNCTION tender_ledger.hold_resources(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_owner text[], p_held_at timestamp with time zone[]) OWNER TO tender_owner;

--
-- Name: FUNCTION hold_resources(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_owner text[], p_held_at timestamp with time zone[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.hold_resources(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_owner text[], p_held_at timestamp with time zone[]) IS 'Commitments that were awarded hold one of each counted name that their tasks need.';


--
-- Name: hold_subject(text, text, text); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.hold_subject(p_contractor text, p_principal text, p_skill text) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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


ALTER FUNCTION tender_ledger.hold_subject(p_contractor text, p_principal text, p_skill text) OWNER TO tender_owner;

--
-- Name: FUNCTION hold_subject(p_contractor text, p_principal text, p_skill text); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.hold_subject(p_contractor text, p_principal text, p_skill text) IS 'Of whom a hold is: checks that the caller is an operator and that the names have their forms.';


--
-- Name: is_operator(); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.is_operator() RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select pg_has_role(tender_ledger.caller(), 'tender_owner', 'member')
$$;


ALTER FUNCTION tender_ledger.is_operator() OWNER TO tender_owner;

--
-- Name: FUNCTION is_operator(); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.is_operator() IS 'Whether who asks may act on any client''s tasks.';


--
-- Name: keep_facts(smallint, smallint[], text[], integer[], boolean[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.keep_facts(p_shard smallint, p_kind smallint[], p_subject text[], p_number integer[], p_is_over boolean[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    delete from tender_ledger.house_fact f
    using (
        select unnest(p_kind) as kind, unnest(p_subject) as subject, unnest(p_is_over) as is_over
    ) g
    where g.is_over and f.shard = p_shard and f.kind = g.kind and f.subject = g.subject;
    insert into tender_ledger.house_fact as f (shard, kind, subject, number)
    select p_shard, g.kind, g.subject, g.number
    from (
        select unnest(p_kind) as kind, unnest(p_subject) as subject, unnest(p_number) as number,
            unnest(p_is_over) as is_over
    ) g
    where not g.is_over
    on conflict on constraint house_fact_is_one_per_subject do update
    set number = greatest(f.number, excluded.number);
end
$$;


ALTER FUNCTION tender_ledger.keep_facts(p_shard smallint, p_kind smallint[], p_subject text[], p_number integer[], p_is_over boolean[]) OWNER TO tender_owner;

--
-- Name: FUNCTION keep_facts(p_shard smallint, p_kind smallint[], p_subject text[], p_number integer[], p_is_over boolean[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.keep_facts(p_shard smallint, p_kind smallint[], p_subject text[], p_number integer[], p_is_over boolean[]) IS 'Keeps what the house says by subject; one row a subject, which is_over forgets.';


--
-- Name: keep_partitions(timestamp with time zone); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.keep_partitions(p_at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '100ms'
    AS $$
declare
    v_period interval := (select r.period from tender_ledger.retention r);
    v_until_at timestamptz := (select max(p.until_at) from tender_ledger.partition p);
    v_since_at timestamptz;
begin
    if v_until_at >= p_at + v_period + interval '1 day'
        or not pg_try_advisory_xact_lock(1413828421) then
        return v_until_at;
    end if;
    begin
        v_until_at := (select max(p.until_at) from tender_ledger.partition p);
        while v_until_at < p_at + 2 * v_period + interval '1 day' loop
            v_since_at := v_until_at;
            v_until_at := v_until_at + v_period;
            -- A time in which nothing is announced, because no broker ran, needs no partitions.
            if v_until_at < p_at - v_period then
                v_until_at := date_bin(v_period, p_at - v_period, v_since_at);
                v_until_at := greatest(v_until_at, v_since_at + v_period);
            end if;
            perform tender_ledger.add_partition(v_since_at, v_until_at);
        end loop;
    exception when lock_not_available or deadlock_detected then
        return (select max(p.until_at) from tender_ledger.partition p);
    end;
    return v_until_at;
end
$$;


ALTER FUNCTION tender_ledger.keep_partitions(p_at timestamp with time zone) OWNER TO tender_owner;

--
-- Name: FUNCTION keep_partitions(p_at timestamp with time zone); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.keep_partitions(p_at timestamp with time zone) IS 'Sees that tasks announced from then on have a place for two periods, and says until when they have one.';


--
-- Name: ending; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.ending (
    awarded_at timestamp with time zone,
    due_at timestamp with time zone,
    acknowledged_at timestamp with time zone,
    ended_at timestamp with time zone,
    task_ended_at timestamp with time zone,
    price_micro bigint,
    paid_micro bigint,
    fee_micro bigint,
    task_ceiling_micro bigint,
    task_paid_micro bigint,
    task_released_micro bigint,
    units integer,
    units_done integer,
    task_units integer,
    task_units_done integer,
    round integer,
    task_round integer,
    number integer,
    generation integer NOT NULL,
    part integer NOT NULL,
    shard smallint NOT NULL,
    state smallint,
    reason smallint,
    task_state smallint,
    task_reason smallint,
    task_id uuid NOT NULL,
    owner text COLLATE pg_catalog."C",
    principal text COLLATE pg_catalog."C",
    hash bytea,
    body text COLLATE pg_catalog."C",
    content bytea,
    CONSTRAINT commitment_does_no_more_than_its_units CHECK (((units_done >= 0) AND (units_done <= units) AND (units >= 1))),
    CONSTRAINT commitment_ends_after_it_begins CHECK (((ended_at >= awarded_at) AND (ended_at < 'infinity'::timestamp with time zone))),
    CONSTRAINT commitment_ends_in_an_ended_state CHECK (((state >= 3) AND (state <= 7))),
    CONSTRAINT commitment_pays_no_more_than_its_price CHECK (((fee_micro >= 0) AND (fee_micro <= paid_micro) AND (paid_micro <= price_micro))),
    CONSTRAINT commitment_was_due_at_an_instant CHECK (((due_at >= awarded_at) AND (due_at <= '2100-01-01 00:00:00+00'::timestamp with time zone) AND (awarded_at > '-infinity'::timestamp with time zone))),
    CONSTRAINT ended_commitment_counts_from_one CHECK (((generation >= 0) AND (part >= 0) AND (round >= 1))),
    CONSTRAINT ended_commitment_is_whole CHECK ((num_nonnulls(awarded_at, due_at, ended_at, price_micro, paid_micro, fee_micro, units, units_done, round, state, reason, owner, principal) =
CASE
    WHEN (generation = 0) THEN 0
    ELSE 13
END)),
    CONSTRAINT ended_task_is_whole CHECK ((num_nonnulls(task_ended_at, task_ceiling_micro, task_paid_micro, task_released_micro, task_units, task_units_done, task_round, task_reason) =
CASE
    WHEN (task_state IS NULL) THEN 0
    ELSE 8
END)),
    CONSTRAINT ending_is_of_something CHECK (((generation > 0) OR (task_state IS NOT NULL))),
    CONSTRAINT settlement_has_a_place_and_a_hash CHECK (((number > 1) AND (octet_length(hash) = 32))),
    CONSTRAINT settlement_is_whole CHECK ((((number IS NULL) = (hash IS NULL)) AND ((number IS NULL) = (body IS NULL)) AND ((number IS NULL) OR (generation > 0)))),
    CONSTRAINT task_does_no_more_than_its_units CHECK (((task_units_done >= 0) AND (task_units_done <= task_units))),
    CONSTRAINT task_end_accounts_for_its_ceiling CHECK (((task_paid_micro >= 0) AND (task_released_micro >= 0) AND ((task_paid_micro + task_released_micro) = task_ceiling_micro))),
    CONSTRAINT task_end_is_at_an_instant CHECK (((task_ended_at > '-infinity'::timestamp with time zone) AND (task_ended_at < 'infinity'::timestamp with time zone))),
    CONSTRAINT task_ends_in_an_ended_state CHECK (((task_state >= 6) AND (task_state <= 8))),
    CONSTRAINT task_is_done_when_all_units_are CHECK (((task_state <> 6) OR (task_units_done = task_units)))
)
PARTITION BY RANGE (task_id);
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN awarded_at SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN due_at SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN acknowledged_at SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN ended_at SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN task_ended_at SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN price_micro SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN paid_micro SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN fee_micro SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN task_ceiling_micro SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN task_paid_micro SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN task_released_micro SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN units SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN units_done SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN task_units SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN task_units_done SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN round SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN task_round SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN number SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN generation SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN part SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN shard SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN state SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN reason SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN task_state SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN task_reason SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN task_id SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN owner SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN principal SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN hash SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.ending ALTER COLUMN content SET STORAGE EXTERNAL;


ALTER TABLE tender_ledger.ending OWNER TO tender_owner;

--
-- Name: TABLE ending; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.ending IS 'One row per end: of a commitment, with the entry that settled it, of a task, or of both at once.';


--
-- Name: COLUMN ending.awarded_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.awarded_at IS 'Of the commitment: when it was awarded.';


--
-- Name: COLUMN ending.due_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.due_at IS 'Of the commitment: when it had to be kept.';


--
-- Name: COLUMN ending.acknowledged_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.acknowledged_at IS 'Of the commitment: when the owner''s program took it.';


--
-- Name: COLUMN ending.ended_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.ended_at IS 'Of the commitment: when it ended, and was paid.';


--
-- Name: COLUMN ending.task_ended_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.task_ended_at IS 'Of the task: when it ended.';


--
-- Name: COLUMN ending.price_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.price_micro IS 'Of the commitment: promised for all its units.';


--
-- Name: COLUMN ending.paid_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.paid_micro IS 'Of the commitment: paid when it ended, fee included; what came later is a transfer.';


--
-- Name: COLUMN ending.fee_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.fee_micro IS 'The part of what was paid that is the kill fee.';


--
-- Name: COLUMN ending.task_ceiling_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.task_ceiling_micro IS 'Of the task: its ceiling again; paid and released add up to it.';


--
-- Name: COLUMN ending.task_paid_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.task_paid_micro IS 'Of the task: paid over all its commitments.';


--
-- Name: COLUMN ending.task_released_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.task_released_micro IS 'Of the task: given back to the account.';


--
-- Name: COLUMN ending.units; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.units IS 'Of the commitment: units promised.';


--
-- Name: COLUMN ending.units_done; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.units_done IS 'Of the commitment: units accepted.';


--
-- Name: COLUMN ending.task_units; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.task_units IS 'Of the task: its units again.';


--
-- Name: COLUMN ending.task_units_done; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.task_units_done IS 'Of the task: units accepted over all its commitments.';


--
-- Name: COLUMN ending.round; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.round IS 'Of the commitment: round it was awarded in.';


--
-- Name: COLUMN ending.task_round; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.task_round IS 'Of the task: number of its last round.';


--
-- Name: COLUMN ending.number; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.number IS 'Place of the settlement in the chain; null where that lies in entry_row, or there is none.';


--
-- Name: COLUMN ending.generation; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.generation IS 'Of the commitment: number of the award within its part; 0 where the task ended without one.';


--
-- Name: COLUMN ending.part; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.part IS 'Of the commitment: part of the task; 0 while work is not split.';


--
-- Name: COLUMN ending.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN ending.state; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.state IS 'Of the commitment: word commitment_state, from fulfilled on.';


--
-- Name: COLUMN ending.reason; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.reason IS 'Of the commitment: why it ended: word reason.';


--
-- Name: COLUMN ending.task_state; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.task_state IS 'Of the task: word task_state, done, unallocated or cancelled; null where it went on.';


--
-- Name: COLUMN ending.task_reason; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.task_reason IS 'Of the task: why it ended: word reason.';


--
-- Name: COLUMN ending.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.task_id IS 'The task.';


--
-- Name: COLUMN ending.owner; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.owner IS 'Of the commitment: contractor that promised.';


--
-- Name: COLUMN ending.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.principal IS 'Of the commitment: principal of the owner, who was paid.';


--
-- Name: COLUMN ending.hash; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.hash IS 'Hash of the settlement.';


--
-- Name: COLUMN ending.body; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.body IS 'The settlement, a JSON object.';


--
-- Name: COLUMN ending.content; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ending.content IS 'Result, whose digest the body carries.';


--
-- Name: last_commitments(smallint, timestamp with time zone); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.last_commitments(p_shard smallint, p_since timestamp with time zone) RETURNS SETOF tender_ledger.ending
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
    v_part text;
    v_pages bigint;
    v_left bigint := 2000;
begin
    for v_part in
        select 'tender_ledger.ending_' || p.suffix
        from tender_ledger.partition p
        where p.state in ('live', 'exported')
        order by p.from_id desc
    loop
        v_pages := pg_relation_size(v_part) / current_setting('block_size')::integer;
        return query execute format('select c.* from %s c where c.ctid >= %L and c.shard = $1 '
            'and c.generation > 0 and c.ended_at > $2', v_part,
            format('(%s,0)', greatest(0, v_pages - v_left)))
        using p_shard, p_since;
        v_left := v_left - v_pages;
        exit when v_left <= 0;
    end loop;
end
$_$;


ALTER FUNCTION tender_ledger.last_commitments(p_shard smallint, p_since timestamp with time zone) OWNER TO tender_owner;

--
-- Name: FUNCTION last_commitments(p_shard smallint, p_since timestamp with time zone); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.last_commitments(p_shard smallint, p_since timestamp with time zone) IS 'Commitments that ended since, as far as they are among the newest rows.';


--
-- Name: lease_runs(timestamp with time zone, interval); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.lease_runs(p_ends_at timestamp with time zone, p_lease interval) RETURNS boolean
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select p_ends_at > clock_timestamp() and p_ends_at <= clock_timestamp() + 6 * p_lease
$$;


ALTER FUNCTION tender_ledger.lease_runs(p_ends_at timestamp with time zone, p_lease interval) OWNER TO tender_owner;

--
-- Name: FUNCTION lease_runs(p_ends_at timestamp with time zone, p_lease interval); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.lease_runs(p_ends_at timestamp with time zone, p_lease interval) IS 'Whether a shard is still a broker''s, by the end of its lease and how long it makes one.';


--
-- Name: ledger_id(); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.ledger_id() RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select l.id from tender_ledger.ledger l
$$;


ALTER FUNCTION tender_ledger.ledger_id() OWNER TO tender_owner;

--
-- Name: FUNCTION ledger_id(); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.ledger_id() IS 'What names this ledger in what is signed over it.';


--
-- Name: lookup_keys(smallint, integer[], text[], text[], bytea[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.lookup_keys(p_shard smallint, p_place integer[], p_principal text[], p_key text[], p_body_digest bytea[]) RETURNS TABLE(place integer, task_id uuid, newest uuid, state smallint, reason smallint, client text, principal text, round integer, units integer, units_done integer, paid_micro bigint, commitment_state smallint, contractor text, number integer, hash bytea)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    return query
    select g.place, f.task_id, f.newest, l.state, l.reason, l.client, l.principal, l.round, l.units,
        l.units_done, l.paid_micro, l.commitment_state, l.contractor, l.number, l.hash
    from (
        select unnest(p_place) as place, unnest(p_principal) as principal, unnest(p_key) as key,
            unnest(p_body_digest) as body_digest
    ) g
    cross join lateral (
        select (array_agg(t.task_id order by t.task_id desc)
                filter (where t.body_digest = g.body_digest))[1] as task_id,
            (array_agg(t.task_id order by t.task_id desc))[1] as newest
        from tender_ledger.task_key t
        where t.key = g.key and t.principal = g.principal
            and t.shard + 0 = p_shard -- by the index over keys, never by that over tasks
        having count(*) > 0
        offset 0
    ) f
    cross join lateral tender_ledger.lookup_task(p_shard, coalesce(f.task_id, f.newest), 0, 0) l;
end
$$;


ALTER FUNCTION tender_ledger.lookup_keys(p_shard smallint, p_place integer[], p_principal text[], p_key text[], p_body_digest bytea[]) OWNER TO tender_owner;

--
-- Name: FUNCTION lookup_keys(p_shard smallint, p_place integer[], p_principal text[], p_key text[], p_body_digest bytea[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.lookup_keys(p_shard smallint, p_place integer[], p_principal text[], p_key text[], p_body_digest bytea[]) IS 'The tasks that were announced under keys with the same bodies, and the newest under those keys; nothing for a key that was not used.';


--
-- Name: lookup_paid(smallint, integer[], uuid[], integer[], integer[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.lookup_paid(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[]) RETURNS TABLE(place integer, units_done integer, paid_micro bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    return query
    select g.place, c.units_done, c.paid_micro + coalesce((
            select sum(m.amount_micro)
            from tender_ledger.transfer m
            where m.shard = p_shard and m.task_id = g.task_id and m.generation = g.generation
                and m.to_bucket = 'earned'), 0)::bigint + coalesce((
            select sum(a.paid_micro)
            from tender_ledger.adoption a
            where a.shard = p_shard and a.task_id = g.task_id and a.part = g.part
                and a.generation = g.generation), 0)::bigint
    from (
        select unnest(p_place) as place, unnest(p_task) as task_id, unnest(p_part) as part,
            unnest(p_generation) as generation
    ) g
    join tender_ledger.commitment c on c.shard = p_shard and c.task_id = g.task_id
        and c.part = g.part and c.generation = g.generation;
end
$$;


ALTER FUNCTION tender_ledger.lookup_paid(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[]) OWNER TO tender_owner;

--
-- Name: FUNCTION lookup_paid(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.lookup_paid(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[]) IS 'What commitments that have ended accepted and were paid; nothing for one that goes on or never was.';


--
-- Name: lookup_task(smallint, uuid, integer, integer); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.lookup_task(p_shard smallint, p_task uuid, p_part integer, p_generation integer) RETURNS TABLE(task_id uuid, newest uuid, state smallint, reason smallint, client text, principal text, round integer, units integer, units_done integer, paid_micro bigint, commitment_state smallint, contractor text, number integer, hash bytea)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
    return query
    select t.task_id, t.task_id,
        coalesce(d.state, case o.promise_state when 1 then 3::smallint when 2 then 4::smallint
            else o.state end, 2::smallint),
        coalesce(d.reason, o.reason, 0::smallint), t.client, t.principal, coalesce(d.round, o.round, 1), t.units,
        coalesce(d.units_done, o.units_done, 0), coalesce(d.paid_micro, o.paid_micro, 0),
        coalesce(c.state, m.promise_state,
            case when p_part = 0 and o.generation = p_generation then o.promise_state end),
        coalesce(c.owner, m.owner,
            case when p_part = 0 and o.generation = p_generation then o.owner end), e.number, e.hash
    from (
        select f.* from tender_ledger.task f where f.shard = p_shard and f.task_id = p_task offset 0
    ) t
    left join tender_ledger.task_end d on d.shard = p_shard and d.task_id = p_task
    left join tender_ledger.open_part o on o.shard = p_shard and o.task_id = p_task and o.part = 0
    left join tender_ledger.split_part m on p_part > 0 and m.shard = p_shard and m.task_id = p_task
        and m.part = p_part and m.generation = p_generation
    left join tender_ledger.commitment c on c.shard = p_shard and c.task_id = p_task
        and c.part = p_part and c.generation = p_generation
    cross join lateral (
        select f.number, f.hash
        from (
            (
                select f.number, f.hash
                from tender_ledger.ending f
                where f.shard = p_shard and f.task_id = p_task and f.number is not null
                order by f.number desc
                limit 1
            )
            union all
            (
                select case when f.next_kind is null then f.number else f.number + 1 end,
                    coalesce(f.next_hash, f.hash)
                from tender_ledger.entry_row f
                where f.shard = p_shard and f.task_id = p_task
                order by f.number desc
                limit 1
            )
            union all
            select case when t.next_kind is null then 1 else 2 end, coalesce(t.next_hash, t.hash)
            where t.hash is not null
        ) f
        order by f.number desc
        limit 1
    ) e
    union all
    select a.task_id, a.task_id, a.state, a.reason, a.client, a.principal, a.round, a.units,
        a.units_done, a.paid_micro, null, null, null, null
    from tender_ledger.archived_task a
    where a.shard = p_shard and a.task_id = p_task and not exists (
        select from tender_ledger.task t where t.shard = p_shard and t.task_id = p_task);
end
$$;


ALTER FUNCTION tender_ledger.lookup_task(p_shard smallint, p_task uuid, p_part integer, p_generation integer) OWNER TO tender_owner;

--
-- Name: FUNCTION lookup_task(p_shard smallint, p_task uuid, p_part integer, p_generation integer); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.lookup_task(p_shard smallint, p_task uuid, p_part integer, p_generation integer) IS 'A task by its identifier, with one of its commitments and the end of its chain; none where that is in an archive.';


--
-- Name: lookup_tasks(smallint, integer[], uuid[], integer[], integer[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.lookup_tasks(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[]) RETURNS TABLE(place integer, task_id uuid, newest uuid, state smallint, reason smallint, client text, principal text, round integer, units integer, units_done integer, paid_micro bigint, commitment_state smallint, contractor text, number integer, hash bytea)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    return query
    select g.place, l.*
    from (
        select unnest(p_place) as place, unnest(p_task) as task_id, unnest(p_part) as part,
            unnest(p_generation) as generation
    ) g
    cross join lateral tender_ledger.lookup_task(p_shard, g.task_id, g.part, g.generation) l;
end
$$;


ALTER FUNCTION tender_ledger.lookup_tasks(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[]) OWNER TO tender_owner;

--
-- Name: FUNCTION lookup_tasks(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.lookup_tasks(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[]) IS 'Tasks by their identifiers; nothing for one that the ledger does not hold.';


--
-- Name: may_end(smallint, bigint); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.may_end(p_shard smallint, p_reign bigint) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select exists (
        select from tender_ledger.reign r where r.shard = p_shard and r.reign = p_reign)
$$;


ALTER FUNCTION tender_ledger.may_end(p_shard smallint, p_reign bigint) OWNER TO tender_owner;

--
-- Name: FUNCTION may_end(p_shard smallint, p_reign bigint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.may_end(p_shard smallint, p_reign bigint) IS 'Whether a broker may end other backends of the shard: it reigns.';


--
-- Name: may_speak_for(text); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.may_speak_for(p_principal text) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select p_principal = tender_ledger.caller() or tender_ledger.is_operator()
$$;


ALTER FUNCTION tender_ledger.may_speak_for(p_principal text) OWNER TO tender_owner;

--
-- Name: FUNCTION may_speak_for(p_principal text); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.may_speak_for(p_principal text) IS 'Whether who asks is the principal, or an operator.';


--
-- Name: may_take(smallint, text); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.may_take(p_shard smallint, p_broker text) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select not exists (
        select
        from tender_ledger.reign r
        where r.shard = p_shard and r.broker <> p_broker
            and tender_ledger.reign_runs(r.lease_ends_at, r.lease, r.batch <= r.first_batch, r.backend_pid))
$$;


ALTER FUNCTION tender_ledger.may_take(p_shard smallint, p_broker text) OWNER TO tender_owner;

--
-- Name: FUNCTION may_take(p_shard smallint, p_broker text); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.may_take(p_shard smallint, p_broker text) IS 'Whether a broker may take a shard: it is its own by name, or no lease runs.';


--
-- Name: move_money(smallint, text[], bigint[], bigint[], bigint[], bigint[], bigint[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.move_money(p_shard smallint, p_principal text[], p_issued_micro bigint[], p_available_micro bigint[], p_reserved_micro bigint[], p_spent_micro bigint[], p_earned_micro bigint[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    -- An update first: a proposed row would be checked by itself, and a sum may be negative.
    with given as (
        select unnest(p_principal) as principal, unnest(p_issued_micro) as issued_micro,
            unnest(p_available_micro) as available_micro, unnest(p_reserved_micro) as reserved_micro,
            unnest(p_spent_micro) as spent_micro, unnest(p_earned_micro) as earned_micro
    ), moved as (
        update tender_ledger.account a
        set issued_micro = a.issued_micro + g.issued_micro,
            available_micro = a.available_micro + g.available_micro,
            reserved_micro = a.reserved_micro + g.reserved_micro,
            spent_micro = a.spent_micro + g.spent_micro,
            earned_micro = a.earned_micro + g.earned_micro
        from given g
        cross join lateral (
            select f.ctid as place
            from tender_ledger.account f
            where f.shard = p_shard and f.principal = g.principal
            offset 0
        ) f
        where a.ctid = f.place
        returning a.principal
    )
    insert into tender_ledger.account (shard, principal, issued_micro, available_micro, reserved_micro,
        spent_micro, earned_micro)
    select p_shard, g.principal, g.issued_micro, g.available_micro, g.reserved_micro, g.spent_micro,
        g.earned_micro
    from given g
    where not exists (select from moved m where m.principal = g.principal);
end
$$;


ALTER FUNCTION tender_ledger.move_money(p_shard smallint, p_principal text[], p_issued_micro bigint[], p_available_micro bigint[], p_reserved_micro bigint[], p_spent_micro bigint[], p_earned_micro bigint[]) OWNER TO tender_owner;

--
-- Name: FUNCTION move_money(p_shard smallint, p_principal text[], p_issued_micro bigint[], p_available_micro bigint[], p_reserved_micro bigint[], p_spent_micro bigint[], p_earned_micro bigint[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.move_money(p_shard smallint, p_principal text[], p_issued_micro bigint[], p_available_micro bigint[], p_reserved_micro bigint[], p_spent_micro bigint[], p_earned_micro bigint[]) IS 'Adds to the balances of accounts; an account that is not there is made.';


--
-- Name: no_task(uuid); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.no_task(p_task uuid) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select coalesce((
        select format('task %s is archived: its record is in the archive %s', p_task, p.suffix)
        from tender_ledger.archived_task a
        join tender_ledger.partition p on a.task_id >= p.from_id and a.task_id < p.to_id
        where a.task_id = p_task and (tender_ledger.may_speak_for(a.principal)
            or tender_ledger.reads_all(tender_ledger.caller()))
        limit 1), format('there is no task %s', p_task))
$$;


ALTER FUNCTION tender_ledger.no_task(p_task uuid) OWNER TO tender_owner;

--
-- Name: FUNCTION no_task(p_task uuid); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.no_task(p_task uuid) IS 'The sentence for a task that the ledger does not hold: there is none, or it is in an archive.';


--
-- Name: note_limits(text, text[], bigint[], text[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.note_limits(p_broker text, p_names text[], p_times bigint[], p_consequences text[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    insert into tender_ledger.limit_met as l (last_at, times, broker, name, consequence)
    select clock_timestamp(), u.times, p_broker, u.name, u.consequence
    from unnest(p_names, p_times, p_consequences) u (name, times, consequence)
    on conflict on constraint limit_has_one_row do update
    set last_at = excluded.last_at, times = l.times + excluded.times,
        consequence = excluded.consequence;
$$;


ALTER FUNCTION tender_ledger.note_limits(p_broker text, p_names text[], p_times bigint[], p_consequences text[]) OWNER TO tender_owner;

--
-- Name: FUNCTION note_limits(p_broker text, p_names text[], p_times bigint[], p_consequences text[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.note_limits(p_broker text, p_names text[], p_times bigint[], p_consequences text[]) IS 'Adds how often a broker has met each limit since it last said so.';


--
-- Name: note_loss(smallint, bigint, integer, bigint, bigint, text); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.note_loss(p_shard smallint, p_reign bigint, p_mark integer, p_told bigint, p_held bigint, p_peer text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    insert into tender_ledger.loss as l (seen_at, reign, told_batch, held_batch, mark, shard, peer)
    select clock_timestamp(), p_reign, p_told, p_held, p_mark, p_shard, p_peer
    where (select count(*) from tender_ledger.loss o where o.closed_at is null) < 100
    on conflict on constraint loss_is_one_per_reign do update
    set told_batch = excluded.told_batch, peer = excluded.peer, closed_at = null, closed_by = null
    where l.told_batch < excluded.told_batch
$$;


ALTER FUNCTION tender_ledger.note_loss(p_shard smallint, p_reign bigint, p_mark integer, p_told bigint, p_held bigint, p_peer text) OWNER TO tender_owner;

--
-- Name: FUNCTION note_loss(p_shard smallint, p_reign bigint, p_mark integer, p_told bigint, p_held bigint, p_peer text); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.note_loss(p_shard smallint, p_reign bigint, p_mark integer, p_told bigint, p_held bigint, p_peer text) IS 'Somebody was told of a batch that the ledger does not hold.';


--
-- Name: note_reign(); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.note_reign() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    insert into tender_ledger.reign_begin (began_at, reign, batch, mark, shard, broker)
    values (clock_timestamp(), new.reign, new.batch,
        ('x' || left(md5(gen_random_uuid()::text), 8))::bit(32)::integer, new.shard, new.broker);
    return null;
end
$$;


ALTER FUNCTION tender_ledger.note_reign() OWNER TO tender_owner;

--
-- Name: FUNCTION note_reign(); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.note_reign() IS 'Remembers how a reign began.';


--
-- Name: open_parts(smallint, uuid[], integer[], bigint[], text[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.open_parts(p_shard smallint, p_task uuid[], p_units integer[], p_ceiling_micro bigint[], p_payer text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    insert into tender_ledger.open_part (ceiling_micro, units, round, part, shard, task_id, payer)
    select g.ceiling_micro, g.units, 1, 0, p_shard, g.task_id, g.payer
    from (
        select unnest(p_task) as task_id, unnest(p_units) as units, unnest(p_ceiling_micro) as ceiling_micro,
            unnest(p_payer) as payer
    ) g;
end
$$;


ALTER FUNCTION tender_ledger.open_parts(p_shard smallint, p_task uuid[], p_units integer[], p_ceiling_micro bigint[], p_payer text[]) OWNER TO tender_owner;

--
-- Name: FUNCTION open_parts(p_shard smallint, p_task uuid[], p_units integer[], p_ceiling_micro bigint[], p_payer text[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.open_parts(p_shard smallint, p_task uuid[], p_units integer[], p_ceiling_micro bigint[], p_payer text[]) IS 'Gives tasks of earlier batches their open part, in its first round.';


--
-- Name: task; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.task (
    announced_at timestamp with time zone NOT NULL,
    ceiling_micro bigint NOT NULL,
    units integer NOT NULL,
    shard smallint NOT NULL,
    partial smallint NOT NULL,
    task_id uuid NOT NULL,
    again uuid,
    client text NOT NULL COLLATE pg_catalog."C",
    principal text NOT NULL COLLATE pg_catalog."C",
    skill text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    next_at timestamp with time zone,
    next_kind smallint,
    hash bytea,
    next_hash bytea,
    body text COLLATE pg_catalog."C",
    next_body text COLLATE pg_catalog."C",
    content bytea,
    CONSTRAINT task_ceiling_is_not_negative CHECK ((ceiling_micro >= 0)),
    CONSTRAINT task_entry_hash_is_sha256 CHECK (((octet_length(hash) = 32) AND (octet_length(next_hash) = 32))),
    CONSTRAINT task_entry_is_at_an_instant CHECK (((next_at >= announced_at) AND (next_at < 'infinity'::timestamp with time zone))),
    CONSTRAINT task_entry_is_whole CHECK ((((hash IS NULL) = (body IS NULL)) AND (num_nonnulls(next_at, next_hash, next_body) =
CASE
    WHEN (next_kind IS NULL) THEN 0
    ELSE 3
END))),
    CONSTRAINT task_has_units CHECK ((units >= 1)),
    CONSTRAINT task_time_is_finite CHECK (isfinite(announced_at))
)
PARTITION BY RANGE (task_id);
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN announced_at SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN ceiling_micro SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN units SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN shard SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN partial SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN task_id SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN again SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN client SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN principal SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN skill SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN key SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN next_at SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN next_kind SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN hash SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN next_hash SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN next_body SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.task ALTER COLUMN content SET STORAGE EXTERNAL;


ALTER TABLE tender_ledger.task OWNER TO tender_owner;

--
-- Name: TABLE task; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.task IS 'One row per task: what was announced, with the first entry of its chain and, where that came with it, the second.';


--
-- Name: COLUMN task.announced_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.announced_at IS 'When it was announced.';


--
-- Name: COLUMN task.ceiling_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.ceiling_micro IS 'The most it may ever cost; reserved when announced.';


--
-- Name: COLUMN task.units; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.units IS 'Units to be done.';


--
-- Name: COLUMN task.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN task.partial; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.partial IS 'How short work is settled: word partial.';


--
-- Name: COLUMN task.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.task_id IS 'Identifier, ordered by time.';


--
-- Name: COLUMN task.again; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.again IS 'The ended task that it replaces under its key; each is replaced once.';


--
-- Name: COLUMN task.client; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.client IS 'Agent that announced it.';


--
-- Name: COLUMN task.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.principal IS 'Whose account pays.';


--
-- Name: COLUMN task.skill; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.skill IS 'Skill it needs.';


--
-- Name: COLUMN task.key; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.key IS 'The client''s key.';


--
-- Name: COLUMN task.next_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.next_at IS 'Stamp of the second entry, where that is in this row.';


--
-- Name: COLUMN task.next_kind; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.next_kind IS 'Its kind: word entry_kind.';


--
-- Name: COLUMN task.hash; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.hash IS 'Hash of the announcement, the first entry.';


--
-- Name: COLUMN task.next_hash; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.next_hash IS 'The same of the second entry.';


--
-- Name: COLUMN task.body; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.body IS 'The announcement, a JSON object; null where it lies in entry_row.';


--
-- Name: COLUMN task.next_body; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.next_body IS 'The same of the second entry.';


--
-- Name: COLUMN task.content; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.content IS 'Payload, whose digest the body carries.';


--
-- Name: own_task(uuid); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.own_task(p_task uuid) RETURNS tender_ledger.task
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_task tender_ledger.task;
begin
    select * into v_task from tender_ledger.task where task_id = p_task;
    if not found or not (tender_ledger.may_speak_for(v_task.principal)
            or tender_ledger.reads_all(tender_ledger.caller())) then
        raise exception using errcode = 'TN012', message = tender_ledger.no_task(p_task);
    end if;
    if not tender_ledger.may_speak_for(v_task.principal) then
        raise exception using
            errcode = 'TN011',
            message = format('task %s belongs to another principal', p_task),
            hint = 'Members of tender_owner may act on any task.';
    end if;
    return v_task;
end
$$;


ALTER FUNCTION tender_ledger.own_task(p_task uuid) OWNER TO tender_owner;

--
-- Name: FUNCTION own_task(p_task uuid); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.own_task(p_task uuid) IS 'A task of who asks, or for an operator any; an error for all others.';


--
-- Name: partition_money(uuid); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.partition_money(p_from_id uuid) RETURNS TABLE(told_by text, shard smallint, from_principal text, from_bucket text, to_principal text, to_bucket text, amount_micro bigint, movements bigint)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    with part as (
        select p.from_id, p.to_id from tender_ledger.partition p where p.from_id = p_from_id
    ), task as materialized (
        select t.shard, t.task_id, t.principal, t.ceiling_micro
        from tender_ledger.task t, part p
        where t.task_id >= p.from_id and t.task_id < p.to_id
    ), movement as (
        select 'task' as told_by, t.shard, t.principal as from_principal, 'available' as from_bucket,
            t.principal as to_principal, 'reserved' as to_bucket, t.ceiling_micro as amount_micro
        from task t
        union all
        select 'task', t.shard, t.principal, 'reserved', c.principal, 'earned', c.paid_micro
        from part p
        join tender_ledger.commitment c on c.task_id >= p.from_id and c.task_id < p.to_id
        join task t on t.shard = c.shard and t.task_id = c.task_id
        union all
        select 'task', t.shard, t.principal, 'reserved', t.principal, 'available', e.released_micro
        from part p
        join tender_ledger.task_end e on e.task_id >= p.from_id and e.task_id < p.to_id
        join task t on t.shard = e.shard and t.task_id = e.task_id
        union all
        select 'transfer', m.shard, m.from_principal, m.from_bucket, m.to_principal, m.to_bucket,
            m.amount_micro
        from part p
        join tender_ledger.transfer m on m.task_id >= p.from_id and m.task_id < p.to_id
    )
    select m.told_by, m.shard, m.from_principal, m.from_bucket, m.to_principal, m.to_bucket,
        sum(m.amount_micro)::bigint, count(*)
    from movement m
    where m.amount_micro > 0
    group by 1, 2, 3, 4, 5, 6
    order by 1, 2, 3, 4, 5, 6
$$;


ALTER FUNCTION tender_ledger.partition_money(p_from_id uuid) OWNER TO tender_owner;

--
-- Name: FUNCTION partition_money(p_from_id uuid); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.partition_money(p_from_id uuid) IS 'What moved from whom to whom by the tasks of a partition.';


--
-- Name: partition_tables(uuid); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.partition_tables(p_from_id uuid) RETURNS TABLE(parent text, name text, place text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select t.parent, t.parent || '_' || p.suffix,
        case
            when c.oid is null then 'gone'
            when i.inhrelid is null then 'detached'
            when i.inhdetachpending then 'pending'
            else 'attached'
        end
    from tender_ledger.partition p
    cross join unnest(array['task', 'ending', 'entry_row']) with ordinality t (parent, place)
    left join pg_class c on c.relname = t.parent || '_' || p.suffix
        and c.relnamespace = 'tender_ledger'::regnamespace
    left join pg_inherits i on i.inhrelid = c.oid
    where p.from_id = p_from_id
    order by t.place
$$;


ALTER FUNCTION tender_ledger.partition_tables(p_from_id uuid) OWNER TO tender_owner;

--
-- Name: FUNCTION partition_tables(p_from_id uuid); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.partition_tables(p_from_id uuid) IS 'The tables of a partition, in the order in which they are detached.';


--
-- Name: pending_requests(smallint, bigint[], integer); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.pending_requests(p_shard smallint, p_held bigint[], p_limit integer) RETURNS TABLE(request bigint, kind text, peer text, principal text, is_operator boolean, body text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select i.request, i.kind, i.peer, i.principal, i.is_operator, i.body::text
    from tender_ledger.inbox i
    where i.shard = p_shard and i.answered_at is null and i.request <> all (p_held)
    order by i.request
    limit p_limit
$$;


ALTER FUNCTION tender_ledger.pending_requests(p_shard smallint, p_held bigint[], p_limit integer) OWNER TO tender_owner;

--
-- Name: FUNCTION pending_requests(p_shard smallint, p_held bigint[], p_limit integer); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.pending_requests(p_shard smallint, p_held bigint[], p_limit integer) IS 'Requests without an answer, but for those already held.';


--
-- Name: prove_entry(smallint, uuid, integer); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.prove_entry(p_shard smallint, p_task uuid, p_number integer) RETURNS TABLE(checkpoint_at_us bigint, size bigint, checkpoint_root text, key text, signature text, number integer, at_us bigint, kind text, body text, before text, batch bigint, batch_at_us bigint, entries integer, place bigint, beside text[], leaf bigint, path text[])
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
    v_entry tender_ledger.entry;
    v_batch tender_ledger.batch;
    v_checkpoint tender_ledger.checkpoint;
    v_leaves bytea[];
    v_place bigint;
begin
    select * into v_entry
    from tender_ledger.entry e
    where e.shard = p_shard and e.task_id = p_task and e.number = coalesce(p_number, e.number)
    order by e.number desc
    limit 1;
    if not found then
        raise exception using errcode = 'TN012', message = 'the ledger has no such entry';
    end if;
    select * into v_batch
    from tender_ledger.batch_of_entry(p_shard, p_task, v_entry.number, v_entry.at);
    if not found then
        raise exception using errcode = 'TN012', message = 'the entry is in no batch';
    end if;
    select * into v_checkpoint
    from tender_ledger.checkpoint c
    where c.shard = p_shard and c.size > v_batch.leaf
    order by c.size desc
    limit 1;
    if not found then
        raise exception using
            errcode = 'TN012',
            message = 'no checkpoint covers the entry yet',
            hint = 'A broker with a key signs one every few seconds; tender ledger checkpoint does it now.';
    end if;
    select array_agg(tender_ledger.tree_leaf(e.hash) order by r.place, e.number),
        count(*) filter (where (r.task_id, e.number) = (p_task, v_entry.number)
            or r.place < v_place_of.place
            or (r.place = v_place_of.place and e.number < v_entry.number)) - 1
    into v_leaves, v_place
    from unnest(v_batch.task_ids, v_batch.numbers, v_batch.counts)
        with ordinality r (task_id, number, count, place)
    cross join (
        select f.place
        from unnest(v_batch.task_ids, v_batch.numbers, v_batch.counts)
            with ordinality f (task_id, number, count, place)
        where f.task_id = p_task and v_entry.number >= f.number
            and v_entry.number < f.number + f.count
    ) v_place_of
    cross join lateral (
        select g.number, g.hash
        from tender_ledger.entry g
        where g.shard = p_shard and g.task_id = r.task_id and g.number >= r.number
            and g.number < r.number + r.count
    ) e;
    if cardinality(v_leaves) <> v_batch.entries then
        raise exception using
            errcode = 'TN012',
            message = 'the batch has entries that are not in the ledger any more';
    end if;
    return query
    select (extract(epoch from v_checkpoint.at) * 1000000)::bigint, v_checkpoint.size,
        encode(v_checkpoint.root, 'hex'), encode(v_checkpoint.key, 'hex'),
        encode(v_checkpoint.signature, 'hex'), v_entry.number,
        (extract(epoch from v_entry.at) * 1000000)::bigint, w.name, v_entry.body,
        encode(coalesce((
            select e.hash
            from tender_ledger.entry e
            where e.shard = p_shard and e.task_id = p_task and e.number = v_entry.number - 1),
            decode(repeat('00', 32), 'hex')), 'hex'),
        v_batch.batch, (extract(epoch from v_batch.at) * 1000000)::bigint, v_batch.entries, v_place,
        tender_ledger.hashes_in_hex(tender_ledger.tree_path(v_leaves, v_place)),
        v_batch.leaf,
        tender_ledger.hashes_in_hex(
            tender_ledger.batch_path(p_shard, v_batch.leaf, 0, v_checkpoint.size))
    from tender_ledger.word w
    where w.vocabulary = 'entry_kind' and w.code = v_entry.kind;
end
$$;


ALTER FUNCTION tender_ledger.prove_entry(p_shard smallint, p_task uuid, p_number integer) OWNER TO tender_owner;

--
-- Name: FUNCTION prove_entry(p_shard smallint, p_task uuid, p_number integer); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.prove_entry(p_shard smallint, p_task uuid, p_number integer) IS 'What shows to anybody that an entry is recorded, under the newest checkpoint; TN012 where nothing can.';


--
-- Name: prove_partition(uuid, bigint, bigint, bytea, bytea, text); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.prove_partition(p_from_id uuid, p_tasks bigint, p_entries bigint, p_root bytea, p_manifest_digest bytea, p_directory text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    update tender_ledger.partition
    set state = 'exported', retired_at = clock_timestamp(), tasks = p_tasks, entries = p_entries,
        root = p_root, manifest_digest = p_manifest_digest, directory = p_directory,
        retired_by = tender_ledger.caller()
    where from_id = p_from_id and state = 'live';
    if not found then
        raise exception using errcode = 'TN004', message = 'the partition is not live';
    end if;
    insert into tender_ledger.archived_money (from_id, amount_micro, movements, shard, told_by,
        from_principal, from_bucket, to_principal, to_bucket)
    select p_from_id, m.amount_micro, m.movements, m.shard, m.told_by, m.from_principal, m.from_bucket,
        m.to_principal, m.to_bucket
    from tender_ledger.partition_money(p_from_id) m
    where m.told_by = 'task';
end
$$;


ALTER FUNCTION tender_ledger.prove_partition(p_from_id uuid, p_tasks bigint, p_entries bigint, p_root bytea, p_manifest_digest bytea, p_directory text) OWNER TO tender_owner;

--
-- Name: FUNCTION prove_partition(p_from_id uuid, p_tasks bigint, p_entries bigint, p_root bytea, p_manifest_digest bytea, p_directory text); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.prove_partition(p_from_id uuid, p_tasks bigint, p_entries bigint, p_root bytea, p_manifest_digest bytea, p_directory text) IS 'Records the proof of an archive, and what money it tells of.';


--
-- Name: read_answers(); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.read_answers() RETURNS TABLE(skill text, task_id uuid, round integer, awarded_at timestamp with time zone, contractor text, principal text, cost_micro bigint, ceiling_micro bigint, is_winner boolean, is_setter boolean, units bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    AS $$
    select t.skill, t.task_id, w.round, w.awarded_at, a.contractor, a.principal,
        case when k.place > 0 then a.cost_micro end as cost_micro, w.ceiling_micro,
        a.contractor = w.contractor as is_winner,
        a.contractor is not distinct from w.price_set_by as is_setter, w.units
    from (
        select i.shard, i.task_id, i.skill
        from (
            select s.shard, s.task_id, s.skill,
                row_number() over (partition by s.skill order by s.task_id desc) as newest
            from tender_ledger.task s
        ) i
        where i.newest <= 200
    ) t
    cross join lateral (
        select distinct on (e.body ->> 'round') (e.body ->> 'round')::integer as round, e.at as awarded_at,
            e.body ->> 'contractor' as contractor, e.body ->> 'price_set_by' as price_set_by,
            e.body -> 'ranks' as ranks,
            (o.body ->> 'ceiling_micro')::bigint as ceiling_micro, (o.body ->> 'units')::bigint as units
        from (
            select f.at, f.number, f.body::jsonb as body
            from tender_ledger.entry f
            where f.shard = t.shard and f.task_id = t.task_id and f.kind = 4
        ) e
        cross join lateral (
            select f.body::jsonb as body
            from tender_ledger.entry f
            where f.shard = t.shard and f.task_id = t.task_id and f.kind = 2
                and f.body::jsonb ->> 'round' = e.body ->> 'round'
            limit 1
        ) o
        where not e.body ? 'part'
        order by e.body ->> 'round', e.number
    ) w
    cross join lateral (
        (
            select distinct on (i.answer ->> 'contractor') (i.answer ->> 'contractor') collate "C" as contractor,
                coalesce(i.answer ->> 'root', i.answer ->> 'principal') collate "C" as principal,
                coalesce(i.answer ->> 'cost_micro', '0')::bigint as cost_micro,
                coalesce(i.answer ->> 'state', 'standing') as state
            from tender_ledger.entry f
            cross join lateral jsonb_array_elements(f.body::jsonb -> 'answers') with ordinality i (answer, place)
            where f.shard = t.shard and f.task_id = t.task_id and f.kind = 3
                and (f.body::jsonb ->> 'round')::integer = w.round
                and coalesce(i.answer ->> 'state', 'standing') <> 'ineligible'
            order by i.answer ->> 'contractor', f.number desc, i.place desc
        )
        union all
        -- Who won an earlier round of the task and did not take it stands back in this one.
        select c.owner, tender_ledger.root_of(c.shard, c.principal), 0, 'declined'
        from tender_ledger.commitment c
        where c.shard = t.shard and c.task_id = t.task_id and c.state = 6 and c.round < w.round
    ) a
    left join lateral (
        select (r.rank ->> 'rank')::integer as place
        from jsonb_array_elements(w.ranks) r (rank)
        where r.rank ->> 'contractor' = a.contractor and a.state = 'standing'
        limit 1
    ) k on true
    where w.ceiling_micro > 0 and (k.place > 0 or a.state in ('refused', 'withdrawn', 'declined'))
$$;


ALTER FUNCTION tender_ledger.read_answers() OWNER TO tender_owner;

--
-- Name: FUNCTION read_answers(); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.read_answers() IS 'Answers to rounds that were awarded, of the newest 200 tasks of each skill; with costs, so for auditors.';


--
-- Name: reads_all(text); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.reads_all(p_role text) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select pg_has_role(p_role, 'tender_reader', 'member') or pg_has_role(p_role, 'tender_auditor', 'member')
        or pg_has_role(p_role, 'tender_owner', 'member')
$$;


ALTER FUNCTION tender_ledger.reads_all(p_role text) OWNER TO tender_owner;

--
-- Name: FUNCTION reads_all(p_role text); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.reads_all(p_role text) IS 'Whether a role reads the rows of all principals; who does not reads those of the principal it is named like.';


--
-- Name: recall_after(smallint); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.recall_after(p_shard smallint) RETURNS TABLE(task_id uuid, after_id uuid, state smallint, reason smallint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select p.task_id, a.after_id, d.state, d.reason
    from (
        select f.task_id
        from tender_ledger.open_part f
        where f.shard = p_shard and f.part = 0 and f.state = 1
    ) p
    cross join lateral (
        select f.after_id
        from tender_ledger.task_after f
        where f.shard = p_shard and f.task_id = p.task_id
        offset 0
    ) a
    cross join lateral (
        select f.state, f.reason
        from tender_ledger.task_end f
        where f.shard = p_shard and f.task_id = a.after_id
        offset 0
    ) d
$$;


ALTER FUNCTION tender_ledger.recall_after(p_shard smallint) OWNER TO tender_owner;

--
-- Name: FUNCTION recall_after(p_shard smallint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.recall_after(p_shard smallint) IS 'How the ended tasks ended that blocked tasks wait for.';


--
-- Name: recall_balances(smallint); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.recall_balances(p_shard smallint) RETURNS TABLE(principal text, available_micro bigint, reserved_micro bigint, spent_micro bigint, earned_micro bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select a.principal, a.available_micro, a.reserved_micro, a.spent_micro, a.earned_micro
    from tender_ledger.account a
    where a.shard = p_shard
        and (a.available_micro, a.reserved_micro, a.spent_micro, a.earned_micro) <> (0, 0, 0, 0)
    order by a.principal
$$;


ALTER FUNCTION tender_ledger.recall_balances(p_shard smallint) OWNER TO tender_owner;

--
-- Name: FUNCTION recall_balances(p_shard smallint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.recall_balances(p_shard smallint) IS 'Balances of every account that holds or moved anything; a broker keeps no others.';


--
-- Name: recall_head(smallint, uuid); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.recall_head(p_shard smallint, p_task uuid) RETURNS TABLE(number integer, hash bytea)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select case when r.next_kind is null then r.number else r.number + 1 end,
        coalesce(r.next_hash, r.hash)
    from tender_ledger.entry_row r
    where r.shard = p_shard and r.task_id = p_task
    order by r.number desc
    limit 1
$$;


ALTER FUNCTION tender_ledger.recall_head(p_shard smallint, p_task uuid) OWNER TO tender_owner;

--
-- Name: FUNCTION recall_head(p_shard smallint, p_task uuid); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.recall_head(p_shard smallint, p_task uuid) IS 'The end of the chain of the house.';


--
-- Name: recall_house(smallint); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.recall_house(p_shard smallint) RETURNS TABLE(task_id uuid, number integer, at timestamp with time zone, kind smallint, body text, content bytea, hash bytea)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select e.task_id, e.number, e.at, e.kind, e.body, e.content, e.hash
    from (
        select c.number
        from tender_ledger.contractor c
        where c.shard = p_shard and c.departed_at is null
        union
        select r.number
        from tender_ledger.recess r
        where r.shard = p_shard and r.until_at >= (
            select t.announced_at
            from (
                select p.task_id
                from tender_ledger.open_part p
                where p.shard = p_shard
                order by p.task_id
                limit 1
            ) p
            join tender_ledger.task t on t.shard = p_shard and t.task_id = p.task_id)
        union
        select f.number
        from tender_ledger.house_fact f
        where f.shard = p_shard
    ) n
    cross join lateral (
        select f.*
        from (
            select r.*
            from tender_ledger.entry_row r
            where r.shard = p_shard and r.task_id = '00000000-0000-0000-0000-000000000000'
                and r.number between n.number - 1 and n.number
            offset 0
        ) r
        cross join lateral (
            values (r.task_id, r.number, r.at, r.kind, r.body, r.content, r.hash),
                (r.task_id, r.number + 1, r.next_at, r.next_kind, r.next_body, r.next_content,
                    r.next_hash)
        ) f (task_id, number, at, kind, body, content, hash)
        where f.number = n.number and f.kind is not null
    ) e
    order by e.number
$$;


ALTER FUNCTION tender_ledger.recall_house(p_shard smallint) OWNER TO tender_owner;

--
-- Name: FUNCTION recall_house(p_shard smallint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.recall_house(p_shard smallint) IS 'Entries of the house that a broker needs, in order.';


--
-- Name: recall_keys(smallint, bigint); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.recall_keys(p_shard smallint, p_limit bigint) RETURNS TABLE(principal text, key text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select t.principal, t.key
    from tender_ledger.task_key t
    where t.shard = p_shard
    limit p_limit
$$;


ALTER FUNCTION tender_ledger.recall_keys(p_shard smallint, p_limit bigint) OWNER TO tender_owner;

--
-- Name: FUNCTION recall_keys(p_shard smallint, p_limit bigint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.recall_keys(p_shard smallint, p_limit bigint) IS 'Keys of tasks, ended ones too, up to a limit.';


--
-- Name: recall_records(smallint); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.recall_records(p_shard smallint) RETURNS TABLE(principal text, ended integer, fulfilled integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select c.principal, count(*)::integer, count(*) filter (where c.state = 3)::integer
    from tender_ledger.last_commitments(p_shard, clock_timestamp() - interval '30 days') c
    where c.state <> 7
    group by c.principal
    order by c.principal
$$;


ALTER FUNCTION tender_ledger.recall_records(p_shard smallint) OWNER TO tender_owner;

--
-- Name: FUNCTION recall_records(p_shard smallint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.recall_records(p_shard smallint) IS 'Commitments of each principal that ended in the last 30 days, withdrawn ones aside, and those it kept.';


--
-- Name: recall_reigns(smallint, integer); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.recall_reigns(p_shard smallint, p_limit integer) RETURNS TABLE(reign bigint, mark integer, batch bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select b.reign, b.mark, b.batch
    from tender_ledger.reign_begin b
    where b.shard = p_shard
    order by b.reign desc
    limit p_limit
$$;


ALTER FUNCTION tender_ledger.recall_reigns(p_shard smallint, p_limit integer) OWNER TO tender_owner;

--
-- Name: FUNCTION recall_reigns(p_shard smallint, p_limit integer); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.recall_reigns(p_shard smallint, p_limit integer) IS 'The newest reigns, the present one first, with the batch that each began behind.';


--
-- Name: recall_strikes(smallint); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.recall_strikes(p_shard smallint) RETURNS TABLE(contractor text, skill text, client text, at timestamp with time zone, kept integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    with recent as materialized (
        select c.task_id, c.owner, c.principal, c.state, c.ended_at, c.part, c.generation
        from tender_ledger.last_commitments(p_shard, clock_timestamp() - interval '24 hours') c
    ),
    excluded as (
        select c.task_id, min(c.owner) as owner, min(c.root) as root
        from (
            select r.*, tender_ledger.root_of(p_shard, r.principal) as root
            from recent r
        ) c
        where c.state in (4, 5, 6) and exists (
            select
            from tender_ledger.entry e
            where e.shard = p_shard and e.task_id = c.task_id and e.kind = 8
                and (e.body::jsonb ->> 'excluded') = '1'
                and (e.body::jsonb ->> 'generation')::integer = c.generation
                and coalesce((e.body::jsonb ->> 'part')::integer, 0) = c.part)
        group by c.task_id
        having count(distinct c.root) = 1
    ),
    strike as (
        select x.owner as contractor, t.skill, t.principal as client, max(d.ended_at) as at
        from excluded x
        join tender_ledger.task t on t.shard = p_shard and t.task_id = x.task_id
        join tender_ledger.task_end d on d.shard = p_shard and d.task_id = x.task_id and d.state = 6
        left join tender_ledger.fact f
            on f.shard = p_shard and f.kind = 27 and f.subject = x.owner || '  ' || t.skill
        where d.ended_at > clock_timestamp() - interval '24 hours'
            and d.ended_at > coalesce(f.at, '-infinity')
            and exists (
                select
                from tender_ledger.commitment k
                where k.shard = p_shard and k.task_id = x.task_id and k.state = 3
                    and tender_ledger.root_of(p_shard, k.principal) <> x.root)
        group by x.owner, t.skill, t.principal
    )
    select s.contractor, s.skill, s.client, s.at, (
        select count(*)
        from recent r
        join tender_ledger.task t on t.shard = p_shard and t.task_id = r.task_id
        where r.owner = s.contractor and r.state = 3 and r.ended_at > s.at and t.skill = s.skill
    )::integer
    from strike s
    order by s.at, s.contractor, s.skill, s.client
$$;


ALTER FUNCTION tender_ledger.recall_strikes(p_shard smallint) OWNER TO tender_owner;

--
-- Name: FUNCTION recall_strikes(p_shard smallint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.recall_strikes(p_shard smallint) IS 'Failures of the last day that count towards the quarantine of a contractor on a skill, and the commitments that it kept since each.';


--
-- Name: recall_tasks(smallint, uuid, integer); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.recall_tasks(p_shard smallint, p_after uuid, p_limit integer) RETURNS TABLE(task_id uuid, number integer, at timestamp with time zone, kind smallint, body text, content bytea, hash bytea)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
    v_tasks uuid[] := array(
        select p.task_id
        from tender_ledger.open_part p
        where p.shard = p_shard and p.task_id > p_after and p.part = 0
        order by p.task_id
        limit p_limit);
    v_first uuid := v_tasks[1];
    v_last uuid := v_tasks[cardinality(v_tasks)];
begin
    return query
    select e.task_id, e.number, e.at, e.kind, e.body, e.content, e.hash
    from tender_ledger.entry e
    where e.shard = p_shard and e.task_id between v_first and v_last and e.task_id = any (v_tasks)
    order by e.task_id, e.number;
end
$$;


ALTER FUNCTION tender_ledger.recall_tasks(p_shard smallint, p_after uuid, p_limit integer) OWNER TO tender_owner;

--
-- Name: FUNCTION recall_tasks(p_shard smallint, p_after uuid, p_limit integer); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.recall_tasks(p_shard smallint, p_after uuid, p_limit integer) IS 'All entries of the next tasks that have not ended, task by task.';


--
-- Name: recall_tree(smallint); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.recall_tree(p_shard smallint) RETURNS TABLE(size bigint, leaves bigint, peak bytea)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_size bigint;
begin
    insert into tender_ledger.tree (since_at, shard)
    select coalesce(r.stamp_at, '-infinity'), r.shard
    from tender_ledger.reign r
    where r.shard = p_shard
    on conflict on constraint tree_is_one_per_shard do nothing;
    select b.leaf + 1 into v_size
    from tender_ledger.batch b
    where b.shard = p_shard
    order by b.leaf desc
    limit 1;
    return query
    select v_size, 1::bigint << n.level, f.peak
    from generate_series(62, 0, -1) n (level)
    cross join lateral (
        select b.peak
        from tender_ledger.batch b
        where b.shard = p_shard and b.leaf = (v_size >> n.level << n.level) - 1
        offset 0
    ) f
    where v_size >> n.level & 1 = 1;
end
$$;


ALTER FUNCTION tender_ledger.recall_tree(p_shard smallint) OWNER TO tender_owner;

--
-- Name: FUNCTION recall_tree(p_shard smallint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.recall_tree(p_shard smallint) IS 'The whole subtrees that the tree of a shard is made of, the largest first; none while it is empty.';


--
-- Name: refuse_change(); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    raise exception using
        errcode = 'TN005',
        message = format('%s is append-only', tg_table_name),
        hint = 'Facts are corrected by further facts.';
end
$$;


ALTER FUNCTION tender_ledger.refuse_change() OWNER TO tender_owner;

--
-- Name: FUNCTION refuse_change(); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.refuse_change() IS 'Trigger: refuses whatever it is fired for.';


--
-- Name: refuse_loss(); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.refuse_loss() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if exists (
        select
        from gone g
        where not exists (
            select
            from tender_ledger.partition p
            where p.state in ('detached', 'archived') and g.task_id >= p.from_id
                and g.task_id < p.to_id)) then
        raise exception using
            errcode = 'TN005',
            message = format('%s is append-only', tg_table_name),
            hint = 'What is over leaves by tender ledger archive.';
    end if;
    return null;
end
$$;


ALTER FUNCTION tender_ledger.refuse_loss() OWNER TO tender_owner;

--
-- Name: FUNCTION refuse_loss(); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.refuse_loss() IS 'Trigger: refuses to delete rows of tasks that are in no archive.';


--
-- Name: reign_runs(timestamp with time zone, interval, boolean, integer); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.reign_runs(p_ends_at timestamp with time zone, p_lease interval, p_is_begin boolean, p_backend integer) RETURNS boolean
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select tender_ledger.lease_runs(p_ends_at, p_lease) and not (
        p_is_begin and p_backend is not null and not exists (
            select from pg_stat_get_activity(p_backend)))
$$;


ALTER FUNCTION tender_ledger.reign_runs(p_ends_at timestamp with time zone, p_lease interval, p_is_begin boolean, p_backend integer) OWNER TO tender_owner;

--
-- Name: FUNCTION reign_runs(p_ends_at timestamp with time zone, p_lease interval, p_is_begin boolean, p_backend integer); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.reign_runs(p_ends_at timestamp with time zone, p_lease interval, p_is_begin boolean, p_backend integer) IS 'Whether a shard is still a broker''s: its lease runs, and while it recalls its backend is there.';


--
-- Name: release_reign(smallint, bigint); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.release_reign(p_shard smallint, p_reign bigint) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    update tender_ledger.reign
    set lease_ends_at = least(lease_ends_at, clock_timestamp())
    where shard = p_shard and reign = p_reign
$$;


ALTER FUNCTION tender_ledger.release_reign(p_shard smallint, p_reign bigint) OWNER TO tender_owner;

--
-- Name: FUNCTION release_reign(p_shard smallint, p_reign bigint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.release_reign(p_shard smallint, p_reign bigint) IS 'The reigning broker gives the shard back; one that no longer reigns changes nothing.';


--
-- Name: remember_tasks(smallint, uuid, uuid); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.remember_tasks(p_shard smallint, p_from_id uuid, p_to_id uuid) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    insert into tender_ledger.archived_task (ended_at, paid_micro, units, units_done, round, shard,
        state, reason, task_id, again, client, principal, key)
    select e.ended_at, e.paid_micro, e.units, e.units_done, e.round, e.shard, e.state, e.reason,
        e.task_id, t.again, t.client, t.principal, t.key
    from tender_ledger.task t
    join tender_ledger.task_end e on e.shard = t.shard and e.task_id = t.task_id
    where t.shard = p_shard and t.task_id >= p_from_id and t.task_id < p_to_id
        and e.task_id >= p_from_id and e.task_id < p_to_id
    on conflict do nothing
$$;


ALTER FUNCTION tender_ledger.remember_tasks(p_shard smallint, p_from_id uuid, p_to_id uuid) OWNER TO tender_owner;

--
-- Name: FUNCTION remember_tasks(p_shard smallint, p_from_id uuid, p_to_id uuid); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.remember_tasks(p_shard smallint, p_from_id uuid, p_to_id uuid) IS 'Keeps how the ended tasks of a range ended.';


--
-- Name: renew_reign(smallint, bigint, interval); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.renew_reign(p_shard smallint, p_reign bigint, p_lease interval) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    update tender_ledger.reign
    set lease_ends_at = clock_timestamp() + p_lease
    where shard = p_shard and reign = p_reign;
    if not found then
        raise exception using errcode = 'TN001', message = 'another broker reigns';
    end if;
end
$$;


ALTER FUNCTION tender_ledger.renew_reign(p_shard smallint, p_reign bigint, p_lease interval) OWNER TO tender_owner;

--
-- Name: FUNCTION renew_reign(p_shard smallint, p_reign bigint, p_lease interval); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.renew_reign(p_shard smallint, p_reign bigint, p_lease interval) IS 'The reigning broker keeps the shard for so long without a batch; TN001 where it no longer reigns.';


--
-- Name: resume_reign(smallint, bigint); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.resume_reign(p_shard smallint, p_reign bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS $$
begin
    perform pg_try_advisory_lock(1413828420, p_shard);
    update tender_ledger.reign
    set backend_pid = pg_backend_pid()
    where shard = p_shard and reign = p_reign;
    if not found then
        raise exception using errcode = 'TN001', message = 'another broker reigns';
    end if;
end
$$;


ALTER FUNCTION tender_ledger.resume_reign(p_shard smallint, p_reign bigint) OWNER TO tender_owner;

--
-- Name: FUNCTION resume_reign(p_shard smallint, p_reign bigint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.resume_reign(p_shard smallint, p_reign bigint) IS 'The reigning broker goes on through another backend; TN001 where it no longer reigns.';


--
-- Name: root_of(smallint, text); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.root_of(p_shard smallint, p_principal text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    with recursive line as (
        select p_principal as principal, 0 as depth
        union all
        select f.body ->> 'parent', l.depth + 1
        from line l
        join tender_ledger.fact f on f.shard = p_shard and f.kind = 29 and f.subject = l.principal
        where f.body ->> 'parent' <> '' and l.depth < 64
    )
    select l.principal
    from line l
    order by l.depth desc
    limit 1
$$;


ALTER FUNCTION tender_ledger.root_of(p_shard smallint, p_principal text) OWNER TO tender_owner;

--
-- Name: FUNCTION root_of(p_shard smallint, p_principal text); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.root_of(p_shard smallint, p_principal text) IS 'The root of the principals below which it is enrolled: itself where it is below none.';


--
-- Name: schema_version(); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.schema_version() RETURNS TABLE(version integer, routines text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select max(m.version), max(m.checksum) filter (where m.version = 0)
    from tender_ledger.migration m
$$;


ALTER FUNCTION tender_ledger.schema_version() OWNER TO tender_owner;

--
-- Name: FUNCTION schema_version(); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.schema_version() IS 'Number of the last migration, and the checksum of functions and views.';


--
-- Name: seal_partition(uuid); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.seal_partition(p_from_id uuid) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
    v_part tender_ledger.partition;
    v_tasks bigint;
    v_entries bigint;
    v_table text;
begin
    select * into v_part from tender_ledger.partition where from_id = p_from_id and state = 'exported';
    execute format('select (select count(*) from tender_ledger.%1$I), '
        '(select count(hash) + count(next_hash) from tender_ledger.%1$I) '
        '+ (select count(number) from tender_ledger.%2$I) '
        '+ (select count(*) + count(next_kind) from tender_ledger.%3$I)',
        'task_' || v_part.suffix, 'ending_' || v_part.suffix, 'entry_row_' || v_part.suffix)
    into v_tasks, v_entries;
    if v_tasks = v_part.tasks and v_entries = v_part.entries then
        update tender_ledger.partition set state = 'detached' where from_id = p_from_id;
        return true;
    end if;
    -- A task was added to while its partition was being written: it goes back and is tried again.
    foreach v_table in array array['entry_row', 'ending', 'task'] loop
        execute format('alter table tender_ledger.%I attach partition tender_ledger.%I '
            'for values from (%L) to (%L)', v_table, v_table || '_' || v_part.suffix,
            v_part.from_id, v_part.to_id);
    end loop;
    delete from tender_ledger.archived_money where from_id = p_from_id;
    update tender_ledger.partition
    set state = 'live', retired_at = null, tasks = null, entries = null, root = null,
        manifest_digest = null, directory = null, retired_by = null
    where from_id = p_from_id;
    return false;
end
$_$;


ALTER FUNCTION tender_ledger.seal_partition(p_from_id uuid) OWNER TO tender_owner;

--
-- Name: FUNCTION seal_partition(p_from_id uuid); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.seal_partition(p_from_id uuid) IS 'Compares detached tables with their archive; false: they hold more, and were put back.';


--
-- Name: set_resources(smallint, text[], text[], integer[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.set_resources(p_shard smallint, p_resource text[], p_contractor text[], p_count integer[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    delete from tender_ledger.resource r
    using unnest(p_resource, p_contractor, p_count) g (resource, contractor, count)
    where g.count = 0 and r.shard = p_shard and r.resource = g.resource
        and r.contractor = g.contractor;
    insert into tender_ledger.resource as r (shard, resource, contractor, count)
    select p_shard, g.resource, g.contractor, g.count
    from unnest(p_resource, p_contractor, p_count) g (resource, contractor, count)
    where g.count <> 0
    on conflict on constraint resource_has_one_row do update set count = excluded.count;
end
$$;


ALTER FUNCTION tender_ledger.set_resources(p_shard smallint, p_resource text[], p_contractor text[], p_count integer[]) OWNER TO tender_owner;

--
-- Name: FUNCTION set_resources(p_shard smallint, p_resource text[], p_contractor text[], p_count integer[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.set_resources(p_shard smallint, p_resource text[], p_contractor text[], p_count integer[]) IS 'Sets how many there are of counted names; 0 counts a name no more.';


--
-- Name: set_shards(integer); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.set_shards(p_shards integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if p_shards = tender_ledger.shard_count() then
        return;
    end if;
    if exists (select from tender_ledger.reign) or exists (select from tender_ledger.inbox) then
        raise exception using
            errcode = 'TN005',
            message = format('the ledger has %s shards: their number is fixed once a broker has reigned',
                tender_ledger.shard_count());
    end if;
    perform tender_ledger.check_range('shards', p_shards, 1, 64);
    update tender_ledger.ledger set shards = p_shards;
end
$$;


ALTER FUNCTION tender_ledger.set_shards(p_shards integer) OWNER TO tender_owner;

--
-- Name: FUNCTION set_shards(p_shards integer); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.set_shards(p_shards integer) IS 'Says how many shards a new ledger has; TN005 once a broker has reigned.';


--
-- Name: shard_count(); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.shard_count() RETURNS smallint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select l.shards from tender_ledger.ledger l
$$;


ALTER FUNCTION tender_ledger.shard_count() OWNER TO tender_owner;

--
-- Name: FUNCTION shard_count(); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.shard_count() IS 'How many shards the ledger has.';


--
-- Name: shard_of_principal(text); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.shard_of_principal(p_principal text) RETURNS smallint
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select (mod(
        ('x' || encode(substr(h.hash, 1, 4), 'hex'))::bit(32)::bigint::numeric * 4294967296
            + ('x' || encode(substr(h.hash, 5, 4), 'hex'))::bit(32)::bigint,
        tender_ledger.shard_count()))::smallint
    from (select sha256(convert_to('tender/shard/v1' || p_principal, 'UTF8')) as hash) h
$$;


ALTER FUNCTION tender_ledger.shard_of_principal(p_principal text) OWNER TO tender_owner;

--
-- Name: FUNCTION shard_of_principal(p_principal text); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.shard_of_principal(p_principal text) IS 'The shard of an account.';


--
-- Name: shard_of_task(uuid); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.shard_of_task(p_task uuid) RETURNS smallint
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select (get_byte(uuid_send(p_task), 15) % tender_ledger.shard_count())::smallint
$$;


ALTER FUNCTION tender_ledger.shard_of_task(p_task uuid) OWNER TO tender_owner;

--
-- Name: FUNCTION shard_of_task(p_task uuid); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.shard_of_task(p_task uuid) IS 'The shard of a task.';


--
-- Name: spend(smallint, text[], bigint[], bigint[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.spend(p_shard smallint, p_payer text[], p_paid_micro bigint[], p_released_micro bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_count bigint;
begin
    update tender_ledger.account a
    set available_micro = a.available_micro + g.released_micro,
        reserved_micro = a.reserved_micro - g.paid_micro - g.released_micro,
        spent_micro = a.spent_micro + g.paid_micro
    from (
        select unnest(p_payer) as payer, unnest(p_paid_micro) as paid_micro,
            unnest(p_released_micro) as released_micro
    ) g
    cross join lateral (
        select f.ctid as place
        from tender_ledger.account f
        where f.shard = p_shard and f.principal = g.payer
        offset 0
    ) f
    where a.ctid = f.place;
    get diagnostics v_count = row_count;
    if v_count <> coalesce(cardinality(p_payer), 0) then
        raise exception using errcode = 'TN004', message = 'a payer has no account';
    end if;
end
$$;


ALTER FUNCTION tender_ledger.spend(p_shard smallint, p_payer text[], p_paid_micro bigint[], p_released_micro bigint[]) OWNER TO tender_owner;

--
-- Name: FUNCTION spend(p_shard smallint, p_payer text[], p_paid_micro bigint[], p_released_micro bigint[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.spend(p_shard smallint, p_payer text[], p_paid_micro bigint[], p_released_micro bigint[]) IS 'Moves reserved money to spent and available.';


--
-- Name: sweep_partition(uuid, smallint, integer); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.sweep_partition(p_from_id uuid, p_shard smallint, p_limit integer) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
    v_to_id uuid := (select p.to_id from tender_ledger.partition p where p.from_id = p_from_id);
    v_table text;
    v_count bigint;
    v_total bigint := 0;
begin
    with gone as (
        delete from tender_ledger.transfer m
        where m.ctid = any (array(
            select f.ctid
            from tender_ledger.transfer f
            where f.shard = p_shard and f.task_id >= p_from_id and f.task_id < v_to_id
            limit p_limit))
        returning m.*
    )
    insert into tender_ledger.archived_money as a (from_id, amount_micro, movements, shard, told_by,
        from_principal, from_bucket, to_principal, to_bucket)
    select p_from_id, sum(g.amount_micro), count(*), p_shard, 'transfer', g.from_principal,
        g.from_bucket, g.to_principal, g.to_bucket
    from gone g
    group by g.from_principal, g.from_bucket, g.to_principal, g.to_bucket
    on conflict on constraint archived_money_is_one_per_way do update
    set amount_micro = a.amount_micro + excluded.amount_micro,
        movements = a.movements + excluded.movements;
    get diagnostics v_total = row_count;
    foreach v_table in array array['posted', 'task_need', 'task_goal', 'task_after', 'delivery',
        'adoption', 'measured']
    loop
        execute format('delete from tender_ledger.%1$I m where m.ctid = any (array(select f.ctid '
            'from tender_ledger.%1$I f where f.shard = $1 and f.task_id >= $2 and f.task_id < $3 '
            'limit $4))', v_table)
        using p_shard, p_from_id, v_to_id, p_limit;
        get diagnostics v_count = row_count;
        v_total := v_total + v_count;
    end loop;
    return v_total;
end
$_$;


ALTER FUNCTION tender_ledger.sweep_partition(p_from_id uuid, p_shard smallint, p_limit integer) OWNER TO tender_owner;

--
-- Name: FUNCTION sweep_partition(p_from_id uuid, p_shard smallint, p_limit integer); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.sweep_partition(p_from_id uuid, p_shard smallint, p_limit integer) IS 'Deletes some of the rows that lie beside archived tasks; 0 when none are left.';


--
-- Name: take_reign(smallint, text, text, interval, interval); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.take_reign(p_shard smallint, p_broker text, p_urls text, p_lease interval, p_first interval) RETURNS TABLE(reign bigint, batch bigint, stamp_at timestamp with time zone, clock_at timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS $$
begin
    insert into tender_ledger.reign as r
        (shard, reign, batch, broker, backend_pid, urls, lease, lease_ends_at, first_batch)
    values (p_shard, 1, 0, p_broker, pg_backend_pid(), p_urls, p_lease, clock_timestamp() + p_first, 1)
    on conflict on constraint reign_is_one_per_shard do update
    set reign = r.reign + 1, broker = excluded.broker, backend_pid = pg_backend_pid(), urls = excluded.urls,
        lease = excluded.lease, lease_ends_at = excluded.lease_ends_at, first_batch = r.batch + 1
    where r.broker = excluded.broker or not tender_ledger.reign_runs(
        r.lease_ends_at, r.lease, r.batch <= r.first_batch, r.backend_pid);
    if not found then
        return;
    end if;
    insert into tender_ledger.open_part (ceiling_micro, units, round, part, shard, task_id, payer)
    select f.ceiling_micro, f.units, 1, 0, f.shard, f.task_id, f.payer
    from tender_ledger.fresh_part f
    where f.shard = p_shard;
    delete from tender_ledger.house_fact f
    where f.shard = p_shard and f.kind = 28 and not exists (
        select
        from tender_ledger.task_goal g
        join tender_ledger.open_part p on p.shard = g.shard and p.task_id = g.task_id and p.part = 0
        where g.shard = f.shard and g.principal = split_part(f.subject, ' ', 1)
            and g.goal = split_part(f.subject, ' ', 2));
    delete from tender_ledger.house_fact f
    using tender_ledger.fact e
    where f.shard = p_shard and f.kind = 27 and e.shard = p_shard and e.kind = 27
        and e.subject = f.subject and coalesce((e.body ->> 'until_us')::bigint, 0) = 0
        and e.at < clock_timestamp() - interval '24 hours';
    return query
    select r.reign, r.batch, r.stamp_at, clock_timestamp()
    from tender_ledger.reign r
    where r.shard = p_shard;
end
$$;


ALTER FUNCTION tender_ledger.take_reign(p_shard smallint, p_broker text, p_urls text, p_lease interval, p_first interval) OWNER TO tender_owner;

--
-- Name: FUNCTION take_reign(p_shard smallint, p_broker text, p_urls text, p_lease interval, p_first interval); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.take_reign(p_shard smallint, p_broker text, p_urls text, p_lease interval, p_first interval) IS 'Begins a new reign over a shard, with a first lease, and fences every earlier broker off; no row while the lease of another broker runs.';


--
-- Name: to_micro(text, numeric, numeric); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.to_micro(p_field text, p_credits numeric, p_minimum numeric) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if p_credits is null or p_credits = 'NaN' or p_credits < p_minimum
        or p_credits > 1000000000000 or p_credits <> round(p_credits, 6) then
        raise exception using
            errcode = 'TN010',
            message = format('%s is %s: it must be a number of credits from %s to 1000000000000 '
                'with at most six decimals',
                p_field, coalesce(p_credits::text, 'null'), p_minimum);
    end if;
    return (p_credits * 1000000)::bigint;
end
$$;


ALTER FUNCTION tender_ledger.to_micro(p_field text, p_credits numeric, p_minimum numeric) OWNER TO tender_owner;

--
-- Name: FUNCTION to_micro(p_field text, p_credits numeric, p_minimum numeric); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.to_micro(p_field text, p_credits numeric, p_minimum numeric) IS 'Micro-credits of an amount in credits.';


--
-- Name: to_us(text, interval, bigint); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.to_us(p_field text, p_duration interval, p_minimum bigint) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_us numeric := extract(epoch from p_duration) * 1000000;
begin
    if v_us < p_minimum or v_us > 316224000000000
        or extract(month from p_duration) <> 0 or extract(year from p_duration) <> 0 then
        raise exception using
            errcode = 'TN010',
            message = format('%s is %s: it must be a duration from %s to 3660 days, without months',
                p_field, p_duration, p_minimum * interval '1 microsecond');
    end if;
    return v_us::bigint;
end
$$;


ALTER FUNCTION tender_ledger.to_us(p_field text, p_duration interval, p_minimum bigint) OWNER TO tender_owner;

--
-- Name: FUNCTION to_us(p_field text, p_duration interval, p_minimum bigint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.to_us(p_field text, p_duration interval, p_minimum bigint) IS 'Microseconds of a duration; null stays null.';


--
-- Name: tree_leaf(bytea); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.tree_leaf(p_data bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select sha256('\x00'::bytea || p_data)
$$;


ALTER FUNCTION tender_ledger.tree_leaf(p_data bytea) OWNER TO tender_owner;

--
-- Name: FUNCTION tree_leaf(p_data bytea); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.tree_leaf(p_data bytea) IS 'The hash of a leaf that stands for some bytes.';


--
-- Name: tree_path(bytea[], bigint); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.tree_path(p_leaves bytea[], p_place bigint) RETURNS bytea[]
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_count bigint := cardinality(p_leaves);
    v_split bigint := tender_ledger.tree_split(v_count);
begin
    if v_count <= 1 then
        return '{}';
    elsif p_place < v_split then
        return tender_ledger.tree_path(p_leaves[:v_split], p_place)
            || tender_ledger.tree_root(p_leaves[v_split + 1:]);
    end if;
    return tender_ledger.tree_path(p_leaves[v_split + 1:], p_place - v_split)
        || tender_ledger.tree_root(p_leaves[:v_split]);
end
$$;


ALTER FUNCTION tender_ledger.tree_path(p_leaves bytea[], p_place bigint) OWNER TO tender_owner;

--
-- Name: FUNCTION tree_path(p_leaves bytea[], p_place bigint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.tree_path(p_leaves bytea[], p_place bigint) IS 'What stands beside a leaf on its way up, from below.';


--
-- Name: tree_root(bytea[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.tree_root(p_leaves bytea[]) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_nodes bytea[] := p_leaves;
begin
    while cardinality(v_nodes) > 1 loop
        v_nodes := array(
            select coalesce(sha256('\x01'::bytea || n.node || n.beside), n.node)
            from (
                select u.node, u.place, lead(u.node) over (order by u.place) as beside
                from unnest(v_nodes) with ordinality u (node, place)
            ) n
            where n.place % 2 = 1
            order by n.place);
    end loop;
    return coalesce(v_nodes[1], sha256(''));
end
$$;


ALTER FUNCTION tender_ledger.tree_root(p_leaves bytea[]) OWNER TO tender_owner;

--
-- Name: FUNCTION tree_root(p_leaves bytea[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.tree_root(p_leaves bytea[]) IS 'The root over some leaves, given by their hashes.';


--
-- Name: tree_split(bigint); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.tree_split(p_count bigint) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_split bigint := 1;
begin
    while v_split * 2 < p_count loop
        v_split := v_split * 2;
    end loop;
    return v_split;
end
$$;


ALTER FUNCTION tender_ledger.tree_split(p_count bigint) OWNER TO tender_owner;

--
-- Name: FUNCTION tree_split(p_count bigint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.tree_split(p_count bigint) IS 'How many leaves are on the left of a root.';


--
-- Name: watch_reigns(text, text, interval); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.watch_reigns(p_broker text, p_urls text, p_lease interval) RETURNS TABLE(shard smallint, reign bigint, broker text, urls text, is_free boolean, brokers integer, lower_brokers integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if not exists (
        select
        from tender_ledger.broker b
        where b.broker = p_broker and b.urls = p_urls and b.backend_pid = pg_backend_pid()
            and b.gone_at between clock_timestamp() + p_lease / 2 and clock_timestamp() + p_lease)
    then
        insert into tender_ledger.broker as b (broker, urls, gone_at, backend_pid)
        values (p_broker, p_urls, clock_timestamp() + p_lease, pg_backend_pid())
        on conflict on constraint broker_has_one_row do update
        set urls = excluded.urls, gone_at = excluded.gone_at, backend_pid = excluded.backend_pid;
    end if;
    return query
    select s.shard, coalesce(r.reign, 0), coalesce(r.broker, ''), coalesce(r.urls, ''),
        coalesce(not tender_ledger.reign_runs(r.lease_ends_at, r.lease, r.batch <= r.first_batch,
            r.backend_pid), true), l.brokers, l.lower_brokers
    from (
        select count(*)::integer as brokers,
            (count(*) filter (where n.name collate "C" < p_broker collate "C"))::integer as lower_brokers
        from (
            select b.broker as name
            from tender_ledger.broker b
            where tender_ledger.broker_lives(b.gone_at, b.backend_pid)
            union
            select h.broker
            from tender_ledger.reign h
            where tender_ledger.reign_runs(h.lease_ends_at, h.lease, h.batch <= h.first_batch,
                h.backend_pid)
        ) n
    ) l
    cross join (
        select g.shard::smallint as shard
        from generate_series(0, tender_ledger.shard_count() - 1) g (shard)
    ) s
    left join tender_ledger.reign r on r.shard = s.shard
    order by s.shard;
end
$$;


ALTER FUNCTION tender_ledger.watch_reigns(p_broker text, p_urls text, p_lease interval) OWNER TO tender_owner;

--
-- Name: FUNCTION watch_reigns(p_broker text, p_urls text, p_lease interval); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.watch_reigns(p_broker text, p_urls text, p_lease interval) IS 'Says that a broker lives, and lists the shards with whoever holds them, and how many brokers live.';


--
-- Name: account; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.account (
    issued_micro bigint DEFAULT 0 NOT NULL,
    available_micro bigint DEFAULT 0 NOT NULL,
    reserved_micro bigint DEFAULT 0 NOT NULL,
    spent_micro bigint DEFAULT 0 NOT NULL,
    earned_micro bigint DEFAULT 0 NOT NULL,
    shard smallint NOT NULL,
    principal text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT account_adds_up CHECK ((((available_micro + reserved_micro) + spent_micro) = issued_micro)),
    CONSTRAINT account_earning_is_not_negative CHECK ((earned_micro >= 0)),
    CONSTRAINT account_is_not_overspent CHECK ((available_micro >= 0)),
    CONSTRAINT account_reserve_is_not_negative CHECK ((reserved_micro >= 0)),
    CONSTRAINT account_spending_is_not_negative CHECK ((spent_micro >= 0))
)
WITH (fillfactor='50');


ALTER TABLE tender_ledger.account OWNER TO tender_owner;

--
-- Name: TABLE account; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.account IS 'Balances of principals, in micro-credits.';


--
-- Name: COLUMN account.issued_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.account.issued_micro IS 'Put in, less what was taken out.';


--
-- Name: COLUMN account.available_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.account.available_micro IS 'Free to be reserved.';


--
-- Name: COLUMN account.reserved_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.account.reserved_micro IS 'Reserved for tasks that have not ended.';


--
-- Name: COLUMN account.spent_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.account.spent_micro IS 'Paid to others from reservations.';


--
-- Name: COLUMN account.earned_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.account.earned_micro IS 'Paid by others for kept commitments.';


--
-- Name: COLUMN account.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.account.shard IS 'Shard of the account.';


--
-- Name: COLUMN account.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.account.principal IS 'Whose account it is.';


--
-- Name: account; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.account WITH (security_barrier='true') AS
 SELECT a.principal,
    ((sum(a.available_micro) / 1000000.0))::numeric(20,6) AS available,
    ((sum(a.reserved_micro) / 1000000.0))::numeric(20,6) AS reserved,
    ((sum(a.spent_micro) / 1000000.0))::numeric(20,6) AS spent,
    ((sum(a.earned_micro) / 1000000.0))::numeric(20,6) AS earned,
    ((sum(a.issued_micro) / 1000000.0))::numeric(20,6) AS issued
   FROM tender_ledger.account a
  WHERE (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (a.principal = CURRENT_USER))
  GROUP BY a.principal;


ALTER TABLE tender.account OWNER TO tender_owner;

--
-- Name: VIEW account; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.account IS 'Balances of principals, in credits: issued is available, reserved and spent together.';


--
-- Name: COLUMN account.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.account.principal IS 'Whose account it is.';


--
-- Name: COLUMN account.available; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.account.available IS 'Free to be reserved.';


--
-- Name: COLUMN account.reserved; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.account.reserved IS 'Reserved for tasks that have not ended.';


--
-- Name: COLUMN account.spent; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.account.spent IS 'Paid to others.';


--
-- Name: COLUMN account.earned; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.account.earned IS 'Paid by others for kept commitments.';


--
-- Name: COLUMN account.issued; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.account.issued IS 'Put in, less what was taken out.';


--
-- Name: entry_row; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.entry_row (
    at timestamp with time zone NOT NULL,
    next_at timestamp with time zone,
    number integer NOT NULL,
    shard smallint NOT NULL,
    kind smallint NOT NULL,
    next_kind smallint,
    task_id uuid NOT NULL,
    hash bytea NOT NULL,
    next_hash bytea,
    body text NOT NULL COLLATE pg_catalog."C",
    next_body text COLLATE pg_catalog."C",
    content bytea,
    next_content bytea,
    CONSTRAINT entry_hash_is_sha256 CHECK (((octet_length(hash) = 32) AND (octet_length(next_hash) = 32))),
    CONSTRAINT entry_is_at_an_instant CHECK (((at > '-infinity'::timestamp with time zone) AND (at < 'infinity'::timestamp with time zone) AND (next_at >= at) AND (next_at < 'infinity'::timestamp with time zone))),
    CONSTRAINT entry_is_whole CHECK ((num_nonnulls(next_at, next_hash, next_body) =
CASE
    WHEN (next_kind IS NULL) THEN 0
    ELSE 3
END)),
    CONSTRAINT entry_number_counts_from_one CHECK ((number >= 1))
)
PARTITION BY RANGE (task_id);
ALTER TABLE ONLY tender_ledger.entry_row ALTER COLUMN at SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.entry_row ALTER COLUMN next_at SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.entry_row ALTER COLUMN number SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.entry_row ALTER COLUMN shard SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.entry_row ALTER COLUMN kind SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.entry_row ALTER COLUMN next_kind SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.entry_row ALTER COLUMN task_id SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.entry_row ALTER COLUMN hash SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.entry_row ALTER COLUMN next_hash SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.entry_row ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.entry_row ALTER COLUMN next_body SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.entry_row ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.entry_row ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE ONLY tender_ledger.entry_row ALTER COLUMN next_content SET STATISTICS 0;
ALTER TABLE ONLY tender_ledger.entry_row ALTER COLUMN next_content SET STORAGE EXTERNAL;


ALTER TABLE tender_ledger.entry_row OWNER TO tender_owner;

--
-- Name: TABLE entry_row; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.entry_row IS 'The facts as they are stored, one or two in a row: append-only. The view entry shows them.';


--
-- Name: COLUMN entry_row.at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry_row.at IS 'Stamp of the event that caused it.';


--
-- Name: COLUMN entry_row.next_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry_row.next_at IS 'The same of the entry after it, where that is in this row.';


--
-- Name: COLUMN entry_row.number; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry_row.number IS 'Place in the chain of its task, from 1.';


--
-- Name: COLUMN entry_row.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry_row.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN entry_row.kind; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry_row.kind IS 'What happened: word entry_kind.';


--
-- Name: COLUMN entry_row.next_kind; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry_row.next_kind IS 'The same of the entry after it.';


--
-- Name: COLUMN entry_row.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry_row.task_id IS 'The task, or all zero for the house.';


--
-- Name: COLUMN entry_row.hash; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry_row.hash IS 'SHA-256 over the hash before it and all that the entry is but its content, which the body digests.';


--
-- Name: COLUMN entry_row.next_hash; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry_row.next_hash IS 'The same of the entry after it.';


--
-- Name: COLUMN entry_row.body; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry_row.body IS 'The fact, a JSON object; its bytes are what was hashed.';


--
-- Name: COLUMN entry_row.next_body; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry_row.next_body IS 'The same of the entry after it.';


--
-- Name: COLUMN entry_row.content; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry_row.content IS 'Payload or result, whose digest the body carries.';


--
-- Name: COLUMN entry_row.next_content; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry_row.next_content IS 'The same of the entry after it.';


--
-- Name: house_fact; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.house_fact (
    number integer NOT NULL,
    kind smallint NOT NULL,
    shard smallint NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT house_fact_counts_from_one CHECK ((number >= 1))
);


ALTER TABLE tender_ledger.house_fact OWNER TO tender_owner;

--
-- Name: TABLE house_fact; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.house_fact IS 'The newest entry of the house about each subject, while it holds.';


--
-- Name: COLUMN house_fact.number; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.house_fact.number IS 'Number of the entry in the house chain.';


--
-- Name: COLUMN house_fact.kind; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.house_fact.kind IS 'Of the entry: word entry_kind.';


--
-- Name: COLUMN house_fact.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.house_fact.shard IS 'The shard.';


--
-- Name: COLUMN house_fact.subject; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.house_fact.subject IS 'What it is about: the names that the kind is told apart by, separated by blanks.';


--
-- Name: fact; Type: VIEW; Schema: tender_ledger; Owner: tender_owner
--

CREATE VIEW tender_ledger.fact AS
 SELECT f.shard,
    f.kind,
    f.subject,
    f.number,
    e.at,
    (e.body)::jsonb AS body
   FROM ((tender_ledger.house_fact f
     CROSS JOIN LATERAL ( SELECT r_1.at,
            r_1.next_at,
            r_1.number,
            r_1.shard,
            r_1.kind,
            r_1.next_kind,
            r_1.task_id,
            r_1.hash,
            r_1.next_hash,
            r_1.body,
            r_1.next_body,
            r_1.content,
            r_1.next_content
           FROM tender_ledger.entry_row r_1
          WHERE ((r_1.shard = f.shard) AND (r_1.task_id = '00000000-0000-0000-0000-000000000000'::uuid) AND ((r_1.number >= (f.number - 1)) AND (r_1.number <= f.number)))
         OFFSET 0) r)
     CROSS JOIN LATERAL ( VALUES (r.number,r.at,r.kind,r.body), ((r.number + 1),r.next_at,r.next_kind,r.next_body)) e(number, at, kind, body))
  WHERE ((e.number = f.number) AND (e.kind IS NOT NULL));


ALTER TABLE tender_ledger.fact OWNER TO tender_owner;

--
-- Name: VIEW fact; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON VIEW tender_ledger.fact IS 'What the house says by subject: the newest entry about each, found by its place in the chain.';


--
-- Name: COLUMN fact.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.fact.shard IS 'The shard.';


--
-- Name: COLUMN fact.kind; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.fact.kind IS 'Of the entry: word entry_kind.';


--
-- Name: COLUMN fact.subject; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.fact.subject IS 'What it is about.';


--
-- Name: COLUMN fact.number; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.fact.number IS 'Number of the entry in the house chain.';


--
-- Name: COLUMN fact.at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.fact.at IS 'Its stamp.';


--
-- Name: COLUMN fact.body; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.fact.body IS 'What it says.';


--
-- Name: agent; Type: VIEW; Schema: tender_ledger; Owner: tender_owner
--

CREATE VIEW tender_ledger.agent AS
 SELECT f.shard,
    f.subject AS agent,
    (f.body ->> 'principal'::text) AS principal,
    (f.body ->> 'key'::text) AS key,
    ARRAY( SELECT jsonb_array_elements_text(COALESCE((f.body -> 'skills'::text), '[]'::jsonb)) AS jsonb_array_elements_text) AS skills,
    (COALESCE(((f.body ->> 'revoked'::text))::integer, 0) = 1) AS is_revoked,
    ((f.body ->> 'said_at_us'::text))::bigint AS said_at_us,
    (f.body ->> 'by'::text) AS said_by,
    f.at AS recorded_at
   FROM tender_ledger.fact f
  WHERE (f.kind = 34);


ALTER TABLE tender_ledger.agent OWNER TO tender_owner;

--
-- Name: VIEW agent; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON VIEW tender_ledger.agent IS 'Agents that were enrolled, once for each shard.';


--
-- Name: COLUMN agent.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.agent.shard IS 'The shard.';


--
-- Name: COLUMN agent.agent; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.agent.agent IS 'Its name.';


--
-- Name: COLUMN agent.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.agent.principal IS 'Whose agent it is.';


--
-- Name: COLUMN agent.key; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.agent.key IS 'Its own public key, in hexadecimal digits; null: that of its principal alone.';


--
-- Name: COLUMN agent.skills; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.agent.skills IS 'Skills that it may offer; empty: any.';


--
-- Name: COLUMN agent.is_revoked; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.agent.is_revoked IS 'Whether it may say nothing any more.';


--
-- Name: COLUMN agent.said_at_us; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.agent.said_at_us IS 'When it was said, in microseconds; the latest counts.';


--
-- Name: COLUMN agent.said_by; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.agent.said_by IS 'Who said so.';


--
-- Name: COLUMN agent.recorded_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.agent.recorded_at IS 'Since when the shard has it.';


--
-- Name: agent; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.agent WITH (security_barrier='true') AS
 SELECT a.agent,
    a.principal,
    ('ed25519:'::text || a.key) AS key,
    a.skills,
    a.is_revoked,
    a.said_by,
    ('1970-01-01 00:00:00+00'::timestamp with time zone + ((a.said_at_us)::double precision * '00:00:00.000001'::interval)) AS said_at
   FROM tender_ledger.agent a
  WHERE ((a.shard = 0) AND (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (a.principal = CURRENT_USER)));


ALTER TABLE tender.agent OWNER TO tender_owner;

--
-- Name: VIEW agent; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.agent IS 'Agents that are enrolled by their name; a principal''s key speaks for others too.';


--
-- Name: COLUMN agent.agent; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.agent.agent IS 'Its name.';


--
-- Name: COLUMN agent.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.agent.principal IS 'Whose agent it is.';


--
-- Name: COLUMN agent.key; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.agent.key IS 'Public key that speaks as this agent; null: that of its principal alone.';


--
-- Name: COLUMN agent.skills; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.agent.skills IS 'Skills that it may offer; empty: any.';


--
-- Name: COLUMN agent.is_revoked; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.agent.is_revoked IS 'Whether it may say nothing any more.';


--
-- Name: COLUMN agent.said_by; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.agent.said_by IS 'Who enrolled it, gave it this key or revoked it.';


--
-- Name: COLUMN agent.said_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.agent.said_at IS 'When.';


--
-- Name: allotment; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.allotment (
    request bigint NOT NULL,
    request_in bigint,
    step bigint NOT NULL,
    amount_micro bigint NOT NULL,
    from_principal text NOT NULL COLLATE pg_catalog."C",
    to_principal text NOT NULL COLLATE pg_catalog."C",
    state text DEFAULT 'asked'::text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT allotment_has_two_ends CHECK ((from_principal <> to_principal)),
    CONSTRAINT allotment_moves_something CHECK ((amount_micro > 0)),
    CONSTRAINT allotment_state_exists CHECK ((state = ANY (ARRAY['asked'::text, 'refused'::text, 'taken'::text, 'given'::text, 'returning'::text, 'returned'::text])))
);


ALTER TABLE tender_ledger.allotment OWNER TO tender_owner;

--
-- Name: TABLE allotment; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.allotment IS 'Credits on their way from one account to another.';


--
-- Name: COLUMN allotment.request; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.allotment.request IS 'Request that takes them out.';


--
-- Name: COLUMN allotment.request_in; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.allotment.request_in IS 'Request that puts them in; null: not yet.';


--
-- Name: COLUMN allotment.step; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.allotment.step IS 'Request whose answer is waited for, or was the last.';


--
-- Name: COLUMN allotment.amount_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.allotment.amount_micro IS 'How many, in micro-credits.';


--
-- Name: COLUMN allotment.from_principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.allotment.from_principal IS 'Out of whose account.';


--
-- Name: COLUMN allotment.to_principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.allotment.to_principal IS 'Into whose.';


--
-- Name: COLUMN allotment.state; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.allotment.state IS 'asked; refused (it had less); taken out; given; or returning and returned where there was no room.';


--
-- Name: inbox; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.inbox (
    request bigint NOT NULL,
    asked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    answered_at timestamp with time zone,
    shard smallint DEFAULT 0 NOT NULL,
    is_operator boolean NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    peer text NOT NULL COLLATE pg_catalog."C",
    principal text NOT NULL COLLATE pg_catalog."C",
    key text COLLATE pg_catalog."C",
    body jsonb NOT NULL,
    answer jsonb,
    CONSTRAINT inbox_answer_has_a_time CHECK (((answer IS NULL) = (answered_at IS NULL))),
    CONSTRAINT inbox_body_is_an_object CHECK ((jsonb_typeof(body) = 'object'::text)),
    CONSTRAINT inbox_kind_exists CHECK ((kind = ANY (ARRAY['announce'::text, 'cancel'::text, 'close'::text, 'release'::text, 'fund'::text, 'accept'::text, 'reject'::text, 'believe'::text, 'adopt'::text, 'hold'::text, 'rate'::text, 'resource'::text, 'enrol'::text]))),
    CONSTRAINT inbox_peer_has_a_name CHECK (((octet_length(peer) >= 1) AND (octet_length(peer) <= 64))),
    CONSTRAINT inbox_principal_has_a_name CHECK (((octet_length(principal) >= 1) AND (octet_length(principal) <= 64)))
);


ALTER TABLE tender_ledger.inbox OWNER TO tender_owner;

--
-- Name: TABLE inbox; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.inbox IS 'Requests from SQL, and the broker''s answers.';


--
-- Name: COLUMN inbox.request; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.inbox.request IS 'Number of the request.';


--
-- Name: COLUMN inbox.asked_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.inbox.asked_at IS 'When the row was written, by the database''s clock.';


--
-- Name: COLUMN inbox.answered_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.inbox.answered_at IS 'When it was answered, by the database''s clock.';


--
-- Name: COLUMN inbox.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.inbox.shard IS 'Shard whose broker answers.';


--
-- Name: COLUMN inbox.is_operator; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.inbox.is_operator IS 'May act on any client''s task.';


--
-- Name: COLUMN inbox.kind; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.inbox.kind IS 'What is asked: a performative, or fund.';


--
-- Name: COLUMN inbox.peer; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.inbox.peer IS 'Agent it speaks for.';


--
-- Name: COLUMN inbox.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.inbox.principal IS 'Principal it speaks for.';


--
-- Name: COLUMN inbox.key; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.inbox.key IS 'Key of an announcement: asking twice is asking once.';


--
-- Name: COLUMN inbox.body; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.inbox.body IS 'Fields of the message by name; task is the conversation.';


--
-- Name: COLUMN inbox.answer; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.inbox.answer IS 'What the broker said, by the same names.';


--
-- Name: allotment; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.allotment WITH (security_barrier='true') AS
 SELECT a.request,
    a.from_principal,
    a.to_principal,
    ((a.amount_micro)::numeric / 1000000.0) AS credits,
    a.state AS status,
    f.asked_at,
    l.answered_at,
    a.request_in
   FROM ((tender_ledger.allotment a
     JOIN tender_ledger.inbox f ON ((f.request = a.request)))
     JOIN tender_ledger.inbox l ON ((l.request = a.step)))
  WHERE (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR ((CURRENT_USER = a.from_principal) OR (CURRENT_USER = a.to_principal)));


ALTER TABLE tender.allotment OWNER TO tender_owner;

--
-- Name: VIEW allotment; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.allotment IS 'Credits that were moved from one account into another: budgets within budgets.';


--
-- Name: COLUMN allotment.request; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.allotment.request IS 'Number that tender.allot returned.';


--
-- Name: COLUMN allotment.from_principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.allotment.from_principal IS 'Out of whose account.';


--
-- Name: COLUMN allotment.to_principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.allotment.to_principal IS 'Into whose.';


--
-- Name: COLUMN allotment.credits; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.allotment.credits IS 'How many.';


--
-- Name: COLUMN allotment.status; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.allotment.status IS 'asked; refused (less was available); taken, on their way; given; returning and returned (no room for them).';


--
-- Name: COLUMN allotment.asked_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.allotment.asked_at IS 'When it was asked for.';


--
-- Name: COLUMN allotment.answered_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.allotment.answered_at IS 'When its last step so far was answered.';


--
-- Name: COLUMN allotment.request_in; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.allotment.request_in IS 'Number of the request that puts them in; null: not yet.';


--
-- Name: partition; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.partition (
    since_at timestamp with time zone NOT NULL,
    until_at timestamp with time zone NOT NULL,
    retired_at timestamp with time zone,
    entries bigint,
    tasks bigint,
    from_id uuid NOT NULL,
    to_id uuid NOT NULL,
    suffix text NOT NULL COLLATE pg_catalog."C",
    state text DEFAULT 'live'::text NOT NULL COLLATE pg_catalog."C",
    root bytea,
    manifest_digest bytea,
    directory text,
    retired_by text,
    CONSTRAINT partition_ends_after_it_begins CHECK (((from_id < to_id) AND (since_at < until_at))),
    CONSTRAINT partition_is_proven_once_exported CHECK ((num_nonnulls(retired_at, entries, tasks, root, manifest_digest, directory, retired_by) =
CASE
    WHEN (state = 'live'::text) THEN 0
    ELSE 7
END)),
    CONSTRAINT partition_proof_is_sha256 CHECK (((octet_length(root) = 32) AND (octet_length(manifest_digest) = 32))),
    CONSTRAINT partition_state_exists CHECK ((state = ANY (ARRAY['live'::text, 'exported'::text, 'detached'::text, 'archived'::text])))
);


ALTER TABLE tender_ledger.partition OWNER TO tender_owner;

--
-- Name: TABLE partition; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.partition IS 'One row per range of tasks whose history is stored together, and what became of it.';


--
-- Name: COLUMN partition.since_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.partition.since_at IS 'Tasks announced from then on; -infinity: all before.';


--
-- Name: COLUMN partition.until_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.partition.until_at IS 'Tasks announced before then.';


--
-- Name: COLUMN partition.retired_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.partition.retired_at IS 'When its archive was complete.';


--
-- Name: COLUMN partition.entries; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.partition.entries IS 'Entries in its archive.';


--
-- Name: COLUMN partition.tasks; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.partition.tasks IS 'Tasks in its archive.';


--
-- Name: COLUMN partition.from_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.partition.from_id IS 'The first identifier that it may have.';


--
-- Name: COLUMN partition.to_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.partition.to_id IS 'The first identifier that it may not have any more.';


--
-- Name: COLUMN partition.suffix; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.partition.suffix IS 'What the names of its tables end with.';


--
-- Name: COLUMN partition.state; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.partition.state IS 'live: in use; exported: in files as well, which were read back; detached: no longer in use; archived: in files only.';


--
-- Name: COLUMN partition.root; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.partition.root IS 'Merkle root over the chains of its tasks (ops/archive.md).';


--
-- Name: COLUMN partition.manifest_digest; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.partition.manifest_digest IS 'SHA-256 of the manifest of its archive.';


--
-- Name: COLUMN partition.directory; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.partition.directory IS 'Where the archive was written.';


--
-- Name: COLUMN partition.retired_by; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.partition.retired_by IS 'Who did it.';


--
-- Name: archive; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.archive AS
 SELECT p.suffix AS archive,
    p.since_at,
    p.until_at,
    p.state,
    p.tasks,
    p.entries,
    p.retired_at,
    p.retired_by,
    p.directory,
    encode(p.root, 'hex'::text) AS root,
    encode(p.manifest_digest, 'hex'::text) AS manifest_sha256
   FROM tender_ledger.partition p
  WHERE (p.state <> 'live'::text);


ALTER TABLE tender.archive OWNER TO tender_owner;

--
-- Name: VIEW archive; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.archive IS 'Whole times whose tasks have left the ledger for files, with what proves those.';


--
-- Name: COLUMN archive.archive; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archive.archive IS 'Its name; its files are in tender-NAME.';


--
-- Name: COLUMN archive.since_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archive.since_at IS 'Of tasks that were announced from then on.';


--
-- Name: COLUMN archive.until_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archive.until_at IS 'And before then.';


--
-- Name: COLUMN archive.state; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archive.state IS 'exported: its rows are here too; detached: they are about to go; archived: they are gone.';


--
-- Name: COLUMN archive.tasks; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archive.tasks IS 'How many tasks it has.';


--
-- Name: COLUMN archive.entries; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archive.entries IS 'How many entries they have.';


--
-- Name: COLUMN archive.retired_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archive.retired_at IS 'When it stood and was read back.';


--
-- Name: COLUMN archive.retired_by; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archive.retired_by IS 'Who did it.';


--
-- Name: COLUMN archive.directory; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archive.directory IS 'Where it was written.';


--
-- Name: COLUMN archive.root; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archive.root IS 'Merkle root over the chains of its tasks, in hex.';


--
-- Name: COLUMN archive.manifest_sha256; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archive.manifest_sha256 IS 'SHA-256 of its manifest, in hex.';


--
-- Name: archived_task; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.archived_task (
    ended_at timestamp with time zone NOT NULL,
    paid_micro bigint NOT NULL,
    units integer NOT NULL,
    units_done integer NOT NULL,
    round integer NOT NULL,
    shard smallint NOT NULL,
    state smallint NOT NULL,
    reason smallint NOT NULL,
    task_id uuid NOT NULL,
    again uuid,
    client text NOT NULL COLLATE pg_catalog."C",
    principal text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C"
);


ALTER TABLE tender_ledger.archived_task OWNER TO tender_owner;

--
-- Name: TABLE archived_task; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.archived_task IS 'One row per task whose record is in an archive: how it ended, for who asks afterwards.';


--
-- Name: COLUMN archived_task.ended_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_task.ended_at IS 'When it ended.';


--
-- Name: COLUMN archived_task.paid_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_task.paid_micro IS 'Paid over all its commitments.';


--
-- Name: COLUMN archived_task.units; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_task.units IS 'Its units.';


--
-- Name: COLUMN archived_task.units_done; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_task.units_done IS 'Units accepted over all its commitments.';


--
-- Name: COLUMN archived_task.round; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_task.round IS 'Number of its last round.';


--
-- Name: COLUMN archived_task.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_task.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN archived_task.state; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_task.state IS 'Word task_state: done, unallocated or cancelled.';


--
-- Name: COLUMN archived_task.reason; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_task.reason IS 'Why it ended: word reason.';


--
-- Name: COLUMN archived_task.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_task.task_id IS 'The task.';


--
-- Name: COLUMN archived_task.again; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_task.again IS 'The ended task that it replaced under its key; each is replaced once.';


--
-- Name: COLUMN archived_task.client; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_task.client IS 'Agent that announced it.';


--
-- Name: COLUMN archived_task.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_task.principal IS 'Whose account paid.';


--
-- Name: COLUMN archived_task.key; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_task.key IS 'The client''s key.';


--
-- Name: word; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.word (
    vocabulary text NOT NULL,
    code smallint NOT NULL,
    name text NOT NULL,
    meaning text NOT NULL,
    is_terminal boolean DEFAULT false NOT NULL
);


ALTER TABLE tender_ledger.word OWNER TO tender_owner;

--
-- Name: TABLE word; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.word IS 'The vocabularies of the program: what the codes in the tables mean.';


--
-- Name: COLUMN word.vocabulary; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.word.vocabulary IS 'task_state, commitment_state, bid_state, reason, partial, fallback or entry_kind.';


--
-- Name: COLUMN word.code; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.word.code IS 'As stored.';


--
-- Name: COLUMN word.name; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.word.name IS 'As views show it.';


--
-- Name: COLUMN word.meaning; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.word.meaning IS 'A sentence for people.';


--
-- Name: COLUMN word.is_terminal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.word.is_terminal IS 'For states: nothing follows it.';


--
-- Name: archived_task; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.archived_task WITH (security_barrier='true') AS
 SELECT a.task_id,
    a.client,
    a.principal,
    s.name AS status,
    r.name AS reason,
    a.units,
    a.units_done,
    (((a.paid_micro)::numeric / 1000000.0))::numeric(20,6) AS paid,
    a.ended_at,
    p.suffix AS archive,
    p.directory,
    a.key,
    a.again
   FROM (((tender_ledger.archived_task a
     JOIN tender_ledger.partition p ON (((a.task_id >= p.from_id) AND (a.task_id < p.to_id) AND (p.state = ANY (ARRAY['detached'::text, 'archived'::text])))))
     JOIN tender_ledger.word s ON (((s.vocabulary = 'task_state'::text) AND (s.code = a.state))))
     JOIN tender_ledger.word r ON (((r.vocabulary = 'reason'::text) AND (r.code = a.reason))))
  WHERE (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (a.principal = CURRENT_USER));


ALTER TABLE tender.archived_task OWNER TO tender_owner;

--
-- Name: VIEW archived_task; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.archived_task IS 'Tasks whose record is in an archive: how each ended, and where to look.';


--
-- Name: COLUMN archived_task.task_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archived_task.task_id IS 'The task.';


--
-- Name: COLUMN archived_task.client; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archived_task.client IS 'Agent that announced it.';


--
-- Name: COLUMN archived_task.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archived_task.principal IS 'Whose account paid.';


--
-- Name: COLUMN archived_task.status; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archived_task.status IS 'done, unallocated or cancelled.';


--
-- Name: COLUMN archived_task.reason; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archived_task.reason IS 'Why it ended.';


--
-- Name: COLUMN archived_task.units; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archived_task.units IS 'Its units.';


--
-- Name: COLUMN archived_task.units_done; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archived_task.units_done IS 'Units accepted over all its commitments.';


--
-- Name: COLUMN archived_task.paid; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archived_task.paid IS 'Paid over all its commitments, in credits.';


--
-- Name: COLUMN archived_task.ended_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archived_task.ended_at IS 'When it ended.';


--
-- Name: COLUMN archived_task.archive; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archived_task.archive IS 'Name of the archive, as in tender.archive.';


--
-- Name: COLUMN archived_task.directory; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archived_task.directory IS 'Where the archive was written.';


--
-- Name: COLUMN archived_task.key; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archived_task.key IS 'The client''s key.';


--
-- Name: COLUMN archived_task.again; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.archived_task.again IS 'The ended task that it replaced under its key.';


--
-- Name: entry; Type: VIEW; Schema: tender_ledger; Owner: tender_owner
--

CREATE VIEW tender_ledger.entry AS
 SELECT e.at,
    e.number,
    r.shard,
    e.kind,
    r.task_id,
    e.hash,
    e.body,
    e.content
   FROM (tender_ledger.entry_row r
     CROSS JOIN LATERAL ( VALUES (r.at,r.number,r.kind,r.hash,r.body,r.content), (r.next_at,(r.number + 1),r.next_kind,r.next_hash,r.next_body,r.next_content)) e(at, number, kind, hash, body, content))
  WHERE (e.kind IS NOT NULL)
UNION ALL
 SELECT e.at,
    e.number,
    t.shard,
    e.kind,
    t.task_id,
    e.hash,
    e.body,
    e.content
   FROM (tender_ledger.task t
     CROSS JOIN LATERAL ( VALUES (t.announced_at,1,(1)::smallint,t.hash,t.body,t.content), (t.next_at,2,t.next_kind,t.next_hash,t.next_body,NULL::bytea)) e(at, number, kind, hash, body, content))
  WHERE (e.hash IS NOT NULL)
UNION ALL
 SELECT d.ended_at AS at,
    d.number,
    d.shard,
    (8)::smallint AS kind,
    d.task_id,
    d.hash,
    d.body,
    d.content
   FROM tender_ledger.ending d
  WHERE (d.number IS NOT NULL);


ALTER TABLE tender_ledger.entry OWNER TO tender_owner;

--
-- Name: VIEW entry; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON VIEW tender_ledger.entry IS 'The facts: append-only, hash-chained per task. The nil task is the house: enrolments, money, recess.';


--
-- Name: COLUMN entry.at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry.at IS 'Stamp of the event that caused it.';


--
-- Name: COLUMN entry.number; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry.number IS 'Place in the chain of its task, from 1.';


--
-- Name: COLUMN entry.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN entry.kind; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry.kind IS 'What happened: word entry_kind.';


--
-- Name: COLUMN entry.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry.task_id IS 'The task, or all zero for the house.';


--
-- Name: COLUMN entry.hash; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry.hash IS 'SHA-256 over the hash before it and all that is in this row but the content, which the body digests.';


--
-- Name: COLUMN entry.body; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry.body IS 'The fact, a JSON object; its bytes are what was hashed.';


--
-- Name: COLUMN entry.content; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.entry.content IS 'Payload or result, whose digest the body carries.';


--
-- Name: award; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.award WITH (security_barrier='true') AS
 SELECT e.task_id,
    ((e.body ->> 'round'::text))::integer AS round,
    (e.body ->> 'contractor'::text) AS contractor,
    (
        CASE
            WHEN (pg_has_role(CURRENT_USER, 'tender_auditor'::name, 'member'::text) OR ((e.body ->> 'principal'::text) = CURRENT_USER)) THEN (((COALESCE((e.body ->> 'cost_micro'::text),
            CASE e.kind
                WHEN 4 THEN '0'::text
                ELSE NULL::text
            END))::bigint)::numeric / 1000000.0)
            ELSE NULL::numeric
        END)::numeric(20,6) AS cost,
    ((((COALESCE((e.body ->> 'price_micro'::text), '0'::text))::bigint)::numeric / 1000000.0))::numeric(20,6) AS price,
    e.at AS awarded_at,
    (e.body ->> 'principal'::text) AS principal,
    ((e.body ->> 'generation'::text))::integer AS generation,
        CASE
            WHEN (e.kind = 14) THEN 'rate'::text
            WHEN (e.body ? 'part'::text) THEN 'clarke'::text
            WHEN ((e.body ->> 'price_set_by'::text) IS NULL) THEN 'ceiling'::text
            WHEN e.is_told THEN (e.body ->> 'price_set_by'::text)
            ELSE NULL::text
        END AS price_set_by,
    COALESCE(((e.body ->> 'part'::text))::integer, 0) AS part
   FROM ( SELECT f.task_id,
            f.at,
            f.kind,
            (f.body)::jsonb AS body,
            (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (y.principal = CURRENT_USER)) AS is_told
           FROM (tender_ledger.entry f
             LEFT JOIN tender_ledger.task y ON (((y.shard = f.shard) AND (y.task_id = f.task_id))))
          WHERE (f.kind = ANY (ARRAY[4, 14]))) e
  WHERE (e.is_told OR ((e.body ->> 'principal'::text) = CURRENT_USER));


ALTER TABLE tender.award OWNER TO tender_owner;

--
-- Name: VIEW award; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.award IS 'Every award; there is none before its round has closed.';


--
-- Name: COLUMN award.task_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.award.task_id IS 'The task.';


--
-- Name: COLUMN award.round; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.award.round IS 'Round whose bids were ranked.';


--
-- Name: COLUMN award.contractor; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.award.contractor IS 'Who won.';


--
-- Name: COLUMN award.cost; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.award.cost IS 'What the winner asked for, in credits, for all units of the award; null where nobody bid. Shown to auditors and to the winner''s own principal.';


--
-- Name: COLUMN award.price; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.award.price IS 'What it is promised, in credits.';


--
-- Name: COLUMN award.awarded_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.award.awarded_at IS 'When it was awarded.';


--
-- Name: COLUMN award.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.award.principal IS 'Principal of the winner.';


--
-- Name: COLUMN award.generation; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.award.generation IS 'Number of the award within the task.';


--
-- Name: COLUMN award.price_set_by; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.award.price_set_by IS 'Contractor whose cost is the price, named to readers, auditors and who pays; `ceiling` where no other principal''s bid counted, `rate` where it was posted, `clarke` where it is a part of a split round.';


--
-- Name: COLUMN award.part; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.award.part IS 'Part of a split task; 0: all of the round.';


--
-- Name: belief; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.belief WITH (security_barrier='true') AS
 SELECT e.task_id,
    NULL::text AS goal,
    (e.body ->> 'by'::text) AS by,
    (e.body ->> 'principal'::text) AS principal,
    COALESCE((e.body ->> 'belief'::text), 'none'::text) AS belief,
    (e.body ->> 'text'::text) AS text,
    e.at,
    NULL::timestamp with time zone AS suspended_until
   FROM (( SELECT f.shard,
            f.task_id,
            f.at,
            (f.body)::jsonb AS body
           FROM tender_ledger.entry f
          WHERE (f.kind = 17)) e
     LEFT JOIN tender_ledger.task y ON (((y.shard = e.shard) AND (y.task_id = e.task_id))))
  WHERE (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR ((e.body ->> 'principal'::text) = CURRENT_USER) OR (y.principal = CURRENT_USER))
UNION ALL
 SELECT NULL::uuid AS task_id,
    (e.body ->> 'goal'::text) AS goal,
    (e.body ->> 'by'::text) AS by,
    (e.body ->> 'principal'::text) AS principal,
    COALESCE((e.body ->> 'belief'::text), 'none'::text) AS belief,
    (e.body ->> 'text'::text) AS text,
    e.at,
    ('1970-01-01 00:00:00+00'::timestamp with time zone + ((((e.body ->> 'until_us'::text))::bigint)::double precision * '00:00:00.000001'::interval)) AS suspended_until
   FROM tender_ledger.fact e
  WHERE ((e.kind = 28) AND (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR ((e.body ->> 'principal'::text) = CURRENT_USER)));


ALTER TABLE tender.belief OWNER TO tender_owner;

--
-- Name: VIEW belief; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.belief IS 'What members said about tasks and goals: one row a belief.';


--
-- Name: COLUMN belief.task_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.belief.task_id IS 'The task; null where it is about a goal.';


--
-- Name: COLUMN belief.goal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.belief.goal IS 'The goal; null where it is about a task.';


--
-- Name: COLUMN belief.by; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.belief.by IS 'Agent that said it.';


--
-- Name: COLUMN belief.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.belief.principal IS 'Principal of that agent; of a goal, whose goal it is.';


--
-- Name: COLUMN belief.belief; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.belief.belief IS 'achieved, impossible or irrelevant; none where the client lifted a suspension.';


--
-- Name: COLUMN belief.text; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.belief.text IS 'Why, in its words.';


--
-- Name: COLUMN belief.at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.belief.at IS 'When it was said.';


--
-- Name: COLUMN belief.suspended_until; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.belief.suspended_until IS 'Of a goal: awards wait until then for the client''s word; null where the client spoke.';


--
-- Name: bid; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.bid WITH (security_barrier='true') AS
 SELECT a.task_id,
    a.round,
    (a.answer ->> 'contractor'::text) AS contractor,
    (a.answer ->> 'principal'::text) AS principal,
    (
        CASE
            WHEN (pg_has_role(CURRENT_USER, 'tender_auditor'::name, 'member'::text) OR ((a.answer ->> 'principal'::text) = CURRENT_USER)) THEN (((COALESCE((a.answer ->> 'cost_micro'::text),
            CASE a.state
                WHEN 'standing'::text THEN '0'::text
                ELSE NULL::text
            END))::bigint)::numeric / 1000000.0)
            ELSE NULL::numeric
        END)::numeric(20,6) AS cost,
        CASE
            WHEN (a.answer ? 'eta_us'::text) THEN ((LEAST(((a.answer ->> 'eta_us'::text))::bigint, '9223372036854774784'::bigint))::double precision * '00:00:00.000001'::interval)
            ELSE NULL::interval
        END AS eta,
        CASE
            WHEN (a.state <> 'standing'::text) THEN a.state
            WHEN (w.contractor IS NOT NULL) THEN 'won'::text
            ELSE COALESCE((k.rank ->> 'state'::text), 'lost'::text)
        END AS status,
        CASE
            WHEN (a.state <> 'standing'::text) THEN COALESCE((a.answer ->> 'reason'::text), 'none'::text)
            WHEN ((w.contractor IS NOT NULL) AND ((k.rank ->> 'state'::text) IS DISTINCT FROM 'won'::text)) THEN 'lowest-cost'::text
            ELSE COALESCE((k.rank ->> 'reason'::text), 'round-cancelled'::text)
        END AS reason,
    ((k.rank ->> 'rank'::text))::integer AS rank,
    a.at,
    (a.answer ->> 'text'::text) AS text
   FROM (((( SELECT e.shard,
            e.task_id,
            e.number,
            e.at,
            e.payer,
            ((e.body ->> 'round'::text))::integer AS round,
            i.answer,
            COALESCE((i.answer ->> 'state'::text), 'standing'::text) AS state,
            row_number() OVER (PARTITION BY e.shard, e.task_id, (e.body ->> 'round'::text), (i.answer ->> 'contractor'::text) ORDER BY ((i.answer ->> 'state'::text) = 'ineligible'::text), e.number DESC, i.place DESC) AS newest,
            ((i.answer ->> 'state'::text) = 'ineligible'::text) AS is_extra
           FROM (( SELECT f.shard,
                    f.task_id,
                    f.number,
                    f.at,
                    (f.body)::jsonb AS body,
                    y.principal AS payer
                   FROM (tender_ledger.entry f
                     LEFT JOIN tender_ledger.task y ON (((y.shard = f.shard) AND (y.task_id = f.task_id))))
                  WHERE (f.kind = 3)) e
             CROSS JOIN LATERAL jsonb_array_elements((e.body -> 'answers'::text)) WITH ORDINALITY i(answer, place))) a
     LEFT JOIN LATERAL ( SELECT f.number,
            (((f.body)::jsonb ->> 'reason'::text) = 'improving'::text) AS is_improving
           FROM tender_ledger.entry f
          WHERE ((f.shard = a.shard) AND (f.task_id = a.task_id) AND (f.kind = ANY (ARRAY[4, 5])) AND ((((f.body)::jsonb ->> 'round'::text))::integer = a.round))
          ORDER BY f.number
         LIMIT 1) c ON (true))
     LEFT JOIN LATERAL ( SELECT r.rank
           FROM (tender_ledger.entry f
             CROSS JOIN LATERAL jsonb_array_elements(((f.body)::jsonb -> 'ranks'::text)) r(rank))
          WHERE ((f.shard = a.shard) AND (f.task_id = a.task_id) AND (f.kind = ANY (ARRAY[4, 5])) AND ((((f.body)::jsonb ->> 'round'::text))::integer = a.round) AND ((r.rank ->> 'contractor'::text) = (a.answer ->> 'contractor'::text)))
          ORDER BY f.number DESC
         LIMIT 1) k ON ((a.state = 'standing'::text)))
     LEFT JOIN LATERAL ( SELECT ((f.body)::jsonb ->> 'contractor'::text) AS contractor
           FROM tender_ledger.entry f
          WHERE ((f.shard = a.shard) AND (f.task_id = a.task_id) AND (f.kind = 4) AND ((((f.body)::jsonb ->> 'round'::text))::integer = a.round) AND (((f.body)::jsonb ->> 'contractor'::text) = (a.answer ->> 'contractor'::text)))
         LIMIT 1) w ON ((a.state = 'standing'::text)))
  WHERE (((a.newest = 1) OR a.is_extra) AND (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR ((a.answer ->> 'principal'::text) = CURRENT_USER) OR (a.payer = CURRENT_USER)) AND
        CASE
            WHEN c.is_improving THEN (EXISTS ( SELECT
               FROM tender_ledger.entry f
              WHERE ((f.shard = a.shard) AND (f.task_id = a.task_id) AND (f.number > c.number) AND ((f.kind = ANY (ARRAY[4, 11, 13])) OR ((f.kind = 5) AND (((f.body)::jsonb ->> 'reason'::text) IS DISTINCT FROM 'improving'::text))))))
            ELSE ((c.number IS NOT NULL) OR (EXISTS ( SELECT
               FROM tender_ledger.entry f
              WHERE ((f.shard = a.shard) AND (f.task_id = a.task_id) AND (f.number > a.number) AND (f.kind = ANY (ARRAY[2, 11, 13]))))))
        END);


ALTER TABLE tender.bid OWNER TO tender_owner;

--
-- Name: VIEW bid; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.bid IS 'Every answer to a call for proposals, once its round has closed: bids, refusals and withdrawals.';


--
-- Name: COLUMN bid.task_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid.task_id IS 'The task.';


--
-- Name: COLUMN bid.round; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid.round IS 'Round that it answered.';


--
-- Name: COLUMN bid.contractor; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid.contractor IS 'Who answered.';


--
-- Name: COLUMN bid.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid.principal IS 'Principal of the contractor.';


--
-- Name: COLUMN bid.cost; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid.cost IS 'What it asked for, in credits, in a split round for a unit; shown to auditors and to the bidder''s own principal.';


--
-- Name: COLUMN bid.eta; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid.eta IS 'How long it would take.';


--
-- Name: COLUMN bid.status; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid.status IS 'won, lost, ineligible, withdrawn or refused.';


--
-- Name: COLUMN bid.reason; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid.reason IS 'Why it ended so.';


--
-- Name: COLUMN bid.rank; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid.rank IS 'Place among the eligible bids, from 1; 0 or null: not ranked.';


--
-- Name: COLUMN bid.at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid.at IS 'When it was heard.';


--
-- Name: COLUMN bid.text; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid.text IS 'What the bidder wrote beside it; no decision reads it.';


--
-- Name: measured; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.measured (
    at timestamp with time zone NOT NULL,
    bid_micro bigint NOT NULL,
    estimate_micro bigint,
    measured_micro bigint NOT NULL,
    tokens_in bigint,
    tokens_out bigint,
    units integer NOT NULL,
    part integer NOT NULL,
    generation integer NOT NULL,
    shard smallint NOT NULL,
    task_id uuid NOT NULL,
    contractor text NOT NULL COLLATE pg_catalog."C",
    principal text NOT NULL COLLATE pg_catalog."C",
    skill text NOT NULL COLLATE pg_catalog."C",
    tier text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT measured_commitment_counts_from_one CHECK (((generation >= 1) AND (part >= 0) AND (units >= 0))),
    CONSTRAINT measured_costs_are_not_negative CHECK (((bid_micro >= 0) AND (estimate_micro >= 0) AND (measured_micro > 0))),
    CONSTRAINT measured_counts_are_not_negative CHECK (((tokens_in >= 0) AND (tokens_out >= 0))),
    CONSTRAINT measured_is_at_an_instant CHECK (isfinite(at))
);


ALTER TABLE tender_ledger.measured OWNER TO tender_owner;

--
-- Name: TABLE measured; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.measured IS 'One row per ended commitment whose owner reported what the work cost it.';


--
-- Name: COLUMN measured.at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.measured.at IS 'When the commitment ended.';


--
-- Name: COLUMN measured.bid_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.measured.bid_micro IS 'What its owner had asked for.';


--
-- Name: COLUMN measured.estimate_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.measured.estimate_micro IS 'What it had expected the work to cost.';


--
-- Name: COLUMN measured.measured_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.measured.measured_micro IS 'What the work cost, as it reported.';


--
-- Name: COLUMN measured.tokens_in; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.measured.tokens_in IS 'Tokens read, as it reported.';


--
-- Name: COLUMN measured.tokens_out; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.measured.tokens_out IS 'Tokens written, as it reported.';


--
-- Name: COLUMN measured.units; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.measured.units IS 'Units accepted.';


--
-- Name: COLUMN measured.part; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.measured.part IS 'Part of the task; 0 where work is not split.';


--
-- Name: COLUMN measured.generation; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.measured.generation IS 'Number of the award within its part.';


--
-- Name: COLUMN measured.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.measured.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN measured.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.measured.task_id IS 'The task.';


--
-- Name: COLUMN measured.contractor; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.measured.contractor IS 'Who did the work.';


--
-- Name: COLUMN measured.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.measured.principal IS 'Principal of the contractor.';


--
-- Name: COLUMN measured.skill; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.measured.skill IS 'Skill of the task.';


--
-- Name: COLUMN measured.tier; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.measured.tier IS 'Tier it worked at, as it reported; may be empty.';


--
-- Name: bid_fidelity; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.bid_fidelity WITH (security_barrier='true') AS
 SELECT m.contractor,
    m.tier,
    m.reports,
    m.ratio,
    m.estimate_ratio,
    m.bias,
    m.exact_share,
    (
        CASE
            WHEN m.is_shown THEN (m.bid_micro / 1000000.0)
            ELSE NULL::numeric
        END)::numeric(20,6) AS bid,
    (
        CASE
            WHEN m.is_shown THEN (m.measured_micro / 1000000.0)
            ELSE NULL::numeric
        END)::numeric(20,6) AS measured,
        CASE
            WHEN m.is_shown THEN m.tokens_in
            ELSE NULL::bigint
        END AS tokens_in,
        CASE
            WHEN m.is_shown THEN m.tokens_out
            ELSE NULL::bigint
        END AS tokens_out,
    m.principal
   FROM ( SELECT m_1.contractor,
            m_1.principal,
            m_1.tier,
            count(*) AS reports,
            round((sum(m_1.bid_micro) / sum(m_1.measured_micro)), 6) AS ratio,
            round((sum(m_1.estimate_micro) / sum(m_1.measured_micro) FILTER (WHERE (m_1.estimate_micro IS NOT NULL))), 6) AS estimate_ratio,
            round(avg((((m_1.bid_micro - m_1.measured_micro))::numeric / (m_1.measured_micro)::numeric)), 6) AS bias,
            round(avg(((((abs((m_1.bid_micro - m_1.measured_micro)))::numeric * (100)::numeric) <= (m_1.measured_micro)::numeric))::integer), 6) AS exact_share,
            sum(m_1.bid_micro) AS bid_micro,
            sum(m_1.measured_micro) AS measured_micro,
            (sum(m_1.tokens_in))::bigint AS tokens_in,
            (sum(m_1.tokens_out))::bigint AS tokens_out,
            (pg_has_role(CURRENT_USER, 'tender_auditor'::name, 'member'::text) OR (m_1.principal = CURRENT_USER)) AS is_shown
           FROM tender_ledger.measured m_1
          WHERE (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (m_1.principal = CURRENT_USER))
          GROUP BY m_1.contractor, m_1.principal, m_1.tier) m;


ALTER TABLE tender.bid_fidelity OWNER TO tender_owner;

--
-- Name: VIEW bid_fidelity; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.bid_fidelity IS 'How near the bids of each contractor came to what its work cost, where it reported that.';


--
-- Name: COLUMN bid_fidelity.contractor; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_fidelity.contractor IS 'Name of the agent.';


--
-- Name: COLUMN bid_fidelity.tier; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_fidelity.tier IS 'Tier it worked at, as it reported; may be empty.';


--
-- Name: COLUMN bid_fidelity.reports; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_fidelity.reports IS 'Kept commitments with a measured cost.';


--
-- Name: COLUMN bid_fidelity.ratio; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_fidelity.ratio IS 'All it bid over all it measured: 1 is cost, 1.2 a fifth above.';


--
-- Name: COLUMN bid_fidelity.estimate_ratio; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_fidelity.estimate_ratio IS 'The same of its own estimates, over the commitments that had one; null: none had.';


--
-- Name: COLUMN bid_fidelity.bias; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_fidelity.bias IS 'Mean of (bid - measured) / measured, in which small tasks weigh as much as large ones.';


--
-- Name: COLUMN bid_fidelity.exact_share; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_fidelity.exact_share IS 'Share of bids within one hundredth of the measured cost.';


--
-- Name: COLUMN bid_fidelity.bid; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_fidelity.bid IS 'All it bid, in credits; amounts and tokens are shown to auditors and to its own principal.';


--
-- Name: COLUMN bid_fidelity.measured; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_fidelity.measured IS 'All it measured, in credits.';


--
-- Name: COLUMN bid_fidelity.tokens_in; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_fidelity.tokens_in IS 'Tokens read, where it reported them.';


--
-- Name: COLUMN bid_fidelity.tokens_out; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_fidelity.tokens_out IS 'Tokens written, where it reported them.';


--
-- Name: COLUMN bid_fidelity.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_fidelity.principal IS 'Principal of the contractor.';


--
-- Name: answer; Type: VIEW; Schema: tender_ledger; Owner: tender_owner
--

CREATE VIEW tender_ledger.answer AS
 SELECT (read_answers.skill COLLATE "C") AS skill,
    read_answers.task_id,
    read_answers.round,
    read_answers.awarded_at,
    (read_answers.contractor COLLATE "C") AS contractor,
    (read_answers.principal COLLATE "C") AS principal,
    read_answers.cost_micro,
    read_answers.ceiling_micro,
    read_answers.is_winner,
    read_answers.is_setter,
    read_answers.units
   FROM tender_ledger.read_answers() read_answers(skill, task_id, round, awarded_at, contractor, principal, cost_micro, ceiling_micro, is_winner, is_setter, units);


ALTER TABLE tender_ledger.answer OWNER TO tender_owner;

--
-- Name: VIEW answer; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON VIEW tender_ledger.answer IS 'Answers to rounds that were awarded, of the newest 200 tasks of each skill: what the screens look at.';


--
-- Name: COLUMN answer.skill; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.answer.skill IS 'Skill of the task.';


--
-- Name: COLUMN answer.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.answer.task_id IS 'The task.';


--
-- Name: COLUMN answer.round; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.answer.round IS 'The round.';


--
-- Name: COLUMN answer.awarded_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.answer.awarded_at IS 'When the round was awarded.';


--
-- Name: COLUMN answer.contractor; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.answer.contractor IS 'Who answered.';


--
-- Name: COLUMN answer.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.answer.principal IS 'Its root principal: siblings are one bidder.';


--
-- Name: COLUMN answer.cost_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.answer.cost_micro IS 'What it bid; null where it stood back: it refused, withdrew, or had won an earlier round and declined.';


--
-- Name: COLUMN answer.ceiling_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.answer.ceiling_micro IS 'The most that could be bid.';


--
-- Name: COLUMN answer.is_winner; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.answer.is_winner IS 'Whether it won.';


--
-- Name: COLUMN answer.is_setter; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.answer.is_setter IS 'Whether its bid was the price.';


--
-- Name: COLUMN answer.units; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.answer.units IS 'Units that the round asked for.';


--
-- Name: bid_window; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.bid_window WITH (security_barrier='true') AS
 SELECT a.skill,
    (a.place)::integer AS place,
    a.task_id,
    a.round,
    a.awarded_at,
    a.contractor,
    a.principal,
    (((a.cost_micro)::numeric / 1000000.0))::numeric(20,6) AS cost,
    (((a.cost_micro)::numeric / (a.ceiling_micro)::numeric))::numeric(20,9) AS share,
    a.is_winner AS won,
    a.is_setter AS set_price,
    a.winner,
    a.winner_principal,
    a.units,
    COALESCE((var_pop(ln(((NULLIF(a.cost_micro, 0))::double precision / (GREATEST(a.units, (1)::bigint))::double precision))) OVER bidder < (0.000001)::double precision), false) AS has_list
   FROM ( SELECT r.skill,
            r.task_id,
            r.round,
            r.awarded_at,
            r.contractor,
            r.principal,
            r.cost_micro,
            r.ceiling_micro,
            r.is_winner,
            r.is_setter,
            r.units,
            r.winner,
            r.winner_principal,
            r.is_contest,
            dense_rank() OVER (PARTITION BY r.skill ORDER BY r.awarded_at DESC, r.task_id DESC, r.round DESC) AS place
           FROM ( SELECT n.skill,
                    n.task_id,
                    n.round,
                    n.awarded_at,
                    n.contractor,
                    n.principal,
                    n.cost_micro,
                    n.ceiling_micro,
                    n.is_winner,
                    n.is_setter,
                    n.units,
                    max(n.contractor) FILTER (WHERE n.is_winner) OVER w AS winner,
                    max(n.principal) FILTER (WHERE n.is_winner) OVER w AS winner_principal,
                    (min(n.principal) FILTER (WHERE (n.cost_micro IS NOT NULL)) OVER w <> max(n.principal) FILTER (WHERE (n.cost_micro IS NOT NULL)) OVER w) AS is_contest
                   FROM tender_ledger.answer n
                  WINDOW w AS (PARTITION BY n.skill, n.task_id, n.round)) r
          WHERE r.is_contest) a
  WHERE (a.place <= 30)
  WINDOW bidder AS (PARTITION BY a.skill, a.contractor);


ALTER TABLE tender.bid_window OWNER TO tender_owner;

--
-- Name: VIEW bid_window; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.bid_window IS 'What the screens look at: per skill the answers to the last 30 awarded rounds in which two principals bid, among its newest 200 tasks. For auditors: it has costs.';


--
-- Name: COLUMN bid_window.skill; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_window.skill IS 'The skill.';


--
-- Name: COLUMN bid_window.place; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_window.place IS 'Which round of the window, from 1, the newest.';


--
-- Name: COLUMN bid_window.task_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_window.task_id IS 'The task.';


--
-- Name: COLUMN bid_window.round; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_window.round IS 'Round of the task.';


--
-- Name: COLUMN bid_window.awarded_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_window.awarded_at IS 'When it was awarded.';


--
-- Name: COLUMN bid_window.contractor; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_window.contractor IS 'Who answered.';


--
-- Name: COLUMN bid_window.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_window.principal IS 'Its root principal: siblings are one bidder.';


--
-- Name: COLUMN bid_window.cost; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_window.cost IS 'What it bid, in credits; null: it stood back, that is refused, withdrew, or had won an earlier round of the task and declined.';


--
-- Name: COLUMN bid_window.share; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_window.share IS 'Its bid over the ceiling.';


--
-- Name: COLUMN bid_window.won; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_window.won IS 'Whether it won.';


--
-- Name: COLUMN bid_window.set_price; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_window.set_price IS 'Whether its bid was the price.';


--
-- Name: COLUMN bid_window.winner; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_window.winner IS 'Who won the round.';


--
-- Name: COLUMN bid_window.winner_principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_window.winner_principal IS 'Its root principal.';


--
-- Name: COLUMN bid_window.units; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_window.units IS 'Units that the round asked for.';


--
-- Name: COLUMN bid_window.has_list; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.bid_window.has_list IS 'Whether the contractor asks the same for a unit in all of the window, to a thousandth: it posts a price, and what it bids says nothing of what others do.';


--
-- Name: broker; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.broker (
    gone_at timestamp with time zone NOT NULL,
    broker text NOT NULL COLLATE pg_catalog."C",
    urls text NOT NULL COLLATE pg_catalog."C",
    backend_pid integer,
    CONSTRAINT broker_gone_is_finite CHECK (isfinite(gone_at)),
    CONSTRAINT broker_has_a_name CHECK (((octet_length(broker) >= 1) AND (octet_length(broker) <= 64)))
)
WITH (fillfactor='50');


ALTER TABLE tender_ledger.broker OWNER TO tender_owner;

--
-- Name: TABLE broker; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.broker IS 'Brokers that share the ledger or stand by.';


--
-- Name: COLUMN broker.gone_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.broker.gone_at IS 'Counts as gone from then on.';


--
-- Name: COLUMN broker.broker; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.broker.broker IS 'Name of the broker.';


--
-- Name: COLUMN broker.urls; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.broker.urls IS 'Where peers find it, with spaces between.';


--
-- Name: COLUMN broker.backend_pid; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.broker.backend_pid IS 'Backend through which it said so.';


--
-- Name: broker_key; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.broker_key (
    since_at timestamp with time zone NOT NULL,
    shard smallint NOT NULL,
    broker text NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT broker_key_is_ed25519 CHECK ((octet_length(key) = 32))
);


ALTER TABLE tender_ledger.broker_key OWNER TO tender_owner;

--
-- Name: TABLE broker_key; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.broker_key IS 'By which key brokers have signed, in each shard.';


--
-- Name: COLUMN broker_key.since_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.broker_key.since_at IS 'Since when: a broker signs by the newest.';


--
-- Name: COLUMN broker_key.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.broker_key.shard IS 'The shard.';


--
-- Name: COLUMN broker_key.broker; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.broker_key.broker IS 'Name of the broker.';


--
-- Name: COLUMN broker_key.key; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.broker_key.key IS 'Its Ed25519 public key.';


--
-- Name: reign; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.reign (
    stamp_at timestamp with time zone,
    reign bigint NOT NULL,
    batch bigint NOT NULL,
    backend_pid integer,
    shard smallint NOT NULL,
    broker text NOT NULL,
    lease_ends_at timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    lease interval DEFAULT '00:00:02'::interval NOT NULL,
    urls text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    first_batch bigint DEFAULT 0 NOT NULL,
    CONSTRAINT reign_batch_is_not_negative CHECK ((batch >= 0)),
    CONSTRAINT reign_counts_from_one CHECK ((reign >= 1)),
    CONSTRAINT reign_lease_is_finite CHECK (isfinite(lease_ends_at)),
    CONSTRAINT reign_lease_lasts CHECK ((lease > '00:00:00'::interval)),
    CONSTRAINT reign_stamp_is_finite CHECK (isfinite(stamp_at))
)
WITH (fillfactor='50');


ALTER TABLE tender_ledger.reign OWNER TO tender_owner;

--
-- Name: TABLE reign; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.reign IS 'Which broker may write, per shard, and how far it came.';


--
-- Name: COLUMN reign.stamp_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.reign.stamp_at IS 'Stamp of the last batch, idle ones included: a recess begins here after a crash.';


--
-- Name: COLUMN reign.reign; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.reign.reign IS 'Number of the reign; fences every write.';


--
-- Name: COLUMN reign.batch; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.reign.batch IS 'Number of the last batch held.';


--
-- Name: COLUMN reign.backend_pid; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.reign.backend_pid IS 'Backend that the broker writes through.';


--
-- Name: COLUMN reign.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.reign.shard IS 'The shard.';


--
-- Name: COLUMN reign.broker; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.reign.broker IS 'Name of the broker, for people.';


--
-- Name: COLUMN reign.lease_ends_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.reign.lease_ends_at IS 'Until when the shard is the broker''s, by the database''s clock.';


--
-- Name: COLUMN reign.lease; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.reign.lease IS 'By how much a batch renews the lease.';


--
-- Name: COLUMN reign.urls; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.reign.urls IS 'Where peers find the broker, with spaces between.';


--
-- Name: COLUMN reign.first_batch; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.reign.first_batch IS 'Number of the first batch of this reign: the lease of its recall lasts until the one behind it.';


--
-- Name: broker; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.broker AS
 SELECT COALESCE(r.broker, b.broker) AS broker,
    (r.shard)::integer AS shard,
    r.reign,
    COALESCE(r.urls, b.urls) AS urls,
    r.stamp_at,
    r.lease_ends_at,
        CASE
            WHEN ((r.lease_ends_at > clock_timestamp()) AND (r.lease_ends_at <= (clock_timestamp() + ((6)::double precision * r.lease)))) THEN 'reigns'::text
            WHEN (r.broker IS NOT NULL) THEN 'gone'::text
            WHEN tender_ledger.broker_lives(b.gone_at, b.backend_pid) THEN 'stands by'::text
            ELSE 'gone'::text
        END AS state,
    ( SELECT ('ed25519:'::text || encode(k.key, 'hex'::text))
           FROM tender_ledger.broker_key k
          WHERE (k.broker = COALESCE(r.broker, b.broker))
          ORDER BY k.since_at DESC
         LIMIT 1) AS key
   FROM (tender_ledger.reign r
     FULL JOIN tender_ledger.broker b ON ((b.broker = r.broker)));


ALTER TABLE tender.broker OWNER TO tender_owner;

--
-- Name: VIEW broker; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.broker IS 'Which broker holds which shard, and which stand by; one that is gone stays listed with what it held last.';


--
-- Name: COLUMN broker.broker; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.broker.broker IS 'Name of the broker.';


--
-- Name: COLUMN broker.shard; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.broker.shard IS 'Shard that it holds or held last; null where it holds none.';


--
-- Name: COLUMN broker.reign; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.broker.reign IS 'Number of that reign.';


--
-- Name: COLUMN broker.urls; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.broker.urls IS 'Where peers find it, with spaces between.';


--
-- Name: COLUMN broker.stamp_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.broker.stamp_at IS 'Stamp of the last batch.';


--
-- Name: COLUMN broker.lease_ends_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.broker.lease_ends_at IS 'Until when the shard is its own, unless it renews that.';


--
-- Name: COLUMN broker.state; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.broker.state IS 'reigns, stands by, or gone.';


--
-- Name: COLUMN broker.key; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.broker.key IS 'Public key by which it signs (tender.broker_key); null: it never held a shard.';


--
-- Name: broker_key; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.broker_key AS
 SELECT k.broker,
    (k.shard)::integer AS shard,
    ('ed25519:'::text || encode(k.key, 'hex'::text)) AS key,
    k.since_at,
    lead(k.since_at) OVER (PARTITION BY k.shard, k.broker ORDER BY k.since_at) AS until_at
   FROM tender_ledger.broker_key k;


ALTER TABLE tender.broker_key OWNER TO tender_owner;

--
-- Name: VIEW broker_key; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.broker_key IS 'By which key each broker has signed in each shard, and since when. A copy of the key from elsewhere is what shows that it is right.';


--
-- Name: COLUMN broker_key.broker; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.broker_key.broker IS 'Name of the broker.';


--
-- Name: COLUMN broker_key.shard; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.broker_key.shard IS 'The shard.';


--
-- Name: COLUMN broker_key.key; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.broker_key.key IS 'Its public key, as TENDER_BROKER_KEY takes it.';


--
-- Name: COLUMN broker_key.since_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.broker_key.since_at IS 'Since when.';


--
-- Name: COLUMN broker_key.until_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.broker_key.until_at IS 'When it began to sign by another one; null: it did not.';


--
-- Name: commitment; Type: VIEW; Schema: tender_ledger; Owner: tender_owner
--

CREATE VIEW tender_ledger.commitment AS
 SELECT e.awarded_at,
    e.due_at,
    e.acknowledged_at,
    e.ended_at,
    e.price_micro,
    e.paid_micro,
    e.fee_micro,
    e.units,
    e.units_done,
    e.generation,
    e.round,
    e.part,
    e.shard,
    e.state,
    e.reason,
    e.task_id,
    e.owner,
    e.principal
   FROM tender_ledger.ending e
  WHERE (e.generation > 0);


ALTER TABLE tender_ledger.commitment OWNER TO tender_owner;

--
-- Name: VIEW commitment; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON VIEW tender_ledger.commitment IS 'Every commitment that has ended.';


--
-- Name: COLUMN commitment.awarded_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.awarded_at IS 'When it was awarded.';


--
-- Name: COLUMN commitment.due_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.due_at IS 'When it had to be kept.';


--
-- Name: COLUMN commitment.acknowledged_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.acknowledged_at IS 'When the owner''s program took it.';


--
-- Name: COLUMN commitment.ended_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.ended_at IS 'When it ended, and was paid.';


--
-- Name: COLUMN commitment.price_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.price_micro IS 'Promised for all its units.';


--
-- Name: COLUMN commitment.paid_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.paid_micro IS 'Paid to its principal when it ended, fee included; what came later is a transfer.';


--
-- Name: COLUMN commitment.fee_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.fee_micro IS 'The part of what was paid that is the kill fee.';


--
-- Name: COLUMN commitment.units; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.units IS 'Units promised.';


--
-- Name: COLUMN commitment.units_done; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.units_done IS 'Units accepted.';


--
-- Name: COLUMN commitment.generation; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.generation IS 'Number of the award within its part.';


--
-- Name: COLUMN commitment.round; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.round IS 'Round it was awarded in.';


--
-- Name: COLUMN commitment.part; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.part IS 'Part of the task; 0 while work is not split.';


--
-- Name: COLUMN commitment.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN commitment.state; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.state IS 'Word commitment_state, from fulfilled on.';


--
-- Name: COLUMN commitment.reason; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.reason IS 'Why it ended: word reason.';


--
-- Name: COLUMN commitment.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.task_id IS 'The task.';


--
-- Name: COLUMN commitment.owner; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.owner IS 'Contractor that promised.';


--
-- Name: COLUMN commitment.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.commitment.principal IS 'Principal of the owner, who was paid.';


--
-- Name: delivery; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.delivery (
    delivered_at timestamp with time zone NOT NULL,
    accept_by_at timestamp with time zone NOT NULL,
    size bigint,
    measured_micro bigint NOT NULL,
    units integer NOT NULL,
    generation integer NOT NULL,
    part integer NOT NULL,
    shard smallint NOT NULL,
    task_id uuid NOT NULL,
    digest bytea,
    owner text NOT NULL COLLATE pg_catalog."C",
    evidence text NOT NULL COLLATE pg_catalog."C",
    tier text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT delivery_counts_from_one CHECK (((generation >= 1) AND (part >= 0))),
    CONSTRAINT delivery_has_units CHECK ((units >= 1)),
    CONSTRAINT delivery_measured_is_not_negative CHECK ((measured_micro >= 0)),
    CONSTRAINT delivery_result_has_size_and_digest CHECK ((((size IS NULL) = (digest IS NULL)) AND (size >= 0) AND (octet_length(digest) = 32))),
    CONSTRAINT delivery_waits_for_a_time CHECK (((delivered_at > '-infinity'::timestamp with time zone) AND (accept_by_at >= delivered_at) AND (accept_by_at <= '2100-01-01 00:00:00+00'::timestamp with time zone)))
);


ALTER TABLE tender_ledger.delivery OWNER TO tender_owner;

--
-- Name: TABLE delivery; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.delivery IS 'One row per completion that a client was asked to accept.';


--
-- Name: COLUMN delivery.delivered_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.delivery.delivered_at IS 'When it was reported.';


--
-- Name: COLUMN delivery.accept_by_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.delivery.accept_by_at IS 'When silence accepts it, as it was told then; a recess moves it.';


--
-- Name: COLUMN delivery.size; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.delivery.size IS 'Bytes of the result; null where there is none.';


--
-- Name: COLUMN delivery.measured_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.delivery.measured_micro IS 'What the work cost, as its contractor says; 0 where it does not.';


--
-- Name: COLUMN delivery.units; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.delivery.units IS 'Units delivered.';


--
-- Name: COLUMN delivery.generation; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.delivery.generation IS 'Number of the award within its part.';


--
-- Name: COLUMN delivery.part; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.delivery.part IS 'Part of the task; 0 while work is not split.';


--
-- Name: COLUMN delivery.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.delivery.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN delivery.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.delivery.task_id IS 'The task.';


--
-- Name: COLUMN delivery.digest; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.delivery.digest IS 'SHA-256 of the result; null where there is none.';


--
-- Name: COLUMN delivery.owner; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.delivery.owner IS 'Contractor that delivered it.';


--
-- Name: COLUMN delivery.evidence; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.delivery.evidence IS 'Lines NAME=VALUE, as its contractor wrote them.';


--
-- Name: COLUMN delivery.tier; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.delivery.tier IS 'Tier that did the work, as its contractor says.';


--
-- Name: open_part; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.open_part (
    awarded_at timestamp with time zone,
    due_at timestamp with time zone,
    acknowledged_at timestamp with time zone,
    price_micro bigint,
    ceiling_micro bigint NOT NULL,
    paid_micro bigint DEFAULT 0 NOT NULL,
    units integer NOT NULL,
    units_done integer DEFAULT 0 NOT NULL,
    promised_units integer,
    promised_units_done integer,
    generation integer,
    awarded_round integer,
    round integer NOT NULL,
    part integer NOT NULL,
    shard smallint NOT NULL,
    state smallint DEFAULT 2 NOT NULL,
    reason smallint DEFAULT 0 NOT NULL,
    promise_state smallint,
    task_id uuid NOT NULL,
    payer text NOT NULL COLLATE pg_catalog."C",
    owner text COLLATE pg_catalog."C",
    principal text COLLATE pg_catalog."C",
    CONSTRAINT commitment_counts_from_one CHECK (((generation >= 1) AND (awarded_round >= 1))),
    CONSTRAINT commitment_does_no_more_than_its_units CHECK (((promised_units_done >= 0) AND (promised_units_done <= promised_units) AND (promised_units >= 1))),
    CONSTRAINT commitment_is_active_or_delivered CHECK (((promise_state >= 1) AND (promise_state <= 2))),
    CONSTRAINT commitment_is_due_at_an_instant CHECK (((due_at >= awarded_at) AND (due_at <= '2100-01-01 00:00:00+00'::timestamp with time zone) AND (awarded_at > '-infinity'::timestamp with time zone))),
    CONSTRAINT commitment_is_whole CHECK (((num_nonnulls(owner, principal, price_micro, due_at, awarded_at, promised_units, promised_units_done, awarded_round, promise_state) =
CASE
    WHEN (generation IS NULL) THEN 0
    ELSE 9
END) AND ((generation IS NOT NULL) OR (acknowledged_at IS NULL)))),
    CONSTRAINT commitment_price_is_within_the_ceiling CHECK (((price_micro >= 0) AND (price_micro <= (ceiling_micro - paid_micro)))),
    CONSTRAINT open_part_does_no_more_than_its_units CHECK (((units_done >= 0) AND (units_done <= units))),
    CONSTRAINT open_part_is_not_ended CHECK (((state < 6) AND (state <> 3))),
    CONSTRAINT open_part_pays_no_more_than_its_ceiling CHECK (((paid_micro >= 0) AND (paid_micro <= ceiling_micro)))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='20000', autovacuum_vacuum_cost_delay='0', fillfactor='70');


ALTER TABLE tender_ledger.open_part OWNER TO tender_owner;

--
-- Name: TABLE open_part; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.open_part IS 'One row per part of a task that goes on, with the commitment that is active for it.';


--
-- Name: COLUMN open_part.awarded_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.awarded_at IS 'Of the commitment: when it was awarded.';


--
-- Name: COLUMN open_part.due_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.due_at IS 'Of the commitment: when it must be kept; a recess moves it.';


--
-- Name: COLUMN open_part.acknowledged_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.acknowledged_at IS 'Of the commitment: when the owner''s program took it.';


--
-- Name: COLUMN open_part.price_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.price_micro IS 'Of the commitment: promised for all its units.';


--
-- Name: COLUMN open_part.ceiling_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.ceiling_micro IS 'Ceiling of the task.';


--
-- Name: COLUMN open_part.paid_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.paid_micro IS 'Paid so far, over ended commitments.';


--
-- Name: COLUMN open_part.units; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.units IS 'Units of the task.';


--
-- Name: COLUMN open_part.units_done; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.units_done IS 'Units accepted so far, over ended commitments.';


--
-- Name: COLUMN open_part.promised_units; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.promised_units IS 'Of the commitment: its units.';


--
-- Name: COLUMN open_part.promised_units_done; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.promised_units_done IS 'Of the commitment: units reported so far.';


--
-- Name: COLUMN open_part.generation; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.generation IS 'Of the commitment: number of the award within its part; null while none is active.';


--
-- Name: COLUMN open_part.awarded_round; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.awarded_round IS 'Of the commitment: round it was awarded in.';


--
-- Name: COLUMN open_part.round; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.round IS 'Number of the last round.';


--
-- Name: COLUMN open_part.part; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.part IS 'Part of the task; 0 while work is not split.';


--
-- Name: COLUMN open_part.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN open_part.state; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.state IS 'Word task_state; open also while awarded, which the commitment says.';


--
-- Name: COLUMN open_part.reason; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.reason IS 'Why it is in this state: word reason.';


--
-- Name: COLUMN open_part.promise_state; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.promise_state IS 'Of the commitment: word commitment_state.';


--
-- Name: COLUMN open_part.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.task_id IS 'The task.';


--
-- Name: COLUMN open_part.payer; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.payer IS 'Principal whose account pays.';


--
-- Name: COLUMN open_part.owner; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.owner IS 'Of the commitment: contractor that promised.';


--
-- Name: COLUMN open_part.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.open_part.principal IS 'Of the commitment: principal of the owner.';


--
-- Name: split_part; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.split_part (
    awarded_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    acknowledged_at timestamp with time zone,
    price_micro bigint NOT NULL,
    promised_units integer NOT NULL,
    promised_units_done integer DEFAULT 0 NOT NULL,
    generation integer NOT NULL,
    awarded_round integer NOT NULL,
    part integer NOT NULL,
    shard smallint NOT NULL,
    promise_state smallint DEFAULT 1 NOT NULL,
    task_id uuid NOT NULL,
    owner text NOT NULL COLLATE pg_catalog."C",
    principal text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT split_part_counts_from_one CHECK (((part >= 1) AND (generation >= 1) AND (awarded_round >= 1))),
    CONSTRAINT split_part_does_no_more_than_its_units CHECK (((promised_units_done >= 0) AND (promised_units_done <= promised_units) AND (promised_units >= 1))),
    CONSTRAINT split_part_is_active_or_delivered CHECK (((promise_state >= 1) AND (promise_state <= 2))),
    CONSTRAINT split_part_is_due_at_an_instant CHECK (((due_at >= awarded_at) AND (due_at <= '2100-01-01 00:00:00+00'::timestamp with time zone) AND (awarded_at > '-infinity'::timestamp with time zone))),
    CONSTRAINT split_part_price_is_not_negative CHECK ((price_micro >= 0))
)
WITH (fillfactor='50');


ALTER TABLE tender_ledger.split_part OWNER TO tender_owner;

--
-- Name: TABLE split_part; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.split_part IS 'One row per active commitment of a task whose units are split.';


--
-- Name: COLUMN split_part.awarded_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.split_part.awarded_at IS 'When it was awarded.';


--
-- Name: COLUMN split_part.due_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.split_part.due_at IS 'When it must be kept; a recess moves it.';


--
-- Name: COLUMN split_part.acknowledged_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.split_part.acknowledged_at IS 'When the owner''s program took it.';


--
-- Name: COLUMN split_part.price_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.split_part.price_micro IS 'Promised for all its units.';


--
-- Name: COLUMN split_part.promised_units; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.split_part.promised_units IS 'Its units.';


--
-- Name: COLUMN split_part.promised_units_done; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.split_part.promised_units_done IS 'Units reported so far.';


--
-- Name: COLUMN split_part.generation; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.split_part.generation IS 'Number of the award within its part.';


--
-- Name: COLUMN split_part.awarded_round; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.split_part.awarded_round IS 'Round it was awarded in.';


--
-- Name: COLUMN split_part.part; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.split_part.part IS 'Number of the part within the task, from 1; never used again.';


--
-- Name: COLUMN split_part.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.split_part.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN split_part.promise_state; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.split_part.promise_state IS 'Word commitment_state: active or delivered.';


--
-- Name: COLUMN split_part.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.split_part.task_id IS 'The task.';


--
-- Name: COLUMN split_part.owner; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.split_part.owner IS 'Contractor that promised.';


--
-- Name: COLUMN split_part.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.split_part.principal IS 'Principal of the owner.';


--
-- Name: promise; Type: VIEW; Schema: tender_ledger; Owner: tender_owner
--

CREATE VIEW tender_ledger.promise AS
 SELECT p.shard,
    p.task_id,
    p.part,
    p.generation,
    p.awarded_round AS round,
    p.owner,
    p.principal,
    p.promised_units AS units,
    p.promised_units_done AS units_done,
    p.price_micro,
    p.awarded_at,
    p.due_at,
    p.acknowledged_at,
    p.promise_state AS state
   FROM tender_ledger.open_part p
  WHERE (p.generation IS NOT NULL)
UNION ALL
 SELECT s.shard,
    s.task_id,
    s.part,
    s.generation,
    s.awarded_round AS round,
    s.owner,
    s.principal,
    s.promised_units AS units,
    s.promised_units_done AS units_done,
    s.price_micro,
    s.awarded_at,
    s.due_at,
    s.acknowledged_at,
    s.promise_state AS state
   FROM tender_ledger.split_part s;


ALTER TABLE tender_ledger.promise OWNER TO tender_owner;

--
-- Name: VIEW promise; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON VIEW tender_ledger.promise IS 'Every commitment that has not ended, of split tasks too.';


--
-- Name: COLUMN promise.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.promise.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN promise.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.promise.task_id IS 'The task.';


--
-- Name: COLUMN promise.part; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.promise.part IS 'Part of the task; 0 while work is not split.';


--
-- Name: COLUMN promise.generation; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.promise.generation IS 'Number of the award within its part.';


--
-- Name: COLUMN promise.round; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.promise.round IS 'Round it was awarded in.';


--
-- Name: COLUMN promise.owner; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.promise.owner IS 'Contractor that promised.';


--
-- Name: COLUMN promise.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.promise.principal IS 'Principal of the owner.';


--
-- Name: COLUMN promise.units; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.promise.units IS 'Its units.';


--
-- Name: COLUMN promise.units_done; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.promise.units_done IS 'Units reported so far.';


--
-- Name: COLUMN promise.price_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.promise.price_micro IS 'Promised for all its units.';


--
-- Name: COLUMN promise.awarded_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.promise.awarded_at IS 'When it was awarded.';


--
-- Name: COLUMN promise.due_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.promise.due_at IS 'When it must be kept; a recess moves it.';


--
-- Name: COLUMN promise.acknowledged_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.promise.acknowledged_at IS 'When the owner''s program took it.';


--
-- Name: COLUMN promise.state; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.promise.state IS 'Word commitment_state: active or delivered.';


--
-- Name: client_record; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.client_record WITH (security_barrier='true') AS
 SELECT t.client,
    t.principal,
    count(*) AS announced,
    count(*) FILTER (WHERE (c.awards > 0)) AS awarded,
    (COALESCE(sum(d.delivered), (0)::numeric))::bigint AS delivered,
    (COALESCE(sum(d.accepted), (0)::numeric))::bigint AS accepted,
    (COALESCE(sum(d.rejected), (0)::numeric))::bigint AS rejected,
    (COALESCE(sum(d.by_silence), (0)::numeric))::bigint AS by_silence,
    round((sum(d.rejected) / NULLIF(sum(((d.accepted + d.rejected) + d.by_silence)), (0)::numeric)), 6) AS rejected_share
   FROM ((tender_ledger.task t
     CROSS JOIN LATERAL ( SELECT (( SELECT count(*) AS count
                   FROM tender_ledger.commitment c_1
                  WHERE ((c_1.shard = t.shard) AND (c_1.task_id = t.task_id))) + ( SELECT count(*) AS count
                   FROM tender_ledger.promise p
                  WHERE ((p.shard = t.shard) AND (p.task_id = t.task_id)))) AS awards) c)
     LEFT JOIN LATERAL ( SELECT count(*) AS delivered,
            count(*) FILTER (WHERE ((c_1.state = 3) AND (c_1.reason <> 73))) AS accepted,
            count(*) FILTER (WHERE (c_1.reason = 74)) AS rejected,
            count(*) FILTER (WHERE (c_1.reason = 73)) AS by_silence
           FROM (tender_ledger.delivery d_1
             LEFT JOIN tender_ledger.commitment c_1 ON (((c_1.shard = d_1.shard) AND (c_1.task_id = d_1.task_id) AND (c_1.part = d_1.part) AND (c_1.generation = d_1.generation))))
          WHERE ((d_1.shard = t.shard) AND (d_1.task_id = t.task_id))) d ON (true))
  WHERE (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (t.principal = CURRENT_USER))
  GROUP BY t.client, t.principal;


ALTER TABLE tender.client_record OWNER TO tender_owner;

--
-- Name: VIEW client_record; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.client_record IS 'What each client announced, and how it decided on what was delivered to it.';


--
-- Name: COLUMN client_record.client; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.client_record.client IS 'Agent that announces.';


--
-- Name: COLUMN client_record.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.client_record.principal IS 'Whose account pays.';


--
-- Name: COLUMN client_record.announced; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.client_record.announced IS 'Tasks announced.';


--
-- Name: COLUMN client_record.awarded; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.client_record.awarded IS 'Tasks of these that were awarded.';


--
-- Name: COLUMN client_record.delivered; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.client_record.delivered IS 'Deliveries that it was asked to accept.';


--
-- Name: COLUMN client_record.accepted; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.client_record.accepted IS 'Those it took.';


--
-- Name: COLUMN client_record.rejected; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.client_record.rejected IS 'Those it did not take, or not all of it.';


--
-- Name: COLUMN client_record.by_silence; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.client_record.by_silence IS 'Those that its silence accepted.';


--
-- Name: COLUMN client_record.rejected_share; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.client_record.rejected_share IS 'Rejected, of those decided; null before any.';


--
-- Name: adoption; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.adoption (
    adopted_at timestamp with time zone NOT NULL,
    paid_micro bigint NOT NULL,
    units integer NOT NULL,
    number integer NOT NULL,
    late integer NOT NULL,
    generation integer NOT NULL,
    part integer NOT NULL,
    shard smallint NOT NULL,
    task_id uuid NOT NULL,
    principal text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT adoption_follows_its_result CHECK (((late >= 1) AND (number > late))),
    CONSTRAINT adoption_pays_no_less_than_nothing CHECK ((paid_micro >= 0)),
    CONSTRAINT adoption_takes_something CHECK ((units >= 1)),
    CONSTRAINT adoption_time_is_finite CHECK (isfinite(adopted_at))
);


ALTER TABLE tender_ledger.adoption OWNER TO tender_owner;

--
-- Name: TABLE adoption; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.adoption IS 'One row per late result that a client took.';


--
-- Name: COLUMN adoption.adopted_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.adoption.adopted_at IS 'When it was taken.';


--
-- Name: COLUMN adoption.paid_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.adoption.paid_micro IS 'Paid for it, to the principal that the commitment was of; a transfer as well.';


--
-- Name: COLUMN adoption.units; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.adoption.units IS 'Units newly accepted.';


--
-- Name: COLUMN adoption.number; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.adoption.number IS 'Number of its entry.';


--
-- Name: COLUMN adoption.late; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.adoption.late IS 'Number of the entry that has the result.';


--
-- Name: COLUMN adoption.generation; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.adoption.generation IS 'Of the commitment: number of the award.';


--
-- Name: COLUMN adoption.part; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.adoption.part IS 'Of the commitment: part of the task.';


--
-- Name: COLUMN adoption.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.adoption.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN adoption.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.adoption.task_id IS 'The task.';


--
-- Name: COLUMN adoption.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.adoption.principal IS 'Who was paid.';


--
-- Name: transfer; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.transfer (
    at timestamp with time zone NOT NULL,
    amount_micro bigint NOT NULL,
    number integer NOT NULL,
    generation integer,
    shard smallint NOT NULL,
    task_id uuid NOT NULL,
    from_principal text NOT NULL COLLATE pg_catalog."C",
    from_bucket text NOT NULL,
    to_principal text NOT NULL COLLATE pg_catalog."C",
    to_bucket text NOT NULL,
    CONSTRAINT transfer_buckets_exist CHECK (((from_bucket = ANY (ARRAY['issued'::text, 'available'::text, 'reserved'::text, 'earned'::text])) AND (to_bucket = ANY (ARRAY['issued'::text, 'available'::text, 'reserved'::text, 'earned'::text])))),
    CONSTRAINT transfer_has_two_ends CHECK (((from_principal <> to_principal) OR (from_bucket <> to_bucket))),
    CONSTRAINT transfer_moves_something CHECK ((amount_micro > 0)),
    CONSTRAINT transfer_time_is_finite CHECK (isfinite(at))
);


ALTER TABLE tender_ledger.transfer OWNER TO tender_owner;

--
-- Name: TABLE transfer; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.transfer IS 'Movements of money that no row of a task or commitment tells: both ends in one row.';


--
-- Name: COLUMN transfer.at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.transfer.at IS 'Stamp of its entry.';


--
-- Name: COLUMN transfer.amount_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.transfer.amount_micro IS 'Micro-credits moved.';


--
-- Name: COLUMN transfer.number; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.transfer.number IS 'Number of the entry that moved them.';


--
-- Name: COLUMN transfer.generation; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.transfer.generation IS 'Commitment it belongs to, where it does.';


--
-- Name: COLUMN transfer.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.transfer.shard IS 'Shard of the payer.';


--
-- Name: COLUMN transfer.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.transfer.task_id IS 'Task of the entry; all zero for the house.';


--
-- Name: COLUMN transfer.from_principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.transfer.from_principal IS 'Who has less.';


--
-- Name: COLUMN transfer.from_bucket; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.transfer.from_bucket IS 'issued, available, reserved or earned.';


--
-- Name: COLUMN transfer.to_principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.transfer.to_principal IS 'Who has more.';


--
-- Name: COLUMN transfer.to_bucket; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.transfer.to_bucket IS 'issued, available, reserved or earned.';


--
-- Name: commitment; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.commitment WITH (security_barrier='true') AS
 SELECT ((c.task_id ||
        CASE
            WHEN (c.part = 0) THEN '/'::text
            ELSE (('/'::text || c.part) || '.'::text)
        END) || c.generation) AS commitment_id,
    c.task_id,
    c.round,
    c.owner,
    t.client AS creditor,
    c.units,
    c.units_done,
    (((c.price_micro)::numeric / 1000000.0))::numeric(20,6) AS price,
    (((c.paid_micro)::numeric / 1000000.0))::numeric(20,6) AS paid,
    c.due_at,
    s.name AS status,
    r.name AS reason,
    c.ended_at,
    ((c.state = 1) AND (c.due_at < clock_timestamp())) AS overdue,
    c.principal,
    c.awarded_at,
    c.acknowledged_at,
    (((c.fee_micro)::numeric / 1000000.0))::numeric(20,6) AS fee
   FROM (((( SELECT p.shard,
            p.task_id,
            p.part,
            p.generation,
            p.round,
            p.owner,
            p.principal,
            p.units,
            p.units_done,
            p.price_micro,
            (0)::bigint AS paid_micro,
            (0)::bigint AS fee_micro,
            p.awarded_at,
            p.due_at,
            p.acknowledged_at,
            NULL::timestamp with time zone AS ended_at,
            p.state,
            (0)::smallint AS reason
           FROM tender_ledger.promise p
        UNION ALL
         SELECT c_1.shard,
            c_1.task_id,
            c_1.part,
            c_1.generation,
            c_1.round,
            c_1.owner,
            c_1.principal,
            c_1.units,
            c_1.units_done,
            c_1.price_micro,
            ((c_1.paid_micro + (COALESCE(( SELECT sum(m.amount_micro) AS sum
                   FROM tender_ledger.transfer m
                  WHERE ((m.shard = c_1.shard) AND (m.task_id = c_1.task_id) AND (m.generation = c_1.generation) AND (m.to_bucket = 'earned'::text))), (0)::numeric))::bigint) + (COALESCE(( SELECT sum(a.paid_micro) AS sum
                   FROM tender_ledger.adoption a
                  WHERE ((a.shard = c_1.shard) AND (a.task_id = c_1.task_id) AND (a.part = c_1.part) AND (a.generation = c_1.generation))), (0)::numeric))::bigint),
            c_1.fee_micro,
            c_1.awarded_at,
            c_1.due_at,
            c_1.acknowledged_at,
            c_1.ended_at,
            c_1.state,
            c_1.reason
           FROM tender_ledger.commitment c_1) c
     JOIN tender_ledger.task t ON (((t.shard = c.shard) AND (t.task_id = c.task_id))))
     JOIN tender_ledger.word s ON (((s.vocabulary = 'commitment_state'::text) AND (s.code = c.state))))
     JOIN tender_ledger.word r ON (((r.vocabulary = 'reason'::text) AND (r.code = c.reason))))
  WHERE (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (t.principal = CURRENT_USER) OR (c.principal = CURRENT_USER));


ALTER TABLE tender.commitment OWNER TO tender_owner;

--
-- Name: VIEW commitment; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.commitment IS 'Every promise: its owner, its due time and its status.';


--
-- Name: COLUMN commitment.commitment_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.commitment_id IS 'TASK/GENERATION, of a split task TASK/PART.GENERATION; never used again.';


--
-- Name: COLUMN commitment.task_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.task_id IS 'The task.';


--
-- Name: COLUMN commitment.round; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.round IS 'Round it was awarded in.';


--
-- Name: COLUMN commitment.owner; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.owner IS 'Contractor that promised.';


--
-- Name: COLUMN commitment.creditor; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.creditor IS 'Client that it is promised to.';


--
-- Name: COLUMN commitment.units; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.units IS 'Units promised.';


--
-- Name: COLUMN commitment.units_done; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.units_done IS 'Units reported, and accepted once it ended.';


--
-- Name: COLUMN commitment.price; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.price IS 'Promised for all its units, in credits.';


--
-- Name: COLUMN commitment.paid; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.paid IS 'Paid to its principal, in credits: also what came after its end.';


--
-- Name: COLUMN commitment.due_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.due_at IS 'When it must be kept.';


--
-- Name: COLUMN commitment.status; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.status IS 'active, delivered, fulfilled, failed, lapsed, declined or cancelled.';


--
-- Name: COLUMN commitment.reason; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.reason IS 'Why it ended.';


--
-- Name: COLUMN commitment.ended_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.ended_at IS 'When it ended; null while it is active.';


--
-- Name: COLUMN commitment.overdue; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.overdue IS 'Active and past its due time, by the database''s clock: also while no broker runs.';


--
-- Name: COLUMN commitment.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.principal IS 'Principal of the owner, who is paid.';


--
-- Name: COLUMN commitment.awarded_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.awarded_at IS 'When it was awarded.';


--
-- Name: COLUMN commitment.acknowledged_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.acknowledged_at IS 'When the owner''s program took it.';


--
-- Name: COLUMN commitment.fee; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.fee IS 'The part of what was paid that is the kill fee, in credits.';


--
-- Name: contractor; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.contractor (
    enrolled_at timestamp with time zone NOT NULL,
    departed_at timestamp with time zone,
    number integer NOT NULL,
    slots integer NOT NULL,
    shard smallint NOT NULL,
    departed_reason smallint DEFAULT 0 NOT NULL,
    contractor text NOT NULL COLLATE pg_catalog."C",
    principal text NOT NULL COLLATE pg_catalog."C",
    skills text[] NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT contractor_departs_after_it_enrols CHECK ((departed_at >= enrolled_at)),
    CONSTRAINT contractor_slots_are_not_negative CHECK ((slots >= 0)),
    CONSTRAINT contractor_times_are_finite CHECK ((isfinite(enrolled_at) AND isfinite(departed_at)))
)
WITH (fillfactor='70');


ALTER TABLE tender_ledger.contractor OWNER TO tender_owner;

--
-- Name: TABLE contractor; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.contractor IS 'Contractors as they last enrolled.';


--
-- Name: COLUMN contractor.enrolled_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.contractor.enrolled_at IS 'When it last offered.';


--
-- Name: COLUMN contractor.departed_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.contractor.departed_at IS 'When it was last found gone, if since.';


--
-- Name: COLUMN contractor.number; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.contractor.number IS 'Number of its last enrolment in the house chain.';


--
-- Name: COLUMN contractor.slots; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.contractor.slots IS 'Commitments it may hold at once.';


--
-- Name: COLUMN contractor.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.contractor.shard IS 'The shard.';


--
-- Name: COLUMN contractor.departed_reason; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.contractor.departed_reason IS 'Why it is gone: word reason.';


--
-- Name: COLUMN contractor.contractor; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.contractor.contractor IS 'Name of the agent.';


--
-- Name: COLUMN contractor.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.contractor.principal IS 'Whose agent it is.';


--
-- Name: COLUMN contractor.skills; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.contractor.skills IS 'Skills it offers.';


--
-- Name: enrolment; Type: VIEW; Schema: tender_ledger; Owner: tender_owner
--

CREATE VIEW tender_ledger.enrolment AS
 SELECT DISTINCT ON (c.contractor) c.enrolled_at,
    c.departed_at,
    c.number,
    c.slots,
    c.shard,
    c.departed_reason,
    c.contractor,
    c.principal,
    c.skills
   FROM tender_ledger.contractor c
  ORDER BY c.contractor, c.departed_at DESC, c.enrolled_at DESC;


ALTER TABLE tender_ledger.enrolment OWNER TO tender_owner;

--
-- Name: VIEW enrolment; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON VIEW tender_ledger.enrolment IS 'Where a contractor is enrolled, or was last.';


--
-- Name: COLUMN enrolment.enrolled_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.enrolment.enrolled_at IS 'When it last offered.';


--
-- Name: COLUMN enrolment.departed_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.enrolment.departed_at IS 'When it was last found gone, if since.';


--
-- Name: COLUMN enrolment.number; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.enrolment.number IS 'The entry that says so.';


--
-- Name: COLUMN enrolment.slots; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.enrolment.slots IS 'Commitments it may hold at once.';


--
-- Name: COLUMN enrolment.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.enrolment.shard IS 'Whose house has it.';


--
-- Name: COLUMN enrolment.departed_reason; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.enrolment.departed_reason IS 'Why it is gone.';


--
-- Name: COLUMN enrolment.contractor; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.enrolment.contractor IS 'Name of the agent.';


--
-- Name: COLUMN enrolment.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.enrolment.principal IS 'Whose agent it is.';


--
-- Name: COLUMN enrolment.skills; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.enrolment.skills IS 'Skills it last offered.';


--
-- Name: contractor_record; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.contractor_record WITH (security_barrier='true') AS
 SELECT COALESCE(k.contractor, c.owner) AS contractor,
    COALESCE(k.principal, c.principal) AS principal,
    k.skills,
    k.slots,
    COALESCE(c.active, (0)::bigint) AS active,
    COALESCE(c.awards, (0)::bigint) AS awards,
    COALESCE(c.fulfilled, (0)::bigint) AS fulfilled,
    COALESCE(c.failed, (0)::bigint) AS failed,
    COALESCE(c.lapsed, (0)::bigint) AS lapsed,
    COALESCE(c.declined, (0)::bigint) AS declined,
    COALESCE(c.cancelled, (0)::bigint) AS cancelled,
    COALESCE(c.on_time, (0)::bigint) AS on_time,
    COALESCE(c.units_done, (0)::bigint) AS units_done,
    (((COALESCE(c.earned_micro, (0)::bigint))::numeric / 1000000.0))::numeric(20,6) AS earned,
    k.enrolled_at,
    k.departed_at,
    r.name AS departed_reason,
    COALESCE(c.rejected, (0)::bigint) AS rejected
   FROM ((tender_ledger.enrolment k
     FULL JOIN ( SELECT a.owner,
            max(a.principal) AS principal,
            count(*) FILTER (WHERE (a.state < 3)) AS active,
            count(*) AS awards,
            count(*) FILTER (WHERE (a.state = 3)) AS fulfilled,
            count(*) FILTER (WHERE (a.state = 4)) AS failed,
            count(*) FILTER (WHERE (a.state = 5)) AS lapsed,
            count(*) FILTER (WHERE (a.state = 6)) AS declined,
            count(*) FILTER (WHERE (a.state = 7)) AS cancelled,
            count(*) FILTER (WHERE ((a.state = 3) AND (a.ended_at <= a.due_at))) AS on_time,
            count(*) FILTER (WHERE ((a.state = 4) AND (a.reason = 74))) AS rejected,
            sum(a.units_done) AS units_done,
            (sum(a.paid_micro))::bigint AS earned_micro
           FROM ( SELECT c_1.owner,
                    c_1.principal,
                    c_1.state,
                    c_1.reason,
                    c_1.ended_at,
                    c_1.due_at,
                    c_1.units_done,
                    c_1.paid_micro
                   FROM tender_ledger.commitment c_1
                UNION ALL
                 SELECT p.owner,
                    p.principal,
                    p.state,
                    NULL::smallint,
                    NULL::timestamp with time zone,
                    p.due_at,
                    p.units_done,
                    0
                   FROM tender_ledger.promise p) a
          GROUP BY a.owner) c ON ((c.owner = k.contractor)))
     LEFT JOIN tender_ledger.word r ON (((r.vocabulary = 'reason'::text) AND (r.code = k.departed_reason) AND (k.departed_at IS NOT NULL))))
  WHERE (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (COALESCE(k.principal, c.principal) = CURRENT_USER));


ALTER TABLE tender.contractor_record OWNER TO tender_owner;

--
-- Name: VIEW contractor_record; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.contractor_record IS 'What each contractor offers, and how it kept its promises.';


--
-- Name: COLUMN contractor_record.contractor; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.contractor IS 'Name of the agent.';


--
-- Name: COLUMN contractor_record.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.principal IS 'Whose agent it is.';


--
-- Name: COLUMN contractor_record.skills; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.skills IS 'Skills it last offered.';


--
-- Name: COLUMN contractor_record.slots; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.slots IS 'Commitments it may hold at once.';


--
-- Name: COLUMN contractor_record.active; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.active IS 'Commitments it holds.';


--
-- Name: COLUMN contractor_record.awards; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.awards IS 'Commitments it ever had.';


--
-- Name: COLUMN contractor_record.fulfilled; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.fulfilled IS 'Those it kept.';


--
-- Name: COLUMN contractor_record.failed; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.failed IS 'Those it gave up.';


--
-- Name: COLUMN contractor_record.lapsed; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.lapsed IS 'Those whose due time passed.';


--
-- Name: COLUMN contractor_record.declined; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.declined IS 'Those it did not take.';


--
-- Name: COLUMN contractor_record.cancelled; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.cancelled IS 'Those the client withdrew.';


--
-- Name: COLUMN contractor_record.on_time; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.on_time IS 'Those it kept by their due time.';


--
-- Name: COLUMN contractor_record.units_done; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.units_done IS 'Units accepted.';


--
-- Name: COLUMN contractor_record.earned; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.earned IS 'Credits earned.';


--
-- Name: COLUMN contractor_record.enrolled_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.enrolled_at IS 'When it last offered.';


--
-- Name: COLUMN contractor_record.departed_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.departed_at IS 'When it was last found gone, if since.';


--
-- Name: COLUMN contractor_record.departed_reason; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.departed_reason IS 'Why it is gone.';


--
-- Name: COLUMN contractor_record.rejected; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.contractor_record.rejected IS 'Those whose delivery the client did not take, or not all of it; counted as failed too.';


--
-- Name: recess; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.recess (
    from_at timestamp with time zone NOT NULL,
    until_at timestamp with time zone NOT NULL,
    number integer NOT NULL,
    shard smallint NOT NULL,
    CONSTRAINT recess_ends_after_it_begins CHECK ((isfinite(from_at) AND isfinite(until_at) AND (until_at >= from_at)))
);


ALTER TABLE tender_ledger.recess OWNER TO tender_owner;

--
-- Name: TABLE recess; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.recess IS 'Times in which no broker listened.';


--
-- Name: COLUMN recess.from_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.recess.from_at IS 'Last stamp before it.';


--
-- Name: COLUMN recess.until_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.recess.until_at IS 'Its end, grace included: deadlines in between were moved here.';


--
-- Name: COLUMN recess.number; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.recess.number IS 'Number of its entry in the house chain.';


--
-- Name: COLUMN recess.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.recess.shard IS 'The shard.';


--
-- Name: delivery; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.delivery WITH (security_barrier='true') AS
 SELECT (((d.task_id || '/'::text) ||
        CASE
            WHEN (d.part > 0) THEN (d.part || '.'::text)
            ELSE ''::text
        END) || d.generation) AS commitment_id,
    d.task_id,
    d.owner,
    d.units,
    d.delivered_at,
    m.accept_by,
        CASE
            WHEN (c.state IS NULL) THEN 'pending'::text
            WHEN (c.reason = 73) THEN 'silence'::text
            WHEN (c.state = 3) THEN 'accepted'::text
            ELSE 'rejected'::text
        END AS status,
    c.units_done AS accepted,
    d.size,
    encode(d.digest, 'hex'::text) AS sha256,
    ( SELECT jsonb_object_agg(substr(l.line, 1, (strpos(l.line, '='::text) - 1)), substr(l.line, (strpos(l.line, '='::text) + 1))) AS jsonb_object_agg
           FROM string_to_table(d.evidence, '
'::text) l(line)
          WHERE (strpos(l.line, '='::text) > 1)) AS evidence,
    r.name AS reason,
    c.ended_at AS decided_at
   FROM ((((((tender_ledger.delivery d
     CROSS JOIN LATERAL ( WITH RECURSIVE moved(number, at) AS (
                 SELECT 0 AS "?column?",
                    d.accept_by_at
                UNION ALL
                 SELECT r_1.number,
                    r_1.until_at
                   FROM (moved m_2
                     CROSS JOIN LATERAL ( SELECT r_2.number,
                            r_2.until_at
                           FROM tender_ledger.recess r_2
                          WHERE ((r_2.shard = d.shard) AND (r_2.number > m_2.number) AND (m_2.at >= r_2.from_at) AND (m_2.at < r_2.until_at))
                          ORDER BY r_2.number
                         LIMIT 1) r_1)
                )
         SELECT m_1.at AS accept_by
           FROM moved m_1
          ORDER BY m_1.number DESC
         LIMIT 1) m)
     LEFT JOIN tender_ledger.commitment c ON (((c.shard = d.shard) AND (c.task_id = d.task_id) AND (c.part = d.part) AND (c.generation = d.generation))))
     LEFT JOIN tender_ledger.entry e ON (((c.reason = 74) AND (e.shard = d.shard) AND (e.task_id = d.task_id) AND (e.kind = 8) AND (COALESCE((((e.body)::jsonb ->> 'part'::text))::integer, 0) = d.part) AND ((((e.body)::jsonb ->> 'generation'::text))::integer = d.generation))))
     LEFT JOIN tender_ledger.word r ON (((r.vocabulary = 'reason'::text) AND (((c.reason <> 74) AND (r.code = c.reason)) OR ((c.reason = 74) AND (r.name = COALESCE(((e.body)::jsonb ->> 'said'::text), 'rejected'::text)))))))
     LEFT JOIN tender_ledger.task y ON (((y.shard = d.shard) AND (y.task_id = d.task_id))))
     LEFT JOIN tender_ledger.promise p ON (((p.shard = d.shard) AND (p.task_id = d.task_id) AND (p.part = d.part) AND (p.generation = d.generation))))
  WHERE (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (c.principal = CURRENT_USER) OR (p.principal = CURRENT_USER) OR (y.principal = CURRENT_USER));


ALTER TABLE tender.delivery OWNER TO tender_owner;

--
-- Name: VIEW delivery; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.delivery IS 'Every completion that a client was asked to accept, and what it decided.';


--
-- Name: COLUMN delivery.commitment_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.delivery.commitment_id IS 'TASK/GENERATION, or TASK/PART.GENERATION.';


--
-- Name: COLUMN delivery.task_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.delivery.task_id IS 'The task.';


--
-- Name: COLUMN delivery.owner; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.delivery.owner IS 'Contractor that delivered it.';


--
-- Name: COLUMN delivery.units; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.delivery.units IS 'Units delivered.';


--
-- Name: COLUMN delivery.delivered_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.delivery.delivered_at IS 'When it was reported.';


--
-- Name: COLUMN delivery.accept_by; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.delivery.accept_by IS 'When silence accepts it.';


--
-- Name: COLUMN delivery.status; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.delivery.status IS 'pending, accepted, rejected or silence: accepted by it.';


--
-- Name: COLUMN delivery.accepted; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.delivery.accepted IS 'Units accepted; null while pending.';


--
-- Name: COLUMN delivery.size; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.delivery.size IS 'Bytes of the result.';


--
-- Name: COLUMN delivery.sha256; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.delivery.sha256 IS 'SHA-256 of the result, in hex.';


--
-- Name: COLUMN delivery.evidence; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.delivery.evidence IS 'What its contractor brought, by name.';


--
-- Name: COLUMN delivery.reason; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.delivery.reason IS 'Why it ended so: for a rejection the client''s reason.';


--
-- Name: COLUMN delivery.decided_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.delivery.decided_at IS 'When it was decided; null while pending.';


--
-- Name: task_after; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.task_after (
    shard smallint NOT NULL,
    task_id uuid NOT NULL,
    after_id uuid NOT NULL,
    CONSTRAINT task_does_not_wait_for_itself CHECK ((task_id <> after_id))
);


ALTER TABLE tender_ledger.task_after OWNER TO tender_owner;

--
-- Name: TABLE task_after; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.task_after IS 'One row per task and task that had to be done before it.';


--
-- Name: COLUMN task_after.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_after.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN task_after.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_after.task_id IS 'The task that waits.';


--
-- Name: COLUMN task_after.after_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_after.after_id IS 'The task that must be done first.';


--
-- Name: task_end; Type: VIEW; Schema: tender_ledger; Owner: tender_owner
--

CREATE VIEW tender_ledger.task_end AS
 SELECT e.task_ended_at AS ended_at,
    e.task_ceiling_micro AS ceiling_micro,
    e.task_paid_micro AS paid_micro,
    e.task_released_micro AS released_micro,
    e.task_units AS units,
    e.task_units_done AS units_done,
    e.task_round AS round,
    e.shard,
    e.task_state AS state,
    e.task_reason AS reason,
    e.task_id
   FROM tender_ledger.ending e
  WHERE (e.task_state IS NOT NULL);


ALTER TABLE tender_ledger.task_end OWNER TO tender_owner;

--
-- Name: VIEW task_end; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON VIEW tender_ledger.task_end IS 'Every task that has ended.';


--
-- Name: COLUMN task_end.ended_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_end.ended_at IS 'When it ended.';


--
-- Name: COLUMN task_end.ceiling_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_end.ceiling_micro IS 'Its ceiling again: paid and released add up to it.';


--
-- Name: COLUMN task_end.paid_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_end.paid_micro IS 'Paid over all its commitments.';


--
-- Name: COLUMN task_end.released_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_end.released_micro IS 'Given back to the account.';


--
-- Name: COLUMN task_end.units; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_end.units IS 'Its units again.';


--
-- Name: COLUMN task_end.units_done; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_end.units_done IS 'Units accepted over all its commitments.';


--
-- Name: COLUMN task_end.round; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_end.round IS 'Number of its last round.';


--
-- Name: COLUMN task_end.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_end.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN task_end.state; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_end.state IS 'Word task_state: done, unallocated or cancelled.';


--
-- Name: COLUMN task_end.reason; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_end.reason IS 'Why it ended: word reason.';


--
-- Name: COLUMN task_end.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_end.task_id IS 'The task.';


--
-- Name: dependency; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.dependency WITH (security_barrier='true') AS
 SELECT a.task_id,
    a.after_id,
        CASE
            WHEN (d.state IS NULL) THEN 'pending'::text
            WHEN ((d.state = 6) OR ((s.name = 'cancelled'::text) AND (r.name = 'achieved'::text))) THEN 'done'::text
            ELSE 'failed'::text
        END AS status,
        CASE
            WHEN w.is_told THEN COALESCE(s.name, o.name)
            ELSE NULL::text
        END AS after_status,
        CASE
            WHEN w.is_told THEN r.name
            ELSE NULL::text
        END AS after_reason
   FROM ((((((((tender_ledger.task_after a
     LEFT JOIN tender_ledger.task_end d ON (((d.shard = a.shard) AND (d.task_id = a.after_id))))
     LEFT JOIN tender_ledger.open_part p ON (((p.shard = a.shard) AND (p.task_id = a.after_id) AND (p.part = 0))))
     LEFT JOIN tender_ledger.task x ON (((x.shard = a.shard) AND (x.task_id = a.after_id))))
     LEFT JOIN tender_ledger.word s ON (((s.vocabulary = 'task_state'::text) AND (s.code = d.state))))
     LEFT JOIN tender_ledger.word o ON (((o.vocabulary = 'task_state'::text) AND (o.code =
        CASE p.promise_state
            WHEN 1 THEN 3
            WHEN 2 THEN 4
            ELSE COALESCE((p.state)::integer,
            CASE
                WHEN (x.task_id IS NOT NULL) THEN 2
                ELSE NULL::integer
            END)
        END))))
     LEFT JOIN tender_ledger.word r ON (((r.vocabulary = 'reason'::text) AND (r.code = d.reason))))
     LEFT JOIN tender_ledger.task y ON (((y.shard = a.shard) AND (y.task_id = a.task_id))))
     CROSS JOIN LATERAL ( SELECT (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (x.principal = CURRENT_USER)) AS is_told) w)
  WHERE (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (y.principal = CURRENT_USER));


ALTER TABLE tender.dependency OWNER TO tender_owner;

--
-- Name: VIEW dependency; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.dependency IS 'Which task waits, or waited, for which.';


--
-- Name: COLUMN dependency.task_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.dependency.task_id IS 'The task that is blocked until the other is done.';


--
-- Name: COLUMN dependency.after_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.dependency.after_id IS 'The task that must be done first.';


--
-- Name: COLUMN dependency.status; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.dependency.status IS 'pending while the other goes on; done where it was done or achieved; failed where it ended otherwise.';


--
-- Name: COLUMN dependency.after_status; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.dependency.after_status IS 'Where the other stands; to a principal, where it pays for that one too.';


--
-- Name: COLUMN dependency.after_reason; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.dependency.after_reason IS 'Why the other ended, shown as after_status is.';


--
-- Name: task_goal; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.task_goal (
    shard smallint NOT NULL,
    task_id uuid NOT NULL,
    principal text NOT NULL COLLATE pg_catalog."C",
    goal text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT task_goal_has_a_name CHECK (((octet_length(goal) >= 1) AND (octet_length(goal) <= 64)))
);


ALTER TABLE tender_ledger.task_goal OWNER TO tender_owner;

--
-- Name: TABLE task_goal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.task_goal IS 'One row per task that serves a goal.';


--
-- Name: COLUMN task_goal.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_goal.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN task_goal.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_goal.task_id IS 'The task.';


--
-- Name: COLUMN task_goal.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_goal.principal IS 'Whose goal it is: who pays.';


--
-- Name: COLUMN task_goal.goal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_goal.goal IS 'Name of the goal, among those of its principal.';


--
-- Name: goal; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.goal WITH (security_barrier='true') AS
 SELECT g.principal,
    g.goal,
    g.task_id,
    t.skill,
    s.name AS status,
    r.name AS reason,
    ( SELECT array_agg(a.after_id ORDER BY a.after_id) AS array_agg
           FROM tender_ledger.task_after a
          WHERE ((a.shard = g.shard) AND (a.task_id = g.task_id))) AS after,
    COALESCE(h.owner, ( SELECT c.owner
           FROM tender_ledger.commitment c
          WHERE ((c.shard = g.shard) AND (c.task_id = g.task_id))
          ORDER BY c.ended_at DESC, c.part DESC, c.generation DESC
         LIMIT 1)) AS owner,
    t.units,
    COALESCE(e.units_done, p.units_done) AS units_done,
    (((COALESCE(e.paid_micro, p.paid_micro))::numeric / 1000000.0))::numeric(20,6) AS paid,
    b.belief,
    b.suspended_until,
    h.due_at,
    t.announced_at,
    e.ended_at
   FROM (((((((tender_ledger.task_goal g
     JOIN tender_ledger.task t ON (((t.shard = g.shard) AND (t.task_id = g.task_id))))
     LEFT JOIN tender_ledger.task_end e ON (((e.shard = g.shard) AND (e.task_id = g.task_id))))
     LEFT JOIN tender_ledger.open_part p ON (((p.shard = g.shard) AND (p.task_id = g.task_id) AND (p.part = 0))))
     LEFT JOIN LATERAL ( SELECT string_agg(q.owner, ' '::text ORDER BY q.part) AS owner,
            min(q.due_at) AS due_at
           FROM tender_ledger.promise q
          WHERE ((q.shard = g.shard) AND (q.task_id = g.task_id))) h ON (true))
     LEFT JOIN tender_ledger.word s ON (((s.vocabulary = 'task_state'::text) AND (s.code = COALESCE((e.state)::integer,
        CASE
            WHEN (p.promise_state = 2) THEN 4
            WHEN (h.owner IS NOT NULL) THEN 3
            ELSE NULL::integer
        END, (p.state)::integer)))))
     LEFT JOIN tender_ledger.word r ON (((r.vocabulary = 'reason'::text) AND (r.code = COALESCE(e.reason, p.reason)))))
     LEFT JOIN tender.belief b ON (((e.task_id IS NULL) AND (b.task_id IS NULL) AND (b.goal = g.goal) AND (b.principal = g.principal) AND (b.at >= t.announced_at))))
  WHERE (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (g.principal = CURRENT_USER));


ALTER TABLE tender.goal OWNER TO tender_owner;

--
-- Name: VIEW goal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.goal IS 'The tasks of every goal: one row a task, with what it waits for.';


--
-- Name: COLUMN goal.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.goal.principal IS 'Whose goal it is: who pays.';


--
-- Name: COLUMN goal.goal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.goal.goal IS 'Name of the goal, among those of its principal.';


--
-- Name: COLUMN goal.task_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.goal.task_id IS 'The task.';


--
-- Name: COLUMN goal.skill; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.goal.skill IS 'Skill it needs.';


--
-- Name: COLUMN goal.status; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.goal.status IS 'blocked, open, awarded, delivered, held, done, unallocated or cancelled.';


--
-- Name: COLUMN goal.reason; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.goal.reason IS 'Why it is in this state.';


--
-- Name: COLUMN goal.after; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.goal.after IS 'Tasks that must be done first; null where there are none.';


--
-- Name: COLUMN goal.owner; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.goal.owner IS 'Contractor that holds it, or held it last; several, parted by blanks, where it is split.';


--
-- Name: COLUMN goal.units; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.goal.units IS 'Units to be done.';


--
-- Name: COLUMN goal.units_done; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.goal.units_done IS 'Units accepted so far.';


--
-- Name: COLUMN goal.paid; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.goal.paid IS 'Credits paid so far, over all commitments.';


--
-- Name: COLUMN goal.belief; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.goal.belief IS 'What was last believed about the goal since this task was announced, while the task goes on.';


--
-- Name: COLUMN goal.suspended_until; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.goal.suspended_until IS 'Awards of the goal wait until then for the client''s word.';


--
-- Name: COLUMN goal.due_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.goal.due_at IS 'When the owner must have kept its promise, the first of several; null without one.';


--
-- Name: COLUMN goal.announced_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.goal.announced_at IS 'When the task was announced.';


--
-- Name: COLUMN goal.ended_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.goal.ended_at IS 'When the task ended; null while it goes on.';


--
-- Name: hold; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.hold WITH (security_barrier='true') AS
 SELECT h.contractor,
    h.principal,
    h.skill,
    h.task_id,
    h.reason,
        CASE
            WHEN ( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) THEN h.text
            ELSE NULL::text
        END AS text,
    h.author,
    h.since,
    h.until,
    h.is_over
   FROM (( SELECT NULL::smallint AS shard,
            (f.body ->> 'contractor'::text) AS contractor,
            (f.body ->> 'principal'::text) AS principal,
            (f.body ->> 'skill'::text) AS skill,
            NULL::uuid AS task_id,
            COALESCE((f.body ->> 'reason'::text), 'none'::text) AS reason,
            (f.body ->> 'text'::text) AS text,
            (f.body ->> 'by'::text) AS author,
            f.at AS since,
            ('1970-01-01 00:00:00+00'::timestamp with time zone + ((((f.body ->> 'until_us'::text))::bigint)::double precision * '00:00:00.000001'::interval)) AS until,
            ((COALESCE(((f.body ->> 'until_us'::text))::bigint, (0)::bigint))::numeric <= (EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric)) AS is_over
           FROM ( SELECT DISTINCT ON (e.subject) e.at,
                    e.body
                   FROM tender_ledger.fact e
                  WHERE (e.kind = 27)
                  ORDER BY e.subject, COALESCE(((e.body ->> 'until_us'::text))::bigint, (0)::bigint) DESC, e.at DESC) f
        UNION ALL
         SELECT p.shard,
            NULL::text,
            NULL::text,
            NULL::text,
            p.task_id,
            COALESCE((h_1.body ->> 'reason'::text), 'none'::text) AS "coalesce",
            (h_1.body ->> 'text'::text),
            COALESCE((h_1.body ->> 'by'::text), 'tenderd'::text) AS "coalesce",
            h_1.at,
            ('1970-01-01 00:00:00+00'::timestamp with time zone + ((a.until_us)::double precision * '00:00:00.000001'::interval)),
            ((a.until_us)::numeric <= (EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))
           FROM (((tender_ledger.open_part p
             CROSS JOIN LATERAL ( SELECT COALESCE(max(e.number) FILTER (WHERE (e.kind = 12)), 0) AS released,
                    max(e.number) FILTER (WHERE (e.kind = 11)) AS held
                   FROM tender_ledger.entry e
                  WHERE ((e.shard = p.shard) AND (e.task_id = p.task_id) AND (e.kind = ANY (ARRAY[11, 12])))) l)
             CROSS JOIN LATERAL ( SELECT e.at,
                    (e.body)::jsonb AS body
                   FROM tender_ledger.entry e
                  WHERE ((e.shard = p.shard) AND (e.task_id = p.task_id) AND (e.kind = 11) AND (e.number > l.released))
                  ORDER BY (((e.body)::jsonb ->> 'by'::text) IS NULL), e.number DESC
                 LIMIT 1) h_1)
             CROSS JOIN LATERAL ( SELECT LEAST(((h_1.body ->> 'until_us'::text))::bigint, (((e.body)::jsonb ->> 'deadline_at_us'::text))::bigint) AS until_us
                   FROM tender_ledger.entry e
                  WHERE ((e.shard = p.shard) AND (e.task_id = p.task_id) AND (e.kind = 1))
                 LIMIT 1) a)
          WHERE ((p.part = 0) AND (l.held > l.released) AND ((p.state = ANY (ARRAY[1, 5])) OR (p.generation IS NOT NULL) OR (EXISTS ( SELECT
                   FROM tender_ledger.split_part s
                  WHERE ((s.shard = p.shard) AND (s.task_id = p.task_id))))))) h
     LEFT JOIN tender_ledger.task y ON (((y.shard = h.shard) AND (y.task_id = h.task_id))))
  WHERE (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (h.principal = CURRENT_USER) OR (EXISTS ( SELECT
           FROM tender_ledger.contractor k
          WHERE ((k.contractor = h.contractor) AND (k.principal = CURRENT_USER)))) OR (y.principal = CURRENT_USER));


ALTER TABLE tender.hold OWNER TO tender_owner;

--
-- Name: VIEW hold; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.hold IS 'Who and what is on hold: nothing new for it until the end or a release.';


--
-- Name: COLUMN hold.contractor; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.hold.contractor IS 'Contractor that gets nothing new; null: any.';


--
-- Name: COLUMN hold.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.hold.principal IS 'Principal whose contractors get nothing new; null: any.';


--
-- Name: COLUMN hold.skill; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.hold.skill IS 'Skill that is held for them; null: all skills.';


--
-- Name: COLUMN hold.task_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.hold.task_id IS 'Task that is not announced further; one under a commitment waits behind it.';


--
-- Name: COLUMN hold.reason; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.hold.reason IS 'Why: a word.';


--
-- Name: COLUMN hold.text; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.hold.text IS 'Why: a sentence, for readers and auditors.';


--
-- Name: COLUMN hold.author; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.hold.author IS 'Who said so; tenderd for a quarantine or a fallback.';


--
-- Name: COLUMN hold.since; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.hold.since IS 'Since when.';


--
-- Name: COLUMN hold.until; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.hold.until IS 'When it ends by itself; a task ends at its deadline, held or not. Null for one that was released.';


--
-- Name: COLUMN hold.is_over; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.hold.is_over IS 'Whether that has passed.';


--
-- Name: late_result; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.late_result WITH (security_barrier='true') AS
 SELECT (((e.task_id || '/'::text) ||
        CASE
            WHEN (e.part > 0) THEN (e.part || '.'::text)
            ELSE ''::text
        END) || e.generation) AS commitment_id,
    e.task_id,
    e.owner,
    e.at,
    e.units,
    COALESCE(e.size, d.size) AS size,
    COALESCE(e.sha256, encode(d.digest, 'hex'::text)) AS sha256,
    e.reason,
    a.units AS adopted_units,
    (((a.paid_micro)::numeric / 1000000.0))::numeric(20,6) AS adopted_paid
   FROM ((((( SELECT e_1.shard,
            e_1.task_id,
            e_1.number,
            e_1.at,
            COALESCE(((b.body ->> 'part'::text))::integer, 0) AS part,
            ((b.body ->> 'generation'::text))::integer AS generation,
            (b.body ->> 'contractor'::text) AS owner,
            (COALESCE((b.body ->>
                CASE e_1.kind
                    WHEN 8 THEN 'reported'::text
                    ELSE 'units_done'::text
                END), '0'::text))::bigint AS units,
            (COALESCE((b.body ->> 'size'::text), (b.body ->> 'content_size'::text)))::bigint AS size,
            COALESCE((b.body ->> 'digest'::text), (b.body ->> 'content_digest'::text)) AS sha256,
            (b.body ->> 'reason'::text) AS reason,
            e_1.kind,
            b.body
           FROM (tender_ledger.entry e_1
             CROSS JOIN LATERAL ( SELECT (e_1.body)::jsonb AS body) b)
          WHERE (e_1.kind = ANY (ARRAY[8, 10]))) e
     LEFT JOIN LATERAL ( SELECT sum(f.units) AS units,
            (sum(f.paid_micro))::bigint AS paid_micro
           FROM tender_ledger.adoption f
          WHERE ((f.shard = e.shard) AND (f.task_id = e.task_id) AND (f.late = e.number))
         HAVING (count(*) > 0)) a ON (true))
     LEFT JOIN tender_ledger.delivery d ON (((e.kind = 8) AND (d.shard = e.shard) AND (d.task_id = e.task_id) AND (d.part = e.part) AND (d.generation = e.generation))))
     LEFT JOIN tender_ledger.task y ON (((y.shard = e.shard) AND (y.task_id = e.task_id))))
     LEFT JOIN tender_ledger.commitment c ON (((c.shard = e.shard) AND (c.task_id = e.task_id) AND (c.part = e.part) AND (c.generation = e.generation))))
  WHERE (((e.kind = 10) OR (e.body ? 'reported'::text)) AND (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (c.principal = CURRENT_USER) OR (y.principal = CURRENT_USER)));


ALTER TABLE tender.late_result OWNER TO tender_owner;

--
-- Name: VIEW late_result; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.late_result IS 'Results that were kept and not paid when they came; a client may adopt one while its task goes on.';


--
-- Name: COLUMN late_result.commitment_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.late_result.commitment_id IS 'TASK/GENERATION, or TASK/PART.GENERATION.';


--
-- Name: COLUMN late_result.task_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.late_result.task_id IS 'The task.';


--
-- Name: COLUMN late_result.owner; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.late_result.owner IS 'Contractor that did the work.';


--
-- Name: COLUMN late_result.at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.late_result.at IS 'When it came.';


--
-- Name: COLUMN late_result.units; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.late_result.units IS 'Units that it says are done.';


--
-- Name: COLUMN late_result.size; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.late_result.size IS 'Bytes of the result; null where there is none.';


--
-- Name: COLUMN late_result.sha256; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.late_result.sha256 IS 'SHA-256 of the result, in hex.';


--
-- Name: COLUMN late_result.reason; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.late_result.reason IS 'Why it was not taken.';


--
-- Name: COLUMN late_result.adopted_units; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.late_result.adopted_units IS 'Units that the client adopted from it, if it did.';


--
-- Name: COLUMN late_result.adopted_paid; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.late_result.adopted_paid IS 'Paid for them, in credits.';


--
-- Name: limit_met; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.limit_met (
    last_at timestamp with time zone NOT NULL,
    times bigint NOT NULL,
    broker text NOT NULL,
    name text NOT NULL,
    consequence text NOT NULL,
    CONSTRAINT limit_was_met CHECK ((times > 0))
);


ALTER TABLE tender_ledger.limit_met OWNER TO tender_owner;

--
-- Name: TABLE limit_met; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.limit_met IS 'Limits that brokers have met.';


--
-- Name: COLUMN limit_met.last_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.limit_met.last_at IS 'When it was noted last.';


--
-- Name: COLUMN limit_met.times; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.limit_met.times IS 'How often it was met.';


--
-- Name: COLUMN limit_met.broker; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.limit_met.broker IS 'Name of the broker.';


--
-- Name: COLUMN limit_met.name; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.limit_met.name IS 'The limit: an option of tenderd, or a name in ops/limits.md.';


--
-- Name: COLUMN limit_met.consequence; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.limit_met.consequence IS 'What happens to whoever meets it.';


--
-- Name: limit_met; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.limit_met AS
 SELECT l.broker,
    l.name,
    l.times,
    l.last_at,
    l.consequence
   FROM tender_ledger.limit_met l;


ALTER TABLE tender.limit_met OWNER TO tender_owner;

--
-- Name: VIEW limit_met; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.limit_met IS 'Limits that brokers have met (ops/limits.md), since the ledger was made.';


--
-- Name: COLUMN limit_met.broker; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.limit_met.broker IS 'Name of the broker.';


--
-- Name: COLUMN limit_met.name; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.limit_met.name IS 'The limit: an option of tenderd, or a name in ops/limits.md.';


--
-- Name: COLUMN limit_met.times; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.limit_met.times IS 'How often it was met, at least.';


--
-- Name: COLUMN limit_met.last_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.limit_met.last_at IS 'When it was noted last.';


--
-- Name: COLUMN limit_met.consequence; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.limit_met.consequence IS 'What happens to whoever meets it.';


--
-- Name: loss; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.loss (
    seen_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    reign bigint NOT NULL,
    told_batch bigint NOT NULL,
    held_batch bigint NOT NULL,
    mark integer NOT NULL,
    shard smallint NOT NULL,
    peer text NOT NULL,
    closed_by text,
    CONSTRAINT loss_is_behind CHECK ((held_batch < told_batch)),
    CONSTRAINT loss_is_closed_by_somebody CHECK (((closed_at IS NULL) = (closed_by IS NULL)))
);


ALTER TABLE tender_ledger.loss OWNER TO tender_owner;

--
-- Name: TABLE loss; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.loss IS 'Commits that peers were told of and that the ledger lacks.';


--
-- Name: COLUMN loss.seen_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.loss.seen_at IS 'When it was first seen.';


--
-- Name: COLUMN loss.closed_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.loss.closed_at IS 'When an operator closed it.';


--
-- Name: COLUMN loss.reign; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.loss.reign IS 'Reign whose batches are missing.';


--
-- Name: COLUMN loss.told_batch; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.loss.told_batch IS 'The highest batch that somebody was told is held.';


--
-- Name: COLUMN loss.held_batch; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.loss.held_batch IS 'The last batch of that reign that is held.';


--
-- Name: COLUMN loss.mark; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.loss.mark IS 'Mark of the reign.';


--
-- Name: COLUMN loss.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.loss.shard IS 'The shard.';


--
-- Name: COLUMN loss.peer; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.loss.peer IS 'Who was told of the highest.';


--
-- Name: COLUMN loss.closed_by; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.loss.closed_by IS 'Operator that closed it.';


--
-- Name: reign_begin; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.reign_begin (
    began_at timestamp with time zone NOT NULL,
    reign bigint NOT NULL,
    batch bigint NOT NULL,
    mark integer NOT NULL,
    shard smallint NOT NULL,
    broker text NOT NULL
);


ALTER TABLE tender_ledger.reign_begin OWNER TO tender_owner;

--
-- Name: TABLE reign_begin; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.reign_begin IS 'How each reign began: what a receipt is compared with.';


--
-- Name: COLUMN reign_begin.began_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.reign_begin.began_at IS 'When it began.';


--
-- Name: COLUMN reign_begin.reign; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.reign_begin.reign IS 'Number of the reign.';


--
-- Name: COLUMN reign_begin.batch; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.reign_begin.batch IS 'Number of the last batch held when it began.';


--
-- Name: COLUMN reign_begin.mark; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.reign_begin.mark IS 'At random: tells it from another reign of that number, where a database that failed over forgot one.';


--
-- Name: COLUMN reign_begin.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.reign_begin.shard IS 'The shard.';


--
-- Name: COLUMN reign_begin.broker; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.reign_begin.broker IS 'Name of the broker, for people.';


--
-- Name: loss; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.loss AS
 SELECT l.shard,
    l.reign,
    b.broker,
    (l.told_batch - l.held_batch) AS batches,
    l.held_batch,
    l.told_batch,
    l.seen_at,
    l.peer,
    l.closed_at,
    l.closed_by
   FROM (tender_ledger.loss l
     LEFT JOIN tender_ledger.reign_begin b ON (((b.shard = l.shard) AND (b.reign = l.reign) AND (b.mark = l.mark))));


ALTER TABLE tender.loss OWNER TO tender_owner;

--
-- Name: VIEW loss; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.loss IS 'Commits that peers were told of and that the database lost when it failed over or was restored.';


--
-- Name: COLUMN loss.shard; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.loss.shard IS 'The shard.';


--
-- Name: COLUMN loss.reign; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.loss.reign IS 'Reign whose batches are missing.';


--
-- Name: COLUMN loss.broker; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.loss.broker IS 'Broker that reigned; null where the reign itself is lost.';


--
-- Name: COLUMN loss.batches; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.loss.batches IS 'How many batches are missing at least.';


--
-- Name: COLUMN loss.held_batch; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.loss.held_batch IS 'The last batch of that reign that is held.';


--
-- Name: COLUMN loss.told_batch; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.loss.told_batch IS 'The highest batch that somebody was told is held.';


--
-- Name: COLUMN loss.seen_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.loss.seen_at IS 'When it was first seen.';


--
-- Name: COLUMN loss.peer; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.loss.peer IS 'Who was told of the highest.';


--
-- Name: COLUMN loss.closed_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.loss.closed_at IS 'When an operator closed it (tender.close_losses).';


--
-- Name: COLUMN loss.closed_by; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.loss.closed_by IS 'Operator that closed it.';


--
-- Name: overdue; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.overdue WITH (security_barrier='true') AS
 SELECT ((p.task_id ||
        CASE
            WHEN (p.part = 0) THEN '/'::text
            ELSE (('/'::text || p.part) || '.'::text)
        END) || p.generation) AS commitment_id,
    p.task_id,
    p.owner,
    p.principal,
    t.client AS creditor,
    p.due_at,
    (clock_timestamp() - p.due_at) AS overdue_by,
    p.units,
    p.units_done,
    (((p.price_micro)::numeric / 1000000.0))::numeric(20,6) AS price
   FROM (tender_ledger.promise p
     JOIN tender_ledger.task t ON (((t.shard = p.shard) AND (t.task_id = p.task_id))))
  WHERE ((p.state = 1) AND (p.due_at < clock_timestamp()) AND (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (p.principal = CURRENT_USER) OR (t.principal = CURRENT_USER)));


ALTER TABLE tender.overdue OWNER TO tender_owner;

--
-- Name: VIEW overdue; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.overdue IS 'Active commitments past their due time: empty within a second while a broker runs.';


--
-- Name: COLUMN overdue.commitment_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.overdue.commitment_id IS 'TASK/GENERATION, of a split task TASK/PART.GENERATION.';


--
-- Name: COLUMN overdue.task_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.overdue.task_id IS 'The task.';


--
-- Name: COLUMN overdue.owner; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.overdue.owner IS 'Contractor that promised.';


--
-- Name: COLUMN overdue.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.overdue.principal IS 'Principal of the owner.';


--
-- Name: COLUMN overdue.creditor; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.overdue.creditor IS 'Client that it is promised to.';


--
-- Name: COLUMN overdue.due_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.overdue.due_at IS 'When it had to be kept.';


--
-- Name: COLUMN overdue.overdue_by; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.overdue.overdue_by IS 'For how long it has been overdue.';


--
-- Name: COLUMN overdue.units; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.overdue.units IS 'Units promised.';


--
-- Name: COLUMN overdue.units_done; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.overdue.units_done IS 'Units reported so far.';


--
-- Name: COLUMN overdue.price; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.overdue.price IS 'Promised for all its units, in credits.';


--
-- Name: archived_money; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.archived_money (
    from_id uuid NOT NULL,
    amount_micro bigint NOT NULL,
    movements bigint NOT NULL,
    shard smallint NOT NULL,
    told_by text NOT NULL COLLATE pg_catalog."C",
    from_principal text NOT NULL COLLATE pg_catalog."C",
    from_bucket text NOT NULL COLLATE pg_catalog."C",
    to_principal text NOT NULL COLLATE pg_catalog."C",
    to_bucket text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT archived_money_moved_something CHECK (((amount_micro > 0) AND (movements > 0))),
    CONSTRAINT archived_money_was_told_by_a_table CHECK ((told_by = ANY (ARRAY['task'::text, 'transfer'::text])))
);


ALTER TABLE tender_ledger.archived_money OWNER TO tender_owner;

--
-- Name: TABLE archived_money; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.archived_money IS 'Sums of the movements of money that only archives tell one by one.';


--
-- Name: COLUMN archived_money.from_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_money.from_id IS 'The partition.';


--
-- Name: COLUMN archived_money.amount_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_money.amount_micro IS 'Micro-credits moved in all.';


--
-- Name: COLUMN archived_money.movements; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_money.movements IS 'In how many movements.';


--
-- Name: COLUMN archived_money.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_money.shard IS 'Shard of the payer.';


--
-- Name: COLUMN archived_money.told_by; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_money.told_by IS 'task: the rows of tasks and their ends, while those are still there; transfer: rows that are gone.';


--
-- Name: COLUMN archived_money.from_principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_money.from_principal IS 'Who has less.';


--
-- Name: COLUMN archived_money.from_bucket; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_money.from_bucket IS 'available, reserved or earned.';


--
-- Name: COLUMN archived_money.to_principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_money.to_principal IS 'Who has more.';


--
-- Name: COLUMN archived_money.to_bucket; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.archived_money.to_bucket IS 'available, reserved or earned.';


--
-- Name: posting; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.posting WITH (security_barrier='true') AS
 SELECT m.movement AS posting_id,
    m.at,
    m.task_id,
    ((m.task_id || '/'::text) || m.generation) AS commitment_id,
        CASE l.leg
            WHEN 1 THEN m.from_principal
            ELSE m.to_principal
        END AS principal,
        CASE l.leg
            WHEN 1 THEN m.from_bucket
            ELSE m.to_bucket
        END AS bucket,
    (((
        CASE l.leg
            WHEN 1 THEN (- m.amount_micro)
            ELSE m.amount_micro
        END)::numeric / 1000000.0))::numeric(20,6) AS amount
   FROM (( SELECT (t.task_id || '/reserve'::text) AS movement,
            t.announced_at AS at,
            t.task_id,
            NULL::integer AS generation,
            t.principal AS from_principal,
            'available'::text AS from_bucket,
            t.principal AS to_principal,
            'reserved'::text AS to_bucket,
            t.ceiling_micro AS amount_micro
           FROM tender_ledger.task t
        UNION ALL
         SELECT ((((c.task_id || '/pay/'::text) || c.part) || '/'::text) || c.generation),
            c.ended_at,
            c.task_id,
            c.generation,
            t.principal,
            'reserved'::text,
            c.principal,
            'earned'::text,
            c.paid_micro
           FROM (tender_ledger.commitment c
             JOIN tender_ledger.task t ON (((t.shard = c.shard) AND (t.task_id = c.task_id))))
          WHERE (c.paid_micro > 0)
        UNION ALL
         SELECT (e.task_id || '/release'::text),
            e.ended_at,
            e.task_id,
            NULL::integer,
            t.principal,
            'reserved'::text,
            t.principal,
            'available'::text,
            e.released_micro
           FROM (tender_ledger.task_end e
             JOIN tender_ledger.task t ON (((t.shard = e.shard) AND (t.task_id = e.task_id))))
          WHERE (e.released_micro > 0)
        UNION ALL
         SELECT ((m_1.task_id || '/entry/'::text) || m_1.number),
            m_1.at,
            NULLIF(m_1.task_id, '00000000-0000-0000-0000-000000000000'::uuid) AS "nullif",
            COALESCE(m_1.generation, a.generation) AS "coalesce",
            m_1.from_principal,
            m_1.from_bucket,
            m_1.to_principal,
            m_1.to_bucket,
            m_1.amount_micro
           FROM (tender_ledger.transfer m_1
             LEFT JOIN tender_ledger.adoption a ON (((a.shard = m_1.shard) AND (a.task_id = m_1.task_id) AND (a.number = m_1.number))))
        UNION ALL
         SELECT ((((((((((((('archive/'::text || p.suffix) || '/'::text) || m_1.from_principal) || '/'::text) || m_1.from_bucket) || '/'::text) || m_1.to_principal) || '/'::text) || m_1.to_bucket) || '/'::text) || m_1.told_by) || '/'::text) || m_1.shard),
            p.retired_at,
            NULL::uuid,
            NULL::integer,
            m_1.from_principal,
            m_1.from_bucket,
            m_1.to_principal,
            m_1.to_bucket,
            m_1.amount_micro
           FROM (tender_ledger.archived_money m_1
             JOIN tender_ledger.partition p ON ((p.from_id = m_1.from_id)))
          WHERE ((m_1.told_by = 'transfer'::text) OR (NOT (EXISTS ( SELECT
                   FROM pg_inherits i
                  WHERE ((i.inhparent = ('tender_ledger.task'::regclass)::oid) AND (NOT i.inhdetachpending) AND (i.inhrelid = (to_regclass(('tender_ledger.task_'::text || p.suffix)))::oid))))))) m
     CROSS JOIN ( VALUES (1), (2)) l(leg))
  WHERE ((m.amount_micro > 0) AND (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (
        CASE l.leg
            WHEN 1 THEN m.from_principal
            ELSE m.to_principal
        END = CURRENT_USER)));


ALTER TABLE tender.posting OWNER TO tender_owner;

--
-- Name: VIEW posting; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.posting IS 'Every movement of money as two legs that sum to zero, in credits; those of archived tasks as sums. A principal is shown its own legs.';


--
-- Name: COLUMN posting.posting_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.posting.posting_id IS 'The movement; both legs share it.';


--
-- Name: COLUMN posting.at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.posting.at IS 'When it moved.';


--
-- Name: COLUMN posting.task_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.posting.task_id IS 'The task, where it moved for one.';


--
-- Name: COLUMN posting.commitment_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.posting.commitment_id IS 'The commitment, where it paid for one.';


--
-- Name: COLUMN posting.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.posting.principal IS 'Whose account this leg is of.';


--
-- Name: COLUMN posting.bucket; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.posting.bucket IS 'issued, available, reserved or earned.';


--
-- Name: COLUMN posting.amount; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.posting.amount IS 'Signed: what the bucket has more.';


--
-- Name: principal; Type: VIEW; Schema: tender_ledger; Owner: tender_owner
--

CREATE VIEW tender_ledger.principal AS
 SELECT f.shard,
    f.subject AS principal,
    (f.body ->> 'parent'::text) AS parent,
    (f.body ->> 'key'::text) AS key,
    (COALESCE(((f.body ->> 'revoked'::text))::integer, 0) = 1) AS is_revoked,
    ((f.body ->> 'said_at_us'::text))::bigint AS said_at_us,
    (f.body ->> 'by'::text) AS said_by,
    f.at AS recorded_at
   FROM tender_ledger.fact f
  WHERE (f.kind = 29);


ALTER TABLE tender_ledger.principal OWNER TO tender_owner;

--
-- Name: VIEW principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON VIEW tender_ledger.principal IS 'Principals that were enrolled, once for each shard.';


--
-- Name: COLUMN principal.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.principal.shard IS 'The shard.';


--
-- Name: COLUMN principal.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.principal.principal IS 'Its name.';


--
-- Name: COLUMN principal.parent; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.principal.parent IS 'Principal in whose budget it spends; null: its own.';


--
-- Name: COLUMN principal.key; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.principal.key IS 'Its public key, in hexadecimal digits; null: none.';


--
-- Name: COLUMN principal.is_revoked; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.principal.is_revoked IS 'Whether it may say nothing any more.';


--
-- Name: COLUMN principal.said_at_us; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.principal.said_at_us IS 'When it was said, in microseconds; the latest counts.';


--
-- Name: COLUMN principal.said_by; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.principal.said_by IS 'Who said so.';


--
-- Name: COLUMN principal.recorded_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.principal.recorded_at IS 'Since when the shard has it.';


--
-- Name: principal; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.principal WITH (security_barrier='true') AS
 SELECT p.principal,
    p.parent,
    ('ed25519:'::text || p.key) AS key,
    p.is_revoked,
    p.said_by,
    ('1970-01-01 00:00:00+00'::timestamp with time zone + ((p.said_at_us)::double precision * '00:00:00.000001'::interval)) AS said_at
   FROM tender_ledger.principal p
  WHERE ((p.shard = 0) AND (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (p.principal = CURRENT_USER)));


ALTER TABLE tender.principal OWNER TO tender_owner;

--
-- Name: VIEW principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.principal IS 'Who is enrolled to announce and to work, and by which key it is known.';


--
-- Name: COLUMN principal.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.principal.principal IS 'Its name.';


--
-- Name: COLUMN principal.parent; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.principal.parent IS 'Principal in whose budget it spends; null: its own.';


--
-- Name: COLUMN principal.key; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.principal.key IS 'Public key that speaks as any agent of it; null: only keys of its agents speak.';


--
-- Name: COLUMN principal.is_revoked; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.principal.is_revoked IS 'Whether it and its agents may say nothing any more.';


--
-- Name: COLUMN principal.said_by; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.principal.said_by IS 'Who enrolled it, gave it this key or revoked it.';


--
-- Name: COLUMN principal.said_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.principal.said_at IS 'When.';


--
-- Name: rate; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.rate AS
 SELECT (e.body ->> 'skill'::text) AS skill,
    (e.body ->> 'tier'::text) AS tier,
    (((((e.body ->> 'rate_micro'::text))::bigint)::numeric / 1000000.0))::numeric(20,6) AS rate,
    ((((COALESCE((e.body ->> 'threshold_micro'::text), '0'::text))::bigint)::numeric / 1000000.0))::numeric(20,6) AS threshold,
    ((((COALESCE((e.body ->> 'share_ppm'::text), '0'::text))::bigint)::numeric / 1000000.0))::numeric(7,6) AS share,
    (e.body ->> 'by'::text) AS set_by,
    e.at AS set_at
   FROM tender_ledger.fact e
  WHERE ((e.kind = 25) AND (e.shard = 0));


ALTER TABLE tender.rate OWNER TO tender_owner;

--
-- Name: VIEW rate; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.rate IS 'The rate card: prices at which cheap work is assigned without an auction.';


--
-- Name: COLUMN rate.skill; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.rate.skill IS 'The skill.';


--
-- Name: COLUMN rate.tier; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.rate.tier IS 'The tier that tasks name; null: tasks that name none.';


--
-- Name: COLUMN rate.rate; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.rate.rate IS 'Price of a unit, in credits.';


--
-- Name: COLUMN rate.threshold; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.rate.threshold IS 'Tasks whose units cost more at the rate are auctioned, in credits.';


--
-- Name: COLUMN rate.share; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.rate.share IS 'Share of the tasks that is auctioned all the same.';


--
-- Name: COLUMN rate.set_by; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.rate.set_by IS 'Who set it.';


--
-- Name: COLUMN rate.set_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.rate.set_at IS 'When.';


--
-- Name: request; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.request WITH (security_barrier='true') AS
 SELECT i.request,
    i.kind,
    i.peer,
    i.principal,
    i.body,
    i.asked_at,
    i.answer,
    i.answered_at
   FROM tender_ledger.inbox i
  WHERE ((i.principal = CURRENT_USER) OR ( SELECT (pg_has_role(CURRENT_USER, 'tender_auditor'::name, 'member'::text) OR pg_has_role(CURRENT_USER, 'tender_owner'::name, 'member'::text))));


ALTER TABLE tender.request OWNER TO tender_owner;

--
-- Name: VIEW request; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.request IS 'Requests made in SQL and the broker''s answers: one''s own, and all of them for operators and auditors.';


--
-- Name: COLUMN request.request; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.request.request IS 'Number that the function returned.';


--
-- Name: COLUMN request.kind; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.request.kind IS 'What was asked.';


--
-- Name: COLUMN request.peer; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.request.peer IS 'Agent it speaks for.';


--
-- Name: COLUMN request.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.request.principal IS 'Principal it speaks for.';


--
-- Name: COLUMN request.body; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.request.body IS 'What was asked, by the names of the protocol''s fields.';


--
-- Name: COLUMN request.asked_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.request.asked_at IS 'When it was asked.';


--
-- Name: COLUMN request.answer; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.request.answer IS 'What the broker said, by the same names; null until it has.';


--
-- Name: COLUMN request.answered_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.request.answered_at IS 'When it said so.';


--
-- Name: resource; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.resource (
    count integer NOT NULL,
    held integer DEFAULT 0 NOT NULL,
    shard smallint NOT NULL,
    resource text NOT NULL COLLATE pg_catalog."C",
    contractor text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT resource_counts_something CHECK ((count >= 1)),
    CONSTRAINT resource_is_never_promised_twice CHECK (((held >= 0) AND (held <= count)))
)
WITH (fillfactor='50');


ALTER TABLE tender_ledger.resource OWNER TO tender_owner;

--
-- Name: TABLE resource; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.resource IS 'One row per name that is counted.';


--
-- Name: COLUMN resource.count; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.resource.count IS 'How many there are.';


--
-- Name: COLUMN resource.held; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.resource.held IS 'How many of them active commitments hold.';


--
-- Name: COLUMN resource.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.resource.shard IS 'The shard.';


--
-- Name: COLUMN resource.resource; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.resource.resource IS 'The name.';


--
-- Name: COLUMN resource.contractor; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.resource.contractor IS 'Whose it is: one contractor''s; empty where all share it.';


--
-- Name: resource_hold; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.resource_hold (
    held_at timestamp with time zone NOT NULL,
    generation integer NOT NULL,
    part integer NOT NULL,
    shard smallint NOT NULL,
    task_id uuid NOT NULL,
    resource text NOT NULL COLLATE pg_catalog."C",
    contractor text NOT NULL COLLATE pg_catalog."C"
);


ALTER TABLE tender_ledger.resource_hold OWNER TO tender_owner;

--
-- Name: TABLE resource_hold; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.resource_hold IS 'One row per active commitment and counted name that it holds.';


--
-- Name: COLUMN resource_hold.held_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.resource_hold.held_at IS 'When it was awarded.';


--
-- Name: COLUMN resource_hold.generation; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.resource_hold.generation IS 'Number of the award within its part.';


--
-- Name: COLUMN resource_hold.part; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.resource_hold.part IS 'Part of the task; 0 while work is not split.';


--
-- Name: COLUMN resource_hold.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.resource_hold.shard IS 'The shard.';


--
-- Name: COLUMN resource_hold.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.resource_hold.task_id IS 'The task.';


--
-- Name: COLUMN resource_hold.resource; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.resource_hold.resource IS 'The name.';


--
-- Name: COLUMN resource_hold.contractor; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.resource_hold.contractor IS 'As in resource: the owner, or empty where all share it.';


--
-- Name: resource; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.resource AS
 SELECT r.resource,
    NULLIF(r.contractor, ''::text) AS contractor,
    (sum(r.count))::integer AS count,
    (sum(r.held))::integer AS held,
    ((sum(r.count) - sum(r.held)))::integer AS free,
    COALESCE(( SELECT array_agg(((h.task_id ||
                CASE
                    WHEN (h.part = 0) THEN '/'::text
                    ELSE (('/'::text || h.part) || '.'::text)
                END) || h.generation) ORDER BY h.held_at, h.task_id, h.part) AS array_agg
           FROM tender_ledger.resource_hold h
          WHERE ((h.resource = r.resource) AND (h.contractor = r.contractor))), ARRAY[]::text[]) AS holders
   FROM tender_ledger.resource r
  GROUP BY r.resource, r.contractor;


ALTER TABLE tender.resource OWNER TO tender_owner;

--
-- Name: VIEW resource; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.resource IS 'Counted names: how many there are, and which commitments hold them.';


--
-- Name: COLUMN resource.resource; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.resource.resource IS 'The name.';


--
-- Name: COLUMN resource.contractor; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.resource.contractor IS 'Whose it is: one contractor''s; null where all share it.';


--
-- Name: COLUMN resource.count; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.resource.count IS 'How many there are.';


--
-- Name: COLUMN resource.held; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.resource.held IS 'How many active commitments hold.';


--
-- Name: COLUMN resource.free; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.resource.free IS 'How many are left.';


--
-- Name: COLUMN resource.holders; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.resource.holders IS 'Commitments that hold one each, oldest first: TASK/GENERATION, or TASK/PART.GENERATION.';


--
-- Name: round; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.round WITH (security_barrier='true') AS
 SELECT o.task_id,
    ((o.body ->> 'round'::text))::integer AS round,
    (o.body ->> 'head'::text) AS head,
    ((o.body ->> 'units'::text))::bigint AS units,
    ((((COALESCE((o.body ->> 'ceiling_micro'::text), '0'::text))::bigint)::numeric / 1000000.0))::numeric(20,6) AS ceiling,
    COALESCE(((c.body ->> 'invited'::text))::integer,
        CASE
            WHEN ((c.at IS NOT NULL) OR (o.kind = 14)) THEN 0
            ELSE NULL::integer
        END) AS invited,
        CASE
            WHEN (o.kind = 14) THEN o.at
            ELSE ('1970-01-01 00:00:00+00'::timestamp with time zone + (((COALESCE((o.body ->> 'closes_at_us'::text), '0'::text))::bigint)::double precision * '00:00:00.000001'::interval))
        END AS closes_at,
        CASE
            WHEN (o.kind = 14) THEN o.at
            ELSE COALESCE(c.at, n.at)
        END AS closed_at,
        CASE
            WHEN (o.kind = 14) THEN 'assigned'::text
            WHEN (c.kind = 4) THEN 'awarded'::text
            WHEN (c.kind = 5) THEN COALESCE((c.body ->> 'reason'::text), 'none'::text)
            WHEN (n.at IS NOT NULL) THEN 'round-cancelled'::text
            ELSE NULL::text
        END AS outcome,
    o.at AS opened_at,
        CASE
            WHEN (o.kind = 14) THEN (('1970-01-01 00:00:00+00'::timestamp with time zone + ((((o.body ->> 'due_at_us'::text))::bigint)::double precision * '00:00:00.000001'::interval)) - o.at)
            ELSE ((((o.body ->> 'due_us'::text))::bigint)::double precision * '00:00:00.000001'::interval)
        END AS due,
    jsonb_array_length((o.body -> 'drawn'::text)) AS drawn,
    COALESCE(((c.kind = 5) AND ((c.body ->> 'reason'::text) = 'improving'::text)), false) AS improving,
    (((((o.body ->> 'rate_micro'::text))::bigint)::numeric / 1000000.0))::numeric(20,6) AS posted
   FROM (((( SELECT e.shard,
            e.task_id,
            e.number,
            e.at,
            e.kind,
            (e.body)::jsonb AS body
           FROM tender_ledger.entry e
          WHERE (e.kind = ANY (ARRAY[2, 14]))) o
     LEFT JOIN LATERAL ( SELECT e.at,
            e.kind,
            (e.body)::jsonb AS body
           FROM tender_ledger.entry e
          WHERE ((e.shard = o.shard) AND (e.task_id = o.task_id) AND (e.number > o.number) AND (e.kind = ANY (ARRAY[4, 5])) AND (((e.body)::jsonb ->> 'round'::text) = (o.body ->> 'round'::text)))
          ORDER BY e.number
         LIMIT 1) c ON (true))
     LEFT JOIN LATERAL ( SELECT e.at
           FROM tender_ledger.entry e
          WHERE ((e.shard = o.shard) AND (e.task_id = o.task_id) AND (e.number > o.number) AND (e.kind = ANY (ARRAY[2, 11, 13])))
          ORDER BY e.number
         LIMIT 1) n ON ((c.at IS NULL)))
     LEFT JOIN tender_ledger.task y ON (((y.shard = o.shard) AND (y.task_id = o.task_id))))
  WHERE (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (y.principal = CURRENT_USER));


ALTER TABLE tender.round OWNER TO tender_owner;

--
-- Name: VIEW round; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.round IS 'Every round of every task: one call for proposals each, or an assignment at a posted rate without one.';


--
-- Name: COLUMN round.task_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.round.task_id IS 'The task.';


--
-- Name: COLUMN round.round; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.round.round IS 'Number within the task, from 1.';


--
-- Name: COLUMN round.head; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.round.head IS 'Hash of the task''s chain just before the round: the seed of its draws, in hex.';


--
-- Name: COLUMN round.units; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.round.units IS 'Units asked for.';


--
-- Name: COLUMN round.ceiling; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.round.ceiling IS 'The most that may be bid, in credits.';


--
-- Name: COLUMN round.invited; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.round.invited IS 'Contractors invited; known once it has closed.';


--
-- Name: COLUMN round.closes_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.round.closes_at IS 'When its window ends.';


--
-- Name: COLUMN round.closed_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.round.closed_at IS 'When it closed.';


--
-- Name: COLUMN round.outcome; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.round.outcome IS 'awarded or assigned, or why nobody was; null while it is open.';


--
-- Name: COLUMN round.opened_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.round.opened_at IS 'When it opened.';


--
-- Name: COLUMN round.due; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.round.due IS 'The most time that a bid may ask for.';


--
-- Name: COLUMN round.drawn; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.round.drawn IS 'Contractors that were drawn to be invited; null: all that could were.';


--
-- Name: COLUMN round.improving; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.round.improving IS 'Whether another round of improving bids followed it.';


--
-- Name: COLUMN round.posted; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.round.posted IS 'The posted rate of a unit that it was assigned at or is a sample against, in credits.';


--
-- Name: screen_association; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.screen_association WITH (security_barrier='true') AS
 SELECT c.skill,
    c.what,
    c.contractor,
    c.partner,
    (c.rounds)::integer AS rounds,
    (c.together)::integer AS together,
    (c.does)::integer AS does,
    (c.wins)::integer AS wins,
    round((((c.together * c.rounds) / NULLIF((c.does * c.wins), (0)::double precision)))::numeric, 4) AS lift,
    round((((2)::double precision * ((((((((COALESCE((c.together * ln(NULLIF(c.together, (0)::double precision))), (0)::double precision) + COALESCE(((c.does - c.together) * ln(NULLIF((c.does - c.together), (0)::double precision))), (0)::double precision)) + COALESCE(((c.wins - c.together) * ln(NULLIF((c.wins - c.together), (0)::double precision))), (0)::double precision)) + COALESCE(((((c.rounds - c.does) - c.wins) + c.together) * ln(NULLIF((((c.rounds - c.does) - c.wins) + c.together), (0)::double precision))), (0)::double precision)) - COALESCE((c.does * ln(NULLIF(c.does, (0)::double precision))), (0)::double precision)) - COALESCE(((c.rounds - c.does) * ln(NULLIF((c.rounds - c.does), (0)::double precision))), (0)::double precision)) - COALESCE((c.wins * ln(NULLIF(c.wins, (0)::double precision))), (0)::double precision)) - COALESCE(((c.rounds - c.wins) * ln(NULLIF((c.rounds - c.wins), (0)::double precision))), (0)::double precision)) + (c.rounds * ln(c.rounds)))))::numeric, 4) AS g
   FROM ( SELECT b.skill,
            v.what,
            b.contractor,
            b.winner AS partner,
            (count(*))::double precision AS wins,
            (count(*) FILTER (WHERE v.does))::double precision AS together,
            (sum(count(*)) OVER pair)::double precision AS rounds,
            (sum(count(*) FILTER (WHERE v.does)) OVER pair)::double precision AS does
           FROM (tender.bid_window b
             CROSS JOIN LATERAL ( VALUES ('sets-price'::text,b.set_price), ('stands-back'::text,(b.cost IS NULL))) v(what, does))
          WHERE ((b.principal <> b.winner_principal) AND ((v.what = 'stands-back'::text) OR (b.cost IS NOT NULL)))
          GROUP BY b.skill, v.what, b.contractor, b.winner
          WINDOW pair AS (PARTITION BY b.skill, v.what, b.contractor)) c;


ALTER TABLE tender.screen_association OWNER TO tender_owner;

--
-- Name: VIEW screen_association; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.screen_association IS 'Who sets whose price, and who stands back for whom, over the window. Of the rounds that a contractor answered and did not win: lift = P(it does so | the partner wins) / P(it does so), and the G-test of the table of two by two, G = 2 sum O ln(O / E). Source: Sokal and Rohlf, Biometry; lift as in Brin et al. (1997).';


--
-- Name: COLUMN screen_association.skill; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_association.skill IS 'The skill.';


--
-- Name: COLUMN screen_association.what; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_association.what IS 'sets-price: its bid was the price; stands-back: it refused, withdrew, or declined what it had won before.';


--
-- Name: COLUMN screen_association.contractor; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_association.contractor IS 'Who does so.';


--
-- Name: COLUMN screen_association.partner; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_association.partner IS 'Who wins, of another principal.';


--
-- Name: COLUMN screen_association.rounds; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_association.rounds IS 'Rounds that the contractor could do so in.';


--
-- Name: COLUMN screen_association.together; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_association.together IS 'Those in which it did so, and the partner won.';


--
-- Name: COLUMN screen_association.does; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_association.does IS 'Those in which it did so.';


--
-- Name: COLUMN screen_association.wins; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_association.wins IS 'Those that the partner won.';


--
-- Name: COLUMN screen_association.lift; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_association.lift IS 'How much more often it does so when the partner wins; 1: as often.';


--
-- Name: COLUMN screen_association.g; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_association.g IS 'The G-test of that; in both directions, so read it with the lift.';


--
-- Name: screen_cover; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.screen_cover WITH (security_barrier='true') AS
 SELECT c.skill,
    c.contractor,
    c.principal,
    (c.bids)::integer AS bids,
    (c.wins)::integer AS wins,
    (c.losing)::integer AS losing,
    (c.near)::integer AS near,
        CASE
            WHEN (c.near > ((0.6)::double precision * c.losing)) THEN round((((2)::double precision * ((c.near * ln((c.near / ((0.6)::double precision * c.losing)))) + COALESCE(((c.losing - c.near) * ln((NULLIF((c.losing - c.near), (0)::double precision) / ((0.4)::double precision * c.losing)))), (0)::double precision))))::numeric, 4)
            ELSE (0)::numeric
        END AS g
   FROM ( SELECT b.skill,
            b.contractor,
            b.principal,
            count(*) AS bids,
            count(*) FILTER (WHERE b.won) AS wins,
            (count(*) FILTER (WHERE (NOT b.won)))::double precision AS losing,
            (count(*) FILTER (WHERE ((NOT b.won) AND (b.share >= 0.9) AND (NOT b.has_list))))::double precision AS near
           FROM tender.bid_window b
          WHERE (b.cost IS NOT NULL)
          GROUP BY b.skill, b.contractor, b.principal) c;


ALTER TABLE tender.screen_cover OWNER TO tender_owner;

--
-- Name: VIEW screen_cover; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.screen_cover IS 'Cover bids per contractor, over the window: losing bids within the last tenth under the ceiling, and the G-test of their share against 0.6, G = 2 (k ln(k / 0.6 n) + (n - k) ln((n - k) / 0.4 n)) where k / n > 0.6, else 0. Costs that are cut off at the ceiling gather in its last tenth too, though hardly to more than 0.6. Source: OECD, Guidelines for fighting bid rigging (2009); the share is of tests/screens.';


--
-- Name: COLUMN screen_cover.skill; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_cover.skill IS 'The skill.';


--
-- Name: COLUMN screen_cover.contractor; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_cover.contractor IS 'Who bids.';


--
-- Name: COLUMN screen_cover.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_cover.principal IS 'Its root principal.';


--
-- Name: COLUMN screen_cover.bids; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_cover.bids IS 'Its bids in the window.';


--
-- Name: COLUMN screen_cover.wins; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_cover.wins IS 'Those that won; 0: it never wins.';


--
-- Name: COLUMN screen_cover.losing; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_cover.losing IS 'Those that lost.';


--
-- Name: COLUMN screen_cover.near; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_cover.near IS 'Losing bids of nine tenths of the ceiling and more; none of who posts a price.';


--
-- Name: COLUMN screen_cover.g; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_cover.g IS 'How much more often so than in six of ten.';


--
-- Name: screen_pair; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.screen_pair WITH (security_barrier='true') AS
 WITH log_bid AS (
         SELECT l.skill,
            l.place,
            l.contractor,
            l.principal,
            l.is_near,
            l.cost,
            l.rate,
            l.is_list,
            sum(l.cost) FILTER (WHERE (NOT l.is_list)) OVER w AS total,
            count(*) FILTER (WHERE (NOT l.is_list)) OVER w AS bids
           FROM ( SELECT b.skill,
                    b.place,
                    b.contractor,
                    b.principal,
                    (b.share >= 0.9) AS is_near,
                    ln((b.share)::double precision) AS cost,
                    ln(((b.cost / (b.units)::numeric))::double precision) AS rate,
                    b.has_list AS is_list
                   FROM tender.bid_window b
                  WHERE ((b.share > (0)::numeric) AND (b.units > 0))) l
          WINDOW w AS (PARTITION BY l.skill, l.place)
        )
 SELECT p.skill,
    p.contractor,
    p.partner,
    (p.rounds)::integer AS rounds,
    (p.rounds_of_three)::integer AS rounds_of_three,
    round((p.r)::numeric, 4) AS r,
    round((p.expected)::numeric, 4) AS expected,
    round((((atanh(GREATEST(LEAST(p.r, (0.9999)::double precision), ('-0.9999'::numeric)::double precision)) - atanh(p.expected)) * sqrt(GREATEST((p.rounds_of_three - (3)::double precision), (0)::double precision))))::numeric, 4) AS z,
    round((sqrt(p.v))::numeric, 4) AS spread,
        CASE
            WHEN (p.v < p.free) THEN round((((p.rounds - (1)::double precision) * (((p.v / p.free) - (1)::double precision) - ln((GREATEST(p.v, (0.000001)::double precision) / p.free)))))::numeric, 4)
            ELSE (0)::numeric
        END AS spread_g,
    (p.one_near)::integer AS one_near,
        CASE
            WHEN (p.one_near > ((0.6)::double precision * p.rounds)) THEN round((((2)::double precision * ((p.one_near * ln((p.one_near / ((0.6)::double precision * p.rounds)))) + COALESCE(((p.rounds - p.one_near) * ln((NULLIF((p.rounds - p.one_near), (0)::double precision) / ((0.4)::double precision * p.rounds)))), (0)::double precision))))::numeric, 4)
            ELSE (0)::numeric
        END AS one_near_g
   FROM ( SELECT x.skill,
            x.contractor,
            y.contractor AS partner,
            (count(*))::double precision AS rounds,
            (count(*) FILTER (WHERE ((x.bids >= 3) AND (NOT x.is_list) AND (NOT y.is_list))))::double precision AS rounds_of_three,
            (((1)::numeric / NULLIF((avg(x.bids) FILTER (WHERE (x.bids >= 3)) - (1)::numeric), (0)::numeric)))::double precision AS expected,
            corr((x.cost - (((x.total - x.cost) - y.cost) / ((x.bids - 2))::double precision)), (y.cost - (((x.total - x.cost) - y.cost) / (NULLIF((x.bids - 2), 0))::double precision))) FILTER (WHERE ((x.bids >= 3) AND (NOT x.is_list) AND (NOT y.is_list))) AS r,
            var_samp((x.cost - y.cost)) AS v,
            LEAST(var_samp(x.rate), var_samp(y.rate), (0.01)::double precision) AS free,
            (count(*) FILTER (WHERE ((x.is_near AND (NOT x.is_list)) <> (y.is_near AND (NOT y.is_list)))))::double precision AS one_near
           FROM (log_bid x
             JOIN log_bid y ON (((y.skill = x.skill) AND (y.place = x.place) AND (y.contractor > x.contractor) AND (y.principal <> x.principal))))
          GROUP BY x.skill, x.contractor, y.contractor
         HAVING (count(*) >= 2)) p;


ALTER TABLE tender.screen_pair OWNER TO tender_owner;

--
-- Name: VIEW screen_pair; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.screen_pair IS 'Pairs of contractors of different principals over the window, by three measures. Correlation of cost-adjusted bids: a bid is adjusted to what the task costs anybody by taking from its logarithm the mean of those of all bidders but the two, and those that post a price, and z = (atanh(r) - atanh(r0)) sqrt(n - 3) over the n rounds in which both bid and another did. What is taken off is noise that both then share: r0 = 1 / (m - 1), with m bidders on average, were all costs independent. Spread: v is the variance of the logarithm of one bid over the other, in all k rounds in which both bid, and G = (k - 1) (v / f - 1 - ln(v / f)) where v < f; f is 0.01, a tenth of the bid, or the least variance of what either asks for a unit: of two that post prices nothing can be told. Covers: rounds in which one of the two, never both, bid within a tenth under the ceiling, and their G-test against 0.6 as in screen_cover, posted prices left out. Sources: Fisher (1921); Bajari and Ye, Deciding between competition and collusion (2003); Wilks (1938).';


--
-- Name: COLUMN screen_pair.skill; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_pair.skill IS 'The skill.';


--
-- Name: COLUMN screen_pair.contractor; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_pair.contractor IS 'One of the two.';


--
-- Name: COLUMN screen_pair.partner; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_pair.partner IS 'The other.';


--
-- Name: COLUMN screen_pair.rounds; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_pair.rounds IS 'Rounds in which both bid.';


--
-- Name: COLUMN screen_pair.rounds_of_three; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_pair.rounds_of_three IS 'Those in which a third did.';


--
-- Name: COLUMN screen_pair.r; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_pair.r IS 'Correlation of their cost-adjusted bids.';


--
-- Name: COLUMN screen_pair.expected; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_pair.expected IS 'r0, that of two that are independent.';


--
-- Name: COLUMN screen_pair.z; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_pair.z IS 'r above r0 in standard deviations; high: one bid is made from the other; low: they take turns at bidding low.';


--
-- Name: COLUMN screen_pair.spread; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_pair.spread IS 'Standard deviation of the logarithm of one bid over the other: about by what share they differ.';


--
-- Name: COLUMN screen_pair.spread_g; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_pair.spread_g IS 'How much closer they keep than a tenth, and than what either asks for a unit moves.';


--
-- Name: COLUMN screen_pair.one_near; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_pair.one_near IS 'Rounds in which one of them bid nine tenths of the ceiling or more.';


--
-- Name: COLUMN screen_pair.one_near_g; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_pair.one_near_g IS 'How much more often so than in six of ten.';


--
-- Name: screen_price; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.screen_price WITH (security_barrier='true') AS
 SELECT r.skill,
    (count(*))::integer AS rounds,
    (count(r.rdalt))::integer AS rounds_of_three,
    round((percentile_cont((0.5)::double precision) WITHIN GROUP (ORDER BY r.rdalt))::numeric, 4) AS rdalt,
    round((percentile_cont((0.5)::double precision) WITHIN GROUP (ORDER BY r.second))::numeric, 4) AS second_over_ceiling
   FROM ( SELECT b.skill,
            (min(b.share))::double precision AS second,
                CASE
                    WHEN (count(*) >= 2) THEN (((min(b.share) - b.first) / GREATEST(((max(b.share) - min(b.share)) / ((count(*) - 1))::numeric), 0.001)))::double precision
                    ELSE NULL::double precision
                END AS rdalt
           FROM ( SELECT w.skill,
                    w.place,
                    w.task_id,
                    w.round,
                    w.awarded_at,
                    w.contractor,
                    w.principal,
                    w.cost,
                    w.share,
                    w.won,
                    w.set_price,
                    w.winner,
                    w.winner_principal,
                    w.units,
                    w.has_list,
                    max(w.share) FILTER (WHERE w.won) OVER (PARTITION BY w.skill, w.place) AS first
                   FROM tender.bid_window w) b
          WHERE ((b.share IS NOT NULL) AND (b.principal <> b.winner_principal))
          GROUP BY b.skill, b.place, b.first) r
  GROUP BY r.skill;


ALTER TABLE tender.screen_price OWNER TO tender_owner;

--
-- Name: VIEW screen_price; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.screen_price IS 'Per skill, over the window: medians of RDALT = (b2 - b1) / mean gap between losing bids, and of b2 / ceiling; b1 is the winner''s bid, b2 the lowest of another principal. Source: Huber and Imhof, Machine learning with screens for detecting bid-rigging cartels (2019), turned for second prices.';


--
-- Name: COLUMN screen_price.skill; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_price.skill IS 'The skill.';


--
-- Name: COLUMN screen_price.rounds; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_price.rounds IS 'Rounds in the window.';


--
-- Name: COLUMN screen_price.rounds_of_three; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_price.rounds_of_three IS 'Those with two losing bids of other principals or more.';


--
-- Name: COLUMN screen_price.rdalt; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_price.rdalt IS 'Median distance from the winner to the second, over the mean gap of the losing bids.';


--
-- Name: COLUMN screen_price.second_over_ceiling; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_price.second_over_ceiling IS 'Median of the second bid over the ceiling.';


--
-- Name: screen_rotation; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.screen_rotation WITH (security_barrier='true') AS
 SELECT r.skill,
    (r.rounds)::integer AS rounds,
    (r.runs)::integer AS runs,
    (r.winners)::integer AS winners,
    round((((1)::double precision + (((r.rounds ^ (2)::double precision) - r.squares) / r.rounds)))::numeric, 4) AS expected_runs,
    round(((((r.runs - (1)::double precision) - (((r.rounds ^ (2)::double precision) - r.squares) / r.rounds)) / NULLIF(sqrt(GREATEST(((((r.squares * (r.squares + (r.rounds * (r.rounds + (1)::double precision)))) - (((2)::double precision * r.rounds) * r.cubes)) - (r.rounds ^ (3)::double precision)) / NULLIF(((r.rounds ^ (2)::double precision) * (r.rounds - (1)::double precision)), (0)::double precision)), (0)::double precision)), (0)::double precision)))::numeric, 4) AS z
   FROM ( SELECT p.skill,
            sum(p.wins) AS rounds,
            (sum(p.runs))::double precision AS runs,
            count(*) AS winners,
            sum((p.wins ^ (2)::double precision)) AS squares,
            sum((p.wins ^ (3)::double precision)) AS cubes
           FROM ( SELECT w.skill,
                    w.principal,
                    (count(*))::double precision AS wins,
                    count(*) FILTER (WHERE (w.principal IS DISTINCT FROM w.before)) AS runs
                   FROM ( SELECT b.skill,
                            b.principal,
                            lag(b.principal) OVER (PARTITION BY b.skill ORDER BY b.place DESC) AS before
                           FROM tender.bid_window b
                          WHERE b.won) w
                  GROUP BY w.skill, w.principal) p
          GROUP BY p.skill) r;


ALTER TABLE tender.screen_rotation OWNER TO tender_owner;

--
-- Name: VIEW screen_rotation; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.screen_rotation IS 'Winner rotation per skill, over the window: the runs test for several kinds. With n rounds of which n_i were won by principal i, S2 and S3 the sums of n_i^2 and n_i^3, runs have the mean 1 + (n^2 - S2) / n and the variance (S2 (S2 + n (n + 1)) - 2 n S3 - n^3) / (n^2 (n - 1)). Source: Wald and Wolfowitz (1940), Mood (1940). Capacity makes turns as well: who is busy does not win twice.';


--
-- Name: COLUMN screen_rotation.skill; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_rotation.skill IS 'The skill.';


--
-- Name: COLUMN screen_rotation.rounds; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_rotation.rounds IS 'Rounds in the window.';


--
-- Name: COLUMN screen_rotation.runs; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_rotation.runs IS 'Times that another principal won than before, and 1.';


--
-- Name: COLUMN screen_rotation.winners; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_rotation.winners IS 'Principals that won.';


--
-- Name: COLUMN screen_rotation.expected_runs; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_rotation.expected_runs IS 'The mean of runs by chance.';


--
-- Name: COLUMN screen_rotation.z; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_rotation.z IS 'Runs above their mean, in standard deviations; null: none.';


--
-- Name: screen_sole; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.screen_sole WITH (security_barrier='true') AS
 SELECT s.skill,
    (count(*))::integer AS rounds,
    (count(*) FILTER (WHERE (s.bidders = 1)))::integer AS sole,
    round(avg(((s.bidders = 1))::integer), 4) AS rate,
        CASE
            WHEN ((count(*) FILTER (WHERE (s.bidders = 1)))::numeric > (0.6 * (count(*))::numeric)) THEN round(((2)::numeric * (((count(*) FILTER (WHERE (s.bidders = 1)))::numeric * ln(((count(*) FILTER (WHERE (s.bidders = 1)))::numeric / (0.6 * (count(*))::numeric)))) + COALESCE(((count(*) FILTER (WHERE (s.bidders > 1)))::numeric * ln(((NULLIF(count(*) FILTER (WHERE (s.bidders > 1)), 0))::numeric / (0.4 * (count(*))::numeric)))), (0)::numeric))), 4)
            ELSE (0)::numeric
        END AS g,
    array_agg(s.task_id ORDER BY s.place) AS tasks
   FROM ( SELECT r.skill,
            r.task_id,
            r.bidders,
            row_number() OVER (PARTITION BY r.skill ORDER BY r.awarded_at DESC, r.task_id DESC, r.round DESC) AS place
           FROM ( SELECT a.skill,
                    a.task_id,
                    a.round,
                    a.awarded_at,
                    count(DISTINCT a.principal) FILTER (WHERE (a.cost_micro IS NOT NULL)) AS bidders
                   FROM tender_ledger.answer a
                  GROUP BY a.skill, a.task_id, a.round, a.awarded_at
                 HAVING (count(DISTINCT a.principal) >= 2)) r
          WHERE (r.bidders > 0)) s
  WHERE (s.place <= 30)
  GROUP BY s.skill;


ALTER TABLE tender.screen_sole OWNER TO tender_owner;

--
-- Name: VIEW screen_sole; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.screen_sole IS 'Sole-bidder rate per skill: of the last 30 awarded rounds that two principals answered, the share in which one of them bid, and the G-test of that against 0.6 as in screen_cover; it is paid the ceiling then. Source: OECD, Guidelines for fighting bid rigging (2009).';


--
-- Name: COLUMN screen_sole.skill; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_sole.skill IS 'The skill.';


--
-- Name: COLUMN screen_sole.rounds; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_sole.rounds IS 'Awarded rounds with answers of two principals.';


--
-- Name: COLUMN screen_sole.sole; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_sole.sole IS 'Those in which one principal bid.';


--
-- Name: COLUMN screen_sole.rate; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_sole.rate IS 'Their share.';


--
-- Name: COLUMN screen_sole.g; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_sole.g IS 'How much more often so than in six of ten.';


--
-- Name: COLUMN screen_sole.tasks; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screen_sole.tasks IS 'Tasks of the rounds, the newest first.';


--
-- Name: screening; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.screening WITH (security_barrier='true') AS
 SELECT s.skill,
    s.screen,
    s.contractor,
    s.partner,
    (s.statistic)::numeric(12,4) AS statistic,
    (l.threshold)::numeric(12,4) AS threshold,
    round((s.statistic / l.threshold), 4) AS excess,
    s.rounds,
    (s.statistic >= l.threshold) AS flagged,
    s.why,
        CASE
            WHEN (s.screen = 'sole-bidder'::text) THEN ARRAY( SELECT DISTINCT t.task_id
               FROM (tender.screen_sole o
                 CROSS JOIN LATERAL unnest(o.tasks) t(task_id))
              WHERE (o.skill = s.skill)
              ORDER BY t.task_id)
            ELSE ARRAY( SELECT DISTINCT b.task_id
               FROM tender.bid_window b
              WHERE ((b.skill = s.skill) AND ((s.contractor IS NULL) OR (b.contractor = ANY (ARRAY[s.contractor, s.partner]))))
              ORDER BY b.task_id)
        END AS tasks
   FROM (( SELECT p.skill,
            'distance'::text AS screen,
            NULL::text AS contractor,
            NULL::text AS partner,
            p.rdalt AS statistic,
            p.rounds_of_three AS rounds,
            format('half of the time the second bid lies %s times as far above the winner as the losing bids lie apart, or more'::text, round(p.rdalt, 1)) AS why
           FROM tender.screen_price p
        UNION ALL
         SELECT p.skill,
            'ceiling'::text,
            NULL::text,
            NULL::text,
            p.second_over_ceiling,
            p.rounds,
            format('half of the time the second bid is %s %% of the ceiling or more'::text, round(((100)::numeric * p.second_over_ceiling), 1)) AS format
           FROM tender.screen_price p
        UNION ALL
         SELECT a.skill,
            a.what,
            a.contractor,
            a.partner,
            a.g,
            a.rounds,
            format(
                CASE a.what
                    WHEN 'sets-price'::text THEN '%1$s sets the price in %3$s of the %4$s rounds that %2$s wins, and in %5$s of %6$s others'::text
                    ELSE '%1$s stands back in %3$s of the %4$s rounds that %2$s wins, and in %5$s of %6$s others'::text
                END, a.contractor, a.partner, a.together, a.wins, (a.does - a.together), (a.rounds - a.wins)) AS format
           FROM tender.screen_association a
          WHERE (a.lift > (1)::numeric)
        UNION ALL
         SELECT r.skill,
            'rotation'::text,
            NULL::text,
            NULL::text,
            r.z,
            r.rounds,
            format('%s principals take turns at winning: %s runs in %s rounds, %s expected'::text, r.winners, r.runs, r.rounds, round(r.expected_runs, 1)) AS format
           FROM tender.screen_rotation r
        UNION ALL
         SELECT c.skill,
            'cover'::text,
            c.contractor,
            NULL::text,
            c.g,
            c.losing,
            format('%s of %s losing bids of %s are within a tenth under the ceiling; it won %s'::text, c.near, c.losing, c.contractor, c.wins) AS format
           FROM tender.screen_cover c
        UNION ALL
         SELECT k.skill,
            v.screen,
            k.contractor,
            k.partner,
            v.statistic,
            v.rounds,
            v.why
           FROM (tender.screen_pair k
             CROSS JOIN LATERAL ( VALUES (
                        CASE
                            WHEN (k.z < (0)::numeric) THEN 'opposed'::text
                            ELSE 'alike'::text
                        END,abs(k.z),k.rounds_of_three,format(
                        CASE
                            WHEN (k.z < (0)::numeric) THEN 'when %s bids low, %s bids high: r = %s, expected %s'::text
                            ELSE 'the bids of %s and %s move together: r = %s, expected %s'::text
                        END, k.contractor, k.partner, round(k.r, 2), round(k.expected, 2))), ('shadow'::text,k.spread_g,k.rounds,format('the bids of %s and %s keep the same distance to %s %%, in %s rounds'::text, k.contractor, k.partner, round(((100)::numeric * k.spread), 1), k.rounds)), ('one-covers'::text,k.one_near_g,k.rounds,format('in %s of the %s rounds in which %s and %s bid, one of them, and not both, bid within a tenth under the ceiling'::text, k.one_near, k.rounds, k.contractor, k.partner))) v(screen, statistic, rounds, why))
        UNION ALL
         SELECT o.skill,
            'sole-bidder'::text,
            NULL::text,
            NULL::text,
            o.g,
            o.rounds,
            format('%s of %s rounds had one bidder, though others answered'::text, o.sole, o.rounds) AS format
           FROM tender.screen_sole o) s
     JOIN ( VALUES ('distance'::text,6.0), ('ceiling'::text,0.93), ('sets-price'::text,42.0), ('stands-back'::text,16.0), ('rotation'::text,4.2), ('cover'::text,6.0), ('one-covers'::text,8.0), ('alike'::text,8.0), ('opposed'::text,5.0), ('shadow'::text,8.0), ('sole-bidder'::text,14.0)) l(screen, threshold) ON ((l.screen = s.screen)))
  WHERE ((s.rounds >= 10) AND (s.statistic IS NOT NULL));


ALTER TABLE tender.screening OWNER TO tender_owner;

--
-- Name: VIEW screening; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.screening IS 'What the screens see, each with its threshold: flagged rows are for people to look at, by excess. A flag proves nothing, and nothing acts on it by itself (ops/screens.md). Spread alone (CV, SPD) is no alarm: in a second-price market a ring widens it.';


--
-- Name: COLUMN screening.skill; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screening.skill IS 'The skill.';


--
-- Name: COLUMN screening.screen; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screening.screen IS 'distance, ceiling, sets-price, stands-back, rotation, cover, one-covers, alike, opposed, shadow or sole-bidder.';


--
-- Name: COLUMN screening.contractor; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screening.contractor IS 'Whom it is about; null: all of the skill.';


--
-- Name: COLUMN screening.partner; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screening.partner IS 'The other of a pair.';


--
-- Name: COLUMN screening.statistic; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screening.statistic IS 'What was measured; its formula is in the comment of its own view.';


--
-- Name: COLUMN screening.threshold; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screening.threshold IS 'From where on it is flagged.';


--
-- Name: COLUMN screening.excess; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screening.excess IS 'The statistic over its threshold: the rank.';


--
-- Name: COLUMN screening.rounds; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screening.rounds IS 'Rounds behind it.';


--
-- Name: COLUMN screening.flagged; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screening.flagged IS 'Whether the threshold is reached.';


--
-- Name: COLUMN screening.why; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screening.why IS 'What was seen, in words.';


--
-- Name: COLUMN screening.tasks; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.screening.tasks IS 'Tasks of the window in which they answered.';


--
-- Name: posted; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.posted (
    at timestamp with time zone NOT NULL,
    rate_micro bigint NOT NULL,
    price_micro bigint NOT NULL,
    units integer NOT NULL,
    round integer NOT NULL,
    shard smallint NOT NULL,
    is_sample boolean NOT NULL,
    task_id uuid NOT NULL,
    skill text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT posted_counts_from_one CHECK (((units >= 1) AND (round >= 1))),
    CONSTRAINT posted_is_at_an_instant CHECK (isfinite(at)),
    CONSTRAINT posted_price_is_rate_times_units CHECK (((price_micro)::numeric = ((rate_micro)::numeric * (units)::numeric))),
    CONSTRAINT posted_rate_is_positive CHECK ((rate_micro > 0))
);


ALTER TABLE tender_ledger.posted OWNER TO tender_owner;

--
-- Name: TABLE posted; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.posted IS 'One row per task that was assigned at a posted rate, or auctioned as a sample against it.';


--
-- Name: COLUMN posted.at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.posted.at IS 'When it was assigned, or its round opened.';


--
-- Name: COLUMN posted.rate_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.posted.rate_micro IS 'The posted rate of a unit.';


--
-- Name: COLUMN posted.price_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.posted.price_micro IS 'Rate times units.';


--
-- Name: COLUMN posted.units; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.posted.units IS 'Units of the task.';


--
-- Name: COLUMN posted.round; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.posted.round IS 'Round of the task that it is.';


--
-- Name: COLUMN posted.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.posted.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN posted.is_sample; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.posted.is_sample IS 'Whether it was auctioned all the same.';


--
-- Name: COLUMN posted.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.posted.task_id IS 'The task.';


--
-- Name: COLUMN posted.skill; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.posted.skill IS 'Skill of the task.';


--
-- Name: shortcut_cost; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.shortcut_cost AS
 WITH sample AS (
         SELECT p.skill,
            p.at,
            c.principal,
            (((c.price_micro - p.price_micro))::numeric / (p.units)::numeric) AS saved_micro
           FROM (tender_ledger.posted p
             CROSS JOIN LATERAL ( SELECT f.principal,
                    f.price_micro
                   FROM ( SELECT k.principal,
                            k.price_micro,
                            k.generation
                           FROM tender_ledger.commitment k
                          WHERE ((k.shard = p.shard) AND (k.task_id = p.task_id) AND (k.round = p.round))
                        UNION ALL
                         SELECT o.principal,
                            o.price_micro,
                            o.generation
                           FROM tender_ledger.promise o
                          WHERE ((o.shard = p.shard) AND (o.task_id = p.task_id) AND (o.round = p.round))) f
                  ORDER BY f.generation
                 LIMIT 1) c)
          WHERE p.is_sample
        ), day AS (
         SELECT p.skill,
            ((p.at AT TIME ZONE 'UTC'::text))::date AS day,
            count(*) AS assigned,
            sum(p.units) AS units,
            sum(p.price_micro) AS posted_micro
           FROM tender_ledger.posted p
          WHERE (NOT p.is_sample)
          GROUP BY p.skill, (((p.at AT TIME ZONE 'UTC'::text))::date)
        ), mean AS (
         SELECT s.skill,
            ((s.at AT TIME ZONE 'UTC'::text))::date AS day,
            count(*) AS samples,
            avg(s.saved_micro) AS saved_micro,
            stddev_samp(s.saved_micro) AS deviation_micro
           FROM sample s
          GROUP BY s.skill, (((s.at AT TIME ZONE 'UTC'::text))::date)
        ), without AS (
         SELECT m_1.skill,
            m_1.day,
            min(w_1.saved_micro) AS lowest_micro,
            max(w_1.saved_micro) AS highest_micro
           FROM (mean m_1
             CROSS JOIN LATERAL ( SELECT avg(s.saved_micro) AS saved_micro
                   FROM (( SELECT DISTINCT l_1.principal
                           FROM sample l_1
                          WHERE ((l_1.skill = m_1.skill) AND (((l_1.at AT TIME ZONE 'UTC'::text))::date = m_1.day))) l
                     JOIN sample s ON (((s.skill = m_1.skill) AND (((s.at AT TIME ZONE 'UTC'::text))::date = m_1.day) AND (s.principal <> l.principal))))
                  GROUP BY l.principal) w_1)
          GROUP BY m_1.skill, m_1.day
        )
 SELECT COALESCE(d.skill, m.skill) AS skill,
    COALESCE(d.day, m.day) AS day,
    COALESCE(d.assigned, (0)::bigint) AS assigned,
    COALESCE(d.units, (0)::bigint) AS units,
    ((COALESCE(d.posted_micro, (0)::numeric) / 1000000.0))::numeric(20,6) AS posted,
    COALESCE(m.samples, (0)::bigint) AS samples,
    ((m.saved_micro / 1000000.0))::numeric(20,6) AS sample_saved_per_unit,
    (((m.saved_micro * (d.units)::numeric) / 1000000.0))::numeric(20,6) AS saved,
    ((((m.deviation_micro / sqrt((m.samples)::numeric)) * (d.units)::numeric) / 1000000.0))::numeric(20,6) AS saved_error,
    (((w.lowest_micro * (d.units)::numeric) / 1000000.0))::numeric(20,6) AS lowest,
    (((w.highest_micro * (d.units)::numeric) / 1000000.0))::numeric(20,6) AS highest
   FROM ((day d
     FULL JOIN mean m ON (((m.skill = d.skill) AND (m.day = d.day))))
     LEFT JOIN without w ON (((w.skill = m.skill) AND (w.day = m.day))));


ALTER TABLE tender.shortcut_cost OWNER TO tender_owner;

--
-- Name: VIEW shortcut_cost; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.shortcut_cost IS 'What assigning cheap tasks at posted rates saved against the sampled auctions, by skill and day (UTC). Below zero it cost. Rates never follow it by themselves.';


--
-- Name: COLUMN shortcut_cost.skill; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.shortcut_cost.skill IS 'The skill.';


--
-- Name: COLUMN shortcut_cost.day; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.shortcut_cost.day IS 'The day, in UTC.';


--
-- Name: COLUMN shortcut_cost.assigned; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.shortcut_cost.assigned IS 'Tasks assigned at a posted rate.';


--
-- Name: COLUMN shortcut_cost.units; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.shortcut_cost.units IS 'Their units.';


--
-- Name: COLUMN shortcut_cost.posted; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.shortcut_cost.posted IS 'Their posted prices together, in credits.';


--
-- Name: COLUMN shortcut_cost.samples; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.shortcut_cost.samples IS 'Sampled tasks that somebody won.';


--
-- Name: COLUMN shortcut_cost.sample_saved_per_unit; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.shortcut_cost.sample_saved_per_unit IS 'Mean over the samples of (price of the auction - posted price) / units, in credits.';


--
-- Name: COLUMN shortcut_cost.saved; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.shortcut_cost.saved IS 'That mean times the assigned units, in credits.';


--
-- Name: COLUMN shortcut_cost.saved_error; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.shortcut_cost.saved_error IS 'Standard error of saved; null below two samples.';


--
-- Name: COLUMN shortcut_cost.lowest; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.shortcut_cost.lowest IS 'The least that saved is when the samples that one principal won are left out; null: one won all.';


--
-- Name: COLUMN shortcut_cost.highest; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.shortcut_cost.highest IS 'The most that it is then.';


--
-- Name: task_need; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.task_need (
    shard smallint NOT NULL,
    task_id uuid NOT NULL,
    needs text[] NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT task_need_names_something CHECK (((cardinality(needs) >= 1) AND (cardinality(needs) <= 8)))
);


ALTER TABLE tender_ledger.task_need OWNER TO tender_owner;

--
-- Name: TABLE task_need; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.task_need IS 'One row per task that needs more than one skill.';


--
-- Name: COLUMN task_need.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_need.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN task_need.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_need.task_id IS 'The task.';


--
-- Name: COLUMN task_need.needs; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_need.needs IS 'Skills and resources besides the skill of the task.';


--
-- Name: task; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.task WITH (security_barrier='true') AS
 SELECT t.task_id,
    t.client,
    t.principal,
    t.skill,
    t.units,
    COALESCE(e.units_done, p.units_done, 0) AS units_done,
    (((t.ceiling_micro)::numeric / 1000000.0))::numeric(20,6) AS ceiling,
    s.name AS status,
    r.name AS reason,
    COALESCE(e.round, p.round, 1) AS round,
    t.key,
    t.announced_at,
    e.ended_at,
    (((COALESCE(e.paid_micro, p.paid_micro, (0)::bigint))::numeric / 1000000.0))::numeric(20,6) AS paid,
    (((e.released_micro)::numeric / 1000000.0))::numeric(20,6) AS released,
    t.again,
    (ARRAY[t.skill] || n.needs) AS skills,
    g.goal
   FROM ((((((tender_ledger.task t
     LEFT JOIN tender_ledger.task_end e ON (((e.shard = t.shard) AND (e.task_id = t.task_id))))
     LEFT JOIN tender_ledger.open_part p ON (((p.shard = t.shard) AND (p.task_id = t.task_id) AND (p.part = 0))))
     LEFT JOIN tender_ledger.task_need n ON (((n.shard = t.shard) AND (n.task_id = t.task_id))))
     LEFT JOIN tender_ledger.task_goal g ON (((g.shard = t.shard) AND (g.task_id = t.task_id))))
     LEFT JOIN tender_ledger.word s ON (((s.vocabulary = 'task_state'::text) AND (s.code = COALESCE((e.state)::integer,
        CASE p.promise_state
            WHEN 1 THEN 3
            WHEN 2 THEN 4
            ELSE NULL::integer
        END, ( SELECT 3
           FROM tender_ledger.split_part q
          WHERE ((q.shard = t.shard) AND (q.task_id = t.task_id))
         LIMIT 1), (p.state)::integer, 2)))))
     LEFT JOIN tender_ledger.word r ON (((r.vocabulary = 'reason'::text) AND (r.code = COALESCE((e.reason)::integer, (p.reason)::integer, 0)))))
  WHERE (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (t.principal = CURRENT_USER));


ALTER TABLE tender.task OWNER TO tender_owner;

--
-- Name: VIEW task; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.task IS 'Every task and where it stands.';


--
-- Name: COLUMN task.task_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.task_id IS 'Identifier, ordered by time of announcement.';


--
-- Name: COLUMN task.client; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.client IS 'Agent that announced it.';


--
-- Name: COLUMN task.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.principal IS 'Whose account pays.';


--
-- Name: COLUMN task.skill; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.skill IS 'Skill it needs.';


--
-- Name: COLUMN task.units; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.units IS 'Units to be done.';


--
-- Name: COLUMN task.units_done; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.units_done IS 'Units accepted so far.';


--
-- Name: COLUMN task.ceiling; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.ceiling IS 'The most the task may ever cost, in credits: the first ceiling.';


--
-- Name: COLUMN task.status; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.status IS 'blocked, open, awarded, delivered, held, done, unallocated or cancelled.';


--
-- Name: COLUMN task.reason; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.reason IS 'Why it is in this state.';


--
-- Name: COLUMN task.round; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.round IS 'Number of the last round.';


--
-- Name: COLUMN task.key; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.key IS 'The client''s key.';


--
-- Name: COLUMN task.announced_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.announced_at IS 'When it was announced.';


--
-- Name: COLUMN task.ended_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.ended_at IS 'When it ended; null while it goes on.';


--
-- Name: COLUMN task.paid; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.paid IS 'Credits paid so far, over all commitments.';


--
-- Name: COLUMN task.released; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.released IS 'Credits given back to the account at the end.';


--
-- Name: COLUMN task.again; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.again IS 'The ended task that it replaces under its key.';


--
-- Name: COLUMN task.skills; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.skills IS 'Its skill, then the skills and resources that it needs besides.';


--
-- Name: COLUMN task.goal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.task.goal IS 'The goal that it serves, among those of its principal, or null.';


--
-- Name: why_not; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.why_not WITH (security_barrier='true') AS
 WITH hold AS MATERIALIZED (
         SELECT e.shard,
            e.number,
            e.at,
            (e.body ->> 'contractor'::text) AS contractor,
            (e.body ->> 'principal'::text) AS principal,
            (e.body ->> 'skill'::text) AS skill,
            COALESCE((e.body ->> 'reason'::text), 'none'::text) AS reason,
            ('1970-01-01 00:00:00+00'::timestamp with time zone + (((COALESCE((e.body ->> 'until_us'::text), '0'::text))::bigint)::double precision * '00:00:00.000001'::interval)) AS until_at,
            lead(e.at) OVER (PARTITION BY e.shard, (e.body ->> 'contractor'::text), (e.body ->> 'principal'::text), (e.body ->> 'skill'::text) ORDER BY e.number) AS next_at
           FROM ( SELECT f.shard,
                    f.number,
                    f.at,
                    (f.body)::jsonb AS body
                   FROM tender_ledger.entry f
                  WHERE ((f.task_id = '00000000-0000-0000-0000-000000000000'::uuid) AND (f.kind = 27))) e
        )
 SELECT w.task_id,
    w.round,
    w.contractor,
    w.principal,
    w.reason,
        CASE
            WHEN (w.reason = 'excluded'::text) THEN w.out_reason
            WHEN (w.reason = 'not-covered'::text) THEN COALESCE(w.answer_detail, w.lacks)
            WHEN ((w.reason = ANY (ARRAY['on-hold'::text, 'no-slot'::text])) AND (NOT w.is_told)) THEN NULL::text
            WHEN (w.reason = 'on-hold'::text) THEN w.hold_reason
            WHEN (w.reason = 'no-slot'::text) THEN (((w.held || ' of '::text) || w.slots) || ' slots were taken'::text)
            ELSE w.answer_detail
        END AS detail,
        CASE
            WHEN (w.reason = 'late'::text) THEN (w.answered_at - w.closes_at)
            ELSE NULL::interval
        END AS late_by
   FROM ( SELECT r.task_id,
            r.round,
            k.contractor,
            k.principal,
            r.closes_at,
            b.at AS answered_at,
            k.slots,
            (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (k.principal = CURRENT_USER)) AS is_told,
            s.held,
            h.reason AS hold_reason,
            x.reason AS out_reason,
            COALESCE(b.text, b.status) AS answer_detail,
            ( SELECT string_agg(n.name, ' '::text) AS string_agg
                   FROM unnest(r.names) n(name)
                  WHERE (n.name <> ALL (k.skills))) AS lacks,
                CASE
                    WHEN (b.contractor IS NOT NULL) THEN b.reason
                    WHEN (r.silent ? k.contractor) THEN
                    CASE
                        WHEN ((k.departed_at >= r.opened_at) AND (k.departed_at <= r.closed_at)) THEN 'undelivered'::text
                        ELSE 'unanswered'::text
                    END
                    WHEN (k.principal = r.principal) THEN 'own-task'::text
                    WHEN (NOT (k.skills @> r.names)) THEN 'not-covered'::text
                    WHEN (x.reason IS NOT NULL) THEN 'excluded'::text
                    WHEN (h.reason IS NOT NULL) THEN 'on-hold'::text
                    WHEN ((r.drawn IS NOT NULL) AND (NOT (r.drawn ? k.contractor))) THEN 'not-drawn'::text
                    WHEN ((k.enrolled_at > r.closed_at) OR (k.departed_at < r.opened_at)) THEN 'not-connected'::text
                    WHEN (s.held >= k.slots) THEN 'no-slot'::text
                    WHEN (r.kind = 14) THEN 'another-assigned'::text
                    ELSE 'not-invited'::text
                END AS reason
           FROM (((((( SELECT o.shard,
                    o.task_id,
                    o.number,
                    o.kind,
                    ((o.body ->> 'round'::text))::integer AS round,
                    t.principal,
                    (ARRAY[t.skill] || COALESCE(n.needs, '{}'::text[])) AS names,
                    (o.body -> 'drawn'::text) AS drawn,
                    COALESCE((c.body -> 'silent'::text), '[]'::jsonb) AS silent,
                    o.at AS opened_at,
                    COALESCE(c.at, o.at) AS closed_at,
                    (o.body ->> 'contractor'::text) AS named,
                        CASE
                            WHEN (o.kind = 14) THEN o.at
                            ELSE ('1970-01-01 00:00:00+00'::timestamp with time zone + (((COALESCE((o.body ->> 'closes_at_us'::text), '0'::text))::bigint)::double precision * '00:00:00.000001'::interval))
                        END AS closes_at
                   FROM (((( SELECT e.shard,
                            e.task_id,
                            e.number,
                            e.at,
                            e.kind,
                            (e.body)::jsonb AS body
                           FROM tender_ledger.entry e
                          WHERE (e.kind = ANY (ARRAY[2, 14]))) o
                     JOIN tender_ledger.task t ON (((t.shard = o.shard) AND (t.task_id = o.task_id))))
                     LEFT JOIN tender_ledger.task_need n ON (((n.shard = o.shard) AND (n.task_id = o.task_id))))
                     LEFT JOIN LATERAL ( SELECT e.at,
                            e.number,
                            (e.body)::jsonb AS body
                           FROM tender_ledger.entry e
                          WHERE ((o.kind = 2) AND (e.shard = o.shard) AND (e.task_id = o.task_id) AND (e.number > o.number) AND (e.kind = ANY (ARRAY[4, 5])) AND (((e.body)::jsonb ->> 'round'::text) = (o.body ->> 'round'::text)))
                          ORDER BY e.number
                         LIMIT 1) c ON (true))
                  WHERE ((o.kind = 14) OR (((c.body ->> 'reason'::text) IS DISTINCT FROM 'improving'::text) AND (c.at IS NOT NULL)) OR (((c.body ->> 'reason'::text) = 'improving'::text) AND (EXISTS ( SELECT
                           FROM tender_ledger.entry f
                          WHERE ((f.shard = o.shard) AND (f.task_id = o.task_id) AND (f.number > c.number) AND ((f.kind = ANY (ARRAY[4, 11, 13])) OR ((f.kind = 5) AND (((f.body)::jsonb ->> 'reason'::text) IS DISTINCT FROM 'improving'::text))))))))) r
             CROSS JOIN tender_ledger.enrolment k)
             LEFT JOIN tender.bid b ON (((b.task_id = r.task_id) AND (b.round = r.round) AND (b.contractor = k.contractor))))
             LEFT JOIN LATERAL ( SELECT COALESCE(((e.body)::jsonb ->> 'reason'::text), 'none'::text) AS reason
                   FROM tender_ledger.entry e
                  WHERE ((e.shard = r.shard) AND (e.task_id = r.task_id) AND (e.number < r.number) AND (e.kind = 8) AND ((e.body)::jsonb ? 'excluded'::text) AND (((e.body)::jsonb ->> 'principal'::text) = k.principal))
                 LIMIT 1) x ON (true))
             LEFT JOIN LATERAL ( SELECT h_1.reason
                   FROM hold h_1
                  WHERE ((h_1.shard = r.shard) AND (h_1.at <= r.closed_at) AND (h_1.until_at > r.opened_at) AND ((h_1.next_at IS NULL) OR (h_1.next_at > r.opened_at)) AND (COALESCE(h_1.contractor, k.contractor) = k.contractor) AND (COALESCE(h_1.principal, k.principal) = k.principal) AND (COALESCE(h_1.skill, r.names[1]) = r.names[1]))
                 LIMIT 1) h ON (true))
             LEFT JOIN LATERAL ( SELECT count(*) AS held
                   FROM ( SELECT p.awarded_at,
                            NULL::timestamp with time zone AS ended_at
                           FROM tender_ledger.promise p
                          WHERE (p.owner = k.contractor)
                        UNION ALL
                         SELECT c_1.awarded_at,
                            c_1.ended_at
                           FROM tender_ledger.commitment c_1
                          WHERE (c_1.owner = k.contractor)) c
                  WHERE ((b.contractor IS NULL) AND (k.skills @> r.names) AND (c.awarded_at <= r.closes_at) AND ((c.ended_at IS NULL) OR (c.ended_at > r.closes_at)))) s ON (true))
          WHERE (((k.skills && r.names) OR (b.contractor IS NOT NULL)) AND (b.status IS DISTINCT FROM 'won'::text) AND ((r.kind = 2) OR (k.contractor <> r.named)) AND (( SELECT tender_ledger.reads_all((CURRENT_USER)::text) AS reads_all) OR (r.principal = CURRENT_USER) OR ((k.principal = CURRENT_USER) AND ((b.contractor IS NOT NULL) OR (r.silent ? k.contractor)))))) w;


ALTER TABLE tender.why_not OWNER TO tender_owner;

--
-- Name: VIEW why_not; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.why_not IS 'Why each contractor that offers one of a task''s names did not get a round of it, once that is over.';


--
-- Name: COLUMN why_not.task_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.why_not.task_id IS 'The task.';


--
-- Name: COLUMN why_not.round; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.why_not.round IS 'The round.';


--
-- Name: COLUMN why_not.contractor; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.why_not.contractor IS 'Name of the agent.';


--
-- Name: COLUMN why_not.principal; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.why_not.principal IS 'Whose agent it is.';


--
-- Name: COLUMN why_not.reason; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.why_not.reason IS 'A word of the table of reasons; or unanswered: invited and silent; undelivered: the same, and gone before the close; another-assigned: it had more commitments than who was assigned, or as many and lost the draw; not-invited: it could have been, and nothing recorded says why it was not.';


--
-- Name: COLUMN why_not.detail; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.why_not.detail IS 'More of it, where there is more; of holds and slots to readers, auditors and its own principal.';


--
-- Name: COLUMN why_not.late_by; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.why_not.late_by IS 'How long after the close it answered, where that is the reason.';


--
-- Name: checkpoint; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.checkpoint (
    at timestamp with time zone NOT NULL,
    size bigint NOT NULL,
    shard smallint NOT NULL,
    root bytea NOT NULL,
    key bytea NOT NULL,
    signature bytea NOT NULL,
    CONSTRAINT checkpoint_covers_something CHECK ((size >= 1)),
    CONSTRAINT checkpoint_is_signed CHECK (((octet_length(key) = 32) AND (octet_length(signature) = 64))),
    CONSTRAINT checkpoint_root_is_sha256 CHECK ((octet_length(root) = 32))
);


ALTER TABLE tender_ledger.checkpoint OWNER TO tender_owner;

--
-- Name: TABLE checkpoint; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.checkpoint IS 'The roots that brokers have signed.';


--
-- Name: COLUMN checkpoint.at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.checkpoint.at IS 'Stamp of the broker that signed it.';


--
-- Name: COLUMN checkpoint.size; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.checkpoint.size IS 'How many leaves it covers.';


--
-- Name: COLUMN checkpoint.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.checkpoint.shard IS 'The shard.';


--
-- Name: COLUMN checkpoint.root; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.checkpoint.root IS 'Root of the tree over them.';


--
-- Name: COLUMN checkpoint.key; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.checkpoint.key IS 'Ed25519 public key of the broker.';


--
-- Name: COLUMN checkpoint.signature; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.checkpoint.signature IS 'Its signature (ledger/CHAIN.md).';


--
-- Name: fresh_part; Type: VIEW; Schema: tender_ledger; Owner: tender_owner
--

CREATE VIEW tender_ledger.fresh_part AS
 SELECT t.task_id,
    t.shard,
    t.ceiling_micro,
    t.units,
    t.principal AS payer
   FROM (tender_ledger.reign r
     JOIN tender_ledger.task t ON (((t.shard = r.shard) AND (t.task_id >= tender_ledger.first_id((r.stamp_at - '00:00:05'::interval))))))
  WHERE ((NOT (EXISTS ( SELECT
           FROM tender_ledger.open_part p
          WHERE ((p.shard = t.shard) AND (p.task_id = t.task_id) AND (p.part = 0))
         OFFSET 0))) AND (NOT (EXISTS ( SELECT
           FROM tender_ledger.task_end e
          WHERE ((e.shard = t.shard) AND (e.task_id = t.task_id))
         OFFSET 0))));


ALTER TABLE tender_ledger.fresh_part OWNER TO tender_owner;

--
-- Name: VIEW fresh_part; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON VIEW tender_ledger.fresh_part IS 'Tasks that go on and have no open part yet: they are open, in their first round.';


--
-- Name: COLUMN fresh_part.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.fresh_part.task_id IS 'The task.';


--
-- Name: COLUMN fresh_part.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.fresh_part.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN fresh_part.ceiling_micro; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.fresh_part.ceiling_micro IS 'Its ceiling.';


--
-- Name: COLUMN fresh_part.units; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.fresh_part.units IS 'Its units.';


--
-- Name: COLUMN fresh_part.payer; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.fresh_part.payer IS 'Principal whose account pays.';


--
-- Name: inbox_request_seq; Type: SEQUENCE; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE tender_ledger.inbox ALTER COLUMN request ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME tender_ledger.inbox_request_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: ledger; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.ledger (
    shards smallint NOT NULL,
    is_only boolean DEFAULT true NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT ledger_has_shards CHECK (((shards >= 1) AND (shards <= 64))),
    CONSTRAINT ledger_is_the_only_one CHECK (is_only)
);


ALTER TABLE tender_ledger.ledger OWNER TO tender_owner;

--
-- Name: TABLE ledger; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.ledger IS 'One row: what the ledger was made with.';


--
-- Name: COLUMN ledger.shards; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ledger.shards IS 'How many shards there are; fixed once a broker has reigned.';


--
-- Name: COLUMN ledger.is_only; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ledger.is_only IS 'Always true: there is one row.';


--
-- Name: COLUMN ledger.id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.ledger.id IS 'Names this ledger in what is signed over it.';


--
-- Name: migration; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.migration (
    version integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);


ALTER TABLE tender_ledger.migration OWNER TO tender_owner;

--
-- Name: TABLE migration; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.migration IS 'Which files of sql/ made this schema. Version 0 stands for the functions and views together.';


--
-- Name: COLUMN migration.version; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.migration.version IS 'Number of the migration; 0: functions and views.';


--
-- Name: COLUMN migration.name; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.migration.name IS 'File name.';


--
-- Name: COLUMN migration.checksum; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.migration.checksum IS 'SHA-256 of the file, in hex; a merged file keeps its bytes.';


--
-- Name: COLUMN migration.applied_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.migration.applied_at IS 'When it was applied.';


--
-- Name: retention; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.retention (
    period interval DEFAULT '7 days'::interval NOT NULL,
    CONSTRAINT retention_period_is_neither_short_nor_long CHECK (((period >= '01:00:00'::interval) AND (period <= '366 days'::interval) AND (EXTRACT(year FROM period) = (0)::numeric) AND (EXTRACT(month FROM period) = (0)::numeric)))
);


ALTER TABLE tender_ledger.retention OWNER TO tender_owner;

--
-- Name: TABLE retention; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.retention IS 'One row: how history is divided.';


--
-- Name: COLUMN retention.period; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.retention.period IS 'How much time a partition has that is made from now on; operators change it.';


--
-- Name: task_key; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.task_key (
    shard smallint NOT NULL,
    task_id uuid NOT NULL,
    again uuid,
    principal text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    body_digest bytea NOT NULL
);
ALTER TABLE ONLY tender_ledger.task_key ALTER COLUMN shard SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task_key ALTER COLUMN task_id SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task_key ALTER COLUMN again SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task_key ALTER COLUMN principal SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task_key ALTER COLUMN key SET STATISTICS 20;
ALTER TABLE ONLY tender_ledger.task_key ALTER COLUMN body_digest SET STATISTICS 0;


ALTER TABLE tender_ledger.task_key OWNER TO tender_owner;

--
-- Name: TABLE task_key; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.task_key IS 'One row per task that was ever announced: what repeats of its announcement are known by.';


--
-- Name: COLUMN task_key.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_key.shard IS 'Shard of the paying account.';


--
-- Name: COLUMN task_key.task_id; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_key.task_id IS 'The task.';


--
-- Name: COLUMN task_key.again; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_key.again IS 'The ended task that it replaces under its key; each is replaced once.';


--
-- Name: COLUMN task_key.principal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_key.principal IS 'Whose account pays.';


--
-- Name: COLUMN task_key.key; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_key.key IS 'The client''s key.';


--
-- Name: COLUMN task_key.body_digest; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task_key.body_digest IS 'SHA-256 of what the client announced.';


--
-- Name: tree; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.tree (
    since_at timestamp with time zone NOT NULL,
    shard smallint NOT NULL
);


ALTER TABLE tender_ledger.tree OWNER TO tender_owner;

--
-- Name: TABLE tree; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.tree IS 'One row per shard whose batches are leaves of a tree.';


--
-- Name: COLUMN tree.since_at; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.tree.since_at IS 'Entries up to then may be in no batch: they are from before there was a tree.';


--
-- Name: COLUMN tree.shard; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.tree.shard IS 'The shard.';


--
-- Name: account account_is_one_per_principal; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.account
    ADD CONSTRAINT account_is_one_per_principal PRIMARY KEY (shard, principal);


--
-- Name: adoption adoption_is_made_by_one_entry; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.adoption
    ADD CONSTRAINT adoption_is_made_by_one_entry PRIMARY KEY (shard, task_id, number);


--
-- Name: allotment allotment_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.allotment
    ADD CONSTRAINT allotment_has_one_row PRIMARY KEY (request);


--
-- Name: allotment allotment_step_is_of_one; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.allotment
    ADD CONSTRAINT allotment_step_is_of_one UNIQUE (step);


--
-- Name: archived_money archived_money_is_one_per_way; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.archived_money
    ADD CONSTRAINT archived_money_is_one_per_way PRIMARY KEY (shard, from_id, told_by, from_principal, from_bucket, to_principal, to_bucket);


--
-- Name: archived_task archived_task_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.archived_task
    ADD CONSTRAINT archived_task_has_one_row PRIMARY KEY (shard, task_id);


--
-- Name: batch batch_is_one_leaf; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.batch
    ADD CONSTRAINT batch_is_one_leaf PRIMARY KEY (shard, leaf);


--
-- Name: broker broker_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.broker
    ADD CONSTRAINT broker_has_one_row PRIMARY KEY (broker);


--
-- Name: broker_key broker_key_is_noted_once; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.broker_key
    ADD CONSTRAINT broker_key_is_noted_once PRIMARY KEY (shard, broker, since_at);


--
-- Name: checkpoint checkpoint_is_one_per_size; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.checkpoint
    ADD CONSTRAINT checkpoint_is_one_per_size PRIMARY KEY (shard, size);


--
-- Name: ending commitment_ends_once; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.ending
    ADD CONSTRAINT commitment_ends_once PRIMARY KEY (shard, task_id, part, generation);


--
-- Name: contractor contractor_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.contractor
    ADD CONSTRAINT contractor_has_one_row PRIMARY KEY (shard, contractor);


--
-- Name: delivery delivery_is_made_once; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.delivery
    ADD CONSTRAINT delivery_is_made_once PRIMARY KEY (shard, task_id, part, generation);


--
-- Name: entry_row entry_has_one_place_in_its_chain; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.entry_row
    ADD CONSTRAINT entry_has_one_place_in_its_chain PRIMARY KEY (shard, task_id, number);


--
-- Name: house_fact house_fact_is_one_per_subject; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.house_fact
    ADD CONSTRAINT house_fact_is_one_per_subject PRIMARY KEY (shard, kind, subject);


--
-- Name: inbox inbox_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.inbox
    ADD CONSTRAINT inbox_has_one_row PRIMARY KEY (request);


--
-- Name: ledger ledger_is_one; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.ledger
    ADD CONSTRAINT ledger_is_one PRIMARY KEY (is_only);


--
-- Name: limit_met limit_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.limit_met
    ADD CONSTRAINT limit_has_one_row PRIMARY KEY (broker, name);


--
-- Name: loss loss_is_one_per_reign; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.loss
    ADD CONSTRAINT loss_is_one_per_reign PRIMARY KEY (shard, reign, mark);


--
-- Name: measured measured_once_for_a_commitment; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.measured
    ADD CONSTRAINT measured_once_for_a_commitment PRIMARY KEY (shard, task_id, part, generation);


--
-- Name: migration migration_is_applied_once; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.migration
    ADD CONSTRAINT migration_is_applied_once PRIMARY KEY (version);


--
-- Name: open_part open_part_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.open_part
    ADD CONSTRAINT open_part_has_one_row PRIMARY KEY (task_id, shard, part);


--
-- Name: partition partition_has_a_name; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.partition
    ADD CONSTRAINT partition_has_a_name UNIQUE (suffix);


--
-- Name: partition partition_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.partition
    ADD CONSTRAINT partition_has_one_row PRIMARY KEY (from_id);


--
-- Name: posted posted_has_one_row_a_round; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.posted
    ADD CONSTRAINT posted_has_one_row_a_round PRIMARY KEY (shard, task_id, round);


--
-- Name: recess recess_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.recess
    ADD CONSTRAINT recess_has_one_row PRIMARY KEY (shard, number);


--
-- Name: reign_begin reign_begins_once; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.reign_begin
    ADD CONSTRAINT reign_begins_once PRIMARY KEY (shard, reign);


--
-- Name: reign reign_is_one_per_shard; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.reign
    ADD CONSTRAINT reign_is_one_per_shard PRIMARY KEY (shard);


--
-- Name: resource resource_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.resource
    ADD CONSTRAINT resource_has_one_row PRIMARY KEY (shard, resource, contractor);


--
-- Name: resource_hold resource_hold_is_one_per_commitment; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.resource_hold
    ADD CONSTRAINT resource_hold_is_one_per_commitment PRIMARY KEY (shard, task_id, part, generation, resource, contractor);


--
-- Name: split_part split_part_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.split_part
    ADD CONSTRAINT split_part_has_one_row PRIMARY KEY (shard, task_id, part);


--
-- Name: task_goal task_goal_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.task_goal
    ADD CONSTRAINT task_goal_has_one_row PRIMARY KEY (shard, task_id);


--
-- Name: task task_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.task
    ADD CONSTRAINT task_has_one_row PRIMARY KEY (shard, task_id);


--
-- Name: task_key task_key_is_used_once_unless_again; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.task_key
    ADD CONSTRAINT task_key_is_used_once_unless_again UNIQUE NULLS NOT DISTINCT (key, principal, shard, again);


--
-- Name: task_need task_need_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.task_need
    ADD CONSTRAINT task_need_has_one_row PRIMARY KEY (shard, task_id);


--
-- Name: task_after task_waits_once_for_each; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.task_after
    ADD CONSTRAINT task_waits_once_for_each PRIMARY KEY (shard, task_id, after_id);


--
-- Name: transfer transfer_is_made_by_one_entry; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.transfer
    ADD CONSTRAINT transfer_is_made_by_one_entry PRIMARY KEY (shard, task_id, number);


--
-- Name: tree tree_is_one_per_shard; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.tree
    ADD CONSTRAINT tree_is_one_per_shard PRIMARY KEY (shard);


--
-- Name: word word_has_one_code; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.word
    ADD CONSTRAINT word_has_one_code PRIMARY KEY (vocabulary, code);


--
-- Name: word word_has_one_name; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.word
    ADD CONSTRAINT word_has_one_name UNIQUE (vocabulary, name);


--
-- Name: inbox_not_answered; Type: INDEX; Schema: tender_ledger; Owner: tender_owner
--

CREATE INDEX inbox_not_answered ON tender_ledger.inbox USING btree (shard, request) WHERE (answered_at IS NULL);


--
-- Name: INDEX inbox_not_answered; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON INDEX tender_ledger.inbox_not_answered IS 'What the broker polls.';


--
-- Name: inbox_request_is_made_once; Type: INDEX; Schema: tender_ledger; Owner: tender_owner
--

CREATE UNIQUE INDEX inbox_request_is_made_once ON tender_ledger.inbox USING btree (principal, key, md5((body)::text));


--
-- Name: INDEX inbox_request_is_made_once; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON INDEX tender_ledger.inbox_request_is_made_once IS 'A request with a key is made once.';


--
-- Name: resource_hold_by_resource; Type: INDEX; Schema: tender_ledger; Owner: tender_owner
--

CREATE INDEX resource_hold_by_resource ON tender_ledger.resource_hold USING btree (shard, resource, contractor);


--
-- Name: INDEX resource_hold_by_resource; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON INDEX tender_ledger.resource_hold_by_resource IS 'Finds who holds a resource.';


--
-- Name: retention_has_one_row; Type: INDEX; Schema: tender_ledger; Owner: tender_owner
--

CREATE UNIQUE INDEX retention_has_one_row ON tender_ledger.retention USING btree ((true));


--
-- Name: INDEX retention_has_one_row; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON INDEX tender_ledger.retention_has_one_row IS 'One way of dividing for the whole ledger.';


--
-- Name: task_ends_once; Type: INDEX; Schema: tender_ledger; Owner: tender_owner
--

CREATE UNIQUE INDEX task_ends_once ON ONLY tender_ledger.ending USING btree (shard, task_id) WHERE (task_state IS NOT NULL);


--
-- Name: INDEX task_ends_once; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON INDEX tender_ledger.task_ends_once IS 'A terminal state absorbs.';


--
-- Name: task_goal_by_name; Type: INDEX; Schema: tender_ledger; Owner: tender_owner
--

CREATE INDEX task_goal_by_name ON tender_ledger.task_goal USING btree (goal, principal);


--
-- Name: INDEX task_goal_by_name; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON INDEX tender_ledger.task_goal_by_name IS 'Finds the tasks of a goal.';


--
-- Name: adoption adoption_goes_when_archived; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER adoption_goes_when_archived AFTER DELETE ON tender_ledger.adoption REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_loss();


--
-- Name: TRIGGER adoption_goes_when_archived ON adoption; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER adoption_goes_when_archived ON tender_ledger.adoption IS 'A row goes when the archive of its task stands.';


--
-- Name: adoption adoption_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER adoption_is_append_only BEFORE UPDATE OR TRUNCATE ON tender_ledger.adoption FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER adoption_is_append_only ON adoption; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER adoption_is_append_only ON tender_ledger.adoption IS 'What was paid once is not paid back by a change.';


--
-- Name: batch batch_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER batch_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tender_ledger.batch FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER batch_is_append_only ON batch; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER batch_is_append_only ON tender_ledger.batch IS 'Also its owner adds to the tree and never changes it.';


--
-- Name: broker_key broker_key_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER broker_key_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tender_ledger.broker_key FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER broker_key_is_append_only ON broker_key; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER broker_key_is_append_only ON tender_ledger.broker_key IS 'Who has signed by a key has signed by it.';


--
-- Name: checkpoint checkpoint_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER checkpoint_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tender_ledger.checkpoint FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER checkpoint_is_append_only ON checkpoint; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER checkpoint_is_append_only ON tender_ledger.checkpoint IS 'What was signed stays signed.';


--
-- Name: delivery delivery_goes_when_archived; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER delivery_goes_when_archived AFTER DELETE ON tender_ledger.delivery REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_loss();


--
-- Name: TRIGGER delivery_goes_when_archived ON delivery; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER delivery_goes_when_archived ON tender_ledger.delivery IS 'A row goes when the archive of its task stands.';


--
-- Name: delivery delivery_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER delivery_is_append_only BEFORE UPDATE OR TRUNCATE ON tender_ledger.delivery FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER delivery_is_append_only ON delivery; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER delivery_is_append_only ON tender_ledger.delivery IS 'What the client decided on stays what it was.';


--
-- Name: ending ending_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER ending_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tender_ledger.ending FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER ending_is_append_only ON ending; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER ending_is_append_only ON tender_ledger.ending IS 'A terminal state absorbs.';


--
-- Name: entry_row entry_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER entry_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tender_ledger.entry_row FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER entry_is_append_only ON entry_row; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER entry_is_append_only ON tender_ledger.entry_row IS 'Also its owner adds to the ledger and never changes it.';


--
-- Name: measured measured_goes_when_archived; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER measured_goes_when_archived AFTER DELETE ON tender_ledger.measured REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_loss();


--
-- Name: TRIGGER measured_goes_when_archived ON measured; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER measured_goes_when_archived ON tender_ledger.measured IS 'A row goes when the archive of its task stands.';


--
-- Name: measured measured_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER measured_is_append_only BEFORE UPDATE OR TRUNCATE ON tender_ledger.measured FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER measured_is_append_only ON measured; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER measured_is_append_only ON tender_ledger.measured IS 'What was reported is not corrected afterwards.';


--
-- Name: posted posted_goes_when_archived; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER posted_goes_when_archived AFTER DELETE ON tender_ledger.posted REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_loss();


--
-- Name: TRIGGER posted_goes_when_archived ON posted; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER posted_goes_when_archived ON tender_ledger.posted IS 'A row goes when the archive of its task stands.';


--
-- Name: posted posted_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER posted_is_append_only BEFORE UPDATE OR TRUNCATE ON tender_ledger.posted FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER posted_is_append_only ON posted; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER posted_is_append_only ON tender_ledger.posted IS 'What was assigned or sampled is not corrected afterwards.';


--
-- Name: reign reign_is_noted; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER reign_is_noted AFTER INSERT OR UPDATE OF reign ON tender_ledger.reign FOR EACH ROW EXECUTE FUNCTION tender_ledger.note_reign();


--
-- Name: TRIGGER reign_is_noted ON reign; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER reign_is_noted ON tender_ledger.reign IS 'Every reign is remembered, whoever begins it.';


--
-- Name: task_after task_after_goes_when_archived; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER task_after_goes_when_archived AFTER DELETE ON tender_ledger.task_after REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_loss();


--
-- Name: TRIGGER task_after_goes_when_archived ON task_after; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER task_after_goes_when_archived ON tender_ledger.task_after IS 'A row goes when the archive of its task stands.';


--
-- Name: task_after task_after_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER task_after_is_append_only BEFORE UPDATE OR TRUNCATE ON tender_ledger.task_after FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER task_after_is_append_only ON task_after; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER task_after_is_append_only ON tender_ledger.task_after IS 'Terms are not changed after the fact.';


--
-- Name: task_goal task_goal_goes_when_archived; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER task_goal_goes_when_archived AFTER DELETE ON tender_ledger.task_goal REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_loss();


--
-- Name: TRIGGER task_goal_goes_when_archived ON task_goal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER task_goal_goes_when_archived ON tender_ledger.task_goal IS 'A row goes when the archive of its task stands.';


--
-- Name: task_goal task_goal_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER task_goal_is_append_only BEFORE UPDATE OR TRUNCATE ON tender_ledger.task_goal FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER task_goal_is_append_only ON task_goal; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER task_goal_is_append_only ON tender_ledger.task_goal IS 'Terms are not changed after the fact.';


--
-- Name: task task_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER task_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tender_ledger.task FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER task_is_append_only ON task; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER task_is_append_only ON tender_ledger.task IS 'Terms are not changed after the fact.';


--
-- Name: task_key task_key_goes_when_archived; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER task_key_goes_when_archived AFTER DELETE ON tender_ledger.task_key REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_loss();


--
-- Name: TRIGGER task_key_goes_when_archived ON task_key; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER task_key_goes_when_archived ON tender_ledger.task_key IS 'A row goes when the archive of its task stands.';


--
-- Name: task_key task_key_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER task_key_is_append_only BEFORE UPDATE OR TRUNCATE ON tender_ledger.task_key FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER task_key_is_append_only ON task_key; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER task_key_is_append_only ON tender_ledger.task_key IS 'A key means one task for good.';


--
-- Name: task_need task_need_goes_when_archived; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER task_need_goes_when_archived AFTER DELETE ON tender_ledger.task_need REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_loss();


--
-- Name: TRIGGER task_need_goes_when_archived ON task_need; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER task_need_goes_when_archived ON tender_ledger.task_need IS 'A row goes when the archive of its task stands.';


--
-- Name: task_need task_need_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER task_need_is_append_only BEFORE UPDATE OR TRUNCATE ON tender_ledger.task_need FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER task_need_is_append_only ON task_need; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER task_need_is_append_only ON tender_ledger.task_need IS 'Terms are not changed after the fact.';


--
-- Name: transfer transfer_goes_when_archived; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER transfer_goes_when_archived AFTER DELETE ON tender_ledger.transfer REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_loss();


--
-- Name: TRIGGER transfer_goes_when_archived ON transfer; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER transfer_goes_when_archived ON tender_ledger.transfer IS 'A row goes when the archive of its task stands.';


--
-- Name: transfer transfer_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER transfer_is_append_only BEFORE UPDATE OR TRUNCATE ON tender_ledger.transfer FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER transfer_is_append_only ON transfer; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER transfer_is_append_only ON tender_ledger.transfer IS 'A movement is reversed by another movement.';


--
-- Name: archived_money archived_money_is_of_a_partition; Type: FK CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.archived_money
    ADD CONSTRAINT archived_money_is_of_a_partition FOREIGN KEY (from_id) REFERENCES tender_ledger.partition(from_id);


--
-- Name: resource_hold resource_hold_is_of_a_resource; Type: FK CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.resource_hold
    ADD CONSTRAINT resource_hold_is_of_a_resource FOREIGN KEY (shard, resource, contractor) REFERENCES tender_ledger.resource(shard, resource, contractor);


--
-- Name: SCHEMA tender; Type: ACL; Schema: -; Owner: tender_owner
--

GRANT USAGE ON SCHEMA tender TO tender_broker;
GRANT USAGE ON SCHEMA tender TO tender_auditor;
GRANT USAGE ON SCHEMA tender TO tender_reader;
GRANT USAGE ON SCHEMA tender TO tender_principal;


--
-- Name: SCHEMA tender_ledger; Type: ACL; Schema: -; Owner: tender_owner
--

GRANT USAGE ON SCHEMA tender_ledger TO tender_broker;
GRANT USAGE ON SCHEMA tender_ledger TO tender_auditor;
GRANT USAGE ON SCHEMA tender_ledger TO tender_reader;
GRANT USAGE ON SCHEMA tender_ledger TO tender_principal;


--
-- Name: FUNCTION accept(p_task uuid, p_generation integer, p_part integer, p_units bigint); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.accept(p_task uuid, p_generation integer, p_part integer, p_units bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.accept(p_task uuid, p_generation integer, p_part integer, p_units bigint) TO tender_principal;


--
-- Name: FUNCTION add_principal(p_principal text, p_key text, p_parent text); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.add_principal(p_principal text, p_key text, p_parent text) FROM PUBLIC;


--
-- Name: FUNCTION adopt(p_task uuid, p_generation integer, p_part integer); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.adopt(p_task uuid, p_generation integer, p_part integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.adopt(p_task uuid, p_generation integer, p_part integer) TO tender_principal;


--
-- Name: FUNCTION allot(p_from text, p_to text, p_credits numeric); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.allot(p_from text, p_to text, p_credits numeric) FROM PUBLIC;


--
-- Name: FUNCTION announce(p_principal text, p_skill text, p_units bigint, p_ceiling numeric, p_window interval, p_due interval, p_key text, p_client text, p_deadline timestamp with time zone, p_rounds integer, p_backoff interval, p_ack interval, p_heartbeat interval, p_priority integer, p_partial text, p_kill_fee numeric, p_close_alone boolean, p_fallback text, p_again uuid, p_content bytea, p_needs text[], p_tier text, p_goal text, p_after uuid[], p_evidence text[], p_accept interval, p_split_max integer, p_cover_all boolean, p_improve integer, p_lead_only boolean, p_invite_max integer, p_newcomers numeric); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.announce(p_principal text, p_skill text, p_units bigint, p_ceiling numeric, p_window interval, p_due interval, p_key text, p_client text, p_deadline timestamp with time zone, p_rounds integer, p_backoff interval, p_ack interval, p_heartbeat interval, p_priority integer, p_partial text, p_kill_fee numeric, p_close_alone boolean, p_fallback text, p_again uuid, p_content bytea, p_needs text[], p_tier text, p_goal text, p_after uuid[], p_evidence text[], p_accept interval, p_split_max integer, p_cover_all boolean, p_improve integer, p_lead_only boolean, p_invite_max integer, p_newcomers numeric) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.announce(p_principal text, p_skill text, p_units bigint, p_ceiling numeric, p_window interval, p_due interval, p_key text, p_client text, p_deadline timestamp with time zone, p_rounds integer, p_backoff interval, p_ack interval, p_heartbeat interval, p_priority integer, p_partial text, p_kill_fee numeric, p_close_alone boolean, p_fallback text, p_again uuid, p_content bytea, p_needs text[], p_tier text, p_goal text, p_after uuid[], p_evidence text[], p_accept interval, p_split_max integer, p_cover_all boolean, p_improve integer, p_lead_only boolean, p_invite_max integer, p_newcomers numeric) TO tender_principal;


--
-- Name: FUNCTION believe(p_task uuid, p_goal text, p_belief text, p_reason text); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.believe(p_task uuid, p_goal text, p_belief text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.believe(p_task uuid, p_goal text, p_belief text, p_reason text) TO tender_principal;


--
-- Name: FUNCTION cancel(p_task uuid, p_reason text); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.cancel(p_task uuid, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.cancel(p_task uuid, p_reason text) TO tender_principal;


--
-- Name: FUNCTION close(p_task uuid); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.close(p_task uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.close(p_task uuid) TO tender_principal;


--
-- Name: FUNCTION close_losses(); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.close_losses() FROM PUBLIC;


--
-- Name: FUNCTION enrol_agent(p_agent text, p_principal text, p_key text, p_skills text[]); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.enrol_agent(p_agent text, p_principal text, p_key text, p_skills text[]) FROM PUBLIC;


--
-- Name: FUNCTION explain(p_task uuid); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.explain(p_task uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.explain(p_task uuid) TO tender_auditor;
GRANT ALL ON FUNCTION tender.explain(p_task uuid) TO tender_reader;
GRANT ALL ON FUNCTION tender.explain(p_task uuid) TO tender_principal;


--
-- Name: FUNCTION fund(p_principal text, p_credits numeric); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.fund(p_principal text, p_credits numeric) FROM PUBLIC;


--
-- Name: FUNCTION hold(p_reason text, p_contractor text, p_principal text, p_skill text, p_task uuid, p_text text, p_until timestamp with time zone); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.hold(p_reason text, p_contractor text, p_principal text, p_skill text, p_task uuid, p_text text, p_until timestamp with time zone) FROM PUBLIC;


--
-- Name: FUNCTION reject(p_task uuid, p_reason text, p_text text, p_units bigint, p_generation integer, p_part integer); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.reject(p_task uuid, p_reason text, p_text text, p_units bigint, p_generation integer, p_part integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.reject(p_task uuid, p_reason text, p_text text, p_units bigint, p_generation integer, p_part integer) TO tender_principal;


--
-- Name: FUNCTION release(p_task uuid, p_contractor text, p_principal text, p_skill text); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.release(p_task uuid, p_contractor text, p_principal text, p_skill text) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.release(p_task uuid, p_contractor text, p_principal text, p_skill text) TO tender_principal;


--
-- Name: FUNCTION result(p_task uuid, p_generation integer, p_part integer); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.result(p_task uuid, p_generation integer, p_part integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.result(p_task uuid, p_generation integer, p_part integer) TO tender_principal;
GRANT ALL ON FUNCTION tender.result(p_task uuid, p_generation integer, p_part integer) TO tender_auditor;


--
-- Name: FUNCTION revoke_agent(p_agent text); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.revoke_agent(p_agent text) FROM PUBLIC;


--
-- Name: FUNCTION revoke_principal(p_principal text); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.revoke_principal(p_principal text) FROM PUBLIC;


--
-- Name: FUNCTION rotate_agent(p_agent text, p_key text); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.rotate_agent(p_agent text, p_key text) FROM PUBLIC;


--
-- Name: FUNCTION rotate_principal(p_principal text, p_key text); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.rotate_principal(p_principal text, p_key text) FROM PUBLIC;


--
-- Name: FUNCTION set_rate(p_skill text, p_rate numeric, p_threshold numeric, p_tier text, p_share numeric); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.set_rate(p_skill text, p_rate numeric, p_threshold numeric, p_tier text, p_share numeric) FROM PUBLIC;


--
-- Name: FUNCTION set_resource(p_resource text, p_count integer, p_contractor text); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.set_resource(p_resource text, p_count integer, p_contractor text) FROM PUBLIC;


--
-- Name: FUNCTION verify_award(p_task uuid); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.verify_award(p_task uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.verify_award(p_task uuid) TO tender_auditor;


--
-- Name: FUNCTION verify_task(p_task uuid); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.verify_task(p_task uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.verify_task(p_task uuid) TO tender_auditor;
GRANT ALL ON FUNCTION tender.verify_task(p_task uuid) TO tender_reader;


--
-- Name: FUNCTION verify_tree(p_shard integer); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.verify_tree(p_shard integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.verify_tree(p_shard integer) TO tender_auditor;
GRANT ALL ON FUNCTION tender.verify_tree(p_shard integer) TO tender_reader;


--
-- Name: FUNCTION add_adoptions(p_shard smallint, p_task uuid[], p_number integer[], p_part integer[], p_generation integer[], p_late integer[], p_adopted_at timestamp with time zone[], p_units integer[], p_paid_micro bigint[], p_principal text[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.add_adoptions(p_shard smallint, p_task uuid[], p_number integer[], p_part integer[], p_generation integer[], p_late integer[], p_adopted_at timestamp with time zone[], p_units integer[], p_paid_micro bigint[], p_principal text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.add_adoptions(p_shard smallint, p_task uuid[], p_number integer[], p_part integer[], p_generation integer[], p_late integer[], p_adopted_at timestamp with time zone[], p_units integer[], p_paid_micro bigint[], p_principal text[]) TO tender_broker;


--
-- Name: FUNCTION add_afters(p_shard smallint, p_task uuid[], p_after uuid[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.add_afters(p_shard smallint, p_task uuid[], p_after uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.add_afters(p_shard smallint, p_task uuid[], p_after uuid[]) TO tender_broker;


--
-- Name: FUNCTION add_batch(p_shard smallint, p_batch bigint, p_leaf bigint, p_at timestamp with time zone, p_entries integer, p_root bytea, p_peak bytea, p_task_ids uuid[], p_numbers integer[], p_counts smallint[], p_marks bigint[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.add_batch(p_shard smallint, p_batch bigint, p_leaf bigint, p_at timestamp with time zone, p_entries integer, p_root bytea, p_peak bytea, p_task_ids uuid[], p_numbers integer[], p_counts smallint[], p_marks bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.add_batch(p_shard smallint, p_batch bigint, p_leaf bigint, p_at timestamp with time zone, p_entries integer, p_root bytea, p_peak bytea, p_task_ids uuid[], p_numbers integer[], p_counts smallint[], p_marks bigint[]) TO tender_broker;


--
-- Name: FUNCTION add_broker_key(p_shard smallint, p_reign bigint, p_key bytea); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.add_broker_key(p_shard smallint, p_reign bigint, p_key bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.add_broker_key(p_shard smallint, p_reign bigint, p_key bytea) TO tender_broker;


--
-- Name: FUNCTION add_checkpoint(p_shard smallint, p_size bigint, p_at timestamp with time zone, p_root bytea, p_key bytea, p_signature bytea); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.add_checkpoint(p_shard smallint, p_size bigint, p_at timestamp with time zone, p_root bytea, p_key bytea, p_signature bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.add_checkpoint(p_shard smallint, p_size bigint, p_at timestamp with time zone, p_root bytea, p_key bytea, p_signature bytea) TO tender_broker;


--
-- Name: FUNCTION add_commitments(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units_done integer[], p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.add_commitments(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units_done integer[], p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.add_commitments(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units_done integer[], p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[]) TO tender_broker;


--
-- Name: FUNCTION add_fresh_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[], p_hash bytea[], p_body text[], p_content bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_hash bytea[], p_next_body text[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.add_fresh_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[], p_hash bytea[], p_body text[], p_content bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_hash bytea[], p_next_body text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.add_fresh_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[], p_hash bytea[], p_body text[], p_content bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_hash bytea[], p_next_body text[]) TO tender_broker;


--
-- Name: FUNCTION add_goals(p_shard smallint, p_task uuid[], p_principal text[], p_goal text[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.add_goals(p_shard smallint, p_task uuid[], p_principal text[], p_goal text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.add_goals(p_shard smallint, p_task uuid[], p_principal text[], p_goal text[]) TO tender_broker;


--
-- Name: FUNCTION add_measured(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_at timestamp with time zone[], p_contractor text[], p_principal text[], p_tier text[], p_units integer[], p_bid_micro bigint[], p_estimate_micro bigint[], p_measured_micro bigint[], p_evidence text[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.add_measured(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_at timestamp with time zone[], p_contractor text[], p_principal text[], p_tier text[], p_units integer[], p_bid_micro bigint[], p_estimate_micro bigint[], p_measured_micro bigint[], p_evidence text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.add_measured(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_at timestamp with time zone[], p_contractor text[], p_principal text[], p_tier text[], p_units integer[], p_bid_micro bigint[], p_estimate_micro bigint[], p_measured_micro bigint[], p_evidence text[]) TO tender_broker;


--
-- Name: FUNCTION add_needs(p_shard smallint, p_task uuid[], p_need text[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.add_needs(p_shard smallint, p_task uuid[], p_need text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.add_needs(p_shard smallint, p_task uuid[], p_need text[]) TO tender_broker;


--
-- Name: FUNCTION add_partition(p_since_at timestamp with time zone, p_until_at timestamp with time zone); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.add_partition(p_since_at timestamp with time zone, p_until_at timestamp with time zone) FROM PUBLIC;


--
-- Name: FUNCTION add_posted(p_shard smallint, p_task uuid[], p_round integer[], p_at timestamp with time zone[], p_rate_micro bigint[], p_units integer[], p_is_sample boolean[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.add_posted(p_shard smallint, p_task uuid[], p_round integer[], p_at timestamp with time zone[], p_rate_micro bigint[], p_units integer[], p_is_sample boolean[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.add_posted(p_shard smallint, p_task uuid[], p_round integer[], p_at timestamp with time zone[], p_rate_micro bigint[], p_units integer[], p_is_sample boolean[]) TO tender_broker;


--
-- Name: FUNCTION add_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_round integer[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[], p_hash bytea[], p_body text[], p_content bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_hash bytea[], p_next_body text[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.add_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_round integer[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[], p_hash bytea[], p_body text[], p_content bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_hash bytea[], p_next_body text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.add_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_round integer[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[], p_hash bytea[], p_body text[], p_content bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_hash bytea[], p_next_body text[]) TO tender_broker;


--
-- Name: FUNCTION add_transfers(p_shard smallint, p_task uuid[], p_number integer[], p_generation integer[], p_at timestamp with time zone[], p_amount_micro bigint[], p_from_principal text[], p_from_bucket text[], p_to_principal text[], p_to_bucket text[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.add_transfers(p_shard smallint, p_task uuid[], p_number integer[], p_generation integer[], p_at timestamp with time zone[], p_amount_micro bigint[], p_from_principal text[], p_from_bucket text[], p_to_principal text[], p_to_bucket text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.add_transfers(p_shard smallint, p_task uuid[], p_number integer[], p_generation integer[], p_at timestamp with time zone[], p_amount_micro bigint[], p_from_principal text[], p_from_bucket text[], p_to_principal text[], p_to_bucket text[]) TO tender_broker;


--
-- Name: FUNCTION answer_requests(p_shard smallint, p_request bigint[], p_answer text[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.answer_requests(p_shard smallint, p_request bigint[], p_answer text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.answer_requests(p_shard smallint, p_request bigint[], p_answer text[]) TO tender_broker;


--
-- Name: FUNCTION append_entries(p_shard smallint, p_task uuid[], p_number integer[], p_at timestamp with time zone[], p_kind smallint[], p_body text[], p_content bytea[], p_hash bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_body text[], p_next_content bytea[], p_next_hash bytea[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.append_entries(p_shard smallint, p_task uuid[], p_number integer[], p_at timestamp with time zone[], p_kind smallint[], p_body text[], p_content bytea[], p_hash bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_body text[], p_next_content bytea[], p_next_hash bytea[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.append_entries(p_shard smallint, p_task uuid[], p_number integer[], p_at timestamp with time zone[], p_kind smallint[], p_body text[], p_content bytea[], p_hash bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_body text[], p_next_content bytea[], p_next_hash bytea[]) TO tender_broker;


--
-- Name: FUNCTION apply_recess(p_shard smallint, p_number integer, p_from timestamp with time zone, p_until timestamp with time zone); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.apply_recess(p_shard smallint, p_number integer, p_from timestamp with time zone, p_until timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.apply_recess(p_shard smallint, p_number integer, p_from timestamp with time zone, p_until timestamp with time zone) TO tender_broker;


--
-- Name: FUNCTION ask(p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.ask(p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb) FROM PUBLIC;


--
-- Name: FUNCTION ask_about(p_kind text, p_task uuid, p_body jsonb); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.ask_about(p_kind text, p_task uuid, p_body jsonb) FROM PUBLIC;


--
-- Name: FUNCTION ask_all(p_kind text, p_body jsonb); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.ask_all(p_kind text, p_body jsonb) FROM PUBLIC;


--
-- Name: FUNCTION ask_decision(p_kind text, p_task uuid, p_generation integer, p_part integer, p_body jsonb); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.ask_decision(p_kind text, p_task uuid, p_generation integer, p_part integer, p_body jsonb) FROM PUBLIC;


--
-- Name: FUNCTION ask_enrolment(p_kind smallint, p_name text, p_body jsonb); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.ask_enrolment(p_kind smallint, p_name text, p_body jsonb) FROM PUBLIC;


--
-- Name: FUNCTION ask_shard(p_shard smallint, p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.ask_shard(p_shard smallint, p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb) FROM PUBLIC;


--
-- Name: FUNCTION award_first(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[], p_task_units integer[], p_ceiling_micro bigint[], p_payer text[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.award_first(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[], p_task_units integer[], p_ceiling_micro bigint[], p_payer text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.award_first(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[], p_task_units integer[], p_ceiling_micro bigint[], p_payer text[]) TO tender_broker;


--
-- Name: FUNCTION award_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.award_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.award_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]) TO tender_broker;


--
-- Name: FUNCTION award_split(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.award_split(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.award_split(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]) TO tender_broker;


--
-- Name: FUNCTION batch_consistency(p_shard smallint, p_older bigint, p_from bigint, p_count bigint, p_is_whole boolean); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.batch_consistency(p_shard smallint, p_older bigint, p_from bigint, p_count bigint, p_is_whole boolean) FROM PUBLIC;


--
-- Name: FUNCTION batch_leaf(p_batch tender_ledger.batch); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.batch_leaf(p_batch tender_ledger.batch) FROM PUBLIC;


--
-- Name: FUNCTION batch_of_entry(p_shard smallint, p_task uuid, p_number integer, p_at timestamp with time zone); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.batch_of_entry(p_shard smallint, p_task uuid, p_number integer, p_at timestamp with time zone) FROM PUBLIC;


--
-- Name: FUNCTION batch_path(p_shard smallint, p_leaf bigint, p_from bigint, p_count bigint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.batch_path(p_shard smallint, p_leaf bigint, p_from bigint, p_count bigint) FROM PUBLIC;


--
-- Name: FUNCTION batch_root(p_shard smallint, p_from bigint, p_count bigint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.batch_root(p_shard smallint, p_from bigint, p_count bigint) FROM PUBLIC;


--
-- Name: FUNCTION begin_batch(p_shard smallint, p_reign bigint, p_batch bigint, p_stamp timestamp with time zone); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.begin_batch(p_shard smallint, p_reign bigint, p_batch bigint, p_stamp timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.begin_batch(p_shard smallint, p_reign bigint, p_batch bigint, p_stamp timestamp with time zone) TO tender_broker;


--
-- Name: FUNCTION bid_leaf(p_task uuid, p_round integer, p_contractor text, p_principal text, p_cost_micro bigint, p_eta_us bigint, p_capacity bigint, p_nonce uuid); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.bid_leaf(p_task uuid, p_round integer, p_contractor text, p_principal text, p_cost_micro bigint, p_eta_us bigint, p_capacity bigint, p_nonce uuid) FROM PUBLIC;


--
-- Name: FUNCTION broker_lives(p_gone_at timestamp with time zone, p_backend integer); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.broker_lives(p_gone_at timestamp with time zone, p_backend integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.broker_lives(p_gone_at timestamp with time zone, p_backend integer) TO tender_auditor;
GRANT ALL ON FUNCTION tender_ledger.broker_lives(p_gone_at timestamp with time zone, p_backend integer) TO tender_reader;


--
-- Name: FUNCTION caller(); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.caller() FROM PUBLIC;


--
-- Name: FUNCTION change_parts(p_shard smallint, p_task uuid[], p_part integer[], p_state smallint[], p_reason smallint[], p_round integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[], p_units integer[], p_paid_micro bigint[], p_generation integer[], p_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.change_parts(p_shard smallint, p_task uuid[], p_part integer[], p_state smallint[], p_reason smallint[], p_round integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[], p_units integer[], p_paid_micro bigint[], p_generation integer[], p_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.change_parts(p_shard smallint, p_task uuid[], p_part integer[], p_state smallint[], p_reason smallint[], p_round integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[], p_units integer[], p_paid_micro bigint[], p_generation integer[], p_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean) TO tender_broker;


--
-- Name: FUNCTION change_split(p_shard smallint, p_task uuid[], p_part integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.change_split(p_shard smallint, p_task uuid[], p_part integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.change_split(p_shard smallint, p_task uuid[], p_part integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[]) TO tender_broker;


--
-- Name: FUNCTION check_form(p_field text, p_value text, p_form text, p_help text); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.check_form(p_field text, p_value text, p_form text, p_help text) FROM PUBLIC;


--
-- Name: FUNCTION check_key(p_key text); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.check_key(p_key text) FROM PUBLIC;


--
-- Name: FUNCTION check_list(p_field text, p_items anyarray, p_maximum integer); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.check_list(p_field text, p_items anyarray, p_maximum integer) FROM PUBLIC;


--
-- Name: FUNCTION check_name(p_field text, p_name text); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.check_name(p_field text, p_name text) FROM PUBLIC;


--
-- Name: FUNCTION check_range(p_field text, p_value bigint, p_minimum bigint, p_maximum bigint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.check_range(p_field text, p_value bigint, p_minimum bigint, p_maximum bigint) FROM PUBLIC;


--
-- Name: FUNCTION check_skill(p_field text, p_skill text); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.check_skill(p_field text, p_skill text) FROM PUBLIC;


--
-- Name: FUNCTION deliver_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_delivered_at timestamp with time zone[], p_accept_by_at timestamp with time zone[], p_units integer[], p_size bigint[], p_digest bytea[], p_owner text[], p_evidence text[], p_measured_micro bigint[], p_tier text[], p_is_active boolean[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.deliver_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_delivered_at timestamp with time zone[], p_accept_by_at timestamp with time zone[], p_units integer[], p_size bigint[], p_digest bytea[], p_owner text[], p_evidence text[], p_measured_micro bigint[], p_tier text[], p_is_active boolean[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.deliver_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_delivered_at timestamp with time zone[], p_accept_by_at timestamp with time zone[], p_units integer[], p_size bigint[], p_digest bytea[], p_owner text[], p_evidence text[], p_measured_micro bigint[], p_tier text[], p_is_active boolean[]) TO tender_broker;


--
-- Name: FUNCTION drop_partition(p_from_id uuid); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.drop_partition(p_from_id uuid) FROM PUBLIC;


--
-- Name: FUNCTION due_partitions(p_before timestamp with time zone); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.due_partitions(p_before timestamp with time zone) FROM PUBLIC;


--
-- Name: FUNCTION end_split(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units integer[], p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.end_split(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units integer[], p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.end_split(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units integer[], p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[]) TO tender_broker;


--
-- Name: FUNCTION enrol(p_shard smallint, p_contractor text[], p_principal text[], p_slots integer[], p_skills text[], p_number integer[], p_enrolled_at timestamp with time zone[], p_departed_at timestamp with time zone[], p_departed_reason smallint[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.enrol(p_shard smallint, p_contractor text[], p_principal text[], p_slots integer[], p_skills text[], p_number integer[], p_enrolled_at timestamp with time zone[], p_departed_at timestamp with time zone[], p_departed_reason smallint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.enrol(p_shard smallint, p_contractor text[], p_principal text[], p_slots integer[], p_skills text[], p_number integer[], p_enrolled_at timestamp with time zone[], p_departed_at timestamp with time zone[], p_departed_reason smallint[]) TO tender_broker;


--
-- Name: FUNCTION finish_tasks(p_shard smallint, p_task uuid[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_round integer[], p_units integer[], p_paid_micro bigint[], p_released_micro bigint[], p_acknowledged_at timestamp with time zone[], p_generation integer[], p_commitment_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.finish_tasks(p_shard smallint, p_task uuid[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_round integer[], p_units integer[], p_paid_micro bigint[], p_released_micro bigint[], p_acknowledged_at timestamp with time zone[], p_generation integer[], p_commitment_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.finish_tasks(p_shard smallint, p_task uuid[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_round integer[], p_units integer[], p_paid_micro bigint[], p_released_micro bigint[], p_acknowledged_at timestamp with time zone[], p_generation integer[], p_commitment_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean) TO tender_broker;


--
-- Name: FUNCTION first_id(p_at timestamp with time zone); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.first_id(p_at timestamp with time zone) FROM PUBLIC;


--
-- Name: FUNCTION follow_allotments(p_request bigint[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.follow_allotments(p_request bigint[]) FROM PUBLIC;


--
-- Name: FUNCTION forget_tasks(p_before timestamp with time zone, p_limit integer); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.forget_tasks(p_before timestamp with time zone, p_limit integer) FROM PUBLIC;


--
-- Name: FUNCTION free_resources(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.free_resources(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.free_resources(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[]) TO tender_broker;


--
-- Name: FUNCTION had_root(p_task uuid, p_principal text, p_root text, p_opened_at timestamp with time zone); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.had_root(p_task uuid, p_principal text, p_root text, p_opened_at timestamp with time zone) FROM PUBLIC;


--
-- Name: FUNCTION hashes_in_hex(p_hashes bytea[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.hashes_in_hex(p_hashes bytea[]) FROM PUBLIC;


--
-- Name: FUNCTION held_batch(p_shard smallint, p_reign bigint, p_mark integer); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.held_batch(p_shard smallint, p_reign bigint, p_mark integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.held_batch(p_shard smallint, p_reign bigint, p_mark integer) TO tender_broker;


--
-- Name: FUNCTION hold_resources(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_owner text[], p_held_at timestamp with time zone[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.hold_resources(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_owner text[], p_held_at timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.hold_resources(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_owner text[], p_held_at timestamp with time zone[]) TO tender_broker;


--
-- Name: FUNCTION hold_subject(p_contractor text, p_principal text, p_skill text); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.hold_subject(p_contractor text, p_principal text, p_skill text) FROM PUBLIC;


--
-- Name: FUNCTION is_operator(); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.is_operator() FROM PUBLIC;


--
-- Name: FUNCTION keep_facts(p_shard smallint, p_kind smallint[], p_subject text[], p_number integer[], p_is_over boolean[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.keep_facts(p_shard smallint, p_kind smallint[], p_subject text[], p_number integer[], p_is_over boolean[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.keep_facts(p_shard smallint, p_kind smallint[], p_subject text[], p_number integer[], p_is_over boolean[]) TO tender_broker;


--
-- Name: FUNCTION keep_partitions(p_at timestamp with time zone); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.keep_partitions(p_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.keep_partitions(p_at timestamp with time zone) TO tender_broker;


--
-- Name: FUNCTION last_commitments(p_shard smallint, p_since timestamp with time zone); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.last_commitments(p_shard smallint, p_since timestamp with time zone) FROM PUBLIC;


--
-- Name: FUNCTION lease_runs(p_ends_at timestamp with time zone, p_lease interval); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.lease_runs(p_ends_at timestamp with time zone, p_lease interval) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.lease_runs(p_ends_at timestamp with time zone, p_lease interval) TO tender_broker;


--
-- Name: FUNCTION ledger_id(); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.ledger_id() FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.ledger_id() TO tender_broker;


--
-- Name: FUNCTION lookup_keys(p_shard smallint, p_place integer[], p_principal text[], p_key text[], p_body_digest bytea[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.lookup_keys(p_shard smallint, p_place integer[], p_principal text[], p_key text[], p_body_digest bytea[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.lookup_keys(p_shard smallint, p_place integer[], p_principal text[], p_key text[], p_body_digest bytea[]) TO tender_broker;


--
-- Name: FUNCTION lookup_paid(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.lookup_paid(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.lookup_paid(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[]) TO tender_broker;


--
-- Name: FUNCTION lookup_task(p_shard smallint, p_task uuid, p_part integer, p_generation integer); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.lookup_task(p_shard smallint, p_task uuid, p_part integer, p_generation integer) FROM PUBLIC;


--
-- Name: FUNCTION lookup_tasks(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.lookup_tasks(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.lookup_tasks(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[]) TO tender_broker;


--
-- Name: FUNCTION may_end(p_shard smallint, p_reign bigint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.may_end(p_shard smallint, p_reign bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.may_end(p_shard smallint, p_reign bigint) TO tender_broker;


--
-- Name: FUNCTION may_speak_for(p_principal text); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.may_speak_for(p_principal text) FROM PUBLIC;


--
-- Name: FUNCTION may_take(p_shard smallint, p_broker text); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.may_take(p_shard smallint, p_broker text) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.may_take(p_shard smallint, p_broker text) TO tender_broker;


--
-- Name: FUNCTION move_money(p_shard smallint, p_principal text[], p_issued_micro bigint[], p_available_micro bigint[], p_reserved_micro bigint[], p_spent_micro bigint[], p_earned_micro bigint[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.move_money(p_shard smallint, p_principal text[], p_issued_micro bigint[], p_available_micro bigint[], p_reserved_micro bigint[], p_spent_micro bigint[], p_earned_micro bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.move_money(p_shard smallint, p_principal text[], p_issued_micro bigint[], p_available_micro bigint[], p_reserved_micro bigint[], p_spent_micro bigint[], p_earned_micro bigint[]) TO tender_broker;


--
-- Name: FUNCTION no_task(p_task uuid); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.no_task(p_task uuid) FROM PUBLIC;


--
-- Name: FUNCTION note_limits(p_broker text, p_names text[], p_times bigint[], p_consequences text[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.note_limits(p_broker text, p_names text[], p_times bigint[], p_consequences text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.note_limits(p_broker text, p_names text[], p_times bigint[], p_consequences text[]) TO tender_broker;


--
-- Name: FUNCTION note_loss(p_shard smallint, p_reign bigint, p_mark integer, p_told bigint, p_held bigint, p_peer text); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.note_loss(p_shard smallint, p_reign bigint, p_mark integer, p_told bigint, p_held bigint, p_peer text) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.note_loss(p_shard smallint, p_reign bigint, p_mark integer, p_told bigint, p_held bigint, p_peer text) TO tender_broker;


--
-- Name: FUNCTION note_reign(); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.note_reign() FROM PUBLIC;


--
-- Name: FUNCTION open_parts(p_shard smallint, p_task uuid[], p_units integer[], p_ceiling_micro bigint[], p_payer text[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.open_parts(p_shard smallint, p_task uuid[], p_units integer[], p_ceiling_micro bigint[], p_payer text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.open_parts(p_shard smallint, p_task uuid[], p_units integer[], p_ceiling_micro bigint[], p_payer text[]) TO tender_broker;


--
-- Name: FUNCTION own_task(p_task uuid); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.own_task(p_task uuid) FROM PUBLIC;


--
-- Name: FUNCTION partition_money(p_from_id uuid); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.partition_money(p_from_id uuid) FROM PUBLIC;


--
-- Name: FUNCTION partition_tables(p_from_id uuid); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.partition_tables(p_from_id uuid) FROM PUBLIC;


--
-- Name: FUNCTION pending_requests(p_shard smallint, p_held bigint[], p_limit integer); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.pending_requests(p_shard smallint, p_held bigint[], p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.pending_requests(p_shard smallint, p_held bigint[], p_limit integer) TO tender_broker;


--
-- Name: FUNCTION prove_entry(p_shard smallint, p_task uuid, p_number integer); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.prove_entry(p_shard smallint, p_task uuid, p_number integer) FROM PUBLIC;


--
-- Name: FUNCTION prove_partition(p_from_id uuid, p_tasks bigint, p_entries bigint, p_root bytea, p_manifest_digest bytea, p_directory text); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.prove_partition(p_from_id uuid, p_tasks bigint, p_entries bigint, p_root bytea, p_manifest_digest bytea, p_directory text) FROM PUBLIC;


--
-- Name: FUNCTION read_answers(); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.read_answers() FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.read_answers() TO tender_auditor;


--
-- Name: FUNCTION reads_all(p_role text); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.reads_all(p_role text) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.reads_all(p_role text) TO tender_auditor;
GRANT ALL ON FUNCTION tender_ledger.reads_all(p_role text) TO tender_reader;
GRANT ALL ON FUNCTION tender_ledger.reads_all(p_role text) TO tender_principal;


--
-- Name: FUNCTION recall_after(p_shard smallint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.recall_after(p_shard smallint) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.recall_after(p_shard smallint) TO tender_broker;


--
-- Name: FUNCTION recall_balances(p_shard smallint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.recall_balances(p_shard smallint) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.recall_balances(p_shard smallint) TO tender_broker;


--
-- Name: FUNCTION recall_head(p_shard smallint, p_task uuid); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.recall_head(p_shard smallint, p_task uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.recall_head(p_shard smallint, p_task uuid) TO tender_broker;


--
-- Name: FUNCTION recall_house(p_shard smallint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.recall_house(p_shard smallint) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.recall_house(p_shard smallint) TO tender_broker;


--
-- Name: FUNCTION recall_keys(p_shard smallint, p_limit bigint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.recall_keys(p_shard smallint, p_limit bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.recall_keys(p_shard smallint, p_limit bigint) TO tender_broker;


--
-- Name: FUNCTION recall_records(p_shard smallint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.recall_records(p_shard smallint) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.recall_records(p_shard smallint) TO tender_broker;


--
-- Name: FUNCTION recall_reigns(p_shard smallint, p_limit integer); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.recall_reigns(p_shard smallint, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.recall_reigns(p_shard smallint, p_limit integer) TO tender_broker;


--
-- Name: FUNCTION recall_strikes(p_shard smallint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.recall_strikes(p_shard smallint) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.recall_strikes(p_shard smallint) TO tender_broker;


--
-- Name: FUNCTION recall_tasks(p_shard smallint, p_after uuid, p_limit integer); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.recall_tasks(p_shard smallint, p_after uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.recall_tasks(p_shard smallint, p_after uuid, p_limit integer) TO tender_broker;


--
-- Name: FUNCTION recall_tree(p_shard smallint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.recall_tree(p_shard smallint) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.recall_tree(p_shard smallint) TO tender_broker;


--
-- Name: FUNCTION refuse_change(); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.refuse_change() FROM PUBLIC;


--
-- Name: FUNCTION refuse_loss(); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.refuse_loss() FROM PUBLIC;


--
-- Name: FUNCTION reign_runs(p_ends_at timestamp with time zone, p_lease interval, p_is_begin boolean, p_backend integer); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.reign_runs(p_ends_at timestamp with time zone, p_lease interval, p_is_begin boolean, p_backend integer) FROM PUBLIC;


--
-- Name: FUNCTION release_reign(p_shard smallint, p_reign bigint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.release_reign(p_shard smallint, p_reign bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.release_reign(p_shard smallint, p_reign bigint) TO tender_broker;


--
-- Name: FUNCTION remember_tasks(p_shard smallint, p_from_id uuid, p_to_id uuid); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.remember_tasks(p_shard smallint, p_from_id uuid, p_to_id uuid) FROM PUBLIC;


--
-- Name: FUNCTION renew_reign(p_shard smallint, p_reign bigint, p_lease interval); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.renew_reign(p_shard smallint, p_reign bigint, p_lease interval) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.renew_reign(p_shard smallint, p_reign bigint, p_lease interval) TO tender_broker;


--
-- Name: FUNCTION resume_reign(p_shard smallint, p_reign bigint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.resume_reign(p_shard smallint, p_reign bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.resume_reign(p_shard smallint, p_reign bigint) TO tender_broker;


--
-- Name: FUNCTION root_of(p_shard smallint, p_principal text); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.root_of(p_shard smallint, p_principal text) FROM PUBLIC;


--
-- Name: FUNCTION schema_version(); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.schema_version() FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.schema_version() TO tender_broker;
GRANT ALL ON FUNCTION tender_ledger.schema_version() TO tender_auditor;
GRANT ALL ON FUNCTION tender_ledger.schema_version() TO tender_reader;
GRANT ALL ON FUNCTION tender_ledger.schema_version() TO tender_principal;


--
-- Name: FUNCTION seal_partition(p_from_id uuid); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.seal_partition(p_from_id uuid) FROM PUBLIC;


--
-- Name: FUNCTION set_resources(p_shard smallint, p_resource text[], p_contractor text[], p_count integer[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.set_resources(p_shard smallint, p_resource text[], p_contractor text[], p_count integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.set_resources(p_shard smallint, p_resource text[], p_contractor text[], p_count integer[]) TO tender_broker;


--
-- Name: FUNCTION set_shards(p_shards integer); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.set_shards(p_shards integer) FROM PUBLIC;


--
-- Name: FUNCTION shard_count(); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.shard_count() FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.shard_count() TO tender_broker;


--
-- Name: FUNCTION shard_of_principal(p_principal text); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.shard_of_principal(p_principal text) FROM PUBLIC;


--
-- Name: FUNCTION shard_of_task(p_task uuid); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.shard_of_task(p_task uuid) FROM PUBLIC;


--
-- Name: FUNCTION spend(p_shard smallint, p_payer text[], p_paid_micro bigint[], p_released_micro bigint[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.spend(p_shard smallint, p_payer text[], p_paid_micro bigint[], p_released_micro bigint[]) FROM PUBLIC;


--
-- Name: FUNCTION sweep_partition(p_from_id uuid, p_shard smallint, p_limit integer); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.sweep_partition(p_from_id uuid, p_shard smallint, p_limit integer) FROM PUBLIC;


--
-- Name: FUNCTION take_reign(p_shard smallint, p_broker text, p_urls text, p_lease interval, p_first interval); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.take_reign(p_shard smallint, p_broker text, p_urls text, p_lease interval, p_first interval) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.take_reign(p_shard smallint, p_broker text, p_urls text, p_lease interval, p_first interval) TO tender_broker;


--
-- Name: FUNCTION to_micro(p_field text, p_credits numeric, p_minimum numeric); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.to_micro(p_field text, p_credits numeric, p_minimum numeric) FROM PUBLIC;


--
-- Name: FUNCTION to_us(p_field text, p_duration interval, p_minimum bigint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.to_us(p_field text, p_duration interval, p_minimum bigint) FROM PUBLIC;


--
-- Name: FUNCTION tree_leaf(p_data bytea); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.tree_leaf(p_data bytea) FROM PUBLIC;


--
-- Name: FUNCTION tree_path(p_leaves bytea[], p_place bigint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.tree_path(p_leaves bytea[], p_place bigint) FROM PUBLIC;


--
-- Name: FUNCTION tree_root(p_leaves bytea[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.tree_root(p_leaves bytea[]) FROM PUBLIC;


--
-- Name: FUNCTION tree_split(p_count bigint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.tree_split(p_count bigint) FROM PUBLIC;


--
-- Name: FUNCTION watch_reigns(p_broker text, p_urls text, p_lease interval); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.watch_reigns(p_broker text, p_urls text, p_lease interval) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.watch_reigns(p_broker text, p_urls text, p_lease interval) TO tender_broker;


--
-- Name: TABLE account; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.account TO tender_auditor;
GRANT SELECT ON TABLE tender.account TO tender_reader;
GRANT SELECT ON TABLE tender.account TO tender_principal;


--
-- Name: TABLE agent; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.agent TO tender_auditor;
GRANT SELECT ON TABLE tender.agent TO tender_reader;
GRANT SELECT ON TABLE tender.agent TO tender_principal;


--
-- Name: TABLE allotment; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.allotment TO tender_auditor;
GRANT SELECT ON TABLE tender.allotment TO tender_reader;
GRANT SELECT ON TABLE tender.allotment TO tender_principal;


--
-- Name: TABLE archive; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.archive TO tender_auditor;
GRANT SELECT ON TABLE tender.archive TO tender_reader;


--
-- Name: TABLE archived_task; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.archived_task TO tender_auditor;
GRANT SELECT ON TABLE tender.archived_task TO tender_reader;
GRANT SELECT ON TABLE tender.archived_task TO tender_principal;


--
-- Name: TABLE award; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.award TO tender_auditor;
GRANT SELECT ON TABLE tender.award TO tender_reader;
GRANT SELECT ON TABLE tender.award TO tender_principal;


--
-- Name: TABLE belief; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.belief TO tender_auditor;
GRANT SELECT ON TABLE tender.belief TO tender_reader;
GRANT SELECT ON TABLE tender.belief TO tender_principal;


--
-- Name: TABLE bid; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.bid TO tender_auditor;
GRANT SELECT ON TABLE tender.bid TO tender_reader;
GRANT SELECT ON TABLE tender.bid TO tender_principal;


--
-- Name: TABLE bid_fidelity; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.bid_fidelity TO tender_auditor;
GRANT SELECT ON TABLE tender.bid_fidelity TO tender_reader;
GRANT SELECT ON TABLE tender.bid_fidelity TO tender_principal;


--
-- Name: TABLE bid_window; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.bid_window TO tender_auditor;


--
-- Name: TABLE broker; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.broker TO tender_auditor;
GRANT SELECT ON TABLE tender.broker TO tender_reader;


--
-- Name: TABLE broker_key; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.broker_key TO tender_auditor;
GRANT SELECT ON TABLE tender.broker_key TO tender_reader;


--
-- Name: TABLE client_record; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.client_record TO tender_auditor;
GRANT SELECT ON TABLE tender.client_record TO tender_reader;
GRANT SELECT ON TABLE tender.client_record TO tender_principal;


--
-- Name: TABLE commitment; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.commitment TO tender_auditor;
GRANT SELECT ON TABLE tender.commitment TO tender_reader;
GRANT SELECT ON TABLE tender.commitment TO tender_principal;


--
-- Name: TABLE contractor_record; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.contractor_record TO tender_auditor;
GRANT SELECT ON TABLE tender.contractor_record TO tender_reader;
GRANT SELECT ON TABLE tender.contractor_record TO tender_principal;


--
-- Name: TABLE delivery; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.delivery TO tender_auditor;
GRANT SELECT ON TABLE tender.delivery TO tender_reader;
GRANT SELECT ON TABLE tender.delivery TO tender_principal;


--
-- Name: TABLE dependency; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.dependency TO tender_auditor;
GRANT SELECT ON TABLE tender.dependency TO tender_reader;
GRANT SELECT ON TABLE tender.dependency TO tender_principal;


--
-- Name: TABLE goal; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.goal TO tender_auditor;
GRANT SELECT ON TABLE tender.goal TO tender_reader;
GRANT SELECT ON TABLE tender.goal TO tender_principal;


--
-- Name: TABLE hold; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.hold TO tender_auditor;
GRANT SELECT ON TABLE tender.hold TO tender_reader;
GRANT SELECT ON TABLE tender.hold TO tender_principal;


--
-- Name: TABLE late_result; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.late_result TO tender_auditor;
GRANT SELECT ON TABLE tender.late_result TO tender_reader;
GRANT SELECT ON TABLE tender.late_result TO tender_principal;


--
-- Name: TABLE limit_met; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.limit_met TO tender_auditor;
GRANT SELECT ON TABLE tender.limit_met TO tender_reader;


--
-- Name: TABLE loss; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.loss TO tender_auditor;
GRANT SELECT ON TABLE tender.loss TO tender_reader;


--
-- Name: TABLE overdue; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.overdue TO tender_auditor;
GRANT SELECT ON TABLE tender.overdue TO tender_reader;
GRANT SELECT ON TABLE tender.overdue TO tender_principal;


--
-- Name: TABLE posting; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.posting TO tender_auditor;
GRANT SELECT ON TABLE tender.posting TO tender_reader;
GRANT SELECT ON TABLE tender.posting TO tender_principal;


--
-- Name: TABLE principal; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.principal TO tender_auditor;
GRANT SELECT ON TABLE tender.principal TO tender_reader;
GRANT SELECT ON TABLE tender.principal TO tender_principal;


--
-- Name: TABLE rate; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.rate TO tender_auditor;
GRANT SELECT ON TABLE tender.rate TO tender_reader;
GRANT SELECT ON TABLE tender.rate TO tender_principal;


--
-- Name: TABLE request; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.request TO tender_auditor;
GRANT SELECT ON TABLE tender.request TO tender_principal;


--
-- Name: TABLE resource; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.resource TO tender_auditor;
GRANT SELECT ON TABLE tender.resource TO tender_reader;


--
-- Name: TABLE round; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.round TO tender_auditor;
GRANT SELECT ON TABLE tender.round TO tender_reader;
GRANT SELECT ON TABLE tender.round TO tender_principal;


--
-- Name: TABLE screen_association; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.screen_association TO tender_auditor;


--
-- Name: TABLE screen_cover; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.screen_cover TO tender_auditor;


--
-- Name: TABLE screen_pair; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.screen_pair TO tender_auditor;


--
-- Name: TABLE screen_price; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.screen_price TO tender_auditor;


--
-- Name: TABLE screen_rotation; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.screen_rotation TO tender_auditor;


--
-- Name: TABLE screen_sole; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.screen_sole TO tender_auditor;


--
-- Name: TABLE screening; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.screening TO tender_auditor;


--
-- Name: TABLE shortcut_cost; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.shortcut_cost TO tender_auditor;
GRANT SELECT ON TABLE tender.shortcut_cost TO tender_reader;


--
-- Name: TABLE task; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.task TO tender_auditor;
GRANT SELECT ON TABLE tender.task TO tender_reader;
GRANT SELECT ON TABLE tender.task TO tender_principal;


--
-- Name: TABLE why_not; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.why_not TO tender_auditor;
GRANT SELECT ON TABLE tender.why_not TO tender_reader;
GRANT SELECT ON TABLE tender.why_not TO tender_principal;


--
-- PostgreSQL database dump complete
--


