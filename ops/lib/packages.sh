# shellcheck shell=bash
# Debian packages: which are needed for what, which are missing, and installing only those.
# Needs common.sh.

# One row a need: "package[|package of another release] probe", where the probe is a command, a file
# (it begins with /; a pattern) or `-`: the package itself.
packages_for_build() {
    cat <<'ROWS'
gcc cc
libc6-dev -
cmake cmake
ninja-build ninja
pkgconf|pkg-config pkg-config
libnng-dev -
libmsgpack-c-dev|libmsgpack-dev -
libpq-dev -
libuv1-dev -
libsodium-dev -
libssl-dev -
libjansson-dev -
uthash-dev -
libsmartcols-dev -
postgresql /usr/lib/postgresql/*/bin/initdb
ROWS
}

packages_for_tests() {
    cat <<'ROWS'
faketime faketime
g++ g++
git git
libcmocka-dev -
python3 /usr/bin/python3
python3-msgpack -
python3-nacl -
postgresql-15-pgtap|postgresql-17-pgtap /usr/share/postgresql/*/extension/pgtap.control
libtap-parser-sourcehandler-pgtap-perl pg_prove
scdoc scdoc
shellcheck shellcheck
ROWS
}

# Style and fuzzing are bound to clang 14, which Debian 12 has and Debian 13 has not.
packages_for_clang() {
    cat <<'ROWS'
clang-14 clang-14
libclang-rt-14-dev -
clang-format-14 clang-format-14
ROWS
}

is_installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# need_is_met PACKAGES PROBE
need_is_met() {
    local package
    case $2 in
    -)
        for package in ${1//|/ }; do
            is_installed "$package" && return 0
        done
        return 1
        ;;
    /*) compgen -G "$2" >/dev/null ;;
    *) command -v "$2" >/dev/null ;;
    esac
}

# Reads rows; prints the alternatives of each need that is not met.
packages_missing() {
    local packages probe
    while read -r packages probe; do
        need_is_met "$packages" "$probe" || echo "$packages"
    done
}

# The first of the alternatives "$1" that this release has.
package_available() {
    local package
    for package in ${1//|/ }; do
        if [ -n "$(apt-cache show --no-all-versions "$package" 2>/dev/null)" ]; then
            echo "$package"
            return 0
        fi
    done
    return 1
}

# How to run apt-get as root; empty output where there is no way.
apt_prefix() {
    if is_root; then
        echo env
    elif command -v sudo >/dev/null; then
        echo "sudo env"
    fi
}

# Installing a server makes Debian start a cluster `main` on port 5432, which nobody asked for. Asks
# it not to, and takes the request back; a server that was there before is not touched.
install_packages() {
    local conf=/etc/postgresql-common/createcluster.d/tender.conf prefix status=0
    read -ra prefix <<<"$(apt_prefix)"
    prefix+=(DEBIAN_FRONTEND=noninteractive LC_ALL=C)
    if is_among postgresql "$@"; then
        "${prefix[@]}" mkdir -p "${conf%/*}"
        echo 'create_main_cluster = false' | "${prefix[@]}" tee "$conf" >/dev/null
    fi
    "${prefix[@]}" apt-get install -y --no-install-recommends "$@" || status=$?
    if is_among postgresql "$@"; then
        "${prefix[@]}" rm -f "$conf"
    fi
    return "$status"
}

# ensure_packages LOG ROWS-FUNCTION…  Leaves apt alone when nothing is missing.
ensure_packages() {
    local log=$1 rows wanted=() chosen=() need package prefix
    shift
    mapfile -t wanted < <(for rows in "$@"; do "$rows"; done | packages_missing)
    [ ${#wanted[@]} -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        die 2 "needs the Debian packages ${wanted[*]}, and this system has no apt-get"
    fi
    read -ra prefix <<<"$(apt_prefix)"
    if [ ${#prefix[@]} -eq 0 ]; then
        die 2 "needs the packages ${wanted[*]}; neither root nor sudo is at hand to install them." \
            "As root: apt-get install --no-install-recommends ${wanted[*]%%|*}"
    fi
    if [ "${prefix[0]}" = sudo ] && ! sudo -v; then
        die 2 "sudo is refused, and the packages ${wanted[*]} are missing"
    fi
    # A third party's source may be broken while Debian's own answer: go on and see.
    quietly "$log" "asking apt what there is" "${prefix[@]}" apt-get update || true
    for need in "${wanted[@]}"; do
        package=$(package_available "$need") || die 2 "this release of Debian has no package $need"
        chosen+=("$package")
    done
    quietly "$log" "installing ${chosen[*]}" install_packages "${chosen[@]}" || return 1
}
