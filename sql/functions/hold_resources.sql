-- Counted names: how many there are, and which commitments hold them. The broker says which
-- commitments hold and which are free again; which names those are, the tables know by themselves, and
-- the check of the resource refuses what would promise one twice.
create or replace function tender_ledger.add_needs(p_shard smallint, p_task uuid[], p_need text[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into tender_ledger.task_need (shard, task_id, needs)
    select p_shard, g.task_id, array_agg(g.need order by g.place)
    from unnest(p_task, p_need) with ordinality g (task_id, need, place)
    group by g.task_id;
end
$$;
comment on function tender_ledger.add_needs(smallint, uuid[], text[]) is
    'Says what announced tasks need besides their skill; one element a task and name.';
grant execute on function tender_ledger.add_needs(smallint, uuid[], text[]) to tender_broker;

create or replace function tender_ledger.set_resources(
    p_shard smallint, p_resource text[], p_contractor text[], p_count integer[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    delete from tender_ledger.resource r
    using unnest(p_resource, p_contractor, p_count) g (resource, contractor, count)
    where g.count = 0 and r.shard = p_shard and r.resource = g.resource
        and r.contractor = g.contractor;
    insert into tender_ledger.resource as r (shard, resource, contractor, count)
    select p_shard, g.resource, g.contractor, g.count
    from unnest(p_resource, p_contractor, p_count) g (resource, contractor, count)
    where g.count <> 0
    on conflict on constraint resource_has_one_row do update set count = excluded.count;
end
$$;
comment on function tender_ledger.set_resources(smallint, text[], text[], integer[]) is
    'Sets how many there are of counted names; 0 counts a name no more.';
grant execute on function tender_ledger.set_resources(smallint, text[], text[], integer[])
    to tender_broker;

create or replace function tender_ledger.hold_resources(
    p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_owner text[],
    p_held_at timestamptz[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_count bigint;
begin
    with given as (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_owner) as owner, unnest(p_held_at) as held_at
    ), held as (
        insert into tender_ledger.resource_hold (held_at, generation, part, shard, task_id, resource,
            contractor)
        select g.held_at, g.generation, g.part, p_shard, g.task_id, r.resource, r.contractor
        from given g
        cross join lateral (
            select array[t.skill] || n.needs as names
            from tender_ledger.task t
            left join tender_ledger.task_need n on n.shard = t.shard and n.task_id = t.task_id
            where t.shard = p_shard and t.task_id = g.task_id
            offset 0
        ) t
        cross join lateral (
            select r.resource, r.contractor
            from tender_ledger.resource r
            where r.shard = p_shard and r.resource = any (t.names) and r.contractor in ('', g.owner)
            offset 0
        ) r
        returning task_id, part, generation, resource, contractor
    ), changed as (
        update tender_ledger.resource r
        set held = r.held + h.count
        from (
            select h.resource, h.contractor, count(*)::integer as count
            from held h
            group by h.resource, h.contractor
        ) h
        where r.shard = p_shard and r.resource = h.resource and r.contractor = h.contractor
    )
    select count(distinct (h.task_id, h.part, h.generation)) into v_count
    from held h;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s commitments to hold resources need none that is counted',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
end
$$;
comment on function tender_ledger.hold_resources(smallint, uuid[], integer[], integer[], text[],
    timestamptz[]) is
    'Commitments that were awarded hold one of each counted name that their tasks need.';
grant execute on function tender_ledger.hold_resources(smallint, uuid[], integer[], integer[], text[],
    timestamptz[]) to tender_broker;

create or replace function tender_ledger.free_resources(
    p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_count bigint;
begin
    with given as (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation
    ), found as materialized (
        select f.ctid as place
        from given g
        cross join lateral (
            select f.ctid
            from tender_ledger.resource_hold f
            where f.shard = p_shard and f.task_id = g.task_id and f.part = g.part
                and f.generation = g.generation
            offset 0
        ) f
    ), freed as (
        delete from tender_ledger.resource_hold h
        using found f
        where h.ctid = f.place
        returning h.task_id, h.part, h.generation, h.resource, h.contractor
    ), changed as (
        update tender_ledger.resource r
        set held = r.held - f.count
        from (
            select f.resource, f.contractor, count(*)::integer as count
            from freed f
            group by f.resource, f.contractor
        ) f
        where r.shard = p_shard and r.resource = f.resource and r.contractor = f.contractor
    )
    select count(distinct (f.task_id, f.part, f.generation)) into v_count
    from freed f;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s commitments to be freed hold no resource',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
end
$$;
comment on function tender_ledger.free_resources(smallint, uuid[], integer[], integer[]) is
    'Commitments that ended hold nothing any more.';
grant execute on function tender_ledger.free_resources(smallint, uuid[], integer[], integer[])
    to tender_broker;
