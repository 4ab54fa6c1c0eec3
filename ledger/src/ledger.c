/*
 * The ledger's handle: opening, filling and submitting batches, and the loop's side.
 */
#include "private.h"

#include "failpoint.h"
#include "projection.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ledger_fail(struct ledger *ledger, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(ledger->error, sizeof ledger->error, format, arguments);
    va_end(arguments);
    return status;
}

int ledger_fail_pq(struct ledger *ledger, int status, const char *what)
{
    const char *text = ledger->connection == NULL ? "" : PQerrorMessage(ledger->connection);
    int size = (int)strcspn(text, "\n");
    return ledger_fail(ledger, status, "%s: %.*s", what, size, text);
}

const char *ledger_last_error(const struct ledger *ledger)
{
    return ledger == NULL ? "out of memory" : ledger->error;
}

int ledger_send(struct ledger *ledger, enum statement statement, struct column *columns,
                uint32_t column_count)
{
    const char *values[STATEMENT_PARAMETERS_MAX];
    int lengths[STATEMENT_PARAMETERS_MAX];
    int formats[STATEMENT_PARAMETERS_MAX];
    Oid types[STATEMENT_PARAMETERS_MAX];
    int status = columns_end(columns, column_count);
    for (uint32_t i = 0; i < column_count; i++) {
        types[i] = (Oid)columns[i].type;
    }
    columns_pass(columns, column_count, values, lengths, formats);
    if (status != 0) {
        (void)ledger_fail(ledger, status, "out of memory");
    } else if (PQsendQueryParams(ledger->connection, statements[statement].text, (int)column_count,
                                 types, values, lengths, formats, 1) != 1) {
        status = ledger_fail_pq(ledger, TENDER_EDATABASE, statements[statement].name);
    }
    columns_release(columns, column_count);
    return status;
}

PGresult *ledger_take(struct ledger *ledger, enum statement statement)
{
    PGresult *result = PQgetResult(ledger->connection);
    for (PGresult *more; (more = PQgetResult(ledger->connection)) != NULL;) {
        PQclear(result);
        result = more;
    }
    if (PQresultStatus(result) != PGRES_TUPLES_OK && PQresultStatus(result) != PGRES_COMMAND_OK) {
        (void)ledger_fail_pq(ledger, 0, statements[statement].name);
        PQclear(result);
        return NULL;
    }
    return result;
}

PGresult *ledger_execute(struct ledger *ledger, enum statement statement, struct column *columns,
                         uint32_t column_count)
{
    int status = ledger_send(ledger, statement, columns, column_count);
    return status == 0 ? ledger_take(ledger, statement) : NULL;
}

static int read_id(struct ledger *ledger)
{
    PGresult *result = ledger_execute(ledger, STATEMENT_LEDGER_ID, NULL, 0);
    if (result != NULL) {
        memcpy(&ledger->id, PQgetvalue(result, 0, 0), sizeof ledger->id);
    }
    PQclear(result);
    return result == NULL ? TENDER_EDATABASE : 0;
}

static int read_shard_count(struct ledger *ledger)
{
    PGresult *result = ledger_execute(ledger, STATEMENT_SHARD_COUNT, NULL, 0);
    if (result == NULL) {
        return TENDER_EDATABASE;
    }
    ledger->shard_count = (uint32_t)cell_integer(result, 0, 0);
    PQclear(result);
    return ledger->shard_count >= 1 && ledger->shard_count <= SHARDS_MAX
               ? 0
               : ledger_fail(ledger, TENDER_ESCHEMA, "the ledger has more than 64 shards");
}

uint32_t ledger_shard_count(const struct ledger *ledger)
{
    return ledger->shard_count;
}

int ledger_open(const struct ledger_options *options, struct ledger **ledger_out)
{
    struct ledger *ledger = calloc(1, sizeof *ledger);
    *ledger_out = ledger;
    if (ledger == NULL) {
        return TENDER_ENOMEM;
    }
    ledger->filling = &ledger->bundles[0];
    ledger->filling->number = 1;
    ledger->queries_end = &ledger->queries;
    ledger->handlers = options->handlers;
    ledger->may_lose_commits = options->may_lose_commits;
    ledger->timeline = options->timeline != NULL ? options->timeline : &ledger->own_timeline;
    ledger->database = strdup(options->database == NULL ? "" : options->database);
    ledger->broker = strdup(options->broker == NULL ? "tenderd" : options->broker);
    ledger->urls = strdup(options->urls == NULL ? "" : options->urls);
    ledger->checkpoint_us = options->checkpoint_us;
    ledger->has_key = options->key != NULL;
    if (ledger->has_key) {
        memcpy(ledger->key, options->key, sizeof ledger->key);
    }
    ledger->lease_us = options->lease_us > 0 ? options->lease_us : LEASE_US;
    if (ledger->database == NULL || ledger->broker == NULL || ledger->urls == NULL) {
        return TENDER_ENOMEM;
    }
    int status = connection_open(ledger);
    if (status != 0 && !(status == TENDER_EUNSAFE && ledger->may_lose_commits)) {
        return status;
    }
    struct ledger_schema schema;
    bool routines_match = false;
    status = schema_compare(ledger->connection, &schema, &routines_match, ledger->error,
                            sizeof ledger->error);
    if (status != 0) {
        return status;
    }
    if (schema.version != schema.known || !routines_match) {
        return ledger_fail(
            ledger, TENDER_ESCHEMA,
            "the schema has version %d%s and this program speaks version %d: %s", schema.version,
            routines_match ? "" : " with other functions", schema.known,
            schema.version > schema.known ? "use a newer program" : "run `tender ledger migrate`");
    }
    status = read_id(ledger);
    return status == 0 ? read_shard_count(ledger) : status;
}

