-- What the broker asks about tasks that it has forgotten. By unique keys only: history may be long.
create or replace function tender_ledger.lookup_task(
    p_shard smallint, p_task uuid, p_part integer, p_generation integer)
returns table (task_id uuid, newest uuid, state smallint, reason smallint, client text, principal text,
    round integer, units integer, units_done integer, paid_micro bigint, commitment_state smallint,
    contractor text, number integer, hash bytea)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select t.task_id, t.task_id, t.state, t.reason, t.client, t.principal, t.round, t.units,
        t.units_done, t.paid_micro, c.state, c.owner, e.number, e.hash
    from tender_ledger.task t
    left join tender_ledger.commitment c on c.shard = t.shard and c.task_id = t.task_id
        and c.part = p_part and c.generation = p_generation
    cross join lateral (
        select e.number, e.hash
        from tender_ledger.entry e
        where e.shard = t.shard and e.task_id = t.task_id
        order by e.number desc
        limit 1
    ) e
    where t.shard = p_shard and t.task_id = p_task
$$;
comment on function tender_ledger.lookup_task(smallint, uuid, integer, integer) is
    'A task by its identifier, with one of its commitments and the end of its chain.';
grant execute on function tender_ledger.lookup_task(smallint, uuid, integer, integer) to tender_broker;

create or replace function tender_ledger.lookup_key(
    p_shard smallint, p_principal text, p_key text, p_body_digest bytea)
returns table (task_id uuid, newest uuid, state smallint, reason smallint, client text, principal text,
    round integer, units integer, units_done integer, paid_micro bigint, commitment_state smallint,
    contractor text, number integer, hash bytea)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    with known as (
        select t.task_id, t.body_digest
        from tender_ledger.task t
        where t.shard = p_shard and t.principal = p_principal and t.key = p_key
    ), found as (
        select (array_agg(k.task_id) filter (where k.body_digest = p_body_digest))[1] as task_id,
            (array_agg(k.task_id order by k.task_id desc))[1] as newest
        from known k
    )
    select f.task_id, f.newest, t.state, t.reason, t.client, t.principal, t.round, t.units,
        t.units_done, t.paid_micro, null::smallint, null::text, e.number, e.hash
    from found f
    join tender_ledger.task t on t.shard = p_shard and t.task_id = coalesce(f.task_id, f.newest)
    cross join lateral (
        select e.number, e.hash
        from tender_ledger.entry e
        where e.shard = t.shard and e.task_id = t.task_id
        order by e.number desc
        limit 1
    ) e
$$;
comment on function tender_ledger.lookup_key(smallint, text, text, bytea) is
    'The task that was announced under a key with the same body, and the newest under that key.';
grant execute on function tender_ledger.lookup_key(smallint, text, text, bytea) to tender_broker;
