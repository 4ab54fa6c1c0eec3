/*
 * Goal: every form of value that people write is read into its range or refused with a printable
 * sentence, and what was read is written and read again to the same. Method: the first byte chooses
 * the form, the rest is the text.
 */
#include "fuzz.h"

#include <ctype.h>

#include "value.h"

static const struct value_rule rules[] = {
    {VALUE_TEXT, 0, 0, NULL},
    {VALUE_TEXT, 1, 16, NULL},
    {VALUE_NAME, 0, 0, NULL},
    {VALUE_SKILL, 0, 0, NULL},
    {VALUE_ID, 0, 0, NULL},
    {VALUE_COUNT, 0, INT64_MAX, NULL},
    {VALUE_CREDITS, INT64_MIN, INT64_MAX, NULL},
    {VALUE_DURATION, 0, INT64_MAX, NULL},
    {VALUE_INSTANT, INT64_C(-62135596800000000), INT64_C(253402300799999999), NULL},
    {VALUE_INSTANT, 1, TENDER_INSTANT_MAX, NULL},
    {VALUE_DEADLINE, 0, 0, NULL},
    {VALUE_SHARE, 0, 1000000, NULL},
    {VALUE_CHOICE, 0, 0, "pro_rata|cover|none"},
    {VALUE_FALLBACK, 0, 0, NULL},
    {VALUE_SPEED, 1, 1000, NULL},
    {VALUE_FILE, 0, 0, NULL},
    {VALUE_SWITCH, 0, 0, NULL},
};

static void write_again(const struct value_rule *rule, const struct value *value)
{
    char text[VALUE_INSTANT_MAX + VALUE_MICRO_MAX + VALUE_SPAN_MAX];
    struct value again;
    char why[VALUE_WHY_MAX];
    enum value_type type = rule->type;
    if (type == VALUE_CREDITS) {
        value_write_credits(value->number, text);
    } else if (type == VALUE_DURATION || (type == VALUE_DEADLINE && value->is_relative)) {
        value_write_duration(value->number, text);
    } else if (type == VALUE_INSTANT || type == VALUE_DEADLINE) {
        value_write_instant(value->number, text);
    } else if (type == VALUE_ID) {
        tender_id_format(value->id, text);
    } else {
        return;
    }
    expect(value_read(rule, text, &again, why) == 0);
    expect(again.number == value->number && again.is_relative == value->is_relative);
    expect(tender_id_equal(again.id, value->id));
}

static void check_range(const struct value_rule *rule, const struct value *value)
{
    switch (rule->type) {
    case VALUE_COUNT:
    case VALUE_CREDITS:
    case VALUE_DURATION:
    case VALUE_INSTANT:
    case VALUE_SHARE:
        expect(value->number >= rule->minimum && value->number <= rule->maximum);
        break;
    case VALUE_DEADLINE:
        expect(value->number >= 1 && value->number <= TENDER_INSTANT_MAX);
        expect(!value->is_relative || value->number <= TENDER_DURATION_MAX);
        break;
    case VALUE_NAME:
        expect(strlen(value->text) >= 1 && strlen(value->text) <= TENDER_NAME_MAX);
        break;
    case VALUE_SKILL:
        expect(strlen(value->text) >= 1 && strlen(value->text) <= TENDER_SKILL_MAX);
        break;
    default:
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    const struct value_rule *rule = &rules[input_byte(&input) % (sizeof rules / sizeof rules[0])];
    char *text = input_text(input);
    char why[VALUE_WHY_MAX] = "";
    char form[VALUE_FORM_MAX];
    struct value value;
    value_describe(rule, form);
    int status = value_read(rule, text, &value, why);
    if (status == 0) {
        expect(value.is_set && value.text == text);
        check_range(rule, &value);
        write_again(rule, &value);
    } else {
        expect(status == TENDER_EINVAL && !value.is_set && why[0] != '\0');
        for (const char *at = why; *at != '\0'; at++) {
            expect(isprint((unsigned char)*at));
        }
    }
    free(text);
    return 0;
}
