/*
 * The mechanism, play by play: tasks that wait for tasks, goals, and what members believe of them.
 * After each event the invariants hold, and recalling what was heard gives the same book.
 */
#include "play.h"

/* clang-format off */
#define AWARDED_TO_A(task) \
    "a bids " task " 3 10m", "b bids " task " 4 10m", "c refuses " task, "a acks " task

PLAY(a_chain_of_three_is_announced_one_after_the_other, CAST,
    "client announces t", "client announces u after=t", "= announced >client agree",
    "client announces v after=u", "? acme 70 30 0 0", AWARDED_TO_A("t"), "a done t 1",
    "= settled:fulfilled(completed)/1/4/done(completed)/6 >client inform-done >a"
    " inform(fulfilled) >client inform(done,fulfilled)",
    "tick",
    "= unblocked opened:1/1/10 >client inform(open) >c cfp(1) >b cfp(1) >a cfp(1)",
    AWARDED_TO_A("u"), "a done u 1", "tick",
    "= unblocked opened:1/1/10 >client inform(open) >c cfp(1) >b cfp(1) >a cfp(1)",
    "a bids v 3 10m", "=")

PLAY(a_diamond_waits_for_both_its_sides, CAST,
    "client announces t", "client announces u after=t", "client announces v after=t",
    "client announces w after=u,v",
    AWARDED_TO_A("t"), "a done t 1", "tick",
    "= unblocked opened:1/1/10 unblocked opened:1/1/10 >client inform(open) >c cfp(1) >b"
    " cfp(1) >a cfp(1) >client inform(open) >c cfp(1) >b cfp(1) >a cfp(1)",
    AWARDED_TO_A("u"), "a done u 1", "tick", "=",
    AWARDED_TO_A("v"), "a done v 1", "tick",
    "= unblocked opened:1/1/10 >client inform(open) >c cfp(1) >b cfp(1) >a cfp(1)")

PLAY(a_prerequisite_that_ends_otherwise_cancels_all_that_wait_for_it, CAST,
    "client announces t", "client announces u after=t", "client announces v after=u",
    "client announces w after=t,u",
    "client cancels t",
    "= closed:round-cancelled ended:cancelled(cancelled-by-client)/10 >client"
    " inform(cancelled) >client agree",
    "tick",
    "= ended:cancelled(prerequisite-ended)/10 ended:cancelled(prerequisite-ended)/10"
    " ended:cancelled(prerequisite-ended)/10 >client inform(cancelled) >client"
    " inform(cancelled) >client inform(cancelled)",
    "? acme 100 0 0 0")

PLAY(a_prerequisite_that_nobody_does_cancels_what_waits,
    "fund acme 100", "join client acme", "client announces t window=10s rounds=1",
    "client announces u after=t",
    "wait 10s",
    "= closed:no-eligible-bid ended:unallocated(rounds-exhausted)/10"
    " ended:cancelled(prerequisite-ended)/10 >client inform(unallocated) >client"
    " inform(cancelled)")

PLAY(what_was_done_before_does_not_block, CAST,
    "client announces t", AWARDED_TO_A("t"), "a done t 1", "client announces u after=t",
    "= announced opened:1/1/10 >client agree >c cfp(1) >b cfp(1) >a cfp(1)",
    "wait 5m", "client announces v after=t",
    "= announced opened:1/1/10 >client agree",
    "client announces w after=u,t",
    "= >client refuse(prerequisite-ended)",
    "restart", "=")

PLAY(what_ended_otherwise_or_is_not_recorded_is_refused, CAST,
    "fund other 100", "join stranger other", "stranger announces s", "client announces t",
    "client cancels t",
    "client announces u after=t",
    "= >client refuse(prerequisite-ended)",
    "wait 5m", "client announces u after=t",
    "= >client refuse(prerequisite-ended)",
    "client announces u after=s", "= >client refuse(not-yours)",
    "client announces u after=nothing",
    "= >client refuse(unknown-task)",
    "? acme 100 0 0 0")

PLAY(a_restart_while_blocked_changes_nothing, CAST,
    "client announces t", "client announces u after=t", "restart", "=",
    "join client acme", "join a amber forge 4", "join b birch forge 4", "join c cedar forge 4",
    "a bids t 3 10m",
    "b bids t 4 10m", "wait 20s", "a acks t", "a done t 1", "restart", "=",
    "tick", "= unblocked opened:1/1/10")

