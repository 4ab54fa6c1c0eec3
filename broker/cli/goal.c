/*
 * tender goal and believe: the tasks of a goal as a tree, each below what it waits for, and what
 * members say of goals and tasks.
 */
#include "commands.h"

#include "inbox.h"
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 24 /* levels that are drawn; those below stand at the last */

enum {
    GOAL_TASK,
    GOAL_PRINCIPAL,
    GOAL_SKILL,
    GOAL_STATUS,
    GOAL_REASON,
    GOAL_OWNER,
    GOAL_DUE,
    GOAL_UNITS,
    GOAL_UNITS_DONE,
    GOAL_PAID,
    GOAL_BELIEF,
    GOAL_SUSPENDED,
    GOAL_AFTER
};

/* In the order of identifiers, which is that of announcements: what is waited for comes first. */
static const char sql_goal[] =
    "select task_id, principal, skill, status, reason, owner, due_at, units, units_done, paid, "
    "belief, suspended_until, array_to_string(after, ' ') as after from tender.goal "
    "where goal = $1 and ($2::text is null or principal = $2) order by principal, task_id";

/* A row of the result in the tree; -1: none. */
struct node {
    int parent;
    int child;
    int sibling;
};

struct tree {
    const PGresult *rows;
    int count;
    struct node *nodes;
};

