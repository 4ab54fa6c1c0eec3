/*
 * What each kind of entry changes. The only code that changes a task, its round, recorded bids and
 * commitment, and that moves its money; used when an entry is decided and when it is recalled,
 * where the balances are there already.
 */
#include "book_internal.h"

#include <assert.h>
#include <string.h>

static void copy_text(char *to, uint8_t *size_out, tender_bytes text, size_t limit)
{
    assert(text.size <= limit);
    if (text.size > 0) {
        memcpy(to, text.data, text.size);
    }
    *size_out = (uint8_t)text.size;
}

static bool announced_is_valid(const struct entry_announced *entry)
{
    return entry->client.size <= TENDER_NAME_MAX && entry->key.size <= TENDER_KEY_MAX &&
           entry->fallback_contractor.size <= TENDER_NAME_MAX && entry->principal.size > 0 &&
           entry->principal.size <= TENDER_NAME_MAX && entry->skill.size > 0 &&
           entry->skill.size <= TENDER_SKILL_MAX && entry->units > 0 && entry->priority >= 0 &&
           entry->priority <= TENDER_PRIORITY_MAX;
}

static void take_terms(struct book *book, struct task *task, const struct entry_announced *entry,
                       int64_t at_us)
{
    copy_text(task->client, &task->client_size, entry->client, sizeof task->client);
    copy_text(task->key, &task->key_size, entry->key, sizeof task->key);
    copy_text(task->fallback_contractor, &task->fallback_contractor_size,
              entry->fallback_contractor, sizeof task->fallback_contractor);
    task->body_digest = entry->body_digest;
    task->again = entry->again;
    task->announced_at_us = at_us;
    task->units = entry->units;
    task->ceiling_micro = entry->ceiling_micro;
    task->window_us = entry->window_us;
    task->due_us = entry->due_us;
    task->deadline_at_us = book_moved(book, task, at_us, entry->deadline_at_us);
    task->rounds = (uint32_t)entry->rounds;
    task->backoff_us = entry->backoff_us;
    task->ack_us = entry->ack_us;
    task->heartbeat_us = entry->heartbeat_us;
    task->priority = (uint8_t)entry->priority;
    task->partial = entry->partial;
    task->kill_fee_ppm = entry->kill_fee_ppm;
    task->is_close_alone = entry->close_alone != 0;
    task->fallback = entry->fallback;
    task->content_size = (size_t)entry->content_size;
    task->content_digest = entry->content_digest;
}

/* Live, the content lies in the arena already. */
static int take_content(struct book *book, struct task *task, tender_bytes content)
{
    if (!book->is_recalling) {
        task->content = content.data;
        return 0;
    }
    if (content.size != task->content_size) {
        return TENDER_EPROTOCOL;
    }
    task->content = arena_copy(&book->arena, content);
    return content.size > 0 && task->content == NULL ? TENDER_ELIMIT : 0;
}

static int apply_announced(struct book *book, struct task *task, const struct entry *entry)
{
    const struct entry_announced *announced = &entry->announced;
    if ((int)task->state != 0 || !announced_is_valid(announced)) {
        return TENDER_EPROTOCOL;
    }
    uint32_t account = account_open(&book->accounts, announced->principal);
    uint32_t skill = roster_skill_open(&book->roster, announced->skill);
    if (account == 0 || skill == 0) {
        return TENDER_ELIMIT;
    }
    take_terms(book, task, announced, entry->at_us);
    int status = take_content(book, task, entry->content);
    if (status != 0) {
        return status;
    }
    account_refer(&book->accounts, account);
    roster_skill_refer(&book->roster, skill);
    task->account = account;
    task->skill = skill;
    book_index_key(book, task);
    task_move(&task->state, announced->blocked != 0 ? TASK_BLOCK : TASK_ANNOUNCE);
    task->phase = announced->blocked != 0 ? PHASE_BLOCKED : PHASE_IDLE;
    book->tasks_open++;
    account_count(&book->accounts, account, &(struct account_counts){.tasks = 1});
    if (!book->is_recalling) {
        bool is_reserved =
            account_reserve(&book->accounts.items[account], announced->ceiling_micro);
        assert(is_reserved);
    }
    return book_take_extra(book, task, announced);
}

static void enter_window(struct book *book, struct task *task)
{
    book->rounds_open++;
    task->phase = PHASE_WINDOW;
    uint32_t number = book_task_number(book, task);
    struct skill *skill = &book->roster.skills[task->skill];
    book->waiting[number] =
        (struct waiting_node){.sequence = ++book->sequence, .priority = task->priority};
    waiting_insert(book->waiting, task->round.is_full ? &skill->full : &skill->waiting, number);
    skill->waiting_count[task->priority] += task->round.is_full ? 0 : 1;
}

void book_leave_window(struct book *book, struct task *task, enum phase phase)
{
    if (task->phase == PHASE_WINDOW) {
        struct skill *skill = &book->roster.skills[task->skill];
        uint32_t *root = task->round.is_full ? &skill->full : &skill->waiting;
        waiting_remove(book->waiting, root, book_task_number(book, task));
        skill->waiting_count[task->priority] -= task->round.is_full ? 0 : 1;
        book->rounds_open--;
    }
    task->phase = phase;
}

