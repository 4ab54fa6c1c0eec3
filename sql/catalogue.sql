-- What two schemas are made of, one row an object: what it is, and how. `tender ledger check` makes the
-- schemas that the program expects under other names, in a transaction that it takes back, and
-- compares them with those of the database by this query: on the same server, so that it does not
-- matter how its version prints a definition. Names are given back as if they were the usual ones.
--
-- Partitions are aside: how many there are is a matter of time, and each is made like its table. Long
-- texts are told by their digest.
create function pg_temp.catalogue(p_people text, p_ledger text)
returns table (name text, definition text)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
with relation as (
    select c.oid, c.relkind, c.relacl, c.relowner, c.reloptions,
        n.nspname || '.' || c.relname as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in (p_people, p_ledger) and not c.relispartition
        and c.relname !~ '_p[0-9]{10}$'
), routine as (
    select p.oid, p.proacl, p.proowner, n.nspname || '.' || p.proname || '('
        || pg_get_function_identity_arguments(p.oid) || ')' as name, p
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in (p_people, p_ledger)
), grantable as (
    select 'schema ' || n.nspname as name, n.nspowner as owner,
        coalesce(n.nspacl, acldefault('n', n.nspowner)) as acl
    from pg_namespace n
    where n.nspname in (p_people, p_ledger)
    union all
    select case r.relkind when 'v' then 'view ' else 'table ' end || r.name, r.relowner,
        coalesce(r.relacl, acldefault('r', r.relowner))
    from relation r
    where r.relkind in ('r', 'p', 'v')
    union all
    select 'function ' || f.name, f.proowner,
        coalesce(f.proacl, acldefault('f', f.proowner))
    from routine f
), object as (
    select g.name || ' owner' as name, pg_get_userbyid(g.owner)::text as definition,
        null::text as source
    from grantable g
    union all
    select 'grant on ' || g.name || ' to '
        || case a.grantee when 0 then 'public' else pg_get_userbyid(a.grantee) end,
        string_agg(lower(a.privilege_type), ', ' order by a.privilege_type collate "C"), null
    from grantable g
    cross join lateral aclexplode(g.acl) a
    where a.grantee <> g.owner
    group by g.name, a.grantee
    union all
    select case r.relkind when 'v' then 'view ' else 'table ' end || r.name,
        case r.relkind
            when 'v' then 'view'
            when 'p' then 'partition by ' || pg_get_partkeydef(r.oid)
            else 'plain'
        end || coalesce(' with (' || array_to_string(r.reloptions, ', ') || ')', ''),
        case r.relkind when 'v' then pg_get_viewdef(r.oid) end
    from relation r
    where r.relkind in ('r', 'p', 'v')
    union all
    select 'column ' || r.name || '.' || a.attname,
        format_type(a.atttypid, a.atttypmod)
            || case when a.attnotnull then ' not null' else '' end
            || coalesce(' collate ' || (
                select quote_ident(l.collname)
                from pg_collation l
                where l.oid = a.attcollation and l.collname <> 'default'), '')
            || case a.attidentity when '' then '' else ' identity' end
            || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
            || case
                when a.attstorage <> t.typstorage and r.relkind <> 'v'
                    then ' storage ' || a.attstorage::text
                else ''
            end, null
    from relation r
    join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where r.relkind in ('r', 'p', 'v')
    union all
    select 'constraint ' || r.name || '.' || c.conname,
        pg_get_constraintdef(c.oid), null
    from relation r
    join pg_constraint c on c.conrelid = r.oid and c.contype <> 'n'
    where r.relkind in ('r', 'p')
    union all
    select 'index ' || i.name, pg_get_indexdef(i.oid)
        || case when x.indisvalid then '' else ' invalid' end, null
    from relation i
    join pg_index x on x.indexrelid = i.oid
    join relation r on r.oid = x.indrelid
    union all
    select 'trigger ' || r.name || '.' || t.tgname, pg_get_triggerdef(t.oid)
        || case t.tgenabled when 'O' then '' else ' enabled ' || t.tgenabled::text end, null
    from relation r
    join pg_trigger t on t.tgrelid = r.oid and not t.tgisinternal
    union all
    select 'sequence ' || r.name, 'sequence', null
    from relation r
    where r.relkind = 'S'
    union all
    select 'function ' || f.name,
        'returns ' || pg_get_function_result(f.oid) || ', '
            || (select l.lanname from pg_language l where l.oid = (f.p).prolang)
            || case (f.p).provolatile when 'i' then ' immutable' when 's' then ' stable' else '' end
            || case when (f.p).prosecdef then ' security definer' else '' end
            || case when (f.p).proisstrict then ' strict' else '' end
            || coalesce(' set ' || array_to_string((f.p).proconfig, ', '), ''),
        (f.p).prosrc
    from routine f
)
select replace(replace(o.name, p_ledger, 'tender_ledger'), p_people, 'tender'),
    regexp_replace(replace(replace(o.definition, p_ledger, 'tender_ledger'), p_people, 'tender'),
            '\s+', ' ', 'g')
        || coalesce(', sha256 ' || encode(sha256(convert_to(
            replace(replace(o.source, p_ledger, 'tender_ledger'), p_people, 'tender'),
            'UTF8')), 'hex'), '')
from object o
$$;
