/*
 * What work cost its contractor, as it says itself, play by play: it stands in the ledger beside
 * the bid and the estimate, and changes nothing.
 */
#include "play.h"

/* clang-format off */
#define AWARD                                                                                      \
    CAST, "client announces t units=4", "a bids t 4 10m estimate=3.5", "b bids t 9 10m",           \
        "c refuses t", "a acks t"

PLAY(what_a_completion_measured_stands_beside_bid_and_estimate, AWARD, "restart",
    "join client acme", "join a amber forge 4",
    "a done t 4 cost=3.25 tier=small evidence=tokens_in:100,tokens_out:20",
    "= settled:fulfilled(completed)/4/9/measured=3.25,bid=4,estimate=3.5,small/done(completed)/1"
    " >client inform-done >a inform(fulfilled) >client inform(done,fulfilled)",
    "? acme 91 0 9 0", "? amber 0 0 0 9")

PLAY(a_failure_may_be_measured_too, AWARD,
    "a fails t 1 cost=2 tier=small",
    "= settled:failed(contractor-failed)/1/2.25/measured=2,bid=4,estimate=3.5,small opened:2/3/7.5"
    " >client failure >a inform(failed) >client inform(open,failed) >c cfp(2) >b cfp(2)")

PLAY(who_measures_nothing_says_nothing, AWARD,
    "a done t 4 cost=0",
    "= settled:fulfilled(completed)/4/9/done(completed)/1"
    " >client inform-done >a inform(fulfilled) >client inform(done,fulfilled)")

PLAY(more_than_any_money_is_no_measure, AWARD,
    "a done t 4 cost=2000000000000",
    "= settled:fulfilled(completed)/4/9/done(completed)/1"
    " >client inform-done >a inform(fulfilled) >client inform(done,fulfilled)")

PLAY(a_delivery_keeps_its_measure_until_it_is_decided_on, CAST,
    "client announces t accept=1h", "a bids t 4 10m estimate=3.5", "b bids t 9 10m", "c refuses t",
    "a done t 1 cost=3.25 tier=small", "restart", "join client acme", "join a amber forge 4",
    "client accepts t",
    "= settled:fulfilled(completed)/1/9/measured=3.25,bid=4,estimate=3.5,small/done(completed)/1"
    " >client inform-done >a inform(fulfilled) >client inform(done,fulfilled) >client agree")
/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_a_completion_measured_stands_beside_bid_and_estimate),
        TEST(a_failure_may_be_measured_too),
        TEST(who_measures_nothing_says_nothing),
        TEST(more_than_any_money_is_no_measure),
        TEST(a_delivery_keeps_its_measure_until_it_is_decided_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
