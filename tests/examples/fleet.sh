#!/usr/bin/env bash
# The example for real: broker, PostgreSQL and contractors as processes, and then its story asked from the
# ledger. Run by with-postgres, which sets TENDER_DATABASE: fleet.sh TENDERD TENDER
set -uo pipefail

# shellcheck source=harness.sh
. "$(dirname "${BASH_SOURCE[0]}")/harness.sh" "$1" "$2"
tender account fund acme 100 >"$work/fund.log" 2>&1 || give_up "money is put in"
"$source/examples/fleet/run" >"$work/run.log" 2>&1 || give_up "the example runs"

is "three are drawn and bid, and who is on hold is none of them" "
    select count(*), bool_or(contractor = 'ash') from tender.bid" "3 f"
is "the round says how many were drawn, and the cheapest of them wins at the next cost" "
    select r.drawn, a.cost = b.least, a.price = b.second
    from tender.round r join tender.award a using (task_id, round)
    cross join (select min(cost) as least,
            (array_agg(cost order by cost))[2] as second from tender.bid) b" "3 t t"
is "each of the seven others learns why" "
    select reason, count(*) from tender.why_not group by 1 order by 1" \
    "not-drawn 4, on-hold 1, outbid 2"
is "the hold is over, and both of its facts have an author" "
    select count(*), bool_and(e.body::jsonb ->> 'by' <> ''),
        (select count(*) from tender.hold where not is_over)
    from tender_ledger.entry e where e.body::jsonb ->> 'contractor' = 'ash'
        and e.body::jsonb ? 'by'" "2 t 0"
is "the task is done and its chain holds" "
    select t.status, v.faults
    from tender.task t cross join lateral tender.verify_task(t.task_id) v" "done 0"
[ "$failed" -eq 0 ]
