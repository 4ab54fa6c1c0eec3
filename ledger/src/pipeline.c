/*
 * Sends units over the pipeline and reads their results. A unit ends with a sync: it is one
 * implicit transaction, and the next unit begins afresh whatever became of it.
 *
 * The connection is non-blocking, and input is consumed before output is written: a server that
 * waits for us to read would otherwise be waited for.
 */
#include "private.h"

#include "failpoint.h"

#include <string.h>
#include <sys/socket.h>

#define SEND_BUFFER_SIZE 4194304 /* a batch under load, several times over */
#define FLUSH_SIZE       65536   /* of a batch whose calls leave one by one */

static void unit_push(struct ledger *ledger, enum unit_kind kind)
{
    ledger->units[(ledger->unit_first + ledger->unit_count) % UNITS_MAX] = kind;
    ledger->unit_count++;
    if (ledger->retry_us == TENDER_NEVER) {
        ledger->retry_us = ledger->now_us + WATCHDOG_US;
    }
}

/* Queues one execution of a prepared statement; false when libpq could not. */
static bool call(struct ledger *ledger, enum statement statement, const struct column *columns,
                 uint32_t column_count)
{
    const char *values[STATEMENT_PARAMETERS_MAX];
    int lengths[STATEMENT_PARAMETERS_MAX];
    int formats[STATEMENT_PARAMETERS_MAX];
    columns_pass(columns, column_count, values, lengths, formats);
    return PQsendQueryPrepared(ledger->connection, statements[statement].name, (int)column_count,
                               values, lengths, formats, 1) == 1;
}

int pipeline_queue(struct ledger *ledger, enum statement statement, struct column *columns,
                   uint32_t column_count)
{
    int status = columns_end(columns, column_count);
    if (status == 0 && !call(ledger, statement, columns, column_count)) {
        status = TENDER_EDATABASE;
    }
    columns_release(columns, column_count);
    return status;
}

static int send_sync(struct ledger *ledger, enum unit_kind kind)
{
    if (PQpipelineSync(ledger->connection) != 1) {
        connection_lose(ledger, NULL);
        return 0;
    }
    unit_push(ledger, kind);
    int left = PQflush(ledger->connection);
    if (left < 0) {
        connection_lose(ledger, NULL);
        return 0;
    }
    ledger->wants_write = left > 0;
    return 0;
}

/* Ends a unit whose statements were queued with `status`. */
static int end_unit(struct ledger *ledger, int status, enum unit_kind kind)
{
    if (status == TENDER_EDATABASE) {
        connection_lose(ledger, NULL);
        return 0;
    }
    return status == 0 ? send_sync(ledger, kind) : status;
}

static int send_setup(struct ledger *ledger)
{
    bool is_sent = true;
    for (int i = 0; is_sent && i < STATEMENT_COUNT; i++) {
        is_sent =
            PQsendPrepare(ledger->connection, statements[i].name, statements[i].text, 0, NULL) == 1;
    }
    is_sent = is_sent && call(ledger, STATEMENT_SETTINGS, NULL, 0) &&
              call(ledger, STATEMENT_DURABILITY, NULL, 0) && receipt_ask(ledger) == 0 &&
              reign_resume(ledger) == 0 && call(ledger, STATEMENT_LISTEN, NULL, 0);
    if (!is_sent) {
        connection_lose(ledger, NULL);
        return 0;
    }
    return send_sync(ledger, UNIT_SETUP);
}

/*
 * The socket takes a whole batch at once, so that the server never waits for the rest of it until
 * the loop comes by. Where the system allows less, it takes what it allows.
 */
