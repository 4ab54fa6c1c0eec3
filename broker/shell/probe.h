/*
 * The probe: connects to each of the broker's own listeners now and then, and has one opened again
 * that lets nobody in. In nng 1.5.2 one connection that breaks off at the wrong moment stops a
 * listener for good, and whoever is connected already would then bid alone. Sessions live above
 * connections, so opening a listener again costs peers a reconnect. Whoever stopped it once may go
 * on doing so: for a minute afterwards probes follow each other ten times a second.
 *
 * It also watches that nng takes connections away that were closed: in the same version thousands
 * of peers that leave with replies unread can lock up the one thread that does, and from then on
 * every connection that ends keeps its descriptor. Only a new process helps.
 */
#ifndef TENDER_BROKER_SHELL_PROBE_H
#define TENDER_BROKER_SHELL_PROBE_H

#include <stdbool.h>

#include "port.h"

/* One listener's probe; `descriptor` is -1 between probes. */
struct probe_target {
    int descriptor;
    struct ssl_st *tls; /* by which it is greeted on tls+tcp; else NULL */
    bool has_greeted;
    uint32_t received; /* bytes of the listener's greeting */
    uint32_t accepted; /* connections that the listener had let in before */
    int64_t since_us;
    int64_t greeted_us; /* when the listener's greeting was complete; 0: not yet */
};

struct probe {
    struct port *port;
    struct ssl_ctx_st *tls; /* NULL until a listener asks for it */
    struct probe_target targets[PORT_LISTENERS_MAX];
    int64_t next_us;      /* when the next probe begins */
    int64_t next_step_us; /* when a running one is looked at */
    int64_t siege_us;     /* until then probes come quickly: a listener has died lately */
    uint32_t removed;     /* connections that nng had taken away when last looked at */
    uint32_t left_count;  /* probes that left since, */
    int64_t left_at_us;   /* the first of them then */
};

/* `port` is borrowed. The first probe begins at `at_us`. */
void probe_init(struct probe *probe, struct port *port, int64_t at_us);
void probe_release(struct probe *probe);

/* Does what is due; cheap otherwise. Returns how many listeners were opened again. */
uint32_t probe_step(struct probe *probe, int64_t at_us, int64_t interval_us);

/*
 * Whether nng takes no connection away any more: several probes in a row have left, the first of
 * them long ago, and none of all connections was removed since.
 */
bool probe_is_stuck(const struct probe *probe, int64_t at_us);

/* When probe_step has something to do. */
int64_t probe_next(const struct probe *probe);

#endif
