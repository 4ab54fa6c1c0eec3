/* The Bloom filter of filter.h: four bits for each hash, all in one cache line. */
#include "filter.h"

#include <stdlib.h>

#define LINE_WORDS 8
#define PROBES     4

int filter_init(struct filter *filter, uint32_t count)
{
    uint64_t bits = UINT64_C(64) * LINE_WORDS;
    while (bits < (uint64_t)count * 64 && bits < FILTER_BITS_MAX) {
        bits *= 2;
    }
    filter->line_count = bits / 64 / LINE_WORDS;
    filter->words = calloc(bits / 64, sizeof *filter->words);
    return filter->words != NULL ? 0 : TENDER_ENOMEM;
}

void filter_release(struct filter *filter)
{
    free(filter->words);
    filter->words = NULL;
}

static size_t line_of(const struct filter *filter, uint64_t hash)
{
    return (size_t)((hash >> 36) % filter->line_count) * LINE_WORDS;
}

void filter_add(struct filter *filter, uint64_t hash)
{
    uint64_t *line = filter->words + line_of(filter, hash);
    for (unsigned probe = 0; probe < PROBES; probe++) {
        unsigned bit = (unsigned)(hash >> (9 * probe)) & 511;
        line[bit / 64] |= UINT64_C(1) << bit % 64;
    }
}

bool filter_may_hold(const struct filter *filter, uint64_t hash)
{
    const uint64_t *line = filter->words + line_of(filter, hash);
    for (unsigned probe = 0; probe < PROBES; probe++) {
        unsigned bit = (unsigned)(hash >> (9 * probe)) & 511;
        if ((line[bit / 64] >> bit % 64 & 1) == 0) {
            return false;
        }
    }
    return true;
}
