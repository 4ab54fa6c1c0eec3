/*
 * Split awards. The auditor divides the units itself: of all sets of counting bids, each filled in
 * the order of choice, the cheapest; there are at most as many as principals. Prices are what the
 * others would cost without a bid, less what they cost with it.
 */
#include "more.h"

#include <inttypes.h>
#include <string.h>

#define COUNTING_MAX WORLD_PRINCIPALS

/* What a round sold, and to whom: in the order of ranks. */
struct choice {
    int64_t units;
    int64_t unit_ceiling;
    int64_t parts_max;
    size_t count;
    tender_bytes contractors[COUNTING_MAX];
    int64_t costs[COUNTING_MAX];
    int64_t capacities[COUNTING_MAX];
    size_t order[COUNTING_MAX]; /* of choice */
    int64_t won[COUNTING_MAX];
    int64_t prices[COUNTING_MAX];
};

/* What the auditor remembers of a split task. */
struct split {
    int64_t promised_units;
    int64_t promised_micro;
    int64_t part_last;
    struct choice *choice; /* of the round that is making parts, else NULL */
    size_t next;           /* rank from which the next part is due */
    bool is_backing_off;
};

static struct split *split_of(struct audit *audit, struct audit_task *task)
{
    if (task->more.split == NULL) {
        task->more.split = pool_take(audit->pool, sizeof(struct split));
    }
    return task->more.split;
}

int64_t audit_promised(const struct audit_task *task)
{
    return task->more.split == NULL ? 0 : ((const struct split *)task->more.split)->promised_units;
}

int64_t audit_bid_ceiling(const struct audit_task *task)
{
    return task->terms.split_max > 0 ? task->round_ceiling_micro / task->round_units
                                     : task->round_ceiling_micro;
}

int64_t audit_part_of(const struct entry *entry)
{
    switch ((int)entry->kind) {
    case ENTRY_AWARDED:
        return entry->awarded.part;
    case ENTRY_ACKNOWLEDGED:
        return entry->acknowledged.part;
    case ENTRY_PROGRESSED:
        return entry->progressed.part;
    case ENTRY_DELIVERED:
        return entry->delivered.part;
    case ENTRY_SETTLED:
        return entry->settled.part;
    default:
        return 0;
    }
}

/* Cost, units covered, and units of each in the order of choice. */
struct division {
    int64_t cost;
    int64_t covered;
    int64_t units[COUNTING_MAX];
};

static bool is_better(const struct choice *choice, const struct division *left,
                      const struct division *right)
{
    if (left->cost != right->cost) {
        return left->cost < right->cost;
    }
    if (left->covered != right->covered) {
        return left->covered > right->covered;
    }
    for (size_t i = 0; i < choice->count; i++) {
        size_t at = choice->order[i];
        if (left->units[at] != right->units[at]) {
            return left->units[at] > right->units[at];
        }
    }
    return false;
}

static struct division fill(const struct choice *choice, unsigned set)
{
    struct division division = {.cost = 0};
    int64_t left = choice->units;
    for (size_t i = 0; i < choice->count; i++) {
        size_t at = choice->order[i];
        if ((set & 1U << at) != 0) {
            int64_t units = choice->capacities[at] < left ? choice->capacities[at] : left;
            division.units[at] = units;
            division.cost += choice->costs[at] * units;
            left -= units;
        }
    }
    division.covered = choice->units - left;
    division.cost += choice->unit_ceiling * left;
    return division;
}

/* The best division in which the bid `without` takes no part; SIZE_MAX: all may. */
static struct division divide(const struct choice *choice, size_t without)
{
    struct division best = fill(choice, 0);
    for (unsigned set = 1; set < 1U << choice->count; set++) {
        bool is_free = without == SIZE_MAX || (set & 1U << without) == 0;
        if (is_free && __builtin_popcount(set) <= choice->parts_max) {
            struct division division = fill(choice, set);
            best = is_better(choice, &division, &best) ? division : best;
        }
    }
    return best;
}

