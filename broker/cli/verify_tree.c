/* The batches and checkpoints, held against the entries that were read: see verify.h. */
#include "verify.h"

#include "database.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BATCHES_AT_ONCE "2000"

/* A row of sql_batches. */
enum { B_LEAF, B_BATCH, B_AT, B_ENTRIES, B_ROOT, B_PEAK, B_TASKS, B_NUMBERS, B_COUNTS, B_MARKS };

/* Text arrays without their braces: no element needs quotes. */
static const char sql_batches[] =
    "select b.leaf, b.batch, (extract(epoch from b.at) * 1000000)::bigint, b.entries, "
    "encode(b.root, 'hex'), encode(b.peak, 'hex'), array_to_string(b.task_ids, ','), "
    "array_to_string(b.numbers, ','), array_to_string(b.counts, ','), array_to_string(b.marks, "
    "',') "
    "from tender_ledger.batch b where b.shard = $1::int2 and b.leaf >= $2::bigint "
    "order by b.leaf limit " BATCHES_AT_ONCE;

/* One shard while it is looked at. */
struct look {
    struct verify *verify;
    uint32_t shard;
    char shard_text[16];
    tender_id ledger;
    int64_t since_us; /* entries up to then may be in no batch */
    struct tree tree;
    uint64_t last_batch;
    uint64_t elsewhere;       /* of this batch: entries that only archives have */
    const PGresult *archived; /* ranges of tasks that have left: from, to */
    PGresult *checkpoints;    /* size, at, root, key, signature; ordered */
    int next_checkpoint;
    const char *key; /* hex; NULL: whichever they name */
};

static int compare(const struct verify_entry *entry, tender_id task, uint32_t number)
{
    int order = memcmp(&entry->task, &task, sizeof(task));
    return order != 0 ? order : entry->number < number ? -1 : entry->number > number;
}

static struct verify_entry *find_in(const struct verify_slice *slice, tender_id task,
                                    uint32_t number)
{
    size_t low = 0;
    size_t high = slice->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&slice->entries[middle], task, number) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool is_found = low < slice->count && compare(&slice->entries[low], task, number) == 0;
    return is_found ? &slice->entries[low] : NULL;
}

/* The entry, or NULL. */
static struct verify_entry *find(const struct look *look, tender_id task, uint32_t number)
{
    const struct verify *verify = look->verify;
    struct verify_entry *entry = NULL;
    for (size_t i = 0; entry == NULL && i < verify->slice_count; i++) {
        const struct verify_slice *slice = &verify->slices[i];
        bool is_behind = memcmp(&task, &slice->from, sizeof(task)) >= 0;
        bool is_before = slice->is_last || memcmp(&task, &slice->to, sizeof(task)) < 0;
        if (slice->shard == look->shard && is_behind && is_before) {
            entry = find_in(slice, task, number);
        }
    }
    return entry;
}

/* Whether the task is of a time that left the ledger for where nobody looks now. */
static bool has_left(const struct look *look, const char *task)
{
    for (int row = 0; !look->verify->has_archives && row < PQntuples(look->archived); row++) {
        if (strcmp(task, PQgetvalue(look->archived, row, 0)) >= 0 &&
            strcmp(task, PQgetvalue(look->archived, row, 1)) < 0) {
            return true;
        }
    }
    return false;
}

static int64_t mark_of(const struct verify_entry *entry)
{
    uint64_t mark = 0;
    for (int i = 0; i < 8; i++) {
        mark = mark << 8 | entry->hash.bytes[i];
    }
    return (int64_t)mark;
}

/* The entries of a run, as leaves of the batch's tree. */
static void take_run(struct look *look, struct tree *inner, const char *leaf, const char *name,
                     uint32_t number, uint32_t count, int64_t mark)
{
    tender_id task;
    if (tender_id_parse(name, TENDER_ID_TEXT_SIZE - 1, &task) != 0) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct verify_entry *entry = find(look, task, number + i);
        if (entry == NULL && has_left(look, name)) {
            look->elsewhere++;
        } else if (entry == NULL) {
            verify_fault(look->verify,
                         "shard %s task %.36s entry %" PRIu32 " of batch leaf %s is missing",
                         look->shard_text, name, number + i, leaf);
        } else {
            if (entry->is_seen) {
                verify_fault(look->verify,
                             "shard %s task %.36s entry %" PRIu32
                             " is in two batches, also in leaf %s",
                             look->shard_text, name, number + i, leaf);
            }
            if (i + 1 == count && mark_of(entry) != mark) {
                verify_fault(look->verify,
                             "shard %s task %.36s entry %" PRIu32 " is not what leaf %s recorded",
                             look->shard_text, name, number + i, leaf);
            }
            entry->is_seen = true;
            (void)tree_add(inner, tree_leaf((tender_bytes){entry->hash.bytes, 32}));
        }
    }
}

