/*
 * Split awards: the ways of being overpaid that the rule closes, each under its name; choices and
 * prices against a table over units, which shares no code or idea with the search; misreports of
 * cost and capacity, which never pay; the largest and the hardest books. Ties, down to who comes
 * first, are compared with exhaustive search by tests/oracle.
 */
#include "split.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BIDS_MAX  40
#define UNITS_MAX 400

static struct split_scratch scratch;

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

static int64_t between(uint64_t *seed, int64_t low, int64_t high)
{
    return low + (int64_t)(next(seed) % (uint64_t)(high - low + 1));
}

/* What a part would be paid for each unit that it has. */
static int64_t pay(const struct split_bid *bids, uint32_t count, const struct split_terms *terms,
                   uint32_t index, int64_t delivered)
{
    return split_pay(bids, count, terms, index, delivered, &scratch);
}

static void two_caps_of_20_under_a_ceiling_of_30_are_not_paid_50(void **state)
{
    (void)state;
    /* With nobody beside them, each could say that without it there is nothing but the ceiling. */
    struct split_terms terms = {40, 30000000, 2};
    struct split_bid bids[] = {{250000, 20, 0, 0}, {250000, 20, 0, 0}};
    struct split_result result = split_choose(bids, 2, &terms, &scratch);
    assert_int_equal(result.part_count, 2);
    assert_int_equal(result.covered, 40);
    assert_int_equal(result.cost_micro, 10000000);
    assert_int_equal(bids[0].price_micro, 15000000); /* 20 units at the virtual seller's 0.75 */
    assert_int_equal(bids[1].price_micro, 15000000);
    assert_int_equal(result.price_micro, 30000000);
}

static void a_cheap_crumb_does_not_take_the_place_of_a_part(void **state)
{
    (void)state;
    /* Cheapest first would take 10 at 1 and 50 at 2, and leave 40 at the ceiling's 10: 510. */
    struct split_terms terms = {100, 1000, 2};
    struct split_bid bids[] = {{1, 10, 0, 0}, {2, 50, 0, 0}, {3, 90, 0, 0}};
    struct split_result result = split_choose(bids, 3, &terms, &scratch);
    assert_int_equal(result.cost_micro, 250);
    assert_int_equal(bids[0].units, 0);
    assert_int_equal(bids[1].units, 50);
    assert_int_equal(bids[2].units, 50);
    assert_int_equal(bids[1].price_micro, 130); /* without it 10 + 270: 280, less 150 */
    assert_int_equal(bids[2].price_micro, 410); /* without it 10 + 100 + 400: 510, less 100 */

    /* Nor does asking less, or claiming to be smaller, get the crumb more than its cost. */
    struct split_bid honest = bids[0];
    for (int64_t cost = 0; cost <= 10; cost++) {
        for (int64_t capacity = 1; capacity <= 10; capacity++) {
            bids[0] = (struct split_bid){cost, capacity, 0, 0};
            (void)split_choose(bids, 3, &terms, &scratch);
            assert_true(bids[0].price_micro <= honest.unit_cost_micro * bids[0].units);
        }
    }
}

static void a_capacity_claimed_and_not_delivered_pays_no_more_than_the_true_one(void **state)
{
    (void)state;
    struct split_terms terms = {40, 400, 2};
    struct split_bid rivals[] = {{4, 20, 0, 0}, {5, 20, 0, 0}};
    struct split_bid bids[] = {{2, 10, 0, 0}, rivals[0], rivals[1]};
    (void)split_choose(bids, 3, &terms, &scratch);
    /* Ten units of two parts crowd out a rival's twenty: the truth has no part. */
    assert_int_equal(bids[0].units, 0);

    bids[0].capacity = 40;
    struct split_result result = split_choose(bids, 3, &terms, &scratch);
    assert_int_equal(result.part_count, 1);
    assert_int_equal(bids[0].units, 40);
    assert_int_equal(bids[0].price_micro, 180);
    terms.parts_max = result.parts_max;
    assert_int_equal(pay(bids, 3, &terms, 0, 40), 180);
    assert_int_equal(pay(bids, 3, &terms, 0, 10), 0); /* pro rata would be 45, at a cost of 20 */
    /* Thirty would have been chosen: 60 and 40 of a rival; without it 180. So 140, pro rata 135. */
    assert_int_equal(pay(bids, 3, &terms, 0, 30), 135);
    assert_int_equal(pay(bids, 3, &terms, 0, 0), 0);
}

