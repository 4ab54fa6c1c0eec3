-- Computes every hash of a chain anew, from the bytes that the ledger's format defines. Anybody can do
-- the same with this text.
create or replace function tender.verify_task(p_task uuid)
returns table (entries bigint, faults bigint, first_fault integer, head text)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    with chain as (
        select e.shard, e.number, e.hash, e.content, e.body,
            row_number() over (partition by e.shard order by e.number) as place,
            sha256(convert_to('tender/entry/v1', 'UTF8') || '\x00'::bytea
                || lag(e.hash, 1, decode(repeat('00', 32), 'hex'))
                    over (partition by e.shard order by e.number)
                || uuid_send(e.task_id) || int8send(e.number::bigint)
                || int8send((extract(epoch from e.at) * 1000000)::bigint)
                || convert_to(w.name, 'UTF8') || '\x00'::bytea
                || convert_to(e.body, 'UTF8')) as computed
        from tender_ledger.entry e
        join tender_ledger.word w on w.vocabulary = 'entry_kind' and w.code = e.kind
        where e.task_id = p_task and e.shard = any (array(
            select s.shard::smallint
            from generate_series(0, tender_ledger.shard_count() - 1) s (shard)
            where s.shard = tender_ledger.shard_of_task(p_task)
                or p_task = '00000000-0000-0000-0000-000000000000'))
    ), verdict as (
        select c.shard, c.number, c.hash,
            c.place = count(*) over (partition by c.shard) as is_head,
            c.hash = c.computed and c.number = c.place
                and (c.content is null
                    or encode(sha256(c.content), 'hex') = c.body::jsonb ->> 'content_digest')
                as is_right
        from chain c
    )
    select count(*), count(*) filter (where v.is_right is not true),
        min(v.number) filter (where v.is_right is not true),
        string_agg(encode(v.hash, 'hex'), ' ' order by v.shard) filter (where v.is_head)
    from verdict v
$$;
comment on function tender.verify_task(uuid) is
    'Checks the hash chain of a task, or of the house in each shard for the nil identifier: entries, faults, the first faulty entry and the head of each chain.';
grant execute on function tender.verify_task(uuid) to tender_auditor, tender_reader;
