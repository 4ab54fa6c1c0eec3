/*
 * What the peers of these programs do: contractors that bid and deliver at once, clients that
 * announce, and how long each task took from its announcement to its award.
 */
#ifndef TENDER_TESTS_HOSTILE_MARKET_H
#define TENDER_TESTS_HOSTILE_MARKET_H

#include "peer.h"

/* Microseconds of a clock that does not step. */
int64_t market_now_us(void);

/* Says hello as `name`-`index` of the principal, with a heartbeat. */
void market_hello(struct peer *peer, const char *name, const char *principal, int64_t heartbeat_us);

/* Says what a contractor offers. */
void market_offer(struct peer *peer, const char *skill, uint32_t slots);

/* Announces `number` (1 …) with `content_size` bytes of content, which carry the number. */
void market_announce(struct peer *peer, uint32_t number, const char *skill, size_t content_size,
                     int64_t window_us);

/* A contractor that bids on each cfp, its own cost, and delivers each award. */
void market_work(struct peer *peer, const struct message *message);

/* Anonymous and file memory that belongs to the process alone, its part of what is shared included,
 * in bytes (PSS of /proc/PID/smaps_rollup). */
uint64_t market_memory(int pid);

/* The value at `percent` of [count], which is sorted by it. */
double market_percentile(double *values, size_t count, double percent);

#endif
