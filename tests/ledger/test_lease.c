/*
 * Goal: of two brokers one reigns, whatever the other believes.
 * Method: two ledgers on one database fight for the reign: while a lease runs, after it has run
 * out, after it was given back, and where the first hangs in the middle of a batch.
 */
#include "support.h"

#include <libpq-fe.h>

#define LONG_US  INT64_C(3600000000)
#define BRIEF_US INT64_C(200000)

/* Waits, by the database's clock, until no lease runs. */
static void await_lapse(void)
{
    int64_t end_us = monotonic_us() + 20000000;
    while (strcmp(sql("select tender_ledger.may_take(0::smallint, 'anybody')"), "f") == 0) {
        assert_true(monotonic_us() < end_us);
    }
}

/* A house that reigns with a lease of its own, which runs from a committed batch. */
static void begin(struct house *house, const char *broker, int64_t lease_us)
{
    house_open_only(house, broker, lease_us);
    assert_int_equal(house_begin(house), 0);
    house_fund(house, "acme", CREDIT);
    assert_committed(house);
}

static void give_back(struct house *house)
{
    ledger_release(house->ledger, 1);
    house_wait(house, ledger_is_released(house->ledger));
}

/* Steps on from `status` until the house is told that another reigns. */
static void await_refusal(struct house *house, int status)
{
    while (status == 0) {
        status = house_step(house);
    }
    assert_int_equal(status, TENDER_EREIGN);
}

/* Microseconds that the lease in the ledger has left. */
static int64_t lease_left_us(void)
{
    return strtoll(sql("select (extract(epoch from lease_ends_at - clock_timestamp()) * 1e6)::int8 "
                       "from tender_ledger.reign"),
                   NULL, 10);
}

static void lease_that_runs_is_respected(void **state)
{
    (void)state;
    struct house one;
    struct house two;
    begin(&one, "one", LONG_US);
    int64_t reign = one.reign.reign;
    house_open_only(&two, "two", LONG_US);
    assert_int_equal(house_begin(&two), TENDER_EREIGN);
    house_fund(&one, "acme", CREDIT); /* its backend was not ended */
    assert_committed(&one);
    assert_int_equal(one.downs, 0);
    assert_true(strtoll(sql("select reign from tender_ledger.reign"), NULL, 10) == reign);
    assert_sql("one", "select broker from tender_ledger.reign");
    house_close(&two);
    house_close(&one);
}

static void broker_of_the_same_name_need_not_wait(void **state)
{
    (void)state;
    struct house one;
    struct house again;
    begin(&one, "one", LONG_US);
    begin(&again, "one", BRIEF_US);
    assert_true(again.reign.reign == one.reign.reign + 1);
    house_fund(&one, "acme", CREDIT);
    await_refusal(&one, ledger_submit(one.ledger, one.now_us));
    house_close(&again);
    house_close(&one);
    await_lapse();
}

static void lease_that_has_run_out_is_taken_and_the_first_is_refused(void **state)
{
    (void)state;
    struct house one;
    struct house two;
    begin(&one, "one", BRIEF_US);
    await_lapse();
    begin(&two, "two", BRIEF_US);
    assert_true(two.reign.reign == one.reign.reign + 1);
    assert_true(two.reign.batch == one.committed);
    struct chain chain;
    house_announce(&one, &chain, "lapsed", CREDIT, 1);
    await_refusal(&one, ledger_submit(one.ledger, one.now_us));
    assert_sql("0", "select count(*) from tender_ledger.entry where task_id = '%s'",
               name_of(&chain));
    house_close(&two);
    house_close(&one);
    await_lapse();
}

static void lapsed_lease_that_nobody_took_is_renewed(void **state)
{
    (void)state;
    struct house one;
    begin(&one, "one", BRIEF_US);
    await_lapse();
    house_fund(&one, "acme", CREDIT);
    assert_committed(&one);
    assert_sql("t", "select lease_ends_at > stamp_at from tender_ledger.reign");
    house_close(&one);
    await_lapse();
}

