-- The broker's side of the inbox. Numbers are given before transactions commit, so a request may
-- appear below one that was handed out; hence the list of those that the broker holds already.
create or replace function tender_ledger.pending_requests(
    p_shard smallint, p_held bigint[], p_limit integer)
returns table (request bigint, kind text, peer text, principal text, is_operator boolean, body text)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select i.request, i.kind, i.peer, i.principal, i.is_operator, i.body::text
    from tender_ledger.inbox i
    where i.shard = p_shard and i.answered_at is null and i.request <> all (p_held)
    order by i.request
    limit p_limit
$$;
comment on function tender_ledger.pending_requests(smallint, bigint[], integer) is
    'Requests without an answer, but for those already held.';
grant execute on function tender_ledger.pending_requests(smallint, bigint[], integer) to tender_broker;

create or replace function tender_ledger.answer_requests(
    p_shard smallint, p_request bigint[], p_answer text[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    update tender_ledger.inbox i
    set answer = g.answer::jsonb, answered_at = clock_timestamp()
    from (select unnest(p_request) as request, unnest(p_answer) as answer) g
    cross join lateral (
        select f.ctid as place from tender_ledger.inbox f where f.request = g.request offset 0
    ) f
    where i.ctid = f.place and i.shard = p_shard and i.answered_at is null;
    perform tender_ledger.follow_allotments(p_request);
end
$$;
comment on function tender_ledger.answer_requests(smallint, bigint[], text[]) is
    'Answers requests; the first answer stays. An allotment whose step it is goes on.';
grant execute on function tender_ledger.answer_requests(smallint, bigint[], text[]) to tender_broker;
