/*
 * Split awards, play by play: how parts end, and with them their task. The rounds that make them
 * are in test_split_plays.c.
 */
#include "play.h"

/* clang-format off */
PLAY(cancelling_ends_every_part_with_its_fee_and_what_is_done_is_paid, CAST,
    "client announces t units=40 ceiling=30 split=4", "a bids t 0.2 30m capacity=20",
    "b bids t 0.3 30m capacity=10", "c bids t 0.4 30m capacity=10",
    "= answered:a=standing,b=standing,c=standing"
     " awarded:a@15#1.1/20[a=1/lowest-cost,b=2/lowest-cost,c=3/lowest-cost]"
     " awarded:b@7.5#2.1/10 awarded:c@7.5#3.1/10 closed:none >a accept-proposal(15#1) >client"
     " inform(awarded,active#1) >b accept-proposal(7.5#2) >client inform(awarded,active#2) >c"
     " accept-proposal(7.5#3) >client inform(awarded,active#3)",
    "a done t 20 part=1 gen=1",
    "= settled#1:fulfilled(completed)/20/15 >client inform-done >a inform(fulfilled#1)"
     " >client inform(awarded,fulfilled#1)",
    "b progress t 4 part=2 gen=1",
    "= acknowledged#2 progressed#2:4 >client inform-progress",
    "c progress t 10 part=3 gen=1",
    "= acknowledged#3 progressed#3:10 >client inform-progress",
    "client cancels t",
    "= settled#2:cancelled(cancelled-by-client)/4/3.45/fee=0.45"
     " settled#3:fulfilled(completed)/10/7.5 ended:cancelled(cancelled-by-client)/4.05 >b"
     " cancel(cancelled-by-client#2) >client inform(awarded,cancelled#2) >c"
     " cancel(completed#3) >client inform(open,fulfilled#3) >client inform(cancelled) >client"
     " agree",
    "? acme 74.05 0 25.95 0", "client cancels t",
    "= >client agree")

PLAY(a_part_that_is_not_acknowledged_or_lapses_is_announced_again, CAST,
    "client announces t units=40 ceiling=30 split=4 ack=10s", "a bids t 0.2 10m capacity=20",
    "b bids t 0.3 10m capacity=20", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " awarded:a@15#1.1/20[a=1/lowest-cost,b=2/lowest-cost] awarded:b@15#2.1/20 closed:none >a"
     " accept-proposal(15#1) >client inform(awarded,active#1) >b accept-proposal(15#2) >client"
     " inform(awarded,active#2)",
    "a acks t part=1 gen=1",
    "= acknowledged#1",
    "wait 11s",
    "= settled#2:declined(not-acknowledged)/0/0 opened:2/20/15 >b cancel(not-acknowledged#2)"
     " >client inform(awarded,declined#2) >c cfp(2) >a cfp(2)",
    "c refuses t", "a refuses t",
    "= answered:c=refused(over-capacity),a=refused(over-capacity) closed:no-eligible-bid",
    "wait 10m",
    "= opened:3/20/15 >c cfp(3) >a cfp(3) closed:no-eligible-bid"
     " settled#1:lapsed(due-passed)/0/0 ended:unallocated(rounds-exhausted)/30 >a"
     " cancel(due-passed#1) >client inform(open,lapsed#1) >client inform(unallocated)",
    "a done t 20 part=1 gen=1",
    "= late:already-ended >a not-understood(already-ended#1)",
    "b acks t part=2 gen=1",
    "= >b not-understood(already-ended#2)",
    "? acme 100 0 0 0")

