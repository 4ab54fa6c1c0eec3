/*
 * Bundles and counted resources, play by play: who covers all that a task needs, and that a
 * resource with a count is promised to so many at one time, from award to every kind of ending.
 */
#include "play.h"

/* A client, and three contractors of which a and b have the lock; c has a skill alone. */
#define BUNDLE                                                                                     \
    "fund acme 100", "join client acme", "join a amber forge,lock/wiki,gpu 4",                     \
        "join b birch forge,lock/wiki 4", "join c cedar forge 4"

/* clang-format off */
PLAY(only_who_covers_all_is_invited, BUNDLE,
    "client announces t needs=lock/wiki",
    "= announced opened:1/1/10 >client agree >b cfp(1) >a cfp(1)",
    "c bids t 1 10m", "= >c reject-proposal(not-covered)",
    "a bids t 3 10m", "b bids t 4 10m",
    "= answered:c=ineligible(not-covered),a=standing,b=standing"
    " awarded:a@4#1[a=1/lowest-cost,b=2/outbid]"
    " >a accept-proposal(4) >client inform(awarded,active)")

PLAY(all_or_nothing, BUNDLE,
    "client announces t needs=lock/wiki,gpu",
    "= announced opened:1/1/10 >client agree >a cfp(1)",
    "client announces u needs=nobody/has.it",
    "= announced opened:1/1/10 >client agree")

PLAY(who_no_longer_covers_at_close_is_not_eligible, BUNDLE,
    "client announces t needs=lock/wiki", "a bids t 3 10m",
    "join a amber forge 4",
    "wait 20s",
    "= answered:a=standing closed:no-eligible-bid[a=0/not-covered] >a reject-proposal(not-covered)")

PLAY(needs_that_repeat_or_are_the_skill_are_refused, BUNDLE,
    "client announces t needs=gpu,gpu", "= >client refuse(out-of-range)",
    "client announces t needs=forge", "= >client refuse(out-of-range)",
    "client announces t needs=a,b,c,d,e,f,g,h,i", "= >client refuse(out-of-range)")

PLAY(two_close_together_and_one_has_it, BUNDLE,
    "op ops counts lock/wiki 1", "= counted:lock/wiki=1 >ops agree",
    "client announces t needs=lock/wiki", "client announces u needs=lock/wiki backoff=30s",
    "a bids t 3 10m", "a bids u 3 10m",
    "wait 20s",
    "= answered:a=standing answered:a=standing awarded:a@10#1/held[a=1/lowest-cost]"
    " closed:resource-taken[a=0/resource-taken] >a accept-proposal(10) >client"
    " inform(awarded,active) >a reject-proposal(resource-taken)",
    "a acks t", "wait 29s", "=",
    "a done t 1",
    "= settled:fulfilled(completed)/1/10/freed/done(completed)/0 >client inform-done >a"
    " inform(fulfilled) >client inform(done,fulfilled)",
    "wait 1s",
    "= opened:2/1/10 >b cfp(2) >a cfp(2)",
    "a bids u 2 10m", "wait 20s",
    "= answered:a=standing awarded:a@10#1/held[a=1/lowest-cost] >a accept-proposal(10)"
    " >client inform(awarded,active)")

PLAY(a_round_without_the_resource_is_not_one_of_the_rounds, BUNDLE,
    "op ops counts lock/wiki 1",
    "client announces t needs=lock/wiki rounds=1",
    "client announces u needs=lock/wiki rounds=1 backoff=10s deadline=1h",
    "a bids t 3 10m", "a bids u 3 10m", "wait 20s", "a acks t",
    "wait 10s",
    "= opened:2/1/10 >b cfp(2) >a cfp(2)",
    "a bids u 3 10m", "wait 20s",
    "= answered:a=standing closed:resource-taken[a=0/resource-taken] >a"
    " reject-proposal(resource-taken)",
    "a done t 1", "wait 10s",
    "= opened:3/1/10 >a cfp(3)",
    "a bids u 3 10m", "wait 20s", "a acks u", "a fails u 0",
    "= settled:failed(contractor-failed)/0/0/freed/unallocated(rounds-exhausted)/10 >client"
    " failure >a inform(failed) >client inform(unallocated,failed)")

