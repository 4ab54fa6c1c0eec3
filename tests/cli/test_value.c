/*
 * Goal: what people write becomes the integers it stands for, or a sentence that names the text,
 * the form and the range. Method: tables of texts; kinds of bad input as a whole (cases B5, W7,
 * W8).
 */
#include "value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define DAY (INT64_C(86400) * 1000000)

static const struct value_rule credits = {VALUE_CREDITS, 0, TENDER_MONEY_MAX, NULL};
static const struct value_rule duration = {VALUE_DURATION, 1, TENDER_DURATION_MAX, NULL};
static const struct value_rule instant = {VALUE_INSTANT, 0, TENDER_INSTANT_MAX, NULL};
static const struct value_rule deadline = {VALUE_DEADLINE, 0, 0, NULL};
static const struct value_rule share = {VALUE_SHARE, 0, TENDER_PPM, NULL};
static const struct value_rule units = {VALUE_COUNT, 1, TENDER_UNITS_MAX, NULL};

struct good {
    const char *text;
    int64_t number;
};

static void expect_good(const struct value_rule *rule, const struct good *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char why[VALUE_WHY_MAX] = "";
        struct value value;
        if (value_read(rule, rows[i].text, &value, why) != 0 || value.number != rows[i].number) {
            fail_msg("\"%s\": %s", rows[i].text, why);
        }
    }
}

static void expect_bad(const struct value_rule *rule, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char why[VALUE_WHY_MAX] = "";
        struct value value;
        if (value_read(rule, texts[i], &value, why) != TENDER_EINVAL) {
            fail_msg("\"%s\" was taken as %lld", texts[i], (long long)value.number);
        }
        assert_false(value.is_set);
        assert_non_null(strstr(why, "allowed: "));
    }
}

#define EXPECT_GOOD(rule, ...)                                                                     \
    do {                                                                                           \
        static const struct good rows[] = {__VA_ARGS__};                                           \
        expect_good(rule, rows, sizeof(rows) / sizeof(rows[0]));                                   \
    } while (0)
#define EXPECT_BAD(rule, ...)                                                                      \
    do {                                                                                           \
        static const char *const texts[] = {__VA_ARGS__};                                          \
        expect_bad(rule, texts, sizeof(texts) / sizeof(texts[0]));                                 \
    } while (0)

static void credits_are_decimals_with_at_most_six_places(void **state)
{
    (void)state;
    EXPECT_GOOD(&credits, {"0", 0}, {"30", 30000000}, {"10.5", 10500000}, {"0.000001", 1},
                {"0000012", 12000000}, {"1000000000000", TENDER_MONEY_MAX},
                {"999999999999.999999", TENDER_MONEY_MAX - 1});
}

static void B5_credits_that_are_no_amount_are_refused(void **state)
{
    (void)state;
    EXPECT_BAD(&credits, "", " ", "NaN", "nan", "inf", "-inf", "Infinity", "1e309", "1e3", "0x10",
               "12 credits", "-1", "-0.000001", "+1", "1.", ".5", "1.0000000", "1.2.3", "1,5",
               "1000000000000.000001", "9223372036854.775808", "99999999999999999999999999", "1\n",
               "\xc2\xbd");
}

static void negative_credits_count_where_they_are_allowed(void **state)
{
    (void)state;
    static const struct value_rule both = {VALUE_CREDITS, -TENDER_MONEY_MAX, TENDER_MONEY_MAX,
                                           NULL};
    EXPECT_GOOD(&both, {"-12.5", -12500000}, {"-0", 0});
    EXPECT_BAD(&both, "--1", "-", "- 1");
}

static void W7_long_durations_are_kept_and_endless_ones_refused(void **state)
{
    (void)state;
    EXPECT_GOOD(&duration, {"25d", 25 * DAY}, {"365d", 365 * DAY}, {"3660d", 3660 * DAY},
                {"8760h", 365 * DAY}, {"1us", 1}, {"90s", 90000000}, {"60m", 3600000000},
                {"250ms", 250000});
    EXPECT_BAD(&duration, "0s", "3661d", "9223372036854775807us", "9223372036854775808us",
               "infinity", "inf", "NaN", "", "s", "-1s", "1.5h", "1", "60", "1 h", "1w", "1D",
               "1e3s", "99999999999999999999d");
}

