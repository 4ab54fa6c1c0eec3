/*
 * A client: an agent that announces tasks and hears what becomes of them. This header is its
 * manual.
 *
 *     open ─▶ announce ─▶ next: agreed (recorded) ─▶ state, report … ─▶ state of a task that ended
 *                              refused
 *
 * It stands on the same exchange as tender/contractor.h, whose first paragraphs hold here too: pull
 * with a descriptor, everything said is queued, repeated until recorded and harmless to say twice.
 * Who announces a task follows it: its states and reports come as events until it has ended.
 *
 * An agent may be contractor and client in one session (tender_contractor_client), so a contractor
 * can announce parts of its own work.
 */
#ifndef TENDER_CLIENT_H
#define TENDER_CLIENT_H

#include "tender/contractor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tender_client tender_client;

/*
 * A task to be done. Start from TENDER_TASK_INIT, which records the size of the structure and sets
 * the defaults named here.
 *
 * key             yours for this task: 1 to TENDER_KEY_MAX bytes of UTF-8. The same key with the
 *                 same body is the same task, however often it is announced; another body is a
 *                 conflict. NULL: tender_announce makes a random one.
 * skill           that it needs; tender_skill_is_valid. Required.
 * units           how much work, 1 to TENDER_UNITS_MAX; default 1
 * ceiling_micro   the most it may ever cost, 0 to TENDER_MONEY_MAX; reserved at once. Required.
 * window_us       how long bids are taken; default 2 s
 * due_us          how long one commitment may take; default 1 h
 * deadline_at_us  when the task ends whatever happens; 0: rounds × (window + ack + backoff + due)
 *                 from now
 * rounds          how often it is announced at most, 1 to TENDER_ROUNDS_MAX; default 3
 * backoff_us      wait after a round without a winner; default 1 s
 * ack_us          how long a winner has to take the award; default 10 s
 * heartbeat_us    0, or how often the owner must be heard, or its commitment lapses
 * priority        0 to TENDER_PRIORITY_MAX; orders what waits for slots, and nothing else
 * partial         how work that ends short is paid; default TENDER_PARTIAL_PRO_RATA
 * kill_fee_ppm    share of the unpaid price that cancelling costs; default 100,000 (10 %)
 * close_alone     also a round with one invited principal closes when it has answered
 * fallback        when the rounds are used up; default TENDER_FALLBACK_UNALLOCATED
 * contractor      for TENDER_FALLBACK_CONTRACTOR: its name
 * again           nil, or the newest task under this key, which has ended: a new one replaces it
 * content         what to do; at most TENDER_CONTENT_MAX bytes
 *
 * What a plain task leaves out:
 *
 * needs           further skills and resources, all or nothing: NULL, or a list that ends with
 *                 NULL, of at most TENDER_NEEDS_MAX
 * tier            NULL, or the tier of the skill: it chooses the posted rate
 * goal            NULL, or a name that groups tasks of your principal
 * after           tasks that must be done before this one is announced, `after_count` of them, at
 *                 most TENDER_AFTER_MAX
 * evidence        NULL, or names joined by commas, at most TENDER_EVIDENCE_MAX bytes: a completion
 *                 must bring each; "result" asks for content, or for its digest and size
 * accept_us       how long you may take to accept a delivery; 0: it is paid when it is there
 * split_max       most commitments that a round may make of the units, at most TENDER_SPLIT_MAX:
 *                 contractors then bid a cost per unit and a capacity; 0: one commitment
 * cover_all       of a split round: it fails where its bids do not cover all units
 * improve         rounds of improving bids before the sealed one, at most TENDER_IMPROVE_MAX
 * lead_only       between those a bidder learns only whether it leads; otherwise its rank
 * invite_max      most principals invited to a round, at most TENDER_INVITE_MAX; 0: all; -1: as the
 *                 broker is set, and all with `improve`, beside which there is no other number
 * newcomers_ppm   share of newcomers among those that are drawn; -1: as the broker is set
 */
typedef struct tender_task {
    size_t size;
    const char *key;
    const char *skill;
    int64_t units;
    int64_t ceiling_micro;
    int64_t window_us;
    int64_t due_us;
    int64_t deadline_at_us;
    int64_t rounds;
    int64_t backoff_us;
    int64_t ack_us;
    int64_t heartbeat_us;
    int64_t priority;
    tender_partial partial;
    int64_t kill_fee_ppm;
    bool close_alone;
    tender_fallback fallback;
    const char *contractor;
    tender_id again;
    tender_bytes content;
    const char *const *needs;
    const char *tier;
    const char *goal;
    const tender_id *after;
    size_t after_count;
    const char *evidence;
    int64_t accept_us;
    int64_t split_max;
    bool cover_all;
    int64_t improve;
    bool lead_only;
    int64_t invite_max;
    int64_t newcomers_ppm;
} tender_task;

