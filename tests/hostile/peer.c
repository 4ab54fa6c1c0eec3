/*
 * SP by hand, and epoll: see peer.h. The numbering is PROTOCOL.md's.
 */
#include "peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define EVENTS_MAX   512
#define READ_SIZE    65536
#define MESSAGE_SIZE (TENDER_CONTENT_MAX + 8192)
#define GREETING     8

_Noreturn void crowd_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static void reserve(struct buffer *buffer, size_t more)
{
    if (buffer->capacity - buffer->size >= more) {
        return;
    }
    buffer->capacity = buffer->size + more;
    buffer->bytes = realloc(buffer->bytes, buffer->capacity);
    if (buffer->bytes == NULL) {
        crowd_fail("out of memory");
    }
}

static void append(struct buffer *buffer, const void *bytes, size_t size)
{
    if (size == 0) {
        return;
    }
    reserve(buffer, size);
    memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
}

static void cut(struct buffer *buffer, size_t size)
{
    buffer->size -= size;
    if (buffer->size > 0) {
        memmove(buffer->bytes, buffer->bytes + size, buffer->size);
    } else { /* ten thousand peers do not keep what the largest exchange took */
        free(buffer->bytes);
        *buffer = (struct buffer){.bytes = NULL};
    }
}

void crowd_open(struct crowd *crowd, const char *url, uint32_t peer_count)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    char problem[TENDER_KEY_PROBLEM_SIZE] = "it is not set";
    const char *path = getenv("TENDER_KEY");
    *crowd = (struct crowd){.url = url, .poll = epoll_create1(EPOLL_CLOEXEC)};
    if (path == NULL || tender_key_read(path, &crowd->key, problem) != 0) {
        crowd_fail("TENDER_KEY: %s", problem);
    }
    crowd->touched = calloc(peer_count, sizeof(struct peer *));
    if (crowd->poll < 0 || crowd->touched == NULL || wire_reader_open(&crowd->reader) != 0) {
        crowd_fail("out of memory or descriptors");
    }
}

void crowd_close(struct crowd *crowd)
{
    wire_reader_close(crowd->reader);
    tender_key_free(crowd->key);
    free(crowd->touched);
    close(crowd->poll);
}

static void touch(struct peer *peer)
{
    if (!peer->is_touched) {
        peer->is_touched = true;
        peer->crowd->touched[peer->crowd->touched_count++] = peer;
    }
}

/* Says to epoll what this peer waits for. */
static void watch(struct peer *peer, int operation)
{
    struct epoll_event event = {.data.ptr = peer};
    event.events =
        (peer->is_deaf ? 0u : (uint32_t)EPOLLIN) | (peer->out.size > 0 ? (uint32_t)EPOLLOUT : 0u);
    if (peer->descriptor >= 0 &&
        epoll_ctl(peer->crowd->poll, operation, peer->descriptor, &event) != 0) {
        crowd_fail("epoll: %s", strerror(errno));
    }
}

static socklen_t resolve(const char *url, struct sockaddr_storage *address)
{
    struct sockaddr_un *local = (struct sockaddr_un *)address;
    struct sockaddr_in *four = (struct sockaddr_in *)address;
    memset(address, 0, sizeof *address);
    if (strncmp(url, "ipc://", 6) == 0 && strlen(url + 6) < sizeof local->sun_path) {
        local->sun_family = AF_UNIX;
        strcpy(local->sun_path, url + 6);
        return sizeof *local;
    }
    const char *colon = strrchr(url, ':');
    if (strncmp(url, "tcp://127.0.0.1:", 16) != 0 || colon == NULL) {
        crowd_fail("'%s' is neither ipc:// nor tcp://127.0.0.1:", url);
    }
    four->sin_family = AF_INET;
    four->sin_port = htons((uint16_t)atoi(colon + 1));
    four->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return sizeof *four;
}

void peer_drop(struct peer *peer)
{
    if (peer->descriptor >= 0) {
        close(peer->descriptor);
    }
    peer->descriptor = -1;
    cut(&peer->in, peer->in.size);
    cut(&peer->out, peer->out.size);
    peer->open_count = 0;
    peer->is_greeted = false;
    peer->is_asking = false;
    peer->is_challenged = false;
    peer->is_proved = false;
}

void peer_release(struct peer *peer)
{
    peer_drop(peer);
    cut(&peer->said, peer->said.size);
}

