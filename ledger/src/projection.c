/*
 * What each kind of entry does to the tables. The order of the statements in a batch is seal.c's;
 * whether an entry may follow another is the core's and, where it can be said in SQL, the schema's.
 */
#include "projection.h"

#include <string.h>

static int apply_announced(struct batch *batch, const struct entry *entry)
{
    const struct entry_announced *fact = &entry->announced;
    struct part_row *row = batch_part(batch, entry->task, 0);
    struct money_row *money = batch_money(batch, fact->principal);
    if (row == NULL || money == NULL) {
        return TENDER_ENOMEM;
    }
    row->is_new = true;
    row->announced_at_us = entry->at_us;
    row->partial = fact->partial;
    row->total_units = fact->units;
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

/* The task goes on in `state`; `round` 0 leaves its number. */
static int go_on(struct batch *batch, tender_id task, tender_task_state state, tender_reason reason,
                 int64_t round)
{
    struct part_row *row = batch_part(batch, task, 0);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    /* A new task is written as open, with its round. */
    row->is_changed = !row->is_new || row->is_changed || state != TENDER_TASK_OPEN;
    row->state = state;
    row->reason = reason;
    row->round = round == 0 ? row->round : round;
    return 0;
}

static int end_task(struct batch *batch, const struct entry *entry, tender_task_state state,
                    tender_reason reason)
{
    if (!tender_task_state_is_terminal(state)) {
        return go_on(batch, entry->task, state, reason, 0);
    }
    struct part_row *row = batch_part(batch, entry->task, 0);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    row->ended_at_us = entry->at_us;
    row->state = state;
    row->reason = reason;
    return 0;
}

static int apply_awarded(struct batch *batch, const struct entry *entry)
{
    const struct entry_awarded *fact = &entry->awarded;
    struct part_row *part = batch_part(batch, entry->task, fact->part);
    struct award_row *row = rows_add(&batch->awards);
    if (part == NULL || row == NULL) {
        return TENDER_ENOMEM;
    }
    part->award = batch->awards.count;
    row->task = entry->task;
    row->part = fact->part;
    row->generation = fact->generation;
    row->round = fact->round;
    row->owner = batch_keep(batch, fact->contractor);
    row->principal = batch_keep(batch, fact->principal);
    row->units = fact->units;
    row->price_micro = fact->price_micro;
    row->awarded_at_us = entry->at_us;
    row->due_at_us = fact->due_at_us;
    return row->owner.data == NULL || row->principal.data == NULL ? TENDER_ENOMEM : 0;
}

/* The commitment where it was awarded in this batch and is active, else NULL. */
static struct award_row *find_award(struct batch *batch, const struct part_row *part,
                                    int64_t generation)
{
    if (part->award == 0) {
        return NULL;
    }
    struct award_row *award = (struct award_row *)batch->awards.items + part->award - 1;
    return award->generation == generation ? award : NULL;
}

static int apply_acknowledged(struct batch *batch, const struct entry *entry)
{
    const struct entry_acknowledged *fact = &entry->acknowledged;
    struct part_row *part = batch_part(batch, entry->task, fact->part);
    if (part == NULL) {
        return TENDER_ENOMEM;
    }
    struct award_row *award = find_award(batch, part, fact->generation);
    if (award != NULL) {
        award->acknowledged_at_us = entry->at_us;
    } else {
        part->acknowledged_at_us = entry->at_us;
        part->is_changed = true;
    }
    return 0;
}

static int apply_progressed(struct batch *batch, const struct entry *entry)
{
    const struct entry_progressed *fact = &entry->progressed;
    struct part_row *part = batch_part(batch, entry->task, fact->part);
    if (part == NULL) {
        return TENDER_ENOMEM;
    }
    struct award_row *award = find_award(batch, part, fact->generation);
    if (award != NULL) {
        award->units_done = fact->units_done;
    } else {
        part->reported = fact->units_done;
        part->is_changed = true;
    }
    return 0;
}

/*
 * The reservation of the task pays or releases. Who pays for a task of an earlier batch only its
 * row in the database tells, so there CHANGE_PARTS and FINISH_TASKS do it.
 */
static int spend(struct batch *batch, tender_id task, int64_t paid_micro, int64_t released_micro)
{
    struct part_row *row = batch_part(batch, task, 0);
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    row->paid_micro += paid_micro;
    row->released_micro += released_micro;
    row->is_changed = row->is_changed || paid_micro != 0;
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

static void end_award(struct award_row *award, const struct entry *entry)
{
    const struct entry_settled *fact = &entry->settled;
    award->ended_at_us = entry->at_us;
    award->state = fact->state;
    award->reason = fact->reason;
    award->units_done = fact->units_done;
    award->paid_micro = fact->paid_micro;
    award->fee_micro = fact->fee_micro;
    if (fact->acknowledged && award->acknowledged_at_us == 0) {
        award->acknowledged_at_us = entry->at_us;
    }
}

static void end_commitment(struct part_row *part, const struct entry *entry)
{
    const struct entry_settled *fact = &entry->settled;
    part->generation = fact->generation;
    part->commitment_ended_at_us = entry->at_us;
    part->ended_state = fact->state;
    part->ended_reason = fact->reason;
    part->ended_units = fact->units_done;
    part->ended_paid_micro = fact->paid_micro;
    part->ended_fee_micro = fact->fee_micro;
    if (fact->acknowledged && part->acknowledged_at_us == 0) {
        part->acknowledged_at_us = entry->at_us;
    }
}

static int apply_settled(struct batch *batch, const struct entry *entry)
{
    const struct entry_settled *fact = &entry->settled;
    struct part_row *part = batch_part(batch, entry->task, fact->part);
    if (part == NULL) {
        return TENDER_ENOMEM;
    }
    struct award_row *award = find_award(batch, part, fact->generation);
    if (award != NULL) {
        end_award(award, entry);
        part->award = 0;
    } else {
        end_commitment(part, entry);
    }
    part->is_changed = true;
    part->units += fact->units_done;
    int status = spend(batch, entry->task, fact->paid_micro, fact->released_micro);
    if (status == 0) {
        status = earn(batch, fact->principal, fact->paid_micro);
    }
    return status != 0 || fact->task_state == 0
               ? status
               : end_task(batch, entry, fact->task_state, fact->task_reason);
}

/* The commitment ended before, and its row says so for ever: what it is paid now is a transfer. */
static int apply_covered(struct batch *batch, const struct entry *entry)
{
    static const tender_bytes reserved = {"reserved", 8};
    static const tender_bytes earned = {"earned", 6};
    const struct entry_covered *fact = &entry->covered;
    if (fact->paid_micro == 0) {
        return 0;
    }
    struct transfer_row *row = rows_add(&batch->transfers);
    struct money_row *money = batch_money(batch, fact->principal);
    if (row == NULL || money == NULL) {
        return TENDER_ENOMEM;
    }
    row->task = entry->task;
    row->number = (int64_t)entry->number;
    row->generation = fact->generation;
    row->at_us = entry->at_us;
    row->amount_micro = fact->paid_micro;
    row->from_bucket = reserved;
    row->to_principal = money->principal;
    row->to_bucket = earned;
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
    row->generation = -1;
    row->at_us = entry->at_us;
    row->amount_micro = is_in ? amount_micro : -amount_micro;
    row->from_principal = row->to_principal = money->principal;
    static const tender_bytes issued = {"issued", 6};
    static const tender_bytes available = {"available", 9};
    row->from_bucket = is_in ? issued : available;
    row->to_bucket = is_in ? available : issued;
    return 0;
}

/* Due times of commitments that this batch awarded move here, those of earlier ones by
 * APPLY_RECESS. */
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
    struct award_row *awards = batch->awards.items;
    for (size_t i = 0; i < batch->awards.count; i++) {
        if (awards[i].ended_at_us == 0 && awards[i].due_at_us >= fact->from_us &&
            awards[i].due_at_us < fact->until_us) {
            awards[i].due_at_us = fact->until_us;
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
        return go_on(batch, entry->task, TENDER_TASK_OPEN, TENDER_REASON_NONE, entry->opened.round);
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
        return go_on(batch, entry->task, TENDER_TASK_HELD, entry->held.reason, 0);
    case ENTRY_RELEASED:
        return go_on(batch, entry->task, TENDER_TASK_OPEN, TENDER_REASON_NONE, 0);
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
