/*
 * The tree over the batches of each shard: what it goes on from when a reign begins, the leaf that
 * each batch with entries adds in its own transaction, and the checkpoints that are signed over it.
 * ledger/CHAIN.md has the bytes.
 */
#include "private.h"

#include <string.h>

int leaf_recall(struct ledger *ledger, uint32_t shard)
{
    struct tree *tree = &ledger->holdings[shard].tree;
    struct column column = {0};
    column_set_integer(&column, COLUMN_INT2, shard);
    PGresult *result = ledger_execute(ledger, STATEMENT_RECALL_TREE, &column, 1);
    if (result == NULL) {
        return TENDER_EDATABASE;
    }
    memset(tree, 0, sizeof *tree);
    for (int row = 0; row < PQntuples(result); row++) {
        uint64_t leaves = (uint64_t)cell_integer(result, row, 1);
        tree->count += leaves;
        memcpy(&tree->levels[__builtin_ctzll(leaves)], PQgetvalue(result, row, 2),
               sizeof tree->levels[0]);
    }
    bool is_whole = PQntuples(result) == 0 || (uint64_t)cell_integer(result, 0, 0) == tree->count;
    PQclear(result);
    return is_whole
               ? 0
               : ledger_fail(ledger, TENDER_EDATABASE,
                             "the tree of shard %u has holes: tender verify names them", shard);
}

static void put_runs(struct column columns[4], const struct batch *batch)
{
    static const enum column_type types[4] = {COLUMN_UUID, COLUMN_INT4, COLUMN_INT2, COLUMN_INT8};
    const struct run_row *runs = batch->runs.items;
    for (int i = 0; i < 4; i++) {
        column_begin_array(&columns[i], types[i]);
    }
    for (size_t i = 0; i < batch->runs.count; i++) {
        column_id(&columns[0], runs[i].task);
        column_integer(&columns[1], runs[i].number);
        column_integer(&columns[2], runs[i].count);
        column_integer(&columns[3], runs[i].mark);
    }
}

static int queue_leaf(struct ledger *ledger, uint32_t shard)
{
    struct holding *holding = &ledger->holdings[shard];
    const struct batch *batch = ledger->sending->batches[shard];
    const struct batch_leaf leaf = {.ledger = ledger->id,
                                    .shard = shard,
                                    .batch = holding->batch + 1,
                                    .at_us = batch->newest_at_us,
                                    .entries = batch->tree.count,
                                    .root = tree_root(&batch->tree)};
    tender_digest peak = tree_add(&holding->next_tree, batch_leaf_hash(&leaf));
    struct column columns[11] = {{0}};
    column_set_integer(&columns[0], COLUMN_INT2, shard);
    column_set_integer(&columns[1], COLUMN_INT8, (int64_t)leaf.batch);
    column_set_integer(&columns[2], COLUMN_INT8, (int64_t)holding->tree.count);
    column_begin_value(&columns[3], COLUMN_TIMESTAMPTZ);
    column_time(&columns[3], leaf.at_us);
    column_set_integer(&columns[4], COLUMN_INT4, (int64_t)leaf.entries);
    column_begin_value(&columns[5], COLUMN_BYTEA);
    column_digest(&columns[5], leaf.root);
    column_begin_value(&columns[6], COLUMN_BYTEA);
    column_digest(&columns[6], peak);
    put_runs(columns + 7, batch);
    return pipeline_queue(ledger, STATEMENT_ADD_BATCH, columns, 11);
}

/* The same each time that the batch is sent again. Whether there is one. */
static bool sign(struct ledger *ledger, uint32_t shard)
{
    struct holding *holding = &ledger->holdings[shard];
    tender_checkpoint *checkpoint = &holding->checkpoint;
    bool is_due =
        holding->signed_us == 0 || ledger->sent_us - holding->signed_us >= ledger->checkpoint_us;
    checkpoint->size = 0;
    if (!is_due || ledger->handlers.on_sign == NULL ||
        holding->next_tree.count == holding->signed_size) {
        return false;
    }
    *checkpoint = (tender_checkpoint){.ledger = ledger->id,
                                      .shard = shard,
                                      .size = holding->next_tree.count,
                                      .at_us = ledger->sending_stamp_us,
                                      .root = tree_root(&holding->next_tree)};
    if (!ledger->handlers.on_sign(ledger->handlers.context, checkpoint)) {
        checkpoint->size = 0;
    }
    return checkpoint->size > 0;
}

static int queue_checkpoint(struct ledger *ledger, const tender_checkpoint *checkpoint)
{
    struct column columns[6] = {{0}};
    column_set_integer(&columns[0], COLUMN_INT2, checkpoint->shard);
    column_set_integer(&columns[1], COLUMN_INT8, (int64_t)checkpoint->size);
    column_begin_value(&columns[2], COLUMN_TIMESTAMPTZ);
    column_time(&columns[2], checkpoint->at_us);
    column_begin_value(&columns[3], COLUMN_BYTEA);
    column_digest(&columns[3], checkpoint->root);
    column_begin_value(&columns[4], COLUMN_BYTEA);
    column_bytes(&columns[4], (tender_bytes){checkpoint->key, sizeof checkpoint->key});
    column_begin_value(&columns[5], COLUMN_BYTEA);
    column_bytes(&columns[5], (tender_bytes){checkpoint->signature, sizeof checkpoint->signature});
    return pipeline_queue(ledger, STATEMENT_ADD_CHECKPOINT, columns, 6);
}

int leaf_queue(struct ledger *ledger, uint32_t shard)
{
    struct holding *holding = &ledger->holdings[shard];
    int status = 0;
    holding->next_tree = holding->tree;
    if (ledger->sending->batches[shard]->tree.count > 0) {
        status = queue_leaf(ledger, shard);
    }
    if (status == 0 && sign(ledger, shard)) {
        status = queue_checkpoint(ledger, &holding->checkpoint);
    }
    return status;
}

void leaf_committed(struct ledger *ledger, uint32_t shard)
{
    struct holding *holding = &ledger->holdings[shard];
    holding->tree = holding->next_tree;
    if (holding->checkpoint.size == 0) {
        return;
    }
    holding->signed_us = ledger->sent_us;
    holding->signed_size = holding->checkpoint.size;
    if (ledger->handlers.on_checkpoint != NULL) {
        ledger->handlers.on_checkpoint(ledger->handlers.context, &holding->checkpoint);
    }
    holding->checkpoint.size = 0;
}
