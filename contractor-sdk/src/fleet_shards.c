/*
 * Who reigns over which shard, as receipts say, and so who holds which commitment: brokers may give
 * shards to each other, and those that take one know of awards that we may not have heard of. One
 * session is locked at a time. See fleet.h.
 */
#include <string.h>

#include "fleet_internal.h"

#define NOBODY SIZE_MAX

static uint32_t read_number(const uint8_t *at, int size)
{
    uint32_t number = 0;
    for (int i = 0; i < size; i++) {
        number = number << 8 | at[i];
    }
    return number;
}

static uint32_t shard_of(const uint8_t *receipt)
{
    return read_number(receipt, 2);
}

static uint32_t reign_of(const uint8_t *receipt)
{
    return read_number(receipt + 2, 4);
}

/* Takes what one session knows. Locked. */
static void see(struct fleet *fleet, size_t index, const struct session *session)
{
    for (uint32_t i = 0; i < session->receipt_count; i++) {
        uint32_t shard = shard_of(session->receipts[i]);
        if (shard < FLEET_SHARDS_MAX) {
            struct reigning *reigning = &fleet->reigning[shard];
            uint32_t reign = reign_of(session->receipts[i]);
            fleet->shard_count = shard >= fleet->shard_count ? shard + 1 : fleet->shard_count;
            reigning->newest = reign > reigning->newest ? reign : reigning->newest;
        }
    }
    size_t own_size = session_is_live(session) ? session->own_size : 0;
    for (size_t at = 0; at < own_size; at += WIRE_RECEIPT_SIZE) {
        uint32_t shard = shard_of(session->own + at);
        uint32_t reign = reign_of(session->own + at);
        if (shard < FLEET_SHARDS_MAX && reign >= fleet->reigning[shard].reign) {
            fleet->reigning[shard].reign = reign;
            fleet->reigning[shard].member = index;
            fleet->reigning[shard].has_told = session->offers_agreed > 0;
        }
    }
}

/* Whether a broker says that it has the shard, and no newer reign over it is known. */
static bool is_known(const struct reigning *reigning)
{
    return reigning->member != NOBODY && reigning->reign >= reigning->newest;
}

/* The member whose broker has the task, as far as is known; else `otherwise`. */
static size_t member_of(const struct fleet *fleet, tender_id task, size_t otherwise)
{
    if (fleet->shard_count == 0) {
        return otherwise;
    }
    const struct reigning *reigning = &fleet->reigning[task.bytes[15] % fleet->shard_count];
    return is_known(reigning) ? reigning->member : otherwise;
}

void fleet_see_shards(struct fleet *fleet)
{
    for (size_t shard = 0; shard < FLEET_SHARDS_MAX; shard++) {
        fleet->reigning[shard] = (struct reigning){.member = NOBODY};
    }
    for (size_t i = 0; i < fleet->count; i++) {
        struct session *session = fleet->members[i].contractor->view.session;
        fleet->used[i] = 0;
        session_lock(session);
        see(fleet, i, session);
        session_unlock(session);
    }
    for (size_t i = 0; i < fleet->count; i++) {
        const tender_contractor *contractor = fleet->members[i].contractor;
        session_lock(contractor->view.session);
        for (const struct table_node *node = contractor->holdings.oldest; node != NULL;
             node = node->newer) {
            fleet->used[member_of(fleet, node->task, i)]++;
        }
        session_unlock(contractor->view.session);
    }
}

bool fleet_has_heard_of(const struct fleet *fleet, const uint8_t *receipts, size_t size)
{
    for (size_t at = 0; at < size; at += WIRE_RECEIPT_SIZE) {
        uint32_t shard = shard_of(receipts + at);
        if (shard >= FLEET_SHARDS_MAX) {
            continue;
        }
        const struct reigning *reigning = &fleet->reigning[shard];
        if (!is_known(reigning) || reigning->reign < reign_of(receipts + at) ||
            !reigning->has_told) {
            return false;
        }
    }
    return size > 0;
}
