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
 * key   the integer that stands for the field on the wire, 1 to 63; never reused.
 * TYPE  INT     int64_t; on the wire an integer; range checks are those of the table below
 *       TEXT    UTF-8 without NUL; str
 *       BYTES   bin
 *       ID      tender_id; bin of 16
 *       DIGEST  tender_digest; bin of 32
 *       TEXTS   array of str
 *       ENUM    int64_t; a code of the vocabulary named beside it
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
    X(47, BIDS,           bids,            INT,    "bids")

/* clang-format on */

enum message_field {
#define X(key, NAME, member, TYPE, name) MESSAGE_##NAME = (key),
    MESSAGE_FIELDS(X)
#undef X
    MESSAGE_FIELD_END
};

#define MESSAGE_BIT(field) (UINT64_C(1) << (field))

#define MESSAGE_TYPE_INT int64_t
#define MESSAGE_TYPE_ENUM int64_t
#define MESSAGE_TYPE_TEXT tender_bytes
#define MESSAGE_TYPE_BYTES tender_bytes
#define MESSAGE_TYPE_ID tender_id
#define MESSAGE_TYPE_DIGEST tender_digest
#define MESSAGE_TYPE_TEXTS struct message_texts

/*
 * One message. Text and bytes are borrowed from whoever made the message. A field counts only when
 * its bit is set in `present`.
 *
 * conversation  the task, or all zero
 * fault         MESSAGE bit of the first field that is malformed or out of range, or 0; such a field
 *               is not present, and `fault_reason` says which it is. The rest of the message is
 *               usable, so a bid with a bad cost can be recorded as one.
 */
struct message {
    tender_performative performative;
    tender_id conversation;
    uint64_t present;
    enum message_field fault;
    tender_reason fault_reason;
#define X(key, NAME, member, TYPE, name) MESSAGE_TYPE_##TYPE member;
    MESSAGE_FIELDS(X)
#undef X
};

static inline bool message_has(const struct message *message, enum message_field field)
{
    return (message->present & MESSAGE_BIT(field)) != 0;
}

/* Sets one field and its bit: message_set(&message, COST, cost_micro, 1250). */
#define message_set(message, NAME, member_, value)                                                 \
    ((message)->present |= MESSAGE_BIT(MESSAGE_##NAME), (message)->member_ = (value))

#endif
