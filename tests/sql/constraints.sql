-- Goal: the schema refuses nonsense by itself, also from its owner. Method: each kind is tried once.
begin;
select plan(39);
set local role tender_owner;

create function pg_temp.task(p_n integer) returns uuid language sql as
    $$ select ('00000000-0000-7000-8000-' || lpad(p_n::text, 12, '0'))::uuid $$;
create function pg_temp.announce(p_n integer, p_again uuid default null, p_key text default null)
returns void language sql as $$
    select tender_ledger.add_tasks(0::smallint, array[pg_temp.task(p_n)], array[timestamptz '2026-01-01 00:00+00'],
        array[1::smallint], array[1], array[40], array[30000000], array[p_again], array['client'],
        array['acme'], array['s'], array[coalesce(p_key, p_n::text)], array[sha256('')],
        array[sha256('')], array['{}'], array[null::bytea], array[null::timestamptz],
        array[null::smallint], array[null::bytea], array[null])
$$;
create function pg_temp.award(p_n integer, p_generation integer, p_due timestamptz, p_price bigint,
    p_units integer default 40)
returns void language sql as $$
    select tender_ledger.award_parts(0::smallint, array[pg_temp.task(p_n)], array[0],
        array[p_generation], array[1], array['kiln-1'], array['north'], array[p_units], array[p_price],
        array[timestamptz '2026-01-01 00:00+00'], array[p_due], array[null::timestamptz], array[0])
$$;
create function pg_temp.finish(p_n integer, p_generation integer, p_state integer, p_units integer,
    p_paid bigint, p_released bigint)
returns void language sql as $$
    select tender_ledger.finish_tasks(0::smallint, array[pg_temp.task(p_n)],
        array[timestamptz '2026-01-02 00:00+00'], array[p_state::smallint], array[60::smallint], array[1],
        array[p_units], array[p_paid], array[p_released], array[null::timestamptz],
        array[p_generation], array[timestamptz '2026-01-02 00:00+00'], array[3::smallint],
        array[60::smallint], array[p_units], array[p_paid], array[0::bigint], array[5], array[sha256('')],
        array['{}'], array[null::bytea], true)
$$;
select tender_ledger.move_money(0::smallint, array['acme'], array[1000000000], array[910000000],
    array[90000000], array[0], array[0]);
select pg_temp.announce(1);
select pg_temp.announce(2);
select pg_temp.announce(3);

-- awards
select lives_ok($$ select pg_temp.award(1, 1, '2026-01-01 01:00+00', 15000000) $$, 'an award is kept');
select throws_ok($$ select pg_temp.award(1, 2, '2026-01-01 01:00+00', 15000000) $$, 'TN004', null,
    'a second active award of a part is refused');
select throws_ok($$ select pg_temp.award(9, 1, '2026-01-01 01:00+00', 15000000) $$, 'TN004', null,
    'an award of an unknown task is refused');
select throws_ok($$ select pg_temp.award(2, 1, 'infinity', 15000000) $$, '23514', null,
    'W7 a due time of infinity is refused');
select throws_ok($$ select pg_temp.award(2, 1, '-infinity', 15000000) $$, '23514', null,
    'W7 a due time of minus infinity is refused');
select throws_ok($$ select pg_temp.award(2, 1, null, 15000000) $$, '23514', null,
    'a commitment without a due time is refused');
select throws_ok($$ select pg_temp.award(2, 1,
    timestamptz 'epoch' + 9223372036854775807 / 1e6 * interval '1 second', 15000000) $$, null, null,
    'W7 a due time of 2^63 is refused');
select lives_ok($$ select pg_temp.award(2, 1, '2038-01-20 00:00+00', 15000000) $$,
    'W7 a due time in 2038 is kept');
select is((select due_at from tender.commitment where task_id = pg_temp.task(2)),
    timestamptz '2038-01-20 00:00+00', 'W7 as it is');
select throws_ok($$ select pg_temp.award(3, 1, '2025-12-31 00:00+00', 15000000) $$, '23514', null,
    'a due time before the award is refused');
select throws_ok($$ select pg_temp.award(3, 1, '2026-01-01 01:00+00', 30000001) $$, '23514', null,
    'a price above the ceiling is refused');
select throws_ok($$ select pg_temp.award(3, 0, '2026-01-01 01:00+00', 1) $$, '23514', null,
    'a generation below one is refused');
select throws_ok($$ select pg_temp.award(3, 1, '2026-01-01 01:00+00', 1, 0) $$, '23514', null,
    'a commitment of no units is refused');

-- ends
select throws_ok($$ select pg_temp.finish(1, 1, 6, 40, 15000001, 14999999) $$, '23514', null,
    'paying more than the price is refused');
