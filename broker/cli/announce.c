/*
 * tender announce: says what is to be done and, with --wait, stays until it has ended.
 *
 * Announcements are said as fast as the broker records them, a bounded number at a time; results
 * print in the order of the lines.
 */
#include "commands.h"

#include "session.h"
#include "terms.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IN_FLIGHT_MAX 256 /* announcements not yet answered */

enum order_stage { ORDER_SAID, ORDER_AGREED, ORDER_REFUSED, ORDER_ENDED };

/* One announcement. */
struct order {
    char key[TENDER_KEY_MAX + 1];
    enum order_stage stage;
    tender_id task;
    tender_task_status last; /* texts in it are not kept */
    int64_t ceiling_micro;
    int64_t units;
};

struct desk {
    const struct arguments *arguments;
    tender_client *client;
    bool is_waiting;
    int code;
    struct order *orders;
    size_t order_count;
    size_t order_capacity;
    size_t answered; /* all before it are agreed or refused */
    size_t printed;
    size_t in_flight; /* said and not answered */
    size_t running;   /* agreed and not ended; counts only with --wait */
    int64_t heard_at_us;
};

static void where_of(const struct desk *desk, size_t index, char where[32])
{
    bool has_lines = operand(desk->arguments, 0)->is_set || desk->order_count > 1;
    snprintf(where, 32, has_lines ? "line %zu: " : "%.0zu", has_lines ? index + 1 : 0);
}

static void worsen(struct desk *desk, int code)
{
    desk->code = code > desk->code ? code : desk->code;
}

static struct order *by_key(struct desk *desk, const char *key)
{
    for (size_t i = desk->answered; i < desk->order_count; i++) {
        if (desk->orders[i].stage == ORDER_SAID && strcmp(desk->orders[i].key, key) == 0) {
            return &desk->orders[i];
        }
    }
    return NULL;
}

/* Prints what is answered, in order, where nobody waits for the ends. */
static void print_answered(struct desk *desk)
{
    while (desk->answered < desk->order_count && desk->orders[desk->answered].stage != ORDER_SAID) {
        desk->answered++;
    }
    for (; !desk->is_waiting && desk->printed < desk->answered; desk->printed++) {
        const struct order *order = &desk->orders[desk->printed];
        char id[TENDER_ID_TEXT_SIZE];
        tender_id_format(order->task, id);
        if (order->stage == ORDER_REFUSED) {
            continue;
        }
        struct sheet *sheet = sheet_open();
        if (sheet != NULL) {
            enum output_format format = argument_format(desk->arguments);
            sheet_column(sheet, "task_id", COLUMN_TEXT);
            if (format != OUTPUT_TABLE) {
                sheet_column(sheet, "key", COLUMN_TEXT);
            }
            sheet_cell(sheet, id);
            if (format != OUTPUT_TABLE) {
                sheet_cell(sheet, order->key);
            }
            worsen(desk, sheet_print(sheet, format, OUTPUT_LINES, stdout) < 0 ? EXIT_OTHERWISE : 0);
        }
        sheet_close(sheet);
    }
}

static void on_agreed(struct desk *desk, const tender_agreement *agreed)
{
    struct order *order = by_key(desk, agreed->key);
    if (order == NULL) {
        return;
    }
    order->task = agreed->task;
    order->stage = ORDER_AGREED;
    desk->in_flight--;
    if (desk->is_waiting) {
        char id[TENDER_ID_TEXT_SIZE];
        tender_id_format(order->task, id);
        fprintf(stderr, "announced %s\n", id);
        desk->running++;
        /* The task may be one that ended before: only a question tells its whole state. */
        if (tender_task_state_is_terminal(agreed->task_state) &&
            tender_query(desk->client, agreed->task) < 0) {
            worsen(desk, EXIT_AWAY);
        }
    }
    print_answered(desk);
}

static void on_refused(struct desk *desk, const tender_refusal *refusal)
{
    char where[32];
    struct order *order = by_key(desk, refusal->key);
    if (order == NULL) {
        return;
    }
    where_of(desk, (size_t)(order - desk->orders), where);
    worsen(desk, session_refused(desk->arguments, where, refusal));
    order->stage = ORDER_REFUSED;
    desk->in_flight--;
    print_answered(desk);
}

