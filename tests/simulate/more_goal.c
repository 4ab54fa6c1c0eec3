/*
 * Goals, prerequisites and beliefs. The auditor keeps what was believed of each goal, and asks of
 * every award whether its goal allows it, of every blocked task whether it waits rightly, and of
 * every end that a belief or a prerequisite brought whether there was one.
 */
#include "more.h"

#include <inttypes.h>

#define GOALS_MAX 32

static const char *const names[] = {"atlas", "beacon"};

/* What was last believed of a goal; until_us 0: by its client. */
struct goal {
    tender_bytes principal;
    tender_bytes name;
    tender_reason belief;
    int64_t at_us;
    int64_t until_us;
};

struct goals {
    struct goal items[GOALS_MAX];
    size_t count;
};

/* The last belief about a task itself. */
struct word {
    tender_reason belief;
    int64_t at_us;
    tender_bytes principal;
};

static struct goals *goals_of(struct audit *audit)
{
    if (audit->more.goal == NULL) {
        audit->more.goal = pool_take(audit->pool, sizeof(struct goals));
    }
    return audit->more.goal;
}

static struct goal *goal_named(struct audit *audit, tender_bytes principal, tender_bytes name)
{
    struct goals *goals = goals_of(audit);
    for (size_t i = 0; i < goals->count; i++) {
        if (bytes_equal(goals->items[i].principal, principal) &&
            bytes_equal(goals->items[i].name, name)) {
            return &goals->items[i];
        }
    }
    return NULL;
}

static bool is_of(const struct audit_task *task, const struct goal *goal)
{
    return bytes_equal(task->terms.goal, goal->name) &&
           bytes_equal(task->terms.principal, goal->principal);
}

/* What is believed of the task's goal, while a task goes on that was there when it was said. */
static const struct goal *believed(struct audit *audit, const struct audit_task *of)
{
    const struct goal *goal = goal_named(audit, of->terms.principal, of->terms.goal);
    if (of->terms.goal.size == 0 || goal == NULL) {
        return NULL;
    }
    for (const struct audit_task *task = audit->tasks; task != NULL; task = task->next) {
        if (task->state != AUDIT_OVER && task->state != AUDIT_NEW && is_of(task, goal) &&
            task->announced_at_us <= goal->at_us) {
            return goal;
        }
    }
    return NULL;
}

static bool is_final(const struct goal *goal)
{
    return goal != NULL && goal->until_us == 0 && goal->belief != TENDER_REASON_NONE;
}

static bool is_barred(struct audit *audit, const struct audit_task *task, int64_t at_us)
{
    const struct goal *goal = believed(audit, task);
    return is_final(goal) || (goal != NULL && goal->until_us > at_us);
}

void audit_goal_allows(struct audit *audit, const struct audit_task *task,
                       const struct entry *entry)
{
    require(!is_barred(audit, task, entry->at_us), "goals", "%s is awarded while its goal waits",
            audit_id(task->id));
}

void audit_goal_waits(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    require(is_barred(audit, task, entry->at_us), "goals",
            "round %" PRId64 " of %s decides nothing, and its goal does not wait", task->round,
            audit_id(task->id));
    task->uncounted++;
}

static bool is_done(const struct audit_task *task)
{
    return task->end_state == TENDER_TASK_DONE ||
           (task->end_state == TENDER_TASK_CANCELLED && task->end_reason == TENDER_REASON_ACHIEVED);
}

static const struct audit_task *prerequisite(const struct audit *audit,
                                             const struct audit_task *task, size_t index)
{
    const tender_bytes *text = &task->terms.after.items[index];
    tender_id id;
    require(tender_id_parse(text->data, text->size, &id) == 0, "after", "%s waits for no task",
            audit_id(task->id));
    const struct audit_task *found = audit_task_find(audit, id);
    require(found != NULL && found != task, "after", "%s waits for a task that is not recorded",
            audit_id(task->id));
    return found;
}

