-- Makes a new ledger look as if it had been made :days days ago: a week is a partition from then on, and
-- what was before has its own. Only for a ledger without tasks.
\set ON_ERROR_STOP 1
set role tender_owner;
select set_config('past.days', :'days', false);
do $$
declare
    v_begin_at timestamptz := date_trunc('day', now() - current_setting('past.days')::integer
        * interval '1 day', 'UTC');
    v_table text;
    v_part tender_ledger.partition;
begin
    if exists (select from tender_ledger.task) then
        raise 'the ledger has tasks';
    end if;
    for v_part in select * from tender_ledger.partition loop
        foreach v_table in array array['entry_row', 'task', 'ending'] loop
            if v_part.suffix = 'before' then
                execute format('alter table tender_ledger.%I detach partition tender_ledger.%I',
                    v_table, v_table || '_before');
                execute format('alter table tender_ledger.%I attach partition tender_ledger.%I '
                    'for values from (%L) to (%L)', v_table, v_table || '_before', v_part.from_id,
                    tender_ledger.first_id(v_begin_at));
            else
                execute format('drop table tender_ledger.%I', v_table || '_' || v_part.suffix);
            end if;
        end loop;
    end loop;
    delete from tender_ledger.partition where suffix <> 'before';
    update tender_ledger.partition
    set until_at = v_begin_at, to_id = tender_ledger.first_id(v_begin_at);
    while v_begin_at < now() loop
        perform tender_ledger.add_partition(v_begin_at, v_begin_at + interval '7 days');
        v_begin_at := v_begin_at + interval '7 days';
    end loop;
end
$$;
