/*
 * Plain sockets, and on tls+tcp such with TLS, that greet as a REQ peer does: see probe.h. They
 * leave only after the greetings were exchanged, so that the probe does not itself do what it looks
 * for.
 */
#include "probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "address.h"
#include "clock.h"
#include "log.h"

#define STEP_US        50000    /* how often a running probe is looked at */
#define PATIENCE_US    2000000  /* how long a listener has to greet, */
#define LET_IN_US      500000   /* and then to let in: one that has died still greets */
#define TLS_US         10000000 /* the same on tls+tcp, where both take computing */
#define SIEGE_US       60000000
#define SIEGE_EVERY_US 100000
#define GREETING       8
#define STUCK_COUNT    3        /* probes that must have left, */
#define STUCK_US       10000000 /* and how long ago the first of them, for nng to be given up */

static const uint8_t greeting[GREETING] = {0x00, 'S', 'P', 0x00, 0x00, 0x30, 0x00, 0x00};

void probe_init(struct probe *probe, struct port *port, int64_t at_us)
{
    probe->port = port;
    probe->tls = NULL;
    probe->next_us = at_us;
    probe->next_step_us = TENDER_NEVER;
    probe->siege_us = 0;
    probe->removed = port_removed(port);
    probe->left_count = 0;
    for (size_t i = 0; i < PORT_LISTENERS_MAX; i++) {
        probe->targets[i] = (struct probe_target){.descriptor = -1};
    }
}

static void target_end(struct probe_target *target)
{
    SSL_free(target->tls);
    target->tls = NULL;
    if (target->descriptor >= 0) {
        close(target->descriptor);
    }
    target->descriptor = -1;
}

void probe_release(struct probe *probe)
{
    for (size_t i = 0; i < PORT_LISTENERS_MAX; i++) {
        target_end(&probe->targets[i]);
    }
    SSL_CTX_free(probe->tls);
    probe->tls = NULL;
}

