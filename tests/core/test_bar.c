/*
 * Holds and quarantine, play by play: whoever is on hold gets nothing new and keeps what it has; a
 * task on hold is announced no further; tasks of three clients that others completed put a
 * contractor on hold for a skill, and nothing less does.
 */
#include "play.h"

/* clang-format off */
PLAY(a_held_contractor_is_not_invited_and_its_bid_is_not_eligible, CAST,
    "client announces t", "= announced opened:1/1/10 >client agree >c cfp(1) >b cfp(1) >a cfp(1)",
    "op ops holds contractor=a reason=quality-check text=returns-empty-files",
    "= barred:a//(quality-check) >ops agree",
    "a bids t 1 10m", "= >a reject-proposal(on-hold)",
    "b bids t 4 10m", "c bids t 5 10m",
    "= answered:a=ineligible(on-hold),b=standing,c=standing awarded:b@5#1[b=1/lowest-cost,c=2/outbid]"
    " >b accept-proposal(5) >client inform(awarded,active)",
    "client announces u", "= announced opened:1/1/10 >client agree >c cfp(1) >b cfp(1)",
    "b done t 1")

PLAY(a_bid_that_stood_when_the_hold_came_neither_wins_nor_prices, CAST,
    "client announces t", "a bids t 1 10m", "b bids t 4 10m",
    "op ops holds principal=amber",
    "c bids t 5 10m",
    "= answered:a=standing,b=standing,c=standing"
    " awarded:b@5#1[b=1/lowest-cost,c=2/outbid,a=0/on-hold]"
    " >a reject-proposal(on-hold) >b accept-proposal(5) >client inform(awarded,active)")

PLAY(what_a_held_contractor_works_on_goes_on, CAST,
    "client announces t", "a bids t 1 10m", "b refuses t", "c refuses t", "a acks t",
    "op ops holds contractor=a",
    "a done t 1",
    "= settled:fulfilled(completed)/1/10/done(completed)/0"
    " >client inform-done >a inform(fulfilled) >client inform(done,fulfilled)")

PLAY(a_runner_up_on_hold_is_passed_over, CAST,
    "client announces t", "a bids t 1 10m", "b bids t 4 10m", "c bids t 5 10m",
    "op ops holds contractor=b",
    "a fails t 0",
    "= settled:declined(declined)/0/0 awarded:c@10#2[b=2/passed-over,c=3/lowest-cost]"
    " >client failure >a inform(declined) >client inform(open,declined)"
    " >c accept-proposal(10) >client inform(awarded,active)")

PLAY(a_hold_on_a_skill_is_on_everyone_who_offers_it,
    "fund acme 100", "join client acme", "join a amber forge,print 4", "join b birch forge,print 4",
    "op ops holds skill=forge",
    "client announces t", "= announced opened:1/1/10 >client agree",
    "client announces u skill=print",
    "= announced opened:1/1/10 >client agree >b cfp(1) >a cfp(1)")

PLAY(a_hold_on_one_skill_of_a_principal_leaves_its_others,
    "fund acme 100", "join client acme", "join a amber forge,print 4", "join b birch forge,print 4",
    "op ops holds principal=amber skill=forge",
    "client announces t", "= announced opened:1/1/10 >client agree >b cfp(1)",
    "client announces u skill=print",
    "= announced opened:1/1/10 >client agree >b cfp(1) >a cfp(1)")

PLAY(a_bundle_that_names_a_held_skill_is_held_with_it,
    "fund acme 100", "join client acme", "join a amber forge,print 4", "join b birch forge,print 4",
    "op ops holds contractor=a skill=print",
    "client announces t needs=print", "= announced opened:1/1/10 >client agree >b cfp(1)",
    "client announces u", "= announced opened:1/1/10 >client agree >b cfp(1) >a cfp(1)")

