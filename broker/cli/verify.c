/* tender verify: one snapshot, slices of it for the workers, and the verdict. See verify.h. */
#include "verify.h"

#include "commands.h"
#include "database.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TASKS_AT_ONCE "5000"
#define FAULTS_SHOWN  100

void verify_fault(struct verify *verify, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&verify->lock);
    if (verify->faults++ < FAULTS_SHOWN) {
        fprintf(stderr, "%s\n", text);
    }
    pthread_mutex_unlock(&verify->lock);
}

/* Every identifier is in one slice of each shard: the house, and tasks between every so-manieth. */
static const char sql_slices[] =
    "with edge as (select s.shard::int2 as shard, t.task_id from generate_series(0, "
    "tender_ledger.shard_count() - 1) s (shard) cross join lateral (select f.task_id from (select "
    "k.task_id, row_number() over (order by k.task_id) as place from tender_ledger.task k where "
    "k.shard = s.shard) f where f.place % " TASKS_AT_ONCE " = 0 "
    "union all select '00000000-0000-0000-0000-000000000000' "
    "union all select '00000000-0000-0000-0000-000000000001') t) "
    "select e.shard, e.task_id, coalesce(lead(e.task_id) over w, "
    "'ffffffff-ffff-ffff-ffff-ffffffffffff'), lead(e.task_id) over w is null from edge e "
    "window w as (partition by e.shard order by e.task_id) order by 1, 2";

static int cut(struct verify *verify)
{
    PGresult *result = NULL;
    int code = database_ask(verify->arguments, verify->connection, sql_slices, 0, NULL, &result);
    if (code != EXIT_DONE) {
        return code;
    }
    verify->slice_count = (size_t)PQntuples(result);
    verify->slices = calloc(verify->slice_count, sizeof(*verify->slices));
    if (verify->slices == NULL) {
        PQclear(result);
        return command_fail(verify->arguments, EXIT_OTHERWISE, "out of memory");
    }
    for (int row = 0; row < PQntuples(result); row++) {
        struct verify_slice *slice = &verify->slices[row];
        slice->shard = (uint32_t)database_number(result, row, 0);
        slice->is_last = strcmp(PQgetvalue(result, row, 3), "t") == 0;
        (void)!tender_id_parse(PQgetvalue(result, row, 1), TENDER_ID_TEXT_SIZE - 1, &slice->from);
        (void)!tender_id_parse(PQgetvalue(result, row, 2), TENDER_ID_TEXT_SIZE - 1, &slice->to);
    }
    PQclear(result);
    return EXIT_DONE;
}

/* Another slice for each shard of each archive. */
static const char *take_archived(void *context, int64_t shard, const struct stored *stored)
{
    struct verify *verify = context;
    struct verify_slice *slice = &verify->slices[verify->slice_count - 1];
    bool is_same =
        verify->has_archives && slice->shard == (uint32_t)shard && slice->count > 0 &&
        memcmp(&slice->entries[slice->count - 1].task, &stored->task, sizeof(stored->task)) <= 0;
    if (!is_same) {
        slice = realloc(verify->slices, (verify->slice_count + 1) * sizeof(*slice));
        if (slice == NULL) {
            return "has no room in memory";
        }
        verify->slices = slice;
        slice += verify->slice_count++;
        *slice =
            (struct verify_slice){.shard = (uint32_t)shard, .from = stored->task, .is_last = true};
    }
    verify->has_archives = true;
    verify->read++;
    return verify_add(slice, stored) ? NULL : "has no room in memory";
}

static int read_archives(struct verify *verify)
{
    const struct archive_sink sink = {take_archived, verify};
    bool is_done = false;
    if (!argument(verify->arguments, "archive")->is_set) {
        return EXIT_DONE;
    }
    int code = archive_verify(verify->arguments, &sink, &is_done);
    verify->has_archives = true;
    return code;
}

static int take_snapshot(struct verify *verify)
{
    PGresult *result = NULL;
    int code = database_open_snapshot(verify->arguments, &verify->connection);
    if (code == EXIT_DONE) {
        code = database_ask(verify->arguments, verify->connection, "select pg_export_snapshot()", 0,
                            NULL, &result);
    }
    if (code == EXIT_DONE) {
        snprintf(verify->snapshot, sizeof(verify->snapshot), "%s", PQgetvalue(result, 0, 0));
    }
    PQclear(result);
    return code;
}

/* Whose the keys are that have signed, as the ledger has it. */
static int tell_signers(const struct verify *verify)
{
    PGresult *result = NULL;
    int code = database_ask(verify->arguments, verify->connection,
                            "select distinct k.broker, 'ed25519:' || encode(k.key, 'hex') from "
                            "tender_ledger.broker_key k "
                            "where exists (select from tender_ledger.checkpoint c where c.shard = "
                            "k.shard and c.key = k.key) "
                            "order by 1, 2",
                            0, NULL, &result);
    for (int row = 0; row < PQntuples(result); row++) {
        printf("signed by the broker %s with %s\n", PQgetvalue(result, row, 0),
               PQgetvalue(result, row, 1));
    }
    PQclear(result);
    return code;
}

static int tell(const struct verify *verify)
{
    if (verify->faults > 0) {
        return command_fail(verify->arguments, EXIT_OTHERWISE,
                            "%" PRIu64 " faults in %" PRIu64 " entries of %" PRIu64 " batches",
                            verify->faults, verify->read, verify->batches);
    }
    printf("%" PRIu64 " entries, every chain is whole; %" PRIu64 " batches, every tree is whole; "
           "%" PRIu64 " checkpoints, every one is %s\n",
           verify->read, verify->batches, verify->checkpoints,
           argument(verify->arguments, "key")->is_set ? "signed by the key"
                                                      : "signed by the key of a broker");
    if (verify->elsewhere > 0) {
        printf("%" PRIu64 " batches have entries that left for archives: their roots stand as they "
               "are\n",
               verify->elsewhere);
    }
    if (verify->unbatched > 0) {
        printf("%" PRIu64 " entries are from before there was a tree\n", verify->unbatched);
    }
    return tell_signers(verify);
}

int run_verify(const struct arguments *arguments)
{
    struct verify verify = {.arguments = arguments, .lock = PTHREAD_MUTEX_INITIALIZER};
    uint8_t key[TENDER_PUBLIC_KEY_SIZE];
    const char *name = argument_text(arguments, "key");
    if (name != NULL && tender_key_parse(name, strlen(name), key) != 0) {
        return command_fail(arguments, EXIT_BAD_INPUT, "'%s' is no public key", name);
    }
    if (operand(arguments, 0)->is_set) {
        return verify_file(arguments, operand(arguments, 0)->text, name == NULL ? NULL : key);
    }
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int code = take_snapshot(&verify);
    if (code == EXIT_DONE) {
        code = cut(&verify);
    }
    if (code == EXIT_DONE) {
        code = verify_read(&verify, cores > 1 ? (size_t)cores : 1);
    }
    if (code == EXIT_DONE) {
        code = read_archives(&verify);
    }
    if (code == EXIT_DONE) {
        code = verify_trees(&verify);
    }
    for (size_t i = 0; i < verify.slice_count; i++) {
        free(verify.slices[i].entries);
    }
    free(verify.slices);
    code = code == EXIT_DONE ? tell(&verify) : code;
    PQfinish(verify.connection);
    return code;
}