/* Fills in the address of a listener. Returns its size, or 0. */
static socklen_t resolve(const char *text, struct sockaddr_storage *address)
{
    nng_url *url = NULL;
    socklen_t size = 0;
    struct sockaddr_un *local = (struct sockaddr_un *)address;
    struct sockaddr_in *four = (struct sockaddr_in *)address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;
    memset(address, 0, sizeof(*address));
    if (nng_url_parse(&url, text) != 0) {
        return 0;
    }
    const char *host = url->u_hostname != NULL ? url->u_hostname : "";
    in_port_t number = htons((uint16_t)atoi(url->u_port != NULL ? url->u_port : "0"));
    bool is_here = host[0] == '\0' || strcmp(host, "*") == 0 || strcmp(host, "localhost") == 0;
    host = is_here ? "127.0.0.1" : host;
    if (strcmp(url->u_scheme, "ipc") == 0 && strlen(url->u_path) < sizeof(local->sun_path)) {
        local->sun_family = AF_UNIX;
        memcpy(local->sun_path, url->u_path, strlen(url->u_path));
        size = sizeof(*local);
    } else if (inet_pton(AF_INET, host, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = number;
        size = sizeof(*four);
    } else if (inet_pton(AF_INET6, host, &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        six->sin6_port = number;
        size = sizeof(*six);
    }
    nng_url_free(url);
    return size;
}

/* By whose certificate TLS is spoken is not asked: the listener is our own. Returns whether. */
static bool begin_tls(struct probe *probe, struct probe_target *target)
{
    if (probe->tls == NULL) {
        probe->tls = SSL_CTX_new(TLS_client_method());
    }
    target->tls = probe->tls == NULL ? NULL : SSL_new(probe->tls);
    if (target->tls == NULL || SSL_set_fd(target->tls, target->descriptor) != 1) {
        return false;
    }
    SSL_set_connect_state(target->tls);
    return true;
}

static void target_begin(struct probe *probe, struct probe_target *target, const char *url,
                         uint32_t accepted, int64_t at_us)
{
    struct sockaddr_storage address;
    socklen_t size = resolve(url, &address);
    *target = (struct probe_target){.descriptor = -1, .accepted = accepted, .since_us = at_us};
    if (size == 0) {
        return;
    }
    int descriptor = socket(address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) {
        return; /* no descriptors left: nothing is known about the listener */
    }
    (void)connect(descriptor, (struct sockaddr *)&address, size); /* what failed shows in time */
    target->descriptor = descriptor;
    if (address_is_tls(url) && !begin_tls(probe, target)) {
        target_end(target); /* no memory left: as above */
    }
}

/* Sends the greeting; agreeing on TLS comes before. Returns whether it is sent. */
static bool send_greeting(struct probe_target *target)
{
    if (target->tls == NULL) {
        return send(target->descriptor, greeting, GREETING, MSG_NOSIGNAL) == GREETING;
    }
    ERR_clear_error();
    return SSL_write(target->tls, greeting, GREETING) == GREETING;
}

static ssize_t receive_greeting(struct probe_target *target, uint8_t *buffer, size_t size)
{
    if (target->tls == NULL) {
        return recv(target->descriptor, buffer, size, MSG_DONTWAIT);
    }
    ERR_clear_error();
    return SSL_read(target->tls, buffer, (int)size);
}

/* Goes on with a running probe. Returns whether it is over; then `is_alive_out` says how. */
static bool target_step(struct probe_target *target, uint32_t accepted, int64_t at_us,
                        bool *is_alive_out)
{
    uint8_t buffer[GREETING];
    if (!target->has_greeted) {
        target->has_greeted = send_greeting(target);
    }
    if (target->has_greeted) {
        ssize_t size = receive_greeting(target, buffer, GREETING - target->received);
        target->received += size > 0 ? (uint32_t)size : 0;
    }
    if (target->received == GREETING && target->greeted_us == 0) {
        target->greeted_us = at_us;
    }
    bool is_tls = target->tls != NULL;
    bool is_late = target->greeted_us != 0
                       ? at_us - target->greeted_us > (is_tls ? TLS_US : LET_IN_US)
                       : at_us - target->since_us > (is_tls ? TLS_US : PATIENCE_US);
    /* Where thousands agree on TLS at one moment the probe waits in their line: who lets others in
     * is alive. */
    bool has_let_in = accepted != target->accepted;
    *is_alive_out = has_let_in && (target->greeted_us != 0 || (is_tls && is_late));
    return *is_alive_out || is_late;
}

/* A probe has left; what nng took away meanwhile shows that it still does. */
static void note_left(struct probe *probe, int64_t at_us)
{
    if (probe->left_count == 0) {
        probe->left_at_us = at_us;
    }
    probe->left_count++;
}

static void note_removed(struct probe *probe)
{
    uint32_t removed = port_removed(probe->port);
    if (removed != probe->removed) {
        probe->removed = removed;
        probe->left_count = 0;
    }
}

bool probe_is_stuck(const struct probe *probe, int64_t at_us)
{
    return probe->left_count >= STUCK_COUNT && at_us - probe->left_at_us >= STUCK_US &&
           port_removed(probe->port) == probe->removed;
}

static uint32_t open_again(struct probe *probe, size_t index)
{
    char why[256] = "it let nobody in";
    int status = port_reopen(probe->port, index, why, sizeof(why));
    struct log_line line;
    log_begin(&line, status == 0 ? LOG_LEVEL_WARNING : LOG_LEVEL_ERROR, "listener-reopened");
    log_string(&line, "address", port_url(probe->port, index));
    log_string(&line, "why", why);
    log_int(&line, "status", status);
    log_end(&line);
    return status == 0;
}

/* When the next probe begins. */
static int64_t following(const struct probe *probe, int64_t at_us, int64_t interval_us)
{
    bool is_siege = at_us < probe->siege_us && interval_us > SIEGE_EVERY_US;
    return at_us + (is_siege ? SIEGE_EVERY_US : interval_us);
}

uint32_t probe_step(struct probe *probe, int64_t at_us, int64_t interval_us)
{
    uint32_t reopened = 0;
    bool is_running = false;
    if (at_us < probe_next(probe)) {
        return 0;
    }
    bool is_begin = at_us >= probe->next_us;
    note_removed(probe);
    for (size_t i = 0; port_url(probe->port, i) != NULL; i++) {
        struct probe_target *target = &probe->targets[i];
        uint32_t accepted = port_accepted(probe->port, i);
        bool is_alive = true;
        if (target->descriptor < 0 && is_begin) {
            target_begin(probe, target, port_url(probe->port, i), accepted, at_us);
        }
        if (target->descriptor >= 0 && target_step(target, accepted, at_us, &is_alive)) {
            target_end(target);
            note_left(probe, at_us);
            if (!is_alive) {
                reopened += open_again(probe, i);
                probe->siege_us = at_us + SIEGE_US;
                probe->next_us = following(probe, at_us, interval_us);
            }
        }
        is_running = is_running || target->descriptor >= 0;
    }
    if (is_begin) {
        probe->next_us = following(probe, at_us, interval_us);
    }
    probe->next_step_us = is_running ? at_us + STEP_US : TENDER_NEVER;
    return reopened;
}

int64_t probe_next(const struct probe *probe)
{
    return earlier(probe->next_us, probe->next_step_us);
}
