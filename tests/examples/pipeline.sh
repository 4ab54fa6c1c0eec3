#!/usr/bin/env bash
# The example for real: broker, PostgreSQL and contractors as processes, and then its story asked from the
# ledger. Run by with-postgres, which sets TENDER_DATABASE: pipeline.sh TENDERD TENDER
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
