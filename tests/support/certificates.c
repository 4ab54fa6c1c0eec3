/*
 * By libcrypto: see certificates.h.
 */
#include "certificates.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static void must(int is_done)
{
    if (!is_done) {
        abort();
    }
}

const char *certificate_path(const char *directory, const char *name, const char *kind)
{
    static char paths[2][200];
    static int next;
    char *path = paths[next++ % 2];
    snprintf(path, sizeof(paths[0]), "%s/%s.%s", directory, name, kind);
    return path;
}

static FILE *create(const char *directory, const char *name, const char *kind)
{
    const char *path = certificate_path(directory, name, kind);
    FILE *file = fopen(path, "we");
    must(file != NULL && chmod(path, 0600) == 0);
    return file;
}

void certificate_make(const char *directory, const char *name, long from_s, long until_s)
{
    X509 *certificate = X509_new();
    EVP_PKEY *key = EVP_EC_gen("P-256");
    must(certificate != NULL && key != NULL && X509_set_version(certificate, 2) == 1);
    must(ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1 + rand()));
    must(X509_gmtime_adj(X509_getm_notBefore(certificate), from_s) != NULL);
    must(X509_gmtime_adj(X509_getm_notAfter(certificate), until_s) != NULL);
    must(X509_set_pubkey(certificate, key));
    X509_NAME *subject = X509_get_subject_name(certificate);
    must(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)name, -1,
                                    -1, 0));
    must(X509_set_issuer_name(certificate, subject));
    X509_EXTENSION *names =
        X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, "IP:127.0.0.1,DNS:127.0.0.1");
    must(names != NULL && X509_add_ext(certificate, names, -1));
    X509_EXTENSION_free(names);
    must(X509_sign(certificate, key, EVP_sha256()) > 0);
    FILE *file = create(directory, name, "pem");
    must(PEM_write_X509(file, certificate));
    must(fclose(file) == 0);
    file = create(directory, name, "key");
    must(PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL));
    must(fclose(file) == 0);
    EVP_PKEY_free(key);
    X509_free(certificate);
}
