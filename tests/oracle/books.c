/*
 * Small books from a seed, and what the core makes of them, as text for check.py: a line `auction`
 * and a line `split` for each. README.md has the fields.
 *
 *     oracle_books SEED FIRST COUNT    books FIRST to FIRST + COUNT - 1
 */
#include "auction.h"
#include "split.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BIDS_MAX   7
#define PRINCIPALS 12
#define DUE_US     3
#define BINDS_US   10
#define ODD_ONE    20 /* of so many costs, etas, validities one is odd */
#define LARGE_ONE  8  /* of so many books one has units and money near the limits */
#define PAYMENTS   2  /* deliveries tried for each part */

static struct split_scratch scratch;

/* splitmix64. */
static uint64_t next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int64_t between(uint64_t *state, int64_t low, int64_t high)
{
    return low + (int64_t)(next(state) % ((uint64_t)(high - low) + 1));
}

/* A round and its bids, before anything is decided. */
struct book {
    struct auction_terms terms;
    struct auction_draw draw;
    struct auction_bid bids[BIDS_MAX];
    int64_t capacities[BIDS_MAX];
    char names[BIDS_MAX][16];
    uint32_t count;
};

static void draw_bytes(uint64_t *state, uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)next(state);
    }
}

static bool is_odd(uint64_t *state)
{
    return next(state) % ODD_ONE == 0;
}

/* Few values, so that ties are many; now and then one that is not eligible. */
static void draw_bid(uint64_t *state, struct book *book, uint32_t i, int64_t cost_step,
                     int64_t cost_max)
{
    struct auction_bid *bid = &book->bids[i];
    int letter = (int)between(state, 'a', 'z');
    int size = snprintf(book->names[i], sizeof book->names[i], "%c%u", letter, i);
    bid->contractor = (tender_bytes){book->names[i], (size_t)size};
    bid->principal = (uint32_t)between(state, 1, PRINCIPALS);
    bid->cost_micro = between(state, 0, cost_max) * cost_step;
    bid->eta_us = between(state, 1, DUE_US);
    if (is_odd(state)) {
        bid->cost_micro = -1;
    }
    if (is_odd(state)) {
        bid->eta_us = between(state, 0, 1) * (DUE_US + 1);
    }
    if (is_odd(state)) {
        bid->valid_until_us = BINDS_US + between(state, -1, 1);
    }
}

static void draw_book(uint64_t *state, struct book *book, int64_t cost_step, int64_t cost_max)
{
    book->draw.round = (uint32_t)between(state, 1, 300);
    draw_bytes(state, book->draw.task.bytes, sizeof book->draw.task.bytes);
    draw_bytes(state, book->draw.head.bytes, sizeof book->draw.head.bytes);
    book->count = (uint32_t)between(state, 0, BIDS_MAX);
    for (uint32_t i = 0; i < book->count; i++) {
        draw_bid(state, book, i, cost_step, cost_max);
    }
}

static void say_bytes(const uint8_t *bytes, size_t size)
{
    putchar(' ');
    for (size_t i = 0; i < size; i++) {
        printf("%02x", bytes[i]);
    }
}

/* Says the round and the bids, and ranks them. Returns how many count. */
static uint32_t rank_book(struct book *book, uint32_t *order)
{
    printf(" %" PRId64 " %" PRId64 " %" PRId64 " %u", book->terms.ceiling_micro, book->terms.due_us,
           book->terms.binds_until_us, book->draw.round);
    say_bytes(book->draw.task.bytes, sizeof book->draw.task.bytes);
    say_bytes(book->draw.head.bytes, sizeof book->draw.head.bytes);
    printf(" %u", book->count);
    for (uint32_t i = 0; i < book->count; i++) {
        struct auction_bid *bid = &book->bids[i];
        printf(" %s %u %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, book->names[i],
               bid->principal, bid->cost_micro, bid->eta_us, bid->valid_until_us,
               book->capacities[i]);
        bid->reason =
            auction_judge(&book->terms, bid->cost_micro, bid->eta_us, bid->valid_until_us);
    }
    return auction_rank(book->bids, book->count, &book->draw, order);
}

