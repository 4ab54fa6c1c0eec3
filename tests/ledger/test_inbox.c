/*
 * Goal: a request written in SQL arrives as a message, once, and its answer is seen in SQL.
 * Method: tender.announce and its like by a connection apart, the ledger polled, an answer in a
 * batch.
 */
#include "support.h"

static void request_arrives_once_and_its_answer_is_seen(void **state)
{
    struct house *house = *state;
    long long request =
        atoll(sql("select tender.announce('acme', 'translate.de', 40, 30.5, '20 s', '1 h', "
                  "p_key => 'from sql', p_client => 'platform-1', p_partial => 'cover', "
                  "p_fallback => 'contractor:kiln-9', p_content => 'hello'::bytea)"));
    assert_int_equal(ledger_poll_inbox(house->ledger), 0);
    house_wait(house, house->requests == 1);
    const struct message *message = &house->request.message;
    assert_true(house->request.request == (uint64_t)request);
    assert_true(house->request.is_operator);
    assert_string_equal(house->request_text[0], "platform-1");
    assert_string_equal(house->request_text[1], "acme");
    assert_string_equal(house->request_text[2], "from sql");
    assert_string_equal(house->request_text[3], "translate.de");
    assert_int_equal(message->performative, TENDER_ANNOUNCE);
    assert_int_equal(message->fault, 0);
    assert_int_equal(message->units, 40);
    assert_int_equal(message->ceiling_micro, 30500000);
    assert_int_equal(message->window_us, 20000000);
    assert_int_equal(message->partial, TENDER_PARTIAL_COVER);
    assert_int_equal(message->fallback, TENDER_FALLBACK_CONTRACTOR);
    assert_int_equal(message->content.size, 5);
    assert_int_equal(ledger_poll_inbox(house->ledger), 0);
    assert_committed(house);
    assert_int_equal(house->requests, 1);

    struct message reply = {.performative = TENDER_AGREE, .conversation = next_task()};
    message_set(&reply, TASK_STATE, task_state, TENDER_TASK_OPEN);
    message_set(&reply, KEY, key, text("from sql"));
    assert_int_equal(ledger_answer(house->ledger, (uint64_t)request, &reply), 0);
    assert_committed(house);
    assert_sql("agree open from sql",
               "select concat_ws(' ', answer ->> 'performative', answer ->> 'task_state', "
               "answer ->> 'key') from tender.request where request = %lld",
               request);
    assert_int_equal(ledger_poll_inbox(house->ledger), 0);
    assert_committed(house);
    assert_int_equal(house->requests, 1);
}

static void unanswered_request_is_heard_again_by_the_next_broker(void **state)
{
    struct house *house = *state;
    (void)sql("select tender.fund('acme', 12.5)");
    assert_int_equal(ledger_poll_inbox(house->ledger), 0);
    house_wait(house, house->requests == 1);
    struct house next;
    house_open(&next, "next");
    assert_int_equal(ledger_poll_inbox(next.ledger), 0);
    house_wait(&next, next.requests == 1);
    assert_int_equal(next.request.message.performative, 0);
    assert_int_equal(next.request.amount_micro, 12500000);
    struct message reply = {.performative = TENDER_AGREE};
    assert_int_equal(ledger_answer(next.ledger, next.request.request, &reply), 0);
    assert_committed(&next);
    house_close(&next);
}

static void notification_saves_the_poll(void **state)
{
    struct house *house = *state;
    assert_committed(house);
    (void)sql("select tender.fund('acme', 1)");
    house_wait(house, house->requests == 1);
    struct message reply = {.performative = TENDER_AGREE};
    assert_int_equal(ledger_answer(house->ledger, house->request.request, &reply), 0);
    assert_committed(house);
}

static void field_that_is_wrong_is_the_fault_of_its_message(void **state)
{
    static const struct {
        const char *body;
        enum message_field field;
        tender_reason reason;
    } cases[] = {
        {"{\"units\": 0}", MESSAGE_UNITS, TENDER_REASON_OUT_OF_RANGE},
        {"{\"units\": \"ten\"}", MESSAGE_UNITS, TENDER_REASON_MALFORMED},
        {"{\"due_us\": 9223372036854775807}", MESSAGE_DUE, TENDER_REASON_OUT_OF_RANGE},
        {"{\"ceiling_micro\": 1.5}", MESSAGE_CEILING, TENDER_REASON_OUT_OF_RANGE},
        {"{\"skill\": \"No Skill\"}", MESSAGE_SKILL, TENDER_REASON_MALFORMED},
        {"{\"skills\": [\"gpu.a100\", null]}", MESSAGE_SKILLS, TENDER_REASON_MALFORMED},
        {"{\"partial\": \"half\"}", MESSAGE_PARTIAL, TENDER_REASON_OUT_OF_RANGE},
        {"{\"again\": \"x\"}", MESSAGE_AGAIN, TENDER_REASON_MALFORMED},
        {"{\"content\": \"%\"}", MESSAGE_CONTENT, TENDER_REASON_MALFORMED},
    };
    struct house *house = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int seen = house->requests;
        (void)sql("insert into tender_ledger.inbox (is_operator, kind, peer, principal, key, body) "
                  "values (false, 'announce', 'p', 'acme', gen_random_uuid(), $$%s$$)",
                  cases[i].body);
        assert_int_equal(ledger_poll_inbox(house->ledger), 0);
        house_wait(house, house->requests == seen + 1);
        assert_int_equal(house->request.message.fault, cases[i].field);
        assert_int_equal(house->request.message.fault_reason, cases[i].reason);
        assert_true(house->request.message.faulty == MESSAGE_BIT(cases[i].field));
        struct message reply = {.performative = TENDER_NOT_UNDERSTOOD};
        assert_int_equal(ledger_answer(house->ledger, house->request.request, &reply), 0);
    }
    assert_committed(house);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_house, end_house)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(request_arrives_once_and_its_answer_is_seen),
        TEST(unanswered_request_is_heard_again_by_the_next_broker),
        TEST(notification_saves_the_poll),
        TEST(field_that_is_wrong_is_the_fault_of_its_message),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
