/*
 * Checks the options of a session and takes them over. See session.h.
 */
#include <stdlib.h>
#include <string.h>

#include "session.h"

static int check_name(struct error *error, const char *field, const char *name)
{
    if (name == NULL || !tender_name_is_valid(name, strlen(name))) {
        return error_set(error, TENDER_EINVAL,
                         "%s is not 1 to %d of A-Z a-z 0-9 . _ @ / - beginning with a letter or "
                         "digit",
                         field, TENDER_NAME_MAX);
    }
    return 0;
}

/* Splits the addresses at their commas. */
static int take_urls(struct session *session, const char *urls, struct error *error)
{
    static const char *const schemes[] = {"tcp://", "ipc://", "tls+tcp://", "inproc://"};
    if (urls == NULL) {
        return error_set(error, TENDER_EINVAL, "broker_url is missing");
    }
    session->urls = strdup(urls);
    if (session->urls == NULL) {
        return error_set(error, TENDER_ENOMEM, "out of memory");
    }
    char *rest = session->urls;
    for (char *url = strsep(&rest, ","); url != NULL; url = strsep(&rest, ",")) {
        bool is_known = false;
        for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
            is_known = is_known || strncmp(url, schemes[i], strlen(schemes[i])) == 0;
        }
        /* nng 1.5 reads past the end of an address that ends with a user's name. */
        is_known = is_known && (strncmp(url, "ipc://", 6) == 0 || strchr(url, '@') == NULL);
        if (!is_known || session->url_count == SESSION_URLS_MAX) {
            return error_set(
                error, TENDER_EINVAL,
                "broker_url is not 1 to %d of ipc://, tcp:// or tls+tcp:// addresses with "
                "commas between them",
                SESSION_URLS_MAX);
        }
        session->url[session->url_count++] = url;
    }
    return 0;
}

static int check_number(struct error *error, const char *field, uint32_t value, uint32_t minimum,
                        uint32_t maximum)
{
    return value < minimum || value > maximum ? error_range(error, field, value, minimum, maximum)
                                              : 0;
}

int session_take_options(struct session *session, const tender_options *options, bool is_contractor,
                         struct error *error)
{
    if (options == NULL || options->size < sizeof(tender_options)) {
        return error_set(error, TENDER_EINVAL, "options do not start from TENDER_OPTIONS_INIT");
    }
    const char *principal = options->principal == NULL ? options->name : options->principal;
    int status = check_name(error, "name", options->name);
    if (status == 0) {
        status = check_name(error, "principal", principal);
    }
    if (status == 0) {
        status = check_number(error, "heartbeat_ms", options->heartbeat_ms, 100, 3600000);
    }
    if (status == 0 && is_contractor) {
        status = check_number(error, "slots", options->slots, 1, TENDER_SLOTS_MAX);
    }
    if (status == 0) {
        status = take_urls(session, options->broker_url, error);
    }
    if (status == 0) {
        status = session_take_keys(session, options, error);
    }
    if (status == 0) {
        status = session_take_ca(session, options->ca_file, error);
    }
    if (status == 0) {
        memcpy(session->name, options->name, strlen(options->name) + 1);
        memcpy(session->principal, principal, strlen(principal) + 1);
        session->heartbeat_us = (int64_t)options->heartbeat_ms * 1000;
        session->linger_us = (int64_t)options->linger_ms * 1000;
        session->slots = options->slots;
    }
    return status;
}
