/*
 * Contexts, and the queue between nng's threads and the loop: see port.h. Addresses are in
 * address.c.
 */
#include "port.h"

#include "address.h"
#include "clock.h"
#include "lobby.h"

#include <nng/protocol/reqrep0/rep.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWEEP_US    500000 /* how often connections are looked at whose time may be over */
#define SWEEP_COUNT 256    /* closed in one call */
#define LOOK_COUNT  64     /* replies on their way out that one call looks at */

/*
 * An exchange with the context it lies in. Receiving calls back. Sending does not: a reply is with
 * its connection at once, unless one before it still is, and no thread has to be woken to say so.
 */
struct slot {
    struct exchange exchange; /* first: an exchange is its slot */
    struct port *port;
    nng_ctx context;
    nng_aio *receiving;
    nng_aio *sending;
};

struct port {
    struct port_options options;
    struct gate *gate;
    struct lobby *lobby;
    nng_tls_config *tls; /* NULL: nothing listens on tls+tcp */
    int64_t swept_us;
    nng_socket socket;
    nng_listener listeners[PORT_LISTENERS_MAX];
    char urls[PORT_LISTENERS_MAX][PORT_URL_SIZE];
    atomic_uint accepted[PORT_LISTENERS_MAX];
    atomic_uint removed;
    size_t listener_count;
    struct slot **slots;
    uint32_t slot_count;
    uint32_t held_count; /* handed out and not yet answered; the loop's alone */
    atomic_bool is_paused;
    atomic_uint receiving;
    atomic_bool was_busy;           /* requests have waited for an exchange to receive them */
    struct exchange *sending_first; /* replies that wait for their connection; the loop's alone */
    struct exchange **sending_last;
    uint32_t sending_count;
    pthread_mutex_t lock; /* guards the two lists below */
    struct exchange *arrived_first;
    struct exchange **arrived_last;
    struct exchange *idle;
};

static void slot_receive(struct slot *slot)
{
    atomic_fetch_add(&slot->port->receiving, 1);
    nng_ctx_recv(slot->context, slot->receiving);
}

static void slot_rest(struct slot *slot)
{
    struct port *port = slot->port;
    pthread_mutex_lock(&port->lock);
    slot->exchange.next = port->idle;
    port->idle = &slot->exchange;
    pthread_mutex_unlock(&port->lock);
}

/* nng's threads come here: it enqueues and wakes, nothing else. */
static void on_received(void *context)
{
    struct slot *slot = context;
    struct port *port = slot->port;
    if (atomic_fetch_sub(&port->receiving, 1) == 1) {
        atomic_store(&port->was_busy, true);
    }
    if (nng_aio_result(slot->receiving) != 0) {
        slot_rest(slot);
        return;
    }
    slot->exchange.message = nng_aio_get_msg(slot->receiving);
    slot->exchange.pipe = (uint32_t)nng_pipe_id(nng_msg_get_pipe(slot->exchange.message));
    slot->exchange.next = NULL;
    pthread_mutex_lock(&port->lock);
    bool was_empty = port->arrived_first == NULL;
    *port->arrived_last = &slot->exchange;
    port->arrived_last = &slot->exchange.next;
    pthread_mutex_unlock(&port->lock);
    if (was_empty) {
        port->options.on_wake(port->options.context);
    }
}

static struct slot *slot_open(struct port *port)
{
    struct slot *slot = calloc(1, sizeof(*slot));
    if (slot == NULL) {
        return NULL;
    }
    slot->port = port;
    if (nng_ctx_open(&slot->context, port->socket) != 0) {
        free(slot);
        return NULL;
    }
    if (nng_aio_alloc(&slot->receiving, on_received, slot) != 0 ||
        nng_aio_alloc(&slot->sending, NULL, NULL) != 0) {
        nng_aio_free(slot->receiving);
        nng_ctx_close(slot->context);
        free(slot);
        return NULL;
    }
    nng_aio_set_timeout(slot->receiving, NNG_DURATION_INFINITE);
    nng_aio_set_timeout(slot->sending, NNG_DURATION_INFINITE);
    port->slots[port->slot_count++] = slot;
    return slot;
}