/* Stamps go on from it: what it was asked before other things, it is behind by. */
static void clock_is_asked_last(void **state)
{
    (void)state;
    struct house one;
    house_open_only(&one, "one", BRIEF_US);
    assert_int_equal(house_begin(&one), 0);
    int64_t asked_us = strtoll(sql("select (extract(epoch from a.query_start) * 1e6)::int8 "
                                   "from pg_stat_activity a join tender_ledger.reign r "
                                   "on r.backend_pid = a.pid"),
                               NULL, 10);
    assert_true(asked_us > 0 && one.reign.clock_us >= asked_us);
    house_close(&one);
    await_lapse();
}

static void lease_of_a_recall_ends_with_the_second_batch(void **state)
{
    (void)state;
    struct house one;
    house_open_only(&one, "one", LONG_US);
    assert_int_equal(house_begin(&one), 0);
    assert_true(lease_left_us() > 5 * LONG_US);
    house_fund(&one, "acme", CREDIT);
    assert_committed(&one);
    assert_true(lease_left_us() > 5 * LONG_US); /* the first may have taken long */
    house_fund(&one, "acme", CREDIT);
    assert_committed(&one);
    assert_true(lease_left_us() <= LONG_US);
    give_back(&one);
    house_close(&one);
}

/* Who died in its recall is not waited for; later its lease counts, whatever its connection does.
 */
static void lease_of_a_recall_ends_with_its_connection(void **state)
{
    (void)state;
    struct house one;
    struct house two;
    house_open_only(&one, "one", LONG_US);
    assert_int_equal(house_begin(&one), 0);
    house_open_only(&two, "two", LONG_US);
    assert_int_equal(house_begin(&two), TENDER_EREIGN);
    house_close(&one);
    await_lapse();
    assert_int_equal(house_begin(&two), 0);
    assert_true(two.reign.reign == one.reign.reign + 1);
    for (int batch = 0; batch < 2; batch++) {
        house_fund(&two, "acme", CREDIT);
        assert_committed(&two);
    }
    end_backend();
    assert_sql("f", "select tender_ledger.may_take(0::smallint, 'anybody')");
    house_fund(&two, "acme", CREDIT);
    assert_committed(&two);
    give_back(&two);
    house_close(&two);
}

/* As after a step of the database's clock: nobody gives itself so much. */
static void lease_that_ends_later_than_any_could_is_over(void **state)
{
    (void)state;
    struct house one;
    struct house two;
    begin(&one, "one", LONG_US);
    (void)sql("update tender_ledger.reign set lease_ends_at = clock_timestamp() + 6 * lease "
              "+ interval '1 h' returning 1");
    assert_sql("gone", "select state from tender.broker where broker = 'one'");
    begin(&two, "two", LONG_US);
    assert_true(two.reign.reign == one.reign.reign + 1);
    assert_sql("reigns", "select state from tender.broker where broker = 'two'");
    house_close(&one);
    give_back(&two);
    house_close(&two);
}

static void broker_that_hangs_in_a_batch_is_ended(void **state)
{
    (void)state;
    struct house one;
    struct house two;
    begin(&one, "one", BRIEF_US);
    house_close(&one);
    PGconn *hung = PQconnectdb(getenv("TENDER_DATABASE"));
    PQclear(PQexec(hung, "select pg_advisory_lock(1413828420, 0)"));
    PQclear(PQexec(hung, "begin"));
    PGresult *result = PQexec(hung, "update tender_ledger.reign set batch = batch");
    assert_int_equal(PQresultStatus(result), PGRES_COMMAND_OK);
    PQclear(result);
    await_lapse();
    begin(&two, "two", BRIEF_US);
    assert_true(two.reign.reign == one.reign.reign + 1);
    assert_int_equal(PQstatus(hung), CONNECTION_OK); /* it has not noticed yet */
    PQclear(PQexec(hung, "commit"));
    assert_int_equal(PQstatus(hung), CONNECTION_BAD);
    PQfinish(hung);
    house_close(&two);
    await_lapse();
}

/*
 * The old broker comes back while another of its name is just taking the shard. It ends backends
 * that it wrote through itself, and not the one whose number has not risen yet.
 */
