/*
 * The statements of statements.def as a table.
 */
#ifndef TENDER_LEDGER_SRC_STATEMENTS_H
#define TENDER_LEDGER_SRC_STATEMENTS_H

#define STATEMENT_PARAMETERS_MAX 24

enum statement {
#define STATEMENT(NAME, types, columns, text) STATEMENT_##NAME,
#include "statements.def"
#undef STATEMENT
    STATEMENT_COUNT
};

/* One row: see statements.def. */
struct statement_row {
    const char *name;
    const char *types;
    const char *columns;
    const char *text;
};

extern const struct statement_row statements[STATEMENT_COUNT];

#endif
