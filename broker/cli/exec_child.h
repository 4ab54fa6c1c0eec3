/*
 * A program that does one piece of work: gets the payload on its standard input, leaves the result
 * on its standard output, and lives in a process group of its own. Nothing here blocks; the caller
 * polls the three descriptors and waits for the process.
 */
#ifndef TENDER_BROKER_CLI_EXEC_CHILD_H
#define TENDER_BROKER_CLI_EXEC_CHILD_H

#include "tender/vocabulary.h"

#include <poll.h>
#include <sys/types.h>

#define CHILD_ERRORS_MAX 2048 /* last bytes of its standard error that are kept */
#define CHILD_FDS        3

struct child {
    pid_t pid;
    int fds[CHILD_FDS];  /* ends of input, output, errors; -1: closed */
    const char *payload; /* borrowed */
    size_t payload_size;
    size_t payload_sent;
    char *result;       /* owned; [TENDER_CONTENT_MAX + 1] */
    size_t result_size; /* beyond TENDER_CONTENT_MAX: it printed too much */
    char errors[CHILD_ERRORS_MAX];
    size_t error_size;
};

/* Whether there is a program of this name, on PATH or as a path; else false with errno. */
bool child_is_there(const char *name);
/*
 * Starts `words` (ends with NULL; found on PATH) with `environment` (ends with NULL).
 *
 * Returns 0; TENDER_ENOMEM; TENDER_ESYSTEM with errno when it cannot be started.
 */
TENDER_MUST_CHECK int child_start(struct child *child, char *const *words, char *const *environment,
                                  const char *payload, size_t payload_size);
/* What to poll for; three entries, -1 where there is nothing. */
void child_poll(const struct child *child, struct pollfd fds[CHILD_FDS]);
/* Reads and writes what is possible without waiting. */
void child_turn(struct child *child);
/* Sends a signal to the whole group. */
void child_signal(const struct child *child, int signal_number);
/* Reads what is left after its end, closes the descriptors and frees the result. */
void child_drain(struct child *child);
void child_release(struct child *child);

/*
 * What a wait status and the last lines of standard error say, as valid UTF-8 without control
 * characters but line ends, in `text` ([capacity] bytes).
 */
void child_verdict(const struct child *child, int wait_status, char *text, size_t capacity);

#endif
