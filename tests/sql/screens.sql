-- Goal: the screens read the ledger as it is, show nothing that is sealed, and nobody but auditors anything.
-- Method: a ring of three takes 12 tasks, a fourth contractor stands back; one round more is still open.
begin;
select plan(9);
set local role tender_owner;
create function pg_temp.id(p_number integer) returns uuid immutable language sql as
    $$ select ('00000000-0000-7000-8000-' || lpad(p_number::text, 12, '0'))::uuid $$;
insert into tender_ledger.task (announced_at, ceiling_micro, units, shard, partial, task_id, client, principal,
    skill, key)
select '2026-01-01 00:00+00', 30000000, 4, 0, 1, pg_temp.id(n), 'acme/a', 'acme', 's', n::text
from generate_series(1, 13) n;
insert into tender_ledger.entry_row (at, number, shard, kind, task_id, hash, body)
select '2026-01-01 00:00+00'::timestamptz + n * interval '1 minute' + k * interval '1 second', k, 0, k,
    pg_temp.id(n), sha256(''), case k
        when 2 then '{"round":1,"units":4,"ceiling_micro":30000000}'
        when 3 then format('{"round":1,"answers":[
            {"contractor":"a","principal":"pa","cost_micro":%s},
            {"contractor":"b","principal":"pb","cost_micro":%s},
            {"contractor":"c","principal":"pc","cost_micro":%s},
            {"contractor":"e","principal":"pe","state":"ineligible","cost_micro":1},
            {"contractor":"d","principal":"pd","state":"refused","reason":"no-capacity"}]}', 12000000 + 100000 * n,
            28500000 + 100000 * (n % 2), 28800000 + 100000 * (n % 2))
        else '{"round":1,"contractor":"a","principal":"pa","price_set_by":"b","price_micro":28500000,"ranks":[
            {"contractor":"a","rank":1,"state":"won"},{"contractor":"b","rank":2},{"contractor":"c","rank":3},
            {"contractor":"e","rank":0}]}'
    end
from generate_series(1, 13) n
cross join generate_series(2, 4) k
where n <= 12 or k < 4;
reset role;

set local role tender_auditor;
select results_eq($$ select count(*)::integer, count(distinct task_id)::integer, count(cost)::integer
    from tender.bid_window $$, 'values (48, 12, 36)', 'answers of rounds that were awarded, and of no other');
select results_eq('select rounds, rdalt, second_over_ceiling from tender.screen_price',
    $$ values (12, round((28.55 - 12.65) / 0.3, 4), 0.9517) $$, 'medians of RDALT and of b2 over the ceiling');
select is((select string_agg(concat_ws(' ', contractor, losing, near, wins, g), ', ' order by contractor)
    from tender.screen_cover where near > 0), 'b 12 12 0 12.2598, c 12 12 0 12.2598', 'covers: G = 24 ln(1 / 0.6)');
select is((select string_agg(concat_ws(' ', contractor, partner, rounds, one_near, one_near_g), ', ' order by partner)
    from tender.screen_pair where one_near > 0), 'a b 12 12 12.2598, a c 12 12 12.2598', 'pairs of which one covers');
select is((select string_agg(concat_ws(' ', what, contractor, partner, rounds, together, lift, g), ', ' order by what)
    from tender.screen_association where together > 0),
    'sets-price b a 12 12 1.0000 0.0000, stands-back d a 12 12 1.0000 0.0000',
    'who always does so is not associated with one');
select results_eq('select rounds, sole from tender.screen_sole', 'values (12, 0)', 'nobody was alone');
select is((select concat_ws(' ', screen, contractor, cardinality(tasks), why) from tender.screening where flagged
    order by excess desc limit 1), 'distance 12 half of the time the second bid lies 53.0 times as far above the '
    'winner as the losing bids lie apart, or more', 'the widest first, with the tasks behind it');
reset role;
set local role tender_reader;
select throws_ok('select * from tender.screening', '42501', null, 'a reader is shown no screen');
select throws_ok('select * from tender.bid_window', '42501', null, 'and no window');
reset role;
select * from finish();
rollback;
