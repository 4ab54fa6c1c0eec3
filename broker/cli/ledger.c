/*
 * tender ledger: the schema, and the facts themselves.
 */
#include "commands.h"

#include "archive.h"
#include "chain.h"
#include "database.h"
#include "ledger.h"

#include <inttypes.h>
#include <string.h>

static const char house[] = "00000000-0000-0000-0000-000000000000";

/* The task that is asked about, or the house. */
static const char *chain_of(const struct arguments *arguments)
{
    return operand(arguments, 0)->is_set ? operand(arguments, 0)->text : house;
}

static void on_step(void *context, int32_t version, const char *name)
{
    (void)context;
    printf("applied %d %s\n", version, name);
}

/* Only a new ledger takes another number of shards; the database refuses otherwise. */
static int set_shards(const struct arguments *arguments)
{
    const char *parameters[] = {argument_text(arguments, "shards")};
    PGconn *connection = NULL;
    PGresult *result = NULL;
    if (parameters[0] == NULL) {
        return EXIT_DONE;
    }
    int code = database_open(arguments, &connection);
    if (code == EXIT_DONE) {
        code = database_ask(arguments, connection, "select tender_ledger.set_shards($1::integer)",
                            1, parameters, &result);
    }
    PQclear(result);
    PQfinish(connection);
    return code;
}

int run_ledger_migrate(const struct arguments *arguments)
{
    char error[1024] = "";
    struct ledger_schema schema = {0};
    int status = ledger_migrate(database_url(arguments), on_step, NULL, error, sizeof(error));
    if (status == 0) {
        status = ledger_schema(database_url(arguments), &schema, error, sizeof(error));
    }
    if (status < 0) {
        return command_fail(arguments, status == TENDER_EDATABASE ? EXIT_AWAY : EXIT_OTHERWISE,
                            "%s", error);
    }
    int code = set_shards(arguments);
    if (code == EXIT_DONE) {
        printf("schema version %d\n", schema.version);
    }
    return code;
}

static const char sql_status[] =
    "select $1::integer as schema_version, $2::integer as known_version, "
    "(select count(*) from tender.task) as tasks, "
    "(select count(*) from tender.task where ended_at is null) as tasks_not_ended, "
    "(select count(*) from tender.overdue) as overdue, "
    "tender_ledger.shard_count() as shards, r.shard, r.reign, r.broker, r.batch, r.stamp_at, "
    "round(extract(epoch from clock_timestamp() - r.stamp_at)::numeric, 1)::text || ' s' "
    "as stamp_age, pg_size_pretty(pg_database_size(current_database())) as database_size, "
    "current_setting('server_version') as server "
    "from (select 1) one left join lateral (select * from tender_ledger.reign order by shard limit "
    "1) "
    "r on true";

int run_ledger_status(const struct arguments *arguments)
{
    char error[1024] = "";
    char versions[2][16];
    struct ledger_schema schema = {0};
    int status = ledger_schema(database_url(arguments), &schema, error, sizeof(error));
    if (status < 0) {
        return command_fail(arguments, EXIT_AWAY, "%s", error);
    }
    if (schema.version == 0) {
        return command_fail(arguments, EXIT_OTHERWISE,
                            "the database has no schema of Tender; tender ledger migrate makes it");
    }
    snprintf(versions[0], sizeof(versions[0]), "%d", schema.version);
    snprintf(versions[1], sizeof(versions[1]), "%d", schema.known);
    const char *parameters[] = {versions[0], versions[1]};
    int code = database_show(arguments, "reign", OUTPUT_RECORD, sql_status, 2, parameters);
    if (code == EXIT_DONE && schema.version != schema.known) {
        code = command_fail(arguments, EXIT_OTHERWISE,
                            schema.version < schema.known
                                ? "the schema is older than this program; tender ledger migrate"
                                : "the schema is newer than this program");
    }
    return code;
}

static const char sql_entries[] =
    "select e.number, e.at, w.name as kind, e.body, octet_length(e.content) as content_size, "
    "encode(e.hash, 'hex') as hash, e.shard from tender_ledger.entry e join tender_ledger.word w "
    "on w.vocabulary = 'entry_kind' and w.code = e.kind where e.task_id = $1::uuid "
    "order by e.shard, e.number";

