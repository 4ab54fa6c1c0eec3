/*
 * tender certificate new: a certificate and key for a broker, and who signs for it. Everything is
 * made here by libcrypto; a key is written to its own file, and said nowhere. What is checked of a
 * broker that listens is in certificate_check.c.
 */
#include "commands.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_MAX 4096
#define DAY_S     86400
#define EARLY_S   (-3600) /* for clocks that are behind ours */
#define CA_DAYS   3650

/* A certificate with its key. */
struct signer {
    X509 *certificate;
    EVP_PKEY *key;
};

static void signer_release(struct signer *signer)
{
    X509_free(signer->certificate);
    EVP_PKEY_free(signer->key);
}

static bool is_host(const char *name)
{
    size_t size = strlen(name);
    if (size == 0 || size > 253 || name[0] == '-' || name[0] == '.') {
        return false;
    }
    for (const char *at = name; *at != '\0'; at++) {
        if (!isalnum((unsigned char)*at) && *at != '-' && *at != '.') {
            return false;
        }
    }
    return true;
}

/* Adds one name. An address is there as one, and as a name too: mbed TLS 2.28, by which Debian 12's
 * nng looks for it, knows no other form. */
static bool add_name(const char *name, char *list, size_t capacity)
{
    unsigned char number[sizeof(struct in6_addr)];
    char text[INET6_ADDRSTRLEN];
    size_t size = strlen(list);
    const char *comma = size > 0 ? "," : "";
    int family = inet_pton(AF_INET, name, number) == 1    ? AF_INET
                 : inet_pton(AF_INET6, name, number) == 1 ? AF_INET6
                                                          : AF_UNSPEC;
    int added = 0;
    if (family != AF_UNSPEC && inet_ntop(family, number, text, sizeof(text)) != NULL) {
        added = snprintf(list + size, capacity - size, "%sIP:%s,DNS:%s", comma, text, text);
    } else if (is_host(name)) {
        added = snprintf(list + size, capacity - size, "%sDNS:%s", comma, name);
    }
    return added > 0 && (size_t)added < capacity - size;
}

/* The names, joined by commas, as a certificate has them. Returns whether they are some. */
static bool list_names(const char *names, char list_out[NAMES_MAX])
{
    char copy[NAMES_MAX];
    char *rest = copy;
    list_out[0] = '\0';
    snprintf(copy, sizeof(copy), "%s", names);
    for (char *name = strsep(&rest, ","); name != NULL; name = strsep(&rest, ",")) {
        if (!add_name(name, list_out, NAMES_MAX)) {
            return false;
        }
    }
    return true;
}

static bool add_extension(X509 *certificate, X509 *issuer, int kind, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    bool is_added = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return is_added;
}

