/*
 * Goal: traces and tier tables are read as they are found, and what is wrong is named by its line.
 * Method: files in memory; the seeded generator against itself; timers against a sorted order.
 */
#include "replay_tiers.h"
#include "replay_timers.h"
#include "replay_trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int read_text(const char *text, size_t limit, struct trace *trace, char *why)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(file);
    int status = trace_read(file, limit, trace, why);
    fclose(file);
    return status;
}

static void a_trace_has_seven_digits_and_crlf(void **state)
{
    (void)state;
    char why[VALUE_WHY_MAX];
    struct trace trace;
    assert_int_equal(read_text("TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
                               "2023-11-16 18:15:46.6805900,374,44\r\n"
                               "2023-11-16 18:15:50.9951690,396,109\r\n"
                               "2023-11-17 00:00:00,0,0",
                               0, &trace, why),
                     0);
    assert_int_equal(trace.count, 3);
    assert_int_equal(trace.rows[0].after_us, 0);
    assert_int_equal(trace.rows[1].after_us, 4314579);
    assert_int_equal(trace.rows[1].context_tokens, 396);
    assert_int_equal(trace.rows[1].generated_tokens, 109);
    trace_release(&trace);
}

static void columns_may_stand_anywhere_and_rows_are_sorted(void **state)
{
    (void)state;
    char why[VALUE_WHY_MAX];
    struct trace trace;
    assert_int_equal(read_text("\xef\xbb\xbfid,\"GeneratedTokens\",TIMESTAMP,ContextTokens\n"
                               "b,2,2023-11-16 18:15:47.5,20\n\n"
                               "a,1,\"2023-11-16T18:15:46.25Z\",10\n",
                               0, &trace, why),
                     0);
    assert_int_equal(trace.count, 2);
    assert_int_equal(trace.rows[0].context_tokens, 10);
    assert_int_equal(trace.rows[1].after_us, 1250000);
    trace_release(&trace);
}

static void only_the_first_rows_are_read_where_asked(void **state)
{
    (void)state;
    char why[VALUE_WHY_MAX];
    struct trace trace;
    assert_int_equal(read_text("TIMESTAMP,ContextTokens,GeneratedTokens\n"
                               "2023-11-16 18:15:46,1,1\nrubbish\n",
                               1, &trace, why),
                     0);
    assert_int_equal(trace.count, 1);
    trace_release(&trace);
}

static void bad_rows_are_named_by_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *row;
        const char *part;
    } rows[] = {
        {"2023-11-16 18:15:46,1", "line 3 has 2 fields"},
        {"2023-11-16 18:15:46,-1,1", "line 3: ContextTokens \"-1\""},
        {"2023-11-16 18:15:46,1,NaN", "line 3: GeneratedTokens \"NaN\""},
        {"2023-11-16 18:15:46,1,1e3", "line 3: GeneratedTokens \"1e3\""},
        {"2023-11-16 18:15:46,1,100000001", "from 0 to 100000000"},
        {"2023-11-16 18:15:46,1,", "line 3: GeneratedTokens \"\""},
        {"2023-02-29 18:15:46,1,1", "line 3: TIMESTAMP"},
        {"2023-11-16 18:15:46.0123456789,1,1", "line 3: TIMESTAMP"},
        {"yesterday,1,1", "line 3: TIMESTAMP"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[256];
        char why[VALUE_WHY_MAX] = "";
        struct trace trace;
        snprintf(text, sizeof(text),
                 "TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:15:46,1,1\r\n%s\r\n",
                 rows[i].row);
        assert_int_equal(read_text(text, 0, &trace, why), TENDER_EINVAL);
        if (strstr(why, rows[i].part) == NULL) {
            fail_msg("%s: %s", rows[i].row, why);
        }
        trace_release(&trace);
    }
}

static void a_file_without_header_or_rows_is_refused(void **state)
{
    (void)state;
    char why[VALUE_WHY_MAX];
    struct trace trace;
    assert_int_equal(read_text("a,b\n1,2\n", 0, &trace, why), TENDER_EINVAL);
    assert_non_null(strstr(why, "line 1"));
    trace_release(&trace);
    assert_int_equal(read_text("TIMESTAMP,ContextTokens,GeneratedTokens\n", 0, &trace, why),
                     TENDER_EINVAL);
    assert_non_null(strstr(why, "no rows"));
    trace_release(&trace);
}

