/*
 * Goal: slots are divided among brokers so that there are never more commitments than slots, that
 * every broker gets its turn, and that nothing moves without need.
 * Method: a model of brokers that agree late and award whatever they may; steps from a seed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../../contractor-sdk/src/slots.h"

#define BROKERS 4

/* A broker: what it heard last, and what is on its way. */
struct side {
    bool is_live;
    uint32_t heard; /* slots that it awards by */
    uint32_t said;  /* on its way, or the same */
    uint32_t used;
    int64_t idle_us;
    int64_t given_us;
    unsigned turns; /* in which it had a slot for something new */
};

static struct side sides[BROKERS];

static void share_of(const struct side *side, struct share *share_out)
{
    *share_out = (struct share){.is_live = side->is_live,
                                .said = side->said,
                                .bound = side->heard > side->said ? side->heard : side->said,
                                .used = side->used,
                                .idle_us = side->idle_us,
                                .given_us = side->given_us};
}

static uint32_t committed(void)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < BROKERS; i++) {
        sum += sides[i].used;
    }
    return sum;
}

/* One change, said and not yet heard, of slots that nobody used for `moves` moves. Returns whether
 * there was one. */
static bool divide_idle(uint32_t slots, uint32_t moves, int64_t now_us)
{
    struct share shares[BROKERS];
    size_t index = 0;
    uint32_t said = 0;
    for (size_t i = 0; i < BROKERS; i++) {
        share_of(&sides[i], &shares[i]);
    }
    if (!slots_divide(shares, BROKERS, slots, moves, now_us, &index, &said)) {
        return false;
    }
    assert_true(sides[index].is_live);
    sides[index].given_us = said > sides[index].said ? now_us : sides[index].given_us;
    sides[index].said = said;
    sides[index].idle_us = now_us;
    return true;
}

static bool divide(uint32_t slots, int64_t now_us)
{
    return divide_idle(slots, 0, now_us);
}

static void agree(struct side *side)
{
    side->heard = side->said;
}

static void start(size_t live)
{
    memset(sides, 0, sizeof sides);
    for (size_t i = 0; i < live; i++) {
        sides[i].is_live = true;
    }
}

static void slots_are_divided_evenly_and_stay(void **state)
{
    (void)state;
    start(3);
    int64_t now_us = 1;
    for (int i = 0; i < 20; i++) {
        (void)divide(8, now_us++);
        for (size_t k = 0; k < 3; k++) {
            agree(&sides[k]);
        }
    }
    uint32_t sum = sides[0].said + sides[1].said + sides[2].said;
    assert_int_equal(sum, 8);
    for (size_t i = 0; i < 3; i++) {
        assert_in_range(sides[i].said, 2, 4);
    }
    assert_false(divide(8, now_us + 100 * SLOTS_IDLE_US)); /* nobody lacks one */
}

static void one_slot_serves_three_brokers_in_turn(void **state)
{
    (void)state;
    start(3);
    int64_t now_us = 1;
    for (int i = 0; i < 60; i++) {
        now_us += SLOTS_IDLE_US / 2;
        while (divide(1, now_us)) {
            for (size_t k = 0; k < 3; k++) {
                agree(&sides[k]);
            }
        }
        uint32_t sum = 0;
        for (size_t k = 0; k < 3; k++) {
            sides[k].turns += sides[k].heard > 0;
            sum += sides[k].heard;
        }
        assert_true(sum <= 1);
    }
    for (size_t k = 0; k < 3; k++) {
        assert_in_range(sides[k].turns, 10, 40);
    }
}

static void idle_slots_move_ever_less_often(void **state)
{
    (void)state;
    const int64_t hour_us = INT64_C(3600000000);
    uint32_t moves = 0;
    start(3);
    for (int64_t now_us = 1; now_us < hour_us; now_us += SLOTS_IDLE_US / 2) {
        for (uint32_t before = sides[0].said + sides[1].said + sides[2].said;
             divide_idle(1, moves, now_us);
             before = sides[0].said + sides[1].said + sides[2].said) {
            for (size_t k = 0; k < 3; k++) {
                agree(&sides[k]);
            }
            moves += sides[0].said + sides[1].said + sides[2].said < before;
        }
    }
    /* Four moves in the first 15 s, and then one in 16 s. */
    assert_int_equal(moves, 4 + (3600 - 15) / 16);
    assert_int_equal(slots_patience(0), SLOTS_IDLE_US);
    assert_int_equal(slots_patience(2), 4 * SLOTS_IDLE_US);
    assert_int_equal(slots_patience(UINT32_MAX), SLOTS_IDLE_MAX_US);
}

static void slot_of_a_broker_that_is_away_is_not_given_twice(void **state)
{
    (void)state;
    start(2);
    int64_t now_us = 1;
    for (int i = 0; i < 4; i++) {
        (void)divide(2, now_us++);
        agree(&sides[0]);
        agree(&sides[1]);
    }
    sides[1].is_live = false; /* it may still award by what it heard */
    assert_false(divide(2, now_us));
    sides[1].heard = 0; /* it cannot any more */
    sides[1].said = 0;
    assert_true(divide(2, now_us));
    assert_int_equal(sides[0].said, 2);
}

static void there_are_never_more_commitments_than_slots(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 300; seed++) {
        srandom(seed);
        uint32_t slots = 1 + (uint32_t)(random() % 6);
        start(1 + (size_t)(random() % BROKERS));
        int64_t now_us = 1;
        for (int step = 0; step < 400; step++) {
            struct side *side = &sides[random() % BROKERS];
            now_us += random() % (SLOTS_IDLE_US / 2);
            switch (random() % 6) {
            case 0:
            case 1:
                (void)divide(slots, now_us);
                break;
            case 2:
                agree(side);
                break;
            case 3: /* an award by what it heard, or what it may have heard */
                if (side->used < (side->heard > side->said ? side->heard : side->said)) {
                    side->used++;
                    side->idle_us = now_us;
                }
                break;
            case 4:
                side->used -= side->used > 0;
                side->idle_us = now_us;
                break;
            default:
                side->is_live = !side->is_live;
                if (side->is_live && random() % 2 == 0) { /* it forgot us */
                    side->heard = side->used;
                    side->said = side->used;
                }
            }
            if (committed() > slots) {
                fail_msg("seed %u step %d: %u commitments, %u slots", seed, step, committed(),
                         slots);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_are_divided_evenly_and_stay),
        cmocka_unit_test(one_slot_serves_three_brokers_in_turn),
        cmocka_unit_test(idle_slots_move_ever_less_often),
        cmocka_unit_test(slot_of_a_broker_that_is_away_is_not_given_twice),
        cmocka_unit_test(there_are_never_more_commitments_than_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
