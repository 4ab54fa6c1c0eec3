/*
 * Work: acknowledgements, progress, and the one end that every commitment has. Units are cumulative
 * and pay only at the end; a report about what is over is answered, and its result kept.
 */
#include "book_internal.h"

#include <assert.h>
#include <string.h>

/* Under `none` all of them or none. */
int64_t book_accepted_units(const struct book *book, const struct task *task,
                            const struct ending *ending)
{
    int64_t shown = task->extra != 0 ? book_shown_units(book, task, ending) : ending->units_done;
    bool is_all = shown == task->commitment.units;
    bool is_cancelled = ending->state == TENDER_COMMITMENT_CANCELLED;
    return is_all || is_cancelled || task->partial != TENDER_PARTIAL_NONE ? shown : 0;
}

/* When the owner has been unheard for three of the heartbeats that it promised. */
int64_t book_owner_silent_at(const struct book *book, const struct task *task)
{
    if (task->heartbeat_us == 0) {
        return TENDER_NEVER;
    }
    const struct commitment *commitment = &task->commitment;
    int64_t heard = book->roster.peers[commitment->peer].heard_at_us;
    heard = heard > commitment->awarded_at_us ? heard : commitment->awarded_at_us;
    heard = heard > book->heard_floor_us ? heard : book->heard_floor_us;
    return heard + 3 * task->heartbeat_us + 1;
}

/* What an ending pays: for accepted units, and for what a cancel takes away. */
struct payment {
    int64_t paid_micro;
    int64_t fee_micro;
};

static struct payment compute_payment(struct book *book, const struct task *task,
                                      const struct ending *ending, int64_t accepted)
{
    const struct commitment *commitment = &task->commitment;
    struct payment payment = {0, 0};
    bool is_complete = accepted == commitment->units;
    bool is_cancelled = ending->state == TENDER_COMMITMENT_CANCELLED;
    if (task->whole != 0 && !is_complete && !is_cancelled) {
        bool is_pro_rata = task->partial == TENDER_PARTIAL_PRO_RATA;
        payment.paid_micro = is_pro_rata ? book_part_worth(book, task, accepted) : 0;
    } else if (is_complete || is_cancelled || task->partial == TENDER_PARTIAL_PRO_RATA) {
        payment.paid_micro = auction_share(commitment->price_micro, accepted, commitment->units);
    }
    if (is_cancelled) {
        payment.fee_micro = auction_share(commitment->price_micro - payment.paid_micro,
                                          task->kill_fee_ppm, TENDER_PPM);
    }
    payment.paid_micro += payment.fee_micro;
    return payment;
}

/*
 * Failing, lapsing and declining put a principal out of the task; declining a fallback does not,
 * nor what it did not bid for.
 */
static bool excludes(const struct task *task, tender_commitment_state state)
{
    return state == TENDER_COMMITMENT_FAILED || state == TENDER_COMMITMENT_LAPSED ||
           (state == TENDER_COMMITMENT_DECLINED && !task->round.is_fallback &&
            !task->commitment.is_assigned);
}

/* A commitment that ends short and is settled when the rest has ended. */
static bool leaves_cover(const struct book *book, const struct task *task,
                         const struct ending *ending)
{
    int64_t accepted = book_accepted_units(book, task, ending);
    return task->partial == TENDER_PARTIAL_COVER && accepted > 0 &&
           accepted < task->commitment.units &&
           (ending->state == TENDER_COMMITMENT_FAILED || ending->state == TENDER_COMMITMENT_LAPSED);
}

static struct follow_up plan_after(const struct book *book, const struct task *task,
                                   const struct ending *ending)
{
    if (ending->task_reason != TENDER_REASON_NONE) {
        return (struct follow_up){FOLLOW_END, TENDER_TASK_CANCELLED, ending->task_reason, 0};
    }
    int64_t remaining = task_left(book, task) - book_accepted_units(book, task, ending);
    return book_plan(book, task, remaining, true, ending->reason);
}

/* What the owner measured stands beside what it asked for. */
static void note_report(struct entry *entry, const struct commitment *commitment,
                        const struct report *report)
{
    struct entry_settled *settled = &entry->settled;
    settled->evidence = report->evidence;
    settled->size = report->size;
    settled->digest = report->digest;
    settled->tier = report->tier;
    if (report->measured_micro > 0) {
        settled->bid_micro = commitment->cost_micro;
        settled->estimate_micro = commitment->estimate_micro;
        settled->measured_micro = report->measured_micro;
    }
}

