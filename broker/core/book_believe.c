/*
 * Beliefs: what a member says of a task or of a goal, what follows from it, and who is told. The
 * client's settles. An owner's about its own task is a report, and passes the gates of reports. One
 * about a goal suspends its awards; any other changes nothing, and is written down and told.
 */
#include "book_internal.h"

#include <assert.h>
#include <string.h>

static bool is_belief(tender_reason reason)
{
    return reason == TENDER_REASON_ACHIEVED || reason == TENDER_REASON_IMPOSSIBLE ||
           reason == TENDER_REASON_IRRELEVANT;
}

/* Who speaks as the owner of a commitment hears of that alone. */
static bool is_from_owner(const struct event *event)
{
    return event->request == 0 && message_has(event->message, MESSAGE_GENERATION);
}

/* The answer just made names the goal that was asked about. */
static void name_goal(struct book *book, const struct event *event)
{
    struct message *answer = &book->effects->tells[book->effects->tell_count - 1].message;
    if (message_has(event->message, MESSAGE_GOAL)) {
        message_set(answer, GOAL, goal, book_keep(book, event->message->goal));
    }
}

static void refuse(struct book *book, const struct event *event, tender_reason reason,
                   const char *field)
{
    if (is_from_owner(event)) {
        book_not_understood(book, event, reason, field);
    } else {
        book_refuse(book, event, reason, field);
        name_goal(book, event);
    }
}

static void agree(struct book *book, const struct event *event, const struct task *task)
{
    if (is_from_owner(event)) {
        return;
    }
    struct message *message = book_reply(book, event, TENDER_AGREE, event->message->conversation);
    if (task != NULL) {
        message_set(message, TASK_STATE, task_state, (int64_t)task->state);
    }
    message_set(message, AT, at_us, book->now_us);
    name_goal(book, event);
}

static bool pays(const struct book *book, uint32_t account, const struct event *event)
{
    return event->is_operator ||
           bytes_equal(account_name(&book->accounts, account), event->principal);
}

static bool holds(const struct task *task, uint32_t account)
{
    return phase_is_owned(task->phase) && task->commitment.principal == account;
}

/* Whether an agent of the account holds a commitment of the task. */
static bool is_owner(const struct book *book, const struct task *task, uint32_t account)
{
    const struct extra *extra = task_extra(book, task);
    bool is_found = holds(task, account);
    for (uint32_t at = extra != NULL ? extra->parts : 0; at != 0 && !is_found;) {
        is_found = holds(&book->tasks[at], account);
        at = book->tasks[at].part_next;
    }
    return is_found;
}

/* Whether an agent of the event's principal holds a commitment in the goal. */
static bool is_member(const struct book *book, const struct goal *goal, const struct event *event)
{
    uint32_t account = account_find(&book->accounts, event->principal);
    for (uint32_t at = account != 0 ? goal->tasks : 0; at != 0;) {
        const struct task *task = &book->tasks[at];
        if (is_owner(book, task, account)) {
            return true;
        }
        at = task_extra(book, task)->goal_next;
    }
    return false;
}

static void fill_belief(struct message *message, const struct entry_goaled *said)
{
    message_set(message, GOAL, goal, said->goal);
    message_set(message, REASON, reason, (int64_t)said->belief);
    if (said->text.size > 0) {
        message_set(message, TEXT, text, said->text);
    }
    if (said->until_us != 0) {
        message_set(message, CLOSES_AT, closes_at_us, said->until_us);
    }
}

/* Tells a member once of what was said of its goal. */
static void tell_member(struct book *book, uint32_t peer, const struct entry_goaled *said)
{
    if (peer == 0 || book->roster.peers[peer].told_belief == book->beliefs) {
        return;
    }
    struct message *message = book_tell_peer(book, peer, TENDER_INFORM, (tender_id){{0}});
    if (message != NULL) {
        book->roster.peers[peer].told_belief = book->beliefs;
        fill_belief(message, said);
        message_set(message, CONTRACTOR, contractor, said->by);
        message_set(message, AT, at_us, book->now_us);
    }
}

