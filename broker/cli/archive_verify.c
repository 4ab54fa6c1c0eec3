/* tender ledger verify --archive: the archives, and what the ledger has recorded of them. */
#include "archive.h"

#include "database.h"

#include <inttypes.h>

static const char sql_archives[] =
    "select a.archive, a.tasks, a.entries, a.root, a.manifest_sha256 from tender.archive a "
    "where $1::uuid is null or a.archive = (select t.archive from tender.archived_task t "
    "where t.task_id = $1) order by a.since_at";

static int verify_one(const struct arguments *arguments, const PGresult *result, int row,
                      const tender_id *task, const struct archive_sink *sink)
{
    char path[ARCHIVE_PATH_MAX];
    char head[CHAIN_HEX_MAX];
    struct archive_proof proof = {0};
    struct archive_found found;
    snprintf(path, sizeof(path), "%s/tender-%s", argument_text(arguments, "archive"),
             PQgetvalue(result, row, 0));
    int code = archive_read(arguments, path, task, sink, &proof, &found);
    if (code != EXIT_DONE) {
        return code;
    }
    if (!chain_is_hex(&proof.root, PQgetvalue(result, row, 3)) ||
        !chain_is_hex(&proof.manifest, PQgetvalue(result, row, 4)) ||
        (uint64_t)database_number(result, row, 1) != proof.tasks ||
        (uint64_t)database_number(result, row, 2) != proof.entries) {
        return command_fail(arguments, EXIT_OTHERWISE, "%s is whole, but not what left the ledger",
                            path);
    }
    if (task == NULL) {
        printf("%s: %" PRIu64 " entries of %" PRIu64 " tasks, every chain is whole, and it is what "
               "left the ledger\n",
               PQgetvalue(result, row, 0), proof.entries, proof.tasks);
        return EXIT_DONE;
    }
    chain_hex(&found.head, head);
    if (found.entries == 0) {
        return command_fail(arguments, EXIT_OTHERWISE, "%s does not have the task", path);
    }
    printf("%" PRIu64 " entries in the archive %s, the chain is whole; its head is %s\n",
           found.entries, PQgetvalue(result, row, 0), head);
    return EXIT_DONE;
}

int archive_verify(const struct arguments *arguments, const struct archive_sink *sink,
                   bool *is_done_out)
{
    const struct value *task = operand(arguments, 0);
    const char *parameters[] = {task->is_set ? task->text : NULL};
    PGconn *connection = NULL;
    PGresult *result = NULL;
    int code = database_open(arguments, &connection);
    if (code == EXIT_DONE) {
        code = database_ask(arguments, connection, sql_archives, 1, parameters, &result);
    }
    for (int row = 0; code == EXIT_DONE && row < PQntuples(result); row++) {
        code = verify_one(arguments, result, row, task->is_set ? &task->id : NULL, sink);
    }
    *is_done_out = task->is_set && PQntuples(result) > 0;
    PQclear(result);
    PQfinish(connection);
    return code;
}