PLAY(whoever_is_released_is_offered_what_it_missed, CAST,
    "op ops holds contractor=a", "client announces t",
    "= announced opened:1/1/10 >client agree >c cfp(1) >b cfp(1)",
    "op ops unholds contractor=a", "= barred:a//(other)/over >ops agree >a cfp(1)",
    "a bids t 1 10m", "b bids t 2 10m", "c bids t 3 10m",
    "= answered:a=standing,b=standing,c=standing"
    " awarded:a@2#1[a=1/lowest-cost,b=2/outbid,c=3/outbid]"
    " >a accept-proposal(2) >client inform(awarded,active)")

PLAY(a_hold_passes_at_its_end_by_an_entry_of_its_own, CAST,
    "op ops holds contractor=a until=10s", "client announces t window=30s",
    "= announced opened:1/1/10 >client agree >c cfp(1) >b cfp(1)",
    "wait 9999999us", "=",
    "wait 1us", "= barred:a//(other)/over >a cfp(1)",
    "a bids t 1 10m", "b bids t 2 10m", "c bids t 3 10m",
    "= answered:a=standing,b=standing,c=standing"
    " awarded:a@2#1[a=1/lowest-cost,b=2/outbid,c=3/outbid]"
    " >a accept-proposal(2) >client inform(awarded,active)")

PLAY(a_hold_ends_in_a_day_where_no_end_is_given,
    "op ops holds contractor=a", "pause 86399999999us", "tick", "=",
    "pause 1us", "tick", "= barred:a//(other)/over")

PLAY(an_agent_that_comes_back_for_a_held_principal_is_held, CAST,
    "op ops holds principal=dune", "client announces t",
    "= announced opened:1/1/10 >client agree >c cfp(1) >b cfp(1) >a cfp(1)",
    "client cancels t", "leave a", "pause 2m", "tick", "join a dune forge 4", "join b birch forge 4",
    "client announces u", "= announced opened:1/1/10 >client agree >b cfp(1)",
    "a bids u 1 10m", "= >a reject-proposal(on-hold)",
    "op ops unholds principal=dune", "= barred:/dune/(other)/over >ops agree")

PLAY(the_same_hold_again_moves_its_end, CAST,
    "op ops holds contractor=a until=10s",
    "op ops holds contractor=a until=20s reason=resource-lost", "= barred:a//(resource-lost) >ops agree",
    "wait 19s", "=", "wait 1s", "= barred:a//(resource-lost)/over")

PLAY(a_hold_outlives_a_restart, CAST,
    "op ops holds contractor=a until=1h", "restart", "join a amber forge 4", "join b birch forge 4",
    "client announces t", "= announced opened:1/1/10 >client agree >b cfp(1)",
    "op ops unholds contractor=a", "= barred:a//(other)/over >ops agree >a cfp(1)")

PLAY(holds_that_say_nothing_and_holds_by_others_are_refused, CAST,
    "op ops holds reason=other", "= >ops refuse(malformed)",
    "op ops holds contractor=a reason=none", "= >ops refuse(out-of-range)",
    "op ops holds contractor=a until=0s", "= >ops refuse(out-of-range)",
    "client holds contractor=a", "= >client refuse(not-yours)",
    "client unholds contractor=a", "= >client refuse(not-yours)",
    "op ops unholds contractor=a", "= >ops refuse(not-held)",
    "op ops holds contractor=a skill=forge", "op ops unholds contractor=a",
    "= >ops refuse(not-held)",
    "client announces t", "client holds t", "= >client refuse(not-yours)")

/* tasks */
PLAY(an_operator_breaks_a_round_off_and_the_task_waits, CAST,
    "client announces t", "a bids t 1 10m",
    "op ops holds t reason=resource-lost",
    "= answered:a=standing closed:held-by-operator[a=0/round-cancelled] held:resource-lost"
    " >a reject-proposal(round-cancelled) >ops agree >client inform(held)",
    "wait 1m", "=",
    "op ops releases t",
    "= released opened:2/1/10 >c cfp(2) >b cfp(2) >a cfp(2) >ops agree >client inform(open)")