PLAY(without_time_for_a_window_a_task_waits_for_its_deadline_also_over_a_restart, CAST,
    "client announces s", "client announces t after=s deadline=1m",
    "a bids s 3 10m", "b bids s 4 10m", "c refuses s", "a acks s", "wait 45s", "a done s 1",
    "tick",
    "= unblocked >client inform(open)",
    "restart", "=",
    "join client acme", "wait 20s",
    "= departed departed departed ended:unallocated(deadline-passed)/10 >client"
    " inform(unallocated)")

PLAY(a_restart_behind_a_prerequisite_that_is_forgotten_remembers_its_end, CAST,
    "client announces t", "client announces s", "client announces u after=s,t", AWARDED_TO_A("s"),
    "a done s 1",
    "wait 5s", "client cancels t", "restart", "=",
    "tick",
    "= ended:cancelled(prerequisite-ended)/10")

PLAY(a_deadline_that_the_client_stated_runs_while_blocked,
    "fund acme 100", "join client acme", "client announces t window=1h rounds=1 due=1h",
    "client announces u after=t deadline=1m",
    "wait 59s", "=",
    "wait 2s",
    "= ended:unallocated(deadline-passed)/10 >client inform(unallocated)")

PLAY(the_usual_deadline_begins_with_the_unblocking, CAST,
    "client announces t due=10h", "client announces u after=t rounds=1 due=10s window=10s ack=10s",
    "a bids t 3 10h",
    "b bids t 4 10h", "c refuses t", "a acks t", "wait 9h", "=",
    "a done t 1", "tick",
    "= unblocked opened:1/1/10 >client inform(open) >c cfp(1) >b cfp(1) >a cfp(1)",
    "wait 9s", "=",
    "wait 1s",
    "= closed:no-eligible-bid ended:unallocated(rounds-exhausted)/10 >client"
    " inform(unallocated)")

PLAY(a_blocked_task_that_is_cancelled_gives_its_money_back,
    "fund acme 20", "join client acme", "client announces t", "client announces u after=t",
    "client announces v",
    "= >client refuse(insufficient-funds)",
    "client cancels u",
    "= ended:cancelled(cancelled-by-client)/10 >client inform(cancelled) >client agree",
    "? acme 10 10 0 0", "client cancels t",
    "= closed:round-cancelled ended:cancelled(cancelled-by-client)/10 >client"
    " inform(cancelled) >client agree",
    "tick", "=")

PLAY(what_the_client_believes_achieved_opens_what_waits, CAST,
    "client announces t units=4 ceiling=40", "client announces u after=t", AWARDED_TO_A("t"),
    "a progress t 2",
    "client believes t achieved text=bought",
    "= believed:client(achieved)"
    " settled:cancelled(achieved)/2/2.2/fee=0.2/cancelled(achieved)/37.8 >a cancel(achieved)"
    " >client inform(cancelled,cancelled) >client agree",
    "tick",
    "= unblocked opened:1/1/10 >client inform(open) >c cfp(1) >b cfp(1) >a cfp(1)",
    "client believes t achieved", "= >client agree",
    "client believes t impossible",
    "= >client refuse(already-ended)")

PLAY(what_the_client_believes_impossible_cancels_what_waits, CAST,
    "client announces t", "client announces u after=t", "client believes t impossible",
    "= believed:client(impossible) closed:round-cancelled ended:cancelled(impossible)/10"
    " >client inform(cancelled) >client agree",
    "tick",
    "= ended:cancelled(prerequisite-ended)/10 >client inform(cancelled)",
    "? acme 100 0 0 0")

PLAY(an_operator_believes_like_a_client, CAST,
    "client announces t", "op root believes t irrelevant",
    "= believed:root(irrelevant) closed:round-cancelled ended:cancelled(irrelevant)/10"
    " >client inform(cancelled) >root agree")

PLAY(an_owners_belief_about_its_own_task_is_a_report, CAST,
    "client announces t units=4 ceiling=40", "client announces u units=4 ceiling=40",
    AWARDED_TO_A("t"),
    AWARDED_TO_A("u"), "a progress u 1", "a believes t achieved",
    "= believed:a(achieved) settled:fulfilled(completed)/4/4/done(completed)/36 >client"
    " inform-done >a inform(fulfilled) >client inform(done,fulfilled) >a agree",
    "a believes u impossible",
    "= believed:a(impossible) settled:failed(contractor-failed)/1/1 opened:2/3/30 >client"
    " failure >a inform(failed) >client inform(open,failed) >c cfp(2) >b cfp(2) >a agree",
    "? amber 0 0 0 5")

