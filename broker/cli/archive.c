/*
 * tender ledger archive: what is over leaves the ledger by whole partitions, each step of which may
 * be broken off and taken again.
 *
 *   live      written to files, read back and proven          -> exported
 *   exported  its tables detached, beside all live work       -> detached
 *   detached  rows beside its tasks swept, its tables dropped -> archived
 */
#include "archive.h"

#include "commands.h"
#include "database.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_AT_ONCE "2000"
#define LOCK_KEY     "1413828422"

struct run {
    const struct arguments *arguments;
    PGconn *connection;
    const char *directory;
    const char *until; /* the state to stop at */
};

static int same_proof(const struct run *run, const struct archive_proof *written,
                      const struct archive_proof *read)
{
    return memcmp(written, read, sizeof(*read)) == 0
               ? EXIT_DONE
               : command_fail(run->arguments, EXIT_OTHERWISE,
                              "what was read back is not what was written");
}

static int export(const struct run *run, const struct part *part)
{
    struct archive_proof proof = {0};
    struct archive_proof read = {0};
    struct archive_found found;
    char path[ARCHIVE_PATH_MAX];
    char numbers[2][24];
    char hex[2][CHAIN_HEX_MAX];
    int code = archive_write(run->arguments, run->connection, part, run->directory, &proof);
    snprintf(path, sizeof(path), "%s/tender-%s", run->directory, part->suffix);
    if (code == EXIT_DONE) {
        code = archive_read(run->arguments, path, NULL, NULL, &read, &found);
    }
    if (code == EXIT_DONE) {
        code = same_proof(run, &proof, &read);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    snprintf(numbers[0], sizeof(numbers[0]), "%" PRIu64, proof.tasks);
    snprintf(numbers[1], sizeof(numbers[1]), "%" PRIu64, proof.entries);
    chain_hex(&proof.root, hex[0]);
    chain_hex(&proof.manifest, hex[1]);
    const char *parameters[] = {part->from_id, numbers[0], numbers[1], hex[0], hex[1], path};
    return database_tell(run->arguments, run->connection,
                         "select tender_ledger.prove_partition($1, $2, $3, decode($4, 'hex'), "
                         "decode($5, 'hex'), $6)",
                         6, parameters);
}

/* One after the other; each waits for transactions that began before, and hinders none. */
static int detach(const struct run *run, const struct part *part)
{
    const char *parameters[] = {part->from_id};
    char sql[512];
    PGresult *tables = NULL;
    int code = database_ask(run->arguments, run->connection,
                            "select parent, name, place from tender_ledger.partition_tables($1)", 1,
                            parameters, &tables);
    for (int row = 0; code == EXIT_DONE && row < PQntuples(tables); row++) {
        const char *place = PQgetvalue(tables, row, 2);
        if (strcmp(place, "detached") == 0) {
            continue;
        }
        snprintf(sql, sizeof(sql),
                 "alter table tender_ledger.%s detach partition tender_ledger.%s %s",
                 PQgetvalue(tables, row, 0), PQgetvalue(tables, row, 1),
                 strcmp(place, "pending") == 0 ? "finalize" : "concurrently");
        code = database_tell(run->arguments, run->connection, sql, 0, NULL);
    }
    PQclear(tables);
    PGresult *sealed = NULL;
    if (code == EXIT_DONE) {
        code = database_ask(run->arguments, run->connection,
                            "select tender_ledger.seal_partition($1)", 1, parameters, &sealed);
    }
    if (code == EXIT_DONE && strcmp(PQgetvalue(sealed, 0, 0), "t") != 0) {
        code = command_fail(run->arguments, EXIT_OTHERWISE,
                            "a task of %s was added to meanwhile; run it again", part->suffix);
    }
    PQclear(sealed);
    return code;
}

static int sweep(const struct run *run, const struct part *part)
{
    const char *parameters[] = {part->from_id};
    bool is_over = false;
    int code = EXIT_DONE;
    while (code == EXIT_DONE && !is_over) {
        PGresult *result = NULL;
        code = database_ask(
            run->arguments, run->connection,
            "select coalesce(sum(tender_ledger.sweep_partition($1, r.shard, " ROWS_AT_ONCE
            ")), 0) from tender_ledger.reign r",
            1, parameters, &result);
        is_over = code == EXIT_DONE && strcmp(PQgetvalue(result, 0, 0), "0") == 0;
        PQclear(result);
    }
    return code == EXIT_DONE
               ? database_tell(run->arguments, run->connection,
                               "select tender_ledger.drop_partition($1)", 1, parameters)
               : code;
}

/* Takes the partition from the state that it is in as far as is asked for. */
static int retire(const struct run *run, const struct part *part, const char *state)
{
    static const struct {
        const char *from;
        int (*step)(const struct run *run, const struct part *part);
    } steps[] = {{"live", export}, {"exported", detach}, {"detached", sweep}};
    int code = EXIT_DONE;
    bool has_begun = false;
    for (size_t i = 0; code == EXIT_DONE && i < sizeof(steps) / sizeof(steps[0]); i++) {
        has_begun = has_begun || strcmp(state, steps[i].from) == 0;
        if (has_begun && strcmp(run->until, steps[i].from) == 0) {
            break;
        }
        code = has_begun ? steps[i].step(run, part) : EXIT_DONE;
    }
    return code;
}

static int retire_all(const struct run *run, const PGresult *due)
{
    int code = EXIT_DONE;
    for (int row = 0; code == EXIT_DONE && row < PQntuples(due); row++) {
        const struct part part = {.suffix = PQgetvalue(due, row, 0),
                                  .since = PQgetvalue(due, row, 1),
                                  .until = PQgetvalue(due, row, 2),
                                  .from_id = PQgetvalue(due, row, 3),
                                  .to_id = PQgetvalue(due, row, 4)};
        if (!PQgetisnull(due, row, 6)) {
            fprintf(stderr, "%s waits for task %s: %s\n", part.suffix, PQgetvalue(due, row, 6),
                    PQgetvalue(due, row, 7));
            continue;
        }
        code = retire(run, &part, PQgetvalue(due, row, 5));
        if (code == EXIT_DONE) {
            printf("%s %s\n", part.suffix, run->until);
        }
    }
    return code;
}

static int forget(const struct run *run)
{
    char seconds[32];
    snprintf(seconds, sizeof(seconds), "%" PRId64,
             argument_number(run->arguments, "forget") / 1000000);
    const char *parameters[] = {seconds};
    int64_t count = 0;
    bool is_over = !argument(run->arguments, "forget")->is_set;
    int code = EXIT_DONE;
    while (code == EXIT_DONE && !is_over) {
        PGresult *result = NULL;
        code = database_ask(run->arguments, run->connection,
                            "select tender_ledger.forget_tasks(clock_timestamp() - $1::bigint * "
                            "interval '1 second', " ROWS_AT_ONCE ")",
                            1, parameters, &result);
        int64_t some = code == EXIT_DONE ? database_number(result, 0, 0) : 0;
        count += some;
        is_over = some == 0;
        PQclear(result);
    }
    if (code == EXIT_DONE && count > 0) {
        printf("%" PRId64 " tasks forgotten\n", count);
    }
    return code;
}

/* One at a time; the lock goes with the connection. */
static int lock(const struct run *run)
{
    PGresult *result = NULL;
    int code = database_ask(run->arguments, run->connection,
                            "select pg_try_advisory_lock(" LOCK_KEY "), "
                            "set_config('lock_timeout', '10s', false)",
                            0, NULL, &result);
    if (code == EXIT_DONE && strcmp(PQgetvalue(result, 0, 0), "t") != 0) {
        code = command_fail(run->arguments, EXIT_REFUSED, "another one is at work");
    }
    PQclear(result);
    return code;
}

int run_ledger_archive(const struct arguments *arguments)
{
    struct run run = {.arguments = arguments, .until = argument_text(arguments, "stop-at")};
    char seconds[32];
    char directory[PATH_MAX];
    PGresult *due = NULL;
    bool is_dry = argument(arguments, "dry-run")->is_set;
    snprintf(seconds, sizeof(seconds), "%" PRId64,
             argument_number(arguments, "older-than") / 1000000);
    const char *parameters[] = {seconds};
    run.directory = realpath(argument_text(arguments, "to"), directory);
    if (run.directory == NULL) {
        return command_fail(arguments, EXIT_BAD_INPUT, "%s: %s", argument_text(arguments, "to"),
                            strerror(errno));
    }
    int code = database_open(arguments, &run.connection);
    if (code == EXIT_DONE) {
        code = lock(&run);
    }
    if (code == EXIT_DONE) {
        code = database_ask(arguments, run.connection,
                            "select * from tender_ledger.due_partitions(clock_timestamp() - "
                            "$1::bigint * interval '1 second')",
                            1, parameters, &due);
    }
    if (code == EXIT_DONE && is_dry) {
        code = database_print(arguments, due, OUTPUT_LIST);
    } else if (code == EXIT_DONE) {
        code = retire_all(&run, due);
    }
    if (code == EXIT_DONE && !is_dry) {
        code = forget(&run);
    }
    PQclear(due);
    PQfinish(run.connection);
    return code;
}
