/*
 * Goal: messages reach the book once, in the order in which they were said, also where some must
 * wait for the ledger; sessions begin and end as PROTOCOL.md says. Method: frames are heard by a
 * book that only writes down what it hears, and asks for what the test tells it to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "fake_book.h"
#include "fake_port.h"
#include "hearing.h"

#define SECOND   INT64_C(1000000)
#define START_US (1000 * SECOND)

static struct config config;
static struct ledger ledger;
static struct postbox *postbox;
static struct journal *journal;
static struct hearing hearing;

static int set_up(void **state)
{
    struct postbox_options options = {FAKE_ALLOWANCE, .session_count = 8, .outbox_size = 1 << 20,
                                      .heartbeat_us = SECOND, .session_us = 60 * SECOND};
    (void)state;
    fake_book_reset();
    fake_port_reset();
    config_init(&config);
    int status = postbox_open(&options, &postbox);
    status = status == 0 ? journal_open(postbox, &journal) : status;
    status = status == 0 ? hearing_open(&hearing, &config, postbox, journal) : status;
    ledger.shard_count = 1;
    status = status == 0 ? hearing_begin(&hearing, &ledger, 1) : status;
    journal_begin(journal, &ledger);
    hearing.at_us = START_US;
    return status;
}

static int tear_down(void **state)
{
    (void)state;
    hearing_close(&hearing);
    journal_close(journal);
    postbox_close(postbox);
    return 0;
}

static tender_bytes text(const char *value)
{
    return (tender_bytes){.data = value, .size = strlen(value)};
}

static struct message hello(const char *name, const char *principal)
{
    struct message message = {.performative = TENDER_HELLO};
    message_set(&message, NAME, name, text(name));
    message_set(&message, PRINCIPAL, principal, text(principal));
    message_set(&message, HEARTBEAT, heartbeat_us, 0);
    return message;
}

static struct message announce(const char *key)
{
    struct message message = {.performative = TENDER_ANNOUNCE};
    message_set(&message, KEY, key, text(key));
    message_set(&message, SKILL, skill, text("translate.de"));
    message_set(&message, UNITS, units, 1);
    message_set(&message, CEILING, ceiling_micro, 1);
    message_set(&message, WINDOW, window_us, 1);
    message_set(&message, DUE, due_us, 1);
    return message;
}

static struct session *say(uint8_t id, uint64_t first, const struct message *messages,
                           uint32_t count)
{
    struct session *session =
        postbox_arrive(postbox, fake_request(1, id, first, 0, messages, count), hearing.at_us);
    if (session != NULL) {
        hearing_session(&hearing, session);
    }
    return session;
}

static void on_left(void *context, struct session *session)
{
    (void)context;
    (void)session;
}

static void end_turn(void)
{
    hearing_tick(&hearing);
    (void)postbox_speak(postbox, hearing.at_us, UINT32_MAX, on_left, NULL);
}

static struct session *begin(void)
{
    struct message message = hello("shop", "acme");
    struct session *session = say(7, 1, &message, 1);
    assert_true(session->is_named);
    end_turn();
    hearing.book->count = 0;
    return session;
}

static void answer(uint32_t index)
{
    struct ledger_prior prior = {.state = TENDER_TASK_DONE, .client = text("shop")};
    hearing_answer(&hearing, fake_book.cookies[index], &prior);
}

static void answer_task(uint32_t index, bool is_there)
{
    struct ledger_prior prior = {.state = TENDER_TASK_DONE, .client = text("shop")};
    prior.task.bytes[0] = is_there ? 1 : 0;
    hearing_answer(&hearing, fake_book.cookies[index], &prior);
    hearing_answered(&hearing);
}

/* The keys heard so far, in order. */
static const char *keys(void)
{
    static char text_of_keys[65];
    uint32_t length = 0;
    for (uint32_t i = 0; i < hearing.book->count; i++) {
        if (hearing.book->heard[i].performative == TENDER_ANNOUNCE) {
            text_of_keys[length++] = hearing.book->heard[i].key[0];
        }
    }
    text_of_keys[length] = '\0';
    return text_of_keys;
}

static void hello_is_welcomed_with_broker_time_and_heartbeat(void **state)
{
    struct message message = hello("shop", "acme");
    (void)state;
    say(7, 1, &message, 1);
    end_turn();
    const struct message *welcome = &fake_port.replies[0].messages[0];
    assert_int_equal(fake_port.replies[0].header.first, 1);
    assert_int_equal(welcome->performative, TENDER_WELCOME);
    assert_int_equal(welcome->at_us, START_US);
    assert_int_equal(welcome->heartbeat_us, config.heartbeat_us);
    assert_int_equal(hearing.book->heard[0].kind, EVENT_MESSAGE);
    assert_int_equal(hearing.book->heard[1].kind, EVENT_TICK);
}