PLAY(what_is_left_behind_a_commitment_is_held, CAST,
    "client announces t units=4", "a bids t 1 10m", "b refuses t", "c refuses t", "a acks t",
    "op ops holds t", "= held:other/later >ops agree >client inform(awarded,active)",
    "restart",
    "a fails t 1",
    "= settled:failed(contractor-failed)/1/2.5 held:other >a inform(failed)",
    "restart", "op ops releases t", "= released opened:2/3/7.5 >ops agree")

PLAY(a_commitment_that_does_all_leaves_nothing_to_hold, CAST,
    "client announces t", "a bids t 1 10m", "b refuses t", "c refuses t", "a acks t",
    "op ops holds t",
    "a done t 1",
    "= settled:fulfilled(completed)/1/10/done(completed)/0"
    " >client inform-done >a inform(fulfilled) >client inform(done,fulfilled)",
    "op ops holds t", "= >ops refuse(already-ended)")

PLAY(a_hold_that_waits_is_taken_back, CAST,
    "client announces t units=4", "a bids t 1 10m", "b refuses t", "c refuses t", "a acks t",
    "op ops holds t", "op ops releases t", "= released >ops agree >client inform(awarded,active)",
    "op ops releases t", "= >ops refuse(not-held)",
    "a fails t 1",
    "= settled:failed(contractor-failed)/1/2.5 opened:2/3/7.5"
    " >client failure >a inform(failed) >client inform(open,failed) >c cfp(2) >b cfp(2)")

PLAY(a_held_task_goes_on_by_itself_at_the_end_of_its_hold, CAST,
    "client announces t", "op ops holds t until=10s",
    "= closed:held-by-operator held:other >ops agree >client inform(held)",
    "restart", "wait 9999999us", "=",
    "wait 1us", "= released opened:2/1/10")

PLAY(a_blocked_task_is_held_before_its_first_step, CAST,
    "client announces t", "client announces u after=t",
    "op ops holds u", "= held:other/later >ops agree >client inform(blocked)",
    "a bids t 1 10m", "b refuses t", "c refuses t", "a done t 1", "tick",
    "= unblocked held:other >client inform(open) >client inform(held)",
    "op ops releases u", "= released opened:1/1/10 >c cfp(1) >b cfp(1) >a cfp(1) >ops agree"
    " >client inform(open)")

PLAY(what_a_rejected_delivery_leaves_is_held, CAST,
    "client announces t accept=1h", "a bids t 1 10m", "b refuses t", "c refuses t", "a done t 1",
    "op ops holds t", "= held:other/later >ops agree >client inform(delivered,delivered)",
    "client rejects t",
    "= settled:failed(rejected)/0/0/of=1 held:other >a inform(failed)"
    " >client inform(open,failed) >client inform(held,failed) >client agree")

PLAY(what_no_part_has_is_held_while_the_parts_go_on, CAST,
    "client announces t units=4 ceiling=8 split=2 backoff=10s", "a bids t 1 10m capacity=2",
    "b refuses t", "c refuses t", "a acks t part=1 gen=1",
    "op ops holds t", "= held:other/later >ops agree >client inform(awarded)",
    "wait 1m", "=",
    "op ops releases t",
    "= released opened:2/2/4 >c cfp(2) >b cfp(2) >a cfp(2) >ops agree >client inform(awarded)",
    "op ops holds t",
    "= closed:held-by-operator held:other/later >ops agree >client inform(awarded)",
    "a done t 2 part=1 gen=1",
    "= settled#1:fulfilled(completed)/2/4 held:other"
    " >client inform-done >a inform(fulfilled#1) >client inform(open,fulfilled#1)"
    " >client inform(held)")

PLAY(what_no_part_has_is_announced_at_the_end_of_its_hold, CAST,
    "client announces t units=4 ceiling=8 split=2 backoff=10s", "a bids t 1 10m capacity=2",
    "b refuses t", "c refuses t", "a acks t part=1 gen=1", "op ops holds t until=60s",
    "wait 59999999us", "=", "wait 1us",
    "= released opened:2/2/4 >c cfp(2) >b cfp(2) >a cfp(2) >client inform(awarded)")

