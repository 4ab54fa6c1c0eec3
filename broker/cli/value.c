#include "value.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_choice(const char *choices, const char *text, int64_t *index_out)
{
    size_t size = strlen(text);
    int64_t index = 0;
    for (const char *word = choices; size > 0; index++) {
        size_t length = strcspn(word, "|");
        if (length == size && memcmp(word, text, size) == 0) {
            *index_out = index;
            return true;
        }
        if (word[length] == '\0') {
            break;
        }
        word += length + 1;
    }
    return false;
}

static int read_fallback(const char *text, struct value *value)
{
    const char *colon = strchr(text, ':');
    size_t size = colon == NULL ? strlen(text) : (size_t)(colon - text);
    value->number = tender_fallback_parse(text, size);
    value->rest = colon == NULL ? NULL : colon + 1;
    bool wants_name = value->number == TENDER_FALLBACK_CONTRACTOR;
    if (value->number <= 0 || wants_name != (colon != NULL) ||
        (wants_name && !tender_name_is_valid(value->rest, strlen(value->rest)))) {
        return TENDER_EINVAL;
    }
    return 0;
}

static int read_text(const struct value_rule *rule, const char *text, struct value *value)
{
    size_t size = strlen(text);
    value->number = (int64_t)size;
    if (!tender_text_is_valid(text, size)) {
        return TENDER_EINVAL;
    }
    return rule->maximum > 0 && (value->number < rule->minimum || value->number > rule->maximum)
               ? TENDER_ELIMIT
               : 0;
}

static int read_deadline(const char *text, struct value *value)
{
    int status = value_read_duration(text, &value->number);
    value->is_relative = status != TENDER_EINVAL;
    return value->is_relative ? status : value_read_instant(text, &value->number);
}

/* Reads the form; the range comes after. */
static int read_form(const struct value_rule *rule, const char *text, struct value *value)
{
    size_t size = strlen(text);
    switch (rule->type) {
    case VALUE_SWITCH:
        value->number = 1;
        return 0;
    case VALUE_TEXT:
        return read_text(rule, text, value);
    case VALUE_FILE:
        return size == 0 ? TENDER_EINVAL : 0;
    case VALUE_NAME:
        return tender_name_is_valid(text, size) ? 0 : TENDER_EINVAL;
    case VALUE_ENROLLED:
        return tender_name_is_valid(text, size) || strcmp(text, "*") == 0 ? 0 : TENDER_EINVAL;
    case VALUE_SKILL:
        return tender_skill_is_valid(text, size) ? 0 : TENDER_EINVAL;
    case VALUE_ID:
        return tender_id_parse(text, size, &value->id);
    case VALUE_COUNT:
        return value_read_count(text, &value->number);
    case VALUE_CREDITS:
        return value_read_credits(text, &value->number);
    case VALUE_DURATION:
        return value_read_duration(text, &value->number);
    case VALUE_INSTANT:
        return value_read_instant(text, &value->number);
    case VALUE_DEADLINE:
        return read_deadline(text, value);
    case VALUE_SHARE:
        return value_read_share(text, &value->number);
    case VALUE_CHOICE:
        return is_choice(rule->choices, text, &value->number) ? 0 : TENDER_EINVAL;
    case VALUE_FALLBACK:
        return read_fallback(text, value);
    case VALUE_SPEED:
        return strcmp(text, "max") == 0 ? 0 : value_read_count(text, &value->number);
    }
    return TENDER_EINVAL;
}

static bool has_range(enum value_type type)
{
    return type == VALUE_COUNT || type == VALUE_CREDITS || type == VALUE_DURATION ||
           type == VALUE_INSTANT || type == VALUE_SHARE || type == VALUE_SPEED;
}

static bool is_in_range(const struct value_rule *rule, const struct value *value)
{
    if (rule->type == VALUE_DEADLINE) {
        return value->number >= 1 &&
               value->number <= (value->is_relative ? TENDER_DURATION_MAX : TENDER_INSTANT_MAX);
    }
    if (rule->type == VALUE_SPEED && strcmp(value->text, "max") == 0) {
        return true;
    }
    return !has_range(rule->type) ||
           (value->number >= rule->minimum && value->number <= rule->maximum);
}

/* What is special about this text, beyond its not being of the form. */
static const char *hint(enum value_type type, const char *text)
{
    if (type == VALUE_INSTANT || type == VALUE_DEADLINE) {
        char zoned[64];
        int64_t at_us;
        if (snprintf(zoned, sizeof(zoned), "%sZ", text) < (int)sizeof(zoned) &&
            value_read_instant(zoned, &at_us) == 0) {
            return "has no time zone: end it with Z or an offset such as +02:00";
        }
    }
    if (type == VALUE_DURATION || type == VALUE_DEADLINE) {
        int64_t count;
        if (value_read_count(text, &count) != TENDER_EINVAL) {
            return "has no unit: end it with us, ms, s, m, h or d";
        }
    }
    const char *point = strchr(text, '.');
    if (type == VALUE_CREDITS && point != NULL && strlen(point + 1) > 6 &&
        strspn(point + 1, "0123456789") == strlen(point + 1)) {
        return "has more than six decimals";
    }
    return "is not allowed here";
}

