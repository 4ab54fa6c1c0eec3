/*
 * What each kind of entry does to the tables. The order of the statements in a batch is seal.c's;
 * whether an entry may follow another is the core's and, where it can be said in SQL, the schema's.
 * What only some tasks have is in the files beside it (project.h).
 */
#include "projection.h"

#include "project.h"

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
    if (batch_keep_entry(batch, entry, &row->first) != 0) {
        return TENDER_ENOMEM;
    }
    money->available_micro -= fact->ceiling_micro;
    money->reserved_micro += fact->ceiling_micro;
    if (row->client.data == NULL || row->skill.data == NULL || row->key.data == NULL) {
        return TENDER_ENOMEM;
    }
    if (fact->blocked != 0) {
        row->state = TENDER_TASK_BLOCKED;
        row->is_changed = true;
    }
    int status = fact->needs.count == 0 ? 0 : project_needs(batch, entry);
    bool is_grouped = fact->goal.size != 0 || fact->after.count != 0;
    row->has_more = is_grouped;
    return status != 0 || !is_grouped ? status : project_after(batch, entry);
}

int project_go_on(struct batch *batch, tender_id task, tender_task_state state,
                  tender_reason reason, int64_t round)
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

int project_end_task(struct batch *batch, const struct entry *entry, tender_task_state state,
                     tender_reason reason)
{
    if (!tender_task_state_is_terminal(state)) {
        return project_go_on(batch, entry->task, state, reason, 0);
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

static int apply_opened(struct batch *batch, const struct entry *entry)
{
    const struct entry_opened *fact = &entry->opened;
    int status =
        project_go_on(batch, entry->task, TENDER_TASK_OPEN, TENDER_REASON_NONE, fact->round);
    return status != 0 || fact->rate_micro == 0 ? status : project_sampled(batch, entry);
}

int project_award(struct batch *batch, const struct award_row *award)
{
    struct part_row *part = batch_part(batch, award->task, award->part);
    struct award_row *row = rows_add(&batch->awards);
    if (part == NULL || row == NULL) {
        return TENDER_ENOMEM;
    }
    *row = *award;
    part->award = batch->awards.count;
    row->owner = batch_keep(batch, award->owner);
    row->principal = batch_keep(batch, award->principal);
    return row->owner.data == NULL || row->principal.data == NULL ? TENDER_ENOMEM : 0;
}

static int apply_awarded(struct batch *batch, const struct entry *entry)
{
    const struct entry_awarded *fact = &entry->awarded;
    struct award_row award = AWARD_ROW(entry, fact);
    int status = project_award(batch, &award);
    return status != 0 || fact->held == 0
               ? status
               : project_take(batch, entry, fact->part, fact->generation, fact->contractor);
}

static int apply_assigned(struct batch *batch, const struct entry *entry)
{
    const struct entry_assigned *fact = &entry->assigned;
    int status = project_assigned(batch, entry);
    return status != 0 || fact->held == 0
               ? status
               : project_take(batch, entry, fact->part, fact->generation, fact->contractor);
}

struct award_row *project_find_award(struct batch *batch, const struct part_row *part,
                                     int64_t generation)
{
    if (part->award == 0) {
        return NULL;
    }
    struct award_row *award = (struct award_row *)batch->awards.items + part->award - 1;
    return award->generation == generation ? award : NULL;
}

int project_acknowledged(struct batch *batch, const struct entry *entry)
{
    const struct entry_acknowledged *fact = &entry->acknowledged;
    struct part_row *part = batch_part(batch, entry->task, fact->part);
    if (part == NULL) {
        return TENDER_ENOMEM;
    }
    struct award_row *award = project_find_award(batch, part, fact->generation);
    if (award != NULL) {
        award->acknowledged_at_us = entry->at_us;
    } else {
        part->acknowledged_at_us = entry->at_us;
        part->is_changed = true;
    }
    return 0;
}

int project_progressed(struct batch *batch, const struct entry *entry)
{
    const struct entry_progressed *fact = &entry->progressed;
    struct part_row *part = batch_part(batch, entry->task, fact->part);
    if (part == NULL) {
        return TENDER_ENOMEM;
    }
    struct award_row *award = project_find_award(batch, part, fact->generation);
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
int project_spend(struct batch *batch, tender_id task, int64_t paid_micro, int64_t released_micro)
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

int project_earn(struct batch *batch, tender_bytes principal, int64_t paid_micro)
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

static int end_award(struct batch *batch, struct award_row *award, const struct entry *entry)
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
    return batch_keep_entry(batch, entry, &award->settlement);
}

static int end_commitment(struct batch *batch, struct part_row *part, const struct entry *entry)
{
    const struct entry_settled *fact = &entry->settled;
    part->is_changed = true;
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
    return batch_keep_entry(batch, entry, &part->settlement);
}

/* What becomes of the commitment itself. */
static int settle(struct batch *batch, struct part_row *part, const struct entry *entry)
{
    struct award_row *award = project_find_award(batch, part, entry->settled.generation);
    if (award == NULL) {
        return end_commitment(batch, part, entry);
    }
    part->award = 0;
    return end_award(batch, award, entry);
}

/* What only some commitments leave behind. */
static int leave_more(struct batch *batch, const struct entry *entry)
{
    const struct entry_settled *fact = &entry->settled;
    if (batch->deliveries.count != 0) {
        project_decided(batch, entry);
    }
    int status = fact->freed == 0 ? 0 : project_free(batch, entry);
    return status != 0 || fact->measured_micro == 0 ? status : project_measured(batch, entry);
}

/* Units and money of all parts are counted in the first row of the task. */
static int apply_settled(struct batch *batch, const struct entry *entry)
{
    const struct entry_settled *fact = &entry->settled;
    struct part_row *part = batch_part(batch, entry->task, fact->part);
    if (part == NULL || settle(batch, part, entry) != 0) {
        return TENDER_ENOMEM;
    }
    struct part_row *whole = batch_part(batch, entry->task, 0);
    if (whole == NULL) {
        return TENDER_ENOMEM;
    }
    whole->is_changed = true;
    whole->units += fact->units_done;
    int status = project_spend(batch, entry->task, fact->paid_micro, fact->released_micro);
    if (status == 0) {
        status = project_earn(batch, fact->principal, fact->paid_micro);
    }
    if (status == 0) {
        status = leave_more(batch, entry);
    }
    return status != 0 || fact->task_state == 0
               ? status
               : project_end_task(batch, entry, fact->task_state, fact->task_reason);
}

int project_pay_later(struct batch *batch, const struct entry *entry, int64_t generation,
                      tender_bytes principal, int64_t paid_micro)
{
    static const tender_bytes reserved = {"reserved", 8};
    static const tender_bytes earned = {"earned", 6};
    if (paid_micro == 0) {
        return 0;
    }
    struct transfer_row *row = rows_add(&batch->transfers);
    struct money_row *money = batch_money(batch, principal);
    if (row == NULL || money == NULL) {
        return TENDER_ENOMEM;
    }
    row->task = entry->task;
    row->number = (int64_t)entry->number;
    row->generation = generation;
    row->at_us = entry->at_us;
    row->amount_micro = paid_micro;
    row->from_bucket = reserved;
    row->to_principal = money->principal;
    row->to_bucket = earned;
    int status = project_spend(batch, entry->task, paid_micro, 0);
    return status == 0 ? project_earn(batch, principal, paid_micro) : status;
}

static int apply_covered(struct batch *batch, const struct entry *entry)
{
    const struct entry_covered *fact = &entry->covered;
    return project_pay_later(batch, entry, fact->generation, fact->principal, fact->paid_micro);
}

/* A hold for later leaves what is: the task goes on until its commitments have ended. */
static int apply_held(struct batch *batch, const struct entry *entry)
{
    return entry->held.later != 0
               ? 0
               : project_go_on(batch, entry->task, TENDER_TASK_HELD, entry->held.reason, 0);
}

static int apply_ended(struct batch *batch, const struct entry *entry)
{
    const struct entry_ended *fact = &entry->ended;
    int status = project_spend(batch, entry->task, 0, fact->released_micro);
    return status == 0 ? project_end_task(batch, entry, fact->state, fact->reason) : status;
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
    case ENTRY_ASSIGNED:
        return apply_assigned(batch, entry);
    case ENTRY_ACKNOWLEDGED:
        return project_acknowledged(batch, entry);
    case ENTRY_PROGRESSED:
        return project_progressed(batch, entry);
    case ENTRY_DELIVERED:
        return project_delivered(batch, entry);
    case ENTRY_SETTLED:
        return apply_settled(batch, entry);
    case ENTRY_COVERED:
        return apply_covered(batch, entry);
    case ENTRY_ADOPTED:
        return project_adopted(batch, entry);
    case ENTRY_HELD:
        return apply_held(batch, entry);
    case ENTRY_RELEASED:
        return project_go_on(batch, entry->task, TENDER_TASK_OPEN, TENDER_REASON_NONE, 0);
    case ENTRY_UNBLOCKED:
        return project_unblocked(batch, entry);
    case ENTRY_ENDED:
        return apply_ended(batch, entry);
    case ENTRY_ENROLLED:
    case ENTRY_DEPARTED:
    case ENTRY_FUNDED:
    case ENTRY_RECESS:
    case ENTRY_RATED:
    case ENTRY_COUNTED:
    case ENTRY_BARRED:
    case ENTRY_GOALED:
    case ENTRY_ADMITTED:
    case ENTRY_VOUCHED:
        return project_house(batch, entry);
    case ENTRY_ANSWERED:
    case ENTRY_CLOSED:
    case ENTRY_LATE:
    case ENTRY_BELIEVED:
    case ENTRY_REIGNED:
    case ENTRY_BALANCE:
    case ENTRY_STOOD:
    case ENTRY_RECORDED:
    case ENTRY_STRUCK:
        return 0;
    }
    return 0;
}
