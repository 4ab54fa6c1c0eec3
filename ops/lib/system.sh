# shellcheck shell=bash
# The whole system of a data directory: cluster (or a database of the user's), broker, contractors
# of the example; what runs of it, starting and ending it in order. Needs the other files of lib.

system_examples=libexec/tender/examples

# The connection string: of the user's database, where one was named, else of the private cluster.
system_database() {
    if [ -f "$1/database" ]; then
        cat "$1/database"
    else
        cluster_conninfo "$1"
    fi
}

# system_keep_database HOME URL  Notes which database this directory is for; it stays that one.
system_keep_database() {
    local home=$1 url=$2
    [ -n "$url" ] || return 0
    if [ -d "$home/cluster" ]; then
        die 2 "$home has a private cluster already; name another directory by --home"
    fi
    if [ -f "$home/database" ] && [ "$(cat "$home/database")" != "$url" ]; then
        die 2 "$home is for another database; --reset it, or name another directory by --home"
    fi
    (umask 077 && printf '%s\n' "$url" >"$home/database")
}

# The keys of a system: the broker's, and that of everybody who works in it.
system_make_keys() {
    local home=$1 name
    if [ ! -d "$home/keys" ]; then
        mkdir -m 0700 "$home/keys"
        ! is_root || chown "$(service_user):" "$home/keys"
    fi
    for name in broker peer; do
        as_service "$home" test -f "$home/keys/$name.key" ||
            as_service "$home" "$home/bin/tender" key new "$home/keys/$name.key" >/dev/null ||
            die 1 "no key can be made in $home/keys"
    done
}

# Enrols the key for all principals that are not enrolled by name, once.
system_enrol() {
    local home=$1 public enrolled
    public=$(system_do "$home" tender key show "$home/keys/peer.key") &&
        enrolled=$(system_do "$home" tender psql -q -A -t \
            -c "select 1 from tender.principal where key = '$public'" </dev/null) || return 1
    [ -n "$enrolled" ] || system_do "$home" tender principal add '*' --key "$public" >/dev/null
}

# sh -c "$system_with_database" sh COMMAND… 8< <(system_database HOME)  Runs COMMAND, which finds the
# connection string in its environment. That may hold a password, and arguments are for everybody to
# read (`env NAME=VALUE` has them too), so it comes by a pipe.
# shellcheck disable=SC2016 # the inner shell expands
system_with_database='IFS= read -r TENDER_DATABASE <&8; export TENDER_DATABASE; exec "$@" 8<&-'

# Runs an installed program as the service user, who knows broker and ledger.
system_do() {
    local home=$1
    shift
    as_service "$home" env TENDER_URL="ipc://$(home_sockets "$home")/broker.ipc" \
        TENDER_HOME="$home" TENDER_KEY="$home/keys/peer.key" \
        TENDER_KNOWN_BROKERS="$home/run/known-brokers" \
        PATH="$home/bin:$(cluster_programs):/usr/local/bin:/usr/bin:/bin" \
        sh -c "$system_with_database" sh "$@" 8< <(system_database "$home")
}

# The rows of the example's contractors, without comments.
system_contractors() {
    grep -v '^#' "$1/$system_examples/translation/tiers"
}

system_services() {
    local home=$1 name _
    echo broker
    while read -r name _; do
        echo "$name"
    done < <(system_contractors "$home")
}

system_database_runs() {
    [ -f "$1/database" ] || cluster_is_ready "$1"
}

system_runs() {
    local home=$1 name
    [ -f "$home/env" ] && system_database_runs "$home" || return 1
    for name in $(system_services "$home"); do
        service_runs "$home" "$name" || return 1
    done
}

# Logs in, and so finds out early what is wrong with a database of the user's.
system_migrate() {
    local home=$1
    system_do "$home" "$home/bin/tender" ledger migrate >"$home/setup/migrate.log" 2>&1 && return 0
    cat "$home/setup/migrate.log" >&2
    die 3 "the ledger cannot be set up in the database"
}

system_start_broker() {
    local home=$1 there=$2
    rm -f -- "$home/run/ports"
    cat >"$home/tender.conf" <<CONF
# Written by ops/quickstart; the database comes from TENDER_DATABASE.
broker = quickstart
listen = ipc://$there/broker.ipc tcp://127.0.0.1:0
ports-file = $home/run/ports
key = $home/keys/broker.key
CONF
    chmod 0644 "$home/tender.conf"
    service_start "$home" broker sh -c "$system_with_database" sh \
        "$home/bin/tenderd" --config "$home/tender.conf" 8< <(system_database "$home") &&
        wait_until 20 test -s "$home/run/ports"
}

