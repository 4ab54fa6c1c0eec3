/* The hash index of table.h: linear probing, removal by shifting back, so there are no tombstones.
 */
#include "table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 16 /* slots of a new table */

int table_init(struct table *table, uint32_t count)
{
    uint64_t size = LEAST;
    while (size < (uint64_t)count * 2 + 2) {
        size *= 2;
    }
    table->count = 0;
    table->mask = LEAST - 1;
    table->mask_max = (uint32_t)(size - 1);
    table->room = calloc(size * 2, sizeof *table->room);
    table->slots = table->room == NULL ? NULL : table->room + LEAST;
    return table->room != NULL ? 0 : TENDER_ENOMEM;
}

void table_release(struct table *table)
{
    free(table->room);
    table->room = NULL;
    table->slots = NULL;
}

static uint64_t mix(uint64_t value)
{
    value ^= value >> 32;
    value *= UINT64_C(0xd6e8feb86659fd93);
    value ^= value >> 32;
    value *= UINT64_C(0xd6e8feb86659fd93);
    return value ^ value >> 32;
}

uint64_t table_hash(uint64_t seed, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ seed;
    uint64_t word;
    for (; size >= sizeof word; size -= sizeof word, byte += sizeof word) {
        memcpy(&word, byte, sizeof word);
        hash = mix(hash ^ word);
    }
    for (; size > 0; size--, byte++) {
        hash = (hash ^ *byte) * UINT64_C(0x100000001b3);
    }
    return mix(hash);
}

uint64_t table_hash_pair(uint32_t first, uint32_t second)
{
    return mix((uint64_t)first << 32 | second);
}

uint32_t table_find(const struct table *table, uint64_t hash, table_equal *equal, const void *key,
                    const void *context)
{
    uint32_t at = (uint32_t)hash & table->mask;
    for (; table->slots[at].object != 0; at = (at + 1) & table->mask) {
        const struct table_slot *slot = &table->slots[at];
        if (slot->hash == (uint32_t)hash && equal(context, slot->object, key)) {
            return slot->object;
        }
    }
    return 0;
}

static void put(struct table *table, struct table_slot slot)
{
    uint32_t at = slot.hash & table->mask;
    while (table->slots[at].object != 0) {
        at = (at + 1) & table->mask;
    }
    table->slots[at] = slot;
}

/* Goes on in twice as many slots, which lie behind these. */
static void grow(struct table *table)
{
    const struct table_slot *before = table->slots;
    uint32_t size = table->mask + 1;
    assert(table->mask < table->mask_max);
    table->slots += size;
    table->mask = size * 2 - 1;
    for (uint32_t i = 0; i < size; i++) {
        if (before[i].object != 0) {
            put(table, before[i]);
        }
    }
}

void table_insert(struct table *table, uint64_t hash, uint32_t object)
{
    assert(object != 0);
    if (table->count == table->mask / 2 + 1) {
        grow(table);
    }
    put(table, (struct table_slot){(uint32_t)hash, object});
    table->count++;
}

void table_remove(struct table *table, uint64_t hash, uint32_t object)
{
    uint32_t hole = (uint32_t)hash & table->mask;
    while (table->slots[hole].object != object) {
        assert(table->slots[hole].object != 0);
        hole = (hole + 1) & table->mask;
    }
    for (uint32_t at = (hole + 1) & table->mask; table->slots[at].object != 0;
         at = (at + 1) & table->mask) {
        uint32_t home = table->slots[at].hash & table->mask;
        if (((at - home) & table->mask) >= ((at - hole) & table->mask)) {
            table->slots[hole] = table->slots[at];
            hole = at;
        }
    }
    table->slots[hole].object = 0;
    table->count--;
}