/* The next element of a list, which moves on. */
static const char *element(const char **list)
{
    const char *at = *list;
    const char *comma = strchr(at, ',');
    *list = comma == NULL ? at + strlen(at) : comma + 1;
    return at;
}

static void take_runs(struct look *look, const PGresult *result, int row, struct tree *inner)
{
    const char *tasks = PQgetvalue(result, row, B_TASKS);
    const char *numbers = PQgetvalue(result, row, B_NUMBERS);
    const char *counts = PQgetvalue(result, row, B_COUNTS);
    const char *marks = PQgetvalue(result, row, B_MARKS);
    look->elsewhere = 0;
    while (*tasks != '\0') {
        const char *task = element(&tasks);
        uint32_t number = (uint32_t)strtoul(element(&numbers), NULL, 10);
        uint32_t count = (uint32_t)strtoul(element(&counts), NULL, 10);
        take_run(look, inner, PQgetvalue(result, row, B_LEAF), task, number, count,
                 strtoll(element(&marks), NULL, 10));
    }
}

static void check_checkpoint(struct look *look, int row)
{
    const PGresult *rows = look->checkpoints;
    tender_checkpoint checkpoint = {.ledger = look->ledger,
                                    .shard = look->shard,
                                    .size = (uint64_t)database_number(rows, row, 0),
                                    .at_us = database_number(rows, row, 1),
                                    .root = tree_root(&look->tree)};
    const char *key = PQgetvalue(rows, row, 3);
    if (!chain_is_hex(&checkpoint.root, PQgetvalue(rows, row, 2))) {
        verify_fault(look->verify, "shard %s checkpoint %s has another root than its batches",
                     look->shard_text, PQgetvalue(rows, row, 0));
        return;
    }
    if (look->key != NULL && strcmp(key, look->key) != 0) {
        verify_fault(look->verify, "shard %s checkpoint %s is signed with another key: ed25519:%s",
                     look->shard_text, PQgetvalue(rows, row, 0), key);
        return;
    }
    if (look->key == NULL && PQgetvalue(rows, row, 5)[0] == 'f') {
        verify_fault(look->verify,
                     "shard %s checkpoint %s is signed with a key that no broker had: ed25519:%s",
                     look->shard_text, PQgetvalue(rows, row, 0), key);
        return;
    }
    bool is_read = database_hex(rows, row, 3, checkpoint.key, sizeof(checkpoint.key)) &&
                   database_hex(rows, row, 4, checkpoint.signature, sizeof(checkpoint.signature));
    if (!is_read || tender_checkpoint_check(&checkpoint, checkpoint.key) != 0) {
        verify_fault(look->verify, "shard %s checkpoint %s is not signed by the key that it names",
                     look->shard_text, PQgetvalue(rows, row, 0));
    }
}

/* Those that cover as many leaves as the tree has now. */
static void check_checkpoints(struct look *look)
{
    while (look->next_checkpoint < PQntuples(look->checkpoints) &&
           (uint64_t)database_number(look->checkpoints, look->next_checkpoint, 0) ==
               look->tree.count) {
        check_checkpoint(look, look->next_checkpoint++);
        look->verify->checkpoints++;
    }
}

static void check_batch(struct look *look, const PGresult *result, int row)
{
    const char *name = PQgetvalue(result, row, B_LEAF);
    struct tree inner = {.count = 0};
    struct batch_leaf leaf = {.ledger = look->ledger,
                              .shard = look->shard,
                              .batch = (uint64_t)database_number(result, row, B_BATCH),
                              .at_us = database_number(result, row, B_AT),
                              .entries = (uint64_t)database_number(result, row, B_ENTRIES)};
    take_runs(look, result, row, &inner);
    leaf.root = tree_root(&inner);
    bool is_right = chain_is_hex(&leaf.root, PQgetvalue(result, row, B_ROOT));
    if (look->elsewhere > 0) {
        look->verify->elsewhere++;
        (void)database_hex(result, row, B_ROOT, leaf.root.bytes, sizeof(leaf.root));
    } else if (!is_right || inner.count != leaf.entries) {
        verify_fault(look->verify, "shard %s batch leaf %s is not made of its entries",
                     look->shard_text, name);
    }
    if ((uint64_t)database_number(result, row, B_LEAF) != look->tree.count) {
        verify_fault(look->verify,
                     "shard %s batch leaf %s does not follow: one is missing before it",
                     look->shard_text, name);
    } else if (leaf.batch <= look->last_batch) {
        verify_fault(look->verify, "shard %s batch leaf %s is out of order", look->shard_text,
                     name);
    }
    look->last_batch = leaf.batch;
    tender_digest peak = tree_add(&look->tree, batch_leaf_hash(&leaf));
    if (!chain_is_hex(&peak, PQgetvalue(result, row, B_PEAK))) {
        verify_fault(look->verify, "shard %s batch leaf %s has another peak than the tree",
                     look->shard_text, name);
    }
    look->verify->batches++;
    check_checkpoints(look);
}

