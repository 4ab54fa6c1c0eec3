/*
 * Makes the connection, and makes it again with growing pauses after it was lost. What is sent over
 * it is pipeline.c's.
 */
#include "private.h"

#include <poll.h>
#include <string.h>

/*
 * Notices are for psql, but for one: a commit that ceased to wait for its standby, because somebody
 * cancelled it, reports success all the same.
 */
static void on_notice(void *context, const PGresult *result)
{
    struct ledger *ledger = context;
    const char *source = PQresultErrorField(result, PG_DIAG_SOURCE_FUNCTION);
    ledger->is_unawaited =
        ledger->is_unawaited || (source != NULL && strcmp(source, "SyncRepWaitForLSN") == 0);
}

bool connection_is_past(const struct ledger *ledger)
{
    return ledger->timeline_now < *ledger->timeline;
}

/* The first server from the one of `turn` on that may be written, and how it is set. */
static int try_servers(struct ledger *ledger, unsigned turn)
{
    PQfinish(ledger->connection);
    ledger->connection = schema_connect(ledger->database, ledger->broker, false, turn);
    if (ledger->connection == NULL) {
        return TENDER_ENOMEM;
    }
    PQsetNoticeReceiver(ledger->connection, on_notice, ledger);
    if (PQstatus(ledger->connection) != CONNECTION_OK) {
        return ledger_fail_pq(ledger, TENDER_EDATABASE, "cannot connect");
    }
    return durability_ask(ledger->connection, &ledger->timeline_now, ledger->error,
                          sizeof ledger->error);
}

int connection_open(struct ledger *ledger)
{
    size_t hosts = schema_host_count(ledger->database);
    for (unsigned turn = 0; turn < hosts; turn++) {
        int status = try_servers(ledger, turn);
        bool is_connected = status == 0 || status == TENDER_EUNSAFE;
        if (!is_connected || !connection_is_past(ledger)) {
            *ledger->timeline = is_connected ? ledger->timeline_now : *ledger->timeline;
            return status;
        }
    }
    return ledger_fail(ledger, TENDER_EDATABASE, "%s", CONNECTION_PAST);
}

void connection_begin(struct ledger *ledger)
{
    PQfinish(ledger->connection);
    ledger->connection = schema_connect(ledger->database, ledger->broker, true, ++ledger->attempts);
    if (ledger->connection == NULL || PQstatus(ledger->connection) == CONNECTION_BAD) {
        connection_lose(ledger, "cannot connect");
        return;
    }
    PQsetNoticeReceiver(ledger->connection, on_notice, ledger);
    ledger->link = LINK_CONNECTING;
    ledger->polling = PGRES_POLLING_WRITING;
    ledger->retry_us = ledger->now_us + CONNECT_US;
}

/* PQconnectPoll may be called only when the socket is ready for what it wanted. */
static bool socket_is_ready(const struct ledger *ledger)
{
    struct pollfd descriptor = {
        .fd = PQsocket(ledger->connection),
        .events = ledger->polling == PGRES_POLLING_WRITING ? POLLOUT : POLLIN,
    };
    return poll(&descriptor, 1, 0) > 0;
}

int connection_poll(struct ledger *ledger)
{
    if (ledger->now_us >= ledger->retry_us) {
        connection_lose(ledger, "connecting took too long");
        return 0;
    }
    if (!socket_is_ready(ledger)) {
        return 0;
    }
    ledger->polling = PQconnectPoll(ledger->connection);
    if (ledger->polling == PGRES_POLLING_FAILED) {
        connection_lose(ledger, NULL);
    } else if (ledger->polling == PGRES_POLLING_OK) {
        return pipeline_begin(ledger);
    }
    return 0;
}

void connection_lose(struct ledger *ledger, const char *why)
{
    char reason[sizeof ledger->error];
    if (why == NULL) {
        (void)ledger_fail_pq(ledger, 0, "connection lost");
    } else {
        (void)ledger_fail(ledger, 0, "%s", why);
    }
    memcpy(reason, ledger->error, sizeof reason);
    PQfinish(ledger->connection);
    ledger->connection = NULL;
    bool was_up = ledger->link == LINK_UP;
    ledger->link = LINK_DOWN;
    ledger->wants_write = false;
    ledger->unit_count = 0;
    ledger->failed_state[0] = '\0';
    ledger->is_unawaited = false;
    lookup_rewind(ledger);
    ledger->retry_us = ledger->now_us + ledger->backoff_us;
    ledger->backoff_us = ledger->backoff_us == 0 ? BACKOFF_MIN_US : ledger->backoff_us * 2;
    if (ledger->backoff_us > BACKOFF_MAX_US) {
        ledger->backoff_us = BACKOFF_MAX_US;
    }
    if (was_up && ledger->handlers.on_connection != NULL) {
        ledger->handlers.on_connection(ledger->handlers.context, false, reason);
    }
}
