/*
 * The mechanism, play by play: working, settling, ending, time and restarts. After each event the
 * invariants hold, and recalling what was heard gives the same book.
 */
#include "play.h"

/* clang-format off */
PLAY(W1_a_completion_and_a_lapse_never_both_win, CAST,
    "client announces t due=10m", "a bids t 3 10m", "b bids t 4 10m", "c refuses t", "a acks t",
    "wait 10m", "=",
    "a done t 1",
    "= settled:fulfilled(completed)/1/4/done(completed)/6 >client inform-done >a inform(fulfilled)"
    " >client inform(done,fulfilled)",
    "wait 1s", "=", "a done t 1", "= >a inform(fulfilled)")

PLAY(W1_a_completion_after_the_due_is_late_and_told_so, CAST,
    "client announces t due=10m rounds=1", "a bids t 3 10m", "b bids t 4 10m", "c refuses t",
    "a acks t", "wait 601s",
    "= settled:lapsed(due-passed)/0/0/unallocated(rounds-exhausted)/10"
    " >a cancel(due-passed) >client inform(unallocated,lapsed)",
    "a done t 1", "= late:already-ended >a not-understood(already-ended)")

PLAY(W2_a_holder_unheard_for_three_heartbeats_lapses, CAST,
    "client announces t due=4h heartbeat=10s", "a bids t 3 4h", "b bids t 4 4h", "c refuses t",
    "a acks t", "wait 1h", "=", "mute a", "wait 31s",
    "= departed settled:lapsed(heartbeat-missed)/0/0 opened:2/1/10"
    " >a cancel(heartbeat-missed) >client inform(open,lapsed) >c cfp(2) >b cfp(2)")

PLAY(W2_a_message_about_a_task_does_not_lapse_an_owner_whose_own_lies_behind_it, CAST,
    "client announces t heartbeat=1s", "a bids t 3 10m", "b bids t 4 10m", "c refuses t",
    "a acks t", "pause 4s", "client queries t", "= >client inform(awarded,active)",
    "a done t 1",
    "= settled:fulfilled(completed)/1/4/done(completed)/6 >client inform-done >a inform(fulfilled)"
    " >client inform(done,fulfilled)",
    "client announces u heartbeat=1s", "a bids u 3 10m", "b bids u 4 10m", "c refuses u",
    "a acks u", "pause 4s", "client queries u", "tick",
    "= settled:lapsed(heartbeat-missed)/0/0 opened:2/1/10"
    " >a cancel(heartbeat-missed) >client inform(open,lapsed) >c cfp(2) >b cfp(2)")

PLAY(W3_a_reported_failure_announces_again_at_once, CAST,
    "client announces t backoff=1h", "a bids t 3 10m", "b bids t 4 10m", "c refuses t", "a acks t",
    "a fails t 0",
    "= settled:failed(contractor-failed)/0/0 opened:2/1/10"
    " >client failure >a inform(failed) >client inform(open,failed) >c cfp(2) >b cfp(2)")

PLAY(W4_work_finished_while_the_broker_was_down_is_paid_once, CAST,
    "client announces t due=10m", "a bids t 3 10m", "b bids t 4 10m", "c refuses t", "a acks t",
    "restart", "=", "wait 599s",
    "recess 599s 5s", "= recess", "wait 3s", "=",
    "join client acme", "join a amber forge 4",
    "a done t 1",
    "= settled:fulfilled(completed)/1/4/done(completed)/6 >client inform-done >a inform(fulfilled)"
    " >client inform(done,fulfilled)",
    "a done t 1", "= >a inform(fulfilled)", "? amber 0 0 0 4")

PLAY(W5_a_task_that_every_contractor_fails_ends_when_nobody_is_left, CAST,
    "client announces t rounds=9 ceiling=9", "a bids t 3 10m", "b bids t 4 10m", "c bids t 5 10m",
    "a acks t", "a fails t 0", "b bids t 4 10m", "c bids t 5 10m", "b acks t", "b fails t 0",
    "c bids t 5 10m", "wait 20s", "c acks t", "c fails t 0",
    "= settled:failed(contractor-failed)/0/0 opened:4/1/9"
    " >client failure >c inform(failed) >client inform(open,failed)",
    "wait 20s",
    "= closed:no-eligible-bid ended:unallocated(nobody-left)/9 >client inform(unallocated,failed)")

