/*
 * The legal transitions of tasks, commitments and bids, one row each. Whoever changes a state does
 * it through these functions, which assert that the row exists; a pair that has no row is a mistake
 * of ours. Terminal states have no rows, so they absorb.
 */
#ifndef TENDER_BROKER_CORE_COMMITMENT_H
#define TENDER_BROKER_CORE_COMMITMENT_H

#include "tender/vocabulary.h"

/* clang-format off */

/* X(FROM, EVENT, TO). NEW is a thing that is not there yet. */
#define TASK_TRANSITIONS(X)                      \
    X(NEW,     ANNOUNCE,  OPEN)                  \
    X(NEW,     BLOCK,     BLOCKED)               \
    X(BLOCKED, UNBLOCK,   OPEN)                  \
    X(OPEN,    AWARD,     AWARDED)               \
    X(OPEN,    HOLD,      HELD)                  \
    X(HELD,    RELEASE,   OPEN)                  \
    X(AWARDED, REOPEN,    OPEN)                  \
    X(AWARDED, COMPLETE,  DONE)                  \
    X(OPEN,    COMPLETE,  DONE)                  \
    X(HELD,    COMPLETE,  DONE)                  \
    X(AWARDED, DELIVER,   DELIVERED)             \
    X(DELIVERED, REOPEN,  OPEN)                  \
    X(DELIVERED, COMPLETE, DONE)                 \
    X(BLOCKED, GIVE_UP,   UNALLOCATED)           \
    X(DELIVERED, GIVE_UP, UNALLOCATED)           \
    X(BLOCKED, CANCEL,    CANCELLED)             \
    X(DELIVERED, CANCEL,  CANCELLED)             \
    X(OPEN,    GIVE_UP,   UNALLOCATED)           \
    X(AWARDED, GIVE_UP,   UNALLOCATED)           \
    X(HELD,    GIVE_UP,   UNALLOCATED)           \
    X(OPEN,    CANCEL,    CANCELLED)             \
    X(AWARDED, CANCEL,    CANCELLED)             \
    X(HELD,    CANCEL,    CANCELLED)

#define COMMITMENT_TRANSITIONS(X)                \
    X(NEW,    AWARD,   ACTIVE)                   \
    X(ACTIVE, FULFIL,  FULFILLED)                \
    X(ACTIVE, DELIVER, DELIVERED)                \
    X(DELIVERED, FULFIL, FULFILLED)              \
    X(DELIVERED, FAIL, FAILED)                   \
    X(ACTIVE, FAIL,    FAILED)                   \
    X(ACTIVE, LAPSE,   LAPSED)                   \
    X(ACTIVE, DECLINE, DECLINED)                 \
    X(ACTIVE, CANCEL,  CANCELLED)

#define BID_TRANSITIONS(X)                       \
    X(NEW,      PROPOSE,    STANDING)            \
    X(NEW,      REFUSE,     REFUSED)             \
    X(NEW,      DISQUALIFY, INELIGIBLE)          \
    X(NEW,      WITHDRAW,   WITHDRAWN)           \
    X(STANDING, WITHDRAW,   WITHDRAWN)           \
    X(STANDING, DISQUALIFY, INELIGIBLE)          \
    X(STANDING, WIN,        WON)                 \
    X(STANDING, LOSE,       LOST)                \
    X(LOST,     WIN,        WON)
/* clang-format on */

/*
 * A bid that ranked behind the winner is recorded as lost and still binds until the award is
 * acknowledged: hence LOST to WON, when the winner breaches and the runner-up has the award.
 *
 * What was delivered is for the client to decide on: it neither lapses nor is cancelled. A late
 * result that is adopted may complete a task that is held.
 */

enum task_event {
    TASK_ANNOUNCE,
    TASK_AWARD,
    TASK_HOLD,
    TASK_RELEASE,
    TASK_REOPEN,
    TASK_COMPLETE,
    TASK_GIVE_UP,
    TASK_CANCEL,
    TASK_BLOCK,
    TASK_UNBLOCK,
    TASK_DELIVER,
    TASK_EVENT_COUNT
};
enum commitment_event {
    COMMITMENT_AWARD,
    COMMITMENT_FULFIL,
    COMMITMENT_FAIL,
    COMMITMENT_LAPSE,
    COMMITMENT_DECLINE,
    COMMITMENT_CANCEL,
    COMMITMENT_DELIVER,
    COMMITMENT_EVENT_COUNT
};
enum bid_event {
    BID_PROPOSE,
    BID_REFUSE,
    BID_DISQUALIFY,
    BID_WITHDRAW,
    BID_WIN,
    BID_LOSE,
    BID_EVENT_COUNT
};

/* The state after `event`, or 0 where no row allows it. A thing that is not there yet has state 0.
 */
tender_task_state task_next(tender_task_state from, enum task_event event);
tender_commitment_state commitment_next(tender_commitment_state from, enum commitment_event event);
tender_bid_state bid_next(tender_bid_state from, enum bid_event event);

/* Change a state; assert that the row exists. */
void task_move(tender_task_state *state, enum task_event event);
void commitment_move(tender_commitment_state *state, enum commitment_event event);
void bid_move(tender_bid_state *state, enum bid_event event);

/* The event that leads to an end state, for what is recalled. */
enum task_event task_event_to(tender_task_state end);
enum commitment_event commitment_event_to(tender_commitment_state end);
enum bid_event bid_event_to(tender_bid_state state);

#endif
