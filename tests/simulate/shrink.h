/*
 * Makes a failure smaller: runs this program again and again with less weather and fewer steps, and
 * keeps what still breaks the same rule.
 */
#ifndef TENDER_TESTS_SIMULATE_SHRINK_H
#define TENDER_TESTS_SIMULATE_SHRINK_H

#include "world.h"

/* Prints the smallest command found. Returns 1, or 2 when the failure does not come again. */
int shrink(const struct world_options *options);

/* "loss,crash" of a bit set, in a static buffer. */
const char *shrink_names(uint32_t without);
/* The reverse; false for a name that is none. */
bool shrink_parse(const char *names, uint32_t *without_out);

#endif
