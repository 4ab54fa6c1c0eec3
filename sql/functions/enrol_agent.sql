-- Who may open a session: principals and agents with their public keys. Each is told to every shard, in the
-- same order in all of them; a lock sees to it, and what is said of one name later has a later time, also
-- where the clock of the database was put back.
create or replace function tender_ledger.ask_enrolment(p_kind smallint, p_name text, p_body jsonb)
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_at_us bigint;
begin
    if not tender_ledger.is_operator() then
        raise exception using errcode = 'TN011', message = 'only operators enrol and revoke';
    end if;
    perform pg_advisory_xact_lock(hashtext('tender.enrol'));
    select greatest((extract(epoch from clock_timestamp()) * 1000000)::bigint,
        max((f.body ->> 'said_at_us')::bigint) + 1)
    into v_at_us
    from generate_series(0, tender_ledger.shard_count() - 1) s (shard)
    join tender_ledger.fact f on f.shard = s.shard and f.kind = p_kind and f.subject = p_name;
    return tender_ledger.ask_all('enrol',
        jsonb_strip_nulls(p_body) || jsonb_build_object('at_us', v_at_us));
end
$$;
comment on function tender_ledger.ask_enrolment(smallint, text, jsonb) is
    'Asks every shard to record what an operator says of a principal or an agent.';

create or replace function tender_ledger.check_key(p_key text)
returns text
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
    select substr(tender_ledger.check_form('key', p_key, '^ed25519:[0-9a-f]{64}$',
        'ed25519: and 64 lower-case hexadecimal digits'), 9)
$$;
comment on function tender_ledger.check_key(text) is 'The digits of a public key, whose form is checked.';

create or replace function tender.add_principal(
    p_principal text, p_key text default null, p_parent text default null)
returns bigint
language sql security definer
set search_path = pg_catalog, pg_temp
as $$
    select tender_ledger.ask_enrolment(29::smallint, p_principal, jsonb_build_object(
        'principal', tender_ledger.check_name('principal', nullif(coalesce(p_principal, ''), '*')),
        'digest', tender_ledger.check_key(p_key),
        'name', tender_ledger.check_name('parent', p_parent)))
$$;
comment on function tender.add_principal(text, text, text) is
    'Asks to enrol a principal, with the public key that speaks as any agent of it, or to give it another key; what is left out stays as it is. * stands for all that are not enrolled by name. Returns the number of the request.';
grant execute on function tender.add_principal(text, text, text) to tender_owner;

create or replace function tender.rotate_principal(p_principal text, p_key text)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if tender_ledger.is_operator() and not exists (
            select from tender_ledger.principal p where p.shard = 0 and p.principal = p_principal) then
        raise exception using
            errcode = 'TN012', message = format('no principal %s is enrolled', coalesce(p_principal, 'null'));
    end if;
    return tender.add_principal(p_principal, coalesce(p_key, ''));
end
$$;
comment on function tender.rotate_principal(text, text) is
    'Asks to give a principal another public key in place of the one before. Returns the number of the request.';
grant execute on function tender.rotate_principal(text, text) to tender_owner;

create or replace function tender.revoke_principal(p_principal text)
returns bigint
language sql security definer
set search_path = pg_catalog, pg_temp
as $$
    select tender_ledger.ask_enrolment(29::smallint, p_principal, jsonb_build_object(
        'principal', tender_ledger.check_name('principal', nullif(coalesce(p_principal, ''), '*')),
        'reason', 'revoked'))
$$;
comment on function tender.revoke_principal(text) is
    'Asks that a principal and its agents may say nothing any more; what they promised stands. Returns the number of the request.';
grant execute on function tender.revoke_principal(text) to tender_owner;

create or replace function tender.enrol_agent(
    p_agent text, p_principal text default null, p_key text default null, p_skills text[] default null)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform tender_ledger.check_range('skills', cardinality(p_skills), 0, 64);
    perform tender_ledger.check_skill('skill', coalesce(s, '')) from unnest(p_skills) s;
    return tender_ledger.ask_enrolment(34::smallint, p_agent, jsonb_build_object(
        'contractor', tender_ledger.check_name('agent', coalesce(p_agent, '')),
        'principal', tender_ledger.check_name('principal', p_principal),
        'digest', tender_ledger.check_key(p_key),
        'skills', to_jsonb(p_skills)));
end
$$;
comment on function tender.enrol_agent(text, text, text, text[]) is
    'Asks to enrol an agent of a principal, with a public key of its own and the skills that it may offer, or to change them; what is left out stays as it is, and no skills are all skills. Returns the number of the request.';
grant execute on function tender.enrol_agent(text, text, text, text[]) to tender_owner;

create or replace function tender.rotate_agent(p_agent text, p_key text)
returns bigint
language sql security definer
set search_path = pg_catalog, pg_temp
as $$
    select tender.enrol_agent(p_agent, null, coalesce(p_key, ''))
$$;
comment on function tender.rotate_agent(text, text) is
    'Asks to give an agent another public key in place of the one before. Returns the number of the request.';
grant execute on function tender.rotate_agent(text, text) to tender_owner;

create or replace function tender.revoke_agent(p_agent text)
returns bigint
language sql security definer
set search_path = pg_catalog, pg_temp
as $$
    select tender_ledger.ask_enrolment(34::smallint, p_agent, jsonb_build_object(
        'contractor', tender_ledger.check_name('agent', coalesce(p_agent, '')),
        'reason', 'revoked'))
$$;
comment on function tender.revoke_agent(text) is
    'Asks that an agent may say nothing any more; what it promised stands. Returns the number of the request.';
grant execute on function tender.revoke_agent(text) to tender_owner;
