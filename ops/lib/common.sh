# shellcheck shell=bash
# What every script of ops shares: progress with the time since the start, failing with a sentence,
# running a long command quietly, and the user that services run as. Source it first.

ops_started=${EPOCHREALTIME/[.,]/}
ops_program=${0##*/}

# Seconds since the start, with one decimal.
elapsed() {
    local tenths=$(((${EPOCHREALTIME/[.,]/} - ops_started) / 100000))
    printf '%d.%d' $((tenths / 10)) $((tenths % 10))
}

say() {
    printf '%7s s  %s\n' "$(elapsed)" "$*"
}

# die STATUS SENTENCE…  The exit codes are those of `tender`: 2 bad input, 3 something is away.
die() {
    local status=$1
    shift
    printf '%s: %s\n' "$ops_program" "$*" >&2
    exit "$status"
}

is_root() {
    [ "$(id -u)" -eq 0 ]
}

# Whether "$1" is one of the words after it.
is_among() {
    local word=$1 each
    shift
    for each in "$@"; do
        [ "$each" = "$word" ] && return 0
    done
    return 1
}

# quietly LOG WHAT COMMAND…  Runs COMMAND with its output in LOG; says every five seconds how far it
# is, and shows the end of LOG when it fails.
quietly() {
    local log=$1 what=$2 child status=0 ticks=0 step
    shift 2
    say "$what"
    "$@" </dev/null >"$log" 2>&1 &
    child=$!
    ops_child=$child # for whoever traps an interrupt
    while kill -0 "$child" 2>/dev/null; do
        sleep 0.1
        ticks=$((ticks + 1))
        if [ $((ticks % 50)) -eq 0 ]; then
            step=$(tail -c 300 "$log" | tr '\r' '\n' | tail -n 1 | cut -c 1-70)
            say "  … $step"
        fi
    done
    wait "$child" || status=$?
    # shellcheck disable=SC2034
    ops_child=
    if [ "$status" -ne 0 ]; then
        tail -n 40 "$log" >&2
        printf '%s: failed (%d): %s. All of its output: %s\n' "$ops_program" "$status" "$what" \
            "$log" >&2
    fi
    return "$status"
}

# Waits for COMMAND to succeed: wait_until SECONDS COMMAND…
wait_until() {
    local end=$((${EPOCHREALTIME/[.,]/} + $1 * 1000000))
    shift
    until "$@"; do
        [ "${EPOCHREALTIME/[.,]/}" -lt "$end" ] || return 1
        sleep 0.05
    done
}

# The user that the cluster, the broker and the contractors run as: whoever calls, but never root,
# since PostgreSQL refuses root and nothing here needs it.
service_user() {
    if is_root; then
        echo "${TENDER_SERVICE_USER:-tender}"
    else
        id -un
    fi
}

ensure_service_user() {
    local user
    user=$(service_user)
    if is_root && ! getent passwd "$user" >/dev/null; then
        say "creating the system user $user"
        useradd --system --user-group --no-create-home --home-dir /nonexistent \
            --shell /usr/sbin/nologin "$user" >/dev/null
    fi
}

# as_service DIRECTORY COMMAND…  Runs COMMAND as the service user, from DIRECTORY, with a clean
# environment: nothing inherited (PG*, LC_ALL, LD_*) can reach a server.
as_service() {
    local directory=$1 user
    shift
    user=$(service_user)
    set -- env -i PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 LC_ALL=C.UTF-8 HOME="$directory" \
        USER="$user" LOGNAME="$user" "$@"
    if is_root; then
        (cd / && exec runuser -u "$user" -- sh -c "cd \"\$1\" && shift && exec \"\$@\"" sh \
            "$directory" "$@")
    else
        (cd "$directory" && exec "$@")
    fi
}

# 'it'\''s' for a POSIX shell.
sh_quote() {
    printf "'%s'" "${1//\'/\'\\\'\'}"
}
