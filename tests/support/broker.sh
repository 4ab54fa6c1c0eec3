#!/bin/bash
# For scripts that measure: the programs of a build, and a broker on the database that the
# environment names. Sourced; what was started and written is gone when the script ends.
set -u -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build/release # the caller may say another
started=()                # processes that end with the script
tenderd=
tender=
directory=
broker=

fail()
{
    echo "${0##*/}: $*" >&2
    exit 1
}

# Where a program of the build is. In a substitution: `|| exit 1` behind it.
program()
{
    find "$build" -name "$1" -type f -perm -u+x -print -quit | grep . ||
        fail "no $1 in $build: cmake --preset release && cmake --build --preset release"
}

find_broker()
{
    tenderd=$(program tenderd) || exit 1
    tender=$(program tender) || exit 1
}

finish()
{
    local pid
    for pid in "${started[@]}"; do
        kill -TERM "$pid" 2>/dev/null
        wait "$pid" 2>/dev/null
    done
    rm -rf "$directory"
}

# A directory of the script's own, /tmp/tender-NAME.…
open_directory()
{
    directory=$(mktemp -d "/tmp/tender-$1.XXXXXX") || exit 1
    trap finish EXIT
    trap 'exit 130' INT TERM HUP
}

migrate()
{
    "$tender" ledger migrate >"$directory/migrate.log" 2>&1 ||
        { cat "$directory/migrate.log" >&2; fail "the schema cannot be made"; }
}

# start_broker ADDRESSES OPTIONS…: waits until it is ready, enrols everybody, and gives `platform` money.
start_broker()
{
    "$tenderd" --listen "$1" --ports-file "$directory/ports" --log-level warning "${@:2}" \
        >"$directory/broker.log" 2>&1 &
    broker=$!
    started+=("$broker")
    for _ in $(seq 1200); do
        [ -s "$directory/ports" ] && break
        kill -0 "$broker" 2>/dev/null || { cat "$directory/broker.log" >&2; fail "tenderd ended"; }
        sleep 0.05
    done
    export TENDER_URL=ipc://$directory/broker.ipc
    "$root/tests/support/enrol" "$tender" || fail "no enrolment"
    "$tender" account fund platform 1000000000 >/dev/null || fail "no credit"
}

sql()
{
    psql -qXAt -v ON_ERROR_STOP=1 -c "$1"
}

median()
{
    sort -g | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'
}
