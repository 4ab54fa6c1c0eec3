/*
 * Asks the ledger about keys and tasks that the book does not hold. Every announcement asks about
 * its key, so questions that come while others are on their way go together in the next unit.
 */
#include "private.h"

#include <stdlib.h>
#include <string.h>

static int query_add(struct ledger *ledger, const struct query *query)
{
    struct query *copy = malloc(sizeof *copy + query->principal.size + query->key.size);
    if (copy == NULL) {
        return TENDER_ENOMEM;
    }
    *copy = *query;
    copy->next = NULL;
    copy->shard = query->is_key ? shard_of_principal(query->principal, ledger->shard_count)
                                : shard_of_task(query->task, ledger->shard_count);
    copy->principal.data = copy->texts;
    copy->key.data = copy->texts + query->principal.size;
    if (query->principal.size > 0) {
        memcpy(copy->texts, query->principal.data, query->principal.size);
    }
    if (query->key.size > 0) {
        memcpy(copy->texts + query->principal.size, query->key.data, query->key.size);
    }
    *ledger->queries_end = copy;
    ledger->queries_end = &copy->next;
    return pipeline_send(ledger);
}

int ledger_lookup_key(struct ledger *ledger, uint64_t cookie, tender_bytes principal,
                      tender_bytes key, const tender_digest *body_digest)
{
    struct query query = {.cookie = cookie,
                          .is_key = true,
                          .body_digest = *body_digest,
                          .principal = principal,
                          .key = key};
    return query_add(ledger, &query);
}

int ledger_lookup_task(struct ledger *ledger, uint64_t cookie, tender_id task, uint32_t part,
                       uint32_t generation)
{
    struct query query = {.cookie = cookie, .task = task, .part = part, .generation = generation};
    return query_add(ledger, &query);
}

enum { ASK_SHARD, ASK_PLACE, ASK_FIRST, ASK_SECOND, ASK_THIRD, ASK_COLUMNS };

static void ask_begin(struct column *columns, uint32_t shard, const enum column_type *types)
{
    column_set_integer(&columns[ASK_SHARD], COLUMN_INT2, shard);
    column_begin_array(&columns[ASK_PLACE], COLUMN_INT4);
    for (int i = 0; i < 3; i++) {
        column_begin_array(&columns[ASK_FIRST + i], types[i]);
    }
}

static void ask_query(struct column *columns, const struct query *query, size_t place)
{
    column_integer(&columns[ASK_PLACE], (int64_t)place);
    if (query->is_key) {
        column_bytes(&columns[ASK_FIRST], query->principal);
        column_bytes(&columns[ASK_SECOND], query->key);
        column_digest(&columns[ASK_THIRD], query->body_digest);
    } else {
        column_id(&columns[ASK_FIRST], query->task);
        column_integer(&columns[ASK_SECOND], query->part);
        column_integer(&columns[ASK_THIRD], query->generation);
    }
}

/* Sends the questions of one kind to a shard among the first `count`. TENDER_EDATABASE: libpq
 * could not. */
static int ask_kind(struct ledger *ledger, size_t count, uint32_t shard, bool is_key)
{
    static const enum column_type key_types[] = {COLUMN_TEXT, COLUMN_TEXT, COLUMN_BYTEA};
    static const enum column_type task_types[] = {COLUMN_UUID, COLUMN_INT4, COLUMN_INT4};
    struct column columns[ASK_COLUMNS] = {0};
    const struct query *query = ledger->queries;
    bool is_empty = true;
    for (size_t place = 0; place < count; place++, query = query->next) {
        if (query->is_key != is_key || query->shard != shard) {
            continue;
        }
        if (is_empty) {
            ask_begin(columns, shard, is_key ? key_types : task_types);
            is_empty = false;
        }
        ask_query(columns, query, place);
    }
    return is_empty
               ? 0
               : pipeline_queue(ledger, is_key ? STATEMENT_LOOKUP_KEYS : STATEMENT_LOOKUP_TASKS,
                                columns, ASK_COLUMNS);
}

