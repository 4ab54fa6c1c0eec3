/*
 * Version 7 identifiers: see identifier.h.
 */
#include "identifier.h"

#include <sodium.h>
#include <string.h>

#define RANDOM_SIZE 8
#define COUNTER_MAX 0xfff

void identifier_start(struct identifier_source *source)
{
    memset(source, 0, sizeof(*source));
}

static const uint8_t *take_random(struct identifier_source *source)
{
    if (source->pool_left < RANDOM_SIZE) {
        randombytes_buf(source->pool, sizeof(source->pool));
        source->pool_left = sizeof(source->pool);
    }
    source->pool_left -= RANDOM_SIZE;
    return source->pool + source->pool_left;
}

/* A new millisecond starts the counter; a full counter borrows the next one. */
static void advance(struct identifier_source *source, uint64_t millisecond)
{
    if (millisecond > source->millisecond) {
        source->millisecond = millisecond;
        source->counter = 0;
    } else if (source->counter == COUNTER_MAX) {
        source->millisecond++;
        source->counter = 0;
    } else {
        source->counter++;
    }
}

tender_id identifier_next(struct identifier_source *source, int64_t at_us)
{
    tender_id id;
    advance(source, (uint64_t)at_us / 1000);
    for (int i = 0; i < 6; i++) {
        id.bytes[i] = (uint8_t)(source->millisecond >> (40 - 8 * i));
    }
    id.bytes[6] = (uint8_t)(0x70 | source->counter >> 8);
    id.bytes[7] = (uint8_t)source->counter;
    memcpy(id.bytes + 8, take_random(source), RANDOM_SIZE);
    id.bytes[8] = (uint8_t)(0x80 | (id.bytes[8] & 0x3f));
    return id;
}
