/*
 * Makes one execution of a statement: its parameters are columns (column.h), the first of them the
 * shard.
 */
#ifndef TENDER_LEDGER_SRC_CALL_H
#define TENDER_LEDGER_SRC_CALL_H

#include "batch.h"

/* The next call of `batch`, whose first parameter is the shard. NULL when memory ran out. */
struct call *call_begin(struct batch *batch, enum statement statement, int64_t shard);
/* One more array, or one more value; a call has at most STATEMENT_PARAMETERS_MAX. */
struct column *call_array(struct call *call, enum column_type type);
struct column *call_value(struct call *call, enum column_type type);
/* Completes the parameters. 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int call_end(struct call *call);
/* Drops the batch's last call where its first array is empty, else completes it. */
TENDER_MUST_CHECK int call_end_or_drop(struct batch *batch, struct call *call);

#endif
