/*
 * A sheet's inside, for the files that print it.
 */
#ifndef TENDER_BROKER_CLI_OUTPUT_INTERNAL_H
#define TENDER_BROKER_CLI_OUTPUT_INTERNAL_H

#include "output.h"

#define SHEET_COLUMNS_MAX 64

struct sheet {
    size_t column_count;
    const char *names[SHEET_COLUMNS_MAX];
    enum column_kind kinds[SHEET_COLUMNS_MAX];
    char **cells; /* [cell_count]; row by row */
    size_t cell_count;
    size_t cell_capacity;
    bool is_broken; /* memory ran out */
};

const char *sheet_at(const struct sheet *sheet, size_t row, size_t column);
/* Reads the character at *text and moves on. Returns it, or -1 for a byte that is no UTF-8. */
int32_t output_next(const char **text);
int table_print(const struct sheet *sheet, enum output_shape shape, FILE *out);

#endif