PLAY(W6_a_failed_task_does_not_touch_the_bidding_for_others, CAST,
    "client announces t", "client announces u", "a bids t 3 10m", "b bids t 4 10m", "c refuses t",
    "a acks t", "a fails t 0",
    "a bids u 1 10m", "b bids u 2 10m", "c refuses u",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
    " awarded:a@2#1[a=1/lowest-cost,b=2/outbid]"
    " >a accept-proposal(2) >client inform(awarded,active)")

PLAY(W7_long_due_times_are_kept_and_do_not_fire_early, CAST,
    "client announces t due=366d", "a bids t 3 365d", "b bids t 4 300d", "c refuses t", "a acks t",
    "tick", "=", "a done t 1",
    "= settled:fulfilled(completed)/1/4/done(completed)/6 >client inform-done >a inform(fulfilled)"
    " >client inform(done,fulfilled)")

PLAY(W7_a_deadline_out_of_range_is_refused, "fund acme 100", "join client acme",
    "client announces t deadline=36600d", "= >client refuse(out-of-range)",
    "client announces u deadline=10s window=20s", "= >client refuse(out-of-range)")

PLAY(rounds_without_a_winner_back_off_and_end_when_used_up,
    "fund acme 100", "join client acme",
    "client announces t window=10s backoff=30s rounds=2", "wait 10s", "= closed:no-eligible-bid",
    "wait 29s", "=", "wait 1s", "= opened:2/1/10",
    "wait 10s",
    "= closed:no-eligible-bid ended:unallocated(rounds-exhausted)/10 >client inform(unallocated)",
    "? acme 100 0 0 0")

PLAY(the_deadline_ends_a_task_that_is_open, "fund acme 100", "join client acme",
    "client announces t window=10s backoff=30s deadline=45s", "wait 10s", "= closed:no-eligible-bid",
    "wait 34s", "=", "wait 2s",
    "= ended:unallocated(deadline-passed)/10 >client inform(unallocated)")

PLAY(a_round_closed_early_by_the_deadline_bounds_eta, CAST,
    "client announces t window=10s due=60m deadline=70s", "a bids t 3 61s",
    "= >a reject-proposal(eta-beyond-due)", "b bids t 4 60s")

PLAY(L2_again_starts_a_new_task_after_a_cancel_and_without_it_the_old_one_is_the_answer,
    "fund acme 100", "join client acme",
    "client announces t key=k", "client cancels t",
    "= closed:round-cancelled ended:cancelled(cancelled-by-client)/10 >client inform(cancelled)"
    " >client agree",
    "client announces t key=k", "= >client agree",
    "client announces u key=k units=2", "= >client refuse(conflict)",
    "client announces u key=k again=t", "= announced opened:1/1/10 >client agree",
    "client announces u key=k again=t", "= >client agree",
    "client announces v key=k again=t units=3", "= >client refuse(not-newest)",
    "client announces v key=k again=u units=3", "= >client refuse(conflict)",
    "client cancels u", "client announces v key=k again=u units=3",
    "= announced opened:1/3/10 >client agree")

PLAY(announcing_reserves_and_nothing_overspends_L7, "fund acme 15", "join client acme",
    "client announces t ceiling=10", "? acme 5 10 0 0",
    "client announces u ceiling=6", "= >client refuse(insufficient-funds)",
    "client announces v ceiling=5", "? acme 0 15 0 0",
    "fund acme -1", "= >operator refuse(insufficient-funds)",
    "client cancels t", "client announces u ceiling=6", "? acme 4 11 0 0")

PLAY(L6_the_fallback_hold_waits_for_a_person, CAST,
    "client announces t rounds=1 fallback=hold", "a refuses t", "b refuses t", "c refuses t",
    "= answered:a=refused(over-capacity),b=refused(over-capacity),c=refused(over-capacity)"
    " closed:no-eligible-bid held:held-by-fallback >client inform(held)",
    "wait 1h", "=",
    "a releases t", "= >a refuse(not-yours)",
    "client releases t",
    "= released opened:2/1/10 >c cfp(2) >b cfp(2) >a cfp(2) >client agree >client inform(open)",
    "client releases t", "= >client refuse(not-held)")