struct entry *book_note_settled(struct book *book, struct task *task, const struct ending *ending)
{
    int64_t accepted = book_accepted_units(book, task, ending);
    struct payment payment = compute_payment(book, task, ending, accepted);
    struct entry *entry = book_note(book, task, ENTRY_SETTLED);
    entry->settled = (struct entry_settled){
        .part = task->part,
        .generation = task->commitment.generation,
        .contractor = peer_name(&book->roster, task->commitment.peer),
        .principal = account_name(&book->accounts, task->commitment.principal),
        .state = ending->state,
        .reason = ending->reason,
        .said = ending->said,
        .text = ending->text,
        .units_done = accepted,
        .paid_micro = payment.paid_micro,
        .fee_micro = payment.fee_micro,
        .excluded = excludes(task, ending->state),
        .acknowledged = ending->is_acknowledged && !task->commitment.is_acknowledged,
        .freed = task->commitment.has_held,
        .reported = accepted != ending->units_done ? ending->units_done : 0,
    };
    note_report(entry, &task->commitment, &ending->report);
    book_attach(book, entry, ending->content, &entry->settled.content_size,
                &entry->settled.content_digest);
    return entry;
}

/* Its owner hears what became of it: the answer to its report, or the order to stop. */
static void tell_owner(struct book *book, struct task *task, bool is_reported)
{
    const struct past *past = &book->pasts[task->pasts];
    if (is_reported) {
        book_tell_settled(book, task, past);
    } else {
        book_tell_stop(book, task, past);
    }
}

/*
 * The commitment ends. Where the task ends with it, one entry says both; a runner-up takes over
 * from a winner that breached; otherwise the rest is announced again.
 */
void book_settle(struct book *book, struct task *task, const struct ending *ending)
{
    if (task->whole != 0) {
        book_settle_part(book, task, ending);
        return;
    }
    book_record_answers(book, task);
    struct follow_up plan = plan_after(book, task, ending);
    bool is_taken = ending->is_acknowledged || task->commitment.is_acknowledged;
    bool is_breach = ending->state == TENDER_COMMITMENT_DECLINED;
    bool ends_task = plan.kind == FOLLOW_END && !is_breach && !leaves_cover(book, task, ending) &&
                     !book_has_covers(book, task);
    struct entry *entry = book_note_settled(book, task, ending);
    if (ends_task) {
        entry->settled.task_state = plan.state;
        entry->settled.task_reason = plan.reason;
        entry->settled.released_micro =
            task->ceiling_micro - task->paid_micro - entry->settled.paid_micro;
    }
    if (is_taken || !is_breach) {
        book_reject_standing(book, task);
    }
    book_record(book, task, entry);
    tell_owner(book, task, ending->is_reported);
    book_tell_state(book, task);
    if (ends_task) {
        return;
    }
    uint32_t runner_up = is_breach && book_can_award(book, task) ? book_runner_up(book, task) : 0;
    if (runner_up != 0) {
        book_award_runner_up(book, task, runner_up);
        return;
    }
    if (is_breach) {
        book_reject_standing(book, task);
    }
    if (ending->task_reason == TENDER_REASON_NONE) {
        /* again, now that its principal is out: it may be the fallback's */
        plan = book_plan(book, task, task_left(book, task), true, ending->reason);
    }
    book_carry_on(book, task, plan);
}

/* The earliest of what a commitment has missed. */
void book_lapse(struct book *book, struct task *task)
{
    const struct commitment *commitment = &task->commitment;
    struct ending ending = {.state = TENDER_COMMITMENT_LAPSED,
                            .reason = TENDER_REASON_DUE_PASSED,
                            .units_done = commitment->units_done};
    int64_t silent_at = book_owner_silent_at(book, task);
    bool is_unacknowledged = task->phase == PHASE_STANDBY && commitment->ack_by_us < book->now_us;
    if (is_unacknowledged) {
        ending.state = TENDER_COMMITMENT_DECLINED;
        ending.reason = TENDER_REASON_NOT_ACKNOWLEDGED;
    } else if (silent_at <= commitment->due_at_us && silent_at <= book->now_us) {
        ending.reason = TENDER_REASON_HEARTBEAT_MISSED;
    }
    book_settle(book, task, &ending);
}

tender_bytes book_said_text(struct book *book, const struct message *said)
{
    return message_has(said, MESSAGE_TEXT) ? book_keep(book, said->text) : (tender_bytes){NULL, 0};
}

static tender_bytes said_content(struct book *book, const struct message *said)
{
    return message_has(said, MESSAGE_CONTENT) ? book_keep(book, said->content)
                                              : (tender_bytes){NULL, 0};
}

