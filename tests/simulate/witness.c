/*
 * What the world saw and the ledger does not hold: what the book heard and when, who was sent a
 * cfp, whose bid was answered. The auditor asks; what the book answers to an announcement is
 * checked at once.
 */
#include "world.h"

#include <string.h>

static struct heard_bid *bid_find(struct world *world, tender_id task, int64_t round, uint32_t peer)
{
    uint64_t session = broker_session(world, peer);
    int64_t reign = broker_reign(world);
    for (size_t i = world->heard_count; i > 0; i--) {
        struct heard_bid *bid = &world->heard[i - 1];
        if (bid->round == round && bid->peer == peer && tender_id_equal(bid->task, task) &&
            bid->reign == reign && bid->session == session) {
            return bid;
        }
    }
    return NULL;
}

#define ANY_GENERATION (-1) /* the only one that its owner has */

static void hear_bid(struct world *world, const struct event *event)
{
    const struct message *said = event->message;
    uint32_t peer = broker_peer(world, event->peer);
    world->heard = pool_grow(&world->pool, world->heard, world->heard_count, &world->heard_capacity,
                             sizeof *world->heard);
    world->heard[world->heard_count++] = (struct heard_bid){.task = said->conversation,
                                                            .round = said->round,
                                                            .peer = peer,
                                                            .cost_micro = said->cost_micro,
                                                            .at_us = event->at_us,
                                                            .reign = broker_reign(world),
                                                            .session = broker_session(world, peer)};
}

static void hear_report(struct world *world, const struct event *event)
{
    world->reports = pool_grow(&world->pool, world->reports, world->report_count,
                               &world->report_capacity, sizeof *world->reports);
    const struct message *said = event->message;
    int64_t generation = message_has(said, MESSAGE_GENERATION) ? said->generation : ANY_GENERATION;
    world->reports[world->report_count++] =
        (struct heard_report){said->conversation, generation, broker_peer(world, event->peer)};
}

static void remember(struct world *world, struct told_cfp told)
{
    told.reign = broker_reign(world);
    world->cfps = pool_grow(&world->pool, world->cfps, world->cfp_count, &world->cfp_capacity,
                            sizeof *world->cfps);
    world->cfps[world->cfp_count++] = told;
}

/* By the broker that reigns: what another one hears is no sign. */
static void hear_sign(struct world *world, const struct event *event)
{
    if (broker_reign(world) != world->database.reign) {
        return;
    }
    world->signs = pool_grow(&world->pool, world->signs, world->sign_count, &world->sign_capacity,
                             sizeof *world->signs);
    world->signs[world->sign_count++] =
        (struct heard_peer){broker_peer(world, event->peer), event->at_us, broker_reign(world)};
}

void witness_event(struct world *world, const struct event *event)
{
    if ((event->kind == EVENT_MESSAGE && event->request == 0) || event->kind == EVENT_HEARD) {
        hear_sign(world, event);
    }
    if (event->message == NULL) {
        return;
    }
    switch (event->message->performative) {
    case TENDER_PROPOSE:
        hear_bid(world, event);
        break;
    case TENDER_CLOSE:
        remember(world, (struct told_cfp){.task = event->message->conversation, .is_close = true});
        break;
    case TENDER_ACKNOWLEDGE:
    case TENDER_INFORM_PROGRESS:
    case TENDER_INFORM_DONE:
    case TENDER_FAILURE:
    case TENDER_BELIEVE: /* of an owner about its own commitment: a report */
        hear_report(world, event);
        break;
    default:
        break;
    }
}

/* Between two improving rounds the next cfp is the answer, where it comes first. */
static void answer_by_cfp(struct world *world, uint32_t peer, const struct message *cfp)
{
    struct heard_bid *bid = bid_find(world, cfp->conversation, cfp->round - 1, peer);
    if (message_has(cfp, MESSAGE_RANK) && bid != NULL && bid->verdicts == 0) {
        bid->verdicts = 1;
    }
}

void witness_tell(struct world *world, uint32_t peer, const struct message *message)
{
    if (message->performative == TENDER_CFP) {
        remember(world, (struct told_cfp){.task = message->conversation,
                                          .digest = message->digest,
                                          .peer = peer});
        answer_by_cfp(world, peer, message);
        return;
    }
    if (message->performative != TENDER_ACCEPT_PROPOSAL &&
        message->performative != TENDER_REJECT_PROPOSAL) {
        return;
    }
    struct heard_bid *bid = bid_find(world, message->conversation, message->round, peer);
    if (bid != NULL) {
        bid->verdicts++;
    }
}

/* Whether it is a task that has committed, or may by the broker whose turn it is. */
static bool is_alive(const struct world *world, const struct heard_announcement *one)
{
    return one->reign == broker_reign(world) || audit_task_find(&world->audit, one->task) != NULL;
}

/* The task that the same principal made with the same words, or nil. */
static tender_id task_of_same(const struct world *world, const struct event *event)
{
    for (size_t i = 0; i < world->announcement_count; i++) {
        const struct heard_announcement *one = &world->announcements[i];
        if (bytes_equal(one->principal, event->principal) && is_alive(world, one) &&
            message_equal(one->message, event->message)) {
            return one->task;
        }
    }
    return (tender_id){{0}};
}

static const struct message *answer_in(const struct effects *effects)
{
    for (size_t i = 0; i < effects->tell_count; i++) {
        tender_performative performative = effects->tells[i].message.performative;
        if (performative == TENDER_AGREE || performative == TENDER_REFUSE) {
            return &effects->tells[i].message;
        }
    }
    return NULL;
}