static void on_state(struct desk *desk, const tender_task_status *state)
{
    for (size_t i = 0; i < desk->order_count && desk->is_waiting; i++) {
        struct order *order = &desk->orders[i];
        if (order->stage != ORDER_AGREED || !tender_id_equal(order->task, state->task)) {
            continue;
        }
        order->last = *state;
        if (tender_task_state_is_terminal(state->task_state)) {
            order->stage = ORDER_ENDED;
            desk->running--;
            worsen(desk, state->task_state == TENDER_TASK_DONE ? EXIT_DONE : EXIT_OTHERWISE);
        }
    }
}

/* After a new connection: asks for every task that runs, so that no end is missed. */
static void on_contact(struct desk *desk, const tender_contact *contact)
{
    for (size_t i = 0; i < desk->order_count && contact->kind == TENDER_CONTACT_CONNECTED; i++) {
        if (desk->is_waiting && desk->orders[i].stage == ORDER_AGREED &&
            tender_query(desk->client, desk->orders[i].task) < 0) {
            return;
        }
    }
}

/* Takes one event. Returns EXIT_DONE, or the code to end with. */
static int pump(struct desk *desk)
{
    const tender_client_event *event = NULL;
    int64_t left_us =
        desk->heard_at_us + argument_number(desk->arguments, "timeout") - session_now_us();
    int timeout_ms = desk->in_flight == 0 ? -1 : left_us <= 0 ? 0 : (int)(left_us / 1000) + 1;
    int status = tender_client_next(desk->client, timeout_ms, &event);
    if (status < 0) {
        return session_fail(desk->arguments, status, desk->client);
    }
    if (status == 0) {
        return command_fail(desk->arguments, EXIT_AWAY,
                            "the broker did not record %zu of the announcements in time; the same "
                            "--key makes it safe to announce again",
                            desk->in_flight);
    }
    if (event->kind == TENDER_CLIENT_AGREED) {
        on_agreed(desk, &event->agreed);
    } else if (event->kind == TENDER_CLIENT_REFUSED) {
        on_refused(desk, &event->refused);
    } else if (event->kind == TENDER_CLIENT_STATE) {
        on_state(desk, &event->state);
    } else if (event->kind == TENDER_CLIENT_NOT_UNDERSTOOD) {
        return session_complaint(desk->arguments, &event->not_understood);
    } else if (event->kind == TENDER_CLIENT_LOST) {
        return session_lost(desk->arguments, event->lost);
    } else if (event->kind == TENDER_CLIENT_CONTACT) {
        on_contact(desk, &event->contact);
        return EXIT_DONE;
    }
    desk->heard_at_us = session_now_us();
    return EXIT_DONE;
}

static struct order *order_add(struct desk *desk)
{
    if (desk->order_count == desk->order_capacity) {
        size_t capacity = desk->order_capacity == 0 ? 64 : 2 * desk->order_capacity;
        struct order *orders = realloc(desk->orders, capacity * sizeof(*orders));
        if (orders == NULL) {
            return NULL;
        }
        desk->orders = orders;
        desk->order_capacity = capacity;
    }
    struct order *order = &desk->orders[desk->order_count++];
    *order = (struct order){.stage = ORDER_REFUSED};
    return order;
}

/* Says one announcement, taking events while there is no room for it. */
static int say(struct desk *desk, const struct terms *terms)
{
    struct order *order = order_add(desk);
    if (order == NULL) {
        return command_fail(desk->arguments, EXIT_OTHERWISE, "out of memory");
    }
    size_t index = desk->order_count - 1;
    int code = EXIT_DONE;
    while (code == EXIT_DONE && desk->in_flight >= IN_FLIGHT_MAX) {
        code = pump(desk);
    }
    while (code == EXIT_DONE) {
        int status = tender_announce(desk->client, &terms->task, desk->orders[index].key);
        if (status == 0) {
            break;
        }
        code = status == TENDER_ELIMIT && desk->in_flight > 0
                   ? pump(desk)
                   : session_fail(desk->arguments, status, desk->client);
    }
    if (code == EXIT_DONE) {
        desk->orders[index].stage = ORDER_SAID;
        desk->orders[index].ceiling_micro = terms->task.ceiling_micro;
        desk->orders[index].units = terms->task.units;
        desk->heard_at_us = desk->in_flight == 0 ? session_now_us() : desk->heard_at_us;
        desk->in_flight++;
    }
    return code;
}

