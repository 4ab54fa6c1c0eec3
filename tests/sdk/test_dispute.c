/*
 * Goal: a contractor whose broker cheats is told so, and one whose broker does not is left alone.
 * Method: a scripted broker holds a round of three bids, of which the contractor's is one: it asks
 * 12, the others 15 and 20. It plays by the rules, and then breaks one at a time.
 */
#include "stage.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "tender/book.h"

#define OWN      0
#define BIDS     3
#define NONE     (-1)
#define OWN_COST 12

/* The bids in their order, ours the first, and what is said of them. */
struct round_of_three {
    tender_book_bid bids[BIDS];
    tender_digest leaves[BIDS];
    uint8_t proof[512];
    size_t size;
};

static struct round_of_three book;

static tender_digest join(tender_digest left, tender_digest right)
{
    uint8_t bytes[65] = {1};
    tender_digest digest;
    memcpy(bytes + 1, left.bytes, 32);
    memcpy(bytes + 33, right.bytes, 32);
    crypto_hash_sha256(digest.bytes, bytes, sizeof bytes);
    return digest;
}

static tender_digest root(void)
{
    return join(join(book.leaves[0], book.leaves[1]), book.leaves[2]);
}

static void put(const void *data, size_t size)
{
    assert_true(book.size + size <= sizeof book.proof);
    memcpy(book.proof + book.size, data, size);
    book.size += size;
}

static void put_number(uint64_t value, size_t size)
{
    for (size_t i = size; i-- > 0;) {
        uint8_t byte = (uint8_t)(value >> 8 * i);
        put(&byte, 1);
    }
}

static void put_path(int place)
{
    tender_digest first = join(book.leaves[0], book.leaves[1]);
    put_number(place < 2 ? 2 : 1, 1);
    if (place < 2) {
        put(book.leaves[1 - place].bytes, 32);
    }
    put(place < 2 ? book.leaves[2].bytes : first.bytes, 32);
}

/* SHA-256 over a label, and the parts behind it. */
static tender_digest hash(const char *label, size_t label_size, const uint8_t *data, size_t size)
{
    tender_digest digest;
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const uint8_t *)label, label_size);
    crypto_hash_sha256_update(&state, data, size);
    crypto_hash_sha256_final(&state, digest.bytes);
    return digest;
}

static void put_setter(int setter, int64_t cost_micro)
{
    const tender_book_bid *bid = &book.bids[setter];
    uint8_t who[256];
    tender_digest salt = hash("who", 3, bid->nonce, sizeof bid->nonce);
    size_t size = 0;
    memcpy(who, salt.bytes, 32);
    memcpy(who + 32, bid->task.bytes, 16);
    memcpy(who + 48, "\0\0\0\1", 4);
    size = 52;
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? bid->contractor : bid->principal;
        who[size++] = (uint8_t)strlen(name);
        memcpy(who + size, name, strlen(name));
        size += strlen(name);
    }
    tender_digest digest = hash("tender/who/v1", 14, who, size);
    salt = hash("what", 4, bid->nonce, sizeof bid->nonce);
    put_number((uint64_t)setter, 4);
    put(digest.bytes, 32);
    put_number((uint64_t)cost_micro, 8);
    put_number((uint64_t)bid->eta_us, 8);
    put_number(0, 8);
    put(salt.bytes, 32);
    put_path(setter);
}

/* Calls for bids, hears ours, and makes the book of it and two others. */
static void hold_round(void)
{
    static const int64_t costs[BIDS] = {OWN_COST, 15, 20};
    static const char *const names[BIDS] = {NULL, "rival", "third"};
    tender_options options = options_of_test();
    connect_and_offer();
    say_cfp(1);
    bid(&next(TENDER_EVENT_CFP)->cfp);
    assert_quiet();
    const struct message *proposal = broker_hear(&broker, TENDER_PROPOSE);
    assert_true(message_has(proposal, MESSAGE_NONCE));
    for (int i = 0; i < BIDS; i++) {
        book.bids[i] = (tender_book_bid){.task = task,
                                         .round = 1,
                                         .contractor = i == OWN ? options.name : names[i],
                                         .principal = i == OWN ? options.principal : names[i],
                                         .cost_micro = costs[i],
                                         .eta_us = 3000};
        memset(book.bids[i].nonce, i + 1, sizeof book.bids[i].nonce);
    }
    memcpy(book.bids[OWN].nonce, proposal->nonce.bytes, sizeof proposal->nonce);
    for (int i = 0; i < BIDS; i++) {
        book.leaves[i] = tender_book_leaf(&book.bids[i]);
    }
}

static struct message receipt(tender_digest leaf, int64_t place)
{
    struct message message = {.performative = TENDER_INFORM, .conversation = task};
    message_set(&message, ROUND, round, 1);
    message_set(&message, NUMBER, number, place);
    message_set(&message, DIGEST, digest, leaf);
    message_set(&message, AT, at_us, 1764500000000000);
    return message;
}