/* Keeps `spare_count` contexts receiving: idle ones first, then new ones up to the limit. */
static void keep_receiving(struct port *port)
{
    while (atomic_load(&port->receiving) < port->options.spare_count) {
        pthread_mutex_lock(&port->lock);
        struct slot *slot = (struct slot *)port->idle;
        if (slot != NULL) {
            port->idle = slot->exchange.next;
        }
        pthread_mutex_unlock(&port->lock);
        if (slot == NULL && port->slot_count < port->options.exchange_count) {
            slot = slot_open(port);
        }
        if (slot == NULL) {
            return;
        }
        slot_receive(slot);
    }
}

/* A connection comes or is gone: counts it, the new one for its listener, and turns it away where
 * there are too many. */
static void on_pipe(nng_pipe pipe, nng_pipe_ev event, void *context)
{
    struct port *port = context;
    int id = nng_listener_id(nng_pipe_listener(pipe));
    if (event == NNG_PIPE_EV_REM_POST) {
        gate_remove(port->gate, (uint32_t)nng_pipe_id(pipe));
        atomic_fetch_add(&port->removed, 1);
        return;
    }
    if (!gate_admit(port->gate, pipe, clock_boot_us())) {
        nng_pipe_close(pipe);
    }
    for (size_t i = 0; i < PORT_LISTENERS_MAX; i++) {
        if (nng_listener_id(port->listeners[i]) == id) {
            atomic_fetch_add(&port->accepted[i], 1);
        }
    }
}

int port_open(const struct port_options *options, struct port **port_out)
{
    struct port *port = calloc(1, sizeof(*port));
    if (port == NULL) {
        return TENDER_ENOMEM;
    }
    port->options = *options;
    port->arrived_last = &port->arrived_first;
    port->sending_last = &port->sending_first;
    port->slots = calloc(options->exchange_count, sizeof(struct slot *));
    pthread_mutex_init(&port->lock, NULL);
    if (port->slots == NULL || gate_open(&options->gate, &port->gate) != 0 ||
        lobby_open(options->gate.hello_us, &port->lobby) != 0 ||
        nng_rep0_open(&port->socket) != 0) {
        lobby_close(port->lobby);
        gate_close(port->gate);
        free(port->slots);
        free(port);
        return TENDER_ENOMEM;
    }
    (void)nng_pipe_notify(port->socket, NNG_PIPE_EV_ADD_PRE, on_pipe, port);
    (void)nng_pipe_notify(port->socket, NNG_PIPE_EV_REM_POST, on_pipe, port);
    *port_out = port;
    return 0;
}

/* Starts a listener at `url`. Returns what nng says. */
static int start_listener(struct port *port, nng_listener *listener, const char *url)
{
    int error = nng_listener_create(listener, port->socket, url);
    if (error == 0) {
        error = nng_listener_set_size(*listener, NNG_OPT_RECVMAXSZ, TENDER_FRAME_MAX);
    }
    if (error == 0 && address_is_tls(url)) {
        error = nng_listener_set_ptr(*listener, NNG_OPT_TLS_CONFIG, port->tls);
    }
    return error != 0 ? error : nng_listener_start(*listener, 0);
}

int port_certify(struct port *port, nng_tls_config *config)
{
    int error = 0;
    nng_tls_config_hold(config);
    for (size_t i = 0; i < port->listener_count; i++) {
        if (address_is_tls(port->urls[i]) && error == 0) {
            error = nng_listener_set_ptr(port->listeners[i], NNG_OPT_TLS_CONFIG, config);
        }
    }
    if (port->tls != NULL) {
        nng_tls_config_free(port->tls);
    }
    port->tls = config;
    return error == 0 ? 0 : TENDER_ESYSTEM;
}

