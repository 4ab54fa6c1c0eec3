/*
 * Turns the rows of a batch into calls of statements with binary parameters, in the order in which
 * they must run:
 *
 *   entries first, as facts; changes of tasks next, because what they release may be reserved again
 * in the same batch; then new tasks and accounts; changes of commitments before new ones, so that a
 * part is free when it is awarded again.
 */
#include "batch.h"

#include <stdlib.h>
#include <string.h>

/* The next call, whose first parameter is the shard; NULL when memory ran out. */
static struct call *call_begin(struct batch *batch, enum statement statement, int64_t shard)
{
    if (batch->call_count == batch->call_capacity) {
        size_t capacity = batch->call_capacity == 0 ? 12 : batch->call_capacity * 2;
        struct call *calls = realloc(batch->calls, capacity * sizeof *calls);
        if (calls == NULL) {
            return NULL;
        }
        memset(calls + batch->call_capacity, 0, (capacity - batch->call_capacity) * sizeof *calls);
        batch->calls = calls;
        batch->call_capacity = capacity;
    }
    struct call *call = &batch->calls[batch->call_count++];
    call->statement = statement;
    call->column_count = 1;
    column_begin_value(&call->columns[0], COLUMN_INT2);
    column_integer(&call->columns[0], shard);
    return call;
}

/* One more array; a call has at most STATEMENT_PARAMETERS_MAX. */
static struct column *call_array(struct call *call, enum column_type type)
{
    struct column *column = &call->columns[call->column_count++];
    column_begin_array(column, type);
    return column;
}

static struct column *call_value(struct call *call, enum column_type type)
{
    struct column *column = &call->columns[call->column_count++];
    column_begin_value(column, type);
    return column;
}

static int call_end(struct call *call)
{
    int status = 0;
    for (uint32_t i = 0; i < call->column_count; i++) {
        int ended = column_end(&call->columns[i]);
        status = status == 0 ? ended : status;
    }
    return status;
}

/* Begins a call, appends one array per `FIELD` row over the rows that `WHEN` holds for, and ends
 * it. */
#define FIELD(TYPE, append, value)                                                                 \
    {                                                                                              \
        struct column *column = call_array(call, COLUMN_##TYPE);                                   \
        for (size_t i = 0; i < count; i++) {                                                       \
            if (WHEN(rows[i])) {                                                                   \
                append(column, rows[i].value);                                                     \
            }                                                                                      \
        }                                                                                          \
    }

int batch_append(struct batch *batch, int64_t shard, const struct entry *entry)
{
    struct call *call = &batch->entries;
    struct column *columns = call->columns;
    if (batch->entry_count++ == 0) {
        static const enum column_type types[] = {COLUMN_UUID, COLUMN_INT4, COLUMN_TIMESTAMPTZ,
                                                 COLUMN_INT2, COLUMN_TEXT, COLUMN_BYTEA,
                                                 COLUMN_BYTEA};
        call->statement = STATEMENT_APPEND_ENTRIES;
        call->column_count = 0;
        column_integer(call_value(call, COLUMN_INT2), shard);
        for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
            (void)call_array(call, types[i]);
        }
    }
    column_id(&columns[1], entry->task);
    column_integer(&columns[2], (int64_t)entry->number);
    column_time(&columns[3], entry->at_us);
    column_integer(&columns[4], entry->kind);
    column_bytes(&columns[5], entry->body);
    column_bytes_or_null(&columns[6], entry->content);
    column_digest(&columns[7], entry->hash);
    batch->size += 128 + entry->body.size + entry->content.size;
    for (uint32_t i = 0; i < call->column_count; i++) {
        if (columns[i].has_failed) {
            return TENDER_ENOMEM;
        }
    }
    return 0;
}

static int64_t units_of_new(const struct task_row *row)
{
    return row->units_done + (row->partial == TENDER_PARTIAL_NONE ? 0 : row->units_if_partial);
}

