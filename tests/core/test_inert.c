/*
 * Goal: text decides nothing. 1,000 texts that want to be obeyed change no byte of an award, a
 * settlement or anything else but the texts themselves and what hashes them. Method: the same
 * market from the same seed, once with harmless words and once with one of the texts wherever
 * somebody may write one; the entries of both are compared, the texts and their hashes taken out.
 *
 * Draws and ties follow the chain's head, which hashes what the client announced. So in the open
 * market all texts differ and no two bids are equal; in the drawn one the announcements are the
 * same, bidders are drawn and bids tie.
 */
#include "hostile_texts.h"
#include "stage.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TEXTS       1000
#define MARKETS     40
#define CONTRACTORS 5
#define TASKS       8
#define HEARD_MAX   256
#define BODY_MAX    16384

/* A cfp or an award that waits for its contractor's answer. */
struct heard {
    uint32_t contractor;
    struct message message;
};

/*
 * One run of a market.
 *
 * is_hostile   what people write are the texts, from number `written` on
 * is_drawn     announcements stay as they are
 */
struct market {
    struct stage *stage;
    uint64_t state;
    bool is_drawn;
    bool is_hostile;
    uint32_t written;
    char text[TENDER_TEXT_MAX + 1];
    uint8_t bytes[TENDER_TEXT_MAX];
    struct heard heard[HEARD_MAX];
    size_t heard_count;
    tender_id tasks[TASKS];
};

static uint32_t below(struct market *market, uint32_t limit)
{
    market->state = market->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((market->state >> 33) % limit);
}

/* The next words, and the next payload; valid until those after them. */
static tender_bytes words(struct market *market)
{
    if (!market->is_hostile) {
        return stage_bytes("as agreed");
    }
    size_t size = hostile_text(market->written++ % TEXTS, market->text);
    assert_true(tender_text_is_valid(market->text, size));
    return (tender_bytes){market->text, size};
}

static tender_bytes payload(struct market *market)
{
    if (!market->is_hostile) {
        return stage_bytes("work");
    }
    return (tender_bytes){market->bytes, hostile_bytes(market->written, market->bytes)};
}

static const char *contractor_name(uint32_t contractor)
{
    static const char *const names[CONTRACTORS] = {"kiln-0", "kiln-1", "kiln-2", "kiln-3",
                                                   "kiln-4"};
    return names[contractor];
}

/* Keeps what contractors were asked and given by the last event. */
static void collect(struct market *market)
{
    const struct effects *effects = &market->stage->effects;
    market->stage->heard[0] = '\0'; /* nobody reads it here */
    for (size_t i = 0; i < effects->tell_count; i++) {
        const struct tell *tell = &effects->tells[i];
        bool is_asked = tell->message.performative == TENDER_CFP ||
                        tell->message.performative == TENDER_ACCEPT_PROPOSAL;
        for (uint32_t k = 0; k < CONTRACTORS && is_asked; k++) {
            const char *name = contractor_name(k);
            if (tell->to.size == strlen(name) && memcmp(tell->to.data, name, tell->to.size) == 0) {
                assert_true(market->heard_count < HEARD_MAX);
                market->heard[market->heard_count++] = (struct heard){k, tell->message};
            }
        }
    }
}

static void say(struct market *market, const char *peer, struct message *message)
{
    bool is_operator = strcmp(peer, "operator") == 0;
    stage_say(market->stage, peer, message, is_operator ? 1 : 0, is_operator);
    collect(market);
}

/* Time passes; what it brings is heard. */
static void pass(struct market *market, int64_t us)
{
    struct stage *stage = market->stage;
    int64_t until_us = stage->now_us + us;
    while (stage->now_us < until_us) {
        struct event tick = {.kind = EVENT_TICK};
        int64_t next_us = book_next_deadline(stage->book);
        next_us = next_us > stage->now_us ? next_us : stage->now_us + 1;
        stage->now_us = next_us < until_us ? next_us : until_us;
        stage_hear(stage, &tick);
        collect(market);
    }
}

static void join(struct market *market)
{
    struct message hello = {.performative = TENDER_HELLO};
    struct message offer = {.performative = TENDER_OFFER};
    tender_bytes skill = stage_bytes("forge");
    struct message_texts skills = {1, &skill};
    message_set(&hello, HEARTBEAT, heartbeat_us, INT64_C(3600000000));
    message_set(&offer, SKILLS, skills, skills);
    message_set(&offer, SLOTS, slots, 100);
    strcpy(stage_peer(market->stage, "client")->principal, "acme");
    say(market, "client", &hello);
    for (uint32_t i = 0; i < CONTRACTORS; i++) {
        say(market, contractor_name(i), &hello);
        say(market, contractor_name(i), &offer);
    }
    struct event fund = {.kind = EVENT_FUND,
                         .peer = stage_bytes("operator"),
                         .principal = stage_bytes("acme"),
                         .amount_micro = INT64_C(1000000000000)};
    stage_hear(market->stage, &fund);
}

