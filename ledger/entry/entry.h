/*
 * What the ledger remembers: an entry is one fact, append-only, in the chain of its task.
 *
 * The broker's core decides by writing entries and recovers by recalling them; the ledger stores
 * them in tender_ledger.entry and keeps its tables from them. An entry's body is a JSON object with
 * the fields of its kind in the order of the table below, without white space; fields that are
 * zero, empty or nil are left out. ledger/CHAIN.md has what is hashed. Content rides beside the
 * body, which carries its size and digest. Entries about no task (enrolments, money, recess) form
 * the chain of the nil task, the house.
 */
#ifndef TENDER_LEDGER_ENTRY_ENTRY_H
#define TENDER_LEDGER_ENTRY_ENTRY_H

#include "tender/vocabulary.h"

#define ENTRY_BODY_MAX    262144 /* bytes of JSON; the largest has ENTRY_ANSWERS_MAX bids */
#define ENTRY_ANSWERS_MAX 512 /* answers in one entry; a round with more bidders writes several */

/* clang-format off */

/*
 * Kinds. X(code, NAME, name, "stream: what happened")
 * Those of recall only are never stored: they tell the book what no entry of its own says.
 */
#define ENTRY_KINDS(X)                                                                              \
    X( 1, ANNOUNCED,    announced,    "task: a client's terms, and their reservation")              \
    X( 2, OPENED,       opened,       "task: a round and its cfp")                                  \
    X( 3, ANSWERED,     answered,     "task: bids, refusals and withdrawals, as heard")             \
    X( 4, AWARDED,      awarded,      "task: a commitment; with the ranking when it closes a round")\
    X( 5, CLOSED,       closed,       "task: a round that closed without a winner, with its ranking") \
    X( 6, ACKNOWLEDGED, acknowledged, "task: the owner's program took the award")                   \
    X( 7, PROGRESSED,   progressed,   "task: cumulative units and their result")                    \
    X( 8, SETTLED,      settled,      "task: a commitment ended, and what it was paid")             \
    X( 9, COVERED,      covered,      "task: what a `cover` commitment is paid after the rest ended") \
    X(10, LATE,         late,         "task: a report against an award that was over")              \
    X(11, HELD,         held,         "task: waits for a person")                                   \
    X(12, RELEASED,     released,     "task: goes on after it was held")                            \
    X(13, ENDED,        ended,        "task: the end, and what its reservation released")           \
    X(14, ASSIGNED,     assigned,     "task: a commitment at a posted rate, without bids")          \
    X(15, DELIVERED,    delivered,    "task: all is done and waits for the client")                 \
    X(16, ADOPTED,      adopted,      "task: a late result was taken, and what it is paid")         \
    X(17, BELIEVED,     believed,     "task: a member says it is achieved, impossible or irrelevant")\
    X(18, UNBLOCKED,    unblocked,    "task: what had to be done first is done")                    \
    X(20, ENROLLED,     enrolled,     "house: a contractor offers skills and slots")                \
    X(21, DEPARTED,     departed,     "house: a contractor was not heard or said bye")              \
    X(22, FUNDED,       funded,       "house: money put into an account, or taken out")             \
    X(23, RECESS,       recess,       "house: a time in which no broker listened")                  \
    X(24, REIGNED,      reigned,      "house: a broker began to reign")                             \
    X(25, RATED,        rated,        "house: a posted rate")                                       \
    X(26, COUNTED,      counted,      "house: how many there are of a resource")                    \
    X(27, BARRED,       barred,       "house: a hold on a contractor, principal or skill, or its end")\
    X(28, GOALED,       goaled,       "house: a belief about a goal")                               \
    X(29, ADMITTED,     admitted,     "house: a principal and its key, or that it is revoked")      \
    X(30, BALANCE,      balance,      "recall only: an account's balances")                         \
    X(31, STOOD,        stood,        "recall only: how a task ended that others wait for")         \
    X(32, RECORDED,     recorded,     "recall only: how a principal kept its promises")             \
    X(33, STRUCK,       struck,       "recall only: a failure that counts towards quarantine")      \
    X(34, VOUCHED,      vouched,      "house: an agent and its key, or that it is revoked")

