/* Proofs: from an entry to the root of a checkpoint, and from a checkpoint to a later one. */
#include "tender/checkpoint.h"

#include "bytes.h"
#include "lines.h"
#include "path.h"

#include <sodium.h>
#include <string.h>

#define ENTRY_FORMAT       "tender-proof/1"
#define CONSISTENCY_FORMAT "tender-consistency/1"
#define ENTRY_LABEL        "tender/entry/v1"
#define BATCH_LABEL        "tender/batch/v1"

static void add_number(crypto_hash_sha256_state *state, uint64_t value, unsigned size)
{
    uint8_t bytes[8];
    (void)put_big_endian(bytes, value, (int)size);
    crypto_hash_sha256_update(state, bytes, size);
}

/* The leaf of an entry in the tree of its batch. */
static tender_digest entry_leaf(tender_digest hash)
{
    crypto_hash_sha256_state state;
    tender_digest leaf;
    crypto_hash_sha256_init(&state);
    add_number(&state, 0, 1);
    crypto_hash_sha256_update(&state, hash.bytes, sizeof hash);
    crypto_hash_sha256_final(&state, leaf.bytes);
    return leaf;
}

static tender_digest hash_entry(const tender_proof *proof, tender_digest before)
{
    crypto_hash_sha256_state state;
    tender_digest hash;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const uint8_t *)ENTRY_LABEL, sizeof ENTRY_LABEL);
    crypto_hash_sha256_update(&state, before.bytes, sizeof before);
    crypto_hash_sha256_update(&state, proof->task.bytes, sizeof proof->task);
    add_number(&state, proof->number, 8);
    add_number(&state, (uint64_t)proof->at_us, 8);
    crypto_hash_sha256_update(&state, proof->kind.data, proof->kind.size);
    add_number(&state, 0, 1);
    crypto_hash_sha256_update(&state, proof->body.data, proof->body.size);
    crypto_hash_sha256_final(&state, hash.bytes);
    return hash;
}

static tender_digest hash_batch(const tender_proof *proof, int64_t at_us, tender_digest root)
{
    crypto_hash_sha256_state state;
    tender_digest leaf;
    crypto_hash_sha256_init(&state);
    add_number(&state, 0, 1);
    crypto_hash_sha256_update(&state, (const uint8_t *)BATCH_LABEL, sizeof BATCH_LABEL);
    crypto_hash_sha256_update(&state, proof->checkpoint.ledger.bytes,
                              sizeof proof->checkpoint.ledger);
    add_number(&state, proof->checkpoint.shard, 2);
    add_number(&state, proof->batch, 8);
    add_number(&state, (uint64_t)at_us, 8);
    add_number(&state, proof->entries, 8);
    crypto_hash_sha256_update(&state, root.bytes, sizeof root);
    crypto_hash_sha256_final(&state, leaf.bytes);
    return leaf;
}

/*
 * Reads the lines `name` of a path up from leaf number `place` of `size`, whose hash is *hash;
 * *hash becomes that of the root. A path of another length fails.
 */
static void read_path(struct lines *lines, const char *name, uint64_t place, uint64_t size,
                      tender_digest *hash)
{
    struct climb climb = {place, size - 1};
    if (place >= size) {
        lines->has_failed = true;
        return;
    }
    while (climb.last > 0) {
        tender_digest beside;
        lines_hex(lines, name, "", beside.bytes, sizeof beside);
        *hash = climb_step(&climb) ? path_join(beside, *hash) : path_join(*hash, beside);
    }
}

static int give(int status, const char *why, const char **why_out)
{
    *why_out = why;
    return status;
}

static bool is_same(const tender_digest *left, const tender_digest *right)
{
    return memcmp(left, right, sizeof *left) == 0;
}

/* Reads a checkpoint. */
static void read_checkpoint(struct lines *lines, tender_checkpoint *checkpoint_out)
{
    int size = tender_checkpoint_parse(lines->at, (size_t)(lines->end - lines->at), checkpoint_out);
    lines->has_failed = lines->has_failed || size < 0;
    lines->at += size > 0 ? size : 0;
}

