/*
 * Who may speak as whom: principals and agents with their public keys, as operators enrolled them.
 * It answers by name and key, and knows nothing of sessions, signatures or messages.
 *
 * A principal's key speaks as any agent of that principal, an agent's as that agent alone, and that
 * of KEYRING_ANYBODY for each principal that is not enrolled by name. Names of agents are unique
 * over all principals. Nobody is forgotten: whoever was revoked stays revoked until an operator
 * enrols it with another key.
 *
 * The same is recorded in every shard. Of what is known of one name the latest said counts, in
 * whatever order shards tell it.
 */
#ifndef TENDER_BROKER_CORE_KEYRING_H
#define TENDER_BROKER_CORE_KEYRING_H

#include "entry.h"
#include "pool.h"
#include "table.h"

/* Stands for every principal that is not enrolled by name. */
#define KEYRING_ANYBODY ((tender_bytes){"*", 1})

struct keyring_principal {
    uint32_t next_free;
    bool is_revoked;
    uint8_t name_size;
    uint8_t parent_size;
    char name[TENDER_NAME_MAX];
    char parent[TENDER_NAME_MAX]; /* in whose budget it spends; empty: its own */
    tender_digest key;            /* all zero: none */
    int64_t said_at_us;
};

struct keyring_agent {
    uint32_t next_free;
    uint32_t grants; /* first skill that it may offer; 0: any */
    bool is_revoked;
    uint8_t name_size;
    uint8_t principal_size;
    char name[TENDER_NAME_MAX];
    char principal[TENDER_NAME_MAX];
    tender_digest key; /* all zero: none of its own */
    int64_t said_at_us;
};

struct keyring_grant {
    uint32_t next_free;
    uint32_t next; /* of the same agent, in the order in which they were said */
    uint8_t skill_size;
    char skill[TENDER_SKILL_MAX];
};

struct keyring {
    struct pool principals;
    struct pool agents;
    struct pool grants;
    struct table principal_by_name;
    struct table agent_by_name;
    uint64_t changes; /* so far */
    bool has_parents; /* somebody spends in the budget of another */
};

/* Room for so many of each. Returns 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int keyring_init(struct keyring *keyring, uint32_t principal_count,
                                   uint32_t agent_count);
void keyring_release(struct keyring *keyring);

/* By name, or NULL. Valid until the keyring changes. */
const struct keyring_principal *keyring_principal(const struct keyring *keyring, tender_bytes name);
const struct keyring_agent *keyring_agent(const struct keyring *keyring, tender_bytes name);

/* The root of the principals in whose budgets it spends: itself where it has no parent. */
tender_bytes keyring_root(const struct keyring *keyring, tender_bytes principal);

/* Whether what the entry says finds room. */
bool keyring_has_room(const struct keyring *keyring, const struct entry *entry);

/*
 * Learns what an ADMITTED or VOUCHED entry says, unless something later is known of the name.
 * Returns 0, TENDER_EPROTOCOL for an entry that nobody could have made, or TENDER_ELIMIT.
 */
TENDER_MUST_CHECK int keyring_apply(struct keyring *keyring, const struct entry *entry);

/*
 * Whether `key` may open a session as the agent `name` of `principal`: NONE, or UNKNOWN_PRINCIPAL,
 * REVOKED (the principal or the agent), NAME_TAKEN (the agent is another principal's) or
 * UNKNOWN_KEY.
 */
tender_reason keyring_may(const struct keyring *keyring, tender_bytes principal, tender_bytes name,
                          const uint8_t key[32]);

/* Whether the agent may offer the skill; one that is not enrolled by name may offer any. */
bool keyring_grants(const struct keyring *keyring, tender_bytes name, tender_bytes skill);

#endif
