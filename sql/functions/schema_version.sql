create or replace function tender_ledger.schema_version()
returns table (version integer, routines text)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select max(m.version), max(m.checksum) filter (where m.version = 0)
    from tender_ledger.migration m
$$;
comment on function tender_ledger.schema_version() is
    'Number of the last migration, and the checksum of functions and views.';
revoke execute on function tender_ledger.schema_version() from public;
grant execute on function tender_ledger.schema_version()
    to tender_broker, tender_auditor, tender_reader, tender_principal;
revoke usage on schema tender_ledger from public;
grant usage on schema tender_ledger to tender_auditor, tender_reader, tender_principal;
