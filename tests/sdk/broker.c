/* See broker.h. */
#include "broker.h"

#include "proving.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <nng/nng.h>
#include <poll.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/*
 * nng 1.5 now and then loses the end of a dialer that is closed while it connects. Read by
 * LeakSanitizer where there is one.
 */
const char *__lsan_default_suppressions(void);
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void)
{
    return "leak:nng_dialer_create";
}

static void expect(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "broker: %s\n", what);
        abort();
    }
}

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void broker_open(struct broker *broker)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    memset(broker, 0, sizeof *broker);
    broker->connection = -1;
    broker->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    expect(broker->listener >= 0 &&
               bind(broker->listener, (struct sockaddr *)&address, sizeof address) == 0 &&
               listen(broker->listener, 8) == 0 &&
               getsockname(broker->listener, (struct sockaddr *)&address, &size) == 0,
           "cannot listen");
    (void)snprintf(broker->url, sizeof broker->url, "tcp://127.0.0.1:%d", ntohs(address.sin_port));
}

void broker_restart(struct broker *broker)
{
    if (broker->connection >= 0) {
        (void)close(broker->connection);
    }
    broker->connection = -1;
    broker->is_proved = false;
    broker->open_count = 0;
}

void broker_vanish(struct broker *broker)
{
    broker_restart(broker);
    (void)close(broker->listener);
    broker->listener = -1;
}

void broker_close(struct broker *broker)
{
    broker_vanish(broker);
    for (size_t i = 0; i < broker->frame_count; i++) {
        wire_reader_close(broker->readers[i]);
        free(broker->frames[i]);
    }
}

void broker_forget(struct broker *broker)
{
    memset(broker->session, 0, sizeof broker->session);
    broker->is_forgetful = true;
}

/* A frame of the transport: size, identifier of the request, exchange. Failing means the peer left.
 */
static void send_frame(struct broker *broker, const uint8_t id[4], const uint8_t *bytes,
                       size_t size)
{
    uint8_t head[12] = {0};
    for (int i = 0; i < 8; i++) {
        head[i] = (uint8_t)((uint64_t)(size + 4) >> (56 - 8 * i));
    }
    memcpy(head + 8, id, 4);
    (void)!send(broker->connection, head, sizeof head, MSG_NOSIGNAL | MSG_MORE);
    while (size > 0) {
        ssize_t sent = send(broker->connection, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0) {
            return;
        }
        bytes += sent;
        size -= (size_t)sent;
    }
}

/* Answers the oldest open request. */
static void reply(struct broker *broker, const uint8_t session[16], uint64_t first,
                  const struct message *messages, uint32_t count)
{
    static uint8_t buffer[2 * TENDER_FRAME_MAX];
    struct wire_header header = {.version = WIRE_VERSION,
                                 .first = first,
                                 .heard = broker->is_deaf ? 0 : broker->session_heard,
                                 .count = count,
                                 .has_tail = first > 0 && broker->receipts_size > 0,
                                 .tail = {broker->receipts, broker->receipts_size}};
    memcpy(header.session, session, 16);
    header.heard = first == 0 ? 0 : header.heard;
    int size = wire_pack_header(&header, buffer, sizeof buffer);
    for (uint32_t i = 0; i < count; i++) {
        size += wire_pack_message(&messages[i], buffer + size, sizeof buffer - (size_t)size);
    }
    if (header.has_tail) {
        size += wire_pack_tail(&header, buffer + size, sizeof buffer - (size_t)size);
    }
    send_frame(broker, broker->open[0], buffer, (size_t)size);
    memmove(broker->open, broker->open + 1, (BROKER_OPEN_MAX - 1) * sizeof broker->open[0]);
    broker->open_count--;
}

static void refuse_session(struct broker *broker, const uint8_t session[16])
{
    struct message unknown = {.performative = TENDER_NOT_UNDERSTOOD};
    message_set(&unknown, REASON, reason, TENDER_REASON_UNKNOWN_SESSION);
    reply(broker, session, 0, &unknown, 1);
}

static void take_messages(struct broker *broker, struct wire_reader *reader, uint64_t first)
{
    struct message message;
    for (uint64_t number = first; wire_next(reader, &message) == 1; number++) {
        broker->message_count++;
        if (number == broker->session_heard + 1) {
            expect(broker->heard_end < BROKER_HEARD_MAX, "too many messages");
            broker->heard[broker->heard_end++] = message;
            broker->session_heard = number;
        }
    }
}

