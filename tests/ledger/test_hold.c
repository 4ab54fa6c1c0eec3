/*
 * Goal: holds can be read with their reason, author and end; a new broker learns which failures
 * still count towards a quarantine; what work cost stands beside its bid. Method: entries as a core
 * writes them, the views after each, and what recall hands out.
 */
#include "support.h"

#include <time.h>

static int named;

/* Failures count for a day by the database's clock, which the stamps here follow. */
static void begin_today(struct house *house)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    house->now_us = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void bar(struct house *house, const char *contractor, const char *skill,
                tender_reason reason, int64_t until_us)
{
    struct entry entry = {.kind = ENTRY_BARRED};
    entry.barred = (struct entry_barred){.contractor = text(contractor),
                                         .skill = text(skill),
                                         .reason = reason,
                                         .text = text("why"),
                                         .by = text("op"),
                                         .until_us = until_us};
    house_append(house, &house->chain, &entry);
}

static void a_hold_is_read_with_reason_author_and_end(void **state)
{
    struct house *house = *state;
    begin_today(house);
    bar(house, "kiln-1", "", TENDER_REASON_QUALITY_CHECK, TENDER_INSTANT_MAX);
    assert_committed(house);
    assert_sql("kiln-1|quality-check|why|op|2100|false",
               "select concat_ws('|', contractor, principal, skill, reason, text, author, "
               "extract(year from until at time zone 'utc'), is_over::text) from tender.hold");
    bar(house, "kiln-1", "", TENDER_REASON_QUALITY_CHECK, 0);
    bar(house, "kiln-2", "", TENDER_REASON_OTHER, house->now_us + 1);
    assert_committed(house);
    assert_sql("kiln-2 true", "select contractor || ' ' || is_over from tender.hold");
}

static void held_tasks_are_read_with_theirs(void **state)
{
    struct house *house = *state;
    struct chain held;
    struct chain later;
    house_announce(house, &held, "held", CREDIT, 1);
    house_announce(house, &later, "later", CREDIT, 1);
    house_open_round(house, &later, 1, CREDIT, 1);
    house_award(house, &later, 1, 1, CREDIT, 1);
    struct entry entry = {.kind = ENTRY_HELD};
    entry.held = (struct entry_held){.reason = TENDER_REASON_HELD_BY_FALLBACK};
    house_append(house, &held, &entry);
    entry.held = (struct entry_held){.reason = TENDER_REASON_RESOURCE_LOST,
                                     .by = text("op"),
                                     .later = 1,
                                     .until_us = INT64_C(4000000000000000)};
    house_append(house, &later, &entry);
    assert_committed(house);
    assert_sql("held-by-fallback tenderd",
               "select reason || ' ' || author from tender.hold where "
               "task_id = '%s'",
               name_of(&held));
    assert_sql("resource-lost op",
               "select reason || ' ' || author from tender.hold where "
               "task_id = '%s'",
               name_of(&later));
    assert_sql("awarded", "select status from tender.task where task_id = '%s'", name_of(&later));
    house_fail(house, &later, 1, 0, 0);
    entry.held = (struct entry_held){.reason = TENDER_REASON_RESOURCE_LOST};
    house_append(house, &later, &entry);
    assert_committed(house);
    assert_sql("resource-lost op held",
               "select h.reason || ' ' || author || ' ' || status from tender.hold h "
               "join tender.task using (task_id) where task_id = '%s'",
               name_of(&later));
    entry.kind = ENTRY_RELEASED;
    entry.released = (struct entry_released){.by = text("op"), .rounds = 3};
    house_append(house, &later, &entry);
    assert_committed(house);
    assert_sql("0", "select count(*) from tender.hold where task_id = '%s'", name_of(&later));
}

static void settle(struct house *house, struct chain *chain, int64_t generation, const char *owner,
                   const char *principal, bool is_kept)
{
    struct entry entry = {.kind = ENTRY_AWARDED};
    entry.awarded = (struct entry_awarded){.round = 1,
                                           .generation = generation,
                                           .contractor = text(owner),
                                           .principal = text(principal),
                                           .cost_micro = 1,
                                           .price_micro = 2,
                                           .units = 1,
                                           .due_at_us = house->now_us + 1000000,
                                           .ack_by_us = house->now_us + 1000000};
    house_append(house, chain, &entry);
    entry = (struct entry){.kind = ENTRY_SETTLED};
    entry.settled = (struct entry_settled){
        .generation = generation,
        .contractor = text(owner),
        .principal = text(principal),
        .state = is_kept ? TENDER_COMMITMENT_FULFILLED : TENDER_COMMITMENT_FAILED,
        .reason = is_kept ? TENDER_REASON_COMPLETED : TENDER_REASON_CONTRACTOR_FAILED,
        .units_done = is_kept ? 1 : 0,
        .paid_micro = is_kept ? 2 : 0,
        .excluded = !is_kept};
    if (is_kept) {
        entry.settled.task_state = TENDER_TASK_DONE;
        entry.settled.task_reason = TENDER_REASON_COMPLETED;
        entry.settled.released_micro = CREDIT - 2;
    }
    house_append(house, chain, &entry);
}

/* A task that the owners of `failed` gave up in turn and kiln-9 did, or nobody. */
static void work(struct house *house, const char *failed, bool is_done)
{
    struct chain chain;
    char key[32];
    int64_t generation = 0;
    snprintf(key, sizeof key, "work %d", ++named);
    house_announce(house, &chain, key, CREDIT, 1);
    house_open_round(house, &chain, 1, CREDIT, 1);
    for (const char *at = failed; *at != '\0'; at++) {
        char owner[] = {'k', 'i', 'l', 'n', '-', *at, '\0'};
        char principal[] = {'p', *at, '\0'};
        settle(house, &chain, ++generation, owner, principal, false);
    }
    if (is_done) {
        settle(house, &chain, ++generation, "kiln-9", "p9", true);
    } else {
        house_end(house, &chain, TENDER_TASK_UNALLOCATED, CREDIT);
    }
    assert_committed(house);
}

