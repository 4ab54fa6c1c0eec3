#include "queue.h"

static bool is_before(const struct queue_item *left, const struct queue_item *right)
{
    return left->at_us != right->at_us ? left->at_us < right->at_us : left->order < right->order;
}

static void swap(struct queue_item *left, struct queue_item *right)
{
    struct queue_item kept = *left;
    *left = *right;
    *right = kept;
}

void queue_push(struct queue *queue, struct queue_item item)
{
    queue->items =
        pool_grow(queue->pool, queue->items, queue->count, &queue->capacity, sizeof item);
    item.order = queue->order++;
    size_t i = queue->count++;
    queue->items[i] = item;
    while (i > 0 && is_before(&queue->items[i], &queue->items[(i - 1) / 2])) {
        swap(&queue->items[i], &queue->items[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
}

bool queue_pop(struct queue *queue, struct queue_item *item_out)
{
    if (queue->count == 0) {
        return false;
    }
    *item_out = queue->items[0];
    queue->items[0] = queue->items[--queue->count];
    for (size_t i = 0;;) {
        size_t first = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < queue->count; child++) {
            first = is_before(&queue->items[child], &queue->items[first]) ? child : first;
        }
        if (first == i) {
            return true;
        }
        swap(&queue->items[i], &queue->items[first]);
        i = first;
    }
}
