/*
 * The table of a replay's contractors: what each tier of models costs and how fast it is.
 */
#ifndef TENDER_BROKER_CLI_REPLAY_TIERS_H
#define TENDER_BROKER_CLI_REPLAY_TIERS_H

#include "tender/cost_model.h"
#include "value.h"

#include <stdio.h>

#define TIERS_MAX 16

/*
 * One tier.
 *
 * price_micro        per thousand tokens
 * tokens_per_second  of one slot
 * slots, queue       it works on `slots` at once and holds `slots` + `queue`
 */
struct tier {
    char name[TENDER_NAME_MAX + 1];
    char principal[TENDER_NAME_MAX + 1];
    int64_t price_micro;
    int64_t tokens_per_second;
    int64_t slots;
    int64_t queue;
};

struct tiers {
    size_t count;
    struct tier items[TIERS_MAX];
};

/* The built-in table: small, medium, large. */
void tiers_default(struct tiers *tiers_out);

/*
 * Reads a table: one tier a line, its columns parted by white space in the order of `struct tier`,
 * price in credits; empty lines and what follows '#' do not count. Names are unique.
 *
 * Returns 0, or TENDER_EINVAL with a sentence in `why` ([VALUE_WHY_MAX]) that names line and
 * column.
 */
TENDER_MUST_CHECK int tiers_read(FILE *file, struct tiers *tiers_out, char *why);

/* Prints a table in the form that tiers_read takes. */
void tiers_write(const struct tiers *tiers, FILE *out);

/*
 * What `tokens` cost at a tier and how long they take behind `queue_tokens`, by tender_cost_model:
 * all slots serve the queue, one the task. Price and rate are the same for tokens read and written.
 *
 * tokens        1 to TENDER_UNITS_MAX
 * queue_tokens  0 to TENDER_COST_QUEUE_MAX
 */
tender_cost_estimate tier_estimate(const struct tier *tier, int64_t tokens, int64_t queue_tokens);

#endif
