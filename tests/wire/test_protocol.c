/*
 * Goal: PROTOCOL.md says what the code says. Method: every row that a table of message.h or
 * vocabulary.h implies is looked for in the document, every row of the document that begins with a
 * number must be one of them, and every hex line must be a golden vector.
 *
 * `test_protocol --print` writes the rows, to be pasted where they belong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

#define ROWS_MAX 512
#define ROW_MAX  512

static char rows[ROWS_MAX][ROW_MAX];
static size_t row_count;

__attribute__((format(printf, 1, 2))) static void add_row(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    assert_true(row_count < ROWS_MAX);
    (void)vsnprintf(rows[row_count++], ROW_MAX, format, arguments);
    va_end(arguments);
}

static const char *range_of(int field, const char *type)
{
    static char text[128];
    int64_t minimum;
    int64_t maximum;
    if (message_field_range((enum message_field)field, &minimum, &maximum)) {
        (void)snprintf(text, sizeof text, "%" PRId64 " to %" PRId64, minimum, maximum);
        return text;
    }
    size_t limit = 0;
    switch (field) {
    case MESSAGE_NAME:
    case MESSAGE_PRINCIPAL:
    case MESSAGE_CONTRACTOR:
    case MESSAGE_GOAL:
        return "a name";
    case MESSAGE_SKILL:
    case MESSAGE_TIER:
        return "a skill";
    case MESSAGE_SKILLS:
        return "0 to 64 skills";
    case MESSAGE_KEY:
        return "1 to 128 bytes";
    case MESSAGE_AFTER:
        return "1 to 16 identifiers";
    case MESSAGE_TEXT:
    case MESSAGE_EVIDENCE:
        limit = TENDER_TEXT_MAX;
        break;
    case MESSAGE_CONTENT:
    case MESSAGE_RECEIPTS:
    case MESSAGE_PROOF:
        limit = TENDER_CONTENT_MAX;
        break;
    case MESSAGE_ADDRESS:
        limit = TENDER_ADDRESS_MAX;
        break;
    default:
        limit = TENDER_NAME_MAX;
        break;
    }
    if (strcmp(type, "ID") == 0 || strcmp(type, "DIGEST") == 0) {
        return strcmp(type, "ID") == 0 ? "16 bytes" : "32 bytes";
    }
    (void)snprintf(text, sizeof text, "0 to %zu bytes", limit);
    return text;
}

static const char *type_name(const char *type)
{
    static const char *const names[][2] = {
        {"INT", "int"}, {"ENUM", "int"},   {"TEXT", "str"},          {"BYTES", "bin"},
        {"ID", "bin"},  {"DIGEST", "bin"}, {"TEXTS", "array of str"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i][0], type) == 0) {
            return names[i][1];
        }
    }
    return "?";
}

/* "round, digest", or "–" for none. */
static const char *field_list(message_mask fields, char *text, size_t size)
{
    text[0] = '\0';
    for (; fields != 0; fields &= fields - 1) {
        size_t used = strlen(text);
        (void)snprintf(text + used, size - used, "%s%s", used == 0 ? "" : ", ",
                       message_field_name(message_first(fields)));
    }
    return text[0] == '\0' ? "–" : text;
}

static void add_rules(void)
{
    char required_text[ROW_MAX / 2];
    char optional_text[ROW_MAX / 2];
#define NIL    "nil"
#define TASK   "task"
#define ANY    "either"
#define PEER   "peer"
#define BROKER "broker"
#define X(FROM, NAME, CONVERSATION, required, optional)                                            \
    add_row("| %d | %s | %s | %s | %s | %s |", TENDER_##NAME,                                      \
            tender_performative_name(TENDER_##NAME), FROM, CONVERSATION,                           \
            field_list(required, required_text, sizeof required_text),                             \
            field_list(optional, optional_text, sizeof optional_text));
    MESSAGE_RULES(X)
#undef X
}

static void make_rows(void)
{
    row_count = 0;
#define X(key, NAME, member, TYPE, name)                                                           \
    add_row("| %d | %s | %s | %s |", key, name, type_name(#TYPE), range_of(key, #TYPE));
    MESSAGE_FIELDS(X)
#undef X
    add_rules();
#define X(code, NAME, name, text) add_row("| %d | %s | %s |", code, name, text);
    TENDER_REASONS(X)
    TENDER_PARTIALS(X)
    TENDER_FALLBACKS(X)
#undef X
#define X(code, NAME, name, terminal)                                                              \
    add_row("| %d | %s | %s |", code, name, terminal ? "yes" : "no");
    TENDER_TASK_STATES(X)
    TENDER_COMMITMENT_STATES(X)
#undef X
}

static char *read_document(void)
{
    FILE *file = fopen(PROTOCOL_FILE, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    (void)fclose(file);
    return text;
}

static bool is_row(const char *line)
{
    for (size_t i = 0; i < row_count; i++) {
        if (strcmp(rows[i], line) == 0) {
            return true;
        }
    }
    return false;
}

static void every_row_of_the_tables_is_in_the_document(void **state)
{
    (void)state;
    make_rows();
    char *document = read_document();
    for (size_t i = 0; i < row_count; i++) {
        if (strstr(document, rows[i]) == NULL) {
            fail_msg("missing: %s", rows[i]);
        }
    }
    free(document);
}

static void every_numbered_row_of_the_document_is_in_the_tables(void **state)
{
    (void)state;
    make_rows();
    char *document = read_document();
    size_t found = 0;
    for (char *line = strtok(document, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (line[0] == '|' && line[2] >= '0' && line[2] <= '9') {
            found++;
            if (!is_row(line)) {
                fail_msg("not in any table: %s", line);
            }
        }
    }
    assert_int_equal(found, row_count);
    free(document);
}

/* A line of hex that spells an exchange; it ends with the line. */
static void every_hex_line_is_a_golden_vector(void **state)
{
    (void)state;
    char *document = read_document();
    size_t found = 0;
    for (char *line = strtok(document, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (strncmp(line, "9501c410", 8) != 0) {
            continue;
        }
        bool is_golden = false;
        size_t i;
        json_t *vector;
        json_array_foreach(vectors_load("exchanges"), i, vector)
        {
            is_golden = is_golden || strcmp(vector_text(vector, "hex"), line) == 0;
        }
        if (!is_golden) {
            fail_msg("no vector: %s", line);
        }
        found++;
    }
    assert_true(found > 0);
    free(document);
    vectors_unload();
}

int main(int argument_count, char **arguments)
{
    if (argument_count == 2 && strcmp(arguments[1], "--print") == 0) {
        make_rows();
        for (size_t i = 0; i < row_count; i++) {
            puts(rows[i]);
        }
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_tables_is_in_the_document),
        cmocka_unit_test(every_numbered_row_of_the_document_is_in_the_tables),
        cmocka_unit_test(every_hex_line_is_a_golden_vector),
    };
    return cmocka_run_group_tests_name("protocol", tests, NULL, NULL);
}
