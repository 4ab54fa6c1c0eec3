/*
 * An exact branch and bound. Choosing parts is a knapsack with a limit on the number of pieces, so
 * no polynomial algorithm is to be hoped for, and a table over units is slow where they are many.
 * This one does not feel how many units there are. It rests on three facts.
 *
 * One seller at most is used in part. Given who shares the units, it is best to fill them up by
 * falling gain: moving a unit to a seller of higher gain that has room loses nothing. So a set of
 * sellers says all, and its last one takes what is left.
 *
 * Nobody is passed over for a smaller seller. Let i come before j, with at least its capacity. A
 * set that has j and not i gains no less when i takes j's units, and comes first then. So once i is
 * passed over, only sellers with a greater capacity follow (`skipped`). Among equal capacities, or
 * equal gains with the larger first, only how many there are is left to choose.
 *
 * The bound. Let units have a price p ≥ 0 (`unit_price`), and anybody buy what it likes. A seller
 * then brings at most capacity × max(0, gain - p), and any completion of a set by m more sellers
 * from i on is worth at most
 *     value + p × units left + the m largest of these from i on (`tops`),
 * for every p. The best p for the whole problem is found by bisection, since the sellers that pay
 * at p take fewer units as p rises. What they would take is also where good sets are to be found.
 *
 * The walk takes sellers in order, with each seller before without it, so that it meets sets in
 * their order: the first that reaches the greatest value stays. Only a set worth more than the best
 * so far replaces it, so what cannot is cut off. No recursion: a frame a part.
 *
 * Ordinary books take tens of steps, and thousands where the larger bidders are the dearer ones.
 * Where gain × capacity is nearly the same for everybody, millions do not suffice; such books are
 * contrived, since the smaller would have to be the cheaper, just in proportion. steps_left bounds
 * those. Two parts never take more than n (n + 1) / 2 steps.
 */
#include "split_search.h"

#include <assert.h>
#include <string.h>

#define IMPROVE_PASSES 4

/* A seller and what it brings at unit_price. */
struct top {
    split_wide value;
    uint32_t seller;
};

/* Keeps the `max` greatest, the greatest first. */
static void keep_top(struct top *tops, uint32_t *count, uint32_t max, struct top top)
{
    if (*count == max && top.value <= tops[max - 1].value) {
        return;
    }
    uint32_t at = *count < max ? (*count)++ : max - 1;
    for (; at > 0 && tops[at - 1].value < top.value; at--) {
        tops[at] = tops[at - 1];
    }
    tops[at] = top;
}

static split_wide value_at_price(const struct split_search *search, uint32_t seller)
{
    split_wide over = search->gain[seller] - search->unit_price;
    return over > 0 ? over * search->capacity[seller] : 0;
}

/* Moves the seller at `place` to where its order wants it. */
static void settle(struct split_set *set, uint32_t place)
{
    uint32_t seller = set->at[place];
    for (; place > 0 && set->at[place - 1] > seller; place--) {
        set->at[place] = set->at[place - 1];
    }
    for (; place + 1 < set->count && set->at[place + 1] < seller; place++) {
        set->at[place] = set->at[place + 1];
    }
    set->at[place] = seller;
}

/* Values a set, and drops from it those for which no units are left. */
static void value_set(const struct split_search *search, struct split_set *set)
{
    int64_t left = search->units;
    uint32_t count = 0;
    set->value = 0;
    for (; count < set->count && left > 0; count++) {
        int64_t capacity = search->capacity[set->at[count]];
        int64_t units = capacity < left ? capacity : left;
        set->value += search->gain[set->at[count]] * units;
        left -= units;
    }
    set->count = count;
}

/* The bound at unit_price; the sellers that it counts, as a set; how many units they have. */
static split_wide relax(const struct split_search *search, struct split_set *set_out,
                        int64_t *units_out)
{
    struct top tops[SPLIT_PARTS_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < search->count; i++) {
        split_wide value = value_at_price(search, i);
        if (value > 0) {
            keep_top(tops, &count, search->parts_max, (struct top){value, i});
        }
    }
    split_wide bound = search->unit_price * search->units;
    *units_out = 0;
    set_out->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        bound += tops[i].value;
        *units_out += search->capacity[tops[i].seller];
        set_out->at[set_out->count++] = tops[i].seller;
        settle(set_out, i);
    }
    value_set(search, set_out);
    return bound;
}

/* The price with the least bound, and the best set met on the way. */
static void find_price(struct split_search *search)
{
    split_wide low = 0;
    split_wide high = search->count > 0 ? search->gain[0] : 0;
    split_wide best_price = 0;
    int64_t units = -1;
    search->bound = -1;
    while (low <= high && units != search->units && search->found.value != search->bound) {
        struct split_set set;
        search->unit_price = low + (high - low) / 2;
        split_wide bound = relax(search, &set, &units);
        if (search->bound < 0 || bound < search->bound) {
            search->bound = bound;
            best_price = search->unit_price;
        }
        if (set.value > search->found.value) {
            search->found = set;
        }
        if (units > search->units) {
            low = search->unit_price + 1;
        } else {
            high = search->unit_price - 1;
        }
    }
    search->unit_price = best_price;
}

