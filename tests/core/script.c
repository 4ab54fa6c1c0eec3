/*
 * Plays: one line is one event, as a person would say it.
 *
 *     fund PRINCIPAL CREDITS
 *     join NAME PRINCIPAL [SKILL[,SKILL…] SLOTS]      hello, and offer
 *     mute NAME · leave NAME · bye NAME               no heartbeats · session gone · says bye
 *     wait DURATION · pause DURATION · tick · restart         pause: time passes, nobody looks
 *     recess BEFORE AFTER                             from BEFORE ago until AFTER from now
 *     NAME announces TASK [FIELD=VALUE…]              units=1 ceiling=10 window=20s due=60m
 * key=TASK NAME bids TASK COST ETA [round= valid= digest=bad cost=bad eta=bad text=] NAME
 * refuses|withdraws|acks TASK · NAME progress|done|fails TASK UNITS [gen=] [op] NAME
 * cancels|closes|releases|queries TASK ? PRINCIPAL AVAILABLE RESERVED SPENT EARNED     its account,
 * in credits, by the ledger = WORDS                                         all that the last event
 * caused, or after a wait, that happened meanwhile
 */
#include "stage.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#define WORDS_MAX 24

struct words {
    char text[512];
    char *items[WORDS_MAX];
    size_t count;
};

static void split(const char *line, struct words *words)
{
    words->count = 0;
    snprintf(words->text, sizeof words->text, "%s", line);
    char *rest = NULL;
    for (char *word = strtok_r(words->text, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        assert_true(words->count < WORDS_MAX);
        words->items[words->count++] = word;
    }
}

static int64_t credits(const char *text)
{
    double value = strtod(text, NULL) * (double)TENDER_MICRO_PER_CREDIT;
    return (int64_t)(value < 0 ? value - 0.5 : value + 0.5);
}

static int64_t duration(const char *text)
{
    char *unit = NULL;
    int64_t value = strtoll(text, &unit, 10);
    if (strcmp(unit, "us") == 0) {
        return value;
    }
    if (strcmp(unit, "ms") == 0) {
        return value * 1000;
    }
    int64_t seconds = *unit == 'd' ? 86400 : *unit == 'h' ? 3600 : *unit == 'm' ? 60 : 1;
    return value * seconds * 1000000;
}

/* The value of `name=value` among the words, or NULL. */
static const char *option(const struct words *words, const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i < words->count; i++) {
        if (strncmp(words->items[i], name, size) == 0 && words->items[i][size] == '=') {
            return words->items[i] + size + 1;
        }
    }
    return NULL;
}

static const char *option_or(const struct words *words, const char *name, const char *otherwise)
{
    const char *value = option(words, name);
    return value != NULL ? value : otherwise;
}

static void join(struct stage *stage, const struct words *words)
{
    struct stage_peer *peer = stage_peer(stage, words->items[1]);
    snprintf(peer->principal, sizeof peer->principal, "%s", words->items[2]);
    peer->is_muted = false;
    struct message hello = {.performative = TENDER_HELLO};
    message_set(&hello, NAME, name, stage_bytes(peer->name));
    message_set(&hello, PRINCIPAL, principal, stage_bytes(peer->principal));
    message_set(&hello, HEARTBEAT, heartbeat_us, 5000000);
    stage_say(stage, peer->name, &hello, 0, false);
    if (words->count < 5) {
        return;
    }
    tender_bytes skills[TENDER_SKILLS_MAX];
    uint32_t count = 0;
    char *rest = NULL;
    for (char *skill = strtok_r(words->items[3], ",", &rest); skill != NULL;
         skill = strtok_r(NULL, ",", &rest)) {
        skills[count++] = stage_bytes(skill);
    }
    struct message_texts list = {count, skills};
    struct message offer = {.performative = TENDER_OFFER};
    message_set(&offer, SKILLS, skills, list);
    message_set(&offer, SLOTS, slots, strtoll(words->items[4], NULL, 10));
    stage_say(stage, peer->name, &offer, 0, false);
}

static void set_optional_times(const struct words *words, struct message *message, int64_t now_us)
{
    if (option(words, "backoff") != NULL) {
        message_set(message, BACKOFF, backoff_us, duration(option(words, "backoff")));
    }
    if (option(words, "ack") != NULL) {
        message_set(message, ACK, ack_us, duration(option(words, "ack")));
    }
    if (option(words, "heartbeat") != NULL) {
        message_set(message, HEARTBEAT, heartbeat_us, duration(option(words, "heartbeat")));
    }
    if (option(words, "deadline") != NULL) {
        int64_t deadline = now_us + duration(option(words, "deadline"));
        message_set(message, DEADLINE, deadline_at_us, deadline);
    }
}

