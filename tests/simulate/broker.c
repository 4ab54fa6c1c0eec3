/*
 * The broker's shell in small: takes packets apart, asks the ledger where the book does not know,
 * lets the book hear, and runs one turn after the other. Batches are in journal.c.
 */
#include "world.h"

#include <inttypes.h>
#include <string.h>

#define TURNS_MAX     20000 /* turns in one instant: more is a book that asks without end */
#define STALL_US      1000000
#define LOOKUP_US     200000
#define STALL_MOST_US 8000000

void broker_wake(struct world *world, int64_t delay_us)
{
    struct broker *broker = &world->broker;
    int64_t at_us = world->now_us + delay_us;
    if (broker->book != NULL && at_us < broker->turn_at_us) {
        broker->turn_at_us = at_us;
        world_push(world, delay_us, HAPPENING_TURN, 0, broker->life, NULL);
    }
}

uint32_t broker_peer(const struct world *world, tender_bytes name)
{
    for (uint32_t i = 0; i < world->peer_count; i++) {
        if (bytes_equal(bytes_of(world->peers[i].name), name)) {
            return i;
        }
    }
    fail("tells", "a tell for %.*s, who does not exist", (int)name.size, (const char *)name.data);
}

/* Puts a message into the session of a peer, where there is one. */
void broker_tell(struct world *world, uint32_t peer, const struct message *message)
{
    struct session *session = &world->broker.sessions[peer];
    tells_check(world, peer, message);
    world->tells++;
    world_trace(world, "tell %s %s %s", world->peers[peer].name,
                tender_performative_name(message->performative), audit_id(message->conversation));
    if (session->is_known) {
        line_outbox_add(world, &session->outbox, message);
        session->is_spoken_to = true;
    }
}

static void tell(struct world *world, const struct tell *tell)
{
    struct batch *batch = journal_batch(world);
    const struct message *message = pool_message(&world->pool, &tell->message);
    uint32_t peer = tell->to.size > 0 ? broker_peer(world, tell->to) : 0;
    require(tell->is_promise || tell->request != 0 || message->performative == TENDER_CFP ||
                message->performative == TENDER_WELCOME,
            "I2", "%s is told before its entries commit",
            tender_performative_name(message->performative));
    witness_tell(world, peer, message);
    if (!tell->is_promise && tell->request == 0) {
        broker_tell(world, peer, message);
        return;
    }
    batch->tells = pool_grow(&world->pool, batch->tells, batch->tell_count, &batch->tell_capacity,
                             sizeof *batch->tells);
    batch->tells[batch->tell_count++] = (struct pending_tell){peer, tell->request, message};
}

/* Takes what the book answered into the batch that fills. */
void broker_effects(struct world *world)
{
    struct effects *effects = &world->broker.effects;
    struct batch *batch = journal_batch(world);
    for (size_t i = 0; i < effects->entry_count; i++) {
        batch->entries = pool_grow(&world->pool, batch->entries, batch->entry_count,
                                   &batch->entry_capacity, sizeof(struct store_entry *));
        batch->entries[batch->entry_count++] = store_copy(&world->pool, &effects->entries[i]);
    }
    for (size_t i = 0; i < effects->tell_count; i++) {
        tell(world, &effects->tells[i]);
    }
}

void broker_hear(struct world *world, struct event *event)
{
    event->at_us = world->broker.stamp_us;
    witness_event(world, event);
    book_hear(world->broker.book, event, &world->broker.effects);
    world->is_touched = true;
    witness_effects(world, event, &world->broker.effects);
    broker_effects(world);
}

/* Time-ordered, and never the same twice. */
static tender_id new_id(struct world *world)
{
    tender_id id;
    uint64_t ms = (uint64_t)world->now_us / 1000;
    uint64_t number = ++world->ids;
    for (int i = 0; i < 6; i++) {
        id.bytes[i] = (uint8_t)(ms >> (8 * (5 - i)));
    }
    for (int i = 6; i < 12; i++) {
        id.bytes[i] = (uint8_t)prng_below(&world->prng, 256);
    }
    id.bytes[6] = (uint8_t)(0x70 | (id.bytes[6] & 0x0f));
    id.bytes[8] = (uint8_t)(0x80 | (id.bytes[8] & 0x3f));
    for (int i = 12; i < 16; i++) {
        id.bytes[i] = (uint8_t)(number >> (8 * (15 - i)));
    }
    return id;
}

static struct event event_of(struct world *world, uint32_t peer, const struct message *message,
                             const struct request *request)
{
    struct event event = {.kind = EVENT_MESSAGE,
                          .at_us = world->broker.stamp_us,
                          .peer = bytes_of(world->peers[peer].name),
                          .principal = bytes_of(world->peers[peer].principal),
                          .message = message};
    if (request != NULL) {
        event.request = request->request;
        event.is_operator = request->is_operator;
    }
    if (message != NULL && message->performative == TENDER_ANNOUNCE) {
        event.task = new_id(world);
    }
    return event;
}

