/*
 * Goal: everything said in a session is heard once and in order, whatever requests are lost,
 * doubled, reordered or moved to another connection. Method: requests are made by hand and given to
 * a postbox over a fake port; replies are read back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "fake_port.h"
#include "postbox.h"

#define SECOND    INT64_C(1000000)
#define START_US  (1000 * SECOND)
#define PEER      7
#define ANY_ROUND 3

static struct postbox *postbox;
static uint32_t left_count;

static int set_up(void **state)
{
    struct postbox_options options = {FAKE_ALLOWANCE, .session_count = 4, .outbox_size = 4096,
                                      .heartbeat_us = 5 * SECOND, .session_us = 60 * SECOND};
    (void)state;
    left_count = 0;
    fake_port_reset();
    return postbox_open(&options, &postbox);
}

static int tear_down(void **state)
{
    (void)state;
    postbox_close(postbox);
    return 0;
}

static tender_bytes text(const char *value)
{
    return (tender_bytes){.data = value, .size = strlen(value)};
}

static struct message hello(void)
{
    struct message message = {.performative = TENDER_HELLO};
    message_set(&message, NAME, name, text("kiln-2"));
    message_set(&message, PRINCIPAL, principal, text("potter"));
    message_set(&message, HEARTBEAT, heartbeat_us, SECOND);
    return message;
}

/* A message that can be told apart by its number. */
static struct message inform(int64_t number)
{
    struct message message = {.performative = TENDER_INFORM};
    message_set(&message, NUMBER, number, number);
    return message;
}

static void on_left(void *context, struct session *session)
{
    (void)context;
    (void)session;
    left_count++;
}

static void speak(int64_t at_us)
{
    (void)postbox_speak(postbox, at_us, UINT32_MAX, on_left, NULL);
}

/* Hears everything that may be heard. */
static void take_all(struct session *session)
{
    for (struct frame *frame; (frame = session_ready(session)) != NULL;) {
        uint64_t last = frame->first + frame->count - 1;
        session->taken = last > session->taken ? last : session->taken;
        session_shift(session);
    }
}

static struct session *arrive(uint32_t pipe, uint64_t first, uint64_t heard,
                              const struct message *messages, uint32_t count, int64_t at_us)
{
    return postbox_arrive(postbox, fake_request(pipe, PEER, first, heard, messages, count), at_us);
}

/* A session that has said hello by connection 1, whose exchange is parked. */
static struct session *begin(void)
{
    struct message message = hello();
    struct session *session = arrive(1, 1, 0, &message, 1, START_US);
    assert_non_null(session);
    assert_int_equal(postbox_name(postbox, session, text("kiln-2"), text("potter"), text("potter")),
                     0);
    session->heartbeat_us = SECOND;
    session->reply_by_us = START_US + SECOND;
    take_all(session);
    return session;
}

static void unknown_session_is_told_so_without_a_number(void **state)
{
    struct message message = inform(1);
    (void)state;
    assert_null(arrive(1, 5, 0, &message, 1, START_US));
    assert_int_equal(fake_port.reply_count, 1);
    assert_int_equal(fake_port.replies[0].header.first, 0);
    assert_int_equal(fake_port.replies[0].header.session[0], PEER);
    assert_int_equal(fake_port.replies[0].messages[0].performative, TENDER_NOT_UNDERSTOOD);
    assert_int_equal(fake_port.replies[0].messages[0].reason, TENDER_REASON_UNKNOWN_SESSION);
}

/* The broker before this one answered the hello and died before it could say that it had heard. */
static void hello_of_a_peer_that_heard_another_broker_begins_no_session(void **state)
{
    struct message message = hello();
    (void)state;
    assert_null(arrive(1, 1, 4, &message, 1, START_US));
    assert_int_equal(postbox_count(postbox), 0);
    assert_int_equal(fake_port.replies[0].header.first, 0);
    assert_int_equal(fake_port.replies[0].messages[0].reason, TENDER_REASON_UNKNOWN_SESSION);
    assert_non_null(arrive(2, 1, 0, &message, 1, START_US));
}

static void garbage_is_answered_and_makes_no_session(void **state)
{
    (void)state;
    assert_null(postbox_arrive(postbox, fake_bytes(1, "\xdd\x0f\xff\xff\xff", 5), START_US));
    assert_int_equal(fake_port.replies[0].messages[0].reason, TENDER_REASON_MALFORMED);
    assert_int_equal(postbox_count(postbox), 0);
}