/* Unit cost, then the larger capacity, then rank. */
static void put_in_order(struct choice *choice)
{
    for (size_t i = 0; i < choice->count; i++) {
        size_t at = i;
        for (; at > 0; at--) {
            size_t before = choice->order[at - 1];
            if (choice->costs[before] < choice->costs[i] ||
                (choice->costs[before] == choice->costs[i] &&
                 choice->capacities[before] >= choice->capacities[i])) {
                break;
            }
            choice->order[at] = before;
        }
        choice->order[at] = i;
    }
}

static int64_t price_of(const struct choice *choice, const struct division *best, size_t bid)
{
    int64_t own = choice->costs[bid] * best->units[bid];
    return divide(choice, bid).cost - (best->cost - own);
}

static struct choice *choose(struct audit *audit, const struct audit_task *task, int64_t parts_max)
{
    struct choice *choice = pool_take(audit->pool, sizeof *choice);
    choice->units = task->round_units;
    choice->unit_ceiling = audit_bid_ceiling(task);
    choice->parts_max = parts_max;
    require(task->order_count <= COUNTING_MAX, "audit", "more bids count than principals");
    for (size_t i = 0; i < task->order_count; i++) {
        const struct oracle_bid *bid = &task->bids[task->order[i]];
        choice->contractors[i] = bid->contractor;
        choice->costs[i] = bid->cost_micro;
        choice->capacities[i] = bid->capacity < choice->units ? bid->capacity : choice->units;
        choice->count++;
    }
    put_in_order(choice);
    struct division best = divide(choice, SIZE_MAX);
    for (size_t i = 0; i < choice->count; i++) {
        choice->won[i] = best.units[i];
        choice->prices[i] = best.units[i] > 0 ? price_of(choice, &best, i) : 0;
    }
    return choice;
}

void audit_left_to_parts(struct audit_task *task)
{
    if (task->more.split != NULL) {
        ((struct split *)task->more.split)->is_backing_off = false;
    }
    task->reopens_at_us = 0;
}

int64_t audit_part_worth(const struct audit_award *award)
{
    struct choice less = *(const struct choice *)award->choice;
    for (size_t i = 0; i < less.count; i++) {
        if (bytes_equal(less.contractors[i], award->contractor)) {
            less.capacities[i] = award->units_done;
            put_in_order(&less);
            struct division best = divide(&less, SIZE_MAX);
            int64_t pro_rata = oracle_share(award->price_micro, award->units_done, award->units);
            int64_t price = best.units[i] > 0 ? price_of(&less, &best, i) : 0;
            return price < pro_rata ? price : pro_rata;
        }
    }
    fail("audit", "a part of nobody who bid");
}

static void check_deal(const struct audit_task *task, const struct choice *choice, size_t bid,
                       const struct entry *entry)
{
    const struct entry_awarded *said = &entry->awarded;
    const struct oracle_bid *own = &task->bids[task->order[bid]];
    require(bytes_equal(said->contractor, own->contractor) &&
                bytes_equal(said->principal, own->principal),
            "split", "part %" PRId64 " of %s goes to %.*s", said->part, audit_id(task->id),
            (int)said->contractor.size, (const char *)said->contractor.data);
    require(said->units == choice->won[bid] && said->price_micro == choice->prices[bid], "split",
            "part %" PRId64 " of %s is %" PRId64 " units for %" PRId64 " instead of %" PRId64
            " for %" PRId64,
            said->part, audit_id(task->id), said->units, said->price_micro, choice->won[bid],
            choice->prices[bid]);
    require(said->cost_micro == choice->costs[bid] * said->units &&
                said->cost_micro <= said->price_micro &&
                said->price_micro <= choice->unit_ceiling * said->units,
            "I4", "cost, price and ceiling of part %" PRId64 " of %s are out of order", said->part,
            audit_id(task->id));
    int64_t due = entry->at_us + own->eta_us;
    due = due < entry->at_us + task->terms.due_us ? due : entry->at_us + task->terms.due_us;
    due = due < task->deadline_us ? due : task->deadline_us;
    require(said->due_at_us == due && said->ack_by_us > entry->at_us && said->ack_by_us <= due,
            "I3", "part %" PRId64 " of %s is due at another time", said->part, audit_id(task->id));
}