PLAY(the_fallback_contractor_is_offered_the_rest_at_its_ceiling, CAST,
    "client announces t rounds=1 fallback=b units=4 ceiling=8",
    "a bids t 3 10m", "b refuses t", "c refuses t", "a acks t", "a fails t 1",
    "= settled:failed(contractor-failed)/1/2 opened:2/3/6"
    " >client failure >a inform(failed) >client inform(open,failed) >b cfp(2)",
    "b bids t 1 10m",
    "= answered:b=standing awarded:b@6#2[b=1/lowest-cost]"
    " >b accept-proposal(6) >client inform(awarded,active)",
    "b fails t 0",
    "= settled:declined(declined)/0/0 ended:unallocated(fallback-declined)/6"
    " >client failure >b inform(declined) >client inform(open,declined)"
    " >client inform(unallocated,declined)")

PLAY(a_fallback_contractor_that_is_out_is_not_asked, CAST,
    "client announces t rounds=1 fallback=a", "a bids t 3 10m", "b refuses t", "c refuses t",
    "a acks t", "a fails t 0",
    "= settled:failed(contractor-failed)/0/0 ended:unallocated(rounds-exhausted)/10"
    " >client failure >a inform(failed) >client inform(open,failed)"
    " >client inform(unallocated,failed)")

PLAY(partial_none_pays_nothing_and_announces_all_units_again, CAST,
    "client announces t units=4 ceiling=8 partial=none", "a bids t 2 10m", "b bids t 4 10m",
    "c refuses t", "a progress t 2",
    "= acknowledged progressed:2 >b reject-proposal(outbid) >client inform-progress",
    "a fails t 3",
    "= settled:failed(contractor-failed)/0/0/of=3 opened:2/4/8"
    " >client failure >a inform(failed) >client inform(open,failed) >c cfp(2) >b cfp(2)")

PLAY(partial_cover_pays_the_price_less_the_cost_of_the_rest, CAST,
    "client announces t units=4 ceiling=8 partial=cover", "a bids t 4 10m", "b bids t 6 10m",
    "c refuses t", "a acks t", "a fails t 3",
    "= settled:failed(contractor-failed)/3/0 opened:2/1/2"
    " >client failure >a inform(failed) >client inform(open,failed) >c cfp(2) >b cfp(2)",
    "b bids t 1 10m", "c bids t 1.75 10m",
    "b done t 1",
    "= settled:fulfilled(completed)/1/1.75 covered:4.25 ended:done(completed)/2"
    " >client inform-done >c reject-proposal(outbid) >b inform(fulfilled)"
    " >client inform(open,fulfilled) >a inform(failed) >client inform(done,fulfilled)",
    "? amber 0 0 0 4.25", "? birch 0 0 0 1.75")

PLAY(partial_cover_counts_units_never_done_at_their_share_of_the_ceiling, CAST,
    "client announces t units=4 ceiling=8 partial=cover rounds=1", "a bids t 4 10m",
    "b bids t 6 10m", "c refuses t", "a acks t", "a fails t 3",
    "= settled:failed(contractor-failed)/3/0 covered:4 ended:unallocated(rounds-exhausted)/4"
    " >client failure >a inform(failed) >client inform(open,failed) >a inform(failed)"
    " >client inform(unallocated,failed)")

PLAY(cancel_pays_accepted_units_and_the_kill_fee, CAST,
    "client announces t units=4 ceiling=8 fee=250000", "a bids t 2 10m", "b bids t 4 10m",
    "c refuses t", "a progress t 1", "client cancels t",
    "= settled:cancelled(cancelled-by-client)/1/1.75/fee=0.75/cancelled(cancelled-by-client)/6.25"
    " >a cancel(cancelled-by-client) >client inform(cancelled,cancelled) >client agree",
    "client cancels t", "= >client agree", "? amber 0 0 0 1.75")

