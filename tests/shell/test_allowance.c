/*
 * Goal: what one peer may cost is bounded, in rate, in what waits and in what it was told, and no
 * other peer pays for it. Method: requests are made by hand and given to a postbox over a fake
 * port.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "fake_port.h"
#include "postbox.h"
#include "refusals.h"

#define SECOND   INT64_C(1000000)
#define START_US (1000 * SECOND)

static struct postbox *postbox;
static uint32_t left_count;

static struct postbox_options allowed(void)
{
    return (struct postbox_options){.key = fake_port_key(),
                                    .session_count = 16,
                                    .principal_count = 2,
                                    .messages_per_s = 100,
                                    .bytes_per_s = 1 << 20,
                                    .outbox_size = 10000,
                                    .outbox_us = 5 * SECOND,
                                    .outboxes_size = 1 << 20,
                                    .waiting_size = 3 << 20,
                                    .heartbeat_us = 5 * SECOND,
                                    .session_us = 60 * SECOND};
}

static int set_up(void **state)
{
    struct postbox_options options = allowed();
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

/* An answer, of `size` bytes and some. */
static struct message filler(size_t size)
{
    static uint8_t content[TENDER_CONTENT_MAX];
    struct message message = {.performative = TENDER_INFORM};
    message_set(&message, CONTENT, content, ((tender_bytes){content, size}));
    return message;
}

static struct session *arrive(uint8_t peer, uint64_t first, uint64_t heard,
                              const struct message *messages, uint32_t count, int64_t at_us)
{
    return postbox_arrive(postbox, fake_request(peer, peer, first, heard, messages, count), at_us);
}

/* A session that has said hello, which was heard; its exchange is parked. */
static struct session *begin_below(uint8_t peer, const char *principal, const char *root)
{
    char name[16];
    struct message hello = {.performative = TENDER_HELLO};
    snprintf(name, sizeof(name), "kiln-%u", peer);
    message_set(&hello, NAME, name, text(name));
    message_set(&hello, PRINCIPAL, principal, text(principal));
    struct session *session = arrive(peer, 1, 0, &hello, 1, START_US);
    assert_non_null(session);
    assert_int_equal(postbox_name(postbox, session, text(name), text(principal), text(root)), 0);
    session->taken = 1;
    session_shift(session);
    return session;
}

static struct session *begin(uint8_t peer, const char *principal)
{
    return begin_below(peer, principal, principal);
}

static void session_over_its_rate_waits_and_no_other(void **state)
{
    struct session *quick = begin(1, "potter");
    struct session *other = begin(2, "smith");
    static struct message many[120];
    (void)state;
    for (size_t i = 0; i < 120; i++) {
        many[i] = filler(1);
    }
    uint64_t met = refusals_met(REFUSAL_MESSAGES);
    arrive(1, 2, 0, many, 120, START_US);
    arrive(2, 2, 0, many, 1, START_US);
    assert_true(session_is_slowed(quick, START_US));
    assert_false(session_is_slowed(other, START_US));
    assert_int_equal(refusals_met(REFUSAL_MESSAGES), met + 1);
    postbox_tell(postbox, quick, &many[0]);
    postbox_tell(postbox, other, &many[0]);
    uint32_t replies = fake_port.reply_count;
    speak(START_US);
    for (uint32_t i = replies; i < fake_port.reply_count; i++) {
        assert_int_equal(fake_port.replies[i].exchange->pipe, 2); /* the other's alone */
    }
    assert_true(fake_port.reply_count > replies);
    assert_null(postbox_ready(postbox));
    assert_true(postbox_next(postbox) < START_US + SECOND); /* it said for 1.3 s, less a second */
    speak(START_US + SECOND);
    assert_false(session_is_slowed(quick, START_US + SECOND));
    assert_true(postbox_has_ready(postbox));
    assert_ptr_equal(postbox_ready(postbox), quick);
    assert_null(postbox_ready(postbox));
    assert_false(postbox_has_ready(postbox));
    assert_int_equal(fake_port.replies[fake_port.reply_count - 1].exchange->pipe, 1);
}

