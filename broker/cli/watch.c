/*
 * tender watch: what happens to a task, as it happens.
 *
 * One task is followed over the wire, as its client hears it; all tasks are followed in the ledger,
 * by the stamps of its rows.
 */
#include "commands.h"

#include "database.h"
#include "session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define POLL_US 500000

static void columns(struct sheet *sheet)
{
    sheet_column(sheet, "at", COLUMN_INSTANT);
    sheet_column(sheet, "task_id", COLUMN_TEXT);
    sheet_column(sheet, "kind", COLUMN_TEXT);
    sheet_column(sheet, "status", COLUMN_TEXT);
    sheet_column(sheet, "reason", COLUMN_TEXT);
    sheet_column(sheet, "round", COLUMN_COUNT);
    sheet_column(sheet, "part", COLUMN_COUNT);
    sheet_column(sheet, "generation", COLUMN_COUNT);
    sheet_column(sheet, "commitment_status", COLUMN_TEXT);
    sheet_column(sheet, "contractor", COLUMN_TEXT);
    sheet_column(sheet, "units_done", COLUMN_COUNT);
    sheet_column(sheet, "price", COLUMN_MONEY);
    sheet_column(sheet, "paid", COLUMN_MONEY);
    sheet_column(sheet, "released", COLUMN_MONEY);
    sheet_column(sheet, "text", COLUMN_TEXT);
    sheet_column(sheet, "content_size", COLUMN_COUNT);
    sheet_column(sheet, "content", COLUMN_TEXT);
    sheet_column(sheet, "evidence", COLUMN_TEXT);
}

