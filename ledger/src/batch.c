/*
 * Keeps a batch's rows in memory. How they become parameters is seal.c's.
 */
#include "batch.h"

#include "bytes.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_BLOCK_SIZE 65536

struct arena_block {
    struct arena_block *next;
    size_t size;
    size_t capacity;
    char data[];
};

void *rows_add(struct rows *rows)
{
    if (rows->count == rows->capacity) {
        size_t capacity = rows->capacity == 0 ? 64 : rows->capacity * 2;
        void *items = realloc(rows->items, capacity * rows->item_size);
        if (items == NULL) {
            return NULL;
        }
        memset((char *)items + rows->capacity * rows->item_size, 0,
               (capacity - rows->capacity) * rows->item_size);
        rows->items = items;
        rows->capacity = capacity;
    }
    void *item = (char *)rows->items + rows->count++ * rows->item_size;
    return item;
}

static void rows_clear(struct rows *rows)
{
    if (rows->count > 0) {
        memset(rows->items, 0, rows->count * rows->item_size);
    }
    rows->count = 0;
}

static struct lookup_slot *lookup_slot(const struct lookup *lookup, uint64_t hash)
{
    size_t at = hash & (lookup->capacity - 1);
    while (lookup->slots[at].value != 0) {
        at = (at + 1) & (lookup->capacity - 1);
    }
    return &lookup->slots[at];
}

static int lookup_add(struct lookup *lookup, uint64_t hash, size_t row)
{
    if (lookup->count * 2 >= lookup->capacity) {
        struct lookup larger = {.capacity = lookup->capacity == 0 ? 256 : lookup->capacity * 2};
        larger.slots = calloc(larger.capacity, sizeof *larger.slots);
        if (larger.slots == NULL) {
            return TENDER_ENOMEM;
        }
        for (size_t i = 0; i < lookup->capacity; i++) {
            if (lookup->slots[i].value != 0) {
                *lookup_slot(&larger, lookup->slots[i].hash) = lookup->slots[i];
            }
        }
        larger.count = lookup->count;
        free(lookup->slots);
        *lookup = larger;
    }
    *lookup_slot(lookup, hash) = (struct lookup_slot){hash, (uint32_t)row + 1};
    lookup->count++;
    return 0;
}

static void lookup_clear(struct lookup *lookup)
{
    if (lookup->count > 0) {
        memset(lookup->slots, 0, lookup->capacity * sizeof *lookup->slots);
    }
    lookup->count = 0;
}

/* Calls `equal` with the rows that share `hash`; returns the one that is, or NULL. */
static void *lookup_find(const struct lookup *lookup, uint64_t hash, const struct rows *rows,
                         bool (*equal)(const void *row, const void *key), const void *key)
{
    if (lookup->count == 0) {
        return NULL;
    }
    size_t at = hash & (lookup->capacity - 1);
    for (; lookup->slots[at].value != 0; at = (at + 1) & (lookup->capacity - 1)) {
        if (lookup->slots[at].hash == hash) {
            void *row = (char *)rows->items + (lookup->slots[at].value - 1) * rows->item_size;
            if (equal(row, key)) {
                return row;
            }
        }
    }
    return NULL;
}

/* Identifiers and names come from peers: a keyed hash keeps them from choosing collisions. */
static uint64_t hash_bytes(const void *data, size_t size)
{
    static unsigned char key[crypto_shorthash_KEYBYTES];
    static bool has_key;
    if (!has_key) {
        randombytes_buf(key, sizeof key);
        has_key = true;
    }
    uint64_t hash = 0;
    crypto_shorthash((unsigned char *)&hash, data, size, key);
    return hash;
}

/* A block with room for `size`: one that an earlier batch used, where that is enough. */
static struct arena_block *take_block(struct batch *batch, size_t size)
{
    size_t capacity = size > ARENA_BLOCK_SIZE ? size : ARENA_BLOCK_SIZE;
    struct arena_block *block = batch->spare;
    if (block != NULL && capacity == ARENA_BLOCK_SIZE) {
        batch->spare = block->next;
    } else {
        block = malloc(sizeof *block + capacity);
    }
    if (block != NULL) {
        block->size = 0;
        block->capacity = capacity;
        block->next = batch->arena;
        batch->arena = block;
    }
    return block;
}

char *batch_allocate(struct batch *batch, size_t size)
{
    struct arena_block *block = batch->arena;
    if (block == NULL || block->capacity - block->size < size) {
        block = take_block(batch, size);
        if (block == NULL) {
            return NULL;
        }
    }
    char *data = block->data + block->size;
    block->size += size;
    return data;
}

