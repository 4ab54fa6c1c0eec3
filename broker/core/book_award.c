/*
 * Awards: the first of the ranking has it at the price the rules give; losing bids stand until it
 * is acknowledged, and the runner-up takes over when the winner breaches.
 */
#include "book_internal.h"

#include <assert.h>
#include <string.h>

struct entry_ranks book_list_ranks(struct book *book, uint32_t bid_count)
{
    for (uint32_t i = 0; i < bid_count; i++) {
        const struct auction_bid *bid = &book->auction[book->auction_order[i]];
        tender_bid_state state = TENDER_BID_INELIGIBLE;
        if (bid->rank == 1) {
            state = TENDER_BID_WON;
        } else if (bid->rank > 1 || bid->reason == TENDER_REASON_SAME_PRINCIPAL) {
            state = TENDER_BID_LOST;
        }
        book->ranks[i] = (struct entry_rank){
            .contractor = bid->contractor,
            .state = state,
            .reason = bid->reason,
            .rank = bid->rank,
        };
    }
    tender_bytes list = book_keep_aligned(book, book->ranks, bid_count * sizeof book->ranks[0]);
    return (struct entry_ranks){bid_count, list.data};
}

bool book_can_award(const struct book *book, const struct task *task)
{
    return (book->free_past != 0 || book->pasts_used < book->past_count) &&
           book->now_us < task->deadline_at_us && !(task->extra != 0 && book_goal_bars(book, task));
}

/* The end of what the winner's bid promises, and of what the award gives it. */
static int64_t ack_by(const struct book *book, const struct task *task, const struct bid *winner,
                      int64_t due_at_us)
{
    int64_t ack_by_us = least(book->now_us + task->ack_us, due_at_us);
    return winner->valid_until_us != 0 ? least(ack_by_us, winner->valid_until_us) : ack_by_us;
}

/* Whether anything that the task names can be counted. */
static bool may_hold(const struct book *book, const struct task *task)
{
    return book->roster.skills[task->skill].counts != 0 || task->extra != 0;
}

struct entry *book_note_award(struct book *book, struct task *task, const struct bid *winner,
                              const struct deal *deal)
{
    const struct peer *owner = &book->roster.peers[winner->peer];
    int64_t due_at = least(least(book->now_us + winner->eta_us, book->now_us + task->due_us),
                           task->deadline_at_us);
    struct entry *entry = book_note(book, task, ENTRY_AWARDED);
    entry->awarded = (struct entry_awarded){
        .round = task->round.number,
        .part = deal->part,
        .generation = deal->part != 0 ? 1 : (int64_t)task->commitment.generation + 1,
        .contractor = peer_name(&book->roster, winner->peer),
        .principal = account_name(&book->accounts, owner->principal),
        .cost_micro = deal->cost_micro,
        .price_micro = deal->price_micro,
        .price_set_by = deal->setter,
        .units = deal->units,
        .held = may_hold(book, task) && book_would_hold(book, task, winner->peer),
        .due_at_us = due_at,
        .ack_by_us = ack_by(book, task, winner, due_at),
    };
    assert(deal->cost_micro <= deal->price_micro);
    assert(deal->price_micro <= task->round.ceiling_micro);
    return entry;
}

/* Bids that were not eligible at close are told so now; the others stand. */
static void reject_ineligible(struct book *book, struct task *task)
{
    for (uint32_t at = task->bids; at != 0; at = book->bids[at].next) {
        struct bid *bid = &book->bids[at];
        if (bid->state == TENDER_BID_INELIGIBLE && bid->is_counted) {
            book_tell_closed(book, task, bid, bid->reason, 0, 0);
            book_uncount(book, bid);
        }
    }
}

void book_award_first(struct book *book, struct task *task, uint32_t bid_count, uint32_t counting)
{
    const struct auction_bid *first = &book->auction[book->auction_order[0]];
    const struct auction_bid *second = counting > 1 ? &book->auction[book->auction_order[1]] : NULL;
    int64_t costs[2] = {first->cost_micro, second != NULL ? second->cost_micro : 0};
    uint32_t setter = 0;
    int64_t price =
        auction_price(costs, counting > 1 ? 2 : 1, 1, task->round.ceiling_micro, &setter);
    const struct bid *winner = &book->bids[book->auction_bids[book->auction_order[0]]];
    tender_bytes set_by = setter != 0 ? second->contractor : (tender_bytes){NULL, 0};
    struct deal deal = {0, task->round.units, winner->cost_micro, price, set_by};
    struct entry *entry = book_note_award(book, task, winner, &deal);
    entry->awarded.invited = task->round.invited;
    entry->awarded.ranks = book_list_ranks(book, bid_count);
    entry->awarded.silent = book_list_silent(book, task);
    book_seal_round(book, task, &entry->awarded.bids, &entry->awarded.book);
    book_record(book, task, entry);
    reject_ineligible(book, task);
    book_tell_award(book, task);
    book_tell_state(book, task);
}

