# shellcheck shell=bash
# A data directory ($home): where it is, its mark, its lock, its env file. Needs common.sh.
#
#     .tender-home   the mark: the checkout that made it. Only a directory that has it is deleted.
#     lock           held by whoever starts, stops or deletes
#     env            the file to source; there once the system was started
#     attempt        how often the worked example was begun; `example` is there once it ended
#     bin lib share  the installed programs
#     run            0700: sockets and process ids
#     cluster        0700: the private PostgreSQL, unless a database of yours is used
#     log            what each service prints
#     setup          what setting up prints: apt, the build, initdb. The caller's, as `bin` is,
#                    so that root never writes where the service user could have put a link.

home_mark=.tender-home

# The default: one per checkout, so that two of them live side by side.
home_default() {
    local checkout=$1 hash
    hash=$(printf %s "$checkout" | sha256sum | cut -c 1-12)
    if is_root; then
        echo "/var/lib/tender/$hash"
    else
        echo "${XDG_STATE_HOME:-${HOME:-~}/.local/state}/tender/$hash"
    fi
}

home_is_marked() {
    [ -f "$1/$home_mark" ]
}

# The checkout that a directory was made from.
home_checkout() {
    cat "$1/$home_mark"
}

# home_prepare HOME CHECKOUT  Makes and marks the directory; refuses one that holds other things.
home_prepare() {
    local home=$1 checkout=$2 user
    if [ -e "$home" ] && ! home_is_marked "$home" && [ -n "$(ls -A "$home" 2>/dev/null)" ]; then
        die 2 "$home is not empty and is not a data directory of Tender: name another by --home"
    fi
    user=$(service_user)
    # A directory above it must let the service user through, whatever the caller's umask.
    (umask 022 && mkdir -p "$home") || die 2 "cannot make the directory $home"
    (umask 022 && printf '%s\n' "$checkout" >"$home/$home_mark") ||
        die 2 "cannot write to $home; it belongs to $(stat -c %U "$home")"
    mkdir -p "$home/run" "$home/log" "$home/setup"
    chmod 0700 "$home/run"
    if is_root; then
        chown "$user:" "$home/run" "$home/log"
        as_service / test -x "$home" || die 2 "$home is closed to the user $user, who shall run" \
            "the services there (a directory above it is private): name another by --home"
    fi
}

# home_lock HOME  One at a time; the lock goes with the process. Descriptor 9 is closed for servers.
home_lock() {
    exec 9>>"$1/lock"
    if ! flock -n 9; then
        say "waiting for another run in $1"
        flock -w 120 9 || die 3 "another run in $1 is still at it; interrupt that one"
    fi
    # Deleted while this one waited.
    [ -e "$1/lock" ] || die 3 "$1 was deleted meanwhile; run it again"
}

# The directory of sockets. A path of more than 107 bytes is no socket, and lists of addresses have
# spaces between, so such a home has its own private one elsewhere, and says so in run/elsewhere.
home_sockets() {
    local home=$1
    if [ "$(printf %s "$home/run/.s.PGSQL.5432.lock" | wc -c)" -lt 107 ] &&
        [[ $home =~ ^[A-Za-z0-9._/@+-]+$ ]]; then
        echo "$home/run"
    elif [ -s "$home/run/elsewhere" ]; then
        cat "$home/run/elsewhere"
    fi
}

home_ensure_sockets() {
    local home=$1 there
    there=$(home_sockets "$home")
    if [ -z "$there" ] || [ ! -d "$there" ]; then
        there=$(as_service / mktemp -d /tmp/tender-XXXXXXXX)
        as_service / sh -c "echo '$there' >\"\$1\"" sh "$home/run/elsewhere"
    fi
}

# home_write_env HOME URL DATABASE [PGUSER]  PGUSER stands for the private cluster.
home_write_env() {
    local home=$1 url=$2 database=$3 user=${4:-}
    rm -f -- "$home/env.new"
    (umask 077 && : >"$home/env.new") # a connection string may hold a password
    {
        echo "# Source this file to work with the Tender of this directory."
        # shellcheck disable=SC2016
        printf '%s\n' 'for tender_name in $(env | sed -n "s/^\(PG[A-Z]*\)=.*/\1/p"); do' \
            '    unset "$tender_name"' 'done' 'unset tender_name'
        echo "export TENDER_HOME=$(sh_quote "$home")"
        echo "export TENDER_URL=$(sh_quote "$url")"
        echo "export TENDER_DATABASE=$(sh_quote "$database")"
        echo "export TENDER_KEY=$(sh_quote "$home/keys/peer.key")"
        echo "export TENDER_BROKER_KEY=$("$home/bin/tender" key show "$home/keys/broker.key")"
        if [ -n "$user" ]; then
            echo "export PGHOST=$(sh_quote "$(home_sockets "$home")") PGPORT=5432 PGDATABASE=tender"
            echo "export PGUSER=$(sh_quote "$user")"
        fi
        # shellcheck disable=SC2016
        echo 'case ":$PATH:" in *":$TENDER_HOME/bin:"*) ;; *) PATH="$TENDER_HOME/bin:$PATH" ;; esac'
        # shellcheck disable=SC2016
        echo 'tender_pc=$TENDER_HOME/lib/pkgconfig'
        # shellcheck disable=SC2016
        echo 'case ":${PKG_CONFIG_PATH:-}:" in *":$tender_pc:"*) ;;' \
            '*) PKG_CONFIG_PATH="$tender_pc${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}" ;; esac'
        echo 'unset tender_pc; export PATH PKG_CONFIG_PATH'
    } >"$home/env.new"
    mv "$home/env.new" "$home/env"
}

# home_delete HOME  Only with the mark, and never a directory that nobody means.
home_delete() {
    local home=$1 elsewhere
    home_is_marked "$home" || die 2 "$home does not carry Tender's mark ($home_mark): not deleted"
    elsewhere=$(cat "$home/run/elsewhere" 2>/dev/null || true)
    case $elsewhere in
    /tmp/tender-????????) rm -rf -- "$elsewhere" ;;
    esac
    # The mark goes last, so that a deletion which was interrupted can be repeated.
    find "$home" -mindepth 1 -maxdepth 1 ! -name "$home_mark" -exec rm -rf -- {} +
    rm -f -- "$home/$home_mark"
    rmdir -- "$home" 2>/dev/null || true
}
