/*
 * Rounds: opening one and inviting to it, closing it, and what comes after a round or a commitment
 * has ended. Every task ends: by completion, by its rounds, by its deadline, or when nobody is
 * left.
 */
#include "book_internal.h"

#include <assert.h>
#include <string.h>

bool book_may_work(const struct book *book, const struct task *task, uint32_t number)
{
    const struct peer *peer = &book->roster.peers[number];
    if (book_is_own(book, task, peer->principal) || book_is_excluded(book, task, peer->principal) ||
        !book_may_owe_more(book, task, peer->principal)) {
        return false;
    }
    return (task->extra == 0 || book_covers(book, task, number)) &&
           (book->bars.used_count == 0 || !book_is_barred(book, task, number));
}

bool book_may_be_invited(const struct book *book, const struct task *task, uint32_t number)
{
    if (task->phase != PHASE_WINDOW || book->now_us >= task->round.closes_at_us ||
        !book_may_work(book, task, number) || !book_may_answer_more(book, number) ||
        (task->extra != 0 && !book_may_join(book, task, number))) {
        return false;
    }
    return !task->round.is_fallback ||
           bytes_equal(peer_name(&book->roster, number), task_fallback(task));
}

void book_count_principal(struct round *round, uint32_t root)
{
    if (round->first_root == 0) {
        round->first_root = root;
    }
    round->has_two_principals |= round->first_root != root;
}

/* Invites a contractor that may be. Returns false when no more invitations can be held. */
bool book_invite(struct book *book, struct task *task, uint32_t number)
{
    struct bid *bid = book_create_bid(book, task, number);
    if (bid == NULL) {
        roster_fell_behind(&book->roster, number);
        return false;
    }
    bid->is_counted = true;
    book->roster.peers[number].invitations++;
    task->round.invited++;
    book_count_principal(&task->round, bid->root);
    roster_update(&book->roster, number);
    book_tell_cfp(book, task, number);
    return true;
}

/* Contractors that are ready have seen all other rounds; the rest are offered this one later. */
static void invite_ready(struct book *book, struct task *task)
{
    struct roster *roster = &book->roster;
    const struct waiting_node *node = &book->waiting[book_task_number(book, task)];
    uint32_t next = 0;
    if (task->round.is_drawn) {
        book_invite_drawn(book, task);
        return;
    }
    for (uint32_t at = roster->skills[task->skill].ready; at != 0; at = next) {
        struct offer *offer = &roster->offers[at];
        next = offer->ready_next;
        if (!book_has_bid_room(book)) {
            roster_fell_behind(roster, offer->peer);
            continue;
        }
        offer->seen[node->priority] = node->sequence;
        if (book_may_be_invited(book, task, offer->peer)) {
            (void)book_invite(book, task, offer->peer);
        }
    }
}

void book_open_round(struct book *book, struct task *task, bool is_fallback)
{
    const struct extra *extra = task_extra(book, task);
    int64_t remaining = task_left(book, task);
    int64_t closes_at = book->now_us + task->window_us;
    int64_t until_deadline = task->deadline_at_us - closes_at;
    struct entry *entry = book_note(book, task, ENTRY_OPENED);
    assert(until_deadline > 0 && remaining > 0);
    entry->opened = (struct entry_opened){
        .round = (int64_t)task->round.number + 1,
        .head = task->head,
        .units = remaining,
        .ceiling_micro = auction_share(task->ceiling_micro, remaining, task->units), /* down */
        .closes_at_us = closes_at,
        .due_us = task->due_us < until_deadline ? task->due_us : until_deadline,
    };
    if (is_fallback) {
        entry->opened.contractor = task_fallback(task);
    }
    assert(extra == NULL || extra->split_max == 0 ||
           entry->opened.ceiling_micro <=
               task->ceiling_micro - task->paid_micro - extra->promised_micro);
    if (book->rates.used_count != 0 && task->round.number == 0) {
        entry->opened.rate_micro = book_sampled_rate(book, task);
    }
    if (extra != NULL && extra->invite_max > 0 && !is_fallback) {
        book_draw(book, task, &entry->opened);
    }
    book_record(book, task, entry);
    invite_ready(book, task);
}

