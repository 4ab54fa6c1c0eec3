/* Peers of the roster: their records, sessions and standing. Skills and offers are
 * roster_skill.c's. */
#include "roster.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int roster_init(struct roster *roster, struct accounts *accounts, uint32_t contractors_max,
                uint32_t clients_max, uint32_t skill_count, uint32_t invitations_max,
                uint32_t unanswered_max)
{
    memset(roster, 0, sizeof *roster);
    roster->accounts = accounts;
    roster->contractors_max = contractors_max;
    roster->clients_max = clients_max;
    roster->peer_count = contractors_max + clients_max;
    roster->skill_count = skill_count;
    roster->invitations_max = invitations_max;
    roster->unanswered_max = unanswered_max;
    roster->peers = calloc((size_t)roster->peer_count + 1, sizeof *roster->peers);
    roster->offers =
        calloc(((size_t)contractors_max + 1) * TENDER_SKILLS_MAX, sizeof *roster->offers);
    roster->skills = calloc((size_t)skill_count + 1, sizeof *roster->skills);
    roster->free_blocks = calloc((size_t)contractors_max + 1, sizeof *roster->free_blocks);
    if (roster->peers == NULL || roster->offers == NULL || roster->skills == NULL ||
        roster->free_blocks == NULL || table_init(&roster->peer_by_name, roster->peer_count) != 0 ||
        table_init(&roster->skill_by_name, skill_count) != 0 ||
        crowds_init(&roster->crowds, contractors_max * TENDER_SKILLS_MAX) != 0) {
        return TENDER_ENOMEM;
    }
    return 0;
}

void roster_release(struct roster *roster)
{
    free(roster->peers);
    free(roster->offers);
    free(roster->skills);
    free(roster->free_blocks);
    crowds_release(&roster->crowds);
    table_release(&roster->peer_by_name);
    table_release(&roster->skill_by_name);
    memset(roster, 0, sizeof *roster);
}

tender_bytes peer_name(const struct roster *roster, uint32_t peer)
{
    return (tender_bytes){roster->peers[peer].name, roster->peers[peer].name_size};
}

static bool has_name(const void *context, uint32_t object, const void *key)
{
    const struct roster *roster = context;
    const tender_bytes *name = key;
    const struct peer *peer = &roster->peers[object];
    return peer->name_size == name->size && memcmp(peer->name, name->data, name->size) == 0;
}

uint32_t roster_find(const struct roster *roster, tender_bytes name)
{
    return table_find(&roster->peer_by_name, table_hash(1, name.data, name.size), has_name, &name,
                      roster);
}

static void list_push(struct roster *roster, struct peer_list *list, uint32_t number)
{
    struct peer *peer = &roster->peers[number];
    peer->next = 0;
    peer->previous = list->last;
    if (list->last != 0) {
        roster->peers[list->last].next = number;
    } else {
        list->first = number;
    }
    list->last = number;
    list->count++;
}

static void list_remove(struct roster *roster, struct peer_list *list, uint32_t number)
{
    struct peer *peer = &roster->peers[number];
    if (peer->previous != 0) {
        roster->peers[peer->previous].next = peer->next;
    } else {
        list->first = peer->next;
    }
    if (peer->next != 0) {
        roster->peers[peer->next].previous = peer->previous;
    } else {
        list->last = peer->previous;
    }
    peer->next = 0;
    peer->previous = 0;
    list->count--;
}

static bool is_needed(const struct peer *peer)
{
    return peer->is_present || peer->references > 0 || peer->follows != 0;
}

static void forget(struct roster *roster, uint32_t number)
{
    struct peer *peer = &roster->peers[number];
    assert(peer->standing == PEER_RESTING && peer->awards == 0 && peer->pasts == 0);
    if (peer->is_contractor) {
        (void)roster_offer(roster, number, NULL, 0, 0);
        roster->free_blocks[roster->free_block_count++] = peer->offers / TENDER_SKILLS_MAX;
        roster->contractors--;
    } else {
        roster->clients--;
    }
    table_remove(&roster->peer_by_name, table_hash(1, peer->name, peer->name_size), number);
    account_drop(roster->accounts, peer->principal);
    memset(peer, 0, sizeof *peer);
    peer->next = roster->free_peer;
    roster->free_peer = number;
}

