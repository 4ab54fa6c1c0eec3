/*
 * Goal: the stamp never goes back and a stall shows; identifiers grow.
 * Method: the clock is stepped by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sodium.h>
#include <string.h>

#include "clock.h"
#include "identifier.h"

#define SECOND INT64_C(1000000)

static void stamp_starts_at_the_later_of_ledger_and_database(void **state)
{
    struct stamp_clock clock;
    (void)state;
    clock_start(&clock, 500 * SECOND, 400 * SECOND, 7);
    assert_int_equal(clock_stamp(&clock, 7), 500 * SECOND);
    assert_int_equal(clock_stamp(&clock, 9), 500 * SECOND + 2);
    clock_start(&clock, 0, 400 * SECOND, 7);
    assert_int_equal(clock_stamp(&clock, 7), 400 * SECOND);
}

static void stamp_never_goes_back(void **state)
{
    struct stamp_clock clock;
    (void)state;
    clock_start(&clock, 0, 100 * SECOND, 50);
    int64_t highest_us = clock_stamp(&clock, 50 + 5 * SECOND);
    assert_int_equal(clock_stamp(&clock, 50 + 4 * SECOND), highest_us);
    assert_int_equal(clock_stamp(&clock, 0), highest_us);
    assert_int_equal(clock_stamp(&clock, 50 + 5 * SECOND + 1), highest_us + 1);
}

static void stall_shows_from_the_turn_before_it(void **state)
{
    struct stamp_clock clock;
    int64_t from_us = 0;
    (void)state;
    clock_start(&clock, 0, 100 * SECOND, 0);
    assert_false(clock_turn(&clock, 90 * SECOND, SECOND, &from_us)); /* the first turn */
    assert_false(clock_turn(&clock, 91 * SECOND, SECOND, &from_us));
    assert_true(clock_turn(&clock, 92 * SECOND + 1, SECOND, &from_us));
    assert_int_equal(from_us, 191 * SECOND);
    assert_false(clock_turn(&clock, 92 * SECOND + 2, SECOND, &from_us));
}

static void skew_is_what_no_moment_between_asking_and_hearing_explains(void **state)
{
    struct stamp_clock clock;
    (void)state;
    clock_start(&clock, 0, 100 * SECOND, 10 * SECOND);
    assert_int_equal(clock_skew(&clock, 101 * SECOND, 11 * SECOND, 11 * SECOND), 0);
    assert_int_equal(clock_skew(&clock, 102 * SECOND, 11 * SECOND, 15 * SECOND), 0);
    assert_int_equal(clock_skew(&clock, 107 * SECOND, 11 * SECOND, 15 * SECOND), 2 * SECOND);
    assert_int_equal(clock_skew(&clock, 98 * SECOND, 11 * SECOND, 15 * SECOND), -3 * SECOND);
}

static void identifiers_grow_and_are_version_7(void **state)
{
    struct identifier_source source;
    tender_id last = {{0}};
    (void)state;
    identifier_start(&source);
    for (int i = 0; i < 20000; i++) {
        int64_t at_us = INT64_C(1764500000000000) + i / 10000 * 500;
        tender_id id = identifier_next(&source, at_us);
        assert_true(memcmp(last.bytes, id.bytes, sizeof(id.bytes)) < 0);
        assert_int_equal(id.bytes[6] >> 4, 7);
        assert_int_equal(id.bytes[8] >> 6, 2);
        last = id;
    }
    tender_id later = identifier_next(&source, INT64_C(1764500001000000));
    uint64_t millisecond = 0;
    for (int i = 0; i < 6; i++) {
        millisecond = millisecond << 8 | later.bytes[i];
    }
    assert_int_equal(millisecond, 1764500001000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stamp_starts_at_the_later_of_ledger_and_database),
        cmocka_unit_test(stamp_never_goes_back),
        cmocka_unit_test(stall_shows_from_the_turn_before_it),
        cmocka_unit_test(skew_is_what_no_moment_between_asking_and_hearing_explains),
        cmocka_unit_test(identifiers_grow_and_are_version_7),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
