/*
 * Goal: what entries do to the tables, whichever way they fall into batches; a batch is all or
 * nothing, harmless to repeat, and refused from a broker that no longer reigns. Method: entries as
 * the core writes them, through the public interface, against PostgreSQL; the views are asked what
 * became of them.
 */
#include "support.h"

static void assert_books_balance(void)
{
    assert_sql("t", "select coalesce(bool_and(s = 0), true) from (select posting_id, sum(amount) s "
                    "from tender.posting group by 1) p");
    assert_sql("0", "select count(*) from tender.account a left join (select principal, "
                    "sum(amount) filter (where bucket = 'available') as available, "
                    "sum(amount) filter (where bucket = 'reserved') as reserved, "
                    "sum(amount) filter (where bucket = 'earned') as earned from tender.posting "
                    "group by 1) p using (principal) where (a.available, a.reserved, a.earned) is "
                    "distinct from (coalesce(p.available, 0), coalesce(p.reserved, 0), "
                    "coalesce(p.earned, 0))");
}

static void commit_here(struct house *house, unsigned cuts, unsigned step)
{
    if (cuts & 1u << step) {
        assert_committed(house);
    }
}

/* The worked example's shape: 28 of 40 units, then the rest by a second commitment. */
static void tell_two_rounds(struct house *house, struct chain *chain, const char *key,
                            unsigned cuts)
{
    house_announce(house, chain, key, 30 * CREDIT, 40);
    commit_here(house, cuts, 0);
    house_open_round(house, chain, 1, 30 * CREDIT, 40);
    commit_here(house, cuts, 1);
    house_answer(house, chain, 1);
    house_award(house, chain, 1, 1, 15 * CREDIT, 40);
    commit_here(house, cuts, 2);
    house_fail(house, chain, 1, 28, 10500000);
    commit_here(house, cuts, 3);
    house_open_round(house, chain, 2, 9 * CREDIT, 12);
    commit_here(house, cuts, 4);
    house_award(house, chain, 2, 2, 8 * CREDIT, 12);
    commit_here(house, cuts, 5);
    house_fulfil(house, chain, 2, 12, 8 * CREDIT, 30 * CREDIT - 10500000);
}

static void two_rounds_end_alike_however_batches_fall(void **state)
{
    struct house *house = *state;
    for (unsigned cuts = 0; cuts < 64; cuts++) {
        struct chain chain;
        char key[32];
        snprintf(key, sizeof key, "cut-%u", cuts);
        tell_two_rounds(house, &chain, key, cuts);
        assert_committed(house);
        assert_sql("done completed 40 2 18.500000 11.500000",
                   "select concat_ws(' ', status, reason, units_done, round, paid, released) "
                   "from tender.task where task_id = '%s'",
                   name_of(&chain));
        assert_sql("1 failed 28 10.500000 | 2 fulfilled 12 8.000000",
                   "select string_agg(concat_ws(' ', round, status, units_done, paid), ' | ' "
                   "order by commitment_id) from tender.commitment where task_id = '%s'",
                   name_of(&chain));
        assert_sql("0", "select faults from tender.verify_task('%s')", name_of(&chain));
    }
    assert_books_balance();
}

static void open_task_is_seen_at_every_stage(void **state)
{
    struct house *house = *state;
    struct chain chain;
    house_announce(house, &chain, "stages", 30 * CREDIT, 40);
    house_open_round(house, &chain, 1, 30 * CREDIT, 40);
    assert_committed(house);
    assert_sql("open", "select status from tender.task where task_id = '%s'", name_of(&chain));
    house_answer(house, &chain, 1);
    assert_committed(house);
    assert_sql("0", "select count(*) from tender.bid where task_id = '%s'", name_of(&chain));
    house_award(house, &chain, 1, 1, 15 * CREDIT, 40);
    assert_committed(house);
    assert_sql("awarded", "select status from tender.task where task_id = '%s'", name_of(&chain));
    assert_sql("3", "select count(*) from tender.bid where task_id = '%s'", name_of(&chain));
    struct entry acknowledged = {.kind = ENTRY_ACKNOWLEDGED};
    acknowledged.acknowledged = (struct entry_acknowledged){.generation = 1};
    house_append(house, &chain, &acknowledged);
    struct entry progressed = {.kind = ENTRY_PROGRESSED};
    progressed.progressed = (struct entry_progressed){.generation = 1, .units_done = 7};
    house_append(house, &chain, &progressed);
    assert_committed(house);
    assert_sql("active 7 t",
               "select concat_ws(' ', status, units_done, acknowledged_at is not null) "
               "from tender.commitment where task_id = '%s'",
               name_of(&chain));
    assert_books_balance();
}

