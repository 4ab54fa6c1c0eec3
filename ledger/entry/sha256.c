/* SHA-256 by libcrypto. One context for each thread: making one costs more than a digest does. */
#include "sha256.h"

#include <openssl/evp.h>

#include <assert.h>

tender_digest sha256_pieces(const tender_bytes *pieces, size_t count)
{
    static _Thread_local EVP_MD_CTX *context;
    static _Thread_local EVP_MD *algorithm;
    if (context == NULL) {
        algorithm = EVP_MD_fetch(NULL, "SHA256", NULL);
        context = EVP_MD_CTX_new();
        assert(algorithm != NULL);
        assert(context != NULL);
    }
    tender_digest digest;
    int status = EVP_DigestInit_ex2(context, algorithm, NULL);
    for (size_t i = 0; i < count; i++) {
        status &= EVP_DigestUpdate(context, pieces[i].data, pieces[i].size);
    }
    status &= EVP_DigestFinal_ex(context, digest.bytes, NULL);
    assert(status == 1);
    return digest;
}
