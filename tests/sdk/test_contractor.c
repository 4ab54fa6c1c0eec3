/*
 * Goal: a contractor hears each thing once, says what it must, repeats what was not heard and
 * nothing else, and refuses bad input with the field and its range. Method: a scripted broker
 * (broker.h) in the same process.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <nng/nng.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "broker.h"
#include "tender/contractor.h"

static struct broker broker;
static tender_contractor *self;
static const tender_id task = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};

static tender_options options_of_test(void)
{
    tender_options options = TENDER_OPTIONS_INIT;
    options.broker_url = broker.url;
    options.name = "kiln-2";
    options.principal = "kilns-ltd";
    options.slots = 2;
    options.connect_timeout_ms = 0;
    options.linger_ms = 0;
    return options;
}

static int set_up(void **state)
{
    (void)state;
    broker_open(&broker);
    tender_options options = options_of_test();
    assert_int_equal(tender_contractor_open(&options, &self), 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tender_contractor_close(self);
    self = NULL;
    broker_close(&broker);
    return 0;
}

/* The next event within 10 s, which must be of that kind. */
static const tender_event *next(tender_event_kind kind)
{
    const tender_event *event = NULL;
    assert_int_equal(tender_contractor_next(self, 10000, &event), 1);
    assert_int_equal(event->kind, kind);
    return event;
}

static void assert_quiet(void)
{
    const tender_event *event = NULL;
    assert_int_equal(tender_contractor_next(self, 0, &event), 0);
    assert_null(event);
}

static void connect_and_offer(void)
{
    broker_welcome(&broker);
    const tender_event *event = next(TENDER_EVENT_CONTACT);
    assert_int_equal(event->contact.kind, TENDER_CONTACT_CONNECTED);
    assert_int_equal(tender_contractor_offer(self, "fire-ceramics"), 0);
    assert_quiet();
    const struct message *offer = broker_hear(&broker, TENDER_OFFER);
    assert_int_equal(offer->skills.count, 1);
    assert_int_equal(offer->slots, 2);
}

static struct message make_cfp(int64_t round)
{
    struct message cfp = {.performative = TENDER_CFP, .conversation = task};
    message_set(&cfp, ROUND, round, round);
    message_set(&cfp, DIGEST, digest, ((tender_digest){{7, (uint8_t)round}}));
    message_set(&cfp, SKILL, skill, ((tender_bytes){"fire-ceramics", 13}));
    message_set(&cfp, UNITS, units, 40);
    message_set(&cfp, CEILING, ceiling_micro, 30);
    message_set(&cfp, CLOSES_AT, closes_at_us, INT64_C(1764500020000000));
    message_set(&cfp, DUE, due_us, 3600);
    message_set(&cfp, ACK, ack_us, 10);
    message_set(&cfp, KILL_FEE, kill_fee_ppm, 100000);
    message_set(&cfp, PARTIAL, partial, TENDER_PARTIAL_PRO_RATA);
    message_set(&cfp, CONTENT, content, ((tender_bytes){"a pot", 5}));
    return cfp;
}

static struct message make_award(int64_t round, int64_t generation)
{
    struct message award = {.performative = TENDER_ACCEPT_PROPOSAL, .conversation = task};
    message_set(&award, ROUND, round, round);
    message_set(&award, PART, part, 0);
    message_set(&award, GENERATION, generation, generation);
    message_set(&award, UNITS, units, 40);
    message_set(&award, PRICE, price_micro, 15);
    message_set(&award, DUE_AT, due_at_us, INT64_C(1764500023000000));
    message_set(&award, ACK_BY, ack_by_us, INT64_C(1764500021000000));
    return award;
}

static void say_cfp(int64_t round)
{
    struct message cfp = make_cfp(round);
    broker_say(&broker, &cfp, 1);
}

static void bid(const tender_cfp *cfp)
{
    tender_bid offer = {.cost_micro = 12, .eta_us = 3000, .text = "soon"};
    assert_int_equal(tender_propose(self, cfp, &offer), 0);
}

