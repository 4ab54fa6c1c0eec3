/*
 * Goal: one principal cannot take the book from the others: neither with open tasks nor with the
 * answers of its agents, nor by dividing itself. Method: small caps, two principals on each side;
 * what one is refused the other gets, siblings are one, and after each event a recalled book counts
 * the same.
 */
#include "stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void join(struct stage *stage, const char *name, const char *principal, bool is_contractor)
{
    struct stage_peer *peer = stage_peer(stage, name);
    snprintf(peer->principal, sizeof peer->principal, "%s", principal);
    struct message hello = {.performative = TENDER_HELLO};
    message_set(&hello, HEARTBEAT, heartbeat_us, 3600000000);
    stage_say(stage, name, &hello, 0, false);
    if (is_contractor) {
        tender_bytes skill = stage_bytes("forge");
        struct message_texts skills = {1, &skill};
        struct message offer = {.performative = TENDER_OFFER};
        message_set(&offer, SKILLS, skills, skills);
        message_set(&offer, SLOTS, slots, 100);
        stage_say(stage, name, &offer, 0, false);
        return;
    }
    struct event fund = {.kind = EVENT_FUND,
                         .peer = stage_bytes("operator"),
                         .principal = stage_bytes(principal),
                         .amount_micro = INT64_C(1000000000000)};
    stage_hear(stage, &fund);
}

/* Announces under a key; returns the broker's answer to it. */
static struct message announce(struct stage *stage, const char *client, const char *key)
{
    struct message message = {.performative = TENDER_ANNOUNCE};
    message_set(&message, KEY, key, stage_bytes(key));
    message_set(&message, SKILL, skill, stage_bytes("forge"));
    message_set(&message, UNITS, units, 1);
    message_set(&message, CEILING, ceiling_micro, 1000000);
    message_set(&message, WINDOW, window_us, 1000000);
    message_set(&message, DUE, due_us, 60000000);
    message_set(&message, ROUNDS, rounds, 1);
    stage_say(stage, client, &message, 0, false);
    for (size_t i = 0; i < stage->effects.tell_count; i++) {
        const struct message *told = &stage->effects.tells[i].message;
        if (message_has(told, MESSAGE_KEY)) {
            return *told;
        }
    }
    fail_msg("%s was not answered", key);
    return message;
}

/* Who was asked for a bid in the last event, in one text: "kiln-1 kiln-3". */
static const char *asked(const struct stage *stage, struct message *cfp_out)
{
    static char names[256];
    names[0] = '\0';
    for (int number = 1; number <= 3; number++) {
        char name[24];
        snprintf(name, sizeof name, "kiln-%d", number);
        for (size_t i = 0; i < stage->effects.tell_count; i++) {
            const struct tell *tell = &stage->effects.tells[i];
            if (tell->message.performative == TENDER_CFP && tell->to.size == strlen(name) &&
                memcmp(tell->to.data, name, tell->to.size) == 0) {
                size_t size = strlen(names);
                snprintf(names + size, sizeof names - size, "%s%s", size > 0 ? " " : "", name);
                *cfp_out = tell->message;
            }
        }
    }
    return names;
}

static void bid(struct stage *stage, const char *name, const struct message *cfp)
{
    struct message said = {.performative = TENDER_PROPOSE, .conversation = cfp->conversation};
    message_set(&said, ROUND, round, cfp->round);
    message_set(&said, DIGEST, digest, cfp->digest);
    message_set(&said, COST, cost_micro, 1000);
    message_set(&said, ETA, eta_us, 1000000);
    stage_say(stage, name, &said, 0, false);
}

static void open_tasks_of_one_account_are_capped_and_another_announces(void **state)
{
    (void)state;
    struct book_limits limits = stage_limits();
    limits.principal_tasks = 2;
    struct stage *stage = stage_open_with(&limits);
    join(stage, "client", "acme", false);
    join(stage, "other", "zenith", false);
    struct message first = announce(stage, "client", "one");
    assert_int_equal(first.performative, TENDER_AGREE);
    assert_int_equal(announce(stage, "client", "two").performative, TENDER_AGREE);
    struct message refused = announce(stage, "client", "three");
    assert_int_equal(refused.performative, TENDER_REFUSE);
    assert_int_equal(refused.reason, TENDER_REASON_LIMIT_REACHED);
    assert_int_equal(refused.field.size, strlen("principal"));
    assert_int_equal(announce(stage, "client", "one").performative, TENDER_AGREE); /* is held */
    assert_int_equal(announce(stage, "other", "three").performative, TENDER_AGREE);
    stage_restart(stage);
    join(stage, "client", "acme", false);
    assert_int_equal(announce(stage, "client", "four").reason, TENDER_REASON_LIMIT_REACHED);
    struct message cancel = {.performative = TENDER_CANCEL, .conversation = first.conversation};
    stage_say(stage, "client", &cancel, 0, false);
    assert_int_equal(announce(stage, "client", "four").performative, TENDER_AGREE);
    stage_close(stage);
}

