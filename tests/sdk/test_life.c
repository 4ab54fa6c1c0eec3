/*
 * Goal: wherever memory runs out in the whole life of a contractor and a client, whatever fails
 * says so and can be said again, every event comes exactly once and whole, and nothing leaks.
 * Method: one life with every public call and every kind of message, on the substitute for nng,
 * threads and time; it is lived again with its first, second … allocation failing, and once more
 * with each and the one after it. What the program learns must be the same each time, but for news
 * of the connection.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "offline.h"
#include "tender/client.h"
#include "wire.h"

#define SAID_MAX 64

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *pointer, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *pointer, size_t size);
char *__wrap_strdup(const char *text);

/* Allocations until the first that fails, and how many fail in a row; negative: none does. */
static int left = -1;
static int in_a_row;

static bool fails(void)
{
    if (left < 0) {
        return false;
    }
    if (left > 0) {
        left--;
        return false;
    }
    in_a_row--;
    left = in_a_row > 0 ? 0 : -1;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *pointer, size_t size)
{
    return fails() ? NULL : __real_realloc(pointer, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

/* The broker: everything that it has said in this life, and what it has heard. */
static struct {
    struct wire_reader *reader;
    struct message said[SAID_MAX];
    uint64_t count;
    uint64_t heard; /* highest number of the peer's */
    unsigned performatives[TENDER_NOT_UNDERSTOOD + 64];
} broker;

static tender_contractor *contractor;
static tender_client *client;
static char learned[2][4096]; /* by the contractor and by the client, a line an event */
static const tender_id task = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
static const tender_commitment commitment = {
    {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}}, 0, 1};

static tender_bytes bytes(const char *text)
{
    return (tender_bytes){text, strlen(text)};
}

static void say(struct message message)
{
    assert_true(broker.count < SAID_MAX);
    broker.said[broker.count++] = message;
}

/* Hears the oldest request, and answers it with all that the peer has not heard. */
static void answer(void)
{
    static uint8_t frame[2 * TENDER_FRAME_MAX];
    struct wire_header header;
    struct message message;
    const char *why;
    size_t size;
    const uint8_t *request = offline_request(&size);
    assert_int_equal(wire_open(broker.reader, request, size, &header, &why), 0);
    for (uint64_t number = header.first; wire_next(broker.reader, &message) == 1; number++) {
        if (number > broker.heard) {
            broker.performatives[message.performative]++;
            broker.heard = number;
        }
    }
    uint64_t first = header.heard + 1;
    header.first = first;
    header.heard = broker.heard;
    header.count = (uint32_t)(broker.count - (first - 1));
    header.has_tail = false;
    int used = wire_pack_header(&header, frame, sizeof frame);
    for (uint64_t i = first - 1; i < broker.count; i++) {
        used += wire_pack_message(&broker.said[i], frame + used, sizeof frame - (size_t)used);
    }
    offline_reply(frame, (size_t)used);
}

static void learn(int side, const char *what, tender_reason reason, const char *text,
                  tender_bytes content)
{
    size_t used = strlen(learned[side]);
    (void)snprintf(learned[side] + used, sizeof learned[side] - used, "%s %d %s %.*s\n", what,
                   (int)reason, text, (int)content.size,
                   content.size == 0 ? "" : (const char *)content.data);
}

static void learn_event(const tender_event *event)
{
    static const tender_bytes none = {NULL, 0};
    switch (event->kind) {
    case TENDER_EVENT_CFP:
        learn(0, "cfp", 0, event->cfp.needs, event->cfp.content);
        break;
    case TENDER_EVENT_ACCEPT_PROPOSAL:
        learn(0, "award", 0, event->accept_proposal.skill, event->accept_proposal.content);
        break;
    case TENDER_EVENT_REJECT_PROPOSAL:
        learn(0, "rejection", event->reject_proposal.reason, "", none);
        break;
    case TENDER_EVENT_CANCEL:
        learn(0, "cancel", event->cancel.reason, "", none);
        break;
    case TENDER_EVENT_INFORM:
        learn(0, "inform", event->inform.reason, "", none);
        break;
    case TENDER_EVENT_NOT_UNDERSTOOD:
        learn(0, "complaint", event->not_understood.reason, event->not_understood.field, none);
        break;
    case TENDER_EVENT_BELIEF:
        learn(0, "belief", event->belief.belief, event->belief.goal, none);
        break;
    case TENDER_EVENT_DISPUTE:
        learn(0, "dispute", 0, event->dispute.claim, none);
        break;
    case TENDER_EVENT_LOST:
    case TENDER_EVENT_CONTACT: /* not told where memory is out, and told again after a loss */
        break;
    }
}

static void learn_client_event(const tender_client_event *event)
{
    static const tender_bytes none = {NULL, 0};
    switch (event->kind) {
    case TENDER_CLIENT_AGREED:
        learn(1, "agreed", 0, event->agreed.key, none);
        break;
    case TENDER_CLIENT_REFUSED:
        learn(1, "refused", event->refused.reason, event->refused.text, none);
        break;
    case TENDER_CLIENT_STATE:
        learn(1, "state", event->state.reason, event->state.contractor, none);
        break;
    case TENDER_CLIENT_REPORT:
        learn(1, "report", event->report.reason, event->report.evidence, event->report.content);
        break;
    case TENDER_CLIENT_NOT_UNDERSTOOD:
        learn(1, "complaint", event->not_understood.reason, event->not_understood.field, none);
        break;
    case TENDER_CLIENT_BELIEF:
        learn(1, "belief", event->belief.belief, event->belief.goal, none);
        break;
    case TENDER_CLIENT_LATE:
        learn(1, "late", event->late.reason, event->late.contractor, none);
        break;
    case TENDER_CLIENT_LOST:
    case TENDER_CLIENT_CONTACT:
        break;
    }
}

/* A call that memory failed is made again; it must then do what it says. */
#define retry(call)                                                                                \
    do {                                                                                           \
        int status_ = (call);                                                                      \
        for (int i_ = 0; status_ == TENDER_ENOMEM && i_ < 3; i_++) {                               \
            status_ = (call);                                                                      \
        }                                                                                          \
        assert_int_equal(status_, 0);                                                              \
    } while (0)

static void take_events(void)
{
    const tender_event *event = NULL;
    const tender_client_event *client_event = NULL;
    int status;
    while ((status = tender_contractor_next(contractor, 0, &event)) != 0) {
        assert_true(status == 1 || status == TENDER_ENOMEM);
        if (status == 1) {
            learn_event(event);
        }
    }
    while ((status = tender_client_next(client, 0, &client_event)) != 0) {
        assert_true(status == 1 || status == TENDER_ENOMEM);
        if (status == 1) {
            learn_client_event(client_event);
        }
    }
}

/* Until all is heard on both sides, however often a frame failed in between. */
static void settle(void)
{
    for (int i = 0; i < 40; i++) {
        offline_advance(200000);
        if (offline_is_asked()) {
            answer();
        }
        take_events();
    }
}

static struct message told(tender_performative performative)
{
    return (struct message){.performative = performative, .conversation = task};
}

static void of_commitment(struct message *message)
{
    message_set(message, PART, part, 0);
    message_set(message, GENERATION, generation, 1);
}

static void say_welcome(void)
{
    struct message message = {.performative = TENDER_WELCOME};
    message_set(&message, BROKER, broker, bytes("tender"));
    message_set(&message, AT, at_us, INT64_C(1764500000000000));
    message_set(&message, HEARTBEAT, heartbeat_us, 60000000);
    say(message);
}

static void say_cfp(int64_t round)
{
    static const tender_bytes skills[] = {{"gpu", 3}, {"kiln.large", 10}};
    struct message cfp = told(TENDER_CFP);
    message_set(&cfp, ROUND, round, round);
    message_set(&cfp, DIGEST, digest, ((tender_digest){{7, (uint8_t)round}}));
    message_set(&cfp, SKILL, skill, bytes("fire-ceramics"));
    message_set(&cfp, SKILLS, skills, ((struct message_texts){2, skills}));
    message_set(&cfp, UNITS, units, 40);
    message_set(&cfp, CEILING, ceiling_micro, 30);
    message_set(&cfp, CLOSES_AT, closes_at_us, INT64_C(1764500020000000));
    message_set(&cfp, DUE, due_us, 3600);
    message_set(&cfp, ACK, ack_us, 10);
    message_set(&cfp, KILL_FEE, kill_fee_ppm, 100000);
    message_set(&cfp, PARTIAL, partial, TENDER_PARTIAL_PRO_RATA);
    message_set(&cfp, EVIDENCE, evidence, bytes("photo"));
    message_set(&cfp, CONTENT, content, bytes("a pot"));
    say(cfp);
}

static void say_to_contractor(void)
{
    struct message award = told(TENDER_ACCEPT_PROPOSAL);
    of_commitment(&award);
    message_set(&award, ROUND, round, 1);
    message_set(&award, UNITS, units, 40);
    message_set(&award, PRICE, price_micro, 15);
    message_set(&award, DUE_AT, due_at_us, INT64_C(1764500023000000));
    message_set(&award, ACK_BY, ack_by_us, INT64_C(1764500021000000));
    say(award);
    struct message rejection = told(TENDER_REJECT_PROPOSAL);
    message_set(&rejection, ROUND, round, 2);
    message_set(&rejection, REASON, reason, TENDER_REASON_OUTBID);
    say(rejection);
    struct message settlement = told(TENDER_INFORM);
    of_commitment(&settlement);
    message_set(&settlement, STATE, state, TENDER_COMMITMENT_ACTIVE);
    say(settlement);
    struct message belief = told(TENDER_INFORM);
    message_set(&belief, GOAL, goal, bytes("dinner"));
    message_set(&belief, REASON, reason, TENDER_REASON_ACHIEVED);
    message_set(&belief, CONTRACTOR, contractor, bytes("kiln-3"));
    say(belief);
    struct message complaint = told(TENDER_NOT_UNDERSTOOD);
    message_set(&complaint, REASON, reason, TENDER_REASON_MALFORMED);
    message_set(&complaint, ROUND, round, 2);
    message_set(&complaint, FIELD, field, bytes("eta_us"));
    say(complaint);
    struct message cancel = told(TENDER_CANCEL);
    of_commitment(&cancel);
    message_set(&cancel, REASON, reason, TENDER_REASON_OTHER);
    say(cancel);
}

static void say_to_client(void)
{
    struct message agreement = told(TENDER_AGREE);
    message_set(&agreement, KEY, key, bytes("k-1"));
    message_set(&agreement, TASK_STATE, task_state, TENDER_TASK_OPEN);
    say(agreement);
    struct message state = told(TENDER_INFORM);
    message_set(&state, TASK_STATE, task_state, TENDER_TASK_OPEN);
    message_set(&state, CONTRACTOR, contractor, bytes("kiln-3"));
    say(state);
    struct message done = told(TENDER_INFORM_DONE);
    of_commitment(&done);
    message_set(&done, UNITS_DONE, units_done, 40);
    message_set(&done, CONTENT, content, bytes("a fired pot"));
    message_set(&done, EVIDENCE, evidence, bytes("photo=1"));
    say(done);
    struct message late = told(TENDER_INFORM);
    of_commitment(&late);
    message_set(&late, CONTRACTOR, contractor, bytes("kiln-3"));
    message_set(&late, UNITS_DONE, units_done, 3);
    say(late);
    struct message refusal = told(TENDER_REFUSE);
    message_set(&refusal, REASON, reason, TENDER_REASON_UNKNOWN_TASK);
    message_set(&refusal, TEXT, text, bytes("no such task"));
    say(refusal);
    struct message complaint = told(TENDER_NOT_UNDERSTOOD);
    message_set(&complaint, REASON, reason, TENDER_REASON_MALFORMED);
    message_set(&complaint, FIELD, field, bytes("units"));
    say(complaint);
    struct message faulty = {.performative = TENDER_CFP, .conversation = task};
    say(faulty); /* is complained about: it has no round */
}

static int open_all(void)
{
    tender_options options = TENDER_OPTIONS_INIT;
    options.broker_url = "tcp://127.0.0.1:1";
    options.name = "kiln-2";
    options.connect_timeout_ms = 0;
    options.linger_ms = 0;
    int status = contractor == NULL ? tender_contractor_open(&options, &contractor) : 0;
    return status == 0 ? tender_contractor_client(contractor, &client) : status;
}

/* Each of the calls by which a contractor says something. */
static void speak_as_contractor(void)
{
    const tender_cfp cfp = {
        .task = task, .round = 1, .ceiling_micro = 30, .due_us = 3600, .units = 40};
    const tender_bid bid = {.cost_micro = 12, .eta_us = 3000, .text = "soon"};
    tender_delivery delivery = TENDER_DELIVERY_INIT;
    tender_bytes result = bytes("half a pot");
    delivery.evidence = "photo=1";
    tender_bid_terms more = TENDER_BID_TERMS_INIT;
    more.estimate_micro = 11;
    retry(tender_propose(contractor, &cfp, &bid));
    retry(tender_propose_terms(contractor, &cfp, &bid, &more));
    retry(tender_refuse(contractor, &cfp, TENDER_REASON_OTHER));
    retry(tender_withdraw(contractor, &cfp));
    retry(tender_acknowledge(contractor, commitment));
    retry(tender_inform_progress(contractor, commitment, 20, result));
    retry(tender_standing(contractor, commitment));
    retry(tender_contractor_believe(contractor, commitment, NULL, TENDER_REASON_ACHIEVED, "done"));
    retry(tender_deliver(contractor, commitment, 40, result, &delivery));
    retry(tender_inform_done(contractor, commitment, 40, result));
    retry(tender_failure(contractor, commitment, 1, TENDER_REASON_OTHER, "it broke", result));
}

static void speak_as_client(void)
{
    static const char *const needs[] = {"gpu", NULL};
    tender_task terms = TENDER_TASK_INIT;
    terms.skill = "fire-ceramics";
    terms.key = "k-1";
    terms.needs = needs;
    terms.content = bytes("a pot");
    retry(tender_announce(client, &terms, NULL));
    retry(tender_query(client, task));
    retry(tender_close_round(client, task));
    retry(tender_release(client, task));
    retry(tender_accept(client, commitment, 40));
    retry(tender_reject(client, commitment, TENDER_REASON_OTHER, "bad", 1));
    retry(tender_adopt(client, commitment));
    retry(tender_believe(client, task, NULL, TENDER_REASON_IRRELEVANT, "no use"));
    retry(tender_cancel(client, task, "enough"));
}

static void live(void)
{
    memset(broker.performatives, 0, sizeof broker.performatives);
    broker.count = 0;
    broker.heard = 0;
    contractor = NULL;
    client = NULL;
    memset(learned, 0, sizeof learned);
    offline_reset();
    retry(open_all());
    say_welcome();
    settle();
    retry(tender_contractor_offer(contractor, "fire-ceramics"));
    say_cfp(1);
    say_cfp(2);
    settle();
    speak_as_client();
    settle();
    say_to_contractor();
    say_to_client();
    settle();
    speak_as_contractor();
    offline_fail(6); /* the connection is lost with all that was said */
    settle();
    tender_client_close(client);
    tender_contractor_close(contractor);
}

/* Lives with the n-th allocation and those after it failing. Returns whether it came to that. */
static bool live_without(int n, int row, char expected[2][sizeof learned[0]])
{
    left = n;
    in_a_row = row;
    live();
    bool came = left < 0;
    left = -1;
    for (int side = 0; side < 2; side++) {
        if (strcmp(learned[side], expected[side]) != 0) {
            print_error("allocation %d and %d after it fail:\n", n, row - 1);
        }
        assert_string_equal(learned[side], expected[side]);
    }
    return came;
}

static void every_allocation_of_a_life_fails(void **state)
{
    (void)state;
    static char expected[2][sizeof learned[0]];
    static unsigned heard[sizeof broker.performatives / sizeof broker.performatives[0]];
    live();
    memcpy(expected, learned, sizeof expected);
    memcpy(heard, broker.performatives, sizeof heard);
    assert_true(strstr(expected[0], "cfp 0 gpu,kiln.large a pot\n") != NULL);
    for (int row = 1; row <= 2; row++) {
        int n = 0;
        while (live_without(n, row, expected)) {
            for (size_t i = 0; i < sizeof heard / sizeof heard[0]; i++) {
                assert_true(broker.performatives[i] >= heard[i]); /* said, once or again */
            }
            n++;
            assert_true(n < 10000);
        }
        print_message("%d allocations, each failing with %d after it\n", n, row - 1);
        assert_true(n >= 40);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_of_a_life_fails)};
    if (wire_reader_open(&broker.reader) != 0) {
        return 1;
    }
    int status = cmocka_run_group_tests_name("life", tests, NULL, NULL);
    wire_reader_close(broker.reader);
    return status;
}