/* Answers the question that a connection begins with; who does not ask has not seen that the last
 * one is gone. */
static bool take_question(struct broker *broker, const struct wire_header *header)
{
    uint8_t answer[PROVING_REPLY_SIZE];
    size_t size = 0;
    bool asks = header->has_tail && header->tail.size == PROOF_QUESTION_SIZE;
    if (!asks && (broker->is_proved || header->has_tail)) {
        return false;
    }
    expect(!asks || (!broker->is_proved && header->count == 0), "a question that comes late");
    proving_answer(header, answer, &size);
    send_frame(broker, broker->open[--broker->open_count], answer, size);
    broker->exchange_count--;
    return true;
}

/* Takes the proof that comes next, for the name that its hello says or that the session has. */
static void take_proof(struct broker *broker, const struct wire_header *header,
                       const uint8_t *frame, size_t size)
{
    struct wire_reader *reader;
    struct wire_header again;
    struct message hello;
    const char *why;
    expect(wire_reader_open(&reader) == 0 && wire_open(reader, frame, size, &again, &why) == 0,
           "out of memory");
    if (header->first == 1 && wire_next(reader, &hello) == 1) {
        memcpy(broker->name, hello.name.data, broker->name_size = hello.name.size);
        memcpy(broker->principal, hello.principal.data,
               broker->principal_size = hello.principal.size);
    }
    wire_reader_close(reader);
    expect(proving_is_proof(header, (tender_bytes){broker->name, broker->name_size},
                            (tender_bytes){broker->principal, broker->principal_size}),
           "a request without a proof");
    broker->is_proved = true;
}

static void take_request(struct broker *broker, uint8_t *frame, size_t size)
{
    expect(broker->open_count < BROKER_OPEN_MAX && broker->frame_count < BROKER_HEARD_MAX,
           "too many requests");
    expect(size >= 4 && (frame[0] & 0x80) != 0, "a request without an identifier");
    broker->exchange_count++;
    memcpy(broker->open[broker->open_count++], frame, 4);
    struct wire_reader *reader;
    struct wire_header header;
    const char *why = "?";
    expect(wire_reader_open(&reader) == 0, "out of memory");
    broker->frames[broker->frame_count] = frame;
    broker->readers[broker->frame_count++] = reader;
    expect(wire_open(reader, frame + 4, size - 4, &header, &why) == 0, why);
    if (take_question(broker, &header)) {
        return;
    }
    bool is_new = memcmp(header.session, broker->session, 16) != 0;
    if (is_new && header.first != 1) {
        expect(broker->is_forgetful, "a session that does not begin");
        refuse_session(broker, header.session);
        return;
    }
    if (!broker->is_proved || header.has_tail) {
        take_proof(broker, &header, frame + 4, size - 4);
    }
    if (is_new) {
        memcpy(broker->session, header.session, 16);
        broker->session_heard = 0;
        broker->said = 0;
    }
    take_messages(broker, reader, header.first);
    expect(broker->open_count <= 2, "more than two requests open");
    if (broker->open_count == 2 && !broker->is_patient) {
        reply(broker, broker->session, broker->said + 1, NULL, 0);
    }
}

static bool receive(const struct broker *broker, uint8_t *bytes, size_t size)
{
    return recv(broker->connection, bytes, size, MSG_WAITALL) == (ssize_t)size;
}

