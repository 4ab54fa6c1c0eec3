/*
 * Bids: a contractor's first answer to a cfp is final, and has one reason where it is not eligible.
 * Answers of one turn are written together at its end, and before the round closes.
 */
#include "book_internal.h"

#include <assert.h>
#include <string.h>

/* JSON of an answer besides its prose, and of each byte of that at worst. */
#define ANSWER_JSON      784
#define TEXT_JSON        6
#define ANSWERS_JSON_MAX (ENTRY_BODY_MAX - 4096)

static void unqueue(struct book *book, struct task *task)
{
    struct bid *bid = &book->bids[task->queued];
    task->queued = bid->next_queued;
    task->last_queued = task->queued == 0 ? 0 : task->last_queued;
    bid->is_queued = false;
    bid->next_queued = 0;
    arena_drop(&book->arena, bid->text);
    book->queued_text -= bid->text_size;
    book->queued_count--;
    bid->text = NULL;
    bid->text_size = 0;
}

static struct entry_answer describe(struct book *book, const struct bid *bid)
{
    const struct peer *peer = &book->roster.peers[bid->peer];
    return (struct entry_answer){
        .contractor = peer_name(&book->roster, bid->peer),
        .principal = account_name(&book->accounts, peer->principal),
        .root = bid->root == peer->principal ? (tender_bytes){NULL, 0}
                                             : account_name(&book->accounts, bid->root),
        .state = bid->state,
        .reason = bid->reason,
        .cost_micro = bid->cost_micro,
        .eta_us = bid->eta_us,
        .valid_until_us = bid->valid_until_us,
        .capacity = bid->capacity,
        .estimate_micro = bid->estimate_micro,
        .nonce = bid->nonce,
        .text = book_keep(book, (tender_bytes){bid->text, bid->text_size}),
    };
}

/* As many answers as one entry takes. */
static void record_some(struct book *book, struct task *task)
{
    size_t count = 0;
    size_t size = 0;
    while (task->queued != 0 && count < ENTRY_ANSWERS_MAX) {
        const struct bid *bid = &book->bids[task->queued];
        size += ANSWER_JSON + (size_t)bid->text_size * TEXT_JSON;
        if (size > ANSWERS_JSON_MAX) {
            break;
        }
        book->answers[count++] = describe(book, bid);
        unqueue(book, task);
    }
    struct entry *entry = book_note(book, task, ENTRY_ANSWERED);
    tender_bytes list = book_keep_aligned(book, book->answers, count * sizeof book->answers[0]);
    entry->answered =
        (struct entry_answered){.round = task->round.number, .answers = {count, list.data}};
    book_record(book, task, entry);
}

void book_record_answers(struct book *book, struct task *task)
{
    while (task->queued != 0) {
        record_some(book, task);
    }
    book_tell_receipts(book, task);
}

void book_record_all_answers(struct book *book)
{
    while (book->dirty_first != 0 && book_has_room(book)) {
        struct task *task = book_task(book, book->dirty_first);
        book_record_answers(book, task);
        book->dirty_first = task->next_dirty;
        book->dirty_last = book->dirty_first == 0 ? 0 : book->dirty_last;
        task->is_dirty = false;
        task->next_dirty = 0;
    }
}

/* Queues the answer as it now is for the ledger. */
static void queue_answer(struct book *book, struct task *task, struct bid *bid, tender_bytes text)
{
    uint32_t number = (uint32_t)(bid - book->bids);
    assert(!bid->is_queued);
    bid->text = arena_copy(&book->arena, text);
    bid->text_size = bid->text == NULL ? 0 : (uint32_t)text.size;
    bid->is_queued = true;
    bid->next_queued = 0;
    if (task->last_queued != 0) {
        book->bids[task->last_queued].next_queued = number;
    } else {
        task->queued = number;
    }
    task->last_queued = number;
    book->queued_count++;
    book->queued_text += bid->text_size;
    if (!task->is_dirty) {
        uint32_t at = book_task_number(book, task);
        task->is_dirty = true;
        task->next_dirty = 0;
        if (book->dirty_last != 0) {
            book->tasks[book->dirty_last].next_dirty = at;
        } else {
            book->dirty_first = at;
        }
        book->dirty_last = at;
    }
    if (book->queued_count >= QUEUED_ANSWERS_MAX || book->queued_text >= QUEUED_TEXT_MAX) {
        book_record_all_answers(book);
    }
}

