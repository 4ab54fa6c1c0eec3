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
    for (uint64_t left = bundle->begun | bundle->touched; left != 0;) {
        batch_clear(bundle->batches[shard_take(&left)]);
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
        bundle->touched |= shard_set(shard);
    }
    return batch;
}

int bundle_seal(struct bundle *bundle, uint64_t also)
{
    int status = 0;
    bundle->begun = bundle->touched | also;
    for (uint64_t left = bundle->begun; status == 0 && left != 0;) {
        struct batch *batch = make(bundle, shard_take(&left));
        status = batch == NULL ? TENDER_ENOMEM : batch_seal(batch);
    }
    return status;
}