system_start_contractors() {
    local home=$1 there=$2 speed=$3 name principal flags
    while read -r name principal flags; do
        service_runs "$home" "$name" && continue
        read -ra flags <<<"$flags"
        service_start "$home" "$name" env TENDER_KEY="$home/keys/peer.key" \
            TENDER_KNOWN_BROKERS="$home/run/known-brokers" \
            "$home/$system_examples/model-tier" \
            --url "ipc://$there/broker.ipc" --name "$name" --principal "$principal" \
            --speed "$speed" "${flags[@]}" || return 1
    done < <(system_contractors "$home")
}

system_fail() {
    local home=$1 name=$2
    tail -n 20 "$home/log/$name.log" >&2 || true
    die 1 "$name did not start; see $home/log/$name.log"
}

# Starts what does not run.
system_start() {
    local home=$1 speed=$2 there user=
    home_ensure_sockets "$home"
    if [ ! -f "$home/database" ]; then
        user=$(service_user)
        cluster_ensure "$home" || exit 3
    fi
    there=$(home_sockets "$home")
    say "bringing the ledger's schema up to date"
    system_migrate "$home"
    system_make_keys "$home"
    if ! service_runs "$home" broker; then
        say "starting the broker"
        system_start_broker "$home" "$there" || system_fail "$home" broker
    fi
    system_enrol "$home" || die 1 "nobody could be enrolled; see $home/log/broker.log"
    say "starting three contractors (their working time runs $speed times as fast)"
    system_start_contractors "$home" "$there" "$speed" || die 1 "see $home/log"
    home_write_env "$home" "ipc://$there/broker.ipc" "$(system_database "$home")" "$user"
}

# The key makes it one task, however often it is shown; an attempt that was interrupted is followed
# by another, with a task of its own.
system_example() {
    local home=$1 speed=$2 attempt
    attempt=$(cat "$home/attempt" 2>/dev/null || echo 0)
    if [ ! -f "$home/example" ]; then
        attempt=$((attempt + 1))
        echo "$attempt" >"$home/attempt"
    fi
    say "running the worked example: 40 articles into German"
    system_do "$home" "$home/$system_examples/translation/run" --no-start \
        --key "quickstart-$attempt" --speed "$speed" ||
        die 1 "the example did not end as it should; see $home/log"
    touch "$home/example"
    say "done"
}

system_show() {
    local home=$1 quickstart examples=$1/$system_examples name pid urls
    quickstart=$(home_checkout "$home")/ops/quickstart
    mapfile -t urls < <(cat "$home/run/ports" 2>/dev/null)
    printf '\nRunning in %s as %s:\n' "$home" "$(service_user)"
    if [ -f "$home/database" ]; then
        printf '  %-10s %s\n' ledger "a PostgreSQL of yours"
    else
        pid=$(as_service / head -n 1 "$home/cluster/postmaster.pid" 2>/dev/null || true)
        printf '  %-10s %-8s PostgreSQL, socket in %s\n' ledger "$pid" "$(home_sockets "$home")"
    fi
    for name in $(system_services "$home"); do
        pid=$(service_pid "$home" "$name" || echo "-")
        printf '  %-10s %-8s %s\n' "$name" "$pid" \
            "$([ "$name" = broker ] && echo "${urls[*]}" || echo "offers translate.de")"
    done
    cat <<NEXT

Look further:
  . "\$($quickstart --env${home_flag:-})"
  tender explain "\$(tender tasks -o csv | sed -n '2s/,.*//p')"
  tender tasks; tender contractors; tender account; tender --help
  tender announce --principal helpdesk --skill translate.de --units 5 --ceiling 4 --wait
  tender psql -f $examples/reports.sql
Next: README.md, "A first contractor".
End:  $quickstart --stop${home_flag:-}   (--reset also deletes all of it)
NEXT
}

# Contractors, broker, cluster: each while what it depends on still runs.
system_stop() {
    local home=$1 name status=0
    for name in $(service_names "$home" | grep -v '^broker$') broker; do
        if service_runs "$home" "$name"; then
            say "stopping $name"
        fi
        service_stop "$home" "$name" || status=1
    done
    if [ -d "$home/cluster" ] && cluster_is_ready "$home"; then
        say "stopping PostgreSQL"
        cluster_stop "$home" || status=1
    fi
    return "$status"
}
