/*
 * Split awards, play by play: rounds that make parts, and what is left announced again. How parts
 * end is in test_split_ends.c, the arithmetic alone in test_split.c.
 */
#include "play.h"

/* clang-format off */
PLAY(a_round_makes_parts_and_the_task_is_done_with_the_last, CAST,
    "client announces t units=40 ceiling=30 split=4",
    "= announced opened:1/40/30 >client agree >c cfp(1) >b cfp(1) >a cfp(1)",
    "a bids t 0.25 30m capacity=20", "b bids t 0.3 30m capacity=20",
    "c bids t 0.5 30m capacity=40",
    "= answered:a=standing,b=standing,c=standing"
     " awarded:a@10#1.1/20[a=1/lowest-cost,b=2/lowest-cost,c=3/outbid] awarded:b@10#2.1/20"
     " closed:none >c reject-proposal(outbid) >a accept-proposal(10#1) >client"
     " inform(awarded,active#1) >b accept-proposal(10#2) >client inform(awarded,active#2)",
    "a acks t part=1 gen=1",
    "= acknowledged#1",
    "a progress t 12 part=1 gen=1",
    "= progressed#1:12 >client inform-progress",
    "client queries t",
    "= >client inform(awarded) >client inform(awarded,active#1) >client"
     " inform(awarded,active#2)",
    "a done t 20 part=1 gen=1",
    "= settled#1:fulfilled(completed)/20/10 >client inform-done >a inform(fulfilled#1)"
     " >client inform(awarded,fulfilled#1)",
    "b done t 20 part=2 gen=1",
    "= settled#2:fulfilled(completed)/20/10 ended:done(completed)/10 >client inform-done >b"
     " inform(fulfilled#2) >client inform(open,fulfilled#2) >client inform(done)",
    "? acme 80 0 20 0", "? amber 0 0 0 10", "? birch 0 0 0 10")

PLAY(twenty_and_twenty_at_a_quarter_under_thirty_are_paid_thirty, CAST,
    "client announces t units=40 ceiling=30 split=4", "a bids t 0.25 30m capacity=20",
    "b bids t 0.25 30m capacity=20", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " awarded:b@15#1.1/20[b=1/lowest-cost,a=2/lowest-cost] awarded:a@15#2.1/20 closed:none >b"
     " accept-proposal(15#1) >client inform(awarded,active#1) >a accept-proposal(15#2) >client"
     " inform(awarded,active#2)",
    "a done t 20 part=2 gen=1",
    "= settled#2:fulfilled(completed)/20/15 >client inform-done >a inform(fulfilled#2)"
     " >client inform(awarded,fulfilled#2)",
    "b done t 20 part=1 gen=1",
    "= settled#1:fulfilled(completed)/20/15 ended:done(completed)/0 >client inform-done >b"
     " inform(fulfilled#1) >client inform(open,fulfilled#1) >client inform(done)",
    "? acme 70 0 30 0")

PLAY(a_greedy_choice_under_split_max_is_not_made, CAST,
    "client announces t units=40 ceiling=30 split=2", "a bids t 0.1 30m capacity=5",
    "b bids t 0.2 30m capacity=20", "c bids t 0.25 30m capacity=20",
    "= answered:a=standing,b=standing,c=standing"
     " awarded:b@11.75#1.1/20[a=1/outbid,b=2/lowest-cost,c=3/lowest-cost]"
     " awarded:c@11.75#2.1/20 closed:none >a reject-proposal(outbid) >b"
     " accept-proposal(11.75#1) >client inform(awarded,active#1) >c accept-proposal(11.75#2)"
     " >client inform(awarded,active#2)")

