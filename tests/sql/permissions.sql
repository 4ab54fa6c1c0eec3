-- Goal: each role may do what it is for and nothing else. Method: the table of what is declared, matrix.csv,
-- against the catalogue, every pair of role and object; then the pairs that matter, tried; and the cost of
-- a bid as each role sees it. A cell of the table holds privileges, or `all`: those that there are for the
-- kind of object. `public` is a login that has none of the roles.
begin;
select plan(33);
set local jit = off; -- catalogues are small, whatever the planner makes of them

create role stranger nologin;
create temporary table declared (kind text, object text, public text, principal text, reader text,
    auditor text, broker text, owner text);
\copy declared from 'matrix.csv' with (format csv, header, null '-')

-- Partitions are what their table is, and functions of one name are one object.
create temporary view object as
select case c.relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end as kind,
    c.relnamespace::regnamespace || '.' || regexp_replace(c.relname,
        '_(p[0-9]{10}|before|house)$', '') as object, c.oid
from pg_class c
where c.relnamespace in ('tender'::regnamespace, 'tender_ledger'::regnamespace)
    and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
union all
select 'function', p.pronamespace::regnamespace || '.' || p.proname, p.oid
from pg_proc p
where p.pronamespace in ('tender'::regnamespace, 'tender_ledger'::regnamespace)
union all
select 'schema', n.nspname, n.oid
from pg_namespace n
where n.nspname in ('tender', 'tender_ledger');

create temporary view pair as
select o.kind, o.object, o.oid, r.role, r.login, v.privilege, d.object is not null as is_declared,
    v.privilege = any (string_to_array(c.cell, ' ')) or c.cell = 'all' as is_declared_allowed,
    case o.kind
        when 'schema' then has_schema_privilege(r.login, o.oid, v.privilege)
        when 'function' then has_function_privilege(r.login, o.oid, v.privilege)
        when 'sequence' then has_sequence_privilege(r.login, o.oid, v.privilege)
        else has_table_privilege(r.login, o.oid, v.privilege)
            or v.privilege in ('select', 'insert', 'update', 'references')
                and has_any_column_privilege(r.login, o.oid, v.privilege)
    end as is_allowed
from object o
cross join (values ('public', 'stranger'), ('principal', 'tender_principal'), ('reader', 'tender_reader'),
    ('auditor', 'tender_auditor'), ('broker', 'tender_broker'), ('owner', 'tender_owner')) r (role, login)
cross join lateral unnest(case o.kind
    when 'schema' then array['usage', 'create']
    when 'function' then array['execute']
    when 'sequence' then array['usage', 'select', 'update']
    else array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']
end) v (privilege)
left join declared d on d.kind = o.kind and d.object = o.object
cross join lateral (select to_jsonb(d) ->> r.role as cell) c;

select is_empty($$
    select distinct p.kind, p.object from pair p where not p.is_declared
$$, 'every object is declared in matrix.csv');
select is_empty($$
    select d.kind, d.object from declared d
    where not exists (select from object o where o.kind = d.kind and o.object = d.object)
$$, 'and nothing that is not there');
select is_empty($$
    select p.kind || ' ' || p.object || ': ' || p.role || case when p.is_allowed then ' has ' else ' lacks ' end
        || p.privilege
    from pair p
    where p.is_declared and p.is_allowed is distinct from p.is_declared_allowed
$$, 'each role has on each object what is declared, and nothing else');
select cmp_ok((select count(*) from pair), '>', 3000::bigint, 'all pairs were looked at');

select is_empty($$
    select r.rolname from pg_roles r
    where r.rolname like 'tender\_%'
        and (r.rolcanlogin or r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb
            or r.rolreplication)
$$, 'the roles are no logins and have no powers beside their grants');
select is_empty($$
    select m.roleid::regrole, m.member::regrole from pg_auth_members m
    where m.member in ('tender_owner'::regrole, 'tender_broker'::regrole, 'tender_auditor'::regrole,
        'tender_reader'::regrole, 'tender_principal'::regrole)
$$, 'none of them has another');
select is_empty($$
    select o.object, a.grantee::regrole, a.privilege_type
    from object o
    left join pg_class c on c.oid = o.oid and o.kind in ('table', 'view', 'sequence')
    left join pg_proc p on p.oid = o.oid and o.kind = 'function'
    left join pg_namespace n on n.oid = o.oid and o.kind = 'schema'
    cross join lateral aclexplode(coalesce(c.relacl, p.proacl, n.nspacl)) a
    where a.is_grantable and a.grantee <> 'tender_owner'::regrole
$$, 'nobody passes a grant on');
select is_empty($$
    select p.oid::regprocedure from pg_proc p
    where p.pronamespace in ('tender'::regnamespace, 'tender_ledger'::regnamespace) and p.prosecdef
        and exists (
            select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0)
$$, 'public executes no function that runs with its owner''s rights');
select is_empty($$
    select c.oid::regclass from pg_class c
    where c.relnamespace in ('tender'::regnamespace, 'tender_ledger'::regnamespace) and c.relrowsecurity
$$, 'no table pretends to hide rows by row security, which owners and superusers pass by');