static void session_over_its_bytes_waits(void **state)
{
    struct session *session = begin(1, "potter");
    static struct message large[15];
    (void)state;
    for (size_t i = 0; i < 15; i++) {
        large[i] = filler(TENDER_CONTENT_MAX);
    }
    arrive(1, 2, 0, large, 15, START_US);
    assert_false(session_is_slowed(session, START_US));
    arrive(1, 17, 0, large, 15, START_US);
    assert_true(session_is_slowed(session, START_US));
    assert_false(session_is_slowed(session, START_US + SECOND));
}

static void peer_that_fetches_keeps_its_session_however_much_it_is_told(void **state)
{
    struct session *session = begin(1, "potter");
    struct message message = filler(6000);
    int64_t at_us = START_US;
    (void)state;
    for (uint64_t i = 0; i < 10; i++) {
        postbox_tell(postbox, session, &message);
        postbox_tell(postbox, session, &message);
        speak(at_us);
        at_us += 4 * SECOND;
        arrive(1, 2, i, NULL, 0, at_us); /* it fetches one, and falls behind */
        speak(at_us);
    }
    assert_int_equal(left_count, 0);
    for (int i = 0; i < 5; i++) {
        postbox_tell(postbox, session, &message);
    }
    speak(at_us); /* eight times its outbox */
    assert_int_equal(left_count, 1);
    assert_int_equal(fake_port.hung_up_count, 1);
}

static void full_outboxes_end_the_fullest_and_no_other(void **state)
{
    struct postbox_options options = allowed();
    struct session *full = begin(1, "potter");
    struct session *lean = begin(2, "smith");
    struct message message = filler(40000);
    struct message small = filler(10);
    (void)state;
    options.outbox_size = 1 << 20;
    options.outboxes_size = 100000;
    postbox_configure(postbox, &options);
    uint64_t met = refusals_met(REFUSAL_OUTBOXES);
    postbox_tell(postbox, lean, &small);
    postbox_tell(postbox, full, &message);
    speak(START_US);
    assert_int_equal(left_count, 0);
    postbox_tell(postbox, full, &message);
    postbox_tell(postbox, full, &message);
    postbox_tell(postbox, lean, &small);
    speak(START_US);
    assert_int_equal(left_count, 1);
    assert_int_equal(refusals_met(REFUSAL_OUTBOXES), met + 1);
    assert_null(postbox_find(postbox, text("kiln-1")));
    assert_ptr_equal(postbox_find(postbox, text("kiln-2")), lean);
}

static void no_more_is_under_way_than_one_reply_holds(void **state)
{
    struct postbox_options options = allowed();
    struct session *session = begin(1, "potter");
    struct message message = filler(TENDER_CONTENT_MAX);
    (void)state;
    options.outbox_size = 1 << 24;
    options.outboxes_size = 1 << 26;
    postbox_configure(postbox, &options);
    for (int i = 0; i < 20; i++) {
        postbox_tell(postbox, session, &message);
    }
    arrive(1, 2, 0, NULL, 0, START_US);
    speak(START_US);
    assert_int_equal(fake_port.reply_count, 1);
    assert_int_equal(fake_port.replies[0].count, 15);
    assert_int_equal(session->parked_count, 1); /* the rest waits until some of it is heard */
    arrive(1, 2, 15, NULL, 0, START_US);
    speak(START_US);
    assert_int_equal(fake_port.replies[1].count, 5);
}

static void frames_that_wait_are_bounded_in_bytes(void **state)
{
    static struct message large[15];
    (void)state;
    for (size_t i = 0; i < 15; i++) {
        large[i] = filler(TENDER_CONTENT_MAX);
    }
    begin(1, "potter");
    begin(2, "smith");
    arrive(1, 100, 0, large, 15, START_US); /* behind a gap: they wait */
    arrive(1, 200, 0, large, 15, START_US);
    speak(START_US);
    assert_int_equal(fake_port.hung_up_count, 0);
    arrive(1, 300, 0, large, 15, START_US);
    assert_int_equal(fake_port.hung_up_count, 1);
    assert_int_equal(fake_port.hung_up_pipe, 1);
    arrive(2, 100, 0, large, 15, START_US);
    speak(START_US);
    assert_int_equal(fake_port.hung_up_count, 1);
    arrive(2, 200, 0, large, 15, START_US); /* all together: too much */
    assert_int_equal(fake_port.hung_up_count, 2);
}

