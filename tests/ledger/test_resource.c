/*
 * Goal: the database itself refuses a counted resource promised twice, and every ending frees it.
 * Method: entries as a core would write them, and as a broken one would; the tables after each.
 */
#include "support.h"

static int named;

static void count_resource(struct house *house, const char *resource, const char *contractor,
                           int64_t count)
{
    struct entry entry = {.kind = ENTRY_COUNTED};
    entry.counted = (struct entry_counted){.resource = text(resource),
                                           .contractor = text(contractor),
                                           .count = count,
                                           .by = text("operator")};
    house_append(house, &house->chain, &entry);
}

/* A task that needs translate.de and `needs`, with its first round open. */
static void announce(struct house *house, struct chain *chain, const char *const *needs,
                     size_t count)
{
    static char key[32];
    tender_bytes names[TENDER_NEEDS_MAX];
    for (size_t i = 0; i < count; i++) {
        names[i] = text(needs[i]);
    }
    snprintf(key, sizeof key, "bundle %d", ++named);
    *chain = (struct chain){.task = next_task()};
    struct entry entry = {.kind = ENTRY_ANNOUNCED};
    entry.announced = (struct entry_announced){
        .client = text("platform-1"),
        .principal = text("acme"),
        .key = text(key),
        .body_digest = entry_digest(text(key)),
        .skill = text("translate.de"),
        .units = 4,
        .ceiling_micro = CREDIT,
        .window_us = 20000000,
        .due_us = INT64_C(3600000000),
        .deadline_at_us = house->now_us + INT64_C(12000000000),
        .rounds = 3,
        .partial = TENDER_PARTIAL_PRO_RATA,
        .needs = {count, names},
    };
    house_append(house, chain, &entry);
    house_open_round(house, chain, 1, CREDIT, 4);
}

static void award(struct house *house, struct chain *chain, int64_t generation, const char *owner)
{
    struct entry entry = {.kind = ENTRY_AWARDED};
    entry.awarded = (struct entry_awarded){.round = 1,
                                           .generation = generation,
                                           .contractor = text(owner),
                                           .principal = text("north"),
                                           .cost_micro = 1,
                                           .price_micro = 4,
                                           .units = 4,
                                           .due_at_us = house->now_us + 1000000,
                                           .ack_by_us = house->now_us + 1000000,
                                           .held = 1};
    house_append(house, chain, &entry);
}

static void settle(struct house *house, struct chain *chain, int64_t generation,
                   tender_commitment_state state)
{
    bool is_done = state == TENDER_COMMITMENT_FULFILLED;
    struct entry entry = {.kind = ENTRY_SETTLED};
    entry.settled = (struct entry_settled){.generation = generation,
                                           .contractor = text("kiln-1"),
                                           .principal = text("north"),
                                           .state = state,
                                           .reason = TENDER_REASON_COMPLETED,
                                           .units_done = is_done ? 4 : 0,
                                           .paid_micro = is_done ? 4 : 0,
                                           .freed = 1};
    if (is_done) {
        entry.settled.task_state = TENDER_TASK_DONE;
        entry.settled.task_reason = TENDER_REASON_COMPLETED;
        entry.settled.released_micro = CREDIT - 4;
    }
    house_append(house, chain, &entry);
}

static void expect_refusal(struct house *house, const char *why)
{
    assert_int_equal(house_commit(house), TENDER_EDATABASE);
    if (strstr(ledger_last_error(house->ledger), why) == NULL) {
        fail_msg("%s", ledger_last_error(house->ledger));
    }
}

/* held of count, for all and for each contractor. */
static const char *held(const char *resource)
{
    return sql("select string_agg(format('%%s%%s of %%s', contractor || ' ', held, count), ', '"
               " order by contractor nulls first) from tender.resource where resource = '%s'",
               resource);
}

static void expect_holder(const char *resource, const struct chain *chain)
{
    char name[TENDER_ID_TEXT_SIZE + 4];
    snprintf(name, sizeof name, "%s/1", name_of(chain));
    assert_sql(name,
               "select array_to_string(holders, ' ') from tender.resource where resource = '%s'",
               resource);
}

static void a_commitment_holds_from_award_to_end(void **state)
{
    static const char *const needs[] = {"lock.a", "gpu"};
    struct house *house = *state;
    struct chain chain;
    count_resource(house, "lock.a", "", 1);
    announce(house, &chain, needs, 2);
    assert_committed(house);
    assert_sql("{lock.a,gpu}", "select needs from tender_ledger.task_need where task_id = '%s'",
               name_of(&chain));
    assert_string_equal(held("lock.a"), "0 of 1");
    award(house, &chain, 1, "kiln-1");
    assert_committed(house);
    assert_string_equal(held("lock.a"), "1 of 1");
    expect_holder("lock.a", &chain);
    settle(house, &chain, 1, TENDER_COMMITMENT_FAILED);
    assert_committed(house);
    assert_string_equal(held("lock.a"), "0 of 1");
    award(house, &chain, 2, "kiln-1");
    settle(house, &chain, 2, TENDER_COMMITMENT_DECLINED); /* within one batch: never a row */
    award(house, &chain, 3, "kiln-1");
    assert_committed(house);
    assert_string_equal(held("lock.a"), "1 of 1");
    settle(house, &chain, 3, TENDER_COMMITMENT_FULFILLED);
    assert_committed(house);
    assert_string_equal(held("lock.a"), "0 of 1");
    assert_sql("0", "select count(*) from tender_ledger.resource_hold");
}