/* A key that begins with the task's number, so that it is its own, and goes on with the text. */
static tender_bytes key_of(struct market *market, uint32_t task, char key[TENDER_KEY_MAX + 1])
{
    const char *text = market->is_drawn ? "" : words(market).data;
    size_t size = strlen(text);
    size = size < TENDER_KEY_MAX - 4 ? size : TENDER_KEY_MAX - 4;
    while (size > 0 && !tender_text_is_valid(text, size)) {
        size--;
    }
    snprintf(key, TENDER_KEY_MAX + 1, "%u %.*s", task, (int)size, text);
    return stage_bytes(key);
}

static void announce(struct market *market, uint32_t task)
{
    char key[TENDER_KEY_MAX + 1];
    struct message said = {.performative = TENDER_ANNOUNCE};
    message_set(&said, KEY, key, key_of(market, task, key));
    message_set(&said, SKILL, skill, stage_bytes("forge"));
    message_set(&said, UNITS, units, 1 + below(market, 4));
    message_set(&said, CEILING, ceiling_micro, 8000 + below(market, 2000));
    message_set(&said, WINDOW, window_us, 1000000);
    message_set(&said, DUE, due_us, 60000000);
    message_set(&said, ROUNDS, rounds, 1 + below(market, 3));
    message_set(&said, BACKOFF, backoff_us, 1000000);
    message_set(&said, CONTENT, content,
                market->is_drawn ? stage_bytes("the same") : payload(market));
    if (below(market, 2) == 0) {
        message_set(&said, EVIDENCE, evidence, stage_bytes("result"));
        message_set(&said, ACCEPT, accept_us, 5000000);
    }
    if (market->is_drawn) {
        message_set(&said, INVITE_MAX, invite_max, 3);
        message_set(&said, ROUNDS, rounds, 1);
    }
    say(market, "client", &said);
    assert_int_equal(market->stage->effects.entries[0].kind, ENTRY_ANNOUNCED);
    market->tasks[task] = market->stage->effects.entries[0].task;
}

static void answer_cfp(struct market *market, const struct heard *heard)
{
    const struct message *cfp = &heard->message;
    struct message said = {.conversation = cfp->conversation};
    message_set(&said, ROUND, round, cfp->round);
    message_set(&said, TEXT, text, words(market));
    if (below(market, 6) == 0) {
        said.performative = TENDER_REFUSE;
        message_set(&said, REASON, reason, TENDER_REASON_OVER_CAPACITY);
    } else {
        said.performative = TENDER_PROPOSE;
        int64_t cost = market->is_drawn ? 100 * (1 + below(market, 2))
                                        : below(market, 1000) * CONTRACTORS + heard->contractor;
        message_set(&said, DIGEST, digest, cfp->digest);
        message_set(&said, COST, cost_micro, cost);
        message_set(&said, ETA, eta_us, 1000000);
    }
    say(market, contractor_name(heard->contractor), &said);
}

static void report(struct market *market, const struct heard *award,
                   tender_performative performative, int64_t units)
{
    char evidence[TENDER_TEXT_MAX + 1];
    struct message said = {.performative = performative,
                           .conversation = award->message.conversation};
    message_set(&said, PART, part, award->message.part);
    message_set(&said, GENERATION, generation, award->message.generation);
    if (performative != TENDER_ACKNOWLEDGE) {
        tender_bytes text = words(market);
        bool is_long = text.size >= 4000; /* a value of evidence is a line, and shorter */
        snprintf(evidence, sizeof evidence, "result=%s", is_long ? "" : (const char *)text.data);
        message_set(&said, UNITS_DONE, units_done, units);
        message_set(&said, TEXT, text, text);
        message_set(&said, CONTENT, content, payload(market));
        message_set(&said, EVIDENCE, evidence, stage_bytes(evidence));
    }
    if (performative == TENDER_FAILURE) {
        message_set(&said, REASON, reason, TENDER_REASON_UNABLE);
    }
    say(market, contractor_name(award->contractor), &said);
}