/* A task is announced under a goal that is not over, and waits for what goes on or is done. */
void audit_joined(struct audit *audit, struct audit_task *task)
{
    const struct entry_announced *terms = &task->terms;
    bool waits = false;
    for (size_t i = 0; i < terms->after.count; i++) {
        const struct audit_task *first = prerequisite(audit, task, i);
        require(bytes_equal(first->terms.principal, terms->principal), "after",
                "%s waits for another principal's task", audit_id(task->id));
        require(first->state != AUDIT_OVER || is_done(first), "after",
                "%s waits for %s, which ended otherwise", audit_id(task->id), audit_id(first->id));
        waits |= first->state != AUDIT_OVER;
    }
    require(waits == (terms->blocked != 0), "after", "%s is%s blocked", audit_id(task->id),
            waits ? " not" : "");
    task->state = waits ? AUDIT_BLOCKED : AUDIT_WAITING;
    enum audit_state state = task->state;
    task->state = AUDIT_NEW; /* it was not there when anything was believed */
    require(!is_final(believed(audit, task)), "goals", "%s is announced under a goal that is over",
            audit_id(task->id));
    task->state = state;
}

void audit_unblocked(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    const struct entry_announced *terms = &task->terms;
    for (size_t i = 0; i < terms->after.count; i++) {
        const struct audit_task *first = prerequisite(audit, task, i);
        require(first->state == AUDIT_OVER && is_done(first), "after",
                "%s goes on before %s is done", audit_id(task->id), audit_id(first->id));
    }
    bool is_usual = terms->deadline_at_us == TENDER_INSTANT_MAX;
    __int128 usual = (__int128)terms->window_us * (1 + terms->improve) + terms->ack_us +
                     terms->backoff_us + terms->due_us;
    usual = entry->at_us + usual * terms->rounds;
    usual = usual > TENDER_INSTANT_MAX ? TENDER_INSTANT_MAX : usual;
    require(entry->unblocked.deadline_at_us == (is_usual ? (int64_t)usual : 0), "after",
            "%s is to end at another time than usual", audit_id(task->id));
    task->deadline_us = is_usual ? entry->unblocked.deadline_at_us : task->deadline_us;
    task->state = AUDIT_WAITING;
}

static bool has_failed_prerequisite(const struct audit *audit, const struct audit_task *task)
{
    for (size_t i = 0; i < task->terms.after.count; i++) {
        const struct audit_task *first = prerequisite(audit, task, i);
        if (first->state == AUDIT_OVER && !is_done(first)) {
            return true;
        }
    }
    return false;
}

void audit_ended_for(struct audit *audit, const struct audit_task *task, enum audit_state before)
{
    const struct goal *goal = NULL;
    const struct word *word = task->more.goal;
    switch ((int)task->end_reason) {
    case TENDER_REASON_PREREQUISITE_ENDED:
        require(before == AUDIT_BLOCKED && has_failed_prerequisite(audit, task), "after",
                "%s is cancelled though nothing that it waits for failed", audit_id(task->id));
        break;
    case TENDER_REASON_ACHIEVED:
    case TENDER_REASON_IMPOSSIBLE:
    case TENDER_REASON_IRRELEVANT:
        goal = believed(audit, task);
        require((is_final(goal) && goal->belief == task->end_reason) ||
                    (word != NULL && word->belief == task->end_reason),
                "goals", "%s ends for what nobody who may has said", audit_id(task->id));
        break;
    default:
        require(before != AUDIT_BLOCKED || task->end_state == TENDER_TASK_CANCELLED ||
                    task->end_reason == TENDER_REASON_DEADLINE_PASSED,
                "after", "%s ends blocked for %s", audit_id(task->id),
                tender_reason_name(task->end_reason));
        break;
    }
}

/* The principal of a contractor; a client's agents are of the world's names. */
static bool holds_any(const struct audit *audit, const struct goal *goal, tender_bytes principal)
{
    for (const struct audit_task *task = audit->tasks; task != NULL; task = task->next) {
        for (size_t i = 0; i < task->award_count && is_of(task, goal); i++) {
            const struct audit_award *award = &task->awards[i];
            bool is_held = award->state == TENDER_COMMITMENT_ACTIVE ||
                           award->state == TENDER_COMMITMENT_DELIVERED;
            if (is_held && bytes_equal(award->principal, principal)) {
                return true;
            }
        }
    }
    return false;
}

