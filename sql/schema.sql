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
-- Name: announce(text, text, bigint, numeric, interval, interval, text, text, timestamp with time zone, integer, interval, interval, interval, integer, text, numeric, boolean, text, uuid, bytea); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.announce(p_principal text, p_skill text, p_units bigint, p_ceiling numeric, p_window interval, p_due interval, p_key text DEFAULT NULL::text, p_client text DEFAULT NULL::text, p_deadline timestamp with time zone DEFAULT NULL::timestamp with time zone, p_rounds integer DEFAULT NULL::integer, p_backoff interval DEFAULT NULL::interval, p_ack interval DEFAULT NULL::interval, p_heartbeat interval DEFAULT NULL::interval, p_priority integer DEFAULT NULL::integer, p_partial text DEFAULT NULL::text, p_kill_fee numeric DEFAULT NULL::numeric, p_close_alone boolean DEFAULT NULL::boolean, p_fallback text DEFAULT NULL::text, p_again uuid DEFAULT NULL::uuid, p_content bytea DEFAULT NULL::bytea) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
    v_name constant text := '^[A-Za-z0-9][A-Za-z0-9._@/-]{0,63}$';
    v_name_help constant text := '1 to 64 of A-Z a-z 0-9 . _ @ / -, the first a letter or digit';
    v_client text := coalesce(p_client, tender_ledger.caller());
    v_key text := coalesce(p_key, gen_random_uuid()::text);
    v_parts text[] := regexp_match(p_fallback, '^(unallocated|hold|contractor)(?::(.+))?$');
begin
    if not tender_ledger.may_speak_for(p_principal) then
        raise exception using
            errcode = 'TN011',
            message = format('%s may not announce for %s', tender_ledger.caller(), p_principal);
    end if;
    perform tender_ledger.check_form('principal', coalesce(p_principal, ''), v_name, v_name_help);
    perform tender_ledger.check_form('client', v_client, v_name, v_name_help);
    perform tender_ledger.check_form('skill', coalesce(p_skill, ''),
        '^[a-z0-9]([a-z0-9._/-]{0,62}[a-z0-9])?$',
        '1 to 64 of a-z 0-9 . _ / -, beginning and ending with a letter or digit');
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
            'contractor', tender_ledger.check_form('contractor', v_parts[2], v_name, v_name_help),
            'again', p_again,
            'content', encode(p_content, 'base64'))));
end
$_$;


ALTER FUNCTION tender.announce(p_principal text, p_skill text, p_units bigint, p_ceiling numeric, p_window interval, p_due interval, p_key text, p_client text, p_deadline timestamp with time zone, p_rounds integer, p_backoff interval, p_ack interval, p_heartbeat interval, p_priority integer, p_partial text, p_kill_fee numeric, p_close_alone boolean, p_fallback text, p_again uuid, p_content bytea) OWNER TO tender_owner;

