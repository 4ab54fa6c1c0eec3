/*
 * Makes a world from a seed and lets things happen, one after the other, checking after each.
 */
#include "world.h"

#include "wire.h"

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
    "to-broker",   "to-peer",   "line-lost",  "turn", "ledger-works", "ledger-answers",
    "ledger-lost", "broker-up", "peer-timer", "act",  "client-act"};

struct world *world_running;

void world_trace(const struct world *world, const char *format, ...)
{
    if (!world->options.is_traced) {
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

bool world_chance(struct world *world, uint32_t permille)
{
    return !world->is_calm && chance(world, permille);
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

/*
 * A wastrel, whose tasks others complete for clients of three principals: as long as it goes on it
 * comes into quarantine.
 */
static void make_wastrel(struct world *world)
{
    for (uint32_t i = 0; i < world->peer_count; i++) {
        struct peer *peer = &world->peers[i];
        bool is_wastrel = i == world->client_count;
        peer->principal = world_principals[i < world->client_count ? 5 + i : is_wastrel ? 0 : 1];
        peer->skills = 15;
        peer->slots = 5;
        peer->bids = 1000;
        peer->nonsense = 0;
        peer->acknowledges = 1000;
        peer->delivers = 1000;
        peer->fails = is_wastrel ? 1000 : 0;
    }
}

static void fund(struct world *world, uint32_t principal)
{
    struct request *request = pool_take(&world->pool, sizeof *request);
    for (uint32_t i = 0; i < world->peer_count; i++) {
        if (world->peers[i].principal == world_principals[principal]) {
            request->peer = i;
            request->amount_micro = PICK(100, 50000000, 4000000000000000, 4000000000000000);
            request->amount_micro =
                world->has_wastrel ? INT64_C(4000000000000000) : request->amount_micro;
            request->is_operator = true;
            world->requests[world->request_count++] = request;
            request->request = world->request_count;
            return;
        }
    }
}

static void populate(struct world *world)
{
    world->has_wastrel = chance(world, 60);
    world->client_count = world->has_wastrel ? 3 : (uint32_t)PICK(1, 2, 3);
    for (uint32_t i = 0; i < world->client_count; i++) {
        peer_add(world, false);
    }
    int64_t contractors = world->has_wastrel ? 4 : PICK(1, 4, 6, 9);
    for (int64_t i = 0; i < contractors; i++) {
        peer_add(world, true);
    }
    if (world->has_wastrel) {
        make_wastrel(world);
    }
    for (uint32_t i = 0; i < WORLD_PRINCIPALS; i++) {
        fund(world, i);
    }
}

void world_init(struct world *world, const struct world_options *options)
{
    world_running = world;
    world->options = *options;
    world->now_us = WORLD_START_US;
    world->prng.state = options->seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    world->queue.pool = &world->pool;
    world->ids = 1;
    fail_place.seed = options->seed;
    fail_place.step = 0;
    fail_place.steps = options->steps;
    audit_init(&world->audit, &world->pool);
    world->audit.witness = witness_of(world);
    int status = entry_reader_open(&world->reader);
    require(status == 0, "memory", "entry_reader_open returns %d", status);
    status = wire_reader_open(&world->wire);
    require(status == 0, "memory", "wire_reader_open returns %d", status);
    store_init(&world->store, &world->pool, &world->audit, world->reader);
    world->store.is_traced = options->is_traced;
    weather_choose(world);
    weather_limits(world);
    world->ask_max = (size_t)PICK(2, 12, 40);
    populate(world);
    world->ask_max = world->has_wastrel ? 40 : world->ask_max;
    broker_begin_world(world);
}

void world_release(struct world *world)
{
    broker_end_world(world);
    entry_reader_close(world->reader);
    wire_reader_close(world->wire);
    struct pool pool = world->pool;
    pool_clear(&pool);
    memset(world, 0, sizeof *world);
    world->pool = pool;
}

static void act(struct world *world, const struct queue_item *item)
{
    const struct peer *peer = &world->peers[item->who];
    if (item->epoch == peer->life && peer->session != 0) {
        contractor_act(world, item->who, item->data);
    }
}

/* A line is lost, or the peer dials again. */
static void line_event(struct world *world, const struct queue_item *item)
{
    if (item->epoch == 0) {
        line_pump(world, item->who);
    } else if (world->peers[item->who].line.pipe == item->epoch) {
        line_lose(world, item->who);
    }
}

static void happen(struct world *world, const struct queue_item *item)
{
    switch ((enum happening)item->kind) {
    case HAPPENING_TO_BROKER:
        line_arrive(world, item->data);
        break;
    case HAPPENING_TO_PEER:
        line_hear(world, item->data);
        break;
    case HAPPENING_LINE_LOST:
        line_event(world, item);
        break;
    case HAPPENING_TURN:
        broker_turn(world, item);
        break;
    case HAPPENING_LEDGER_WORKS:
        errand_works(world, item->data);
        break;
    case HAPPENING_LEDGER_ANSWERS:
        errand_answers(world, item->data);
        break;
    case HAPPENING_LEDGER_LOST:
        errand_lost(world, item->who, item->epoch);
        break;
    case HAPPENING_BROKER_UP:
        broker_up(world, item->who);
        break;
    case HAPPENING_PEER_TIMER:
        line_timer(world, item->who);
        break;
    case HAPPENING_ACT:
        act(world, item);
        break;
    case HAPPENING_CLIENT_ACT:
        client_act(world, item->who);
        break;
    case HAPPENING_COUNT:
        break;
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
    world->now_us = item.at_us;
    world->is_touched = false;
    world->has_acted = item.kind != HAPPENING_TURN;
    if (item.kind == HAPPENING_TURN && !broker_is_due(world, &item)) {
        return; /* the timer was set anew */
    }
    world->step++;
    world->happenings++;
    fail_place.step = world->step;
    if (world->options.is_traced) {
        printf("step %" PRIu64 " +%" PRId64 " %s %" PRIu32 "\n", world->step,
               world->now_us - WORLD_START_US, happening_names[item.kind], item.who);
    }
    happen(world, &item);
    broker_bury(world);
    if (!world->has_acted) {
        world->step--; /* a turn in which there was nothing to do */
        return;
    }
    weather_befall(world);
    broker_check(world);
    mix(world, (uint64_t)item.at_us);
    mix(world, (uint64_t)item.kind);
    mix(world, world->store.entry_count);
}

static bool is_quiet(const struct world *world)
{
    if (world->audit.tasks_over != world->audit.task_count || !broker_is_quiet(world)) {
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
    broker_calm(world);
    uint64_t last = world->happenings + CALM_STEPS_MAX;
    world->is_calm = true;
    world_trace(world, "calm");
    while (!is_quiet(world)) {
        require(world->happenings < last, "I16", "%zu of %zu tasks have not ended",
                world->audit.task_count - world->audit.tasks_over, world->audit.task_count);
        step(world);
    }
}

void world_run(struct world *world)
{
    while (world->step < world->options.steps) {
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
