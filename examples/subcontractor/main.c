/*
 * A contractor that is a client too: what it is awarded it announces again, as a task of its own,
 * and passes on what comes back. One session, two sides, one thread.
 *
 * It offers `manual.de` (a manual in German, by the page) and has the pages translated by whoever
 * offers `translate.de`. Its own key for the inner task is the commitment that the task is for: if
 * this program is restarted and told the award again, announcing again is the same task.
 */
#include <tender/client.h>

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN_MICRO INT64_C(100000)             /* what it wants for itself, a page */
#define WORK_MICRO   INT64_C(400000)             /* what it pays at most, a page */
#define ASSEMBLY_US  (INT64_C(5) * 60 * 1000000) /* its own work, at the end */
#define PAGE_US      (INT64_C(2) * 60 * 1000000) /* what it expects a page to take others */
#define HELD_MAX     16

/* A commitment of ours, and the task that we announced for it. */
struct held {
    tender_commitment commitment;
    int64_t units;
    tender_id inner; /* nil until it is recorded */
    char key[64];
};

struct foreman {
    tender_contractor *contractor;
    tender_client *client;
    struct held held[HELD_MAX];
    size_t held_count;
};

static volatile sig_atomic_t is_stopping;

static void on_signal(int number)
{
    (void)number;
    is_stopping = 1;
}

/* Room is HELD_MAX commitments, whatever the broker counts: slots say the same. */
static int answer_cfp(struct foreman *foreman, const tender_cfp *cfp)
{
    if (cfp->units > 100000) {
        return tender_refuse(foreman->contractor, cfp, TENDER_REASON_UNABLE);
    }
    tender_bid bid = {.cost_micro = cfp->units * (WORK_MICRO + MARGIN_MICRO),
                      .eta_us = cfp->units * PAGE_US + ASSEMBLY_US,
                      .text = "pages are given to others"};
    if (bid.cost_micro > cfp->ceiling_micro) {
        return tender_refuse(foreman->contractor, cfp, TENDER_REASON_TOO_LITTLE_PAY);
    }
    if (bid.eta_us > cfp->due_us) {
        return tender_refuse(foreman->contractor, cfp, TENDER_REASON_CANNOT_MEET_DUE);
    }
    return tender_propose(foreman->contractor, cfp, &bid);
}

/* Announces the pages. What it pays at most and when they are due leave it its margin and its time.
 */
static int take_award(struct foreman *foreman, const tender_award *award)
{
    tender_bytes nothing = {NULL, 0};
    if (foreman->held_count == HELD_MAX) {
        return tender_failure(foreman->contractor, award->commitment, 0,
                              TENDER_REASON_OVER_CAPACITY, NULL, nothing);
    }
    struct held *held = &foreman->held[foreman->held_count++];
    *held = (struct held){.commitment = award->commitment, .units = award->units};
    char outer[TENDER_ID_TEXT_SIZE];
    tender_id_format(award->commitment.task, outer);
    snprintf(held->key, sizeof(held->key), "%s/%" PRIu32, outer, award->commitment.generation);
    printf("won %s: announcing its %" PRId64 " pages\n", held->key, award->units);

    tender_task task = TENDER_TASK_INIT;
    task.key = held->key;
    task.skill = "translate.de";
    task.units = award->units;
    task.ceiling_micro = award->units * WORK_MICRO;
    task.due_us = award->units * PAGE_US;
    task.close_alone = true;
    task.content = award->content;
    return tender_announce(foreman->client, &task, NULL);
}

static struct held *find(struct foreman *foreman, tender_id inner, const char *key)
{
    for (size_t i = 0; i < foreman->held_count; i++) {
        struct held *held = &foreman->held[i];
        if (key != NULL ? strcmp(held->key, key) == 0 : tender_id_equal(held->inner, inner)) {
            return held;
        }
    }
    return NULL;
}

static void drop(struct foreman *foreman, struct held *held)
{
    *held = foreman->held[--foreman->held_count];
}