select throws_ok($$ select pg_temp.finish(1, 1, 6, 41, 15000000, 15000000) $$, '23514', null,
    'more units than the commitment has are refused');
select throws_ok($$ select pg_temp.finish(1, 1, 6, 40, 15000000, 14000000) $$, '23514', null,
    'an end that does not account for the ceiling is refused');
select throws_ok($$ select pg_temp.finish(1, 1, 3, 40, 15000000, 15000000) $$, '23514', null,
    'an end in a state that is none is refused');
select throws_ok($$ select pg_temp.finish(1, 1, 6, 39, 15000000, 15000000) $$, '23514', null,
    'done with units missing is refused');
select throws_ok($$ select pg_temp.finish(1, 2, 6, 40, 15000000, 15000000) $$, 'TN004', null,
    'an end of another generation is refused');
select lives_ok($$ select pg_temp.finish(1, 1, 6, 40, 15000000, 15000000) $$, 'an end is kept');
select throws_ok($$ select pg_temp.finish(1, 1, 6, 40, 15000000, 15000000) $$, 'TN004', null,
    'a second end is refused');
select throws_ok($$ select pg_temp.award(1, 2, '2026-01-03 00:00+00', 1) $$, 'TN004', null,
    'an award of an ended task is refused');
select throws_ok($$ update tender_ledger.task_end set state = 8 $$, 'TN005', null,
    'the end of a task does not move');
select throws_ok($$ update tender_ledger.commitment set state = 4 $$, 'TN005', null,
    'the end of a commitment does not move');
select throws_ok($$ delete from tender_ledger.commitment $$, 'TN005', null, 'nor is it deleted');

-- entries
select throws_ok($$ update tender_ledger.entry_row set body = '{}' $$, 'TN005', null,
    'an entry is not changed');
select throws_ok($$ truncate tender_ledger.entry_row $$, 'TN005', null, 'nor are entries truncated');
select throws_ok($$ update tender_ledger.task set body = '{}' $$, 'TN005', null,
    'nor is an announcement changed');
select throws_ok($$ update tender_ledger.ending set body = '{}' $$, 'TN005', null,
    'nor a settlement');
select results_eq($$ select number, kind from tender_ledger.entry where task_id = pg_temp.task(1)
    order by number $$, $$ values (1, 1::smallint), (5, 8::smallint) $$,
    'which are entries like all others');
insert into tender_ledger.ending (task_ended_at, task_ceiling_micro, task_paid_micro, task_released_micro,
    task_units, task_units_done, task_round, task_state, task_reason, generation, part, shard, task_id)
values ('2026-01-02 00:00+00', 5, 0, 5, 1, 0, 1, 7, 45, 0, 0, 0, pg_temp.task(7));
select throws_ok($$ insert into tender_ledger.ending (task_ended_at, task_ceiling_micro, task_paid_micro,
    task_released_micro, task_units, task_units_done, task_round, task_state, task_reason, generation, part,
    shard, task_id)
    values ('2026-01-03 00:00+00', 5, 0, 5, 1, 0, 1, 8, 60, 0, 1, 0, pg_temp.task(7)) $$, '23505', null,
    'a task ends once');
select throws_ok($$ insert into tender_ledger.ending (generation, part, shard, task_id)
    values (0, 0, 0, pg_temp.task(8)) $$, '23514', null, 'an end is one of something');
select throws_ok($$ insert into tender_ledger.ending (task_state, generation, part, shard, task_id)
    values (7, 0, 0, 0, pg_temp.task(8)) $$, '23514', null, 'and whole');

-- keys
select throws_ok($$ select pg_temp.announce(4, null, '1') $$, '23505', null,
    'L2 a key is used once');
select lives_ok($$ select pg_temp.announce(5, pg_temp.task(1), '1') $$,
    'L2 and again for the task that it replaces');
select throws_ok($$ select pg_temp.announce(6, pg_temp.task(1), '1') $$, '23505', null,
    'L2 which is replaced once');

-- money
select throws_ok($$ update tender_ledger.account set available_micro = available_micro + 1 $$, '23514',
    null, 'a balance does not change alone');
select throws_ok($$ select tender_ledger.move_money(0::smallint, array['acme'], array[0::bigint],
    array[-10000000000], array[10000000000], array[0::bigint], array[0::bigint]) $$, '23514', null,
    'an account is not overspent');
select throws_ok($$ insert into tender_ledger.transfer (at, amount_micro, number, shard, task_id,
        from_principal, from_bucket, to_principal, to_bucket)
    values (now(), 1, 1, 0, pg_temp.task(1), 'acme', 'issued', 'acme', 'issued') $$, '23514', null,
    'a movement with one end is refused');

select * from finish();
rollback;
