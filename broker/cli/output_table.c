/*
 * A sheet as a table, by libsmartcols.
 */
#include "output_internal.h"

#include <ctype.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

/* Decimals of the longest amount of a column, so that all of them stand below each other. */
static size_t decimals_of(const struct sheet *sheet, size_t column)
{
    size_t most = 0;
    for (size_t row = 0; row < sheet_rows(sheet); row++) {
        const char *text = sheet_at(sheet, row, column);
        const char *point = text == NULL ? NULL : strchr(text, '.');
        size_t decimals = point == NULL ? 0 : strlen(point + 1);
        most = decimals > most ? decimals : most;
    }
    return most;
}

/* Fills an amount up to `decimals`. Allocated. */
static char *money_cell(const char *text, size_t decimals)
{
    const char *point = strchr(text, '.');
    size_t has = point == NULL ? 0 : strlen(point + 1);
    size_t missing = decimals > has ? decimals - has : 0;
    size_t size = strlen(text);
    char *cell = malloc(size + missing + 2);
    if (cell != NULL) {
        memcpy(cell, text, size);
        if (point == NULL && missing > 0) {
            cell[size++] = '.';
        }
        memset(cell + size, '0', missing);
        cell[size + missing] = '\0';
    }
    return cell;
}

/* "2030-01-31T12:00:00.25Z" → "2030-01-31 12:00:00Z". Allocated. */
static char *instant_cell(const char *text)
{
    char *cell = strdup(text);
    char *letter = cell == NULL ? NULL : strchr(cell, 'T');
    if (letter == NULL) {
        return cell;
    }
    *letter = ' ';
    char *point = strchr(cell, '.');
    if (point != NULL) {
        size_t digits = strspn(point + 1, "0123456789") + 1;
        memmove(point, point + digits, strlen(point + digits) + 1);
    }
    return cell;
}

static char *cell_of(const struct sheet *sheet, size_t row, size_t column, size_t decimals)
{
    const char *text = sheet_at(sheet, row, column);
    if (text == NULL) {
        return strdup("");
    }
    switch (sheet->kinds[column]) {
    case COLUMN_MONEY:
        return money_cell(text, decimals);
    case COLUMN_INSTANT:
        return instant_cell(text);
    case COLUMN_TRUTH:
        return strdup(strcmp(text, "true") == 0 ? "yes" : "no");
    case COLUMN_COUNT:
    case COLUMN_TEXT:
        break;
    }
    return output_plain(text);
}

static struct libscols_table *table_new(FILE *out)
{
    struct libscols_table *table = scols_new_table();
    if (table != NULL) {
        scols_table_set_stream(table, out);
        scols_table_enable_minout(table, 1);
        scols_table_enable_noencoding(table, 1); /* cells are plain already */
        scols_table_set_column_separator(table, "  ");
    }
    return table;
}

static int list_fill(struct libscols_table *table, const struct sheet *sheet)
{
    size_t rows = sheet_rows(sheet);
    for (size_t row = 0; row < rows; row++) {
        if (scols_table_new_line(table, NULL) == NULL) {
            return TENDER_ENOMEM;
        }
    }
    for (size_t i = 0; i < sheet->column_count; i++) {
        bool is_number = sheet->kinds[i] == COLUMN_COUNT || sheet->kinds[i] == COLUMN_MONEY;
        char name[64];
        size_t used = 0;
        for (; sheet->names[i][used] != '\0' && used + 1 < sizeof(name); used++) {
            char letter = sheet->names[i][used];
            name[used] = (char)(letter == '_' ? ' ' : toupper((unsigned char)letter));
        }
        name[used] = '\0';
        if (scols_table_new_column(table, name, 0, is_number ? SCOLS_FL_RIGHT : 0) == NULL) {
            return TENDER_ENOMEM;
        }
        size_t decimals = sheet->kinds[i] == COLUMN_MONEY ? decimals_of(sheet, i) : 0;
        for (size_t row = 0; row < rows; row++) {
            char *cell = cell_of(sheet, row, i, decimals);
            if (cell == NULL || scols_line_refer_data(scols_table_get_line(table, row), i, cell)) {
                free(cell);
                return TENDER_ENOMEM;
            }
        }
    }
    return 0;
}

static int record_fill(struct libscols_table *table, const struct sheet *sheet)
{
    scols_table_enable_noheadings(table, 1);
    if (scols_table_new_column(table, "field", 0, 0) == NULL ||
        scols_table_new_column(table, "value", 0, 0) == NULL) {
        return TENDER_ENOMEM;
    }
    for (size_t i = 0; i < sheet->column_count && sheet_rows(sheet) > 0; i++) {
        struct libscols_line *line = scols_table_new_line(table, NULL);
        char *cell = cell_of(sheet, 0, i, 0);
        if (line == NULL || cell == NULL || scols_line_set_data(line, 0, sheet->names[i]) != 0 ||
            scols_line_refer_data(line, 1, cell) != 0) {
            free(cell);
            return TENDER_ENOMEM;
        }
    }
    return 0;
}

/* One row as words parted by two spaces, for a table that grows while one looks at it. */
static int lines_print(const struct sheet *sheet, FILE *out)
{
    for (size_t row = 0; row < sheet_rows(sheet); row++) {
        const char *gap = "";
        for (size_t i = 0; i < sheet->column_count; i++) {
            char *cell = cell_of(sheet, row, i, 0);
            if (cell == NULL) {
                return TENDER_ENOMEM;
            }
            if (*cell != '\0') {
                fprintf(out, "%s%s", gap, cell);
                gap = "  ";
            }
            free(cell);
        }
        fputc('\n', out);
    }
    return 0;
}

int table_print(const struct sheet *sheet, enum output_shape shape, FILE *out)
{
    if (shape == OUTPUT_LINES) {
        return lines_print(sheet, out);
    }
    if (sheet_rows(sheet) == 0) {
        return 0;
    }
    struct libscols_table *table = table_new(out);
    if (table == NULL) {
        return TENDER_ENOMEM;
    }
    int status = shape == OUTPUT_RECORD ? record_fill(table, sheet) : list_fill(table, sheet);
    if (status == 0 && scols_print_table(table) != 0) {
        status = TENDER_ESYSTEM;
    }
    scols_unref_table(table);
    return status;
}