/* Blocks of the usual size are kept: freeing and taking them again costs more than all of the rest.
 */
static void arena_clear(struct batch *batch)
{
    while (batch->arena != NULL) {
        struct arena_block *block = batch->arena;
        batch->arena = block->next;
        if (block->capacity == ARENA_BLOCK_SIZE) {
            block->next = batch->spare;
            batch->spare = block;
        } else {
            free(block);
        }
    }
}

static void arena_release(struct batch *batch)
{
    arena_clear(batch);
    while (batch->spare != NULL) {
        struct arena_block *block = batch->spare;
        batch->spare = block->next;
        free(block);
    }
}

tender_bytes batch_keep(struct batch *batch, tender_bytes bytes)
{
    char *data = batch_allocate(batch, bytes.size + 1);
    if (data != NULL) {
        if (bytes.size > 0) {
            memcpy(data, bytes.data, bytes.size);
        }
        data[bytes.size] = '\0';
    }
    return (tender_bytes){data, data == NULL ? 0 : bytes.size};
}

int batch_keep_entry(struct batch *batch, const struct entry *entry, struct kept_entry *kept_out)
{
    *kept_out = (struct kept_entry){
        .number = (int64_t)entry->number,
        .at_us = entry->at_us,
        .kind = entry->kind,
        .body = batch_keep(batch, entry->body),
        .content = entry->content.size == 0 ? entry->content : batch_keep(batch, entry->content),
        .hash = entry->hash,
    };
    bool has_content = entry->content.size == 0 || kept_out->content.data != NULL;
    return kept_out->body.data != NULL && has_content ? 0 : TENDER_ENOMEM;
}

struct part_key {
    tender_id task;
    int64_t part;
};

static bool part_equals(const void *row, const void *key)
{
    const struct part_row *left = row;
    const struct part_key *right = key;
    return left->part == right->part && tender_id_equal(left->task, right->task);
}

/* What the row of a task says that has none yet: from now on it needs one. */
static int take_fresh(struct batch *batch, const struct fresh_task *task, struct part_row *row)
{
    tender_bytes payer = batch_keep(batch, (tender_bytes){task->payer, task->payer_size});
    if (payer.data == NULL) {
        return TENDER_ENOMEM;
    }
    row->lacks_row = true;
    row->principal = payer;
    row->total_units = task->units;
    row->ceiling_micro = task->ceiling_micro;
    fresh_take(batch->fresh, task->task);
    return 0;
}

/* A part of a split task stands beside the row of the whole. */
static int split_whole(struct batch *batch, tender_id task)
{
    struct part_row *whole = batch_part(batch, task, 0);
    if (whole == NULL) {
        return TENDER_ENOMEM;
    }
    whole->has_more = true;
    batch->has_parts = true;
    return 0;
}

static int begin_part(struct batch *batch, struct part_row *row, tender_id task, int64_t part)
{
    row->task = task;
    row->part = part;
    row->reported = -1;
    const struct fresh_task *fresh = part > 0 ? NULL : fresh_find(batch->fresh, task);
    return fresh == NULL ? 0 : take_fresh(batch, fresh, row);
}

struct part_row *batch_part(struct batch *batch, tender_id task, int64_t part)
{
    struct part_key key = {task, part};
    uint64_t hash = hash_bytes(&key, sizeof key);
    struct part_row *row = lookup_find(&batch->part_lookup, hash, &batch->parts, part_equals, &key);
    if (row != NULL) {
        return row;
    }
    if (part > 0 && split_whole(batch, task) != 0) {
        return NULL;
    }
    size_t index = batch->parts.count;
    row = rows_add(&batch->parts);
    if (row == NULL || lookup_add(&batch->part_lookup, hash, index) != 0 ||
        begin_part(batch, row, task, part) != 0) {
        return NULL;
    }
    return row;
}

static bool money_equals(const void *row, const void *key)
{
    return bytes_equal(((const struct money_row *)row)->principal, *(const tender_bytes *)key);
}

