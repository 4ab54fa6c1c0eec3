/*
 * The words of Tender: performatives, reasons, errors, states, identifiers and limits.
 *
 * Each vocabulary is one table of rows. The C enumerations, their names, the codes on the wire,
 * the SQL types and the documents come from these rows or are tested against them. A code that was
 * released is never given another meaning; new rows are appended.
 */
#ifndef TENDER_VOCABULARY_H
#define TENDER_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TENDER_MUST_CHECK __attribute__((warn_unused_result))
#define TENDER_API        __attribute__((visibility("default")))
#else
#define TENDER_MUST_CHECK
#define TENDER_API
#endif

/*
 * Quantities.
 *
 * Money is micro-credits in int64_t (`_micro`); a credit is 1,000,000 of them. Time is microseconds
 * in int64_t (`_us`): an instant counts from the Unix epoch in UTC (`_at_us`, `closes_us`), a
 * duration from nothing. TENDER_NEVER is an instant that does not come.
 */
#define TENDER_MICRO_PER_CREDIT INT64_C(1000000)
#define TENDER_NEVER            INT64_MAX

/*
 * Limits. A value beyond its limit is refused with a reason that names the field and the limit.
 */
#define TENDER_NAME_MAX     64      /* bytes of an agent's or a principal's name */
#define TENDER_SKILL_MAX    64      /* bytes of a skill */
#define TENDER_KEY_MAX      128     /* bytes of a client's key */
#define TENDER_TEXT_MAX     4096    /* bytes of prose: rationale, detail */
#define TENDER_ADDRESS_MAX  1000    /* bytes of a broker's addresses */
#define TENDER_CONTENT_MAX  65536   /* bytes of a payload or a result */
#define TENDER_FRAME_MAX    1048576 /* bytes of an exchange */
#define TENDER_SKILLS_MAX   64      /* skills one contractor may offer */
#define TENDER_SLOTS_MAX    65535   /* commitments one contractor may hold */
#define TENDER_UNITS_MAX    INT64_C(1000000000)
#define TENDER_MONEY_MAX    INT64_C(1000000000000000000)      /* micro-credits: 10^12 credits */
#define TENDER_DURATION_MAX (INT64_C(3660) * 86400 * 1000000) /* ten years and a little, in µs */
#define TENDER_INSTANT_MAX  INT64_C(4102444800000000)         /* 2100-01-01T00:00:00Z, in µs */
#define TENDER_ROUNDS_MAX   100
#define TENDER_PRIORITY_MAX 9
#define TENDER_PPM          INT64_C(1000000) /* shares are parts per million */
#define TENDER_NEEDS_MAX    8                /* skills and resources of a task besides its first */
#define TENDER_AFTER_MAX    16               /* tasks that one task waits for */
#define TENDER_SPLIT_MAX    16               /* parts of one split round */
#define TENDER_IMPROVE_MAX  10               /* rounds of improving bids */
#define TENDER_INVITE_MAX   1024             /* principals that a task may ask to be invited */
#define TENDER_EVIDENCE_MAX 512              /* bytes of the names that a task requires */

/* 128 bits, time-ordered (RFC 9562, version 7), bytes in network order. All zero: no identifier. */
typedef struct tender_id {
    uint8_t bytes[16];
} tender_id;

/* SHA-256. */
typedef struct tender_digest {
    uint8_t bytes[32];
} tender_digest;

/*
 * Names one award for ever: the task, the part of it (0 while work is not split) and the
 * generation, which counts the awards of that part from 1. Written TASK/GENERATION.
 */
typedef struct tender_commitment {
    tender_id task;
    uint32_t part;
    uint32_t generation;
} tender_commitment;

/* Borrowed bytes; `data` may be NULL where `size` is 0. */
typedef struct tender_bytes {
    const void *data;
    size_t size;
} tender_bytes;

/* clang-format off */

/*
 * What a message does. X(code, NAME, "wire-name", "who says it: what it means")
 * Names are FIPA's where FIPA has one (SC00029H, SC00037J).
 */
