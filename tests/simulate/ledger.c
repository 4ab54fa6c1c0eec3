/*
 * The ledger of ledger.h, played over the world's database: batches that fill, commit late, fail,
 * or commit without an answer; a reign that another broker takes; look-ups and the inbox, answered
 * from what has committed. Everything that is asked is an errand with two moments: when the
 * database works on it, and when its answer is back; an error takes one of the two away, and the
 * connection with it.
 */
#include "played.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define STALL_US    15000000 /* of the database */
#define PATIENCE_US 2000000  /* until a lost connection shows */

static struct batch *batch_new(struct world *world, uint64_t number)
{
    struct batch *batch = pool_take(&world->pool, sizeof *batch);
    batch->number = number;
    return batch;
}

bool ledger_fails(struct world *world)
{
    return world_chance(world, world->weather.ledger_error);
}

int64_t database_clock(const struct world *world)
{
    return world->now_us + world->database.clock_offset_us;
}

static int refuse(struct ledger *ledger, const char *why)
{
    snprintf(ledger->error, sizeof ledger->error, "%s", why);
    return TENDER_EDATABASE;
}

int ledger_open(const struct ledger_options *options, struct ledger **ledger_out)
{
    struct world *world = world_running;
    struct ledger *ledger = pool_take(&world->pool, sizeof *ledger);
    *ledger = (struct ledger){.world = world,
                              .broker = world->current,
                              .handlers = options->handlers,
                              .filling = batch_new(world, 0)};
    ledger->answered_last = &ledger->answered;
    *ledger_out = ledger;
    if (ledger_fails(world)) {
        return refuse(ledger, "cannot connect");
    }
    ledger->connection = ++world->database.connections;
    return 0;
}

void ledger_close(struct ledger *ledger)
{
    (void)ledger; /* it lives in the pool; answers to it find another life or connection */
}

const char *ledger_last_error(const struct ledger *ledger)
{
    return ledger == NULL ? "out of memory" : ledger->error;
}

/* The old broker's connection ends with its reign. */
static void end_backend(struct world *world, const struct ledger *ledger)
{
    for (uint32_t i = 0; i < WORLD_BROKERS; i++) {
        struct broker *other = world->brokers[i];
        struct ledger *old = other->is_up ? other->daemon.link.ledger : NULL;
        if (old != NULL && old != ledger && old->connection != 0) {
            world_push(world, world_delay(world, PATIENCE_US), HAPPENING_LEDGER_LOST, i,
                       old->connection, NULL);
        }
    }
}

/* Who reigned until now and lives, other than the one that takes over. */
static const struct broker *holder_of(const struct world *world, const struct broker *taker)
{
    for (uint32_t i = 0; i < WORLD_BROKERS; i++) {
        const struct broker *broker = world->brokers[i];
        if (broker->is_up && broker != taker && broker->life == world->database.life) {
            return broker;
        }
    }
    return NULL;
}

int ledger_begin_reign(struct ledger *ledger, uint32_t shard, struct ledger_reign *reign_out)
{
    (void)shard; /* there is one */
    struct world *world = ledger->world;
    struct database *database = &world->database;
    const char *name = ledger->broker->config.broker;
    bool is_own = database->holder == NULL || strcmp(database->holder, name) == 0;
    if (ledger_fails(world)) {
        return refuse(ledger, "begin_reign: the server closed the connection");
    }
    if (!is_own && database_clock(world) < database->lease_ends_us) {
        return TENDER_EREIGN;
    }
    const struct broker *before = holder_of(world, ledger->broker);
    const struct ledger *theirs = before == NULL ? NULL : before->daemon.link.ledger;
    require(theirs == NULL || is_own || database->has_stepped || before->daemon.has_released ||
                ledger_leased_until_us(theirs) <= clock_boot_us(),
            "lease", "a reign is taken while its holder believes in it");
    world->takeovers += before != NULL;
    end_backend(world, ledger);
    ledger->reign = ++database->reign;
    database->life = ledger->broker->life;
    database->holder = pool_bytes(&world->pool, (tender_bytes){name, strlen(name) + 1}).data;
    database->urls = ledger->broker->index == 0 ? "0" : "1";
    database->lease_ends_us = database_clock(world) + 6 * world->lease_us;
    ledger->filling->number = database->batch + 1;
    *reign_out = (struct ledger_reign){.reign = ledger->reign,
                                       .stamp_us = world->store.stamp_us,
                                       .clock_us = database_clock(world),
                                       .batch = database->batch,
                                       .server = "simulated"};
    world_trace(world, "broker %" PRIu32 " takes reign %" PRId64 "%s", ledger->broker->index,
                ledger->reign, before != NULL ? " over" : "");
    return 0;
}