static void show(struct message *message, int place, int setter, int64_t setter_cost)
{
    book.size = 0;
    put_path(place);
    if (setter != NONE) {
        put_setter(setter, setter_cost);
    }
    message_set(message, BOOK, book, root());
    message_set(message, BIDS, bids, BIDS);
    message_set(message, NUMBER, number, place);
    message_set(message, PROOF, proof, ((tender_bytes){(const char *)book.proof, book.size}));
}

static struct message award_at(int64_t price_micro)
{
    struct message award = make_award(1, 1);
    message_set(&award, PRICE, price_micro, price_micro);
    return award;
}

static struct message rejection_at(int64_t price_micro, tender_reason reason, int64_t rank)
{
    struct message message = {.performative = TENDER_REJECT_PROPOSAL, .conversation = task};
    message_set(&message, ROUND, round, 1);
    message_set(&message, REASON, reason, reason);
    message_set(&message, PRICE, price_micro, price_micro);
    if (rank > 0) {
        message_set(&message, RANK, rank, rank);
    }
    return message;
}

/* Says the answer; the next event is a dispute with that claim, or, where it is NULL, the answer.
 */
static void expect(const struct message *answer, const char *claim)
{
    broker_say(&broker, answer, 1);
    if (claim != NULL) {
        const tender_dispute *dispute = &next(TENDER_EVENT_DISPUTE)->dispute;
        assert_string_equal(dispute->claim, claim);
        assert_true(tender_id_equal(dispute->task, task));
        assert_int_equal(dispute->round, 1);
    }
    (void)next(answer->performative == TENDER_ACCEPT_PROPOSAL ? TENDER_EVENT_ACCEPT_PROPOSAL
                                                              : TENDER_EVENT_REJECT_PROPOSAL);
}

static void begin_with_receipt(void)
{
    hold_round();
    struct message told = receipt(book.leaves[OWN], OWN);
    broker_say(&broker, &told, 1);
    assert_quiet();
}

static void honest_award_is_no_dispute(void **state)
{
    (void)state;
    begin_with_receipt();
    struct message award = award_at(15);
    show(&award, OWN, 1, 15);
    expect(&award, NULL);
}

static void honest_rejection_is_no_dispute(void **state)
{
    (void)state;
    begin_with_receipt();
    book.bids[1].cost_micro = 8; /* the winner's; ours is the second, and so the price */
    book.leaves[1] = tender_book_leaf(&book.bids[1]);
    struct message told = rejection_at(OWN_COST, TENDER_REASON_OUTBID, 2);
    show(&told, OWN, OWN, OWN_COST);
    expect(&told, NULL);
}

/* The winner breached, the runner-up had no slot: who comes next is paid more than we asked. */
static void bid_that_was_passed_over_is_no_dispute(void **state)
{
    (void)state;
    begin_with_receipt();
    struct message told = rejection_at(20, TENDER_REASON_PASSED_OVER, 1);
    show(&told, OWN, 2, 20);
    expect(&told, NULL);
}

static void refusal_before_the_close_is_no_dispute(void **state)
{
    (void)state;
    begin_with_receipt();
    struct message told = rejection_at(0, TENDER_REASON_ABOVE_CEILING, 0);
    expect(&told, NULL);
}

static void another_bid_than_was_said_is_disputed(void **state)
{
    (void)state;
    hold_round();
    book.bids[OWN].cost_micro++;
    struct message told = receipt(tender_book_leaf(&book.bids[OWN]), OWN);
    broker_say(&broker, &told, 1);
    assert_string_equal(next(TENDER_EVENT_DISPUTE)->dispute.claim,
                        "another bid was recorded than was said");
}

static void bid_that_is_dropped_is_disputed(void **state)
{
    (void)state;
    begin_with_receipt();
    book.leaves[OWN] = book.leaves[2];
    struct message told = rejection_at(15, TENDER_REASON_OUTBID, 3);
    show(&told, OWN, 1, 15);
    expect(&told, "the bid is not in the book");
}

static void bid_that_is_moved_is_disputed(void **state)
{
    (void)state;
    begin_with_receipt();
    tender_digest own = book.leaves[OWN];
    book.leaves[OWN] = book.leaves[2];
    book.leaves[2] = own;
    struct message told = rejection_at(15, TENDER_REASON_OUTBID, 3);
    show(&told, 2, 1, 15);
    expect(&told, "the bid is not at its place in the book");
}

static void bid_with_two_receipts_is_disputed(void **state)
{
    (void)state;
    begin_with_receipt();
    struct message told = receipt(book.leaves[OWN], 1);
    broker_say(&broker, &told, 1);
    assert_string_equal(next(TENDER_EVENT_DISPUTE)->dispute.claim,
                        "the bid has two places in the book");
}

static void answer_that_shows_nothing_is_disputed(void **state)
{
    (void)state;
    begin_with_receipt();
    struct message award = award_at(15);
    expect(&award, "the broker does not show that the bid is in the book");
}