static void at_equal_cost_a_bidder_comes_before_the_virtual_seller(void **state)
{
    (void)state;
    struct split_terms terms = {10, 109, 3}; /* 10 a unit, rounded down */
    struct split_bid bids[] = {{10, 4, 0, 0}, {11, 9, 0, 0}, {10, 0, 0, 0}};
    struct split_result result = split_choose(bids, 3, &terms, &scratch);
    assert_int_equal(result.part_count, 1);
    assert_int_equal(result.covered, 4);
    assert_int_equal(result.cost_micro, 100);
    assert_int_equal(bids[0].price_micro, 40);
    assert_int_equal(bids[1].units, 0);
    assert_int_equal(bids[2].units, 0);
}

static void at_equal_cost_more_units_are_covered(void **state)
{
    (void)state;
    struct split_terms terms = {10, 100, 1};
    struct split_bid bids[] = {{8, 2, 0, 0}, {9, 4, 0, 0}}; /* each saves 4 */
    (void)split_choose(bids, 2, &terms, &scratch);
    assert_int_equal(bids[0].units, 0);
    assert_int_equal(bids[1].units, 4);
    assert_int_equal(bids[1].price_micro, 36);
}

static void at_equal_cost_fewer_parts_then_larger_capacity_then_rank(void **state)
{
    (void)state;
    struct split_terms terms = {10, 100, 3};
    struct split_bid bids[] = {{5, 3, 0, 0}, {5, 7, 0, 0}, {5, 10, 0, 0}, {5, 12, 0, 0}};
    (void)split_choose(bids, 4, &terms, &scratch);
    assert_int_equal(bids[2].units, 10); /* one part; more than all is no larger than all */
    bids[2].capacity = 9;
    (void)split_choose(bids, 4, &terms, &scratch);
    assert_int_equal(bids[3].units, 10);
    terms.units = 19;
    terms.ceiling_micro = 190;
    (void)split_choose(bids, 4, &terms, &scratch);
    assert_int_equal(bids[3].units, 12); /* two parts, the larger first */
    assert_int_equal(bids[2].units, 7);
    assert_int_equal(bids[1].units, 0);
    bids[1].capacity = 9;
    (void)split_choose(bids, 4, &terms, &scratch);
    assert_int_equal(bids[1].units, 7); /* as large as the other, and ranked before it */
    assert_int_equal(bids[2].units, 0);
}

static void nobody_bids_and_all_units_stay_uncovered(void **state)
{
    (void)state;
    struct split_terms terms = {7, 100, 2};
    struct split_result result = split_choose(NULL, 0, &terms, &scratch);
    assert_int_equal(result.part_count, 0);
    assert_int_equal(result.covered, 0);
    assert_int_equal(result.cost_micro, 98);
    assert_int_equal(result.price_micro, 0);
}

/*
 * The least that `units` cost with at most `parts_max` parts, without bid `absent`: a table over
 * units, a bid at a time, any number of units of each.
 */
static int64_t table_cost(const struct split_bid *bids, uint32_t count,
                          const struct split_terms *terms, uint32_t absent)
{
    static int64_t least[SPLIT_PARTS_MAX + 1][UNITS_MAX + 1]; /* [parts left][units left] */
    for (uint32_t parts = 0; parts <= terms->parts_max; parts++) {
        for (int64_t units = 0; units <= terms->units; units++) {
            least[parts][units] = terms->ceiling_micro / terms->units * units;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t parts = i == absent ? 0 : terms->parts_max; parts > 0; parts--) {
            for (int64_t units = terms->units; units > 0; units--) {
                for (int64_t own = 1; own <= units && own <= bids[i].capacity; own++) {
                    int64_t cost = bids[i].unit_cost_micro * own + least[parts - 1][units - own];
                    if (cost < least[parts][units]) {
                        least[parts][units] = cost;
                    }
                }
            }
        }
    }
    return least[terms->parts_max][terms->units];
}

