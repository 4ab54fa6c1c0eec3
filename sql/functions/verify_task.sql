-- Computes every hash of a chain anew, from the bytes that the ledger's format defines. Anybody can do
-- the same with this text.
create or replace function tender.verify_task(p_task uuid)
returns table (entries bigint, faults bigint, first_fault integer, head text)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    with chain as (
        select e.number, e.hash, e.content, e.body,
            row_number() over (order by e.number) as place,
            sha256(convert_to('tender/entry/v1', 'UTF8') || '\x00'::bytea
                || lag(e.hash, 1, decode(repeat('00', 32), 'hex')) over (order by e.number)
                || uuid_send(e.task_id) || int8send(e.number::bigint)
                || int8send((extract(epoch from e.at) * 1000000)::bigint)
                || convert_to(w.name, 'UTF8') || '\x00'::bytea
                || convert_to(e.body, 'UTF8')) as computed
        from tender_ledger.entry e
        join tender_ledger.word w on w.vocabulary = 'entry_kind' and w.code = e.kind
        where e.task_id = p_task and e.shard = 0
    ), verdict as (
        select c.number, c.hash, c.place,
            c.hash = c.computed and c.number = c.place
                and (c.content is null
                    or encode(sha256(c.content), 'hex') = c.body::jsonb ->> 'content_digest')
                as is_right
        from chain c
    )
    select count(*), count(*) filter (where v.is_right is not true),
        min(v.number) filter (where v.is_right is not true),
        encode((array_agg(v.hash order by v.number desc))[1], 'hex')
    from verdict v
$$;
comment on function tender.verify_task(uuid) is
    'Checks the hash chain of a task, or of the house for the nil identifier: entries, faults, the first faulty entry and the head.';
grant execute on function tender.verify_task(uuid) to tender_auditor, tender_reader;
