/*
 * The line, and how a peer speaks over it: requests and replies with numbered messages, over
 * connections that lose, double and delay, break in one direction or both, and end with their
 * broker. A peer has two requests open at most; what was not heard is said again over a new
 * connection, to whichever broker is there, and under a new session where that one asks for it.
 */
#include "world.h"

#include "wire.h"

#include <inttypes.h>
#include <string.h>

#define MESSAGES_MAX  16                /* in one request */
#define ECHO          UINT32_C(1) << 31 /* in a pipe: a copy on its own, whose reply goes nowhere */
#define LATE_US       50000000          /* ten deadlines */
#define NOTICE_US     1000000           /* until a peer knows that its connection is lost */
#define REDIAL_US     300000
#define REQUESTS_OPEN 2

void line_outbox_add(struct world *world, struct outbox *outbox, const struct message *message)
{
    outbox->items = pool_grow(&world->pool, outbox->items, outbox->count, &outbox->capacity,
                              sizeof *outbox->items);
    outbox->items[outbox->count++] = (struct numbered){++outbox->number, message};
}

static void outbox_heard(struct outbox *outbox, uint64_t heard)
{
    while (outbox->first < outbox->count && outbox->items[outbox->first].number <= heard) {
        outbox->first++;
    }
    outbox->sent = outbox->sent < outbox->first ? outbox->first : outbox->sent;
}

int64_t line_now(const struct world *world, uint32_t peer)
{
    return world->now_us + world->peers[peer].offset_us;
}

/* When a packet arrives that leaves now: behind the last one, of which `*last_us` knows. */
static int64_t flight(struct world *world, int64_t *last_us)
{
    int64_t at_us = world->now_us + world_delay(world, world->weather.delay_us);
    if (world_chance(world, world->weather.lateness)) {
        at_us += world_delay(world, LATE_US);
    }
    at_us = at_us > *last_us ? at_us : *last_us;
    *last_us = at_us;
    return at_us - world->now_us;
}

/* A lost packet takes its connection with it, which the peer learns before long, or by waiting. */
static bool is_lost(struct world *world, uint32_t index, bool is_cut)
{
    struct line *line = &world->peers[index].line;
    if (line->is_broken) {
        return true;
    }
    if (!is_cut && !world_chance(world, world->weather.loss)) {
        return false;
    }
    line->is_broken = true;
    world->packets_lost++;
    if (!is_cut) {
        world_push(world, world_delay(world, NOTICE_US), HAPPENING_LINE_LOST, index, line->pipe,
                   NULL);
    }
    return true;
}

static size_t pack(struct world *world, const struct peer *peer, uint32_t count, uint8_t *buffer)
{
    struct wire_header header = {.version = WIRE_VERSION, .heard = peer->heard, .count = count};
    memcpy(header.session, &peer->session, sizeof peer->session);
    header.first =
        count > 0 ? peer->outbox.items[peer->outbox.sent].number : peer->outbox.number + 1;
    int size = wire_pack_header(&header, buffer, TENDER_FRAME_MAX);
    for (uint32_t i = 0; i < count && size > 0; i++) {
        const struct message *message = peer->outbox.items[peer->outbox.sent + i].message;
        int more = wire_pack_message(message, buffer + size, TENDER_FRAME_MAX - (size_t)size);
        size = more < 0 ? more : size + more;
    }
    require(size > 0, "wire", "a request of %s cannot be packed", world->peers[0].name);
    return (size_t)size;
}

