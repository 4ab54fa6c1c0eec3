/*
 * The keys of brokers that answered before, by address, in a file of the user's as ssh has one: who
 * was told no key believes the first that it meets, and no other at that address from then on.
 * Leaves the challenge to session_proof.c. Internal to the SDK.
 *
 * The file has lines of an address, a blank and a key in text; empty ones and those that begin with
 * `#` are for people. An address may have several lines. Processes share the file by a lock on it.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_KNOWN_H
#define TENDER_CONTRACTOR_SDK_SRC_KNOWN_H

#include <stdbool.h>

#include "error.h"
#include "tender/key.h"

/* path      NULL: nothing is remembered
 * is_named  by the program or its environment: then it must be usable */
struct known {
    char *path;
    bool is_named;
};

/*
 * Chooses the file: `path`, else the one of TENDER_KNOWN_BROKERS, either "" for none; else
 * tender/known-brokers in $XDG_STATE_HOME or ~/.local/state, whose directory is made.
 * Returns 0, or TENDER_ENOMEM with a sentence in `error`.
 */
TENDER_MUST_CHECK int known_init(struct known *known, const char *path, struct error *error);
void known_release(struct known *known);

/*
 * Whether the broker at `url` may have that key: it is known by it, or by none, and then is from
 * now on. inproc addresses are believed. Returns 0; or with a sentence in `error` TENDER_EREFUSED
 * for another key or a file that others may write, TENDER_EINVAL for a line that is none,
 * TENDER_ESYSTEM where a file that was named cannot be used, or TENDER_ENOMEM.
 */
TENDER_MUST_CHECK int known_check(const struct known *known, const char *url,
                                  const uint8_t key[TENDER_PUBLIC_KEY_SIZE], struct error *error);

#endif
