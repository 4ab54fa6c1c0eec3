/*
 * The ledger: appends entries to PostgreSQL in batches, recalls them, looks up what has ended,
 * reads the inbox and migrates the schema. Owns the libpq connection, exposes a descriptor, and
 * knows no event loop.
 *
 * A batch is one implicit transaction of a libpq pipeline. Its first statement takes the reign row,
 * refuses a broker that no longer reigns, and skips a batch that the row says is held already: so a
 * batch whose commit was not answered is sent again as it is. While one batch is being committed
 * the next one fills.
 */
#ifndef TENDER_LEDGER_INCLUDE_LEDGER_H
#define TENDER_LEDGER_INCLUDE_LEDGER_H

#include "../entry/entry.h"
#include "../entry/shard.h"
#include "message.h"
#include "tender/checkpoint.h"

struct ledger;

/* What lookups find; the same facts as the core's struct prior. Texts valid for the call. A task
 * whose record is in an archive has the number 0. */
struct ledger_prior {
    tender_id task;
    tender_id newest;
    tender_task_state state;
    tender_reason reason;
    tender_bytes client;
    tender_bytes principal;
    int64_t round;
    int64_t units;
    int64_t units_done;
    int64_t paid_micro;
    tender_commitment_state commitment_state;
    tender_bytes contractor;
    int64_t commitment_units_done; /* accepted; 0 while it has not ended */
    int64_t commitment_paid_micro; /* in all, what came after its end included */
    uint64_t number;
    tender_digest hash;
};

/*
 * One request from SQL: what a function of schema tender put into the inbox, in the form in which a
 * peer would have said it. `peer` and `principal` name the client it speaks for. Valid for the
 * call. A FUND request has performative 0, `principal` and amount_micro.
 */
struct ledger_request {
    uint64_t request;
    uint32_t shard; /* to which it was put */
    tender_bytes peer;
    tender_bytes principal;
    bool is_operator;
    struct message message;
    int64_t amount_micro;
};

/* Who holds a shard. Texts valid for the call; empty where nobody ever did. */
struct ledger_seat {
    uint32_t shard;
    int64_t reign;
    tender_bytes broker;
    tender_bytes urls;
    bool is_free;           /* no lease runs */
    uint32_t brokers;       /* that live, the one that asks among them */
    uint32_t lower_brokers; /* those of them whose names are lower than its own, byte by byte */
};

/* What ledger_advance calls. Callbacks only collect; they do not call the ledger. */
struct ledger_handlers {
    void *context;
    void (*on_committed)(void *context, uint64_t batch);
    void (*on_prior)(void *context, uint64_t cookie, const struct ledger_prior *prior);
    void (*on_request)(void *context, const struct ledger_request *request);
    /* Connection lost or back; `why` is for the log. Batches are sent again by themselves. */
    void (*on_connection)(void *context, bool is_up, const char *why);
    /* After each connection where the options allow it: what may be lost, in a sentence. */
    void (*on_unsafe)(void *context, const char *what);
    /* One shard of those that were watched. */
    void (*on_seat)(void *context, const struct ledger_seat *seat);
    /* Signs: sets `key` and `signature` over the rest. False where this broker has no key. */
    bool (*on_sign)(void *context, tender_checkpoint *checkpoint);
    /* A checkpoint is recorded, and may be told to anybody. */
    void (*on_checkpoint)(void *context, const tender_checkpoint *checkpoint);
    /* The database's clock, about once a second while the inbox is polled; read between `asked_us`
     * (monotonic) and now. */
    void (*on_clock)(void *context, int64_t database_us, int64_t asked_us);
};

struct ledger_options {
    const char *database;  /* conninfo or URI; NULL or "": libpq's environment */
    const char *broker;    /* name of this broker, for the reign row and application_name */
    const char *urls;      /* where peers find it, with spaces between; NULL: nowhere */
    int64_t lease_us;      /* by how much a batch renews the lease; 0: 2 s */
    int64_t checkpoint_us; /* how often the tree of a shard is signed, where it has grown */
    const uint8_t *key;    /* [TENDER_PUBLIC_KEY_SIZE] by which on_sign signs; NULL: it does not */
    struct ledger_handlers handlers;
    int32_t *timeline; /* the newest of the servers so far, 0 at first: kept by the caller, so that
                          no ledger goes back to a primary of the past; NULL: by this one alone */
    bool may_lose_commits; /* goes on where ledger_durability says TENDER_EUNSAFE */
};

/* Connects (blocking), looks at the settings that a commit depends on, and compares schema
 * versions. 0, TENDER_EDATABASE, TENDER_EUNSAFE, TENDER_ESCHEMA, TENDER_ENOMEM; ledger_last_error
 * then has the sentence. *ledger_out is set also on failure, for that sentence. */
TENDER_MUST_CHECK int ledger_open(const struct ledger_options *options, struct ledger **ledger_out);
void ledger_close(struct ledger *ledger);
const char *ledger_last_error(const struct ledger *ledger);

