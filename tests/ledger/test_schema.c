/*
 * Goal: the schema and the program are in step, in both directions.
 * Method: migrate twice, tamper with what was applied, describe every statement and compare it with
 * its row, and compare the vocabularies.
 */
#include "support.h"

#include "../../ledger/src/statements.h"
#include "baseline.h"

#include <libpq-fe.h>
#include <sys/wait.h>
#include <unistd.h>

static char error[256];

static int migrate(void)
{
    error[0] = '\0';
    return ledger_migrate(getenv("TENDER_DATABASE"), NULL, NULL, error, sizeof error);
}

static void count_step(void *context, int32_t version, const char *name)
{
    (void)version;
    (void)name;
    ++*(int *)context;
}

static void empty_database_is_not_spoken_to(void **state)
{
    (void)state;
    struct ledger *ledger = NULL;
    struct ledger_options options = {.database = getenv("TENDER_DATABASE"), .broker = "test"};
    struct ledger_schema schema;
    assert_int_equal(ledger_schema(options.database, &schema, error, sizeof error), 0);
    assert_int_equal(schema.version, 0);
    assert_int_equal(ledger_open(&options, &ledger), TENDER_ESCHEMA);
    assert_non_null(strstr(ledger_last_error(ledger), "tender ledger migrate"));
    ledger_close(ledger);
}

/* The second waits for the first, and finds nothing to do. */
static void two_migrators_do_not_race(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        _exit(migrate() == 0 ? 0 : 1);
    }
    int status = migrate();
    int child_status = 1;
    assert_int_equal(waitpid(child, &child_status, 0), child);
    assert_string_equal(error, "");
    assert_int_equal(status, 0);
    assert_int_equal(child_status, 0);
}

static void migrating_twice_changes_nothing(void **state)
{
    (void)state;
    int steps = 0;
    struct ledger_schema schema;
    const char *database = getenv("TENDER_DATABASE");
    assert_int_equal(ledger_schema(database, &schema, error, sizeof error), 0);
    assert_int_equal(schema.version, schema.known);
    assert_int_equal(schema.version, atoi(sql("select count(*) from tender_ledger.migration")) - 1);
    assert_int_equal(ledger_migrate(database, count_step, &steps, error, sizeof error), 0);
    assert_int_equal(steps, 0);
}

static void newer_schema_is_refused(void **state)
{
    (void)state;
    struct ledger *ledger = NULL;
    struct ledger_options options = {.database = getenv("TENDER_DATABASE"), .broker = "test"};
    (void)sql("insert into tender_ledger.migration values (9999, '9999_future.sql', 'x')");
    assert_int_equal(migrate(), TENDER_ESCHEMA);
    assert_int_equal(ledger_open(&options, &ledger), TENDER_ESCHEMA);
    assert_non_null(strstr(ledger_last_error(ledger), "newer program"));
    ledger_close(ledger);
    (void)sql("delete from tender_ledger.migration where version = 9999");
    assert_int_equal(migrate(), 0);
}

static void migration_that_changed_after_it_was_applied_is_refused(void **state)
{
    (void)state;
    (void)sql("update tender_ledger.migration set checksum = reverse(checksum) where version = 3");
    assert_int_equal(migrate(), TENDER_ESCHEMA);
    assert_non_null(strstr(error, "0003_"));
    (void)sql("update tender_ledger.migration set checksum = reverse(checksum) where version = 3");
    assert_int_equal(migrate(), 0);
}

static void other_functions_are_refused_and_replaced(void **state)
{
    (void)state;
    struct ledger *ledger = NULL;
    struct ledger_options options = {.database = getenv("TENDER_DATABASE"), .broker = "test"};
    (void)sql("update tender_ledger.migration set checksum = 'x' where version = 0");
    assert_int_equal(ledger_open(&options, &ledger), TENDER_ESCHEMA);
    ledger_close(ledger);
    assert_int_equal(migrate(), 0);
    assert_int_equal(ledger_open(&options, &ledger), 0);
    ledger_close(ledger);
}

