/* Entries of the house: who offers to work, money, recesses, and what holds by its subject. */
#include "project.h"

#include <assert.h>
#include <string.h>

#define FACT_NAMES_MAX 3 /* that tell the subjects of a kind apart */

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

/* The entry is the newest of its kind about the subject that `names` [count] tell apart. */
static int keep_fact(struct batch *batch, const struct entry *entry, const tender_bytes *names,
                     size_t count, bool is_over)
{
    char text[FACT_NAMES_MAX * (TENDER_NAME_MAX + 1)];
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        assert(names[i].size <= TENDER_NAME_MAX && i < FACT_NAMES_MAX);
        if (i > 0) {
            text[size++] = ' ';
        }
        if (names[i].size > 0) {
            memcpy(text + size, names[i].data, names[i].size);
            size += names[i].size;
        }
    }
    struct fact_row *row = batch_fact(batch, (int64_t)entry->kind, (tender_bytes){text, size});
    if (row == NULL) {
        return TENDER_ENOMEM;
    }
    row->number = (int64_t)entry->number;
    row->is_over = is_over;
    return 0;
}

static int apply_rated(struct batch *batch, const struct entry *entry)
{
    const struct entry_rated *fact = &entry->rated;
    tender_bytes names[] = {fact->skill, fact->tier};
    return keep_fact(batch, entry, names, 2, fact->rate_micro == 0);
}

static int apply_counted(struct batch *batch, const struct entry *entry)
{
    const struct entry_counted *fact = &entry->counted;
    tender_bytes names[] = {fact->resource, fact->contractor};
    int status = keep_fact(batch, entry, names, 2, fact->count == 0);
    return status == 0 ? project_counted(batch, entry) : status;
}

/* A quarantine that is over still tells which failures have been judged; a reign sweeps it later.
 */
static int apply_barred(struct batch *batch, const struct entry *entry)
{
    const struct entry_barred *fact = &entry->barred;
    tender_bytes names[] = {fact->contractor, fact->principal, fact->skill};
    bool is_over = fact->until_us == 0 && fact->reason != TENDER_REASON_QUARANTINED;
    return keep_fact(batch, entry, names, 3, is_over);
}

/* Never over by itself: a goal whose tasks have ended is swept when a reign begins. */
static int apply_goaled(struct batch *batch, const struct entry *entry)
{
    const struct entry_goaled *fact = &entry->goaled;
    tender_bytes names[] = {fact->principal, fact->goal};
    return keep_fact(batch, entry, names, 2, false);
}

/* Never over: who was revoked stays known. */
static int apply_admitted(struct batch *batch, const struct entry *entry)
{
    return keep_fact(batch, entry, &entry->admitted.principal, 1, false);
}

static int apply_vouched(struct batch *batch, const struct entry *entry)
{
    return keep_fact(batch, entry, &entry->vouched.agent, 1, false);
}

int project_house(struct batch *batch, const struct entry *entry)
{
    switch ((int)entry->kind) {
    case ENTRY_ENROLLED:
        return apply_enrolled(batch, entry);
    case ENTRY_DEPARTED:
        return apply_departed(batch, entry);
    case ENTRY_FUNDED:
        return apply_funded(batch, entry);
    case ENTRY_RECESS:
        return apply_recess(batch, entry);
    case ENTRY_RATED:
        return apply_rated(batch, entry);
    case ENTRY_COUNTED:
        return apply_counted(batch, entry);
    case ENTRY_BARRED:
        return apply_barred(batch, entry);
    case ENTRY_GOALED:
        return apply_goaled(batch, entry);
    case ENTRY_ADMITTED:
        return apply_admitted(batch, entry);
    case ENTRY_VOUCHED:
        return apply_vouched(batch, entry);
    default:
        return 0;
    }
}
