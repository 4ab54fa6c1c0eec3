/*
 * A contractor: an agent that hears calls for proposals, bids, does the work it is awarded and is
 * paid for it. This header is its manual.
 *
 *     open ─▶ offer a skill ─▶ next: cfp ─▶ propose ─▶ next: accept_proposal ─▶ work ─▶ inform_done
 *                                     └──▶ refuse          reject_proposal
 *
 * Pulling events (tender_contractor_next) is the primitive, callbacks (tender_contractor_run) are a
 * convenience; no code of yours runs on a thread of the library. What you say is queued at once,
 * repeated until it is recorded, and harmless to say twice; `contact` events tell of connections.
 *
 * Money is micro-credits, time is microseconds (tender/vocabulary.h). A handle is used by one
 * thread at a time; tender_contractor_stop is the exception. Functions return 0, a count, or a
 * negative TENDER_E… whose particulars tender_contractor_last_error tells. For C11 and C++.
 */
#ifndef TENDER_CONTRACTOR_H
#define TENDER_CONTRACTOR_H

#include "tender/book.h"
#include "tender/options.h"
#include "tender/vocabulary.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tender_contractor tender_contractor;

/*
 * A call for proposals: a round of a task for which you are invited to bid.
 *
 * task, round    name the round; a task that was not completed comes again with the next round
 * digest         of the round's terms; your bid carries it
 * skill          one that you offered
 * units          how much work, at least 1; a bid is for all of it
 * ceiling_micro  the most this round may cost; a bid above it is ineligible
 * closes_at_us   when bidding ends (Unix epoch, the broker's clock), or sooner: when all answered
 * due_us         the longest `eta_us` a bid may state
 * ack_us         how long the winner has to take the award
 * kill_fee_ppm   share of the unpaid price that you get if the client cancels, in parts per million
 * partial        how work that ends short is paid
 * heartbeat_us   0, or how often the owner must be heard, or its commitment lapses
 * content        what to do, as the client wrote it; at most TENDER_CONTENT_MAX bytes
 * improve        rounds of improving bids from this one on, before the one that decides; 0: this
 *                one decides. In the next round only a new bid counts, and it may not be above the
 *                one before.
 * rank           where your bid of the round before came among those that counted, from 1; where
 *                lead_only says so, 1 if it was the first and 0 if not; -1: you had none
 * lead_only      bidders learn between the rounds only whether they lead
 * split_max      0, or how many commitments the units may be split into: then a bid is a cost for
 *                one unit, at most ceiling_micro / units rounded down, and a capacity, made with
 *                tender_propose_terms
 * cover_all      of a split round: it fails where its bids do not cover all units
 * needs          the further skills and resources that it needs, all of which you offered: names
 *                joined by commas, or ""; a resource that is counted you hold from award to end
 * evidence       names, joined by commas, that a completion must bring (tender_deliver), or ""
 * accept_us      0, or how long the client may take to accept what you deliver; silence accepts it
 *
 * Valid until the next tender_contractor_next. You may copy the structure and answer later, but
 * `skill`, `content`, `needs` and `evidence` are borrowed.
 */
typedef struct tender_cfp {
    tender_id task;
    int64_t round;
    tender_digest digest;
    const char *skill;
    int64_t units;
    int64_t ceiling_micro;
    int64_t closes_at_us;
    int64_t due_us;
    int64_t ack_us;
    int64_t kill_fee_ppm;
    tender_partial partial;
    int64_t heartbeat_us;
    tender_bytes content;
    int64_t improve;
    int64_t rank;
    bool lead_only;
    int64_t split_max;
    bool cover_all;
    const char *needs;
    const char *evidence;
    int64_t accept_us;
} tender_cfp;

/*
 * A bid. It binds: who wins and does not take the award is out of the task. The first bid is final.
 *
 * cost_micro      what you want for all units, 0 to the ceiling. State your true cost: the winner
 *                 is paid the lowest cost of another principal, else the ceiling, never less than
 *                 its own.
 * eta_us          how long you need from the award, above 0 and at most cfp->due_us
 * valid_until_us  0: until rejected; else an instant after close and acknowledgement
 * text            for people, NULL or at most TENDER_TEXT_MAX bytes; never read by a decision
 */
