/*
 * tender explain: a task round by round, with every answer, its rank and its reason, the price and
 * the rule that made it, why each other contractor did not get it, and what became of each
 * commitment. All from the ledger's views, so each role sees the costs that it may see.
 */
#include "commands.h"

#include "database.h"

#include <stdlib.h>
#include <string.h>

enum { FROM_TASK, FROM_ROUND, FROM_BID, FROM_AWARD, FROM_COMMITMENT, FROM_WHY, FROM_COUNT };

/* The first column of all but the task is the round. */
static const char *const queries[] = {
    [FROM_TASK] = "select * from tender.task where task_id = $1::uuid",
    [FROM_ROUND] = "select round, units, ceiling, invited, closes_at, closed_at, outcome "
                   "from tender.round where task_id = $1::uuid order by round",
    [FROM_BID] = "select round, rank, contractor, principal, cost, eta, status, reason "
                 "from tender.bid where task_id = $1::uuid "
                 "order by round, nullif(rank, 0) nulls last, contractor",
    [FROM_AWARD] = "select round, contractor, cost, price, awarded_at, "
                   "price_set_by from tender.award where task_id = $1::uuid "
                   "order by round, generation",
    [FROM_COMMITMENT] = "select round, commitment_id, owner, units, units_done, price, paid, "
                        "status, reason, due_at, ended_at, overdue "
                        "from tender.commitment where task_id = $1::uuid "
                        "order by round, awarded_at",
    [FROM_WHY] = "select round, contractor, principal, reason, detail, late_by "
                 "from tender.why_not where task_id = $1::uuid "
                 "and ($2::text is null or contractor = $2) order by round, contractor",
};

struct story {
    const struct arguments *arguments;
    PGresult *results[FROM_COUNT];
};

static const char *cell(const PGresult *result, int row, int column)
{
    return PQgetisnull(result, row, column) ? NULL : PQgetvalue(result, row, column);
}

/* Words of tender.why_not that are no reasons of the ledger. */
static const char *const other_words[][2] = {
    {"unanswered", "was invited and did not answer"},
    {"undelivered", "was invited, and gone before the close"},
    {"another-assigned",
     "had more commitments than who was assigned, or as many and lost the draw"},
    {"not-invited", "nothing recorded says why it was not invited"},
};

/* The sentence for a reason's name, or NULL. */
static const char *sentence_of(const char *reason)
{
    for (size_t i = 0; reason != NULL && i < sizeof(other_words) / sizeof(other_words[0]); i++) {
        if (strcmp(reason, other_words[i][0]) == 0) {
            return other_words[i][1];
        }
    }
    int code = reason == NULL ? -1 : tender_reason_parse(reason, strlen(reason));
    return code <= 0 ? NULL : tender_reason_text((tender_reason)code);
}

/* Which principal's agent a bidder of a round is; NULL: not known. */
static const char *principal_of(const struct story *story, const char *round,
                                const char *contractor)
{
    const PGresult *bids = story->results[FROM_BID];
    for (int row = 0; row < PQntuples(bids); row++) {
        if (strcmp(PQgetvalue(bids, row, 0), round) == 0 &&
            strcmp(PQgetvalue(bids, row, 2), contractor) == 0) {
            return cell(bids, row, 3);
        }
    }
    return NULL;
}

/* Whether another principal bid in the round of an award, eligible or not. */
static bool has_rival(const struct story *story, int award)
{
    const PGresult *bids = story->results[FROM_BID];
    const char *round = PQgetvalue(story->results[FROM_AWARD], award, 0);
    const char *winner =
        principal_of(story, round, PQgetvalue(story->results[FROM_AWARD], award, 1));
    for (int row = 0; row < PQntuples(bids); row++) {
        if (strcmp(PQgetvalue(bids, row, 0), round) == 0 &&
            strcmp(PQgetvalue(bids, row, 6), "refused") != 0 && winner != NULL &&
            strcmp(PQgetvalue(bids, row, 3), winner) != 0) {
            return true;
        }
    }
    return false;
}

