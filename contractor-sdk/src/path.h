/*
 * The way from a leaf of a hash tree up to its root, as RFC 9162 (section 2.1.3.2) walks it.
 * Internal to the SDK.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_PATH_H
#define TENDER_CONTRACTOR_SDK_SRC_PATH_H

#include "tender/vocabulary.h"

#include <sodium.h>
#include <string.h>

/* Where one stands: at node `at` of a level whose last node is `last`. The root has last 0. */
struct climb {
    uint64_t at;
    uint64_t last;
};

/* One step up. Returns whether what comes lies to the left. */
static inline bool climb_step(struct climb *climb)
{
    bool is_left = (climb->at & 1) != 0 || climb->at == climb->last;
    while (is_left && (climb->at & 1) == 0 && climb->at != 0) {
        climb->at >>= 1;
        climb->last >>= 1;
    }
    climb->at >>= 1;
    climb->last >>= 1;
    return is_left;
}

/* The node above two others. */
static inline tender_digest path_join(tender_digest left, tender_digest right)
{
    uint8_t bytes[1 + 2 * sizeof(tender_digest)] = {1};
    tender_digest joined;
    memcpy(bytes + 1, left.bytes, sizeof left);
    memcpy(bytes + 1 + sizeof left, right.bytes, sizeof right);
    crypto_hash_sha256(joined.bytes, bytes, sizeof bytes);
    return joined;
}

#endif
