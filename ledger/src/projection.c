/*
 * What each kind of entry does to the tables. The order of the statements in a batch is batch.c's;
 * whether an entry may follow another is the core's and, where it can be said in SQL, the schema's.
 */
#include "projection.h"

#include <string.h>

static int apply_announced(struct batch *batch, const struct entry *entry)
{
    const struct entry_announced *fact = &entry->announced;
    struct task_row *row = batch_task(batch, entry->task);
    struct money_row *money = batch_money(batch, fact->principal);
    if (row == NULL || money == NULL) {
        return TENDER_ENOMEM;
    }
    row->is_new = true;
    row->announced_at_us = entry->at_us;
    row->state = TENDER_TASK_OPEN;
    row->partial = fact->partial;
    row->units = fact->units;
    row->ceiling_micro = fact->ceiling_micro;
    row->again = fact->again;
    row->client = batch_keep(batch, fact->client);
    row->principal = money->principal;
    row->skill = batch_keep(batch, fact->skill);
    row->key = batch_keep(batch, fact->key);
    row->body_digest = fact->body_digest;
    money->available_micro -= fact->ceiling_micro;
    money->reserved_micro += fact->ceiling_micro;
    return row->client.data == NULL || row->skill.data == NULL || row->key.data == NULL
               ? TENDER_ENOMEM
               : 0;
}

static int apply_opened(struct batch *batch, const struct entry *entry)
{
    struct task_row *row = batch_task(batch, entry->task);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    row->state = TENDER_TASK_OPEN;
    row->reason = TENDER_REASON_NONE;
    row->round = entry->opened.round;
    return 0;
}

static int apply_awarded(struct batch *batch, const struct entry *entry)
{
    const struct entry_awarded *fact = &entry->awarded;
    struct commitment_row *row = batch_commitment(batch, entry->task, fact->part, fact->generation);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    row->is_new = true;
    row->state = TENDER_COMMITMENT_ACTIVE;
    row->round = fact->round;
    row->owner = batch_keep(batch, fact->contractor);
    row->principal = batch_keep(batch, fact->principal);
    row->units = fact->units;
    row->units_done = 0;
    row->price_micro = fact->price_micro;
    row->awarded_at_us = entry->at_us;
    row->due_at_us = fact->due_at_us;
    return row->owner.data == NULL || row->principal.data == NULL ? TENDER_ENOMEM : 0;
}

static int apply_acknowledged(struct batch *batch, const struct entry *entry)
{
    const struct entry_acknowledged *fact = &entry->acknowledged;
    struct commitment_row *row = batch_commitment(batch, entry->task, fact->part, fact->generation);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    row->acknowledged_at_us = entry->at_us;
    return 0;
}

static int apply_progressed(struct batch *batch, const struct entry *entry)
{
    const struct entry_progressed *fact = &entry->progressed;
    struct commitment_row *row = batch_commitment(batch, entry->task, fact->part, fact->generation);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    row->units_done = fact->units_done;
    return 0;
}

/*
 * The reservation of the task pays or releases. The account of a task from an earlier batch is
 * known to its row in the database alone, so CHANGE_TASKS does it there.
 */
static int spend(struct batch *batch, tender_id task, int64_t paid_micro, int64_t released_micro)
{
    struct task_row *row = batch_task(batch, task);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    row->paid_micro += paid_micro;
    row->released_micro += released_micro;
    if (row->is_new && (paid_micro != 0 || released_micro != 0)) {
        struct money_row *money = batch_money(batch, row->principal);
        if (money == NULL) {
            return TENDER_ENOMEM;
        }
        money->reserved_micro -= paid_micro + released_micro;
        money->spent_micro += paid_micro;
        money->available_micro += released_micro;
    }
    return 0;
}

static int earn(struct batch *batch, tender_bytes principal, int64_t paid_micro)
{
    if (paid_micro == 0) {
        return 0;
    }
    struct money_row *money = batch_money(batch, principal);
    if (money == NULL) {
        return TENDER_ENOMEM;
    }
    money->earned_micro += paid_micro;
    return 0;
}

static int end_task(struct batch *batch, const struct entry *entry, tender_task_state state,
                    tender_reason reason)
{
    struct task_row *row = batch_task(batch, entry->task);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    row->state = state;
    row->reason = reason;
    if (tender_task_state_is_terminal(state)) {
        row->ended_at_us = entry->at_us;
    }
    return 0;
}

static int settle_commitment(struct batch *batch, const struct entry *entry)
{
    const struct entry_settled *fact = &entry->settled;
    struct commitment_row *row = batch_commitment(batch, entry->task, fact->part, fact->generation);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    row->state = fact->state;
    row->reason = fact->reason;
    row->units_done = fact->units_done;
    row->paid_micro += fact->paid_micro;
    row->fee_micro += fact->fee_micro;
    if (tender_commitment_state_is_terminal(fact->state)) {
        row->ended_at_us = entry->at_us;
    }
    if (fact->paid_micro != 0) {
        row->paid_at_us = entry->at_us;
    }
    if (fact->acknowledged && row->acknowledged_at_us == 0) {
        row->acknowledged_at_us = entry->at_us;
    }
    return 0;
}

static int apply_settled(struct batch *batch, const struct entry *entry)
{
    const struct entry_settled *fact = &entry->settled;
    int status = settle_commitment(batch, entry);
    if (status == 0) {
        status = spend(batch, entry->task, fact->paid_micro, fact->released_micro);
    }
    if (status == 0) {
        status = earn(batch, fact->principal, fact->paid_micro);
    }
    struct task_row *row = status == 0 ? batch_task(batch, entry->task) : NULL;
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    if (fact->state == TENDER_COMMITMENT_FULFILLED) {
        row->units_done += fact->units_done;
    } else {
        row->units_if_partial += fact->units_done;
    }
    return fact->task_state == 0 ? 0 : end_task(batch, entry, fact->task_state, fact->task_reason);
}

