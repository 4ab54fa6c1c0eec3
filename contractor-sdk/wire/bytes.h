/*
 * Bytes: whether two are the same, and integers as bytes, the highest first, as they stand in what
 * is hashed or signed.
 */
#ifndef TENDER_CONTRACTOR_SDK_WIRE_BYTES_H
#define TENDER_CONTRACTOR_SDK_WIRE_BYTES_H

#include "tender/vocabulary.h"

#include <string.h>

static inline bool bytes_equal(tender_bytes left, tender_bytes right)
{
    return left.size == right.size &&
           (left.size == 0 || memcmp(left.data, right.data, left.size) == 0);
}

/* Writes the lowest `size` bytes of `value`. Returns what is behind them. */
static inline uint8_t *put_big_endian(uint8_t *at, uint64_t value, int size)
{
    for (int i = size - 1; i >= 0; i--, value >>= 8) {
        at[i] = (uint8_t)value;
    }
    return at + size;
}

#endif
