-- Whether a broker that left word until `p_gone_at` is still there: with its connection its word is over.
-- What it reigns over is a matter of its lease alone: see reign_runs.
create or replace function tender_ledger.broker_lives(p_gone_at timestamptz, p_backend integer)
returns boolean
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
    select p_gone_at > clock_timestamp() and (
        p_backend is null or exists (select from pg_stat_get_activity(p_backend)))
$$;
comment on function tender_ledger.broker_lives(timestamptz, integer) is
    'Whether a broker is still there by its own word, and its backend too.';
grant execute on function tender_ledger.broker_lives(timestamptz, integer) to tender_auditor, tender_reader;
