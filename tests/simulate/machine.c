/*
 * The machine under a simulated broker: one timer of libuv, a monotonic clock and one of the day,
 * identifiers, and a service manager, a watchdog and descriptors that are not there.
 */
#include "broker.h"

#include "notify.h"

#include <string.h>

#define BOOT_US INT64_C(1000000000) /* of the monotonic clock when the world begins */

static struct broker *broker_of_timer(const uv_timer_t *timer)
{
    return (struct broker *)((char *)(uintptr_t)timer - offsetof(struct broker, daemon.timer));
}

int uv_timer_start(uv_timer_t *timer, uv_timer_cb on_timer, uint64_t timeout, uint64_t repeat)
{
    (void)on_timer;
    (void)repeat;
    broker_wake(broker_of_timer(timer), (int64_t)timeout * 1000);
    return 0;
}

void uv_update_time(uv_loop_t *loop)
{
    (void)loop;
}

int uv_poll_init(uv_loop_t *loop, uv_poll_t *poll, int descriptor)
{
    (void)loop;
    (void)poll;
    (void)descriptor;
    return 0;
}

int uv_poll_start(uv_poll_t *poll, int events, uv_poll_cb on_poll)
{
    (void)poll;
    (void)events;
    (void)on_poll;
    return 0;
}

int64_t __wrap_clock_boot_us(void);
int64_t __wrap_clock_boot_us(void)
{
    return world_running->now_us - WORLD_START_US + BOOT_US;
}

int64_t __wrap_clock_real_us(void);
int64_t __wrap_clock_real_us(void)
{
    return world_running->now_us;
}

void identifier_start(struct identifier_source *source)
{
    memset(source, 0, sizeof *source);
}

/* Time-ordered, and never the same twice. */
tender_id identifier_next(struct identifier_source *source, int64_t at_us)
{
    struct world *world = world_running;
    tender_id id;
    uint64_t ms = (uint64_t)at_us / 1000;
    uint64_t number = ++world->ids;
    (void)source;
    for (int i = 0; i < 6; i++) {
        id.bytes[i] = (uint8_t)(ms >> (8 * (5 - i)));
    }
    for (int i = 6; i < 12; i++) {
        id.bytes[i] = (uint8_t)prng_below(&world->prng, 256);
    }
    id.bytes[6] = (uint8_t)(0x70 | (id.bytes[6] & 0x0f));
    id.bytes[8] = (uint8_t)(0x80 | (id.bytes[8] & 0x3f));
    for (int i = 12; i < 16; i++) {
        id.bytes[i] = (uint8_t)(number >> (8 * (15 - i)));
    }
    return id;
}

void notify_send(const char *state)
{
    (void)state;
}

uint32_t probe_step(struct probe *probe, int64_t at_us, int64_t interval_us)
{
    (void)probe;
    (void)at_us;
    (void)interval_us;
    return 0;
}

bool probe_is_stuck(const struct probe *probe, int64_t at_us)
{
    (void)probe;
    (void)at_us;
    return false;
}

int64_t probe_next(const struct probe *probe)
{
    (void)probe;
    return TENDER_NEVER;
}
