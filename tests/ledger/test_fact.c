/*
 * Goal: of what the house says by subject, the newest that holds is what a new broker is told.
 * Method: rates, counts, holds and beliefs said, said again and taken back, in one batch and in
 * several; the table, and what recall hands out.
 */
#include "support.h"

static void rate(struct house *house, const char *skill, const char *tier, int64_t rate_micro)
{
    struct entry entry = {.kind = ENTRY_RATED};
    entry.rated = (struct entry_rated){.skill = text(skill),
                                       .tier = text(tier),
                                       .rate_micro = rate_micro,
                                       .threshold_micro = CREDIT,
                                       .share_ppm = 20000,
                                       .by = text("operator")};
    house_append(house, &house->chain, &entry);
}

static void bar(struct house *house, const char *contractor, const char *skill, int64_t until_us)
{
    struct entry entry = {.kind = ENTRY_BARRED};
    entry.barred = (struct entry_barred){.contractor = text(contractor),
                                         .skill = text(skill),
                                         .reason = TENDER_REASON_QUALITY_CHECK,
                                         .by = text("operator"),
                                         .until_us = until_us};
    house_append(house, &house->chain, &entry);
}

static const char *fact(enum entry_kind kind, const char *subject)
{
    return sql("select number from tender_ledger.house_fact where kind = %d and subject = '%s'",
               (int)kind, subject);
}

static const char *number_of(const struct house *house)
{
    static char name[32];
    snprintf(name, sizeof name, "%llu", (unsigned long long)house->chain.number);
    return name;
}

static void the_newest_about_a_subject_is_kept(void **state)
{
    struct house *house = *state;
    rate(house, "review", "", 1000);
    assert_committed(house);
    rate(house, "review", "fast", 3000);
    rate(house, "review", "", 2000);
    assert_string_equal(fact(ENTRY_RATED, "review "), "2");
    assert_committed(house);
    assert_string_equal(fact(ENTRY_RATED, "review "), number_of(house));
    assert_string_equal(fact(ENTRY_RATED, "review fast"), "3");
}

static void a_subject_that_is_over_is_forgotten_also_within_a_batch(void **state)
{
    struct house *house = *state;
    bar(house, "kiln-1", "", house->now_us + 1000000);
    bar(house, "kiln-2", "review", house->now_us + 1000000);
    assert_committed(house);
    bar(house, "kiln-1", "", 0);
    bar(house, "kiln-3", "", house->now_us + 1000000);
    bar(house, "kiln-3", "", 0);
    bar(house, "kiln-2", "review", 0);
    bar(house, "kiln-2", "review", house->now_us + 1000000);
    assert_committed(house);
    assert_string_equal(fact(ENTRY_BARRED, "kiln-1  "), "");
    assert_string_equal(fact(ENTRY_BARRED, "kiln-3  "), "");
    assert_string_equal(fact(ENTRY_BARRED, "kiln-2  review"), number_of(house));
}

static int count_rates(void *context, const struct entry *entry)
{
    int64_t *sum = context;
    if (entry->kind == ENTRY_RATED) {
        assert_true(entry->rated.rate_micro > 0);
        *sum += entry->rated.rate_micro;
    }
    return 0;
}

static void a_new_broker_is_told_the_newest_that_holds(void **state)
{
    struct house *house = *state;
    rate(house, "draw", "", 5000);
    rate(house, "paint", "", 7000);
    assert_committed(house);
    rate(house, "draw", "", 6000);
    rate(house, "paint", "", 0);
    rate(house, "review", "", 0);
    rate(house, "review", "fast", 0);
    assert_committed(house);
    struct house next;
    int64_t sum = 0;
    house_open(&next, "next");
    assert_int_equal(ledger_recall(next.ledger, 0, count_rates, house_ignore_head, &sum), 0);
    assert_int_equal(sum, 6000);
    house_close(&next);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_house, end_house)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_newest_about_a_subject_is_kept),
        TEST(a_subject_that_is_over_is_forgotten_also_within_a_batch),
        TEST(a_new_broker_is_told_the_newest_that_holds),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