static void task_that_begins_and_ends_in_one_batch_is_whole(void **state)
{
    struct house *house = *state;
    struct chain chain;
    house_announce(house, &chain, "brief", 5 * CREDIT, 1);
    house_open_round(house, &chain, 1, 5 * CREDIT, 1);
    house_end(house, &chain, TENDER_TASK_UNALLOCATED, 5 * CREDIT);
    assert_committed(house);
    assert_sql(
        "unallocated 1 5.000000",
        "select concat_ws(' ', status, round, released) from tender.task where task_id = '%s'",
        name_of(&chain));
    assert_books_balance();
}

static void what_one_task_releases_another_reserves_in_the_same_batch(void **state)
{
    struct house *house = *state;
    struct chain first;
    struct chain second;
    int64_t all = atoll(sql("select available_micro from tender_ledger.account "
                            "where principal = 'acme'"));
    house_announce(house, &first, "all", all, 1);
    house_open_round(house, &first, 1, all, 1);
    assert_committed(house);
    house_end(house, &first, TENDER_TASK_UNALLOCATED, all);
    house_announce(house, &second, "all again", all, 1);
    assert_committed(house);
    house_end(house, &second, TENDER_TASK_CANCELLED, all);
    assert_committed(house);
    assert_books_balance();
}

static void held_task_goes_on(void **state)
{
    struct house *house = *state;
    struct chain chain;
    house_announce(house, &chain, "held", 5 * CREDIT, 1);
    house_open_round(house, &chain, 1, 5 * CREDIT, 1);
    struct entry held = {.kind = ENTRY_HELD};
    held.held = (struct entry_held){.reason = TENDER_REASON_HELD_BY_FALLBACK};
    house_append(house, &chain, &held);
    assert_committed(house);
    assert_sql("held held-by-fallback",
               "select concat_ws(' ', status, reason) from tender.task where task_id = '%s'",
               name_of(&chain));
    struct entry released = {.kind = ENTRY_RELEASED};
    released.released = (struct entry_released){.by = text("operator"), .rounds = 4};
    house_append(house, &chain, &released);
    house_open_round(house, &chain, 2, 5 * CREDIT, 1);
    assert_committed(house);
    assert_sql("open none 2",
               "select concat_ws(' ', status, reason, round) from tender.task where task_id = '%s'",
               name_of(&chain));
}

static void covered_commitment_is_paid_after_its_end(void **state)
{
    struct house *house = *state;
    struct chain chain;
    house_announce(house, &chain, "cover", 30 * CREDIT, 40);
    house_open_round(house, &chain, 1, 30 * CREDIT, 40);
    house_award(house, &chain, 1, 1, 15 * CREDIT, 40);
    house_fail(house, &chain, 1, 28, 0);
    assert_committed(house);
    struct entry covered = {.kind = ENTRY_COVERED};
    covered.covered = (struct entry_covered){
        .generation = 1, .principal = text("north"), .paid_micro = 7 * CREDIT};
    house_append(house, &chain, &covered);
    house_end(house, &chain, TENDER_TASK_UNALLOCATED, 23 * CREDIT);
    assert_committed(house);
    assert_sql("7.000000", "select paid from tender.commitment where task_id = '%s'",
               name_of(&chain));
    assert_sql("7.000000 23.000000",
               "select concat_ws(' ', paid, released) from tender.task where task_id = '%s'",
               name_of(&chain));
    assert_books_balance();
}

static void W4_recess_moves_the_due_times_that_fall_into_it(void **state)
{
    struct house *house = *state;
    struct chain before;
    struct chain within;
    house_announce(house, &before, "recess 1", CREDIT, 1);
    house_open_round(house, &before, 1, CREDIT, 1);
    house_award(house, &before, 1, 1, CREDIT, 1);
    assert_committed(house);
    house_announce(house, &within, "recess 2", CREDIT, 1);
    house_open_round(house, &within, 1, CREDIT, 1);
    house_award(house, &within, 1, 1, CREDIT, 1);
    int64_t due_us = house->now_us + INT64_C(3300000000);
    struct entry recess = {.kind = ENTRY_RECESS};
    recess.recess =
        (struct entry_recess){.from_us = due_us - 1000000, .until_us = due_us + 1000000};
    house_append(house, &house->chain, &recess);
    assert_committed(house);
    assert_sql("2",
               "select count(*) from tender.commitment where task_id in ('%s', '%s') and "
               "due_at = timestamptz 'epoch' + %lld * interval '1 microsecond'",
               name_of(&before), name_of(&within), (long long)due_us + 1000000);
}

