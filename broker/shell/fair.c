/* Fair shares, as fair.h says. */
#include "fair.h"

#include <string.h>

/* A broker, as its seats show it. */
struct party {
    tender_bytes name;
    uint32_t held;
};

/* This one first, then everybody else who holds a shard under a lease that runs. */
struct parties {
    struct party items[SHARDS_MAX + 1];
    uint32_t count;
};

/* The lowest `count` of a set, behind the `skipped` lowest. */
static uint64_t some_of(uint64_t shards, uint32_t skipped, uint32_t count)
{
    uint64_t some = 0;
    for (; shards != 0 && skipped > 0; skipped--) {
        (void)shard_take(&shards);
    }
    for (; shards != 0 && count > 0; count--) {
        some |= shard_set(shard_take(&shards));
    }
    return some;
}

static int compare(tender_bytes left, tender_bytes right)
{
    size_t size = left.size < right.size ? left.size : right.size;
    int order = memcmp(left.data, right.data, size);
    return order != 0 ? order : (left.size > right.size) - (left.size < right.size);
}

static void add(struct parties *parties, tender_bytes name)
{
    uint32_t at = 1;
    if (compare(name, parties->items[0].name) == 0) {
        return; /* what this one holds it knows itself */
    }
    while (at < parties->count && compare(name, parties->items[at].name) != 0) {
        at++;
    }
    if (at == parties->count) {
        parties->items[parties->count++] = (struct party){name, 0};
    }
    parties->items[at].held++;
}

static void collect(const struct fair_view *view, uint64_t held, struct parties *parties_out)
{
    parties_out->items[0] = (struct party){view->name, shard_size(held)};
    parties_out->count = 1;
    for (uint32_t shard = 0; shard < view->shard_count; shard++) {
        const struct seat *seat = &view->seats[shard];
        if (!seat->is_free && !shard_is_in(held, shard)) {
            add(parties_out, (tender_bytes){seat->holder, seat->holder_size});
        }
    }
}

static bool is_ahead(const struct party *left, const struct party *right)
{
    return left->held != right->held ? left->held > right->held
                                     : compare(left->name, right->name) < 0;
}

static uint32_t rank_of(const struct parties *parties, uint32_t index)
{
    uint32_t rank = 0;
    for (uint32_t i = 0; i < parties->count; i++) {
        rank += i != index && is_ahead(&parties->items[i], &parties->items[index]);
    }
    return rank;
}

/* How many that hold nothing come before this one, which does neither. */
static uint32_t empty_before(const struct fair_view *view, const struct parties *parties)
{
    uint32_t lower = view->lower;
    for (uint32_t i = 1; i < parties->count; i++) {
        lower -= lower > 0 && compare(parties->items[i].name, view->name) < 0;
    }
    return parties->items[0].held == 0 ? lower : 0;
}

static uint32_t share_of(const struct fair_view *view, uint32_t rank)
{
    uint32_t share = view->shard_count / view->brokers + (rank < view->shard_count % view->brokers);
    return share > 0 ? share : 1;
}

/* How many free shards those before this one will take. */
static uint32_t taken_before(const struct fair_view *view, const struct parties *parties,
                             uint32_t empty)
{
    uint32_t taken = 0;
    for (uint32_t i = 1; i < parties->count; i++) {
        uint32_t share = share_of(view, rank_of(parties, i));
        bool is_before = is_ahead(&parties->items[i], &parties->items[0]);
        taken += is_before && share > parties->items[i].held ? share - parties->items[i].held : 0;
    }
    for (uint32_t i = 0; i < empty; i++) {
        taken += share_of(view, parties->count - 1 + i);
    }
    return taken;
}

uint64_t fair_set(const struct fair_view *view, uint64_t held)
{
    struct parties parties;
    uint64_t free = 0;
    for (uint32_t shard = 0; shard < view->shard_count; shard++) {
        free |= view->seats[shard].is_free ? shard_set(shard) : 0;
    }
    free &= ~held;
    collect(view, held, &parties);
    uint32_t empty = empty_before(view, &parties);
    uint32_t share = share_of(view, rank_of(&parties, 0) + empty);
    uint32_t skipped = taken_before(view, &parties, empty);
    if (held == 0 && free != 0) {
        skipped %= shard_size(free); /* those before it may be gone: it has nothing to lose */
    }
    uint64_t kept = some_of(held, 0, share);
    return kept | some_of(free, skipped, share - shard_size(kept));
}
