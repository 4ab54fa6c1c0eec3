#!/bin/bash
# Goal: a replay loses nothing and its books balance: at full speed, at a pace, with the broker
# killed in the middle, and for the trace that TENDER_TRACE names. Method: a private PostgreSQL
# (with-postgres starts this script), a tenderd of our own, and the replay's own report.
#
#   replay.sh TENDER TENDERD
set -u -o pipefail

tender=$1 tenderd=$2
work=$(mktemp -d)
chmod 700 "$work"
export TENDER_URL=ipc://$work/broker.ipc
broker=

stop_all()
{
    [ -n "$broker" ] && kill "$broker" 2>/dev/null
    wait
    rm -rf "$work"
}
trap stop_all EXIT

fail()
{
    echo "not ok: $*" >&2
    tail -n 20 "$work/log" >&2
    exit 1
}

# wait_for NAME COMMAND…: until it succeeds; a minute at most.
wait_for()
{
    local name=$1 left=1200
    shift
    until "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || fail "$name: waited in vain for $*"
        sleep 0.05
    done
}

start_broker()
{
    rm -f "$work/ports"
    "$tenderd" --listen "$TENDER_URL" --database "$TENDER_DATABASE" --ports-file "$work/ports" \
        --grace 1s >>"$work/log" 2>&1 &
    broker=$!
    wait_for tenderd test -s "$work/ports"
    "${0%/*}/../support/enrol" "$tender" || fail "nobody is enrolled"
}

ended()
{
    "$tender" psql -Atqc 'select count(*) from tender.task where ended_at is not null'
}

ended_at_least()
{
    [ "$(ended)" -ge "$1" ]
}

replay()
{
    echo "tender replay $*"
    "$tender" replay "$@" || fail "tender replay $* exited with $?"
    "$tender" check || fail "tender check after replay $*"
}

L3_a_killed_broker_loses_no_task_of_a_replay()
{
    local before pid
    before=$(ended)
    "$tender" replay --synthetic 400 --seed 3 --speed 10 >"$work/killed" 2>&1 &
    pid=$!
    wait_for "tasks that ended" ended_at_least $((before + 100))
    kill -9 "$broker"
    wait "$broker" 2>/dev/null
    start_broker
    wait "$pid" || {
        cat "$work/killed" >&2
        fail "the replay did not survive its broker"
    }
    grep -q 'books_balance  *yes' "$work/killed" || fail "the books do not balance after a kill"
}

"$tender" ledger migrate >/dev/null || fail migrate
start_broker
replay --synthetic 2000 --seed 1 --speed max
replay --synthetic 200 --seed 2 --speed 50
L3_a_killed_broker_loses_no_task_of_a_replay
if [ -n "${TENDER_TRACE:-}" ]; then
    replay --trace "$TENDER_TRACE" --speed max
fi
echo "ok"
