-- Tokens are lines of the evidence that came with the report, where it says them as plain numbers.
create or replace function tender_ledger.add_measured(
    p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_at timestamptz[],
    p_contractor text[], p_principal text[], p_tier text[], p_units integer[], p_bid_micro bigint[],
    p_estimate_micro bigint[], p_measured_micro bigint[], p_evidence text[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into tender_ledger.measured (at, bid_micro, estimate_micro, measured_micro, tokens_in,
        tokens_out, units, part, generation, shard, task_id, contractor, principal, skill, tier)
    select g.at, g.bid_micro, g.estimate_micro, g.measured_micro,
        substring(g.evidence from '(?n)^tokens_in=([0-9]{1,15})$')::bigint,
        substring(g.evidence from '(?n)^tokens_out=([0-9]{1,15})$')::bigint,
        g.units, g.part, g.generation, p_shard, g.task_id, g.contractor, g.principal, t.skill, g.tier
    from (
        select unnest(p_task) as task_id, unnest(p_part) as part, unnest(p_generation) as generation,
            unnest(p_at) as at, unnest(p_contractor) as contractor, unnest(p_principal) as principal,
            unnest(p_tier) as tier, unnest(p_units) as units, unnest(p_bid_micro) as bid_micro,
            unnest(p_estimate_micro) as estimate_micro, unnest(p_measured_micro) as measured_micro,
            unnest(p_evidence) as evidence
    ) g
    cross join lateral (
        select f.skill from tender_ledger.task f where f.shard = p_shard and f.task_id = g.task_id offset 0
    ) t;
end
$$;
comment on function tender_ledger.add_measured(smallint, uuid[], integer[], integer[], timestamptz[],
    text[], text[], text[], integer[], bigint[], bigint[], bigint[], text[]) is
    'Adds what work cost, as its contractor reported it, beside its bid.';
grant execute on function tender_ledger.add_measured(smallint, uuid[], integer[], integer[],
    timestamptz[], text[], text[], text[], integer[], bigint[], bigint[], bigint[], text[])
    to tender_broker;
