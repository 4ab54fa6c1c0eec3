/* The calendar of watcher.h, as a binary heap from index 1. */
#include "watcher.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int watcher_init(struct watcher *watcher, uint32_t object_count)
{
    watcher->count = 0;
    watcher->object_count = object_count;
    watcher->items = calloc((size_t)object_count + 2, sizeof *watcher->items);
    watcher->position = calloc((size_t)object_count + 1, sizeof *watcher->position);
    if (watcher->items == NULL || watcher->position == NULL) {
        watcher_release(watcher);
        return TENDER_ENOMEM;
    }
    return 0;
}

void watcher_release(struct watcher *watcher)
{
    free(watcher->items);
    free(watcher->position);
    watcher->items = NULL;
    watcher->position = NULL;
}

static bool is_before(const struct watcher_item *left, const struct watcher_item *right)
{
    if (left->at_us != right->at_us) {
        return left->at_us < right->at_us;
    }
    return left->tie != right->tie ? left->tie < right->tie : left->object < right->object;
}

static void place(struct watcher *watcher, uint32_t at, struct watcher_item item)
{
    watcher->items[at] = item;
    watcher->position[item.object] = at;
}

static uint32_t rise(struct watcher *watcher, uint32_t at, struct watcher_item item)
{
    while (at > 1 && is_before(&item, &watcher->items[at / 2])) {
        place(watcher, at, watcher->items[at / 2]);
        at /= 2;
    }
    return at;
}

static uint32_t sink(struct watcher *watcher, uint32_t at, struct watcher_item item)
{
    for (uint32_t child = at * 2; child <= watcher->count; child = at * 2) {
        if (child < watcher->count &&
            is_before(&watcher->items[child + 1], &watcher->items[child])) {
            child++;
        }
        if (!is_before(&watcher->items[child], &item)) {
            break;
        }
        place(watcher, at, watcher->items[child]);
        at = child;
    }
    return at;
}

static void settle(struct watcher *watcher, uint32_t at, struct watcher_item item)
{
    at = rise(watcher, at, item);
    place(watcher, sink(watcher, at, item), item);
}

static void take_out(struct watcher *watcher, uint32_t object)
{
    uint32_t at = watcher->position[object];
    struct watcher_item last = watcher->items[watcher->count];
    watcher->count--;
    watcher->position[object] = 0;
    if (last.object != object) {
        settle(watcher, at, last);
    }
}

void watcher_set(struct watcher *watcher, uint32_t object, int64_t at_us, uint64_t tie)
{
    assert(object != 0 && object <= watcher->object_count);
    uint32_t at = watcher->position[object];
    if (at_us == TENDER_NEVER) {
        if (at != 0) {
            take_out(watcher, object);
        }
        return;
    }
    if (at == 0) {
        at = ++watcher->count;
    }
    settle(watcher, at, (struct watcher_item){at_us, tie, object});
}

int64_t watcher_time(const struct watcher *watcher, uint32_t object)
{
    uint32_t at = watcher->position[object];
    return at == 0 ? TENDER_NEVER : watcher->items[at].at_us;
}

int64_t watcher_next(const struct watcher *watcher, uint32_t *object_out)
{
    if (watcher->count == 0) {
        return TENDER_NEVER;
    }
    if (object_out != NULL) {
        *object_out = watcher->items[1].object;
    }
    return watcher->items[1].at_us;
}
