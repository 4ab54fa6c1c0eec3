-- Goal: a principal's login reads the rows of its own business and learns of no other's. Method: the same
-- business twice, of two clients and two contractors, one of which bid in both; each view as each of them
-- sees it, and as somebody sees it who has no part in either; conditions that would tell of hidden rows;
-- errors about tasks of others.
begin;
select plan(63);
set local jit = off; -- plans of tables without statistics are not worth being compiled

create function pg_temp.task(p_world integer, p_letter text) returns uuid immutable language sql as
    $$ select ('00000000-0000-7000-8000-0000000000' || p_world || p_letter)::uuid $$;

set local role tender_owner;
insert into tender_ledger.partition (since_at, until_at, from_id, to_id, suffix, state, tasks, entries,
    retired_at, retired_by, directory, root, manifest_digest)
values ('1999-01-01Z', '1999-02-01Z', '00000000-0000-6000-8000-000000000000',
    '00000000-0000-6fff-8000-000000000000', 'p1999010100', 'archived', 2, 2, '1999-03-01Z', 'root', '/archive',
    sha256(''), sha256(''));

-- A task that is done, and one after it that is awarded, overdue and held.
create function pg_temp.make(p_world integer, p_client text, p_won text, p_lost text)
returns void language sql as $$
    insert into tender_ledger.task (announced_at, ceiling_micro, units, shard, partial, task_id, client,
        principal, skill, key, hash, body, next_at, next_kind, next_hash, next_body)
    select '2026-01-01Z', 5000000, 1, 0, 1, pg_temp.task(p_world, l), p_client || '/a', p_client, 's', l, sha256(''),
        '{"deadline_at_us":9000000000000000}', '2026-01-01Z', 2, sha256(''), '{"round":1,"closes_at_us":0}'
    from unnest(array['a', 'b']) l;
    insert into tender_ledger.entry_row (at, number, shard, kind, task_id, hash, body, next_at, next_kind,
        next_hash, next_body)
    select '2026-01-01Z', 3, 0, 3, pg_temp.task(p_world, l), sha256(''), jsonb_build_object('round', 1, 'answers',
            jsonb_build_array(
                jsonb_build_object('contractor', p_won || '-1', 'principal', p_won, 'cost_micro', 1000000),
                jsonb_build_object('contractor', p_lost || '-1', 'principal', p_lost, 'cost_micro', 2000000))),
        '2026-01-01Z', 4, sha256(''), jsonb_build_object('round', 1, 'contractor', p_won || '-1', 'principal',
            p_won, 'cost_micro', 1000000, 'price_micro', 2000000, 'price_set_by', p_lost || '-1', 'generation', 1)
    from unnest(array['a', 'b']) l;
    insert into tender_ledger.entry_row (at, number, shard, kind, task_id, hash, body)
    values ('2026-01-01Z', 5, 0, 10, pg_temp.task(p_world, 'a'), sha256(''),
            jsonb_build_object('generation', 1, 'units_done', 1, 'contractor', p_won || '-1')),
        ('2026-01-01Z', 5, 0, 17, pg_temp.task(p_world, 'b'), sha256(''),
            jsonb_build_object('by', p_won || '-1', 'principal', p_won, 'belief', 'impossible')),
        ('2026-01-01Z', 6, 0, 11, pg_temp.task(p_world, 'b'), sha256(''),
            '{"reason":"other","by":"root","text":"because","until_us":9000000000000000}'),
        ('2026-01-01Z', 2 * p_world, 0, 27, '00000000-0000-0000-0000-000000000000', sha256(''),
            jsonb_build_object('contractor', p_won || '-1', 'reason', 'other', 'text', 'because', 'by', 'root',
                'until_us', 9000000000000000));
    insert into tender_ledger.entry_row (at, number, shard, kind, task_id, hash, body)
    values ('2026-01-01Z', 10 * p_world, 0, 29, '00000000-0000-0000-0000-000000000000', sha256(''),
            jsonb_build_object('principal', p_client, 'said_at_us', 1)),
        ('2026-01-01Z', 10 * p_world + 2, 0, 34, '00000000-0000-0000-0000-000000000000', sha256(''),
            jsonb_build_object('agent', p_client || '/a', 'principal', p_client, 'said_at_us', 1));
    insert into tender_ledger.house_fact (number, kind, shard, subject)
    values (2 * p_world, 27, 0, p_won), (10 * p_world, 29, 0, p_client), (10 * p_world + 2, 34, 0, p_client || '/a');
    insert into tender_ledger.ending (awarded_at, due_at, ended_at, task_ended_at, price_micro, paid_micro,
        fee_micro, task_ceiling_micro, task_paid_micro, task_released_micro, units, units_done, task_units,
        task_units_done, round, task_round, generation, part, shard, state, reason, task_state, task_reason,
        task_id, owner, principal)
    values ('2026-01-01Z', '2026-01-02Z', '2026-01-01Z', '2026-01-01Z', 2000000, 2000000, 0, 5000000, 2000000,
        3000000, 1, 1, 1, 1, 1, 1, 1, 0, 0, 3, 0, 6, 0, pg_temp.task(p_world, 'a'), p_won || '-1', p_won);
    insert into tender_ledger.open_part (awarded_at, due_at, price_micro, ceiling_micro, units, promised_units,
        promised_units_done, generation, awarded_round, round, part, shard, promise_state, task_id, payer, owner,
        principal)
    values ('2026-01-01Z', '2026-01-02Z', 2000000, 5000000, 1, 1, 0, 1, 1, 1, 0, 0, 1,
        pg_temp.task(p_world, 'b'), p_client, p_won || '-1', p_won);
    insert into tender_ledger.delivery (delivered_at, accept_by_at, measured_micro, units, generation, part,
        shard, task_id, owner, evidence, tier)
    select '2026-01-01Z', '2026-01-02Z', 0, 1, 1, 0, 0, pg_temp.task(p_world, l), p_won || '-1', '', ''
    from unnest(array['a', 'b']) l;
    insert into tender_ledger.task_goal (shard, task_id, principal, goal)
    values (0, pg_temp.task(p_world, 'b'), p_client, 'g');
    insert into tender_ledger.task_after (shard, task_id, after_id)
    select 0, pg_temp.task(p_world, 'b'), pg_temp.task(w, 'a') from generate_series(1, p_world) w;
    insert into tender_ledger.account (shard, principal, issued_micro, available_micro)
    values (0, p_client, 5, 5), (0, p_won, 0, 0);
    insert into tender_ledger.measured (at, bid_micro, measured_micro, units, part, generation, shard, task_id,
        contractor, principal, skill, tier)
    values ('2026-01-01Z', 1, 1, 1, 0, 1, 0, pg_temp.task(p_world, 'a'), p_won || '-1', p_won, 's', '');
    insert into tender_ledger.contractor (enrolled_at, number, slots, shard, contractor, principal, skills)
    values ('2026-01-01Z', 1, 1, 0, p_won || '-1', p_won, array['s']);
    insert into tender_ledger.archived_task (ended_at, paid_micro, units, units_done, round, shard, state, reason,
        task_id, client, principal, key)
    values ('1999-01-02Z', 1, 1, 1, 1, 0, 6, 0, ('00000000-0000-6000-8000-00000000000' || p_world)::uuid,
        p_client || '/a', p_client, 'k');
    insert into tender_ledger.inbox (is_operator, shard, kind, peer, principal, body)
    values (false, 0, 'cancel', p_client || '/a', p_client, '{}');
    insert into tender_ledger.allotment (request, step, amount_micro, from_principal, to_principal)
    select i.request, i.request, 1, p_client, p_client || '/team'
    from tender_ledger.inbox i
    where i.principal = p_client
