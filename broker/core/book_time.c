/*
 * Time in the book: when each task and peer must be looked at, what is handled when that time has
 * come, and how a recess moves it. A task has one place in the calendar, at the earliest of its
 * deadlines; what exactly is due is decided by the stamp.
 */
#include "book_internal.h"

#include <assert.h>
#include <string.h>

/* In time is at or before due; so what is due is acted on one microsecond later. */
static int64_t after(int64_t instant_us)
{
    return instant_us == TENDER_NEVER ? TENDER_NEVER : instant_us + 1;
}

static int64_t earlier(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

static int64_t later(int64_t left, int64_t right)
{
    return left > right ? left : right;
}

static int64_t promise_wake(const struct task *task)
{
    int64_t wake = after(task->commitment.due_at_us);
    return task->phase == PHASE_STANDBY ? earlier(wake, after(task->commitment.ack_by_us)) : wake;
}

/* A round that would close at the deadline or later is not opened, nor one of a suspended goal. */
static int64_t backoff_wake(const struct book *book, const struct task *task)
{
    int64_t suspended_us = task->extra != 0 ? book_goal_suspended(book, task) : 0;
    if (task->extra != 0 && book_goal_ended(book, task) != TENDER_REASON_NONE) {
        return TENDER_NEVER; /* it is stopped */
    }
    int64_t reopens_at = later(task->reopens_at_us, suspended_us);
    int64_t opens_at = later(reopens_at, book->now_us);
    return opens_at < task->deadline_at_us - task->window_us ? reopens_at : TENDER_NEVER;
}

/* What no part has waits for the end of a hold, and otherwise for that of a part. */
static int64_t parts_wake(const struct book *book, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    bool is_held = extra->hold != TENDER_REASON_NONE && task_left(book, task) > 0;
    return is_held ? extra->hold_until_us : TENDER_NEVER;
}

int64_t book_task_wake(const struct book *book, const struct task *task)
{
    /* Parts end by themselves, and then the task is looked at. */
    int64_t end = task_has_parts(book, task) ? TENDER_NEVER : after(task->deadline_at_us);
    switch (task->phase) {
    case PHASE_WINDOW:
        return earlier(task->round.closes_at_us, end);
    case PHASE_BACKOFF:
        return earlier(backoff_wake(book, task), end);
    case PHASE_HELD:
        return task->reopens_at_us != 0 ? earlier(task->reopens_at_us, end) : end;
    case PHASE_IDLE:
        return end;
    case PHASE_PARTS:
        return parts_wake(book, task);
    case PHASE_BLOCKED:
        return book_may_unblock(book, task) ? book->now_us : end;
    case PHASE_DELIVERED: {
        const struct delivery *delivery = pool_at(&book->deliveries, task->commitment.delivery);
        return after(delivery->accept_by_us);
    }
    case PHASE_STANDBY:
    case PHASE_WORK:
        return earlier(promise_wake(task), book_owner_silent_at(book, task));
    case PHASE_FREE:
    case PHASE_ENDED:
        break;
    }
    return TENDER_NEVER;
}

static uint64_t tie_of(tender_id id)
{
    uint64_t tie = 0;
    for (int i = 0; i < 8; i++) {
        tie = tie << 8 | id.bytes[i];
    }
    return tie;
}

void book_arm_task(struct book *book, struct task *task)
{
    watcher_set(&book->watcher, book_task_number(book, task), book_task_wake(book, task),
                tie_of(task->id) + task->part);
}

static int64_t silent_at(const struct book *book, const struct peer *peer)
{
    int64_t heard =
        peer->heard_at_us > book->heard_floor_us ? peer->heard_at_us : book->heard_floor_us;
    return heard + 3 * peer->heartbeat_us + 1;
}

/* Only when it is not armed: hearing a peer moves nothing, the calendar looks again by itself. */
void book_arm_peer(struct book *book, uint32_t number)
{
    const struct peer *peer = &book->roster.peers[number];
    uint32_t object = book->limits.task_count + number;
    bool is_watched = peer->is_used && (peer->is_alive || (peer->houses != 0 && !peer->is_present));
    if (!is_watched) {
        watcher_set(&book->watcher, object, TENDER_NEVER, 0);
    } else if (watcher_time(&book->watcher, object) == TENDER_NEVER) {
        watcher_set(&book->watcher, object, silent_at(book, peer), number);
    }
}

static void check_peer(struct book *book, uint32_t number)
{
    const struct peer *peer = &book->roster.peers[number];
    watcher_set(&book->watcher, book->limits.task_count + number, TENDER_NEVER, 0);
    if (silent_at(book, peer) <= book->now_us) {
        book_silence(book, number);
    }
    book_arm_peer(book, number);
}

static void handle_due(struct book *book, struct task *task)
{
    static const tender_bytes nothing;
    switch (task->phase) {
    case PHASE_WINDOW:
        if (task->round.closes_at_us <= book->now_us) {
            book_close_round(book, task);
            return;
        }
        break;
    case PHASE_BACKOFF:
        if (book->now_us <= task->deadline_at_us) {
            book_open_round(book, task, false);
            return;
        }
        break;
    case PHASE_STANDBY:
    case PHASE_WORK:
        book_lapse(book, task);
        return;
    case PHASE_HELD:
        if (book->now_us <= task->deadline_at_us) {
            book_release_due(book, task);
            return;
        }
        break;
    case PHASE_PARTS:
        book_release_due(book, task);
        return;
    case PHASE_DELIVERED:
        book_accept_by_silence(book, task);
        return;
    case PHASE_BLOCKED:
        if (book_unblock(book, task)) {
            return;
        }
        break;
    default:
        break;
    }
    book_end_task(book, task, TENDER_TASK_UNALLOCATED, TENDER_REASON_DEADLINE_PASSED, nothing);
}

/*
 * In a turn the owner's own message may lie behind the one that is being heard: so its silence
 * counts only at the turn's end. What it says past `due` or `ack_by` is late wherever it lies.
 */
static bool is_due(const struct book *book, const struct task *task)
{
    bool is_work = task->phase == PHASE_STANDBY || task->phase == PHASE_WORK;
    bool is_within_turn = book->event->kind == EVENT_MESSAGE;
    int64_t wake = is_work && is_within_turn ? promise_wake(task) : book_task_wake(book, task);
    return wake <= book->now_us;
}

void book_catch_up(struct book *book, struct task *task)
{
    while (is_due(book, task)) {
        handle_due(book, task);
    }
    book_arm_task(book, task);
}

bool book_is_overdue(const struct book *book)
{
    return book->dirty_first != 0 || book->stopping != 0 || book->ripe_count != 0 ||
           (book->roster.behind.count > 0 && book_has_bid_room(book));
}

static void forget_ended(struct book *book)
{
    for (uint32_t i = 0; i < book->limits.deadlines_per_tick && book->ended_first != 0; i++) {
        struct task *task = book_task(book, book->ended_first);
        int64_t forget_at = task->ended_at_us + book->limits.keep_ended_us;
        if (!book_may_forget(book, forget_at)) {
            bool is_early = forget_at > book->now_us;
            book->forgets_from_us = is_early ? forget_at : book->now_us + FORGET_RETRY_US;
            return;
        }
        book_forget_task(book, task);
    }
}

/* An answer that the ledger gave before it held the end of a task may still be on its way. */
static void note_committed(struct book *book)
{
    int64_t committed_us = book->event->committed_us;
    if (committed_us == 0) {
        return;
    }
    if (book->committed_us == 0) {
        book->committed_us = 1; /* known: nothing yet */
        book->sampled_us = committed_us;
        book->sampled_at_us = book->now_us;
    } else if (book->now_us - book->sampled_at_us >= FORGET_LAG_US) {
        book->committed_us = book->sampled_us;
        book->sampled_us = committed_us;
        book->sampled_at_us = book->now_us;
    }
}

void book_tick(struct book *book)
{
    note_committed(book);
    book_record_all_answers(book);
    uint32_t object = 0;
    for (uint32_t i = 0; i < book->limits.deadlines_per_tick && book_has_room(book); i++) {
        if (watcher_next(&book->watcher, &object) > book->now_us) {
            break;
        }
        if (object <= book->limits.task_count) {
            book_catch_up(book, book_task(book, object));
        } else {
            check_peer(book, object - book->limits.task_count);
        }
    }
    if (book->stopping != 0) {
        book_stop_some(book);
    }
    if (book->ripe_count != 0) {
        book_record_quarantines(book);
    }
    if (book->bars.used_count != 0) {
        book_end_bars(book);
    }
    forget_ended(book);
}

static void move(int64_t *deadline_us, const struct event *event)
{
    if (*deadline_us >= event->from_us && *deadline_us < event->until_us) {
        *deadline_us = event->until_us;
    }
}

static void move_task(struct book *book, struct task *task, const struct event *event)
{
    move(&task->deadline_at_us, event);
    if (task->phase == PHASE_BACKOFF) {
        move(&task->reopens_at_us, event);
    }
    if (task->round.number > 0) {
        move(&task->round.closes_at_us, event);
    }
    if ((int)task->commitment.state != 0) {
        move(&task->commitment.due_at_us, event);
        move(&task->commitment.ack_by_us, event);
    }
    if (task->phase == PHASE_DELIVERED) {
        struct delivery *delivery = pool_at(&book->deliveries, task->commitment.delivery);
        move(&delivery->accept_by_us, event);
    }
    for (uint32_t at = task->bids; at != 0; at = book->bids[at].next) {
        if (book->bids[at].valid_until_us != 0 && (int)book->bids[at].recorded != 0) {
            move(&book->bids[at].valid_until_us, event);
        }
    }
}

/* Into the house of each shard that it concerns. */
static void note_recess(struct book *book, const struct recess *recess)
{
    for (uint64_t left = recess->shards; left != 0;) {
        struct entry *entry = book_note_house(book, shard_take(&left), ENTRY_RECESS);
        entry->recess =
            (struct entry_recess){.from_us = recess->from_us, .until_us = recess->until_us};
        book_record(book, NULL, entry);
    }
}

/* The one event that looks at every task: it comes after a restart or a stall, not with the load.
 */
void book_hear_recess(struct book *book, const struct event *event)
{
    book_record_all_answers(book);
    if (book->last_entry_us == book->now_us) {
        book->now_us++; /* recall tells by the stamps what was there before the recess */
    }
    struct recess recess = {
        .shards = event->shards != 0 ? event->shards : book->limits.shards,
        .at_us = book->now_us,
        .from_us = event->from_us,
        .until_us = event->until_us,
    };
    note_recess(book, &recess);
    book_add_recess(book, &recess);
    for (uint32_t number = 1; number <= book->tasks_used; number++) {
        struct task *task = book_task(book, number);
        if (task->phase != PHASE_FREE && task->phase != PHASE_ENDED &&
            shard_is_in(recess.shards, book_shard(book, task))) {
            move_task(book, task, event);
            book_arm_task(book, task);
        }
    }
}
