/*
 * Holds and quarantine: operators hold contractors, principals, skills and tasks, and let go of
 * them again. The auditor keeps the holds itself; nobody whom one names wins or is assigned
 * anything. A quarantine must be due by the strikes that the auditor has counted: the broker's may
 * be fewer, since it forgets what it counted when it dies.
 */
#include "more.h"

#include "fail.h"

#include <inttypes.h>
#include <string.h>

#define HOLDS_MAX     64
#define SHEETS_MAX    64
#define STRIKES_MAX   16
#define DAY_US        INT64_C(86400000000)
#define CLIENTS_LEAST 3

struct hold {
    tender_bytes contractor;
    tender_bytes principal;
    tender_bytes skill;
    int64_t until_us; /* 0: over */
};

struct strike {
    tender_bytes client;
    int64_t at_us;
    int64_t kept; /* since */
};

/* What a contractor failed on one skill and others completed; the newest strike of each client. */
struct sheet {
    tender_bytes contractor;
    tender_bytes skill;
    struct strike strikes[STRIKES_MAX];
    size_t count;
};

struct holds {
    struct hold items[HOLDS_MAX];
    size_t count;
    struct sheet sheets[SHEETS_MAX];
    size_t sheet_count;
};

/* What the auditor remembers of a task. */
struct held_task {
    int64_t later_until_us; /* a hold waits for the commitment, until then; 0: none does */
    bool is_operators;
};

void more_bar_announce(struct world *world, uint32_t client, struct message *said)
{
    (void)world;
    (void)client;
    (void)said;
}

static void name_somebody(struct world *world, struct message *said)
{
    uint32_t contractors = world->peer_count - world->client_count;
    uint32_t chosen = world->client_count + (uint32_t)prng_below(&world->prng, contractors);
    if (chance(world, 500)) {
        message_set(said, CONTRACTOR, contractor, bytes_of(world->peers[chosen].name));
    } else if (chance(world, 500)) {
        message_set(said, PRINCIPAL, principal, bytes_of(world->peers[chosen].principal));
    }
    if (chance(world, 400)) {
        message_set(said, SKILL, skill, bytes_of(world_skills[prng_below(&world->prng, 4)]));
    }
}

static void hold_or_release(struct world *world, uint32_t client, struct message *said)
{
    if (said->performative == TENDER_HOLD) {
        message_set(said, REASON, reason, TENDER_REASON_OTHER);
        if (chance(world, 700)) {
            message_set(said, DEADLINE, deadline_at_us,
                        line_now(world, client) + PICK(0, 1000000, 5000000, 30000000));
        }
    }
    if (chance(world, 900)) {
        client_says_as_operator(world, client, said);
    } else {
        client_says(world, client, said, chance(world, 500));
    }
}

void more_bar_client(struct world *world, uint32_t client)
{
    struct message said = {.performative = chance(world, 500) ? TENDER_HOLD : TENDER_RELEASE};
    const struct ask *ask = client_picks(world, client);
    if (world->is_calm) { /* operators let go of what they held, too */
        for (size_t i = 0; i < world->ask_count; i++) {
            const struct audit_task *task = audit_task_find(&world->audit, world->asks[i].task);
            if (world->asks[i].peer == client && task != NULL && task->state == AUDIT_HELD) {
                struct message release = {.performative = TENDER_RELEASE, .conversation = task->id};
                client_says_as_operator(world, client, &release);
            }
        }
        return;
    }
    if (!chance(world, 40)) {
        return;
    }
    if (ask != NULL && chance(world, 400)) {
        said.conversation = ask->task;
    } else {
        name_somebody(world, &said);
    }
    hold_or_release(world, client, &said);
}

void more_bar_hears(struct world *world, uint32_t client, const struct message *message)
{
    (void)world;
    (void)client;
    (void)message;
}

void more_bar_bid(struct world *world, uint32_t contractor, const struct message *cfp,
                  struct message *said)
{
    (void)world;
    (void)contractor;
    (void)cfp;
    (void)said;
}

void more_bar_report(struct world *world, uint32_t contractor, const struct message *award,
                     struct message *said)
{
    (void)world;
    (void)contractor;
    (void)award;
    (void)said;
}

