#!/usr/bin/env bash
# What the tests of the examples share: a broker of their own, and claims about what the ledger says.
# Sourced as: . harness.sh TENDERD TENDER
# shellcheck disable=SC2034 # `source` and `failed` are for the test that sources it
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

sql() {
    tender psql -q -A -t -F ' ' -v ON_ERROR_STOP=1 -c "$1" </dev/null
}

# is CLAIM QUERY ROWS  The query's rows are these; lines are joined by ", ".
is() {
    local rows
    rows=$(sql "$2" | paste -s -d '|' | sed 's/|/, /g')
    if [ "$rows" = "$3" ]; then
        echo "ok - $1"
    else
        echo "not ok - $1: is '$rows', should be '$3'"
        failed=$((failed + 1))
    fi
}

start_broker() {
    rm -f "$work/ports"
    "$tenderd" --listen "$TENDER_URL" --ports-file "$work/ports" >>"$work/broker.log" 2>&1 &
    broker=$!
    for _ in $(seq 600); do
        if [ -s "$work/ports" ]; then
            "$source/tests/support/enrol" tender || give_up "everybody is enrolled"
            return 0
        fi
        kill -0 "$broker" 2>/dev/null || break
        sleep 0.05
    done
    give_up "the broker starts"
}

restart_broker() {
    kill -TERM "$broker"
    wait "$broker" || give_up "the broker ends in order"
    start_broker
}

tenderd=$1
mkdir "$work/bin"
ln -s "$2" "$work/bin/tender"
export PATH="$work/bin:$PATH" TENDER_URL="ipc://$work/broker.ipc"
tender ledger migrate >"$work/migrate.log" 2>&1 || give_up "the ledger is migrated"
start_broker