--
-- Name: FUNCTION announce(p_principal text, p_skill text, p_units bigint, p_ceiling numeric, p_window interval, p_due interval, p_key text, p_client text, p_deadline timestamp with time zone, p_rounds integer, p_backoff interval, p_ack interval, p_heartbeat interval, p_priority integer, p_partial text, p_kill_fee numeric, p_close_alone boolean, p_fallback text, p_again uuid, p_content bytea); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.announce(p_principal text, p_skill text, p_units bigint, p_ceiling numeric, p_window interval, p_due interval, p_key text, p_client text, p_deadline timestamp with time zone, p_rounds integer, p_backoff interval, p_ack interval, p_heartbeat interval, p_priority integer, p_partial text, p_kill_fee numeric, p_close_alone boolean, p_fallback text, p_again uuid, p_content bytea) IS 'Announces a task and returns the number of the request: tender.request shows the answer after the commit. The same principal, key and terms are the same request.';


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
-- Name: explain(uuid); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.explain(p_task uuid) RETURNS TABLE(round integer, rank integer, contractor text, principal text, status text, reason text, cost numeric, eta interval, price numeric, rule text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select b.round, b.rank, b.contractor, b.principal, b.status, b.reason, b.cost, b.eta, a.price,
        case
            when a.price is null then null
            when a.price_set_by = 'ceiling' then 'no other principal''s bid was eligible: the ceiling'
            else 'the lowest cost of another principal: ' || a.price_set_by
        end
    from tender.bid b
    left join tender.award a on a.task_id = b.task_id and a.round = b.round
        and a.contractor = b.contractor
    where b.task_id = p_task
    order by b.round, nullif(b.rank, 0) nulls last, b.contractor
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
    AS $_$
begin
    if not tender_ledger.is_operator() then
        raise exception using errcode = 'TN011', message = 'only operators put money into accounts';
    end if;
    perform tender_ledger.check_form('principal', coalesce(p_principal, ''),
        '^[A-Za-z0-9][A-Za-z0-9._@/-]{0,63}$',
        '1 to 64 of A-Z a-z 0-9 . _ @ / -, the first a letter or digit');
    return tender_ledger.ask('fund', tender_ledger.caller(), p_principal, null, jsonb_build_object(
        'amount_micro', tender_ledger.to_micro('credits', p_credits, -1000000000000)));
end
$_$;


ALTER FUNCTION tender.fund(p_principal text, p_credits numeric) OWNER TO tender_owner;

--
-- Name: FUNCTION fund(p_principal text, p_credits numeric); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.fund(p_principal text, p_credits numeric) IS 'Asks to put credits into an account, or, below zero, to take them out; returns the number of the request.';


--
-- Name: release(uuid); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.release(p_task uuid) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    return tender_ledger.ask_about('release', p_task, '{}');
end
$$;


ALTER FUNCTION tender.release(p_task uuid) OWNER TO tender_owner;

--
-- Name: FUNCTION release(p_task uuid); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.release(p_task uuid) IS 'Asks to let a held task go on; returns the number of the request.';


--
-- Name: verify_task(uuid); Type: FUNCTION; Schema: tender; Owner: tender_owner
--

CREATE FUNCTION tender.verify_task(p_task uuid) RETURNS TABLE(entries bigint, faults bigint, first_fault integer, head text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    with chain as (
        select e.number, e.hash, e.content, e.body,
            row_number() over (order by e.number) as place,
            sha256(convert_to('tender/entry/v1', 'UTF8') || '\x00'::bytea
                || lag(e.hash, 1, decode(repeat('00', 32), 'hex')) over (order by e.number)
                || uuid_send(e.task_id) || int8send(e.number::bigint)
                || int8send((extract(epoch from e.at) * 1000000)::bigint)
                || convert_to(w.name, 'UTF8') || '\x00'::bytea
                || convert_to(e.body, 'UTF8')) as computed
        from tender_ledger.entry e
        join tender_ledger.word w on w.vocabulary = 'entry_kind' and w.code = e.kind
        where e.task_id = p_task and e.shard = 0
    ), verdict as (
        select c.number, c.hash, c.place,
            c.hash = c.computed and c.number = c.place
                and (c.content is null
                    or encode(sha256(c.content), 'hex') = c.body::jsonb ->> 'content_digest')
                as is_right
        from chain c
    )
    select count(*), count(*) filter (where v.is_right is not true),
        min(v.number) filter (where v.is_right is not true),
        encode((array_agg(v.hash order by v.number desc))[1], 'hex')
    from verdict v
$$;


ALTER FUNCTION tender.verify_task(p_task uuid) OWNER TO tender_owner;

--
-- Name: FUNCTION verify_task(p_task uuid); Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON FUNCTION tender.verify_task(p_task uuid) IS 'Checks the hash chain of a task, or of the house for the nil identifier: entries, faults, the first faulty entry and the head.';


--
-- Name: add_commitments(smallint, uuid[], integer[], integer[], integer[], text[], text[], integer[], bigint[], timestamp with time zone[], timestamp with time zone[], timestamp with time zone[], timestamp with time zone[], smallint[], smallint[], integer[], bigint[], bigint[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.add_commitments(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units_done integer[], p_paid_micro bigint[], p_fee_micro bigint[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_count bigint;
begin
    insert into tender_ledger.commitment (awarded_at, due_at, acknowledged_at, ended_at, price_micro,
        paid_micro, fee_micro, units, units_done, generation, round, part, shard, state, reason,
        task_id, owner, principal)
    select g.awarded_at, g.due_at, g.acknowledged_at, g.ended_at, g.price_micro, g.paid_micro,
        g.fee_micro, g.units, g.units_done, g.generation, g.round, g.part, p_shard, g.state, g.reason,
        t.task_id, g.owner, g.principal
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_round) as round, unnest(p_owner) as owner, unnest(p_principal) as principal,
            unnest(p_units) as units, unnest(p_price_micro) as price_micro,
            unnest(p_awarded_at) as awarded_at, unnest(p_due_at) as due_at,
            unnest(p_acknowledged_at) as acknowledged_at, unnest(p_ended_at) as ended_at,
            unnest(p_state) as state, unnest(p_reason) as reason,
            unnest(p_units_done) as units_done, unnest(p_paid_micro) as paid_micro,
            unnest(p_fee_micro) as fee_micro
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


ALTER FUNCTION tender_ledger.add_commitments(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units_done integer[], p_paid_micro bigint[], p_fee_micro bigint[]) OWNER TO tender_owner;

--
-- Name: FUNCTION add_commitments(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units_done integer[], p_paid_micro bigint[], p_fee_micro bigint[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.add_commitments(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units_done integer[], p_paid_micro bigint[], p_fee_micro bigint[]) IS 'Adds commitments that ended in the batch that awarded them.';


--
-- Name: add_tasks(smallint, uuid[], timestamp with time zone[], smallint[], integer[], integer[], bigint[], uuid[], text[], text[], text[], text[], bytea[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.add_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_round integer[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    insert into tender_ledger.task (announced_at, ceiling_micro, units, shard, partial, task_id, again,
        client, principal, skill, key, body_digest)
    select unnest(p_announced_at), unnest(p_ceiling_micro), unnest(p_units), p_shard,
        unnest(p_partial), unnest(p_task), unnest(p_again), unnest(p_client), unnest(p_principal),
        unnest(p_skill), unnest(p_key), unnest(p_body_digest);
    insert into tender_ledger.open_part (ceiling_micro, units, round, part, shard, task_id, payer)
    select unnest(p_ceiling_micro), unnest(p_units), unnest(p_round), 0, p_shard, unnest(p_task),
        unnest(p_principal);
end
$$;


ALTER FUNCTION tender_ledger.add_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_round integer[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[]) OWNER TO tender_owner;

--
-- Name: FUNCTION add_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_round integer[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.add_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_round integer[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[]) IS 'Adds announced tasks, each with one open part.';


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
end
$$;


ALTER FUNCTION tender_ledger.answer_requests(p_shard smallint, p_request bigint[], p_answer text[]) OWNER TO tender_owner;

--
-- Name: FUNCTION answer_requests(p_shard smallint, p_request bigint[], p_answer text[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.answer_requests(p_shard smallint, p_request bigint[], p_answer text[]) IS 'Answers requests; the first answer stays.';


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
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_request bigint;
begin
    insert into tender_ledger.inbox as i (is_operator, kind, peer, principal, key, body)
    values (tender_ledger.is_operator(), p_kind, p_peer, p_principal, p_key, p_body)
    on conflict (principal, key, md5(body::text)) do update set key = excluded.key
    returning i.request into v_request;
    if pg_notification_queue_usage() < 0.5 then
        perform pg_notify('tender_inbox', '');
    end if;
    return v_request;
end
$$;


ALTER FUNCTION tender_ledger.ask(p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb) OWNER TO tender_owner;

--
-- Name: FUNCTION ask(p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.ask(p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb) IS 'Records a request for the broker; the same key and body are the same request.';


--
-- Name: ask_about(text, uuid, jsonb); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.ask_about(p_kind text, p_task uuid, p_body jsonb) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_task tender_ledger.task;
begin
    select * into v_task from tender_ledger.task where task_id = p_task;
    if not found then
        raise exception using errcode = 'TN012', message = format('there is no task %s', p_task);
    end if;
    if not tender_ledger.may_speak_for(v_task.principal) then
        raise exception using
            errcode = 'TN011',
            message = format('task %s belongs to another principal', p_task),
            hint = 'Members of tender_owner may act on any task.';
    end if;
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
-- Name: award_parts(smallint, uuid[], integer[], integer[], integer[], text[], text[], integer[], bigint[], timestamp with time zone[], timestamp with time zone[], timestamp with time zone[], integer[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.award_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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
    cross join lateral (
        select f.ctid as place
        from tender_ledger.open_part f
        where f.shard = p_shard and f.task_id = g.task_id and f.part = g.part
            and f.generation is null
        offset 0
    ) f
    where p.ctid = f.place;
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
    set batch = p_batch, stamp_at = greatest(stamp_at, p_stamp)
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
-- Name: begin_reign(smallint, text); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.begin_reign(p_shard smallint, p_broker text) RETURNS TABLE(reign bigint, batch bigint, stamp_at timestamp with time zone, clock_at timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS $$
begin
    perform pg_try_advisory_lock(1413828420, p_shard);
    return query
    insert into tender_ledger.reign as r (shard, reign, batch, broker, backend_pid)
    values (p_shard, 1, 0, p_broker, pg_backend_pid())
    on conflict on constraint reign_is_one_per_shard do update
    set reign = r.reign + 1, broker = excluded.broker, backend_pid = excluded.backend_pid
    returning r.reign, r.batch, r.stamp_at, clock_timestamp();
end
$$;


ALTER FUNCTION tender_ledger.begin_reign(p_shard smallint, p_broker text) OWNER TO tender_owner;

--
-- Name: FUNCTION begin_reign(p_shard smallint, p_broker text); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.begin_reign(p_shard smallint, p_broker text) IS 'Begins a new reign over a shard; every earlier broker is fenced off.';


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
-- Name: change_parts(smallint, uuid[], integer[], smallint[], smallint[], integer[], timestamp with time zone[], integer[], integer[], bigint[], integer[], timestamp with time zone[], smallint[], smallint[], integer[], bigint[], bigint[], boolean); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.change_parts(p_shard smallint, p_task uuid[], p_part integer[], p_state smallint[], p_reason smallint[], p_round integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[], p_units integer[], p_paid_micro bigint[], p_generation integer[], p_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_moves_money boolean) RETURNS void
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
            unnest(p_ended_fee_micro) as ended_fee_micro
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
        insert into tender_ledger.commitment (awarded_at, due_at, acknowledged_at, ended_at,
            price_micro, paid_micro, fee_micro, units, units_done, generation, round, part, shard,
            state, reason, task_id, owner, principal)
        select f.awarded_at, f.due_at, coalesce(f.acknowledged_at, (f.given).acknowledged_at),
            (f.given).ended_at, f.price_micro, (f.given).ended_paid_micro,
            (f.given).ended_fee_micro, f.promised_units, (f.given).ended_units,
            (f.given).generation, f.awarded_round, (f.given).part, p_shard, (f.given).ended_state,
            (f.given).ended_reason, (f.given).task_id, f.owner, f.principal
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


ALTER FUNCTION tender_ledger.change_parts(p_shard smallint, p_task uuid[], p_part integer[], p_state smallint[], p_reason smallint[], p_round integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[], p_units integer[], p_paid_micro bigint[], p_generation integer[], p_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_moves_money boolean) OWNER TO tender_owner;

--
-- Name: FUNCTION change_parts(p_shard smallint, p_task uuid[], p_part integer[], p_state smallint[], p_reason smallint[], p_round integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[], p_units integer[], p_paid_micro bigint[], p_generation integer[], p_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_moves_money boolean); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.change_parts(p_shard smallint, p_task uuid[], p_part integer[], p_state smallint[], p_reason smallint[], p_round integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[], p_units integer[], p_paid_micro bigint[], p_generation integer[], p_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_moves_money boolean) IS 'Changes parts that go on; state 0 and null keep what is, generation 0 ends no commitment.';


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
-- Name: finish_tasks(smallint, uuid[], timestamp with time zone[], smallint[], smallint[], integer[], integer[], bigint[], bigint[], timestamp with time zone[], integer[], timestamp with time zone[], smallint[], smallint[], integer[], bigint[], bigint[], boolean); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.finish_tasks(p_shard smallint, p_task uuid[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_round integer[], p_units integer[], p_paid_micro bigint[], p_released_micro bigint[], p_acknowledged_at timestamp with time zone[], p_generation integer[], p_commitment_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_moves_money boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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
                unnest(p_ended_fee_micro) as ended_fee_micro
        ) g
        cross join lateral (
            select f.ctid as place
            from tender_ledger.open_part f
            where f.shard = p_shard and f.task_id = g.task_id and f.part = 0
                and coalesce(f.generation, 0) = g.generation
            offset 0
        ) f
        where p.ctid = f.place
        returning p.task_id, p.payer, p.ceiling_micro, p.units, g.ended_at, g.state, g.reason,
            greatest(p.round, g.round) as round,
            p.units_done + g.units as units_done,
            p.paid_micro + g.paid_micro as total_micro, g.paid_micro, g.released_micro,
            p.awarded_at, p.due_at, coalesce(p.acknowledged_at, g.acknowledged_at) as acknowledged_at,
            p.price_micro, p.promised_units, p.awarded_round, p.owner, p.principal, g.generation,
            g.commitment_ended_at, g.ended_state, g.ended_reason, g.ended_units, g.ended_paid_micro,
            g.ended_fee_micro
    ), commitment as (
        insert into tender_ledger.commitment (awarded_at, due_at, acknowledged_at, ended_at,
            price_micro, paid_micro, fee_micro, units, units_done, generation, round, part, shard,
            state, reason, task_id, owner, principal)
        select g.awarded_at, g.due_at, g.acknowledged_at, g.commitment_ended_at, g.price_micro,
            g.ended_paid_micro, g.ended_fee_micro, g.promised_units, g.ended_units, g.generation,
            g.awarded_round, 0, p_shard, g.ended_state, g.ended_reason, g.task_id, g.owner,
            g.principal
        from gone g
        where g.generation <> 0
    ), task_end as (
        insert into tender_ledger.task_end (ended_at, ceiling_micro, paid_micro, released_micro, units,
            units_done, round, shard, state, reason, task_id)
        select g.ended_at, g.ceiling_micro, g.total_micro, g.released_micro, g.units, g.units_done,
            g.round, p_shard, g.state, g.reason, g.task_id
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


ALTER FUNCTION tender_ledger.finish_tasks(p_shard smallint, p_task uuid[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_round integer[], p_units integer[], p_paid_micro bigint[], p_released_micro bigint[], p_acknowledged_at timestamp with time zone[], p_generation integer[], p_commitment_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_moves_money boolean) OWNER TO tender_owner;

--
-- Name: FUNCTION finish_tasks(p_shard smallint, p_task uuid[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_round integer[], p_units integer[], p_paid_micro bigint[], p_released_micro bigint[], p_acknowledged_at timestamp with time zone[], p_generation integer[], p_commitment_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_moves_money boolean); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.finish_tasks(p_shard smallint, p_task uuid[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_round integer[], p_units integer[], p_paid_micro bigint[], p_released_micro bigint[], p_acknowledged_at timestamp with time zone[], p_generation integer[], p_commitment_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_moves_money boolean) IS 'Ends tasks, and the commitment that each ends with; generation 0: none was active.';


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
-- Name: lookup_keys(smallint, integer[], text[], text[], bytea[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.lookup_keys(p_shard smallint, p_place integer[], p_principal text[], p_key text[], p_body_digest bytea[]) RETURNS TABLE(place integer, task_id uuid, newest uuid, state smallint, reason smallint, client text, principal text, round integer, units integer, units_done integer, paid_micro bigint, commitment_state smallint, contractor text, number integer, hash bytea)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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
        from tender_ledger.task t
        where t.key = g.key and t.principal = g.principal
            and t.shard + 0 = p_shard -- by the index over keys, never by that over tasks
        having count(*) > 0
        offset 0
    ) f
    cross join lateral tender_ledger.lookup_task(p_shard, coalesce(f.task_id, f.newest), 0, 0) l
$$;


ALTER FUNCTION tender_ledger.lookup_keys(p_shard smallint, p_place integer[], p_principal text[], p_key text[], p_body_digest bytea[]) OWNER TO tender_owner;

--
-- Name: FUNCTION lookup_keys(p_shard smallint, p_place integer[], p_principal text[], p_key text[], p_body_digest bytea[]); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.lookup_keys(p_shard smallint, p_place integer[], p_principal text[], p_key text[], p_body_digest bytea[]) IS 'The tasks that were announced under keys with the same bodies, and the newest under those keys; nothing for a key that was not used.';


--
-- Name: lookup_task(smallint, uuid, integer, integer); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.lookup_task(p_shard smallint, p_task uuid, p_part integer, p_generation integer) RETURNS TABLE(task_id uuid, newest uuid, state smallint, reason smallint, client text, principal text, round integer, units integer, units_done integer, paid_micro bigint, commitment_state smallint, contractor text, number integer, hash bytea)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select t.task_id, t.task_id,
        coalesce(d.state, case when o.promise_state = 1 then 3::smallint else o.state end),
        coalesce(d.reason, o.reason), t.client, t.principal, coalesce(d.round, o.round), t.units,
        coalesce(d.units_done, o.units_done), coalesce(d.paid_micro, o.paid_micro),
        coalesce(c.state, case when o.generation = p_generation then o.promise_state end),
        coalesce(c.owner, case when o.generation = p_generation then o.owner end), e.number, e.hash
    from (
        select f.* from tender_ledger.task f where f.shard = p_shard and f.task_id = p_task offset 0
    ) t
    left join tender_ledger.task_end d on d.shard = p_shard and d.task_id = p_task
    left join tender_ledger.open_part o on o.shard = p_shard and o.task_id = p_task and o.part = p_part
    left join tender_ledger.commitment c on c.shard = p_shard and c.task_id = p_task
        and c.part = p_part and c.generation = p_generation
    cross join lateral (
        select case when f.next_kind is null then f.number else f.number + 1 end as number,
            coalesce(f.next_hash, f.hash) as hash
        from tender_ledger.entry_row f
        where f.shard = p_shard and f.task_id = p_task
        order by f.number desc
        limit 1
    ) e
$$;


ALTER FUNCTION tender_ledger.lookup_task(p_shard smallint, p_task uuid, p_part integer, p_generation integer) OWNER TO tender_owner;

--
-- Name: FUNCTION lookup_task(p_shard smallint, p_task uuid, p_part integer, p_generation integer); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.lookup_task(p_shard smallint, p_task uuid, p_part integer, p_generation integer) IS 'A task by its identifier, with one of its commitments and the end of its chain.';


--
-- Name: lookup_tasks(smallint, integer[], uuid[], integer[], integer[]); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.lookup_tasks(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[]) RETURNS TABLE(place integer, task_id uuid, newest uuid, state smallint, reason smallint, client text, principal text, round integer, units integer, units_done integer, paid_micro bigint, commitment_state smallint, contractor text, number integer, hash bytea)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select g.place, l.*
    from (
        select unnest(p_place) as place, unnest(p_task) as task_id, unnest(p_part) as part,
            unnest(p_generation) as generation
    ) g
    cross join lateral tender_ledger.lookup_task(p_shard, g.task_id, g.part, g.generation) l
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
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select p_reign = 0 or exists (
        select from tender_ledger.reign r where r.shard = p_shard and r.reign = p_reign)
$$;


ALTER FUNCTION tender_ledger.may_end(p_shard smallint, p_reign bigint) OWNER TO tender_owner;

--
-- Name: FUNCTION may_end(p_shard smallint, p_reign bigint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.may_end(p_shard smallint, p_reign bigint) IS 'Whether a broker may end other backends of the shard: it begins a reign (0), or it reigns.';


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

COMMENT ON FUNCTION tender_ledger.recall_head(p_shard smallint, p_task uuid) IS 'The end of a chain.';


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
                select min(p.task_id::text)::uuid as task_id
                from tender_ledger.open_part p
                where p.shard = p_shard
            ) p
            join tender_ledger.task t on t.shard = p_shard and t.task_id = p.task_id)
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
    from tender_ledger.task t
    where t.shard = p_shard
    limit p_limit
$$;


ALTER FUNCTION tender_ledger.recall_keys(p_shard smallint, p_limit bigint) OWNER TO tender_owner;

--
-- Name: FUNCTION recall_keys(p_shard smallint, p_limit bigint); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.recall_keys(p_shard smallint, p_limit bigint) IS 'Keys of tasks, ended ones too, up to a limit.';


--
-- Name: recall_tasks(smallint, uuid, integer); Type: FUNCTION; Schema: tender_ledger; Owner: tender_owner
--

CREATE FUNCTION tender_ledger.recall_tasks(p_shard smallint, p_after uuid, p_limit integer) RETURNS TABLE(task_id uuid, number integer, at timestamp with time zone, kind smallint, body text, content bytea, hash bytea)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select e.task_id, e.number, e.at, e.kind, e.body, e.content, e.hash
    from (
        select p.task_id
        from tender_ledger.open_part p
        where p.shard = p_shard and p.task_id > p_after and p.part = 0
        order by p.task_id
        limit p_limit
    ) t
    cross join lateral (
        select f.*
        from tender_ledger.entry f
        where f.shard = p_shard and f.task_id = t.task_id
        offset 0
    ) e
    order by e.task_id, e.number
$$;


ALTER FUNCTION tender_ledger.recall_tasks(p_shard smallint, p_after uuid, p_limit integer) OWNER TO tender_owner;

--
-- Name: FUNCTION recall_tasks(p_shard smallint, p_after uuid, p_limit integer); Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON FUNCTION tender_ledger.recall_tasks(p_shard smallint, p_after uuid, p_limit integer) IS 'All entries of the next tasks that have not ended, task by task.';


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

CREATE VIEW tender.account AS
 SELECT a.principal,
    ((sum(a.available_micro) / 1000000.0))::numeric(20,6) AS available,
    ((sum(a.reserved_micro) / 1000000.0))::numeric(20,6) AS reserved,
    ((sum(a.spent_micro) / 1000000.0))::numeric(20,6) AS spent,
    ((sum(a.earned_micro) / 1000000.0))::numeric(20,6) AS earned,
    ((sum(a.issued_micro) / 1000000.0))::numeric(20,6) AS issued
   FROM tender_ledger.account a
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
);
ALTER TABLE ONLY tender_ledger.entry_row ALTER COLUMN content SET STORAGE EXTERNAL;
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
  WHERE (e.kind IS NOT NULL);


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
            WHEN (pg_has_role(CURRENT_USER, 'tender_auditor'::name, 'member'::text) OR ((e.body ->> 'principal'::text) = CURRENT_USER)) THEN (((COALESCE((e.body ->> 'cost_micro'::text), '0'::text))::bigint)::numeric / 1000000.0)
            ELSE NULL::numeric
        END)::numeric(20,6) AS cost,
    ((((COALESCE((e.body ->> 'price_micro'::text), '0'::text))::bigint)::numeric / 1000000.0))::numeric(20,6) AS price,
    e.at AS awarded_at,
    (e.body ->> 'principal'::text) AS principal,
    ((e.body ->> 'generation'::text))::integer AS generation,
    COALESCE((e.body ->> 'price_set_by'::text), 'ceiling'::text) AS price_set_by
   FROM ( SELECT f.task_id,
            f.at,
            (f.body)::jsonb AS body
           FROM tender_ledger.entry f
          WHERE (f.kind = 4)) e;


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

COMMENT ON COLUMN tender.award.cost IS 'What the winner asked for, in credits; shown to auditors and to the winner''s own principal.';


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

COMMENT ON COLUMN tender.award.price_set_by IS 'Contractor whose cost is the price; `ceiling` where no other principal''s bid counted.';


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
            ((e.body ->> 'round'::text))::integer AS round,
            i.answer,
            COALESCE((i.answer ->> 'state'::text), 'standing'::text) AS state,
            row_number() OVER (PARTITION BY e.shard, e.task_id, (e.body ->> 'round'::text), (i.answer ->> 'contractor'::text) ORDER BY ((i.answer ->> 'state'::text) = 'ineligible'::text), e.number DESC, i.place DESC) AS newest,
            ((i.answer ->> 'state'::text) = 'ineligible'::text) AS is_extra
           FROM (( SELECT f.shard,
                    f.task_id,
                    f.number,
                    f.at,
                    (f.body)::jsonb AS body
                   FROM tender_ledger.entry f
                  WHERE (f.kind = 3)) e
             CROSS JOIN LATERAL jsonb_array_elements((e.body -> 'answers'::text)) WITH ORDINALITY i(answer, place))) a
     LEFT JOIN LATERAL ( SELECT f.number
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
  WHERE (((a.newest = 1) OR a.is_extra) AND ((c.number IS NOT NULL) OR (EXISTS ( SELECT
           FROM tender_ledger.entry f
          WHERE ((f.shard = a.shard) AND (f.task_id = a.task_id) AND (f.number > a.number) AND (f.kind = ANY (ARRAY[2, 11, 13])))))));


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

COMMENT ON COLUMN tender.bid.cost IS 'What it asked for, in credits; shown to auditors and to the bidder''s own principal.';


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
-- Name: commitment; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.commitment (
    awarded_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    acknowledged_at timestamp with time zone,
    ended_at timestamp with time zone NOT NULL,
    price_micro bigint NOT NULL,
    paid_micro bigint NOT NULL,
    fee_micro bigint NOT NULL,
    units integer NOT NULL,
    units_done integer NOT NULL,
    generation integer NOT NULL,
    round integer NOT NULL,
    part integer NOT NULL,
    shard smallint NOT NULL,
    state smallint NOT NULL,
    reason smallint NOT NULL,
    task_id uuid NOT NULL,
    owner text NOT NULL COLLATE pg_catalog."C",
    principal text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT commitment_counts_from_one CHECK (((generation >= 1) AND (part >= 0) AND (round >= 1))),
    CONSTRAINT commitment_does_no_more_than_its_units CHECK (((units_done >= 0) AND (units_done <= units) AND (units >= 1))),
    CONSTRAINT commitment_ends_after_it_begins CHECK (((ended_at >= awarded_at) AND (ended_at < 'infinity'::timestamp with time zone))),
    CONSTRAINT commitment_ends_in_an_ended_state CHECK (((state >= 3) AND (state <= 7))),
    CONSTRAINT commitment_pays_no_more_than_its_price CHECK (((fee_micro >= 0) AND (fee_micro <= paid_micro) AND (paid_micro <= price_micro))),
    CONSTRAINT commitment_was_due_at_an_instant CHECK (((due_at >= awarded_at) AND (due_at <= '2100-01-01 00:00:00+00'::timestamp with time zone) AND (awarded_at > '-infinity'::timestamp with time zone)))
);


ALTER TABLE tender_ledger.commitment OWNER TO tender_owner;

--
-- Name: TABLE commitment; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.commitment IS 'One row per commitment that has ended.';


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
WITH (fillfactor='30', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='20000', autovacuum_vacuum_cost_delay='0');


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
    body_digest bytea NOT NULL,
    CONSTRAINT task_ceiling_is_not_negative CHECK ((ceiling_micro >= 0)),
    CONSTRAINT task_has_units CHECK ((units >= 1)),
    CONSTRAINT task_time_is_finite CHECK (isfinite(announced_at))
);


ALTER TABLE tender_ledger.task OWNER TO tender_owner;

--
-- Name: TABLE task; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.task IS 'One row per task: what was announced.';


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
-- Name: COLUMN task.body_digest; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON COLUMN tender_ledger.task.body_digest IS 'SHA-256 of what the client announced.';


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
-- Name: commitment; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.commitment AS
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
    ((c.ended_at IS NULL) AND (c.due_at < clock_timestamp())) AS overdue,
    c.principal,
    c.awarded_at,
    c.acknowledged_at,
    (((c.fee_micro)::numeric / 1000000.0))::numeric(20,6) AS fee
   FROM (((( SELECT p.shard,
            p.task_id,
            p.part,
            p.generation,
            p.awarded_round AS round,
            p.owner,
            p.principal,
            p.promised_units AS units,
            p.promised_units_done AS units_done,
            p.price_micro,
            (0)::bigint AS paid_micro,
            (0)::bigint AS fee_micro,
            p.awarded_at,
            p.due_at,
            p.acknowledged_at,
            NULL::timestamp with time zone AS ended_at,
            p.promise_state AS state,
            (0)::smallint AS reason
           FROM tender_ledger.open_part p
          WHERE (p.generation IS NOT NULL)
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
            (c_1.paid_micro + (COALESCE(( SELECT sum(m.amount_micro) AS sum
                   FROM tender_ledger.transfer m
                  WHERE ((m.shard = c_1.shard) AND (m.task_id = c_1.task_id) AND (m.generation = c_1.generation) AND (m.to_bucket = 'earned'::text))), (0)::numeric))::bigint),
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
     JOIN tender_ledger.word r ON (((r.vocabulary = 'reason'::text) AND (r.code = c.reason))));


ALTER TABLE tender.commitment OWNER TO tender_owner;

--
-- Name: VIEW commitment; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.commitment IS 'Every promise: its owner, its due time and its status.';


--
-- Name: COLUMN commitment.commitment_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.commitment.commitment_id IS 'TASK/GENERATION; never used again.';


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

COMMENT ON COLUMN tender.commitment.paid IS 'Paid to its principal, in credits.';


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
-- Name: contractor_record; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.contractor_record AS
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
    r.name AS departed_reason
   FROM ((tender_ledger.contractor k
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
            sum(a.units_done) AS units_done,
            (sum(a.paid_micro))::bigint AS earned_micro
           FROM ( SELECT c_1.owner,
                    c_1.principal,
                    c_1.state,
                    c_1.ended_at,
                    c_1.due_at,
                    c_1.units_done,
                    c_1.paid_micro
                   FROM tender_ledger.commitment c_1
                UNION ALL
                 SELECT p.owner,
                    p.principal,
                    p.promise_state,
                    NULL::timestamp with time zone,
                    p.due_at,
                    p.promised_units_done,
                    0
                   FROM tender_ledger.open_part p
                  WHERE (p.generation IS NOT NULL)) a
          GROUP BY a.owner) c ON ((c.owner = k.contractor)))
     LEFT JOIN tender_ledger.word r ON (((r.vocabulary = 'reason'::text) AND (r.code = k.departed_reason) AND (k.departed_at IS NOT NULL))));


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
-- Name: overdue; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.overdue AS
 SELECT ((p.task_id || '/'::text) || p.generation) AS commitment_id,
    p.task_id,
    p.owner,
    p.principal,
    t.client AS creditor,
    p.due_at,
    (clock_timestamp() - p.due_at) AS overdue_by,
    p.promised_units AS units,
    p.promised_units_done AS units_done,
    (((p.price_micro)::numeric / 1000000.0))::numeric(20,6) AS price
   FROM (tender_ledger.open_part p
     JOIN tender_ledger.task t ON (((t.shard = p.shard) AND (t.task_id = p.task_id))))
  WHERE ((p.generation IS NOT NULL) AND (p.due_at < clock_timestamp()));


ALTER TABLE tender.overdue OWNER TO tender_owner;

--
-- Name: VIEW overdue; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.overdue IS 'Active commitments past their due time: empty within a second while a broker runs.';


--
-- Name: COLUMN overdue.commitment_id; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.overdue.commitment_id IS 'TASK/GENERATION.';


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
-- Name: task_end; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.task_end (
    ended_at timestamp with time zone NOT NULL,
    ceiling_micro bigint NOT NULL,
    paid_micro bigint NOT NULL,
    released_micro bigint NOT NULL,
    units integer NOT NULL,
    units_done integer NOT NULL,
    round integer NOT NULL,
    shard smallint NOT NULL,
    state smallint NOT NULL,
    reason smallint NOT NULL,
    task_id uuid NOT NULL,
    CONSTRAINT task_does_no_more_than_its_units CHECK (((units_done >= 0) AND (units_done <= units))),
    CONSTRAINT task_end_accounts_for_its_ceiling CHECK (((paid_micro >= 0) AND (released_micro >= 0) AND ((paid_micro + released_micro) = ceiling_micro))),
    CONSTRAINT task_end_is_at_an_instant CHECK (isfinite(ended_at)),
    CONSTRAINT task_ends_in_an_ended_state CHECK (((state >= 6) AND (state <= 8))),
    CONSTRAINT task_is_done_when_all_units_are CHECK (((state <> 6) OR (units_done = units)))
);


ALTER TABLE tender_ledger.task_end OWNER TO tender_owner;

--
-- Name: TABLE task_end; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TABLE tender_ledger.task_end IS 'One row per task that has ended.';


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
-- Name: posting; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.posting AS
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
            m_1.generation,
            m_1.from_principal,
            m_1.from_bucket,
            m_1.to_principal,
            m_1.to_bucket,
            m_1.amount_micro
           FROM tender_ledger.transfer m_1) m
     CROSS JOIN ( VALUES (1), (2)) l(leg))
  WHERE (m.amount_micro > 0);


ALTER TABLE tender.posting OWNER TO tender_owner;

--
-- Name: VIEW posting; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.posting IS 'Every movement of money as two legs that sum to zero, in credits.';


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
    CONSTRAINT inbox_kind_exists CHECK ((kind = ANY (ARRAY['announce'::text, 'cancel'::text, 'close'::text, 'release'::text, 'fund'::text]))),
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
-- Name: request; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.request AS
 SELECT i.request,
    i.kind,
    i.peer,
    i.principal,
    i.body,
    i.asked_at,
    i.answer,
    i.answered_at
   FROM tender_ledger.inbox i
  WHERE (tender_ledger.may_speak_for(i.principal) OR pg_has_role(CURRENT_USER, 'tender_auditor'::name, 'member'::text));


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
-- Name: round; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.round AS
 SELECT o.task_id,
    ((o.body ->> 'round'::text))::integer AS round,
    (o.body ->> 'head'::text) AS head,
    ((o.body ->> 'units'::text))::bigint AS units,
    ((((COALESCE((o.body ->> 'ceiling_micro'::text), '0'::text))::bigint)::numeric / 1000000.0))::numeric(20,6) AS ceiling,
    COALESCE(((c.body ->> 'invited'::text))::integer,
        CASE
            WHEN (c.at IS NOT NULL) THEN 0
            ELSE NULL::integer
        END) AS invited,
    ('1970-01-01 00:00:00+00'::timestamp with time zone + (((COALESCE((o.body ->> 'closes_at_us'::text), '0'::text))::bigint)::double precision * '00:00:00.000001'::interval)) AS closes_at,
    COALESCE(c.at, n.at) AS closed_at,
        CASE
            WHEN (c.kind = 4) THEN 'awarded'::text
            WHEN (c.kind = 5) THEN COALESCE((c.body ->> 'reason'::text), 'none'::text)
            WHEN (n.at IS NOT NULL) THEN 'round-cancelled'::text
            ELSE NULL::text
        END AS outcome,
    o.at AS opened_at,
    ((((o.body ->> 'due_us'::text))::bigint)::double precision * '00:00:00.000001'::interval) AS due
   FROM ((( SELECT e.shard,
            e.task_id,
            e.number,
            e.at,
            (e.body)::jsonb AS body
           FROM tender_ledger.entry e
          WHERE (e.kind = 2)) o
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
         LIMIT 1) n ON ((c.at IS NULL)));


ALTER TABLE tender.round OWNER TO tender_owner;

--
-- Name: VIEW round; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON VIEW tender.round IS 'Every round of every task: one call for proposals each.';


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

COMMENT ON COLUMN tender.round.outcome IS 'awarded, or why nobody was; null while it is open.';


--
-- Name: COLUMN round.opened_at; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.round.opened_at IS 'When it opened.';


--
-- Name: COLUMN round.due; Type: COMMENT; Schema: tender; Owner: tender_owner
--

COMMENT ON COLUMN tender.round.due IS 'The most time that a bid may ask for.';


--
-- Name: task; Type: VIEW; Schema: tender; Owner: tender_owner
--

CREATE VIEW tender.task AS
 SELECT t.task_id,
    t.client,
    t.principal,
    t.skill,
    t.units,
    COALESCE(e.units_done, p.units_done) AS units_done,
    (((t.ceiling_micro)::numeric / 1000000.0))::numeric(20,6) AS ceiling,
    s.name AS status,
    r.name AS reason,
    COALESCE(e.round, p.round) AS round,
    t.key,
    t.announced_at,
    e.ended_at,
    (((COALESCE(e.paid_micro, p.paid_micro))::numeric / 1000000.0))::numeric(20,6) AS paid,
    (((e.released_micro)::numeric / 1000000.0))::numeric(20,6) AS released,
    t.again
   FROM ((((tender_ledger.task t
     LEFT JOIN tender_ledger.task_end e ON (((e.shard = t.shard) AND (e.task_id = t.task_id))))
     LEFT JOIN tender_ledger.open_part p ON (((p.shard = t.shard) AND (p.task_id = t.task_id) AND (p.part = 0))))
     LEFT JOIN tender_ledger.word s ON (((s.vocabulary = 'task_state'::text) AND (s.code = COALESCE((e.state)::integer,
        CASE p.promise_state
            WHEN 1 THEN 3
            WHEN 2 THEN 4
            ELSE (p.state)::integer
        END)))))
     LEFT JOIN tender_ledger.word r ON (((r.vocabulary = 'reason'::text) AND (r.code = COALESCE(e.reason, p.reason)))));


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
-- Name: reign; Type: TABLE; Schema: tender_ledger; Owner: tender_owner
--

CREATE TABLE tender_ledger.reign (
    stamp_at timestamp with time zone,
    reign bigint NOT NULL,
    batch bigint NOT NULL,
    backend_pid integer,
    shard smallint NOT NULL,
    broker text NOT NULL,
    CONSTRAINT reign_batch_is_not_negative CHECK ((batch >= 0)),
    CONSTRAINT reign_counts_from_one CHECK ((reign >= 1)),
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
-- Name: account account_is_one_per_principal; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.account
    ADD CONSTRAINT account_is_one_per_principal PRIMARY KEY (shard, principal);


--
-- Name: commitment commitment_ends_once; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.commitment
    ADD CONSTRAINT commitment_ends_once PRIMARY KEY (shard, task_id, part, generation);


--
-- Name: contractor contractor_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.contractor
    ADD CONSTRAINT contractor_has_one_row PRIMARY KEY (shard, contractor);


--
-- Name: entry_row entry_has_one_place_in_its_chain; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.entry_row
    ADD CONSTRAINT entry_has_one_place_in_its_chain PRIMARY KEY (shard, task_id, number);


--
-- Name: inbox inbox_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.inbox
    ADD CONSTRAINT inbox_has_one_row PRIMARY KEY (request);


--
-- Name: migration migration_is_applied_once; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.migration
    ADD CONSTRAINT migration_is_applied_once PRIMARY KEY (version);


--
-- Name: open_part open_part_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.open_part
    ADD CONSTRAINT open_part_has_one_row PRIMARY KEY (shard, task_id, part);


--
-- Name: recess recess_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.recess
    ADD CONSTRAINT recess_has_one_row PRIMARY KEY (shard, number);


--
-- Name: reign reign_is_one_per_shard; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.reign
    ADD CONSTRAINT reign_is_one_per_shard PRIMARY KEY (shard);


--
-- Name: task_end task_ends_once; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.task_end
    ADD CONSTRAINT task_ends_once PRIMARY KEY (shard, task_id);


--
-- Name: task task_has_one_row; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.task
    ADD CONSTRAINT task_has_one_row PRIMARY KEY (shard, task_id);


--
-- Name: task task_key_is_used_once_unless_again; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.task
    ADD CONSTRAINT task_key_is_used_once_unless_again UNIQUE NULLS NOT DISTINCT (key, principal, shard, again);


--
-- Name: transfer transfer_is_made_by_one_entry; Type: CONSTRAINT; Schema: tender_ledger; Owner: tender_owner
--

ALTER TABLE ONLY tender_ledger.transfer
    ADD CONSTRAINT transfer_is_made_by_one_entry PRIMARY KEY (shard, task_id, number);


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
-- Name: commitment commitment_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER commitment_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tender_ledger.commitment FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER commitment_is_append_only ON commitment; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER commitment_is_append_only ON tender_ledger.commitment IS 'A terminal state absorbs.';


--
-- Name: entry_row entry_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER entry_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tender_ledger.entry_row FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER entry_is_append_only ON entry_row; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER entry_is_append_only ON tender_ledger.entry_row IS 'Also its owner adds to the ledger and never changes it.';


--
-- Name: task_end task_end_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER task_end_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tender_ledger.task_end FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER task_end_is_append_only ON task_end; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER task_end_is_append_only ON tender_ledger.task_end IS 'A terminal state absorbs.';


--
-- Name: task task_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER task_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tender_ledger.task FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER task_is_append_only ON task; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER task_is_append_only ON tender_ledger.task IS 'Terms are not changed after the fact.';


--
-- Name: transfer transfer_is_append_only; Type: TRIGGER; Schema: tender_ledger; Owner: tender_owner
--

CREATE TRIGGER transfer_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tender_ledger.transfer FOR EACH STATEMENT EXECUTE FUNCTION tender_ledger.refuse_change();


--
-- Name: TRIGGER transfer_is_append_only ON transfer; Type: COMMENT; Schema: tender_ledger; Owner: tender_owner
--

COMMENT ON TRIGGER transfer_is_append_only ON tender_ledger.transfer IS 'A movement is reversed by another movement.';


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
GRANT USAGE ON SCHEMA tender_ledger TO PUBLIC;


--
-- Name: FUNCTION announce(p_principal text, p_skill text, p_units bigint, p_ceiling numeric, p_window interval, p_due interval, p_key text, p_client text, p_deadline timestamp with time zone, p_rounds integer, p_backoff interval, p_ack interval, p_heartbeat interval, p_priority integer, p_partial text, p_kill_fee numeric, p_close_alone boolean, p_fallback text, p_again uuid, p_content bytea); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.announce(p_principal text, p_skill text, p_units bigint, p_ceiling numeric, p_window interval, p_due interval, p_key text, p_client text, p_deadline timestamp with time zone, p_rounds integer, p_backoff interval, p_ack interval, p_heartbeat interval, p_priority integer, p_partial text, p_kill_fee numeric, p_close_alone boolean, p_fallback text, p_again uuid, p_content bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.announce(p_principal text, p_skill text, p_units bigint, p_ceiling numeric, p_window interval, p_due interval, p_key text, p_client text, p_deadline timestamp with time zone, p_rounds integer, p_backoff interval, p_ack interval, p_heartbeat interval, p_priority integer, p_partial text, p_kill_fee numeric, p_close_alone boolean, p_fallback text, p_again uuid, p_content bytea) TO tender_principal;


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
-- Name: FUNCTION explain(p_task uuid); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.explain(p_task uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.explain(p_task uuid) TO tender_auditor;
GRANT ALL ON FUNCTION tender.explain(p_task uuid) TO tender_reader;


--
-- Name: FUNCTION fund(p_principal text, p_credits numeric); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.fund(p_principal text, p_credits numeric) FROM PUBLIC;


--
-- Name: FUNCTION release(p_task uuid); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.release(p_task uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.release(p_task uuid) TO tender_principal;


--
-- Name: FUNCTION verify_task(p_task uuid); Type: ACL; Schema: tender; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender.verify_task(p_task uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION tender.verify_task(p_task uuid) TO tender_auditor;
GRANT ALL ON FUNCTION tender.verify_task(p_task uuid) TO tender_reader;


--
-- Name: FUNCTION add_commitments(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units_done integer[], p_paid_micro bigint[], p_fee_micro bigint[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.add_commitments(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units_done integer[], p_paid_micro bigint[], p_fee_micro bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.add_commitments(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units_done integer[], p_paid_micro bigint[], p_fee_micro bigint[]) TO tender_broker;


--
-- Name: FUNCTION add_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_round integer[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.add_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_round integer[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.add_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_round integer[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[]) TO tender_broker;


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
-- Name: FUNCTION award_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.award_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.award_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[]) TO tender_broker;


--
-- Name: FUNCTION begin_batch(p_shard smallint, p_reign bigint, p_batch bigint, p_stamp timestamp with time zone); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.begin_batch(p_shard smallint, p_reign bigint, p_batch bigint, p_stamp timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.begin_batch(p_shard smallint, p_reign bigint, p_batch bigint, p_stamp timestamp with time zone) TO tender_broker;


--
-- Name: FUNCTION begin_reign(p_shard smallint, p_broker text); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.begin_reign(p_shard smallint, p_broker text) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.begin_reign(p_shard smallint, p_broker text) TO tender_broker;


--
-- Name: FUNCTION change_parts(p_shard smallint, p_task uuid[], p_part integer[], p_state smallint[], p_reason smallint[], p_round integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[], p_units integer[], p_paid_micro bigint[], p_generation integer[], p_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_moves_money boolean); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.change_parts(p_shard smallint, p_task uuid[], p_part integer[], p_state smallint[], p_reason smallint[], p_round integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[], p_units integer[], p_paid_micro bigint[], p_generation integer[], p_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_moves_money boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.change_parts(p_shard smallint, p_task uuid[], p_part integer[], p_state smallint[], p_reason smallint[], p_round integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[], p_units integer[], p_paid_micro bigint[], p_generation integer[], p_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_moves_money boolean) TO tender_broker;


--
-- Name: FUNCTION check_form(p_field text, p_value text, p_form text, p_help text); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.check_form(p_field text, p_value text, p_form text, p_help text) FROM PUBLIC;


--
-- Name: FUNCTION check_range(p_field text, p_value bigint, p_minimum bigint, p_maximum bigint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.check_range(p_field text, p_value bigint, p_minimum bigint, p_maximum bigint) FROM PUBLIC;


--
-- Name: FUNCTION enrol(p_shard smallint, p_contractor text[], p_principal text[], p_slots integer[], p_skills text[], p_number integer[], p_enrolled_at timestamp with time zone[], p_departed_at timestamp with time zone[], p_departed_reason smallint[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.enrol(p_shard smallint, p_contractor text[], p_principal text[], p_slots integer[], p_skills text[], p_number integer[], p_enrolled_at timestamp with time zone[], p_departed_at timestamp with time zone[], p_departed_reason smallint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.enrol(p_shard smallint, p_contractor text[], p_principal text[], p_slots integer[], p_skills text[], p_number integer[], p_enrolled_at timestamp with time zone[], p_departed_at timestamp with time zone[], p_departed_reason smallint[]) TO tender_broker;


--
-- Name: FUNCTION finish_tasks(p_shard smallint, p_task uuid[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_round integer[], p_units integer[], p_paid_micro bigint[], p_released_micro bigint[], p_acknowledged_at timestamp with time zone[], p_generation integer[], p_commitment_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_moves_money boolean); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.finish_tasks(p_shard smallint, p_task uuid[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_round integer[], p_units integer[], p_paid_micro bigint[], p_released_micro bigint[], p_acknowledged_at timestamp with time zone[], p_generation integer[], p_commitment_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_moves_money boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.finish_tasks(p_shard smallint, p_task uuid[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_round integer[], p_units integer[], p_paid_micro bigint[], p_released_micro bigint[], p_acknowledged_at timestamp with time zone[], p_generation integer[], p_commitment_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_moves_money boolean) TO tender_broker;


--
-- Name: FUNCTION lookup_keys(p_shard smallint, p_place integer[], p_principal text[], p_key text[], p_body_digest bytea[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.lookup_keys(p_shard smallint, p_place integer[], p_principal text[], p_key text[], p_body_digest bytea[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.lookup_keys(p_shard smallint, p_place integer[], p_principal text[], p_key text[], p_body_digest bytea[]) TO tender_broker;


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
-- Name: FUNCTION move_money(p_shard smallint, p_principal text[], p_issued_micro bigint[], p_available_micro bigint[], p_reserved_micro bigint[], p_spent_micro bigint[], p_earned_micro bigint[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.move_money(p_shard smallint, p_principal text[], p_issued_micro bigint[], p_available_micro bigint[], p_reserved_micro bigint[], p_spent_micro bigint[], p_earned_micro bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.move_money(p_shard smallint, p_principal text[], p_issued_micro bigint[], p_available_micro bigint[], p_reserved_micro bigint[], p_spent_micro bigint[], p_earned_micro bigint[]) TO tender_broker;


--
-- Name: FUNCTION pending_requests(p_shard smallint, p_held bigint[], p_limit integer); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.pending_requests(p_shard smallint, p_held bigint[], p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.pending_requests(p_shard smallint, p_held bigint[], p_limit integer) TO tender_broker;


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
-- Name: FUNCTION recall_tasks(p_shard smallint, p_after uuid, p_limit integer); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.recall_tasks(p_shard smallint, p_after uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.recall_tasks(p_shard smallint, p_after uuid, p_limit integer) TO tender_broker;


--
-- Name: FUNCTION refuse_change(); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.refuse_change() FROM PUBLIC;


--
-- Name: FUNCTION resume_reign(p_shard smallint, p_reign bigint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.resume_reign(p_shard smallint, p_reign bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION tender_ledger.resume_reign(p_shard smallint, p_reign bigint) TO tender_broker;


--
-- Name: FUNCTION spend(p_shard smallint, p_payer text[], p_paid_micro bigint[], p_released_micro bigint[]); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.spend(p_shard smallint, p_payer text[], p_paid_micro bigint[], p_released_micro bigint[]) FROM PUBLIC;


--
-- Name: FUNCTION to_micro(p_field text, p_credits numeric, p_minimum numeric); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.to_micro(p_field text, p_credits numeric, p_minimum numeric) FROM PUBLIC;


--
-- Name: FUNCTION to_us(p_field text, p_duration interval, p_minimum bigint); Type: ACL; Schema: tender_ledger; Owner: tender_owner
--

REVOKE ALL ON FUNCTION tender_ledger.to_us(p_field text, p_duration interval, p_minimum bigint) FROM PUBLIC;


--
-- Name: TABLE account; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.account TO tender_auditor;
GRANT SELECT ON TABLE tender.account TO tender_reader;


--
-- Name: TABLE award; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.award TO tender_auditor;
GRANT SELECT ON TABLE tender.award TO tender_reader;


--
-- Name: TABLE bid; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.bid TO tender_auditor;
GRANT SELECT ON TABLE tender.bid TO tender_reader;


--
-- Name: TABLE commitment; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.commitment TO tender_auditor;
GRANT SELECT ON TABLE tender.commitment TO tender_reader;


--
-- Name: TABLE contractor_record; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.contractor_record TO tender_auditor;
GRANT SELECT ON TABLE tender.contractor_record TO tender_reader;


--
-- Name: TABLE overdue; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.overdue TO tender_auditor;
GRANT SELECT ON TABLE tender.overdue TO tender_reader;


--
-- Name: TABLE posting; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.posting TO tender_auditor;
GRANT SELECT ON TABLE tender.posting TO tender_reader;


--
-- Name: TABLE request; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.request TO tender_auditor;
GRANT SELECT ON TABLE tender.request TO tender_principal;


--
-- Name: TABLE round; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.round TO tender_auditor;
GRANT SELECT ON TABLE tender.round TO tender_reader;


--
-- Name: TABLE task; Type: ACL; Schema: tender; Owner: tender_owner
--

GRANT SELECT ON TABLE tender.task TO tender_auditor;
GRANT SELECT ON TABLE tender.task TO tender_reader;


--
-- PostgreSQL database dump complete
--


