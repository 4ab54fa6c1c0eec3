#include "output.h"

#include "output_internal.h"

#include "mark.h"
#include "value.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct sheet *sheet_open(void)
{
    return calloc(1, sizeof(struct sheet));
}

void sheet_close(struct sheet *sheet)
{
    if (sheet == NULL) {
        return;
    }
    for (size_t i = 0; i < sheet->cell_count; i++) {
        free(sheet->cells[i]);
    }
    free(sheet->cells);
    free(sheet);
}

void sheet_column(struct sheet *sheet, const char *name, enum column_kind kind)
{
    assert(sheet->column_count < SHEET_COLUMNS_MAX);
    assert(sheet->cell_count == 0);
    sheet->names[sheet->column_count] = name;
    sheet->kinds[sheet->column_count++] = kind;
}

/* Drops the zeros after the last decimal that says something. */
static void trim_money(char *text)
{
    char *point = strchr(text, '.');
    if (point == NULL || strspn(point + 1, "0123456789") != strlen(point + 1)) {
        return;
    }
    char *end = text + strlen(text);
    while (end > point && (end[-1] == '0' || end[-1] == '.')) {
        *--end = '\0';
    }
}

void sheet_cell(struct sheet *sheet, const char *text)
{
    assert(sheet->column_count > 0);
    if (sheet->cell_count == sheet->cell_capacity) {
        size_t capacity = sheet->cell_capacity == 0 ? 256 : 2 * sheet->cell_capacity;
        char **cells = realloc(sheet->cells, capacity * sizeof(*cells));
        if (cells == NULL) {
            sheet->is_broken = true;
            return;
        }
        sheet->cells = cells;
        sheet->cell_capacity = capacity;
    }
    char *copy = text == NULL ? NULL : strdup(text);
    sheet->is_broken = sheet->is_broken || (text != NULL && copy == NULL);
    if (copy != NULL && sheet->kinds[sheet->cell_count % sheet->column_count] == COLUMN_MONEY) {
        trim_money(copy);
    }
    sheet->cells[sheet->cell_count++] = copy;
}

void sheet_count(struct sheet *sheet, int64_t count)
{
    char text[24];
    snprintf(text, sizeof(text), "%" PRId64, count);
    sheet_cell(sheet, text);
}

void sheet_money(struct sheet *sheet, int64_t micro)
{
    char text[VALUE_MICRO_MAX];
    value_write_credits(micro, text);
    sheet_cell(sheet, text);
}

void sheet_truth(struct sheet *sheet, bool is_true)
{
    sheet_cell(sheet, is_true ? "true" : "false");
}

size_t sheet_rows(const struct sheet *sheet)
{
    return sheet->column_count == 0 ? 0 : sheet->cell_count / sheet->column_count;
}

const char *sheet_at(const struct sheet *sheet, size_t row, size_t column)
{
    return sheet->cells[row * sheet->column_count + column];
}

const char *sheet_text(const struct sheet *sheet, size_t row, const char *column)
{
    for (size_t i = 0; i < sheet->column_count && row < sheet_rows(sheet); i++) {
        if (strcmp(sheet->names[i], column) == 0) {
            return sheet_at(sheet, row, i);
        }
    }
    return NULL;
}

int32_t output_next(const char **text)
{
    static const uint8_t marks[] = {0x00, 0xc0, 0xe0, 0xf0};
    const char *at = *text;
    uint8_t lead = (uint8_t)*at;
    size_t size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (strnlen(at, size) < size || !tender_text_is_valid(at, size)) {
        (*text)++;
        return -1;
    }
    uint32_t point = (uint32_t)(lead ^ marks[size - 1]);
    for (size_t i = 1; i < size; i++) {
        point = point << 6 | ((uint8_t)at[i] & 0x3f);
    }
    *text += size;
    return (int32_t)point;
}

char *output_plain(const char *text)
{
    char *plain = malloc(6 * strlen(text) + 1);
    size_t used = 0;
    while (plain != NULL && *text != '\0') {
        const char *from = text;
        int32_t point = output_next(&text);
        if (point == '\n' || point == '\t') {
            used += (size_t)sprintf(plain + used, point == '\n' ? "\\n" : "\\t");
        } else if (point < 0) {
            used += (size_t)sprintf(plain + used, "\\x%02x", (uint8_t)*from);
        } else if (mark_is_unsafe((uint32_t)point)) {
            const char *form = point < 256 ? "\\x%02x" : point < 65536 ? "\\u%04x" : "\\U%08x";
            used += (size_t)sprintf(plain + used, form, (unsigned)point);
        } else {
            memcpy(plain + used, from, (size_t)(text - from));
            used += (size_t)(text - from);
        }
    }
    if (plain != NULL) {
        plain[used] = '\0';
    }
    return plain;
}

