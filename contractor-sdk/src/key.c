/*
 * Keys by libsodium: made, kept in a file of their owner's, used. Knows nothing of who may do what.
 */
#include "tender/key.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_PREFIX      "tender-ed25519 "
#define FILE_PREFIX_SIZE (sizeof FILE_PREFIX - 1)
#define TEXT_PREFIX      "ed25519:"
#define TEXT_PREFIX_SIZE (sizeof TEXT_PREFIX - 1)
#define DIGITS           64 /* hexadecimal, of a seed or of a public key */
#define LINE_SIZE        (FILE_PREFIX_SIZE + DIGITS + 1)

_Static_assert(crypto_sign_PUBLICKEYBYTES == TENDER_PUBLIC_KEY_SIZE, "RFC 8032");
_Static_assert(crypto_sign_BYTES == TENDER_SIGNATURE_SIZE, "RFC 8032");
_Static_assert(crypto_sign_SEEDBYTES * 2 == DIGITS, "RFC 8032");
_Static_assert(TEXT_PREFIX_SIZE + DIGITS + 1 == TENDER_KEY_TEXT_SIZE, "the text of a key");

struct tender_key {
    uint8_t seed[crypto_sign_SEEDBYTES];
    uint8_t secret[crypto_sign_SECRETKEYBYTES];
    uint8_t public_key[crypto_sign_PUBLICKEYBYTES];
};

__attribute__((format(printf, 3, 4))) static int problem(char problem_out[TENDER_KEY_PROBLEM_SIZE],
                                                         int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(problem_out, TENDER_KEY_PROBLEM_SIZE, format, arguments);
    va_end(arguments);
    return status;
}

/* Locked memory, of which a coredump has nothing. */
static struct tender_key *allocate(void)
{
    return sodium_init() < 0 ? NULL : sodium_malloc(sizeof(struct tender_key));
}

/* The rest follows from the seed. */
static void fill(struct tender_key *key)
{
    crypto_sign_seed_keypair(key->public_key, key->secret, key->seed);
}

int tender_key_new(tender_key **key_out)
{
    struct tender_key *key = *key_out = allocate();
    if (key == NULL) {
        return TENDER_ENOMEM;
    }
    randombytes_buf(key->seed, sizeof key->seed);
    fill(key);
    return 0;
}

void tender_key_free(tender_key *key)
{
    sodium_free(key); /* which clears it, and accepts NULL */
}

/* 64 lower-case digits, no others. */
static bool read_digits(const char *text, uint8_t bytes_out[32])
{
    if (strspn(text, "0123456789abcdef") < DIGITS) {
        return false;
    }
    size_t size = 0;
    return sodium_hex2bin(bytes_out, 32, text, DIGITS, NULL, &size, NULL) == 0 && size == 32;
}

/* Whether the caller and root alone have to do with the file. */
static int check_file(int file, const char *path, char problem_out[TENDER_KEY_PROBLEM_SIZE])
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        return problem(problem_out, TENDER_ESYSTEM, "%.150s: %s", path, strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return problem(problem_out, TENDER_EINVAL, "%.150s is no file", path);
    }
    if (status.st_uid != geteuid() && status.st_uid != 0 && geteuid() != 0) {
        return problem(problem_out, TENDER_EREFUSED,
                       "%.150s belongs to user %u: a key's file must be your own", path,
                       (unsigned)status.st_uid);
    }
    if ((status.st_mode & 077) != 0) {
        return problem(problem_out, TENDER_EREFUSED,
                       "%.150s has mode %03o, so others can use this key: chmod 600, and think of "
                       "replacing it",
                       path, (unsigned)status.st_mode & 0777);
    }
    return 0;
}

/* Reads the seed of a file that may be read. */
static int read_seed(int file, const char *path, uint8_t *seed,
                     char problem_out[TENDER_KEY_PROBLEM_SIZE])
{
    char line[LINE_SIZE + 2] = {0};
    ssize_t size = read(file, line, LINE_SIZE + 1);
    int status = 0;
    if (size < 0) {
        status = problem(problem_out, TENDER_ESYSTEM, "%.150s: %s", path, strerror(errno));
    } else if (size != (ssize_t)LINE_SIZE || line[LINE_SIZE - 1] != '\n' ||
               memcmp(line, FILE_PREFIX, FILE_PREFIX_SIZE) != 0 ||
               !read_digits(line + FILE_PREFIX_SIZE, seed)) {
        status = problem(problem_out, TENDER_EINVAL,
                         "%.150s holds no key: \"tender key new\" makes a file with one", path);
    }
    sodium_memzero(line, sizeof line);
    return status;
}