/* Whether the fallback contractor could be offered the rest. */
static bool has_fallback(const struct book *book, const struct task *task)
{
    if (task->window_us >= task->deadline_at_us - book->now_us) {
        return false;
    }
    uint32_t peer = roster_find(&book->roster, task_fallback(task));
    uint32_t principal = peer == 0 ? 0 : book->roster.peers[peer].principal;
    return peer == 0 ||
           (!book_is_own(book, task, principal) && !book_is_excluded(book, task, principal));
}

static struct follow_up fall_back(const struct book *book, const struct task *task,
                                  tender_reason reason)
{
    struct follow_up plan = {FOLLOW_END, TENDER_TASK_UNALLOCATED, reason, 0};
    if (task->fallback == TENDER_FALLBACK_HOLD) {
        plan.kind = FOLLOW_HOLD;
        plan.state = TENDER_TASK_HELD;
        plan.reason =
            reason == TENDER_REASON_ROUNDS_EXHAUSTED ? TENDER_REASON_HELD_BY_FALLBACK : reason;
    } else if (task->fallback == TENDER_FALLBACK_CONTRACTOR && has_fallback(book, task)) {
        plan.kind = FOLLOW_FALLBACK;
    }
    return plan;
}

/*
 * Whether a window ran in which only principals that are out could have been invited: some that are
 * there have the skill, and all of those are out. Ends at the first that is not.
 */
static bool nobody_is_left(const struct book *book, const struct task *task)
{
    bool is_any_out = false;
    uint32_t at = book->roster.skills[task->skill].offers;
    for (; at != 0; at = book->roster.offers[at].next) {
        uint32_t number = book->roster.offers[at].peer;
        const struct peer *peer = &book->roster.peers[number];
        if (!peer->is_alive || !peer->is_offered || book_is_own(book, task, peer->principal) ||
            (task->extra != 0 && !book_covers(book, task, number))) {
            continue;
        }
        if (!book_is_excluded(book, task, peer->principal)) {
            return false;
        }
        is_any_out = true;
    }
    return is_any_out;
}

uint32_t book_counted_rounds(const struct book *book, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    return task->round.number - (task->was_assigned ? 1 : 0) -
           (extra != NULL ? extra->uncounted : 0);
}

/*
 * remaining   units still to be done, after what is being settled
 * had_winner  a commitment ended; otherwise a window closed without one
 * reason      why, which a fallback that failed passes on; a round that closes because a resource
 *             is taken is not one of the task's rounds
 */
