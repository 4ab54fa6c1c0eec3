#!/usr/bin/env bash
# Attacks for real, each against a broker of its own, and SECURITY.md, whose table says how each comes out.
# Run by with-postgres, which sets TENDER_DATABASE: redteam.sh TENDERD TENDER REDTEAM-AGENTS [ATTACK…]
set -uo pipefail

# shellcheck source=harness.sh
. "$(dirname "${BASH_SOURCE[0]}")/harness.sh" "$1" "$2"
ln -s "$1" "$work/bin/tenderd"
export REDTEAM_AGENTS=$3
shift 3
run=$source/examples/redteam/run

# claims NAME STATUS  What became of it is said in one line.
claims() {
    if [ "$2" -eq 0 ]; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        failed=$((failed + 1))
    fi
}

for attack in "$@"; do
    "$run" "$attack" >"$work/$attack.log" 2>&1
    status=$?
    cat "$work/$attack.log"
    claims "$attack comes out as SECURITY.md says" "$status"
    status=0
    [ "$(wc -l <"$work/$attack.log")" -le 40 ] || status=1
    claims "the verdict of $attack is one screen" "$status"
    verdict=$("$run" --list | awk -F '\t' -v attack="$attack" '$1 == attack { print $2 }')
    grep -q "^| \`$attack\` | .* | $verdict" "$source/SECURITY.md"
    claims "SECURITY.md says that $attack is $verdict" $?
done
is "every chain holds" "
    select coalesce(sum(v.faults), 0)
    from tender.task t cross join lateral tender.verify_task(t.task_id) v" "0"
[ "$failed" -eq 0 ]