/* Up to the award of round 1, which is handed out. */
static tender_commitment win(void)
{
    connect_and_offer();
    say_cfp(1);
    bid(&next(TENDER_EVENT_CFP)->cfp);
    assert_quiet();
    (void)broker_hear(&broker, TENDER_PROPOSE);
    struct message award = make_award(1, 1);
    broker_say(&broker, &award, 1);
    return next(TENDER_EVENT_ACCEPT_PROPOSAL)->accept_proposal.commitment;
}

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

static void what_is_said_before_the_next_event_leaves_in_one_exchange(void **state)
{
    (void)state;
    connect_and_offer();
    struct message cfps[20];
    for (int i = 0; i < 20; i++) {
        cfps[i] = make_cfp(i + 1);
    }
    broker_say(&broker, cfps, 20);
    size_t before = broker.exchange_count;
    for (int i = 0; i < 20; i++) {
        bid(&next(TENDER_EVENT_CFP)->cfp);
    }
    assert_quiet();
    for (int i = 0; i < 20; i++) {
        assert_int_equal(broker_hear(&broker, TENDER_PROPOSE)->round, i + 1);
    }
    /* One, or a few where the machine was so slow that the pacer stepped in. */
    assert_in_range(broker.exchange_count - before, 1, 5);
}

static void a_lost_connection_repeats_what_was_not_heard(void **state)
{
    (void)state;
    connect_and_offer();
    say_cfp(1);
    bid(&next(TENDER_EVENT_CFP)->cfp);
    assert_quiet();
    (void)broker_hear(&broker, TENDER_PROPOSE);
    broker.session_heard--; /* it was not committed */
    broker_restart(&broker);
    const struct message *again = broker_hear(&broker, TENDER_PROPOSE);
    assert_int_equal(again->cost_micro, 12);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_LOST);
    say_cfp(2);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_CONNECTED);
    assert_int_equal(next(TENDER_EVENT_CFP)->cfp.round, 2);
}

static void what_was_heard_is_not_repeated(void **state)
{
    (void)state;
    connect_and_offer();
    say_cfp(1);
    bid(&next(TENDER_EVENT_CFP)->cfp);
    assert_quiet();
    (void)broker_hear(&broker, TENDER_PROPOSE);
    say_cfp(2); /* the reply has heard the bid */
    (void)next(TENDER_EVENT_CFP);
    assert_quiet();
    size_t before = broker.message_count;
    broker_restart(&broker);
    say_cfp(3);
    assert_int_equal(broker.message_count, before);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_LOST);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_CONNECTED);
    assert_int_equal(next(TENDER_EVENT_CFP)->cfp.round, 3);
}

static void L3_an_unknown_session_says_hello_offer_and_the_rest_again(void **state)
{
    (void)state;
    connect_and_offer();
    say_cfp(1);
    broker.is_deaf = true;
    bid(&next(TENDER_EVENT_CFP)->cfp);
    assert_quiet();
    (void)broker_hear(&broker, TENDER_PROPOSE);
    broker_restart(&broker);
    broker_forget(&broker);
    broker.is_deaf = false;
    broker_welcome(&broker);
    assert_int_equal(broker_hear(&broker, TENDER_OFFER)->skills.count, 1);
    assert_int_equal(broker_hear(&broker, TENDER_PROPOSE)->cost_micro, 12);
    struct message cfp = make_cfp(1);
    broker_say(&broker, &cfp, 1); /* told again: it is answered already */
    say_cfp(2);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_LOST);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_CONNECTED);
    assert_int_equal(next(TENDER_EVENT_CFP)->cfp.round, 2);
}

static void repeats_are_skipped(void **state)
{
    (void)state;
    connect_and_offer();
    say_cfp(1);
    (void)next(TENDER_EVENT_CFP);
    assert_quiet();
    struct message cfps[2] = {make_cfp(1), make_cfp(2)};
    broker_say_from(&broker, broker.said, cfps, 2); /* number of the first cfp, then a new one */
    broker.said++;
    assert_int_equal(next(TENDER_EVENT_CFP)->cfp.round, 2);
    assert_quiet();
}

