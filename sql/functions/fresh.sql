create or replace function tender_ledger.drop_fresh(p_shard smallint, p_batch bigint[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    delete from tender_ledger.fresh r
    using (select unnest(p_batch) as batch) g
    cross join lateral (
        select f.ctid as place
        from tender_ledger.fresh f
        where f.shard = p_shard and f.batch = g.batch
        offset 0
    ) f
    where r.ctid = f.place;
end
$$;
comment on function tender_ledger.drop_fresh(smallint, bigint[]) is
    'Drops the lists of batches whose tasks have all gone on.';
grant execute on function tender_ledger.drop_fresh(smallint, bigint[]) to tender_broker;

-- A new broker does not know which tasks of a list have gone on, so it gives all the others their row.
create or replace function tender_ledger.settle_fresh(p_shard smallint)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    perform tender_ledger.open_parts(p_shard, array_agg(i.task_id))
    from tender_ledger.fresh r
    cross join lateral unnest(r.task_ids) i (task_id)
    where r.shard = p_shard
        and not exists (
            select from tender_ledger.open_part p
            where p.shard = p_shard and p.task_id = i.task_id and p.part = 0)
        and not exists (
            select from tender_ledger.task_end e
            where e.shard = p_shard and e.task_id = i.task_id)
    having count(*) > 0;
    delete from tender_ledger.fresh where shard = p_shard;
end
$$;
comment on function tender_ledger.settle_fresh(smallint) is
    'Gives every fresh task its open part: the start of a reign.';
