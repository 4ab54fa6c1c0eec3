/*
 * Requests to the broker by way of the ledger's inbox: asks, and waits for the answer.
 */
#ifndef TENDER_BROKER_CLI_INBOX_H
#define TENDER_BROKER_CLI_INBOX_H

#include "database.h"

/*
 * Runs `sql`, which calls one of the functions that write into the inbox and returns the number of
 * the request, and waits for the broker's answer within --timeout.
 *
 * Returns EXIT_DONE when the broker agreed; EXIT_REFUSED with its reason; EXIT_AWAY when it did not
 * answer, in which case the request stays recorded. All but the first after a line on standard
 * error.
 */
TENDER_MUST_CHECK int inbox_ask(const struct arguments *arguments, PGconn *connection,
                                const char *sql, int count, const char *const *parameters);

/* The same, with a connection of its own. */
TENDER_MUST_CHECK int inbox_request(const struct arguments *arguments, const char *sql, int count,
                                    const char *const *parameters);

/* Puts `micro` into the account of `principal`; below zero, takes it out. */
TENDER_MUST_CHECK int inbox_fund(const struct arguments *arguments, PGconn *connection,
                                 const char *principal, int64_t micro);

#endif