#define TENDER_PERFORMATIVES(X)                                                                     \
    X( 1, HELLO,            "hello",            "peer: opens a session under a name and principal") \
    X( 2, WELCOME,          "welcome",          "broker: the session is open")                      \
    X( 3, OFFER,            "offer",            "contractor: the skills and slots it offers")       \
    X( 4, ANNOUNCE,         "announce",         "client: a task to be done")                        \
    X( 5, AGREE,            "agree",            "broker: the request is recorded")                  \
    X( 6, CFP,              "cfp",              "broker: call for proposals")                       \
    X( 7, PROPOSE,          "propose",          "contractor: a bid")                                \
    X( 8, REFUSE,           "refuse",           "contractor: no bid; broker: request refused")      \
    X( 9, WITHDRAW,         "withdraw",         "contractor: takes its bid back before close")      \
    X(10, ACCEPT_PROPOSAL,  "accept-proposal",  "broker: the award of a commitment")                \
    X(11, REJECT_PROPOSAL,  "reject-proposal",  "broker: the bid did not win, with its reason")     \
    X(12, ACKNOWLEDGE,      "acknowledge",      "contractor: its program has taken the award")      \
    X(13, INFORM_PROGRESS,  "inform-progress",  "contractor to client: units done so far")          \
    X(14, INFORM_DONE,      "inform-done",      "contractor to client: the work is complete")       \
    X(15, FAILURE,          "failure",          "contractor to client: the rest will not be done")  \
    X(16, CANCEL,           "cancel",           "client: withdraw the task; broker: stop the work") \
    X(17, CLOSE,            "close",            "client: close the round, all invited answered")    \
    X(18, RELEASE,          "release",          "client: let a held task go on")                    \
    X(19, QUERY,            "query",            "client: the state of a task")                      \
    X(20, INFORM,           "inform",           "broker: the state of a task or commitment")        \
    X(21, NOT_UNDERSTOOD,   "not-understood",   "either: a message that could not be used, and why")\
    X(22, BYE,              "bye",              "peer: leaves; broker: is going down")              \
    X(23, ACCEPT,           "accept",           "client: takes a delivery")                         \
    X(24, REJECT,           "reject",           "client: does not take a delivery, and why")        \
    X(25, BELIEVE,          "believe",          "client, owner: a task or goal is settled otherwise")\
    X(26, ADOPT,            "adopt",            "client: takes and pays a late result")             \
    X(27, HOLD,             "hold",             "operator: nothing new for a peer, skill or task")  \
    X(28, RATE,             "rate",             "operator: the posted price of a skill and tier")   \
    X(29, RESOURCE,         "resource",         "operator: how many there are of a resource")       \
    X(30, ENROL,            "enrol",            "operator: a principal or an agent, and its key")

/*
 * Why something is as it is: one table for every ending and refusal.
 * X(code, NAME, "wire-name", "sentence for people")
 */
