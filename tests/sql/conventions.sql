-- Goal: functions and names keep to the conventions. Method: the catalogue is asked for exceptions.
begin;
select plan(9);

select is_empty($$
    select p.oid::regprocedure from pg_proc p
    where p.pronamespace in ('tender'::regnamespace, 'tender_ledger'::regnamespace)
        and not coalesce(p.proconfig::text like '%search_path=pg_catalog, pg_temp%', false)
$$, 'every function pins its search_path');

select is_empty($$
    select p.oid::regprocedure || ' ' || a.name from pg_proc p
    cross join lateral unnest(p.proargnames[1:p.pronargs]) a (name)
    where p.pronamespace in ('tender'::regnamespace, 'tender_ledger'::regnamespace)
        and a.name !~ '^p_'
$$, 'every parameter begins with p_');

select is_empty($$
    select c.oid::regclass from pg_class c
    where not c.relispartition and c.relnamespace in ('tender'::regnamespace, 'tender_ledger'::regnamespace)
        and c.relowner <> 'tender_owner'::regrole and c.relkind in ('r', 'p', 'v')
    union all
    select p.oid::regprocedure::text::regclass from pg_proc p
    where p.pronamespace in ('tender'::regnamespace, 'tender_ledger'::regnamespace)
        and p.proowner <> 'tender_owner'::regrole
$$, 'everything is owned by tender_owner');

select is_empty($$
    select k.conrelid::regclass || ': ' || k.conname from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    where k.connamespace = 'tender_ledger'::regnamespace and not c.relispartition
        and k.conname ~ '_(check[0-9]*|pkey|key|fkey)$'
$$, 'every constraint is named for what it promises');

select is_empty($$
    select a.attrelid::regclass || '.' || a.attname from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'tender_ledger'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
        and not a.attisdropped and a.atttypid = 'timestamptz'::regtype
        and a.attname !~ '(_at|^at)$'
$$, 'every timestamptz ends in _at');

select is_empty($$
    select a.attrelid::regclass || '.' || a.attname from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    where c.relnamespace in ('tender'::regnamespace, 'tender_ledger'::regnamespace)
        and c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped
        and a.atttypid in ('float4'::regtype, 'float8'::regtype, 'timestamp'::regtype, 'money'::regtype)
$$, 'nothing is a float, money or a time without a zone');

select is_empty($$
    select i.indexrelid::regclass from pg_index i
    join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'tender_ledger'::regnamespace and i.indisprimary
        and not c.relispartition
        and c.relname not in ('migration', 'word', 'inbox', 'partition', 'broker', 'limit_met',
            'ledger', 'allotment', 'open_part')
        and (select a.attname from pg_attribute a
            where a.attrelid = i.indrelid and a.attnum = i.indkey[0]) <> 'shard'
$$, 'every primary key leads with the shard');

-- The hot table's, by which a batch finds its rows in one walk, has the shard behind the task.
select is((
    select array_agg(a.attname order by k.place)
    from pg_index i
    cross join unnest(i.indkey) with ordinality k (attnum, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = 'tender_ledger.open_part'::regclass and i.indisprimary),
    '{task_id,shard,part}'::name[], 'the key of the hot table has it too');

select tender_ledger.keep_partitions(now());
select is_empty($$
    select a.attrelid::regclass || '.' || a.attname from pg_attribute a
    join pg_inherits i on i.inhrelid = a.attrelid
    join pg_attribute b on b.attrelid = i.inhparent and b.attname = a.attname
    join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'tender_ledger'::regnamespace and c.relkind = 'r' and a.attnum > 0
        and (a.attstattarget is distinct from b.attstattarget
            or a.attstattarget > case when a.attname ~ '(body|content|hash)$' then 0 else 20 end)
$$, 'every partition is sampled as its table is, which is little');

select * from finish();
rollback;
