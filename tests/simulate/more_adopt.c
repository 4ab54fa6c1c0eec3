/* Late results that clients adopt: for units that nobody has done or promised, by the old price. */
#include "more.h"

#include <inttypes.h>

static void adopt(struct world *world, uint32_t client, tender_id task, int64_t part,
                  int64_t generation)
{
    struct message said = {.performative = TENDER_ADOPT, .conversation = task};
    message_set(&said, PART, part, part);
    message_set(&said, GENERATION, generation, generation);
    client_says(world, client, &said, chance(world, 250));
}

void more_adopt_hears(struct world *world, uint32_t client, const struct message *message)
{
    bool is_late = message->performative == TENDER_INFORM && message_has(message, MESSAGE_SIZE) &&
                   message_has(message, MESSAGE_CONTRACTOR);
    bool is_failed = message->performative == TENDER_FAILURE;
    if ((!is_late && !is_failed) || world->is_calm) {
        return;
    }
    for (int i = 0; i < 2 && chance(world, i == 0 ? 600 : 200); i++) {
        adopt(world, client, message->conversation, message->part, message->generation);
    }
}

void more_adopt_client(struct world *world, uint32_t client)
{
    const struct ask *ask = client_picks(world, client);
    if (ask != NULL && chance(world, 60)) {
        adopt(world, client, ask->task, PICK(0, 0, 1, 2), PICK(1, 1, 2, 3));
    }
}

void more_adopt_announce(struct world *world, uint32_t client, struct message *said)
{
    (void)world;
    (void)client;
    (void)said;
}

void more_adopt_bid(struct world *world, uint32_t contractor, const struct message *cfp,
                    struct message *said)
{
    (void)world;
    (void)contractor;
    (void)cfp;
    (void)said;
}

void more_adopt_report(struct world *world, uint32_t contractor, const struct message *award,
                       struct message *said)
{
    (void)world;
    (void)contractor;
    (void)award;
    (void)said;
}

void more_adopt_contractor(struct world *world, uint32_t contractor, const struct message *message)
{
    (void)world;
    (void)contractor;
    (void)message;
}

void audit_came_late(struct audit_award *award, int64_t units, uint64_t number)
{
    if (units > award->late_units) {
        award->late_units = units;
        award->late_number = number;
    }
}

static bool is_owned(const struct audit_award *award)
{
    return award->state == TENDER_COMMITMENT_ACTIVE || award->state == TENDER_COMMITMENT_DELIVERED;
}

static bool waits_for_cover(const struct audit_task *task, const struct audit_award *award)
{
    return task->terms.partial == TENDER_PARTIAL_COVER && !award->is_covered &&
           (award->state == TENDER_COMMITMENT_FAILED || award->state == TENDER_COMMITMENT_LAPSED) &&
           award->units_done > 0 && award->units_done < award->units;
}

static int64_t least(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

/* What others do, and may be paid for it. */
struct bound {
    int64_t units;
    int64_t micro;
    bool has_covers;
};

static struct bound bound_by_others(const struct audit_task *task)
{
    struct bound bound = {0, 0, false};
    for (size_t i = 0; i < task->award_count; i++) {
        const struct audit_award *award = &task->awards[i];
        if (is_owned(award)) {
            bound.units += award->units;
            bound.micro += award->price_micro;
        } else if (waits_for_cover(task, award)) {
            bound.micro += oracle_share(award->price_micro, award->units_done, award->units);
            bound.has_covers = true;
        }
    }
    return bound;
}

void audit_adopted(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    const struct entry_adopted *said = &entry->adopted;
    struct audit_award *award = audit_award_find(task, said->part, said->generation);
    require(award != NULL && !is_owned(award) && bytes_equal(award->principal, said->principal) &&
                bytes_equal(award->contractor, said->contractor),
            "adopt", "%s adopts from who did not do it", audit_id(task->id));
    struct bound bound = bound_by_others(task);
    int64_t late =
        least(award->late_units, award->units) - award->units_done - award->adopted_units;
    int64_t units = least(late, task->terms.units - task->units_done - bound.units);
    require(said->units == units && units > 0 && said->late == (int64_t)award->late_number, "adopt",
            "%s adopts %" PRId64 " units instead of %" PRId64, audit_id(task->id), said->units,
            units);
    int64_t share = oracle_share(award->price_micro, units, award->units);
    int64_t left = task->terms.ceiling_micro - task->paid_micro - bound.micro;
    int64_t paid = least(share, left > 0 ? left : 0);
    require(said->paid_micro == paid, "adopt", "%s pays %" PRId64 " instead of %" PRId64,
            audit_id(task->id), said->paid_micro, paid);
    award->adopted_units += units;
    task->adopted_micro += paid;
    task->units_done += units;
    task->paid_micro += paid;
    require(task->paid_micro <= task->terms.ceiling_micro, "I4", "%s costs more than its ceiling",
            audit_id(task->id));
    if (task->units_done + bound.units == task->terms.units) {
        audit_left_to_parts(task);
    }
    bool is_end = task->units_done == task->terms.units && !bound.has_covers;
    require((said->task_state == TENDER_TASK_DONE) == is_end, "adopt",
            "%s ends by what it adopts, or does not", audit_id(task->id));
    if (is_end) {
        audit_end(audit, task, entry, said->task_state, said->task_reason, said->released_micro);
    }
}
