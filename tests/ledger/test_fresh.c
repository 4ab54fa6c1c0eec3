/*
 * Goal: a task that was just announced has no row of `open_part` until it needs one, and nobody
 * sees a difference. Method: what may happen to such a task next, each time with the rows that are
 * there.
 */
#include "support.h"

#define SECOND_US INT64_C(1000000)

/* Announces one whose identifier is of `time_us`, with its round. */
static void announce_at(struct house *house, struct chain *chain, int64_t time_us, const char *key)
{
    *chain = (struct chain){.task = next_task()};
    for (int i = 0; i < 6; i++) {
        chain->task.bytes[i] = (uint8_t)(time_us / 1000 >> (40 - 8 * i));
    }
    struct entry entry = {.kind = ENTRY_ANNOUNCED};
    entry.announced = (struct entry_announced){.client = text("platform-1"),
                                               .principal = text("acme"),
                                               .key = text(key),
                                               .body_digest = entry_digest(text(key)),
                                               .skill = text("translate.de"),
                                               .units = 2,
                                               .ceiling_micro = CREDIT,
                                               .partial = TENDER_PARTIAL_PRO_RATA,
                                               .fallback = TENDER_FALLBACK_UNALLOCATED};
    house_append(house, chain, &entry);
    house_open_round(house, chain, 1, CREDIT, 2);
}

static void announce(struct house *house, struct chain *chain, const char *key)
{
    announce_at(house, chain, house->now_us, key);
}

/* The open part of a task: its round, the generation that is active, who pays, up to how much. */
#define assert_part(expected, chain)                                                               \
    assert_sql(                                                                                    \
        expected,                                                                                  \
        "select concat_ws(' ', round, coalesce(generation, 0), payer, ceiling_micro, units) "      \
        "from tender_ledger.open_part where task_id = '%s'",                                       \
        name_of(chain))
#define assert_task(expected, chain)                                                               \
    assert_sql(expected,                                                                           \
               "select concat_ws(' ', status, reason, round, units_done, paid) from tender.task "  \
               "where task_id = '%s'",                                                             \
               name_of(chain))

static void one_that_was_just_announced_is_open_without_a_row(void **state)
{
    struct house *house = *state;
    struct chain chain;
    announce(house, &chain, "plain");
    assert_committed(house);
    assert_part("", &chain);
    assert_task("open none 1 0 0.000000", &chain);
    tender_digest digest = entry_digest(text("plain"));
    assert_int_equal(ledger_lookup_key(house->ledger, 1, text("acme"), text("plain"), &digest), 0);
    house_wait(house, house->priors == 1);
    assert_true(tender_id_equal(house->prior.task, chain.task));
    assert_int_equal(house->prior.state, TENDER_TASK_OPEN);
    assert_int_equal(house->prior.round, 1);
    assert_sql("1", "select count(*) from tender_ledger.due_partitions('2100-01-01 00:00+00') "
                    "where suffix = 'before' and waits_because = 'it has not ended'");
}

static void its_award_is_its_row(void **state)
{
    struct house *house = *state;
    struct chain chain;
    announce(house, &chain, "awarded");
    assert_committed(house);
    house_answer(house, &chain, 1);
    house_award(house, &chain, 1, 1, CREDIT, 2);
    assert_committed(house);
    assert_part("1 1 acme 1000000 2", &chain);
    assert_task("awarded none 1 0 0.000000", &chain);
    house_fulfil(house, &chain, 1, 2, CREDIT, CREDIT);
    assert_committed(house);
    assert_part("", &chain);
    assert_task("done completed 1 2 1.000000", &chain);
}

static void whatever_else_happens_to_it_makes_its_row(void **state)
{
    struct house *house = *state;
    struct chain again;
    struct chain ended;
    struct chain both;
    announce(house, &again, "again");
    announce(house, &ended, "ends");
    announce(house, &both, "awarded and failed");
    assert_committed(house);
    house_open_round(house, &again, 2, CREDIT, 2);
    house_end(house, &ended, TENDER_TASK_CANCELLED, CREDIT);
    house_award(house, &both, 1, 1, CREDIT, 2);
    house_fail(house, &both, 1, 1, CREDIT / 2);
    assert_committed(house);
    assert_part("2 0 acme 1000000 2", &again);
    assert_part("", &ended);
    assert_task("cancelled rounds-exhausted 1 0 0.000000", &ended);
    assert_part("1 0 acme 1000000 2", &both);
    assert_task("open none 1 1 0.500000", &both);
}

static void one_that_waits_for_long_gets_its_row(void **state)
{
    struct house *house = *state;
    struct chain waiting;
    struct chain late;
    announce(house, &waiting, "waits");
    announce_at(house, &late, house->now_us - 3 * SECOND_US, "comes late");
    assert_committed(house);
    assert_part("", &waiting);
    assert_part("1 0 acme 1000000 2", &late);
    house->now_us += SECOND_US;
    assert_committed(house);
    assert_part("", &waiting);
    house->now_us += 2 * SECOND_US;
    assert_committed(house);
    assert_part("1 0 acme 1000000 2", &waiting);
}

static int count_entry(void *context, const struct entry *entry)
{
    struct chain *seen = context;
    if (tender_id_equal(entry->task, seen->task)) {
        seen->number = entry->number;
    }
    return 0;
}

static void who_reigns_next_finds_it(void **state)
{
    struct house *house = *state;
    struct chain chain;
    announce(house, &chain, "found");
    assert_committed(house);
    assert_part("", &chain);
    struct house next;
    struct chain seen = {.task = chain.task};
    house_open(&next, "next");
    assert_part("1 0 acme 1000000 2", &chain);
    assert_int_equal(ledger_recall(next.ledger, 0, count_entry, house_ignore_head, &seen), 0);
    assert_int_equal(seen.number, 2);
    house_award(&next, &chain, 1, 1, CREDIT, 2);
    assert_committed(&next);
    assert_part("1 1 acme 1000000 2", &chain);
    house_close(&next);
}

/* The state with which an award is refused that says it is the first. */
static const char *award_again(const struct chain *chain)
{
    char query[512];
    snprintf(
        query, sizeof query,
        "select tender_ledger.award_first(0::int2, '{%s}', '{0}', '{1}', '{1}', '{a}', '{b}', "
        "'{2}', "
        "'{1}', '{2026-01-01 00:00+00}', '{2026-01-01 00:00+00}', '{null}', '{0}', '{2}', '{1}', "
        "'{acme}')",
        name_of(chain));
    return sql_state(query);
}

/* A broker that has it wrong: whatever it says, one active award of a task that goes on. */
static void no_second_award_has_room(void **state)
{
    struct house *house = *state;
    struct chain ended;
    struct chain awarded;
    announce(house, &ended, "over");
    announce(house, &awarded, "taken");
    assert_committed(house);
    house_end(house, &ended, TENDER_TASK_CANCELLED, CREDIT);
    house_award(house, &awarded, 1, 1, CREDIT, 2);
    assert_committed(house);
    assert_string_equal(award_again(&ended), "TN004");
    assert_string_equal(award_again(&awarded), "23505");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_house, end_house)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_that_was_just_announced_is_open_without_a_row),
        TEST(its_award_is_its_row),
        TEST(whatever_else_happens_to_it_makes_its_row),
        TEST(one_that_waits_for_long_gets_its_row),
        TEST(who_reigns_next_finds_it),
        TEST(no_second_award_has_room),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
