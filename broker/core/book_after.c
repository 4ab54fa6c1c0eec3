/*
 * Prerequisites: a task that waits for others is blocked until they are done, and is cancelled when
 * one of them can no longer be. A task waits through links, one for each; what a link waits for was
 * recorded before the task, so there are no cycles. The end of a prerequisite marks the links; what
 * follows from it is done by the calendar, so that one end may open any number of tasks.
 */
#include "book_internal.h"

#include <assert.h>
#include <string.h>

/* What a link says of the task that must be done first. */
enum { LINK_PENDING, LINK_DONE, LINK_FAILED };

static bool is_done(tender_task_state state, tender_reason reason)
{
    return state == TENDER_TASK_DONE ||
           (state == TENDER_TASK_CANCELLED && reason == TENDER_REASON_ACHIEVED);
}

static uint8_t link_state(tender_task_state state, tender_reason reason)
{
    if (!tender_task_state_is_terminal(state)) {
        return LINK_PENDING;
    }
    return is_done(state, reason) ? LINK_DONE : LINK_FAILED;
}

enum after_state book_after_state(const struct prior *prior, tender_bytes principal)
{
    if (tender_id_is_nil(prior->task)) {
        return AFTER_UNKNOWN;
    }
    if (!bytes_equal(prior->principal, principal)) {
        return AFTER_FOREIGN;
    }
    return is_done(prior->state, prior->reason) ? AFTER_DONE : AFTER_FAILED;
}

static tender_id after_id(const struct message *said, uint32_t index)
{
    tender_id id;
    memcpy(id.bytes, (const char *)said->after.data + index * sizeof id.bytes, sizeof id.bytes);
    return id;
}

static uint32_t after_count(const struct message *said)
{
    size_t count = message_has(said, MESSAGE_AFTER) ? said->after.size / sizeof(tender_id) : 0;
    return (uint32_t)(count < TENDER_AFTER_MAX ? count : TENDER_AFTER_MAX);
}

static bool states_deadline(const struct message *said)
{
    return message_has(said, MESSAGE_DEADLINE) && said->deadline_at_us != 0;
}

static enum after_state after_state(const struct book *book, const struct event *event,
                                    uint32_t index)
{
    uint32_t number = book_find_task(book, after_id(event->message, index));
    if (number == 0) {
        return event->after_states != NULL ? (enum after_state)event->after_states[index]
                                           : AFTER_UNTOLD;
    }
    const struct task *task = &book->tasks[number];
    if (!bytes_equal(account_name(&book->accounts, task->account), event->principal)) {
        return AFTER_FOREIGN;
    }
    switch (link_state(task->state, task->reason)) {
    case LINK_DONE:
        return AFTER_DONE;
    case LINK_FAILED:
        return AFTER_FAILED;
    default:
        return AFTER_PENDING;
    }
}

bool book_wants_after(const struct book *book, const struct event *event, uint32_t *index_out)
{
    uint32_t count = after_count(event->message);
    for (uint32_t i = 0; i < count; i++) {
        if (after_state(book, event, i) == AFTER_UNTOLD) {
            *index_out = i;
            return true;
        }
    }
    return false;
}

tender_reason book_judge_after(struct book *book, const struct event *event,
                               struct entry_announced *terms, const char **field_out)
{
    *field_out = "after";
    for (uint32_t i = 0; i < after_count(event->message); i++) {
        switch (after_state(book, event, i)) {
        case AFTER_UNTOLD:
        case AFTER_UNKNOWN:
            return TENDER_REASON_UNKNOWN_TASK;
        case AFTER_FOREIGN:
            return TENDER_REASON_NOT_YOURS;
        case AFTER_FAILED:
            return TENDER_REASON_PREREQUISITE_ENDED;
        case AFTER_PENDING:
            terms->blocked = 1;
            break;
        case AFTER_DONE:
            break;
        }
    }
    *field_out = NULL;
    if (terms->blocked != 0 && !states_deadline(event->message)) {
        terms->deadline_at_us = TENDER_INSTANT_MAX; /* until it is known when it may begin */
    }
    return TENDER_REASON_NONE;
}

