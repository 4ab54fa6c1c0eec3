-- Who asks: the role that was set, or else the login. current_user is the owner of the function there.
create or replace function tender_ledger.caller()
returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select coalesce(nullif(current_setting('role', true), 'none'), session_user)
$$;
comment on function tender_ledger.caller() is 'The role that asks, also inside a security definer function.';
revoke execute on function tender_ledger.caller() from public;

create or replace function tender_ledger.is_operator()
returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select pg_has_role(tender_ledger.caller(), 'tender_owner', 'member')
$$;
comment on function tender_ledger.is_operator() is 'Whether who asks may act on any client''s tasks.';
revoke execute on function tender_ledger.is_operator() from public;

create or replace function tender_ledger.may_speak_for(p_principal text)
returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select p_principal = tender_ledger.caller() or tender_ledger.is_operator()
$$;
comment on function tender_ledger.may_speak_for(text) is
    'Whether who asks is the principal, or an operator.';
revoke execute on function tender_ledger.may_speak_for(text) from public;

-- Views ask it of current_user, once a query; functions that run as their owner ask it of the caller.
create or replace function tender_ledger.reads_all(p_role text)
returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select pg_has_role(p_role, 'tender_reader', 'member') or pg_has_role(p_role, 'tender_auditor', 'member')
        or pg_has_role(p_role, 'tender_owner', 'member')
$$;
comment on function tender_ledger.reads_all(text) is
    'Whether a role reads the rows of all principals; who does not reads those of the principal it is named like.';
grant execute on function tender_ledger.reads_all(text) to tender_auditor, tender_reader, tender_principal;

-- What is said of a task whose row is not there, or which who asks may not know of: the same.
create or replace function tender_ledger.no_task(p_task uuid)
returns text
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select coalesce((
        select format('task %s is archived: its record is in the archive %s', p_task, p.suffix)
        from tender_ledger.archived_task a
        join tender_ledger.partition p on a.task_id >= p.from_id and a.task_id < p.to_id
        where a.task_id = p_task and (tender_ledger.may_speak_for(a.principal)
            or tender_ledger.reads_all(tender_ledger.caller()))
        limit 1), format('there is no task %s', p_task))
$$;
comment on function tender_ledger.no_task(uuid) is
    'The sentence for a task that the ledger does not hold: there is none, or it is in an archive.';

-- Whose task it is must not be told by the error: who may read it hears that it is another's, and all
-- others hear what they hear of a task that there never was.
create or replace function tender_ledger.own_task(p_task uuid)
returns tender_ledger.task
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_task tender_ledger.task;
begin
    select * into v_task from tender_ledger.task where task_id = p_task;
    if not found or not (tender_ledger.may_speak_for(v_task.principal)
            or tender_ledger.reads_all(tender_ledger.caller())) then
        raise exception using errcode = 'TN012', message = tender_ledger.no_task(p_task);
    end if;
    if not tender_ledger.may_speak_for(v_task.principal) then
        raise exception using
            errcode = 'TN011',
            message = format('task %s belongs to another principal', p_task),
            hint = 'Members of tender_owner may act on any task.';
    end if;
    return v_task;
end
$$;
comment on function tender_ledger.own_task(uuid) is
    'A task of who asks, or for an operator any; an error for all others.';