int64_t ledger_reign_of(const struct ledger *ledger)
{
    return ledger == NULL ? 0 : ledger->reign;
}

int64_t ledger_leased_until_us(const struct ledger *ledger)
{
    require(ledger != NULL, "ledger", "it is asked for its lease while there is none");
    return ledger->leased_until_us;
}

void ledger_watch(struct ledger *ledger)
{
    ledger->wants_watch = true;
}

uint32_t ledger_shard_count(const struct ledger *ledger)
{
    (void)ledger;
    return 1;
}

void ledger_release(struct ledger *ledger, uint64_t shards)
{
    (void)shards;
    ledger->release = RELEASE_WANTED;
}

bool ledger_is_released(const struct ledger *ledger)
{
    return ledger->release == RELEASE_DONE;
}

int ledger_recall(struct ledger *ledger, uint32_t shard,
                  int (*on_entry)(void *context, const struct entry *entry),
                  void (*on_head)(void *context, uint32_t shard, uint64_t number,
                                  const tender_digest *hash),
                  void *context)
{
    (void)shard;
    struct world *world = ledger->world;
    if (ledger_fails(world)) {
        return refuse(ledger, "recall: the server closed the connection");
    }
    int status = store_recall(&world->store, on_entry, on_head, context);
    require(status == 0, "recall", "the book does not take what the ledger recalls: %d", status);
    struct book *book = ledger->broker->daemon.hearing.book;
    tender_digest fingerprint = book_fingerprint(book);
    require(!world->store.has_fingerprint ||
                memcmp(&fingerprint, &world->store.fingerprint, sizeof fingerprint) == 0,
            "I20", "what is recalled is not what was remembered");
    book_check(book);
    return 0;
}

/* In every other world there are too many keys: the book asks for each. */
int ledger_recall_keys(struct ledger *ledger, uint32_t shard, int64_t limit,
                       void (*on_key)(void *context, tender_bytes principal, tender_bytes key),
                       void *context)
{
    (void)shard;
    const struct world *world = ledger->world;
    (void)limit;
    if (world->options.seed % 2 == 0) {
        return 0;
    }
    for (const struct audit_task *task = world->audit.tasks; task != NULL; task = task->next) {
        on_key(context, task->terms.principal, task->terms.key);
    }
    return 1;
}

int ledger_append(struct ledger *ledger, const struct entry *entry)
{
    struct world *world = ledger->world;
    struct batch *batch = ledger->filling;
    if (!broker_lives(ledger->broker)) {
        return 0;
    }
    batch->entries = pool_grow(&world->pool, batch->entries, batch->entry_count,
                               &batch->entry_capacity, sizeof(struct store_entry *));
    batch->entries[batch->entry_count++] = store_copy(&world->pool, entry);
    batch->size += 64 + entry->body.size + entry->content.size;
    ledger->broker->appended++;
    (void)broker_lives(ledger->broker);
    return 0;
}

int ledger_answer(struct ledger *ledger, uint64_t request, const struct message *message)
{
    struct world *world = ledger->world;
    struct batch *batch = ledger->filling;
    batch->answers = pool_grow(&world->pool, batch->answers, batch->answer_count,
                               &batch->answer_capacity, sizeof *batch->answers);
    batch->answers[batch->answer_count++] =
        (struct said){request, pool_message(&world->pool, message)};
    batch->size += 64;
    return 0;
}

uint64_t ledger_batch(const struct ledger *ledger)
{
    return ledger->filling->number;
}

size_t ledger_backlog(const struct ledger *ledger)
{
    return ledger->filling->size;
}

bool ledger_is_busy(const struct ledger *ledger)
{
    return ledger->sending != NULL;
}

/* Sends an errand on its way: it is worked on, and answered, or one of them does not happen. */
void ledger_dispatch(struct ledger *ledger, struct errand *errand)
{
    struct world *world = ledger->world;
    int64_t stall_us =
        world_chance(world, world->weather.ledger_stall) ? world_delay(world, STALL_US) : 0;
    int64_t works_us = world->now_us + world_delay(world, world->weather.commit_us) + stall_us;
    works_us = works_us > ledger->works_us ? works_us : ledger->works_us;
    int64_t answers_us = works_us + world_delay(world, world->weather.commit_us);
    answers_us = answers_us > ledger->answers_us ? answers_us : ledger->answers_us;
    ledger->works_us = works_us;
    ledger->answers_us = answers_us;
    world->has_acted = true;
    errand->broker = ledger->broker->index;
    errand->life = ledger->broker->life;
    errand->reign = ledger->reign;
    errand->connection = ledger->connection;
    bool has_failed = ledger_fails(world);
    bool is_worked_on = !has_failed || world_chance(world, 500);
    if (is_worked_on) {
        world_push(world, works_us - world->now_us, HAPPENING_LEDGER_WORKS, errand->broker, 0,
                   errand);
    }
    if (!has_failed) {
        world_push(world, answers_us - world->now_us, HAPPENING_LEDGER_ANSWERS, errand->broker, 0,
                   errand);
        return;
    }
    world->answers_lost += is_worked_on;
    world_push(world, answers_us - world->now_us + world_delay(world, PATIENCE_US),
               HAPPENING_LEDGER_LOST, errand->broker, errand->connection, NULL);
}