int tender_key_read(const char *path, tender_key **key_out,
                    char problem_out[TENDER_KEY_PROBLEM_SIZE])
{
    struct tender_key *key = NULL;
    *key_out = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        return problem(problem_out, TENDER_ESYSTEM, "%.150s: %s", path, strerror(errno));
    }
    int status = check_file(file, path, problem_out);
    if (status != 0) {
        goto done;
    }
    key = allocate();
    if (key == NULL) {
        status = problem(problem_out, TENDER_ENOMEM, "%.150s: no memory for a key", path);
        goto done;
    }
    status = read_seed(file, path, key->seed, problem_out);
    if (status != 0) {
        tender_key_free(key);
        goto done;
    }
    fill(key);
    *key_out = key;
done:
    close(file);
    return status;
}

/* The name is on disk, not only the bytes. Returns 0 or an errno. */
static int sync_directory(const char *path)
{
    char copy[PATH_MAX];
    if ((size_t)snprintf(copy, sizeof copy, "%s", path) >= sizeof copy) {
        return ENAMETOOLONG;
    }
    int directory = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) {
        return errno;
    }
    int error = fsync(directory) == 0 ? 0 : errno;
    close(directory);
    return error;
}

/* Fills and closes the new file. Returns 0 or an errno. */
static int write_line(int file, const struct tender_key *key)
{
    char line[LINE_SIZE + 1] = FILE_PREFIX;
    sodium_bin2hex(line + FILE_PREFIX_SIZE, DIGITS + 1, key->seed, sizeof key->seed);
    line[LINE_SIZE - 1] = '\n';
    ssize_t size = write(file, line, LINE_SIZE);
    int error = size < 0 ? errno : size < (ssize_t)LINE_SIZE ? ENOSPC : 0;
    sodium_memzero(line, sizeof line);
    if (error == 0 && fsync(file) != 0) {
        error = errno;
    }
    if (close(file) != 0 && error == 0) {
        error = errno;
    }
    return error;
}

int tender_key_write(const tender_key *key, const char *path,
                     char problem_out[TENDER_KEY_PROBLEM_SIZE])
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) {
        return problem(problem_out, TENDER_ESYSTEM, "%.150s: %s%s", path, strerror(errno),
                       errno == EEXIST ? ", and is left as it is" : "");
    }
    int error = write_line(file, key);
    if (error == 0) {
        error = sync_directory(path);
    }
    if (error != 0) {
        (void)unlink(path);
        return problem(problem_out, TENDER_ESYSTEM, "%.150s: %s", path, strerror(error));
    }
    return 0;
}

const uint8_t *tender_key_public(const tender_key *key)
{
    return key->public_key;
}

void tender_key_sign(const tender_key *key, const void *data, size_t size,
                     uint8_t signature_out[TENDER_SIGNATURE_SIZE])
{
    crypto_sign_detached(signature_out, NULL, data, size, key->secret);
}

bool tender_key_verify(const uint8_t public_key[TENDER_PUBLIC_KEY_SIZE], const void *data,
                       size_t size, const uint8_t signature[TENDER_SIGNATURE_SIZE])
{
    return crypto_sign_verify_detached(signature, data, size, public_key) == 0;
}

void tender_key_text(const uint8_t public_key[TENDER_PUBLIC_KEY_SIZE],
                     char text_out[TENDER_KEY_TEXT_SIZE])
{
    memcpy(text_out, TEXT_PREFIX, TEXT_PREFIX_SIZE);
    sodium_bin2hex(text_out + TEXT_PREFIX_SIZE, DIGITS + 1, public_key, TENDER_PUBLIC_KEY_SIZE);
}

int tender_key_parse(const char *text, size_t size, uint8_t public_key_out[TENDER_PUBLIC_KEY_SIZE])
{
    char copy[TENDER_KEY_TEXT_SIZE] = {0};
    if (size != TENDER_KEY_TEXT_SIZE - 1) {
        return TENDER_EINVAL;
    }
    memcpy(copy, text, size);
    bool is_key = memcmp(copy, TEXT_PREFIX, TEXT_PREFIX_SIZE) == 0 &&
                  read_digits(copy + TEXT_PREFIX_SIZE, public_key_out) &&
                  crypto_core_ed25519_is_valid_point(public_key_out) == 1;
    return is_key ? 0 : TENDER_EINVAL;
}
