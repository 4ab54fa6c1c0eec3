/*
 * The auction, as functions over arrays: who is eligible, who ranks where, what the winner is paid.
 * Reads like the rules; knows no tasks, peers or clocks.
 */
#ifndef TENDER_BROKER_CORE_AUCTION_H
#define TENDER_BROKER_CORE_AUCTION_H

#include "tender/vocabulary.h"

#define AUCTION_BIDS_MAX 1024 /* standing bids of one round; further ones are ineligible */

/* What a bid must keep to, in µs and micro-credits. `valid_until_us` at least `binds_until_us`. */
struct auction_terms {
    int64_t ceiling_micro;
    int64_t due_us;
    int64_t binds_until_us; /* close and acknowledgement */
};

/*
 * One bid.
 *
 * principal  number of the root principal: equal numbers price and rank as one
 * reason     in: NONE, or why the bid is not eligible; out: how it fared
 * rank       out: from 1 among the bids that count, else 0
 * draw       working space
 */
struct auction_bid {
    int64_t cost_micro;
    int64_t eta_us;
    int64_t valid_until_us; /* 0: until rejected */
    tender_bytes contractor;
    uint32_t principal;
    tender_reason reason;
    uint32_t rank;
    bool is_drawn;
    tender_digest draw;
};

/* What the draw for ties is made from. */
struct auction_draw {
    tender_id task;
    uint32_t round;
    tender_digest head; /* of the task's chain just before the round's own entry */
};

/* Why cost, eta or validity make a bid ineligible, or NONE. */
tender_reason auction_judge(const struct auction_terms *terms, int64_t cost_micro, int64_t eta_us,
                            int64_t valid_until_us);

/*
 * Ranks the bids.
 *
 * bids       [bid_count], at most AUCTION_BIDS_MAX; reason and rank are set
 * order_out  [bid_count] receives indexes: the bids that count from best to worst, then those whose
 *            principal has a better one, then the ineligible ones
 *
 * Cost, then eta, then SHA-256("tender/rank/v1" ‖ task ‖ round (u32, big-endian) ‖ head ‖
 * contractor name), so that no order of arrival and no restart changes it. Returns how many bids
 * count.
 */
uint32_t auction_rank(struct auction_bid *bids, uint32_t bid_count, const struct auction_draw *draw,
                      uint32_t *order_out);

/*
 * What the bid of rank `rank` is paid if all before it had never bid: the cost of the next rank,
 * which is another principal's, else the ceiling. costs [count] are those of the counting bids in
 * rank order. `setter_out` receives the rank that sets the price, or 0 for the ceiling.
 */
int64_t auction_price(const int64_t *costs_micro, uint32_t count, uint32_t rank,
                      int64_t ceiling_micro, uint32_t *setter_out);

/* floor(amount × part / whole), in 128 bits; 0 ≤ part, 0 < whole. */
int64_t auction_share(int64_t amount, int64_t part, int64_t whole);

#endif
