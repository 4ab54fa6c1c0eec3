-- What a broker asks that stands by, or shares the ledger with others: who holds what. It leaves word
-- that it lives, and writes only when half of that time has passed.
create or replace function tender_ledger.watch_reigns(p_broker text, p_urls text, p_lease interval)
returns table (shard smallint, reign bigint, broker text, urls text, is_free boolean,
    brokers integer, lower_brokers integer)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (
        select
        from tender_ledger.broker b
        where b.broker = p_broker and b.urls = p_urls and b.backend_pid = pg_backend_pid()
            and b.gone_at between clock_timestamp() + p_lease / 2 and clock_timestamp() + p_lease)
    then
        insert into tender_ledger.broker as b (broker, urls, gone_at, backend_pid)
        values (p_broker, p_urls, clock_timestamp() + p_lease, pg_backend_pid())
        on conflict on constraint broker_has_one_row do update
        set urls = excluded.urls, gone_at = excluded.gone_at, backend_pid = excluded.backend_pid;
    end if;
    return query
    select s.shard, coalesce(r.reign, 0), coalesce(r.broker, ''), coalesce(r.urls, ''),
        coalesce(not tender_ledger.reign_runs(r.lease_ends_at, r.lease, r.batch <= r.first_batch,
            r.backend_pid), true), l.brokers, l.lower_brokers
    from (
        select count(*)::integer as brokers,
            (count(*) filter (where n.name collate "C" < p_broker collate "C"))::integer as lower_brokers
        from (
            select b.broker as name
            from tender_ledger.broker b
            where tender_ledger.broker_lives(b.gone_at, b.backend_pid)
            union
            select h.broker
            from tender_ledger.reign h
            where tender_ledger.reign_runs(h.lease_ends_at, h.lease, h.batch <= h.first_batch,
                h.backend_pid)
        ) n
    ) l
    cross join (
        select g.shard::smallint as shard
        from generate_series(0, tender_ledger.shard_count() - 1) g (shard)
    ) s
    left join tender_ledger.reign r on r.shard = s.shard
    order by s.shard;
end
$$;
comment on function tender_ledger.watch_reigns(text, text, interval) is
    'Says that a broker lives, and lists the shards with whoever holds them, and how many brokers live.';
grant execute on function tender_ledger.watch_reigns(text, text, interval) to tender_broker;
