/* Principals and agents by name; see keyring.h. */
#include "keyring.h"

#include "bytes.h"

#include <string.h>

#define PARENTS_MAX 64 /* a parent is enrolled before its children, so there is no circle */

static bool is_set(const tender_digest *key)
{
    static const tender_digest none;
    return memcmp(key, &none, sizeof none) != 0;
}

static uint64_t hash_name(tender_bytes name)
{
    return table_hash(7, name.data, name.size);
}

static bool has_principal_name(const void *context, uint32_t object, const void *key)
{
    const struct keyring_principal *principal = pool_at(context, object);
    return bytes_equal((tender_bytes){principal->name, principal->name_size},
                       *(const tender_bytes *)key);
}

static bool has_agent_name(const void *context, uint32_t object, const void *key)
{
    const struct keyring_agent *agent = pool_at(context, object);
    return bytes_equal((tender_bytes){agent->name, agent->name_size}, *(const tender_bytes *)key);
}

static uint32_t find_principal(const struct keyring *keyring, tender_bytes name)
{
    return table_find(&keyring->principal_by_name, hash_name(name), has_principal_name, &name,
                      &keyring->principals);
}

static uint32_t find_agent(const struct keyring *keyring, tender_bytes name)
{
    return table_find(&keyring->agent_by_name, hash_name(name), has_agent_name, &name,
                      &keyring->agents);
}

int keyring_init(struct keyring *keyring, uint32_t principal_count, uint32_t agent_count)
{
    uint32_t grants = agent_count * 4 + 1024;
    memset(keyring, 0, sizeof *keyring);
    if (pool_open(&keyring->principals, principal_count, sizeof(struct keyring_principal)) != 0 ||
        pool_open(&keyring->agents, agent_count, sizeof(struct keyring_agent)) != 0 ||
        pool_open(&keyring->grants, grants, sizeof(struct keyring_grant)) != 0 ||
        table_init(&keyring->principal_by_name, principal_count) != 0 ||
        table_init(&keyring->agent_by_name, agent_count) != 0) {
        return TENDER_ENOMEM;
    }
    return 0;
}

void keyring_release(struct keyring *keyring)
{
    pool_close(&keyring->principals);
    pool_close(&keyring->agents);
    pool_close(&keyring->grants);
    table_release(&keyring->principal_by_name);
    table_release(&keyring->agent_by_name);
}

const struct keyring_principal *keyring_principal(const struct keyring *keyring, tender_bytes name)
{
    uint32_t number = find_principal(keyring, name);
    return number == 0 ? NULL : pool_at(&keyring->principals, number);
}

const struct keyring_agent *keyring_agent(const struct keyring *keyring, tender_bytes name)
{
    uint32_t number = find_agent(keyring, name);
    return number == 0 ? NULL : pool_at(&keyring->agents, number);
}

tender_bytes keyring_root(const struct keyring *keyring, tender_bytes name)
{
    for (int depth = 0; keyring->has_parents && depth < PARENTS_MAX; depth++) {
        const struct keyring_principal *principal = keyring_principal(keyring, name);
        if (principal == NULL || principal->parent_size == 0) {
            break;
        }
        name = (tender_bytes){principal->parent, principal->parent_size};
    }
    return name;
}

bool keyring_has_room(const struct keyring *keyring, const struct entry *entry)
{
    if (entry->kind == ENTRY_ADMITTED) {
        return find_principal(keyring, entry->admitted.principal) != 0 ||
               pool_has_room(&keyring->principals, 1);
    }
    const struct keyring_agent *agent = keyring_agent(keyring, entry->vouched.agent);
    uint32_t at = agent == NULL ? 0 : agent->grants;
    uint32_t freed = 0;
    for (; at != 0; at = ((struct keyring_grant *)pool_at(&keyring->grants, at))->next) {
        freed++;
    }
    size_t count = entry->vouched.skills.count;
    return (agent != NULL || pool_has_room(&keyring->agents, 1)) &&
           (count <= freed || pool_has_room(&keyring->grants, (uint32_t)count - freed));
}

static bool is_name(tender_bytes name)
{
    return name.size > 0 && name.size <= TENDER_NAME_MAX;
}

static uint8_t copy(char *to, tender_bytes name)
{
    if (name.size > 0) {
        memcpy(to, name.data, name.size);
    }
    return (uint8_t)name.size;
}

static int apply_admitted(struct keyring *keyring, const struct entry_admitted *said)
{
    uint32_t number = find_principal(keyring, said->principal);
    if (!is_name(said->principal) || said->parent.size > TENDER_NAME_MAX || said->said_at_us <= 0) {
        return TENDER_EPROTOCOL;
    }
    bool is_new = number == 0;
    number = is_new ? pool_new(&keyring->principals) : number;
    if (number == 0) {
        return TENDER_ELIMIT;
    }
    struct keyring_principal *principal = pool_at(&keyring->principals, number);
    if (said->said_at_us < principal->said_at_us) {
        return 0;
    }
    principal->name_size = copy(principal->name, said->principal);
    principal->parent_size = copy(principal->parent, said->parent);
    keyring->has_parents |= principal->parent_size > 0;
    principal->key = said->key;
    principal->is_revoked = said->revoked != 0;
    principal->said_at_us = said->said_at_us;
    keyring->changes++;
    if (is_new) {
        table_insert(&keyring->principal_by_name, hash_name(said->principal), number);
    }
    return 0;
}

