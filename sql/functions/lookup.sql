-- What the broker asks about tasks that it has forgotten. By unique keys only: history may be long.
-- Every announcement asks about its key, so questions come together in arrays, each with its place. They are
-- in plpgsql, which keeps its plans: planning, over all partitions above all, costs more than a lookup.
create or replace function tender_ledger.lookup_task(
    p_shard smallint, p_task uuid, p_part integer, p_generation integer)
returns table (task_id uuid, newest uuid, state smallint, reason smallint, client text, principal text,
    round integer, units integer, units_done integer, paid_micro bigint, commitment_state smallint,
    contractor text, number integer, hash bytea)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
    return query
    select t.task_id, t.task_id,
        coalesce(d.state, case o.promise_state when 1 then 3::smallint when 2 then 4::smallint
            else o.state end, 2::smallint),
        coalesce(d.reason, o.reason, 0::smallint), t.client, t.principal, coalesce(d.round, o.round, 1), t.units,
        coalesce(d.units_done, o.units_done, 0), coalesce(d.paid_micro, o.paid_micro, 0),
        coalesce(c.state, m.promise_state,
            case when p_part = 0 and o.generation = p_generation then o.promise_state end),
        coalesce(c.owner, m.owner,
            case when p_part = 0 and o.generation = p_generation then o.owner end), e.number, e.hash
    from (
        select f.* from tender_ledger.task f where f.shard = p_shard and f.task_id = p_task offset 0
    ) t
    left join tender_ledger.task_end d on d.shard = p_shard and d.task_id = p_task
    left join tender_ledger.open_part o on o.shard = p_shard and o.task_id = p_task and o.part = 0
    left join tender_ledger.split_part m on p_part > 0 and m.shard = p_shard and m.task_id = p_task
        and m.part = p_part and m.generation = p_generation
    left join tender_ledger.commitment c on c.shard = p_shard and c.task_id = p_task
        and c.part = p_part and c.generation = p_generation
    cross join lateral (
        select f.number, f.hash
        from (
            (
                select f.number, f.hash
                from tender_ledger.ending f
                where f.shard = p_shard and f.task_id = p_task and f.number is not null
                order by f.number desc
                limit 1
            )
            union all
            (
                select case when f.next_kind is null then f.number else f.number + 1 end,
                    coalesce(f.next_hash, f.hash)
                from tender_ledger.entry_row f
                where f.shard = p_shard and f.task_id = p_task
                order by f.number desc
                limit 1
            )
            union all
            select case when t.next_kind is null then 1 else 2 end, coalesce(t.next_hash, t.hash)
            where t.hash is not null
        ) f
        order by f.number desc
        limit 1
    ) e
    union all
    select a.task_id, a.task_id, a.state, a.reason, a.client, a.principal, a.round, a.units,
        a.units_done, a.paid_micro, null, null, null, null
    from tender_ledger.archived_task a
    where a.shard = p_shard and a.task_id = p_task and not exists (
        select from tender_ledger.task t where t.shard = p_shard and t.task_id = p_task);
end
$$;
comment on function tender_ledger.lookup_task(smallint, uuid, integer, integer) is
    'A task by its identifier, with one of its commitments and the end of its chain; none where that is in an archive.';

create or replace function tender_ledger.lookup_tasks(
    p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[])
returns table (place integer, task_id uuid, newest uuid, state smallint, reason smallint, client text,
    principal text, round integer, units integer, units_done integer, paid_micro bigint,
    commitment_state smallint, contractor text, number integer, hash bytea)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    return query
    select g.place, l.*
    from (
        select unnest(p_place) as place, unnest(p_task) as task_id, unnest(p_part) as part,
            unnest(p_generation) as generation
    ) g
    cross join lateral tender_ledger.lookup_task(p_shard, g.task_id, g.part, g.generation) l;
end
$$;
comment on function tender_ledger.lookup_tasks(smallint, integer[], uuid[], integer[], integer[]) is
    'Tasks by their identifiers; nothing for one that the ledger does not hold.';
grant execute on function tender_ledger.lookup_tasks(smallint, integer[], uuid[], integer[], integer[])
    to tender_broker;

create or replace function tender_ledger.lookup_paid(
    p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[])
returns table (place integer, units_done integer, paid_micro bigint)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    return query
    select g.place, c.units_done, c.paid_micro + coalesce((
            select sum(m.amount_micro)
            from tender_ledger.transfer m
            where m.shard = p_shard and m.task_id = g.task_id and m.generation = g.generation
                and m.to_bucket = 'earned'), 0)::bigint + coalesce((
            select sum(a.paid_micro)
            from tender_ledger.adoption a
            where a.shard = p_shard and a.task_id = g.task_id and a.part = g.part
                and a.generation = g.generation), 0)::bigint
    from (
        select unnest(p_place) as place, unnest(p_task) as task_id, unnest(p_part) as part,
            unnest(p_generation) as generation
    ) g
    join tender_ledger.commitment c on c.shard = p_shard and c.task_id = g.task_id
        and c.part = g.part and c.generation = g.generation;
end
$$;
comment on function tender_ledger.lookup_paid(smallint, integer[], uuid[], integer[], integer[]) is
    'What commitments that have ended accepted and were paid; nothing for one that goes on or never was.';
grant execute on function tender_ledger.lookup_paid(smallint, integer[], uuid[], integer[], integer[])
    to tender_broker;

create or replace function tender_ledger.lookup_keys(
    p_shard smallint, p_place integer[], p_principal text[], p_key text[], p_body_digest bytea[])
returns table (place integer, task_id uuid, newest uuid, state smallint, reason smallint, client text,
    principal text, round integer, units integer, units_done integer, paid_micro bigint,
    commitment_state smallint, contractor text, number integer, hash bytea)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    return query
    select g.place, f.task_id, f.newest, l.state, l.reason, l.client, l.principal, l.round, l.units,
        l.units_done, l.paid_micro, l.commitment_state, l.contractor, l.number, l.hash
    from (
        select unnest(p_place) as place, unnest(p_principal) as principal, unnest(p_key) as key,
            unnest(p_body_digest) as body_digest
    ) g
    cross join lateral (
        select (array_agg(t.task_id order by t.task_id desc)
                filter (where t.body_digest = g.body_digest))[1] as task_id,
            (array_agg(t.task_id order by t.task_id desc))[1] as newest
        from tender_ledger.task_key t
        where t.key = g.key and t.principal = g.principal
            and t.shard + 0 = p_shard -- by the index over keys, never by that over tasks
        having count(*) > 0
        offset 0
    ) f
    cross join lateral tender_ledger.lookup_task(p_shard, coalesce(f.task_id, f.newest), 0, 0) l;
end
$$;
comment on function tender_ledger.lookup_keys(smallint, integer[], text[], text[], bytea[]) is
    'The tasks that were announced under keys with the same bodies, and the newest under those keys; nothing for a key that was not used.';
grant execute on function tender_ledger.lookup_keys(smallint, integer[], text[], text[], bytea[])
    to tender_broker;
