/*
 * Makes a world from a seed and lets things happen, one after the other, checking after each.
 */
#include "world.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CALM_STEPS_MAX 400000

const char *const world_skills[4] = {"translate.de", "translate.fr", "check", "print/a4"};
const char *const world_principals[WORLD_PRINCIPALS] = {"acorn", "birch", "cedar",  "dogwood",
                                                        "elm",   "fir",   "ginkgo", "hazel"};
static const char *const client_names[] = {"client-0", "client-1", "client-2"};
static const char *const contractor_names[] = {"kiln-0", "kiln-1", "kiln-2", "kiln-3", "kiln-4",
                                               "kiln-5", "kiln-6", "kiln-7", "kiln-8"};

static const char *const happening_names[HAPPENING_COUNT] = {
    "to-broker", "to-peer",    "turn",         "committed", "looked-up",
    "broker-up", "peer-timer", "peer-restart", "act",       "client-act"};

void world_trace(const struct world *world, const char *format, ...)
{
    if (!world->is_traced) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    fputs("  ", stdout);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

int64_t world_round(const struct world *world, int64_t duration_us)
{
    return duration_us / world->weather.quantum_us * world->weather.quantum_us;
}

int64_t world_delay(struct world *world, int64_t most_us)
{
    return most_us <= 0 ? 0 : world_round(world, prng_between(&world->prng, 0, most_us));
}

void world_push(struct world *world, int64_t delay_us, enum happening kind, uint32_t who,
                uint64_t epoch, void *data)
{
    queue_push(&world->queue, (struct queue_item){.at_us = world->now_us + delay_us,
                                                  .kind = (int)kind,
                                                  .who = who,
                                                  .epoch = epoch,
                                                  .data = data});
}

static int64_t pick(struct world *world, const int64_t *values, size_t count)
{
    return prng_pick(&world->prng, values, count);
}

#define PICK(...)                                                                                  \
    pick(world, (const int64_t[]){__VA_ARGS__},                                                    \
         sizeof(const int64_t[]){__VA_ARGS__} / sizeof(int64_t))

static void choose_weather(struct world *world)
{
    world->weather = (struct weather){.loss = (uint32_t)PICK(0, 0, 50, 300),
                                      .duplication = (uint32_t)PICK(0, 0, 100, 500),
                                      .reordering = (uint32_t)PICK(0, 100, 500),
                                      .delay_us = PICK(0, 5000, 20000, 100000, 300000),
                                      .commit_us = PICK(0, 3000, 30000, 300000),
                                      .ledger_stall = (uint32_t)PICK(0, 0, 5, 50),
                                      .broker_stall = (uint32_t)PICK(0, 0, 2, 20),
                                      .crash = (uint32_t)PICK(0, 0, 20, 100),
                                      .peer_restart = (uint32_t)PICK(0, 10, 50),
                                      .turn_delay = (uint32_t)PICK(0, 200, 800),
                                      .quantum_us = PICK(1, 1, 1000, 100000),
                                      .grace_us = PICK(0, 100000, 1000000, 5000000)};
}

static void choose_limits(struct world *world)
{
    bool is_tight = prng_chance(&world->prng, 60);
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
}

static void peer_add(struct world *world, bool is_contractor)
{
    uint32_t index = world->peer_count++;
    struct peer *peer = &world->peers[index];
    uint64_t principal =
        is_contractor ? prng_below(&world->prng, 5) : 4 + prng_below(&world->prng, 4);
    *peer = (struct peer){.name = is_contractor ? contractor_names[index - world->client_count]
                                                : client_names[index],
                          .principal = world_principals[principal],
                          .is_contractor = is_contractor,
                          .heartbeat_us = PICK(1000000, 2000000, 5000000),
                          .slots = PICK(1, 1, 2, 5),
                          .skills = (uint32_t)PICK(3, 7, 13, 15, 15),
                          .bids = (uint32_t)PICK(500, 950, 1000, 1000),
                          .nonsense = (uint32_t)PICK(0, 0, 100, 400),
                          .acknowledges = (uint32_t)PICK(600, 1000, 1000),
                          .delivers = (uint32_t)PICK(500, 950, 1000),
                          .fails = (uint32_t)PICK(0, 100, 400)};
    world_push(world, world_delay(world, 500000), HAPPENING_PEER_TIMER, index, 0, NULL);
    if (!is_contractor) {
        world_push(world, 300000 + world_delay(world, 1000000), HAPPENING_CLIENT_ACT, index, 0,
                   NULL);
    }
}

static void fund(struct world *world, uint32_t principal)
{
    struct request *request = pool_take(&world->pool, sizeof *request);
    for (uint32_t i = 0; i < world->peer_count; i++) {
        if (world->peers[i].principal == world_principals[principal]) {
            request->peer = i;
            request->amount_micro = PICK(100, 50000000, 4000000000000000, 4000000000000000);
            request->is_operator = true;
            world->requests[world->request_count++] = request;
            request->request = world->request_count;
            return;
        }
    }
}

static void populate(struct world *world)
{
    world->client_count = (uint32_t)PICK(1, 2, 3);
    for (uint32_t i = 0; i < world->client_count; i++) {
        peer_add(world, false);
    }
    int64_t contractors = PICK(1, 4, 6, 9);
    for (int64_t i = 0; i < contractors; i++) {
        peer_add(world, true);
    }
    for (uint32_t i = 0; i < WORLD_PRINCIPALS; i++) {
        fund(world, i);
    }
}

void world_init(struct world *world, uint64_t seed, uint64_t steps, bool is_traced)
{
    world->seed = seed;
    world->steps = steps;
    world->is_traced = is_traced;
    world->now_us = WORLD_START_US;
    world->prng.state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    world->queue.pool = &world->pool;
    world->ids = 1;
    fail_place.seed = seed;
    fail_place.step = 0;
    fail_place.steps = steps;
    audit_init(&world->audit, &world->pool);
    world->audit.witness = witness_of(world);
    int status = entry_reader_open(&world->reader);
    require(status == 0, "memory", "entry_reader_open returns %d", status);
    store_init(&world->store, &world->pool, &world->audit, world->reader);
    world->store.is_traced = is_traced;
    choose_weather(world);
    choose_limits(world);
    world->ask_max = (size_t)PICK(2, 12, 40);
    populate(world);
    journal_up(world);
}

void world_release(struct world *world)
{
    if (world->broker.book != NULL) {
        book_close(world->broker.book);
        effects_release(&world->broker.effects);
    }
    entry_reader_close(world->reader);
    struct pool pool = world->pool;
    pool_clear(&pool);
    memset(world, 0, sizeof *world);
    world->pool = pool;
}

/* Says again what was not heard, or that it is there. */
static void peer_timer(struct world *world, uint32_t index)
{
    struct peer *peer = &world->peers[index];
    if (peer->is_away && world->now_us >= peer->away_until_us) {
        peer->is_away = false;
    }
    if (!peer->is_away) {
        if (peer->session == 0) {
            line_new_session(world, index);
        } else {
            line_peer_speaks(world, index);
        }
    }
    bool is_waiting = peer->is_away || peer->outbox.first < peer->outbox.count;
    world_push(world, is_waiting ? 700000 : peer->heartbeat_us, HAPPENING_PEER_TIMER, index, 0,
               NULL);
}

/* A peer loses its line for a while, or its program ends and begins anew. */
static void peer_restart(struct world *world, uint32_t index)
{
    struct peer *peer = &world->peers[index];
    if (peer->is_away) {
        return;
    }
    if (prng_chance(&world->prng, 300) && peer->session != 0) {
        struct message bye = {.performative = TENDER_BYE};
        line_say(world, index, &bye);
    }
    peer->is_away = true;
    peer->away_until_us = world->now_us + world_delay(world, 12000000);
    if (prng_chance(&world->prng, 600)) {
        peer->life++;
        peer->session = 0;
        peer->outbox = (struct outbox){0};
    }
    world_trace(world, "%s is away for %" PRId64 " us", peer->name,
                peer->away_until_us - world->now_us);
}

static void act(struct world *world, const struct queue_item *item)
{
    const struct peer *peer = &world->peers[item->who];
    if (item->epoch == peer->life && peer->session != 0) {
        contractor_act(world, item->who, item->data);
    }
}

static void happen_to_broker(struct world *world, const struct queue_item *item)
{
    if (world->broker.book == NULL || item->epoch != world->broker.life) {
        return;
    }
    if (item->kind == HAPPENING_COMMITTED) {
        journal_committed(world);
    } else if (item->kind == HAPPENING_LOOKED_UP) {
        broker_found(world, item->data);
    } else if (world->broker.turn_at_us == item->at_us) {
        broker_turn(world);
    }
}

static void happen(struct world *world, const struct queue_item *item)
{
    switch ((enum happening)item->kind) {
    case HAPPENING_TO_BROKER:
        broker_packet(world, item->data);
        break;
    case HAPPENING_TO_PEER:
        line_to_peer(world, item->data);
        break;
    case HAPPENING_BROKER_UP:
        journal_up(world);
        break;
    case HAPPENING_PEER_TIMER:
        peer_timer(world, item->who);
        break;
    case HAPPENING_PEER_RESTART:
        peer_restart(world, item->who);
        break;
    case HAPPENING_ACT:
        act(world, item);
        break;
    case HAPPENING_CLIENT_ACT:
        client_act(world, item->who);
        break;
    default:
        happen_to_broker(world, item);
        break;
    }
}

/* What no message brings about: restarts. */
static void misfortunes(struct world *world)
{
    if (world->is_calm) {
        return;
    }
    if (world->broker.book != NULL && prng_below(&world->prng, 10000) < world->weather.crash) {
        journal_crash(world);
    }
    if (prng_below(&world->prng, 10000) < world->weather.peer_restart) {
        peer_restart(world, (uint32_t)prng_below(&world->prng, world->peer_count));
    }
}

static void mix(struct world *world, uint64_t value)
{
    world->digest = (world->digest ^ value) * UINT64_C(0x100000001b3);
}

static void step(struct world *world)
{
    struct queue_item item;
    bool is_any = queue_pop(&world->queue, &item);
    require(is_any, "I16", "nothing happens any more");
    world->step++;
    fail_place.step = world->step;
    world->now_us = item.at_us;
    world->is_touched = false;
    if (world->is_traced) {
        printf("step %" PRIu64 " +%" PRId64 " %s %" PRIu32 "\n", world->step,
               world->now_us - WORLD_START_US, happening_names[item.kind], item.who);
    }
    happen(world, &item);
    if (world->is_touched && world->broker.book != NULL) {
        book_check(world->broker.book);
    }
    misfortunes(world);
    mix(world, (uint64_t)item.at_us);
    mix(world, (uint64_t)item.kind);
    mix(world, world->store.entry_count);
}

static bool is_quiet(const struct world *world)
{
    const struct broker *broker = &world->broker;
    if (broker->book == NULL || world->audit.tasks_over != world->audit.task_count ||
        broker->under_way != NULL ||
        (broker->filling != NULL && broker->filling->entry_count > 0)) {
        return false;
    }
    for (size_t i = 0; i < world->request_count; i++) {
        if (!world->requests[i]->is_answered) {
            return false;
        }
    }
    return true;
}

/* Nothing is left over. */
static void check_ends(const struct world *world)
{
    for (size_t i = 0; i < world->audit.accounts.count; i++) {
        require(world->audit.accounts.items[i].reserved_micro == 0, "I12",
                "something is reserved when all tasks have ended");
    }
    for (size_t i = 0; i < world->audit.contractor_count; i++) {
        require(world->audit.contractors[i].held == 0, "slots",
                "a slot is held when all tasks have ended");
    }
}

static void run_to_quiet(struct world *world)
{
    uint64_t last_step = world->step + CALM_STEPS_MAX;
    world->is_calm = true;
    world_trace(world, "calm");
    while (!is_quiet(world)) {
        require(world->step < last_step, "I16", "%zu of %zu tasks have not ended",
                world->audit.task_count - world->audit.tasks_over, world->audit.task_count);
        step(world);
    }
}

void world_run(struct world *world)
{
    while (world->step < world->steps) {
        step(world);
    }
    run_to_quiet(world);
    check_ends(world);
    witness_end(world);
    if (world->store.has_fingerprint) {
        store_compare(&world->store, &world->limits);
    }
    for (const struct store_entry *stored = world->store.first; stored != NULL;
         stored = stored->next) {
        mix(world, (uint64_t)stored->entry.hash.bytes[0] << 8 | stored->entry.hash.bytes[1]);
    }
}
