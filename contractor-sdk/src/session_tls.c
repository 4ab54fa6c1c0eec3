/*
 * TLS of a session's connections: whom it trusts, which name a broker's certificate must have, and
 * what is said where it does not. See session.h.
 */
#include "session.h"

#include <arpa/inet.h>
#include <errno.h>
#include <nng/nng.h>
#include <nng/supplemental/tls/tls.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCHEME      "tls+tcp://"
#define SCHEME_SIZE (sizeof SCHEME - 1)
#define HOST_MAX    253

bool session_is_tls(const char *url)
{
    return strncmp(url, SCHEME, SCHEME_SIZE) == 0;
}

/* The host of an address, without its port and the brackets of IPv6. */
static void host_of(const char *url, char host_out[HOST_MAX + 1])
{
    const char *host = url + SCHEME_SIZE;
    size_t size = 0;
    if (*host == '[') {
        host++;
        size = strcspn(host, "]");
    } else {
        size = strcspn(host, ":/");
    }
    size = size <= HOST_MAX ? size : HOST_MAX;
    memcpy(host_out, host, size);
    host_out[size] = '\0';
    struct in6_addr
        number; /* of an address of IPv6, which has more than one form, certificates have one */
    if (inet_pton(AF_INET6, host_out, &number) == 1) {
        (void)inet_ntop(AF_INET6, &number, host_out, HOST_MAX + 1);
    }
}

/* For a certificate of `host`. Returns nng's result. */
static int make_config(const struct session *session, const char *host, nng_tls_config **config_out)
{
    nng_tls_config *config = NULL;
    int result = nng_tls_config_alloc(&config, NNG_TLS_MODE_CLIENT);
    if (result != 0) {
        return result;
    }
    result = nng_tls_config_auth_mode(config, NNG_TLS_AUTH_MODE_REQUIRED);
    if (result == 0) {
        result = nng_tls_config_ca_file(config, session->ca_file);
    }
    if (result == 0) {
        result = nng_tls_config_server_name(config, host);
    }
    if (result != 0) {
        nng_tls_config_free(config);
        return result;
    }
    *config_out = config;
    return 0;
}

int session_dial_tls(const struct session *session, nng_dialer dialer, const char *url)
{
    char host[HOST_MAX + 1];
    nng_tls_config *config = NULL;
    host_of(url, host);
    int result = make_config(session, host, &config);
    if (result == 0) {
        result = nng_dialer_set_ptr(dialer, NNG_OPT_TLS_CONFIG, config);
        nng_tls_config_free(config);
    }
    return result;
}

int session_take_ca(struct session *session, const char *ca_file, struct error *error)
{
    nng_tls_config *config = NULL;
    const char *path = ca_file != NULL ? ca_file : getenv("TENDER_CA");
    bool is_needed = false;
    for (size_t i = 0; i < session->url_count; i++) {
        is_needed = is_needed || session_is_tls(session->url[i]);
    }
    if (!is_needed) {
        return 0;
    }
    if (path == NULL || *path == '\0') {
        return error_set(error, TENDER_EINVAL,
                         "tls+tcp takes the certificate by which the broker's is known: name its "
                         "file in ca_file or TENDER_CA");
    }
    if (access(path, R_OK) != 0) {
        return error_set(error, TENDER_EINVAL, "ca_file %.150s: %s", path, strerror(errno));
    }
    session->ca_file = strdup(path);
    int result = session->ca_file == NULL ? NNG_ENOMEM : make_config(session, "", &config);
    if (result == NNG_ENOMEM) {
        return error_set(error, TENDER_ENOMEM, "out of memory");
    }
    if (result != 0) {
        return error_set(error, TENDER_EINVAL, "ca_file %.150s holds no certificate in PEM", path);
    }
    nng_tls_config_free(config);
    return 0;
}

/* How often the dialer got no further for a reason that nng counts. */
static uint64_t count_of(nng_stat *dialer, const char *name)
{
    nng_stat *counter = dialer == NULL ? NULL : nng_stat_find(dialer, name);
    return counter == NULL ? 0 : nng_stat_value(counter);
}

void session_explain_tls(const struct session *session, char *text_out, size_t size)
{
    nng_stat *all = NULL;
    char host[HOST_MAX + 1];
    const char *url = session->url[session->url_index];
    text_out[0] = '\0';
    if (!session_is_tls(url) || !session->channel->has_dialer || nng_stats_get(&all) != 0) {
        return;
    }
    if (count_of(nng_stat_find_dialer(all, session->channel->dialer), "auth") > 0) {
        host_of(url, host);
        (void)snprintf(text_out, size,
                       "no trust in the certificate there: it must be for %.60s, in force, and of "
                       "%.80s (\"tender certificate check\" says which)",
                       host, session->ca_file);
    }
    nng_stats_free(all);
}
