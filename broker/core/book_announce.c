/*
 * Announcing: a key makes it safe to repeat, the ceiling is reserved, the first round opens. Also
 * the money that is put into accounts.
 */
#include "book_internal.h"
#include "wire.h"

#include <assert.h>
#include <string.h>

#define DEFAULT_ROUNDS       3
#define DEFAULT_BACKOFF_US   1000000
#define DEFAULT_ACK_US       10000000
#define DEFAULT_KILL_FEE_PPM 100000

/* Fields that an announcement is made of, in the order in which they enter its digest. */
#define ANNOUNCE_INTEGERS(X)                                                                       \
    X(UNITS, units)                                                                                \
    X(CEILING, ceiling_micro)                                                                      \
    X(WINDOW, window_us)                                                                           \
    X(DUE, due_us)                                                                                 \
    X(DEADLINE, deadline_at_us)                                                                    \
    X(ROUNDS, rounds)                                                                              \
    X(BACKOFF, backoff_us)                                                                         \
    X(ACK, ack_us)                                                                                 \
    X(HEARTBEAT, heartbeat_us)                                                                     \
    X(PRIORITY, priority)                                                                          \
    X(PARTIAL, partial)                                                                            \
    X(KILL_FEE, kill_fee_ppm)                                                                      \
    X(CLOSE_ALONE, close_alone)                                                                    \
    X(FALLBACK, fallback)

static size_t put_integer(uint8_t *to, int64_t value)
{
    for (int i = 0; i < 8; i++) {
        to[i] = (uint8_t)((uint64_t)value >> (56 - 8 * i));
    }
    return 8;
}

static size_t put_text(uint8_t *to, tender_bytes text)
{
    size_t size = text.size < TENDER_KEY_MAX ? text.size : TENDER_KEY_MAX;
    size_t at = put_integer(to, (int64_t)text.size);
    if (size > 0) {
        memcpy(to + at, text.data, size);
    }
    return at + size;
}

/*
 * Over what the client said: which fields are there, then each of them. A field that is not there
 * is 0, so a client that states a default says another body.
 */
