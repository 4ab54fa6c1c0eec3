/*
 * Goal: a contractor hears what it is told, says what it must, and refuses bad input with the field
 * and its range. Method: a scripted broker (stage.h) in the same process.
 */
#include "stage.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static void a_life_from_cfp_to_settlement(void **state)
{
    (void)state;
    connect_and_offer();
    say_cfp(1);
    const tender_cfp *cfp = &next(TENDER_EVENT_CFP)->cfp;
    assert_string_equal(cfp->skill, "fire-ceramics");
    assert_int_equal(cfp->units, 40);
    assert_memory_equal(cfp->content.data, "a pot", 5);
    bid(cfp);
    assert_quiet();
    const struct message *proposal = broker_hear(&broker, TENDER_PROPOSE);
    assert_int_equal(proposal->cost_micro, 12);
    assert_int_equal(proposal->round, 1);
    assert_int_equal(proposal->digest.bytes[0], 7);
    assert_false(message_has(proposal, MESSAGE_VALID_UNTIL));

    struct message award = make_award(1, 1);
    broker_say(&broker, &award, 1);
    const tender_award *taken = &next(TENDER_EVENT_ACCEPT_PROPOSAL)->accept_proposal;
    assert_int_equal(taken->price_micro, 15);
    assert_string_equal(taken->skill, "fire-ceramics");
    assert_memory_equal(taken->content.data, "a pot", 5);
    assert_int_equal(tender_inform_done(self, taken->commitment, 40, (tender_bytes){"pot", 3}), 0);
    assert_quiet();
    const struct message *done = broker_hear(&broker, TENDER_INFORM_DONE);
    assert_int_equal(done->units_done, 40);
    assert_memory_equal(done->content.data, "pot", 3);

    struct message settled = {.performative = TENDER_INFORM, .conversation = task};
    message_set(&settled, GENERATION, generation, 1);
    message_set(&settled, STATE, state, TENDER_COMMITMENT_FULFILLED);
    message_set(&settled, REASON, reason, TENDER_REASON_COMPLETED);
    message_set(&settled, UNITS_DONE, units_done, 40);
    message_set(&settled, PAID, paid_micro, 15);
    broker_say(&broker, &settled, 1);
    const tender_settlement *end = &next(TENDER_EVENT_INFORM)->inform;
    assert_int_equal(end->state, TENDER_COMMITMENT_FULFILLED);
    assert_int_equal(end->paid_micro, 15);
}

static void a_bundle_is_named_whole_in_call_and_award(void **state)
{
    (void)state;
    static const tender_bytes names[] = {{"gpu.a100", 8}, {"dataset.lock/wiki", 17}};
    connect_and_offer();
    struct message call = make_cfp(1);
    broker_say(&broker, &call, 1);
    assert_string_equal(next(TENDER_EVENT_CFP)->cfp.needs, "");
    call = make_cfp(2);
    message_set(&call, SKILLS, skills, ((struct message_texts){2, names}));
    broker_say(&broker, &call, 1);
    assert_string_equal(next(TENDER_EVENT_CFP)->cfp.needs, "gpu.a100,dataset.lock/wiki");
    struct message award = make_award(2, 1);
    message_set(&award, SKILLS, skills, ((struct message_texts){1, names + 1}));
    broker_say(&broker, &award, 1);
    const tender_award *told = &next(TENDER_EVENT_ACCEPT_PROPOSAL)->accept_proposal;
    assert_string_equal(told->needs, "dataset.lock/wiki");
    assert_string_equal(told->evidence, "");
}

static void a_bidder_learns_its_place_between_improving_rounds(void **state)
{
    (void)state;
    connect_and_offer();
    struct message call = make_cfp(1);
    message_set(&call, IMPROVE, improve, 2);
    broker_say(&broker, &call, 1);
    const tender_cfp *cfp = &next(TENDER_EVENT_CFP)->cfp;
    assert_int_equal(cfp->improve, 2);
    assert_int_equal(cfp->rank, -1);
    assert_false(cfp->lead_only);
    bid(cfp);
    assert_quiet();
    (void)broker_hear(&broker, TENDER_PROPOSE);

    call = make_cfp(2);
    message_set(&call, IMPROVE, improve, 1);
    message_set(&call, LEAD_ONLY, lead_only, 1);
    message_set(&call, RANK, rank, 0);
    broker_say(&broker, &call, 1);
    cfp = &next(TENDER_EVENT_CFP)->cfp;
    assert_int_equal(cfp->improve, 1);
    assert_int_equal(cfp->rank, 0);
    assert_true(cfp->lead_only);
}

