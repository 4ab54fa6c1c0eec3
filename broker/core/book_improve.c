/*
 * Improving bids: before its sealed round a task may have rounds after which each bidder learns its
 * own place, or only whether it leads, and may ask for less. They decide nothing: the round after
 * the last of them does, by the bids of that round alone.
 *
 * What each principal asked for last is its lead: it may not ask for more in the same auction. An
 * auction ends when a round closes otherwise.
 */
#include "book_internal.h"

#include <assert.h>

static struct lead *lead_at(const struct book *book, uint32_t number)
{
    return pool_at(&book->leads, number);
}

/* The lead of the root principal, or NULL. */
static struct lead *find_lead(const struct book *book, const struct extra *extra, uint32_t root)
{
    for (uint32_t at = extra->leads; at != 0; at = lead_at(book, at)->next) {
        struct lead *lead = lead_at(book, at);
        if (lead->root == root) {
            return lead;
        }
    }
    return NULL;
}

tender_reason book_judge_improved(const struct book *book, const struct task *task, uint32_t peer,
                                  int64_t cost_micro)
{
    const struct extra *extra = task_extra(book, task);
    const struct lead *lead =
        find_lead(book, extra, book_root(book, book->roster.peers[peer].principal));
    return lead != NULL && cost_micro > lead->cost_micro ? TENDER_REASON_NOT_IMPROVED
                                                         : TENDER_REASON_NONE;
}

void book_drop_leads(struct book *book, struct extra *extra)
{
    while (extra->leads != 0) {
        uint32_t number = extra->leads;
        extra->leads = lead_at(book, number)->next;
        account_drop(&book->accounts, lead_at(book, number)->root);
        roster_drop(&book->roster, lead_at(book, number)->peer);
        pool_give(&book->leads, number);
    }
    extra->improved = 0;
}

void book_fill_lead(const struct book *book, const struct task *task, uint32_t peer,
                    struct message *message)
{
    const struct extra *extra = task_extra(book, task);
    const struct lead *lead =
        find_lead(book, extra, book_root(book, book->roster.peers[peer].principal));
    if (lead != NULL && lead->peer == peer && lead->rank != 0) {
        int64_t rank = extra->is_lead_only ? lead->rank == 1 : (int64_t)lead->rank;
        message_set(message, RANK, rank, rank);
    }
}

/* Whether another round follows this one, whose bids `counting` principals made. */
static bool is_improving(const struct book *book, const struct task *task, uint32_t counting)
{
    const struct extra *extra = task_extra(book, task);
    return extra->improved < extra->improve && counting > 1 && !task->round.is_fallback &&
           task->window_us < task->deadline_at_us - book->now_us &&
           pool_has_room(&book->leads, counting);
}

/* Bids that count wait for the next round; the others are told why they did not. */
static struct entry_ranks list_ranks(struct book *book, struct task *task, uint32_t bid_count)
{
    for (uint32_t i = 0; i < bid_count; i++) {
        const struct auction_bid *bid = &book->auction[book->auction_order[i]];
        bool is_waiting = bid->rank > 0;
        bool is_lost = is_waiting || bid->reason == TENDER_REASON_SAME_PRINCIPAL;
        book->ranks[i] = (struct entry_rank){
            .contractor = bid->contractor,
            .state = is_lost ? TENDER_BID_LOST : TENDER_BID_INELIGIBLE,
            .reason = is_waiting ? TENDER_REASON_IMPROVING : bid->reason,
            .rank = bid->rank,
        };
        if (!is_waiting) {
            uint32_t peer = book->bids[book->auction_bids[book->auction_order[i]]].peer;
            book_tell_reject(book, task, peer, task->round.number, bid->reason, 0, 0);
        }
    }
    tender_bytes list = book_keep_aligned(book, book->ranks, bid_count * sizeof book->ranks[0]);
    return (struct entry_ranks){bid_count, list.data};
}

/* Who is not asked again hears that its bid is over. */
static void tell_uninvited(struct book *book, struct task *task, uint32_t round)
{
    const struct extra *extra = task_extra(book, task);
    for (uint32_t at = extra->leads; at != 0; at = lead_at(book, at)->next) {
        const struct lead *lead = lead_at(book, at);
        if (lead->rank != 0 && book_find_bid(book, task, lead->peer) == NULL) {
            uint32_t rank = extra->is_lead_only ? 0 : lead->rank;
            book_tell_reject(book, task, lead->peer, round, TENDER_REASON_IMPROVING, rank, 0);
        }
    }
}

bool book_close_improving(struct book *book, struct task *task, uint32_t bid_count,
                          uint32_t counting)
{
    uint32_t round = task->round.number;
    if (!is_improving(book, task, counting)) {
        return false;
    }
    struct entry *entry = book_note(book, task, ENTRY_CLOSED);
    entry->closed = (struct entry_closed){
        .round = round,
        .reason = TENDER_REASON_IMPROVING,
        .invited = task->round.invited,
        .ranks = list_ranks(book, task, bid_count),
    };
    book_seal_round(book, task, &entry->closed.bids, &entry->closed.book);
    book_record(book, task, entry);
    book_open_round(book, task, false);
    tell_uninvited(book, task, round);
    return true;
}

static int take_lead(struct book *book, struct extra *extra, const struct bid *bid, uint32_t rank)
{
    struct lead *lead = find_lead(book, extra, bid->root);
    if (lead == NULL) {
        uint32_t number = pool_new(&book->leads);
        if (number == 0) {
            return TENDER_ELIMIT;
        }
        lead = lead_at(book, number);
        lead->next = extra->leads;
        extra->leads = number;
        lead->root = bid->root;
        account_refer(&book->accounts, lead->root);
    } else {
        roster_drop(&book->roster, lead->peer);
    }
    roster_refer(&book->roster, bid->peer);
    lead->peer = bid->peer;
    lead->rank = rank;
    lead->cost_micro = bid->cost_micro;
    return 0;
}

/* The bids are there still; those of other rounds keep their cost and lose their rank. */
int book_apply_improving(struct book *book, struct task *task, const struct entry_ranks *ranks)
{
    struct extra *extra = task_extra(book, task);
    if (extra == NULL) {
        return TENDER_EPROTOCOL;
    }
    for (uint32_t at = extra->leads; at != 0; at = lead_at(book, at)->next) {
        lead_at(book, at)->rank = 0;
    }
    for (size_t i = 0; i < ranks->count; i++) {
        const struct entry_rank *rank = &ranks->items[i];
        uint32_t peer = roster_find(&book->roster, rank->contractor);
        const struct bid *bid = peer == 0 ? NULL : book_find_bid(book, task, peer);
        int status = bid == NULL ? TENDER_EPROTOCOL : 0;
        if (status == 0 && rank->rank > 0) {
            status = take_lead(book, extra, bid, (uint32_t)rank->rank);
        }
        if (status != 0) {
            return status;
        }
    }
    extra->improved++;
    return 0;
}
