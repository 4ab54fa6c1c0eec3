/*
 * A message of the exchange as plain data: one flat struct, one table of its fields, one table of
 * what each performative carries. The wire packs and unpacks it by these tables, PROTOCOL.md is
 * tested against them, and the broker's core hears and tells it. Knows neither msgpack nor sockets.
 */
#ifndef TENDER_CONTRACTOR_SDK_WIRE_MESSAGE_H
#define TENDER_CONTRACTOR_SDK_WIRE_MESSAGE_H

#include "tender/vocabulary.h"

/* A borrowed list of names or skills. */
struct message_texts {
    uint32_t count; /* at most TENDER_SKILLS_MAX */
    const tender_bytes *items;
};

/* clang-format off */

/*
 * Fields of a message body. X(key, NAME, member, TYPE, "name")
 *
 * key   the integer that stands for the field on the wire, 1 to 127; never reused
 * TYPE  INT     int64_t; on the wire an integer; range checks are those of the table below
 *       TEXT    UTF-8 without NUL; str
 *       BYTES   bin
 *       ID      tender_id; bin of 16
 *       DIGEST  tender_digest; bin of 32
 *       TEXTS   array of str
 *       ENUM    int64_t; a code of the vocabulary named beside it
 *
 * after           identifiers of tasks, 16 bytes each, 1 to TENDER_AFTER_MAX of them
 * evidence        in announce and cfp: names that a completion must bring, joined by commas; in
 *                 reports: lines NAME=VALUE
 * accept_us       how long the client may take to decide on a delivery; 0: nothing is decided
 * size            bytes of a result that is kept elsewhere, or withheld
 * split_max       most commitments that one round may make of the units; 0: one commitment
 * capacity        units that a bid of a split round offers
 * improve         rounds of improving bids before the sealed one
 * invite_max      most principals invited to a round; 0: all
 * share_ppm       in announce: of the invited, newcomers; in rate: of the tasks, auctioned ones
 * estimate_micro  what a bidder expects its work to cost
 * receipts        18 bytes each: in hello what the peer was told is held, in welcome what is held
 *                 of that where it is less; wire.h, PROTOCOL.md
 * address         where another broker listens, with spaces between several
 * nonce           random bytes of a bidder, so that nobody guesses its bid from its leaf
 * book            the root over the bids of a round (ledger/CHAIN.md)
 * proof           what shows that a bid is in the book, and which cost set the price
 */
