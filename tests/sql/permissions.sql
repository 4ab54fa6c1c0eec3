-- Goal: each role may do what it is for and nothing else. Method: the matrix of roles and objects, and
-- the cost of a bid as each role sees it.
begin;
select plan(16);

select is_empty($$
    select r.role, c.oid::regclass, p.privilege
    from (values ('tender_broker'), ('tender_auditor'), ('tender_reader'), ('tender_principal')) r (role)
    cross join pg_class c
    cross join (values ('select'), ('insert'), ('update'), ('delete'), ('truncate')) p (privilege)
    where c.relnamespace = 'tender_ledger'::regnamespace and c.relkind = 'r'
        and has_table_privilege(r.role, c.oid, p.privilege)
$$, 'no role but the owner touches a table');

select is_empty($$
    select r.role, c.oid::regclass, p.privilege
    from (values ('tender_broker'), ('tender_auditor'), ('tender_reader'), ('tender_principal')) r (role)
    cross join pg_class c
    cross join (values ('insert'), ('update'), ('delete')) p (privilege)
    where c.relnamespace = 'tender'::regnamespace and has_table_privilege(r.role, c.oid, p.privilege)
$$, 'no role but the owner writes through a view');

select set_eq($$
    select c.relname from pg_class c
    where c.relnamespace = 'tender'::regnamespace and c.relkind = 'v'
        and has_table_privilege('tender_reader', c.oid, 'select')
$$, array['account', 'archive', 'archived_task', 'award', 'belief', 'bid', 'bid_fidelity', 'broker',
    'client_record', 'commitment', 'contractor_record',
    'delivery', 'dependency', 'goal', 'hold', 'late_result', 'limit_met', 'loss', 'overdue',
    'posting', 'rate', 'resource', 'round', 'shortcut_cost', 'task', 'why_not'],
    'a reader reads these views');

select set_eq($$
    select c.relname from pg_class c
    where c.relnamespace = 'tender'::regnamespace and c.relkind = 'v'
        and has_table_privilege('tender_auditor', c.oid, 'select')
$$, array['account', 'archive', 'archived_task', 'award', 'belief', 'bid', 'bid_fidelity', 'bid_window', 'broker',
    'client_record', 'commitment', 'contractor_record',
    'delivery', 'dependency', 'goal', 'hold', 'late_result', 'limit_met', 'loss', 'overdue',
    'posting', 'rate', 'request', 'resource', 'round', 'screen_association', 'screen_cover',
    'screen_pair', 'screen_price', 'screen_rotation', 'screen_sole', 'screening', 'shortcut_cost', 'task', 'why_not'],
    'an auditor reads these views');

select is_empty($$
    select c.relname from pg_class c
    where c.relnamespace = 'tender'::regnamespace and c.relkind = 'v'
        and has_table_privilege('tender_broker', c.oid, 'select')
$$, 'the broker reads no view: it executes');

select set_eq($$
    select p.proname from pg_proc p
    where p.pronamespace = 'tender'::regnamespace
        and has_function_privilege('tender_principal', p.oid, 'execute')
$$, array['accept', 'adopt', 'announce', 'believe', 'cancel', 'close', 'reject', 'release',
    'result'], 'a principal executes these functions');

select is_empty($$
    select r.role, p.oid::regprocedure
    from (values ('tender_auditor'), ('tender_reader'), ('tender_principal')) r (role)
    cross join pg_proc p
    where p.pronamespace = 'tender_ledger'::regnamespace
        and (r.role, p.proname) <> ('tender_auditor', 'read_answers') -- behind tender.bid_window
        and p.proname not in ('caller', 'is_operator', 'may_speak_for', 'schema_version')
        and has_function_privilege(r.role, p.oid, 'execute')
$$, 'nobody but the broker executes the broker''s functions');

select is_empty($$
    select p.oid::regprocedure from pg_proc p
    where p.pronamespace = 'tender_ledger'::regnamespace
        and p.proname in ('spend', 'ask', 'ask_about', 'refuse_change', 'note_reign')
        and has_function_privilege('tender_broker', p.oid, 'execute')
$$, 'the broker executes no helper');

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