/* What a new reign starts from. Times in µs since the Unix epoch. */
struct ledger_reign {
    int64_t reign;
    int64_t stamp_us; /* last stamp of the last broker; 0: there was none */
    int64_t clock_us; /* clock of the database */
    uint64_t batch;   /* last batch held */
    char server[32];  /* server version, for the log */
};

/*
 * Takes over a shard (blocking): ends the old backend, raises the reign number. 0,
 * TENDER_EDATABASE, or TENDER_EREIGN while the lease of a broker of another name runs; one of the
 * same name is taken for this one before it was started again. Until the first batch the lease is
 * six times as long, and renewed in a long recall.
 */
TENDER_MUST_CHECK int ledger_begin_reign(struct ledger *ledger, uint32_t shard,
                                         struct ledger_reign *reign_out);

/* How many shards the ledger has: 1 to SHARDS_MAX. */
uint32_t ledger_shard_count(const struct ledger *ledger);

/*
 * The end of the lease on the clock that ledger_advance is told (µs); always before that in the
 * database, since it counts from the sending of a batch that committed. 0 before the first.
 */
int64_t ledger_leased_until_us(const struct ledger *ledger);

/*
 * Asks, with the next ledger_advance, who holds what, and leaves word that this broker lives;
 * on_seat answers. It need not reign.
 */
void ledger_watch(struct ledger *ledger);

/*
 * A limit was met `times` more often: written with the next ledger_advance, for tender.limit_met.
 * `name` and `consequence` are static. What is on its way when the connection is lost is not told
 * again.
 */
void ledger_note_limit(struct ledger *ledger, const char *name, uint64_t times,
                       const char *consequence);

/* Gives a set of shards back with the next ledger_advance; nothing is submitted after that. */
void ledger_release(struct ledger *ledger, uint64_t shards);
/* Whether it has been given back. */
bool ledger_is_released(const struct ledger *ledger);

/*
 * Hands every entry of a shard that a book needs to `on_entry`, in the order that book_recall asks
 * for (blocking): balances, the entries of the house, then those of every task that has not ended,
 * and how the tasks ended that blocked ones wait for. `on_head` receives the end of the house
 * chain. Returns 0, TENDER_EDATABASE, or the first negative value that a callback returned.
 */
TENDER_MUST_CHECK int ledger_recall(struct ledger *ledger, uint32_t shard,
                                    int (*on_entry)(void *context, const struct entry *entry),
                                    void (*on_head)(void *context, uint32_t shard, uint64_t number,
                                                    const tender_digest *hash),
                                    void *context);

/*
 * Hands out the key of every task of a shard, ended ones too, where there are at most `limit`
 * (blocking, about a second for a million). Returns 1 when those were all, 0 when there are more
 * and none was handed out, or TENDER_EDATABASE.
 */
TENDER_MUST_CHECK int ledger_recall_keys(struct ledger *ledger, uint32_t shard, int64_t limit,
                                         void (*on_key)(void *context, tender_bytes principal,
                                                        tender_bytes key),
                                         void *context);

/* Adds to the batch that is filling. The entry is sealed; all it points at is copied. 0 or
 * TENDER_ENOMEM. */
TENDER_MUST_CHECK int ledger_append(struct ledger *ledger, const struct entry *entry);
/* Adds the answer to an inbox request to the batch that is filling. */
TENDER_MUST_CHECK int ledger_answer(struct ledger *ledger, uint64_t request,
                                    const struct message *message);

/* Number that the filling batch has, or will have. */
uint64_t ledger_batch(const struct ledger *ledger);
/* Bytes waiting in the filling batch. */
size_t ledger_backlog(const struct ledger *ledger);
/* Whether a batch is on its way. */
bool ledger_is_busy(const struct ledger *ledger);
/* Sends the filling batch, also when it is empty, with the stamp it ends at. Only when not busy. */
TENDER_MUST_CHECK int ledger_submit(struct ledger *ledger, int64_t stamp_us);

/* Asks for what is known under a key, or of a task; on_prior answers with the same cookie. */
TENDER_MUST_CHECK int ledger_lookup_key(struct ledger *ledger, uint64_t cookie,
                                        tender_bytes principal, tender_bytes key,
                                        const tender_digest *body_digest);
TENDER_MUST_CHECK int ledger_lookup_task(struct ledger *ledger, uint64_t cookie, tender_id task,
                                         uint32_t part, uint32_t generation);
/* Asks for requests not yet answered nor handed out; on_request answers, zero or more times. */
TENDER_MUST_CHECK int ledger_poll_inbox(struct ledger *ledger);

/*
 * The loop's side: poll `ledger_socket` for what `ledger_wants` says, then call ledger_advance.
 * The socket may change after any ledger_advance. While the connection is down the socket is -1 or
 * that of the attempt; ledger_advance shall be called at `ledger_retry_us` (monotonic µs).
 */
