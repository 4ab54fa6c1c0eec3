/* Skills of the roster, and which contractor offers them. */
#include "roster.h"

#include <assert.h>
#include <string.h>

tender_bytes skill_name(const struct roster *roster, uint32_t skill)
{
    return (tender_bytes){roster->skills[skill].name, roster->skills[skill].name_size};
}

static bool has_name(const void *context, uint32_t object, const void *key)
{
    const struct roster *roster = context;
    const tender_bytes *name = key;
    const struct skill *skill = &roster->skills[object];
    return skill->name_size == name->size && memcmp(skill->name, name->data, name->size) == 0;
}

uint32_t roster_skill_find(const struct roster *roster, tender_bytes name)
{
    return table_find(&roster->skill_by_name, table_hash(2, name.data, name.size), has_name, &name,
                      roster);
}

bool roster_has_skill_room(const struct roster *roster, tender_bytes name)
{
    return roster->free_skill != 0 || roster->skills_used < roster->skill_count ||
           roster_skill_find(roster, name) != 0;
}

uint32_t roster_skill_open(struct roster *roster, tender_bytes name)
{
    uint32_t number = roster_skill_find(roster, name);
    if (number != 0) {
        return number;
    }
    assert(name.size > 0 && name.size <= TENDER_SKILL_MAX);
    if (roster->free_skill != 0) {
        number = roster->free_skill;
        roster->free_skill = roster->skills[number].next_free;
    } else if (roster->skills_used < roster->skill_count) {
        number = ++roster->skills_used;
    } else {
        return 0;
    }
    struct skill *skill = &roster->skills[number];
    memset(skill, 0, sizeof *skill);
    memcpy(skill->name, name.data, name.size);
    skill->name_size = (uint8_t)name.size;
    table_insert(&roster->skill_by_name, table_hash(2, name.data, name.size), number);
    return number;
}

void roster_skill_refer(struct roster *roster, uint32_t skill)
{
    assert(skill != 0);
    roster->skills[skill].references++;
}

void roster_skill_drop(struct roster *roster, uint32_t number)
{
    struct skill *skill = &roster->skills[number];
    assert(skill->references > 0);
    if (--skill->references > 0) {
        return;
    }
    assert(skill->offers == 0 && skill->crowd == 0);
    assert(skill->waiting == 0 && skill->full == 0 && skill->counts == 0);
    table_remove(&roster->skill_by_name, table_hash(2, skill->name, skill->name_size), number);
    skill->name_size = 0;
    skill->next_free = roster->free_skill;
    roster->free_skill = number;
}

static void link_offer(struct roster *roster, uint32_t number)
{
    struct offer *offer = &roster->offers[number];
    struct skill *skill = &roster->skills[offer->skill];
    offer->previous = 0;
    offer->next = skill->offers;
    if (skill->offers != 0) {
        roster->offers[skill->offers].previous = number;
    }
    skill->offers = number;
}

static void unlink_offer(struct roster *roster, uint32_t number)
{
    struct offer *offer = &roster->offers[number];
    if (offer->previous != 0) {
        roster->offers[offer->previous].next = offer->next;
    } else {
        roster->skills[offer->skill].offers = offer->next;
    }
    if (offer->next != 0) {
        roster->offers[offer->next].previous = offer->previous;
    }
}

static uint32_t offered_skill(const struct roster *roster, uint32_t peer, uint32_t skill)
{
    uint32_t first = roster->peers[peer].offers;
    for (uint32_t i = 0; i < roster->peers[peer].skill_count; i++) {
        if (roster->offers[first + i].skill == skill) {
            return first + i;
        }
    }
    return 0;
}

bool roster_offers(const struct roster *roster, uint32_t peer, uint32_t skill)
{
    const struct peer *record = &roster->peers[peer];
    return record->is_contractor && record->is_offered && offered_skill(roster, peer, skill) != 0;
}

