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

#include "fake_port.h"
#include "hearing.h"

#define SECOND   INT64_C(1000000)
#define START_US (1000 * SECOND)

/* The book of the tests: `wants` names the keys it asks the ledger for. */
struct book {
    struct {
        enum event_kind kind;
        tender_performative performative;
        char key[8];
        bool has_prior;
        bool is_nil_task;
        uint8_t after_states[2];
        int64_t round;
        uint64_t request;
    } heard[64];
    uint32_t count;
};

static const char *wants = "";
static tender_reason refuses;
static uint32_t asked[64];
static uint32_t asked_count;
static uint64_t cookies[64];
static uint32_t answered_requests;

struct ledger {
    int nothing;
};

int effects_init(struct effects *effects, const struct book_limits *limits)
{
    (void)limits;
    memset(effects, 0, sizeof(*effects));
    effects->tells = calloc(4, sizeof(struct tell));
    return effects->tells != NULL ? 0 : TENDER_ENOMEM;
}

void effects_release(struct effects *effects)
{
    free(effects->tells);
}

int book_open(const struct book_limits *limits, struct book **book_out)
{
    (void)limits;
    *book_out = calloc(1, sizeof(struct book));
    return *book_out != NULL ? 0 : TENDER_ENOMEM;
}

void book_close(struct book *book)
{
    free(book);
}

void book_resume(struct book *book, int64_t at_us, struct effects *effects)
{
    (void)book;
    (void)at_us;
    effects->tell_count = 0;
}

int64_t book_next_deadline(const struct book *book)
{
    (void)book;
    return TENDER_NEVER;
}

void book_check(const struct book *book)
{
    (void)book;
}

void book_hear(struct book *book, const struct event *event, struct effects *effects)
{
    uint32_t number = book->count++;
    effects->tell_count = 0;
    book->heard[number].kind = event->kind;
    book->heard[number].has_prior = event->prior != NULL;
    book->heard[number].is_nil_task = tender_id_is_nil(event->task);
    book->heard[number].request = event->request;
    if (event->after_states != NULL) {
        memcpy(book->heard[number].after_states, event->after_states, 2);
    }
    if (event->message == NULL) {
        return;
    }
    book->heard[number].performative = event->message->performative;
    book->heard[number].round = event->message->round;
    if (event->message->key.size > 0) {
        memcpy(book->heard[number].key, event->message->key.data, event->message->key.size);
    }
    if (event->message->performative == TENDER_HELLO && refuses != TENDER_REASON_NONE) {
        effects->tells[0] = (struct tell){.to = event->peer, .is_promise = true};
        effects->tells[0].message.performative = TENDER_REFUSE;
        message_set(&effects->tells[0].message, REASON, reason, refuses);
        effects->tell_count = 1;
    }
}

bool book_wants_prior(const struct book *book, const struct event *event,
                      tender_digest *body_digest_out)
{
    (void)book;
    memset(body_digest_out, 0, sizeof(*body_digest_out));
    return event->message->performative == TENDER_ANNOUNCE &&
           strchr(wants, *(const char *)event->message->key.data) != NULL;
}

/* The book of the tests holds none of the tasks that an announcement waits for. */
bool book_wants_after(const struct book *book, const struct event *event, uint32_t *index_out)
{
    (void)book;
    size_t count = message_has(event->message, MESSAGE_AFTER) ? event->message->after.size / 16 : 0;
    for (*index_out = 0; *index_out < count; ++*index_out) {
        if (event->after_states[*index_out] == AFTER_UNTOLD) {
            return true;
        }
    }
    return false;
}

enum after_state book_after_state(const struct prior *prior, tender_bytes principal)
{
    assert_memory_equal(principal.data, "acme", 4);
    return tender_id_is_nil(prior->task) ? AFTER_UNKNOWN : AFTER_DONE;
}

int ledger_lookup_key(struct ledger *ledger, uint64_t cookie, tender_bytes principal,
                      tender_bytes key, const tender_digest *body_digest)
{
    (void)ledger;
    (void)principal;
    (void)body_digest;
    cookies[asked_count] = cookie;
    asked[asked_count++] = (uint32_t) * (const char *)key.data;
    return 0;
}

int ledger_lookup_task(struct ledger *ledger, uint64_t cookie, tender_id task, uint32_t part,
                       uint32_t generation)
{
    (void)ledger;
    (void)part;
    (void)generation;
    cookies[asked_count] = cookie;
    asked[asked_count++] = task.bytes[0];
    return 0;
}

