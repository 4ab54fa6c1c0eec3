/*
 * Goal: a proof is believed if and only if it is right. Method: trees of every size up to 20, whose
 * paths are made from the definition of RFC 6962, are proven leaf by leaf and prefix by prefix;
 * then every bit of some proofs is turned, lines are taken out, doubled and swapped, and keys are
 * others.
 */
#include <tender/checkpoint.h>

#include <inttypes.h>
#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SIZE_MAX_TESTED 20
#define TEXT_SIZE       16384

static tender_key *key;
static tender_key *other_key;

struct text {
    char data[TEXT_SIZE];
    size_t size;
};

static void put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text->size +=
        (size_t)vsnprintf(text->data + text->size, TEXT_SIZE - text->size, format, arguments);
    va_end(arguments);
    assert_true(text->size < TEXT_SIZE);
}

static void put_hash(struct text *text, const char *name, tender_digest hash)
{
    char hex[65];
    put(text, "%s %s\n", name, sodium_bin2hex(hex, sizeof hex, hash.bytes, sizeof hash.bytes));
}

static tender_digest sha256(const void *data, size_t size)
{
    tender_digest digest;
    crypto_hash_sha256(digest.bytes, data, size);
    return digest;
}

static tender_digest join(tender_digest left, tender_digest right)
{
    uint8_t bytes[65] = {1};
    memcpy(bytes + 1, left.bytes, 32);
    memcpy(bytes + 33, right.bytes, 32);
    return sha256(bytes, sizeof bytes);
}

static tender_digest leaf_of(tender_digest hash)
{
    uint8_t bytes[33] = {0};
    memcpy(bytes + 1, hash.bytes, 32);
    return sha256(bytes, sizeof bytes);
}

static size_t split_of(size_t count)
{
    size_t split = 1;
    while (split * 2 < count) {
        split *= 2;
    }
    return split;
}

static tender_digest root_of(const tender_digest *leaves, size_t count)
{
    size_t split = split_of(count);
    return count == 1 ? leaves[0]
                      : join(root_of(leaves, split), root_of(leaves + split, count - split));
}

static void put_path(struct text *text, const char *name, const tender_digest *leaves, size_t count,
                     size_t place)
{
    size_t split = split_of(count);
    if (count == 1) {
        return;
    }
    if (place < split) {
        put_path(text, name, leaves, split, place);
        put_hash(text, name, root_of(leaves + split, count - split));
    } else {
        put_path(text, name, leaves + split, count - split, place - split);
        put_hash(text, name, root_of(leaves, split));
    }
}

static void put_consistency(struct text *text, const tender_digest *leaves, size_t older,
                            size_t count, bool is_whole)
{
    size_t split = split_of(count);
    if (older == count) {
        if (!is_whole) {
            put_hash(text, "path", root_of(leaves, count));
        }
    } else if (older <= split) {
        put_consistency(text, leaves, older, split, is_whole);
        put_hash(text, "path", root_of(leaves + split, count - split));
    } else {
        put_consistency(text, leaves + split, older - split, count - split, false);
        put_hash(text, "path", root_of(leaves, split));
    }
}

static tender_checkpoint sign(tender_digest root, uint64_t size, const tender_key *by)
{
    tender_checkpoint checkpoint = {
        .shard = 3, .size = size, .at_us = 1700000000000001, .root = root};
    uint8_t bytes[TENDER_CHECKPOINT_SIGNED_SIZE];
    memset(checkpoint.ledger.bytes, 0x11, sizeof checkpoint.ledger);
    memcpy(checkpoint.key, tender_key_public(by), sizeof checkpoint.key);
    tender_checkpoint_bytes(&checkpoint, bytes);
    tender_key_sign(by, bytes, sizeof bytes, checkpoint.signature);
    return checkpoint;
}

static void put_checkpoint(struct text *text, const tender_checkpoint *checkpoint)
{
    text->size += tender_checkpoint_format(checkpoint, text->data + text->size);
}

static const char body[] = "{\"round\":1,\"text\":\"\xc3\xa4 \\\"quoted\\\"\"}";

/* The bytes of CHAIN.md, written here for themselves. */
static tender_digest entry_hash(tender_digest before)
{
    uint8_t bytes[256] = "tender/entry/v1";
    memcpy(bytes + 16, before.bytes, 32);
    memset(bytes + 48, 0x55, 16);
    memset(bytes + 64, 0, 16);
    bytes[71] = 2;
    memcpy(bytes + 72, "\x00\x06\x0a\x24\x18\x1e\x40\x01", 8);
    memcpy(bytes + 80, "answered", 9);
    memcpy(bytes + 89, body, sizeof body - 1);
    return sha256(bytes, 89 + sizeof body - 1);
}

static tender_digest batch_leaf(uint8_t entries, tender_digest root)
{
    uint8_t bytes[1 + 16 + 16 + 2 + 8 + 8 + 8 + 32] = {0};
    memcpy(bytes + 1, "tender/batch/v1", 16);
    memset(bytes + 17, 0x11, 16);
    bytes[34] = 3;
    bytes[42] = 77;
    memcpy(bytes + 43, "\x00\x06\x0a\x24\x18\x1e\x40\x05", 8);
    bytes[58] = entries;
    memcpy(bytes + 59, root.bytes, 32);
    return sha256(bytes, sizeof bytes);
}

