/*
 * Goal: a bidder can show from what it is told alone that its bid is in the book of its round, and
 * which cost set the price; and the entry that closes the round has the same book. Method: rounds
 * of one to nine bidders; leaf, root and way up are computed here once more, from CHAIN.md and RFC
 * 6962 alone, and by another library.
 */
#include "stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sodium.h>

#define BIDDERS_MAX 9
#define NAME_SIZE   24

static int64_t closes_in_us; /* from the start of the stage */
static int64_t ack_us;
static bool is_brief; /* bids end when the award must have been acknowledged */

struct bytes {
    uint8_t data[512];
    size_t size;
};

static void put(struct bytes *bytes, const void *data, size_t size)
{
    assert_true(bytes->size + size <= sizeof bytes->data);
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static void put_number(struct bytes *bytes, uint64_t value, size_t size)
{
    for (size_t i = size; i-- > 0;) {
        uint8_t byte = (uint8_t)(value >> 8 * i);
        put(bytes, &byte, 1);
    }
}

static tender_digest hash(const struct bytes *bytes)
{
    tender_digest digest;
    crypto_hash_sha256(digest.bytes, bytes->data, bytes->size);
    return digest;
}

static tender_id nonce_of(int bidder)
{
    tender_id nonce;
    memset(nonce.bytes, bidder + 1, sizeof nonce.bytes);
    return nonce;
}

/* A leaf, from what stands for the bidder and from what it asks. */
static tender_digest leaf_of(tender_digest who, tender_digest salt, const struct stage_task *task,
                             int64_t cost, int64_t eta)
{
    struct bytes what = {.size = 0};
    put(&what, "tender/what/v1", 15);
    put(&what, salt.bytes, 32);
    put(&what, task->id.bytes, 16);
    put_number(&what, 1, 4); /* the first round */
    put_number(&what, (uint64_t)cost, 8);
    put_number(&what, (uint64_t)eta, 8);
    put_number(&what, 0, 8);
    tender_digest digest = hash(&what);
    struct bytes leaf = {.size = 0};
    put(&leaf, "\0tender/bid/v1", 15);
    put(&leaf, who.bytes, 32);
    put(&leaf, digest.bytes, 32);
    return hash(&leaf);
}

static tender_digest salt_of(const char *label, tender_id nonce)
{
    struct bytes bytes = {.size = 0};
    put(&bytes, label, strlen(label));
    put(&bytes, nonce.bytes, 16);
    return hash(&bytes);
}

static tender_digest who_of(const struct stage_task *task, const char *name, const char *principal,
                            tender_id nonce)
{
    struct bytes bytes = {.size = 0};
    tender_digest salt = salt_of("who", nonce);
    put(&bytes, "tender/who/v1", 14);
    put(&bytes, salt.bytes, 32);
    put(&bytes, task->id.bytes, 16);
    put_number(&bytes, 1, 4);
    put_number(&bytes, strlen(name), 1);
    put(&bytes, name, strlen(name));
    put_number(&bytes, strlen(principal), 1);
    put(&bytes, principal, strlen(principal));
    return hash(&bytes);
}

static tender_digest join(tender_digest left, tender_digest right)
{
    struct bytes bytes = {.size = 0};
    put(&bytes, "\1", 1);
    put(&bytes, left.bytes, 32);
    put(&bytes, right.bytes, 32);
    return hash(&bytes);
}

/* RFC 6962, section 2.1: the left side has the largest power of two that is less than all. */
static tender_digest root_of(const tender_digest *leaves, size_t count)
{
    if (count == 1) {
        return leaves[0];
    }
    size_t split = 1;
    while (split * 2 < count) {
        split *= 2;
    }
    return join(root_of(leaves, split), root_of(leaves + split, count - split));
}

/* RFC 9162, section 2.1.3.2. Moves `at` behind the path. */
static tender_digest climb(tender_digest node, uint64_t place, uint64_t count, const uint8_t **at)
{
    uint64_t last = count - 1;
    for (size_t left = *(*at)++; left > 0; left--, *at += 32) {
        tender_digest beside;
        memcpy(beside.bytes, *at, 32);
        assert_true(last > 0);
        if ((place & 1) != 0 || place == last) {
            node = join(beside, node);
            while ((place & 1) == 0) {
                place >>= 1;
                last >>= 1;
            }
        } else {
            node = join(node, beside);
        }
        place >>= 1;
        last >>= 1;
    }
    assert_int_equal(last, 0);
    return node;
}

static int64_t cost_of(int bidder)
{
    return 1000000 + 1000 * ((bidder * 5) % BIDDERS_MAX); /* all different */
}

static void name_bidder(int bidder, char name[NAME_SIZE], char principal[NAME_SIZE])
{
    snprintf(name, NAME_SIZE, "kiln-%d", bidder);
    snprintf(principal, NAME_SIZE, "house-%d", bidder);
}

static void bid(struct stage *stage, int bidder, bool has_nonce)
{
    char name[NAME_SIZE];
    char principal[NAME_SIZE];
    name_bidder(bidder, name, principal);
    const struct stage_task *task = stage_task(stage, "t");
    struct message said = {.performative = TENDER_PROPOSE, .conversation = task->id};
    message_set(&said, ROUND, round, task->round);
    message_set(&said, DIGEST, digest, task->digest);
    message_set(&said, COST, cost_micro, cost_of(bidder));
    message_set(&said, ETA, eta_us, 60000000);
    if (is_brief) {
        message_set(&said, VALID_UNTIL, valid_until_us, STAGE_START_US + closes_in_us + ack_us);
    }
    if (has_nonce) {
        message_set(&said, NONCE, nonce, nonce_of(bidder));
    }
    stage_say(stage, name, &said, 0, false);
}

/* The newest message of the last event to `name`, or NULL. */
static const struct message *told(const struct stage *stage, const char *name,
                                  tender_performative performative)
{
    for (size_t i = stage->effects.tell_count; i-- > 0;) {
        const struct tell *tell = &stage->effects.tells[i];
        if (tell->message.performative == performative && tell->to.size == strlen(name) &&
            memcmp(tell->to.data, name, tell->to.size) == 0) {
            return &tell->message;
        }
    }
    return NULL;
}

/* A task that `count` bidders are asked for; `one more` never answers, so the window runs. */
static struct stage *ask(int count)
{
    struct stage *stage = stage_open();
    script_line(stage, "fund acme 100");
    script_line(stage, "join client acme");
    for (int i = 0; i < count; i++) {
        char name[NAME_SIZE];
        char principal[NAME_SIZE];
        char line[64];
        name_bidder(i, name, principal);
        snprintf(line, sizeof line, "join %s %s forge 4", name, principal);
        script_line(stage, line);
    }
    script_line(stage, "join silent asleep forge 4");
    script_line(stage, "client announces t ceiling=10");
    closes_in_us = told(stage, "silent", TENDER_CFP)->closes_at_us - STAGE_START_US;
    ack_us = told(stage, "silent", TENDER_CFP)->ack_us;
    return stage;
}

/* The newest entry of the last event of that kind. */
static const struct entry *noted(const struct stage *stage, enum entry_kind kind)
{
    for (size_t i = stage->effects.entry_count; i-- > 0;) {
        if (stage->effects.entries[i].kind == kind) {
            return &stage->effects.entries[i];
        }
    }
    fail_msg("no such entry");
    return NULL;
}

/* Waits until the window ends, and hears the one tick that closes the round. */
static void close_round(struct stage *stage)
{
    struct event tick = {.kind = EVENT_TICK};
    stage_wait(stage, STAGE_START_US + closes_in_us - 1);
    stage->now_us = STAGE_START_US + closes_in_us;
    stage_hear(stage, &tick);
}

static int bidder_at_rank(int count, int rank)
{
    for (int i = 0; i < count; i++) {
        int below = 0;
        for (int j = 0; j < count; j++) {
            below += cost_of(j) < cost_of(i);
        }
        if (below == rank) {
            return i;
        }
    }
    return -1;
}

/* What is told at close: the bid of `bidder` is in the book, and whose cost is the price. */
static void check_proof(struct stage *stage, const struct message *message, int bidder, int count,
                        int setter, const tender_digest *leaves)
{
    const struct stage_task *task = stage_task(stage, "t");
    tender_digest root = root_of(leaves, (size_t)count);
    assert_non_null(message);
    assert_memory_equal(message->book.bytes, root.bytes, 32);
    assert_int_equal(message->bids, count);
    assert_int_equal(message->number, bidder);
    const uint8_t *at = message->proof.data;
    const uint8_t *end = at + message->proof.size;
    tender_digest reached = climb(leaves[bidder], (uint64_t)bidder, (uint64_t)count, &at);
    assert_memory_equal(reached.bytes, root.bytes, 32);
    if (setter < 0) {
        assert_ptr_equal(at, end);
        return;
    }
    uint64_t numbers[4] = {0};
    tender_digest who;
    tender_digest salt;
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < (i == 0 ? 4 : 8); j++) {
            numbers[i] = numbers[i] << 8 | *at++;
        }
        if (i == 0) {
            memcpy(who.bytes, at, 32);
            at += 32;
        }
    }
    memcpy(salt.bytes, at, 32);
    at += 32;
    assert_int_equal(numbers[0], setter);
    assert_int_equal(numbers[1], cost_of(setter));
    tender_digest leaf = leaf_of(who, salt, task, (int64_t)numbers[1], (int64_t)numbers[2]);
    assert_memory_equal(leaf.bytes, leaves[setter].bytes, 32);
    reached = climb(leaf, numbers[0], (uint64_t)count, &at);
    assert_memory_equal(reached.bytes, root.bytes, 32);
    assert_ptr_equal(at, end);
}

