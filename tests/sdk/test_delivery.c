/*
 * Goal: a delivery says what it brings, and the run loop begins no award that has ended while it
 * waited. Method: a scripted broker (stage.h) in the same process, whose connection is lost between
 * an award and the handler that it is for.
 */
#include "stage.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>

static void a_delivery_says_what_it_brings(void **state)
{
    (void)state;
    tender_commitment commitment = win();
    tender_digest digest = {{1, 2, 3}};
    tender_delivery delivery = TENDER_DELIVERY_INIT;
    delivery.evidence = "words=7\nlanguage=de";
    delivery.digest = &digest;
    delivery.result_size = 123456;
    delivery.measured_micro = 9;
    delivery.tier = "fast";
    assert_int_equal(tender_deliver(self, commitment, 40, (tender_bytes){"key", 3}, &delivery), 0);
    const struct message *done = broker_hear(&broker, TENDER_INFORM_DONE);
    assert_int_equal(done->units_done, 40);
    assert_int_equal(done->evidence.size, 19);
    assert_memory_equal(done->evidence.data, "words=7\nlanguage=de", 19);
    assert_memory_equal(done->digest.bytes, digest.bytes, sizeof digest.bytes);
    assert_int_equal(done->size, 123456);
    assert_int_equal(done->cost_micro, 9);
    assert_memory_equal(done->tier.data, "fast", 4);
    assert_memory_equal(done->content.data, "key", 3);
}

static void a_plain_delivery_says_no_more_than_a_report(void **state)
{
    (void)state;
    tender_commitment commitment = win();
    tender_delivery delivery = TENDER_DELIVERY_INIT;
    assert_int_equal(tender_deliver(self, commitment, 40, (tender_bytes){"pot", 3}, &delivery), 0);
    const struct message *done = broker_hear(&broker, TENDER_INFORM_DONE);
    assert_false(message_has(done, MESSAGE_EVIDENCE) || message_has(done, MESSAGE_DIGEST) ||
                 message_has(done, MESSAGE_SIZE) || message_has(done, MESSAGE_COST) ||
                 message_has(done, MESSAGE_TIER));
}

static void an_award_says_what_its_completion_must_bring(void **state)
{
    (void)state;
    connect_and_offer();
    struct message cfp = make_cfp(1);
    message_set(&cfp, EVIDENCE, evidence, ((tender_bytes){"result,words", 12}));
    message_set(&cfp, ACCEPT, accept_us, 3600000000);
    broker_say(&broker, &cfp, 1);
    const tender_cfp *called = &next(TENDER_EVENT_CFP)->cfp;
    assert_string_equal(called->evidence, "result,words");
    assert_string_equal(called->needs, "");
    assert_int_equal(called->accept_us, 3600000000);
    struct message award = make_award(1, 1);
    message_set(&award, EVIDENCE, evidence, ((tender_bytes){"result,words", 12}));
    message_set(&award, ACCEPT, accept_us, 3600000000);
    broker_say(&broker, &award, 1);
    const tender_award *taken = &next(TENDER_EVENT_ACCEPT_PROPOSAL)->accept_proposal;
    assert_string_equal(taken->evidence, "result,words");
    assert_int_equal(taken->accept_us, 3600000000);
}

