#include "store.h"

#include "fail.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void store_init(struct store *store, struct pool *pool, struct audit *audit,
                struct entry_reader *reader)
{
    memset(store, 0, sizeof *store);
    store->pool = pool;
    store->audit = audit;
    store->reader = reader;
    store->house = pool_take(pool, sizeof *store->house);
}

struct store_entry *store_copy(struct pool *pool, const struct entry *entry)
{
    struct store_entry *copy = pool_take(pool, sizeof *copy);
    copy->entry.task = entry->task;
    copy->entry.number = entry->number;
    copy->entry.at_us = entry->at_us;
    copy->entry.kind = entry->kind;
    copy->entry.hash = entry->hash;
    copy->entry.body = pool_bytes(pool, entry->body);
    copy->entry.content = pool_bytes(pool, entry->content);
    return copy;
}

static struct store_task *chain_of(struct store *store, tender_id id)
{
    if (tender_id_is_nil(id)) {
        return store->house;
    }
    for (struct store_task *task = store->tasks; task != NULL; task = task->next) {
        if (tender_id_equal(task->id, id)) {
            return task;
        }
    }
    struct store_task *task = pool_take(store->pool, sizeof *task);
    task->id = id;
    *(store->last_task == NULL ? &store->tasks : &store->last_task->next) = task;
    store->last_task = task;
    return task;
}

/* Decodes a copy and demands that encoding it again gives the same bytes. */
static struct entry decode(struct store *store, const struct store_entry *stored)
{
    static char buffer[ENTRY_BODY_MAX];
    struct entry entry = stored->entry;
    int status = entry_decode(store->reader, &entry);
    require(status == 0, "encoding", "entry_decode returns %d for %.*s", status,
            (int)entry.body.size, (const char *)entry.body.data);
    int size = entry_encode(&entry, buffer, sizeof buffer);
    require(size == (int)entry.body.size && memcmp(buffer, entry.body.data, entry.body.size) == 0,
            "encoding", "%.*s is encoded again as %.*s", (int)entry.body.size,
            (const char *)entry.body.data, size < 0 ? 0 : size, buffer);
    return entry;
}

static void trace(const struct entry *entry)
{
    printf("  entry %s %" PRIu64 " %" PRId64 " %s %.*s\n", audit_id(entry->task), entry->number,
           entry->at_us, entry_kind_name(entry->kind), (int)entry->body.size,
           (const char *)entry->body.data);
}

void store_commit(struct store *store, struct store_entry *stored)
{
    struct store_task *chain = chain_of(store, stored->entry.task);
    *(store->last == NULL ? &store->first : &store->last->next) = stored;
    store->last = stored;
    *(chain->last == NULL ? &chain->first : &chain->last->next_in_task) = stored;
    chain->last = stored;
    store->entry_count++;
    if (store->is_traced) {
        trace(&stored->entry);
    }
    struct entry entry = decode(store, stored);
    audit_hear(store->audit, &entry);
}

/* Who is told, and the first failure. */
struct recall {
    int (*on_entry)(void *context, const struct entry *entry);
    void *context;
    int status;
};

static void recall(struct recall *recall, const struct entry *entry)
{
    if (recall->status == 0) {
        recall->status = recall->on_entry(recall->context, entry);
    }
}

static void recall_balances(const struct audit_accounts *accounts, struct recall *to)
{
    for (size_t i = 0; i < accounts->count; i++) {
        struct entry entry = {.kind = ENTRY_BALANCE};
        entry.balance =
            (struct entry_balance){accounts->items[i].principal, accounts->items[i].available_micro,
                                   accounts->items[i].reserved_micro,
                                   accounts->items[i].spent_micro, accounts->items[i].earned_micro};
        recall(to, &entry);
    }
}

#define TEXT(bytes) (int)(bytes).size, (const char *)(bytes).data

/* What a fact of the house is about; of each only the newest is recalled. Empty: it is no fact. */
static void subject_of(const struct entry *entry, char *text, size_t size)
{
    switch ((int)entry->kind) {
    case ENTRY_RATED:
        snprintf(text, size, "%.*s %.*s", TEXT(entry->rated.skill), TEXT(entry->rated.tier));
        break;
    case ENTRY_COUNTED:
        snprintf(text, size, "%.*s %.*s", TEXT(entry->counted.resource),
                 TEXT(entry->counted.contractor));
        break;
    case ENTRY_BARRED:
        snprintf(text, size, "%.*s %.*s %.*s", TEXT(entry->barred.contractor),
                 TEXT(entry->barred.principal), TEXT(entry->barred.skill));
        break;
    case ENTRY_GOALED:
        snprintf(text, size, "%.*s %.*s", TEXT(entry->goaled.principal), TEXT(entry->goaled.goal));
        break;
    case ENTRY_ADMITTED:
        snprintf(text, size, "%.*s", TEXT(entry->admitted.principal));
        break;
    case ENTRY_VOUCHED:
        snprintf(text, size, "%.*s", TEXT(entry->vouched.agent));
        break;
    default:
        text[0] = '\0';
        break;
    }
}

static bool is_newest_fact(struct store *store, const struct store_entry *stored)
{
    char subject[3 * TENDER_NAME_MAX];
    char other[3 * TENDER_NAME_MAX];
    struct entry entry = decode(store, stored);
    subject_of(&entry, subject, sizeof subject);
    for (const struct store_entry *later = stored->next_in_task;
         subject[0] != '\0' && later != NULL; later = later->next_in_task) {
        if (later->entry.kind == stored->entry.kind) {
            entry = decode(store, later);
            subject_of(&entry, other, sizeof other);
            if (strcmp(subject, other) == 0) {
                return false;
            }
        }
    }
    return subject[0] != '\0';
}

