/*
 * The terms of a task as a client states them, by flags or by a line of JSON with the same names.
 */
#ifndef TENDER_BROKER_CLI_TERMS_H
#define TENDER_BROKER_CLI_TERMS_H

#include "command.h"
#include "tender/client.h"

#include <jansson.h>

/* A task ready to be announced; what `task` points at lives in `arguments` and `content`. */
struct terms {
    struct arguments arguments;
    tender_task task;
    char *content; /* owned */
    char *names;   /* owned; what `needs` points at */
    const char *needs[TENDER_NEEDS_MAX + 1];
    tender_id after[TENDER_AFTER_MAX];
    json_t *line; /* owned; NULL where the terms came from flags */
};

/*
 * Reads the flags into `terms_out`. `where` ("line 3: " or "") begins each complaint. Returns
 * EXIT_DONE, or EXIT_BAD_INPUT after a line on standard error; terms_release in both cases.
 */
TENDER_MUST_CHECK int terms_read(const struct arguments *arguments, const char *where,
                                 struct terms *terms_out);

/* As terms_read, with the members of one line of JSON over the flags. */
TENDER_MUST_CHECK int terms_read_line(const struct arguments *arguments, const char *line,
                                      size_t size, const char *where, struct terms *terms_out);
void terms_release(struct terms *terms);

/*
 * Reads a file, or standard input for "-", of at most `limit` bytes. Allocated; NULL after a
 * sentence in `why` ([VALUE_WHY_MAX]).
 */
char *terms_file(const char *path, size_t limit, size_t *size_out, char *why);

#endif
