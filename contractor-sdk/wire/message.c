/*
 * The tables of message.h as functions: names and ranges of fields, and what each performative
 * carries in which direction. Knows neither msgpack nor sockets.
 */
#include "message.h"

#include "wire.h"

/* clang-format off */

/* Ranges of integers. X(NAME, minimum, maximum); every INT and ENUM field has a row. */
#define FIELD_RANGES(X)                                        \
    X(HEARTBEAT,   0,         INT64_C(3600000000))              \
    X(SLOTS,       0,         TENDER_SLOTS_MAX)                 \
    X(UNITS,       1,         TENDER_UNITS_MAX)                 \
    X(CEILING,     0,         TENDER_MONEY_MAX)                 \
    X(WINDOW,      1,         TENDER_DURATION_MAX)              \
    X(DUE,         1,         TENDER_DURATION_MAX)              \
    X(DEADLINE,    0,         TENDER_INSTANT_MAX)               \
    X(ROUNDS,      1,         TENDER_ROUNDS_MAX)                \
    X(BACKOFF,     0,         TENDER_DURATION_MAX)              \
    X(ACK,         1,         TENDER_DURATION_MAX)              \
    X(PRIORITY,    0,         TENDER_PRIORITY_MAX)              \
    X(PARTIAL,     1,         3)                                \
    X(KILL_FEE,    0,         TENDER_PPM)                       \
    X(CLOSE_ALONE, 0,         1)                                \
    X(FALLBACK,    1,         3)                                \
    X(ROUND,       0,         UINT32_MAX)                       \
    X(CLOSES_AT,   0,         TENDER_INSTANT_MAX)               \
    /* A bid is judged by the book, which gives each fault of it a reason of its own. */ \
    X(COST,        0,         INT64_MAX)                        \
    X(ETA,         1,         INT64_MAX)                        \
    X(VALID_UNTIL, 0,         INT64_MAX)                        \
    X(REASON,      0,         999)                              \
    X(PART,        0,         UINT32_MAX)                       \
    X(GENERATION,  0,         UINT32_MAX)                       \
    X(PRICE,       0,         TENDER_MONEY_MAX)                 \
    X(DUE_AT,      0,         TENDER_INSTANT_MAX)               \
    X(ACK_BY,      0,         TENDER_INSTANT_MAX)               \
    X(UNITS_DONE,  0,         TENDER_UNITS_MAX)                 \
    X(PAID,        0,         TENDER_MONEY_MAX)                 \
    X(TASK_STATE,  1,         8)                                \
    X(STATE,       1,         7)                                \
    X(AT,          0,         TENDER_INSTANT_MAX)               \
    X(NUMBER,      0,         INT64_MAX)                        \
    X(RELEASED,    0,         TENDER_MONEY_MAX)                 \
    X(RANK,        0,         INT64_MAX)                        \
    X(BIDS,        0,         INT64_MAX)                        \
    X(ACCEPT,      0,         TENDER_DURATION_MAX)              \
    X(SIZE,        0,         INT64_MAX)                        \
    X(SPLIT_MAX,   0,         TENDER_SPLIT_MAX)                 \
    X(CAPACITY,    0,         INT64_MAX)                        \
    X(COVER_ALL,   0,         1)                                \
    X(IMPROVE,     0,         TENDER_IMPROVE_MAX)               \
    X(LEAD_ONLY,   0,         1)                                \
    X(INVITE_MAX,  0,         TENDER_INVITE_MAX)                \
    X(SHARE,       0,         TENDER_PPM)                       \
    X(ESTIMATE,    0,         TENDER_MONEY_MAX)
/* clang-format on */

const char *message_field_name(enum message_field field)
{
    switch ((int)field) {
#define X(key, NAME, member, TYPE, name)                                                           \
    case key:                                                                                      \
        return name;
        MESSAGE_FIELDS(X)
#undef X
    default:
        return NULL;
    }
}

bool message_field_range(enum message_field field, int64_t *minimum_out, int64_t *maximum_out)
{
    switch ((int)field) {
#define X(NAME, minimum, maximum)                                                                  \
    case MESSAGE_##NAME:                                                                           \
        *minimum_out = (minimum);                                                                  \
        *maximum_out = (maximum);                                                                  \
        return true;
        FIELD_RANGES(X)
#undef X
    default:
        return false;
    }
}

bool message_field_allows(enum message_field field, int64_t value)
{
    int64_t minimum = 0;
    int64_t maximum = 0;
    return message_field_range(field, &minimum, &maximum) && value >= minimum && value <= maximum;
}

static size_t text_limit(enum message_field field)
{
    switch ((int)field) {
    case MESSAGE_KEY:
        return TENDER_KEY_MAX;
    case MESSAGE_TEXT:
    case MESSAGE_EVIDENCE:
        return TENDER_TEXT_MAX;
    case MESSAGE_ADDRESS:
        return TENDER_ADDRESS_MAX;
    default:
        return TENDER_NAME_MAX;
    }
}

static bool text_is_valid(enum message_field field, tender_bytes text)
{
    switch ((int)field) {
    case MESSAGE_NAME:
    case MESSAGE_PRINCIPAL:
    case MESSAGE_CONTRACTOR:
    case MESSAGE_GOAL:
        return tender_name_is_valid(text.data, text.size);
    case MESSAGE_SKILL:
    case MESSAGE_SKILLS:
    case MESSAGE_TIER:
        return tender_skill_is_valid(text.data, text.size);
    case MESSAGE_KEY:
        return text.size > 0 && tender_text_is_valid(text.data, text.size);
    default:
        return tender_text_is_valid(text.data, text.size);
    }
}

tender_reason message_text_fault(enum message_field field, tender_bytes text)
{
    if (text.size > text_limit(field)) {
        return TENDER_REASON_OUT_OF_RANGE;
    }
    return text_is_valid(field, text) ? TENDER_REASON_NONE : TENDER_REASON_MALFORMED;
}

static const struct message_rule rules[] = {
#define X(FROM, NAME, CONVERSATION, required, optional)                                            \
    {MESSAGE_FROM_##FROM, TENDER_##NAME, MESSAGE_CONVERSATION_##CONVERSATION, (required),          \
     (optional)},
    MESSAGE_RULES(X)
#undef X
};

const struct message_rule *message_rule(enum message_from from, tender_performative performative)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].from == from && rules[i].performative == performative) {
            return &rules[i];
        }
    }
    return NULL;
}

enum message_field message_missing(const struct message *message, enum message_from from)
{
    const struct message_rule *rule = message_rule(from, message->performative);
    message_mask missing =
        rule == NULL ? 0 : rule->required & ~(message->present | message->faulty);
    return missing == 0 ? 0 : message_first(missing);
}

enum message_field wire_missing(const struct message *message)
{
    return message_missing(message, MESSAGE_FROM_PEER);
}