#define TENDER_REASONS(X)                                                                           \
    X(  0, NONE,                "none",                "no reason")                                 \
    /* why a bid ended as it did */                                                                 \
    X( 10, LOWEST_COST,         "lowest-cost",         "ranked first among the eligible bids, or in the cheapest set") \
    X( 11, OUTBID,              "outbid",              "bids of other principals are better")       \
    X( 12, SAME_PRINCIPAL,      "same-principal",      "another bid of the same principal counts")  \
    X( 13, LATE,                "late",                "came after the close")                      \
    X( 14, COST_MALFORMED,      "cost-malformed",      "cost is not an integer of micro-credits")   \
    X( 15, COST_NEGATIVE,       "cost-negative",       "cost is below zero")                        \
    X( 16, ABOVE_CEILING,       "above-ceiling",       "cost is above the ceiling of the round")    \
    X( 17, ETA_MALFORMED,       "eta-malformed",       "eta is not an integer of microseconds")     \
    X( 18, ETA_NOT_POSITIVE,    "eta-not-positive",    "eta is not above zero")                     \
    X( 19, ETA_BEYOND_DUE,      "eta-beyond-due",      "eta is later than the due of the round")    \
    X( 20, VALIDITY_TOO_SHORT,  "validity-too-short",  "the bid ends before close and acknowledgement") \
    X( 21, WRONG_ROUND,         "wrong-round",         "the bid names a round that is not open")    \
    X( 22, WRONG_DIGEST,        "wrong-digest",        "the bid answers other terms than recorded") \
    X( 23, NOT_INVITED,         "not-invited",         "the contractor was not invited")            \
    X( 24, NO_SLOT,             "no-slot",             "no free slot at close")                     \
    X( 25, EXCLUDED,            "excluded",            "the principal failed, lapsed or declined this task before") \
    X( 26, OWN_TASK,            "own-task",            "the principal is the client's own")         \
    X( 27, NOT_CONNECTED,       "not-connected",       "the session was not alive at close")        \
    X( 28, ALREADY_ANSWERED,    "already-answered",    "the first answer is final")                 \
    X( 29, WITHDRAWN,           "withdrawn",           "taken back by its bidder before close")     \
    X( 30, PASSED_OVER,         "passed-over",         "could no longer take the award when its turn came") \
    X( 31, ROUND_CANCELLED,     "round-cancelled",     "the round ended without a decision")        \
    X( 32, NO_ELIGIBLE_BID,     "no-eligible-bid",     "the round closed without an eligible bid")  \
    X( 33, NOT_COVERED,         "not-covered",         "does not offer every skill and resource of the task")\
    X( 34, RESOURCE_TAKEN,      "resource-taken",      "a resource of the task is promised to others")\
    X( 35, NOT_DRAWN,           "not-drawn",           "more principals were eligible than the task invites")\
    X( 36, ON_HOLD,             "on-hold",             "the contractor, its principal or the skill is on hold")\
    X( 37, NOT_IMPROVED,        "not-improved",        "above what its principal asked for in a round before")\
    X( 38, GOAL_SUSPENDED,      "goal-suspended",      "awards of the goal are suspended")          \
    X( 39, IMPROVING,           "improving",           "another round of improving bids follows")   \
    /* why a contractor does not bid, or gives up */                                                \
    X( 40, OVER_CAPACITY,       "over-capacity",       "no room for more work")                     \
    X( 41, NOT_INTERESTED,      "not-interested",      "does not want this task")                   \
    X( 42, CANNOT_MEET_DUE,     "cannot-meet-due",     "could not finish in time")                  \
    X( 43, TOO_LITTLE_PAY,      "too-little-pay",      "cost is above the ceiling")                 \
    X( 44, UNABLE,              "unable",              "cannot do this work")                       \
    X( 45, QUALITY_CHECK,       "quality-check",       "the work failed its quality check")         \
    X( 46, RESOURCE_LOST,       "resource-lost",       "something the work needs is gone")          \
    X( 47, INTERNAL_ERROR,      "internal-error",      "the contractor's program failed")           \
    X( 48, OTHER,               "other",               "see the text")                              \
    X( 49, ACHIEVED,            "achieved",            "it is done already")                        \
    X( 50, IMPOSSIBLE,          "impossible",          "it cannot be done")                         \
    X( 51, IRRELEVANT,          "irrelevant",          "nobody needs it any more")                  \
    X( 52, QUARANTINED,         "quarantined",         "tasks of several clients failed on one skill")\
    X( 53, CAPACITY_MALFORMED,  "capacity-malformed",  "the bid needs a capacity of at least one unit")\
    /* why a commitment or a task ended */                                                          \
    X( 60, COMPLETED,           "completed",           "all units were delivered")                  \
    X( 61, CONTRACTOR_FAILED,   "contractor-failed",   "the owner reported failure")                \
    X( 62, DECLINED,            "declined",            "the owner gave the award back before starting") \
    X( 63, NOT_ACKNOWLEDGED,    "not-acknowledged",    "the owner did not take the award in time")  \
    X( 64, DUE_PASSED,          "due-passed",          "the due time passed")                       \
    X( 65, HEARTBEAT_MISSED,    "heartbeat-missed",    "the owner was not heard for three of its heartbeats") \
    X( 66, CANCELLED_BY_CLIENT, "cancelled-by-client", "the client withdrew the task")              \
    X( 67, CANCELLED_BY_OPERATOR, "cancelled-by-operator", "an operator withdrew the task")         \
    X( 68, ROUNDS_EXHAUSTED,    "rounds-exhausted",    "every round ended without completion")      \
    X( 69, DEADLINE_PASSED,     "deadline-passed",     "the task's deadline passed")                \
    X( 70, NOBODY_LEFT,         "nobody-left",         "only principals that are out of the task could be invited") \
    X( 71, HELD_BY_FALLBACK,    "held-by-fallback",    "the rounds are used up; a person decides")  \
    X( 72, FALLBACK_DECLINED,   "fallback-declined",   "the fallback contractor did not take the task") \
    X( 73, ACCEPTED_BY_SILENCE, "accepted-by-silence", "the client did not decide in time")         \
    X( 74, REJECTED,            "rejected",            "the client did not take the delivery")      \
    X( 75, PREREQUISITE_ENDED,  "prerequisite-ended",  "a task that had to be done first ended otherwise")\
    X( 76, SHORT_CAPACITY,      "short-capacity",      "the bids did not cover all units")          \
    X( 77, HELD_BY_OPERATOR,    "held-by-operator",    "an operator stopped it")                    \
    X( 78, ADOPTED,             "adopted",             "completed by a late result that was adopted")\
    /* why a request was refused */                                                                 \
    X( 80, UNKNOWN_SESSION,     "unknown-session",     "the broker does not know this session; say hello") \
    X( 81, UNKNOWN_TASK,        "unknown-task",        "no such task")                              \
    X( 82, CONFLICT,            "conflict",            "the key was used with another body")        \
    X( 83, INSUFFICIENT_FUNDS,  "insufficient-funds",  "the account has less available than the ceiling") \
    X( 84, LIMIT_REACHED,       "limit-reached",       "a limit of the broker is reached; try later") \
    X( 85, MALFORMED,           "malformed",           "a field is missing or of the wrong type")   \
    X( 86, OUT_OF_RANGE,        "out-of-range",        "a field is outside its range")              \
    X( 87, NOT_YOURS,           "not-yours",           "it belongs to another party")               \
    X( 88, ALREADY_ENDED,       "already-ended",       "it has ended")                              \
    X( 89, STALE_GENERATION,    "stale-generation",    "the award named is not the current one")    \
    X( 90, TOO_MANY_UNITS,      "too-many-units",      "more units than the commitment has")        \
    X( 91, FEWER_UNITS,         "fewer-units",         "units are cumulative and do not fall")      \
    X( 92, ANSWERS_OUTSTANDING, "answers-outstanding", "an invited contractor has not answered and the window runs") \
    X( 93, NOT_HELD,            "not-held",            "the task is not held")                      \
    X( 94, NOT_OPEN,            "not-open",            "the task has no open round")                \
    X( 95, NAME_TAKEN,          "name-taken",          "the name is in use by another principal")   \
    X( 96, UNKNOWN_PERFORMATIVE, "unknown-performative", "the performative is not known here")      \
    X( 97, VERSION,             "version",             "the protocol version is not spoken here")   \
    X( 98, GOING_DOWN,          "going-down",          "the broker is shutting down")               \
    X( 99, NOT_NEWEST,          "not-newest",          "`again` must name the newest task under the key")\
    X(100, EVIDENCE_MISSING,    "evidence-missing",    "the task requires evidence that is not there")\
    X(101, NOT_DELIVERED,       "not-delivered",       "there is no delivery to decide on")         \
    X(102, NOT_MEMBER,          "not-member",          "only the client and owners of the task or goal may say so")\
    X(103, GOAL_OVER,           "goal-over",           "the goal is achieved, impossible or irrelevant")\
    X(104, NOTHING_TO_ADOPT,    "nothing-to-adopt",    "no late units are left to be adopted")      \
    X(105, IN_USE,              "in-use",              "more of it is promised than would be left") \
    X(106, AWAITS_DECISION,     "awaits-decision",     "it is delivered: accept, reject or silence ends it")\
    X(107, UNKNOWN_GOAL,        "unknown-goal",        "no task under that goal goes on")           \
    X(108, ELSEWHERE,           "elsewhere",           "another broker answers for it")             \
    X(109, ARCHIVED,            "archived",            "it has ended, and its record is in an archive")\
    /* who may */                                                                                   \
    X(110, UNKNOWN_PRINCIPAL,   "unknown-principal",   "no such principal is enrolled")             \
    X(111, UNKNOWN_KEY,         "unknown-key",         "the key is not enrolled for this name")     \
    X(112, REVOKED,             "revoked",             "an operator revoked it")                    \
    X(113, SKILL_NOT_GRANTED,   "skill-not-granted",   "the agent is enrolled for other skills")    \
    X(114, UNKNOWN_AGENT,       "unknown-agent",       "no such agent is enrolled")                 \
    X(115, SUPERSEDED,          "superseded",          "something later was said about it")

