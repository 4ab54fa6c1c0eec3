/*
 * Split awards: a round of costs per unit and capacities makes several commitments, each a part.
 * Closes such a round, settles its parts, and goes on with what no part has. The arithmetic is
 * split.c's, the records are book_part.c's.
 */
#include "book_internal.h"

#include <assert.h>

int64_t book_bid_ceiling(const struct book *book, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    if (extra == NULL || extra->split_max == 0) {
        return task->round.ceiling_micro;
    }
    return task->round.ceiling_micro / task->round.units; /* down, as split_unit_ceiling */
}

bool book_has_capacity(const struct book *book, const struct task *task, const struct message *said)
{
    const struct extra *extra = task_extra(book, task);
    return extra == NULL || extra->split_max == 0 ||
           (message_has(said, MESSAGE_CAPACITY) && said->capacity >= 1);
}

int64_t book_part_worth(struct book *book, const struct task *part, int64_t units)
{
    struct split_terms terms;
    uint32_t count = book_read_offers(book, part, &terms);
    return split_pay(book->split_bids, count, &terms, part->commitment.rank - 1, units,
                     &book->split);
}

/*
 * How many parts the round may make. Each holds what the task needs: there can be no more of them
 * than can hold it; and of one task only so many are under way.
 */
static uint32_t count_parts_max(const struct book *book, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    uint32_t room = PARTS_MAX;
    for (uint32_t at = extra->parts; at != 0; at = book->tasks[at].part_next) {
        room--;
    }
    uint32_t free = book_free_parts(book, task);
    room = free < room ? free : room;
    return room < extra->split_max ? room : extra->split_max;
}

/* As book_list_ranks, but several bids win. */
static struct entry_ranks list_ranks(struct book *book, uint32_t bid_count, uint32_t counting)
{
    struct entry_ranks ranks = book_list_ranks(book, bid_count);
    for (uint32_t i = 0; i < counting; i++) {
        bool is_won = book->split_bids[i].units > 0;
        book->ranks[i].state = is_won ? TENDER_BID_WON : TENDER_BID_LOST;
        book->ranks[i].reason = is_won ? TENDER_REASON_LOWEST_COST : TENDER_REASON_OUTBID;
    }
    tender_bytes list = book_keep_aligned(book, book->ranks, bid_count * sizeof book->ranks[0]);
    return (struct entry_ranks){ranks.count, list.data};
}

/* One award for each bid that has units, in the order of their ranks. */
static void note_parts(struct book *book, struct task *task, uint32_t bid_count, uint32_t counting,
                       uint32_t parts_max)
{
    struct entry_ranks ranks = list_ranks(book, bid_count, counting);
    for (uint32_t i = 0; i < counting; i++) {
        const struct split_bid *bid = &book->split_bids[i];
        if (bid->units == 0) {
            continue;
        }
        struct deal deal = {
            .part = (int64_t)task_extra(book, task)->part_last + 1,
            .units = bid->units,
            .cost_micro = bid->unit_cost_micro * bid->units,
            .price_micro = bid->price_micro,
        };
        const struct bid *winner = &book->bids[book->auction_bids[book->auction_order[i]]];
        struct entry *entry = book_note_award(book, task, winner, &deal);
        if (ranks.count > 0) {
            entry->awarded.invited = task->round.invited;
            entry->awarded.ranks = ranks;
            entry->awarded.parts_max = parts_max;
            entry->awarded.silent = book_list_silent(book, task);
            book_seal_round(book, task, &entry->awarded.bids, &entry->awarded.book);
            ranks.count = 0;
        }
        book_record(book, task, entry);
    }
}

/* There is no standing by in a split round: who has no part is told so at once. */
static void reject_others(struct book *book, struct task *task)
{
    for (uint32_t at = task->bids; at != 0; at = book->bids[at].next) {
        const struct bid *bid = &book->bids[at];
        if (bid->is_counted && bid->state != TENDER_BID_WON) {
            book_tell_closed(book, task, bid, bid->reason, bid->rank, 0);
        }
    }
}

static void tell_parts(struct book *book, const struct task *task, uint32_t first_part)
{
    for (uint32_t at = task_extra(book, task)->parts; at != 0; at = book->tasks[at].part_next) {
        if (book->tasks[at].part >= first_part) {
            book_tell_award(book, book_task(book, at));
            book_tell_state(book, book_task(book, at));
        }
    }
}

/* The round has made its parts; what is left is announced again, or waits for them. */
static void close_awarded(struct book *book, struct task *task, uint32_t first_part,
                          bool is_covered)
{
    int64_t left = task_left(book, task);
    struct follow_up plan = {.kind = FOLLOW_WAIT};
    if (left > 0) {
        plan = book_plan(book, task, left, false, TENDER_REASON_NONE);
    }
    reject_others(book, task);
    struct entry *entry = book_note(book, task, ENTRY_CLOSED);
    entry->closed = (struct entry_closed){
        .round = task->round.number,
        .reason = is_covered ? TENDER_REASON_NONE : TENDER_REASON_SHORT_CAPACITY,
        .reopens_at_us = plan.reopens_at_us,
    };
    book_record(book, task, entry);
    tell_parts(book, task, first_part);
    book_carry_on(book, task, plan);
}