static void fill_leaves(struct stage *stage, int count, tender_digest *leaves)
{
    const struct stage_task *task = stage_task(stage, "t");
    for (int i = 0; i < count; i++) {
        char name[NAME_SIZE];
        char principal[NAME_SIZE];
        name_bidder(i, name, principal);
        leaves[i] = leaf_of(who_of(task, name, principal, nonce_of(i)),
                            salt_of("what", nonce_of(i)), task, cost_of(i), 60000000);
    }
}

static void play_round(int count)
{
    struct stage *stage = ask(count);
    tender_digest leaves[BIDDERS_MAX];
    char name[NAME_SIZE];
    char principal[NAME_SIZE];
    fill_leaves(stage, count, leaves);
    for (int i = 0; i < count; i++) {
        bid(stage, i, true);
        stage_tick(stage);
        name_bidder(i, name, principal);
        const struct message *receipt = told(stage, name, TENDER_INFORM);
        assert_non_null(receipt);
        assert_int_equal(receipt->number, i);
        assert_int_equal(receipt->round, 1);
        assert_int_equal(receipt->at_us, stage->now_us);
        assert_memory_equal(receipt->digest.bytes, leaves[i].bytes, 32);
    }
    close_round(stage);
    const struct entry *entry = noted(stage, ENTRY_AWARDED);
    tender_digest root = root_of(leaves, (size_t)count);
    assert_int_equal(entry->awarded.bids, count);
    assert_memory_equal(entry->awarded.book.bytes, root.bytes, 32);
    int winner = bidder_at_rank(count, 0);
    int setter = bidder_at_rank(count, 1);
    name_bidder(winner, name, principal);
    check_proof(stage, told(stage, name, TENDER_ACCEPT_PROPOSAL), winner, count, setter, leaves);
    struct message said = {.performative = TENDER_ACKNOWLEDGE,
                           .conversation = stage_task(stage, "t")->id};
    message_set(&said, PART, part, 0);
    message_set(&said, GENERATION, generation, 1);
    stage_say(stage, name, &said, 0, false);
    for (int i = 0; i < count; i++) {
        name_bidder(i, name, principal);
        if (i != winner) {
            check_proof(stage, told(stage, name, TENDER_REJECT_PROPOSAL), i, count, setter, leaves);
        }
    }
    stage_close(stage);
}