PLAY(a_capacity_claimed_for_a_place_and_not_delivered_is_not_paid, CAST,
    "client announces t units=40 ceiling=30 split=1", "a bids t 0.25 30m capacity=40",
    "b bids t 0.3 30m capacity=30", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " awarded:a@16.5#1.1/40[a=1/lowest-cost,b=2/outbid] closed:none >b"
     " reject-proposal(outbid) >a accept-proposal(16.5#1) >client inform(awarded,active#1)",
    "a fails t 10 part=1 gen=1",
    "= settled#1:failed(contractor-failed)/10/0 opened:2/30/22.5 >client failure >a"
     " inform(failed#1) >client inform(open,failed#1) >c cfp(2) >b cfp(2)",
    "? amber 0 0 0 0")

PLAY(a_part_that_is_short_is_paid_the_lesser_of_pro_rata_and_its_price_with_less, CAST,
    "client announces t units=40 ceiling=30 split=2", "a bids t 0.25 30m capacity=40",
    "b bids t 0.3 30m capacity=20", "c bids t 0.35 30m capacity=15",
    "= answered:a=standing,b=standing,c=standing"
     " awarded:a@15#1.1/40[a=1/lowest-cost,b=2/outbid,c=3/outbid] closed:none >c"
     " reject-proposal(outbid) >b reject-proposal(outbid) >a accept-proposal(15#1) >client"
     " inform(awarded,active#1)",
    "a fails t 22 part=1 gen=1",
    "= settled#1:failed(contractor-failed)/22/8.25 opened:2/18/13.5 >client failure >a"
     " inform(failed#1) >client inform(open,failed#1) >c cfp(2) >b cfp(2)",
    "? amber 0 0 0 8.25")

PLAY(what_a_part_left_is_announced_again_while_others_go_on, CAST,
    "client announces t units=40 ceiling=30 split=4", "a bids t 0.2 30m capacity=20",
    "b bids t 0.3 30m capacity=40", "c bids t 0.5 30m capacity=40",
    "= answered:a=standing,b=standing,c=standing"
     " awarded:a@6#1.1/20[a=1/lowest-cost,b=2/lowest-cost,c=3/outbid] awarded:b@10#2.1/20"
     " closed:none >c reject-proposal(outbid) >a accept-proposal(6#1) >client"
     " inform(awarded,active#1) >b accept-proposal(10#2) >client inform(awarded,active#2)",
    "a progress t 5 part=1 gen=1",
    "= acknowledged#1 progressed#1:5 >client inform-progress",
    "a fails t 5 part=1 gen=1",
    "= settled#1:failed(contractor-failed)/5/1.5 opened:2/15/11.25 >client failure >a"
     " inform(failed#1) >client inform(awarded,failed#1) >c cfp(2) >b cfp(2)",
    "b bids t 0.3 30m capacity=40", "c bids t 0.4 30m capacity=40",
    "= answered:b=standing,c=standing awarded:b@6#3.1/15[b=1/lowest-cost,c=2/outbid]"
     " closed:none >c reject-proposal(outbid) >b accept-proposal(6#3) >client"
     " inform(awarded,active#3)",
    "b done t 20 part=2 gen=1",
    "= settled#2:fulfilled(completed)/20/10 >client inform-done >b inform(fulfilled#2)"
     " >client inform(awarded,fulfilled#2)",
    "b fails t 0 part=3 gen=1",
    "= settled#3:declined(declined)/0/0 opened:3/15/11.25 >client failure >b"
     " inform(declined#3) >client inform(open,declined#3) >c cfp(3)",
    "c refuses t", "wait 1m",
    "= answered:c=refused(over-capacity) closed:no-eligible-bid"
     " ended:unallocated(rounds-exhausted)/18.5 >client inform(unallocated)",
    "? acme 88.5 0 11.5 0")

