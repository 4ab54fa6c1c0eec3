#!/usr/bin/env bash
# The scripts of ops, without a build: bad input, what may be deleted, sockets, the env file, the
# private cluster. Each test is a function whose name is a claim; it fails by returning non-zero.
# What needs a whole machine is proved by ops/bare.
set -uo pipefail

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
work=$(mktemp -d /tmp/tender-ops-XXXXXX)
chmod 755 "$work"
trap 'stop_cluster; rm -rf -- "$work"' EXIT

# shellcheck source=../../ops/lib/common.sh
. "$checkout/ops/lib/common.sh"
# shellcheck source=../../ops/lib/packages.sh
. "$checkout/ops/lib/packages.sh"
# shellcheck source=../../ops/lib/home.sh
. "$checkout/ops/lib/home.sh"
# shellcheck source=../../ops/lib/cluster.sh
. "$checkout/ops/lib/cluster.sh"
# shellcheck source=../../ops/lib/service.sh
. "$checkout/ops/lib/service.sh"
# Tests leave no user behind: root borrows one that every Debian has.
TENDER_SERVICE_USER=nobody
cluster_home=$work/cluster-home

stop_cluster() {
    [ ! -d "$cluster_home/cluster" ] || cluster_stop "$cluster_home"
}

quickstart() {
    env -u TENDER_HOME "$checkout/ops/quickstart" "$@" >"$work/out" 2>"$work/err"
}

# expect STATUS TEXT COMMAND…
expect() {
    local code=$1 text=$2 status=0
    shift 2
    "$@" || status=$?
    if [ "$status" -ne "$code" ] || ! grep -qF -- "$text" "$work/out" "$work/err"; then
        echo "# exit $status, wanted $code and '$text':"
        sed 's/^/# /' "$work/out" "$work/err"
        return 1
    fi
}

bad_arguments_are_named() {
    expect 2 "--frobnicate" quickstart --frobnicate &&
        expect 2 "--home needs a value" quickstart --home &&
        expect 2 "'fast' must be an integer" quickstart --speed fast &&
        expect 2 "cannot be a data directory" quickstart --home / &&
        expect 0 "--database URL" quickstart --help
}

env_exits_3_when_never_started() {
    expect 3 "never started" quickstart --home "$work/never" --env && [ ! -e "$work/never" ]
}

stopping_what_never_ran_is_fine() {
    expect 0 "nothing in" quickstart --home "$work/never" --stop
}

a_directory_without_the_mark_is_not_deleted() {
    mkdir -p "$work/mine" && echo precious >"$work/mine/file"
    expect 2 "is not a data directory" quickstart --home "$work/mine" --reset &&
        expect 2 "is not a data directory" quickstart --home "$work/mine" --stop &&
        expect 2 "is not empty" quickstart --home "$work/mine" &&
        [ "$(cat "$work/mine/file")" = precious ]
}

a_marked_directory_is_deleted_whole() {
    mkdir -p "$work/marked/run" && echo "$checkout" >"$work/marked/$home_mark"
    quickstart --home "$work/marked" --reset && [ ! -e "$work/marked" ]
}

homes_differ_by_checkout() {
    [ "$(home_default /a/tender)" != "$(home_default /b/tender)" ] &&
        [ "$(home_default /a/tender)" = "$(home_default /a/tender)" ]
}

sockets_of_a_deep_home_lie_elsewhere() {
    local deep sockets status=0
    deep=$work/$(printf 'd%.0s' {1..120})
    mkdir -p "$deep/run"
    is_root && chmod 777 "$deep/run"
    home_ensure_sockets "$deep"
    sockets=$(home_sockets "$deep")
    [ -d "$sockets" ] && [ ${#sockets} -lt 60 ] && [ "$(stat -c %a "$sockets")" = 700 ] || status=1
    rmdir "$sockets"
    return "$status"
}

the_env_file_clears_what_was_inherited() {
    local home="$work/o'dd home"
    mkdir -p "$home/run"
    home_write_env "$home" ipc:///x/broker.ipc "host='/x' dbname=tender" someone
    # shellcheck disable=SC2016 # the shell that sources it expands
    [ "$(PGSERVICE=other PGHOST=elsewhere sh -euc '. "$1"
        . "$1"
        echo "${PGSERVICE-unset}|$PGDATABASE|$PGUSER|$TENDER_URL|$TENDER_DATABASE|$TENDER_HOME"
        case $PATH in "$TENDER_HOME/bin:$TENDER_HOME/bin:"*) echo twice ;; esac' sh "$home/env")" = \
        "unset|tender|someone|ipc:///x/broker.ipc|host='/x' dbname=tender|$home" ]
}

packages_that_are_there_are_not_asked_for() {
    [ -z "$(printf 'bash bash\nnothing|bash -\nany /bin/ba*\n' | packages_missing)" ] &&
        [ "$(echo 'no-such|none no-such-command' | packages_missing)" = 'no-such|none' ]
}

the_cluster_is_private_and_durable() {
    mkdir -p "$cluster_home"
    home_prepare "$cluster_home" "$checkout" &&
        PGHOST=elsewhere LANGUAGE=xx cluster_ensure "$cluster_home" >"$work/out" &&
        [ "$(cluster_sql "$cluster_home" tender "show fsync")" = on ] &&
        [ -z "$(cluster_sql "$cluster_home" tender "show listen_addresses")" ] &&
        [ "$(cluster_sql "$cluster_home" tender "show server_encoding")" = UTF8 ] &&
        [ "$(stat -c %a "$cluster_home/run")" = 700 ] &&
        [ "$(stat -c %u "$cluster_home/cluster")" != 0 ]
}

a_killed_cluster_comes_back() {
    local postmaster
    postmaster=$(as_service / head -n 1 "$cluster_home/cluster/postmaster.pid")
    kill -KILL "$postmaster"
    wait_until 10 process_is_gone "$postmaster" &&
        cluster_ensure "$cluster_home" &&
        [ "$(cluster_sql "$cluster_home" tender "select 1")" = 1 ] &&
        cluster_stop "$cluster_home"
}

process_is_gone() {
    ! kill -0 "$1" 2>/dev/null || grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null
}

a_stale_process_id_is_nobody() {
    mkdir -p "$work/stale/run"
    echo $$ >"$work/stale/run/broker.pid"
    ! service_runs "$work/stale" broker && [ -z "$(service_pid "$work/stale" broker)" ]
}

failed=0
passed=0
for claim in bad_arguments_are_named env_exits_3_when_never_started \
    stopping_what_never_ran_is_fine a_directory_without_the_mark_is_not_deleted \
    a_marked_directory_is_deleted_whole homes_differ_by_checkout \
    sockets_of_a_deep_home_lie_elsewhere the_env_file_clears_what_was_inherited \
    packages_that_are_there_are_not_asked_for the_cluster_is_private_and_durable \
    a_killed_cluster_comes_back a_stale_process_id_is_nobody; do
    if "$claim"; then
        echo "ok - $claim"
        passed=$((passed + 1))
    else
        echo "not ok - $claim"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
