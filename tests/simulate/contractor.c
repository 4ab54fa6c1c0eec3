/*
 * What contractors do: bid well, badly, twice, late or never; take awards or not; deliver, fail,
 * fall silent; report on what is no longer theirs.
 */
#include "more.h"

void contractor_offers(struct world *world, uint32_t index)
{
    const struct peer *peer = &world->peers[index];
    tender_bytes skills[4];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 4; i++) {
        if ((peer->skills & (1U << i)) != 0) {
            skills[count++] = bytes_of(world_skills[i]);
        }
    }
    struct message said = {.performative = TENDER_OFFER};
    struct message_texts texts = {count, skills};
    message_set(&said, SKILLS, skills, texts);
    message_set(&said, SLOTS, slots, peer->slots);
    line_outbox_add(world, &world->peers[index].outbox, pool_message(&world->pool, &said));
}

static void plan(struct world *world, uint32_t peer, enum act_kind kind,
                 const struct message *message, int64_t delay_us)
{
    struct act *act = pool_take(&world->pool, sizeof *act);
    *act = (struct act){kind, message};
    world_push(world, delay_us, HAPPENING_ACT, peer, world->peers[peer].life, act);
}

static void refuse(struct world *world, uint32_t peer, const struct message *cfp)
{
    struct message said = {.performative = TENDER_REFUSE, .conversation = cfp->conversation};
    message_set(&said, ROUND, round, cfp->round);
    message_set(&said, REASON, reason, TENDER_REASON_OVER_CAPACITY);
    line_say(world, peer, &said);
}

/* One field of a bid goes wrong. */
static void spoil(struct world *world, uint32_t index, struct message *said,
                  const struct message *cfp)
{
    switch (prng_below(&world->prng, 8)) {
    case 0:
        message_set(said, COST, cost_micro, cfp->ceiling_micro + 1);
        break;
    case 1:
        message_set(said, ETA, eta_us, cfp->due_us + 1);
        break;
    case 2:
        said->digest.bytes[7] ^= 1;
        break;
    case 3:
        message_set(said, ROUND, round, cfp->round + PICK(-1, 1));
        break;
    case 4:
        message_set(said, VALID_UNTIL, valid_until_us, line_now(world, index) + 1);
        break;
    case 5:
        said->cost_micro = -1;
        said->present &= chance(world, 500) ? ~MESSAGE_BIT(MESSAGE_COST) : ~(message_mask)0;
        break;
    case 6:
        said->eta_us = -1;
        said->present &= chance(world, 500) ? ~MESSAGE_BIT(MESSAGE_ETA) : ~(message_mask)0;
        break;
    default:
        said->conversation.bytes[15] ^= 1;
        break;
    }
}

static void bid(struct world *world, uint32_t index, const struct message *cfp)
{
    const struct peer *peer = &world->peers[index];
    struct message said = {.performative = TENDER_PROPOSE, .conversation = cfp->conversation};
    bool is_wastrel = world->has_wastrel && index == world->client_count;
    int64_t eighths = is_wastrel ? 0 : prng_between(&world->prng, world->has_wastrel ? 1 : 0, 8);
    message_set(&said, ROUND, round, cfp->round);
    message_set(&said, DIGEST, digest, cfp->digest);
    message_set(&said, COST, cost_micro, (int64_t)((__int128)cfp->ceiling_micro * eighths / 8));
    int64_t eta_us = cfp->due_us * PICK(1, 4, 4, 8) / 8;
    message_set(&said, ETA, eta_us, eta_us > 0 ? eta_us : 1);
    if (chance(world, 200)) {
        int64_t ack_us = cfp->ack_us;
        message_set(&said, VALID_UNTIL, valid_until_us,
                    cfp->closes_at_us + ack_us + PICK(0, 0, 200000, 5000000));
    }
    more_bid(world, index, cfp, &said);
    if (chance(world, peer->nonsense)) {
        spoil(world, index, &said, cfp);
    }
    line_say(world, index, &said);
    if (chance(world, 80)) { /* the same again, or another */
        said.cost_micro = chance(world, 500) ? said.cost_micro : said.cost_micro / 2;
        line_say(world, index, &said);
    }
    if (chance(world, 60)) {
        plan(world, index, ACT_WITHDRAW, cfp, world_delay(world, 500000));
    }
}

static void withdraw(struct world *world, uint32_t peer, const struct message *cfp)
{
    struct message said = {.performative = TENDER_WITHDRAW, .conversation = cfp->conversation};
    message_set(&said, ROUND, round, cfp->round);
    line_say(world, peer, &said);
}

