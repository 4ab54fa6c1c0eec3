/*
 * Goal: parts of split awards, as the tables and views have them, whichever way their entries fall
 * into batches; no more is promised than a task has. Method: the entries that the core writes,
 * committed at every choice of places.
 */
#include "support.h"

#define UNITS 40

static const char *owner_of(int64_t part)
{
    static const char *const owners[] = {"", "kiln-1", "kiln-2", "kiln-3"};
    return owners[part];
}

static void award_part(struct house *house, struct chain *chain, int64_t round, int64_t part,
                       int64_t units, int64_t price_micro)
{
    struct entry entry = {.kind = ENTRY_AWARDED};
    entry.awarded = (struct entry_awarded){.round = round,
                                           .part = part,
                                           .generation = 1,
                                           .contractor = text(owner_of(part)),
                                           .principal = text("north"),
                                           .cost_micro = price_micro,
                                           .price_micro = price_micro,
                                           .units = units,
                                           .due_at_us = house->now_us + INT64_C(3300000000),
                                           .ack_by_us = house->now_us + 10000000,
                                           .parts_max = 4};
    house_append(house, chain, &entry);
}

static void close_round(struct house *house, struct chain *chain, int64_t round)
{
    struct entry entry = {.kind = ENTRY_CLOSED};
    entry.closed = (struct entry_closed){.round = round, .invited = 3};
    house_append(house, chain, &entry);
}

static void acknowledge(struct house *house, struct chain *chain, int64_t part)
{
    struct entry entry = {.kind = ENTRY_ACKNOWLEDGED};
    entry.acknowledged = (struct entry_acknowledged){.part = part, .generation = 1};
    house_append(house, chain, &entry);
}

static void progress(struct house *house, struct chain *chain, int64_t part, int64_t units)
{
    struct entry entry = {.kind = ENTRY_PROGRESSED};
    entry.progressed =
        (struct entry_progressed){.part = part, .generation = 1, .units_done = units};
    house_append(house, chain, &entry);
}

static void settle_part(struct house *house, struct chain *chain, int64_t part,
                        tender_commitment_state state, int64_t units, int64_t paid_micro)
{
    bool is_kept = state == TENDER_COMMITMENT_FULFILLED;
    struct entry entry = {.kind = ENTRY_SETTLED};
    entry.settled = (struct entry_settled){.part = part,
                                           .generation = 1,
                                           .contractor = text(owner_of(part)),
                                           .principal = text("north"),
                                           .state = state,
                                           .reason = is_kept ? TENDER_REASON_COMPLETED
                                                             : TENDER_REASON_CONTRACTOR_FAILED,
                                           .units_done = units,
                                           .paid_micro = paid_micro,
                                           .excluded = !is_kept,
                                           .acknowledged = 1};
    house_append(house, chain, &entry);
}

static void end_done(struct house *house, struct chain *chain, int64_t released_micro)
{
    struct entry entry = {.kind = ENTRY_ENDED};
    entry.ended = (struct entry_ended){.state = TENDER_TASK_DONE,
                                       .reason = TENDER_REASON_COMPLETED,
                                       .released_micro = released_micro};
    house_append(house, chain, &entry);
}

static void commit_here(struct house *house, unsigned cuts, unsigned step)
{
    if (cuts & 1u << step) {
        assert_committed(house);
    }
}

/* 25 and 10 of 40 units, 5 uncovered; the second part fails with 4, the rest is done by a third. */
static void tell_story(struct house *house, struct chain *chain, const char *key, unsigned cuts)
{
    house_announce(house, chain, key, 30 * CREDIT, UNITS);
    commit_here(house, cuts, 0);
    house_open_round(house, chain, 1, 30 * CREDIT, UNITS);
    house_answer(house, chain, 1);
    award_part(house, chain, 1, 1, 25, 12 * CREDIT);
    award_part(house, chain, 1, 2, 10, 6 * CREDIT);
    close_round(house, chain, 1);
    commit_here(house, cuts, 1);
    acknowledge(house, chain, 1);
    progress(house, chain, 2, 4);
    commit_here(house, cuts, 2);
    settle_part(house, chain, 1, TENDER_COMMITMENT_FULFILLED, 25, 12 * CREDIT);
    commit_here(house, cuts, 3);
    settle_part(house, chain, 2, TENDER_COMMITMENT_FAILED, 4, 2 * CREDIT);
    commit_here(house, cuts, 4);
    house_open_round(house, chain, 2, 8 * CREDIT, 11);
    commit_here(house, cuts, 5);
    award_part(house, chain, 2, 3, 11, 7 * CREDIT);
    close_round(house, chain, 2);
    commit_here(house, cuts, 6);
    settle_part(house, chain, 3, TENDER_COMMITMENT_FULFILLED, 11, 7 * CREDIT);
    end_done(house, chain, 9 * CREDIT);
}

