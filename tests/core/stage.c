/* The stage of stage.h. Balances are summed from the entries alone, as the ledger does it. */
#include "stage.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

tender_bytes stage_bytes(const char *text)
{
    return (tender_bytes){text, strlen(text)};
}

struct book_limits stage_limits(void)
{
    return (struct book_limits){
        .task_count = 64,
        .contractor_count = 16,
        .client_count = 8,
        .account_count = 32,
        .skill_count = 8,
        .bid_count = 256,
        .content_bytes = 1 << 20,
        .invitations_max = 64,
        .unanswered_max = 3,
        .deadlines_per_tick = 64,
        .keep_ended_us = 60000000,
    };
}

struct stage *stage_open_with(const struct book_limits *limits)
{
    struct stage *stage = calloc(1, sizeof *stage);
    assert_non_null(stage);
    stage->limits = *limits;
    stage->now_us = STAGE_START_US;
    stage->entries = calloc(STAGE_ENTRIES_MAX, sizeof *stage->entries);
    assert_non_null(stage->entries);
    assert_int_equal(entry_reader_open(&stage->reader), 0);
    assert_int_equal(effects_init(&stage->effects, &stage->limits), 0);
    assert_int_equal(book_open(&stage->limits, &stage->book), 0);
    return stage;
}

struct stage *stage_open(void)
{
    struct book_limits limits = stage_limits();
    return stage_open_with(&limits);
}

void stage_close(struct stage *stage)
{
    for (size_t i = 0; i < stage->entry_count; i++) {
        free((void *)(uintptr_t)stage->entries[i].body.data);
        free((void *)(uintptr_t)stage->entries[i].content.data);
    }
    free(stage->entries);
    entry_reader_close(stage->reader);
    effects_release(&stage->effects);
    book_close(stage->book);
    free(stage);
}

static tender_bytes copy(tender_bytes bytes)
{
    if (bytes.size == 0) {
        return (tender_bytes){NULL, 0};
    }
    void *data = malloc(bytes.size);
    assert_non_null(data);
    return (tender_bytes){memcpy(data, bytes.data, bytes.size), bytes.size};
}

/* A task as the ledger knows it. */
static struct stage_chain *chain_of(struct stage *stage, tender_id task)
{
    for (size_t i = 0; i < stage->chain_count; i++) {
        if (tender_id_equal(stage->chains[i].id, task)) {
            return &stage->chains[i];
        }
    }
    assert_true(stage->chain_count < STAGE_TASKS_MAX);
    stage->chains[stage->chain_count].id = task;
    return &stage->chains[stage->chain_count++];
}

static struct stage_balance *balance_of(struct stage *stage, tender_bytes principal)
{
    for (size_t i = 0; i < stage->balance_count; i++) {
        struct stage_balance *balance = &stage->balances[i];
        if (strlen(balance->principal) == principal.size &&
            memcmp(balance->principal, principal.data, principal.size) == 0) {
            return balance;
        }
    }
    assert_true(stage->balance_count < STAGE_PEERS_MAX);
    struct stage_balance *balance = &stage->balances[stage->balance_count++];
    snprintf(balance->principal, sizeof balance->principal, "%.*s", (int)principal.size,
             (const char *)principal.data);
    return balance;
}

static void pay(struct stage *stage, const struct stage_chain *chain, tender_bytes owner,
                int64_t paid, int64_t released)
{
    struct stage_balance *client = balance_of(stage, stage_bytes(chain->principal));
    client->reserved_micro -= paid + released;
    client->spent_micro += paid;
    client->available_micro += released;
    if (owner.size > 0) {
        balance_of(stage, owner)->earned_micro += paid;
    }
}

static void end_chain(struct stage_chain *chain, tender_task_state state, tender_reason reason)
{
    chain->is_over = (int)state != 0;
    chain->state = state;
    chain->reason = reason;
}