int run_ledger_entries(const struct arguments *arguments)
{
    const char *chain = chain_of(arguments);
    return operand(arguments, 0)->is_set
               ? database_show_task(arguments, chain, OUTPUT_LIST, sql_entries)
               : database_show(arguments, "entry", OUTPUT_LIST, sql_entries, 1, &chain);
}

/* With several chains it says whose this one is. */
static void say_whole(const PGresult *result, int from, int to, const tender_digest *head)
{
    char hex[CHAIN_HEX_MAX];
    chain_hex(head, hex);
    if (to - from < PQntuples(result)) {
        printf("shard %s: ", PQgetvalue(result, from, CHAIN_SHARD));
    }
    printf("%d entries, the chain is whole; its head is %s\n", to - from, hex);
}

/* The chain of a task, or those of the house in each shard. */
static int verify(const struct arguments *arguments, const PGresult *result)
{
    tender_digest head = {{0}};
    int rows = PQntuples(result);
    int from = 0;
    for (int row = 0; row < rows; row++) {
        struct stored stored;
        if (strcmp(PQgetvalue(result, row, CHAIN_SHARD), PQgetvalue(result, from, CHAIN_SHARD)) !=
            0) {
            say_whole(result, from, row, &head);
            from = row;
            head = (tender_digest){{0}};
        }
        const char *fault = chain_read(result, row, &stored)
                                ? chain_fault(&stored, (uint64_t)(row - from) + 1, &head)
                                : "has no hash";
        if (fault != NULL) {
            return command_fail(arguments, EXIT_OTHERWISE, "entry %s %s",
                                PQgetvalue(result, row, 1), fault);
        }
    }
    say_whole(result, from, rows, &head);
    return EXIT_DONE;
}

/* Whether who asks may read entries; who may not lets the database recompute the chain. */
static int may_read_entries(const struct arguments *arguments, PGconn *connection, bool *may_out)
{
    PGresult *result = NULL;
    int code = database_ask(arguments, connection,
                            "select has_schema_privilege('tender_ledger', 'usage') and "
                            "has_table_privilege('tender_ledger.entry', 'select')",
                            0, NULL, &result);
    *may_out = code == EXIT_DONE && strcmp(PQgetvalue(result, 0, 0), "t") == 0;
    PQclear(result);
    return code;
}

/* The verdict of tender.verify_task. */
static int believe(const struct arguments *arguments, const PGresult *result)
{
    int64_t entries = database_number(result, 0, 0);
    if (entries == 0 && operand(arguments, 0)->is_set) {
        return database_no_task(arguments, operand(arguments, 0)->text);
    }
    if (database_number(result, 0, 1) != 0) {
        return command_fail(arguments, EXIT_OTHERWISE,
                            "entry %s has another hash than its bytes "
                            "and the entry before it give",
                            PQgetvalue(result, 0, 2));
    }
    printf("%" PRId64 " entries, the chain is whole (the database computed it); its head is %s\n",
           entries, PQgetvalue(result, 0, 3));
    return EXIT_DONE;
}

static const char sql_chain[] =
    CHAIN_ENTRIES "where e.task_id = $1::uuid order by e.shard, e.number";
static const char sql_verdict[] =
    "select entries, faults, first_fault, head from tender.verify_task($1::uuid)";

int run_ledger_verify(const struct arguments *arguments)
{
    const char *parameters[] = {chain_of(arguments)};
    if (argument(arguments, "archive")->is_set) {
        bool is_done = false;
        int verified = archive_verify(arguments, NULL, &is_done);
        if (verified != EXIT_DONE || is_done) {
            return verified;
        }
    }
    PGconn *connection = NULL;
    PGresult *result = NULL;
    bool may_read = false;
    int code = database_open(arguments, &connection);
    if (code == EXIT_DONE) {
        code = may_read_entries(arguments, connection, &may_read);
    }
    if (code == EXIT_DONE) {
        code = database_ask(arguments, connection, may_read ? sql_chain : sql_verdict, 1,
                            parameters, &result);
    }
    if (code == EXIT_DONE && !may_read) {
        code = believe(arguments, result);
    } else if (code == EXIT_DONE && PQntuples(result) == 0 && operand(arguments, 0)->is_set) {
        code = database_no_task(arguments, operand(arguments, 0)->text);
    } else if (code == EXIT_DONE) {
        code = verify(arguments, result);
    }
    PQclear(result);
    PQfinish(connection);
    return code;
}
