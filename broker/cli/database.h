/*
 * The ledger as the commands read it: connects, asks, and turns errors into exit codes and rows
 * into sheets. But for `ledger archive` they write nothing but requests to the broker's inbox.
 */
#ifndef TENDER_BROKER_CLI_DATABASE_H
#define TENDER_BROKER_CLI_DATABASE_H

#include "command.h"

#include <libpq-fe.h>

/* The connection string that counts: --database, else TENDER_DATABASE, else "" (PG* variables). */
const char *database_url(const struct arguments *arguments);

/*
 * Connects. Returns EXIT_DONE with an open connection (PQfinish it), or an exit code after a line
 * on standard error; *connection_out is then NULL.
 */
TENDER_MUST_CHECK int database_open(const struct arguments *arguments, PGconn **connection_out);

/* The same for reading alone, all of it from one snapshot. *connection_out may be open with an exit
 * code too. */
TENDER_MUST_CHECK int database_open_snapshot(const struct arguments *arguments,
                                             PGconn **connection_out);

/*
 * Asks `sql` with `count` text parameters (NULL is null). Returns EXIT_DONE with a result (PQclear
 * it), or an exit code after a line on standard error; *result_out is then NULL.
 */
TENDER_MUST_CHECK int database_ask(const struct arguments *arguments, PGconn *connection,
                                   const char *sql, int count, const char *const *parameters,
                                   PGresult **result_out);

/* The same where nobody wants the answer. */
TENDER_MUST_CHECK int database_tell(const struct arguments *arguments, PGconn *connection,
                                    const char *sql, int count, const char *const *parameters);

/* The rows as a sheet, with the columns' names and kinds; NULL: no memory. Borrows the names from
 * `result`. */
struct sheet *database_sheet(const PGresult *result);

/* The rows whose text in `column` is `text`. */
struct sheet *database_sheet_where(const PGresult *result, int column, const char *text);
/* A sheet with the columns of `result` and no rows, to which columns may be added; and a row for
 * it. */
struct sheet *database_sheet_open(const PGresult *result);
void database_row(struct sheet *sheet, const PGresult *result, int row);

/* Prints the rows; EXIT_DONE, or an exit code after a line on standard error. */
TENDER_MUST_CHECK int database_print(const struct arguments *arguments, const PGresult *result,
                                     enum output_shape shape);

/* Asks and prints: the whole of a command that reads. With OUTPUT_RECORD no row is EXIT_REFUSED,
 * said as "no such `noun`". */
TENDER_MUST_CHECK int database_show(const struct arguments *arguments, const char *noun,
                                    enum output_shape shape, const char *sql, int count,
                                    const char *const *parameters);

/* The same of a task, the only parameter of `sql`; no row is database_no_task. */
TENDER_MUST_CHECK int database_show_task(const struct arguments *arguments, const char *task,
                                         enum output_shape shape, const char *sql);

/* Says that there is no task of that identifier, or in which archive it is. EXIT_REFUSED. */
int database_no_task(const struct arguments *arguments, const char *task);

/* A cell as an integer; 0 for null. */
int64_t database_number(const PGresult *result, int row, int column);
/* A cell of `size` bytes in hex; whether it is that. */
bool database_hex(const PGresult *result, int row, int column, uint8_t *bytes_out, size_t size);
/* A numeric cell of credits in micro-credits; 0 for null. */
int64_t database_micro(const PGresult *result, int row, int column);

#endif
