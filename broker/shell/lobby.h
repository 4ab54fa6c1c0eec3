/*
 * The lobby: connections that came in on tls+tcp and have not agreed on TLS yet. nng does not show
 * them, and keeps one that says nothing for ever. The lobby finds them among the process's
 * descriptors, as those that the gate does not know, and ends those that have been there too long.
 */
#ifndef TENDER_BROKER_SHELL_LOBBY_H
#define TENDER_BROKER_SHELL_LOBBY_H

#include "gate.h"

struct lobby;

/* stay_us  how long a connection may stay. Returns 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int lobby_open(int64_t stay_us, struct lobby **lobby_out);
void lobby_close(struct lobby *lobby); /* accepts NULL */

/* Connections to this port of the machine are looked at from now on. */
void lobby_watch(struct lobby *lobby, uint16_t number);

/* Looks at some descriptors, at all in several calls; `gate` knows who is in. Returns how many
 * connections it ended. */
uint32_t lobby_step(struct lobby *lobby, struct gate *gate, int64_t boot_us);

#endif