/* The units go to nobody. */
static void fail_round(struct book *book, struct task *task, uint32_t bid_count, tender_reason bids,
                       tender_reason round)
{
    book_disqualify_rest(book, bid_count, bids);
    book_close_without_winner(book, task, bid_count, round);
}

bool book_close_split(struct book *book, struct task *task, uint32_t bid_count, uint32_t counting)
{
    const struct extra *extra = task_extra(book, task);
    if (extra->split_max == 0 || counting == 0 || !book_can_award(book, task)) {
        return false;
    }
    struct split_terms terms = {task->round.units, task->round.ceiling_micro,
                                count_parts_max(book, task)};
    if (terms.parts_max == 0 || !pool_has_room(&book->split_offers, counting)) {
        fail_round(book, task, bid_count, TENDER_REASON_LIMIT_REACHED,
                   TENDER_REASON_NO_ELIGIBLE_BID);
        return true;
    }
    for (uint32_t i = 0; i < counting; i++) {
        const struct bid *bid = &book->bids[book->auction_bids[book->auction_order[i]]];
        book->split_bids[i] = (struct split_bid){bid->cost_micro, bid->capacity, 0, 0};
    }
    struct split_result result = split_choose(book->split_bids, counting, &terms, &book->split);
    assert(result.part_count > 0); /* all that count are below the ceiling and have capacity */
    bool is_covered = result.covered == task->round.units;
    if (extra->is_cover_all && !is_covered) {
        fail_round(book, task, bid_count, TENDER_REASON_SHORT_CAPACITY,
                   TENDER_REASON_SHORT_CAPACITY);
    } else if (!book_has_task_room(book, result.part_count)) {
        fail_round(book, task, bid_count, TENDER_REASON_LIMIT_REACHED,
                   TENDER_REASON_NO_ELIGIBLE_BID);
    } else {
        uint32_t first_part = extra->part_last + 1;
        note_parts(book, task, bid_count, counting, result.parts_max);
        close_awarded(book, task, first_part, is_covered);
    }
    return true;
}

/* Its commitment ends, and with it the record of the part. */
static void end_part(struct book *book, struct task *part, const struct ending *ending)
{
    struct task *whole = task_whole(book, part);
    book_record_answers(book, whole); /* heard before its principal was out */
    book_record(book, part, book_note_settled(book, part, ending));
    const struct past *past = &book->pasts[whole->pasts];
    if (ending->is_reported) {
        book_tell_settled(book, whole, past);
    } else {
        book_tell_stop(book, whole, past);
    }
    book_tell_part_ended(book, whole, past);
}

/*
 * What a part left undone is announced again at once, unless the task takes bids or will soon: then
 * it joins the round after that. Where it is not announced, it waits for the other parts.
 */
static void go_on(struct book *book, struct task *whole, tender_reason reason)
{
    static const tender_bytes nothing;
    int64_t left = task_left(book, whole);
    tender_reason over = book_goal_ended(book, whole);
    if (left > 0 && over != TENDER_REASON_NONE && !task_has_parts(book, whole)) {
        book_end_task(book, whole, TENDER_TASK_CANCELLED, over, nothing);
        return;
    }
    if (whole->phase != PHASE_PARTS && whole->phase != PHASE_IDLE) {
        return;
    }
    if (left > 0) {
        book_carry_on(book, whole, book_plan(book, whole, left, true, reason));
    } else if (!task_has_parts(book, whole)) {
        book_end_task(book, whole, TENDER_TASK_DONE, TENDER_REASON_COMPLETED, nothing);
    }
}

void book_settle_part(struct book *book, struct task *part, const struct ending *ending)
{
    struct task *whole = task_whole(book, part);
    end_part(book, part, ending);
    go_on(book, whole, ending->reason);
}

void book_answer_parts(struct book *book, const struct event *event, const struct task *whole)
{
    for (uint32_t at = task_extra(book, whole)->parts; at != 0; at = book->tasks[at].part_next) {
        struct message *inform = book_reply(book, event, TENDER_INFORM, whole->id);
        book_fill_state(book, &book->tasks[at], inform);
    }
}

void book_stop_parts(struct book *book, struct task *whole, tender_reason reason, tender_bytes text)
{
    uint32_t next = 0;
    for (uint32_t at = task_extra(book, whole)->parts; at != 0; at = next) {
        struct task *part = book_task(book, at);
        struct ending ending = {
            .state = TENDER_COMMITMENT_CANCELLED,
            .reason = reason,
            .text = text,
            .units_done = part->commitment.units_done,
        };
        if (book_accepted_units(book, part, &ending) == part->commitment.units) {
            ending.state = TENDER_COMMITMENT_FULFILLED;
            ending.reason = TENDER_REASON_COMPLETED;
        }
        next = part->part_next;
        if (part->phase != PHASE_DELIVERED) {
            end_part(book, part, &ending);
        }
    }
    if (!task_has_parts(book, whole)) {
        bool is_done = task_left(book, whole) == 0;
        book_end_task(book, whole, is_done ? TENDER_TASK_DONE : TENDER_TASK_CANCELLED,
                      is_done ? TENDER_REASON_COMPLETED : reason, text);
    }
}
