/*
 * The static rule, play by play: what is cheap at a posted rate is assigned at once, and what is
 * not, or is sampled, or cannot be taken now, is auctioned.
 */
#include "play.h"

/* A rate of half a credit for a unit, up to three credits, without samples. */
#define RATED CAST, "op root rates forge 0.5 3 share=0"

/* clang-format off */
PLAY(a_cheap_task_is_assigned_at_once_at_the_posted_rate, RATED,
    "= rated:forge@0.5 >root agree",
    "client announces t units=4 ceiling=10",
    "= announced assigned:a@2#1 >client agree >a accept-proposal(2) >client inform(awarded,active)",
    "? acme 90 10 0 0",
    "a done t 4",
    "= settled:fulfilled(completed)/4/2/done(completed)/8 >client inform-done >a inform(fulfilled)"
    " >client inform(done,fulfilled)",
    "? acme 98 0 2 0", "? amber 0 0 0 2")

PLAY(rate_times_units_above_the_threshold_is_auctioned, RATED,
    "client announces t units=7 ceiling=10",
    "= announced opened:1/7/10 >client agree >c cfp(1) >b cfp(1) >a cfp(1)")

PLAY(rate_times_units_at_the_threshold_is_assigned, RATED,
    "client announces t units=6 ceiling=3",
    "= announced assigned:a@3#1 >client agree >a accept-proposal(3) >client inform(awarded,active)")

PLAY(rate_times_units_above_the_ceiling_is_auctioned, RATED,
    "client announces t units=4 ceiling=1.999999",
    "= announced opened:1/4/1.999999 >client agree >c cfp(1) >b cfp(1) >a cfp(1)")

PLAY(another_skill_or_tier_has_another_rate, CAST,
    "op root rates forge 0.5 3 tier=large share=0", "= rated:forge/large@0.5 >root agree",
    "client announces t", "= announced opened:1/1/10 >client agree >c cfp(1) >b cfp(1) >a cfp(1)",
    "client announces u tier=large",
    "= announced assigned:a@0.5#1 >client agree >a accept-proposal(0.5)"
    " >client inform(awarded,active)")

PLAY(who_has_the_fewest_commitments_has_the_next_whatever_its_slots,
    "fund acme 100", "join client acme", "join a amber forge 1000", "join b birch forge 2",
    "op root rates forge 0.5 3 share=0",
    "client announces s", "client announces t", "client announces u", "client announces v",
    "client announces w",
    "= announced assigned:a@0.5#1 >client agree >a accept-proposal(0.5)"
    " >client inform(awarded,active)",
    "client announces x",
    "= announced assigned:a@0.5#1 >client agree >a accept-proposal(0.5)"
    " >client inform(awarded,active)")

PLAY(agents_of_one_principal_count_together,
    "fund acme 100", "join client acme", "join a1 amber forge 4", "join a2 amber forge 4",
    "join b birch forge 4", "op root rates forge 0.5 3 share=0",
    "client announces s", "client announces t",
    "client announces u", "client announces v", "client announces w", "client announces x",
    "b done s 1", "b done t 1", "b done u 1", "b done v 1", "b done w 1", "b done x 1",
    "client announces y",
    "= announced assigned:b@0.5#1 >client agree >b accept-proposal(0.5)"
    " >client inform(awarded,active)")

PLAY(a_sample_is_auctioned_and_says_against_which_rate, CAST,
    "op root rates forge 0.5 3 share=1000000",
    "client announces t",
    "= announced opened:1/1/10/sample@0.5 >client agree >c cfp(1) >b cfp(1) >a cfp(1)",
    "a bids t 1 5m", "b bids t 2 5m", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
    " awarded:a@2#1[a=1/lowest-cost,b=2/outbid]"
    " >a accept-proposal(2) >client inform(awarded,active)")

PLAY(declining_an_assignment_is_no_breach_and_the_task_is_auctioned_to_all, RATED,
    "client announces t rounds=1",
    "= announced assigned:c@0.5#1 >client agree >c accept-proposal(0.5)"
    " >client inform(awarded,active)",
    "c fails t 0",
    "= settled:declined(declined)/0/0 opened:2/1/10 >client failure >c inform(declined)"
    " >client inform(open,declined) >c cfp(2) >b cfp(2) >a cfp(2)",
    "c bids t 1 5m", "b bids t 2 5m", "a refuses t",
    "= answered:c=standing,b=standing,a=refused(over-capacity)"
    " awarded:c@2#2[c=1/lowest-cost,b=2/outbid]"
    " >c accept-proposal(2) >client inform(awarded,active)")

