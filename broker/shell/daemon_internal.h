/*
 * What the files of the daemon share. Others use daemon.h.
 */
#ifndef TENDER_BROKER_SHELL_DAEMON_INTERNAL_H
#define TENDER_BROKER_SHELL_DAEMON_INTERNAL_H

#include <uv.h>

#include "clock.h"
#include "daemon.h"
#include "hearing.h"
#include "link.h"
#include "outlet.h"
#include "probe.h"

#define DAEMON_SLEEP_MAX_US 250000 /* a turn comes at least this often, so a stall shows */
#define DAEMON_WATCH_US     100000 /* how often one that stands by asks who reigns */

/*
 * phase      whether it reigns or stands by, and what a shutdown waits for
 * urls       where peers find it
 * has_lapsed the lease has run out or was given back (has_released), and it says nothing
 * holder     who reigns, as a broker that stands by has logged it last
 * target     set of shards that it begins with next; reigns: its own over each, 0: it had none
 *
 * Times are stamps (µs since the Unix epoch), except those named `boot`.
 */
struct daemon {
    struct config *config;
    const struct tender_key *key; /* its own */
    int argc;
    char **argv;
    uv_loop_t loop;
    uv_prepare_t prepare;
    uv_async_t wake;
    uv_timer_t timer;
    uv_signal_t signals[3];
    struct port *port;
    struct postbox *postbox;
    struct journal *journal;
    struct hearing hearing;
    struct link link;
    struct probe probe;
    struct outlet outlet;
    struct stamp_clock clock;
    enum { PHASE_STANDBY, PHASE_SERVING, PHASE_CHANGING, PHASE_DRAINING, PHASE_PARTING } phase;
    uint64_t target;
    int64_t reigns[SHARDS_MAX];
    int64_t next_change_us;
    int64_t change_by_us;
    char urls[TENDER_ADDRESS_MAX + 1];
    bool has_lapsed;
    bool has_released;
    char holder[TENDER_NAME_MAX];
    size_t holder_size;
    int64_t next_watch_us;
    int64_t next_connect_us;
    int64_t draining_since_us; /* nothing is heard from then on */
    int64_t shutdown_by_us;
    int64_t bye_by_us;
    int64_t next_inbox_us;
    int64_t inbox_busy_until_us;
    int64_t last_batch_us;
    int64_t next_skew_us; /* when the alarm of a skewed clock may be raised again */
    int64_t next_database_skew_us;
    int64_t next_limits_us;
    int64_t choked_since_us; /* 0: the ledger keeps up */
    int64_t recalls[64];     /* when the broker recalled by itself, as a ring */
    uint32_t recall_count;
    struct ledger_loss loss; /* found before a recall, and said after it */
    uint64_t turns;
    uint64_t said_before;   /* messages heard when the last batch was sent */
    uint64_t said_in_batch; /* and between the one before and that one */
    int64_t paced_until_boot_us;
    bool wants_end;
    bool wants_batch;
    int end_code;  /* with which a shutdown ends */
    bool has_more; /* another turn is due at once */
    int exit_code;
};

/* The postbox's options as the configuration has them. */
struct postbox_options daemon_postbox_options(const struct daemon *daemon);

/* Opens postbox, journal, hearing and link over the port. Returns 0 or an error. */
TENDER_MUST_CHECK int daemon_open_parts(struct daemon *daemon);

/*
 * Opens the ledger, begins a reign over the shards of `target` that can be had, and recalls them.
 * Returns 0, TENDER_EREIGN where there are none, or what kept it from beginning, which it has
 * logged.
 */
int daemon_begin(struct daemon *daemon);

/* Stands by from now on: no book, no sessions, an eye on the reign. */
void daemon_stand_by(struct daemon *daemon);

/* The turn, and that of a broker that stands by. */
void daemon_turn(struct daemon *daemon);
void daemon_standby_turn(struct daemon *daemon);

/* Parts of both: answers peers; looks after its own listeners; closes connections whose time is
 * over, and says now and then which limits were met. */
void daemon_speak(struct daemon *daemon);
void daemon_probe(struct daemon *daemon);
void daemon_keep_limits(struct daemon *daemon);

/*
 * share.c: looks at what was watched. Which shards a broker that stands by begins with (0: none),
 * and whether one that serves shall begin anew with others, which it then does.
 */
uint64_t share_wanted(struct daemon *daemon);
void daemon_share(struct daemon *daemon);
void daemon_change(struct daemon *daemon);

/* Wakes the loop in so many µs, or at once. */
void daemon_wake_in(struct daemon *daemon, int64_t wait_us);

/* Connects to the ledger; logs why where it cannot. Returns what link_connect does. */
int daemon_connect(struct daemon *daemon);

/* The ledger failed with `status`: recalls again, or ends. */
void daemon_fail(struct daemon *daemon, int status);

/* Ends the loop. */
void daemon_stop(struct daemon *daemon, int exit_code);

#endif