PLAY(uncovered_units_are_announced_again_after_the_backoff, CAST,
    "client announces t units=40 ceiling=30 split=4 backoff=30s",
    "a bids t 0.2 30m capacity=20", "b bids t 0.3 30m capacity=15", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " awarded:a@15#1.1/20[a=1/lowest-cost,b=2/lowest-cost] awarded:b@11.25#2.1/15"
     " closed:short-capacity >a accept-proposal(15#1) >client inform(awarded,active#1) >b"
     " accept-proposal(11.25#2) >client inform(awarded,active#2)",
    "a acks t part=1 gen=1",
    "= acknowledged#1",
    "b acks t part=2 gen=1",
    "= acknowledged#2",
    "wait 29s", "wait 1s",
    "= opened:2/5/3.75 >c cfp(2) >b cfp(2) >a cfp(2)",
    "a refuses t", "b refuses t", "c bids t 0.4 30m capacity=5",
    "= answered:a=refused(over-capacity),b=refused(over-capacity),c=standing"
     " awarded:c@3.75#3.1/5[c=1/lowest-cost] closed:none >c accept-proposal(3.75#3) >client"
     " inform(awarded,active#3)",
    "a done t 20 part=1 gen=1",
    "= settled#1:fulfilled(completed)/20/15 >client inform-done >a inform(fulfilled#1)"
     " >client inform(awarded,fulfilled#1)",
    "c done t 5 part=3 gen=1",
    "= settled#3:fulfilled(completed)/5/3.75 >client inform-done >c inform(fulfilled#3)"
     " >client inform(awarded,fulfilled#3)",
    "b done t 15 part=2 gen=1",
    "= settled#2:fulfilled(completed)/15/11.25 ended:done(completed)/0 >client inform-done >b"
     " inform(fulfilled#2) >client inform(open,fulfilled#2) >client inform(done)",
    "? acme 70 0 30 0")

PLAY(what_a_part_leaves_during_a_round_joins_the_next, CAST,
    "client announces t units=40 ceiling=30 split=4 backoff=0s", "a bids t 0.2 30m capacity=20",
    "b bids t 0.3 30m capacity=15", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " awarded:a@15#1.1/20[a=1/lowest-cost,b=2/lowest-cost] awarded:b@11.25#2.1/15"
     " closed:short-capacity opened:2/5/3.75 >a accept-proposal(15#1) >client"
     " inform(awarded,active#1) >b accept-proposal(11.25#2) >client inform(awarded,active#2)"
     " >c cfp(2) >b cfp(2) >a cfp(2)",
    "b acks t part=2 gen=1",
    "= acknowledged#2",
    "a fails t 4 part=1 gen=1",
    "= settled#1:failed(contractor-failed)/4/3 >client failure >a inform(failed#1) >client"
     " inform(awarded,failed#1)",
    "b refuses t", "c bids t 0.4 30m capacity=5", "wait 20s",
    "= answered:b=refused(over-capacity),c=standing awarded:c@3.75#3.1/5[c=1/lowest-cost]"
     " closed:none opened:3/16/12 >c accept-proposal(3.75#3) >client inform(awarded,active#3)"
     " >c cfp(3) >b cfp(3)",
    "b bids t 0.4 30m capacity=16", "c bids t 0.5 30m capacity=16",
    "= answered:b=standing,c=standing awarded:b@8#4.1/16[b=1/lowest-cost,c=2/outbid]"
     " closed:none >c reject-proposal(outbid) >b accept-proposal(8#4) >client"
     " inform(awarded,active#4)",
    "b done t 15 part=2 gen=1",
    "= settled#2:fulfilled(completed)/15/11.25 >client inform-done >b inform(fulfilled#2)"
     " >client inform(awarded,fulfilled#2)",
    "b done t 16 part=4 gen=1",
    "= settled#4:fulfilled(completed)/16/8 >client inform-done >b inform(fulfilled#4) >client"
     " inform(awarded,fulfilled#4)",
    "c done t 5 part=3 gen=1",
    "= settled#3:fulfilled(completed)/5/3.75 ended:done(completed)/4 >client inform-done >c"
     " inform(fulfilled#3) >client inform(open,fulfilled#3) >client inform(done)",
    "? acme 74 0 26 0")

