/*
 * Goal: a contractor of several brokers hears all of them through one handle and one descriptor,
 * has its slots divided among them, says each thing to the broker that it is about, and what one
 * did not hear before it went away to the other; it is asked nothing twice.
 * Method: two scripted brokers. How slots are divided: test_slots.c.
 */
#include "stage.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

static struct broker second;
static char urls[160];

static int open_two(uint32_t linger_ms)
{
    broker_open(&broker);
    broker_open(&second);
    (void)snprintf(urls, sizeof urls, "%s,%s", broker.url, second.url);
    tender_options options = options_of_test();
    options.broker_url = urls;
    options.slots = 4;
    options.linger_ms = linger_ms;
    int status = tender_contractor_open(&options, &self);
    return status == 0 ? tender_contractor_offer(self, "fire-ceramics") : status;
}

static int set_up_two(void **state)
{
    (void)state;
    return open_two(options_of_test().linger_ms);
}

/* Who lingers where nothing is awaited does not end before the test's time is over. */
static int set_up_patient(void **state)
{
    (void)state;
    return open_two(3600000);
}

static int tear_down_two(void **state)
{
    tender_contractor_close(self);
    self = NULL;
    broker_close(&second);
    return tear_down(state);
}

/* Hears offers, and agrees to each, until one has `slots`. */
static void await_slots(struct broker *one, int64_t slots)
{
    for (;;) {
        const struct message *offer = broker_hear(one, TENDER_OFFER);
        struct message agree = {.performative = TENDER_AGREE};
        int64_t said = offer->slots;
        message_set(&agree, AT, at_us, INT64_C(1764500000000000));
        broker_say(one, &agree, 1);
        if (said == slots) {
            return;
        }
    }
}

/* Both are there, with two slots each: nobody lacks one, so none moves. */
static void connect_both(void)
{
    broker_welcome(&broker);
    broker_welcome(&second);
    await_slots(&broker, 0);
    await_slots(&second, 0);
    await_slots(&broker, 2);
    await_slots(&second, 2);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_CONNECTED);
    assert_quiet(); /* of the second nothing: there is a broker already */
}

static struct message cfp_of(uint8_t last)
{
    struct message cfp = make_cfp(1);
    cfp.conversation.bytes[15] = last;
    return cfp;
}

static struct message award_of(uint8_t last)
{
    struct message award = make_award(1, 1);
    award.conversation.bytes[15] = last;
    return award;
}

/* Bids for a task of that broker, wins it and takes it. */
static tender_commitment win_of(struct broker *one, uint8_t last)
{
    struct message cfp = cfp_of(last);
    struct message award = award_of(last);
    broker_say(one, &cfp, 1);
    bid(&next(TENDER_EVENT_CFP)->cfp);
    assert_quiet();
    assert_int_equal(broker_hear(one, TENDER_PROPOSE)->conversation.bytes[15], last);
    broker_say(one, &award, 1);
    tender_commitment commitment = next(TENDER_EVENT_ACCEPT_PROPOSAL)->accept_proposal.commitment;
    assert_quiet();
    assert_int_equal(broker_hear(one, TENDER_ACKNOWLEDGE)->conversation.bytes[15], last);
    return commitment;
}

static void each_broker_hears_what_is_its_own(void **state)
{
    (void)state;
    tender_bytes none = {NULL, 0};
    connect_both();
    tender_commitment left = win_of(&broker, 1);
    tender_commitment right = win_of(&second, 2);
    assert_int_equal(tender_inform_done(self, right, 40, none), 0);
    assert_int_equal(tender_inform_done(self, left, 40, none), 0);
    assert_quiet();
    assert_int_equal(broker_hear(&second, TENDER_INFORM_DONE)->conversation.bytes[15], 2);
    assert_int_equal(broker_hear(&broker, TENDER_INFORM_DONE)->conversation.bytes[15], 1);
}

static void one_descriptor_tells_of_all(void **state)
{
    (void)state;
    connect_both();
    struct pollfd poller = {.fd = tender_contractor_fd(self), .events = POLLIN};
    assert_int_equal(poll(&poller, 1, 0), 0);
    struct message cfp = cfp_of(2);
    broker_say(&second, &cfp, 1);
    assert_int_equal(poll(&poller, 1, 10000), 1);
    (void)next(TENDER_EVENT_CFP);
    assert_quiet();
    assert_int_equal(poll(&poller, 1, 0), 0);
    tender_contractor_stop(self);
    assert_int_equal(poll(&poller, 1, 10000), 1);
    const tender_event *event;
    assert_int_equal(tender_contractor_next(self, -1, &event), TENDER_ECLOSED);
}

