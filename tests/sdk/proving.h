/*
 * The keys of a test that plays the broker: the SDK reads its own by TENDER_KEY, from memory that
 * looks like a file, before main; the broker's is here, and challenges.
 */
#ifndef TENDER_TESTS_SDK_PROVING_H
#define TENDER_TESTS_SDK_PROVING_H

#include "proof.h"
#include "wire.h"

#define PROVING_REPLY_SIZE 256

/* The broker's key. */
const tender_key *proving_key(void);

/* The exchange that challenges the request: `reply_out` [PROVING_REPLY_SIZE], `*size_out` bytes. */
void proving_answer(const struct wire_header *request, uint8_t *reply_out, size_t *size_out);

/* Whether the request proves that challenge for a name and a principal. */
bool proving_is_proof(const struct wire_header *request, tender_bytes name, tender_bytes principal);

#endif
