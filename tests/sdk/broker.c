/* See broker.h. */
#include "broker.h"

#include <nng/protocol/reqrep0/rep.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* Listens on the port of before, which the listener of before may hold for another moment. */
static void start_listening(struct broker *broker)
{
    int64_t until_ms = now_ms() + 10000;
    while (nng_listen(broker->socket, broker->url, &broker->listener, 0) != 0) {
        expect(now_ms() < until_ms, "cannot listen");
        (void)sched_yield();
    }
    int port = 0;
    expect(nng_listener_get_int(broker->listener, NNG_OPT_TCP_BOUND_PORT, &port) == 0, "no port");
    (void)snprintf(broker->url, sizeof broker->url, "tcp://127.0.0.1:%d", port);
}

void broker_open(struct broker *broker)
{
    memset(broker, 0, sizeof *broker);
    (void)snprintf(broker->url, sizeof broker->url, "tcp://127.0.0.1:0");
    expect(nng_rep0_open(&broker->socket) == 0, "no socket");
    expect(nng_aio_alloc(&broker->aio, NULL, NULL) == 0, "out of memory");
    for (size_t i = 0; i < BROKER_OPEN_MAX; i++) {
        expect(nng_ctx_open(&broker->contexts[i], broker->socket) == 0, "no context");
    }
    (void)nng_socket_set_size(broker->socket, NNG_OPT_RECVMAXSZ, (size_t)2 * TENDER_FRAME_MAX);
    start_listening(broker);
}

void broker_close(struct broker *broker)
{
    nng_aio_free(broker->aio);
    (void)nng_close(broker->socket);
    for (size_t i = 0; i < broker->frame_count; i++) {
        wire_reader_close(broker->readers[i]);
        nng_msg_free(broker->frames[i]);
    }
}

void broker_restart(struct broker *broker)
{
    /* Closing the listener drops its connections; closing the socket hangs now and then (nng 1.5).
     */
    (void)nng_listener_close(broker->listener);
    broker->open_count = 0; /* a context that receives again forgets what it had */
    start_listening(broker);
}

void broker_forget(struct broker *broker)
{
    memset(broker->session, 0, sizeof broker->session);
    broker->is_forgetful = true;
}

/* Answers the oldest open request. */
static void reply(struct broker *broker, const uint8_t session[16], uint64_t first,
                  const struct message *messages, uint32_t count)
{
    static uint8_t buffer[2 * TENDER_FRAME_MAX];
    struct wire_header header = {.version = WIRE_VERSION,
                                 .first = first,
                                 .heard = broker->is_deaf ? 0 : broker->session_heard,
                                 .count = count};
    memcpy(header.session, session, 16);
    header.heard = first == 0 ? 0 : header.heard;
    int size = wire_pack_header(&header, buffer, sizeof buffer);
    for (uint32_t i = 0; i < count; i++) {
        size += wire_pack_message(&messages[i], buffer + size, sizeof buffer - (size_t)size);
    }
    nng_msg *answer;
    nng_ctx context = broker->contexts[0];
    expect(nng_msg_alloc(&answer, 0) == 0, "out of memory");
    expect(nng_msg_append(answer, buffer, (size_t)size) == 0, "out of memory");
    nng_aio_set_timeout(broker->aio, 10000);
    nng_aio_set_msg(broker->aio, answer);
    nng_ctx_send(context, broker->aio);
    nng_aio_wait(broker->aio);
    if (nng_aio_result(broker->aio) != 0) {
        nng_msg_free(answer); /* the peer is gone */
    }
    memmove(broker->contexts, broker->contexts + 1,
            (BROKER_OPEN_MAX - 1) * sizeof broker->contexts[0]);
    broker->contexts[BROKER_OPEN_MAX - 1] = context;
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

static void take_request(struct broker *broker, nng_msg *frame)
{
    expect(broker->open_count < BROKER_OPEN_MAX && broker->frame_count < BROKER_HEARD_MAX,
           "too many requests");
    broker->exchange_count++;
    broker->open_count++;
    struct wire_reader *reader;
    struct wire_header header;
    const char *why = "?";
    expect(wire_reader_open(&reader) == 0, "out of memory");
    broker->frames[broker->frame_count] = frame;
    broker->readers[broker->frame_count++] = reader;
    expect(wire_open(reader, nng_msg_body(frame), nng_msg_len(frame), &header, &why) == 0, why);
    if (memcmp(header.session, broker->session, 16) != 0) {
        if (header.first != 1) {
            expect(broker->is_forgetful, "a session that does not begin");
            refuse_session(broker, header.session);
            return;
        }
        memcpy(broker->session, header.session, 16);
        broker->session_heard = 0;
        broker->said = 0;
    }
    take_messages(broker, reader, header.first);
    expect(broker->open_count <= 2, "more than two requests open");
    if (broker->open_count == 2) {
        reply(broker, broker->session, broker->said + 1, NULL, 0);
    }
}

size_t broker_listen(struct broker *broker, int timeout_ms)
{
    size_t count = 0;
    int64_t until_ms = now_ms() + timeout_ms;
    for (;;) {
        int64_t left_ms = until_ms - now_ms();
        nng_aio_set_timeout(broker->aio, left_ms < 1 ? 1 : (nng_duration)left_ms);
        nng_ctx_recv(broker->contexts[broker->open_count], broker->aio);
        nng_aio_wait(broker->aio);
        if (nng_aio_result(broker->aio) != 0) {
            return count;
        }
        take_request(broker, nng_aio_get_msg(broker->aio));
        count++;
        if (timeout_ms >= 10000) {
            return count;
        }
    }
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

void broker_say_from(struct broker *broker, uint64_t first, const struct message *messages,
                     uint32_t count)
{
    while (broker->open_count == 0) {
        expect(broker_listen(broker, 10000) > 0, "no request to answer");
    }
    reply(broker, broker->session, first, messages, count);
}

void broker_say(struct broker *broker, const struct message *messages, uint32_t count)
{
    while (broker->open_count == 0) {
        expect(broker_listen(broker, 10000) > 0, "no request to answer");
    }
    reply(broker, broker->session, broker->said + 1, messages, count);
    broker->said += count;
}

void broker_welcome(struct broker *broker)
{
    (void)broker_hear(broker, TENDER_HELLO);
    struct message welcome = {.performative = TENDER_WELCOME};
    message_set(&welcome, BROKER, broker, ((tender_bytes){"test", 4}));
    message_set(&welcome, AT, at_us, INT64_C(1764500000000000));
    message_set(&welcome, HEARTBEAT, heartbeat_us, 5000000);
    broker_say(broker, &welcome, 1);
}
