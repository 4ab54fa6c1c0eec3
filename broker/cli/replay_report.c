/*
 * How a replay went, read from the ledger's views, and whether the books balance.
 */
#include "replay.h"

#include "database.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * The rows of this run ($1), read once; the questions are asked about them. Rows that are minutes
 * old have no statistics yet, and nested loops over them would take hours.
 */
static const char *const preparations[] = {
    "select set_config('enable_nestloop', 'off', false), set_config('jit', 'off', false), "
    "length($1::text)",
    "create temporary table t as select * from tender.task "
    "where principal = '" REPLAY_PRINCIPAL "' and starts_with(key, $1 || '-')",
    "create temporary table c as select c.* from tender.commitment c join t using (task_id) "
    "where $1::text is not null",
    "create temporary table a as select a.* from tender.award a join t using (task_id) "
    "where $1::text is not null",
};
#define PREPARATION_COUNT (sizeof(preparations) / sizeof(preparations[0]))

static const char sql_tasks[] =
    "select count(*), count(*) filter (where status::text = 'done'), "
    "count(*) filter (where status::text = 'unallocated'), "
    "count(*) filter (where status::text = 'cancelled'), "
    "count(*) filter (where ended_at is null), coalesce(max(round), 0), "
    "coalesce(sum(ceiling), 0)::numeric(20,6), "
    "extract(epoch from max(ended_at) - min(announced_at))::numeric(20,3) from t";

static const char sql_commitments[] =
    "select count(*), count(*) filter (where status::text = 'fulfilled'), "
    "count(*) filter (where status::text = 'failed'), "
    "count(*) filter (where status::text = 'lapsed'), "
    "count(*) filter (where status::text = 'declined'), "
    "count(*) filter (where status::text = 'fulfilled' and ended_at <= due_at) from c";

static const char sql_latency[] =
    "with l as (select 1000 * extract(epoch from min(a.awarded_at) - t.announced_at) as ms "
    "from t join a using (task_id) group by t.task_id, t.announced_at) "
    "select round((percentile_disc(0.5) within group (order by ms))::numeric, 3), "
    "round((percentile_disc(0.9) within group (order by ms))::numeric, 3), "
    "round((percentile_disc(0.99) within group (order by ms))::numeric, 3), "
    "round(max(ms)::numeric, 3) from l";

/* Costs are null for who may not see them; then there is no sum of bids. */
static const char sql_money[] =
    "with p as (select p.* from tender.posting p join t using (task_id)) "
    "select coalesce(sum(amount) filter (where bucket = 'available' and amount < 0), 0) * -1, "
    "coalesce(sum(amount) filter (where bucket = 'available' and amount > 0), 0), "
    "coalesce(sum(amount) filter (where bucket = 'earned'), 0), coalesce(sum(amount), 0), "
    "(select case when count(*) = count(cost) then sum(cost) end from a join c "
    "on c.task_id = a.task_id and c.round = a.round and c.owner = a.contractor "
    "where c.status::text = 'fulfilled') from p";

static const char sql_tiers[] =
    "select owner, count(*), count(*) filter (where status::text = 'fulfilled'), "
    "coalesce(sum(paid), 0), coalesce(sum(units_done), 0)::bigint, "
    "(select case when count(*) = count(cost) then sum(cost) end from a "
    "where a.contractor = c.owner) from c group by owner order by owner";

enum { QUERY_TASKS, QUERY_COMMITMENTS, QUERY_LATENCY, QUERY_MONEY, QUERY_TIERS, QUERY_COUNT };
static const char *const queries[] = {sql_tasks, sql_commitments, sql_latency, sql_money,
                                      sql_tiers};

/* Writes part / whole as "97.3%", rounded down; null without a whole. */
static void cell_share(struct sheet *sheet, int64_t part, int64_t whole)
{
    char text[VALUE_MICRO_MAX];
    int64_t tenths = whole == 0 ? 0 : (int64_t)((__int128)part * 1000 / whole);
    snprintf(text, sizeof(text), "%" PRId64 ".%" PRId64 "%%", tenths / 10, tenths % 10);
    sheet_cell(sheet, whole == 0 ? NULL : text);
}

static const char *text_of(const PGresult *result, int column)
{
    return PQgetisnull(result, 0, column) ? NULL : PQgetvalue(result, 0, column);
}

