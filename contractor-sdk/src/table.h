/*
 * Finds things by a task and a number (round, or part and generation). Nodes are embedded in what
 * they find and owned by the caller. Internal to the SDK.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_TABLE_H
#define TENDER_CONTRACTOR_SDK_SRC_TABLE_H

#include "tender/vocabulary.h"

struct table_node {
    struct table_node *chain; /* of the bucket */
    struct table_node *older; /* by insertion */
    struct table_node *newer;
    tender_id task;
    uint64_t number;
};

struct table {
    struct table_node **buckets;
    size_t bucket_count; /* a power of two */
    size_t count;
    struct table_node *oldest;
    struct table_node *newest;
};

TENDER_MUST_CHECK int table_init(struct table *table);
/* Frees the table, and lets `close` free each node, the oldest first. */
void table_release(struct table *table, void (*close)(struct table_node *node));
/* Frees a node that is the first member of what was allocated. */
void table_free(struct table_node *node);

/* What stands for a task where there is none, of a key or of other bytes: a hash. */
tender_id table_name(tender_bytes bytes);

struct table_node *table_find(const struct table *table, tender_id task, uint64_t number);
/* Adds a node whose task and number are set and not yet there. */
void table_add(struct table *table, struct table_node *node);
void table_remove(struct table *table, struct table_node *node);

static inline uint64_t table_number(uint32_t part, uint32_t generation)
{
    return (uint64_t)part << 32 | generation;
}

#endif
