/*
 * Turns the rows of a batch into calls of statements with binary parameters, in the order in which
 * they must run:
 *
 *   entries first, as facts; then what earlier batches opened and this one changes or ends, because
 *   what that releases may be reserved again in the same batch; then new tasks and accounts; then
 * the awards, for which parts are free by now; last the ends of tasks that began in this batch.
 */
#include "call.h"
#include "fresh.h"

#include <stdlib.h>

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

/* Whether the part has no row after this batch: its task is in its first round, without an award.
 */
static bool is_fresh(const struct part_row *part)
{
    return !part->has_row && !part->is_opened && part->award == 0;
}

/*
 * Decides which parts get their row in this batch, by themselves or with their first award, and
 * keeps `fresh` in step.
 */
static int settle_parts(struct batch *batch, struct fresh *fresh)
{
    struct part_row *parts = batch->parts.items;
    struct award_row *awards = batch->awards.items;
    struct fresh_batch *own = NULL;
    for (size_t i = 0; i < batch->parts.count; i++) {
        struct part_row *part = &parts[i];
        bool was_fresh = fresh_has(fresh, part->task);
        part->has_row = !part->is_new && !was_fresh;
        part->is_opened = !part->has_row && (part->is_changed || part->ended_at_us != 0);
        if (part->award != 0) {
            awards[part->award - 1].opens = !part->has_row && !part->is_opened;
        }
        if (was_fresh && !is_fresh(part)) {
            uint64_t spent = fresh_take(fresh, part->task);
            int64_t *row = spent == 0 ? NULL : rows_add(&batch->spent);
            if (spent != 0 && row == NULL) {
                return TENDER_ENOMEM;
            }
            if (row != NULL) {
                *row = (int64_t)spent;
            }
        } else if (part->is_new && is_fresh(part)) {
            own = own == NULL ? calloc(1, sizeof *own) : own;
            if (own == NULL || fresh_add(fresh, part->task, own) != 0) {
                return TENDER_ENOMEM;
            }
            own->number = batch->number;
        }
    }
    return 0;
}