/* Announces each line of standard input; a bad line is said and the next goes on. */
static int say_lines(struct desk *desk)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t size;
    int code = EXIT_DONE;
    while (code == EXIT_DONE && (size = getline(&line, &capacity, stdin)) != -1) {
        char where[32];
        struct terms terms = {0};
        snprintf(where, sizeof(where), "line %zu: ", desk->order_count + 1);
        if (line[strspn(line, " \t\r\n")] == '\0') {
            continue;
        }
        int status = terms_read_line(desk->arguments, line, (size_t)size, where, &terms);
        if (status == EXIT_DONE) {
            code = say(desk, &terms);
        } else {
            worsen(desk, status);
            code = order_add(desk) == NULL ? EXIT_OTHERWISE : EXIT_DONE;
        }
        terms_release(&terms);
    }
    free(line);
    return code;
}

static void print_rows(struct desk *desk)
{
    struct sheet *sheet = sheet_open();
    if (sheet == NULL) {
        return;
    }
    sheet_column(sheet, "task_id", COLUMN_TEXT);
    sheet_column(sheet, "status", COLUMN_TEXT);
    sheet_column(sheet, "reason", COLUMN_TEXT);
    sheet_column(sheet, "round", COLUMN_COUNT);
    sheet_column(sheet, "units", COLUMN_COUNT);
    sheet_column(sheet, "units_done", COLUMN_COUNT);
    sheet_column(sheet, "ceiling", COLUMN_MONEY);
    sheet_column(sheet, "paid", COLUMN_MONEY);
    sheet_column(sheet, "released", COLUMN_MONEY);
    for (size_t i = 0; i < desk->order_count; i++) {
        const struct order *order = &desk->orders[i];
        char id[TENDER_ID_TEXT_SIZE];
        if (order->stage != ORDER_ENDED) {
            continue;
        }
        tender_id_format(order->task, id);
        sheet_cell(sheet, id);
        sheet_cell(sheet, tender_task_state_name(order->last.task_state));
        sheet_cell(sheet, tender_reason_name(order->last.reason));
        sheet_count(sheet, order->last.round);
        sheet_count(sheet, order->units);
        sheet_count(sheet, order->last.units_done);
        sheet_money(sheet, order->ceiling_micro);
        sheet_money(sheet, order->last.paid_micro);
        sheet_money(sheet, order->last.released_micro < 0 ? 0 : order->last.released_micro);
    }
    bool is_one = desk->order_count == 1 && argument_format(desk->arguments) == OUTPUT_JSON;
    if (sheet_print(sheet, argument_format(desk->arguments), is_one ? OUTPUT_RECORD : OUTPUT_LIST,
                    stdout) < 0) {
        worsen(desk, EXIT_OTHERWISE);
    }
    sheet_close(sheet);
}

/* Whether the tasks come as lines: told so by "-", or no skill is named and a pipe is there. */
static bool reads_lines(const struct arguments *arguments)
{
    return operand(arguments, 0)->is_set ||
           (!argument(arguments, "skill")->is_set && isatty(STDIN_FILENO) == 0 &&
            argument(arguments, "principal")->is_set);
}

int run_announce(const struct arguments *arguments)
{
    struct desk desk = {.arguments = arguments, .is_waiting = argument(arguments, "wait")->is_set};
    struct terms terms = {0};
    bool is_lines = reads_lines(arguments);
    int code = EXIT_DONE;
    if (is_lines && !argument(arguments, "principal")->is_set) {
        return command_fail(arguments, EXIT_BAD_INPUT,
                            "--principal is missing: whose account pays");
    }
    if (!is_lines) {
        code = terms_read(arguments, "", &terms);
    }
    if (code == EXIT_DONE) {
        code = session_open(arguments, argument_text(arguments, "principal"), &desk.client);
    }
    if (code == EXIT_DONE) {
        code = is_lines ? say_lines(&desk) : say(&desk, &terms);
    }
    if (code == EXIT_DONE && is_lines && desk.order_count == 0 && !operand(arguments, 0)->is_set) {
        code = command_complete(arguments, stderr); /* nothing came: then it was meant otherwise */
    }
    while (code == EXIT_DONE && (desk.in_flight > 0 || desk.running > 0)) {
        code = pump(&desk);
    }
    if (desk.is_waiting && desk.client != NULL) {
        print_rows(&desk);
    }
    worsen(&desk, code);
    terms_release(&terms);
    session_end(desk.client, NULL, desk.code);
    free(desk.orders);
    return desk.code;
}
