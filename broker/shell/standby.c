/*
 * Standing by: while another broker reigns this one answers every hello with where that is, asks
 * the ledger who reigns, and takes over when the lease has run out or was given back. A broker that
 * lost its reign stands by like one that was only started: nothing of what it remembers is kept.
 */
#include <string.h>

#include "daemon_internal.h"
#include "log.h"

#define WATCH_EVERY_US   100000  /* how often it is asked who reigns */
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
    daemon->link.holder_size = 0;
    daemon->hearing.elsewhere_size = 0;
    daemon->choked_since_us = 0;
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
        daemon->next_watch_us = at_us + WATCH_EVERY_US;
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
    const struct hearing *hearing = &daemon->hearing;
    const struct link *link = &daemon->link;
    bool is_news = link->holder_size != daemon->holder_size ||
                   memcmp(link->holder, daemon->holder, link->holder_size) != 0;
    if (is_news && link->holder_size > 0) {
        struct log_line line;
        log_begin(&line, LOG_LEVEL_INFO, "standby");
        log_text(&line, "holder", (tender_bytes){link->holder, link->holder_size});
        log_text(&line, "address", (tender_bytes){hearing->elsewhere, hearing->elsewhere_size});
        log_end(&line);
        memcpy(daemon->holder, link->holder, link->holder_size);
        daemon->holder_size = link->holder_size;
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
    log_int(&line, "tasks", (int64_t)book_count(daemon->hearing.book).tasks_open);
    log_int(&line, "took_us", clock_boot_us() - since_boot_us);
    log_end(&line);
    daemon->holder_size = 0;
}

/* Looks at what was watched. */
static void consider(struct daemon *daemon)
{
    struct link *link = &daemon->link;
    if (link->seats == 0) {
        return;
    }
    /* A reign that it took, and could not recall, is still its own. */
    bool is_mine = link->is_own && link->reign == daemon->reign;
    bool is_free = link->free_seats > 0 || is_mine;
    link->seats = 0;
    link->free_seats = 0;
    log_holder(daemon);
    if (is_free) {
        take_over(daemon);
    } else if (link->is_own) {
        log_event(LOG_LEVEL_ERROR, "name-taken", "why", "another broker of this name reigns");
        daemon_stop(daemon, DAEMON_EXIT_REIGN);
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
    daemon_wake_in(daemon, daemon->phase == PHASE_STANDBY ? WATCH_EVERY_US / 2 : 0);
}
