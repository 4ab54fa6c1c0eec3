/* See pool.h. */
#include "pool.h"

#include "tender/vocabulary.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int pool_open(struct pool *pool, uint32_t count, uint32_t item_size)
{
    *pool = (struct pool){.item_size = item_size, .count = count};
    pool->items = calloc((size_t)count + 1, item_size);
    return pool->items != NULL ? 0 : TENDER_ENOMEM;
}

void pool_close(struct pool *pool)
{
    free(pool->items);
    *pool = (struct pool){0};
}

static uint32_t *next_of(const struct pool *pool, uint32_t number)
{
    return pool_at(pool, number);
}

uint32_t pool_new(struct pool *pool)
{
    uint32_t number = pool->free;
    if (number != 0) {
        pool->free = *next_of(pool, number);
        *next_of(pool, number) = 0;
    } else if (pool->used < pool->count) {
        number = ++pool->used;
    } else {
        return 0;
    }
    pool->used_count++;
    return number;
}

void pool_give(struct pool *pool, uint32_t number)
{
    assert(number != 0 && pool->used_count > 0);
    memset(pool_at(pool, number), 0, pool->item_size);
    *next_of(pool, number) = pool->free;
    pool->free = number;
    pool->used_count--;
}
