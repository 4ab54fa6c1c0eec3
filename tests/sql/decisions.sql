-- Goal: who decides on a delivery says so in words that exist, and reads the result of what it paid.
-- Method: one task with a delivery, and the functions as its client, a rival and an auditor call them.
begin;
select plan(17);
create function pg_temp.id() returns uuid immutable language sql as
    $$ select '00000000-0000-7000-8000-00000000000a'::uuid $$;
set local role tender_owner;
insert into tender_ledger.task (announced_at, ceiling_micro, units, shard, partial, task_id, client,
    principal, skill, key)
values ('2026-01-01 00:00+00', 5, 4, 0, 1, '00000000-0000-7000-8000-00000000000a', 'acme/a', 'acme', 's',
    'k');
insert into tender_ledger.entry_row (at, number, shard, kind, task_id, hash, body, content)
values ('2026-01-01 00:10+00', 1, 0, 7, '00000000-0000-7000-8000-00000000000a', sha256(''),
        '{"generation":1,"units_done":2}', 'half'),
    ('2026-01-01 00:20+00', 2, 0, 15, '00000000-0000-7000-8000-00000000000a', sha256(''),
        '{"generation":1,"units_done":4}', 'whole');
create function pg_temp.deliver(p_size bigint, p_digest bytea, p_accept_by timestamptz)
returns void language sql as $$
    insert into tender_ledger.delivery (delivered_at, accept_by_at, size, measured_micro, units, generation,
        part, shard, task_id, digest, owner, evidence, tier)
    values ('2026-01-01 00:20+00', p_accept_by, p_size, 0, 4, 1, 0, 0,
        '00000000-0000-7000-8000-00000000000a', p_digest, 'kiln-1', 'words=7', '')
$$;

-- what the tables refuse by themselves
select throws_ok($$ select pg_temp.deliver(5, null, '2026-01-01 01:00+00') $$, '23514', null,
    'a result without its digest is none');
select throws_ok($$ select pg_temp.deliver(5, 'short', '2026-01-01 01:00+00') $$, '23514', null,
    'nor is one with a digest that is none');
select throws_ok($$ select pg_temp.deliver(5, sha256('whole'), '2026-01-01 00:00+00') $$, '23514', null,
    'nothing is to be accepted before it is delivered');
select throws_ok($$ select pg_temp.deliver(5, sha256('whole'), 'infinity') $$, '23514', null,
    'W7 silence accepts at an instant');
select lives_ok($$ select pg_temp.deliver(5, sha256('whole'), '2026-01-01 01:00+00') $$, 'a delivery is kept');
select throws_ok($$ update tender_ledger.delivery set units = 3 $$, 'TN005', null, 'and not changed');
select throws_ok($$ select tender_ledger.add_adoptions(0::smallint, array[pg_temp.id()], array[9], array[0],
    array[1], array[8], array['2026-01-01 02:00+00'::timestamptz], array[1], array[1::bigint], array['kiln']) $$,
    'TN004', null, 'what is adopted is of a commitment that has ended');
reset role;

-- who may, and in which words
create role acme in role tender_principal;
create role rival in role tender_principal;
set local role acme;
select throws_ok($$ select tender.reject(pg_temp.id(), 'ugly') $$, 'TN010', null,
    'a rejection has a reason that exists');
select throws_ok($$ select tender.accept(pg_temp.id(), p_units => -1) $$, 'TN010', null, 'units are counted');
select throws_ok($$ select tender.accept('00000000-0000-7000-8000-000000000001') $$, 'TN012', null,
    'nothing of that task was delivered');
select throws_ok($$ select tender.adopt(pg_temp.id(), null) $$, 'TN010', null,
    'what is adopted has a generation');
select lives_ok($$ select tender.accept(pg_temp.id()), tender.reject(pg_temp.id(), 'quality-check', 'why', 3),
    tender.adopt(pg_temp.id(), 1) $$, 'its client decides');
select is(tender.result(pg_temp.id(), 1), null, 'and is shown nothing that is not paid');
set local role rival;
select throws_ok($$ select tender.accept(pg_temp.id()) $$, 'TN012', null, 'nobody else decides');
select throws_ok($$ select tender.result(pg_temp.id(), 1) $$, 'TN012', null, 'or is shown it');
reset role;
select is((
    select string_agg(concat_ws(' ', kind, peer, body ->> 'generation', body ->> 'part',
        body ->> 'units_done', body ->> 'reason'), ', ' order by request)
    from tender_ledger.inbox),
    'accept acme/a 1 0, reject acme/a 1 0 3 quality-check, adopt acme/a 1 0',
    'requests name what was delivered last');
set local role tender_owner;
insert into tender_ledger.commitment (awarded_at, due_at, ended_at, price_micro, paid_micro, fee_micro, units,
    units_done, generation, round, part, shard, state, reason, task_id, owner, principal)
values ('2026-01-01 00:00+00', '2026-01-01 01:00+00', '2026-01-01 00:30+00', 4, 3, 0, 4, 3, 1, 1, 0, 0, 4, 74,
    '00000000-0000-7000-8000-00000000000a', 'kiln-1', 'kiln');
set local role acme;
select is(tender.result(pg_temp.id(), 1), 'half'::bytea, 'of three units it is shown what was done by then');

select * from finish();
rollback;
