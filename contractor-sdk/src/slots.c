/* See slots.h. */
#include "slots.h"

static uint32_t larger(uint32_t left, uint32_t right)
{
    return left > right ? left : right;
}

/* What must be left to this broker, whatever it does. */
static uint32_t reserved(const struct share *share)
{
    return larger(larger(share->bound, share->said), share->used);
}

/* Whether it has agreed to what it was offered. */
static bool is_settled(const struct share *share)
{
    return share->is_live && share->bound <= share->said;
}

static uint32_t free_of(const struct share *share)
{
    uint64_t taken = (uint64_t)share->used + share->standing;
    return share->said > taken ? (uint32_t)(share->said - taken) : 0;
}

/* Who has no slot for anything new and has waited longest; or `count`. */
static size_t find_needy(const struct share *shares, size_t count)
{
    size_t found = count;
    for (size_t i = 0; i < count; i++) {
        bool is_needy = is_settled(&shares[i]) && shares[i].said <= shares[i].used;
        if (is_needy && (found == count || shares[i].given_us < shares[found].given_us)) {
            found = i;
        }
    }
    return found;
}

/* Who has the fewest; or `count`. */
static size_t find_poorest(const struct share *shares, size_t count)
{
    size_t found = count;
    for (size_t i = 0; i < count; i++) {
        if (is_settled(&shares[i]) && (found == count || shares[i].said < shares[found].said)) {
            found = i;
        }
    }
    return found;
}

int64_t slots_patience(uint32_t moves)
{
    int64_t patience_us = SLOTS_IDLE_US;
    while (moves > 0 && patience_us < SLOTS_IDLE_MAX_US) {
        patience_us *= 2;
        moves--;
    }
    return patience_us;
}

/* Who has the most that were idle for so long; or `count`. */
static size_t find_donor(const struct share *shares, size_t count, int64_t patience_us,
                         int64_t now_us)
{
    size_t found = count;
    for (size_t i = 0; i < count; i++) {
        bool is_idle = now_us - shares[i].idle_us >= patience_us;
        if (is_settled(&shares[i]) && is_idle && free_of(&shares[i]) > 0 &&
            (found == count || free_of(&shares[i]) > free_of(&shares[found]))) {
            found = i;
        }
    }
    return found;
}

bool slots_divide(const struct share *shares, size_t count, uint32_t slots, uint32_t moves,
                  int64_t now_us, size_t *index_out, uint32_t *slots_out)
{
    uint64_t kept = 0;
    uint32_t live = 0;
    for (size_t i = 0; i < count; i++) {
        kept += reserved(&shares[i]);
        live += shares[i].is_live;
    }
    size_t needy = find_needy(shares, count);
    if (live == 0) {
        return false;
    }
    if (kept < slots) {
        size_t poorest = needy < count ? needy : find_poorest(shares, count);
        if (poorest == count) {
            return false;
        }
        uint32_t fair = slots / live;
        uint32_t left = slots - (uint32_t)kept;
        uint32_t more = shares[poorest].said < fair ? fair - shares[poorest].said : 1;
        *index_out = poorest;
        *slots_out = shares[poorest].said + (more < left ? more : left);
        return true;
    }
    size_t donor = find_donor(shares, count, slots_patience(moves), now_us);
    if (needy == count || donor == count) {
        return false;
    }
    *index_out = donor;
    *slots_out = shares[donor].said - (free_of(&shares[donor]) + 1) / 2;
    return true;
}
