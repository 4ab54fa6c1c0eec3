/*
 * Appends entries to a batch as parameters of APPEND_ENTRIES. An entry that follows the last one in
 * its chain shares that one's row.
 */
#include "call.h"

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

void batch_end_entries(struct batch *batch)
{
    for (int i = ENTRY_SECOND; batch->has_room && i < ENTRY_END; i++) {
        column_null(&batch->entries.columns[i]);
    }
    batch->has_room = false;
}

int batch_append(struct batch *batch, int64_t shard, const struct entry *entry)
{
    struct call *call = &batch->entries;
    if (batch->entry_count++ == 0) {
        begin_entries(call, shard);
    }
    if (batch->has_room && tender_id_equal(batch->last_task, entry->task) &&
        batch->last_number + 1 == entry->number) {
        put_entry(&call->columns[ENTRY_SECOND], entry);
        batch->has_room = false;
    } else {
        batch_end_entries(batch);
        column_id(&call->columns[ENTRY_TASK], entry->task);
        column_integer(&call->columns[ENTRY_NUMBER], (int64_t)entry->number);
        put_entry(&call->columns[ENTRY_FIRST], entry);
        batch->has_room = true;
        batch->last_task = entry->task;
        batch->last_number = entry->number;
    }
    batch->size += 128 + entry->body.size + entry->content.size;
    for (uint32_t i = 0; i < call->column_count; i++) {
        if (call->columns[i].has_failed) {
            return TENDER_ENOMEM;
        }
    }
    return 0;
}