/* A task that one agent of a principal gave up and another agent of it did. */
static void work_among_sisters(struct house *house)
{
    struct chain chain;
    house_announce(house, &chain, "sisters", CREDIT, 1);
    house_open_round(house, &chain, 1, CREDIT, 1);
    settle(house, &chain, 1, "kiln-7", "p7", false);
    settle(house, &chain, 2, "kiln-8", "p7", true);
    assert_committed(house);
}

struct strikes {
    char text[512];
    int64_t ended;
    int64_t fulfilled;
};

static int on_entry(void *context, const struct entry *entry)
{
    struct strikes *strikes = context;
    size_t size = strlen(strikes->text);
    if (entry->kind == ENTRY_STRUCK) {
        snprintf(strikes->text + size, sizeof strikes->text - size, "%.*s/%.*s/%.*s/%d ",
                 (int)entry->struck.contractor.size, (const char *)entry->struck.contractor.data,
                 (int)entry->struck.skill.size, (const char *)entry->struck.skill.data,
                 (int)entry->struck.client.size, (const char *)entry->struck.client.data,
                 (int)entry->struck.kept);
    }
    if (entry->kind == ENTRY_RECORDED && entry->recorded.principal.size == 2 &&
        memcmp(entry->recorded.principal.data, "p9", 2) == 0) {
        strikes->ended = entry->recorded.ended;
        strikes->fulfilled = entry->recorded.fulfilled;
    }
    return 0;
}

static struct strikes recall_strikes(void)
{
    struct house next;
    struct strikes strikes = {0};
    house_open(&next, "next");
    assert_int_equal(ledger_recall(next.ledger, 0, on_entry, house_ignore_head, &strikes), 0);
    house_close(&next);
    return strikes;
}

static void a_new_broker_learns_which_failures_count(void **state)
{
    struct house *house = *state;
    begin_today(house);
    work(house, "1", true);
    work(house, "23", true); /* two principals failed it */
    work(house, "4", false); /* nobody completed it */
    work(house, "9", false); /* of who kept others */
    work(house, "", true);
    work_among_sisters(house);
    struct strikes strikes = recall_strikes();
    assert_string_equal(strikes.text, "kiln-1/translate.de/acme/0 ");
    assert_int_equal(strikes.ended, 4);
    assert_int_equal(strikes.fulfilled, 3);
}

static void what_a_quarantine_has_judged_is_not_counted_again(void **state)
{
    struct house *house = *state;
    begin_today(house);
    work(house, "5", true);
    bar(house, "kiln-5", "translate.de", TENDER_REASON_QUARANTINED, house->now_us + 1000000);
    bar(house, "kiln-5", "translate.de", TENDER_REASON_QUARANTINED, 0);
    assert_committed(house);
    assert_string_equal(recall_strikes().text, "kiln-1/translate.de/acme/0 ");
    house_close(house);
    house_open(house, "test");
    begin_today(house);
    work(house, "5", true);
    assert_string_equal(recall_strikes().text,
                        "kiln-1/translate.de/acme/0 kiln-5/translate.de/acme/0 ");
}

static void measure(struct house *house, int64_t bid_micro, int64_t estimate_micro,
                    int64_t measured_micro, const char *evidence)
{
    struct chain chain;
    char key[32];
    snprintf(key, sizeof key, "measure %d", ++named);
    house_announce(house, &chain, key, 10 * CREDIT, 1);
    house_open_round(house, &chain, 1, 10 * CREDIT, 1);
    house_award(house, &chain, 1, 1, 10 * CREDIT, 1);
    struct entry entry = {.kind = ENTRY_SETTLED};
    entry.settled = (struct entry_settled){.generation = 1,
                                           .contractor = text("meter-1"),
                                           .principal = text("north"),
                                           .state = TENDER_COMMITMENT_FULFILLED,
                                           .reason = TENDER_REASON_COMPLETED,
                                           .units_done = 1,
                                           .paid_micro = 10 * CREDIT,
                                           .task_state = TENDER_TASK_DONE,
                                           .task_reason = TENDER_REASON_COMPLETED,
                                           .evidence = text(evidence),
                                           .bid_micro = bid_micro,
                                           .estimate_micro = estimate_micro,
                                           .measured_micro = measured_micro,
                                           .tier = text("small")};
    house_append(house, &chain, &entry);
}

static void bids_are_compared_with_what_work_cost(void **state)
{
    struct house *house = *state;
    measure(house, 3 * CREDIT, 2 * CREDIT, 2 * CREDIT, "tokens_in=100\ntokens_out=20\n");
    measure(house, 2010000, 0, 2 * CREDIT, "tokens_in=50\ntokens_out=-1\nwords=tokens_in=9\n");
    assert_committed(house);
    assert_sql(
        "small|2|1.252500|1.000000|0.252500|0.500000|5.010000|4.000000|150|20",
        "select concat_ws('|', tier, reports, ratio, estimate_ratio, bias, exact_share, bid, "
        "measured, tokens_in, tokens_out) from tender.bid_fidelity "
        "where contractor = 'meter-1'");
    assert_string_equal(sql_state("update tender_ledger.measured set bid_micro = 0"), "TN005");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_house, end_house)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_hold_is_read_with_reason_author_and_end),
        TEST(held_tasks_are_read_with_theirs),
        TEST(a_new_broker_learns_which_failures_count),
        TEST(what_a_quarantine_has_judged_is_not_counted_again),
        TEST(bids_are_compared_with_what_work_cost),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