int port_listen(struct port *port, const char *url, char *why_out, size_t why_size)
{
    if (port->listener_count == PORT_LISTENERS_MAX) {
        snprintf(why_out, why_size, "at most %d addresses", PORT_LISTENERS_MAX);
        return TENDER_ELIMIT;
    }
    int status = address_prepare(url, why_out, why_size);
    if (status != 0) {
        return status;
    }
    if (address_is_tls(url) && port->tls == NULL) {
        snprintf(why_out, why_size,
                 "tls+tcp takes a certificate: tls-certificate and tls-key name its files, and "
                 "\"tender certificate new\" makes them");
        return TENDER_EREFUSED;
    }
    nng_listener *listener = &port->listeners[port->listener_count];
    int error = start_listener(port, listener, url);
    if (error != 0) {
        snprintf(why_out, why_size, "%s", nng_strerror(error));
        return TENDER_ESYSTEM;
    }
    address_in_use(*listener, url, port->urls[port->listener_count], PORT_URL_SIZE);
    if (address_is_tls(url)) {
        const char *number = strrchr(port->urls[port->listener_count], ':');
        lobby_watch(port->lobby, (uint16_t)atoi(number + 1));
    }
    port->listener_count++;
    return 0;
}

int port_reopen(struct port *port, size_t index, char *why_out, size_t why_size)
{
    nng_listener_close(port->listeners[index]);
    int error = start_listener(port, &port->listeners[index], port->urls[index]);
    if (error != 0) {
        snprintf(why_out, why_size, "%s", nng_strerror(error));
        return TENDER_ESYSTEM;
    }
    return 0;
}

const char *port_url(const struct port *port, size_t index)
{
    return index < port->listener_count ? port->urls[index] : NULL;
}

uint32_t port_accepted(const struct port *port, size_t index)
{
    return atomic_load(&((struct port *)port)->accepted[index]);
}

uint32_t port_removed(const struct port *port)
{
    return atomic_load(&((struct port *)port)->removed);
}

int port_start(struct port *port)
{
    keep_receiving(port);
    return atomic_load(&port->receiving) > 0 || port->held_count > 0 ? 0 : TENDER_ENOMEM;
}

/* After its reply the exchange receives again. */
static void slot_again(struct slot *slot)
{
    if (atomic_load(&slot->port->is_paused)) {
        slot_rest(slot);
    } else {
        slot_receive(slot);
    }
}

/* Whether the reply is with its connection: nng takes the message away, or says why it did not. */
static bool slot_has_sent(struct slot *slot)
{
    if (nng_aio_get_msg(slot->sending) != NULL && nng_aio_result(slot->sending) == 0) {
        return false;
    }
    nng_aio_wait(slot->sending); /* for nng's last steps */
    nng_msg_free(nng_aio_get_msg(slot->sending));
    nng_aio_set_msg(slot->sending, NULL);
    return true;
}

static void put_sending(struct port *port, struct slot *slot)
{
    slot->exchange.next = NULL;
    *port->sending_last = &slot->exchange;
    port->sending_last = &slot->exchange.next;
}

/* Looks at some of the replies that waited for their connection. */
static void look_at_sending(struct port *port)
{
    uint32_t count = port->sending_count < LOOK_COUNT ? port->sending_count : LOOK_COUNT;
    for (uint32_t i = 0; i < count; i++) {
        struct slot *slot = (struct slot *)port->sending_first;
        port->sending_first = slot->exchange.next;
        if (port->sending_first == NULL) {
            port->sending_last = &port->sending_first;
        }
        if (slot_has_sent(slot)) {
            port->sending_count--;
            slot_again(slot);
        } else {
            put_sending(port, slot);
        }
    }
}

struct exchange *port_collect(struct port *port)
{
    look_at_sending(port);
    pthread_mutex_lock(&port->lock);
    struct exchange *list = port->arrived_first;
    port->arrived_first = NULL;
    port->arrived_last = &port->arrived_first;
    pthread_mutex_unlock(&port->lock);
    for (struct exchange *one = list; one != NULL; one = one->next) {
        port->held_count++;
    }
    if (!atomic_load(&port->is_paused)) {
        keep_receiving(port);
    }
    return list;
}

