/*
 * What kept commitments cost their owners, as those report it. One that ended short has its bid for
 * more work than it measured: its entry says both, and there they are not compared.
 */
#include "project.h"

int project_measured(struct batch *batch, const struct entry *entry)
{
    const struct entry_settled *fact = &entry->settled;
    if (fact->state != TENDER_COMMITMENT_FULFILLED) {
        return 0;
    }
    struct measured_row *row = rows_add(&batch->measures);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    *row = (struct measured_row){
        .task = entry->task,
        .part = fact->part,
        .generation = fact->generation,
        .at_us = entry->at_us,
        .contractor = batch_keep(batch, fact->contractor),
        .principal = batch_keep(batch, fact->principal),
        .tier = batch_keep(batch, fact->tier),
        .evidence = batch_keep(batch, fact->evidence),
        .units = fact->units_done,
        .bid_micro = fact->bid_micro,
        .estimate_micro = fact->estimate_micro == 0 ? -1 : fact->estimate_micro,
        .measured_micro = fact->measured_micro,
    };
    bool is_kept = row->contractor.data != NULL && row->principal.data != NULL &&
                   row->tier.data != NULL && row->evidence.data != NULL;
    return is_kept ? 0 : TENDER_ENOMEM;
}