static void bad_deliveries_name_the_field_and_its_range(void **state)
{
    (void)state;
    tender_commitment commitment = win();
    tender_bytes none = {NULL, 0};
    const struct {
        const char *evidence;
        int64_t size;
        int64_t measured_micro;
        const char *tier;
        const char *word;
    } rows[] = {{"a\xff=1", 0, 0, NULL, "evidence"},
                {NULL, -1, 0, NULL, "size"},
                {NULL, 0, -1, NULL, "cost_micro"},
                {NULL, 0, 0, "Fast", "tier"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tender_delivery delivery = TENDER_DELIVERY_INIT;
        delivery.evidence = rows[i].evidence;
        delivery.result_size = rows[i].size;
        delivery.measured_micro = rows[i].measured_micro;
        delivery.tier = rows[i].tier;
        assert_int_equal(tender_deliver(self, commitment, 40, none, &delivery), TENDER_EINVAL);
        assert_non_null(strstr(tender_contractor_last_error(self), rows[i].word));
    }
    tender_delivery old = {.size = 8};
    assert_int_equal(tender_deliver(self, commitment, 40, none, &old), TENDER_EINVAL);
}

static struct message standing(tender_commitment_state state)
{
    struct message message = {.performative = TENDER_INFORM, .conversation = task};
    message_set(&message, PART, part, 0);
    message_set(&message, GENERATION, generation, 1);
    message_set(&message, STATE, state, (int64_t)state);
    message_set(&message, REASON, reason, TENDER_REASON_NONE);
    return message;
}

static void who_asks_how_a_commitment_stands_is_told(void **state)
{
    (void)state;
    tender_commitment commitment = win();
    assert_int_equal(tender_standing(self, commitment), 0);
    const struct message *query = broker_hear(&broker, TENDER_QUERY);
    assert_int_equal(query->generation, 1);
    assert_false(message_has(query, MESSAGE_UNITS_DONE));
    struct message answer = standing(TENDER_COMMITMENT_ACTIVE);
    broker_say(&broker, &answer, 1);
    assert_int_equal(next(TENDER_EVENT_INFORM)->inform.state, TENDER_COMMITMENT_ACTIVE);
}

/* An award that is in the inbox when the connection it came over is gone. */
static void leave_an_award_waiting(void)
{
    struct message award = make_award(1, 1);
    connect_and_offer();
    broker_say(&broker, &award, 1);
    struct pollfd poller = {.fd = tender_contractor_fd(self), .events = POLLIN};
    assert_int_equal(poll(&poller, 1, 10000), 1);
    while (broker.open_count == 0) { /* a request that is parked is what notices the loss */
        (void)broker_listen(&broker, 10);
    }
    broker_restart(&broker);
    while (broker_listen(&broker, 10) == 0) { /* until it parks over the next connection */
    }
}

struct run {
    struct message answer;
    bool is_begun; /* the handler was called */
    bool is_told;  /* of the end */
};

static int begin(tender_contractor *contractor, const tender_award *award, void *context)
{
    struct run *run = context;
    (void)contractor;
    assert_int_equal(award->commitment.generation, 1);
    run->is_begun = true;
    return 7;
}

static int learn(tender_contractor *contractor, const tender_settlement *settlement, void *context)
{
    struct run *run = context;
    (void)contractor;
    assert_int_equal(settlement->state, TENDER_COMMITMENT_LAPSED);
    run->is_told = true;
    return 8;
}

static int complain(tender_contractor *contractor, const tender_complaint *complaint, void *context)
{
    struct run *run = context;
    (void)contractor;
    assert_int_equal(complaint->reason, TENDER_REASON_NOT_YOURS);
    run->is_told = true;
    return 9;
}

static void *answer_the_question(void *context)
{
    struct run *run = context;
    const struct message *query = broker_hear(&broker, TENDER_QUERY);
    assert_int_equal(query->generation, 1);
    broker_say(&broker, &run->answer, 1);
    return NULL;
}

static int run_with(struct run *run)
{
    pthread_t thread;
    const tender_handlers handlers = {
        .on_accept_proposal = begin, .on_inform = learn, .on_not_understood = complain};
    assert_int_equal(pthread_create(&thread, NULL, answer_the_question, run), 0);
    int status = tender_contractor_run(self, &handlers, run);
    (void)pthread_join(thread, NULL);
    return status;
}

static void G1_an_award_that_waited_and_still_stands_is_begun(void **state)
{
    (void)state;
    struct run run = {.answer = standing(TENDER_COMMITMENT_ACTIVE)};
    leave_an_award_waiting();
    assert_int_equal(run_with(&run), 7);
    assert_true(run.is_begun);
    (void)broker_hear(&broker, TENDER_ACKNOWLEDGE);
}

static void G1_an_award_that_waited_and_has_ended_is_not_begun(void **state)
{
    (void)state;
    struct run run = {.answer = standing(TENDER_COMMITMENT_LAPSED)};
    leave_an_award_waiting();
    assert_int_equal(run_with(&run), 8);
    assert_true(run.is_told);
    assert_false(run.is_begun);
}

static void G1_an_award_that_waited_and_is_not_known_is_not_begun(void **state)
{
    (void)state;
    struct run run = {.answer = {.performative = TENDER_NOT_UNDERSTOOD, .conversation = task}};
    message_set(&run.answer, PART, part, 0);
    message_set(&run.answer, GENERATION, generation, 1);
    message_set(&run.answer, REASON, reason, TENDER_REASON_NOT_YOURS);
    leave_an_award_waiting();
    assert_int_equal(run_with(&run), 9);
    assert_true(run.is_told);
    assert_false(run.is_begun);
}

static void *stop_instead(void *unused)
{
    (void)unused;
    (void)broker_hear(&broker, TENDER_QUERY);
    tender_contractor_stop(self);
    return NULL;
}

static void a_run_that_waits_for_the_answer_can_be_stopped(void **state)
{
    (void)state;
    pthread_t thread;
    struct run run = {0};
    const tender_handlers handlers = {.on_accept_proposal = begin};
    leave_an_award_waiting();
    assert_int_equal(pthread_create(&thread, NULL, stop_instead, NULL), 0);
    int status = tender_contractor_run(self, &handlers, &run);
    (void)pthread_join(thread, NULL);
    assert_int_equal(status, 0);
    assert_false(run.is_begun);
}

#define claim(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        claim(a_delivery_says_what_it_brings),
        claim(a_plain_delivery_says_no_more_than_a_report),
        claim(an_award_says_what_its_completion_must_bring),
        claim(bad_deliveries_name_the_field_and_its_range),
        claim(who_asks_how_a_commitment_stands_is_told),
        claim(G1_an_award_that_waited_and_still_stands_is_begun),
        claim(G1_an_award_that_waited_and_has_ended_is_not_begun),
        claim(G1_an_award_that_waited_and_is_not_known_is_not_begun),
        claim(a_run_that_waits_for_the_answer_can_be_stopped),
    };
    int status = cmocka_run_group_tests_name("delivery", tests, NULL, NULL);
    return broker_finish(status);
}
