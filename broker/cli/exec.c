/*
 * tender contractor exec: a contractor that runs a program for each award.
 *
 * One thread: it polls the session, the signals and the pipes of its children. A job is an award
 * that it holds; K of them run, Q wait in the order in which they came.
 */
#include "commands.h"

#include "exec.h"
#include "session.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void stake_end(struct runner *runner, tender_id task)
{
    for (struct stake **link = &runner->stakes; *link != NULL; link = &(*link)->next) {
        struct stake *stake = *link;
        if (tender_id_equal(stake->cfp.task, task)) {
            *link = stake->next;
            free(stake);
            return;
        }
    }
}

static int stake_begin(struct runner *runner, const tender_cfp *cfp)
{
    stake_end(runner, cfp->task);
    struct stake *stake = calloc(1, sizeof(*stake));
    if (stake == NULL) {
        return TENDER_ENOMEM;
    }
    *stake = (struct stake){.next = runner->stakes, .cfp = *cfp};
    runner->stakes = stake;
    return 0;
}

/* Units that it would take: in a split round as many as it has been told, else all. */
static int64_t units_of(const struct runner *runner, const tender_cfp *cfp)
{
    int64_t capacity = runner_number(runner, "capacity");
    return cfp->split_max > 0 && capacity > 0 && capacity < cfp->units ? capacity : cfp->units;
}

/* From now until `units` are done, by what is held and may be won. Returns µs, at most an age. */
static int64_t eta_of(const struct runner *runner, int64_t units)
{
    __int128 ahead = 0;
    for (const struct job *job = runner->jobs; job != NULL; job = job->next) {
        ahead += job->stage == JOB_WAITS || job->stage == JOB_RUNS ? job->units : 0;
    }
    for (const struct stake *stake = runner->stakes; stake != NULL; stake = stake->next) {
        ahead += units_of(runner, &stake->cfp);
    }
    int64_t slots = runner_number(runner, "slots");
    __int128 eta_us =
        (units + (ahead + slots - 1) / slots) * (__int128)runner_number(runner, "eta-per-unit");
    return eta_us > TENDER_DURATION_MAX ? TENDER_DURATION_MAX : (int64_t)eta_us;
}

static tender_reason reason_against(const struct runner *runner, const tender_cfp *cfp,
                                    tender_bid *bid)
{
    bool is_split = cfp->split_max > 0; /* then the bid is for one unit */
    __int128 cost_micro = (__int128)runner_number(runner, "rate") * (is_split ? 1 : cfp->units);
    if (runner->leaving > 0) {
        return TENDER_REASON_NOT_INTERESTED;
    }
    if (runner->held >= (size_t)(runner_number(runner, "slots") + runner_number(runner, "queue"))) {
        return TENDER_REASON_OVER_CAPACITY;
    }
    if (cost_micro > (is_split ? cfp->ceiling_micro / cfp->units : cfp->ceiling_micro)) {
        return TENDER_REASON_TOO_LITTLE_PAY;
    }
    *bid = (tender_bid){.cost_micro = (int64_t)cost_micro,
                        .eta_us = eta_of(runner, units_of(runner, cfp))};
    return bid->eta_us > cfp->due_us ? TENDER_REASON_CANNOT_MEET_DUE : TENDER_REASON_NONE;
}

static int on_cfp(struct runner *runner, const tender_cfp *cfp)
{
    tender_bid bid = {0};
    stake_end(runner, cfp->task); /* a bid in the round before is over */
    tender_reason reason = reason_against(runner, cfp, &bid);
    if (reason != TENDER_REASON_NONE) {
        runner_say(runner, "refuse", cfp->task, tender_reason_name(reason));
        return tender_refuse(runner->contractor, cfp, reason);
    }
    char detail[64] = "cost=";
    value_write_credits(bid.cost_micro, detail + strlen(detail));
    runner_say(runner, "bid", cfp->task, detail);
    tender_bid_terms terms = TENDER_BID_TERMS_INIT;
    terms.capacity = cfp->split_max > 0 ? units_of(runner, cfp) : 0;
    int status = tender_propose_terms(runner->contractor, cfp, &bid, &terms);
    return status == 0 ? stake_begin(runner, cfp) : status;
}

static int on_award(struct runner *runner, const tender_award *award)
{
    stake_end(runner, award->commitment.task);
    if (job_find(runner, &award->commitment) != NULL) {
        return 0; /* told again */
    }
    if (runner->leaving > 0) {
        return tender_failure(runner->contractor, award->commitment, 0, TENDER_REASON_UNABLE,
                              "the contractor is leaving", (tender_bytes){NULL, 0});
    }
    return job_take(runner, award);
}

