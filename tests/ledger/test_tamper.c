/*
 * Goal: whatever a superuser does to the ledger is found and named: an entry edited, taken out, put
 * in, swapped, cut off, with its hashes made to fit or not; a tree or a checkpoint made to fit,
 * signed with another key, or forked. Method: a ledger of some tasks is signed; each fault is
 * planted by SQL past all triggers, `tender verify` and tender.verify_tree are asked, and the
 * tables are put back.
 */
#include "support.h"

#include <sodium.h>
#include <unistd.h>

static tender_key *key;
static char key_text[TENDER_KEY_TEXT_SIZE];
static char task[2][TENDER_ID_TEXT_SIZE];
static char leaf[16];      /* that has the settlement of the first task */
static char last_size[16]; /* of the newest checkpoint */
static char said[8192];

static bool sign(void *context, tender_checkpoint *checkpoint)
{
    (void)context;
    uint8_t bytes[TENDER_CHECKPOINT_SIGNED_SIZE];
    memcpy(checkpoint->key, tender_key_public(key), sizeof checkpoint->key);
    tender_checkpoint_bytes(checkpoint, bytes);
    tender_key_sign(key, bytes, sizeof bytes, checkpoint->signature);
    return true;
}

/* Runs the command; what it said is in `said`. Returns its exit code. */
static int run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int run(const char *format, ...)
{
    char words[512];
    char command[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    snprintf(command, sizeof command, "%s %s 2>&1", TENDER_COMMAND, words);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    said[fread(said, 1, sizeof said - 1, pipe)] = '\0';
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void tell(struct house *house, struct chain *chain, const char *name)
{
    house_announce(house, chain, name, 30 * CREDIT, 40);
    house_open_round(house, chain, 1, 30 * CREDIT, 40);
    assert_committed(house);
    house_answer(house, chain, 1);
    house_award(house, chain, 1, 1, 15 * CREDIT, 40);
    assert_committed(house);
    house_fulfil(house, chain, 1, 40, 15 * CREDIT, 30 * CREDIT);
    assert_committed(house);
}

static const char *const tables[] = {"task",  "entry_row",  "ending",
                                     "batch", "checkpoint", "broker_key"};
#define TABLE_COUNT (sizeof tables / sizeof tables[0])

/* Keeps the tables, to put them back after each fault. */
static void keep(void)
{
    (void)sql("create schema kept");
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        (void)sql("create table kept.%s as select * from tender_ledger.%s", tables[i], tables[i]);
    }
}

static void put_back(void)
{
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        (void)sql("set local session_replication_role = replica; delete from tender_ledger.%s; "
                  "insert into tender_ledger.%s select * from kept.%s",
                  tables[i], tables[i], tables[i]);
    }
}

/* Expressions over which faults are made to fit. */
static void make_helpers(void)
{
    (void)sql("create function kept.hash(p_before bytea, p_task uuid, p_number integer, p_at "
              "timestamptz, p_kind text, p_body text) returns bytea language sql as $$ select "
              "sha256(convert_to('tender/entry/v1', 'UTF8') || '\\x00'::bytea || p_before || "
              "uuid_send(p_task) || int8send(p_number::bigint) || int8send((extract(epoch from "
              "p_at) * 1000000)::bigint) || convert_to(p_kind, 'UTF8') || '\\x00'::bytea || "
              "convert_to(p_body, 'UTF8')) $$");
    (void)sql("create function kept.mark(p_hash bytea) returns bigint language sql as $$ select "
              "('x' || encode(substr(p_hash, 1, 8), 'hex'))::bit(64)::bigint $$");
    /* Every root and peak anew, from whatever entries there are. */
    (void)sql(
        "create procedure kept.replant() language plpgsql as $$ declare b tender_ledger.batch; "
        "begin for b in select * from tender_ledger.batch order by leaf loop update "
        "tender_ledger.batch set root = (select tender_ledger.tree_root(array_agg("
        "tender_ledger.tree_leaf(e.hash) order by r.place, e.number)) from unnest(b.task_ids, "
        "b.numbers, b.counts) with ordinality r (task_id, number, count, place) join "
        "tender_ledger.entry e on e.task_id = r.task_id and e.number between r.number and "
        "r.number + r.count - 1) where leaf = b.leaf; update tender_ledger.batch set peak = "
        "(select tender_ledger.tree_root(array_agg(tender_ledger.batch_leaf(l) order by "
        "l.leaf)) from tender_ledger.batch l where l.leaf <= b.leaf and l.leaf > b.leaf - "
        "((b.leaf + 1) & -(b.leaf + 1))) where leaf = b.leaf; end loop; end $$");
}