static void compare(struct split_bid *bids, uint32_t count, const struct split_terms *terms)
{
    struct split_result result = split_choose(bids, count, terms, &scratch);
    int64_t unit_ceiling = terms->ceiling_micro / terms->units;
    int64_t cost = 0;
    int64_t prices = 0;
    uint32_t parts = 0;
    assert_int_equal(result.parts_max, terms->parts_max);
    assert_int_equal(result.cost_micro, table_cost(bids, count, terms, UINT32_MAX));
    for (uint32_t i = 0; i < count; i++) {
        int64_t own = bids[i].unit_cost_micro * bids[i].units;
        assert_true(bids[i].units >= 0 && bids[i].units <= bids[i].capacity);
        cost += own;
        prices += bids[i].price_micro;
        parts += bids[i].units > 0;
        if (bids[i].units == 0) {
            assert_int_equal(bids[i].price_micro, 0);
            continue;
        }
        int64_t others = result.cost_micro - own;
        assert_int_equal(bids[i].price_micro, table_cost(bids, count, terms, i) - others);
        assert_true(bids[i].price_micro >= own);
        assert_true(bids[i].price_micro <= unit_ceiling * bids[i].units);
    }
    assert_int_equal(result.cost_micro, cost + unit_ceiling * (terms->units - result.covered));
    assert_int_equal(result.price_micro, prices);
    assert_int_equal(result.part_count, parts);
    assert_true(parts <= terms->parts_max);
    assert_true(prices <= terms->ceiling_micro);
}

/* Kinds of books: unrelated; larger is dearer; smaller is dearer; costs and capacities of a few. */
static struct split_bid draw_bid(uint64_t *seed, int kind, int64_t units, int64_t unit_ceiling)
{
    int64_t capacity = between(seed, 1, units / 2 + 1);
    int64_t cost = between(seed, 0, unit_ceiling + unit_ceiling / 4);
    if (kind == 1) {
        cost = unit_ceiling * capacity / (units + 1) + between(seed, 0, 3);
    } else if (kind == 2) {
        cost = unit_ceiling / 2 - unit_ceiling / (2 * capacity) + between(seed, 0, 3);
    } else if (kind == 3) {
        cost = between(seed, 1, 4) * unit_ceiling / 4;
        capacity = between(seed, 1, 4) * units / 8;
    }
    return (struct split_bid){cost, capacity, 0, 0};
}

static void books_of_all_kinds_agree_with_a_table_over_units(void **state)
{
    (void)state;
    uint64_t seed = 0x5eed;
    for (int book = 0; book < 3000; book++) {
        struct split_bid bids[BIDS_MAX];
        bool is_large = book % 100 == 0;
        int64_t unit_ceiling = between(&seed, 0, 1000);
        struct split_terms terms = {.units = between(&seed, 1, is_large ? UNITS_MAX : 30)};
        terms.ceiling_micro = unit_ceiling * terms.units + between(&seed, 0, terms.units - 1);
        terms.parts_max = (uint32_t)between(&seed, 1, is_large ? SPLIT_PARTS_MAX : 5);
        uint32_t count = (uint32_t)between(&seed, 0, is_large ? BIDS_MAX : 9);
        for (uint32_t i = 0; i < count; i++) {
            bids[i] = draw_bid(&seed, book / 100 % 4, terms.units, unit_ceiling);
        }
        compare(bids, count, &terms);
    }
}

/* One bidder and what is true of it. */
struct truth {
    uint32_t who;
    int64_t unit_cost;
    int64_t capacity;
};

