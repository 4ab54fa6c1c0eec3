/*
 * Rounds of improving bids, play by play: each bidder learns its own place or only whether it
 * leads, nobody asks for more than before, and the last round alone decides.
 */
#include "play.h"

/* clang-format off */
#define ABC(t, a, b, c)                                                                            \
    "a bids " t " " a " 10m", "b bids " t " " b " 10m", "c bids " t " " c " 10m"

PLAY(bidders_learn_their_rank_and_the_last_round_decides_by_its_bids_alone, CAST,
    "client announces t improve=2 rounds=1", ABC("t", "7", "5", "6"),
    "= answered:a=standing,b=standing,c=standing"
    " closed:improving[b=1/improving,c=2/improving,a=3/improving] opened:2/1/10"
    " >c cfp(2,rank=2) >b cfp(2,rank=1) >a cfp(2,rank=3)",
    ABC("t", "4", "5", "6"),
    "= answered:a=standing,b=standing,c=standing"
    " closed:improving[a=1/improving,b=2/improving,c=3/improving] opened:3/1/10"
    " >c cfp(3,rank=3) >b cfp(3,rank=2) >a cfp(3,rank=1)",
    ABC("t", "4", "3", "6"),
    "= answered:a=standing,b=standing,c=standing"
    " awarded:b@4#1[b=1/lowest-cost,a=2/outbid,c=3/outbid]"
    " >b accept-proposal(4) >client inform(awarded,active)",
    "b done t 1")

PLAY(bidders_learn_only_whether_they_lead_where_the_task_says_so, CAST,
    "client announces t improve=1 lead_only=1", ABC("t", "7", "5", "6"),
    "= answered:a=standing,b=standing,c=standing"
    " closed:improving[b=1/improving,c=2/improving,a=3/improving] opened:2/1/10"
    " >c cfp(2,rank=0) >b cfp(2,rank=1) >a cfp(2,rank=0)")

PLAY(a_bid_above_the_one_before_is_not_eligible_and_an_equal_one_is, CAST,
    "client announces t improve=1", ABC("t", "7", "5", "6"),
    "a bids t 7.000001 10m", "= >a reject-proposal(not-improved)",
    "b bids t 5 10m", "c bids t 6 10m",
    "= answered:a=ineligible(not-improved),b=standing,c=standing"
    " awarded:b@6#1[b=1/lowest-cost,c=2/outbid] >b accept-proposal(6) >client inform(awarded,active)")

PLAY(a_sibling_may_not_ask_for_more_than_its_principal_did,
    "fund acme 100", "join client acme", "join a amber forge 4", "join b birch forge 4",
    "join d amber forge 4",
    "client announces t improve=1", "a bids t 5 10m", "b bids t 6 10m", "d bids t 7 10m",
    "= answered:a=standing,b=standing,d=standing"
    " closed:improving[a=1/improving,b=2/improving,d=0/same-principal] opened:2/1/10"
    " >d reject-proposal(same-principal) >d cfp(2) >b cfp(2,rank=2) >a cfp(2,rank=1)",
    "d bids t 5.5 10m", "= >d reject-proposal(not-improved)")

PLAY(who_says_nothing_in_a_round_has_no_bid_in_it, CAST,
    "client announces t improve=1", ABC("t", "1", "5", "6"),
    "b bids t 5 10m", "c bids t 6 10m", "wait 20s",
    "= answered:b=standing,c=standing awarded:b@6#1[b=1/lowest-cost,c=2/outbid]"
    " >b accept-proposal(6) >client inform(awarded,active)")

PLAY(who_was_silent_in_between_comes_back_below_what_it_asked_for, CAST,
    "client announces t improve=2", ABC("t", "3", "5", "6"),
    "b bids t 5 10m", "c bids t 6 10m", "wait 20s",
    "= answered:b=standing,c=standing closed:improving[b=1/improving,c=2/improving] opened:3/1/10"
    " >c cfp(3,rank=2) >b cfp(3,rank=1) >a cfp(3)",
    "a bids t 4 10m", "= >a reject-proposal(not-improved)")

PLAY(who_comes_later_joins_until_the_last_round,
    "fund acme 100", "join client acme", "join a amber forge 4", "join b birch forge 4",
    "client announces t improve=1", "a bids t 5 10m", "b bids t 6 10m", "join c cedar forge 4",
    ABC("t", "5", "6", "2"),
    "= answered:a=standing,b=standing,c=standing"
    " awarded:c@5#1[c=1/lowest-cost,a=2/outbid,b=3/outbid]"
    " >c accept-proposal(5) >client inform(awarded,active)")

PLAY(one_bidder_has_nobody_to_improve_against, CAST,
    "client announces t improve=3", "a bids t 7 10m", "b refuses t", "c refuses t",
    "= answered:a=standing,b=refused(over-capacity),c=refused(over-capacity)"
    " awarded:a@10#1[a=1/lowest-cost] >a accept-proposal(10) >client inform(awarded,active)")