#define MESSAGE_FIELDS(X)                                           \
    X( 1, NAME,           name,            TEXT,   "name")          \
    X( 2, PRINCIPAL,      principal,       TEXT,   "principal")     \
    X( 3, HEARTBEAT,      heartbeat_us,    INT,    "heartbeat_us")  \
    X( 4, SKILLS,         skills,          TEXTS,  "skills")        \
    X( 5, SLOTS,          slots,           INT,    "slots")         \
    X( 6, KEY,            key,             TEXT,   "key")           \
    X( 7, SKILL,          skill,           TEXT,   "skill")         \
    X( 8, UNITS,          units,           INT,    "units")         \
    X( 9, CEILING,        ceiling_micro,   INT,    "ceiling_micro") \
    X(10, WINDOW,         window_us,       INT,    "window_us")     \
    X(11, DUE,            due_us,          INT,    "due_us")        \
    X(12, DEADLINE,       deadline_at_us,  INT,    "deadline_at_us")\
    X(13, ROUNDS,         rounds,          INT,    "rounds")        \
    X(14, BACKOFF,        backoff_us,      INT,    "backoff_us")    \
    X(15, ACK,            ack_us,          INT,    "ack_us")        \
    X(16, PRIORITY,       priority,        INT,    "priority")      \
    X(17, PARTIAL,        partial,         ENUM,   "partial")       \
    X(18, KILL_FEE,       kill_fee_ppm,    INT,    "kill_fee_ppm")  \
    X(19, CLOSE_ALONE,    close_alone,     INT,    "close_alone")   \
    X(20, FALLBACK,       fallback,        ENUM,   "fallback")      \
    X(21, CONTRACTOR,     contractor,      TEXT,   "contractor")    \
    X(22, AGAIN,          again,           ID,     "again")         \
    X(23, CONTENT,        content,         BYTES,  "content")       \
    X(24, ROUND,          round,           INT,    "round")         \
    X(25, DIGEST,         digest,          DIGEST, "digest")        \
    X(26, CLOSES_AT,      closes_at_us,    INT,    "closes_at_us")  \
    X(27, COST,           cost_micro,      INT,    "cost_micro")    \
    X(28, ETA,            eta_us,          INT,    "eta_us")        \
    X(29, VALID_UNTIL,    valid_until_us,  INT,    "valid_until_us")\
    X(30, TEXT,           text,            TEXT,   "text")          \
    X(31, REASON,         reason,          ENUM,   "reason")        \
    X(32, PART,           part,            INT,    "part")          \
    X(33, GENERATION,     generation,      INT,    "generation")    \
    X(34, PRICE,          price_micro,     INT,    "price_micro")   \
    X(35, DUE_AT,         due_at_us,       INT,    "due_at_us")     \
    X(36, ACK_BY,         ack_by_us,       INT,    "ack_by_us")     \
    X(37, UNITS_DONE,     units_done,      INT,    "units_done")    \
    X(38, PAID,           paid_micro,      INT,    "paid_micro")    \
    X(39, TASK_STATE,     task_state,      ENUM,   "task_state")    \
    X(40, STATE,          state,           ENUM,   "state")         \
    X(41, FIELD,          field,           TEXT,   "field")         \
    X(42, AT,             at_us,           INT,    "at_us")         \
    X(43, NUMBER,         number,          INT,    "number")        \
    X(44, RELEASED,       released_micro,  INT,    "released_micro")\
    X(45, BROKER,         broker,          TEXT,   "broker")        \
    X(46, RANK,           rank,            INT,    "rank")          \
    X(47, BIDS,           bids,            INT,    "bids")          \
    X(48, AFTER,          after,           BYTES,  "after")         \
    X(49, GOAL,           goal,            TEXT,   "goal")          \
    X(50, EVIDENCE,       evidence,        TEXT,   "evidence")      \
    X(51, ACCEPT,         accept_us,       INT,    "accept_us")     \
    X(52, SIZE,           size,            INT,    "size")          \
    X(53, SPLIT_MAX,      split_max,       INT,    "split_max")     \
    X(54, CAPACITY,       capacity,        INT,    "capacity")      \
    X(55, COVER_ALL,      cover_all,       INT,    "cover_all")     \
    X(56, IMPROVE,        improve,         INT,    "improve")       \
    X(57, LEAD_ONLY,      lead_only,       INT,    "lead_only")     \
    X(58, INVITE_MAX,     invite_max,      INT,    "invite_max")    \
    X(59, SHARE,          share_ppm,       INT,    "share_ppm")     \
    X(60, TIER,           tier,            TEXT,   "tier")          \
    X(61, ESTIMATE,       estimate_micro,  INT,    "estimate_micro")\
    X(62, ADDRESS,        address,         TEXT,   "address")       \
    X(63, RECEIPTS,       receipts,        BYTES,  "receipts")      \
    X(64, NONCE,          nonce,           ID,     "nonce")         \
    X(65, BOOK,           book,            DIGEST, "book")          \
    X(66, PROOF,          proof,           BYTES,  "proof")

/* clang-format on */

enum message_field {
#define X(key, NAME, member, TYPE, name) MESSAGE_##NAME = (key),
    MESSAGE_FIELDS(X)
#undef X
        MESSAGE_FIELD_END
};

/* A set of fields, a bit for each key. */
__extension__ typedef unsigned __int128 message_mask;

#define MESSAGE_KEYS       128
#define MESSAGE_BIT(field) ((message_mask)1 << (field))
/* Every field's bit. */
#define MESSAGE_LAST MESSAGE_BIT(MESSAGE_FIELD_END - 1)
#define MESSAGE_ALL  ((MESSAGE_LAST | (MESSAGE_LAST - 1)) & ~(message_mask)1)

/* The lowest field of a set that has one. */
static inline enum message_field message_first(message_mask fields)
{
    uint64_t low = (uint64_t)fields;
    int bit = low != 0 ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(fields >> 64));
    return (enum message_field)bit;
}