/* The settlement of the first task with another body, and a hash that fits. */
#define REWRITE                                                                                    \
    "update tender_ledger.ending e set body = x.body, hash = kept.hash((select n.hash from "       \
    "tender_ledger.entry n where n.task_id = e.task_id and n.number = e.number - 1), e.task_id, "  \
    "e.number, e.ended_at, 'settled', x.body) from (select replace(body, '40', '39') as body "     \
    "from tender_ledger.ending where task_id = '$task') x where e.task_id = '$task'; "
#define REMARK                                                                                     \
    "update tender_ledger.batch b set marks = array(select case when r.task_id = '$task' then "    \
    "kept.mark((select e.hash from tender_ledger.entry e where e.task_id = r.task_id and "         \
    "e.number = r.number + r.count - 1)) else r.mark end from unnest(b.task_ids, b.numbers, "      \
    "b.counts, b.marks) with ordinality r (task_id, number, count, mark, place) "                  \
    "order by r.place); "

/*
 * name   of the fault
 * plant  SQL; $task and $other are tasks, $leaf is a batch
 * found  what is said of it
 */
struct fault {
    const char *name;
    const char *plant;
    const char *found;
    bool is_of_keys; /* which SQL knows nothing of */
};

static const struct fault faults[] = {
    {"edit the announcement",
     "update tender_ledger.task set body = replace(body, 'acme', 'acne') where task_id = '$task'",
     "task $task entry 1 has another hash", false},
    {"edit the second entry of a task",
     "update tender_ledger.task set next_body = replace(next_body, '40', '41') where task_id = "
     "'$task'",
     "task $task entry 2 has another hash", false},
    {"edit an answer",
     "update tender_ledger.entry_row set body = replace(body, 'kiln', 'kilo') where task_id = "
     "'$task' and number = 3",
     "task $task entry 3 has another hash", false},
    {"edit an award",
     "update tender_ledger.entry_row set next_body = replace(next_body, '15', '16') where task_id "
     "= "
     "'$task' and number = 3",
     "task $task entry 4 has another hash", false},
    {"edit a settlement",
     "update tender_ledger.ending set body = replace(body, '40', '39') where task_id = '$task'",
     "task $task entry 5 has another hash", false},
    {"move a stamp",
     "update tender_ledger.entry_row set at = at + interval '1 microsecond' where task_id = "
     "'$task' "
     "and number = 3",
     "task $task entry 3 has another hash", false},
    {"exchange a payload",
     "update tender_ledger.task set content = decode(repeat('00', 32), 'hex') where task_id = "
     "'$task'",
     "task $task entry 1 has another content", false},
    {"edit the house",
     "update tender_ledger.entry_row set body = replace(body, 'acme', 'acne') where number = 1 and "
     "task_id = '00000000-0000-0000-0000-000000000000'",
     "task 00000000-0000-0000-0000-000000000000 entry 1 has another hash", false},
    {"take out entries in the middle",
     "delete from tender_ledger.entry_row where task_id = '$task' and number = 3",
     "task $task entry 5 does not follow", false},
    {"take out the same, and see which",
     "delete from tender_ledger.entry_row where task_id = '$task' and number = 3",
     "task $task entry 4 of batch leaf", false},
    {"take out the last",
     "update tender_ledger.ending set number = null, hash = null, body = null where task_id = "
     "'$task'",
     "task $task entry 5 of batch leaf $leaf is missing", false},
    {"take out a whole task",
     "delete from tender_ledger.entry_row where task_id = '$task'; delete from "
     "tender_ledger.ending "
     "where task_id = '$task'; delete from tender_ledger.task where task_id = '$task'",
     "task $task entry 1 of batch leaf", false},
    {"put one in behind, with a hash that fits",
     "insert into tender_ledger.entry_row (at, number, shard, kind, task_id, hash, body) select "
     "e.at, 6, 0, 13, e.task_id, kept.hash(e.hash, e.task_id, 6, e.at, 'ended', '{}'), '{}' from "
     "tender_ledger.entry e where e.task_id = '$task' and e.number = 5",
     "task $task entry 6 is in no batch", false},
    {"put in a whole chain",
     "insert into tender_ledger.entry_row (at, number, shard, kind, task_id, hash, body) select "
     "'2030-01-01', 1, 0, 13, x, kept.hash(decode(repeat('00', 32), 'hex'), x, 1, '2030-01-01', "
     "'ended', '{}'), '{}' from (select '00000000-0000-7000-8000-00000000abcd'::uuid as x) x",
     "task 00000000-0000-7000-8000-00000000abcd entry 1 is in no batch", false},
    {"swap two entries",
     "update tender_ledger.entry_row set kind = next_kind, next_kind = kind, body = next_body, "
     "next_body = body, hash = next_hash, next_hash = hash where task_id = '$task' and number = 3",
     "task $task entry 3 has another hash", false},
    {"swap between tasks",
     "update tender_ledger.ending e set body = o.body, hash = o.hash from kept.ending o where "
     "(e.task_id, o.task_id) in (('$task', '$other'), ('$other', '$task'))",
     "task $task entry 5 has another hash", false},
    {"edit, with a hash that fits", REWRITE, "task $task entry 5 is not what", false},
    {"the same with its mark", REWRITE REMARK, "batch leaf $leaf is not made of its entries",
     false},
    {"the same with a tree that fits", REWRITE REMARK "call kept.replant()", "checkpoint $size",
     false},
    {"a peak that does not fit",
     "update tender_ledger.batch set peak = sha256('x') where leaf = $leaf",
     "batch leaf $leaf has another peak", false},
    {"take out a batch", "delete from tender_ledger.batch where leaf = 2",
     "batch leaf 3 does not follow", false},
    {"swap batches",
     "update tender_ledger.batch set leaf = leaf + 1000 where leaf in (2, 3); update "
     "tender_ledger.batch set leaf = 1005 - leaf where leaf > 1000",
     "batch leaf 3 is out of order", false},
    {"an entry in two batches",
     "update tender_ledger.batch b set task_ids = b.task_ids || k.task_ids, numbers = b.numbers || "
     "k.numbers, counts = b.counts || k.counts, marks = b.marks || k.marks from kept.batch k where "
     "b.leaf = $leaf and k.leaf = $leaf - 1",
     "is in two batches", false},
    {"cut off the end",
     "delete from tender_ledger.batch where leaf >= 3; delete from tender_ledger.entry_row using "
     "(select at from kept.batch where leaf = 2) b where entry_row.at > b.at; delete from "
     "tender_ledger.ending; delete from tender_ledger.task using (select at from kept.batch where "
     "leaf = 2) b where task.announced_at > b.at",
     "checkpoint $size covers what is not there", false},
    {"a signature of nobody",
     "update tender_ledger.checkpoint set signature = set_byte(signature, 9, 255 - "
     "get_byte(signature, 9)) where size = $size",
     "checkpoint $size is not signed by the key that it names", true},
    {"a checkpoint of another time",
     "update tender_ledger.checkpoint set at = at + interval '1 microsecond' where size = $size",
     "checkpoint $size is not signed by the key that it names", true},
    {"signed with another key",
     "update tender_ledger.checkpoint set key = decode('$wrong', 'hex'), signature = "
     "decode('$signed', 'hex') where size = $size",
     "checkpoint $size is signed with another key", true},
    {"signed with another key, as if it were a broker's",
     "update tender_ledger.checkpoint set key = decode('$wrong', 'hex'), signature = "
     "decode('$signed', 'hex') where size = $size; insert into tender_ledger.broker_key select "
     "clock_timestamp(), 0, 'test', decode('$wrong', 'hex')",
     "checkpoint $size is signed with another key", true},
};

