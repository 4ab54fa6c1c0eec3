/*
 * Numbers from a seed (splitmix64): the only source of chance in the simulator.
 */
#ifndef TENDER_TESTS_SIMULATE_PRNG_H
#define TENDER_TESTS_SIMULATE_PRNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prng {
    uint64_t state;
};

uint64_t prng_next(struct prng *prng);
/* 0 to `bound` - 1; `bound` above 0. */
uint64_t prng_below(struct prng *prng, uint64_t bound);
/* `low` to `high`, both included. */
int64_t prng_between(struct prng *prng, int64_t low, int64_t high);
/* True in `permille` of 1000 cases. */
bool prng_chance(struct prng *prng, uint32_t permille);
/* One of `count` values. */
int64_t prng_pick(struct prng *prng, const int64_t *values, size_t count);

#endif
