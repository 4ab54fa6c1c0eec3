/*
 * tender verify award: the argument of a task's awards on one screen, from the ledger alone: what
 * was bid, who won and at which price, and each claim that tender.verify_award makes anew by the
 * rules.
 */
#include "commands.h"

#include "database.h"

#include <string.h>

enum { FROM_TASK, FROM_BIDS, FROM_AWARDS, FROM_CLAIMS, FROM_COUNT };

static const char *const queries[] = {
    [FROM_TASK] = "select task_id, skill, units, ceiling, principal, status from tender.task "
                  "where task_id = $1::uuid",
    [FROM_BIDS] =
        "select round, nullif(rank, 0) as rank, contractor, principal, cost, eta, status, "
        "reason from tender.bid where task_id = $1::uuid "
        "order by round, nullif(rank, 0) nulls last, contractor",
    [FROM_AWARDS] = "select round, contractor, cost, price, price_set_by, awarded_at "
                    "from tender.award where task_id = $1::uuid order by round, generation",
    [FROM_CLAIMS] = "select round, claim, holds, detail from tender.verify_award($1::uuid)",
};

static int load(const struct arguments *arguments, PGresult **results)
{
    const char *parameters[] = {operand(arguments, 0)->text};
    PGconn *connection = NULL;
    int code = database_open_snapshot(arguments, &connection); /* the parts belong together */
    for (size_t i = 0; i < FROM_COUNT && code == EXIT_DONE; i++) {
        code = database_ask(arguments, connection, queries[i], 1, parameters, &results[i]);
    }
    PQfinish(connection);
    return code;
}

static int print(const char *title, const PGresult *result)
{
    printf("%s\n", title);
    struct sheet *sheet = database_sheet(result);
    int status = sheet_print(sheet, OUTPUT_TABLE, OUTPUT_LIST, stdout);
    sheet_close(sheet);
    return status;
}

/* A claim a line. Returns how many do not hold. */
static int print_claims(const PGresult *claims)
{
    int faults = 0;
    for (int row = 0; row < PQntuples(claims); row++) {
        bool is_known = !PQgetisnull(claims, row, 2);
        bool holds = is_known && strcmp(PQgetvalue(claims, row, 2), "t") == 0;
        faults += is_known && !holds;
        printf(" %s ", holds ? "+" : is_known ? "- NOT SO:" : "?");
        if (!PQgetisnull(claims, row, 0)) {
            printf("round %s: ", PQgetvalue(claims, row, 0));
        }
        printf("%s", PQgetvalue(claims, row, 1));
        if (!PQgetisnull(claims, row, 3)) {
            printf(": %s", PQgetvalue(claims, row, 3));
        }
        printf("\n");
    }
    return faults;
}

static int tell(const struct arguments *arguments, PGresult **results)
{
    int status = print("The task", results[FROM_TASK]);
    status = status < 0 ? status : print("\nWhat was bid", results[FROM_BIDS]);
    status = status < 0 ? status : print("\nWhat was awarded", results[FROM_AWARDS]);
    printf("\nWhat the rules make of it, from the entries of its chain\n");
    int faults = print_claims(results[FROM_CLAIMS]);
    if (status < 0 || fflush(stdout) != 0) {
        return command_fail(arguments, EXIT_OTHERWISE, "the output cannot be written");
    }
    return faults == 0 ? EXIT_DONE
                       : command_fail(arguments, EXIT_OTHERWISE, "%d claims do not hold", faults);
}

int run_verify_award(const struct arguments *arguments)
{
    PGresult *results[FROM_COUNT] = {NULL};
    int code = load(arguments, results);
    if (code == EXIT_DONE && PQntuples(results[FROM_TASK]) == 0) {
        code = database_no_task(arguments, operand(arguments, 0)->text);
    } else if (code == EXIT_DONE) {
        code = tell(arguments, results);
    }
    for (size_t i = 0; i < FROM_COUNT; i++) {
        PQclear(results[i]);
    }
    return code;
}
