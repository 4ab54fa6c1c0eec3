/*
 * tender contractor exec: a contractor that runs a program for each award.
 *
 * One thread: it polls the session, the signals and the pipes of its children. A job is an award
 * that it holds; K of them run, Q wait in the order in which they came.
 */
#include "commands.h"

#include "exec_child.h"
#include "session.h"
#include "tender/contractor.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define EXTRA_ENVIRONMENT 6

enum job_stage {
    JOB_WAITS,
    JOB_RUNS,
    JOB_EXITED, /* its process is gone; its report may still wait for room */
    JOB_OVER,   /* to be freed */
};

struct job {
    struct job *next;
    enum job_stage stage;
    tender_commitment commitment;
    int64_t units;
    bool is_unwanted; /* cancelled or lapsed: nobody waits for a report */
    bool is_stopped;  /* by us, as we leave */
    int64_t kill_at_us;
    int wait_status;
    char *content;
    size_t content_size;
    char environment[EXTRA_ENVIRONMENT][192];
    struct child child;
};

/* A bid that may still win; what it would add to the queue. */
struct stake {
    struct stake *next;
    tender_cfp cfp; /* texts in it are not kept */
};

struct runner {
    const struct arguments *arguments;
    tender_contractor *contractor;
    struct job *jobs; /* the oldest first */
    struct stake *stakes;
    size_t held;
    size_t running;
    int signals; /* descriptor */
    int leaving; /* how often we were told to */
    int status;
};

static void say(const struct runner *runner, const char *event, tender_id task, const char *detail)
{
    char id[TENDER_ID_TEXT_SIZE];
    tender_id_format(task, id);
    char *plain = output_plain(detail);
    fprintf(stderr, "event=%s task=%s name=%s %s\n", event, id,
            argument_text(runner->arguments, "name"), plain == NULL ? "" : plain);
    free(plain);
}

static int64_t number_of(const struct runner *runner, const char *flag)
{
    return argument_number(runner->arguments, flag);
}

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

/* From now until `units` are done, by what is held and may be won. Returns µs, at most an age. */
static int64_t eta_of(const struct runner *runner, int64_t units)
{
    __int128 ahead = 0;
    for (const struct job *job = runner->jobs; job != NULL; job = job->next) {
        ahead += job->stage == JOB_WAITS || job->stage == JOB_RUNS ? job->units : 0;
    }
    for (const struct stake *stake = runner->stakes; stake != NULL; stake = stake->next) {
        ahead += stake->cfp.units;
    }
    int64_t slots = number_of(runner, "slots");
    __int128 eta_us =
        (units + (ahead + slots - 1) / slots) * (__int128)number_of(runner, "eta-per-unit");
    return eta_us > TENDER_DURATION_MAX ? TENDER_DURATION_MAX : (int64_t)eta_us;
}

static tender_reason reason_against(const struct runner *runner, const tender_cfp *cfp,
                                    tender_bid *bid)
{
    __int128 cost_micro = (__int128)number_of(runner, "rate") * cfp->units;
    if (runner->leaving > 0) {
        return TENDER_REASON_NOT_INTERESTED;
    }
    if (runner->held >= (size_t)(number_of(runner, "slots") + number_of(runner, "queue"))) {
        return TENDER_REASON_OVER_CAPACITY;
    }
    if (cost_micro > cfp->ceiling_micro) {
        return TENDER_REASON_TOO_LITTLE_PAY;
    }
    *bid = (tender_bid){.cost_micro = (int64_t)cost_micro, .eta_us = eta_of(runner, cfp->units)};
    return bid->eta_us > cfp->due_us ? TENDER_REASON_CANNOT_MEET_DUE : TENDER_REASON_NONE;
}

static int on_cfp(struct runner *runner, const tender_cfp *cfp)
{
    tender_bid bid = {0};
    tender_reason reason = reason_against(runner, cfp, &bid);
    if (reason != TENDER_REASON_NONE) {
        say(runner, "refuse", cfp->task, tender_reason_name(reason));
        return tender_refuse(runner->contractor, cfp, reason);
    }
    char detail[64] = "cost=";
    value_write_credits(bid.cost_micro, detail + strlen(detail));
    say(runner, "bid", cfp->task, detail);
    int status = tender_propose(runner->contractor, cfp, &bid);
    return status == 0 ? stake_begin(runner, cfp) : status;
}

static struct job *find(struct runner *runner, tender_id task, uint32_t part, uint32_t generation)
{
    for (struct job *job = runner->jobs; job != NULL; job = job->next) {
        if (tender_id_equal(job->commitment.task, task) && job->commitment.part == part &&
            job->commitment.generation == generation) {
            return job;
        }
    }
    return NULL;
}

