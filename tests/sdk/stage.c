/* See stage.h. */
#include "stage.h"

#include <string.h>

struct broker broker;
tender_contractor *self;
const tender_id task = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};

tender_options options_of_test(void)
{
    tender_options options = TENDER_OPTIONS_INIT;
    options.broker_url = broker.url;
    options.name = "kiln-2";
    options.principal = "kilns-ltd";
    options.slots = 2;
    options.connect_timeout_ms = 0;
    options.linger_ms = 0;
    return options;
}

int set_up(void **state)
{
    (void)state;
    broker_open(&broker);
    tender_options options = options_of_test();
    assert_int_equal(tender_contractor_open(&options, &self), 0);
    return 0;
}

int tear_down(void **state)
{
    (void)state;
    tender_contractor_close(self);
    self = NULL;
    broker_close(&broker);
    return 0;
}

/* The next event within 10 s, which must be of that kind. */
const tender_event *next(tender_event_kind kind)
{
    const tender_event *event = NULL;
    assert_int_equal(tender_contractor_next(self, 10000, &event), 1);
    assert_int_equal(event->kind, kind);
    return event;
}

void assert_quiet(void)
{
    const tender_event *event = NULL;
    if (tender_contractor_next(self, 0, &event) != 0) {
        fail_msg("an event of kind %d, %d", event->kind, event->contact.kind);
    }
    assert_null(event);
}

void connect_and_offer(void)
{
    broker_welcome(&broker);
    const tender_event *event = next(TENDER_EVENT_CONTACT);
    assert_int_equal(event->contact.kind, TENDER_CONTACT_CONNECTED);
    assert_int_equal(tender_contractor_offer(self, "fire-ceramics"), 0);
    assert_quiet();
    const struct message *offer = broker_hear(&broker, TENDER_OFFER);
    assert_int_equal(offer->skills.count, 1);
    assert_int_equal(offer->slots, 2);
}

void refuse_room(struct broker *one, tender_performative performative)
{
    struct message refusal = {.performative = performative};
    message_set(&refusal, REASON, reason, TENDER_REASON_LIMIT_REACHED);
    (void)broker_hear(one, TENDER_HELLO);
    one->heard_start = one->heard_end; /* what came with it is said again */
    broker_end(one, &refusal);
}

struct message make_cfp(int64_t round)
{
    struct message cfp = {.performative = TENDER_CFP, .conversation = task};
    message_set(&cfp, ROUND, round, round);
    message_set(&cfp, DIGEST, digest, ((tender_digest){{7, (uint8_t)round}}));
    message_set(&cfp, SKILL, skill, ((tender_bytes){"fire-ceramics", 13}));
    message_set(&cfp, UNITS, units, 40);
    message_set(&cfp, CEILING, ceiling_micro, 30);
    message_set(&cfp, CLOSES_AT, closes_at_us, INT64_C(1764500020000000));
    message_set(&cfp, DUE, due_us, 3600);
    message_set(&cfp, ACK, ack_us, 10);
    message_set(&cfp, KILL_FEE, kill_fee_ppm, 100000);
    message_set(&cfp, PARTIAL, partial, TENDER_PARTIAL_PRO_RATA);
    message_set(&cfp, CONTENT, content, ((tender_bytes){"a pot", 5}));
    return cfp;
}

struct message make_award(int64_t round, int64_t generation)
{
    struct message award = {.performative = TENDER_ACCEPT_PROPOSAL, .conversation = task};
    message_set(&award, ROUND, round, round);
    message_set(&award, PART, part, 0);
    message_set(&award, GENERATION, generation, generation);
    message_set(&award, UNITS, units, 40);
    message_set(&award, PRICE, price_micro, 15);
    message_set(&award, DUE_AT, due_at_us, INT64_C(1764500023000000));
    message_set(&award, ACK_BY, ack_by_us, INT64_C(1764500021000000));
    return award;
}

void say_cfp(int64_t round)
{
    struct message cfp = make_cfp(round);
    broker_say(&broker, &cfp, 1);
}

void bid(const tender_cfp *cfp)
{
    tender_bid offer = {.cost_micro = 12, .eta_us = 3000, .text = "soon"};
    assert_int_equal(tender_propose(self, cfp, &offer), 0);
}

/* Up to the award of round 1, which is handed out. */
tender_commitment win(void)
{
    connect_and_offer();
    say_cfp(1);
    bid(&next(TENDER_EVENT_CFP)->cfp);
    assert_quiet();
    (void)broker_hear(&broker, TENDER_PROPOSE);
    struct message award = make_award(1, 1);
    broker_say(&broker, &award, 1);
    return next(TENDER_EVENT_ACCEPT_PROPOSAL)->accept_proposal.commitment;
}
