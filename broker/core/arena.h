/*
 * Room for contents: payloads and the prose of bids, of any size up to TENDER_CONTENT_MAX, out of
 * one block allocated at the start. A buddy allocator: pieces are powers of two, so what is given
 * back can always be used again. Does not know what it holds.
 */
#ifndef TENDER_BROKER_CORE_ARENA_H
#define TENDER_BROKER_CORE_ARENA_H

#include "tender/vocabulary.h"

#define ARENA_PIECE_MIN 64 /* bytes */
#define ARENA_ORDERS    12 /* 64 B to 128 KiB */

/*
 * bytes   [unit_count * ARENA_PIECE_MIN]
 * order   [unit_count] of each unit: 1 + order of the piece that begins here, 0 inside a piece; the
 *         top bit says that the piece is free
 * next, previous  [unit_count] links of free pieces, by unit number + 1
 */
struct arena {
    char *bytes;
    uint8_t *order;
    uint32_t *next;
    uint32_t *previous;
    uint32_t unit_count;
    uint32_t fresh; /* units from here on were never used */
    uint32_t free[ARENA_ORDERS];
    uint64_t used_bytes;
};

/* Room for `capacity` bytes, rounded up to the largest piece. Returns 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int arena_init(struct arena *arena, uint64_t capacity);
void arena_release(struct arena *arena);

/* A copy of `bytes`, or NULL when there is no room. `size` 0 gives NULL. */
void *arena_copy(struct arena *arena, tender_bytes bytes);
/* Gives a copy back; accepts NULL. */
void arena_drop(struct arena *arena, const void *piece);

#endif
