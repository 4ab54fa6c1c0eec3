/*
 * Goal: a proof is made and checked as PROTOCOL.md says, and nothing else passes for one. Method:
 * the golden proofs of vectors.json, which another library made, are made again and checked; then
 * each byte of what is signed and of the signature is changed in turn.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proof.h"
#include "vectors.h"

struct golden {
    tender_key *key;
    tender_key *broker;
    uint8_t session[16];
    uint8_t question[PROOF_QUESTION_SIZE];
    bool asks;
    uint8_t challenge[PROOF_CHALLENGE_SIZE];
    uint8_t proof[PROOF_SIZE];
    struct proof_claim claim;
};

static size_t take_hex(const json_t *vector, const char *name, uint8_t *bytes_out, size_t capacity)
{
    const char *hex = vector_text(vector, name);
    size_t size = strlen(hex) / 2;
    assert_true(size <= capacity);
    for (size_t i = 0; i < size; i++) {
        char digits[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        bytes_out[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return size;
}

/* A key with that seed, as a file in memory has it. */
static tender_key *take_key(const json_t *vector, const char *name)
{
    char line[96];
    char path[32];
    char problem[TENDER_KEY_PROBLEM_SIZE] = "";
    tender_key *key = NULL;
    int file = memfd_create("key", MFD_CLOEXEC);
    int size = snprintf(line, sizeof line, "tender-ed25519 %s\n", vector_text(vector, name));
    assert_int_equal(fchmod(file, 0600), 0);
    assert_int_equal(write(file, line, (size_t)size), size);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (tender_key_read(path, &key, problem) != 0) {
        fail_msg("%s", problem);
    }
    (void)close(file);
    return key;
}

static struct golden take_golden(const json_t *vector)
{
    static struct golden golden;
    const char *peer = vector_text(vector, "peer");
    const char *principal = vector_text(vector, "principal");
    golden.key = take_key(vector, "seed");
    golden.broker = take_key(vector, "broker_seed");
    (void)take_hex(vector, "session", golden.session, sizeof golden.session);
    golden.asks = take_hex(vector, "question", golden.question, sizeof golden.question) > 0;
    (void)take_hex(vector, "challenge", golden.challenge, sizeof golden.challenge);
    (void)take_hex(vector, "proof", golden.proof, sizeof golden.proof);
    golden.claim = (struct proof_claim){.challenge = golden.challenge,
                                        .session = golden.session,
                                        .name = {peer, strlen(peer)},
                                        .principal = {principal, strlen(principal)}};
    return golden;
}

static void release(struct golden *golden)
{
    tender_key_free(golden->key);
    tender_key_free(golden->broker);
}

static void golden_proofs_are_made_byte_for_byte(void **state)
{
    (void)state;
    json_t *vectors = vectors_load("proofs");
    assert_true(json_array_size(vectors) > 0);
    for (size_t i = 0; i < json_array_size(vectors); i++) {
        struct golden golden = take_golden(json_array_get(vectors, i));
        const uint8_t *question = golden.asks ? golden.question : NULL;
        uint8_t challenge[PROOF_CHALLENGE_SIZE] = {0};
        uint8_t proof[PROOF_SIZE];
        memcpy(challenge, golden.challenge, PROOF_NONCE_SIZE);
        proof_challenge(golden.broker, question, golden.session, challenge);
        assert_memory_equal(challenge, golden.challenge, sizeof challenge);
        proof_make(golden.key, &golden.claim, proof);
        assert_memory_equal(proof, golden.proof, sizeof proof);
        assert_true(proof_is_challenge(challenge, question, golden.session));
        assert_true(proof_is_good(proof, &golden.claim));
        release(&golden);
    }
}

static void no_byte_of_a_proof_can_be_another(void **state)
{
    (void)state;
    struct golden golden = take_golden(json_array_get(vectors_load("proofs"), 0));
    uint8_t *parts[] = {golden.proof, golden.challenge, golden.session};
    size_t sizes[] = {PROOF_SIZE, PROOF_NONCE_SIZE + TENDER_PUBLIC_KEY_SIZE, 16};
    golden.claim.challenge = golden.challenge;
    golden.claim.session = golden.session;
    for (size_t part = 0; part < 3; part++) {
        for (size_t i = 0; i < sizes[part]; i++) {
            parts[part][i] ^= 1;
            assert_false(proof_is_good(golden.proof, &golden.claim));
            parts[part][i] ^= 1;
        }
    }
    struct proof_claim other = golden.claim;
    other.name = golden.claim.principal;
    other.principal = golden.claim.name;
    assert_false(proof_is_good(golden.proof, &other));
    assert_true(proof_is_good(golden.proof, &golden.claim));
    release(&golden);
}

static void no_byte_of_a_challenge_can_be_another(void **state)
{
    (void)state;
    struct golden golden = take_golden(json_array_get(vectors_load("proofs"), 0));
    for (size_t i = 0; i < PROOF_CHALLENGE_SIZE; i++) {
        golden.challenge[i] ^= 1;
        assert_false(proof_is_challenge(golden.challenge, golden.question, golden.session));
        golden.challenge[i] ^= 1;
    }
    assert_false(proof_is_challenge(golden.challenge, NULL, golden.session));
    golden.session[0] ^= 1;
    assert_false(proof_is_challenge(golden.challenge, golden.question, golden.session));
    release(&golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_proofs_are_made_byte_for_byte),
        cmocka_unit_test(no_byte_of_a_proof_can_be_another),
        cmocka_unit_test(no_byte_of_a_challenge_can_be_another),
    };
    int failed = cmocka_run_group_tests_name("proof", tests, NULL, NULL);
    vectors_unload();
    return failed;
}
