/*
 * simulate: runs the broker's shell and core through the worlds of many seeds.
 *
 *     simulate --seed=N --steps=N [--seeds=COUNT] [--without=WEATHER,…] [--trace]
 *
 * A seed decides everything: the same seed gives the same trace, byte for byte; every hundredth
 * runs twice to prove it. Ends with 0, or at the first broken rule with 1, what reproduces it, and
 * the smallest command that does.
 */
#include "shrink.h"

#include <sodium.h>

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEED_SECONDS_MAX 120
#define LARGE_SIZE       262144 /* what a book allocates is fresh memory, of which little is used */

struct options {
    struct world_options world;
    uint64_t seeds;
    bool wants_shrink;
};

struct totals {
    uint64_t seeds;
    uint64_t steps;
    uint64_t tasks;
    uint64_t awards;
    uint64_t entries;
    uint64_t restarts;
    uint64_t packets_lost;
    uint64_t takeovers;
    uint64_t fenced;
    uint64_t answers_lost;
    uint64_t quarantines;
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

static bool option_read(struct options *options, const char *argument)
{
    if (strcmp(argument, "--trace") == 0) {
        options->world.is_traced = true;
    } else if (strcmp(argument, "--shrink") == 0) {
        options->wants_shrink = true;
    } else if (strcmp(argument, "--final") == 0) {
        fail_place.is_final = true;
    } else if (strncmp(argument, "--without=", 10) == 0) {
        return shrink_parse(argument + 10, &options->world.without);
    } else {
        return number_of(argument, "--seed=", &options->world.seed) ||
               number_of(argument, "--seeds=", &options->seeds) ||
               number_of(argument, "--steps=", &options->world.steps);
    }
    return true;
}

static bool options_read(struct options *options, int count, char **arguments)
{
    for (int i = 1; i < count; i++) {
        if (!option_read(options, arguments[i])) {
            fprintf(stderr,
                    "usage: simulate --seed=N --steps=N [--seeds=COUNT] "
                    "[--without=WEATHER,...] [--trace] [--shrink] [--final]\n"
                    "weather: %s\n",
                    shrink_names((UINT32_C(1) << WEATHER_COUNT) - 1));
            return false;
        }
    }
    fail_place.is_final = fail_place.is_final || options->world.is_traced;
    return true;
}

static uint64_t run(struct world *world, const struct world_options *options, struct totals *totals)
{
    alarm(SEED_SECONDS_MAX);
    world_init(world, options);
    world_run(world);
    uint64_t digest = world->digest;
    totals->seeds++;
    totals->steps += world->step;
    totals->tasks += world->audit.task_count;
    totals->awards += world->audit.awards;
    totals->entries += world->store.entry_count;
    totals->restarts += world->restarts;
    totals->packets_lost += world->packets_lost;
    totals->takeovers += world->takeovers;
    totals->fenced += world->fenced;
    totals->answers_lost += world->answers_lost;
    totals->quarantines += world->audit.quarantines;
    for (size_t i = 0; i < sizeof totals->kinds / sizeof *totals->kinds; i++) {
        totals->kinds[i] += world->audit.kinds[i];
    }
    world_release(world);
    return digest;
}

static void totals_print(const struct options *options, const struct totals *totals)
{
    printf(
        "seeds=%" PRIu64 "..%" PRIu64 " runs=%" PRIu64 " steps=%" PRIu64 " tasks=%" PRIu64
        " awards=%" PRIu64 " entries=%" PRIu64 " restarts=%" PRIu64 " takeovers=%" PRIu64
        " fenced=%" PRIu64 " answers-lost=%" PRIu64 " lost=%" PRIu64 " quarantines=%" PRIu64 "\n",
        options->world.seed, options->world.seed + options->seeds - 1, totals->seeds, totals->steps,
        totals->tasks, totals->awards, totals->entries, totals->restarts, totals->takeovers,
        totals->fenced, totals->answers_lost, totals->packets_lost, totals->quarantines);
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
    struct options options = {.world = {.seed = 1, .steps = 2000}, .seeds = 1};
    struct totals totals = {0};
    if (!options_read(&options, count, arguments) || sodium_init() < 0) {
        return 2;
    }
    if (options.wants_shrink) {
        return shrink(&options.world);
    }
    if (options.world.is_traced) {
        /* An assertion leaves no time to flush. */
        setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    }
    fail_place.without = shrink_names(options.world.without);
    mallopt(M_MMAP_THRESHOLD, LARGE_SIZE);
    fail_catch_signals();
    for (uint64_t i = 0; i < options.seeds; i++) {
        uint64_t digest = run(&world, &options.world, &totals);
        if (options.seeds > 1 && i % 100 == 0) {
            uint64_t again = run(&world, &options.world, &totals);
            require(digest == again, "determinism", "the same seed went another way");
        }
        options.world.seed++;
    }
    options.world.seed -= options.seeds;
    totals_print(&options, &totals);
    pool_release(&world.pool);
    return 0;
}