/* What the program can know of its award. */
static void describe(struct job *job, const tender_award *award)
{
    char id[TENDER_ID_TEXT_SIZE];
    char price[VALUE_MICRO_MAX];
    char due[VALUE_INSTANT_MAX];
    size_t size = sizeof(job->environment[0]);
    tender_id_format(award->commitment.task, id);
    value_write_credits(award->price_micro, price);
    value_write_instant(award->due_at_us, due);
    snprintf(job->environment[0], size, "TENDER_TASK=%s", id);
    snprintf(job->environment[1], size, "TENDER_GENERATION=%" PRIu32, award->commitment.generation);
    snprintf(job->environment[2], size, "TENDER_UNITS=%" PRId64, award->units);
    snprintf(job->environment[3], size, "TENDER_SKILL=%.64s", award->skill);
    snprintf(job->environment[4], size, "TENDER_PRICE=%s", price);
    snprintf(job->environment[5], size, "TENDER_DUE_AT=%s", due);
}

static int on_award(struct runner *runner, const tender_award *award)
{
    stake_end(runner, award->commitment.task);
    if (find(runner, award->commitment.task, award->commitment.part,
             award->commitment.generation) != NULL) {
        return 0; /* told again */
    }
    if (runner->leaving > 0) {
        return tender_failure(runner->contractor, award->commitment, 0, TENDER_REASON_UNABLE,
                              "the contractor is leaving", (tender_bytes){NULL, 0});
    }
    struct job *job = calloc(1, sizeof(*job));
    char *content = malloc(award->content.size + 1);
    if (job == NULL || content == NULL) {
        free(job);
        free(content);
        return TENDER_ENOMEM;
    }
    if (award->content.size > 0) {
        memcpy(content, award->content.data, award->content.size);
    }
    *job = (struct job){.commitment = award->commitment,
                        .units = award->units,
                        .content = content,
                        .content_size = award->content.size,
                        .kill_at_us = TENDER_NEVER,
                        .child = {.fds = {-1, -1, -1}}};
    describe(job, award);
    struct job **link = &runner->jobs;
    while (*link != NULL) {
        link = &(*link)->next;
    }
    *link = job;
    runner->held++;
    say(runner, "award", job->commitment.task, job->environment[2]);
    return 0;
}

/* Ends a running program gently; the loop ends it otherwise when time is up. */
static void stop(struct runner *runner, struct job *job)
{
    if (job->stage == JOB_RUNS && job->kill_at_us == TENDER_NEVER) {
        child_signal(&job->child, SIGTERM);
        job->kill_at_us = session_now_us() + number_of(runner, "kill-after");
    }
}

static void on_unwanted(struct runner *runner, const tender_commitment *commitment,
                        const char *event, tender_reason reason)
{
    struct job *job = find(runner, commitment->task, commitment->part, commitment->generation);
    if (job == NULL || job->is_unwanted) {
        return;
    }
    say(runner, event, commitment->task, tender_reason_name(reason));
    job->is_unwanted = true;
    stop(runner, job);
    if (job->stage == JOB_WAITS || job->stage == JOB_EXITED) {
        job->stage = JOB_OVER;
    }
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
        say(runner, "not-understood", event->not_understood.task,
            tender_reason_name(event->not_understood.reason));
        return 0;
    case TENDER_EVENT_CONTACT:
        fprintf(stderr, "event=contact name=%s %s\n", argument_text(runner->arguments, "name"),
                event->contact.kind == TENDER_CONTACT_CONNECTED ? "connected"
                : event->contact.kind == TENDER_CONTACT_LOST    ? "lost"
                                                                : "going-down");
        return 0;
    }
    return 0;
}

/* Reports a program's end. Returns whether that was possible; else it is tried again. */
static bool report(struct runner *runner, struct job *job, const char *text, bool is_done)
{
    tender_bytes result = {job->child.result, is_done ? job->child.result_size : 0};
    int status = is_done
                     ? tender_inform_done(runner->contractor, job->commitment, job->units, result)
                     : tender_failure(runner->contractor, job->commitment, 0,
                                      TENDER_REASON_INTERNAL_ERROR, text, result);
    if (status == TENDER_ELIMIT) {
        return false;
    }
    say(runner, is_done ? "done" : "failure", job->commitment.task, is_done ? "" : text);
    runner->status = status < 0 ? status : runner->status;
    return true;
}

static void conclude(struct runner *runner, struct job *job)
{
    char text[TENDER_TEXT_MAX];
    bool is_done = WIFEXITED(job->wait_status) && WEXITSTATUS(job->wait_status) == 0 &&
                   job->child.result_size <= TENDER_CONTENT_MAX && !job->is_stopped;
    child_verdict(&job->child, job->wait_status, text, sizeof(text));
    if (job->is_unwanted ||
        report(runner, job, job->is_stopped ? "the contractor is leaving" : text, is_done)) {
        job->stage = JOB_OVER;
    }
}

