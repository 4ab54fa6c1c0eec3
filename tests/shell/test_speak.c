/*
 * Goal: what can wait costs no exchange of its own, and waits no longer than was said. Method: a
 * session of a postbox over a fake port is told this and that, and its replies are read back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "fake_port.h"
#include "postbox.h"

#define SECOND   INT64_C(1000000)
#define START_US (1000 * SECOND)
#define PEER     7

static struct postbox *postbox;

static int set_up(void **state)
{
    struct postbox_options options = {FAKE_ALLOWANCE, .session_count = 4, .outbox_size = 4096,
                                      .heartbeat_us = 5 * SECOND, .session_us = 60 * SECOND};
    (void)state;
    fake_port_reset();
    return postbox_open(&options, &postbox);
}

static int tear_down(void **state)
{
    (void)state;
    postbox_close(postbox);
    return 0;
}

static void on_left(void *context, struct session *session)
{
    (void)context;
    (void)session;
    fail_msg("the session ended");
}

static void speak(int64_t at_us)
{
    (void)postbox_speak(postbox, at_us, UINT32_MAX, on_left, NULL);
}

static void arrive(uint32_t pipe, uint64_t first, uint64_t heard, int64_t at_us)
{
    assert_non_null(
        postbox_arrive(postbox, fake_request(pipe, PEER, first, heard, NULL, 0), at_us));
}

/* A session that has said hello by connection 1, whose exchange is parked. */
static struct session *begin(void)
{
    struct message hello = {.performative = TENDER_HELLO};
    tender_bytes name = {"kiln-2", 6};
    message_set(&hello, NAME, name, name);
    message_set(&hello, PRINCIPAL, principal, name);
    message_set(&hello, HEARTBEAT, heartbeat_us, SECOND);
    struct exchange *exchange = fake_request(1, PEER, 1, 0, &hello, 1);
    struct session *session = postbox_arrive(postbox, exchange, START_US);
    assert_non_null(session);
    assert_int_equal(postbox_name(postbox, session, name, name, name), 0);
    session->taken = 1;
    session_shift(session);
    return session;
}

/* A message that can be told apart by its number. */
static struct message inform(int64_t number)
{
    struct message message = {.performative = TENDER_INFORM};
    message_set(&message, NUMBER, number, number);
    return message;
}

static void tell_for_later(struct session *session, int64_t number)
{
    struct message message = inform(number);
    struct outgoing *outgoing = postbox_pack(postbox, &message);
    outgoing->can_wait = true;
    postbox_put(postbox, session, outgoing);
}

static void what_can_wait_leaves_with_what_cannot_and_alone_before_long(void **state)
{
    struct session *session = begin();
    struct message message = inform(12);
    (void)state;
    tell_for_later(session, 11);
    speak(START_US);
    assert_int_equal(fake_port.reply_count, 0);
    postbox_tell(postbox, session, &message);
    speak(START_US);
    assert_int_equal(fake_port.replies[0].count, 2);
    assert_int_equal(fake_port.replies[0].messages[0].number, 11);
    arrive(1, 2, 2, START_US);
    tell_for_later(session, 13);
    speak(START_US);
    assert_int_equal(fake_port.reply_count, 1);
    assert_in_range(postbox_next(postbox), START_US + SESSION_NEWS_DELAY_US,
                    START_US + 2 * SESSION_NEWS_DELAY_US);
    speak(postbox_next(postbox));
    assert_int_equal(fake_port.replies[1].messages[0].number, 13);
}

static void what_could_wait_is_repeated_at_once_and_wakes_nobody_while_mute(void **state)
{
    struct session *session = begin();
    (void)state;
    tell_for_later(session, 11);
    speak(START_US);
    speak(START_US + SECOND);
    assert_int_equal(fake_port.reply_count, 1);
    arrive(2, 2, 0, START_US + SECOND);
    speak(START_US + SECOND);
    assert_int_equal(fake_port.replies[1].messages[0].number, 11);
    arrive(2, 2, 1, START_US + SECOND);
    tell_for_later(session, 12);
    speak(START_US + SECOND);
    postbox_mute(postbox, true);
    speak(START_US + 2 * SECOND);
    assert_int_equal(fake_port.reply_count, 2);
    assert_true(postbox_next(postbox) > START_US + 3 * SECOND);
    postbox_mute(postbox, false);
    speak(START_US + 2 * SECOND);
    assert_int_equal(fake_port.replies[2].messages[0].number, 12);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_can_wait_leaves_with_what_cannot_and_alone_before_long),
        TEST(what_could_wait_is_repeated_at_once_and_wakes_nobody_while_mute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