/*
 * Fields. X(TYPE, member)
 * TYPE: INT int64_t · TEXT tender_bytes · ID tender_id (36 characters) · DIGEST tender_digest (hex)
 *       TEXTS struct entry_texts · ANSWERS, RANKS: struct lists below
 *       REASON, TASK_STATE, COMMITMENT_STATE, BID_STATE, PARTIAL, FALLBACK: vocabulary, by name
 */
#define ENTRY_ANNOUNCED_FIELDS(X)                                                                   \
    X(TEXT, client)            /* agent that announced */                                           \
    X(TEXT, principal)         /* whose account pays */                                             \
    X(TEXT, key)                                                                                    \
    X(DIGEST, body_digest)     /* over what the client said, for the same key again */              \
    X(ID, again)               /* the task this one replaces under its key */                       \
    X(TEXT, skill)                                                                                  \
    X(INT, units)                                                                                   \
    X(INT, ceiling_micro)                                                                           \
    X(INT, window_us)                                                                               \
    X(INT, due_us)                                                                                  \
    X(INT, deadline_at_us)                                                                          \
    X(INT, rounds)                                                                                  \
    X(INT, backoff_us)                                                                              \
    X(INT, ack_us)                                                                                  \
    X(INT, heartbeat_us)       /* 0: none asked for */                                              \
    X(INT, priority)                                                                                \
    X(PARTIAL, partial)                                                                             \
    X(INT, kill_fee_ppm)                                                                            \
    X(INT, close_alone)                                                                             \
    X(FALLBACK, fallback)                                                                           \
    X(TEXT, fallback_contractor)                                                                    \
    X(INT, content_size)                                                                            \
    X(DIGEST, content_digest)                                                                       \
    X(TEXTS, needs)            /* skills and resources besides `skill` */                           \
    X(TEXT, goal)                                                                                   \
    X(TEXTS, after)            /* tasks that must be done first */                                  \
    X(INT, blocked)            /* 1: some of them had not ended */                                  \
    X(TEXT, evidence)          /* names that a completion must bring, joined by commas */           \
    X(INT, accept_us)                                                                               \
    X(INT, split_max)                                                                               \
    X(INT, cover_all)                                                                               \
    X(INT, improve)                                                                                 \
    X(INT, lead_only)                                                                               \
    X(INT, invite_max)                                                                              \
    X(INT, newcomers_ppm)                                                                           \
    X(TEXT, tier)
#define ENTRY_OPENED_FIELDS(X)                                                                      \
    X(INT, round)              /* from 1 */                                                         \
    X(DIGEST, head)            /* of the task's chain just before this entry */                     \
    X(INT, units)                                                                                   \
    X(INT, ceiling_micro)                                                                           \
    X(INT, closes_at_us)                                                                            \
    X(INT, due_us)             /* min(due, deadline - close) */                                     \
    X(TEXT, contractor)        /* the only one asked, where this is the fallback */                 \
    X(INT, rate_micro)         /* the posted price that it is a sample against */                   \
    X(TEXTS, drawn)            /* contractors that were drawn; empty: all */
#define ENTRY_ANSWERED_FIELDS(X)                                                                    \
    X(INT, round)                                                                                   \
    X(ANSWERS, answers)
#define ENTRY_AWARDED_FIELDS(X)                                                                     \
    X(INT, round)                                                                                   \
    X(INT, part)                                                                                    \
    X(INT, generation)                                                                              \
    X(TEXT, contractor)                                                                             \
    X(TEXT, principal)                                                                              \
    X(INT, cost_micro)                                                                              \
    X(INT, price_micro)                                                                             \
    X(TEXT, price_set_by)      /* contractor whose cost is the price; empty: the ceiling */         \
    X(INT, units)                                                                                   \
    X(INT, due_at_us)                                                                               \
    X(INT, ack_by_us)                                                                               \
    X(INT, invited)            /* contractors invited; with the ranking only */                     \
    X(RANKS, ranks)            /* when a runner-up takes over: it and those passed over, or empty */\
    X(INT, held)               /* 1: counted resources of the task are held */                      \
    X(INT, parts_max)      /* of a split round, as the choice was made; with the ranking only */    \
    X(TEXTS, silent)           /* invited and unanswered; with the ranking only */                  \
    X(INT, bids)               /* in the book of the round; with the ranking only */                \
    X(DIGEST, book)            /* the root over them (bid.h); nil: no bid had a nonce */