/* Writes what the socket takes. */
static void flush(struct peer *peer)
{
    while (peer->descriptor >= 0 && peer->out.size > 0) {
        ssize_t size = send(peer->descriptor, peer->out.bytes, peer->out.size, MSG_NOSIGNAL);
        if (size < 0) {
            break; /* full; or gone, which reading shows */
        }
        cut(&peer->out, (size_t)size);
    }
    watch(peer, EPOLL_CTL_MOD);
}

void peer_connect(struct peer *peer)
{
    static const uint8_t greeting[GREETING] = {0, 'S', 'P', 0, 0, 0x30, 0, 0};
    struct sockaddr_storage address;
    socklen_t size = resolve(peer->crowd->url, &address);
    peer->prefix = address.ss_family == AF_UNIX;
    peer->descriptor = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (peer->descriptor < 0 || connect(peer->descriptor, (struct sockaddr *)&address, size) != 0 ||
        fcntl(peer->descriptor, F_SETFL, O_NONBLOCK) != 0) {
        crowd_fail("cannot connect to %s: %s", peer->crowd->url, strerror(errno));
    }
    append(&peer->out, greeting, GREETING);
    watch(peer, EPOLL_CTL_ADD);
    flush(peer);
}

void peer_begin(struct peer *peer)
{
    if (getrandom(peer->id, sizeof peer->id, 0) != sizeof peer->id) {
        crowd_fail("no random bytes");
    }
    peer->number = 0;
    peer->heard = 0;
    peer->said_count = 0;
    peer->is_proved = false; /* the challenge of its connection stands */
    cut(&peer->said, peer->said.size);
    peer->begins(peer);
}

void peer_say(struct peer *peer, const struct message *message)
{
    static uint8_t packed[MESSAGE_SIZE];
    int size = wire_pack_message(message, packed, sizeof packed);
    if (size < 0) {
        crowd_fail("a message does not fit");
    }
    if (message->performative == TENDER_HELLO) {
        peer->name_size = message->name.size;
        peer->principal_size = message->principal.size;
        memcpy(peer->name, message->name.data, peer->name_size);
        memcpy(peer->principal, message->principal.data, peer->principal_size);
    }
    append(&peer->said, packed, (size_t)size);
    peer->said_count++;
    touch(peer);
}

static void put_number(uint8_t *at, uint64_t value, size_t size)
{
    for (size_t i = size; i-- > 0; value >>= 8) {
        at[i] = (uint8_t)value;
    }
}

static uint64_t get_number(const uint8_t *at, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) {
        value = value << 8 | at[i];
    }
    return value;
}

/* A request with `count` messages of `said`, and a tail where it has a size. */
static void send_request(struct peer *peer, uint32_t count, tender_bytes said, tender_bytes tail)
{
    uint8_t head[1 + 8 + 4 + WIRE_HEADER_SIZE] = {1};
    uint8_t end[WIRE_TAIL_SIZE];
    uint8_t *at = head + peer->prefix;
    struct wire_header header = {.version = WIRE_VERSION,
                                 .first = peer->number + 1,
                                 .heard = peer->heard,
                                 .count = count,
                                 .has_tail = tail.size > 0,
                                 .tail = tail};
    memcpy(header.session, peer->id, sizeof header.session);
    int size = wire_pack_header(&header, at + 12, WIRE_HEADER_SIZE);
    int more = tail.size > 0 ? wire_pack_tail(&header, end, sizeof end) : 0;
    if (size < 0 || more < 0) {
        crowd_fail("a header does not fit");
    }
    put_number(at, (uint64_t)size + 4 + said.size + (uint64_t)more, 8);
    put_number(at + 8, UINT64_C(0x80000000) | (++peer->request & 0x7fffffff), 4);
    append(&peer->out, head, peer->prefix + 12 + (size_t)size);
    append(&peer->out, said.data, said.size);
    append(&peer->out, end, (size_t)more);
    peer->number += count;
    peer->open_count++;
    flush(peer);
}

/* What was said, with the proof where the connection needs one. */
static void say_all(struct peer *peer)
{
    uint8_t proof[PROOF_SIZE];
    struct proof_claim claim = {.challenge = peer->challenge,
                                .session = peer->id,
                                .name = {peer->name, peer->name_size},
                                .principal = {peer->principal, peer->principal_size}};
    tender_bytes tail = {proof, peer->is_proved ? 0 : PROOF_SIZE};
    if (!peer->is_proved) {
        proof_make(peer->crowd->key, &claim, proof);
    }
    peer->is_proved = true;
    send_request(peer, peer->said_count, (tender_bytes){peer->said.bytes, peer->said.size}, tail);
    peer->said_count = 0;
    cut(&peer->said, peer->said.size);
}

