-- First statement of every batch: takes the reign's row and keeps it until the batch commits. It renews
-- the lease, also one that has run out, as long as nobody took it; the longer one of a recall stays for the
-- first batch after it, which may take long.
create or replace function tender_ledger.begin_batch(
    p_shard smallint, p_reign bigint, p_batch bigint, p_stamp timestamptz)
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_row tender_ledger.reign;
begin
    update tender_ledger.reign
    set batch = p_batch, stamp_at = greatest(stamp_at, p_stamp),
        lease_ends_at = case
            when p_batch = first_batch then greatest(lease_ends_at, clock_timestamp() + lease)
            else clock_timestamp() + lease end
    where shard = p_shard and reign = p_reign and batch = p_batch - 1;
    if found then
        return;
    end if;
    select * into v_row from tender_ledger.reign where shard = p_shard;
    if v_row.reign is distinct from p_reign then
        raise exception using
            errcode = 'TN001',
            message = format('reign %s is over: %s reigns', p_reign, coalesce(v_row.broker, 'nobody'));
    elsif v_row.batch >= p_batch then
        raise exception using
            errcode = 'TN002',
            message = format('batch %s is held', p_batch);
    else
        raise exception using
            errcode = 'TN003',
            message = format('batch %s does not follow batch %s', p_batch, v_row.batch);
    end if;
end
$$;
comment on function tender_ledger.begin_batch(smallint, bigint, bigint, timestamptz) is
    'Opens a batch. TN001: another broker reigns; TN002: the batch is held; TN003: one is missing.';
grant execute on function tender_ledger.begin_batch(smallint, bigint, bigint, timestamptz)
    to tender_broker;
