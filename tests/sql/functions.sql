-- Goal: what people write is checked where they write it, and asking twice is asking once.
-- Method: values at and beyond the limits of tender.announce and its like.
begin;
select plan(48);

create function pg_temp.announce(p_units bigint default 1, p_ceiling numeric default 1,
    p_window interval default '1 s', p_due interval default '1 h', p_skill text default 's',
    p_partial text default null, p_fallback text default null, p_rounds integer default null,
    p_deadline timestamptz default null, p_content bytea default null, p_principal text default 'acme',
    p_kill_fee numeric default null)
returns bigint language sql as $$
    select tender.announce(p_principal, p_skill, p_units, p_ceiling, p_window, p_due, p_partial => p_partial,
        p_fallback => p_fallback, p_rounds => p_rounds, p_deadline => p_deadline,
        p_kill_fee => p_kill_fee, p_content => p_content)
$$;

select lives_ok('select pg_temp.announce()', 'plain terms are taken');
select throws_ok('select pg_temp.announce(p_units => 0)', 'TN010', null, 'no units');
select throws_ok('select pg_temp.announce(p_units => 1000000001)', 'TN010', null, 'too many units');
select throws_ok($$ select pg_temp.announce(p_ceiling => 'NaN') $$, 'TN010', null, 'B5 NaN');
select throws_ok($$ select pg_temp.announce(p_ceiling => 'infinity') $$, 'TN010', null, 'B5 infinity');
select throws_ok('select pg_temp.announce(p_ceiling => -1)', 'TN010', null, 'B5 minus one');
select throws_ok('select pg_temp.announce(p_ceiling => 1e309)', 'TN010', null, 'B5 1e309');
select throws_ok('select pg_temp.announce(p_ceiling => 0.0000001)', 'TN010', null, 'seven decimals');
select lives_ok('select pg_temp.announce(p_ceiling => 0.000001)', 'six decimals');
select throws_ok($$ select pg_temp.announce(p_due => '0 s') $$, 'TN010', null, 'no due');
select throws_ok($$ select pg_temp.announce(p_due => '-1 h') $$, 'TN010', null, 'a due before now');
select throws_ok($$ select pg_temp.announce(p_due => '3661 days') $$, 'TN010', null, 'too long a due');
select throws_ok($$ select pg_temp.announce(p_due => '1 month') $$, 'TN010', null,
    'a month has no length');
select lives_ok($$ select pg_temp.announce(p_due => '3660 days') $$, 'W7 ten years');
select throws_ok($$ select pg_temp.announce(p_deadline => 'infinity') $$, 'TN010', null,
    'W7 a deadline of infinity');
select throws_ok($$ select pg_temp.announce(p_skill => 'No Skill') $$, 'TN010', null, 'no skill');
select throws_ok($$ select pg_temp.announce(p_partial => 'half') $$, 'TN010', null, 'no such partial');
select throws_ok($$ select pg_temp.announce(p_fallback => 'contractor') $$, 'TN010', null,
    'a fallback without its contractor');
select throws_ok($$ select pg_temp.announce(p_principal => '') $$, 'TN010', null, 'no principal');
select throws_ok($$ select pg_temp.announce(p_content => decode(repeat('00', 65537), 'hex')) $$,
    'TN010', null, 'too long a content');
select lives_ok($$ select tender.announce('acme', 's', 1, 1, '1 s', '1 h', p_key => 'large',
    p_content => (select string_agg(sha512(i::text::bytea), null) from generate_series(1, 1024) i)) $$,
    '64 KiB that no index could compress');
select throws_ok($$ select pg_temp.announce(p_kill_fee => 'NaN') $$, 'TN010', null, 'B5 a fee of NaN');
select throws_ok($$ select pg_temp.announce(p_kill_fee => 0.0000001) $$, 'TN010', null,
    'a fee of less than one part per million');
select throws_ok($$ select tender.announce('acme', 's', 1, 1, '1 s', '1 h', p_after => array[null]::uuid[]) $$,
    'TN010', null, 'a sub-query that found no task to wait for');
select throws_ok($$ select tender.announce('acme', 's', 1, 1, '1 s', '1 h', p_needs => array['gpu', null]) $$,
    'TN010', null, 'a need that is null');
select throws_ok($$ select tender.announce('acme', 's', 1, 1, '1 s', '1 h', p_needs => '{{a,b},{c,d}}') $$,
    'TN010', null, 'needs of two dimensions');
select throws_ok($$ select tender.announce('acme', 's', 1, 1, '1 s', '1 h', p_evidence => array['result', null]) $$,
    'TN010', null, 'evidence that is null');
select throws_ok($$ insert into tender_ledger.inbox (is_operator, kind, peer, principal, body)
    values (true, 'fund', 'root', '', '{"amount_micro": 1}') $$, '23514', null,
    'a request that speaks for nobody is refused');
select is(
    tender.announce('acme', 's', 1, 1, '1 s', '1 h', p_key => 'twice'),
    tender.announce('acme', 's', 1, 1, '1 s', '1 h', p_key => 'twice'),
    'asking twice is asking once');
