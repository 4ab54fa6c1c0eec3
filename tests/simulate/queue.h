/*
 * What happens next: a heap of happenings ordered by time, then by the order of their scheduling.
 */
#ifndef TENDER_TESTS_SIMULATE_QUEUE_H
#define TENDER_TESTS_SIMULATE_QUEUE_H

#include "pool.h"

/*
 * One happening.
 *
 * kind   enum happening of world.h
 * who    index of the peer, where it is one peer's
 * epoch  life of the broker or peer it belongs to: one of an earlier life does not happen
 * data   lives in the pool
 */
struct queue_item {
    int64_t at_us;
    uint64_t order;
    int kind;
    uint32_t who;
    uint64_t epoch;
    void *data;
};

struct queue {
    struct pool *pool;
    struct queue_item *items;
    size_t count;
    size_t capacity;
    uint64_t order;
};

void queue_push(struct queue *queue, struct queue_item item);
/* Takes the first; false when there is none. */
bool queue_pop(struct queue *queue, struct queue_item *item_out);

#endif
