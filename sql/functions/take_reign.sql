-- A broker takes a shard whose lease has run out, or that it held itself before it was started again:
-- a name runs once. The number rises, so every batch of the broker before is refused from now on. What it
-- writes through is the backend of this call, without whose lock it is not ended as an old one: see
-- resume_reign.
--
-- A goal is the set of its tasks that go on: what was believed about one that is over is of no use to
-- the new broker, and neither is a quarantine that was over a day ago. Both are taken out behind the
-- row of the reign, which the broker before waits for. So are the open parts written that it left out, from
-- which the new one recalls.
create or replace function tender_ledger.take_reign(
    p_shard smallint, p_broker text, p_urls text, p_lease interval, p_first interval)
returns table (reign bigint, batch bigint, stamp_at timestamptz, clock_at timestamptz)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '5s'
as $$
begin
    insert into tender_ledger.reign as r
        (shard, reign, batch, broker, backend_pid, urls, lease, lease_ends_at, first_batch)
    values (p_shard, 1, 0, p_broker, pg_backend_pid(), p_urls, p_lease, clock_timestamp() + p_first, 1)
    on conflict on constraint reign_is_one_per_shard do update
    set reign = r.reign + 1, broker = excluded.broker, backend_pid = pg_backend_pid(), urls = excluded.urls,
        lease = excluded.lease, lease_ends_at = excluded.lease_ends_at, first_batch = r.batch + 1
    where r.broker = excluded.broker or not tender_ledger.reign_runs(
        r.lease_ends_at, r.lease, r.batch <= r.first_batch, r.backend_pid);
    if not found then
        return;
    end if;
    insert into tender_ledger.open_part (ceiling_micro, units, round, part, shard, task_id, payer)
    select f.ceiling_micro, f.units, 1, 0, f.shard, f.task_id, f.payer
    from tender_ledger.fresh_part f
    where f.shard = p_shard;
    delete from tender_ledger.house_fact f
    where f.shard = p_shard and f.kind = 28 and not exists (
        select
        from tender_ledger.task_goal g
        join tender_ledger.open_part p on p.shard = g.shard and p.task_id = g.task_id and p.part = 0
        where g.shard = f.shard and g.principal = split_part(f.subject, ' ', 1)
            and g.goal = split_part(f.subject, ' ', 2));
    delete from tender_ledger.house_fact f
    using tender_ledger.fact e
    where f.shard = p_shard and f.kind = 27 and e.shard = p_shard and e.kind = 27
        and e.subject = f.subject and coalesce((e.body ->> 'until_us')::bigint, 0) = 0
        and e.at < clock_timestamp() - interval '24 hours';
    return query
    select r.reign, r.batch, r.stamp_at, clock_timestamp()
    from tender_ledger.reign r
    where r.shard = p_shard;
end
$$;
comment on function tender_ledger.take_reign(smallint, text, text, interval, interval) is
    'Begins a new reign over a shard, with a first lease, and fences every earlier broker off; no row while the lease of another broker runs.';
grant execute on function tender_ledger.take_reign(smallint, text, text, interval, interval)
    to tender_broker;

-- A recall may take longer than a lease.
create or replace function tender_ledger.renew_reign(
    p_shard smallint, p_reign bigint, p_lease interval)
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    update tender_ledger.reign
    set lease_ends_at = clock_timestamp() + p_lease
    where shard = p_shard and reign = p_reign;
    if not found then
        raise exception using errcode = 'TN001', message = 'another broker reigns';
    end if;
end
$$;
comment on function tender_ledger.renew_reign(smallint, bigint, interval) is
    'The reigning broker keeps the shard for so long without a batch; TN001 where it no longer reigns.';
grant execute on function tender_ledger.renew_reign(smallint, bigint, interval) to tender_broker;

-- What a broker does that ends in order: whoever stands by need not wait for the lease.
create or replace function tender_ledger.release_reign(p_shard smallint, p_reign bigint)
returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $$
    update tender_ledger.reign
    set lease_ends_at = least(lease_ends_at, clock_timestamp())
    where shard = p_shard and reign = p_reign
$$;
comment on function tender_ledger.release_reign(smallint, bigint) is
    'The reigning broker gives the shard back; one that no longer reigns changes nothing.';
grant execute on function tender_ledger.release_reign(smallint, bigint) to tender_broker;