static int seal_changes(struct batch *batch, int64_t shard, bool is_new)
{
    const struct part_row *rows = batch->parts.items;
    size_t count = batch->parts.count;
    struct call *call = call_begin(batch, STATEMENT_CHANGE_PARTS, shard);
    if (call == NULL) {
        return TENDER_ENOMEM;
    }
#define WHEN(row) ((row).is_new == is_new && (row).is_changed && (row).ended_at_us == 0)
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
    FIELD(TIMESTAMPTZ, column_time_or_null, commitment_ended_at_us)
    FIELD(INT2, column_integer, ended_state)
    FIELD(INT2, column_integer, ended_reason)
    FIELD(INT4, column_integer, ended_units)
    FIELD(INT8, column_integer, ended_paid_micro)
    FIELD(INT8, column_integer, ended_fee_micro)
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
    FIELD(TIMESTAMPTZ, column_time_or_null, commitment_ended_at_us)
    FIELD(INT2, column_integer, ended_state)
    FIELD(INT2, column_integer, ended_reason)
    FIELD(INT4, column_integer, ended_units)
    FIELD(INT8, column_integer, ended_paid_micro)
    FIELD(INT8, column_integer, ended_fee_micro)
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

/*
 * Parts that get their row without a commitment, because something else is done to them first:
 * those of this batch's tasks, or those of earlier ones.
 */
static int seal_openings(struct batch *batch, int64_t shard, bool is_new)
{
    const struct part_row *rows = batch->parts.items;
    size_t count = batch->parts.count;
    struct call *call = call_begin(batch, STATEMENT_OPEN_PARTS, shard);
    if (call == NULL) {
        return TENDER_ENOMEM;
    }
#define WHEN(row) ((row).is_new == is_new && (row).is_opened)
    FIELD(UUID, column_id, task)
#undef WHEN
    return call_end_or_drop(batch, call);
}

static int seal_old_openings(struct batch *batch, int64_t shard)
{
    return seal_openings(batch, shard, false);
}

static int seal_new_openings(struct batch *batch, int64_t shard)
{
    return seal_openings(batch, shard, true);
}

static int seal_new_tasks(struct batch *batch, int64_t shard)
{
    const struct part_row *rows = batch->parts.items;
    size_t count = batch->parts.count;
    struct call *call = call_begin(batch, STATEMENT_ADD_TASKS, shard);
    if (call == NULL) {
        return TENDER_ENOMEM;
    }
#define WHEN(row) (row).is_new
    FIELD(UUID, column_id, task)
    FIELD(TIMESTAMPTZ, column_time, announced_at_us)
    FIELD(INT2, column_integer, partial)
    FIELD(INT4, column_integer, total_units)
    FIELD(INT8, column_integer, ceiling_micro)
    FIELD(UUID, column_id_or_null, again)
    FIELD(TEXT, column_bytes, client)
    FIELD(TEXT, column_bytes, principal)
    FIELD(TEXT, column_bytes, skill)
    FIELD(TEXT, column_bytes, key)
    FIELD(BYTEA, column_digest, body_digest)
#undef WHEN
    column_integer(call_value(call, COLUMN_INT8), (int64_t)batch->number);
#define WHEN(row) ((row).is_new && is_fresh(&(row)))
    FIELD(UUID, column_id, task)
#undef WHEN
    return call_end_or_drop(batch, call);
}

/* Awards of parts that have their row, or that get it with the award. */
static int seal_awards_by(struct batch *batch, int64_t shard, bool opens)
{
    const struct award_row *rows = batch->awards.items;
    size_t count = batch->awards.count;
    struct call *call =
        call_begin(batch, opens ? STATEMENT_OPEN_AWARDED_PARTS : STATEMENT_AWARD_PARTS, shard);
    if (call == NULL) {
        return TENDER_ENOMEM;
    }
#define WHEN(row) ((row).ended_at_us == 0 && (row).opens == opens)
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
    FIELD(INT4, column_integer, units_done)
#undef WHEN
    return call_end_or_drop(batch, call);
}

static int seal_first_awards(struct batch *batch, int64_t shard)
{
    return seal_awards_by(batch, shard, true);
}

static int seal_awards(struct batch *batch, int64_t shard)
{
    return seal_awards_by(batch, shard, false);
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
    FIELD(TIMESTAMPTZ, column_time, ended_at_us)
    FIELD(INT2, column_integer, state)
    FIELD(INT2, column_integer, reason)
    FIELD(INT4, column_integer, units_done)
    FIELD(INT8, column_integer, paid_micro)
    FIELD(INT8, column_integer, fee_micro)
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

static int seal_spent(struct batch *batch, int64_t shard)
{
    const int64_t *rows = batch->spent.items;
    size_t count = batch->spent.count;
    struct call *call = count == 0 ? NULL : call_begin(batch, STATEMENT_DROP_FRESH, shard);
    if (call == NULL) {
        return count == 0 ? 0 : TENDER_ENOMEM;
    }
    struct column *column = call_array(call, COLUMN_INT8);
    for (size_t i = 0; i < count; i++) {
        column_integer(column, rows[i]);
    }
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

int batch_seal(struct batch *batch, int64_t shard, struct fresh *fresh)
{
    static int (*const steps[])(struct batch *, int64_t) = {
        seal_old_openings, seal_old_changes, seal_old_ends,     seal_new_tasks,
        seal_money,        seal_transfers,   seal_recesses,     seal_new_openings,
        seal_new_changes,  seal_awards,      seal_first_awards, seal_brief_awards,
        seal_new_ends,     seal_contractors, seal_answers,      seal_spent};
    batch_end_entries(batch);
    int status = batch->entry_count == 0 ? 0 : call_end(&batch->entries);
    batch->call_count = 0;
    if (status == 0) {
        status = settle_parts(batch, fresh);
    }
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