#define MESSAGE_TYPE_INT    int64_t
#define MESSAGE_TYPE_ENUM   int64_t
#define MESSAGE_TYPE_TEXT   tender_bytes
#define MESSAGE_TYPE_BYTES  tender_bytes
#define MESSAGE_TYPE_ID     tender_id
#define MESSAGE_TYPE_DIGEST tender_digest
#define MESSAGE_TYPE_TEXTS  struct message_texts

/*
 * One message. Text and bytes are borrowed from whoever made the message. A field counts only when
 * its bit is set in `present`.
 *
 * conversation  the task, or all zero
 * fault         MESSAGE bit of the first field that is malformed or out of range, or 0; such a
 * field is not present, and `fault_reason` says which it is. The rest of the message is usable, so
 * a bid with a bad cost can be recorded as one. faulty        bits of all such fields
 */
struct message {
    tender_performative performative;
    tender_id conversation;
    message_mask present;
    enum message_field fault;
    tender_reason fault_reason;
    message_mask faulty;
#define X(key, NAME, member, TYPE, name) MESSAGE_TYPE_##TYPE member;
    MESSAGE_FIELDS(X)
#undef X
};

/* clang-format off */
#define MF_(NAME) MESSAGE_BIT(MESSAGE_##NAME)

/*
 * What each performative carries. X(FROM, PERFORMATIVE, CONVERSATION, required, optional)
 *
 * FROM          PEER or BROKER: who says it
 * CONVERSATION  TASK: names a task; NIL: is all zero; ANY: one or the other
 *
 * Other fields are allowed and skipped by whoever has no use for them.
 */
