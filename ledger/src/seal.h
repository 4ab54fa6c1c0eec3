/*
 * What the steps of sealing share: a step turns rows of one kind into one call, and leaves the call
 * out where there are no rows.
 */
#ifndef TENDER_LEDGER_SRC_SEAL_H
#define TENDER_LEDGER_SRC_SEAL_H

#include "batch.h"

/* The next call, whose first parameter is the shard; NULL when memory ran out. */
struct call *call_begin(struct batch *batch, enum statement statement, int64_t shard);
/* One more array, or value; a call has at most STATEMENT_PARAMETERS_MAX parameters. */
struct column *call_array(struct call *call, enum column_type type);
struct column *call_value(struct call *call, enum column_type type);
TENDER_MUST_CHECK int call_end(struct call *call);
/* Drops a call without rows, else ends it. */
TENDER_MUST_CHECK int call_end_or_drop(struct batch *batch, struct call *call);

/* Appends one array with the values of those of `rows` [count] that `WHEN` holds for. */
#define FIELD(TYPE, append, value)                                                                 \
    {                                                                                              \
        struct column *column = call_array(call, COLUMN_##TYPE);                                   \
        for (size_t i = 0; i < count; i++) {                                                       \
            if (WHEN(rows[i])) {                                                                   \
                append(column, rows[i].value);                                                     \
            }                                                                                      \
        }                                                                                          \
    }

/* The same, with null for rows of which `condition` does not hold: a member, and what it must be.
 */
#define FIELD_WHERE(TYPE, append, value, condition)                                                \
    {                                                                                              \
        struct column *column = call_array(call, COLUMN_##TYPE);                                   \
        for (size_t i = 0; i < count; i++) {                                                       \
            if (!(WHEN(rows[i]))) {                                                                \
                continue;                                                                          \
            }                                                                                      \
            if (rows[i].condition) {                                                               \
                append(column, rows[i].value);                                                     \
            } else {                                                                               \
                column_null(column);                                                               \
            }                                                                                      \
        }                                                                                          \
    }

/* The entry that settled a commitment, which lies in the row of its end. */
#define SETTLEMENT_FIELDS                                                                          \
    FIELD_WHERE(INT4, column_integer, settlement.number, settlement.number != 0)                   \
    FIELD_WHERE(BYTEA, column_digest, settlement.hash, settlement.number != 0)                     \
    FIELD_WHERE(TEXT, column_bytes, settlement.body, settlement.number != 0)                       \
    FIELD(BYTEA, column_bytes_or_null, settlement.content)

/* How the commitment of an earlier batch ended; null where none did. */
#define ENDED_FIELDS                                                                               \
    FIELD(TIMESTAMPTZ, column_time_or_null, commitment_ended_at_us)                                \
    FIELD_WHERE(INT2, column_integer, ended_state, generation != 0)                                \
    FIELD_WHERE(INT2, column_integer, ended_reason, generation != 0)                               \
    FIELD_WHERE(INT4, column_integer, ended_units, generation != 0)                                \
    FIELD_WHERE(INT8, column_integer, ended_paid_micro, generation != 0)                           \
    FIELD_WHERE(INT8, column_integer, ended_fee_micro, generation != 0)                            \
    SETTLEMENT_FIELDS

/* What every award row says, of a commitment that goes on or has ended. */
#define AWARD_FIELDS                                                                               \
    FIELD(UUID, column_id, task)                                                                   \
    FIELD(INT4, column_integer, part)                                                              \
    FIELD(INT4, column_integer, generation)                                                        \
    FIELD(INT4, column_integer, round)                                                             \
    FIELD(TEXT, column_bytes, owner)                                                               \
    FIELD(TEXT, column_bytes, principal)                                                           \
    FIELD(INT4, column_integer, units)                                                             \
    FIELD(INT8, column_integer, price_micro)                                                       \
    FIELD(TIMESTAMPTZ, column_time, awarded_at_us)                                                 \
    FIELD(TIMESTAMPTZ, column_time, due_at_us)                                                     \
    FIELD(TIMESTAMPTZ, column_time_or_null, acknowledged_at_us)

/* seal_fresh.c: parts of earlier batches that get their row now, by themselves or with an award. */
int seal_lacking(struct batch *batch, int64_t shard);
int seal_first_awards(struct batch *batch, int64_t shard);

/* seal_more.c: the steps that only some tasks need, each for the rows of its name. */
int seal_part_ends(struct batch *batch, int64_t shard); /* of split awards, before their task's */
int seal_part_changes(struct batch *batch, int64_t shard);
int seal_frees(struct batch *batch, int64_t shard); /* resources that nobody holds any more */
int seal_resources(struct batch *batch, int64_t shard);
int seal_needs(struct batch *batch, int64_t shard);
int seal_goals(struct batch *batch, int64_t shard);
int seal_afters(struct batch *batch, int64_t shard);
int seal_part_awards(struct batch *batch, int64_t shard);
int seal_posted(struct batch *batch, int64_t shard);
int seal_holds(struct batch *batch, int64_t shard);
int seal_deliveries(struct batch *batch, int64_t shard);
int seal_adoptions(struct batch *batch, int64_t shard);
int seal_measures(struct batch *batch, int64_t shard);
int seal_facts(struct batch *batch, int64_t shard);

#endif
