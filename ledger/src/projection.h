/*
 * What an entry does to the tables, in the terms of a batch's rows.
 */
#ifndef TENDER_LEDGER_SRC_PROJECTION_H
#define TENDER_LEDGER_SRC_PROJECTION_H

#include "batch.h"

/* Changes the rows of `batch` as `entry` says. Returns 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int projection_apply(struct batch *batch, const struct entry *entry);

#endif