PLAY(cancel_works_while_bids_are_taken_while_backing_off_and_while_held, CAST,
    "client announces t", "a bids t 3 10m", "client cancels t",
    "= answered:a=standing closed:round-cancelled[a=0/round-cancelled]"
    " ended:cancelled(cancelled-by-client)/10 >a reject-proposal(round-cancelled)"
    " >client inform(cancelled) >client agree",
    "client announces u backoff=1h", "a refuses u", "b refuses u", "c refuses u",
    "op root cancels u",
    "= ended:cancelled(cancelled-by-operator)/10 >client inform(cancelled) >root agree",
    "client announces v rounds=1 fallback=hold", "a refuses v", "b refuses v", "c refuses v",
    "b cancels v", "= >b refuse(not-yours)",
    "client cancels v",
    "= ended:cancelled(cancelled-by-client)/10 >client inform(cancelled) >client agree",
    "client cancels nowhere", "= >client refuse(unknown-task)")

PLAY(units_are_cumulative_and_bounded, CAST,
    "client announces t units=4", "a bids t 2 10m", "b bids t 4 10m", "c refuses t",
    "a progress t 2", "a progress t 1", "= >a not-understood(fewer-units)",
    "a progress t 5", "= >a not-understood(too-many-units)",
    "a done t 3", "= >a not-understood(fewer-units)", "b done t 4", "= >b not-understood(not-yours)")

PLAY(a_recess_moves_closes_and_dues_past_it, CAST,
    "client announces t window=20s", "a bids t 2 10m", "wait 15s", "= answered:a=standing",
    "recess 10s 30s", "= recess", "wait 29s", "=", "wait 1s",
    "= awarded:a@10#1[a=1/lowest-cost] >a accept-proposal(10) >client inform(awarded,active)")

PLAY(an_award_not_acknowledged_is_told_again_to_a_contractor_that_comes_back, CAST,
    "client announces t", "a bids t 2 10m", "b bids t 4 10m", "c refuses t",
    "restart", "=", "join client acme",
    "join a amber forge 4", "= >a welcome >a accept-proposal(4) >a agree",
    "a acks t", "= acknowledged")

PLAY(open_cfps_are_sent_again_to_a_contractor_that_comes_back_unless_it_answered, CAST,
    "client announces t", "client announces u", "a bids t 2 10m", "tick",
    "leave a", "= departed",
    "join a amber forge 4", "= >a welcome enrolled >a agree >a cfp(1)")

PLAY(a_recalled_round_runs_its_window_because_nobody_knows_who_was_invited, CAST,
    "client announces t window=20s", "a bids t 2 10m", "tick", "restart",
    "join client acme", "join b birch forge 4", "= >b welcome >b agree >b cfp(1)",
    "b bids t 3 10m", "=", "client closes t", "= >client refuse(answers-outstanding)",
    "join a amber forge 4", "join c cedar forge 4", "c bids t 4 10m", "wait 20s",
    "= answered:b=standing,c=standing awarded:a@3#1[a=1/lowest-cost,b=2/outbid,c=3/outbid]"
    " >a accept-proposal(3) >client inform(awarded,active)")

PLAY(a_follower_hears_how_the_task_goes, CAST, "join eye acme",
    "client announces t", "eye queries t", "= >eye inform(open)",
    "a queries t", "= >a refuse(not-yours)",
    "a bids t 2 10m", "b bids t 4 10m", "c refuses t",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
    " awarded:a@4#1[a=1/lowest-cost,b=2/outbid] >a accept-proposal(4)"
    " >client inform(awarded,active) >eye inform(awarded,active)",
    "a queries t gen=1", "leave eye", "a done t 1",
    "= settled:fulfilled(completed)/1/4/done(completed)/6 >client inform-done"
    " >b reject-proposal(outbid) >a inform(fulfilled) >client inform(done,fulfilled)")

PLAY(a_contractor_that_leaves_cfps_unanswered_is_not_invited_until_it_speaks,
    "fund acme 100", "join client acme", "join a amber forge 4",
    "client announces t rounds=1", "client announces u rounds=1", "client announces v rounds=1",
    "= announced opened:1/1/10 >client agree >a cfp(1)", "wait 20s",
    "client announces w rounds=1", "= announced opened:1/1/10 >client agree",
    "a refuses v", "= >a cfp(1)")

