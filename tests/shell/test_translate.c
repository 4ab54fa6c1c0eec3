/*
 * Goal: what the book hears is whole; what it does not hear is answered with the field and its
 * range. Method: messages as the wire would hand them out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "edge/translate.h"

static struct translate_answer answer;

static struct message about_task(tender_performative performative)
{
    return (struct message){.performative = performative, .conversation = {{1, 2, 3}}};
}

static struct message bid(void)
{
    struct message message = about_task(TENDER_PROPOSE);
    message_set(&message, ROUND, round, 1);
    message.present |= MESSAGE_BIT(MESSAGE_DIGEST);
    message_set(&message, COST, cost_micro, 12000000);
    message_set(&message, ETA, eta_us, 1000);
    return message;
}

static struct message failure(void)
{
    struct message message = about_task(TENDER_FAILURE);
    message_set(&message, PART, part, 0);
    message_set(&message, GENERATION, generation, 2);
    message_set(&message, UNITS_DONE, units_done, 28);
    message_set(&message, REASON, reason, TENDER_REASON_QUALITY_CHECK);
    return message;
}

static void spoil(struct message *message, enum message_field field, tender_reason reason)
{
    message->present &= ~MESSAGE_BIT(field);
    message->faulty |= MESSAGE_BIT(field);
    if (message->fault == 0) {
        message->fault = field;
        message->fault_reason = reason;
    }
}

static void assert_answer(struct message *message, tender_reason reason, const char *field)
{
    assert_int_equal(translate_check(message, 9, &answer), TRANSLATE_ANSWER);
    assert_int_equal(answer.message.performative, TENDER_NOT_UNDERSTOOD);
    assert_int_equal(answer.message.reason, reason);
    assert_int_equal(answer.message.number, 9);
    assert_memory_equal(answer.message.conversation.bytes, message->conversation.bytes, 16);
    if (field != NULL) {
        assert_int_equal(answer.message.field.size, strlen(field));
        assert_memory_equal(answer.message.field.data, field, strlen(field));
    }
}

static void good_messages_are_heard(void **state)
{
    struct message message = bid();
    (void)state;
    assert_int_equal(translate_check(&message, 9, &answer), TRANSLATE_HEAR);
    message = failure();
    assert_int_equal(translate_check(&message, 9, &answer), TRANSLATE_HEAR);
}

static void B5_bad_bid_is_heard_with_its_fault(void **state)
{
    struct message message = bid();
    (void)state;
    spoil(&message, MESSAGE_COST, TENDER_REASON_OUT_OF_RANGE);
    assert_int_equal(translate_check(&message, 9, &answer), TRANSLATE_HEAR);
    assert_int_equal(message.fault, MESSAGE_COST);
    assert_int_equal(message.fault_reason, TENDER_REASON_OUT_OF_RANGE);
    message = bid();
    spoil(&message, MESSAGE_TEXT, TENDER_REASON_MALFORMED);
    spoil(&message, MESSAGE_ETA, TENDER_REASON_OUT_OF_RANGE);
    assert_int_equal(translate_check(&message, 9, &answer), TRANSLATE_HEAR);
    assert_int_equal(message.fault, MESSAGE_ETA);
    message = bid();
    message.present &= ~MESSAGE_BIT(MESSAGE_COST);
    assert_int_equal(translate_check(&message, 9, &answer), TRANSLATE_HEAR);
    assert_int_equal(message.fault, MESSAGE_COST);
    assert_int_equal(message.fault_reason, TENDER_REASON_MALFORMED);
}

static void bid_on_nothing_is_not_understood(void **state)
{
    struct message message = bid();
    (void)state;
    message.present &= ~MESSAGE_BIT(MESSAGE_ROUND);
    assert_answer(&message, TENDER_REASON_MALFORMED, "round");
    message = bid();
    spoil(&message, MESSAGE_COST, TENDER_REASON_OUT_OF_RANGE);
    spoil(&message, MESSAGE_DIGEST, TENDER_REASON_MALFORMED);
    assert_answer(&message, TENDER_REASON_MALFORMED, "digest");
    message = bid();
    memset(&message.conversation, 0, sizeof(message.conversation));
    assert_answer(&message, TENDER_REASON_MALFORMED, "conversation");
}

static void L9_report_with_a_bad_text_still_counts(void **state)
{
    struct message message = failure();
    (void)state;
    spoil(&message, MESSAGE_TEXT, TENDER_REASON_MALFORMED);
    assert_int_equal(translate_check(&message, 9, &answer), TRANSLATE_HEAR);
    assert_int_equal(message.fault, 0);
    assert_false(message_has(&message, MESSAGE_TEXT));
}

static void faults_name_field_and_range(void **state)
{
    struct message message = about_task(TENDER_ANNOUNCE);
    (void)state;
    memset(&message.conversation, 0, sizeof(message.conversation));
    message_set(&message, KEY, key, ((tender_bytes){"k", 1}));
    spoil(&message, MESSAGE_PRIORITY, TENDER_REASON_OUT_OF_RANGE);
    assert_answer(&message, TENDER_REASON_OUT_OF_RANGE, "priority");
    assert_non_null(strstr(answer.text, "from 0 to 9"));
    assert_int_equal(answer.message.key.size, 1);
    message = failure();
    message.present &= ~MESSAGE_BIT(MESSAGE_UNITS_DONE);
    assert_answer(&message, TENDER_REASON_MALFORMED, "units_done");
    assert_non_null(strstr(answer.text, "is missing"));
    assert_int_equal(answer.message.generation, 2);
}

static void fault_in_a_field_that_nobody_asked_for_is_ignored(void **state)
{
    struct message message = bid();
    (void)state;
    spoil(&message, MESSAGE_PRIORITY, TENDER_REASON_OUT_OF_RANGE);
    assert_int_equal(translate_check(&message, 9, &answer), TRANSLATE_HEAR);
    assert_int_equal(message.fault, 0);
}

static void words_that_peers_do_not_say_are_answered(void **state)
{
    struct message message = about_task(TENDER_ACCEPT_PROPOSAL);
    (void)state;
    assert_answer(&message, TENDER_REASON_UNKNOWN_PERFORMATIVE, NULL);
    message.performative = (tender_performative)77;
    assert_answer(&message, TENDER_REASON_UNKNOWN_PERFORMATIVE, NULL);
    message.performative = TENDER_NOT_UNDERSTOOD;
    assert_int_equal(translate_check(&message, 9, &answer), TRANSLATE_SKIP);
    message.performative = TENDER_BYE;
    assert_int_equal(translate_check(&message, 9, &answer), TRANSLATE_LEAVE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_messages_are_heard),
        cmocka_unit_test(B5_bad_bid_is_heard_with_its_fault),
        cmocka_unit_test(bid_on_nothing_is_not_understood),
        cmocka_unit_test(L9_report_with_a_bad_text_still_counts),
        cmocka_unit_test(faults_name_field_and_range),
        cmocka_unit_test(fault_in_a_field_that_nobody_asked_for_is_ignored),
        cmocka_unit_test(words_that_peers_do_not_say_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
