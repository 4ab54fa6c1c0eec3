/*
 * Many at once: every task gets its window, every bid counts, what falls due together is handled in
 * bounded batches, and full tables refuse without disturbing what they hold.
 */
#include "stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void say_hello(struct stage *stage, const char *name, const char *principal, int64_t slots)
{
    struct stage_peer *peer = stage_peer(stage, name);
    snprintf(peer->principal, sizeof peer->principal, "%s", principal);
    struct message hello = {.performative = TENDER_HELLO};
    message_set(&hello, HEARTBEAT, heartbeat_us, 3600000000);
    stage_say(stage, name, &hello, 0, false);
    if (slots > 0) {
        tender_bytes skill = stage_bytes("forge");
        struct message_texts skills = {1, &skill};
        struct message offer = {.performative = TENDER_OFFER};
        message_set(&offer, SKILLS, skills, skills);
        message_set(&offer, SLOTS, slots, slots);
        stage_say(stage, name, &offer, 0, false);
    }
}

static void fund(struct stage *stage)
{
    struct event event = {.kind = EVENT_FUND,
                          .peer = stage_bytes("operator"),
                          .principal = stage_bytes("acme"),
                          .amount_micro = INT64_C(1000000000000000)};
    stage_hear(stage, &event);
}

static void announce(struct stage *stage, int number, int64_t window_us)
{
    char key[32];
    snprintf(key, sizeof key, "key-%d", number);
    struct message message = {.performative = TENDER_ANNOUNCE};
    message_set(&message, KEY, key, stage_bytes(key));
    message_set(&message, SKILL, skill, stage_bytes("forge"));
    message_set(&message, UNITS, units, 1);
    message_set(&message, CEILING, ceiling_micro, 1000000);
    message_set(&message, WINDOW, window_us, window_us);
    message_set(&message, DUE, due_us, 60000000);
    message_set(&message, ROUNDS, rounds, 1);
    stage_say(stage, "client", &message, 0, false);
}

static struct message answer(const struct message *cfp, int64_t cost_micro)
{
    struct message bid = {.performative = TENDER_PROPOSE, .conversation = cfp->conversation};
    message_set(&bid, ROUND, round, cfp->round);
    message_set(&bid, DIGEST, digest, cfp->digest);
    message_set(&bid, COST, cost_micro, cost_micro);
    message_set(&bid, ETA, eta_us, 1000000);
    return bid;
}

static size_t count_tells(const struct stage *stage, tender_performative performative)
{
    size_t count = 0;
    for (size_t i = 0; i < stage->effects.tell_count; i++) {
        count += stage->effects.tells[i].message.performative == performative;
    }
    return count;
}

static size_t count_entries(const struct stage *stage, enum entry_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < stage->entry_count; i++) {
        count += stage->entries[i].kind == kind;
    }
    return count;
}

/* The newest cfp told in the last event. */
static struct message last_cfp(const struct stage *stage)
{
    struct message cfp = {.performative = 0};
    for (size_t i = 0; i < stage->effects.tell_count; i++) {
        if (stage->effects.tells[i].message.performative == TENDER_CFP) {
            cfp = stage->effects.tells[i].message;
        }
    }
    assert_int_equal(cfp.performative, TENDER_CFP);
    return cfp;
}

static void B2_of_200_tasks_in_a_second_every_one_gets_its_window(void **state)
{
    (void)state;
    static struct message cfps[200];
    struct book_limits limits = stage_limits();
    limits.task_count = 256;
    limits.bid_count = 1024;
    limits.invitations_max = 512;
    struct stage *stage = stage_open_with(&limits);
    stage->is_quick = true;
    fund(stage);
    say_hello(stage, "client", "acme", 0);
    say_hello(stage, "kiln-1", "amber", 100);
    say_hello(stage, "kiln-2", "birch", 100);
    say_hello(stage, "kiln-3", "cedar", 100);
    for (int i = 0; i < 200; i++) {
        stage->now_us += 5000;
        announce(stage, i, 2000000);
        assert_int_equal(count_tells(stage, TENDER_CFP), 3);
        cfps[i] = last_cfp(stage);
    }
    for (int i = 0; i < 200; i++) { /* slow: 1.5 s after each cfp, still in its window */
        int64_t at_us = cfps[i].closes_at_us - 500000;
        stage_wait(stage, at_us);
        for (int k = 1; k <= 3; k++) {
            char name[32];
            snprintf(name, sizeof name, "kiln-%d", k);
            struct message bid = answer(&cfps[i], 100000 * ((i + k) % 3 + 1));
            stage_say(stage, name, &bid, 0, false);
        }
        assert_int_equal(count_tells(stage, TENDER_ACCEPT_PROPOSAL), 1);
        stage->heard[0] = '\0';
    }
    assert_int_equal(count_entries(stage, ENTRY_AWARDED), 200);
    stage_compare(stage);
    stage_close(stage);
}