/* Takes a connection in place of the one there is, and greets it. */
static void take_connection(struct broker *broker)
{
    static const uint8_t ours[8] = {0, 'S', 'P', 0, 0, 0x31, 0, 0};
    static const uint8_t theirs[8] = {0, 'S', 'P', 0, 0, 0x30, 0, 0};
    uint8_t greeting[8];
    broker_restart(broker);
    broker->connection = accept4(broker->listener, NULL, NULL, SOCK_CLOEXEC);
    expect(broker->connection >= 0, "no connection");
    broker->connection_count++;
    int one = 1;
    (void)setsockopt(broker->connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    (void)!send(broker->connection, ours, sizeof ours, MSG_NOSIGNAL);
    if (!receive(broker, greeting, sizeof greeting)) {
        broker_restart(broker);
        return;
    }
    expect(memcmp(greeting, theirs, sizeof theirs) == 0, "another greeting");
}

/* Takes one request in; false when the peer is gone. */
static bool take_frame(struct broker *broker)
{
    uint8_t head[8];
    uint64_t size = 0;
    if (!receive(broker, head, sizeof head)) {
        broker_restart(broker);
        return false;
    }
    for (int i = 0; i < 8; i++) {
        size = size << 8 | head[i];
    }
    expect(size <= TENDER_FRAME_MAX + 4, "a frame that is too large");
    uint8_t *frame = malloc(size);
    expect(frame != NULL, "out of memory");
    if (!receive(broker, frame, size)) {
        free(frame);
        broker_restart(broker);
        return false;
    }
    take_request(broker, frame, size);
    return true;
}

size_t broker_listen(struct broker *broker, int timeout_ms)
{
    size_t count = 0;
    int64_t until_ms = now_ms() + timeout_ms;
    while (count == 0 || timeout_ms < 10000) {
        struct pollfd pollers[2] = {{.fd = broker->listener, .events = POLLIN},
                                    {.fd = broker->connection, .events = POLLIN}};
        int64_t left_ms = until_ms - now_ms();
        int ready = poll(pollers, 2, left_ms < 0 ? 0 : (int)left_ms);
        if (ready == 0) {
            return count;
        }
        if (ready > 0 && pollers[1].revents != 0) {
            count += take_frame(broker);
        } else if (ready > 0) {
            take_connection(broker);
        }
    }
    return count;
}

const struct message *broker_hear(struct broker *broker, tender_performative performative)
{
    while (broker->heard_start == broker->heard_end) {
        expect(broker_listen(broker, 10000) > 0, tender_performative_name(performative));
    }
    const struct message *message = &broker->heard[broker->heard_start++];
    if (message->performative != performative) {
        fprintf(stderr, "broker: heard %s instead of %s\n",
                tender_performative_name(message->performative),
                tender_performative_name(performative));
        abort();
    }
    return message;
}

static void await_request(struct broker *broker)
{
    while (broker->open_count == 0) {
        expect(broker_listen(broker, 10000) > 0, "no request to answer");
    }
}

void broker_say_from(struct broker *broker, uint64_t first, const struct message *messages,
                     uint32_t count)
{
    await_request(broker);
    reply(broker, broker->session, first, messages, count);
}

void broker_say(struct broker *broker, const struct message *messages, uint32_t count)
{
    await_request(broker);
    reply(broker, broker->session, broker->said + 1, messages, count);
    broker->said += count;
}

void broker_end(struct broker *broker, const struct message *message)
{
    await_request(broker);
    reply(broker, broker->session, 0, message, 1);
    broker_forget(broker);
}

void broker_turn(struct broker *broker)
{
    uint8_t newest[4];
    memcpy(newest, broker->open[broker->open_count - 1], sizeof newest);
    memmove(broker->open + 1, broker->open, (broker->open_count - 1) * sizeof broker->open[0]);
    memcpy(broker->open[0], newest, sizeof newest);
}

int broker_finish(int status)
{
#if defined(__SANITIZE_ADDRESS__)
    status |= __lsan_do_recoverable_leak_check();
#endif
    (void)fflush(NULL);
    _exit(status); /* nng 1.5.2 may panic when it is taken down while a connection goes away */
}

void broker_welcome(struct broker *broker)
{
    broker_welcome_with(broker, (tender_bytes){NULL, 0}, NULL);
}

void broker_welcome_with(struct broker *broker, tender_bytes held, struct message *hello_out)
{
    const struct message *hello = broker_hear(broker, TENDER_HELLO);
    if (hello_out != NULL) {
        *hello_out = *hello;
    }
    struct message welcome = {.performative = TENDER_WELCOME};
    message_set(&welcome, BROKER, broker, ((tender_bytes){"test", 4}));
    message_set(&welcome, AT, at_us, INT64_C(1764500000000000));
    message_set(&welcome, HEARTBEAT, heartbeat_us, 5000000);
    if (held.size > 0) {
        message_set(&welcome, RECEIPTS, receipts, held);
    }
    broker_say(broker, &welcome, 1);
}