/* Entry `place` of `entries`, in leaf `leaf` of `size`. */
static void make_proof(struct text *text, size_t entries, size_t place, size_t size, size_t leaf,
                       const tender_key *by)
{
    tender_digest inner[SIZE_MAX_TESTED];
    tender_digest outer[SIZE_MAX_TESTED];
    tender_digest before = sha256("before", 6);
    for (uint8_t i = 0; i < SIZE_MAX_TESTED; i++) {
        inner[i] = leaf_of(sha256(&i, 1));
        outer[i] = sha256(&i, 1);
    }
    inner[place] = leaf_of(entry_hash(before));
    outer[leaf] = batch_leaf((uint8_t)entries, root_of(inner, entries));
    tender_checkpoint checkpoint = sign(root_of(outer, size), size, by);
    text->size = 0;
    put(text, "tender-proof/1\n");
    put_checkpoint(text, &checkpoint);
    put(text,
        "task 55555555-5555-5555-5555-555555555555\nnumber 2\nat 1700000000000001\n"
        "kind answered\nbody %s\n",
        body);
    put_hash(text, "before", before);
    put(text, "batch 77\nbatch-at 1700000000000005\nentries %zu\nplace %zu\n", entries, place);
    put_path(text, "beside", inner, entries, place);
    put(text, "leaf %zu\n", leaf);
    put_path(text, "path", outer, size, leaf);
}

static int check(const char *text, size_t size)
{
    tender_proof proof;
    const char *why = NULL;
    int status = tender_proof_check(text, size, tender_key_public(key), &proof, &why);
    assert_true((status == 0) == (why == NULL));
    return status;
}

static void every_entry_of_every_tree_is_proven(void **state)
{
    (void)state;
    static struct text text;
    for (size_t size = 1; size <= SIZE_MAX_TESTED; size++) {
        for (size_t place = 0; place < size; place++) {
            make_proof(&text, size, place, 7, 4, key);
            assert_int_equal(check(text.data, text.size), 0);
            make_proof(&text, 5, 2, size, place, key);
            assert_int_equal(check(text.data, text.size), 0);
        }
    }
}

static void proof_says_what_is_recorded(void **state)
{
    (void)state;
    static struct text text;
    tender_proof proof;
    const char *why = NULL;
    make_proof(&text, 5, 2, 7, 4, key);
    assert_int_equal(tender_proof_check(text.data, text.size, tender_key_public(key), &proof, &why),
                     0);
    assert_int_equal(proof.number, 2);
    assert_int_equal(proof.at_us, 1700000000000001);
    assert_int_equal(proof.kind.size, 8);
    assert_memory_equal(proof.kind.data, "answered", 8);
    assert_int_equal(proof.body.size, sizeof body - 1);
    assert_memory_equal(proof.body.data, body, sizeof body - 1);
    assert_int_equal(proof.batch, 77);
    assert_int_equal(proof.place, 2);
    assert_int_equal(proof.entries, 5);
    assert_int_equal(proof.checkpoint.size, 7);
}

static void no_bit_of_a_proof_can_be_turned(void **state)
{
    (void)state;
    static struct text text;
    static const size_t shapes[][4] = {{1, 0, 1, 0}, {5, 2, 7, 4}, {6, 5, 20, 16}, {20, 19, 3, 2}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        make_proof(&text, shapes[i][0], shapes[i][1], shapes[i][2], shapes[i][3], key);
        for (size_t at = 0; at < text.size; at++) {
            for (int bit = 0; bit < 8; bit++) {
                text.data[at] = (char)(text.data[at] ^ 1 << bit);
                if (check(text.data, text.size) == 0) {
                    fail_msg("shape %zu: bit %d of byte %zu", i, bit, at);
                }
                text.data[at] = (char)(text.data[at] ^ 1 << bit);
            }
            assert_int_not_equal(check(text.data, at), 0);
        }
        assert_int_equal(check(text.data, text.size), 0);
    }
}

static void lines_of_a_proof_cannot_be_taken_doubled_or_swapped(void **state)
{
    (void)state;
    static struct text text;
    static char changed[2 * TEXT_SIZE];
    make_proof(&text, 6, 3, 11, 8, key);
    for (char *line = text.data; line < text.data + text.size;) {
        char *next = strchr(line, '\n') + 1;
        char *after = next < text.data + text.size ? strchr(next, '\n') + 1 : next;
        size_t before = (size_t)(line - text.data);
        size_t size = (size_t)(next - line);
        size_t rest = text.size - before - size;
        memcpy(changed, text.data, before);
        memcpy(changed + before, next, rest);
        assert_int_not_equal(check(changed, before + rest), 0);
        memcpy(changed, text.data, before + size);
        memcpy(changed + before + size, line, size + rest);
        assert_int_not_equal(check(changed, text.size + size), 0);
        memcpy(changed + before, next, (size_t)(after - next));
        memcpy(changed + before + (after - next), line, size);
        memcpy(changed + before + size + (after - next), after,
               (size_t)(text.data + text.size - after));
        assert_true(after == next || check(changed, text.size) != 0);
        line = next;
    }
}