void audit_goaled(struct audit *audit, const struct entry *entry)
{
    const struct entry_goaled *said = &entry->goaled;
    struct goals *goals = goals_of(audit);
    struct goal *goal = goal_named(audit, said->principal, said->goal);
    if (goal == NULL) {
        require(goals->count < GOALS_MAX, "audit", "more goals than names");
        goal = &goals->items[goals->count++];
        *goal = (struct goal){.principal = pool_bytes(audit->pool, said->principal),
                              .name = pool_bytes(audit->pool, said->goal)};
    }
    struct audit_task probe = {.terms = {.principal = goal->principal, .goal = goal->name}};
    require(!is_final(believed(audit, &probe)), "goals", "a goal that is over is believed again");
    const struct audit_contractor *by = audit_contractor(audit, said->by);
    require(said->until_us == 0 || by == NULL || holds_any(audit, goal, by->principal), "goals",
            "%.*s, who holds nothing of %.*s, suspends it", (int)said->by.size,
            (const char *)said->by.data, (int)said->goal.size, (const char *)said->goal.data);
    require(said->until_us != 0 || by == NULL || bytes_equal(by->principal, goal->principal),
            "goals", "a contractor speaks for the client of %.*s", (int)said->goal.size,
            (const char *)said->goal.data);
    require(said->belief != TENDER_REASON_NONE || said->until_us == 0, "goals",
            "a goal is suspended for nothing");
    goal->belief = said->belief;
    goal->at_us = entry->at_us;
    goal->until_us = said->until_us;
}

/* Only a belief of the client, or one that an owner's report follows, ends a task. */
void audit_believed(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    const struct entry_believed *said = &entry->believed;
    const struct audit_contractor *by = audit_contractor(audit, said->by);
    bool is_client = bytes_equal(said->principal, task->terms.principal) || by == NULL;
    struct goal of = {.principal = task->terms.principal, .name = task->terms.goal};
    const struct audit_award *award =
        said->generation > 0 ? audit_award_find(task, said->part, said->generation) : NULL;
    require(said->belief == TENDER_REASON_ACHIEVED || said->belief == TENDER_REASON_IMPOSSIBLE ||
                said->belief == TENDER_REASON_IRRELEVANT,
            "goals", "%s is believed to be what nothing is", audit_id(task->id));
    require(is_client || (award != NULL && bytes_equal(award->principal, said->principal)) ||
                (of.name.size > 0 && holds_any(audit, &of, said->principal)),
            "goals", "%.*s, who is no member, is believed about %s", (int)said->by.size,
            (const char *)said->by.data, audit_id(task->id));
    if (is_client) {
        struct word *word = pool_take(audit->pool, sizeof *word);
        *word = (struct word){said->belief, entry->at_us, pool_bytes(audit->pool, said->principal)};
        task->more.goal = word;
    }
}

/* A task of this client that may be waited for, as the ledger has it; now and then any. */
static const struct ask *pick_first(struct world *world, uint32_t client)
{
    const struct ask *ask = NULL;
    for (int i = 0; i < 8; i++) {
        ask = client_picks(world, client);
        const struct audit_task *task =
            ask == NULL ? NULL : audit_task_find(&world->audit, ask->task);
        if (task != NULL && (task->state != AUDIT_OVER || is_done(task) || chance(world, 30))) {
            return ask;
        }
    }
    return ask;
}

/* Tasks of this client that were agreed to, also ones that have ended. */
static void add_after(struct world *world, uint32_t client, struct message *said)
{
    tender_id *ids = pool_take(&world->pool, 2 * sizeof *ids);
    size_t count = 0;
    for (int i = 0; i < 2; i++) {
        const struct ask *ask = pick_first(world, client);
        if (ask != NULL && (count == 0 || !tender_id_equal(ids[0], ask->task))) {
            ids[count++] = ask->task;
        }
    }
    if (count > 0 && chance(world, 20)) {
        ids[0].bytes[15] ^= 1; /* one that never was */
    }
    if (count > 0) {
        tender_bytes after = {ids, count * sizeof *ids};
        message_set(said, AFTER, after, after);
    }
}