static void tells_are_numbered_and_answer_the_parked_exchange(void **state)
{
    struct session *session = begin();
    struct message message = inform(11);
    (void)state;
    postbox_tell(postbox, session, &message);
    message = inform(12);
    postbox_tell(postbox, session, &message);
    speak(START_US);
    assert_int_equal(fake_port.reply_count, 1);
    assert_int_equal(fake_port.replies[0].header.first, 1);
    assert_int_equal(fake_port.replies[0].count, 2);
    assert_int_equal(fake_port.replies[0].messages[1].number, 12);
    assert_ptr_equal(arrive(1, 2, 2, NULL, 0, START_US), session);
    assert_null(session->first);
    message = inform(13);
    postbox_tell(postbox, session, &message);
    speak(START_US);
    assert_int_equal(fake_port.replies[1].header.first, 3);
}

static void doubled_messages_are_skipped(void **state)
{
    struct session *session = begin();
    struct message message = hello();
    (void)state;
    assert_ptr_equal(arrive(1, 1, 0, &message, 1, START_US), session);
    assert_null(session_ready(session));
    assert_int_equal(session->taken, 1);
}

static void frame_behind_a_gap_waits_until_it_is_filled(void **state)
{
    struct session *session = begin();
    struct message messages[2] = {inform(1), inform(2)};
    (void)state;
    arrive(1, 4, 0, messages, 2, START_US);
    assert_null(session_ready(session));
    speak(START_US);
    arrive(1, 2, 0, messages, 2, START_US);
    assert_non_null(session_ready(session));
    assert_int_equal(session_ready(session)->first, 2);
    take_all(session);
    assert_int_equal(session->taken, 5);
    assert_int_equal(session->frame_count, 0);
}

static void gap_that_stays_open_costs_the_connection(void **state)
{
    struct session *session = begin();
    struct message message = inform(1);
    (void)state;
    arrive(1, 9, 0, &message, 1, START_US);
    session->heartbeat_us = 3600 * SECOND;
    session->reply_by_us = START_US + 3600 * SECOND;
    speak(START_US);
    assert_int_equal(fake_port.hung_up_count, 0);
    assert_true(postbox_next(postbox) <= START_US + 2 * SESSION_GAP_US);
    speak(START_US + SESSION_GAP_US + SECOND);
    assert_int_equal(fake_port.hung_up_count, 1);
    assert_int_equal(session->frame_count, 0);
}

static void crossing_on_one_connection_repeats_nothing(void **state)
{
    struct session *session = begin();
    struct message message = inform(11);
    (void)state;
    postbox_tell(postbox, session, &message);
    speak(START_US);
    arrive(1, 2, 0, NULL, 0, START_US); /* sent before the reply came */
    speak(START_US);
    assert_int_equal(fake_port.reply_count, 1);
}

static void new_connection_gets_everything_unheard_again(void **state)
{
    struct session *session = begin();
    struct message message = inform(11);
    (void)state;
    postbox_tell(postbox, session, &message);
    message = inform(12);
    postbox_tell(postbox, session, &message);
    speak(START_US);
    arrive(2, 2, 1, NULL, 0, START_US); /* heard 1, lost 2 */
    speak(START_US);
    assert_int_equal(fake_port.reply_count, 2);
    assert_int_equal(fake_port.replies[1].header.first, 2);
    assert_int_equal(fake_port.replies[1].count, 1);
    assert_int_equal(fake_port.replies[1].messages[0].number, 12);
    arrive(2, 2, 1, NULL, 0, START_US); /* crossed on the new connection */
    speak(START_US);
    assert_int_equal(fake_port.reply_count, 2);
}

static void messages_leave_only_by_the_newest_connection(void **state)
{
    struct session *session = begin(); /* parked on connection 1 */
    struct message message = inform(11);
    (void)state;
    arrive(2, 2, 0, NULL, 0, START_US);
    postbox_tell(postbox, session, &message);
    speak(START_US);
    assert_int_equal(fake_port.reply_count, 2);
    assert_int_equal(fake_port.replies[0].exchange->pipe, 1);
    assert_int_equal(fake_port.replies[0].count, 0);
    assert_int_equal(fake_port.replies[1].exchange->pipe, 2);
    assert_int_equal(fake_port.replies[1].count, 1);
}

static void newer_exchange_makes_the_older_answered(void **state)
{
    begin();
    (void)state;
    speak(START_US);
    assert_int_equal(fake_port.reply_count, 0);
    arrive(1, 2, 0, NULL, 0, START_US);
    speak(START_US);
    assert_int_equal(fake_port.reply_count, 1);
    assert_int_equal(fake_port.replies[0].count, 0);
}