/* I7: the same words give the same task, other words another task or a refusal. */
void witness_effects(struct world *world, const struct event *event, const struct effects *effects)
{
    bool is_fenced = broker_reign(world) != world->database.reign;
    if (is_fenced || event->message == NULL || event->message->performative != TENDER_ANNOUNCE) {
        return; /* what a fenced broker answers never leaves: tells.c */
    }
    tender_id same = task_of_same(world, event);
    const struct message *answer = answer_in(effects);
    require(answer != NULL, "I7", "an announcement is not answered");
    if (!tender_id_is_nil(same)) {
        require(answer->performative == TENDER_AGREE && tender_id_equal(answer->conversation, same),
                "I7", "the announcement of %s, said again, is answered otherwise", audit_id(same));
        return;
    }
    if (answer->performative != TENDER_AGREE) {
        return;
    }
    require(tender_id_equal(answer->conversation, event->task), "I7",
            "other words under the same key are answered with task %s",
            audit_id(answer->conversation));
    world->announcements = pool_grow(&world->pool, world->announcements, world->announcement_count,
                                     &world->announcement_capacity, sizeof *world->announcements);
    world->announcements[world->announcement_count++] = (struct heard_announcement){
        event->task, pool_bytes(&world->pool, event->principal),
        pool_message(&world->pool, event->message), broker_reign(world)};
}

static bool is_said_once(const struct world *world, const struct heard_bid *bid)
{
    for (size_t i = 0; i < world->heard_count; i++) {
        const struct heard_bid *other = &world->heard[i];
        if (other != bid && other->peer == bid->peer && other->round == bid->round &&
            tender_id_equal(other->task, bid->task)) {
            return false;
        }
    }
    return true;
}

/*
 * Every bid is answered exactly once: looked at where broker and session still live and the bid was
 * said once, because a new session is told again what is open.
 */
void witness_end(struct world *world)
{
    broker_make_current(world);
    for (size_t i = 0; i < world->heard_count; i++) {
        const struct heard_bid *bid = &world->heard[i];
        bool is_seen = bid->reign == broker_reign(world) && bid->session != 0 &&
                       bid->session == broker_session(world, bid->peer) && is_said_once(world, bid);
        require(!is_seen || bid->verdicts == 1, "bids",
                "the bid of %s in round %lld of %s is answered %u times",
                world->peers[bid->peer].name, (long long)bid->round, audit_id(bid->task),
                bid->verdicts);
    }
}

static bool was_heard(const void *context, tender_id task, int64_t round, tender_bytes contractor,
                      int64_t cost_micro, int64_t before_us)
{
    const struct world *world = context;
    uint32_t peer = broker_peer(world, contractor);
    for (size_t i = world->heard_count; i > 0; i--) {
        const struct heard_bid *bid = &world->heard[i - 1];
        if (bid->at_us < before_us && bid->cost_micro == cost_micro && bid->round == round &&
            bid->peer == peer && tender_id_equal(bid->task, task)) {
            return true;
        }
    }
    return false;
}

static bool has_reported(const void *context, tender_id task, int64_t generation,
                         tender_bytes contractor)
{
    const struct world *world = context;
    uint32_t peer = broker_peer(world, contractor);
    for (size_t i = world->report_count; i > 0; i--) {
        const struct heard_report *report = &world->reports[i - 1];
        bool is_of_it = report->generation == generation || report->generation == ANY_GENERATION;
        if (is_of_it && report->peer == peer && tender_id_equal(report->task, task)) {
            return true;
        }
    }
    return false;
}

/* What a broker heard and did not live to record its successor counts from the recess on. */
static int64_t sign_at(const struct world *world, const struct heard_peer *sign)
{
    const struct audit *audit = &world->audit;
    if (sign->reign == audit->writer || audit->recess_count == 0) {
        return sign->at_us;
    }
    int64_t floor_us = audit->recesses[audit->recess_count - 1].at_us;
    return sign->at_us < floor_us ? sign->at_us : floor_us;
}

static int64_t silence_of(const void *context, tender_bytes contractor, int64_t at_us)
{
    const struct world *world = context;
    uint32_t peer = broker_peer(world, contractor);
    for (size_t i = world->sign_count; i > 0; i--) {
        if (world->signs[i - 1].peer == peer && world->signs[i - 1].at_us < at_us) {
            return at_us - sign_at(world, &world->signs[i - 1]);
        }
    }
    return at_us;
}

static bool has_answer(const struct audit_task *task, const char *contractor)
{
    for (size_t i = 0; i < task->answer_count; i++) {
        if (bytes_equal(task->answers[i].bid.contractor, bytes_of(contractor))) {
            return true;
        }
    }
    return false;
}

static bool is_complete(const void *context, const struct audit_task *task)
{
    const struct world *world = context;
    tender_bytes root = {NULL, 0};
    bool is_enough = task->terms.close_alone != 0 || task->is_fallback_round;
    for (size_t i = 0; i < world->cfp_count; i++) {
        const struct told_cfp *cfp = &world->cfps[i];
        if (!tender_id_equal(cfp->task, task->id)) {
            continue;
        }
        if (cfp->is_close) {
            is_enough = true;
        } else if ((cfp->reign == task->round_writer || cfp->reign == world->audit.writer) &&
                   memcmp(&cfp->digest, &task->round_digest, sizeof cfp->digest) == 0) {
            const struct peer *peer = &world->peers[cfp->peer];
            if (!has_answer(task, peer->name)) {
                return false;
            }
            tender_bytes own =
                audit_root(&world->audit, bytes_of(peer->principal), task->round_kin);
            is_enough = is_enough || (root.size > 0 && !bytes_equal(root, own));
            root = own;
        }
    }
    return is_enough;
}

struct audit_witness witness_of(const struct world *world)
{
    return (struct audit_witness){.context = world,
                                  .heard = was_heard,
                                  .reported = has_reported,
                                  .silent = silence_of,
                                  .complete = is_complete};
}
