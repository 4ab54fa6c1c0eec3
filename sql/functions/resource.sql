-- How many there are of a name; with a contractor, how many that one has. Zero: it is not counted. Each
-- shard has its part of them, and promises no more.
create or replace function tender.set_resource(
    p_resource text, p_count integer, p_contractor text default null)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_shards constant integer := tender_ledger.shard_count();
begin
    if not tender_ledger.is_operator() then
        raise exception using errcode = 'TN011', message = 'only operators count resources';
    end if;
    perform tender_ledger.check_skill('resource', coalesce(p_resource, ''));
    perform tender_ledger.check_name('contractor', p_contractor);
    perform tender_ledger.check_range('count', coalesce(p_count, -1), 0, 1000000000);
    if p_count between 1 and v_shards - 1 then
        raise exception using
            errcode = 'TN010',
            message = format('count is %s: it is divided among %s shards, and none may be left out',
                p_count, v_shards);
    end if;
    return (
        select min(tender_ledger.ask_shard(s.shard::smallint, 'resource', tender_ledger.caller(),
            tender_ledger.caller(), null, jsonb_strip_nulls(jsonb_build_object(
                'skill', p_resource,
                'units_done', p_count::bigint * (s.shard + 1) / v_shards
                    - p_count::bigint * s.shard / v_shards,
                'contractor', p_contractor))))
        from generate_series(0, v_shards - 1) s (shard));
end
$$;
comment on function tender.set_resource(text, integer, text) is
    'Asks to count a resource, one contractor''s or what all share; 0: no more. Returns the number of the request.';
grant execute on function tender.set_resource(text, integer, text) to tender_owner;
