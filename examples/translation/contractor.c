/*
 * The example's contractor: hears calls, bids what its tier says, works by waiting out the time the
 * work takes, and reports. `--speed N` divides that waiting and nothing else: the times it bids and
 * the times in the ledger are those of the tier.
 *
 * It pulls events and so needs one thread for any number of commitments. What cost and eta are, and
 * when work can begin, is tier.c's business.
 */
#include "options.h"

#include <tender/contractor.h>

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A commitment that is held; times are working time, from the first call that was heard. */
struct held {
    tender_commitment commitment;
    int64_t units;
    int64_t start_us;
    int64_t reported; /* units */
};

struct worker {
    struct options options;
    tender_contractor *self;
    int64_t first_call_us; /* monotonic; 0: none was heard */
    struct held held[TIER_HELD_MAX];
    size_t held_count;
};

static tender_contractor *contractor_to_stop;

static void on_signal(int number)
{
    (void)number;
    tender_contractor_stop(contractor_to_stop);
}

static int64_t monotonic_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Working time so far: real time, times the speed. It starts with the first call, so that the
 * example's numbers do not depend on how long a process took to start. */
static int64_t worked_us(const struct worker *worker)
{
    if (worker->first_call_us == 0) {
        return 0;
    }
    return (monotonic_us() - worker->first_call_us) * worker->options.speed;
}

static int64_t held_end_us(const struct worker *worker, const struct held *held)
{
    return held->start_us + held->units * worker->options.tier.unit_us;
}

static struct tier_queue worker_queue(const struct worker *worker, int64_t at_us)
{
    int64_t end_us[TIER_HELD_MAX];
    for (size_t i = 0; i < worker->held_count; i++) {
        end_us[i] = held_end_us(worker, &worker->held[i]);
    }
    return tier_queue(&worker->options.tier, at_us, end_us, worker->held_count);
}

static int answer_cfp(struct worker *worker, const tender_cfp *cfp)
{
    const struct tier *tier = &worker->options.tier;
    /* The first call finds the queue as it was described. */
    int64_t at_us = worked_us(worker);
    if (worker->first_call_us == 0) {
        worker->first_call_us = monotonic_us();
    }
    struct tier_queue queue = worker_queue(worker, at_us);
    tender_bid bid = tier_bid(tier, cfp->units, queue);
    tender_reason reason = TENDER_REASON_NONE;
    if (queue.length >= tier->slots || worker->held_count == TIER_HELD_MAX) {
        reason = TENDER_REASON_OVER_CAPACITY;
    } else if (bid.cost_micro > cfp->ceiling_micro) {
        reason = TENDER_REASON_TOO_LITTLE_PAY;
    } else if (bid.eta_us > cfp->due_us) {
        reason = TENDER_REASON_CANNOT_MEET_DUE;
    }
    if (reason != TENDER_REASON_NONE) {
        printf("event=refuse round=%" PRId64 " units=%" PRId64 " queue=%" PRId64 " reason=%s\n",
               cfp->round, cfp->units, queue.length, tender_reason_name(reason));
        return tender_refuse(worker->self, cfp, reason);
    }
    char text[256];
    snprintf(text, sizeof(text),
             "%" PRId64 " units x %" PRId64 " tokens; %" PRId64 " waiting; %" PRId64
             " s until done",
             cfp->units, tier->tokens, queue.length, bid.eta_us / 1000000);
    bid.text = text;
    printf("event=propose round=%" PRId64 " units=%" PRId64 " queue=%" PRId64 " cost_micro=%" PRId64
           " eta_s=%" PRId64 "\n",
           cfp->round, cfp->units, queue.length, bid.cost_micro, bid.eta_us / 1000000);
    tender_bid_terms terms = TENDER_BID_TERMS_INIT;
    terms.estimate_micro = tier_cost_micro(tier, cfp->units);
    return tender_propose_terms(worker->self, cfp, &bid, &terms);
}

