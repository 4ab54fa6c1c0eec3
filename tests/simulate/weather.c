/*
 * What a seed chooses for its world, and what befalls it without anybody's message: crashes,
 * rivals, partitions, steps of the database's clock.
 */
#include "broker.h"

#include <inttypes.h>

#define AWAY_US      12000000
#define PARTITION_US 20000000
#define HOUR_US      INT64_C(3600000000)

const char *const weather_names[WEATHER_COUNT] = {
#define X(name, statement) #name,
    WEATHERS(X)
#undef X
};

void weather_choose(struct world *world)
{
    struct weather *weather = &world->weather;
    *weather = (struct weather){.loss = (uint32_t)PICK(0, 0, 20, 100, 300),
                                .duplication = (uint32_t)PICK(0, 0, 100, 500),
                                .lateness = (uint32_t)PICK(0, 0, 5, 20),
                                .delay_us = PICK(0, 5000, 20000, 100000, 300000),
                                .commit_us = PICK(0, 3000, 30000, 300000),
                                .ledger_error = (uint32_t)PICK(0, 0, 10, 100),
                                .ledger_stall = (uint32_t)PICK(0, 0, 5, 50),
                                .freeze = (uint32_t)PICK(0, 0, 2, 10),
                                .crash = (uint32_t)PICK(0, 0, 10, 50),
                                .effect_crash = (uint32_t)PICK(0, 500, 1000),
                                .farewell = (uint32_t)PICK(0, 0, 10),
                                .rival = (uint32_t)PICK(0, 0, 10, 40),
                                .clock_step = (uint32_t)PICK(0, 0, 20),
                                .partition = (uint32_t)PICK(0, 0, 20, 50),
                                .peer_restart = (uint32_t)PICK(0, 10, 50),
                                .turn_delay = (uint32_t)PICK(0, 200, 800),
                                .quantum_us = PICK(1, 1, 1000, 100000),
                                .grace_us = PICK(0, 100000, 1000000, 5000000)};
#define X(name, statement)                                                                         \
    if ((world->options.without & (UINT32_C(1) << WEATHER_##name)) != 0) {                         \
        statement;                                                                                 \
    }
    WEATHERS(X)
#undef X
}

void weather_limits(struct world *world)
{
    bool is_tight = chance(world, 60);
    world->limits = (struct book_limits){.task_count = is_tight ? 3 : 96,
                                         .contractor_count = 12,
                                         .client_count = 12,
                                         .account_count = AUDIT_ACCOUNTS,
                                         .skill_count = 8,
                                         .bid_count = is_tight ? 6 : 512,
                                         .content_bytes = is_tight ? 64 : 65536,
                                         .invitations_max = (uint32_t)PICK(2, 16, 16, 16),
                                         .unanswered_max = (uint32_t)PICK(2, 5, 100),
                                         .deadlines_per_tick = (uint32_t)PICK(1, 3, 256),
                                         .keep_ended_us = PICK(1000000, 5000000, 60000000)};
    world->session_us = PICK(1000000, 20000000, 60000000);
    world->backlog_size = PICK(4096, 8388608, 8388608);
    world->lease_us = PICK(500000, 2000000, 2000000);
}

/* A peer loses its line for a while, or its program ends and begins anew. */
static void peer_leaves(struct world *world, uint32_t index)
{
    struct peer *peer = &world->peers[index];
    if (peer->is_away) {
        return;
    }
    if (chance(world, 300) && peer->session != 0) {
        struct message bye = {.performative = TENDER_BYE};
        line_say(world, index, &bye);
    }
    peer->is_away = true;
    peer->away_until_us = world->now_us + world_delay(world, AWAY_US);
    peer->line = (struct line){.broker = peer->line.broker};
    if (chance(world, 600)) {
        peer->life++;
        peer->session = 0;
        peer->outbox = (struct outbox){0};
    }
    world_trace(world, "%s is away for %" PRId64 " us", peer->name,
                peer->away_until_us - world->now_us);
}

/* Half of the peers, or one, cannot be heard, hear nothing, or both. */
static void part(struct world *world)
{
    int64_t until_us = world->now_us + world_delay(world, PARTITION_US);
    uint64_t direction = prng_below(&world->prng, 3);
    uint64_t chosen = prng_below(&world->prng, world->peer_count);
    bool is_half = chance(world, 300);
    world_trace(world, "a partition of kind %" PRIu64 " around %s%s", direction,
                world->peers[chosen].name, is_half ? " and others" : "");
    for (uint32_t i = 0; i < world->peer_count; i++) {
        bool is_in = i == chosen || (is_half && chance(world, 500));
        if (is_in && direction != 1) {
            world->peers[i].mute_until_us = until_us;
        }
        if (is_in && direction != 0) {
            world->peers[i].deaf_until_us = until_us;
        }
    }
}

static struct broker *some_broker(struct world *world)
{
    struct broker *broker = world->brokers[prng_below(&world->prng, WORLD_BROKERS)];
    return broker->is_up ? broker : NULL;
}

static void brokers_befall(struct world *world)
{
    const struct weather *weather = &world->weather;
    struct broker *broker = some_broker(world);
    if (broker != NULL && prng_below(&world->prng, 10000) < weather->crash) {
        broker->is_dead = true;
    }
    if (broker != NULL && prng_below(&world->prng, 10000) < weather->farewell) {
        broker->daemon.wants_end = true;
        broker->daemon.end_code = DAEMON_EXIT_DONE;
        broker_wake(broker, 0);
    }
    if (broker == NULL && prng_below(&world->prng, 10000) < weather->rival) {
        uint32_t index = world->brokers[0]->is_up ? 1 : 0;
        world_push(world, 0, HAPPENING_BROKER_UP, index, 0, NULL);
    }
}

void weather_befall(struct world *world)
{
    const struct weather *weather = &world->weather;
    if (world->is_calm) {
        return;
    }
    brokers_befall(world);
    if (prng_below(&world->prng, 10000) < weather->peer_restart) {
        peer_leaves(world, (uint32_t)prng_below(&world->prng, world->peer_count));
    }
    if (prng_below(&world->prng, 10000) < weather->partition) {
        part(world);
    }
    if (prng_below(&world->prng, 10000) < weather->clock_step) {
        world->database.clock_offset_us += PICK(-HOUR_US, HOUR_US);
        world->database.has_stepped = true;
        world_trace(world, "the database's clock is off by %" PRId64 " us",
                    world->database.clock_offset_us);
    }
}