PLAY(a_skill_alone_can_be_counted, BUNDLE,
    "op ops counts forge 1",
    "client announces t rounds=1", "client announces u rounds=1 backoff=10s deadline=1h",
    "c bids t 3 10m", "c bids u 3 10m", "wait 20s",
    "= answered:c=standing answered:c=standing awarded:c@10#1/held[c=1/lowest-cost]"
    " closed:resource-taken[c=0/resource-taken] >c accept-proposal(10) >client"
    " inform(awarded,active) >c reject-proposal(resource-taken)",
    "c done t 1", "wait 10s", "c bids u 3 10m", "a refuses u", "b refuses u",
    "= answered:c=standing,a=refused(over-capacity),b=refused(over-capacity)"
    " awarded:c@10#1/held[c=1/lowest-cost] >c accept-proposal(10) >client"
    " inform(awarded,active)")

PLAY(what_one_contractor_has_is_counted_for_it_alone, BUNDLE,
    "op ops counts lock/wiki 1 contractor=a", "= counted:lock/wiki/a=1 >ops agree",
    "client announces t needs=lock/wiki", "client announces u needs=lock/wiki",
    "a bids t 3 10m", "b bids t 4 10m",
    "= answered:a=standing,b=standing awarded:a@4#1/held[a=1/lowest-cost,b=2/outbid] >a"
    " accept-proposal(4) >client inform(awarded,active)",
    "a bids u 3 10m", "b bids u 5 10m",
    "= answered:a=standing,b=standing awarded:b@10#1[b=1/lowest-cost,a=0/resource-taken] >a"
    " reject-proposal(resource-taken) >b accept-proposal(10) >client inform(awarded,active)")

PLAY(every_ending_frees, BUNDLE,
    "op ops counts lock/wiki 1",
    "client announces t needs=lock/wiki units=4 rounds=2 deadline=2h",
    "a bids t 3 10m", "b bids t 4 10m",
    "= answered:a=standing,b=standing awarded:a@4#1/held[a=1/lowest-cost,b=2/outbid] >a"
    " accept-proposal(4) >client inform(awarded,active)",
    "a fails t 0",
    "= settled:declined(declined)/0/0/freed awarded:b@10#2/held >client failure >a"
    " inform(declined) >client inform(open,declined) >b accept-proposal(10) >client"
    " inform(awarded,active)",
    "b progress t 1", "b fails t 1",
    "= settled:failed(contractor-failed)/1/2.5/freed opened:2/3/7.5 >client failure >b"
    " inform(failed) >client inform(open,failed)",
    "client announces v needs=lock/wiki", "a bids v 3 10m", "b refuses v", "a acks v",
    "client cancels v",
    "="
    " settled:cancelled(cancelled-by-client)/0/1/freed/fee=1/cancelled(cancelled-by-client)/9"
    " >a cancel(cancelled-by-client) >client inform(cancelled,cancelled) >client agree",
    "client announces u needs=lock/wiki rounds=1", "a bids u 3 10m", "b refuses u", "a acks u",
    "wait 11m",
    "= closed:no-eligible-bid ended:unallocated(nobody-left)/7.5 >client"
    " inform(unallocated,failed)"
    " settled:lapsed(due-passed)/0/0/freed/unallocated(rounds-exhausted)/10 >a"
    " cancel(due-passed) >client inform(unallocated,lapsed)",
    "op ops counts lock/wiki 0", "= counted:lock/wiki=0 >ops agree")

PLAY(a_runner_up_needs_it_too, BUNDLE,
    "op ops counts lock/wiki 1 contractor=b",
    "client announces t needs=lock/wiki", "a bids t 3 10m", "b bids t 4 10m",
    "client announces u needs=lock/wiki", "b bids u 1 10m", "a bids u 2 10m",
    "a fails t 0",
    "= settled:declined(declined)/0/0 opened:2/1/10 >client failure >a inform(declined)"
    " >client inform(open,declined) >b reject-proposal(outbid) >b cfp(2)")

