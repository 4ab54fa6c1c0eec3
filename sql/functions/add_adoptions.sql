create or replace function tender_ledger.add_adoptions(
    p_shard smallint, p_task uuid[], p_number integer[], p_part integer[], p_generation integer[],
    p_late integer[], p_adopted_at timestamptz[], p_units integer[], p_paid_micro bigint[],
    p_principal text[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into tender_ledger.adoption (adopted_at, paid_micro, units, number, late, generation, part,
        shard, task_id, principal)
    select unnest(p_adopted_at), unnest(p_paid_micro), unnest(p_units), unnest(p_number),
        unnest(p_late), unnest(p_generation), unnest(p_part), p_shard, unnest(p_task),
        unnest(p_principal);
end
$$;
comment on function tender_ledger.add_adoptions(smallint, uuid[], integer[], integer[], integer[],
    integer[], timestamptz[], integer[], bigint[], text[]) is 'Adds late results that were taken.';
grant execute on function tender_ledger.add_adoptions(smallint, uuid[], integer[], integer[],
    integer[], integer[], timestamptz[], integer[], bigint[], text[]) to tender_broker;
