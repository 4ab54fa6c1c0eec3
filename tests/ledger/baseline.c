/*
 * Makes the table of baseline.def.
 */
#include "baseline.h"

const struct statement_row baseline[] = {
#define STATEMENT(NAME, types, columns, text) {#NAME, types, columns, text},
#include "baseline.def"
#undef STATEMENT
};

const size_t baseline_count = sizeof baseline / sizeof baseline[0];