PLAY(an_owners_belief_passes_the_gates_of_reports, CAST,
    "client announces t units=4", AWARDED_TO_A("t"), "a progress t 3",
    "a believes t impossible units=2",
    "= >a refuse(out-of-range)",
    "a believes t achieved units=3", "= >a refuse(out-of-range)",
    "a believes t outbid", "= >a refuse(out-of-range)")

PLAY(an_owners_belief_that_it_is_achieved_brings_the_evidence_too, CAST,
    "client announces t evidence=result", AWARDED_TO_A("t"), "a believes t achieved",
    "= >a refuse(evidence-missing)",
    "a believes t achieved gen=1",
    "= >a not-understood(evidence-missing)",
    "a done t 1")

PLAY(an_award_that_was_not_taken_is_declined_by_a_belief, CAST,
    "client announces t", "a bids t 3 10m", "b bids t 4 10m", "c refuses t",
    "a believes t irrelevant",
    "= believed:a(irrelevant) settled:declined(declined)/0/0 awarded:b@10#2 >client failure"
    " >a inform(declined) >client inform(open,declined) >b accept-proposal(10) >client"
    " inform(awarded,active) >a agree")

PLAY(who_is_no_member_is_not_believed, CAST,
    "fund other 100", "join stranger other", "client announces t goal=g",
    "client announces u goal=g",
    AWARDED_TO_A("t"), "stranger believes t achieved",
    "= >stranger refuse(not-member)",
    "b believes t achieved", "= >b refuse(not-member)",
    "b believes goal:g achieved task=t", "= >b refuse(not-member)",
    "stranger believes goal:g achieved",
    "= >stranger refuse(unknown-goal)",
    "b believes goal:h achieved task=t", "= >b refuse(unknown-goal)",
    "client believes goal:h achieved",
    "= >client refuse(unknown-goal)",
    "op root believes goal:g achieved", "= >root refuse(unknown-goal)")

PLAY(another_owner_of_the_goal_is_written_down_and_told, CAST,
    "client announces t goal=g", "client announces u goal=g", AWARDED_TO_A("t"), "b bids u 3 10m",
    "a bids u 4 10m",
    "c refuses u", "b acks u", "b believes t impossible text=why",
    "= believed:b(impossible) >client inform(impossible) >a inform(impossible) >b agree",
    "a done t 1", "b believes t impossible", "= >b refuse(not-member)")

PLAY(an_achieved_goal_stops_all_its_tasks, CAST,
    "client announces t goal=g units=4 ceiling=40", "client announces u goal=g",
    "client announces v goal=g after=t",
    "client announces w goal=other", AWARDED_TO_A("t"), "a progress t 2", "a bids u 3 10m",
    "? acme 30 70 0 0",
    "client believes goal:g achieved text=bought",
    "= goaled:g(achieved) >client inform(achieved) >a inform(achieved) >client agree",
    "client announces x goal=g", "= >client refuse(goal-over)",
    "tick",
    "= answered:a=standing ended:cancelled(achieved)/10"
    " closed:round-cancelled[a=0/round-cancelled] ended:cancelled(achieved)/10"
    " settled:cancelled(achieved)/2/2.2/fee=0.2/cancelled(achieved)/37.8 >client"
    " inform(cancelled) >a reject-proposal(round-cancelled) >client inform(cancelled) >a"
    " cancel(achieved) >client inform(cancelled,cancelled)",
    "? acme 87.8 10 2.2 0", "? amber 0 0 0 2.2", "client announces x goal=g",
    "= announced opened:1/1/10 >client agree >c cfp(1) >b cfp(1) >a cfp(1)")

PLAY(a_blocked_task_of_a_goal_that_is_over_is_not_opened, CAST,
    "client announces t", "client announces u goal=g after=t", AWARDED_TO_A("t"),
    "client believes goal:g impossible", "a done t 1", "tick",
    "= ended:cancelled(impossible)/10 >client inform(cancelled)")

PLAY(what_is_delivered_waits_for_its_decision_and_ends_with_it, CAST,
    "client announces t goal=g accept=1h", AWARDED_TO_A("t"), "a done t 1",
    "client believes goal:g achieved",
    "= goaled:g(achieved) >client inform(achieved) >a inform(achieved) >client agree",
    "tick", "=", "client believes t achieved", "= >client refuse(awaits-decision)",
    "client announces x goal=g", "= >client refuse(goal-over)", "restart", "=",
    "client rejects t",
    "= settled:failed(rejected)/0/0/of=1/cancelled(achieved)/10"
    " >client inform(cancelled,failed) >client agree",
    "? acme 100 0 0 0")