$$;
select pg_temp.make(1, 'acme', 'kiln', 'oven');
select pg_temp.make(2, 'zinc', 'oven', 'silo');
reset role;
create role acme in role tender_principal;
create role kiln in role tender_principal;
create role oven in role tender_principal;
create role idle in role tender_principal;

create function pg_temp.count_as(p_role text, p_view text, p_where text default 'true')
returns bigint language plpgsql as $$
declare
    v_count bigint;
begin
    execute format('set local role %I', p_role);
    execute format('select count(*) from (select * from tender.%I where %s) v', p_view, p_where) into v_count;
    reset role;
    return v_count;
end
$$;
create temporary view shown as
select c.relname::text as view_name, c.oid, c.reloptions
from pg_class c
where c.relnamespace = 'tender'::regnamespace and c.relkind = 'v' and c.relname <> 'rate'
    and has_table_privilege('tender_principal', c.oid, 'select');

select is_empty($$
    select s.view_name from shown s
    where not coalesce(s.reloptions::text like '%security_barrier=true%', false)
$$, 'every view that a principal reads is a barrier, but for the rates, which are everybody''s');
select is_empty($$
    select s.view_name from shown s where pg_temp.count_as('tender_auditor', s.view_name) < 2
$$, 'each has rows of both clients here');
select is_empty($$
    select s.view_name, pg_temp.count_as('idle', s.view_name) from shown s
    where pg_temp.count_as('idle', s.view_name) > 0
$$, 'who has no part in them is shown nothing by any');
select is_empty($$
    select s.view_name from shown s
    where s.view_name <> 'request'
        and pg_temp.count_as('tender_reader', s.view_name) <> pg_temp.count_as('tender_auditor', s.view_name)
$$, 'a reader sees the rows of all');