int ledger_append(struct ledger *ledger, const struct entry *entry)
{
    (void)ledger;
    (void)entry;
    return 0;
}

int ledger_answer(struct ledger *ledger, uint64_t request, const struct message *message)
{
    (void)ledger;
    (void)request;
    (void)message;
    answered_requests++;
    return 0;
}

uint64_t ledger_batch(const struct ledger *ledger)
{
    (void)ledger;
    return 1;
}

bool ledger_is_busy(const struct ledger *ledger)
{
    (void)ledger;
    return false;
}

int ledger_submit(struct ledger *ledger, int64_t stamp_us)
{
    (void)ledger;
    (void)stamp_us;
    return 0;
}

static struct config config;
static struct ledger ledger;
static struct postbox *postbox;
static struct journal *journal;
static struct hearing hearing;

static int set_up(void **state)
{
    struct postbox_options options = {.session_count = 8,
                                      .outbox_size = 1 << 20,
                                      .heartbeat_us = SECOND,
                                      .session_us = 60 * SECOND};
    (void)state;
    wants = "";
    refuses = TENDER_REASON_NONE;
    asked_count = 0;
    answered_requests = 0;
    fake_port_reset();
    config_init(&config);
    int status = postbox_open(&options, &postbox);
    status = status == 0 ? journal_open(postbox, &journal) : status;
    status = status == 0 ? hearing_open(&hearing, &config, postbox, journal) : status;
    status = status == 0 ? hearing_begin(&hearing, &ledger) : status;
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
    hearing_answer(&hearing, cookies[index], &prior);
}

static void answer_task(uint32_t index, bool is_there)
{
    struct ledger_prior prior = {.state = TENDER_TASK_DONE, .client = text("shop")};
    prior.task.bytes[0] = is_there ? 1 : 0;
    hearing_answer(&hearing, cookies[index], &prior);
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
    refuses = TENDER_REASON_NAME_TAKEN;
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

static void messages_behind_a_question_wait_in_order(void **state)
{
    struct message messages[4] = {announce("a"), announce("b"), announce("c"), announce("d")};
    struct session *session = begin();
    (void)state;
    wants = "bd";
    say(7, 2, messages, 4);
    assert_string_equal(keys(), "a");
    assert_int_equal(session->taken, 2);
    assert_int_equal(asked_count, 2); /* d was asked for while b waits */
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
    wants = "a";
    message_set(&messages[0], AFTER, after, ((tender_bytes){ids, sizeof ids}));
    say(7, 2, messages, 2);
    assert_int_equal(asked_count, 1);
    answer(0);
    hearing_answered(&hearing);
    assert_int_equal(asked_count, 2);
    assert_int_equal(asked[1], 1);
    answer_task(1, true);
    assert_int_equal(asked[2], 2);
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
    wants = "b";
    say(7, 2, messages, 2);
    end_turn();
    assert_int_equal(session->heard, 2);
}

static void later_frames_wait_behind_a_question(void **state)
{
    struct message messages[2] = {announce("a"), announce("b")};
    (void)state;
    begin();
    wants = "a";
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
    wants = "a";
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
    wants = "a";
    bad.request = 6;
    bad.message.present &= ~MESSAGE_BIT(MESSAGE_SKILL);
    hearing_request(&hearing, &request);
    hearing_request(&hearing, &bad);
    hearing_request(&hearing, &fund);
    hearing_inbox(&hearing);
    assert_int_equal(answered_requests, 1);
    assert_int_equal(hearing.book->count, 1);
    assert_int_equal(hearing.book->heard[0].kind, EVENT_FUND);
    answer(0);
    hearing_answered(&hearing);
    hearing_inbox(&hearing);
    assert_int_equal(hearing.book->heard[1].request, 5);
    assert_true(hearing.book->heard[1].has_prior);
    assert_null(hearing.inbox);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(hello_is_welcomed_with_broker_time_and_heartbeat),
        TEST(refused_hello_leaves_no_session),
        TEST(name_of_another_principal_is_refused),
        TEST(hello_without_a_name_is_answered_with_the_field),
        TEST(messages_behind_a_question_wait_in_order),
        TEST(what_an_announcement_waits_for_is_asked_behind_its_key),
        TEST(heard_does_not_cover_what_waits),
        TEST(later_frames_wait_behind_a_question),
        TEST(answer_after_the_session_ended_is_dropped),
        TEST(bye_is_heard_as_leaving),
        TEST(empty_requests_are_heard_now_and_then),
        TEST(inbox_is_heard_like_a_peer_and_does_not_block),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
