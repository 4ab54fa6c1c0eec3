/*
 * Goal: a connection that breaks at any moment loses and doubles nothing.
 * Method: the backend is ended while a batch is being sent, after it has committed and before the
 * answer is read, and while nothing goes on; the server is restarted; a new broker takes over one
 * that hangs.
 */
#include "support.h"

static void assert_held_once(const struct chain *chain, const char *count)
{
    assert_sql(count, "select count(*) from tender_ledger.entry where task_id = '%s'",
               name_of(chain));
}

static void fill(struct house *house, struct chain *chain)
{
    static int turn;
    char key[32];
    snprintf(key, sizeof key, "link-%lld-%d", (long long)house->reign.reign, turn++);
    house_announce(house, chain, key, CREDIT, 1);
    house_open_round(house, chain, 1, CREDIT, 1);
}

static void batch_is_sent_again_after_its_backend_ended(void **state)
{
    struct house *house = *state;
    for (int i = 0; i < 5; i++) {
        struct chain chain;
        fill(house, &chain);
        uint64_t batch = ledger_batch(house->ledger);
        end_backend();
        assert_int_equal(ledger_submit(house->ledger, house->now_us), 0);
        house_wait(house, house->committed == batch);
        assert_held_once(&chain, "2");
    }
    assert_true(house->downs >= 5);
    assert_true(house->ups >= house->downs);
}

static void batch_whose_commit_was_not_answered_is_held_once(void **state)
{
    struct house *house = *state;
    struct chain chain;
    fill(house, &chain);
    uint64_t batch = ledger_batch(house->ledger);
    assert_int_equal(ledger_submit(house->ledger, house->now_us), 0);
    /* It commits while nobody reads the answer; then the answer is lost. */
    char expected[32];
    snprintf(expected, sizeof expected, "%llu", (unsigned long long)batch);
    int64_t end_us = monotonic_us() + 20000000;
    while (strcmp(sql("select batch from tender_ledger.reign"), expected) != 0) {
        assert_true(monotonic_us() < end_us);
    }
    end_backend();
    house_wait(house, house->committed == batch);
    assert_held_once(&chain, "2");
}

static void batches_fill_while_the_link_is_down(void **state)
{
    struct house *house = *state;
    struct chain first;
    struct chain second;
    fill(house, &first);
    end_backend();
    assert_int_equal(ledger_submit(house->ledger, house->now_us), 0);
    fill(house, &second);
    uint64_t batch = ledger_batch(house->ledger);
    house_wait(house, !ledger_is_busy(house->ledger));
    assert_committed(house);
    assert_true(house->committed == batch);
    assert_held_once(&first, "2");
    assert_held_once(&second, "2");
}

static void idle_link_that_breaks_comes_back(void **state)
{
    struct house *house = *state;
    int ups = house->ups;
    end_backend();
    house_wait(house, house->ups == ups + 1);
    struct chain chain;
    fill(house, &chain);
    assert_committed(house);
    assert_held_once(&chain, "2");
}

static void question_is_asked_again_after_the_link_broke(void **state)
{
    struct house *house = *state;
    struct chain chain;
    fill(house, &chain);
    assert_committed(house);
    end_backend();
    assert_int_equal(ledger_lookup_task(house->ledger, 7, chain.task, 0, 0), 0);
    house_wait(house, house->priors == 1);
    assert_true(house->cookie == 7);
    assert_true(tender_id_equal(house->prior.task, chain.task));
}

static void L4_server_restart_interrupts_and_loses_nothing(void **state)
{
    struct house *house = *state;
    const char *control = getenv("TENDER_TEST_PG_CTL");
    if (control == NULL) {
        skip();
    }
    for (int i = 0; i < 2; i++) {
        struct chain chain;
        char command[512];
        fill(house, &chain);
        uint64_t batch = ledger_batch(house->ledger);
        assert_int_equal(ledger_submit(house->ledger, house->now_us), 0);
        snprintf(command, sizeof command, "%s stop -m immediate && %s start >/dev/null", control,
                 control);
        assert_int_equal(system(command), 0);
        house_wait(house, house->committed == batch);
        assert_held_once(&chain, "2");
    }
}

static void superseded_broker_cannot_come_back(void **state)
{
    struct house *old = *state;
    struct house next;
    house_open(&next, "next");
    struct chain chain;
    fill(old, &chain);
    int status = ledger_submit(old->ledger, old->now_us);
    for (int64_t end_us = monotonic_us() + 20000000; status == 0;) {
        assert_true(monotonic_us() < end_us);
        status = house_step(old);
    }
    assert_int_equal(status, TENDER_EREIGN);
    assert_held_once(&chain, "0");
    struct chain later;
    fill(&next, &later);
    assert_int_equal(house_commit(&next), 0);
    assert_int_equal(next.downs, 0); /* the old one, reconnecting, did not end its backend */
    assert_held_once(&later, "2");
    house_close(&next);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_house, end_house)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(batch_is_sent_again_after_its_backend_ended),
        TEST(batch_whose_commit_was_not_answered_is_held_once),
        TEST(batches_fill_while_the_link_is_down),
        TEST(idle_link_that_breaks_comes_back),
        TEST(question_is_asked_again_after_the_link_broke),
        TEST(L4_server_restart_interrupts_and_loses_nothing),
        TEST(superseded_broker_cannot_come_back),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
