/*
 * The stamp: see clock.h.
 */
#include "clock.h"

#include <time.h>

static int64_t read_us(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_boot_us(void)
{
    return read_us(CLOCK_BOOTTIME);
}

int64_t clock_real_us(void)
{
    return read_us(CLOCK_REALTIME);
}

void clock_start(struct stamp_clock *clock, int64_t stamp_us, int64_t database_us, int64_t boot_us)
{
    clock->base_us = stamp_us > database_us ? stamp_us : database_us;
    clock->boot_us = boot_us;
    clock->last_us = clock->base_us;
    clock->turn_us = 0;
}

int64_t clock_skew(const struct stamp_clock *clock, int64_t other_us, int64_t asked_boot_us,
                   int64_t heard_boot_us)
{
    int64_t earliest_us = clock->base_us + (asked_boot_us - clock->boot_us);
    int64_t latest_us = clock->base_us + (heard_boot_us - clock->boot_us);
    if (other_us < earliest_us) {
        return other_us - earliest_us;
    }
    return other_us > latest_us ? other_us - latest_us : 0;
}

int64_t clock_stamp(struct stamp_clock *clock, int64_t boot_us)
{
    int64_t stamp_us = clock->base_us + (boot_us - clock->boot_us);
    if (stamp_us > clock->last_us) {
        clock->last_us = stamp_us;
    }
    return clock->last_us;
}

bool clock_turn(struct stamp_clock *clock, int64_t boot_us, int64_t stall_us, int64_t *from_out)
{
    int64_t stamp_us = clock_stamp(clock, boot_us);
    bool is_stall = clock->turn_us != 0 && stamp_us - clock->turn_us > stall_us;
    *from_out = clock->turn_us;
    clock->turn_us = stamp_us;
    return is_stall;
}
