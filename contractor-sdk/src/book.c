/* Leaves and proofs of a round's book: see tender/book.h. */
#include "tender/book.h"

#include "bytes.h"
#include "path.h"

#include <sodium.h>
#include <string.h>

#define WHO_LABEL  "tender/who/v1"
#define WHAT_LABEL "tender/what/v1"
#define LEAF_LABEL "tender/bid/v1"

typedef crypto_hash_sha256_state hash_state;

static void add(hash_state *state, const void *data, size_t size)
{
    crypto_hash_sha256_update(state, data, size);
}

static void add_number(hash_state *state, uint64_t value, unsigned size)
{
    uint8_t bytes[8];
    (void)put_big_endian(bytes, value, (int)size);
    add(state, bytes, size);
}

static void add_name(hash_state *state, const char *name)
{
    add_number(state, strlen(name), 1);
    add(state, name, strlen(name));
}

static tender_digest end(hash_state *state)
{
    tender_digest digest;
    crypto_hash_sha256_final(state, digest.bytes);
    return digest;
}

/* Begins with a label and its NUL, a salt, and the round. */
static void begin(hash_state *state, const char *label, tender_digest salt,
                  const tender_book_bid *bid)
{
    crypto_hash_sha256_init(state);
    add(state, label, strlen(label) + 1);
    add(state, salt.bytes, sizeof salt);
    add(state, bid->task.bytes, sizeof bid->task);
    add_number(state, bid->round, 4);
}

static tender_digest salt_of(const char *part, const tender_book_bid *bid)
{
    hash_state state;
    crypto_hash_sha256_init(&state);
    add(&state, part, strlen(part));
    add(&state, bid->nonce, sizeof bid->nonce);
    return end(&state);
}

static tender_digest who_of(const tender_book_bid *bid)
{
    hash_state state;
    begin(&state, WHO_LABEL, salt_of("who", bid), bid);
    add_name(&state, bid->contractor);
    add_name(&state, bid->principal);
    return end(&state);
}

/* What is asked in the round of `bid`, behind a salt that may be another's. */
static tender_digest what_of(const tender_book_bid *bid, tender_digest salt)
{
    hash_state state;
    begin(&state, WHAT_LABEL, salt, bid);
    add_number(&state, (uint64_t)bid->cost_micro, 8);
    add_number(&state, (uint64_t)bid->eta_us, 8);
    add_number(&state, (uint64_t)bid->capacity, 8);
    return end(&state);
}

static tender_digest leaf_of(tender_digest who, tender_digest what)
{
    hash_state state;
    crypto_hash_sha256_init(&state);
    add_number(&state, 0, 1);
    add(&state, LEAF_LABEL, sizeof LEAF_LABEL);
    add(&state, who.bytes, sizeof who);
    add(&state, what.bytes, sizeof what);
    return end(&state);
}

tender_digest tender_book_leaf(const tender_book_bid *bid)
{
    return leaf_of(who_of(bid), what_of(bid, salt_of("what", bid)));
}

/* The bytes of a proof, from the first one that was not read. */
struct reading {
    const uint8_t *at;
    size_t left;
    bool has_failed;
};

static void take(struct reading *reading, void *out, size_t size)
{
    if (reading->left < size) {
        reading->has_failed = true;
        memset(out, 0, size);
        return;
    }
    memcpy(out, reading->at, size);
    reading->at += size;
    reading->left -= size;
}

static uint64_t take_number(struct reading *reading, size_t size)
{
    uint8_t bytes[8];
    uint64_t value = 0;
    take(reading, bytes, size);
    for (size_t i = 0; i < size; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

/* Whether the path that is read next leads from the leaf at `place` to the root. */
static bool leads_up(struct reading *reading, tender_digest node, uint64_t place,
                     const tender_book_proof *proof)
{
    uint64_t left = take_number(reading, 1);
    struct climb climb = {place, proof->bids - 1};
    if (place >= proof->bids) {
        return false;
    }
    while (climb.last > 0 && left > 0 && !reading->has_failed) {
        tender_digest beside;
        take(reading, beside.bytes, sizeof beside);
        node = climb_step(&climb) ? path_join(beside, node) : path_join(node, beside);
        left--;
    }
    return climb.last == 0 && left == 0 && !reading->has_failed &&
           memcmp(&node, &proof->book, sizeof node) == 0;
}

static int give(int status, const char *why, const char **why_out)
{
    *why_out = why;
    return status;
}

/* The opened bid that set the price. Returns whether it is in the book. */
static bool read_setter(struct reading *reading, const tender_book_bid *bid,
                        const tender_book_proof *proof, tender_book_price *price_out)
{
    tender_digest who;
    tender_digest salt;
    tender_book_bid asked = {.task = bid->task, .round = bid->round};
    uint64_t place = take_number(reading, 4);
    take(reading, who.bytes, sizeof who);
    asked.cost_micro = (int64_t)take_number(reading, 8);
    asked.eta_us = (int64_t)take_number(reading, 8);
    asked.capacity = (int64_t)take_number(reading, 8);
    take(reading, salt.bytes, sizeof salt);
    *price_out = (tender_book_price){true, place == proof->place, asked.cost_micro};
    return leads_up(reading, leaf_of(who, what_of(&asked, salt)), place, proof);
}

int tender_book_check(const tender_book_bid *bid, const tender_book_proof *proof,
                      tender_book_price *price_out, const char **why_out)
{
    struct reading reading = {proof->proof.data, proof->proof.size, proof->bids == 0};
    *price_out = (tender_book_price){false, false, 0};
    bool is_in = leads_up(&reading, tender_book_leaf(bid), proof->place, proof);
    if (reading.has_failed) {
        return give(TENDER_EPROTOCOL, "it is not of the form of a proof", why_out);
    }
    if (!is_in) {
        return give(TENDER_EREFUSED, "the bid is not in the book", why_out);
    }
    bool has_setter = reading.left > 0;
    bool is_setter_in = !has_setter || read_setter(&reading, bid, proof, price_out);
    if (reading.has_failed || reading.left > 0) {
        return give(TENDER_EPROTOCOL, "it is not of the form of a proof", why_out);
    }
    return is_setter_in
               ? give(0, NULL, why_out)
               : give(TENDER_EREFUSED, "the bid that set the price is not in the book", why_out);
}
