/*
 * The bytes that are signed, and their signatures: see proof.h.
 */
#include "proof.h"

#include <assert.h>
#include <string.h>

static const char challenge_label[] = "tender/here/v1";
static const char proof_label[] = "tender/auth/v1";

#define LABEL_SIZE   14
#define SESSION_SIZE 16
#define HERE_SIZE    (LABEL_SIZE + PROOF_QUESTION_SIZE + PROOF_NONCE_SIZE + SESSION_SIZE)
#define CLAIM_MAX                                                                                  \
    (LABEL_SIZE + PROOF_NONCE_SIZE + TENDER_PUBLIC_KEY_SIZE + SESSION_SIZE +                       \
     2 * (1 + TENDER_NAME_MAX))

static uint8_t *put(uint8_t *at, const void *bytes, size_t size)
{
    if (size > 0) {
        memcpy(at, bytes, size);
    }
    return at + size;
}

static uint8_t *put_name(uint8_t *at, tender_bytes name)
{
    assert(name.size <= TENDER_NAME_MAX);
    *at = (uint8_t)name.size;
    return put(at + 1, name.data, name.size);
}

/* What the broker signs. */
static void write_here(const uint8_t *question, const uint8_t *nonce, const uint8_t *session,
                       uint8_t here_out[HERE_SIZE])
{
    static const uint8_t nothing[PROOF_QUESTION_SIZE];
    uint8_t *at = put(here_out, challenge_label, LABEL_SIZE);
    at = put(at, question == NULL ? nothing : question, PROOF_QUESTION_SIZE);
    at = put(at, nonce, PROOF_NONCE_SIZE);
    (void)put(at, session, SESSION_SIZE);
}

/* What the peer signs; returns its size. */
static size_t write_claim(const struct proof_claim *claim, uint8_t claim_out[CLAIM_MAX])
{
    uint8_t *at = put(claim_out, proof_label, LABEL_SIZE);
    at = put(at, claim->challenge, PROOF_NONCE_SIZE + TENDER_PUBLIC_KEY_SIZE);
    at = put(at, claim->session, SESSION_SIZE);
    at = put_name(at, claim->name);
    at = put_name(at, claim->principal);
    return (size_t)(at - claim_out);
}

void proof_challenge(const struct tender_key *key, const uint8_t *question, const uint8_t *session,
                     uint8_t challenge[PROOF_CHALLENGE_SIZE])
{
    uint8_t here[HERE_SIZE];
    write_here(question, challenge, session, here);
    memcpy(challenge + PROOF_NONCE_SIZE, tender_key_public(key), TENDER_PUBLIC_KEY_SIZE);
    tender_key_sign(key, here, sizeof here, challenge + PROOF_NONCE_SIZE + TENDER_PUBLIC_KEY_SIZE);
}

bool proof_is_challenge(const uint8_t challenge[PROOF_CHALLENGE_SIZE], const uint8_t *question,
                        const uint8_t *session)
{
    uint8_t here[HERE_SIZE];
    write_here(question, challenge, session, here);
    return tender_key_verify(challenge + PROOF_NONCE_SIZE, here, sizeof here,
                             challenge + PROOF_NONCE_SIZE + TENDER_PUBLIC_KEY_SIZE);
}

void proof_make(const struct tender_key *key, const struct proof_claim *claim,
                uint8_t proof_out[PROOF_SIZE])
{
    uint8_t text[CLAIM_MAX];
    size_t size = write_claim(claim, text);
    memcpy(proof_out, tender_key_public(key), TENDER_PUBLIC_KEY_SIZE);
    tender_key_sign(key, text, size, proof_out + TENDER_PUBLIC_KEY_SIZE);
}

bool proof_is_good(const uint8_t proof[PROOF_SIZE], const struct proof_claim *claim)
{
    uint8_t text[CLAIM_MAX];
    size_t size = write_claim(claim, text);
    return tender_key_verify(proof, text, size, proof + TENDER_PUBLIC_KEY_SIZE);
}