void output_json_text(const char *text, FILE *out)
{
    fputc('"', out);
    while (*text != '\0') {
        const char *from = text;
        int32_t point = output_next(&text);
        if (point == '"' || point == '\\') {
            fprintf(out, "\\%c", (char)point);
        } else if (point < 0) {
            fputs("\\ufffd", out);
        } else if (mark_is_unsafe((uint32_t)point) && point > 0xffff) {
            fprintf(out, "\\u%04x\\u%04x", 0xd7c0 + ((unsigned)point >> 10),
                    0xdc00 + ((unsigned)point & 0x3ff));
        } else if (mark_is_unsafe((uint32_t)point)) {
            fprintf(out, "\\u%04x", (unsigned)point);
        } else {
            fwrite(from, 1, (size_t)(text - from), out);
        }
    }
    fputc('"', out);
}

static void json_row(const struct sheet *sheet, size_t row, FILE *out)
{
    fputc('{', out);
    for (size_t i = 0; i < sheet->column_count; i++) {
        const char *text = sheet_at(sheet, row, i);
        bool is_bare = sheet->kinds[i] == COLUMN_COUNT || sheet->kinds[i] == COLUMN_TRUTH;
        fputs(i == 0 ? "" : ",", out);
        output_json_text(sheet->names[i], out);
        fputc(':', out);
        if (text == NULL || (is_bare && *text == '\0')) {
            fputs("null", out);
        } else if (is_bare) {
            fputs(text, out);
        } else {
            output_json_text(text, out);
        }
    }
    fputc('}', out);
}

static void json_print(const struct sheet *sheet, enum output_shape shape, FILE *out)
{
    size_t rows = sheet_rows(sheet);
    if (shape == OUTPUT_LIST) {
        fputs(rows == 0 ? "[" : "[\n", out);
    }
    for (size_t row = 0; row < rows; row++) {
        json_row(sheet, row, out);
        fputs(shape == OUTPUT_LIST && row + 1 < rows ? ",\n" : "\n", out);
    }
    if (shape == OUTPUT_LIST) {
        fputs("]\n", out);
    }
}

static void csv_field(const char *said, FILE *out)
{
    char *plain = output_plain(said);
    const char *text = plain == NULL ? "" : plain;
    if (*text != '\0' && text[strcspn(text, ",\"\r\n")] == '\0' && *text != ' ') {
        fputs(text, out);
    } else {
        fputc('"', out);
        for (; *text != '\0'; text++) {
            fputs(*text == '"' ? "\"" : "", out);
            fputc(*text, out);
        }
        fputc('"', out);
    }
    free(plain);
}

static void csv_print(const struct sheet *sheet, enum output_shape shape, FILE *out)
{
    for (size_t i = 0; i < sheet->column_count && shape != OUTPUT_LINES; i++) {
        fputs(i == 0 ? "" : ",", out);
        csv_field(sheet->names[i], out);
    }
    fputs(shape == OUTPUT_LINES ? "" : "\r\n", out);
    for (size_t row = 0; row < sheet_rows(sheet); row++) {
        for (size_t i = 0; i < sheet->column_count; i++) {
            const char *text = sheet_at(sheet, row, i);
            fputs(i == 0 ? "" : ",", out);
            if (text != NULL) {
                csv_field(text, out);
            }
        }
        fputs("\r\n", out);
    }
}

int sheet_print(const struct sheet *sheet, enum output_format format, enum output_shape shape,
                FILE *out)
{
    if (sheet == NULL || sheet->is_broken) {
        return TENDER_ENOMEM;
    }
    assert(sheet->cell_count == sheet_rows(sheet) * sheet->column_count);
    int status = 0;
    if (format == OUTPUT_TABLE) {
        status = table_print(sheet, shape, out);
    } else if (format == OUTPUT_JSON) {
        json_print(sheet, shape, out);
    } else {
        csv_print(sheet, shape, out);
    }
    if (status == 0 && (fflush(out) != 0 || ferror(out))) {
        status = TENDER_ESYSTEM;
    }
    return status;
}
