/*
 * The auditor's side of an award: the close of a round, the ranking, the price, the payment. Each
 * is computed anew from the recorded bids and compared with what the entry says.
 */
#include "audit.h"

#include "fail.h"

#include <inttypes.h>

#define SAY(bytes) (int)(bytes).size, (const char *)(bytes).data

static int64_t least(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

/* Reasons against a bid that the ledger alone shows; the others depend on sessions. */
static const tender_reason flaws[] = {
    TENDER_REASON_OWN_TASK,           TENDER_REASON_EXCLUDED,
    TENDER_REASON_ABOVE_CEILING,      TENDER_REASON_ETA_BEYOND_DUE,
    TENDER_REASON_VALIDITY_TOO_SHORT, TENDER_REASON_NO_SLOT,
    TENDER_REASON_RESOURCE_TAKEN,     TENDER_REASON_ON_HOLD,
    TENDER_REASON_NOT_IMPROVED};

/* Whether `reason` stands against the bid at `at_us`. */
static bool is_flawed(struct audit *audit, const struct audit_task *task,
                      const struct oracle_bid *bid, tender_reason reason, int64_t at_us)
{
    const struct audit_contractor *contractor = audit_contractor(audit, bid->contractor);
    switch ((int)reason) {
    case TENDER_REASON_OWN_TASK:
        return audit_are_kin(audit, bid->principal, task->terms.principal);
    case TENDER_REASON_EXCLUDED:
        return audit_is_out(audit, task, bid->principal);
    case TENDER_REASON_ABOVE_CEILING:
        return bid->cost_micro > audit_bid_ceiling(task);
    case TENDER_REASON_ETA_BEYOND_DUE:
        return bid->eta_us > task->round_due_us;
    case TENDER_REASON_VALIDITY_TOO_SHORT:
        return bid->valid_until_us != 0 &&
               (bid->valid_until_us <= at_us ||
                bid->valid_until_us < least(at_us, task->closes_at_us) + task->terms.ack_us);
    case TENDER_REASON_RESOURCE_TAKEN:
        return audit_lacks(audit, task, bid->contractor);
    case TENDER_REASON_ON_HOLD:
        return audit_is_held(audit, task, bid->contractor, bid->principal, at_us);
    case TENDER_REASON_NOT_IMPROVED:
        return audit_not_improved(audit, task, bid);
    case TENDER_REASON_NO_SLOT:
        return contractor == NULL || contractor->held >= contractor->slots;
    default:
        return true;
    }
}

static const struct entry_rank *rank_of(const struct entry_ranks *ranks, tender_bytes contractor)
{
    const struct entry_rank *found = NULL;
    for (size_t i = 0; i < ranks->count; i++) {
        if (bytes_equal(ranks->items[i].contractor, contractor)) {
            require(found == NULL, "bids", "%.*s is ranked twice", SAY(contractor));
            found = &ranks->items[i];
        }
    }
    return found;
}

static void check_eligibility(struct audit *audit, const struct audit_task *task,
                              const struct oracle_bid *bid, const struct entry_rank *rank,
                              int64_t at_us)
{
    if (rank->state == TENDER_BID_INELIGIBLE) {
        require(rank->reason != TENDER_REASON_NONE, "reasons", "an ineligible bid has no reason");
        require(is_flawed(audit, task, bid, rank->reason, at_us), "I5",
                "the bid of %.*s in %s is out for %s, which does not hold", SAY(bid->contractor),
                audit_id(task->id), tender_reason_name(rank->reason));
        return;
    }
    for (size_t i = 0; i < sizeof flaws / sizeof *flaws; i++) {
        require(!is_flawed(audit, task, bid, flaws[i], at_us), "I5",
                "the bid of %.*s in %s is ranked despite %s", SAY(bid->contractor),
                audit_id(task->id), tender_reason_name(flaws[i]));
    }
}

static void check_ranks(const struct audit_task *task, const struct entry_ranks *ranks)
{
    for (size_t i = 0; i < task->order_count; i++) {
        const struct oracle_bid *bid = &task->bids[task->order[i]];
        const struct entry_rank *rank = rank_of(ranks, bid->contractor);
        require(rank->rank == (int64_t)i + 1, "I5",
                "%.*s in %s is ranked %" PRId64 " instead of %zu", SAY(bid->contractor),
                audit_id(task->id), rank->rank, i + 1);
        bool is_won = i == 0 && rank->reason != TENDER_REASON_IMPROVING;
        require(task->terms.split_max > 0 || (rank->state == TENDER_BID_WON) == is_won, "I5",
                "the state of the bid ranked %zu in %s is wrong", i + 1, audit_id(task->id));
    }
}

/* The bids that stand, each with the one rank that the entry gives it. */
static void collect_bids(struct audit_task *task, const struct entry_ranks *ranks)
{
    task->bid_count = 0;
    task->order_count = 0;
    task->position = 0;
    for (size_t i = 0; i < task->answer_count; i++) {
        if (task->answers[i].state != TENDER_BID_STANDING) {
            continue;
        }
        struct oracle_bid *bid = &task->bids[task->bid_count++];
        *bid = task->answers[i].bid;
        const struct entry_rank *rank = rank_of(ranks, bid->contractor);
        require(rank != NULL, "bids", "the bid of %.*s in %s is not answered", SAY(bid->contractor),
                audit_id(task->id));
        bid->is_eligible = rank->state != TENDER_BID_INELIGIBLE;
    }
    require(ranks->count == task->bid_count, "bids", "%zu bids of %s are ranked, %zu stood",
            ranks->count, audit_id(task->id), task->bid_count);
}

/* A round that ends without a decision: nobody wins, everybody is told so. */
void audit_round_cancelled(struct audit_task *task, const struct entry_ranks *ranks)
{
    collect_bids(task, ranks);
    for (size_t i = 0; i < task->bid_count; i++) {
        const struct entry_rank *rank = rank_of(ranks, task->bids[i].contractor);
        require(!task->bids[i].is_eligible && rank->reason == TENDER_REASON_ROUND_CANCELLED, "I9",
                "the cancelled round of %s ranks bids", audit_id(task->id));
    }
}

/* Every bid that stands is ranked, once, as the rules rank it. */
void audit_ranked(struct audit *audit, struct audit_task *task, const struct entry *entry,
                  const struct entry_ranks *ranks)
{
    require(entry->at_us >= task->closes_at_us ||
                audit->witness.complete(audit->witness.context, task),
            "close", "round %" PRId64 " of %s closes %" PRId64 " us early, not all have answered",
            task->round, audit_id(task->id), task->closes_at_us - entry->at_us);
    collect_bids(task, ranks);
    for (size_t i = 0; i < task->bid_count; i++) {
        const struct oracle_bid *bid = &task->bids[i];
        check_eligibility(audit, task, bid, rank_of(ranks, bid->contractor), entry->at_us);
    }
    audit_drawn_close(audit, task);
    struct oracle_draw draw = {task->id, (uint32_t)task->round, task->head};
    task->order_count = oracle_rank(task->bids, task->bid_count, &draw, task->order);
    check_ranks(task, ranks);
}

static bool can_take(struct audit *audit, const struct audit_task *task,
                     const struct oracle_bid *bid, int64_t at_us)
{
    const struct audit_contractor *contractor = audit_contractor(audit, bid->contractor);
    return contractor->held < contractor->slots && !audit_is_out(audit, task, bid->principal) &&
           !audit_is_held(audit, task, bid->contractor, bid->principal, at_us) &&
           !audit_lacks(audit, task, bid->contractor) &&
           (bid->valid_until_us == 0 || bid->valid_until_us >= at_us + task->terms.ack_us) &&
           at_us + bid->eta_us <= task->deadline_us;
}

/* Moves to the bid that the entry awards, the next that can take it. */
static void runner_up(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    const struct entry_awarded *said = &entry->awarded;
    require(task->award_count > 0 &&
                task->awards[task->award_count - 1].state == TENDER_COMMITMENT_DECLINED,
            "standby", "a runner-up of %s takes over without a breach", audit_id(task->id));
    for (task->position++; task->position < task->order_count; task->position++) {
        const struct oracle_bid *bid = &task->bids[task->order[task->position]];
        if (bytes_equal(bid->contractor, said->contractor)) {
            require(can_take(audit, task, bid, entry->at_us), "standby",
                    "%.*s cannot take over in %s", SAY(bid->contractor), audit_id(task->id));
            return;
        }
    }
    fail("standby", "%.*s takes over in %s, and was no runner-up", SAY(said->contractor),
         audit_id(task->id));
}

static void check_price(const struct audit_task *task, const struct entry_awarded *said)
{
    require(task->order_count > 0, "I5", "%s is awarded without an eligible bid",
            audit_id(task->id));
    const struct oracle_bid *bid = &task->bids[task->order[task->position]];
    require(bytes_equal(bid->contractor, said->contractor) &&
                bytes_equal(bid->principal, said->principal),
            "I5", "%.*s wins round %" PRId64 " of %s, %.*s is first", SAY(said->contractor),
            task->round, audit_id(task->id), SAY(bid->contractor));
    require(bid->cost_micro == said->cost_micro, "I4", "the award of %s states another cost",
            audit_id(task->id));
    int64_t price = task->is_fallback_round
                        ? task->round_ceiling_micro
                        : oracle_price(task->bids, task->bid_count, task->order, task->position,
                                       task->round_ceiling_micro);
    require(said->price_micro == price, "I4",
            "round %" PRId64 " of %s is priced %" PRId64 " instead of %" PRId64, task->round,
            audit_id(task->id), said->price_micro, price);
}

static void check_award_terms(const struct audit_task *task, const struct entry *entry,
                              const struct oracle_bid *bid)
{
    const struct entry_awarded *said = &entry->awarded;
    require(said->cost_micro <= said->price_micro && said->price_micro <= task->round_ceiling_micro,
            "I4", "cost, price and ceiling of %s are out of order", audit_id(task->id));
    require(task->paid_micro + said->price_micro <= task->terms.ceiling_micro, "I4",
            "%s promises more than its ceiling", audit_id(task->id));
    require(said->round == task->round && said->units == task->round_units, "I9",
            "the award of %s is not of its round", audit_id(task->id));
    require(said->generation == (int64_t)task->award_count + 1, "I8",
            "generation %" PRId64 " of %s follows %zu", said->generation, audit_id(task->id),
            task->award_count);
    int64_t due = least(least(entry->at_us + bid->eta_us, entry->at_us + task->terms.due_us),
                        task->deadline_us);
    require(said->due_at_us == due, "I3", "%s is due %" PRId64 " us from where it should be",
            audit_id(task->id), said->due_at_us - due);
    int64_t ack_by = least(entry->at_us + task->terms.ack_us, due);
    ack_by = bid->valid_until_us != 0 ? least(ack_by, bid->valid_until_us) : ack_by;
    require(said->ack_by_us > entry->at_us && said->ack_by_us == ack_by, "I3",
            "%s is to be acknowledged %" PRId64 " us after the award", audit_id(task->id),
            said->ack_by_us - entry->at_us);
}

void audit_awarded(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    const struct entry_awarded *said = &entry->awarded;
    struct audit_contractor *contractor = audit_contractor(audit, said->contractor);
    require(contractor != NULL && bytes_equal(contractor->principal, said->principal), "I3",
            "%s is awarded to nobody known", audit_id(task->id));
    require(!audit_is_out(audit, task, said->principal), "excluded",
            "an excluded principal wins %s again", audit_id(task->id));
    if (task->state == AUDIT_BIDDING) {
        audit_ranked(audit, task, entry, &said->ranks);
        audit_auction_over(task, entry);
    } else {
        runner_up(audit, task, entry);
    }
    check_price(task, said);
    check_award_terms(task, entry, &task->bids[task->order[task->position]]);
    require(contractor->held < contractor->slots, "slots", "%.*s holds more than its slots",
            SAY(said->contractor));
    contractor->held++;
    require(task->award_count < AUDIT_AWARDS, "I16", "%s is awarded without end",
            audit_id(task->id));
    task->awards[task->award_count++] = (struct audit_award){.generation = said->generation,
                                                             .at_us = entry->at_us,
                                                             .contractor = contractor->name,
                                                             .principal = contractor->principal,
                                                             .cost_micro = said->cost_micro,
                                                             .price_micro = said->price_micro,
                                                             .units = said->units,
                                                             .due_at_us = said->due_at_us,
                                                             .ack_by_us = said->ack_by_us,
                                                             .is_fallback = task->is_fallback_round,
                                                             .state = TENDER_COMMITMENT_ACTIVE};
    task->state = AUDIT_AWARDED;
    audit->awards++;
}

void audit_require_report(const struct audit *audit, const struct audit_task *task,
                          const struct audit_award *award)
{
    require(audit->witness.reported(audit->witness.context, task->id, award->generation,
                                    award->contractor),
            "I8",
            "generation %" PRId64 " of %s is reported on, and its owner said nothing about it",
            award->generation, audit_id(task->id));
}

void audit_progressed(const struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    struct audit_award *award = audit_award_newest(task, entry->progressed.part);
    const struct entry_progressed *said = &entry->progressed;
    require(said->generation == award->generation, "I8",
            "progress of an old award of %s changes it", audit_id(task->id));
    require(said->units_done >= award->units_done && said->units_done <= award->units, "units",
            "progress of %s goes from %" PRId64 " to %" PRId64 " of %" PRId64, audit_id(task->id),
            award->units_done, said->units_done, award->units);
    require(entry->at_us <= award->due_at_us, "I18", "progress of %s after its due counts",
            audit_id(task->id));
    audit_require_report(audit, task, award);
    award->units_done = said->units_done;
    award->is_acknowledged = true;
}

void audit_acknowledged(const struct audit *audit, struct audit_task *task,
                        const struct entry *entry)
{
    struct audit_award *award = audit_award_newest(task, entry->acknowledged.part);
    require(entry->acknowledged.generation == award->generation, "I8",
            "acknowledgement of an old award of %s counts", audit_id(task->id));
    require(!award->is_acknowledged, "I9", "an award of %s is acknowledged twice",
            audit_id(task->id));
    require(entry->at_us <= award->ack_by_us, "I18", "an award of %s is acknowledged too late",
            audit_id(task->id));
    audit_require_report(audit, task, award);
    award->is_acknowledged = true;
}

static void check_lapse(const struct audit *audit, const struct audit_task *task,
                        const struct audit_award *award, const struct entry *entry)
{
    if (entry->settled.reason == TENDER_REASON_HEARTBEAT_MISSED) {
        int64_t silent_us =
            audit->witness.silent(audit->witness.context, award->contractor, entry->at_us);
        require(task->terms.heartbeat_us > 0 && silent_us > 3 * task->terms.heartbeat_us, "I10",
                "%s lapses after %" PRId64 " us of silence", audit_id(task->id), silent_us);
        return;
    }
    require(entry->settled.reason == TENDER_REASON_DUE_PASSED && entry->at_us > award->due_at_us,
            "I10", "%s lapses %" PRId64 " us after its due, for %s", audit_id(task->id),
            entry->at_us - award->due_at_us, tender_reason_name(entry->settled.reason));
}

/* When a commitment may end in this way (I10, I18). */
static void check_ending(const struct audit *audit, const struct audit_task *task,
                         const struct audit_award *award, const struct entry *entry)
{
    const struct entry_settled *said = &entry->settled;
    bool is_in_time = entry->at_us <= award->due_at_us;
    if (award->state == TENDER_COMMITMENT_DELIVERED) {
        audit_decided(task, award, entry);
        return;
    }
    switch ((int)said->state) {
    case TENDER_COMMITMENT_FULFILLED:
        require(said->units_done == award->units, "I9", "%s is fulfilled with units missing",
                audit_id(task->id));
        require(is_in_time, "I18", "%s is fulfilled after its due", audit_id(task->id));
        audit_require_report(audit, task, award);
        break;
    case TENDER_COMMITMENT_FAILED:
        require(is_in_time, "I18", "%s fails after its due", audit_id(task->id));
        audit_require_report(audit, task, award);
        break;
    case TENDER_COMMITMENT_LAPSED:
        check_lapse(audit, task, award, entry);
        break;
    case TENDER_COMMITMENT_DECLINED:
        require(!award->is_acknowledged && said->units_done == 0, "I9",
                "%s is declined after it was taken", audit_id(task->id));
        require(said->reason != TENDER_REASON_NOT_ACKNOWLEDGED || entry->at_us > award->ack_by_us,
                "I10", "%s is taken away before its acknowledgement was due", audit_id(task->id));
        break;
    default:
        require(said->state == TENDER_COMMITMENT_CANCELLED, "I9", "%s settles as no end",
                audit_id(task->id));
    }
}

static int64_t pro_rata(const struct audit_award *award)
{
    return oracle_share(award->price_micro, award->units_done, award->units);
}

/* What rules.md, Working and settling, pays at once for this ending. */
static void check_payment(const struct audit_task *task, const struct audit_award *award,
                          const struct entry_settled *said)
{
    int64_t earned = pro_rata(award);
    int64_t fee = 0;
    bool is_short = award->units_done < award->units;
    if (said->state == TENDER_COMMITMENT_CANCELLED) {
        fee = oracle_share(award->price_micro - earned, task->terms.kill_fee_ppm, TENDER_PPM);
    } else if (is_short) {
        bool is_pro_rata = task->terms.partial == TENDER_PARTIAL_PRO_RATA;
        earned = !is_pro_rata ? 0 : award->part > 0 ? audit_part_worth(award) : earned;
    }
    require(said->fee_micro == fee, "I12", "%s pays a kill fee of %" PRId64 " instead of %" PRId64,
            audit_id(task->id), said->fee_micro, fee);
    require(said->paid_micro == earned + fee, "I12",
            "%s pays %" PRId64 " instead of %" PRId64 " for %" PRId64 " of %" PRId64 " units",
            audit_id(task->id), said->paid_micro, earned + fee, award->units_done, award->units);
}

static void check_breach(struct audit_task *task, const struct audit_award *award,
                         const struct entry_settled *said)
{
    bool is_breach =
        said->state == TENDER_COMMITMENT_FAILED || said->state == TENDER_COMMITMENT_LAPSED ||
        (said->state == TENDER_COMMITMENT_DECLINED && !award->is_fallback && !award->is_assigned);
    require((said->excluded != 0) == is_breach, "excluded",
            "%s settles as %s with excluded=%" PRId64, audit_id(task->id),
            tender_commitment_state_name(said->state), said->excluded);
    if (is_breach) {
        require(task->out_count < AUDIT_ACCOUNTS, "audit", "more principals than accounts");
        task->out[task->out_count++] = award->principal;
    }
}

void audit_settled(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    const struct entry_settled *said = &entry->settled;
    struct audit_award *award = audit_award_newest(task, said->part);
    require(said->generation == award->generation, "I8", "an old award of %s is settled",
            audit_id(task->id));
    require(bytes_equal(said->principal, award->principal) &&
                bytes_equal(said->contractor, award->contractor),
            "I12", "%s pays another than its owner", audit_id(task->id));
    int64_t reported = said->reported > 0 ? said->reported : said->units_done;
    bool is_void = task->terms.partial == TENDER_PARTIAL_NONE && reported < award->units &&
                   said->state != TENDER_COMMITMENT_CANCELLED;
    int64_t accepted = audit_is_withheld(task) ? audit_accepted(task, award, entry) : reported;
    is_void = is_void || (task->terms.partial == TENDER_PARTIAL_NONE && accepted < award->units &&
                          said->state != TENDER_COMMITMENT_CANCELLED);
    require(reported >= award->units_done && reported <= award->units &&
                (said->reported == 0 || said->reported > said->units_done) &&
                said->units_done == (is_void ? 0 : accepted),
            "units", "%s settles %" PRId64 " of %" PRId64 " units after %" PRId64,
            audit_id(task->id), said->units_done, reported, award->units_done);
    bool is_held = award->state == TENDER_COMMITMENT_ACTIVE;
    check_ending(audit, task, award, entry);
    audit_came_late(award, said->reported, entry->number);
    award->adopted_before_micro = task->adopted_micro;
    award->units_done = said->units_done;
    award->state = said->state;
    award->reason = said->reason;
    award->paid_micro = said->paid_micro;
    check_payment(task, award, said);
    check_breach(task, award, said);
    audit_contractor(audit, said->contractor)->held -= is_held;
    task->paid_micro += said->paid_micro;
    require(award->units_done == 0 || award->units_done == award->units ||
                task->terms.partial != TENDER_PARTIAL_NONE ||
                said->state == TENDER_COMMITMENT_CANCELLED,
            "units", "%s accepts some units, and its rule is all or none", audit_id(task->id));
    task->units_done += award->units_done;
    require(task->paid_micro <= task->terms.ceiling_micro, "I4", "%s costs more than its ceiling",
            audit_id(task->id));
    if (said->part > 0) {
        audit_part_ended(task, award);
    } else {
        task->state = AUDIT_WAITING;
        task->reopens_at_us = 0;
    }
    if (said->task_state != 0) {
        audit_end(audit, task, entry, said->task_state, said->task_reason, said->released_micro);
    } else {
        require(said->released_micro == 0, "I12", "%s releases before its end", audit_id(task->id));
    }
}

/*
 * What `award` is paid when the rest has ended: at most its price less the cost of the rest, units
 * that nobody did counting at their share of the ceiling.
 */
static int64_t cover_of(const struct audit_task *task, const struct audit_award *award)
{
    int64_t undone = task->terms.units - task->units_done;
    int64_t rest = oracle_share(task->terms.ceiling_micro, undone, task->terms.units);
    for (const struct audit_award *later = award + 1; later < task->awards + task->award_count;
         later++) {
        rest += later->paid_micro;
    }
    rest += task->adopted_micro - award->adopted_before_micro;
    int64_t most = award->price_micro > rest ? award->price_micro - rest : 0;
    return least(pro_rata(award), most);
}

void audit_covered(struct audit_task *task, const struct entry *entry)
{
    struct audit_award *award =
        audit_award_find(task, entry->covered.part, entry->covered.generation);
    require(award != NULL && task->terms.partial == TENDER_PARTIAL_COVER &&
                award->state != TENDER_COMMITMENT_ACTIVE && award->paid_micro == 0 &&
                award->units_done < award->units && award->state != TENDER_COMMITMENT_CANCELLED,
            "I8", "%s covers a commitment that is not to be covered", audit_id(task->id));
    require(entry->covered.paid_micro == cover_of(task, award), "I12",
            "%s covers %" PRId64 " instead of %" PRId64, audit_id(task->id),
            entry->covered.paid_micro, cover_of(task, award));
    require(!award->is_covered, "I8", "%s covers a commitment twice", audit_id(task->id));
    award->is_covered = true;
    award->paid_micro = entry->covered.paid_micro;
    task->paid_micro += entry->covered.paid_micro;
    require(task->paid_micro <= task->terms.ceiling_micro, "I4", "%s costs more than its ceiling",
            audit_id(task->id));
}
