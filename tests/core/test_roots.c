/*
 * One owner is one bidder, however many principals it divides itself into: price, exclusion, draws,
 * assignments and caps count roots. Play by play; kilns and ovens are works', mill is its own.
 */
#include "play.h"

/* clang-format off */
#define WORKS                                                                                      \
    "fund acme 100", "join client acme", "op root enrols works",                                   \
        "op root enrols kilns parent=works", "op root enrols ovens parent=kilns",                  \
        "join a kilns forge 4", "join b ovens forge 4", "join c mill forge 4"

PLAY(siblings_neither_price_nor_rank_one_another, WORKS,
    "client announces t", "a bids t 3 10m", "b bids t 4 10m", "c bids t 6 10m",
    "= answered:a^works=standing,b^works=standing,c=standing"
    " awarded:a@6#1[a=1/lowest-cost,c=2/outbid,b=0/same-principal]"
    " >a accept-proposal(6) >client inform(awarded,active)")

PLAY(a_root_and_its_branches_are_one, WORKS, "join d works forge 4",
    "client announces t", "a bids t 3 10m", "b bids t 4 10m", "c refuses t", "d bids t 2 10m",
    "= answered:a^works=standing,b^works=standing,c=refused(over-capacity),d=standing"
    " awarded:d@10#1[d=1/lowest-cost,a=0/same-principal,b=0/same-principal] >d accept-proposal(10)"
    " >client inform(awarded,active)")

PLAY(who_failed_takes_its_siblings_out, WORKS,
    "client announces t", "a bids t 3 10m", "b refuses t", "c bids t 6 10m", "a acks t",
    "a fails t 0",
    "= settled:failed(contractor-failed)/0/0 opened:2/1/10 >client failure >a inform(failed)"
    " >client inform(open,failed) >c cfp(2)",
    "b bids t 1 10m", "= >b reject-proposal(excluded)",
    "restart")

PLAY(a_sibling_is_no_second_principal,
    "fund acme 100", "join client acme", "op root enrols works", "op root enrols kilns"
    " parent=works",
    "op root enrols ovens parent=works", "join a kilns forge 4", "join b ovens forge 4",
    "client announces t", "a bids t 3 10m", "b bids t 4 10m", "=",
    "wait 20s",
    "= answered:a^works=standing,b^works=standing"
    " awarded:a@10#1[a=1/lowest-cost,b=0/same-principal]"
    " >a accept-proposal(10) >client inform(awarded,active)")

PLAY(a_runner_up_is_of_another_root, WORKS,
    "client announces t", "a bids t 3 10m", "b bids t 4 10m", "c bids t 6 10m", "a fails t 0",
    "= settled:declined(declined)/0/0 awarded:c@10#2 >client failure >a inform(declined)"
    " >client inform(open,declined) >c accept-proposal(10) >client inform(awarded,active)")

PLAY(siblings_may_not_ask_for_more_than_one_another, WORKS,
    "client announces t improve=1", "a bids t 5 10m", "b bids t 7 10m", "c bids t 6 10m",
    "= answered:a^works=standing,b^works=standing,c=standing"
    " closed:improving[a=1/improving,c=2/improving,b=0/same-principal] opened:2/1/10"
    " >b reject-proposal(same-principal) >c cfp(2,rank=2) >b cfp(2) >a cfp(2,rank=1)",
    "b bids t 5.5 10m", "= >b reject-proposal(not-improved)")

PLAY(one_of_a_root_is_drawn, WORKS, "join d works forge 4", "join e elm forge 4",
    "client announces t invite_max=2",
    "= announced opened:1/1/10/drawn=a,c >client agree >a cfp(1) >c cfp(1)",
    "client announces u invite_max=2",
    "= announced opened:1/1/10/drawn=e,b >client agree >e cfp(1) >b cfp(1)",
    "client announces v invite_max=2",
    "= announced opened:1/1/10/drawn=c,e >client agree >c cfp(1) >e cfp(1)",
    "client announces w invite_max=2",
    "= announced opened:1/1/10/drawn=c,d >client agree >c cfp(1) >d cfp(1)")

