/*
 * Goal: what a task waits for and serves is written with it, only recorded tasks can be waited for,
 * and a new broker is told how those ended. Method: announcements with goals and prerequisites,
 * ended and not; tables, views and what recall hands out.
 */
#include "support.h"

static void begin(struct chain *chain)
{
    *chain = (struct chain){.task = next_task()};
}

/* Announces a task that waits for the one of `after`, where there is one. */
static void announce(struct house *house, struct chain *chain, const char *goal,
                     const struct chain *after, bool is_blocked)
{
    static int keys;
    char key[32];
    char id[TENDER_ID_TEXT_SIZE];
    struct entry entry = {.kind = ENTRY_ANNOUNCED};
    tender_bytes names[1];
    snprintf(key, sizeof key, "goal-%d", ++keys);
    begin(chain);
    entry.announced = (struct entry_announced){.client = text("acme/a"),
                                               .principal = text("acme"),
                                               .key = text(key),
                                               .skill = text("forge"),
                                               .units = 1,
                                               .ceiling_micro = CREDIT,
                                               .window_us = 1,
                                               .due_us = 1,
                                               .rounds = 1,
                                               .partial = TENDER_PARTIAL_PRO_RATA,
                                               .fallback = TENDER_FALLBACK_UNALLOCATED,
                                               .goal = text(goal),
                                               .blocked = is_blocked};
    if (after != NULL) {
        tender_id_format(after->task, id);
        names[0] = text(id);
        entry.announced.after = (struct entry_texts){1, names};
    }
    house_append(house, chain, &entry);
}

static void goaled(struct house *house, const char *goal, tender_reason belief, int64_t until_us)
{
    struct entry entry = {.kind = ENTRY_GOALED};
    entry.goaled = (struct entry_goaled){.principal = text("acme"),
                                         .goal = text(goal),
                                         .belief = belief,
                                         .text = text("why"),
                                         .by = text("kiln-1"),
                                         .until_us = until_us};
    house_append(house, &house->chain, &entry);
}

static void a_blocked_task_waits_for_what_it_names(void **state)
{
    struct house *house = *state;
    struct chain first;
    struct chain second;
    announce(house, &first, "atlas", NULL, false);
    announce(house, &second, "atlas", &first, true);
    assert_committed(house);
    assert_sql("blocked", "select status from tender.task where task_id = '%s'", name_of(&second));
    assert_sql("pending", "select status from tender.dependency where task_id = '%s'",
               name_of(&second));
    assert_sql(name_of(&first), "select after[1] from tender.goal where task_id = '%s'",
               name_of(&second));
    assert_sql("2", "select count(*) from tender.goal where goal = 'atlas' and principal = 'acme'");
    struct entry unblocked = {.kind = ENTRY_UNBLOCKED};
    house_end(house, &first, TENDER_TASK_CANCELLED, CREDIT);
    house_append(house, &second, &unblocked);
    assert_committed(house);
    assert_sql("failed", "select status from tender.dependency where task_id = '%s'",
               name_of(&second));
    assert_sql("open", "select status from tender.goal where task_id = '%s'", name_of(&second));
}

static void what_was_not_recorded_cannot_be_waited_for(void **state)
{
    struct house *house = *state;
    struct chain nowhere;
    struct chain second;
    begin(&nowhere);
    announce(house, &second, "", &nowhere, true);
    assert_int_equal(house_commit(house), TENDER_EDATABASE);
    assert_non_null(strstr(ledger_last_error(house->ledger), "task_waits_for_recorded_tasks_only"));
}

struct stood {
    int count;
    struct entry_stood last;
};

static int note_stood(void *context, const struct entry *entry)
{
    struct stood *stood = context;
    if (entry->kind == ENTRY_STOOD) {
        stood->count++;
        stood->last = entry->stood;
    }
    return 0;
}

static void a_new_broker_is_told_how_it_ended_what_a_blocked_task_waits_for(void **state)
{
    struct house *house = *state;
    struct chain first;
    struct chain second;
    struct chain third;
    announce(house, &first, "", NULL, false);
    announce(house, &second, "", &first, true);
    announce(house, &third, "", &second, true);
    assert_committed(house);
    house_end(house, &first, TENDER_TASK_CANCELLED, CREDIT);
    assert_committed(house);
    struct house next;
    struct stood stood = {0};
    house_open(&next, "next");
    assert_int_equal(ledger_recall(next.ledger, 0, note_stood, house_ignore_head, &stood), 0);
    assert_int_equal(stood.count, 1);
    assert_true(tender_id_equal(stood.last.task, second.task));
    assert_true(tender_id_equal(stood.last.after, first.task));
    assert_int_equal(stood.last.state, TENDER_TASK_CANCELLED);
    house_end(&next, &second, TENDER_TASK_CANCELLED, CREDIT);
    house_end(&next, &third, TENDER_TASK_CANCELLED, CREDIT);
    assert_committed(&next);
    house_close(&next);
}

static void what_is_believed_of_a_goal_is_shown_while_a_task_of_it_goes_on(void **state)
{
    struct house *house = *state;
    struct chain first;
    announce(house, &first, "beacon", NULL, false);
    goaled(house, "beacon", TENDER_REASON_IMPOSSIBLE, house->now_us + 600000000);
    assert_committed(house);
    assert_sql("impossible", "select belief from tender.goal where task_id = '%s'",
               name_of(&first));
    assert_sql("kiln-1", "select \"by\" from tender.belief where goal = 'beacon'");
    goaled(house, "beacon", TENDER_REASON_IRRELEVANT, 0);
    assert_committed(house);
    assert_sql("irrelevant", "select belief from tender.belief where goal = 'beacon'");
    assert_sql("", "select suspended_until from tender.goal where task_id = '%s'", name_of(&first));
    house_end(house, &first, TENDER_TASK_CANCELLED, CREDIT);
    assert_committed(house);
    assert_sql("", "select belief from tender.goal where task_id = '%s'", name_of(&first));
    assert_sql("1", "select count(*) from tender_ledger.house_fact where kind = 28");
    struct house next;
    house_open(&next, "next");
    assert_sql("0", "select count(*) from tender_ledger.house_fact where kind = 28");
    house_close(&next);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_house, end_house)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_blocked_task_waits_for_what_it_names),
        TEST(what_was_not_recorded_cannot_be_waited_for),
        TEST(a_new_broker_is_told_how_it_ended_what_a_blocked_task_waits_for),
        TEST(what_is_believed_of_a_goal_is_shown_while_a_task_of_it_goes_on),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
