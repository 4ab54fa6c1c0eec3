/*
 * The commands that ask the broker to change something: cancel, close, account fund,
 * account allot.
 *
 * Who names a principal speaks the wire as its client; otherwise the request goes through the
 * ledger's inbox, where the database says who may act as an operator.
 */
#include "commands.h"

#include "inbox.h"
#include "session.h"

/* Asks through the inbox about the task that is the first operand. */
static int ask_about_task(const struct arguments *arguments, const char *sql, int count,
                          const char *text)
{
    const char *parameters[] = {operand(arguments, 0)->text, text};
    return inbox_request(arguments, sql, count, parameters);
}

int run_cancel(const struct arguments *arguments)
{
    const char *principal = argument_text(arguments, "principal");
    const char *text = argument_text(arguments, "text");
    if (principal == NULL) {
        return ask_about_task(arguments, "select tender.cancel($1::uuid, $2)", 2, text);
    }
    tender_client *client = NULL;
    tender_id task = operand(arguments, 0)->id;
    int code = session_open(arguments, principal, &client);
    if (code == EXIT_DONE) {
        int status = tender_cancel(client, task, text);
        code = status == 0 ? session_await(arguments, client, task)
                           : session_fail(arguments, status, client);
    }
    session_end(client, NULL, code);
    return code;
}

int run_close(const struct arguments *arguments)
{
    return ask_about_task(arguments, "select tender.close($1::uuid)", 1, NULL);
}

/* Credits leave one account and come into the other: waits for both. */
int run_account_allot(const struct arguments *arguments)
{
    char credits[VALUE_MICRO_MAX];
    PGconn *connection = NULL;
    PGresult *asked = NULL;
    value_write_credits(operand(arguments, 2)->number, credits);
    const char *parameters[] = {operand(arguments, 0)->text, operand(arguments, 1)->text, credits};
    int code = database_open(arguments, &connection);
    if (code == EXIT_DONE) {
        code = database_ask(arguments, connection, "select tender.allot($1, $2, $3::numeric)", 3,
                            parameters, &asked);
    }
    if (code == EXIT_DONE) {
        const char *request = PQgetvalue(asked, 0, 0);
        code = inbox_ask(arguments, connection, "select $1::bigint", 1, &request);
        if (code == EXIT_DONE) {
            code = inbox_ask(arguments, connection,
                             "select request_in from tender.allotment where request = $1::bigint",
                             1, &request);
        }
    }
    PQclear(asked);
    PQfinish(connection);
    return code;
}

int run_account_fund(const struct arguments *arguments)
{
    const char *principal = operand(arguments, 0)->text;
    int64_t micro = operand(arguments, 1)->number;
    if (micro == 0) {
        return command_fail(arguments, EXIT_BAD_INPUT, "CREDITS: nothing would be moved");
    }
    PGconn *connection = NULL;
    PGresult *result = NULL;
    int code = database_open(arguments, &connection);
    if (code == EXIT_DONE) {
        code = inbox_fund(arguments, connection, principal, micro);
    }
    if (code == EXIT_DONE) {
        code =
            database_ask(arguments, connection, "select * from tender.account where principal = $1",
                         1, &principal, &result);
    }
    if (code == EXIT_DONE) {
        code = database_print(arguments, result, OUTPUT_LIST);
    }
    PQclear(result);
    PQfinish(connection);
    return code;
}