static int apply_opened(struct book *book, struct task *task, const struct entry *entry)
{
    const struct entry_opened *opened = &entry->opened;
    bool is_between =
        task->phase == PHASE_IDLE || task->phase == PHASE_BACKOFF || task->phase == PHASE_PARTS;
    if (!is_between || opened->round != (int64_t)task->round.number + 1) {
        return TENDER_EPROTOCOL;
    }
    book_clear_bids(book, task);
    task->reopens_at_us = 0;
    task->round = (struct round){
        .number = (uint32_t)opened->round,
        .is_fallback = opened->contractor.size > 0,
        .units = opened->units,
        .ceiling_micro = opened->ceiling_micro,
        .closes_at_us = book_moved(book, task, entry->at_us, opened->closes_at_us),
        .due_us = opened->due_us,
        .head = opened->head,
        .digest = entry->hash,
        .is_recalled = book->is_recalling,
        .rate_micro = opened->rate_micro,
    };
    int status = task->extra != 0 ? book_apply_drawn(book, task, opened) : 0;
    enter_window(book, task);
    return status;
}

/* The peer an entry names; recall makes those that nobody has heard of yet. */
uint32_t book_named_peer(struct book *book, tender_bytes contractor, tender_bytes principal)
{
    uint32_t peer = roster_find(&book->roster, contractor);
    if (peer == 0 && book->is_recalling && principal.size > 0) {
        peer = roster_open(&book->roster, contractor, principal, true);
    }
    return peer;
}

static void count_recalled(struct round *round, const struct bid *bid)
{
    round->invited++;
    round->answered++;
    book_count_principal(round, bid->root);
}

/* The root that the bid had when it was heard, whatever the keyring says by now. */
static bool recall_root(struct book *book, struct bid *bid, const struct entry_answer *answer)
{
    uint32_t root = book->roster.peers[bid->peer].principal;
    if (answer->root.size > TENDER_NAME_MAX) {
        return false;
    }
    if (answer->root.size > 0) {
        root = account_open(&book->accounts, answer->root);
    }
    if (root != 0) {
        book_set_bid_root(book, bid, root);
    }
    return root != 0;
}

static struct bid *recalled_bid(struct book *book, struct task *task, uint32_t peer,
                                const struct entry_answer *answer)
{
    struct bid *bid = book_find_bid(book, task, peer);
    if (bid == NULL) {
        bid = book_create_bid(book, task, peer);
        if (bid == NULL || !recall_root(book, bid, answer)) {
            return NULL;
        }
        if (book_is_of_invited(answer->reason)) {
            count_recalled(&task->round, bid);
        }
    } else if (!recall_root(book, bid, answer)) {
        return NULL;
    }
    bool was_standing = bid->state == TENDER_BID_STANDING;
    bool is_standing = answer->state == TENDER_BID_STANDING;
    bid->state = answer->state;
    bid->reason = answer->reason;
    bid->cost_micro = answer->cost_micro;
    bid->eta_us = answer->eta_us;
    bid->valid_until_us = answer->valid_until_us;
    bid->capacity = answer->capacity;
    bid->estimate_micro = answer->estimate_micro;
    bid->nonce = answer->nonce;
    task->round.standing += is_standing ? 1u : 0u;
    task->round.standing -= was_standing ? 1u : 0u;
    if (is_standing) {
        bid->is_counted = true;
        book->roster.peers[peer].invitations++;
        roster_update(&book->roster, peer);
    } else {
        book_uncount(book, bid);
    }
    return bid;
}

static int apply_answered(struct book *book, struct task *task, const struct entry *entry)
{
    if (entry->answered.round != task->round.number) {
        return TENDER_EPROTOCOL;
    }
    for (size_t i = 0; i < entry->answered.answers.count; i++) {
        const struct entry_answer *answer = &entry->answered.answers.items[i];
        uint32_t peer = book_named_peer(book, answer->contractor, answer->principal);
        if (peer == 0) {
            return TENDER_ELIMIT;
        }
        struct bid *bid = book->is_recalling ? recalled_bid(book, task, peer, answer)
                                             : book_find_bid(book, task, peer);
        if (bid == NULL) {
            return TENDER_ELIMIT;
        }
        bid->recorded = answer->state;
        book_enter_bid(task, bid);
        if (bid->valid_until_us != 0) {
            bid->valid_until_us = book_moved(book, task, entry->at_us, bid->valid_until_us);
        }
    }
    return 0;
}

int book_apply_ranks(struct book *book, struct task *task, const struct entry_ranks *ranks)
{
    for (size_t i = 0; i < ranks->count; i++) {
        const struct entry_rank *rank = &ranks->items[i];
        uint32_t peer = roster_find(&book->roster, rank->contractor);
        struct bid *bid = peer == 0 ? NULL : book_find_bid(book, task, peer);
        if (bid == NULL || (int)bid_next(bid->state, bid_event_to(rank->state)) == 0) {
            return TENDER_EPROTOCOL;
        }
        bid_move(&bid->state, bid_event_to(rank->state));
        bid->recorded = bid->state;
        bid->reason = rank->reason;
        bid->rank = (uint32_t)rank->rank;
    }
    return 0;
}