-- How many rows each is shown: acme pays in the first world, kiln keeps the promises there, oven bid there
-- and won in the second.
create temporary table expected (view_name text, acme bigint, kiln bigint, oven bigint);
insert into expected values
    ('account', 1, 1, 1), ('agent', 1, 0, 0), ('allotment', 1, 0, 0), ('principal', 1, 0, 0),
    ('archived_task', 1, 0, 0), ('award', 2, 2, 2), ('belief', 1, 1, 1), ('bid', 4, 2, 4),
    ('bid_fidelity', 0, 1, 1), ('client_record', 1, 0, 0), ('commitment', 2, 2, 2),
    ('contractor_record', 0, 1, 1), ('delivery', 2, 2, 2), ('dependency', 1, 0, 0), ('goal', 1, 0, 0),
    ('hold', 1, 1, 1), ('late_result', 1, 1, 1), ('overdue', 1, 1, 1), ('posting', 7, 1, 1), ('request', 1, 0, 0),
    ('round', 2, 0, 0), ('task', 2, 0, 0), ('why_not', 2, 0, 2);
select set_eq('select view_name from expected', 'select view_name from shown', 'all of them are looked at');
select is(row(s.acme, s.kiln, s.oven), row(e.acme, e.kiln, e.oven), 'its own rows of ' || e.view_name)
from expected e
cross join lateral (
    select pg_temp.count_as('acme', e.view_name) as acme, pg_temp.count_as('kiln', e.view_name) as kiln,
        pg_temp.count_as('oven', e.view_name) as oven
) s
order by e.view_name;

-- A condition of whoever asks must not be tried on a row that is not shown, however cheap it claims to be.
create function pg_temp.tell(p_value text) returns boolean cost 0.0000001 language plpgsql as $$
begin
    if p_value ~ 'zinc|silo' then
        raise exception 'it was shown %', p_value;
    end if;
    return true;
end
$$;
select lives_ok(format($$ select pg_temp.count_as('acme', %L, 'pg_temp.tell(%s)') $$, v.view_name, v.columns),
    'nothing hidden is tried in ' || v.view_name)
