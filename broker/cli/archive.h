/*
 * Archives: what left the ledger, in files with their proof. ops/archive.md has the format.
 *
 * archive.c takes the steps, archive_write.c writes and archive_read.c reads back; archive_proof.c
 * has what both compute.
 */
#ifndef TENDER_BROKER_CLI_ARCHIVE_H
#define TENDER_BROKER_CLI_ARCHIVE_H

#include "chain.h"
#include "command.h"
#include "tree.h"

#include <libpq-fe.h>
#include <sodium.h>

#define ARCHIVE_FORMAT   "tender-archive/1"
#define ARCHIVE_MANIFEST "manifest.json"
#define ARCHIVE_ENTRIES  "entries.jsonl"
#define ARCHIVE_ROWS     "rows.jsonl"
#define ARCHIVE_PATH_MAX 4096

/* The chains of many tasks, one after the other. All zero to begin. */
struct chains {
    struct tree tree;
    uint64_t entries;
    int64_t shard;
    tender_id task;
    uint64_t number; /* of the last entry of the task; 0: none came yet */
    tender_digest head;
};

/* The next entry, in the order of (shard, task, number). Returns what is wrong with it, or NULL. */
const char *chains_add(struct chains *chains, int64_t shard, const struct stored *stored);
/* After the last entry. */
void chains_end(struct chains *chains);

/* What proves an archive. */
struct archive_proof {
    uint64_t tasks;
    uint64_t entries;
    tender_digest root;
    tender_digest manifest;
};

/* One range of tasks, as tender_ledger.due_partitions names it. Texts are borrowed. */
struct part {
    const char *suffix;
    const char *since;
    const char *until;
    const char *from_id;
    const char *to_id;
};

/*
 * Writes DIR/tender-SUFFIX, which appears when it is whole and on the disk. Reads the ledger some
 * tasks at a time, so that no snapshot is old. EXIT_DONE with the proof, or an exit code after a
 * line on standard error: a broken chain is not written.
 */
TENDER_MUST_CHECK int archive_write(const struct arguments *arguments, PGconn *connection,
                                    const struct part *part, const char *directory,
                                    struct archive_proof *proof_out);

/* Receives every entry of an archive, in the order of shard, task and number. Returns what is wrong
 * with it, or NULL. */
struct archive_sink {
    const char *(*on_entry)(void *context, int64_t shard, const struct stored *stored);
    void *context;
};

/*
 * Reads an archive and computes everything anew. With `task`, which may be NULL, also how many
 * entries that task has in it and the hash of its last; `sink` may be NULL. EXIT_DONE, or an exit
 * code after a line on standard error.
 */
struct archive_found {
    uint64_t entries; /* 0: the task is not in it */
    tender_digest head;
};
TENDER_MUST_CHECK int archive_read(const struct arguments *arguments, const char *path,
                                   const tender_id *task, const struct archive_sink *sink,
                                   struct archive_proof *proof_out,
                                   struct archive_found *found_out);

/*
 * Compares the archives under --archive with what the ledger has recorded of them: all, or that of
 * the task that is asked about. `sink` is archive_read's. Returns an exit code after a line on
 * standard error; or EXIT_DONE, *is_done_out telling whether the task was in one of them.
 */
TENDER_MUST_CHECK int archive_verify(const struct arguments *arguments,
                                     const struct archive_sink *sink, bool *is_done_out);

#endif
