/*
 * The arithmetic of a model tier; tier.h says what it means. A client may ask for any number of
 * units, so products saturate.
 */
#include "tier.h"

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

#define BEYOND_ALL (INT64_MAX / 4) /* more than any ceiling and any due */

/* A product of what is not negative. */
static int64_t product(int64_t left, int64_t right)
{
    int64_t result = 0;
    return __builtin_mul_overflow(left, right, &result) ? BEYOND_ALL : result;
}

int64_t tier_cost_micro(const struct tier *tier, int64_t units, struct tier_queue queue)
{
    int64_t thousandfold_micro = product(product(units, tier->tokens), tier->price_micro);
    if (thousandfold_micro >= BEYOND_ALL) {
        return BEYOND_ALL;
    }
    return thousandfold_micro / 1000 + (thousandfold_micro % 1000 != 0 ? 1 : 0) +
           queue.length * tier->queue_price_micro;
}

int64_t tier_eta_us(const struct tier *tier, int64_t units, struct tier_queue queue)
{
    return queue.wait_us + product(units, tier->unit_us);
}
