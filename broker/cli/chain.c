/* The hash chain of a task, recomputed: see chain.h. */
#include "chain.h"

#include "bytes.h"
#include "database.h"

#include <jansson.h>
#include <sodium.h>
#include <string.h>

void chain_hex(const tender_digest *digest, char hex_out[CHAIN_HEX_MAX])
{
    sodium_bin2hex(hex_out, CHAIN_HEX_MAX, digest->bytes, sizeof(digest->bytes));
}

bool chain_is_hex(const tender_digest *digest, const char *hex)
{
    char expected[CHAIN_HEX_MAX];
    chain_hex(digest, expected);
    return hex != NULL && strcmp(hex, expected) == 0;
}

/* The hash that the entry must have after `previous`; ledger/entry/entry.h has the formula. */
static tender_digest hash_of(const struct stored *stored, const tender_digest *previous)
{
    static const char label[] = "tender/entry/v1";
    crypto_hash_sha256_state state;
    tender_digest hash;
    uint8_t numbers[16];
    (void)put_big_endian(put_big_endian(numbers, stored->number, 8), (uint64_t)stored->at_us, 8);
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const uint8_t *)label, sizeof(label));
    crypto_hash_sha256_update(&state, previous->bytes, sizeof(previous->bytes));
    crypto_hash_sha256_update(&state, stored->task.bytes, sizeof(stored->task.bytes));
    crypto_hash_sha256_update(&state, numbers, sizeof(numbers));
    crypto_hash_sha256_update(&state, (const uint8_t *)stored->kind, strlen(stored->kind) + 1);
    crypto_hash_sha256_update(&state, (const uint8_t *)stored->body, strlen(stored->body));
    crypto_hash_sha256_final(&state, hash.bytes);
    return hash;
}

/* Whether the content is what the body says of it. */
static bool is_content_right(const struct stored *stored)
{
    if (stored->content_size == 0 && strstr(stored->body, "\"content_") == NULL) {
        return true; /* most entries: not worth reading the body */
    }
    json_t *body = json_loads(stored->body, 0, NULL);
    const char *digest = json_string_value(json_object_get(body, "content_digest"));
    json_int_t size = json_integer_value(json_object_get(body, "content_size"));
    bool is_right = size == 0 && stored->content_size == 0;
    if (digest != NULL && (size_t)size == stored->content_size) {
        tender_digest found;
        crypto_hash_sha256(found.bytes, stored->content, stored->content_size);
        is_right = chain_is_hex(&found, digest);
    }
    json_decref(body);
    return is_right && body != NULL;
}

const char *chain_fault(const struct stored *stored, uint64_t number, tender_digest *head)
{
    tender_digest hash = hash_of(stored, head);
    *head = stored->hash;
    if (stored->number != number) {
        return "does not follow: an entry is missing before it";
    }
    if (memcmp(&hash, &stored->hash, sizeof(hash)) != 0) {
        return "has another hash than its bytes and the entry before it give";
    }
    return is_content_right(stored) ? NULL : "has another content than its body says";
}

/* Reads a bytea in hex form, with its "\x". Returns its size, 0 where it does not fit. */
static size_t read_hex(const char *hex, uint8_t *bytes, size_t capacity)
{
    size_t size = 0;
    if (strlen(hex) < 2 ||
        sodium_hex2bin(bytes, capacity, hex + 2, strlen(hex + 2), NULL, &size, NULL) != 0) {
        return 0;
    }
    return size;
}

bool chain_read(const PGresult *result, int row, struct stored *stored_out)
{
    static _Thread_local uint8_t content[TENDER_CONTENT_MAX];
    const char *task = PQgetvalue(result, row, 0);
    *stored_out = (struct stored){.number = (uint64_t)database_number(result, row, 1),
                                  .at_us = database_number(result, row, 2),
                                  .kind = PQgetvalue(result, row, 3),
                                  .body = PQgetvalue(result, row, 4),
                                  .content = content};
    if (!PQgetisnull(result, row, 5)) {
        stored_out->content_size = read_hex(PQgetvalue(result, row, 5), content, sizeof(content));
    }
    tender_digest *hash = &stored_out->hash;
    return tender_id_parse(task, strlen(task), &stored_out->task) == 0 &&
           read_hex(PQgetvalue(result, row, 6), hash->bytes, sizeof(hash->bytes)) ==
               sizeof(hash->bytes);
}
