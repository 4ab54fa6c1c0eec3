/*
 * Who offers a skill: the principals that do, each with its agents, as ordered sets in which the
 * one at an index is found in logarithmic time, so that a draw costs the same among a hundred as
 * among ten thousand. The order is by the hash of the name, whatever the order in which they came.
 * Does not know skills, sessions or tasks; draws nothing.
 */
#ifndef TENDER_BROKER_CORE_CROWD_H
#define TENDER_BROKER_CORE_CROWD_H

#include "tender/vocabulary.h"

/*
 * A principal of a crowd, or one of its agents there. A treap: ordered by key, then name; higher
 * nodes have the greater mix of their key.
 *
 * key         the first eight bytes, big-endian, of SHA-256 of the name
 * name        borrowed, for as long as the node is in the set
 * number      the caller's, of the account or the peer
 * count       nodes below and itself
 * agents      of a principal: root of its agents, at least one
 * principal   of an agent: the node of its principal
 */
struct crowd_node {
    uint64_t key;
    tender_bytes name;
    uint32_t number;
    uint32_t left; /* of a free node: the next one */
    uint32_t right;
    uint32_t count;
    uint32_t agents;
    uint32_t principal;
    uint64_t mark; /* the caller's; 0 when it comes */
};

/* Nodes [1 … capacity] of all crowds; a crowd is the number of its root, 0 where nobody is. */
struct crowds {
    struct crowd_node *nodes;
    uint32_t capacity;
    uint32_t used;
    uint32_t free;
};

/* A name and the caller's number for it. */
struct crowd_member {
    tender_bytes name;
    uint32_t number;
};

/* Room for `agents` memberships. Returns 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int crowds_init(struct crowds *crowds, uint32_t agents);
void crowds_release(struct crowds *crowds);

/*
 * Puts an agent, which is not in it, into the crowd at *root. Returns its node, by which
 * crowd_leave takes it out again.
 */
uint32_t crowd_join(struct crowds *crowds, uint32_t *root, struct crowd_member principal,
                    struct crowd_member agent);
void crowd_leave(struct crowds *crowds, uint32_t *root, uint32_t agent);

/* How many are in the set at `root`: principals of a crowd, or agents of a principal. */
uint32_t crowd_count(const struct crowds *crowds, uint32_t root);
/* The node at `index`, below crowd_count, of the set. */
uint32_t crowd_at(const struct crowds *crowds, uint32_t root, uint32_t index);

#endif