/* The client takes a delivery, or does not; where there is none it is told so. */
static void decide(struct market *market, const struct heard *award)
{
    struct message said = {.performative = below(market, 2) == 0 ? TENDER_ACCEPT : TENDER_REJECT,
                           .conversation = award->message.conversation};
    message_set(&said, PART, part, award->message.part);
    message_set(&said, GENERATION, generation, award->message.generation);
    if (said.performative == TENDER_REJECT) {
        message_set(&said, REASON, reason, TENDER_REASON_QUALITY_CHECK);
        message_set(&said, TEXT, text, words(market));
    }
    say(market, "client", &said);
}

static void answer_award(struct market *market, const struct heard *award)
{
    int64_t units = award->message.units;
    uint32_t choice = below(market, 8);
    if (choice == 0) {
        report(market, award, TENDER_FAILURE, 0); /* declines */
        return;
    }
    report(market, award, TENDER_ACKNOWLEDGE, 0);
    report(market, award, TENDER_INFORM_PROGRESS, units / 2);
    if (choice < 3) {
        report(market, award, TENDER_FAILURE, units / 2);
        report(market, award, TENDER_INFORM_DONE, units); /* too late */
    } else if (choice < 7) {
        report(market, award, TENDER_INFORM_DONE, units);
        decide(market, award);
    }
}

/* Persons say why, too: a client that withdraws, a member that believes, an operator that holds. */
static void interfere(struct market *market)
{
    uint32_t choice = below(market, 4);
    struct message said = {.performative = TENDER_CANCEL, .conversation = market->tasks[0]};
    message_set(&said, TEXT, text, words(market));
    if (choice == 1) {
        said.performative = TENDER_BELIEVE;
        said.conversation = market->tasks[1];
        message_set(&said, REASON, reason, TENDER_REASON_IMPOSSIBLE);
    } else if (choice == 0) {
        said.performative = TENDER_HOLD;
        said.conversation = (tender_id){{0}};
        message_set(&said, REASON, reason, TENDER_REASON_QUALITY_CHECK);
        message_set(&said, CONTRACTOR, contractor, stage_bytes(contractor_name(0)));
    }
    if (choice < 3) {
        say(market, choice == 0 ? "operator" : "client", &said);
    }
}

/* Plays the market of `seed` until its tasks have ended. */
static void play(struct market *market, uint32_t seed, bool is_checked)
{
    market->state = seed;
    struct book_limits limits = stage_limits();
    limits.task_count = TASKS;
    limits.contractor_count = CONTRACTORS;
    limits.content_bytes = 1 << 16;
    limits.bid_count = 64;
    market->stage = stage_open_with(&limits);
    market->stage->is_quick = !is_checked;
    join(market);
    for (uint32_t task = 0; task < TASKS; task++) {
        announce(market, task);
    }
    for (int step = 0; step < 34; step++) {
        while (market->heard_count > 0) {
            uint32_t at = below(market, (uint32_t)market->heard_count);
            struct heard heard = market->heard[at];
            market->heard[at] = market->heard[--market->heard_count];
            if (heard.message.performative == TENDER_CFP) {
                answer_cfp(market, &heard);
            } else {
                answer_award(market, &heard);
            }
        }
        if (step == 1) {
            interfere(market);
        }
        pass(market, step < 30 ? 500000 : 60000000);
    }
}

/* The entry without its texts and what hashes them; `answers` has room for its answers. */
static void silence(struct entry *entry, struct entry_answer *answers)
{
    static const tender_bytes nothing;
    static const tender_digest none;
#define SILENCE(KIND, member, value)                                                               \
    if (entry->kind == ENTRY_##KIND) {                                                             \
        entry->member = (value);                                                                   \
    }
#define SILENCE_REPORT(KIND, member)                                                               \
    SILENCE(KIND, member.text, nothing)                                                            \
    SILENCE(KIND, member.content_size, 0)                                                          \
    SILENCE(KIND, member.content_digest, none)
    SILENCE(ANNOUNCED, announced.key, nothing)
    SILENCE(ANNOUNCED, announced.body_digest, none)
    SILENCE(ANNOUNCED, announced.content_size, 0)
    SILENCE(ANNOUNCED, announced.content_digest, none)
    SILENCE(OPENED, opened.head, none)
    SILENCE_REPORT(PROGRESSED, progressed)
    SILENCE_REPORT(SETTLED, settled)
    SILENCE_REPORT(LATE, late)
    SILENCE_REPORT(DELIVERED, delivered)
    SILENCE(SETTLED, settled.evidence, nothing)
    SILENCE(LATE, late.evidence, nothing)
    SILENCE(DELIVERED, delivered.evidence, nothing)
    SILENCE(HELD, held.text, nothing)
    SILENCE(ENDED, ended.text, nothing)
    SILENCE(BELIEVED, believed.text, nothing)
    SILENCE(BARRED, barred.text, nothing)
#undef SILENCE_REPORT
#undef SILENCE
    if (entry->kind == ENTRY_ANSWERED) {
        for (size_t i = 0; i < entry->answered.answers.count; i++) {
            answers[i] = entry->answered.answers.items[i];
            answers[i].text = nothing;
        }
        entry->answered.answers.items = answers;
    }
}

