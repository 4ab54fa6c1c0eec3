/*
 * A bid as a leaf of its round's book: a commitment that says nothing about the bid to whoever does
 * not know its nonce, and whose price can be opened without its author (ledger/CHAIN.md).
 */
#ifndef TENDER_LEDGER_ENTRY_BID_H
#define TENDER_LEDGER_ENTRY_BID_H

#include "tender/vocabulary.h"

/*
 * What a bid says, as it is recorded: what was not readable is 0.
 *
 * nonce  the bidder's own; all zero where it gave none
 */
struct bid_terms {
    tender_id task;
    uint32_t round;
    tender_bytes contractor;
    tender_bytes principal;
    int64_t cost_micro; /* for a unit, in a split round */
    int64_t eta_us;
    int64_t capacity; /* units, in a split round; else 0 */
    tender_id nonce;
};

/*
 * who   stands for contractor and principal, and is known by the nonce alone
 * what  stands for cost, eta and capacity, and can be opened by its salt
 * leaf  stands for both in the book
 */
struct bid_commitment {
    tender_digest who;
    tender_digest what;
    tender_digest salt;
    tender_digest leaf;
};

void bid_commit(const struct bid_terms *terms, struct bid_commitment *commitment_out);

#endif
