/*
 * The ledger's handle, shared by the modules of this directory and by nobody else.
 *
 * connection.c makes and remakes the link, pipeline.c sends units over it and reads their results,
 * lookup.c and inbox.c ask, ledger.c is the public face.
 */
#ifndef TENDER_LEDGER_SRC_PRIVATE_H
#define TENDER_LEDGER_SRC_PRIVATE_H

#include "ledger.h"

#include "bundle.h"

#include <libpq-fe.h>

#define REQUESTS_PER_POLL 100
#define LEASE_US          INT64_C(2000000)   /* where the options state none */
#define LEASE_STAMPS      3                  /* how often a lease is renewed while it lasts */
#define RECALL_LEASES     6                  /* that one which recalls has at once */
#define WATCHDOG_US       INT64_C(30000000)  /* without an answer for so long the link is dead */
#define CLOCK_EVERY_US    INT64_C(1000000)   /* how often the database's clock is asked for */
#define CONNECT_US        INT64_C(5000000)   /* time that one attempt to connect has */
#define ROOM_EVERY_US     INT64_C(600000000) /* of stamps; there is room for a day and more */
#define BACKOFF_MIN_US    INT64_C(50000)
#define BACKOFF_MAX_US    INT64_C(2000000)

enum link {
    LINK_DOWN,       /* no connection; the next attempt is at retry_us */
    LINK_CONNECTING, /* PQconnectPoll is at work */
    LINK_SETUP,      /* connected; statements are being prepared and the reign resumed */
    LINK_UP,
};

/* What was sent up to one sync, in order; its results come back in the same order. */
enum unit_kind {
    UNIT_SETUP,
    UNIT_BATCH,
    UNIT_ROOM,
    UNIT_QUERY,
    UNIT_POLL,
    UNIT_WATCH,
    UNIT_LOSS,
    UNIT_LIMITS,
    UNIT_RELEASE
};

#define UNITS_MAX 64 /* far more than there can be: one of each kind is on its way at a time */

#define LOOKUPS_MAX 512 /* questions asked together */

/* One question about a key or a task. */
struct query {
    struct query *next;
    uint64_t cookie;
    bool is_key;
    bool is_answered;
    uint32_t shard;
    tender_id task;
    uint32_t part;
    uint32_t generation;
    tender_digest body_digest;
    tender_bytes principal; /* both in `texts` */
    tender_bytes key;
    char texts[];
};

#define REIGNS_MAX 256 /* that receipts are compared with; older ones are taken for held */
#define LOSSES_MAX 16  /* on their way to the table at a time */
#define LIMITS_MAX 32  /* more than there are */

/* A limit that was met since it was last noted; its texts are static. */
struct noted_limit {
    const char *name;
    const char *consequence;
    uint64_t times;
};

/* A reign, and the batch that was held when it began. */
struct reign_begin {
    int64_t reign;
    uint32_t mark;
    uint64_t batch;
};

struct noted_loss {
    struct ledger_loss loss;
    size_t peer_size;
    char peer[TENDER_NAME_MAX];
};

/*
 * A shard that is held.
 *
 * mark      of the reign
 * batch     the last one that the ledger holds
 * begun_us  monotonic: when the last one that committed was sent; 0: none has
 * tree      over the batches that the ledger holds
 * next_tree the same with the batch that is on its way
 * signed_us monotonic: when the batch with the newest checkpoint was sent; 0: none was
 * checkpoint of the batch that is on its way; size 0: it has none
 * signed_size of the newest
 * reigns    [reign_count]; those so far, the newest first
 */
struct holding {
    int64_t reign;
    uint32_t mark;
    uint64_t batch;
    int64_t begun_us;
    struct tree tree;
    struct tree next_tree;
    int64_t signed_us;
    uint64_t signed_size;
    tender_checkpoint checkpoint;
    size_t reign_count;
    struct reign_begin reigns[REIGNS_MAX];
};

struct held_request {
    uint64_t request;
    uint32_t shard;
};

struct ledger {
    char *database;
    char *broker;
    char *urls;
    int64_t lease_us;
    int64_t checkpoint_us;
    bool has_key;
    uint8_t key[TENDER_PUBLIC_KEY_SIZE]; /* noted in the ledger, for who checks what is signed */
    struct ledger_handlers handlers;
    bool may_lose_commits;
    bool is_unsafe; /* `unsafe` says why; of the connection that is being set up */
    char unsafe[400];
    char error[512];

