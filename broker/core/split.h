/*
 * Split awards, as functions over arrays: which bids of a round share divisible work, how many
 * units each takes and what each is paid. Reads like the rules; knows no tasks, peers or clocks.
 *
 * A bid is a cost for one unit and a capacity. Who is eligible, ranks where and counts for its
 * principal is the auction's (auction_judge under split_unit_ceiling, auction_rank over unit
 * costs); the bids that count come here in the order of their ranks:
 *
 *     uint32_t counting = auction_rank(bids, bid_count, &draw, order);
 *     for (uint32_t i = 0; i < counting; i++) {
 *         parts[i] = (struct split_bid){bids[order[i]].cost_micro, capacity_of(order[i]), 0, 0};
 *     }
 *     struct split_result result = split_choose(parts, counting, &terms, scratch);
 *
 * Sold are `units` units. Beside the bidders stands a virtual seller of any number of units at
 * split_unit_ceiling each, which is no part; units that it wins stay uncovered. Chosen is, of all
 * divisions with at most `parts_max` parts:
 *   1. the cheapest, the virtual seller's units included;
 *   2. of those, the one that covers most: at equal cost a bidder comes before the virtual seller,
 *      since the client wants the work done and its ceiling says that it is worth that much;
 *   3. of those, the first in the order of choice: where two first differ, the bidder has more
 *      units. The order of choice is unit cost, then the larger capacity, then rank; it follows
 *      that no other of those has fewer parts.
 *
 * Price of a part (Clarke's pivot): what all would cost without that principal, less what the
 * others' units cost now. Hence unit cost × units ≤ price ≤ split_unit_ceiling × units, and all
 * prices together are at most the ceiling.
 *
 * Money in micro-credits; sums are exact, in 128 bits. MECHANISM.md says when truth pays.
 */
#ifndef TENDER_BROKER_CORE_SPLIT_H
#define TENDER_BROKER_CORE_SPLIT_H

#include "auction.h"
#include "split_search.h"

/* What is sold. */
struct split_terms {
    int64_t units;         /* of the round, 1 to TENDER_UNITS_MAX */
    int64_t ceiling_micro; /* of the round, 0 to TENDER_MONEY_MAX */
    uint32_t parts_max;    /* 1 to SPLIT_PARTS_MAX */
};

/*
 * One bid that counts.
 *
 * capacity  units that it offers; more than the round has is as good as all. Below 1, or with a
 *           unit cost above split_unit_ceiling, a bid is never chosen
 * units     out: of its part; 0: none
 * price_micro  out: for all its units; 0 without a part
 */
struct split_bid {
    int64_t unit_cost_micro;
    int64_t capacity;
    int64_t units;
    int64_t price_micro;
};

/*
 * How the units are divided.
 *
 * parts_max    that was decided with: fewer than the terms say only where the search would have
 *              taken more than SPLIT_STEPS_MAX steps. It goes into the record: split_pay and a
 *              replay need it
 * covered      units that bidders have; the others are the virtual seller's
 * cost_micro   of all units, at unit costs and split_unit_ceiling
 * price_micro  of all parts
 */
struct split_result {
    uint32_t part_count;
    uint32_t parts_max;
    int64_t covered;
    int64_t cost_micro;
    int64_t price_micro;
};

/* Working space, a third of a megabyte; one serves all rounds. Contents mean nothing between calls.
 */
struct split_scratch {
    struct split_search search;
    uint32_t bids[SPLIT_BIDS_MAX];   /* of each seller of the search, which bid it is */
    int64_t saves[SPLIT_BIDS_MAX];   /* of each seller, against the virtual one, for a unit */
    uint32_t parts[SPLIT_PARTS_MAX]; /* sellers chosen */
    int64_t units[SPLIT_PARTS_MAX];
    int64_t prices[SPLIT_PARTS_MAX];
};

/* The virtual seller's price for a unit, and the most that a bid may ask: floor(ceiling / units).
 */
int64_t split_unit_ceiling(const struct split_terms *terms);

/*
 * Divides the units and prices the parts.
 *
 * bids  [bid_count], at most SPLIT_BIDS_MAX, one a principal, in the order of their ranks; units
 *       and price_micro are set
 */
struct split_result split_choose(struct split_bid *bids, uint32_t bid_count,
                                 const struct split_terms *terms, struct split_scratch *scratch);

/*
 * What the part of bid `index` is paid for `delivered` of its units, 0 to all: its price for all;
 * for fewer the lesser of floor(price × delivered / units) and its price had its capacity been
 * `delivered`. (A client's cancelling is no under-delivery: then pro rata is due.)
 *
 * bids   as split_choose left them: all that counted, with the part's units and price
 * terms  with parts_max from the result
 */
int64_t split_pay(const struct split_bid *bids, uint32_t bid_count, const struct split_terms *terms,
                  uint32_t index, int64_t delivered, struct split_scratch *scratch);

#endif
