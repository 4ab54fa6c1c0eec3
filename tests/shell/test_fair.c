/*
 * Goal: brokers that look at the same seats come to shares that fit together, give up only what is
 * too much, and then rest. Method: a table of seats on which some brokers act in turn, each by what
 * it sees, until nobody changes anything; who comes and goes is said before.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fair.h"

#define NAMES     8
#define TURNS_MAX 4 /* of each broker, until all rest */
#define NOBODY    NAMES

static struct seat seats[SHARDS_MAX];
static uint32_t shard_count;
static bool is_alive[NAMES];

static tender_bytes name_of(uint32_t broker)
{
    static char names[NAMES][2];
    names[broker][0] = (char)('a' + broker);
    return (tender_bytes){names[broker], 1};
}

static void begin(uint32_t shards)
{
    memset(seats, 0, sizeof seats);
    memset(is_alive, 0, sizeof is_alive);
    shard_count = shards;
    for (uint32_t shard = 0; shard < shards; shard++) {
        seats[shard].is_free = true;
    }
}

static uint32_t holder_of(uint32_t shard)
{
    return seats[shard].is_free ? NOBODY : (uint32_t)(seats[shard].holder[0] - 'a');
}

static uint64_t held_by(uint32_t broker)
{
    uint64_t held = 0;
    for (uint32_t shard = 0; shard < shard_count; shard++) {
        held |= holder_of(shard) == broker ? shard_set(shard) : 0;
    }
    return held;
}

static uint64_t look(uint32_t broker)
{
    struct fair_view view = {.seats = seats, .shard_count = shard_count, .name = name_of(broker)};
    for (uint32_t other = 0; other < NAMES; other++) {
        view.brokers += is_alive[other];
        view.lower += is_alive[other] && other < broker;
    }
    return fair_set(&view, held_by(broker));
}

static void act(uint32_t broker, uint64_t wanted)
{
    uint64_t held = held_by(broker);
    for (uint32_t shard = 0; shard < shard_count; shard++) {
        if (!shard_is_in(wanted, shard) && shard_is_in(held, shard)) {
            seats[shard].is_free = true;
        } else if (shard_is_in(wanted, shard) && !shard_is_in(held, shard)) {
            assert_true(seats[shard].is_free);
            seats[shard].is_free = false;
            seats[shard].holder_size = 1;
            seats[shard].holder[0] = *(const char *)name_of(broker).data;
        }
    }
}

/* Every broker acts in turn, from `first` on, until all rest. Returns how often one changed. */
static uint32_t settle(uint32_t first)
{
    uint32_t changes = 0;
    bool is_settled = false;
    for (int turn = 0; !is_settled; turn++) {
        assert_true(turn < TURNS_MAX);
        is_settled = true;
        for (uint32_t i = 0; i < NAMES; i++) {
            uint32_t broker = (first + i) % NAMES;
            uint64_t wanted = is_alive[broker] ? look(broker) : held_by(broker);
            is_settled = is_settled && wanted == held_by(broker);
            changes += wanted != held_by(broker);
            act(broker, wanted);
        }
    }
    return changes;
}

static void leave(uint32_t broker)
{
    is_alive[broker] = false;
    act(broker, 0);
}

static void assert_shares(const uint32_t *shares, uint32_t count)
{
    for (uint32_t broker = 0; broker < count; broker++) {
        assert_int_equal(shard_size(held_by(broker)), shares[broker]);
    }
}

static void shards_are_divided_evenly_as_brokers_come(void **state)
{
    static const uint32_t of_4[3][3] = {{4}, {2, 2}, {2, 1, 1}};
    static const uint32_t of_12[5][5] = {{12}, {6, 6}, {4, 4, 4}, {3, 3, 3, 3}, {3, 3, 2, 2, 2}};
    (void)state;
    begin(4);
    for (uint32_t count = 1; count <= 3; count++) {
        is_alive[count - 1] = true;
        (void)settle(0);
        assert_shares(of_4[count - 1], count);
    }
    begin(12);
    for (uint32_t count = 1; count <= 5; count++) {
        is_alive[count - 1] = true;
        (void)settle(0);
        assert_shares(of_12[count - 1], count);
    }
}

static void more_brokers_than_shards_leave_the_holder_alone(void **state)
{
    (void)state;
    begin(1);
    is_alive[1] = true;
    assert_int_equal(settle(0), 1);
    is_alive[0] = true; /* its name is lower */
    assert_int_equal(settle(0), 0);
    assert_int_equal(held_by(1), 1);
    leave(1);
    is_alive[2] = true; /* whoever looks first has it */
    assert_int_equal(settle(2), 1);
    assert_int_equal(held_by(2), 1);
}

static void what_a_broker_held_is_taken_by_each_other_in_one_change(void **state)
{
    static const uint32_t shares[] = {3, 3, 0};
    (void)state;
    begin(6);
    is_alive[0] = is_alive[1] = is_alive[2] = true;
    (void)settle(0);
    leave(2);
    uint64_t first = look(0);
    uint64_t second = look(1); /* both look before either acts */
    assert_int_equal(first & second, 0);
    act(0, first);
    act(1, second);
    assert_shares(shares, 3);
    assert_int_equal(settle(0), 0);
}

static void nobody_changes_more_than_needed_whoever_comes_and_goes(void **state)
{
    (void)state;
    srandom(7);
    for (int round = 0; round < 2000; round++) {
        uint32_t alive = 0;
        begin(1 + (uint32_t)random() % SHARDS_MAX);
        for (int step = 0; step < 12; step++) {
            uint32_t broker = (uint32_t)random() % NAMES;
            if (is_alive[broker]) {
                leave(broker);
            } else {
                is_alive[broker] = true;
            }
            alive = 0;
            for (uint32_t i = 0; i < NAMES; i++) {
                alive += is_alive[i];
            }
            /* Each changes at most once to give and once to take. */
            assert_true(settle((uint32_t)random() % NAMES) <= 2 * alive);
            for (uint32_t i = 0; alive > 0 && i < NAMES; i++) {
                uint32_t held = shard_size(held_by(i));
                assert_true(!is_alive[i] || held >= shard_count / alive);
                assert_true(held <= (shard_count + alive - 1) / alive);
            }
            for (uint32_t shard = 0; alive > 0 && shard < shard_count; shard++) {
                assert_int_not_equal(holder_of(shard), NOBODY);
            }
        }
    }
}

static void a_name_that_begins_like_another_is_another(void **state)
{
    struct seat two[2] = {{.holder_size = 3, .holder = "one"}, {.is_free = true}};
    struct fair_view view = {
        .seats = two, .shard_count = 2, .brokers = 2, .lower = 0, .name = {"on", 2}};
    (void)state;
    assert_int_equal(fair_set(&view, 0), 2);
    view.name = (tender_bytes){"one", 3};
    view.brokers = 1;
    assert_int_equal(fair_set(&view, 1), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shards_are_divided_evenly_as_brokers_come),
        cmocka_unit_test(more_brokers_than_shards_leave_the_holder_alone),
        cmocka_unit_test(what_a_broker_held_is_taken_by_each_other_in_one_change),
        cmocka_unit_test(nobody_changes_more_than_needed_whoever_comes_and_goes),
        cmocka_unit_test(a_name_that_begins_like_another_is_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
