/*
 * The auditor's side of a task: what may follow what (I9), terms, rounds, answers and the end.
 * Awards and money are in audit_award.c.
 */
#include "audit.h"

#include "fail.h"

#include <inttypes.h>
#include <string.h>

#define IN(state) (1U << (state))
#define LIVE                                                                                       \
    (IN(AUDIT_BLOCKED) | IN(AUDIT_WAITING) | IN(AUDIT_BIDDING) | IN(AUDIT_AWARDED) | IN(AUDIT_HELD))

/* Which entries may come while a task is in which states. */
static const struct {
    enum entry_kind kind;
    unsigned states;
} legal[] = {
    {ENTRY_ANNOUNCED, IN(AUDIT_NEW)},
    {ENTRY_OPENED, IN(AUDIT_WAITING)},
    {ENTRY_ANSWERED, LIVE | IN(AUDIT_OVER)},
    {ENTRY_AWARDED, IN(AUDIT_BIDDING) | IN(AUDIT_WAITING)},
    {ENTRY_CLOSED, IN(AUDIT_BIDDING)},
    {ENTRY_ACKNOWLEDGED, IN(AUDIT_AWARDED)},
    {ENTRY_PROGRESSED, IN(AUDIT_AWARDED)},
    {ENTRY_SETTLED, IN(AUDIT_AWARDED)},
    {ENTRY_COVERED, IN(AUDIT_WAITING) | IN(AUDIT_BIDDING) | IN(AUDIT_HELD) | IN(AUDIT_AWARDED)},
    {ENTRY_LATE, LIVE | IN(AUDIT_OVER)},
    {ENTRY_HELD, IN(AUDIT_BLOCKED) | IN(AUDIT_WAITING) | IN(AUDIT_HELD) | IN(AUDIT_AWARDED)},
    {ENTRY_RELEASED, LIVE},
    {ENTRY_ENDED, IN(AUDIT_BLOCKED) | IN(AUDIT_WAITING) | IN(AUDIT_BIDDING) | IN(AUDIT_HELD)},
    {ENTRY_ASSIGNED, IN(AUDIT_WAITING)},
    {ENTRY_DELIVERED, IN(AUDIT_AWARDED)},
    {ENTRY_ADOPTED, IN(AUDIT_WAITING) | IN(AUDIT_AWARDED) | IN(AUDIT_HELD)},
    {ENTRY_BELIEVED, LIVE},
    {ENTRY_UNBLOCKED, IN(AUDIT_BLOCKED)},
};

/* A part goes on whatever becomes of the rest, and is made only while bids are taken. */
static bool is_legal_part(enum entry_kind kind, enum audit_state state)
{
    return state == AUDIT_BIDDING ||
           ((state == AUDIT_WAITING || state == AUDIT_HELD) && kind != ENTRY_AWARDED);
}

static bool is_legal(enum entry_kind kind, enum audit_state state)
{
    for (size_t i = 0; i < sizeof legal / sizeof *legal; i++) {
        if (legal[i].kind == kind) {
            return (legal[i].states & IN(state)) != 0;
        }
    }
    return false;
}

struct audit_award *audit_award_find(struct audit_task *task, int64_t part, int64_t generation)
{
    for (size_t i = 0; i < task->award_count; i++) {
        if (task->awards[i].part == part && task->awards[i].generation == generation) {
            return &task->awards[i];
        }
    }
    return NULL;
}

struct audit_award *audit_award_newest(struct audit_task *task, int64_t part)
{
    struct audit_award *newest = NULL;
    for (size_t i = 0; i < task->award_count; i++) {
        newest = task->awards[i].part == part ? &task->awards[i] : newest;
    }
    require(newest != NULL, "I8", "part %" PRId64 " of %s was never awarded", part,
            audit_id(task->id));
    return newest;
}

bool audit_is_out(const struct audit *audit, const struct audit_task *task, tender_bytes principal)
{
    for (size_t i = 0; i < task->out_count; i++) {
        if (audit_are_kin(audit, task->out[i], principal)) {
            return true;
        }
    }
    return false;
}

