/*
 * The steps of sealing that only some tasks need. A batch of plain tasks has no rows for them, and
 * then none of their statements is sent.
 */
#include "seal.h"

#define WHEN(row) true

int seal_old_part_ends(struct batch *batch, int64_t shard)
{
    (void)batch;
    (void)shard;
    return 0;
}

int seal_frees(struct batch *batch, int64_t shard)
{
    (void)batch;
    (void)shard;
    return 0;
}

int seal_resources(struct batch *batch, int64_t shard)
{
    (void)batch;
    (void)shard;
    return 0;
}

int seal_needs(struct batch *batch, int64_t shard)
{
    (void)batch;
    (void)shard;
    return 0;
}

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

int seal_part_awards(struct batch *batch, int64_t shard)
{
    (void)batch;
    (void)shard;
    return 0;
}

int seal_brief_parts(struct batch *batch, int64_t shard)
{
    (void)batch;
    (void)shard;
    return 0;
}

int seal_posted(struct batch *batch, int64_t shard)
{
    (void)batch;
    (void)shard;
    return 0;
}

int seal_holds(struct batch *batch, int64_t shard)
{
    (void)batch;
    (void)shard;
    return 0;
}

int seal_deliveries(struct batch *batch, int64_t shard)
{
    (void)batch;
    (void)shard;
    return 0;
}

int seal_adoptions(struct batch *batch, int64_t shard)
{
    (void)batch;
    (void)shard;
    return 0;
}

int seal_measures(struct batch *batch, int64_t shard)
{
    (void)batch;
    (void)shard;
    return 0;
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
