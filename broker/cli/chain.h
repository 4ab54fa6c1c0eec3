/*
 * The hash chain of a task, recomputed: apart from what the broker computes it with, so that the
 * two check each other.
 */
#ifndef TENDER_BROKER_CLI_CHAIN_H
#define TENDER_BROKER_CLI_CHAIN_H

#include "entry.h"

#include <libpq-fe.h>

#define CHAIN_HEX_MAX (2 * sizeof(tender_digest) + 1)

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

/* Entries, as chain_read wants their rows; column CHAIN_SHARD says in which shard. */
#define CHAIN_SHARD 7
#define CHAIN_ENTRIES                                                                              \
    "select e.task_id, e.number, (extract(epoch from e.at) * 1000000)::bigint, w.name, e.body, "   \
    "e.content, e.hash, e.shard from tender_ledger.entry e join tender_ledger.word w "             \
    "on w.vocabulary = 'entry_kind' and w.code = e.kind "

/*
 * Reads a row of CHAIN_ENTRIES; texts are borrowed from `result`, the content until the next call.
 * Returns false where it has no identifier or no hash.
 */
bool chain_read(const PGresult *result, int row, struct stored *stored_out);

/* A digest as text, and whether `hex` (NULL: it is not) is the text of this one. */
void chain_hex(const tender_digest *digest, char hex_out[CHAIN_HEX_MAX]);
bool chain_is_hex(const tender_digest *digest, const char *hex);

#endif
