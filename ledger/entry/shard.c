/* The shard of an account, as shard.h says. */
#include "shard.h"

#include <assert.h>
#include <string.h>

#include "entry.h"

uint32_t shard_of_principal(tender_bytes principal, uint32_t count)
{
    char text[sizeof "tender/shard/v1" - 1 + TENDER_NAME_MAX] = "tender/shard/v1";
    size_t size = sizeof "tender/shard/v1" - 1;
    uint64_t number = 0;
    if (count <= 1) {
        return 0;
    }
    assert(principal.size <= TENDER_NAME_MAX);
    if (principal.size > 0) {
        memcpy(text + size, principal.data, principal.size);
    }
    tender_digest digest = entry_digest((tender_bytes){text, size + principal.size});
    for (int i = 0; i < 8; i++) {
        number = number << 8 | digest.bytes[i];
    }
    return (uint32_t)(number % count);
}