#define ENTRY_CLOSED_FIELDS(X)                                                                      \
    X(INT, round)                                                                                   \
    X(REASON, reason)                                                                               \
    X(INT, invited)                                                                                 \
    X(INT, reopens_at_us)      /* when the next round opens; 0: it does not */                      \
    X(RANKS, ranks)                                                                                 \
    X(TEXTS, silent)           /* invited and unanswered */                                         \
    X(INT, bids)               /* in the book of the round */                                       \
    X(DIGEST, book)            /* the root over them (bid.h); nil: no bid had a nonce */
#define ENTRY_ACKNOWLEDGED_FIELDS(X)                                                                \
    X(INT, part)                                                                                    \
    X(INT, generation)
#define ENTRY_PROGRESSED_FIELDS(X)                                                                  \
    X(INT, part)                                                                                    \
    X(INT, generation)                                                                              \
    X(INT, units_done)         /* of the commitment, cumulative */                                  \
    X(TEXT, text)                                                                                   \
    X(INT, content_size)                                                                            \
    X(DIGEST, content_digest)
#define ENTRY_SETTLED_FIELDS(X)                                                                     \
    X(INT, part)                                                                                    \
    X(INT, generation)                                                                              \
    X(TEXT, contractor)                                                                             \
    X(TEXT, principal)         /* who is paid */                                                    \
    X(COMMITMENT_STATE, state)                                                                      \
    X(REASON, reason)          /* of the ending */                                                  \
    X(REASON, said)            /* the owner's own reason, where it failed */                        \
    X(TEXT, text)                                                                                   \
    X(INT, units_done)         /* of the commitment, accepted */                                    \
    X(INT, paid_micro)         /* from the client's reservation to `principal` */                   \
    X(INT, fee_micro)          /* the part of paid_micro that is the kill fee */                    \
    X(INT, excluded)           /* 1: the principal is out of later rounds */                        \
    X(INT, acknowledged)       /* 1: this report was also the acknowledgement */                    \
    X(TASK_STATE, task_state)  /* set where the task ends with it */                                \
    X(REASON, task_reason)                                                                          \
    X(INT, released_micro)     /* from the reservation back to the client, where the task ends */   \
    X(INT, content_size)                                                                            \
    X(DIGEST, content_digest)                                                                       \
    X(INT, reported)           /* units reported, where other ones are accepted */                  \
    X(TEXT, evidence)          /* lines NAME=VALUE */                                               \
    X(INT, size)               /* of a result kept elsewhere */                                     \
    X(DIGEST, digest)          /* of the same */                                                    \
    X(INT, bid_micro)          /* with measured_micro only */                                       \
    X(INT, estimate_micro)                                                                          \
    X(INT, measured_micro)                                                                          \
    X(TEXT, tier)                                                                                   \
    X(INT, freed)              /* 1: counted resources are free again */
#define ENTRY_COVERED_FIELDS(X)                                                                     \
    X(INT, part)                                                                                    \
    X(INT, generation)                                                                              \
    X(TEXT, principal)                                                                              \
    X(INT, paid_micro)
#define ENTRY_LATE_FIELDS(X)                                                                        \
    X(INT, part)                                                                                    \
    X(INT, generation)                                                                              \
    X(TEXT, contractor)                                                                             \
    X(INT, units_done)                                                                              \
    X(REASON, reason)                                                                               \
    X(TEXT, text)                                                                                   \
    X(INT, content_size)                                                                            \
    X(DIGEST, content_digest)                                                                       \
    X(TEXT, evidence)                                                                               \
    X(INT, size)                                                                                    \
    X(DIGEST, digest)
