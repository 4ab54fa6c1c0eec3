/*
 * See stage.h.
 */
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WAIT_S       60
#define KEY_PATH_MAX 1024

static _Noreturn void stage_fail(const char *what, const char *why)
{
    fprintf(stderr, "redteam-agents: %s: %s\n", what, why);
    exit(1);
}

void stage_check(int status, const char *what)
{
    if (status < 0) {
        stage_fail(what, tender_strerror(status));
    }
}

static void join(char out[STAGE_NAME_MAX], const char *tag, const char *role)
{
    if (snprintf(out, STAGE_NAME_MAX, "%s-%s", tag, role) >= STAGE_NAME_MAX) {
        stage_fail(role, "the name is too long");
    }
}

/* The key of a role; where the script has made none, TENDER_KEY's. */
static const char *key_of(const char *role, char path[KEY_PATH_MAX])
{
    const char *keys = getenv("REDTEAM_KEYS");
    if (keys == NULL) {
        return NULL;
    }
    if (snprintf(path, KEY_PATH_MAX, "%s/%s.key", keys, role) >= KEY_PATH_MAX) {
        stage_fail(role, "the path of its key is too long");
    }
    return path;
}

static tender_options options_for(const struct stage *stage, const char *name,
                                  const char *principal)
{
    tender_options options = TENDER_OPTIONS_INIT;
    options.broker_url = stage->url;
    options.name = name;
    options.principal = principal;
    options.slots = 64;
    return options;
}

void stage_open(struct stage *stage, const char *tag)
{
    *stage = (struct stage){.url = getenv("TENDER_URL"), .tag = tag};
    stage_client(stage, "client");
}

void stage_client(struct stage *stage, const char *role)
{
    tender_client_close(stage->client);
    join(stage->client_name, stage->tag, role);
    char path[KEY_PATH_MAX];
    tender_options options = options_for(stage, stage->client_name, NULL);
    options.key_file = key_of(role, path);
    if (tender_client_open(&options, &stage->client) < 0) {
        stage_fail(stage->client_name, tender_client_last_error(NULL));
    }
}

void stage_close(struct stage *stage)
{
    for (size_t i = 0; i < stage->actor_count; i++) {
        tender_contractor_close(stage->actors[i].session);
    }
    tender_client_close(stage->client);
}

int stage_try(const struct stage *stage, const char *role, const char *principal, const char *key,
              tender_contractor **session_out)
{
    char path[KEY_PATH_MAX];
    char name[STAGE_NAME_MAX];
    char owner[STAGE_NAME_MAX];
    join(name, stage->tag, role);
    principal = principal == NULL ? role : principal;
    join(owner, stage->tag, principal);
    tender_options options = options_for(stage, name, owner);
    options.key_file = key_of(key == NULL ? principal : key, path);
    return tender_contractor_open(&options, session_out);
}

struct actor *stage_enter(struct stage *stage, const char *role, const char *principal,
                          const char *skill)
{
    if (stage->actor_count == STAGE_ACTORS) {
        stage_fail(role, "the stage is full");
    }
    struct actor *actor = &stage->actors[stage->actor_count];
    *actor = (struct actor){.on_event = NULL};
    join(actor->name, stage->tag, role);
    if (stage_try(stage, role, principal, NULL, &actor->session) < 0) {
        stage_fail(actor->name, tender_contractor_last_error(NULL));
    }
    stage->actor_count++;
    stage_check(tender_contractor_offer(actor->session, skill), "offer");
    /* What is asked behind the offer is answered when the offer is recorded. */
    tender_commitment none = {.task = {{1}}, .generation = 1};
    stage_check(tender_standing(actor->session, none), "standing");
    stage_await(stage, &actor->complaints, 1, "the offer is recorded");
    actor->complaints = 0;
    return actor;
}

tender_task stage_task(const char *skill)
{
    tender_task task = TENDER_TASK_INIT;
    task.skill = skill;
    task.ceiling_micro = 30 * TENDER_MICRO_PER_CREDIT;
    task.window_us = WAIT_S * INT64_C(1000000);
    task.backoff_us = 0;
    return task;
}

void stage_announce(struct stage *stage, const tender_task *task)
{
    stage->agreed = 0;
    stage->ended = 0;
    stage->winner[0] = '\0';
    stage_check(tender_announce(stage->client, task, NULL), "announce");
    stage_await(stage, &stage->agreed, 1, "the task is recorded");
}

