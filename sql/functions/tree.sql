-- The hash tree of RFC 6962, in plain SQL: over some hashes, and over the batches of a shard, where the
-- roots of whole subtrees that are kept (batch.peak) spare the way down to most leaves.
create or replace function tender_ledger.tree_leaf(p_data bytea)
returns bytea
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
    select sha256('\x00'::bytea || p_data)
$$;
comment on function tender_ledger.tree_leaf(bytea) is 'The hash of a leaf that stands for some bytes.';

-- The largest power of two below a number of leaves.
create or replace function tender_ledger.tree_split(p_count bigint)
returns bigint
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_split bigint := 1;
begin
    while v_split * 2 < p_count loop
        v_split := v_split * 2;
    end loop;
    return v_split;
end
$$;
comment on function tender_ledger.tree_split(bigint) is 'How many leaves are on the left of a root.';

-- Level by level: a node without a sibling goes up as it is.
create or replace function tender_ledger.tree_root(p_leaves bytea[])
returns bytea
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_nodes bytea[] := p_leaves;
begin
    while cardinality(v_nodes) > 1 loop
        v_nodes := array(
            select coalesce(sha256('\x01'::bytea || n.node || n.beside), n.node)
            from (
                select u.node, u.place, lead(u.node) over (order by u.place) as beside
                from unnest(v_nodes) with ordinality u (node, place)
            ) n
            where n.place % 2 = 1
            order by n.place);
    end loop;
    return coalesce(v_nodes[1], sha256(''));
end
$$;
comment on function tender_ledger.tree_root(bytea[]) is 'The root over some leaves, given by their hashes.';

-- The path from a leaf up, from 0, to the root over all.
create or replace function tender_ledger.tree_path(p_leaves bytea[], p_place bigint)
returns bytea[]
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_count bigint := cardinality(p_leaves);
    v_split bigint := tender_ledger.tree_split(v_count);
begin
    if v_count <= 1 then
        return '{}';
    elsif p_place < v_split then
        return tender_ledger.tree_path(p_leaves[:v_split], p_place)
            || tender_ledger.tree_root(p_leaves[v_split + 1:]);
    end if;
    return tender_ledger.tree_path(p_leaves[v_split + 1:], p_place - v_split)
        || tender_ledger.tree_root(p_leaves[:v_split]);
end
$$;
comment on function tender_ledger.tree_path(bytea[], bigint) is
    'What stands beside a leaf on its way up, from below.';

create or replace function tender_ledger.batch_leaf(p_batch tender_ledger.batch)
returns bytea
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select tender_ledger.tree_leaf(convert_to('tender/batch/v1', 'UTF8') || '\x00'::bytea
        || uuid_send(tender_ledger.ledger_id()) || int2send(p_batch.shard) || int8send(p_batch.batch)
        || int8send((extract(epoch from p_batch.at) * 1000000)::bigint)
        || int8send(p_batch.entries::bigint) || p_batch.root)
$$;
comment on function tender_ledger.batch_leaf(tender_ledger.batch) is 'The hash of a batch as a leaf.';

-- The root over the leaves from one on. A whole subtree that is a left child is kept with its last leaf;
-- a right one is made of its two.
create or replace function tender_ledger.batch_root(p_shard smallint, p_from bigint, p_count bigint)
returns bytea
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_split bigint := tender_ledger.tree_split(p_count);
    v_hash bytea;
begin
    if p_count = 1 or (v_split * 2 = p_count and p_from / p_count % 2 = 0) then
        select case when p_count > 1 or p_from % 2 = 0 then b.peak else tender_ledger.batch_leaf(b) end
        into v_hash
        from tender_ledger.batch b
        where b.shard = p_shard and b.leaf = p_from + p_count - 1;
        return v_hash;
    elsif p_count = 0 then
        return sha256('');
    end if;
    return sha256('\x01'::bytea || tender_ledger.batch_root(p_shard, p_from, v_split)
        || tender_ledger.batch_root(p_shard, p_from + v_split, p_count - v_split));
end
$$;
comment on function tender_ledger.batch_root(smallint, bigint, bigint) is
    'The root over some leaves of a shard, from one on that as many divide.';

create or replace function tender_ledger.batch_path(
    p_shard smallint, p_leaf bigint, p_from bigint, p_count bigint)
returns bytea[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_split bigint := tender_ledger.tree_split(p_count);
begin
    if p_count = 1 then
        return '{}';
    elsif p_leaf - p_from < v_split then
        return tender_ledger.batch_path(p_shard, p_leaf, p_from, v_split)
            || tender_ledger.batch_root(p_shard, p_from + v_split, p_count - v_split);
    end if;
    return tender_ledger.batch_path(p_shard, p_leaf, p_from + v_split, p_count - v_split)
        || tender_ledger.batch_root(p_shard, p_from, v_split);
end
$$;
comment on function tender_ledger.batch_path(smallint, bigint, bigint, bigint) is
    'What stands beside a leaf on its way to the root over some leaves, from below.';

-- RFC 6962, section 2.1.2: SUBPROOF over the leaves from one on, of which the older tree has some.
create or replace function tender_ledger.batch_consistency(
    p_shard smallint, p_older bigint, p_from bigint, p_count bigint, p_is_whole boolean)
returns bytea[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_split bigint := tender_ledger.tree_split(p_count);
begin
    if p_older = p_count then
        return case when p_is_whole then '{}'
            else array[tender_ledger.batch_root(p_shard, p_from, p_count)] end;
    elsif p_older <= v_split then
        return tender_ledger.batch_consistency(p_shard, p_older, p_from, v_split, p_is_whole)
            || tender_ledger.batch_root(p_shard, p_from + v_split, p_count - v_split);
    end if;
    return tender_ledger.batch_consistency(p_shard, p_older - v_split, p_from + v_split,
            p_count - v_split, false)
        || tender_ledger.batch_root(p_shard, p_from, v_split);
end
$$;
comment on function tender_ledger.batch_consistency(smallint, bigint, bigint, bigint, boolean) is
    'What shows that the tree over the first leaves of a shard is a beginning of a later one.';

create or replace function tender_ledger.hashes_in_hex(p_hashes bytea[])
returns text[]
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
    select array(
        select encode(u.hash, 'hex')
        from unnest(p_hashes) with ordinality u (hash, step)
        order by u.step)
$$;
comment on function tender_ledger.hashes_in_hex(bytea[]) is 'Hashes as a proof writes them, in the same order.';
