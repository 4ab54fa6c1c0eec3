/*
 * The port: nng listeners, and the exchanges that come in through them. An exchange is one request
 * of a peer and the one reply it will get. Each lies in a REP context of its own, so thousands may
 * be parked and none is dropped (decision 0002). nng's threads only enqueue and wake the loop;
 * everything here is called by the loop's thread. What is in a request, and whose it is, the port
 * does not know.
 */
#ifndef TENDER_BROKER_SHELL_PORT_H
#define TENDER_BROKER_SHELL_PORT_H

#include <nng/nng.h>
#include <nng/supplemental/tls/tls.h>

#include "gate.h"

#define PORT_LISTENERS_MAX 8
#define PORT_URL_SIZE      160

struct port;

/*
 * One request that waits for its reply.
 *
 * message  the request; whoever collects it owns it and sets NULL when it was freed
 * pipe     the connection it came by
 * next     for the list that collecting hands out; then free for the collector's use
 */
struct exchange {
    nng_msg *message;
    uint32_t pipe;
    struct exchange *next;
};

/*
 * exchange_count  most exchanges at a time
 * spare_count     exchanges kept ready to receive
 * gate            which connections may come in and stay
 * on_wake         called by nng's threads, when something may be collected
 */
struct port_options {
    uint32_t exchange_count;
    uint32_t spare_count;
    struct gate_options gate;
    void (*on_wake)(void *context);
    void *context;
};

/* Opens without listening. Returns 0, TENDER_ENOMEM or TENDER_ESYSTEM. */
TENDER_MUST_CHECK int port_open(const struct port_options *options, struct port **port_out);

/*
 * Listens on `url`: ipc://PATH, whose directory is made with mode 0700 when it is missing and must
 * be closed to others, tcp://ADDRESS:PORT on loopback, or, after port_certify,
 * tls+tcp://ADDRESS:PORT; port 0 takes a free one.
 *
 * Returns 0, TENDER_EREFUSED for an address that is not allowed, TENDER_ELIMIT, or TENDER_ESYSTEM;
 * `why_out` [why_size] receives a sentence.
 */
TENDER_MUST_CHECK int port_listen(struct port *port, const char *url, char *why_out,
                                  size_t why_size);

/*
 * Gives tls+tcp listeners their certificate and key. Those that listen already show it to whoever
 * connects from now on, but for the one that nng is waiting for already; connections stay. `config`
 * is held. Returns 0 or TENDER_ESYSTEM.
 */
TENDER_MUST_CHECK int port_certify(struct port *port, nng_tls_config *config);

/* The address in use of the listener at `index`, with its real port; NULL beyond the last. */
const char *port_url(const struct port *port, size_t index);

/*
 * Closes a listener and opens it again at the address it used; its connections are lost. Returns 0,
 * or TENDER_ESYSTEM with a sentence; the next call tries again.
 */
TENDER_MUST_CHECK int port_reopen(struct port *port, size_t index, char *why_out, size_t why_size);

/* Connections that the listener at `index` has let in since it was opened first. */
uint32_t port_accepted(const struct port *port, size_t index);

/* Connections of all listeners that nng has taken away again, after either side closed them. */
uint32_t port_removed(const struct port *port);

/* Begins to receive. Returns 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int port_start(struct port *port);

/* Hands out the requests that came in, the oldest first, and keeps enough exchanges receiving. */
struct exchange *port_collect(struct port *port);

/* Answers; takes `reply`. The exchange is the port's again. */
void port_reply(struct port *port, struct exchange *exchange, nng_msg *reply);

/* Gives an exchange back without a reply, because its connection is gone or is to be closed. */
void port_abandon(struct port *port, struct exchange *exchange);

/* The connection belongs to a session, and may be silent for `kept_us` from now on. */
void port_prove(struct port *port, uint32_t pipe, int64_t kept_us);

/* What the connection is challenged with, and whom it speaks for: gate.h. */
TENDER_MUST_CHECK bool port_nonce(struct port *port, uint32_t pipe,
                                  uint8_t nonce_out[GATE_NONCE_SIZE]);
bool port_bind(struct port *port, uint32_t pipe, const uint8_t session[16], uint8_t before_out[16]);

/* The connection said what belongs to no session; it is closed if it does so too often. */
void port_fault(struct port *port, uint32_t pipe);

/* Closes the connections whose time is over. Cheap where it was done a moment ago. */
void port_sweep(struct port *port, int64_t boot_us);

/* Whether a connection is there still. */
bool port_is_open(const struct port *port, uint32_t pipe);

/* Connections at present. */
uint32_t port_connections(const struct port *port);

/* Closes a connection, after which its peer connects again and says again what was not heard. */
void port_hang_up(struct port *port, uint32_t pipe);

/* While paused no further request is received: nng's buffers and then the peers' fill up. */
void port_pause(struct port *port, bool is_paused);

/* Replies still on their way out. */
uint32_t port_sending(const struct port *port);

/* Exchanges that are neither receiving nor idle: parked, or on their way out. */
uint32_t port_parked(const struct port *port);

/* Closes the listeners and every connection. May hang in nng 1.5.2: whoever calls it bounds it. */
void port_close(struct port *port);

#endif