static void refused_hello_leaves_no_session(void **state)
{
    struct message messages[2] = {hello("shop", "acme"), announce("a")};
    (void)state;
    fake_book.refuses = TENDER_REASON_NAME_TAKEN;
    say(7, 1, messages, 2);
    end_turn();
    assert_int_equal(fake_port.replies[0].header.first, 0);
    assert_int_equal(fake_port.replies[0].messages[0].reason, TENDER_REASON_NAME_TAKEN);
    assert_int_equal(postbox_count(postbox), 0);
    assert_string_equal(keys(), "");
}

static void name_of_another_principal_is_refused(void **state)
{
    struct message message = hello("shop", "other");
    (void)state;
    begin();
    say(8, 1, &message, 1);
    end_turn();
    const struct fake_reply *last = &fake_port.replies[fake_port.reply_count - 1];
    assert_int_equal(last->messages[0].reason, TENDER_REASON_NAME_TAKEN);
    assert_int_equal(postbox_count(postbox), 1);
}

/* A session of that identifier and connection, whose hello says when it began. */
static struct session *say_hello(uint8_t id, uint32_t pipe, int64_t began_us)
{
    struct message message = hello("shop", "acme");
    message_set(&message, AT, at_us, began_us);
    struct session *session =
        postbox_arrive(postbox, fake_request(pipe, id, 1, 0, &message, 1), hearing.at_us);
    hearing_session(&hearing, session);
    return session;
}

static void late_hello_of_an_older_session_does_not_take_its_name(void **state)
{
    (void)state;
    fake_port.open_pipe = 2;
    struct session_ref newer = say_hello(8, 2, 1001)->ref;
    say_hello(7, 1, 1000);
    const struct fake_reply *last = &fake_port.replies[fake_port.reply_count - 1];
    assert_int_equal(last->header.first, 0);
    assert_int_equal(last->header.session[0], 7);
    assert_int_equal(last->messages[0].reason, TENDER_REASON_NAME_TAKEN);
    assert_ptr_equal(postbox_find(postbox, text("shop")), postbox_resolve(postbox, newer));
}

static void hello_by_a_key_that_may_not_speak_is_refused(void **state)
{
    (void)state;
    struct message message = hello("shop", "acme");
    fake_book.verdict = TENDER_REASON_UNKNOWN_KEY;
    (void)say(7, 1, &message, 1);
    end_turn();
    assert_int_equal(fake_port.replies[0].header.first, 0);
    assert_int_equal(fake_port.replies[0].messages[0].reason, TENDER_REASON_UNKNOWN_KEY);
    assert_int_equal(postbox_count(postbox), 0);
}

static void session_whose_key_is_revoked_ends(void **state)
{
    (void)state;
    (void)begin();
    fake_book.verdict = TENDER_REASON_REVOKED;
    hearing_tick(&hearing);
    assert_int_equal(postbox_count(postbox), 1); /* nothing has changed, so nobody asks */
    fake_book.key_changes = 1;
    hearing_tick(&hearing);
    assert_int_equal(postbox_count(postbox), 0);
}

static void older_clock_takes_the_name_of_who_is_not_connected(void **state)
{
    (void)state;
    fake_port.open_pipe = 1;
    say_hello(8, 2, 1001);
    struct session *older = say_hello(7, 1, 1000);
    assert_ptr_equal(postbox_find(postbox, text("shop")), older);
    assert_ptr_equal(postbox_find(postbox, text("shop")), say_hello(9, 1, 1000));
}

static void hello_that_does_not_say_when_it_began_takes_the_name(void **state)
{
    (void)state;
    fake_port.open_pipe = 2;
    say_hello(8, 2, 1001);
    struct message message = hello("shop", "acme");
    struct session *unsaid = say(7, 1, &message, 1);
    assert_ptr_equal(postbox_find(postbox, text("shop")), unsaid);
}

static void hello_without_a_name_is_answered_with_the_field(void **state)
{
    struct message message = hello("shop", "acme");
    (void)state;
    message.present &= ~MESSAGE_BIT(MESSAGE_NAME);
    say(7, 1, &message, 1);
    end_turn();
    assert_int_equal(fake_port.replies[0].header.first, 0);
    assert_int_equal(fake_port.replies[0].messages[0].performative, TENDER_NOT_UNDERSTOOD);
    assert_int_equal(postbox_count(postbox), 0);
}

