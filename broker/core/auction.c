/* The rules of auction.h. The draw is made only where cost and eta are equal. */
#include "auction.h"

#include "draw.h"

#include <assert.h>
#include <string.h>

tender_reason auction_judge(const struct auction_terms *terms, int64_t cost_micro, int64_t eta_us,
                            int64_t valid_until_us)
{
    if (cost_micro < 0) {
        return TENDER_REASON_COST_NEGATIVE;
    }
    if (cost_micro > terms->ceiling_micro) {
        return TENDER_REASON_ABOVE_CEILING;
    }
    if (eta_us <= 0) {
        return TENDER_REASON_ETA_NOT_POSITIVE;
    }
    if (eta_us > terms->due_us) {
        return TENDER_REASON_ETA_BEYOND_DUE;
    }
    if (valid_until_us != 0 && valid_until_us < terms->binds_until_us) {
        return TENDER_REASON_VALIDITY_TOO_SHORT;
    }
    return TENDER_REASON_NONE;
}

static void make_draw(struct auction_bid *bid, const struct auction_draw *draw)
{
    struct draw_seed seed = draw_seed("tender/rank/v1", draw->task, &draw->round, 1, &draw->head);
    bid->draw = draw_for(&seed, bid->contractor);
    bid->is_drawn = true;
}

static bool ranks_before(struct auction_bid *left, struct auction_bid *right,
                         const struct auction_draw *draw)
{
    if (left->cost_micro != right->cost_micro) {
        return left->cost_micro < right->cost_micro;
    }
    if (left->eta_us != right->eta_us) {
        return left->eta_us < right->eta_us;
    }
    if (!left->is_drawn) {
        make_draw(left, draw);
    }
    if (!right->is_drawn) {
        make_draw(right, draw);
    }
    return memcmp(left->draw.bytes, right->draw.bytes, sizeof left->draw.bytes) < 0;
}

/* Restores the heap of the worst bid on top below `at`. */
static void sift(struct auction_bid *bids, uint32_t *order, uint32_t count, uint32_t at,
                 const struct auction_draw *draw)
{
    for (uint32_t child = at * 2 + 1; child < count; child = at * 2 + 1) {
        if (child + 1 < count && ranks_before(&bids[order[child]], &bids[order[child + 1]], draw)) {
            child++;
        }
        if (!ranks_before(&bids[order[at]], &bids[order[child]], draw)) {
            return;
        }
        uint32_t swap = order[at];
        order[at] = order[child];
        order[child] = swap;
        at = child;
    }
}

/* Heapsort: no recursion, no allocation, no bad case. */
static void sort(struct auction_bid *bids, uint32_t *order, uint32_t count,
                 const struct auction_draw *draw)
{
    for (uint32_t at = count / 2; at > 0; at--) {
        sift(bids, order, count, at - 1, draw);
    }
    for (uint32_t last = count; last > 1; last--) {
        uint32_t swap = order[0];
        order[0] = order[last - 1];
        order[last - 1] = swap;
        sift(bids, order, last - 1, 0, draw);
    }
}

/* Of each principal the best counts. Principals seen are kept in a small open-addressed set. */
static uint32_t count_principals(struct auction_bid *bids, uint32_t *order, uint32_t eligible)
{
    uint32_t seen[2 * AUCTION_BIDS_MAX];
    uint32_t extra[AUCTION_BIDS_MAX];
    uint32_t counting = 0;
    uint32_t extra_count = 0;
    uint32_t mask = 15;
    while (mask + 1 < 2 * eligible) {
        mask = mask * 2 + 1;
    }
    memset(seen, 0, (mask + 1) * sizeof seen[0]);
    for (uint32_t i = 0; i < eligible; i++) {
        struct auction_bid *bid = &bids[order[i]];
        uint32_t at = bid->principal * UINT32_C(2654435761) & mask;
        while (seen[at] != 0 && seen[at] != bid->principal) {
            at = (at + 1) & mask;
        }
        if (seen[at] != 0) {
            bid->reason = TENDER_REASON_SAME_PRINCIPAL;
            extra[extra_count++] = order[i];
            continue;
        }
        seen[at] = bid->principal;
        bid->rank = counting + 1;
        bid->reason = counting == 0 ? TENDER_REASON_LOWEST_COST : TENDER_REASON_OUTBID;
        order[counting++] = order[i];
    }
    memcpy(order + counting, extra, extra_count * sizeof extra[0]);
    return counting;
}

uint32_t auction_rank(struct auction_bid *bids, uint32_t bid_count, const struct auction_draw *draw,
                      uint32_t *order_out)
{
    assert(bid_count <= AUCTION_BIDS_MAX);
    uint32_t eligible = 0;
    uint32_t behind = bid_count;
    for (uint32_t i = 0; i < bid_count; i++) {
        assert(bids[i].principal != 0);
        bids[i].rank = 0;
        bids[i].is_drawn = false;
        if (bids[i].reason == TENDER_REASON_NONE) {
            order_out[eligible++] = i;
        }
    }
    for (uint32_t i = bid_count; i > 0; i--) {
        if (bids[i - 1].reason != TENDER_REASON_NONE) {
            order_out[--behind] = i - 1;
        }
    }
    sort(bids, order_out, eligible, draw);
    return count_principals(bids, order_out, eligible);
}

int64_t auction_price(const int64_t *costs_micro, uint32_t count, uint32_t rank,
                      int64_t ceiling_micro, uint32_t *setter_out)
{
    assert(rank >= 1 && rank <= count);
    *setter_out = rank < count ? rank + 1 : 0;
    return rank < count ? costs_micro[rank] : ceiling_micro;
}

int64_t auction_share(int64_t amount, int64_t part, int64_t whole)
{
    assert(part >= 0 && whole > 0);
    return (int64_t)((__int128)amount * part / whole);
}
