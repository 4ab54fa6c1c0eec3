/*
 * The auction against an oracle that was written from the rules and shares no code with it: every
 * small book of up to four bids, ties included, and random larger ones. Then twenty misreports of
 * each bidder: where truth is said to pay, no misreport pays more.
 */
#include "auction.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include <cmocka.h>

#define BIDS_MAX 40
#define CEILING  4

static const char *const names[BIDS_MAX] = {
    "ash-1",   "birch-2",  "cedar-3", "doum-4", "elm-5",   "fir-6",  "gum-7",  "hazel-8",
    "iroko-9", "jarrah",   "kapok",   "larch",  "maple",   "neem",   "oak",    "palm",
    "quince",  "rowan",    "sumac",   "teak",   "upas",    "vine",   "willow", "yew",
    "zelkova", "alder",    "balsa",   "cherry", "dogwood", "ebony",  "fig",    "ginkgo",
    "holly",   "ironwood", "juniper", "kauri",  "lime",    "myrtle", "nutmeg", "olive"};

/* One bid as the oracle sees it. */
struct offer {
    int64_t cost;
    int64_t eta;
    uint32_t principal;
    bool is_eligible;
};

static const struct auction_draw draw = {{{1, 2, 3}}, 258, {{7, 8, 9}}};

static void oracle_draw(size_t index, unsigned char digest[32])
{
    unsigned char bytes[256];
    size_t size = 0;
    memcpy(bytes, "tender/rank/v1", 14);
    size += 14;
    memcpy(bytes + size, draw.task.bytes, 16);
    size += 16;
    const unsigned char round[4] = {0, 0, 1, 2};
    memcpy(bytes + size, round, 4);
    size += 4;
    memcpy(bytes + size, draw.head.bytes, 32);
    size += 32;
    memcpy(bytes + size, names[index], strlen(names[index]));
    size += strlen(names[index]);
    crypto_hash_sha256(digest, bytes, size);
}

/* Whether bid `left` is better than bid `right`, by the words of the rule. */
static bool is_better(const struct offer *offers, size_t left, size_t right)
{
    if (offers[left].cost != offers[right].cost) {
        return offers[left].cost < offers[right].cost;
    }
    if (offers[left].eta != offers[right].eta) {
        return offers[left].eta < offers[right].eta;
    }
    unsigned char a[32];
    unsigned char b[32];
    oracle_draw(left, a);
    oracle_draw(right, b);
    return memcmp(a, b, sizeof a) < 0;
}

/* Whether an eligible bid of the same principal is better. */
static bool is_shadowed(const struct offer *offers, size_t count, size_t index)
{
    for (size_t i = 0; i < count; i++) {
        if (i != index && offers[i].is_eligible && offers[i].principal == offers[index].principal &&
            is_better(offers, i, index)) {
            return true;
        }
    }
    return false;
}

/* From 1: one more than the counting bids that are better; 0 for a bid that does not count. */
static uint32_t oracle_rank(const struct offer *offers, size_t count, size_t index)
{
    if (!offers[index].is_eligible || is_shadowed(offers, count, index)) {
        return 0;
    }
    uint32_t rank = 1;
    for (size_t i = 0; i < count; i++) {
        rank += i != index && offers[i].is_eligible && !is_shadowed(offers, count, i) &&
                is_better(offers, i, index);
    }
    return rank;
}

/* The lowest cost among the eligible bids of other principals, none of those in `out` counting. */
static int64_t oracle_price(const struct offer *offers, size_t count, size_t winner,
                            const bool *is_out)
{
    int64_t price = CEILING;
    for (size_t i = 0; i < count; i++) {
        if (offers[i].is_eligible && offers[i].principal != offers[winner].principal &&
            !is_out[offers[i].principal] && offers[i].cost < price) {
            price = offers[i].cost;
        }
    }
    return price;
}

static uint32_t run(const struct offer *offers, size_t count, struct auction_bid *bids,
                    uint32_t *order)
{
    for (size_t i = 0; i < count; i++) {
        bids[i] = (struct auction_bid){
            .cost_micro = offers[i].cost,
            .eta_us = offers[i].eta,
            .contractor = {names[i], strlen(names[i])},
            .principal = offers[i].principal,
            .reason = offers[i].is_eligible ? TENDER_REASON_NONE : TENDER_REASON_NO_SLOT,
        };
    }
    return auction_rank(bids, (uint32_t)count, &draw, order);
}

static void compare_prices(const struct offer *offers, size_t count, const uint32_t *order,
                           uint32_t counting)
{
    int64_t costs[BIDS_MAX];
    bool is_out[BIDS_MAX + 1] = {false};
    for (uint32_t i = 0; i < counting; i++) {
        costs[i] = offers[order[i]].cost;
    }
    for (uint32_t rank = 1; rank <= counting; rank++) {
        uint32_t setter = 0;
        size_t winner = order[rank - 1];
        int64_t price = auction_price(costs, counting, rank, CEILING, &setter);
        assert_int_equal(price, oracle_price(offers, count, winner, is_out));
        assert_true(setter == 0 ? price == CEILING : offers[order[setter - 1]].cost == price);
        assert_true(offers[winner].cost <= price);
        is_out[offers[winner].principal] = true; /* as if it had never bid */
    }
}

