/*
 * The forms of single values: readers without floating point, and their writers.
 */
#include "value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* clang-format off */
static const struct unit {
    const char *name;
    int64_t us;
} units[] = {{"d",  INT64_C(86400000000)}, {"h",  INT64_C(3600000000)}, {"m",  INT64_C(60000000)},
             {"s",  INT64_C(1000000)},     {"ms", INT64_C(1000)},       {"us", INT64_C(1)}};
/* clang-format on */
#define UNIT_COUNT (sizeof(units) / sizeof(units[0]))

/* Reads digits from *text on. Returns how many, or TENDER_ELIMIT. */
static int read_digits(const char **text, int64_t *number_out)
{
    int count = 0;
    int64_t number = 0;
    bool is_beyond = false;
    for (; **text >= '0' && **text <= '9'; (*text)++, count++) {
        is_beyond = is_beyond || __builtin_mul_overflow(number, 10, &number) ||
                    __builtin_add_overflow(number, **text - '0', &number);
    }
    *number_out = number;
    return is_beyond ? TENDER_ELIMIT : count;
}

int value_read_count(const char *text, int64_t *count_out)
{
    int digits = read_digits(&text, count_out);
    if (*text != '\0' || digits == 0) {
        return TENDER_EINVAL;
    }
    return digits < 0 ? digits : 0;
}

/* Reads digits with at most `places` decimals as an integer of the last place. */
static int read_decimal(const char **text, int places, int64_t *number_out)
{
    int64_t whole = 0;
    int status = read_digits(text, &whole);
    if (status == 0) {
        return TENDER_EINVAL;
    }
    bool is_beyond = status < 0;
    int64_t fraction = 0;
    int decimals = 0;
    if (**text == '.') {
        (*text)++;
        decimals = read_digits(text, &fraction);
        if (decimals <= 0 || decimals > places) {
            return TENDER_EINVAL;
        }
    }
    for (; decimals < places; decimals++) {
        fraction *= 10;
    }
    for (int i = 0; i < places; i++) {
        is_beyond = is_beyond || __builtin_mul_overflow(whole, 10, &whole);
    }
    is_beyond = is_beyond || __builtin_add_overflow(whole, fraction, &whole);
    *number_out = whole;
    return is_beyond ? TENDER_ELIMIT : 0;
}

int value_read_credits(const char *text, int64_t *micro_out)
{
    bool is_negative = *text == '-';
    if (is_negative) {
        text++;
    }
    int status = read_decimal(&text, 6, micro_out);
    if (status == TENDER_EINVAL || *text != '\0') {
        return TENDER_EINVAL;
    }
    if (status == 0 && is_negative) {
        *micro_out = -*micro_out;
    }
    return status;
}

int value_read_duration(const char *text, int64_t *us_out)
{
    int64_t number = 0;
    int status = read_digits(&text, &number);
    if (status == 0) {
        return TENDER_EINVAL;
    }
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        if (strcmp(text, units[i].name) == 0) {
            bool is_beyond = status < 0 || __builtin_mul_overflow(number, units[i].us, us_out);
            return is_beyond ? TENDER_ELIMIT : 0;
        }
    }
    return TENDER_EINVAL;
}

int value_read_share(const char *text, int64_t *ppm_out)
{
    int status = read_decimal(&text, 4, ppm_out);
    if (status == TENDER_EINVAL || strcmp(text, "%") != 0) {
        return TENDER_EINVAL;
    }
    return status;
}

int value_month_days(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && is_leap ? 29 : days[month - 1];
}

/* Counts the leap days of the whole years before, with the year beginning in March. */
int64_t value_days(int64_t year, int64_t month, int64_t day)
{
    int64_t shifted_year = month <= 2 ? year - 1 : year;
    int64_t shifted_month = month <= 2 ? month + 9 : month - 3;
    return 365 * shifted_year + shifted_year / 4 - shifted_year / 100 + shifted_year / 400 +
           (153 * shifted_month + 2) / 5 + day - 1 - 719468;
}

/* Reads exactly `digits` digits within [low, high], then the character `after` (0: none). */
static bool read_part(const char **text, int digits, int low, int high, char after, int *out)
{
    int number = 0;
    for (int i = 0; i < digits; i++, (*text)++) {
        if (**text < '0' || **text > '9') {
            return false;
        }
        number = number * 10 + (**text - '0');
    }
    if (number < low || number > high) {
        return false;
    }
    if (after != '\0') {
        if (**text != after) {
            return false;
        }
        (*text)++;
    }
    *out = number;
    return true;
}

