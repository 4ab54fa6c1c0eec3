/*
 * The stage of the attacks: one client, up to four contractors, and what each of them was told. One
 * thread; nothing happens between calls. Sessions are opened here and nowhere else, each under a
 * name that begins with the tag of the run. Whatever goes wrong with the stage itself ends the
 * program with a sentence; what the broker answers is the attack's business.
 */
#ifndef TENDER_EXAMPLES_REDTEAM_STAGE_H
#define TENDER_EXAMPLES_REDTEAM_STAGE_H

#include <tender/client.h>

#define STAGE_ACTORS   4
#define STAGE_NAME_MAX 128

struct stage;
struct actor;

/* Called for a cfp, an award or a rejection. */
typedef void cue_fn(struct stage *stage, struct actor *actor, const tender_event *event);

/*
 * A contractor.
 *
 * on_event  NULL, or what it does by itself
 * cost      for on_event: what it asks for, in micro-credits
 * eta_us    for stage_bid: how long it says that it needs; 0: as long as it may
 * text      for stage_bid: NULL, or its rationale
 * cfp, award, settled, complaint, rejection
 *           the newest of each kind, without what it borrows; of the last two the reason
 * The counters count since it entered.
 */
struct actor {
    char name[STAGE_NAME_MAX];
    tender_contractor *session;
    cue_fn *on_event;
    int64_t cost;
    int64_t eta_us;
    const char *text;
    tender_cfp cfp;
    tender_award award;
    tender_settlement settled;
    tender_reason complaint;
    tender_reason rejection;
    int cfps;
    int awards;
    int rejections;
    int settlements;
    int complaints;
};

/* task: the newest announced; winner: of its newest award, as its client was told. */
struct stage {
    const char *url;
    const char *tag;
    char client_name[STAGE_NAME_MAX];
    tender_client *client;
    struct actor actors[STAGE_ACTORS];
    size_t actor_count;
    tender_id task;
    char winner[STAGE_NAME_MAX];
    int agreed;
    int ended;
};

/* `tag` is borrowed. The broker is the one of TENDER_URL; keys are REDTEAM_KEYS/ROLE.key. */
void stage_open(struct stage *stage, const char *tag);
void stage_close(struct stage *stage);

/* The client is TAG-role from now on, also of principal TAG-role. */
void stage_client(struct stage *stage, const char *role);

/*
 * A session as TAG-role of principal TAG-principal (NULL: the same), with the key of role `key`
 * (NULL: its principal's), and nothing else; returns what tender_contractor_open does.
 */
int stage_try(const struct stage *stage, const char *role, const char *principal, const char *key,
              tender_contractor **session_out);
/* With its principal's key, as an actor that offers `skill` from now on. */
struct actor *stage_enter(struct stage *stage, const char *role, const char *principal,
                          const char *skill);

/* A task of one unit with room for this stage: ceiling 30 credits, a window of a minute. */
tender_task stage_task(const char *skill);
/* Announces and waits until it is recorded. */
void stage_announce(struct stage *stage, const tender_task *task);

/* Waits until the broker has ended the session of the only actor; returns why it has, an error. */
int stage_await_refusal(struct stage *stage);

/* Hears what has come for anybody; waits a moment where nothing has. */
void stage_pump(struct stage *stage);
/* Pumps until the counter has reached `least`; a minute in vain ends the program. */
void stage_await(struct stage *stage, const int *counter, int least, const char *what);

/* Bids on the cfp, or delivers the award, that the actor has. */
void stage_bid(const struct actor *actor, const tender_cfp *cfp, int64_t cost_micro);
void stage_deliver(const struct actor *actor);
/* For on_event: bids `cost`; delivers what it wins; both. */
cue_fn stage_bid_only;
cue_fn stage_deliver_only;
cue_fn stage_work;

/* Ends the program where status is an error. */
void stage_check(int status, const char *what);

/* A line of the story: what was tried, and what the broker answered. */
void stage_tell(const char *tried, const char *answer);
/* The name of a reason, as above. */
void stage_tell_reason(const char *tried, tender_reason reason);

#endif
