/*
 * Hands out what a new broker must know. Blocking; it comes before the loop.
 */
#include "private.h"

#include <string.h>

#define TASKS_PER_PAGE    500
#define PAGES_PER_RENEWAL 16

typedef int entry_fn(void *context, const struct entry *entry);

/* Who receives what one shard has. */
struct receiver {
    uint32_t shard;
    entry_fn *on_entry;
    void *context;
};

/* Runs a statement that asks about the shard and nothing else. */
static PGresult *execute(struct ledger *ledger, enum statement statement, uint32_t shard)
{
    struct column column = {0};
    column_set_integer(&column, COLUMN_INT2, shard);
    return ledger_execute(ledger, statement, &column, 1);
}

static int hand_out(const struct receiver *receiver, struct entry *entry)
{
    entry->shard = receiver->shard;
    int status = receiver->on_entry(receiver->context, entry);
    return status < 0 ? status : 0;
}

static int recall_balances(struct ledger *ledger, const struct receiver *receiver)
{
    PGresult *result = execute(ledger, STATEMENT_RECALL_BALANCES, receiver->shard);
    int status = result == NULL ? TENDER_EDATABASE : 0;
    for (int row = 0; status == 0 && row < PQntuples(result); row++) {
        struct entry entry = {.kind = ENTRY_BALANCE};
        entry.balance.principal = cell_bytes(result, row, 0);
        entry.balance.available_micro = cell_integer(result, row, 1);
        entry.balance.reserved_micro = cell_integer(result, row, 2);
        entry.balance.spent_micro = cell_integer(result, row, 3);
        entry.balance.earned_micro = cell_integer(result, row, 4);
        status = hand_out(receiver, &entry);
    }
    PQclear(result);
    return status;
}

