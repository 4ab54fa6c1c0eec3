/*
 * Clients of the load: announce by the rate, follow, decide on deliveries, cancel a few tasks,
 * adopt late results. A key is a client's name and the number of its task, from which the job is
 * found.
 */
#include "load.h"

#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CREDIT       INT64_C(1000000)
#define SECOND_US    INT64_C(1000000)
#define HOUR_US      INT64_C(3600000000)
#define HEARTBEAT_MS 1000
#define BURST        50 /* announcements that are made up for at once after a pause */

struct job {
    tender_id task;
    int64_t announced_us;
    bool is_agreed;
    bool is_over; /* refused or ended */
    bool is_asleep;
};

struct client {
    struct peer peer; /* first */
    tender_client *handle;
    struct diary diary;
    char name[32];
    uint64_t chance;
    int64_t newest_us;
    struct job **jobs;
    size_t job_count;
    size_t job_capacity;
    void *by_task; /* a tree of tsearch */
};

static struct {
    struct load_options options;
    struct client *clients;
    struct client_counts counts;
    int64_t next_us; /* when the next announcement is due */
    uint32_t turn;
    uint32_t asleep; /* announced */
    uint32_t asleep_over;
    bool has_stopped;
} all;

static int compare(const void *left, const void *right)
{
    return memcmp(&((const struct job *)left)->task, &((const struct job *)right)->task,
                  sizeof(tender_id));
}

static struct job *job_of(struct client *client, tender_id task)
{
    struct job wanted = {.task = task};
    void *found = tfind(&wanted, &client->by_task, compare);
    return found == NULL ? NULL : *(struct job **)found;
}

static struct job *job_of_key(struct client *client, const char *key)
{
    size_t size = strlen(client->name);
    char *end = NULL;
    if (strncmp(key, client->name, size) != 0 || key[size] != '.') {
        return NULL;
    }
    unsigned long number = strtoul(key + size + 1, &end, 10);
    return *end == '\0' && number < client->job_count ? client->jobs[number] : NULL;
}

static struct job *job_new(struct client *client)
{
    if (client->job_count == client->job_capacity) {
        client->job_capacity = client->job_capacity == 0 ? 1024 : 2 * client->job_capacity;
        client->jobs = realloc(client->jobs, client->job_capacity * sizeof(struct job *));
        if (client->jobs == NULL) {
            load_fail("out of memory");
        }
    }
    struct job *job = load_take(1, sizeof *job);
    client->jobs[client->job_count++] = job;
    return job;
}

static void job_end(struct client *client, struct job *job)
{
    if (!job->is_over) {
        job->is_over = true;
        all.counts.ended++;
        all.asleep_over += job->is_asleep;
        (void)tdelete(job, &client->by_task, compare);
    }
}

/* The terms of a task by chance: one in ten waits to be accepted, of the others one in ten may be
 * split where it has several units. Neither is paid by cover. */
static void choose(struct client *client, tender_task *task)
{
    static const tender_partial partials[] = {TENDER_PARTIAL_PRO_RATA, TENDER_PARTIAL_NONE,
                                              TENDER_PARTIAL_COVER};
    task->units = 1 + chance_below(&client->chance, 8);
    task->ceiling_micro = 10 * CREDIT;
    task->window_us = all.options.window_us;
    task->due_us = all.options.due_us;
    task->ack_us = 2 * SECOND_US;
    task->backoff_us = SECOND_US / 10;
    task->rounds = 6;
    if (chance_of(&client->chance, 10)) {
        task->accept_us = 5 * SECOND_US;
    } else if (task->units > 1 && chance_of(&client->chance, 10)) {
        task->split_max = 3;
    }
    bool is_plain = task->accept_us == 0 && task->split_max == 0;
    task->partial = partials[chance_below(&client->chance, is_plain ? 3 : 2)];
}

static bool announce(struct client *client, bool is_asleep)
{
    char key[64];
    char skill[32] = "chaos/asleep";
    tender_task task = TENDER_TASK_INIT;
    choose(client, &task);
    if (is_asleep) {
        task.window_us = HOUR_US;
        task.deadline_at_us = 0;
    } else {
        uint32_t number = chance_below(&client->chance, all.options.skills);
        snprintf(skill, sizeof skill, "chaos/%" PRIu32, number);
    }
    snprintf(key, sizeof key, "%s.%zu", client->name, client->job_count);
    task.key = key;
    task.skill = skill;
    task.content = (tender_bytes){key, strlen(key)};
    diary_write(&client->diary, "announce %s %s %" PRId64 " %" PRId64, key, skill, task.units,
                task.ceiling_micro);
    if (tender_announce(client->handle, &task, NULL) != 0) {
        diary_write(&client->diary, "unsaid %s", key);
        return false;
    }
    struct job *job = job_new(client);
    job->announced_us = load_now();
    job->is_asleep = is_asleep;
    all.counts.announced++;
    return true;
}

