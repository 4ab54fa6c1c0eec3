/*
 * Parts of split awards as records: each is a task record of its own, in no index, beside the whole
 * whose terms, content and chain it shares. Also the choice that made them, which is kept while one
 * of its parts goes on: what a part is paid that delivers less is computed from it.
 */
#include "book_internal.h"

#include <assert.h>

int64_t book_part_of(const struct entry *entry)
{
    switch (entry->kind) {
    case ENTRY_AWARDED:
        return entry->awarded.part;
    case ENTRY_ACKNOWLEDGED:
        return entry->acknowledged.part;
    case ENTRY_PROGRESSED:
        return entry->progressed.part;
    case ENTRY_DELIVERED:
        return entry->delivered.part;
    case ENTRY_SETTLED:
        return entry->settled.part;
    default:
        return 0;
    }
}

struct task *book_find_part(struct book *book, struct task *whole, int64_t part)
{
    if (part == 0) {
        return whole;
    }
    uint32_t at = whole->extra != 0 ? task_extra(book, whole)->parts : 0;
    while (at != 0 && book->tasks[at].part != (uint64_t)part) {
        at = book->tasks[at].part_next;
    }
    return at != 0 ? book_task(book, at) : NULL;
}

uint32_t book_read_offers(struct book *book, const struct task *part, struct split_terms *terms_out)
{
    const struct split_offer *first = pool_at(&book->split_offers, part->split);
    uint32_t count = 0;
    *terms_out = (struct split_terms){first->units, first->ceiling_micro, first->parts_max};
    for (uint32_t at = part->split; at != 0; count++) {
        const struct split_offer *offer = pool_at(&book->split_offers, at);
        book->split_bids[count] =
            (struct split_bid){offer->unit_micro, offer->capacity, offer->won, offer->price_micro};
        at = offer->next;
    }
    return count;
}

static void drop_offers(struct book *book, uint32_t first)
{
    for (uint32_t at = first; at != 0;) {
        uint32_t next = ((const struct split_offer *)pool_at(&book->split_offers, at))->next;
        pool_give(&book->split_offers, at);
        at = next;
    }
}

/* Keeps the bids that count, in the order of their ranks. Returns 0, or TENDER_ELIMIT. */
static int keep_offers(struct book *book, struct task *whole, int64_t parts_max)
{
    uint32_t order[SPLIT_BIDS_MAX];
    uint32_t count = 0;
    for (uint32_t at = whole->bids; at != 0; at = book->bids[at].next) {
        uint32_t rank = book->bids[at].rank;
        if (rank > 0 && rank <= SPLIT_BIDS_MAX) {
            order[rank - 1] = at;
            count = rank > count ? rank : count;
        }
    }
    if (count == 0 || !pool_has_room(&book->split_offers, count)) {
        return TENDER_ELIMIT;
    }
    uint32_t next = 0;
    for (uint32_t i = count; i-- > 0;) {
        const struct bid *bid = &book->bids[order[i]];
        uint32_t number = pool_new(&book->split_offers);
        struct split_offer *offer = pool_at(&book->split_offers, number);
        offer->next = next;
        offer->unit_micro = bid->cost_micro;
        offer->capacity = bid->capacity;
        next = number;
    }
    struct split_offer *first = pool_at(&book->split_offers, next);
    first->parts_max = (uint32_t)parts_max;
    first->units = whole->round.units;
    first->ceiling_micro = whole->round.ceiling_micro;
    whole->split = next;
    return 0;
}

static struct split_offer *offer_of_rank(const struct book *book, uint32_t first, uint32_t rank)
{
    struct split_offer *offer = pool_at(&book->split_offers, first);
    for (uint32_t i = 1; i < rank && offer != NULL; i++) {
        offer = offer->next != 0 ? pool_at(&book->split_offers, offer->next) : NULL;
    }
    return offer;
}

/* A record with the terms of the whole and nothing of its course; last among its sisters. */
static struct task *add_part(struct book *book, struct task *whole)
{
    struct extra *extra = task_extra(book, whole);
    struct task *part = book_take_task(book);
    if (part == NULL) {
        return NULL;
    }
    *part = *whole;
    part->bids = part->last_bid = part->queued = part->last_queued = 0;
    part->pasts = part->follows = part->older = part->next = part->next_dirty = 0;
    part->dependents = 0;
    part->is_dirty = false;
    part->phase = PHASE_STANDBY;
    part->whole = book_task_number(book, whole);
    part->part = ++extra->part_last;
    part->part_next = 0;
    uint32_t *link = &extra->parts;
    while (*link != 0) {
        link = &book->tasks[*link].part_next;
    }
    *link = book_task_number(book, part);
    return part;
}