struct report book_read_report(struct book *book, const struct message *said)
{
    static const message_mask fields = MESSAGE_BIT(MESSAGE_EVIDENCE) | MESSAGE_BIT(MESSAGE_SIZE) |
                                       MESSAGE_BIT(MESSAGE_DIGEST) | MESSAGE_BIT(MESSAGE_COST) |
                                       MESSAGE_BIT(MESSAGE_TIER);
    struct report report = {0};
    if ((said->present & fields) == 0) {
        return report;
    }
    if (message_has(said, MESSAGE_EVIDENCE)) {
        report.evidence = book_keep(book, said->evidence);
    }
    if (message_has(said, MESSAGE_TIER)) {
        report.tier = book_keep(book, said->tier);
    }
    if (message_has(said, MESSAGE_SIZE) && message_has(said, MESSAGE_DIGEST)) {
        report.size = said->size;
        report.digest = said->digest;
    }
    bool is_measured = message_has(said, MESSAGE_COST) && said->cost_micro <= TENDER_MONEY_MAX;
    report.measured_micro = is_measured ? said->cost_micro : 0;
    return report;
}

static bool is_same_ending(const struct past *past, tender_performative performative)
{
    if (performative == TENDER_INFORM_DONE) {
        return past->state == TENDER_COMMITMENT_FULFILLED || past->reason == TENDER_REASON_REJECTED;
    }
    return performative == TENDER_FAILURE &&
           (past->state == TENDER_COMMITMENT_FAILED || past->reason == TENDER_REASON_DECLINED);
}

static void keep_late(struct book *book, struct task *task, const struct event *event,
                      struct past *past, tender_reason reason)
{
    const struct message *said = event->message;
    if (past->late_count >= LATE_RESULTS_MAX) {
        return;
    }
    struct entry *entry = book_note(book, task, ENTRY_LATE);
    struct report report = book_read_report(book, said);
    entry->late = (struct entry_late){
        .part = past->part,
        .generation = past->generation,
        .contractor = peer_name(&book->roster, past->peer),
        .units_done = said->units_done,
        .reason = reason,
        .text = book_said_text(book, said),
        .evidence = report.evidence,
        .size = report.size,
        .digest = report.digest,
    };
    book_attach(book, entry,
                message_has(said, MESSAGE_CONTENT) ? said->content : (tender_bytes){NULL, 0},
                &entry->late.content_size, &entry->late.content_digest);
    book_record(book, task, entry);
    if (task->phase != PHASE_ENDED) {
        book_tell_late(book, task, past, entry);
    }
}

/*
 * A report about a commitment that is over changes nothing. The same ending said again is answered
 * as before; any other is answered with what is wrong, and its result kept, unpaid.
 */
static void hear_late(struct book *book, struct task *task, const struct event *event,
                      uint32_t peer)
{
    const struct message *said = event->message;
    uint32_t part = message_has(said, MESSAGE_PART) ? (uint32_t)said->part : 0;
    struct past *past = book_find_past(book, task, part, (uint32_t)said->generation);
    if (past == NULL || past->peer != peer) {
        bool is_future = past == NULL && said->generation > (int64_t)task->commitment.generation;
        book_not_understood(book, event,
                            is_future ? TENDER_REASON_STALE_GENERATION : TENDER_REASON_NOT_YOURS,
                            "generation");
        return;
    }
    if (is_same_ending(past, said->performative)) {
        book_tell_settled(book, task, past);
        return;
    }
    tender_reason reason =
        task->is_husk || part > 0 || past->generation == task->commitment.generation
            ? TENDER_REASON_ALREADY_ENDED
            : TENDER_REASON_STALE_GENERATION;
    if (said->performative != TENDER_ACKNOWLEDGE) {
        keep_late(book, task, event, past, reason);
    }
    book_not_understood(book, event, reason, "generation");
}

/* The task whose active commitment the peer speaks of; NULL after answering all other cases. */
static struct task *own_award(struct book *book, const struct event *event, uint32_t peer)
{
    const struct message *said = event->message;
    struct task *task = peer == 0 ? NULL : book_named_task(book, event);
    if (task == NULL) {
        return NULL;
    }
    int64_t named = message_has(said, MESSAGE_PART) ? said->part : 0;
    struct task *part = book_find_part(book, task, named);
    if (part != NULL && part != task) {
        book_catch_up(book, part);
        part = book_find_part(book, task, named); /* it may have ended by that */
    }
    bool is_current = part != NULL && phase_is_owned(part->phase) &&
                      said->generation == (int64_t)part->commitment.generation;
    if (!is_current) {
        hear_late(book, task, event, peer);
        return NULL;
    }
    if (part->commitment.peer != peer) {
        book_not_understood(book, event, TENDER_REASON_NOT_YOURS, "generation");
        return NULL;
    }
    if (part->phase == PHASE_DELIVERED) {
        book_hear_delivered(book, part, event);
        return NULL;
    }
    return part;
}