static void send_request(struct world *world, uint32_t index)
{
    static uint8_t buffer[TENDER_FRAME_MAX];
    struct peer *peer = &world->peers[index];
    size_t unsent = peer->outbox.count - peer->outbox.sent;
    uint32_t count = unsent < MESSAGES_MAX ? (uint32_t)unsent : MESSAGES_MAX;
    struct packet *packet = pool_take(&world->pool, sizeof *packet);
    *packet = (struct packet){.peer = index,
                              .pipe = peer->line.pipe,
                              .broker = peer->line.broker,
                              .life = peer->line.life};
    packet->size = pack(world, peer, count, buffer);
    packet->bytes = pool_bytes(&world->pool, (tender_bytes){buffer, packet->size}).data;
    peer->outbox.sent += count;
    peer->line.open++;
    peer->line.since_us = world->now_us;
    if (!is_lost(world, index, peer->mute_until_us > world->now_us)) {
        world_push(world, flight(world, &peer->line.to_us), HAPPENING_TO_BROKER, index, 0, packet);
    }
    if (world_chance(world, world->weather.duplication)) {
        struct packet *echo = pool_take(&world->pool, sizeof *echo);
        int64_t last_us = 0;
        *echo = *packet;
        echo->pipe |= ECHO;
        world_push(world, flight(world, &last_us), HAPPENING_TO_BROKER, index, 0, echo);
    }
}

/* Connects to the broker it knows, or to the other one where that is not there. */
static void dial(struct world *world, uint32_t index)
{
    struct peer *peer = &world->peers[index];
    for (uint32_t i = 0; i < WORLD_BROKERS; i++) {
        uint32_t chosen = (peer->line.broker + i) % WORLD_BROKERS;
        uint64_t life = broker_life(world, chosen);
        if (life != 0) {
            peer->line = (struct line){.pipe = ++world->pipes, .broker = chosen, .life = life};
            peer->outbox.sent = peer->outbox.first;
            return;
        }
    }
}

/* Message 1 is hello, then the offer; then again whatever was not heard. */
static void new_session(struct world *world, uint32_t index)
{
    struct peer *peer = &world->peers[index];
    struct outbox unheard = peer->outbox;
    struct message hello = {.performative = TENDER_HELLO};
    message_set(&hello, NAME, name, bytes_of(peer->name));
    message_set(&hello, PRINCIPAL, principal, bytes_of(peer->principal));
    message_set(&hello, HEARTBEAT, heartbeat_us, peer->heartbeat_us);
    peer->began_us = world->now_us > peer->began_us ? world->now_us : peer->began_us + 1;
    message_set(&hello, AT, at_us, peer->began_us);
    peer->outbox = (struct outbox){0};
    peer->session = ++world->ids;
    peer->heard = 0;
    line_outbox_add(world, &peer->outbox, pool_message(&world->pool, &hello));
    if (peer->is_contractor) {
        contractor_offers(world, index);
    }
    for (size_t i = unheard.first; i < unheard.count; i++) {
        const struct message *message = unheard.items[i].message;
        if (message->performative != TENDER_HELLO && message->performative != TENDER_OFFER &&
            message->performative != TENDER_BYE) {
            line_outbox_add(world, &peer->outbox, message);
        }
    }
    world_trace(world, "%s opens session %" PRIu64, peer->name, peer->session);
}

void line_pump(struct world *world, uint32_t index)
{
    struct peer *peer = &world->peers[index];
    if (peer->is_away) {
        return;
    }
    if (peer->session == 0) {
        new_session(world, index);
    }
    if (peer->line.pipe == 0) {
        dial(world, index);
    }
    while (peer->line.pipe != 0 && peer->line.open < REQUESTS_OPEN &&
           (peer->line.open == 0 || peer->outbox.sent < peer->outbox.count)) {
        send_request(world, index);
    }
}

void line_say(struct world *world, uint32_t index, const struct message *message)
{
    line_outbox_add(world, &world->peers[index].outbox, pool_message(&world->pool, message));
    line_pump(world, index);
}

void line_lose(struct world *world, uint32_t index)
{
    struct line *line = &world->peers[index].line;
    uint32_t next = world_chance(world, 200) ? line->broker + 1 : line->broker;
    *line = (struct line){.broker = next % WORLD_BROKERS};
    world_push(world, world_delay(world, REDIAL_US), HAPPENING_LINE_LOST, index, 0, NULL);
}

