/*
 * Rounds that invite a drawn few. Who was there and free when a round opened is not in the ledger,
 * so the auditor checks the draw's bounds; tests/oracle draws it again.
 */
#include "more.h"

#include <inttypes.h>

/* Each drawn contractor is known, may have the task, and is the only one of its root. */
void audit_drawn(struct audit *audit, struct audit_task *task, const struct entry_opened *said)
{
    require((int64_t)said->drawn.count <= task->terms.invite_max, "draw",
            "round %" PRId64 " of %s draws %zu of %" PRId64, said->round, audit_id(task->id),
            said->drawn.count, task->terms.invite_max);
    for (size_t i = 0; i < said->drawn.count; i++) {
        const struct audit_contractor *drawn = audit_contractor(audit, said->drawn.items[i]);
        require(drawn != NULL && drawn->held < drawn->slots, "draw",
                "round %" PRId64 " of %s draws one that is not free", said->round,
                audit_id(task->id));
        require(!audit_is_out(audit, task, drawn->principal) &&
                    !audit_are_kin(audit, drawn->principal, task->terms.principal),
                "draw", "round %" PRId64 " of %s draws one that may not have it", said->round,
                audit_id(task->id));
        for (size_t j = 0; j < i; j++) {
            const struct audit_contractor *other = audit_contractor(audit, said->drawn.items[j]);
            require(!audit_are_kin(audit, other->principal, drawn->principal), "draw",
                    "round %" PRId64 " of %s draws two of one principal", said->round,
                    audit_id(task->id));
        }
    }
    task->more.draw = said->drawn.count == 0 ? NULL : task; /* whether the round is drawn */
}

/* Of a drawn round at most so many bids stand, each of another root. */
void audit_drawn_close(const struct audit *audit, const struct audit_task *task)
{
    int64_t standing = 0;
    for (size_t i = 0; task->more.draw != NULL && i < task->bid_count; i++) {
        standing++;
        for (size_t j = 0; j < i; j++) {
            tender_bytes root = audit_root(audit, task->bids[i].principal, task->round_kin);
            tender_bytes other = audit_root(audit, task->bids[j].principal, task->round_kin);
            require(!bytes_equal(root, other), "draw",
                    "two agents of a principal bid in a drawn round of %s", audit_id(task->id));
        }
    }
    require(standing <= task->terms.invite_max || task->more.draw == NULL, "draw",
            "%" PRId64 " bids stand in a round of %s, which invites %" PRId64, standing,
            audit_id(task->id), task->terms.invite_max);
}

void more_draw_announce(struct world *world, uint32_t client, struct message *said)
{
    (void)client;
    if (!chance(world, 100)) {
        return;
    }
    message_set(said, INVITE_MAX, invite_max, PICK(0, 1, 1, 2, 3));
    if (chance(world, 500)) {
        message_set(said, SHARE, share_ppm, PICK(0, 100000, 500000, 1000000));
    }
}

void more_draw_client(struct world *world, uint32_t client)
{
    (void)world;
    (void)client;
}

void more_draw_hears(struct world *world, uint32_t client, const struct message *message)
{
    (void)world;
    (void)client;
    (void)message;
}

void more_draw_bid(struct world *world, uint32_t contractor, const struct message *cfp,
                   struct message *said)
{
    (void)world;
    (void)contractor;
    (void)cfp;
    (void)said;
}

void more_draw_report(struct world *world, uint32_t contractor, const struct message *award,
                      struct message *said)
{
    (void)world;
    (void)contractor;
    (void)award;
    (void)said;
}

void more_draw_contractor(struct world *world, uint32_t contractor, const struct message *message)
{
    (void)world;
    (void)contractor;
    (void)message;
}
