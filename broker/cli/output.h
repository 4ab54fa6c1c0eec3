/*
 * Rows for people and for programs: one sheet of rows prints as a table (libsmartcols), as JSON or
 * as CSV. Text that other parties wrote cannot move the cursor or turn the writing direction: such
 * characters are escaped. Knows nothing of where rows come from.
 *
 * JSON: an array of objects, or one object for a record. Money is a decimal string; whole numbers,
 * truth values and null are JSON's own, and a text is exact. CSV is RFC 4180 with a header, escaped
 * as a table is, so that a row is a line; null is an empty field, an empty text is "".
 */
#ifndef TENDER_BROKER_CLI_OUTPUT_H
#define TENDER_BROKER_CLI_OUTPUT_H

#include "tender/vocabulary.h"

#include <stdio.h>

/* In the order of the choices of -o. */
enum output_format { OUTPUT_TABLE, OUTPUT_JSON, OUTPUT_CSV };

/* What a column holds; cells are text in each case. */
enum column_kind {
    COLUMN_TEXT,
    COLUMN_COUNT,   /* whole number */
    COLUMN_MONEY,   /* decimal of credits; trailing zeros are dropped */
    COLUMN_INSTANT, /* RFC 3339 in UTC; the table shows whole seconds */
    COLUMN_TRUTH,   /* "true" or "false" */
};

/* How a sheet is laid out. */
enum output_shape {
    OUTPUT_LIST,   /* many rows */
    OUTPUT_RECORD, /* one row, as field and value; a JSON object */
    OUTPUT_LINES,  /* each row by itself, as it comes: JSON lines, CSV without header */
};

struct sheet;

/* NULL when memory is out. */
struct sheet *sheet_open(void);
void sheet_close(struct sheet *sheet);
/* Names a column; all columns come before the first row. `name` is borrowed. */
void sheet_column(struct sheet *sheet, const char *name, enum column_kind kind);
/* Adds the next cell, which is copied; NULL is null. Rows fill from the left. */
void sheet_cell(struct sheet *sheet, const char *text);
void sheet_count(struct sheet *sheet, int64_t count);
void sheet_money(struct sheet *sheet, int64_t micro);
void sheet_truth(struct sheet *sheet, bool is_true);
size_t sheet_rows(const struct sheet *sheet);
/* A cell, or NULL. Valid until the sheet changes. */
const char *sheet_text(const struct sheet *sheet, size_t row, const char *column);

/*
 * Prints all rows to `out`. A sheet that ran out of memory prints nothing.
 *
 * Returns 0, TENDER_ENOMEM, or TENDER_ESYSTEM when `out` fails.
 */
TENDER_MUST_CHECK int sheet_print(const struct sheet *sheet, enum output_format format,
                                  enum output_shape shape, FILE *out);

/* Writes `text` so that it stays on its line and shows what it is: the characters of mark.h, and
 * bytes that are no UTF-8, as \n, \t, \xHH, \uHHHH or \UHHHHHHHH. Allocated; NULL: no memory. */
char *output_plain(const char *text);
/* Writes `text` as a JSON string, quotes included. */
void output_json_text(const char *text, FILE *out);

#endif
