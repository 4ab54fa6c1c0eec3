create or replace function tender_ledger.add_adoptions(
    p_shard smallint, p_task uuid[], p_number integer[], p_part integer[], p_generation integer[],
    p_late integer[], p_adopted_at timestamptz[], p_units integer[], p_paid_micro bigint[],
    p_principal text[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if exists (
        select
        from (
            select unnest(p_task) as task_id, unnest(p_part) as part,
                unnest(p_generation) as generation
        ) g
        where not exists (
            select
            from tender_ledger.commitment c
            where c.shard = p_shard and c.task_id = g.task_id and c.part = g.part
                and c.generation = g.generation)) then
        raise exception using
            errcode = 'TN004',
            message = 'a late result is of a commitment that is not in the ledger';
    end if;
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