int tender_proof_check(const char *text, size_t size, const uint8_t key[32],
                       tender_proof *proof_out, const char **why_out)
{
    struct lines lines = {text, text + size, false};
    tender_proof *proof = proof_out;
    memset(proof, 0, sizeof *proof);
    lines_take(&lines, ENTRY_FORMAT);
    read_checkpoint(&lines, &proof->checkpoint);
    proof->task = lines_id(&lines, "task");
    proof->number = lines_number(&lines, "number", INT32_MAX);
    proof->at_us = (int64_t)lines_number(&lines, "at", INT64_MAX);
    proof->kind = lines_value(&lines, "kind");
    proof->body = lines_value(&lines, "body");
    tender_digest before;
    lines_hex(&lines, "before", "", before.bytes, sizeof before);
    proof->hash = hash_entry(proof, before);
    proof->batch = lines_number(&lines, "batch", INT64_MAX);
    int64_t batch_at_us = (int64_t)lines_number(&lines, "batch-at", INT64_MAX);
    proof->entries = lines_number(&lines, "entries", INT32_MAX);
    proof->place = lines_number(&lines, "place", INT32_MAX);
    tender_digest hash = entry_leaf(proof->hash);
    read_path(&lines, "beside", proof->place, proof->entries, &hash);
    hash = hash_batch(proof, batch_at_us, hash);
    uint64_t leaf = lines_number(&lines, "leaf", INT64_MAX);
    read_path(&lines, "path", leaf, proof->checkpoint.size, &hash);
    if (lines.has_failed || lines.at != lines.end) {
        return give(TENDER_EPROTOCOL, "it is not of the form of a proof", why_out);
    }
    if (!is_same(&hash, &proof->checkpoint.root)) {
        return give(TENDER_EREFUSED, "it does not lead to the root of its checkpoint", why_out);
    }
    return tender_checkpoint_check(&proof->checkpoint, key) == 0
               ? give(0, NULL, why_out)
               : give(TENDER_EREFUSED, "its checkpoint is not signed by that key", why_out);
}

/* RFC 9162, section 2.1.4.2. Whether the lines lead from the older root to both. */
static bool read_consistency(struct lines *lines, const tender_checkpoint *older,
                             const tender_checkpoint *newer)
{
    if (older->size >= newer->size) {
        return older->size == newer->size && is_same(&older->root, &newer->root);
    }
    struct climb climb = {older->size - 1, newer->size - 1};
    while ((climb.at & 1) != 0) {
        climb.at >>= 1;
        climb.last >>= 1;
    }
    tender_digest before = older->root; /* where its size is a power of two: a node of the newer */
    if (climb.at != 0) {
        lines_hex(lines, "path", "", before.bytes, sizeof before);
    }
    tender_digest after = before;
    while (climb.last > 0) {
        tender_digest beside;
        lines_hex(lines, "path", "", beside.bytes, sizeof beside);
        bool is_left = climb_step(&climb);
        before = is_left ? path_join(beside, before) : before;
        after = is_left ? path_join(beside, after) : path_join(after, beside);
    }
    return is_same(&before, &older->root) && is_same(&after, &newer->root);
}

int tender_consistency_check(const char *text, size_t size, const uint8_t key[32],
                             tender_checkpoint *older_out, tender_checkpoint *newer_out,
                             const char **why_out)
{
    struct lines lines = {text, text + size, false};
    lines_take(&lines, CONSISTENCY_FORMAT);
    read_checkpoint(&lines, older_out);
    read_checkpoint(&lines, newer_out);
    if (lines.has_failed) {
        return give(TENDER_EPROTOCOL, "it is not of the form of a proof", why_out);
    }
    bool is_consistent = read_consistency(&lines, older_out, newer_out);
    if (lines.has_failed || lines.at != lines.end) {
        return give(TENDER_EPROTOCOL, "it is not of the form of a proof", why_out);
    }
    if (!tender_id_equal(older_out->ledger, newer_out->ledger) ||
        older_out->shard != newer_out->shard) {
        return give(TENDER_EREFUSED, "its checkpoints are not of one tree", why_out);
    }
    if (!is_consistent) {
        return give(TENDER_EREFUSED, "the older checkpoint is no beginning of the newer", why_out);
    }
    bool is_signed = tender_checkpoint_check(older_out, key) == 0 &&
                     tender_checkpoint_check(newer_out, key) == 0;
    return is_signed ? give(0, NULL, why_out)
                     : give(TENDER_EREFUSED, "a checkpoint is not signed by that key", why_out);
}