typedef struct tender_bid {
    int64_t cost_micro;
    int64_t eta_us;
    int64_t valid_until_us;
    const char *text;
} tender_bid;

/*
 * An award: you own this commitment now. Asking for the next event acknowledges it, and so does the
 * first report; who works until after `ack_by_us` before either calls tender_acknowledge first.
 * tender_failure with 0 units gives it back.
 *
 * commitment    names it; every report carries it
 * units         to deliver
 * price_micro   what you are paid for all units; delivered ones are paid by share otherwise
 * due_at_us     when it lapses
 * ack_by_us     when it is taken away if it was not acknowledged
 * skill         "" where this process has not seen the call for proposals
 * content       as in the call for proposals
 * evidence      names, joined by commas, that the completion must bring (tender_deliver), or "";
 *               "result": content that is not empty, or the digest and size of a result elsewhere
 * accept_us     0, or how long the client may take to accept what you deliver; silence accepts it
 * needs         as in the call for proposals
 *
 * Valid until the next tender_contractor_next.
 */
typedef struct tender_award {
    tender_commitment commitment;
    int64_t round;
    int64_t units;
    int64_t price_micro;
    int64_t due_at_us;
    int64_t ack_by_us;
    const char *skill;
    tender_bytes content;
    const char *evidence;
    int64_t accept_us;
    const char *needs;
} tender_award;

/*
 * A bid that did not win. `rank` counts from 1; 0 where the bid was not ranked. `price_micro` is
 * what the winner is paid, or -1 where you are not told.
 */
typedef struct tender_rejection {
    tender_id task;
    int64_t round;
    tender_reason reason;
    int64_t rank;
    int64_t price_micro;
} tender_rejection;

/* Stop: the commitment has ended without you. `paid_micro` includes a kill fee. */
typedef struct tender_cancellation {
    tender_commitment commitment;
    tender_reason reason;
    int64_t units_done;
    int64_t paid_micro;
} tender_cancellation;

/*
 * How a commitment of yours stands, recorded: it has ended and was paid `paid_micro` in all; or, in
 * state TENDER_COMMITMENT_DELIVERED, it waits for its client; or, in answer to tender_standing, it
 * is as `state` says.
 */
typedef struct tender_settlement {
    tender_commitment commitment;
    tender_commitment_state state;
    tender_reason reason;
    int64_t units_done;
    int64_t paid_micro;
} tender_settlement;

/*
 * Something you said was not used.
 *
 * task        nil where it concerned no task
 * generation  of the commitment concerned, or 0
 * reason      why, e.g. TENDER_REASON_STALE_GENERATION for a report against an award that is over
 * field       the field at fault with its name on the wire, or ""
 * text        for people, or ""
 */
typedef struct tender_complaint {
    tender_id task;
    uint32_t part;
    uint32_t generation;
    tender_reason reason;
    const char *field;
    const char *text;
} tender_complaint;

/*
 * What a member said of a goal that you have to do with, or of one of its tasks.
 *
 * goal                its name, among those of its client's principal
 * task                nil: the goal itself
 * belief              TENDER_REASON_ACHIEVED, _IMPOSSIBLE or _IRRELEVANT; _NONE: the goal goes on
 * text                why, for people; "" where nobody said
 * by                  agent that said it
 * suspended_until_us  until then awards of the goal wait for its client's word; 0: the client said
 *                     it, and a goal that is over is stopped
 */
typedef struct tender_belief {
    const char *goal;
    tender_id task;
    tender_reason belief;
    const char *text;
    const char *by;
    int64_t suspended_until_us;
} tender_belief;

typedef enum tender_contact_kind {
    TENDER_CONTACT_CONNECTED = 1,  /* welcomed; said again after each loss */
    TENDER_CONTACT_LOST = 2,       /* the connection is gone; it is being made again */
    TENDER_CONTACT_GOING_DOWN = 3, /* the broker is shutting down; it may come back */
    TENDER_CONTACT_LOSS = 4,       /* its ledger lost commits; of yours, `lost` events follow */
    TENDER_CONTACT_FULL = 5        /* it has no room for the session and is asked again */
} tender_contact_kind;