PLAY(without_enough_capacity_the_round_fails_where_the_task_says_so, CAST,
    "client announces t units=40 ceiling=30 split=4 cover_all=1 rounds=2 backoff=1s",
    "a bids t 0.25 30m capacity=20", "b bids t 0.25 30m capacity=15", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " closed:short-capacity[b=0/short-capacity,a=0/short-capacity] >b"
     " reject-proposal(short-capacity) >a reject-proposal(short-capacity)",
    "wait 1s",
    "= opened:2/40/30 >c cfp(2) >b cfp(2) >a cfp(2)",
    "a bids t 0.25 30m capacity=20", "b bids t 0.3 30m capacity=15",
    "c bids t 0.75 30m capacity=5",
    "= answered:a=standing,b=standing,c=standing"
     " awarded:a@15#1.1/20[a=1/lowest-cost,b=2/lowest-cost,c=3/lowest-cost]"
     " awarded:b@11.25#2.1/15 awarded:c@3.75#3.1/5 closed:none >a accept-proposal(15#1)"
     " >client inform(awarded,active#1) >b accept-proposal(11.25#2) >client"
     " inform(awarded,active#2) >c accept-proposal(3.75#3) >client inform(awarded,active#3)")

PLAY(a_task_that_is_to_be_held_waits_for_its_parts, CAST,
    "client announces t units=40 ceiling=30 split=4 rounds=1 fallback=hold",
    "a bids t 0.2 30m capacity=20", "b bids t 0.3 30m capacity=10", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
     " awarded:a@15#1.1/20[a=1/lowest-cost,b=2/lowest-cost] awarded:b@7.5#2.1/10"
     " closed:short-capacity >a accept-proposal(15#1) >client inform(awarded,active#1) >b"
     " accept-proposal(7.5#2) >client inform(awarded,active#2)",
    "a done t 20 part=1 gen=1",
    "= settled#1:fulfilled(completed)/20/15 >client inform-done >a inform(fulfilled#1)"
     " >client inform(awarded,fulfilled#1)",
    "b done t 10 part=2 gen=1",
    "= settled#2:fulfilled(completed)/10/7.5 held:held-by-fallback >client inform-done >b"
     " inform(fulfilled#2) >client inform(open,fulfilled#2) >client inform(held)",
    "client releases t",
    "= released opened:2/10/7.5 >c cfp(2) >b cfp(2) >a cfp(2) >client agree >client"
     " inform(open)",
    "a bids t 0.2 30m capacity=20", "b refuses t", "c refuses t",
    "= answered:a=standing,b=refused(over-capacity),c=refused(over-capacity)"
     " awarded:a@7.5#3.1/10[a=1/lowest-cost] closed:none >a accept-proposal(7.5#3) >client"
     " inform(awarded,active#3)")

PLAY(terms_that_contradict_a_split_are_refused, CAST,
    "client announces t units=1 ceiling=30 split=4",
    "= >client refuse(out-of-range)",
    "client announces t units=4 ceiling=30 split=4 partial=cover",
    "= >client refuse(out-of-range)",
    "client announces t units=4 ceiling=30 cover_all=1",
    "= >client refuse(out-of-range)",
    "client announces t units=4 ceiling=30 split=4 fallback=a",
    "= >client refuse(out-of-range)",
    "client announces t units=4 ceiling=30 split=17",
    "= >client refuse(out-of-range)",
    "client announces t units=4 ceiling=30 split=4 improve=1",
    "= >client refuse(out-of-range)")