static void set_optional_terms(const struct words *words, struct message *message)
{
    const char *fallback = option(words, "fallback");
    const char *partial = option(words, "partial");
    if (option(words, "rounds") != NULL) {
        message_set(message, ROUNDS, rounds, strtoll(option(words, "rounds"), NULL, 10));
    }
    if (option(words, "priority") != NULL) {
        message_set(message, PRIORITY, priority, strtoll(option(words, "priority"), NULL, 10));
    }
    if (option(words, "fee") != NULL) {
        message_set(message, KILL_FEE, kill_fee_ppm, strtoll(option(words, "fee"), NULL, 10));
    }
    if (option(words, "alone") != NULL) {
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

static void announce(struct stage *stage, const struct words *words)
{
    struct stage_task *task = stage_task(stage, words->items[2]);
    struct message message = {.performative = TENDER_ANNOUNCE};
    message_set(&message, KEY, key, stage_bytes(option_or(words, "key", task->name)));
    message_set(&message, SKILL, skill, stage_bytes(option_or(words, "skill", "forge")));
    message_set(&message, UNITS, units, strtoll(option_or(words, "units", "1"), NULL, 10));
    message_set(&message, CEILING, ceiling_micro, credits(option_or(words, "ceiling", "10")));
    message_set(&message, WINDOW, window_us, duration(option_or(words, "window", "20s")));
    message_set(&message, DUE, due_us, duration(option_or(words, "due", "60m")));
    set_optional_times(words, &message, stage->now_us);
    set_optional_terms(words, &message);
    if (option(words, "again") != NULL) {
        message_set(&message, AGAIN, again, stage_task(stage, option(words, "again"))->id);
    }
    if (option(words, "content") != NULL) {
        message_set(&message, CONTENT, content, stage_bytes(option(words, "content")));
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

static void bid(struct stage *stage, const struct words *words)
{
    struct stage_task *task = stage_task(stage, words->items[2]);
    struct message message = {.performative = TENDER_PROPOSE, .conversation = task->id};
    const char *round = option(words, "round");
    tender_digest digest = task->digest;
    digest.bytes[0] ^= option(words, "digest") != NULL ? 1 : 0;
    message_set(&message, ROUND, round, round != NULL ? strtoll(round, NULL, 10) : task->round);
    message_set(&message, DIGEST, digest, digest);
    message_set(&message, COST, cost_micro, credits(words->items[3]));
    message_set(&message, ETA, eta_us, duration(words->items[4]));
    if (option(words, "valid") != NULL) {
        int64_t valid = stage->now_us + duration(option(words, "valid"));
        message_set(&message, VALID_UNTIL, valid_until_us, valid);
    }
    if (option(words, "text") != NULL) {
        message_set(&message, TEXT, text, stage_bytes(option(words, "text")));
    }
    enum message_field fault = 0;
    fault = option(words, "eta") != NULL ? MESSAGE_ETA : fault;
    fault = option(words, "cost") != NULL ? MESSAGE_COST : fault;
    if (fault != 0) {
        message.fault = fault;
        message.faulty = MESSAGE_BIT(fault);
        message.fault_reason = TENDER_REASON_MALFORMED;
        message.present &= ~MESSAGE_BIT(fault);
    }
    stage_say(stage, words->items[0], &message, 0, false);
}

static void report(struct stage *stage, const struct words *words, tender_performative performative)
{
    struct stage_task *task = stage_task(stage, words->items[2]);
    struct message message = {.performative = performative, .conversation = task->id};
    const char *generation = option(words, "gen");
    int64_t number = generation != NULL ? strtoll(generation, NULL, 10) : task->generation;
    message_set(&message, PART, part, 0);
    message_set(&message, GENERATION, generation, number);
    if (performative != TENDER_ACKNOWLEDGE) {
        message_set(&message, UNITS_DONE, units_done, strtoll(words->items[3], NULL, 10));
        message_set(&message, CONTENT, content, stage_bytes("result"));
    }
    if (performative == TENDER_FAILURE) {
        message_set(&message, REASON, reason, TENDER_REASON_QUALITY_CHECK);
    }
    stage_say(stage, words->items[0], &message, 0, false);
}

static void ask(struct stage *stage, const struct words *words, size_t first,
                tender_performative performative)
{
    struct stage_task *task = stage_task(stage, words->items[first + 2]);
    struct message message = {.performative = performative, .conversation = task->id};
    if (performative == TENDER_REFUSE || performative == TENDER_WITHDRAW) {
        message_set(&message, ROUND, round, task->round);
        message_set(&message, REASON, reason, TENDER_REASON_OVER_CAPACITY);
    }
    stage_say(stage, words->items[first], &message, first, first != 0);
}

static bool act(struct stage *stage, const struct words *words)
{
    static const struct {
        const char *verb;
        tender_performative performative;
        bool is_report;
    } verbs[] = {
        {"acks", TENDER_ACKNOWLEDGE, true},  {"progress", TENDER_INFORM_PROGRESS, true},
        {"done", TENDER_INFORM_DONE, true},  {"fails", TENDER_FAILURE, true},
        {"refuses", TENDER_REFUSE, false},   {"withdraws", TENDER_WITHDRAW, false},
        {"cancels", TENDER_CANCEL, false},   {"closes", TENDER_CLOSE, false},
        {"releases", TENDER_RELEASE, false}, {"queries", TENDER_QUERY, false},
    };
    size_t first = strcmp(words->items[0], "op") == 0 ? 1 : 0;
    const char *verb = words->count > first + 1 ? words->items[first + 1] : "";
    if (strcmp(verb, "announces") == 0) {
        announce(stage, words);
        return true;
    }
    if (strcmp(verb, "bids") == 0) {
        bid(stage, words);
        return true;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strcmp(verb, verbs[i].verb) == 0) {
            if (verbs[i].is_report) {
                report(stage, words, verbs[i].performative);
            } else {
                ask(stage, words, first, verbs[i].performative);
            }
            return true;
        }
    }
    return false;
}

static bool leave(struct stage *stage, const struct words *words)
{
    struct stage_peer *peer = words->count > 1 ? stage_peer(stage, words->items[1]) : NULL;
    if (strcmp(words->items[0], "mute") == 0) {
        peer->is_muted = true;
    } else if (strcmp(words->items[0], "leave") == 0) {
        struct event event = {.kind = EVENT_LEFT, .peer = stage_bytes(peer->name)};
        peer->is_muted = true;
        stage_hear(stage, &event);
    } else if (strcmp(words->items[0], "bye") == 0) {
        struct message bye = {.performative = TENDER_BYE};
        peer->is_muted = true;
        stage_say(stage, peer->name, &bye, 0, false);
    } else {
        return false;
    }
    return true;
}

static bool direct(struct stage *stage, const struct words *words)
{
    const char *verb = words->items[0];
    if (strcmp(verb, "fund") == 0) {
        struct event event = {.kind = EVENT_FUND,
                              .peer = stage_bytes("operator"),
                              .principal = stage_bytes(words->items[1]),
                              .request = 1,
                              .amount_micro = credits(words->items[2])};
        stage_hear(stage, &event);
    } else if (strcmp(verb, "join") == 0) {
        join(stage, words);
    } else if (strcmp(verb, "wait") == 0) {
        stage_wait(stage, stage->now_us + duration(words->items[1]));
    } else if (strcmp(verb, "pause") == 0) {
        stage->now_us += duration(words->items[1]);
    } else if (strcmp(verb, "tick") == 0) {
        stage_tick(stage);
    } else if (strcmp(verb, "restart") == 0) {
        stage_restart(stage);
    } else if (strcmp(verb, "recess") == 0) {
        struct event event = {.kind = EVENT_RECESS,
                              .from_us = stage->now_us - duration(words->items[1]),
                              .until_us = stage->now_us + duration(words->items[2])};
        stage_hear(stage, &event);
    } else {
        return leave(stage, words);
    }
    return true;
}

static void check_account(struct stage *stage, const struct words *words)
{
    const struct stage_balance *balance = stage_balance(stage, words->items[1]);
    assert_int_equal(balance->available_micro, credits(words->items[2]));
    assert_int_equal(balance->reserved_micro, credits(words->items[3]));
    assert_int_equal(balance->spent_micro, credits(words->items[4]));
    assert_int_equal(balance->earned_micro, credits(words->items[5]));
}

void script_run(const char *const *lines, size_t count)
{
    struct stage *stage = stage_open();
    for (size_t i = 0; i < count; i++) {
        struct words words;
        if (lines[i][0] == '=') {
            const char *expected = lines[i] + 1;
            expected += strspn(expected, " ");
            if (strcmp(stage->heard, expected) != 0) {
                fail_msg("after `%s`\n  expected: %s\n  happened: %s", lines[i - 1], expected,
                         stage->heard);
            }
            continue;
        }
        split(lines[i], &words);
        if (words.items[0][0] == '?') {
            check_account(stage, &words);
            continue;
        }
        stage->heard[0] = '\0';
        if (!direct(stage, &words) && !act(stage, &words)) {
            fail_msg("no such line: %s", lines[i]);
        }
    }
    stage_compare(stage);
    stage_close(stage);
}