typedef struct tender_contact {
    tender_contact_kind kind;
    const char *text; /* for people */
} tender_contact;

typedef enum tender_event_kind {
    TENDER_EVENT_CFP = 1,
    TENDER_EVENT_ACCEPT_PROPOSAL = 2,
    TENDER_EVENT_REJECT_PROPOSAL = 3,
    TENDER_EVENT_CANCEL = 4,
    TENDER_EVENT_INFORM = 5,
    TENDER_EVENT_NOT_UNDERSTOOD = 6,
    TENDER_EVENT_CONTACT = 7,
    TENDER_EVENT_BELIEF = 8,
    TENDER_EVENT_LOST = 9,
    TENDER_EVENT_DISPUTE = 10
} tender_event_kind;

/* What happened; the member named like the kind is set. Skip kinds you do not know. `lost`: the
 * broker's database has lost it when it failed over; nobody pays for that work. */
typedef struct tender_event {
    tender_event_kind kind;
    union {
        tender_cfp cfp;
        tender_award accept_proposal;
        tender_rejection reject_proposal;
        tender_cancellation cancel;
        tender_settlement inform;
        tender_complaint not_understood;
        tender_contact contact;
        tender_belief belief;
        tender_commitment lost;
        tender_dispute dispute;
    };
} tender_event;

/*
 * Opens a session under options->name and waits for the broker's welcome (connect_timeout_ms).
 *
 * Returns 0; TENDER_EINVAL for an option out of its range; TENDER_EAWAY when no broker answered in
 * time or had room; TENDER_EREFUSED when it does not want you (the name is another principal's);
 * TENDER_ENOMEM; TENDER_ESYSTEM. On failure *contractor_out is NULL, and
 * tender_contractor_last_error(NULL) has the particulars for the calling thread.
 */
TENDER_API TENDER_MUST_CHECK int tender_contractor_open(const tender_options *options,
                                                        tender_contractor **contractor_out);

/*
 * Waits up to linger_ms for what was said to be recorded, says good-bye and frees the handle.
 * Commitments stand: the same name may open again and report on them. An award that was
 * acknowledged is not said again, so a program that may be restarted keeps what it took. NULL is
 * fine.
 */
TENDER_API void tender_contractor_close(tender_contractor *contractor);

/*
 * Offers one skill more (tender_skill_is_valid; at most TENDER_SKILLS_MAX). The broker invites you
 * for it from then on, also after the connection was lost.
 *
 * Returns 0, TENDER_EINVAL, TENDER_ELIMIT, TENDER_ENOMEM.
 */
TENDER_API TENDER_MUST_CHECK int tender_contractor_offer(tender_contractor *contractor,
                                                         const char *skill);

/*
 * Hands out the next event. What you said since the last call leaves here, in one message.
 *
 * timeout_ms  0: does not wait; negative: waits without limit
 * event_out   owned by the library, valid until the next call
 *
 * Returns 1 with an event, 0 when time is up, TENDER_ECLOSED after tender_contractor_stop,
 * TENDER_EREFUSED when the broker does not want this session.
 */
TENDER_API TENDER_MUST_CHECK int tender_contractor_next(tender_contractor *contractor,
                                                        int timeout_ms,
                                                        const tender_event **event_out);

/*
 * A descriptor for poll, epoll or any loop: readable while tender_contractor_next(…, 0, …) would
 * not return 0. Then call it until it does. Owned by the library; do not read from it.
 */
TENDER_API int tender_contractor_fd(const tender_contractor *contractor);

/*
 * Callbacks of tender_contractor_run. Each may be NULL: a cfp is then refused as not-interested, an
 * award is given back as unable, the rest is skipped. A callback returns 0 to go on; anything else
 * ends the run, which returns it.
 */