PLAY(a_hold_that_waited_past_its_end_holds_nothing, CAST,
    "client announces t units=4", "a bids t 1 10m", "b refuses t", "c refuses t", "a acks t",
    "op ops holds t until=10s", "wait 10s", "a fails t 1",
    "= settled:failed(contractor-failed)/1/2.5 opened:2/3/7.5"
    " >client failure >a inform(failed) >client inform(open,failed) >c cfp(2) >b cfp(2)")

PLAY(a_client_does_not_release_what_an_operator_holds, CAST,
    "client announces t", "op ops holds t",
    "client releases t", "= >client refuse(not-yours)",
    "restart", "client releases t", "= >client refuse(not-yours)",
    "op ops releases t", "= released opened:2/1/10 >ops agree >client inform(open)")

PLAY(a_client_releases_what_its_fallback_holds_after_an_operators_hold_has_passed, CAST,
    "client announces t units=4 rounds=1 fallback=hold", "a bids t 1 10m", "b refuses t",
    "c refuses t", "a acks t", "op ops holds t until=10s", "wait 10s", "a fails t 1",
    "= settled:failed(contractor-failed)/1/2.5 held:held-by-fallback >client failure >a inform(failed)"
    " >client inform(open,failed) >client inform(held,failed)",
    "restart", "client releases t",
    "= released opened:2/3/7.5 >client agree >client inform(open,failed)")

PLAY(a_held_task_ends_at_its_deadline, CAST,
    "client announces t deadline=60s", "op ops holds t", "wait 60s", "=",
    "wait 1us", "= ended:unallocated(deadline-passed)/10 >client inform(unallocated)",
    "? acme 100 0 0 0")

PLAY(a_task_in_backoff_is_held_too, CAST,
    "client announces t backoff=10s", "a refuses t", "b refuses t", "c refuses t",
    "op ops holds t", "= held:other >ops agree >client inform(held)",
    "op ops holds t reason=resource-lost", "= held:resource-lost >ops agree >client inform(held)")

/* quarantine */
#define CROWD                                                                                      \
    "fund acme 500", "fund bolt 500", "fund cord 500", "join client acme", "join bob bolt",        \
    "join cat cord", "join a amber forge,print 4", "join b birch forge,print 4"
/* a wins and gives back what b then does. */
#define STRIKE(client, t)                                                                          \
    client " announces " t, "a bids " t " 1 10m", "b bids " t " 5 10m", "a fails " t " 0",         \
    "b done " t " 1"
/* a wins and gives up, and so does b. */
#define POISON(client, t)                                                                          \
    client " announces " t, "a bids " t " 1 10m", "b bids " t " 5 10m", "a acks " t,               \
    "a fails " t " 0", "b bids " t " 5 10m", "wait 20s", "b acks " t, "b fails " t " 0"

PLAY(tasks_of_three_clients_that_another_completed_quarantine_a_contractor_on_the_skill, CROWD,
    STRIKE("client", "t"), STRIKE("bob", "u"), "tick", "= ",
    STRIKE("cat", "v"), "tick", "= barred:a//forge(quarantined)",
    "client announces w", "= announced opened:1/1/10 >client agree >b cfp(1)",
    "client announces x skill=print",
    "= announced opened:1/1/10 >client agree >b cfp(1) >a cfp(1)",
    "client cancels w", "client cancels x",
    "restart", "pause 24h", "tick", "= departed departed barred:a//forge(quarantined)/over",
    "join a amber forge,print 4", "join b birch forge,print 4", "join client acme",
    "client announces y", "= announced opened:1/1/10 >client agree >b cfp(1) >a cfp(1)")