static bool is_over(const struct audit_task *task)
{
    return task->state == AUDIT_OVER;
}

/* I7: one task for one key and body; a key is used again only for the newest task, once it ended.
 */
static void check_key(const struct audit *audit, const struct audit_task *task)
{
    const struct audit_task *newest = NULL;
    for (const struct audit_task *other = audit->tasks; other != NULL; other = other->next) {
        if (other == task || !bytes_equal(other->terms.principal, task->terms.principal) ||
            !bytes_equal(other->terms.key, task->terms.key)) {
            continue;
        }
        newest = newest == NULL ? other : newest; /* the list begins with the newest */
        require(
            memcmp(&other->terms.body_digest, &task->terms.body_digest, sizeof(tender_digest)) != 0,
            "I7", "%s and %s have the same key and body", audit_id(other->id), audit_id(task->id));
    }
    if (newest == NULL) {
        require(tender_id_is_nil(task->terms.again), "I7", "%s is `again` of a task not its key's",
                audit_id(task->id));
        return;
    }
    require(tender_id_equal(task->terms.again, newest->id), "I7",
            "%s has the key of %s without naming it", audit_id(task->id), audit_id(newest->id));
    require(is_over(newest), "I7", "%s is `again` of %s, which has not ended", audit_id(task->id),
            audit_id(newest->id));
}

static void announced(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    const struct entry_announced *said = &entry->announced;
    task->terms = audit_keep_terms(audit->pool, said);
    task->announced_at_us = entry->at_us;
    task->deadline_us = said->deadline_at_us;
    task->rounds_max = said->rounds;
    audit_joined(audit, task);
    require(said->units >= 1 && said->ceiling_micro >= 0 && said->window_us > 0 &&
                said->due_us > 0 && said->rounds >= 1,
            "I3", "%s has impossible terms", audit_id(task->id));
    require(said->deadline_at_us > 0 && said->deadline_at_us <= TENDER_INSTANT_MAX, "I3",
            "%s has no finite deadline", audit_id(task->id));
    tender_digest digest = oracle_sha256(entry->content.data, entry->content.size);
    require(entry->content.size == 0 ||
                (said->content_size == (int64_t)entry->content.size &&
                 memcmp(digest.bytes, said->content_digest.bytes, sizeof digest.bytes) == 0),
            "I14", "the content of %s is not what its entry says", audit_id(task->id));
    check_key(audit, task);
}

