/*
 * The arithmetic of a model tier; tier.h says what it means.
 */
#include "tier.h"

#include <tender/cost_model.h>

#include <assert.h>

/* When one more job may begin, among `count` that end when `end_us` says (any order; it is sorted
 * here): once so many have ended that a worker is free. */
static int64_t next_start_us(int64_t workers, int64_t *end_us, size_t count)
{
    if ((int64_t)count < workers) {
        return 0;
    }
    for (size_t i = 1; i < count; i++) {
        for (size_t j = i; j > 0 && end_us[j - 1] > end_us[j]; j--) {
            int64_t larger = end_us[j - 1];
            end_us[j - 1] = end_us[j];
            end_us[j] = larger;
        }
    }
    return end_us[count - (size_t)workers];
}

struct tier_queue tier_queue(const struct tier *tier, int64_t at_us, const int64_t *held_end_us,
                             size_t held_count)
{
    int64_t end_us[TIER_JOBS_MAX + TIER_HELD_MAX];
    size_t count = 0;
    for (size_t i = 0; i < tier->job_count; i++) {
        int64_t start_us = next_start_us(tier->workers, end_us, count);
        end_us[count++] = start_us + tier->job_us[i];
    }
    for (size_t i = 0; i < held_count; i++) {
        end_us[count++] = held_end_us[i];
    }
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        if (end_us[i] > at_us) {
            end_us[left++] = end_us[i];
        }
    }
    int64_t start_us = next_start_us(tier->workers, end_us, left);
    return (struct tier_queue){(int64_t)left, start_us > at_us ? start_us - at_us : 0};
}

static tender_cost_estimate estimate_of(const struct tier *tier, int64_t units)
{
    tender_cost_signals signals = TENDER_COST_SIGNALS_INIT;
    signals.out_price_micro = tier->price_micro * 1000; /* of a million tokens */
    signals.service_tokens = tier->tokens;
    signals.service_us = tier->unit_us;
    signals.units = units;
    signals.out_tokens = tier->tokens;
    tender_cost_estimate estimate;
    int status = tender_cost_model(&signals, &estimate);
    assert(status != TENDER_EINVAL);
    (void)status;
    return estimate;
}

int64_t tier_cost_micro(const struct tier *tier, int64_t units)
{
    return estimate_of(tier, units).cost_micro;
}

tender_bid tier_bid(const struct tier *tier, int64_t units, struct tier_queue queue)
{
    tender_cost_estimate estimate = estimate_of(tier, units);
    /* The wait is known job by job, so no queue length is needed to estimate it, and the delay has
     * a price for each job, where a surge would be a share of the cost. */
    return (tender_bid){
        .cost_micro = estimate.cost_micro + queue.length * tier->queue_price_micro,
        .eta_us = queue.wait_us + estimate.eta_us,
    };
}