static void parked_exchange_is_answered_at_its_heartbeat(void **state)
{
    struct session *session = begin();
    (void)state;
    speak(START_US);
    assert_int_equal(fake_port.reply_count, 0);
    assert_true(postbox_next(postbox) >= START_US + SECOND);
    assert_true(postbox_next(postbox) <= START_US + SECOND + SECOND / 10);
    speak(postbox_next(postbox));
    assert_int_equal(fake_port.reply_count, 1);
    assert_int_equal(fake_port.replies[0].header.heard, session->heard);
}

static void mute_postbox_only_keeps_connections_alive(void **state)
{
    struct session *session = begin();
    struct message message = inform(11);
    (void)state;
    postbox_mute(postbox, true);
    postbox_tell(postbox, session, &message);
    speak(START_US);
    assert_int_equal(fake_port.reply_count, 0);
    speak(postbox_next(postbox));
    assert_int_equal(fake_port.reply_count, 1);
    assert_int_equal(fake_port.replies[0].count, 0);
    arrive(1, 2, 0, NULL, 0, START_US + 2 * SECOND);
    speak(START_US + 2 * SECOND);
    assert_int_equal(fake_port.reply_count, 1);
    postbox_mute(postbox, false);
    speak(START_US + 2 * SECOND);
    assert_int_equal(fake_port.reply_count, 2);
    assert_int_equal(fake_port.replies[1].header.first, 1);
    assert_int_equal(fake_port.replies[1].messages[0].number, 11);
}

static void heard_is_what_was_committed_and_is_said_before_long(void **state)
{
    struct session *session = begin();
    (void)state;
    assert_int_equal(session->taken, 1);
    speak(START_US);
    postbox_heard(postbox, session, 1, START_US);
    speak(START_US);
    assert_int_equal(fake_port.reply_count, 0); /* it waits for company */
    speak(START_US + SESSION_HEARD_DELAY_US);
    assert_int_equal(fake_port.reply_count, 1);
    assert_int_equal(fake_port.replies[0].header.heard, 1);
}

static void reply_ends_with_what_is_held_for_who_wants_it_and_once(void **state)
{
    (void)state;
    static const uint8_t receipt[WIRE_RECEIPT_SIZE] = {[17] = 9};
    struct session *session = begin();
    struct message message = inform(1);
    postbox_receipts(postbox, (tender_bytes){receipt, sizeof receipt});
    postbox_tell(postbox, session, &message);
    speak(START_US);
    assert_false(fake_port.replies[0].header.has_tail); /* it did not ask for them */
    session->wants_receipts = true;
    postbox_receipts(postbox, (tender_bytes){receipt, sizeof receipt});
    for (uint64_t i = 1; i <= 2; i++) {
        assert_ptr_equal(arrive(1, 2, i, NULL, 0, START_US + (int64_t)i), session);
        postbox_tell(postbox, session, &message);
        speak(START_US + (int64_t)i);
        assert_int_equal(fake_port.replies[i].header.count, 1);
        assert_int_equal(fake_port.replies[i].header.has_tail, i == 1);
    }
    assert_int_equal(fake_port.replies[1].header.tail.size, sizeof receipt);
}

static void claim_to_have_heard_what_was_not_said_is_ignored(void **state)
{
    struct session *session = begin();
    struct message message = inform(1);
    (void)state;
    postbox_tell(postbox, session, &message);
    arrive(1, 2, UINT64_MAX, NULL, 0, START_US);
    assert_int_equal(session->acknowledged, 0);
    assert_non_null(session->first);
}

static void too_many_open_exchanges_cost_the_connection(void **state)
{
    begin();
    (void)state;
    for (int i = 0; i < SESSION_PARKED_MAX; i++) {
        arrive(1, 2, 0, NULL, 0, START_US);
    }
    assert_int_equal(fake_port.hung_up_count, 1);
}

static void peer_that_fetches_nothing_loses_its_session(void **state)
{
    struct session *session = begin();
    struct message message = inform(1);
    static char filler[2000];
    (void)state;
    memset(filler, 'x', sizeof(filler));
    message_set(&message, TEXT, text, ((tender_bytes){filler, sizeof(filler)}));
    postbox_tell(postbox, session, &message);
    speak(START_US); /* takes the parked exchange */
    for (int i = 0; i < 3; i++) {
        postbox_tell(postbox, session, &message);
    }
    speak(START_US);
    assert_int_equal(left_count, 0); /* it has time to fetch them */
    assert_true(postbox_next(postbox) <= START_US + 5 * SECOND);
    speak(START_US + 5 * SECOND);
    assert_int_equal(left_count, 1);
    assert_int_equal(fake_port.hung_up_count, 1);
    assert_null(postbox_find(postbox, text("kiln-2")));
}