static void what_was_asked_too_long_ago_is_asked_again(void **state)
{
    struct message message = announce("a");
    (void)state;
    begin();
    fake_book.wants = "a";
    say(7, 2, &message, 1);
    assert_int_equal(fake_book.asked_count, 1);
    fake_book.returned_us = hearing.at_us;
    hearing.at_us++;
    answer(0);
    hearing_answered(&hearing);
    assert_int_equal(fake_book.asked_count, 2);
    assert_string_equal(keys(), "");
    answer(1);
    hearing_answered(&hearing);
    assert_string_equal(keys(), "a");
    assert_int_equal(hearing.lookups.count, 0);
}

static void messages_behind_a_question_wait_in_order(void **state)
{
    struct message messages[4] = {announce("a"), announce("b"), announce("c"), announce("d")};
    struct session *session = begin();
    (void)state;
    fake_book.wants = "bd";
    say(7, 2, messages, 4);
    assert_string_equal(keys(), "a");
    assert_int_equal(session->taken, 2);
    assert_int_equal(fake_book.asked_count, 2); /* d was fake_book.asked for while b waits */
    answer(1);
    hearing_answered(&hearing);
    assert_string_equal(keys(), "a");
    answer(0);
    hearing_answered(&hearing);
    assert_string_equal(keys(), "abcd");
    assert_int_equal(session->taken, 5);
    assert_false(hearing.book->heard[0].has_prior);
    assert_true(hearing.book->heard[1].has_prior);
    assert_false(hearing.book->heard[2].has_prior);
    assert_false(hearing.book->heard[1].is_nil_task);
    assert_int_equal(hearing.lookups.count, 0);
    end_turn();
    assert_int_equal(session->heard, 5);
}

static void what_an_announcement_waits_for_is_asked_behind_its_key(void **state)
{
    struct message messages[2] = {announce("a"), announce("b")};
    static const uint8_t ids[32] = {[0] = 1, [16] = 2};
    (void)state;
    begin();
    fake_book.wants = "a";
    message_set(&messages[0], AFTER, after, ((tender_bytes){ids, sizeof ids}));
    say(7, 2, messages, 2);
    assert_int_equal(fake_book.asked_count, 1);
    answer(0);
    hearing_answered(&hearing);
    assert_int_equal(fake_book.asked_count, 2);
    assert_int_equal(fake_book.asked[1], 1);
    answer_task(1, true);
    assert_int_equal(fake_book.asked[2], 2);
    assert_string_equal(keys(), "");
    answer_task(2, false);
    assert_string_equal(keys(), "ab");
    assert_true(hearing.book->heard[0].has_prior);
    assert_int_equal(hearing.book->heard[0].after_states[0], AFTER_DONE);
    assert_int_equal(hearing.book->heard[0].after_states[1], AFTER_UNKNOWN);
    assert_int_equal(hearing.book->heard[1].after_states[0], AFTER_UNTOLD);
    assert_int_equal(hearing.lookups.count, 0);
}

static void heard_does_not_cover_what_waits(void **state)
{
    struct message messages[2] = {announce("a"), announce("b")};
    struct session *session = begin();
    (void)state;
    fake_book.wants = "b";
    say(7, 2, messages, 2);
    end_turn();
    assert_int_equal(session->heard, 2);
}

static void later_frames_wait_behind_a_question(void **state)
{
    struct message messages[2] = {announce("a"), announce("b")};
    (void)state;
    begin();
    fake_book.wants = "a";
    say(7, 2, &messages[0], 1);
    say(7, 3, &messages[1], 1);
    assert_string_equal(keys(), "");
    answer(0);
    hearing_answered(&hearing);
    assert_string_equal(keys(), "ab");
}

static void answer_after_the_session_ended_is_dropped(void **state)
{
    struct message message = announce("a");
    struct session *session = begin();
    (void)state;
    fake_book.wants = "a";
    say(7, 2, &message, 1);
    postbox_end(postbox, session, NULL);
    end_turn();
    answer(0);
    hearing_answered(&hearing);
    assert_int_equal(hearing.lookups.count, 0);
    assert_string_equal(keys(), "");
}

static void bye_is_heard_as_leaving(void **state)
{
    struct message message = {.performative = TENDER_BYE};
    (void)state;
    begin();
    say(7, 2, &message, 1);
    assert_int_equal(hearing.book->heard[0].kind, EVENT_LEFT);
    assert_int_equal(postbox_count(postbox), 0);
    assert_int_equal(fake_port.replies[fake_port.reply_count - 1].header.first, 0);
}

static void empty_requests_are_heard_now_and_then(void **state)
{
    (void)state;
    begin();
    say(7, 2, NULL, 0);
    assert_int_equal(hearing.book->count, 0);
    hearing.at_us += 4 * SECOND;
    say(7, 2, NULL, 0);
    assert_int_equal(hearing.book->heard[0].kind, EVENT_HEARD);
}

