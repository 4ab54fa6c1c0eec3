#include "replay_timers.h"

#include <stdlib.h>

static void swap(struct timer *left, struct timer *right)
{
    struct timer held = *left;
    *left = *right;
    *right = held;
}

int timers_add(struct timers *timers, int64_t at_us, timer_fn *call, void *context, void *subject)
{
    if (timers->count == timers->capacity) {
        size_t capacity = timers->capacity == 0 ? 256 : 2 * timers->capacity;
        struct timer *heap = realloc(timers->heap, capacity * sizeof(*heap));
        if (heap == NULL) {
            return TENDER_ENOMEM;
        }
        timers->heap = heap;
        timers->capacity = capacity;
    }
    size_t i = timers->count++;
    timers->heap[i] = (struct timer){at_us, call, context, subject};
    for (; i > 0 && timers->heap[(i - 1) / 2].at_us > timers->heap[i].at_us; i = (i - 1) / 2) {
        swap(&timers->heap[i], &timers->heap[(i - 1) / 2]);
    }
    return 0;
}

int64_t timers_next(const struct timers *timers)
{
    return timers->count == 0 ? TENDER_NEVER : timers->heap[0].at_us;
}

static struct timer take_first(struct timers *timers)
{
    struct timer first = timers->heap[0];
    timers->heap[0] = timers->heap[--timers->count];
    for (size_t i = 0; 2 * i + 1 < timers->count;) {
        size_t child = 2 * i + 1;
        if (child + 1 < timers->count &&
            timers->heap[child + 1].at_us < timers->heap[child].at_us) {
            child++;
        }
        if (timers->heap[i].at_us <= timers->heap[child].at_us) {
            break;
        }
        swap(&timers->heap[i], &timers->heap[child]);
        i = child;
    }
    return first;
}

void timers_run(struct timers *timers, int64_t now_us)
{
    while (timers_next(timers) <= now_us) {
        struct timer timer = take_first(timers);
        timer.call(timer.context, timer.subject);
    }
}

void timers_release(struct timers *timers)
{
    free(timers->heap);
    *timers = (struct timers){0};
}