PLAY(parts_go_on_across_a_restart, CAST,
    "client announces t units=40 ceiling=30 split=4", "a bids t 0.2 30m capacity=20",
    "b bids t 0.3 30m capacity=20", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " awarded:a@15#1.1/20[a=1/lowest-cost,b=2/lowest-cost] awarded:b@15#2.1/20 closed:none >a"
     " accept-proposal(15#1) >client inform(awarded,active#1) >b accept-proposal(15#2) >client"
     " inform(awarded,active#2)",
    "a progress t 7 part=1 gen=1",
    "= acknowledged#1 progressed#1:7 >client inform-progress",
    "restart", "join a amber forge 4",
    "= >a welcome >a agree",
    "join b birch forge 4",
    "= >b welcome >b accept-proposal(15#2) >b agree",
    "b acks t part=2 gen=1",
    "= acknowledged#2",
    "join c cedar forge 4",
    "= >c welcome >c agree",
    "a fails t 7 part=1 gen=1",
    "= settled#1:failed(contractor-failed)/7/5.25 opened:2/13/9.75 >a inform(failed#1) >c"
     " cfp(2) >b cfp(2)",
    "restart", "join b birch forge 4",
    "= >b welcome >b agree >b cfp(2)",
    "join c cedar forge 4",
    "= >c welcome >c agree >c cfp(2)",
    "c bids t 0.5 30m capacity=13", "wait 20s",
    "= answered:c=standing departed awarded:c@9.75#3.1/13[c=1/lowest-cost] closed:none >c"
     " accept-proposal(9.75#3)",
    "restart", "join b birch forge 4",
    "= >b welcome >b agree",
    "join c cedar forge 4",
    "= >c welcome >c accept-proposal(9.75#3) >c agree",
    "b done t 20 part=2 gen=1",
    "= settled#2:fulfilled(completed)/20/15 >b inform(fulfilled#2)",
    "c done t 13 part=3 gen=1",
    "= settled#3:fulfilled(completed)/13/9.75 ended:done(completed)/0 >c inform(fulfilled#3)",
    "? acme 70 0 30 0")

PLAY(partial_none_pays_nothing_for_a_part_that_is_short, CAST,
    "client announces t units=40 ceiling=30 split=4 partial=none rounds=1",
    "a bids t 0.2 30m capacity=20", "b bids t 0.3 30m capacity=20", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " awarded:a@15#1.1/20[a=1/lowest-cost,b=2/lowest-cost] awarded:b@15#2.1/20 closed:none >a"
     " accept-proposal(15#1) >client inform(awarded,active#1) >b accept-proposal(15#2) >client"
     " inform(awarded,active#2)",
    "a fails t 19 part=1 gen=1",
    "= settled#1:failed(contractor-failed)/0/0/of=19 >client failure >a inform(failed#1)"
     " >client inform(awarded,failed#1)",
    "b done t 20 part=2 gen=1",
    "= settled#2:fulfilled(completed)/20/15 ended:unallocated(rounds-exhausted)/15 >client"
     " inform-done >b inform(fulfilled#2) >client inform(open,fulfilled#2) >client"
     " inform(unallocated)",
    "? acme 85 0 15 0")

PLAY(rounds_used_up_end_the_task_when_its_parts_have_ended, CAST,
    "client announces t units=40 ceiling=30 split=4 rounds=1", "a bids t 0.2 30m capacity=20",
    "b bids t 0.3 30m capacity=10", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " awarded:a@15#1.1/20[a=1/lowest-cost,b=2/lowest-cost] awarded:b@7.5#2.1/10"
     " closed:short-capacity >a accept-proposal(15#1) >client inform(awarded,active#1) >b"
     " accept-proposal(7.5#2) >client inform(awarded,active#2)",
    "a done t 20 part=1 gen=1",
    "= settled#1:fulfilled(completed)/20/15 >client inform-done >a inform(fulfilled#1)"
     " >client inform(awarded,fulfilled#1)",
    "b fails t 3 part=2 gen=1",
    "= settled#2:failed(contractor-failed)/3/2.25 ended:unallocated(rounds-exhausted)/12.75"
     " >client failure >b inform(failed#2) >client inform(open,failed#2) >client"
     " inform(unallocated)",
    "? acme 82.75 0 17.25 0")

