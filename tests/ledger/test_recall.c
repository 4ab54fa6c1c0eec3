/*
 * Goal: what a new broker is told, and in which order; and what it finds when it asks about the
 * rest. Method: a small history of tasks that go on and tasks that ended, recalled and looked up.
 */
#include "support.h"

struct recalled {
    int balances;
    int house;
    int entries;
    int heads;
    struct entry last;
    int64_t available_micro;
    bool is_ordered;
    bool is_content_whole;
    tender_id avoid; /* a task that has ended */
    uint64_t house_number;
};

static int on_entry(void *context, const struct entry *entry)
{
    struct recalled *recalled = context;
    if (entry->kind == ENTRY_BALANCE) {
        recalled->is_ordered = recalled->is_ordered && recalled->house + recalled->entries == 0;
        recalled->balances++;
        if (entry->balance.principal.size == 4 &&
            memcmp(entry->balance.principal.data, "acme", 4) == 0) {
            recalled->available_micro = entry->balance.available_micro;
        }
        return 0;
    }
    if (tender_id_is_nil(entry->task)) {
        recalled->is_ordered = recalled->is_ordered && recalled->entries == 0;
        recalled->house++;
        return 0;
    }
    bool is_next = tender_id_equal(entry->task, recalled->last.task)
                       ? entry->number == recalled->last.number + 1
                       : entry->number == 1 && memcmp(&entry->task, &recalled->last.task, 16) > 0;
    recalled->is_ordered = recalled->is_ordered && is_next;
    assert_false(tender_id_equal(entry->task, recalled->avoid));
    if (entry->kind == ENTRY_ANNOUNCED) {
        tender_digest digest = entry_digest(entry->content);
        recalled->is_content_whole =
            recalled->is_content_whole &&
            memcmp(&digest, &entry->announced.content_digest, sizeof digest) == 0;
    }
    recalled->last = *entry;
    recalled->entries++;
    return 0;
}

static void on_head(void *context, uint32_t shard, uint64_t number, const tender_digest *hash)
{
    struct recalled *recalled = context;
    (void)hash;
    assert_int_equal(shard, 0);
    recalled->heads++;
    recalled->house_number = number;
}

static void recall_brings_balances_house_and_open_tasks_in_order(void **state)
{
    struct house *house = *state;
    struct chain open[3];
    struct chain ended;
    house_enrol(house, "kiln-1", "north");
    house_enrol(house, "kiln-1", "north");
    for (int i = 0; i < 3; i++) {
        char key[32];
        snprintf(key, sizeof key, "open-%d", i);
        house_announce(house, &open[i], key, CREDIT, 1);
        house_open_round(house, &open[i], 1, CREDIT, 1);
        house_answer(house, &open[i], 1);
    }
    house_announce(house, &ended, "ended", CREDIT, 1);
    house_end(house, &ended, TENDER_TASK_CANCELLED, CREDIT);
    house_award(house, &open[1], 1, 1, CREDIT, 1);
    assert_committed(house);
    struct house next;
    struct recalled recalled = {.is_ordered = true, .is_content_whole = true, .avoid = ended.task};
    house_open(&next, "next");
    assert_int_equal(ledger_recall(next.ledger, 0, on_entry, on_head, &recalled), 0);
    assert_true(recalled.is_ordered);
    assert_true(recalled.is_content_whole);
    assert_int_equal(recalled.entries, 10);
    assert_int_equal(recalled.house, 1);
    assert_int_equal(recalled.heads, 1);
    assert_true(recalled.house_number == house->chain.number);
    assert_true(recalled.balances >= 1);
    assert_int_equal(recalled.available_micro, 9997 * CREDIT);
    house_close(&next);
}

