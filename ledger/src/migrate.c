/*
 * Brings a database to the schema that this program speaks, and compares the versions of the two.
 * The SQL is embedded.
 *
 * One lock keeps a second migrator waiting. Migrations that the database lacks, then functions and
 * views, then the vocabularies are one transaction, so that a broker at work finds the schema of
 * before or that of after; a migration that begins with "-- Alone:" is committed by itself, before
 * the ones behind it. No statement waits long for a table, since all work queues up behind one that
 * does: it gives way, and the transaction is tried again. A migration that was applied keeps its
 * bytes; a database that is newer than the program is left alone.
 */
#include "private.h"

#include "sql.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECKSUM_SIZE 65
#define ATTEMPTS      20
#define PAUSE_NS      250000000 /* between attempts: those who waited behind us come first */

/* `version`: of the database, as of the last commit. */
struct migration {
    PGconn *connection;
    int32_t version;
    void (*on_step)(void *context, int32_t version, const char *name);
    void *context;
    char *error;
    size_t error_size;
    bool gave_way; /* the last statement that failed waited too long for a lock */
};

int schema_fail(char *error, size_t error_size, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, error_size, format, arguments);
    va_end(arguments);
    error[strcspn(error, "\n")] = '\0';
    return status;
}

static void digest_text(tender_digest digest, char text_out[CHECKSUM_SIZE])
{
    for (size_t i = 0; i < sizeof digest.bytes; i++) {
        snprintf(text_out + 2 * i, 3, "%02x", digest.bytes[i]);
    }
}

static void checksum(const char *text, char text_out[CHECKSUM_SIZE])
{
    digest_text(entry_digest((tender_bytes){text, strlen(text)}), text_out);
}

/* Over the digests of all functions and views. */
static void routines_checksum(char text_out[CHECKSUM_SIZE])
{
    static const struct sql_file *const sets[] = {sql_functions, sql_views};
    struct {
        tender_digest before;
        tender_digest file;
    } chain = {0};
    for (size_t i = 0; i < 2; i++) {
        for (const struct sql_file *file = sets[i]; file->name != NULL; file++) {
            chain.file = entry_digest((tender_bytes){file->text, strlen(file->text)});
            chain.before = entry_digest((tender_bytes){&chain, sizeof chain});
        }
    }
    digest_text(chain.before, text_out);
}

static int32_t version_of(const struct sql_file *file)
{
    return (int32_t)strtol(file->name, NULL, 10);
}

static int32_t known_version(void)
{
    int32_t version = 0;
    for (const struct sql_file *file = sql_migrations; file->name != NULL; file++) {
        version = version_of(file);
    }
    return version;
}

int schema_compare(PGconn *connection, struct ledger_schema *schema_out, bool *routines_match_out,
                   char *error, size_t error_size)
{
    char routines[CHECKSUM_SIZE];
    routines_checksum(routines);
    *schema_out = (struct ledger_schema){.version = 0, .known = known_version()};
    *routines_match_out = false;
    PGresult *result =
        PQexec(connection, "select to_regprocedure('tender_ledger.schema_version()') is not null");
    bool is_there = PQntuples(result) == 1 && PQgetvalue(result, 0, 0)[0] == 't';
    int status = PQresultStatus(result) == PGRES_TUPLES_OK ? 0 : TENDER_EDATABASE;
    if (status == 0 && is_there) {
        PQclear(result);
        result = PQexec(connection, "select version, routines from tender_ledger.schema_version()");
        status = PQresultStatus(result) == PGRES_TUPLES_OK ? 0 : TENDER_EDATABASE;
        if (PQntuples(result) == 1) {
            schema_out->version = (int32_t)strtol(PQgetvalue(result, 0, 0), NULL, 10);
            *routines_match_out = strcmp(PQgetvalue(result, 0, 1), routines) == 0;
        }
    }
    if (status != 0) {
        (void)schema_fail(error, error_size, 0, "schema: %s", PQerrorMessage(connection));
    }
    PQclear(result);
    return status;
}

