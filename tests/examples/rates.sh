#!/usr/bin/env bash
# The example for real: broker, PostgreSQL and contractors as processes, and then its story asked from the
# ledger. Run by with-postgres, which sets TENDER_DATABASE: rates.sh TENDERD TENDER
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
"$source/examples/rates/run" >"$work/run.log" 2>&1 || give_up "the example runs"

is "each small task is assigned, or a sample that says the rate" "
    select count(*), bool_and(r.posted = 0.40 and (r.outcome = 'assigned') <> (r.outcome = 'awarded'))
    from tender.task t join tender.round r using (task_id) where t.units = 2 and r.round = 1" "30 t"
is "what is assigned costs the posted rate and has no bid" "
    select bool_and(c.price = 0.80 and b.task_id is null)
    from tender.round r join tender.commitment c using (task_id, round)
    left join tender.bid b using (task_id, round) where r.outcome = 'assigned'" "t"
is "the large one is auctioned" "
    select r.outcome, r.posted is null, count(b.contractor)
    from tender.round r join tender.bid b using (task_id, round)
    where r.units = 10 and r.round = 1 group by 1, 2" "awarded t 3"
is "the samples and the others are counted" "
    select assigned + samples, posted = 0.80 * assigned, saved is not null
    from tender.shortcut_cost where skill = 'tag.photos'" "30 t t"
is "every task is done and every chain holds" "
    select bool_and(t.status = 'done'), sum(v.faults)
    from tender.task t cross join lateral tender.verify_task(t.task_id) v" "t 0"
[ "$failed" -eq 0 ]
