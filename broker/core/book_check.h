/* What the checks of the book share: the fingerprint's sum, and the parts beyond plain tasks. */
#ifndef TENDER_BROKER_CORE_BOOK_CHECK_H
#define TENDER_BROKER_CORE_BOOK_CHECK_H

#include "book_internal.h"

#include <sodium.h>

/* The sum of the digests of all records: whatever their order in memory, it is the same. */
struct sum {
    uint64_t words[4];
};

void sum_begin(crypto_hash_sha256_state *state, char label);
void sum_put(crypto_hash_sha256_state *state, int64_t value);
void sum_put_bytes(crypto_hash_sha256_state *state, const void *data, size_t size);
void sum_put_name(crypto_hash_sha256_state *state, tender_bytes name);
void sum_add(struct sum *sum, crypto_hash_sha256_state *state);

/* book_check_more.c: extras, and the facts of the house */
void book_check_extra(const struct book *book, const struct task *task);
void book_put_extra(crypto_hash_sha256_state *state, const struct book *book,
                    const struct task *task);
void book_check_facts(const struct book *book);
void book_add_facts(const struct book *book, struct sum *sum);

#endif