static void every_bidder_can_prove_its_bid_and_the_price(void **state)
{
    (void)state;
    for (int count = 1; count <= BIDDERS_MAX; count++) {
        play_round(count);
    }
}

/* The winner does not take it, and the bid behind it has run out: the price was that one's cost. */
static void price_of_an_award_that_nobody_took_is_shown(void **state)
{
    (void)state;
    struct stage *stage = ask(2);
    tender_digest leaves[2];
    char name[NAME_SIZE];
    char principal[NAME_SIZE];
    fill_leaves(stage, 2, leaves);
    is_brief = true;
    for (int i = 0; i < 2; i++) {
        bid(stage, i, true);
        stage_tick(stage);
    }
    is_brief = false;
    close_round(stage);
    struct event tick = {.kind = EVENT_TICK};
    stage_wait(stage, STAGE_START_US + closes_in_us + ack_us);
    int loser = bidder_at_rank(2, 1);
    name_bidder(loser, name, principal);
    for (int i = 0; i < 2 && told(stage, name, TENDER_REJECT_PROPOSAL) == NULL; i++) {
        stage->now_us++;
        stage_hear(stage, &tick);
    }
    const struct message *message = told(stage, name, TENDER_REJECT_PROPOSAL);
    check_proof(stage, message, loser, 2, loser, leaves);
    assert_int_equal(message->price_micro, cost_of(loser));
    stage_close(stage);
}

