/*
 * How often each limit was met. A limit is an option of the same name, or a constant: ops/limits.md
 * has them all, with their reasons. Whoever refuses counts it here; the log says so now and then.
 * May be called by any thread.
 */
#ifndef TENDER_BROKER_SHELL_REFUSALS_H
#define TENDER_BROKER_SHELL_REFUSALS_H

#include "tender/vocabulary.h"

/* clang-format off */

/* X(NAME, "name", "what happens to whoever meets it") */
#define REFUSALS(X)                                                                                \
    X(CONNECTIONS,  "connections",             "the newest connection is closed")                  \
    X(ADDRESS,      "connections-per-address", "the newest connection is closed")                  \
    X(HELLO_TIME,   "hello-time",              "the connection is closed")                         \
    X(SESSION_TIME, "session-time",            "the session ends, and its connection is closed")   \
    X(FAULTS,       "faults",                  "the connection is closed")                         \
    X(UNPROVED,     "unproved",                "the connection is challenged again, or closed")   \
    X(PARKED,       "parked",                  "the connection is closed")                         \
    X(WAITING,      "waiting-size",            "the connection is closed")                         \
    X(GAP,          "gap",                     "the connection is closed")                         \
    X(SESSIONS,     "sessions",                "hello is refused")                                 \
    X(PRINCIPAL,    "sessions-per-principal",  "hello is refused")                                 \
    X(MESSAGES,     "messages-per-second",     "the session waits")                                \
    X(BYTES,        "bytes-per-second",        "the session waits")                                \
    X(OUTBOX,       "outbox-size",             "the session ends, and its connection is closed")   \
    X(OUTBOXES,     "outboxes-size",           "the session ends, and its connection is closed")   \
    X(BACKLOG,      "backlog-size",            "nobody is heard until the ledger keeps up")        \
    X(BOOK,         "book",                    "the message is refused with the limit's name")

enum refusal {
#define REFUSAL_ENUM(NAME, name, what) REFUSAL_##NAME,
    REFUSALS(REFUSAL_ENUM)
#undef REFUSAL_ENUM
    REFUSAL_COUNT
};

/* clang-format on */

void refusals_count(enum refusal refusal);

/* How often it was met since the start. */
uint64_t refusals_met(enum refusal refusal);

/* "outbox-size", and what happens then. Static. */
const char *refusal_name(enum refusal refusal);
const char *refusal_consequence(enum refusal refusal);

/*
 * For each limit that was met since the last call: writes a line, and calls `on_met` with how
 * often.
 */
void refusals_log(void (*on_met)(void *context, enum refusal refusal, uint64_t times),
                  void *context);

#endif