/* Why the round or the session makes a bid ineligible that no other bid of it is affected by. */
static tender_reason judge_place(const struct task *task, const struct message *said)
{
    if (said->round != (int64_t)task->round.number || task->round.number == 0) {
        return said->round < (int64_t)task->round.number ? TENDER_REASON_LATE
                                                         : TENDER_REASON_WRONG_ROUND;
    }
    if (memcmp(&said->digest, &task->round.digest, sizeof said->digest) != 0) {
        return TENDER_REASON_WRONG_DIGEST;
    }
    return task->phase == PHASE_WINDOW ? TENDER_REASON_NONE : TENDER_REASON_LATE;
}

static tender_reason judge_bidder(const struct book *book, const struct task *task, uint32_t number,
                                  const struct message *said)
{
    const struct peer *peer = &book->roster.peers[number];
    if (book_is_own(book, task, peer->principal)) {
        return TENDER_REASON_OWN_TASK;
    }
    if (book_is_excluded(book, task, peer->principal)) {
        return TENDER_REASON_EXCLUDED;
    }
    int64_t cost = message_has(said, MESSAGE_COST) ? said->cost_micro : INT64_MAX;
    tender_reason more = book_judge_more(book, task, number, cost, false);
    if (more != TENDER_REASON_NONE) {
        return more;
    }
    bool is_asked = !task->round.is_fallback ||
                    bytes_equal(peer_name(&book->roster, number), task_fallback(task));
    return is_asked && roster_offers(&book->roster, number, task->skill)
               ? TENDER_REASON_NONE
               : TENDER_REASON_NOT_INVITED;
}

/* A field that the wire could not use: each has a reason of its own. */
static tender_reason judge_fault(const struct message *said)
{
    message_mask missing = ~said->present & (MESSAGE_BIT(MESSAGE_COST) | MESSAGE_BIT(MESSAGE_ETA));
    message_mask bad = said->faulty | missing | (said->fault != 0 ? MESSAGE_BIT(said->fault) : 0);
    bool is_in_range = said->fault_reason != TENDER_REASON_OUT_OF_RANGE;
    if ((bad & MESSAGE_BIT(MESSAGE_COST)) != 0) {
        return said->fault != MESSAGE_COST || is_in_range ? TENDER_REASON_COST_MALFORMED
                                                          : TENDER_REASON_COST_NEGATIVE;
    }
    if (said->cost_micro < 0) {
        return TENDER_REASON_COST_NEGATIVE;
    }
    if ((bad & MESSAGE_BIT(MESSAGE_ETA)) != 0) {
        return said->fault != MESSAGE_ETA || is_in_range ? TENDER_REASON_ETA_MALFORMED
                                                         : TENDER_REASON_ETA_NOT_POSITIVE;
    }
    if ((bad & MESSAGE_BIT(MESSAGE_VALID_UNTIL)) != 0) {
        return TENDER_REASON_VALIDITY_TOO_SHORT;
    }
    return said->fault != 0 ? said->fault_reason : TENDER_REASON_NONE;
}

static tender_reason judge_terms(const struct book *book, const struct task *task,
                                 const struct message *said)
{
    struct auction_terms terms = {book_bid_ceiling(book, task), task->round.due_us,
                                  task->round.closes_at_us + task->ack_us};
    tender_reason fault = judge_fault(said);
    if (fault != TENDER_REASON_NONE) {
        /* a cost above the ceiling is the first thing wrong, whatever the eta is */
        bool is_cost_fine =
            fault != TENDER_REASON_COST_MALFORMED && fault != TENDER_REASON_COST_NEGATIVE;
        return is_cost_fine && said->cost_micro > terms.ceiling_micro ? TENDER_REASON_ABOVE_CEILING
                                                                      : fault;
    }
    int64_t valid_until = message_has(said, MESSAGE_VALID_UNTIL) ? said->valid_until_us : 0;
    tender_reason reason = auction_judge(&terms, said->cost_micro, said->eta_us, valid_until);
    if (reason == TENDER_REASON_NONE && !book_has_capacity(book, task, said)) {
        return TENDER_REASON_CAPACITY_MALFORMED;
    }
    bool is_full = task->round.standing >= AUCTION_BIDS_MAX;
    return reason == TENDER_REASON_NONE && is_full ? TENDER_REASON_LIMIT_REACHED : reason;
}

