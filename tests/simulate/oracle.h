/*
 * A second implementation of the award rule, straight from its text: which bid comes first, what
 * the winner is paid, what a commitment that ends is paid. Written without the core's code, to be
 * compared with what the core recorded.
 */
#ifndef TENDER_TESTS_SIMULATE_ORACLE_H
#define TENDER_TESTS_SIMULATE_ORACLE_H

#include "entry.h"

/* A bid as the entries tell it. */
struct oracle_bid {
    tender_bytes contractor;
    tender_bytes principal;
    tender_bytes root; /* of its principal, when it was heard */
    int64_t cost_micro;
    int64_t eta_us;
    int64_t valid_until_us;
    int64_t capacity; /* of a split round */
    bool is_eligible;
};

/* What the draw between equal bids depends on. */
struct oracle_draw {
    tender_id task;
    uint32_t round;
    tender_digest head;
};

/* floor(amount × part / whole), for any values that are not negative; `whole` above 0. */
int64_t oracle_share(int64_t amount, int64_t part, int64_t whole);

/*
 * Orders the eligible of `count` bids: cost, eta, draw; of each root principal only its best.
 *
 * order_out  [count]; receives indexes into `bids`. Returns how many.
 */
size_t oracle_rank(const struct oracle_bid *bids, size_t count, const struct oracle_draw *basis,
                   size_t *order_out);

/*
 * What order[position] is paid: the lowest cost among eligible bids of root principals that
 * own neither it nor one before it in the order; else the ceiling.
 */
int64_t oracle_price(const struct oracle_bid *bids, size_t count, const size_t *order,
                     size_t position, int64_t ceiling_micro);

tender_digest oracle_sha256(const void *bytes, size_t size);
/* The hash that `entry` must have after an entry with hash `previous`. */
tender_digest oracle_chain(const struct entry *entry, const tender_digest *previous);

#endif
