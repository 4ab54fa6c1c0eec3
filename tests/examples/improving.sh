#!/usr/bin/env bash
# The example for real: broker, PostgreSQL and contractors as processes, and then its story asked from the
# ledger. Run by with-postgres, which sets TENDER_DATABASE: improving.sh TENDERD TENDER CONTRACTOR
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
