/*
 * A hash table with chains that grows by doubling; where memory for that is out, it stays as it is
 * and gets slower, so adding never fails. See table.h.
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS_FIRST 64

/* The last bytes of a version 7 identifier are random. */
static size_t bucket_of(const struct table *table, tender_id task, uint64_t number)
{
    uint64_t hash;
    memcpy(&hash, task.bytes + 8, sizeof hash);
    hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash >> 32) & (table->bucket_count - 1);
}

int table_init(struct table *table)
{
    *table = (struct table){.bucket_count = BUCKETS_FIRST};
    table->buckets = calloc(BUCKETS_FIRST, sizeof(struct table_node *));
    return table->buckets == NULL ? TENDER_ENOMEM : 0;
}

void table_free(struct table_node *node)
{
    free(node);
}

void table_release(struct table *table, void (*close)(struct table_node *node))
{
    struct table_node *node = table->oldest;
    while (node != NULL) {
        struct table_node *next = node->newer;
        close(node);
        node = next;
    }
    free(table->buckets);
    *table = (struct table){0};
}

tender_id table_name(tender_bytes bytes)
{
    /* FNV-1a, twice with different beginnings. */
    uint64_t halves[2] = {UINT64_C(0xcbf29ce484222325), UINT64_C(0x9ae16a3b2f90404f)};
    const uint8_t *byte = bytes.data;
    for (size_t i = 0; i < bytes.size; i++) {
        halves[0] = (halves[0] ^ byte[i]) * UINT64_C(0x100000001b3);
        halves[1] = (halves[1] ^ byte[i]) * UINT64_C(0x100000001b3);
    }
    tender_id name;
    memcpy(name.bytes, halves, sizeof name.bytes);
    return name;
}

struct table_node *table_find(const struct table *table, tender_id task, uint64_t number)
{
    struct table_node *node = table->buckets[bucket_of(table, task, number)];
    while (node != NULL && (node->number != number || !tender_id_equal(node->task, task))) {
        node = node->chain;
    }
    return node;
}

static void put(struct table *table, struct table_node *node)
{
    struct table_node **bucket = &table->buckets[bucket_of(table, node->task, node->number)];
    node->chain = *bucket;
    *bucket = node;
}

static void grow(struct table *table)
{
    struct table_node **buckets = calloc(table->bucket_count * 2, sizeof(struct table_node *));
    if (buckets == NULL) {
        return;
    }
    free(table->buckets);
    table->buckets = buckets;
    table->bucket_count *= 2;
    for (struct table_node *node = table->oldest; node != NULL; node = node->newer) {
        put(table, node);
    }
}

void table_add(struct table *table, struct table_node *node)
{
    if (table->count >= table->bucket_count) {
        grow(table);
    }
    put(table, node);
    node->newer = NULL;
    node->older = table->newest;
    if (table->newest == NULL) {
        table->oldest = node;
    } else {
        table->newest->newer = node;
    }
    table->newest = node;
    table->count++;
}

void table_remove(struct table *table, struct table_node *node)
{
    struct table_node **link = &table->buckets[bucket_of(table, node->task, node->number)];
    while (*link != node) {
        link = &(*link)->chain;
    }
    *link = node->chain;
    *(node->older == NULL ? &table->oldest : &node->older->newer) = node->newer;
    *(node->newer == NULL ? &table->newest : &node->newer->older) = node->older;
    table->count--;
}
