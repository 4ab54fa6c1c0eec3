/* See offline.h. */
#include "offline.h"

#include <assert.h>
#include <errno.h>
#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include "pacer.h"
#include "proving.h"

#define CONTEXTS  2 /* of a session */
#define PACED_MAX (OFFLINE_LINES_MAX + 1)

struct nng_msg {
    size_t size;
    uint8_t bytes[];
};

struct nng_aio {
    void (*callback)(void *context);
    void *context;
    struct nng_msg *message;
    int result;
};

/*
 * A context; `order` is 0 where it carries no request. `is_sent`: the SDK has been told that it
 * left. It is told so only when the request is answered: nng calls back from threads of its own.
 */
static struct lane_of_test {
    struct nng_aio *aio;
    struct nng_msg *request;
    bool is_sent;
    unsigned order;
} contexts[OFFLINE_LINES_MAX][CONTEXTS];

static unsigned order_last;
static uint8_t random_last;
static bool is_open[OFFLINE_LINES_MAX];
static unsigned chosen;
static uint32_t context_counts[OFFLINE_LINES_MAX];
static int64_t now_us;
static struct paced *paced[PACED_MAX];
static bool (*allocation_fails)(void);

void offline_reset(void)
{
    memset(contexts, 0, sizeof contexts);
    order_last = 0;
    random_last = 0;
    memset(is_open, 0, sizeof is_open);
    chosen = 0;
    memset(context_counts, 0, sizeof context_counts);
    now_us = 1000000;
    memset(paced, 0, sizeof paced);
    allocation_fails = NULL;
}

void offline_choose(unsigned line)
{
    assert(line < OFFLINE_LINES_MAX);
    chosen = line;
}

void offline_fail_allocation(bool (*fails)(void))
{
    allocation_fails = fails;
}

/* The context that has waited longest, or NULL. */
static struct lane_of_test *oldest(void)
{
    struct lane_of_test *found = NULL;
    for (size_t i = 0; i < CONTEXTS; i++) {
        struct lane_of_test *lane = &contexts[chosen][i];
        if (lane->order != 0 && (found == NULL || lane->order < found->order)) {
            found = lane;
        }
    }
    return found;
}

/* Answers whoever asks who is there, so that the driver sees only what comes after. */
static void challenge(void)
{
    struct lane_of_test *lane = oldest();
    while (lane != NULL) {
        const uint8_t *bytes = lane->request->bytes;
        size_t size = lane->request->size;
        struct wire_header header = {.has_tail = true};
        uint8_t answer[PROVING_REPLY_SIZE];
        size_t answer_size = 0;
        bool is_question = size > 20 + 2 + PROOF_QUESTION_SIZE && bytes[0] == 0x96 &&
                           bytes[size - PROOF_QUESTION_SIZE - 2] == 0xc4 &&
                           bytes[size - PROOF_QUESTION_SIZE - 1] == PROOF_QUESTION_SIZE;
        if (!is_question) {
            return;
        }
        memcpy(header.session, bytes + 4, sizeof header.session);
        header.tail = (tender_bytes){bytes + size - PROOF_QUESTION_SIZE, PROOF_QUESTION_SIZE};
        proving_answer(&header, answer, &answer_size);
        offline_reply(answer, answer_size);
        lane = oldest();
    }
}

bool offline_is_asked(void)
{
    challenge();
    return oldest() != NULL;
}

const uint8_t *offline_request(size_t *size_out)
{
    challenge();
    struct lane_of_test *lane = oldest();
    *size_out = lane == NULL ? 0 : lane->request->size;
    return lane == NULL ? NULL : lane->request->bytes;
}

static void call_back(struct nng_aio *aio, struct nng_msg *message, int result)
{
    aio->message = message;
    aio->result = result;
    aio->callback(aio->context);
}

/* Ends the request. One that had not left is the SDK's again. */
static void fail(struct lane_of_test *lane, int error)
{
    struct lane_of_test failed = *lane;
    *lane = (struct lane_of_test){0};
    if (failed.is_sent) {
        nng_msg_free(failed.request);
    }
    call_back(failed.aio, failed.is_sent ? NULL : failed.request, error);
}

void offline_reply(const void *bytes, size_t size)
{
    struct lane_of_test *lane = oldest();
    struct nng_msg *message = NULL;
    if (lane == NULL) {
        return;
    }
    if (!lane->is_sent) {
        lane->is_sent = true;
        call_back(lane->aio, NULL, 0);
    }
    if (nng_msg_alloc(&message, size) != 0) {
        fail(lane, NNG_ENOMEM);
        return;
    }
    if (size > 0) {
        memcpy(message->bytes, bytes, size);
    }
    struct lane_of_test answered = *lane;
    *lane = (struct lane_of_test){0};
    nng_msg_free(answered.request);
    call_back(answered.aio, message, 0);
}

void offline_fail(int error)
{
    struct lane_of_test *lane = oldest();
    if (lane != NULL) {
        fail(lane, error);
    }
}

void offline_advance(int64_t us)
{
    now_us += us;
    for (size_t i = 0; i < PACED_MAX; i++) {
        if (paced[i] != NULL && atomic_load(&paced[i]->wake_at_us) <= now_us) {
            atomic_store(&paced[i]->wake_at_us, INT64_MAX);
            paced[i]->wake(paced[i]);
        }
    }
}

/* The clock. */

int __wrap_clock_gettime(clockid_t id, struct timespec *out);
int __wrap_clock_gettime(clockid_t id, struct timespec *out)
{
    (void)id;
    *out = (struct timespec){.tv_sec = now_us / 1000000, .tv_nsec = now_us % 1000000 * 1000};
    return 0;
}