PLAY(an_assignment_not_taken_in_time_is_auctioned, RATED,
    "client announces t ack=10s", "wait 10001ms",
    "= settled:declined(not-acknowledged)/0/0 opened:2/1/10 >c cancel(not-acknowledged)"
    " >client inform(open,declined) >c cfp(2) >b cfp(2) >a cfp(2)")

PLAY(what_a_failed_assignment_leaves_is_auctioned_without_its_owner, RATED,
    "client announces t units=4",
    "a fails t 1",
    "= settled:failed(contractor-failed)/1/0.5 opened:2/3/7.5 >client failure >a inform(failed)"
    " >client inform(open,failed) >c cfp(2) >b cfp(2)",
    "a bids t 0 5m", "= >a reject-proposal(excluded)")

PLAY(nobody_that_can_take_it_means_an_auction,
    "fund acme 100", "join client acme", "join a amber forge 1", "op root rates forge 0.5 3 share=0",
    "client announces t",
    "= announced assigned:a@0.5#1 >client agree >a accept-proposal(0.5)"
    " >client inform(awarded,active)",
    "client announces u", "= announced opened:1/1/10 >client agree",
    "a done t 1",
    "= settled:fulfilled(completed)/1/0.5/done(completed)/9.5 >client inform-done"
    " >a inform(fulfilled) >client inform(done,fulfilled) >a cfp(1)")

PLAY(the_client_s_own_agents_are_never_assigned_its_task,
    "fund amber 100", "join a amber forge 4", "join b birch forge 4",
    "op root rates forge 0.5 3 share=0",
    "a announces t",
    "= announced assigned:b@0.5#1 >a agree >b accept-proposal(0.5) >a inform(awarded,active)")

PLAY(a_rate_survives_a_restart_and_its_removal_too, RATED,
    "restart", "join client acme", "join a amber forge 4",
    "client announces t",
    "= announced assigned:a@0.5#1 >client agree >a accept-proposal(0.5)"
    " >client inform(awarded,active)",
    "restart", "join client acme", "join a amber forge 4", "a done t 1",
    "= settled:fulfilled(completed)/1/0.5/done(completed)/9.5 >client inform-done"
    " >a inform(fulfilled) >client inform(done,fulfilled)",
    "op root rates forge 0 0", "= rated:forge@0 >root agree",
    "restart", "join client acme", "join a amber forge 4",
    "client announces u", "= announced opened:1/1/10 >client agree >a cfp(1)")

PLAY(an_assigned_task_can_be_cancelled_for_its_fee, RATED,
    "client announces t units=4", "a acks t", "client cancels t",
    "= settled:cancelled(cancelled-by-client)/0/0.2/fee=0.2/cancelled(cancelled-by-client)/9.8"
    " >a cancel(cancelled-by-client) >client inform(cancelled,cancelled) >client agree")

PLAY(only_an_operator_sets_rates, CAST,
    "client rates forge 0.5 3", "= >client refuse(not-yours)",
    "op root rates forge -1 3", "= >root refuse(out-of-range)",
    "op root rates forge 1 -3", "= >root refuse(out-of-range)",
    "op root rates forge 1 3 share=1000001", "= >root refuse(out-of-range)",
    "op root rates Forge 1 3", "= >root refuse(out-of-range)")
/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_cheap_task_is_assigned_at_once_at_the_posted_rate),
        TEST(rate_times_units_above_the_threshold_is_auctioned),
        TEST(rate_times_units_at_the_threshold_is_assigned),
        TEST(rate_times_units_above_the_ceiling_is_auctioned),
        TEST(another_skill_or_tier_has_another_rate),
        TEST(who_has_the_fewest_commitments_has_the_next_whatever_its_slots),
        TEST(agents_of_one_principal_count_together),
        TEST(a_sample_is_auctioned_and_says_against_which_rate),
        TEST(declining_an_assignment_is_no_breach_and_the_task_is_auctioned_to_all),
        TEST(an_assignment_not_taken_in_time_is_auctioned),
        TEST(what_a_failed_assignment_leaves_is_auctioned_without_its_owner),
        TEST(nobody_that_can_take_it_means_an_auction),
        TEST(the_client_s_own_agents_are_never_assigned_its_task),
        TEST(a_rate_survives_a_restart_and_its_removal_too),
        TEST(an_assigned_task_can_be_cancelled_for_its_fee),
        TEST(only_an_operator_sets_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
