/*
 * A bundle: the batches of several shards that commit together, as one transaction. A ledger of one
 * shard has one batch in each bundle.
 */
#ifndef TENDER_LEDGER_SRC_BUNDLE_H
#define TENDER_LEDGER_SRC_BUNDLE_H

#include "batch.h"
#include "shard.h"

/*
 * number   counts bundles; the number of each batch in it is its shard's own
 * touched  set of the shards that something was added for
 * begun    of a sealed one: those that it begins a batch of, empty ones included
 * batches  made where they are first needed, and kept
 */
struct bundle {
    uint64_t number;
    size_t size;
    uint64_t touched;
    uint64_t begun;
    struct batch *batches[SHARDS_MAX];
};

void bundle_release(struct bundle *bundle);
/* Empties it; memory is kept. */
void bundle_clear(struct bundle *bundle);

/* The batch of a shard, to add to. NULL when memory ran out. */
struct batch *bundle_touch(struct bundle *bundle, uint32_t shard);

/* Seals what was added, and an empty batch for each further shard of `also`. 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int bundle_seal(struct bundle *bundle, uint64_t also);

#endif
