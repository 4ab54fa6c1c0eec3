/*
 * Goal: what a peer was told is held goes with its next hello, the newest of each shard; and where
 * the broker's ledger holds less, the program learns which of its tasks and commitments are lost.
 * Method: a scripted broker (stage.h), which forgets the session and says so.
 */
#include "stage.h"

#include <string.h>

#include "tender/client.h"

/* Shard, reign, mark 7 and batch, each below 256. */
static void make_receipt(uint8_t receipt_out[WIRE_RECEIPT_SIZE], uint8_t shard, uint8_t reign,
                         uint8_t batch)
{
    memset(receipt_out, 0, WIRE_RECEIPT_SIZE);
    receipt_out[1] = shard;
    receipt_out[5] = reign;
    receipt_out[9] = 7;
    receipt_out[17] = batch;
}

/* The broker says receipts of shard 0 and, with a batch above 0, of shard 3. */
static void say_receipts(uint8_t reign, uint8_t batch, uint8_t batch_of_three)
{
    make_receipt(broker.receipts, 0, reign, batch);
    make_receipt(broker.receipts + WIRE_RECEIPT_SIZE, 3, 1, batch_of_three);
    broker.receipts_size = (batch_of_three > 0 ? 2 : 1) * WIRE_RECEIPT_SIZE;
    broker_say(&broker, NULL, 0);
    broker.receipts_size = 0;
}

static void assert_brought(const struct message *hello, uint8_t reign, uint8_t batch,
                           uint8_t batch_of_three)
{
    uint8_t expected[2 * WIRE_RECEIPT_SIZE];
    make_receipt(expected, 0, reign, batch);
    make_receipt(expected + WIRE_RECEIPT_SIZE, 3, 1, batch_of_three);
    assert_int_equal(hello->receipts.size, sizeof expected);
    assert_memory_equal(hello->receipts.data, expected, sizeof expected);
}

static void hello_brings_the_newest_receipt_of_each_shard(void **state)
{
    (void)state;
    struct message hello;
    tender_bytes none = {NULL, 0};
    broker_welcome_with(&broker, none, &hello);
    assert_true(message_has(&hello, MESSAGE_RECEIPTS)); /* it wants them, and has none */
    assert_int_equal(hello.receipts.size, 0);
    say_receipts(1, 9, 4);
    say_receipts(1, 8, 0); /* older: it crossed the other */
    broker_forget(&broker);
    broker_welcome_with(&broker, none, &hello);
    assert_brought(&hello, 1, 9, 4);
    say_receipts(2, 3, 0); /* of a newer reign, whose batches are fewer */
    broker_forget(&broker);
    broker_welcome_with(&broker, none, &hello);
    assert_brought(&hello, 2, 3, 4);
}

/* In a session that the broker has forgotten, with a ledger that holds less than it said. */
static void lose(struct message *hello_out)
{
    uint8_t held[WIRE_RECEIPT_SIZE];
    make_receipt(held, 0, 1, 5);
    broker_forget(&broker);
    broker_welcome_with(&broker, (tender_bytes){held, sizeof held}, hello_out);
}

static void commitment_that_is_lost_is_told_and_the_others_stand(void **state)
{
    (void)state;
    tender_commitment lost = win();
    struct message award = make_award(2, 2);
    broker_say(&broker, &award, 1);
    tender_commitment kept = next(TENDER_EVENT_ACCEPT_PROPOSAL)->accept_proposal.commitment;
    assert_quiet();
    (void)broker_hear(&broker, TENDER_ACKNOWLEDGE);
    (void)broker_hear(&broker, TENDER_ACKNOWLEDGE);
    say_receipts(1, 9, 4);
    struct message hello;
    lose(&hello);
    assert_int_equal(broker_hear(&broker, TENDER_OFFER)->slots, 2);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_LOSS);
    struct message answers[2] = {{.performative = TENDER_NOT_UNDERSTOOD},
                                 {.performative = TENDER_INFORM}};
    for (int i = 0; i < 2; i++) {
        const struct message *query = broker_hear(&broker, TENDER_QUERY);
        assert_int_equal(query->generation, i == 0 ? lost.generation : kept.generation);
        answers[i].conversation = query->conversation;
        message_set(&answers[i], PART, part, query->part);
        message_set(&answers[i], GENERATION, generation, query->generation);
    }
    message_set(&answers[0], REASON, reason, TENDER_REASON_UNKNOWN_TASK);
    message_set(&answers[1], STATE, state, TENDER_COMMITMENT_ACTIVE);
    broker_say(&broker, answers, 2);
    const tender_event *event = next(TENDER_EVENT_LOST);
    assert_true(tender_id_equal(event->lost.task, lost.task));
    assert_int_equal(event->lost.generation, lost.generation);
    assert_quiet();
    broker_forget(&broker);
    broker_welcome_with(&broker, (tender_bytes){NULL, 0}, &hello);
    assert_int_equal(hello.receipts.size, WIRE_RECEIPT_SIZE); /* of shard 3: 0 begins anew */
}

static void task_that_was_agreed_and_is_lost_is_told(void **state)
{
    (void)state;
    tender_client *client = NULL;
    const tender_client_event *event = NULL;
    connect_and_offer();
    assert_int_equal(tender_contractor_client(self, &client), 0);
    tender_task order = TENDER_TASK_INIT;
    order.key = "pot";
    order.skill = "fire-ceramics";
    order.ceiling_micro = 30;
    assert_int_equal(tender_announce(client, &order, NULL), 0);
    (void)broker_hear(&broker, TENDER_ANNOUNCE);
    struct message agree = {.performative = TENDER_AGREE, .conversation = task};
    message_set(&agree, KEY, key, ((tender_bytes){"pot", 3}));
    message_set(&agree, AT, at_us, INT64_C(1764500000000000));
    broker_say(&broker, &agree, 1);
    assert_int_equal(tender_client_next(client, 10000, &event), 1);
    assert_int_equal(event->kind, TENDER_CLIENT_AGREED);
    say_receipts(1, 9, 0);
    lose(NULL);
    (void)broker_hear(&broker, TENDER_OFFER);
    struct message refusal = {.performative = TENDER_REFUSE};
    refusal.conversation = broker_hear(&broker, TENDER_QUERY)->conversation;
    message_set(&refusal, REASON, reason, TENDER_REASON_UNKNOWN_TASK);
    broker_say(&broker, &refusal, 1);
    assert_int_equal(tender_client_next(client, 10000, &event), 1);
    assert_int_equal(event->kind, TENDER_CLIENT_CONTACT);
    assert_int_equal(event->contact.kind, TENDER_CONTACT_LOSS);
    assert_int_equal(tender_client_next(client, 10000, &event), 1);
    assert_int_equal(event->kind, TENDER_CLIENT_LOST);
    assert_true(tender_id_equal(event->lost, task));
    assert_int_equal(tender_client_next(client, 0, &event), 0);
    tender_client_close(client);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(hello_brings_the_newest_receipt_of_each_shard),
        TEST(commitment_that_is_lost_is_told_and_the_others_stand),
        TEST(task_that_was_agreed_and_is_lost_is_told),
    };
    return broker_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
