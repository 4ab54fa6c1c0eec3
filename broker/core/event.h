/*
 * What the book hears. Everything enters as an argument: the stamp, the identifier for a new task,
 * the message, and what the ledger knows of a task that the book no longer holds.
 */
#ifndef TENDER_BROKER_CORE_EVENT_H
#define TENDER_BROKER_CORE_EVENT_H

#include "message.h"

/* clang-format off */
/* X(NAME, "meaning") */
#define EVENT_KINDS(X)                                                                              \
    X(MESSAGE, "a peer, or the inbox for one, says `message`")                                      \
    X(HEARD,   "a peer's session was heard, without a message for the book")                        \
    X(LEFT,    "a peer's session is gone")                                                          \
    X(TICK,    "time has come to `at_us`; also the end of a turn: unrecorded answers are written")  \
    X(RECESS,  "nobody listened from `from_us` to `until_us`; deadlines in between move")           \
    X(FUND,    "`amount_micro` is put into, or taken out of, the account of `principal`")
/* clang-format on */

enum event_kind {
#define X(NAME, help) EVENT_##NAME,
    EVENT_KINDS(X)
#undef X
};

/*
 * What the ledger knows of a task that is not in the book: it has ended, or never was.
 *
 * For an announcement with a key: `task` is the one under the same key with the same body digest,
 * `newest` the newest under the key. For any other message: `task` is the conversation. Nil where
 * there is none. All found tasks have ended.
 */
struct prior {
    tender_id task;
    tender_id newest;
    tender_task_state state;
    tender_reason reason;
    tender_bytes client;
    tender_bytes principal;
    int64_t round;
    int64_t units;
    int64_t units_done;
    int64_t paid_micro;
    /* the commitment that the message names, where it names one */
    tender_commitment_state commitment_state;
    tender_bytes contractor;
    int64_t commitment_units_done;
    int64_t commitment_paid_micro;
    /* the end of the task's chain; 0: its record is in an archive */
    uint64_t number;
    tender_digest hash;
};

/* What the ledger says of a task that another one waits for and that is not in the book. */
enum after_state {
    AFTER_UNTOLD, /* it was not asked */
    AFTER_UNKNOWN,
    AFTER_FOREIGN, /* another principal pays for it */
    AFTER_PENDING, /* of the book only: it has not ended */
    AFTER_DONE,
    AFTER_FAILED
};

/*
 * One event. All pointers are borrowed for the call.
 *
 * at_us       stamp, never below an earlier event's
 * peer        agent's name: of the session, or as the inbox says
 * principal   the agent's principal, as its session or the inbox says
 * task        for an ANNOUNCE: the identifier of the new task, if there will be one
 * request     the inbox row that speaks, or 0 for the wire; tells that answer it carry it
 * is_operator the inbox row was written by an operator: may act on any client's task
 * prior       what the ledger knows, where the book did not (book_wants_prior); else NULL
 * committed_us  a TICK: all entries stamped before it are in the ledger; 0: not known. An ended
 *             task is not forgotten before its end is there to be asked for
 * shard       shard to which the inbox row was written: what operators say holds for one shard
 * shards      of a RECESS: set of the shards in which nobody listened; 0: in all of them
 * after_states  an ANNOUNCE with `after`: for each of its tasks what the ledger knows (enum
 *             after_state), where the book did not (book_wants_after); NULL: nothing was asked
 */
struct event {
    enum event_kind kind;
    int64_t at_us;
    tender_bytes peer;
    tender_bytes principal;
    tender_id task;
    uint64_t request;
    bool is_operator;
    const struct message *message;
    const struct prior *prior;
    int64_t from_us;
    int64_t until_us;
    int64_t amount_micro;
    int64_t committed_us;
    uint32_t shard;
    uint64_t shards;
    const uint8_t *after_states;
};

#endif
