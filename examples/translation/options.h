/*
 * The command line of the example's contractor.
 */
#ifndef TENDER_EXAMPLES_TRANSLATION_OPTIONS_H
#define TENDER_EXAMPLES_TRANSLATION_OPTIONS_H

#include "tier.h"

/* name, principal, skill and url are borrowed from argv or the environment. */
struct options {
    const char *url;
    const char *name;
    const char *principal;
    const char *skill;
    int64_t speed;
    struct tier tier;
};

/* Returns 0, or the exit code after a sentence on standard error (2) or the help (-1: leave with
 * 0). */
int options_read(int argc, char **argv, struct options *options_out);

#endif