/* The books as the entry alone changes them. */
static void account_for(struct stage *stage, const struct entry *entry)
{
    struct stage_chain *chain = chain_of(stage, entry->task);
    struct stage_balance *balance = NULL;
    switch ((int)entry->kind) {
    case ENTRY_FUNDED:
        balance = balance_of(stage, entry->funded.principal);
        balance->available_micro += entry->funded.amount_micro;
        break;
    case ENTRY_ANNOUNCED:
        balance = balance_of(stage, entry->announced.principal);
        balance->available_micro -= entry->announced.ceiling_micro;
        balance->reserved_micro += entry->announced.ceiling_micro;
        strcpy(chain->principal, balance->principal);
        chain->is_blocked = entry->announced.blocked != 0;
        break;
    case ENTRY_SETTLED:
        pay(stage, chain, entry->settled.principal, entry->settled.paid_micro,
            entry->settled.released_micro);
        end_chain(chain, entry->settled.task_state, entry->settled.task_reason);
        break;
    case ENTRY_COVERED:
        pay(stage, chain, entry->covered.principal, entry->covered.paid_micro, 0);
        break;
    case ENTRY_ADOPTED:
        pay(stage, chain, entry->adopted.principal, entry->adopted.paid_micro,
            entry->adopted.released_micro);
        end_chain(chain, entry->adopted.task_state, entry->adopted.task_reason);
        break;
    case ENTRY_ENDED:
        pay(stage, chain, (tender_bytes){NULL, 0}, 0, entry->ended.released_micro);
        end_chain(chain, entry->ended.state, entry->ended.reason);
        break;
    case ENTRY_UNBLOCKED:
        chain->is_blocked = false;
        break;
    default:
        break;
    }
}

static struct entry decode(struct stage *stage, const struct entry *stored)
{
    struct entry entry = *stored;
    assert_int_equal(entry_decode(stage->reader, &entry), 0);
    return entry;
}

static void store(struct stage *stage, const struct entry *entry)
{
    assert_true(stage->entry_count < STAGE_ENTRIES_MAX);
    struct entry *stored = &stage->entries[stage->entry_count++];
    stored->task = entry->task;
    stored->number = entry->number;
    stored->at_us = entry->at_us;
    stored->kind = entry->kind;
    stored->hash = entry->hash;
    stored->body = copy(entry->body);
    stored->content = copy(entry->content);
    struct entry read = decode(stage, stored);
    account_for(stage, &read);
}

const struct stage_balance *stage_balance(struct stage *stage, const char *principal)
{
    return balance_of(stage, stage_bytes(principal));
}

static void recall(struct book *book, const struct entry *entry)
{
    assert_int_equal(book_recall(book, entry), 0);
}

static void recall_balances(struct stage *stage, struct book *book)
{
    for (size_t i = 0; i < stage->balance_count; i++) {
        const struct stage_balance *sum = &stage->balances[i];
        struct entry balance = {.kind = ENTRY_BALANCE};
        balance.balance =
            (struct entry_balance){stage_bytes(sum->principal), sum->available_micro,
                                   sum->reserved_micro, sum->spent_micro, sum->earned_micro};
        recall(book, &balance);
    }
}

#define TEXT(bytes) (int)(bytes).size, (const char *)(bytes).data

/* What a fact of the house is about; of each only the newest is recalled. NULL: it is no fact. */
static const char *subject_of(const struct entry *entry)
{
    static char text[2 * TENDER_NAME_MAX + TENDER_SKILL_MAX + 16];
    switch ((int)entry->kind) {
    case ENTRY_RATED:
        snprintf(text, sizeof text, "rated %.*s %.*s", TEXT(entry->rated.skill),
                 TEXT(entry->rated.tier));
        return text;
    case ENTRY_COUNTED:
        snprintf(text, sizeof text, "counted %.*s %.*s", TEXT(entry->counted.resource),
                 TEXT(entry->counted.contractor));
        return text;
    case ENTRY_BARRED:
        snprintf(text, sizeof text, "barred %.*s %.*s %.*s", TEXT(entry->barred.contractor),
                 TEXT(entry->barred.principal), TEXT(entry->barred.skill));
        return text;
    case ENTRY_GOALED:
        snprintf(text, sizeof text, "goaled %.*s %.*s", TEXT(entry->goaled.principal),
                 TEXT(entry->goaled.goal));
        return text;
    case ENTRY_ADMITTED:
        snprintf(text, sizeof text, "admitted %.*s", TEXT(entry->admitted.principal));
        return text;
    case ENTRY_VOUCHED:
        snprintf(text, sizeof text, "vouched %.*s", TEXT(entry->vouched.agent));
        return text;
    default:
        return NULL;
    }
}

