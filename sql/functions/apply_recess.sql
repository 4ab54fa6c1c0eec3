-- Nobody listened for a while: what fell due in that time is due at its end.
create or replace function tender_ledger.apply_recess(
    p_shard smallint, p_number integer, p_from timestamptz, p_until timestamptz)
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into tender_ledger.recess (shard, number, from_at, until_at)
    values (p_shard, p_number, p_from, p_until);
    update tender_ledger.open_part
    set due_at = p_until
    where shard = p_shard and due_at >= p_from and due_at < p_until;
    update tender_ledger.split_part
    set due_at = p_until
    where shard = p_shard and due_at >= p_from and due_at < p_until;
end
$$;
comment on function tender_ledger.apply_recess(smallint, integer, timestamptz, timestamptz) is
    'Records a recess and moves the due times of active commitments that fell into it.';
grant execute on function tender_ledger.apply_recess(smallint, integer, timestamptz, timestamptz)
    to tender_broker;
