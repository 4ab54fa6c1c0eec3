/*
 * A hash index: finds the number of an object by its key. Open addressing over 32-bit object
 * numbers with their hashes; the keys stay with the objects, so the caller compares them. Number 0
 * means "none". Owns no objects.
 */
#ifndef TENDER_BROKER_CORE_TABLE_H
#define TENDER_BROKER_CORE_TABLE_H

#include "tender/vocabulary.h"

struct table_slot {
    uint32_t hash;
    uint32_t object; /* 0: free */
};

/*
 * mask + 1 slots, at most half of them used. Room is taken once, for the most there may be, and
 * used as far as there are objects: a few thousand among room for a million stay in the processor's
 * caches. A table of n slots lies in `room` at n, so that one twice as large follows it.
 */
struct table {
    struct table_slot *room;
    struct table_slot *slots;
    uint32_t mask;
    uint32_t mask_max;
    uint32_t count;
};

/* Whether `object` has the key that is looked for. */
typedef bool table_equal(const void *context, uint32_t object, const void *key);

/* Room for `count` objects. Returns 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int table_init(struct table *table, uint32_t count);
void table_release(struct table *table);

/* The object with `key` under `hash`, or 0. */
uint32_t table_find(const struct table *table, uint64_t hash, table_equal *equal, const void *key,
                    const void *context);
/* Adds an object that is not in the table. */
void table_insert(struct table *table, uint64_t hash, uint32_t object);
/* Takes out an object that is in the table. */
void table_remove(struct table *table, uint64_t hash, uint32_t object);

/* FNV-1a, finished by a mixer; `seed` chains several pieces. */
uint64_t table_hash(uint64_t seed, const void *bytes, size_t size);
/* Mixes two numbers. */
uint64_t table_hash_pair(uint32_t first, uint32_t second);

#endif
