/*
 * Checkpoints and proofs, from the ledger to files that anybody can check, and the check of such a
 * file. What they say is ledger/CHAIN.md's, how they are checked tender/checkpoint.h's.
 */
#include "commands.h"

#include "database.h"
#include "shard.h"
#include "tender/checkpoint.h"
#include "verify.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_SIZE_MAX ((size_t)1 << 26) /* a year of checkpoints and more */

static const char sql_newest[] =
    "select distinct on (c.shard) l.id, c.shard, c.size, (extract(epoch from c.at) * "
    "1000000)::bigint, encode(c.root, 'hex'), encode(c.key, 'hex'), encode(c.signature, 'hex') "
    "from tender_ledger.checkpoint c cross join tender_ledger.ledger l "
    "where $1::int2 is null or c.shard = $1::int2 order by c.shard, c.size desc";

/* A row of sql_newest. */
static tender_checkpoint read_checkpoint(const PGresult *result, int row)
{
    tender_checkpoint checkpoint = {.shard = (uint32_t)database_number(result, row, 1),
                                    .size = (uint64_t)database_number(result, row, 2),
                                    .at_us = database_number(result, row, 3)};
    (void)!tender_id_parse(PQgetvalue(result, row, 0), TENDER_ID_TEXT_SIZE - 1, &checkpoint.ledger);
    (void)database_hex(result, row, 4, checkpoint.root.bytes, sizeof(checkpoint.root));
    (void)database_hex(result, row, 5, checkpoint.key, sizeof(checkpoint.key));
    (void)database_hex(result, row, 6, checkpoint.signature, sizeof(checkpoint.signature));
    return checkpoint;
}

static void print_checkpoint(const tender_checkpoint *checkpoint)
{
    char text[TENDER_CHECKPOINT_TEXT_MAX];
    tender_checkpoint_format(checkpoint, text);
    fputs(text, stdout);
}

static const char sql_trees[] =
    "select l.id, b.shard, b.size, (extract(epoch from greatest(clock_timestamp(), b.at)) * "
    "1000000)::bigint, encode(tender_ledger.batch_root(b.shard, 0, b.size), 'hex') "
    "from (select distinct on (f.shard) f.shard, f.leaf + 1 as size, f.at from tender_ledger.batch "
    "f "
    "order by f.shard, f.leaf desc) b cross join tender_ledger.ledger l order by 2";

/* Signs the tree of each shard as it is now. */
static int sign_trees(const struct arguments *arguments, PGconn *connection, const tender_key *key)
{
    PGresult *result = NULL;
    int code = database_ask(arguments, connection, sql_trees, 0, NULL, &result);
    for (int row = 0; code == EXIT_DONE && row < PQntuples(result); row++) {
        tender_checkpoint checkpoint = {.shard = (uint32_t)database_number(result, row, 1),
                                        .size = (uint64_t)database_number(result, row, 2),
                                        .at_us = database_number(result, row, 3)};
        uint8_t bytes[TENDER_CHECKPOINT_SIGNED_SIZE];
        char hex[2][2 * TENDER_SIGNATURE_SIZE + 1];
        (void)!tender_id_parse(PQgetvalue(result, row, 0), TENDER_ID_TEXT_SIZE - 1,
                               &checkpoint.ledger);
        (void)database_hex(result, row, 4, checkpoint.root.bytes, sizeof(checkpoint.root));
        tender_checkpoint_bytes(&checkpoint, bytes);
        tender_key_sign(key, bytes, sizeof(bytes), checkpoint.signature);
        sodium_bin2hex(hex[0], sizeof(hex[0]), tender_key_public(key), TENDER_PUBLIC_KEY_SIZE);
        sodium_bin2hex(hex[1], sizeof(hex[1]), checkpoint.signature, sizeof(checkpoint.signature));
        const char *parameters[] = {PQgetvalue(result, row, 1),
                                    PQgetvalue(result, row, 2),
                                    PQgetvalue(result, row, 3),
                                    PQgetvalue(result, row, 4),
                                    hex[0],
                                    hex[1]};
        code = database_tell(arguments, connection,
                             "select tender_ledger.add_checkpoint($1::int2, $2::bigint, "
                             "timestamptz 'epoch' + $3::bigint * interval '1 microsecond', "
                             "decode($4, 'hex'), decode($5, 'hex'), decode($6, 'hex'))",
                             6, parameters);
    }
    PQclear(result);
    return code;
}

static int sign(const struct arguments *arguments, PGconn *connection)
{
    char problem[TENDER_KEY_PROBLEM_SIZE];
    tender_key *key = NULL;
    if (tender_key_read(argument_text(arguments, "sign"), &key, problem) != 0) {
        return command_fail(arguments, EXIT_BAD_INPUT, "%s", problem);
    }
    int code = sign_trees(arguments, connection, key);
    tender_key_free(key);
    return code;
}