static void drop_grants(struct keyring *keyring, struct keyring_agent *agent)
{
    while (agent->grants != 0) {
        uint32_t number = agent->grants;
        struct keyring_grant *grant = pool_at(&keyring->grants, number);
        agent->grants = grant->next;
        pool_give(&keyring->grants, number);
    }
}

static int take_grants(struct keyring *keyring, struct keyring_agent *agent,
                       const struct entry_texts *skills)
{
    for (size_t i = skills->count; i-- > 0;) {
        uint32_t number = pool_new(&keyring->grants);
        if (number == 0) {
            return TENDER_ELIMIT;
        }
        struct keyring_grant *grant = pool_at(&keyring->grants, number);
        grant->skill_size = copy(grant->skill, skills->items[i]);
        grant->next = agent->grants;
        agent->grants = number;
    }
    return 0;
}

static bool is_sound(const struct entry_vouched *said)
{
    bool is_right = is_name(said->agent) && is_name(said->principal) && said->said_at_us > 0 &&
                    said->skills.count <= TENDER_SKILLS_MAX;
    for (size_t i = 0; is_right && i < said->skills.count; i++) {
        is_right = tender_skill_is_valid(said->skills.items[i].data, said->skills.items[i].size);
    }
    return is_right;
}

static int apply_vouched(struct keyring *keyring, const struct entry_vouched *said)
{
    uint32_t number = find_agent(keyring, said->agent);
    if (!is_sound(said)) {
        return TENDER_EPROTOCOL;
    }
    bool is_new = number == 0;
    number = is_new ? pool_new(&keyring->agents) : number;
    if (number == 0) {
        return TENDER_ELIMIT;
    }
    struct keyring_agent *agent = pool_at(&keyring->agents, number);
    if (said->said_at_us < agent->said_at_us) {
        return 0;
    }
    agent->name_size = copy(agent->name, said->agent);
    agent->principal_size = copy(agent->principal, said->principal);
    agent->key = said->key;
    agent->is_revoked = said->revoked != 0;
    agent->said_at_us = said->said_at_us;
    keyring->changes++;
    if (is_new) {
        table_insert(&keyring->agent_by_name, hash_name(said->agent), number);
    }
    drop_grants(keyring, agent);
    return take_grants(keyring, agent, &said->skills);
}

int keyring_apply(struct keyring *keyring, const struct entry *entry)
{
    return entry->kind == ENTRY_ADMITTED ? apply_admitted(keyring, &entry->admitted)
                                         : apply_vouched(keyring, &entry->vouched);
}

static bool has_key(const tender_digest *enrolled, const uint8_t key[32])
{
    return is_set(enrolled) && memcmp(enrolled->bytes, key, sizeof enrolled->bytes) == 0;
}

tender_reason keyring_may(const struct keyring *keyring, tender_bytes principal, tender_bytes name,
                          const uint8_t key[32])
{
    const struct keyring_principal *owner = keyring_principal(keyring, principal);
    const struct keyring_agent *agent = keyring_agent(keyring, name);
    if (owner == NULL) {
        owner = keyring_principal(keyring, KEYRING_ANYBODY);
        if (owner == NULL || owner->is_revoked || !has_key(&owner->key, key)) {
            return TENDER_REASON_UNKNOWN_PRINCIPAL;
        }
    }
    if (owner->is_revoked) {
        return TENDER_REASON_REVOKED;
    }
    if (agent == NULL) {
        return has_key(&owner->key, key) ? TENDER_REASON_NONE : TENDER_REASON_UNKNOWN_KEY;
    }
    bool is_owners =
        bytes_equal((tender_bytes){agent->principal, agent->principal_size}, principal);
    if (!has_key(&owner->key, key) && !(is_owners && has_key(&agent->key, key))) {
        return TENDER_REASON_UNKNOWN_KEY; /* who shows no key of this principal learns no more */
    }
    if (!is_owners) {
        return TENDER_REASON_NAME_TAKEN;
    }
    return agent->is_revoked ? TENDER_REASON_REVOKED : TENDER_REASON_NONE;
}

bool keyring_grants(const struct keyring *keyring, tender_bytes name, tender_bytes skill)
{
    const struct keyring_agent *agent = keyring_agent(keyring, name);
    uint32_t at = agent == NULL ? 0 : agent->grants;
    bool is_granted = at == 0;
    while (at != 0 && !is_granted) {
        const struct keyring_grant *grant = pool_at(&keyring->grants, at);
        is_granted = bytes_equal((tender_bytes){grant->skill, grant->skill_size}, skill);
        at = grant->next;
    }
    return is_granted;
}
