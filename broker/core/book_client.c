/* What clients and operators ask for about a task: cancel, close, and its state. */
#include "book_internal.h"

#include <string.h>

/* An ended task that the ledger knows: enough of it to answer, and to go on with its chain. */
static struct task *take_husk(struct book *book, const struct event *event)
{
    const struct prior *prior = event->prior;
    struct task *task = book_create_task(book, prior->task);
    if (task == NULL) {
        return NULL;
    }
    uint32_t account = account_open(&book->accounts, prior->principal);
    if (account == 0) {
        task->phase = PHASE_FREE;
        book_forget_task(book, task);
        return NULL;
    }
    account_refer(&book->accounts, account);
    task->account = account;
    task->is_husk = true;
    task->state = prior->state;
    task->reason = prior->reason;
    if (prior->client.size > 0 && prior->client.size <= TENDER_NAME_MAX) {
        memcpy(task->client, prior->client.data, prior->client.size);
        task->client_size = (uint8_t)prior->client.size;
    }
    task->round.number = (uint32_t)prior->round;
    task->units = prior->units;
    task->units_done = prior->units_done;
    task->paid_micro = prior->paid_micro;
    task->number = prior->number;
    task->head = prior->hash;
    book_append_ended(book, task, book->now_us);
    return task;
}

/* The commitment that the message names, as far as the ledger told. */
static void add_husk_past(struct book *book, struct task *task, const struct event *event)
{
    const struct prior *prior = event->prior;
    const struct message *said = event->message;
    uint32_t peer = roster_find(&book->roster, prior->contractor);
    uint32_t part = message_has(said, MESSAGE_PART) ? (uint32_t)said->part : 0;
    if (!message_has(said, MESSAGE_GENERATION) || peer == 0 || (int)prior->commitment_state == 0 ||
        !book->roster.peers[peer].is_contractor ||
        book_find_past(book, task, part, (uint32_t)said->generation) != NULL) {
        return;
    }
    uint32_t number = book_take_past(book);
    if (number == 0) {
        return;
    }
    struct peer *owner = &book->roster.peers[peer];
    book->pasts[number] = (struct past){
        .next = task->pasts,
        .task = book_task_number(book, task),
        .peer = peer,
        .peer_next = owner->pasts,
        .principal = owner->principal,
        .part = part,
        .generation = (uint32_t)said->generation,
        .state = prior->commitment_state,
        .reason = TENDER_REASON_ALREADY_ENDED,
        .units_done = prior->commitment_units_done,
        .paid_micro = prior->commitment_paid_micro,
    };
    if (owner->pasts != 0) {
        book->pasts[owner->pasts].peer_previous = number;
    }
    owner->pasts = number;
    task->pasts = number;
    roster_refer(&book->roster, peer);
    account_refer(&book->accounts, owner->principal);
}

struct task *book_named_task(struct book *book, const struct event *event)
{
    uint32_t number = book_find_task(book, event->message->conversation);
    struct task *task = number != 0 ? book_task(book, number) : NULL;
    const struct prior *prior = event->prior;
    bool is_prior = prior != NULL && !tender_id_is_nil(prior->task) &&
                    tender_id_equal(prior->task, event->message->conversation);
    if (task == NULL && is_prior && prior->number == 0) {
        /* nothing can be added to its chain: there is none any more */
        book_turn_down(book, event, TENDER_REASON_ARCHIVED);
        return NULL;
    }
    if (task == NULL && is_prior && tender_task_state_is_terminal(prior->state)) {
        task = take_husk(book, event);
    }
    if (task == NULL) {
        book_turn_down(book, event,
                       is_prior ? TENDER_REASON_LIMIT_REACHED : TENDER_REASON_UNKNOWN_TASK);
        return NULL;
    }
    if (task->is_husk && is_prior) {
        add_husk_past(book, task, event);
    }
    if (task->phase != PHASE_ENDED) {
        book_catch_up(book, task);
    }
    return task;
}

struct task *book_own_task(struct book *book, const struct event *event)
{
    struct task *task = book_named_task(book, event);
    if (task == NULL || event->is_operator ||
        bytes_equal(account_name(&book->accounts, task->account), event->principal)) {
        return task;
    }
    book_refuse(book, event, TENDER_REASON_NOT_YOURS, NULL);
    return NULL;
}

void book_agree(struct book *book, const struct event *event, const struct task *task)
{
    struct message *message = book_reply(book, event, TENDER_AGREE, task->id);
    message_set(message, TASK_STATE, task_state, (int64_t)task->state);
    message_set(message, AT, at_us, book->now_us);
}

static void cancel_work(struct book *book, struct task *task, tender_reason reason,
                        tender_bytes text)
{
    struct ending ending = {
        .state = TENDER_COMMITMENT_CANCELLED,
        .reason = reason,
        .text = text,
        .units_done = task->commitment.units_done,
        .task_reason = reason,
    };
    if (book_accepted_units(book, task, &ending) == task->commitment.units) {
        /* all of it is delivered: there is nothing left to cancel */
        ending.state = TENDER_COMMITMENT_FULFILLED;
        ending.reason = TENDER_REASON_COMPLETED;
        ending.task_reason = TENDER_REASON_NONE;
    }
    book_settle(book, task, &ending);
}

bool book_may_withdraw(const struct book *book, const struct task *task)
{
    for (uint32_t at = task_has_parts(book, task) ? task_extra(book, task)->parts : 0; at != 0;
         at = book->tasks[at].part_next) {
        if (book->tasks[at].phase == PHASE_DELIVERED) {
            return false;
        }
    }
    return task->phase != PHASE_DELIVERED && task->phase != PHASE_ENDED;
}

