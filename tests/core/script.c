/*
 * Plays: one line is one event, as a person would say it. What a line says is in script_say.c.
 *
 *     fund PRINCIPAL CREDITS
 *     join NAME PRINCIPAL [SKILL[,SKILL…] SLOTS]      hello, and offer
 *     mute NAME · leave NAME · bye NAME               no heartbeats · session gone · says bye
 *     wait DURATION · pause DURATION · tick · restart         pause: time passes, nobody looks
 *     recess BEFORE AFTER                             from BEFORE ago until AFTER from now
 *     NAME announces TASK [FIELD=VALUE…]      units=1 ceiling=10 window=20s due=60m key=TASK
 *     NAME bids TASK COST ETA [capacity= estimate= round= valid= text= digest=bad cost=bad eta=bad]
 *     NAME refuses|withdraws TASK
 *     NAME acks TASK [gen= part=]
 *     NAME progress|done|fails TASK UNITS [gen= part= content= size= digest= cost= tier=
 *         evidence=NAME:VALUE[,…]]
 *     [op] NAME cancels|closes|releases|queries TASK [gen= part= goal=]
 *     NAME accepts|rejects|adopts TASK [units= gen= part= reason= text=]
 *     [op] NAME believes TASK|goal:GOAL REASON [task= units= gen= part= text=]
 *     op NAME holds|unholds [TASK] [contractor= principal= skill= reason= text= until=DURATION]
 *     op NAME rates SKILL RATE THRESHOLD [tier= share=]
 *     op NAME counts RESOURCE COUNT [contractor=]
 *     op NAME enrols PRINCIPAL [contractor= key=1…255 parent= skills=SKILL[,SKILL…] at=
 * revoked=yes] ? PRINCIPAL AVAILABLE RESERVED SPENT EARNED     its account, in credits, by the
 * ledger = WORDS                 all that the last event caused, or what happened during a wait
 */
#include "script.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

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

int64_t words_credits(const char *text)
{
    double value = strtod(text, NULL) * (double)TENDER_MICRO_PER_CREDIT;
    return (int64_t)(value < 0 ? value - 0.5 : value + 0.5);
}

int64_t words_duration(const char *text)
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

const char *words_option(const struct words *words, const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i < words->count; i++) {
        if (strncmp(words->items[i], name, size) == 0 && words->items[i][size] == '=') {
            return words->items[i] + size + 1;
        }
    }
    return NULL;
}

const char *words_option_or(const struct words *words, const char *name, const char *otherwise)
{
    const char *value = words_option(words, name);
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

static void tell_of_work(struct stage *stage, const struct words *words, size_t first,
                         tender_performative performative)
{
    (void)first;
    script_report(stage, words, performative);
}

static bool act(struct stage *stage, const struct words *words)
{
    static const struct {
        const char *verb;
        tender_performative performative;
        void (*say)(struct stage *, const struct words *, size_t first, tender_performative);
    } verbs[] = {
        {"acks", TENDER_ACKNOWLEDGE, tell_of_work},
        {"progress", TENDER_INFORM_PROGRESS, tell_of_work},
        {"done", TENDER_INFORM_DONE, tell_of_work},
        {"fails", TENDER_FAILURE, tell_of_work},
        {"refuses", TENDER_REFUSE, script_ask},
        {"withdraws", TENDER_WITHDRAW, script_ask},
        {"cancels", TENDER_CANCEL, script_ask},
        {"closes", TENDER_CLOSE, script_ask},
        {"releases", TENDER_RELEASE, script_ask},
        {"queries", TENDER_QUERY, script_ask},
        {"accepts", TENDER_ACCEPT, script_decide},
        {"rejects", TENDER_REJECT, script_decide},
        {"adopts", TENDER_ADOPT, script_decide},
        {"believes", TENDER_BELIEVE, script_believe},
        {"holds", TENDER_HOLD, script_operate},
        {"unholds", TENDER_RELEASE, script_operate},
        {"rates", TENDER_RATE, script_operate},
        {"counts", TENDER_RESOURCE, script_operate},
        {"enrols", TENDER_ENROL, script_enrol},
    };
    size_t first = strcmp(words->items[0], "op") == 0 ? 1 : 0;
    const char *verb = words->count > first + 1 ? words->items[first + 1] : "";
    if (strcmp(verb, "announces") == 0) {
        script_announce(stage, words);
        return true;
    }
    if (strcmp(verb, "bids") == 0) {
        script_bid(stage, words);
        return true;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strcmp(verb, verbs[i].verb) == 0) {
            verbs[i].say(stage, words, first, verbs[i].performative);
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
                              .amount_micro = words_credits(words->items[2])};
        stage_hear(stage, &event);
    } else if (strcmp(verb, "join") == 0) {
        join(stage, words);
    } else if (strcmp(verb, "wait") == 0) {
        stage_wait(stage, stage->now_us + words_duration(words->items[1]));
    } else if (strcmp(verb, "pause") == 0) {
        stage->now_us += words_duration(words->items[1]);
    } else if (strcmp(verb, "tick") == 0) {
        stage_tick(stage);
    } else if (strcmp(verb, "restart") == 0) {
        stage_restart(stage);
    } else if (strcmp(verb, "recess") == 0) {
        struct event event = {.kind = EVENT_RECESS,
                              .from_us = stage->now_us - words_duration(words->items[1]),
                              .until_us = stage->now_us + words_duration(words->items[2])};
        stage_hear(stage, &event);
    } else {
        return leave(stage, words);
    }
    return true;
}

static void check_account(struct stage *stage, const struct words *words)
{
    const struct stage_balance *balance = stage_balance(stage, words->items[1]);
    assert_int_equal(balance->available_micro, words_credits(words->items[2]));
    assert_int_equal(balance->reserved_micro, words_credits(words->items[3]));
    assert_int_equal(balance->spent_micro, words_credits(words->items[4]));
    assert_int_equal(balance->earned_micro, words_credits(words->items[5]));
}

void script_line(struct stage *stage, const char *line)
{
    struct words words;
    split(line, &words);
    if (words.items[0][0] == '?') {
        check_account(stage, &words);
        return;
    }
    stage->heard[0] = '\0';
    if (!direct(stage, &words) && !act(stage, &words)) {
        fail_msg("no such line: %s", line);
    }
}

void script_run(const char *const *lines, size_t count)
{
    struct stage *stage = stage_open();
    for (size_t i = 0; i < count; i++) {
        if (lines[i][0] == '=') {
            const char *expected = lines[i] + 1;
            expected += strspn(expected, " ");
            if (strcmp(stage->heard, expected) != 0) {
                fail_msg("after `%s`\n  expected: %s\n  happened: %s", lines[i - 1], expected,
                         stage->heard);
            }
            continue;
        }
        script_line(stage, lines[i]);
    }
    stage_compare(stage);
    stage_close(stage);
}
