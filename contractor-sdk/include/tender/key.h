/*
 * Keys: who says something, shown by a signature. Ed25519 (RFC 8032), as libsodium does it.
 *
 *     tender_key_new ─▶ tender_key_write FILE ─▶ tender_key_read ─▶ tender_key_sign
 *                  └──▶ tender_key_public ─▶ tender_key_text ─▶ enrolled with the broker
 *
 * A secret lives in a file that only its owner can read and in memory that is locked, guarded and
 * cleared. Nothing here writes it anywhere else, and no function takes it as text: arguments, the
 * environment and configuration name the file.
 *
 * All functions may be called on any thread, one key also on several at once.
 */
#ifndef TENDER_KEY_H
#define TENDER_KEY_H

#include "tender/vocabulary.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TENDER_PUBLIC_KEY_SIZE  32
#define TENDER_SIGNATURE_SIZE   64
#define TENDER_KEY_TEXT_SIZE    73  /* "ed25519:", 64 lower-case hexadecimal digits and a NUL */
#define TENDER_KEY_PROBLEM_SIZE 256 /* bytes of a sentence that says what is wrong with a file */

typedef struct tender_key tender_key;

/*
 * Makes a key from the system's randomness. Returns 0, or TENDER_ENOMEM.
 */
TENDER_API TENDER_MUST_CHECK int tender_key_new(tender_key **key_out);

/*
 * Reads the key of a file, as tender_key_write leaves it: one line, "tender-ed25519 " and the 64
 * lower-case hexadecimal digits of the seed.
 *
 * Returns 0; TENDER_ESYSTEM when the file cannot be read; TENDER_EREFUSED when somebody other than
 * the caller and root can read or write it; TENDER_EINVAL when it holds something else; or
 * TENDER_ENOMEM. Then `*key_out` is NULL and `problem_out` names the file, what is wrong with it
 * and what would be right, and nothing of what it holds.
 */
TENDER_API TENDER_MUST_CHECK int tender_key_read(const char *path, tender_key **key_out,
                                                 char problem_out[TENDER_KEY_PROBLEM_SIZE]);

/*
 * Writes the key to a file that is not there yet, readable by the caller alone, and waits until it
 * is on disk. Returns 0, or TENDER_ESYSTEM with the sentence in `problem_out`; then there is no
 * such file, or one that was there before, untouched.
 */
TENDER_API TENDER_MUST_CHECK int tender_key_write(const tender_key *key, const char *path,
                                                  char problem_out[TENDER_KEY_PROBLEM_SIZE]);

/* Clears and frees it; NULL is accepted. */
TENDER_API void tender_key_free(tender_key *key);

/* Its TENDER_PUBLIC_KEY_SIZE bytes, valid as long as the key. */
TENDER_API const uint8_t *tender_key_public(const tender_key *key);

/* Signs `size` bytes. The same bytes give the same signature. */
TENDER_API void tender_key_sign(const tender_key *key, const void *data, size_t size,
                                uint8_t signature_out[TENDER_SIGNATURE_SIZE]);

/*
 * Whether the signature is that of the public key over `size` bytes. Public keys of small order and
 * signatures that are not in their one canonical form never are.
 */
TENDER_API TENDER_MUST_CHECK bool
tender_key_verify(const uint8_t public_key[TENDER_PUBLIC_KEY_SIZE], const void *data, size_t size,
                  const uint8_t signature[TENDER_SIGNATURE_SIZE]);

/* Writes a public key: "ed25519:" and 64 lower-case hexadecimal digits. */
TENDER_API void tender_key_text(const uint8_t public_key[TENDER_PUBLIC_KEY_SIZE],
                                char text_out[TENDER_KEY_TEXT_SIZE]);

/*
 * Reads what tender_key_text writes. Returns 0, or TENDER_EINVAL for anything else and for what no
 * key can be: most slips of a hand are found so.
 */
TENDER_API TENDER_MUST_CHECK int tender_key_parse(const char *text, size_t size,
                                                  uint8_t public_key_out[TENDER_PUBLIC_KEY_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