static int check_batches(struct look *look)
{
    char from[32] = "0";
    bool is_last = false;
    int code = EXIT_DONE;
    while (code == EXIT_DONE && !is_last) {
        const char *parameters[] = {look->shard_text, from};
        PGresult *result = NULL;
        code = database_ask(look->verify->arguments, look->verify->connection, sql_batches, 2,
                            parameters, &result);
        int rows = PQntuples(result);
        for (int row = 0; row < rows; row++) {
            check_batch(look, result, row);
        }
        is_last = rows == 0;
        snprintf(from, sizeof(from), "%" PRId64,
                 is_last ? 0 : database_number(result, rows - 1, B_LEAF) + 1);
        PQclear(result);
    }
    for (int row = look->next_checkpoint; row < PQntuples(look->checkpoints); row++) {
        verify_fault(look->verify, "shard %s checkpoint %s covers what is not there",
                     look->shard_text, PQgetvalue(look->checkpoints, row, 0));
    }
    return code;
}

/* What no batch has: from before the tree, or put in since. */
static void check_rest(struct look *look)
{
    struct verify *verify = look->verify;
    for (size_t i = 0; i < verify->slice_count; i++) {
        const struct verify_slice *slice = &verify->slices[i];
        for (size_t k = 0; slice->shard == look->shard && k < slice->count; k++) {
            const struct verify_entry *entry = &slice->entries[k];
            char task[TENDER_ID_TEXT_SIZE];
            tender_id_format(entry->task, task);
            if (!entry->is_seen && entry->at_us > look->since_us) {
                verify_fault(verify, "shard %s task %s entry %" PRIu32 " is in no batch",
                             look->shard_text, task, entry->number);
            }
            verify->unbatched += !entry->is_seen;
        }
    }
}

static int check_shard(struct look *look)
{
    const char *parameters[] = {look->shard_text};
    PGresult *since = NULL;
    int code = database_ask(
        look->verify->arguments, look->verify->connection,
        "select case when isfinite(t.since_at) then (extract(epoch from t.since_at) * "
        "1000000)::bigint else 0 end from tender_ledger.tree t where t.shard = $1::int2",
        1, parameters, &since);
    look->since_us = code == EXIT_DONE && PQntuples(since) > 0 ? database_number(since, 0, 0)
                     : code == EXIT_DONE                       ? INT64_MAX
                                                               : 0;
    PQclear(since);
    if (code == EXIT_DONE) {
        code = database_ask(
            look->verify->arguments, look->verify->connection,
            "select c.size, (extract(epoch from c.at) * 1000000)::bigint, "
            "encode(c.root, 'hex'), encode(c.key, 'hex'), encode(c.signature, 'hex'), "
            "(c.shard, c.key) in (select k.shard, k.key from tender_ledger.broker_key k) "
            "from tender_ledger.checkpoint c where c.shard = $1::int2 order by 1",
            1, parameters, &look->checkpoints);
    }
    if (code == EXIT_DONE) {
        code = check_batches(look);
    }
    if (code == EXIT_DONE) {
        check_rest(look);
    }
    PQclear(look->checkpoints);
    return code;
}

/* The key that counts, as hex; NULL where none is given. */
static const char *key_of(const struct arguments *arguments)
{
    const char *key = argument_text(arguments, "key");
    return key == NULL ? NULL : key + strlen("ed25519:");
}

int verify_trees(struct verify *verify)
{
    PGresult *ledger = NULL;
    PGresult *archived = NULL;
    int code = database_ask(verify->arguments, verify->connection,
                            "select l.id, l.shards from tender_ledger.ledger l", 0, NULL, &ledger);
    if (code == EXIT_DONE) {
        code = database_ask(verify->arguments, verify->connection,
                            "select p.from_id, p.to_id from tender_ledger.partition p "
                            "where p.state in ('detached', 'archived')",
                            0, NULL, &archived);
    }
    uint32_t shards = code == EXIT_DONE ? (uint32_t)database_number(ledger, 0, 1) : 0;
    for (uint32_t shard = 0; code == EXIT_DONE && shard < shards; shard++) {
        struct look look = {.verify = verify,
                            .shard = shard,
                            .archived = archived,
                            .key = key_of(verify->arguments)};
        snprintf(look.shard_text, sizeof(look.shard_text), "%" PRIu32, shard);
        (void)!tender_id_parse(PQgetvalue(ledger, 0, 0), TENDER_ID_TEXT_SIZE - 1, &look.ledger);
        code = check_shard(&look);
    }
    PQclear(ledger);
    PQclear(archived);
    return code;
}
