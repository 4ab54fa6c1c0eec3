/*
 * The steps of sealing that only some tasks need. A batch of plain tasks has no rows for them, and
 * then none of their statements is sent.
 */
#include "seal.h"

#define WHEN(row) true

int seal_goals(struct batch *batch, int64_t shard)
{
    const struct goal_row *rows = batch->goals.items;
    size_t count = batch->goals.count;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_ADD_GOALS, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
    FIELD(UUID, column_id, task)
    FIELD(TEXT, column_bytes, principal)
    FIELD(TEXT, column_bytes, goal)
    return call_end(call);
}

int seal_afters(struct batch *batch, int64_t shard)
{
    const struct after_row *rows = batch->afters.items;
    size_t count = batch->afters.count;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_ADD_AFTERS, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
    FIELD(UUID, column_id, task)
    FIELD(UUID, column_id, after)
    return call_end(call);
}

int seal_posted(struct batch *batch, int64_t shard)
{
    const struct posted_row *rows = batch->posted.items;
    size_t count = batch->posted.count;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_ADD_POSTED, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
    FIELD(UUID, column_id, task)
    FIELD(INT4, column_integer, round)
    FIELD(TIMESTAMPTZ, column_time, at_us)
    FIELD(INT8, column_integer, rate_micro)
    FIELD(INT4, column_integer, units)
    FIELD(BOOL, column_boolean, is_sample)
    return call_end(call);
}

int seal_deliveries(struct batch *batch, int64_t shard)
{
    const struct delivery_row *rows = batch->deliveries.items;
    size_t count = batch->deliveries.count;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_DELIVER_PARTS, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
    FIELD(UUID, column_id, task)
    FIELD(INT4, column_integer, part)
    FIELD(INT4, column_integer, generation)
    FIELD(TIMESTAMPTZ, column_time, delivered_at_us)
    FIELD(TIMESTAMPTZ, column_time, accept_by_us)
    FIELD(INT4, column_integer, units)
    FIELD(INT8, column_integer_or_null, size)
    FIELD(BYTEA, column_bytes_or_null, digest)
    FIELD(TEXT, column_bytes, owner)
    FIELD(TEXT, column_bytes, evidence)
    FIELD(INT8, column_integer, measured_micro)
    FIELD(TEXT, column_bytes, tier)
    FIELD(BOOL, column_boolean, is_active)
    return call_end(call);
}

int seal_adoptions(struct batch *batch, int64_t shard)
{
    const struct adoption_row *rows = batch->adoptions.items;
    size_t count = batch->adoptions.count;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_ADD_ADOPTIONS, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
    FIELD(UUID, column_id, task)
    FIELD(INT4, column_integer, number)
    FIELD(INT4, column_integer, part)
    FIELD(INT4, column_integer, generation)
    FIELD(INT4, column_integer, late)
    FIELD(TIMESTAMPTZ, column_time, at_us)
    FIELD(INT4, column_integer, units)
    FIELD(INT8, column_integer, paid_micro)
    FIELD(TEXT, column_bytes, principal)
    return call_end(call);
}

int seal_measures(struct batch *batch, int64_t shard)
{
    const struct measured_row *rows = batch->measures.items;
    size_t count = batch->measures.count;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_ADD_MEASURED, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
    FIELD(UUID, column_id, task)
    FIELD(INT4, column_integer, part)
    FIELD(INT4, column_integer, generation)
    FIELD(TIMESTAMPTZ, column_time, at_us)
    FIELD(TEXT, column_bytes, contractor)
    FIELD(TEXT, column_bytes, principal)
    FIELD(TEXT, column_bytes, tier)
    FIELD(INT4, column_integer, units)
    FIELD(INT8, column_integer, bid_micro)
    FIELD(INT8, column_integer_or_null, estimate_micro)
    FIELD(INT8, column_integer, measured_micro)
    FIELD(TEXT, column_bytes, evidence)
    return call_end(call);
}

int seal_facts(struct batch *batch, int64_t shard)
{
    const struct fact_row *rows = batch->facts.items;
    size_t count = batch->facts.count;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_KEEP_FACTS, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
    FIELD(INT2, column_integer, kind)
    FIELD(TEXT, column_bytes, subject)
    FIELD(INT4, column_integer, number)
    FIELD(BOOL, column_boolean, is_over)
    return call_end(call);
}
