/*
 * Draws, for ties, samples and invitations: SHA-256(label ‖ task ‖ numbers (u32, big-endian) ‖
 * chain head ‖ what is drawn for). The head is the one before the entry that the draw decides on,
 * so no message can move a draw, and whoever holds the ledger can repeat it.
 */
#ifndef TENDER_BROKER_CORE_DRAW_H
#define TENDER_BROKER_CORE_DRAW_H

#include "entry.h"

#define DRAW_LABEL_MAX   24
#define DRAW_NUMBERS_MAX 2

/* What all draws for one question begin with. */
struct draw_seed {
    uint8_t
        bytes[DRAW_LABEL_MAX + sizeof(tender_id) + 4 * DRAW_NUMBERS_MAX + sizeof(tender_digest)];
    size_t size;
};

/* `label` has at most DRAW_LABEL_MAX bytes; `numbers` [count], at most DRAW_NUMBERS_MAX. */
struct draw_seed draw_seed(const char *label, tender_id task, const uint32_t *numbers,
                           uint32_t count, const tender_digest *head);

/* The draw for `what`, of at most TENDER_NAME_MAX bytes. */
tender_digest draw_for(const struct draw_seed *seed, tender_bytes what);

/* The eight bytes from `at` on as a number, big-endian. */
uint64_t draw_number(const tender_digest *digest, size_t at);

/* A number for a name that is the same everywhere: the first eight bytes of its SHA-256. */
uint64_t draw_of_name(tender_bytes name);

#endif
