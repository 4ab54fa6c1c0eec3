/* The storage of effect.h: sized once for whatever one event may cause. */
#include "effect.h"

#include "auction.h"
#include "book.h"

#include <stdlib.h>
#include <string.h>

int effects_init(struct effects *effects, const struct book_limits *limits)
{
    memset(effects, 0, sizeof *effects);
    effects->entry_capacity = 8192 + 4096 + (size_t)limits->deadlines_per_tick * 2;
    effects->tell_capacity = 8192 + AUCTION_BIDS_MAX + (size_t)limits->contractor_count * 2 +
                             (size_t)limits->client_count + (size_t)limits->deadlines_per_tick * 2;
    effects->byte_capacity = (size_t)24 << 20;
    effects->entries = calloc(effects->entry_capacity, sizeof *effects->entries);
    effects->tells = calloc(effects->tell_capacity, sizeof *effects->tells);
    effects->bytes = calloc(effects->byte_capacity, 1);
    if (effects->entries == NULL || effects->tells == NULL || effects->bytes == NULL) {
        effects_release(effects);
        return TENDER_ENOMEM;
    }
    return 0;
}

void effects_release(struct effects *effects)
{
    free(effects->entries);
    free(effects->tells);
    free(effects->bytes);
    memset(effects, 0, sizeof *effects);
}

void effects_clear(struct effects *effects)
{
    effects->entry_count = 0;
    effects->tell_count = 0;
    effects->byte_count = 0;
}