void value_quote(const char *text, char quoted[VALUE_QUOTED_MAX])
{
    const size_t capacity = VALUE_QUOTED_MAX;
    size_t used = 0;
    for (size_t i = 0; text[i] != '\0' && used + 8 < capacity; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (i == 80) {
            used += (size_t)snprintf(quoted + used, capacity - used, "...");
            break;
        }
        used += (size_t)snprintf(quoted + used, capacity - used, isprint(byte) ? "%c" : "\\x%02x",
                                 byte);
    }
    quoted[used] = '\0';
}

int value_read(const struct value_rule *rule, const char *text, struct value *value_out, char *why)
{
    *value_out = (struct value){.is_set = true, .text = text};
    int status = read_form(rule, text, value_out);
    if (status == 0 && is_in_range(rule, value_out)) {
        return 0;
    }
    char quoted[VALUE_QUOTED_MAX];
    char form[VALUE_FORM_MAX];
    value_quote(text, quoted);
    value_describe(rule, form);
    bool is_form = status == TENDER_EINVAL;
    snprintf(why, VALUE_WHY_MAX, "\"%s\" %s; allowed: %s", quoted,
             is_form ? hint(rule->type, text) : "is out of range", form);
    *value_out = (struct value){0};
    return TENDER_EINVAL;
}

static void describe_range(const struct value_rule *rule, const char *what, const char *example,
                           void (*write)(int64_t number, char *text), char *form)
{
    char low[VALUE_INSTANT_MAX];
    char high[VALUE_INSTANT_MAX];
    write(rule->minimum, low);
    write(rule->maximum, high);
    snprintf(form, VALUE_FORM_MAX, "%s from %s to %s%s%s", what, low, high,
             example == NULL ? "" : ", such as ", example == NULL ? "" : example);
}

static void write_count(int64_t count, char *text)
{
    snprintf(text, VALUE_MICRO_MAX, "%" PRId64, count);
}

static void write_share(int64_t ppm, char *text)
{
    char credits[VALUE_MICRO_MAX];
    value_write_credits(ppm * 100, credits);
    snprintf(text, VALUE_MICRO_MAX, "%.30s%%", credits);
}

void value_describe(const struct value_rule *rule, char *form)
{
    const char *plain = "";
    switch (rule->type) {
    case VALUE_COUNT:
        describe_range(rule, "a whole number", NULL, write_count, form);
        return;
    case VALUE_CREDITS:
        describe_range(rule, "credits with at most six decimals,", "10.5", value_write_credits,
                       form);
        return;
    case VALUE_DURATION:
        describe_range(rule, "an integer with us, ms, s, m, h or d,", "90s", value_write_duration,
                       form);
        return;
    case VALUE_INSTANT:
        describe_range(rule, "an instant (RFC 3339 with a zone)", "2030-01-31T12:00:00Z",
                       value_write_instant, form);
        return;
    case VALUE_SHARE:
        describe_range(rule, "a percentage with at most four decimals,", "10%", write_share, form);
        return;
    case VALUE_SPEED:
        describe_range(rule, "max, or a whole number", NULL, write_count, form);
        return;
    case VALUE_CHOICE:
        plain = rule->choices;
        break;
    case VALUE_TEXT:
        if (rule->maximum > 0) {
            describe_range(rule, "UTF-8 text, in bytes", NULL, write_count, form);
            return;
        }
        plain = "UTF-8 text";
        break;
    case VALUE_NAME:
        plain = "1 to 64 of A-Z a-z 0-9 . _ @ / -, beginning with a letter or digit";
        break;
    case VALUE_ENROLLED:
        plain = "1 to 64 of A-Z a-z 0-9 . _ @ / -, beginning with a letter or digit; or *";
        break;
    case VALUE_SKILL:
        plain = "1 to 64 of a-z 0-9 . _ / -, beginning and ending with a letter or digit, "
                "such as translate.de";
        break;
    case VALUE_ID:
        plain = "an identifier such as 0190163d-8694-739b-aea5-966c26f8ad91";
        break;
    case VALUE_DEADLINE:
        plain = "an integer with us, ms, s, m, h or d up to 3660d, or an instant (RFC 3339 with a "
                "zone) up to 2100, such as 2h or 2030-01-31T12:00:00Z";
        break;
    case VALUE_FALLBACK:
        plain = "unallocated, hold, or contractor:NAME";
        break;
    case VALUE_FILE:
        plain = "a path, or - for standard input";
        break;
    case VALUE_SWITCH:
        break;
    }
    snprintf(form, VALUE_FORM_MAX, "%s", plain);
}
