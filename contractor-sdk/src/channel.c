/*
 * Channels: opening, leaving and closing them. See channel.h.
 */
#include "channel.h"

#include <nng/protocol/reqrep0/req.h>
#include <stdlib.h>

#include "clock.h"
#include "session.h"

/* How many channels a session may have left that are not closed yet, and for how long. */
#define LEFT_COUNT_MAX 2
#define LEFT_US        INT64_C(60000000)
/* How long closing a socket may take. */
#define CLOSE_US 1000000

static int open_lane(struct channel *channel, struct lane *lane, struct session *session)
{
    lane->session = session;
    lane->channel = channel;
    int result = nng_aio_alloc(&lane->aio, session_on_lane, lane);
    return result != 0 ? result : nng_ctx_open(&lane->context, channel->socket);
}

int channel_open(struct session *session, struct channel **channel_out)
{
    struct channel *channel = calloc(1, sizeof *channel);
    if (channel == NULL) {
        return NNG_ENOMEM;
    }
    int result = nng_req0_open(&channel->socket);
    if (result != 0) {
        free(channel);
        return result;
    }
    (void)nng_socket_set_ms(channel->socket, NNG_OPT_REQ_RESENDTIME, NNG_DURATION_INFINITE);
    (void)nng_socket_set_size(channel->socket, NNG_OPT_RECVMAXSZ, TENDER_FRAME_MAX + 64);
    for (size_t i = 0; i < 2 && result == 0; i++) {
        result = open_lane(channel, &channel->lanes[i], session);
    }
    if (result != 0) {
        channel_close(channel);
        return result;
    }
    *channel_out = channel;
    return 0;
}

static void *run_close(void *context)
{
    nng_socket *socket = context;
    (void)nng_close(*socket);
    free(socket);
    return NULL;
}

/* By a thread of its own, which is left behind if it is not done in time. */
static void close_socket(nng_socket socket)
{
    pthread_t thread;
    nng_socket *copy = malloc(sizeof *copy);
    if (copy != NULL) {
        *copy = socket;
    }
    if (copy == NULL || pthread_create(&thread, NULL, run_close, copy) != 0) {
        free(copy);
        (void)nng_close(socket);
        return;
    }
    struct timespec until = clock_at(clock_us() + CLOSE_US);
    if (pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &until) != 0) {
        (void)pthread_detach(thread);
    }
}

void channel_close(struct channel *channel)
{
    for (size_t i = 0; i < 2; i++) {
        struct lane *lane = &channel->lanes[i];
        if (lane->context.id != 0) {
            (void)nng_ctx_close(lane->context);
        }
        if (lane->aio != NULL) {
            nng_aio_stop(lane->aio);
        }
    }
    close_socket(channel->socket);
    for (size_t i = 0; i < 2; i++) {
        struct lane *lane = &channel->lanes[i];
        if (lane->state == LANE_HELD) {
            nng_msg_free(lane->held);
        }
        if (lane->aio != NULL) {
            nng_aio_free(lane->aio);
        }
    }
    free(channel);
}

static bool is_awaiting(const struct channel *channel)
{
    return channel->lanes[0].state == LANE_WAITING || channel->lanes[1].state == LANE_WAITING;
}

static bool is_quiet(const struct channel *channel)
{
    return !lane_is_in_flight(&channel->lanes[0]) && !lane_is_in_flight(&channel->lanes[1]);
}

void channel_hang_up(struct channel *channel)
{
    if (channel->has_dialer) {
        channel->has_dialer = false;
        (void)nng_dialer_close(channel->dialer);
    }
}

bool channel_leave(struct session *session)
{
    struct channel *next;
    struct channel *channel = session->channel;
    if (!is_awaiting(channel) || channel_open(session, &next) != 0) {
        return false;
    }
    channel->left_us = clock_us();
    channel->next = session->left_channels;
    session->left_channels = channel;
    session->channel = next;
    for (size_t i = 0; i < 2; i++) {
        if (channel->lanes[i].state == LANE_SENDING) {
            nng_aio_abort(channel->lanes[i].aio, NNG_ECANCELED); /* it is said by the next one */
        }
    }
    return true;
}

void channel_on_left(struct lane *lane, int result)
{
    bool is_sending = lane->state == LANE_SENDING;
    if (result == 0 && is_sending) { /* it had left already */
        lane->state = LANE_WAITING;
        nng_ctx_recv(lane->context, lane->aio);
        return;
    }
    if (result == 0 || is_sending) {
        nng_msg_free(nng_aio_get_msg(lane->aio));
    }
    lane->state = LANE_IDLE;
    if (is_quiet(lane->channel)) {
        pacer_arm(&lane->session->paced, clock_us());
    }
}

struct channel *channel_take_ended(struct session *session, int64_t now_us)
{
    struct channel *ended = NULL;
    struct channel **link = &session->left_channels;
    size_t count = 0;
    while (*link != NULL) { /* the youngest first */
        struct channel *channel = *link;
        count++;
        if (is_quiet(channel) || count > LEFT_COUNT_MAX || now_us - channel->left_us > LEFT_US) {
            *link = channel->next;
            channel->next = ended;
            ended = channel;
        } else {
            link = &channel->next;
        }
    }
    return ended;
}

void channel_close_all(struct channel *channels)
{
    while (channels != NULL) {
        struct channel *next = channels->next;
        channel_close(channels);
        channels = next;
    }
}