/* Reads "Z" or "+02:00" into minutes east of UTC, up to the end of the text. */
static bool read_zone(const char *text, int *minutes_out)
{
    if ((*text == 'Z' || *text == 'z') && text[1] == '\0') {
        *minutes_out = 0;
        return true;
    }
    int sign = *text == '+' ? 1 : *text == '-' ? -1 : 0;
    int hours = 0;
    int minutes = 0;
    text++;
    if (sign == 0 || !read_part(&text, 2, 0, 23, ':', &hours) ||
        !read_part(&text, 2, 0, 59, '\0', &minutes) || *text != '\0') {
        return false;
    }
    *minutes_out = sign * (hours * 60 + minutes);
    return true;
}

/* Reads ".25" as 250000, and nothing as 0. */
static bool read_fraction(const char **text, int64_t *us_out)
{
    *us_out = 0;
    if (**text != '.') {
        return true;
    }
    (*text)++;
    int digits = read_digits(text, us_out);
    if (digits < 1 || digits > 6) {
        return false;
    }
    for (; digits < 6; digits++) {
        *us_out *= 10;
    }
    return true;
}

int value_read_instant(const char *text, int64_t *at_us_out)
{
    int year, month, day, hour, minute, second, zone;
    int64_t fraction_us = 0;
    if (!read_part(&text, 4, 0, 9999, '-', &year) || !read_part(&text, 2, 1, 12, '-', &month) ||
        !read_part(&text, 2, 1, value_month_days(year, month), '\0', &day)) {
        return TENDER_EINVAL;
    }
    if (*text != 'T' && *text != 't' && *text != ' ') {
        return TENDER_EINVAL;
    }
    text++;
    if (!read_part(&text, 2, 0, 23, ':', &hour) || !read_part(&text, 2, 0, 59, ':', &minute) ||
        !read_part(&text, 2, 0, 59, '\0', &second) || !read_fraction(&text, &fraction_us) ||
        !read_zone(text, &zone)) {
        return TENDER_EINVAL;
    }
    int64_t seconds =
        value_days(year, month, day) * 86400 + INT64_C(3600) * hour + INT64_C(60) * minute + second;
    *at_us_out = (seconds - INT64_C(60) * zone) * 1000000 + fraction_us;
    return 0;
}

void value_write_credits(int64_t micro, char text_out[VALUE_MICRO_MAX])
{
    uint64_t amount = micro < 0 ? UINT64_C(0) - (uint64_t)micro : (uint64_t)micro;
    int size = snprintf(text_out, VALUE_MICRO_MAX, "%s%" PRIu64 ".%06" PRIu64, micro < 0 ? "-" : "",
                        amount / 1000000, amount % 1000000);
    while (text_out[size - 1] == '0') {
        text_out[--size] = '\0';
    }
    if (text_out[size - 1] == '.') {
        text_out[size - 1] = '\0';
    }
}

void value_write_duration(int64_t us, char text_out[VALUE_SPAN_MAX])
{
    size_t i = 0;
    while (i + 1 < UNIT_COUNT && (us == 0 ? i < 3 : us % units[i].us != 0)) {
        i++;
    }
    snprintf(text_out, VALUE_SPAN_MAX, "%" PRId64 "%s", us / units[i].us, units[i].name);
}

void value_write_instant(int64_t at_us, char text_out[VALUE_INSTANT_MAX])
{
    int64_t seconds = at_us / 1000000;
    int64_t fraction_us = at_us % 1000000;
    if (fraction_us < 0) {
        seconds--;
        fraction_us += 1000000;
    }
    struct tm parts;
    time_t time = (time_t)seconds;
    gmtime_r(&time, &parts);
    size_t size = (size_t)snprintf(text_out, VALUE_INSTANT_MAX, "%04ld-%02d-%02dT%02d:%02d:%02d",
                                   1900L + parts.tm_year, parts.tm_mon + 1, parts.tm_mday,
                                   parts.tm_hour, parts.tm_min, parts.tm_sec);
    if (fraction_us != 0) {
        size +=
            (size_t)snprintf(text_out + size, VALUE_INSTANT_MAX - size, ".%06" PRId64, fraction_us);
    }
    snprintf(text_out + size, VALUE_INSTANT_MAX - size, "Z");
}
