/*
 * A contractor inside a host's own loop, here libuv: the library's descriptor is polled like any
 * other, and work is a timer, so nothing blocks and nothing runs on another thread.
 *
 * It offers `summarise.en`, bids by the unit, and holds up to SLOTS commitments at the same time.
 */
#include <tender/contractor.h>

#include <uv.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SLOTS      4
#define UNIT_MICRO INT64_C(50000)
#define UNIT_MS    200 /* of work, for each unit */

/* One commitment that is worked on. The timer comes first: its address is the job's. */
struct job {
    uv_timer_t timer;
    tender_contractor *self;
    tender_commitment commitment;
    int64_t units;
};

static void hear(uv_loop_t *loop, tender_contractor *self);

static void on_closed(uv_handle_t *handle)
{
    free(handle);
}

static void on_work_done(uv_timer_t *timer)
{
    struct job *job = (struct job *)timer;
    tender_bytes result = {"In short: yes.", 14};
    printf("done: %" PRId64 " units\n", job->units);
    if (tender_inform_done(job->self, job->commitment, job->units, result) != 0) {
        fprintf(stderr, "uv-contractor: %s\n", tender_contractor_last_error(job->self));
    }
    hear(timer->loop, job->self); /* what was said leaves here */
    uv_close((uv_handle_t *)timer, on_closed);
}

static int take_award(uv_loop_t *loop, tender_contractor *self, const tender_award *award)
{
    tender_bytes nothing = {NULL, 0};
    struct job *job = calloc(1, sizeof(*job));
    if (job == NULL) {
        return tender_failure(self, award->commitment, 0, TENDER_REASON_INTERNAL_ERROR,
                              "out of memory", nothing);
    }
    job->self = self;
    job->commitment = award->commitment;
    job->units = award->units;
    uv_timer_init(loop, &job->timer);
    return uv_timer_start(&job->timer, on_work_done, (uint64_t)award->units * UNIT_MS, 0);
}

static int answer_cfp(tender_contractor *self, const tender_cfp *cfp)
{
    tender_bid bid = {.cost_micro = cfp->units * UNIT_MICRO,
                      .eta_us = (cfp->units * UNIT_MS + 5000) * 1000};
    if (bid.cost_micro > cfp->ceiling_micro) {
        return tender_refuse(self, cfp, TENDER_REASON_TOO_LITTLE_PAY);
    }
    if (bid.eta_us > cfp->due_us) {
        return tender_refuse(self, cfp, TENDER_REASON_CANNOT_MEET_DUE);
    }
    return tender_propose(self, cfp, &bid);
}

/* Takes events until there are none; what was said since the last time leaves with it. */
static void hear(uv_loop_t *loop, tender_contractor *self)
{
    const tender_event *event = NULL;
    int status = 0;
    while ((status = tender_contractor_next(self, 0, &event)) > 0) {
        if (event->kind == TENDER_EVENT_CFP) {
            status = answer_cfp(self, &event->cfp);
        } else if (event->kind == TENDER_EVENT_ACCEPT_PROPOSAL) {
            status = take_award(loop, self, &event->accept_proposal);
        }
        if (status < 0) {
            break;
        }
    }
    if (status < 0) {
        fprintf(stderr, "uv-contractor: %s\n", tender_contractor_last_error(self));
        uv_stop(loop);
    }
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    hear(poll->loop, poll->data);
}

static void on_signal(uv_signal_t *signal, int number)
{
    (void)number;
    uv_stop(signal->loop);
}

int main(void)
{
    uv_loop_t *loop = uv_default_loop();
    uv_poll_t readable = {0};
    uv_signal_t terminate = {0};
    tender_options options = TENDER_OPTIONS_INIT;
    options.broker_url = getenv("TENDER_URL");
    options.name = "uv-contractor";
    options.slots = SLOTS;
    options.connect_timeout_ms = 0; /* a loop does not wait; `contact` events tell */

    tender_contractor *self = NULL;
    int status = tender_contractor_open(&options, &self);
    if (status == 0) {
        status = tender_contractor_offer(self, "summarise.en");
    }
    if (status != 0) {
        fprintf(stderr, "uv-contractor: %s\n", tender_contractor_last_error(self));
        tender_contractor_close(self);
        return 1;
    }
    uv_poll_init(loop, &readable, tender_contractor_fd(self));
    readable.data = self;
    uv_poll_start(&readable, UV_READABLE, on_readable);
    uv_signal_init(loop, &terminate);
    uv_signal_start(&terminate, on_signal, SIGTERM);
    uv_run(loop, UV_RUN_DEFAULT);
    uv_poll_stop(&readable);
    tender_contractor_close(self);
    return 0;
}