int schema_open(const char *database, PGconn **connection_out, char *error, size_t error_size)
{
    *connection_out = NULL;
    int status = ledger_database_show(database, error, error_size);
    if (status != 0) {
        return status;
    }
    *connection_out = schema_connect(database, "tender", false, 0);
    if (*connection_out == NULL) {
        return schema_fail(error, error_size, TENDER_ENOMEM, "out of memory");
    }
    if (PQstatus(*connection_out) != CONNECTION_OK) {
        return schema_fail(error, error_size, TENDER_EDATABASE, "cannot connect: %s",
                           PQerrorMessage(*connection_out));
    }
    return 0;
}

int ledger_schema(const char *database, struct ledger_schema *schema_out, char *error,
                  size_t error_size)
{
    PGconn *connection = NULL;
    bool routines_match;
    *schema_out = (struct ledger_schema){.version = 0, .known = known_version()};
    int status = schema_open(database, &connection, error, error_size);
    if (status == 0) {
        status = schema_compare(connection, schema_out, &routines_match, error, error_size);
    }
    PQfinish(connection);
    return status;
}

static int run(struct migration *migration, const char *name, const char *text)
{
    PGresult *result = PQexec(migration->connection, text);
    ExecStatusType outcome = PQresultStatus(result);
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    migration->gave_way =
        state != NULL && (strcmp(state, "55P03") == 0 || strcmp(state, "40P01") == 0);
    PQclear(result);
    if (outcome == PGRES_COMMAND_OK || outcome == PGRES_TUPLES_OK) {
        return 0;
    }
    return schema_fail(migration->error, migration->error_size, TENDER_EDATABASE, "%s: %s%s", name,
                       migration->gave_way ? "something long holds a table that it needs; "
                                             "run it again when that is over: "
                                           : "",
                       PQerrorMessage(migration->connection));
}

static int record(const struct migration *migration, int32_t version, const char *name,
                  const char *sum)
{
    char number[16];
    snprintf(number, sizeof number, "%d", version);
    const char *const values[] = {number, name, sum};
    PGresult *result = PQexecParams(
        migration->connection,
        "insert into tender_ledger.migration (version, name, checksum) values ($1, $2, $3) "
        "on conflict on constraint migration_is_applied_once "
        "do update set checksum = excluded.checksum, applied_at = excluded.applied_at",
        3, NULL, values, NULL, NULL, 0);
    int status = PQresultStatus(result) == PGRES_COMMAND_OK ? 0 : TENDER_EDATABASE;
    PQclear(result);
    return status == 0 ? 0
                       : schema_fail(migration->error, migration->error_size, status, "%s: %s",
                                     name, PQerrorMessage(migration->connection));
}

/* A migration that the database has must be the one that this program carries. */
static int verify(const struct migration *migration, int32_t version, const char *name,
                  const char *sum)
{
    char number[16];
    snprintf(number, sizeof number, "%d", version);
    const char *const values[] = {number};
    PGresult *result = PQexecParams(
        migration->connection, "select checksum from tender_ledger.migration where version = $1", 1,
        NULL, values, NULL, NULL, 0);
    bool matches = PQntuples(result) == 1 && strcmp(PQgetvalue(result, 0, 0), sum) == 0;
    PQclear(result);
    return matches
               ? 0
               : schema_fail(migration->error, migration->error_size, TENDER_ESCHEMA,
                             "%s was applied with other bytes than this program carries: use the "
                             "release that made this database, or a new database",
                             name);
}

static bool is_alone(const struct sql_file *file)
{
    static const char mark[] = "-- Alone:";
    return file->name != NULL && strncmp(file->text, mark, strlen(mark)) == 0;
}

/* The files that the database has, compared. *next_out: the first that it lacks. */
static int verify_files(const struct migration *migration, const struct sql_file **next_out)
{
    const struct sql_file *file = sql_migrations;
    int status = 0;
    for (; status == 0 && file->name != NULL && version_of(file) <= migration->version; file++) {
        char sum[CHECKSUM_SIZE];
        checksum(file->text, sum);
        status = verify(migration, version_of(file), file->name, sum);
    }
    *next_out = file;
    return status;
}

