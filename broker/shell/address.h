/*
 * Addresses that the broker may listen on: ipc in a directory that is closed to others, tcp on
 * loopback. Until peers have keys nothing else is safe (pitfalls of nng 1.5.2, and sessions that
 * declare their names), so everything else is refused with a sentence.
 */
#ifndef TENDER_BROKER_SHELL_ADDRESS_H
#define TENDER_BROKER_SHELL_ADDRESS_H

#include <nng/nng.h>

#include "tender/vocabulary.h"

/*
 * Checks `url`, and makes the directory of an ipc socket (mode 0700) when it is missing. Returns 0,
 * or TENDER_EREFUSED or TENDER_ESYSTEM with a sentence in `why_out` [why_size].
 */
TENDER_MUST_CHECK int address_prepare(const char *url, char *why_out, size_t why_size);

/* Writes the address that a started listener uses: `url` with its real port. */
void address_in_use(nng_listener listener, const char *url, char *text_out, size_t size);

#endif