static void widen(const struct ledger *ledger)
{
    int size = SEND_BUFFER_SIZE;
    (void)setsockopt(PQsocket(ledger->connection), SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
}

int pipeline_begin(struct ledger *ledger)
{
    widen(ledger);
    ledger->link = LINK_SETUP;
    ledger->retry_us = TENDER_NEVER;
    ledger->unit_count = 0;
    if (PQsetnonblocking(ledger->connection, 1) != 0 ||
        PQenterPipelineMode(ledger->connection) != 1) {
        connection_lose(ledger, NULL);
        return 0;
    }
    return send_setup(ledger);
}

/* Queues the batch of one shard; a large one leaves meanwhile. 0, TENDER_ENOMEM, or
 * TENDER_EDATABASE: libpq could not. */
static int queue_batch(struct ledger *ledger, uint32_t shard)
{
    const struct holding *holding = &ledger->holdings[shard];
    struct column columns[4] = {{0}, {0}, {0}, {0}};
    column_set_integer(&columns[0], COLUMN_INT2, shard);
    column_set_integer(&columns[1], COLUMN_INT8, holding->reign);
    column_set_integer(&columns[2], COLUMN_INT8, (int64_t)holding->batch + 1);
    column_begin_value(&columns[3], COLUMN_TIMESTAMPTZ);
    column_time(&columns[3], ledger->sending_stamp_us);
    int status = pipeline_queue(ledger, STATEMENT_BEGIN_BATCH, columns, 4);
    struct batch *batch = ledger->sending->batches[shard];
    const struct call *each = NULL;
    for (size_t i = 0; status == 0; i++) {
        status = batch_call(batch, shard, i, &each);
        if (status != 0 || each == NULL) {
            break;
        }
        bool is_sent = call(ledger, each->statement, each->columns, each->column_count) &&
                       (batch->size < FLUSH_SIZE || PQflush(ledger->connection) >= 0);
        status = is_sent ? 0 : TENDER_EDATABASE;
        failpoint(BATCH_HALF);
    }
    return status == 0 ? leaf_queue(ledger, shard) : status;
}

static int send_batch(struct ledger *ledger)
{
    int status = 0;
    for (uint64_t left = ledger->sending->begun; status == 0 && left != 0;) {
        status = queue_batch(ledger, shard_take(&left));
    }
    if (status != 0) {
        return end_unit(ledger, status, UNIT_BATCH);
    }
    failpoint(BATCH_WHOLE);
    status = send_sync(ledger, UNIT_BATCH);
    failpoint(BATCH_SENT);
    return status;
}

static int send_queries(struct ledger *ledger)
{
    int status = end_unit(ledger, lookup_ask(ledger), UNIT_QUERY);
    failpoint(LOOKUP_ASKED);
    return status;
}

static int send_poll(struct ledger *ledger)
{
    int status = inbox_queue(ledger);
    if (status == 0 && ledger->now_us - ledger->clock_asked_us >= CLOCK_EVERY_US) {
        ledger->clock_asked_us = ledger->now_us;
        status = pipeline_queue(ledger, STATEMENT_CLOCK, NULL, 0);
    }
    if (status == 0) {
        ledger->wants_poll = false;
    }
    return end_unit(ledger, status, UNIT_POLL);
}

/* Before a batch whose tasks may need a partition that is not there yet. */
static int send_room(struct ledger *ledger)
{
    struct column column = {0};
    column_begin_value(&column, COLUMN_TIMESTAMPTZ);
    column_time(&column, ledger->sending_stamp_us);
    ledger->room_us = ledger->sending_stamp_us;
    return end_unit(ledger, pipeline_queue(ledger, STATEMENT_KEEP_PARTITIONS, &column, 1),
                    UNIT_ROOM);
}

/* Whether a unit may be sent of which one at a time is on its way; `status` is that so far. */
static bool may_send(const struct ledger *ledger, int status, enum unit_kind kind)
{
    bool is_out = false;
    for (size_t i = 0; i < ledger->unit_count; i++) {
        is_out = is_out || ledger->units[(ledger->unit_first + i) % UNITS_MAX] == kind;
    }
    return status == 0 && ledger->link == LINK_UP && !is_out;
}

int pipeline_send(struct ledger *ledger)
{
    bool needs_room = ledger->sending_stamp_us >= ledger->room_us + ROOM_EVERY_US;
    int status = 0;
    if (ledger->sending != NULL && needs_room && may_send(ledger, status, UNIT_BATCH)) {
        status = send_room(ledger);
    }
    if (ledger->sending != NULL && may_send(ledger, status, UNIT_BATCH)) {
        status = send_batch(ledger);
    }
    if (ledger->queries != NULL && may_send(ledger, status, UNIT_QUERY)) {
        status = send_queries(ledger);
    }
    if (ledger->wants_poll && ledger->shards != 0 && may_send(ledger, status, UNIT_POLL)) {
        status = send_poll(ledger);
    }
    if (ledger->wants_watch && may_send(ledger, status, UNIT_WATCH)) {
        ledger->wants_watch = false;
        status = end_unit(ledger, reign_watch(ledger), UNIT_WATCH);
    }
    if (ledger->loss_count > 0 && may_send(ledger, status, UNIT_LOSS)) {
        status = end_unit(ledger, receipt_note(ledger), UNIT_LOSS);
    }
    if (ledger->limit_count > 0 && may_send(ledger, status, UNIT_LIMITS)) {
        status = end_unit(ledger, limit_note(ledger), UNIT_LIMITS);
    }
    if (ledger->release == RELEASE_WANTED && may_send(ledger, status, UNIT_RELEASE)) {
        status = end_unit(ledger, reign_release(ledger), UNIT_RELEASE);
    }
    return status;
}

static bool is_retryable(const char *sqlstate)
{
    /* Connection, operator intervention, rollback, resources, I/O, a lock not had; a standby that
     * will be promoted; a statement or plan that is gone with another session. */
    static const char *const classes[] = {"08",    "57",    "40",    "53",   "58",
                                          "55P03", "25006", "26000", "0A000"};
    if (strcmp(sqlstate, "08P01") == 0) {
        return false; /* a protocol violation: ours */
    }
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (strncmp(sqlstate, classes[i], strlen(classes[i])) == 0) {
            return true;
        }
    }
    return false;
}

