-- Commitments whose work is delivered wait for the client. Units and the acknowledgement of the same
-- report came by the functions before this one; a delivery that was settled in its own batch is not
-- active any more, and leaves its row alone.
create or replace function tender_ledger.deliver_parts(
    p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[],
    p_delivered_at timestamptz[], p_accept_by_at timestamptz[], p_units integer[], p_size bigint[],
    p_digest bytea[], p_owner text[], p_evidence text[], p_measured_micro bigint[], p_tier text[],
    p_is_active boolean[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_count bigint;
    v_part_count bigint;
begin
    insert into tender_ledger.delivery (delivered_at, accept_by_at, size, measured_micro, units,
        generation, part, shard, task_id, digest, owner, evidence, tier)
    select unnest(p_delivered_at), unnest(p_accept_by_at), unnest(p_size), unnest(p_measured_micro),
        unnest(p_units), unnest(p_generation), unnest(p_part), p_shard, unnest(p_task),
        unnest(p_digest), unnest(p_owner), unnest(p_evidence), unnest(p_tier);
    update tender_ledger.open_part p
    set promise_state = 2
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_is_active) as is_active
    ) g
    cross join lateral (
        select f.ctid as place
        from tender_ledger.open_part f
        where f.shard = p_shard and f.task_id = g.task_id and f.part = g.part
            and f.generation = g.generation and f.promise_state = 1
        offset 0
    ) f
    where p.ctid = f.place and g.is_active and g.part = 0;
    get diagnostics v_count = row_count;
    update tender_ledger.split_part p
    set promise_state = 2
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_is_active) as is_active
    ) g
    cross join lateral (
        select f.ctid as place
        from tender_ledger.split_part f
        where f.shard = p_shard and f.task_id = g.task_id and f.part = g.part
            and f.generation = g.generation and f.promise_state = 1
        offset 0
    ) f
    where p.ctid = f.place and g.is_active and g.part > 0;
    get diagnostics v_part_count = row_count;
    if v_count + v_part_count <> (
        select count(*) from (select unnest(p_is_active) as is_active) g where g.is_active
    ) then
        raise exception using
            errcode = 'TN004',
            message = 'a delivery is of a commitment that is not active';
    end if;
end
$$;
comment on function tender_ledger.deliver_parts(smallint, uuid[], integer[], integer[], timestamptz[],
    timestamptz[], integer[], bigint[], bytea[], text[], text[], bigint[], text[], boolean[]) is
    'Adds deliveries and lets their commitments wait; TN004 where one is not active.';
grant execute on function tender_ledger.deliver_parts(smallint, uuid[], integer[], integer[],
    timestamptz[], timestamptz[], integer[], bigint[], bytea[], text[], text[], bigint[], text[],
    boolean[]) to tender_broker;