/* Says in words which rule made the price of an award. */
static void describe_price(const struct story *story, int award, char *words, size_t capacity)
{
    const PGresult *awards = story->results[FROM_AWARD];
    const char *round = PQgetvalue(awards, award, 0);
    const char *set_by = cell(awards, award, 5);
    char price[VALUE_MICRO_MAX];
    value_write_credits(database_micro(awards, award, 3), price);
    const char *principal = set_by == NULL ? NULL : principal_of(story, round, set_by);
    /* The view says "ceiling", "rate" or "clarke" where nobody set it; who has such a name has a
     * bid. */
    if (set_by != NULL && principal == NULL && strcmp(set_by, "rate") == 0) {
        snprintf(words, capacity, "the posted rate");
    } else if (set_by != NULL && principal == NULL && strcmp(set_by, "clarke") == 0) {
        snprintf(words, capacity, "what the others would cost without it, less what they cost now");
    } else if (set_by != NULL && (principal != NULL || strcmp(set_by, "ceiling") != 0)) {
        bool is_named = principal != NULL && strcmp(principal, set_by) != 0;
        snprintf(words, capacity, "lowest cost among other principals: %s by %s%s%s%s", price,
                 set_by, is_named ? " (" : "", is_named ? principal : "", is_named ? ")" : "");
    } else {
        snprintf(words, capacity, "%s",
                 has_rival(story, award) ? "the ceiling, no bid of another principal was eligible"
                                         : "the ceiling, no other principal bid");
    }
}

static struct sheet *bid_sheet(const struct story *story, const char *round)
{
    static const char *const names[] = {"rank", "contractor", "principal", "cost",
                                        "eta",  "status",     "reason"};
    const PGresult *bids = story->results[FROM_BID];
    struct sheet *sheet = sheet_open();
    for (int i = 0; i < 7 && sheet != NULL; i++) {
        sheet_column(sheet, names[i], i == 0 ? COLUMN_COUNT : i == 3 ? COLUMN_MONEY : COLUMN_TEXT);
    }
    if (sheet == NULL) {
        return NULL;
    }
    sheet_column(sheet, "why", COLUMN_TEXT);
    for (int row = 0; row < PQntuples(bids); row++) {
        if (strcmp(PQgetvalue(bids, row, 0), round) != 0) {
            continue;
        }
        for (int i = 1; i <= 7; i++) {
            sheet_cell(sheet, cell(bids, row, i));
        }
        sheet_cell(sheet, sentence_of(cell(bids, row, 7)));
    }
    return sheet;
}

/* Why contractors did not get the round; in text only those that did not answer, who stand above.
 */
static struct sheet *why_sheet(const struct story *story, const char *round, bool is_all)
{
    static const char *const names[] = {"contractor", "principal", "reason", "detail", "late_by"};
    const PGresult *rows = story->results[FROM_WHY];
    struct sheet *sheet = sheet_open();
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && sheet != NULL; i++) {
        sheet_column(sheet, names[i], COLUMN_TEXT);
    }
    if (sheet == NULL) {
        return NULL;
    }
    sheet_column(sheet, "why", COLUMN_TEXT);
    for (int row = 0; row < PQntuples(rows); row++) {
        bool is_shown = is_all || principal_of(story, round, PQgetvalue(rows, row, 1)) == NULL;
        if (strcmp(PQgetvalue(rows, row, 0), round) != 0 || !is_shown) {
            continue;
        }
        for (int i = 1; i <= 5; i++) {
            sheet_cell(sheet, cell(rows, row, i));
        }
        sheet_cell(sheet, sentence_of(cell(rows, row, 3)));
    }
    return sheet;
}

static struct sheet *award_sheet(const struct story *story, const char *round)
{
    const PGresult *awards = story->results[FROM_AWARD];
    struct sheet *sheet = sheet_open();
    if (sheet == NULL) {
        return NULL;
    }
    sheet_column(sheet, "contractor", COLUMN_TEXT);
    sheet_column(sheet, "cost", COLUMN_MONEY);
    sheet_column(sheet, "price", COLUMN_MONEY);
    sheet_column(sheet, "price_set_by", COLUMN_TEXT);
    sheet_column(sheet, "price_rule", COLUMN_TEXT);
    for (int row = 0; row < PQntuples(awards); row++) {
        char words[512];
        if (strcmp(PQgetvalue(awards, row, 0), round) != 0) {
            continue;
        }
        describe_price(story, row, words, sizeof(words));
        sheet_cell(sheet, cell(awards, row, 1));
        sheet_cell(sheet, cell(awards, row, 2));
        sheet_cell(sheet, cell(awards, row, 3));
        sheet_cell(sheet, cell(awards, row, 5));
        sheet_cell(sheet, words);
    }
    return sheet;
}