static int64_t readable(const struct message *said, enum message_field field, int64_t value)
{
    return message_has(said, field) ? value : 0;
}

bool book_is_of_invited(tender_reason reason)
{
    return reason != TENDER_REASON_OWN_TASK && reason != TENDER_REASON_EXCLUDED &&
           reason != TENDER_REASON_NOT_INVITED && reason != TENDER_REASON_NOT_COVERED &&
           reason != TENDER_REASON_NOT_DRAWN && reason != TENDER_REASON_ON_HOLD;
}

static void count_answer(struct book *book, struct task *task, struct bid *bid, bool is_new)
{
    if (is_new) {
        task->round.invited++;
        book_count_principal(&task->round, bid->root);
    }
    task->round.answered++;
    if (bid->state == TENDER_BID_STANDING) {
        task->round.standing++;
        if (!bid->is_counted) {
            bid->is_counted = true;
            book->roster.peers[bid->peer].invitations++;
            roster_update(&book->roster, bid->peer);
        }
    } else {
        book_uncount(book, bid);
    }
}

/*
 * The answer of a contractor that may not have been invited in this memory: it was by the broker
 * before, or could be now; its naming the round's digest shows that it has the cfp.
 */
static struct bid *bid_for(struct book *book, struct task *task, uint32_t peer, bool *is_new_out)
{
    struct bid *bid = book_find_bid(book, task, peer);
    *is_new_out = bid == NULL;
    if (bid == NULL && book_may_answer_more(book, peer)) {
        bid = book_create_bid(book, task, peer);
    }
    return bid;
}

static void take_bid(struct book *book, struct task *task, uint32_t peer,
                     const struct message *said, tender_reason reason)
{
    bool is_new = false;
    struct bid *bid = bid_for(book, task, peer, &is_new);
    if (bid == NULL) {
        book_tell_reject(book, task, peer, task->round.number, TENDER_REASON_LIMIT_REACHED, 0, 0);
        return;
    }
    book_set_bid_root(book, bid, book_root(book, book->roster.peers[peer].principal));
    bid_move(&bid->state, reason == TENDER_REASON_NONE ? BID_PROPOSE : BID_DISQUALIFY);
    bid->reason = reason;
    bid->cost_micro = readable(said, MESSAGE_COST, said->cost_micro);
    bid->eta_us = readable(said, MESSAGE_ETA, said->eta_us);
    bid->valid_until_us = readable(said, MESSAGE_VALID_UNTIL, said->valid_until_us);
    bid->capacity = readable(said, MESSAGE_CAPACITY, said->capacity);
    bid->estimate_micro = readable(said, MESSAGE_ESTIMATE, said->estimate_micro);
    bid->nonce = message_has(said, MESSAGE_NONCE) ? said->nonce : (tender_id){{0}};
    if (task->phase == PHASE_WINDOW && (!is_new || book_is_of_invited(reason))) {
        count_answer(book, task, bid, is_new);
    }
    queue_answer(book, task, bid,
                 message_has(said, MESSAGE_TEXT) ? said->text : (tender_bytes){NULL, 0});
    if (reason != TENDER_REASON_NONE) {
        book_tell_reject(book, task, peer, task->round.number, reason, 0, 0);
    }
}

/* Whether the very same bid was heard before: saying it again changes and costs nothing. */
static bool is_same_bid(const struct bid *bid, const struct message *said)
{
    return bid->cost_micro == said->cost_micro && bid->eta_us == said->eta_us &&
           bid->valid_until_us == readable(said, MESSAGE_VALID_UNTIL, said->valid_until_us) &&
           bid->capacity == readable(said, MESSAGE_CAPACITY, said->capacity);
}

/* The second bid of a contractor in a round; the same one, if it stands, waits for its answer. */
static void answer_again(struct book *book, struct task *task, const struct bid *bid,
                         const struct message *said)
{
    if (!is_same_bid(bid, said) || bid->state == TENDER_BID_WITHDRAWN ||
        bid->state == TENDER_BID_REFUSED) {
        book_tell_reject(book, task, bid->peer, task->round.number, TENDER_REASON_ALREADY_ANSWERED,
                         0, 0);
    } else if (bid->state == TENDER_BID_INELIGIBLE) {
        book_tell_reject(book, task, bid->peer, task->round.number, bid->reason, 0, 0);
    }
}

