/* What the entries about a commitment change: award, acknowledgement, progress, settlement. */
#include "book_internal.h"

#include <assert.h>

/* A runner-up takes over: those between it and the breached winner are passed over. */
static int take_over(struct book *book, struct task *task, struct bid *winner)
{
    if (winner->state != TENDER_BID_LOST || winner->rank <= task->commitment.rank) {
        return TENDER_EPROTOCOL;
    }
    for (uint32_t at = task->bids; at != 0; at = book->bids[at].next) {
        struct bid *bid = &book->bids[at];
        if (bid->state == TENDER_BID_LOST && bid->rank > task->commitment.rank &&
            bid->rank < winner->rank) {
            bid->reason = TENDER_REASON_PASSED_OVER;
        }
    }
    bid_move(&winner->state, BID_WIN);
    winner->recorded = winner->state;
    winner->reason = TENDER_REASON_LOWEST_COST;
    return 0;
}

void book_link_award(struct book *book, struct task *task)
{
    struct commitment *commitment = &task->commitment;
    struct peer *owner = &book->roster.peers[commitment->peer];
    uint32_t number = book_task_number(book, task);
    commitment->owner_previous = 0;
    commitment->owner_next = owner->awards;
    if (owner->awards != 0) {
        book->tasks[owner->awards].commitment.owner_previous = number;
    }
    owner->awards = number;
    owner->held++;
    account_count(&book->accounts, commitment->principal, &(struct account_counts){.active = 1});
    book_owe(book, task, 1);
    roster_refer(&book->roster, commitment->peer);
    roster_update(&book->roster, commitment->peer);
    account_refer(&book->accounts, commitment->principal);
    book->commitments_active++;
}

void book_unlink_award(struct book *book, struct task *task)
{
    struct commitment *commitment = &task->commitment;
    struct peer *owner = &book->roster.peers[commitment->peer];
    if (commitment->owner_previous != 0) {
        book->tasks[commitment->owner_previous].commitment.owner_next = commitment->owner_next;
    } else {
        owner->awards = commitment->owner_next;
    }
    if (commitment->owner_next != 0) {
        book->tasks[commitment->owner_next].commitment.owner_previous = commitment->owner_previous;
    }
    assert(owner->held > 0);
    owner->held--;
    account_count(&book->accounts, commitment->principal, &(struct account_counts){.active = -1});
    book_owe(book, task, -1);
    roster_update(&book->roster, commitment->peer);
    book->commitments_active--;
}

void book_begin_commitment(struct book *book, struct task *task, const struct entry *entry,
                           const struct bid *winner, uint32_t past)
{
    const struct entry_awarded *awarded = &entry->awarded;
    task->commitment = (struct commitment){
        .peer = winner->peer,
        .principal = book->roster.peers[winner->peer].principal,
        .generation = (uint32_t)awarded->generation,
        .past = past,
        .rank = winner->rank,
        .cost_micro = awarded->cost_micro,
        .price_micro = awarded->price_micro,
        .estimate_micro = winner->estimate_micro,
        .units = awarded->units,
        .awarded_at_us = entry->at_us,
        .due_at_us = book_moved(book, task, entry->at_us, awarded->due_at_us),
        .ack_by_us = book_moved(book, task, entry->at_us, awarded->ack_by_us),
    };
    commitment_move(&task->commitment.state, COMMITMENT_AWARD);
    book_link_award(book, task);
    if (awarded->held != 0) {
        task->commitment.has_held = true;
        book_hold_needs(book, task);
    }
}

int book_apply_awarded(struct book *book, struct task *task, const struct entry *entry)
{
    const struct entry_awarded *awarded = &entry->awarded;
    uint32_t peer = roster_find(&book->roster, awarded->contractor);
    struct bid *winner = peer == 0 ? NULL : book_find_bid(book, task, peer);
    bool is_first = task->phase == PHASE_WINDOW;
    if (winner == NULL || awarded->round != task->round.number ||
        !(is_first || task->phase == PHASE_IDLE) ||
        awarded->generation != (int64_t)task->commitment.generation + 1) {
        return TENDER_EPROTOCOL;
    }
    int status =
        is_first ? book_apply_ranks(book, task, &awarded->ranks) : take_over(book, task, winner);
    if (status != 0 || winner->state != TENDER_BID_WON) {
        return TENDER_EPROTOCOL;
    }
    if (is_first && task->extra != 0) {
        book_drop_leads(book, task_extra(book, task));
    }
    uint32_t past = book_take_past(book);
    if (past == 0) {
        return TENDER_ELIMIT;
    }
    book_begin_commitment(book, task, entry, winner, past);
    task_move(&task->state, TASK_AWARD);
    book_leave_window(book, task, PHASE_STANDBY);
    return 0;
}

static bool is_current(const struct task *task, int64_t generation)
{
    return phase_is_owned(task->phase) && task->commitment.generation == generation;
}

void book_take_acknowledgement(struct book *book, struct task *task)
{
    task->commitment.is_acknowledged = true;
    task->phase = PHASE_WORK;
    book_clear_bids(book, task);
}

