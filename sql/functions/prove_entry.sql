create or replace function tender_ledger.batch_of_entry(
    p_shard smallint, p_task uuid, p_number integer, p_at timestamptz)
returns setof tender_ledger.batch
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select b.*
    from tender_ledger.batch b
    where b.shard = p_shard and b.at >= p_at and exists (
        select
        from unnest(b.task_ids, b.numbers, b.counts) r (task_id, number, count)
        where r.task_id = p_task and p_number >= r.number and p_number < r.number + r.count)
    order by b.leaf
    limit 1
$$;
comment on function tender_ledger.batch_of_entry(smallint, uuid, integer, timestamptz) is
    'The batch that recorded an entry, or none.';

-- All that a proof of an entry says (ledger/CHAIN.md): with it, a checkpoint and a public key anybody can
-- see that the entry is recorded. Of the newest entry where no number is given. For operators: the proof
-- has the entry's body.
create or replace function tender_ledger.prove_entry(p_shard smallint, p_task uuid, p_number integer)
returns table (checkpoint_at_us bigint, size bigint, checkpoint_root text, key text, signature text,
    number integer, at_us bigint, kind text, body text, before text, batch bigint, batch_at_us bigint,
    entries integer, place bigint, beside text[], leaf bigint, path text[])
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_entry tender_ledger.entry;
    v_batch tender_ledger.batch;
    v_checkpoint tender_ledger.checkpoint;
    v_leaves bytea[];
    v_place bigint;
begin
    select * into v_entry
    from tender_ledger.entry e
    where e.shard = p_shard and e.task_id = p_task and e.number = coalesce(p_number, e.number)
    order by e.number desc
    limit 1;
    if not found then
        raise exception using errcode = 'TN012', message = 'the ledger has no such entry';
    end if;
    select * into v_batch
    from tender_ledger.batch_of_entry(p_shard, p_task, v_entry.number, v_entry.at);
    if not found then
        raise exception using errcode = 'TN012', message = 'the entry is in no batch';
    end if;
    select * into v_checkpoint
    from tender_ledger.checkpoint c
    where c.shard = p_shard and c.size > v_batch.leaf
    order by c.size desc
    limit 1;
    if not found then
        raise exception using
            errcode = 'TN012',
            message = 'no checkpoint covers the entry yet',
            hint = 'A broker with a key signs one every few seconds; tender ledger checkpoint does it now.';
    end if;
    select array_agg(tender_ledger.tree_leaf(e.hash) order by r.place, e.number),
        count(*) filter (where (r.task_id, e.number) = (p_task, v_entry.number)
            or r.place < v_place_of.place
            or (r.place = v_place_of.place and e.number < v_entry.number)) - 1
    into v_leaves, v_place
    from unnest(v_batch.task_ids, v_batch.numbers, v_batch.counts)
        with ordinality r (task_id, number, count, place)
    cross join (
        select f.place
        from unnest(v_batch.task_ids, v_batch.numbers, v_batch.counts)
            with ordinality f (task_id, number, count, place)
        where f.task_id = p_task and v_entry.number >= f.number
            and v_entry.number < f.number + f.count
    ) v_place_of
    cross join lateral (
        select g.number, g.hash
        from tender_ledger.entry g
        where g.shard = p_shard and g.task_id = r.task_id and g.number >= r.number
            and g.number < r.number + r.count
    ) e;
    if cardinality(v_leaves) <> v_batch.entries then
        raise exception using
            errcode = 'TN012',
            message = 'the batch has entries that are not in the ledger any more';
    end if;
    return query
    select (extract(epoch from v_checkpoint.at) * 1000000)::bigint, v_checkpoint.size,
        encode(v_checkpoint.root, 'hex'), encode(v_checkpoint.key, 'hex'),
        encode(v_checkpoint.signature, 'hex'), v_entry.number,
        (extract(epoch from v_entry.at) * 1000000)::bigint, w.name, v_entry.body,
        encode(coalesce((
            select e.hash
            from tender_ledger.entry e
            where e.shard = p_shard and e.task_id = p_task and e.number = v_entry.number - 1),
            decode(repeat('00', 32), 'hex')), 'hex'),
        v_batch.batch, (extract(epoch from v_batch.at) * 1000000)::bigint, v_batch.entries, v_place,
        tender_ledger.hashes_in_hex(tender_ledger.tree_path(v_leaves, v_place)),
        v_batch.leaf,
        tender_ledger.hashes_in_hex(
            tender_ledger.batch_path(p_shard, v_batch.leaf, 0, v_checkpoint.size))
    from tender_ledger.word w
    where w.vocabulary = 'entry_kind' and w.code = v_entry.kind;
end
$$;
comment on function tender_ledger.prove_entry(smallint, uuid, integer) is
    'What shows to anybody that an entry is recorded, under the newest checkpoint; TN012 where nothing can.';
