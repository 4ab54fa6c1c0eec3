/*
 * One thread for all sessions of the process that wakes each when it asked to be: so a program that
 * works for an hour in a handler is heard all the same. It goes by the monotonic clock, which the
 * timers of nng 1.5 do not. Runs no code of the program. Internal to the SDK.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_PACER_H
#define TENDER_CONTRACTOR_SDK_SRC_PACER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Who is woken. `wake` runs on the pacer's thread and sets wake_at_us anew where it wants more. */
struct paced {
    struct paced *next;
    _Atomic int64_t wake_at_us; /* monotonic */
    void (*wake)(struct paced *paced);
};

/* Returns 0, or TENDER_ESYSTEM when the thread cannot be had. */
int pacer_add(struct paced *paced);
/* After it returns, `wake` does not run and will not. Not to be called from `wake`. */
void pacer_remove(struct paced *paced);
/* Wakes at `at_us` unless it is woken earlier anyway. */
void pacer_arm(struct paced *paced, int64_t at_us);

#endif
