/*
 * The steps of sealing about parts of split awards. They lie beside the row of their task, so what
 * ends goes before the task's row changes or ends, and what is awarded comes behind both.
 */
#include "seal.h"

/* A part of an earlier batch, where nothing is left of it, or it goes on. */
#define IS_PART(row) ((row).part > 0 && (row).is_changed)

int seal_part_ends(struct batch *batch, int64_t shard)
{
    const struct part_row *rows = batch->parts.items;
    size_t count = batch->has_parts ? batch->parts.count : 0;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_END_SPLIT, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
#define WHEN(row) (IS_PART(row) && (row).generation != 0)
    FIELD(UUID, column_id, task)
    FIELD(INT4, column_integer, part)
    FIELD(INT4, column_integer, generation)
    FIELD(TIMESTAMPTZ, column_time_or_null, acknowledged_at_us)
    ENDED_FIELDS
#undef WHEN
    return call_end_or_drop(batch, call);
}

int seal_part_changes(struct batch *batch, int64_t shard)
{
    const struct part_row *rows = batch->parts.items;
    size_t count = batch->has_parts ? batch->parts.count : 0;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_CHANGE_SPLIT, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
#define WHEN(row) (IS_PART(row) && (row).generation == 0)
    FIELD(UUID, column_id, task)
    FIELD(INT4, column_integer, part)
    FIELD(TIMESTAMPTZ, column_time_or_null, acknowledged_at_us)
    FIELD(INT4, column_integer_or_null, reported)
#undef WHEN
    return call_end_or_drop(batch, call);
}

int seal_part_awards(struct batch *batch, int64_t shard)
{
    const struct award_row *rows = batch->awards.items;
    size_t count = batch->has_parts ? batch->awards.count : 0;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_AWARD_SPLIT, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
#define WHEN(row) ((row).part > 0 && (row).ended_at_us == 0)
    AWARD_FIELDS
    FIELD(INT4, column_integer, units_done)
#undef WHEN
    return call_end_or_drop(batch, call);
}