PLAY(restart_while_it_is_held, BUNDLE,
    "op ops counts lock/wiki 1",
    "client announces t needs=lock/wiki", "a bids t 3 10m", "b refuses t", "a acks t",
    "restart", "join client acme", "join a amber forge,lock/wiki,gpu 4",
    "join b birch forge,lock/wiki 4",
    "client announces u needs=lock/wiki", "a bids u 3 10m", "b bids u 4 10m",
    "= answered:a=standing,b=standing"
    " closed:resource-taken[b=0/resource-taken,a=0/resource-taken] >b"
    " reject-proposal(resource-taken) >a reject-proposal(resource-taken)",
    "op ops counts lock/wiki 0", "= >ops refuse(in-use)",
    "a done t 1",
    "= settled:fulfilled(completed)/1/10/freed/done(completed)/0 >client inform-done >a"
    " inform(fulfilled) >client inform(done,fulfilled)",
    "restart", "op ops counts lock/wiki 0", "= counted:lock/wiki=0 >ops agree")

PLAY(a_count_does_not_go_below_what_is_held, BUNDLE,
    "op ops counts lock/wiki 3",
    "client announces t needs=lock/wiki", "a bids t 3 10m", "b bids t 4 10m",
    "client announces u needs=lock/wiki", "b bids u 3 10m", "a bids u 4 10m",
    "op ops counts lock/wiki 1", "= >ops refuse(in-use)",
    "op ops counts lock/wiki 2", "= counted:lock/wiki=2 >ops agree",
    "op ops counts lock/wiki 2", "= >ops agree",
    "op ops counts lock/wiki 0", "= >ops refuse(in-use)")

PLAY(what_is_worked_with_is_not_counted_behind_its_back, BUNDLE,
    "client announces t needs=lock/wiki", "a bids t 3 10m", "b bids t 4 10m",
    "op ops counts lock/wiki 5", "= >ops refuse(in-use)",
    "op ops counts lock/wiki 5 contractor=a", "= >ops refuse(in-use)",
    "op ops counts lock/wiki 5 contractor=b", "= counted:lock/wiki/b=5 >ops agree",
    "a done t 1",
    "op ops counts lock/wiki 5", "= counted:lock/wiki=5 >ops agree")

PLAY(only_operators_count, BUNDLE,
    "client counts lock/wiki 5", "= >client refuse(not-yours)",
    "op ops counts lock/wiki 1000000001", "= >ops refuse(out-of-range)")

PLAY(a_fallback_without_the_resource_is_offered_again, BUNDLE,
    "op ops counts lock/wiki 1",
    "client announces t needs=lock/wiki", "a bids t 3 10m", "b refuses t", "a acks t",
    "client announces u needs=lock/wiki rounds=1 fallback=a deadline=1h",
    "wait 20s",
    "= closed:no-eligible-bid opened:2/1/10 >a cfp(2)",
    "a bids u 3 10m",
    "= answered:a=standing closed:resource-taken[a=0/resource-taken] opened:3/1/10 >a"
    " reject-proposal(resource-taken) >a cfp(3)",
    "a done t 1", "a bids u 3 10m",
    "= answered:a=standing awarded:a@10#1/held[a=1/lowest-cost] >a accept-proposal(10)"
    " >client inform(awarded,active)")

PLAY(what_is_delivered_holds_until_it_is_decided, BUNDLE,
    "op ops counts lock/wiki 1",
    "client announces t needs=lock/wiki accept=1h", "a bids t 3 10m", "b refuses t",
    "a done t 1",
    "= delivered:1 >client inform-done >a inform(delivered) >client"
    " inform(delivered,delivered)",
    "op ops counts lock/wiki 0", "= >ops refuse(in-use)",
    "client rejects t",
    "= settled:failed(rejected)/0/0/of=1/freed opened:2/1/10 >a inform(failed) >client"
    " inform(open,failed) >b cfp(2) >client agree",
    "client announces u needs=lock/wiki accept=1h", "a bids u 3 10m", "b refuses u", "a done u 1",
    "client accepts u",
    "= settled:fulfilled(completed)/1/10/freed/done(completed)/0 >client inform-done >a"
    " inform(fulfilled) >client inform(done,fulfilled) >client agree",
    "op ops counts lock/wiki 0", "= counted:lock/wiki=0 >ops agree")

