/*
 * What leaves the broker is compared with the ledger as it is at that moment: nothing is promised,
 * paid or agreed to that has not committed (I2), and everybody is told what the ledger says.
 */
#include "world.h"

#include <inttypes.h>

static struct audit_task *task_of(struct world *world, const struct message *message)
{
    struct audit_task *task = audit_task_find(&world->audit, message->conversation);
    require(task != NULL, "I2", "%s about %s, which the ledger does not hold",
            tender_performative_name(message->performative), audit_id(message->conversation));
    return task;
}

static void check_accept(struct world *world, uint32_t peer, const struct message *message)
{
    struct audit_task *task = task_of(world, message);
    const struct audit_award *award = audit_award_find(task, message->part, message->generation);
    require(award != NULL, "I2", "award %" PRId64 " of %s is told before it has committed",
            message->generation, audit_id(task->id));
    require(bytes_equal(award->contractor, bytes_of(world->peers[peer].name)), "I2",
            "an award of %s is told to another than its owner", audit_id(task->id));
    require(award->price_micro == message->price_micro && award->units == message->units, "I2",
            "an award of %s is told with another price or units", audit_id(task->id));
    require(message->due_at_us <= award->due_at_us, "I3",
            "an award of %s is told with a later due than recorded", audit_id(task->id));
}

/* Agreements to announcements carry the key. */
static void check_agree(struct world *world, uint32_t peer, const struct message *message)
{
    if (tender_id_is_nil(message->conversation)) {
        return;
    }
    const struct audit_task *task = task_of(world, message);
    if (message_has(message, MESSAGE_KEY)) {
        require(bytes_equal(task->terms.key, message->key) &&
                    bytes_equal(task->terms.principal, bytes_of(world->peers[peer].principal)),
                "I7", "%s is agreed to under another key", audit_id(task->id));
    }
}

static void check_settlement(const struct audit_task *task, const struct audit_award *award,
                             const struct message *message)
{
    if (message_has(message, MESSAGE_STATE) &&
        tender_commitment_state_is_terminal((tender_commitment_state)message->state)) {
        require(award->state == (tender_commitment_state)message->state, "I2",
                "%s is told to have ended as %s before the ledger says so", audit_id(task->id),
                tender_commitment_state_name((tender_commitment_state)message->state));
    }
}

static void check_inform(struct world *world, const struct message *message)
{
    if (message_has(message, MESSAGE_GOAL) && tender_id_is_nil(message->conversation)) {
        return;
    }
    struct audit_task *task = task_of(world, message);
    if (message_has(message, MESSAGE_TASK_STATE) &&
        tender_task_state_is_terminal((tender_task_state)message->task_state)) {
        require(task->state == AUDIT_OVER &&
                    task->end_state == (tender_task_state)message->task_state,
                "I2", "%s is told to have ended before the ledger says so", audit_id(task->id));
        require(!message_has(message, MESSAGE_RELEASED) ||
                    message->released_micro == task->released_micro,
                "I12", "%s is told to release %" PRId64 " instead of %" PRId64, audit_id(task->id),
                message->released_micro, task->released_micro);
    }
    if (message_has(message, MESSAGE_GENERATION) && message->generation > 0) {
        const struct audit_award *award =
            audit_award_find(task, message->part, message->generation);
        require(award != NULL, "I2", "award %" PRId64 " of %s is told before it has committed",
                message->generation, audit_id(task->id));
        check_settlement(task, award, message);
    }
}

/* Nobody is told what is not paid for, where the task requires something of it. */
static void check_report(struct world *world, const struct message *message)
{
    struct audit_task *task = task_of(world, message);
    tells_check_report(task, audit_award_find(task, message->part, message->generation), message);
}

/* B6: every rejection carries one reason. */
static void check_reject(struct world *world, const struct message *message)
{
    (void)world;
    require(message->reason != TENDER_REASON_NONE, "reasons", "a bid on %s is rejected without one",
            audit_id(message->conversation));
}

static void check_conflict(struct world *world, uint32_t peer, const struct message *message)
{
    if (message->reason != TENDER_REASON_CONFLICT) {
        return;
    }
    for (const struct audit_task *task = world->audit.tasks; task != NULL; task = task->next) {
        if (bytes_equal(task->terms.key, message->key) &&
            bytes_equal(task->terms.principal, bytes_of(world->peers[peer].principal))) {
            return;
        }
    }
    fail("I7", "a conflict is told under a key that the ledger does not hold");
}

void tells_check(struct world *world, uint32_t peer, const struct message *message)
{
    switch (message->performative) {
    case TENDER_ACCEPT_PROPOSAL:
        check_accept(world, peer, message);
        break;
    case TENDER_AGREE:
        check_agree(world, peer, message);
        break;
    case TENDER_INFORM:
        check_inform(world, message);
        break;
    case TENDER_INFORM_PROGRESS:
    case TENDER_INFORM_DONE:
    case TENDER_FAILURE:
        check_report(world, message);
        break;
    case TENDER_REJECT_PROPOSAL:
        check_reject(world, message);
        break;
    case TENDER_REFUSE:
        check_conflict(world, peer, message);
        break;
    default:
        break;
    }
}