select throws_ok($$ select tender.cancel('00000000-0000-7000-8000-000000000001') $$, 'TN012', null,
    'a task that is not there is not cancelled');
insert into tender_ledger.account (shard, principal, issued_micro, available_micro, earned_micro)
values (0, 'drained', 0, 0, 0), (0, 'holder', 5, 5, 0), (0, 'earner', 0, 0, 7);
select set_eq('select principal from tender_ledger.recall_balances(0::smallint)',
    array['holder', 'earner'], 'accounts that were emptied fill no broker''s table');
select throws_ok($$ select tender.fund('acme', 'NaN') $$, 'TN010', null, 'nor is NaN put in');

-- Allotments: the steps that a broker would answer, answered here.
select throws_ok($$ select tender.allot('acme', 'acme', 1) $$, 'TN010', null, 'nobody allots to itself');
select throws_ok($$ select tender.allot('acme', 'team', 0) $$, 'TN010', null, 'nothing is not allotted');
select throws_ok($$ select tender.allot('acme', 'team', -1) $$, 'TN010', null, 'nor less than nothing');
create function pg_temp.answer(p_request bigint, p_performative text) returns void language sql as $$
    select tender_ledger.answer_requests(0::smallint, array[p_request],
        array[jsonb_build_object('performative', p_performative)::text])
$$;
create function pg_temp.allotment(p_request bigint) returns tender.allotment language sql as $$
    select a from tender.allotment a where a.request = p_request
$$;
create temporary table allotted as select tender.allot('acme', 'team', 2.5) as request;
select pg_temp.answer(request, 'agree') from allotted;
select is((pg_temp.allotment(request)).status, 'taken', 'what was taken out is on its way') from allotted;
select is(i.principal || ' ' || (i.body ->> 'amount_micro'), 'team 2500000', 'and asked for at the other')
from allotted, tender_ledger.inbox i where i.request = (pg_temp.allotment(allotted.request)).request_in;
select pg_temp.answer((pg_temp.allotment(request)).request_in, 'agree') from allotted;
select pg_temp.answer((pg_temp.allotment(request)).request_in, 'refuse') from allotted;
select is((pg_temp.allotment(request)).status, 'given', 'the first answer stays') from allotted;
update allotted set request = tender.allot('acme', 'team', 1);
select pg_temp.answer(request, 'refuse') from allotted;
select is((pg_temp.allotment(request)).status, 'refused', 'what is not there is not given') from allotted;
select is((pg_temp.allotment(request)).request_in, null, 'nor asked for') from allotted;
update allotted set request = tender.allot('acme', 'team', 1);
select pg_temp.answer(request, 'agree') from allotted;
select pg_temp.answer((pg_temp.allotment(request)).request_in, 'refuse') from allotted;
select is((pg_temp.allotment(request)).status, 'returning', 'what finds no room goes back') from allotted;
select pg_temp.answer(step, 'agree') from tender_ledger.allotment where state = 'returning';
select is((pg_temp.allotment(request)).status, 'returned', 'and is back') from allotted;

select throws_ok($$ select tender.believe(p_goal => 'g', p_belief => 'likely') $$, 'TN010', null,
    'what is believed is one of three');
select throws_ok($$ select tender.believe(p_belief => 'achieved') $$, 'TN010', null,
    'a belief is about something');
select throws_ok($$ select tender.believe('00000000-0000-7000-8000-000000000001', null, 'achieved') $$,
    'TN012', null, 'nothing is believed of a task that is not there');
insert into tender_ledger.task (announced_at, ceiling_micro, units, shard, partial, task_id, client,
    principal, skill, key)
values ('2026-01-01 00:00+00', 5, 1, 0, 1, '00000000-0000-7000-8000-00000000000a', 'acme/a', 'acme', 's',
    'k');
insert into tender_ledger.open_part (awarded_at, due_at, price_micro, ceiling_micro, units,
    promised_units, promised_units_done, generation, awarded_round, round, part, shard, promise_state,
    task_id, payer, owner, principal)
values ('2026-01-01 00:00+00', '2026-01-01 01:00+00', 5, 5, 1, 1, 0, 1, 1, 1, 0, 0, 1,
    '00000000-0000-7000-8000-00000000000a', 'acme', 'kiln-1', 'kiln');
create role acme;
create role kiln;
grant tender_principal to acme, kiln;
set local role acme;
select lives_ok($$ select tender.believe('00000000-0000-7000-8000-00000000000a', null, 'achieved', 'why') $$,
    'a client says what it believes');
set local role kiln;
select lives_ok($$ select tender.believe('00000000-0000-7000-8000-00000000000a', 'g', 'impossible') $$,
    'so does an owner');
reset role;
select is(
    (select string_agg(concat_ws(' ', peer, principal, body ->> 'reason', body ->> 'goal'), ', '
        order by request) from tender_ledger.inbox where kind = 'believe'),
    'acme/a acme achieved, kiln-1 kiln impossible g',
    'a client speaks as its agent, an owner as its contractor');

select * from finish();
rollback;