static void parts_end_alike_however_batches_fall(void **state)
{
    struct house *house = *state;
    for (unsigned cuts = 0; cuts < 128; cuts++) {
        struct chain chain;
        char key[32];
        snprintf(key, sizeof key, "parts-%u", cuts);
        tell_story(house, &chain, key, cuts);
        assert_committed(house);
        assert_sql("done completed 40 2 21.000000 9.000000 | "
                   "1.1 fulfilled 25 12.000000 t, 2.1 failed 4 2.000000 t, "
                   "3.1 fulfilled 11 7.000000 t",
                   "select concat_ws(' ', t.status, t.reason, t.units_done, t.round, t.paid, "
                   "t.released) || ' | ' || string_agg(concat_ws(' ', "
                   "split_part(c.commitment_id, '/', 2), c.status, c.units_done, c.paid, "
                   "(c.acknowledged_at is not null)::text::char), ', ' order by c.commitment_id) "
                   "from tender.task t join tender.commitment c using (task_id) "
                   "where t.task_id = '%s' "
                   "group by t.status, t.reason, t.units_done, t.round, t.paid, t.released",
                   name_of(&chain));
    }
    assert_sql("0", "select count(*) from tender_ledger.split_part");
    assert_sql("t", "select coalesce(bool_and(s = 0), true) from (select posting_id, sum(amount) s "
                    "from tender.posting group by 1) p");
    assert_sql("t", "select a.spent = a.issued - a.available - a.reserved from (select "
                    "sum(spent_micro) as spent, sum(available_micro) as available, "
                    "sum(reserved_micro) as reserved, sum(issued_micro) as issued "
                    "from tender_ledger.account) a");
}

static void parts_under_way_are_seen(void **state)
{
    struct house *house = *state;
    struct chain chain;
    house_announce(house, &chain, "under-way", 30 * CREDIT, UNITS);
    house_open_round(house, &chain, 1, 30 * CREDIT, UNITS);
    award_part(house, &chain, 1, 1, 25, 12 * CREDIT);
    award_part(house, &chain, 1, 2, 10, 6 * CREDIT);
    close_round(house, &chain, 1);
    assert_committed(house);
    progress(house, &chain, 2, 4);
    assert_committed(house);
    assert_sql("awarded 0",
               "select status || ' ' || units_done from tender.task where task_id = '%s'",
               name_of(&chain));
    assert_sql("1.1 kiln-1 active 0, 2.1 kiln-2 active 4",
               "select string_agg(concat_ws(' ', split_part(commitment_id, '/', 2), owner, status, "
               "units_done), ', ' order by commitment_id) from tender.commitment "
               "where task_id = '%s'",
               name_of(&chain));
    assert_sql("2.1",
               "select split_part(commitment_id, '/', 2) from tender.overdue "
               "where task_id = '%s' and units = 10",
               name_of(&chain));
    assert_int_equal(ledger_lookup_task(house->ledger, 2, chain.task, 2, 1), 0);
    int priors = house->priors;
    house_wait(house, house->priors == priors + 1);
    assert_int_equal(house->prior.commitment_state, TENDER_COMMITMENT_ACTIVE);
    assert_string_equal(house->prior_contractor, "kiln-2");
    settle_part(house, &chain, 1, TENDER_COMMITMENT_FULFILLED, 25, 12 * CREDIT);
    settle_part(house, &chain, 2, TENDER_COMMITMENT_FAILED, 4, 2 * CREDIT);
    house_end(house, &chain, TENDER_TASK_UNALLOCATED, 16 * CREDIT);
    assert_committed(house);
    assert_sql("unallocated 29",
               "select status || ' ' || units_done from tender.task "
               "where task_id = '%s'",
               name_of(&chain));
}

/* A batch that promises too much is refused whole, and the reign is over: a broker would not. */
static void refused(struct house *house, int64_t units, int64_t price_micro)
{
    struct chain chain;
    char key[64];
    snprintf(key, sizeof key, "too-much-%lld-%lld", (long long)units, (long long)price_micro);
    house_announce(house, &chain, key, 30 * CREDIT, UNITS);
    house_open_round(house, &chain, 1, 30 * CREDIT, UNITS);
    award_part(house, &chain, 1, 1, 25, 12 * CREDIT);
    assert_committed(house);
    award_part(house, &chain, 1, 2, units, price_micro);
    assert_int_not_equal(house_commit(house), 0);
    assert_sql("0", "select count(*) from tender.commitment where task_id = '%s' and units <> 25",
               name_of(&chain));
    house_close(house);
    house_open(house, "split");
}

static void more_than_a_task_has_is_not_promised(void **state)
{
    struct house *house = *state;
    refused(house, 16, 2 * CREDIT);
    refused(house, 15, 18 * CREDIT + 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_house, end_house)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(parts_end_alike_however_batches_fall),
        TEST(parts_under_way_are_seen),
        TEST(more_than_a_task_has_is_not_promised),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
