/*
 * Rows of `open_part` only where they are needed: a task that was just announced has none until it
 * is awarded, anything else happens to it, or its time in fresh.h is over.
 */
#include "seal.h"

#include "tender/vocabulary.h"

/* A new task of which `task` tells all that its row would say: open, in its first round. */
static bool is_plain(const struct part_row *row)
{
    return row->is_new && !row->is_fresh && row->part == 0 && !row->is_changed && !row->has_more &&
           row->award == 0 && row->ended_at_us == 0 && row->round == 1 && row->second.number != 0 &&
           row->second.kind == ENTRY_OPENED;
}

/* A part without a row, to which nothing happened but its award. */
static bool is_awarded_only(const struct part_row *row)
{
    return row->lacks_row && !row->is_changed && row->award != 0 && row->ended_at_us == 0 &&
           row->generation == 0;
}

static void join_award(struct batch *batch, struct part_row *row)
{
    struct award_row *award = (struct award_row *)batch->awards.items + row->award - 1;
    award->payer = row->principal;
    award->total_units = row->total_units;
    award->ceiling_micro = row->ceiling_micro;
    row->lacks_row = false;
}

int batch_sort_fresh(struct batch *batch, int64_t stamp_us)
{
    const struct fresh_task *due;
    while ((due = fresh_due(batch->fresh, stamp_us)) != NULL) {
        if (batch_part(batch, due->task, 0) == NULL) {
            return TENDER_ENOMEM;
        }
    }
    struct part_row *rows = batch->parts.items;
    for (size_t i = 0; i < batch->parts.count; i++) {
        if (is_awarded_only(&rows[i])) {
            join_award(batch, &rows[i]);
        } else if (is_plain(&rows[i])) {
            int status = fresh_add(batch->fresh, stamp_us, rows[i].task, rows[i].total_units,
                                   rows[i].ceiling_micro, rows[i].principal);
            if (status < 0) {
                return status;
            }
            rows[i].is_fresh = status == 1;
        }
    }
    return 0;
}

int seal_lacking(struct batch *batch, int64_t shard)
{
    const struct part_row *rows = batch->parts.items;
    size_t count = batch->parts.count;
    struct call *call = call_begin(batch, STATEMENT_OPEN_PARTS, shard);
    if (call == NULL) {
        return TENDER_ENOMEM;
    }
#define WHEN(row) (row).lacks_row
    FIELD(UUID, column_id, task)
    FIELD(INT4, column_integer, total_units)
    FIELD(INT8, column_integer, ceiling_micro)
    FIELD(TEXT, column_bytes, principal)
#undef WHEN
    return call_end_or_drop(batch, call);
}

int seal_first_awards(struct batch *batch, int64_t shard)
{
    const struct award_row *rows = batch->awards.items;
    size_t count = batch->awards.count;
    struct call *call = call_begin(batch, STATEMENT_AWARD_FIRST, shard);
    if (call == NULL) {
        return TENDER_ENOMEM;
    }
#define WHEN(row) ((row).payer.data != NULL)
    AWARD_FIELDS
    FIELD(INT4, column_integer, units_done)
    FIELD(INT4, column_integer, total_units)
    FIELD(INT8, column_integer, ceiling_micro)
    FIELD(TEXT, column_bytes, payer)
#undef WHEN
    return call_end_or_drop(batch, call);
}