#define TENDER_TASK_INIT                                                                           \
    {                                                                                              \
        sizeof(tender_task), NULL, NULL, 1, 0, 2000000, INT64_C(3600000000), 0, 3, 1000000,        \
            10000000, 0, 0, TENDER_PARTIAL_PRO_RATA, 100000, false, TENDER_FALLBACK_UNALLOCATED,   \
            NULL, {{0}}, {NULL, 0}, NULL, NULL, NULL, NULL, 0, NULL, 0, 0, false, 0, false, -1, -1 \
    }

/*
 * What you asked for is recorded: an announcement (`key` names it, `task` is its identifier from
 * now on), or any other request (`key` is ""). `task_state` is 0 where it was not told. `goal` is
 * the goal that a belief was about, or "".
 */
typedef struct tender_agreement {
    const char *key;
    tender_id task;
    tender_task_state task_state;
    int64_t at_us;
    const char *goal;
} tender_agreement;

/*
 * What you asked for is refused and changed nothing. `key` is "" and `task` nil where they do not
 * apply; `field` is the field at fault with its name on the wire, or "".
 * `goal` as above.
 */
typedef struct tender_refusal {
    const char *key;
    tender_id task;
    tender_reason reason;
    const char *field;
    const char *text;
    const char *goal;
} tender_refusal;

/*
 * The state of a task: at each award and settlement, at its end, and in answer to tender_query.
 *
 * task_state      tender_task_state_is_terminal tells whether it has ended
 * reason          why it is so
 * round           the newest, from 1
 * generation      of the commitment told of, or 0: then the next three say nothing
 * state           of that commitment
 * contractor      that owns it, or ""
 * price_micro     what that commitment is paid for all its units
 * units_done      of the task
 * paid_micro      for the task so far
 * released_micro  of the reservation, at the end; -1 before
 */
typedef struct tender_task_status {
    tender_id task;
    tender_task_state task_state;
    tender_reason reason;
    int64_t round;
    uint32_t part;
    uint32_t generation;
    tender_commitment_state state;
    const char *contractor;
    int64_t price_micro;
    int64_t units_done;
    int64_t paid_micro;
    int64_t released_micro;
} tender_task_status;

/*
 * What the owner of a commitment said: `kind` is TENDER_INFORM_PROGRESS, TENDER_INFORM_DONE or
 * TENDER_FAILURE; `content` is the result, `text` for people ("" where there is none).
 *
 * evidence     lines NAME=VALUE that it brought, or ""
 * digest       SHA-256 of the result, and
 * result_size  its bytes; -1: neither is told
 * accept_us    -1, or how much time is left to accept or reject what is delivered: `content` is
 *              then a sample that nobody chose, and all of it comes in another report once you
 *              have accepted. Where the result is kept elsewhere, `content` is what opens it.
 */
typedef struct tender_report {
    tender_performative kind;
    tender_commitment commitment;
    const char *contractor;
    int64_t units_done;
    tender_reason reason;
    const char *text;
    tender_bytes content;
    const char *evidence;
    tender_digest digest;
    int64_t result_size;
    int64_t accept_us;
} tender_report;

/*
 * A result came for a commitment that was over. It is kept, unpaid and untold; tender_adopt takes
 * it while the task goes on.
 *
 * state        of the commitment
 * reason       why it was not taken
 * units_done   that it says are done
 * result_size  in bytes; 0: none
 */
typedef struct tender_late_result {
    tender_commitment commitment;
    const char *contractor;
    tender_commitment_state state;
    tender_reason reason;
    int64_t units_done;
    int64_t result_size;
} tender_late_result;

typedef enum tender_client_event_kind {
    TENDER_CLIENT_AGREED = 1,
    TENDER_CLIENT_REFUSED = 2,
    TENDER_CLIENT_STATE = 3,
    TENDER_CLIENT_REPORT = 4,
    TENDER_CLIENT_NOT_UNDERSTOOD = 5,
    TENDER_CLIENT_CONTACT = 6,
    TENDER_CLIENT_BELIEF = 7,
    TENDER_CLIENT_LATE = 8,
    TENDER_CLIENT_LOST = 9
} tender_client_event_kind;

/*
 * What happened; the member named like the kind is set. Skip kinds you do not know.
 *
 * lost  a task that was agreed and that the broker does not know any more: its database failed over
 *       to a standby that had not everything. Nothing is reserved for it; announce it again.
 */
typedef struct tender_client_event {
    tender_client_event_kind kind;
    union {
        tender_agreement agreed;
        tender_refusal refused;
        tender_task_status state;
        tender_report report;
        tender_complaint not_understood;
        tender_contact contact;
        tender_belief belief;
        tender_late_result late;
        tender_id lost;
    };
} tender_client_event;

