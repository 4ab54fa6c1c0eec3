/*
 * Addresses that the broker may listen on: ipc in a directory that is closed to others, tls+tcp
 * anywhere, tcp on loopback. Everything else is refused with a sentence.
 */
#ifndef TENDER_BROKER_SHELL_ADDRESS_H
#define TENDER_BROKER_SHELL_ADDRESS_H

#include <nng/nng.h>
#include <stdbool.h>

#include "tender/vocabulary.h"

/*
 * Checks `url`, and makes the directory of an ipc socket (mode 0700) when it is missing. Returns 0,
 * or TENDER_EREFUSED or TENDER_ESYSTEM with a sentence in `why_out` [why_size].
 */
TENDER_MUST_CHECK int address_prepare(const char *url, char *why_out, size_t why_size);

/* Whether connections to `url` are by TLS, which takes a certificate. */
bool address_is_tls(const char *url);

/* Writes the address that a started listener uses: `url` with its real port. */
void address_in_use(nng_listener listener, const char *url, char *text_out, size_t size);

#endif
