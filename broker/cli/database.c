#include "database.h"

#include "ledger.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

const char *database_url(const struct arguments *arguments)
{
    const char *url = argument_text(arguments, "database");
    if (url == NULL) {
        url = getenv("TENDER_DATABASE");
    }
    return url == NULL ? "" : url;
}

/* The first line of a message of PostgreSQL, without its label and line end. */
static void print_reason(const struct arguments *arguments, const char *what, const char *message)
{
    while (*message == '\n' || *message == ' ') {
        message++;
    }
    int length = (int)strcspn(message, "\n");
    command_fail(arguments, EXIT_AWAY, "%s%.*s", what, length, message);
}

/* What is asked reads a few rows through views that look costly: compiling those takes longer. */
static int set_session(const struct arguments *arguments, PGconn *connection)
{
    return database_tell(arguments, connection,
                         "select set_config('timezone', 'UTC', false), "
                         "set_config('datestyle', 'ISO', false), "
                         "set_config('jit', 'off', false)",
                         0, NULL);
}

int database_open(const struct arguments *arguments, PGconn **connection_out)
{
    const char *url = database_url(arguments);
    char shown[1024];
    const char *names[] = {"connect_timeout", "application_name", "client_encoding", "dbname",
                           NULL};
    const char *values[] = {"5", "tender", "UTF8", url, NULL};
    bool has_url = *url != '\0';
    names[3] = has_url ? "dbname" : NULL;
    *connection_out = NULL;
    if (ledger_database_show(url, shown, sizeof(shown)) != 0) {
        return command_fail(arguments, EXIT_AWAY, "%s", shown);
    }
    PGconn *connection = PQconnectdbParams(names, values, 1);
    if (connection == NULL) {
        return command_fail(arguments, EXIT_AWAY, "out of memory");
    }
    if (PQstatus(connection) != CONNECTION_OK) {
        print_reason(arguments, "the database cannot be reached: ", PQerrorMessage(connection));
        fprintf(stderr, "Where it is: --database, TENDER_DATABASE, or libpq's PG* variables.\n");
        PQfinish(connection);
        return EXIT_AWAY;
    }
    int code = set_session(arguments, connection);
    if (code != EXIT_DONE) {
        PQfinish(connection);
        return code;
    }
    *connection_out = connection;
    return EXIT_DONE;
}

/* The exit code that an SQLSTATE stands for. */
static int code_of(const char *state)
{
    if (strcmp(state, "TN010") == 0) {
        return EXIT_BAD_INPUT; /* a value that has not its form, or is out of its range */
    }
    if (strncmp(state, "TN", 2) == 0 || strcmp(state, "42501") == 0 ||
        strncmp(state, "23", 2) == 0) {
        return EXIT_REFUSED;
    }
    return strncmp(state, "22", 2) == 0 ? EXIT_BAD_INPUT : EXIT_AWAY;
}

static bool is_schema_missing(const char *state)
{
    return strcmp(state, "42P01") == 0 || strcmp(state, "3F000") == 0 ||
           strcmp(state, "42883") == 0 || strcmp(state, "42703") == 0;
}

int database_ask(const struct arguments *arguments, PGconn *connection, const char *sql, int count,
                 const char *const *parameters, PGresult **result_out)
{
    PGresult *result = PQexecParams(connection, sql, count, NULL, parameters, NULL, NULL, 0);
    ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
        *result_out = result;
        return EXIT_DONE;
    }
    *result_out = NULL;
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    print_reason(arguments, "", message != NULL ? message : PQerrorMessage(connection));
    const char *hint = PQresultErrorField(result, PG_DIAG_MESSAGE_HINT);
    if (state != NULL && is_schema_missing(state)) {
        hint = "Is the schema there? tender ledger status tells, tender ledger migrate makes it.";
    }
    if (hint != NULL) {
        fprintf(stderr, "%s\n", hint);
    }
    int code = state == NULL ? EXIT_AWAY : code_of(state);
    PQclear(result);
    return code;
}

int database_tell(const struct arguments *arguments, PGconn *connection, const char *sql, int count,
                  const char *const *parameters)
{
    PGresult *result = NULL;
    int code = database_ask(arguments, connection, sql, count, parameters, &result);
    PQclear(result);
    return code;
}

int database_open_snapshot(const struct arguments *arguments, PGconn **connection_out)
{
    int code = database_open(arguments, connection_out);
    return code != EXIT_DONE
               ? code
               : database_tell(arguments, *connection_out,
                               "begin isolation level repeatable read read only", 0, NULL);
}

static enum column_kind kind_of(Oid type)
{
    switch (type) {
    case 16:
        return COLUMN_TRUTH;
    case 20:
    case 21:
    case 23:
        return COLUMN_COUNT;
    case 1700:
        return COLUMN_MONEY;
    case 1184:
        return COLUMN_INSTANT;
    default:
        return COLUMN_TEXT;
    }
}

/* "2030-01-31 12:00:00.25+00" → "2030-01-31T12:00:00.25Z"; infinity stays. */
static void add_instant(struct sheet *sheet, const char *text)
{
    char instant[64];
    snprintf(instant, sizeof(instant), "%s", text);
    char *zone = strstr(instant, "+00");
    if (zone != NULL && zone[3] == '\0' && instant[4] == '-') {
        instant[strcspn(instant, " ")] = 'T';
        zone[0] = 'Z';
        zone[1] = '\0';
    }
    sheet_cell(sheet, instant);
}

