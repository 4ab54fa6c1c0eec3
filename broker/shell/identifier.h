/*
 * Identifiers: UUIDs of version 7 (RFC 9562) that grow from one to the next, so that tasks sort by
 * the time they were announced and indexes grow at one end.
 */
#ifndef TENDER_BROKER_SHELL_IDENTIFIER_H
#define TENDER_BROKER_SHELL_IDENTIFIER_H

#include "tender/vocabulary.h"

#define IDENTIFIER_POOL 1024 /* random bytes fetched at once */

struct identifier_source {
    uint64_t millisecond;
    uint32_t counter; /* within the millisecond, in the 12 bits after the version */
    size_t pool_left;
    uint8_t pool[IDENTIFIER_POOL];
};

/* sodium_init must have succeeded. */
void identifier_start(struct identifier_source *source);

/* The next identifier at stamp `at_us`; greater than every one before it. */
tender_id identifier_next(struct identifier_source *source, int64_t at_us);

#endif
