-- Takes what tasks paid and released out of the reservations of their payers. Called by the functions
-- that end commitments and tasks; a payer without an account, which cannot be, is an error.
create or replace function tender_ledger.spend(
    p_shard smallint, p_payer text[], p_paid_micro bigint[], p_released_micro bigint[])
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_count bigint;
begin
    update tender_ledger.account a
    set available_micro = a.available_micro + g.released_micro,
        reserved_micro = a.reserved_micro - g.paid_micro - g.released_micro,
        spent_micro = a.spent_micro + g.paid_micro
    from (
        select unnest(p_payer) as payer, unnest(p_paid_micro) as paid_micro,
            unnest(p_released_micro) as released_micro
    ) g
    cross join lateral (
        select f.ctid as place
        from tender_ledger.account f
        where f.shard = p_shard and f.principal = g.payer
        offset 0
    ) f
    where a.ctid = f.place;
    get diagnostics v_count = row_count;
    if v_count <> coalesce(cardinality(p_payer), 0) then
        raise exception using errcode = 'TN004', message = 'a payer has no account';
    end if;
end
$$;
comment on function tender_ledger.spend(smallint, text[], bigint[], bigint[]) is
    'Moves reserved money to spent and available.';