/* Clients and owners of the goal's tasks, a bounded number of them; the others see it in SQL. */
static void tell_members(struct book *book, const struct goal *goal,
                         const struct entry_goaled *said)
{
    book->beliefs++;
    size_t first = book->effects->tell_count;
    for (uint32_t at = goal->tasks; at != 0 && book->effects->tell_count - first < RETOLD_MAX;) {
        const struct task *task = &book->tasks[at];
        const struct extra *extra = task_extra(book, task);
        tell_member(book, roster_find(&book->roster, task_client(task)), said);
        if (phase_is_owned(task->phase)) {
            tell_member(book, task->commitment.peer, said);
        }
        for (uint32_t part = extra->parts; part != 0; part = book->tasks[part].part_next) {
            tell_member(book, book->tasks[part].commitment.peer, said);
        }
        at = extra->goal_next;
    }
}

/* The goal that the event names: its principal's own, or that of the task it names. */
static struct goal *named_goal(struct book *book, const struct event *event)
{
    const struct message *said = event->message;
    struct goal *goal = NULL;
    if (tender_id_is_nil(said->conversation)) {
        uint32_t account = account_find(&book->accounts, event->principal);
        goal = book_find_goal(book, account, said->goal);
    } else {
        const struct task *task = book_named_task(book, event);
        if (task == NULL) {
            return NULL;
        }
        goal = book_goal_of(book, task);
        if (goal != NULL && !bytes_equal((tender_bytes){goal->name, goal->name_size}, said->goal)) {
            goal = NULL;
        }
    }
    if (goal == NULL) {
        refuse(book, event, TENDER_REASON_UNKNOWN_GOAL, "goal");
    }
    return goal;
}

/* A suspension begins once; it ends by its time, and the client's word makes room for another. */
static int64_t suspension(const struct book *book, const struct goal *goal)
{
    int64_t until = goal_suspended(goal);
    return until != 0 ? until : book->now_us + SUSPEND_US;
}

static void hear_about_goal(struct book *book, const struct event *event)
{
    struct goal *goal = named_goal(book, event);
    if (goal == NULL) {
        return;
    }
    const struct message *said = event->message;
    bool is_client = pays(book, goal->account, event);
    tender_reason belief = (tender_reason)said->reason;
    tender_reason ended = goal_ended(goal);
    if (!is_client && !is_member(book, goal, event)) {
        refuse(book, event, TENDER_REASON_NOT_MEMBER, NULL);
        return;
    }
    if (ended != TENDER_REASON_NONE && ended != belief) {
        refuse(book, event, TENDER_REASON_GOAL_OVER, NULL);
        return;
    }
    if (belief == TENDER_REASON_NONE && !is_client) {
        refuse(book, event, TENDER_REASON_NOT_YOURS, "reason");
        return;
    }
    if (ended == TENDER_REASON_NONE) {
        struct entry *entry =
            book_note_house(book, book->accounts.items[goal->account].shard, ENTRY_GOALED);
        entry->goaled = (struct entry_goaled){
            .principal = account_name(&book->accounts, goal->account),
            .goal = book_keep(book, said->goal),
            .belief = belief,
            .text = book_said_text(book, said),
            .by = book_keep(book, event->peer),
            .until_us = is_client ? 0 : suspension(book, goal),
        };
        book_record(book, NULL, entry);
        int status = book_apply_goaled(book, entry);
        assert(status == 0);
        (void)status;
        tell_members(book, goal, &entry->goaled);
    }
    agree(book, event, NULL);
}

static void note_belief(struct book *book, struct task *task, const struct event *event,
                        const struct task *owned)
{
    const struct message *said = event->message;
    struct entry *entry = book_note(book, task, ENTRY_BELIEVED);
    entry->believed = (struct entry_believed){
        .by = book_keep(book, event->peer),
        .principal = book_keep(book, event->principal),
        .belief = (tender_reason)said->reason,
        .text = book_said_text(book, said),
        .part = owned != NULL ? (int64_t)owned->part : 0,
        .generation = owned != NULL ? (int64_t)owned->commitment.generation : 0,
    };
    book_record(book, task, entry);
}

