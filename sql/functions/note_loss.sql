-- A receipt is not signed, so a peer could invent any number of losses: no more than a hundred wait.
create or replace function tender_ledger.note_loss(
    p_shard smallint, p_reign bigint, p_mark integer, p_told bigint, p_held bigint, p_peer text)
returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $$
    insert into tender_ledger.loss as l (seen_at, reign, told_batch, held_batch, mark, shard, peer)
    select clock_timestamp(), p_reign, p_told, p_held, p_mark, p_shard, p_peer
    where (select count(*) from tender_ledger.loss o where o.closed_at is null) < 100
    on conflict on constraint loss_is_one_per_reign do update
    set told_batch = excluded.told_batch, peer = excluded.peer, closed_at = null, closed_by = null
    where l.told_batch < excluded.told_batch
$$;
comment on function tender_ledger.note_loss(smallint, bigint, integer, bigint, bigint, text) is
    'Somebody was told of a batch that the ledger does not hold.';
grant execute on function tender_ledger.note_loss(smallint, bigint, integer, bigint, bigint, text)
    to tender_broker;

create or replace function tender.close_losses()
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_count bigint;
begin
    if not tender_ledger.is_operator() then
        raise exception using errcode = 'TN011', message = 'only operators close losses';
    end if;
    update tender_ledger.loss
    set closed_at = clock_timestamp(), closed_by = tender_ledger.caller()
    where closed_at is null;
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
comment on function tender.close_losses() is
    'Says that the losses of tender.loss were seen and dealt with; returns how many there were.';
grant execute on function tender.close_losses() to tender_owner;