    PGconn *connection;
    enum link link;
    PostgresPollingStatusType polling; /* while LINK_CONNECTING */
    bool wants_write;                  /* output waits in libpq's buffer */
    bool is_unawaited; /* a commit of the unit being read did not wait for its standby */
    unsigned attempts; /* to connect */
    int32_t *timeline; /* the newest of the servers so far, kept here or by the caller; 0: none */
    int32_t own_timeline;
    int32_t timeline_now;
    int64_t now_us;     /* monotonic, of the last ledger_advance */
    int64_t retry_us;   /* LINK_DOWN: next attempt; else: when to give up; or never */
    int64_t backoff_us; /* 0 after a unit that went well: the next attempt follows at once */
    bool has_lost;      /* the server of this connection lacks what had committed: `lost` */
    struct ledger_loss lost;
    struct noted_loss losses[LOSSES_MAX]; /* the first is on its way while a UNIT_LOSS is */
    size_t loss_count;
    struct noted_limit limits[LIMITS_MAX];
    size_t limit_count;

    tender_id id;
    uint32_t shard_count;
    uint64_t shards; /* set of those that this broker holds */
    struct holding holdings[SHARDS_MAX];
    struct fresh fresh[SHARDS_MAX]; /* of the tasks appended so far */
    struct bundle bundles[2];
    struct bundle *filling;
    struct bundle *sending; /* NULL: none is on its way */
    int64_t sending_stamp_us;
    int64_t sent_us; /* monotonic: when it was sent first */
    int64_t
        leased_until_us; /* monotonic: before the database's end of the lease; 0: none is known */
    int64_t room_us;     /* stamp for which partitions were asked for last; 0: never */

    struct query *queries; /* oldest first; the first `asked_count` are on their way */
    struct query **queries_end;
    size_t asked_count;
    bool wants_poll;
    bool wants_watch;
    uint64_t released; /* set of shards that are given back */
    enum { RELEASE_NOT, RELEASE_WANTED, RELEASE_DONE } release; /* one that is lost goes again */
    int64_t clock_asked_us;    /* when the database was last asked for its clock */
    uint64_t poll_shards;      /* set of those whose answer to a poll has not come */
    uint64_t receipt_shards;   /* the same of receipts, when a connection is set up */
    struct held_request *held; /* handed out and not yet answered in a committed batch */
    size_t held_count;
    size_t held_capacity;

    enum unit_kind units[UNITS_MAX];
    size_t unit_first;
    size_t unit_count;
    char failed_state[6]; /* SQLSTATE of the first error of the unit being read; "": none */
};

