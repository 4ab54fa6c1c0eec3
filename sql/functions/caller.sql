-- Who asks: the role that was set, or else the login. current_user is the owner of the function there.
create or replace function tender_ledger.caller()
returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select coalesce(nullif(current_setting('role', true), 'none'), session_user)
$$;
comment on function tender_ledger.caller() is 'The role that asks, also inside a security definer function.';
grant execute on function tender_ledger.caller() to public;

create or replace function tender_ledger.is_operator()
returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select pg_has_role(tender_ledger.caller(), 'tender_owner', 'member')
$$;
comment on function tender_ledger.is_operator() is 'Whether who asks may act on any client''s tasks.';
grant execute on function tender_ledger.is_operator() to public;

create or replace function tender_ledger.may_speak_for(p_principal text)
returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select p_principal = tender_ledger.caller() or tender_ledger.is_operator()
$$;
comment on function tender_ledger.may_speak_for(text) is
    'Whether who asks is the principal, or an operator.';
grant execute on function tender_ledger.may_speak_for(text) to public;

-- What is said of a task whose row is not there.
create or replace function tender_ledger.no_task(p_task uuid)
returns text
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select coalesce((
        select format('task %s is archived: its record is in the archive %s', p_task, p.suffix)
        from tender_ledger.archived_task a
        join tender_ledger.partition p on a.task_id >= p.from_id and a.task_id < p.to_id
        where a.task_id = p_task
        limit 1), format('there is no task %s', p_task))
$$;
comment on function tender_ledger.no_task(uuid) is
    'The sentence for a task that the ledger does not hold: there is none, or it is in an archive.';
