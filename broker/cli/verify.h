/*
 * tender verify: every chain, every batch and every checkpoint of the ledger, computed anew.
 *
 * verify.c takes one snapshot for all, verify_entries.c has several connections read the entries
 * and check their chains, verify_tree.c holds what they found against the batches and checkpoints.
 */
#ifndef TENDER_BROKER_CLI_VERIFY_H
#define TENDER_BROKER_CLI_VERIFY_H

#include "archive.h"

#include "shard.h"
#include "tender/checkpoint.h"

#include <pthread.h>

/* An entry as it was found. */
struct verify_entry {
    tender_id task;
    uint32_t number;
    bool is_seen; /* a batch has it */
    int64_t at_us;
    tender_digest hash;
};

/* Entries of one shard, in the order of task and number, as one worker or an archive has them. */
struct verify_slice {
    uint32_t shard;
    tender_id from; /* tasks from this one to before `to` */
    tender_id to;
    bool is_last; /* `to` counts too */
    struct verify_entry *entries;
    size_t count;
    size_t capacity;
};

/*
 * lock      over `next`, `read`, `faults`, `code` and what is printed
 * slices    [slice_count]; each worker takes the next
 * faults    found so far
 * code      of a worker that could not go on; EXIT_DONE
 */
struct verify {
    const struct arguments *arguments;
    PGconn *connection;
    char snapshot[64];
    pthread_mutex_t lock;
    struct verify_slice *slices;
    size_t slice_count;
    size_t next;
    size_t done;
    uint64_t read;
    uint64_t unbatched; /* from before there was a tree */
    uint64_t batches;
    uint64_t checkpoints;
    bool has_archives;  /* are read too */
    uint64_t elsewhere; /* batches with entries that only archives have */
    uint64_t faults;
    int code;
};

/* Says what is wrong, once a line, and counts it. Any thread. */
void verify_fault(struct verify *verify, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds an entry to a slice. Returns false when memory ran out. */
TENDER_MUST_CHECK bool verify_add(struct verify_slice *slice, const struct stored *stored);

/* Reads all slices by several connections, under the snapshot. An exit code. */
TENDER_MUST_CHECK int verify_read(struct verify *verify, size_t workers);

/* Holds the batches and checkpoints against what was read. An exit code. */
TENDER_MUST_CHECK int verify_trees(struct verify *verify);

/* Checks a file that the ledger wrote against the broker's public key (NULL: it was not given),
 * without the ledger (prove.c). An exit code. */
TENDER_MUST_CHECK int verify_file(const struct arguments *arguments, const char *path,
                                  const uint8_t *key);

#endif