typedef struct tender_handlers {
    int (*on_cfp)(tender_contractor *self, const tender_cfp *cfp, void *context);
    int (*on_accept_proposal)(tender_contractor *self, const tender_award *award, void *context);
    int (*on_reject_proposal)(tender_contractor *self, const tender_rejection *rejection,
                              void *context);
    int (*on_cancel)(tender_contractor *self, const tender_cancellation *cancellation,
                     void *context);
    int (*on_inform)(tender_contractor *self, const tender_settlement *settlement, void *context);
    int (*on_not_understood)(tender_contractor *self, const tender_complaint *complaint,
                             void *context);
    int (*on_contact)(tender_contractor *self, const tender_contact *contact, void *context);
    int (*on_belief)(tender_contractor *self, const tender_belief *belief, void *context);
    int (*on_lost)(tender_contractor *self, tender_commitment commitment, void *context);
    int (*on_dispute)(tender_contractor *self, const tender_dispute *dispute, void *context);
} tender_handlers;

/*
 * Calls a handler for each event, on the calling thread, until tender_contractor_stop. An award is
 * acknowledged before its handler is called, so a handler may take as long as the work does. One
 * that waited, behind a long handler or a lost connection, is asked about first: its handler is
 * called when it still stands, or nobody answers in time, and not when it has ended meanwhile.
 *
 * Returns 0 after tender_contractor_stop, a negative error, or what a handler returned.
 */
TENDER_API TENDER_MUST_CHECK int tender_contractor_run(tender_contractor *contractor,
                                                       const tender_handlers *handlers,
                                                       void *context);

/* Ends run and next, now and from then on. Any thread, any signal handler. */
TENDER_API void tender_contractor_stop(tender_contractor *contractor);

/*
 * Bids in the round of `cfp`, of which only task, round, digest, ceiling and due are read.
 *
 * Returns 0; TENDER_EINVAL for a cost, eta, validity or text outside the ranges of tender_bid;
 * TENDER_ELIMIT while too much is waiting to be sent; TENDER_ENOMEM.
 */
TENDER_API TENDER_MUST_CHECK int tender_propose(tender_contractor *contractor,
                                                const tender_cfp *cfp, const tender_bid *bid);

/*
 * More about a bid; start from TENDER_BID_TERMS_INIT.
 *
 * capacity        0, or of a split round: how many units you would take at most, at bid->cost_micro
 *                 each; an award may be for fewer. You are paid what the others would cost without
 *                 you, never less than your cost; if you deliver less, as if you had offered less
 * estimate_micro  what you expect it to cost you, kept beside what you report in the end; 0: none
 */
typedef struct tender_bid_terms {
    size_t size;
    int64_t capacity;
    int64_t estimate_micro;
} tender_bid_terms;

#define TENDER_BID_TERMS_INIT                                                                      \
    {                                                                                              \
        sizeof(tender_bid_terms), 0, 0                                                             \
    }

/* As tender_propose, with further terms; in a split round the cost is of one unit. */
TENDER_API TENDER_MUST_CHECK int tender_propose_terms(tender_contractor *contractor,
                                                      const tender_cfp *cfp, const tender_bid *bid,
                                                      const tender_bid_terms *terms);

/* Does not bid, which saves others the wait; takes a bid back before the close, after which it
 * binds. Errors as tender_propose. */
TENDER_API TENDER_MUST_CHECK int tender_refuse(tender_contractor *contractor, const tender_cfp *cfp,
                                               tender_reason reason);
TENDER_API TENDER_MUST_CHECK int tender_withdraw(tender_contractor *contractor,
                                                 const tender_cfp *cfp);

/* Takes an award without reporting anything yet; implied by next, run and every report. */
TENDER_API TENDER_MUST_CHECK int tender_acknowledge(tender_contractor *contractor,
                                                    tender_commitment commitment);

/*
 * Reports. `units_done` is cumulative and never falls; `result` is at most TENDER_CONTENT_MAX bytes
 * and goes to the client: {NULL, 0} for none. Progress is recorded, and paid when the commitment
 * ends. inform_done ends it; with fewer units than awarded the rest is announced again.
 *
 * Return 0, TENDER_EINVAL, TENDER_ELIMIT (result too large, or too much is waiting), TENDER_ENOMEM.
 * Whether the report was in time is told by the event that follows: inform or not_understood.
 */