/* The commitment of the task that the speaker holds: the one it names, or its first. */
static struct task *own_commitment(struct book *book, struct task *task, const struct event *event,
                                   uint32_t peer)
{
    const struct message *said = event->message;
    const struct extra *extra = task_extra(book, task);
    bool is_named = message_has(said, MESSAGE_PART) || message_has(said, MESSAGE_GENERATION);
    struct task *found = task;
    if (message_has(said, MESSAGE_PART) && said->part > 0) {
        found = book_find_part(book, task, said->part);
    } else if (!is_named && extra != NULL && !phase_is_owned(task->phase)) {
        uint32_t at = extra->parts;
        while (at != 0 && book->tasks[at].commitment.peer != peer) {
            at = book->tasks[at].part_next;
        }
        found = at != 0 ? book_task(book, at) : NULL;
    }
    bool is_own = found != NULL && peer != 0 && phase_is_owned(found->phase) &&
                  found->commitment.peer == peer &&
                  (!message_has(said, MESSAGE_GENERATION) ||
                   said->generation == (int64_t)found->commitment.generation);
    return is_own ? found : NULL;
}

/* What the owner believes, as the report that it is. */
static struct message as_report(const struct message *said, const struct task *owned)
{
    const struct commitment *commitment = &owned->commitment;
    bool is_done = said->reason == (int64_t)TENDER_REASON_ACHIEVED;
    int64_t units_done = is_done ? commitment->units : commitment->units_done;
    struct message report = {
        .performative = is_done ? TENDER_INFORM_DONE : TENDER_FAILURE,
        .conversation = said->conversation,
    };
    if (message_has(said, MESSAGE_UNITS_DONE)) {
        units_done = said->units_done;
    }
    message_set(&report, PART, part, (int64_t)owned->part);
    message_set(&report, GENERATION, generation, (int64_t)commitment->generation);
    message_set(&report, UNITS_DONE, units_done, units_done);
    message_set(&report, REASON, reason, said->reason);
    if (message_has(said, MESSAGE_TEXT)) {
        message_set(&report, TEXT, text, said->text);
    }
    return report;
}

static void hear_owner(struct book *book, struct task *task, struct task *owned,
                       const struct event *event, uint32_t peer)
{
    struct message report = as_report(event->message, owned);
    struct event said = *event;
    const char *field = NULL;
    said.message = &report;
    if (owned->phase == PHASE_DELIVERED) {
        refuse(book, event, TENDER_REASON_AWAITS_DECISION, NULL);
        return;
    }
    if (report.units_done < owned->commitment.units_done ||
        report.units_done > owned->commitment.units ||
        (report.performative == TENDER_INFORM_DONE &&
         report.units_done < owned->commitment.units)) {
        refuse(book, event, TENDER_REASON_OUT_OF_RANGE, "units_done");
        return;
    }
    if (report.performative == TENDER_INFORM_DONE && owned->extra != 0 &&
        !book_has_evidence(book, owned, &report, &field)) {
        refuse(book, event, TENDER_REASON_EVIDENCE_MISSING, field);
        return;
    }
    note_belief(book, task, event, owned);
    book_hear_report(book, &said, peer);
    agree(book, event, task);
}

static void hear_client(struct book *book, struct task *task, const struct event *event)
{
    tender_reason belief = (tender_reason)event->message->reason;
    if (task->phase == PHASE_ENDED) {
        bool is_said = task->state == TENDER_TASK_CANCELLED && task->reason == belief;
        if (is_said) {
            agree(book, event, task);
        } else {
            refuse(book, event, TENDER_REASON_ALREADY_ENDED, NULL);
        }
        return;
    }
    if (!book_may_withdraw(book, task)) {
        refuse(book, event, TENDER_REASON_AWAITS_DECISION, NULL);
        return;
    }
    note_belief(book, task, event, NULL);
    book_withdraw(book, task, belief, book_said_text(book, event->message));
    agree(book, event, task);
}

