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

PGresult *ledger_execute(struct ledger *ledger, enum statement statement, struct column *columns,
                         uint32_t column_count)
{
    const char *values[STATEMENT_PARAMETERS_MAX];
    int lengths[STATEMENT_PARAMETERS_MAX];
    int formats[STATEMENT_PARAMETERS_MAX];
    Oid types[STATEMENT_PARAMETERS_MAX];
    if (columns_end(columns, column_count) != 0) {
        columns_release(columns, column_count);
        (void)ledger_fail(ledger, 0, "out of memory");
        return NULL;
    }
    for (uint32_t i = 0; i < column_count; i++) {
        types[i] = (Oid)columns[i].type;
    }
    columns_pass(columns, column_count, values, lengths, formats);
    PGresult *result = PQexecParams(ledger->connection, statements[statement].text,
                                    (int)column_count, types, values, lengths, formats, 1);
    columns_release(columns, column_count);
    if (PQresultStatus(result) != PGRES_TUPLES_OK && PQresultStatus(result) != PGRES_COMMAND_OK) {
        (void)ledger_fail_pq(ledger, 0, statements[statement].name);
        PQclear(result);
        return NULL;
    }
    return result;
}

int ledger_open(const struct ledger_options *options, struct ledger **ledger_out)
{
    struct ledger *ledger = calloc(1, sizeof *ledger);
    *ledger_out = ledger;
    if (ledger == NULL) {
        return TENDER_ENOMEM;
    }
    batch_init(&ledger->batches[0]);
    batch_init(&ledger->batches[1]);
    ledger->filling = &ledger->batches[0];
    ledger->queries_end = &ledger->queries;
    ledger->handlers = options->handlers;
    ledger->may_lose_commits = options->may_lose_commits;
    ledger->database = strdup(options->database == NULL ? "" : options->database);
    ledger->broker = strdup(options->broker == NULL ? "tenderd" : options->broker);
    ledger->urls = strdup(options->urls == NULL ? "" : options->urls);
    ledger->lease_us = options->lease_us > 0 ? options->lease_us : LEASE_US;
    if (ledger->database == NULL || ledger->broker == NULL || ledger->urls == NULL) {
        return TENDER_ENOMEM;
    }
    int status = connection_open(ledger);
    if (status == 0) {
        status = durability_ask(ledger->connection, ledger->error, sizeof ledger->error);
    }
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
    return 0;
}

void ledger_close(struct ledger *ledger)
{
    if (ledger == NULL) {
        return;
    }
    PQfinish(ledger->connection);
    lookup_release(ledger);
    batch_release(&ledger->batches[0]);
    batch_release(&ledger->batches[1]);
    free(ledger->held);
    free(ledger->database);
    free(ledger->broker);
    free(ledger->urls);
    free(ledger);
}

int ledger_append(struct ledger *ledger, const struct entry *entry)
{
    int status = batch_append(ledger->filling, LEDGER_SHARD, entry);
    return status == 0 ? projection_apply(ledger->filling, entry) : status;
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
    assert(ledger->reign != 0);
    int status = batch_seal(ledger->filling, LEDGER_SHARD);
    if (status != 0) {
        return status;
    }
    failpoint(BATCH_SEALED);
    ledger->sending = ledger->filling;
    ledger->sending_stamp_us = stamp_us;
    ledger->sent_us = ledger->now_us;
    ledger->filling =
        ledger->sending == &ledger->batches[0] ? &ledger->batches[1] : &ledger->batches[0];
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
