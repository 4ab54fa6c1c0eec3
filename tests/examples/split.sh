#!/usr/bin/env bash
# The example for real: broker, PostgreSQL and contractors as processes, and then its story asked from the
# ledger. Run by with-postgres, which sets TENDER_DATABASE: split.sh TENDERD TENDER
set -uo pipefail

# shellcheck source=harness.sh
. "$(dirname "${BASH_SOURCE[0]}")/harness.sh" "$1" "$2"
tender account fund acme 100 >"$work/fund.log" 2>&1 || give_up "money is put in"
"$source/examples/split/run" >"$work/run.log" 2>&1 || give_up "the example runs"

is "north and south share the first round, and north gives up" "
    select owner, units, status, price from tender.commitment where round = 1 order by owner" \
    "north 20 failed 7.500000, south 20 fulfilled 8.000000"
is "what north left is done by others" "
    select sum(units), bool_and(status = 'fulfilled') from tender.commitment where round > 1" "20 t"
is "the task is done under its ceiling" "
    select status, units_done, paid <= ceiling, paid + released = ceiling from tender.task" \
    "done 40 t t"
is "the chain holds" "
    select faults from tender.task t cross join lateral tender.verify_task(t.task_id)" "0"
[ "$failed" -eq 0 ]