static void B7_hundreds_of_bidders_in_one_instant_are_all_counted(void **state)
{
    (void)state;
    enum { BIDDERS = 250 };
    struct book_limits limits = stage_limits();
    limits.contractor_count = BIDDERS;
    limits.account_count = BIDDERS + 8;
    limits.bid_count = 1024;
    struct stage *stage = stage_open_with(&limits);
    stage->is_quick = true;
    fund(stage);
    say_hello(stage, "client", "acme", 0);
    for (int i = 0; i < BIDDERS; i++) {
        char name[32];
        snprintf(name, sizeof name, "kiln-%d", i);
        say_hello(stage, name, name, 1);
    }
    announce(stage, 0, 2000000);
    struct message cfp = last_cfp(stage);
    for (int i = 0; i < BIDDERS; i++) {
        char name[32];
        snprintf(name, sizeof name, "kiln-%d", i);
        struct message bid = answer(&cfp, 1000000 - i);
        stage->heard[0] = '\0';
        stage_say(stage, name, &bid, 0, false);
    }
    const struct entry *awarded = &stage->effects.entries[stage->effects.entry_count - 1];
    assert_int_equal(awarded->kind, ENTRY_AWARDED);
    assert_int_equal(awarded->awarded.ranks.count, BIDDERS);
    assert_int_equal(awarded->awarded.invited, BIDDERS);
    assert_int_equal(awarded->awarded.price_micro, 1000000 - (BIDDERS - 2));
    stage_compare(stage);
    stage_close(stage);
}

/* Bytes that the announcement of a task with long terms keeps, with so many to tell of it. */
static size_t bytes_told(int contractors)
{
    struct book_limits limits = stage_limits();
    limits.contractor_count = (uint32_t)contractors;
    limits.account_count = (uint32_t)contractors + 8;
    limits.bid_count = 1024;
    struct stage *stage = stage_open_with(&limits);
    struct message message = {.performative = TENDER_ANNOUNCE};
    char evidence[TENDER_EVIDENCE_MAX];
    for (size_t i = 0; i < sizeof evidence; i++) {
        evidence[i] = i % 16 == 15 && i + 1 < sizeof evidence ? ',' : 'e';
    }
    stage->is_quick = true;
    fund(stage);
    say_hello(stage, "client", "acme", 0);
    for (int i = 0; i < contractors; i++) {
        char name[32];
        snprintf(name, sizeof name, "kiln-%d", i);
        say_hello(stage, name, name, 1);
    }
    message_set(&message, KEY, key, stage_bytes("key"));
    message_set(&message, SKILL, skill, stage_bytes("forge"));
    message_set(&message, UNITS, units, 1);
    message_set(&message, CEILING, ceiling_micro, 1000000);
    message_set(&message, WINDOW, window_us, 1000000);
    message_set(&message, DUE, due_us, 60000000);
    message_set(&message, EVIDENCE, evidence, ((tender_bytes){evidence, sizeof evidence}));
    stage_say(stage, "client", &message, 0, false);
    assert_int_equal(count_tells(stage, TENDER_CFP), contractors);
    assert_int_equal(last_cfp(stage).evidence.size, sizeof evidence);
    assert_memory_equal(last_cfp(stage).evidence.data, evidence, sizeof evidence);
    size_t bytes = stage->effects.byte_count;
    stage_close(stage);
    return bytes;
}

static void the_terms_of_a_round_are_kept_once_for_all_who_are_told(void **state)
{
    (void)state;
    assert_int_equal(bytes_told(1), bytes_told(200));
}

/* How the announcement of a task with evidence, and of the goal where one is named, is answered. */
static tender_performative announce_of(struct book *book, struct effects *effects, int number,
                                       const char *goal)
{
    char key[32];
    snprintf(key, sizeof key, "key-%d", number);
    struct message said = {.performative = TENDER_ANNOUNCE};
    struct event event = {.kind = EVENT_MESSAGE,
                          .at_us = STAGE_START_US + number,
                          .peer = stage_bytes("client"),
                          .principal = stage_bytes("acme"),
                          .message = &said};
    memcpy(event.task.bytes, &number, sizeof number);
    message_set(&said, KEY, key, stage_bytes(key));
    message_set(&said, SKILL, skill, stage_bytes("forge"));
    message_set(&said, UNITS, units, 1);
    message_set(&said, CEILING, ceiling_micro, 1);
    message_set(&said, WINDOW, window_us, 1000000);
    message_set(&said, DUE, due_us, 60000000);
    message_set(&said, EVIDENCE, evidence, stage_bytes("sources"));
    if (goal != NULL) {
        message_set(&said, GOAL, goal, stage_bytes(goal));
    }
    book_hear(book, &event, effects);
    return effects->tells[0].message.performative;
}

