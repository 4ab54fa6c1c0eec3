-- Acknowledgements and progress of parts that stay promised; null keeps what is.
create or replace function tender_ledger.change_split(
    p_shard smallint, p_task uuid[], p_part integer[], p_acknowledged_at timestamptz[],
    p_reported integer[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_count bigint;
begin
    update tender_ledger.split_part p
    set acknowledged_at = coalesce(p.acknowledged_at, g.acknowledged_at),
        promised_units_done = coalesce(g.reported, p.promised_units_done)
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part,
            unnest(p_acknowledged_at) as acknowledged_at, unnest(p_reported) as reported
    ) g
    cross join lateral (
        select f.ctid as place
        from tender_ledger.split_part f
        where f.shard = p_shard and f.task_id = g.task_id and f.part = g.part
        offset 0
    ) f
    where p.ctid = f.place;
    get diagnostics v_count = row_count;
    if v_count <> cardinality(p_task) then
        raise exception using
            errcode = 'TN004',
            message = format('%s of %s parts to be changed are not promised',
                cardinality(p_task) - v_count, cardinality(p_task));
    end if;
end
$$;
comment on function tender_ledger.change_split(smallint, uuid[], integer[], timestamptz[], integer[]) is
    'Changes parts of split tasks that stay promised; null keeps what is.';
grant execute on function tender_ledger.change_split(smallint, uuid[], integer[], timestamptz[],
    integer[]) to tender_broker;