PLAY(the_deadline_lets_parts_run_to_their_due, CAST,
    "client announces t units=40 ceiling=30 split=4 due=60m deadline=15m rounds=9",
    "a bids t 0.2 14m capacity=20", "b bids t 0.3 5m capacity=10", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " awarded:a@15#1.1/20[a=1/lowest-cost,b=2/lowest-cost] awarded:b@7.5#2.1/10"
     " closed:short-capacity >a accept-proposal(15#1) >client inform(awarded,active#1) >b"
     " accept-proposal(7.5#2) >client inform(awarded,active#2)",
    "a acks t part=1 gen=1",
    "= acknowledged#1",
    "b acks t part=2 gen=1",
    "= acknowledged#2",
    "mute c", "wait 5m",
    "= opened:2/10/7.5 >c cfp(2) >b cfp(2) >a cfp(2) departed closed:no-eligible-bid"
     " opened:3/10/7.5 >b cfp(3) >a cfp(3) closed:no-eligible-bid opened:4/10/7.5 >b cfp(4) >a"
     " cfp(4) closed:no-eligible-bid opened:5/10/7.5 closed:no-eligible-bid opened:6/10/7.5"
     " closed:no-eligible-bid opened:7/10/7.5 closed:no-eligible-bid opened:8/10/7.5"
     " closed:no-eligible-bid opened:9/10/7.5 closed:no-eligible-bid",
    "mute b", "wait 10m",
    "= settled#2:lapsed(due-passed)/0/0 >b cancel(due-passed#2) >client"
     " inform(awarded,lapsed#2) departed settled#1:lapsed(due-passed)/0/0"
     " ended:unallocated(rounds-exhausted)/30 >a cancel(due-passed#1) >client"
     " inform(open,lapsed#1) >client inform(unallocated)",
    "? acme 100 0 0 0")

PLAY(reports_on_parts_of_others_or_of_none_change_nothing, CAST,
    "client announces t units=40 ceiling=30 split=4", "a bids t 0.2 30m capacity=20",
    "b bids t 0.3 30m capacity=20", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " awarded:a@15#1.1/20[a=1/lowest-cost,b=2/lowest-cost] awarded:b@15#2.1/20 closed:none >a"
     " accept-proposal(15#1) >client inform(awarded,active#1) >b accept-proposal(15#2) >client"
     " inform(awarded,active#2)",
    "b done t 20 part=1 gen=1",
    "= >b not-understood(not-yours#1)",
    "a done t 20 part=7 gen=1",
    "= >a not-understood(stale-generation#7)",
    "a done t 20 gen=1",
    "= >a not-understood(stale-generation)",
    "a done t 20 part=1 gen=2",
    "= >a not-understood(stale-generation#1)",
    "a done t 21 part=1 gen=1",
    "= >a not-understood(too-many-units#1)",
    "a done t 19 part=1 gen=1",
    "= >a not-understood(fewer-units#1)",
    "a done t 20 part=1 gen=1",
    "= settled#1:fulfilled(completed)/20/15 >client inform-done >a inform(fulfilled#1)"
     " >client inform(awarded,fulfilled#1)",
    "a done t 20 part=1 gen=1",
    "= >a inform(fulfilled#1)",
    "a fails t 3 part=1 gen=1",
    "= late:already-ended >client inform(fulfilled#1) >a not-understood(already-ended#1)")

PLAY(a_delivered_part_awaits_its_decision_before_the_task_is_cancelled, CAST,
    "client announces t units=40 ceiling=30 split=4 accept=1h", "a bids t 0.2 30m capacity=20",
    "b bids t 0.3 30m capacity=20", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " awarded:a@15#1.1/20[a=1/lowest-cost,b=2/lowest-cost] awarded:b@15#2.1/20 closed:none >a"
     " accept-proposal(15#1) >client inform(awarded,active#1) >b accept-proposal(15#2) >client"
     " inform(awarded,active#2)",
    "a done t 20 part=1 gen=1",
    "= delivered:20 >client inform-done >a inform(delivered#1) >client"
     " inform(awarded,delivered#1)",
    "client cancels t",
    "= >client refuse(awaits-decision)",
    "b fails t 20 part=2 gen=1",
    "= settled#2:failed(contractor-failed)/0/0/of=20 opened:2/20/15 >client failure >b"
     " inform(failed#2) >client inform(awarded,failed#2) >c cfp(2) >a cfp(2)",
    "client rejects t part=1 gen=1 units=5",
    "= settled#1:failed(rejected)/5/3.75/of=20 >a inform(failed#1) >client"
     " inform(open,failed#1) >client agree",
    "? acme 70 26.25 3.75 0", "client cancels t",
    "= closed:round-cancelled ended:cancelled(cancelled-by-client)/26.25 >client"
     " inform(cancelled) >client agree")