static void unheard_session_ends(void **state)
{
    struct session_ref ref = begin()->ref;
    (void)state;
    speak(START_US + 61 * SECOND);
    assert_int_equal(left_count, 1);
    assert_null(postbox_resolve(postbox, ref));
}

static void newer_session_of_a_name_ends_the_older(void **state)
{
    struct session *older = begin();
    struct message message = hello();
    struct session_ref ref = older->ref;
    (void)state;
    struct session *newer =
        postbox_arrive(postbox, fake_request(2, PEER + 1, 1, 0, &message, 1), START_US);
    assert_int_equal(postbox_name(postbox, newer, text("kiln-2"), text("thief"), text("thief")),
                     TENDER_ECONFLICT);
    assert_int_equal(postbox_name(postbox, newer, text("kiln-2"), text("potter"), text("potter")),
                     0);
    assert_null(postbox_resolve(postbox, ref));
    assert_ptr_equal(postbox_find(postbox, text("kiln-2")), newer);
    assert_int_equal(fake_port.replies[0].messages[0].reason, TENDER_REASON_NAME_TAKEN);
    assert_int_equal(fake_port.replies[0].header.first, 0);
}

static void sessions_beyond_the_limit_are_refused_and_slots_come_back(void **state)
{
    struct message message = hello();
    (void)state;
    for (uint8_t i = 0; i < 5; i++) {
        postbox_arrive(postbox, fake_request(1, (uint8_t)(10 + i), 1, 0, &message, 1), START_US);
    }
    assert_int_equal(postbox_count(postbox), 4);
    assert_int_equal(fake_port.replies[0].messages[0].reason, TENDER_REASON_LIMIT_REACHED);
    postbox_clear(postbox);
    speak(START_US);
    assert_non_null(postbox_arrive(postbox, fake_request(1, 20, 1, 0, &message, 1), START_US));
}

static void long_outbox_goes_in_several_replies(void **state)
{
    struct postbox_options options = {FAKE_ALLOWANCE, .session_count = 4, .outbox_size = 1 << 24,
                                      .heartbeat_us = SECOND, .session_us = SECOND};
    struct session *session = begin();
    struct message message = inform(1);
    static uint8_t content[TENDER_CONTENT_MAX];
    (void)state;
    postbox_configure(postbox, &options);
    message_set(&message, CONTENT, content, ((tender_bytes){content, sizeof(content)}));
    for (int i = 0; i < 20; i++) {
        postbox_tell(postbox, session, &message);
    }
    speak(START_US);
    assert_int_equal(fake_port.reply_count, 1);
    assert_int_equal(fake_port.replies[0].count, 15); /* as many as a frame takes */
    arrive(1, 2, 15, NULL, 0, START_US);
    speak(START_US);
    assert_int_equal(fake_port.replies[1].count, 5);
    assert_int_equal(fake_port.replies[1].header.first, 16);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(unknown_session_is_told_so_without_a_number),
        TEST(hello_of_a_peer_that_heard_another_broker_begins_no_session),
        TEST(garbage_is_answered_and_makes_no_session),
        TEST(tells_are_numbered_and_answer_the_parked_exchange),
        TEST(doubled_messages_are_skipped),
        TEST(frame_behind_a_gap_waits_until_it_is_filled),
        TEST(gap_that_stays_open_costs_the_connection),
        TEST(crossing_on_one_connection_repeats_nothing),
        TEST(new_connection_gets_everything_unheard_again),
        TEST(messages_leave_only_by_the_newest_connection),
        TEST(newer_exchange_makes_the_older_answered),
        TEST(parked_exchange_is_answered_at_its_heartbeat),
        TEST(mute_postbox_only_keeps_connections_alive),
        TEST(heard_is_what_was_committed_and_is_said_before_long),
        TEST(reply_ends_with_what_is_held_for_who_wants_it_and_once),
        TEST(claim_to_have_heard_what_was_not_said_is_ignored),
        TEST(too_many_open_exchanges_cost_the_connection),
        TEST(peer_that_fetches_nothing_loses_its_session),
        TEST(unheard_session_ends),
        TEST(newer_session_of_a_name_ends_the_older),
        TEST(sessions_beyond_the_limit_are_refused_and_slots_come_back),
        TEST(long_outbox_goes_in_several_replies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
