/* Writes an archive: see archive.h. */
#include "archive.h"

#include "database.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TASKS_AT_ONCE "1000"

/* A file that is being written. */
struct sink {
    FILE *file;
    const char *name;
    uint64_t size;
    uint64_t lines;
    crypto_hash_sha256_state state;
};

struct writer {
    const struct arguments *arguments;
    PGconn *connection;
    const struct part *part;
    char path[ARCHIVE_PATH_MAX]; /* where it is made; it gets its name when it is whole */
    struct sink entries;
    struct sink rows;
    struct chains chains;
    uint64_t tasks;
};

static int fail(const struct writer *writer, const char *what)
{
    return command_fail(writer->arguments, EXIT_OTHERWISE, "%s: %s: %s", writer->path, what,
                        strerror(errno));
}

static bool path_of(const struct writer *writer, const char *name, char path[ARCHIVE_PATH_MAX])
{
    return (size_t)snprintf(path, ARCHIVE_PATH_MAX, "%s/%s", writer->path, name) < ARCHIVE_PATH_MAX;
}

static int sink_open(struct writer *writer, struct sink *sink, const char *name)
{
    char path[ARCHIVE_PATH_MAX];
    crypto_hash_sha256_init(&sink->state);
    sink->name = name;
    sink->file = path_of(writer, name, path) ? fopen(path, "we") : NULL;
    return sink->file != NULL ? EXIT_DONE : fail(writer, name);
}

/* A line; takes `text`, which malloc made. Errors of the disk are found when it is closed. */
static void sink_line(struct sink *sink, char *text)
{
    if (text == NULL) {
        return;
    }
    size_t size = strlen(text);
    text[size++] = '\n'; /* in place of its end */
    fwrite(text, 1, size, sink->file);
    crypto_hash_sha256_update(&sink->state, (const uint8_t *)text, size);
    sink->size += size;
    sink->lines++;
    free(text);
}

/* On the disk when it returns EXIT_DONE. */
static int sink_close(struct writer *writer, struct sink *sink)
{
    if (sink->file == NULL) {
        return EXIT_DONE;
    }
    bool has_failed =
        fflush(sink->file) != 0 || ferror(sink->file) != 0 || fsync(fileno(sink->file)) != 0;
    has_failed = fclose(sink->file) != 0 || has_failed;
    sink->file = NULL;
    return has_failed ? fail(writer, sink->name) : EXIT_DONE;
}

static json_t *sink_json(struct sink *sink)
{
    tender_digest digest;
    char hex[CHAIN_HEX_MAX];
    crypto_hash_sha256_final(&sink->state, digest.bytes);
    chain_hex(&digest, hex);
    return json_pack("{s:s,s:I,s:I,s:s}", "name", sink->name, "size", (json_int_t)sink->size,
                     "lines", (json_int_t)sink->lines, "sha256", hex);
}

/* The entry as a line; free it. NULL: no memory. */
static char *entry_line(const PGresult *result, int row, const char *shard,
                        const struct stored *stored)
{
    json_t *line =
        json_pack("{s:I,s:s,s:I,s:I,s:s,s:s,s:s}", "shard", (json_int_t)strtoll(shard, NULL, 10),
                  "task", PQgetvalue(result, row, 0), "number", (json_int_t)stored->number, "at_us",
                  (json_int_t)stored->at_us, "kind", stored->kind, "hash",
                  PQgetvalue(result, row, 6) + 2, "body", stored->body);
    if (stored->content_size > 0) {
        size_t capacity =
            sodium_base64_ENCODED_LEN(stored->content_size, sodium_base64_VARIANT_ORIGINAL);
        char *text = malloc(capacity);
        if (text != NULL) {
            sodium_bin2base64(text, capacity, stored->content, stored->content_size,
                              sodium_base64_VARIANT_ORIGINAL);
        }
        json_object_set_new(line, "content", json_string(text));
        free(text);
    }
    char *text = json_dumps(line, JSON_COMPACT);
    json_decref(line);
    return text;
}

static int write_entry(struct writer *writer, const PGresult *result, int row, const char *shard)
{
    struct stored stored;
    const char *fault = chain_read(result, row, &stored)
                            ? chains_add(&writer->chains, strtoll(shard, NULL, 10), &stored)
                            : "cannot be read";
    if (fault != NULL) {
        return command_fail(writer->arguments, EXIT_OTHERWISE,
                            "entry %" PRIu64 " of task %s %s; nothing leaves the ledger",
                            stored.number, PQgetvalue(result, row, 0), fault);
    }
    char *line = entry_line(result, row, shard, &stored);
    if (line == NULL) {
        return command_fail(writer->arguments, EXIT_OTHERWISE, "out of memory");
    }
    sink_line(&writer->entries, line);
    return EXIT_DONE;
}

static const char sql_entries[] =
    CHAIN_ENTRIES "where e.shard = $1::int2 and e.task_id >= $2::uuid and e.task_id < $3::uuid "
                  "order by 1, 2";