static void a_full_table_of_goals_refuses_new_goals_alone(void **state)
{
    (void)state;
    struct book_limits limits = stage_limits();
    struct event fund_event = {.kind = EVENT_FUND,
                               .at_us = STAGE_START_US,
                               .peer = stage_bytes("operator"),
                               .principal = stage_bytes("acme"),
                               .amount_micro = 1000000};
    struct effects effects;
    struct book *book = NULL;
    int number = 1;
    limits.task_count = 2400; /* and half as many goals, and 1024 */
    assert_int_equal(book_open(&limits, &book), 0);
    assert_int_equal(effects_init(&effects, &limits), 0);
    book_hear(book, &fund_event, &effects);
    for (; number <= 2224; number++) {
        char goal[32];
        snprintf(goal, sizeof goal, "goal-%d", number);
        assert_int_equal(announce_of(book, &effects, number, goal), TENDER_AGREE);
    }
    assert_int_equal(announce_of(book, &effects, number++, "another"), TENDER_REFUSE);
    assert_int_equal(announce_of(book, &effects, number++, "goal-7"), TENDER_AGREE);
    assert_int_equal(announce_of(book, &effects, number++, NULL), TENDER_AGREE);
    book_check(book);
    effects_release(&effects);
    book_close(book);
}

static void W9_what_falls_due_together_is_handled_in_bounded_batches(void **state)
{
    (void)state;
    enum { TASKS = 500 };
    struct book_limits limits = stage_limits();
    limits.task_count = TASKS + 8;
    limits.deadlines_per_tick = 16;
    struct stage *stage = stage_open_with(&limits);
    stage->is_quick = true;
    fund(stage);
    say_hello(stage, "client", "acme", 0);
    for (int i = 0; i < TASKS; i++) {
        announce(stage, i, 1000000);
        stage->heard[0] = '\0';
    }
    stage->now_us += 1000000;
    size_t ended = 0;
    for (int ticks = 0; ended < TASKS; ticks++) {
        struct event tick = {.kind = EVENT_TICK};
        assert_true(ticks <= TASKS / 16 + 1);
        assert_true(book_next_deadline(stage->book) <= stage->now_us);
        stage->heard[0] = '\0';
        stage_hear(stage, &tick);
        size_t now_ended = count_entries(stage, ENTRY_ENDED);
        assert_true(now_ended - ended <= 16);
        ended = now_ended;
        if (ticks == 3) { /* in the middle of it a new task is announced at once */
            announce(stage, TASKS, 1000000);
            assert_int_equal(count_tells(stage, TENDER_AGREE), 1);
        }
    }
    stage_close(stage);
}

static void a_full_book_refuses_and_goes_on_when_there_is_room(void **state)
{
    (void)state;
    struct book_limits limits = stage_limits();
    limits.task_count = 3;
    limits.bid_count = 2;
    struct stage *stage = stage_open_with(&limits);
    fund(stage);
    say_hello(stage, "client", "acme", 0);
    say_hello(stage, "kiln-1", "amber", 100);
    say_hello(stage, "kiln-2", "birch", 100);
    for (int i = 0; i < 3; i++) {
        announce(stage, i, 1000000);
        assert_int_equal(count_tells(stage, TENDER_AGREE), 1);
        assert_int_equal(count_tells(stage, TENDER_CFP), i == 0 ? 2 : 0);
    }
    announce(stage, 3, 1000000);
    assert_int_equal(stage->effects.entry_count, 0);
    assert_int_equal(stage->effects.tells[0].message.reason, TENDER_REASON_LIMIT_REACHED);
    stage_wait(stage, stage->now_us + 1000000);
    stage_wait(stage, stage->now_us + limits.keep_ended_us);
    announce(stage, 3, 1000000);
    assert_int_equal(count_tells(stage, TENDER_AGREE), 1);
    assert_int_equal(count_tells(stage, TENDER_CFP), 2);
    stage_close(stage);
}

static void an_ended_task_is_not_forgotten_before_its_end_has_committed(void **state)
{
    (void)state;
    struct stage *stage = stage_open();
    tender_digest digest;
    fund(stage);
    say_hello(stage, "client", "acme", 0);
    announce(stage, 0, 1000000);
    stage->now_us += 1000000;
    struct event tick = {.kind = EVENT_TICK, .committed_us = STAGE_START_US};
    stage_hear(stage, &tick);
    struct message query = {.performative = TENDER_QUERY,
                            .conversation = stage->entries[stage->entry_count - 1].task};
    struct event event = {.kind = EVENT_MESSAGE,
                          .peer = stage_bytes("client"),
                          .principal = stage_bytes("acme"),
                          .message = &query};
    for (int i = 0; i < 20; i++) {
        stage->now_us += stage->limits.keep_ended_us;
        stage_hear(stage, &tick);
        assert_false(book_wants_prior(stage->book, &event, &digest));
    }
    for (int i = 0; i < 3; i++) {
        tick.committed_us = stage->now_us;
        stage->now_us += stage->limits.keep_ended_us;
        stage_hear(stage, &tick);
    }
    assert_true(book_wants_prior(stage->book, &event, &digest));
    stage_close(stage);
}