static void broker_that_comes_back_does_not_end_its_successor(void **state)
{
    (void)state;
    struct house one;
    begin(&one, "one", LONG_US);
    PGconn *next = PQconnectdb(getenv("TENDER_DATABASE"));
    end_backend();
    PQclear(PQexec(next, "begin"));
    PGresult *result = PQexec(next, "select tender_ledger.take_reign(0::smallint, 'one', '', "
                                    "interval '1 h', interval '1 h')");
    assert_int_equal(PQntuples(result), 1);
    PQclear(result);
    house_wait(&one, strcmp(sql("select count(*) from pg_locks where not granted"), "1") == 0);
    assert_int_equal(one.downs, 1); /* it is back, and waits for the row */
    result = PQexec(next, "commit");
    assert_int_equal(PQresultStatus(result), PGRES_COMMAND_OK);
    PQclear(result);
    await_refusal(&one, 0);
    PQfinish(next);
    house_close(&one);
    (void)sql("select tender_ledger.release_reign(shard, reign) from tender_ledger.reign");
}

static void lease_given_back_is_free_at_once(void **state)
{
    (void)state;
    struct house one;
    struct house two;
    begin(&one, "one", LONG_US);
    give_back(&one);
    begin(&two, "two", LONG_US);
    house_close(&one);
    give_back(&two);
    house_close(&two);
}

static void own_end_of_the_lease_comes_before_the_ledgers(void **state)
{
    (void)state;
    struct house one;
    house_open_only(&one, "one", LONG_US);
    assert_int_equal(house_begin(&one), 0);
    assert_true(ledger_leased_until_us(one.ledger) == 0);
    assert_int_equal(house_step(&one), 0);
    int64_t before_us = monotonic_us();
    house_fund(&one, "acme", CREDIT);
    assert_committed(&one);
    assert_true(ledger_leased_until_us(one.ledger) > LONG_US);
    assert_true(ledger_leased_until_us(one.ledger) <= monotonic_us() + LONG_US);
    int64_t left_us = lease_left_us();
    assert_true(ledger_leased_until_us(one.ledger) - before_us <= LONG_US);
    int64_t ends_us = monotonic_us() + left_us;
    assert_true(ledger_leased_until_us(one.ledger) <= ends_us);
    give_back(&one);
    house_close(&one);
}

static void who_watches_sees_who_reigns_and_is_seen(void **state)
{
    (void)state;
    struct house one;
    struct house two;
    begin(&one, "one", LONG_US);
    house_open_only(&two, "two", LONG_US);
    ledger_watch(two.ledger);
    house_wait(&two, two.seats == 1);
    assert_string_equal(two.seat_text[0], "one");
    assert_string_equal(two.seat_text[1], "tcp://127.0.0.1:1");
    assert_false(two.seat.is_free);
    assert_true(two.seat.reign == one.reign.reign);
    assert_sql("stands by", "select state from tender.broker where broker = 'two'");
    assert_sql("reigns", "select state from tender.broker where broker = 'one'");
    give_back(&one);
    ledger_watch(two.ledger);
    house_wait(&two, two.seats == 2);
    assert_true(two.seat.is_free);
    assert_int_equal(one.downs, 0); /* who watches ends nobody's backend */
    house_close(&two);
    house_close(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lease_that_runs_is_respected),
        cmocka_unit_test(broker_of_the_same_name_need_not_wait),
        cmocka_unit_test(lease_that_has_run_out_is_taken_and_the_first_is_refused),
        cmocka_unit_test(lapsed_lease_that_nobody_took_is_renewed),
        cmocka_unit_test(clock_is_asked_last),
        cmocka_unit_test(lease_of_a_recall_ends_with_the_second_batch),
        cmocka_unit_test(lease_of_a_recall_ends_with_its_connection),
        cmocka_unit_test(lease_that_ends_later_than_any_could_is_over),
        cmocka_unit_test(broker_that_hangs_in_a_batch_is_ended),
        cmocka_unit_test(broker_that_comes_back_does_not_end_its_successor),
        cmocka_unit_test(lease_given_back_is_free_at_once),
        cmocka_unit_test(own_end_of_the_lease_comes_before_the_ledgers),
        cmocka_unit_test(who_watches_sees_who_reigns_and_is_seen),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
