#include "pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE 1048576

struct pool_block {
    struct pool_block *next;
    size_t used;
    size_t size;
    _Alignas(max_align_t) unsigned char bytes[];
};

bool bytes_equal(tender_bytes left, tender_bytes right)
{
    return left.size == right.size &&
           (left.size == 0 || memcmp(left.data, right.data, left.size) == 0);
}

tender_bytes bytes_of(const char *text)
{
    return (tender_bytes){text, strlen(text)};
}

static struct pool_block *block_new(struct pool *pool, size_t size)
{
    struct pool_block *block = pool->spare;
    if (block != NULL && block->size >= size) {
        pool->spare = block->next;
    } else {
        size = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        block = malloc(sizeof *block + size);
        if (block == NULL) {
            fputs("simulate: out of memory\n", stderr);
            exit(2);
        }
        block->size = size;
    }
    block->used = 0;
    block->next = pool->blocks;
    pool->blocks = block;
    return block;
}

void *pool_take(struct pool *pool, size_t size)
{
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    struct pool_block *block = pool->blocks;
    if (block == NULL || block->size - block->used < size) {
        block = block_new(pool, size);
    }
    void *taken = block->bytes + block->used;
    block->used += size;
    return memset(taken, 0, size);
}

tender_bytes pool_bytes(struct pool *pool, tender_bytes bytes)
{
    if (bytes.size == 0) {
        return (tender_bytes){NULL, 0};
    }
    return (tender_bytes){memcpy(pool_take(pool, bytes.size), bytes.data, bytes.size), bytes.size};
}

static struct message_texts pool_texts(struct pool *pool, struct message_texts texts)
{
    tender_bytes *items = pool_take(pool, (texts.count + 1) * sizeof *items);
    for (uint32_t i = 0; i < texts.count; i++) {
        items[i] = pool_bytes(pool, texts.items[i]);
    }
    return (struct message_texts){texts.count, items};
}

#define COPY_INT(member)
#define COPY_ENUM(member)
#define COPY_ID(member)
#define COPY_DIGEST(member)
#define COPY_TEXT(member)  copy->member = pool_bytes(pool, copy->member);
#define COPY_BYTES(member) copy->member = pool_bytes(pool, copy->member);
#define COPY_TEXTS(member) copy->member = pool_texts(pool, copy->member);

struct message *pool_message(struct pool *pool, const struct message *message)
{
    struct message *copy = pool_take(pool, sizeof *copy);
    *copy = *message;
#define X(key, NAME, member, TYPE, name)                                                           \
    if (message_has(message, MESSAGE_##NAME)) {                                                    \
        COPY_##TYPE(member)                                                                        \
    }
    MESSAGE_FIELDS(X)
#undef X
    return copy;
}

static bool texts_equal(struct message_texts left, struct message_texts right)
{
    bool is_equal = left.count == right.count;
    for (uint32_t i = 0; is_equal && i < left.count; i++) {
        is_equal = bytes_equal(left.items[i], right.items[i]);
    }
    return is_equal;
}

#define SAME_INT(member)    (left->member == right->member)
#define SAME_ENUM(member)   (left->member == right->member)
#define SAME_ID(member)     (memcmp(&left->member, &right->member, sizeof left->member) == 0)
#define SAME_DIGEST(member) (memcmp(&left->member, &right->member, sizeof left->member) == 0)
#define SAME_TEXT(member)   bytes_equal(left->member, right->member)
#define SAME_BYTES(member)  bytes_equal(left->member, right->member)
#define SAME_TEXTS(member)  texts_equal(left->member, right->member)

bool message_equal(const struct message *left, const struct message *right)
{
    bool is_equal = left->performative == right->performative && left->present == right->present &&
                    tender_id_equal(left->conversation, right->conversation);
#define X(key, NAME, member, TYPE, name)                                                           \
    is_equal = is_equal && (!message_has(left, MESSAGE_##NAME) || SAME_##TYPE(member));
    MESSAGE_FIELDS(X)
#undef X
    return is_equal;
}

void pool_clear(struct pool *pool)
{
    while (pool->blocks != NULL) {
        struct pool_block *block = pool->blocks;
        pool->blocks = block->next;
        block->next = pool->spare;
        pool->spare = block;
    }
}

void pool_release(struct pool *pool)
{
    pool_clear(pool);
    while (pool->spare != NULL) {
        struct pool_block *block = pool->spare;
        pool->spare = block->next;
        free(block);
    }
}

void *pool_grow(struct pool *pool, void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    size_t wider = *capacity == 0 ? 16 : *capacity * 2;
    void *grown = pool_take(pool, wider * size);
    if (count > 0) {
        memcpy(grown, items, count * size);
    }
    *capacity = wider;
    return grown;
}
