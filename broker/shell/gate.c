/*
 * Connections and addresses, each in a table under one lock: see gate.h.
 */
#include "gate.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <uthash.h>

#include "refusals.h"

/* Who connects: a user, or an address. `kind` keeps them apart. */
struct place {
    uint64_t kind;
    uint64_t number;
};

struct origin {
    struct place place;
    uint32_t count;
    UT_hash_handle hh;
};

/* The other end, where it is an address of tcp; all zeros otherwise. */
struct remote {
    uint8_t address[16];
    uint16_t family;
    uint16_t port; /* in the network's order */
};

struct connection {
    uint32_t pipe;
    struct remote remote;
    uint32_t faults;
    struct origin *origin;
    int64_t until_us;
    bool is_proven;
    bool has_nonce;
    bool is_bound;
    uint8_t nonce[GATE_NONCE_SIZE];
    uint8_t session[16]; /* for which it speaks, where it is bound */
    UT_hash_handle hh;
    UT_hash_handle by_remote;
};

struct gate {
    struct gate_options options;
    pthread_mutex_t lock; /* guards the tables */
    struct connection *connections;
    struct connection *remotes; /* those that have one, by their remote */
    struct origin *origins;
};

int gate_open(const struct gate_options *options, struct gate **gate_out)
{
    struct gate *gate = calloc(1, sizeof(*gate));
    if (gate == NULL) {
        return TENDER_ENOMEM;
    }
    gate->options = *options;
    pthread_mutex_init(&gate->lock, NULL);
    *gate_out = gate;
    return 0;
}

static void forget(struct gate *gate, struct connection *connection)
{
    struct origin *origin = connection->origin;
    origin->count--;
    if (origin->count == 0) {
        HASH_DEL(gate->origins, origin);
        free(origin);
    }
    HASH_DEL(gate->connections, connection);
    if (connection->remote.family != 0) {
        HASH_DELETE(by_remote, gate->remotes, connection);
    }
    free(connection);
}

void gate_close(struct gate *gate)
{
    if (gate == NULL) {
        return;
    }
    while (gate->connections != NULL) {
        forget(gate, gate->connections);
    }
    pthread_mutex_destroy(&gate->lock);
    free(gate);
}

static struct place place_of(nng_pipe pipe, const nng_sockaddr *address)
{
    struct place place = {.kind = address->s_family};
    if (address->s_family == NNG_AF_INET) {
        place.number = address->s_in.sa_addr;
    } else if (address->s_family == NNG_AF_INET6) {
        memcpy(&place.number, address->s_in6.sa_addr, sizeof(place.number));
    } else if (address->s_family != NNG_AF_UNSPEC) {
        (void)nng_pipe_get_uint64(pipe, NNG_OPT_IPC_PEER_UID, &place.number);
    }
    return place;
}

/* Without padding, and with zeros where an address is shorter: it is a key. */
static struct remote remote_at(uint16_t family, uint16_t port, const void *address, size_t size)
{
    struct remote remote;
    memset(&remote, 0, sizeof(remote));
    remote.family = family;
    remote.port = port;
    memcpy(remote.address, address, size);
    return remote;
}

static struct remote remote_of(const nng_sockaddr *address)
{
    const nng_sockaddr_in *four = &address->s_in;
    const nng_sockaddr_in6 *six = &address->s_in6;
    return address->s_family == NNG_AF_INET
               ? remote_at(AF_INET, four->sa_port, &four->sa_addr, sizeof(four->sa_addr))
           : address->s_family == NNG_AF_INET6
               ? remote_at(AF_INET6, six->sa_port, six->sa_addr, sizeof(six->sa_addr))
               : remote_at(0, 0, "", 0);
}

/* The origin with one more connection, or NULL where it has as many as it may. */
static struct origin *count_origin(struct gate *gate, const struct place *place)
{
    struct origin *origin = NULL;
    HASH_FIND(hh, gate->origins, place, sizeof(*place), origin);
    if (origin == NULL) {
        origin = calloc(1, sizeof(*origin));
        if (origin == NULL) {
            return NULL;
        }
        origin->place = *place;
        HASH_ADD(hh, gate->origins, place, sizeof(origin->place), origin);
    }
    if (origin->count >= gate->options.address_count) {
        refusals_count(REFUSAL_ADDRESS);
        return NULL;
    }
    origin->count++;
    return origin;
}

static bool admit(struct gate *gate, uint32_t pipe, const struct place *place,
                  const struct remote *remote, int64_t boot_us)
{
    if (HASH_COUNT(gate->connections) >= gate->options.connection_count) {
        refusals_count(REFUSAL_CONNECTIONS);
        return false;
    }
    struct connection *connection = calloc(1, sizeof(*connection));
    struct origin *origin = connection == NULL ? NULL : count_origin(gate, place);
    if (origin == NULL) {
        free(connection);
        return false;
    }
    connection->pipe = pipe;
    connection->remote = *remote;
    connection->origin = origin;
    connection->until_us = boot_us + gate->options.hello_us;
    HASH_ADD(hh, gate->connections, pipe, sizeof(connection->pipe), connection);
    if (remote->family != 0) {
        HASH_ADD(by_remote, gate->remotes, remote, sizeof(connection->remote), connection);
    }
    return true;
}