static void say_auction(uint64_t *state)
{
    struct book book = {.terms = {0, DUE_US, BINDS_US}};
    uint32_t order[BIDS_MAX];
    int64_t costs[BIDS_MAX];
    int64_t step = next(state) % LARGE_ONE == 0 ? TENDER_MONEY_MAX / 8 : 1;
    book.terms.ceiling_micro = between(state, 0, 7) * step;
    draw_book(state, &book, step, 8);
    printf("auction");
    uint32_t counting = rank_book(&book, order);
    for (uint32_t i = 0; i < book.count; i++) {
        printf(" %u %s", book.bids[i].rank, tender_reason_name(book.bids[i].reason));
    }
    for (uint32_t i = 0; i < counting; i++) {
        costs[i] = book.bids[order[i]].cost_micro;
    }
    for (uint32_t rank = 1; rank <= counting; rank++) {
        uint32_t setter = 0;
        int64_t price = auction_price(costs, counting, rank, book.terms.ceiling_micro, &setter);
        printf(" %" PRId64 " %u", price, setter);
    }
    putchar('\n');
}

/* The terms of a division, and a book for it; capacities from one unit to all and a few. */
static struct split_terms draw_split(uint64_t *state, struct book *book)
{
    bool is_large = next(state) % LARGE_ONE == 0;
    int64_t scale = is_large ? between(state, 1, TENDER_UNITS_MAX / 9) : 1;
    int64_t step = is_large ? between(state, 1, TENDER_MONEY_MAX / TENDER_UNITS_MAX / 8) : 1;
    int64_t shares = between(state, 1, 8);
    int64_t unit_ceiling = between(state, 0, 7);
    struct split_terms terms = {.units = shares * scale};
    terms.ceiling_micro = unit_ceiling * step * terms.units + between(state, 0, terms.units - 1);
    terms.parts_max = (uint32_t)between(state, 1, 4);
    book->terms = (struct auction_terms){split_unit_ceiling(&terms), DUE_US, BINDS_US};
    draw_book(state, book, step, unit_ceiling + 1);
    for (uint32_t i = 0; i < book->count; i++) {
        book->capacities[i] = between(state, 1, shares + 1) * scale;
        if (is_large) {
            book->capacities[i] += between(state, -1, 1);
        }
    }
    return terms;
}

/* A part: what it is paid, and what for some of its units. */
static void say_part(uint64_t *state, const struct split_bid *parts, uint32_t counting,
                     const struct split_terms *terms, uint32_t index)
{
    printf(" %" PRId64 " %" PRId64, parts[index].units, parts[index].price_micro);
    for (int i = 0; i < PAYMENTS; i++) {
        int64_t delivered = between(state, 0, parts[index].units);
        printf(" %" PRId64 " %" PRId64, delivered,
               split_pay(parts, counting, terms, index, delivered, &scratch));
    }
}

static void say_split(uint64_t *state)
{
    struct book book = {.count = 0};
    struct split_terms terms = draw_split(state, &book);
    uint32_t order[BIDS_MAX];
    struct split_bid parts[BIDS_MAX];
    printf("split %" PRId64 " %" PRId64 " %u", terms.units, terms.ceiling_micro, terms.parts_max);
    uint32_t counting = rank_book(&book, order);
    for (uint32_t i = 0; i < counting; i++) {
        parts[i] = (struct split_bid){.unit_cost_micro = book.bids[order[i]].cost_micro,
                                      .capacity = book.capacities[order[i]]};
    }
    struct split_result result = split_choose(parts, counting, &terms, &scratch);
    printf(" %u %u %" PRId64 " %" PRId64 " %" PRId64, result.parts_max, result.part_count,
           result.covered, result.cost_micro, result.price_micro);
    for (uint32_t i = 0; i < counting; i++) {
        if (parts[i].units > 0) {
            printf(" %s", book.names[order[i]]);
            say_part(state, parts, counting, &terms, i);
        }
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: oracle_books SEED FIRST COUNT\n", stderr);
        return 2;
    }
    uint64_t seed = strtoull(argv[1], NULL, 0);
    uint64_t first = strtoull(argv[2], NULL, 0);
    uint64_t count = strtoull(argv[3], NULL, 0);
    for (uint64_t i = first; i < first + count; i++) {
        uint64_t state = seed;
        state = next(&state) + i; /* each book by itself, so that one can be said again */
        say_auction(&state);
        say_split(&state);
    }
    return ferror(stdout) || fflush(stdout) != 0;
}
