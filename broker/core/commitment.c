/* The transition tables of commitment.h as arrays, and the functions over them. */
#include "commitment.h"

#include <assert.h>

enum { TENDER_TASK_NEW = 0, TENDER_COMMITMENT_NEW = 0, TENDER_BID_NEW = 0 };

tender_task_state task_next(tender_task_state from, enum task_event event)
{
    static const uint8_t rows[TENDER_TASK_CANCELLED + 1][TASK_EVENT_COUNT] = {
#define X(FROM, EVENT, TO) [TENDER_TASK_##FROM][TASK_##EVENT] = TENDER_TASK_##TO,
        TASK_TRANSITIONS(X)
#undef X
    };
    return (tender_task_state)rows[from][event];
}

tender_commitment_state commitment_next(tender_commitment_state from, enum commitment_event event)
{
    static const uint8_t rows[TENDER_COMMITMENT_CANCELLED + 1][COMMITMENT_EVENT_COUNT] = {
#define X(FROM, EVENT, TO) [TENDER_COMMITMENT_##FROM][COMMITMENT_##EVENT] = TENDER_COMMITMENT_##TO,
        COMMITMENT_TRANSITIONS(X)
#undef X
    };
    return (tender_commitment_state)rows[from][event];
}

tender_bid_state bid_next(tender_bid_state from, enum bid_event event)
{
    static const uint8_t rows[TENDER_BID_REFUSED + 1][BID_EVENT_COUNT] = {
#define X(FROM, EVENT, TO) [TENDER_BID_##FROM][BID_##EVENT] = TENDER_BID_##TO,
        BID_TRANSITIONS(X)
#undef X
    };
    return (tender_bid_state)rows[from][event];
}

void task_move(tender_task_state *state, enum task_event event)
{
    tender_task_state next = task_next(*state, event);
    assert((int)next != 0);
    *state = next;
}

void commitment_move(tender_commitment_state *state, enum commitment_event event)
{
    tender_commitment_state next = commitment_next(*state, event);
    assert((int)next != 0);
    *state = next;
}

void bid_move(tender_bid_state *state, enum bid_event event)
{
    tender_bid_state next = bid_next(*state, event);
    assert((int)next != 0);
    *state = next;
}

enum task_event task_event_to(tender_task_state end)
{
    switch (end) {
    case TENDER_TASK_DONE:
        return TASK_COMPLETE;
    case TENDER_TASK_CANCELLED:
        return TASK_CANCEL;
    default:
        return TASK_GIVE_UP;
    }
}

enum commitment_event commitment_event_to(tender_commitment_state end)
{
    switch (end) {
    case TENDER_COMMITMENT_FULFILLED:
        return COMMITMENT_FULFIL;
    case TENDER_COMMITMENT_FAILED:
        return COMMITMENT_FAIL;
    case TENDER_COMMITMENT_LAPSED:
        return COMMITMENT_LAPSE;
    case TENDER_COMMITMENT_DECLINED:
        return COMMITMENT_DECLINE;
    default:
        return COMMITMENT_CANCEL;
    }
}

enum bid_event bid_event_to(tender_bid_state state)
{
    switch (state) {
    case TENDER_BID_STANDING:
        return BID_PROPOSE;
    case TENDER_BID_WON:
        return BID_WIN;
    case TENDER_BID_LOST:
        return BID_LOSE;
    case TENDER_BID_WITHDRAWN:
        return BID_WITHDRAW;
    case TENDER_BID_REFUSED:
        return BID_REFUSE;
    default:
        return BID_DISQUALIFY;
    }
}