TENDER_API TENDER_MUST_CHECK int tender_inform_progress(tender_contractor *contractor,
                                                        tender_commitment commitment,
                                                        int64_t units_done, tender_bytes result);
TENDER_API TENDER_MUST_CHECK int tender_inform_done(tender_contractor *contractor,
                                                    tender_commitment commitment,
                                                    int64_t units_done, tender_bytes result);

/*
 * What a completion brings besides content. Start from TENDER_DELIVERY_INIT, which brings nothing.
 *
 * evidence        NULL, or lines NAME=VALUE, at most TENDER_TEXT_MAX bytes: what the task requires,
 *                 and what else the client should see before it decides
 * digest          NULL, or the SHA-256 of a result that is kept elsewhere; the content is then what
 *                 opens it (a key, a link), and told to the client when it has paid
 * result_size     with `digest`: its size in bytes
 * measured_micro  what the work cost you, for the record; 0: not said
 * tier            NULL, or the tier that did the work, for the record
 */
typedef struct tender_delivery {
    size_t size;
    const char *evidence;
    const tender_digest *digest;
    int64_t result_size;
    int64_t measured_micro;
    const char *tier;
} tender_delivery;

#define TENDER_DELIVERY_INIT                                                                       \
    {                                                                                              \
        sizeof(tender_delivery), NULL, NULL, 0, 0, NULL                                            \
    }

/* tender_inform_done with evidence. Without what the award requires it is refused (not_understood,
 * evidence-missing, `field` names it). Where the award says `accept_us`, the client is told a
 * sample and the evidence, and the rest when it has accepted; an inform in state delivered says
 * that it is recorded, a later one how the client decided. Errors as the two above. */
TENDER_API TENDER_MUST_CHECK int tender_deliver(tender_contractor *contractor,
                                                tender_commitment commitment, int64_t units_done,
                                                tender_bytes result,
                                                const tender_delivery *delivery);

/* Asks how a commitment stands; answered by an inform with its state (active: it still stands), or
 * not_understood where it is none of yours. tender_contractor_run does so by itself. */
TENDER_API TENDER_MUST_CHECK int tender_standing(tender_contractor *contractor,
                                                 tender_commitment commitment);

/*
 * Says what you believe of a commitment of yours, of another task of a goal that you work for, or
 * of that goal. Of your own it is a report and passes the same gates: TENDER_REASON_ACHIEVED says
 * that all units are done, the others that the rest will not be. Of another task it is recorded and
 * told. Of the goal it suspends awards until its client has spoken, or for ten minutes.
 *
 * commitment  yours; or, with generation 0, a task
 * goal        NULL, or the goal of that task
 * text        for people, NULL or UTF-8 of at most TENDER_TEXT_MAX bytes
 */
TENDER_API TENDER_MUST_CHECK int tender_contractor_believe(tender_contractor *contractor,
                                                           tender_commitment commitment,
                                                           const char *goal, tender_reason belief,
                                                           const char *text);

/*
 * The rest will not be done: `units_done` units are settled, the others are announced again, and
 * your principal is out of this task. With 0 units before any other report it declines the award.
 * `text` is for people: NULL or UTF-8 of at most TENDER_TEXT_MAX bytes.
 */
TENDER_API TENDER_MUST_CHECK int tender_failure(tender_contractor *contractor,
                                                tender_commitment commitment, int64_t units_done,
                                                tender_reason reason, const char *text,
                                                tender_bytes result);

/*
 * The particulars of the last failure on this handle, e.g. "cost_micro is 31 and must be 0 to 30".
 * Never NULL; valid until the next call with this handle. NULL: of this thread's last failed open.
 */
TENDER_API const char *tender_contractor_last_error(const tender_contractor *contractor);
TENDER_API const char *tender_version(void); /* "0.1.0" */

#ifdef __cplusplus
}
#endif

#endif
