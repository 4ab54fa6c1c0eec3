/*
 * tender accept, reject, adopt, result and deliveries: what a client decides on, and what it has
 * for it. Decisions go through the ledger's inbox, as requests do.
 */
#include "commands.h"

#include "inbox.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* TASK, TASK/GENERATION or TASK/PART.GENERATION as typed; `generation` "": the one delivered. */
struct named {
    char task[TENDER_ID_TEXT_SIZE];
    char part[16];
    char generation[16];
};

/* Digits that are a number from `low`, copied. */
static bool read_number(const char *text, size_t size, char to[16])
{
    if (size == 0 || size > 9 || strspn(text, "0123456789") < size) {
        return false;
    }
    memcpy(to, text, size);
    to[size] = '\0';
    return true;
}

static int read_commitment(const struct arguments *arguments, struct named *named_out)
{
    static const char help[] = "COMMITMENT: it must be TASK, TASK/GENERATION or "
                               "TASK/PART.GENERATION, as the views write it";
    const char *word = operand(arguments, 0)->text;
    const char *slash = strchr(word, '/');
    size_t size = slash != NULL ? (size_t)(slash - word) : strlen(word);
    tender_id id;
    *named_out = (struct named){.part = "0"};
    if (size >= sizeof(named_out->task) || tender_id_parse(word, size, &id) != 0) {
        return command_fail(arguments, EXIT_BAD_INPUT, "%s", help);
    }
    tender_id_format(id, named_out->task);
    if (slash == NULL) {
        return EXIT_DONE;
    }
    const char *dot = strchr(slash, '.');
    const char *generation = dot != NULL ? dot + 1 : slash + 1;
    bool is_read =
        read_number(generation, strlen(generation), named_out->generation) &&
        (dot == NULL || read_number(slash + 1, (size_t)(dot - slash - 1), named_out->part));
    return is_read ? EXIT_DONE : command_fail(arguments, EXIT_BAD_INPUT, "%s", help);
}

/* A flag that counts, as text; NULL where it is not set. */
static const char *count_text(const struct arguments *arguments, const char *flag, char to[24])
{
    if (!argument(arguments, flag)->is_set) {
        return NULL;
    }
    snprintf(to, 24, "%lld", (long long)argument_number(arguments, flag));
    return to;
}

static const char *generation_of(const struct named *named)
{
    return named->generation[0] != '\0' ? named->generation : NULL;
}

int run_accept(const struct arguments *arguments)
{
    struct named named;
    char units[24];
    int code = read_commitment(arguments, &named);
    if (code != EXIT_DONE) {
        return code;
    }
    const char *parameters[] = {named.task, generation_of(&named), named.part,
                                count_text(arguments, "units", units)};
    return inbox_request(arguments,
                         "select tender.accept($1::uuid, $2::integer, $3::integer, $4::bigint)", 4,
                         parameters);
}

int run_reject(const struct arguments *arguments)
{
    struct named named;
    char units[24];
    int code = read_commitment(arguments, &named);
    if (code != EXIT_DONE) {
        return code;
    }
    const char *accepted = count_text(arguments, "units", units);
    const char *parameters[] = {named.task,
                                argument_text(arguments, "reason"),
                                argument_text(arguments, "text"),
                                accepted != NULL ? accepted : "0",
                                generation_of(&named),
                                named.part};
    return inbox_request(
        arguments, "select tender.reject($1::uuid, $2, $3, $4::bigint, $5::integer, $6::integer)",
        6, parameters);
}

/* A commitment with its generation: what came late, or was done, is told apart by it. */
static int read_one(const struct arguments *arguments, struct named *named_out)
{
    int code = read_commitment(arguments, named_out);
    return code != EXIT_DONE || named_out->generation[0] != '\0'
               ? code
               : command_fail(arguments, EXIT_BAD_INPUT,
                              "COMMITMENT: name its generation too, as TASK/GENERATION");
}

int run_adopt(const struct arguments *arguments)
{
    struct named named;
    int code = read_one(arguments, &named);
    if (code != EXIT_DONE) {
        return code;
    }
    const char *parameters[] = {named.task, named.generation, named.part};
    return inbox_request(arguments, "select tender.adopt($1::uuid, $2::integer, $3::integer)", 3,
                         parameters);
}

static int write_result(const struct arguments *arguments, const char *hex)
{
    const char *path = argument_text(arguments, "file");
    size_t size = 0;
    unsigned char *bytes = PQunescapeBytea((const unsigned char *)hex, &size);
    FILE *file = path != NULL && bytes != NULL ? fopen(path, "wb") : stdout;
    bool is_written =
        bytes != NULL && file != NULL && fwrite(bytes, 1, size, file) == size && fflush(file) == 0;
    int error = errno;
    if (file != NULL && file != stdout) {
        is_written = fclose(file) == 0 && is_written;
    }
    PQfreemem(bytes);
    return is_written ? EXIT_DONE
                      : command_fail(arguments, EXIT_BAD_INPUT, "%s: %s",
                                     path != NULL ? path : "standard output", strerror(error));
}

int run_result(const struct arguments *arguments)
{
    struct named named;
    PGconn *connection = NULL;
    PGresult *result = NULL;
    int code = read_one(arguments, &named);
    if (code == EXIT_DONE && argument_text(arguments, "file") == NULL && isatty(STDOUT_FILENO)) {
        code = command_fail(arguments, EXIT_BAD_INPUT,
                            "a result is what somebody else wrote, and may steer a terminal: "
                            "name a --file, or pipe it");
    }
    if (code == EXIT_DONE) {
        code = database_open(arguments, &connection);
    }
    const char *parameters[] = {named.task, named.generation, named.part};
    if (code == EXIT_DONE) {
        code = database_ask(arguments, connection,
                            "select tender.result($1::uuid, $2::integer, $3::integer)", 3,
                            parameters, &result);
    }
    if (code == EXIT_DONE && PQgetisnull(result, 0, 0)) {
        code = command_fail(arguments, EXIT_REFUSED,
                            "there is no result of it that was accepted or adopted");
    } else if (code == EXIT_DONE) {
        code = write_result(arguments, PQgetvalue(result, 0, 0));
    }
    PQclear(result);
    PQfinish(connection);
    return code;
}

int run_deliveries(const struct arguments *arguments)
{
    const char *all = argument(arguments, "all")->is_set ? "t" : "f";
    return database_show(arguments, "delivery", OUTPUT_LIST,
                         "select commitment_id, owner, units, delivered_at, accept_by, status, "
                         "accepted, size, sha256, evidence, reason from tender.delivery "
                         "where status = 'pending' or $1::boolean order by delivered_at desc",
                         1, &all);
}
