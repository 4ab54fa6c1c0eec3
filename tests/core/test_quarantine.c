/*
 * When failures on one skill put a contractor on hold: tables of strikes and kept commitments, each
 * with what the rule says after the last of them, and a rival that nobody can frame alone.
 */
#include "quarantine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define HOUR_US INT64_C(3600000000)

static uint64_t client(const char *principal)
{
    return quarantine_client((tender_bytes){principal, strlen(principal)});
}

/* `+` keeps a commitment, `.` lets an hour pass, a letter is a strike of the client so named. */
static uint32_t due_after(const char *course)
{
    struct strike_sheet sheet = {0};
    int64_t now_us = 1000 * HOUR_US;
    for (const char *at = course; *at != '\0'; at++) {
        char name[] = {*at, '\0'};
        if (*at == '.') {
            now_us += HOUR_US;
        } else if (*at == '+') {
            quarantine_keep(&sheet);
        } else {
            quarantine_strike(&sheet, client(name), now_us, 0);
        }
    }
    return quarantine_is_due(&sheet, now_us);
}

static void tasks_of_three_clients_put_a_contractor_on_hold(void **state)
{
    (void)state;
    assert_int_equal(due_after("ab"), 0);
    assert_int_equal(due_after("abc"), 3);
    assert_int_equal(due_after("abcd"), 4);
    assert_int_equal(due_after("a..b..c"), 3);
}

static void thirty_tasks_of_one_client_do_not(void **state)
{
    (void)state;
    assert_int_equal(due_after("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), 0);
    assert_int_equal(due_after("abababababababababababababab"), 0);
    assert_int_equal(due_after("aaaaaaaaaaaaaaaaaaaaaaaaaaaaabc"), 3);
}

static void who_keeps_more_than_it_fails_stays(void **state)
{
    (void)state;
    assert_int_equal(due_after("a+b+c"), 3);
    assert_int_equal(due_after("a+++b+c"), 0);
    assert_int_equal(due_after("a++++bc"), 0);
    assert_int_equal(due_after("++++++abc"), 3); /* kept before the first of them */
}

static void an_old_strike_does_not_hide_new_ones_behind_what_was_kept_since(void **state)
{
    (void)state;
    assert_int_equal(due_after("a++++++++++++++++++++bcd"), 3);
    assert_int_equal(due_after("a++++++++++++++++++++bc"), 0);
}

static void a_strike_is_forgotten_after_a_day(void **state)
{
    (void)state;
    assert_int_equal(due_after("a.......................bc"), 3);
    assert_int_equal(due_after("a........................bc"), 0);
    assert_int_equal(due_after("a.......................abc"), 3);
    assert_int_equal(due_after("abc........................"), 0);
}

static void a_full_sheet_forgets_the_oldest(void **state)
{
    (void)state;
    struct strike_sheet sheet = {0};
    for (int i = 0; i < 30; i++) {
        char name[] = {(char)('A' + i), '\0'};
        quarantine_strike(&sheet, client(name), HOUR_US, 0);
    }
    assert_int_equal(sheet.count, QUARANTINE_STRIKES);
    assert_int_equal(sheet.strikes[0].client, client("W"));
    assert_int_equal(quarantine_is_due(&sheet, HOUR_US), QUARANTINE_STRIKES);
}

static void a_sheet_is_over_when_its_newest_strike_is_forgotten(void **state)
{
    (void)state;
    struct strike_sheet sheet = {0};
    assert_true(quarantine_is_over(&sheet, HOUR_US));
    quarantine_strike(&sheet, client("a"), HOUR_US, 0);
    quarantine_strike(&sheet, client("b"), 2 * HOUR_US, 0);
    assert_false(quarantine_is_over(&sheet, 2 * HOUR_US + QUARANTINE_WINDOW_US - 1));
    assert_true(quarantine_is_over(&sheet, 2 * HOUR_US + QUARANTINE_WINDOW_US));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_of_three_clients_put_a_contractor_on_hold),
        cmocka_unit_test(thirty_tasks_of_one_client_do_not),
        cmocka_unit_test(who_keeps_more_than_it_fails_stays),
        cmocka_unit_test(an_old_strike_does_not_hide_new_ones_behind_what_was_kept_since),
        cmocka_unit_test(a_strike_is_forgotten_after_a_day),
        cmocka_unit_test(a_full_sheet_forgets_the_oldest),
        cmocka_unit_test(a_sheet_is_over_when_its_newest_strike_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
