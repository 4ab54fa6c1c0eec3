-- Goal: a batch reads the rows of its own tasks and no others, though its plans were made while the tables
-- were empty.
-- Method: as the broker's connection, end a task that is not there, so that plans are made; fill the hot
-- table; award and end two tasks of many, and count what was fetched.
begin;
select plan(4);
set local enable_seqscan = off;
set local enable_hashjoin = off;
set local enable_mergejoin = off;
set local jit = off;
set local plan_cache_mode = force_generic_plan;

create function pg_temp.ids(p_from integer, p_to integer) returns uuid[] language sql immutable as $$
    select array_agg(('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid)
    from generate_series(p_from, p_to) i
$$;
create function pg_temp.award(p_task uuid[]) returns void language sql as $$
    select tender_ledger.award_parts(0::smallint, p_task, g.zero, g.one, g.one, g.name, g.name, g.one,
        g.money, g.at, g.at, g.never, g.zero)
    from (
        select array_agg(0) as zero, array_agg(1) as one, array_agg('kiln-1'::text) as name,
            array_agg(5::bigint) as money, array_agg(timestamptz '2026-01-01 00:00+00') as at,
            array_agg(null::timestamptz) as never
        from unnest(p_task)
    ) g
$$;
create function pg_temp.finish(p_task uuid[]) returns void language sql as $$
    select tender_ledger.finish_tasks(0::smallint, p_task, g.at, g.six, g.six, g.one, g.one, g.money,
        g.nothing, g.at, g.one, g.at, g.three, g.three, g.one, g.money, g.nothing, g.no_number, g.no_hash,
        g.no_body, g.no_hash, false)
    from (
        select array_agg(timestamptz '2026-01-01 00:00+00') as at, array_agg(6::smallint) as six,
            array_agg(3::smallint) as three, array_agg(1) as one, array_agg(5::bigint) as money,
            array_agg(0::bigint) as nothing, array_agg(null::integer) as no_number,
            array_agg(null::bytea) as no_hash, array_agg(null::text) as no_body
        from unnest(p_task)
    ) g
$$;
create function pg_temp.fetched() returns bigint language sql volatile as $$
    select pg_stat_get_xact_tuples_returned(i.indexrelid)
    from pg_index i
    where i.indrelid = 'tender_ledger.open_part'::regclass
$$;

select throws_ok($$ select pg_temp.award(pg_temp.ids(1, 1)) $$, 'TN004', null,
    'a task that does not go on is not awarded');
select throws_ok($$ select pg_temp.finish(pg_temp.ids(1, 1)) $$, 'TN004', null, 'nor does it end');
insert into tender_ledger.open_part (ceiling_micro, units, round, part, shard, task_id, payer)
select 5, 1, 1, 0, 0, unnest(pg_temp.ids(1, 5000)), 'acme';
create temporary table seen as select pg_temp.fetched() as fetched;
select lives_ok($$ select pg_temp.award(pg_temp.ids(1, 1) || pg_temp.ids(4000, 4000)),
    pg_temp.finish(pg_temp.ids(4000, 4000) || pg_temp.ids(1, 1)) $$, 'two tasks of many are awarded and end');
select ok(pg_temp.fetched() - fetched between 4 and 8, 'only their rows were read: '
    || (pg_temp.fetched() - fetched)) from seen;

select * from finish();
rollback;