static void report_that_was_not_heard_goes_to_who_takes_over(void **state)
{
    (void)state;
    connect_both();
    tender_commitment commitment = win_of(&broker, 1);
    broker_say(&broker, NULL, 0); /* that it was taken, is heard */
    (void)broker_listen(&broker, 1000);
    broker.is_deaf = true;
    assert_int_equal(tender_inform_done(self, commitment, 40, (tender_bytes){"pots", 4}), 0);
    assert_quiet();
    (void)broker_hear(&broker, TENDER_INFORM_DONE); /* and dies before it is recorded */
    broker_vanish(&broker);
    const struct message *done = broker_hear(&second, TENDER_INFORM_DONE);
    assert_int_equal(done->conversation.bytes[15], 1);
    assert_memory_equal(done->content.data, "pots", 4);
    struct message elsewhere = {.performative = TENDER_NOT_UNDERSTOOD,
                                .conversation = done->conversation};
    message_set(&elsewhere, REASON, reason, TENDER_REASON_ELSEWHERE);
    message_set(&elsewhere, PART, part, 0);
    message_set(&elsewhere, GENERATION, generation, 1);
    broker_say(&second, &elsewhere, 1); /* nobody has taken over yet */
    broker_forget(&second);             /* now it has, and begins anew with it */
    broker_welcome(&second);
    await_slots(&second, 2);
    struct message settled = {.performative = TENDER_INFORM};
    settled.conversation = broker_hear(&second, TENDER_INFORM_DONE)->conversation;
    message_set(&settled, PART, part, 0);
    message_set(&settled, GENERATION, generation, 1);
    message_set(&settled, STATE, state, TENDER_COMMITMENT_FULFILLED);
    broker_say(&second, &settled, 1);
    assert_int_equal(next(TENDER_EVENT_INFORM)->inform.state, TENDER_COMMITMENT_FULFILLED);
}

/* The next message that is no offer. */
static void hear_past_offers(struct broker *one, tender_performative performative)
{
    for (;;) {
        while (one->heard_start == one->heard_end) {
            assert_true(broker_listen(one, 10000) > 0);
        }
        if (one->heard[one->heard_start].performative != TENDER_OFFER) {
            break;
        }
        (void)broker_hear(one, TENDER_OFFER);
    }
    (void)broker_hear(one, performative);
}

/* What the first broker awarded is done; it takes the report, and does not hear it. */
static void report_to_a_deaf_broker(void)
{
    connect_both();
    tender_commitment commitment = win_of(&broker, 1);
    broker_say(&broker, NULL, 0);
    (void)broker_listen(&broker, 1000);
    broker.is_deaf = true;
    assert_int_equal(tender_inform_done(self, commitment, 40, (tender_bytes){"pots", 4}), 0);
    assert_quiet();
    (void)broker_hear(&broker, TENDER_INFORM_DONE);
}

static void what_is_left_over_again_and_again_is_said_once_to_each(void **state)
{
    (void)state;
    report_to_a_deaf_broker();
    second.is_deaf = true;
    broker_vanish(&broker);
    hear_past_offers(&second, TENDER_INFORM_DONE);
    for (int i = 0; i < 2; i++) {
        broker_say(&second, NULL, 0); /* it answers, and has not heard that */
        broker_forget(&second);
        broker_welcome(&second);
        hear_past_offers(&second, TENDER_INFORM_DONE);
    }
    struct message cfp = cfp_of(2);
    broker_say(&second, &cfp, 1);
    bid(&next(TENDER_EVENT_CFP)->cfp);
    assert_quiet();
    hear_past_offers(&second, TENDER_PROPOSE); /* and no report before it */
}

static void report_that_is_never_heard_goes_to_the_others(void **state)
{
    (void)state;
    report_to_a_deaf_broker();
    broker_say(&broker, NULL, 0); /* it answers, and nothing is recorded */
    assert_int_equal(broker_hear(&second, TENDER_INFORM_DONE)->conversation.bytes[15], 1);
}

static void bid_that_is_answered_elsewhere_stands_no_more(void **state)
{
    (void)state;
    connect_both();
    struct message cfp = cfp_of(1);
    broker_say(&broker, &cfp, 1);
    bid(&next(TENDER_EVENT_CFP)->cfp);
    assert_quiet();
    struct message elsewhere = {.performative = TENDER_NOT_UNDERSTOOD};
    elsewhere.conversation = broker_hear(&broker, TENDER_PROPOSE)->conversation;
    message_set(&elsewhere, REASON, reason, TENDER_REASON_ELSEWHERE);
    message_set(&elsewhere, ROUND, round, 1);
    broker_say(&broker, &elsewhere, 1);
    broker_say(&broker, &cfp, 1); /* it has the task again, and nobody's bid */
    bid(&next(TENDER_EVENT_CFP)->cfp);
    assert_quiet();
    (void)broker_hear(&broker, TENDER_PROPOSE);
}