static void answers_of_one_principal_are_capped_and_another_is_invited(void **state)
{
    (void)state;
    struct message cfp = {.performative = 0};
    struct message next = {.performative = 0};
    struct book_limits limits = stage_limits();
    limits.principal_answers = 2;
    struct stage *stage = stage_open_with(&limits);
    join(stage, "client", "acme", false);
    join(stage, "kiln-1", "amber", true);
    join(stage, "kiln-2", "amber", true);
    join(stage, "kiln-3", "birch", true);
    (void)announce(stage, "client", "one");
    assert_string_equal(asked(stage, &cfp), "kiln-1 kiln-2 kiln-3");
    (void)announce(stage, "client", "two");
    assert_string_equal(asked(stage, &next), "kiln-3");
    bid(stage, "kiln-1", &next); /* nobody asked it */
    assert_int_equal(stage->effects.tell_count, 1);
    assert_int_equal(stage->effects.tells[0].message.performative, TENDER_REJECT_PROPOSAL);
    assert_int_equal(stage->effects.tells[0].message.reason, TENDER_REASON_LIMIT_REACHED);
    bid(stage, "kiln-3", &next);
    stage_wait(stage, next.closes_at_us);
    (void)announce(stage, "client", "three"); /* both rounds are over: there is room again */
    assert_string_equal(asked(stage, &cfp), "kiln-1 kiln-2 kiln-3");
    stage_close(stage);
}

static void award_to(struct stage *stage, const char *key, const char *winner, bool is_capped)
{
    struct message cfp = {.performative = 0};
    (void)announce(stage, "client", key);
    assert_string_equal(asked(stage, &cfp), is_capped ? "kiln-3" : "kiln-1 kiln-2 kiln-3");
    bid(stage, "kiln-1", &cfp); /* the digest can be had from somebody else */
    bid(stage, "kiln-3", &cfp);
    stage_wait(stage, cfp.closes_at_us);
    const struct entry *last = &stage->entries[stage->entry_count - 1];
    struct entry entry = *last;
    assert_int_equal(entry.kind, ENTRY_AWARDED);
    assert_int_equal(entry_decode(stage->reader, &entry), 0);
    assert_int_equal(entry.awarded.contractor.size, strlen(winner));
    assert_memory_equal(entry.awarded.contractor.data, winner, strlen(winner));
    assert_int_equal(entry.awarded.ranks.count, 2);
    tender_reason reason = entry.awarded.ranks.items[1].reason;
    assert_int_equal(reason, is_capped ? TENDER_REASON_LIMIT_REACHED : TENDER_REASON_OUTBID);
}

static void what_a_principal_owes_is_capped_and_another_wins(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        struct book_limits limits = stage_limits();
        limits.principal_awards = way == 0 ? 1 : 0;
        /* one award at the other's cost, 1000, and then no round of a ceiling of 1000000 any more
         */
        limits.principal_exposure_micro = way == 0 ? 0 : 1000999;
        struct stage *stage = stage_open_with(&limits);
        join(stage, "client", "acme", false);
        join(stage, "kiln-1", "amber", true);
        join(stage, "kiln-2", "amber", true);
        join(stage, "kiln-3", "birch", true);
        award_to(stage, "one", "kiln-1", false);
        award_to(stage, "two", "kiln-3", true);
        stage_restart(stage); /* what is owed is recalled */
        stage_close(stage);
    }
}

static void an_account_announces_so_many_a_second(void **state)
{
    (void)state;
    struct book_limits limits = stage_limits();
    limits.principal_announcements = 2;
    struct stage *stage = stage_open_with(&limits);
    join(stage, "client", "acme", false);
    join(stage, "other", "zenith", false);
    assert_int_equal(announce(stage, "client", "one").performative, TENDER_AGREE);
    assert_int_equal(announce(stage, "client", "two").performative, TENDER_AGREE);
    struct message refused = announce(stage, "client", "three");
    assert_int_equal(refused.reason, TENDER_REASON_LIMIT_REACHED);
    assert_memory_equal(refused.field.data, "announcements", refused.field.size);
    assert_int_equal(announce(stage, "client", "one").performative, TENDER_AGREE); /* is held */
    assert_int_equal(announce(stage, "other", "three").performative, TENDER_AGREE);
    stage->now_us += 499999;
    assert_int_equal(announce(stage, "client", "three").reason, TENDER_REASON_LIMIT_REACHED);
    stage->now_us += 1;
    assert_int_equal(announce(stage, "client", "three").performative, TENDER_AGREE);
    stage_close(stage);
}

