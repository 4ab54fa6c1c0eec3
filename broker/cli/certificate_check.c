/*
 * tender certificate check: speaks TLS with a broker as its peers do, and says what they would not
 * like, which the library that they use cannot tell.
 */
#include "commands.h"

#include "session.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SCHEME   "tls+tcp://"
#define HOST_MAX 253

/* Parts the address. Returns whether it is one of tls+tcp. */
static bool part(const char *url, char host_out[HOST_MAX + 1], char port_out[8])
{
    const char *host = url + strlen(SCHEME);
    const char *colon = strrchr(url, ':');
    if (strncmp(url, SCHEME, strlen(SCHEME)) != 0 || colon <= host || strlen(colon) > 7) {
        return false;
    }
    bool has_brackets = host[0] == '[' && colon[-1] == ']';
    const char *begin = has_brackets ? host + 1 : host;
    size_t size = (size_t)(colon - begin) - has_brackets;
    if (size == 0 || size > HOST_MAX) {
        return false;
    }
    memcpy(host_out, begin, size);
    host_out[size] = '\0';
    snprintf(port_out, 8, "%s", colon + 1);
    return true;
}

/* A connection, or -1. */
static int reach(const char *host, const char *port, int timeout_ms)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    struct timeval limit = {timeout_ms / 1000, timeout_ms % 1000 * 1000};
    int descriptor = -1;
    if (getaddrinfo(host, port, &hints, &found) != 0) {
        return -1;
    }
    for (struct addrinfo *one = found; one != NULL && descriptor < 0; one = one->ai_next) {
        descriptor = socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol);
        if (descriptor < 0) {
            continue;
        }
        (void)setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
        (void)setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
        if (connect(descriptor, one->ai_addr, one->ai_addrlen) != 0) {
            close(descriptor);
            descriptor = -1;
        }
    }
    freeaddrinfo(found);
    return descriptor;
}

/* What of the certificate peers would not like, or NULL. */
static const char *fault_of(SSL *tls, const char *host)
{
    X509 *certificate = SSL_get0_peer_certificate(tls);
    unsigned char number[sizeof(struct in6_addr)];
    long result = SSL_get_verify_result(tls);
    if (certificate == NULL) {
        return "no certificate is shown";
    }
    if (result != X509_V_OK) {
        return X509_verify_cert_error_string(result);
    }
    bool is_address =
        inet_pton(AF_INET, host, number) == 1 || inet_pton(AF_INET6, host, number) == 1;
    if (X509_check_host(certificate, host, 0, 0, NULL) == 1) {
        return NULL;
    }
    return is_address && X509_check_ip_asc(certificate, host, 0) == 1
               ? "it has the address, but not also as a name, by which Debian 12's nng looks for it"
               : "it is for another name";
}

static int report(const struct arguments *arguments, SSL *tls, const char *url, const char *host)
{
    X509 *certificate = SSL_get0_peer_certificate(tls);
    const char *fault = fault_of(tls, host);
    struct tm until = {.tm_year = 0};
    char day[32] = "";
    if (fault != NULL) {
        return command_fail(arguments, EXIT_REFUSED, "%s: %s", url, fault);
    }
    (void)ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &until);
    (void)strftime(day, sizeof(day), "%F", &until);
    printf("%s: good until %s\n", url, day);
    return EXIT_DONE;
}

static int check_one(const struct arguments *arguments, SSL_CTX *context, const char *url)
{
    char host[HOST_MAX + 1];
    char port[8];
    if (!part(url, host, port)) {
        return command_fail(arguments, EXIT_BAD_INPUT, "%s is no address of tls+tcp", url);
    }
    int descriptor = reach(host, port, session_timeout_ms(arguments));
    if (descriptor < 0) {
        return command_fail(arguments, EXIT_AWAY, "%s: nobody listens there", url);
    }
    SSL *tls = SSL_new(context);
    int code = EXIT_OTHERWISE;
    if (tls != NULL && SSL_set_fd(tls, descriptor) == 1 &&
        SSL_set_tlsext_host_name(tls, host) == 1) {
        code = SSL_connect(tls) == 1
                   ? report(arguments, tls, url, host)
                   : command_fail(arguments, EXIT_AWAY, "%s: TLS is not spoken there", url);
    }
    SSL_free(tls);
    close(descriptor);
    return code;
}

int run_certificate_check(const struct arguments *arguments)
{
    const char *path = argument_text(arguments, "ca-file");
    path = path != NULL ? path : getenv("TENDER_CA");
    if (path == NULL || *path == '\0') {
        return command_fail(arguments, EXIT_BAD_INPUT,
                            "--ca-file or TENDER_CA names the certificate to trust");
    }
    signal(SIGPIPE, SIG_IGN);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (context == NULL || SSL_CTX_load_verify_file(context, path) != 1) {
        SSL_CTX_free(context);
        return command_fail(arguments, EXIT_BAD_INPUT, "%s holds no certificate in PEM", path);
    }
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, NULL); /* looked at afterwards */
    int code = EXIT_DONE;
    char *urls = strdup(session_url(arguments));
    char *rest = urls;
    for (char *url = strsep(&rest, ","); url != NULL; url = strsep(&rest, ",")) {
        int one = check_one(arguments, context, url);
        code = code == EXIT_DONE ? one : code;
    }
    free(urls);
    SSL_CTX_free(context);
    return code;
}
