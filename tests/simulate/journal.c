/*
 * The journal in small: one batch fills while one is on its way; what is promised leaves when its
 * batch has committed. A broker that ends takes with it whatever had not.
 */
#include "world.h"

#include <string.h>

#define LEDGER_STALL_US 15000000
#define DOWN_US         6000000
#define HEARTBEAT_US    1000000 /* an idle broker writes its stamp so often */

struct batch *journal_batch(struct world *world)
{
    struct broker *broker = &world->broker;
    if (broker->filling == NULL) {
        broker->filling = pool_take(&world->pool, sizeof *broker->filling);
    }
    return broker->filling;
}

static bool is_needed(struct world *world)
{
    const struct batch *batch = journal_batch(world);
    bool is_news = batch->entry_count > 0 || batch->tell_count > 0;
    for (uint32_t i = 0; i < world->peer_count; i++) {
        const struct session *session = &world->broker.sessions[i];
        is_news = is_news || (session->is_known && session->in > session->committed);
    }
    return is_news;
}

int64_t journal_committed_us(const struct world *world)
{
    const struct broker *broker = &world->broker;
    const struct batch *oldest = broker->under_way;
    if (oldest == NULL || oldest->entry_count == 0) {
        oldest = broker->filling;
    }
    return oldest != NULL && oldest->entry_count > 0 ? oldest->entries[0]->entry.at_us
                                                     : broker->stamp_us;
}

/* Sends the batch that fills; only after a tick, so that no answer is missing from it. */
void journal_submit(struct world *world)
{
    struct broker *broker = &world->broker;
    if (broker->under_way != NULL || !is_needed(world)) {
        return;
    }
    struct batch *batch = journal_batch(world);
    for (uint32_t i = 0; i < world->peer_count; i++) {
        batch->in[i] = broker->sessions[i].in;
    }
    batch->stamp_us = broker->stamp_us;
    batch->fingerprint = book_fingerprint(broker->book);
    broker->under_way = batch;
    broker->filling = NULL;
    int64_t delay_us = world_delay(world, world->weather.commit_us);
    if (!world->is_calm && prng_chance(&world->prng, world->weather.ledger_stall)) {
        delay_us += world_delay(world, LEDGER_STALL_US);
    }
    world_push(world, delay_us, HAPPENING_COMMITTED, 0, broker->life, NULL);
}

static void commit_answer(struct world *world, const struct pending_tell *tell)
{
    struct request *request = world->requests[tell->request - 1];
    require(!request->is_answered, "inbox", "request %llu is answered twice",
            (unsigned long long)tell->request);
    request->is_answered = true;
    tells_check(world, request->peer, tell->message);
}

/* What the database does: the whole batch, or nothing of it. */
static void commit(struct world *world, const struct batch *batch)
{
    world_trace(world, "commit %zu entries, %zu tells", batch->entry_count, batch->tell_count);
    for (size_t i = 0; i < batch->entry_count; i++) {
        store_commit(&world->store, batch->entries[i]);
    }
    audit_check(&world->audit);
    world->store.stamp_us = batch->stamp_us;
    world->store.fingerprint = batch->fingerprint;
    world->store.has_fingerprint = true;
    for (size_t i = 0; i < batch->tell_count; i++) {
        if (batch->tells[i].request != 0) {
            commit_answer(world, &batch->tells[i]);
        }
    }
    if (prng_chance(&world->prng, 60)) {
        store_compare(&world->store, &world->limits);
    }
}

void journal_committed(struct world *world)
{
    struct broker *broker = &world->broker;
    struct batch *batch = broker->under_way;
    broker->under_way = NULL;
    commit(world, batch);
    for (size_t i = 0; i < batch->tell_count; i++) {
        if (batch->tells[i].request == 0) {
            broker_tell(world, batch->tells[i].peer, batch->tells[i].message);
        }
    }
    for (uint32_t i = 0; i < world->peer_count; i++) {
        struct session *session = &broker->sessions[i];
        if (session->is_known && batch->in[i] > session->committed) {
            session->committed = batch->in[i];
            session->is_spoken_to = true;
        }
    }
    broker_speak(world);
    broker_wake(world, 0);
}

/* The broker dies. Its last batch may have arrived, and it may not. */
void journal_crash(struct world *world)
{
    struct broker *broker = &world->broker;
    bool is_idle = broker->under_way == NULL && !is_needed(world);
    world_trace(world, "the broker dies");
    if (broker->under_way != NULL && prng_chance(&world->prng, 500)) {
        commit(world, broker->under_way);
    } else if (is_idle && world->store.stamp_us < broker->stamp_us) {
        int64_t stamp_us = broker->stamp_us - world_delay(world, HEARTBEAT_US);
        world->store.stamp_us = stamp_us > world->store.stamp_us ? stamp_us : world->store.stamp_us;
    }
    witness_crash(world);
    book_close(broker->book);
    effects_release(&broker->effects);
    struct broker next = {.life = broker->life + 1, .restarts = broker->restarts + 1};
    *broker = next;
    for (size_t i = 0; i < world->request_count; i++) {
        world->requests[i]->is_handed_out = false;
    }
    world_push(world, world_delay(world, DOWN_US), HAPPENING_BROKER_UP, 0, broker->life, NULL);
}

static void recover(struct world *world)
{
    struct broker *broker = &world->broker;
    store_recall(&world->store, broker->book);
    if (world->store.has_fingerprint) {
        tender_digest fingerprint = book_fingerprint(broker->book);
        require(memcmp(&fingerprint, &world->store.fingerprint, sizeof fingerprint) == 0, "I20",
                "what is recalled is not what was remembered");
        store_compare(&world->store, &world->limits);
    }
    book_check(broker->book);
    book_resume(broker->book, broker->stamp_us, &broker->effects);
    broker_effects(world);
}

/* A broker begins: recalls, resumes, and lets what fell into its absence move. */
void journal_up(struct world *world)
{
    struct broker *broker = &world->broker;
    int status = book_open(&world->limits, &broker->book);
    require(status == 0, "memory", "book_open returns %d", status);
    status = effects_init(&broker->effects, &world->limits);
    require(status == 0, "memory", "effects_init returns %d", status);
    broker->turn_at_us = TENDER_NEVER;
    broker->stamp_us =
        world->store.stamp_us > world->now_us ? world->store.stamp_us : world->now_us;
    world_trace(world, "a broker begins");
    recover(world);
    if (world->store.stamp_us != 0) {
        struct event recess = {.kind = EVENT_RECESS,
                               .from_us = world->store.stamp_us,
                               .until_us = broker->stamp_us + world->weather.grace_us};
        broker_hear(world, &recess);
    }
    broker_wake(world, 0);
}