/* Rows of (task_id, number, at, kind, body, content, hash), decoded and handed out. */
static int recall_rows(struct ledger *ledger, const PGresult *result, struct entry_reader *reader,
                       const struct receiver *receiver)
{
    for (int row = 0; row < PQntuples(result); row++) {
        struct entry entry = {
            .number = (uint64_t)cell_integer(result, row, 1),
            .at_us = cell_time(result, row, 2),
            .kind = (enum entry_kind)cell_integer(result, row, 3),
            .body = cell_bytes(result, row, 4),
            .content = cell_bytes(result, row, 5),
        };
        memcpy(&entry.task, PQgetvalue(result, row, 0), sizeof entry.task);
        memcpy(&entry.hash, PQgetvalue(result, row, 6), sizeof entry.hash);
        int status = entry_decode(reader, &entry);
        if (status != 0) {
            char task[TENDER_ID_TEXT_SIZE];
            tender_id_format(entry.task, task);
            return ledger_fail(ledger, status == TENDER_EPROTOCOL ? TENDER_EDATABASE : status,
                               "entry %llu of task %s cannot be read",
                               (unsigned long long)entry.number, task);
        }
        status = hand_out(receiver, &entry);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

static int recall_house(struct ledger *ledger, struct entry_reader *reader,
                        const struct receiver *receiver)
{
    PGresult *result = execute(ledger, STATEMENT_RECALL_HOUSE, receiver->shard);
    int status = result == NULL ? TENDER_EDATABASE : recall_rows(ledger, result, reader, receiver);
    PQclear(result);
    return status;
}

static int send_page(struct ledger *ledger, uint32_t shard, tender_id after)
{
    struct column columns[3] = {{0}, {0}, {0}};
    column_set_integer(&columns[0], COLUMN_INT2, shard);
    column_begin_value(&columns[1], COLUMN_UUID);
    column_id(&columns[1], after);
    column_set_integer(&columns[2], COLUMN_INT4, TASKS_PER_PAGE);
    return ledger_send(ledger, STATEMENT_RECALL_TASKS, columns, 3);
}

/* The database reads the next page while this one is taken in. */
static int recall_tasks(struct ledger *ledger, struct entry_reader *reader,
                        const struct receiver *receiver)
{
    tender_id after = {{0}};
    int status = send_page(ledger, receiver->shard, after);
    for (int page = 1; status == 0; page++) {
        PGresult *result = ledger_take(ledger, STATEMENT_RECALL_TASKS);
        int count = PQntuples(result);
        if (count == 0) {
            PQclear(result);
            return result == NULL ? TENDER_EDATABASE : 0;
        }
        memcpy(&after, PQgetvalue(result, count - 1, 0), sizeof after);
        if (ledger->shards != 0 && page % PAGES_PER_RENEWAL == 0) {
            status = reign_renew(ledger);
        }
        status = status == 0 ? send_page(ledger, receiver->shard, after) : status;
        status = status == 0 ? recall_rows(ledger, result, reader, receiver) : status;
        PQclear(result);
    }
    for (PGresult *unread; (unread = PQgetResult(ledger->connection)) != NULL;) {
        PQclear(unread);
    }
    return status;
}

/* How tasks ended that blocked ones wait for: those that ended have no entries in a recall. */
static int recall_after(struct ledger *ledger, const struct receiver *receiver)
{
    PGresult *result = execute(ledger, STATEMENT_RECALL_AFTER, receiver->shard);
    int status = result == NULL ? TENDER_EDATABASE : 0;
    for (int row = 0; status == 0 && row < PQntuples(result); row++) {
        struct entry entry = {.kind = ENTRY_STOOD};
        memcpy(&entry.stood.task, PQgetvalue(result, row, 0), sizeof entry.stood.task);
        memcpy(&entry.stood.after, PQgetvalue(result, row, 1), sizeof entry.stood.after);
        entry.stood.state = (tender_task_state)cell_integer(result, row, 2);
        entry.stood.reason = (tender_reason)cell_integer(result, row, 3);
        status = hand_out(receiver, &entry);
    }
    PQclear(result);
    return status;
}

/* How principals kept their promises, and which failures may count towards a quarantine. */
static int recall_records(struct ledger *ledger, const struct receiver *receiver)
{
    PGresult *records = execute(ledger, STATEMENT_RECALL_RECORDS, receiver->shard);
    PGresult *strikes =
        records == NULL ? NULL : execute(ledger, STATEMENT_RECALL_STRIKES, receiver->shard);
    int status = strikes == NULL ? TENDER_EDATABASE : 0;
    for (int row = 0; status == 0 && row < PQntuples(records); row++) {
        struct entry entry = {.kind = ENTRY_RECORDED};
        entry.recorded.principal = cell_bytes(records, row, 0);
        entry.recorded.ended = cell_integer(records, row, 1);
        entry.recorded.fulfilled = cell_integer(records, row, 2);
        status = hand_out(receiver, &entry);
    }
    for (int row = 0; status == 0 && row < PQntuples(strikes); row++) {
        struct entry entry = {.kind = ENTRY_STRUCK};
        entry.at_us = cell_time(strikes, row, 3);
        entry.struck.contractor = cell_bytes(strikes, row, 0);
        entry.struck.skill = cell_bytes(strikes, row, 1);
        entry.struck.client = cell_bytes(strikes, row, 2);
        entry.struck.kept = cell_integer(strikes, row, 4);
        status = hand_out(receiver, &entry);
    }
    PQclear(records);
    PQclear(strikes);
    return status;
}

static int recall_head(struct ledger *ledger, uint32_t shard,
                       void (*on_head)(void *context, uint32_t shard, uint64_t number,
                                       const tender_digest *hash),
                       void *context)
{
    tender_id house = {{0}};
    struct column columns[2] = {{0}, {0}};
    column_set_integer(&columns[0], COLUMN_INT2, shard);
    column_begin_value(&columns[1], COLUMN_UUID);
    column_id(&columns[1], house);
    PGresult *result = ledger_execute(ledger, STATEMENT_RECALL_HEAD, columns, 2);
    if (result == NULL) {
        return TENDER_EDATABASE;
    }
    if (PQntuples(result) > 0) {
        tender_digest hash;
        memcpy(&hash, PQgetvalue(result, 0, 1), sizeof hash);
        on_head(context, shard, (uint64_t)cell_integer(result, 0, 0), &hash);
    }
    PQclear(result);
    return 0;
}

int ledger_recall(struct ledger *ledger, uint32_t shard,
                  int (*on_entry)(void *context, const struct entry *entry),
                  void (*on_head)(void *context, uint32_t shard, uint64_t number,
                                  const tender_digest *hash),
                  void *context)
{
    const struct receiver receiver = {shard, on_entry, context};
    struct entry_reader *reader = NULL;
    int status = entry_reader_open(&reader);
    if (status != 0) {
        return status;
    }
    status = recall_balances(ledger, &receiver);
    if (status == 0) {
        status = recall_house(ledger, reader, &receiver);
    }
    if (status == 0) {
        status = recall_head(ledger, shard, on_head, context);
    }
    if (status == 0) {
        status = recall_tasks(ledger, reader, &receiver);
    }
    if (status == 0) {
        status = recall_after(ledger, &receiver);
    }
    if (status == 0) {
        status = recall_records(ledger, &receiver);
    }
    entry_reader_close(reader);
    return status;
}

int ledger_recall_keys(struct ledger *ledger, uint32_t shard, int64_t limit,
                       void (*on_key)(void *context, tender_bytes principal, tender_bytes key),
                       void *context)
{
    struct column columns[2] = {{0}, {0}};
    column_set_integer(&columns[0], COLUMN_INT2, shard);
    column_set_integer(&columns[1], COLUMN_INT8, limit + 1);
    PGresult *result = ledger_execute(ledger, STATEMENT_RECALL_KEYS, columns, 2);
    if (result == NULL) {
        return TENDER_EDATABASE;
    }
    bool is_all = PQntuples(result) <= limit;
    for (int row = 0; is_all && row < PQntuples(result); row++) {
        on_key(context, cell_bytes(result, row, 0), cell_bytes(result, row, 1));
    }
    PQclear(result);
    return is_all ? 1 : 0;
}
