/*
 * The reign: taking it, keeping its lease, watching who else has it, and giving it back.
 */
#include "private.h"

#include <stdio.h>
#include <string.h>

#include "failpoint.h"

static void shard_columns(const struct ledger *ledger, uint32_t shard, struct column columns[2])
{
    column_set_integer(&columns[0], COLUMN_INT2, shard);
    column_set_integer(&columns[1], COLUMN_INT8, ledger->holdings[shard].reign);
}

/* Runs a statement whose answer says nothing. */
static int run(struct ledger *ledger, enum statement statement, struct column *columns,
               uint32_t column_count)
{
    PGresult *result = ledger_execute(ledger, statement, columns, column_count);
    PQclear(result);
    return result == NULL ? TENDER_EDATABASE : 0;
}

/* Runs one about a reign that is ours. */
static int run_of_reign(struct ledger *ledger, uint32_t shard, enum statement statement)
{
    struct column columns[2] = {{0}, {0}};
    shard_columns(ledger, shard, columns);
    return run(ledger, statement, columns, 2);
}

/* Ends a backend that may hold the reign's row; none while another broker's lease runs. */
static int end_holder(struct ledger *ledger, uint32_t shard)
{
    struct column columns[2] = {{0}, {0}};
    column_set_integer(&columns[0], COLUMN_INT2, shard);
    column_set_text(&columns[1], ledger->broker);
    return run(ledger, STATEMENT_END_HOLDER, columns, 2);
}

static void read_reign(struct ledger *ledger, uint32_t shard, const PGresult *result,
                       struct ledger_reign *reign_out)
{
    memset(reign_out, 0, sizeof *reign_out);
    reign_out->reign = cell_integer(result, 0, 0);
    reign_out->batch = (uint64_t)cell_integer(result, 0, 1);
    if (!PQgetisnull(result, 0, 2)) {
        reign_out->stamp_us = cell_time(result, 0, 2);
    }
    const char *server = PQparameterStatus(ledger->connection, "server_version");
    snprintf(reign_out->server, sizeof reign_out->server, "%s", server == NULL ? "?" : server);
    ledger->shards |= shard_set(shard);
    if (ledger->filling->number <= reign_out->batch) {
        ledger->filling->number = reign_out->batch + 1; /* with one shard the numbers are its own */
    }
    fresh_release(&ledger->fresh[shard]);
    ledger->holdings[shard] =
        (struct holding){.reign = reign_out->reign, .batch = reign_out->batch};
}

/* Asked last: stamps go on from it at once, and would be behind by what came between. */
static int read_clock(struct ledger *ledger, int64_t *clock_out)
{
    PGresult *result = ledger_execute(ledger, STATEMENT_CLOCK, NULL, 0);
    if (result != NULL) {
        *clock_out = cell_time(result, 0, 0);
    }
    PQclear(result);
    return result == NULL ? TENDER_EDATABASE : 0;
}

/* Says by which key this broker signs in the shard. */
static int note_key(struct ledger *ledger, uint32_t shard)
{
    struct column columns[3] = {{0}, {0}, {0}};
    shard_columns(ledger, shard, columns);
    column_begin_value(&columns[2], COLUMN_BYTEA);
    column_bytes(&columns[2], (tender_bytes){ledger->key, sizeof ledger->key});
    return run(ledger, STATEMENT_ADD_BROKER_KEY, columns, 3);
}

int ledger_begin_reign(struct ledger *ledger, uint32_t shard, struct ledger_reign *reign_out)
{
    failpoint(REIGN_BEFORE);
    int status = end_holder(ledger, shard);
    if (status != 0) {
        return status;
    }
    struct column columns[5] = {{0}, {0}, {0}, {0}, {0}};
    column_set_integer(&columns[0], COLUMN_INT2, shard);
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
        read_reign(ledger, shard, result, reign_out);
    }
    PQclear(result);
    failpoint(REIGN_TAKEN);
    /* The old broker may have come back before the number rose; now it cannot. And only now may
     * this backend be known: before, the old one would have ended it as one of its own. */
    if (status == 0) {
        status = run_of_reign(ledger, shard, STATEMENT_END_BACKEND);
    }
    if (status == 0) {
        status = run_of_reign(ledger, shard, STATEMENT_RESUME_REIGN);
    }
    if (status == 0 && ledger->has_key) {
        status = note_key(ledger, shard);
    }
    status = status == 0 ? receipt_begin(ledger, shard) : status;
    status = status == 0 ? leaf_recall(ledger, shard) : status;
    return status == 0 ? read_clock(ledger, &reign_out->clock_us) : status;
}

