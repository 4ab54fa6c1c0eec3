/*
 * A model tier as a contractor sees it: what a token costs, how many an article needs, how long one
 * takes, and what waits already. From that follow cost, eta and whether there is room at all.
 * Arithmetic only, on tender/cost_model.h: time enters as an argument, and nothing here knows a
 * clock or a session.
 */
#ifndef TENDER_EXAMPLES_TRANSLATION_TIER_H
#define TENDER_EXAMPLES_TRANSLATION_TIER_H

#include <tender/contractor.h>

#include <stddef.h>
#include <stdint.h>

#define TIER_JOBS_MAX 8
#define TIER_HELD_MAX 64

/*
 * price_micro        of a thousand tokens, in micro-credits
 * tokens             that a unit is expected to need, at least 1
 * unit_us            that a unit takes
 * queue_price_micro  what each job that waits adds to the cost: the tier is wanted elsewhere
 * slots              jobs that may wait or be worked on at once, its own included
 * job_us, job_count  the tier's own jobs, which have nothing to do with Tender: how long each
 * takes; they are worked on one after the other fails_after        units after which the quality
 * check fails; 0: never report_every       units between two reports of progress; 0: none
 */
struct tier {
    int64_t price_micro;
    int64_t tokens;
    int64_t unit_us;
    int64_t queue_price_micro;
    int64_t slots;
    int64_t workers;
    int64_t job_us[TIER_JOBS_MAX];
    size_t job_count;
    int64_t fails_after;
    int64_t report_every;
};

/* What stands before new work: `length` jobs, and `wait_us` until a worker is free for it. */
struct tier_queue {
    int64_t length;
    int64_t wait_us;
};

/*
 * The queue at `at_us` of working time.
 *
 * held_end_us  [held_count], at most TIER_HELD_MAX; when each job that was taken on beside the
 *              tier's own will be done
 */
struct tier_queue tier_queue(const struct tier *tier, int64_t at_us, const int64_t *held_end_us,
                             size_t held_count);

/*
 * What to bid for `units`, 1 to TENDER_UNITS_MAX: by tender_cost_model for the tokens and their
 * time, with what the queue adds to both. What is more than a bid can state is beyond every ceiling
 * or due.
 */
tender_bid tier_bid(const struct tier *tier, int64_t units, struct tier_queue queue);

/* What the tokens of `units` cost, without what a queue adds to a bid: the estimate beside a bid,
 * and what the work is reported to have cost. */
int64_t tier_cost_micro(const struct tier *tier, int64_t units);

#endif
