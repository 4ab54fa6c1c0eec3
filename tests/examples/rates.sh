#!/usr/bin/env bash
# The example for real: broker, PostgreSQL and contractors as processes, and then its story asked from the
# ledger. Run by with-postgres, which sets TENDER_DATABASE: rates.sh TENDERD TENDER
set -uo pipefail

# shellcheck source=harness.sh
. "$(dirname "${BASH_SOURCE[0]}")/harness.sh" "$1" "$2"
tender account fund acme 100 >"$work/fund.log" 2>&1 || give_up "money is put in"
"$source/examples/rates/run" >"$work/run.log" 2>&1 || give_up "the example runs"

is "each small task is assigned, or a sample that says the rate" "
    select count(*), bool_and(r.posted = 0.40 and (r.outcome = 'assigned') <> (r.outcome = 'awarded'))
    from tender.task t join tender.round r using (task_id) where t.units = 2 and r.round = 1" "30 t"
is "what is assigned costs the posted rate and has no bid" "
    select bool_and(c.price = 0.80 and b.task_id is null)
    from tender.round r join tender.commitment c using (task_id, round)
    left join tender.bid b using (task_id, round) where r.outcome = 'assigned'" "t"
is "the large one is auctioned" "
    select r.outcome, r.posted is null, count(b.contractor)
    from tender.round r join tender.bid b using (task_id, round)
    where r.units = 10 and r.round = 1 group by 1, 2" "awarded t 3"
is "the samples and the others are counted" "
    select assigned + samples, posted = 0.80 * assigned, saved is not null
    from tender.shortcut_cost where skill = 'tag.photos'" "30 t t"
is "every task is done and every chain holds" "
    select bool_and(t.status = 'done'), sum(v.faults)
    from tender.task t cross join lateral tender.verify_task(t.task_id) v" "t 0"
[ "$failed" -eq 0 ]