static int64_t least(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

/* The rest is offered to a fallback unless it is out of the task or the client's own. */
static void check_fallback(struct audit *audit, const struct audit_task *task,
                           const struct entry_opened *said)
{
    const struct audit_contractor *contractor = audit_contractor(audit, said->contractor);
    require(task->terms.fallback == TENDER_FALLBACK_CONTRACTOR &&
                bytes_equal(said->contractor, task->terms.fallback_contractor),
            "fallback", "%s asks one contractor that is not its fallback", audit_id(task->id));
    require(contractor == NULL ||
                (!audit_is_out(audit, task, contractor->principal) &&
                 !audit_are_kin(audit, contractor->principal, task->terms.principal)),
            "fallback", "%s asks a fallback that may not have it", audit_id(task->id));
}

static void check_round_number(struct audit *audit, const struct audit_task *task,
                               const struct entry_opened *said)
{
    require(said->round == task->round + 1, "I9", "round %" PRId64 " of %s follows round %" PRId64,
            said->round, audit_id(task->id), task->round);
    if (said->contractor.size > 0) {
        check_fallback(audit, task, said);
    } else {
        require(said->round - task->uncounted <= task->rounds_max, "I16",
                "%s opens round %" PRId64 " of %" PRId64, audit_id(task->id), said->round,
                task->rounds_max);
    }
}

static void opened(struct audit *audit, struct audit_task *task, const struct entry *entry,
                   const tender_digest *head_before)
{
    const struct entry_opened *said = &entry->opened;
    int64_t units = task->terms.units - task->units_done - audit_promised(task);
    require(!task->is_cancelled && !audit_must_be_held(task, entry->at_us), "I9",
            "%s opens a round after one was cancelled, or while it is to be held",
            audit_id(task->id));
    audit_improved(task);
    check_round_number(audit, task, said);
    audit_sampled(audit, task, entry);
    require(memcmp(said->head.bytes, head_before->bytes, sizeof head_before->bytes) == 0, "I5",
            "the head of round %" PRId64 " of %s is not the chain's", said->round,
            audit_id(task->id));
    require(said->units == units && units > 0, "remainder",
            "round %" PRId64 " of %s is for %" PRId64 " units, %" PRId64 " are left", said->round,
            audit_id(task->id), said->units, units);
    require(said->ceiling_micro ==
                oracle_share(task->terms.ceiling_micro, units, task->terms.units),
            "I4", "round %" PRId64 " of %s has the ceiling %" PRId64, said->round,
            audit_id(task->id), said->ceiling_micro);
    require(entry->at_us >= task->reopens_at_us || said->contractor.size > 0, "backoff",
            "round %" PRId64 " of %s is too early", said->round, audit_id(task->id));
    require(said->contractor.size > 0 ||
                said->closes_at_us ==
                    least(entry->at_us + task->terms.window_us, task->deadline_us),
            "I18", "round %" PRId64 " of %s closes %" PRId64 " us after it opened", said->round,
            audit_id(task->id), said->closes_at_us - entry->at_us);
    require(said->due_us == least(task->terms.due_us, task->deadline_us - said->closes_at_us), "I3",
            "round %" PRId64 " of %s has a due of %" PRId64, said->round, audit_id(task->id),
            said->due_us);
    task->state = AUDIT_BIDDING;
    task->round = said->round;
    task->round_units = said->units;
    task->round_ceiling_micro = said->ceiling_micro;
    task->round_due_us = said->due_us;
    task->closes_at_us = said->closes_at_us;
    task->round_kin = audit->kin_count;
    task->is_fallback_round = said->contractor.size > 0;
    task->head = said->head;
    task->round_digest = entry->hash;
    task->round_writer = audit->writer;
    task->answer_count = 0;
    task->bid_count = 0;
    task->order_count = 0;
    task->position = 0;
    audit_drawn(audit, task, said);
}

static struct audit_answer *answer_of(struct audit_task *task, tender_bytes contractor)
{
    for (size_t i = 0; i < task->answer_count; i++) {
        if (bytes_equal(task->answers[i].bid.contractor, contractor)) {
            return &task->answers[i];
        }
    }
    return NULL;
}

static void answer_add(struct audit *audit, struct audit_task *task,
                       const struct entry_answer *said, uint64_t number)
{
    require(task->answer_count < AUDIT_BIDS, "audit", "more answers than contractors");
    task->answers[task->answer_count++] = (struct audit_answer){
        .bid = {.contractor = pool_bytes(audit->pool, said->contractor),
                .principal = pool_bytes(audit->pool, said->principal),
                .root = pool_bytes(audit->pool, said->root.size > 0 ? said->root : said->principal),
                .cost_micro = said->cost_micro,
                .eta_us = said->eta_us,
                .valid_until_us = said->valid_until_us,
                .capacity = said->capacity},
        .state = said->state,
        .number = number};
}

/* A bid that stands when it is recorded, checked as far as the terms go. */
static void check_standing(const struct audit *audit, const struct audit_task *task,
                           const struct entry_answer *said)
{
    require(audit->witness.heard(audit->witness.context, task->id, task->round, said->contractor,
                                 said->cost_micro, task->closes_at_us),
            "I5", "a bid of %.*s in %s stands, and was not heard before the close",
            (int)said->contractor.size, (const char *)said->contractor.data, audit_id(task->id));
    require(said->cost_micro >= 0 && said->cost_micro <= audit_bid_ceiling(task), "I4",
            "a bid of %" PRId64 " stands in %s, ceiling %" PRId64, said->cost_micro,
            audit_id(task->id), task->round_ceiling_micro);
    require(said->eta_us > 0 && said->eta_us <= task->round_due_us, "I3",
            "a bid with eta %" PRId64 " stands in %s", said->eta_us, audit_id(task->id));
    require(task->terms.split_max == 0 || said->capacity >= 1, "split",
            "a bid without capacity stands in %s", audit_id(task->id));
    audit_check_root(audit, task, said);
    require(!audit_is_out(audit, task, said->principal), "excluded",
            "a bid of an excluded principal stands in %s", audit_id(task->id));
    require(!audit_are_kin(audit, said->principal, task->terms.principal), "I13",
            "a bid on the principal's own task %s stands", audit_id(task->id));
}

static void answer_hear(struct audit *audit, struct audit_task *task,
                        const struct entry_answer *said, const struct entry *entry)
{
    struct audit_answer *before = answer_of(task, said->contractor);
    bool is_of_round = task->state == AUDIT_BIDDING && entry->answered.round == task->round;
    require(said->state == TENDER_BID_INELIGIBLE || is_of_round, "I9",
            "an answer to no open round of %s is recorded as valid", audit_id(task->id));
    if (said->state == TENDER_BID_INELIGIBLE) {
        require(said->reason != TENDER_REASON_NONE, "reasons", "an ineligible bid has no reason");
        if (before == NULL && is_of_round) {
            answer_add(audit, task, said, entry->number);
        }
        return;
    }
    if (said->state == TENDER_BID_WITHDRAWN) {
        require(before != NULL && before->state == TENDER_BID_STANDING, "I9",
                "a bid that does not stand is withdrawn in %s", audit_id(task->id));
        before->state = TENDER_BID_WITHDRAWN;
        return;
    }
    require(before == NULL, "first-answer", "a second answer of %.*s counts in %s",
            (int)said->contractor.size, (const char *)said->contractor.data, audit_id(task->id));
    if (said->state == TENDER_BID_STANDING) {
        check_standing(audit, task, said);
    } else {
        require(said->state == TENDER_BID_REFUSED, "I9", "an answer is neither bid nor refusal");
    }
    answer_add(audit, task, said, entry->number);
}

static void answered(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    require(entry->answered.answers.count > 0, "I9", "an entry of no answers in %s",
            audit_id(task->id));
    for (size_t i = 0; i < entry->answered.answers.count; i++) {
        answer_hear(audit, task, &entry->answered.answers.items[i], entry);
    }
}

/* A round that closes for want of a resource had a bid that lacked it. */
static void check_taken(const struct audit_task *task, const struct entry_ranks *ranks)
{
    size_t lacking = 0;
    for (size_t i = 0; i < ranks->count; i++) {
        lacking += ranks->items[i].reason == TENDER_REASON_RESOURCE_TAKEN;
    }
    require(lacking > 0, "resources", "round %" PRId64 " of %s closes for a resource nobody lacked",
            task->round, audit_id(task->id));
}

static void closed(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    if (audit_parts_closed(audit, task, entry)) {
        return;
    }
    task->state = AUDIT_WAITING;
    if (entry->closed.reason == TENDER_REASON_IMPROVING) {
        audit_improving(audit, task, entry);
        return;
    }
    audit_auction_over(task, entry);
    task->is_cancelled = entry->closed.reason == TENDER_REASON_ROUND_CANCELLED ||
                         entry->closed.reason == TENDER_REASON_HELD_BY_OPERATOR;
    bool is_adopted = entry->closed.reason == TENDER_REASON_ADOPTED;
    if (task->is_cancelled || is_adopted) {
        audit_round_cancelled(task, &entry->closed.ranks);
        task->uncounted += is_adopted;
        task->reopens_at_us = is_adopted ? 0 : task->reopens_at_us;
        return;
    }
    audit_ranked(audit, task, entry, &entry->closed.ranks);
    if (entry->closed.reason == TENDER_REASON_GOAL_SUSPENDED) {
        audit_goal_waits(audit, task, entry);
    }
    if (entry->closed.reason == TENDER_REASON_RESOURCE_TAKEN) {
        task->uncounted++;
        check_taken(task, &entry->closed.ranks);
    }
    require(task->order_count == 0, "I5", "round %" PRId64 " of %s closes without its winner",
            task->round, audit_id(task->id));
    require(entry->closed.reopens_at_us == 0 ||
                entry->closed.reopens_at_us >= entry->at_us + task->terms.backoff_us,
            "backoff", "round %" PRId64 " of %s is followed too soon", task->round,
            audit_id(task->id));
    task->reopens_at_us = entry->at_us + task->terms.backoff_us;
}

static void late(struct audit_task *task, const struct entry *entry)
{
    struct audit_award *award = audit_award_find(task, entry->late.part, entry->late.generation);
    require(award == NULL || award->state != TENDER_COMMITMENT_ACTIVE ||
                entry->late.reason != TENDER_REASON_STALE_GENERATION,
            "I8", "a report on the current award of %s is called late", audit_id(task->id));
    if (award != NULL) {
        audit_came_late(award, entry->late.units_done, entry->number);
    }
}

static void ended(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    audit_end(audit, task, entry, entry->ended.state, entry->ended.reason,
              entry->ended.released_micro);
}

void audit_task_hear(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    bool is_in_order = audit_part_of(entry) > 0 ? is_legal_part(entry->kind, task->state)
                                                : is_legal(entry->kind, task->state);
    require(is_in_order, "I9", "%s comes to %s in state %d", entry_kind_name(entry->kind),
            audit_id(task->id), (int)task->state);
    if (entry->kind == ENTRY_AWARDED || entry->kind == ENTRY_ASSIGNED) {
        audit_goal_allows(audit, task, entry);
    }
    switch ((int)entry->kind) {
    case ENTRY_ANNOUNCED:
        announced(audit, task, entry);
        break;
    case ENTRY_OPENED:
        opened(audit, task, entry, &task->hash_before);
        break;
    case ENTRY_ANSWERED:
        answered(audit, task, entry);
        break;
    case ENTRY_AWARDED:
        (entry->awarded.part > 0 ? audit_part_awarded : audit_awarded)(audit, task, entry);
        audit_holds(audit, task, entry->awarded.contractor, entry->awarded.held != 0);
        break;
    case ENTRY_CLOSED:
        closed(audit, task, entry);
        break;
    case ENTRY_ACKNOWLEDGED:
        audit_acknowledged(audit, task, entry);
        break;
    case ENTRY_PROGRESSED:
        audit_progressed(audit, task, entry);
        break;
    case ENTRY_SETTLED:
        audit_settled(audit, task, entry);
        audit_holds(audit, task, entry->settled.contractor, entry->settled.freed != 0);
        break;
    case ENTRY_COVERED:
        audit_covered(task, entry);
        break;
    case ENTRY_LATE:
        late(task, entry);
        break;
    case ENTRY_HELD:
        audit_held(audit, task, entry);
        break;
    case ENTRY_RELEASED:
        audit_released(audit, task, entry);
        break;
    case ENTRY_ASSIGNED:
        audit_assigned(audit, task, entry);
        audit_holds(audit, task, entry->assigned.contractor, entry->assigned.held != 0);
        break;
    case ENTRY_DELIVERED:
        audit_delivered(audit, task, entry);
        break;
    case ENTRY_ADOPTED:
        audit_adopted(audit, task, entry);
        break;
    case ENTRY_BELIEVED:
        audit_believed(audit, task, entry);
        break;
    case ENTRY_UNBLOCKED:
        audit_unblocked(audit, task, entry);
        break;
    default:
        ended(audit, task, entry);
        break;
    }
}