static void an_award_is_acknowledged_when_the_next_event_is_asked_for(void **state)
{
    (void)state;
    (void)win();
    (void)broker_listen(&broker, 50); /* parks meanwhile, and says nothing */
    assert_int_equal(broker.heard_start, broker.heard_end);
    assert_quiet();
    const struct message *taken = broker_hear(&broker, TENDER_ACKNOWLEDGE);
    assert_int_equal(taken->generation, 1);
    assert_quiet();
    (void)broker_listen(&broker, 50);
    assert_int_equal(broker.heard_start, broker.heard_end);
}

static void a_report_is_an_acknowledgement(void **state)
{
    (void)state;
    tender_commitment commitment = win();
    assert_int_equal(tender_inform_progress(self, commitment, 3, (tender_bytes){NULL, 0}), 0);
    assert_quiet();
    (void)broker_hear(&broker, TENDER_INFORM_PROGRESS);
    (void)broker_listen(&broker, 50);
    assert_int_equal(broker.heard_start, broker.heard_end);
}

static void a_long_handler_is_heard_all_the_same(void **state)
{
    (void)state;
    tender_commitment commitment = win();
    /* The program works and does not ask for events; a report and the parked request leave. */
    assert_int_equal(tender_inform_progress(self, commitment, 1, (tender_bytes){NULL, 0}), 0);
    (void)broker_hear(&broker, TENDER_INFORM_PROGRESS);
    assert_int_equal(broker.open_count, 1);
}

static void A5_an_award_beyond_the_validity_of_its_bid_is_given_back(void **state)
{
    (void)state;
    connect_and_offer();
    say_cfp(1);
    const tender_cfp *cfp = &next(TENDER_EVENT_CFP)->cfp;
    /* The broker's clock said 1764500000 s at the welcome. */
    tender_bid offer = {.cost_micro = 1, .eta_us = 1, .valid_until_us = 1764499999000000};
    assert_int_equal(tender_propose(self, cfp, &offer), 0);
    assert_quiet();
    (void)broker_hear(&broker, TENDER_PROPOSE);
    struct message award = make_award(1, 1);
    message_set(&award, ACK_BY, ack_by_us, INT64_C(1764499999500000));
    broker_say(&broker, &award, 1);
    const tender_event *event;
    assert_int_equal(tender_contractor_next(self, 50, &event), 0);
    const struct message *declined = broker_hear(&broker, TENDER_FAILURE);
    assert_int_equal(declined->units_done, 0);
}

static void the_descriptor_tells_when_there_is_an_event(void **state)
{
    (void)state;
    connect_and_offer();
    struct pollfd poller = {.fd = tender_contractor_fd(self), .events = POLLIN};
    assert_int_equal(poll(&poller, 1, 0), 0);
    say_cfp(1);
    assert_int_equal(poll(&poller, 1, 10000), 1);
    (void)next(TENDER_EVENT_CFP);
    assert_int_equal(poll(&poller, 1, 0), 0);
    assert_quiet();
    tender_contractor_stop(self);
    assert_int_equal(poll(&poller, 1, 0), 1);
    const tender_event *event;
    assert_int_equal(tender_contractor_next(self, -1, &event), TENDER_ECLOSED);
    assert_int_equal(tender_contractor_next(self, 0, &event), TENDER_ECLOSED);
    assert_int_equal(poll(&poller, 1, 0), 1);
}

static void on_alarm(int signal)
{
    (void)signal;
    tender_contractor_stop(self);
}

static void a_signal_handler_stops_a_run(void **state)
{
    (void)state;
    broker_welcome(&broker);
    struct sigaction action = {.sa_handler = on_alarm};
    struct sigaction old;
    assert_int_equal(sigaction(SIGALRM, &action, &old), 0);
    struct itimerval soon = {.it_value = {.tv_usec = 20000}};
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
    tender_handlers handlers = {0};
    assert_int_equal(tender_contractor_run(self, &handlers, NULL), 0);
    (void)sigaction(SIGALRM, &old, NULL);
}