from (
    select s.view_name, string_agg(format('%I::text', a.attname), ' || ' order by a.attnum) as columns
    from shown s
    join pg_attribute a on a.attrelid = s.oid
    where a.attname in ('principal', 'client', 'creditor', 'peer', 'contractor')
    group by s.view_name
) v
order by v.view_name;

-- What hides rows must not make a scan of the look at one task. Transfers of the house have no task, so
-- they have no index over it either.
create function pg_temp.plan(p_role text, p_view text) returns setof text language plpgsql as $$
declare
    v_line text;
begin
    execute format('set local role %I', p_role);
    for v_line in execute format('explain select * from tender.%I where task_id = %L', p_view,
        pg_temp.task(1, 'a')) loop
        return next v_line;
    end loop;
    reset role;
end
$$;
create temporary table of_task as
select s.view_name from shown s
join pg_attribute a on a.attrelid = s.oid and a.attname = 'task_id';
set local enable_seqscan = off;
select is_empty($$
    select v.view_name, r.role, l.line
    from of_task v
    cross join (values ('tender_auditor'), ('acme')) r (role)
    cross join lateral pg_temp.plan(r.role, v.view_name) l (line)
    where l.line ~ ('Filter: .*' || pg_temp.task(1, 'a')) and l.line !~ 'NULLIF'
$$, 'one task is looked up by its key in every view, whoever asks');
reset enable_seqscan;

-- Columns that tell of others.
set local role kiln;
select is((select string_agg(distinct coalesce(price_set_by, 'hidden'), ' ') from tender.award), 'hidden',
    'a winner is not told which rival set its price');
set local role acme;
select is((select string_agg(distinct price_set_by, ' ') from tender.award), 'oven-1', 'who pays is');
select is((select count(cost) from tender.bid), 0::bigint, 'and sees no cost');
select is((select count(text) from tender.hold), 0::bigint, 'nor what operators wrote of others');
set local role oven;
select is((select string_agg(cost::text, ' ' order by task_id, cost) from tender.bid),
    '2.000000 2.000000 1.000000 1.000000', 'a bidder sees its own costs');
reset role;
create role zinc in role tender_principal;
set local role zinc;
select results_eq('select status, after_status from tender.dependency order by after_id',
    $$ values ('done', null), ('done', 'done') $$,
    'who waits for another''s task hears whether it goes on, and not how it ended');

-- A task of another principal is, in every error, a task that there never was.
reset role;
create function pg_temp.error_of(p_role text, p_statement text) returns text language plpgsql as $$
begin
    execute format('set local role %I', p_role);
    execute p_statement;
    reset role;
    return 'none';
exception when others then
    reset role;
    return sqlstate || ' ' || regexp_replace(sqlerrm, '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'TASK');
end
$$;
select is(array_agg(distinct pg_temp.error_of('idle', format(f.call, t.task))),
    array['TN012 there is no task TASK'], f.call)
from (values ('select tender.accept(%L)'), ('select tender.reject(%L, ''other'')'), ('select tender.adopt(%L, 1)'),
    ('select tender.result(%L, 1)'), ('select tender.cancel(%L)'), ('select tender.close(%L)'),
    ('select tender.release(%L)'), ('select tender.believe(%L, null, ''achieved'')')) f (call)
cross join (values (pg_temp.task(1, 'a')), (pg_temp.task(1, 'b')), ('00000000-0000-6000-8000-000000000001'),
    ('00000000-0000-7000-8000-00000000ffff')) t (task)
group by f.call;
select alike(pg_temp.error_of('acme', 'select tender.result(''00000000-0000-6000-8000-000000000001'', 1)'),
    'TN012 task TASK is archived: its record is in the archive %', 'its client hears where it is');
grant tender_reader to idle;
select is(pg_temp.error_of('idle', format('select tender.cancel(%L)', pg_temp.task(1, 'b'))),
    'TN011 task TASK belongs to another principal', 'a reader, who sees the task, hears that it is another''s');

select * from finish();
rollback;
