-- Goal: no human role learns what a bid asks for before its round has closed, nor between improving rounds
-- before the auction is over. Method: costs that occur nowhere else, in an open round and in one that is
-- improved; then for each login all that it may read: every row of every view, and what every function answers
-- that it may execute, with arguments of every kind about both tasks. Then the rounds close, and the same
-- search finds the costs, so it can find them.
begin;
select plan(11);
set local jit = off;

create function pg_temp.task(p_letter text) returns uuid immutable language sql as
    $$ select ('00000000-0000-7000-8000-00000000000' || p_letter)::uuid $$;
create function pg_temp.entry(p_letter text, p_number integer, p_kind integer, p_body text)
returns void language sql as $$
    insert into tender_ledger.entry_row (at, number, shard, kind, task_id, hash, body)
    values (clock_timestamp(), p_number, 0, p_kind, pg_temp.task(p_letter), sha256(''), p_body)
$$;
set local role tender_owner;
insert into tender_ledger.task (announced_at, ceiling_micro, units, shard, partial, task_id, client, principal,
    skill, key, hash, body)
select clock_timestamp(), 50000000, 1, 0, 1, pg_temp.task(l), 'acme/a', 'acme', 's', l, sha256(''),
    '{"deadline_at_us":9000000000000000}'
from unnest(array['a', 'b']) l;
insert into tender_ledger.open_part (ceiling_micro, units, round, part, shard, task_id, payer)
select 50000000, 1, 1, 0, 0, pg_temp.task(l), 'acme'
from unnest(array['a', 'b']) l;
select pg_temp.entry(l, 2, 2, '{"round":1,"closes_at_us":9000000000000000,"ceiling_micro":50000000,"units":1}'),
    pg_temp.entry(l, 3, 3, '{"round":1,"answers":[
        {"contractor":"kiln-1","principal":"kiln","state":"standing","cost_micro":31415926,"eta_us":27182818},
        {"contractor":"oven-1","principal":"oven","cost_micro":31415926,"eta_us":27182818,"capacity":14142135},
        {"contractor":"silo-1","principal":"silo","state":"ineligible","reason":"above-ceiling","cost_micro":31415926},
        {"contractor":"mill-1","principal":"mill","state":"withdrawn","cost_micro":31415926}]}')
from unnest(array['a', 'b']) l;
select pg_temp.entry('b', 4, 5, '{"round":1,"reason":"improving","ranks":[
        {"contractor":"kiln-1","state":"standing","reason":"none","rank":1},
        {"contractor":"oven-1","state":"standing","reason":"none","rank":2}]}'),
    pg_temp.entry('b', 5, 2, '{"round":2,"closes_at_us":9000000000000000,"ceiling_micro":50000000,"units":1}');
reset role;

-- Whose principal pays, who bid, who has no part, and who may read what all may.
create role acme in role tender_principal;
create role kiln in role tender_principal;
create role oven in role tender_principal;
create role idle in role tender_principal;
create role clerk in role tender_reader;
create role bidding_clerk in role tender_reader, tender_principal;
create role inspector in role tender_auditor;
create role everything in role tender_auditor, tender_reader, tender_principal;

create function pg_temp.is_telling(p_text text) returns boolean immutable language sql as
    $$ select p_text ~ '31[.]?415926|27[.]?182818|14[.]?142135' $$;

