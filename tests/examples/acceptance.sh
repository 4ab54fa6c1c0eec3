#!/usr/bin/env bash
# The example for real: broker, PostgreSQL and contractors as processes, and then its story asked from the
# ledger. Run by with-postgres, which sets TENDER_DATABASE: acceptance.sh TENDERD TENDER
set -uo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
work=$(mktemp -d /tmp/tender-example-XXXXXX)
broker=
failed=0

clean_up() {
    [ -z "$broker" ] || kill -TERM "$broker" 2>/dev/null
    wait
    rm -rf -- "$work"
}
trap clean_up EXIT

give_up() {
    echo "not ok - $1"
    tail -n 50 "$work"/*.log
    exit 1
}

# is CLAIM QUERY ROWS  The query's rows are these; lines are joined by ", ".
is() {
    local rows
    rows=$(tender psql -q -A -t -F ' ' -v ON_ERROR_STOP=1 -c "$2" </dev/null | paste -s -d '|' |
        sed 's/|/, /g')
    if [ "$rows" = "$3" ]; then
        echo "ok - $1"
    else
        echo "not ok - $1: is '$rows', should be '$3'"
        failed=$((failed + 1))
    fi
}

mkdir "$work/bin"
ln -s "$2" "$work/bin/tender"
export PATH="$work/bin:$PATH" TENDER_URL="ipc://$work/broker.ipc"
tender ledger migrate >"$work/migrate.log" 2>&1 || give_up "the ledger is migrated"
"$1" --listen "$TENDER_URL" --ports-file "$work/ports" >>"$work/broker.log" 2>&1 &
broker=$!
for _ in $(seq 600); do
    [ ! -s "$work/ports" ] || break
    kill -0 "$broker" 2>/dev/null || give_up "the broker starts"
    sleep 0.05
done
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
