create or replace function tender_ledger.add_posted(
    p_shard smallint, p_task uuid[], p_round integer[], p_at timestamptz[], p_rate_micro bigint[],
    p_units integer[], p_is_sample boolean[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into tender_ledger.posted (at, rate_micro, price_micro, units, round, shard, is_sample, task_id,
        skill)
    select g.at, g.rate_micro, g.rate_micro * g.units, g.units, g.round, p_shard, g.is_sample, g.task_id,
        t.skill
    from (
        select unnest(p_task) as task_id, unnest(p_round) as round, unnest(p_at) as at,
            unnest(p_rate_micro) as rate_micro, unnest(p_units) as units,
            unnest(p_is_sample) as is_sample
    ) g
    cross join lateral (
        select f.skill from tender_ledger.task f where f.shard = p_shard and f.task_id = g.task_id offset 0
    ) t;
end
$$;
comment on function tender_ledger.add_posted(smallint, uuid[], integer[], timestamptz[], bigint[], integer[],
    boolean[]) is
    'Adds tasks that were assigned at a posted rate, and rounds that are samples against one.';
grant execute on function tender_ledger.add_posted(smallint, uuid[], integer[], timestamptz[], bigint[],
    integer[], boolean[]) to tender_broker;