PLAY(a_bid_of_a_split_round_needs_a_capacity_and_a_cost_for_a_unit, CAST,
    "client announces t units=40 ceiling=30 split=4", "a bids t 0.2 30m",
    "= >a reject-proposal(capacity-malformed)",
    "b bids t 0.2 30m capacity=0",
    "= >b reject-proposal(capacity-malformed)",
    "c bids t 0.75 30m capacity=7",
    "= answered:a=ineligible(capacity-malformed),b=ineligible(capacity-malformed),c=standing"
     " awarded:c@5.25#1.1/7[c=1/lowest-cost] closed:short-capacity >c accept-proposal(5.25#1)"
     " >client inform(awarded,active#1)",
    "wait 1s",
    "= opened:2/33/24.75 >c cfp(2) >b cfp(2) >a cfp(2)",
    "c bids t 0.76 30m capacity=7",
    "= >c reject-proposal(above-ceiling)",
    "a bids t 0.75 30m capacity=99", "a bids t 0.75 30m capacity=99",
    "a bids t 0.75 30m capacity=98",
    "= >a reject-proposal(already-answered)",
    "b refuses t",
    "= answered:c=ineligible(above-ceiling),a=standing,b=refused(over-capacity)"
     " awarded:a@24.75#2.1/33[a=1/lowest-cost] closed:none >a accept-proposal(24.75#2) >client"
     " inform(awarded,active#2)")

PLAY(two_agents_of_one_principal_have_one_part, CAST,
    "join d amber forge 4",
    "= >d welcome enrolled >d agree",
    "client announces t units=40 ceiling=30 split=4", "a bids t 0.3 30m capacity=20",
    "d bids t 0.2 30m capacity=10", "b bids t 0.4 30m capacity=20", "c refuses t",
    "= answered:a=standing,d=standing,b=standing,c=refused(over-capacity)"
     " awarded:d@7.5#1.1/10[d=1/lowest-cost,b=2/lowest-cost,a=0/same-principal]"
     " awarded:b@15#2.1/20 closed:short-capacity >a reject-proposal(same-principal) >d"
     " accept-proposal(7.5#1) >client inform(awarded,active#1) >b accept-proposal(15#2)"
     " >client inform(awarded,active#2)")

PLAY(parts_need_as_many_of_a_shared_resource_as_there_are, CAST,
    "op root counts forge 1",
    "= counted:forge=1 >root agree",
    "client announces t units=40 ceiling=30 split=4", "a bids t 0.2 30m capacity=20",
    "b bids t 0.3 30m capacity=40", "c bids t 0.5 30m capacity=40",
    "= answered:a=standing,b=standing,c=standing"
     " awarded:b@19#1.1/40/held[a=1/outbid,b=2/lowest-cost,c=3/outbid] closed:none >c"
     " reject-proposal(outbid) >a reject-proposal(outbid) >b accept-proposal(19#1) >client"
     " inform(awarded,active#1)",
    "b done t 40 part=1 gen=1",
    "= settled#1:fulfilled(completed)/40/19/freed ended:done(completed)/11 >client"
     " inform-done >b inform(fulfilled#1) >client inform(open,fulfilled#1) >client"
     " inform(done)")
/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_round_makes_parts_and_the_task_is_done_with_the_last),
        TEST(twenty_and_twenty_at_a_quarter_under_thirty_are_paid_thirty),
        TEST(a_greedy_choice_under_split_max_is_not_made),
        TEST(a_capacity_claimed_for_a_place_and_not_delivered_is_not_paid),
        TEST(a_part_that_is_short_is_paid_the_lesser_of_pro_rata_and_its_price_with_less),
        TEST(what_a_part_left_is_announced_again_while_others_go_on),
        TEST(uncovered_units_are_announced_again_after_the_backoff),
        TEST(what_a_part_leaves_during_a_round_joins_the_next),
        TEST(without_enough_capacity_the_round_fails_where_the_task_says_so),
        TEST(a_task_that_is_to_be_held_waits_for_its_parts),
        TEST(terms_that_contradict_a_split_are_refused),
        TEST(a_bid_of_a_split_round_needs_a_capacity_and_a_cost_for_a_unit),
        TEST(two_agents_of_one_principal_have_one_part),
        TEST(parts_need_as_many_of_a_shared_resource_as_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
