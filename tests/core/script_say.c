/* What the lines of a play say, as messages: announcements, bids, reports, decisions, wishes. */
#include "script.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

static void set_optional_times(const struct words *words, struct message *message, int64_t now_us)
{
    if (words_option(words, "backoff") != NULL) {
        message_set(message, BACKOFF, backoff_us, words_duration(words_option(words, "backoff")));
    }
    if (words_option(words, "ack") != NULL) {
        message_set(message, ACK, ack_us, words_duration(words_option(words, "ack")));
    }
    if (words_option(words, "heartbeat") != NULL) {
        message_set(message, HEARTBEAT, heartbeat_us,
                    words_duration(words_option(words, "heartbeat")));
    }
    if (words_option(words, "deadline") != NULL) {
        int64_t deadline = now_us + words_duration(words_option(words, "deadline"));
        message_set(message, DEADLINE, deadline_at_us, deadline);
    }
}

static void set_optional_terms(const struct words *words, struct message *message)
{
    const char *fallback = words_option(words, "fallback");
    const char *partial = words_option(words, "partial");
    if (words_option(words, "rounds") != NULL) {
        message_set(message, ROUNDS, rounds, strtoll(words_option(words, "rounds"), NULL, 10));
    }
    if (words_option(words, "priority") != NULL) {
        message_set(message, PRIORITY, priority,
                    strtoll(words_option(words, "priority"), NULL, 10));
    }
    if (words_option(words, "fee") != NULL) {
        message_set(message, KILL_FEE, kill_fee_ppm, strtoll(words_option(words, "fee"), NULL, 10));
    }
    if (words_option(words, "alone") != NULL) {
        message_set(message, CLOSE_ALONE, close_alone, 1);
    }
    if (partial != NULL) {
        message_set(message, PARTIAL, partial, tender_partial_parse(partial, strlen(partial)));
    }
    if (fallback != NULL && strcmp(fallback, "hold") == 0) {
        message_set(message, FALLBACK, fallback, TENDER_FALLBACK_HOLD);
    } else if (fallback != NULL) {
        message_set(message, FALLBACK, fallback, TENDER_FALLBACK_CONTRACTOR);
        message_set(message, CONTRACTOR, contractor, stage_bytes(fallback));
    }
}

/* Names joined by commas, as a list; valid until the next call. */
static struct message_texts names_of(const char *text)
{
    static char copy[512];
    static tender_bytes items[TENDER_SKILLS_MAX];
    struct message_texts list = {0, items};
    char *rest = NULL;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *name = strtok_r(copy, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest)) {
        assert_true(list.count < TENDER_SKILLS_MAX);
        items[list.count++] = stage_bytes(name);
    }
    return list;
}

/* Identifiers of tasks, one behind the other; valid until the next call. */
static tender_bytes ids_of(struct stage *stage, const char *text)
{
    static tender_id ids[TENDER_SKILLS_MAX];
    struct message_texts names = names_of(text);
    for (uint32_t i = 0; i < names.count; i++) {
        ids[i] = stage_task(stage, names.items[i].data)->id;
    }
    return (tender_bytes){ids, names.count * sizeof ids[0]};
}

/* Terms beyond those of a plain task, each by the name of its field. */
static void set_more_terms(struct stage *stage, const struct words *words, struct message *message)
{
    static const struct {
        const char *name;
        enum message_field field;
        size_t member;
    } counts[] = {
        {"split", MESSAGE_SPLIT_MAX, offsetof(struct message, split_max)},
        {"cover_all", MESSAGE_COVER_ALL, offsetof(struct message, cover_all)},
        {"improve", MESSAGE_IMPROVE, offsetof(struct message, improve)},
        {"lead_only", MESSAGE_LEAD_ONLY, offsetof(struct message, lead_only)},
        {"invite_max", MESSAGE_INVITE_MAX, offsetof(struct message, invite_max)},
        {"newcomers", MESSAGE_SHARE, offsetof(struct message, share_ppm)},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const char *value = words_option(words, counts[i].name);
        if (value != NULL) {
            int64_t number = strtoll(value, NULL, 10);
            memcpy((char *)message + counts[i].member, &number, sizeof number);
            message->present |= MESSAGE_BIT(counts[i].field);
        }
    }
    if (words_option(words, "needs") != NULL) {
        message_set(message, SKILLS, skills, names_of(words_option(words, "needs")));
    }
    if (words_option(words, "after") != NULL) {
        message_set(message, AFTER, after, ids_of(stage, words_option(words, "after")));
    }
    if (words_option(words, "accept") != NULL) {
        message_set(message, ACCEPT, accept_us, words_duration(words_option(words, "accept")));
    }
    if (words_option(words, "goal") != NULL) {
        message_set(message, GOAL, goal, stage_bytes(words_option(words, "goal")));
    }
    if (words_option(words, "evidence") != NULL) {
        message_set(message, EVIDENCE, evidence, stage_bytes(words_option(words, "evidence")));
    }
    if (words_option(words, "tier") != NULL) {
        message_set(message, TIER, tier, stage_bytes(words_option(words, "tier")));
    }
}