/* Randomness is the same each time, and there are no threads. */

ssize_t __wrap_getrandom(void *bytes, size_t size, unsigned flags);
ssize_t __wrap_getrandom(void *bytes, size_t size, unsigned flags)
{
    (void)flags;
    random_last++;
    memset(bytes, random_last, size);
    return (ssize_t)size;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *context), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *context), void *context)
{
    (void)thread;
    (void)attributes;
    (void)run;
    (void)context;
    return EAGAIN;
}

/* The pacer: whoever drives the SDK wakes it. */

static struct paced **find_paced(const struct paced *wanted)
{
    for (size_t i = 0; i < PACED_MAX; i++) {
        if (paced[i] == wanted) {
            return &paced[i];
        }
    }
    return NULL;
}

int pacer_add(struct paced *added)
{
    struct paced **free_one = find_paced(NULL);
    assert(free_one != NULL);
    *free_one = added;
    return 0;
}

void pacer_remove(struct paced *removed)
{
    *find_paced(removed) = NULL;
}

void pacer_arm(struct paced *armed, int64_t at_us)
{
    if (at_us < atomic_load(&armed->wake_at_us)) {
        atomic_store(&armed->wake_at_us, at_us);
    }
}

/* nng: messages */

int nng_msg_alloc(nng_msg **message_out, size_t size)
{
    bool fails = allocation_fails != NULL && allocation_fails();
    struct nng_msg *message = fails ? NULL : malloc(sizeof *message + size);
    *message_out = message;
    if (message == NULL) {
        return NNG_ENOMEM;
    }
    message->size = size;
    return 0;
}

void nng_msg_free(nng_msg *message)
{
    free(message);
}

void *nng_msg_body(nng_msg *message)
{
    return message->bytes;
}

size_t nng_msg_len(const nng_msg *message)
{
    return message->size;
}

/* nng: asynchronous operations, which end when the driver says so */

int nng_aio_alloc(nng_aio **aio_out, void (*callback)(void *context), void *context)
{
    bool fails = allocation_fails != NULL && allocation_fails();
    struct nng_aio *aio = fails ? NULL : calloc(1, sizeof *aio);
    *aio_out = aio;
    if (aio == NULL) {
        return NNG_ENOMEM;
    }
    aio->callback = callback;
    aio->context = context;
    return 0;
}

void nng_aio_free(nng_aio *aio)
{
    free(aio);
}

/* The operation ends as closed, and its callback has run when this returns. */
void nng_aio_stop(nng_aio *aio)
{
    for (size_t i = 0; i < OFFLINE_LINES_MAX * CONTEXTS; i++) {
        struct lane_of_test *lane = &contexts[i / CONTEXTS][i % CONTEXTS];
        if (lane->order != 0 && lane->aio == aio) {
            fail(lane, NNG_ECLOSED);
        }
    }
}

int nng_aio_result(nng_aio *aio)
{
    return aio->result;
}

nng_msg *nng_aio_get_msg(nng_aio *aio)
{
    return aio->message;
}

void nng_aio_set_msg(nng_aio *aio, nng_msg *message)
{
    aio->message = message;
}

/* nng: contexts; identifiers count from 1, those of the first socket first */

int nng_ctx_open(nng_ctx *context_out, nng_socket socket)
{
    uint32_t line = socket.id - 1;
    context_out->id = line * CONTEXTS + 1 + context_counts[line]++ % CONTEXTS;
    return 0;
}

int nng_ctx_close(nng_ctx context)
{
    (void)context;
    return 0;
}

void nng_ctx_send(nng_ctx context, nng_aio *aio)
{
    contexts[(context.id - 1) / CONTEXTS][(context.id - 1) % CONTEXTS] =
        (struct lane_of_test){.aio = aio, .request = aio->message, .order = ++order_last};
}

/* What was sent is being answered: see offline_reply. */
void nng_ctx_recv(nng_ctx context, nng_aio *aio)
{
    (void)context;
    (void)aio;
}

/* nng: the socket and its dialer */

int nng_req0_open(nng_socket *socket_out)
{
    uint32_t line = 0;
    while (is_open[line]) {
        line++;
        assert(line < OFFLINE_LINES_MAX);
    }
    is_open[line] = true;
    context_counts[line] = 0;
    socket_out->id = line + 1;
    return 0;
}

int nng_close(nng_socket socket)
{
    is_open[socket.id - 1] = false;
    return 0;
}

int nng_socket_set_ms(nng_socket socket, const char *option, nng_duration value)
{
    (void)socket;
    (void)option;
    (void)value;
    return 0;
}

int nng_socket_set_size(nng_socket socket, const char *option, size_t value)
{
    (void)socket;
    (void)option;
    (void)value;
    return 0;
}

int nng_dialer_create(nng_dialer *dialer_out, nng_socket socket, const char *url)
{
    (void)socket;
    (void)url;
    dialer_out->id = 1;
    return 0;
}

int nng_dialer_set_ms(nng_dialer dialer, const char *option, nng_duration value)
{
    (void)dialer;
    (void)option;
    (void)value;
    return 0;
}

int nng_dialer_start(nng_dialer dialer, int flags)
{
    (void)dialer;
    (void)flags;
    return 0;
}

int nng_dialer_close(nng_dialer dialer)
{
    (void)dialer;
    return 0;
}

const char *nng_strerror(int error)
{
    (void)error;
    return "nng is a substitute here";
}