int book_apply_acknowledged(struct book *book, struct task *task, const struct entry *entry)
{
    if (!is_current(task, entry->acknowledged.generation)) {
        return TENDER_EPROTOCOL;
    }
    book_take_acknowledgement(book, task);
    return 0;
}

int book_apply_progressed(struct book *book, struct task *task, const struct entry *entry)
{
    (void)book;
    if (!is_current(task, entry->progressed.generation)) {
        return TENDER_EPROTOCOL;
    }
    task->commitment.units_done = entry->progressed.units_done;
    return 0;
}

/* The end of a commitment leaves a record, for as long as its task is in the book. */
static void leave_past(struct book *book, struct task *whole, const struct task *task,
                       uint64_t number, const struct entry_settled *settled)
{
    const struct commitment *commitment = &task->commitment;
    struct past *past = &book->pasts[commitment->past];
    struct peer *owner = &book->roster.peers[commitment->peer];
    bool is_short = settled->units_done > 0 && settled->units_done < commitment->units;
    bool is_ended_by_owner =
        settled->state == TENDER_COMMITMENT_FAILED || settled->state == TENDER_COMMITMENT_LAPSED;
    *past = (struct past){
        .next = whole->pasts,
        .task = book_task_number(book, whole),
        .peer = commitment->peer,
        .peer_next = owner->pasts,
        .principal = commitment->principal,
        .part = task->part,
        .generation = commitment->generation,
        .state = settled->state,
        .reason = settled->reason,
        .units = commitment->units,
        .units_done = settled->units_done,
        .price_micro = commitment->price_micro,
        .paid_micro = settled->paid_micro,
        .spent_micro = whole->paid_micro,
        .is_excluded = settled->excluded != 0,
        .is_assigned = commitment->is_assigned,
        .is_cover = task->partial == TENDER_PARTIAL_COVER && is_short && is_ended_by_owner,
    };
    if (past->is_cover) {
        past->covered_micro = auction_share(past->price_micro, past->units_done, past->units);
    }
    if (owner->pasts != 0) {
        book->pasts[owner->pasts].peer_previous = commitment->past;
    }
    owner->pasts = commitment->past;
    whole->pasts = commitment->past;
    if (settled->reported > settled->units_done) {
        past->late_units = settled->reported;
        past->late_number = number;
    }
}

void book_pay(struct book *book, struct task *task, uint32_t principal, int64_t amount_micro)
{
    task->paid_micro += amount_micro;
    assert(task->paid_micro <= task->ceiling_micro);
    if (!book->is_recalling) {
        account_pay(&book->accounts.items[task->account], &book->accounts.items[principal],
                    amount_micro);
    }
}

int book_end_commitment(struct book *book, struct task *task, const struct entry *entry)
{
    const struct entry_settled *settled = &entry->settled;
    struct task *whole = task_whole(book, task);
    if (!is_current(task, settled->generation)) {
        return TENDER_EPROTOCOL;
    }
    struct commitment *commitment = &task->commitment;
    if (settled->acknowledged != 0) {
        book_take_acknowledgement(book, task);
    }
    bool is_held = commitment->state == TENDER_COMMITMENT_ACTIVE;
    commitment_move(&commitment->state, commitment_event_to(settled->state));
    if (is_held) {
        book_unlink_award(book, task);
    } else {
        book_drop_delivery(book, commitment);
    }
    if (commitment->has_held) {
        book_free_needs(book, task);
        commitment->has_held = false;
    }
    if (!book->is_recalling) {
        book_note_record(book, commitment, settled->state);
    }
    book_pay(book, whole, commitment->principal, settled->paid_micro);
    whole->units_done += settled->units_done;
    commitment->units_done = settled->units_done;
    leave_past(book, whole, task, entry->number, settled);
    return 0;
}

int book_apply_settled(struct book *book, struct task *task, const struct entry *entry)
{
    const struct entry_settled *settled = &entry->settled;
    int status = book_end_commitment(book, task, entry);
    if (status != 0) {
        return status;
    }
    if ((int)settled->task_state != 0) {
        book_finish(book, task, settled->task_state, settled->task_reason, entry->at_us);
    } else {
        task_move(&task->state, TASK_REOPEN);
        task->phase = PHASE_IDLE;
    }
    return 0;
}

int book_apply_covered(struct book *book, struct task *task, const struct entry *entry)
{
    struct past *past = book_find_past(book, task, (uint32_t)entry->covered.part,
                                       (uint32_t)entry->covered.generation);
    if (past == NULL || !past->is_cover) {
        return TENDER_EPROTOCOL;
    }
    past->is_cover = false;
    past->paid_micro += entry->covered.paid_micro;
    book_pay(book, task, past->principal, entry->covered.paid_micro);
    return 0;
}

int book_apply_late(struct book *book, struct task *task, const struct entry *entry)
{
    struct past *past =
        book_find_past(book, task, (uint32_t)entry->late.part, (uint32_t)entry->late.generation);
    if (past == NULL) {
        return TENDER_EPROTOCOL;
    }
    past->late_count++;
    if (entry->late.units_done > past->late_units) {
        past->late_units = entry->late.units_done;
        past->late_number = entry->number;
    }
    return 0;
}
