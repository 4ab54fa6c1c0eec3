/*
 * Holds on tasks: an operator stops one, and it is announced no further until it is released, by
 * hand or at the end that the hold was given. While a commitment goes on, or before the task's
 * first step, the hold waits: it is kept in the task's extra, and what is left is held later.
 */
#include "book_internal.h"

/* Whether the task has more before it than rounds: then a hold waits for that. */
static bool is_busy(const struct book *book, const struct task *task)
{
    return phase_is_owned(task->phase) || task->phase == PHASE_BLOCKED ||
           task_has_parts(book, task);
}

void book_hear_hold_task(struct book *book, const struct event *event)
{
    struct task *task = book_own_task(book, event);
    int64_t until_us = 0;
    if (task == NULL) {
        return;
    }
    if (!event->is_operator) {
        book_refuse(book, event, TENDER_REASON_NOT_YOURS, NULL);
        return;
    }
    if (task->phase == PHASE_ENDED) {
        book_refuse(book, event, TENDER_REASON_ALREADY_ENDED, NULL);
        return;
    }
    if (!book_read_hold(book, event, &until_us)) {
        return;
    }
    book_record_answers(book, task);
    if (task->phase == PHASE_WINDOW) {
        book_abandon_round(book, task, TENDER_REASON_HELD_BY_OPERATOR);
    }
    const struct message *said = event->message;
    struct entry *entry = book_note(book, task, ENTRY_HELD);
    entry->held = (struct entry_held){
        .reason = (tender_reason)said->reason,
        .text =
            message_has(said, MESSAGE_TEXT) ? book_keep(book, said->text) : (tender_bytes){NULL, 0},
        .by = book_keep(book, event->peer),
        .later = is_busy(book, task),
        .until_us = until_us,
    };
    book_record(book, task, entry);
    book_agree(book, event, task);
    book_tell_state(book, task);
}

/*
 * One that no operator said is that of what is left behind: the operator's that waited, which has
 * an end, or the fallback's, which has none.
 */
int book_apply_held(struct book *book, struct task *task, const struct entry *entry)
{
    const struct entry_held *held = &entry->held;
    bool is_later = held->later != 0;
    if (task->phase == PHASE_ENDED || task->phase == PHASE_WINDOW ||
        is_later != is_busy(book, task)) {
        return TENDER_EPROTOCOL;
    }
    if (held->by.size > 0 && book_need_extra(book, task) != 0) {
        return TENDER_ELIMIT;
    }
    struct extra *extra = task_extra(book, task);
    if (extra != NULL) {
        extra->hold = is_later ? held->reason : TENDER_REASON_NONE;
        extra->hold_until_us = is_later ? held->until_us : 0;
        extra->is_operators = held->by.size > 0 || held->until_us != 0;
    }
    if (is_later) {
        if (task->phase == PHASE_BACKOFF) { /* its parts go on, and nothing is announced */
            task->phase = PHASE_PARTS;
            task->reopens_at_us = 0;
        }
        return 0;
    }
    if (task->phase != PHASE_HELD) {
        task_move(&task->state, TASK_HOLD);
    }
    task->reason = held->reason;
    task->reopens_at_us = held->until_us;
    task->phase = PHASE_HELD;
    book_clear_bids(book, task);
    return 0;
}

/* What waits to be held, or NONE. */
tender_reason book_waiting_hold(const struct book *book, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    bool is_waiting =
        extra != NULL && extra->hold != TENDER_REASON_NONE && extra->hold_until_us > book->now_us;
    return is_waiting ? extra->hold : TENDER_REASON_NONE;
}

/* What is left of the task waits for a person, or for the end of the operator's hold. */
void book_hold(struct book *book, struct task *task, tender_reason reason)
{
    const struct extra *extra = task_extra(book, task);
    bool is_waiting = book_waiting_hold(book, task) != TENDER_REASON_NONE;
    struct entry *entry = book_note(book, task, ENTRY_HELD);
    entry->held = (struct entry_held){
        .reason = reason,
        .until_us = is_waiting ? extra->hold_until_us : 0,
    };
    book_record(book, task, entry);
    book_tell_state(book, task);
}

static void note_released(struct book *book, struct task *task, tender_bytes by)
{
    bool is_held = task->phase == PHASE_HELD;
    struct entry *entry = book_note(book, task, ENTRY_RELEASED);
    entry->released = (struct entry_released){
        .by = by,
        .rounds = is_held ? (int64_t)book_counted_rounds(book, task) + task->rounds : task->rounds,
    };
    book_record(book, task, entry);
    int64_t left = task_left(book, task);
    if (is_held) {
        bool has_time = task->window_us < task->deadline_at_us - book->now_us;
        book_carry_on(book, task, (struct follow_up){.kind = has_time ? FOLLOW_OPEN : FOLLOW_WAIT});
    } else if (task->phase == PHASE_PARTS && left > 0) { /* what no part has is announced again */
        book_carry_on(book, task, book_plan(book, task, left, true, TENDER_REASON_NONE));
    }
}

/* The hold has come to its end. */
void book_release_due(struct book *book, struct task *task)
{
    static const tender_bytes author = {"tenderd", 7};
    note_released(book, task, author);
    book_tell_state(book, task);
}

void book_hear_release(struct book *book, const struct event *event)
{
    if (tender_id_is_nil(event->message->conversation)) {
        book_hear_unbar(book, event);
        return;
    }
    struct task *task = book_own_task(book, event);
    if (task == NULL) {
        return;
    }
    const struct extra *extra = task_extra(book, task);
    if (task->phase != PHASE_HELD && (extra == NULL || extra->hold == TENDER_REASON_NONE)) {
        book_refuse(book, event, TENDER_REASON_NOT_HELD, NULL);
        return;
    }
    if (extra != NULL && extra->is_operators && !event->is_operator) {
        book_refuse(book, event, TENDER_REASON_NOT_YOURS, NULL);
        return;
    }
    note_released(book, task, book_keep(book, event->peer));
    book_agree(book, event, task);
    book_tell_state(book, task);
}

int book_apply_released(struct book *book, struct task *task, const struct entry *entry)
{
    struct extra *extra = task_extra(book, task);
    bool is_held = task->phase == PHASE_HELD;
    if (!is_held && (extra == NULL || extra->hold == TENDER_REASON_NONE)) {
        return TENDER_EPROTOCOL;
    }
    if (extra != NULL) {
        extra->hold = TENDER_REASON_NONE;
        extra->hold_until_us = 0;
        extra->is_operators = false;
    }
    if (is_held) {
        task_move(&task->state, TASK_RELEASE);
        task->reason = TENDER_REASON_NONE;
        task->rounds = (uint32_t)entry->released.rounds;
        task->reopens_at_us = 0;
        task->phase = PHASE_IDLE;
    }
    return 0;
}
