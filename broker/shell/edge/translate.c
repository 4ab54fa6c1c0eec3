/*
 * The rules of the edge: see translate.h.
 */
#include "translate.h"

#include "wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BID_FAULTS                                                                                 \
    (MESSAGE_BIT(MESSAGE_COST) | MESSAGE_BIT(MESSAGE_ETA) | MESSAGE_BIT(MESSAGE_VALID_UNTIL))

/* Begins an answer that can be matched with what it answers. */
static void begin_answer(const struct message *message, uint64_t number,
                         tender_performative performative, tender_reason reason,
                         struct translate_answer *answer)
{
    memset(&answer->message, 0, sizeof(answer->message));
    answer->text[0] = '\0';
    answer->message.performative = performative;
    answer->message.conversation = message->conversation;
    message_set(&answer->message, REASON, reason, reason);
    if (number != 0) {
        message_set(&answer->message, NUMBER, number, (int64_t)number);
    }
    if (message_has(message, MESSAGE_KEY)) {
        message_set(&answer->message, KEY, key, message->key);
    }
    if (message_has(message, MESSAGE_ROUND)) {
        message_set(&answer->message, ROUND, round, message->round);
    }
    if (message_has(message, MESSAGE_PART) && message_has(message, MESSAGE_GENERATION)) {
        message_set(&answer->message, PART, part, message->part);
        message_set(&answer->message, GENERATION, generation, message->generation);
    }
}

static void set_text(struct translate_answer *answer)
{
    tender_bytes text = {.data = answer->text, .size = strlen(answer->text)};
    message_set(&answer->message, TEXT, text, text);
}

static void set_field(struct translate_answer *answer, const char *name)
{
    tender_bytes field = {.data = name, .size = strlen(name)};
    message_set(&answer->message, FIELD, field, field);
}

/* What a text or a binary field may be. */
static const char *describe(enum message_field field)
{
    switch (field) {
    case MESSAGE_NAME:
    case MESSAGE_PRINCIPAL:
    case MESSAGE_CONTRACTOR:
    case MESSAGE_GOAL:
        return "a name of 1 to 64 of A-Z a-z 0-9 . _ @ / -, beginning with a letter or digit";
    case MESSAGE_SKILL:
    case MESSAGE_SKILLS:
    case MESSAGE_TIER:
        return "a skill: [a-z0-9]([a-z0-9._/-]{0,62}[a-z0-9])?, at most 64 of them";
    case MESSAGE_KEY:
        return "1 to 128 bytes of UTF-8 without NUL";
    case MESSAGE_CONTENT:
        return "at most 65536 bytes";
    case MESSAGE_AFTER:
        return "1 to 16 identifiers of 16 bytes";
    case MESSAGE_TEXT:
    case MESSAGE_EVIDENCE:
        return "at most 4096 bytes of UTF-8 without NUL";
    default:
        return "a value of the type that PROTOCOL.md gives it";
    }
}

static enum translate_verdict answer_fault(const struct message *message, uint64_t number,
                                           enum message_field field, bool is_missing,
                                           struct translate_answer *answer)
{
    int64_t minimum = 0;
    int64_t maximum = 0;
    bool is_first = field == message->fault;
    tender_reason reason =
        is_missing || !is_first ? TENDER_REASON_MALFORMED : message->fault_reason;
    const char *name = message_field_name(field);
    begin_answer(message, number, TENDER_NOT_UNDERSTOOD, reason, answer);
    set_field(answer, name);
    const char *how = is_missing ? "is missing" : "is not usable";
    if (message_field_range(field, &minimum, &maximum)) {
        snprintf(answer->text, sizeof(answer->text),
                 "%s %s: an integer from %" PRId64 " to %" PRId64, name, how, minimum, maximum);
    } else {
        snprintf(answer->text, sizeof(answer->text), "%s %s: %s", name, how, describe(field));
    }
    set_text(answer);
    return TRANSLATE_ANSWER;
}

