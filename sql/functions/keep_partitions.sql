-- Makes the tables of one range and puts them in their places. A table is made beside its place and then
-- attached, which hinders nobody; made in its place it would have to wait for all work to pause.
create or replace function tender_ledger.add_partition(p_since_at timestamptz, p_until_at timestamptz)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_from_id uuid := tender_ledger.first_id(p_since_at);
    v_to_id uuid := tender_ledger.first_id(p_until_at);
    v_suffix text := 'p' || to_char(p_since_at at time zone 'UTC', 'YYYYMMDDHH24');
    v_table text;
    v_trigger text;
begin
    insert into tender_ledger.partition (since_at, until_at, from_id, to_id, suffix)
    values (p_since_at, p_until_at, v_from_id, v_to_id, v_suffix);
    foreach v_table in array array['entry_row', 'task', 'ending'] loop
        v_trigger := split_part(v_table, '_', 1) || '_is_append_only';
        execute format('create table tender_ledger.%I (like tender_ledger.%I including defaults '
            'including constraints including storage including comments)',
            v_table || '_' || v_suffix, v_table);
        execute format('create trigger %I before update or delete or truncate on tender_ledger.%I '
            'for each statement execute function tender_ledger.refuse_change()',
            v_trigger, v_table || '_' || v_suffix);
        execute format('alter table tender_ledger.%I attach partition tender_ledger.%I '
            'for values from (%L) to (%L)', v_table, v_table || '_' || v_suffix, v_from_id, v_to_id);
        execute (
            select format('alter table tender_ledger.%I %s', v_table || '_' || v_suffix, string_agg(
                format('alter column %I set statistics %s', a.attname, a.attstattarget), ', '))
            from pg_attribute a
            where a.attrelid = ('tender_ledger.' || v_table)::regclass and a.attnum > 0
                and not a.attisdropped and a.attstattarget >= 0);
    end loop;
end
$$;
comment on function tender_ledger.add_partition(timestamptz, timestamptz) is
    'Makes room for the tasks that are announced in a time.';

-- The broker calls it well ahead of need, with its stamp; a time that has its partitions costs a look at
-- the table of them. Where another one is at it, or a partition is just being taken out, it does nothing
-- and is called again.
create or replace function tender_ledger.keep_partitions(p_at timestamptz)
returns timestamptz
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
    v_period interval := (select r.period from tender_ledger.retention r);
    v_until_at timestamptz := (select max(p.until_at) from tender_ledger.partition p);
    v_since_at timestamptz;
begin
    if v_until_at >= p_at + v_period + interval '1 day'
        or not pg_try_advisory_xact_lock(1413828421) then
        return v_until_at;
    end if;
    begin
        v_until_at := (select max(p.until_at) from tender_ledger.partition p);
        while v_until_at < p_at + 2 * v_period + interval '1 day' loop
            v_since_at := v_until_at;
            v_until_at := v_until_at + v_period;
            -- A time in which nothing is announced, because no broker ran, needs no partitions.
            if v_until_at < p_at - v_period then
                v_until_at := date_bin(v_period, p_at - v_period, v_since_at);
                v_until_at := greatest(v_until_at, v_since_at + v_period);
            end if;
            perform tender_ledger.add_partition(v_since_at, v_until_at);
        end loop;
    exception when lock_not_available or deadlock_detected then
        return (select max(p.until_at) from tender_ledger.partition p);
    end;
    return v_until_at;
end
$$;
comment on function tender_ledger.keep_partitions(timestamptz) is
    'Sees that tasks announced from then on have a place for two periods, and says until when they have one.';
grant execute on function tender_ledger.keep_partitions(timestamptz) to tender_broker;
