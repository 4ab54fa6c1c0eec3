-- Rows of one or two entries: the second of a row is null where there is none.
create or replace function tender_ledger.append_entries(
    p_shard smallint, p_task uuid[], p_number integer[], p_at timestamptz[], p_kind smallint[],
    p_body text[], p_content bytea[], p_hash bytea[], p_next_at timestamptz[], p_next_kind smallint[],
    p_next_body text[], p_next_content bytea[], p_next_hash bytea[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into tender_ledger.entry_row (at, next_at, number, shard, kind, next_kind, task_id, hash,
        next_hash, body, next_body, content, next_content)
    select unnest(p_at), unnest(p_next_at), unnest(p_number), p_shard, unnest(p_kind),
        unnest(p_next_kind), unnest(p_task), unnest(p_hash), unnest(p_next_hash), unnest(p_body),
        unnest(p_next_body), unnest(p_content), unnest(p_next_content);
end
$$;
comment on function tender_ledger.append_entries(smallint, uuid[], integer[], timestamptz[], smallint[],
    text[], bytea[], bytea[], timestamptz[], smallint[], text[], bytea[], bytea[]) is
    'Adds facts to their chains.';
grant execute on function tender_ledger.append_entries(smallint, uuid[], integer[], timestamptz[],
    smallint[], text[], bytea[], bytea[], timestamptz[], smallint[], text[], bytea[], bytea[])
    to tender_broker;
