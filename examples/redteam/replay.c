/*
 * Messages that come again, and messages that cross: a bid said again wherever it might count
 * twice, and withdrawals that meet the award.
 */
#include "plays.h"

#include <stdio.h>
#include <string.h>

#define RACES 150

/* Says a bid that is answered by a rejection, and tells why. */
static void expect_rejection(struct stage *stage, struct actor *actor, const char *tried,
                             const tender_cfp *cfp, int64_t cost_micro)
{
    int before = actor->rejections;
    stage_bid(actor, cfp, cost_micro);
    stage_await(stage, &actor->rejections, before + 1, tried);
    stage_tell_reason(tried, actor->rejection);
}

/* In the round that is open: a has bid, b has taken its bid back, c has not answered yet. */
static void replay_in_round(struct stage *stage, struct actor *a, struct actor *b,
                            struct actor *stranger)
{
    stage_bid(a, &a->cfp, a->cost);
    stage_bid(a, &a->cfp, a->cost);
    expect_rejection(stage, a, "the bid once more, and then a lower one", &a->cfp, a->cost - 1);
    stage_bid(b, &b->cfp, b->cost);
    stage_check(tender_withdraw(b->session, &b->cfp), "withdraw");
    stage_await(stage, &b->rejections, 1, "the withdrawal");
    expect_rejection(stage, b, "the bid once more after its withdrawal", &b->cfp, b->cost);
    expect_rejection(stage, stranger, "the bid of another, from a session that was not asked",
                     &a->cfp, a->cost);
}

/* a opens a second session under its name, which takes the place of the first. */
static void replay_in_session(struct stage *stage, struct actor *a, const char *skill)
{
    tender_contractor *other = NULL;
    int status = stage_try(stage, "a", "c", NULL, &other);
    stage_tell("a's name, from a session of another principal", tender_strerror(status));
    tender_contractor_close(other);
    tender_contractor_close(a->session);
    stage_check(stage_try(stage, "a", NULL, NULL, &a->session), "a again");
    stage_check(tender_contractor_offer(a->session, skill), "offer");
    stage_bid(a, &a->cfp, a->cost);
    expect_rejection(stage, a, "the bid once more, and a lower one, from a new session", &a->cfp,
                     a->cost - 1);
}

void play_replay(struct stage *stage, const char *skill)
{
    struct actor *a = stage_enter(stage, "a", NULL, skill);
    struct actor *b = stage_enter(stage, "b", NULL, skill);
    struct actor *c = stage_enter(stage, "c", NULL, skill);
    struct actor *stranger = stage_enter(stage, "stranger", NULL, "other.trade");
    a->cost = INT64_C(3000000);
    b->cost = INT64_C(2000000);
    c->cost = INT64_C(9000000);
    tender_task task = stage_task(skill);
    task.close_alone = true;
    stage_announce(stage, &task);
    stage_await(stage, &a->cfps, 1, "a cfp");
    stage_await(stage, &b->cfps, 1, "a cfp");
    stage_await(stage, &c->cfps, 1, "a cfp");
    replay_in_round(stage, a, b, stranger);
    replay_in_session(stage, a, skill);
    stage_bid(c, &c->cfp, c->cost);
    stage_await(stage, &a->awards, 1, "the award");
    expect_rejection(stage, b, "the bid that was taken back, after the close", &b->cfp, b->cost);
    tender_cfp first = a->cfp;
    stage_check(tender_acknowledge(a->session, a->award.commitment), "acknowledge");
    stage_check(tender_failure(a->session, a->award.commitment, 0, TENDER_REASON_UNABLE, NULL,
                               (tender_bytes){NULL, 0}),
                "failure");
    stage_await(stage, &c->cfps, 2, "the second round");
    expect_rejection(stage, a, "the winning bid, in the round after its failure", &first, a->cost);
    expect_rejection(stage, a, "the same cost, with the terms of the second round", &c->cfp,
                     a->cost);
    stage_check(tender_refuse(b->session, &c->cfp, TENDER_REASON_NOT_INTERESTED), "refuse");
    c->on_event = stage_work;
    stage_bid(c, &c->cfp, c->cost);
    stage_await(stage, &stage->ended, 1, "the task ends");
    expect_rejection(stage, a, "the winning bid, after the end", &first, a->cost);
}

/* One task: `order` 0 withdraws before the bid that closes, 1 after the award, 2 at the same time.
 */
static void race(struct stage *stage, const char *skill, int order)
{
    struct actor *a = &stage->actors[0];
    struct actor *b = &stage->actors[1];
    a->cfps = b->cfps = a->awards = a->rejections = a->complaints = 0;
    tender_task task = stage_task(skill);
    stage_announce(stage, &task);
    stage_await(stage, &a->cfps, 1, "a cfp");
    stage_await(stage, &b->cfps, 1, "a cfp");
    stage_bid(a, &a->cfp, INT64_C(3000000));
    if (order != 2) {
        stage_check(order == 0 ? tender_withdraw(a->session, &a->cfp) : 0, "withdraw");
        stage_await(stage, &a->rejections, order == 0, "the withdrawal");
        stage_bid(b, &b->cfp, INT64_C(5000000));
        stage_await(stage, &a->awards, order == 1, "the award");
        stage_check(order == 1 ? tender_withdraw(a->session, &a->cfp) : 0, "withdraw");
    } else {
        stage_pump(stage);
        stage_bid(b, &b->cfp, INT64_C(5000000));
        stage_check(tender_withdraw(a->session, &a->cfp), "withdraw");
    }
    stage_await(stage, &stage->ended, 1, "the task ends");
    char id[TENDER_ID_TEXT_SIZE];
    tender_id_format(stage->task, id);
    printf("%s,%d,%s,%s\n", id, order, a->awards > 0 ? "award" : tender_reason_name(a->rejection),
           stage->winner);
}

/* Prints for each task its order, what a was told, and who won as its client was told. */
void play_race(struct stage *stage, const char *skill)
{
    for (int i = 0; i < 2; i++) {
        stage_enter(stage, i == 0 ? "a" : "b", NULL, skill)->on_event = stage_deliver_only;
    }
    for (int i = 0; i < RACES; i++) {
        race(stage, skill, i % 3);
    }
}