static void principal_has_as_many_sessions_as_it_may(void **state)
{
    (void)state;
    assert_true(postbox_has_place(postbox, text("potter")));
    struct session *first = begin(1, "potter");
    begin(2, "potter");
    assert_false(postbox_has_place(postbox, text("potter")));
    assert_true(postbox_has_place(postbox, text("smith")));
    postbox_end(postbox, first, NULL);
    assert_true(postbox_has_place(postbox, text("potter")));
}

static void siblings_have_as_many_sessions_together(void **state)
{
    (void)state;
    struct session *first = begin_below(1, "potter", "works");
    begin_below(2, "smith", "works");
    assert_false(postbox_has_place(postbox, text("works")));
    assert_true(postbox_has_place(postbox, text("potter")));
    postbox_end(postbox, first, NULL);
    assert_true(postbox_has_place(postbox, text("works")));
}

/* Sessions ask to be kept for ten hours, leave without a word, and could keep everybody out. */
static void sessions_that_are_gone_make_room_when_others_want_in(void **state)
{
    char name[16];
    struct message hello = {.performative = TENDER_HELLO};
    (void)state;
    message_set(&hello, NAME, name, text("newcomer"));
    message_set(&hello, PRINCIPAL, principal, text("newcomers"));
    for (uint8_t i = 1; i <= 16; i++) {
        snprintf(name, sizeof(name), "guild-%u", i);
        begin(i, name)->heartbeat_us = 3600 * SECOND;
    }
    speak(START_US);
    fake_port.open_pipe = 5;
    int64_t at_us = START_US + 9 * SECOND;
    assert_null(arrive(99, 1, 0, &hello, 1, at_us));
    speak(at_us);
    assert_int_equal(left_count, 0); /* they may come back yet */
    at_us += 2 * SECOND;
    arrive(6, 2, 0, NULL, 0, at_us); /* as this one does */
    assert_null(arrive(99, 1, 0, &hello, 1, at_us));
    speak(at_us);
    assert_int_equal(left_count, 14);
    assert_non_null(postbox_find(postbox, text("kiln-5")));
    assert_non_null(postbox_find(postbox, text("kiln-6")));
    assert_non_null(arrive(99, 1, 0, &hello, 1, at_us));
}

static void connection_is_vouched_for_while_its_session_lives(void **state)
{
    (void)state;
    struct message hello = {.performative = TENDER_HELLO};
    message_set(&hello, NAME, name, text("anybody"));
    message_set(&hello, PRINCIPAL, principal, text("potter"));
    arrive(8, 1, 0, &hello, 1, START_US);
    assert_int_equal(fake_port.proven_pipe, 0); /* anybody can say hello; it must be let in */
    begin(7, "potter");
    assert_int_equal(fake_port.proven_pipe, 7);
    assert_int_equal(fake_port.proven_for_us, 120 * SECOND); /* twice what a session is kept */
    fake_port.proven_pipe = 0;
    arrive(7, 2, 0, NULL, 0, START_US + SECOND);
    assert_int_equal(fake_port.proven_pipe, 0); /* once is enough for a while */
    speak(START_US + SECOND);
    arrive(7, 2, 0, NULL, 0, START_US + 60 * SECOND);
    assert_int_equal(fake_port.proven_pipe, 7);
}

static void requests_of_no_session_are_counted_as_faults(void **state)
{
    (void)state;
    arrive(3, 5, 0, NULL, 0, START_US);
    (void)postbox_arrive(postbox, fake_bytes(3, "\xc1", 1), START_US);
    assert_int_equal(fake_port.fault_count, 2);
    assert_int_equal(fake_port.proven_pipe, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(session_over_its_rate_waits_and_no_other),
        TEST(session_over_its_bytes_waits),
        TEST(peer_that_fetches_keeps_its_session_however_much_it_is_told),
        TEST(full_outboxes_end_the_fullest_and_no_other),
        TEST(no_more_is_under_way_than_one_reply_holds),
        TEST(frames_that_wait_are_bounded_in_bytes),
        TEST(principal_has_as_many_sessions_as_it_may),
        TEST(siblings_have_as_many_sessions_together),
        TEST(sessions_that_are_gone_make_room_when_others_want_in),
        TEST(connection_is_vouched_for_while_its_session_lives),
        TEST(requests_of_no_session_are_counted_as_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
