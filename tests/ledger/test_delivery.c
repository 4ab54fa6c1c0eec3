/*
 * Goal: what waits for a client, what became of it, and late results that it takes, as the tables
 * and views have them; each also where it begins and ends within one batch.
 * Method: the entries that the core writes, committed together and apart.
 */
#include "support.h"

#define UNITS 40

/* A task whose commitment 1 is active, with a price of 15 under a ceiling of 30. */
static void award(struct house *house, struct chain *chain, const char *key)
{
    house_announce(house, chain, key, 30 * CREDIT, UNITS);
    house_open_round(house, chain, 1, 30 * CREDIT, UNITS);
    house_answer(house, chain, 1);
    house_award(house, chain, 1, 1, 15 * CREDIT, UNITS);
}

static void deliver(struct house *house, struct chain *chain, int64_t generation)
{
    struct entry entry = {.kind = ENTRY_DELIVERED};
    entry.delivered =
        (struct entry_delivered){.generation = generation,
                                 .contractor = text("kiln-1"),
                                 .units_done = UNITS,
                                 .accept_by_us = house->now_us + 60000000,
                                 .evidence = text("words=7\nlanguage=de"),
                                 .acknowledged = 1,
                                 .content_size = 16,
                                 .content_digest = entry_digest(text("0123456789abcdef"))};
    entry.content = text("0123456789abcdef");
    house_append(house, chain, &entry);
}

/* The commitment ends by the client's decision; with all units the task is done. */
static void decide(struct house *house, struct chain *chain, int64_t units, int64_t paid_micro,
                   tender_reason reason)
{
    struct entry entry = {.kind = ENTRY_SETTLED};
    bool is_all = units == UNITS;
    entry.settled = (struct entry_settled){.generation = 1,
                                           .contractor = text("kiln-1"),
                                           .principal = text("north"),
                                           .state = is_all ? TENDER_COMMITMENT_FULFILLED
                                                           : TENDER_COMMITMENT_FAILED,
                                           .reason = reason,
                                           .said = is_all ? 0 : TENDER_REASON_QUALITY_CHECK,
                                           .units_done = units,
                                           .paid_micro = paid_micro,
                                           .excluded = !is_all,
                                           .task_state = is_all ? TENDER_TASK_DONE : 0,
                                           .task_reason = is_all ? TENDER_REASON_COMPLETED : 0,
                                           .released_micro = is_all ? 30 * CREDIT - paid_micro : 0,
                                           .reported = is_all ? 0 : UNITS};
    house_append(house, chain, &entry);
}

static void a_delivery_waits_for_its_client(void **state)
{
    struct house *house = *state;
    struct chain chain;
    award(house, &chain, "waits");
    assert_committed(house);
    deliver(house, &chain, 1);
    assert_committed(house);
    assert_sql("delivered", "select status from tender.task where task_id = '%s'", name_of(&chain));
    assert_sql(
        "delivered 40 t",
        "select status || ' ' || units_done || ' ' || (acknowledged_at is not null)::text::char"
        " from tender.commitment where task_id = '%s'",
        name_of(&chain));
    assert_sql(
        "pending 40 16 de 60",
        "select status || ' ' || units || ' ' || size || ' ' || (evidence ->> 'language') || "
        "' ' || round(extract(epoch from accept_by - delivered_at)) from tender.delivery "
        "where task_id = '%s'",
        name_of(&chain));
    assert_int_equal(ledger_lookup_task(house->ledger, 1, chain.task, 0, 1), 0);
    house_wait(house, house->priors == 1);
    assert_int_equal(house->prior.state, TENDER_TASK_DELIVERED);
    assert_int_equal(house->prior.commitment_state, TENDER_COMMITMENT_DELIVERED);
    assert_sql("", "select tender.result('%s', 1)", name_of(&chain));
    decide(house, &chain, UNITS, 15 * CREDIT, TENDER_REASON_ACCEPTED_BY_SILENCE);
    assert_committed(house);
    assert_sql("0123456789abcdef", "select convert_from(tender.result('%s', 1), 'UTF8')",
               name_of(&chain));
    assert_sql("silence 40",
               "select status || ' ' || accepted from tender.delivery where "
               "task_id = '%s'",
               name_of(&chain));
    assert_sql("done 15.000000",
               "select status || ' ' || paid from tender.task where "
               "task_id = '%s'",
               name_of(&chain));
}

static void a_delivery_may_begin_and_end_in_one_batch(void **state)
{
    struct house *house = *state;
    struct chain new_task;
    struct chain old_task;
    award(house, &old_task, "old");
    assert_committed(house);
    award(house, &new_task, "new");
    deliver(house, &new_task, 1);
    decide(house, &new_task, UNITS, 15 * CREDIT, TENDER_REASON_COMPLETED);
    deliver(house, &old_task, 1);
    decide(house, &old_task, 10, 15 * CREDIT / 4, TENDER_REASON_REJECTED);
    assert_committed(house);
    assert_sql("accepted", "select status from tender.delivery where task_id = '%s'",
               name_of(&new_task));
    assert_sql("rejected 10 quality-check",
               "select status || ' ' || accepted || ' ' || reason from tender.delivery where "
               "task_id = '%s'",
               name_of(&old_task));
    assert_sql("open 10",
               "select status || ' ' || units_done from tender.task where task_id = '%s'",
               name_of(&old_task));
    assert_sql("t", "select rejected >= 1 from tender.contractor_record where "
                    "contractor = 'kiln-1'");
    assert_sql("t", "select delivered = accepted + rejected + by_silence and rejected >= 1 and "
                    "rejected_share > 0 from tender.client_record where client = 'platform-1'");
}