static bool is_recalled_for_house(struct store *store, const struct store_entry *stored)
{
    enum entry_kind kind = stored->entry.kind;
    return kind == ENTRY_REIGNED || kind == ENTRY_RECESS || kind == ENTRY_ENROLLED ||
           is_newest_fact(store, stored);
}

/* How the ended tasks ended that a blocked one waits for. */
static void recall_after(const struct store *store, struct recall *to,
                         const struct audit_task *task)
{
    for (size_t i = 0; i < task->terms.after.count; i++) {
        const tender_bytes *text = &task->terms.after.items[i];
        struct entry stood = {.kind = ENTRY_STOOD};
        int status = tender_id_parse(text->data, text->size, &stood.stood.after);
        const struct audit_task *first = audit_task_find(store->audit, stood.stood.after);
        require(status == 0 && first != NULL, "after", "%s waits for nothing", audit_id(task->id));
        stood.stood.task = task->id;
        stood.stood.state = first->end_state;
        stood.stood.reason = first->end_reason;
        if (first->state == AUDIT_OVER) {
            recall(to, &stood);
        }
    }
}

int store_recall(struct store *store, int (*on_entry)(void *context, const struct entry *entry),
                 void (*on_head)(void *context, uint32_t shard, uint64_t number,
                                 const tender_digest *hash),
                 void *context)
{
    struct recall state = {on_entry, context, 0};
    struct recall *to = &state;
    recall_balances(&store->audit->accounts, to);
    for (const struct store_entry *stored = store->house->first; stored != NULL;
         stored = stored->next_in_task) {
        if (is_recalled_for_house(store, stored)) {
            struct entry entry = decode(store, stored);
            recall(to, &entry);
        }
    }
    on_head(context, 0, store->audit->house.number, &store->audit->house.hash);
    for (const struct store_task *task = store->tasks; task != NULL; task = task->next) {
        if (audit_task_find(store->audit, task->id)->state == AUDIT_OVER) {
            continue;
        }
        for (const struct store_entry *stored = task->first; stored != NULL;
             stored = stored->next_in_task) {
            struct entry entry = decode(store, stored);
            recall(to, &entry);
        }
    }
    for (const struct audit_task *task = store->audit->tasks; task != NULL; task = task->next) {
        if (task->state == AUDIT_BLOCKED) {
            recall_after(store, to, task);
        }
    }
    return state.status;
}

static int on_entry(void *context, const struct entry *entry)
{
    int status = book_recall(context, entry);
    require(status == 0, "recall", "book_recall returns %d for %s, entry %" PRIu64 " of %s", status,
            entry_kind_name(entry->kind), entry->number, audit_id(entry->task));
    return status;
}

static void on_head(void *context, uint32_t shard, uint64_t number, const tender_digest *hash)
{
    book_recall_head(context, shard, number, hash);
}

void store_compare(struct store *store, const struct book_limits *limits)
{
    struct book *book = NULL;
    int status = book_open(limits, &book);
    require(status == 0, "memory", "book_open returns %d", status);
    status = store_recall(store, on_entry, on_head, book);
    require(status == 0, "recall", "a fresh book does not take what was recalled");
    book_check(book);
    tender_digest fingerprint = book_fingerprint(book);
    require(memcmp(&fingerprint, &store->fingerprint, sizeof fingerprint) == 0, "I20",
            "what is recalled is not what was remembered");
    book_close(book);
}

static void prior_of(struct ledger_prior *prior, const struct audit_task *task)
{
    prior->state = task->end_state;
    prior->reason = task->end_reason;
    prior->client = task->terms.client;
    prior->principal = task->terms.principal;
    prior->round = task->round;
    prior->units = task->terms.units;
    prior->units_done = task->units_done;
    prior->paid_micro = task->paid_micro;
    prior->number = task->chain.number;
    prior->hash = task->chain.hash;
}

struct ledger_prior store_prior_key(const struct store *store, tender_bytes principal,
                                    tender_bytes key, const tender_digest *body_digest)
{
    struct ledger_prior prior = {0};
    for (const struct audit_task *task = store->audit->tasks; task != NULL; task = task->next) {
        if (!bytes_equal(task->terms.principal, principal) || !bytes_equal(task->terms.key, key)) {
            continue;
        }
        if (tender_id_is_nil(prior.newest)) {
            prior.newest = task->id;
            prior_of(&prior, task);
        }
        if (memcmp(&task->terms.body_digest, body_digest, sizeof *body_digest) == 0) {
            prior.task = task->id;
            prior_of(&prior, task);
            break;
        }
    }
    return prior;
}

struct ledger_prior store_prior_task(const struct store *store, tender_id id, int64_t part,
                                     int64_t generation)
{
    struct ledger_prior prior = {0};
    struct audit_task *task = audit_task_find(store->audit, id);
    if (task == NULL) {
        return prior;
    }
    prior.task = id;
    prior.newest = id;
    prior_of(&prior, task);
    const struct audit_award *award = audit_award_find(task, part, generation);
    if (award != NULL) {
        prior.commitment_state = award->state;
        prior.contractor = award->contractor;
        if (tender_commitment_state_is_terminal(award->state)) {
            prior.commitment_units_done = award->units_done;
            prior.commitment_paid_micro = award->paid_micro;
        }
    }
    return prior;
}
