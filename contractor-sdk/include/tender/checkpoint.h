/*
 * Checkpoints and proofs: what somebody outside needs to see that the ledger says what it said,
 * with nothing but a few lines of text and the broker's public key.
 *
 * A checkpoint is signed by a broker: the root of the hash tree over the first batches of a shard
 * (RFC 6962). A proof of an entry leads from what the entry says to the root of a checkpoint; a
 * proof of consistency shows that an earlier checkpoint is a beginning of a later one. Two
 * checkpoints of one size with different roots, both signed, prove a fork by themselves.
 *
 * Nothing here connects, allocates or keeps state. ledger/CHAIN.md has every byte. For C11 and C++.
 */
#ifndef TENDER_CHECKPOINT_H
#define TENDER_CHECKPOINT_H

#include "tender/key.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TENDER_CHECKPOINT_SIGNED_SIZE 87  /* bytes under the signature */
#define TENDER_CHECKPOINT_TEXT_MAX    640 /* bytes of one as text, with its NUL */

/*
 * ledger     names the ledger, for as long as it exists
 * size       how many batches of the shard it covers, at least 1
 * at_us      stamp of the broker that signed it (µs since the Unix epoch)
 * root       of the tree over those batches
 * key        Ed25519 public key of the broker
 */
typedef struct tender_checkpoint {
    tender_id ledger;
    uint32_t shard;
    uint64_t size;
    int64_t at_us;
    tender_digest root;
    uint8_t key[TENDER_PUBLIC_KEY_SIZE];
    uint8_t signature[TENDER_SIGNATURE_SIZE];
} tender_checkpoint;

/* The bytes that the signature is over. */
TENDER_API void tender_checkpoint_bytes(const tender_checkpoint *checkpoint,
                                        uint8_t bytes_out[TENDER_CHECKPOINT_SIGNED_SIZE]);

/* Writes it as text, NUL-terminated. Returns its size without the NUL. */
TENDER_API size_t tender_checkpoint_format(const tender_checkpoint *checkpoint,
                                           char text_out[TENDER_CHECKPOINT_TEXT_MAX]);

/*
 * Reads one at the beginning of `text` [size]: a file may have several, one after the other. There
 * is one text for each checkpoint, so whatever tender_checkpoint_format would not have written is
 * refused. Returns how many bytes it has, or TENDER_EPROTOCOL.
 */
TENDER_API TENDER_MUST_CHECK int tender_checkpoint_parse(const char *text, size_t size,
                                                         tender_checkpoint *checkpoint_out);

/* Whether `key` [32] signed it. Returns 0, or TENDER_EREFUSED: it names another key, or the
 * signature is not of that key. */
TENDER_API TENDER_MUST_CHECK int tender_checkpoint_check(const tender_checkpoint *checkpoint,
                                                         const uint8_t key[32]);

/*
 * What a proof of an entry shows to be recorded. Texts are borrowed from the proof.
 *
 * task, number  its place in the chain of its task; the nil task is the house
 * at_us         its stamp
 * kind, body    what it says; the body is a JSON object
 * batch         number of the batch that recorded it, as which of how many entries (from 0)
 * checkpoint    that covers it
 */
typedef struct tender_proof {
    tender_id task;
    uint64_t number;
    int64_t at_us;
    tender_bytes kind;
    tender_bytes body;
    tender_digest hash;
    uint64_t batch;
    uint64_t place;
    uint64_t entries;
    tender_checkpoint checkpoint;
} tender_proof;

/*
 * Checks a proof of an entry (`tender ledger prove`) against the broker's public key.
 *
 * Returns 0; TENDER_EPROTOCOL for what is no proof; TENDER_EREFUSED where it does not lead to the
 * root, or `key` did not sign that. *why_out then is a static sentence.
 */
TENDER_API TENDER_MUST_CHECK int tender_proof_check(const char *text, size_t size,
                                                    const uint8_t key[32], tender_proof *proof_out,
                                                    const char **why_out);

/* Checks a proof that `older_out` is a beginning of `newer_out`. As tender_proof_check. */
TENDER_API TENDER_MUST_CHECK int tender_consistency_check(const char *text, size_t size,
                                                          const uint8_t key[32],
                                                          tender_checkpoint *older_out,
                                                          tender_checkpoint *newer_out,
                                                          const char **why_out);

#ifdef __cplusplus
}
#endif

#endif