static int apply_covered(struct batch *batch, const struct entry *entry)
{
    const struct entry_covered *fact = &entry->covered;
    if (fact->paid_micro == 0) {
        return 0;
    }
    struct commitment_row *row = batch_commitment(batch, entry->task, fact->part, fact->generation);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    row->paid_micro += fact->paid_micro;
    row->paid_at_us = entry->at_us;
    int status = spend(batch, entry->task, fact->paid_micro, 0);
    return status == 0 ? earn(batch, fact->principal, fact->paid_micro) : status;
}

static int apply_ended(struct batch *batch, const struct entry *entry)
{
    const struct entry_ended *fact = &entry->ended;
    int status = spend(batch, entry->task, 0, fact->released_micro);
    return status == 0 ? end_task(batch, entry, fact->state, fact->reason) : status;
}

static int apply_enrolled(struct batch *batch, const struct entry *entry)
{
    const struct entry_enrolled *fact = &entry->enrolled;
    struct contractor_row *row = batch_contractor(batch, fact->contractor);
    size_t size = 1;
    for (size_t i = 0; i < fact->skills.count; i++) {
        size += fact->skills.items[i].size + 1;
    }
    char *skills = batch_allocate(batch, size);
    if (row == NULL || skills == NULL) {
        return TENDER_ENOMEM;
    }
    char *end = skills;
    for (size_t i = 0; i < fact->skills.count; i++) {
        if (i > 0) {
            *end++ = ',';
        }
        memcpy(end, fact->skills.items[i].data, fact->skills.items[i].size);
        end += fact->skills.items[i].size;
    }
    row->skills = (tender_bytes){skills, (size_t)(end - skills)};
    row->principal = batch_keep(batch, fact->principal);
    row->slots = fact->slots;
    row->number = (int64_t)entry->number;
    row->enrolled_at_us = entry->at_us;
    row->departed_at_us = 0;
    row->departed_reason = TENDER_REASON_NONE;
    return row->principal.data == NULL ? TENDER_ENOMEM : 0;
}

static int apply_departed(struct batch *batch, const struct entry *entry)
{
    struct contractor_row *row = batch_contractor(batch, entry->departed.contractor);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    row->departed_at_us = entry->at_us;
    row->departed_reason = entry->departed.reason;
    return 0;
}

static int apply_funded(struct batch *batch, const struct entry *entry)
{
    int64_t amount_micro = entry->funded.amount_micro;
    if (amount_micro == 0) {
        return 0;
    }
    struct money_row *money = batch_money(batch, entry->funded.principal);
    struct transfer_row *row = rows_add(&batch->transfers);
    if (money == NULL || row == NULL) {
        return TENDER_ENOMEM;
    }
    money->issued_micro += amount_micro;
    money->available_micro += amount_micro;
    bool is_in = amount_micro > 0;
    row->task = entry->task;
    row->number = (int64_t)entry->number;
    row->at_us = entry->at_us;
    row->amount_micro = is_in ? amount_micro : -amount_micro;
    row->from_principal = row->to_principal = money->principal;
    static const tender_bytes issued = {"issued", 6};
    static const tender_bytes available = {"available", 9};
    row->from_bucket = is_in ? issued : available;
    row->to_bucket = is_in ? available : issued;
    return 0;
}

/* Due times of this batch's commitments move here, those of earlier ones by APPLY_RECESS. */
static int apply_recess(struct batch *batch, const struct entry *entry)
{
    const struct entry_recess *fact = &entry->recess;
    struct recess_row *row = rows_add(&batch->recesses);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    row->number = (int64_t)entry->number;
    row->from_us = fact->from_us;
    row->until_us = fact->until_us;
    struct commitment_row *commitments = batch->commitments.items;
    for (size_t i = 0; i < batch->commitments.count; i++) {
        struct commitment_row *commitment = &commitments[i];
        if (commitment->is_new && commitment->ended_at_us == 0 &&
            commitment->due_at_us >= fact->from_us && commitment->due_at_us < fact->until_us) {
            commitment->due_at_us = fact->until_us;
        }
    }
    return 0;
}

int projection_apply(struct batch *batch, const struct entry *entry)
{
    switch (entry->kind) {
    case ENTRY_ANNOUNCED:
        return apply_announced(batch, entry);
    case ENTRY_OPENED:
        return apply_opened(batch, entry);
    case ENTRY_AWARDED:
        return apply_awarded(batch, entry);
    case ENTRY_ACKNOWLEDGED:
        return apply_acknowledged(batch, entry);
    case ENTRY_PROGRESSED:
        return apply_progressed(batch, entry);
    case ENTRY_SETTLED:
        return apply_settled(batch, entry);
    case ENTRY_COVERED:
        return apply_covered(batch, entry);
    case ENTRY_HELD:
        return end_task(batch, entry, TENDER_TASK_HELD, entry->held.reason);
    case ENTRY_RELEASED:
        return end_task(batch, entry, TENDER_TASK_OPEN, TENDER_REASON_NONE);
    case ENTRY_ENDED:
        return apply_ended(batch, entry);
    case ENTRY_ENROLLED:
        return apply_enrolled(batch, entry);
    case ENTRY_DEPARTED:
        return apply_departed(batch, entry);
    case ENTRY_FUNDED:
        return apply_funded(batch, entry);
    case ENTRY_RECESS:
        return apply_recess(batch, entry);
    case ENTRY_ANSWERED:
    case ENTRY_CLOSED:
    case ENTRY_LATE:
    case ENTRY_REIGNED:
    case ENTRY_BALANCE:
        return 0;
    }
    return 0;
}