struct follow_up book_plan(const struct book *book, const struct task *task, int64_t remaining,
                           bool had_winner, tender_reason reason)
{
    struct follow_up end = {FOLLOW_END, TENDER_TASK_UNALLOCATED, TENDER_REASON_NONE, 0};
    if (remaining == 0) {
        end.state = TENDER_TASK_DONE;
        end.reason = TENDER_REASON_COMPLETED;
        return end;
    }
    if (book->now_us > task->deadline_at_us) {
        end.reason = TENDER_REASON_DEADLINE_PASSED;
        return end;
    }
    const struct extra *extra = task_extra(book, task);
    tender_reason over = extra != NULL ? book_goal_ended(book, task) : TENDER_REASON_NONE;
    if (over != TENDER_REASON_NONE) {
        return (struct follow_up){FOLLOW_END, TENDER_TASK_CANCELLED, over, 0};
    }
    tender_reason hold = book_waiting_hold(book, task);
    if (hold != TENDER_REASON_NONE) {
        return (struct follow_up){FOLLOW_HOLD, TENDER_TASK_HELD, hold, 0};
    }
    bool is_lacking = !had_winner && reason == TENDER_REASON_RESOURCE_TAKEN;
    uint32_t rounds = book_counted_rounds(book, task) - (is_lacking ? 1 : 0);
    if (task->round.is_fallback && is_lacking && has_fallback(book, task)) {
        return (struct follow_up){.kind = FOLLOW_FALLBACK};
    }
    if (task->round.is_fallback) {
        bool is_taken = had_winner && reason != TENDER_REASON_DECLINED &&
                        reason != TENDER_REASON_NOT_ACKNOWLEDGED;
        bool is_early = rounds <= task->rounds; /* nobody was left before the fallback */
        tender_reason used_up =
            is_early ? TENDER_REASON_NOBODY_LEFT : TENDER_REASON_ROUNDS_EXHAUSTED;
        end.reason = is_taken ? used_up : TENDER_REASON_FALLBACK_DECLINED;
        return end;
    }
    if (!had_winner && nobody_is_left(book, task)) {
        return fall_back(book, task, TENDER_REASON_NOBODY_LEFT);
    }
    if (rounds >= task->rounds) {
        return fall_back(book, task, TENDER_REASON_ROUNDS_EXHAUSTED);
    }
    int64_t opens_at = book->now_us + (had_winner ? 0 : task->backoff_us);
    if (task->window_us >= task->deadline_at_us - opens_at) {
        return (struct follow_up){.kind = FOLLOW_WAIT}; /* no window fits before the deadline */
    }
    bool is_now = had_winner || task->backoff_us == 0;
    return (struct follow_up){.kind = is_now ? FOLLOW_OPEN : FOLLOW_BACKOFF,
                              .reopens_at_us = is_now ? 0 : opens_at};
}

/* Does what was planned; an end that its own entry already carries does not come here. */
void book_carry_on(struct book *book, struct task *task, struct follow_up plan)
{
    bool is_announced = plan.kind == FOLLOW_OPEN || plan.kind == FOLLOW_BACKOFF;
    if (!is_announced && task_has_parts(book, task)) {
        return; /* looked at again when a part ends */
    }
    switch (plan.kind) {
    case FOLLOW_END:
        book_end_task(book, task, plan.state, plan.reason, (tender_bytes){NULL, 0});
        break;
    case FOLLOW_HOLD:
        book_hold(book, task, plan.reason);
        break;
    case FOLLOW_OPEN:
    case FOLLOW_FALLBACK:
        book_open_round(book, task, plan.kind == FOLLOW_FALLBACK);
        break;
    case FOLLOW_BACKOFF:
        break;
    case FOLLOW_WAIT:
        book_clear_bids(book, task);
        break;
    }
}

/* Facts at close that a bid needs besides its terms; NONE, or why it is not eligible. */
static tender_reason judge_at_close(const struct book *book, const struct task *task,
                                    const struct bid *bid)
{
    const struct peer *peer = &book->roster.peers[bid->peer];
    if (book_is_own(book, task, peer->principal)) {
        return TENDER_REASON_OWN_TASK;
    }
    if (book_is_excluded(book, task, peer->principal)) {
        return TENDER_REASON_EXCLUDED;
    }
    if (!peer->is_alive || !peer->is_offered) {
        return TENDER_REASON_NOT_CONNECTED;
    }
    if (peer->held >= peer->slots) {
        return TENDER_REASON_NO_SLOT;
    }
    tender_reason more = book_judge_more(book, task, bid->peer, bid->cost_micro, true);
    if (more != TENDER_REASON_NONE) {
        return more;
    }
    if (bid->valid_until_us != 0 && bid->valid_until_us <= book->now_us) {
        return TENDER_REASON_VALIDITY_TOO_SHORT; /* run out by now: nothing is left to acknowledge
                                                    in */
    }
    /* That the window's end is looked at late is not the bidder's fault. */
    int64_t close_us =
        book->now_us < task->round.closes_at_us ? book->now_us : task->round.closes_at_us;
    struct auction_terms terms = {book_bid_ceiling(book, task), task->round.due_us,
                                  close_us + task->ack_us};
    return auction_judge(&terms, bid->cost_micro, bid->eta_us, bid->valid_until_us);
}

