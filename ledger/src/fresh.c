/* Tasks that have no row yet, as fresh.h says. */
#include "fresh.h"

#include <stdlib.h>
#include <string.h>

#define SECOND_US   INT64_C(1000000)
#define FIRST_SLOTS 256

static int64_t time_of(tender_id task)
{
    int64_t milliseconds = 0;
    for (int i = 0; i < 6; i++) {
        milliseconds = milliseconds << 8 | task.bytes[i];
    }
    return milliseconds * 1000;
}

static size_t home_of(const struct fresh *fresh, tender_id task)
{
    uint64_t bits;
    memcpy(&bits, task.bytes + 8, sizeof bits); /* made by the broker, by chance */
    return (size_t)((bits * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (fresh->capacity - 1);
}

static bool is_free(const struct fresh_task *slot)
{
    return tender_id_is_nil(slot->task);
}

/* Where the task is, or the free slot where it would be. */
static size_t place_of(const struct fresh *fresh, tender_id task)
{
    size_t at = home_of(fresh, task);
    while (!is_free(&fresh->slots[at]) && !tender_id_equal(fresh->slots[at].task, task)) {
        at = (at + 1) & (fresh->capacity - 1);
    }
    return at;
}

static int grow_slots(struct fresh *fresh)
{
    struct fresh larger = {.capacity = fresh->capacity == 0 ? FIRST_SLOTS : fresh->capacity * 2};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (larger.slots == NULL) {
        return TENDER_ENOMEM;
    }
    for (size_t i = 0; i < fresh->capacity; i++) {
        if (!is_free(&fresh->slots[i])) {
            larger.slots[place_of(&larger, fresh->slots[i].task)] = fresh->slots[i];
        }
    }
    free(fresh->slots);
    fresh->slots = larger.slots;
    fresh->capacity = larger.capacity;
    return 0;
}

static int grow_order(struct fresh *fresh)
{
    size_t capacity = fresh->order_capacity == 0 ? FIRST_SLOTS : fresh->order_capacity * 2;
    tender_id *order = malloc(capacity * sizeof *order);
    if (order == NULL) {
        return TENDER_ENOMEM;
    }
    for (size_t i = 0; i < fresh->order_count; i++) {
        order[i] = fresh->order[(fresh->first + i) % fresh->order_capacity];
    }
    free(fresh->order);
    fresh->order = order;
    fresh->order_capacity = capacity;
    fresh->first = 0;
    return 0;
}

/* Those at the front that have left. */
static void drop_left(struct fresh *fresh)
{
    while (fresh->order_count > 0 && fresh_find(fresh, fresh->order[fresh->first]) == NULL) {
        fresh->first = (fresh->first + 1) % fresh->order_capacity;
        fresh->order_count--;
    }
}

void fresh_release(struct fresh *fresh)
{
    free(fresh->slots);
    free(fresh->order);
    memset(fresh, 0, sizeof *fresh);
}

int fresh_add(struct fresh *fresh, int64_t stamp_us, tender_id task, int64_t units,
              int64_t ceiling_micro, tender_bytes payer)
{
    int64_t time_us = time_of(task);
    fresh->newest_us = fresh->count == 0 ? time_us : fresh->newest_us;
    if (time_us < stamp_us - FRESH_US || time_us < fresh->newest_us - SECOND_US) {
        return 0;
    }
    drop_left(fresh);
    if ((fresh->count + 1) * 2 > fresh->capacity && grow_slots(fresh) != 0) {
        return TENDER_ENOMEM;
    }
    if (fresh->order_count == fresh->order_capacity && grow_order(fresh) != 0) {
        return TENDER_ENOMEM;
    }
    struct fresh_task *slot = &fresh->slots[place_of(fresh, task)];
    *slot = (struct fresh_task){
        .task = task, .units = units, .ceiling_micro = ceiling_micro, .payer_size = payer.size};
    memcpy(slot->payer, payer.data, payer.size);
    fresh->order[(fresh->first + fresh->order_count++) % fresh->order_capacity] = task;
    fresh->newest_us = time_us > fresh->newest_us ? time_us : fresh->newest_us;
    fresh->count++;
    return 1;
}

const struct fresh_task *fresh_find(const struct fresh *fresh, tender_id task)
{
    if (fresh->count == 0) {
        return NULL;
    }
    const struct fresh_task *slot = &fresh->slots[place_of(fresh, task)];
    return is_free(slot) ? NULL : slot;
}

/* What lies behind it moves up, as far as it may, so that no search ends too early. */
void fresh_take(struct fresh *fresh, tender_id task)
{
    size_t mask = fresh->capacity - 1;
    size_t hole = place_of(fresh, task);
    for (size_t at = (hole + 1) & mask; !is_free(&fresh->slots[at]); at = (at + 1) & mask) {
        size_t home = home_of(fresh, fresh->slots[at].task);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            fresh->slots[hole] = fresh->slots[at];
            hole = at;
        }
    }
    memset(&fresh->slots[hole], 0, sizeof fresh->slots[hole]);
    fresh->count--;
}

const struct fresh_task *fresh_due(struct fresh *fresh, int64_t stamp_us)
{
    drop_left(fresh);
    bool is_due =
        fresh->order_count > 0 && time_of(fresh->order[fresh->first]) < stamp_us - FRESH_US;
    return is_due ? fresh_find(fresh, fresh->order[fresh->first]) : NULL;
}
