/*
 * Reads one msgpack object head at a time from borrowed bytes; never beyond their end, and never
 * allocates. check.c walks whole frames with it, unpack.c reads fields. Internal to the wire.
 */
#ifndef TENDER_CONTRACTOR_SDK_WIRE_SCAN_H
#define TENDER_CONTRACTOR_SDK_WIRE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tender/vocabulary.h"

enum scan_kind {
    SCAN_END, /* no bytes left, a head cut short, or a byte that begins nothing */
    SCAN_INT,
    SCAN_BIG, /* an unsigned integer beyond int64_t */
    SCAN_STR,
    SCAN_BIN,
    SCAN_ARRAY,
    SCAN_MAP,
    SCAN_OTHER /* nil, booleans, floats, extensions: skipped whole */
};

/*
 * integer  for SCAN_INT
 * bytes    for SCAN_STR and SCAN_BIN, borrowed
 * count    elements of an array, pairs of a map; they follow, and may be fewer than it says
 */
struct scan_token {
    enum scan_kind kind;
    uint32_t count;
    int64_t integer;
    tender_bytes bytes;
};

struct scan {
    const uint8_t *at;
    const uint8_t *end;
};

static inline size_t scan_left(const struct scan *scan)
{
    return (size_t)(scan->end - scan->at);
}

/* A big-endian integer of `size` bytes; the caller has checked that they are there. */
static inline uint64_t scan_big_endian(const uint8_t *at, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) {
        value = value << 8 | at[i];
    }
    return value;
}

/* Takes a head of `size` bytes; false when it is cut short. */
static inline bool scan_head(struct scan *scan, size_t size, uint64_t *value_out)
{
    if (scan_left(scan) < size) {
        return false;
    }
    *value_out = scan_big_endian(scan->at, size);
    scan->at += size;
    return true;
}

/* Takes `size` bytes as the payload of a token of `kind`. */
static inline enum scan_kind scan_payload(struct scan *scan, uint64_t size, enum scan_kind kind,
                                          struct scan_token *token)
{
    if (scan_left(scan) < size) {
        return SCAN_END;
    }
    token->bytes = (tender_bytes){scan->at, (size_t)size};
    scan->at += size;
    return kind;
}

/* The kinds whose first byte is 0xc0 to 0xdf. */
enum scan_kind scan_long(struct scan *scan, uint8_t first, struct scan_token *token);

/* Reads the next head and the payload of what is no container. */
static inline enum scan_kind scan_next(struct scan *scan, struct scan_token *token)
{
    if (scan->at == scan->end) {
        return token->kind = SCAN_END;
    }
    uint8_t first = *scan->at++;
    if (first < 0x80 || first >= 0xe0) {
        token->integer = (int8_t)first;
        return token->kind = SCAN_INT;
    }
    if (first < 0xa0) {
        token->count = first & 15;
        return token->kind = first < 0x90 ? SCAN_MAP : SCAN_ARRAY;
    }
    if (first < 0xc0) {
        return token->kind = scan_payload(scan, first & 31, SCAN_STR, token);
    }
    return token->kind = scan_long(scan, first, token);
}

/* Skips one object of a frame that wire_check has passed. */
void scan_skip(struct scan *scan);

/*
 * Walks a whole frame: every object complete, counts no larger than the bytes left, at most
 * WIRE_ELEMENTS_MAX objects, WIRE_DEPTH_MAX levels, no field key twice in a map, nothing after the
 * end. Returns NULL, or a static sentence saying what is wrong.
 */
const char *wire_check(const void *frame, size_t size);

#endif
