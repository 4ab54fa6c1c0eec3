/*
 * The link: one ledger connection in libuv's loop. It watches the ledger's descriptor, which may
 * change at any time, through an epoll descriptor of its own, so that libuv never sees one close
 * under it; and it keeps what the ledger's callbacks said until the turn takes it.
 */
#ifndef TENDER_BROKER_SHELL_LINK_H
#define TENDER_BROKER_SHELL_LINK_H

#include <uv.h>

#include "hearing.h"
#include "outlet.h"
#include "tender/key.h"

/* What the database's clock said, and between which two readings of ours; `heard_us` 0: nothing. */
struct link_clock {
    int64_t database_us;
    int64_t asked_us;
    int64_t heard_us;
};

/*
 * status      0, or what ledger_advance returned when it failed
 * committed   highest batch that committed and was not yet taken; 0: none
 * seats       shards that were watched since somebody looked last
 * brokers     that live, as the watch said; lower_brokers: those with a lower name
 * timeline    the newest of the servers so far: it outlives the ledger that saw it
 */
struct link {
    struct ledger *ledger;
    struct hearing *hearing;      /* receives requests and answers */
    const struct tender_key *key; /* signs checkpoints; NULL: there are none */
    struct outlet *outlet;        /* receives them */
    int epoll;
    int descriptor;
    int wants;
    bool is_up;
    bool had_request;
    int status;
    uint64_t committed;
    struct link_clock clock;
    uint32_t seats;
    uint32_t brokers;
    uint32_t lower_brokers;
    int32_t timeline;
    uv_poll_t poll;
};

/* Prepares; nothing is connected. Returns 0 or TENDER_ESYSTEM. */
TENDER_MUST_CHECK int link_open(struct link *link, uv_loop_t *loop, struct hearing *hearing);

/*
 * Connects as the configuration's broker, found at `urls`. Returns what ledger_open returns; the
 * sentence is in `error` [size].
 */
TENDER_MUST_CHECK int link_connect(struct link *link, const struct config *config, const char *urls,
                                   char *error, size_t size);
void link_disconnect(struct link *link);

/* Lets the ledger work, and watches what it wants next. */
void link_advance(struct link *link, int64_t boot_us);

#endif