static void W7_instants_beyond_2038_are_kept(void **state)
{
    (void)state;
    EXPECT_GOOD(&instant, {"2038-01-20T00:00:00Z", INT64_C(2147558400000000)},
                {"2100-01-01T00:00:00Z", TENDER_INSTANT_MAX}, {"1970-01-01T00:00:00Z", 0},
                {"2024-02-29T12:30:00.25Z", INT64_C(1709209800250000)});
    EXPECT_BAD(&instant, "2100-01-01T00:00:01Z", "infinity", "9223372036854775807", "now",
               "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z",
               "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z",
               "2024-1-1T00:00:00Z", "2024-01-01T00:00:00.1234567Z", "2024-01-01", "");
}

static void W8_instants_need_a_zone_and_offsets_count(void **state)
{
    (void)state;
    char why[VALUE_WHY_MAX] = "";
    struct value value;
    EXPECT_GOOD(&instant, {"2030-07-01T12:00:00+02:00", INT64_C(1909130400000000)},
                {"2030-07-01T10:00:00Z", INT64_C(1909130400000000)},
                {"2030-07-01t04:30:00-05:30", INT64_C(1909130400000000)});
    EXPECT_BAD(&instant, "2030-07-01T12:00:00", "2030-07-01T12:00:00 CEST",
               "2030-07-01T12:00:00+0200", "2030-07-01T12:00:00+24:00", "2030-07-01T12:00:00 ");
    assert_int_equal(value_read(&deadline, "2030-07-01T12:00:00", &value, why), TENDER_EINVAL);
    assert_non_null(strstr(why, "has no time zone"));
}

static void a_deadline_is_an_instant_or_a_duration(void **state)
{
    (void)state;
    char why[VALUE_WHY_MAX];
    struct value value;
    assert_int_equal(value_read(&deadline, "2h", &value, why), 0);
    assert_true(value.is_relative);
    assert_int_equal(value.number, INT64_C(7200000000));
    assert_int_equal(value_read(&deadline, "2038-01-20T00:00:00Z", &value, why), 0);
    assert_false(value.is_relative);
    EXPECT_BAD(&deadline, "0s", "5000d", "2200-01-01T00:00:00Z", "tomorrow");
}

static void shares_are_percentages(void **state)
{
    (void)state;
    EXPECT_GOOD(&share, {"10%", 100000}, {"0%", 0}, {"100%", 1000000}, {"0.0001%", 1},
                {"33.3333%", 333333});
    EXPECT_BAD(&share, "10", "0.1", "101%", "100.0001%", "-1%", "1.00001%", "%", "10 %", "NaN%");
}

static void counts_are_whole_and_in_range(void **state)
{
    (void)state;
    EXPECT_GOOD(&units, {"1", 1}, {"1000000000", TENDER_UNITS_MAX});
    EXPECT_BAD(&units, "0", "-1", "1000000001", "9223372036854775808", "1.0", "1e3", "0x1", " 1",
               "");
}

static void names_and_skills_follow_the_vocabulary(void **state)
{
    (void)state;
    static const struct value_rule skill = {VALUE_SKILL, 0, 0, NULL};
    static const struct value_rule name = {VALUE_NAME, 0, 0, NULL};
    EXPECT_GOOD(&skill, {"translate.de", 0}, {"a", 0}, {"a/b_c-9", 0});
    EXPECT_BAD(&skill, "", "Translate", "-a", "a-", "a b", "\xc3\xa4");
    EXPECT_GOOD(&name, {"acme", 0}, {"Kiln-2@x", 0});
    EXPECT_BAD(&name, "", "-x", "a b", "a\nb");
}