static void progress(struct house *house, struct chain *chain, int64_t units, const char *content)
{
    struct entry entry = {.kind = ENTRY_PROGRESSED};
    entry.progressed = (struct entry_progressed){.generation = 1,
                                                 .units_done = units,
                                                 .content_size = (int64_t)strlen(content),
                                                 .content_digest = entry_digest(text(content))};
    entry.content = text(content);
    house_append(house, chain, &entry);
}

static void of_a_delivery_accepted_in_part_the_progress_that_was_paid_is_released(void **state)
{
    struct house *house = *state;
    struct chain chain;
    award(house, &chain, "in part");
    progress(house, &chain, 10, "ten");
    progress(house, &chain, 20, "twenty");
    deliver(house, &chain, 1);
    assert_committed(house);
    assert_sql("", "select tender.result('%s', 1)", name_of(&chain));
    decide(house, &chain, 19, 15 * CREDIT * 19 / UNITS, TENDER_REASON_REJECTED);
    assert_committed(house);
    assert_sql("ten", "select convert_from(tender.result('%s', 1), 'UTF8')", name_of(&chain));
}

static void a_delivery_of_no_active_commitment_is_refused(void **state)
{
    struct house *house = *state;
    struct chain chain;
    award(house, &chain, "none active");
    assert_committed(house);
    deliver(house, &chain, 2);
    assert_int_not_equal(house_commit(house), 0);
    assert_non_null(strstr(ledger_last_error(house->ledger), "not active"));
}

static void adopt(struct house *house, struct chain *chain, int64_t late, int64_t units,
                  int64_t paid_micro, bool ends_task)
{
    struct entry entry = {.kind = ENTRY_ADOPTED};
    entry.adopted =
        (struct entry_adopted){.generation = 1,
                               .contractor = text("kiln-1"),
                               .principal = text("north"),
                               .late = late,
                               .units = units,
                               .paid_micro = paid_micro,
                               .task_state = ends_task ? TENDER_TASK_DONE : 0,
                               .task_reason = ends_task ? TENDER_REASON_ADOPTED : 0,
                               .released_micro = ends_task ? 30 * CREDIT - paid_micro : 0};
    house_append(house, chain, &entry);
}

static uint64_t say_late(struct house *house, struct chain *chain, int64_t units)
{
    struct entry entry = {.kind = ENTRY_LATE};
    entry.late = (struct entry_late){.generation = 1,
                                     .contractor = text("kiln-1"),
                                     .units_done = units,
                                     .reason = TENDER_REASON_STALE_GENERATION,
                                     .content_size = 4,
                                     .content_digest = entry_digest(text("late"))};
    entry.content = text("late");
    house_append(house, chain, &entry);
    return chain->number;
}

static void an_adopted_result_is_paid_and_its_content_released(void **state)
{
    struct house *house = *state;
    struct chain chain;
    award(house, &chain, "adopted");
    assert_committed(house);
    house_fail(house, &chain, 1, 0, 0);
    int64_t late = (int64_t)say_late(house, &chain, 30);
    assert_committed(house);
    assert_sql("30 4 ",
               "select units || ' ' || size || ' ' || coalesce(adopted_units::text, '') "
               "from tender.late_result where task_id = '%s'",
               name_of(&chain));
    assert_sql("", "select tender.result('%s', 1)", name_of(&chain));
    adopt(house, &chain, late, 20, 7500000, false);
    assert_committed(house);
    assert_sql("20 7.500000",
               "select adopted_units || ' ' || adopted_paid from tender.late_result "
               "where task_id = '%s'",
               name_of(&chain));
    assert_sql("open 20 7.500000",
               "select status || ' ' || units_done || ' ' || paid from tender.task where "
               "task_id = '%s'",
               name_of(&chain));
    assert_sql("7.500000", "select paid from tender.commitment where task_id = '%s'",
               name_of(&chain));
    assert_sql("late", "select convert_from(tender.result('%s', 1), 'UTF8')", name_of(&chain));
    assert_sql("0.000000 2 1",
               "select sum(amount) || ' ' || count(*) || ' ' || count(distinct commitment_id) from "
               "tender.posting where task_id = '%s' and posting_id like '%%entry%%'",
               name_of(&chain));
}

static void an_adopted_result_may_end_a_task(void **state)
{
    struct house *house = *state;
    struct chain chain;
    award(house, &chain, "adopted whole");
    house_fail(house, &chain, 1, 0, 0);
    int64_t late = (int64_t)say_late(house, &chain, UNITS);
    adopt(house, &chain, late, UNITS, 15 * CREDIT, true);
    assert_committed(house);
    assert_sql("done adopted 40 15.000000 15.000000",
               "select status || ' ' || reason || ' ' || units_done || ' ' || paid || ' ' || "
               "released from tender.task where task_id = '%s'",
               name_of(&chain));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_house, end_house)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_delivery_waits_for_its_client),
        TEST(a_delivery_may_begin_and_end_in_one_batch),
        TEST(of_a_delivery_accepted_in_part_the_progress_that_was_paid_is_released),
        TEST(an_adopted_result_is_paid_and_its_content_released),
        TEST(an_adopted_result_may_end_a_task),
        TEST(a_delivery_of_no_active_commitment_is_refused),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