void ledger_close(struct ledger *ledger)
{
    if (ledger == NULL) {
        return;
    }
    PQfinish(ledger->connection);
    lookup_release(ledger);
    bundle_release(&ledger->bundles[0]);
    bundle_release(&ledger->bundles[1]);
    for (uint32_t shard = 0; shard < SHARDS_MAX; shard++) {
        fresh_release(&ledger->fresh[shard]);
    }
    free(ledger->held);
    free(ledger->database);
    free(ledger->broker);
    free(ledger->urls);
    free(ledger);
}

/* The batch of a shard that is being filled; NULL when memory ran out. */
static struct batch *filling(struct ledger *ledger, uint32_t shard)
{
    struct batch *batch = bundle_touch(ledger->filling, shard);
    if (batch != NULL) {
        batch->fresh = &ledger->fresh[shard];
    }
    return batch;
}

int ledger_append(struct ledger *ledger, const struct entry *entry)
{
    assert(shard_is_in(ledger->shards, entry->shard));
    struct batch *batch = filling(ledger, entry->shard);
    if (batch == NULL) {
        return TENDER_ENOMEM;
    }
    size_t before = batch->size;
    int status = batch_append(batch, entry->shard, entry);
    status = status == 0 ? projection_apply(batch, entry) : status;
    ledger->filling->size += batch->size - before;
    return status;
}

uint64_t ledger_batch(const struct ledger *ledger)
{
    return ledger->filling->number;
}

size_t ledger_backlog(const struct ledger *ledger)
{
    return ledger->filling->size;
}

bool ledger_is_busy(const struct ledger *ledger)
{
    return ledger->sending != NULL;
}

int ledger_submit(struct ledger *ledger, int64_t stamp_us)
{
    assert(ledger->sending == NULL);
    assert(ledger->shards != 0);
    int status = 0;
    uint64_t begun = reign_due(ledger) | ledger->filling->touched;
    for (uint64_t left = begun; status == 0 && left != 0;) {
        struct batch *batch = filling(ledger, shard_take(&left));
        status = batch == NULL ? TENDER_ENOMEM : batch_sort_fresh(batch, stamp_us);
    }
    status = status == 0 ? bundle_seal(ledger->filling, begun) : status;
    if (status != 0) {
        return status;
    }
    failpoint(BATCH_SEALED);
    ledger->sending = ledger->filling;
    ledger->sending_stamp_us = stamp_us;
    ledger->sent_us = ledger->now_us;
    ledger->filling =
        ledger->sending == &ledger->bundles[0] ? &ledger->bundles[1] : &ledger->bundles[0];
    ledger->filling->number = ledger->sending->number + 1;
    if (ledger->link == LINK_DOWN && ledger->connection != NULL) {
        return pipeline_begin(ledger); /* the connection that ledger_open made */
    }
    return pipeline_send(ledger);
}

int ledger_socket(const struct ledger *ledger)
{
    return ledger->connection == NULL ? -1 : PQsocket(ledger->connection);
}

int ledger_wants(const struct ledger *ledger)
{
    switch (ledger->link) {
    case LINK_DOWN:
        return 0;
    case LINK_CONNECTING:
        return ledger->polling == PGRES_POLLING_WRITING ? LEDGER_WANTS_WRITE : LEDGER_WANTS_READ;
    case LINK_SETUP:
    case LINK_UP:
        break;
    }
    return LEDGER_WANTS_READ | (ledger->wants_write ? LEDGER_WANTS_WRITE : 0);
}

int64_t ledger_retry_us(const struct ledger *ledger)
{
    return ledger->retry_us;
}

int ledger_advance(struct ledger *ledger, int64_t monotonic_us)
{
    ledger->now_us = monotonic_us;
    int status = 0;
    if (ledger->link == LINK_DOWN) {
        if (ledger->connection != NULL) {
            status = pipeline_begin(ledger); /* the connection that ledger_open made */
        } else if (monotonic_us >= ledger->retry_us) {
            connection_begin(ledger);
        }
    }
    if (status == 0 && ledger->link == LINK_CONNECTING) {
        status = connection_poll(ledger);
    }
    if (status == 0 && (ledger->link == LINK_SETUP || ledger->link == LINK_UP)) {
        status = pipeline_read(ledger);
    }
    if (status == 0 && ledger->link >= LINK_SETUP && monotonic_us >= ledger->retry_us) {
        connection_lose(ledger, "the database does not answer");
    }
    return status == 0 ? pipeline_send(ledger) : status;
}