#define ENTRY_HELD_FIELDS(X)                                                                        \
    X(REASON, reason)                                                                               \
    X(TEXT, text)                                                                                   \
    X(TEXT, by)                                                                                     \
    X(INT, later)              /* 1: what is left when the commitment has ended is held */         \
    X(INT, until_us)           /* the end of an operator's; 0: the deadline alone ends it */
#define ENTRY_RELEASED_FIELDS(X)                                                                    \
    X(TEXT, by)                                                                                     \
    X(INT, rounds)             /* rounds the task has from now on */
#define ENTRY_ENDED_FIELDS(X)                                                                       \
    X(TASK_STATE, state)                                                                            \
    X(REASON, reason)                                                                               \
    X(TEXT, text)                                                                                   \
    X(INT, released_micro)
#define ENTRY_ASSIGNED_FIELDS(X)                                                                    \
    X(INT, round)                                                                                   \
    X(INT, part)                                                                                    \
    X(INT, generation)                                                                              \
    X(TEXT, contractor)                                                                             \
    X(TEXT, principal)                                                                              \
    X(INT, rate_micro)                                                                              \
    X(INT, price_micro)                                                                             \
    X(INT, units)                                                                                   \
    X(INT, ceiling_micro)                                                                           \
    X(INT, due_at_us)                                                                               \
    X(INT, ack_by_us)                                                                               \
    X(DIGEST, head)            /* of the task's chain just before this entry */                     \
    X(INT, held)               /* 1: counted resources of the task are held */
#define ENTRY_DELIVERED_FIELDS(X)                                                                   \
    X(INT, part)                                                                                    \
    X(INT, generation)                                                                              \
    X(TEXT, contractor)                                                                             \
    X(INT, units_done)                                                                              \
    X(INT, accept_by_us)                                                                            \
    X(TEXT, evidence)          /* lines NAME=VALUE */                                               \
    X(TEXT, text)                                                                                   \
    X(INT, size)               /* of a result kept elsewhere */                                     \
    X(DIGEST, digest)          /* of the same */                                                    \
    X(INT, measured_micro)                                                                          \
    X(TEXT, tier)                                                                                   \
    X(INT, acknowledged)       /* 1: this report was also the acknowledgement */                    \
    X(INT, content_size)                                                                            \
    X(DIGEST, content_digest)
#define ENTRY_ADOPTED_FIELDS(X)                                                                     \
    X(INT, part)                                                                                    \
    X(INT, generation)                                                                              \
    X(TEXT, contractor)                                                                             \
    X(TEXT, principal)                                                                              \
    X(INT, late)               /* number of the entry that has the result */                        \
    X(INT, units)              /* newly accepted */                                                 \
    X(INT, paid_micro)                                                                              \
    X(TASK_STATE, task_state)  /* set where the task ends with it */                                \
    X(REASON, task_reason)                                                                          \
    X(INT, released_micro)
#define ENTRY_BELIEVED_FIELDS(X)                                                                    \
    X(TEXT, by)                                                                                     \
    X(TEXT, principal)                                                                              \
    X(REASON, belief)                                                                               \
    X(TEXT, text)                                                                                   \
    X(INT, part)               /* of an owner's own commitment, else 0 */                           \
    X(INT, generation)
#define ENTRY_UNBLOCKED_FIELDS(X)                                                                   \
    X(INT, deadline_at_us)
#define ENTRY_ENROLLED_FIELDS(X)                                                                    \
    X(TEXT, contractor)                                                                             \
    X(TEXT, principal)                                                                              \
    X(INT, slots)                                                                                   \
    X(TEXTS, skills)
#define ENTRY_DEPARTED_FIELDS(X)                                                                    \
    X(TEXT, contractor)                                                                             \
    X(REASON, reason)
#define ENTRY_FUNDED_FIELDS(X)                                                                      \
    X(TEXT, principal)                                                                              \
    X(INT, amount_micro)       /* negative: taken out */                                            \
    X(TEXT, by)
#define ENTRY_RECESS_FIELDS(X)                                                                      \
    X(INT, from_us)                                                                                 \
    X(INT, until_us)           /* its end, grace included: deadlines in between move here */
