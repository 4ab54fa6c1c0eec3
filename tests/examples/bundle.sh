#!/usr/bin/env bash
# The example for real: broker, PostgreSQL and contractors as processes, and then its story asked from the
# ledger. Run by with-postgres, which sets TENDER_DATABASE: bundle.sh TENDERD TENDER
set -uo pipefail

# shellcheck source=harness.sh
. "$(dirname "${BASH_SOURCE[0]}")/harness.sh" "$1" "$2"
tender account fund acme 100 >"$work/fund.log" 2>&1 || give_up "money is put in"
"$source/examples/bundle/run" >"$work/run.log" 2>&1 || give_up "the example runs"

is "all five are done, by those who have the lock" "
    select count(*), bool_and(status = 'done') from tender.task" "5 t"
is "the cheapest, which has none, was never asked" "
    select count(*) from tender.bid where contractor = 'west'" "0"
is "no two were at work at one time" "
    select count(*) from tender.commitment a join tender.commitment b
        on a.commitment_id < b.commitment_id
        and tstzrange(a.awarded_at, a.ended_at) && tstzrange(b.awarded_at, b.ended_at)" "0"
is "the lock is free again" "
    select resource, count, held, free from tender.resource" "dataset.lock/wiki 1 0 1"
is "the chain holds" "
    select sum(faults) from tender.task t cross join lateral tender.verify_task(t.task_id)" "0"
[ "$failed" -eq 0 ]