/* What it gains by what it says, when it delivers all that it can, or `held_back` units less. */
static int64_t gain(struct split_bid *bids, uint32_t count, const struct split_terms *terms,
                    const struct truth *truth, int64_t held_back)
{
    struct split_result result = split_choose(bids, count, terms, &scratch);
    struct split_terms decided = {terms->units, terms->ceiling_micro, result.parts_max};
    int64_t units = bids[truth->who].units;
    int64_t delivered = units < truth->capacity ? units : truth->capacity;
    delivered = held_back < delivered ? delivered - held_back : 0;
    return pay(bids, count, &decided, truth->who, delivered) - truth->unit_cost * delivered;
}

/* A little off in cost, then in capacity, then far off in either, then in both. */
static struct split_bid misreport(uint64_t *seed, int kind, const struct truth *truth,
                                  const struct split_terms *terms)
{
    struct split_bid bid = {truth->unit_cost, truth->capacity, 0, 0};
    int64_t unit_ceiling = terms->ceiling_micro / terms->units;
    if (kind < 4) {
        bid.unit_cost_micro += (const int64_t[]){-2, -1, 1, 2}[kind];
    } else if (kind < 8) {
        bid.capacity += (const int64_t[]){-2, -1, 1, 2}[kind - 4];
    } else {
        bid.unit_cost_micro = kind < 12 ? bid.unit_cost_micro : between(seed, 0, unit_ceiling + 1);
        bid.capacity = kind >= 12 && kind < 16 ? bid.capacity : between(seed, 1, terms->units + 2);
    }
    bid.unit_cost_micro = bid.unit_cost_micro < 0 ? 0 : bid.unit_cost_micro;
    return bid;
}

static void twenty_misreports_of_cost_and_capacity_never_pay(void **state)
{
    (void)state;
    uint64_t seed = 0xf00d;
    for (int book = 0; book < 1500; book++) {
        struct split_bid bids[7];
        struct split_terms terms = {.units = between(&seed, 1, 40)};
        terms.ceiling_micro = between(&seed, 0, 60 * terms.units);
        terms.parts_max = (uint32_t)between(&seed, 1, 4);
        uint32_t count = (uint32_t)between(&seed, 1, 7);
        for (uint32_t i = 0; i < count; i++) {
            bids[i] = draw_bid(&seed, book % 4, terms.units, terms.ceiling_micro / terms.units);
        }
        for (uint32_t who = 0; who < count; who++) {
            struct truth truth = {who, bids[who].unit_cost_micro, bids[who].capacity};
            int64_t honest = gain(bids, count, &terms, &truth, 0);
            assert_true(honest >= 0);
            for (int kind = 0; kind < 20; kind++) {
                bids[who] = misreport(&seed, kind, &truth, &terms);
                int64_t held_back = kind % 2 == 0 ? 0 : between(&seed, 0, 3);
                assert_true(gain(bids, count, &terms, &truth, held_back) <= honest);
            }
            bids[who] = (struct split_bid){truth.unit_cost, truth.capacity, 0, 0};
        }
    }
}

/* What must hold where no table reaches. */
static struct split_result check_large(struct split_bid *bids, uint32_t count,
                                       const struct split_terms *terms)
{
    struct split_result result = split_choose(bids, count, terms, &scratch);
    int64_t prices = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert_true(bids[i].units == 0 || bids[i].units <= bids[i].capacity);
        assert_true(bids[i].price_micro >= bids[i].unit_cost_micro * bids[i].units);
        prices += bids[i].price_micro;
    }
    assert_int_equal(prices, result.price_micro);
    assert_true(prices <= terms->ceiling_micro);
    return result;
}