static void contractors_are_kept_as_they_last_enrolled(void **state)
{
    struct house *house = *state;
    house_enrol(house, "kiln-1", "north");
    house_enrol(house, "kiln-1", "north");
    house_enrol(house, "kiln-2", "south");
    struct entry departed = {.kind = ENTRY_DEPARTED};
    departed.departed = (struct entry_departed){.contractor = text("kiln-2"),
                                                .reason = TENDER_REASON_HEARTBEAT_MISSED};
    house_append(house, &house->chain, &departed);
    assert_committed(house);
    assert_sql("kiln-1 north 8 {translate.de,translate.fr} | kiln-2 south 8 "
               "{translate.de,translate.fr} heartbeat-missed",
               "select string_agg(concat_ws(' ', contractor, principal, slots, skills::text, "
               "departed_reason), ' | ' order by contractor) from tender.contractor_record "
               "where contractor in ('kiln-1', 'kiln-2')");
}

static void batch_is_all_or_nothing(void **state)
{
    struct house *house = *state;
    struct chain good;
    struct chain bad;
    house_announce(house, &good, "good", CREDIT, 1);
    house_announce(house, &bad, "too dear", 1000000 * CREDIT, 1);
    assert_int_equal(house_commit(house), TENDER_EDATABASE);
    assert_non_null(strstr(ledger_last_error(house->ledger), "account_is_not_overspent"));
    assert_sql("0", "select count(*) from tender_ledger.entry where task_id in ('%s', '%s')",
               name_of(&good), name_of(&bad));
}

static void second_active_award_of_a_part_is_refused(void **state)
{
    struct house *house = *state;
    struct chain chain;
    house_announce(house, &chain, "twice", 30 * CREDIT, 40);
    house_open_round(house, &chain, 1, 30 * CREDIT, 40);
    house_award(house, &chain, 1, 1, 15 * CREDIT, 40);
    assert_committed(house);
    house_award(house, &chain, 1, 2, 15 * CREDIT, 40);
    assert_int_equal(house_commit(house), TENDER_EDATABASE);
    assert_non_null(strstr(ledger_last_error(house->ledger), "TN004"));
}

static void award_of_an_unknown_or_ended_task_is_refused(void **state)
{
    struct house *house = *state;
    struct chain chain = {.task = next_task()};
    house_award(house, &chain, 1, 1, 15 * CREDIT, 40);
    assert_int_equal(house_commit(house), TENDER_EDATABASE);
    assert_non_null(strstr(ledger_last_error(house->ledger), "TN004"));
}

static void key_is_used_once_unless_again(void **state)
{
    struct house *house = *state;
    struct chain first;
    struct chain second;
    house_announce(house, &first, "one key", CREDIT, 1);
    house_announce(house, &second, "one key", CREDIT, 1);
    assert_int_equal(house_commit(house), TENDER_EDATABASE);
    assert_non_null(strstr(ledger_last_error(house->ledger), "task_key_is_used_once"));
}

static void superseded_broker_is_refused_with_its_whole_batch(void **state)
{
    struct house *old = *state;
    struct house new_house;
    struct chain chain;
    house_open(&new_house, "usurper");
    assert_true(new_house.reign.reign == old->reign.reign + 1);
    house_announce(old, &chain, "too late", CREDIT, 1);
    assert_int_equal(house_commit(old), TENDER_EREIGN);
    assert_sql("0", "select count(*) from tender_ledger.entry where task_id = '%s'",
               name_of(&chain));
    house_close(&new_house);
}

static void idle_batch_keeps_the_stamp(void **state)
{
    struct house *house = *state;
    house->now_us += 5000000;
    assert_committed(house);
    struct house next;
    house_open(&next, "next");
    assert_true(next.reign.stamp_us == house->now_us);
    assert_true(next.reign.batch == house->committed);
    house_close(&next);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_house, end_house)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(two_rounds_end_alike_however_batches_fall),
        TEST(open_task_is_seen_at_every_stage),
        TEST(task_that_begins_and_ends_in_one_batch_is_whole),
        TEST(what_one_task_releases_another_reserves_in_the_same_batch),
        TEST(held_task_goes_on),
        TEST(covered_commitment_is_paid_after_its_end),
        TEST(W4_recess_moves_the_due_times_that_fall_into_it),
        TEST(contractors_are_kept_as_they_last_enrolled),
        TEST(batch_is_all_or_nothing),
        TEST(second_active_award_of_a_part_is_refused),
        TEST(award_of_an_unknown_or_ended_task_is_refused),
        TEST(key_is_used_once_unless_again),
        TEST(superseded_broker_is_refused_with_its_whole_batch),
        TEST(idle_batch_keeps_the_stamp),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
