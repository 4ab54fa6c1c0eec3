/* What proves an archive: chains one after the other, and a tree over them. See archive.h. */
#include "archive.h"

#include <string.h>

static tender_digest join(const tender_digest *left, const tender_digest *right)
{
    static const uint8_t mark = 1;
    crypto_hash_sha256_state state;
    tender_digest joined;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, &mark, 1);
    crypto_hash_sha256_update(&state, left->bytes, sizeof(left->bytes));
    crypto_hash_sha256_update(&state, right->bytes, sizeof(right->bytes));
    crypto_hash_sha256_final(&state, joined.bytes);
    return joined;
}

void tree_add(struct tree *tree, int64_t shard, tender_id task, uint64_t entries,
              const tender_digest *head)
{
    uint8_t leaf[1 + 2 + sizeof(task.bytes) + 4 + sizeof(head->bytes)] = {0};
    leaf[1] = (uint8_t)(shard >> 8);
    leaf[2] = (uint8_t)shard;
    memcpy(leaf + 3, task.bytes, sizeof(task.bytes));
    for (int i = 0; i < 4; i++) {
        leaf[3 + sizeof(task.bytes) + (size_t)i] = (uint8_t)(entries >> (24 - 8 * i));
    }
    memcpy(leaf + sizeof(leaf) - sizeof(head->bytes), head->bytes, sizeof(head->bytes));
    tender_digest hash;
    crypto_hash_sha256(hash.bytes, leaf, sizeof(leaf));
    int level = 0;
    for (; (tree->count >> level & 1) != 0; level++) {
        hash = join(&tree->levels[level], &hash);
    }
    tree->levels[level] = hash;
    tree->count++;
}

tender_digest tree_root(const struct tree *tree)
{
    tender_digest root;
    bool is_first = true;
    crypto_hash_sha256(root.bytes, (const uint8_t *)"", 0);
    for (int level = 0; level < 64; level++) {
        if ((tree->count >> level & 1) != 0) {
            root = is_first ? tree->levels[level] : join(&tree->levels[level], &root);
            is_first = false;
        }
    }
    return root;
}

void chains_end(struct chains *chains)
{
    if (chains->number > 0) {
        tree_add(&chains->tree, chains->shard, chains->task, chains->number, &chains->head);
    }
    chains->number = 0;
}

const char *chains_add(struct chains *chains, int64_t shard, const struct stored *stored)
{
    bool is_same = chains->number > 0 && chains->shard == shard &&
                   memcmp(&chains->task, &stored->task, sizeof(stored->task)) == 0;
    if (!is_same) {
        bool is_behind = chains->number > 0 &&
                         (shard < chains->shard ||
                          (shard == chains->shard &&
                           memcmp(&stored->task, &chains->task, sizeof(stored->task)) < 0));
        if (is_behind) {
            return "is out of order";
        }
        chains_end(chains);
        chains->shard = shard;
        chains->task = stored->task;
        chains->head = (tender_digest){{0}};
    }
    chains->number++;
    chains->entries++;
    return chain_fault(stored, chains->number, &chains->head);
}
