/*
 * The ledger in the loop: see link.h.
 */
#include "link.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "clock.h"
#include "failpoint.h"
#include "log.h"

static void on_committed(void *context, uint64_t batch)
{
    struct link *link = context;
    link->committed = batch;
}

static void on_prior(void *context, uint64_t cookie, const struct ledger_prior *prior)
{
    struct link *link = context;
    hearing_answer(link->hearing, cookie, prior);
}

static void on_request(void *context, const struct ledger_request *request)
{
    struct link *link = context;
    link->had_request = true;
    hearing_request(link->hearing, request);
}

static void on_seat(void *context, const struct ledger_seat *said)
{
    struct link *link = context;
    struct seat *seat = &link->hearing->seats[said->shard];
    assert(said->broker.size <= sizeof(seat->holder) && said->urls.size <= sizeof(seat->urls));
    link->seats++;
    link->brokers = said->brokers;
    link->lower_brokers = said->lower_brokers;
    seat->reign = said->reign;
    seat->is_free = said->is_free;
    seat->holder_size = (uint8_t)said->broker.size;
    seat->urls_size = (uint16_t)said->urls.size;
    memcpy(seat->holder, said->broker.data, said->broker.size);
    memcpy(seat->urls, said->urls.data, said->urls.size);
}

static void on_connection(void *context, bool is_up, const char *why)
{
    struct link *link = context;
    bool is_news = is_up != link->is_up;
    link->is_up = is_up;
    if (!is_news) {
        return;
    }
    if (is_up) {
        failpoint(LINK_BACK);
    } else {
        failpoint(LINK_LOST);
    }
    log_event(is_up ? LOG_LEVEL_INFO : LOG_LEVEL_WARNING, is_up ? "ledger-up" : "ledger-down",
              "why", why);
}

static void on_unsafe(void *context, const char *what)
{
    (void)context;
    log_event(LOG_LEVEL_WARNING, "commits-may-be-lost", "why", what);
}

static void on_clock(void *context, int64_t database_us, int64_t asked_us)
{
    struct link *link = context;
    link->clock = (struct link_clock){database_us, asked_us, clock_boot_us()};
}

static bool on_sign(void *context, tender_checkpoint *checkpoint)
{
    const struct link *link = context;
    uint8_t bytes[TENDER_CHECKPOINT_SIGNED_SIZE];
    if (link->key == NULL) {
        return false;
    }
    memcpy(checkpoint->key, tender_key_public(link->key), sizeof(checkpoint->key));
    tender_checkpoint_bytes(checkpoint, bytes);
    tender_key_sign(link->key, bytes, sizeof(bytes), checkpoint->signature);
    return true;
}

static void on_checkpoint(void *context, const tender_checkpoint *checkpoint)
{
    const struct link *link = context;
    outlet_take(link->outlet, checkpoint);
}

/* Something may be read or written: the turn that follows takes what comes of it. */
static void on_poll(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    link_advance(poll->data, clock_boot_us());
}

int link_open(struct link *link, uv_loop_t *loop, struct hearing *hearing)
{
    memset(link, 0, sizeof(*link));
    link->hearing = hearing;
    link->descriptor = -1;
    link->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (link->epoll < 0 || uv_poll_init(loop, &link->poll, link->epoll) != 0) {
        return TENDER_ESYSTEM;
    }
    link->poll.data = link;
    return uv_poll_start(&link->poll, UV_READABLE, on_poll) == 0 ? 0 : TENDER_ESYSTEM;
}

int link_connect(struct link *link, const struct config *config, const char *urls, char *error,
                 size_t size)
{
    struct ledger_options options = {
        .database = config->database,
        .broker = config->broker,
        .may_lose_commits = config->may_lose_commits != 0,
        .urls = urls,
        .timeline = &link->timeline,
        .lease_us = config->lease_us,
        .checkpoint_us = config->checkpoint_us,
        .key = link->key != NULL ? tender_key_public(link->key) : NULL,
        .handlers = {.context = link,
                     .on_committed = on_committed,
                     .on_prior = on_prior,
                     .on_request = on_request,
                     .on_connection = on_connection,
                     .on_clock = on_clock,
                     .on_unsafe = on_unsafe,
                     .on_sign = on_sign,
                     .on_checkpoint = on_checkpoint,
                     .on_seat = on_seat},
    };
    int status = ledger_open(&options, &link->ledger);
    if (status != 0) {
        snprintf(error, size, "%s",
                 link->ledger != NULL ? ledger_last_error(link->ledger) : "out of memory");
        link_disconnect(link);
        return status;
    }
    link->is_up = true;
    link->clock.heard_us = 0; /* against another stamp it says nothing */
    link->hearing->shard_count = ledger_shard_count(link->ledger);
    link->status = 0;
    link->committed = 0;
    link->seats = 0;
    return 0;
}

void link_disconnect(struct link *link)
{
    if (link->descriptor >= 0) {
        (void)epoll_ctl(link->epoll, EPOLL_CTL_DEL, link->descriptor, NULL);
    }
    ledger_close(link->ledger);
    link->ledger = NULL;
    link->descriptor = -1;
    link->wants = 0;
    link->is_up = false;
}

/*
 * Registers what the ledger wants. While the connection is down a new socket may have the old
 * number, so it is registered anew each time.
 */
static void watch(struct link *link)
{
    int descriptor = ledger_socket(link->ledger);
    int wants = ledger_wants(link->ledger);
    if (link->is_up && descriptor == link->descriptor && wants == link->wants) {
        return;
    }
    if (link->descriptor >= 0 && link->descriptor != descriptor) {
        (void)epoll_ctl(link->epoll, EPOLL_CTL_DEL, link->descriptor, NULL);
    }
    link->descriptor = descriptor;
    link->wants = wants;
    if (descriptor < 0) {
        return;
    }
    struct epoll_event event = {.data.fd = descriptor};
    event.events = ((wants & LEDGER_WANTS_READ) != 0 ? (uint32_t)EPOLLIN : 0) |
                   ((wants & LEDGER_WANTS_WRITE) != 0 ? (uint32_t)EPOLLOUT : 0);
    if (epoll_ctl(link->epoll, EPOLL_CTL_MOD, descriptor, &event) != 0 && errno == ENOENT) {
        (void)epoll_ctl(link->epoll, EPOLL_CTL_ADD, descriptor, &event);
    }
}

void link_advance(struct link *link, int64_t boot_us)
{
    bool was_up = link->is_up;
    if (link->ledger == NULL || link->status != 0) {
        return;
    }
    link->status = ledger_advance(link->ledger, boot_us);
    if (link->is_up && !was_up) {
        link->descriptor = -1; /* a new socket, even where it has the old number */
    }
    watch(link);
}