static int renew(struct ledger *ledger, uint32_t shard)
{
    struct column columns[3] = {{0}, {0}, {0}};
    shard_columns(ledger, shard, columns);
    column_set_integer(&columns[2], COLUMN_INT8, ledger->lease_us * RECALL_LEASES);
    return run(ledger, STATEMENT_RENEW_REIGN, columns, 3);
}

int reign_renew(struct ledger *ledger)
{
    int status = 0;
    for (uint64_t left = ledger->shards; status == 0 && left != 0;) {
        status = renew(ledger, shard_take(&left));
    }
    return status;
}

/* Of a bundle of nothing all shards, so that each has the stamp; else those that need a word. */
uint64_t reign_due(const struct ledger *ledger)
{
    uint64_t due = 0;
    if (ledger->filling->touched == 0) {
        return ledger->shards;
    }
    for (uint64_t left = ledger->shards; left != 0;) {
        uint32_t shard = shard_take(&left);
        int64_t since_us = ledger->now_us - ledger->holdings[shard].begun_us;
        due |= since_us >= ledger->lease_us / LEASE_STAMPS ? shard_set(shard) : 0;
    }
    return due;
}

void reign_committed(struct ledger *ledger, const struct bundle *bundle)
{
    int64_t oldest_us = TENDER_NEVER;
    for (uint32_t shard = 0; shard < ledger->shard_count; shard++) {
        struct holding *holding = &ledger->holdings[shard];
        if (shard_is_in(bundle->begun, shard)) {
            holding->batch++;
            holding->begun_us = ledger->sent_us;
            leaf_committed(ledger, shard);
            inbox_release(ledger, bundle->batches[shard]);
        }
        if (shard_is_in(ledger->shards, shard) && holding->begun_us < oldest_us) {
            oldest_us = holding->begun_us;
        }
    }
    ledger->leased_until_us = oldest_us > 0 ? oldest_us + ledger->lease_us : 0;
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

/* Queues a statement about a reign that is ours. */
static int queue(struct ledger *ledger, uint32_t shard, enum statement statement)
{
    struct column columns[2] = {{0}, {0}};
    shard_columns(ledger, shard, columns);
    return pipeline_queue(ledger, statement, columns, 2);
}

int reign_resume(struct ledger *ledger)
{
    int status = 0;
    for (uint64_t left = ledger->shards; status == 0 && left != 0;) {
        uint32_t shard = shard_take(&left);
        status = queue(ledger, shard, STATEMENT_END_BACKEND);
        status = status == 0 ? queue(ledger, shard, STATEMENT_RESUME_REIGN) : status;
    }
    return status;
}

int reign_release(struct ledger *ledger)
{
    int status = 0;
    for (uint64_t left = ledger->released; status == 0 && left != 0;) {
        status = queue(ledger, shard_take(&left), STATEMENT_RELEASE_REIGN);
    }
    return status;
}

void reign_read(struct ledger *ledger, const PGresult *result)
{
    for (int row = 0; row < PQntuples(result); row++) {
        struct ledger_seat seat = {
            .shard = (uint32_t)cell_integer(result, row, 0),
            .reign = cell_integer(result, row, 1),
            .broker = cell_bytes(result, row, 2),
            .urls = cell_bytes(result, row, 3),
            .is_free = PQgetvalue(result, row, 4)[0] != 0,
            .brokers = (uint32_t)cell_integer(result, row, 5),
            .lower_brokers = (uint32_t)cell_integer(result, row, 6),
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

void ledger_release(struct ledger *ledger, uint64_t shards)
{
    ledger->released = shards & ledger->shards;
    ledger->release = RELEASE_WANTED;
}

bool ledger_is_released(const struct ledger *ledger)
{
    return ledger->release == RELEASE_DONE;
}