/* One more that is told, with the words of the belief. */
static void tell_belief(struct book *book, const struct task *task, uint32_t peer,
                        const struct event *event)
{
    struct message *message = book_tell_peer(book, peer, TENDER_INFORM, task->id);
    if (message != NULL) {
        tender_bytes text = book_said_text(book, event->message);
        const struct goal *goal = book_goal_of(book, task);
        tender_bytes name = book_keep(book, (tender_bytes){goal->name, goal->name_size});
        message_set(message, GOAL, goal, name);
        message_set(message, REASON, reason, event->message->reason);
        message_set(message, CONTRACTOR, contractor, book_keep(book, event->peer));
        if (text.size > 0) {
            message_set(message, TEXT, text, text);
        }
        message_set(message, AT, at_us, book->now_us);
    }
}

/* Another member: its belief changes nothing, and those whom it concerns know of it. */
static void hear_member(struct book *book, struct task *task, const struct event *event)
{
    const struct extra *extra = task_extra(book, task);
    note_belief(book, task, event, NULL);
    tell_belief(book, task, roster_find(&book->roster, task_client(task)), event);
    if (phase_is_owned(task->phase)) {
        tell_belief(book, task, task->commitment.peer, event);
    }
    for (uint32_t at = extra->parts; at != 0; at = book->tasks[at].part_next) {
        tell_belief(book, task, book->tasks[at].commitment.peer, event);
    }
    agree(book, event, task);
}

static void hear_about_task(struct book *book, const struct event *event, uint32_t peer)
{
    struct task *task = book_named_task(book, event);
    if (task == NULL) {
        return;
    }
    bool is_over = task->phase == PHASE_ENDED;
    struct task *owned = is_over ? NULL : own_commitment(book, task, event, peer);
    const struct goal *goal = is_over ? NULL : book_goal_of(book, task);
    if (pays(book, task->account, event)) {
        hear_client(book, task, event);
    } else if (owned != NULL) {
        hear_owner(book, task, owned, event, peer);
    } else if (goal != NULL && is_member(book, goal, event)) {
        hear_member(book, task, event);
    } else {
        refuse(book, event, TENDER_REASON_NOT_MEMBER, NULL);
    }
}

void book_hear_believe(struct book *book, const struct event *event, uint32_t peer)
{
    const struct message *said = event->message;
    bool has_goal = message_has(said, MESSAGE_GOAL);
    bool is_lifting = has_goal && said->reason == (int64_t)TENDER_REASON_NONE;
    if (!is_belief((tender_reason)said->reason) && !is_lifting) {
        refuse(book, event, TENDER_REASON_OUT_OF_RANGE, "reason");
    } else if (has_goal) {
        hear_about_goal(book, event);
    } else if (tender_id_is_nil(said->conversation)) {
        refuse(book, event, TENDER_REASON_UNKNOWN_TASK, NULL);
    } else {
        hear_about_task(book, event, peer);
    }
}

void book_hear_goal_query(struct book *book, const struct event *event)
{
    const struct goal *goal = named_goal(book, event);
    if (goal == NULL) {
        return;
    }
    if (!pays(book, goal->account, event) && !is_member(book, goal, event)) {
        refuse(book, event, TENDER_REASON_NOT_MEMBER, NULL);
        return;
    }
    bool is_believed = goal->older_count > 0;
    struct entry_goaled state = {
        .goal = book_keep(book, event->message->goal),
        .belief = is_believed ? goal->belief : TENDER_REASON_NONE,
        .until_us = goal_suspended(goal),
    };
    struct message *inform = book_reply(book, event, TENDER_INFORM, event->message->conversation);
    fill_belief(inform, &state);
    message_set(inform, AT, at_us, book->now_us);
}

int book_apply_believed(struct book *book, struct task *task, const struct entry *entry)
{
    (void)book;
    (void)entry;
    return task->phase != PHASE_ENDED && task->phase != PHASE_FREE ? 0 : TENDER_EPROTOCOL;
}