/*
 * Opens a session for a client; options->slots is not used. Errors as tender_contractor_open;
 * tender_client_last_error(NULL) then has the particulars.
 */
TENDER_API TENDER_MUST_CHECK int tender_client_open(const tender_options *options,
                                                    tender_client **client_out);

/*
 * The client's side of a contractor's session, with events and a descriptor of its own. Each side
 * may have its own thread. Close it before the contractor; only one can be open.
 *
 * Returns 0, TENDER_ESTATE when one is open, TENDER_ENOMEM, TENDER_ESYSTEM.
 */
TENDER_API TENDER_MUST_CHECK int tender_contractor_client(tender_contractor *contractor,
                                                          tender_client **client_out);

/* As tender_contractor_close. Announced tasks go on. NULL is fine. */
TENDER_API void tender_client_close(tender_client *client);

/* As tender_contractor_next: 1 with an event that is valid until the next call, 0, or an error. */
TENDER_API TENDER_MUST_CHECK int tender_client_next(tender_client *client, int timeout_ms,
                                                    const tender_client_event **event_out);

/* As tender_contractor_fd. */
TENDER_API int tender_client_fd(const tender_client *client);

/*
 * Announces a task. It is queued, not yet recorded: an agreed or refused event with its key tells.
 * Announcing the same task with the same key again is harmless, also from another process.
 *
 * key_out  NULL, or [TENDER_KEY_MAX + 1] to receive the key
 *
 * Returns 0; TENDER_EINVAL for a field outside its range; TENDER_ELIMIT when content is too large,
 * or while too much is waiting to be sent (take events, then try again); TENDER_ENOMEM.
 */
TENDER_API TENDER_MUST_CHECK int tender_announce(tender_client *client, const tender_task *task,
                                                 char *key_out);

/* Withdraws a task, at any stage; `text` (or NULL) tells people why. Answered by agreed or refused,
 * like the two below. Errors as tender_announce. */
TENDER_API TENDER_MUST_CHECK int tender_cancel(tender_client *client, tender_id task,
                                               const char *text);

/* Closes the open round now; refused while an invited contractor has not answered. */
TENDER_API TENDER_MUST_CHECK int tender_close_round(tender_client *client, tender_id task);

/*
 * Says what you believe of a task or of a goal of your principal: TENDER_REASON_ACHIEVED,
 * _IMPOSSIBLE or _IRRELEVANT. The task ends, or all of the goal's; what is done is paid with the
 * fee of a cancel. A task that is achieved opens those that wait for it. What is delivered waits
 * for tender_accept or tender_reject. TENDER_REASON_NONE lets a goal go on that another member's
 * belief has suspended. Answered by agreed or refused.
 *
 * task  a task, or with `goal` nil
 * goal  NULL, or the goal; `text` (or NULL) tells people why
 *
 * Errors as tender_announce.
 */
TENDER_API TENDER_MUST_CHECK int tender_believe(tender_client *client, tender_id task,
                                                const char *goal, tender_reason belief,
                                                const char *text);

/* Lets a held task go on. */
TENDER_API TENDER_MUST_CHECK int tender_release(tender_client *client, tender_id task);

/*
 * Takes what was delivered, whose report has an `accept_us` of 0 or more: `units` of it, or all for
 * a negative number. What is not accepted is rejected, and counted as a rejection. Answered by
 * agreed or refused, like the two below. Errors as tender_announce.
 */
TENDER_API TENDER_MUST_CHECK int tender_accept(tender_client *client, tender_commitment commitment,
                                               int64_t units);

/*
 * Does not take what was delivered, but for `units` of it: those are paid by share, the rest is
 * announced again, and the contractor's principal is out of the task. `text` is for people, or
 * NULL. The rejection stands in both parties' records.
 */
TENDER_API TENDER_MUST_CHECK int tender_reject(tender_client *client, tender_commitment commitment,
                                               tender_reason reason, const char *text,
                                               int64_t units);

/*
 * Takes and pays a late result, by the price of its commitment, for units that nobody has done or
 * promised since. An open round is ended by it, and what is left announced again.
 */
TENDER_API TENDER_MUST_CHECK int tender_adopt(tender_client *client, tender_commitment commitment);

/* Asks for the state of a task, and follows it from then on: also after an earlier process of this
 * name announced it. Answered by state or refused. */
TENDER_API TENDER_MUST_CHECK int tender_query(tender_client *client, tender_id task);

/* As tender_contractor_last_error. */
TENDER_API const char *tender_client_last_error(const tender_client *client);

#ifdef __cplusplus
}
#endif

#endif