#define ENTRY_REIGNED_FIELDS(X)                                                                     \
    X(INT, reign)                                                                                   \
    X(TEXT, broker)
#define ENTRY_RATED_FIELDS(X)                                                                       \
    X(TEXT, skill)                                                                                  \
    X(TEXT, tier)                                                                                   \
    X(INT, rate_micro)         /* a unit; 0: none any more */                                       \
    X(INT, threshold_micro)                                                                         \
    X(INT, share_ppm)          /* that is auctioned all the same */                                 \
    X(TEXT, by)
#define ENTRY_COUNTED_FIELDS(X)                                                                     \
    X(TEXT, resource)                                                                               \
    X(TEXT, contractor)        /* empty: shared by all */                                           \
    X(INT, count)              /* 0: not counted any more */                                        \
    X(TEXT, by)
#define ENTRY_BARRED_FIELDS(X)                                                                      \
    X(TEXT, contractor)                                                                             \
    X(TEXT, principal)                                                                              \
    X(TEXT, skill)                                                                                  \
    X(REASON, reason)                                                                               \
    X(TEXT, text)                                                                                   \
    X(TEXT, by)                                                                                     \
    X(INT, until_us)           /* 0: the hold is over */
#define ENTRY_GOALED_FIELDS(X)                                                                      \
    X(TEXT, principal)                                                                              \
    X(TEXT, goal)                                                                                   \
    X(REASON, belief)                                                                               \
    X(TEXT, text)                                                                                   \
    X(TEXT, by)                                                                                     \
    X(INT, until_us)           /* awards are suspended until then; 0: the client has decided */
#define ENTRY_ADMITTED_FIELDS(X)                                                                    \
    X(TEXT, principal)                                                                              \
    X(DIGEST, key)             /* public, Ed25519; nil: none */                                     \
    X(TEXT, parent)            /* principal in whose budget it spends; empty: its own */            \
    X(INT, revoked)            /* 1: it may say nothing any more */                                 \
    X(INT, said_at_us) X(TEXT, by) /* of what is said of one principal the latest counts */
#define ENTRY_VOUCHED_FIELDS(X)                                                                     \
    X(TEXT, agent) X(TEXT, principal)                                                               \
    X(DIGEST, key)             /* public, Ed25519; nil: the principal's alone */                    \
    X(TEXTS, skills)           /* that it may offer; empty: any */                                  \
    X(INT, revoked)            /* 1: it may say nothing any more */                                 \
    X(INT, said_at_us) X(TEXT, by) /* as above */
#define ENTRY_BALANCE_FIELDS(X)                                                                     \
    X(TEXT, principal)                                                                              \
    X(INT, available_micro)                                                                         \
    X(INT, reserved_micro)                                                                          \
    X(INT, spent_micro)                                                                             \
    X(INT, earned_micro)
#define ENTRY_STOOD_FIELDS(X)                                                                       \
    X(ID, task)                /* that waits */                                                     \
    X(ID, after)               /* that it waits for */                                              \
    X(TASK_STATE, state)                                                                            \
    X(REASON, reason)
#define ENTRY_RECORDED_FIELDS(X)                                                                    \
    X(TEXT, principal)                                                                              \
    X(INT, ended)                                                                                   \
    X(INT, fulfilled)
#define ENTRY_STRUCK_FIELDS(X)                                                                      \
    X(TEXT, contractor)                                                                             \
    X(TEXT, skill)                                                                                  \
    X(TEXT, client)            /* principal of the client */                                        \
    X(INT, kept)

/* One answer to a cfp. `state` is standing (a bid), refused, withdrawn or ineligible. */
#define ENTRY_ANSWER_FIELDS(X)                                                                      \
    X(TEXT, contractor)                                                                             \
    X(TEXT, principal) X(TEXT, root) /* its root when it was heard; empty: itself */                \
    X(BID_STATE, state)                                                                             \
    X(REASON, reason)                                                                               \
    X(INT, cost_micro)                                                                              \
    X(INT, eta_us)                                                                                  \
    X(INT, valid_until_us)     /* 0: until rejected */                                              \
    X(TEXT, text)                                                                                   \
    X(INT, capacity)           /* units, of a bid per unit */                                       \
    X(INT, estimate_micro)                                                                          \
    X(ID, nonce)               /* the bidder's own; nil: it gave none */

