/* Names that a task needs besides its skill, and counted resources. */
#include "project.h"

#include "bytes.h"

#include <string.h>

int project_needs(struct batch *batch, const struct entry *entry)
{
    const struct entry_texts *needs = &entry->announced.needs;
    for (size_t i = 0; i < needs->count; i++) {
        struct need_row *row = rows_add(&batch->needs);
        if (row == NULL) {
            return TENDER_ENOMEM;
        }
        row->task = entry->task;
        row->need = batch_keep(batch, needs->items[i]);
        if (row->need.data == NULL) {
            return TENDER_ENOMEM;
        }
    }
    return 0;
}

static struct resource_row *find_resource(struct batch *batch, const struct entry_counted *fact)
{
    struct resource_row *rows = batch->resources.items;
    for (size_t i = 0; i < batch->resources.count; i++) {
        if (bytes_equal(rows[i].resource, fact->resource) &&
            bytes_equal(rows[i].contractor, fact->contractor)) {
            return &rows[i];
        }
    }
    return NULL;
}

int project_counted(struct batch *batch, const struct entry *entry)
{
    const struct entry_counted *fact = &entry->counted;
    struct resource_row *row = find_resource(batch, fact);
    if (row == NULL) {
        row = rows_add(&batch->resources);
        if (row == NULL) {
            return TENDER_ENOMEM;
        }
        row->resource = batch_keep(batch, fact->resource);
        row->contractor = batch_keep(batch, fact->contractor);
        if (row->resource.data == NULL || row->contractor.data == NULL) {
            return TENDER_ENOMEM;
        }
    }
    row->count = fact->count;
    return 0;
}

int project_take(struct batch *batch, const struct entry *entry, int64_t part, int64_t generation,
                 tender_bytes contractor)
{
    struct hold_row *row = rows_add(&batch->holds);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    row->task = entry->task;
    row->part = part;
    row->generation = generation;
    row->owner = batch_keep(batch, contractor);
    row->held_at_us = entry->at_us;
    return row->owner.data == NULL ? TENDER_ENOMEM : 0;
}

/* What was awarded in this batch held for the database at no time. */
int project_free(struct batch *batch, const struct entry *entry)
{
    const struct entry_settled *fact = &entry->settled;
    struct hold_row *holds = batch->holds.items;
    for (size_t i = batch->holds.count; i-- > 0;) {
        if (memcmp(&holds[i].task, &entry->task, sizeof entry->task) == 0 &&
            holds[i].part == fact->part && holds[i].generation == fact->generation) {
            holds[i].is_over = true;
            return 0;
        }
    }
    struct free_row *row = rows_add(&batch->frees);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    row->task = entry->task;
    row->part = fact->part;
    row->generation = fact->generation;
    return 0;
}
