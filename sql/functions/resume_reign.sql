-- The broker that reigns says which backend it writes through now: when it has taken the shard, and after
-- its connection broke. The session keeps an advisory lock named like the shard: whoever comes next sees
-- by it which backend may still be at work. It is not what fences; so it does not matter whether it could
-- be had. Whoever does not reign has no such lock, or the broker that does would end it as one of its own.
create or replace function tender_ledger.resume_reign(p_shard smallint, p_reign bigint)
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '5s'
as $$
begin
    perform pg_try_advisory_lock(1413828420, p_shard);
    update tender_ledger.reign
    set backend_pid = pg_backend_pid()
    where shard = p_shard and reign = p_reign;
    if not found then
        raise exception using errcode = 'TN001', message = 'another broker reigns';
    end if;
end
$$;
comment on function tender_ledger.resume_reign(smallint, bigint) is
    'The reigning broker goes on through another backend; TN001 where it no longer reigns.';
grant execute on function tender_ledger.resume_reign(smallint, bigint) to tender_broker;
