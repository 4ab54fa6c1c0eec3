/*
 * When failures on one skill put a contractor on hold: tables of strikes and kept commitments, each
 * with what the rule says after the last of them; and random courses, of which the rule is asked
 * anew after each step.
 */
#include "draw.h"
#include "quarantine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define HOUR_US INT64_C(3600000000)

static uint64_t client(const char *principal)
{
    return draw_of_name((tender_bytes){principal, strlen(principal)});
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

/* All that happened, and the rule asked of it from scratch. */
#define HAPPENINGS 120
#define CLIENTS    7

struct course {
    int64_t at_us[HAPPENINGS];
    int client[HAPPENINGS]; /* CLIENTS: a commitment was kept */
    int count;
};

static bool is_newest(const struct course *course, int index)
{
    for (int i = index + 1; i < course->count; i++) {
        if (course->client[i] == course->client[index]) {
            return false;
        }
    }
    return true;
}

/* Clients that struck from `first` on, and what was kept behind it. */
static uint32_t due_from(const struct course *course, int first)
{
    uint32_t clients = 0;
    uint32_t kept = 0;
    for (int i = first; i < course->count; i++) {
        bool is_kept = course->client[i] == CLIENTS;
        kept += is_kept;
        clients += !is_kept && is_newest(course, i);
    }
    return clients >= 3 && kept <= clients ? clients : 0;
}

static uint32_t due_of(const struct course *course, int64_t now_us)
{
    for (int i = 0; i < course->count; i++) {
        bool counts = course->client[i] != CLIENTS && is_newest(course, i) &&
                      course->at_us[i] > now_us - 24 * HOUR_US;
        uint32_t clients = counts ? due_from(course, i) : 0;
        if (clients > 0) {
            return clients;
        }
    }
    return 0;
}

static void the_sheet_says_what_the_whole_course_says(void **state)
{
    static const char *const names[CLIENTS] = {"a", "b", "c", "d", "e", "f", "g"};
    (void)state;
    uint64_t seed = 1;
    uint32_t due = 0;
    for (int run = 0; run < 3000; run++) {
        struct course course = {.count = 0};
        struct strike_sheet sheet = {0};
        int64_t now_us = 1000 * HOUR_US;
        while (course.count < HAPPENINGS) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            int what = (int)((seed >> 33) % (CLIENTS + 6));
            now_us += (int64_t)((seed >> 45) % 5) * HOUR_US / 2;
            course.at_us[course.count] = now_us;
            course.client[course.count++] = what < CLIENTS ? what : CLIENTS;
            if (what < CLIENTS) {
                quarantine_strike(&sheet, client(names[what]), now_us, 0);
            } else {
                quarantine_keep(&sheet);
            }
            assert_int_equal(quarantine_is_due(&sheet, now_us), due_of(&course, now_us));
            due += quarantine_is_due(&sheet, now_us) > 0;
        }
    }
    assert_true(due > 1000);
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
        cmocka_unit_test(the_sheet_says_what_the_whole_course_says),
        cmocka_unit_test(a_sheet_is_over_when_its_newest_strike_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
