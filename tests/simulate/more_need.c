/*
 * Bundles of skills, and counted resources. The auditor keeps no count of holds: at each entry it
 * counts the commitments that go on and need a name, and compares with what there is.
 */
#include "more.h"

#include <inttypes.h>

#define COUNTS_MAX 64

/* How many there are of a name. */
struct count {
    tender_bytes name;
    tender_bytes contractor; /* empty: all share it */
    int64_t count;
};

struct counts {
    struct count items[COUNTS_MAX];
    size_t count;
};

static bool needs(const struct audit_task *task, tender_bytes name)
{
    bool is_needed = bytes_equal(task->terms.skill, name);
    for (size_t i = 0; i < task->terms.needs.count; i++) {
        is_needed |= bytes_equal(task->terms.needs.items[i], name);
    }
    return is_needed;
}

static bool goes_on(const struct audit_award *award)
{
    return award->state == TENDER_COMMITMENT_ACTIVE || award->state == TENDER_COMMITMENT_DELIVERED;
}

/* Commitments that go on and take one of the count. */
static int64_t count_holders(const struct audit *audit, const struct count *count)
{
    int64_t holders = 0;
    for (const struct audit_task *task = audit->tasks; task != NULL; task = task->next) {
        for (size_t i = 0; i < task->award_count && needs(task, count->name); i++) {
            const struct audit_award *award = &task->awards[i];
            bool is_of =
                count->contractor.size == 0 || bytes_equal(count->contractor, award->contractor);
            holders += is_of && goes_on(award) ? 1 : 0;
        }
    }
    return holders;
}

/* Whether a commitment of the contractor would take one of the count. */
static bool would_take(const struct audit_task *task, const struct count *count,
                       tender_bytes contractor)
{
    return count->count > 0 && needs(task, count->name) &&
           (count->contractor.size == 0 || bytes_equal(count->contractor, contractor));
}

static struct counts *counts_of(struct audit *audit)
{
    if (audit->more.need == NULL) {
        audit->more.need = pool_take(audit->pool, sizeof(struct counts));
    }
    return audit->more.need;
}

void audit_counted(struct audit *audit, const struct entry *entry)
{
    const struct entry_counted *said = &entry->counted;
    struct counts *counts = counts_of(audit);
    struct count *count = counts->items;
    while (count < counts->items + counts->count &&
           (!bytes_equal(count->name, said->resource) ||
            !bytes_equal(count->contractor, said->contractor))) {
        count++;
    }
    require(count < counts->items + COUNTS_MAX, "audit", "more counts than names");
    if (count == counts->items + counts->count) {
        *count = (struct count){.name = pool_bytes(audit->pool, said->resource),
                                .contractor = pool_bytes(audit->pool, said->contractor)};
        counts->count++;
    }
    int64_t holders = count_holders(audit, count);
    require(count->count > 0 || holders == 0, "resources",
            "%.*s is counted while it is worked with", (int)said->resource.size,
            (const char *)said->resource.data);
    require(said->count >= holders && said->count != count->count, "resources",
            "there are to be %" PRId64 " of %.*s, of which %" PRId64 " are held", said->count,
            (int)said->resource.size, (const char *)said->resource.data, holders);
    count->count = said->count;
}

bool audit_lacks(struct audit *audit, const struct audit_task *task, tender_bytes contractor)
{
    const struct counts *counts = counts_of(audit);
    for (size_t i = 0; i < counts->count; i++) {
        const struct count *count = &counts->items[i];
        if (would_take(task, count, contractor) && count_holders(audit, count) >= count->count) {
            return true;
        }
    }
    return false;
}

int64_t audit_free_parts(struct audit *audit, const struct audit_task *task)
{
    const struct counts *counts = counts_of(audit);
    int64_t parts = INT64_MAX;
    for (size_t i = 0; i < counts->count; i++) {
        const struct count *count = &counts->items[i];
        if (count->contractor.size == 0 && would_take(task, count, count->contractor)) {
            int64_t left = count->count - count_holders(audit, count);
            parts = left < parts ? left : parts;
        }
    }
    return parts;
}

void audit_holds(struct audit *audit, const struct audit_task *task, tender_bytes contractor,
                 bool is_said)
{
    const struct counts *counts = counts_of(audit);
    bool takes_any = false;
    for (size_t i = 0; i < counts->count; i++) {
        const struct count *count = &counts->items[i];
        int64_t holders = count->count > 0 ? count_holders(audit, count) : 0;
        takes_any |= would_take(task, count, contractor);
        require(holders <= count->count, "resources",
                "%" PRId64 " commitments hold %.*s, of which there are %" PRId64, holders,
                (int)count->name.size, (const char *)count->name.data, count->count);
    }
    require(takes_any == is_said, "resources", "an entry of %s says that its commitment holds%s",
            audit_id(task->id), takes_any ? " nothing" : "");
}

void more_need_announce(struct world *world, uint32_t client, struct message *said)
{
    (void)client;
    tender_bytes *names = pool_take(&world->pool, 2 * sizeof *names);
    struct message_texts list = {0, names};
    if (!chance(world, 120)) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        tender_bytes name = bytes_of(world_skills[prng_below(&world->prng, 4)]);
        bool is_known =
            bytes_equal(name, said->skill) || (list.count > 0 && bytes_equal(name, names[0]));
        if (!is_known || chance(world, 20)) { /* repeated: it is refused */
            names[list.count++] = name;
        }
    }
    if (list.count > 0) {
        message_set(said, SKILLS, skills, list);
    }
}

/* An operator counts a name, or somebody who is none tries to. */
void more_need_client(struct world *world, uint32_t client)
{
    if (world->is_calm || world->options.seed % 4 != 0 || !chance(world, 60)) {
        return;
    }
    struct message said = {.performative = TENDER_RESOURCE};
    message_set(&said, SKILL, skill, bytes_of(world_skills[prng_below(&world->prng, 4)]));
    message_set(&said, UNITS_DONE, units_done, PICK(0, 0, 1, 1, 1, 2, 3));
    if (chance(world, 400)) {
        uint32_t contractors = world->peer_count - world->client_count;
        uint32_t chosen = world->client_count + (uint32_t)prng_below(&world->prng, contractors);
        message_set(&said, CONTRACTOR, contractor, bytes_of(world->peers[chosen].name));
    }
    if (chance(world, 900)) {
        client_says_as_operator(world, client, &said);
    } else {
        client_says(world, client, &said, false);
    }
}

void more_need_hears(struct world *world, uint32_t client, const struct message *message)
{
    (void)world;
    (void)client;
    (void)message;
}

void more_need_bid(struct world *world, uint32_t contractor, const struct message *cfp,
                   struct message *said)
{
    (void)world;
    (void)contractor;
    (void)cfp;
    (void)said;
}

void more_need_report(struct world *world, uint32_t contractor, const struct message *award,
                      struct message *said)
{
    (void)world;
    (void)contractor;
    (void)award;
    (void)said;
}

void more_need_contractor(struct world *world, uint32_t contractor, const struct message *message)
{
    (void)world;
    (void)contractor;
    (void)message;
}
