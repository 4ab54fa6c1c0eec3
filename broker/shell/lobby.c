/*
 * Descriptors, a part of them each time: see lobby.h. A descriptor may be closed by nng's threads
 * and opened again as another connection at any moment, so a socket is known by its cookie, and
 * ended by a descriptor of our own.
 */
#include "lobby.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "refusals.h"

#define PORTS_MAX  8
#define STEP_COUNT 2048 /* descriptors that one call looks at */
#define AHEAD      4096 /* and how far it looks beyond the highest one that it has seen */

/* A descriptor that was in the lobby when it was looked at last. */
struct guest {
    uint64_t cookie; /* of the socket; 0: none */
    int64_t since_us;
};

struct lobby {
    int64_t stay_us;
    uint16_t ports[PORTS_MAX];
    size_t port_count;
    struct guest *guests; /* [guest_count] by descriptor */
    int guest_count;
    int next; /* to be looked at */
};

int lobby_open(int64_t stay_us, struct lobby **lobby_out)
{
    struct lobby *lobby = calloc(1, sizeof(*lobby));
    if (lobby == NULL) {
        return TENDER_ENOMEM;
    }
    lobby->stay_us = stay_us;
    *lobby_out = lobby;
    return 0;
}

void lobby_close(struct lobby *lobby)
{
    if (lobby != NULL) {
        free(lobby->guests);
        free(lobby);
    }
}

void lobby_watch(struct lobby *lobby, uint16_t number)
{
    if (lobby->port_count < PORTS_MAX) {
        lobby->ports[lobby->port_count++] = number;
    }
}

/* Makes room up to AHEAD descriptors beyond `descriptor`; without memory it stays as it is. */
static void look_further(struct lobby *lobby, int descriptor)
{
    int count = descriptor + AHEAD;
    if (count < lobby->guest_count + AHEAD / 2) {
        return;
    }
    struct guest *guests = realloc(lobby->guests, (size_t)count * sizeof(*guests));
    if (guests != NULL) {
        memset(guests + lobby->guest_count, 0,
               (size_t)(count - lobby->guest_count) * sizeof(*guests));
        lobby->guests = guests;
        lobby->guest_count = count;
    }
}

/* Whether the socket is at one of the ports. */
static bool is_watched(const struct lobby *lobby, const struct sockaddr_storage *address)
{
    const struct sockaddr_in *four = (const struct sockaddr_in *)address;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
    if (address->ss_family != AF_INET && address->ss_family != AF_INET6) {
        return false;
    }
    uint16_t number = ntohs(address->ss_family == AF_INET ? four->sin_port : six->sin6_port);
    for (size_t i = 0; i < lobby->port_count; i++) {
        if (lobby->ports[i] == number) {
            return true;
        }
    }
    return false;
}

static uint64_t cookie_of(int descriptor)
{
    uint64_t cookie = 0;
    socklen_t size = sizeof(cookie);
    return getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

static uint32_t end_guest(int descriptor, uint64_t cookie)
{
    int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (own < 0) {
        return 0;
    }
    bool is_same = cookie_of(own) == cookie;
    if (is_same) {
        (void)shutdown(own, SHUT_RDWR);
        refusals_count(REFUSAL_HELLO_TIME);
    }
    close(own);
    return is_same;
}

/* Looks at one descriptor. Returns whether its connection was ended. */
static uint32_t look_at(struct lobby *lobby, struct gate *gate, int descriptor, int64_t boot_us)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof(address);
    bool is_socket = getsockname(descriptor, (struct sockaddr *)&address, &size) == 0;
    if (is_socket || errno != EBADF) {
        look_further(lobby, descriptor);
    }
    if (!is_socket) {
        return 0;
    }
    struct guest *guest = &lobby->guests[descriptor];
    size = sizeof(address);
    if (!is_watched(lobby, &address) ||
        getpeername(descriptor, (struct sockaddr *)&address, &size) != 0 ||
        gate_knows(gate, (const struct sockaddr *)&address)) {
        guest->cookie = 0;
        return 0;
    }
    uint64_t cookie = cookie_of(descriptor);
    if (cookie != guest->cookie) {
        *guest = (struct guest){cookie, boot_us};
    }
    return cookie != 0 && boot_us - guest->since_us >= lobby->stay_us
               ? end_guest(descriptor, cookie)
               : 0;
}

uint32_t lobby_step(struct lobby *lobby, struct gate *gate, int64_t boot_us)
{
    uint32_t count = 0;
    if (lobby->port_count == 0) {
        return 0;
    }
    look_further(lobby, 0);
    for (int i = 0; i < STEP_COUNT && lobby->guest_count > 0; i++) {
        count += look_at(lobby, gate, lobby->next, boot_us);
        lobby->next = (lobby->next + 1) % lobby->guest_count;
    }
    return count;
}
