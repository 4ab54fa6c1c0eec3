/*
 * Goal: a server that may lose what it has committed is refused, at the start and after each
 * reconnect, unless that is allowed; what is said names setting and remedy.
 * Method: each setting is turned off in a cluster of our own, by the ways operators have.
 */
#include "support.h"

#define CONNECTED_US 20000000

static int open_with(bool may_lose_commits, char sentence_out[512])
{
    struct ledger *ledger = NULL;
    struct ledger_options options = {.database = getenv("TENDER_DATABASE"),
                                     .broker = "test",
                                     .may_lose_commits = may_lose_commits};
    int status = ledger_open(&options, &ledger);
    snprintf(sentence_out, 512, "%s", ledger_last_error(ledger));
    ledger_close(ledger);
    return status;
}

static void each_setting_that_is_off_is_refused_by_name(void **state)
{
    static const char *const names[] = {"fsync", "full_page_writes", "synchronous_commit"};
    char sentence[512];
    (void)state;
    assert_int_equal(open_with(false, sentence), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char expected[64];
        snprintf(expected, sizeof expected, "%s is off: set it to on", names[i]);
        set_setting(names[i], "off");
        assert_int_equal(open_with(false, sentence), TENDER_EUNSAFE);
        assert_non_null(strstr(sentence, expected));
        assert_int_equal(ledger_durability(getenv("TENDER_DATABASE"), sentence, sizeof sentence),
                         TENDER_EUNSAFE);
        assert_non_null(strstr(sentence, expected));
        assert_int_equal(open_with(true, sentence), 0);
        set_setting(names[i], "on");
        assert_int_equal(open_with(false, sentence), 0);
    }
}

static void all_that_is_off_is_named_together(void **state)
{
    char sentence[512];
    (void)state;
    set_setting("fsync", "off");
    set_setting("synchronous_commit", "off");
    assert_int_equal(open_with(false, sentence), TENDER_EUNSAFE);
    assert_non_null(strstr(sentence, "fsync is off"));
    assert_non_null(strstr(sentence, "; synchronous_commit is off"));
    set_setting("synchronous_commit", "on");
    set_setting("fsync", "on");
}

static void commits_that_do_not_wait_for_a_standby_are_no_matter(void **state)
{
    char sentence[512];
    (void)state;
    set_setting("synchronous_commit", "local");
    assert_int_equal(open_with(false, sentence), 0);
    set_setting("synchronous_commit", "on");
}

static void settings_are_read_again_after_a_reconnect(void **state)
{
    struct house *house = *state;
    assert_committed(house);
    (void)sql("alter role current_user set synchronous_commit = off");
    end_backend();
    int status = 0;
    for (int64_t end_us = monotonic_us() + CONNECTED_US; status == 0;) {
        assert_true(monotonic_us() < end_us);
        status = house_step(house);
    }
    (void)sql("alter role current_user reset synchronous_commit");
    assert_int_equal(status, TENDER_EUNSAFE);
    assert_non_null(strstr(ledger_last_error(house->ledger), "synchronous_commit is off"));
}

static void database_that_is_away_is_no_verdict(void **state)
{
    char sentence[512];
    (void)state;
    assert_int_equal(ledger_durability("host=/nowhere dbname=none", sentence, sizeof sentence),
                     TENDER_EDATABASE);
    assert_non_null(strstr(sentence, "cannot connect"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_house, end_house)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_setting_that_is_off_is_refused_by_name),
        cmocka_unit_test(all_that_is_off_is_named_together),
        cmocka_unit_test(commits_that_do_not_wait_for_a_standby_are_no_matter),
        TEST(settings_are_read_again_after_a_reconnect),
        cmocka_unit_test(database_that_is_away_is_no_verdict),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