/* The last part that ends leaves a task of which nothing is promised. */
static void drop_part(struct book *book, struct task *whole, struct task *part)
{
    struct extra *extra = task_extra(book, whole);
    uint32_t number = book_task_number(book, part);
    uint32_t *link = &extra->parts;
    while (*link != number) {
        assert(*link != 0);
        link = &book->tasks[*link].part_next;
    }
    *link = part->part_next;
    struct split_offer *first = pool_at(&book->split_offers, part->split);
    assert(first->parts > 0);
    if (--first->parts == 0) {
        drop_offers(book, part->split);
    }
    extra->promised_units -= part->commitment.units;
    extra->promised_micro -= part->commitment.price_micro;
    watcher_set(&book->watcher, number, TENDER_NEVER, 0);
    part->phase = PHASE_FREE;
    part->next = book->free_task;
    book->free_task = number;
    if (extra->parts == 0) {
        task_move(&whole->state, TASK_REOPEN);
        whole->phase = whole->phase == PHASE_PARTS ? PHASE_IDLE : whole->phase;
    }
}

/* With the first part of a round comes its ranking. */
static int apply_awarded(struct book *book, struct task *whole, const struct entry *entry)
{
    const struct entry_awarded *awarded = &entry->awarded;
    struct extra *extra = task_extra(book, whole);
    if (extra == NULL || extra->split_max == 0 || whole->phase != PHASE_WINDOW ||
        awarded->round != whole->round.number || awarded->generation != 1 ||
        awarded->part != (int64_t)extra->part_last + 1) {
        return TENDER_EPROTOCOL;
    }
    if (awarded->ranks.count > 0) {
        int status = book_apply_ranks(book, whole, &awarded->ranks);
        status = status == 0 ? keep_offers(book, whole, awarded->parts_max) : status;
        if (status != 0) {
            return status;
        }
    }
    uint32_t peer = roster_find(&book->roster, awarded->contractor);
    struct bid *winner = peer == 0 ? NULL : book_find_bid(book, whole, peer);
    struct split_offer *offer = whole->split == 0 || winner == NULL || winner->rank == 0
                                    ? NULL
                                    : offer_of_rank(book, whole->split, winner->rank);
    if (offer == NULL || winner->state != TENDER_BID_WON) {
        return TENDER_EPROTOCOL;
    }
    uint32_t past = book_take_past(book);
    if (past == 0) {
        return TENDER_ELIMIT;
    }
    if (whole->state == TENDER_TASK_OPEN) {
        task_move(&whole->state, TASK_AWARD);
    }
    struct task *part = add_part(book, whole);
    if (part == NULL) {
        return TENDER_ELIMIT;
    }
    offer->won = awarded->units;
    offer->price_micro = awarded->price_micro;
    ((struct split_offer *)pool_at(&book->split_offers, whole->split))->parts++;
    extra->promised_units += awarded->units;
    extra->promised_micro += awarded->price_micro;
    book_begin_commitment(book, part, entry, winner, past);
    book_arm_task(book, part);
    return 0;
}

static int apply_settled(struct book *book, struct task *whole, struct task *part,
                         const struct entry *entry)
{
    if ((int)entry->settled.task_state != 0) {
        return TENDER_EPROTOCOL; /* the task ends by an entry of its own */
    }
    int status = book_end_commitment(book, part, entry);
    if (status == 0) {
        drop_part(book, whole, part);
    }
    return status;
}

int book_apply_part(struct book *book, struct task *whole, const struct entry *entry)
{
    if (entry->kind == ENTRY_AWARDED) {
        return apply_awarded(book, whole, entry);
    }
    struct task *part = book_find_part(book, whole, book_part_of(entry));
    int status = TENDER_EPROTOCOL;
    if (part == NULL) {
        return status;
    }
    switch (entry->kind) {
    case ENTRY_ACKNOWLEDGED:
        status = book_apply_acknowledged(book, part, entry);
        break;
    case ENTRY_PROGRESSED:
        status = book_apply_progressed(book, part, entry);
        break;
    case ENTRY_DELIVERED:
        status = book_apply_delivered(book, part, entry);
        break;
    case ENTRY_SETTLED:
        status = apply_settled(book, whole, part, entry);
        break;
    default:
        break;
    }
    book_arm_task(book, part);
    return status;
}