static void enrol(struct stage *stage, const char *principal, const char *parent)
{
    struct message said = {.performative = TENDER_ENROL};
    message_set(&said, PRINCIPAL, principal, stage_bytes(principal));
    message_set(&said, AT, at_us, 1);
    if (parent != NULL) {
        message_set(&said, NAME, name, stage_bytes(parent));
    }
    stage_say(stage, "root", &said, 1, true);
}

/* The root is one that nobody else is of; the branches were here before they were enrolled. */
static void make_branches(struct stage *stage, const char *first, const char *second)
{
    enrol(stage, "works", NULL);
    enrol(stage, first, "works");
    enrol(stage, second, "works");
}

static void open_tasks_of_all_siblings_are_capped(void **state)
{
    (void)state;
    struct book_limits limits = stage_limits();
    limits.principal_tasks = 2;
    struct stage *stage = stage_open_with(&limits);
    join(stage, "client", "acme", false);
    join(stage, "other", "zenith", false);
    struct message first = announce(stage, "client", "one");
    assert_int_equal(first.performative, TENDER_AGREE);
    make_branches(stage, "acme", "zenith"); /* what the one announced counts from now on */
    assert_int_equal(announce(stage, "other", "two").performative, TENDER_AGREE);
    assert_int_equal(announce(stage, "other", "three").reason, TENDER_REASON_LIMIT_REACHED);
    assert_int_equal(announce(stage, "client", "three").reason, TENDER_REASON_LIMIT_REACHED);
    stage_restart(stage);
    join(stage, "client", "acme", false);
    join(stage, "other", "zenith", false);
    assert_int_equal(announce(stage, "other", "three").reason, TENDER_REASON_LIMIT_REACHED);
    struct message cancel = {.performative = TENDER_CANCEL, .conversation = first.conversation};
    stage_say(stage, "client", &cancel, 0, false);
    assert_int_equal(announce(stage, "other", "three").performative, TENDER_AGREE);
    stage_close(stage);
}

static void siblings_announce_so_many_a_second(void **state)
{
    (void)state;
    struct book_limits limits = stage_limits();
    limits.principal_announcements = 1;
    struct stage *stage = stage_open_with(&limits);
    make_branches(stage, "acme", "zenith");
    join(stage, "client", "acme", false);
    join(stage, "other", "zenith", false);
    assert_int_equal(announce(stage, "client", "one").performative, TENDER_AGREE);
    assert_int_equal(announce(stage, "other", "two").reason, TENDER_REASON_LIMIT_REACHED);
    stage->now_us += 1000000;
    assert_int_equal(announce(stage, "other", "two").performative, TENDER_AGREE);
    stage_close(stage);
}

static void answers_of_siblings_are_capped_together(void **state)
{
    (void)state;
    struct message cfp = {.performative = 0};
    struct book_limits limits = stage_limits();
    limits.principal_answers = 2;
    struct stage *stage = stage_open_with(&limits);
    make_branches(stage, "amber", "beech");
    join(stage, "client", "acme", false);
    join(stage, "kiln-1", "amber", true);
    join(stage, "kiln-2", "beech", true);
    join(stage, "kiln-3", "birch", true);
    (void)announce(stage, "client", "one");
    assert_string_equal(asked(stage, &cfp), "kiln-1 kiln-2 kiln-3");
    (void)announce(stage, "client", "two");
    assert_string_equal(asked(stage, &cfp), "kiln-3");
    stage_close(stage);
}

static void what_siblings_owe_is_capped_together(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        struct book_limits limits = stage_limits();
        limits.principal_awards = way == 0 ? 1 : 0;
        limits.principal_exposure_micro = way == 0 ? 0 : 1000999; /* as above */
        struct stage *stage = stage_open_with(&limits);
        join(stage, "client", "acme", false);
        join(stage, "kiln-1", "amber", true);
        join(stage, "kiln-2", "beech", true);
        join(stage, "kiln-3", "birch", true);
        award_to(stage, "one", "kiln-1", false);
        make_branches(stage, "amber", "beech"); /* what the one owes counts from now on */
        award_to(stage, "two", "kiln-3", true);
        stage_restart(stage);
        stage_close(stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_tasks_of_one_account_are_capped_and_another_announces),
        cmocka_unit_test(answers_of_one_principal_are_capped_and_another_is_invited),
        cmocka_unit_test(what_a_principal_owes_is_capped_and_another_wins),
        cmocka_unit_test(an_account_announces_so_many_a_second),
        cmocka_unit_test(open_tasks_of_all_siblings_are_capped),
        cmocka_unit_test(siblings_announce_so_many_a_second),
        cmocka_unit_test(answers_of_siblings_are_capped_together),
        cmocka_unit_test(what_siblings_owe_is_capped_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
