/*
 * Asks the ledger about tasks that the book has forgotten.
 */
#include "private.h"

#include <stdlib.h>
#include <string.h>

static struct query *query_add(struct ledger *ledger, enum statement statement, uint64_t cookie)
{
    struct query *query = calloc(1, sizeof *query);
    if (query != NULL) {
        struct query **end = &ledger->queries;
        while (*end != NULL) {
            end = &(*end)->next;
        }
        *end = query;
        query->statement = statement;
        query->cookie = cookie;
    }
    return query;
}

static struct column *query_value(struct query *query, enum column_type type)
{
    struct column *column = &query->columns[query->column_count++];
    column_begin_value(column, type);
    return column;
}

static int query_start(struct ledger *ledger, struct query *query)
{
    for (uint32_t i = 0; i < query->column_count; i++) {
        if (column_end(&query->columns[i]) != 0) {
            return TENDER_ENOMEM;
        }
    }
    return pipeline_send(ledger);
}

int ledger_lookup_key(struct ledger *ledger, uint64_t cookie, tender_bytes principal,
                      tender_bytes key, const tender_digest *body_digest)
{
    struct query *query = query_add(ledger, STATEMENT_LOOKUP_KEY, cookie);
    if (query == NULL) {
        return TENDER_ENOMEM;
    }
    column_integer(query_value(query, COLUMN_INT2), LEDGER_SHARD);
    column_bytes(query_value(query, COLUMN_TEXT), principal);
    column_bytes(query_value(query, COLUMN_TEXT), key);
    column_digest(query_value(query, COLUMN_BYTEA), *body_digest);
    return query_start(ledger, query);
}

int ledger_lookup_task(struct ledger *ledger, uint64_t cookie, tender_id task, uint32_t part,
                       uint32_t generation)
{
    struct query *query = query_add(ledger, STATEMENT_LOOKUP_TASK, cookie);
    if (query == NULL) {
        return TENDER_ENOMEM;
    }
    column_integer(query_value(query, COLUMN_INT2), LEDGER_SHARD);
    column_id(query_value(query, COLUMN_UUID), task);
    column_integer(query_value(query, COLUMN_INT4), part);
    column_integer(query_value(query, COLUMN_INT4), generation);
    return query_start(ledger, query);
}

static int64_t read_integer(const PGresult *result, int column)
{
    return PQgetisnull(result, 0, column)
               ? 0
               : column_read_integer(PQgetvalue(result, 0, column), PQgetlength(result, 0, column));
}

static tender_bytes read_bytes(const PGresult *result, int column)
{
    return (tender_bytes){PQgetvalue(result, 0, column), (size_t)PQgetlength(result, 0, column)};
}

static void read_fixed(const PGresult *result, int column, void *target, size_t size)
{
    if (PQgetlength(result, 0, column) == (int)size) {
        memcpy(target, PQgetvalue(result, 0, column), size);
    }
}

void lookup_read(struct ledger *ledger, const PGresult *result)
{
    struct ledger_prior prior = {0};
    if (PQntuples(result) > 0) {
        read_fixed(result, 0, &prior.task, sizeof prior.task);
        read_fixed(result, 1, &prior.newest, sizeof prior.newest);
        prior.state = (tender_task_state)read_integer(result, 2);
        prior.reason = (tender_reason)read_integer(result, 3);
        prior.client = read_bytes(result, 4);
        prior.principal = read_bytes(result, 5);
        prior.round = read_integer(result, 6);
        prior.units = read_integer(result, 7);
        prior.units_done = read_integer(result, 8);
        prior.paid_micro = read_integer(result, 9);
        prior.commitment_state = (tender_commitment_state)read_integer(result, 10);
        prior.contractor = read_bytes(result, 11);
        prior.number = (uint64_t)read_integer(result, 12);
        read_fixed(result, 13, &prior.hash, sizeof prior.hash);
    }
    ledger->queries->is_answered = true;
    if (ledger->handlers.on_prior != NULL) {
        ledger->handlers.on_prior(ledger->handlers.context, ledger->queries->cookie, &prior);
    }
}

void lookup_done(struct ledger *ledger)
{
    struct query *query = ledger->queries;
    ledger->queries = query->next;
    for (uint32_t i = 0; i < query->column_count; i++) {
        column_release(&query->columns[i]);
    }
    free(query);
}

void lookup_rewind(struct ledger *ledger)
{
    if (ledger->queries != NULL && ledger->queries->is_answered) {
        lookup_done(ledger);
    }
    for (struct query *query = ledger->queries; query != NULL; query = query->next) {
        query->is_sent = false;
    }
}
