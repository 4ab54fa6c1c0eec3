/* What proves an archive: chains one after the other, and a tree over them. See archive.h. */
#include "archive.h"

#include "bytes.h"

#include <string.h>

/* The chain of a task as a leaf: how many entries it has, and the hash of the last. */
static void add_chain(struct tree *tree, int64_t shard, tender_id task, uint64_t entries,
                      const tender_digest *head)
{
    uint8_t leaf[2 + sizeof(task.bytes) + 4 + sizeof(head->bytes)];
    uint8_t *at = put_big_endian(leaf, (uint64_t)shard, 2);
    memcpy(at, task.bytes, sizeof(task.bytes));
    at = put_big_endian(at + sizeof(task.bytes), entries, 4);
    memcpy(at, head->bytes, sizeof(head->bytes));
    (void)tree_add(tree, tree_leaf((tender_bytes){leaf, sizeof(leaf)}));
}

void chains_end(struct chains *chains)
{
    if (chains->number > 0) {
        add_chain(&chains->tree, chains->shard, chains->task, chains->number, &chains->head);
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
