/*
 * The reign: taking it, keeping its lease, watching who else has it, and giving it back.
 */
#include "private.h"

#include <stdio.h>
#include <string.h>

#include "failpoint.h"

/* Runs what is asked about the reign that is ours. */
static int execute_of_reign(struct ledger *ledger, enum statement statement)
{
    struct column columns[2] = {{0}, {0}};
    column_set_integer(&columns[0], COLUMN_INT2, LEDGER_SHARD);
    column_set_integer(&columns[1], COLUMN_INT8, ledger->reign);
    PGresult *result = ledger_execute(ledger, statement, columns, 2);
    PQclear(result);
    return result == NULL ? TENDER_EDATABASE : 0;
}

/* Ends a backend that may hold the reign's row; none while another broker's lease runs. */
static int end_holder(struct ledger *ledger)
{
    struct column columns[2] = {{0}, {0}};
    column_set_integer(&columns[0], COLUMN_INT2, LEDGER_SHARD);
    column_set_text(&columns[1], ledger->broker);
    PGresult *result = ledger_execute(ledger, STATEMENT_END_HOLDER, columns, 2);
    PQclear(result);
    return result == NULL ? TENDER_EDATABASE : 0;
}

static void read_reign(struct ledger *ledger, const PGresult *result,
                       struct ledger_reign *reign_out)
{
    memset(reign_out, 0, sizeof *reign_out);
    reign_out->reign = column_read_integer(PQgetvalue(result, 0, 0), 8);
    reign_out->batch = (uint64_t)column_read_integer(PQgetvalue(result, 0, 1), 8);
    if (!PQgetisnull(result, 0, 2)) {
        reign_out->stamp_us = column_read_time(PQgetvalue(result, 0, 2), 8);
    }
    reign_out->clock_us = column_read_time(PQgetvalue(result, 0, 3), 8);
    const char *server = PQparameterStatus(ledger->connection, "server_version");
    snprintf(reign_out->server, sizeof reign_out->server, "%s", server == NULL ? "?" : server);
    ledger->reign = reign_out->reign;
    ledger->filling->number = reign_out->batch + 1;
}

int ledger_begin_reign(struct ledger *ledger, struct ledger_reign *reign_out)
{
    int status = end_holder(ledger);
    if (status != 0) {
        return status;
    }
    struct column columns[5] = {{0}, {0}, {0}, {0}, {0}};
    column_set_integer(&columns[0], COLUMN_INT2, LEDGER_SHARD);
    column_set_text(&columns[1], ledger->broker);
    column_set_text(&columns[2], ledger->urls);
    column_set_integer(&columns[3], COLUMN_INT8, ledger->lease_us);
    column_set_integer(&columns[4], COLUMN_INT8, ledger->lease_us * RECALL_LEASES);
    PGresult *result = ledger_execute(ledger, STATEMENT_TAKE_REIGN, columns, 5);
    if (result == NULL) {
        status = TENDER_EDATABASE;
    } else if (PQntuples(result) == 0) {
        status = ledger_fail(ledger, TENDER_EREIGN, "another broker reigns");
    } else {
        read_reign(ledger, result, reign_out);
    }
    PQclear(result);
    failpoint(REIGN_TAKEN);
    /* The old broker may have come back before the number rose; now it cannot. And only now may
     * this backend be known: before, the old one would have ended it as one of its own. */
    if (status == 0) {
        status = execute_of_reign(ledger, STATEMENT_END_BACKEND);
    }
    if (status == 0) {
        status = execute_of_reign(ledger, STATEMENT_RESUME_REIGN);
    }
    return status == 0 ? receipt_begin(ledger) : status;
}

int reign_renew(struct ledger *ledger)
{
    struct column columns[3] = {{0}, {0}, {0}};
    column_set_integer(&columns[0], COLUMN_INT2, LEDGER_SHARD);
    column_set_integer(&columns[1], COLUMN_INT8, ledger->reign);
    column_set_integer(&columns[2], COLUMN_INT8, ledger->lease_us * RECALL_LEASES);
    PGresult *result = ledger_execute(ledger, STATEMENT_RENEW_REIGN, columns, 3);
    PQclear(result);
    return result == NULL ? TENDER_EDATABASE : 0;
}

int64_t ledger_leased_until_us(const struct ledger *ledger)
{
    return ledger->leased_until_us;
}

int reign_watch(struct ledger *ledger)
{
    struct column columns[3] = {{0}, {0}, {0}};
    column_set_text(&columns[0], ledger->broker);
    column_set_text(&columns[1], ledger->urls);
    column_set_integer(&columns[2], COLUMN_INT8, ledger->lease_us);
    return pipeline_queue(ledger, STATEMENT_WATCH_REIGNS, columns, 3);
}

/* Queues a statement about our reign. */
static int queue(struct ledger *ledger, enum statement statement)
{
    struct column columns[2] = {{0}, {0}};
    column_set_integer(&columns[0], COLUMN_INT2, LEDGER_SHARD);
    column_set_integer(&columns[1], COLUMN_INT8, ledger->reign);
    return pipeline_queue(ledger, statement, columns, 2);
}

int reign_resume(struct ledger *ledger)
{
    int status = queue(ledger, STATEMENT_END_BACKEND);
    return status == 0 ? queue(ledger, STATEMENT_RESUME_REIGN) : status;
}

int reign_release(struct ledger *ledger)
{
    return queue(ledger, STATEMENT_RELEASE_REIGN);
}

void reign_read(struct ledger *ledger, const PGresult *result)
{
    for (int row = 0; row < PQntuples(result); row++) {
        struct ledger_seat seat = {
            .shard = (int32_t)column_read_integer(PQgetvalue(result, row, 0), 2),
            .reign = column_read_integer(PQgetvalue(result, row, 1), 8),
            .broker = {PQgetvalue(result, row, 2), (size_t)PQgetlength(result, row, 2)},
            .urls = {PQgetvalue(result, row, 3), (size_t)PQgetlength(result, row, 3)},
            .is_free = PQgetvalue(result, row, 4)[0] != 0,
        };
        if (ledger->handlers.on_seat != NULL) {
            ledger->handlers.on_seat(ledger->handlers.context, &seat);
        }
    }
}

void ledger_watch(struct ledger *ledger)
{
    ledger->wants_watch = true;
}

void ledger_release(struct ledger *ledger)
{
    ledger->release = RELEASE_WANTED;
}

bool ledger_is_released(const struct ledger *ledger)
{
    return ledger->release == RELEASE_DONE;
}
