/* Tasks assigned at a posted rate, and the rounds that sample what an auction would have paid. */
#include "project.h"

static int add_posted(struct batch *batch, const struct posted_row *posted)
{
    struct posted_row *row = rows_add(&batch->posted);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    *row = *posted;
    return 0;
}

int project_assigned(struct batch *batch, const struct entry *entry)
{
    const struct entry_assigned *fact = &entry->assigned;
    struct award_row award = AWARD_ROW(entry, fact);
    struct posted_row posted = {entry->task,      fact->round, entry->at_us,
                                fact->rate_micro, fact->units, false};
    int status = add_posted(batch, &posted);
    if (status == 0) {
        status =
            project_go_on(batch, entry->task, TENDER_TASK_OPEN, TENDER_REASON_NONE, fact->round);
    }
    return status == 0 ? project_award(batch, &award) : status;
}

int project_sampled(struct batch *batch, const struct entry *entry)
{
    const struct entry_opened *fact = &entry->opened;
    struct posted_row posted = {entry->task,      fact->round, entry->at_us,
                                fact->rate_micro, fact->units, true};
    return add_posted(batch, &posted);
}