/* Whether every row ended and the postings of the run add up. */
static bool is_balanced(const struct replay *replay, PGresult *const *results)
{
    const PGresult *tasks = results[QUERY_TASKS];
    const PGresult *money = results[QUERY_MONEY];
    int64_t reserved = database_micro(money, 0, 0);
    return database_number(tasks, 0, 0) == (int64_t)replay->trace.count &&
           database_number(tasks, 0, 4) == 0 && database_micro(tasks, 0, 6) == reserved &&
           database_micro(money, 0, 1) + database_micro(money, 0, 2) == reserved &&
           database_micro(money, 0, 3) == 0;
}

static void name_columns(struct sheet *sheet)
{
    static const char *const counts[] = {"rows",      "tasks",     "done",           "unallocated",
                                         "cancelled", "not_ended", "rounds_at_most", "commitments",
                                         "fulfilled", "failed",    "lapsed",         "declined"};
    sheet_column(sheet, "run", COLUMN_TEXT);
    sheet_column(sheet, "speed", COLUMN_TEXT);
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        sheet_column(sheet, counts[i], COLUMN_COUNT);
    }
    sheet_column(sheet, "on_time", COLUMN_TEXT);
    sheet_column(sheet, "award_p50_ms", COLUMN_MONEY);
    sheet_column(sheet, "award_p90_ms", COLUMN_MONEY);
    sheet_column(sheet, "award_p99_ms", COLUMN_MONEY);
    sheet_column(sheet, "award_max_ms", COLUMN_MONEY);
    sheet_column(sheet, "reserved", COLUMN_MONEY);
    sheet_column(sheet, "paid", COLUMN_MONEY);
    sheet_column(sheet, "released", COLUMN_MONEY);
    sheet_column(sheet, "bids_that_won", COLUMN_MONEY);
    sheet_column(sheet, "paid_of_bids", COLUMN_TEXT);
    sheet_column(sheet, "paid_of_ceilings", COLUMN_TEXT);
    sheet_column(sheet, "seconds", COLUMN_MONEY);
    sheet_column(sheet, "tasks_per_second", COLUMN_COUNT);
    sheet_column(sheet, "books_balance", COLUMN_TRUTH);
}

static struct sheet *summary(const struct replay *replay, PGresult *const *results,
                             int64_t elapsed_us)
{
    const PGresult *tasks = results[QUERY_TASKS];
    const PGresult *commitments = results[QUERY_COMMITMENTS];
    const PGresult *money = results[QUERY_MONEY];
    struct sheet *sheet = sheet_open();
    if (sheet == NULL) {
        return NULL;
    }
    name_columns(sheet);
    sheet_cell(sheet, replay->run);
    sheet_cell(sheet, argument_text(replay->arguments, "speed"));
    sheet_count(sheet, (int64_t)replay->trace.count);
    for (int i = 0; i < 6; i++) {
        sheet_cell(sheet, text_of(tasks, i));
    }
    for (int i = 0; i < 5; i++) {
        sheet_cell(sheet, text_of(commitments, i));
    }
    cell_share(sheet, database_number(commitments, 0, 5), database_number(commitments, 0, 0));
    for (int i = 0; i < 4; i++) {
        sheet_cell(sheet, text_of(results[QUERY_LATENCY], i));
    }
    sheet_cell(sheet, text_of(money, 0));
    sheet_cell(sheet, text_of(money, 2));
    sheet_cell(sheet, text_of(money, 1));
    sheet_cell(sheet, text_of(money, 4));
    cell_share(sheet, database_micro(money, 0, 2), database_micro(money, 0, 4));
    cell_share(sheet, database_micro(money, 0, 2), database_micro(money, 0, 0));
    sheet_cell(sheet, text_of(tasks, 7));
    sheet_count(sheet, elapsed_us == 0 ? 0 : database_number(tasks, 0, 1) * 1000000 / elapsed_us);
    sheet_truth(sheet, is_balanced(replay, results));
    return sheet;
}

/* How busy a tier's slots were over the whole run: tokens that it did, over tokens it could do. */
static void cell_utilisation(struct sheet *sheet, const struct replay *replay, const char *name,
                             int64_t tokens, int64_t lasted_ms)
{
    for (size_t i = 0; i < replay->tiers.count && replay->speed > 0; i++) {
        const struct tier *tier = &replay->tiers.items[i];
        if (strcmp(tier->name, name) == 0) {
            __int128 could =
                (__int128)tier->slots * tier->tokens_per_second * replay->speed * lasted_ms / 1000;
            cell_share(sheet, tokens, could > INT64_MAX ? INT64_MAX : (int64_t)could);
            return;
        }
    }
    sheet_cell(sheet, NULL);
}

