/*
 * Goals: the tasks of an account that go on under one name. A goal begins with the first and is
 * forgotten with the last. What its client believes ends it: one entry bars its awards at once, and
 * its tasks are stopped a bounded number in a turn. What another member believes suspends its
 * awards until the client has spoken, or a time has passed. Who may say so is book_believe.c's.
 *
 * A belief holds while a task of the goal goes on that was announced before it; so what the ledger
 * says of a name is never taken for what is believed of a later goal of the same name.
 */
#include "book_internal.h"

#include <assert.h>
#include <string.h>

struct goal_name {
    uint32_t account;
    tender_bytes name;
};

static tender_bytes name_of(const struct goal *goal)
{
    return (tender_bytes){goal->name, goal->name_size};
}

static uint64_t hash_goal(const struct goal_name *key)
{
    return table_hash((uint64_t)key->account << 8 | 5, key->name.data, key->name.size);
}

static bool has_name(const void *context, uint32_t object, const void *key)
{
    const struct book *book = context;
    const struct goal *goal = pool_at(&book->goals, object);
    const struct goal_name *name = key;
    return goal->account == name->account && bytes_equal(name_of(goal), name->name);
}

struct goal *book_find_goal(const struct book *book, uint32_t account, tender_bytes name)
{
    struct goal_name key = {account, name};
    uint32_t number =
        account == 0 ? 0 : table_find(&book->goal_by_name, hash_goal(&key), has_name, &key, book);
    return number == 0 ? NULL : pool_at(&book->goals, number);
}

struct goal *book_goal_of(const struct book *book, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    return extra == NULL || extra->goal == 0 ? NULL : pool_at(&book->goals, extra->goal);
}

/* Found or made; NULL when there is no room. */
static struct goal *open_goal(struct book *book, uint32_t account, tender_bytes name)
{
    struct goal *goal = book_find_goal(book, account, name);
    uint32_t number = goal != NULL ? 0 : pool_new(&book->goals);
    if (number == 0) {
        return goal;
    }
    struct goal_name key = {account, name};
    goal = pool_at(&book->goals, number);
    goal->account = account;
    goal->name_size = (uint8_t)name.size;
    memcpy(goal->name, name.data, name.size);
    table_insert(&book->goal_by_name, hash_goal(&key), number);
    account_refer(&book->accounts, account);
    return goal;
}

static void close_goal(struct book *book, struct goal *goal)
{
    struct goal_name key = {goal->account, name_of(goal)};
    uint32_t number = pool_number(&book->goals, goal);
    table_remove(&book->goal_by_name, hash_goal(&key), number);
    account_drop(&book->accounts, goal->account);
    goal->account = 0;
    pool_give(&book->goals, number);
}

static bool is_older(const struct goal *goal, const struct task *task)
{
    return goal->believed_at_us != 0 && task->announced_at_us <= goal->believed_at_us;
}

tender_reason goal_ended(const struct goal *goal)
{
    bool is_final = goal->older_count > 0 && goal->suspended_until_us == 0;
    return is_final ? goal->belief : TENDER_REASON_NONE;
}

int64_t goal_suspended(const struct goal *goal)
{
    return goal->older_count > 0 ? goal->suspended_until_us : 0;
}

tender_reason book_judge_goal(const struct book *book, const struct entry_announced *terms,
                              const char **field_out)
{
    uint32_t account = account_find(&book->accounts, terms->principal);
    const struct goal *goal =
        terms->goal.size > 0 ? book_find_goal(book, account, terms->goal) : NULL;
    bool is_over = goal != NULL && goal_ended(goal) != TENDER_REASON_NONE;
    *field_out = is_over ? "goal" : NULL;
    return is_over ? TENDER_REASON_GOAL_OVER : TENDER_REASON_NONE;
}

bool book_has_goal_room(const struct book *book, const struct entry_announced *terms)
{
    uint32_t account = account_find(&book->accounts, terms->principal);
    return terms->goal.size == 0 || pool_has_room(&book->goals, 1) ||
           book_find_goal(book, account, terms->goal) != NULL;
}

int book_join_goal(struct book *book, struct task *task, tender_bytes name)
{
    struct extra *extra = task_extra(book, task);
    struct goal *goal = open_goal(book, task->account, name);
    uint32_t number = book_task_number(book, task);
    if (goal == NULL) {
        return TENDER_ELIMIT;
    }
    extra->goal = pool_number(&book->goals, goal);
    extra->goal_next = goal->tasks;
    if (goal->tasks != 0) {
        task_extra(book, &book->tasks[goal->tasks])->goal_previous = number;
    }
    goal->tasks = number;
    goal->task_count++;
    goal->older_count += is_older(goal, task);
    return 0;
}

/* Rounds that waited for the client's word may wait for another time now. */
static void rearm(struct book *book, const struct goal *goal)
{
    for (uint32_t at = goal->tasks; at != 0;) {
        struct task *task = book_task(book, at);
        at = task_extra(book, task)->goal_next;
        book_arm_task(book, task);
    }
}

static void unlink_task(struct book *book, struct goal *goal, struct extra *extra, uint32_t number)
{
    if (extra->goal_next != 0) {
        task_extra(book, &book->tasks[extra->goal_next])->goal_previous = extra->goal_previous;
    }
    if (extra->goal_previous != 0) {
        task_extra(book, &book->tasks[extra->goal_previous])->goal_next = extra->goal_next;
    } else {
        goal->tasks = extra->goal_next;
    }
    if (goal->stop_next == number) {
        goal->stop_next = extra->goal_next;
    }
    extra->goal = 0;
    goal->task_count--;
}