-- What is made later begins with nothing for anybody.
set local role tender_owner;
create table tender_ledger.later (n integer);
create view tender.later as select 1 as n;
create function tender_ledger.later() returns integer language sql set search_path = pg_catalog, pg_temp
as 'select 1';
reset role;
select is_empty($$
    select p.kind, p.role, p.privilege from pair p
    where p.object in ('tender.later', 'tender_ledger.later') and p.role <> 'owner' and p.is_allowed
$$, 'an object that is made later is nobody''s but the owner''s');
drop view tender.later;
drop table tender_ledger.later;
drop function tender_ledger.later();

-- The pairs that matter, tried.
create function pg_temp.try(p_role text, p_statement text) returns text language plpgsql as $$
begin
    execute format('set local role %I', p_role);
    execute p_statement;
    reset role;
    return 'done';
exception when others then
    reset role;
    return sqlstate;
end
$$;
select is(pg_temp.try('stranger', 'select * from tender.task'), '42501', 'a stranger reads no view');
select is(pg_temp.try('stranger', 'select tender_ledger.schema_version()'), '42501', 'calls no function');
select is(pg_temp.try('stranger', 'select tender.fund(''acme'', 1)'), '42501', 'and asks for nothing');
select results_eq($$
    select r.role, t.object, pg_temp.try(r.role, 'select * from ' || t.object)
    from (values ('tender_principal'), ('tender_reader'), ('tender_auditor'), ('tender_broker')) r (role)
    cross join (values ('tender_ledger.entry_row'), ('tender_ledger.entry'), ('tender_ledger.account'),
        ('tender_ledger.task_key')) t (object)
    where pg_temp.try(r.role, 'select * from ' || t.object) <> '42501'
$$, $$ select null::text, null::text, null::text where false $$, 'no role but the owner reads a table');
select is(pg_temp.try('tender_broker', 'select * from tender.bid'), '42501', 'the broker reads no view');
select is(pg_temp.try('tender_broker', $$ insert into tender_ledger.account (shard, principal) values (0, 'x') $$),
    '42501', 'and writes no table');
select is(pg_temp.try('tender_broker', 'select tender_ledger.recall_balances(0::smallint)'), 'done',
    'it executes its functions');
select is(pg_temp.try('tender_broker', $$ select tender_ledger.spend(0::smallint, '{}', '{}', '{}') $$), '42501',
    'and none of their helpers');
select is(pg_temp.try('tender_reader', 'select tender_ledger.recall_balances(0::smallint)'), '42501',
    'a reader executes none of them');
select is(pg_temp.try('tender_auditor', $$ select tender.announce('acme', 's', 1, 1, '1 s', '1 h') $$), '42501',
    'an auditor asks for nothing');
select is(pg_temp.try('tender_auditor', 'delete from tender.request'), '42501', 'and writes through no view');
select is(pg_temp.try('tender_principal', 'truncate tender_ledger.inbox'), '42501', 'a principal truncates nothing');
select is(pg_temp.try('tender_principal', 'create table tender.mine (n integer)'), '42501', 'and makes nothing');
select is(pg_temp.try('tender_owner', 'truncate tender_ledger.limit_met'), 'done', 'the owner may truncate');
select is(pg_temp.try('tender_owner', 'truncate tender_ledger.task_key'), 'TN005', 'but not what is append-only');

-- One round that has closed, and one that has not.
set local role tender_owner;
insert into tender_ledger.entry_row (at, number, shard, kind, task_id, hash, body)
select '2026-01-01 00:00+00', n, 0, k, t::uuid, sha256(''), b
from (values
    (1, 2, '00000000-0000-7000-8000-000000000001', '{"round":1}'),
    (2, 3, '00000000-0000-7000-8000-000000000001',

           '{"round":1,"answers":[{"contractor":"kiln-1","principal":"north","state":"standing","cost_micro":12000000}]}'),
    (3, 4, '00000000-0000-7000-8000-000000000001',

           '{"round":1,"contractor":"kiln-1","principal":"north","cost_micro":12000000,"price_micro":30000000,"ranks":[{"contractor":"kiln-1","state":"won","reason":"lowest-cost","rank":1}]}'),
    (1, 2, '00000000-0000-7000-8000-000000000002', '{"round":1}'),
    (2, 3, '00000000-0000-7000-8000-000000000002',

           '{"round":1,"answers":[{"contractor":"kiln-1","principal":"north","state":"standing","cost_micro":1}]}')
) v (n, k, t, b);
reset role;
create role north nologin in role tender_reader;
create role clerk nologin in role tender_principal;

set local role tender_auditor;
select results_eq('select cost from tender.bid', array[12::numeric(20, 6)],
    'an auditor sees the costs of rounds that have closed, and of no other');
set local role tender_reader;
select results_eq('select cost from tender.bid', array[null::numeric], 'a reader sees no cost');
select results_eq('select cost from tender.award', array[null::numeric], 'nor that of an award');
set local role north;
select results_eq('select cost from tender.bid', array[12::numeric(20, 6)],
    'a bidder sees its own cost');

set local role clerk;
select lives_ok($$ select tender.announce('clerk', 's', 1, 1, '1 s', '1 h', p_key => 'k') $$,
    'a principal announces for itself');
select throws_ok($$ select tender.announce('acme', 's', 1, 1, '1 s', '1 h', p_key => 'k') $$, 'TN011',
    null, 'and for nobody else');
select throws_ok($$ select tender.fund('clerk', 1) $$, '42501', null, 'and prints no money');
reset role;
select is((select is_operator from tender_ledger.inbox where principal = 'clerk'), false,
    'a principal is no operator');

select * from finish();
rollback;