/* What another key signs over the newest checkpoint. */
static void forge(char wrong_out[65], char signed_out[129])
{
    tender_key *other = NULL;
    uint8_t bytes[TENDER_CHECKPOINT_SIGNED_SIZE];
    uint8_t signature[TENDER_SIGNATURE_SIZE];
    tender_checkpoint checkpoint;
    assert_int_equal(run("ledger checkpoint"), 0);
    assert_true(tender_checkpoint_parse(said, strlen(said), &checkpoint) > 0);
    assert_int_equal(tender_key_new(&other), 0);
    tender_checkpoint_bytes(&checkpoint, bytes);
    tender_key_sign(other, bytes, sizeof bytes, signature);
    sodium_bin2hex(wrong_out, 65, tender_key_public(other), 32);
    sodium_bin2hex(signed_out, 129, signature, 64);
    tender_key_free(other);
}

/* The text with its names. Valid until the second next call. */
static const char *fill(const char *text)
{
    static char filled[2][4096];
    static int turn;
    static char wrong[65];
    static char forged[129];
    char *out = filled[turn++ % 2];
    size_t size = 0;
    if (wrong[0] == '\0') {
        forge(wrong, forged);
    }
    const char *const names[][2] = {{"$task", task[0]},   {"$other", task[1]}, {"$leaf", leaf},
                                    {"$size", last_size}, {"$wrong", wrong},   {"$signed", forged}};
    while (*text != '\0') {
        bool is_name = false;
        for (size_t i = 0; i < sizeof names / sizeof names[0] && !is_name; i++) {
            is_name = strncmp(text, names[i][0], strlen(names[i][0])) == 0;
            if (is_name) {
                size += (size_t)snprintf(out + size, sizeof filled[0] - size, "%s", names[i][1]);
                text += strlen(names[i][0]);
            }
        }
        if (!is_name) {
            out[size++] = *text++;
        }
        assert_true(size < sizeof filled[0] - 1);
    }
    out[size] = '\0';
    return out;
}