void audit_part_awarded(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    const struct entry_awarded *said = &entry->awarded;
    struct split *split = split_of(audit, task);
    struct audit_contractor *contractor = audit_contractor(audit, said->contractor);
    if (split->choice == NULL) {
        require(said->parts_max >= 1 && said->parts_max <= task->terms.split_max &&
                    said->parts_max <= audit_free_parts(audit, task),
                "split", "%s is split into %" PRId64 " parts at most", audit_id(task->id),
                said->parts_max);
        audit_ranked(audit, task, entry, &said->ranks);
        split->choice = choose(audit, task, said->parts_max);
        split->next = 0;
    }
    while (split->next < split->choice->count && split->choice->won[split->next] == 0) {
        split->next++;
    }
    require(split->next < split->choice->count, "split", "%s has a part too many",
            audit_id(task->id));
    check_deal(task, split->choice, split->next, entry);
    require(said->part == split->part_last + 1 && said->generation == 1, "I8",
            "part %" PRId64 " of %s follows part %" PRId64, said->part, audit_id(task->id),
            split->part_last);
    require(!audit_is_out(audit, task, said->principal), "excluded",
            "an excluded principal wins %s again", audit_id(task->id));
    require(contractor != NULL && contractor->held < contractor->slots, "slots",
            "a contractor holds more than its slots by a part of %s", audit_id(task->id));
    contractor->held++;
    split->next++;
    split->part_last++;
    split->promised_units += said->units;
    split->promised_micro += said->price_micro;
    require(task->units_done + split->promised_units <= task->terms.units &&
                task->paid_micro + split->promised_micro <= task->terms.ceiling_micro,
            "I4", "%s promises more than it has", audit_id(task->id));
    require(task->award_count < AUDIT_AWARDS, "I16", "%s is awarded without end",
            audit_id(task->id));
    task->awards[task->award_count++] = (struct audit_award){.part = said->part,
                                                             .generation = said->generation,
                                                             .at_us = entry->at_us,
                                                             .contractor = contractor->name,
                                                             .principal = contractor->principal,
                                                             .cost_micro = said->cost_micro,
                                                             .price_micro = said->price_micro,
                                                             .units = said->units,
                                                             .due_at_us = said->due_at_us,
                                                             .ack_by_us = said->ack_by_us,
                                                             .choice = split->choice,
                                                             .state = TENDER_COMMITMENT_ACTIVE};
    audit->awards++;
}

/* Whether more could not be covered by those who were turned down for it. */
static void check_short(struct audit *audit, struct audit_task *task,
                        const struct entry_ranks *ranks)
{
    require(task->terms.cover_all != 0, "split", "round %" PRId64 " of %s fails for capacity",
            task->round, audit_id(task->id));
    for (size_t i = 0; i < ranks->count; i++) {
        for (size_t j = 0; j < task->bid_count; j++) {
            if (bytes_equal(ranks->items[i].contractor, task->bids[j].contractor)) {
                task->bids[j].is_eligible = ranks->items[i].reason == TENDER_REASON_SHORT_CAPACITY;
            }
        }
    }
    struct oracle_draw draw = {task->id, (uint32_t)task->round, task->head};
    task->order_count = oracle_rank(task->bids, task->bid_count, &draw, task->order);
    int64_t free = audit_free_parts(audit, task);
    int64_t parts_max = free < task->terms.split_max ? free : task->terms.split_max;
    struct choice *choice = choose(audit, task, parts_max);
    task->order_count = 0;
    require(divide(choice, SIZE_MAX).covered < choice->units, "split",
            "round %" PRId64 " of %s fails though its bids cover it", task->round,
            audit_id(task->id));
}