int run_ledger_checkpoint(const struct arguments *arguments)
{
    const char *parameters[] = {NULL};
    PGconn *connection = NULL;
    PGresult *result = NULL;
    int code = database_open(arguments, &connection);
    if (code == EXIT_DONE && argument(arguments, "sign")->is_set) {
        code = sign(arguments, connection);
    }
    if (code == EXIT_DONE) {
        code = database_ask(arguments, connection, sql_newest, 1, parameters, &result);
    }
    if (code == EXIT_DONE && PQntuples(result) == 0) {
        code = command_fail(arguments, EXIT_REFUSED, "nothing has been signed yet");
    }
    for (int row = 0; code == EXIT_DONE && row < PQntuples(result); row++) {
        tender_checkpoint checkpoint = read_checkpoint(result, row);
        print_checkpoint(&checkpoint);
    }
    PQclear(result);
    PQfinish(connection);
    return code;
}

/* An array of PostgreSQL, of elements without quotes, as lines. */
static void print_lines(const char *name, const char *array)
{
    for (const char *at = array + 1; *at != '\0' && *at != '}';) {
        int size = (int)strcspn(at, ",}");
        printf("%s %.*s\n", name, size, at);
        at += size + (at[size] == ',');
    }
}

static const char sql_entry[] =
    "select l.id, s.shard, p.size, p.checkpoint_at_us, p.checkpoint_root, p.key, p.signature, "
    "p.number, p.at_us, p.kind, p.body, p.before, p.batch, p.batch_at_us, p.entries, p.place, "
    "p.beside, p.leaf, p.path from tender_ledger.ledger l cross join (select case when "
    "$1::uuid = '00000000-0000-0000-0000-000000000000' then 0 else "
    "tender_ledger.shard_of_task($1::uuid) end::int2 as shard) s "
    "cross join lateral tender_ledger.prove_entry(s.shard, $1::uuid, $2::integer) p";

static void print_proof(const PGresult *result, const char *task)
{
    tender_checkpoint checkpoint = read_checkpoint(result, 0);
    static const struct {
        const char *name;
        int column;
    } lines[] = {{"number", 7}, {"at", 8},        {"kind", 9},     {"body", 10}, {"before", 11},
                 {"batch", 12}, {"batch-at", 13}, {"entries", 14}, {"place", 15}};
    puts("tender-proof/1");
    print_checkpoint(&checkpoint);
    printf("task %s\n", task);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        printf("%s %s\n", lines[i].name, PQgetvalue(result, 0, lines[i].column));
    }
    print_lines("beside", PQgetvalue(result, 0, 16));
    printf("leaf %s\n", PQgetvalue(result, 0, 17));
    print_lines("path", PQgetvalue(result, 0, 18));
}

int run_ledger_prove(const struct arguments *arguments)
{
    const char *task = operand(arguments, 0)->text;
    const char *parameters[] = {task, argument_text(arguments, "entry")};
    PGconn *connection = NULL;
    PGresult *result = NULL;
    if (isatty(STDOUT_FILENO)) {
        return command_fail(arguments, EXIT_BAD_INPUT,
                            "a proof has what somebody else wrote, and may steer a terminal: "
                            "write it to a file");
    }
    int code = database_open(arguments, &connection);
    if (code == EXIT_DONE) {
        code = database_ask(arguments, connection, sql_entry, 2, parameters, &result);
    }
    if (code == EXIT_DONE) {
        print_proof(result, task);
    }
    PQclear(result);
    PQfinish(connection);
    return code;
}

/* The whole file; free it. NULL after a line on standard error. */
static char *read_file(const struct arguments *arguments, const char *path, size_t *size_out)
{
    char *text = malloc(FILE_SIZE_MAX);
    bool is_input = strcmp(path, "-") == 0;
    FILE *file = is_input ? stdin : fopen(path, "re");
    *size_out = file == NULL || text == NULL ? 0 : fread(text, 1, FILE_SIZE_MAX, file);
    if (file != NULL && !is_input) {
        fclose(file);
    }
    if (*size_out == 0) {
        (void)command_fail(arguments, EXIT_BAD_INPUT, "%s: nothing can be read", path);
        free(text);
        return NULL;
    }
    return text;
}

