/*
 * The auditor's side of the end of a task: when it may come, for what reason, and that nothing of
 * the task is left over.
 */
#include "audit.h"

#include "fail.h"

#include <inttypes.h>

#define END_BOUND_US 1500000 /* a stall that is no recess, and turns */

static void check_end_reason(const struct audit_task *task, const struct entry *entry)
{
    switch ((int)task->end_reason) {
    case TENDER_REASON_DEADLINE_PASSED:
        require(entry->at_us >= task->deadline_us, "I10", "%s ends before its deadline",
                audit_id(task->id));
        break;
    case TENDER_REASON_ROUNDS_EXHAUSTED:
        require(task->round - task->uncounted >= task->rounds_max, "I16",
                "%s ends with rounds left", audit_id(task->id));
        break;
    case TENDER_REASON_NOBODY_LEFT:
        require(task->out_count > 0, "reasons", "nobody left in %s, but nobody is out",
                audit_id(task->id));
        break;
    default:
        break;
    }
    bool is_done = task->end_state == TENDER_TASK_DONE;
    require(is_done == (task->units_done == task->terms.units), "I9",
            "%s ends as %s with %" PRId64 " of %" PRId64 " units", audit_id(task->id),
            tender_task_state_name(task->end_state), task->units_done, task->terms.units);
}

/* Every commitment that ended short under `cover` is settled before the end. */
static void check_covers(const struct audit_task *task)
{
    for (size_t i = 0; i < task->award_count; i++) {
        const struct audit_award *award = &task->awards[i];
        bool is_broken =
            award->state == TENDER_COMMITMENT_FAILED || award->state == TENDER_COMMITMENT_LAPSED;
        require(task->terms.partial != TENDER_PARTIAL_COVER || award->is_covered || !is_broken ||
                    award->units_done == 0 || award->units_done == award->units,
                "I12", "%s ends without covering award %zu", audit_id(task->id), i + 1);
    }
}

/* How long a broker listened between the two: no batch that it wrote lies in a recess. */
static int64_t listened(const struct audit *audit, int64_t from_us, int64_t to_us)
{
    int64_t sum_us = to_us - from_us;
    int64_t until_us = from_us;
    for (size_t i = 0; i < audit->recess_count; i++) {
        int64_t begin_us = audit->recesses[i].from_us;
        int64_t end_us = audit->recesses[i].at_us;
        begin_us = begin_us > until_us ? begin_us : until_us;
        end_us = end_us < to_us ? end_us : to_us;
        sum_us -= end_us > begin_us ? end_us - begin_us : 0;
        until_us = end_us > until_us ? end_us : until_us;
    }
    return sum_us;
}

/* A task ends by its deadline; later only as long as a turn may take, and the pauses behind it. */
static void check_end_time(const struct audit *audit, const struct audit_task *task)
{
    int64_t decided_by_us = task->deadline_us;
    for (size_t i = 0; i < task->award_count; i++) { /* what is delivered outlives the deadline */
        int64_t accept_by_us = task->awards[i].accept_by_us;
        decided_by_us = accept_by_us > decided_by_us ? accept_by_us : decided_by_us;
    }
    bool is_late = decided_by_us + END_BOUND_US < task->ended_at_us &&
                   listened(audit, decided_by_us, task->ended_at_us) > END_BOUND_US;
    require(!is_late, "I16", "%s ends %" PRId64 " us after its deadline", audit_id(task->id),
            task->ended_at_us - decided_by_us);
}

/* The end: nothing is reserved any more, and nothing has been paid beyond the ceiling. */
void audit_end(struct audit *audit, struct audit_task *task, const struct entry *entry,
               tender_task_state state, tender_reason reason, int64_t released_micro)
{
    task->end_state = state;
    task->end_reason = reason;
    task->released_micro = released_micro;
    task->ended_at_us = entry->at_us;
    require(tender_task_state_is_terminal(state), "I9", "%s ends in a state that is no end",
            audit_id(task->id));
    require(reason != TENDER_REASON_NONE, "reasons", "%s ends without a reason",
            audit_id(task->id));
    require(task->paid_micro + released_micro == task->terms.ceiling_micro, "I12",
            "%s: paid %" PRId64 " and released %" PRId64 " are not its ceiling %" PRId64,
            audit_id(task->id), task->paid_micro, released_micro, task->terms.ceiling_micro);
    require(audit_promised(task) == 0, "I9", "%s ends while parts of it go on", audit_id(task->id));
    check_end_reason(task, entry);
    check_covers(task);
    check_end_time(audit, task);
    audit_ended_for_strikes(audit, task, entry->at_us);
    audit_ended_for(audit, task, task->state);
    task->state = AUDIT_OVER;
    audit->tasks_over++;
}
