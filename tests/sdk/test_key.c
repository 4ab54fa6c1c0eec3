/*
 * Goal: keys sign as RFC 8032 says, live in files that are their owner's alone, and whatever is
 * wrong with a file or a text is refused in a sentence that gives nothing of a secret away. Method:
 * the RFC's vectors (7.1, tests 1 to 3), each bit of a signature flipped, and files of every wrong
 * kind in a directory of the test's own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tender/key.h"

static char directory[64];
static char path[128];
static char problem[TENDER_KEY_PROBLEM_SIZE];

/* RFC 8032, 7.1: seed, public key, message, signature. */
static const char *const vectors[][4] = {
    {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b"
     "4"
     "6bd25bf5f0595bbe24655141438e7a100b"},
    {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11"
     "d"
     "8c387b2eaeb4302aeeb00d291612bb0c00"},
    {"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
     "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc"
     "6"
     "594a7c15e9716ed28dc027beceea1ec40a"},
};

static size_t from_hex(const char *text, uint8_t *bytes_out)
{
    size_t size = strlen(text) / 2;
    for (size_t i = 0; i < size; i++) {
        unsigned value = 0;
        assert_int_equal(sscanf(text + 2 * i, "%2x", &value), 1);
        bytes_out[i] = (uint8_t)value;
    }
    return size;
}

static int make_directory(void **state)
{
    (void)state;
    snprintf(directory, sizeof directory, "/tmp/tender-key-XXXXXX");
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/key", directory);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    (void)unlink(path);
    (void)rmdir(path);
    return rmdir(directory);
}

static void put(const char *text, mode_t mode)
{
    (void)unlink(path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static void put_seed(const char *seed, mode_t mode)
{
    char line[128];
    snprintf(line, sizeof line, "tender-ed25519 %s\n", seed);
    put(line, mode);
}

static void signs_as_the_rfc_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        uint8_t public_key[TENDER_PUBLIC_KEY_SIZE];
        uint8_t message[8];
        uint8_t expected[TENDER_SIGNATURE_SIZE];
        uint8_t signature[TENDER_SIGNATURE_SIZE];
        from_hex(vectors[i][1], public_key);
        size_t size = from_hex(vectors[i][2], message);
        from_hex(vectors[i][3], expected);
        put_seed(vectors[i][0], 0600);
        tender_key *key = NULL;
        assert_int_equal(tender_key_read(path, &key, problem), 0);
        assert_memory_equal(tender_key_public(key), public_key, sizeof public_key);
        tender_key_sign(key, message, size, signature);
        assert_memory_equal(signature, expected, sizeof signature);
        assert_true(tender_key_verify(public_key, message, size, signature));
        tender_key_free(key);
    }
}

