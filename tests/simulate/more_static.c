/*
 * Tasks at posted rates: operators post and take back prices, contractors decline now and then as
 * they do with any award, and the auditor keeps a card of its own.
 */
#include "more.h"

#include "fail.h"

#include <inttypes.h>
#include <string.h>

#define CARD_MAX 16
struct card_rate {
    tender_bytes skill;
    tender_bytes tier;
    int64_t rate_micro;
    int64_t threshold_micro;
    int64_t share_ppm;
};

struct card {
    struct card_rate rates[CARD_MAX];
    size_t count;
};

void more_static_announce(struct world *world, uint32_t client, struct message *said)
{
    (void)client;
    if (chance(world, 100)) {
        message_set(said, TIER, tier, bytes_of(chance(world, 500) ? "large" : "small"));
    }
}

/* Prices that meet the ceilings of some tasks; the share makes samples common. */
void more_static_client(struct world *world, uint32_t client)
{
    if (world->is_calm || !chance(world, 30)) {
        return;
    }
    struct message said = {.performative = TENDER_RATE};
    message_set(&said, SKILL, skill, bytes_of(world_skills[prng_below(&world->prng, 4)]));
    message_set(&said, PRICE, price_micro, PICK(0, 1, 10, 100, 4000));
    message_set(&said, CEILING, ceiling_micro, PICK(20, 8000, 30000000, 1000000000));
    message_set(&said, SHARE, share_ppm, PICK(0, 20000, 300000));
    if (chance(world, 300)) {
        message_set(&said, TIER, tier, bytes_of("large"));
    }
    if (chance(world, 900)) {
        client_says_as_operator(world, client, &said);
    } else {
        client_says(world, client, &said, chance(world, 500));
    }
}

void more_static_hears(struct world *world, uint32_t client, const struct message *message)
{
    (void)world;
    (void)client;
    (void)message;
}

void more_static_bid(struct world *world, uint32_t contractor, const struct message *cfp,
                     struct message *said)
{
    (void)world;
    (void)contractor;
    (void)cfp;
    (void)said;
}

void more_static_report(struct world *world, uint32_t contractor, const struct message *award,
                        struct message *said)
{
    (void)world;
    (void)contractor;
    (void)award;
    (void)said;
}

void more_static_contractor(struct world *world, uint32_t contractor, const struct message *message)
{
    (void)world;
    (void)contractor;
    (void)message;
}

static struct card *card_of(struct audit *audit)
{
    if (audit->more.rate == NULL) {
        audit->more.rate = pool_take(audit->pool, sizeof(struct card));
    }
    return audit->more.rate;
}

static struct card_rate *rate_of(struct card *card, tender_bytes skill, tender_bytes tier)
{
    for (size_t i = 0; i < card->count; i++) {
        if (bytes_equal(card->rates[i].skill, skill) && bytes_equal(card->rates[i].tier, tier)) {
            return &card->rates[i];
        }
    }
    return NULL;
}

void audit_rated(struct audit *audit, const struct entry *entry)
{
    const struct entry_rated *said = &entry->rated;
    struct card *card = card_of(audit);
    struct card_rate *rate = rate_of(card, said->skill, said->tier);
    if (rate == NULL) {
        require(card->count < CARD_MAX, "audit", "more rates than skills and tiers");
        rate = &card->rates[card->count++];
        rate->skill = pool_bytes(audit->pool, said->skill);
        rate->tier = pool_bytes(audit->pool, said->tier);
    }
    rate->rate_micro = said->rate_micro;
    rate->threshold_micro = said->threshold_micro;
    rate->share_ppm = said->share_ppm;
}

/* The rate at which a task could be assigned as its first step, or NULL. */
static const struct card_rate *posted(struct audit *audit, const struct audit_task *task)
{
    const struct card_rate *rate = rate_of(card_of(audit), task->terms.skill, task->terms.tier);
    if (rate == NULL || rate->rate_micro == 0 || task->round > 0 || task->terms.split_max > 0 ||
        task->terms.improve > 0) {
        return NULL;
    }
    __int128 price = (__int128)rate->rate_micro * task->terms.units;
    bool is_cheap = price <= rate->threshold_micro && price <= task->terms.ceiling_micro;
    return is_cheap ? rate : NULL;
}