static void inbox_is_heard_like_a_peer_and_does_not_block(void **state)
{
    struct ledger_request request = {.request = 5,
                                     .peer = text("acme/sql"),
                                     .principal = text("acme"),
                                     .message = announce("a")};
    struct ledger_request bad = request;
    struct ledger_request fund = {.request = 7, .principal = text("acme"), .amount_micro = 9};
    (void)state;
    fake_book.wants = "a";
    bad.request = 6;
    bad.message.present &= ~MESSAGE_BIT(MESSAGE_SKILL);
    hearing_request(&hearing, &request);
    hearing_request(&hearing, &bad);
    hearing_request(&hearing, &fund);
    hearing_inbox(&hearing);
    assert_int_equal(fake_book.answered_requests, 1);
    assert_int_equal(hearing.book->count, 1);
    assert_int_equal(hearing.book->heard[0].kind, EVENT_FUND);
    answer(0);
    hearing_answered(&hearing);
    hearing_inbox(&hearing);
    assert_int_equal(hearing.book->heard[1].request, 5);
    assert_true(hearing.book->heard[1].has_prior);
    assert_null(hearing.inbox);
}

static void what_another_shard_has_is_answered_with_its_broker(void **state)
{
    (void)state;
    ledger.shard_count = 2;
    uint32_t other = shard_of_principal(text("acme"), 2);
    assert_int_equal(hearing_begin(&hearing, &ledger, shard_set(1 - other)), 0);
    memcpy(hearing.seats[other].urls, "tcp://b", 7);
    hearing.seats[other].urls_size = 7;
    begin();
    struct message messages[3] = {announce("a"), {.performative = TENDER_ACKNOWLEDGE}};
    messages[1].conversation.bytes[0] = 1;
    messages[1].conversation.bytes[15] = (uint8_t)other;
    message_set(&messages[1], PART, part, 4);
    message_set(&messages[1], GENERATION, generation, 3);
    messages[2] =
        (struct message){.performative = TENDER_WITHDRAW, .conversation = messages[1].conversation};
    message_set(&messages[2], ROUND, round, 2);
    say(7, 2, messages, 3);
    end_turn();
    const struct message *said = fake_port.replies[1].messages;
    assert_int_equal(fake_port.replies[1].count, 3);
    assert_int_equal(said[0].performative, TENDER_REFUSE);
    assert_int_equal(said[0].reason, TENDER_REASON_ELSEWHERE);
    assert_memory_equal(said[0].key.data, "a", 1);
    assert_memory_equal(said[0].address.data, "tcp://b", 7);
    assert_int_equal(said[1].performative, TENDER_NOT_UNDERSTOOD);
    assert_int_equal(said[1].reason, TENDER_REASON_ELSEWHERE);
    assert_int_equal(said[1].part, 4); /* by which the contractor knows what to say again */
    assert_int_equal(said[1].generation, 3);
    assert_int_equal(said[2].performative, TENDER_NOT_UNDERSTOOD);
    assert_int_equal(said[2].round, 2);
    assert_string_equal(keys(), "");
    messages[1].conversation.bytes[15] = (uint8_t)(1 - other);
    uint32_t heard = hearing.book->count;
    say(7, 5, &messages[1], 1);
    assert_int_equal(hearing.book->count, heard + 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(hello_is_welcomed_with_broker_time_and_heartbeat),
        TEST(refused_hello_leaves_no_session),
        TEST(name_of_another_principal_is_refused),
        TEST(late_hello_of_an_older_session_does_not_take_its_name),
        TEST(older_clock_takes_the_name_of_who_is_not_connected),
        TEST(hello_by_a_key_that_may_not_speak_is_refused),
        TEST(session_whose_key_is_revoked_ends),
        TEST(hello_that_does_not_say_when_it_began_takes_the_name),
        TEST(hello_without_a_name_is_answered_with_the_field),
        TEST(what_was_asked_too_long_ago_is_asked_again),
        TEST(messages_behind_a_question_wait_in_order),
        TEST(what_an_announcement_waits_for_is_asked_behind_its_key),
        TEST(heard_does_not_cover_what_waits),
        TEST(later_frames_wait_behind_a_question),
        TEST(answer_after_the_session_ended_is_dropped),
        TEST(bye_is_heard_as_leaving),
        TEST(empty_requests_are_heard_now_and_then),
        TEST(inbox_is_heard_like_a_peer_and_does_not_block),
        TEST(what_another_shard_has_is_answered_with_its_broker),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