/* Life of a task. X(code, NAME, "name", terminal) */
#define TENDER_TASK_STATES(X)                                                                       \
    X(1, BLOCKED,     "blocked",     false)                                                         \
    X(2, OPEN,        "open",        false)                                                         \
    X(3, AWARDED,     "awarded",     false)                                                         \
    X(4, DELIVERED,   "delivered",   false)                                                         \
    X(5, HELD,        "held",        false)                                                         \
    X(6, DONE,        "done",        true)                                                          \
    X(7, UNALLOCATED, "unallocated", true)                                                          \
    X(8, CANCELLED,   "cancelled",   true)

/* Life of a commitment. X(code, NAME, "name", terminal) */
#define TENDER_COMMITMENT_STATES(X)                                                                 \
    X(1, ACTIVE,    "active",    false)                                                             \
    X(2, DELIVERED, "delivered", false)                                                             \
    X(3, FULFILLED, "fulfilled", true)                                                              \
    X(4, FAILED,    "failed",    true)                                                              \
    X(5, LAPSED,    "lapsed",    true)                                                              \
    X(6, DECLINED,  "declined",  true)                                                              \
    X(7, CANCELLED, "cancelled", true)

/* Life of a bid. X(code, NAME, "name", terminal) */
#define TENDER_BID_STATES(X)                                                                        \
    X(1, STANDING,   "standing",   false)                                                           \
    X(2, WON,        "won",        true)                                                            \
    X(3, LOST,       "lost",       true)                                                            \
    X(4, INELIGIBLE, "ineligible", true)                                                            \
    X(5, WITHDRAWN,  "withdrawn",  true)                                                            \
    X(6, REFUSED,    "refused",    true)