static void an_award_told_again_is_acknowledged_again(void **state)
{
    (void)state;
    (void)win();
    assert_quiet();
    (void)broker_hear(&broker, TENDER_ACKNOWLEDGE);
    struct message award = make_award(1, 1);
    broker_say(&broker, &award, 1);
    (void)broker_hear(&broker, TENDER_ACKNOWLEDGE);
    assert_quiet();
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

static void a_second_request_at_a_time_carries_what_waits(void **state)
{
    (void)state;
    connect_and_offer();
    for (int i = 0; i < 3; i++) { /* at most two requests open: broker.c aborts on a third */
        char skill[8] = {'s', (char)('a' + i), '\0'};
        assert_int_equal(tender_contractor_offer(self, skill), 0);
    }
    (void)broker_hear(&broker, TENDER_OFFER);
    (void)broker_hear(&broker, TENDER_OFFER);
    assert_int_equal(broker_hear(&broker, TENDER_OFFER)->skills.count, 4);
}

static void replies_that_overtake_each_other_are_put_in_order(void **state)
{
    (void)state;
    connect_and_offer();
    broker.is_patient = true;
    (void)broker_listen(&broker, 20);
    assert_int_equal(tender_contractor_offer(self, "second"), 0);
    (void)broker_hear(&broker, TENDER_OFFER);
    assert_int_equal(broker.open_count, 2);
    broker_turn(&broker);
    struct message late = make_cfp(2);
    broker_say_from(&broker, broker.said + 2, &late, 1);
    say_cfp(1); /* answers the older request */
    broker.said++;
    assert_int_equal(next(TENDER_EVENT_CFP)->cfp.round, 1);
    assert_int_equal(next(TENDER_EVENT_CFP)->cfp.round, 2);
    assert_quiet();
    broker.is_patient = false;
    say_cfp(3);
    assert_int_equal(next(TENDER_EVENT_CFP)->cfp.round, 3);
}

static void a_gap_that_nothing_fills_is_mended_by_a_new_connection(void **state)
{
    (void)state;
    connect_and_offer();
    struct message cfps[2] = {make_cfp(1), make_cfp(2)};
    broker_say_from(&broker, broker.said + 2, &cfps[1], 1);
    while (broker.connection >= 0 && broker_listen(&broker, 20) == 0) {
    }
    broker_say_from(&broker, broker.said + 1, cfps, 2); /* on the new connection: all of it */
    broker.said += 2;
    const tender_event *event;
    int64_t round = 0;
    while (round < 2) {
        assert_int_equal(tender_contractor_next(self, 10000, &event), 1);
        if (event->kind == TENDER_EVENT_CFP) {
            assert_int_equal(event->cfp.round, round + 1);
            round++;
        }
    }
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

static void a_broker_that_is_away_is_told_in_time(void **state)
{
    (void)state;
    tender_options options = options_of_test();
    options.broker_url = "ipc:///tmp/tender-sdk-nobody-listens-here";
    options.connect_timeout_ms = 50;
    tender_contractor *none;
    assert_int_equal(tender_contractor_open(&options, &none), TENDER_EAWAY);
    assert_non_null(strstr(tender_contractor_last_error(NULL), "no broker answered at ipc:///tmp"));
}

static void a_refused_hello_ends_the_session(void **state)
{
    (void)state;
    (void)broker_hear(&broker, TENDER_HELLO);
    struct message refusal = {.performative = TENDER_REFUSE};
    message_set(&refusal, REASON, reason, TENDER_REASON_NAME_TAKEN);
    broker_say(&broker, &refusal, 1);
    const tender_event *event;
    assert_int_equal(tender_contractor_next(self, 10000, &event), TENDER_EREFUSED);
    assert_non_null(strstr(tender_contractor_last_error(self), "in use by another principal"));
    assert_int_equal(tender_contractor_offer(self, "a"), TENDER_EREFUSED);
}

static void addresses_are_tried_in_turn(void **state)
{
    (void)state;
    tender_contractor_close(self);
    broker_restart(&broker);
    char urls[256] = "ipc:///tmp/tender-sdk-nobody-listens-here,";
    strcat(urls, broker.url);
    tender_options options = options_of_test();
    options.broker_url = urls;
    assert_int_equal(tender_contractor_open(&options, &self), 0);
    broker_welcome(&broker);
    (void)next(TENDER_EVENT_CONTACT);
}

/* After bye the session is forgotten, as the real broker does; nothing may come of it. */
static void *hear_goodbye(void *unused)
{
    (void)unused;
    (void)broker_hear(&broker, TENDER_PROPOSE);
    broker_say(&broker, NULL, 0);
    (void)broker_hear(&broker, TENDER_BYE);
    broker.session_heard--;
    broker_say(&broker, NULL, 0);
    broker_forget(&broker);
    (void)broker_listen(&broker, 100);
    return NULL;
}

static void close_waits_until_all_is_heard_and_says_bye(void **state)
{
    (void)state;
    tender_contractor_close(self);
    broker_restart(&broker);
    tender_options options = options_of_test();
    options.linger_ms = 10000;
    assert_int_equal(tender_contractor_open(&options, &self), 0);
    connect_and_offer();
    say_cfp(1);
    bid(&next(TENDER_EVENT_CFP)->cfp);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, hear_goodbye, NULL), 0);
    tender_contractor_close(self);
    self = NULL;
    (void)pthread_join(thread, NULL);
    assert_int_equal(broker.heard_start, broker.heard_end); /* no second hello */
}