void peer_speak(struct peer *peer)
{
    static const uint8_t question[PROOF_QUESTION_SIZE];
    bool has_news = peer->said_count > 0 && peer->open_count < PEER_REQUESTS;
    if (peer->descriptor < 0 || !peer->is_greeted || peer->is_asking ||
        (!has_news && peer->open_count > 0)) {
        return;
    }
    if (peer->is_proved || peer->is_challenged) {
        say_all(peer);
        return;
    }
    peer->is_asking = true;
    send_request(peer, 0, (tender_bytes){NULL, 0}, (tender_bytes){question, sizeof question});
}

void peer_deafen(struct peer *peer, bool is_deaf)
{
    peer->is_deaf = is_deaf;
    watch(peer, EPOLL_CTL_MOD);
}

/* What stands outside the numbering: the session is over. */
static void hear_end(struct peer *peer)
{
    struct message message;
    if (wire_next(peer->crowd->reader, &message) != 1) {
        return;
    }
    if (message.reason != TENDER_REASON_UNKNOWN_SESSION) {
        peer->hears(peer, &message);
        return;
    }
    peer->open_count = 0;
    peer_begin(peer);
}

static void hear(struct peer *peer, const uint8_t *frame, size_t size)
{
    struct wire_header header;
    struct message message;
    const char *why = "";
    if (wire_open(peer->crowd->reader, frame, size, &header, &why) != 0) {
        crowd_fail("the broker's exchange: %s", why);
    }
    if (memcmp(header.session, peer->id, sizeof header.session) != 0) {
        return; /* of a session before */
    }
    peer->open_count -= peer->open_count > 0;
    touch(peer);
    if (header.first == 0 && header.has_tail && header.tail.size == PROOF_CHALLENGE_SIZE) {
        memcpy(peer->challenge, header.tail.data, PROOF_CHALLENGE_SIZE);
        peer->is_asking = false;
        peer->is_challenged = true;
        return;
    }
    if (header.first == 0) {
        hear_end(peer);
        return;
    }
    if (header.first > peer->heard + 1) {
        crowd_fail("peer %u hears message %llu after %llu", peer->index,
                   (unsigned long long)header.first, (unsigned long long)peer->heard);
    }
    for (uint64_t number = header.first; wire_next(peer->crowd->reader, &message) == 1; number++) {
        if (number == peer->heard + 1) {
            peer->heard++;
            peer->hears(peer, &message);
        }
    }
}

/* Takes whole frames out of what was read. */
static void take(struct peer *peer)
{
    if (!peer->is_greeted && peer->in.size >= GREETING) {
        peer->is_greeted = true;
        cut(&peer->in, GREETING);
        touch(peer);
    }
    size_t taken = 0;
    size_t head = peer->prefix + 8;
    while (peer->is_greeted && peer->in.size - taken >= head) {
        const uint8_t *at = peer->in.bytes + taken;
        size_t size = get_number(at + peer->prefix, 8);
        if (peer->in.size - taken < head + size) {
            break;
        }
        hear(peer, at + head + 4, size - 4);
        taken += head + size;
    }
    if (taken > 0) {
        cut(&peer->in, taken);
    }
}

static void read_some(struct peer *peer)
{
    static uint8_t bytes[READ_SIZE];
    ssize_t size = recv(peer->descriptor, bytes, sizeof bytes, 0);
    if (size > 0) {
        append(&peer->in, bytes, (size_t)size);
        take(peer);
    } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
        peer->crowd->lost++;
        peer_drop(peer);
    }
}

void crowd_turn(struct crowd *crowd, int timeout_ms)
{
    struct epoll_event events[EVENTS_MAX];
    int count = epoll_wait(crowd->poll, events, EVENTS_MAX, timeout_ms);
    for (int i = 0; i < count; i++) {
        struct peer *peer = events[i].data.ptr;
        if ((events[i].events & EPOLLOUT) != 0) {
            flush(peer);
        }
        if (!peer->is_deaf && peer->descriptor >= 0) {
            read_some(peer);
        } else if ((events[i].events & (EPOLLHUP | EPOLLERR)) != 0 && peer->descriptor >= 0) {
            crowd->lost++;
            peer_drop(peer);
        }
    }
    for (uint32_t i = 0; i < crowd->touched_count; i++) {
        struct peer *peer = crowd->touched[i];
        peer->is_touched = false;
        peer_speak(peer);
    }
    crowd->touched_count = 0;
}
