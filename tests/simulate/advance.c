/*
 * How the answers of the database come back to a broker, and what is asked again over a new
 * connection. See played.h.
 */
#include "played.h"

#include <stdio.h>

#define BACKOFF_MIN_US 100000
#define BACKOFF_MAX_US 5000000

static void take_prior(struct ledger *ledger, const struct errand *errand)
{
    struct errand **link = &ledger->lookups;
    while (*link != NULL && (*link)->cookie != errand->cookie) {
        link = &(*link)->next;
    }
    if (*link != NULL) {
        *link = (*link)->next;
        ledger->handlers.on_prior(ledger->handlers.context, errand->cookie, &errand->prior);
    }
}

static void hand_out(struct ledger *ledger, struct request *request)
{
    const struct peer *peer = &ledger->world->peers[request->peer];
    struct ledger_request said = {.request = request->request,
                                  .peer = bytes_of(peer->name),
                                  .principal = bytes_of(peer->principal),
                                  .is_operator = request->is_operator,
                                  .amount_micro = request->amount_micro};
    if (request->message != NULL) {
        said.message = *request->message;
    }
    ledger->is_handed_out[request->request - 1] = true;
    ledger->handlers.on_request(ledger->handlers.context, &said);
}

static void take_inbox(struct ledger *ledger)
{
    const struct world *world = ledger->world;
    ledger->is_polling = false;
    for (size_t i = 0; i < world->request_count; i++) {
        struct request *request = world->requests[i];
        if (!request->is_answered && !ledger->is_handed_out[i]) {
            hand_out(ledger, request);
        }
    }
}

static void take_batch(struct ledger *ledger, const struct errand *errand)
{
    if (errand->status != 0) {
        ledger->status = errand->status;
        snprintf(ledger->error, sizeof ledger->error, "the batch was refused");
    } else if (ledger->sending == errand->batch) {
        ledger->sending = NULL;
        ledger->leased_until_us = errand->batch->sent_us + ledger->world->lease_us;
        ledger->handlers.on_committed(ledger->handlers.context, errand->batch->number);
    }
}

static void take_seat(const struct ledger *ledger, const struct errand *errand)
{
    struct ledger_seat seat = {.reign = errand->holder_reign,
                               .broker = bytes_of(errand->holder == NULL ? "" : errand->holder),
                               .urls = bytes_of(errand->urls == NULL ? "" : errand->urls),
                               .is_free = errand->is_free,
                               .brokers = 1};
    ledger->handlers.on_seat(ledger->handlers.context, &seat);
}

static void take_answer(struct ledger *ledger, const struct errand *errand)
{
    switch (errand->kind) {
    case ERRAND_BATCH:
        take_batch(ledger, errand);
        break;
    case ERRAND_KEY:
    case ERRAND_TASK:
        take_prior(ledger, errand);
        break;
    case ERRAND_INBOX:
        take_inbox(ledger);
        break;
    case ERRAND_WATCH:
        take_seat(ledger, errand);
        break;
    case ERRAND_RELEASE:
        ledger->release = RELEASE_DONE;
        break;
    }
}

static void take_answers(struct ledger *ledger)
{
    while (ledger->answered != NULL && ledger->status == 0) {
        const struct errand *errand = ledger->answered;
        ledger->answered = errand->next;
        if (ledger->answered == NULL) {
            ledger->answered_last = &ledger->answered;
        }
        take_answer(ledger, errand);
    }
}

static void lose(struct ledger *ledger, int64_t boot_us)
{
    ledger->connection = 0;
    ledger->is_polling = false;
    ledger->release = ledger->release == RELEASE_SENT ? RELEASE_WANTED : ledger->release;
    ledger->backoff_us = ledger->backoff_us == 0 ? BACKOFF_MIN_US : 2 * ledger->backoff_us;
    ledger->backoff_us = ledger->backoff_us > BACKOFF_MAX_US ? BACKOFF_MAX_US : ledger->backoff_us;
    ledger->retry_us = boot_us + ledger->backoff_us;
    if (ledger->lost != NULL) {
        ledger->handlers.on_connection(ledger->handlers.context, false, ledger->lost);
        ledger->lost = NULL;
    }
}

/* What was not answered is asked again by the new connection. */
static void connect_again(struct ledger *ledger, int64_t boot_us)
{
    if (ledger_fails(ledger->world)) {
        lose(ledger, boot_us);
        return;
    }
    ledger->connection = ++ledger->world->database.connections;
    ledger->backoff_us = 0;
    ledger->works_us = 0;
    ledger->answers_us = 0;
    ledger->handlers.on_connection(ledger->handlers.context, true, "connected");
    if (ledger->sending != NULL) {
        ledger_send_batch(ledger);
    }
    for (struct errand *errand = ledger->lookups; errand != NULL; errand = errand->next) {
        struct errand *again = pool_take(&ledger->world->pool, sizeof *again);
        *again = *errand;
        ledger_dispatch(ledger, again);
    }
}

static void send_rare(struct ledger *ledger, enum errand_kind kind)
{
    struct errand *errand = pool_take(&ledger->world->pool, sizeof *errand);
    errand->kind = kind;
    ledger_dispatch(ledger, errand);
}

static void send_what_is_wanted(struct ledger *ledger)
{
    if (ledger->wants_watch) {
        ledger->wants_watch = false;
        send_rare(ledger, ERRAND_WATCH);
    }
    if (ledger->release == RELEASE_WANTED) {
        ledger->release = RELEASE_SENT;
        send_rare(ledger, ERRAND_RELEASE);
    }
}

int ledger_advance(struct ledger *ledger, int64_t monotonic_us)
{
    if (ledger->broker->is_dead) {
        return 0;
    }
    take_answers(ledger);
    if (ledger->status == 0 && ledger->lost != NULL) {
        lose(ledger, monotonic_us);
    }
    if (ledger->status == 0 && ledger->connection == 0 && monotonic_us >= ledger->retry_us) {
        connect_again(ledger, monotonic_us);
    }
    if (ledger->status == 0 && ledger->connection != 0) {
        send_what_is_wanted(ledger);
    }
    return ledger->status;
}
