/*
 * The statements of baseline.def as a table.
 */
#ifndef TENDER_TESTS_LEDGER_BASELINE_H
#define TENDER_TESTS_LEDGER_BASELINE_H

#include <stddef.h>

#include "../../ledger/src/statements.h"

extern const struct statement_row baseline[];
extern const size_t baseline_count;

#endif
