/*
 * A contractor of a replay: bids what the tokens cost at its tier, with an eta from what it holds
 * and has bid for, refuses what does not fit into slots and queue, and works by waiting.
 */
#include "replay.h"

#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* A bid that may still win. */
struct standing {
    tender_id task;
    int64_t round;
    int64_t tokens;
    UT_hash_handle hh;
};

/* A commitment that is held. */
struct job {
    tender_commitment commitment;
    int64_t tokens;
    bool is_running;
    bool is_over;     /* cancelled while its timer runs */
    struct job *next; /* in the queue */
    UT_hash_handle hh;
};

struct worker {
    struct replay *replay;
    const struct tier *tier;
    tender_contractor *contractor;
    struct standing *standing;
    struct job *jobs;
    struct job *queue_first;
    struct job **queue_last;
    size_t held;
    size_t running;
    int64_t tokens_ahead; /* of all that is held or may be won */
    uint64_t late;
};

static void standing_end(struct worker *worker, tender_id task)
{
    struct standing *standing = NULL;
    HASH_FIND(hh, worker->standing, &task, sizeof(task), standing);
    if (standing != NULL) {
        HASH_DEL(worker->standing, standing);
        worker->tokens_ahead -= standing->tokens;
        free(standing);
    }
}

static int standing_begin(struct worker *worker, const tender_cfp *cfp)
{
    standing_end(worker, cfp->task);
    struct standing *standing = calloc(1, sizeof(*standing));
    if (standing == NULL) {
        return TENDER_ENOMEM;
    }
    standing->task = cfp->task;
    standing->round = cfp->round;
    standing->tokens = cfp->units;
    HASH_ADD(hh, worker->standing, task, sizeof(standing->task), standing);
    worker->tokens_ahead += standing->tokens;
    return 0;
}

static void job_free(struct worker *worker, struct job *job)
{
    worker->held--;
    worker->tokens_ahead -= job->tokens;
    HASH_DEL(worker->jobs, job);
    free(job);
}

static void start_waiting(struct worker *worker);

static void job_done(void *context, void *subject)
{
    struct worker *worker = context;
    struct job *job = subject;
    worker->running--;
    if (!job->is_over) {
        replay_note(worker->replay, tender_inform_done(worker->contractor, job->commitment,
                                                       job->tokens, (tender_bytes){NULL, 0}));
    }
    job_free(worker, job);
    start_waiting(worker);
}

/* Starts the oldest that wait, while slots are free. */
static void start_waiting(struct worker *worker)
{
    struct replay *replay = worker->replay;
    while (worker->queue_first != NULL && worker->running < (size_t)worker->tier->slots) {
        struct job *job = worker->queue_first;
        worker->queue_first = job->next;
        if (worker->queue_first == NULL) {
            worker->queue_last = &worker->queue_first;
        }
        job->is_running = true;
        worker->running++;
        int64_t work_us = replay_scale(replay, tier_estimate(worker->tier, job->tokens, 0).eta_us);
        replay_note(replay,
                    timers_add(&replay->timers, session_now_us() + work_us, job_done, worker, job));
    }
}

static void on_award(struct worker *worker, const tender_award *award)
{
    struct job *job = NULL;
    standing_end(worker, award->commitment.task);
    HASH_FIND(hh, worker->jobs, &award->commitment, sizeof(award->commitment), job);
    if (job != NULL) {
        return; /* told again */
    }
    job = calloc(1, sizeof(*job));
    if (job == NULL) {
        replay_note(worker->replay, TENDER_ENOMEM);
        return;
    }
    job->commitment = award->commitment;
    job->tokens = award->units;
    HASH_ADD(hh, worker->jobs, commitment, sizeof(job->commitment), job);
    worker->held++;
    worker->tokens_ahead += job->tokens;
    *worker->queue_last = job;
    worker->queue_last = &job->next;
    start_waiting(worker);
}

static void on_cancel(struct worker *worker, tender_commitment commitment)
{
    struct job *job = NULL;
    HASH_FIND(hh, worker->jobs, &commitment, sizeof(commitment), job);
    if (job == NULL) {
        return;
    }
    job->is_over = true;
    if (!job->is_running) {
        struct job **link = &worker->queue_first;
        while (*link != job) {
            link = &(*link)->next;
        }
        *link = job->next;
        worker->queue_last = worker->queue_last == &job->next ? link : worker->queue_last;
        job_free(worker, job);
    }
}