static void fallback_names_its_contractor(void **state)
{
    (void)state;
    static const struct value_rule fallback = {VALUE_FALLBACK, 0, 0, NULL};
    char why[VALUE_WHY_MAX];
    struct value value;
    assert_int_equal(value_read(&fallback, "contractor:kiln-2", &value, why), 0);
    assert_string_equal(value.rest, "kiln-2");
    assert_int_equal(value.number, TENDER_FALLBACK_CONTRACTOR);
    EXPECT_GOOD(&fallback, {"hold", TENDER_FALLBACK_HOLD},
                {"unallocated", TENDER_FALLBACK_UNALLOCATED});
    EXPECT_BAD(&fallback, "contractor", "contractor:", "contractor:-", "hold:x", "", "other");
}

static void a_complaint_names_text_form_and_range(void **state)
{
    (void)state;
    char why[VALUE_WHY_MAX];
    struct value value;
    assert_int_equal(value_read(&duration, "60", &value, why), TENDER_EINVAL);
    assert_string_equal(why, "\"60\" has no unit: end it with us, ms, s, m, h or d; allowed: an "
                             "integer with us, ms, s, m, h or d, from 1us to 3660d, such as 90s");
    assert_int_equal(value_read(&credits, "1.1234567", &value, why), TENDER_EINVAL);
    assert_non_null(strstr(why, "has more than six decimals"));
    assert_int_equal(value_read(&units, "0", &value, why), TENDER_EINVAL);
    assert_string_equal(why, "\"0\" is out of range; allowed: a whole number from 1 to 1000000000");
    assert_int_equal(value_read(&units, "\x1b[2J\xff", &value, why), TENDER_EINVAL);
    assert_non_null(strstr(why, "\\x1b[2J\\xff"));
}

static void long_texts_are_cut_in_complaints(void **state)
{
    (void)state;
    char text[100001];
    char why[VALUE_WHY_MAX];
    struct value value;
    memset(text, 1, sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    assert_int_equal(value_read(&units, text, &value, why), TENDER_EINVAL);
    assert_true(strlen(why) < VALUE_WHY_MAX);
}

static void values_are_written_as_they_are_read(void **state)
{
    (void)state;
    static const int64_t amounts[] = {0, 1, 10500000, -12500000, TENDER_MONEY_MAX, INT64_MIN};
    static const char *const texts[] = {"0",     "0.000001",      "10.5",
                                        "-12.5", "1000000000000", "-9223372036854.775808"};
    for (size_t i = 0; i < 6; i++) {
        char text[VALUE_MICRO_MAX];
        value_write_credits(amounts[i], text);
        assert_string_equal(text, texts[i]);
    }
    static const struct good spans[] = {{"0s", 0},        {"90s", 90000000}, {"2h", 7200000000},
                                        {"1500us", 1500}, {"25d", 25 * DAY}, {"250ms", 250000}};
    for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
        char text[VALUE_SPAN_MAX];
        value_write_duration(spans[i].number, text);
        assert_string_equal(text, spans[i].text);
    }
    char text[VALUE_INSTANT_MAX];
    value_write_instant(INT64_C(1709209800250000), text);
    assert_string_equal(text, "2024-02-29T12:30:00.250000Z");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(credits_are_decimals_with_at_most_six_places),
        cmocka_unit_test(B5_credits_that_are_no_amount_are_refused),
        cmocka_unit_test(negative_credits_count_where_they_are_allowed),
        cmocka_unit_test(W7_long_durations_are_kept_and_endless_ones_refused),
        cmocka_unit_test(W7_instants_beyond_2038_are_kept),
        cmocka_unit_test(W8_instants_need_a_zone_and_offsets_count),
        cmocka_unit_test(a_deadline_is_an_instant_or_a_duration),
        cmocka_unit_test(shares_are_percentages),
        cmocka_unit_test(counts_are_whole_and_in_range),
        cmocka_unit_test(names_and_skills_follow_the_vocabulary),
        cmocka_unit_test(fallback_names_its_contractor),
        cmocka_unit_test(a_complaint_names_text_form_and_range),
        cmocka_unit_test(long_texts_are_cut_in_complaints),
        cmocka_unit_test(values_are_written_as_they_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
