-- After its connection broke, the broker that reigns says which backend it writes through now.
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
