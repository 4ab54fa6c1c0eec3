-- Goal: whoever lists an object reads what it is for. Method: the catalogue is asked for gaps.
begin;
select plan(6);

select is_empty($$
    select n.nspname from pg_namespace n
    where n.nspname in ('tender', 'tender_ledger')
        and obj_description(n.oid, 'pg_namespace') is null
$$, 'every schema is commented');

select is_empty($$
    select c.oid::regclass from pg_class c
    where not c.relispartition and c.relnamespace in ('tender'::regnamespace, 'tender_ledger'::regnamespace)
        and c.relkind in ('r', 'v', 'm', 'p', 'f') and obj_description(c.oid, 'pg_class') is null
$$, 'every table and view is commented');

select is_empty($$
    select c.oid::regclass || '.' || a.attname
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where not c.relispartition and c.relnamespace in ('tender'::regnamespace, 'tender_ledger'::regnamespace)
        and c.relkind in ('r', 'v', 'm', 'p', 'f') and col_description(c.oid, a.attnum) is null
$$, 'every column is commented');

select is_empty($$
    select p.oid::regprocedure from pg_proc p
    where p.pronamespace in ('tender'::regnamespace, 'tender_ledger'::regnamespace)
        and obj_description(p.oid, 'pg_proc') is null
$$, 'every function is commented');

select is_empty($$
    select t.tgrelid::regclass || ': ' || t.tgname from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
    where not c.relispartition and c.relnamespace = 'tender_ledger'::regnamespace
        and not t.tgisinternal
        and obj_description(t.oid, 'pg_trigger') is null
$$, 'every trigger is commented');

select is_empty($$
    select i.indexrelid::regclass from pg_index i
    join pg_class c on c.oid = i.indrelid
    where not c.relispartition and c.relnamespace = 'tender_ledger'::regnamespace
        and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
        and obj_description(i.indexrelid, 'pg_class') is null
$$, 'every index that is no constraint is commented');

select * from finish();
rollback;
