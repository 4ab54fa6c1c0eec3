/*
 * SHA-256 of a few pieces, by the processor's own instructions where it has them and by libsodium
 * elsewhere. Sealing is most of what the core computes: with the instructions an entry costs a
 * fifth.
 */
#ifndef TENDER_LEDGER_ENTRY_SHA256_H
#define TENDER_LEDGER_ENTRY_SHA256_H

#include "tender/vocabulary.h"

/* The digest of pieces[0 … count) one after the other. */
tender_digest sha256_pieces(const tender_bytes *pieces, size_t count);

/* The same, always by libsodium; for tests. */
tender_digest sha256_pieces_portable(const tender_bytes *pieces, size_t count);

#endif