int ledger_socket(const struct ledger *ledger);
#define LEDGER_WANTS_READ  1
#define LEDGER_WANTS_WRITE 2
int ledger_wants(const struct ledger *ledger);
int64_t ledger_retry_us(const struct ledger *ledger);
/*
 * Returns 0; TENDER_EREIGN when another broker reigns; TENDER_EUNSAFE when the server that it came
 * back to may lose commits; TENDER_ESCHEMA or TENDER_EDATABASE when the ledger refused what the
 * book decided; TENDER_ELOST when the server that it came back to lacks batches that had committed:
 * the caller ends, and recovers by recalling.
 */
TENDER_MUST_CHECK int ledger_advance(struct ledger *ledger, int64_t monotonic_us);

/*
 * Receipts. One says that a batch of a reign over a shard is held: 18 bytes, the integers shard
 * (2), reign (4), mark (4) and batch (8), big-endian; the mark tells two reigns of one number
 * apart. Peers keep the newest of each shard and bring them to whichever broker comes next.
 */
#define LEDGER_RECEIPT_SIZE 18
#define LEDGER_RECEIPTS_MAX 64

/* A receipt, or the memory of a broker, that the ledger is behind: see tender.loss. */
struct ledger_loss {
    int32_t shard;
    int64_t reign;
    uint32_t mark;
    uint64_t told;
    uint64_t held; /* of that reign; 0: the reign itself is lost */
};

/* What may be told now: a receipt of the last batch that committed. Returns the bytes written to
 * `receipts_out` [LEDGER_RECEIPT_SIZE * LEDGER_RECEIPTS_MAX]; 0 before a reign began. */
size_t ledger_receipts(const struct ledger *ledger, uint8_t *receipts_out);

/*
 * Compares receipts with what is held. Returns how many losses were written to `losses_out`
 * [LEDGER_RECEIPTS_MAX]; bytes beyond the last whole receipt, shards of others and reigns of long
 * ago are passed over.
 */
size_t ledger_judge(const struct ledger *ledger, tender_bytes receipts,
                    struct ledger_loss *losses_out);

/* After TENDER_ELOST: what this broker knew to be held and is not. */
struct ledger_loss ledger_lost(const struct ledger *ledger);

/* Writes a receipt of what is held in place of what was lost to `receipt_out`
 * [LEDGER_RECEIPT_SIZE]. */
void ledger_loss_pack(const struct ledger_loss *loss, uint8_t *receipt_out);

/* Notes a loss for operators, in the background; `peer` is who was told. Never fails: where too
 * many wait, others speak for it. */
void ledger_note_loss(struct ledger *ledger, const struct ledger_loss *loss, tender_bytes peer);

/*
 * A connection string as it may be shown: where a password is in it, in the form of keywords and
 * with *** for the password; else as it is. `text_out` [size, at least 512] is cut where it is too
 * small. Returns 0; or TENDER_EINVAL where libpq cannot read it, or TENDER_ENOMEM, with a sentence
 * in `text_out` that has no word of the string, as libpq's own sentences would.
 */
TENDER_MUST_CHECK int ledger_database_show(const char *database, char *text_out, size_t size);

/*
 * Whether what PostgreSQL commits outlives its crash (blocking): fsync, full_page_writes and
 * synchronous_commit are on, as a session of this database has them. 0; TENDER_EUNSAFE, with which
 * of them is off and what to set in `sentence_out` [size]; TENDER_EDATABASE, TENDER_EINVAL for the
 * connection string, or TENDER_ENOMEM, with why.
 */
TENDER_MUST_CHECK int ledger_durability(const char *database, char *sentence_out, size_t size);

/*
 * Schema. Migrations and functions are embedded in the program.
 */
struct ledger_schema {
    int32_t version; /* in the database; 0: none */
    int32_t known;   /* that this program speaks */
};
TENDER_MUST_CHECK int ledger_schema(const char *database, struct ledger_schema *schema_out,
                                    char *error, size_t error_size);
TENDER_MUST_CHECK int ledger_migrate(const char *database,
                                     void (*on_step)(void *context, int32_t version,
                                                     const char *name),
                                     void *context, char *error, size_t error_size);

/* One object of the schemas that is not what this program expects. Texts valid for the call. */
struct ledger_difference {
    const char *object;   /* "constraint tender_ledger.task.task_has_units" */
    const char *expected; /* NULL: nothing of that name is expected */
    const char *found;    /* NULL: it is missing */
};

/*
 * Compares tables, columns, constraints, indexes, triggers, functions, views, owners and grants of
 * the database with what this program would make (blocking, about a second; changes nothing).
 * Returns how many differ, after as many calls of `on_difference`, or TENDER_EDATABASE or
 * TENDER_ENOMEM with a sentence in `error`. The versions shall agree: ledger_schema.
 */
TENDER_MUST_CHECK int
ledger_compare(const char *database,
               void (*on_difference)(void *context, const struct ledger_difference *difference),
               void *context, char *error, size_t error_size);

#endif