bool audit_parts_closed(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    const struct entry_closed *said = &entry->closed;
    if (task->terms.split_max == 0) {
        return false;
    }
    struct split *split = split_of(audit, task);
    split->is_backing_off = said->reopens_at_us != 0;
    if (split->choice == NULL) {
        if (said->reason == TENDER_REASON_SHORT_CAPACITY) {
            audit_ranked(audit, task, entry, &said->ranks);
            check_short(audit, task, &said->ranks);
        }
        return false;
    }
    int64_t covered = 0;
    for (size_t i = 0; i < split->choice->count; i++) {
        covered += split->choice->won[i];
        require(i < split->next || split->choice->won[i] == 0, "split",
                "round %" PRId64 " of %s closes without one of its parts", task->round,
                audit_id(task->id));
    }
    require(task->terms.cover_all == 0 || covered == task->round_units, "split",
            "%s is awarded though it is not covered", audit_id(task->id));
    require(said->ranks.count == 0 &&
                said->reason == (covered == task->round_units ? TENDER_REASON_NONE
                                                              : TENDER_REASON_SHORT_CAPACITY),
            "split", "round %" PRId64 " of %s closes for another reason", task->round,
            audit_id(task->id));
    require(
        said->reopens_at_us == 0 || said->reopens_at_us >= entry->at_us + task->terms.backoff_us,
        "backoff", "round %" PRId64 " of %s is followed too soon", task->round, audit_id(task->id));
    split->choice = NULL;
    task->state = AUDIT_WAITING;
    task->reopens_at_us = entry->at_us + task->terms.backoff_us;
    return true;
}

void audit_part_ended(struct audit_task *task, const struct audit_award *award)
{
    struct split *split = task->more.split;
    split->promised_units -= award->units;
    split->promised_micro -= award->price_micro;
    if (task->state == AUDIT_WAITING && !split->is_backing_off) {
        task->reopens_at_us = 0;
    }
}

void more_split_announce(struct world *world, uint32_t client, struct message *said)
{
    (void)client;
    if (!chance(world, 120)) {
        return;
    }
    message_set(said, SPLIT_MAX, split_max, PICK(1, 2, 3, 16));
    if (chance(world, 300)) {
        message_set(said, COVER_ALL, cover_all, 1);
    }
    if (chance(world, 50)) {
        return; /* with terms that may contradict it */
    }
    said->units = said->units == 1 ? PICK(2, 7, 40) : said->units;
    if (message_has(said, MESSAGE_PARTIAL) && said->partial == (int64_t)TENDER_PARTIAL_COVER) {
        said->partial = (int64_t)TENDER_PARTIAL_PRO_RATA;
    }
    said->present &= ~(MESSAGE_BIT(MESSAGE_FALLBACK) | MESSAGE_BIT(MESSAGE_CONTRACTOR));
}

void more_split_client(struct world *world, uint32_t client)
{
    (void)world;
    (void)client;
}

void more_split_hears(struct world *world, uint32_t client, const struct message *message)
{
    (void)world;
    (void)client;
    (void)message;
}

void more_split_bid(struct world *world, uint32_t contractor, const struct message *cfp,
                    struct message *said)
{
    (void)contractor;
    if (!message_has(cfp, MESSAGE_SPLIT_MAX) || cfp->split_max == 0) {
        return;
    }
    int64_t most = cfp->ceiling_micro / cfp->units;
    said->cost_micro = (int64_t)((__int128)most * (int64_t)prng_between(&world->prng, 0, 8) / 8);
    int64_t eighths = prng_between(&world->prng, 1, 10);
    int64_t capacity = (int64_t)((__int128)cfp->units * eighths / 8);
    message_set(said, CAPACITY, capacity, capacity > 0 ? capacity : 1);
    if (chance(world, 40)) {
        said->cost_micro = most + 1;
    }
    if (chance(world, 40)) {
        said->capacity = 0;
    }
    if (chance(world, 40)) {
        said->present &= ~MESSAGE_BIT(MESSAGE_CAPACITY);
    }
}

void more_split_report(struct world *world, uint32_t contractor, const struct message *award,
                       struct message *said)
{
    (void)world;
    (void)contractor;
    (void)award;
    (void)said;
}

void more_split_contractor(struct world *world, uint32_t contractor, const struct message *message)
{
    (void)world;
    (void)contractor;
    (void)message;
}