bool book_has_after_room(const struct book *book, const struct entry_announced *terms)
{
    return pool_has_room(&book->links, (uint32_t)terms->after.count);
}

/* The link waits for a task that is in the book and goes on. */
static void attach(struct book *book, struct link *link, uint32_t prerequisite)
{
    struct task *task = &book->tasks[prerequisite];
    uint32_t number = pool_number(&book->links, link);
    link->prerequisite = prerequisite;
    link->next_dependent = task->dependents;
    link->previous_dependent = 0;
    if (task->dependents != 0) {
        struct link *next = pool_at(&book->links, task->dependents);
        next->previous_dependent = number;
    }
    task->dependents = number;
}

static void detach(struct book *book, struct link *link)
{
    struct task *task = &book->tasks[link->prerequisite];
    struct link *next = pool_at(&book->links, link->next_dependent);
    struct link *previous = pool_at(&book->links, link->previous_dependent);
    if (link->next_dependent != 0) {
        next->previous_dependent = link->previous_dependent;
    }
    if (link->previous_dependent != 0) {
        previous->next_dependent = link->next_dependent;
    } else {
        task->dependents = link->next_dependent;
    }
    link->prerequisite = 0;
    link->next_dependent = 0;
    link->previous_dependent = 0;
}

/* A pending link learns how its prerequisite ended. */
static void settle_link(struct book *book, struct link *link, uint8_t state)
{
    struct extra *extra = task_extra(book, &book->tasks[link->task]);
    assert(link->state == LINK_PENDING && extra->waiting_for > 0);
    link->state = state;
    extra->waiting_for--;
    if (state == LINK_FAILED) {
        extra->hindrance = TENDER_REASON_PREREQUISITE_ENDED;
    }
}

int book_take_links(struct book *book, struct task *task, const struct entry_announced *announced)
{
    struct extra *extra = task_extra(book, task);
    if (announced->blocked == 0) {
        return 0; /* all of them were done */
    }
    extra->has_own_deadline = announced->deadline_at_us != TENDER_INSTANT_MAX;
    for (size_t i = 0; i < announced->after.count; i++) {
        uint32_t number = pool_new(&book->links);
        struct link *link = pool_at(&book->links, number);
        if (number == 0) {
            return TENDER_ELIMIT;
        }
        link->task = book_task_number(book, task);
        link->next_wait = extra->waits;
        extra->waits = number;
        if (tender_id_parse(announced->after.items[i].data, announced->after.items[i].size,
                            &link->id) != 0) {
            return TENDER_EPROTOCOL;
        }
        uint32_t prerequisite = book_find_task(book, link->id);
        extra->waiting_for++;
        if (prerequisite != 0 && book->tasks[prerequisite].phase != PHASE_ENDED) {
            attach(book, link, prerequisite);
        } else if (!book->is_recalling) {
            settle_link(book, link, LINK_DONE); /* as it was judged */
        }
    }
    return 0;
}

void book_drop_links(struct book *book, struct task *task)
{
    struct extra *extra = task_extra(book, task);
    for (uint32_t number = extra->waits; number != 0;) {
        struct link *link = pool_at(&book->links, number);
        uint32_t next = link->next_wait;
        if (link->prerequisite != 0) {
            detach(book, link);
        }
        pool_give(&book->links, number);
        number = next;
    }
    extra->waits = 0;
    extra->waiting_for = 0;
    extra->hindrance = TENDER_REASON_NONE;
}

void book_release_dependents(struct book *book, struct task *task)
{
    uint8_t state = link_state(task->state, task->reason);
    while (task->dependents != 0) {
        struct link *link = pool_at(&book->links, task->dependents);
        struct task *dependent = &book->tasks[link->task];
        detach(book, link);
        settle_link(book, link, state);
        book_arm_task(book, dependent);
    }
}