/* How one standing bid fared at close; in rank order, ineligible ones last with rank 0. */
#define ENTRY_RANK_FIELDS(X)                                                                        \
    X(TEXT, contractor)                                                                             \
    X(BID_STATE, state)        /* won, lost or ineligible */                                        \
    X(REASON, reason)                                                                               \
    X(INT, rank)
/* clang-format on */

struct entry_texts {
    size_t count;
    const tender_bytes *items;
};

#define ENTRY_TYPE_INT              int64_t
#define ENTRY_TYPE_TEXT             tender_bytes
#define ENTRY_TYPE_ID               tender_id
#define ENTRY_TYPE_DIGEST           tender_digest
#define ENTRY_TYPE_TEXTS            struct entry_texts
#define ENTRY_TYPE_REASON           tender_reason
#define ENTRY_TYPE_TASK_STATE       tender_task_state
#define ENTRY_TYPE_COMMITMENT_STATE tender_commitment_state
#define ENTRY_TYPE_BID_STATE        tender_bid_state
#define ENTRY_TYPE_PARTIAL          tender_partial
#define ENTRY_TYPE_FALLBACK         tender_fallback
#define ENTRY_TYPE_ANSWERS          struct entry_answers
#define ENTRY_TYPE_RANKS            struct entry_ranks
#define ENTRY_MEMBER_(TYPE, member) ENTRY_TYPE_##TYPE member;

struct entry_answer {
    ENTRY_ANSWER_FIELDS(ENTRY_MEMBER_)
};

struct entry_answers {
    size_t count;
    const struct entry_answer *items;
};

struct entry_rank {
    ENTRY_RANK_FIELDS(ENTRY_MEMBER_)
};

struct entry_ranks {
    size_t count;
    const struct entry_rank *items;
};

enum entry_kind {
#define X(code, NAME, name, help) ENTRY_##NAME = (code),
    ENTRY_KINDS(X)
#undef X
};

/* clang-format off */
struct entry_announced    { ENTRY_ANNOUNCED_FIELDS(ENTRY_MEMBER_) };
struct entry_opened       { ENTRY_OPENED_FIELDS(ENTRY_MEMBER_) };
struct entry_answered     { ENTRY_ANSWERED_FIELDS(ENTRY_MEMBER_) };
struct entry_awarded      { ENTRY_AWARDED_FIELDS(ENTRY_MEMBER_) };
struct entry_closed       { ENTRY_CLOSED_FIELDS(ENTRY_MEMBER_) };
struct entry_acknowledged { ENTRY_ACKNOWLEDGED_FIELDS(ENTRY_MEMBER_) };
struct entry_progressed   { ENTRY_PROGRESSED_FIELDS(ENTRY_MEMBER_) };
struct entry_settled      { ENTRY_SETTLED_FIELDS(ENTRY_MEMBER_) };
struct entry_covered      { ENTRY_COVERED_FIELDS(ENTRY_MEMBER_) };
struct entry_late         { ENTRY_LATE_FIELDS(ENTRY_MEMBER_) };
struct entry_held         { ENTRY_HELD_FIELDS(ENTRY_MEMBER_) };
struct entry_released     { ENTRY_RELEASED_FIELDS(ENTRY_MEMBER_) };
struct entry_ended        { ENTRY_ENDED_FIELDS(ENTRY_MEMBER_) };
struct entry_assigned     { ENTRY_ASSIGNED_FIELDS(ENTRY_MEMBER_) };
struct entry_delivered    { ENTRY_DELIVERED_FIELDS(ENTRY_MEMBER_) };
struct entry_adopted      { ENTRY_ADOPTED_FIELDS(ENTRY_MEMBER_) };
struct entry_believed     { ENTRY_BELIEVED_FIELDS(ENTRY_MEMBER_) };
struct entry_unblocked    { ENTRY_UNBLOCKED_FIELDS(ENTRY_MEMBER_) };
struct entry_enrolled     { ENTRY_ENROLLED_FIELDS(ENTRY_MEMBER_) };
struct entry_departed     { ENTRY_DEPARTED_FIELDS(ENTRY_MEMBER_) };
struct entry_funded       { ENTRY_FUNDED_FIELDS(ENTRY_MEMBER_) };
struct entry_recess       { ENTRY_RECESS_FIELDS(ENTRY_MEMBER_) };
struct entry_reigned      { ENTRY_REIGNED_FIELDS(ENTRY_MEMBER_) };
struct entry_rated        { ENTRY_RATED_FIELDS(ENTRY_MEMBER_) };
struct entry_counted      { ENTRY_COUNTED_FIELDS(ENTRY_MEMBER_) };
struct entry_barred       { ENTRY_BARRED_FIELDS(ENTRY_MEMBER_) };
struct entry_goaled       { ENTRY_GOALED_FIELDS(ENTRY_MEMBER_) };
struct entry_admitted     { ENTRY_ADMITTED_FIELDS(ENTRY_MEMBER_) };
struct entry_vouched      { ENTRY_VOUCHED_FIELDS(ENTRY_MEMBER_) };
struct entry_balance      { ENTRY_BALANCE_FIELDS(ENTRY_MEMBER_) };
struct entry_stood        { ENTRY_STOOD_FIELDS(ENTRY_MEMBER_) };
struct entry_recorded     { ENTRY_RECORDED_FIELDS(ENTRY_MEMBER_) };
struct entry_struck       { ENTRY_STRUCK_FIELDS(ENTRY_MEMBER_) };
/* clang-format on */

