/*
 * What clients do: announce, say it again, contradict themselves, announce again after an end,
 * cancel, close, release, query; over the wire and through the inbox.
 */
#include "more.h"

#include <stdio.h>

static void optional_terms(struct world *world, uint32_t peer, struct message *said)
{
    if (chance(world, 150)) {
        message_set(said, DEADLINE, deadline_at_us,
                    line_now(world, peer) + PICK(500000, 3000000, 20000000));
    }
    if (chance(world, 700)) {
        message_set(said, ROUNDS, rounds, PICK(1, 2, 3, 5));
    }
    if (chance(world, 700)) {
        message_set(said, BACKOFF, backoff_us, PICK(0, 200000, 1000000));
    }
    if (chance(world, 700)) {
        message_set(said, ACK, ack_us, PICK(200000, 1000000, 4000000));
    }
    if (chance(world, 250)) {
        message_set(said, HEARTBEAT, heartbeat_us, PICK(500000, 2000000));
    }
    if (chance(world, 300)) {
        message_set(said, PRIORITY, priority, PICK(0, 5, 9));
    }
    if (chance(world, 600)) {
        message_set(said, PARTIAL, partial, PICK(1, 2, 3));
    }
    if (chance(world, 400)) {
        message_set(said, KILL_FEE, kill_fee_ppm, PICK(0, 1, 333333, 1000000));
    }
    if (chance(world, 300)) {
        message_set(said, CLOSE_ALONE, close_alone, PICK(0, 1));
    }
    if (chance(world, 200)) {
        message_set(said, CONTENT, content, bytes_of("forty articles"));
    }
}

static void fallback_terms(struct world *world, struct message *said)
{
    if (!chance(world, 300)) {
        return;
    }
    message_set(said, FALLBACK, fallback, PICK(1, 2, 3, 3));
    if (said->fallback == TENDER_FALLBACK_CONTRACTOR) {
        uint32_t contractors = world->peer_count - world->client_count;
        uint32_t chosen = world->client_count + (uint32_t)prng_below(&world->prng, contractors);
        message_set(said, CONTRACTOR, contractor, bytes_of(world->peers[chosen].name));
    }
}

/* What a wastrel gets, and others then complete. */
static void plain_terms(struct message *said)
{
    message_set(said, SKILL, skill, bytes_of(world_skills[0]));
    message_set(said, UNITS, units, 1);
    message_set(said, CEILING, ceiling_micro, 8000);
    message_set(said, WINDOW, window_us, 1000000);
    message_set(said, DUE, due_us, 5000000);
}

static struct ask *ask_add(struct world *world, uint32_t peer, const struct message *message)
{
    world->asks = pool_grow(&world->pool, world->asks, world->ask_count, &world->ask_capacity,
                            sizeof *world->asks);
    struct ask *ask = &world->asks[world->ask_count++];
    *ask = (struct ask){.peer = peer,
                        .is_inbox = chance(world, 200),
                        .message = pool_message(&world->pool, message)};
    return ask;
}

/* A row of the inbox, in the client's name. */
static void request_add(struct world *world, uint32_t peer, const struct message *message,
                        bool is_operator)
{
    if (world->request_count == sizeof world->requests / sizeof *world->requests) {
        return;
    }
    struct request *request = pool_take(&world->pool, sizeof *request);
    request->peer = peer;
    request->is_operator = is_operator;
    request->message = pool_message(&world->pool, message);
    world->requests[world->request_count++] = request;
    request->request = world->request_count;
}

static void say(struct world *world, uint32_t peer, const struct message *message, bool is_inbox)
{
    if (is_inbox) {
        request_add(world, peer, message, chance(world, 300));
    } else {
        line_say(world, peer, message);
    }
}

void client_says(struct world *world, uint32_t client, const struct message *message, bool is_inbox)
{
    world_trace(world, "%s says %s %s", world->peers[client].name,
                tender_performative_name(message->performative), audit_id(message->conversation));
    say(world, client, message, is_inbox);
}

void client_says_as_operator(struct world *world, uint32_t client, const struct message *message)
{
    world_trace(world, "%s says as operator %s %s", world->peers[client].name,
                tender_performative_name(message->performative), audit_id(message->conversation));
    request_add(world, client, message, true);
}

static void announce(struct world *world, uint32_t peer)
{
    char key[TENDER_KEY_MAX];
    snprintf(key, sizeof key, "key-%zu", world->ask_count / 2); /* shared now and then */
    struct message said = {.performative = TENDER_ANNOUNCE};
    message_set(&said, KEY, key, bytes_of(key));
    message_set(&said, SKILL, skill, bytes_of(world_skills[prng_below(&world->prng, 4)]));
    message_set(&said, UNITS, units, PICK(1, 1, 2, 3, 7, 40, 1000000000));
    message_set(&said, CEILING, ceiling_micro, PICK(0, 1, 10, 8000, 30000000, 1000000000000000));
    message_set(&said, WINDOW, window_us, PICK(100000, 1000000, 2000000, 5000000));
    message_set(&said, DUE, due_us, PICK(500000, 2000000, 10000000));
    if (world->has_wastrel) {
        plain_terms(&said);
    } else {
        optional_terms(world, peer, &said);
        fallback_terms(world, &said);
        more_announce(world, peer, &said);
    }
    struct ask *ask = ask_add(world, peer, &said);
    say(world, peer, ask->message, ask->is_inbox);
}

