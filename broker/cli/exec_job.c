/*
 * The life of a job: see exec.h.
 */
#include "exec.h"

#include "session.h"
#include "terms.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void runner_say(const struct runner *runner, const char *event, tender_id task, const char *detail)
{
    char id[TENDER_ID_TEXT_SIZE];
    tender_id_format(task, id);
    char *plain = output_plain(detail);
    fprintf(stderr, "event=%s task=%s name=%s %s\n", event, id,
            argument_text(runner->arguments, "name"), plain == NULL ? "" : plain);
    free(plain);
}

int64_t runner_number(const struct runner *runner, const char *flag)
{
    return argument_number(runner->arguments, flag);
}

struct job *job_find(struct runner *runner, const tender_commitment *commitment)
{
    for (struct job *job = runner->jobs; job != NULL; job = job->next) {
        if (tender_id_equal(job->commitment.task, commitment->task) &&
            job->commitment.part == commitment->part &&
            job->commitment.generation == commitment->generation) {
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
    snprintf(job->environment[7], size, "TENDER_PART=%" PRIu32, award->commitment.part);
}

int job_take(struct runner *runner, const tender_award *award)
{
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
    runner_say(runner, "award", job->commitment.task, job->environment[2]);
    return 0;
}

void job_stop(struct runner *runner, struct job *job)
{
    if (job->stage == JOB_RUNS && job->kill_at_us == TENDER_NEVER) {
        child_signal(&job->child, SIGTERM);
        job->kill_at_us = session_now_us() + runner_number(runner, "kill-after");
    }
}

/* A file of its own for the evidence, empty. Without one the program has nowhere to write it. */
static void open_evidence(struct job *job)
{
    const char *place = getenv("TMPDIR");
    place = place == NULL || place[0] == '\0' ? "/tmp" : place;
    int size = snprintf(job->evidence, sizeof(job->evidence), "%s/tender-evidence-XXXXXX", place);
    bool fits = size < (int)sizeof(job->evidence);
    int file = fits ? mkostemp(job->evidence, O_CLOEXEC) : -1;
    if (file >= 0) {
        close(file);
    } else {
        job->evidence[0] = '\0';
    }
    snprintf(job->environment[6], sizeof(job->environment[6]), "TENDER_EVIDENCE=%s", job->evidence);
}

/* What the program left there; NULL: nothing, or no text, or more than a report takes. */
static char *read_evidence(const struct job *job)
{
    char why[VALUE_WHY_MAX];
    size_t size = 0;
    char *text =
        job->evidence[0] == '\0' ? NULL : terms_file(job->evidence, TENDER_TEXT_MAX, &size, why);
    char *whole = text == NULL ? NULL : realloc(text, size + 1);
    if (whole == NULL) {
        free(text);
        return NULL;
    }
    whole[size] = '\0';
    if (!tender_text_is_valid(whole, size)) {
        free(whole);
        return NULL;
    }
    return whole;
}

static void job_free(struct job *job)
{
    if (job->evidence[0] != '\0') {
        (void)unlink(job->evidence);
    }
    child_release(&job->child);
    free(job->content);
    free(job);
}

/* Reports a program's end. Returns whether that was possible; else it is tried again. */
static bool report(struct runner *runner, struct job *job, const char *text, bool is_done)
{
    tender_bytes result = {job->child.result, is_done ? job->child.result_size : 0};
    char *evidence = is_done ? read_evidence(job) : NULL;
    tender_delivery delivery = TENDER_DELIVERY_INIT;
    delivery.evidence = evidence;
    int status =
        is_done ? tender_deliver(runner->contractor, job->commitment, job->units, result, &delivery)
                : tender_failure(runner->contractor, job->commitment, 0,
                                 TENDER_REASON_INTERNAL_ERROR, text, result);
    free(evidence);
    if (status == TENDER_ELIMIT) {
        return false;
    }
    runner_say(runner, is_done ? "done" : "failure", job->commitment.task, is_done ? "" : text);
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
    open_evidence(job);
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

void job_advance(struct runner *runner)
{
    int64_t now_us = session_now_us();
    for (struct job **link = &runner->jobs; *link != NULL;) {
        struct job *job = *link;
        if (job->stage == JOB_WAITS && runner->running < (size_t)runner_number(runner, "slots")) {
            start(runner, job);
        }
        if (job->stage == JOB_RUNS && job->child.result_size > TENDER_CONTENT_MAX) {
            job_stop(runner, job);
        }
        if (job->stage == JOB_RUNS && job->kill_at_us <= now_us) {
            child_signal(&job->child, SIGKILL);
            job->kill_at_us = now_us + runner_number(runner, "kill-after");
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
        job_free(job);
    }
}

void job_reap(struct runner *runner)
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

void job_free_all(struct runner *runner)
{
    while (runner->jobs != NULL) {
        struct job *job = runner->jobs;
        runner->jobs = job->next;
        child_signal(&job->child, SIGKILL);
        job_free(job);
    }
}
