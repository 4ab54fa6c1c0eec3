/* Checkpoints: their bytes, their text and their signature. */
#include "tender/checkpoint.h"

#include "bytes.h"
#include "lines.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define LABEL  "tender/checkpoint/v1" /* with its NUL */
#define FORMAT "tender-checkpoint/1"
#define SCHEME "ed25519:"

void tender_checkpoint_bytes(const tender_checkpoint *checkpoint,
                             uint8_t bytes_out[TENDER_CHECKPOINT_SIGNED_SIZE])
{
    uint8_t *at = bytes_out + sizeof LABEL;
    memcpy(bytes_out, LABEL, sizeof LABEL);
    memcpy(at, checkpoint->ledger.bytes, sizeof checkpoint->ledger);
    at = put_big_endian(at + sizeof checkpoint->ledger, checkpoint->shard, 2);
    at = put_big_endian(at, checkpoint->size, 8);
    at = put_big_endian(at, (uint64_t)checkpoint->at_us, 8);
    memcpy(at, checkpoint->root.bytes, sizeof checkpoint->root);
}

size_t tender_checkpoint_format(const tender_checkpoint *checkpoint,
                                char text_out[TENDER_CHECKPOINT_TEXT_MAX])
{
    char ledger[TENDER_ID_TEXT_SIZE];
    char root[2 * 32 + 1];
    char key[2 * 32 + 1];
    char signature[2 * 64 + 1];
    tender_id_format(checkpoint->ledger, ledger);
    sodium_bin2hex(root, sizeof root, checkpoint->root.bytes, 32);
    sodium_bin2hex(key, sizeof key, checkpoint->key, 32);
    sodium_bin2hex(signature, sizeof signature, checkpoint->signature, 64);
    return (size_t)snprintf(text_out, TENDER_CHECKPOINT_TEXT_MAX,
                            FORMAT "\nledger %s\nshard %" PRIu32 "\nsize %" PRIu64 "\nat %" PRId64
                                   "\nroot %s\nkey " SCHEME "%s\nsignature %s\n",
                            ledger, checkpoint->shard, checkpoint->size, checkpoint->at_us, root,
                            key, signature);
}

int tender_checkpoint_parse(const char *text, size_t size, tender_checkpoint *checkpoint_out)
{
    struct lines lines = {text, text + size, false};
    memset(checkpoint_out, 0, sizeof *checkpoint_out);
    lines_take(&lines, FORMAT);
    checkpoint_out->ledger = lines_id(&lines, "ledger");
    checkpoint_out->shard = (uint32_t)lines_number(&lines, "shard", UINT16_MAX);
    checkpoint_out->size = lines_number(&lines, "size", INT64_MAX);
    checkpoint_out->at_us = (int64_t)lines_number(&lines, "at", INT64_MAX);
    lines_hex(&lines, "root", "", checkpoint_out->root.bytes, 32);
    lines_hex(&lines, "key", SCHEME, checkpoint_out->key, 32);
    lines_hex(&lines, "signature", "", checkpoint_out->signature, 64);
    bool is_whole = !lines.has_failed && checkpoint_out->size > 0;
    return is_whole ? (int)(lines.at - text) : TENDER_EPROTOCOL;
}

int tender_checkpoint_check(const tender_checkpoint *checkpoint, const uint8_t key[32])
{
    uint8_t bytes[TENDER_CHECKPOINT_SIGNED_SIZE];
    tender_checkpoint_bytes(checkpoint, bytes);
    bool is_signed = memcmp(checkpoint->key, key, TENDER_PUBLIC_KEY_SIZE) == 0 &&
                     tender_key_verify(key, bytes, sizeof bytes, checkpoint->signature);
    return is_signed ? 0 : TENDER_EREFUSED;
}
