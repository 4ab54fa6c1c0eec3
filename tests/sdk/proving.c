/* See proving.h. */
#include "proving.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static tender_key *broker_key;
static const uint8_t nonce[PROOF_NONCE_SIZE] = "any bytes, as long as it lasts";

/* A file in memory with a key whose seed is 32 times a digit twice; its path. */
static void write_key(char digit, char path_out[32])
{
    char line[] =
        "tender-ed25519 ----------------------------------------------------------------\n";
    memset(line + sizeof line - 2 - 64, digit, 64);
    int file = memfd_create("key", MFD_CLOEXEC);
    if (file < 0 || fchmod(file, 0600) != 0 || write(file, line, sizeof line - 1) < 0) {
        abort();
    }
    (void)snprintf(path_out, 32, "/proc/self/fd/%d", file);
}

__attribute__((constructor)) static void make_keys(void)
{
    char path[32];
    char problem[TENDER_KEY_PROBLEM_SIZE];
    write_key('b', path);
    if (tender_key_read(path, &broker_key, problem) != 0) {
        fprintf(stderr, "proving: %s\n", problem);
        abort();
    }
    write_key('a', path);
    (void)setenv("TENDER_KEY", path, 1);
    (void)setenv("TENDER_KNOWN_BROKERS", "", 1); /* addresses of tests are others' next time */
}

__attribute__((destructor)) static void free_keys(void)
{
    tender_key_free(broker_key);
}

const tender_key *proving_key(void)
{
    return broker_key;
}

void proving_answer(const struct wire_header *request, uint8_t *reply_out, size_t *size_out)
{
    uint8_t challenge[PROOF_CHALLENGE_SIZE];
    struct wire_header header = {
        .version = WIRE_VERSION, .has_tail = true, .tail = {challenge, sizeof challenge}};
    bool asks = request->has_tail && request->tail.size == PROOF_QUESTION_SIZE;
    memcpy(challenge, nonce, sizeof nonce);
    proof_challenge(broker_key, asks ? request->tail.data : NULL, request->session, challenge);
    memcpy(header.session, request->session, sizeof header.session);
    int size = wire_pack_header(&header, reply_out, PROVING_REPLY_SIZE);
    int more = size < 0
                   ? size
                   : wire_pack_tail(&header, reply_out + size, (size_t)(PROVING_REPLY_SIZE - size));
    if (more < 0) {
        abort();
    }
    *size_out = (size_t)(size + more);
}

bool proving_is_proof(const struct wire_header *request, tender_bytes name, tender_bytes principal)
{
    uint8_t challenged[PROOF_NONCE_SIZE + TENDER_PUBLIC_KEY_SIZE];
    struct proof_claim claim = {
        .challenge = challenged, .session = request->session, .name = name, .principal = principal};
    memcpy(challenged, nonce, sizeof nonce);
    memcpy(challenged + sizeof nonce, tender_key_public(broker_key), TENDER_PUBLIC_KEY_SIZE);
    return request->has_tail && request->tail.size == PROOF_SIZE &&
           proof_is_good(request->tail.data, &claim);
}
