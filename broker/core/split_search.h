/*
 * The search behind split awards: of sellers with a gain for each unit and a capacity, at most so
 * many parts that together gain most from a number of units. Knows no money, bids or principals.
 */
#ifndef TENDER_BROKER_CORE_SPLIT_SEARCH_H
#define TENDER_BROKER_CORE_SPLIT_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#define SPLIT_BIDS_MAX  1024    /* bids of one round that count */
#define SPLIT_PARTS_MAX 16      /* parts of one round */
#define SPLIT_STEPS_MAX 4194304 /* of a search and its pivots together: tens of milliseconds */

typedef __int128 split_wide;

/* Sellers that share the units, `at` ascending: each takes what it can, in that order. */
struct split_set {
    uint32_t at[SPLIT_PARTS_MAX];
    uint32_t count;
    split_wide value; /* gains of all units */
};

/*
 * A problem, its answer and the room to find it in.
 *
 * count, gain, capacity  sellers by falling gain for a unit, which is at least 0; one of capacity 0
 *                        is not there. Gain × units, times parts_max, must not overflow
 * found       in: a set to start from, maybe empty; out: the best
 * steps_left  in: how many steps may be taken; out: how many are left
 */
struct split_search {
    uint32_t count;
    uint32_t parts_max;
    int64_t units;
    split_wide gain[SPLIT_BIDS_MAX];
    int64_t capacity[SPLIT_BIDS_MAX];
    struct split_set found;
    uint64_t steps_left;
    /* working space */
    split_wide unit_price; /* what the bound takes for a unit */
    split_wide bound;      /* no set is worth more */
    split_wide tops[SPLIT_BIDS_MAX + 1][SPLIT_PARTS_MAX + 1];
};

/*
 * Finds a set of the greatest value. With `is_first`, of those the first in order: where two first
 * differ, the seller takes more units. Returns false when the steps did not suffice; `found` is
 * then only the best seen.
 */
bool split_search(struct split_search *search, bool is_first);

#endif
