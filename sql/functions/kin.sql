-- Whose sibling somebody is: principals are enrolled below others, and what counts owners counts roots. The
-- broker's keyring says the same (keyring_root); of what was said of a principal the latest holds.
create or replace function tender_ledger.root_of(p_shard smallint, p_principal text)
returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    with recursive line as (
        select p_principal as principal, 0 as depth
        union all
        select f.body ->> 'parent', l.depth + 1
        from line l
        join tender_ledger.fact f on f.shard = p_shard and f.kind = 29 and f.subject = l.principal
        where f.body ->> 'parent' <> '' and l.depth < 64
    )
    select l.principal
    from line l
    order by l.depth desc
    limit 1
$$;
comment on function tender_ledger.root_of(smallint, text) is
    'The root of the principals below which it is enrolled: itself where it is below none.';

-- A bid keeps the root that it had when it was heard. That is the one of now, or the principal itself, where it
-- was enrolled below another one only after the bid's round had opened.
create or replace function tender_ledger.had_root(p_task uuid, p_principal text, p_root text, p_opened_at timestamptz)
returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select p_root = tender_ledger.root_of(s.shard, p_principal) or p_root = p_principal and not exists (
        select
        from tender_ledger.entry e
        where e.shard = s.shard and e.task_id = '00000000-0000-0000-0000-000000000000' and e.kind = 29
            and e.at < p_opened_at and e.body::jsonb ->> 'principal' = p_principal
            and e.body::jsonb ->> 'parent' <> '')
    from (select tender_ledger.shard_of_task(p_task)::smallint as shard) s
$$;
comment on function tender_ledger.had_root(uuid, text, text, timestamptz) is
    'Whether a bid of the principal on the task counts for that root.';