bool gate_admit(struct gate *gate, nng_pipe pipe, int64_t boot_us)
{
    nng_sockaddr address;
    if (nng_pipe_get_addr(pipe, NNG_OPT_REMADDR, &address) != 0) {
        address.s_family = NNG_AF_UNSPEC; /* all such are from one place */
    }
    struct place place = place_of(pipe, &address);
    struct remote remote = remote_of(&address);
    pthread_mutex_lock(&gate->lock);
    bool is_admitted = admit(gate, (uint32_t)nng_pipe_id(pipe), &place, &remote, boot_us);
    pthread_mutex_unlock(&gate->lock);
    return is_admitted;
}

/* The connection, or NULL for one that is gone. */
static struct connection *find(struct gate *gate, uint32_t pipe)
{
    struct connection *connection = NULL;
    HASH_FIND(hh, gate->connections, &pipe, sizeof(pipe), connection);
    return connection;
}

void gate_remove(struct gate *gate, uint32_t pipe)
{
    pthread_mutex_lock(&gate->lock);
    struct connection *connection = find(gate, pipe);
    if (connection != NULL) {
        forget(gate, connection);
    }
    pthread_mutex_unlock(&gate->lock);
}

void gate_prove(struct gate *gate, uint32_t pipe, int64_t until_us)
{
    pthread_mutex_lock(&gate->lock);
    struct connection *connection = find(gate, pipe);
    if (connection != NULL) {
        connection->until_us = until_us;
        connection->is_proven = true;
    }
    pthread_mutex_unlock(&gate->lock);
}

bool gate_nonce(struct gate *gate, uint32_t pipe, uint8_t nonce_out[GATE_NONCE_SIZE])
{
    pthread_mutex_lock(&gate->lock);
    struct connection *connection = find(gate, pipe);
    bool has_nonce = connection != NULL && connection->has_nonce;
    if (connection != NULL && !has_nonce) {
        has_nonce = getrandom(connection->nonce, GATE_NONCE_SIZE, 0) == GATE_NONCE_SIZE;
        connection->has_nonce = has_nonce;
    }
    if (has_nonce) {
        memcpy(nonce_out, connection->nonce, GATE_NONCE_SIZE);
    }
    pthread_mutex_unlock(&gate->lock);
    return has_nonce;
}

bool gate_bind(struct gate *gate, uint32_t pipe, const uint8_t session[16], uint8_t before_out[16])
{
    pthread_mutex_lock(&gate->lock);
    struct connection *connection = find(gate, pipe);
    bool was_bound = connection != NULL && connection->is_bound;
    if (was_bound) {
        memcpy(before_out, connection->session, sizeof(connection->session));
    }
    if (connection != NULL) {
        memcpy(connection->session, session, sizeof(connection->session));
        connection->is_bound = true;
    }
    pthread_mutex_unlock(&gate->lock);
    return was_bound;
}

bool gate_fault(struct gate *gate, uint32_t pipe)
{
    pthread_mutex_lock(&gate->lock);
    struct connection *connection = find(gate, pipe);
    bool is_too_often = connection != NULL && ++connection->faults > GATE_FAULTS_MAX;
    pthread_mutex_unlock(&gate->lock);
    if (is_too_often) {
        refusals_count(REFUSAL_FAULTS);
    }
    return is_too_often;
}

void gate_postpone(struct gate *gate, int64_t boot_us)
{
    int64_t until_us = boot_us + gate->options.hello_us;
    pthread_mutex_lock(&gate->lock);
    for (struct connection *connection = gate->connections; connection != NULL;
         connection = connection->hh.next) {
        connection->until_us = connection->until_us < until_us ? until_us : connection->until_us;
    }
    pthread_mutex_unlock(&gate->lock);
}

uint32_t gate_expired(struct gate *gate, int64_t boot_us, uint32_t *pipes_out, uint32_t capacity)
{
    uint32_t count = 0;
    pthread_mutex_lock(&gate->lock);
    for (struct connection *connection = gate->connections; connection != NULL && count < capacity;
         connection = connection->hh.next) {
        if (connection->until_us <= boot_us) {
            pipes_out[count++] = connection->pipe;
            refusals_count(connection->is_proven ? REFUSAL_SESSION_TIME : REFUSAL_HELLO_TIME);
            connection->until_us = TENDER_NEVER; /* it is closed once, and goes when nng says so */
        }
    }
    pthread_mutex_unlock(&gate->lock);
    return count;
}

bool gate_has(struct gate *gate, uint32_t pipe)
{
    pthread_mutex_lock(&gate->lock);
    bool is_there = find(gate, pipe) != NULL;
    pthread_mutex_unlock(&gate->lock);
    return is_there;
}

bool gate_knows(struct gate *gate, const struct sockaddr *address)
{
    const struct sockaddr_in *four = (const struct sockaddr_in *)address;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
    struct connection *connection = NULL;
    struct remote remote =
        address->sa_family == AF_INET
            ? remote_at(AF_INET, four->sin_port, &four->sin_addr, sizeof(four->sin_addr))
            : remote_at(address->sa_family, six->sin6_port, &six->sin6_addr,
                        sizeof(six->sin6_addr));
    pthread_mutex_lock(&gate->lock);
    HASH_FIND(by_remote, gate->remotes, &remote, sizeof(remote), connection);
    pthread_mutex_unlock(&gate->lock);
    return connection != NULL;
}

uint32_t gate_count(struct gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    uint32_t count = HASH_COUNT(gate->connections);
    pthread_mutex_unlock(&gate->lock);
    return count;
}