static void finish_batch(struct ledger *ledger)
{
    failpoint(COMMIT_SEEN);
    struct bundle *bundle = ledger->sending;
    uint64_t number = bundle->number;
    ledger->sending = NULL;
    reign_committed(ledger, bundle);
    bundle_clear(bundle);
    if (ledger->handlers.on_committed != NULL) {
        ledger->handlers.on_committed(ledger->handlers.context, number);
    }
}

/* The server may be another one than before, or the same with other settings. */
static int finish_setup(struct ledger *ledger)
{
    if (ledger->is_unsafe && !ledger->may_lose_commits) {
        return ledger_fail(ledger, TENDER_EUNSAFE, "%s", ledger->unsafe);
    }
    ledger->link = LINK_UP;
    if (ledger->handlers.on_connection != NULL) {
        ledger->handlers.on_connection(ledger->handlers.context, true, "ledger connected");
    }
    if (ledger->is_unsafe && ledger->handlers.on_unsafe != NULL) {
        ledger->handlers.on_unsafe(ledger->handlers.context, ledger->unsafe);
    }
    return 0;
}

/*
 * Whether what the unit says counts, by whom it comes from. A promotion begins a new timeline, so a
 * server on an older one is a primary of the past that somebody lets run; one that lacks what had
 * committed is known by it, or by lacking the reign.
 */
static bool is_usable(struct ledger *ledger, enum unit_kind kind, const char *state,
                      int *status_out)
{
    bool is_setup = kind == UNIT_SETUP;
    if (ledger->is_unawaited) { /* the next connection's setup waits for what came before it */
        connection_lose(ledger, "a commit was not awaited by the standby");
        return false;
    }
    if (is_setup && connection_is_past(ledger)) {
        connection_lose(ledger, CONNECTION_PAST);
        return false;
    }
    *ledger->timeline = is_setup ? ledger->timeline_now : *ledger->timeline;
    if (is_setup && (ledger->has_lost || strcmp(state, "TN006") == 0)) {
        receipt_read(ledger, NULL);
        *status_out = TENDER_ELOST;
        return false;
    }
    return true;
}

/* The sync of the oldest unit has come. */
static int finish_unit(struct ledger *ledger)
{
    enum unit_kind kind = ledger->units[ledger->unit_first];
    ledger->unit_first = (ledger->unit_first + 1) % UNITS_MAX;
    ledger->unit_count--;
    ledger->retry_us = ledger->unit_count == 0 ? TENDER_NEVER : ledger->now_us + WATCHDOG_US;
    char state[sizeof ledger->failed_state];
    memcpy(state, ledger->failed_state, sizeof state);
    ledger->failed_state[0] = '\0';
    int status = 0;
    if (!is_usable(ledger, kind, state, &status)) {
        return status;
    }
    bool is_held = kind == UNIT_BATCH && strcmp(state, "TN002") == 0;
    if (state[0] != '\0' && !is_held) {
        if (strcmp(state, "TN001") == 0) {
            return TENDER_EREIGN;
        }
        if (is_retryable(state)) {
            char why[sizeof ledger->error];
            memcpy(why, ledger->error, sizeof why);
            connection_lose(ledger, why);
            return 0;
        }
        return TENDER_EDATABASE;
    }
    if (kind != UNIT_SETUP) {
        ledger->backoff_us = 0;
    }
    switch (kind) {
    case UNIT_SETUP:
        return finish_setup(ledger);
    case UNIT_BATCH:
        finish_batch(ledger);
        break;
    case UNIT_QUERY:
        lookup_finish(ledger);
        break;
    case UNIT_LOSS:
        receipt_noted(ledger);
        break;
    case UNIT_RELEASE:
        ledger->release = RELEASE_DONE;
        break;
    case UNIT_ROOM:
    case UNIT_POLL:
    case UNIT_WATCH:
    case UNIT_LIMITS:
        break;
    }
    return 0;
}

