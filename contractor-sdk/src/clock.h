/* Time in microseconds, monotonic where nothing else is said. Internal to the SDK. */
#ifndef TENDER_CONTRACTOR_SDK_SRC_CLOCK_H
#define TENDER_CONTRACTOR_SDK_SRC_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_us(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* The time of day, which may step either way. */
static inline int64_t clock_wall_us(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static inline struct timespec clock_at(int64_t at_us)
{
    return (struct timespec){.tv_sec = at_us / 1000000, .tv_nsec = (long)(at_us % 1000000) * 1000};
}

#endif