/* Fills the scratch with the standing bids. */
static uint32_t collect_bids(struct book *book, struct task *task)
{
    uint32_t count = 0;
    for (uint32_t at = task->bids; at != 0; at = book->bids[at].next) {
        struct bid *bid = &book->bids[at];
        if (bid->state != TENDER_BID_STANDING) {
            continue;
        }
        assert(count < AUCTION_BIDS_MAX);
        book->auction_bids[count] = at;
        book->auction[count++] = (struct auction_bid){
            .cost_micro = bid->cost_micro,
            .eta_us = bid->eta_us,
            .valid_until_us = bid->valid_until_us,
            .contractor = peer_name(&book->roster, bid->peer),
            .principal = bid->root,
            .reason = judge_at_close(book, task, bid),
        };
    }
    return count;
}

/* An invited contractor that did not answer; after k of them in a row it is left alone. */
static void count_unanswered(struct book *book, struct task *task)
{
    for (uint32_t at = task->bids; at != 0; at = book->bids[at].next) {
        struct bid *bid = &book->bids[at];
        if ((int)bid->state == 0 && bid->is_counted) {
            book->roster.peers[bid->peer].unanswered++;
            book_uncount(book, bid);
        }
    }
}

struct entry_texts book_list_silent(struct book *book, const struct task *task)
{
    tender_bytes names[SILENT_MAX];
    size_t count = 0;
    for (uint32_t at = task->bids; at != 0 && count < SILENT_MAX; at = book->bids[at].next) {
        if ((int)book->bids[at].state == 0) {
            names[count++] = peer_name(&book->roster, book->bids[at].peer);
        }
    }
    tender_bytes list = book_keep_aligned(book, names, count * sizeof names[0]);
    return (struct entry_texts){count, list.data};
}

void book_note_closed(struct book *book, struct task *task, tender_reason reason,
                      uint32_t bid_count, int64_t reopens_at_us)
{
    for (uint32_t i = 0; i < bid_count; i++) {
        const struct bid *bid = &book->bids[book->auction_bids[i]];
        book_tell_closed(book, task, bid, book->auction[i].reason, 0, 0);
    }
    struct entry *entry = book_note(book, task, ENTRY_CLOSED);
    entry->closed = (struct entry_closed){
        .round = task->round.number,
        .reason = reason,
        .invited = task->round.invited,
        .reopens_at_us = reopens_at_us,
        .ranks = book_list_ranks(book, bid_count),
        .silent = book_list_silent(book, task),
    };
    book_seal_round(book, task, &entry->closed.bids, &entry->closed.book);
    book_record(book, task, entry);
}

/* Bids that would count, when the round ends without deciding. */
void book_disqualify_rest(struct book *book, uint32_t bid_count, tender_reason reason)
{
    for (uint32_t i = 0; i < bid_count; i++) {
        book->auction_order[i] = i;
        if (book->auction[i].reason == TENDER_REASON_NONE || book->auction[i].rank > 0 ||
            book->auction[i].reason == TENDER_REASON_SAME_PRINCIPAL) {
            book->auction[i].reason = reason;
            book->auction[i].rank = 0;
        }
    }
}

/* Whether bids would count, but for a resource that is promised to others. */
static bool is_resource_taken(const struct book *book, const struct task *task, uint32_t bid_count)
{
    bool has_extra = task->extra != 0 || pool_has_room(&book->extras, 1);
    for (uint32_t i = 0; i < bid_count && has_extra; i++) {
        if (book->auction[i].reason == TENDER_REASON_RESOURCE_TAKEN) {
            return true;
        }
    }
    return false;
}