static bool is_same(tender_commitment left, tender_commitment right)
{
    return tender_id_equal(left.task, right.task) && left.part == right.part &&
           left.generation == right.generation;
}

static void drop(struct worker *worker, tender_commitment commitment)
{
    for (size_t i = 0; i < worker->held_count; i++) {
        if (is_same(worker->held[i].commitment, commitment)) {
            worker->held_count--;
            memmove(&worker->held[i], &worker->held[i + 1],
                    (worker->held_count - i) * sizeof(worker->held[0]));
            return;
        }
    }
}

/* Takes an award behind what it has already; one that it knows was told twice. */
static void take_award(struct worker *worker, const tender_award *award)
{
    for (size_t i = 0; i < worker->held_count; i++) {
        if (is_same(worker->held[i].commitment, award->commitment)) {
            return;
        }
    }
    if (worker->first_call_us == 0) {
        worker->first_call_us = monotonic_us();
    }
    if (worker->held_count < TIER_HELD_MAX) {
        int64_t at_us = worked_us(worker);
        int64_t start_us = at_us + worker_queue(worker, at_us).wait_us;
        worker->held[worker->held_count++] =
            (struct held){award->commitment, award->units, start_us, 0};
        printf("event=award round=%" PRId64 " units=%" PRId64 " price_micro=%" PRId64
               " start_s=%" PRId64 "\n",
               award->round, award->units, award->price_micro, (start_us - at_us) / 1000000);
    }
}

/* What the client gets: here a sentence, since nothing but time is spent on the articles. */
static tender_bytes result_text(char *text, size_t capacity, int64_t units, int64_t of_units)
{
    int size = snprintf(text, capacity, "articles 1 to %" PRId64 " of %" PRId64 " in German", units,
                        of_units);
    return (tender_bytes){text, size > 0 ? (size_t)size : 0};
}

/* The units at which the next report about `held` is due. */
static int64_t next_report(const struct tier *tier, const struct held *held)
{
    int64_t units = held->units;
    if (tier->report_every > 0 && held->reported + tier->report_every < units) {
        units = held->reported + tier->report_every;
    }
    if (tier->fails_after > 0 && tier->fails_after < units) {
        units = tier->fails_after;
    }
    return units;
}

/* The end, with what the work cost: the ledger compares that with the bid. */
static int finish(struct worker *worker, tender_commitment commitment, int64_t units,
                  tender_bytes result)
{
    const struct options *options = &worker->options;
    char evidence[64];
    snprintf(evidence, sizeof(evidence), "tokens_out=%" PRId64 "\n", units * options->tier.tokens);
    tender_delivery delivery = TENDER_DELIVERY_INIT;
    delivery.evidence = evidence;
    delivery.measured_micro = tier_cost_micro(&options->tier, units);
    delivery.tier =
        tender_skill_is_valid(options->name, strlen(options->name)) ? options->name : NULL;
    return tender_deliver(worker->self, commitment, units, result, &delivery);
}

static int report(struct worker *worker, struct held *held, int64_t units)
{
    const struct tier *tier = &worker->options.tier;
    tender_commitment commitment = held->commitment;
    char text[96];
    tender_bytes result = result_text(text, sizeof(text), units, held->units);
    if (units == tier->fails_after && units < held->units) {
        printf("event=failure units=%" PRId64 " reason=quality-check\n", units);
        drop(worker, commitment);
        return tender_failure(worker->self, commitment, units, TENDER_REASON_QUALITY_CHECK,
                              "terminology does not hold from the next article on", result);
    }
    if (units == held->units) {
        printf("event=done units=%" PRId64 "\n", units);
        drop(worker, commitment);
        return finish(worker, commitment, units, result);
    }
    printf("event=progress units=%" PRId64 "\n", units);
    held->reported = units;
    return tender_inform_progress(worker->self, commitment, units, result);
}

/* Says what is due to be said. `wait_ms_out` receives the real time until there is more to say, or
 * -1: never. Returns 0 or a negative error. */