static bool has_seller(const struct split_set *set, uint32_t seller)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->at[i] == seller) {
            return true;
        }
    }
    return false;
}

/* Tries `seller` in each place of the best set, and beside it. */
static bool improve_by(struct split_search *search, uint32_t seller)
{
    struct split_set base = search->found;
    bool is_better = false;
    for (uint32_t place = 0; place <= base.count && place < search->parts_max; place++) {
        struct split_set set = base;
        set.count += place == base.count;
        set.at[place] = seller;
        settle(&set, place);
        value_set(search, &set);
        if (set.value > search->found.value) {
            search->found = set;
            is_better = true;
        }
    }
    return is_better;
}

/* Exchanges one seller at a time while that helps: the better the start, the more is cut off. */
static void improve(struct split_search *search)
{
    bool is_better = true;
    for (int pass = 0; pass < IMPROVE_PASSES && is_better; pass++) {
        is_better = false;
        for (uint32_t i = 0; i < search->count && search->found.value < search->bound; i++) {
            if (search->capacity[i] > 0 && !has_seller(&search->found, i)) {
                is_better |= improve_by(search, i);
            }
        }
    }
}

/* tops[i][m]: the m largest values at unit_price among the sellers from i on. */
static void fill_tops(struct split_search *search)
{
    struct top tops[SPLIT_PARTS_MAX];
    uint32_t count = 0;
    memset(search->tops[search->count], 0, sizeof search->tops[0]);
    for (uint32_t i = search->count; i > 0; i--) {
        split_wide *sums = search->tops[i - 1];
        keep_top(tops, &count, search->parts_max, (struct top){value_at_price(search, i - 1), 0});
        sums[0] = 0;
        for (uint32_t m = 0; m < search->parts_max; m++) {
            sums[m + 1] = sums[m] + (m < count ? tops[m].value : 0);
        }
    }
}

/* The parts taken so far, and who is looked at next. */
struct frame {
    uint32_t next;
    int64_t left;    /* units */
    int64_t skipped; /* greatest capacity among those passed over */
    split_wide value;
};

/* Whether a completion of the frame, which has `parts` parts, could be worth more than `best`. */
static bool is_open(const struct split_search *search, const struct frame *frame, uint32_t parts,
                    split_wide best)
{
    return frame->next < search->count &&
           frame->value + search->unit_price * frame->left +
                   search->tops[frame->next][search->parts_max - parts] >
               best;
}

/* The frame after taking `seller`. */
static struct frame take(const struct split_search *search, const struct frame *frame,
                         uint32_t seller)
{
    int64_t capacity = search->capacity[seller];
    int64_t units = capacity < frame->left ? capacity : frame->left;
    return (struct frame){
        .next = seller + 1,
        .left = frame->left - units,
        .skipped = frame->skipped,
        .value = frame->value + search->gain[seller] * units,
    };
}

/* Replaces `found` by the first set that is worth more than `best`, and that by better ones. */
static bool walk(struct split_search *search, split_wide best)
{
    struct frame frames[SPLIT_PARTS_MAX] = {{.left = search->units}};
    struct split_set set = {.count = 0};
    for (;;) {
        struct frame *frame = &frames[set.count];
        if (!is_open(search, frame, set.count, best)) {
            if (set.count-- == 0) {
                return true;
            }
            continue;
        }
        if (search->steps_left == 0) {
            return false;
        }
        search->steps_left--;
        uint32_t seller = frame->next++;
        if (search->capacity[seller] <= frame->skipped) {
            continue;
        }
        struct frame taken = take(search, frame, seller);
        frame->skipped = search->capacity[seller];
        set.at[set.count] = seller;
        if (taken.value > best) {
            best = taken.value;
            search->found = set;
            search->found.count++;
            search->found.value = best;
        }
        if (taken.left == 0) {
            frame->next = search->count; /* who else could take all of it gains less */
        } else if (set.count + 1 < search->parts_max) {
            frames[++set.count] = taken;
        }
    }
}

bool split_search(struct split_search *search, bool is_first)
{
    assert(search->count <= SPLIT_BIDS_MAX);
    assert(search->parts_max >= 1 && search->parts_max <= SPLIT_PARTS_MAX);
    assert(search->units > 0);
    value_set(search, &search->found);
    find_price(search);
    improve(search);
    fill_tops(search);
    return walk(search, is_first ? search->found.value - 1 : search->found.value);
}
