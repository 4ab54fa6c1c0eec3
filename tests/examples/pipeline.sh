#!/usr/bin/env bash
# The example for real: broker, PostgreSQL and contractors as processes, and then its story asked from the
# ledger. Run by with-postgres, which sets TENDER_DATABASE: pipeline.sh TENDERD TENDER
set -uo pipefail

# shellcheck source=harness.sh
. "$(dirname "${BASH_SOURCE[0]}")/harness.sh" "$1" "$2"
tender account fund acme 100 >"$work/fund.log" 2>&1 || give_up "money is put in"
"$source/examples/pipeline/run" >"$work/run.log" 2>&1 || give_up "the example runs"

is "all but the print are done" "
    select skill, status, reason from tender.goal where goal = 'leaflet' order by announced_at" \
    "write done completed, translate.de done completed, translate.fr done completed, bind done completed, \
print cancelled achieved"
is "each began when what it waits for had ended" "
    select count(*), bool_and(o.opened_at >= e.ended_at)
    from tender.dependency d join tender.round o on o.task_id = d.task_id and o.round = 1
    join tender.task e on e.task_id = d.after_id where d.status = 'done'" "5 t"
is "the client's word is in the ledger, and nothing is reserved any more" "
    select (body::json ->> 'belief'), (body::json ->> 'text'), a.reserved
    from tender_ledger.entry, tender.account a where kind = 28 and a.principal = 'acme'" \
    "achieved the file is enough 0.000000"
is "the chain holds" "
    select sum(faults) from tender.task t cross join lateral tender.verify_task(t.task_id)" "0"
[ "$failed" -eq 0 ]
