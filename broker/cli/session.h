/*
 * A client's session with the broker for the commands that speak the wire: opens it as a name that
 * nobody else has, and turns the SDK's errors and the broker's refusals into exit codes.
 */
#ifndef TENDER_BROKER_CLI_SESSION_H
#define TENDER_BROKER_CLI_SESSION_H

#include "command.h"
#include "tender/client.h"

/* Where the broker listens: --url, else TENDER_URL, else the default. */
const char *session_url(const struct arguments *arguments);

/* The options of a session there; on tls+tcp --ca-file is whom it trusts, else TENDER_CA. */
tender_options session_options(const struct arguments *arguments);

/* Writes "PREFIX-" and random letters, so that two programs never share a name. */
void session_name(const char *prefix, char name_out[TENDER_NAME_MAX + 1]);

/*
 * Opens a session for `principal`, within --timeout. Returns EXIT_DONE, or an exit code after a
 * line on standard error.
 */
TENDER_MUST_CHECK int session_open(const struct arguments *arguments, const char *principal,
                                   tender_client **client_out);

/*
 * Closes the sessions that are not NULL, as the last thing that a program does: everything is
 * printed. nng 1.5 now and then hangs in closing; after a time in which all that was said should
 * have been heard, the program then ends with `code`.
 */
void session_end(tender_client *client, tender_contractor *contractor, int code);

/* The exit code for a negative `status` of the SDK, said in a line; `client` may be NULL. */
int session_fail(const struct arguments *arguments, int status, const tender_client *client);

/* Says `what` ("refused") in a line: name and sentence of the reason, the field at fault, and what
 * the broker added. `where`, `field` and `text` may be empty. */
void session_say_reason(const struct arguments *arguments, const char *where, const char *what,
                        tender_reason reason, const char *field, const char *text);

/* The exit code for a refusal, said in a line; `where` ("line 3: " or "") comes first. */
int session_refused(const struct arguments *arguments, const char *where,
                    const tender_refusal *refusal);

/* Waits, within --timeout, for the answer to what was asked about `task` (nil: about a goal).
 * EXIT_DONE, or an exit code after a line on standard error. */
int session_await(const struct arguments *arguments, tender_client *client, tender_id task);

/* The exit code for something said that was not used, said in a line. */
int session_complaint(const struct arguments *arguments, const tender_complaint *complaint);

/* The exit code for a task that the broker does not know any more, said in a line. */
int session_lost(const struct arguments *arguments, tender_id task);

/* Milliseconds of --timeout. */
int session_timeout_ms(const struct arguments *arguments);
/* A clock that only goes forward, in µs. */
int64_t session_now_us(void);

#endif
