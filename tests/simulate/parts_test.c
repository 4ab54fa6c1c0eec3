/*
 * Goal: what the simulator judges by is right by itself. Method: the oracle against examples worked
 * by hand, the queue and the numbers against what they promise; no core involved.
 */
#include "oracle.h"
#include "prng.h"
#include "queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct oracle_bid bid_of(const char *contractor, const char *principal, int64_t cost,
                                int64_t eta)
{
    return (struct oracle_bid){.contractor = bytes_of(contractor),
                               .principal = bytes_of(principal),
                               .root = bytes_of(principal),
                               .cost_micro = cost,
                               .eta_us = eta,
                               .is_eligible = true};
}

static void winner_is_paid_the_second_price(void **state)
{
    (void)state;
    struct oracle_bid bids[] = {bid_of("b", "birch", 15000000, 45),
                                bid_of("a", "acorn", 12000000, 55)};
    struct oracle_draw draw = {0};
    size_t order[2];
    assert_int_equal(oracle_rank(bids, 2, &draw, order), 2);
    assert_int_equal(order[0], 1);
    assert_int_equal(oracle_price(bids, 2, order, 0, 30000000), 15000000);
    assert_int_equal(oracle_price(bids, 2, order, 1, 30000000), 30000000);
    assert_int_equal(oracle_share(15000000, 28, 40), 10500000);
}

static void siblings_neither_rank_nor_price(void **state)
{
    (void)state;
    struct oracle_bid bids[] = {bid_of("a1", "acorn", 5, 1), bid_of("a2", "acorn", 6, 1),
                                bid_of("b", "birch", 9, 1)};
    struct oracle_draw draw = {0};
    size_t order[3];
    assert_int_equal(oracle_rank(bids, 3, &draw, order), 2);
    assert_int_equal(order[0], 0);
    assert_int_equal(order[1], 2);
    assert_int_equal(oracle_price(bids, 3, order, 0, 30), 9);
    bids[2].is_eligible = false;
    assert_int_equal(oracle_rank(bids, 3, &draw, order), 1);
    assert_int_equal(oracle_price(bids, 3, order, 0, 30), 30);
}

static void ties_fall_the_same_in_any_order(void **state)
{
    (void)state;
    struct oracle_bid bids[] = {bid_of("a", "acorn", 5, 1), bid_of("b", "birch", 5, 1)};
    struct oracle_bid turned[] = {bids[1], bids[0]};
    int first = 0;
    for (uint32_t round = 1; round <= 64; round++) {
        struct oracle_draw draw = {.round = round};
        size_t order[2];
        size_t turned_order[2];
        oracle_rank(bids, 2, &draw, order);
        oracle_rank(turned, 2, &draw, turned_order);
        assert_true(order[0] != turned_order[0]);
        first += order[0] == 0;
    }
    assert_in_range(first, 16, 48);
}

static void shares_do_not_overflow(void **state)
{
    (void)state;
    assert_int_equal(oracle_share(INT64_C(1000000000000000000), 999999999, 1000000000),
                     INT64_C(999999999000000000));
}

static void queue_orders_by_time_then_by_scheduling(void **state)
{
    (void)state;
    struct pool pool = {0};
    struct queue queue = {.pool = &pool};
    struct prng prng = {7};
    for (int i = 0; i < 1000; i++) {
        queue_push(&queue, (struct queue_item){.at_us = prng_between(&prng, 0, 50)});
    }
    struct queue_item before = {.at_us = -1};
    struct queue_item item;
    for (int i = 0; i < 1000; i++) {
        assert_true(queue_pop(&queue, &item));
        assert_true(item.at_us > before.at_us ||
                    (item.at_us == before.at_us && item.order > before.order));
        before = item;
    }
    assert_false(queue_pop(&queue, &item));
    pool_release(&pool);
}

static void same_seed_same_numbers(void **state)
{
    (void)state;
    struct prng left = {42};
    struct prng right = {42};
    for (int i = 0; i < 100; i++) {
        assert_true(prng_next(&left) == prng_next(&right));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(winner_is_paid_the_second_price),
        cmocka_unit_test(siblings_neither_rank_nor_price),
        cmocka_unit_test(ties_fall_the_same_in_any_order),
        cmocka_unit_test(shares_do_not_overflow),
        cmocka_unit_test(queue_orders_by_time_then_by_scheduling),
        cmocka_unit_test(same_seed_same_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