struct money_row *batch_money(struct batch *batch, tender_bytes principal)
{
    uint64_t hash = hash_bytes(principal.data, principal.size);
    struct money_row *row =
        lookup_find(&batch->money_lookup, hash, &batch->moneys, money_equals, &principal);
    if (row == NULL) {
        size_t index = batch->moneys.count;
        tender_bytes kept = batch_keep(batch, principal);
        row = rows_add(&batch->moneys);
        if (row == NULL || kept.data == NULL ||
            lookup_add(&batch->money_lookup, hash, index) != 0) {
            return NULL;
        }
        row->principal = kept;
    }
    return row;
}

static bool contractor_equals(const void *row, const void *key)
{
    return bytes_equal(((const struct contractor_row *)row)->contractor,
                       *(const tender_bytes *)key);
}

struct contractor_row *batch_contractor(struct batch *batch, tender_bytes contractor)
{
    uint64_t hash = hash_bytes(contractor.data, contractor.size);
    struct contractor_row *row = lookup_find(&batch->contractor_lookup, hash, &batch->contractors,
                                             contractor_equals, &contractor);
    if (row == NULL) {
        size_t index = batch->contractors.count;
        tender_bytes kept = batch_keep(batch, contractor);
        row = rows_add(&batch->contractors);
        if (row == NULL || kept.data == NULL ||
            lookup_add(&batch->contractor_lookup, hash, index) != 0) {
            return NULL;
        }
        row->contractor = kept;
    }
    return row;
}

struct fact_row *batch_fact(struct batch *batch, int64_t kind, tender_bytes subject)
{
    struct fact_row *rows = batch->facts.items;
    for (size_t i = 0; i < batch->facts.count; i++) {
        if (rows[i].kind == kind && bytes_equal(rows[i].subject, subject)) {
            return &rows[i];
        }
    }
    struct fact_row *row = rows_add(&batch->facts);
    if (row == NULL) {
        return NULL;
    }
    row->kind = kind;
    row->subject = batch_keep(batch, subject);
    return row->subject.data == NULL ? NULL : row;
}

/* Every array of rows, with the size of its items. */
#define BATCH_ROWS(X)                                                                              \
    X(runs, struct run_row)                                                                        \
    X(parts, struct part_row)                                                                      \
    X(awards, struct award_row)                                                                    \
    X(moneys, struct money_row)                                                                    \
    X(transfers, struct transfer_row)                                                              \
    X(contractors, struct contractor_row)                                                          \
    X(recesses, struct recess_row)                                                                 \
    X(needs, struct need_row)                                                                      \
    X(resources, struct resource_row)                                                              \
    X(holds, struct hold_row)                                                                      \
    X(frees, struct free_row)                                                                      \
    X(deliveries, struct delivery_row)                                                             \
    X(adoptions, struct adoption_row)                                                              \
    X(posted, struct posted_row)                                                                   \
    X(measures, struct measured_row)                                                               \
    X(goals, struct goal_row)                                                                      \
    X(afters, struct after_row)                                                                    \
    X(facts, struct fact_row)                                                                      \
    X(answers, struct answer_row)

void batch_init(struct batch *batch)
{
    memset(batch, 0, sizeof *batch);
#define X(rows, type) batch->rows.item_size = sizeof(type);
    BATCH_ROWS(X)
#undef X
}

void batch_clear(struct batch *batch)
{
#define X(rows, type) rows_clear(&batch->rows);
    BATCH_ROWS(X)
#undef X
    struct lookup *lookups[] = {&batch->part_lookup, &batch->money_lookup,
                                &batch->contractor_lookup};
    for (size_t i = 0; i < sizeof lookups / sizeof lookups[0]; i++) {
        lookup_clear(lookups[i]);
    }
    arena_clear(batch);
    batch->size = 0;
    batch->entry_rows = 0;
    batch->tree.count = 0;
    batch->newest_at_us = 0;
    batch->room = ROOM_NONE;
    batch->has_parts = false;
    batch->call_count = 0;
}

void batch_release(struct batch *batch)
{
#define X(rows, type) free(batch->rows.items);
    BATCH_ROWS(X)
#undef X
    struct lookup *lookups[] = {&batch->part_lookup, &batch->money_lookup,
                                &batch->contractor_lookup};
    for (size_t i = 0; i < sizeof lookups / sizeof lookups[0]; i++) {
        free(lookups[i]->slots);
    }
    arena_release(batch);
    columns_release(batch->entries.columns, STATEMENT_PARAMETERS_MAX);
    for (size_t i = 0; i < batch->call_capacity; i++) {
        columns_release(batch->calls[i].columns, STATEMENT_PARAMETERS_MAX);
    }
    free(batch->calls);
    memset(batch, 0, sizeof *batch);
}