/* Asks the ledger first where the book wants it; true when the answer is to be waited for. */
static bool is_looked_up(struct world *world, const struct event *event, uint32_t peer,
                         struct request *request)
{
    tender_digest digest;
    if (!book_wants_prior(world->broker.book, event, &digest)) {
        return false;
    }
    struct lookup *lookup = pool_take(&world->pool, sizeof *lookup);
    const struct message *message = event->message;
    lookup->peer = peer;
    lookup->session = world->broker.sessions[peer].session;
    lookup->message = message;
    lookup->request = request;
    lookup->prior = message->performative == TENDER_ANNOUNCE
                        ? store_prior_key(&world->store, event->principal, message->key, &digest)
                        : store_prior_task(&world->store, message->conversation, message->part,
                                           message->generation);
    world_push(world, world_delay(world, LOOKUP_US), HAPPENING_LOOKED_UP, peer, world->broker.life,
               lookup);
    return true;
}

/* What the ledger says of the tasks that an announcement waits for and the book does not hold. */
static void tell_after(struct world *world, struct event *event, uint8_t states[TENDER_AFTER_MAX])
{
    uint32_t at;
    event->after_states = states;
    while (event->message != NULL && event->message->performative == TENDER_ANNOUNCE &&
           book_wants_after(world->broker.book, event, &at)) {
        tender_id id;
        memcpy(&id, (const char *)event->message->after.data + at * sizeof id, sizeof id);
        struct prior prior = store_prior_task(&world->store, id, 0, 0);
        states[at] = (uint8_t)book_after_state(&prior, event->principal);
    }
}

static void hear_message(struct world *world, uint32_t peer, const struct numbered *item)
{
    struct session *session = &world->broker.sessions[peer];
    struct event event = event_of(world, peer, item->message, NULL);
    if (is_looked_up(world, &event, peer, NULL)) {
        session->is_blocked = true;
        return;
    }
    session->in = item->number;
    world_trace(world, "hear %s %s %s", world->peers[peer].name,
                tender_performative_name(item->message->performative),
                audit_id(item->message->conversation));
    if (item->message->performative == TENDER_BYE) {
        event.kind = EVENT_LEFT;
        event.message = NULL;
        session->is_known = false;
    }
    uint8_t states[TENDER_AFTER_MAX] = {0};
    tell_after(world, &event, states);
    broker_hear(world, &event);
}

/* A session opens with message 1, hello; the peer's older one is over. */
static bool open_session(struct world *world, const struct packet *packet)
{
    struct session *session = &world->broker.sessions[packet->peer];
    if (packet->count == 0 || packet->messages[0].number != 1 ||
        packet->session < session->session) {
        return false;
    }
    if (session->is_known && prng_chance(&world->prng, 500)) {
        struct event left = event_of(world, packet->peer, NULL, NULL);
        left.kind = EVENT_LEFT;
        broker_hear(world, &left);
    }
    *session = (struct session){.is_known = true, .session = packet->session};
    journal_batch(world)->in[packet->peer] = 0;
    if (world->broker.under_way != NULL) {
        world->broker.under_way->in[packet->peer] = 0;
    }
    return true;
}

static void hear_packet(struct world *world, const struct packet *packet)
{
    struct session *session = &world->broker.sessions[packet->peer];
    bool is_this = session->is_known && session->session == packet->session;
    if (!is_this && !open_session(world, packet)) {
        if (packet->session >= session->session) {
            line_broker_speaks(world, packet->peer, true);
        }
        return;
    }
    line_outbox_heard(&session->outbox, packet->heard);
    session->is_spoken_to = true;
    bool is_heard = false;
    for (size_t i = 0; i < packet->count && session->is_known && !session->is_blocked; i++) {
        if (packet->messages[i].number == session->in + 1) {
            hear_message(world, packet->peer, &packet->messages[i]);
            is_heard = true;
        }
    }
    if (!is_heard && session->is_known) {
        struct event event = event_of(world, packet->peer, NULL, NULL);
        event.kind = EVENT_HEARD;
        broker_hear(world, &event);
    }
}

static void hear_found(struct world *world, const struct lookup *lookup)
{
    struct session *session = &world->broker.sessions[lookup->peer];
    struct event event = event_of(world, lookup->peer, lookup->message, lookup->request);
    event.prior = &lookup->prior;
    if (lookup->request == NULL) {
        if (!session->is_known || session->session != lookup->session || !session->is_blocked) {
            return;
        }
        session->is_blocked = false;
        session->in++;
        session->is_spoken_to = true;
    }
    world_trace(world, "hear %s %s %s, looked up", world->peers[lookup->peer].name,
                tender_performative_name(lookup->message->performative),
                audit_id(lookup->message->conversation));
    uint8_t states[TENDER_AFTER_MAX] = {0};
    tell_after(world, &event, states);
    broker_hear(world, &event);
}