void roster_settle(struct roster *roster, uint32_t number)
{
    struct peer *peer = &roster->peers[number];
    if (is_needed(peer) == !peer->is_idle) {
        return;
    }
    if (peer->is_idle) {
        list_remove(roster, &roster->idle, number);
        peer->is_idle = false;
    } else if (!peer->is_contractor) {
        forget(roster, number);
    } else {
        list_push(roster, &roster->idle, number);
        peer->is_idle = true;
    }
}

static void evict_oldest(struct roster *roster)
{
    uint32_t number = roster->idle.first;
    if (number != 0) {
        list_remove(roster, &roster->idle, number);
        roster->peers[number].is_idle = false;
        forget(roster, number);
    }
}

static bool has_room(struct roster *roster, bool is_contractor)
{
    if (!is_contractor) {
        return roster->clients < roster->clients_max;
    }
    if (roster->contractors == roster->contractors_max) {
        evict_oldest(roster);
    }
    return roster->contractors < roster->contractors_max;
}

static void become_contractor(struct roster *roster, struct peer *peer)
{
    uint32_t block = roster->free_block_count > 0 ? roster->free_blocks[--roster->free_block_count]
                                                  : ++roster->blocks_used;
    peer->is_contractor = true;
    peer->offers = block * TENDER_SKILLS_MAX;
    roster->contractors++;
}

uint32_t roster_open(struct roster *roster, tender_bytes name, tender_bytes principal,
                     bool is_contractor)
{
    uint32_t number = roster_find(roster, name);
    if (number != 0) {
        bool is_fine = !is_contractor || roster_promote(roster, number);
        return is_fine ? number : 0;
    }
    if (!has_room(roster, is_contractor)) {
        return 0;
    }
    uint32_t account = account_open(roster->accounts, principal);
    if (account == 0) {
        return 0;
    }
    account_refer(roster->accounts, account);
    if (roster->free_peer != 0) {
        number = roster->free_peer;
        roster->free_peer = roster->peers[number].next;
    } else {
        number = ++roster->peers_used;
    }
    struct peer *peer = &roster->peers[number];
    memset(peer, 0, sizeof *peer);
    memcpy(peer->name, name.data, name.size);
    peer->name_size = (uint8_t)name.size;
    peer->is_used = true;
    peer->principal = account;
    table_insert(&roster->peer_by_name, table_hash(1, name.data, name.size), number);
    if (is_contractor) {
        become_contractor(roster, peer);
    } else {
        roster->clients++;
    }
    return number;
}

bool roster_promote(struct roster *roster, uint32_t number)
{
    struct peer *peer = &roster->peers[number];
    if (peer->is_contractor) {
        return true;
    }
    if (!has_room(roster, true)) {
        return false;
    }
    roster->clients--;
    become_contractor(roster, peer);
    return true;
}

bool roster_rename_principal(struct roster *roster, uint32_t number, tender_bytes principal)
{
    struct peer *peer = &roster->peers[number];
    uint32_t account = account_open(roster->accounts, principal);
    if (account == 0) {
        return false;
    }
    account_refer(roster->accounts, account);
    account_drop(roster->accounts, peer->principal);
    peer->principal = account;
    peer->houses = 0;
    peer->bars_at = 0;
    return true;
}

void roster_refer(struct roster *roster, uint32_t number)
{
    roster->peers[number].references++;
    roster_settle(roster, number);
}

void roster_drop(struct roster *roster, uint32_t number)
{
    assert(roster->peers[number].references > 0);
    roster->peers[number].references--;
    roster_settle(roster, number);
}

bool roster_can_take(const struct roster *roster, uint32_t number)
{
    const struct peer *peer = &roster->peers[number];
    return peer->is_contractor && peer->is_alive && peer->is_offered && peer->held < peer->slots &&
           peer->invitations < roster->invitations_max && peer->unanswered < roster->unanswered_max;
}