/* Asks after a task of long ago, which the book may have forgotten, so that the ledger is asked. */
static void look_back(struct client *client)
{
    const struct job *job =
        client->jobs[chance_below(&client->chance, (uint32_t)client->job_count)];
    if (job->is_over && job->is_agreed && tender_query(client->handle, job->task) != 0) {
        load_fail("%s: %s", client->name, tender_client_last_error(client->handle));
    }
}

static void on_agreed(struct client *client, const tender_agreement *agreed)
{
    struct job *job = job_of_key(client, agreed->key);
    if (job == NULL) {
        diary_write(&client->diary, "granted %s", text_of(agreed->task));
        return;
    }
    diary_write(&client->diary, "agreed %s %s", agreed->key, text_of(agreed->task));
    if (job->announced_us > client->newest_us) {
        client->newest_us = job->announced_us;
    }
    if (job->announced_us > all.counts.newest_us) {
        all.counts.newest_us = job->announced_us;
        all.counts.agreed_us = load_now();
    }
    if (job->is_agreed) {
        return; /* it is told again */
    }
    job->is_agreed = true;
    all.counts.agreed++;
    job->task = agreed->task;
    (void)tsearch(job, &client->by_task, compare);
    if (tender_task_state_is_terminal(agreed->task_state)) {
        /* It ended before the announcement was answered: how, is to be asked for. */
        if (tender_query(client->handle, agreed->task) != 0) {
            load_fail("%s: %s", client->name, tender_client_last_error(client->handle));
        }
    } else if (!job->is_asleep && chance_of(&client->chance, 1) &&
               tender_cancel(client->handle, agreed->task, NULL) == 0) {
        diary_write(&client->diary, "cancel %s", text_of(agreed->task));
    }
    if (chance_of(&client->chance, 2)) {
        look_back(client);
    }
}

static void on_refused(struct client *client, const tender_refusal *refused)
{
    struct job *job = job_of_key(client, refused->key);
    if (job == NULL) {
        diary_write(&client->diary, "denied %s %s", text_of(refused->task),
                    tender_reason_name(refused->reason));
        return;
    }
    diary_write(&client->diary, "refused %s %s %s", refused->key,
                tender_reason_name(refused->reason), refused->field);
    all.counts.refused++;
    job_end(client, job);
}

static const char *state_name(tender_commitment_state state)
{
    return state == 0 ? "-" : tender_commitment_state_name(state);
}

static void on_state(struct client *client, const tender_task_status *state)
{
    diary_write(&client->diary,
                "state %s %s %s %" PRId64 " %" PRIu32 " %" PRIu32 " %s %s %" PRId64 " %" PRId64
                " %" PRId64 " %" PRId64,
                text_of(state->task), tender_task_state_name(state->task_state),
                tender_reason_name(state->reason), state->round, state->part, state->generation,
                state_name(state->state), state->contractor[0] == '\0' ? "-" : state->contractor,
                state->price_micro, state->units_done, state->paid_micro, state->released_micro);
    struct job *job = job_of(client, state->task);
    if (job != NULL && state->part == 0 && tender_task_state_is_terminal(state->task_state)) {
        job_end(client, job);
    }
}

/* Of ten deliveries one is rejected, one accepted by silence, the others accepted. */
static void decide(struct client *client, const tender_report *report)
{
    uint32_t dice = chance_below(&client->chance, 10);
    int status = 0;
    if (dice == 0) {
        status =
            tender_reject(client->handle, report->commitment, TENDER_REASON_QUALITY_CHECK, NULL, 0);
    } else if (dice > 1) {
        status = tender_accept(client->handle, report->commitment, -1);
    }
    if (status == 0 && dice != 1) {
        diary_write(&client->diary, "%s %s", dice == 0 ? "reject" : "accept",
                    text_of(report->commitment.task));
    }
}

static void on_report(struct client *client, const tender_report *report)
{
    diary_write(&client->diary, "report %s %" PRIu32 " %" PRIu32 " %s %s %" PRId64,
                text_of(report->commitment.task), report->commitment.part,
                report->commitment.generation, tender_performative_name(report->kind),
                report->contractor, report->units_done);
    if (report->accept_us >= 0) {
        decide(client, report);
    }
}

static void on_late(struct client *client, const tender_late_result *late)
{
    diary_write(&client->diary, "late %s %" PRIu32 " %" PRIu32 " %s %" PRId64,
                text_of(late->commitment.task), late->commitment.part, late->commitment.generation,
                late->contractor, late->units_done);
    if (chance_of(&client->chance, 50) && tender_adopt(client->handle, late->commitment) == 0) {
        diary_write(&client->diary, "adopt %s", text_of(late->commitment.task));
    }
}

