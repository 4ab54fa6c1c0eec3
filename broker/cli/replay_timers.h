/*
 * Timers of a replay: a heap of instants, each with whom to call.
 */
#ifndef TENDER_BROKER_CLI_REPLAY_TIMERS_H
#define TENDER_BROKER_CLI_REPLAY_TIMERS_H

#include "tender/vocabulary.h"

typedef void timer_fn(void *context, void *subject);

struct timer {
    int64_t at_us;
    timer_fn *call;
    void *context;
    void *subject;
};

struct timers {
    struct timer *heap; /* [count]; parents are not later than their children */
    size_t count;
    size_t capacity;
};

/* Returns 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int timers_add(struct timers *timers, int64_t at_us, timer_fn *call,
                                 void *context, void *subject);
/* The earliest instant, or TENDER_NEVER. */
int64_t timers_next(const struct timers *timers);
/* Calls all that are due at `now_us`. */
void timers_run(struct timers *timers, int64_t now_us);
void timers_release(struct timers *timers);

#endif
