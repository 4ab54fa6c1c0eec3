/*
 * The model of the ledger: what has committed, in order. Every entry passes through the auditor as
 * it commits; recall and look-ups answer from what the auditor read, through entry_decode.
 */
#ifndef TENDER_TESTS_SIMULATE_STORE_H
#define TENDER_TESTS_SIMULATE_STORE_H

#include "audit.h"
#include "book.h"
#include "ledger.h"

struct store_entry {
    struct store_entry *next;         /* in the order of commits */
    struct store_entry *next_in_task; /* in the order of numbers */
    struct entry entry;               /* without decoded fields */
};

struct store_task {
    struct store_task *next; /* in the order of announcements */
    tender_id id;
    struct store_entry *first;
    struct store_entry *last;
};

struct store {
    struct pool *pool;
    struct audit *audit;
    struct entry_reader *reader;
    struct store_entry *first;
    struct store_entry *last;
    struct store_task *tasks;
    struct store_task *last_task;
    struct store_task *house;
    uint64_t entry_count;
    int64_t stamp_us;          /* of the last batch */
    tender_digest fingerprint; /* of the book when the last batch was sent */
    bool has_fingerprint;
    bool is_traced;
};

void store_init(struct store *store, struct pool *pool, struct audit *audit,
                struct entry_reader *reader);
/* A copy of a sealed entry that lives in the pool. */
struct store_entry *store_copy(struct pool *pool, const struct entry *entry);
/* Commits one entry, a copy that the store keeps. */
void store_commit(struct store *store, struct store_entry *entry);
/* Recalls everything that a new book needs, as ledger_recall of ledger.h. */
int store_recall(struct store *store, int (*on_entry)(void *context, const struct entry *entry),
                 void (*on_head)(void *context, uint32_t shard, uint64_t number,
                                 const tender_digest *hash),
                 void *context);
/* Recalls into a book of its own and compares it with the book that sent the last batch. */
void store_compare(struct store *store, const struct book_limits *limits);

/* Look-ups as the ledger would answer them; nil identifiers where there is nothing. */
struct ledger_prior store_prior_key(const struct store *store, tender_bytes principal,
                                    tender_bytes key, const tender_digest *body_digest);
struct ledger_prior store_prior_task(const struct store *store, tender_id task, int64_t part,
                                     int64_t generation);

#endif
