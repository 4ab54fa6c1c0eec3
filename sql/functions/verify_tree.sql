-- Everything that tender verify computes, in plain SQL, but for the signatures: PostgreSQL has no Ed25519.
-- A row for each thing that is wrong; none where nothing is.
create or replace function tender.verify_tree(p_shard integer)
returns table (leaf bigint, task_id uuid, number integer, fault text)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    with entry as materialized (
        select e.task_id, e.number, e.at, e.hash,
            e.number = row_number() over w as follows,
            e.hash = sha256(convert_to('tender/entry/v1', 'UTF8') || '\x00'::bytea
                || lag(e.hash, 1, decode(repeat('00', 32), 'hex')) over w
                || uuid_send(e.task_id) || int8send(e.number::bigint)
                || int8send((extract(epoch from e.at) * 1000000)::bigint)
                || convert_to(k.name, 'UTF8') || '\x00'::bytea
                || convert_to(e.body, 'UTF8')) as is_right,
            e.content is null
                or encode(sha256(e.content), 'hex') = e.body::jsonb ->> 'content_digest' as has_content
        from tender_ledger.entry e
        left join tender_ledger.word k on k.vocabulary = 'entry_kind' and k.code = e.kind
        where e.shard = p_shard
        window w as (partition by e.task_id order by e.number)
    ), recorded as materialized (
        select b.leaf, r.place, r.task_id, r.number + n.step as number,
            case when n.step = r.count - 1 then r.mark end as mark
        from tender_ledger.batch b
        cross join lateral unnest(b.task_ids, b.numbers, b.counts, b.marks)
            with ordinality r (task_id, number, count, mark, place)
        cross join lateral generate_series(0, r.count - 1) n (step)
        where b.shard = p_shard
    ), held as materialized (
        select r.leaf, r.place, coalesce(r.task_id, e.task_id) as task_id,
            coalesce(r.number, e.number) as number, e.at, e.hash, r.mark, exists (
                select
                from tender_ledger.partition p
                where p.state in ('detached', 'archived') and r.task_id >= p.from_id
                    and r.task_id < p.to_id) as has_left
        from recorded r
        full join entry e on e.task_id = r.task_id and e.number = r.number
    ), batch as materialized (
        select b.leaf, b.batch, b.entries, b.root, b.peak, tender_ledger.batch_leaf(b.*) as hash,
            b.leaf = row_number() over w - 1 as follows,
            coalesce(b.batch > lag(b.batch) over w, true) as rises,
            (b.leaf + 1) & -(b.leaf + 1) as whole
        from tender_ledger.batch b
        where b.shard = p_shard
        window w as (order by b.leaf)
    )
    select null::bigint, e.task_id, e.number, f.fault
    from entry e
    cross join lateral (
        values (not e.follows, 'does not follow: an entry is missing before it'),
            (e.is_right is not true,
                'has another hash than its bytes and the entry before it give'),
            (e.has_content is not true, 'has another content than its body says')
    ) f (is_wrong, fault)
    where f.is_wrong
    union all
    select h.leaf, h.task_id, h.number, f.fault
    from held h
    cross join lateral (
        values (h.hash is null and not h.has_left, 'is missing'),
            (h.leaf is null and h.at > coalesce((
                select t.since_at
                from tender_ledger.tree t
                where t.shard = p_shard), 'infinity'), 'is in no batch'),
            (h.mark <> ('x' || encode(substr(h.hash, 1, 8), 'hex'))::bit(64)::bigint,
                'is not what the batch recorded')
    ) f (is_wrong, fault)
    where f.is_wrong
    union all
    select min(h.leaf), h.task_id, h.number, 'is in two batches'
    from held h
    where h.leaf is not null
    group by h.task_id, h.number
    having count(*) > 1
    union all
    select b.leaf, null, null, f.fault
    from batch b
    left join (
        select h.leaf, count(h.hash) as entries, bool_or(h.hash is null and h.has_left) as has_left,
            tender_ledger.tree_root(array_agg(tender_ledger.tree_leaf(h.hash)
                order by h.place, h.number) filter (where h.hash is not null)) as root
        from held h
        where h.leaf is not null
        group by h.leaf
    ) m using (leaf)
    cross join lateral (
        values (not b.follows, 'does not follow: a batch is missing before it'),
            (not b.rises, 'is out of order'),
            (m.has_left is not true and (m.entries = b.entries and m.root = b.root) is not true,
                'is not made of its entries'),
            (b.peak is distinct from case
                when b.whole = 1 then b.hash
                else sha256('\x01'::bytea
                    || tender_ledger.batch_root(p_shard::smallint, b.leaf + 1 - b.whole, b.whole / 2)
                    || tender_ledger.batch_root(p_shard::smallint, b.leaf + 1 - b.whole / 2,
                        b.whole / 2))
                end, 'has another peak than the tree')
    ) f (is_wrong, fault)
    where f.is_wrong
    union all
    select c.size - 1, null, null, f.fault
    from tender_ledger.checkpoint c
    cross join lateral (
        values (not exists (
                select
                from tender_ledger.batch b
                where b.shard = p_shard and b.leaf = c.size - 1), 'a checkpoint covers what is not there'),
            (c.root <> tender_ledger.batch_root(p_shard::smallint, 0, c.size),
                'a checkpoint has another root than its batches')
    ) f (is_wrong, fault)
    where c.shard = p_shard and f.is_wrong
$$;
comment on function tender.verify_tree(integer) is
    'What is wrong with the entries, batches and checkpoints of a shard; no rows where all of it is whole.';
grant execute on function tender.verify_tree(integer) to tender_auditor, tender_reader;
