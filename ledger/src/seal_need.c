/*
 * The steps of sealing about what tasks need besides their skill. What commitments of earlier
 * batches held is free before anything is counted anew, and that before others hold it.
 */
#include "seal.h"

#define WHEN(row) true

int seal_frees(struct batch *batch, int64_t shard)
{
    const struct free_row *rows = batch->frees.items;
    size_t count = batch->frees.count;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_FREE_RESOURCES, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
    FIELD(UUID, column_id, task)
    FIELD(INT4, column_integer, part)
    FIELD(INT4, column_integer, generation)
    return call_end(call);
}

int seal_resources(struct batch *batch, int64_t shard)
{
    const struct resource_row *rows = batch->resources.items;
    size_t count = batch->resources.count;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_SET_RESOURCES, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
    FIELD(TEXT, column_bytes, resource)
    FIELD(TEXT, column_bytes, contractor)
    FIELD(INT4, column_integer, count)
    return call_end(call);
}

int seal_needs(struct batch *batch, int64_t shard)
{
    const struct need_row *rows = batch->needs.items;
    size_t count = batch->needs.count;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_ADD_NEEDS, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
    FIELD(UUID, column_id, task)
    FIELD(TEXT, column_bytes, need)
    return call_end(call);
}

#undef WHEN
#define WHEN(row) (!(row).is_over)

int seal_holds(struct batch *batch, int64_t shard)
{
    const struct hold_row *rows = batch->holds.items;
    size_t count = batch->holds.count;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_HOLD_RESOURCES, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
    FIELD(UUID, column_id, task)
    FIELD(INT4, column_integer, part)
    FIELD(INT4, column_integer, generation)
    FIELD(TEXT, column_bytes, owner)
    FIELD(TIMESTAMPTZ, column_time, held_at_us)
    return call_end_or_drop(batch, call);
}
