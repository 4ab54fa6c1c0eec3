/*
 * Turns the rows of a batch into calls of statements with binary parameters, in the order in which
 * they must run: entries first, as facts; then rows that tasks of earlier batches lack; then what
 * earlier batches opened and this one changes or ends, because what that releases may be reserved
 * again in the same batch; then new tasks and accounts; then the awards, for which parts are free
 * by now; last the ends of tasks that began in this batch.
 *
 * The steps of plain tasks are here, those that only some tasks need in seal_more.c, and where rows
 * are left out in seal_fresh.c.
 */
#include "seal.h"

#include <stdlib.h>
#include <string.h>

struct call *call_begin(struct batch *batch, enum statement statement, int64_t shard)
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
    column_set_integer(&call->columns[0], COLUMN_INT2, shard);
    return call;
}

struct column *call_array(struct call *call, enum column_type type)
{
    struct column *column = &call->columns[call->column_count++];
    column_begin_array(column, type);
    return column;
}

struct column *call_value(struct call *call, enum column_type type)
{
    struct column *column = &call->columns[call->column_count++];
    column_begin_value(column, type);
    return column;
}

int call_end(struct call *call)
{
    return columns_end(call->columns, call->column_count);
}

#define RUN_MAX 32767 /* what its column holds */

/* Columns of APPEND_ENTRIES: those of a row's first entry, then those of its second. */
enum {
    ENTRY_TASK = 1,
    ENTRY_NUMBER,
    ENTRY_FIRST,
    ENTRY_SECOND = ENTRY_FIRST + 5,
    ENTRY_END = ENTRY_SECOND + 5
};

static void begin_entries(struct call *call, int64_t shard)
{
    static const enum column_type types[] = {COLUMN_TIMESTAMPTZ, COLUMN_INT2, COLUMN_TEXT,
                                             COLUMN_BYTEA, COLUMN_BYTEA};
    call->statement = STATEMENT_APPEND_ENTRIES;
    call->column_count = 0;
    column_integer(call_value(call, COLUMN_INT2), shard);
    (void)call_array(call, COLUMN_UUID);
    (void)call_array(call, COLUMN_INT4);
    for (size_t i = 0; i < 2 * sizeof types / sizeof types[0]; i++) {
        (void)call_array(call, types[i % (sizeof types / sizeof types[0])]);
    }
}

static void put_entry(struct column *columns, const struct entry *entry)
{
    column_time(&columns[0], entry->at_us);
    column_integer(&columns[1], entry->kind);
    column_bytes(&columns[2], entry->body);
    column_bytes_or_null(&columns[3], entry->content);
    column_digest(&columns[4], entry->hash);
}

/* The last row has no second entry. */
static void end_entry_row(struct batch *batch)
{
    for (int i = ENTRY_SECOND; batch->room == ROOM_ROW && i < ENTRY_END; i++) {
        column_null(&batch->entries.columns[i]);
    }
    batch->room = ROOM_NONE;
}

/* Into an array of its own, beside the one before it where that has room. */
static int append_row(struct batch *batch, int64_t shard, const struct entry *entry, bool has_room)
{
    struct call *call = &batch->entries;
    if (has_room) {
        put_entry(&call->columns[ENTRY_SECOND], entry);
        batch->room = ROOM_NONE;
    } else {
        end_entry_row(batch);
        if (batch->entry_rows++ == 0) {
            begin_entries(call, shard);
        }
        column_id(&call->columns[ENTRY_TASK], entry->task);
        column_integer(&call->columns[ENTRY_NUMBER], (int64_t)entry->number);
        put_entry(&call->columns[ENTRY_FIRST], entry);
        batch->room = ROOM_ROW;
    }
    for (uint32_t i = 0; i < call->column_count; i++) {
        if (call->columns[i].has_failed) {
            return TENDER_ENOMEM;
        }
    }
    return 0;
}

/* The row of a task takes the entry after its announcement, where that has no content. */
static int append_second(struct batch *batch, const struct entry *entry)
{
    struct part_row *row = batch_part(batch, entry->task, 0);
    batch->room = ROOM_NONE;
    return row == NULL ? TENDER_ENOMEM : batch_keep_entry(batch, entry, &row->second);
}

/* The entry as a leaf of the batch's tree, and in the run of its chain. */
static int append_leaf(struct batch *batch, const struct entry *entry, bool is_next)
{
    struct run_row *run = batch->runs.items;
    if (is_next && run[batch->runs.count - 1].count < RUN_MAX) {
        run += batch->runs.count - 1;
    } else {
        run = rows_add(&batch->runs);
        if (run == NULL) {
            return TENDER_ENOMEM;
        }
        run->task = entry->task;
        run->number = (int64_t)entry->number;
    }
    run->count++;
    run->mark = column_read_integer((const char *)entry->hash.bytes, 8);
    (void)tree_add(&batch->tree, tree_leaf((tender_bytes){entry->hash.bytes, 32}));
    batch->newest_at_us = entry->at_us > batch->newest_at_us ? entry->at_us : batch->newest_at_us;
    return 0;
}

