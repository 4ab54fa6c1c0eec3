/*
 * Certificates by libcrypto: see certificate.h.
 */
#include "certificate.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PEM_MAX 65536 /* bytes of a file */

/* Where a sentence goes. */
struct complaint {
    char *text;
    size_t size;
};

__attribute__((format(printf, 3, 4))) static int complain(const struct complaint *complaint,
                                                          int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(complaint->text, complaint->size, format, arguments);
    va_end(arguments);
    return status;
}

/* Whether the file is one, and where it has a secret, nobody else's. */
static int check_file(int file, const char *path, bool is_secret, const struct complaint *complaint)
{
    struct stat found;
    if (fstat(file, &found) != 0 || !S_ISREG(found.st_mode)) {
        return complain(complaint, TENDER_EINVAL, "%s is no file", path);
    }
    if (is_secret && found.st_uid != geteuid() && found.st_uid != 0) {
        return complain(complaint, TENDER_EREFUSED,
                        "%s belongs to user %u: a key's file must be the broker's own", path,
                        (unsigned)found.st_uid);
    }
    if (is_secret && (found.st_mode & 077) != 0) {
        return complain(complaint, TENDER_EREFUSED,
                        "%s has mode %03o, so others can use this key: chmod 600, and think of "
                        "replacing it",
                        path, (unsigned)found.st_mode & 0777);
    }
    return 0;
}

/* The text of a file, [PEM_MAX + 1], ended by NUL; free with forget. */
static int read_file(const char *path, bool is_secret, char **text_out,
                     const struct complaint *complaint)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return complain(complaint, TENDER_ESYSTEM, "%s: %s", path, strerror(errno));
    }
    int status = check_file(file, path, is_secret, complaint);
    char *text = status == 0 ? calloc(1, PEM_MAX + 1) : NULL;
    if (status == 0) {
        ssize_t size = text == NULL ? -1 : read(file, text, PEM_MAX);
        status =
            size < 0 ? complain(complaint, TENDER_ESYSTEM, "%s: %s", path, strerror(errno)) : 0;
    }
    close(file);
    *text_out = text;
    return status;
}

static void forget(char *text)
{
    if (text != NULL) {
        OPENSSL_cleanse(text, PEM_MAX);
    }
    free(text);
}

/* No password is asked for: a key that wants one is refused. */
static int no_password(char *buffer, int size, int is_writing, void *context)
{
    (void)buffer, (void)size, (void)is_writing, (void)context;
    return -1;
}

static int64_t seconds_of(const ASN1_TIME *time)
{
    struct tm parts = {.tm_year = 0};
    return ASN1_TIME_to_tm(time, &parts) == 1 ? (int64_t)timegm(&parts) : 0;
}

static int check_pair(X509 *certificate, EVP_PKEY *key, const char *path, const char *key_path,
                      const struct complaint *complaint)
{
    char day[32] = "";
    time_t now = time(NULL);
    if (certificate == NULL) {
        return complain(complaint, TENDER_EINVAL, "%s holds no certificate in PEM", path);
    }
    if (key == NULL) {
        return complain(complaint, TENDER_EINVAL,
                        "%s holds no private key in PEM without a password", key_path);
    }
    if (X509_check_private_key(certificate, key) != 1) {
        return complain(complaint, TENDER_EINVAL, "the key of %s is not that of %s", key_path,
                        path);
    }
    bool is_over = seconds_of(X509_get0_notAfter(certificate)) <= (int64_t)now;
    time_t edge = (time_t)seconds_of(is_over ? X509_get0_notAfter(certificate)
                                             : X509_get0_notBefore(certificate));
    struct tm parts;
    (void)strftime(day, sizeof(day), "%F %T UTC", gmtime_r(&edge, &parts));
    if (is_over || edge > now) {
        return complain(complaint, TENDER_EREFUSED, "the certificate of %s %s on %s", path,
                        is_over ? "has expired" : "begins to hold", day);
    }
    return 0;
}

static int make_config(const char *text, const char *key_text, nng_tls_config **config_out,
                       const struct complaint *complaint)
{
    nng_tls_config *config = NULL;
    int error = nng_tls_config_alloc(&config, NNG_TLS_MODE_SERVER);
    if (error == 0) {
        error = nng_tls_config_own_cert(config, text, key_text, NULL);
    }
    if (error != 0) {
        if (config != NULL) {
            nng_tls_config_free(config);
        }
        return complain(complaint, TENDER_EINVAL, "nng does not take certificate and key: %s",
                        nng_strerror(error));
    }
    *config_out = config;
    return 0;
}

int certificate_read(const char *path, const char *key_path, nng_tls_config **config_out,
                     int64_t *until_s_out, char *why_out, size_t why_size)
{
    const struct complaint complaint = {why_out, why_size};
    char *text = NULL;
    char *key_text = NULL;
    X509 *certificate = NULL;
    EVP_PKEY *key = NULL;
    int status = read_file(path, false, &text, &complaint);
    if (status == 0) {
        status = read_file(key_path, true, &key_text, &complaint);
    }
    if (status == 0) {
        BIO *source = BIO_new_mem_buf(text, -1);
        BIO *key_source = BIO_new_mem_buf(key_text, -1);
        certificate = PEM_read_bio_X509(source, NULL, no_password, NULL);
        key = PEM_read_bio_PrivateKey(key_source, NULL, no_password, NULL);
        BIO_free(source);
        BIO_free(key_source);
        status = check_pair(certificate, key, path, key_path, &complaint);
    }
    if (status == 0) {
        *until_s_out = seconds_of(X509_get0_notAfter(certificate));
        status = make_config(text, key_text, config_out, &complaint);
    }
    EVP_PKEY_free(key);
    X509_free(certificate);
    forget(key_text);
    forget(text);
    return status;
}