tender_digest book_announce_digest(const struct event *event)
{
    const struct message *said = event->message;
    uint8_t bytes[1024 + BOOK_DIGEST_TERMS_MAX];
    size_t at = 0;
    message_mask present = 0;
#define X(NAME, member)                                                                            \
    present |= said->present & MESSAGE_BIT(MESSAGE_##NAME);                                        \
    at += put_integer(bytes + at, message_has(said, MESSAGE_##NAME) ? said->member : 0);
    ANNOUNCE_INTEGERS(X)
#undef X
    at += put_integer(bytes + at, (int64_t)present);
    at += put_text(bytes + at, said->skill);
    at += put_text(bytes + at, said->contractor);
    tender_id again = message_has(said, MESSAGE_AGAIN) ? said->again : (tender_id){{0}};
    memcpy(bytes + at, again.bytes, sizeof again.bytes);
    at += sizeof again.bytes;
    tender_digest content = {{0}};
    if (message_has(said, MESSAGE_CONTENT)) {
        content = entry_digest(said->content);
    }
    memcpy(bytes + at, content.bytes, sizeof content.bytes);
    at += sizeof content.bytes;
    assert(at <= sizeof bytes - BOOK_DIGEST_TERMS_MAX);
    at += book_digest_terms(said, bytes + at);
    return entry_digest((tender_bytes){bytes, at});
}

static void agree(struct book *book, const struct event *event, tender_id task,
                  tender_task_state state)
{
    struct message *message = book_reply(book, event, TENDER_AGREE, task);
    message_set(message, KEY, key, book_keep(book, event->message->key));
    message_set(message, TASK_STATE, task_state, (int64_t)state);
    message_set(message, AT, at_us, book->now_us);
}

/*
 * Whether the key gives an existing task, or a refusal; otherwise the announcement is a new task.
 * The book knows some tasks under the key, `prior` the rest: those have all ended.
 */
static bool answer_by_key(struct book *book, const struct event *event, uint32_t newest,
                          const tender_digest *digest)
{
    const struct message *said = event->message;
    for (uint32_t at = newest; at != 0; at = book->tasks[at].older) {
        const struct task *task = book_task(book, at);
        if (memcmp(&task->body_digest, digest, sizeof *digest) == 0) {
            agree(book, event, task->id, task->state);
            return true;
        }
    }
    const struct prior *prior = event->prior;
    if (prior != NULL && !tender_id_is_nil(prior->task)) {
        agree(book, event, prior->task, prior->state);
        return true;
    }
    bool has_newest = newest != 0 || (prior != NULL && !tender_id_is_nil(prior->newest));
    bool is_again = message_has(said, MESSAGE_AGAIN) && !tender_id_is_nil(said->again);
    if (!has_newest) {
        if (is_again) {
            book_refuse(book, event, TENDER_REASON_UNKNOWN_TASK, "again");
        }
        return is_again;
    }
    tender_id newest_id = newest != 0 ? book->tasks[newest].id : prior->newest;
    if (!is_again) {
        book_refuse(book, event, TENDER_REASON_CONFLICT, "key");
        return true;
    }
    if (!tender_id_equal(newest_id, said->again)) {
        book_refuse(book, event, TENDER_REASON_NOT_NEWEST, "again");
        return true;
    }
    if (newest != 0 && book->tasks[newest].phase != PHASE_ENDED) {
        book_refuse(book, event, TENDER_REASON_CONFLICT, "again");
        return true;
    }
    return false;
}

/* A field outside its range, or NULL. The edge checks too; the book does not depend on it. */
static const char *bad_field(const struct event *event)
{
    const struct message *said = event->message;
#define X(NAME, member)                                                                            \
    if (message_has(said, MESSAGE_##NAME) &&                                                       \
        !message_field_allows(MESSAGE_##NAME, said->member)) {                                     \
        return #member;                                                                            \
    }
    ANNOUNCE_INTEGERS(X)
#undef X
    if (!message_has(said, MESSAGE_UNITS)) {
        return "units";
    }
    if (!message_has(said, MESSAGE_CEILING)) {
        return "ceiling_micro";
    }
    if (!message_has(said, MESSAGE_WINDOW)) {
        return "window_us";
    }
    if (!message_has(said, MESSAGE_DUE)) {
        return "due_us";
    }
    if (said->key.size == 0 || said->key.size > TENDER_KEY_MAX) {
        return "key";
    }
    if (said->skill.size == 0 || said->skill.size > TENDER_SKILL_MAX) {
        return "skill";
    }
    if (said->content.size > TENDER_CONTENT_MAX) {
        return "content";
    }
    bool is_named = message_has(said, MESSAGE_FALLBACK) &&
                    said->fallback == (int64_t)TENDER_FALLBACK_CONTRACTOR;
    bool has_name = message_has(said, MESSAGE_CONTRACTOR) && said->contractor.size > 0 &&
                    said->contractor.size <= TENDER_NAME_MAX;
    return is_named && !has_name ? "contractor" : book_bad_terms(event);
}

static int64_t given(const struct message *said, enum message_field field, int64_t value,
                     int64_t otherwise)
{
    return message_has(said, field) ? value : otherwise;
}

int64_t book_default_deadline(int64_t now_us, const struct entry_announced *terms)
{
    __int128 windows = (__int128)terms->window_us * (1 + terms->improve);
    __int128 round = windows + terms->ack_us + terms->backoff_us + terms->due_us;
    __int128 deadline = now_us + round * terms->rounds;
    return deadline > TENDER_INSTANT_MAX ? TENDER_INSTANT_MAX : (int64_t)deadline;
}

static struct entry_announced read_terms(struct book *book, const struct event *event)
{
    const struct message *said = event->message;
    struct entry_announced terms = {
        .client = book_keep(book, event->peer),
        .principal = book_keep(book, event->principal),
        .key = book_keep(book, said->key),
        .again = message_has(said, MESSAGE_AGAIN) ? said->again : (tender_id){{0}},
        .skill = book_keep(book, said->skill),
        .units = said->units,
        .ceiling_micro = said->ceiling_micro,
        .window_us = said->window_us,
        .due_us = said->due_us,
        .rounds = given(said, MESSAGE_ROUNDS, said->rounds, DEFAULT_ROUNDS),
        .backoff_us = given(said, MESSAGE_BACKOFF, said->backoff_us, DEFAULT_BACKOFF_US),
        .ack_us = given(said, MESSAGE_ACK, said->ack_us, DEFAULT_ACK_US),
        .heartbeat_us = given(said, MESSAGE_HEARTBEAT, said->heartbeat_us, 0),
        .priority = given(said, MESSAGE_PRIORITY, said->priority, 0),
        .partial = (tender_partial)given(said, MESSAGE_PARTIAL, said->partial,
                                         (int64_t)TENDER_PARTIAL_PRO_RATA),
        .kill_fee_ppm = given(said, MESSAGE_KILL_FEE, said->kill_fee_ppm, DEFAULT_KILL_FEE_PPM),
        .close_alone = given(said, MESSAGE_CLOSE_ALONE, said->close_alone, 0),
        .fallback = (tender_fallback)given(said, MESSAGE_FALLBACK, said->fallback,
                                           (int64_t)TENDER_FALLBACK_UNALLOCATED),
    };
    if (terms.fallback == TENDER_FALLBACK_CONTRACTOR) {
        terms.fallback_contractor = book_keep(book, said->contractor);
    }
    book_read_terms(book, event, &terms);
    terms.deadline_at_us = message_has(said, MESSAGE_DEADLINE) && said->deadline_at_us != 0
                               ? said->deadline_at_us
                               : book_default_deadline(book->now_us, &terms);
    return terms;
}

/* Whose announcements are counted: one owner has one rate. */
static struct account *root_of(struct book *book, uint32_t account)
{
    return &book->accounts.items[book_root(book, account)];
}

/* Whether the account has not announced more than its rate allows, a second's worth in one go. */
static bool may_announce(const struct book *book, const struct account *account)
{
    uint32_t most = book->limits.principal_announcements;
    return most == 0 || account->announced_until_us <= book->now_us + 1000000 - 1000000 / most;
}

static void count_announcement(struct book *book, struct account *account)
{
    uint32_t most = book->limits.principal_announcements;
    if (most != 0) {
        int64_t from_us =
            account->announced_until_us > book->now_us ? account->announced_until_us : book->now_us;
        account->announced_until_us = from_us + 1000000 / most;
    }
}

/* What stops a valid announcement from being recorded, or NONE. */
static tender_reason find_obstacle(struct book *book, const struct event *event,
                                   struct entry_announced *terms, const char **field_out)
{
    uint32_t account = account_find(&book->accounts, terms->principal);
    int64_t available = account == 0 ? 0 : book->accounts.items[account].available_micro;
    *field_out = NULL;
    tender_reason reason = book_judge_goal(book, terms, field_out);
    if (reason == TENDER_REASON_NONE) {
        reason = book_judge_after(book, event, terms, field_out);
    }
    if (reason != TENDER_REASON_NONE) {
        return reason;
    }
    if (terms->deadline_at_us <= book->now_us ||
        terms->window_us >= terms->deadline_at_us - book->now_us) {
        *field_out = "deadline_at_us";
        return TENDER_REASON_OUT_OF_RANGE;
    }
    if (available < terms->ceiling_micro) {
        *field_out = "ceiling_micro";
        return TENDER_REASON_INSUFFICIENT_FUNDS;
    }
    uint32_t most = book->limits.principal_tasks;
    if (most != 0 && account != 0 && account_counted(&book->accounts, account)->tasks >= most) {
        *field_out = "principal";
        return TENDER_REASON_LIMIT_REACHED;
    }
    if (account != 0 && !may_announce(book, root_of(book, account))) {
        *field_out = "announcements";
        return TENDER_REASON_LIMIT_REACHED;
    }
    bool has_room =
        account_has_room(&book->accounts, terms->principal) && book_has_terms_room(book, terms);
    return has_room ? TENDER_REASON_NONE : TENDER_REASON_LIMIT_REACHED;
}

/* Creates the task with its content in the arena, or refuses. */
static struct task *take_in(struct book *book, const struct event *event, const void **content_out)
{
    tender_bytes content = message_has(event->message, MESSAGE_CONTENT) ? event->message->content
                                                                        : (tender_bytes){NULL, 0};
    *content_out = arena_copy(&book->arena, content);
    if (content.size > 0 && *content_out == NULL) {
        return NULL;
    }
    struct task *task = book_create_task(book, event->task);
    if (task == NULL) {
        arena_drop(&book->arena, *content_out);
    }
    return task;
}

static void announce(struct book *book, const struct event *event, const tender_digest *digest)
{
    struct entry_announced terms = read_terms(book, event);
    const char *field = NULL;
    const void *content = NULL;
    tender_reason reason = find_obstacle(book, event, &terms, &field);
    struct task *task = NULL;
    if (reason == TENDER_REASON_NONE) {
        task = take_in(book, event, &content);
        reason = task == NULL ? TENDER_REASON_LIMIT_REACHED : reason;
    }
    if (task == NULL) {
        book_refuse(book, event, reason, field);
        return;
    }
    struct entry *entry = book_note(book, task, ENTRY_ANNOUNCED);
    terms.body_digest = *digest;
    if (content != NULL) {
        entry->content = (tender_bytes){content, event->message->content.size};
        terms.content_size = (int64_t)entry->content.size;
        terms.content_digest = entry_digest(entry->content);
    }
    entry->announced = terms;
    book_record(book, task, entry);
    count_announcement(book, root_of(book, task->account));
    agree(book, event, task->id, task->state);
    book_begin(book, task);
}

void book_hear_announce(struct book *book, const struct event *event)
{
    const char *field = bad_field(event);
    if (field != NULL) {
        book_refuse(book, event, TENDER_REASON_OUT_OF_RANGE, field);
        return;
    }
    tender_digest digest = book_announce_digest(event);
    uint32_t account = account_find(&book->accounts, event->principal);
    uint32_t newest = account == 0 ? 0 : book_find_key(book, account, event->message->key);
    if (newest != 0) {
        book_catch_up(book, book_task(book, newest));
    }
    if (!answer_by_key(book, event, newest, &digest)) {
        announce(book, event, &digest);
    }
}

void book_hear_fund(struct book *book, const struct event *event)
{
    uint32_t account = account_open(&book->accounts, event->principal);
    if (account == 0) {
        book_refuse(book, event, TENDER_REASON_LIMIT_REACHED, "principal");
        return;
    }
    account_refer(&book->accounts, account);
    bool is_funded = account_fund(&book->accounts, account, event->amount_micro);
    if (is_funded) {
        struct entry *entry =
            book_note_house(book, book->accounts.items[account].shard, ENTRY_FUNDED);
        entry->funded = (struct entry_funded){
            .principal = book_keep(book, event->principal),
            .amount_micro = event->amount_micro,
            .by = book_keep(book, event->peer),
        };
        book_record(book, NULL, entry);
        (void)book_reply(book, event, TENDER_AGREE, (tender_id){{0}});
    } else {
        book_refuse(book, event,
                    event->amount_micro < 0 ? TENDER_REASON_INSUFFICIENT_FUNDS
                                            : TENDER_REASON_OUT_OF_RANGE,
                    "amount_micro");
    }
    account_drop(&book->accounts, account);
}