static void garbage_from_a_broker_is_survived(void **state)
{
    (void)state;
    connect_and_offer();
    struct message odd[3] = {make_cfp(1), {.performative = (tender_performative)99}, make_cfp(2)};
    odd[0].present &= ~MESSAGE_BIT(MESSAGE_DIGEST);
    broker_say(&broker, odd, 3);
    const struct message *complaint = broker_hear(&broker, TENDER_NOT_UNDERSTOOD);
    assert_memory_equal(complaint->field.data, "digest", 6);
    assert_int_equal(next(TENDER_EVENT_CFP)->cfp.round, 2);
}

#define claim(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        claim(a_life_from_cfp_to_settlement),
        claim(an_award_is_acknowledged_when_the_next_event_is_asked_for),
        claim(a_report_is_an_acknowledgement),
        claim(a_long_handler_is_heard_all_the_same),
        claim(what_is_said_before_the_next_event_leaves_in_one_exchange),
        claim(a_lost_connection_repeats_what_was_not_heard),
        claim(what_was_heard_is_not_repeated),
        claim(L3_an_unknown_session_says_hello_offer_and_the_rest_again),
        claim(repeats_are_skipped),
        claim(an_award_told_again_is_acknowledged_again),
        claim(A5_an_award_beyond_the_validity_of_its_bid_is_given_back),
        claim(a_second_request_at_a_time_carries_what_waits),
        claim(replies_that_overtake_each_other_are_put_in_order),
        claim(a_gap_that_nothing_fills_is_mended_by_a_new_connection),
        claim(the_descriptor_tells_when_there_is_an_event),
        claim(a_signal_handler_stops_a_run),
        claim(run_without_handlers_refuses_and_gives_back),
        claim(run_acknowledges_before_the_handler),
        claim(B5_bad_bids_name_the_field_and_its_range),
        claim(L9_bad_reports_name_the_field_and_its_range),
        claim(bad_options_name_the_option),
        claim(a_broker_that_is_away_is_told_in_time),
        claim(a_refused_hello_ends_the_session),
        claim(addresses_are_tried_in_turn),
        claim(close_waits_until_all_is_heard_and_says_bye),
        claim(garbage_from_a_broker_is_survived),
    };
    int status = cmocka_run_group_tests_name("contractor", tests, NULL, NULL);
    nng_fini(); /* nng frees what was closed on a thread of its own */
    return status;
}
