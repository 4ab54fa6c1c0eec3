/* The entries and their chains, read by several connections at once: see verify.h. */
#include "verify.h"

#include "database.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENTRIES CHAIN_ENTRIES "where e.shard = $1::int2 and e.task_id >= $2::uuid "
#define ORDER   "order by e.task_id, e.number"
static const char sql_some[] = ENTRIES "and e.task_id < $3::uuid " ORDER;
static const char sql_rest[] = ENTRIES "and e.task_id <= $3::uuid " ORDER;

bool verify_add(struct verify_slice *slice, const struct stored *stored)
{
    if (slice->count == slice->capacity) {
        size_t capacity = slice->capacity == 0 ? 4096 : slice->capacity * 2;
        struct verify_entry *entries = realloc(slice->entries, capacity * sizeof(*entries));
        if (entries == NULL) {
            return false;
        }
        slice->entries = entries;
        slice->capacity = capacity;
    }
    slice->entries[slice->count++] = (struct verify_entry){.task = stored->task,
                                                           .number = (uint32_t)stored->number,
                                                           .at_us = stored->at_us,
                                                           .hash = stored->hash};
    return true;
}

static int check_slice(struct verify *verify, struct verify_slice *slice, const PGresult *result)
{
    tender_digest head = {{0}};
    uint64_t number = 0;
    for (int row = 0; row < PQntuples(result); row++) {
        struct stored stored;
        bool is_whole = chain_read(result, row, &stored);
        bool is_same =
            slice->count > 0 && tender_id_equal(stored.task, slice->entries[slice->count - 1].task);
        number = is_same ? number + 1 : 1;
        head = is_same ? head : (tender_digest){{0}};
        const char *fault = is_whole ? chain_fault(&stored, number, &head) : "has no hash";
        if (fault != NULL) {
            verify_fault(verify, "shard %" PRIu32 " task %s entry %s %s", slice->shard,
                         PQgetvalue(result, row, 0), PQgetvalue(result, row, 1), fault);
            number = stored.number;
        }
        if (!verify_add(slice, &stored)) {
            return command_fail(verify->arguments, EXIT_OTHERWISE, "out of memory");
        }
    }
    return EXIT_DONE;
}

static int read_slice(struct verify *verify, PGconn *connection, struct verify_slice *slice)
{
    char shard[16];
    char ids[2][TENDER_ID_TEXT_SIZE];
    PGresult *result = NULL;
    snprintf(shard, sizeof(shard), "%" PRIu32, slice->shard);
    tender_id_format(slice->from, ids[0]);
    tender_id_format(slice->to, ids[1]);
    const char *parameters[] = {shard, ids[0], ids[1]};
    int code = database_ask(verify->arguments, connection, slice->is_last ? sql_rest : sql_some, 3,
                            parameters, &result);
    if (code == EXIT_DONE) {
        code = check_slice(verify, slice, result);
    }
    PQclear(result);
    return code;
}

/* The connection sees what the first one sees. */
static int open_worker(const struct verify *verify, PGconn **connection_out)
{
    char sql[128];
    int code = database_open_snapshot(verify->arguments, connection_out);
    if (code == EXIT_DONE) {
        snprintf(sql, sizeof(sql), "set transaction snapshot '%s'", verify->snapshot);
        code = database_tell(verify->arguments, *connection_out, sql, 0, NULL);
    }
    if (code == EXIT_DONE) {
        code = database_tell(verify->arguments, *connection_out,
                             "select set_config('work_mem', '128MB', true)", 0, NULL);
    }
    return code;
}

/* The next slice to read, once the one before is counted. NULL after the last. */
static struct verify_slice *take(struct verify *verify, const struct verify_slice *before)
{
    pthread_mutex_lock(&verify->lock);
    if (before != NULL) {
        verify->done++;
        verify->read += before->count;
        if (isatty(STDERR_FILENO)) {
            fprintf(stderr, "\r%zu of %zu slices, %" PRIu64 " entries%s", verify->done,
                    verify->slice_count, verify->read,
                    verify->done == verify->slice_count ? "\n" : "");
        }
    }
    bool is_over = verify->code != EXIT_DONE || verify->next == verify->slice_count;
    struct verify_slice *slice = is_over ? NULL : &verify->slices[verify->next++];
    pthread_mutex_unlock(&verify->lock);
    return slice;
}

static void *work(void *context)
{
    struct verify *verify = context;
    PGconn *connection = NULL;
    struct verify_slice *slice = NULL;
    int code = open_worker(verify, &connection);
    while (code == EXIT_DONE && (slice = take(verify, slice)) != NULL) {
        code = read_slice(verify, connection, slice);
    }
    if (code != EXIT_DONE) {
        pthread_mutex_lock(&verify->lock);
        verify->code = code;
        pthread_mutex_unlock(&verify->lock);
    }
    PQfinish(connection);
    return NULL;
}

int verify_read(struct verify *verify, size_t workers)
{
    pthread_t threads[16];
    size_t count = 0;
    size_t most = sizeof(threads) / sizeof(threads[0]);
    while (count < workers && count < most &&
           pthread_create(&threads[count], NULL, work, verify) == 0) {
        count++;
    }
    if (count == 0) {
        work(verify);
    }
    for (size_t i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
    return verify->code;
}
