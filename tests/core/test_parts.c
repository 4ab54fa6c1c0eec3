/*
 * The parts of the core against plain models of them, by long random walks: calendar, waiting
 * rounds, hash index, contents; and the transition tables row by row.
 */
#include "arena.h"
#include "commitment.h"
#include "table.h"
#include "waiting.h"
#include "watcher.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed;

static uint32_t below(uint32_t limit)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % limit;
}

static void the_calendar_gives_the_earliest_and_only_what_is_in_it(void **state)
{
    (void)state;
    struct watcher watcher;
    int64_t times[65];
    assert_int_equal(watcher_init(&watcher, 64), 0);
    for (int i = 0; i < 65; i++) {
        times[i] = TENDER_NEVER;
    }
    for (int step = 0; step < 20000; step++) {
        uint32_t object = below(64) + 1;
        times[object] = below(3) == 0 ? TENDER_NEVER : (int64_t)below(100);
        watcher_set(&watcher, object, times[object], object);
        int64_t earliest = TENDER_NEVER;
        uint32_t count = 0;
        for (uint32_t i = 1; i <= 64; i++) {
            assert_int_equal(watcher_time(&watcher, i), times[i]);
            earliest = times[i] < earliest ? times[i] : earliest;
            count += times[i] != TENDER_NEVER;
        }
        uint32_t first = 0;
        assert_int_equal(watcher_next(&watcher, &first), earliest);
        assert_int_equal(watcher.count, count);
        for (uint32_t i = 1; count > 0 && i < first; i++) {
            assert_true(times[i] > earliest); /* ties fall to the lower tie */
        }
    }
    watcher_release(&watcher);
}

#define ROUNDS 200

static void waiting_rounds_come_by_priority_then_age(void **state)
{
    (void)state;
    static struct waiting_node nodes[ROUNDS + 1];
    static bool is_in[ROUNDS + 1];
    uint32_t root = 0;
    uint64_t sequence = 0;
    for (int step = 0; step < 20000; step++) {
        uint32_t node = below(ROUNDS) + 1;
        if (is_in[node]) {
            waiting_remove(nodes, &root, node);
        } else {
            nodes[node] = (struct waiting_node){.sequence = ++sequence, .priority = below(4)};
            waiting_insert(nodes, &root, node);
        }
        is_in[node] = !is_in[node];
        uint32_t priority = below(5);
        uint64_t after = sequence > 0 ? below((uint32_t)sequence + 1) : 0;
        uint32_t best = 0;
        for (uint32_t i = 1; i <= ROUNDS; i++) {
            if (is_in[i] && nodes[i].priority == priority && nodes[i].sequence > after &&
                (best == 0 || nodes[i].sequence < nodes[best].sequence)) {
                best = i;
            }
        }
        assert_int_equal(waiting_after(nodes, root, priority, after), best);
    }
}

static bool is_number(const void *context, uint32_t object, const void *key)
{
    (void)context;
    return object == *(const uint32_t *)key;
}

static void the_index_finds_what_was_put_in_and_nothing_else(void **state)
{
    (void)state;
    struct table table;
    bool is_in[257] = {false};
    assert_int_equal(table_init(&table, 256), 0);
    for (int step = 0; step < 50000; step++) {
        uint32_t object = below(256) + 1;
        uint64_t hash = object % 32; /* many collisions */
        if (is_in[object]) {
            table_remove(&table, hash, object);
        } else {
            table_insert(&table, hash, object);
        }
        is_in[object] = !is_in[object];
        uint32_t other = below(256) + 1;
        assert_int_equal(table_find(&table, other % 32, is_number, &other, NULL),
                         is_in[other] ? other : 0);
    }
    table_release(&table);
}

static void the_index_uses_twice_the_slots_that_it_needs(void **state)
{
    (void)state;
    struct table table;
    assert_int_equal(table_init(&table, 1000), 0);
    for (uint32_t object = 1; object <= 1000; object++) {
        table_insert(&table, table_hash_pair(object, 0), object);
        uint32_t size = table.mask + 1;
        assert_true(size >= object * 2 && (size < object * 4 || size == 16));
        for (uint32_t other = 1; object % 100 == 0 && other <= 1001; other++) {
            assert_int_equal(table_find(&table, table_hash_pair(other, 0), is_number, &other, NULL),
                             other <= object ? other : 0);
        }
    }
    table_release(&table);
}