static void round_without_nonces_has_no_book(void **state)
{
    (void)state;
    struct stage *stage = ask(3);
    for (int i = 0; i < 3; i++) {
        bid(stage, i, false);
        stage_tick(stage);
        assert_null(told(stage, "kiln-0", TENDER_INFORM));
    }
    close_round(stage);
    const struct message *accept = told(stage, "kiln-0", TENDER_ACCEPT_PROPOSAL);
    assert_non_null(accept);
    assert_false(message_has(accept, MESSAGE_BOOK) || message_has(accept, MESSAGE_PROOF));
    assert_int_equal(noted(stage, ENTRY_AWARDED)->awarded.bids, 0);
    stage_close(stage);
}

/* What was withdrawn was bid; a restart in between changes nothing; who is late is in no book. */
static void withdrawn_bids_are_in_the_book_and_late_ones_are_not(void **state)
{
    (void)state;
    struct stage *stage = ask(4);
    tender_digest leaves[4];
    fill_leaves(stage, 4, leaves);
    for (int i = 0; i < 3; i++) {
        bid(stage, i, true);
        stage_tick(stage);
    }
    const struct stage_task *task = stage_task(stage, "t");
    struct message said = {.performative = TENDER_WITHDRAW, .conversation = task->id};
    message_set(&said, ROUND, round, 1);
    stage_say(stage, "kiln-1", &said, 0, false);
    close_round(stage);
    tender_digest root = root_of(leaves, 3);
    assert_memory_equal(noted(stage, ENTRY_AWARDED)->awarded.book.bytes, root.bytes, 32);
    bid(stage, 3, true);
    stage_tick(stage);
    assert_int_equal(noted(stage, ENTRY_ANSWERED)->answered.answers.count, 1);
    assert_null(told(stage, "kiln-3", TENDER_INFORM));
    stage_compare(stage);
    stage_close(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bidder_can_prove_its_bid_and_the_price),
        cmocka_unit_test(price_of_an_award_that_nobody_took_is_shown),
        cmocka_unit_test(round_without_nonces_has_no_book),
        cmocka_unit_test(withdrawn_bids_are_in_the_book_and_late_ones_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