PLAY(an_operator_lifts_a_quarantine_and_the_sheet_begins_anew, CROWD,
    STRIKE("client", "t"), STRIKE("bob", "u"), STRIKE("cat", "v"), "tick",
    "op ops unholds contractor=a skill=forge", "= barred:a//forge(quarantined)/over >ops agree",
    STRIKE("cat", "w"), "tick", "=", STRIKE("bob", "x"), "tick", "=",
    STRIKE("client", "y"), "tick", "= barred:a//forge(quarantined)")

PLAY(a_longer_hold_of_an_operator_stays, CROWD,
    "op ops holds contractor=a skill=print until=48h",
    STRIKE("client", "t"), STRIKE("bob", "u"), "op ops holds contractor=a skill=forge until=48h",
    "op ops unholds contractor=a skill=forge",
    "cat announces v", "a bids v 1 10m", "b bids v 5 10m", "a fails v 0",
    "op ops holds contractor=a skill=forge until=48h", "b done v 1", "tick", "= ")

#define TEN(client, t)                                                                             \
    STRIKE(client, t "0"), STRIKE(client, t "1"), STRIKE(client, t "2"), STRIKE(client, t "3"),    \
    STRIKE(client, t "4"), STRIKE(client, t "5"), STRIKE(client, t "6"), STRIKE(client, t "7"),    \
    STRIKE(client, t "8"), STRIKE(client, t "9"), "wait 2m"

PLAY(one_client_s_thirty_do_not_so_a_rival_cannot_be_framed, CROWD,
    TEN("client", "t"), TEN("client", "u"), TEN("client", "v"), "tick", "= ",
    "bob announces w", "= announced opened:1/1/10 >bob agree >b cfp(1) >a cfp(1)")

PLAY(W5_a_task_that_everyone_fails_ends, CROWD,
    POISON("client", "t"),
    "= settled:failed(contractor-failed)/0/0 opened:3/1/10"
    " >client failure >b inform(failed) >client inform(open,failed)",
    "wait 20s",
    "= closed:no-eligible-bid ended:unallocated(nobody-left)/10 >client inform(unallocated,failed)",
    "? acme 500 0 0 0")

PLAY(W6_tasks_that_everyone_fails_put_nobody_on_hold, CROWD,
    POISON("client", "t"), "wait 20s", POISON("bob", "u"), "wait 20s", POISON("cat", "v"),
    "wait 20s", "tick", "= ",
    "client announces w", "= announced opened:1/1/10 >client agree >b cfp(1) >a cfp(1)")

PLAY(a_task_that_only_one_failed_and_nobody_completed_strikes_nobody, CROWD,
    "bye b",
    "client announces t rounds=1", "a bids t 1 10m", "wait 20s", "a acks t", "a fails t 0",
    "bob announces u rounds=1", "a bids u 1 10m", "wait 20s", "a acks u", "a fails u 0",
    "cat announces v rounds=1", "a bids v 1 10m", "wait 20s", "a acks v", "a fails v 0",
    "tick", "= ",
    "cat announces w", "= announced opened:1/1/10 >cat agree >a cfp(1)")

PLAY(commitments_kept_on_the_skill_outweigh, CROWD,
    STRIKE("client", "t"),
    "bob announces k", "a bids k 1 10m", "b bids k 5 10m", "a done k 1",
    "bob announces l", "a bids l 1 10m", "b bids l 5 10m", "a done l 1",
    "bob announces m", "a bids m 1 10m", "b bids m 5 10m", "a done m 1",
    "bob announces n", "a bids n 1 10m", "b bids n 5 10m", "a done n 1",
    STRIKE("bob", "u"), STRIKE("cat", "v"), "tick", "= ")
/* clang-format on */

