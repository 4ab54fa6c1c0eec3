/*
 * Goal: a challenge and a proof are believed exactly when they are the ones that were made, for
 * this question, nonce, session, name and principal; whatever else stands in their place is not.
 * Method: genuine ones, in which the input changes bytes.
 */
#include "fuzz.h"

#include "proof.h"

struct said {
    uint8_t question[PROOF_QUESTION_SIZE];
    uint8_t session[16];
    uint8_t challenge[PROOF_CHALLENGE_SIZE];
    uint8_t proof[PROOF_SIZE];
    uint8_t name_size;
    uint8_t principal_size;
    uint8_t name[TENDER_NAME_MAX];
    uint8_t principal[TENDER_NAME_MAX];
};

static tender_key *key;
static struct said genuine;

static struct proof_claim claim_of(const struct said *said)
{
    return (struct proof_claim){
        .challenge = said->challenge,
        .session = said->session,
        .name = {said->name, said->name_size % (TENDER_NAME_MAX + 1)},
        .principal = {said->principal, said->principal_size % (TENDER_NAME_MAX + 1)}};
}

static void make_genuine(void)
{
    expect(tender_key_new(&key) == 0);
    genuine.name_size = 6;
    genuine.principal_size = 9;
    memcpy(genuine.name, "kiln-2", 6);
    memcpy(genuine.principal, "kilns-ltd", 9);
    memset(genuine.question, 'q', sizeof genuine.question);
    memset(genuine.session, 's', sizeof genuine.session);
    memset(genuine.challenge, 'n', PROOF_NONCE_SIZE);
    proof_challenge(key, genuine.question, genuine.session, genuine.challenge);
    struct proof_claim claim = claim_of(&genuine);
    proof_make(key, &claim, genuine.proof);
}

static bool is_same(tender_bytes left, tender_bytes right)
{
    return left.size == right.size &&
           (left.size == 0 || memcmp(left.data, right.data, left.size) == 0);
}

/* All that the proof is about, and itself. */
static bool is_proof_whole(const struct said *said)
{
    struct proof_claim claim = claim_of(said);
    struct proof_claim whole = claim_of(&genuine);
    return is_same(claim.name, whole.name) && is_same(claim.principal, whole.principal) &&
           memcmp(said->session, genuine.session, sizeof said->session) == 0 &&
           memcmp(said->challenge, genuine.challenge, PROOF_NONCE_SIZE + TENDER_PUBLIC_KEY_SIZE) ==
               0 &&
           memcmp(said->proof, genuine.proof, sizeof said->proof) == 0;
}

static bool is_challenge_whole(const struct said *said)
{
    return memcmp(said->question, genuine.question, sizeof said->question) == 0 &&
           memcmp(said->session, genuine.session, sizeof said->session) == 0 &&
           memcmp(said->challenge, genuine.challenge, sizeof said->challenge) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    if (key == NULL) {
        make_genuine();
    }
    struct said said = genuine;
    while (input.size > 0) {
        size_t place = (size_t)input_number(&input, 2) % sizeof said;
        ((uint8_t *)&said)[place] ^= input_byte(&input);
    }
    struct proof_claim claim = claim_of(&said);
    expect(proof_is_challenge(said.challenge, said.question, said.session) ==
           is_challenge_whole(&said));
    expect(proof_is_good(said.proof, &claim) == is_proof_whole(&said));
    return 0;
}