/* A report on a task that ended long ago, which the ledger tells of. */
static void report(struct stage *stage, tender_id task)
{
    struct prior prior = {.task = task,
                          .newest = task,
                          .state = TENDER_TASK_DONE,
                          .client = stage_bytes("client"),
                          .principal = stage_bytes("acme"),
                          .round = 1,
                          .units = 1,
                          .commitment_state = TENDER_COMMITMENT_FULFILLED,
                          .contractor = stage_bytes("kiln"),
                          .number = 7};
    struct message progress = {.performative = TENDER_INFORM_PROGRESS, .conversation = task};
    message_set(&progress, PART, part, 0);
    message_set(&progress, GENERATION, generation, 1);
    message_set(&progress, UNITS_DONE, units_done, 1);
    struct event event = {.kind = EVENT_MESSAGE,
                          .peer = stage_bytes("kiln"),
                          .principal = stage_bytes("amber"),
                          .message = &progress,
                          .prior = &prior};
    stage_hear(stage, &event);
}

/* A frame may wait longer than the book keeps what ended: its answer names an old end of a chain.
 */
static void what_the_ledger_said_of_a_task_that_came_back_and_was_forgotten_is_stale(void **state)
{
    (void)state;
    struct stage *stage = stage_open();
    stage->is_quick = true;
    say_hello(stage, "kiln", "amber", 1);
    int64_t asked_us = stage->now_us;
    stage->now_us += 1;
    report(stage, (tender_id){{1, 2, 3}});
    assert_int_equal(count_entries(stage, ENTRY_LATE), 1);
    assert_int_equal(stage->entries[stage->entry_count - 1].number, 8);
    assert_false(book_is_stale(stage->book, asked_us)); /* the book knows it */
    struct event tick = {.kind = EVENT_TICK, .committed_us = STAGE_START_US};
    for (int i = 0; i < 3; i++) {
        stage->now_us += stage->limits.keep_ended_us;
        stage_hear(stage, &tick);
        tick.committed_us = stage->now_us;
    }
    assert_true(book_is_stale(stage->book, asked_us));
    assert_false(book_is_stale(stage->book, stage->now_us));
    stage_close(stage);
}

static struct event announcement(struct message *message, const char *key)
{
    *message = (struct message){.performative = TENDER_ANNOUNCE};
    message_set(message, KEY, key, stage_bytes(key));
    return (struct event){.kind = EVENT_MESSAGE,
                          .peer = stage_bytes("client"),
                          .principal = stage_bytes("acme"),
                          .message = message};
}

static void a_fresh_key_is_not_asked_for_while_all_keys_are_known(void **state)
{
    (void)state;
    struct stage *stage = stage_open();
    struct message message;
    tender_digest digest;
    fund(stage);
    say_hello(stage, "client", "acme", 0);
    struct event fresh = announcement(&message, "key-1");
    assert_false(book_wants_prior(stage->book, &fresh, &digest));
    announce(stage, 1, 1000000);
    assert_true(book_wants_prior(stage->book, &fresh, &digest)); /* another body */
    stage_restart(stage);
    struct message other;
    struct event unknown = announcement(&other, "key-2");
    assert_true(book_wants_prior(stage->book, &unknown, &digest));
    book_recall_key(stage->book, stage_bytes("acme"), stage_bytes("key-3"));
    book_recall_keys_end(stage->book);
    assert_false(book_wants_prior(stage->book, &unknown, &digest));
    struct event known = announcement(&other, "key-3");
    assert_true(book_wants_prior(stage->book, &known, &digest));
    stage_close(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(B2_of_200_tasks_in_a_second_every_one_gets_its_window),
        cmocka_unit_test(B7_hundreds_of_bidders_in_one_instant_are_all_counted),
        cmocka_unit_test(the_terms_of_a_round_are_kept_once_for_all_who_are_told),
        cmocka_unit_test(a_full_table_of_goals_refuses_new_goals_alone),
        cmocka_unit_test(W9_what_falls_due_together_is_handled_in_bounded_batches),
        cmocka_unit_test(a_full_book_refuses_and_goes_on_when_there_is_room),
        cmocka_unit_test(what_the_ledger_said_of_a_task_that_came_back_and_was_forgotten_is_stale),
        cmocka_unit_test(a_fresh_key_is_not_asked_for_while_all_keys_are_known),
        cmocka_unit_test(an_ended_task_is_not_forgotten_before_its_end_has_committed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
