/*
 * What each item of the mechanism beyond the plain auction adds to the worlds: terms of a task,
 * what clients, operators and contractors say because of it, and what the auditor checks. One file
 * an item, more_ITEM.c; the calls are in the files of the plain simulator and in more.c.
 *
 * `more_ITEM_…` where ITEM is a row of MORE_ITEMS:
 *
 * announce    adds its terms to an announcement, none that the others' terms exclude
 * client      another act of a client: whatever it wants to say about its tasks, and as an operator
 * hears       another act of a client that hears `message`
 * bid         changes a contractor's bid on a cfp before it is said
 * report      changes a contractor's report on an award before it is said
 * contractor  another act of a contractor that hears `message`
 */
#ifndef TENDER_TESTS_SIMULATE_MORE_H
#define TENDER_TESTS_SIMULATE_MORE_H

#include "world.h"

/* clang-format off */
#define MORE_ITEMS(X) X(static) X(need) X(draw) X(split) X(goal) X(accept) X(adopt) X(improve) X(bar) X(kin)
/* clang-format on */

#define X(item)                                                                                    \
    void more_##item##_announce(struct world *world, uint32_t client, struct message *said);       \
    void more_##item##_client(struct world *world, uint32_t client);                               \
    void more_##item##_hears(struct world *world, uint32_t client, const struct message *message); \
    void more_##item##_bid(struct world *world, uint32_t contractor, const struct message *cfp,    \
                           struct message *said);                                                  \
    void more_##item##_report(struct world *world, uint32_t contractor,                            \
                              const struct message *award, struct message *said);                  \
    void more_##item##_contractor(struct world *world, uint32_t contractor,                        \
                                  const struct message *message);
MORE_ITEMS(X)
#undef X

/* All of them, in the order of MORE_ITEMS (more.c). */
void more_announce(struct world *world, uint32_t client, struct message *said);
void more_client(struct world *world, uint32_t client);
void more_hears(struct world *world, uint32_t client, const struct message *message);
void more_bid(struct world *world, uint32_t contractor, const struct message *cfp,
              struct message *said);
void more_report(struct world *world, uint32_t contractor, const struct message *award,
                 struct message *said);
void more_contractor(struct world *world, uint32_t contractor, const struct message *message);

/* client.c: says it over the wire or through the inbox, there perhaps as an operator. */
void client_says(struct world *world, uint32_t client, const struct message *message,
                 bool is_inbox);
void client_says_as_operator(struct world *world, uint32_t client, const struct message *message);
/* An announcement of this client's that was agreed to, or NULL. */
struct ask *client_picks(struct world *world, uint32_t client);

#endif
