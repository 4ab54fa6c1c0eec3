/*
 * Goal: what was not heard is repeated, and nothing else; what is told twice is heard once; many
 * things said leave together. Method: a scripted broker (stage.h) that loses connections and
 * memory.
 */
#include "stage.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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

/* A bid was said that was not heard, and the broker knows the session no more. */
static void lose_a_session_with_a_bid(void)
{
    connect_and_offer();
    say_cfp(1);
    broker.is_deaf = true;
    bid(&next(TENDER_EVENT_CFP)->cfp);
    assert_quiet();
    (void)broker_hear(&broker, TENDER_PROPOSE);
    broker_restart(&broker);
    broker_forget(&broker);
    broker.is_deaf = false;
}

static void L3_an_unknown_session_says_hello_offer_and_the_rest_again(void **state)
{
    (void)state;
    lose_a_session_with_a_bid();
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

static void each_session_says_that_it_began_after_the_one_before(void **state)
{
    (void)state;
    struct message hello;
    broker_welcome_with(&broker, (tender_bytes){0}, &hello);
    int64_t first_us = hello.at_us;
    assert_true(first_us > 0);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_CONNECTED);
    broker_restart(&broker);
    broker_forget(&broker);
    broker_welcome_with(&broker, (tender_bytes){0}, &hello);
    assert_true(hello.at_us > first_us);
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
    while (broker.connection_count == 1) {
        (void)broker_listen(&broker, 20);
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

/* As a broker says it: outside of the numbering, since there is no session (any more). */
static void refuse_the_session(tender_performative performative, tender_reason reason)
{
    struct message refusal = {.performative = performative};
    message_set(&refusal, REASON, reason, reason);
    broker_say_from(&broker, 0, &refusal, 1);
}

static void a_name_of_another_principal_is_refused_for_good(void **state)
{
    (void)state;
    (void)broker_hear(&broker, TENDER_HELLO);
    refuse_the_session(TENDER_REFUSE, TENDER_REASON_NAME_TAKEN);
    const tender_event *event;
    assert_int_equal(tender_contractor_next(self, 10000, &event), TENDER_EREFUSED);
    assert_non_null(strstr(tender_contractor_last_error(self), "in use by another principal"));
}

static void a_session_whose_name_is_taken_over_stops(void **state)
{
    (void)state;
    connect_and_offer();
    refuse_the_session(TENDER_REFUSE, TENDER_REASON_NAME_TAKEN);
    const tender_event *event;
    assert_int_equal(tender_contractor_next(self, 10000, &event), TENDER_EREFUSED);
    assert_non_null(strstr(tender_contractor_last_error(self), "taken its name over"));
}

/* The broker has no room for the session of the hello that comes next, twice; then it has. */
static void find_room_at_the_third_hello(tender_performative performative)
{
    for (int i = 0; i < 2; i++) {
        refuse_room(&broker, performative);
    }
    broker_welcome(&broker);
}

static void a_broker_without_room_is_asked_again(void **state)
{
    (void)state;
    find_room_at_the_third_hello(TENDER_NOT_UNDERSTOOD);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_FULL);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_CONNECTED);
}

static void a_session_that_was_lost_while_there_is_no_room_comes_back(void **state)
{
    (void)state;
    lose_a_session_with_a_bid();
    find_room_at_the_third_hello(TENDER_REFUSE);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_LOST);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_FULL);
    assert_int_equal(broker_hear(&broker, TENDER_OFFER)->skills.count, 1);
    assert_int_equal(broker_hear(&broker, TENDER_PROPOSE)->cost_micro, 12);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_CONNECTED);
}

static void *have_no_room(void *unused)
{
    (void)unused;
    (void)broker_hear(&broker, TENDER_HELLO);
    struct message refusal = {.performative = TENDER_REFUSE};
    message_set(&refusal, REASON, reason, TENDER_REASON_LIMIT_REACHED);
    message_set(&refusal, TEXT, text, ((tender_bytes){"kilns: 3 of 3", 13}));
    broker_end(&broker, &refusal);
    return NULL;
}

static void who_opens_is_told_that_there_was_no_room_in_time(void **state)
{
    (void)state;
    pthread_t thread;
    tender_contractor *none;
    tender_contractor_close(self);
    self = NULL;
    broker_restart(&broker);
    tender_options options = options_of_test();
    options.connect_timeout_ms = 500;
    assert_int_equal(pthread_create(&thread, NULL, have_no_room, NULL), 0);
    assert_int_equal(tender_contractor_open(&options, &none), TENDER_EAWAY);
    (void)pthread_join(thread, NULL);
    assert_string_equal(tender_contractor_last_error(NULL),
                        "the broker has no room for the session: kilns: 3 of 3");
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

#define claim(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        claim(a_lost_connection_repeats_what_was_not_heard),
        claim(what_was_heard_is_not_repeated),
        claim(L3_an_unknown_session_says_hello_offer_and_the_rest_again),
        claim(each_session_says_that_it_began_after_the_one_before),
        claim(repeats_are_skipped),
        claim(an_award_told_again_is_acknowledged_again),
        claim(a_second_request_at_a_time_carries_what_waits),
        claim(replies_that_overtake_each_other_are_put_in_order),
        claim(a_gap_that_nothing_fills_is_mended_by_a_new_connection),
        claim(addresses_are_tried_in_turn),
        claim(close_waits_until_all_is_heard_and_says_bye),
        claim(a_broker_that_is_away_is_told_in_time),
        claim(a_refused_hello_ends_the_session),
        claim(a_name_of_another_principal_is_refused_for_good),
        claim(a_session_whose_name_is_taken_over_stops),
        claim(a_broker_without_room_is_asked_again),
        claim(a_session_that_was_lost_while_there_is_no_room_comes_back),
        claim(who_opens_is_told_that_there_was_no_room_in_time),
        claim(garbage_from_a_broker_is_survived),
        claim(what_is_said_before_the_next_event_leaves_in_one_exchange),
    };
    int status = cmocka_run_group_tests_name("exchange", tests, NULL, NULL);
    return broker_finish(status);
}
