-- Steps by which a partition leaves, each of which may be repeated; tender ledger archive takes them in
-- order (ops/archive.md). They are for operators, who own the tables.

-- Partitions whose time is over, oldest first, with a task that each waits for: one that has not ended,
-- or ended later than that.
create or replace function tender_ledger.due_partitions(p_before timestamptz)
returns table (suffix text, since_at timestamptz, until_at timestamptz, from_id uuid, to_id uuid,
    state text, waits_for uuid, waits_because text)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select p.suffix, p.since_at, p.until_at, p.from_id, p.to_id, p.state, coalesce(o.task_id, e.task_id),
        case
            when o.task_id is not null then 'it has not ended'
            when e.task_id is not null then 'it ended later'
        end
    from tender_ledger.partition p
    left join lateral (
        select f.task_id
        from (
            select q.task_id from tender_ledger.open_part q
            union all
            select q.task_id from tender_ledger.fresh_part q
        ) f
        where p.state = 'live' and f.task_id >= p.from_id and f.task_id < p.to_id
        order by f.task_id
        limit 1
    ) o on true
    left join lateral (
        select f.task_id
        from tender_ledger.ending f
        where p.state = 'live' and o.task_id is null and f.task_id >= p.from_id
            and f.task_id < p.to_id and f.task_ended_at > p_before
        limit 1
    ) e on true
    where p.until_at <= p_before and p.state <> 'archived'
        and (p.suffix <> 'before' or p.state <> 'live' or exists (
            select from tender_ledger.task t where t.task_id >= p.from_id and t.task_id < p.to_id))
    order by p.from_id
$$;
comment on function tender_ledger.due_partitions(timestamptz) is
    'Partitions that are older than that and not archived, and the task that each waits for, if one.';

-- A line for each of some tasks stays, before their rows leave.
create or replace function tender_ledger.remember_tasks(p_shard smallint, p_from_id uuid, p_to_id uuid)
returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
    insert into tender_ledger.archived_task (ended_at, paid_micro, units, units_done, round, shard,
        state, reason, task_id, again, client, principal, key)
    select e.ended_at, e.paid_micro, e.units, e.units_done, e.round, e.shard, e.state, e.reason,
        e.task_id, t.again, t.client, t.principal, t.key
    from tender_ledger.task t
    join tender_ledger.task_end e on e.shard = t.shard and e.task_id = t.task_id
    where t.shard = p_shard and t.task_id >= p_from_id and t.task_id < p_to_id
        and e.task_id >= p_from_id and e.task_id < p_to_id
    on conflict do nothing
$$;
comment on function tender_ledger.remember_tasks(smallint, uuid, uuid) is
    'Keeps how the ended tasks of a range ended.';

-- The movements of money of a partition, summed by their two ends.
create or replace function tender_ledger.partition_money(p_from_id uuid)
returns table (told_by text, shard smallint, from_principal text, from_bucket text, to_principal text,
    to_bucket text, amount_micro bigint, movements bigint)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    with part as (
        select p.from_id, p.to_id from tender_ledger.partition p where p.from_id = p_from_id
    ), task as materialized (
        select t.shard, t.task_id, t.principal, t.ceiling_micro
        from tender_ledger.task t, part p
        where t.task_id >= p.from_id and t.task_id < p.to_id
    ), movement as (
        select 'task' as told_by, t.shard, t.principal as from_principal, 'available' as from_bucket,
            t.principal as to_principal, 'reserved' as to_bucket, t.ceiling_micro as amount_micro
        from task t
        union all
        select 'task', t.shard, t.principal, 'reserved', c.principal, 'earned', c.paid_micro
        from part p
        join tender_ledger.commitment c on c.task_id >= p.from_id and c.task_id < p.to_id
        join task t on t.shard = c.shard and t.task_id = c.task_id
        union all
        select 'task', t.shard, t.principal, 'reserved', t.principal, 'available', e.released_micro
        from part p
        join tender_ledger.task_end e on e.task_id >= p.from_id and e.task_id < p.to_id
        join task t on t.shard = e.shard and t.task_id = e.task_id
        union all
        select 'transfer', m.shard, m.from_principal, m.from_bucket, m.to_principal, m.to_bucket,
            m.amount_micro
        from part p
        join tender_ledger.transfer m on m.task_id >= p.from_id and m.task_id < p.to_id
    )
    select m.told_by, m.shard, m.from_principal, m.from_bucket, m.to_principal, m.to_bucket,
        sum(m.amount_micro)::bigint, count(*)
    from movement m
    where m.amount_micro > 0
    group by 1, 2, 3, 4, 5, 6
    order by 1, 2, 3, 4, 5, 6
