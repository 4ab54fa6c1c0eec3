/*
 * What a contractor keeps of a bid to see whether the broker treats it as it must: see
 * tender/book.h. Under the session's lock. Internal to the SDK.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_RECEIPT_H
#define TENDER_CONTRACTOR_SDK_SRC_RECEIPT_H

#include "message.h"
#include "tender/book.h"

/*
 * has_bid      the bid was said: cost, eta, capacity and nonce are set
 * is_recorded  its receipt was heard: place is set
 */
struct receipt {
    bool has_bid;
    bool is_recorded;
    int64_t cost_micro;
    int64_t eta_us;
    int64_t capacity;
    tender_id nonce;
    uint64_t place;
};

/* Whose bid it is, and what it was asked for; texts are borrowed. split: of a split round. */
struct receipt_round {
    tender_id task;
    int64_t round;
    int64_t ceiling_micro;
    bool is_split;
    const char *contractor;
    const char *principal;
};

/* Keeps what is bid, with a nonce: a bid that is said again keeps its first one. */
void receipt_begin(struct receipt *receipt, int64_t cost_micro, int64_t eta_us, int64_t capacity);

/* Takes the broker's receipt, and checks its answer when the round has closed (an award or a
 * rejection). Return NULL, or a static sentence: what is not as it must be. */
const char *receipt_take(struct receipt *receipt, const struct receipt_round *round,
                         const struct message *told);
const char *receipt_check(const struct receipt *receipt, const struct receipt_round *round,
                          const struct message *told);

#endif