/* Into the crowds of its skills, or out of them. */
static void place(struct roster *roster, struct peer *peer, bool is_in)
{
    uint32_t number = (uint32_t)(peer - roster->peers);
    uint32_t root = roster->accounts->items[peer->principal].root;
    struct crowd_member principal = {account_name(roster->accounts, root), root};
    peer->is_in_crowds = is_in;
    for (uint32_t i = 0; i < peer->skill_count; i++) {
        struct offer *offer = &roster->offers[peer->offers + i];
        uint32_t *crowd = &roster->skills[offer->skill].crowd;
        if (is_in) {
            struct crowd_member agent = {peer_name(roster, number), number};
            offer->crowd = crowd_join(&roster->crowds, crowd, principal, agent);
        } else {
            crowd_leave(&roster->crowds, crowd, offer->crowd);
            offer->crowd = 0;
        }
    }
}

void roster_settle_crowds(struct roster *roster, struct peer *peer)
{
    bool is_in = peer->is_contractor && peer->is_alive && peer->is_offered;
    if (is_in != peer->is_in_crowds) {
        place(roster, peer, is_in);
    }
}

bool roster_settle_root(struct roster *roster, uint32_t account)
{
    for (uint32_t number = 1; number <= roster->peers_used; number++) {
        struct peer *peer = &roster->peers[number];
        if (peer->principal == account && peer->is_in_crowds) {
            place(roster, peer, false);
        }
    }
    bool is_settled = account_settle_root(roster->accounts, account);
    for (uint32_t number = 1; number <= roster->peers_used; number++) {
        roster_settle_crowds(roster, &roster->peers[number]);
    }
    return is_settled;
}

void roster_mark_seen(struct roster *roster, uint32_t peer, uint32_t skill, uint32_t priority,
                      uint64_t sequence)
{
    uint32_t offer = offered_skill(roster, peer, skill);
    if (offer != 0 && roster->offers[offer].seen[priority] < sequence) {
        roster->offers[offer].seen[priority] = sequence;
    }
}

void roster_forget_seen(struct roster *roster, uint32_t peer)
{
    struct peer *record = &roster->peers[peer];
    for (uint32_t i = 0; i < record->skill_count; i++) {
        memset(roster->offers[record->offers + i].seen, 0, sizeof roster->offers[0].seen);
    }
    roster_fell_behind(roster, peer);
}

static bool is_same(const struct roster *roster, uint32_t peer, const tender_bytes *skills,
                    uint32_t skill_count, uint32_t slots)
{
    const struct peer *record = &roster->peers[peer];
    if (record->skill_count != skill_count || record->slots != slots) {
        return false;
    }
    for (uint32_t i = 0; i < skill_count; i++) {
        uint32_t skill = roster_skill_find(roster, skills[i]);
        if (skill == 0 || offered_skill(roster, peer, skill) == 0) {
            return false;
        }
    }
    return true;
}

static void take_back_offers(struct roster *roster, struct peer *peer)
{
    for (uint32_t i = 0; i < peer->skill_count; i++) {
        unlink_offer(roster, peer->offers + i);
        roster_skill_drop(roster, roster->offers[peer->offers + i].skill);
    }
    peer->skill_count = 0;
}

bool roster_offer(struct roster *roster, uint32_t number, const tender_bytes *skills,
                  uint32_t skill_count, uint32_t slots)
{
    struct peer *peer = &roster->peers[number];
    assert(peer->is_contractor && skill_count <= TENDER_SKILLS_MAX);
    bool is_changed = !is_same(roster, number, skills, skill_count, slots);
    if (is_changed) {
        bool was_offered = peer->is_offered;
        peer->is_offered = false; /* out of all lists while the skills change */
        roster_update(roster, number);
        roster_settle_crowds(roster, peer);
        peer->is_offered = was_offered;
        take_back_offers(roster, peer);
        for (uint32_t i = 0; i < skill_count; i++) {
            uint32_t skill = roster_skill_open(roster, skills[i]);
            if (skill == 0 || offered_skill(roster, number, skill) != 0) {
                continue;
            }
            uint32_t at = peer->offers + peer->skill_count++;
            roster->offers[at] = (struct offer){.peer = number, .skill = skill};
            roster_skill_refer(roster, skill);
            link_offer(roster, at);
        }
        peer->slots = slots;
        roster_settle_crowds(roster, peer);
    }
    return is_changed;
}
