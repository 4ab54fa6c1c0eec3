#include "inbox.h"

#include "session.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define POLL_FIRST_US 2000
#define POLL_LAST_US  50000

static const char sql_answer[] = "select answer from tender.request where request = $1::bigint";

/* Says a refusal in the words of the table of reasons. */
static int refused(const struct arguments *arguments, json_t *answer)
{
    const char *reason = json_string_value(json_object_get(answer, "reason"));
    const char *field = json_string_value(json_object_get(answer, "field"));
    const char *text = json_string_value(json_object_get(answer, "text"));
    int code = reason == NULL ? -1 : tender_reason_parse(reason, strlen(reason));
    session_say_reason(arguments, "", "refused",
                       code < 0 ? TENDER_REASON_OTHER : (tender_reason)code, field, text);
    return EXIT_REFUSED;
}

/* Reads an answer: an object whose `performative` is agree, or says why not. */
static int judge(const struct arguments *arguments, const char *text)
{
    json_t *answer = json_loads(text, 0, NULL);
    const char *performative = json_string_value(json_object_get(answer, "performative"));
    int code = performative != NULL && strcmp(performative, "agree") == 0
                   ? EXIT_DONE
                   : refused(arguments, answer);
    json_decref(answer);
    return code;
}

int inbox_ask(const struct arguments *arguments, PGconn *connection, const char *sql, int count,
              const char *const *parameters)
{
    PGresult *asked = NULL;
    int code = database_ask(arguments, connection, sql, count, parameters, &asked);
    if (code != EXIT_DONE) {
        return code;
    }
    const char *request[] = {PQgetvalue(asked, 0, 0)};
    int64_t until_us = session_now_us() + argument_number(arguments, "timeout");
    useconds_t pause_us = POLL_FIRST_US;
    bool is_answered = false;
    while (code == EXIT_DONE && !is_answered && session_now_us() < until_us) {
        PGresult *answer = NULL;
        code = database_ask(arguments, connection, sql_answer, 1, request, &answer);
        is_answered = code == EXIT_DONE && PQntuples(answer) == 1 && !PQgetisnull(answer, 0, 0);
        if (is_answered) {
            code = judge(arguments, PQgetvalue(answer, 0, 0));
        } else {
            /* The broker polls too: there is no event to wait for. */
            usleep(pause_us);
            pause_us = pause_us * 2 > POLL_LAST_US ? POLL_LAST_US : pause_us * 2;
        }
        PQclear(answer);
    }
    if (code == EXIT_DONE && !is_answered) {
        code = command_fail(arguments, EXIT_AWAY,
                            "the broker has not answered; request %s stays recorded and is heard "
                            "when a broker runs",
                            request[0]);
    }
    PQclear(asked);
    return code;
}

int inbox_request(const struct arguments *arguments, const char *sql, int count,
                  const char *const *parameters)
{
    PGconn *connection = NULL;
    int code = database_open(arguments, &connection);
    if (code == EXIT_DONE) {
        code = inbox_ask(arguments, connection, sql, count, parameters);
    }
    PQfinish(connection);
    return code;
}

int inbox_fund(const struct arguments *arguments, PGconn *connection, const char *principal,
               int64_t micro)
{
    char credits[VALUE_MICRO_MAX];
    value_write_credits(micro, credits);
    const char *parameters[] = {principal, credits};
    return inbox_ask(arguments, connection, "select tender.fund($1, $2::numeric)", 2, parameters);
}