static const char *faults_in_sql(void)
{
    return sql(
        "select string_agg(concat_ws(' ', 'task ' || task_id, 'entry ' || number, 'leaf ' || "
        "leaf, fault), E'\\n') from tender.verify_tree(0)");
}

static void the_ledger_is_whole(void **state)
{
    (void)state;
    if (run("verify --key %s", key_text) != 0) {
        fail_msg("%s", said);
    }
    assert_non_null(strstr(said, "every one is signed by the key"));
    assert_string_equal(faults_in_sql(), "");
}

static void every_fault_is_found_and_named(void **state)
{
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const struct fault *fault = &faults[i];
        (void)sql("set local session_replication_role = replica; %s", fill(fault->plant));
        int code = run("verify --key %s", key_text);
        if (code != 1 || strstr(said, fill(fault->found)) == NULL) {
            fail_msg("%s: %d, and not '%s' in\n%s", fault->name, code, fill(fault->found), said);
        }
        bool is_in_sql = strcmp(faults_in_sql(), "") != 0;
        if (is_in_sql == fault->is_of_keys) {
            fail_msg("%s: tender.verify_tree says '%s'", fault->name, faults_in_sql());
        }
        put_back();
    }
    the_ledger_is_whole(state);
}

/* The ledger says whose the keys are. */
static void without_a_key_who_signed_must_have_been_a_broker(void **state)
{
    char expected[128];
    (void)state;
    snprintf(expected, sizeof expected, "signed by the broker test with %s\n", key_text);
    if (run("verify") != 0 || strstr(said, expected) == NULL) {
        fail_msg("not '%s' in\n%s", expected, said);
    }
    (void)sql("set local session_replication_role = replica; %s",
              fill("update tender_ledger.checkpoint set key = decode('$wrong', 'hex'), signature = "
                   "decode('$signed', 'hex') where size = $size"));
    if (run("verify") != 1 ||
        strstr(said, fill("shard 0 checkpoint $size is signed with a key that no broker had: "
                          "ed25519:$wrong")) == NULL) {
        fail_msg("%s", said);
    }
    put_back();
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* An outsider has the file, the checkpoint in it and the key, and nothing else. */
static void entries_are_proven_to_outsiders(void **state)
{
    (void)state;
    for (int number = 1; number <= 5; number++) {
        assert_int_equal(run("ledger prove %s --entry %d", task[0], number), 0);
        tender_proof proof;
        uint8_t public_key[TENDER_PUBLIC_KEY_SIZE];
        const char *why = NULL;
        assert_int_equal(tender_key_parse(key_text, strlen(key_text), public_key), 0);
        if (tender_proof_check(said, strlen(said), public_key, &proof, &why) != 0) {
            fail_msg("%s\n%s", why, said);
        }
        assert_int_equal(proof.number, number);
        write_file("entry.proof", said);
        assert_int_equal(run("verify entry.proof --key %s", key_text), 0);
        assert_non_null(strstr(said, fill("of task $task is recorded")));
        assert_int_equal(run("verify entry.proof --key ed25519:"
                             "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"),
                         1);
    }
    assert_int_equal(run("ledger prove 00000000-0000-7000-8000-00000000abcd"), 4);
    unlink("entry.proof");
}

/* Whoever has the key can sign anything: only who kept an older checkpoint sees the fork. */
static void forks_are_seen_by_who_kept_a_checkpoint(void **state)
{
    struct house *house = *state;
    struct chain chain;
    assert_int_equal(run("ledger checkpoint"), 0);
    write_file("old.checkpoint", said);
    assert_int_equal(run("verify old.checkpoint --key %s", key_text), 0);
    tell(house, &chain, "after");
    assert_int_equal(run("ledger consistency old.checkpoint"), 0);
    write_file("since.proof", said);
    assert_int_equal(run("verify since.proof --key %s", key_text), 0);

    (void)sql("set local session_replication_role = replica; %s", fill(REWRITE));
    (void)sql("set local session_replication_role = replica; %s", fill(REMARK));
    (void)sql("set session_replication_role = replica; call kept.replant()");
    (void)sql("set local session_replication_role = replica; delete from tender_ledger.checkpoint");
    char problem[TENDER_KEY_PROBLEM_SIZE];
    unlink("broker.key");
    assert_int_equal(tender_key_write(key, "broker.key", problem), 0);
    assert_int_equal(run("ledger checkpoint --sign broker.key"), 0);
    the_ledger_is_whole(state); /* in itself */
    assert_int_equal(run("ledger consistency old.checkpoint"), 0);
    write_file("since.proof", said);
    assert_int_equal(run("verify since.proof --key %s", key_text), 1);
    assert_non_null(strstr(said, "no beginning"));

    put_back(); /* cut to what was before, as if nothing had come since */
    (void)sql("set local session_replication_role = replica; delete from tender_ledger.batch where "
              "leaf >= 3; delete from tender_ledger.checkpoint where size > 3");
    assert_int_equal(run("ledger consistency old.checkpoint"), 1);
    assert_non_null(strstr(said, "it was cut"));
    unlink("broker.key");
    unlink("old.checkpoint");
    unlink("since.proof");
}

static int make_ledger(void **state)
{
    static struct house house;
    struct chain chains[3];
    if (migrate_database(state) != 0 || sodium_init() < 0 || tender_key_new(&key) != 0) {
        return 1;
    }
    tender_key_text(tender_key_public(key), key_text);
    house_sign = sign;
    house_key = tender_key_public(key);
    house_open(&house, "test");
    house_fund(&house, "acme", 10000 * CREDIT);
    assert_committed(&house);
    tell(&house, &chains[0], "first");
    snprintf(leaf, sizeof leaf, "%s", sql("select max(leaf) from tender_ledger.batch"));
    tell(&house, &chains[1], "second");
    tell(&house, &chains[2], "third");
    for (int i = 0; i < 2; i++) {
        tender_id_format(chains[i].task, task[i]);
    }
    snprintf(last_size, sizeof last_size, "%s",
             sql("select max(size) from tender_ledger.checkpoint"));
    keep();
    make_helpers();
    *state = &house;
    return 0;
}

static int end_ledger(void **state)
{
    house_close(*state);
    tender_key_free(key);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ledger_is_whole),
        cmocka_unit_test(every_fault_is_found_and_named),
        cmocka_unit_test(without_a_key_who_signed_must_have_been_a_broker),
        cmocka_unit_test(entries_are_proven_to_outsiders),
        cmocka_unit_test(forks_are_seen_by_who_kept_a_checkpoint),
    };
    return cmocka_run_group_tests(tests, make_ledger, end_ledger);
}
