/* The bytes that draws are made from: see draw.h. */
#include "draw.h"

#include <assert.h>
#include <string.h>

static void put(struct draw_seed *seed, const void *data, size_t size)
{
    assert(size <= sizeof seed->bytes - seed->size);
    memcpy(seed->bytes + seed->size, data, size);
    seed->size += size;
}

struct draw_seed draw_seed(const char *label, tender_id task, const uint32_t *numbers,
                           uint32_t count, const tender_digest *head)
{
    struct draw_seed seed = {.size = 0};
    put(&seed, label, strlen(label));
    put(&seed, task.bytes, sizeof task.bytes);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t bytes[4] = {(uint8_t)(numbers[i] >> 24), (uint8_t)(numbers[i] >> 16),
                            (uint8_t)(numbers[i] >> 8), (uint8_t)numbers[i]};
        put(&seed, bytes, sizeof bytes);
    }
    put(&seed, head->bytes, sizeof head->bytes);
    return seed;
}

tender_digest draw_for(const struct draw_seed *seed, tender_bytes what)
{
    uint8_t bytes[sizeof seed->bytes + TENDER_NAME_MAX];
    assert(what.size <= TENDER_NAME_MAX);
    memcpy(bytes, seed->bytes, seed->size);
    if (what.size > 0) {
        memcpy(bytes + seed->size, what.data, what.size);
    }
    return entry_digest((tender_bytes){bytes, seed->size + what.size});
}

uint64_t draw_number(const tender_digest *digest, size_t at)
{
    uint64_t number = 0;
    for (size_t i = at; i < at + 8; i++) {
        number = number << 8 | digest->bytes[i];
    }
    return number;
}

uint64_t draw_of_name(tender_bytes name)
{
    tender_digest digest = entry_digest(name);
    return draw_number(&digest, 0);
}
