/*
 * Looks into the sessions of the SDK: which bids and reports of a contractor the broker has heard,
 * that is, has recorded. The interface tells it of no message by itself, and a journal should say
 * it of each.
 *
 * A broker hears in the order in which things were said to it, so the count of what is left says
 * which those are. A contractor of several brokers has a session with each. When one of these is
 * begun anew, what it had left goes to the other brokers, and nothing is claimed of it any more.
 * Nor is it of a bid that the broker answered before it said that it was heard: who does not hold
 * the task answers `elsewhere`, and records nothing; other answers are in the journal themselves.
 */
#include "load.h"

#include <string.h>

#include "../../../contractor-sdk/src/fleet_internal.h"

#define FACTS_MAX 4096 /* said and not heard, to one broker */

/* A ring: what was said from `heard` to `said`; `id` is of the session. */
struct queue {
    uint8_t id[16];
    uint32_t said;
    uint32_t heard;
    struct fact facts[FACTS_MAX];
};

struct facts {
    tender_contractor *contractor;
    size_t count;
    struct queue *last; /* to which something was said last */
    struct queue queues[];
};

static const tender_contractor *member_of(const struct facts *facts, size_t index)
{
    const struct fleet *fleet = facts->contractor->fleet;
    return fleet == NULL ? facts->contractor : fleet->members[index].contractor;
}

struct facts *facts_open(tender_contractor *contractor)
{
    size_t count = contractor->fleet == NULL ? 1 : contractor->fleet->count;
    struct facts *facts = load_take(1, sizeof *facts + count * sizeof(struct queue));
    facts->contractor = contractor;
    facts->count = count;
    facts->last = &facts->queues[0];
    return facts;
}

void facts_say(struct facts *facts, const struct fact *fact)
{
    const tender_contractor *member = fleet_member(facts->contractor, fact->task);
    size_t index = 0;
    while (member_of(facts, index) != member) {
        index++;
    }
    facts->last = &facts->queues[index];
    if (facts->last->said - facts->last->heard == FACTS_MAX) {
        load_fail("a broker hears nothing any more");
    }
    facts->last->facts[facts->last->said++ % FACTS_MAX] = *fact;
}

void facts_unsay(struct facts *facts)
{
    facts->last->said--;
}

static bool is_fact(tender_performative performative)
{
    switch ((int)performative) {
    case TENDER_PROPOSE:
    case TENDER_REFUSE:
    case TENDER_INFORM_PROGRESS:
    case TENDER_INFORM_DONE:
    case TENDER_FAILURE:
        return true;
    default:
        return false;
    }
}

/* How many facts are left in a session; true where it is another than it was. */
static bool count_left(struct session *session, struct queue *queue, uint32_t *count_out)
{
    uint32_t count = 0;
    session_lock(session);
    bool is_another = memcmp(session->id, queue->id, sizeof queue->id) != 0;
    memcpy(queue->id, session->id, sizeof queue->id);
    for (size_t i = 0; i < session->outbox.count; i++) {
        tender_performative performative;
        (void)outbox_peek(&session->outbox, i, &performative);
        count += is_fact(performative);
    }
    session_unlock(session);
    *count_out = count;
    return is_another;
}

/* Whether a broker of several counts it among what it has recorded: no bid that was answered. */
static bool is_recorded(const struct facts *facts, size_t index, const struct fact *fact)
{
    const tender_contractor *member = member_of(facts, index);
    if (facts->contractor->fleet == NULL || strcmp(fact->kind, "bid") != 0) {
        return true;
    }
    session_lock(member->view.session);
    const struct terms *terms = terms_find(&member->terms, fact->task, fact->generation);
    bool is_standing = terms != NULL && terms->has_bid;
    session_unlock(member->view.session);
    return is_standing;
}

void facts_note(struct facts *facts, void (*on_heard)(void *context, const struct fact *fact),
                void *context)
{
    for (size_t i = 0; i < facts->count; i++) {
        struct queue *queue = &facts->queues[i];
        struct session *session = member_of(facts, i)->view.session;
        uint32_t left = 0;
        if (queue->said == queue->heard) {
            continue;
        }
        if (count_left(session, queue, &left) && session->is_pinned) {
            queue->heard = queue->said;
        }
        for (; queue->said - queue->heard > left; queue->heard++) {
            const struct fact *fact = &queue->facts[queue->heard % FACTS_MAX];
            if (is_recorded(facts, i, fact)) {
                on_heard(context, fact);
            }
        }
    }
}
