/*
 * What the book answers with: entries for the ledger and tells for peers, each in order.
 */
#ifndef TENDER_BROKER_CORE_EFFECT_H
#define TENDER_BROKER_CORE_EFFECT_H

#include "../../ledger/entry/entry.h"
#include "message.h"

/*
 * A message for a peer.
 *
 * to          agent's name; borrowed
 * is_promise  leaves only after the batch that holds this event's entries has committed; the others
 *             (a cfp) promise nothing and may leave at once
 * can_wait    nobody has to act on it: it may wait some milliseconds for another to leave with
 * request     the inbox row that this answers, or 0; such a tell goes into the batch, not to a peer
 */
struct tell {
    tender_bytes to;
    bool is_promise;
    bool can_wait;
    uint64_t request;
    struct message message;
};

/*
 * The effects of one event. What its items point at belongs to the book and to `bytes`, and is
 * valid until the next book_hear: whoever keeps them serialises them first.
 */
struct effects {
    struct entry *entries;
    size_t entry_count;
    size_t entry_capacity;
    struct tell *tells;
    size_t tell_count;
    size_t tell_capacity;
    char *bytes; /* bodies of the entries, and lists */
    size_t byte_count;
    size_t byte_capacity;
};

/* Room for whatever one event can cause under `book`'s limits. Returns 0 or TENDER_ENOMEM. */
struct book_limits;
TENDER_MUST_CHECK int effects_init(struct effects *effects, const struct book_limits *limits);
void effects_release(struct effects *effects);
/* Forgets the last event's effects; the capacity stays. */
void effects_clear(struct effects *effects);

#endif
