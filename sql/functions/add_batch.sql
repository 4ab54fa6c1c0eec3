-- The last statement of a batch that has entries: its leaf, with the entries that it stands for. In
-- plpgsql, which keeps its plan: SQL would be parsed and planned anew with each batch.
create or replace function tender_ledger.add_batch(
    p_shard smallint, p_batch bigint, p_leaf bigint, p_at timestamptz, p_entries integer, p_root bytea,
    p_peak bytea, p_task_ids uuid[], p_numbers integer[], p_counts smallint[], p_marks bigint[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into tender_ledger.batch (at, leaf, batch, entries, shard, root, peak, task_ids, numbers,
        counts, marks)
    values (p_at, p_leaf, p_batch, p_entries, p_shard, p_root, p_peak, p_task_ids, p_numbers, p_counts,
        p_marks);
end
$$;
comment on function tender_ledger.add_batch(smallint, bigint, bigint, timestamptz, integer, bytea, bytea,
    uuid[], integer[], smallint[], bigint[]) is
    'Adds a batch to the tree of its shard.';
grant execute on function tender_ledger.add_batch(smallint, bigint, bigint, timestamptz, integer, bytea,
    bytea, uuid[], integer[], smallint[], bigint[]) to tender_broker;

-- What a tree goes on from: a row for each whole subtree in it, the largest first. A reign that finds
-- none begins it; what was recorded up to then is in no batch.
create or replace function tender_ledger.recall_tree(p_shard smallint)
returns table (size bigint, leaves bigint, peak bytea)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_size bigint;
begin
    insert into tender_ledger.tree (since_at, shard)
    select coalesce(r.stamp_at, '-infinity'), r.shard
    from tender_ledger.reign r
    where r.shard = p_shard
    on conflict on constraint tree_is_one_per_shard do nothing;
    select b.leaf + 1 into v_size
    from tender_ledger.batch b
    where b.shard = p_shard
    order by b.leaf desc
    limit 1;
    return query
    select v_size, 1::bigint << n.level, f.peak
    from generate_series(62, 0, -1) n (level)
    cross join lateral (
        select b.peak
        from tender_ledger.batch b
        where b.shard = p_shard and b.leaf = (v_size >> n.level << n.level) - 1
        offset 0
    ) f
    where v_size >> n.level & 1 = 1;
end
$$;
comment on function tender_ledger.recall_tree(smallint) is
    'The whole subtrees that the tree of a shard is made of, the largest first; none while it is empty.';
grant execute on function tender_ledger.recall_tree(smallint) to tender_broker;

create or replace function tender_ledger.ledger_id()
returns uuid
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select l.id from tender_ledger.ledger l
$$;
comment on function tender_ledger.ledger_id() is 'What names this ledger in what is signed over it.';
grant execute on function tender_ledger.ledger_id() to tender_broker;
