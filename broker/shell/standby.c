/*
 * Standing by: while another broker reigns this one answers every hello with where that is, asks
 * the ledger who reigns, and takes over when the lease has run out or was given back. A broker that
 * lost its reign stands by like one that was only started: nothing of what it remembers is kept.
 */
#include <string.h>

#include "daemon_internal.h"
#include "log.h"

#define CONNECT_EVERY_US 1000000 /* after the ledger could not be reached, or gave no reign */

void daemon_stand_by(struct daemon *daemon)
{
    if (daemon->clock.boot_us == 0) {
        clock_start(&daemon->clock, 0, clock_real_us(), clock_boot_us());
        daemon->hearing.at_us = clock_stamp(&daemon->clock, clock_boot_us());
    }
    postbox_clear(daemon->postbox); /* peers say hello again, and learn who answers */
    postbox_mute(daemon->postbox, false);
    daemon->has_lapsed = false; /* it has none */
    link_disconnect(&daemon->link);
    journal_begin(daemon->journal, NULL);
    hearing_rest(&daemon->hearing);
    port_pause(daemon->port, false);
    for (uint32_t shard = 0; shard < SHARDS_MAX; shard++) {
        daemon->hearing.seats[shard].is_free = true; /* until it is known */
    }
    daemon->choked_since_us = 0;
    daemon->has_released = false;
    daemon->phase = PHASE_STANDBY;
    daemon->next_connect_us = daemon->hearing.at_us;
    daemon->next_watch_us = daemon->hearing.at_us;
    daemon_wake_in(daemon, 0);
}

/* Keeps a connection, and asks over it. */
static void watch(struct daemon *daemon)
{
    int64_t at_us = daemon->hearing.at_us;
    if (daemon->link.ledger == NULL && at_us >= daemon->next_connect_us) {
        (void)daemon_connect(daemon);
        daemon->next_connect_us = at_us + CONNECT_EVERY_US;
    }
    if (daemon->link.ledger != NULL && daemon->link.is_up && at_us >= daemon->next_watch_us) {
        ledger_watch(daemon->link.ledger);
        daemon->next_watch_us = at_us + DAEMON_WATCH_US;
    }
    link_advance(&daemon->link, clock_boot_us());
    if (daemon->link.status != 0) {
        log_event(LOG_LEVEL_ERROR, "ledger-refused", "why", ledger_last_error(daemon->link.ledger));
        link_disconnect(&daemon->link);
    }
}

static void turn_peers_away(struct daemon *daemon)
{
    struct exchange *exchange = port_collect(daemon->port);
    while (exchange != NULL) {
        struct exchange *following = exchange->next;
        struct session *session = postbox_arrive(daemon->postbox, exchange, daemon->hearing.at_us);
        if (session != NULL) {
            hearing_session(&daemon->hearing, session);
        }
        exchange = following;
    }
    daemon_speak(daemon);
}

static void log_holder(struct daemon *daemon)
{
    const struct seat *seat = &daemon->hearing.seats[0];
    bool is_news = seat->holder_size != daemon->holder_size ||
                   memcmp(seat->holder, daemon->holder, seat->holder_size) != 0;
    if (is_news && seat->holder_size > 0 && !seat->is_free) {
        struct log_line line;
        log_begin(&line, LOG_LEVEL_INFO, "standby");
        log_text(&line, "holder", (tender_bytes){seat->holder, seat->holder_size});
        log_text(&line, "address", (tender_bytes){seat->urls, seat->urls_size});
        log_end(&line);
        memcpy(daemon->holder, seat->holder, seat->holder_size);
        daemon->holder_size = seat->holder_size;
    }
}

static void take_over(struct daemon *daemon)
{
    int64_t since_boot_us = clock_boot_us();
    link_disconnect(&daemon->link);
    if (daemon_begin(daemon) != 0) {    /* another was quicker, or the ledger is away: it said so */
        hearing_rest(&daemon->hearing); /* a recall that broke off leaves nothing */
        daemon->next_connect_us = daemon->hearing.at_us;
        return;
    }
    struct log_line line;
    log_begin(&line, LOG_LEVEL_INFO, "took-over");
    log_text(&line, "from", (tender_bytes){daemon->holder, daemon->holder_size});
    log_int(&line, "shards", shard_size(daemon->hearing.shards));
    log_int(&line, "tasks", (int64_t)book_count(daemon->hearing.book).tasks_open);
    log_int(&line, "took_us", clock_boot_us() - since_boot_us);
    log_end(&line);
    daemon->holder_size = 0;
}

/* Looks at what was watched. */
static void consider(struct daemon *daemon)
{
    if (daemon->link.seats == 0) {
        return;
    }
    daemon->link.seats = 0;
    log_holder(daemon);
    daemon->target = share_wanted(daemon);
    if (daemon->target != 0) {
        take_over(daemon);
    }
}

void daemon_standby_turn(struct daemon *daemon)
{
    int64_t from_us = 0;
    daemon->turns++;
    (void)clock_turn(&daemon->clock, clock_boot_us(), daemon->config->stall_us, &from_us);
    daemon->hearing.at_us = daemon->clock.last_us;
    if (daemon->wants_end) {
        daemon_stop(daemon, daemon->end_code);
        return;
    }
    watch(daemon);
    turn_peers_away(daemon);
    daemon_probe(daemon);
    daemon_keep_limits(daemon);
    consider(daemon);
    daemon_wake_in(daemon, daemon->phase == PHASE_STANDBY ? DAEMON_WATCH_US / 2 : 0);
}