/* The row before `end` of the same principal with that identifier, or -1. */
static int find_row(const struct tree *tree, int end, const char *id)
{
    const char *principal = PQgetvalue(tree->rows, end, GOAL_PRINCIPAL);
    int low = 0;
    int high = end;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = strcmp(PQgetvalue(tree->rows, middle, GOAL_PRINCIPAL), principal);
        order = order != 0 ? order
                           : strncmp(PQgetvalue(tree->rows, middle, GOAL_TASK), id,
                                     TENDER_ID_TEXT_SIZE - 1);
        if (order == 0) {
            return middle;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return -1;
}

/* A task stands below the last of those in the goal that it waits for. */
static int find_parent(const struct tree *tree, int row)
{
    int parent = -1;
    const char *id = PQgetvalue(tree->rows, row, GOAL_AFTER);
    while (*id != '\0') {
        int found = find_row(tree, row, id);
        parent = found > parent ? found : parent;
        id += strcspn(id, " ");
        id += strspn(id, " ");
    }
    return parent;
}

/* Links all rows. Returns the first root, or -1. */
static int grow(struct tree *tree)
{
    int root = -1;
    for (int row = tree->count - 1; row >= 0; row--) {
        int parent = find_parent(tree, row);
        int *first = parent < 0 ? &root : &tree->nodes[parent].child;
        tree->nodes[row].parent = parent;
        tree->nodes[row].sibling = *first;
        *first = row;
    }
    return root;
}

/* The row after this one, as a reader goes down the tree, or -1. */
static int next_row(const struct tree *tree, int row)
{
    if (tree->nodes[row].child >= 0) {
        return tree->nodes[row].child;
    }
    while (row >= 0 && tree->nodes[row].sibling < 0) {
        row = tree->nodes[row].parent;
    }
    return row < 0 ? -1 : tree->nodes[row].sibling;
}

/* The lines left of a task, and its identifier. */
static void draw(const struct tree *tree, int row, char *text, size_t capacity)
{
    const char *lines[DEPTH_MAX];
    int depth = 0;
    for (int at = row; tree->nodes[at].parent >= 0 && depth < DEPTH_MAX;
         at = tree->nodes[at].parent) {
        bool is_last = tree->nodes[at].sibling < 0;
        if (depth == 0) {
            lines[depth++] = is_last ? "└─ " : "├─ ";
        } else {
            lines[depth++] = is_last ? "   " : "│  ";
        }
    }
    size_t size = 0;
    while (depth > 0) {
        size += (size_t)snprintf(text + size, capacity - size, "%s", lines[--depth]);
    }
    snprintf(text + size, capacity - size, "%s", PQgetvalue(tree->rows, row, GOAL_TASK));
}

static const char *cell(const PGresult *rows, int row, int column)
{
    return PQgetisnull(rows, row, column) ? NULL : PQgetvalue(rows, row, column);
}

static void add_row(struct sheet *sheet, const struct tree *tree, int row)
{
    char text[DEPTH_MAX * sizeof("├─ ") + TENDER_ID_TEXT_SIZE];
    char units[64];
    draw(tree, row, text, sizeof(text));
    snprintf(units, sizeof(units), "%s/%s", PQgetvalue(tree->rows, row, GOAL_UNITS_DONE),
             PQgetvalue(tree->rows, row, GOAL_UNITS));
    sheet_cell(sheet, text);
    sheet_cell(sheet, cell(tree->rows, row, GOAL_SKILL));
    sheet_cell(sheet, cell(tree->rows, row, GOAL_STATUS));
    sheet_cell(sheet, cell(tree->rows, row, GOAL_REASON));
    sheet_cell(sheet, units);
    sheet_cell(sheet, cell(tree->rows, row, GOAL_PAID));
    sheet_cell(sheet, cell(tree->rows, row, GOAL_OWNER));
    sheet_cell(sheet, cell(tree->rows, row, GOAL_DUE));
}

/* What was last believed of the goal, where tasks of it go on. */
static void tell_belief(const PGresult *rows)
{
    for (int row = 0; row < PQntuples(rows); row++) {
        const char *belief = cell(rows, row, GOAL_BELIEF);
        const char *until = cell(rows, row, GOAL_SUSPENDED);
        if (belief == NULL || strcmp(belief, "none") == 0) {
            continue;
        }
        printf("%s: believed %s%s%s\n", PQgetvalue(rows, row, GOAL_PRINCIPAL), belief,
               until == NULL ? "; its tasks are being stopped"
                             : "; awards wait for the client's word until ",
               until == NULL ? "" : until);
        return;
    }
}

static int print_tree(const struct arguments *arguments, const PGresult *rows)
{
    static const char *const names[] = {"task",  "skill", "status", "reason",
                                        "units", "paid",  "owner",  "due"};
    struct tree tree = {rows, PQntuples(rows), NULL};
    tree.nodes = malloc((size_t)tree.count * sizeof *tree.nodes);
    struct sheet *sheet = sheet_open();
    int status = TENDER_ENOMEM;
    if (tree.nodes == NULL || sheet == NULL) {
        goto done;
    }
    for (int i = 0; i < tree.count; i++) {
        tree.nodes[i] = (struct node){-1, -1, -1};
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        sheet_column(sheet, names[i], COLUMN_TEXT);
    }
    for (int row = grow(&tree); row >= 0; row = next_row(&tree, row)) {
        add_row(sheet, &tree, row);
    }
    tell_belief(rows);
    status = sheet_print(sheet, OUTPUT_TABLE, OUTPUT_LIST, stdout);
done:
    free(tree.nodes);
    sheet_close(sheet);
    return status < 0 ? command_fail(arguments, EXIT_OTHERWISE, "the output cannot be written")
                      : EXIT_DONE;
}

int run_goal(const struct arguments *arguments)
{
    const char *parameters[] = {operand(arguments, 0)->text, argument_text(arguments, "principal")};
    PGconn *connection = NULL;
    PGresult *rows = NULL;
    int code = database_open(arguments, &connection);
    if (code == EXIT_DONE) {
        code = database_ask(arguments, connection, sql_goal, 2, parameters, &rows);
    }
    if (code == EXIT_DONE && PQntuples(rows) == 0) {
        code = command_fail(arguments, EXIT_REFUSED, "there is no goal %s", parameters[0]);
    } else if (code == EXIT_DONE) {
        code = argument_format(arguments) == OUTPUT_TABLE
                   ? print_tree(arguments, rows)
                   : database_print(arguments, rows, OUTPUT_LIST);
    }
    PQclear(rows);
    PQfinish(connection);
    return code;
}

/* What a belief is about; `goal` NULL: the task. */
struct subject {
    const char *goal;
    const char *task; /* as it was typed, or NULL */
    tender_id id;
};

/* Reads the first operand, goal:NAME or a task, and --task. */
static int read_subject(const struct arguments *arguments, struct subject *subject_out)
{
    static const struct value_rule task_rule = {VALUE_ID, 0, 0, NULL};
    static const struct value_rule goal_rule = {VALUE_NAME, 0, 0, NULL};
    const char *word = operand(arguments, 0)->text;
    bool is_goal = strncmp(word, "goal:", 5) == 0;
    bool is_task = strncmp(word, "task:", 5) == 0;
    const struct value *of = argument(arguments, "task");
    char why[VALUE_WHY_MAX];
    struct value value = {0};
    word += is_goal || is_task ? 5 : 0;
    *subject_out = (struct subject){.goal = is_goal ? word : NULL,
                                    .task = is_goal ? argument_text(arguments, "task") : word,
                                    .id = of->id};
    if (!is_goal && of->is_set) {
        return command_fail(arguments, EXIT_BAD_INPUT, "--task: SUBJECT is a task already");
    }
    if (value_read(is_goal ? &goal_rule : &task_rule, word, &value, why) != 0) {
        return command_fail(arguments, EXIT_BAD_INPUT, "SUBJECT: %s%s", why,
                            is_goal ? "" : "; or goal:GOAL");
    }
    if (!is_goal) {
        subject_out->id = value.id;
    }
    return EXIT_DONE;
}

static int believe_by_ledger(const struct arguments *arguments, const struct subject *subject)
{
    const char *parameters[] = {subject->task, subject->goal, operand(arguments, 1)->text,
                                argument_text(arguments, "text")};
    return inbox_request(arguments, "select tender.believe($1::uuid, $2, $3, $4)", 4, parameters);
}

static int believe_by_wire(const struct arguments *arguments, const char *principal,
                           const struct subject *subject)
{
    const char *word = operand(arguments, 1)->text;
    tender_reason belief = (tender_reason)tender_reason_parse(word, strlen(word));
    tender_client *client = NULL;
    int code = session_open(arguments, principal, &client);
    if (code == EXIT_DONE) {
        int status = tender_believe(client, subject->id, subject->goal, belief,
                                    argument_text(arguments, "text"));
        code = status == 0 ? session_await(arguments, client, subject->id)
                           : session_fail(arguments, status, client);
    }
    session_end(client, NULL, code);
    return code;
}

int run_believe(const struct arguments *arguments)
{
    const char *principal = argument_text(arguments, "principal");
    struct subject subject;
    int code = read_subject(arguments, &subject);
    if (code != EXIT_DONE) {
        return code;
    }
    return principal == NULL ? believe_by_ledger(arguments, &subject)
                             : believe_by_wire(arguments, principal, &subject);
}
