-- Remembers the newest entry of the house about each subject, and forgets the subject when it says that
-- nothing holds any more.
create or replace function tender_ledger.keep_facts(
    p_shard smallint, p_kind smallint[], p_subject text[], p_number integer[], p_is_over boolean[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    delete from tender_ledger.house_fact f
    using (
        select unnest(p_kind) as kind, unnest(p_subject) as subject, unnest(p_is_over) as is_over
    ) g
    where g.is_over and f.shard = p_shard and f.kind = g.kind and f.subject = g.subject;
    insert into tender_ledger.house_fact as f (shard, kind, subject, number)
    select p_shard, g.kind, g.subject, g.number
    from (
        select unnest(p_kind) as kind, unnest(p_subject) as subject, unnest(p_number) as number,
            unnest(p_is_over) as is_over
    ) g
    where not g.is_over
    on conflict on constraint house_fact_is_one_per_subject do update
    set number = greatest(f.number, excluded.number);
end
$$;
comment on function tender_ledger.keep_facts(smallint, smallint[], text[], integer[], boolean[]) is
    'Keeps what the house says by subject; one row a subject, which is_over forgets.';
grant execute on function tender_ledger.keep_facts(smallint, smallint[], text[], integer[], boolean[])
    to tender_broker;