void more_goal_announce(struct world *world, uint32_t client, struct message *said)
{
    if (chance(world, 250)) {
        message_set(said, GOAL, goal, bytes_of(names[prng_below(&world->prng, 2)]));
    }
    if (chance(world, 300)) {
        add_after(world, client, said);
    }
}

static void add_belief(struct world *world, struct message *said, bool may_lift)
{
    static const tender_reason beliefs[] = {TENDER_REASON_ACHIEVED, TENDER_REASON_IMPOSSIBLE,
                                            TENDER_REASON_IRRELEVANT, TENDER_REASON_OUTBID};
    uint64_t which = prng_below(&world->prng, chance(world, 30) ? 4 : 3);
    tender_reason belief = may_lift && chance(world, 300) ? TENDER_REASON_NONE : beliefs[which];
    message_set(said, REASON, reason, (int64_t)belief);
    message_set(said, TEXT, text, bytes_of("so they say"));
}

/* A task that blocks another one of this client's is achieved, it says; else it would be rare. */
static bool unblock(struct world *world, uint32_t client, const struct ask *ask)
{
    const struct audit_task *task = audit_task_find(&world->audit, ask->task);
    if (task == NULL || task->state != AUDIT_BLOCKED) {
        return false;
    }
    struct message said = {.performative = TENDER_BELIEVE};
    size_t which = prng_below(&world->prng, task->terms.after.count);
    said.conversation = prerequisite(&world->audit, task, which)->id;
    message_set(&said, REASON, reason, TENDER_REASON_ACHIEVED);
    client_says(world, client, &said, chance(world, 200));
    return true;
}

void more_goal_client(struct world *world, uint32_t client)
{
    const struct ask *ask = client_picks(world, client);
    struct message said = {.performative = TENDER_BELIEVE};
    if (world->is_calm || ask == NULL || unblock(world, client, ask) || !chance(world, 120)) {
        return;
    }
    bool is_goal = chance(world, 600);
    if (is_goal) {
        message_set(&said, GOAL, goal, bytes_of(names[prng_below(&world->prng, 2)]));
    }
    if (!is_goal || chance(world, 200)) {
        size_t any = prng_below(&world->prng, world->ask_count);
        said.conversation = chance(world, 100) ? world->asks[any].task : ask->task;
    }
    add_belief(world, &said, is_goal);
    client_says(world, client, &said, chance(world, 200));
}

void more_goal_hears(struct world *world, uint32_t client, const struct message *message)
{
    (void)world;
    (void)client;
    (void)message;
}

void more_goal_bid(struct world *world, uint32_t contractor, const struct message *cfp,
                   struct message *said)
{
    (void)world;
    (void)contractor;
    (void)cfp;
    (void)said;
}

void more_goal_report(struct world *world, uint32_t contractor, const struct message *award,
                      struct message *said)
{
    (void)world;
    (void)contractor;
    (void)award;
    (void)said;
}

/* What it is asked about and what it was awarded: its own, or another's of the same goal. */
void more_goal_contractor(struct world *world, uint32_t contractor, const struct message *message)
{
    struct message said = {.performative = TENDER_BELIEVE, .conversation = message->conversation};
    bool is_award = message->performative == TENDER_ACCEPT_PROPOSAL;
    bool is_cfp = message->performative == TENDER_CFP && message_has(message, MESSAGE_GOAL);
    if (world->is_calm || !(is_award || is_cfp) || !chance(world, is_award ? 40 : 120)) {
        return;
    }
    add_belief(world, &said, false);
    if (is_cfp && chance(world, 700)) {
        message_set(&said, GOAL, goal, message->goal);
    }
    if (is_award && chance(world, 800)) {
        message_set(&said, PART, part, message->part);
        message_set(&said, GENERATION, generation, message->generation);
    } else if (is_award) {
        message_set(&said, GOAL, goal, bytes_of(names[prng_below(&world->prng, 2)]));
    }
    world_trace(world, "%s believes something of %s", world->peers[contractor].name,
                audit_id(said.conversation));
    line_say(world, contractor, &said);
}