void script_announce(struct stage *stage, const struct words *words)
{
    struct stage_task *task = stage_task(stage, words->items[2]);
    struct message message = {.performative = TENDER_ANNOUNCE};
    message_set(&message, KEY, key, stage_bytes(words_option_or(words, "key", task->name)));
    message_set(&message, SKILL, skill, stage_bytes(words_option_or(words, "skill", "forge")));
    message_set(&message, UNITS, units, strtoll(words_option_or(words, "units", "1"), NULL, 10));
    message_set(&message, CEILING, ceiling_micro,
                words_credits(words_option_or(words, "ceiling", "10")));
    message_set(&message, WINDOW, window_us,
                words_duration(words_option_or(words, "window", "20s")));
    message_set(&message, DUE, due_us, words_duration(words_option_or(words, "due", "60m")));
    set_optional_times(words, &message, stage->now_us);
    set_optional_terms(words, &message);
    set_more_terms(stage, words, &message);
    if (words_option(words, "again") != NULL) {
        message_set(&message, AGAIN, again, stage_task(stage, words_option(words, "again"))->id);
    }
    if (words_option(words, "content") != NULL) {
        message_set(&message, CONTENT, content, stage_bytes(words_option(words, "content")));
    }
    snprintf(task->client, sizeof task->client, "%s", words->items[0]);
    /* the cfps of this very event are told under the task's new identifier */
    tender_id id = {{0}};
    id.bytes[6] = 0x70;
    id.bytes[14] = (uint8_t)((stage->ids + 1) >> 8);
    id.bytes[15] = (uint8_t)(stage->ids + 1);
    tender_id before = task->id;
    task->id = id;
    stage_say(stage, words->items[0], &message, 0, false);
    for (size_t i = 0; i < stage->effects.tell_count; i++) {
        const struct message *told = &stage->effects.tells[i].message;
        if (told->performative == TENDER_AGREE) {
            task->id = told->conversation;
            return;
        }
    }
    task->id = before;
}

void script_bid(struct stage *stage, const struct words *words)
{
    struct stage_task *task = stage_task(stage, words->items[2]);
    struct message message = {.performative = TENDER_PROPOSE, .conversation = task->id};
    const char *round = words_option(words, "round");
    tender_digest digest = task->digest;
    digest.bytes[0] ^= words_option(words, "digest") != NULL ? 1 : 0;
    message_set(&message, ROUND, round, round != NULL ? strtoll(round, NULL, 10) : task->round);
    message_set(&message, DIGEST, digest, digest);
    message_set(&message, COST, cost_micro, words_credits(words->items[3]));
    message_set(&message, ETA, eta_us, words_duration(words->items[4]));
    if (words_option(words, "valid") != NULL) {
        int64_t valid = stage->now_us + words_duration(words_option(words, "valid"));
        message_set(&message, VALID_UNTIL, valid_until_us, valid);
    }
    if (words_option(words, "text") != NULL) {
        message_set(&message, TEXT, text, stage_bytes(words_option(words, "text")));
    }
    if (words_option(words, "capacity") != NULL) {
        message_set(&message, CAPACITY, capacity,
                    strtoll(words_option(words, "capacity"), NULL, 10));
    }
    if (words_option(words, "estimate") != NULL) {
        message_set(&message, ESTIMATE, estimate_micro,
                    words_credits(words_option(words, "estimate")));
    }
    enum message_field fault = 0;
    fault = words_option(words, "eta") != NULL ? MESSAGE_ETA : fault;
    fault = words_option(words, "cost") != NULL ? MESSAGE_COST : fault;
    if (fault != 0) {
        message.fault = fault;
        message.faulty = MESSAGE_BIT(fault);
        message.fault_reason = TENDER_REASON_MALFORMED;
        message.present &= ~MESSAGE_BIT(fault);
    }
    stage_say(stage, words->items[0], &message, 0, false);
}