#define BESIDE(table)                                                                              \
    "union all select '" table "', f.task_id, row_to_json(f) from tender_ledger." table " f "      \
    "where f.shard = $1::int2 and f.task_id >= $2::uuid and f.task_id < $3::uuid "
static const char sql_rows[] =
    "select r.kind, json_build_object('table', r.kind, 'row', r.fields) from ("
    "select 'task' as kind, t.task_id, (select row_to_json(x) from (select t.announced_at, "
    "t.ceiling_micro, t.units, t.shard, t.partial, t.task_id, t.again, t.client, t.principal, "
    "t.skill, t.key) x) as fields from tender_ledger.task t "
    "where t.shard = $1::int2 and t.task_id >= $2::uuid and t.task_id < $3::uuid " BESIDE(
        "task_end") BESIDE("commitment") BESIDE("transfer") BESIDE("posted") BESIDE("task_need")
        BESIDE("task_goal") BESIDE("task_after") BESIDE("delivery") BESIDE("adoption")
            BESIDE("measured") ") r order by r.task_id, r.kind";
#undef BESIDE

/* The tasks from `from` to before `to`; their entries and their rows in a snapshot each. */
static int write_some(struct writer *writer, const char *shard, const char *from, const char *to)
{
    const char *parameters[] = {shard, from, to};
    PGresult *entries = NULL;
    PGresult *rows = NULL;
    int code =
        database_ask(writer->arguments, writer->connection, sql_entries, 3, parameters, &entries);
    if (code == EXIT_DONE) {
        code = database_ask(writer->arguments, writer->connection, sql_rows, 3, parameters, &rows);
    }
    for (int row = 0; code == EXIT_DONE && row < PQntuples(entries); row++) {
        code = write_entry(writer, entries, row, shard);
    }
    for (int row = 0; code == EXIT_DONE && row < PQntuples(rows); row++) {
        writer->tasks += strcmp(PQgetvalue(rows, row, 0), "task") == 0;
        char *line = strdup(PQgetvalue(rows, row, 1));
        if (line == NULL) {
            code = command_fail(writer->arguments, EXIT_OTHERWISE, "out of memory");
        }
        sink_line(&writer->rows, line);
    }
    PQclear(entries);
    PQclear(rows);
    return code == EXIT_DONE
               ? database_tell(writer->arguments, writer->connection,
                               "select tender_ledger.remember_tasks($1, $2, $3)", 3, parameters)
               : code;
}

static int write_shard(struct writer *writer, const char *shard)
{
    char from[64];
    char to[64];
    int code = EXIT_DONE;
    snprintf(from, sizeof(from), "%s", writer->part->from_id);
    bool is_last = false;
    while (code == EXIT_DONE && !is_last) {
        const char *parameters[] = {shard, from, writer->part->to_id};
        PGresult *next = NULL;
        code = database_ask(writer->arguments, writer->connection,
                            "select t.task_id from tender_ledger.task t where t.shard = $1::int2 "
                            "and t.task_id >= $2::uuid and t.task_id < $3::uuid "
                            "order by t.task_id offset " TASKS_AT_ONCE " limit 1",
                            3, parameters, &next);
        is_last = PQntuples(next) == 0;
        snprintf(to, sizeof(to), "%s", is_last ? writer->part->to_id : PQgetvalue(next, 0, 0));
        PQclear(next);
        if (code == EXIT_DONE) {
            code = write_some(writer, shard, from, to);
        }
        memcpy(from, to, sizeof(from));
    }
    return code;
}

static const char sql_shards[] =
    "with recursive s as (select min(t.shard) as shard from tender_ledger.task t "
    "where t.task_id >= $1::uuid and t.task_id < $2::uuid union all "
    "select (select min(t.shard) from tender_ledger.task t where t.shard > s.shard "
    "and t.task_id >= $1::uuid and t.task_id < $2::uuid) from s where s.shard is not null) "
    "select s.shard from s where s.shard is not null order by 1";

static int write_tasks(struct writer *writer)
{
    const char *parameters[] = {writer->part->from_id, writer->part->to_id};
    PGresult *shards = NULL;
    int code =
        database_ask(writer->arguments, writer->connection, sql_shards, 2, parameters, &shards);
    for (int row = 0; code == EXIT_DONE && row < PQntuples(shards); row++) {
        code = write_shard(writer, PQgetvalue(shards, row, 0));
    }
    PQclear(shards);
    chains_end(&writer->chains);
    return code;
}

static int read_money(struct writer *writer, json_t *money)
{
    const char *parameters[] = {writer->part->from_id};
    PGresult *result = NULL;
    int code = database_ask(writer->arguments, writer->connection,
                            "select * from tender_ledger.partition_money($1::uuid)", 1, parameters,
                            &result);
    for (int row = 0; code == EXIT_DONE && row < PQntuples(result); row++) {
        json_array_append_new(
            money, json_pack("{s:I,s:s,s:s,s:s,s:s,s:I,s:I}", "shard",
                             (json_int_t)database_number(result, row, 1), "from_principal",
                             PQgetvalue(result, row, 2), "from_bucket", PQgetvalue(result, row, 3),
                             "to_principal", PQgetvalue(result, row, 4), "to_bucket",
                             PQgetvalue(result, row, 5), "amount_micro",
                             (json_int_t)database_number(result, row, 6), "movements",
                             (json_int_t)database_number(result, row, 7)));
    }
    PQclear(result);
    return code;
}