static void a_thousand_bids_for_a_thousand_million_units_are_divided_exactly(void **state)
{
    (void)state;
    static struct split_bid bids[SPLIT_BIDS_MAX];
    struct split_terms terms = {TENDER_UNITS_MAX, TENDER_MONEY_MAX, SPLIT_PARTS_MAX};
    uint64_t seed = 0xb16;
    for (uint32_t i = 0; i < SPLIT_BIDS_MAX; i++) {
        bids[i] = (struct split_bid){between(&seed, 0, 1000000000),
                                     between(&seed, 1, TENDER_UNITS_MAX / 10), 0, 0};
    }
    struct split_result result = check_large(bids, SPLIT_BIDS_MAX, &terms);
    assert_int_equal(result.parts_max, SPLIT_PARTS_MAX);
    assert_int_equal(result.covered, TENDER_UNITS_MAX);
}

static void the_largest_numbers_do_not_overflow(void **state)
{
    (void)state;
    struct split_bid bids[] = {{0, INT64_MAX, 0, 0},
                               {TENDER_MONEY_MAX, 1, 0, 0},
                               {INT64_MAX, INT64_MAX, 0, 0},
                               {1, INT64_MIN, 0, 0}};
    struct split_terms terms = {1, TENDER_MONEY_MAX, SPLIT_PARTS_MAX};
    (void)check_large(bids, 4, &terms);
    assert_int_equal(bids[0].units, 1);
    assert_int_equal(bids[0].price_micro, TENDER_MONEY_MAX);
    terms.units = TENDER_UNITS_MAX;
    (void)check_large(bids, 4, &terms);
    assert_int_equal(bids[0].units, TENDER_UNITS_MAX);
    assert_int_equal(bids[0].price_micro, TENDER_MONEY_MAX);
    terms.ceiling_micro = 0;
    (void)check_large(bids, 4, &terms);
    assert_int_equal(bids[0].price_micro, 0);
}

static void a_book_contrived_to_be_hard_is_decided_with_fewer_parts(void **state)
{
    (void)state;
    /* Each saves the same with all its units, give or take: every set is as good as the next. */
    static struct split_bid bids[SPLIT_BIDS_MAX];
    struct split_terms terms = {1000000, 1000000000000, 8};
    uint64_t seed = 0xbad;
    for (uint32_t i = 0; i < SPLIT_BIDS_MAX; i++) {
        int64_t capacity = between(&seed, 60000, 300000);
        bids[i] = (struct split_bid){750000 - 15000000000 / capacity, capacity, 0, 0};
    }
    struct split_result result = check_large(bids, SPLIT_BIDS_MAX, &terms);
    assert_int_equal(result.parts_max, 2);
    assert_int_equal(result.part_count, 2);
    struct split_terms two = {terms.units, terms.ceiling_micro, 2};
    struct split_result again = check_large(bids, SPLIT_BIDS_MAX, &two);
    assert_int_equal(again.price_micro, result.price_micro);
    for (uint32_t i = 0; i < SPLIT_BIDS_MAX; i++) {
        if (bids[i].units > 0) {
            int64_t half = pay(bids, SPLIT_BIDS_MAX, &two, i, bids[i].units / 2);
            assert_true(half >= 0 && half <= bids[i].price_micro / 2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_caps_of_20_under_a_ceiling_of_30_are_not_paid_50),
        cmocka_unit_test(a_cheap_crumb_does_not_take_the_place_of_a_part),
        cmocka_unit_test(a_capacity_claimed_and_not_delivered_pays_no_more_than_the_true_one),
        cmocka_unit_test(at_equal_cost_a_bidder_comes_before_the_virtual_seller),
        cmocka_unit_test(at_equal_cost_more_units_are_covered),
        cmocka_unit_test(at_equal_cost_fewer_parts_then_larger_capacity_then_rank),
        cmocka_unit_test(nobody_bids_and_all_units_stay_uncovered),
        cmocka_unit_test(books_of_all_kinds_agree_with_a_table_over_units),
        cmocka_unit_test(twenty_misreports_of_cost_and_capacity_never_pay),
        cmocka_unit_test(a_thousand_bids_for_a_thousand_million_units_are_divided_exactly),
        cmocka_unit_test(the_largest_numbers_do_not_overflow),
        cmocka_unit_test(a_book_contrived_to_be_hard_is_decided_with_fewer_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