static int work(struct worker *worker, int *wait_ms_out)
{
    int64_t soonest_us = INT64_MAX;
    for (size_t i = 0; i < worker->held_count;) {
        struct held *held = &worker->held[i];
        int64_t units = next_report(&worker->options.tier, held);
        int64_t wait_us = held->start_us + units * worker->options.tier.unit_us - worked_us(worker);
        if (wait_us > 0) {
            soonest_us = wait_us < soonest_us ? wait_us : soonest_us;
            i++;
            continue;
        }
        int status = report(worker, held, units);
        if (status < 0) {
            return status;
        }
    }
    int64_t wait_ms = soonest_us / worker->options.speed / 1000 + 1;
    *wait_ms_out = soonest_us == INT64_MAX ? -1 : wait_ms > 60000 ? 60000 : (int)wait_ms;
    return 0;
}

static int take_event(struct worker *worker, const tender_event *event)
{
    switch (event->kind) {
    case TENDER_EVENT_CFP:
        return answer_cfp(worker, &event->cfp);
    case TENDER_EVENT_ACCEPT_PROPOSAL:
        take_award(worker, &event->accept_proposal);
        return 0;
    case TENDER_EVENT_REJECT_PROPOSAL:
        printf("event=rejected round=%" PRId64 " reason=%s\n", event->reject_proposal.round,
               tender_reason_name(event->reject_proposal.reason));
        return 0;
    case TENDER_EVENT_CANCEL:
        printf("event=cancelled reason=%s\n", tender_reason_name(event->cancel.reason));
        drop(worker, event->cancel.commitment);
        return 0;
    case TENDER_EVENT_INFORM:
        printf("event=settled state=%s units=%" PRId64 " paid_micro=%" PRId64 "\n",
               tender_commitment_state_name(event->inform.state), event->inform.units_done,
               event->inform.paid_micro);
        drop(worker, event->inform.commitment);
        return 0;
    case TENDER_EVENT_NOT_UNDERSTOOD:
        printf("event=not-understood reason=%s field=%s\n",
               tender_reason_name(event->not_understood.reason), event->not_understood.field);
        return 0;
    case TENDER_EVENT_CONTACT:
        printf("event=contact kind=%d text=\"%s\"\n", (int)event->contact.kind,
               event->contact.text);
        return 0;
    default:
        return 0; /* kinds that this program has no use for */
    }
    return 0;
}

static int run(struct worker *worker)
{
    int status = 0;
    while (status >= 0) {
        const tender_event *event = NULL;
        int wait_ms = -1;
        status = work(worker, &wait_ms);
        if (status >= 0) {
            status = tender_contractor_next(worker->self, wait_ms, &event);
        }
        if (status > 0) {
            status = take_event(worker, event);
        }
    }
    return status == TENDER_ECLOSED ? 0 : status;
}

int main(int argc, char **argv)
{
    struct worker worker = {0};
    int status = options_read(argc, argv, &worker.options);
    if (status != 0) {
        return status < 0 ? 0 : status;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    tender_options options = TENDER_OPTIONS_INIT;
    options.broker_url = worker.options.url;
    options.name = worker.options.name;
    options.principal = worker.options.principal;
    options.slots = (uint32_t)worker.options.tier.slots;
    status = tender_contractor_open(&options, &worker.self);
    if (status == 0) {
        contractor_to_stop = worker.self;
        signal(SIGTERM, on_signal);
        signal(SIGINT, on_signal);
        status = tender_contractor_offer(worker.self, worker.options.skill);
    }
    if (status == 0) {
        printf("event=ready name=%s speed=%" PRId64 "\n", worker.options.name,
               worker.options.speed);
        status = run(&worker);
    }
    if (status < 0) {
        fprintf(stderr, "model-tier: %s: %s\n", tender_strerror(status),
                tender_contractor_last_error(worker.self));
    }
    tender_contractor_close(worker.self);
    return status < 0 ? 3 : 0;
}