static void link_ready(struct roster *roster, struct peer *peer)
{
    for (uint32_t i = 0; i < peer->skill_count; i++) {
        uint32_t number = peer->offers + i;
        struct offer *offer = &roster->offers[number];
        struct skill *skill = &roster->skills[offer->skill];
        offer->ready_previous = 0;
        offer->ready_next = skill->ready;
        if (skill->ready != 0) {
            roster->offers[skill->ready].ready_previous = number;
        }
        skill->ready = number;
    }
}

static void unlink_ready(struct roster *roster, struct peer *peer)
{
    for (uint32_t i = 0; i < peer->skill_count; i++) {
        struct offer *offer = &roster->offers[peer->offers + i];
        if (offer->ready_previous != 0) {
            roster->offers[offer->ready_previous].ready_next = offer->ready_next;
        } else {
            roster->skills[offer->skill].ready = offer->ready_next;
        }
        if (offer->ready_next != 0) {
            roster->offers[offer->ready_next].ready_previous = offer->ready_previous;
        }
    }
}

static void stand(struct roster *roster, uint32_t number, enum peer_standing standing)
{
    struct peer *peer = &roster->peers[number];
    if (peer->standing == standing) {
        return;
    }
    if (peer->standing == PEER_READY) {
        unlink_ready(roster, peer);
    } else if (peer->standing == PEER_BEHIND) {
        list_remove(roster, &roster->behind, number);
    }
    peer->standing = standing;
    if (standing == PEER_READY) {
        link_ready(roster, peer);
    } else if (standing == PEER_BEHIND) {
        list_push(roster, &roster->behind, number);
    }
}

void roster_update(struct roster *roster, uint32_t number)
{
    bool can_take = roster_can_take(roster, number);
    if (!can_take) {
        stand(roster, number, PEER_RESTING);
    } else if (roster->peers[number].standing == PEER_RESTING) {
        stand(roster, number, PEER_BEHIND);
    }
}

void roster_caught_up(struct roster *roster, uint32_t number)
{
    assert(roster->peers[number].standing == PEER_BEHIND);
    stand(roster, number, PEER_READY);
}

void roster_fell_behind(struct roster *roster, uint32_t number)
{
    if (roster->peers[number].standing == PEER_READY) {
        stand(roster, number, PEER_BEHIND);
    }
}

static void live(struct roster *roster, struct peer *peer, bool is_alive)
{
    if (peer->is_alive != is_alive && peer->is_contractor && peer->is_offered) {
        roster->alive += is_alive ? 1u : UINT64_MAX;
    }
    peer->is_alive = is_alive;
    roster_settle_crowds(roster, peer);
}

void roster_serve(struct roster *roster, uint32_t number)
{
    struct peer *peer = &roster->peers[number];
    bool is_alive = peer->is_alive;
    live(roster, peer, false);
    peer->is_offered = true;
    live(roster, peer, is_alive);
    roster_update(roster, number);
}

void roster_arrive(struct roster *roster, uint32_t number, int64_t at_us)
{
    struct peer *peer = &roster->peers[number];
    live(roster, peer, false);
    peer->is_present = true;
    peer->is_offered = false;
    peer->unanswered = 0;
    peer->heard_at_us = at_us;
    live(roster, peer, true);
    roster_settle(roster, number);
    roster_update(roster, number);
}

void roster_hear(struct roster *roster, uint32_t number, int64_t at_us)
{
    struct peer *peer = &roster->peers[number];
    peer->heard_at_us = at_us;
    if (peer->is_present && !peer->is_alive) {
        live(roster, peer, true);
        roster_update(roster, number);
    }
}

void roster_silence(struct roster *roster, uint32_t number)
{
    live(roster, &roster->peers[number], false);
    roster_update(roster, number);
}

void roster_leave(struct roster *roster, uint32_t number)
{
    struct peer *peer = &roster->peers[number];
    live(roster, peer, false);
    peer->is_present = false;
    peer->is_offered = false;
    roster_update(roster, number);
    roster_settle(roster, number);
}