/* A reader holds a view that is made anew: the migration gives way to who comes behind it. */
static void migration_gives_way_and_comes_back(void **state)
{
    (void)state;
    int child_status = 1;
    PGconn *reader = PQconnectdb(getenv("TENDER_DATABASE"));
    (void)sql("update tender_ledger.migration set checksum = 'x' where version = 0");
    PQclear(PQexec(reader, "begin; lock table tender.task in access share mode"));
    pid_t child = fork();
    if (child == 0) {
        _exit(migrate() == 0 && error[0] == '\0' ? 0 : 1);
    }
    const char *waits = "select count(*) from pg_locks where not granted and "
                        "relation = 'tender.task'::regclass";
    while (strcmp(sql("%s", waits), "1") != 0) {
    }
    while (strcmp(sql("%s", waits), "0") != 0) { /* its patience ends, the reader's does not */
    }
    PQclear(PQexec(reader, "select count(*) from tender.task"));
    assert_int_equal(PQtransactionStatus(reader), PQTRANS_INTRANS);
    PQclear(PQexec(reader, "commit"));
    PQfinish(reader);
    assert_int_equal(waitpid(child, &child_status, 0), child);
    assert_int_equal(child_status, 0);
}

/* What a broker writes while functions and views are made anew is refused for no moment. */
static void work_goes_on_beside_a_migration(void **state)
{
    (void)state;
    struct house house;
    int64_t longest_us = 0;
    int batches = 0;
    house_open(&house, "beside");
    house_fund(&house, "acme", 100000 * CREDIT);
    assert_committed(&house);
    for (int i = 0; i < 3; i++) {
        int child_status = 1;
        (void)sql("update tender_ledger.migration set checksum = 'x' where version = 0");
        pid_t child = fork();
        if (child == 0) {
            _exit(migrate() == 0 ? 0 : 1);
        }
        do {
            struct chain chain = {0};
            char key[32];
            int64_t began_us = monotonic_us();
            snprintf(key, sizeof key, "beside-%d", batches++);
            house_announce(&house, &chain, key, 3 * CREDIT, 2);
            house_open_round(&house, &chain, 1, 3 * CREDIT, 2);
            house_answer(&house, &chain, 1);
            house_award(&house, &chain, 1, 1, CREDIT, 2);
            assert_committed(&house);
            house_fulfil(&house, &chain, 1, 2, CREDIT, 3 * CREDIT);
            assert_committed(&house);
            int64_t took_us = monotonic_us() - began_us;
            longest_us = took_us > longest_us ? took_us : longest_us;
        } while (waitpid(child, &child_status, WNOHANG) == 0);
        assert_int_equal(child_status, 0);
    }
    house_close(&house);
    print_message("%d lifecycles beside it, the longest took %lld us\n", batches,
                  (long long)longest_us);
    assert_true(longest_us < 10000000); /* it takes a second or less */
}

/* "int2 text[]" of a statement's parameters as PostgreSQL has inferred them. */
static void read_types(PGconn *connection, const PGresult *described, char *types_out, size_t size)
{
    types_out[0] = '\0';
    for (int i = 0; i < PQnparams(described); i++) {
        char query[128];
        snprintf(query, sizeof query,
                 "select ltrim(typname, '_') || case when typelem <> 0 and typname like '\\_%%' "
                 "then '[]' else '' end from pg_type where oid = %u",
                 PQparamtype(described, i));
        PGresult *result = PQexec(connection, query);
        size_t used = strlen(types_out);
        snprintf(types_out + used, size - used, "%s%s", used == 0 ? "" : " ",
                 PQgetvalue(result, 0, 0));
        PQclear(result);
    }
}

static void read_columns(const PGresult *described, char *columns_out, size_t size)
{
    columns_out[0] = '\0';
    for (int i = 0; i < PQnfields(described); i++) {
        size_t used = strlen(columns_out);
        snprintf(columns_out + used, size - used, "%s%s", used == 0 ? "" : " ",
                 PQfname(described, i));
    }
}

