/*
 * Salvage: while its task goes on, a client may take and pay a result that came too late, or that
 * was worth nothing by the task's terms. The price is the old one, by share; no unit is paid twice,
 * and none that somebody else is at work on.
 */
#include "book_internal.h"

#include <assert.h>

/* Units that nobody has done and nobody has promised; those of an open round are among them. */
static int64_t free_units(const struct book *book, const struct task *task)
{
    return task_left(book, task) - (phase_is_owned(task->phase) ? task->commitment.units : 0);
}

/* The most that may be paid: what neither is paid already nor promised to others. */
static int64_t free_micro(const struct book *book, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    int64_t committed = phase_is_owned(task->phase) ? task->commitment.price_micro : 0;
    committed += extra != NULL ? extra->promised_micro : 0;
    for (uint32_t at = task->pasts; at != 0; at = book->pasts[at].next) {
        committed += book->pasts[at].is_cover ? book->pasts[at].covered_micro : 0;
    }
    int64_t left = task->ceiling_micro - task->paid_micro - committed;
    return left > 0 ? left : 0;
}

/* A client learns that there is something to adopt, and not what it says. */
void book_tell_late(struct book *book, const struct task *task, const struct past *past,
                    const struct entry *entry)
{
    const struct entry_late *late = &entry->late;
    uint32_t client = roster_find(&book->roster, task_client(task));
    struct message *message = book_tell_peer(book, client, TENDER_INFORM, task->id);
    if (message == NULL) {
        return;
    }
    bool is_elsewhere = late->size > 0;
    message_set(message, PART, part, (int64_t)past->part);
    message_set(message, GENERATION, generation, (int64_t)past->generation);
    message_set(message, CONTRACTOR, contractor, peer_name(&book->roster, past->peer));
    message_set(message, STATE, state, (int64_t)past->state);
    message_set(message, REASON, reason, (int64_t)late->reason);
    message_set(message, UNITS_DONE, units_done, late->units_done);
    message_set(message, SIZE, size, is_elsewhere ? late->size : late->content_size);
    if (is_elsewhere || late->content_size > 0) {
        message_set(message, DIGEST, digest, is_elsewhere ? late->digest : late->content_digest);
    }
}

static int64_t adoptable_units(const struct book *book, const struct task *task,
                               const struct past *past)
{
    int64_t late = least(past->late_units, past->units) - past->units_done;
    return least(late, free_units(book, task));
}

int book_apply_adopted(struct book *book, struct task *task, const struct entry *entry)
{
    const struct entry_adopted *adopted = &entry->adopted;
    struct past *past =
        book_find_past(book, task, (uint32_t)adopted->part, (uint32_t)adopted->generation);
    if (past == NULL || adopted->units < 1 || adopted->units > adoptable_units(book, task, past) ||
        adopted->paid_micro > task->ceiling_micro - task->paid_micro) {
        return TENDER_EPROTOCOL;
    }
    past->units_done += adopted->units;
    past->paid_micro += adopted->paid_micro;
    task->units_done += adopted->units;
    book_pay(book, task, past->principal, adopted->paid_micro);
    if (task->phase == PHASE_BACKOFF && task_left(book, task) == 0 && task_has_parts(book, task)) {
        task->phase = PHASE_PARTS; /* which have all that is left: nothing is announced again */
        task->reopens_at_us = 0;
    }
    if ((int)adopted->task_state != 0) {
        book_finish(book, task, adopted->task_state, adopted->task_reason, entry->at_us);
    }
    return 0;
}

/* Writes what is taken of `past`. Returns whether the task ended with it. */
static bool adopt(struct book *book, struct task *task, struct past *past, int64_t units)
{
    int64_t share = auction_share(past->price_micro, units, past->units); /* down */
    struct entry *entry = book_note(book, task, ENTRY_ADOPTED);
    entry->adopted = (struct entry_adopted){
        .part = past->part,
        .generation = past->generation,
        .contractor = peer_name(&book->roster, past->peer),
        .principal = account_name(&book->accounts, past->principal),
        .late = (int64_t)past->late_number,
        .units = units,
        .paid_micro = least(share, free_micro(book, task)),
    };
    bool is_all = task->units_done + units == task->units;
    bool ends_task = is_all && !book_has_covers(book, task);
    if (ends_task) {
        entry->adopted.task_state = TENDER_TASK_DONE;
        entry->adopted.task_reason = TENDER_REASON_ADOPTED;
        entry->adopted.released_micro =
            task->ceiling_micro - task->paid_micro - entry->adopted.paid_micro;
    }
    book_record(book, task, entry);
    book_tell_settled(book, task, past);
    if (is_all && !ends_task) {
        book_end_task(book, task, TENDER_TASK_DONE, TENDER_REASON_ADOPTED, (tender_bytes){NULL, 0});
        return true;
    }
    book_tell_state(book, task);
    return is_all;
}

/*
 * What is left of a task whose round was ended is announced at once, to the fallback where it was
 * that which was asked; parts may have all of it.
 */
static void announce_rest(struct book *book, struct task *task)
{
    bool may_open =
        task_left(book, task) > 0 && task->window_us < task->deadline_at_us - book->now_us;
    struct follow_up plan = {.kind = FOLLOW_WAIT};
    if (may_open) {
        plan.kind = task->round.is_fallback ? FOLLOW_FALLBACK : FOLLOW_OPEN;
    }
    book_carry_on(book, task, plan);
}

void book_hear_adopt(struct book *book, const struct event *event)
{
    const struct message *said = event->message;
    struct task *task = book_own_task(book, event);
    if (task == NULL) {
        return;
    }
    if (task->phase == PHASE_ENDED) {
        book_refuse(book, event, TENDER_REASON_ALREADY_ENDED, NULL);
        return;
    }
    struct past *past =
        book_find_past(book, task, (uint32_t)said->part, (uint32_t)said->generation);
    int64_t units = past == NULL ? 0 : adoptable_units(book, task, past);
    if (units <= 0) {
        book_refuse(book, event, TENDER_REASON_NOTHING_TO_ADOPT, "generation");
        return;
    }
    bool was_open = task->phase == PHASE_WINDOW;
    if (was_open && task->extra == 0 && !pool_has_room(&book->extras, 1)) {
        book_refuse(book, event, TENDER_REASON_LIMIT_REACHED, NULL);
        return;
    }
    if (was_open) {
        book_record_answers(book, task);
        book_abandon_round(book, task, TENDER_REASON_ADOPTED);
    }
    if (!adopt(book, task, past, units) && was_open) {
        announce_rest(book, task);
    }
    book_agree(book, event, task);
}