int batch_append(struct batch *batch, int64_t shard, const struct entry *entry)
{
    bool follows = batch->tree.count > 0 && batch->last_number + 1 == entry->number &&
                   tender_id_equal(batch->last_task, entry->task);
    bool is_next = follows && batch->room != ROOM_NONE;
    int status = append_leaf(batch, entry, follows);
    if (status != 0) {
        return status;
    }
    batch->size += 128 + entry->body.size + entry->content.size;
    if (entry->kind == ENTRY_ANNOUNCED || entry->kind == ENTRY_SETTLED) {
        end_entry_row(batch);
        batch->room = entry->kind == ENTRY_ANNOUNCED ? ROOM_TASK : ROOM_NONE;
    } else if (is_next && batch->room == ROOM_TASK && entry->content.size == 0) {
        status = append_second(batch, entry);
    } else {
        status = append_row(batch, shard, entry, is_next && batch->room == ROOM_ROW);
    }
    batch->last_task = entry->task;
    batch->last_number = entry->number;
    return status;
}

int call_end_or_drop(struct batch *batch, struct call *call)
{
    if (call->columns[1].count == 0) {
        batch->call_count--;
        return 0;
    }
    return call_end(call);
}

static int seal_changes(struct batch *batch, int64_t shard, bool is_new)
{
    const struct part_row *rows = batch->parts.items;
    size_t count = batch->parts.count;
    struct call *call = call_begin(batch, STATEMENT_CHANGE_PARTS, shard);
    if (call == NULL) {
        return TENDER_ENOMEM;
    }
#define WHEN(row)                                                                                  \
    ((row).is_new == is_new && (row).is_changed && (row).ended_at_us == 0 && (row).part == 0)
    FIELD(UUID, column_id, task)
    FIELD(INT4, column_integer, part)
    FIELD(INT2, column_integer, state)
    FIELD(INT2, column_integer, reason)
    FIELD(INT4, column_integer, round)
    FIELD(TIMESTAMPTZ, column_time_or_null, acknowledged_at_us)
    FIELD(INT4, column_integer_or_null, reported)
    FIELD(INT4, column_integer, units)
    FIELD(INT8, column_integer, paid_micro)
    FIELD(INT4, column_integer, generation)
    ENDED_FIELDS
#undef WHEN
    column_boolean(call_value(call, COLUMN_BOOL), !is_new);
    return call_end_or_drop(batch, call);
}

static int seal_ends(struct batch *batch, int64_t shard, bool is_new)
{
    const struct part_row *rows = batch->parts.items;
    size_t count = batch->parts.count;
    struct call *call = call_begin(batch, STATEMENT_FINISH_TASKS, shard);
    if (call == NULL) {
        return TENDER_ENOMEM;
    }
#define WHEN(row) ((row).is_new == is_new && (row).ended_at_us != 0)
    FIELD(UUID, column_id, task)
    FIELD(TIMESTAMPTZ, column_time, ended_at_us)
    FIELD(INT2, column_integer, state)
    FIELD(INT2, column_integer, reason)
    FIELD(INT4, column_integer, round)
    FIELD(INT4, column_integer, units)
    FIELD(INT8, column_integer, paid_micro)
    FIELD(INT8, column_integer, released_micro)
    FIELD(TIMESTAMPTZ, column_time_or_null, acknowledged_at_us)
    FIELD(INT4, column_integer, generation)
    ENDED_FIELDS
#undef WHEN
    column_boolean(call_value(call, COLUMN_BOOL), !is_new);
    return call_end_or_drop(batch, call);
}

static int seal_old_changes(struct batch *batch, int64_t shard)
{
    return seal_changes(batch, shard, false);
}

static int seal_new_changes(struct batch *batch, int64_t shard)
{
    return seal_changes(batch, shard, true);
}

static int seal_old_ends(struct batch *batch, int64_t shard)
{
    return seal_ends(batch, shard, false);
}

static int seal_new_ends(struct batch *batch, int64_t shard)
{
    return seal_ends(batch, shard, true);
}