PLAY(a_rejected_delivery_of_a_goal_that_is_over_is_not_announced_again, CAST,
    "client announces t goal=g accept=1h units=2", "client announces u goal=g accept=1h",
    AWARDED_TO_A("t"), AWARDED_TO_A("u"), "a done t 2", "a done u 1",
    "client believes goal:g irrelevant", "tick",
    "client rejects t units=1",
    "= settled:failed(rejected)/1/2/of=2/cancelled(irrelevant)/8 >a inform(failed)"
    " >client inform(cancelled,failed) >client agree",
    "client accepts u",
    "= settled:fulfilled(completed)/1/4/done(completed)/6 >client inform-done >a"
    " inform(fulfilled) >client inform(done,fulfilled) >client agree",
    "client announces v goal=g",
    "= announced opened:1/1/10 >client agree >c cfp(1) >b cfp(1) >a cfp(1)")

PLAY(a_restart_in_the_middle_of_stopping_goes_on_with_it, CAST,
    "client announces t goal=g", "client announces u goal=g after=t",
    "client believes goal:g irrelevant",
    "restart", "=",
    "tick",
    "= ended:cancelled(irrelevant)/10 closed:round-cancelled ended:cancelled(irrelevant)/10",
    "? acme 100 0 0 0", "client announces v goal=g",
    "= announced opened:1/1/10 >client agree",
    "restart", "=")

PLAY(a_members_belief_about_a_goal_waits_for_the_client_who_confirms, CAST,
    "client announces t goal=g", "client announces u goal=g", AWARDED_TO_A("t"),
    "a believes goal:g impossible task=t text=no",
    "= goaled:g(impossible)/suspended >client inform(impossible) >a inform(impossible) >a"
    " agree",
    "a bids u 3 10m", "b bids u 4 10m", "c refuses u",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
    " closed:goal-suspended[b=0/goal-suspended,a=0/goal-suspended] >b"
    " reject-proposal(goal-suspended) >a reject-proposal(goal-suspended)",
    "wait 9m", "=",
    "client believes goal:g impossible",
    "= goaled:g(impossible) >client inform(impossible) >a inform(impossible) >client agree",
    "tick",
    "= ended:cancelled(impossible)/10"
    " settled:cancelled(impossible)/0/0.4/fee=0.4/cancelled(impossible)/9.6 >client"
    " inform(cancelled) >a cancel(impossible) >client inform(cancelled,cancelled)")

#define AWARDED_TO_A_FOR_LONG(task) \
    "a bids " task " 3 10h", "b bids " task " 4 10h", "c refuses " task, "a acks " task

PLAY(awards_go_on_when_the_client_does_not_speak, CAST,
    "client announces t goal=g due=10h", "client announces u goal=g", AWARDED_TO_A_FOR_LONG("t"),
    "a believes goal:g impossible task=t",
    "= goaled:g(impossible)/suspended >client inform(impossible) >a inform(impossible) >a"
    " agree",
    "wait 20s", "= closed:goal-suspended",
    "restart", "=",
    "join client acme", "join a amber forge 4", "join b birch forge 4", "wait 9m", "= departed",
    "wait 40s",
    "= opened:2/1/10 >b cfp(2) >a cfp(2)",
    "a bids u 3 10m", "b bids u 4 10m",
    "= answered:a=standing,b=standing awarded:a@4#1[a=1/lowest-cost,b=2/outbid] >a"
    " accept-proposal(4) >client inform(awarded,active)")

PLAY(awards_go_on_when_the_client_says_so, CAST,
    "client announces t goal=g", "client announces u goal=g", AWARDED_TO_A("t"),
    "a believes goal:g impossible task=t",
    "wait 30s", "= closed:goal-suspended",
    "a believes goal:g none task=t", "= >a refuse(not-yours)",
    "client believes goal:g none",
    "= goaled:g(none) >client inform(none) >a inform(none) >client agree",
    "tick",
    "= opened:2/1/10 >c cfp(2) >b cfp(2) >a cfp(2)")

PLAY(a_suspension_is_not_prolonged_by_saying_it_again, CAST,
    "client announces t goal=g due=10h", "client announces u goal=g", AWARDED_TO_A_FOR_LONG("t"),
    "a believes goal:g impossible task=t",
    "wait 9m", "a believes goal:g impossible task=t",
    "= goaled:g(impossible)/suspended >client inform(impossible) >a inform(impossible) >a"
    " agree",
    "wait 1m",
    "= opened:2/1/10 >c cfp(2) >b cfp(2) >a cfp(2)",
    "a believes goal:g irrelevant task=t",
    "= goaled:g(irrelevant)/suspended >client inform(irrelevant) >a inform(irrelevant) >a"
    " agree",
    "a bids u 3 10m", "b bids u 4 10m", "c refuses u",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
    " awarded:a@4#1[a=1/lowest-cost,b=2/outbid] >a accept-proposal(4) >client"
    " inform(awarded,active)")

