/*
 * Records of one size by number, from 1; 0 is none. A record begins with a number that the pool
 * uses while it is free. Memory that was never used costs nothing.
 */
#ifndef TENDER_BROKER_CORE_POOL_H
#define TENDER_BROKER_CORE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pool {
    void *items;
    uint32_t item_size;
    uint32_t count; /* records there can be */
    uint32_t used;  /* records beyond were never taken */
    uint32_t free;
    uint32_t used_count; /* records that are taken */
};

/* Returns 0 or TENDER_ENOMEM. */
int pool_open(struct pool *pool, uint32_t count, uint32_t item_size);
void pool_close(struct pool *pool);

/* A record of zeros, or 0 when all are taken. */
uint32_t pool_new(struct pool *pool);
void pool_give(struct pool *pool, uint32_t number);
/* Whether `count` more can be taken. */
static inline bool pool_has_room(const struct pool *pool, uint32_t count)
{
    return pool->count - pool->used_count >= count;
}
/* The number of a record. */
static inline uint32_t pool_number(const struct pool *pool, const void *item)
{
    return (uint32_t)((size_t)((const char *)item - (const char *)pool->items) / pool->item_size);
}
/* The record of that number, which is not 0. */
static inline void *pool_at(const struct pool *pool, uint32_t number)
{
    return (char *)pool->items + (size_t)number * pool->item_size;
}

#endif
