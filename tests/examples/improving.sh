#!/usr/bin/env bash
# The example for real: broker, PostgreSQL and contractors as processes, and then its story asked from the
# ledger. Run by with-postgres, which sets TENDER_DATABASE: improving.sh TENDERD TENDER CONTRACTOR
set -uo pipefail

# shellcheck source=harness.sh
. "$(dirname "${BASH_SOURCE[0]}")/harness.sh" "$1" "$2"
tender account fund acme 100 >"$work/fund.log" 2>&1 || give_up "money is put in"
IMPROVING_CONTRACTOR=$3 "$source/examples/improving/run" >"$work/run.log" 2>&1 ||
    give_up "the example runs"

is "who leads stays, the others come down, and all ask for their cost in the end" "
    select round, contractor, trim_scale(cost), rank from tender.bid order by round, rank" \
    "1 cedar 7 1, 1 birch 8 2, 1 amber 9 3, 2 birch 6.666667 1, 2 cedar 7 2, 2 amber 7.666667 3,\
 3 birch 4 1, 3 amber 5 2, 3 cedar 6 3"
is "the last round alone sets the price" "
    select round, contractor, trim_scale(price), price_set_by from tender.award" "3 birch 5 amber"
is "two rounds were to be improved, and are not among the task's three" "
    select outcome from tender.round order by round" "improving, improving, awarded"
is "the chain holds" "
    select faults from tender.task t cross join lateral tender.verify_task(t.task_id)" "0"
grep -q "rank=3 improve=1" "$work/run.log" || give_up "amber learns that it is third"
[ "$failed" -eq 0 ]