PLAY(a_name_belongs_to_its_principal_while_it_is_in_use, "join a amber forge 1",
    "join a birch", "= >a refuse(name-taken)")
PLAY(no_account_overflows_by_what_is_put_in_reserved_or_earned,
    "join client acme", "join a amber forge 99", "fund acme 1000000000000", "fund acme 1",
    "= >operator refuse(out-of-range)",
    "client announces t1 ceiling=1000000000000", "fund acme 1000000000000",
    "client announces t2 ceiling=1000000000000", "fund acme 1000000000000",
    "client announces t3 ceiling=1000000000000", "fund acme 1000000000000",
    "client announces t4 ceiling=1000000000000", "fund acme 1000000000000",
    "client announces t5 ceiling=1000000000000", "fund birch 1000000000000",
    "fund birch -1000000000000", "fund birch 1000000000000", "fund cedar 1000000000000",
    "fund dogwood 1000000000000", "fund elm 1000000000000", "fund fir 1",
    "= >operator refuse(out-of-range)", "restart", "fund acme 1000000000000",
    "= >operator refuse(out-of-range)", "fund elm -1000000000000", "fund acme 1000000000000",
    "join client acme", "join a amber forge 99",
    "client announces t6 ceiling=1000000000000",
    "? acme 0 6000000000000 0 0")

/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(W1_a_completion_and_a_lapse_never_both_win),
        TEST(W1_a_completion_after_the_due_is_late_and_told_so),
        TEST(W2_a_holder_unheard_for_three_heartbeats_lapses),
        TEST(W2_a_message_about_a_task_does_not_lapse_an_owner_whose_own_lies_behind_it),
        TEST(W3_a_reported_failure_announces_again_at_once),
        TEST(W4_work_finished_while_the_broker_was_down_is_paid_once),
        TEST(W5_a_task_that_every_contractor_fails_ends_when_nobody_is_left),
        TEST(W6_a_failed_task_does_not_touch_the_bidding_for_others),
        TEST(W7_long_due_times_are_kept_and_do_not_fire_early),
        TEST(W7_a_deadline_out_of_range_is_refused),
        TEST(rounds_without_a_winner_back_off_and_end_when_used_up),
        TEST(the_deadline_ends_a_task_that_is_open),
        TEST(a_round_closed_early_by_the_deadline_bounds_eta),
        TEST(L2_again_starts_a_new_task_after_a_cancel_and_without_it_the_old_one_is_the_answer),
        TEST(announcing_reserves_and_nothing_overspends_L7),
        TEST(L6_the_fallback_hold_waits_for_a_person),
        TEST(the_fallback_contractor_is_offered_the_rest_at_its_ceiling),
        TEST(a_fallback_contractor_that_is_out_is_not_asked),
        TEST(partial_none_pays_nothing_and_announces_all_units_again),
        TEST(partial_cover_pays_the_price_less_the_cost_of_the_rest),
        TEST(partial_cover_counts_units_never_done_at_their_share_of_the_ceiling),
        TEST(cancel_pays_accepted_units_and_the_kill_fee),
        TEST(cancel_works_while_bids_are_taken_while_backing_off_and_while_held),
        TEST(units_are_cumulative_and_bounded),
        TEST(a_recess_moves_closes_and_dues_past_it),
        TEST(an_award_not_acknowledged_is_told_again_to_a_contractor_that_comes_back),
        TEST(open_cfps_are_sent_again_to_a_contractor_that_comes_back_unless_it_answered),
        TEST(a_recalled_round_runs_its_window_because_nobody_knows_who_was_invited),
        TEST(a_follower_hears_how_the_task_goes),
        TEST(a_contractor_that_leaves_cfps_unanswered_is_not_invited_until_it_speaks),
        TEST(a_name_belongs_to_its_principal_while_it_is_in_use),
        TEST(no_account_overflows_by_what_is_put_in_reserved_or_earned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