/* A report about the award; now and then about another one than it holds. */
static struct message report_of(struct world *world, tender_performative performative,
                                const struct message *award)
{
    struct message said = {.performative = performative, .conversation = award->conversation};
    int64_t generation = award->generation;
    if (chance(world, 30)) {
        generation += generation > 1 ? PICK(-1, 1) : 1;
    }
    message_set(&said, PART, part, award->part);
    message_set(&said, GENERATION, generation, generation);
    return said;
}

static void acknowledge(struct world *world, uint32_t peer, const struct message *award)
{
    struct message said = report_of(world, TENDER_ACKNOWLEDGE, award);
    line_say(world, peer, &said);
}

static void progress(struct world *world, uint32_t peer, const struct message *award)
{
    struct message said = report_of(world, TENDER_INFORM_PROGRESS, award);
    message_set(&said, UNITS_DONE, units_done,
                prng_between(&world->prng, 0, award->units + (chance(world, 50) ? 1 : 0)));
    message_set(&said, CONTENT, content, bytes_of("some of it"));
    more_report(world, peer, award, &said);
    line_say(world, peer, &said);
}

static void finish(struct world *world, uint32_t index, const struct message *award)
{
    const struct peer *peer = &world->peers[index];
    if (chance(world, peer->fails)) {
        struct message said = report_of(world, TENDER_FAILURE, award);
        message_set(&said, UNITS_DONE, units_done,
                    world->has_wastrel ? 0 : prng_between(&world->prng, 0, award->units));
        message_set(&said, REASON, reason, TENDER_REASON_QUALITY_CHECK);
        message_set(&said, TEXT, text, bytes_of("terminology"));
        more_report(world, index, award, &said);
        line_say(world, index, &said);
    } else if (chance(world, peer->delivers)) {
        struct message said = report_of(world, TENDER_INFORM_DONE, award);
        message_set(&said, UNITS_DONE, units_done,
                    award->units - (chance(world, 30) && award->units > 1 ? 1 : 0));
        message_set(&said, CONTENT, content, bytes_of("all of it"));
        more_report(world, index, award, &said);
        line_say(world, index, &said);
    }
}

static void hears_award(struct world *world, uint32_t index, const struct message *award)
{
    const struct peer *peer = &world->peers[index];
    int64_t left_us = award->due_at_us - line_now(world, index);
    left_us = left_us > 0 ? left_us : 0;
    if (!chance(world, peer->acknowledges)) {
        if (chance(world, 500)) { /* gives it back */
            struct message said = report_of(world, TENDER_FAILURE, award);
            message_set(&said, UNITS_DONE, units_done, 0);
            message_set(&said, REASON, reason, TENDER_REASON_UNABLE);
            line_say(world, index, &said);
        }
        return;
    }
    if (chance(world, 700)) {
        plan(world, index, ACT_ACKNOWLEDGE, award,
             chance(world, 500) ? 0 : world_delay(world, 300000));
    }
    for (int i = 0; i < 3 && chance(world, 300); i++) {
        plan(world, index, ACT_PROGRESS, award, world_delay(world, left_us));
    }
    int64_t work_us = chance(world, 100) ? left_us : world_delay(world, left_us);
    plan(world, index, ACT_FINISH, award, chance(world, 50) ? work_us + 2000000 : work_us);
    if (chance(world, 60)) { /* and says so again, differently perhaps */
        plan(world, index, ACT_FINISH, award, work_us + world_delay(world, 3000000));
    }
}

static void hears_cfp(struct world *world, uint32_t index, const struct message *cfp)
{
    if (chance(world, world->peers[index].bids)) {
        int64_t window_us = cfp->closes_at_us - line_now(world, index);
        window_us = window_us > 0 ? window_us : 0;
        bool is_slow = chance(world, 150);
        plan(world, index, ACT_BID, cfp,
             is_slow ? world_delay(world, window_us * 5 / 4) : world_delay(world, window_us / 8));
    } else if (chance(world, 600)) {
        refuse(world, index, cfp);
    }
}

void contractor_hears(struct world *world, uint32_t peer, const struct message *message)
{
    if (message->performative == TENDER_CFP) {
        hears_cfp(world, peer, message);
    } else if (message->performative == TENDER_ACCEPT_PROPOSAL) {
        hears_award(world, peer, message);
    }
    more_contractor(world, peer, message);
}

void contractor_act(struct world *world, uint32_t peer, const struct act *act)
{
    switch (act->kind) {
    case ACT_BID:
        bid(world, peer, act->message);
        break;
    case ACT_WITHDRAW:
        withdraw(world, peer, act->message);
        break;
    case ACT_ACKNOWLEDGE:
        acknowledge(world, peer, act->message);
        break;
    case ACT_PROGRESS:
        progress(world, peer, act->message);
        break;
    case ACT_FINISH:
        finish(world, peer, act->message);
        break;
    }
}