-- A value for a parameter: tasks for identifiers, else something that is accepted as often as not.
create function pg_temp.value_for(p_type oid, p_letter text) returns text language sql as $$
    select case p_type::regtype::text
        when 'uuid' then format('%L::uuid', pg_temp.task(p_letter))
        when 'text' then '''kiln-1''::text'
        when 'smallint' then '0::smallint'
        when 'integer' then '1'
        when 'bigint' then '1::bigint'
        when 'numeric' then '1::numeric'
        when 'boolean' then 'true'
        when 'interval' then '''1 h''::interval'
        when 'bytea' then '''''::bytea'
        else 'null::' || p_type::regtype
    end
$$;
create function pg_temp.asks() returns table (object text, ask text) language sql as $$
    select c.oid::regclass::text, format('select v::text from %s v', c.oid::regclass)
    from pg_class c
    where c.relnamespace in ('tender'::regnamespace, 'tender_ledger'::regnamespace)
        and c.relkind in ('r', 'p', 'v', 'm')
    union all
    select p.oid::regprocedure::text, format('select v::text from %s(%s) v', p.oid::regproc, (
        select string_agg(pg_temp.value_for(t.type, l.letter), ', ' order by t.place)
        from unnest(p.proargtypes) with ordinality t (type, place)))
    from pg_proc p
    cross join unnest(array['a', 'b']) l (letter)
    where p.pronamespace in ('tender'::regnamespace, 'tender_ledger'::regnamespace)
        and p.prorettype <> 'trigger'::regtype
$$;
-- What it answers; none where it is refused. What it changes is undone.
create function pg_temp.answer(p_role text, p_ask text) returns text language plpgsql as $$
declare
    v_answer text;
begin
    execute format('set local role %I', p_role);
    execute format('select string_agg(a.v, E''\n'') from (%s) a (v)', p_ask) into v_answer;
    raise exception using errcode = 'TT000', message = coalesce(v_answer, '');
exception when others then
    reset role;
    return case when sqlstate = 'TT000' then 'answers ' else '' end || sqlerrm;
end
$$;
create temporary table login as
select unnest(array['acme', 'kiln', 'oven', 'idle', 'clerk', 'bidding_clerk', 'inspector', 'everything']) as login;
create temporary table told as
select l.login, a.object, pg_temp.answer(l.login, a.ask) as answer, a.ask from login l cross join pg_temp.asks() a;

select is_empty('select login, object, answer from told where pg_temp.is_telling(answer)',
    'nobody reads what a bid asks for while its round is open, or while it is improved');
select is_empty($$
    select l.login from login l
    where not exists (
        select from told t where t.login = l.login and t.object = 'tender.task' and t.answer like 'answers%')
$$, 'each reads something');
select cmp_ok((select count(distinct object) from told where answer like 'answers _%'), '>', 10::bigint,
    'answers with rows are among those that were looked at');
select cmp_ok((select count(*) from told where answer not like 'answers%' and object like 'tender.%(%'), '>',
    0::bigint, 'and refusals');
select is_empty($$
    select t.ask, t.answer from told t where t.answer ~ '(function|relation|type) .* does not exist|syntax'
$$, 'no question was wrong in itself');

-- Who owns the tables reads them: SECURITY.md says what that is.
select ok(pg_temp.is_telling(pg_temp.answer('tender_owner', 'select v::text from tender_ledger.entry v')),
    'the owner of the tables can');

-- Other than by rows: what the planner has gathered is hidden with the tables.
select is(pg_temp.answer(l.login, $$ select string_agg(s::text, '') from pg_stats s
        where s.schemaname = 'tender_ledger' $$), 'answers ', 'statistics of the tables are hidden from ' || l.login)
from login l
where l.login in ('inspector', 'bidding_clerk');

-- The rounds close, and the same search finds the costs.
set local role tender_owner;
select pg_temp.entry('a', 4, 5, '{"round":1,"reason":"no-award","ranks":[]}'),
    pg_temp.entry('b', 6, 11, '{"reason":"other"}');
reset role;
create temporary table told_now as
select l.login, pg_temp.answer(l.login, 'select v::text from tender.bid v') as answer from login l;
select is(array_agg(n.login order by n.login), array['everything', 'inspector', 'kiln', 'oven'],
    'then auditors read what was asked for, and bidders their own') from told_now n
where n.answer ~ '31[.]415926';
select is((select string_agg(distinct b.cost::text, ' ') from tender.bid b), '31.415926',
    'which is what was searched for');
select is((select count(*) from told where object = 'tender.bid' and answer <> 'answers '), 0::bigint,
    'before, there was no row of them at all');

select * from finish();
rollback;
