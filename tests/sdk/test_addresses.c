/*
 * Goal: a client that is given several addresses finds the broker that answers, follows when
 * another one does, and says there what was not heard or is not answered. Contractors:
 * test_fleet.c. Method: two scripted brokers, of which one sends the client to the other or goes
 * away.
 */
#include "stage.h"

#include <stdio.h>
#include <string.h>

#include "tender/client.h"

static struct broker second;
static char urls[160];
static tender_client *client;

static const tender_client_event *next_of_client(tender_client_event_kind kind)
{
    const tender_client_event *event = NULL;
    do {
        assert_int_equal(tender_client_next(client, 10000, &event), 1);
    } while (event->kind == TENDER_CLIENT_CONTACT && kind != TENDER_CLIENT_CONTACT);
    assert_int_equal(event->kind, kind);
    return event;
}

/* A client: it has one session, which moves. */
static int set_up_two(void **state)
{
    (void)state;
    broker_open(&broker);
    broker_open(&second);
    second.is_forgetful = true; /* it knows no session of the first's */
    (void)snprintf(urls, sizeof urls, "%s,%s", broker.url, second.url);
    tender_options options = options_of_test();
    options.broker_url = urls;
    return tender_client_open(&options, &client);
}

static int tear_down_two(void **state)
{
    tender_client_close(client);
    client = NULL;
    broker_close(&second);
    return tear_down(state);
}

/* Only contacts are told until the last one is that. */
static void await_connected(void)
{
    while (next_of_client(TENDER_CLIENT_CONTACT)->contact.kind != TENDER_CONTACT_CONNECTED) {
    }
}

/* The end of a session: another broker answers, at `address` where that is not NULL. */
static void send_elsewhere(struct broker *one, const char *address)
{
    struct message refusal = {.performative = TENDER_REFUSE};
    message_set(&refusal, REASON, reason, TENDER_REASON_ELSEWHERE);
    if (address != NULL) {
        message_set(&refusal, ADDRESS, address, ((tender_bytes){address, strlen(address)}));
    }
    broker_end(one, &refusal);
}

static void broker_that_stands_by_sends_to_the_one_that_answers(void **state)
{
    (void)state;
    char address[160];
    (void)broker_hear(&broker, TENDER_HELLO);
    (void)snprintf(address, sizeof address, "ipc:///nowhere %s", second.url);
    send_elsewhere(&broker, address);
    broker_welcome(&second);
    await_connected();
    assert_int_equal(broker.connection_count, 1);
}

static void broker_that_knows_nobody_is_left_for_the_next(void **state)
{
    (void)state;
    (void)broker_hear(&broker, TENDER_HELLO);
    send_elsewhere(&broker, NULL);
    broker_welcome(&second);
    await_connected();
}

static void address_that_was_not_given_is_followed_too(void **state)
{
    (void)state;
    tender_client_close(client);
    tender_options options = options_of_test();
    broker_close(&broker);
    broker_open(&broker);
    options.broker_url = broker.url;
    assert_int_equal(tender_client_open(&options, &client), 0);
    (void)broker_hear(&broker, TENDER_HELLO);
    send_elsewhere(&broker, second.url);
    broker_welcome(&second);
    await_connected();
}

static void announce(void)
{
    tender_task order = TENDER_TASK_INIT;
    order.key = "pot";
    order.skill = "fire-ceramics";
    order.ceiling_micro = 30;
    assert_int_equal(tender_announce(client, &order, NULL), 0);
}

/* The first is connected, and does not record what it is told. */
static void announce_to_the_deaf(void)
{
    broker_welcome(&broker);
    await_connected();
    broker.is_deaf = true;
    announce();
    (void)broker_hear(&broker, TENDER_ANNOUNCE);
}

/* The second hears the announcement once, and agrees. */
static void agree_second(void)
{
    broker_welcome(&second);
    const struct message *again = broker_hear(&second, TENDER_ANNOUNCE);
    assert_memory_equal(again->key.data, "pot", 3);
    struct message agree = {.performative = TENDER_AGREE, .conversation = task};
    message_set(&agree, KEY, key, ((tender_bytes){"pot", 3}));
    broker_say(&second, &agree, 1);
    (void)next_of_client(TENDER_CLIENT_AGREED); /* and nothing of a refusal */
}

static void announcement_that_was_not_heard_is_said_to_who_takes_over(void **state)
{
    (void)state;
    announce_to_the_deaf();
    broker_vanish(&broker);
    agree_second();
}

/* As one that is parted from its database: it answers, and nothing is recorded. */
static void announcement_that_is_never_heard_is_said_to_the_next(void **state)
{
    (void)state;
    announce_to_the_deaf();
    broker_say(&broker, NULL, 0);
    agree_second();
    assert_int_equal(broker.connection_count, 1);
}

static void broker_that_gives_up_is_left_within_its_session(void **state)
{
    (void)state;
    broker_welcome(&broker);
    await_connected();
    struct message bye = {.performative = TENDER_BYE};
    message_set(&bye, REASON, reason, TENDER_REASON_ELSEWHERE);
    message_set(&bye, ADDRESS, address, ((tender_bytes){second.url, strlen(second.url)}));
    broker_say(&broker, &bye, 1);
    broker_welcome(&second);
    await_connected();
}

static void announcement_that_was_refused_elsewhere_is_said_there(void **state)
{
    (void)state;
    broker_welcome(&broker);
    await_connected();
    announce();
    (void)broker_hear(&broker, TENDER_ANNOUNCE);
    struct message refusal = {.performative = TENDER_REFUSE};
    message_set(&refusal, REASON, reason, TENDER_REASON_ELSEWHERE);
    message_set(&refusal, KEY, key, ((tender_bytes){"pot", 3}));
    message_set(&refusal, ADDRESS, address, ((tender_bytes){second.url, strlen(second.url)}));
    broker_say(&broker, &refusal, 1);
    agree_second();
}

static bool has_left(struct broker *one)
{
    (void)broker_listen(one, 50);
    return one->connection < 0;
}

/* nng 1.5 would not bear a reply that arrives while its connection is closed: see channel.h. */
static void connection_that_is_left_stays_until_it_has_answered(void **state)
{
    (void)state;
    const tender_client_event *event = NULL;
    broker.is_patient = true;
    broker_welcome(&broker);
    await_connected();
    assert_int_equal(tender_client_next(client, 0, &event), 0);
    while (broker.open_count < 1) { /* the request that parks */
        assert_true(broker_listen(&broker, 10000) > 0);
    }
    announce();
    (void)broker_hear(&broker, TENDER_ANNOUNCE);
    assert_int_equal(broker.open_count, 2);
    send_elsewhere(&broker, second.url);
    agree_second();
    assert_false(has_left(&broker));
    broker_say(&broker, NULL, 0);
    for (int i = 0; i < 200 && !has_left(&broker); i++) {
    }
    assert_true(broker.connection < 0);
    assert_int_equal(broker.connection_count, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_two, tear_down_two)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(broker_that_stands_by_sends_to_the_one_that_answers),
        TEST(broker_that_knows_nobody_is_left_for_the_next),
        TEST(address_that_was_not_given_is_followed_too),
        TEST(announcement_that_was_not_heard_is_said_to_who_takes_over),
        TEST(announcement_that_is_never_heard_is_said_to_the_next),
        TEST(broker_that_gives_up_is_left_within_its_session),
        TEST(announcement_that_was_refused_elsewhere_is_said_there),
        TEST(connection_that_is_left_stays_until_it_has_answered),
    };
    return broker_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
