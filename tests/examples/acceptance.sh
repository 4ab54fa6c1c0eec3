#!/usr/bin/env bash
# The example for real: broker, PostgreSQL and contractors as processes, and then its story asked from the
# ledger. Run by with-postgres, which sets TENDER_DATABASE: acceptance.sh TENDERD TENDER
set -uo pipefail

# shellcheck source=harness.sh
. "$(dirname "${BASH_SOURCE[0]}")/harness.sh" "$1" "$2"
tender account fund acme 100 >"$work/fund.log" 2>&1 || give_up "money is put in"
"$source/examples/acceptance/run" >"$work/run.log" 2>&1 || give_up "the example runs"

is "both tasks are done, by accepting and by adopting" "
    select status, reason, units_done from tender.task order by announced_at" \
    "done completed 4, done adopted 4"
is "what was accepted of the first list is paid by share, and the rest at its ceiling" "
    select owner, status, units_done, paid from tender.commitment c
    where task_id = (select task_id from tender.task order by announced_at limit 1)
    order by commitment_id" "hasty failed 3 4.500000, careful fulfilled 1 2.000000"
is "the adopted list is paid what its commitment promised" "
    select owner, status, paid from tender.commitment where task_id = (
        select task_id from tender.task order by announced_at desc limit 1)" "hasty failed 6.000000"
is "both records count the rejections" "
    select sum(c.rejected), k.rejected from tender.client_record c, tender.contractor_record k
    where c.principal = 'acme' and k.contractor = 'hasty' group by k.rejected" "2 2"
is "both parties see the evidence" "
    select owner, status, evidence ->> 'lines' from tender.delivery order by delivered_at" \
    "hasty rejected 3, careful accepted 1, hasty rejected 3"
is "the chain holds" "
    select sum(faults) from tender.task t cross join lateral tender.verify_task(t.task_id)" "0"
[ "$failed" -eq 0 ]
