/*
 * SHA-256 of a few pieces, by libcrypto: it uses the processor's own instructions where there are
 * any, and sealing is most of what the core computes (ops/decisions/0015).
 */
#ifndef TENDER_LEDGER_ENTRY_SHA256_H
#define TENDER_LEDGER_ENTRY_SHA256_H

#include "tender/vocabulary.h"

/*
 * The digest of pieces[0 … count) one after the other. The first use of a thread allocates what all
 * its later ones need; without memory for it the program ends.
 */
tender_digest sha256_pieces(const tender_bytes *pieces, size_t count);

#endif