/* How a commitment that ends short is settled. X(code, NAME, "name", "meaning") */
#define TENDER_PARTIALS(X)                                                                          \
    X(1, PRO_RATA, "pro_rata", "pays the share of the price that the accepted units are")           \
    X(2, COVER,    "cover",    "pays, when the rest has ended, at most price less the cost of the rest") \
    X(3, NONE,     "none",     "pays nothing and announces all units again")

/* What happens when the rounds are used up. X(code, NAME, "name", "meaning") */
#define TENDER_FALLBACKS(X)                                                                         \
    X(1, UNALLOCATED, "unallocated", "the task ends and its reservation is released")               \
    X(2, HOLD,        "hold",        "the task waits for a person")                                 \
    X(3, CONTRACTOR,  "contractor",  "a named contractor is offered the rest at its ceiling")

/* What a library function may return: 0 or a count, else one of these. X(value, NAME, "text") */
#define TENDER_ERRORS(X)                                                                            \
    X(-1,  ENOMEM,    "out of memory")                                                              \
    X(-2,  EINVAL,    "invalid argument")                                                           \
    X(-3,  ETIMEDOUT, "timed out")                                                                  \
    X(-4,  ECLOSED,   "closed")                                                                     \
    X(-5,  EPROTOCOL, "the other side broke the protocol")                                          \
    X(-6,  ESTATE,    "not possible in this state")                                                 \
    X(-7,  ELIMIT,    "a limit is reached")                                                         \
    X(-8,  EREFUSED,  "refused")                                                                    \
    X(-9,  ECONFLICT, "conflict")                                                                   \
    X(-10, EAWAY,     "the broker cannot be reached")                                               \
    X(-11, EDATABASE, "the database cannot be reached or refused")                                  \
    X(-12, ESCHEMA,   "the schema of the database is not the one this program speaks")              \
    X(-13, EREIGN,    "another broker reigns")                                                      \
    X(-14, ESYSTEM,   "a system call failed")                                                       \
    X(-15, EUNSAFE,   "the database may lose what it has committed")                                \
    X(-16, ELOST,     "the database has lost what it had committed")
/* clang-format on */

#define TENDER_ENUM_ROW_(prefix, code, NAME) prefix##NAME = (code),

typedef enum tender_performative {
#define X(code, NAME, name, help) TENDER_ENUM_ROW_(TENDER_, code, NAME)
    TENDER_PERFORMATIVES(X)
#undef X
} tender_performative;

