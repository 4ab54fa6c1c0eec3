/*
 * Goal: what clients and contractors believe of tasks and goals is said once, answered by its
 * subject, and what others believe is heard by whom it concerns. Method: a scripted broker
 * (stage.h) and both sides of one session.
 */
#include "stage.h"

#include <string.h>

#include "tender/client.h"

static tender_client *client;

static int set_up_both(void **state)
{
    int status = set_up(state);
    return status == 0 ? tender_contractor_client(self, &client) : status;
}

static int tear_down_both(void **state)
{
    tender_client_close(client);
    client = NULL;
    return tear_down(state);
}

static const tender_client_event *client_next(tender_client_event_kind kind)
{
    const tender_client_event *event = NULL;
    do {
        assert_int_equal(tender_client_next(client, 10000, &event), 1);
    } while (event->kind == TENDER_CLIENT_CONTACT);
    assert_int_equal(event->kind, kind);
    return event;
}

static void a_client_says_what_it_believes_of_a_task_and_of_a_goal(void **state)
{
    (void)state;
    const tender_id nil = {{0}};
    connect_and_offer();
    assert_int_equal(tender_believe(client, task, NULL, TENDER_REASON_ACHIEVED, "bought"), 0);
    const struct message *said = broker_hear(&broker, TENDER_BELIEVE);
    assert_true(tender_id_equal(said->conversation, task));
    assert_int_equal(said->reason, TENDER_REASON_ACHIEVED);
    assert_memory_equal(said->text.data, "bought", 6);
    assert_false(message_has(said, MESSAGE_GOAL));
    assert_int_equal(tender_believe(client, nil, "atlas", TENDER_REASON_NONE, NULL), 0);
    said = broker_hear(&broker, TENDER_BELIEVE);
    assert_true(tender_id_is_nil(said->conversation));
    assert_memory_equal(said->goal.data, "atlas", 5);
    assert_int_equal(said->reason, TENDER_REASON_NONE);
    struct message answers[2] = {{.performative = TENDER_AGREE, .conversation = task},
                                 {.performative = TENDER_REFUSE}};
    message_set(&answers[1], REASON, reason, TENDER_REASON_UNKNOWN_GOAL);
    message_set(&answers[1], GOAL, goal, ((tender_bytes){"atlas", 5}));
    broker_say(&broker, answers, 2);
    assert_string_equal(client_next(TENDER_CLIENT_AGREED)->agreed.goal, "");
    const tender_refusal *refused = &client_next(TENDER_CLIENT_REFUSED)->refused;
    assert_string_equal(refused->goal, "atlas");
    assert_int_equal(refused->reason, TENDER_REASON_UNKNOWN_GOAL);
    assert_quiet(); /* the answers are the client's */
}

static void an_owner_names_its_commitment(void **state)
{
    (void)state;
    tender_commitment commitment = win();
    assert_int_equal(
        tender_contractor_believe(self, commitment, NULL, TENDER_REASON_IMPOSSIBLE, "no clay"), 0);
    assert_quiet();
    const struct message *said = broker_hear(&broker, TENDER_BELIEVE);
    assert_int_equal(said->generation, 1);
    assert_int_equal(said->part, 0);
    assert_memory_equal(said->text.data, "no clay", 7);
    /* That was a report: the award needs no other acknowledgement. */
    assert_quiet();
    (void)broker_listen(&broker, 20);
    assert_int_equal(broker.heard_start, broker.heard_end);
    commitment.generation = 0;
    assert_int_equal(
        tender_contractor_believe(self, commitment, "atlas", TENDER_REASON_IRRELEVANT, NULL), 0);
    assert_quiet();
    said = broker_hear(&broker, TENDER_BELIEVE);
    assert_false(message_has(said, MESSAGE_GENERATION));
    assert_memory_equal(said->goal.data, "atlas", 5);
}

static void what_others_believe_is_heard_on_both_sides(void **state)
{
    (void)state;
    connect_and_offer();
    struct message told = {.performative = TENDER_INFORM};
    message_set(&told, GOAL, goal, ((tender_bytes){"atlas", 5}));
    message_set(&told, REASON, reason, TENDER_REASON_IMPOSSIBLE);
    message_set(&told, TEXT, text, ((tender_bytes){"no ore", 6}));
    message_set(&told, CONTRACTOR, contractor, ((tender_bytes){"kiln-7", 6}));
    message_set(&told, CLOSES_AT, closes_at_us, 77);
    broker_say(&broker, &told, 1);
    const tender_belief *heard[] = {&next(TENDER_EVENT_BELIEF)->belief,
                                    &client_next(TENDER_CLIENT_BELIEF)->belief};
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(heard[i]->goal, "atlas");
        assert_true(tender_id_is_nil(heard[i]->task));
        assert_int_equal(heard[i]->belief, TENDER_REASON_IMPOSSIBLE);
        assert_string_equal(heard[i]->text, "no ore");
        assert_string_equal(heard[i]->by, "kiln-7");
        assert_int_equal(heard[i]->suspended_until_us, 77);
    }
}

static void a_belief_without_an_answer_is_said_again_in_a_new_session(void **state)
{
    (void)state;
    connect_and_offer();
    assert_int_equal(
        tender_believe(client, (tender_id){{0}}, "atlas", TENDER_REASON_ACHIEVED, NULL), 0);
    (void)broker_hear(&broker, TENDER_BELIEVE);
    broker_restart(&broker);
    broker_forget(&broker);
    broker_welcome(&broker);
    (void)broker_hear(&broker, TENDER_OFFER);
    assert_memory_equal(broker_hear(&broker, TENDER_BELIEVE)->goal.data, "atlas", 5);
    struct message agreement = {.performative = TENDER_AGREE};
    message_set(&agreement, GOAL, goal, ((tender_bytes){"atlas", 5}));
    broker_say(&broker, &agreement, 1);
    assert_string_equal(client_next(TENDER_CLIENT_AGREED)->agreed.goal, "atlas");
}

static void what_is_no_belief_is_not_said(void **state)
{
    (void)state;
    const tender_id nil = {{0}};
    const tender_commitment none = {{{0}}, 0, 0};
    assert_int_equal(tender_believe(client, task, NULL, TENDER_REASON_OUTBID, NULL), TENDER_EINVAL);
    assert_int_equal(tender_believe(client, task, NULL, TENDER_REASON_NONE, NULL), TENDER_EINVAL);
    assert_int_equal(tender_believe(client, nil, NULL, TENDER_REASON_ACHIEVED, NULL),
                     TENDER_EINVAL);
    assert_int_equal(tender_believe(client, nil, "no name", TENDER_REASON_ACHIEVED, NULL),
                     TENDER_EINVAL);
    assert_int_equal(tender_contractor_believe(self, none, "atlas", TENDER_REASON_ACHIEVED, NULL),
                     TENDER_EINVAL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_both, tear_down_both)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_client_says_what_it_believes_of_a_task_and_of_a_goal),
        TEST(an_owner_names_its_commitment),
        TEST(what_others_believe_is_heard_on_both_sides),
        TEST(a_belief_without_an_answer_is_said_again_in_a_new_session),
        TEST(what_is_no_belief_is_not_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
