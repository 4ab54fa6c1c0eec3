/*
 * The set of fresh tasks: open addressing with linear probing; taking out closes the gap.
 */
#include "fresh.h"

#include "batch.h"

#include <stdlib.h>
#include <string.h>

static size_t home_of(const struct fresh *fresh, tender_id task)
{
    return (size_t)batch_hash(&task, sizeof task) & (fresh->capacity - 1);
}

/* The slot of the task, or the free one where it belongs. */
static struct fresh_slot *find(const struct fresh *fresh, tender_id task)
{
    size_t at = home_of(fresh, task);
    while (fresh->slots[at].batch != NULL && !tender_id_equal(fresh->slots[at].task, task)) {
        at = (at + 1) & (fresh->capacity - 1);
    }
    return &fresh->slots[at];
}

static int grow(struct fresh *fresh)
{
    struct fresh larger = {.capacity = fresh->capacity == 0 ? 1024 : fresh->capacity * 2};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (larger.slots == NULL) {
        return TENDER_ENOMEM;
    }
    for (size_t i = 0; i < fresh->capacity; i++) {
        if (fresh->slots[i].batch != NULL) {
            *find(&larger, fresh->slots[i].task) = fresh->slots[i];
        }
    }
    larger.count = fresh->count;
    free(fresh->slots);
    *fresh = larger;
    return 0;
}

bool fresh_has(const struct fresh *fresh, tender_id task)
{
    return fresh->count > 0 && find(fresh, task)->batch != NULL;
}

int fresh_add(struct fresh *fresh, tender_id task, struct fresh_batch *batch)
{
    if (fresh->count * 2 >= fresh->capacity && grow(fresh) != 0) {
        return TENDER_ENOMEM;
    }
    struct fresh_slot *slot = find(fresh, task);
    if (slot->batch == NULL) {
        *slot = (struct fresh_slot){task, batch};
        batch->live++;
        fresh->count++;
    }
    return 0;
}

/* Moves back whatever would no longer be found behind the gap at `gap`. */
static void close_gap(struct fresh *fresh, size_t gap)
{
    size_t mask = fresh->capacity - 1;
    for (size_t at = (gap + 1) & mask; fresh->slots[at].batch != NULL; at = (at + 1) & mask) {
        size_t home = home_of(fresh, fresh->slots[at].task);
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            fresh->slots[gap] = fresh->slots[at];
            gap = at;
        }
    }
    fresh->slots[gap].batch = NULL;
}

uint64_t fresh_take(struct fresh *fresh, tender_id task)
{
    struct fresh_slot *slot = find(fresh, task);
    struct fresh_batch *batch = slot->batch;
    close_gap(fresh, (size_t)(slot - fresh->slots));
    fresh->count--;
    uint64_t spent = 0;
    if (--batch->live == 0) {
        spent = batch->number;
        free(batch);
    }
    return spent;
}

void fresh_release(struct fresh *fresh)
{
    for (size_t i = 0; i < fresh->capacity; i++) {
        struct fresh_batch *batch = fresh->slots[i].batch;
        if (batch != NULL && --batch->live == 0) {
            free(batch);
        }
    }
    free(fresh->slots);
    memset(fresh, 0, sizeof *fresh);
}