static void on_unwanted(struct runner *runner, const tender_commitment *commitment,
                        const char *event, tender_reason reason)
{
    struct job *job = job_find(runner, commitment);
    if (job == NULL || job->is_unwanted) {
        return;
    }
    runner_say(runner, event, commitment->task, tender_reason_name(reason));
    job->is_unwanted = true;
    job_stop(runner, job);
    if (job->stage == JOB_WAITS || job->stage == JOB_EXITED) {
        job->stage = JOB_OVER;
    }
}

/* Work that lacks what its task requires is given back: waiting for its due time helps nobody. */
static int on_complaint(struct runner *runner, const tender_complaint *complaint)
{
    runner_say(runner, "not-understood", complaint->task, tender_reason_name(complaint->reason));
    if (complaint->reason != TENDER_REASON_EVIDENCE_MISSING) {
        return 0;
    }
    char text[128];
    tender_commitment commitment = {complaint->task, complaint->part, complaint->generation};
    snprintf(text, sizeof(text), "the program left no evidence of this name: %.64s",
             complaint->field);
    return tender_failure(runner->contractor, commitment, 0, complaint->reason, text,
                          (tender_bytes){NULL, 0});
}

static int on_event(struct runner *runner, const tender_event *event)
{
    switch (event->kind) {
    case TENDER_EVENT_CFP:
        return on_cfp(runner, &event->cfp);
    case TENDER_EVENT_ACCEPT_PROPOSAL:
        return on_award(runner, &event->accept_proposal);
    case TENDER_EVENT_REJECT_PROPOSAL:
        stake_end(runner, event->reject_proposal.task);
        return 0;
    case TENDER_EVENT_CANCEL:
        on_unwanted(runner, &event->cancel.commitment, "cancel", event->cancel.reason);
        return 0;
    case TENDER_EVENT_INFORM:
        on_unwanted(runner, &event->inform.commitment, "ended", event->inform.reason);
        return 0;
    case TENDER_EVENT_NOT_UNDERSTOOD:
        return on_complaint(runner, &event->not_understood);
    case TENDER_EVENT_CONTACT:
        fprintf(stderr, "event=contact name=%s %s\n", argument_text(runner->arguments, "name"),
                event->contact.kind == TENDER_CONTACT_CONNECTED ? "connected"
                : event->contact.kind == TENDER_CONTACT_LOST    ? "lost"
                : event->contact.kind == TENDER_CONTACT_LOSS    ? "the-ledger-lost-commits"
                : event->contact.kind == TENDER_CONTACT_FULL    ? "the-broker-is-full"
                                                                : "going-down");
        return 0;
    case TENDER_EVENT_LOST:
        on_unwanted(runner, &event->lost, "lost", TENDER_REASON_UNKNOWN_TASK);
        return 0;
    case TENDER_EVENT_DISPUTE:
        runner_say(runner, "dispute", event->dispute.task, event->dispute.claim);
        return 0;
    case TENDER_EVENT_BELIEF:
        return 0; /* of others, about what it may be part of: what is to stop is cancelled */
    }
    return 0;
}

/* Gives back what has not begun, and takes back the bids that nobody accepted yet. */
static void begin_leaving(struct runner *runner)
{
    fprintf(stderr, "event=leaving name=%s running=%zu\n", argument_text(runner->arguments, "name"),
            runner->running);
    for (struct job *job = runner->jobs; job != NULL; job = job->next) {
        if (job->stage == JOB_WAITS) {
            job->is_stopped = true;
            job->stage = JOB_EXITED;
        }
    }
    for (struct stake *stake = runner->stakes; stake != NULL; stake = stake->next) {
        if (tender_withdraw(runner->contractor, &stake->cfp) < 0) {
            break;
        }
    }
}

