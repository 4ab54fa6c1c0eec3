/*
 * Goal: a contractor's journal says of a bid that it was heard when its broker has recorded it, and
 * not when that one answered that it does not hold the task.
 * Method: a contractor of two brokers, of which the first is scripted and the second is silent.
 */
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../sdk/stage.h"

static struct broker second;
static char urls[160];
static struct facts *facts;
static uint32_t heard;

void load_fail(const char *format, ...)
{
    fail_msg("the load fails: %s", format);
    abort();
}

void *load_take(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    assert_non_null(memory);
    return memory;
}

static void on_heard(void *context, const struct fact *fact)
{
    (void)context;
    assert_string_equal(fact->kind, "bid");
    heard++;
}

static int set_up_two(void **state)
{
    (void)state;
    broker_open(&broker);
    broker_open(&second);
    (void)snprintf(urls, sizeof urls, "%s,%s", broker.url, second.url);
    tender_options options = options_of_test();
    options.broker_url = urls;
    heard = 0;
    int status = tender_contractor_open(&options, &self);
    facts = facts_open(self);
    return status == 0 ? tender_contractor_offer(self, "fire-ceramics") : status;
}

static int tear_down_two(void **state)
{
    tender_contractor_close(self);
    self = NULL;
    free(facts);
    broker_close(&second);
    return tear_down(state);
}

/* Bids on a call of the first broker, which has not said yet that it has heard. */
static void bid_once(void)
{
    broker_welcome(&broker);
    (void)next(TENDER_EVENT_CONTACT);
    while (broker_hear(&broker, TENDER_OFFER)->slots != 2) {
        /* a fleet offers no slot before it has seen who is there, and then all of them */
    }
    say_cfp(1);
    const tender_cfp *cfp = &next(TENDER_EVENT_CFP)->cfp;
    facts_say(facts, &(struct fact){"refuse", cfp->task, 0, 0, 0});
    facts_note(facts, on_heard, NULL); /* of what was said in a session of before nothing is said */
    facts_say(facts, &(struct fact){"bid", cfp->task, 0, (uint32_t)cfp->round, 12});
    bid(cfp);
    assert_quiet();
    facts_note(facts, on_heard, NULL);
    assert_int_equal(heard, 0);
}

static void bid_that_was_recorded_is_heard(void **state)
{
    (void)state;
    bid_once();
    (void)broker_hear(&broker, TENDER_PROPOSE);
    say_cfp(2);
    (void)next(TENDER_EVENT_CFP); /* with the same reply */
    facts_note(facts, on_heard, NULL);
    assert_int_equal(heard, 1);
}

static void bid_that_was_answered_elsewhere_is_not(void **state)
{
    (void)state;
    bid_once();
    struct message said[] = {{.performative = TENDER_NOT_UNDERSTOOD}, make_cfp(2)};
    said[0].conversation = broker_hear(&broker, TENDER_PROPOSE)->conversation;
    message_set(&said[0], REASON, reason, TENDER_REASON_ELSEWHERE);
    message_set(&said[0], ROUND, round, 1);
    broker_say(&broker, said, 2);
    (void)next(TENDER_EVENT_CFP);
    facts_note(facts, on_heard, NULL);
    assert_int_equal(heard, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_two, tear_down_two)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(bid_that_was_recorded_is_heard),
        TEST(bid_that_was_answered_elsewhere_is_not),
    };
    return broker_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
