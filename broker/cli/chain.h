/*
 * The hash chain of a task, recomputed: apart from what the broker computes it with, so that the
 * two check each other.
 */
#ifndef TENDER_BROKER_CLI_CHAIN_H
#define TENDER_BROKER_CLI_CHAIN_H

#include "entry.h"

/* One entry as it is stored. Texts and content are borrowed. */
struct stored {
    tender_id task;
    uint64_t number;
    int64_t at_us;
    const char *kind;
    const char *body;
    const uint8_t *content; /* NULL: none */
    size_t content_size;
    tender_digest hash;
};

/*
 * What is wrong with the entry that has place `number` behind one whose hash is `head`, or NULL.
 * `head` moves on to its hash; before the first entry it is all zero.
 */
const char *chain_fault(const struct stored *stored, uint64_t number, tender_digest *head);

/* Reads a bytea in hex form, with its "\x". Returns its size, 0 where it does not fit. */
size_t chain_read_hex(const char *hex, uint8_t *bytes, size_t capacity);

#endif
