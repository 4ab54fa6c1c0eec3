# shellcheck shell=bash
# The private PostgreSQL of a data directory: made once, reached by a socket in a 0700 directory and
# by nothing else, durable (fsync on). Needs common.sh and home.sh.

# The server's programs: PATH may lead to a wrapper, or to nothing, so it is not asked.
cluster_programs() {
    local folder version best=
    folder=$(pg_config --bindir 2>/dev/null || true)
    if [ -n "$folder" ] && [ -x "$folder/initdb" ]; then
        echo "$folder"
        return 0
    fi
    for folder in /usr/lib/postgresql/*/bin; do
        version=${folder#/usr/lib/postgresql/}
        version=${version%/bin}
        if [ -x "$folder/initdb" ] && [ "${version%%.*}" -gt "${best:-0}" ]; then
            best=$version
        fi
    done
    [ -n "$best" ] && echo "/usr/lib/postgresql/$best/bin"
}

# The cluster's own major version needs the programs of that version.
cluster_programs_for() {
    local home=$1 version programs
    programs=$(cluster_programs) || die 2 "PostgreSQL's server programs (initdb) are not installed"
    if [ -f "$home/cluster/PG_VERSION" ]; then
        version=$(as_service / cat "$home/cluster/PG_VERSION")
        if [ -x "/usr/lib/postgresql/$version/bin/postgres" ]; then
            programs=/usr/lib/postgresql/$version/bin
        elif [ "$("$programs/postgres" --version | sed -E 's/^[^0-9]*([0-9]+).*/\1/')" != "$version" ]
        then
            die 3 "$home/cluster was made by PostgreSQL $version, which is not installed any more"
        fi
    fi
    echo "$programs"
}

cluster_is_ready() {
    local home=$1 programs
    programs=$(cluster_programs) || return 1
    [ -n "$(home_sockets "$home")" ] &&
        as_service / "$programs/pg_isready" -q -d postgres \
            -h "$(home_sockets "$home")" -p 5432
}

# A connection string for libpq, quoted as it wants.
cluster_conninfo() {
    local there
    there=$(home_sockets "$1")
    there=${there//\\/\\\\}
    printf "host='%s' port=5432 dbname=tender user='%s'" "${there//\'/\\\'}" "$(service_user)"
}

# Makes the cluster under another name first: an interrupted run leaves nothing half made.
cluster_create() {
    local home=$1 programs=$2 fresh=$1/cluster.new
    rm -rf -- "$fresh"
    mkdir -m 0700 "$fresh"
    is_root && chown "$(service_user):" "$fresh"
    as_service "$fresh" "$programs/initdb" -D "$fresh" -U "$(service_user)" --no-instructions \
        --locale=C.UTF-8 --encoding=UTF8 --auth-local=trust --auth-host=reject || return 1
    as_service "$fresh" tee -a "$fresh/postgresql.conf" >/dev/null <<'CONF' || return 1

# Tender: reached by its socket alone, whose directory is private; every commit is durable.
listen_addresses = ''
unix_socket_permissions = 0700
fsync = on
synchronous_commit = on
full_page_writes = on
max_connections = 60
timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = '%m [%p] %a '
CONF
    mv -- "$fresh" "$home/cluster"
}

# Starts the server. One that was killed may stand in the way until the system has buried it, so
# this is tried for ten seconds.
cluster_start() {
    wait_until 10 cluster_try_start "$@" && wait_until 10 cluster_is_ready "$1"
}

cluster_try_start() {
    local home=$1 programs=$2 there
    there=$(home_sockets "$home")
    # The server's own words go to its log; descriptor 9 is the lock, and must not live on in it.
    as_service "$home/cluster" "$programs/pg_ctl" start -s -w -t 60 -D "$home/cluster" \
        -l "$home/log/postgresql.log" -o "-k '${there//\'/\'\\\'\'}' -p 5432" \
        >"$home/setup/pg_ctl.log" 2>&1 9>&-
}

cluster_ensure() {
    local home=$1 programs
    programs=$(cluster_programs_for "$home")
    if cluster_is_ready "$home"; then
        return 0
    fi
    home_ensure_sockets "$home"
    if [ ! -d "$home/cluster" ]; then
        quietly "$home/setup/initdb.log" "making a private PostgreSQL cluster" \
            cluster_create "$home" "$programs" || return 1
    fi
    if ! cluster_start "$home" "$programs"; then
        tail -n 20 "$home/setup/pg_ctl.log" "$home/log/postgresql.log" >&2
        die 3 "PostgreSQL does not start; see $home/log/postgresql.log"
    fi
    if [ -z "$(cluster_sql "$home" postgres "select 1 from pg_database where datname = 'tender'")" ]; then
        cluster_sql "$home" postgres "create database tender"
    fi
}

# cluster_sql HOME DATABASE STATEMENT
cluster_sql() {
    local home=$1 programs
    programs=$(cluster_programs_for "$home")
    as_service / "$programs/psql" -X -q -A -t -v ON_ERROR_STOP=1 -h "$(home_sockets "$home")" \
        -p 5432 -U "$(service_user)" -d "$2" -c "$3" </dev/null
}

cluster_stop() {
    local home=$1 programs
    [ -d "$home/cluster" ] || return 0
    programs=$(cluster_programs_for "$home")
    if cluster_is_ready "$home" || as_service / test -e "$home/cluster/postmaster.pid"; then
        as_service "$home/cluster" "$programs/pg_ctl" stop -s -w -t 60 -m fast \
            -D "$home/cluster" >/dev/null 2>&1 || true
    fi
    ! cluster_is_ready "$home"
}