static void hear_signals(struct runner *runner)
{
    struct signalfd_siginfo info;
    while (read(runner->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
        if (info.ssi_signo == SIGCHLD) {
            continue;
        }
        runner->leaving++;
        if (runner->leaving == 1) {
            begin_leaving(runner);
        }
        for (struct job *job = runner->jobs; job != NULL && runner->leaving > 1; job = job->next) {
            job->is_stopped = true;
            job_stop(runner, job);
        }
    }
}

/* Waits until something happens; at most a second, at most until a program must be killed. */
static void wait_for_anything(struct runner *runner, struct pollfd *fds)
{
    nfds_t count = 0;
    int64_t until_us = session_now_us() + INT64_C(1000000);
    fds[count++] =
        (struct pollfd){.fd = tender_contractor_fd(runner->contractor), .events = POLLIN};
    fds[count++] = (struct pollfd){.fd = runner->signals, .events = POLLIN};
    for (struct job *job = runner->jobs; job != NULL; job = job->next) {
        if (job->stage == JOB_RUNS) {
            child_poll(&job->child, fds + count);
            count += CHILD_FDS;
        }
        until_us = job->kill_at_us < until_us ? job->kill_at_us : until_us;
    }
    int64_t left_us = until_us - session_now_us();
    if (poll(fds, count, left_us <= 0 ? 0 : (int)(left_us / 1000) + 1) < 0 && errno != EINTR) {
        runner->status = TENDER_ESYSTEM;
    }
}

static void turn(struct runner *runner)
{
    const tender_event *event = NULL;
    int status;
    hear_signals(runner);
    for (struct job *job = runner->jobs; job != NULL; job = job->next) {
        if (job->stage == JOB_RUNS) {
            child_turn(&job->child);
        }
    }
    job_reap(runner);
    job_advance(runner);
    while ((status = tender_contractor_next(runner->contractor, 0, &event)) > 0) {
        status = on_event(runner, event);
        if (status < 0 && status != TENDER_ELIMIT) {
            runner->status = status;
            return;
        }
        job_advance(runner);
    }
    runner->status = status < 0 ? status : runner->status;
}

static int run(struct runner *runner)
{
    size_t fds_max =
        2 + CHILD_FDS * (size_t)(runner_number(runner, "slots") + runner_number(runner, "queue"));
    struct pollfd *fds = calloc(fds_max, sizeof(*fds));
    if (fds == NULL) {
        return TENDER_ENOMEM;
    }
    while (runner->status == 0 && (runner->leaving == 0 || runner->jobs != NULL)) {
        turn(runner);
        if (runner->status == 0 && (runner->leaving == 0 || runner->jobs != NULL)) {
            wait_for_anything(runner, fds);
        }
    }
    free(fds);
    return runner->status;
}

static void free_stakes(struct runner *runner)
{
    while (runner->stakes != NULL) {
        struct stake *stake = runner->stakes;
        runner->stakes = stake->next;
        free(stake);
    }
}

/* The skill, and whatever else it has: names parted by commas. */
static int offer_all(const struct runner *runner)
{
    const char *names = argument_text(runner->arguments, "has");
    char name[TENDER_SKILL_MAX + 1];
    int status =
        tender_contractor_offer(runner->contractor, argument_text(runner->arguments, "skill"));
    while (status == 0 && names != NULL) {
        size_t size = strcspn(names, ",");
        bool is_short = size < sizeof name;
        snprintf(name, sizeof name, "%.*s", (int)size, names);
        status = is_short ? tender_contractor_offer(runner->contractor, name) : TENDER_EINVAL;
        names = names[size] == ',' ? names + size + 1 : NULL;
    }
    return status;
}

static int open_session(struct runner *runner)
{
    const struct arguments *arguments = runner->arguments;
    tender_options options = session_options(arguments);
    options.name = argument_text(arguments, "name");
    options.principal = argument_text(arguments, "principal");
    options.slots = (uint32_t)(runner_number(runner, "slots") + runner_number(runner, "queue"));
    options.connect_timeout_ms = (uint32_t)session_timeout_ms(arguments);
    int status = tender_contractor_open(&options, &runner->contractor);
    return status == 0 ? offer_all(runner) : status;
}

int run_contractor_exec(const struct arguments *arguments)
{
    struct runner runner = {.arguments = arguments};
    sigset_t signals;
    if (!child_is_there(arguments->rest[0])) {
        return command_fail(arguments, EXIT_BAD_INPUT, "CMD: %s cannot be run: %s",
                            arguments->rest[0], strerror(errno));
    }
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    /* Blocked before the library starts its threads, which inherit this. */
    sigprocmask(SIG_BLOCK, &signals, NULL);
    runner.signals = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    if (runner.signals < 0) {
        return command_fail(arguments, EXIT_OTHERWISE, "signals: %s", strerror(errno));
    }
    int status = open_session(&runner);
    int code = EXIT_DONE;
    if (status == 0) {
        status = run(&runner);
    }
    if (status < 0) {
        const char *detail = tender_contractor_last_error(runner.contractor);
        code = status == TENDER_EREFUSED ? EXIT_REFUSED
               : status == TENDER_EINVAL ? EXIT_BAD_INPUT
                                         : EXIT_AWAY;
        command_fail(arguments, code, "%s%s%s (broker at %s)", tender_strerror(status),
                     *detail == '\0' ? "" : ": ", detail, session_url(arguments));
    }
    session_end(NULL, runner.contractor, code);
    job_free_all(&runner);
    free_stakes(&runner);
    close(runner.signals);
    return code;
}