/*
 * One fact.
 *
 * task       all zero for the house
 * number     its place in the task's chain, from 1
 * at_us      stamp (µs since the Unix epoch) of the event that caused it
 * content    payload or result, at most TENDER_CONTENT_MAX; borrowed
 * body       the JSON text; borrowed; set by entry_seal, or by whoever read it from the ledger
 * hash       of this entry; set by entry_seal, or as read
 */
struct entry {
    tender_id task;
    uint64_t number;
    uint32_t shard; /* that it is written to; says nothing that is sealed */
    int64_t at_us;
    enum entry_kind kind;
    tender_bytes content;
    tender_bytes body;
    tender_digest hash;
    union {
#define X(code, NAME, name, help) struct entry_##name name;
        ENTRY_KINDS(X)
#undef X
    };
};

/* The name of a kind, or NULL. Static. */
const char *entry_kind_name(enum entry_kind kind);
/* The kind of that name, or 0. */
int entry_kind_parse(const char *name, size_t size);

/*
 * Writes the JSON body of `entry`'s kind into `buffer` ([capacity] bytes, not NUL-terminated).
 * Texts must be UTF-8 without NUL (checked at the edge). Returns the size, or TENDER_ELIMIT.
 */
TENDER_MUST_CHECK int entry_encode(const struct entry *entry, char *buffer, size_t capacity);

/*
 * Writes the body into `buffer`, points entry->body at it and sets entry->hash from `previous`,
 * the hash of the entry before it in the chain. Returns the size, or TENDER_ELIMIT.
 */
TENDER_MUST_CHECK int entry_seal(struct entry *entry, const tender_digest *previous, char *buffer,
                                 size_t capacity);

/*
 * Reads entry->body into the fields of entry->kind. Texts and lists live in `reader` until its next
 * use. Returns 0, TENDER_EPROTOCOL for a body that entry_encode could not have written, or
 * TENDER_ENOMEM.
 */
struct entry_reader;
TENDER_MUST_CHECK int entry_reader_open(struct entry_reader **reader_out);
void entry_reader_close(struct entry_reader *reader);
TENDER_MUST_CHECK int entry_decode(struct entry_reader *reader, struct entry *entry);

/* SHA-256 of `bytes`. */
tender_digest entry_digest(tender_bytes bytes);

#endif