void book_close_without_winner(struct book *book, struct task *task, uint32_t bid_count,
                               tender_reason reason)
{
    bool is_taken = book->counts.used_count != 0 && is_resource_taken(book, task, bid_count);
    reason = is_taken ? TENDER_REASON_RESOURCE_TAKEN : reason;
    struct follow_up plan =
        book_plan(book, task, task_left(book, task), false, is_taken ? reason : TENDER_REASON_NONE);
    book_note_closed(book, task, reason, bid_count, plan.reopens_at_us);
    book_carry_on(book, task, plan);
}

void book_close_round(struct book *book, struct task *task)
{
    assert(task->phase == PHASE_WINDOW);
    book_record_answers(book, task);
    count_unanswered(book, task);
    uint32_t bid_count = collect_bids(book, task);
    struct auction_draw draw = {task->id, task->round.number, task->round.head};
    uint32_t counting = auction_rank(book->auction, bid_count, &draw, book->auction_order);
    if (task->extra != 0 && (book_close_suspended(book, task, bid_count) ||
                             book_close_improving(book, task, bid_count, counting) ||
                             book_close_split(book, task, bid_count, counting))) {
        return;
    }
    if (counting > 0 && book_can_award(book, task)) {
        book_award_first(book, task, bid_count, counting);
    } else {
        book_disqualify_rest(book, bid_count, TENDER_REASON_LIMIT_REACHED);
        book_close_without_winner(book, task, bid_count, TENDER_REASON_NO_ELIGIBLE_BID);
    }
}

/* The task ends while bids are taken: the round closes, and every bid is told so. */
void book_abandon_round(struct book *book, struct task *task, tender_reason reason)
{
    uint32_t bid_count = collect_bids(book, task);
    for (uint32_t i = 0; i < bid_count; i++) {
        book->auction[i].reason = TENDER_REASON_NONE;
    }
    book_disqualify_rest(book, bid_count, TENDER_REASON_ROUND_CANCELLED);
    book_note_closed(book, task, reason, bid_count, 0);
}

void book_close_if_answered(struct book *book, struct task *task)
{
    const struct round *round = &task->round;
    bool is_enough = round->has_two_principals || task->is_close_alone || round->is_fallback;
    if (task->phase == PHASE_WINDOW && !round->is_recalled && round->invited > 0 &&
        round->answered >= round->invited && is_enough) {
        book_close_round(book, task);
    }
}

/*
 * What `cover` commitments are paid once the rest has ended, the last first, because what one is
 * paid is a cost of the rest of those before it. Units never done count at their share of the
 * ceiling, rounded down.
 */
static void settle_covers(struct book *book, struct task *task)
{
    int64_t undone = task->units - task->units_done;
    int64_t undone_micro = auction_share(task->ceiling_micro, undone, task->units);
    for (uint32_t at = task->pasts; at != 0; at = book->pasts[at].next) {
        struct past *past = &book->pasts[at];
        if (!past->is_cover) {
            continue;
        }
        int64_t rest = task->paid_micro - past->spent_micro + undone_micro;
        int64_t left = past->price_micro > rest ? past->price_micro - rest : 0;
        int64_t paid = left < past->covered_micro ? left : past->covered_micro;
        struct entry *entry = book_note(book, task, ENTRY_COVERED);
        entry->covered = (struct entry_covered){
            .part = past->part,
            .generation = past->generation,
            .principal = account_name(&book->accounts, past->principal),
            .paid_micro = paid,
        };
        book_record(book, task, entry);
        book_tell_settled(book, task, past);
    }
}

void book_end_task(struct book *book, struct task *task, tender_task_state state,
                   tender_reason reason, tender_bytes text)
{
    book_record_answers(book, task);
    if (task->phase == PHASE_WINDOW) {
        book_abandon_round(book, task, TENDER_REASON_ROUND_CANCELLED);
    }
    settle_covers(book, task);
    struct entry *entry = book_note(book, task, ENTRY_ENDED);
    entry->ended = (struct entry_ended){
        .state = state,
        .reason = reason,
        .text = book_keep(book, text),
        .released_micro = task->ceiling_micro - task->paid_micro,
    };
    book_record(book, task, entry);
    book_tell_state(book, task);
}
