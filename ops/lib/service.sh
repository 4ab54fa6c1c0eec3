# shellcheck shell=bash
# Processes that stay: started as the service user, known by run/NAME.pid, ended in an orderly way.
# Needs common.sh.

# The process id of a service that runs; fails when it does not. A number alone proves nothing after
# a reboot: the program behind it must be one that this directory installed.
service_pid() {
    local home=$1 name=$2 pid program
    pid=$(cat "$home/run/$name.pid" 2>/dev/null) || return 1
    [ -n "$pid" ] || return 1
    program=$(readlink "/proc/$pid/exe" 2>/dev/null) || return 1
    case $program in
    "$(realpath "$home")"/*) echo "$pid" ;;
    *) return 1 ;;
    esac
}

service_runs() {
    service_pid "$@" >/dev/null
}

# Names of the services of a directory that have a process id on file.
service_names() {
    local file
    for file in "$1"/run/*.pid; do
        if [ -e "$file" ]; then
            basename "$file" .pid
        fi
    done
}

# service_start HOME NAME PROGRAM [ARGUMENT…]  Output goes to log/NAME.log.
service_start() {
    local home=$1 name=$2
    shift 2
    # shellcheck disable=SC2016 # the inner shell expands
    as_service "$home" setsid -f sh -c \
        'pid=$1 log=$2; shift 2; echo $$ >"$pid"; exec "$@" </dev/null >"$log" 2>&1' \
        sh "$home/run/$name.pid" "$home/log/$name.log" "$@" 9>&- || return 1
    wait_until 5 service_runs "$home" "$name"
}

# Asks it to end, waits, and only then makes it.
service_stop() {
    local home=$1 name=$2 pid
    if pid=$(service_pid "$home" "$name"); then
        kill -TERM "$pid" 2>/dev/null || true
        if ! wait_until 15 service_has_ended "$home" "$name"; then
            say "$name ($pid) does not end; killing it"
            kill -KILL "$pid" 2>/dev/null || true
            wait_until 5 service_has_ended "$home" "$name" || return 1
        fi
    fi
    rm -f -- "$home/run/$name.pid"
}

service_has_ended() {
    ! service_runs "$1" "$2"
}