static void hear_request(struct world *world, struct request *request)
{
    struct event event = event_of(world, request->peer, request->message, request);
    request->is_handed_out = true;
    if (request->message == NULL) {
        event.kind = EVENT_FUND;
        event.amount_micro = request->amount_micro;
        broker_hear(world, &event);
    } else if (!is_looked_up(world, &event, request->peer, request)) {
        uint8_t states[TENDER_AFTER_MAX] = {0};
        tell_after(world, &event, states);
        broker_hear(world, &event);
    }
}

static void poll_inbox(struct world *world)
{
    for (size_t i = 0; i < world->request_count; i++) {
        struct request *request = world->requests[i];
        if (!request->is_answered && !request->is_handed_out) {
            hear_request(world, request);
        }
    }
}

void broker_packet(struct world *world, struct packet *packet)
{
    struct broker *broker = &world->broker;
    if (broker->book == NULL) {
        return;
    }
    broker->port = pool_grow(&world->pool, broker->port, broker->port_count, &broker->port_capacity,
                             sizeof *broker->port);
    broker->port[broker->port_count++] = packet;
    bool waits = prng_chance(&world->prng, world->weather.turn_delay);
    broker_wake(world, waits ? world_delay(world, 50000) : 0);
}

void broker_found(struct world *world, struct lookup *lookup)
{
    struct broker *broker = &world->broker;
    broker->found = pool_grow(&world->pool, broker->found, broker->found_count,
                              &broker->found_capacity, sizeof *broker->found);
    broker->found[broker->found_count++] = lookup;
    broker_wake(world, 0);
}

/* Everything that came is heard before the clock is asked. */
static void collect(struct world *world)
{
    struct broker *broker = &world->broker;
    size_t port_count = broker->port_count;
    size_t found_count = broker->found_count;
    broker->port_count = 0;
    broker->found_count = 0;
    for (size_t i = 0; i < port_count; i++) {
        hear_packet(world, broker->port[i]);
    }
    for (size_t i = 0; i < found_count; i++) {
        hear_found(world, broker->found[i]);
    }
    if (prng_chance(&world->prng, 500) || world->is_calm) {
        poll_inbox(world);
    }
}

void broker_speak(struct world *world)
{
    for (uint32_t i = 0; i < world->peer_count; i++) {
        struct session *session = &world->broker.sessions[i];
        if (session->is_known && session->is_spoken_to) {
            session->is_spoken_to = false;
            line_broker_speaks(world, i, false);
        }
    }
}

/* The process stops for a while now and then; true while it does. */
static bool is_stalled(struct world *world)
{
    struct broker *broker = &world->broker;
    if (broker->stalled_from_us == 0 && !world->is_calm &&
        prng_chance(&world->prng, world->weather.broker_stall)) {
        broker->stalled_from_us = world->now_us;
        broker->stalled_until_us = world->now_us + world_delay(world, STALL_MOST_US);
    }
    if (broker->stalled_from_us != 0 && world->now_us < broker->stalled_until_us) {
        broker_wake(world, broker->stalled_until_us - world->now_us);
        return true;
    }
    return false;
}

static void end_stall(struct world *world)
{
    struct broker *broker = &world->broker;
    if (broker->stalled_from_us != 0 && world->now_us - broker->stalled_from_us > STALL_US) {
        struct event recess = {.kind = EVENT_RECESS,
                               .from_us = broker->stalled_from_us,
                               .until_us = world->now_us + world->weather.grace_us};
        broker_hear(world, &recess);
        world_trace(world, "recess of %" PRId64 " us", recess.until_us - recess.from_us);
    }
    broker->stalled_from_us = 0;
}

static void check_pace(struct world *world)
{
    struct broker *broker = &world->broker;
    broker->idle_turns = broker->last_turn_us == world->now_us ? broker->idle_turns + 1 : 0;
    broker->last_turn_us = world->now_us;
    require(broker->idle_turns < TURNS_MAX, "pace",
            "the book wants ticks without end, next at %+" PRId64,
            book_next_deadline(broker->book) - world->now_us);
}

void broker_turn(struct world *world)
{
    struct broker *broker = &world->broker;
    broker->turn_at_us = TENDER_NEVER;
    if (is_stalled(world)) {
        return;
    }
    check_pace(world);
    broker->stamp_us = broker->stamp_us > world->now_us ? broker->stamp_us : world->now_us;
    end_stall(world);
    collect(world);
    struct event tick = {.kind = EVENT_TICK, .committed_us = journal_committed_us(world)};
    broker_hear(world, &tick);
    journal_submit(world);
    broker_speak(world);
    int64_t next_us = book_next_deadline(broker->book);
    if (next_us != TENDER_NEVER) {
        broker_wake(world, next_us > world->now_us ? next_us - world->now_us : 0);
    }
}
