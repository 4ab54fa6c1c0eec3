/* The buddy allocator of arena.h. Links live beside the bytes, so that free memory stays untouched.
 */
#include "arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define IS_FREE       0x80u
#define LARGEST_UNITS (UINT32_C(1) << (ARENA_ORDERS - 1))

int arena_init(struct arena *arena, uint64_t capacity)
{
    uint64_t units = (capacity + ARENA_PIECE_MIN - 1) / ARENA_PIECE_MIN;
    units = (units + LARGEST_UNITS - 1) / LARGEST_UNITS * LARGEST_UNITS;
    memset(arena, 0, sizeof *arena);
    if (units >= UINT32_MAX) {
        return TENDER_ENOMEM;
    }
    arena->unit_count = (uint32_t)units;
    arena->bytes = calloc(units, ARENA_PIECE_MIN);
    arena->order = calloc(units, sizeof *arena->order);
    arena->next = calloc(units, sizeof *arena->next);
    arena->previous = calloc(units, sizeof *arena->previous);
    if (arena->bytes == NULL || arena->order == NULL || arena->next == NULL ||
        arena->previous == NULL) {
        arena_release(arena);
        return TENDER_ENOMEM;
    }
    return 0;
}

void arena_release(struct arena *arena)
{
    free(arena->bytes);
    free(arena->order);
    free(arena->next);
    free(arena->previous);
    memset(arena, 0, sizeof *arena);
}

static void push_free(struct arena *arena, uint32_t unit, unsigned order)
{
    uint32_t head = arena->free[order];
    arena->order[unit] = (uint8_t)((order + 1) | IS_FREE);
    arena->next[unit] = head;
    arena->previous[unit] = 0;
    if (head != 0) {
        arena->previous[head - 1] = unit + 1;
    }
    arena->free[order] = unit + 1;
}

static void unlink_free(struct arena *arena, uint32_t unit, unsigned order)
{
    uint32_t next = arena->next[unit];
    uint32_t previous = arena->previous[unit];
    if (previous != 0) {
        arena->next[previous - 1] = next;
    } else {
        arena->free[order] = next;
    }
    if (next != 0) {
        arena->previous[next - 1] = previous;
    }
    arena->order[unit] = 0;
}

static unsigned order_for(size_t size)
{
    unsigned order = 0;
    while (((size_t)ARENA_PIECE_MIN << order) < size) {
        order++;
    }
    return order;
}

/* The smallest free order at or above `order`; the fresh end is cut in largest pieces. */
static unsigned find_free(struct arena *arena, unsigned order)
{
    unsigned found = order;
    while (found < ARENA_ORDERS && arena->free[found] == 0) {
        found++;
    }
    if (found == ARENA_ORDERS && arena->fresh < arena->unit_count) {
        found = ARENA_ORDERS - 1;
        push_free(arena, arena->fresh, found);
        arena->fresh += LARGEST_UNITS;
    }
    return found;
}

void *arena_copy(struct arena *arena, tender_bytes bytes)
{
    if (bytes.size == 0 || bytes.size > (size_t)ARENA_PIECE_MIN * LARGEST_UNITS) {
        return NULL;
    }
    unsigned order = order_for(bytes.size);
    unsigned found = find_free(arena, order);
    if (found == ARENA_ORDERS) {
        return NULL;
    }
    uint32_t unit = arena->free[found] - 1;
    unlink_free(arena, unit, found);
    while (found > order) {
        found--;
        push_free(arena, unit + (UINT32_C(1) << found), found);
    }
    arena->order[unit] = (uint8_t)(order + 1);
    arena->used_bytes += (uint64_t)ARENA_PIECE_MIN << order;
    return memcpy(arena->bytes + (size_t)unit * ARENA_PIECE_MIN, bytes.data, bytes.size);
}

void arena_drop(struct arena *arena, const void *piece)
{
    if (piece == NULL) {
        return;
    }
    size_t offset = (size_t)((const char *)piece - arena->bytes);
    uint32_t unit = (uint32_t)(offset / ARENA_PIECE_MIN);
    assert(offset % ARENA_PIECE_MIN == 0 && unit < arena->unit_count);
    assert(arena->order[unit] != 0 && (arena->order[unit] & IS_FREE) == 0);
    unsigned order = arena->order[unit] - 1u;
    arena->order[unit] = 0;
    arena->used_bytes -= (uint64_t)ARENA_PIECE_MIN << order;
    while (order + 1 < ARENA_ORDERS) {
        uint32_t buddy = unit ^ (UINT32_C(1) << order);
        if (arena->order[buddy] != ((order + 1) | IS_FREE)) {
            break;
        }
        unlink_free(arena, buddy, order);
        unit &= ~(UINT32_C(1) << order);
        order++;
    }
    push_free(arena, unit, order);
}