static void the_same_seed_makes_the_same_trace_and_it_reads_back(void **state)
{
    (void)state;
    char why[VALUE_WHY_MAX];
    char *text = NULL;
    size_t size = 0;
    struct trace left, right, other;
    assert_int_equal(trace_invent(2000, 7, &left), 0);
    assert_int_equal(trace_invent(2000, 8, &other), 0);
    FILE *out = open_memstream(&text, &size);
    trace_write(&left, out);
    fclose(out);
    assert_int_equal(read_text(text, 0, &right, why), 0);
    assert_int_equal(right.count, 2000);
    assert_memory_equal(left.rows, right.rows, 2000 * sizeof(*left.rows));
    assert_memory_not_equal(left.rows, other.rows, 2000 * sizeof(*left.rows));
    /* Five and a half a second, give or take a third. */
    assert_in_range(left.rows[1999].after_us, INT64_C(240000000), INT64_C(490000000));
    free(text);
    trace_release(&left);
    trace_release(&right);
    trace_release(&other);
}

static int read_tiers(const char *text, struct tiers *tiers, char *why)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    int status = tiers_read(file, tiers, why);
    fclose(file);
    return status;
}

static void the_shown_table_is_the_one_that_is_read(void **state)
{
    (void)state;
    char why[VALUE_WHY_MAX];
    char *text = NULL;
    size_t size = 0;
    struct tiers left, right;
    tiers_default(&left);
    FILE *out = open_memstream(&text, &size);
    tiers_write(&left, out);
    fclose(out);
    assert_int_equal(read_tiers(text, &right, why), 0);
    assert_memory_equal(&left, &right, sizeof(left));
    free(text);
}

static void bad_tiers_are_named_by_line_and_column(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *part;
    } rows[] = {
        {"# only this\n", "no tiers"},
        {"a p 0.2 100 4\n", "line 1: queue is missing"},
        {"\na p NaN 100 4 8\n", "line 2: price: \"NaN\""},
        {"a p 0.2 0 4 8\n", "line 1: tokens/s: \"0\" is out of range"},
        {"a p 0.2 1 4 8 9\n", "more than six columns"},
        {"a p 0.2 1 4 8\na q 0.2 1 4 8\n", "line 2: the name comes twice"},
        {"-a p 0.2 1 4 8\n", "line 1: name"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char why[VALUE_WHY_MAX] = "";
        struct tiers tiers;
        assert_int_equal(read_tiers(rows[i].text, &tiers, why), TENDER_EINVAL);
        if (strstr(why, rows[i].part) == NULL) {
            fail_msg("%s: %s", rows[i].text, why);
        }
    }
}

static void cost_and_time_round_up(void **state)
{
    (void)state;
    struct tier tier = {.price_micro = 200000, .tokens_per_second = 300, .slots = 4};
    assert_int_equal(tier_estimate(&tier, 1000, 0).cost_micro, 200000);
    assert_int_equal(tier_estimate(&tier, 1, 0).cost_micro, 200);
    tier.price_micro = 1;
    assert_int_equal(tier_estimate(&tier, 1, 0).cost_micro, 1);
    assert_int_equal(tier_estimate(&tier, 1, 0).eta_us, 3334);
    assert_int_equal(tier_estimate(&tier, 1, 1).eta_us, 3334 + 834); /* a fourth of the time */
}

static void note_call(void *context, void *subject)
{
    int64_t **next = context;
    *(*next)++ = *(int64_t *)subject;
}

static void timers_fire_in_the_order_of_their_times(void **state)
{
    (void)state;
    struct timers timers = {0};
    int64_t times[500];
    int64_t fired[500];
    int64_t *next = fired;
    uint64_t seed = 1;
    for (size_t i = 0; i < 500; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1;
        times[i] = (int64_t)(seed >> 40);
        assert_int_equal(timers_add(&timers, times[i], note_call, &next, &times[i]), 0);
    }
    timers_run(&timers, -1);
    assert_ptr_equal(next, fired);
    timers_run(&timers, INT64_MAX - 1);
    assert_ptr_equal(next, fired + 500);
    for (size_t i = 1; i < 500; i++) {
        assert_true(fired[i - 1] <= fired[i]);
    }
    assert_true(timers_next(&timers) == TENDER_NEVER);
    timers_release(&timers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_has_seven_digits_and_crlf),
        cmocka_unit_test(columns_may_stand_anywhere_and_rows_are_sorted),
        cmocka_unit_test(only_the_first_rows_are_read_where_asked),
        cmocka_unit_test(bad_rows_are_named_by_their_line),
        cmocka_unit_test(a_file_without_header_or_rows_is_refused),
        cmocka_unit_test(the_same_seed_makes_the_same_trace_and_it_reads_back),
        cmocka_unit_test(the_shown_table_is_the_one_that_is_read),
        cmocka_unit_test(bad_tiers_are_named_by_line_and_column),
        cmocka_unit_test(cost_and_time_round_up),
        cmocka_unit_test(timers_fire_in_the_order_of_their_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
