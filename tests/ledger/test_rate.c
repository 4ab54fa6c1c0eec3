/*
 * Goal: a rate holds until it is taken back, a task assigned at it is a commitment like any other,
 * and the view compares what was assigned with what samples cost. Method: entries as a core would
 * write them; the tables and views after each.
 */
#include "support.h"

static int named;

static void rate(struct house *house, const char *skill, int64_t rate_micro)
{
    struct entry entry = {.kind = ENTRY_RATED};
    entry.rated = (struct entry_rated){.skill = text(skill),
                                       .tier = text("large"),
                                       .rate_micro = rate_micro,
                                       .threshold_micro = 2 * CREDIT,
                                       .share_ppm = 20000,
                                       .by = text("operator")};
    house_append(house, &house->chain, &entry);
}

static void announce(struct house *house, struct chain *chain, int64_t units)
{
    static char key[32];
    snprintf(key, sizeof key, "rated %d", ++named);
    *chain = (struct chain){.task = next_task()};
    house_announce(house, chain, key, CREDIT, units);
}

static void assign(struct house *house, struct chain *chain, int64_t rate_micro, int64_t units,
                   int64_t price_micro)
{
    struct entry entry = {.kind = ENTRY_ASSIGNED};
    entry.assigned = (struct entry_assigned){.round = 1,
                                             .generation = 1,
                                             .contractor = text("kiln-1"),
                                             .principal = text("north"),
                                             .rate_micro = rate_micro,
                                             .price_micro = price_micro,
                                             .units = units,
                                             .ceiling_micro = CREDIT,
                                             .due_at_us = house->now_us + 1000000,
                                             .ack_by_us = house->now_us + 1000000};
    house_append(house, chain, &entry);
}

/* A round that is a sample, and its award. */
static void sample(struct house *house, struct chain *chain, int64_t rate_micro, int64_t units,
                   int64_t price_micro)
{
    struct entry entry = {.kind = ENTRY_OPENED};
    entry.opened = (struct entry_opened){.round = 1,
                                         .units = units,
                                         .ceiling_micro = CREDIT,
                                         .closes_at_us = house->now_us + 1000000,
                                         .due_us = 1000000,
                                         .rate_micro = rate_micro};
    house_append(house, chain, &entry);
    house_award(house, chain, 1, 1, price_micro, units);
}

static void a_rate_holds_until_it_is_taken_back(void **state)
{
    struct house *house = *state;
    rate(house, "forge.rate", 10);
    rate(house, "forge.rate", 20);
    assert_committed(house);
    assert_sql("0.000020|2.000000|0.020000|operator",
               "select concat_ws('|', rate, threshold, share, set_by) from tender.rate"
               " where skill = 'forge.rate' and tier = 'large'");
    rate(house, "forge.rate", 0);
    assert_committed(house);
    assert_sql("0", "select count(*) from tender.rate where skill = 'forge.rate'");
}

static void an_assigned_task_is_done_and_paid_like_any_other(void **state)
{
    struct house *house = *state;
    struct chain chain;
    announce(house, &chain, 4);
    assign(house, &chain, 100, 4, 400);
    assert_committed(house);
    assert_sql("awarded 1",
               "select concat_ws(' ', status, round) from tender.task where task_id = '%s'",
               name_of(&chain));
    assert_sql("assigned 0.000100 0",
               "select concat_ws(' ', outcome, posted, invited)"
               " from tender.round where task_id = '%s'",
               name_of(&chain));
    house_fulfil(house, &chain, 1, 4, 400, CREDIT);
    assert_committed(house);
    assert_sql("fulfilled 0.000400",
               "select concat_ws(' ', status, paid) from tender.commitment"
               " where task_id = '%s'",
               name_of(&chain));
    assert_sql("the posted rate", "select rule from tender.explain('%s')", name_of(&chain));
}

static void the_price_of_an_assignment_is_rate_times_units(void **state)
{
    struct house *house = *state;
    struct chain chain;
    announce(house, &chain, 4);
    assign(house, &chain, 100, 4, 400);
    assert_committed(house);
    assert_string_equal(
        sql_state("insert into tender_ledger.posted values (now(), 100, 401, 4, 2, 0,"
                  " false, '00000000-0000-0000-0000-000000000001', 'x')"),
        "23514");
    assert_string_equal(sql_state("update tender_ledger.posted set units = 5"), "TN005");
}

/* Posted at 100 a unit; three samples of two units at 240, 280 and 320, so 20, 40 and 60 a unit. */
static void samples_say_what_the_rate_saved(void **state)
{
    struct house *house = *state;
    struct chain chain;
    for (int i = 0; i < 3; i++) {
        announce(house, &chain, 2);
        sample(house, &chain, 100, 2, 240 + 40 * i);
        assert_committed(house);
        house_fulfil(house, &chain, 1, 2, 240 + 40 * i, CREDIT);
    }
    assert_committed(house);
    assert_sql("3 0.000040", "select concat_ws(' ', samples, sample_saved_per_unit)"
                             " from tender.shortcut_cost");
    /* two assigned tasks of four units are there from the tests before: 8 units at 40 */
    assert_sql("8 0.000320", "select concat_ws(' ', units, saved) from tender.shortcut_cost");
    /* the deviation of 20, 40, 60 is 20; by the root of 3, times 8 units: 92.376 */
    assert_sql("0.000092", "select saved_error from tender.shortcut_cost");
    assert_sql("", "select lowest from tender.shortcut_cost");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_house, end_house)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_rate_holds_until_it_is_taken_back),
        TEST(an_assigned_task_is_done_and_paid_like_any_other),
        TEST(the_price_of_an_assignment_is_rate_times_units),
        TEST(samples_say_what_the_rate_saved),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