static void on_cfp(struct worker *worker, const tender_cfp *cfp)
{
    tender_cost_estimate estimate = tier_estimate(worker->tier, cfp->units, worker->tokens_ahead);
    /* A quarter more for the unforeseen: the eta is a promise. */
    tender_bid bid = {.cost_micro = estimate.cost_micro,
                      .eta_us = replay_scale_span(worker->replay, estimate.eta_us * 5 / 4)};
    size_t room = (size_t)(worker->tier->slots + worker->tier->queue);
    tender_reason reason = TENDER_REASON_NONE;
    if (worker->held + HASH_COUNT(worker->standing) >= room) {
        reason = TENDER_REASON_OVER_CAPACITY;
    } else if (bid.cost_micro > cfp->ceiling_micro) {
        reason = TENDER_REASON_TOO_LITTLE_PAY;
    } else if (bid.eta_us > cfp->due_us) {
        reason = TENDER_REASON_CANNOT_MEET_DUE;
    }
    int status = reason == TENDER_REASON_NONE ? tender_propose(worker->contractor, cfp, &bid)
                                              : tender_refuse(worker->contractor, cfp, reason);
    if (status == 0 && reason == TENDER_REASON_NONE) {
        status = standing_begin(worker, cfp);
    }
    replay_note(worker->replay, status);
}

static void on_event(struct worker *worker, const tender_event *event)
{
    switch (event->kind) {
    case TENDER_EVENT_CFP:
        on_cfp(worker, &event->cfp);
        break;
    case TENDER_EVENT_ACCEPT_PROPOSAL:
        on_award(worker, &event->accept_proposal);
        break;
    case TENDER_EVENT_REJECT_PROPOSAL:
        standing_end(worker, event->reject_proposal.task);
        break;
    case TENDER_EVENT_CANCEL:
        on_cancel(worker, event->cancel.commitment);
        break;
    case TENDER_EVENT_LOST:
        on_cancel(worker, event->lost);
        break;
    case TENDER_EVENT_NOT_UNDERSTOOD:
        worker->late++;
        break;
    case TENDER_EVENT_DISPUTE:
        fprintf(stderr, "replay: %s\n", event->dispute.claim);
        break;
    case TENDER_EVENT_INFORM:
    case TENDER_EVENT_CONTACT:
    case TENDER_EVENT_BELIEF:
        break;
    }
}

void worker_turn(struct worker *worker)
{
    const tender_event *event = NULL;
    int status;
    while ((status = tender_contractor_next(worker->contractor, 0, &event)) > 0) {
        on_event(worker, event);
    }
    replay_note(worker->replay, status);
}

int worker_open(struct replay *replay, const struct tier *tier, uint32_t timeout_ms,
                struct worker **worker_out)
{
    struct worker *worker = calloc(1, sizeof(*worker));
    *worker_out = worker;
    if (worker == NULL) {
        return TENDER_ENOMEM;
    }
    worker->replay = replay;
    worker->tier = tier;
    worker->queue_last = &worker->queue_first;
    tender_options options = session_options(replay->arguments);
    options.name = tier->name;
    options.principal = tier->principal;
    options.slots = (uint32_t)(tier->slots + tier->queue);
    options.connect_timeout_ms = timeout_ms;
    int status = tender_contractor_open(&options, &worker->contractor);
    return status == 0 ? tender_contractor_offer(worker->contractor, REPLAY_SKILL) : status;
}

void worker_close(struct worker *worker, int code)
{
    if (worker == NULL) {
        return;
    }
    session_end(NULL, worker->contractor, code);
    struct standing *standing, *next_standing;
    HASH_ITER(hh, worker->standing, standing, next_standing)
    {
        HASH_DEL(worker->standing, standing);
        free(standing);
    }
    struct job *job, *next_job;
    HASH_ITER(hh, worker->jobs, job, next_job)
    {
        HASH_DEL(worker->jobs, job);
        free(job);
    }
    free(worker);
}

int worker_fd(const struct worker *worker)
{
    return tender_contractor_fd(worker->contractor);
}

uint64_t worker_late(const struct worker *worker)
{
    return worker->late;
}

const char *worker_error(const struct worker *worker)
{
    return tender_contractor_last_error(worker->contractor);
}
