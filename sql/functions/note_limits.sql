create or replace function tender_ledger.note_limits(
    p_broker text, p_names text[], p_times bigint[], p_consequences text[])
returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $$
    insert into tender_ledger.limit_met as l (last_at, times, broker, name, consequence)
    select clock_timestamp(), u.times, p_broker, u.name, u.consequence
    from unnest(p_names, p_times, p_consequences) u (name, times, consequence)
    on conflict on constraint limit_has_one_row do update
    set last_at = excluded.last_at, times = l.times + excluded.times,
        consequence = excluded.consequence;
$$;
comment on function tender_ledger.note_limits(text, text[], bigint[], text[]) is
    'Adds how often a broker has met each limit since it last said so.';
grant execute on function tender_ledger.note_limits(text, text[], bigint[], text[]) to tender_broker;
