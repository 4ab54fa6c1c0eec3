/*
 * A set that may answer "perhaps": which keys have been announced, in fixed room (a Bloom filter).
 * With it a fresh key need not be looked up in the ledger.
 */
#ifndef TENDER_BROKER_CORE_FILTER_H
#define TENDER_BROKER_CORE_FILTER_H

#include "tender/vocabulary.h"

#define FILTER_BITS_MAX                                                                            \
    (UINT64_C(1) << 26) /* 8 MiB: one in 200 wrongly "perhaps" after 5 million */

struct filter {
    uint64_t *words;
    uint64_t line_count;
};

/* Room for many times `count` keys. Returns 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int filter_init(struct filter *filter, uint32_t count);
void filter_release(struct filter *filter);
void filter_add(struct filter *filter, uint64_t hash);
/* False: it was never added. */
bool filter_may_hold(const struct filter *filter, uint64_t hash);

#endif
