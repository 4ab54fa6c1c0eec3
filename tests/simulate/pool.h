/*
 * Memory that lives as long as one seed: handed out from blocks, given back all at once. Also deep
 * copies of messages, so that what the book lends for one event can travel.
 */
#ifndef TENDER_TESTS_SIMULATE_POOL_H
#define TENDER_TESTS_SIMULATE_POOL_H

#include "message.h"

struct pool_block;

struct pool {
    struct pool_block *blocks; /* newest first */
    struct pool_block *spare;
};

bool bytes_equal(tender_bytes left, tender_bytes right);
/* Bytes of a string that lives on. */
tender_bytes bytes_of(const char *text);

/* Zeroed memory, aligned for any type; ends the program when there is none. */
void *pool_take(struct pool *pool, size_t size);
tender_bytes pool_bytes(struct pool *pool, tender_bytes bytes);
struct message *pool_message(struct pool *pool, const struct message *message);
/* Whether two messages say the same, field by field. */
bool message_equal(const struct message *left, const struct message *right);
/* Forgets everything; the blocks stay for the next seed. */
void pool_clear(struct pool *pool);
void pool_release(struct pool *pool);

/* Makes room for one more item of `size` bytes in a list that grows by doubling. */
void *pool_grow(struct pool *pool, void *items, size_t count, size_t *capacity, size_t size);

#endif