static void award_that_who_takes_over_tells_again_is_not_handed_out_twice(void **state)
{
    (void)state;
    connect_both();
    (void)win_of(&broker, 1);
    struct message award = award_of(1);
    broker_say(&second, &award, 1);
    struct message cfp = cfp_of(2);
    broker_say(&second, &cfp, 1);
    assert_int_equal(next(TENDER_EVENT_CFP)->cfp.task.bytes[15], 2);
    assert_int_equal(broker_hear(&second, TENDER_ACKNOWLEDGE)->conversation.bytes[15], 1);
}

/* What the broker says that it holds: shards [count], each in that reign. */
static void hold(struct broker *one, const uint8_t *shards, size_t count, uint8_t reign)
{
    memset(one->receipts, 0, sizeof one->receipts);
    one->receipts_size = count * WIRE_RECEIPT_SIZE;
    for (size_t i = 0; i < count; i++) {
        one->receipts[i * WIRE_RECEIPT_SIZE + 1] = shards[i];
        one->receipts[i * WIRE_RECEIPT_SIZE + 5] = reign;
    }
}

static void slots_of_one_that_began_anew_wait_until_who_has_its_shards_is_heard(void **state)
{
    (void)state;
    hold(&broker, (const uint8_t[]){0, 1}, 2, 1);
    hold(&second, (const uint8_t[]){2}, 1, 1);
    connect_both();
    broker_forget(&broker); /* it gives shard 1, */
    hold(&broker, (const uint8_t[]){0}, 1, 2);
    broker_welcome(&broker);
    assert_int_equal(broker_hear(&broker, TENDER_OFFER)->slots, 0);
    broker_forget(&second); /* and the second takes it, with an award that was never told */
    hold(&second, (const uint8_t[]){1, 2}, 2, 2);
    broker_welcome(&second);
    assert_int_equal(broker_hear(&second, TENDER_OFFER)->slots, 0);
    struct message award = award_of(1);
    struct message agree = {.performative = TENDER_AGREE};
    message_set(&agree, AT, at_us, INT64_C(1764500000000000));
    broker_say(&broker, &agree, 1);
    broker_say(&second, &award, 1);
    (void)next(TENDER_EVENT_ACCEPT_PROPOSAL);
    assert_quiet();
    (void)broker_hear(&second, TENDER_ACKNOWLEDGE);
    broker_say(&second, &agree, 1);
    await_slots(&broker, 2);
    await_slots(&second, 2); /* one of them for the award */
}

static void who_refuses_is_not_counted_as_a_broker_that_is_there(void **state)
{
    (void)state;
    connect_both();
    struct message refusal = {.performative = TENDER_REFUSE};
    message_set(&refusal, REASON, reason, TENDER_REASON_NAME_TAKEN);
    broker_end(&broker, &refusal);
    struct pollfd poller = {.fd = tender_contractor_fd(self), .events = POLLIN};
    assert_int_equal(poll(&poller, 1, 10000), 1);
    assert_quiet(); /* the second goes on */
    broker_vanish(&second);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_LOST);
}

static void close_waits_for_no_broker_that_was_only_told_who_is_there(void **state)
{
    (void)state;
    broker_welcome(&broker); /* the second stands by, and hears nothing */
    await_slots(&broker, 4);
    tender_contractor_close(self);
    self = NULL;
}

static void broker_that_is_full_is_asked_again_while_the_other_serves(void **state)
{
    (void)state;
    refuse_room(&broker, TENDER_REFUSE);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_FULL);
    broker_welcome(&second);
    assert_int_equal(next(TENDER_EVENT_CONTACT)->contact.kind, TENDER_CONTACT_CONNECTED);
    await_slots(&second, 4); /* all of them: the other takes no work */
    broker_welcome(&broker);
    await_slots(&broker, 0);
    assert_quiet();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_two, tear_down_two)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_broker_hears_what_is_its_own),
        TEST(one_descriptor_tells_of_all),
        TEST(report_that_was_not_heard_goes_to_who_takes_over),
        TEST(what_is_left_over_again_and_again_is_said_once_to_each),
        TEST(report_that_is_never_heard_goes_to_the_others),
        TEST(bid_that_is_answered_elsewhere_stands_no_more),
        TEST(award_that_who_takes_over_tells_again_is_not_handed_out_twice),
        TEST(slots_of_one_that_began_anew_wait_until_who_has_its_shards_is_heard),
        TEST(who_refuses_is_not_counted_as_a_broker_that_is_there),
        TEST(broker_that_is_full_is_asked_again_while_the_other_serves),
        cmocka_unit_test_setup_teardown(close_waits_for_no_broker_that_was_only_told_who_is_there,
                                        set_up_patient, tear_down_two),
    };
    return broker_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