#define PIECES 300

static void contents_are_kept_apart_and_all_room_comes_back(void **state)
{
    (void)state;
    static char *pieces[PIECES];
    static size_t sizes[PIECES];
    static char bytes[TENDER_CONTENT_MAX];
    struct arena arena;
    assert_int_equal(arena_init(&arena, 1 << 20), 0);
    for (int step = 0; step < 20000; step++) {
        uint32_t i = below(PIECES);
        if (pieces[i] != NULL) {
            for (size_t k = 0; k < sizes[i]; k += 1 + sizes[i] / 7) {
                assert_int_equal(pieces[i][k], (char)i);
            }
            arena_drop(&arena, pieces[i]);
            pieces[i] = NULL;
            continue;
        }
        sizes[i] = 1 + below(below(50) == 0 ? TENDER_CONTENT_MAX : 3000);
        memset(bytes, (int)i, sizes[i]);
        pieces[i] = arena_copy(&arena, (tender_bytes){bytes, sizes[i]});
    }
    for (uint32_t i = 0; i < PIECES; i++) {
        arena_drop(&arena, pieces[i]);
    }
    assert_int_equal(arena.used_bytes, 0);
    for (int i = 0; i < 8; i++) { /* whole again: the largest pieces fit, as many as there are */
        assert_non_null(arena_copy(&arena, (tender_bytes){bytes, sizeof bytes}));
    }
    arena_release(&arena);
}

/* L8: one table of all endings, tested row by row; what has no row is not possible. */
static void L8_only_the_rows_of_the_tables_change_a_state(void **state)
{
    (void)state;
    enum { TENDER_TASK_NEW = 0, TENDER_COMMITMENT_NEW = 0, TENDER_BID_NEW = 0 };
    size_t rows = 0;
    size_t expected = 0;
#define X(FROM, EVENT, TO)                                                                         \
    assert_int_equal(task_next((tender_task_state)TENDER_TASK_##FROM, TASK_##EVENT),               \
                     TENDER_TASK_##TO);                                                            \
    expected++;
    TASK_TRANSITIONS(X)
#undef X
    for (int from = 0; from <= TENDER_TASK_CANCELLED; from++) {
        for (int event = 0; event < TASK_EVENT_COUNT; event++) {
            int to = (int)task_next((tender_task_state)from, (enum task_event)event);
            rows += to != 0;
            assert_true(to == 0 || !tender_task_state_is_terminal((tender_task_state)from));
        }
    }
#define X(FROM, EVENT, TO)                                                                         \
    assert_int_equal(                                                                              \
        commitment_next((tender_commitment_state)TENDER_COMMITMENT_##FROM, COMMITMENT_##EVENT),    \
        TENDER_COMMITMENT_##TO);                                                                   \
    expected++;
    COMMITMENT_TRANSITIONS(X)
#undef X
    for (int from = 0; from <= TENDER_COMMITMENT_CANCELLED; from++) {
        for (int event = 0; event < COMMITMENT_EVENT_COUNT; event++) {
            int to =
                (int)commitment_next((tender_commitment_state)from, (enum commitment_event)event);
            rows += to != 0;
            assert_true(to == 0 ||
                        !tender_commitment_state_is_terminal((tender_commitment_state)from));
        }
    }
#define X(FROM, EVENT, TO)                                                                         \
    assert_int_equal(bid_next((tender_bid_state)TENDER_BID_##FROM, BID_##EVENT), TENDER_BID_##TO); \
    expected++;
    BID_TRANSITIONS(X)
#undef X
    for (int from = 0; from <= TENDER_BID_REFUSED; from++) {
        for (int event = 0; event < BID_EVENT_COUNT; event++) {
            rows += (int)bid_next((tender_bid_state)from, (enum bid_event)event) != 0;
        }
    }
    assert_int_equal(rows, expected);
}

int main(void)
{
    seed = 0x5eed;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_calendar_gives_the_earliest_and_only_what_is_in_it),
        cmocka_unit_test(waiting_rounds_come_by_priority_then_age),
        cmocka_unit_test(the_index_finds_what_was_put_in_and_nothing_else),
        cmocka_unit_test(the_index_uses_twice_the_slots_that_it_needs),
        cmocka_unit_test(contents_are_kept_apart_and_all_room_comes_back),
        cmocka_unit_test(L8_only_the_rows_of_the_tables_change_a_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