typedef enum tender_reason {
#define X(code, NAME, name, help) TENDER_ENUM_ROW_(TENDER_REASON_, code, NAME)
    TENDER_REASONS(X)
#undef X
} tender_reason;

typedef enum tender_task_state {
#define X(code, NAME, name, terminal) TENDER_ENUM_ROW_(TENDER_TASK_, code, NAME)
    TENDER_TASK_STATES(X)
#undef X
} tender_task_state;

typedef enum tender_commitment_state {
#define X(code, NAME, name, terminal) TENDER_ENUM_ROW_(TENDER_COMMITMENT_, code, NAME)
    TENDER_COMMITMENT_STATES(X)
#undef X
} tender_commitment_state;

typedef enum tender_bid_state {
#define X(code, NAME, name, terminal) TENDER_ENUM_ROW_(TENDER_BID_, code, NAME)
    TENDER_BID_STATES(X)
#undef X
} tender_bid_state;

typedef enum tender_partial {
#define X(code, NAME, name, help) TENDER_ENUM_ROW_(TENDER_PARTIAL_, code, NAME)
    TENDER_PARTIALS(X)
#undef X
} tender_partial;

typedef enum tender_fallback {
#define X(code, NAME, name, help) TENDER_ENUM_ROW_(TENDER_FALLBACK_, code, NAME)
    TENDER_FALLBACKS(X)
#undef X
} tender_fallback;

typedef enum tender_error {
#define X(value, NAME, text) TENDER_ENUM_ROW_(TENDER_, value, NAME)
    TENDER_ERRORS(X)
#undef X
} tender_error;

/*
 * The name of a row, or NULL for a code that no row has. Static strings.
 */
TENDER_API const char *tender_performative_name(tender_performative performative);
TENDER_API const char *tender_reason_name(tender_reason reason);
TENDER_API const char *tender_reason_text(tender_reason reason);
TENDER_API const char *tender_task_state_name(tender_task_state state);
TENDER_API const char *tender_commitment_state_name(tender_commitment_state state);
TENDER_API const char *tender_bid_state_name(tender_bid_state state);
TENDER_API const char *tender_partial_name(tender_partial partial);
TENDER_API const char *tender_fallback_name(tender_fallback fallback);

/*
 * The code of a row by its name of `size` bytes, or 0 where no row has it (for reasons: -1).
 */
TENDER_API int tender_performative_parse(const char *name, size_t size);
TENDER_API int tender_reason_parse(const char *name, size_t size);
TENDER_API int tender_task_state_parse(const char *name, size_t size);
TENDER_API int tender_commitment_state_parse(const char *name, size_t size);
TENDER_API int tender_bid_state_parse(const char *name, size_t size);
TENDER_API int tender_partial_parse(const char *name, size_t size);
TENDER_API int tender_fallback_parse(const char *name, size_t size);

TENDER_API bool tender_task_state_is_terminal(tender_task_state state);
TENDER_API bool tender_commitment_state_is_terminal(tender_commitment_state state);

/* "invalid argument"; static, never NULL. */
TENDER_API const char *tender_strerror(int error);

/* Writes 36 characters and a NUL. */
#define TENDER_ID_TEXT_SIZE 37
TENDER_API void tender_id_format(tender_id id, char text_out[TENDER_ID_TEXT_SIZE]);
/* Reads 36 characters, either case. Returns 0, or TENDER_EINVAL for anything else. */
TENDER_API TENDER_MUST_CHECK int tender_id_parse(const char *text, size_t size, tender_id *id_out);
TENDER_API bool tender_id_is_nil(tender_id id);
TENDER_API bool tender_id_equal(tender_id left, tender_id right);

/* Whether `size` bytes are a skill: [a-z0-9]([a-z0-9._/-]{0,62}[a-z0-9])? */
TENDER_API bool tender_skill_is_valid(const char *skill, size_t size);
/*
 * Whether `size` bytes are a name of an agent or principal: 1 to TENDER_NAME_MAX bytes of
 * [A-Za-z0-9._@/-], beginning with a letter or digit.
 */
TENDER_API bool tender_name_is_valid(const char *name, size_t size);
/* Whether `size` bytes are UTF-8 (RFC 3629) without NUL. */
TENDER_API bool tender_text_is_valid(const char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
