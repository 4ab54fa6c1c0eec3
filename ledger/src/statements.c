/*
 * Makes the table of statements.def.
 */
#include "statements.h"

const struct statement_row statements[STATEMENT_COUNT] = {
#define STATEMENT(NAME, types, columns, text) {#NAME, types, columns, text},
#include "statements.def"
#undef STATEMENT
};