void port_reply(struct port *port, struct exchange *exchange, nng_msg *reply)
{
    struct slot *slot = (struct slot *)exchange;
    port->held_count--;
    nng_aio_set_msg(slot->sending, reply);
    nng_ctx_send(slot->context, slot->sending);
    if (slot_has_sent(slot)) {
        slot_again(slot);
    } else {
        port->sending_count++;
        put_sending(port, slot);
    }
}

void port_abandon(struct port *port, struct exchange *exchange)
{
    struct slot *slot = (struct slot *)exchange;
    port->held_count--;
    slot_again(slot); /* receiving again drops the request that was not answered */
}

void port_hang_up(struct port *port, uint32_t pipe)
{
    (void)port;
    nng_pipe_close((nng_pipe){.id = pipe});
}

void port_prove(struct port *port, uint32_t pipe, int64_t kept_us)
{
    gate_prove(port->gate, pipe, clock_boot_us() + kept_us);
}

bool port_nonce(struct port *port, uint32_t pipe, uint8_t nonce_out[GATE_NONCE_SIZE])
{
    return gate_nonce(port->gate, pipe, nonce_out);
}

bool port_bind(struct port *port, uint32_t pipe, const uint8_t session[16], uint8_t before_out[16])
{
    return gate_bind(port->gate, pipe, session, before_out);
}

void port_fault(struct port *port, uint32_t pipe)
{
    if (gate_fault(port->gate, pipe)) {
        port_hang_up(port, pipe);
    }
}

void port_sweep(struct port *port, int64_t boot_us)
{
    uint32_t pipes[SWEEP_COUNT];
    if (boot_us - port->swept_us < SWEEP_US) {
        return;
    }
    if (atomic_exchange(&port->was_busy, false)) {
        gate_postpone(port->gate, boot_us); /* their hello may be waiting */
    }
    (void)lobby_step(port->lobby, port->gate, boot_us);
    uint32_t count = gate_expired(port->gate, boot_us, pipes, SWEEP_COUNT);
    port->swept_us = count < SWEEP_COUNT ? boot_us : port->swept_us; /* or at once again */
    for (uint32_t i = 0; i < count; i++) {
        port_hang_up(port, pipes[i]);
    }
}

bool port_is_open(const struct port *port, uint32_t pipe)
{
    return gate_has(port->gate, pipe);
}

uint32_t port_connections(const struct port *port)
{
    return gate_count(port->gate);
}

void port_pause(struct port *port, bool is_paused)
{
    if (atomic_exchange(&port->is_paused, is_paused) && !is_paused) {
        keep_receiving(port);
    }
}

uint32_t port_sending(const struct port *port)
{
    return port->sending_count;
}

uint32_t port_parked(const struct port *port)
{
    return port->held_count;
}

void port_close(struct port *port)
{
    if (port == NULL) {
        return;
    }
    nng_close(port->socket);
    for (uint32_t i = 0; i < port->slot_count; i++) {
        nng_aio_stop(port->slots[i]->receiving); /* no callback comes after this */
        nng_aio_stop(port->slots[i]->sending);
    }
    for (struct exchange *one = port->arrived_first; one != NULL; one = one->next) {
        nng_msg_free(one->message);
    }
    for (uint32_t i = 0; i < port->slot_count; i++) {
        nng_msg_free(nng_aio_get_msg(port->slots[i]->sending));
        nng_aio_free(port->slots[i]->receiving);
        nng_aio_free(port->slots[i]->sending);
        free(port->slots[i]);
    }
    pthread_mutex_destroy(&port->lock);
    gate_close(port->gate);
    lobby_close(port->lobby);
    if (port->tls != NULL) {
        nng_tls_config_free(port->tls);
    }
    free(port->slots);
    free(port);
}