/* Remembers the first error of the unit. Returns false for one that is the end of the link. */
static bool note_error(struct ledger *ledger, const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    if (state == NULL || PQstatus(ledger->connection) == CONNECTION_BAD) {
        return false;
    }
    if (ledger->failed_state[0] == '\0') {
        memcpy(ledger->failed_state, state, 5);
        ledger->failed_state[5] = '\0';
        (void)ledger_fail(ledger, 0, "%s: %s", state,
                          PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
    }
    return true;
}

/* The setup has two statements whose answers matter. */
static void read_setup(struct ledger *ledger, const PGresult *result)
{
    if (strcmp(PQfname(result, 0), "held_batch") == 0) {
        receipt_read(ledger, result);
    } else if (strcmp(PQfname(result, 0), "fsync") == 0) {
        ledger->is_unsafe = durability_read(result, &ledger->timeline_now, ledger->unsafe,
                                            sizeof ledger->unsafe) == TENDER_EUNSAFE;
    }
}

static void read_clock(struct ledger *ledger, const PGresult *result)
{
    if (ledger->handlers.on_clock != NULL && PQntuples(result) == 1) {
        ledger->handlers.on_clock(ledger->handlers.context, cell_time(result, 0, 0),
                                  ledger->clock_asked_us);
    }
}

static int read_result(struct ledger *ledger, const PGresult *result)
{
    enum unit_kind kind = ledger->units[ledger->unit_first];
    switch (PQresultStatus(result)) {
    case PGRES_PIPELINE_SYNC:
        return finish_unit(ledger);
    case PGRES_FATAL_ERROR:
        if (!note_error(ledger, result)) {
            connection_lose(ledger, NULL);
        }
        return 0;
    case PGRES_TUPLES_OK:
        if (kind == UNIT_QUERY) {
            lookup_read(ledger, result);
        } else if (kind == UNIT_POLL && PQnfields(result) == 1) {
            read_clock(ledger, result);
        } else if (kind == UNIT_POLL) {
            inbox_read(ledger, result);
        } else if (kind == UNIT_SETUP) {
            read_setup(ledger, result);
        } else if (kind == UNIT_WATCH) {
            reign_read(ledger, result);
        }
        return 0;
    default:
        return 0;
    }
}

static void read_notifications(struct ledger *ledger)
{
    PGnotify *notification;
    while ((notification = PQnotifies(ledger->connection)) != NULL) {
        ledger->wants_poll = true;
        PQfreemem(notification);
    }
}

/* Reads until libpq has nothing whole; two NULLs in a row say so too (one ends each statement). */
int pipeline_read(struct ledger *ledger)
{
    if (PQconsumeInput(ledger->connection) != 1) {
        connection_lose(ledger, NULL);
        return 0;
    }
    int nulls = 0;
    while (ledger->unit_count > 0 && nulls < 2 && !PQisBusy(ledger->connection)) {
        PGresult *result = PQgetResult(ledger->connection);
        if (result == NULL) {
            nulls++;
            continue;
        }
        nulls = 0;
        int status = read_result(ledger, result);
        PQclear(result);
        if (status != 0 || ledger->connection == NULL) {
            return status;
        }
    }
    read_notifications(ledger);
    if (PQstatus(ledger->connection) == CONNECTION_BAD) {
        connection_lose(ledger, NULL);
        return 0;
    }
    int left = PQflush(ledger->connection);
    if (left < 0) {
        connection_lose(ledger, NULL);
        return 0;
    }
    ledger->wants_write = left > 0;
    return 0;
}