/* The database has lost it; it is not announced again. */
static void on_lost(struct client *client, tender_id task)
{
    struct job *job = job_of(client, task);
    diary_write(&client->diary, "lost %s", text_of(task));
    if (job != NULL) {
        job_end(client, job);
    }
}

static void hear(struct client *client, const tender_client_event *event)
{
    switch (event->kind) {
    case TENDER_CLIENT_AGREED:
        on_agreed(client, &event->agreed);
        break;
    case TENDER_CLIENT_REFUSED:
        on_refused(client, &event->refused);
        break;
    case TENDER_CLIENT_STATE:
        on_state(client, &event->state);
        break;
    case TENDER_CLIENT_REPORT:
        on_report(client, &event->report);
        break;
    case TENDER_CLIENT_LATE:
        on_late(client, &event->late);
        break;
    case TENDER_CLIENT_LOST:
        on_lost(client, event->lost);
        break;
    case TENDER_CLIENT_NOT_UNDERSTOOD:
        diary_write(&client->diary, "complaint %s %" PRIu32 " %" PRIu32 " %s",
                    text_of(event->not_understood.task), event->not_understood.part,
                    event->not_understood.generation,
                    tender_reason_name(event->not_understood.reason));
        break;
    case TENDER_CLIENT_CONTACT:
        diary_write(&client->diary, "contact %d", (int)event->contact.kind);
        break;
    default:
        break;
    }
}

static void client_turn(struct peer *peer)
{
    struct client *client = (struct client *)peer;
    const tender_client_event *event;
    int status;
    while ((status = tender_client_next(client->handle, 0, &event)) == 1) {
        hear(client, event);
    }
    if (status < 0) {
        load_fail("%s: %s", client->name, tender_client_last_error(client->handle));
    }
}

static void client_open(struct client *client, uint32_t number)
{
    char principal[32];
    tender_options options = TENDER_OPTIONS_INIT;
    snprintf(client->name, sizeof client->name, "client-%" PRIu32, number);
    snprintf(principal, sizeof principal, "buyer-%" PRIu32, number);
    diary_open(&client->diary, all.options.directory, client->name);
    client->chance = all.options.seed * 7919 + number;
    options.broker_url = all.options.url;
    options.name = client->name;
    options.principal = principal;
    options.heartbeat_ms = HEARTBEAT_MS;
    options.connect_timeout_ms = 0;
    if (tender_client_open(&options, &client->handle) != 0) {
        load_fail("%s: %s", client->name, tender_client_last_error(NULL));
    }
    client->peer = (struct peer){tender_client_fd(client->handle), client_turn};
    load_watch(&client->peer);
}

void clients_open(const struct load_options *options)
{
    all.options = *options;
    all.clients = load_take(options->clients + 1, sizeof *all.clients);
    for (uint32_t i = 0; i < options->clients; i++) {
        client_open(&all.clients[i], i);
    }
    all.next_us = load_now();
}

void clients_announce(int64_t now_us)
{
    const struct load_options *options = &all.options;
    if (options->clients == 0) {
        return;
    }
    for (uint32_t i = 0; all.asleep < options->asleep && i < 200; i++) {
        if (!announce(&all.clients[all.asleep % options->clients], true)) {
            break;
        }
        all.asleep++;
    }
    if (all.has_stopped || options->rate == 0) {
        return;
    }
    int64_t step_us = 1000000 / options->rate;
    if (all.next_us < now_us - BURST * step_us) {
        all.next_us = now_us - BURST * step_us;
    }
    while (all.next_us <= now_us && all.counts.announced - all.counts.ended <
                                        options->open_max + all.asleep - all.asleep_over) {
        if (!announce(&all.clients[all.turn++ % options->clients], false)) {
            return;
        }
        all.next_us += step_us;
    }
}

void clients_stop(void)
{
    all.has_stopped = true;
}

bool clients_are_done(void)
{
    return all.has_stopped &&
           all.counts.announced - all.counts.ended == all.asleep - all.asleep_over;
}

struct client_counts clients_count(void)
{
    all.counts.slowest_us = INT64_MAX;
    for (uint32_t i = 0; i < all.options.clients; i++) {
        if (all.clients[i].newest_us < all.counts.slowest_us) {
            all.counts.slowest_us = all.clients[i].newest_us;
        }
    }
    return all.counts;
}

void clients_close(void)
{
    for (uint32_t i = 0; i < all.options.clients; i++) {
        tender_client_close(all.clients[i].handle);
    }
}