/* A part of a split round is awarded when the bids of the round are gone. */
static void award_of_a_part_that_shows_nothing_is_no_dispute(void **state)
{
    (void)state;
    connect_and_offer();
    struct message call = make_cfp(1);
    message_set(&call, SPLIT_MAX, split_max, 2);
    message_set(&call, CEILING, ceiling_micro, 1200);
    broker_say(&broker, &call, 1);
    tender_bid_terms terms = TENDER_BID_TERMS_INIT;
    tender_bid offer = {.cost_micro = OWN_COST, .eta_us = 3000};
    terms.capacity = 20;
    const tender_cfp *cfp = &next(TENDER_EVENT_CFP)->cfp;
    assert_int_equal(tender_propose_terms(self, cfp, &offer, &terms), 0);
    assert_quiet();
    tender_options options = options_of_test();
    const struct message *proposal = broker_hear(&broker, TENDER_PROPOSE);
    tender_book_bid own = {task, 1, options.name, options.principal, OWN_COST, 3000, 20, {0}};
    memcpy(own.nonce, proposal->nonce.bytes, sizeof own.nonce);
    struct message told = receipt(tender_book_leaf(&own), OWN);
    broker_say(&broker, &told, 1);
    assert_quiet();
    struct message award = award_at(300);
    message_set(&award, PART, part, 1);
    expect(&award, NULL);
}

/* The first bid was turned away for a call of before; the call comes again, and another bid is
 * said. Which of them counts, the contractor cannot know. */
static void bid_that_was_said_twice_is_no_dispute(void **state)
{
    (void)state;
    hold_round();
    struct message told = {.performative = TENDER_REJECT_PROPOSAL, .conversation = task};
    message_set(&told, ROUND, round, 1);
    message_set(&told, REASON, reason, TENDER_REASON_WRONG_ROUND);
    expect(&told, NULL);
    say_cfp(1);
    tender_bid other = {.cost_micro = OWN_COST - 1, .eta_us = 3000};
    assert_int_equal(tender_propose(self, &next(TENDER_EVENT_CFP)->cfp, &other), 0);
    assert_quiet();
    (void)broker_hear(&broker, TENDER_PROPOSE);
    told = receipt(book.leaves[OWN], OWN); /* of the first */
    broker_say(&broker, &told, 1);
    assert_quiet();
    struct message award = award_at(15);
    show(&award, OWN, 1, 15);
    expect(&award, NULL);
}

/* A friend is paid more than the bid that was ranked behind it asked. */
static void price_above_a_losing_bid_is_disputed(void **state)
{
    (void)state;
    begin_with_receipt();
    struct message told = rejection_at(15, TENDER_REASON_OUTBID, 2);
    show(&told, OWN, 1, 15);
    expect(&told, "the price is above a bid that did not win");
}

/* A bid that nobody made cuts what the winner is paid. */
static void price_of_a_phantom_is_disputed(void **state)
{
    (void)state;
    begin_with_receipt();
    struct message award = award_at(13);
    show(&award, OWN, 1, 13);
    expect(&award, "the bid that set the price is not in the book");
}

static void price_that_is_not_the_setters_cost_is_disputed(void **state)
{
    (void)state;
    begin_with_receipt();
    struct message award = award_at(14);
    show(&award, OWN, 1, 15);
    expect(&award, "the price is not the cost of the bid that set it");
}

static void price_that_nobody_set_is_disputed(void **state)
{
    (void)state;
    begin_with_receipt();
    struct message award = award_at(29);
    show(&award, OWN, NONE, 0);
    expect(&award, "the price is neither a bid's cost nor the ceiling");
}

static void first_price_is_disputed(void **state)
{
    (void)state;
    begin_with_receipt();
    struct message award = award_at(OWN_COST);
    show(&award, OWN, OWN, OWN_COST);
    expect(&award, "the winner's own bid set its price");
}

static void bytes_that_are_no_proof_are_disputed(void **state)
{
    (void)state;
    begin_with_receipt();
    struct message award = award_at(15);
    show(&award, OWN, 1, 15);
    award.proof.size--;
    expect(&award, "it is not of the form of a proof");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(honest_award_is_no_dispute),
        TEST(honest_rejection_is_no_dispute),
        TEST(bid_that_was_passed_over_is_no_dispute),
        TEST(refusal_before_the_close_is_no_dispute),
        TEST(award_of_a_part_that_shows_nothing_is_no_dispute),
        TEST(bid_that_was_said_twice_is_no_dispute),
        TEST(another_bid_than_was_said_is_disputed),
        TEST(bid_that_is_dropped_is_disputed),
        TEST(bid_that_is_moved_is_disputed),
        TEST(bid_with_two_receipts_is_disputed),
        TEST(answer_that_shows_nothing_is_disputed),
        TEST(price_above_a_losing_bid_is_disputed),
        TEST(price_of_a_phantom_is_disputed),
        TEST(price_that_is_not_the_setters_cost_is_disputed),
        TEST(price_that_nobody_set_is_disputed),
        TEST(first_price_is_disputed),
        TEST(bytes_that_are_no_proof_are_disputed),
    };
    return broker_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