PLAY(a_hold_waits_for_the_parts, CAST,
    "client announces t units=40 ceiling=30 split=4", "a bids t 0.2 30m capacity=20",
    "b bids t 0.3 30m capacity=10", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " awarded:a@15#1.1/20[a=1/lowest-cost,b=2/lowest-cost] awarded:b@7.5#2.1/10"
     " closed:short-capacity >a accept-proposal(15#1) >client inform(awarded,active#1) >b"
     " accept-proposal(7.5#2) >client inform(awarded,active#2)",
    "op root holds t",
    "= held:other/later >root agree >client inform(awarded)",
    "a done t 20 part=1 gen=1",
    "= settled#1:fulfilled(completed)/20/15 >client inform-done >a inform(fulfilled#1)"
     " >client inform(awarded,fulfilled#1)",
    "b done t 10 part=2 gen=1",
    "= settled#2:fulfilled(completed)/10/7.5 held:other >client inform-done >b"
     " inform(fulfilled#2) >client inform(open,fulfilled#2) >client inform(held)")

PLAY(a_late_result_of_a_part_is_adopted_while_its_units_are_announced_again, CAST,
    "client announces t units=40 ceiling=30 split=4", "a bids t 0.2 30m capacity=20",
    "b bids t 0.3 30m capacity=20", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " awarded:a@15#1.1/20[a=1/lowest-cost,b=2/lowest-cost] awarded:b@15#2.1/20 closed:none >a"
     " accept-proposal(15#1) >client inform(awarded,active#1) >b accept-proposal(15#2) >client"
     " inform(awarded,active#2)",
    "a fails t 0 part=1 gen=1",
    "= settled#1:declined(declined)/0/0 opened:2/20/15 >client failure >a inform(declined#1)"
     " >client inform(awarded,declined#1) >c cfp(2) >b cfp(2)",
    "a done t 20 part=1 gen=1",
    "= late:already-ended >client inform(declined#1) >a not-understood(already-ended#1)",
    "client adopts t part=1 gen=1",
    "= closed:adopted adopted:20/15 >a inform(declined#1) >client inform(awarded) >client"
     " agree",
    "b done t 20 part=2 gen=1",
    "= settled#2:fulfilled(completed)/20/15 ended:done(completed)/0 >client inform-done >b"
     " inform(fulfilled#2) >client inform(open,fulfilled#2) >client inform(done)",
    "? acme 70 0 30 0")

PLAY(a_goal_that_is_over_stops_parts, CAST,
    "client announces t units=40 ceiling=30 split=4 goal=g", "a bids t 0.2 30m capacity=20",
    "b bids t 0.3 30m capacity=20", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " awarded:a@15#1.1/20[a=1/lowest-cost,b=2/lowest-cost] awarded:b@15#2.1/20 closed:none >a"
     " accept-proposal(15#1) >client inform(awarded,active#1) >b accept-proposal(15#2) >client"
     " inform(awarded,active#2)",
    "a progress t 5 part=1 gen=1",
    "= acknowledged#1 progressed#1:5 >client inform-progress",
    "client believes goal:g irrelevant",
    "= goaled:g(irrelevant) >client inform(irrelevant) >a inform(irrelevant) >b"
     " inform(irrelevant) >client agree",
    "tick",
    "= settled#1:cancelled(irrelevant)/5/4.875/fee=1.125"
     " settled#2:cancelled(irrelevant)/0/1.5/fee=1.5 ended:cancelled(irrelevant)/23.625 >a"
     " cancel(irrelevant#1) >client inform(awarded,cancelled#1) >b cancel(irrelevant#2)"
     " >client inform(open,cancelled#2) >client inform(cancelled)",
    "? acme 93.625 0 6.375 0")