void more_bar_contractor(struct world *world, uint32_t contractor, const struct message *message)
{
    (void)world;
    (void)contractor;
    (void)message;
}

static struct holds *holds_of(struct audit *audit)
{
    if (audit->more.bar == NULL) {
        audit->more.bar = pool_take(audit->pool, sizeof(struct holds));
    }
    return audit->more.bar;
}

static bool is_asked(tender_bytes named, tender_bytes name)
{
    return named.size == 0 || bytes_equal(named, name);
}

/* Whether the hold is on any name that the task needs. */
static bool is_on_task(const struct hold *hold, const struct audit_task *task)
{
    bool is_on = is_asked(hold->skill, task->terms.skill);
    for (size_t i = 0; i < task->terms.needs.count && !is_on; i++) {
        is_on = is_asked(hold->skill, task->terms.needs.items[i]);
    }
    return is_on;
}

bool audit_is_held(struct audit *audit, const struct audit_task *task, tender_bytes contractor,
                   tender_bytes principal, int64_t at_us)
{
    const struct holds *holds = holds_of(audit);
    for (size_t i = 0; i < holds->count; i++) {
        const struct hold *hold = &holds->items[i];
        if (hold->until_us > at_us && is_asked(hold->contractor, contractor) &&
            is_asked(hold->principal, principal) && is_on_task(hold, task)) {
            return true;
        }
    }
    return false;
}

static struct hold *hold_of(struct audit *audit, const struct entry_barred *said)
{
    struct holds *holds = holds_of(audit);
    for (size_t i = 0; i < holds->count; i++) {
        struct hold *hold = &holds->items[i];
        if (bytes_equal(hold->contractor, said->contractor) &&
            bytes_equal(hold->principal, said->principal) &&
            bytes_equal(hold->skill, said->skill)) {
            return hold;
        }
    }
    require(holds->count < HOLDS_MAX, "audit", "more holds than there are names");
    struct hold *hold = &holds->items[holds->count++];
    *hold = (struct hold){.contractor = pool_bytes(audit->pool, said->contractor),
                          .principal = pool_bytes(audit->pool, said->principal),
                          .skill = pool_bytes(audit->pool, said->skill)};
    return hold;
}

static struct sheet *sheet_of(struct audit *audit, tender_bytes contractor, tender_bytes skill)
{
    struct holds *holds = holds_of(audit);
    for (size_t i = 0; i < holds->sheet_count; i++) {
        if (bytes_equal(holds->sheets[i].contractor, contractor) &&
            bytes_equal(holds->sheets[i].skill, skill)) {
            return &holds->sheets[i];
        }
    }
    require(holds->sheet_count < SHEETS_MAX, "audit", "more sheets than contractors and skills");
    struct sheet *sheet = &holds->sheets[holds->sheet_count++];
    *sheet = (struct sheet){.contractor = contractor, .skill = skill};
    return sheet;
}

/* Whether three clients or more struck since some strike, and no more was kept than they are. */
static bool is_due(const struct sheet *sheet, int64_t at_us)
{
    for (size_t i = 0; i + CLIENTS_LEAST <= sheet->count; i++) {
        const struct strike *first = &sheet->strikes[i];
        if (first->at_us > at_us - DAY_US && first->kept <= (int64_t)(sheet->count - i)) {
            return true;
        }
    }
    return false;
}

void audit_barred(struct audit *audit, const struct entry *entry)
{
    static const tender_bytes broker = {"tenderd", 7};
    const struct entry_barred *said = &entry->barred;
    struct hold *hold = hold_of(audit, said);
    bool is_of_broker = bytes_equal(said->by, broker);
    require(said->reason != TENDER_REASON_NONE && said->by.size > 0, "hold",
            "a hold has no reason or no author");
    require(said->until_us == 0 || said->until_us > entry->at_us, "hold",
            "a hold begins %" PRId64 " us after its end", entry->at_us - said->until_us);
    if (said->until_us == 0) {
        require(hold->until_us != 0, "hold", "a hold ends that was not");
        require(!is_of_broker || hold->until_us <= entry->at_us, "hold",
                "a hold passes before its end");
    } else if (is_of_broker) {
        struct sheet *sheet = sheet_of(audit, hold->contractor, hold->skill);
        require(said->reason == TENDER_REASON_QUARANTINED && is_due(sheet, entry->at_us),
                "quarantine", "%.*s is in quarantine without cause", (int)said->contractor.size,
                (const char *)said->contractor.data);
        sheet->count = 0;
        audit->quarantines++;
    }
    hold->until_us = said->until_us;
}

