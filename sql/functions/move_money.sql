-- One row per account and batch, the sum of what the batch does to it.
create or replace function tender_ledger.move_money(
    p_shard smallint, p_principal text[], p_issued_micro bigint[], p_available_micro bigint[],
    p_reserved_micro bigint[], p_spent_micro bigint[], p_earned_micro bigint[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    -- An update first: a proposed row would be checked by itself, and a sum may be negative.
    with given as (
        select unnest(p_principal) as principal, unnest(p_issued_micro) as issued_micro,
            unnest(p_available_micro) as available_micro, unnest(p_reserved_micro) as reserved_micro,
            unnest(p_spent_micro) as spent_micro, unnest(p_earned_micro) as earned_micro
    ), moved as (
        update tender_ledger.account a
        set issued_micro = a.issued_micro + g.issued_micro,
            available_micro = a.available_micro + g.available_micro,
            reserved_micro = a.reserved_micro + g.reserved_micro,
            spent_micro = a.spent_micro + g.spent_micro,
            earned_micro = a.earned_micro + g.earned_micro
        from given g
        cross join lateral (
            select f.ctid as place
            from tender_ledger.account f
            where f.shard = p_shard and f.principal = g.principal
            offset 0
        ) f
        where a.ctid = f.place
        returning a.principal
    )
    insert into tender_ledger.account (shard, principal, issued_micro, available_micro, reserved_micro,
        spent_micro, earned_micro)
    select p_shard, g.principal, g.issued_micro, g.available_micro, g.reserved_micro, g.spent_micro,
        g.earned_micro
    from given g
    where not exists (select from moved m where m.principal = g.principal);
end
$$;
comment on function tender_ledger.move_money(smallint, text[], bigint[], bigint[], bigint[], bigint[],
    bigint[]) is 'Adds to the balances of accounts; an account that is not there is made.';
grant execute on function tender_ledger.move_money(smallint, text[], bigint[], bigint[], bigint[],
    bigint[], bigint[]) to tender_broker;
