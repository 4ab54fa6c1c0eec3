/*
 * The arithmetic of the worked example's contractors: the numbers of its story follow from queue,
 * tokens and price. Method: the tiers of examples/translation/tiers, asked at both rounds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../examples/translation/tier.h"

#define MINUTE INT64_C(60000000)

static const struct tier tier_a = {.price_micro = 100000,
                                   .tokens = 2800,
                                   .unit_us = 75000000,
                                   .queue_price_micro = 800000,
                                   .slots = 2,
                                   .workers = 1,
                                   .job_us = {5 * MINUTE},
                                   .job_count = 1};
static const struct tier tier_b = {.price_micro = 150000,
                                   .tokens = 2500,
                                   .unit_us = 67500000,
                                   .queue_price_micro = 800000,
                                   .slots = 2,
                                   .workers = 1};
static const struct tier tier_c = {.price_micro = 250000,
                                   .tokens = 2400,
                                   .unit_us = 50000000,
                                   .queue_price_micro = 800000,
                                   .slots = 2,
                                   .workers = 2,
                                   .job_us = {30 * MINUTE, 600 * MINUTE},
                                   .job_count = 2};

static void a_bids_12_credits_and_55_minutes(void **state)
{
    (void)state;
    struct tier_queue queue = tier_queue(&tier_a, 0, NULL, 0);
    assert_int_equal(queue.length, 1);
    assert_int_equal(tier_bid(&tier_a, 40, queue).cost_micro, 12000000);
    assert_int_equal(tier_bid(&tier_a, 40, queue).eta_us, 55 * MINUTE);
}

static void b_bids_15_credits_and_45_minutes_then_4_5(void **state)
{
    (void)state;
    struct tier_queue queue = tier_queue(&tier_b, 0, NULL, 0);
    assert_int_equal(tier_bid(&tier_b, 40, queue).cost_micro, 15000000);
    assert_int_equal(tier_bid(&tier_b, 40, queue).eta_us, 45 * MINUTE);
    assert_int_equal(tier_bid(&tier_b, 12, queue).cost_micro, 4500000);
}

static void c_is_full_then_bids_8(void **state)
{
    (void)state;
    assert_int_equal(tier_queue(&tier_c, 0, NULL, 0).length, tier_c.slots);
    struct tier_queue queue = tier_queue(&tier_c, 40 * MINUTE, NULL, 0);
    assert_int_equal(queue.length, 1);
    assert_int_equal(queue.wait_us, 0);
    assert_int_equal(tier_bid(&tier_c, 12, queue).cost_micro, 8000000);
}

static void work_waits_for_a_free_worker(void **state)
{
    (void)state;
    int64_t ends[] = {9 * MINUTE, 7 * MINUTE, 8 * MINUTE};
    struct tier tier = tier_b;
    assert_int_equal(tier_queue(&tier, MINUTE, ends, 3).wait_us, 8 * MINUTE);
    tier.workers = 2;
    assert_int_equal(tier_queue(&tier, MINUTE, ends, 3).wait_us, 7 * MINUTE);
    tier.workers = 4;
    assert_int_equal(tier_queue(&tier, MINUTE, ends, 3).wait_us, 0);
    assert_int_equal(tier_queue(&tier, 8 * MINUTE, ends, 3).length, 1);
}

static void own_jobs_follow_each_other(void **state)
{
    (void)state;
    struct tier tier = tier_a;
    tier.job_us[1] = 10 * MINUTE;
    tier.job_count = 2;
    assert_int_equal(tier_queue(&tier, 0, NULL, 0).wait_us, 15 * MINUTE);
    assert_int_equal(tier_queue(&tier, 6 * MINUTE, NULL, 0).wait_us, 9 * MINUTE);
    assert_int_equal(tier_queue(&tier, 15 * MINUTE, NULL, 0).length, 0);
}

static void a_cost_is_rounded_up(void **state)
{
    (void)state;
    struct tier tier = {.price_micro = 1, .tokens = 1, .unit_us = 1, .workers = 1};
    struct tier_queue none = {0, 0};
    assert_int_equal(tier_bid(&tier, 1, none).cost_micro, 1);
    assert_int_equal(tier_bid(&tier, 1000, none).cost_micro, 1);
    assert_int_equal(tier_bid(&tier, 1001, none).cost_micro, 2);
}

static void any_number_of_units_can_be_asked_for(void **state)
{
    (void)state;
    struct tier tier = tier_c;
    struct tier_queue none = {0, 0};
    tier.price_micro = 1000000000;
    tier.tokens = 1000000;
    tier.unit_us = INT64_C(86400000000);
    assert_true(tier_bid(&tier, 1000000000, none).cost_micro > INT64_C(1000000000000000000));
    assert_true(tier_bid(&tier, 1000000000, none).eta_us > INT64_C(316224000000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bids_12_credits_and_55_minutes),
        cmocka_unit_test(b_bids_15_credits_and_45_minutes_then_4_5),
        cmocka_unit_test(c_is_full_then_bids_8),
        cmocka_unit_test(work_waits_for_a_free_worker),
        cmocka_unit_test(own_jobs_follow_each_other),
        cmocka_unit_test(a_cost_is_rounded_up),
        cmocka_unit_test(any_number_of_units_can_be_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