$$;
comment on function tender_ledger.partition_money(uuid) is
    'What moved from whom to whom by the tasks of a partition.';

-- The archive stands on the disk and was read back.
create or replace function tender_ledger.prove_partition(
    p_from_id uuid, p_tasks bigint, p_entries bigint, p_root bytea, p_manifest_digest bytea,
    p_directory text)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    update tender_ledger.partition
    set state = 'exported', retired_at = clock_timestamp(), tasks = p_tasks, entries = p_entries,
        root = p_root, manifest_digest = p_manifest_digest, directory = p_directory,
        retired_by = tender_ledger.caller()
    where from_id = p_from_id and state = 'live';
    if not found then
        raise exception using errcode = 'TN004', message = 'the partition is not live';
    end if;
    insert into tender_ledger.archived_money (from_id, amount_micro, movements, shard, told_by,
        from_principal, from_bucket, to_principal, to_bucket)
    select p_from_id, m.amount_micro, m.movements, m.shard, m.told_by, m.from_principal, m.from_bucket,
        m.to_principal, m.to_bucket
    from tender_ledger.partition_money(p_from_id) m
    where m.told_by = 'task';
end
$$;
comment on function tender_ledger.prove_partition(uuid, bigint, bigint, bytea, bytea, text) is
    'Records the proof of an archive, and what money it tells of.';

-- Where each table of a partition stands: attached, pending (its detaching was broken off), detached, gone.
create or replace function tender_ledger.partition_tables(p_from_id uuid)
returns table (parent text, name text, place text)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select t.parent, t.parent || '_' || p.suffix,
        case
            when c.oid is null then 'gone'
            when i.inhrelid is null then 'detached'
            when i.inhdetachpending then 'pending'
            else 'attached'
        end
    from tender_ledger.partition p
    cross join unnest(array['task', 'ending', 'entry_row']) with ordinality t (parent, place)
    left join pg_class c on c.relname = t.parent || '_' || p.suffix
        and c.relnamespace = 'tender_ledger'::regnamespace
    left join pg_inherits i on i.inhrelid = c.oid
    where p.from_id = p_from_id
    order by t.place
$$;
comment on function tender_ledger.partition_tables(uuid) is
    'The tables of a partition, in the order in which they are detached.';

-- Once nothing can be added to the tables any more: do they hold what the archive has?
create or replace function tender_ledger.seal_partition(p_from_id uuid)
returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_part tender_ledger.partition;
    v_tasks bigint;
    v_entries bigint;
    v_table text;
begin
    select * into v_part from tender_ledger.partition where from_id = p_from_id and state = 'exported';
    execute format('select (select count(*) from tender_ledger.%1$I), '
        '(select count(hash) + count(next_hash) from tender_ledger.%1$I) '
        '+ (select count(number) from tender_ledger.%2$I) '
        '+ (select count(*) + count(next_kind) from tender_ledger.%3$I)',
        'task_' || v_part.suffix, 'ending_' || v_part.suffix, 'entry_row_' || v_part.suffix)
    into v_tasks, v_entries;
    if v_tasks = v_part.tasks and v_entries = v_part.entries then
        update tender_ledger.partition set state = 'detached' where from_id = p_from_id;
        return true;
    end if;
    -- A task was added to while its partition was being written: it goes back and is tried again.
    foreach v_table in array array['entry_row', 'ending', 'task'] loop
        execute format('alter table tender_ledger.%I attach partition tender_ledger.%I '
            'for values from (%L) to (%L)', v_table, v_table || '_' || v_part.suffix,
            v_part.from_id, v_part.to_id);
    end loop;
    delete from tender_ledger.archived_money where from_id = p_from_id;
    update tender_ledger.partition
    set state = 'live', retired_at = null, tasks = null, entries = null, root = null,
        manifest_digest = null, directory = null, retired_by = null
    where from_id = p_from_id;
    return false;