static void name_commitment(const struct stage_task *task, const struct words *words,
                            struct message *message)
{
    const char *generation = words_option(words, "gen");
    int64_t number = generation != NULL ? strtoll(generation, NULL, 10) : task->generation;
    message_set(message, PART, part, strtoll(words_option_or(words, "part", "0"), NULL, 10));
    message_set(message, GENERATION, generation, number);
}

/* What a report brings besides its units: NAME:VALUE,… become lines NAME=VALUE. */
static void set_evidence(const struct words *words, struct message *message)
{
    static char lines[512];
    if (words_option(words, "evidence") != NULL) {
        snprintf(lines, sizeof lines, "%s\n", words_option(words, "evidence"));
        for (char *at = lines; *at != '\0'; at++) {
            *at = *at == ':' ? '=' : *at == ',' ? '\n' : *at;
        }
        message_set(message, EVIDENCE, evidence, stage_bytes(lines));
    }
    if (words_option(words, "size") != NULL) {
        message_set(message, SIZE, size, strtoll(words_option(words, "size"), NULL, 10));
    }
    if (words_option(words, "digest") != NULL) {
        message_set(message, DIGEST, digest,
                    entry_digest(stage_bytes(words_option(words, "digest"))));
    }
    if (words_option(words, "cost") != NULL) {
        message_set(message, COST, cost_micro, words_credits(words_option(words, "cost")));
    }
    if (words_option(words, "tier") != NULL) {
        message_set(message, TIER, tier, stage_bytes(words_option(words, "tier")));
    }
}

void script_report(struct stage *stage, const struct words *words, tender_performative performative)
{
    struct stage_task *task = stage_task(stage, words->items[2]);
    struct message message = {.performative = performative, .conversation = task->id};
    name_commitment(task, words, &message);
    if (performative != TENDER_ACKNOWLEDGE) {
        const char *content = words_option_or(words, "content", "result");
        message_set(&message, UNITS_DONE, units_done, strtoll(words->items[3], NULL, 10));
        if (content[0] != '\0') {
            message_set(&message, CONTENT, content, stage_bytes(content));
        }
        set_evidence(words, &message);
    }
    if (performative == TENDER_FAILURE) {
        message_set(&message, REASON, reason, TENDER_REASON_QUALITY_CHECK);
    }
    stage_say(stage, words->items[0], &message, 0, false);
}

static int64_t reason_of(const char *name)
{
    int reason = tender_reason_parse(name, strlen(name));
    assert_true(reason >= 0);
    return reason;
}

/* Fields that a client or an operator may give by their names. */
static void set_named(const struct words *words, struct message *message, int64_t now_us)
{
    if (words_option(words, "contractor") != NULL) {
        message_set(message, CONTRACTOR, contractor,
                    stage_bytes(words_option(words, "contractor")));
    }
    if (words_option(words, "principal") != NULL) {
        message_set(message, PRINCIPAL, principal, stage_bytes(words_option(words, "principal")));
    }
    if (words_option(words, "skill") != NULL) {
        message_set(message, SKILL, skill, stage_bytes(words_option(words, "skill")));
    }
    if (words_option(words, "tier") != NULL) {
        message_set(message, TIER, tier, stage_bytes(words_option(words, "tier")));
    }
    if (words_option(words, "text") != NULL) {
        message_set(message, TEXT, text, stage_bytes(words_option(words, "text")));
    }
    if (words_option(words, "units") != NULL) {
        message_set(message, UNITS_DONE, units_done,
                    strtoll(words_option(words, "units"), NULL, 10));
    }
    if (words_option(words, "share") != NULL) {
        message_set(message, SHARE, share_ppm, strtoll(words_option(words, "share"), NULL, 10));
    }
    if (words_option(words, "reason") != NULL) {
        message_set(message, REASON, reason, reason_of(words_option(words, "reason")));
    }
    if (words_option(words, "until") != NULL) {
        message_set(message, DEADLINE, deadline_at_us,
                    now_us + words_duration(words_option(words, "until")));
    }
}

/* A client decides on what was delivered: accepts, rejects, adopts. */
void script_decide(struct stage *stage, const struct words *words, size_t first,
                   tender_performative performative)
{
    struct stage_task *task = stage_task(stage, words->items[first + 2]);
    struct message message = {.performative = performative, .conversation = task->id};
    name_commitment(task, words, &message);
    if (performative == TENDER_REJECT) {
        message_set(&message, REASON, reason, TENDER_REASON_QUALITY_CHECK);
    }
    set_named(words, &message, stage->now_us);
    stage_say(stage, words->items[first], &message, first, first != 0);
}