#define MESSAGE_RULES(X)                                                                            \
    X(PEER, HELLO, NIL, MF_(NAME) | MF_(PRINCIPAL) | MF_(HEARTBEAT), MF_(RECEIPTS) | MF_(AT))       \
    X(PEER, OFFER, NIL, MF_(SKILLS) | MF_(SLOTS), 0)                                                \
    X(PEER, ANNOUNCE, NIL, MF_(KEY) | MF_(SKILL) | MF_(UNITS) | MF_(CEILING) | MF_(WINDOW) |        \
      MF_(DUE), MF_(DEADLINE) | MF_(ROUNDS) | MF_(BACKOFF) | MF_(ACK) | MF_(HEARTBEAT) |            \
      MF_(PRIORITY) | MF_(PARTIAL) | MF_(KILL_FEE) | MF_(CLOSE_ALONE) | MF_(FALLBACK) |             \
      MF_(CONTRACTOR) | MF_(AGAIN) | MF_(CONTENT) | MF_(SKILLS) | MF_(AFTER) | MF_(GOAL) |          \
      MF_(EVIDENCE) | MF_(ACCEPT) | MF_(SPLIT_MAX) | MF_(COVER_ALL) | MF_(IMPROVE) |                \
      MF_(LEAD_ONLY) | MF_(INVITE_MAX) | MF_(SHARE) | MF_(TIER))                                    \
    X(PEER, PROPOSE, TASK, MF_(ROUND) | MF_(DIGEST) | MF_(COST) | MF_(ETA), MF_(VALID_UNTIL) |      \
      MF_(TEXT) | MF_(CAPACITY) | MF_(ESTIMATE) | MF_(NONCE))                                       \
    X(PEER, REFUSE, TASK, MF_(ROUND) | MF_(REASON), MF_(TEXT))                                      \
    X(PEER, WITHDRAW, TASK, MF_(ROUND), 0)                                                          \
    X(PEER, ACKNOWLEDGE, TASK, MF_(PART) | MF_(GENERATION), 0)                                      \
    X(PEER, INFORM_PROGRESS, TASK, MF_(PART) | MF_(GENERATION) | MF_(UNITS_DONE), MF_(CONTENT) |    \
      MF_(TEXT) | MF_(EVIDENCE) | MF_(DIGEST) | MF_(SIZE) | MF_(COST) | MF_(TIER))                  \
    X(PEER, INFORM_DONE, TASK, MF_(PART) | MF_(GENERATION) | MF_(UNITS_DONE), MF_(CONTENT) |        \
      MF_(TEXT) | MF_(EVIDENCE) | MF_(DIGEST) | MF_(SIZE) | MF_(COST) | MF_(TIER))                  \
    X(PEER, FAILURE, TASK, MF_(PART) | MF_(GENERATION) | MF_(UNITS_DONE) | MF_(REASON),             \
      MF_(CONTENT) | MF_(TEXT) | MF_(EVIDENCE) | MF_(DIGEST) | MF_(SIZE) | MF_(COST) | MF_(TIER))   \
    X(PEER, CANCEL, TASK, 0, MF_(TEXT))                                                             \
    X(PEER, CLOSE, TASK, 0, 0)                                                                      \
    X(PEER, RELEASE, ANY, 0, MF_(CONTRACTOR) | MF_(PRINCIPAL) | MF_(SKILL))                         \
    X(PEER, QUERY, ANY, 0, MF_(PART) | MF_(GENERATION) | MF_(GOAL))                                 \
    X(PEER, ACCEPT, TASK, MF_(PART) | MF_(GENERATION), MF_(UNITS_DONE))                             \
    X(PEER, REJECT, TASK, MF_(PART) | MF_(GENERATION) | MF_(REASON), MF_(UNITS_DONE) | MF_(TEXT))   \
    X(PEER, BELIEVE, ANY, MF_(REASON), MF_(GOAL) | MF_(TEXT) | MF_(UNITS_DONE) | MF_(PART) |        \
      MF_(GENERATION))                                                                              \
    X(PEER, ADOPT, TASK, MF_(PART) | MF_(GENERATION), 0)                                            \
    X(PEER, HOLD, ANY, MF_(REASON), MF_(CONTRACTOR) | MF_(PRINCIPAL) | MF_(SKILL) |                 \
      MF_(DEADLINE) | MF_(TEXT))                                                                    \
    X(PEER, RATE, NIL, MF_(SKILL) | MF_(PRICE) | MF_(CEILING), MF_(TIER) | MF_(SHARE))              \
    X(PEER, RESOURCE, NIL, MF_(SKILL) | MF_(UNITS_DONE), MF_(CONTRACTOR))                           \
    X(PEER, ENROL, NIL, MF_(AT), MF_(PRINCIPAL) | MF_(CONTRACTOR) | MF_(DIGEST) | MF_(NAME) |       \
      MF_(SKILLS) | MF_(REASON))                                                                    \
    X(PEER, NOT_UNDERSTOOD, ANY, MF_(REASON), MF_(NUMBER) | MF_(FIELD) | MF_(TEXT))                 \
    X(PEER, BYE, NIL, 0, MF_(TEXT))                                                                 \
    X(BROKER, WELCOME, NIL, MF_(BROKER) | MF_(AT) | MF_(HEARTBEAT), MF_(RECEIPTS))                  \
    X(BROKER, AGREE, ANY, 0, MF_(KEY) | MF_(TASK_STATE) | MF_(AT) | MF_(GOAL))                      \
    X(BROKER, REFUSE, ANY, MF_(REASON), MF_(KEY) | MF_(FIELD) | MF_(TEXT) | MF_(GOAL) |             \
      MF_(ADDRESS))                                                                                 \
    X(BROKER, CFP, TASK, MF_(ROUND) | MF_(DIGEST) | MF_(SKILL) | MF_(UNITS) | MF_(CEILING) |        \
      MF_(CLOSES_AT) | MF_(DUE) | MF_(ACK) | MF_(KILL_FEE) | MF_(PARTIAL), MF_(HEARTBEAT) |         \
      MF_(CONTENT) | MF_(SKILLS) | MF_(GOAL) | MF_(EVIDENCE) | MF_(ACCEPT) | MF_(SPLIT_MAX) |       \
      MF_(COVER_ALL) | MF_(IMPROVE) | MF_(LEAD_ONLY) | MF_(RANK) | MF_(TIER))                       \
    X(BROKER, ACCEPT_PROPOSAL, TASK, MF_(ROUND) | MF_(PART) | MF_(GENERATION) | MF_(UNITS) |        \
      MF_(PRICE) | MF_(DUE_AT) | MF_(ACK_BY), MF_(SKILL) | MF_(CONTENT) | MF_(SKILLS) |             \
      MF_(EVIDENCE) | MF_(ACCEPT) | MF_(TIER) | MF_(BOOK) | MF_(BIDS) | MF_(NUMBER) | MF_(PROOF))   \
    X(BROKER, REJECT_PROPOSAL, TASK, MF_(ROUND) | MF_(REASON), MF_(RANK) | MF_(PRICE) |             \
      MF_(BIDS) | MF_(TEXT) | MF_(BOOK) | MF_(NUMBER) | MF_(PROOF))                                 \
    X(BROKER, INFORM_PROGRESS, TASK, MF_(PART) | MF_(GENERATION) | MF_(UNITS_DONE), MF_(ROUND) |    \
      MF_(CONTRACTOR) | MF_(CONTENT) | MF_(TEXT) | MF_(EVIDENCE) | MF_(DIGEST) | MF_(SIZE) |        \
      MF_(ACCEPT))                                                                                  \
    X(BROKER, INFORM_DONE, TASK, MF_(PART) | MF_(GENERATION) | MF_(UNITS_DONE), MF_(ROUND) |        \
      MF_(CONTRACTOR) | MF_(CONTENT) | MF_(TEXT) | MF_(EVIDENCE) | MF_(DIGEST) | MF_(SIZE) |        \
      MF_(ACCEPT))                                                                                  \
    X(BROKER, FAILURE, TASK, MF_(PART) | MF_(GENERATION) | MF_(UNITS_DONE) | MF_(REASON),           \
      MF_(ROUND) | MF_(CONTRACTOR) | MF_(CONTENT) | MF_(TEXT) | MF_(EVIDENCE) | MF_(DIGEST) |       \
      MF_(SIZE) | MF_(ACCEPT))                                                                      \
    X(BROKER, CANCEL, TASK, MF_(GENERATION) | MF_(REASON), MF_(PART) | MF_(UNITS_DONE) |            \
      MF_(PAID) | MF_(TEXT))                                                                        \
    X(BROKER, INFORM, ANY, 0, MF_(TASK_STATE) | MF_(STATE) | MF_(REASON) | MF_(ROUND) |             \
      MF_(PART) | MF_(GENERATION) | MF_(UNITS) | MF_(UNITS_DONE) | MF_(PAID) | MF_(RELEASED) |      \
      MF_(PRICE) | MF_(CONTRACTOR) | MF_(DUE_AT) | MF_(AT) | MF_(GOAL) | MF_(TEXT) |                \
      MF_(CLOSES_AT) | MF_(DIGEST) | MF_(SIZE) | MF_(NUMBER))                                       \
    X(BROKER, NOT_UNDERSTOOD, ANY, MF_(REASON), MF_(NUMBER) | MF_(FIELD) | MF_(TEXT) | MF_(KEY) |   \
      MF_(ROUND) | MF_(PART) | MF_(GENERATION) | MF_(ADDRESS))                                      \
    X(BROKER, BYE, NIL, 0, MF_(REASON) | MF_(TEXT) | MF_(ADDRESS))
/* clang-format on */

enum message_from { MESSAGE_FROM_PEER, MESSAGE_FROM_BROKER };
enum message_conversation {
    MESSAGE_CONVERSATION_NIL,
    MESSAGE_CONVERSATION_TASK,
    MESSAGE_CONVERSATION_ANY
};

struct message_rule {
    enum message_from from;
    tender_performative performative;
    enum message_conversation conversation;
    message_mask required;
    message_mask optional;
};

/* The row for a performative, or NULL where that side does not say it. Static. */
const struct message_rule *message_rule(enum message_from from, tender_performative performative);

/*
 * The first field that `from` must say with this performative and did not, or 0. A field that is
 * there and faulty is not missing.
 */
enum message_field message_missing(const struct message *message, enum message_from from);

static inline bool message_has(const struct message *message, enum message_field field)
{
    return (message->present & MESSAGE_BIT(field)) != 0;
}

/* Sets one field and its bit: message_set(&message, COST, cost_micro, 1250). */
#define message_set(message, NAME, member_, value)                                                 \
    ((message)->present |= MESSAGE_BIT(MESSAGE_##NAME), (message)->member_ = (value))

#endif