void book_withdraw(struct book *book, struct task *task, tender_reason reason, tender_bytes text)
{
    if (task->phase == PHASE_STANDBY || task->phase == PHASE_WORK) {
        cancel_work(book, task, reason, text);
    } else if (task_has_parts(book, task)) {
        book_stop_parts(book, task, reason, text);
    } else {
        book_end_task(book, task, TENDER_TASK_CANCELLED, reason, text);
    }
}

void book_hear_cancel(struct book *book, const struct event *event)
{
    struct task *task = book_own_task(book, event);
    if (task == NULL) {
        return;
    }
    const struct message *said = event->message;
    tender_reason reason = event->is_operator ? TENDER_REASON_CANCELLED_BY_OPERATOR
                                              : TENDER_REASON_CANCELLED_BY_CLIENT;
    tender_bytes text =
        message_has(said, MESSAGE_TEXT) ? book_keep(book, said->text) : (tender_bytes){NULL, 0};
    if (task->phase != PHASE_ENDED && !book_may_withdraw(book, task)) {
        book_refuse(book, event, TENDER_REASON_AWAITS_DECISION, NULL);
        return;
    }
    if (task->phase != PHASE_ENDED) {
        book_withdraw(book, task, reason, text);
    }
    if (task->state == TENDER_TASK_CANCELLED) {
        book_agree(book, event, task);
    } else {
        book_refuse(book, event, TENDER_REASON_ALREADY_ENDED, NULL);
    }
}

void book_hear_close(struct book *book, const struct event *event)
{
    struct task *task = book_own_task(book, event);
    if (task == NULL) {
        return;
    }
    const struct round *round = &task->round;
    if (task->phase != PHASE_WINDOW) {
        book_refuse(book, event,
                    task->phase == PHASE_ENDED ? TENDER_REASON_ALREADY_ENDED
                                               : TENDER_REASON_NOT_OPEN,
                    NULL);
    } else if (round->is_recalled || round->answered == 0 || round->answered < round->invited) {
        book_refuse(book, event, TENDER_REASON_ANSWERS_OUTSTANDING, NULL);
    } else {
        book_close_round(book, task);
        book_arm_task(book, task);
        book_agree(book, event, task);
    }
}

/* Whether the peer holds or held a commitment of the task that it names. */
static bool is_owner(struct book *book, struct task *task, const struct message *said,
                     uint32_t peer)
{
    uint32_t number = message_has(said, MESSAGE_PART) ? (uint32_t)said->part : 0;
    const struct past *past = book_find_past(book, task, number, (uint32_t)said->generation);
    const struct task *part = book_find_part(book, task, number);
    bool is_holder = part != NULL && phase_is_owned(part->phase) && part->commitment.peer == peer &&
                     (!message_has(said, MESSAGE_GENERATION) ||
                      said->generation == (int64_t)part->commitment.generation);
    return peer != 0 && (is_holder || (past != NULL && past->peer == peer));
}

/* What its owner asks before it starts: whether the commitment that it names still stands. */
static void fill_standing(struct book *book, struct task *task, const struct message *said,
                          struct message *inform)
{
    uint32_t number = message_has(said, MESSAGE_PART) ? (uint32_t)said->part : 0;
    const struct past *past = book_find_past(book, task, number, (uint32_t)said->generation);
    const struct task *part = book_find_part(book, task, number);
    if (past != NULL) {
        book_fill_past(inform, past);
        message_set(inform, STATE, state, (int64_t)past->state);
    } else {
        book_fill_commitment(book, part, inform);
    }
}

/* A client that asks how its task stands sees again what waits for it. */
static void tell_deliveries(struct book *book, const struct task *task, uint32_t peer)
{
    const struct extra *extra = task_extra(book, task);
    uint32_t next = extra != NULL ? extra->parts : 0;
    for (const struct task *at = task;; at = &book->tasks[next], next = at->part_next) {
        if (at->phase == PHASE_DELIVERED) {
            struct message *message = book_tell_peer(book, peer, TENDER_INFORM_DONE, task->id);
            if (message != NULL) {
                book_fill_delivery(book, at, message);
            }
        }
        if (next == 0) {
            return;
        }
    }
}

void book_hear_query(struct book *book, const struct event *event, uint32_t peer)
{
    if (tender_id_is_nil(event->message->conversation) ||
        message_has(event->message, MESSAGE_GOAL)) {
        book_hear_goal_query(book, event);
        return;
    }
    struct task *task = book_named_task(book, event);
    if (task == NULL) {
        return;
    }
    bool is_own = event->is_operator ||
                  bytes_equal(account_name(&book->accounts, task->account), event->principal);
    if (!is_own && !is_owner(book, task, event->message, peer)) {
        book_turn_down(book, event, TENDER_REASON_NOT_YOURS);
        return;
    }
    struct message *inform = book_reply(book, event, TENDER_INFORM, task->id);
    if (!is_own && message_has(event->message, MESSAGE_GENERATION)) {
        fill_standing(book, task, event->message, inform);
    } else {
        book_fill_state(book, task, inform);
    }
    if (is_own && event->request == 0 && task_has_parts(book, task)) {
        book_answer_parts(book, event, task);
    }
    if (is_own) {
        tell_deliveries(book, task, peer);
    }
    bool is_told_anyway = bytes_equal(task_client(task), event->peer);
    if (is_own && peer != 0 && !is_told_anyway && task->phase != PHASE_ENDED) {
        book_follow(book, task, peer);
    }
}