static const struct bid *ranked(const struct book *book, const struct task *task, uint32_t rank)
{
    for (uint32_t at = task->bids; at != 0; at = book->bids[at].next) {
        if (book->bids[at].rank == rank) {
            return &book->bids[at];
        }
    }
    return NULL;
}

/* Whether a bid that stood by can still have the award. */
static bool still_can(const struct book *book, const struct task *task, const struct bid *bid)
{
    const struct peer *peer = &book->roster.peers[bid->peer];
    return bid->state == TENDER_BID_LOST && peer->is_alive && peer->is_offered &&
           peer->held < peer->slots && !book_is_excluded(book, task, peer->principal) &&
           (bid->valid_until_us == 0 || bid->valid_until_us >= book->now_us + task->ack_us) &&
           bid->eta_us <= task->deadline_at_us - book->now_us &&
           book_judge_more(book, task, bid->peer, bid->cost_micro, true) == TENDER_REASON_NONE;
}

uint32_t book_runner_up(const struct book *book, const struct task *task)
{
    uint32_t best = 0;
    for (uint32_t at = task->bids; at != 0; at = book->bids[at].next) {
        const struct bid *bid = &book->bids[at];
        if (bid->rank > task->commitment.rank && (best == 0 || bid->rank < book->bids[best].rank) &&
            still_can(book, task, bid)) {
            best = at;
        }
    }
    return best;
}

/* The runner-up, and those between it and the winner before, where there are any. */
static struct entry_ranks list_take_over(struct book *book, struct task *task,
                                         const struct bid *winner)
{
    uint32_t count = 0;
    for (uint32_t rank = task->commitment.rank + 1; rank <= winner->rank; rank++) {
        const struct bid *bid = ranked(book, task, rank);
        bool is_winner = bid == winner;
        book->ranks[count++] = (struct entry_rank){
            .contractor = peer_name(&book->roster, bid->peer),
            .state = is_winner ? TENDER_BID_WON : TENDER_BID_LOST,
            .reason = is_winner ? TENDER_REASON_LOWEST_COST : TENDER_REASON_PASSED_OVER,
            .rank = rank,
        };
    }
    if (count == 1) {
        return (struct entry_ranks){0, NULL};
    }
    tender_bytes list = book_keep_aligned(book, book->ranks, count * sizeof book->ranks[0]);
    return (struct entry_ranks){count, list.data};
}

/* Priced as if all before it had never bid: by the next of the fixed set, else by the ceiling. */
void book_award_runner_up(struct book *book, struct task *task, uint32_t number)
{
    const struct bid *winner = &book->bids[number];
    const struct bid *next = ranked(book, task, winner->rank + 1);
    int64_t costs[2] = {winner->cost_micro, next != NULL ? next->cost_micro : 0};
    uint32_t setter = 0;
    int64_t price =
        auction_price(costs, next != NULL ? 2 : 1, 1, task->round.ceiling_micro, &setter);
    tender_bytes set_by =
        next != NULL ? peer_name(&book->roster, next->peer) : (tender_bytes){NULL, 0};
    struct deal deal = {0, task->round.units, winner->cost_micro, price, set_by};
    struct entry *entry = book_note_award(book, task, winner, &deal);
    entry->awarded.ranks = list_take_over(book, task, winner);
    book_record(book, task, entry);
    book_tell_award(book, task);
    book_tell_state(book, task);
}

/* The award is taken, or the round is over: bids that stood by are rejected, each with its reason.
 */
void book_reject_standing(struct book *book, struct task *task)
{
    int64_t price = task->commitment.price_micro;
    for (uint32_t at = task->bids; at != 0; at = book->bids[at].next) {
        const struct bid *bid = &book->bids[at];
        if (bid->state == TENDER_BID_LOST) {
            book_tell_closed(book, task, bid, bid->reason, bid->rank, price);
        }
    }
}

void book_acknowledge(struct book *book, struct task *task)
{
    book_record_answers(book, task);
    book_reject_standing(book, task);
    struct entry *entry = book_note(book, task, ENTRY_ACKNOWLEDGED);
    entry->acknowledged =
        (struct entry_acknowledged){.part = task->part, .generation = task->commitment.generation};
    book_record(book, task, entry);
}