void book_hear_acknowledge(struct book *book, const struct event *event, uint32_t peer)
{
    struct task *task = own_award(book, event, peer);
    if (task != NULL && !task->commitment.is_acknowledged) {
        book_acknowledge(book, task);
    }
}

static void hear_progress(struct book *book, struct task *task, const struct message *said)
{
    if (!task->commitment.is_acknowledged) {
        book_acknowledge(book, task);
    }
    tender_bytes text = book_said_text(book, said);
    bool has_content = message_has(said, MESSAGE_CONTENT) && said->content.size > 0;
    if (said->units_done == task->commitment.units_done && !has_content && text.size == 0) {
        return; /* nothing new but that it lives */
    }
    struct entry *entry = book_note(book, task, ENTRY_PROGRESSED);
    entry->progressed = (struct entry_progressed){
        .part = task->part,
        .generation = task->commitment.generation,
        .units_done = said->units_done,
        .text = text,
    };
    book_attach(book, entry, has_content ? said->content : (tender_bytes){NULL, 0},
                &entry->progressed.content_size, &entry->progressed.content_digest);
    book_record(book, task, entry);
    book_pass_on(book, task, said, text,
                 book_is_withheld(book, task) ? (tender_bytes){NULL, 0} : entry->content);
}

/* An ending short of what was awarded, or of what the task requires to be shown. */
static void fail(struct book *book, const struct task *task, const struct message *said,
                 struct ending *ending)
{
    const char *missing = NULL;
    bool has_reason = tender_reason_name((tender_reason)said->reason) != NULL;
    ending->said = has_reason ? (tender_reason)said->reason : TENDER_REASON_OTHER;
    ending->has_evidence = task->extra != 0 && book_has_evidence(book, task, said, &missing);
    if (said->units_done == task->commitment.units &&
        (task->extra == 0 || book_shown_units(book, task, ending) == said->units_done)) {
        return;
    }
    bool is_declined = !task->commitment.is_acknowledged && said->units_done == 0;
    ending->state = is_declined ? TENDER_COMMITMENT_DECLINED : TENDER_COMMITMENT_FAILED;
    ending->reason = is_declined ? TENDER_REASON_DECLINED : TENDER_REASON_CONTRACTOR_FAILED;
    ending->is_acknowledged = !is_declined;
}

static void hear_ending(struct book *book, struct task *task, const struct message *said)
{
    struct ending ending = {
        .state = TENDER_COMMITMENT_FULFILLED,
        .reason = TENDER_REASON_COMPLETED,
        .text = book_said_text(book, said),
        .content = said_content(book, said),
        .report = book_read_report(book, said),
        .units_done = said->units_done,
        .has_evidence = true,
        .is_acknowledged = true,
        .is_reported = true,
    };
    if (said->performative == TENDER_FAILURE) {
        fail(book, task, said, &ending);
    }
    /* what is not paid for is kept, and told to nobody */
    bool is_paid = book_accepted_units(book, task, &ending) == ending.units_done;
    book_pass_on(book, task, said, ending.text, is_paid ? ending.content : (tender_bytes){NULL, 0});
    book_settle(book, task, &ending);
}

void book_hear_report(struct book *book, const struct event *event, uint32_t peer)
{
    struct task *task = own_award(book, event, peer);
    if (task == NULL) {
        return;
    }
    const struct message *said = event->message;
    const struct commitment *commitment = &task->commitment;
    if (said->units_done < 0 || said->units_done > commitment->units) {
        book_not_understood(book, event, TENDER_REASON_TOO_MANY_UNITS, "units_done");
        return;
    }
    bool is_done = said->performative == TENDER_INFORM_DONE;
    if (said->units_done < commitment->units_done ||
        (is_done && said->units_done < commitment->units)) {
        book_not_understood(book, event, TENDER_REASON_FEWER_UNITS, "units_done");
        return;
    }
    const char *missing = NULL;
    if (said->performative == TENDER_INFORM_PROGRESS) {
        hear_progress(book, task, said);
    } else if (is_done && task->extra != 0 && !book_has_evidence(book, task, said, &missing)) {
        if (!commitment->is_acknowledged) {
            book_acknowledge(book, task); /* it is taken, whatever it lacks */
        }
        book_not_understood(book, event, TENDER_REASON_EVIDENCE_MISSING, missing);
    } else if (is_done && task->extra != 0 && book_is_gated(book, task)) {
        book_deliver(book, task, event);
    } else {
        hear_ending(book, task, said);
    }
}
