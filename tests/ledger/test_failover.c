/*
 * Goal: a ledger that is given several servers finds the one that may be written, leaves one that
 * may not be any more, and takes no commit for durable that did not wait for its standby.
 * Method: a cluster of our own that turns read-only, and that waits for a standby which is not
 * there. With two real clusters: tests/system/test_failover.py.
 */
#include "support.h"

static void fill(struct house *house, struct chain *chain)
{
    static int turn;
    char key[32];
    snprintf(key, sizeof key, "failover-%d", turn++);
    house_announce(house, chain, key, CREDIT, 1);
    house_open_round(house, chain, 1, CREDIT, 1);
}

static void hosts_that_are_away_are_passed_over(void **state)
{
    struct house *house = *state;
    char database[512];
    const char *usual = getenv("TENDER_DATABASE");
    char *kept = strdup(usual);
    snprintf(database, sizeof database,
             "host=/nowhere,/nowhere/else,%s port=5432,5432,%s dbname=%s user=%s", getenv("PGHOST"),
             getenv("PGPORT"), getenv("PGDATABASE"), getenv("PGUSER"));
    setenv("TENDER_DATABASE", database, 1);
    house_close(house);
    house_open(house, "test");
    setenv("TENDER_DATABASE", kept, 1);
    free(kept);
    for (int i = 0; i < 4; i++) { /* whichever comes first */
        struct chain chain;
        int ups = house->ups;
        fill(house, &chain);
        assert_committed(house);
        end_backend();
        house_wait(house, house->ups == ups + (i == 0 ? 2 : 1));
    }
}

static void server_that_became_read_only_is_left_until_it_may_be_written(void **state)
{
    struct house *house = *state;
    struct chain chain;
    fill(house, &chain);
    uint64_t batch = ledger_batch(house->ledger);
    set_setting("default_transaction_read_only", "on");
    assert_int_equal(ledger_submit(house->ledger, house->now_us), 0);
    house_wait(house, strstr(ledger_last_error(house->ledger), "session is read-only") != NULL);
    assert_int_equal(house->downs, 1); /* it was left, and not taken again */
    assert_true(house->committed < batch);
    set_setting("default_transaction_read_only", "off");
    house_wait(house, house->committed == batch);
}

static void commit_that_ceased_to_wait_for_its_standby_is_not_taken_for_durable(void **state)
{
    struct house *house = *state;
    struct chain chain;
    fill(house, &chain);
    assert_committed(house);
    set_setting("synchronous_standby_names", "nobody");
    fill(house, &chain);
    uint64_t batch = ledger_batch(house->ledger);
    int downs = house->downs;
    assert_int_equal(ledger_submit(house->ledger, house->now_us), 0);
    house_wait(house, strcmp(sql("select count(*) from pg_stat_activity where wait_event = "
                                 "'SyncRep'"),
                             "1") == 0);
    (void)sql("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'");
    house_wait(house, house->downs == downs + 1);
    house_wait(house, strcmp(sql("select count(*) from pg_stat_activity where wait_event = "
                                 "'SyncRep'"),
                             "1") == 0);
    assert_true(house->committed < batch); /* though it is there */
    assert_sql("2", "select count(*) from tender_ledger.entry where task_id = '%s'",
               name_of(&chain));
    set_setting("synchronous_standby_names", "");
    house_wait(house, house->committed == batch);
    assert_sql("2", "select count(*) from tender_ledger.entry where task_id = '%s'",
               name_of(&chain));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_house, end_house)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(hosts_that_are_away_are_passed_over),
        TEST(server_that_became_read_only_is_left_until_it_may_be_written),
        TEST(commit_that_ceased_to_wait_for_its_standby_is_not_taken_for_durable),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
