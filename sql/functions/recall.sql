-- What a new broker reads before it hears anything. Pages keep both sides' memory bounded.
create or replace function tender_ledger.recall_balances(p_shard smallint)
returns table (principal text, available_micro bigint, reserved_micro bigint, spent_micro bigint,
    earned_micro bigint)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select a.principal, a.available_micro, a.reserved_micro, a.spent_micro, a.earned_micro
    from tender_ledger.account a
    where a.shard = p_shard
        and (a.available_micro, a.reserved_micro, a.spent_micro, a.earned_micro) <> (0, 0, 0, 0)
    order by a.principal
$$;
comment on function tender_ledger.recall_balances(smallint) is
    'Balances of every account that holds or moved anything; a broker keeps no others.';
grant execute on function tender_ledger.recall_balances(smallint) to tender_broker;

-- Of the house: the last enrolment of each contractor that has not departed since, the recesses that a
-- task not ended has lived through, and what holds by rate, count, hold and belief.
create or replace function tender_ledger.recall_house(p_shard smallint)
returns table (task_id uuid, number integer, at timestamptz, kind smallint, body text, content bytea,
    hash bytea)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select e.task_id, e.number, e.at, e.kind, e.body, e.content, e.hash
    from (
        select c.number
        from tender_ledger.contractor c
        where c.shard = p_shard and c.departed_at is null
        union
        select r.number
        from tender_ledger.recess r
        where r.shard = p_shard and r.until_at >= (
            select t.announced_at
            from (
                select p.task_id
                from tender_ledger.open_part p
                where p.shard = p_shard
                order by p.task_id
                limit 1
            ) p
            join tender_ledger.task t on t.shard = p_shard and t.task_id = p.task_id)
        union
        select f.number
        from tender_ledger.house_fact f
        where f.shard = p_shard
    ) n
    cross join lateral (
        select f.*
        from (
            select r.*
            from tender_ledger.entry_row r
            where r.shard = p_shard and r.task_id = '00000000-0000-0000-0000-000000000000'
                and r.number between n.number - 1 and n.number
            offset 0
        ) r
        cross join lateral (
            values (r.task_id, r.number, r.at, r.kind, r.body, r.content, r.hash),
                (r.task_id, r.number + 1, r.next_at, r.next_kind, r.next_body, r.next_content,
                    r.next_hash)
        ) f (task_id, number, at, kind, body, content, hash)
        where f.number = n.number and f.kind is not null
    ) e
    order by e.number
$$;
comment on function tender_ledger.recall_house(smallint) is
    'Entries of the house that a broker needs, in order.';
grant execute on function tender_ledger.recall_house(smallint) to tender_broker;

-- Of the house: the entries of a task also lie in other tables.
create or replace function tender_ledger.recall_head(p_shard smallint, p_task uuid)
returns table (number integer, hash bytea)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select case when r.next_kind is null then r.number else r.number + 1 end,
        coalesce(r.next_hash, r.hash)
    from tender_ledger.entry_row r
    where r.shard = p_shard and r.task_id = p_task
    order by r.number desc
    limit 1
$$;
comment on function tender_ledger.recall_head(smallint, uuid) is 'The end of the chain of the house.';
grant execute on function tender_ledger.recall_head(smallint, uuid) to tender_broker;

-- In plpgsql, which keeps its plan: the pages are many, and so are the partitions to plan over. The
-- tasks are looked up together; the first and last of them say which partitions there are to look in.
create or replace function tender_ledger.recall_tasks(p_shard smallint, p_after uuid, p_limit integer)
returns table (task_id uuid, number integer, at timestamptz, kind smallint, body text, content bytea,
    hash bytea)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
    v_tasks uuid[] := array(
        select p.task_id
        from tender_ledger.open_part p
        where p.shard = p_shard and p.task_id > p_after and p.part = 0
        order by p.task_id
        limit p_limit);
    v_first uuid := v_tasks[1];
    v_last uuid := v_tasks[cardinality(v_tasks)];
begin
    return query
    select e.task_id, e.number, e.at, e.kind, e.body, e.content, e.hash
    from tender_ledger.entry e
    where e.shard = p_shard and e.task_id between v_first and v_last and e.task_id = any (v_tasks)
    order by e.task_id, e.number;
end
$$;
comment on function tender_ledger.recall_tasks(smallint, uuid, integer) is
    'All entries of the next tasks that have not ended, task by task.';
grant execute on function tender_ledger.recall_tasks(smallint, uuid, integer) to tender_broker;

create or replace function tender_ledger.recall_keys(p_shard smallint, p_limit bigint)
returns table (principal text, key text)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select t.principal, t.key
    from tender_ledger.task_key t
    where t.shard = p_shard
    limit p_limit
$$;
comment on function tender_ledger.recall_keys(smallint, bigint) is
    'Keys of tasks, ended ones too, up to a limit.';
grant execute on function tender_ledger.recall_keys(smallint, bigint) to tender_broker;