/* Rounds that end so decided nothing, and are not one of the task's `rounds`. */
static bool is_uncounted(tender_reason reason)
{
    return reason == TENDER_REASON_GOAL_SUSPENDED || reason == TENDER_REASON_RESOURCE_TAKEN ||
           reason == TENDER_REASON_IMPROVING || reason == TENDER_REASON_ADOPTED;
}

static int apply_closed(struct book *book, struct task *task, const struct entry *entry)
{
    const struct entry_closed *closed = &entry->closed;
    if (task->phase != PHASE_WINDOW || closed->round != task->round.number) {
        return TENDER_EPROTOCOL;
    }
    int status = book_apply_ranks(book, task, &closed->ranks);
    if (is_uncounted(closed->reason)) {
        if (book_need_extra(book, task) != 0) {
            return TENDER_ELIMIT;
        }
        task_extra(book, task)->uncounted++;
    }
    if (status == 0 && closed->reason == TENDER_REASON_IMPROVING) {
        status = book_apply_improving(book, task, &closed->ranks);
    } else if (task->extra != 0) {
        book_drop_leads(book, task_extra(book, task));
    }
    task->reopens_at_us = closed->reopens_at_us == 0
                              ? 0
                              : book_moved(book, task, entry->at_us, closed->reopens_at_us);
    enum phase rest = task_has_parts(book, task) ? PHASE_PARTS : PHASE_IDLE;
    book_leave_window(book, task, closed->reopens_at_us == 0 ? rest : PHASE_BACKOFF);
    task->split = 0;
    book_clear_bids(book, task);
    return status;
}

void book_finish(struct book *book, struct task *task, tender_task_state state,
                 tender_reason reason, int64_t at_us)
{
    assert(!task_has_parts(book, task));
    task_move(&task->state, task_event_to(state));
    task->reason = reason;
    task->reopens_at_us = 0;
    book_leave_window(book, task, PHASE_ENDED);
    book_clear_bids(book, task);
    arena_drop(&book->arena, task->content);
    task->content = NULL;
    book->tasks_open--;
    account_count(&book->accounts, task->account, &(struct account_counts){.tasks = -1});
    if (task->pasts != 0 && !book->is_recalling) {
        book_note_failures(book, task);
    }
    if (task->dependents != 0) {
        book_release_dependents(book, task);
    }
    if (task->extra != 0) {
        book_drop_extra(book, task);
    }
    book_append_ended(book, task, at_us);
    if (!book->is_recalling) {
        account_return(&book->accounts.items[task->account],
                       task->ceiling_micro - task->paid_micro);
    }
}

static int apply_ended(struct book *book, struct task *task, const struct entry *entry)
{
    const struct entry_ended *ended = &entry->ended;
    if ((int)task_next(task->state, task_event_to(ended->state)) == 0) {
        return TENDER_EPROTOCOL;
    }
    book_finish(book, task, ended->state, ended->reason, entry->at_us);
    return 0;
}

int book_apply(struct book *book, struct task *task, const struct entry *entry)
{
    typedef int apply_function(struct book *, struct task *, const struct entry *);
    static apply_function *const functions[] = {
        [ENTRY_ANNOUNCED] = apply_announced,
        [ENTRY_OPENED] = apply_opened,
        [ENTRY_ANSWERED] = apply_answered,
        [ENTRY_AWARDED] = book_apply_awarded,
        [ENTRY_CLOSED] = apply_closed,
        [ENTRY_ACKNOWLEDGED] = book_apply_acknowledged,
        [ENTRY_PROGRESSED] = book_apply_progressed,
        [ENTRY_SETTLED] = book_apply_settled,
        [ENTRY_COVERED] = book_apply_covered,
        [ENTRY_LATE] = book_apply_late,
        [ENTRY_HELD] = book_apply_held,
        [ENTRY_RELEASED] = book_apply_released,
        [ENTRY_ENDED] = apply_ended,
        [ENTRY_ASSIGNED] = book_apply_assigned,
        [ENTRY_DELIVERED] = book_apply_delivered,
        [ENTRY_ADOPTED] = book_apply_adopted,
        [ENTRY_BELIEVED] = book_apply_believed,
        [ENTRY_UNBLOCKED] = book_apply_unblocked,
    };
    if ((size_t)entry->kind >= sizeof functions / sizeof functions[0] ||
        functions[entry->kind] == NULL) {
        return TENDER_EPROTOCOL;
    }
    int status = book_part_of(entry) != 0 ? book_apply_part(book, task, entry)
                                          : functions[entry->kind](book, task, entry);
    if (status == 0) {
        task->number = entry->number;
        task->head = entry->hash;
        task->entered_at_us = entry->at_us;
    }
    return status;
}