void line_arrive(struct world *world, const struct packet *packet)
{
    if (!broker_receives(world, packet) && (packet->pipe & ECHO) == 0) {
        world_push(world, world_delay(world, NOTICE_US), HAPPENING_LINE_LOST, packet->peer,
                   packet->pipe, NULL);
    }
}

void line_answer(struct world *world, struct reply *reply)
{
    struct peer *peer = &world->peers[reply->peer];
    bool is_there = peer->line.pipe == reply->pipe;
    if (is_there && !is_lost(world, reply->peer, peer->deaf_until_us > world->now_us)) {
        world_push(world, flight(world, &peer->line.from_us), HAPPENING_TO_PEER, reply->peer, 0,
                   reply);
    }
}

static void hear_message(struct world *world, uint32_t index, const struct message *message)
{
    struct peer *peer = &world->peers[index];
    if (message->performative == TENDER_WELCOME) {
        peer->offset_us = message->at_us - world->now_us;
    }
    if (peer->is_contractor) {
        contractor_hears(world, index, message);
    } else {
        client_hears(world, index, message);
    }
}

/*
 * What stands outside of the numbering says that the session is over: unknown, or at the wrong
 * broker. A hello of an older one that was late never takes its name, as far as it can tell.
 */
static void hear_verdict(struct world *world, uint32_t index, const struct reply *reply)
{
    struct peer *peer = &world->peers[index];
    if (reply->count == 0) {
        return;
    }
    const struct message *message = reply->messages[0];
    require(message->reason == TENDER_REASON_UNKNOWN_SESSION ||
                message->reason == TENDER_REASON_ELSEWHERE,
            "session", "%s is turned away: %s %s", peer->name,
            tender_performative_name(message->performative),
            tender_reason_name((tender_reason)message->reason));
    peer->session = 0;
    if (message->reason == TENDER_REASON_ELSEWHERE) {
        line_lose(world, index);
        const char *address = message_has(message, MESSAGE_ADDRESS) ? message->address.data : "1";
        peer->line.broker = (uint32_t)(address[0] - '0') % WORLD_BROKERS;
    }
}

void line_hear(struct world *world, const struct reply *reply)
{
    struct peer *peer = &world->peers[reply->peer];
    if (peer->is_away || reply->pipe != peer->line.pipe) {
        return;
    }
    peer->line.open--;
    if (reply->session == peer->session && reply->first == 0) {
        hear_verdict(world, reply->peer, reply);
        if (peer->line.pipe == 0) {
            return; /* it dials another broker in a while */
        }
    } else if (reply->session == peer->session && peer->session != 0) {
        require(reply->heard <= peer->outbox.number, "session", "%s was heard to say %" PRIu64,
                peer->name, reply->heard);
        outbox_heard(&peer->outbox, reply->heard);
        if (reply->count > 0 && reply->first > peer->heard + 1) {
            line_lose(world, reply->peer);
            return;
        }
        for (uint32_t i = 0; i < reply->count && reply->session == peer->session; i++) {
            if (reply->first + i == peer->heard + 1) {
                peer->heard++;
                hear_message(world, reply->peer, reply->messages[i]);
            }
        }
    }
    line_pump(world, reply->peer);
}

/* Comes back, looks whether its line still answers, dials where it has none. */
void line_timer(struct world *world, uint32_t index)
{
    struct peer *peer = &world->peers[index];
    if (peer->is_away && world->now_us >= peer->away_until_us) {
        peer->is_away = false;
    }
    int64_t patience_us = 2 * peer->heartbeat_us + 1000000;
    if (peer->line.open > 0 && world->now_us - peer->line.since_us > patience_us) {
        world_trace(world, "%s gives up its line", peer->name);
        line_lose(world, index);
    } else {
        line_pump(world, index);
    }
    world_push(world, peer->is_away || peer->line.pipe == 0 ? 700000 : peer->heartbeat_us,
               HAPPENING_PEER_TIMER, index, 0, NULL);
}