static void only_the_broker_s_key_counts(void **state)
{
    (void)state;
    static struct text text;
    tender_proof proof;
    const char *why = NULL;
    make_proof(&text, 5, 2, 7, 4, other_key);
    assert_int_equal(check(text.data, text.size), TENDER_EREFUSED);
    assert_int_equal(
        tender_proof_check(text.data, text.size, tender_key_public(other_key), &proof, &why), 0);
    make_proof(&text, 5, 2, 7, 4, key);
    memcpy(strstr(text.data, "key ed25519:") + 12, "00", 2);
    assert_int_equal(check(text.data, text.size), TENDER_EREFUSED);
}

static int check_consistency(const struct text *text)
{
    tender_checkpoint older;
    tender_checkpoint newer;
    const char *why = NULL;
    int status = tender_consistency_check(text->data, text->size, tender_key_public(key), &older,
                                          &newer, &why);
    assert_true((status == 0) == (why == NULL));
    return status;
}

static void make_consistency(struct text *text, size_t older, size_t newer, bool is_forked)
{
    tender_digest leaves[2][SIZE_MAX_TESTED];
    for (uint8_t i = 0; i < SIZE_MAX_TESTED; i++) {
        leaves[0][i] = leaves[1][i] = sha256(&i, 1);
    }
    leaves[1][older - 1] = is_forked ? sha256("fork", 4) : leaves[1][older - 1];
    tender_checkpoint checkpoints[2] = {sign(root_of(leaves[0], older), older, key),
                                        sign(root_of(leaves[1], newer), newer, key)};
    text->size = 0;
    put(text, "tender-consistency/1\n");
    put_checkpoint(text, &checkpoints[0]);
    put_checkpoint(text, &checkpoints[1]);
    put_consistency(text, leaves[1], older, newer, true);
}

static void every_beginning_of_every_tree_is_proven_and_no_fork(void **state)
{
    (void)state;
    static struct text text;
    for (size_t newer = 1; newer <= SIZE_MAX_TESTED; newer++) {
        for (size_t older = 1; older <= newer; older++) {
            make_consistency(&text, older, newer, false);
            assert_int_equal(check_consistency(&text), 0);
            make_consistency(&text, older, newer, true);
            assert_int_equal(check_consistency(&text), TENDER_EREFUSED);
        }
    }
}

static void no_bit_of_a_consistency_proof_can_be_turned(void **state)
{
    (void)state;
    static struct text text;
    static const size_t shapes[][2] = {{1, 1}, {4, 7}, {6, 20}, {7, 8}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        make_consistency(&text, shapes[i][0], shapes[i][1], false);
        for (size_t at = 0; at < text.size; at++) {
            for (int bit = 0; bit < 8; bit++) {
                text.data[at] = (char)(text.data[at] ^ 1 << bit);
                assert_int_not_equal(check_consistency(&text), 0);
                text.data[at] = (char)(text.data[at] ^ 1 << bit);
            }
        }
        assert_int_equal(check_consistency(&text), 0);
    }
}

static void checkpoint_is_read_as_it_was_written(void **state)
{
    (void)state;
    char text[2 * TENDER_CHECKPOINT_TEXT_MAX];
    tender_checkpoint read;
    tender_checkpoint checkpoint = sign(sha256("", 0), UINT64_MAX >> 1, key);
    size_t size = tender_checkpoint_format(&checkpoint, text);
    size_t twice = size + tender_checkpoint_format(&checkpoint, text + size);
    assert_true(size < TENDER_CHECKPOINT_TEXT_MAX);
    assert_int_equal(tender_checkpoint_parse(text, twice, &read), size);
    assert_memory_equal(&read, &checkpoint, sizeof read);
    assert_int_equal(tender_checkpoint_check(&read, tender_key_public(key)), 0);
    assert_int_equal(tender_checkpoint_check(&read, tender_key_public(other_key)), TENDER_EREFUSED);
}

static int make_keys(void **state)
{
    (void)state;
    return sodium_init() < 0 || tender_key_new(&key) != 0 || tender_key_new(&other_key) != 0;
}

static int free_keys(void **state)
{
    (void)state;
    tender_key_free(key);
    tender_key_free(other_key);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry_of_every_tree_is_proven),
        cmocka_unit_test(proof_says_what_is_recorded),
        cmocka_unit_test(no_bit_of_a_proof_can_be_turned),
        cmocka_unit_test(lines_of_a_proof_cannot_be_taken_doubled_or_swapped),
        cmocka_unit_test(only_the_broker_s_key_counts),
        cmocka_unit_test(every_beginning_of_every_tree_is_proven_and_no_fork),
        cmocka_unit_test(no_bit_of_a_consistency_proof_can_be_turned),
        cmocka_unit_test(checkpoint_is_read_as_it_was_written),
    };
    return cmocka_run_group_tests(tests, make_keys, free_keys);
}