static void *stop_later(void *unused)
{
    (void)unused;
    /* Whatever run says by default has been heard when this thread ends. */
    (void)broker_hear(&broker, TENDER_REFUSE);
    struct message award = make_award(2, 1);
    broker_say(&broker, &award, 1);
    (void)broker_hear(&broker, TENDER_FAILURE);
    tender_contractor_stop(self);
    return NULL;
}

static void run_without_handlers_refuses_and_gives_back(void **state)
{
    (void)state;
    connect_and_offer();
    say_cfp(1);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_later, NULL), 0);
    tender_handlers handlers = {0};
    assert_int_equal(tender_contractor_run(self, &handlers, NULL), 0);
    (void)pthread_join(thread, NULL);
}

static int end_run(tender_contractor *contractor, const tender_award *award, void *context)
{
    (void)contractor;
    (void)award;
    /* It was said before the handler was called. */
    (void)broker_hear(&broker, TENDER_ACKNOWLEDGE);
    return *(int *)context;
}

static void run_acknowledges_before_the_handler(void **state)
{
    (void)state;
    connect_and_offer();
    struct message award = make_award(1, 1);
    broker_say(&broker, &award, 1);
    int result = 42;
    tender_handlers handlers = {.on_accept_proposal = end_run};
    assert_int_equal(tender_contractor_run(self, &handlers, &result), 42);
}

static void assert_says(const char *sentence)
{
    assert_string_equal(tender_contractor_last_error(self), sentence);
}

static void B5_bad_bids_name_the_field_and_its_range(void **state)
{
    (void)state;
    tender_cfp cfp = {.task = task, .round = 1, .ceiling_micro = 30, .due_us = 3600};
    tender_bid offer = {.cost_micro = 31, .eta_us = 1};
    assert_int_equal(tender_propose(self, &cfp, &offer), TENDER_EINVAL);
    assert_says("cost_micro is 31 and must be 0 to 30");
    offer.cost_micro = -1;
    assert_int_equal(tender_propose(self, &cfp, &offer), TENDER_EINVAL);
    assert_says("cost_micro is -1 and must be 0 to 30");
    offer.cost_micro = 30;
    offer.eta_us = 3601;
    assert_int_equal(tender_propose(self, &cfp, &offer), TENDER_EINVAL);
    assert_says("eta_us is 3601 and must be 1 to 3600");
    offer.eta_us = 3600;
    char text[TENDER_TEXT_MAX + 2];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    offer.text = text;
    assert_int_equal(tender_propose(self, &cfp, &offer), TENDER_ELIMIT);
    assert_says("text has 4097 bytes and may have 4096");
    offer.text = "\xff";
    assert_int_equal(tender_propose(self, &cfp, &offer), TENDER_EINVAL);
    assert_says("text is not UTF-8");
    text[TENDER_TEXT_MAX] = '\0';
    offer.text = text;
    assert_int_equal(tender_propose(self, &cfp, &offer), 0);
}

static void a_split_round_is_bid_for_with_a_cost_of_a_unit_and_a_capacity(void **state)
{
    (void)state;
    connect_and_offer();
    struct message call = make_cfp(1);
    message_set(&call, UNITS, units, 7);
    message_set(&call, CEILING, ceiling_micro, 30);
    message_set(&call, SPLIT_MAX, split_max, 3);
    message_set(&call, COVER_ALL, cover_all, 1);
    broker_say(&broker, &call, 1);
    const tender_cfp *cfp = &next(TENDER_EVENT_CFP)->cfp;
    assert_int_equal(cfp->split_max, 3);
    assert_true(cfp->cover_all);
    tender_bid offer = {.cost_micro = 4, .eta_us = 1};
    tender_bid_terms terms = TENDER_BID_TERMS_INIT;
    assert_int_equal(tender_propose(self, cfp, &offer), TENDER_EINVAL);
    assert_says("capacity is 0 and must be 1 to 9223372036854775807");
    terms.capacity = 5;
    terms.estimate_micro = 19;
    offer.cost_micro = 5;
    assert_int_equal(tender_propose_terms(self, cfp, &offer, &terms), TENDER_EINVAL);
    assert_says("cost_micro is 5 and must be 0 to 4");
    offer.cost_micro = 4;
    terms.size = 0;
    assert_int_equal(tender_propose_terms(self, cfp, &offer, &terms), TENDER_EINVAL);
    terms.size = sizeof terms;
    assert_int_equal(tender_propose_terms(self, cfp, &offer, &terms), 0);
    assert_quiet();
    const struct message *bid = broker_hear(&broker, TENDER_PROPOSE);
    assert_int_equal(bid->cost_micro, 4);
    assert_int_equal(bid->capacity, 5);
    assert_int_equal(bid->estimate_micro, 19);
}