static enum translate_verdict answer_reason(const struct message *message, uint64_t number,
                                            tender_reason reason, const char *field,
                                            const char *text, struct translate_answer *answer)
{
    begin_answer(message, number, TENDER_NOT_UNDERSTOOD, reason, answer);
    if (field != NULL) {
        set_field(answer, field);
    }
    snprintf(answer->text, sizeof(answer->text), "%s", text);
    set_text(answer);
    return TRANSLATE_ANSWER;
}

/* Whether a report or a refusal counts without its text. */
static bool may_lose_text(tender_performative performative)
{
    return performative == TENDER_PROPOSE || performative == TENDER_REFUSE ||
           performative == TENDER_INFORM_PROGRESS || performative == TENDER_INFORM_DONE ||
           performative == TENDER_FAILURE || performative == TENDER_CANCEL;
}

/* The faults that matter for this performative, once what can be mended is mended. */
static message_mask remaining_faults(struct message *message, const struct message_rule *rule)
{
    message_mask faulty = message->faulty & (rule->required | rule->optional);
    if (may_lose_text(message->performative)) {
        faulty &= ~MESSAGE_BIT(MESSAGE_TEXT);
    }
    if (faulty == 0) {
        message->fault = 0;
        message->fault_reason = TENDER_REASON_NONE;
    }
    return faulty;
}

/* A bid with a cost, eta or validity that is none is for the book to record. */
static bool is_bad_bid(struct message *message, message_mask faulty, enum message_field missing)
{
    message_mask wrong = faulty | (missing != 0 ? MESSAGE_BIT(missing) : 0);
    if (message->performative != TENDER_PROPOSE || (wrong & ~BID_FAULTS) != 0) {
        return false;
    }
    enum message_field first = message_first(wrong);
    if (first != message->fault) {
        message->fault = first;
        message->fault_reason = TENDER_REASON_MALFORMED;
    }
    return true;
}

static enum translate_verdict check_fields(struct message *message, uint64_t number,
                                           const struct message_rule *rule,
                                           struct translate_answer *answer)
{
    message_mask faulty = remaining_faults(message, rule);
    enum message_field missing = message_missing(message, MESSAGE_FROM_PEER);
    if (faulty == 0 && missing == 0) {
        return TRANSLATE_HEAR;
    }
    if (is_bad_bid(message, faulty, missing)) {
        return TRANSLATE_HEAR;
    }
    message_mask not_bid = message->performative == TENDER_PROPOSE ? faulty & ~BID_FAULTS : faulty;
    if (not_bid != 0) {
        enum message_field field =
            (not_bid & MESSAGE_BIT(message->fault)) != 0 ? message->fault : message_first(not_bid);
        return answer_fault(message, number, field, false, answer);
    }
    return answer_fault(message, number, missing, true, answer);
}

enum translate_verdict translate_check(struct message *message, uint64_t number,
                                       struct translate_answer *answer_out)
{
    const struct message_rule *rule = message_rule(MESSAGE_FROM_PEER, message->performative);
    if (rule == NULL) {
        return answer_reason(message, number, TENDER_REASON_UNKNOWN_PERFORMATIVE, NULL,
                             "a peer does not say this", answer_out);
    }
    bool is_nil = tender_id_is_nil(message->conversation);
    if (rule->conversation == MESSAGE_CONVERSATION_TASK && is_nil) {
        return answer_reason(message, number, TENDER_REASON_MALFORMED, "conversation",
                             "this names a task, and the conversation is all zero", answer_out);
    }
    if (rule->conversation == MESSAGE_CONVERSATION_NIL && !is_nil) {
        memset(&message->conversation, 0, sizeof(message->conversation));
    }
    if (message->performative == TENDER_NOT_UNDERSTOOD) {
        return TRANSLATE_SKIP;
    }
    if (message->performative == TENDER_BYE) {
        return TRANSLATE_LEAVE;
    }
    return check_fields(message, number, rule, answer_out);
}

void translate_no_message(uint64_t number, struct translate_answer *answer_out)
{
    static const struct message nothing;
    (void)answer_reason(&nothing, number, TENDER_REASON_MALFORMED, NULL,
                        "a message is [performative, conversation of 16 bytes, map]", answer_out);
}
