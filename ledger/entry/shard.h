/*
 * Shards: which part of the ledger an account and a task belong to. A shard is a whole ledger in
 * little: house, accounts, tasks, goals and counts of its own, and one broker that writes it.
 */
#ifndef TENDER_LEDGER_ENTRY_SHARD_H
#define TENDER_LEDGER_ENTRY_SHARD_H

#include "tender/vocabulary.h"

#define SHARDS_MAX 64 /* of one ledger; a set of them is a mask of so many bits */

/*
 * The shard of a principal's account among `count` (1 to SHARDS_MAX): the first eight bytes of
 * SHA-256("tender/shard/v1" ‖ name), as a number with the high byte first, modulo `count`.
 */
uint32_t shard_of_principal(tender_bytes principal, uint32_t count);

/* The shard of a task: its identifier's last byte modulo `count`; the broker makes them so. */
static inline uint32_t shard_of_task(tender_id task, uint32_t count)
{
    return task.bytes[sizeof task.bytes - 1] % count;
}

/* Gives an identifier the shard, and leaves what else its last byte says as far as it can. */
static inline void shard_mark(tender_id *task, uint32_t shard, uint32_t count)
{
    uint8_t *last = &task->bytes[sizeof task->bytes - 1];
    uint32_t base = *last - *last % count;
    *last = (uint8_t)(base + shard > UINT8_MAX ? shard : base + shard);
}

/* The set of one shard, and the set of all. */
static inline uint64_t shard_set(uint32_t shard)
{
    return UINT64_C(1) << shard;
}
static inline uint64_t shard_all(uint32_t count)
{
    return count == SHARDS_MAX ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

/* Whether a set has the shard, how many it has, and which is the lowest of one that is not empty.
 */
static inline bool shard_is_in(uint64_t set, uint32_t shard)
{
    return (set >> shard & 1) != 0;
}
static inline uint32_t shard_size(uint64_t set)
{
    return (uint32_t)__builtin_popcountll(set);
}
static inline uint32_t shard_first(uint64_t set)
{
    return (uint32_t)__builtin_ctzll(set);
}

/* Takes the lowest out of a set that is not empty: `while (left != 0)` goes through all. */
static inline uint32_t shard_take(uint64_t *set)
{
    uint32_t shard = shard_first(*set);
    *set &= *set - 1;
    return shard;
}

#endif
