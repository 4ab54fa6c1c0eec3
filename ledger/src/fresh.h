/*
 * Tasks that are in their first round and have no award yet. They need no row of `open_part`: one
 * row of `fresh` for each batch lists those that it announced, which is what a broker recalls them
 * by.
 *
 * A task leaves the list when it gets a row of its own or ends; when the last one has left, the
 * batch's row is dropped in the same batch. So a plain task costs no row but its award's.
 */
#ifndef TENDER_LEDGER_SRC_FRESH_H
#define TENDER_LEDGER_SRC_FRESH_H

#include "tender/vocabulary.h"

/* One row of `fresh`. */
struct fresh_batch {
    uint64_t number;
    size_t live; /* tasks that have not left */
};

struct fresh_slot {
    tender_id task;
    struct fresh_batch *batch; /* NULL: free */
};

struct fresh {
    struct fresh_slot *slots;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
};

void fresh_release(struct fresh *fresh);
bool fresh_has(const struct fresh *fresh, tender_id task);
/* Adds a task to `batch`, which the set owns from the first task on. 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int fresh_add(struct fresh *fresh, tender_id task, struct fresh_batch *batch);
/* Takes a task out. Returns the number of its batch when it was the last of it, else 0. */
uint64_t fresh_take(struct fresh *fresh, tender_id task);

#endif