/* The manifest names the files with their digests, so that its own digest proves all of them. */
static int write_manifest(struct writer *writer, struct archive_proof *proof)
{
    struct sink sink = {0};
    char root[CHAIN_HEX_MAX];
    json_t *money = json_array();
    int code = read_money(writer, money);
    chain_hex(&proof->root, root);
    json_t *manifest = json_pack(
        "{s:s,s:s,s:s,s:s,s:s,s:s,s:I,s:I,s:s,s:[o,o],s:o}", "format", ARCHIVE_FORMAT, "archive",
        writer->part->suffix, "since", writer->part->since, "until", writer->part->until, "from_id",
        writer->part->from_id, "to_id", writer->part->to_id, "tasks", (json_int_t)proof->tasks,
        "entries", (json_int_t)proof->entries, "root", root, "files", sink_json(&writer->entries),
        sink_json(&writer->rows), "money", money);
    if (code == EXIT_DONE) {
        code = sink_open(writer, &sink, ARCHIVE_MANIFEST);
    }
    if (code == EXIT_DONE) {
        sink_line(&sink, json_dumps(manifest, JSON_INDENT(1)));
        code = sink.lines == 1 ? sink_close(writer, &sink)
                               : command_fail(writer->arguments, EXIT_OTHERWISE, "out of memory");
        crypto_hash_sha256_final(&sink.state, proof->manifest.bytes);
    }
    json_decref(manifest);
    return code;
}

static int sync_directory(const struct writer *writer, const char *path)
{
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool has_failed = descriptor < 0 || fsync(descriptor) != 0;
    if (descriptor >= 0) {
        close(descriptor);
    }
    return has_failed ? fail(writer, "its directory cannot be written to the disk") : EXIT_DONE;
}

/* An archive of that name that the ledger does not know of is not ours to delete. */
static int take_name(const struct writer *writer, const char *directory)
{
    char name[ARCHIVE_PATH_MAX];
    char aside[ARCHIVE_PATH_MAX];
    snprintf(name, sizeof(name), "%s/tender-%s", directory, writer->part->suffix);
    for (int i = 1; access(name, F_OK) == 0; i++) {
        snprintf(aside, sizeof(aside), "%s/tender-%s.superseded-%d", directory,
                 writer->part->suffix, i);
        if (access(aside, F_OK) != 0 && rename(name, aside) != 0) {
            return fail(writer, "the archive before it cannot be put aside");
        }
    }
    if (rename(writer->path, name) != 0) {
        return fail(writer, name);
    }
    return sync_directory(writer, directory);
}

static int begin(struct writer *writer, const char *directory)
{
    static const char *const names[] = {ARCHIVE_ENTRIES, ARCHIVE_ROWS, ARCHIVE_MANIFEST};
    char path[ARCHIVE_PATH_MAX];
    int size = snprintf(writer->path, sizeof(writer->path), "%s/.tender-%s.part", directory,
                        writer->part->suffix);
    if (size < 0 || (size_t)size >= sizeof(writer->path) - 64) {
        return command_fail(writer->arguments, EXIT_BAD_INPUT, "the directory's name is too long");
    }
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (path_of(writer, names[i], path)) {
            unlink(path); /* of a run that was broken off */
        }
    }
    if (mkdir(writer->path, 0700) != 0 && errno != EEXIST) {
        return fail(writer, "cannot be made");
    }
    int code = sink_open(writer, &writer->entries, ARCHIVE_ENTRIES);
    return code == EXIT_DONE ? sink_open(writer, &writer->rows, ARCHIVE_ROWS) : code;
}

int archive_write(const struct arguments *arguments, PGconn *connection, const struct part *part,
                  const char *directory, struct archive_proof *proof_out)
{
    struct writer writer = {.arguments = arguments, .connection = connection, .part = part};
    int code = begin(&writer, directory);
    if (code == EXIT_DONE) {
        code = write_tasks(&writer);
    }
    *proof_out = (struct archive_proof){.tasks = writer.tasks,
                                        .entries = writer.chains.entries,
                                        .root = tree_root(&writer.chains.tree)};
    int closed = sink_close(&writer, &writer.entries);
    code = code == EXIT_DONE ? closed : code;
    closed = sink_close(&writer, &writer.rows);
    code = code == EXIT_DONE ? closed : code;
    if (code == EXIT_DONE) {
        code = write_manifest(&writer, proof_out);
    }
    if (code == EXIT_DONE) {
        code = sync_directory(&writer, writer.path);
    }
    return code == EXIT_DONE ? take_name(&writer, directory) : code;
}
