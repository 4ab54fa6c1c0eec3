/*
 * Rounds of improving bids: bidders come down from round to round, or not. The auditor keeps what
 * each principal asked for last, and compares with its own ranking what a bidder is told of its
 * place.
 */
#include "more.h"

#include "fail.h"

#include <inttypes.h>
#include <string.h>

#define LEADS_MAX WORLD_PRINCIPALS

/* What a principal asked for last; rank 0: not in the round before. */
struct lead {
    tender_bytes contractor;
    tender_bytes root;
    int64_t cost_micro;
    int64_t rank;
};

/* The auction under way. */
struct improving {
    struct lead leads[LEADS_MAX];
    size_t count;
    int64_t improved;
    bool must_go_on; /* the next round opens at once */
};

void more_improve_announce(struct world *world, uint32_t client, struct message *said)
{
    (void)client;
    if (!chance(world, 80) || message_has(said, MESSAGE_SPLIT_MAX) ||
        message_has(said, MESSAGE_INVITE_MAX)) {
        return;
    }
    message_set(said, IMPROVE, improve, PICK(1, 1, 2, 3));
    message_set(said, LEAD_ONLY, lead_only, PICK(0, 1));
    said->present &= ~MESSAGE_BIT(MESSAGE_CLOSE_ALONE);
    said->close_alone = 0;
}

void more_improve_client(struct world *world, uint32_t client)
{
    (void)world;
    (void)client;
}

void more_improve_hears(struct world *world, uint32_t client, const struct message *message)
{
    (void)world;
    (void)client;
    (void)message;
}

/* The nearer the last round, the less; now and then something else. */
void more_improve_bid(struct world *world, uint32_t contractor, const struct message *cfp,
                      struct message *said)
{
    if (!message_has(cfp, MESSAGE_IMPROVE) || chance(world, 100)) {
        return;
    }
    int64_t share = 2 + (contractor + cfp->conversation.bytes[15]) % 5;
    int64_t cost = (int64_t)((__int128)cfp->ceiling_micro * share * (2 + cfp->improve) / 64);
    message_set(said, COST, cost_micro, cost);
}

void more_improve_report(struct world *world, uint32_t contractor, const struct message *award,
                         struct message *said)
{
    (void)world;
    (void)contractor;
    (void)award;
    (void)said;
}

static const struct lead *lead_of(const struct audit_task *task, tender_bytes root)
{
    const struct improving *improving = task->more.improve;
    for (size_t i = 0; improving != NULL && i < improving->count; i++) {
        if (bytes_equal(improving->leads[i].root, root)) {
            return &improving->leads[i];
        }
    }
    return NULL;
}

/* What a bidder is told of its place, once the ledger holds the round that it is told with. */
void more_improve_contractor(struct world *world, uint32_t contractor,
                             const struct message *message)
{
    const struct audit_task *task = audit_task_find(&world->audit, message->conversation);
    if (message->performative != TENDER_CFP || task == NULL || task->state != AUDIT_BIDDING ||
        memcmp(&task->round_digest, &message->digest, sizeof message->digest) != 0) {
        return; /* a round that is over, or died with its broker */
    }
    const struct improving *improving = task->more.improve;
    tender_bytes principal = bytes_of(world->peers[contractor].principal);
    tender_bytes root = audit_root(&world->audit, principal, task->round_kin);
    if (!bytes_equal(root, audit_root(&world->audit, principal, world->audit.kin_count))) {
        return; /* it was enrolled below another one since then */
    }
    const struct lead *lead = lead_of(task, root);
    bool has_rank = lead != NULL && lead->rank > 0 &&
                    bytes_equal(lead->contractor, bytes_of(world->peers[contractor].name));
    int64_t rank = !has_rank ? 0 : task->terms.lead_only ? lead->rank == 1 : lead->rank;
    require(message_has(message, MESSAGE_RANK) == has_rank && message->rank == rank, "improve",
            "%s is told rank %" PRId64 " in %s, and has %" PRId64, world->peers[contractor].name,
            message->rank, audit_id(task->id), rank);
    int64_t left = task->terms.improve - (improving == NULL ? 0 : improving->improved);
    require(task->terms.improve == 0 || message->improve == left, "improve",
            "%" PRId64 " rounds of %s are said to be left, not %" PRId64, message->improve,
            audit_id(task->id), left);
}

bool audit_not_improved(const struct audit *audit, const struct audit_task *task,
                        const struct oracle_bid *bid)
{
    const struct lead *lead = lead_of(task, audit_root(audit, bid->principal, audit->kin_count));
    return lead != NULL && bid->cost_micro > lead->cost_micro;
}

static void take_lead(struct improving *improving, const struct oracle_bid *bid, int64_t rank)
{
    struct lead *lead = NULL;
    for (size_t i = 0; i < improving->count && lead == NULL; i++) {
        bool is_it = bytes_equal(improving->leads[i].root, bid->root);
        lead = is_it ? &improving->leads[i] : NULL;
    }
    if (lead == NULL) {
        require(improving->count < LEADS_MAX, "audit", "more leads than principals");
        lead = &improving->leads[improving->count++];
    }
    *lead = (struct lead){bid->contractor, bid->root, bid->cost_micro, rank};
}

void audit_improving(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    if (task->more.improve == NULL) {
        task->more.improve = pool_take(audit->pool, sizeof(struct improving));
    }
    struct improving *improving = task->more.improve;
    audit_ranked(audit, task, entry, &entry->closed.ranks);
    require(task->order_count > 1 && improving->improved < task->terms.improve &&
                !task->is_fallback_round && entry->closed.reopens_at_us == 0,
            "improve", "round %" PRId64 " of %s closes to be improved and may not", task->round,
            audit_id(task->id));
    for (size_t i = 0; i < improving->count; i++) {
        improving->leads[i].rank = 0;
    }
    for (size_t i = 0; i < task->order_count; i++) {
        take_lead(improving, &task->bids[task->order[i]], (int64_t)i + 1);
    }
    improving->improved++;
    improving->must_go_on = true;
    task->uncounted++;
    task->reopens_at_us = 0;
}

void audit_improved(struct audit_task *task)
{
    struct improving *improving = task->more.improve;
    if (improving != NULL) {
        improving->must_go_on = false;
    }
}

/* The auction is over: it was awarded, in its last round, or its round closed otherwise. */
void audit_auction_over(struct audit_task *task, const struct entry *entry)
{
    struct improving *improving = task->more.improve;
    int64_t improved = improving == NULL ? 0 : improving->improved;
    bool fits = task->terms.window_us < task->deadline_us - entry->at_us;
    require(entry->kind != ENTRY_AWARDED || improved >= task->terms.improve || !fits ||
                task->order_count < 2 || task->is_fallback_round,
            "improve", "%s is awarded %" PRId64 " rounds early", audit_id(task->id),
            task->terms.improve - improved);
    require(improving == NULL || !improving->must_go_on, "improve",
            "%s stops between improving rounds", audit_id(task->id));
    if (improving != NULL) {
        *improving = (struct improving){0};
    }
}
