/*
 * What the files of the played ledger share: a handle, its batches, and errands to the database.
 * ledger.c is what a broker calls, database.c what the database does, advance.c how answers come
 * back and connections are made again.
 */
#ifndef TENDER_TESTS_SIMULATE_PLAYED_H
#define TENDER_TESTS_SIMULATE_PLAYED_H

#include "broker.h"

#include "ledger.h"

/* What is said to whom has asked in the inbox. */
struct said {
    uint64_t request;
    const struct message *message;
};

struct batch {
    uint64_t number;
    int64_t stamp_us;
    int64_t sent_us; /* monotonic, when it was submitted: the lease counts from there */
    struct store_entry **entries;
    size_t entry_count;
    size_t entry_capacity;
    struct said *answers;
    size_t answer_count;
    size_t answer_capacity;
    size_t size;
    uint64_t appended; /* by its broker, with it */
    tender_digest fingerprint;
    bool has_fingerprint;
};

enum errand_kind {
    ERRAND_BATCH,
    ERRAND_KEY,
    ERRAND_TASK,
    ERRAND_INBOX,
    ERRAND_WATCH,
    ERRAND_RELEASE
};

/*
 * One thing that a broker asks of the database.
 *
 * life, reign, connection  of who asks, when it was asked
 * status   what came of a batch
 * holder, urls, is_free  what was seen of the reign
 */
struct errand {
    struct errand *next;
    enum errand_kind kind;
    uint32_t broker;
    uint64_t life;
    int64_t reign;
    uint64_t connection;
    struct batch *batch;
    int status;
    uint64_t cookie;
    tender_bytes principal;
    tender_bytes key;
    tender_digest body_digest;
    tender_id task;
    int64_t part;
    int64_t generation;
    struct ledger_prior prior;
    int64_t holder_reign;
    const char *holder;
    const char *urls;
    bool is_free;
};

struct ledger {
    struct world *world;
    struct broker *broker;
    struct ledger_handlers handlers;
    int64_t reign;
    int64_t leased_until_us; /* by the monotonic clock; 0: before the first batch */
    enum { RELEASE_NONE, RELEASE_WANTED, RELEASE_SENT, RELEASE_DONE } release;
    bool wants_watch;
    uint64_t connection; /* 0: there is none */
    const char *lost;    /* why the connection is to be noticed as lost, or NULL */
    int64_t retry_us;
    int64_t backoff_us;
    int64_t works_us; /* when the last errand is worked on, and answered */
    int64_t answers_us;
    int status;
    struct batch *filling;
    struct batch *sending;
    struct errand *lookups; /* not answered, newest first */
    bool is_polling;
    bool is_handed_out[WORLD_REQUESTS]; /* of the inbox */
    struct errand *answered;            /* to be taken at the next advance, the oldest first */
    struct errand **answered_last;
    char error[128];
};

/* Whether an error befalls now. */
bool ledger_fails(struct world *world);
/* The database's clock. */
int64_t database_clock(const struct world *world);
/* The ledger of the broker that asked, when it still has the connection it asked by; or NULL. */
struct ledger *errand_ledger(const struct world *world, const struct errand *errand);
/* Sends an errand on its way: it is worked on, and answered, or one of them does not happen. */
void ledger_dispatch(struct ledger *ledger, struct errand *errand);
void ledger_send_batch(struct ledger *ledger);

#endif
