/*
 * The open rounds of one skill, in the order in which work that waits for slots is handed out: by
 * priority, then by age. An ordered set (a treap) whose nodes belong to the caller, one for each
 * task, so that a contractor can go on where it stopped without looking at what it has seen.
 */
#ifndef TENDER_BROKER_CORE_WAITING_H
#define TENDER_BROKER_CORE_WAITING_H

#include "tender/vocabulary.h"

/*
 * One open round. `sequence` counts the openings of rounds; `left` and `right` are numbers of
 * nodes.
 */
struct waiting_node {
    uint64_t sequence;
    uint32_t priority;
    uint32_t left;
    uint32_t right;
};

/* nodes are indexed by the caller's task number; *root is 0 for an empty set. */
void waiting_insert(struct waiting_node *nodes, uint32_t *root, uint32_t node);
void waiting_remove(struct waiting_node *nodes, uint32_t *root, uint32_t node);
/* The first node of `priority` with a sequence above `after`, or 0. */
uint32_t waiting_after(const struct waiting_node *nodes, uint32_t root, uint32_t priority,
                       uint64_t after);

#endif
