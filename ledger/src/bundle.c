/* Batches that commit together, as bundle.h says. */
#include "bundle.h"

#include <stdlib.h>
#include <string.h>

void bundle_release(struct bundle *bundle)
{
    for (uint32_t shard = 0; shard < SHARDS_MAX; shard++) {
        if (bundle->batches[shard] != NULL) {
            batch_release(bundle->batches[shard]);
            free(bundle->batches[shard]);
        }
    }
    memset(bundle, 0, sizeof *bundle);
}

void bundle_clear(struct bundle *bundle)
{
    for (uint32_t shard = 0; shard < SHARDS_MAX; shard++) {
        if (shard_is_in(bundle->begun | bundle->touched, shard)) {
            batch_clear(bundle->batches[shard]);
        }
    }
    bundle->touched = 0;
    bundle->begun = 0;
    bundle->size = 0;
}

static struct batch *make(struct bundle *bundle, uint32_t shard)
{
    if (bundle->batches[shard] == NULL) {
        struct batch *batch = malloc(sizeof *batch);
        if (batch == NULL) {
            return NULL;
        }
        batch_init(batch);
        bundle->batches[shard] = batch;
    }
    return bundle->batches[shard];
}

struct batch *bundle_touch(struct bundle *bundle, uint32_t shard)
{
    struct batch *batch = make(bundle, shard);
    if (batch != NULL) {
        bundle->touched |= UINT64_C(1) << shard;
    }
    return batch;
}

int bundle_seal(struct bundle *bundle, uint64_t also)
{
    int status = 0;
    bundle->begun = bundle->touched | also;
    for (uint32_t shard = 0; status == 0 && shard < SHARDS_MAX; shard++) {
        if (shard_is_in(bundle->begun, shard)) {
            struct batch *batch = make(bundle, shard);
            status = batch == NULL ? TENDER_ENOMEM : batch_seal(batch);
        }
    }
    return status;
}