/* One of this client's asks, or NULL. */
static struct ask *ask_of(struct world *world, uint32_t peer)
{
    for (int tries = 0; world->ask_count > 0 && tries < 8; tries++) {
        struct ask *ask = &world->asks[prng_below(&world->prng, world->ask_count)];
        if (ask->peer == peer) {
            return ask;
        }
    }
    return NULL;
}

struct ask *client_picks(struct world *world, uint32_t client)
{
    struct ask *ask = ask_of(world, client);
    return ask == NULL || tender_id_is_nil(ask->task) ? NULL : ask;
}

static void announce_changed(struct world *world, uint32_t peer, const struct ask *ask,
                             bool is_again)
{
    struct message said = *ask->message;
    message_set(&said, CEILING, ceiling_micro, said.ceiling_micro + 1 + (int64_t)world->ask_count);
    if (is_again) {
        message_set(&said, AGAIN, again, ask->task);
    }
    if (message_has(&said, MESSAGE_DEADLINE)) {
        message_set(&said, DEADLINE, deadline_at_us,
                    line_now(world, peer) + PICK(500000, 20000000));
    }
    struct ask *changed = ask_add(world, peer, &said);
    say(world, peer, changed->message, changed->is_inbox);
}

static void about_task(struct world *world, uint32_t peer, tender_performative performative,
                       tender_id task)
{
    struct message said = {.performative = performative, .conversation = task};
    if (performative == TENDER_CANCEL) {
        message_set(&said, TEXT, text, bytes_of("no longer needed"));
    }
    world_trace(world, "%s says %s %s", world->peers[peer].name,
                tender_performative_name(performative), audit_id(task));
    say(world, peer, &said, chance(world, 250));
}

/* Now and then about a task of somebody else, or one that never was. */
static tender_id some_task(struct world *world, const struct ask *ask)
{
    if (chance(world, 60)) {
        return world->asks[prng_below(&world->prng, world->ask_count)].task;
    }
    tender_id unknown = ask->task;
    if (chance(world, 20)) {
        unknown.bytes[15] ^= 1;
    }
    return unknown;
}

static void act_on_ask(struct world *world, uint32_t peer, struct ask *ask)
{
    uint64_t choice = prng_below(&world->prng, 100);
    if (choice < 15) {
        say(world, peer, ask->message, chance(world, 200));
    } else if (choice < 25 || (choice < 45 && !tender_id_is_nil(ask->task))) {
        announce_changed(world, peer, ask, choice >= 25);
    } else if (!tender_id_is_nil(ask->task)) {
        static const tender_performative what[] = {TENDER_CANCEL, TENDER_CANCEL, TENDER_CLOSE,
                                                   TENDER_RELEASE, TENDER_QUERY};
        about_task(world, peer, what[prng_below(&world->prng, 5)], some_task(world, ask));
    }
}

/* At the end a client lets go of what waits for a person. */
static void act_calmly(struct world *world, uint32_t peer)
{
    for (size_t i = 0; i < world->ask_count; i++) {
        const struct audit_task *task = audit_task_find(&world->audit, world->asks[i].task);
        if (world->asks[i].peer == peer && task != NULL && task->state == AUDIT_HELD) {
            about_task(world, peer, chance(world, 500) ? TENDER_CANCEL : TENDER_RELEASE, task->id);
        }
    }
    more_client(world, peer);
    world_push(world, 5000000, HAPPENING_CLIENT_ACT, peer, 0, NULL);
}

void client_act(struct world *world, uint32_t peer)
{
    if (world->is_calm) {
        act_calmly(world, peer);
        return;
    }
    struct ask *ask = ask_of(world, peer);
    if (world->ask_count < world->ask_max && (ask == NULL || chance(world, 500))) {
        announce(world, peer);
    } else if (ask != NULL) {
        act_on_ask(world, peer, ask);
    }
    more_client(world, peer);
    world_push(world, world_delay(world, 2000000), HAPPENING_CLIENT_ACT, peer, 0, NULL);
}

void client_hears(struct world *world, uint32_t peer, const struct message *message)
{
    more_hears(world, peer, message);
    if (message->performative != TENDER_AGREE || !message_has(message, MESSAGE_KEY)) {
        return;
    }
    for (size_t i = 0; i < world->ask_count; i++) {
        struct ask *ask = &world->asks[i];
        if (ask->peer == peer && bytes_equal(ask->message->key, message->key)) {
            ask->task = message->conversation;
        }
    }
}
