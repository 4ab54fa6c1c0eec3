/*
 * The inside of tender contractor exec: what it holds, and the life of a job.
 *
 * exec.c speaks with the broker and turns the loop; exec_job.c starts the programs, reports their
 * ends and frees what is over.
 */
#ifndef TENDER_BROKER_CLI_EXEC_H
#define TENDER_BROKER_CLI_EXEC_H

#include "command.h"
#include "exec_child.h"
#include "tender/contractor.h"

#define EXTRA_ENVIRONMENT 8

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
    char environment[EXTRA_ENVIRONMENT][320];
    char evidence[256]; /* file that the program may write it to; "": none yet */
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

/* One line on standard error about a task. */
void runner_say(const struct runner *runner, const char *event, tender_id task, const char *detail);
int64_t runner_number(const struct runner *runner, const char *flag);

/* Takes an award into the queue. Returns 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int job_take(struct runner *runner, const tender_award *award);
struct job *job_find(struct runner *runner, const tender_commitment *commitment);
/* Ends a running program gently; job_advance ends it otherwise when time is up. */
void job_stop(struct runner *runner, struct job *job);
/* Notices which programs have gone. */
void job_reap(struct runner *runner);
/* Starts what waits while slots are free, kills what does not go, reports and frees what ended. */
void job_advance(struct runner *runner);
void job_free_all(struct runner *runner);

#endif