void book_leave_goal(struct book *book, struct task *task)
{
    struct extra *extra = task_extra(book, task);
    struct goal *goal = book_goal_of(book, task);
    if (goal == NULL) {
        return;
    }
    unlink_task(book, goal, extra, book_task_number(book, task));
    if (is_older(goal, task) && --goal->older_count == 0) {
        rearm(book, goal);
    }
    if (goal->task_count == 0 && !goal->is_stopping) {
        close_goal(book, goal);
    }
}

tender_reason book_goal_ended(const struct book *book, const struct task *task)
{
    const struct goal *goal = book_goal_of(book, task);
    return goal == NULL ? TENDER_REASON_NONE : goal_ended(goal);
}

int64_t book_goal_suspended(const struct book *book, const struct task *task)
{
    const struct goal *goal = book_goal_of(book, task);
    return goal == NULL ? 0 : goal_suspended(goal);
}

bool book_goal_bars(const struct book *book, const struct task *task)
{
    return book_goal_ended(book, task) != TENDER_REASON_NONE ||
           book_goal_suspended(book, task) > book->now_us;
}

bool book_close_suspended(struct book *book, struct task *task, uint32_t bid_count)
{
    static const tender_bytes nothing;
    tender_reason ended = book_goal_ended(book, task);
    if (!book_goal_bars(book, task)) {
        return false;
    }
    bool is_over = ended != TENDER_REASON_NONE;
    int64_t wait_us = task->backoff_us > 0 ? task->backoff_us : 1;
    book_disqualify_rest(book, bid_count, TENDER_REASON_GOAL_SUSPENDED);
    book_note_closed(book, task, TENDER_REASON_GOAL_SUSPENDED, bid_count,
                     is_over ? 0 : book->now_us + wait_us);
    if (is_over && !task_has_parts(book, task)) { /* with the last of them the task ends */
        book_end_task(book, task, TENDER_TASK_CANCELLED, ended, nothing);
    }
    return true;
}

/* Its tasks are stopped by the turns that follow. */
static void begin_stopping(struct book *book, struct goal *goal)
{
    if (!goal->is_stopping) {
        goal->is_stopping = true;
        goal->next_stopping = book->stopping;
        book->stopping = pool_number(&book->goals, goal);
    }
    goal->stop_next = goal->tasks;
}

static void end_stopping(struct book *book, struct goal *goal)
{
    book->stopping = goal->next_stopping;
    goal->is_stopping = false;
    goal->next_stopping = 0;
    if (goal->task_count == 0) {
        close_goal(book, goal);
    }
}

int book_apply_goaled(struct book *book, const struct entry *entry)
{
    const struct entry_goaled *goaled = &entry->goaled;
    bool is_valid = goaled->goal.size > 0 && goaled->goal.size <= TENDER_NAME_MAX &&
                    goaled->principal.size > 0 && goaled->principal.size <= TENDER_NAME_MAX;
    if (!is_valid) {
        return TENDER_EPROTOCOL;
    }
    uint32_t account = account_open(&book->accounts, goaled->principal);
    struct goal *goal = account == 0 ? NULL : open_goal(book, account, goaled->goal);
    if (goal == NULL) {
        return TENDER_ELIMIT;
    }
    goal->belief = goaled->belief;
    goal->suspended_until_us = goaled->until_us;
    goal->believed_at_us = entry->at_us;
    goal->older_count = goal->task_count; /* in recall they come later, and count themselves */
    if (book->now_us <= entry->at_us) {
        book->now_us = entry->at_us + 1; /* by its stamp a task is older or not */
    }
    if (goal_ended(goal) != TENDER_REASON_NONE) {
        begin_stopping(book, goal);
    }
    rearm(book, goal);
    return 0;
}

void book_resume_goals(struct book *book)
{
    for (uint32_t number = 1; number <= book->goals.used; number++) {
        struct goal *goal = pool_at(&book->goals, number);
        if (goal->account != 0 && goal->task_count == 0) {
            close_goal(book, goal);
        } else if (goal->account != 0 && goal_ended(goal) != TENDER_REASON_NONE) {
            begin_stopping(book, goal);
        }
    }
}

/*
 * What is delivered waits for the client's word on it, and ends with that; of all others the newest
 * are stopped first, so that those which wait for others end for the goal's reason.
 */
void book_stop_some(struct book *book)
{
    static const tender_bytes nothing;
    for (uint32_t i = 0; i < book->limits.deadlines_per_tick && book_has_room(book); i++) {
        if (book->stopping == 0) {
            return;
        }
        struct goal *goal = pool_at(&book->goals, book->stopping);
        if (goal->stop_next == 0) {
            end_stopping(book, goal);
            continue;
        }
        struct task *task = book_task(book, goal->stop_next);
        tender_reason reason = goal_ended(goal);
        goal->stop_next = task_extra(book, task)->goal_next;
        book_record_answers(book, task);
        if (book_may_withdraw(book, task)) {
            book_withdraw(book, task, reason, nothing);
        } else if (task_has_parts(book, task)) {
            book_stop_parts(book, task, reason, nothing); /* those that await no decision */
        }
    }
}
