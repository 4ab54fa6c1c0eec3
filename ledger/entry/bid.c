/* The leaf of a bid: see bid.h. */
#include "bid.h"

#include "bytes.h"
#include "sha256.h"
#include "tree.h"

#include <assert.h>
#include <string.h>

/* Each with its NUL, as they are hashed. */
#define WHO_LABEL  "tender/who/v1"
#define WHAT_LABEL "tender/what/v1"
#define LEAF_LABEL "tender/bid/v1"

static tender_digest salt(const char *label, size_t size, const tender_id *nonce)
{
    const tender_bytes pieces[2] = {{label, size}, {nonce->bytes, sizeof nonce->bytes}};
    return sha256_pieces(pieces, 2);
}

static uint8_t *put_bytes(uint8_t *at, const void *data, size_t size)
{
    if (size > 0) {
        memcpy(at, data, size);
    }
    return at + size;
}

/* A name behind the byte that is its size. */
static uint8_t *put_name(uint8_t *at, tender_bytes name)
{
    assert(name.size <= TENDER_NAME_MAX);
    at = put_big_endian(at, name.size, 1);
    return put_bytes(at, name.data, name.size);
}

static uint8_t *put_round(uint8_t *at, const struct bid_terms *terms)
{
    at = put_bytes(at, terms->task.bytes, sizeof terms->task.bytes);
    return put_big_endian(at, terms->round, 4);
}

static tender_digest commit_who(const struct bid_terms *terms)
{
    uint8_t bytes[sizeof WHO_LABEL + 32 + 16 + 4 + 2 * (1 + TENDER_NAME_MAX)];
    tender_digest key = salt("who", 3, &terms->nonce);
    uint8_t *at = put_bytes(bytes, WHO_LABEL, sizeof WHO_LABEL);
    at = put_bytes(at, key.bytes, sizeof key.bytes);
    at = put_round(at, terms);
    at = put_name(at, terms->contractor);
    at = put_name(at, terms->principal);
    const tender_bytes whole = {bytes, (size_t)(at - bytes)};
    return sha256_pieces(&whole, 1);
}

static tender_digest commit_what(const struct bid_terms *terms, const tender_digest *key)
{
    uint8_t bytes[sizeof WHAT_LABEL + 32 + 16 + 4 + 3 * 8];
    uint8_t *at = put_bytes(bytes, WHAT_LABEL, sizeof WHAT_LABEL);
    at = put_bytes(at, key->bytes, sizeof key->bytes);
    at = put_round(at, terms);
    at = put_big_endian(at, (uint64_t)terms->cost_micro, 8);
    at = put_big_endian(at, (uint64_t)terms->eta_us, 8);
    at = put_big_endian(at, (uint64_t)terms->capacity, 8);
    const tender_bytes whole = {bytes, (size_t)(at - bytes)};
    return sha256_pieces(&whole, 1);
}

void bid_commit(const struct bid_terms *terms, struct bid_commitment *commitment_out)
{
    uint8_t bytes[sizeof LEAF_LABEL + 2 * sizeof(tender_digest)];
    commitment_out->salt = salt("what", 4, &terms->nonce);
    commitment_out->who = commit_who(terms);
    commitment_out->what = commit_what(terms, &commitment_out->salt);
    uint8_t *at = put_bytes(bytes, LEAF_LABEL, sizeof LEAF_LABEL);
    at = put_bytes(at, commitment_out->who.bytes, sizeof commitment_out->who.bytes);
    (void)put_bytes(at, commitment_out->what.bytes, sizeof commitment_out->what.bytes);
    commitment_out->leaf = tree_leaf((tender_bytes){bytes, sizeof bytes});
}
