/*
 * Who may speak as whom, play by play: principals and agents are enrolled, given other keys and
 * revoked; after each step book_may is asked about every pair of name and key, also in a book that
 * recalled the entries.
 */
#include "keyring.h"
#include "play.h"
#include "script.h"

#include <string.h>

static tender_reason ask(struct stage *stage, const char *principal, const char *name, int key)
{
    uint8_t bytes[32];
    memset(bytes, key, sizeof bytes);
    return book_may(stage->book, stage_bytes(principal), stage_bytes(name), bytes);
}

static struct stage *play(const char *const *lines, size_t count)
{
    struct stage *stage = stage_open();
    for (size_t i = 0; i < count; i++) {
        script_line(stage, lines[i]);
    }
    stage_compare(stage);
    stage_restart(stage);
    return stage;
}

#define ENROL(...)                                                                                 \
    play((const char *const[]){__VA_ARGS__},                                                       \
         sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
#define KILN "op root enrols kiln key=1"

static void a_principals_key_speaks_as_any_agent_of_it(void **state)
{
    (void)state;
    struct stage *stage =
        ENROL(KILN, "op root enrols oven key=2", "op root enrols oven contractor=oven-1 key=3");
    assert_int_equal(ask(stage, "kiln", "kiln-1", 1), TENDER_REASON_NONE);
    assert_int_equal(ask(stage, "kiln", "kiln-2", 1), TENDER_REASON_NONE);
    assert_int_equal(ask(stage, "kiln", "oven-1", 1), TENDER_REASON_NAME_TAKEN);
    assert_int_equal(ask(stage, "kiln", "kiln-1", 2), TENDER_REASON_UNKNOWN_KEY);
    assert_int_equal(ask(stage, "kiln", "oven-1", 2), TENDER_REASON_UNKNOWN_KEY);
    assert_int_equal(ask(stage, "kiln", "oven-1", 3), TENDER_REASON_UNKNOWN_KEY);
    assert_int_equal(ask(stage, "oven", "oven-1", 2), TENDER_REASON_NONE);
    assert_int_equal(ask(stage, "silo", "silo-1", 1), TENDER_REASON_UNKNOWN_PRINCIPAL);
    stage_close(stage);
}

static void an_agents_key_speaks_as_that_agent_alone(void **state)
{
    (void)state;
    struct stage *stage = ENROL(
        "op root enrols kiln", "op root enrols kiln contractor=kiln-1 key=3",
        "op root enrols kiln contractor=kiln-2 key=4", "op root enrols kiln contractor=kiln-3");
    assert_int_equal(ask(stage, "kiln", "kiln-1", 3), TENDER_REASON_NONE);
    assert_int_equal(ask(stage, "kiln", "kiln-2", 3), TENDER_REASON_UNKNOWN_KEY);
    assert_int_equal(ask(stage, "kiln", "kiln-2", 4), TENDER_REASON_NONE);
    assert_int_equal(ask(stage, "kiln", "kiln-9", 3), TENDER_REASON_UNKNOWN_KEY);
    /* Without a key nothing matches, all zero least of all. */
    assert_int_equal(ask(stage, "kiln", "kiln-3", 0), TENDER_REASON_UNKNOWN_KEY);
    assert_int_equal(ask(stage, "kiln", "kiln-9", 0), TENDER_REASON_UNKNOWN_KEY);
    stage_close(stage);
}

static void a_key_for_all_speaks_for_who_is_not_enrolled_by_name(void **state)
{
    (void)state;
    struct stage *stage =
        ENROL("op root enrols * key=9", KILN, "op root enrols kiln contractor=kiln-1 key=3",
              "op root enrols oven");
    assert_int_equal(ask(stage, "silo", "silo-1", 9), TENDER_REASON_NONE);
    assert_int_equal(ask(stage, "silo", "silo-1", 8), TENDER_REASON_UNKNOWN_PRINCIPAL);
    assert_int_equal(ask(stage, "silo", "kiln-1", 9), TENDER_REASON_NAME_TAKEN);
    assert_int_equal(ask(stage, "kiln", "kiln-2", 9), TENDER_REASON_UNKNOWN_KEY);
    assert_int_equal(ask(stage, "oven", "oven-1", 9), TENDER_REASON_UNKNOWN_KEY);
    script_line(stage, "op root enrols * key=7");
    assert_int_equal(ask(stage, "silo", "silo-1", 9), TENDER_REASON_UNKNOWN_PRINCIPAL);
    assert_int_equal(ask(stage, "silo", "silo-1", 7), TENDER_REASON_NONE);
    script_line(stage, "op root enrols * revoked=yes");
    assert_int_equal(ask(stage, "silo", "silo-1", 7), TENDER_REASON_UNKNOWN_PRINCIPAL);
    stage_compare(stage);
    stage_close(stage);
}

static void another_key_replaces_the_one_before(void **state)
{
    (void)state;
    struct stage *stage =
        ENROL(KILN, "op root enrols kiln contractor=kiln-1 key=3 skills=forge,print", "tick",
              "op root enrols kiln key=5 at=1", "op root enrols kiln contractor=kiln-1 key=6 at=1");
    assert_int_equal(ask(stage, "kiln", "kiln-1", 1), TENDER_REASON_UNKNOWN_KEY);
    assert_int_equal(ask(stage, "kiln", "kiln-1", 3), TENDER_REASON_UNKNOWN_KEY);
    assert_int_equal(ask(stage, "kiln", "kiln-1", 5), TENDER_REASON_NONE);
    assert_int_equal(ask(stage, "kiln", "kiln-1", 6), TENDER_REASON_NONE);
    uint64_t changes = book_key_changes(stage->book);
    script_line(stage, "op root enrols kiln key=7 at=2");
    assert_true(book_key_changes(stage->book) > changes);
    stage_close(stage);
}

static void who_is_revoked_may_nothing_until_it_has_another_key(void **state)
{
    (void)state;
    struct stage *stage =
        ENROL(KILN, "op root enrols kiln contractor=kiln-1 key=3",
              "op root enrols kiln contractor=kiln-1 revoked=yes", "op root enrols oven key=2",
              "op root enrols oven contractor=oven-1 key=4", "op root enrols oven revoked=yes");
    assert_int_equal(ask(stage, "kiln", "kiln-1", 3), TENDER_REASON_REVOKED);
    assert_int_equal(ask(stage, "kiln", "kiln-1", 1), TENDER_REASON_REVOKED);
    assert_int_equal(ask(stage, "kiln", "kiln-2", 1), TENDER_REASON_NONE);
    assert_int_equal(ask(stage, "oven", "oven-1", 4), TENDER_REASON_REVOKED);
    assert_int_equal(ask(stage, "oven", "oven-2", 2), TENDER_REASON_REVOKED);
    script_line(stage, "op root enrols kiln contractor=kiln-1 key=8");
    script_line(stage, "op root enrols oven key=9");
    stage_compare(stage);
    assert_int_equal(ask(stage, "kiln", "kiln-1", 3), TENDER_REASON_UNKNOWN_KEY);
    assert_int_equal(ask(stage, "kiln", "kiln-1", 8), TENDER_REASON_NONE);
    assert_int_equal(ask(stage, "oven", "oven-1", 4), TENDER_REASON_NONE);
    assert_int_equal(ask(stage, "oven", "oven-2", 2), TENDER_REASON_UNKNOWN_KEY);
    stage_close(stage);
}

/* Shards may tell it in another order than it was said. */
static void what_was_said_later_counts(void **state)
{
    (void)state;
    struct keyring keyring;
    struct entry entry = {.kind = ENTRY_ADMITTED};
    uint8_t key[32] = {1};
    assert_int_equal(keyring_init(&keyring, 4, 4), 0);
    entry.admitted.principal = stage_bytes("kiln");
    entry.admitted.key.bytes[0] = 1;
    entry.admitted.said_at_us = 20;
    entry.admitted.revoked = 1;
    assert_int_equal(keyring_apply(&keyring, &entry), 0);
    entry.admitted.said_at_us = 10;
    entry.admitted.revoked = 0;
    assert_int_equal(keyring_apply(&keyring, &entry), 0);
    assert_int_equal(keyring_may(&keyring, stage_bytes("kiln"), stage_bytes("kiln"), key),
                     TENDER_REASON_REVOKED);
    assert_int_equal(keyring.changes, 1);
    keyring_release(&keyring);
}

static void a_full_keyring_takes_no_more_and_loses_nothing(void **state)
{
    (void)state;
    struct keyring keyring;
    struct entry entry = {.kind = ENTRY_ADMITTED};
    assert_int_equal(keyring_init(&keyring, 1, 1), 0);
    entry.admitted.principal = stage_bytes("kiln");
    entry.admitted.said_at_us = 1;
    assert_true(keyring_has_room(&keyring, &entry));
    assert_int_equal(keyring_apply(&keyring, &entry), 0);
    assert_true(keyring_has_room(&keyring, &entry));
    entry.admitted.principal = stage_bytes("oven");
    assert_false(keyring_has_room(&keyring, &entry));
    assert_int_equal(keyring_apply(&keyring, &entry), TENDER_ELIMIT);
    assert_non_null(keyring_principal(&keyring, stage_bytes("kiln")));
    entry = (struct entry){.kind = ENTRY_VOUCHED};
    tender_bytes skills[] = {stage_bytes("forge"), stage_bytes("print")};
    entry.vouched.agent = stage_bytes("kiln-1");
    entry.vouched.principal = stage_bytes("kiln");
    entry.vouched.said_at_us = 1;
    entry.vouched.skills = (struct entry_texts){2, skills};
    for (int i = 0; i < 2000; i++) { /* what is replaced makes room */
        assert_true(keyring_has_room(&keyring, &entry));
        assert_int_equal(keyring_apply(&keyring, &entry), 0);
    }
    assert_int_equal(keyring.grants.used_count, 2);
    assert_true(keyring_grants(&keyring, stage_bytes("kiln-1"), skills[1]));
    assert_false(keyring_grants(&keyring, stage_bytes("kiln-1"), stage_bytes("weld")));
    assert_true(keyring_grants(&keyring, stage_bytes("kiln-2"), stage_bytes("weld")));
    keyring_release(&keyring);
}

/* clang-format off */
PLAY(enrolling_is_recorded_and_agreed_to,
    "op root enrols kiln key=1 parent=works", "= >root refuse(unknown-principal)",
    "op root enrols works", "= admitted:works/#0 >root agree",
    "op root enrols kiln key=1 parent=works", "= admitted:kiln/works#1 >root agree",
    "op root enrols kiln contractor=kiln-1 key=3 skills=forge,print",
    "= vouched:kiln-1/kiln#3+2 >root agree",
    "op root enrols kiln contractor=kiln-1 key=4", "= vouched:kiln-1/kiln#4+2 >root agree",
    "op root enrols kiln contractor=kiln-1 skills=forge", "= vouched:kiln-1/kiln#4+1 >root agree",
    "op root enrols kiln revoked=yes", "= admitted:kiln/works#1/revoked >root agree",
    "restart")

PLAY(nobody_bids_on_a_task_of_its_own_root,
    "op root enrols acme", "op root enrols kilns parent=acme", "op root enrols ovens parent=kilns",
    "op root enrols birch", "fund acme 100", "fund kilns 100", "join client acme", "join team kilns",
    "join a kilns forge 4", "join b ovens forge 4", "join c birch forge 4", "join d cedar forge 4",
    "client announces t", "= announced opened:1/1/10 >client agree >d cfp(1) >c cfp(1)",
    "b bids t 1 10m", "= >b reject-proposal(own-task)",
    "team announces u", "= announced opened:1/1/10 >team agree >d cfp(1) >c cfp(1)",
    "a bids u 1 10m", "= >a reject-proposal(own-task)",
    "b bids u 1 10m", "= >b reject-proposal(own-task)",
    "restart")

PLAY(what_cannot_be_enrolled_is_refused, KILN,
    "op root enrols * key=2 parent=kiln", "= >root refuse(out-of-range)",
    "a enrols kiln key=2", "= >a refuse(not-yours)",
    "op root enrols silo contractor=silo-1 key=2", "= >root refuse(unknown-principal)",
    "op root enrols silo revoked=yes", "= >root refuse(unknown-principal)",
    "op root enrols kiln contractor=kiln-1 revoked=yes", "= >root refuse(unknown-agent)",
    "op root enrols kiln parent=kiln", "= >root refuse(conflict)",
    "op root enrols kiln key=2 at=-1", "= >root refuse(superseded)",
    "op root enrols oven key=2",
    "op root enrols oven contractor=oven-1",
    "op root enrols kiln contractor=oven-1 key=3", "= >root refuse(name-taken)",
    "op root enrols kiln revoked=yes",
    "op root enrols kiln", "= >root refuse(revoked)",
    "op root enrols kiln key=1", "= >root refuse(revoked)",
    "op root enrols kiln contractor=kiln-1 key=3", "= >root refuse(revoked)",
    "op root enrols mill parent=kiln", "= >root refuse(revoked)")

PLAY(an_agent_offers_what_it_is_enrolled_for, KILN,
    "op root enrols kiln contractor=a key=3 skills=forge",
    "join a kiln print 1", "= >a welcome >a refuse(skill-not-granted)",
    "join a kiln forge 1", "= >a welcome enrolled >a agree",
    "op root enrols kiln contractor=b", "join b kiln print 1", "= >b welcome enrolled >b agree")

PLAY(fewer_skills_end_what_was_offered_beyond_them,
    "fund acme 100", "join client acme", KILN,
    "op root enrols kiln contractor=a key=3", "join a kiln forge,print 1",
    "op root enrols kiln contractor=a skills=print",
    "= vouched:a/kiln#3+1 enrolled >root agree",
    "client announces t", "= announced opened:1/1/10 >client agree",
    "client announces u skill=print", "= announced opened:1/1/10 >client agree >a cfp(1)",
    "op root enrols kiln contractor=a skills=weld",
    "= vouched:a/kiln#3+1 enrolled >root agree",
    "client announces v skill=print", "= announced opened:1/1/10 >client agree")
/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_principals_key_speaks_as_any_agent_of_it),
        TEST(an_agents_key_speaks_as_that_agent_alone),
        TEST(a_key_for_all_speaks_for_who_is_not_enrolled_by_name),
        TEST(another_key_replaces_the_one_before),
        TEST(who_is_revoked_may_nothing_until_it_has_another_key),
        TEST(what_was_said_later_counts),
        TEST(a_full_keyring_takes_no_more_and_loses_nothing),
        TEST(enrolling_is_recorded_and_agreed_to),
        TEST(nobody_bids_on_a_task_of_its_own_root),
        TEST(what_cannot_be_enrolled_is_refused),
        TEST(an_agent_offers_what_it_is_enrolled_for),
        TEST(fewer_skills_end_what_was_offered_beyond_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