/* Keeps a sentence for ledger_last_error. Returns `status`. */
int ledger_fail(struct ledger *ledger, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with libpq's words. */
int ledger_fail_pq(struct ledger *ledger, int status, const char *what);

/*
 * For a connection that nothing is pipelined over. Sends one statement; completes the columns
 * before and releases them behind it. 0, TENDER_ENOMEM or TENDER_EDATABASE, with the sentence kept.
 */
TENDER_MUST_CHECK int ledger_send(struct ledger *ledger, enum statement statement,
                                  struct column *columns, uint32_t column_count);
/* Waits for its answer. NULL on failure, with the sentence kept; PQclear the result. */
PGresult *ledger_take(struct ledger *ledger, enum statement statement);
/* Both. */
PGresult *ledger_execute(struct ledger *ledger, enum statement statement, struct column *columns,
                         uint32_t column_count);

/* One cell of a binary result: bytes, borrowed from it; an integer; µs since the Unix epoch. */
static inline tender_bytes cell_bytes(const PGresult *result, int row, int column)
{
    return (tender_bytes){PQgetvalue(result, row, column),
                          (size_t)PQgetlength(result, row, column)};
}
static inline int64_t cell_integer(const PGresult *result, int row, int column)
{
    return column_read_integer(PQgetvalue(result, row, column), PQgetlength(result, row, column));
}
static inline int64_t cell_time(const PGresult *result, int row, int column)
{
    return column_read_time(PQgetvalue(result, row, column), PQgetlength(result, row, column));
}

/* conninfo.c: connects to what `database` says; with several hosts, number `turn` of them first. */
/* How many servers it names. */
size_t schema_host_count(const char *database);
PGconn *schema_connect(const char *database, const char *name, bool is_async, unsigned turn);

/* reign.c */
/*
 * Queue END_BACKEND and RESUME_REIGN for each shard that is held, WATCH_REIGNS, or RELEASE_REIGN
 * for each that is given back: as pipeline_queue.
 */
TENDER_MUST_CHECK int reign_resume(struct ledger *ledger);
TENDER_MUST_CHECK int reign_watch(struct ledger *ledger);
TENDER_MUST_CHECK int reign_release(struct ledger *ledger);
/* What a bundle that is submitted renews besides, and that a bundle has committed. */
uint64_t reign_due(const struct ledger *ledger);
void reign_committed(struct ledger *ledger, const struct bundle *bundle);
void reign_read(struct ledger *ledger, const PGresult *result);
/* Keeps the lease while a recall goes on; blocking. 0, or TENDER_EDATABASE: also where another
 * broker reigns. */
TENDER_MUST_CHECK int reign_renew(struct ledger *ledger);

/* connection.c */
/* Connects to a server that is not of the past and looks at its settings (blocking). As
 * ledger_open.
 */
TENDER_MUST_CHECK int connection_open(struct ledger *ledger);
#define CONNECTION_PAST "the server is a primary of the past: its timeline is older"
/* Whether the present server is older than one before. */
bool connection_is_past(const struct ledger *ledger);
void connection_begin(struct ledger *ledger); /* not blocking; sets `link` */
TENDER_MUST_CHECK int connection_poll(struct ledger *ledger);
/* Drops the link; all that was sent and not answered is sent again. */
void connection_lose(struct ledger *ledger, const char *why);

/* pipeline.c */
/* Enters pipeline mode on a connection that was just made, and sends the setup. */
TENDER_MUST_CHECK int pipeline_begin(struct ledger *ledger);
TENDER_MUST_CHECK int pipeline_send(struct ledger *ledger); /* whatever waits and may be sent */
TENDER_MUST_CHECK int pipeline_read(struct ledger *ledger);
/* Queues one execution of a prepared statement; completes the columns before and releases them
 * behind it. 0, TENDER_ENOMEM, or TENDER_EDATABASE: libpq could not. */
TENDER_MUST_CHECK int pipeline_queue(struct ledger *ledger, enum statement statement,
                                     struct column *columns, uint32_t column_count);

/* lookup.c: questions on their way, their answers, and what a lost link leaves of them */
TENDER_MUST_CHECK int lookup_ask(struct ledger *ledger);
void lookup_read(struct ledger *ledger, const PGresult *result);
void lookup_finish(struct ledger *ledger);
void lookup_rewind(struct ledger *ledger);
void lookup_release(struct ledger *ledger);

/* inbox.c */
void inbox_read(struct ledger *ledger, const PGresult *result);
/* Requests answered by a committed batch are no longer held. */
void inbox_release(struct ledger *ledger, const struct batch *batch);
/* Queues PENDING_REQUESTS for each shard that is held. */
TENDER_MUST_CHECK int inbox_queue(struct ledger *ledger);

/* durability.c */
/* Reads the row of DURABILITY, in binary: 0, or TENDER_EUNSAFE with the sentence. */
TENDER_MUST_CHECK int durability_read(const PGresult *result, int32_t *timeline_out,
                                      char *sentence_out, size_t size);
/* Asks and judges (blocking): as ledger_durability, on the connection that is there. */
TENDER_MUST_CHECK int durability_ask(PGconn *connection, int32_t *timeline_out, char *sentence_out,
                                     size_t size);

/* receipt.c */
/* Reads which reigns there were (blocking), once ours has begun. */
TENDER_MUST_CHECK int receipt_begin(struct ledger *ledger, uint32_t shard);
/* Queues the question how far our reign is held; its answer, NULL where the reign is lost. */
TENDER_MUST_CHECK int receipt_ask(struct ledger *ledger);
void receipt_read(struct ledger *ledger, const PGresult *result);
/* Queues the first loss, and takes it off when it is noted. */
TENDER_MUST_CHECK int receipt_note(struct ledger *ledger);
void receipt_noted(struct ledger *ledger);

/* leaf.c */
/* Reads the tree that a shard goes on from (blocking), once its reign has begun. */
TENDER_MUST_CHECK int leaf_recall(struct ledger *ledger, uint32_t shard);
/* Queues the leaf of the batch of a shard, where that has entries, and a checkpoint where it is
 * time for one, behind all else of the batch: as pipeline_queue. */
TENDER_MUST_CHECK int leaf_queue(struct ledger *ledger, uint32_t shard);
/* The batch has committed. */
void leaf_committed(struct ledger *ledger, uint32_t shard);

/* limit.c: queues the statement that notes the limits that were met. */
TENDER_MUST_CHECK int limit_note(struct ledger *ledger);

/* words.c */
TENDER_MUST_CHECK int words_write(PGconn *connection, char *error, size_t error_size);

/* migrate.c */
/* Keeps the first line of a sentence in `error`. Returns `status`. */
int schema_fail(char *error, size_t error_size, int status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Connects as a program of operators does (blocking). PQfinish *connection_out whatever comes. */
TENDER_MUST_CHECK int schema_open(const char *database, PGconn **connection_out, char *error,
                                  size_t error_size);
TENDER_MUST_CHECK int schema_compare(PGconn *connection, struct ledger_schema *schema_out,
                                     bool *routines_match_out, char *error, size_t error_size);

#endif