static void hear_client(struct stage *stage, const tender_client_event *event)
{
    if (event->kind == TENDER_CLIENT_AGREED) {
        stage->task = event->agreed.task;
        stage->agreed++;
    } else if (event->kind == TENDER_CLIENT_REFUSED) {
        stage_fail("announce", tender_reason_name(event->refused.reason));
    } else if (event->kind == TENDER_CLIENT_STATE && stage->agreed > 0 &&
               tender_id_equal(event->state.task, stage->task)) {
        if (event->state.contractor[0] != '\0') {
            snprintf(stage->winner, sizeof stage->winner, "%s", event->state.contractor);
        }
        stage->ended += tender_task_state_is_terminal(event->state.task_state);
    }
}

static void note(struct actor *actor, const tender_event *event)
{
    switch (event->kind) {
    case TENDER_EVENT_CFP:
        actor->cfp = event->cfp;
        actor->cfps++;
        break;
    case TENDER_EVENT_ACCEPT_PROPOSAL:
        actor->award = event->accept_proposal;
        actor->awards++;
        break;
    case TENDER_EVENT_REJECT_PROPOSAL:
        actor->rejection = event->reject_proposal.reason;
        actor->rejections++;
        break;
    case TENDER_EVENT_INFORM:
        actor->settled = event->inform;
        actor->settlements++;
        break;
    case TENDER_EVENT_NOT_UNDERSTOOD:
        actor->complaint = event->not_understood.reason;
        actor->complaints++;
        break;
    default:
        break;
    }
}

static int hear_actor(struct stage *stage, struct actor *actor)
{
    const tender_event *event = NULL;
    int status = tender_contractor_next(actor->session, 0, &event);
    stage_check(status, actor->name);
    if (status > 0) {
        note(actor, event);
        if (actor->on_event != NULL) {
            actor->on_event(stage, actor, event);
        }
    }
    return status;
}

void stage_pump(struct stage *stage)
{
    int heard = 0;
    for (size_t i = 0; i < stage->actor_count; i++) {
        heard += hear_actor(stage, &stage->actors[i]);
    }
    const tender_client_event *event = NULL;
    int status = tender_client_next(stage->client, heard > 0 ? 0 : 1, &event);
    stage_check(status, stage->client_name);
    if (status > 0) {
        hear_client(stage, event);
    }
}

void stage_await(struct stage *stage, const int *counter, int least, const char *what)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    time_t until = now.tv_sec + WAIT_S;
    while (*counter < least) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec > until) {
            stage_fail(what, "waited in vain");
        }
        stage_pump(stage);
    }
}

int stage_await_refusal(struct stage *stage)
{
    int status = 0;
    for (int second = 0; second < WAIT_S && status >= 0; second++) {
        const tender_event *event = NULL;
        status = tender_contractor_next(stage->actors[0].session, 1000, &event);
    }
    return status;
}

void stage_bid(const struct actor *actor, const tender_cfp *cfp, int64_t cost_micro)
{
    tender_bid bid = {.cost_micro = cost_micro, .eta_us = actor->eta_us, .text = actor->text};
    bid.eta_us = bid.eta_us == 0 ? cfp->due_us : bid.eta_us;
    stage_check(tender_propose(actor->session, cfp, &bid), "propose");
}

void stage_deliver(const struct actor *actor)
{
    stage_check(tender_inform_done(actor->session, actor->award.commitment, actor->award.units,
                                   (tender_bytes){"done", 4}),
                "inform-done");
}

void stage_bid_only(struct stage *stage, struct actor *actor, const tender_event *event)
{
    (void)stage;
    if (event->kind == TENDER_EVENT_CFP) {
        stage_bid(actor, &event->cfp, actor->cost);
    }
}

void stage_deliver_only(struct stage *stage, struct actor *actor, const tender_event *event)
{
    (void)stage;
    if (event->kind == TENDER_EVENT_ACCEPT_PROPOSAL) {
        stage_deliver(actor);
    }
}

void stage_work(struct stage *stage, struct actor *actor, const tender_event *event)
{
    stage_bid_only(stage, actor, event);
    stage_deliver_only(stage, actor, event);
}

void stage_tell(const char *tried, const char *answer)
{
    printf("  %-66s %s\n", tried, answer);
}

void stage_tell_reason(const char *tried, tender_reason reason)
{
    stage_tell(tried, tender_reason_name(reason));
}
