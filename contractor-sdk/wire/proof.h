/*
 * How a connection is proved: what a peer and a broker sign, and the tails of exchanges that carry
 * it. PROTOCOL.md is the full text.
 *
 *     question  := 32 random bytes
 *     challenge := nonce (32) ‖ broker's key (32) ‖ signature (64)
 *     proof     := key (32) ‖ signature (64)
 *
 * A peer asks with any request, is answered by a challenge, and brings its proof with the next one.
 * Leaves to others when these are said and who may speak.
 */
#ifndef TENDER_CONTRACTOR_SDK_WIRE_PROOF_H
#define TENDER_CONTRACTOR_SDK_WIRE_PROOF_H

#include "tender/key.h"

#define PROOF_QUESTION_SIZE  32
#define PROOF_NONCE_SIZE     32
#define PROOF_CHALLENGE_SIZE (PROOF_NONCE_SIZE + TENDER_PUBLIC_KEY_SIZE + TENDER_SIGNATURE_SIZE)
#define PROOF_SIZE           (TENDER_PUBLIC_KEY_SIZE + TENDER_SIGNATURE_SIZE)
#define PROOF_FRAME_MAX      4096 /* bytes of an exchange by a connection that is not proved */

/*
 * What a proof is about. `challenge` is [PROOF_NONCE_SIZE + TENDER_PUBLIC_KEY_SIZE] at least: its
 * nonce and the broker's key. Borrowed.
 */
struct proof_claim {
    const uint8_t *challenge;
    const uint8_t *session; /* [16] */
    tender_bytes name;      /* at most TENDER_NAME_MAX bytes */
    tender_bytes principal;
};

/* Writes a challenge with the nonce that it begins with; `question` NULL stands for 32 zeros. */
void proof_challenge(const struct tender_key *key, const uint8_t *question, const uint8_t *session,
                     uint8_t challenge[PROOF_CHALLENGE_SIZE]);

/* Whether whoever has the key that the challenge names has signed it for this question. */
TENDER_MUST_CHECK bool proof_is_challenge(const uint8_t challenge[PROOF_CHALLENGE_SIZE],
                                          const uint8_t *question, const uint8_t *session);

/* Writes the proof of a claim. */
void proof_make(const struct tender_key *key, const struct proof_claim *claim,
                uint8_t proof_out[PROOF_SIZE]);

/* Whether whoever has the key that the proof names has signed the claim. */
TENDER_MUST_CHECK bool proof_is_good(const uint8_t proof[PROOF_SIZE],
                                     const struct proof_claim *claim);

#endif