PLAY(a_goal_that_is_over_stops_the_parts_that_await_no_decision, CAST,
    "client announces t units=40 ceiling=30 split=4 goal=g accept=1h",
    "a bids t 0.2 30m capacity=20", "b bids t 0.3 30m capacity=20", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " awarded:a@15#1.1/20[a=1/lowest-cost,b=2/lowest-cost] awarded:b@15#2.1/20 closed:none >a"
     " accept-proposal(15#1) >client inform(awarded,active#1) >b accept-proposal(15#2) >client"
     " inform(awarded,active#2)",
    "a done t 20 part=1 gen=1",
    "= delivered:20 >client inform-done >a inform(delivered#1) >client"
     " inform(awarded,delivered#1)",
    "client believes goal:g irrelevant",
    "= goaled:g(irrelevant) >client inform(irrelevant) >a inform(irrelevant) >b"
     " inform(irrelevant) >client agree",
    "tick",
    "= settled#2:cancelled(irrelevant)/0/1.5/fee=1.5 >b cancel(irrelevant#2) >client"
     " inform(awarded,cancelled#2)",
    "client accepts t part=1 gen=1",
    "= settled#1:fulfilled(completed)/20/15 ended:cancelled(irrelevant)/13.5 >client"
     " inform-done >a inform(fulfilled#1) >client inform(open,fulfilled#1) >client"
     " inform(cancelled) >client agree",
    "? acme 83.5 0 16.5 0")

PLAY(a_round_that_closes_after_its_goal_is_over_leaves_the_parts_to_be_stopped, CAST,
    "client announces t units=40 ceiling=30 split=4 goal=g backoff=0s",
    "a bids t 0.2 30m capacity=20", "b refuses t", "c refuses t", "b bids t 0.5 30m capacity=5",
    "client believes goal:g irrelevant", "a refuses t", "c refuses t",
    "= answered:b=standing,a=refused(over-capacity),c=refused(over-capacity)"
    " closed:goal-suspended[b=0/goal-suspended] >b reject-proposal(goal-suspended)",
    "restart", "tick",
    "= settled#1:cancelled(irrelevant)/0/1.5/fee=1.5 ended:cancelled(irrelevant)/28.5")

PLAY(a_round_of_a_goal_that_is_over_closes_while_a_part_awaits_its_decision, CAST,
    "client announces t units=40 ceiling=30 split=4 goal=g backoff=0s accept=1h",
    "a bids t 0.2 30m capacity=20", "b refuses t", "c refuses t", "a done t 20 part=1 gen=1",
    "client believes goal:g irrelevant", "tick", "=", "wait 20s", "= closed:goal-suspended",
    "client accepts t part=1 gen=1",
    "= settled#1:fulfilled(completed)/20/15 ended:cancelled(irrelevant)/15 >client inform-done"
    " >a inform(fulfilled#1) >client inform(open,fulfilled#1) >client inform(cancelled)"
    " >client agree")
/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(cancelling_ends_every_part_with_its_fee_and_what_is_done_is_paid),
        TEST(a_part_that_is_not_acknowledged_or_lapses_is_announced_again),
        TEST(parts_go_on_across_a_restart),
        TEST(partial_none_pays_nothing_for_a_part_that_is_short),
        TEST(rounds_used_up_end_the_task_when_its_parts_have_ended),
        TEST(the_deadline_lets_parts_run_to_their_due),
        TEST(reports_on_parts_of_others_or_of_none_change_nothing),
        TEST(a_delivered_part_awaits_its_decision_before_the_task_is_cancelled),
        TEST(a_hold_waits_for_the_parts),
        TEST(a_late_result_of_a_part_is_adopted_while_its_units_are_announced_again),
        TEST(a_goal_that_is_over_stops_parts),
        TEST(a_goal_that_is_over_stops_the_parts_that_await_no_decision),
        TEST(a_round_that_closes_after_its_goal_is_over_leaves_the_parts_to_be_stopped),
        TEST(a_round_of_a_goal_that_is_over_closes_while_a_part_awaits_its_decision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