static int seal_task_changes(struct batch *batch, int64_t shard)
{
    const struct task_row *rows = batch->tasks.items;
    size_t count = batch->tasks.count;
    struct call *call = call_begin(batch, STATEMENT_CHANGE_TASKS, shard);
    if (call == NULL) {
        return TENDER_ENOMEM;
    }
#define WHEN(row) !(row).is_new
    FIELD(UUID, column_id, task)
    FIELD(TIMESTAMPTZ, column_time_or_null, ended_at_us)
    FIELD(INT2, column_integer, state)
    FIELD(INT2, column_integer, reason)
    FIELD(INT4, column_integer, round)
    FIELD(INT4, column_integer, units_done)
    FIELD(INT4, column_integer, units_if_partial)
    FIELD(INT8, column_integer, paid_micro)
    FIELD(INT8, column_integer, released_micro)
#undef WHEN
    if (call->columns[1].count == 0) {
        batch->call_count--;
        return 0;
    }
    return call_end(call);
}

static int seal_new_tasks(struct batch *batch, int64_t shard)
{
    struct task_row *rows = batch->tasks.items;
    size_t count = batch->tasks.count;
    struct call *call = call_begin(batch, STATEMENT_ADD_TASKS, shard);
    if (call == NULL) {
        return TENDER_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        rows[i].units_done = rows[i].is_new ? units_of_new(&rows[i]) : rows[i].units_done;
    }
#define WHEN(row) (row).is_new
    FIELD(UUID, column_id, task)
    FIELD(TIMESTAMPTZ, column_time, announced_at_us)
    FIELD(TIMESTAMPTZ, column_time_or_null, ended_at_us)
    FIELD(INT2, column_integer, state)
    FIELD(INT2, column_integer, reason)
    FIELD(INT2, column_integer, partial)
    FIELD(INT4, column_integer, round)
    FIELD(INT4, column_integer, units)
    FIELD(INT4, column_integer, units_done)
    FIELD(INT8, column_integer, ceiling_micro)
    FIELD(INT8, column_integer, paid_micro)
    FIELD(INT8, column_integer, released_micro)
    FIELD(UUID, column_id_or_null, again)
    FIELD(TEXT, column_bytes, client)
    FIELD(TEXT, column_bytes, principal)
    FIELD(TEXT, column_bytes, skill)
    FIELD(TEXT, column_bytes, key)
    FIELD(BYTEA, column_digest, body_digest)
#undef WHEN
    if (call->columns[1].count == 0) {
        batch->call_count--;
        return 0;
    }
    return call_end(call);
}

static int seal_commitment_changes(struct batch *batch, int64_t shard)
{
    const struct commitment_row *rows = batch->commitments.items;
    size_t count = batch->commitments.count;
    struct call *call = call_begin(batch, STATEMENT_CHANGE_COMMITMENTS, shard);
    if (call == NULL) {
        return TENDER_ENOMEM;
    }
#define WHEN(row) !(row).is_new
    FIELD(UUID, column_id, task)
    FIELD(INT4, column_integer, part)
    FIELD(INT4, column_integer, generation)
    FIELD(TIMESTAMPTZ, column_time_or_null, acknowledged_at_us)
    FIELD(TIMESTAMPTZ, column_time_or_null, ended_at_us)
    FIELD(TIMESTAMPTZ, column_time_or_null, paid_at_us)
    FIELD(INT2, column_integer, state)
    FIELD(INT2, column_integer, reason)
    FIELD(INT4, column_integer_or_null, units_done)
    FIELD(INT8, column_integer, paid_micro)
    FIELD(INT8, column_integer, fee_micro)
#undef WHEN
    if (call->columns[1].count == 0) {
        batch->call_count--;
        return 0;
    }
    return call_end(call);
}

static int seal_new_commitments(struct batch *batch, int64_t shard)
{
    const struct commitment_row *rows = batch->commitments.items;
    size_t count = batch->commitments.count;
    struct call *call = call_begin(batch, STATEMENT_COMMIT_AWARDS, shard);
    if (call == NULL) {
        return TENDER_ENOMEM;
    }
#define WHEN(row) (row).is_new
    FIELD(UUID, column_id, task)
    FIELD(INT4, column_integer, part)
    FIELD(INT4, column_integer, generation)
    FIELD(INT4, column_integer, round)
    FIELD(TEXT, column_bytes, owner)
    FIELD(TEXT, column_bytes, principal)
    FIELD(INT4, column_integer, units)
    FIELD(INT8, column_integer, price_micro)
    FIELD(TIMESTAMPTZ, column_time, awarded_at_us)
    FIELD(TIMESTAMPTZ, column_time, due_at_us)
    FIELD(TIMESTAMPTZ, column_time_or_null, acknowledged_at_us)
    FIELD(TIMESTAMPTZ, column_time_or_null, ended_at_us)
    FIELD(TIMESTAMPTZ, column_time_or_null, paid_at_us)
    FIELD(INT2, column_integer, state)
    FIELD(INT2, column_integer, reason)
    FIELD(INT4, column_integer, units_done)
    FIELD(INT8, column_integer, paid_micro)
    FIELD(INT8, column_integer, fee_micro)
#undef WHEN
    if (call->columns[1].count == 0) {
        batch->call_count--;
        return 0;
    }
    return call_end(call);
}