static void keep(struct audit *audit, tender_bytes contractor, tender_bytes skill)
{
    struct sheet *sheet = sheet_of(audit, contractor, skill);
    for (size_t i = 0; i < sheet->count; i++) {
        sheet->strikes[i].kept++;
    }
}

static void strike(struct audit *audit, const struct audit_award *award,
                   const struct audit_task *task, int64_t at_us)
{
    struct sheet *sheet = sheet_of(audit, award->contractor, task->terms.skill);
    tender_bytes client = audit_root(audit, task->terms.principal, audit->kin_count);
    size_t kept = 0;
    for (size_t i = 0; i < sheet->count; i++) {
        if (!bytes_equal(sheet->strikes[i].client, client)) {
            sheet->strikes[kept++] = sheet->strikes[i];
        }
    }
    require(kept < STRIKES_MAX, "audit", "more clients than there are principals");
    sheet->strikes[kept++] = (struct strike){client, at_us, 0};
    sheet->count = kept;
}

void audit_ended_for_strikes(struct audit *audit, const struct audit_task *task, int64_t at_us)
{
    const struct audit_award *failed = NULL;
    bool is_kept_by_another = false;
    bool is_one = task->out_count > 0; /* of the roots that are out */
    for (size_t i = 1; i < task->out_count; i++) {
        is_one = is_one && audit_are_kin(audit, task->out[0], task->out[i]);
    }
    for (size_t i = 0; i < task->award_count; i++) {
        const struct audit_award *award = &task->awards[i];
        if (award->state == TENDER_COMMITMENT_FULFILLED) {
            keep(audit, award->contractor, task->terms.skill);
        }
        if (audit_is_out(audit, task, award->principal)) {
            failed = award;
        } else {
            is_kept_by_another |= award->state == TENDER_COMMITMENT_FULFILLED;
        }
    }
    if (task->end_state == TENDER_TASK_DONE && is_one && is_kept_by_another) {
        strike(audit, failed, task, at_us);
    }
}

static struct held_task *held_task_of(struct audit *audit, struct audit_task *task)
{
    if (task->more.bar == NULL) {
        task->more.bar = pool_take(audit->pool, sizeof(struct held_task));
    }
    return task->more.bar;
}

void audit_held(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    const struct entry_held *said = &entry->held;
    struct held_task *held = held_task_of(audit, task);
    require(said->reason != TENDER_REASON_NONE, "hold", "%s is held for no reason",
            audit_id(task->id));
    require(said->by.size == 0 || said->until_us > entry->at_us, "hold",
            "%s is held without an end", audit_id(task->id));
    held->is_operators |= said->by.size > 0;
    held->later_until_us = said->later != 0 ? said->until_us : 0;
    if (said->later == 0) {
        task->state = AUDIT_HELD;
        task->is_cancelled = false;
        task->reopens_at_us = 0;
    }
}

void audit_released(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    struct held_task *held = held_task_of(audit, task);
    require(task->state == AUDIT_HELD || held->later_until_us != 0, "hold",
            "%s is released and was not held", audit_id(task->id));
    *held = (struct held_task){0};
    task->is_cancelled = false; /* the round that the hold cut off */
    if (task->state != AUDIT_HELD) {
        return;
    }
    require(entry->released.rounds > task->round - task->uncounted, "I16",
            "%s is released without a round left", audit_id(task->id));
    task->rounds_max = entry->released.rounds;
    task->state = AUDIT_WAITING;
    task->reopens_at_us = 0;
}

bool audit_must_be_held(const struct audit_task *task, int64_t at_us)
{
    const struct held_task *held = task->more.bar;
    return held != NULL && held->later_until_us > at_us;
}