/* Whether the first turn after a recall of strikes by three clients writes a quarantine. */
static bool is_quarantined_after(int64_t kept)
{
    static const char *const clients[] = {"acme", "bolt", "cord"};
    struct book_limits limits = stage_limits();
    struct event tick = {.kind = EVENT_TICK, .at_us = STAGE_START_US + 10};
    struct effects effects;
    struct book *book = NULL;
    assert_int_equal(book_open(&limits, &book), 0);
    assert_int_equal(effects_init(&effects, &limits), 0);
    for (int i = 0; i < 3; i++) {
        struct entry struck = {.kind = ENTRY_STRUCK, .at_us = STAGE_START_US + i};
        struck.struck = (struct entry_struck){.contractor = stage_bytes("a"),
                                              .skill = stage_bytes("forge"),
                                              .client = stage_bytes(clients[i]),
                                              .kept = kept};
        assert_int_equal(book_recall(book, &struck), 0);
    }
    book_resume(book, STAGE_START_US + 5, &effects);
    book_check(book);
    book_hear(book, &tick, &effects);
    bool is_quarantined = effects.entry_count == 1;
    assert_true(!is_quarantined || effects.entries[0].kind == ENTRY_BARRED);
    effects_release(&effects);
    book_close(book);
    return is_quarantined;
}

static void a_quarantine_that_a_crash_left_due_is_written_by_the_next_broker(void **state)
{
    (void)state;
    assert_true(is_quarantined_after(0));
    assert_false(is_quarantined_after(4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_held_contractor_is_not_invited_and_its_bid_is_not_eligible),
        TEST(a_bid_that_stood_when_the_hold_came_neither_wins_nor_prices),
        TEST(what_a_held_contractor_works_on_goes_on),
        TEST(a_runner_up_on_hold_is_passed_over),
        TEST(a_hold_on_a_skill_is_on_everyone_who_offers_it),
        TEST(a_hold_on_one_skill_of_a_principal_leaves_its_others),
        TEST(a_bundle_that_names_a_held_skill_is_held_with_it),
        TEST(whoever_is_released_is_offered_what_it_missed),
        TEST(a_hold_passes_at_its_end_by_an_entry_of_its_own),
        TEST(a_hold_ends_in_a_day_where_no_end_is_given),
        TEST(an_agent_that_comes_back_for_a_held_principal_is_held),
        TEST(the_same_hold_again_moves_its_end),
        TEST(a_hold_outlives_a_restart),
        TEST(holds_that_say_nothing_and_holds_by_others_are_refused),
        TEST(an_operator_breaks_a_round_off_and_the_task_waits),
        TEST(what_is_left_behind_a_commitment_is_held),
        TEST(a_commitment_that_does_all_leaves_nothing_to_hold),
        TEST(a_hold_that_waits_is_taken_back),
        TEST(a_held_task_goes_on_by_itself_at_the_end_of_its_hold),
        TEST(a_blocked_task_is_held_before_its_first_step),
        TEST(what_a_rejected_delivery_leaves_is_held),
        TEST(what_no_part_has_is_held_while_the_parts_go_on),
        TEST(what_no_part_has_is_announced_at_the_end_of_its_hold),
        TEST(a_hold_that_waited_past_its_end_holds_nothing),
        TEST(a_client_does_not_release_what_an_operator_holds),
        TEST(a_client_releases_what_its_fallback_holds_after_an_operators_hold_has_passed),
        TEST(a_held_task_ends_at_its_deadline),
        TEST(a_task_in_backoff_is_held_too),
        TEST(tasks_of_three_clients_that_another_completed_quarantine_a_contractor_on_the_skill),
        TEST(an_operator_lifts_a_quarantine_and_the_sheet_begins_anew),
        TEST(a_longer_hold_of_an_operator_stays),
        TEST(one_client_s_thirty_do_not_so_a_rival_cannot_be_framed),
        TEST(W5_a_task_that_everyone_fails_ends),
        TEST(W6_tasks_that_everyone_fails_put_nobody_on_hold),
        TEST(a_task_that_only_one_failed_and_nobody_completed_strikes_nobody),
        TEST(commitments_kept_on_the_skill_outweigh),
        TEST(a_quarantine_that_a_crash_left_due_is_written_by_the_next_broker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
