/*
 * Goal: a connection is heard for the session that it has proved, and for no other. Method: the
 * postbox over a port without sockets, with requests that bring a proof, none, or another's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "fake_port.h"
#include "postbox.h"

#define START_US INT64_C(1000000000)
#define KILN     7
#define OTHER    8

static struct postbox *postbox;

static int set_up(void **state)
{
    (void)state;
    struct postbox_options options = {.session_count = 16,
                                      .outbox_size = 1 << 20,
                                      .heartbeat_us = 5000000,
                                      .session_us = 60000000,
                                      FAKE_ALLOWANCE};
    fake_port_reset();
    return postbox_open(&options, &postbox);
}

static int tear_down(void **state)
{
    (void)state;
    postbox_close(postbox);
    return 0;
}

static struct message hello_of(const char *name)
{
    struct message hello = {.performative = TENDER_HELLO};
    tender_bytes bytes = {name, strlen(name)};
    message_set(&hello, NAME, name, bytes);
    message_set(&hello, PRINCIPAL, principal, bytes);
    message_set(&hello, HEARTBEAT, heartbeat_us, 5000000);
    return hello;
}

static struct session *say(uint32_t pipe, uint8_t session, const char *name)
{
    struct message hello = hello_of(name);
    return postbox_arrive(postbox, fake_request(pipe, session, 1, 0, &hello, 1), START_US);
}

/* The last reply is a challenge by the broker's key. */
static void assert_challenged(uint32_t replies)
{
    assert_int_equal(fake_port.reply_count, replies);
    const struct wire_header *header = &fake_port.replies[replies - 1].header;
    assert_int_equal(header->first, 0);
    assert_int_equal(header->count, 0);
    assert_true(header->has_tail);
    assert_int_equal(header->tail.size, PROOF_CHALLENGE_SIZE);
}

static void hello_without_a_proof_is_challenged(void **state)
{
    (void)state;
    fake_port.is_silent = true;
    assert_null(say(1, KILN, "kiln"));
    assert_challenged(1);
    assert_int_equal(fake_port.fault_count, 1);
    assert_int_equal(postbox_count(postbox), 0);
    fake_port.is_silent = false;
    struct session *session = say(1, KILN, "kiln");
    assert_non_null(session);
    assert_memory_equal(session->key, tender_key_public(fake_peer_key()), TENDER_PUBLIC_KEY_SIZE);
}

static void proved_connection_needs_no_further_proof(void **state)
{
    (void)state;
    struct session *session = say(1, KILN, "kiln");
    fake_port.is_silent = true;
    assert_ptr_equal(postbox_arrive(postbox, fake_request(1, KILN, 2, 0, NULL, 0), START_US),
                     session);
    assert_int_equal(fake_port.reply_count, 0);
}

static void another_connection_of_the_session_is_challenged_until_it_proves(void **state)
{
    (void)state;
    struct session *session = say(1, KILN, "kiln");
    fake_port.is_silent = true;
    assert_null(postbox_arrive(postbox, fake_request(2, KILN, 2, 0, NULL, 0), START_US));
    assert_challenged(1);
    fake_port.is_silent = false;
    assert_ptr_equal(postbox_arrive(postbox, fake_request(2, KILN, 2, 0, NULL, 0), START_US),
                     session);
    fake_port.is_silent = true; /* and the first one does not speak for it any more */
    assert_null(postbox_arrive(postbox, fake_request(1, KILN, 2, 0, NULL, 0), START_US));
    assert_challenged(2);
}

static void connection_speaks_for_the_session_that_it_proved_last_alone(void **state)
{
    (void)state;
    struct session *kiln = say(1, KILN, "kiln");
    struct session *other = say(1, OTHER, "other");
    assert_non_null(other);
    assert_int_equal(kiln->bound_pipe, 0);
    fake_port.is_silent = true;
    assert_null(postbox_arrive(postbox, fake_request(1, KILN, 2, 0, NULL, 0), START_US));
    assert_challenged(1);
}

static void proof_of_another_name_is_not_taken(void **state)
{
    (void)state;
    (void)say(1, OTHER, "other");
    struct message hello = hello_of("kiln");
    /* The proof that the port makes is for what the session said last: a stranger's. */
    struct exchange *exchange = fake_request(1, KILN, 1, 0, &hello, 1);
    uint8_t *bytes = nng_msg_body(exchange->message);
    size_t size = nng_msg_len(exchange->message);
    bytes[size - 1] ^= 1;
    assert_null(postbox_arrive(postbox, exchange, START_US));
    assert_challenged(1);
}

static void much_before_a_proof_loses_the_connection(void **state)
{
    (void)state;
    static uint8_t content[PROOF_FRAME_MAX];
    struct message announce = {.performative = TENDER_ANNOUNCE};
    tender_bytes bytes = {content, sizeof content};
    message_set(&announce, CONTENT, content, bytes);
    assert_null(postbox_arrive(postbox, fake_request(1, KILN, 1, 0, &announce, 1), START_US));
    assert_int_equal(fake_port.hung_up_count, 1);
    assert_int_equal(fake_port.reply_count, 0);
}

static void connection_that_is_gone_is_not_challenged(void **state)
{
    (void)state;
    fake_port.is_silent = true;
    fake_port.is_gone = true;
    assert_null(say(1, KILN, "kiln"));
    assert_int_equal(fake_port.reply_count, 0);
    assert_int_equal(fake_port.abandoned_count, 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(hello_without_a_proof_is_challenged),
        TEST(proved_connection_needs_no_further_proof),
        TEST(another_connection_of_the_session_is_challenged_until_it_proves),
        TEST(connection_speaks_for_the_session_that_it_proved_last_alone),
        TEST(proof_of_another_name_is_not_taken),
        TEST(much_before_a_proof_loses_the_connection),
        TEST(connection_that_is_gone_is_not_challenged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