static void start(struct runner *runner, struct job *job)
{
    size_t count = 0;
    while (environ[count] != NULL) {
        count++;
    }
    char **environment = calloc(count + EXTRA_ENVIRONMENT + 1, sizeof(*environment));
    int status = TENDER_ENOMEM;
    if (environment != NULL) {
        for (size_t i = 0; i < EXTRA_ENVIRONMENT; i++) {
            environment[i] = job->environment[i];
        }
        memcpy(environment + EXTRA_ENVIRONMENT, environ, count * sizeof(*environ));
        status = child_start(&job->child, runner->arguments->rest, environment, job->content,
                             job->content_size);
    }
    if (status == 0) {
        job->stage = JOB_RUNS;
        runner->running++;
        child_turn(&job->child);
    } else {
        /* The verdict is that of a shell that cannot start a program. */
        job->child.error_size = (size_t)snprintf(job->child.errors, CHILD_ERRORS_MAX,
                                                 "it cannot be started: %s", strerror(errno));
        job->wait_status = 127 << 8;
        job->stage = JOB_EXITED;
    }
    free(environment);
}

/* Starts what waits while slots are free, kills what does not go, reports and frees what ended. */
static void advance(struct runner *runner)
{
    int64_t now_us = session_now_us();
    for (struct job **link = &runner->jobs; *link != NULL;) {
        struct job *job = *link;
        if (job->stage == JOB_WAITS && runner->running < (size_t)number_of(runner, "slots")) {
            start(runner, job);
        }
        if (job->stage == JOB_RUNS && job->child.result_size > TENDER_CONTENT_MAX) {
            stop(runner, job);
        }
        if (job->stage == JOB_RUNS && job->kill_at_us <= now_us) {
            child_signal(&job->child, SIGKILL);
            job->kill_at_us = now_us + number_of(runner, "kill-after");
        }
        if (job->stage == JOB_EXITED) {
            conclude(runner, job);
        }
        if (job->stage != JOB_OVER) {
            link = &job->next;
            continue;
        }
        *link = job->next;
        runner->held--;
        child_release(&job->child);
        free(job->content);
        free(job);
    }
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
            stop(runner, job);
        }
    }
}

static void reap(struct runner *runner)
{
    for (struct job *job = runner->jobs; job != NULL; job = job->next) {
        if (job->stage == JOB_RUNS &&
            waitpid(job->child.pid, &job->wait_status, WNOHANG) == job->child.pid) {
            child_drain(&job->child);
            /* Who was told to go takes along what it started. */
            if (job->kill_at_us != TENDER_NEVER) {
                child_signal(&job->child, SIGKILL);
            }
            job->child.pid = 0;
            job->stage = JOB_EXITED;
            runner->running--;
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
    reap(runner);
    advance(runner);
    while ((status = tender_contractor_next(runner->contractor, 0, &event)) > 0) {
        status = on_event(runner, event);
        if (status < 0 && status != TENDER_ELIMIT) {
            runner->status = status;
            return;
        }
        advance(runner);
    }
    runner->status = status < 0 ? status : runner->status;
}

static int run(struct runner *runner)
{
    size_t fds_max =
        2 + CHILD_FDS * (size_t)(number_of(runner, "slots") + number_of(runner, "queue"));
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

static void free_all(struct runner *runner)
{
    while (runner->jobs != NULL) {
        struct job *job = runner->jobs;
        runner->jobs = job->next;
        child_signal(&job->child, SIGKILL);
        child_release(&job->child);
        free(job->content);
        free(job);
    }
    while (runner->stakes != NULL) {
        struct stake *stake = runner->stakes;
        runner->stakes = stake->next;
        free(stake);
    }
}

static int open_session(struct runner *runner)
{
    const struct arguments *arguments = runner->arguments;
    tender_options options = TENDER_OPTIONS_INIT;
    options.broker_url = session_url(arguments);
    options.name = argument_text(arguments, "name");
    options.principal = argument_text(arguments, "principal");
    options.slots = (uint32_t)(number_of(runner, "slots") + number_of(runner, "queue"));
    options.connect_timeout_ms = (uint32_t)session_timeout_ms(arguments);
    int status = tender_contractor_open(&options, &runner->contractor);
    return status == 0
               ? tender_contractor_offer(runner->contractor, argument_text(arguments, "skill"))
               : status;
}

int run_contractor_exec(const struct arguments *arguments)
{
    struct runner runner = {.arguments = arguments};
    sigset_t signals;
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
    tender_contractor_close(runner.contractor);
    free_all(&runner);
    close(runner.signals);
    return code;
}