static void what_one_frees_another_holds_in_the_same_batch(void **state)
{
    static const char *const needs[] = {"lock.b"};
    struct house *house = *state;
    struct chain first;
    struct chain second;
    count_resource(house, "lock.b", "", 1);
    announce(house, &first, needs, 1);
    award(house, &first, 1, "kiln-1");
    announce(house, &second, needs, 1);
    assert_committed(house);
    settle(house, &first, 1, TENDER_COMMITMENT_FULFILLED);
    award(house, &second, 1, "kiln-2");
    assert_committed(house);
    expect_holder("lock.b", &second);
}

static void a_second_promise_is_refused(void **state)
{
    static const char *const needs[] = {"lock.c"};
    struct house *house = *state;
    struct chain first;
    struct chain second;
    count_resource(house, "lock.c", "", 1);
    announce(house, &first, needs, 1);
    award(house, &first, 1, "kiln-1");
    announce(house, &second, needs, 1);
    assert_committed(house);
    award(house, &second, 1, "kiln-2");
    expect_refusal(house, "resource_is_never_promised_twice");
    assert_sql("0", "select count(*) from tender.commitment where task_id = '%s'",
               name_of(&second));
}

static void what_a_contractor_has_is_counted_for_it_alone(void **state)
{
    static const char *const needs[] = {"gpu.a"};
    struct house *house = *state;
    struct chain chains[3];
    count_resource(house, "gpu.a", "kiln-1", 1);
    count_resource(house, "gpu.a", "", 2);
    count_resource(house, "gpu.a", "kiln-2", 1);
    for (int i = 0; i < 3; i++) {
        announce(house, &chains[i], needs, 1);
    }
    award(house, &chains[0], 1, "kiln-1");
    award(house, &chains[1], 1, "kiln-2");
    assert_committed(house);
    assert_string_equal(held("gpu.a"), "2 of 2, kiln-1 1 of 1, kiln-2 1 of 1");
    settle(house, &chains[0], 1, TENDER_COMMITMENT_FULFILLED);
    assert_committed(house);
    assert_string_equal(held("gpu.a"), "1 of 2, kiln-1 0 of 1, kiln-2 1 of 1");
    award(house, &chains[2], 1, "kiln-2");
    expect_refusal(house, "resource_is_never_promised_twice");
}

static void a_count_may_change_down_to_what_is_held(void **state)
{
    static const char *const needs[] = {"lock.d"};
    struct house *house = *state;
    struct chain chain;
    count_resource(house, "lock.d", "", 3);
    announce(house, &chain, needs, 1);
    award(house, &chain, 1, "kiln-1");
    assert_committed(house);
    count_resource(house, "lock.d", "", 2);
    count_resource(house, "lock.d", "", 1);
    assert_committed(house);
    assert_string_equal(held("lock.d"), "1 of 1");
    settle(house, &chain, 1, TENDER_COMMITMENT_FULFILLED);
    count_resource(house, "lock.d", "", 0);
    assert_committed(house);
    assert_sql("0", "select count(*) from tender.resource where resource = 'lock.d'");
}

static void what_is_held_stays_counted(void **state)
{
    static const char *const needs[] = {"lock.e"};
    struct house *house = *state;
    struct chain chain;
    count_resource(house, "lock.e", "", 1);
    announce(house, &chain, needs, 1);
    award(house, &chain, 1, "kiln-1");
    assert_committed(house);
    count_resource(house, "lock.e", "", 0);
    expect_refusal(house, "resource_hold_is_of_a_resource");
}

static void a_hold_of_nothing_is_refused(void **state)
{
    struct house *house = *state;
    struct chain chain;
    announce(house, &chain, NULL, 0);
    assert_committed(house);
    award(house, &chain, 1, "kiln-1"); /* says that it holds; nothing that it needs is counted */
    expect_refusal(house, "TN004");
}

static void a_free_of_nothing_is_refused(void **state)
{
    static const char *const needs[] = {"lock.f"};
    struct house *house = *state;
    struct chain chain;
    count_resource(house, "lock.f", "", 1);
    announce(house, &chain, needs, 1);
    award(house, &chain, 1, "kiln-1");
    assert_committed(house);
    sql("delete from tender_ledger.resource_hold where resource = 'lock.f'");
    settle(house, &chain, 1, TENDER_COMMITMENT_FULFILLED);
    expect_refusal(house, "TN004");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_house, end_house)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_commitment_holds_from_award_to_end),
        TEST(what_one_frees_another_holds_in_the_same_batch),
        TEST(a_second_promise_is_refused),
        TEST(what_a_contractor_has_is_counted_for_it_alone),
        TEST(a_count_may_change_down_to_what_is_held),
        TEST(what_is_held_stays_counted),
        TEST(a_hold_of_nothing_is_refused),
        TEST(a_free_of_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