/* Prints a sheet and closes it. */
static int print(struct sheet *sheet, enum output_format format, enum output_shape shape)
{
    int status = sheet_print(sheet, format, shape, stdout);
    sheet_close(sheet);
    return status;
}

static struct sheet *rows_of(const PGresult *result, const char *round)
{
    return database_sheet_where(result, 0, round);
}

static int print_json(const struct story *story)
{
    const PGresult *rounds = story->results[FROM_ROUND];
    fputs("{\"task\":", stdout);
    int status = print(database_sheet(story->results[FROM_TASK]), OUTPUT_JSON, OUTPUT_RECORD);
    fputs(",\"rounds\":[", stdout);
    for (int row = 0; row < PQntuples(rounds) && status == 0; row++) {
        const char *round = PQgetvalue(rounds, row, 0);
        fputs(row == 0 ? "{\"terms\":" : ",{\"terms\":", stdout);
        status = print(rows_of(rounds, round), OUTPUT_JSON, OUTPUT_RECORD);
        fputs(",\"bids\":", stdout);
        status = status < 0 ? status : print(bid_sheet(story, round), OUTPUT_JSON, OUTPUT_LIST);
        fputs(",\"awards\":", stdout);
        status = status < 0 ? status : print(award_sheet(story, round), OUTPUT_JSON, OUTPUT_LIST);
        fputs(",\"why_not\":", stdout);
        status =
            status < 0 ? status : print(why_sheet(story, round, true), OUTPUT_JSON, OUTPUT_LIST);
        fputs(",\"commitments\":", stdout);
        status = status < 0 ? status
                            : print(rows_of(story->results[FROM_COMMITMENT], round), OUTPUT_JSON,
                                    OUTPUT_LIST);
        fputs("}", stdout);
    }
    fputs("]}\n", stdout);
    return status;
}

/* The bids of all rounds with what became of them; for a table elsewhere. */
static int print_csv(const struct story *story)
{
    const PGresult *bids = story->results[FROM_BID];
    const PGresult *awards = story->results[FROM_AWARD];
    struct sheet *sheet = database_sheet_open(bids);
    if (sheet == NULL) {
        return TENDER_ENOMEM;
    }
    sheet_column(sheet, "price", COLUMN_MONEY);
    sheet_column(sheet, "price_rule", COLUMN_TEXT);
    for (int row = 0; row < PQntuples(bids); row++) {
        char words[512] = "";
        const char *price = NULL;
        for (int award = 0; award < PQntuples(awards); award++) {
            if (strcmp(PQgetvalue(awards, award, 0), PQgetvalue(bids, row, 0)) == 0 &&
                strcmp(PQgetvalue(awards, award, 1), PQgetvalue(bids, row, 2)) == 0) {
                price = PQgetvalue(awards, award, 3);
                describe_price(story, award, words, sizeof(words));
            }
        }
        database_row(sheet, bids, row);
        sheet_cell(sheet, price);
        sheet_cell(sheet, price == NULL ? NULL : words);
    }
    return print(sheet, OUTPUT_CSV, OUTPUT_LIST);
}

/* "15", without the zeros behind. */
static const char *credits_of(const PGresult *result, int row, int column, char *text)
{
    value_write_credits(database_micro(result, row, column), text);
    return text;
}

static void tell_task(const PGresult *task)
{
    char ceiling[VALUE_MICRO_MAX];
    const char *reason = cell(task, 0, PQfnumber(task, "reason"));
    const char *why = sentence_of(reason);
    printf("Task %s: %s, %s units, ceiling %s, for %s\n",
           PQgetvalue(task, 0, PQfnumber(task, "task_id")),
           PQgetvalue(task, 0, PQfnumber(task, "skill")),
           PQgetvalue(task, 0, PQfnumber(task, "units")),
           credits_of(task, 0, PQfnumber(task, "ceiling"), ceiling),
           PQgetvalue(task, 0, PQfnumber(task, "principal")));
    printf("It is %s%s%s; %s units are done.\n", PQgetvalue(task, 0, PQfnumber(task, "status")),
           why == NULL ? "" : ": ", why == NULL ? "" : why,
           PQgetvalue(task, 0, PQfnumber(task, "units_done")));
}

static void tell_awards(const struct story *story, const char *round)
{
    const PGresult *awards = story->results[FROM_AWARD];
    for (int row = 0; row < PQntuples(awards); row++) {
        char words[512];
        char price[VALUE_MICRO_MAX];
        if (strcmp(PQgetvalue(awards, row, 0), round) == 0) {
            describe_price(story, row, words, sizeof(words));
            printf("  Awarded to %s at %s: %s\n", PQgetvalue(awards, row, 1),
                   credits_of(awards, row, 3, price), words);
        }
    }
}

