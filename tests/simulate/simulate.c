/*
 * simulate: runs the broker's core through the worlds of many seeds.
 *
 *     simulate --seed=N --steps=N [--seeds=COUNT] [--trace]
 *
 * A seed decides everything: the same seed gives the same trace, byte for byte; every hundredth
 * runs twice to prove it. Ends with 0, or at the first broken rule with 1 and what reproduces it.
 */
#include "world.h"

#include <sodium.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEED_SECONDS_MAX 120

struct options {
    uint64_t seed;
    uint64_t seeds;
    uint64_t steps;
    bool is_traced;
};

struct totals {
    uint64_t seeds;
    uint64_t steps;
    uint64_t tasks;
    uint64_t awards;
    uint64_t entries;
    uint64_t restarts;
    uint64_t packets_lost;
    uint64_t kinds[AUDIT_KINDS];
};

static bool number_of(const char *argument, const char *name, uint64_t *value)
{
    size_t size = strlen(name);
    char *end = NULL;
    if (strncmp(argument, name, size) != 0) {
        return false;
    }
    *value = strtoull(argument + size, &end, 0);
    return end != argument + size && *end == '\0';
}

static bool options_read(struct options *options, int count, char **arguments)
{
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--trace") == 0) {
            options->is_traced = true;
        } else if (!number_of(arguments[i], "--seed=", &options->seed) &&
                   !number_of(arguments[i], "--seeds=", &options->seeds) &&
                   !number_of(arguments[i], "--steps=", &options->steps)) {
            fprintf(stderr, "usage: simulate --seed=N --steps=N [--seeds=COUNT] [--trace]\n");
            return false;
        }
    }
    return true;
}

static uint64_t run(struct world *world, uint64_t seed, const struct options *options,
                    struct totals *totals)
{
    alarm(SEED_SECONDS_MAX);
    world_init(world, seed, options->steps, options->is_traced);
    world_run(world);
    uint64_t digest = world->digest;
    totals->seeds++;
    totals->steps += world->step;
    totals->tasks += world->audit.task_count;
    totals->awards += world->audit.awards;
    totals->entries += world->store.entry_count;
    totals->restarts += world->broker.restarts;
    totals->packets_lost += world->packets_lost;
    for (size_t i = 0; i < sizeof totals->kinds / sizeof *totals->kinds; i++) {
        totals->kinds[i] += world->audit.kinds[i];
    }
    world_release(world);
    return digest;
}

static void totals_print(const struct options *options, const struct totals *totals)
{
    printf("seeds=%" PRIu64 "..%" PRIu64 " runs=%" PRIu64 " steps=%" PRIu64 " tasks=%" PRIu64
           " awards=%" PRIu64 " entries=%" PRIu64 " restarts=%" PRIu64 " lost=%" PRIu64 "\n",
           options->seed, options->seed + options->seeds - 1, totals->seeds, totals->steps,
           totals->tasks, totals->awards, totals->entries, totals->restarts, totals->packets_lost);
    for (size_t i = 0; i < sizeof totals->kinds / sizeof *totals->kinds; i++) {
        if (totals->kinds[i] > 0) {
            printf("%s=%" PRIu64 " ", entry_kind_name((enum entry_kind)i), totals->kinds[i]);
        }
    }
    printf("\n");
}

int main(int count, char **arguments)
{
    static struct world world;
    struct options options = {.seed = 1, .seeds = 1, .steps = 1600};
    struct totals totals = {0};
    if (!options_read(&options, count, arguments) || sodium_init() < 0) {
        return 2;
    }
    if (options.is_traced) {
        setvbuf(stdout, NULL, _IOLBF,
                BUFSIZ); /* an assertion of the core leaves no time to flush */
    }
    fail_catch_signals();
    for (uint64_t i = 0; i < options.seeds; i++) {
        uint64_t digest = run(&world, options.seed + i, &options, &totals);
        if (options.seeds > 1 && i % 100 == 0) {
            uint64_t again = run(&world, options.seed + i, &options, &totals);
            require(digest == again, "determinism", "the same seed went another way");
        }
    }
    totals_print(&options, &totals);
    pool_release(&world.pool);
    return 0;
}