PLAY(the_end_of_a_goal_frees, BUNDLE,
    "op ops counts lock/wiki 1",
    "client announces t needs=lock/wiki goal=wiki", "a bids t 3 10m", "b refuses t", "a acks t",
    "client believes goal:wiki irrelevant", "tick",
    "= settled:cancelled(irrelevant)/0/1/freed/fee=1/cancelled(irrelevant)/9 >a"
    " cancel(irrelevant) >client inform(cancelled,cancelled)",
    "op ops counts lock/wiki 0", "= counted:lock/wiki=0 >ops agree")

PLAY(an_assignment_holds_too, BUNDLE,
    "op ops counts lock/wiki 1", "op ops rates forge 2 5 share=0",
    "client announces t needs=lock/wiki",
    "= announced assigned:a@2#1/held >client agree >a accept-proposal(2) >client"
    " inform(awarded,active)",
    "client announces u needs=lock/wiki",
    "= announced opened:1/1/10 >client agree >b cfp(1) >a cfp(1)",
    "a done t 1",
    "= settled:fulfilled(completed)/1/2/freed/done(completed)/8 >client inform-done >a"
    " inform(fulfilled) >client inform(done,fulfilled)",
    "op ops counts lock/wiki 0", "= counted:lock/wiki=0 >ops agree")

PLAY(there_are_no_more_parts_than_can_hold_what_all_share, BUNDLE,
    "op ops counts lock/wiki 1",
    "client announces t needs=lock/wiki units=4 ceiling=40 split=4",
    "a bids t 1 10m capacity=2", "b bids t 2 10m capacity=4",
    "= answered:a=standing,b=standing awarded:b@22#1.1/4/held[a=1/outbid,b=2/lowest-cost]"
    " closed:none >a reject-proposal(outbid) >b accept-proposal(22#1) >client"
    " inform(awarded,active#1)",
    "op ops counts lock/wiki 3", "= counted:lock/wiki=3 >ops agree",
    "client announces u needs=lock/wiki units=4 ceiling=40 split=4",
    "a bids u 1 10m capacity=2", "b bids u 2 10m capacity=4",
    "= answered:a=standing,b=standing awarded:a@4#1.1/2/held[a=1/lowest-cost,b=2/lowest-cost]"
    " awarded:b@20#2.1/2/held closed:none >a accept-proposal(4#1) >client"
    " inform(awarded,active#1) >b accept-proposal(20#2) >client inform(awarded,active#2)",
    "op ops counts lock/wiki 2", "= >ops refuse(in-use)",
    "a done u 2 part=1",
    "= settled#1:fulfilled(completed)/2/4/freed >client inform-done >a inform(fulfilled#1)"
    " >client inform(awarded,fulfilled#1)",
    "op ops counts lock/wiki 2", "= counted:lock/wiki=2 >ops agree")

/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(only_who_covers_all_is_invited),
        TEST(all_or_nothing),
        TEST(who_no_longer_covers_at_close_is_not_eligible),
        TEST(needs_that_repeat_or_are_the_skill_are_refused),
        TEST(two_close_together_and_one_has_it),
        TEST(a_round_without_the_resource_is_not_one_of_the_rounds),
        TEST(a_skill_alone_can_be_counted),
        TEST(what_one_contractor_has_is_counted_for_it_alone),
        TEST(every_ending_frees),
        TEST(a_runner_up_needs_it_too),
        TEST(restart_while_it_is_held),
        TEST(a_count_does_not_go_below_what_is_held),
        TEST(what_is_worked_with_is_not_counted_behind_its_back),
        TEST(only_operators_count),
        TEST(a_fallback_without_the_resource_is_offered_again),
        TEST(what_is_delivered_holds_until_it_is_decided),
        TEST(the_end_of_a_goal_frees),
        TEST(an_assignment_holds_too),
        TEST(there_are_no_more_parts_than_can_hold_what_all_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