void ledger_send_batch(struct ledger *ledger)
{
    struct errand *errand = pool_take(&ledger->world->pool, sizeof *errand);
    errand->kind = ERRAND_BATCH;
    errand->batch = ledger->sending;
    ledger_dispatch(ledger, errand);
}

int ledger_submit(struct ledger *ledger, int64_t stamp_us)
{
    struct broker *broker = ledger->broker;
    struct batch *batch = ledger->filling;
    require(ledger->sending == NULL, "batch", "a batch is sent while another one is under way");
    ledger->sending = batch;
    ledger->filling = batch_new(ledger->world, batch->number + 1);
    if (!broker_lives(broker)) {
        return 0;
    }
    batch->stamp_us = stamp_us;
    batch->sent_us = clock_boot_us();
    batch->appended = broker->appended;
    batch->has_fingerprint = broker->is_settled;
    if (batch->has_fingerprint) {
        batch->fingerprint = book_fingerprint(broker->daemon.hearing.book);
    }
    if (ledger->connection != 0) {
        ledger_send_batch(ledger);
    }
    (void)broker_lives(broker);
    return 0;
}

static int ask(struct ledger *ledger, struct errand *errand)
{
    errand->next = ledger->lookups;
    ledger->lookups = errand;
    if (ledger->connection != 0) {
        ledger_dispatch(ledger, errand);
    }
    return 0;
}

int ledger_lookup_key(struct ledger *ledger, uint64_t cookie, tender_bytes principal,
                      tender_bytes key, const tender_digest *body_digest)
{
    struct world *world = ledger->world;
    struct errand *errand = pool_take(&world->pool, sizeof *errand);
    errand->kind = ERRAND_KEY;
    errand->cookie = cookie;
    errand->principal = pool_bytes(&world->pool, principal);
    errand->key = pool_bytes(&world->pool, key);
    errand->body_digest = *body_digest;
    return ask(ledger, errand);
}

int ledger_lookup_task(struct ledger *ledger, uint64_t cookie, tender_id task, uint32_t part,
                       uint32_t generation)
{
    struct errand *errand = pool_take(&ledger->world->pool, sizeof *errand);
    errand->kind = ERRAND_TASK;
    errand->cookie = cookie;
    errand->task = task;
    errand->part = part;
    errand->generation = generation;
    return ask(ledger, errand);
}

int ledger_poll_inbox(struct ledger *ledger)
{
    if (!ledger->is_polling && ledger->connection != 0) {
        struct errand *errand = pool_take(&ledger->world->pool, sizeof *errand);
        errand->kind = ERRAND_INBOX;
        ledger->is_polling = true;
        ledger_dispatch(ledger, errand);
    }
    return 0;
}

/* Nothing is lost here that committed: how that is told is for other tests. */
size_t ledger_receipts(const struct ledger *ledger, uint8_t *receipts_out)
{
    (void)ledger;
    (void)receipts_out;
    return 0;
}

size_t ledger_judge(const struct ledger *ledger, tender_bytes receipts,
                    struct ledger_loss *losses_out)
{
    (void)ledger;
    (void)receipts;
    (void)losses_out;
    return 0;
}

struct ledger_loss ledger_lost(const struct ledger *ledger)
{
    (void)ledger;
    return (struct ledger_loss){0};
}

void ledger_loss_pack(const struct ledger_loss *loss, uint8_t *receipt_out)
{
    (void)loss;
    (void)receipt_out;
}

void ledger_note_loss(struct ledger *ledger, const struct ledger_loss *loss, tender_bytes peer)
{
    (void)ledger;
    (void)loss;
    (void)peer;
}

void ledger_note_limit(struct ledger *ledger, const char *name, uint64_t times,
                       const char *consequence)
{
    (void)ledger;
    (void)name;
    (void)times;
    (void)consequence;
}

int ledger_socket(const struct ledger *ledger)
{
    (void)ledger;
    return -1;
}

int ledger_wants(const struct ledger *ledger)
{
    (void)ledger;
    return 0;
}

int64_t ledger_retry_us(const struct ledger *ledger)
{
    return ledger->retry_us;
}