static int replace_routines(struct migration *migration)
{
    static const struct sql_file *const sets[] = {sql_functions, sql_views};
    int status = run(migration, "settings", "set local check_function_bodies = off");
    for (size_t i = 0; i < 2; i++) {
        for (const struct sql_file *file = sets[i]; status == 0 && file->name != NULL; file++) {
            status = run(migration, file->name, file->text);
        }
    }
    char sum[CHECKSUM_SIZE];
    routines_checksum(sum);
    return status == 0 ? record(migration, 0, "functions and views", sum) : status;
}

/*
 * What one transaction has: the files from `first` to before `end`, and behind the last file all
 * that is made anew.
 */
struct step {
    const struct sql_file *first;
    const struct sql_file *end;
    bool has_routines;
};

static int run_step(struct migration *migration, const struct step *step)
{
    int status =
        run(migration, "begin",
            "begin; set local client_min_messages = warning; set local lock_timeout = '1s'");
    if (status == 0 && migration->version > 0) {
        status = run(migration, "role", "set local role tender_owner");
    }
    for (const struct sql_file *file = step->first; status == 0 && file != step->end; file++) {
        char sum[CHECKSUM_SIZE];
        checksum(file->text, sum);
        status = run(migration, file->name, file->text);
        if (status == 0) {
            status = record(migration, version_of(file), file->name, sum);
        }
    }
    if (status == 0 && step->has_routines) {
        status = replace_routines(migration);
    }
    if (status == 0 && step->end->name == NULL) {
        status = words_write(migration->connection, migration->error, migration->error_size);
    }
    return status == 0 ? run(migration, "commit", "commit") : status;
}

static int try_step(struct migration *migration, const struct step *step)
{
    static const struct timespec pause = {.tv_nsec = PAUSE_NS};
    int status = run_step(migration, step);
    for (int i = 1; status != 0 && migration->gave_way && i < ATTEMPTS; i++) {
        PQclear(PQexec(migration->connection, "rollback"));
        nanosleep(&pause, NULL);
        status = run_step(migration, step);
    }
    if (status != 0) {
        return status;
    }
    migration->error[0] = '\0'; /* of an attempt that gave way */
    for (const struct sql_file *file = step->first; file != step->end; file++) {
        migration->version = version_of(file);
        if (migration->on_step != NULL) {
            migration->on_step(migration->context, migration->version, file->name);
        }
    }
    if (step->has_routines && migration->on_step != NULL) {
        migration->on_step(migration->context, 0, "functions and views");
    }
    return 0;
}

static int migrate(struct migration *migration)
{
    struct ledger_schema schema;
    bool routines_match;
    const struct sql_file *next = NULL;
    int status = run(migration, "lock", "select pg_advisory_lock(1413828420)");
    if (status == 0) {
        status = schema_compare(migration->connection, &schema, &routines_match, migration->error,
                                migration->error_size);
    }
    if (status != 0) {
        return status;
    }
    if (schema.version > schema.known) {
        return schema_fail(
            migration->error, migration->error_size, TENDER_ESCHEMA,
            "the schema has version %d and this program knows %d: use a newer program",
            schema.version, schema.known);
    }
    migration->version = schema.version;
    bool has_routines = !routines_match || schema.version < schema.known;
    status = verify_files(migration, &next);
    bool is_over = false;
    while (status == 0 && !is_over) {
        struct step step = {.first = next, .end = next};
        do {
            step.end += step.end->name != NULL;
        } while (step.end->name != NULL && !is_alone(step.end) && !is_alone(step.end - 1));
        is_over = step.end->name == NULL;
        step.has_routines = is_over && has_routines;
        status = try_step(migration, &step);
        next = step.end;
    }
    return status;
}

int ledger_migrate(const char *database,
                   void (*on_step)(void *context, int32_t version, const char *name), void *context,
                   char *error, size_t error_size)
{
    struct migration migration = {
        .on_step = on_step, .context = context, .error = error, .error_size = error_size};
    int status = schema_open(database, &migration.connection, error, error_size);
    if (status == 0) {
        status = migrate(&migration);
    }
    PQfinish(migration.connection); /* rolls back what was not committed */
    return status;
}