PLAY(a_takeover_is_an_award_too, CAST,
    "client announces t goal=g", "client announces u goal=g backoff=1s", AWARDED_TO_A("t"),
    "b bids u 3 10m",
    "a bids u 4 10m", "c refuses u", "a believes goal:g impossible task=t", "b fails u 0",
    "= settled:declined(declined)/0/0 opened:2/1/10 >client failure >b inform(declined)"
    " >client inform(open,declined) >a reject-proposal(outbid) >c cfp(2) >a cfp(2)")

PLAY(a_goal_is_forgotten_with_its_last_task, CAST,
    "client announces t goal=g", "client announces u goal=g", AWARDED_TO_A("t"),
    "a believes goal:g impossible task=t",
    "client announces v goal=g", "client cancels u", "a done t 1",
    "= settled:fulfilled(completed)/1/4/done(completed)/6 >client inform-done >a"
    " inform(fulfilled) >client inform(done,fulfilled)",
    "tick", "a bids v 3 10m", "b bids v 4 10m", "c refuses v",
    "= answered:a=standing,b=standing,c=refused(over-capacity)"
    " awarded:a@4#1[a=1/lowest-cost,b=2/outbid] >a accept-proposal(4) >client"
    " inform(awarded,active)",
    "restart", "=")

PLAY(a_goal_is_asked_about_by_its_members, CAST,
    "client announces t goal=g", AWARDED_TO_A("t"), "a believes goal:g irrelevant task=t",
    "client queries none goal=g",
    "= >client inform(irrelevant)",
    "a queries t goal=g", "= >a inform(irrelevant)",
    "b queries t goal=g", "= >b refuse(not-member)",
    "client queries none goal=h",
    "= >client refuse(unknown-goal)")

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_chain_of_three_is_announced_one_after_the_other),
        TEST(a_diamond_waits_for_both_its_sides),
        TEST(a_prerequisite_that_ends_otherwise_cancels_all_that_wait_for_it),
        TEST(a_prerequisite_that_nobody_does_cancels_what_waits),
        TEST(what_was_done_before_does_not_block),
        TEST(what_ended_otherwise_or_is_not_recorded_is_refused),
        TEST(a_restart_while_blocked_changes_nothing),
        TEST(without_time_for_a_window_a_task_waits_for_its_deadline_also_over_a_restart),
        TEST(a_restart_behind_a_prerequisite_that_is_forgotten_remembers_its_end),
        TEST(a_deadline_that_the_client_stated_runs_while_blocked),
        TEST(the_usual_deadline_begins_with_the_unblocking),
        TEST(a_blocked_task_that_is_cancelled_gives_its_money_back),
        TEST(what_the_client_believes_achieved_opens_what_waits),
        TEST(what_the_client_believes_impossible_cancels_what_waits),
        TEST(an_operator_believes_like_a_client),
        TEST(an_owners_belief_about_its_own_task_is_a_report),
        TEST(an_owners_belief_passes_the_gates_of_reports),
        TEST(an_owners_belief_that_it_is_achieved_brings_the_evidence_too),
        TEST(an_award_that_was_not_taken_is_declined_by_a_belief),
        TEST(who_is_no_member_is_not_believed),
        TEST(another_owner_of_the_goal_is_written_down_and_told),
        TEST(an_achieved_goal_stops_all_its_tasks),
        TEST(a_blocked_task_of_a_goal_that_is_over_is_not_opened),
        TEST(what_is_delivered_waits_for_its_decision_and_ends_with_it),
        TEST(a_rejected_delivery_of_a_goal_that_is_over_is_not_announced_again),
        TEST(a_restart_in_the_middle_of_stopping_goes_on_with_it),
        TEST(a_members_belief_about_a_goal_waits_for_the_client_who_confirms),
        TEST(awards_go_on_when_the_client_does_not_speak),
        TEST(awards_go_on_when_the_client_says_so),
        TEST(a_suspension_is_not_prolonged_by_saying_it_again),
        TEST(a_takeover_is_an_award_too),
        TEST(a_goal_is_forgotten_with_its_last_task),
        TEST(a_goal_is_asked_about_by_its_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
