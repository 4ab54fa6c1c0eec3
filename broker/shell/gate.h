/*
 * The gate: which connections may come in and stay. There are only so many, in all and from one
 * address; one that has not shown that it belongs to a session is closed, and so is one that says
 * what is no exchange again and again. It keeps what each connection is challenged with, and whom
 * it speaks for since that was answered. What a session is, it is told. Its functions may be called
 * by any thread.
 */
#ifndef TENDER_BROKER_SHELL_GATE_H
#define TENDER_BROKER_SHELL_GATE_H

#include <nng/nng.h>
#include <sys/socket.h>

#include "tender/vocabulary.h"

#define GATE_NONCE_SIZE 32
#define GATE_FAULTS_MAX 16 /* requests of one connection that belong to no session */

/*
 * connection_count  most connections at a time
 * address_count     most from one address: a user on ipc, an IPv4 address or an IPv6 /64 on tcp
 * hello_us          how long a connection may stay that belongs to no session
 */
struct gate_options {
    uint32_t connection_count;
    uint32_t address_count;
    int64_t hello_us;
};

struct gate;

/* Returns 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int gate_open(const struct gate_options *options, struct gate **gate_out);
void gate_close(struct gate *gate); /* accepts NULL */

/* Whether the connection may come in; it is then counted until gate_remove. */
TENDER_MUST_CHECK bool gate_admit(struct gate *gate, nng_pipe pipe, int64_t boot_us);
void gate_remove(struct gate *gate, uint32_t pipe);

/* The connection belongs to a session, and may stay until `until_us`. */
void gate_prove(struct gate *gate, uint32_t pipe, int64_t until_us);

/*
 * What the connection is challenged with: random bytes that stay while it lasts. False where it is
 * gone, or where there are none.
 */
TENDER_MUST_CHECK bool gate_nonce(struct gate *gate, uint32_t pipe,
                                  uint8_t nonce_out[GATE_NONCE_SIZE]);

/*
 * The connection speaks for this session from now on, and for no other. Returns whether it spoke
 * for one before, which `before_out` then receives.
 */
bool gate_bind(struct gate *gate, uint32_t pipe, const uint8_t session[16], uint8_t before_out[16]);

/* The connection said what belongs to no session. Returns whether it has done so too often. */
TENDER_MUST_CHECK bool gate_fault(struct gate *gate, uint32_t pipe);

/* Whoever had to wait to be heard has its time from `boot_us` on. */
void gate_postpone(struct gate *gate, int64_t boot_us);

/* The connections whose time is over at `boot_us`: fills [capacity] and returns how many. */
uint32_t gate_expired(struct gate *gate, int64_t boot_us, uint32_t *pipes_out, uint32_t capacity);

uint32_t gate_count(struct gate *gate);

/* Whether the connection is there. */
bool gate_has(struct gate *gate, uint32_t pipe);

/* Whether a connection from this address and port is there, of tcp or tls+tcp. */
bool gate_knows(struct gate *gate, const struct sockaddr *address);

#endif
