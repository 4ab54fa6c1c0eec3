/*
 * Names, texts and checks of the vocabularies: everything here follows from the tables of
 * tender/vocabulary.h. Knows no messages and no state.
 */
#include "tender/vocabulary.h"

#include <string.h>

#define NAME_ROW_(code, NAME, name, rest)                                                          \
    case code:                                                                                     \
        return name;
#define PARSE_ROW_(code, NAME, name, rest)                                                         \
    if (is_word(name, text, size)) {                                                               \
        return code;                                                                               \
    }

static bool is_word(const char *word, const char *text, size_t size)
{
    return strlen(word) == size && memcmp(word, text, size) == 0;
}

/* Defines tender_<noun>_name and tender_<noun>_parse from one table. */
#define VOCABULARY_(noun, ROWS, unknown)                                                           \
    const char *tender_##noun##_name(tender_##noun noun)                                           \
    {                                                                                              \
        switch ((int)noun) {                                                                       \
            ROWS(NAME_ROW_)                                                                        \
        default:                                                                                   \
            return NULL;                                                                           \
        }                                                                                          \
    }                                                                                              \
    int tender_##noun##_parse(const char *text, size_t size)                                       \
    {                                                                                              \
        ROWS(PARSE_ROW_)                                                                           \
        return unknown;                                                                            \
    }

VOCABULARY_(performative, TENDER_PERFORMATIVES, 0)
VOCABULARY_(reason, TENDER_REASONS, -1)
VOCABULARY_(task_state, TENDER_TASK_STATES, 0)
VOCABULARY_(commitment_state, TENDER_COMMITMENT_STATES, 0)
VOCABULARY_(bid_state, TENDER_BID_STATES, 0)
VOCABULARY_(partial, TENDER_PARTIALS, 0)
VOCABULARY_(fallback, TENDER_FALLBACKS, 0)

const char *tender_reason_text(tender_reason reason)
{
    switch ((int)reason) {
#define X(code, NAME, name, text)                                                                  \
    case code:                                                                                     \
        return text;
        TENDER_REASONS(X)
#undef X
    default:
        return NULL;
    }
}

bool tender_task_state_is_terminal(tender_task_state state)
{
    switch ((int)state) {
#define X(code, NAME, name, terminal)                                                              \
    case code:                                                                                     \
        return terminal;
        TENDER_TASK_STATES(X)
#undef X
    default:
        return false;
    }
}

bool tender_commitment_state_is_terminal(tender_commitment_state state)
{
    switch ((int)state) {
#define X(code, NAME, name, terminal)                                                              \
    case code:                                                                                     \
        return terminal;
        TENDER_COMMITMENT_STATES(X)
#undef X
    default:
        return false;
    }
}

void tender_id_format(tender_id id, char text_out[TENDER_ID_TEXT_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;
    for (size_t i = 0; i < sizeof id.bytes; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) {
            text_out[at++] = '-';
        }
        text_out[at++] = digits[id.bytes[i] >> 4];
        text_out[at++] = digits[id.bytes[i] & 15];
    }
    text_out[at] = '\0';
}

static int hex_value(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    if (digit >= 'a' && digit <= 'f') {
        return digit - 'a' + 10;
    }
    if (digit >= 'A' && digit <= 'F') {
        return digit - 'A' + 10;
    }
    return -1;
}

int tender_id_parse(const char *text, size_t size, tender_id *id_out)
{
    if (size != TENDER_ID_TEXT_SIZE - 1) {
        return TENDER_EINVAL;
    }
    size_t at = 0;
    for (size_t i = 0; i < sizeof id_out->bytes; i++) {
        if ((i == 4 || i == 6 || i == 8 || i == 10) && text[at++] != '-') {
            return TENDER_EINVAL;
        }
        int high = hex_value(text[at]);
        int low = hex_value(text[at + 1]);
        if (high < 0 || low < 0) {
            return TENDER_EINVAL;
        }
        id_out->bytes[i] = (uint8_t)(high << 4 | low);
        at += 2;
    }
    return 0;
}

bool tender_id_is_nil(tender_id id)
{
    static const tender_id nil;
    return memcmp(id.bytes, nil.bytes, sizeof nil.bytes) == 0;
}

bool tender_id_equal(tender_id left, tender_id right)
{
    return memcmp(left.bytes, right.bytes, sizeof left.bytes) == 0;
}

static bool is_lower_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool tender_skill_is_valid(const char *skill, size_t size)
{
    if (size == 0 || size > TENDER_SKILL_MAX) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        bool is_inner = i > 0 && i + 1 < size;
        bool is_mark = skill[i] == '.' || skill[i] == '_' || skill[i] == '/' || skill[i] == '-';
        if (!is_lower_or_digit(skill[i]) && !(is_inner && is_mark)) {
            return false;
        }
    }
    return true;
}

bool tender_name_is_valid(const char *name, size_t size)
{
    if (size == 0 || size > TENDER_NAME_MAX) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        char c = name[i];
        bool is_letter = is_lower_or_digit(c) || (c >= 'A' && c <= 'Z');
        bool is_mark = c == '.' || c == '_' || c == '@' || c == '/' || c == '-';
        if (!is_letter && !(i > 0 && is_mark)) {
            return false;
        }
    }
    return true;
}

/* Bytes of the character that begins at `text`, or 0 where there is none. */
static size_t character_size(const unsigned char *text, size_t left)
{
    unsigned char first = text[0];
    if (first < 0x80) {
        return first != 0;
    }
    size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || size > left) {
        return 0;
    }
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    /* Overlong forms, surrogates and what lies beyond U+10FFFF differ in the second byte. */
    if ((first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] > 0x9f) ||
        (first == 0xf0 && text[1] < 0x90) || (first == 0xf4 && text[1] > 0x8f)) {
        return 0;
    }
    return size;
}

bool tender_text_is_valid(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        size_t step = character_size((const unsigned char *)text + at, size - at);
        if (step == 0) {
            return false;
        }
        at += step;
    }
    return true;
}