static bool is_newest_fact(struct stage *stage, size_t at)
{
    char subject[2 * TENDER_NAME_MAX + TENDER_SKILL_MAX + 16];
    struct entry entry = decode(stage, &stage->entries[at]);
    const char *text = subject_of(&entry);
    if (text == NULL) {
        return false;
    }
    strcpy(subject, text);
    for (size_t i = at + 1; i < stage->entry_count; i++) {
        if (stage->entries[i].kind == stage->entries[at].kind) {
            entry = decode(stage, &stage->entries[i]);
            if (strcmp(subject, subject_of(&entry)) == 0) {
                return false;
            }
        }
    }
    return true;
}

/* How the tasks ended that a blocked task waits for. */
static void recall_after(struct stage *stage, struct book *book, const struct entry *announced)
{
    for (size_t i = 0; i < announced->announced.after.count; i++) {
        const tender_bytes *text = &announced->announced.after.items[i];
        struct entry stood = {.kind = ENTRY_STOOD};
        stood.stood.task = announced->task;
        assert_int_equal(tender_id_parse(text->data, text->size, &stood.stood.after), 0);
        const struct stage_chain *chain = chain_of(stage, stood.stood.after);
        stood.stood.state = chain->state;
        stood.stood.reason = chain->reason;
        if (chain->is_over) {
            recall(book, &stood);
        }
    }
}

static struct book *recalled(struct stage *stage)
{
    struct book *book = NULL;
    const struct entry *head = NULL;
    assert_int_equal(book_open(&stage->limits, &book), 0);
    recall_balances(stage, book);
    for (size_t i = 0; i < stage->entry_count; i++) {
        const struct entry *stored = &stage->entries[i];
        if (!tender_id_is_nil(stored->task)) {
            continue;
        }
        head = stored;
        if (stored->kind == ENTRY_ENROLLED || stored->kind == ENTRY_RECESS ||
            is_newest_fact(stage, i)) {
            struct entry entry = decode(stage, stored);
            recall(book, &entry);
        }
    }
    if (head != NULL) {
        book_recall_head(book, 0, head->number, &head->hash);
    }
    for (size_t i = 0; i < stage->entry_count; i++) {
        if (!tender_id_is_nil(stage->entries[i].task) &&
            !chain_of(stage, stage->entries[i].task)->is_over) {
            struct entry entry = decode(stage, &stage->entries[i]);
            recall(book, &entry);
        }
    }
    for (size_t i = 0; i < stage->entry_count; i++) {
        const struct stage_chain *chain = chain_of(stage, stage->entries[i].task);
        if (stage->entries[i].kind == ENTRY_ANNOUNCED && chain->is_blocked && !chain->is_over) {
            struct entry entry = decode(stage, &stage->entries[i]);
            recall_after(stage, book, &entry);
        }
    }
    book_check(book);
    return book;
}

void stage_compare(struct stage *stage)
{
    struct book *book = recalled(stage);
    tender_digest heard = book_fingerprint(stage->book);
    tender_digest again = book_fingerprint(book);
    book_close(book);
    assert_memory_equal(heard.bytes, again.bytes, sizeof heard.bytes);
}

void stage_restart(struct stage *stage)
{
    struct book *book = recalled(stage);
    book_close(stage->book);
    stage->book = book;
    book_resume(book, stage->now_us, &stage->effects);
    for (size_t i = 0; i < stage->effects.entry_count; i++) {
        store(stage, &stage->effects.entries[i]);
    }
    for (size_t i = 0; i < stage->peer_count; i++) {
        stage->peers[i].is_muted = true;
    }
    stage->heard[0] = '\0';
    render_effects(stage, stage->heard, sizeof stage->heard);
}

/* What a peer would remember of what it was told. */
static void remember(struct stage *stage, const struct message *told)
{
    for (size_t i = 0; i < stage->task_count; i++) {
        struct stage_task *task = &stage->tasks[i];
        if (!tender_id_equal(task->id, told->conversation)) {
            continue;
        }
        if (told->performative == TENDER_CFP) {
            task->digest = told->digest;
            task->round = told->round;
        }
        if (told->performative == TENDER_ACCEPT_PROPOSAL) {
            task->generation = told->generation;
            task->units = told->units;
        }
    }
}

void stage_hear(struct stage *stage, struct event *event)
{
    event->at_us = stage->now_us;
    book_hear(stage->book, event, &stage->effects);
    for (size_t i = 0; i < stage->effects.entry_count; i++) {
        store(stage, &stage->effects.entries[i]);
    }
    for (size_t i = 0; i < stage->effects.tell_count; i++) {
        remember(stage, &stage->effects.tells[i].message);
    }
    size_t used = strlen(stage->heard);
    render_effects(stage, stage->heard + used, sizeof stage->heard - used);
    if (!stage->is_quick) {
        book_check(stage->book);
        stage_compare(stage);
    }
}

