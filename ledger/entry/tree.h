/*
 * The hash tree of RFC 6962, section 2.1, grown leaf by leaf. It keeps the roots of its whole
 * subtrees and forgets what is below them; paths and their checks are others'
 * (sql/functions/tree.sql makes them, tender/proof.h checks them).
 */
#ifndef TENDER_LEDGER_ENTRY_TREE_H
#define TENDER_LEDGER_ENTRY_TREE_H

#include "tender/vocabulary.h"

/*
 * levels  root of the whole subtree of 2^i leaves, where bit i of `count` is set; the higher ones
 *         are of earlier leaves
 * count   leaves so far
 */
struct tree {
    tender_digest levels[64];
    uint64_t count;
};

/* The hash of a leaf that stands for `data`: SHA-256 over a zero byte and it. */
tender_digest tree_leaf(tender_bytes data);

/* The node above two others. */
tender_digest tree_join(const tender_digest *left, const tender_digest *right);

/* Adds a leaf by its hash. Returns the root of the largest whole subtree that ends with it. */
tender_digest tree_add(struct tree *tree, tender_digest leaf);

/* The root over all leaves; SHA-256 of nothing where there are none. */
tender_digest tree_root(const struct tree *tree);

/*
 * A batch as a leaf of its shard's tree (ledger/CHAIN.md).
 *
 * ledger   names the ledger
 * at_us    stamp of the newest entry (µs since the Unix epoch)
 * root     of the tree over the hashes of its entries
 */
struct batch_leaf {
    tender_id ledger;
    uint32_t shard;
    uint64_t batch;
    int64_t at_us;
    uint64_t entries;
    tender_digest root;
};
tender_digest batch_leaf_hash(const struct batch_leaf *leaf);

#endif
