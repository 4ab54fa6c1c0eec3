/*
 * What the world saw and the ledger does not hold: when bids were heard, who was sent a cfp. The
 * auditor asks.
 */
#include "world.h"

#include <string.h>

void witness_bid(struct world *world, const struct event *event)
{
    world->heard = pool_grow(&world->pool, world->heard, world->heard_count, &world->heard_capacity,
                             sizeof *world->heard);
    world->heard[world->heard_count++] =
        (struct heard_bid){.task = event->message->conversation,
                           .round = event->message->round,
                           .contractor = event->peer,
                           .cost_micro = event->message->cost_micro,
                           .at_us = event->at_us};
}

static void remember(struct world *world, struct told_cfp told)
{
    world->cfps = pool_grow(&world->pool, world->cfps, world->cfp_count, &world->cfp_capacity,
                            sizeof *world->cfps);
    world->cfps[world->cfp_count++] = told;
}

void witness_cfp(struct world *world, uint32_t peer, const struct message *cfp)
{
    remember(world, (struct told_cfp){cfp->conversation, false, cfp->digest, peer});
}

void witness_close(struct world *world, tender_id task)
{
    remember(world, (struct told_cfp){.task = task, .is_close = true});
}

static bool was_heard(const void *context, tender_id task, int64_t round, tender_bytes contractor,
                      int64_t cost_micro, int64_t before_us)
{
    const struct world *world = context;
    for (size_t i = world->heard_count; i > 0; i--) {
        const struct heard_bid *bid = &world->heard[i - 1];
        if (bid->at_us < before_us && bid->cost_micro == cost_micro && bid->round == round &&
            tender_id_equal(bid->task, task) && bytes_equal(bid->contractor, contractor)) {
            return true;
        }
    }
    return false;
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
    const char *principal = NULL;
    bool is_enough = task->terms.close_alone != 0 || task->is_fallback_round;
    for (size_t i = 0; i < world->cfp_count; i++) {
        const struct told_cfp *cfp = &world->cfps[i];
        if (!tender_id_equal(cfp->task, task->id)) {
            continue;
        }
        if (cfp->is_close) {
            is_enough = true;
        } else if (memcmp(&cfp->digest, &task->round_digest, sizeof cfp->digest) == 0) {
            const struct peer *peer = &world->peers[cfp->peer];
            if (!has_answer(task, peer->name)) {
                return false;
            }
            is_enough = is_enough || (principal != NULL && principal != peer->principal);
            principal = peer->principal;
        }
    }
    return is_enough;
}

struct audit_witness witness_of(const struct world *world)
{
    return (struct audit_witness){.context = world, .heard = was_heard, .complete = is_complete};
}