end
$$;
comment on function tender_ledger.seal_partition(uuid) is
    'Compares detached tables with their archive; false: they hold more, and were put back.';

-- What lies beside the tasks goes some rows at a time, each time in a transaction of its own.
create or replace function tender_ledger.sweep_partition(p_from_id uuid, p_shard smallint, p_limit integer)
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_to_id uuid := (select p.to_id from tender_ledger.partition p where p.from_id = p_from_id);
    v_table text;
    v_count bigint;
    v_total bigint := 0;
begin
    with gone as (
        delete from tender_ledger.transfer m
        where m.ctid = any (array(
            select f.ctid
            from tender_ledger.transfer f
            where f.shard = p_shard and f.task_id >= p_from_id and f.task_id < v_to_id
            limit p_limit))
        returning m.*
    )
    insert into tender_ledger.archived_money as a (from_id, amount_micro, movements, shard, told_by,
        from_principal, from_bucket, to_principal, to_bucket)
    select p_from_id, sum(g.amount_micro), count(*), p_shard, 'transfer', g.from_principal,
        g.from_bucket, g.to_principal, g.to_bucket
    from gone g
    group by g.from_principal, g.from_bucket, g.to_principal, g.to_bucket
    on conflict on constraint archived_money_is_one_per_way do update
    set amount_micro = a.amount_micro + excluded.amount_micro,
        movements = a.movements + excluded.movements;
    get diagnostics v_total = row_count;
    foreach v_table in array array['posted', 'task_need', 'task_goal', 'task_after', 'delivery',
        'adoption', 'measured']
    loop
        execute format('delete from tender_ledger.%1$I m where m.ctid = any (array(select f.ctid '
            'from tender_ledger.%1$I f where f.shard = $1 and f.task_id >= $2 and f.task_id < $3 '
            'limit $4))', v_table)
        using p_shard, p_from_id, v_to_id, p_limit;
        get diagnostics v_count = row_count;
        v_total := v_total + v_count;
    end loop;
    return v_total;
end
$$;
comment on function tender_ledger.sweep_partition(uuid, smallint, integer) is
    'Deletes some of the rows that lie beside archived tasks; 0 when none are left.';

create or replace function tender_ledger.drop_partition(p_from_id uuid)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_suffix text := (select p.suffix from tender_ledger.partition p where p.from_id = p_from_id);
begin
    update tender_ledger.partition
    set state = 'archived'
    where from_id = p_from_id and state = 'detached';
    if not found then
        raise exception using errcode = 'TN004', message = 'the partition is not detached';
    end if;
    execute format('drop table tender_ledger.%I, tender_ledger.%I, tender_ledger.%I',
        'task_' || v_suffix, 'ending_' || v_suffix, 'entry_row_' || v_suffix);
end
$$;
comment on function tender_ledger.drop_partition(uuid) is
    'The tables of a partition are gone; its archive is what tells of it.';

-- An archive that is older than anybody repeats an announcement may be forgotten altogether: the keys of
-- its tasks are free again, and who asks for one of them is told that there is none.
create or replace function tender_ledger.forget_tasks(p_before timestamptz, p_limit integer)
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_count bigint;
begin
    with gone as (
        delete from tender_ledger.archived_task a
        where a.ctid = any (array(
            select f.ctid
            from tender_ledger.partition p
            join tender_ledger.archived_task f on f.task_id >= p.from_id and f.task_id < p.to_id
            where p.state = 'archived' and p.until_at <= p_before
            limit p_limit))
        returning a.shard, a.task_id, a.principal, a.key
    )
    delete from tender_ledger.task_key k
    using gone g
    where k.key = g.key and k.principal = g.principal and k.shard = g.shard and k.task_id = g.task_id;
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
comment on function tender_ledger.forget_tasks(timestamptz, integer) is
    'Forgets some of the archived tasks that are older than that, and their keys; 0 when none are left.';
