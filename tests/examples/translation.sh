#!/usr/bin/env bash
# The worked example for real: broker, PostgreSQL and three contractors as processes, the script that
# quickstart runs, and then each number of its story asked from the ledger.
# Run by with-postgres, which sets TENDER_DATABASE: translation.sh TENDERD TENDER MODEL-TIER
set -uo pipefail

# shellcheck source=harness.sh
. "$(dirname "${BASH_SOURCE[0]}")/harness.sh" "$1" "$2"
export MODEL_TIER=$3 TMPDIR=$work
"$source/examples/translation/run" --speed 1200 >"$work/run.log" 2>&1 ||
    give_up "the example runs to its end"
grep -qE '\| sum +\| +18\.50* +\|' "$work/run.log" || give_up "the example prints the sum, 18.5"

n() { # credits without trailing zeros
    echo "trim_scale($1)"
}
is "the task is done, 40 of 40 units, under a ceiling of 30" \
    "select status, units_done, units, $(n ceiling), skill, round from tender.task" \
    "done 40 40 30 translate.de 2"
is "12 units were announced again, under the ceiling of their share" \
    "select round, units, $(n ceiling), invited from tender.round order by round" \
    "1 40 30 3, 2 12 9 2"
is "A bid 12 and 55 minutes, B 15 and 45, C refused over capacity" \
    "select contractor, $(n cost), extract(epoch from eta)::int / 60, status, reason
     from tender.bid where round = 1 order by contractor" \
    "tier-a 12 55 won lowest-cost, tier-b 15 45 lost outbid, tier-c   refused over-capacity"
is "A was out of the second round, where B bid 4.5 and C 8" \
    "select contractor, $(n cost), status, rank from tender.bid where round = 2 order by rank" \
    "tier-b 4.5 won 1, tier-c 8 lost 2"
is "each winner is promised the other's cost" \
    "select round, contractor, $(n cost), $(n price) from tender.award order by round" \
    "1 tier-a 12 15, 2 tier-b 4.5 8"
is "A delivered 28 of 40 and failed; B delivered 12" \
    "select owner, units_done, units, $(n paid), status from tender.commitment order by round" \
    "tier-a 28 40 10.5 failed, tier-b 12 12 8 fulfilled"
is "A said why: its quality check" \
    "select body::json ->> 'said' from tender_ledger.entry
     where body::json ->> 'state' = 'failed'" \
    "quality-check"
is "B says what its work cost: what it had bid and expected, to the token" \
    "select contractor, tier, reports, $(n ratio), $(n estimate_ratio), $(n bias), $(n measured),
     tokens_out from tender.bid_fidelity" \
    "tier-b tier-b 1 1 1 0 4.5 30000"
is "each principal has what it earned" \
    "select principal, $(n earned) from tender.account where earned > 0 order by principal" \
    "agency-a 10.5, agency-b 8"
is "the client spent 18.5; 11.5 of 30 were released" \
    "select $(n available), $(n reserved), $(n spent) from tender.account
     where principal = 'helpdesk'" \
    "81.5 0 18.5"
is "postings of every transaction sum to zero" \
    "select count(*) from (select posting_id from tender.posting group by posting_id
     having sum(amount) <> 0) as off" \
    "0"
is "times in the ledger are as stated: nothing but work was sped up" \
    "select extract(epoch from c.due_at - a.awarded_at)::int / 60
     from tender.commitment c join tender.award a using (task_id, round) where round = 1" \
    "55"
is "each contractor came once and left once" \
    "select count(*) filter (where kind = 20), count(*) filter (where kind = 21)
     from tender_ledger.entry where task_id = '00000000-0000-0000-0000-000000000000'" \
    "3 3"
restart_broker
"$source/examples/translation/run" --speed 6000 >"$work/again.log" 2>&1 ||
    give_up "contractors that come back after a restart are on record again"
[ "$failed" -eq 0 ] || tail -n 40 "$work"/*.log
[ "$failed" -eq 0 ]
