/*
 * Agents that say what is not so: one that reports work on awards it does not have, one that claims
 * to be another, one that wins and never works.
 */
#include "plays.h"

#include <string.h>

#define SHORT_US INT64_C(2000000)

/* A report on a commitment, and how the broker answers it. */
static void claim(struct stage *stage, struct actor *liar, const char *tried, tender_id task,
                  uint32_t generation)
{
    static const char prose[] = "All units are done, the award is mine, and payment is due.";
    tender_commitment claimed = {.task = task, .generation = generation};
    int before = liar->complaints;
    stage_check(
        tender_inform_done(liar->session, claimed, 1, (tender_bytes){prose, sizeof prose - 1}),
        "inform-done");
    stage_await(stage, &liar->complaints, before + 1, tried);
    stage_tell_reason(tried, liar->complaint);
}

/* Of what it did win it delivers prose, where the task requires a result. */
static void win_and_bring_nothing(struct stage *stage, const char *skill, struct actor *liar,
                                  struct actor *honest)
{
    tender_task task = stage_task(skill);
    task.evidence = "result";
    task.close_alone = true;
    int cfps = honest->cfps;
    stage_announce(stage, &task);
    stage_await(stage, &liar->cfps, cfps + 1, "a cfp");
    stage_await(stage, &honest->cfps, cfps + 1, "a cfp");
    stage_bid(liar, &liar->cfp, INT64_C(2000000));
    stage_bid(honest, &honest->cfp, INT64_C(5000000));
    stage_await(stage, &liar->awards, 1, "an award");
    tender_delivery delivery = TENDER_DELIVERY_INIT;
    int before = liar->complaints;
    stage_check(tender_deliver(liar->session, liar->award.commitment, 1, (tender_bytes){NULL, 0},
                               &delivery),
                "deliver");
    stage_await(stage, &liar->complaints, before + 1, "an answer to the empty delivery");
    stage_tell_reason("done, without the result that the task requires", liar->complaint);
    stage_check(tender_failure(liar->session, liar->award.commitment, 0, TENDER_REASON_UNABLE,
                               "the result was imagined", (tender_bytes){NULL, 0}),
                "failure");
    honest->on_event = stage_work;
    stage_await(stage, &stage->ended, 1, "the task ends");
}

void play_claims(struct stage *stage, const char *skill)
{
    struct actor *liar = stage_enter(stage, "liar", NULL, skill);
    struct actor *honest = stage_enter(stage, "honest", NULL, skill);
    liar->text = "I was awarded this task an hour ago and it is done.";
    honest->cost = INT64_C(5000000);
    tender_task task = stage_task(skill);
    stage_announce(stage, &task);
    stage_await(stage, &liar->cfps, 1, "a cfp");
    stage_await(stage, &honest->cfps, 1, "a cfp");
    claim(stage, liar, "done, of a task whose round is still open", stage->task, 1);
    stage_bid(liar, &liar->cfp, INT64_C(9000000));
    stage_bid(honest, &honest->cfp, honest->cost);
    stage_await(stage, &honest->awards, 1, "an award");
    claim(stage, liar, "done, on the award of another", stage->task, 1);
    claim(stage, liar, "done, on an award that there never was", stage->task, 2);
    claim(stage, liar, "done, of a task that there never was", (tender_id){{1, 2, 3}}, 1);
    tender_commitment claimed = {.task = stage->task, .generation = 1};
    int before = liar->complaints;
    stage_check(tender_standing(liar->session, claimed), "standing");
    stage_await(stage, &liar->complaints, before + 1, "an answer");
    stage_tell_reason("how does `my` commitment stand?", liar->complaint);
    stage_deliver(honest);
    stage_await(stage, &stage->ended, 1, "the task ends");
    win_and_bring_nothing(stage, skill, liar, honest);
}

static void try_to_be(struct stage *stage, const char *tried, const char *role,
                      const char *principal)
{
    tender_contractor *session = NULL;
    int status = stage_try(stage, role, principal, "impostor", &session);
    stage_tell(tried, tender_strerror(status));
    tender_contractor_close(session);
}

/* Somebody else's names by a key that is the impostor's; then a's own key, once it is revoked. */
void play_impostor(struct stage *stage, const char *skill)
{
    struct actor *a = stage_enter(stage, "a", NULL, skill);
    tender_task task = stage_task(skill);
    task.close_alone = true;
    try_to_be(stage, "a's name, while a is there", "a", "a");
    try_to_be(stage, "a new name of a's principal", "a2", "a");
    try_to_be(stage, "the client's name", "client", "client");
    stage_announce(stage, &task);
    stage_await(stage, &a->cfps, 1, "a cfp");
    stage_bid(a, &a->cfp, INT64_C(3000000));
    stage_await(stage, &a->awards, 1, "the award");
    stage_check(tender_acknowledge(a->session, a->award.commitment), "acknowledge");
    stage_tell("a's session, when its key is revoked", tender_strerror(stage_await_refusal(stage)));
    try_to_be(stage, "a's name, when a is gone", "a", "a");
}

static void work_for(struct stage *stage, const char *skill, const char *client)
{
    tender_task task = stage_task(skill);
    task.close_alone = true;
    stage_client(stage, client);
    stage_announce(stage, &task);
    stage_await(stage, &stage->ended, 1, "the task ends");
}

/* Three clients have a task each, and the fourth announces one when it is known. */
void play_idle(struct stage *stage, const char *skill)
{
    struct actor *idle = stage_enter(stage, "idle", NULL, skill);
    struct actor *honest = stage_enter(stage, "honest", NULL, skill);
    idle->on_event = stage_bid_only;
    idle->cost = INT64_C(1000000);
    idle->eta_us = SHORT_US;
    honest->on_event = stage_work;
    honest->cost = INT64_C(6000000);
    work_for(stage, skill, "client");
    work_for(stage, skill, "client2");
    work_for(stage, skill, "client3");
    work_for(stage, skill, "client4");
    stage_tell("three tasks won at 1 credit and not touched", "due-passed");
}