PLAY(the_fewest_commitments_are_those_of_all_siblings,
    "fund acme 100", "join client acme", "op root enrols works", "op root enrols kilns"
    " parent=works",
    "op root enrols ovens parent=works", "join a kilns forge 4", "join b ovens forge 4",
    "op root rates forge 0.5 3 share=0", "client announces p", "client announces q",
    "client announces r", "client announces s", "join c mill forge 4",
    "client announces t", "= announced assigned:c@0.5#1 >client agree >c accept-proposal(0.5)"
    " >client inform(awarded,active)",
    "client announces u", "= announced assigned:c@0.5#1 >client agree >c accept-proposal(0.5)"
    " >client inform(awarded,active)",
    "client announces v", "= announced assigned:c@0.5#1 >client agree >c accept-proposal(0.5)"
    " >client inform(awarded,active)",
    "client announces w", "= announced assigned:c@0.5#1 >client agree >c accept-proposal(0.5)"
    " >client inform(awarded,active)")

PLAY(parts_are_priced_as_if_no_sibling_had_bid, WORKS,
    "client announces t units=10 ceiling=100 split=2", "a bids t 2 10m capacity=10",
    "b bids t 3 10m capacity=10", "c bids t 6 10m capacity=10",
    "= answered:a^works=standing,b^works=standing,c=standing"
    " awarded:a@60#1.1/10[a=1/lowest-cost,c=2/outbid,b=0/same-principal] closed:none >c"
    " reject-proposal(outbid) >b reject-proposal(same-principal) >a accept-proposal(60#1)"
    " >client inform(awarded,active#1)")

PLAY(who_is_enrolled_while_a_round_runs_keeps_the_root_that_its_bid_had,
    "fund acme 100", "join client acme", "op root enrols works", "join a kilns forge 4",
    "join b works forge 4", "join c mill forge 4",
    "client announces t", "a bids t 3 10m", "tick",
    "op root enrols kilns parent=works", "= admitted:kilns/works#0 >root agree",
    "b bids t 4 10m", "c bids t 6 10m",
    "= answered:b=standing,c=standing"
    " awarded:a@4#1[a=1/lowest-cost,b=2/outbid,c=3/outbid] >a accept-proposal(4)"
    " >client inform(awarded,active)",
    "restart",
    "join client acme", "join a kilns forge 4", "join b works forge 4", "join c mill forge 4",
    "a acks t", "client announces u", "a bids u 3 10m", "b bids u 4 10m", "c bids u 6 10m",
    "= answered:a^works=standing,b=standing,c=standing"
    " awarded:a@6#1[a=1/lowest-cost,c=2/outbid,b=0/same-principal] >a accept-proposal(6)"
    " >client inform(awarded,active)")

PLAY(who_is_enrolled_below_another_counts_with_it_at_once,
    "fund acme 100", "join client acme", "op root enrols works", "join a kilns forge 4",
    "join b works forge 4", "join c mill forge 4", "join d dune forge 4",
    "client announces r", "a bids r 3 10m", "b refuses r", "c refuses r", "d refuses r",
    "a acks r", "a fails r 0",
    "= settled:failed(contractor-failed)/0/0 opened:2/1/10 >client failure >a inform(failed)"
    " >client inform(open,failed) >d cfp(2) >c cfp(2) >b cfp(2)",
    "op root enrols kilns parent=works",
    "b bids r 3 10m round=2",
    "= >b reject-proposal(excluded)",
    "client announces q invite_max=2",
    "= announced opened:1/1/10/drawn=a,c >client agree >a cfp(1) >c cfp(1)",
    "client announces p invite_max=2",
    "= announced opened:1/1/10/drawn=d,c >client agree >d cfp(1) >c cfp(1)",
    "op root rates forge 0.5 3 share=0", "client announces s",
    "= announced assigned:d@0.5#1 >client agree >d accept-proposal(0.5) >client"
    " inform(awarded,active)",
    "client announces t",
    "= announced assigned:a@0.5#1 >client agree >a accept-proposal(0.5) >client"
    " inform(awarded,active)",
    "client announces u",
    "= announced assigned:c@0.5#1 >client agree >c accept-proposal(0.5) >client"
    " inform(awarded,active)",
    "restart")
/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(siblings_neither_price_nor_rank_one_another),
        TEST(a_root_and_its_branches_are_one),
        TEST(who_failed_takes_its_siblings_out),
        TEST(a_sibling_is_no_second_principal),
        TEST(a_runner_up_is_of_another_root),
        TEST(siblings_may_not_ask_for_more_than_one_another),
        TEST(one_of_a_root_is_drawn),
        TEST(the_fewest_commitments_are_those_of_all_siblings),
        TEST(parts_are_priced_as_if_no_sibling_had_bid),
        TEST(who_is_enrolled_while_a_round_runs_keeps_the_root_that_its_bid_had),
        TEST(who_is_enrolled_below_another_counts_with_it_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
