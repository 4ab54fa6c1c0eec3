-- Who may do what comes before anything that can be done: the two schemas and the five roles.
--
-- Roles belong to the whole cluster, so another database may have made them already. They cannot log
-- in; an operator grants them to logins. Everything else is owned by tender_owner.
do $$
declare
    v_role text;
begin
    foreach v_role in array array['tender_owner', 'tender_broker', 'tender_auditor',
                                  'tender_reader', 'tender_principal'] loop
        begin
            if not exists (select from pg_catalog.pg_roles where rolname = v_role) then
                execute pg_catalog.format('create role %I nologin', v_role);
            end if;
        exception when duplicate_object or unique_violation then
            null; -- another database of the cluster was quicker
        end;
    end loop;
    if not pg_catalog.pg_has_role(current_user, 'tender_owner', 'member') then
        execute pg_catalog.format('grant tender_owner to %I', current_user);
    end if;
end
$$;

create schema tender authorization tender_owner;
create schema tender_ledger authorization tender_owner;
set local role tender_owner;

comment on schema tender is
    'What people use: views are nouns, functions are verbs. Columns and parameters are only ever added.';
comment on schema tender_ledger is
    'Tables, and the functions of the broker. No stability is promised.';

grant usage on schema tender to tender_broker, tender_auditor, tender_reader, tender_principal;
grant usage on schema tender_ledger to tender_broker;
alter default privileges for role tender_owner revoke execute on functions from public;

create table tender_ledger.migration (
    version integer not null,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default clock_timestamp(),
    constraint migration_is_applied_once primary key (version)
);
comment on table tender_ledger.migration is
    'Which files of sql/ made this schema. Version 0 stands for the functions and views together.';
comment on column tender_ledger.migration.version is 'Number of the migration; 0: functions and views.';
comment on column tender_ledger.migration.name is 'File name.';
comment on column tender_ledger.migration.checksum is
    'SHA-256 of the file, in hex; a merged file keeps its bytes.';
comment on column tender_ledger.migration.applied_at is 'When it was applied.';
