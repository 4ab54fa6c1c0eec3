/*
 * Sharing: several brokers divide the shards of a ledger among those that live, as fair.h says. A
 * broker that has more than its share gives some back, one that has less takes what is free. A
 * change is a new beginning with other shards: what was agreed is drained, the book is recalled,
 * and peers say hello again. It comes when brokers come or go, not with the load.
 */
#include <string.h>

#include "daemon_internal.h"
#include "fair.h"
#include "log.h"

#define CHANGE_EVERY_US  1000000  /* at most, so that others can settle */
#define CHANGE_WITHIN_US 15000000 /* or it stands by: the ledger has not answered */
#define TELL_WITHIN_US   500000   /* so long peers have to take what was agreed */

static bool is_own(const struct daemon *daemon, const struct seat *seat)
{
    return seat->holder_size == strlen(daemon->config->broker) &&
           memcmp(seat->holder, daemon->config->broker, seat->holder_size) == 0;
}

static uint64_t fair(const struct daemon *daemon, uint64_t held)
{
    const char *name = daemon->config->broker;
    struct fair_view view = {.seats = daemon->hearing.seats,
                             .shard_count = daemon->hearing.shard_count,
                             .brokers = daemon->link.brokers,
                             .lower = daemon->link.lower_brokers,
                             .name = {name, strlen(name)}};
    return fair_set(&view, held);
}

uint64_t share_wanted(struct daemon *daemon)
{
    uint64_t own = 0;
    for (uint32_t shard = 0; shard < daemon->hearing.shard_count; shard++) {
        const struct seat *seat = &daemon->hearing.seats[shard];
        if (!is_own(daemon, seat)) {
            continue;
        }
        bool is_anothers =
            !seat->is_free && daemon->reigns[shard] != 0 && daemon->reigns[shard] != seat->reign;
        if (is_anothers) {
            log_event(LOG_LEVEL_ERROR, "name-taken", "why", "another broker of this name reigns");
            daemon_stop(daemon, DAEMON_EXIT_REIGN);
            return 0;
        }
        own |= shard_set(shard);
    }
    return fair(daemon, own);
}

void daemon_share(struct daemon *daemon)
{
    int64_t at_us = daemon->hearing.at_us;
    bool has_seats = daemon->link.seats > 0;
    daemon->link.seats = 0;
    if (!has_seats || daemon->phase != PHASE_SERVING || at_us < daemon->next_change_us) {
        return;
    }
    uint64_t held = daemon->hearing.shards;
    uint64_t target = fair(daemon, held);
    if (target == held) {
        return;
    }
    struct log_line line;
    log_begin(&line, LOG_LEVEL_INFO, "changing");
    log_int(&line, "held", shard_size(held));
    log_int(&line, "gives", shard_size(held & ~target));
    log_int(&line, "takes", shard_size(target & ~held));
    log_int(&line, "brokers", daemon->link.brokers);
    log_end(&line);
    daemon->target = target;
    daemon->phase = PHASE_CHANGING;
    daemon->wants_batch = true; /* the last stamp, where the recess begins */
    daemon->draining_since_us = at_us;
    daemon->change_by_us = at_us + CHANGE_WITHIN_US;
}

void daemon_change(struct daemon *daemon)
{
    int64_t at_us = daemon->hearing.at_us;
    struct ledger *ledger = daemon->link.ledger;
    uint64_t given = daemon->hearing.shards & ~daemon->target;
    if (at_us >= daemon->change_by_us) {
        log_event(LOG_LEVEL_WARNING, "change-cut", "why", "it took too long");
        daemon_stand_by(daemon);
        return;
    }
    if (daemon->wants_batch || !journal_is_drained(daemon->journal)) {
        return;
    }
    if (given != 0 && !daemon->has_released) {
        /* An award is better told before another broker tells it, who must recall it first. */
        bool is_told = postbox_is_silent(daemon->postbox);
        if (is_told || at_us >= daemon->draining_since_us + TELL_WITHIN_US) {
            ledger_release(ledger, given);
            daemon->has_released = true; /* nothing is said any more */
        }
        return;
    }
    if (given != 0 && !ledger_is_released(ledger)) {
        return;
    }
    while (given != 0) {
        daemon->hearing.seats[shard_take(&given)].is_free = true; /* who has it is asked */
    }
    daemon->next_change_us = at_us + CHANGE_EVERY_US;
    postbox_clear(daemon->postbox); /* peers say hello again, and again what was not heard */
    link_disconnect(&daemon->link);
    if (daemon_begin(daemon) != 0) {
        daemon_stand_by(daemon);
    }
}
