/*
 * What the played database does with the errands of brokers, and who gets the answers. See
 * played.h.
 */
#include "played.h"

#include <inttypes.h>

/* The ledger of the broker that asked, when it still has the connection it asked by. */
struct ledger *errand_ledger(const struct world *world, const struct errand *errand)
{
    const struct broker *broker = world->brokers[errand->broker];
    struct ledger *ledger =
        broker->is_up && broker->life == errand->life ? broker->daemon.link.ledger : NULL;
    return ledger != NULL && ledger->connection == errand->connection ? ledger : NULL;
}

static void commit_answer(struct world *world, const struct said *said)
{
    struct request *request = world->requests[said->request - 1];
    require(!request->is_answered, "inbox", "request %" PRIu64 " is answered twice", said->request);
    request->is_answered = true;
    tells_check(world, request->peer, said->message);
}

/* What the database does: the whole batch, or nothing of it. */
static void commit(struct world *world, const struct batch *batch)
{
    world->audit.writer = world->database.reign;
    struct store *store = &world->store;
    world_trace(world, "batch %" PRIu64 " commits: %zu entries, %zu answers", batch->number,
                batch->entry_count, batch->answer_count);
    for (size_t i = 0; i < batch->entry_count; i++) {
        store_commit(store, batch->entries[i]);
    }
    audit_check(&world->audit);
    require(batch->stamp_us >= store->stamp_us, "I18", "a batch ends %" PRId64 " us before another",
            store->stamp_us - batch->stamp_us);
    store->stamp_us = batch->stamp_us;
    store->fingerprint = batch->fingerprint;
    store->has_fingerprint = batch->has_fingerprint;
    int64_t lease_ends_us = database_clock(world) + world->lease_us;
    if (world->database.lease_ends_us < lease_ends_us) { /* the longer one of a recall stays */
        world->database.lease_ends_us = lease_ends_us;
    }
    world->database.batch = batch->number;
    for (size_t i = 0; i < batch->answer_count; i++) {
        commit_answer(world, &batch->answers[i]);
    }
    if (store->has_fingerprint && chance(world, 20)) {
        store_compare(store, &world->limits);
    }
}

static int work_on_batch(struct world *world, const struct errand *errand)
{
    const struct batch *batch = errand->batch;
    struct broker *broker = world->brokers[errand->broker];
    bool is_there = broker->is_up && broker->life == errand->life;
    if (errand->reign != world->database.reign) {
        world->fenced++;
        return TENDER_EREIGN;
    }
    if (batch->number <= world->database.batch) {
        return 0; /* held: it was sent again because its answer was lost */
    }
    if (is_there && !broker_lives(broker) && chance(world, 500)) {
        return TENDER_EDATABASE; /* it died before */
    }
    commit(world, batch);
    if (is_there) {
        broker->committed = batch->appended;
        (void)broker_lives(broker);
    }
    return 0;
}

void errand_works(struct world *world, void *data)
{
    struct errand *errand = data;
    switch (errand->kind) {
    case ERRAND_BATCH:
        /* A connection that was made anew has ended the old backend with what it had not done. */
        if (world->brokers[errand->broker]->life != errand->life ||
            errand_ledger(world, errand) != NULL) {
            errand->status = work_on_batch(world, errand);
        }
        break;
    case ERRAND_KEY:
        errand->prior =
            store_prior_key(&world->store, errand->principal, errand->key, &errand->body_digest);
        break;
    case ERRAND_TASK:
        errand->prior =
            store_prior_task(&world->store, errand->task, errand->part, errand->generation);
        break;
    case ERRAND_INBOX:
        break;
    case ERRAND_WATCH:
        errand->holder_reign = world->database.reign;
        errand->holder = world->database.holder;
        errand->urls = world->database.urls;
        errand->is_free = database_clock(world) >= world->database.lease_ends_us;
        break;
    case ERRAND_RELEASE:
        if (errand->reign == world->database.reign) {
            world->database.lease_ends_us = database_clock(world);
        }
        break;
    }
}

void errand_answers(struct world *world, void *data)
{
    struct errand *errand = data;
    struct ledger *ledger = errand_ledger(world, errand);
    if (ledger != NULL) {
        struct errand *taken = pool_take(&world->pool, sizeof *taken);
        *taken = *errand;
        taken->next = NULL;
        *ledger->answered_last = taken;
        ledger->answered_last = &taken->next;
        broker_wake(ledger->broker, 0);
    }
}

void errand_lost(struct world *world, uint32_t index, uint64_t connection)
{
    struct broker *broker = world->brokers[index];
    struct ledger *ledger = broker->is_up ? broker->daemon.link.ledger : NULL;
    if (ledger != NULL && ledger->connection == connection) {
        ledger->lost = "the connection is lost";
        broker_wake(broker, 0);
    }
}
