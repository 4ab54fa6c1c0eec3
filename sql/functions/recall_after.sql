-- A broker keeps no task that has ended; of those that blocked tasks wait for it must know the end.
create or replace function tender_ledger.recall_after(p_shard smallint)
returns table (task_id uuid, after_id uuid, state smallint, reason smallint)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select p.task_id, a.after_id, d.state, d.reason
    from (
        select f.task_id
        from tender_ledger.open_part f
        where f.shard = p_shard and f.part = 0 and f.state = 1
    ) p
    cross join lateral (
        select f.after_id
        from tender_ledger.task_after f
        where f.shard = p_shard and f.task_id = p.task_id
        offset 0
    ) a
    cross join lateral (
        select f.state, f.reason
        from tender_ledger.task_end f
        where f.shard = p_shard and f.task_id = a.after_id
        offset 0
    ) d
$$;
comment on function tender_ledger.recall_after(smallint) is
    'How the ended tasks ended that blocked tasks wait for.';
grant execute on function tender_ledger.recall_after(smallint) to tender_broker;