static void compare(const struct offer *offers, size_t count)
{
    struct auction_bid bids[BIDS_MAX];
    uint32_t order[BIDS_MAX];
    bool is_seen[BIDS_MAX] = {false};
    uint32_t counting = run(offers, count, bids, order);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(bids[i].rank, oracle_rank(offers, count, i));
        assert_true(bids[i].reason != TENDER_REASON_NONE);
        assert_false(is_seen[order[i]]);
        is_seen[order[i]] = true;
        if (i < counting) {
            assert_int_equal(bids[order[i]].rank, i + 1);
        }
    }
    compare_prices(offers, count, order, counting);
}

/* All bids of 4 costs, 2 etas, 3 principals, eligible or not: 48 kinds. */
static struct offer kind_of_bid(unsigned kind)
{
    return (struct offer){.cost = kind % 4 + 1,
                          .eta = kind / 4 % 2 + 1,
                          .principal = kind / 8 % 3 + 1,
                          .is_eligible = kind / 24 == 0};
}

static void every_small_book_ranks_and_prices_as_the_rules_say(void **state)
{
    (void)state;
    struct offer offers[3];
    for (unsigned book = 0; book < 48 * 48 * 48; book++) {
        offers[0] = kind_of_bid(book % 48);
        offers[1] = kind_of_bid(book / 48 % 48);
        offers[2] = kind_of_bid(book / 48 / 48);
        compare(offers, 1 + book % 3);
    }
}

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

static void larger_books_too(void **state)
{
    (void)state;
    uint64_t seed = 0x5eed;
    for (int book = 0; book < 4000; book++) {
        struct offer offers[BIDS_MAX];
        size_t count = 4 + next(&seed) % (BIDS_MAX - 4);
        for (size_t i = 0; i < count; i++) {
            offers[i] = (struct offer){.cost = (int64_t)(next(&seed) % 5),
                                       .eta = (int64_t)(next(&seed) % 3) + 1,
                                       .principal = (uint32_t)(next(&seed) % 12) + 1,
                                       .is_eligible = next(&seed) % 4 != 0};
        }
        compare(offers, count);
    }
}

/* What the principal of bid `who` gains: price less true cost when it wins. */
static int64_t gain(const struct offer *offers, size_t count, size_t who, int64_t true_cost)
{
    struct auction_bid bids[BIDS_MAX];
    uint32_t order[BIDS_MAX];
    int64_t costs[BIDS_MAX];
    uint32_t setter = 0;
    uint32_t counting = run(offers, count, bids, order);
    if (counting == 0 || order[0] != who) {
        return 0;
    }
    for (uint32_t i = 0; i < counting; i++) {
        costs[i] = offers[order[i]].cost;
    }
    return auction_price(costs, counting, 1, 1000, &setter) - true_cost;
}

static void twenty_misreports_of_each_bidder_never_pay(void **state)
{
    (void)state;
    uint64_t seed = 0xf00d;
    for (int book = 0; book < 2000; book++) {
        struct offer offers[6];
        size_t count = 1 + next(&seed) % 6;
        for (size_t i = 0; i < count; i++) {
            offers[i] = (struct offer){.cost = (int64_t)(next(&seed) % 1001),
                                       .eta = 1,
                                       .principal = (uint32_t)i + 1,
                                       .is_eligible = true};
        }
        for (size_t who = 0; who < count; who++) {
            int64_t true_cost = offers[who].cost;
            int64_t honest = gain(offers, count, who, true_cost);
            assert_true(honest >= 0);
            for (int misreport = 0; misreport < 20; misreport++) {
                offers[who].cost =
                    misreport < 4 ? true_cost + misreport - 2 : (int64_t)(next(&seed) % 1001);
                offers[who].is_eligible = offers[who].cost >= 0 && offers[who].cost <= 1000;
                assert_true(gain(offers, count, who, true_cost) <= honest);
            }
            offers[who].cost = true_cost;
            offers[who].is_eligible = true;
        }
    }
}

static void a_share_is_rounded_down_in_128_bits(void **state)
{
    (void)state;
    assert_int_equal(auction_share(15000000, 28, 40), 10500000);
    assert_int_equal(auction_share(10, 1, 3), 3);
    assert_int_equal(auction_share(TENDER_MONEY_MAX, TENDER_UNITS_MAX, TENDER_UNITS_MAX),
                     TENDER_MONEY_MAX);
    assert_int_equal(auction_share(TENDER_MONEY_MAX, 999999999, TENDER_UNITS_MAX),
                     INT64_C(999999999000000000));
}

static void a_book_of_the_largest_size_is_ranked(void **state)
{
    (void)state;
    static struct auction_bid bids[AUCTION_BIDS_MAX];
    static uint32_t order[AUCTION_BIDS_MAX];
    for (uint32_t i = 0; i < AUCTION_BIDS_MAX; i++) {
        bids[i] = (struct auction_bid){.cost_micro = AUCTION_BIDS_MAX - i,
                                       .eta_us = 1,
                                       .contractor = {"kiln", 4},
                                       .principal = i + 1};
    }
    assert_int_equal(auction_rank(bids, AUCTION_BIDS_MAX, &draw, order), AUCTION_BIDS_MAX);
    assert_int_equal(order[0], AUCTION_BIDS_MAX - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_book_ranks_and_prices_as_the_rules_say),
        cmocka_unit_test(larger_books_too),
        cmocka_unit_test(twenty_misreports_of_each_bidder_never_pay),
        cmocka_unit_test(a_share_is_rounded_down_in_128_bits),
        cmocka_unit_test(a_book_of_the_largest_size_is_ranked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