static void no_bit_of_a_signature_can_change(void **state)
{
    (void)state;
    uint8_t signature[TENDER_SIGNATURE_SIZE];
    tender_key *key = NULL;
    tender_key *other = NULL;
    assert_int_equal(tender_key_new(&key), 0);
    assert_int_equal(tender_key_new(&other), 0);
    tender_key_sign(key, "bid", 3, signature);
    assert_true(tender_key_verify(tender_key_public(key), "bid", 3, signature));
    assert_false(tender_key_verify(tender_key_public(other), "bid", 3, signature));
    assert_false(tender_key_verify(tender_key_public(key), "bit", 3, signature));
    assert_false(tender_key_verify(tender_key_public(key), "bi", 2, signature));
    for (size_t i = 0; i < 8 * sizeof signature; i++) {
        signature[i / 8] ^= (uint8_t)(1 << i % 8);
        assert_false(tender_key_verify(tender_key_public(key), "bid", 3, signature));
        signature[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    static const uint8_t nobody[TENDER_PUBLIC_KEY_SIZE] = {1}; /* of order 1 */
    static const uint8_t nothing[TENDER_SIGNATURE_SIZE] = {1};
    assert_false(tender_key_verify(nobody, "bid", 3, nothing));
    tender_key_free(key);
    tender_key_free(other);
}

static void a_new_key_comes_back_from_its_file(void **state)
{
    (void)state;
    tender_key *key = NULL;
    tender_key *again = NULL;
    struct stat status;
    (void)unlink(path);
    assert_int_equal(tender_key_new(&key), 0);
    assert_int_equal(tender_key_write(key, path, problem), 0);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    assert_int_equal(tender_key_read(path, &again, problem), 0);
    assert_memory_equal(tender_key_public(key), tender_key_public(again), TENDER_PUBLIC_KEY_SIZE);
    assert_int_equal(tender_key_write(key, path, problem), TENDER_ESYSTEM);
    assert_non_null(strstr(problem, "left as it is"));
    tender_key_free(key);
    tender_key_free(again);
    assert_int_equal(tender_key_new(&key), 0);
    assert_int_equal(tender_key_read(path, &again, problem), 0);
    assert_memory_not_equal(tender_key_public(key), tender_key_public(again),
                            TENDER_PUBLIC_KEY_SIZE);
    tender_key_free(key);
    tender_key_free(again);
    tender_key_free(NULL);
}

static void expect_refused(int status, const char *words)
{
    tender_key *key = NULL;
    memset(problem, 0, sizeof problem);
    assert_int_equal(tender_key_read(path, &key, problem), status);
    assert_null(key);
    assert_non_null(strstr(problem, path));
    assert_non_null(strstr(problem, words));
    assert_null(strstr(problem, vectors[0][0]));
}

static void what_others_can_use_is_refused(void **state)
{
    (void)state;
    static const mode_t modes[] = {0640, 0604, 0660, 0610, 0644, 0620, 0602, 0601};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        put_seed(vectors[0][0], modes[i]);
        expect_refused(TENDER_EREFUSED, "chmod 600");
    }
    tender_key *key = NULL;
    put_seed(vectors[0][0], 0400);
    assert_int_equal(tender_key_read(path, &key, problem), 0);
    tender_key_free(key);
    if (geteuid() == 0) { /* root reads everybody's */
        assert_int_equal(chown(path, 12345, (gid_t)-1), 0);
        assert_int_equal(tender_key_read(path, &key, problem), 0);
        tender_key_free(key);
        put_seed(vectors[0][0], 0600);
        assert_int_equal(chown(path, 0, (gid_t)-1), 0);
    }
}

static void what_is_no_key_is_refused(void **state)
{
    (void)state;
    char text[128];
    put("", 0600);
    expect_refused(TENDER_EINVAL, "holds no key");
    put(vectors[0][0], 0600);
    expect_refused(TENDER_EINVAL, "holds no key");
    snprintf(text, sizeof text, "tender-ed25519 %s", vectors[0][0]);
    put(text, 0600);
    expect_refused(TENDER_EINVAL, "holds no key");
    snprintf(text, sizeof text, "tender-ed25519 %s\n\n", vectors[0][0]);
    put(text, 0600);
    expect_refused(TENDER_EINVAL, "holds no key");
    snprintf(text, sizeof text, "tender-ed25519 %s\n", vectors[0][0]);
    text[15] = 'G';
    put(text, 0600);
    expect_refused(TENDER_EINVAL, "holds no key");
    text[15] = 'A';
    put(text, 0600);
    expect_refused(TENDER_EINVAL, "holds no key");
    assert_int_equal(unlink(path), 0);
    expect_refused(TENDER_ESYSTEM, "No such file");
    assert_int_equal(mkdir(path, 0700), 0);
    expect_refused(TENDER_EINVAL, "is no file");
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_refused(TENDER_EINVAL, "is no file");
}

static void a_public_key_has_one_text(void **state)
{
    (void)state;
    char text[TENDER_KEY_TEXT_SIZE];
    char expected[TENDER_KEY_TEXT_SIZE];
    uint8_t public_key[TENDER_PUBLIC_KEY_SIZE];
    uint8_t read[TENDER_PUBLIC_KEY_SIZE];
    from_hex(vectors[0][1], public_key);
    tender_key_text(public_key, text);
    snprintf(expected, sizeof expected, "ed25519:%s", vectors[0][1]);
    assert_string_equal(text, expected);
    size_t size = strlen(text);
    assert_int_equal(tender_key_parse(text, size, read), 0);
    assert_memory_equal(read, public_key, sizeof read);
    assert_int_equal(tender_key_parse(text, size - 1, read), TENDER_EINVAL);
    assert_int_equal(tender_key_parse(text, 0, read), TENDER_EINVAL);
    text[8] = 'D';
    assert_int_equal(tender_key_parse(text, size, read), TENDER_EINVAL);
    text[8] = 'd';
    text[0] = 'E';
    assert_int_equal(tender_key_parse(text, size, read), TENDER_EINVAL);
    memset(text, '0', size); /* of small order, with which anybody signs */
    memcpy(text, "ed25519:", 8);
    assert_int_equal(tender_key_parse(text, size, read), TENDER_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_as_the_rfc_says),
        cmocka_unit_test(no_bit_of_a_signature_can_change),
        cmocka_unit_test(a_new_key_comes_back_from_its_file),
        cmocka_unit_test(what_others_can_use_is_refused),
        cmocka_unit_test(what_is_no_key_is_refused),
        cmocka_unit_test(a_public_key_has_one_text),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
