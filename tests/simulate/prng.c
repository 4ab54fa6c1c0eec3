#include "prng.h"

uint64_t prng_next(struct prng *prng)
{
    uint64_t mixed = prng->state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

uint64_t prng_below(struct prng *prng, uint64_t bound)
{
    /* The bias for bounds far below 2^64 does not matter here. */
    return prng_next(prng) % bound;
}

int64_t prng_between(struct prng *prng, int64_t low, int64_t high)
{
    return low + (int64_t)prng_below(prng, (uint64_t)(high - low) + 1);
}

bool prng_chance(struct prng *prng, uint32_t permille)
{
    return prng_below(prng, 1000) < permille;
}

int64_t prng_pick(struct prng *prng, const int64_t *values, size_t count)
{
    return values[prng_below(prng, count)];
}
