/*
 * The calendar: when what must be looked at next. A binary heap in which every object knows its
 * position, so that its time can be moved and taken out. Says when, never what to do.
 */
#ifndef TENDER_BROKER_CORE_WATCHER_H
#define TENDER_BROKER_CORE_WATCHER_H

#include "tender/vocabulary.h"

/*
 * at_us   instant, in µs since the Unix epoch
 * tie     orders what is due at the same instant, whatever the order of arrival
 * object  number of the object, not 0
 */
struct watcher_item {
    int64_t at_us;
    uint64_t tie;
    uint32_t object;
};

/* items [1 … count]; position [object_count + 1] of each object in the heap, 0: not in it. */
struct watcher {
    struct watcher_item *items;
    uint32_t *position;
    uint32_t count;
    uint32_t object_count;
};

/* Room for the objects 1 to `object_count`. Returns 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int watcher_init(struct watcher *watcher, uint32_t object_count);
void watcher_release(struct watcher *watcher);

/* Sets or moves the time of an object; TENDER_NEVER takes it out. */
void watcher_set(struct watcher *watcher, uint32_t object, int64_t at_us, uint64_t tie);
/* The time of an object, or TENDER_NEVER. */
int64_t watcher_time(const struct watcher *watcher, uint32_t object);
/* The earliest time, or TENDER_NEVER; `object_out` may be NULL. */
int64_t watcher_next(const struct watcher *watcher, uint32_t *object_out);

#endif