int lookup_ask(struct ledger *ledger)
{
    size_t count = 0;
    for (const struct query *query = ledger->queries; query != NULL && count < LOOKUPS_MAX;
         query = query->next) {
        count++;
    }
    ledger->asked_count = count;
    int status = 0;
    for (uint32_t shard = 0; status == 0 && shard < ledger->shard_count; shard++) {
        status = ask_kind(ledger, count, shard, true);
        status = status == 0 ? ask_kind(ledger, count, shard, false) : status;
    }
    return status;
}

static void read_fixed(const PGresult *result, int row, int column, void *target, size_t size)
{
    if (PQgetlength(result, row, column) == (int)size) {
        memcpy(target, PQgetvalue(result, row, column), size);
    }
}

static void read_prior(const PGresult *result, int row, struct ledger_prior *prior)
{
    read_fixed(result, row, 1, &prior->task, sizeof prior->task);
    read_fixed(result, row, 2, &prior->newest, sizeof prior->newest);
    prior->state = (tender_task_state)cell_integer(result, row, 3);
    prior->reason = (tender_reason)cell_integer(result, row, 4);
    prior->client = cell_bytes(result, row, 5);
    prior->principal = cell_bytes(result, row, 6);
    prior->round = cell_integer(result, row, 7);
    prior->units = cell_integer(result, row, 8);
    prior->units_done = cell_integer(result, row, 9);
    prior->paid_micro = cell_integer(result, row, 10);
    prior->commitment_state = (tender_commitment_state)cell_integer(result, row, 11);
    prior->contractor = cell_bytes(result, row, 12);
    prior->number = (uint64_t)cell_integer(result, row, 13);
    read_fixed(result, row, 14, &prior->hash, sizeof prior->hash);
    if (PQnfields(result) > 16) { /* of a task, which may name one of its commitments */
        prior->commitment_units_done = cell_integer(result, row, 15);
        prior->commitment_paid_micro = cell_integer(result, row, 16);
    }
}

static void answer(struct ledger *ledger, struct query *query, const struct ledger_prior *prior)
{
    query->is_answered = true;
    if (ledger->handlers.on_prior != NULL) {
        ledger->handlers.on_prior(ledger->handlers.context, query->cookie, prior);
    }
}

void lookup_read(struct ledger *ledger, const PGresult *result)
{
    struct query *group[LOOKUPS_MAX];
    size_t count = 0;
    for (struct query *query = ledger->queries; count < ledger->asked_count; query = query->next) {
        group[count++] = query;
    }
    for (int row = 0; row < PQntuples(result); row++) {
        size_t place = (size_t)cell_integer(result, row, 0);
        struct ledger_prior prior = {0};
        read_prior(result, row, &prior);
        if (place < count && !group[place]->is_answered) {
            answer(ledger, group[place], &prior);
        }
    }
}

static void drop_first(struct ledger *ledger)
{
    struct query *query = ledger->queries;
    ledger->queries = query->next;
    if (ledger->queries == NULL) {
        ledger->queries_end = &ledger->queries;
    }
    free(query);
}

/* What was asked and is not there is answered by a prior of nothing. */
void lookup_finish(struct ledger *ledger)
{
    const struct ledger_prior nothing = {0};
    for (; ledger->asked_count > 0; ledger->asked_count--) {
        if (!ledger->queries->is_answered) {
            answer(ledger, ledger->queries, &nothing);
        }
        drop_first(ledger);
    }
}

void lookup_rewind(struct ledger *ledger)
{
    struct query **link = &ledger->queries;
    for (; ledger->asked_count > 0; ledger->asked_count--) {
        struct query *query = *link;
        if (query->is_answered) {
            *link = query->next;
            free(query);
        } else {
            link = &query->next;
        }
    }
    while (*link != NULL) {
        link = &(*link)->next;
    }
    ledger->queries_end = link;
}

void lookup_release(struct ledger *ledger)
{
    while (ledger->queries != NULL) {
        drop_first(ledger);
    }
}
