-- Goal: who holds is an operator, and what a hold says is checked where it is written. Method: each kind
-- of hold and release, by an operator, by a principal, with values that are none; and the ratios of bids
-- to measured costs as each role sees them.
begin;
select plan(20);

select lives_ok($$ select tender.hold('quality-check', p_contractor => 'kiln-2') $$, 'a contractor');
select lives_ok($$ select tender.hold('other', p_principal => 'north', p_skill => 's',
    p_text => 'why', p_until => '2099-01-01Z') $$, 'a principal''s skill');
select lives_ok($$ select tender.hold('other', p_skill => 's') $$, 'a skill');
select throws_ok($$ select tender.hold('other') $$, 'TN010', null, 'nobody');
select throws_ok($$ select tender.hold('because', p_skill => 's') $$, 'TN010', null, 'no reason');
select throws_ok($$ select tender.hold('none', p_skill => 's') $$, 'TN010', null, 'the reason none');
select throws_ok($$ select tender.hold(null, p_skill => 's') $$, 'TN010', null, 'no reason at all');
select throws_ok($$ select tender.hold('other', p_skill => 'No Skill') $$, 'TN010', null, 'no skill');
select throws_ok($$ select tender.hold('other', p_contractor => '') $$, 'TN010', null, 'no name');
select throws_ok($$ select tender.hold('other', p_skill => 's', p_until => 'infinity') $$, 'TN010', null,
    'for ever');
select throws_ok($$ select tender.hold('other', p_skill => 's', p_text => repeat('x', 4097)) $$, 'TN010',
    null, 'too long a text');
select throws_ok($$ select tender.hold('other', p_task => '00000000-0000-7000-8000-000000000001') $$,
    'TN012', null, 'a task that is not there');
select throws_ok($$ select tender.release() $$, 'TN010', null, 'a release of nobody');
select lives_ok($$ select tender.release(p_contractor => 'kiln-2') $$, 'a release');
select results_eq(
    $$ select kind collate "default", body from tender_ledger.inbox order by request $$,
    $$ values
        ('hold', '{"reason": "quality-check", "contractor": "kiln-2"}'::jsonb),
        ('hold', '{"reason": "other", "text": "why", "principal": "north", "skill": "s",
            "deadline_at_us": 4070908800000000}'),
        ('hold', '{"reason": "other", "skill": "s"}'),
        ('release', '{"contractor": "kiln-2"}') $$,
    'what is asked is what was said');

insert into tender_ledger.measured (at, bid_micro, measured_micro, units, part, generation, shard,
    task_id, contractor, principal, skill, tier)
values ('2026-01-01Z', 3000000, 2000000, 1, 0, 1, 0, gen_random_uuid(), 'kiln-1', 'north', 's', '');
create role clerk nologin in role tender_principal;
create role north nologin in role tender_reader;
set local role clerk;
select throws_ok($$ select tender.hold('other', p_contractor => 'kiln-2') $$, '42501', null,
    'a principal holds nobody');
select throws_ok($$ select tender.release(p_contractor => 'kiln-2') $$, 'TN011', null,
    'and releases nobody');
set local role tender_auditor;
select results_eq('select ratio, measured from tender.bid_fidelity',
    'values (1.5::numeric, 2::numeric(20, 6))', 'an auditor sees ratios and amounts');
set local role tender_reader;
select results_eq('select ratio, measured from tender.bid_fidelity',
    'values (1.5::numeric, null::numeric(20, 6))', 'a reader sees ratios');
set local role north;
select results_eq('select measured from tender.bid_fidelity', 'values (2::numeric(20, 6))',
    'a contractor''s principal sees its own amounts');
reset role;

select * from finish();
rollback;