void book_hear_propose(struct book *book, const struct event *event, uint32_t peer)
{
    const struct message *said = event->message;
    uint32_t number = book_find_task(book, said->conversation);
    if (peer == 0 || number == 0) {
        struct message *reject =
            book_reply(book, event, TENDER_REJECT_PROPOSAL, said->conversation);
        message_set(reject, ROUND, round, said->round);
        message_set(reject, REASON, reason, (int64_t)TENDER_REASON_LATE);
        return;
    }
    struct task *task = book_task(book, number);
    book_catch_up(book, task);
    tender_reason reason = judge_place(task, said);
    struct bid *bid = book_find_bid(book, task, peer);
    bool is_known = bid != NULL && (int)bid->state != 0;
    bool is_of_round = said->round == (int64_t)task->round.number;
    if (is_known && is_of_round && task->phase == PHASE_WINDOW &&
        reason != TENDER_REASON_WRONG_DIGEST) {
        answer_again(book, task, bid, said);
        return;
    }
    bool is_late_answer = reason == TENDER_REASON_LATE && is_of_round && bid != NULL && !is_known;
    if (reason != TENDER_REASON_NONE && !is_late_answer) {
        if (is_known && is_of_round && is_same_bid(bid, said) && reason == TENDER_REASON_LATE) {
            answer_again(book, task, bid, said);
        } else {
            book_tell_reject(book, task, peer, (uint32_t)said->round, reason, 0, 0);
        }
        return;
    }
    if (reason == TENDER_REASON_NONE) {
        reason = judge_bidder(book, task, peer, said);
    }
    if (reason == TENDER_REASON_NONE) {
        reason = judge_terms(book, task, said);
    }
    take_bid(book, task, peer, said, reason);
    book_close_if_answered(book, task);
    book_arm_task(book, task);
}

/* The task and the invitation that a refusal or a withdrawal is about, or NULL. */
static struct bid *answered_bid(struct book *book, const struct event *event, uint32_t peer,
                                struct task **task_out)
{
    uint32_t number = book_find_task(book, event->message->conversation);
    if (peer == 0 || number == 0) {
        return NULL;
    }
    *task_out = book_task(book, number);
    book_catch_up(book, *task_out);
    if ((*task_out)->phase != PHASE_WINDOW ||
        event->message->round != (int64_t)(*task_out)->round.number) {
        return NULL;
    }
    return book_find_bid(book, *task_out, peer);
}

/* A refusal of what was not offered, or of a round that is over, needs no answer. */
void book_hear_refuse(struct book *book, const struct event *event, uint32_t peer)
{
    struct task *task = NULL;
    struct bid *bid = answered_bid(book, event, peer, &task);
    if (bid == NULL || (int)bid->state != 0) {
        return;
    }
    const struct message *said = event->message;
    bid_move(&bid->state, BID_REFUSE);
    bid->reason = (tender_reason)said->reason;
    if (tender_reason_name(bid->reason) == NULL || bid->reason == TENDER_REASON_NONE) {
        bid->reason = TENDER_REASON_OTHER;
    }
    count_answer(book, task, bid, false);
    queue_answer(book, task, bid,
                 message_has(said, MESSAGE_TEXT) ? said->text : (tender_bytes){NULL, 0});
    book_close_if_answered(book, task);
    book_arm_task(book, task);
}

void book_hear_withdraw(struct book *book, const struct event *event, uint32_t peer)
{
    struct task *task = NULL;
    struct bid *bid = answered_bid(book, event, peer, &task);
    if (bid == NULL || bid->state != TENDER_BID_STANDING) {
        bool is_again = bid != NULL && bid->state == TENDER_BID_WITHDRAWN;
        book_not_understood(book, event, is_again ? TENDER_REASON_WITHDRAWN : TENDER_REASON_LATE,
                            "round");
        return;
    }
    book_record_answers(book, task);
    bid_move(&bid->state, BID_WITHDRAW);
    bid->reason = TENDER_REASON_WITHDRAWN;
    task->round.standing--;
    book_uncount(book, bid);
    queue_answer(book, task, bid, (tender_bytes){NULL, 0});
    book_tell_reject(book, task, peer, task->round.number, TENDER_REASON_WITHDRAWN, 0, 0);
    book_close_if_answered(book, task);
    book_arm_task(book, task);
}
