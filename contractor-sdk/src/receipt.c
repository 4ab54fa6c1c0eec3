/* What becomes of a bid, checked by its bidder: see receipt.h. */
#include "receipt.h"

#include <sodium.h>
#include <string.h>

void receipt_begin(struct receipt *receipt, int64_t cost_micro, int64_t eta_us, int64_t capacity)
{
    if (receipt->has_bid) {
        return;
    }
    *receipt = (struct receipt){
        .has_bid = true, .cost_micro = cost_micro, .eta_us = eta_us, .capacity = capacity};
    randombytes_buf(&receipt->nonce, sizeof receipt->nonce);
}

static tender_book_bid bid_of(const struct receipt *receipt, const struct receipt_round *round)
{
    tender_book_bid bid = {.task = round->task,
                           .round = (uint32_t)round->round,
                           .contractor = round->contractor,
                           .principal = round->principal,
                           .cost_micro = receipt->cost_micro,
                           .eta_us = receipt->eta_us,
                           .capacity = receipt->capacity};
    memcpy(bid.nonce, receipt->nonce.bytes, sizeof bid.nonce);
    return bid;
}

const char *receipt_take(struct receipt *receipt, const struct receipt_round *round,
                         const struct message *told)
{
    tender_book_bid bid = bid_of(receipt, round);
    tender_digest leaf = tender_book_leaf(&bid);
    if (!receipt->has_bid) {
        return NULL; /* of an earlier life of this program */
    }
    if (memcmp(&leaf, &told->digest, sizeof leaf) != 0) {
        return "another bid was recorded than was said";
    }
    if (receipt->is_recorded && receipt->place != (uint64_t)told->number) {
        return "the bid has two places in the book";
    }
    receipt->is_recorded = true;
    receipt->place = (uint64_t)told->number;
    return NULL;
}

/* Whether this answer must show where the bid is: it was ranked in a round that decided. Parts of a
 * split one are awarded when its bids are gone. */
static bool must_show(const struct receipt_round *round, const struct message *told)
{
    if (told->performative == TENDER_ACCEPT_PROPOSAL) {
        return !round->is_split;
    }
    return message_has(told, MESSAGE_RANK) && told->reason != TENDER_REASON_IMPROVING;
}

static const char *check_price(const struct receipt *receipt, const struct receipt_round *round,
                               const struct message *told, const tender_book_price *price)
{
    bool has_won = told->performative == TENDER_ACCEPT_PROPOSAL;
    if (round->is_split || !message_has(told, MESSAGE_PRICE)) {
        return NULL;
    }
    if (price->has_setter && told->price_micro != price->cost_micro) {
        return "the price is not the cost of the bid that set it";
    }
    if (!price->has_setter && told->price_micro != round->ceiling_micro) {
        return "the price is neither a bid's cost nor the ceiling";
    }
    if (has_won && price->is_own) {
        return "the winner's own bid set its price";
    }
    if (has_won && told->price_micro < receipt->cost_micro) {
        return "the price is below the cost that was bid";
    }
    bool is_outbid = !has_won && told->reason == TENDER_REASON_OUTBID;
    if (is_outbid && receipt->cost_micro < told->price_micro) {
        return "the price is above a bid that did not win";
    }
    return NULL;
}

const char *receipt_check(const struct receipt *receipt, const struct receipt_round *round,
                          const struct message *told)
{
    if (!receipt->has_bid || !message_has(told, MESSAGE_PROOF)) {
        bool is_missed = receipt->is_recorded && must_show(round, told);
        return is_missed ? "the broker does not show that the bid is in the book" : NULL;
    }
    tender_book_bid bid = bid_of(receipt, round);
    tender_book_proof proof = {told->book, (uint64_t)told->bids, (uint64_t)told->number,
                               told->proof};
    tender_book_price price;
    const char *why = NULL;
    if (receipt->is_recorded && proof.place != receipt->place) {
        return "the bid is not at its place in the book";
    }
    if (tender_book_check(&bid, &proof, &price, &why) != 0) {
        return why;
    }
    return check_price(receipt, round, told, &price);
}