static void L9_bad_reports_name_the_field_and_its_range(void **state)
{
    (void)state;
    static char content[TENDER_CONTENT_MAX + 1];
    tender_commitment commitment = {.task = task, .generation = 1};
    tender_bytes none = {NULL, 0};
    assert_int_equal(tender_inform_done(self, commitment, -1, none), TENDER_EINVAL);
    assert_says("units_done is -1 and must be 0 to 1000000000");
    tender_bytes result = {content, sizeof content};
    assert_int_equal(tender_inform_done(self, commitment, 1, result), TENDER_ELIMIT);
    assert_says("result has 65537 bytes and may have 65536");
    result.size--;
    assert_int_equal(tender_inform_done(self, commitment, 1, result), 0);
    assert_int_equal(tender_failure(self, commitment, 1, TENDER_REASON_OTHER, "\xed\xa0\x80", none),
                     TENDER_EINVAL);
    assert_says("text is not UTF-8");
    assert_int_equal(tender_failure(self, commitment, 1, (tender_reason)7, NULL, none),
                     TENDER_EINVAL);
    commitment.generation = 0;
    assert_int_equal(tender_inform_done(self, commitment, 1, none), TENDER_EINVAL);
    assert_int_equal(tender_contractor_offer(self, "Fire"), TENDER_EINVAL);
}

static void bad_options_name_the_option(void **state)
{
    (void)state;
    tender_contractor *none;
    const struct {
        const char *url;
        const char *name;
        const char *principal;
        uint32_t slots;
        uint32_t heartbeat_ms;
        const char *word;
    } rows[] = {{NULL, "a", "p", 1, 100, "broker_url"},
                {"http://x", "a", "p", 1, 100, "broker_url"},
                {"tcp://127.0.0.1:1,", "a", "p", 1, 100, "broker_url"},
                {"tcp://127.0.0.1:1", NULL, "p", 1, 100, "name"},
                {"tcp://127.0.0.1:1", "a b", "p", 1, 100, "name"},
                {"tcp://127.0.0.1:1", "a", "", 1, 100, "principal"},
                {"tcp://127.0.0.1:1", "a", "p", 0, 100, "slots"},
                {"tcp://127.0.0.1:1", "a", "p", 65536, 100, "slots"},
                {"tcp://127.0.0.1:1", "a", "p", 1, 99, "heartbeat_ms"},
                {"tcp://127.0.0.1:1", "a", "p", 1, 3600001, "heartbeat_ms"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tender_options options = TENDER_OPTIONS_INIT;
        options.broker_url = rows[i].url;
        options.name = rows[i].name;
        options.principal = rows[i].principal;
        options.slots = rows[i].slots;
        options.heartbeat_ms = rows[i].heartbeat_ms;
        assert_int_equal(tender_contractor_open(&options, &none), TENDER_EINVAL);
        assert_null(none);
        assert_non_null(strstr(tender_contractor_last_error(NULL), rows[i].word));
    }
}

#define claim(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        claim(a_life_from_cfp_to_settlement),
        claim(a_bundle_is_named_whole_in_call_and_award),
        claim(a_bidder_learns_its_place_between_improving_rounds),
        claim(an_award_is_acknowledged_when_the_next_event_is_asked_for),
        claim(a_report_is_an_acknowledgement),
        claim(a_long_handler_is_heard_all_the_same),
        claim(A5_an_award_beyond_the_validity_of_its_bid_is_given_back),
        claim(the_descriptor_tells_when_there_is_an_event),
        claim(a_signal_handler_stops_a_run),
        claim(run_without_handlers_refuses_and_gives_back),
        claim(run_acknowledges_before_the_handler),
        claim(B5_bad_bids_name_the_field_and_its_range),
        claim(a_split_round_is_bid_for_with_a_cost_of_a_unit_and_a_capacity),
        claim(L9_bad_reports_name_the_field_and_its_range),
        claim(bad_options_name_the_option),
    };
    int status = cmocka_run_group_tests_name("contractor", tests, NULL, NULL);
    return broker_finish(status);
}