#define WHEN(row) true

static int seal_money(struct batch *batch, int64_t shard)
{
    const struct money_row *rows = batch->moneys.items;
    size_t count = batch->moneys.count;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_MOVE_MONEY, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
    FIELD(TEXT, column_bytes, principal)
    FIELD(INT8, column_integer, issued_micro)
    FIELD(INT8, column_integer, available_micro)
    FIELD(INT8, column_integer, reserved_micro)
    FIELD(INT8, column_integer, spent_micro)
    FIELD(INT8, column_integer, earned_micro)
    return call_end(call);
}

static int seal_transfers(struct batch *batch, int64_t shard)
{
    const struct transfer_row *rows = batch->transfers.items;
    size_t count = batch->transfers.count;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_ADD_TRANSFERS, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
    FIELD(UUID, column_id, task)
    FIELD(INT4, column_integer, number)
    FIELD(TIMESTAMPTZ, column_time, at_us)
    FIELD(INT8, column_integer, amount_micro)
    FIELD(TEXT, column_bytes, from_principal)
    FIELD(TEXT, column_bytes, from_bucket)
    FIELD(TEXT, column_bytes, to_principal)
    FIELD(TEXT, column_bytes, to_bucket)
    return call_end(call);
}

static int seal_contractors(struct batch *batch, int64_t shard)
{
    const struct contractor_row *rows = batch->contractors.items;
    size_t count = batch->contractors.count;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_ENROL, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
    FIELD(TEXT, column_bytes, contractor)
    FIELD(TEXT, column_bytes, principal)
    FIELD(INT4, column_integer, slots)
    FIELD(TEXT, column_bytes, skills)
    FIELD(INT4, column_integer, number)
    FIELD(TIMESTAMPTZ, column_time_or_null, enrolled_at_us)
    FIELD(TIMESTAMPTZ, column_time_or_null, departed_at_us)
    FIELD(INT2, column_integer, departed_reason)
    return call_end(call);
}

static int seal_answers(struct batch *batch, int64_t shard)
{
    const struct answer_row *rows = batch->answers.items;
    size_t count = batch->answers.count;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_ANSWER_REQUESTS, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
    FIELD(INT8, column_integer, request)
    FIELD(TEXT, column_bytes, answer)
    return call_end(call);
}

static int seal_recesses(struct batch *batch, int64_t shard)
{
    const struct recess_row *rows = batch->recesses.items;
    for (size_t i = 0; i < batch->recesses.count; i++) {
        struct call *call = call_begin(batch, STATEMENT_APPLY_RECESS, shard);
        if (call == NULL) {
            return TENDER_ENOMEM;
        }
        column_integer(call_value(call, COLUMN_INT4), rows[i].number);
        column_time(call_value(call, COLUMN_TIMESTAMPTZ), rows[i].from_us);
        column_time(call_value(call, COLUMN_TIMESTAMPTZ), rows[i].until_us);
        int status = call_end(call);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

int batch_seal(struct batch *batch, int64_t shard)
{
    static int (*const steps[])(struct batch *, int64_t) = {
        seal_task_changes,    seal_new_tasks,   seal_money,
        seal_transfers,       seal_recesses,    seal_commitment_changes,
        seal_new_commitments, seal_contractors, seal_answers};
    int status = batch->entry_count == 0 ? 0 : call_end(&batch->entries);
    batch->call_count = 0;
    for (size_t i = 0; status == 0 && i < sizeof steps / sizeof steps[0]; i++) {
        status = steps[i](batch, shard);
    }
    batch->is_sealed = status == 0;
    return status;
}

const struct call *batch_call(const struct batch *batch, size_t index)
{
    if (batch->entry_count > 0) {
        if (index == 0) {
            return &batch->entries;
        }
        index--;
    }
    return index < batch->call_count ? &batch->calls[index] : NULL;
}