static void key_finds_its_task_and_the_newest(void **state)
{
    struct house *house = *state;
    struct chain first;
    struct chain second = {.task = next_task()};
    house_announce(house, &first, "key", CREDIT, 1);
    house_end(house, &first, TENDER_TASK_CANCELLED, CREDIT);
    second.task = next_task();
    struct entry entry = {.kind = ENTRY_ANNOUNCED};
    entry.announced = (struct entry_announced){.client = text("platform-1"),
                                               .principal = text("acme"),
                                               .key = text("key"),
                                               .body_digest = entry_digest(text("other")),
                                               .again = first.task,
                                               .skill = text("translate.de"),
                                               .units = 1,
                                               .ceiling_micro = CREDIT,
                                               .partial = TENDER_PARTIAL_PRO_RATA,
                                               .fallback = TENDER_FALLBACK_UNALLOCATED};
    house_append(house, &second, &entry);
    assert_committed(house);
    tender_digest digest = entry_digest(text("key"));
    assert_int_equal(ledger_lookup_key(house->ledger, 11, text("acme"), text("key"), &digest), 0);
    house_wait(house, house->priors == 1);
    assert_true(house->cookie == 11);
    assert_true(tender_id_equal(house->prior.task, first.task));
    assert_true(tender_id_equal(house->prior.newest, second.task));
    assert_int_equal(house->prior.state, TENDER_TASK_CANCELLED);
    assert_true(house->prior.number == first.number);
    assert_memory_equal(&house->prior.hash, &first.hash, sizeof first.hash);
    digest = entry_digest(text("a third body"));
    assert_int_equal(ledger_lookup_key(house->ledger, 12, text("acme"), text("key"), &digest), 0);
    house_wait(house, house->priors == 2);
    assert_true(tender_id_is_nil(house->prior.task));
    assert_true(tender_id_equal(house->prior.newest, second.task));
}

static void every_question_is_answered_also_by_nothing(void **state)
{
    struct house *house = *state;
    struct chain chain;
    house_announce(house, &chain, "asked", 30 * CREDIT, 40);
    house_open_round(house, &chain, 1, 30 * CREDIT, 40);
    house_award(house, &chain, 1, 1, 15 * CREDIT, 40);
    house_fulfil(house, &chain, 1, 40, 15 * CREDIT, 30 * CREDIT);
    assert_committed(house);
    tender_digest digest = entry_digest(text("asked"));
    for (int i = 0; i < 1000; i++) {
        char key[32];
        snprintf(key, sizeof key, "never used %d", i);
        assert_int_equal(
            ledger_lookup_key(house->ledger, (uint64_t)i, text("acme"), text(key), &digest), 0);
    }
    house_wait(house, house->priors == 1000);
    assert_true(tender_id_is_nil(house->prior.newest));
    assert_int_equal(ledger_lookup_task(house->ledger, 1000, chain.task, 0, 1), 0);
    house_wait(house, house->priors == 1001);
    assert_true(house->cookie == 1000);
    assert_int_equal(house->prior.state, TENDER_TASK_DONE);
    assert_int_equal(house->prior.commitment_state, TENDER_COMMITMENT_FULFILLED);
    assert_string_equal(house->prior_contractor, "kiln-1");
    assert_int_equal(house->prior.paid_micro, 15 * CREDIT);
    assert_int_equal(house->prior.commitment_units_done, 40);
    assert_int_equal(house->prior.commitment_paid_micro, 15 * CREDIT);
    assert_int_equal(ledger_lookup_task(house->ledger, 1001, next_task(), 0, 0), 0);
    house_wait(house, house->priors == 1002);
    assert_true(tender_id_is_nil(house->prior.task));
}

static void on_key(void *context, tender_bytes principal, tender_bytes key)
{
    int *found = context;
    assert_true(principal.size > 0);
    *found += key.size == 3 && memcmp(key.data, "key", 3) == 0;
}

/* The tasks under "key" were announced, and one of them ended, by the test before. */
static void keys_of_ended_tasks_come_too_unless_there_are_too_many(void **state)
{
    (void)state;
    struct house next;
    int found = 0;
    house_open(&next, "next");
    assert_int_equal(ledger_recall_keys(next.ledger, 0, 1000, on_key, &found), 1);
    assert_int_equal(found, 2);
    found = 0;
    assert_int_equal(ledger_recall_keys(next.ledger, 0, 1, on_key, &found), 0);
    assert_int_equal(found, 0);
    house_close(&next);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_house, end_house)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(recall_brings_balances_house_and_open_tasks_in_order),
        TEST(key_finds_its_task_and_the_newest),
        TEST(every_question_is_answered_also_by_nothing),
        TEST(keys_of_ended_tasks_come_too_unless_there_are_too_many),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