/* The text of an end: the first prerequisite that is in the way. */
static tender_bytes name_failed(const struct book *book, const struct extra *extra,
                                char text[TENDER_ID_TEXT_SIZE])
{
    for (uint32_t at = extra->waits; at != 0;) {
        const struct link *link = pool_at(&book->links, at);
        if (link->state == LINK_FAILED) {
            tender_id_format(link->id, text);
            return (tender_bytes){text, TENDER_ID_TEXT_SIZE - 1};
        }
        at = link->next_wait;
    }
    return (tender_bytes){NULL, 0};
}

bool book_may_unblock(const struct book *book, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    return extra->waiting_for == 0 || extra->hindrance != TENDER_REASON_NONE;
}

/* As that of an announcement, but counted from now: it could not begin before. */
static int64_t deadline_from_now(const struct book *book, const struct task *task)
{
    struct entry_announced terms = {.window_us = task->window_us,
                                    .improve = task_extra(book, task)->improve,
                                    .ack_us = task->ack_us,
                                    .backoff_us = task->backoff_us,
                                    .due_us = task->due_us,
                                    .rounds = task->rounds};
    return book_default_deadline(book->now_us, &terms);
}

bool book_unblock(struct book *book, struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    char text[TENDER_ID_TEXT_SIZE];
    if (!book_may_unblock(book, task)) {
        return false;
    }
    tender_reason over = book_goal_ended(book, task);
    if (over != TENDER_REASON_NONE) {
        book_end_task(book, task, TENDER_TASK_CANCELLED, over, (tender_bytes){NULL, 0});
        return true;
    }
    if (extra->hindrance != TENDER_REASON_NONE) {
        book_end_task(book, task, TENDER_TASK_CANCELLED, extra->hindrance,
                      name_failed(book, extra, text));
        return true;
    }
    struct entry *entry = book_note(book, task, ENTRY_UNBLOCKED);
    entry->unblocked.deadline_at_us = extra->has_own_deadline ? 0 : deadline_from_now(book, task);
    book_record(book, task, entry);
    book_tell_state(book, task);
    if (task->window_us < task->deadline_at_us - book->now_us) {
        book_begin(book, task);
    }
    return true;
}

int book_apply_unblocked(struct book *book, struct task *task, const struct entry *entry)
{
    if (task->phase != PHASE_BLOCKED) {
        return TENDER_EPROTOCOL;
    }
    if (entry->unblocked.deadline_at_us != 0) {
        task->deadline_at_us =
            book_moved(book, task, entry->at_us, entry->unblocked.deadline_at_us);
    }
    task_move(&task->state, TASK_UNBLOCK);
    task->phase = PHASE_IDLE;
    book_drop_links(book, task);
    return 0;
}

int book_recall_stood(struct book *book, const struct entry *entry)
{
    const struct entry_stood *stood = &entry->stood;
    uint32_t number = book_find_task(book, stood->task);
    struct extra *extra = number != 0 ? task_extra(book, &book->tasks[number]) : NULL;
    uint8_t state = link_state(stood->state, stood->reason);
    if (extra == NULL || state == LINK_PENDING) {
        return TENDER_EPROTOCOL;
    }
    for (uint32_t at = extra->waits; at != 0;) {
        struct link *link = pool_at(&book->links, at);
        if (tender_id_equal(link->id, stood->after) && link->state == LINK_PENDING) {
            if (link->prerequisite != 0) {
                return TENDER_EPROTOCOL;
            }
            settle_link(book, link, state);
        }
        at = link->next_wait;
    }
    book_arm_task(book, &book->tasks[number]);
    return 0;
}

void book_resume_links(struct book *book, struct task *task)
{
    struct extra *extra = task_extra(book, task);
    for (uint32_t at = extra->waits; at != 0;) {
        struct link *link = pool_at(&book->links, at);
        uint32_t prerequisite = book_find_task(book, link->id);
        if (link->state == LINK_PENDING && link->prerequisite == 0 && prerequisite != 0) {
            attach(book, link, prerequisite);
        }
        at = link->next_wait;
    }
}
