/*
 * Fair shares: how the brokers that live divide the shards of a ledger, so that each comes to the
 * same answer by itself and nothing moves that need not. It knows seats only; share.c acts on it.
 */
#ifndef TENDER_BROKER_SHELL_FAIR_H
#define TENDER_BROKER_SHELL_FAIR_H

#include "shard.h"

/* Who holds a shard, as was seen last; without a name nobody does. */
struct seat {
    int64_t reign;
    bool is_free; /* no lease runs */
    uint8_t holder_size;
    uint16_t urls_size;
    char holder[TENDER_NAME_MAX];
    char urls[TENDER_ADDRESS_MAX];
};

/*
 * What one broker sees.
 *
 * seats    [shard_count]; borrowed
 * brokers  that live, this one among them; at least 1
 * lower    how many of them have a lower name
 * name     this one's; borrowed
 */
struct fair_view {
    const struct seat *seats;
    uint32_t shard_count;
    uint32_t brokers;
    uint32_t lower;
    tender_bytes name;
};

/*
 * The set of shards that are this broker's share, of those that it holds and those that are free.
 *
 * Of N shards and L brokers each has N / L, and the first N mod L of them one more: those that hold
 * most, among equals by name. So who has one more keeps it, and nobody gives a shard up for a name.
 * Who holds nothing takes one that is free even where there are more brokers than shards.
 */
uint64_t fair_set(const struct fair_view *view, uint64_t held);

#endif
