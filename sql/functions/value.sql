-- Values that people write, checked where they are written: an error names the field and its range.
create or replace function tender_ledger.to_micro(p_field text, p_credits numeric, p_minimum numeric)
returns bigint
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
    if p_credits is null or p_credits = 'NaN' or p_credits < p_minimum
        or p_credits > 1000000000000 or p_credits <> round(p_credits, 6) then
        raise exception using
            errcode = 'TN010',
            message = format('%s is %s: it must be a number of credits from %s to 1000000000000 '
                'with at most six decimals',
                p_field, coalesce(p_credits::text, 'null'), p_minimum);
    end if;
    return (p_credits * 1000000)::bigint;
end
$$;
comment on function tender_ledger.to_micro(text, numeric, numeric) is
    'Micro-credits of an amount in credits.';

create or replace function tender_ledger.to_us(p_field text, p_duration interval, p_minimum bigint)
returns bigint
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_us numeric := extract(epoch from p_duration) * 1000000;
begin
    if v_us < p_minimum or v_us > 316224000000000
        or extract(month from p_duration) <> 0 or extract(year from p_duration) <> 0 then
        raise exception using
            errcode = 'TN010',
            message = format('%s is %s: it must be a duration from %s to 3660 days, without months',
                p_field, p_duration, p_minimum * interval '1 microsecond');
    end if;
    return v_us::bigint;
end
$$;
comment on function tender_ledger.to_us(text, interval, bigint) is
    'Microseconds of a duration; null stays null.';

create or replace function tender_ledger.check_range(
    p_field text, p_value bigint, p_minimum bigint, p_maximum bigint)
returns bigint
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
    if p_value < p_minimum or p_value > p_maximum then
        raise exception using
            errcode = 'TN010',
            message = format('%s is %s: it must be from %s to %s', p_field, p_value, p_minimum,
                p_maximum);
    end if;
    return p_value;
end
$$;
comment on function tender_ledger.check_range(text, bigint, bigint, bigint) is
    'The value, where it is in its range; null stays null.';

create or replace function tender_ledger.check_form(p_field text, p_value text, p_form text, p_help text)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
    if p_value !~ p_form then
        raise exception using
            errcode = 'TN010',
            message = format('%s is not of the right form: it must be %s', p_field, p_help);
    end if;
    return p_value;
end
$$;
comment on function tender_ledger.check_form(text, text, text, text) is
    'The text, where it has the form; null stays null.';

-- A null among them is a sub-query that found nothing: a task must not go on without what it was to wait for.
create or replace function tender_ledger.check_list(p_field text, p_items anyarray, p_maximum integer)
returns void
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
    perform tender_ledger.check_range(p_field || ', how many', cardinality(p_items), 1, p_maximum);
    if array_ndims(p_items) > 1 or array_position(p_items, null) is not null then
        raise exception using
            errcode = 'TN010',
            message = format('%s is not of the right form: it must be a list without nulls', p_field);
    end if;
end
$$;
comment on function tender_ledger.check_list(text, anyarray, integer) is
    'Refuses an array that is empty, too long, of several dimensions, or that has a null; null itself is none.';

create or replace function tender_ledger.check_name(p_field text, p_name text)
returns text
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
    select tender_ledger.check_form(p_field, p_name, '^[A-Za-z0-9][A-Za-z0-9._@/-]{0,63}$',
        '1 to 64 of A-Z a-z 0-9 . _ @ / -, the first a letter or digit')
$$;
comment on function tender_ledger.check_name(text, text) is
    'A name, of an agent, a principal or a goal, where it has its form; null stays null.';

create or replace function tender_ledger.check_skill(p_field text, p_skill text)
returns text
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
    select tender_ledger.check_form(p_field, p_skill, '^[a-z0-9]([a-z0-9._/-]{0,62}[a-z0-9])?$',
        '1 to 64 of a-z 0-9 . _ / -, beginning and ending with a letter or digit')
$$;
comment on function tender_ledger.check_skill(text, text) is
    'A skill, or what is written like one, where it has its form; null stays null.';
