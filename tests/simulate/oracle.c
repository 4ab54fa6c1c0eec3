#include "oracle.h"

#include "pool.h"

#include <sodium.h>
#include <string.h>

int64_t oracle_share(int64_t amount, int64_t part, int64_t whole)
{
    return (int64_t)((__int128)amount * part / whole);
}

tender_digest oracle_sha256(const void *bytes, size_t size)
{
    tender_digest digest;
    crypto_hash_sha256(digest.bytes, bytes, size);
    return digest;
}

static void put_big_endian(unsigned char *bytes, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(value >> (8 * (size - 1 - i)));
    }
}

tender_digest oracle_chain(const struct entry *entry, const tender_digest *previous)
{
    static const char label[] = "tender/entry/v1"; /* its NUL counts */
    const char *kind = entry_kind_name(entry->kind);
    unsigned char number[16];
    tender_digest digest;
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)label, sizeof label);
    crypto_hash_sha256_update(&state, previous->bytes, sizeof previous->bytes);
    crypto_hash_sha256_update(&state, entry->task.bytes, sizeof entry->task.bytes);
    put_big_endian(number, entry->number, 8);
    put_big_endian(number + 8, (uint64_t)entry->at_us, 8);
    crypto_hash_sha256_update(&state, number, sizeof number);
    crypto_hash_sha256_update(&state, (const unsigned char *)kind, strlen(kind) + 1);
    crypto_hash_sha256_update(&state, entry->body.data, entry->body.size);
    crypto_hash_sha256_final(&state, digest.bytes);
    return digest;
}

static tender_digest draw(const struct oracle_draw *basis, tender_bytes contractor)
{
    static const char label[] = "tender/rank/v1";
    unsigned char bytes[sizeof label - 1 + 16 + 4 + 32 + TENDER_NAME_MAX];
    unsigned char *end = bytes;
    memcpy(end, label, sizeof label - 1);
    end += sizeof label - 1;
    memcpy(end, basis->task.bytes, 16);
    end += 16;
    put_big_endian(end, basis->round, 4);
    end += 4;
    memcpy(end, basis->head.bytes, 32);
    end += 32;
    memcpy(end, contractor.data, contractor.size);
    end += contractor.size;
    return oracle_sha256(bytes, (size_t)(end - bytes));
}

static bool is_better(const struct oracle_bid *left, const struct oracle_bid *right,
                      const struct oracle_draw *basis)
{
    if (left->cost_micro != right->cost_micro) {
        return left->cost_micro < right->cost_micro;
    }
    if (left->eta_us != right->eta_us) {
        return left->eta_us < right->eta_us;
    }
    tender_digest left_draw = draw(basis, left->contractor);
    tender_digest right_draw = draw(basis, right->contractor);
    return memcmp(left_draw.bytes, right_draw.bytes, sizeof left_draw.bytes) < 0;
}

/* Whether a bid of the same root principal is better, so that this one does not count. */
static bool is_eclipsed(const struct oracle_bid *bids, size_t count, size_t index,
                        const struct oracle_draw *basis)
{
    for (size_t i = 0; i < count; i++) {
        if (i != index && bids[i].is_eligible && bytes_equal(bids[i].root, bids[index].root) &&
            is_better(&bids[i], &bids[index], basis)) {
            return true;
        }
    }
    return false;
}

size_t oracle_rank(const struct oracle_bid *bids, size_t count, const struct oracle_draw *basis,
                   size_t *order_out)
{
    size_t ranked = 0;
    for (size_t i = 0; i < count; i++) {
        if (!bids[i].is_eligible || is_eclipsed(bids, count, i, basis)) {
            continue;
        }
        size_t place = ranked++;
        for (; place > 0 && is_better(&bids[i], &bids[order_out[place - 1]], basis); place--) {
            order_out[place] = order_out[place - 1];
        }
        order_out[place] = i;
    }
    return ranked;
}

static bool is_owned_by_one_before(const struct oracle_bid *bids, const size_t *order,
                                   size_t position, tender_bytes root)
{
    for (size_t i = 0; i <= position; i++) {
        if (bytes_equal(bids[order[i]].root, root)) {
            return true;
        }
    }
    return false;
}

int64_t oracle_price(const struct oracle_bid *bids, size_t count, const size_t *order,
                     size_t position, int64_t ceiling_micro)
{
    int64_t price = ceiling_micro;
    for (size_t i = 0; i < count; i++) {
        if (bids[i].is_eligible && bids[i].cost_micro < price &&
            !is_owned_by_one_before(bids, order, position, bids[i].root)) {
            price = bids[i].cost_micro;
        }
    }
    return price;
}
