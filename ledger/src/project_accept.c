/*
 * Deliveries that wait for the client, and late results that it takes. A delivery ends with its
 * commitment, by the entry that settles it.
 */
#include "project.h"

#include <string.h>

/* What it reports of units and acknowledgement, as progress would. */
static int report(struct batch *batch, const struct entry *entry)
{
    const struct entry_delivered *fact = &entry->delivered;
    struct entry progress = {.task = entry->task, .number = entry->number, .at_us = entry->at_us};
    progress.kind = ENTRY_PROGRESSED;
    progress.progressed = (struct entry_progressed){
        .part = fact->part, .generation = fact->generation, .units_done = fact->units_done};
    int status = project_progressed(batch, &progress);
    if (status != 0 || fact->acknowledged == 0) {
        return status;
    }
    progress.kind = ENTRY_ACKNOWLEDGED;
    progress.acknowledged =
        (struct entry_acknowledged){.part = fact->part, .generation = fact->generation};
    return project_acknowledged(batch, &progress);
}

int project_delivered(struct batch *batch, const struct entry *entry)
{
    const struct entry_delivered *fact = &entry->delivered;
    int status = report(batch, entry);
    struct delivery_row *row = status == 0 ? rows_add(&batch->deliveries) : NULL;
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    tender_digest none = {{0}};
    bool is_elsewhere = memcmp(&fact->digest, &none, sizeof none) != 0;
    const tender_digest *digest = is_elsewhere ? &fact->digest : &fact->content_digest;
    int64_t size = is_elsewhere ? fact->size : fact->content_size;
    bool has_result = is_elsewhere || size > 0;
    tender_bytes bytes = {digest->bytes, has_result ? sizeof digest->bytes : 0};
    *row = (struct delivery_row){
        .task = entry->task,
        .part = fact->part,
        .generation = fact->generation,
        .delivered_at_us = entry->at_us,
        .accept_by_us = fact->accept_by_us,
        .units = fact->units_done,
        .size = has_result ? size : -1,
        .digest = batch_keep(batch, bytes),
        .owner = batch_keep(batch, fact->contractor),
        .evidence = batch_keep(batch, fact->evidence),
        .measured_micro = fact->measured_micro,
        .tier = batch_keep(batch, fact->tier),
        .is_active = true,
    };
    bool is_kept = row->digest.data != NULL && row->owner.data != NULL &&
                   row->evidence.data != NULL && row->tier.data != NULL;
    return is_kept ? 0 : TENDER_ENOMEM;
}

/* Settled in the batch that delivered it: it never waited in the hot row. */
void project_decided(struct batch *batch, const struct entry *entry)
{
    struct delivery_row *rows = batch->deliveries.items;
    for (size_t i = 0; i < batch->deliveries.count; i++) {
        if (tender_id_equal(rows[i].task, entry->task) && rows[i].part == entry->settled.part &&
            rows[i].generation == entry->settled.generation) {
            rows[i].is_active = false;
        }
    }
}

int project_adopted(struct batch *batch, const struct entry *entry)
{
    const struct entry_adopted *fact = &entry->adopted;
    struct part_row *whole = batch_part(batch, entry->task, 0);
    struct adoption_row *row = rows_add(&batch->adoptions);
    if (whole == NULL || row == NULL) {
        return TENDER_ENOMEM;
    }
    whole->is_changed = true;
    whole->units += fact->units;
    *row = (struct adoption_row){
        .task = entry->task,
        .number = (int64_t)entry->number,
        .part = fact->part,
        .generation = fact->generation,
        .late = fact->late,
        .at_us = entry->at_us,
        .units = fact->units,
        .paid_micro = fact->paid_micro,
        .principal = batch_keep(batch, fact->principal),
    };
    int status = row->principal.data == NULL ? TENDER_ENOMEM : 0;
    if (status == 0) {
        status = project_pay_later(batch, entry, -1, fact->principal, fact->paid_micro);
    }
    if (status == 0 && fact->released_micro != 0) {
        status = project_spend(batch, entry->task, 0, fact->released_micro);
    }
    return status != 0 || fact->task_state == 0
               ? status
               : project_end_task(batch, entry, fact->task_state, fact->task_reason);
}