static bool set_serial(X509 *certificate)
{
    BIGNUM *number = BN_new();
    bool is_set = number != NULL &&
                  BN_rand(number, 120, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1 &&
                  BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != NULL;
    BN_free(number);
    return is_set;
}

/* Everything but the signature. `names` is NULL for one that signs others. */
static bool fill(X509 *certificate, EVP_PKEY *key, X509 *issuer, const char *title,
                 const char *names, int64_t days)
{
    X509_NAME *subject = X509_get_subject_name(certificate);
    bool is_ca = names == NULL;
    return X509_set_version(certificate, 2) == 1 && set_serial(certificate) &&
           X509_gmtime_adj(X509_getm_notBefore(certificate), EARLY_S) != NULL &&
           X509_time_adj_ex(X509_getm_notAfter(certificate), (int)days, 0, NULL) != NULL &&
           X509_set_pubkey(certificate, key) == 1 &&
           X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, (const unsigned char *)title,
                                      -1, -1, 0) == 1 &&
           X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1 &&
           add_extension(certificate, issuer, NID_basic_constraints,
                         is_ca ? "critical,CA:TRUE,pathlen:0" : "critical,CA:FALSE") &&
           add_extension(certificate, issuer, NID_key_usage,
                         is_ca ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature") &&
           add_extension(certificate, issuer, NID_subject_key_identifier, "hash") &&
           (is_ca || (add_extension(certificate, issuer, NID_authority_key_identifier, "keyid") &&
                      add_extension(certificate, issuer, NID_ext_key_usage, "serverAuth") &&
                      add_extension(certificate, issuer, NID_subject_alt_name, names)));
}

/* Makes a key on P-256 and a certificate for it, signed by `ca`, or by itself where that is NULL.
 */
static bool make(const struct signer *ca, const char *title, const char *names, int64_t days,
                 struct signer *made_out)
{
    made_out->key = EVP_EC_gen("P-256");
    made_out->certificate = X509_new();
    if (made_out->key == NULL || made_out->certificate == NULL) {
        return false;
    }
    X509 *issuer = ca == NULL ? made_out->certificate : ca->certificate;
    return fill(made_out->certificate, made_out->key, issuer, title, names, days) &&
           X509_sign(made_out->certificate, ca == NULL ? made_out->key : ca->key, EVP_sha256()) > 0;
}

/* Where a file lies, and whether this run has made it. */
struct target {
    char path[PATH_MAX];
    bool is_made;
};

static void place(struct target *target, const char *directory, const char *name)
{
    snprintf(target->path, sizeof(target->path), "%s/%s", directory, name);
    target->is_made = false;
}

/* Writes a new file: a certificate for all to read, or a key for its owner alone. */
static bool write_new(struct target *target, X509 *certificate, EVP_PKEY *key)
{
    int file =
        open(target->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, key == NULL ? 0644 : 0600);
    FILE *stream = file < 0 ? NULL : fdopen(file, "w");
    if (stream == NULL) {
        return false;
    }
    target->is_made = true;
    bool is_written = key == NULL
                          ? PEM_write_X509(stream, certificate) == 1
                          : PEM_write_PrivateKey(stream, key, NULL, NULL, 0, NULL, NULL) == 1;
    is_written = fflush(stream) == 0 && fsync(file) == 0 && is_written;
    return fclose(stream) == 0 && is_written;
}

/* Writes both of a pair, or neither. Returns the exit code. */
static int write_pair(const struct arguments *arguments, struct target *targets,
                      const struct signer *made)
{
    for (size_t i = 0; i < 2; i++) {
        errno = 0;
        if (!write_new(&targets[i], made->certificate, i == 0 ? made->key : NULL)) {
            return command_fail(arguments, EXIT_OTHERWISE, "%s: %s", targets[i].path,
                                errno == EEXIST ? "is there already, and is not overwritten"
                                                : strerror(errno));
        }
    }
    return EXIT_DONE;
}

/* Who signs: read from the directory of --ca. */
static int read_ca(const struct arguments *arguments, const char *directory, struct signer *ca_out)
{
    char path[PATH_MAX];
    snprintf(path, sizeof(path), "%s/ca.pem", directory);
    FILE *file = fopen(path, "re");
    ca_out->certificate = file == NULL ? NULL : PEM_read_X509(file, NULL, NULL, NULL);
    if (file != NULL) {
        fclose(file);
    }
    if (ca_out->certificate == NULL) {
        return command_fail(arguments, EXIT_OTHERWISE, "%s holds no certificate", path);
    }
    snprintf(path, sizeof(path), "%s/ca.key", directory);
    file = fopen(path, "re");
    ca_out->key = file == NULL ? NULL : PEM_read_PrivateKey(file, NULL, NULL, NULL);
    if (file != NULL) {
        fclose(file);
    }
    if (ca_out->key == NULL || X509_check_private_key(ca_out->certificate, ca_out->key) != 1) {
        return command_fail(arguments, EXIT_OTHERWISE, "%s does not hold the key of ca.pem", path);
    }
    if (X509_cmp_current_time(X509_get0_notAfter(ca_out->certificate)) < 0) {
        return command_fail(arguments, EXIT_REFUSED, "the certificate of %s has expired",
                            directory);
    }
    return EXIT_DONE;
}

/* Who signs: made anew, and written. */
static int make_ca(const struct arguments *arguments, struct target *targets, struct signer *ca_out)
{
    char title[64];
    uint32_t number = 0;
    BIGNUM *random = BN_new();
    if (random != NULL && BN_rand(random, 32, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1) {
        number = (uint32_t)BN_get_word(random);
    }
    BN_free(random);
    snprintf(title, sizeof(title), "Tender brokers, signed by %08x", number);
    if (!make(NULL, title, NULL, CA_DAYS, ca_out)) {
        return command_fail(arguments, EXIT_OTHERWISE, "libcrypto makes no certificate");
    }
    return write_pair(arguments, targets, ca_out);
}

static int show(const struct target *targets, const char *ca_directory)
{
    char path[PATH_MAX];
    const char *absolute = realpath(ca_directory, path);
    printf("# of the broker (tenderd):\ntls-certificate = %s\ntls-key = %s\n# of its peers:\n"
           "TENDER_CA=%s/ca.pem\n",
           targets[1].path, targets[0].path, absolute == NULL ? ca_directory : absolute);
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_OTHERWISE;
}

int run_certificate_new(const struct arguments *arguments)
{
    const char *ca_directory = argument_text(arguments, "ca");
    const char *names = argument_text(arguments, "name");
    char list[NAMES_MAX];
    char directory[PATH_MAX];
    struct signer ca = {NULL, NULL};
    struct signer broker = {NULL, NULL};
    struct target targets[4] = {
        {.is_made = false}}; /* key and certificate: the broker's, the CA's */
    const char *where = operand(arguments, 0)->text;
    if (!list_names(names, list)) {
        return command_fail(arguments, EXIT_BAD_INPUT,
                            "--name takes host names and addresses, joined by commas");
    }
    if ((mkdir(where, 0755) != 0 && errno != EEXIST) || realpath(where, directory) == NULL ||
        strlen(directory) > PATH_MAX - 16) {
        return command_fail(arguments, EXIT_OTHERWISE, "%s: %s", where, strerror(errno));
    }
    place(&targets[0], directory, "broker.key");
    place(&targets[1], directory, "broker.pem");
    place(&targets[2], directory, "ca.key");
    place(&targets[3], directory, "ca.pem");
    int code = ca_directory != NULL ? read_ca(arguments, ca_directory, &ca)
                                    : make_ca(arguments, &targets[2], &ca);
    if (code == EXIT_DONE) {
        char title[64];
        snprintf(title, sizeof(title), "%.*s", (int)strcspn(names, ","), names);
        code = make(&ca, title, list, argument_number(arguments, "days"), &broker)
                   ? write_pair(arguments, targets, &broker)
                   : command_fail(arguments, EXIT_OTHERWISE, "libcrypto makes no certificate");
    }
    for (size_t i = 0; i < 4 && code != EXIT_DONE; i++) {
        if (targets[i].is_made) {
            (void)unlink(targets[i].path);
        }
    }
    if (code == EXIT_DONE) {
        code = show(targets, ca_directory == NULL ? directory : ca_directory);
    }
    signer_release(&broker);
    signer_release(&ca);
    return code;
}
