/*
 * Goal: the same rows read well as a table and parse as JSON and CSV, whatever other parties wrote
 * into them. Method: sheets printed into memory and compared.
 */
#include "output.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct sheet *sample(void)
{
    struct sheet *sheet = sheet_open();
    sheet_column(sheet, "name", COLUMN_TEXT);
    sheet_column(sheet, "units_done", COLUMN_COUNT);
    sheet_column(sheet, "paid", COLUMN_MONEY);
    sheet_column(sheet, "at", COLUMN_INSTANT);
    sheet_column(sheet, "overdue", COLUMN_TRUTH);
    return sheet;
}

static void row(struct sheet *sheet, const char *name, const char *count, const char *money,
                const char *instant, const char *truth)
{
    sheet_cell(sheet, name);
    sheet_cell(sheet, count);
    sheet_cell(sheet, money);
    sheet_cell(sheet, instant);
    sheet_cell(sheet, truth);
}

/* Prints into a file without a name, so that the descriptor is no terminal. Allocated. */
static char *printed(struct sheet *sheet, enum output_format format, enum output_shape shape)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(sheet_print(sheet, format, shape, file), 0);
    long size = ftell(file);
    char *text = calloc(1, (size_t)size + 1);
    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    sheet_close(sheet);
    return text;
}

static void expect(struct sheet *sheet, enum output_format format, enum output_shape shape,
                   const char *text)
{
    char *found = printed(sheet, format, shape);
    assert_string_equal(found, text);
    free(found);
}

static void json_keeps_types_and_money_is_text(void **state)
{
    (void)state;
    struct sheet *sheet = sample();
    row(sheet, "a", "28", "10.500000", "2030-01-31T12:00:00.25Z", "true");
    row(sheet, NULL, NULL, NULL, NULL, NULL);
    expect(sheet, OUTPUT_JSON, OUTPUT_LIST,
           "[\n{\"name\":\"a\",\"units_done\":28,\"paid\":\"10.5\","
           "\"at\":\"2030-01-31T12:00:00.25Z\",\"overdue\":true},\n"
           "{\"name\":null,\"units_done\":null,\"paid\":null,\"at\":null,\"overdue\":null}\n]\n");
}

static void json_tells_null_from_empty_and_escapes_what_moves(void **state)
{
    (void)state;
    struct sheet *sheet = sheet_open();
    sheet_column(sheet, "text", COLUMN_TEXT);
    sheet_cell(sheet, "");
    sheet_cell(sheet, "a\"b\\c\n\x1b[2J\xe2\x80\xae\x7f\xc3\xa4\xff\xf3\xa0\x81\x81\xe2\x80\x8b");
    expect(sheet, OUTPUT_JSON, OUTPUT_LINES,
           "{\"text\":\"\"}\n{\"text\":\"a\\\"b\\\\c\\u000a\\u001b[2J\\u202e\\u007f\xc3\xa4"
           "\\ufffd\\udb40\\udc41\\u200b\"}\n");
}

static void an_empty_list_is_empty_in_each_format(void **state)
{
    (void)state;
    expect(sample(), OUTPUT_JSON, OUTPUT_LIST, "[]\n");
    expect(sample(), OUTPUT_CSV, OUTPUT_LIST, "name,units_done,paid,at,overdue\r\n");
    expect(sample(), OUTPUT_TABLE, OUTPUT_LIST, "");
}

static void csv_quotes_and_tells_null_from_empty(void **state)
{
    (void)state;
    struct sheet *sheet = sample();
    row(sheet, "a,\"b\"\nc", "1", "0.000000", NULL, "false");
    row(sheet, "", "2", "30.000000", NULL, NULL);
    expect(sheet, OUTPUT_CSV, OUTPUT_LIST,
           "name,units_done,paid,at,overdue\r\n\"a,\"\"b\"\"\\nc\",1,0,,false\r\n\"\",2,30,,\r\n");
}

static void a_table_lines_up_amounts_and_stays_on_its_lines(void **state)
{
    (void)state;
    struct sheet *sheet = sample();
    row(sheet, "a\nb\x1b[31m", "28", "10.500000", "2030-01-31T12:00:00.25Z", "true");
    row(sheet,
        "\xe2\x80\xae"
        "evil",
        "5", "8.000000", NULL, "false");
    char *text = printed(sheet, OUTPUT_TABLE, OUTPUT_LIST);
    assert_non_null(strstr(text, "UNITS DONE"));
    assert_non_null(strstr(text, "10.5"));
    assert_non_null(strstr(text, " 8.0"));
    assert_non_null(strstr(text, "a\\nb\\x1b[31m"));
    assert_non_null(strstr(text, "\\u202eevil"));
    assert_non_null(strstr(text, "2030-01-31 12:00:00Z"));
    assert_null(strchr(text, '\x1b'));
    size_t lines = 0;
    for (const char *at = text; *at != '\0'; at++) {
        lines += *at == '\n';
    }
    assert_int_equal(lines, 3);
    free(text);
}

static void a_record_is_fields_below_each_other(void **state)
{
    (void)state;
    struct sheet *sheet = sample();
    row(sheet, "a", "28", "10.500000", NULL, "true");
    expect(sheet, OUTPUT_TABLE, OUTPUT_RECORD,
           "name        a\nunits_done  28\npaid        10.5\nat\noverdue     yes\n");
}

static void text_that_is_no_utf8_is_shown_as_bytes(void **state)
{
    (void)state;
    char *plain = output_plain("a\xff\xc3(\xed\xa0\x80"
                               "b\tc");
    assert_string_equal(plain, "a\\xff\\xc3(\\xed\\xa0\\x80b\\tc");
    free(plain);
}

static void a_closed_output_is_an_error(void **state)
{
    (void)state;
    struct sheet *sheet = sample();
    FILE *full = fopen("/dev/full", "w");
    row(sheet, "a", "1", "1", NULL, NULL);
    assert_non_null(full);
    assert_int_equal(sheet_print(sheet, OUTPUT_JSON, OUTPUT_LIST, full), TENDER_ESYSTEM);
    fclose(full);
    sheet_close(sheet);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_keeps_types_and_money_is_text),
        cmocka_unit_test(json_tells_null_from_empty_and_escapes_what_moves),
        cmocka_unit_test(an_empty_list_is_empty_in_each_format),
        cmocka_unit_test(csv_quotes_and_tells_null_from_empty),
        cmocka_unit_test(a_table_lines_up_amounts_and_stays_on_its_lines),
        cmocka_unit_test(a_record_is_fields_below_each_other),
        cmocka_unit_test(text_that_is_no_utf8_is_shown_as_bytes),
        cmocka_unit_test(a_closed_output_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