void script_believe(struct stage *stage, const struct words *words, size_t first,
                    tender_performative performative)
{
    const char *about = words->items[first + 2];
    struct message message = {.performative = performative};
    message_set(&message, REASON, reason, reason_of(words->items[first + 3]));
    if (strncmp(about, "goal:", 5) == 0) {
        const char *task = words_option(words, "task");
        message_set(&message, GOAL, goal, stage_bytes(about + 5));
        message.conversation = task != NULL ? stage_task(stage, task)->id : (tender_id){{0}};
    } else {
        message.conversation = stage_task(stage, about)->id;
    }
    if (words_option(words, "gen") != NULL) {
        name_commitment(stage_task(stage, about), words, &message);
    }
    set_named(words, &message, stage->now_us);
    stage_say(stage, words->items[first], &message, first, first != 0);
}

/* An operator's hold, its end, a posted rate or the count of a resource. */
void script_operate(struct stage *stage, const struct words *words, size_t first,
                    tender_performative performative)
{
    struct message message = {.performative = performative};
    const char *about = words->count > first + 2 ? words->items[first + 2] : "=";
    if (performative == TENDER_RATE) {
        message_set(&message, SKILL, skill, stage_bytes(about));
        message_set(&message, PRICE, price_micro, words_credits(words->items[first + 3]));
        message_set(&message, CEILING, ceiling_micro, words_credits(words->items[first + 4]));
    } else if (performative == TENDER_RESOURCE) {
        message_set(&message, SKILL, skill, stage_bytes(about));
        message_set(&message, UNITS_DONE, units_done, strtoll(words->items[first + 3], NULL, 10));
    } else if (strchr(about, '=') == NULL) {
        message.conversation = stage_task(stage, about)->id;
    }
    if (performative == TENDER_HOLD) {
        message_set(&message, REASON, reason, TENDER_REASON_OTHER);
    }
    set_named(words, &message, stage->now_us);
    stage_say(stage, words->items[first], &message, first, first != 0);
}

/* A key is 32 times the same byte. */
void script_enrol(struct stage *stage, const struct words *words, size_t first,
                  tender_performative performative)
{
    struct message message = {.performative = performative};
    tender_bytes skills[TENDER_SKILLS_MAX];
    struct message_texts texts = {0, skills};
    char list[256];
    const char *key = words_option(words, "key");
    const char *said = words_option(words, "skills");
    if (strcmp(words->items[first + 2], "*") != 0) {
        message_set(&message, PRINCIPAL, principal, stage_bytes(words->items[first + 2]));
    }
    message_set(&message, AT, at_us,
                strtoll(words_option_or(words, "at", "0"), NULL, 10) + stage->now_us);
    if (key != NULL) {
        tender_digest digest;
        memset(&digest, atoi(key), sizeof digest);
        message_set(&message, DIGEST, digest, digest);
    }
    if (words_option(words, "contractor") != NULL) {
        message_set(&message, CONTRACTOR, contractor,
                    stage_bytes(words_option(words, "contractor")));
    }
    if (words_option(words, "parent") != NULL) {
        message_set(&message, NAME, name, stage_bytes(words_option(words, "parent")));
    }
    if (words_option(words, "revoked") != NULL) {
        message_set(&message, REASON, reason, TENDER_REASON_REVOKED);
    }
    if (said != NULL) {
        char *rest = NULL;
        snprintf(list, sizeof list, "%s", said);
        for (char *skill = strtok_r(list, ",", &rest); skill != NULL;
             skill = strtok_r(NULL, ",", &rest)) {
            skills[texts.count++] = stage_bytes(skill);
        }
        message_set(&message, SKILLS, skills, texts);
    }
    stage_say(stage, words->items[first], &message, first, first != 0);
}

void script_ask(struct stage *stage, const struct words *words, size_t first,
                tender_performative performative)
{
    struct stage_task *task = stage_task(stage, words->items[first + 2]);
    struct message message = {.performative = performative, .conversation = task->id};
    if (performative == TENDER_REFUSE || performative == TENDER_WITHDRAW) {
        message_set(&message, ROUND, round, task->round);
        message_set(&message, REASON, reason, TENDER_REASON_OVER_CAPACITY);
    }
    if (words_option(words, "gen") != NULL) {
        name_commitment(task, words, &message);
    }
    if (words_option(words, "goal") != NULL) {
        message_set(&message, GOAL, goal, stage_bytes(words_option(words, "goal")));
    }
    stage_say(stage, words->items[first], &message, first, first != 0);
}