/* Its types are those of the row; `columns_out` [1024] receives the names of its columns. */
static void describe(PGconn *connection, const struct statement_row *row, char *columns_out)
{
    char types[1024];
    PGresult *result = PQprepare(connection, row->name, row->text, 0, NULL);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) {
        print_error("%s: %s", row->name, PQerrorMessage(connection));
    }
    assert_int_equal(PQresultStatus(result), PGRES_COMMAND_OK);
    PQclear(result);
    result = PQdescribePrepared(connection, row->name);
    read_types(connection, result, types, sizeof types);
    assert_string_equal(types, row->types);
    read_columns(result, columns_out, 1024);
    PQclear(result);
}

static void every_statement_is_as_its_row_says(void **state)
{
    (void)state;
    char columns[1024];
    PGconn *connection = PQconnectdb(getenv("TENDER_DATABASE"));
    for (int i = 0; i < STATEMENT_COUNT; i++) {
        describe(connection, &statements[i], columns);
        assert_string_equal(columns, statements[i].columns);
    }
    PQfinish(connection);
}

/* Columns may be added at the end: they are read by their places. */
static void broker_of_the_version_before_may_say_all_that_it_says(void **state)
{
    (void)state;
    char columns[1024];
    PGconn *connection = PQconnectdb(getenv("TENDER_DATABASE"));
    for (size_t i = 0; i < baseline_count; i++) {
        describe(connection, &baseline[i], columns);
        size_t size = strlen(baseline[i].columns);
        bool has_them = strncmp(columns, baseline[i].columns, size) == 0;
        if (!has_them || (columns[size] != '\0' && columns[size] != ' ')) {
            fail_msg("%s has columns %s", baseline[i].name, columns);
        }
    }
    PQfinish(connection);
}

static void every_word_of_the_program_is_in_the_database_and_no_other(void **state)
{
    (void)state;
    int count = 0;
#define X(code, NAME, name, more)                                                                  \
    assert_sql(name,                                                                               \
               "select name from tender_ledger.word where vocabulary = 'reason' and "              \
               "code = %d",                                                                        \
               code);                                                                              \
    count++;
    TENDER_REASONS(X)
#undef X
    char expected[16];
    snprintf(expected, sizeof expected, "%d", count);
    assert_sql(expected, "select count(*) from tender_ledger.word where vocabulary = 'reason'");
#define X(code, NAME, name, terminal)                                                              \
    assert_sql(terminal ? name " true" : name " false",                                            \
               "select name || ' ' || is_terminal from tender_ledger.word "                        \
               "where vocabulary = 'task_state' and code = %d",                                    \
               code);
    TENDER_TASK_STATES(X)
#undef X
    /* The checks of the tables know where the terminal states begin. */
    assert_int_equal(TENDER_TASK_DONE, 6);
    assert_int_equal(TENDER_TASK_CANCELLED, 8);
    assert_int_equal(TENDER_COMMITMENT_FULFILLED, 3);
    assert_int_equal(TENDER_COMMITMENT_CANCELLED, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_database_is_not_spoken_to),
        cmocka_unit_test(two_migrators_do_not_race),
        cmocka_unit_test(migrating_twice_changes_nothing),
        cmocka_unit_test(newer_schema_is_refused),
        cmocka_unit_test(migration_that_changed_after_it_was_applied_is_refused),
        cmocka_unit_test(other_functions_are_refused_and_replaced),
        cmocka_unit_test(migration_gives_way_and_comes_back),
        cmocka_unit_test(work_goes_on_beside_a_migration),
        cmocka_unit_test(every_statement_is_as_its_row_says),
        cmocka_unit_test(broker_of_the_version_before_may_say_all_that_it_says),
        cmocka_unit_test(every_word_of_the_program_is_in_the_database_and_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