/* SHA-256("tender/sample/v1", task, round 1, head): the first eight bytes, modulo a million. */
static bool is_sample(const struct audit_task *task, const struct card_rate *rate,
                      tender_digest head)
{
    static const char label[] = "tender/sample/v1";
    uint8_t bytes[sizeof label - 1 + 16 + 4 + 32] = {0};
    uint8_t *at = bytes;
    memcpy(at, label, sizeof label - 1);
    at += sizeof label - 1;
    memcpy(at, task->id.bytes, 16);
    at += 16;
    at[3] = 1;
    at += 4;
    memcpy(at, head.bytes, 32);
    tender_digest digest = oracle_sha256(bytes, sizeof bytes);
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) {
        number = number * 256 + digest.bytes[i];
    }
    return (int64_t)(number % 1000000) < rate->share_ppm;
}

void audit_sampled(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    const struct entry_opened *said = &entry->opened;
    const struct card_rate *rate = posted(audit, task);
    bool is_one = rate != NULL && is_sample(task, rate, said->head);
    require(said->rate_micro == (is_one ? rate->rate_micro : 0), "sample",
            "round %" PRId64 " of %s is a sample against %" PRId64, said->round, audit_id(task->id),
            said->rate_micro);
}

static void check_assigned(struct audit *audit, const struct audit_task *task,
                           const struct entry_assigned *said, int64_t at_us)
{
    const struct audit_contractor *contractor = audit_contractor(audit, said->contractor);
    const struct card_rate *rate = posted(audit, task);
    require(rate != NULL && said->rate_micro == rate->rate_micro &&
                said->price_micro == rate->rate_micro * task->terms.units,
            "rate", "%s is assigned at %" PRId64 ", which is not posted", audit_id(task->id),
            said->rate_micro);
    require(memcmp(said->head.bytes, task->hash_before.bytes, sizeof said->head.bytes) == 0, "I5",
            "the head of the assignment of %s is not the chain's", audit_id(task->id));
    require(!is_sample(task, rate, said->head), "sample", "%s is assigned, and drawn as a sample",
            audit_id(task->id));
    require(said->round == 1 && said->generation == 1 && said->units == task->terms.units &&
                said->ceiling_micro == task->terms.ceiling_micro,
            "I9", "the assignment of %s is not its first step", audit_id(task->id));
    require(contractor != NULL && bytes_equal(contractor->principal, said->principal) &&
                !audit_are_kin(audit, said->principal, task->terms.principal),
            "I3", "%s is assigned to nobody that may have it", audit_id(task->id));
    require(contractor->held < contractor->slots, "slots", "an assignment is more than the slots");
    require(!audit_is_held(audit, task, said->contractor, said->principal, at_us), "hold",
            "%s is assigned to somebody on hold", audit_id(task->id));
}

void audit_assigned(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    const struct entry_assigned *said = &entry->assigned;
    check_assigned(audit, task, said, entry->at_us);
    int64_t due = entry->at_us + task->terms.due_us;
    due = due < task->deadline_us ? due : task->deadline_us;
    int64_t ack_by = entry->at_us + task->terms.ack_us;
    require(said->due_at_us == due && said->ack_by_us == (ack_by < due ? ack_by : due), "I3",
            "the assignment of %s is due at another time", audit_id(task->id));
    struct audit_contractor *contractor = audit_contractor(audit, said->contractor);
    contractor->held++;
    task->round = said->round;
    task->uncounted++;
    task->round_units = said->units;
    task->round_ceiling_micro = said->ceiling_micro;
    task->is_fallback_round = false;
    task->awards[task->award_count++] = (struct audit_award){.generation = said->generation,
                                                             .at_us = entry->at_us,
                                                             .contractor = contractor->name,
                                                             .principal = contractor->principal,
                                                             .cost_micro = said->price_micro,
                                                             .price_micro = said->price_micro,
                                                             .units = said->units,
                                                             .due_at_us = said->due_at_us,
                                                             .ack_by_us = said->ack_by_us,
                                                             .is_assigned = true,
                                                             .state = TENDER_COMMITMENT_ACTIVE};
    task->state = AUDIT_AWARDED;
    audit->awards++;
}
