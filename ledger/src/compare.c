/*
 * Compares the schema of a database with the one that this program expects, object by object.
 *
 * What is expected is made on the spot: the embedded files run once more, under other names of the
 * two schemas, in a transaction that is taken back. So both sides are printed by one server, and
 * nothing has to be kept in step with the files. No lock is taken on anything that is in use.
 */
#include "private.h"

#include "sql.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PEOPLE "tender"
#define LEDGER "tender_ledger"
#define SUFFIX "_expected"

/* Growing text; NULL after it ran out of memory. */
struct text {
    char *data;
    size_t size;
    size_t capacity;
};

static void text_add(struct text *text, const char *bytes, size_t size)
{
    if (text->data == NULL) {
        return;
    }
    if (text->size + size + 1 > text->capacity) {
        text->capacity = 2 * (text->size + size + 1);
        char *data = realloc(text->data, text->capacity);
        if (data == NULL) {
            free(text->data);
            text->data = NULL;
            return;
        }
        text->data = data;
    }
    memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

static bool is_word(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

/* Whether the word names one of the schemas: before a dot, or behind `schema`. */
static bool is_schema(const char *file, const char *word, size_t size)
{
    static const char before[] = "schema ";
    bool is_name = (size == strlen(PEOPLE) && memcmp(word, PEOPLE, size) == 0) ||
                   (size == strlen(LEDGER) && memcmp(word, LEDGER, size) == 0);
    bool is_behind = (size_t)(word - file) >= strlen(before) &&
                     memcmp(word - strlen(before), before, strlen(before)) == 0;
    return is_name && (word[size] == '.' || is_behind);
}

/* The file with the schemas under their other names; free it. NULL: no memory. */
static char *rename_schemas(const char *file)
{
    struct text text = {.data = malloc(1), .capacity = 1};
    const char *at = file;
    while (*at != '\0') {
        size_t size = 0;
        while (is_word(at[size])) {
            size++;
        }
        text_add(&text, at, size);
        if (size > 0 && is_schema(file, at, size)) {
            text_add(&text, SUFFIX, strlen(SUFFIX));
        }
        at += size;
        if (*at != '\0' && !is_word(*at)) {
            text_add(&text, at++, 1);
        }
    }
    return text.data;
}

static int execute(PGconn *connection, const char *name, const char *sql, char *error,
                   size_t error_size)
{
    PGresult *result = PQexec(connection, sql);
    ExecStatusType outcome = PQresultStatus(result);
    PQclear(result);
    if (outcome == PGRES_COMMAND_OK || outcome == PGRES_TUPLES_OK) {
        return 0;
    }
    return schema_fail(error, error_size, TENDER_EDATABASE, "%s: %s", name,
                       PQerrorMessage(connection));
}

static int make_expected(PGconn *connection, char *error, size_t error_size)
{
    static const struct sql_file *const sets[] = {sql_migrations, sql_functions, sql_views};
    int status = 0;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        for (const struct sql_file *file = sets[i]; status == 0 && file->name != NULL; file++) {
            char *sql = rename_schemas(file->text);
            status = sql == NULL ? TENDER_ENOMEM
                                 : execute(connection, file->name, sql, error, error_size);
            free(sql);
        }
    }
    return status;
}

static const char sql_differences[] =
    "select coalesce(e.name, f.name), coalesce(e.definition, ''), coalesce(f.definition, ''), "
    "e.name is not null, f.name is not null "
    "from pg_temp.catalogue('tender_expected', 'tender_ledger_expected') e "
    "full join pg_temp.catalogue('tender', 'tender_ledger') f on f.name = e.name "
    "where e.definition is distinct from f.definition order by 1";

static int report(PGconn *connection,
                  void (*on_difference)(void *context, const struct ledger_difference *difference),
                  void *context, char *error, size_t error_size)
{
    PGresult *result = PQexec(connection, sql_differences);
    if (PQresultStatus(result) != PGRES_TUPLES_OK) {
        PQclear(result);
        return schema_fail(error, error_size, TENDER_EDATABASE, "catalogue: %s",
                           PQerrorMessage(connection));
    }
    int count = PQntuples(result);
    for (int row = 0; row < count; row++) {
        bool is_expected = PQgetvalue(result, row, 3)[0] == 't';
        bool is_found = PQgetvalue(result, row, 4)[0] == 't';
        struct ledger_difference difference = {
            .object = PQgetvalue(result, row, 0),
            .expected = is_expected ? PQgetvalue(result, row, 1) : NULL,
            .found = is_found ? PQgetvalue(result, row, 2) : NULL,
        };
        on_difference(context, &difference);
    }
    PQclear(result);
    return count;
}

int ledger_compare(const char *database,
                   void (*on_difference)(void *context, const struct ledger_difference *difference),
                   void *context, char *error, size_t error_size)
{
    PGconn *connection = NULL;
    int status = schema_open(database, &connection, error, error_size);
    if (status == 0) {
        status = execute(connection, "begin",
                         "begin; set local client_min_messages = warning; "
                         "set local check_function_bodies = off; set local lock_timeout = '2s'",
                         error, error_size);
    }
    if (status == 0) {
        status = execute(connection, "catalogue.sql", sql_catalogue, error, error_size);
    }
    if (status == 0) {
        status = make_expected(connection, error, error_size);
    }
    if (status == 0) {
        status = execute(connection, "role", "reset role", error, error_size);
    }
    if (status == 0) {
        status = report(connection, on_difference, context, error, error_size);
    }
    PQfinish(connection); /* takes back what was made */
    return status;
}