/* Writes the body again, silenced. Returns its size. */
static size_t body_of(struct stage *stage, size_t at, char body[BODY_MAX])
{
    static struct entry_answer answers[ENTRY_ANSWERS_MAX];
    struct entry entry = stage->entries[at];
    assert_int_equal(entry_decode(stage->reader, &entry), 0);
    silence(&entry, answers);
    int size = entry_encode(&entry, body, BODY_MAX);
    assert_true(size > 0);
    return (size_t)size;
}

static void expect_same(struct stage *plain, struct stage *hostile, uint32_t *kinds)
{
    static char left[BODY_MAX];
    static char right[BODY_MAX];
    assert_int_equal(plain->entry_count, hostile->entry_count);
    for (size_t i = 0; i < plain->entry_count; i++) {
        const struct entry *one = &plain->entries[i];
        const struct entry *other = &hostile->entries[i];
        assert_int_equal(one->kind, other->kind);
        assert_int_equal(one->at_us, other->at_us);
        assert_int_equal(one->number, other->number);
        assert_true(tender_id_equal(one->task, other->task));
        size_t size = body_of(plain, i, left);
        assert_int_equal(body_of(hostile, i, right), size);
        assert_memory_equal(left, right, size);
        if (one->kind == ENTRY_AWARDED || one->kind == ENTRY_CLOSED) {
            assert_int_equal(one->body.size, other->body.size); /* to the byte, nothing left out */
            assert_memory_equal(one->body.data, other->body.data, one->body.size);
        }
        kinds[one->kind] += one->body.size != other->body.size;
        kinds[0] += one->kind == ENTRY_AWARDED;
    }
}

/* Plays each market in both ways, the texts going on from one to the next. */
static uint32_t compare_all(bool is_drawn, uint32_t kinds[64])
{
    uint32_t written = 0;
    for (uint32_t seed = 0; seed < MARKETS; seed++) {
        struct market plain = {.is_drawn = is_drawn};
        struct market hostile = {.is_drawn = is_drawn, .is_hostile = true, .written = written};
        play(&plain, seed, seed == 0);
        play(&hostile, seed, seed == 0);
        expect_same(plain.stage, hostile.stage, kinds);
        stage_close(plain.stage);
        stage_close(hostile.stage);
        written = hostile.written;
    }
    printf("%u texts, %u awards\n", written, kinds[0]);
    return written;
}

static void a_thousand_texts_change_no_byte_of_any_award(void **state)
{
    (void)state;
    uint32_t kinds[64] = {0}; /* how many entries of each kind differ before they are silenced */
    assert_true(compare_all(false, kinds) > 2 * TEXTS);
    assert_true(kinds[0] > 4 * MARKETS);
    for (int kind = ENTRY_ANNOUNCED; kind <= ENTRY_BARRED; kind++) {
        bool has_text = kind == ENTRY_ANNOUNCED || kind == ENTRY_ANSWERED ||
                        kind == ENTRY_PROGRESSED || kind == ENTRY_SETTLED || kind == ENTRY_LATE ||
                        kind == ENTRY_ENDED || kind == ENTRY_DELIVERED || kind == ENTRY_BELIEVED ||
                        kind == ENTRY_BARRED;
        assert_int_equal(kinds[kind] > 0, has_text); /* each place for a text was used */
    }
}

static void draws_and_ties_do_not_follow_what_bidders_write(void **state)
{
    (void)state;
    uint32_t kinds[64] = {0};
    assert_true(compare_all(true, kinds) > TEXTS);
    assert_true(kinds[0] > 4 * MARKETS);
    assert_int_equal(kinds[ENTRY_ANNOUNCED], 0);
    assert_true(kinds[ENTRY_ANSWERED] > 4 * MARKETS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_texts_change_no_byte_of_any_award),
        cmocka_unit_test(draws_and_ties_do_not_follow_what_bidders_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
