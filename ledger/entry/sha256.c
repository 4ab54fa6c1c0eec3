/* SHA-256 (FIPS 180-4) with the SHA extensions of x86, else by libsodium. */
#include "sha256.h"

#include <sodium.h>

#include <string.h>

tender_digest sha256_pieces_portable(const tender_bytes *pieces, size_t count)
{
    crypto_hash_sha256_state state;
    tender_digest digest;
    crypto_hash_sha256_init(&state);
    for (size_t i = 0; i < count; i++) {
        crypto_hash_sha256_update(&state, pieces[i].data, pieces[i].size);
    }
    crypto_hash_sha256_final(&state, digest.bytes);
    return digest;
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#define BLOCK_SIZE 64

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static bool has_instructions(void)
{
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    bool has_sse41 = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSE4_1) != 0;
    return has_sse41 && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & (1U << 29)) != 0;
}

/* The state lies in two vectors, ABEF and CDGH, as the instructions want it. */
__attribute__((target("sha,sse4.1"))) static void compress(uint32_t state[8], const uint8_t *data,
                                                           size_t block_count)
{
    const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)&state[0]), 0xb1);
    __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)&state[4]), 0x1b);
    __m128i abef = _mm_alignr_epi8(abcd, efgh, 8);
    __m128i cdgh = _mm_blend_epi16(efgh, abcd, 0xf0);
    for (; block_count > 0; block_count--, data += BLOCK_SIZE) {
        const __m128i abef_before = abef;
        const __m128i cdgh_before = cdgh;
        __m128i words[4];
#pragma GCC unroll 16
        for (size_t i = 0; i < 16; i++) {
            __m128i *word = &words[i % 4];
            if (i < 4) {
                *word = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(data + 16 * i)), order);
            } else {
                const __m128i last = words[(i + 3) % 4];
                const __m128i shifted = _mm_alignr_epi8(last, words[(i + 2) % 4], 4);
                const __m128i mixed = _mm_sha256msg1_epu32(*word, words[(i + 1) % 4]);
                *word = _mm_sha256msg2_epu32(_mm_add_epi32(mixed, shifted), last);
            }
            const __m128i constants = _mm_loadu_si128((const __m128i *)&round_constants[4 * i]);
            const __m128i sum = _mm_add_epi32(*word, constants);
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
    const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)&state[0], _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)&state[4], _mm_alignr_epi8(dchg, feba, 8));
}

/* A digest in the making: `block` holds what does not fill a block yet. */
struct hasher {
    uint32_t state[8];
    uint8_t block[BLOCK_SIZE];
    size_t fill;
    uint64_t size;
};

static void take(struct hasher *hasher, const uint8_t *data, size_t size)
{
    hasher->size += size;
    if (hasher->fill > 0) {
        size_t room = BLOCK_SIZE - hasher->fill;
        size_t part = size < room ? size : room;
        memcpy(hasher->block + hasher->fill, data, part);
        hasher->fill += part;
        data += part;
        size -= part;
        if (hasher->fill < BLOCK_SIZE) {
            return;
        }
        compress(hasher->state, hasher->block, 1);
        hasher->fill = 0;
    }
    compress(hasher->state, data, size / BLOCK_SIZE);
    hasher->fill = size % BLOCK_SIZE;
    if (hasher->fill > 0) {
        memcpy(hasher->block, data + size - hasher->fill, hasher->fill);
    }
}

static void store_big_endian(uint8_t *to, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        to[i] = (uint8_t)(value >> (8 * (size - 1 - i)));
    }
}

static tender_digest finish(struct hasher *hasher)
{
    uint64_t bits = hasher->size * 8;
    hasher->block[hasher->fill++] = 0x80;
    if (hasher->fill > BLOCK_SIZE - 8) {
        memset(hasher->block + hasher->fill, 0, BLOCK_SIZE - hasher->fill);
        compress(hasher->state, hasher->block, 1);
        hasher->fill = 0;
    }
    memset(hasher->block + hasher->fill, 0, BLOCK_SIZE - 8 - hasher->fill);
    store_big_endian(hasher->block + BLOCK_SIZE - 8, bits, 8);
    compress(hasher->state, hasher->block, 1);
    tender_digest digest;
    for (size_t i = 0; i < 8; i++) {
        store_big_endian(digest.bytes + 4 * i, hasher->state[i], 4);
    }
    return digest;
}

tender_digest sha256_pieces(const tender_bytes *pieces, size_t count)
{
    static int is_supported = -1; /* found out once; every thread finds the same */
    if (is_supported < 0) {
        is_supported = has_instructions();
    }
    if (!is_supported) {
        return sha256_pieces_portable(pieces, count);
    }
    struct hasher hasher = {.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                      0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
    for (size_t i = 0; i < count; i++) {
        if (pieces[i].size > 0) {
            take(&hasher, pieces[i].data, pieces[i].size);
        }
    }
    return finish(&hasher);
}
#else
tender_digest sha256_pieces(const tender_bytes *pieces, size_t count)
{
    return sha256_pieces_portable(pieces, count);
}
#endif