/* What the ledger says of the tasks that an announcement waits for and the book does not hold. */
static void tell_after(struct stage *stage, struct event *event, uint8_t states[TENDER_AFTER_MAX])
{
    uint32_t at;
    event->after_states = states;
    while (event->message->performative == TENDER_ANNOUNCE &&
           book_wants_after(stage->book, event, &at)) {
        struct prior prior = {0};
        tender_id id;
        memcpy(&id, (const char *)event->message->after.data + at * sizeof id, sizeof id);
        for (size_t i = 0; i < stage->chain_count; i++) {
            const struct stage_chain *chain = &stage->chains[i];
            if (!tender_id_is_nil(id) && tender_id_equal(chain->id, id)) {
                prior.task = id;
                prior.state = chain->state;
                prior.reason = chain->reason;
                prior.principal = stage_bytes(chain->principal);
            }
        }
        states[at] = (uint8_t)book_after_state(&prior, event->principal);
    }
}

void stage_say(struct stage *stage, const char *peer, struct message *message, uint64_t request,
               bool is_operator)
{
    struct stage_peer *record = stage_peer(stage, peer);
    struct event event = {.kind = EVENT_MESSAGE,
                          .peer = stage_bytes(record->name),
                          .principal = stage_bytes(record->principal),
                          .request = request,
                          .is_operator = is_operator,
                          .message = message};
    if (message->performative == TENDER_ANNOUNCE) {
        stage->ids++;
        event.task.bytes[6] = 0x70;
        event.task.bytes[14] = (uint8_t)(stage->ids >> 8);
        event.task.bytes[15] = (uint8_t)stage->ids;
    }
    tender_digest digest;
    struct prior nothing = {0};
    if (book_wants_prior(stage->book, &event, &digest)) {
        event.prior = &nothing;
    }
    uint8_t states[TENDER_AFTER_MAX] = {0};
    tell_after(stage, &event, states);
    stage_hear(stage, &event);
}

void stage_tick(struct stage *stage)
{
    for (int i = 0; i < 1000; i++) {
        struct event event = {.kind = EVENT_TICK};
        stage_hear(stage, &event);
        if (book_next_deadline(stage->book) > stage->now_us) {
            return;
        }
    }
    fail_msg("the book wants ticks without end");
}

static void beat(struct stage *stage)
{
    for (size_t i = 0; i < stage->peer_count; i++) {
        if (!stage->peers[i].is_muted) {
            struct event event = {.kind = EVENT_HEARD,
                                  .at_us = stage->now_us,
                                  .peer = stage_bytes(stage->peers[i].name)};
            bool is_quick = stage->is_quick;
            stage->is_quick = true;
            stage_hear(stage, &event);
            stage->is_quick = is_quick;
        }
    }
}

void stage_wait(struct stage *stage, int64_t until_us)
{
    while (stage->now_us < until_us) {
        int64_t next_us = book_next_deadline(stage->book);
        int64_t beat_us = stage->now_us + 5000000;
        int64_t at_us = next_us < until_us ? next_us : until_us;
        at_us = at_us < beat_us ? at_us : beat_us;
        stage->now_us = at_us > stage->now_us ? at_us : stage->now_us;
        beat(stage);
        stage_tick(stage);
    }
}

struct stage_peer *stage_peer(struct stage *stage, const char *name)
{
    for (size_t i = 0; i < stage->peer_count; i++) {
        if (strcmp(stage->peers[i].name, name) == 0) {
            return &stage->peers[i];
        }
    }
    assert_true(stage->peer_count < STAGE_PEERS_MAX);
    struct stage_peer *peer = &stage->peers[stage->peer_count++];
    snprintf(peer->name, sizeof peer->name, "%s", name);
    snprintf(peer->principal, sizeof peer->principal, "%s", name);
    return peer;
}

struct stage_task *stage_task(struct stage *stage, const char *name)
{
    for (size_t i = 0; i < stage->task_count; i++) {
        if (strcmp(stage->tasks[i].name, name) == 0) {
            return &stage->tasks[i];
        }
    }
    assert_true(stage->task_count < STAGE_TASKS_MAX);
    struct stage_task *task = &stage->tasks[stage->task_count++];
    snprintf(task->name, sizeof task->name, "%s", name);
    return task;
}