PLAY(a_round_in_which_nobody_bids_again_counts_and_the_next_auction_begins_anew, CAST,
    "client announces t improve=1 rounds=2 backoff=0s", ABC("t", "7", "5", "6"),
    "a refuses t", "b refuses t", "c refuses t",
    "= answered:a=refused(over-capacity),b=refused(over-capacity),c=refused(over-capacity)"
    " closed:no-eligible-bid opened:3/1/10 >c cfp(3) >b cfp(3) >a cfp(3)",
    ABC("t", "9", "8", "8.5"),
    "= answered:a=standing,b=standing,c=standing"
    " closed:improving[b=1/improving,c=2/improving,a=3/improving] opened:4/1/10"
    " >c cfp(4,rank=2) >b cfp(4,rank=1) >a cfp(4,rank=3)",
    "a refuses t", "b refuses t", "c refuses t",
    "= answered:a=refused(over-capacity),b=refused(over-capacity),c=refused(over-capacity)"
    " closed:no-eligible-bid ended:unallocated(rounds-exhausted)/10 >client inform(unallocated)",
    "? acme 100 0 0 0")

PLAY(no_round_of_improving_bids_is_opened_that_would_close_at_the_deadline, CAST,
    "client announces t improve=5 window=20s deadline=30s", "wait 11s",
    "a bids t 7 5s", "b bids t 5 5s", "c bids t 6 5s",
    "= answered:a=standing,b=standing,c=standing"
    " awarded:b@6#1[b=1/lowest-cost,c=2/outbid,a=3/outbid]"
    " >b accept-proposal(6) >client inform(awarded,active)")

PLAY(the_remainder_begins_a_new_auction, CAST,
    "client announces t units=4 improve=1", ABC("t", "7", "5", "6"), ABC("t", "7", "5", "6"),
    "b acks t", "b fails t 1",
    "= settled:failed(contractor-failed)/1/1.5 opened:3/3/7.5"
    " >client failure >b inform(failed) >client inform(open,failed) >c cfp(3) >a cfp(3)",
    "a bids t 7 10m", "c bids t 6.5 10m",
    "= answered:a=standing,c=standing closed:improving[c=1/improving,a=2/improving] opened:4/3/7.5"
    " >c cfp(4,rank=1) >a cfp(4,rank=2)")

PLAY(a_restart_between_the_rounds_forgets_no_bid, CAST,
    "client announces t improve=1", ABC("t", "7", "5", "6"), "restart",
    "join client acme", "join a amber forge 4", "join b birch forge 4", "join c cedar forge 4",
    "= >c welcome >c agree >c cfp(2,rank=2)",
    "a bids t 8 10m", "= >a reject-proposal(not-improved)",
    "b bids t 5 10m", "c bids t 4 10m", "wait 20s",
    "= answered:a=ineligible(not-improved),b=standing,c=standing"
    " awarded:c@5#1[c=1/lowest-cost,b=2/outbid] >c accept-proposal(5)"
    " >client inform(awarded,active)")

PLAY(equal_bids_fall_by_hash_in_each_round_anew, CAST,
    "client announces t improve=1", ABC("t", "5", "5", "5"),
    "= answered:a=standing,b=standing,c=standing"
    " closed:improving[c=1/improving,b=2/improving,a=3/improving] opened:2/1/10"
    " >c cfp(2,rank=1) >b cfp(2,rank=2) >a cfp(2,rank=3)",
    ABC("t", "5", "5", "5"),
    "= answered:a=standing,b=standing,c=standing"
    " awarded:a@5#1[a=1/lowest-cost,b=2/outbid,c=3/outbid]"
    " >a accept-proposal(5) >client inform(awarded,active)")

PLAY(who_is_not_asked_again_hears_that_its_bid_is_over, CAST,
    "client announces t improve=1", "a bids t 7 10m", "b bids t 5 10m",
    "op ops holds contractor=a", "op ops unholds contractor=a", "leave b",
    "c bids t 6 10m",
    "= answered:a=standing,b=standing,c=standing"
    " closed:improving[c=1/improving,a=2/improving,b=0/not-connected] opened:2/1/10"
    " >a cfp(2,rank=2) >c cfp(2,rank=1)")

PLAY(terms_that_contradict_improving_rounds_are_refused, CAST,
    "client announces t improve=1 split=2 units=4", "= >client refuse(out-of-range)",
    "client announces t improve=1 alone=1", "= >client refuse(out-of-range)",
    "client announces t improve=1 invite_max=2", "= >client refuse(out-of-range)",
    "client announces t lead_only=1", "= >client refuse(out-of-range)",
    "client announces t improve=11", "= >client refuse(out-of-range)",
    "client announces t improve=-1", "= >client refuse(out-of-range)",
    "client announces t improve=1", "client cancels t",
    "= closed:round-cancelled ended:cancelled(cancelled-by-client)/10"
    " >client inform(cancelled) >client agree")
/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(bidders_learn_their_rank_and_the_last_round_decides_by_its_bids_alone),
        TEST(bidders_learn_only_whether_they_lead_where_the_task_says_so),
        TEST(a_bid_above_the_one_before_is_not_eligible_and_an_equal_one_is),
        TEST(a_sibling_may_not_ask_for_more_than_its_principal_did),
        TEST(who_says_nothing_in_a_round_has_no_bid_in_it),
        TEST(who_was_silent_in_between_comes_back_below_what_it_asked_for),
        TEST(who_comes_later_joins_until_the_last_round),
        TEST(one_bidder_has_nobody_to_improve_against),
        TEST(a_round_in_which_nobody_bids_again_counts_and_the_next_auction_begins_anew),
        TEST(no_round_of_improving_bids_is_opened_that_would_close_at_the_deadline),
        TEST(the_remainder_begins_a_new_auction),
        TEST(a_restart_between_the_rounds_forgets_no_bid),
        TEST(equal_bids_fall_by_hash_in_each_round_anew),
        TEST(who_is_not_asked_again_hears_that_its_bid_is_over),
        TEST(terms_that_contradict_improving_rounds_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
