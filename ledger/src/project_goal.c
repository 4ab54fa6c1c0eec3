/* Goals, and tasks that wait for tasks. */
#include "project.h"

static int add_goal(struct batch *batch, const struct entry *entry)
{
    struct goal_row *row = rows_add(&batch->goals);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    row->task = entry->task;
    row->principal = batch_keep(batch, entry->announced.principal);
    row->goal = batch_keep(batch, entry->announced.goal);
    return row->principal.data == NULL || row->goal.data == NULL ? TENDER_ENOMEM : 0;
}

int project_after(struct batch *batch, const struct entry *entry)
{
    const struct entry_announced *fact = &entry->announced;
    int status = fact->goal.size > 0 ? add_goal(batch, entry) : 0;
    for (size_t i = 0; status == 0 && i < fact->after.count; i++) {
        struct after_row *row = rows_add(&batch->afters);
        if (row == NULL) {
            return TENDER_ENOMEM;
        }
        row->task = entry->task;
        status = tender_id_parse(fact->after.items[i].data, fact->after.items[i].size, &row->after);
    }
    return status;
}

int project_unblocked(struct batch *batch, const struct entry *entry)
{
    return project_go_on(batch, entry->task, TENDER_TASK_OPEN, TENDER_REASON_NONE, 0);
}
