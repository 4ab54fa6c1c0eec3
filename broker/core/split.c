/*
 * The rules of split.h, on top of the search.
 *
 * Gains. A bidder saves s = split_unit_ceiling - unit cost ≥ 0 a unit against the virtual seller,
 * so the cheapest division is the one that saves most. In the choice a unit gains s (u + 1) + 1, u
 * being all units: then all that is covered weighs less than the least saving. For a pivot only the
 * saving matters.
 *
 * Parts are fewest. Let a set with fewer parts cost and cover the same as the one chosen. It covers
 * all, or it would take in one more of the chosen. None of those that only the chosen set has is
 * cheaper than its dearest, or it would be better off with that one. So, costing the same, the two
 * differ only in bidders of that dearest unit cost, and the chosen set, being first, has the
 * largest of them.
 *
 * Prices. Let S be the most that can be saved, S' that without one principal, and v the virtual
 * seller's price. What all would cost without it is v u - S'; what the others' units cost now is
 * v u - S less its cost. So its price is its cost + S - S'. S' ≤ S: a price is not below cost. And
 * S' is at least S less what it saves, for the virtual seller could have its units and be no part:
 * a price is not above v for each unit, and all prices together not above the ceiling.
 */
#include "split.h"

#include <assert.h>
#include <string.h>

/* Enough for two parts and their two pivots, however many bids: so a decision always comes. */
static_assert(SPLIT_STEPS_MAX >= 3 * SPLIT_BIDS_MAX * (SPLIT_BIDS_MAX + 1) / 2,
              "two parts may not be found");

/* A bid whose capacity is taken for another; index of none: UINT32_MAX. */
struct instead {
    uint32_t index;
    int64_t capacity;
};

static const struct instead as_bid = {UINT32_MAX, 0};

int64_t split_unit_ceiling(const struct split_terms *terms)
{
    assert(terms->units >= 1 && terms->units <= TENDER_UNITS_MAX);
    assert(terms->ceiling_micro >= 0 && terms->ceiling_micro <= TENDER_MONEY_MAX);
    return terms->ceiling_micro / terms->units; /* down, so that all units stay under the ceiling */
}

/* Puts a seller where the order of choice wants it: greater saving, then larger capacity. */
static void insert_seller(struct split_scratch *scratch, uint32_t bid, int64_t saves,
                          int64_t capacity)
{
    struct split_search *search = &scratch->search;
    uint32_t at = search->count++;
    for (; at > 0; at--) {
        if (scratch->saves[at - 1] > saves ||
            (scratch->saves[at - 1] == saves && search->capacity[at - 1] >= capacity)) {
            break;
        }
        scratch->bids[at] = scratch->bids[at - 1];
        scratch->saves[at] = scratch->saves[at - 1];
        search->capacity[at] = search->capacity[at - 1];
    }
    scratch->bids[at] = bid;
    scratch->saves[at] = saves;
    search->capacity[at] = capacity;
}

/*
 * Leaves out who is behind more than parts_max sellers of at least its capacity: whoever else is
 * missing, one of them is no part either, and would be better.
 */
static void drop_hopeless(struct split_scratch *scratch, uint32_t parts_max)
{
    struct split_search *search = &scratch->search;
    int64_t largest[SPLIT_PARTS_MAX + 1];
    uint32_t count = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < search->count; i++) {
        int64_t capacity = search->capacity[i];
        if (count == parts_max + 1 && largest[parts_max] >= capacity) {
            continue;
        }
        uint32_t at = count <= parts_max ? count++ : parts_max;
        for (; at > 0 && largest[at - 1] < capacity; at--) {
            largest[at] = largest[at - 1];
        }
        largest[at] = capacity;
        scratch->bids[kept] = scratch->bids[i];
        scratch->saves[kept] = scratch->saves[i];
        search->capacity[kept++] = capacity;
    }
    search->count = kept;
}

static void line_up(struct split_scratch *scratch, const struct split_bid *bids, uint32_t bid_count,
                    const struct split_terms *terms, struct instead instead)
{
    int64_t unit_ceiling = split_unit_ceiling(terms);
    scratch->search.count = 0;
    for (uint32_t i = 0; i < bid_count; i++) {
        int64_t capacity = i == instead.index ? instead.capacity : bids[i].capacity;
        assert(bids[i].unit_cost_micro >= 0);
        if (bids[i].unit_cost_micro <= unit_ceiling && capacity >= 1) {
            insert_seller(scratch, i, unit_ceiling - bids[i].unit_cost_micro,
                          capacity < terms->units ? capacity : terms->units);
        }
    }
    drop_hopeless(scratch, terms->parts_max);
}

