/*
 * The line: exchanges with numbered messages, lost, doubled, late and out of order, over sessions
 * that end with their peer or with the broker. A receiver skips numbers that it has and never goes
 * past a gap; a sender says again what was not heard.
 */
#include "world.h"

#include <string.h>

#define MESSAGES_MAX 16 /* in one packet */

void line_outbox_add(struct world *world, struct outbox *outbox, const struct message *message)
{
    outbox->items = pool_grow(&world->pool, outbox->items, outbox->count, &outbox->capacity,
                              sizeof *outbox->items);
    outbox->items[outbox->count++] = (struct numbered){++outbox->number, message};
}

void line_outbox_heard(struct outbox *outbox, uint64_t heard)
{
    while (outbox->first < outbox->count && outbox->items[outbox->first].number <= heard) {
        outbox->first++;
    }
}

static struct packet *packet_of(struct world *world, const struct outbox *outbox)
{
    struct packet *packet = pool_take(&world->pool, sizeof *packet);
    size_t count = outbox->count - outbox->first;
    packet->count = count < MESSAGES_MAX ? count : MESSAGES_MAX;
    packet->messages = pool_take(&world->pool, (packet->count + 1) * sizeof *packet->messages);
    if (packet->count > 0) {
        memcpy(packet->messages, outbox->items + outbox->first,
               packet->count * sizeof *packet->messages);
    }
    return packet;
}

static int64_t flight(struct world *world)
{
    int64_t delay_us = world_delay(world, world->weather.delay_us);
    if (!world->is_calm && prng_chance(&world->prng, world->weather.reordering)) {
        delay_us += world_delay(world, world->weather.delay_us * 8);
    }
    return delay_us;
}

static void transmit(struct world *world, enum happening kind, struct packet *packet)
{
    int copies = 1;
    if (!world->is_calm) {
        copies -= prng_chance(&world->prng, world->weather.loss) ? 1 : 0;
        copies += prng_chance(&world->prng, world->weather.duplication) ? 1 : 0;
    }
    world->packets_lost += copies == 0;
    for (int i = 0; i < copies; i++) {
        world_push(world, flight(world), kind, packet->peer, 0, packet);
    }
}

void line_peer_speaks(struct world *world, uint32_t index)
{
    struct peer *peer = &world->peers[index];
    struct packet *packet = packet_of(world, &peer->outbox);
    packet->peer = index;
    packet->session = peer->session;
    packet->heard = peer->heard;
    transmit(world, HAPPENING_TO_BROKER, packet);
}

void line_broker_speaks(struct world *world, uint32_t index, bool is_unknown)
{
    struct session *session = &world->broker.sessions[index];
    struct packet *packet = packet_of(world, &session->outbox);
    packet->peer = index;
    packet->session = is_unknown ? world->peers[index].session : session->session;
    packet->heard = session->committed;
    packet->is_unknown = is_unknown;
    if (is_unknown) {
        packet->count = 0;
    }
    transmit(world, HAPPENING_TO_PEER, packet);
}

void line_say(struct world *world, uint32_t index, const struct message *message)
{
    line_outbox_add(world, &world->peers[index].outbox, pool_message(&world->pool, message));
    line_peer_speaks(world, index);
}

/* Message 1 is hello, then the offer; then again whatever was not heard. */
void line_new_session(struct world *world, uint32_t index)
{
    struct peer *peer = &world->peers[index];
    struct outbox unheard = peer->outbox;
    struct message hello = {.performative = TENDER_HELLO};
    message_set(&hello, NAME, name, bytes_of(peer->name));
    message_set(&hello, PRINCIPAL, principal, bytes_of(peer->principal));
    message_set(&hello, HEARTBEAT, heartbeat_us, peer->heartbeat_us);
    peer->outbox = (struct outbox){0};
    peer->session = ++world->ids;
    peer->heard = 0;
    line_outbox_add(world, &peer->outbox, pool_message(&world->pool, &hello));
    if (peer->is_contractor) {
        contractor_offers(world, index);
    }
    for (size_t i = unheard.first; i < unheard.count; i++) {
        const struct message *message = unheard.items[i].message;
        if (message->performative != TENDER_HELLO && message->performative != TENDER_OFFER) {
            line_outbox_add(world, &peer->outbox, message);
        }
    }
    world_trace(world, "%s opens session %llu", peer->name, (unsigned long long)peer->session);
    line_peer_speaks(world, index);
}

void line_to_peer(struct world *world, const struct packet *packet)
{
    struct peer *peer = &world->peers[packet->peer];
    if (peer->is_away || packet->session != peer->session) {
        return;
    }
    if (packet->is_unknown) {
        line_new_session(world, packet->peer);
        return;
    }
    line_outbox_heard(&peer->outbox, packet->heard);
    uint64_t session = peer->session;
    for (size_t i = 0; i < packet->count && peer->session == session; i++) {
        if (packet->messages[i].number != peer->heard + 1) {
            continue;
        }
        peer->heard++;
        if (peer->is_contractor) {
            contractor_hears(world, packet->peer, packet->messages[i].message);
        } else {
            client_hears(world, packet->peer, packet->messages[i].message);
        }
    }
}