struct sheet *database_sheet_open(const PGresult *result)
{
    struct sheet *sheet = sheet_open();
    for (int i = 0; i < PQnfields(result) && sheet != NULL; i++) {
        sheet_column(sheet, PQfname(result, i), kind_of(PQftype(result, i)));
    }
    return sheet;
}

void database_row(struct sheet *sheet, const PGresult *result, int row)
{
    for (int i = 0; i < PQnfields(result); i++) {
        enum column_kind kind = kind_of(PQftype(result, i));
        const char *text = PQgetisnull(result, row, i) ? NULL : PQgetvalue(result, row, i);
        if (text != NULL && kind == COLUMN_TRUTH) {
            sheet_truth(sheet, *text == 't');
        } else if (text != NULL && kind == COLUMN_INSTANT) {
            add_instant(sheet, text);
        } else {
            sheet_cell(sheet, text);
        }
    }
}

struct sheet *database_sheet_where(const PGresult *result, int column, const char *text)
{
    struct sheet *sheet = database_sheet_open(result);
    for (int row = 0; row < PQntuples(result) && sheet != NULL; row++) {
        if (text == NULL || strcmp(PQgetvalue(result, row, column), text) == 0) {
            database_row(sheet, result, row);
        }
    }
    return sheet;
}

struct sheet *database_sheet(const PGresult *result)
{
    return database_sheet_where(result, 0, NULL);
}

int database_print(const struct arguments *arguments, const PGresult *result,
                   enum output_shape shape)
{
    struct sheet *sheet = database_sheet(result);
    enum output_format format = argument_format(arguments);
    int status = sheet_print(sheet, format, shape, stdout);
    if (status == 0 && format == OUTPUT_TABLE && shape == OUTPUT_LIST && sheet_rows(sheet) == 0) {
        fprintf(stderr, "(no rows)\n");
    }
    sheet_close(sheet);
    return status == 0 ? EXIT_DONE
                       : command_fail(arguments, EXIT_OTHERWISE, "%s",
                                      status == TENDER_ENOMEM ? "out of memory"
                                                              : "the output cannot be written");
}

/* Asks and prints; where there are no rows and `is_none_out` is not NULL, that is set instead. */
static int show(const struct arguments *arguments, enum output_shape shape, const char *sql,
                int count, const char *const *parameters, bool *is_none_out)
{
    PGconn *connection = NULL;
    PGresult *result = NULL;
    int code = database_open(arguments, &connection);
    if (code == EXIT_DONE) {
        code = database_ask(arguments, connection, sql, count, parameters, &result);
    }
    if (code == EXIT_DONE && is_none_out != NULL && PQntuples(result) == 0) {
        *is_none_out = true;
    } else if (code == EXIT_DONE) {
        code = database_print(arguments, result, shape);
    }
    PQclear(result);
    PQfinish(connection);
    return code;
}

int database_show(const struct arguments *arguments, const char *noun, enum output_shape shape,
                  const char *sql, int count, const char *const *parameters)
{
    bool is_none = false;
    int code =
        show(arguments, shape, sql, count, parameters, shape == OUTPUT_RECORD ? &is_none : NULL);
    return is_none ? command_fail(arguments, EXIT_REFUSED, "no such %s", noun) : code;
}

int database_show_task(const struct arguments *arguments, const char *task, enum output_shape shape,
                       const char *sql)
{
    bool is_none = false;
    int code = show(arguments, shape, sql, 1, &task, &is_none);
    return is_none ? database_no_task(arguments, task) : code;
}

int database_no_task(const struct arguments *arguments, const char *task)
{
    const char *parameters[] = {task};
    PGconn *connection = NULL;
    PGresult *result = NULL;
    int code = database_open(arguments, &connection);
    if (code == EXIT_DONE) {
        code = database_ask(arguments, connection,
                            "select status, ended_at, archive, directory from tender.archived_task "
                            "where task_id = $1::uuid",
                            1, parameters, &result);
    }
    if (code == EXIT_DONE && PQntuples(result) == 1) {
        code = command_fail(arguments, EXIT_REFUSED,
                            "task %s is archived: %s at %s; its record is in the archive %s, "
                            "written to %s",
                            task, PQgetvalue(result, 0, 0), PQgetvalue(result, 0, 1),
                            PQgetvalue(result, 0, 2), PQgetvalue(result, 0, 3));
    } else if (code == EXIT_DONE) {
        code = command_fail(arguments, EXIT_REFUSED, "there is no task %s", task);
    }
    PQclear(result);
    PQfinish(connection);
    return code;
}

int64_t database_number(const PGresult *result, int row, int column)
{
    return PQgetisnull(result, row, column) ? 0
                                            : strtoll(PQgetvalue(result, row, column), NULL, 10);
}

bool database_hex(const PGresult *result, int row, int column, uint8_t *bytes_out, size_t size)
{
    const char *hex = PQgetvalue(result, row, column);
    size_t read = 0;
    return sodium_hex2bin(bytes_out, size, hex, strlen(hex), NULL, &read, NULL) == 0 &&
           read == size;
}

int64_t database_micro(const PGresult *result, int row, int column)
{
    int64_t micro = 0;
    if (PQgetisnull(result, row, column) ||
        value_read_credits(PQgetvalue(result, row, column), &micro) < 0) {
        return 0;
    }
    return micro;
}