/* Sets `parts` and `units`. Returns how many parts there are, or -1 when the steps are used up. */
static int choose(struct split_scratch *scratch, const struct split_terms *terms)
{
    struct split_search *search = &scratch->search;
    search->parts_max = terms->parts_max;
    search->units = terms->units;
    search->found.count = 0;
    for (uint32_t i = 0; i < search->count; i++) {
        search->gain[i] = (split_wide)scratch->saves[i] * (terms->units + 1) + 1;
    }
    if (!split_search(search, true)) {
        return -1;
    }
    int64_t left = terms->units;
    for (uint32_t i = 0; i < search->found.count; i++) {
        uint32_t seller = search->found.at[i];
        int64_t capacity = search->capacity[seller];
        scratch->parts[i] = seller;
        scratch->units[i] = capacity < left ? capacity : left;
        left -= scratch->units[i];
    }
    return (int)search->found.count;
}

static int64_t saved_by(const struct split_scratch *scratch, uint32_t part)
{
    return scratch->saves[scratch->parts[part]] * scratch->units[part];
}

/* Sets the pivot's price of each part. Returns false when the steps are used up. */
static bool price(struct split_scratch *scratch, uint32_t part_count, int64_t unit_ceiling)
{
    struct split_search *search = &scratch->search;
    int64_t saved = 0;
    for (uint32_t i = 0; i < search->count; i++) {
        search->gain[i] = scratch->saves[i];
    }
    for (uint32_t i = 0; i < part_count; i++) {
        saved += saved_by(scratch, i);
    }
    for (uint32_t i = 0; i < part_count; i++) {
        int64_t capacity = search->capacity[scratch->parts[i]];
        search->capacity[scratch->parts[i]] = 0;
        search->found.count = part_count;
        memcpy(search->found.at, scratch->parts, part_count * sizeof scratch->parts[0]);
        bool is_found = split_search(search, false);
        search->capacity[scratch->parts[i]] = capacity;
        if (!is_found) {
            return false;
        }
        int64_t cost = unit_ceiling * scratch->units[i] - saved_by(scratch, i);
        scratch->prices[i] = cost + saved - (int64_t)search->found.value;
        assert(scratch->prices[i] >= cost);
        assert(scratch->prices[i] <= unit_ceiling * scratch->units[i]);
    }
    return true;
}

/*
 * Leaves the parts, their units and prices in the scratch. Returns how many there are;
 * terms->parts_max falls by half until the steps suffice.
 */
static uint32_t decide(struct split_scratch *scratch, const struct split_bid *bids,
                       uint32_t bid_count, struct split_terms *terms, struct instead instead)
{
    assert(bid_count <= SPLIT_BIDS_MAX);
    assert(terms->parts_max >= 1 && terms->parts_max <= SPLIT_PARTS_MAX);
    line_up(scratch, bids, bid_count, terms, instead);
    for (;; terms->parts_max = (terms->parts_max + 1) / 2) {
        scratch->search.steps_left = SPLIT_STEPS_MAX;
        int part_count = choose(scratch, terms);
        if (part_count >= 0 && price(scratch, (uint32_t)part_count, split_unit_ceiling(terms))) {
            return (uint32_t)part_count;
        }
        assert(terms->parts_max > 2);
    }
}

struct split_result split_choose(struct split_bid *bids, uint32_t bid_count,
                                 const struct split_terms *terms, struct split_scratch *scratch)
{
    struct split_terms decided = *terms;
    uint32_t part_count = decide(scratch, bids, bid_count, &decided, as_bid);
    struct split_result result = {
        .part_count = part_count,
        .parts_max = decided.parts_max,
        .cost_micro = split_unit_ceiling(terms) * terms->units,
    };
    for (uint32_t i = 0; i < bid_count; i++) {
        bids[i].units = 0;
        bids[i].price_micro = 0;
    }
    for (uint32_t i = 0; i < part_count; i++) {
        struct split_bid *bid = &bids[scratch->bids[scratch->parts[i]]];
        bid->units = scratch->units[i];
        bid->price_micro = scratch->prices[i];
        result.covered += bid->units;
        result.cost_micro -= saved_by(scratch, i);
        result.price_micro += bid->price_micro;
    }
    assert(result.covered <= terms->units);
    assert(result.price_micro <= terms->ceiling_micro);
    return result;
}

int64_t split_pay(const struct split_bid *bids, uint32_t bid_count, const struct split_terms *terms,
                  uint32_t index, int64_t delivered, struct split_scratch *scratch)
{
    assert(index < bid_count);
    assert(delivered >= 0 && delivered <= bids[index].units);
    if (delivered == bids[index].units) {
        return bids[index].price_micro;
    }
    struct split_terms decided = *terms;
    struct instead instead = {index, delivered};
    uint32_t part_count = decide(scratch, bids, bid_count, &decided, instead);
    int64_t pro_rata = auction_share(bids[index].price_micro, delivered, bids[index].units);
    for (uint32_t i = 0; i < part_count; i++) {
        if (scratch->bids[scratch->parts[i]] == index) {
            return scratch->prices[i] < pro_rata ? scratch->prices[i] : pro_rata;
        }
    }
    return 0; /* with so little it would have had no part */
}