static void tell_commitments(const struct story *story, const char *round)
{
    const PGresult *rows = story->results[FROM_COMMITMENT];
    for (int row = 0; row < PQntuples(rows); row++) {
        char paid[VALUE_MICRO_MAX];
        char price[VALUE_MICRO_MAX];
        const char *why = sentence_of(cell(rows, row, 8));
        bool is_overdue = strcmp(PQgetvalue(rows, row, 11), "t") == 0;
        if (strcmp(PQgetvalue(rows, row, 0), round) == 0) {
            printf("  Commitment %s of %s: %s%s%s%s; %s of %s units, paid %s of %s\n",
                   PQgetvalue(rows, row, 1), PQgetvalue(rows, row, 2), PQgetvalue(rows, row, 7),
                   why == NULL ? "" : ", ", why == NULL ? "" : why, is_overdue ? ", overdue" : "",
                   PQgetvalue(rows, row, 4), PQgetvalue(rows, row, 3),
                   credits_of(rows, row, 6, paid), credits_of(rows, row, 5, price));
        }
    }
}

/* Whether there is a contractor that did not get the round and gave no answer. */
static bool has_silent(const struct story *story, const char *round)
{
    const PGresult *rows = story->results[FROM_WHY];
    for (int row = 0; row < PQntuples(rows); row++) {
        if (strcmp(PQgetvalue(rows, row, 0), round) == 0 &&
            principal_of(story, round, PQgetvalue(rows, row, 1)) == NULL) {
            return true;
        }
    }
    return false;
}

/* The whole as text, for people. */
static int print_text(const struct story *story)
{
    const PGresult *rounds = story->results[FROM_ROUND];
    int status = 0;
    tell_task(story->results[FROM_TASK]);
    for (int row = 0; row < PQntuples(rounds) && status == 0; row++) {
        char ceiling[VALUE_MICRO_MAX];
        const char *round = PQgetvalue(rounds, row, 0);
        const char *outcome = cell(rounds, row, 6);
        printf("\nRound %s: %s units, ceiling %s, %s invited, %s\n", round,
               PQgetvalue(rounds, row, 1), credits_of(rounds, row, 2, ceiling),
               PQgetisnull(rounds, row, 3) ? "not yet known how many" : PQgetvalue(rounds, row, 3),
               outcome == NULL ? "open" : outcome);
        status = print(bid_sheet(story, round), OUTPUT_TABLE, OUTPUT_LIST);
        if (status == 0 && has_silent(story, round)) {
            printf("  Did not get it:\n");
            status = print(why_sheet(story, round, false), OUTPUT_TABLE, OUTPUT_LIST);
        }
        tell_awards(story, round);
        tell_commitments(story, round);
    }
    if (PQntuples(rounds) == 0) {
        printf("No round has been opened.\n");
    }
    return status;
}

static int load(struct story *story)
{
    const char *parameters[] = {operand(story->arguments, 0)->text,
                                argument_text(story->arguments, "contractor")};
    PGconn *connection = NULL;
    int code =
        database_open_snapshot(story->arguments, &connection); /* the parts belong together */
    for (size_t i = 0; i < FROM_COUNT && code == EXIT_DONE; i++) {
        code = database_ask(story->arguments, connection, queries[i], i == FROM_WHY ? 2 : 1,
                            parameters, &story->results[i]);
    }
    PQfinish(connection);
    return code;
}

int run_explain(const struct arguments *arguments)
{
    struct story story = {.arguments = arguments};
    int code = load(&story);
    int status = 0;
    if (code == EXIT_DONE && PQntuples(story.results[FROM_TASK]) == 0) {
        code = database_no_task(arguments, operand(arguments, 0)->text);
    } else if (code == EXIT_DONE) {
        enum output_format format = argument_format(arguments);
        status = format == OUTPUT_JSON  ? print_json(&story)
                 : format == OUTPUT_CSV ? print_csv(&story)
                                        : print_text(&story);
        if (status < 0 || fflush(stdout) != 0) {
            code = command_fail(arguments, EXIT_OTHERWISE, "the output cannot be written");
        }
    }
    for (size_t i = 0; i < FROM_COUNT; i++) {
        PQclear(story.results[i]);
    }
    return code;
}
