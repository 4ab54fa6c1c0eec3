/*
 * The stamp: the ledger's time as this broker keeps it (rules.md). It starts at the later of the
 * last stamp in the ledger and the database's clock, advances by a clock that counts suspension,
 * and never goes back. Reads no clock itself except in clock_boot_us, so tests may step it.
 */
#ifndef TENDER_BROKER_SHELL_CLOCK_H
#define TENDER_BROKER_SHELL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * base_us  stamp at boot_us
 * last_us  last stamp given
 * turn_us  stamp at which the last turn began, or 0 before the first
 */
struct stamp_clock {
    int64_t base_us;
    int64_t boot_us;
    int64_t last_us;
    int64_t turn_us;
};

static inline int64_t earlier(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

/* CLOCK_BOOTTIME and CLOCK_REALTIME in µs. */
int64_t clock_boot_us(void);
int64_t clock_real_us(void);

/* Starts at the later of `stamp_us` (0: none) and `database_us`, at `boot_us`. */
void clock_start(struct stamp_clock *clock, int64_t stamp_us, int64_t database_us, int64_t boot_us);

/* The stamp at `boot_us`; never below one given before. */
int64_t clock_stamp(struct stamp_clock *clock, int64_t boot_us);

/*
 * How far another clock is ahead of the stamp, negative: behind, at least. It said `other_us` at
 * some moment between the two.
 */
int64_t clock_skew(const struct stamp_clock *clock, int64_t other_us, int64_t asked_boot_us,
                   int64_t heard_boot_us);

/*
 * Begins a turn at `boot_us`. Returns whether nobody listened for more than `stall_us`: the time
 * since the last turn began, which is then stored in `from_out`.
 */
bool clock_turn(struct stamp_clock *clock, int64_t boot_us, int64_t stall_us, int64_t *from_out);

#endif
