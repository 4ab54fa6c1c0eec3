/* The hash tree of RFC 6962: see tree.h. */
#include "tree.h"

#include "bytes.h"
#include "sha256.h"

#include <string.h>

tender_digest tree_leaf(tender_bytes data)
{
    const tender_bytes pieces[2] = {{"\0", 1}, data};
    return sha256_pieces(pieces, 2);
}

tender_digest tree_join(const tender_digest *left, const tender_digest *right)
{
    const tender_bytes pieces[3] = {
        {"\1", 1}, {left->bytes, sizeof left->bytes}, {right->bytes, sizeof right->bytes}};
    return sha256_pieces(pieces, 3);
}

tender_digest tree_add(struct tree *tree, tender_digest leaf)
{
    int level = 0;
    for (; (tree->count >> level & 1) != 0; level++) {
        leaf = tree_join(&tree->levels[level], &leaf);
    }
    tree->levels[level] = leaf;
    tree->count++;
    return leaf;
}

tender_digest tree_root(const struct tree *tree)
{
    tender_digest root;
    bool is_first = true;
    for (int level = 0; level < 64; level++) {
        if ((tree->count >> level & 1) != 0) {
            root = is_first ? tree->levels[level] : tree_join(&tree->levels[level], &root);
            is_first = false;
        }
    }
    return is_first ? sha256_pieces(NULL, 0) : root;
}

#define LEAF_LABEL "tender/batch/v1" /* with its NUL */

tender_digest batch_leaf_hash(const struct batch_leaf *leaf)
{
    uint8_t bytes[sizeof LEAF_LABEL + sizeof leaf->ledger + 2 + 8 + 8 + 8 + sizeof leaf->root];
    uint8_t *at = bytes + sizeof LEAF_LABEL;
    memcpy(bytes, LEAF_LABEL, sizeof LEAF_LABEL);
    memcpy(at, leaf->ledger.bytes, sizeof leaf->ledger);
    at = put_big_endian(at + sizeof leaf->ledger, leaf->shard, 2);
    at = put_big_endian(at, leaf->batch, 8);
    at = put_big_endian(at, (uint64_t)leaf->at_us, 8);
    at = put_big_endian(at, leaf->entries, 8);
    memcpy(at, leaf->root.bytes, sizeof leaf->root);
    return tree_leaf((tender_bytes){bytes, sizeof bytes});
}
