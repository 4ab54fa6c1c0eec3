/*
 * The book of a round: what a bidder, or whoever it shows this to, needs to see that its bid was
 * counted and that the price is somebody's cost, from what the broker told it alone.
 *
 * All bids of a round, the refused ones too, are the leaves of a hash tree (RFC 6962). A leaf says
 * nothing to who does not know the bidder's nonce. The library gives each bid one, keeps what it is
 * told, and raises TENDER_EVENT_DISPUTE where these checks fail; programs need them only for bids
 * of others.
 *
 * Nothing here connects, allocates or keeps state. PROTOCOL.md, The book, has every byte. For C11
 * and C++.
 */
#ifndef TENDER_BOOK_H
#define TENDER_BOOK_H

#include "tender/vocabulary.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TENDER_NONCE_SIZE 16

/*
 * A bid, as it was said.
 *
 * contractor, principal  its author, NUL-terminated
 * cost_micro             for one unit in a split round
 * capacity               of a split round, else 0
 */
typedef struct tender_book_bid {
    tender_id task;
    uint32_t round;
    const char *contractor;
    const char *principal;
    int64_t cost_micro;
    int64_t eta_us;
    int64_t capacity;
    uint8_t nonce[TENDER_NONCE_SIZE];
} tender_book_bid;

/*
 * What the broker showed when the round had closed.
 *
 * book, bids   root over how many bids
 * place        of the bid, from 0
 * proof        the way up to the root, and the bid that set the price where one did
 */
typedef struct tender_book_proof {
    tender_digest book;
    uint64_t bids;
    uint64_t place;
    tender_bytes proof;
} tender_book_proof;

/*
 * What a proof shows of the price.
 *
 * has_setter  a bid set it; otherwise the price is the ceiling of the round
 * is_own      that bid is the bidder's own
 * cost_micro  its cost, which is the price
 */
typedef struct tender_book_price {
    bool has_setter;
    bool is_own;
    int64_t cost_micro;
} tender_book_price;

/* The leaf of a bid, as its receipt names it. */
TENDER_API tender_digest tender_book_leaf(const tender_book_bid *bid);

/*
 * Whether the bid is in the book at its place, and so is the one that set the price.
 *
 * Returns 0 and fills *price_out; TENDER_EPROTOCOL for what is no proof; TENDER_EREFUSED where a
 * way does not lead to the root. *why_out then is a static sentence.
 */
TENDER_API TENDER_MUST_CHECK int tender_book_check(const tender_book_bid *bid,
                                                   const tender_book_proof *proof,
                                                   tender_book_price *price_out,
                                                   const char **why_out);

/*
 * The broker treats a bid of yours as it must not: recorded another one, left it out of the book of
 * its round, or paid a price that does not follow. What it said of the bid comes as ever. `claim`
 * is a static sentence; `tender verify award` shows the whole argument to an auditor.
 */
typedef struct tender_dispute {
    tender_id task;
    int64_t round;
    const char *claim;
} tender_dispute;

#ifdef __cplusplus
}
#endif

#endif