static struct sheet *tier_rows(const struct replay *replay, PGresult *const *results)
{
    const PGresult *tiers = results[QUERY_TIERS];
    int64_t all = database_number(results[QUERY_COMMITMENTS], 0, 0);
    int64_t spend = database_micro(results[QUERY_MONEY], 0, 2);
    int64_t lasted_ms = database_micro(results[QUERY_TASKS], 0, 7) / 1000;
    struct sheet *sheet = sheet_open();
    if (sheet == NULL) {
        return NULL;
    }
    sheet_column(sheet, "tier", COLUMN_TEXT);
    sheet_column(sheet, "commitments", COLUMN_COUNT);
    sheet_column(sheet, "fulfilled", COLUMN_COUNT);
    sheet_column(sheet, "share", COLUMN_TEXT);
    sheet_column(sheet, "tokens", COLUMN_COUNT);
    sheet_column(sheet, "paid", COLUMN_MONEY);
    sheet_column(sheet, "share_of_spend", COLUMN_TEXT);
    sheet_column(sheet, "bids", COLUMN_MONEY);
    sheet_column(sheet, "utilisation", COLUMN_TEXT);
    for (int row = 0; row < PQntuples(tiers); row++) {
        sheet_cell(sheet, PQgetvalue(tiers, row, 0));
        sheet_cell(sheet, PQgetvalue(tiers, row, 1));
        sheet_cell(sheet, PQgetvalue(tiers, row, 2));
        cell_share(sheet, database_number(tiers, row, 1), all);
        sheet_cell(sheet, PQgetvalue(tiers, row, 4));
        sheet_cell(sheet, PQgetvalue(tiers, row, 3));
        cell_share(sheet, database_micro(tiers, row, 3), spend);
        sheet_cell(sheet, PQgetisnull(tiers, row, 5) ? NULL : PQgetvalue(tiers, row, 5));
        cell_utilisation(sheet, replay, PQgetvalue(tiers, row, 0), database_number(tiers, row, 4),
                         lasted_ms);
    }
    return sheet;
}

static int print_both(const struct replay *replay, PGresult *const *results, int64_t elapsed_us)
{
    enum output_format format = argument_format(replay->arguments);
    struct sheet *first = summary(replay, results, elapsed_us);
    struct sheet *second = tier_rows(replay, results);
    fputs(format == OUTPUT_JSON ? "{\"summary\":" : "", stdout);
    int status = sheet_print(first, format, OUTPUT_RECORD, stdout);
    fputs(format == OUTPUT_JSON ? ",\"tiers\":" : "\n", stdout);
    if (status == 0) {
        status = sheet_print(second, format, OUTPUT_LIST, stdout);
    }
    fputs(format == OUTPUT_JSON ? "}\n" : "", stdout);
    sheet_close(first);
    sheet_close(second);
    return status == 0 ? EXIT_DONE : EXIT_OTHERWISE;
}

int report_print(const struct replay *replay, int64_t elapsed_us)
{
    const char *parameters[] = {replay->run};
    PGresult *results[QUERY_COUNT] = {NULL};
    PGconn *connection = NULL;
    int code = database_open(replay->arguments, &connection);
    for (size_t i = 0; i < PREPARATION_COUNT && code == EXIT_DONE; i++) {
        PGresult *prepared = NULL;
        code =
            database_ask(replay->arguments, connection, preparations[i], 1, parameters, &prepared);
        PQclear(prepared);
    }
    for (size_t i = 0; i < QUERY_COUNT && code == EXIT_DONE; i++) {
        code = database_ask(replay->arguments, connection, queries[i], 0, NULL, &results[i]);
    }
    if (code == EXIT_DONE) {
        code = print_both(replay, results, elapsed_us);
    }
    if (code == EXIT_DONE && !is_balanced(replay, results)) {
        code = command_fail(replay->arguments, EXIT_OTHERWISE,
                            "tasks are lost or have not ended, or paid + released is not reserved");
    }
    for (size_t i = 0; i < QUERY_COUNT; i++) {
        PQclear(results[i]);
    }
    PQfinish(connection);
    return code;
}