int run_ledger_consistency(const struct arguments *arguments)
{
    size_t size = 0;
    char numbers[2][24];
    tender_checkpoint older;
    PGconn *connection = NULL;
    PGresult *newest = NULL;
    PGresult *path = NULL;
    char *text = read_file(arguments, operand(arguments, 0)->text, &size);
    if (text == NULL) {
        return EXIT_BAD_INPUT;
    }
    int read = tender_checkpoint_parse(text, size, &older);
    free(text);
    if (read < 0) {
        return command_fail(arguments, EXIT_BAD_INPUT, "that is no checkpoint");
    }
    snprintf(numbers[0], sizeof(numbers[0]), "%" PRIu32, older.shard);
    snprintf(numbers[1], sizeof(numbers[1]), "%" PRIu64, older.size);
    const char *parameters[] = {numbers[0], numbers[1], NULL};
    int code = database_open(arguments, &connection);
    if (code == EXIT_DONE) {
        code = database_ask(arguments, connection, sql_newest, 1, parameters, &newest);
    }
    if (code == EXIT_DONE &&
        (PQntuples(newest) == 0 || (uint64_t)database_number(newest, 0, 2) < older.size)) {
        code = command_fail(
            arguments, EXIT_OTHERWISE,
            "the ledger has signed nothing that is as large: it was cut, or is another");
    }
    if (code == EXIT_DONE) {
        parameters[2] = PQgetvalue(newest, 0, 2);
        code = database_ask(arguments, connection,
                            "select tender_ledger.hashes_in_hex(tender_ledger.batch_consistency("
                            "$1::int2, $2::bigint, 0, $3::bigint, true))",
                            3, parameters, &path);
    }
    if (code == EXIT_DONE) {
        tender_checkpoint newer = read_checkpoint(newest, 0);
        puts("tender-consistency/1");
        print_checkpoint(&older);
        print_checkpoint(&newer);
        print_lines("path", PQgetvalue(path, 0, 0));
    }
    PQclear(newest);
    PQclear(path);
    PQfinish(connection);
    return code;
}

/* Others wrote it: it shall not steer a terminal. */
static void print_plain(tender_bytes bytes, char end)
{
    char *text = strndup(bytes.data, bytes.size);
    char *plain = text == NULL ? NULL : output_plain(text);
    printf("%s%c", plain == NULL ? "?" : plain, end);
    free(plain);
    free(text);
}

static int tell_proof(const struct arguments *arguments, const char *text, size_t size,
                      const uint8_t *key)
{
    tender_proof proof;
    const char *why = NULL;
    char task[TENDER_ID_TEXT_SIZE];
    if (tender_proof_check(text, size, key, &proof, &why) != 0) {
        return command_fail(arguments, EXIT_OTHERWISE, "%s", why);
    }
    tender_id_format(proof.task, task);
    printf("entry %" PRIu64 " of task %s is recorded, as %" PRIu64 " of %" PRIu64
           " in batch %" PRIu64 ", under checkpoint %" PRIu64 " of shard %" PRIu32 "\n",
           proof.number, task, proof.place + 1, proof.entries, proof.batch, proof.checkpoint.size,
           proof.checkpoint.shard);
    print_plain(proof.kind, ' ');
    print_plain(proof.body, '\n');
    return EXIT_DONE;
}

static int tell_consistency(const struct arguments *arguments, const char *text, size_t size,
                            const uint8_t *key)
{
    tender_checkpoint older;
    tender_checkpoint newer;
    const char *why = NULL;
    if (tender_consistency_check(text, size, key, &older, &newer, &why) != 0) {
        return command_fail(arguments, EXIT_OTHERWISE, "%s", why);
    }
    printf("checkpoint %" PRIu64 " of shard %" PRIu32 " is the beginning of checkpoint %" PRIu64
           "\n",
           older.size, older.shard, newer.size);
    return EXIT_DONE;
}

static int tell_checkpoints(const struct arguments *arguments, const char *text, size_t size,
                            const uint8_t *key)
{
    for (size_t at = 0; at < size;) {
        tender_checkpoint checkpoint;
        int read = tender_checkpoint_parse(text + at, size - at, &checkpoint);
        if (read < 0) {
            return command_fail(arguments, EXIT_BAD_INPUT,
                                "it is neither a checkpoint nor a proof");
        }
        if (tender_checkpoint_check(&checkpoint, key) != 0) {
            return command_fail(arguments, EXIT_OTHERWISE,
                                "checkpoint %" PRIu64 " of shard %" PRIu32
                                " is not signed by that key",
                                checkpoint.size, checkpoint.shard);
        }
        printf("checkpoint %" PRIu64 " of shard %" PRIu32 " is signed by that key\n",
               checkpoint.size, checkpoint.shard);
        at += (size_t)read;
    }
    return EXIT_DONE;
}

static bool begins(const char *text, size_t size, const char *format)
{
    return size > strlen(format) && memcmp(text, format, strlen(format)) == 0;
}

int verify_file(const struct arguments *arguments, const char *path, const uint8_t *key)
{
    size_t size = 0;
    if (key == NULL) {
        return command_fail(arguments, EXIT_BAD_INPUT,
                            "a file is checked against the broker's public key: --key ed25519:...");
    }
    char *text = read_file(arguments, path, &size);
    if (text == NULL) {
        return EXIT_BAD_INPUT;
    }
    int code = begins(text, size, "tender-proof/") ? tell_proof(arguments, text, size, key)
               : begins(text, size, "tender-consistency/")
                   ? tell_consistency(arguments, text, size, key)
                   : tell_checkpoints(arguments, text, size, key);
    free(text);
    return code;
}
