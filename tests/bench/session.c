#include "session.h"

#include <nng/protocol/reqrep0/req.h>

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#define MESSAGE_SIZE_MAX 66560
#define HEARTBEAT_US     INT64_C(60000000)

struct arrivals {
    pthread_mutex_t mutex;
    pthread_cond_t came;
    struct request *first;
    struct request **last;
};

_Noreturn void bench_fail(const char *format, ...)
{
    va_list arguments;
    fputs("lifecycle: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

/* The key by which every session of the load is proved. */
static const struct tender_key *bench_key(void)
{
    static struct tender_key *key;
    char problem[TENDER_KEY_PROBLEM_SIZE] = "it is not set";
    const char *path = getenv("TENDER_KEY");
    if (key == NULL && (path == NULL || tender_key_read(path, &key, problem) != 0)) {
        bench_fail("TENDER_KEY: %s", problem);
    }
    return key;
}

static void check(int status, const char *what)
{
    if (status != 0) {
        bench_fail("%s: %s", what, nng_strerror(status));
    }
}

struct arrivals *arrivals_open(void)
{
    struct arrivals *arrivals = calloc(1, sizeof *arrivals);
    pthread_condattr_t attributes;
    if (arrivals == NULL) {
        bench_fail("out of memory");
    }
    pthread_mutex_init(&arrivals->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&arrivals->came, &attributes);
    pthread_condattr_destroy(&attributes);
    arrivals->last = &arrivals->first;
    return arrivals;
}

static void arrivals_put(struct arrivals *arrivals, struct request *request)
{
    pthread_mutex_lock(&arrivals->mutex);
    bool was_empty = arrivals->first == NULL;
    request->next = NULL;
    *arrivals->last = request;
    arrivals->last = &request->next;
    pthread_mutex_unlock(&arrivals->mutex);
    if (was_empty) {
        pthread_cond_signal(&arrivals->came);
    }
}

struct request *arrivals_take(struct arrivals *arrivals, int timeout_ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += timeout_ms / 1000;
    pthread_mutex_lock(&arrivals->mutex);
    while (arrivals->first == NULL &&
           pthread_cond_timedwait(&arrivals->came, &arrivals->mutex, &until) == 0) {
    }
    struct request *taken = arrivals->first;
    arrivals->first = NULL;
    arrivals->last = &arrivals->first;
    pthread_mutex_unlock(&arrivals->mutex);
    return taken;
}

/* On a thread of the transport: the request is sent, or its reply is there. */
static void on_progress(void *argument)
{
    struct request *request = argument;
    int status = nng_aio_result(request->aio);
    if (status == NNG_ECLOSED || status == NNG_ECANCELED) {
        return;
    }
    check(status, "the connection to the broker was lost in the middle of a phase");
    if (request->is_sending) {
        request->is_sending = false;
        nng_ctx_recv(request->context, request->aio);
        return;
    }
    request->reply = nng_aio_get_msg(request->aio);
    arrivals_put(request->session->arrivals, request);
}

/* Asks who answers; the first request then proves who asks. */
static void ask(struct session *session)
{
    static const uint8_t question[PROOF_QUESTION_SIZE];
    uint8_t bytes[WIRE_HEADER_SIZE + WIRE_TAIL_SIZE];
    struct wire_header header = {
        .version = WIRE_VERSION, .first = 1, .has_tail = true, .tail = {question, sizeof question}};
    struct wire_reader *reader;
    nng_msg *frame;
    const char *why = "";
    memcpy(header.session, session->id, sizeof header.session);
    int size = wire_pack_header(&header, bytes, sizeof bytes);
    int more = wire_pack_tail(&header, bytes + size, sizeof bytes - (size_t)size);
    check(nng_msg_alloc(&frame, 0), "message");
    check(nng_msg_append(frame, bytes, (size_t)(size + more)), "message");
    check(nng_sendmsg(session->socket, frame, 0), "question");
    check(nng_recvmsg(session->socket, &frame, 0), "challenge");
    if (wire_reader_open(&reader) != 0 ||
        wire_open(reader, nng_msg_body(frame), nng_msg_len(frame), &header, &why) != 0 ||
        header.tail.size != PROOF_CHALLENGE_SIZE) {
        bench_fail("the broker does not challenge: %s", why);
    }
    memcpy(session->challenge, header.tail.data, PROOF_CHALLENGE_SIZE);
    wire_reader_close(reader);
    nng_msg_free(frame);
}

static void request_open(struct request *request, struct session *session)
{
    request->session = session;
    check(nng_ctx_open(&request->context, session->socket), "context");
    check(nng_aio_alloc(&request->aio, on_progress, request), "aio");
}

void session_open(struct session *session, struct arrivals *arrivals, const char *url,
                  const char *name, const char *principal)
{
    session->arrivals = arrivals;
    check(nng_req0_open(&session->socket), "socket");
    check(nng_socket_set_ms(session->socket, NNG_OPT_REQ_RESENDTIME, NNG_DURATION_INFINITE),
          "resend time");
    check(nng_dial(session->socket, url, NULL, 0), url);
    for (int i = 0; i < SESSION_REQUESTS; i++) {
        request_open(&session->requests[i], session);
    }
    if (getrandom(session->id, sizeof session->id, 0) != sizeof session->id) {
        bench_fail("no random bytes");
    }
    ask(session);
    (void)snprintf(session->name, sizeof session->name, "%s", name);
    (void)snprintf(session->principal, sizeof session->principal, "%s", principal);
    struct message hello = {.performative = TENDER_HELLO};
    tender_bytes name_bytes = {name, strlen(name)};
    tender_bytes principal_bytes = {principal, strlen(principal)};
    message_set(&hello, NAME, name, name_bytes);
    message_set(&hello, PRINCIPAL, principal, principal_bytes);
    message_set(&hello, HEARTBEAT, heartbeat_us, HEARTBEAT_US);
    session_say(session, &hello);
}

void session_say(struct session *session, const struct message *message)
{
    if (session->said_capacity - session->said_size < MESSAGE_SIZE_MAX) {
        session->said_capacity = session->said_size * 2 + 2 * (size_t)MESSAGE_SIZE_MAX;
        session->said = realloc(session->said, session->said_capacity);
        if (session->said == NULL) {
            bench_fail("out of memory");
        }
    }
    int size = wire_pack_message(message, session->said + session->said_size,
                                 session->said_capacity - session->said_size);
    if (size < 0) {
        bench_fail("a message does not fit");
    }
    session->said_size += (size_t)size;
    session->said_count++;
}

/* False for a reply that must wait for the one before it. */
static bool hear_frame(struct session *session, nng_msg *frame, struct wire_reader *reader)
{
    struct wire_header header;
    const char *why = "";
    if (wire_open(reader, nng_msg_body(frame), nng_msg_len(frame), &header, &why) != 0) {
        bench_fail("the broker's exchange: %s", why);
    }
    if (header.first > session->heard + 1) {
        return false;
    }
    struct message message;
    for (uint64_t number = header.first; wire_next(reader, &message) == 1; number++) {
        if (header.first == 0) {
            bench_fail("the broker does not know the session");
        }
        if (number == session->heard + 1) {
            session->heard++;
            session->hears(session, &message);
        }
    }
    return true;
}

void session_hear(struct session *session, struct request *request, struct wire_reader *reader)
{
    nng_msg *frame = request->reply;
    request->reply = NULL;
    request->is_open = false;
    session->open_count--;
    session->exchanges++;
    if (!hear_frame(session, frame, reader)) {
        session->held = frame;
        return;
    }
    nng_msg_free(frame);
    if (session->held != NULL && hear_frame(session, session->held, reader)) {
        nng_msg_free(session->held);
        session->held = NULL;
    }
}

/* The tail by which the first request proves the connection. */
static tender_bytes prove(struct session *session, uint8_t proof[PROOF_SIZE])
{
    struct proof_claim claim = {.challenge = session->challenge,
                                .session = session->id,
                                .name = {session->name, strlen(session->name)},
                                .principal = {session->principal, strlen(session->principal)}};
    if (session->number > 0) {
        return (tender_bytes){NULL, 0};
    }
    proof_make(bench_key(), &claim, proof);
    return (tender_bytes){proof, PROOF_SIZE};
}

static nng_msg *frame_of(struct session *session)
{
    uint8_t head[WIRE_HEADER_SIZE];
    uint8_t end[WIRE_TAIL_SIZE];
    uint8_t proof[PROOF_SIZE];
    nng_msg *frame;
    struct wire_header header = {.version = WIRE_VERSION,
                                 .first = session->number + 1,
                                 .heard = session->heard,
                                 .count = session->said_count,
                                 .tail = prove(session, proof)};
    header.has_tail = header.tail.size > 0;
    memcpy(header.session, session->id, sizeof header.session);
    int size = wire_pack_header(&header, head, sizeof head);
    int more = header.has_tail ? wire_pack_tail(&header, end, sizeof end) : 0;
    if (size < 0 || more < 0) {
        bench_fail("a header does not fit");
    }
    check(nng_msg_alloc(&frame, 0), "message");
    check(nng_msg_append(frame, head, (size_t)size), "message");
    check(nng_msg_append(frame, session->said, session->said_size), "message");
    check(nng_msg_append(frame, end, (size_t)more), "message");
    session->number += session->said_count;
    session->said_count = 0;
    session->said_size = 0;
    return frame;
}

void session_speak(struct session *session)
{
    if (session->open_count == SESSION_REQUESTS ||
        (session->said_count == 0 && session->open_count > 0)) {
        return;
    }
    struct request *request = &session->requests[session->requests[0].is_open ? 1 : 0];
    request->is_open = true;
    request->is_sending = true;
    session->open_count++;
    nng_aio_set_msg(request->aio, frame_of(session));
    nng_ctx_send(request->context, request->aio);
}