static int seal_tasks(struct batch *batch, int64_t shard, bool is_fresh)
{
    const struct part_row *rows = batch->parts.items;
    size_t count = batch->parts.count;
    struct call *call =
        call_begin(batch, is_fresh ? STATEMENT_ADD_FRESH_TASKS : STATEMENT_ADD_TASKS, shard);
    if (call == NULL) {
        return TENDER_ENOMEM;
    }
#define WHEN(row) ((row).is_new && (row).is_fresh == is_fresh)
    FIELD(UUID, column_id, task)
    FIELD(TIMESTAMPTZ, column_time, announced_at_us)
    FIELD(INT2, column_integer, partial)
    if (!is_fresh) {
        FIELD(INT4, column_integer, round)
    }
    FIELD(INT4, column_integer, total_units)
    FIELD(INT8, column_integer, ceiling_micro)
    FIELD(UUID, column_id_or_null, again)
    FIELD(TEXT, column_bytes, client)
    FIELD(TEXT, column_bytes, principal)
    FIELD(TEXT, column_bytes, skill)
    FIELD(TEXT, column_bytes, key)
    FIELD(BYTEA, column_digest, body_digest)
    FIELD(BYTEA, column_digest, first.hash)
    FIELD(TEXT, column_bytes, first.body)
    FIELD(BYTEA, column_bytes_or_null, first.content)
    FIELD_WHERE(TIMESTAMPTZ, column_time, second.at_us, second.number != 0)
    FIELD_WHERE(INT2, column_integer, second.kind, second.number != 0)
    FIELD_WHERE(BYTEA, column_digest, second.hash, second.number != 0)
    FIELD_WHERE(TEXT, column_bytes, second.body, second.number != 0)
#undef WHEN
    return call_end_or_drop(batch, call);
}

static int seal_new_tasks(struct batch *batch, int64_t shard)
{
    return seal_tasks(batch, shard, false);
}

static int seal_fresh_tasks(struct batch *batch, int64_t shard)
{
    return seal_tasks(batch, shard, true);
}

static int seal_awards(struct batch *batch, int64_t shard)
{
    const struct award_row *rows = batch->awards.items;
    size_t count = batch->awards.count;
    struct call *call = call_begin(batch, STATEMENT_AWARD_PARTS, shard);
    if (call == NULL) {
        return TENDER_ENOMEM;
    }
#define WHEN(row) ((row).ended_at_us == 0 && (row).part == 0 && (row).payer.data == NULL)
    AWARD_FIELDS
    FIELD(INT4, column_integer, units_done)
#undef WHEN
    return call_end_or_drop(batch, call);
}

static int seal_brief_awards(struct batch *batch, int64_t shard)
{
    const struct award_row *rows = batch->awards.items;
    size_t count = batch->awards.count;
    struct call *call = call_begin(batch, STATEMENT_ADD_COMMITMENTS, shard);
    if (call == NULL) {
        return TENDER_ENOMEM;
    }
#define WHEN(row) (row).ended_at_us != 0
    AWARD_FIELDS
    FIELD(TIMESTAMPTZ, column_time, ended_at_us)
    FIELD(INT2, column_integer, state)
    FIELD(INT2, column_integer, reason)
    FIELD(INT4, column_integer, units_done)
    FIELD(INT8, column_integer, paid_micro)
    FIELD(INT8, column_integer, fee_micro)
    SETTLEMENT_FIELDS
#undef WHEN
    return call_end_or_drop(batch, call);
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
    FIELD(INT4, column_integer_or_null, generation)
    FIELD(TIMESTAMPTZ, column_time, at_us)
    FIELD(INT8, column_integer, amount_micro)
    FIELD(TEXT, column_bytes_or_null, from_principal)
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

/* In their order; most make one call or none. */
/* clang-format off */
static int (*const steps[])(struct batch *, int64_t) = {
    seal_lacking, seal_part_ends, seal_part_changes, seal_old_changes, seal_old_ends, seal_frees,
    seal_resources, seal_fresh_tasks, seal_new_tasks, seal_needs, seal_goals, seal_afters,
    seal_money, seal_transfers, seal_recesses, seal_new_changes, seal_first_awards, seal_awards,
    seal_brief_awards, seal_part_awards, seal_posted, seal_holds, seal_deliveries, seal_adoptions,
    seal_measures, seal_new_ends, seal_contractors, seal_facts, seal_answers,
};
/* clang-format on */

int batch_seal(struct batch *batch)
{
    end_entry_row(batch);
    batch->call_count = 0;
    batch->step_count = 0;
    return batch->entry_rows == 0 ? 0 : call_end(&batch->entries);
}

int batch_call(struct batch *batch, int64_t shard, size_t index, const struct call **call_out)
{
    *call_out = NULL;
    if (batch->entry_rows > 0 && index == 0) {
        *call_out = &batch->entries;
        return 0;
    }
    index -= batch->entry_rows > 0;
    while (index >= batch->call_count && batch->step_count < sizeof steps / sizeof steps[0]) {
        int status = steps[batch->step_count++](batch, shard);
        if (status != 0) {
            return status;
        }
    }
    if (index < batch->call_count) {
        *call_out = &batch->calls[index];
    }
    return 0;
}