/* The inner task has ended: so does the commitment that it was for. */
static int settle(struct foreman *foreman, struct held *held, int64_t units, const char *why)
{
    tender_commitment commitment = held->commitment;
    char text[96];
    int size = snprintf(text, sizeof(text), "%" PRId64 " of %" PRId64 " pages", units, held->units);
    tender_bytes result = {text, (size_t)size};
    bool is_whole = units == held->units;
    printf("%s: %s (%s)\n", held->key, text, why);
    drop(foreman, held);
    return is_whole ? tender_inform_done(foreman->contractor, commitment, units, result)
                    : tender_failure(foreman->contractor, commitment, units,
                                     TENDER_REASON_RESOURCE_LOST, why, result);
}

static int hear_contractor(struct foreman *foreman)
{
    const tender_event *event = NULL;
    int status = tender_contractor_next(foreman->contractor, 0, &event);
    if (status <= 0) {
        return status;
    }
    if (event->kind == TENDER_EVENT_CFP) {
        status = answer_cfp(foreman, &event->cfp);
    } else if (event->kind == TENDER_EVENT_ACCEPT_PROPOSAL) {
        status = take_award(foreman, &event->accept_proposal);
    } else if (event->kind == TENDER_EVENT_CANCEL) {
        for (size_t i = foreman->held_count; i > 0; i--) {
            struct held *held = &foreman->held[i - 1];
            if (tender_id_equal(held->commitment.task, event->cancel.commitment.task)) {
                status =
                    tender_cancel(foreman->client, held->inner, "the outer task was withdrawn");
                drop(foreman, held);
            }
        }
    }
    return status < 0 ? status : 1;
}

static int hear_client(struct foreman *foreman)
{
    const tender_client_event *event = NULL;
    struct held *held = NULL;
    int status = tender_client_next(foreman->client, 0, &event);
    if (status <= 0) {
        return status;
    }
    if (event->kind == TENDER_CLIENT_AGREED &&
        (held = find(foreman, event->agreed.task, event->agreed.key)) != NULL) {
        held->inner = event->agreed.task;
    } else if (event->kind == TENDER_CLIENT_REFUSED &&
               (held = find(foreman, event->refused.task, event->refused.key)) != NULL) {
        status = settle(foreman, held, 0, tender_reason_name(event->refused.reason));
    } else if (event->kind == TENDER_CLIENT_STATE &&
               tender_task_state_is_terminal(event->state.task_state) &&
               (held = find(foreman, event->state.task, NULL)) != NULL) {
        status = settle(foreman, held, event->state.units_done,
                        tender_task_state_name(event->state.task_state));
    }
    return status < 0 ? status : 1;
}

/* Hears whichever side has something, until neither has; then waits for both descriptors. */
static int run(struct foreman *foreman)
{
    while (!is_stopping) {
        int outer = hear_contractor(foreman);
        int inner = outer < 0 ? outer : hear_client(foreman);
        if (outer < 0 || inner < 0) {
            return outer < 0 ? outer : inner;
        }
        if (outer == 0 && inner == 0) {
            struct pollfd sides[] = {{tender_contractor_fd(foreman->contractor), POLLIN, 0},
                                     {tender_client_fd(foreman->client), POLLIN, 0}};
            (void)poll(sides, 2, 1000);
        }
    }
    return 0;
}

int main(void)
{
    struct foreman foreman = {0};
    tender_options options = TENDER_OPTIONS_INIT;
    options.broker_url = getenv("TENDER_URL");
    options.name = "foreman";
    options.slots = HELD_MAX;
    setvbuf(stdout, NULL, _IOLBF, 0);
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    int status = tender_contractor_open(&options, &foreman.contractor);
    if (status == 0) {
        status = tender_contractor_client(foreman.contractor, &foreman.client);
    }
    if (status == 0) {
        status = tender_contractor_offer(foreman.contractor, "manual.de");
    }
    if (status == 0) {
        printf("ready\n");
        status = run(&foreman);
    }
    if (status < 0) {
        fprintf(stderr, "foreman: %s: %s\n", tender_strerror(status),
                tender_contractor_last_error(foreman.contractor));
    }
    tender_client_close(foreman.client);
    tender_contractor_close(foreman.contractor);
    return status < 0 ? 3 : 0;
}