static void cell_now(struct sheet *sheet)
{
    struct timespec now;
    char instant[VALUE_INSTANT_MAX];
    clock_gettime(CLOCK_REALTIME, &now);
    value_write_instant((int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000, instant);
    sheet_cell(sheet, instant);
}

static void cell_id(struct sheet *sheet, tender_id task)
{
    char id[TENDER_ID_TEXT_SIZE];
    tender_id_format(task, id);
    sheet_cell(sheet, id);
}

/* The number, or null where it says nothing. */
static void count_if(struct sheet *sheet, bool is_there, int64_t count)
{
    if (is_there) {
        sheet_count(sheet, count);
    } else {
        sheet_cell(sheet, NULL);
    }
}

static void money_if(struct sheet *sheet, bool is_there, int64_t micro)
{
    if (is_there) {
        sheet_money(sheet, micro);
    } else {
        sheet_cell(sheet, NULL);
    }
}

static void add_state(struct sheet *sheet, const tender_task_status *state)
{
    bool has_award = state->generation != 0;
    cell_now(sheet);
    cell_id(sheet, state->task);
    sheet_cell(sheet, "state");
    sheet_cell(sheet, tender_task_state_name(state->task_state));
    sheet_cell(sheet,
               state->reason == TENDER_REASON_NONE ? NULL : tender_reason_name(state->reason));
    count_if(sheet, state->round > 0, state->round);
    count_if(sheet, has_award && state->part > 0, state->part);
    count_if(sheet, has_award, state->generation);
    sheet_cell(sheet, has_award ? tender_commitment_state_name(state->state) : NULL);
    sheet_cell(sheet, has_award ? state->contractor : NULL);
    sheet_count(sheet, state->units_done);
    money_if(sheet, has_award, state->price_micro);
    sheet_money(sheet, state->paid_micro);
    money_if(sheet, state->released_micro >= 0, state->released_micro);
    sheet_cell(sheet, NULL);
    sheet_cell(sheet, NULL);
    sheet_cell(sheet, NULL);
    sheet_cell(sheet, NULL);
}

/* The result as text, where it is text. */
static void cell_content(struct sheet *sheet, const tender_bytes *content)
{
    char *text = NULL;
    if (content->size > 0 && tender_text_is_valid(content->data, content->size)) {
        text = malloc(content->size + 1);
    }
    if (text != NULL) {
        memcpy(text, content->data, content->size);
        text[content->size] = '\0';
    }
    sheet_cell(sheet, text);
    free(text);
}

static void add_report(struct sheet *sheet, const tender_report *report, bool has_content)
{
    cell_now(sheet);
    cell_id(sheet, report->commitment.task);
    sheet_cell(sheet, tender_performative_name(report->kind));
    sheet_cell(sheet, NULL);
    sheet_cell(sheet,
               report->reason == TENDER_REASON_NONE ? NULL : tender_reason_name(report->reason));
    sheet_cell(sheet, NULL);
    count_if(sheet, report->commitment.part > 0, report->commitment.part);
    sheet_count(sheet, report->commitment.generation);
    sheet_cell(sheet, NULL);
    sheet_cell(sheet, report->contractor);
    sheet_count(sheet, report->units_done);
    sheet_cell(sheet, NULL);
    sheet_cell(sheet, NULL);
    sheet_cell(sheet, NULL);
    sheet_cell(sheet, *report->text == '\0' ? NULL : report->text);
    /* What waits to be accepted is told by its size; the content is a sample of it. */
    sheet_count(sheet,
                report->result_size >= 0 ? report->result_size : (int64_t)report->content.size);
    /* A result is for programs; on a line for people its size says enough. */
    cell_content(sheet, has_content ? &report->content : &(tender_bytes){NULL, 0});
    sheet_cell(sheet, *report->evidence == '\0' ? NULL : report->evidence);
}

static int print_event(const struct arguments *arguments, const tender_client_event *event)
{
    struct sheet *sheet = sheet_open();
    if (sheet == NULL) {
        return command_fail(arguments, EXIT_OTHERWISE, "out of memory");
    }
    columns(sheet);
    if (event->kind == TENDER_CLIENT_STATE) {
        add_state(sheet, &event->state);
    } else {
        add_report(sheet, &event->report, argument_format(arguments) != OUTPUT_TABLE);
    }
    int status = sheet_print(sheet, argument_format(arguments), OUTPUT_LINES, stdout);
    sheet_close(sheet);
    return status == 0 ? EXIT_DONE
                       : command_fail(arguments, EXIT_OTHERWISE, "the output cannot be written");
}

/* Follows one task to its end. */
static int follow(const struct arguments *arguments, tender_client *client, tender_id task)
{
    const tender_client_event *event = NULL;
    bool is_heard = false;
    int status = tender_query(client, task);
    while (status >= 0) {
        status = tender_client_next(client, is_heard ? -1 : session_timeout_ms(arguments), &event);
        if (status == 0) {
            status = TENDER_ETIMEDOUT;
        }
        if (status < 0) {
            break;
        }
        if (event->kind == TENDER_CLIENT_REFUSED) {
            return session_refused(arguments, "", &event->refused);
        }
        if (event->kind == TENDER_CLIENT_NOT_UNDERSTOOD) {
            return session_complaint(arguments, &event->not_understood);
        }
        if (event->kind == TENDER_CLIENT_LOST) {
            return session_lost(arguments, event->lost);
        }
        if (is_heard && event->kind == TENDER_CLIENT_CONTACT &&
            event->contact.kind == TENDER_CONTACT_CONNECTED) {
            status = tender_query(client, task);
        }
        if (event->kind != TENDER_CLIENT_STATE && event->kind != TENDER_CLIENT_REPORT) {
            continue;
        }
        is_heard = true;
        int code = print_event(arguments, event);
        if (code != EXIT_DONE) {
            return code;
        }
        if (event->kind == TENDER_CLIENT_STATE &&
            tender_task_state_is_terminal(event->state.task_state)) {
            return event->state.task_state == TENDER_TASK_DONE ? EXIT_DONE : EXIT_OTHERWISE;
        }
    }
    return session_fail(arguments, status, client);
}

/* Whose task it is, for the session; from the ledger unless --principal says it. Allocated. */
static int principal_of(const struct arguments *arguments, char **principal_out)
{
    const char *given = argument_text(arguments, "principal");
    const char *parameters[] = {operand(arguments, 0)->text};
    PGconn *connection = NULL;
    PGresult *result = NULL;
    if (given != NULL) {
        *principal_out = strdup(given);
        return EXIT_DONE;
    }
    int code = database_open(arguments, &connection);
    if (code == EXIT_DONE) {
        code = database_ask(arguments, connection,
                            "select principal from tender.task where task_id = $1::uuid", 1,
                            parameters, &result);
    }
    if (code == EXIT_DONE && PQntuples(result) == 0) {
        code = database_no_task(arguments, operand(arguments, 0)->text);
    } else if (code == EXIT_DONE) {
        *principal_out = strdup(PQgetvalue(result, 0, 0));
    }
    PQclear(result);
    PQfinish(connection);
    return code;
}

static int watch_one(const struct arguments *arguments)
{
    char *principal = NULL;
    tender_client *client = NULL;
    int code = principal_of(arguments, &principal);
    if (code == EXIT_DONE) {
        code = session_open(arguments, principal, &client);
    }
    if (code == EXIT_DONE) {
        code = follow(arguments, client, operand(arguments, 0)->id);
    }
    session_end(client, NULL, code);
    free(principal);
    return code;
}

/*
 * What happened after $1, from the rows of the views. Stamps of one batch become visible together,
 * and batches commit in the order of their stamps, so nothing appears before what was shown.
 */
static const char sql_since[] =
    "select at, task_id, kind, status, reason, round, generation, contractor, units_done, price, "
    "paid from ("
    "select announced_at as at, task_id, 'announced' as kind, null::text as status, "
    "null::text as reason, null::integer as round, null::text as generation, "
    "client as contractor, 0 as units_done, ceiling as price, null::numeric as paid "
    "from tender.task "
    "union all select awarded_at, task_id, 'awarded', null, null, round, null, contractor, null, "
    "price, null from tender.award "
    "union all select delivered_at, task_id, 'delivered', null, null, null, commitment_id, owner, "
    "units, null, null from tender.delivery "
    "union all select ended_at, task_id, 'settled', status::text, reason::text, round, "
    "commitment_id::text, owner, units_done, price, paid from tender.commitment "
    "where ended_at is not null "
    "union all select ended_at, task_id, 'ended', status::text, reason::text, round, null, null, "
    "units_done, ceiling, null from tender.task where ended_at is not null) e "
    "where at > $1::timestamptz order by at, task_id";

static int watch_all(const struct arguments *arguments)
{
    PGconn *connection = NULL;
    char since[64] = "";
    int code = database_open(arguments, &connection);
    if (code == EXIT_DONE) {
        PGresult *now = NULL;
        code = database_ask(arguments, connection,
                            "select coalesce(max(announced_at), '-infinity'), "
                            "greatest(max(announced_at), max(ended_at)) from tender.task",
                            0, NULL, &now);
        snprintf(since, sizeof(since), "%s",
                 code != EXIT_DONE ? "" : PQgetvalue(now, 0, PQgetisnull(now, 0, 1) ? 0 : 1));
        PQclear(now);
    }
    while (code == EXIT_DONE) {
        const char *parameters[] = {since};
        PGresult *result = NULL;
        code = database_ask(arguments, connection, sql_since, 1, parameters, &result);
        int rows = code == EXIT_DONE ? PQntuples(result) : 0;
        if (rows > 0) {
            code = database_print(arguments, result, OUTPUT_LINES);
            snprintf(since, sizeof(since), "%s", PQgetvalue(result, rows - 1, 0));
        }
        PQclear(result);
        if (rows == 0) {
            usleep(POLL_US);
        }
    }
    PQfinish(connection);
    return code;
}

int run_watch(const struct arguments *arguments)
{
    return operand(arguments, 0)->is_set ? watch_one(arguments) : watch_all(arguments);
}
